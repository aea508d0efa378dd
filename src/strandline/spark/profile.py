"""A session of the project's dbt profile, outside of a dbt run."""

from __future__ import annotations

import os
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strandline.spark.errors import StrandlineSparkError
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
    return open_session(credentials_for(project_dir, target, profiles_dir))


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
        raise StrandlineSparkError(
            f"Target `{profile.target_name}` is of type {loaded.type}; this command needs one"
            " of `type: strandline` (name it with --target)."
        )
    credentials: Credentials = replace(loaded, home=str(home_for(loaded, project_dir)))
    return credentials


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
