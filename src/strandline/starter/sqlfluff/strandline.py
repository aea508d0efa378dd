"""The macros of Strandline for sqlfluff, which renders a model without dbt: see `.sqlfluff`.

Each call is replaced by a query in parentheses: it can be a model, follow `from`, or be a value.
"""

from collections.abc import Callable


def __getattr__(name: str) -> Callable[..., str]:
    return lambda *_, **__: f"(select * from {name})"
