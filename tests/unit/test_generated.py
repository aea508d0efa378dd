"""The copies of what the macros define are those that `python -m scripts.generated` writes."""

from __future__ import annotations

import pytest
from scripts import generated
from tests.unit.jinja_macros import macros_with

MODULE = "src/strandline/generated.py"
SEED = "seeds/alignment_sizes.csv"
OF_MODULE = (
    f"{MODULE} differs from macros/core/lengths.sql, macros/detectors/alignment.sql, macros/core/aggregates.sql, "
    "macros/core/errors.sql, macros/anomalies/notify.sql; run `python -m scripts.generated`"
)
OF_SEED = f"{SEED} differs from macros/detectors/alignment.sql; run `python -m scripts.generated`"


def test_the_copies_are_those_of_the_macros():
    assert generated.faults() == []
    assert generated.main(["--check"]) == 0


def test_a_changed_copy_fails_with_both_files(tmp_path, monkeypatch, capsys):
    for path, text in generated.copies().items():
        place = tmp_path / path
        place.parent.mkdir(parents=True)
        place.write_text(text.replace("30", "31"))
    monkeypatch.setattr(generated, "ROOT", tmp_path)
    assert generated.main(["--check"]) == 1
    assert capsys.readouterr().err == f"generated: {OF_MODULE}\ngenerated: {OF_SEED}\n"
    (tmp_path / SEED).unlink()
    assert generated.faults() == [OF_MODULE, OF_SEED]
    assert generated.main([]) == 0
    assert generated.faults() == []


def test_an_unknown_argument_writes_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(generated, "ROOT", tmp_path)
    with pytest.raises(SystemExit, match="2"):
        generated.main(["--chek"])
    assert "unrecognized arguments: --chek" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("macro", "value", "differ"),
    [
        ("_alignment_rows", [[7, 8], [None, 9]], [OF_MODULE, OF_SEED]),
        ("_precisions", ["ms"], [OF_MODULE, OF_SEED]),
        ("_units", [{"word": "day", "kind": "clock", "length": 1, "spellings": ["d"], "types": []}], [OF_MODULE]),
        ("_length_forms", {"iso": "", "iso_units": [], "words": "", "part": ""}, [OF_MODULE]),
        ("_joined_moments", "named_struct()", [OF_MODULE]),
        ("_partial_moments", "count({x})", [OF_MODULE]),
        ("_synonyms", {"colour": ["color"]}, [OF_MODULE]),
    ],
)  # fmt: skip
def test_a_changed_macro_fails_with_both_files(macro, value, differ, monkeypatch):
    changed = macros_with(**{macro: lambda *_: value})
    precisions = ["month", "day", "minute", "second", "ms", "ns"]
    if macro == "_units":  # what is made of it stays as it is
        changed._precisions = lambda: precisions
    monkeypatch.setattr(generated, "macros", lambda: changed)
    assert generated.faults() == differ


def test_each_macro_stands_in_the_file_that_is_named():
    for files in generated.FROM.values():
        for path, names in files.items():
            text = (generated.ROOT / path).read_text(encoding="utf-8")
            assert [name for name in names if f"macro {name}(" not in text] == []
