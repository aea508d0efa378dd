"""Each bug that is put into the oracle is found: by random histories, or by the named cases."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from tests.engine.anomalies import (
    bugs,
    bugs_told,
    test_ignored,
    test_judged,
    test_outbox,
    test_outcomes,
    test_parents,
    test_parents_change,
    test_significance,
    test_use_cases,
)
from tests.engine.anomalies.bugs import Bug
from tests.engine.anomalies.properties import holds_of_any_cut, holds_of_history

MODULES = [test_significance, test_outcomes, test_judged, test_ignored, test_parents, test_parents_change, test_outbox, test_use_cases]  # fmt: skip

BUGS = [*bugs.BUGS, *bugs_told.BUGS]


def random_cases() -> Iterator[Callable[[], None]]:
    for seed in range(300):
        yield partial(holds_of_history, seed)
        if seed < 100:
            yield partial(holds_of_any_cut, seed)


def named_cases() -> Iterator[Callable[[], None]]:
    """The tests of these modules, with each set of parameters."""
    for name, test in itertools.chain(
        *(inspect.getmembers(m, inspect.isfunction) for m in MODULES)
    ):
        if name.startswith("test_"):
            marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
            if not marks:
                yield test
            for mark in marks:
                for values in mark.args[1]:
                    yield partial(test, *getattr(values, "values", [values]))


def finds(cases: Iterator[Callable[[], None]]) -> bool:
    for case in cases:
        try:
            case()
        except AssertionError:
            return True
    return False


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_bug_is_found(bug: Bug, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bug.owner, bug.attribute, bug.instead, raising=False)

    assert finds(random_cases() if bug.by_chance else named_cases())


def test_without_a_bug_nothing_is_found() -> None:
    assert not finds(named_cases())
    assert not finds(itertools.islice(random_cases(), 100))
