"""What the job of a Python model and the engines of detection in it hand to each other.

The adapter begins a job around the model's function; each `detect` in it reads the job, and returns
to it a record of what it did. Outside of a job, as in a notebook, nothing reads the record.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(frozen=True)
class EngineRun:
    """What one call of `detect` did.

    engine: its name. is_left_to_next_run: whether another run has written the state meanwhile, so
    that the new events were not read.
    """

    engine: str
    is_left_to_next_run: bool


@dataclass(frozen=True)
class Job:
    """A run of a Python model.

    file_format: that of the table which its rows are added to; None if each run replaces it.
    engines: a record of each call of `detect`, in order.
    """

    file_format: str | None
    engines: list[EngineRun] = field(default_factory=list)


_JOB: ContextVar[Job | None] = ContextVar("strandline_detection_job", default=None)


@contextmanager
def running(job: Job) -> Iterator[None]:
    """Makes this the job of every `detect` that this thread calls in the `with` block."""
    token = _JOB.set(job)
    try:
        yield
    finally:
        _JOB.reset(token)


def current_job() -> Job | None:
    """The job that is running in this thread; None outside of one."""
    return _JOB.get()
