"""A session of the project's dbt profile, outside of a dbt run."""

from __future__ import annotations

import os
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from strandline.spark.errors import StrandlineSparkError
from strandline.spark.metastore import NOTHING_WAITS
from strandline.spark.session import home_for, open_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline.spark.settings import Credentials


def session_for(
    project_dir: str | Path = ".",
    target: str | None = None,
    profiles_dir: str | Path | None = None,
) -> SparkSession:
    """A session on the same warehouse, lock and settings as `dbt build` of the project.

    Raises StrandlineSparkError; dbt's own exceptions for a project or profile it cannot read.
    """
    credentials = credentials_for(project_dir, target, profiles_dir)
    session = open_session(credentials)
    # A program with a session may replace the view of an outbox.
    Path(credentials.home, NOTHING_WAITS).unlink(missing_ok=True)
    return session


def credentials_for(
    project_dir: str | Path = ".",
    target: str | None = None,
    profiles_dir: str | Path | None = None,
) -> Credentials:
    """The credentials of a target, by dbt's own loader, `home` made absolute.

    Raises StrandlineSparkError when the target is not of `type: strandline`.
    """
    from dbt.config.runtime import load_profile
    from dbt.flags import get_flags, set_flags
    from dbt_common.context import set_invocation_context

    folder = profiles_dir_for(project_dir, profiles_dir)
    before = get_flags()
    set_invocation_context(dict(os.environ))
    flags = {"LOG_CACHE_EVENTS": False} | vars(before) | {"PROFILES_DIR": str(folder)}
    set_flags(Namespace(**flags))
    try:
        profile = load_profile(str(Path(project_dir).resolve()), {}, target_override=target)
    finally:
        set_flags(before)
    loaded: Any = profile.credentials
    if loaded.type != "strandline":
        raise StrandlineSparkError(_other_type(profile.target_name, loaded.type, folder))
    credentials: Credentials = replace(loaded, home=str(home_for(loaded, project_dir)))
    return credentials


def check_profile(
    project_dir: str | Path,
    target: str | None = None,
    profiles_dir: str | Path | None = None,
    *,
    only_session: bool = False,
) -> None:
    """Refuse a target of another type by the text of profiles.yml, before dbt or Spark is loaded.

    What only dbt can read (a missing profile, a name in Jinja) is left to dbt. With `only_session`
    a target of `type: spark` is refused if dbt-spark would start a session without Delta.

    Raises StrandlineSparkError.
    """
    folder = profiles_dir_for(project_dir, profiles_dir)
    outputs, default = outputs_of(Path(project_dir), folder)
    name = target or default
    output = outputs.get(name)
    if not isinstance(output, dict):
        return
    type_ = output.get("type")
    if not isinstance(type_, str) or type_ == "strandline" or "{{" in type_:
        return
    if only_session and (output.get("method") != "session" or "server_side_parameters" in output):
        return
    raise StrandlineSparkError(_other_type(name, type_, folder))


def outputs_of(project_dir: Path, folder: Path) -> tuple[dict[str, Any], str]:
    """The outputs of the project's profile as profiles.yml has them, and the default target."""
    try:
        project = yaml.safe_load((project_dir / "dbt_project.yml").read_text(encoding="utf-8"))
        profiles = yaml.safe_load((folder / "profiles.yml").read_text(encoding="utf-8"))
        profile = profiles[project.get("profile") or project["name"]]
        outputs, target = profile["outputs"], profile.get("target", "default")
    except (OSError, UnicodeError, yaml.YAMLError, KeyError, TypeError, AttributeError):
        return {}, "default"
    return (outputs if isinstance(outputs, dict) else {}), str(target)


def _other_type(target: str, type_: str, folder: Path) -> str:
    return (
        f"Target `{target}` is of type {type_}; this command needs one of `type: strandline`: in"
        f" {folder / 'profiles.yml'} write `type: strandline` and `method: session`, or `connect`,"
        " in the place of its type and method, or name another target with --target."
    )


def profiles_dir_for(project_dir: str | Path = ".", given: str | Path | None = None) -> Path:
    """Where profiles.yml is: as given, $DBT_PROFILES_DIR, the project, its profiles/, ~/.dbt."""
    if given is None:
        given = os.environ.get("DBT_PROFILES_DIR")
    if given is not None:
        return Path(given).expanduser().resolve()
    project = Path(project_dir).resolve()
    for folder in (project, project / "profiles"):
        if (folder / "profiles.yml").is_file():
            return folder
    return Path.home() / ".dbt"
