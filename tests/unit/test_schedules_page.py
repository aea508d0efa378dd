"""The examples of docs/schedules.md: Python that compiles, YAML that parses, commands that exist."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest
import yaml
from click import Context

import strandline
from strandline.cli.main import cli

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "schedules.md").read_text()
BLOCKS = re.findall(r"^```(\w+)[^\n]*\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
COMMAND = re.compile(
    r"strandline ((?:follow|land|run|notify|purge|serve|prepare|status)\b[^|>`\n]*)"
)


def commands() -> list[str]:
    """The command lines in shell, crontab, units and workflows."""
    texts = [text for language, text in BLOCKS if language != "python"]
    return sorted({found.strip() for text in texts for found in COMMAND.findall(text)})


def test_python_compiles() -> None:
    programs = [text for language, text in BLOCKS if language == "python"]
    assert len(programs) == 3
    for program in programs:
        ast.parse(program)


def test_the_workflow_is_yaml() -> None:
    """Its actions are of the versions that our own workflow has, and it installs this version."""
    workflow, _ = [yaml.safe_load(text) for language, text in BLOCKS if language == "yaml"][::-1]
    steps = workflow["jobs"]["build"]["steps"]
    ours = (ROOT / ".github" / "workflows" / "test.yml").read_text()
    versions = dict(re.findall(r"uses: (\S+)@\w{40} # (v\d+)", ours))
    assert [step["uses"] for step in steps[:3]] == [
        f"actions/{name}@{versions[f'actions/{name}']}"
        for name in ("checkout", "setup-python", "setup-java")
    ]
    assert steps[3] == {"run": f"pip install 'strandline[spark]=={strandline.__version__}'"}


@pytest.mark.parametrize("line", commands())
def test_a_command_has_these_options(line: str) -> None:
    name, *arguments = shlex.split(line, comments=True)
    command = cli.get_command(Context(cli), name)
    assert command is not None
    command.make_parser(Context(command)).parse_args(arguments)


def test_the_rules_of_prometheus_are_of_metrics_in_the_table() -> None:
    rules, _ = [yaml.safe_load(text) for language, text in BLOCKS if language == "yaml"]
    metrics = set(re.findall(r"strandline_[a-z_]+", PAGE.split("| metric |")[1].split("\n\n")[0]))
    expressions = [each["expr"] for group in rules["groups"] for each in group["rules"]]
    assert {name for each in expressions for name in re.findall(r"strandline_\w+", each)} < metrics


def test_there_are_commands() -> None:
    assert len(commands()) > 4
