"""The project of windows, which the tests of correlation read too."""

from tests.engine.windows.conftest import windows

__all__ = ["windows"]
