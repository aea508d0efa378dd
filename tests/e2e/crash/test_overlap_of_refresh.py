"""A full refresh beside a tick, where there is no lock: no run of the old tables writes into the new ones.

It has a plant of its own: after it, late events of earlier files that were too old would count.
"""

from __future__ import annotations

import pytest
from tests.e2e.crash.at_once import REFRESH, at_once
from tests.e2e.crash.plants import Plants


@pytest.mark.soak
def test_a_full_refresh_beside_a_tick(plants: Plants) -> None:
    at_once(plants, REFRESH, 5)
