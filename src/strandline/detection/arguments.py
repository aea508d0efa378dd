"""A call with wrong arguments is refused by one message, in place of Python's TypeError."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from inspect import Parameter, signature
from typing import Any

from strandline.detection.errors import nearest, refuse

HINTS = {
    "name": "name the engine, as name='flight_detection'",
    "events": "give the events, as events=dbt.ref('flights')",
    "time_column": "name the column of the events' time",
    "metrics": "write a list of conditions, as metrics=['temp > 65']",
}


def checked_arguments(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with a message for an argument that is missing, unknown or given by place."""
    parameters = signature(function).parameters
    by_place = [p.name for p in parameters.values() if p.kind is Parameter.POSITIONAL_OR_KEYWORD]
    needed = [p.name for p in parameters.values() if p.default is Parameter.empty]

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        who = function.__name__
        if isinstance(kwargs.get("name"), str):
            who += f" {kwargs['name']!r}"
        unknown = any(name not in parameters for name in kwargs)
        notes = [f"arguments: {', '.join(parameters)}"] if unknown else []
        refuse(who, list(_faults(args, kwargs)), notes)
        return function(*args, **kwargs)

    def _faults(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[str]:
        for given in args[len(by_place) :]:
            yield f"{given!r} is given by its place; name the argument, as name={given!r}"
        for name in kwargs:
            if name not in parameters:
                yield f"there is no argument `{name}`{nearest(name, list(parameters))}"
        for name in needed:
            if name not in by_place[: len(args)] and name not in kwargs:
                hint = HINTS.get(name, f"write {name}={name}, which dbt gives the model")
                yield f"`{name}` is missing; {hint}"
        events = kwargs.get("events")
        if "events" in kwargs and not hasattr(events, "dtypes"):
            example = events if isinstance(events, str) else "flights"
            yield f"`events` is {events!r}, no DataFrame; write events=dbt.ref({example!r})"

    return checked
