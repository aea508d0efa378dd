"""Files that change after a kill and before the next run: nothing lost, nothing landed twice."""

import pytest

from strandline.landing import LandingResult

pytestmark = pytest.mark.soak  # `make check` is at its limit of time

SCHEMA = "id INT"


@pytest.fixture
def killed(place, killed_before):
    """Lands a good and a faulty row, and is killed before it writes to a table; the file."""

    def land(table: str):
        path = place.write("a.csv", "id\n1\nbad\n")
        killed_before(table)
        with pytest.raises(RuntimeError, match="killed"):
            place.land(SCHEMA)
        return path

    return land


def test_it_grows_after_a_kill_before_anything_was_landed(place, killed) -> None:
    """All of it lands, once."""
    path = killed(place.table)
    place.append_to(path, "2\nworse\n")
    assert place.land(SCHEMA) == LandingResult(2, 2, 1, 1, 2)
    assert place.rows("id") == [(1,), (2,)]
    assert place.faulty("raw") == [("bad",), ("worse",)]
    assert place.land(SCHEMA) == LandingResult(0, 0, 0, None, None)


def test_it_grows_after_a_kill_between_the_two_tables(place, killed) -> None:
    """The good rows have landed, so the file is wanted as it was; or an empty one."""
    path = killed(place.quarantine)
    place.append_to(path, "2\nworse\n")
    assert place.refuses(SCHEMA) == (
        f"land:\n- file {path} changed when only its good rows had landed; put back the file of 9 "
        "bytes modified at 2014-05-13T16:53:21.000+00:00, or an empty file in its place if its "
        "faulty rows are not wanted"
    )
    place.write("a.csv", "id\n1\nbad\n", modified=1_400_000_001)
    assert place.land(SCHEMA) == LandingResult(0, 1, 1, None, None)
    assert (place.rows("id"), place.faulty("raw")) == ([(1,)], [("bad",)])


def test_an_empty_file_gives_up_the_faulty_rows(place, killed) -> None:
    killed(place.quarantine)
    place.write("a.csv", "")
    assert place.land(SCHEMA) == LandingResult(0, 0, 1, None, None)
    assert (place.rows("id"), place.faulty("raw")) == ([(1,)], [])


def test_it_is_gone_after_a_kill(place, killed) -> None:
    """It was read, and nothing of it has landed: it is asked for."""
    path = killed(place.table)
    path.unlink()
    assert place.refuses(SCHEMA) == (
        f"land:\n- file {path} was found, and is gone before its batch was done; put it back, or "
        "an empty file in its place if it is not wanted"
    )
    place.write("a.csv", "")
    assert place.land(SCHEMA) == LandingResult(0, 0, 1, None, None)
    assert place.land(SCHEMA) == LandingResult(0, 0, 0, None, None)
