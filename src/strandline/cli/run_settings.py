"""The settings of one run of dbt: its clock, and the range of time that is recomputed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


@contextmanager
def settings_of_run(variables: Mapping[str, str]) -> Iterator[None]:
    """The settings of one run, as environment variables: see the macro `_run_setting`."""
    given = {name.upper(): value for name, value in variables.items()}
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
