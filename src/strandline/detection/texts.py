"""The texts of each metric in the output: its detector, its description, its severity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from strandline.detection.errors import SURROGATE, surrogate


@dataclass(frozen=True)
class Texts:
    """One of each for every metric; a severity may be None."""

    detectors: tuple[str, ...]
    descriptions: tuple[str, ...]
    severities: tuple[str | None, ...]

    def given(self, name: str, metrics: Sequence[str]) -> dict[str, list[str | None] | None]:
        """Each by its argument; None for defaults."""
        usual = texts_of(name, metrics, {}, [])
        return {
            "detectors": _unless(self.detectors, usual.detectors),
            "anomaly_description": _unless(self.descriptions, usual.descriptions),
            "severities": _unless(self.severities, usual.severities),
        }


def _unless(texts: Sequence[str | None], usual: Sequence[str | None]) -> list[str | None] | None:
    return None if texts == usual else list(texts)


def texts_of(
    name: str, metrics: Sequence[str], given: Mapping[str, object], faults: list[str]
) -> Texts:
    """The texts of `given` (by argument), or their defaults; appends what is wrong to `faults`."""
    if isinstance(metrics, str) or not isinstance(metrics, Sequence):
        return Texts((), (), ())  # `check` has this fault
    numbered = [f"{name}_{index}" for index in range(len(metrics))]
    detectors = _texts("detectors", given, metrics, faults)
    for place, detector in enumerate(detectors or ()):
        if not (detector or "").strip():
            faults.append(f"detectors[{place}] is empty; write a name, such as 'too_hot'")
        elif detector in (detectors or ())[:place]:
            faults.append(f"detectors[{place}] is {detector!r} again; give each metric its own")
    descriptions = _texts("anomaly_description", given, metrics, faults)
    severities = _texts("severities", given, metrics, faults, or_none=True)
    return Texts(
        tuple(map(str, numbered if detectors is None else detectors)),
        tuple(map(str, metrics if descriptions is None else descriptions)),
        tuple(severities or [None] * len(metrics)),
    )


def _texts(
    argument: str, given: Mapping[str, object], metrics: Sequence[str], faults: list[str],
    *, or_none: bool = False,
) -> list[str | None] | None:  # fmt: skip
    """None where the argument is missing or wrong."""
    texts = given.get(argument)
    if texts is None:
        return None
    kinds = (str, type(None)) if or_none else (str,)
    is_list = isinstance(texts, Sequence) and not isinstance(texts, str)
    listed = list(texts) if isinstance(texts, Sequence) else []
    if not is_list or not all(isinstance(each, kinds) for each in listed):
        more = ", None where one has none" if or_none else ""
        faults.append(f"`{argument}` is {texts!r}; write a list of texts{more}, or leave it out")
        return None
    if len(listed) != len(metrics):
        message = f"`{argument}` has {len(listed)} and `metrics` has {len(metrics)} texts;"
        faults.append(f"{message} write one for each metric, or leave it out")
    for place, text in enumerate(listed):
        if text is not None and surrogate(text) is not None:
            faults.append(f"{argument}[{place}] holds {SURROGATE}")
    return listed
