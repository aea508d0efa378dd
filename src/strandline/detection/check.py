"""The check of a definition of detections as a whole: one error has all its faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from strandline.detection.errors import DetectionError, Fault, a, refuse
from strandline.detection.metric import Call, Metric, Node, each_once, metric_of
from strandline.detection.parse import parse
from strandline.detection.resolver import Resolver
from strandline.detection.texts import Texts, texts_of
from strandline.detection.types import UNKNOWN, Analyse, Types
from strandline.detection.units import precision_of
from strandline.lengths import units_of

__all__ = ["DetectionError", "Rules", "check"]


@dataclass(frozen=True)
class Rules:
    """The checked metrics, the texts of each in the output, and the windows.

    window_size and step are whole numbers of the precision, None when they were not given.
    """

    metrics: tuple[Metric, ...]
    texts: Texts
    window_size: int | None
    step: int | None
    precision: str

    @property
    def has_windows(self) -> bool:
        """Whether any metric has an aggregate: then windows close, and old rows are late."""
        return any(metric.kind != "row" for metric in self.metrics)

    @property
    def is_ordered(self) -> bool:
        """Whether a row is evaluated with rows before it: then resent rows are ignored."""
        return self.has_windows or bool(self.previous)

    @property
    def aggregates(self) -> tuple[Call, ...]:
        """Those of all metrics, each once; so are the next two."""
        return each_once(node for metric in self.metrics for node in metric.aggregates)

    @property
    def aggregates_before(self) -> tuple[Call, ...]:
        return each_once(node for metric in self.metrics for node in metric.aggregates_before)

    @property
    def previous(self) -> tuple[Call, ...]:
        return each_once(node for metric in self.metrics for node in metric.previous)

    @property
    def rows_back(self) -> int:
        """How many earlier rows of its key a row needs."""
        return max(metric.rows_back for metric in self.metrics)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the events that the metrics read."""
        return tuple(dict.fromkeys(name for metric in self.metrics for name in metric.columns))


def check(
    name: str,
    metrics: Sequence[str],
    types: Mapping[str, str],
    *,
    texts: Mapping[str, object] | None = None,
    window_size: str | None = None,
    step: str | None = None,
    precision: str = "ms",
    also: Sequence[str] = (),
    analyse: Analyse | None = None,
) -> Rules:
    """The checked rules of `detect`, after DolphinDB's createAnomalyDetectionEngine.

    `types` has the Spark type (`double`, `decimal(10,2)`) of each column of the events by its
    name. `texts` are the arguments of `texts_of`. `window_size` and `step` are texts such as
    '6 ms', whole numbers of the precision. `also` are faults that the caller found; they are in
    the same error. `analyse` gives Spark's types; without it, those of calls are not checked.

    Raises:
        DetectionError: something is wrong; the message has all of it.
    """
    who = f"detect {name!r}"
    faults = list(also)
    notes: list[str] = []
    read = _metrics(metrics, types, analyse, faults, notes)
    described = texts_of(name, metrics, texts or {}, faults)
    size, every = _windows(window_size, step, precision, faults)
    windowed = [metric for metric in read if metric.kind != "row"]
    if windowed:
        metric = windowed[0]
        call = metric.aggregates[0]
        for given, argument in ((window_size, "window_size"), (step, "step")):
            if given is None:
                message = f"`{call.written}` is an aggregate, and `{argument}` is missing;"
                message += f" write {argument}='3 ms' or the like"
                faults.append(
                    Fault(message, *call.name_span).drawn(_place(metric.index), metric.text)
                )
    refuse(who, faults, notes)
    return Rules(tuple(read), described, size, every, precision_of(precision))


def _place(index: int) -> str:
    return f"metrics[{index}]"


def _metrics(
    texts: object, columns: Mapping[str, str], analyse: Analyse | None, faults: list[str],
    notes: list[str],
) -> list[Metric]:  # fmt: skip
    """Those metrics that have no fault."""
    if isinstance(texts, str) or not isinstance(texts, Sequence) or not texts:
        faults.append(f"`metrics` is {texts!r}; write a list, as ['temp > 65']")
        return []
    read = [_read(index, text, columns) for index, text in enumerate(texts)]
    resolved = {one.index: one.node for one in read if one.node is not None}
    unsound = {node for one in read for node in one.unsound}
    types = Types(columns, analyse)
    counted = types.counted(resolved, unsound)
    found = []
    for one in read:
        own = list(one.faults)
        if one.index in counted:
            node = counted[one.index]
            own += _type_faults(one.text, node, types, unsound)
            if not own:
                sides = node.arguments if isinstance(node, Call) else ()
                families = {side: types.family(side) for side in sides}
                found.append(metric_of(one.text, one.index, node, families))
        if one.is_text:
            faults.extend(fault.drawn(_place(one.index), one.text) for fault in own)
        else:
            faults.append(f"{_place(one.index)} is {one.text}, no text")
        notes.extend(fault.note for fault in own if fault.note)
    return found


@dataclass(frozen=True)
class _Read:
    """A metric after all that needs no Spark: its resolved node, or None if it has none.

    unsound: the nodes of the faults.
    """

    index: int
    text: str
    node: Node | None = None
    faults: Sequence[Fault] = ()
    unsound: frozenset[Node] = frozenset()
    is_text: bool = True


def _read(index: int, text: object, columns: Mapping[str, str]) -> _Read:
    if not isinstance(text, str):
        return _Read(index, repr(text), is_text=False)
    try:
        parsed = parse(text)
        if isinstance(parsed, Fault):
            return _Read(index, text, faults=[parsed])
        resolver = Resolver(columns)
        node = resolver.resolve(parsed)
        return _Read(index, text, node, resolver.faults, frozenset(resolver.unsound))
    except RecursionError:  # where little of Python's stack is left, as in `parse`
        return _Read(index, text, faults=[Fault("it is nested too deeply; split it", 0, len(text))])


def _type_faults(text: str, node: Node, types: Types, unsound: set[Node]) -> Iterator[Fault]:
    yield from types.faults(node, unsound)
    family = types.family(node)
    if family not in ("boolean", UNKNOWN):
        whole = len(text) - len(text.lstrip()), len(text.rstrip())
        message = f"it gives {a(family)}, and a metric must be true or false; compare it, as in"
        yield Fault(f"{message} `{text.strip()} > 1`", *whole)


def _windows(
    window_size: str | None, step: str | None, precision: str, faults: list[str]
) -> tuple[int | None, int | None]:
    """Both in units of the precision; None for one that is missing or cannot be read."""
    try:
        known = precision_of(precision)
    except ValueError as error:
        faults.append(str(error))
        return None, None
    read: list[int | None] = []
    for text, argument in ((window_size, "window_size"), (step, "step")):
        try:
            read.append(None if text is None else units_of(text, argument, known))
        except ValueError as error:
            faults.append(str(error))
            read.append(None)
    size, every = read
    if size is not None and every is not None and size % every:
        below, above = size // every * every, (size // every + 1) * every
        near = f"{above} {known}" if not below else f"{below} or {above} {known}"
        message = f"`window_size` {window_size!r} is no multiple of `step` {step!r};"
        faults.append(f"{message} write {near}")
    return size, every
