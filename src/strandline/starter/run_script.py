"""run.sh of a project with one source or more: each is landed, then one run, then each outbox."""

from __future__ import annotations

import re
from pathlib import Path

from strandline.starter.answers import Answers
from strandline.starter.files import OUTBOX, Place, landing_lines, raw_table, run_file

FILE = "run.sh"
_RUN = re.compile(r"^[ \t]*(strandline run|dbt (build|run))\b.*$", re.MULTILINE)
# With the lines of other outboxes that follow it.
_NOTIFY = re.compile(
    r"^([ \t]*)strandline notify\b(?!.*--outbox)(.*)$(?:\n[ \t]*strandline notify --outbox .*$)*",
    re.MULTILINE,
)
# A project of 0.1.0 lands all of incoming, and what is in its folders too.
_WHOLE = re.compile(r"--source incoming\s")


def place_of(folder: Path, answers: Answers) -> Place:
    """The folder and the outbox of a source, which no other source of the project has."""
    events = answers.events
    own = folder / "models" / events / f"{OUTBOX}.sql"
    others = [path for path in models_of(folder) if path.stem == OUTBOX and path != own]
    return Place(
        incoming=_landed_from(folder, answers),
        outbox=f"{events}_{OUTBOX}" if others else OUTBOX,
    )


def models_of(folder: Path) -> list[Path]:
    """The files of the project's own models, seeds and snapshots."""
    found = []
    for room in ("models", "seeds", "snapshots"):
        paths = sorted((folder / room).rglob("*"))
        found += [path for path in paths if path.suffix in (".sql", ".py", ".csv")]
    return found


def script_of(folder: Path, answers: Answers, place: Place, faults: list[str]) -> str:
    """run.sh with the lines of a source; as it is if it has them. Adds to `faults`."""
    file = folder / FILE
    if not file.exists():
        return run_file(answers, place)
    text = file.read_text(encoding="utf-8")
    missing = []
    if answers.columns and not _landing(text, answers):
        text, is_added = _before_run(text, landing_lines(answers, place))
        missing += [] if is_added else landing_lines(answers, place).splitlines()
    if place.outbox != OUTBOX and f"--outbox {place.outbox} " not in text:
        text, number = _NOTIFY.subn(rf"\g<0>\n\1strandline notify --outbox {place.outbox}\2", text)
        missing += [] if number else [f'strandline notify --outbox {place.outbox} "$@"']
    if missing:
        lines = "".join(f"\n    {line.strip()}" for line in missing)
        faults.append(
            f"{FILE} is there without a line that begins with `strandline run` or `strandline"
            f" notify`, beside which this source has its own; move it away, or add to it:{lines}"
        )
    return text


def _before_run(text: str, lines: str) -> tuple[str, bool]:
    found = _RUN.search(text)
    if found is None:
        return text, False
    head = text[: found.start()]
    gap = "\n" if head.endswith("\n\n") else ""
    return f"{head.removesuffix(gap)}{lines}{gap}{text[found.start() :]}", True


def _landing(text: str, answers: Answers) -> re.Match[str] | None:
    """The command that lands in the table of the source, over one line or two."""
    table = re.escape(raw_table(answers))
    return re.search(rf"strandline land (?:[^\n]|\\\n)*?--table {table}(?![\w.])", text)


def _landed_from(folder: Path, answers: Answers) -> str:
    file = folder / FILE
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    found = _landing(text, answers)
    source = re.search(r"--source (\S+)", found[0]) if found else None
    if source:
        return source[1]
    return f"incoming{'_' if _WHOLE.search(text) else '/'}{answers.events}"
