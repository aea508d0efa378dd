"""Hostile texts in files and in their names: landed as they are, or in quarantine with a reason."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from click.testing import CliRunner
from tests.hostile import TEXTS, no_file_name, obeyed

from strandline.cli.land import LEFT_OUT
from strandline.cli.main import cli
from strandline.errors import LandingError, WrongUse

ALL = list(TEXTS.values())
FILES = [text for text in ALL if not no_file_name(text)]


def test_values_of_json_land_as_they_are(place: Any) -> None:
    place.write("a.json", "".join(json.dumps({"t": text}) + "\n" for text in ALL))
    result = place.land("t STRING", "json")
    assert (result.landed, result.quarantined) == (len(ALL), 0)
    assert place.rows("t") == [(text,) for text in ALL]


def test_values_of_csv_land_as_they_are_and_lines_that_are_none_do_not(place: Any) -> None:
    lines = ['"{}"'.format(text.replace('"', '""')) for text in ALL]
    whole = [text for text in ALL if "\n" not in text and "\r" not in text]
    place.write("a.csv", "t,n\n" + "".join(f"{line},1\n" for line in lines))
    result = place.land("t STRING, n INT")
    assert place.rows("t", "n") == [(text or None, 1) for text in whole]
    assert result.quarantined == 2 * (len(ALL) - len(whole))
    assert obeyed("".join(reason for [reason] in place.faulty("reason"))) == []


def test_names_of_files_are_kept(place: Any) -> None:
    damaged: set[str] = set()
    for number, text in enumerate(FILES):
        place.write(f"x{text}.csv", f"id\n{number}\nno number\n")
        if number % 9 == 0:
            damaged.add(f"x{text}.csv.gz")
            place.write_bytes(f"x{text}.csv.gz", b"no gzip")
    result = place.land("id INT")
    assert (result.landed, result.quarantined) == (len(FILES), len(FILES) + len(damaged))
    assert place.rows("id", "landed_from") == [(n, f"x{text}.csv") for n, text in enumerate(FILES)]
    assert set(result.unreadable) == damaged
    assert {name for name, line in place.faulty("landed_from", "line") if line is None} == set(
        result.unreadable
    )
    assert place.land("id INT").batches == 0


def test_names_that_spark_cannot_read(place: Any) -> None:
    """One with a colon, which Hadoop cannot have, is in quarantine; one that is no text is named each time."""
    place.write("a.csv", "id\n1\n")
    colons = ["Permission denied LandingError: x.csv", "javascript:alert(1).csv"]
    for name in colons:
        place.write(name, "id\n2\n")
    # The text of the error has the name of the file, which looks like another cause.
    place.write_bytes("AccessControl OutOfMemory.csv.gz", b"\x1f\x8b\x08\x00")
    result = place.land("id INT")
    assert place.rows("id", "landed_from") == [(1, "a.csv")]
    assert sorted(result.unreadable) == ["AccessControl OutOfMemory.csv.gz", *colons]
    assert place.land("id INT").batches == 0

    for name in (b"caf\xe9.csv", b"caf\xe9"):
        path = os.fsencode(place.source) + b"/" + name
        if name == b"caf\xe9":
            os.mkdir(path)  # noqa: PTH102
            path += b"/b.csv"
        with open(path, "wb") as file:  # noqa: PTH123
            file.write(b"id\n3\n")
    result = place.land("id INT")
    assert (result.batches, result.links) == (0, ("caf\udce9", "caf\udce9.csv"))


def test_a_header_is_refused_without_commanding_the_terminal(place: Any) -> None:
    for text in ALL:
        place.write("a.csv", text + "\n1\n")
        if not text.strip("\r\n"):
            continue
        with pytest.raises(LandingError) as refused:
            place.land("id INT")
        assert "a.csv" in str(refused.value)


@pytest.mark.soak
@pytest.mark.parametrize("names", ["columns", "schema"])
def test_a_schema_is_read_as_ddl_alone(place: Any, names: str) -> None:
    """A column of any name lands; what is no DDL is refused."""
    for number, text in enumerate(["it's", 'a"b`', "a\\b", "$env:HOME", "温度😀", "a b;"]):
        if names == "schema":
            break
        quoted = "`" + text.replace("`", "``") + "`"
        place.table = f"landing_test.columns_{number}"
        place.write(f"{number}.json", json.dumps({text: number}) + "\n")
        place.land(
            f"{quoted} INT", "json", {"glob": f"{number}.json"},
            checkpoint=place.folder / f"checkpoint {number}",
        )  # fmt: skip
        assert place.rows(f"`{text.replace('`', '``')}`") == [(number,)]
    for text in ("a\tb", "${env:HOME}", "{{ 1+1 }}"):
        with pytest.raises(
            WrongUse, match="has a brace, a tab or a line break in its name; rename"
        ):
            place.land(f"`{text}` INT")
    with pytest.raises(WrongUse, match="has both kinds of quotes in its name"):
        place.land("`a'\"b` INT", "json")
    for text in ALL if names == "schema" else ():
        if text in ("null", "None"):
            continue
        with pytest.raises(WrongUse):
            place.land(f"id INT, {text} no_type")


def test_the_command_shows_names_as_escapes(place: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    place.write("\x1b[31mred\n.csv.gz", "no gzip")
    place.write("a.csv", "id\n1\n")
    # A home of its own: `strandline status` names the quarantine of each landing of a home.
    monkeypatch.setenv("STRANDLINE_HOME", str(place.folder / "home"))
    monkeypatch.setattr("strandline.spark.open_session", lambda _: place.spark)
    options = ["--source", str(place.source), "--format", "csv", "--table", place.table]
    result = CliRunner().invoke(cli, ["land", *options, "--schema", "id INT"], color=True)
    assert result.exit_code == LEFT_OUT == 3, result.output
    assert "In quarantine whole: \\x1b[31mred\\n.csv.gz: it is not a .gz file" in result.output
