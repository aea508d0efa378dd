"""The workflows and templates in .github: pinned, with least permissions, and about what exists."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from bench.results import RESULTS

from strandline import preflight, versions

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
WORKFLOWS = {path.stem: path for path in sorted((GITHUB / "workflows").iterdir())}
FORMS = sorted(path for path in (GITHUB / "ISSUE_TEMPLATE").iterdir() if path.stem != "config")

USES = re.compile(r"^\s*(?:- )?uses:\s*(.*)$", re.MULTILINE)
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")


def parsed(name: str) -> dict[Any, Any]:
    return yaml.safe_load(WORKFLOWS[name].read_text())


def steps(workflow: dict[Any, Any]) -> Iterator[dict[str, Any]]:
    for job in workflow["jobs"].values():
        yield from job["steps"]


def commands(workflow: dict[Any, Any]) -> list[str]:
    return [step["run"] for step in steps(workflow) if "run" in step]


def faults(text: str) -> list[str]:
    """What no workflow of ours may have."""
    workflow = yaml.safe_load(text)
    found = [f"not pinned: {uses}" for uses in USES.findall(text) if not PINNED.fullmatch(uses)]
    if workflow.get("permissions") not in ({}, {"contents": "read"}):
        found.append("its jobs may do more than read")
    if "concurrency" not in workflow:
        found.append("it runs beside itself")
    if "pull_request_target" in text:
        found.append("code of a stranger would have our rights")
    for name, job in workflow["jobs"].items():
        if "timeout-minutes" not in job:
            found.append(f"{name} has no timeout")
    for step in steps(workflow):
        if "${{" in step.get("run", ""):
            found.append(f"a value becomes a part of a script: {step['run']}")
        is_checkout = step.get("uses", "").startswith("actions/checkout@")
        if is_checkout and step.get("with", {}).get("persist-credentials") is not False:
            found.append("a checkout leaves its token behind")
    return found


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_has_no_faults(name: str) -> None:
    assert WORKFLOWS[name].suffix == ".yml"
    assert faults(WORKFLOWS[name].read_text()) == []


def test_faults_are_found() -> None:
    sha = "0" * 40
    text = f"""\
on: pull_request_target
permissions: {{contents: write}}
jobs:
  one:
    steps:
      - uses: actions/checkout@v7
      - uses: actions/setup-java@{sha}
      - uses: actions/setup-python@{sha} # v7
      - uses: actions/cache@{sha} # v6.1.0
      - run: echo ${{{{ github.head_ref }}}}
"""
    assert faults(text) == [
        "not pinned: actions/checkout@v7",
        f"not pinned: actions/setup-java@{sha}",
        f"not pinned: actions/setup-python@{sha} # v7",
        "its jobs may do more than read",
        "it runs beside itself",
        "code of a stranger would have our rights",
        "one has no timeout",
        "a checkout leaves its token behind",
        "a value becomes a part of a script: echo ${{ github.head_ref }}",
    ]


def test_an_action_has_one_version_everywhere() -> None:
    """Dependabot raises them together."""
    found = {uses for path in WORKFLOWS.values() for uses in USES.findall(path.read_text())}
    assert len(found) == len({uses.partition("@")[0] for uses in found})


@pytest.mark.parametrize("name", WORKFLOWS)
def test_what_is_called_exists(name: str) -> None:
    script = "\n".join(commands(parsed(name)))
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert set(re.findall(r"\bmake (\w+)", script)) - set(targets) == set()
    modules = re.findall(r"-m (scripts\.[\w.]+)", script)
    files = [module.replace(".", "/") + ".py" for module in modules]
    files += re.findall(r"\b(?:scripts|tests|requirements|docs)/[\w./-]+", script)
    assert [file for file in files if not (ROOT / file).is_file()] == []
    assert files or "make " in script


def test_every_python_and_java_is_tested_that_is_supported() -> None:
    first, last = preflight.PYTHON_FROM[1], preflight.PYTHON_TO[1]
    pythons = [f"3.{minor}" for minor in range(first, last + 1)]
    javas = [str(java) for java in versions.JAVAS[versions.LOCKED]]
    matrix = parsed("test")["jobs"]["test"]["strategy"]["matrix"]
    assert matrix["python"] == pythons
    assert {*matrix["java"], *(pair["java"] for pair in matrix["include"])} == set(javas)

    project = (ROOT / "pyproject.toml").read_text()
    assert f'requires-python = ">=3.{first},<3.{last + 1}"' in project
    for page in ("README.md", "docs/tutorial.md"):
        text = (ROOT / page).read_text()
        assert f"{pythons[0]} to {pythons[-1]}" in text
        assert versions.listed(tuple(javas)) in text


def test_every_other_spark_is_tested_each_night() -> None:
    matrix = parsed("nightly")["jobs"]["homes"]["strategy"]["matrix"]
    assert {*matrix["spark"], versions.LOCKED} == set(versions.JAVAS)


def test_the_dbt_that_is_not_locked_is_tested_each_night() -> None:
    project = (ROOT / "pyproject.toml").read_text()
    assert '"dbt-core>=1.11,<1.13"' in project
    assert '"dbt-core==1.12.*"' in "\n".join(commands(parsed("nightly"))).replace("'", '"')
    assert "\ndbt-core==1.11." in (ROOT / "requirements" / "install.txt").read_text()


def test_one_job_of_another_workflow_runs_on_what_is_supported() -> None:
    for name in WORKFLOWS.keys() - {"test"}:
        for step in steps(parsed(name)):
            given = step.get("with", {})
            assert given.get("python-version", "3.11") == "3.11"
            assert given.get("java-version", "17") == "17"


def test_pull_requests_run_what_continuous_integration_runs() -> None:
    script = re.sub(r"#.*", "", (ROOT / ".ci" / "run").read_text())
    runs = re.findall(r"\bmake (\w+)", script)
    assert [command.removeprefix("make ") for command in commands(parsed("test"))] == runs


def test_the_nightly_parts_are_all_of_the_long_tests() -> None:
    rooms = [ROOT / "tests" / room for room in ("engine", "e2e", "kafka")]
    files = sorted(file for room in rooms for file in room.rglob("test_*.py"))
    parts = parsed("nightly")["jobs"]["soak"]["strategy"]["matrix"]["part"]
    found = {part: files_of(part) for part in parts}
    assert [part for part, of_part in found.items() if not of_part] == []
    assert sorted(file for of_part in found.values() for file in of_part) == files


def test_a_part_of_soak_can_be_chosen() -> None:
    def tested(*given: str) -> list[str]:
        env = {
            key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "ARGS"))
        }
        made = subprocess.run(
            ["make", "--dry-run", "soak", *given],
            cwd=ROOT,
            env=env,
            check=True,
            capture_output=True,
            text=True,
        )
        return re.findall(r"(?<= )tests/\S+", made.stdout)

    assert tested() == ["tests/engine", "tests/e2e", "tests/kafka"]
    assert tested("PART=engine/windows") == ["tests/engine/windows"]
    assert tested("PART=engine/test_*.py e2e/demo") == ["tests/engine/test_*.py", "tests/e2e/demo"]


def files_of(part: str) -> list[Path]:
    """The test files of a folder or a pattern below tests."""
    found = sorted((ROOT / "tests").glob(part))
    return [
        file for path in found for file in ([path] if path.is_file() else path.rglob("test_*.py"))
    ]


def test_only_the_job_that_publishes_can_publish() -> None:
    """It runs nothing of ours: it takes two files, and hands them on."""
    jobs = parsed("release")["jobs"]
    rights = {name: job["permissions"] for name, job in jobs.items() if "permissions" in job}
    assert rights == {"publish": {"id-token": "write"}, "announce": {"contents": "write"}}
    publish = jobs["publish"]
    assert publish["environment"]["name"] == "pypi"
    assert publish["if"] == "github.ref_type == 'tag'"
    assert publish["needs"] == ["build", "tutorial"]
    assert jobs["announce"]["needs"] == "publish"
    assert [step["uses"].partition("@")[0] for step in publish["steps"]] == [
        "actions/download-artifact",
        "pypa/gh-action-pypi-publish",
    ]


def test_a_release_has_what_the_benchmarks_measured() -> None:
    """The file of which docs/performance.md is made."""
    script = parsed("release")["jobs"]["announce"]["steps"][-1]["run"]
    file = '"$RUNNER_TEMP/benchmarks-$GITHUB_REF_NAME.json"'
    assert f"cp {RESULTS.relative_to(ROOT)} {file}\n" in script
    assert f'gh release create "$GITHUB_REF_NAME" dist/* {file}' in script


def test_a_release_uses_no_cache() -> None:
    assert [step for step in steps(parsed("release")) if "cache" in step.get("with", {})] == []


def test_a_release_is_checked_before_anything_is_built() -> None:
    build = [step for step in parsed("release")["jobs"]["build"]["steps"] if "run" in step]
    assert build[0] == {
        "if": "github.ref_type == 'tag'",
        "run": 'python -m scripts.release check "$GITHUB_REF_NAME"',
    }
    assert parsed("release")["jobs"]["tutorial"]["strategy"]["matrix"]["file"] == [
        "*.whl",
        "*.tar.gz",
    ]


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_a_form_is_one_that_github_accepts(form: Path) -> None:
    given = yaml.safe_load(form.read_text())
    assert {"name", "description", "body"} <= given.keys()
    fields = [field for field in given["body"] if field["type"] != "markdown"]
    assert {field["type"] for field in fields} <= {"input", "textarea", "dropdown"}
    for key in (lambda field: field["id"], lambda field: field["attributes"]["label"]):
        assert len({key(field) for field in fields}) == len(fields)
    assert any(field.get("validations", {}).get("required") for field in fields)


def test_commands_that_a_form_names_exist() -> None:
    [version] = re.findall(
        r"`(strandline [^`]+)`", (GITHUB / "ISSUE_TEMPLATE" / "bug.yml").read_text()
    )
    assert version == "strandline --version"


def test_a_vulnerability_is_no_issue() -> None:
    config = yaml.safe_load((GITHUB / "ISSUE_TEMPLATE" / "config.yml").read_text())
    assert config["blank_issues_enabled"] is False
    assert "SECURITY.md" in (GITHUB / "ISSUE_TEMPLATE" / "bug.yml").read_text()
    assert (ROOT / "SECURITY.md").is_file()


def test_only_actions_are_raised_by_dependabot() -> None:
    """Lock files are made by `make lock` alone: one resolution for all Pythons, with all hashes."""
    updates = yaml.safe_load((GITHUB / "dependabot.yml").read_text())["updates"]
    assert [update["package-ecosystem"] for update in updates] == ["github-actions"]
