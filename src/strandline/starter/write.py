"""What `strandline init` writes into a folder, and what of it is there already."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

from strandline.errors import StarterError, refuse
from strandline.spark import outputs_of, profiles_dir_for
from strandline.starter.answers import Answers
from strandline.starter.files import event_files, packages_file, project_files
from strandline.starter.package import FOLDER, put_package
from strandline.starter.run_script import FILE, models_of, place_of, script_of

EXECUTABLE = 0o755
ENTRY = f"  - local: {FOLDER.as_posix()}\n"


@dataclass(frozen=True)
class Written:
    """The paths that were written, that were changed, and that were there with the same text.

    `incoming` is the folder that the files of the source are landed from.
    """

    made: tuple[str, ...]
    changed: tuple[str, ...]
    left: tuple[str, ...]
    incoming: str


def write_project(folder: Path, answers: Answers) -> Written:
    """Write all files, or none. Of a file that is there, only run.sh gets lines of a new source.

    Raises:
        StarterError: a file or a model is there with another text, or the profile cannot be used.
    """
    place, faults = place_of(folder, answers), _faults_of_profile(folder)
    files = event_files(answers, place) | {FILE: script_of(folder, answers, place, faults)}
    if not (folder / "dbt_project.yml").exists():
        files |= project_files(answers)
    elif not _has_profile(folder, answers.profile):
        files["profiles.yml"] = project_files(answers)["profiles.yml"]
    there = {path for path in files if (folder / path).exists()}
    left = {path for path in there if (folder / path).read_text(encoding="utf-8") == files[path]}
    changed = {FILE} & (there - left)
    # What the folder has already for git and for sqlfluff stays as it is.
    left |= there & {".gitignore", ".sqlfluff"}
    faults += [
        f"{path} is there with another text: move it away, or take another name with --events"
        if Path(path).parts[0] in ("models", "macros")
        else f"{path} is there with another text: move it away"
        for path in sorted(there - left - changed)
    ]
    faults += _faults_of_models(folder, files)
    packages = _packages(folder, answers, faults)
    refuse(str(folder), faults, StarterError)

    made = sorted(files.keys() - left - changed)
    for path in (*made, *changed):
        _write(folder / path, files[path])
    if packages:
        path, text = packages
        _write(folder / path, text)
        made.append(path)
    put_package(folder)
    return Written((*made, FOLDER.as_posix()), tuple(changed), tuple(sorted(left)), place.incoming)


def _faults_of_models(folder: Path, files: dict[str, str]) -> list[str]:
    """A model of the same name elsewhere: dbt has each name once."""
    new = {Path(path).stem: path for path in files if path.startswith("models/")}
    found = [path.relative_to(folder).as_posix() for path in models_of(folder)]
    return [
        f"{path} has the name of {new[Path(path).stem]}: take another name with --events"
        for path in found
        if new.get(Path(path).stem, path) != path
    ]


def _faults_of_profile(folder: Path) -> list[str]:
    """A profile without a target on which what is written can land and notify."""
    profiles = profiles_dir_for(folder)
    outputs, _ = outputs_of(folder, profiles)
    types = {name: each.get("type") for name, each in outputs.items() if isinstance(each, dict)}
    if not types or any(str(it) == "strandline" or "{{" in str(it) for it in types.values()):
        return []
    has = ", ".join(f"{name} of `type: {it}`" for name, it in types.items())
    return [
        f"the profile in {profiles / 'profiles.yml'} has no target of `type: strandline`, on which"
        f" run.sh lands, runs and notifies; it has {has}: change one to `type: strandline` and"
        " `method: session`, or add one (docs/profiles.md)"
    ]


def names_of(folder: Path) -> tuple[str, str] | None:
    """The names of the project that is there and of its profile; None if there is none.

    Raises:
        StarterError: its dbt_project.yml cannot be read.
    """
    file = folder / "dbt_project.yml"
    if not file.exists():
        return None
    try:
        project = yaml.safe_load(file.read_text(encoding="utf-8"))
        return str(project["name"]), str(project.get("profile") or project["name"])
    except (yaml.YAMLError, KeyError, TypeError) as error:
        raise StarterError(f"{file} cannot be read: {error!r}") from error


def _has_profile(folder: Path, name: str) -> bool:
    """Whether dbt finds the profile where it looks for one."""
    file = profiles_dir_for(folder) / "profiles.yml"
    try:
        return file.is_file() and name in (yaml.safe_load(file.read_text(encoding="utf-8")) or {})
    except yaml.YAMLError as error:
        raise StarterError(f"{file} cannot be read: {error}") from error


def _packages(folder: Path, answers: Answers, faults: list[str]) -> tuple[str, str] | None:
    """The file that lists packages, with ours; None if it is in it."""
    for name in ("packages.yml", "dependencies.yml"):
        file = folder / name
        if not file.exists():
            continue
        text = file.read_text(encoding="utf-8")
        listed = (yaml.safe_load(text) or {}).get("packages")
        if listed is None:
            continue
        if any("strandline" in str(entry) for entry in listed):
            return None
        lines = text.splitlines(keepends=True)
        if "packages:\n" not in lines:
            faults.append(f"{name}: add the line `{ENTRY.strip()}` to its packages")
            return None
        at = lines.index("packages:\n") + 1
        return name, "".join([*lines[:at], ENTRY, *lines[at:]])
    return "packages.yml", packages_file(answers)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    if file.suffix == ".sh":
        file.chmod(EXECUTABLE)
