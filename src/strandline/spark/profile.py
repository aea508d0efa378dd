"""A session of the project's dbt profile, outside of a dbt run."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import yaml

from strandline.connection import AdapterConnection, Connection
from strandline.spark.errors import StrandlineSparkError
from strandline.spark.metastore import NOTHING_WAITS
from strandline.spark.session import close_session, home_for, open_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline.spark.settings import Credentials

# The types of dbt's adapters through which `strandline notify`, `status` and `report` work.
ADAPTERS = ("strandline", "spark", "databricks", "glue", "fabricspark")
Needs = Literal["session", "tables", "dbt"]


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
    profile, folder = _profile(project_dir, target, profiles_dir)
    loaded: Any = profile.credentials
    if loaded.type != "strandline":
        raise StrandlineSparkError(_other_type(profile.target_name, loaded.type, folder))
    credentials: Credentials = replace(loaded, home=str(home_for(loaded, project_dir)))
    return credentials


@contextmanager
def connection_for(
    project_dir: str | Path = ".",
    target: str | None = None,
    profiles_dir: str | Path | None = None,
) -> Iterator[Connection]:
    """A connection on which commands read and write the tables of a target.

    It is a session of Spark, or one of dbt's own adapter where the target has no session: see
    `ADAPTERS`. Raises StrandlineSparkError; dbt's own exceptions.
    """
    profile, folder = _profile(project_dir, target, profiles_dir)
    credentials: Any = profile.credentials
    if credentials.type == "strandline" and credentials.has_session:
        session = open_session(replace(credentials, home=str(home_for(credentials, project_dir))))
        try:
            yield session
        finally:
            close_session(session)
        return
    if credentials.type not in ADAPTERS:
        raise StrandlineSparkError(_no_spark(profile.target_name, credentials.type))
    adapter = _Adapter(project_dir, profile, folder)
    try:
        yield AdapterConnection(adapter)
    finally:
        adapter.close()


class _Adapter:
    """dbt's own adapter outside of a dbt run; each thread has a connection of its own."""

    def __init__(self, project_dir: str | Path, profile: Any, folder: Path) -> None:
        from dbt.adapters.factory import get_adapter_class_by_name
        from dbt.config.runtime import RuntimeConfig, load_project
        from dbt.mp_context import get_mp_context

        with _flags(folder):
            project = load_project(str(Path(project_dir).resolve()), False, profile, {})
            config = RuntimeConfig.from_parts(project, profile, Namespace(vars={}))
        kind: Any = get_adapter_class_by_name(profile.credentials.type)
        self._adapter = kind(config, get_mp_context())
        # dbt looks for the flags and the variables of a run in the context of each thread.
        self._context = copy_context()

    def execute(self, sql: str, auto_begin: bool = False, fetch: bool = False) -> Any:
        """As the adapter has it, by the connection of this thread."""

        def run() -> Any:
            self._adapter.acquire_connection("strandline")
            return self._adapter.execute(sql, auto_begin=auto_begin, fetch=fetch)

        return self._context.copy().run(run)

    def close(self) -> None:
        self._context.copy().run(self._adapter.cleanup_connections)


def _profile(
    project_dir: str | Path, target: str | None, profiles_dir: str | Path | None
) -> tuple[Any, Path]:
    """The profile with one target, by dbt's own loader, and the folder of profiles.yml."""
    from dbt.config.runtime import load_profile

    folder = profiles_dir_for(project_dir, profiles_dir)
    with _flags(folder):
        root = str(Path(project_dir).resolve())
        return load_profile(root, {}, target_override=target), folder


@contextmanager
def _flags(folder: Path) -> Iterator[None]:
    """dbt's flags and variables, as its loaders read them."""
    from dbt.flags import get_flags, set_flags
    from dbt_common.context import set_invocation_context

    before = get_flags()
    set_invocation_context(dict(os.environ))
    flags = {"LOG_CACHE_EVENTS": False, "LOG_PATH": "logs", "TARGET_PATH": None} | vars(before)
    flags["PROFILES_DIR"] = str(folder)
    set_flags(Namespace(**flags))
    try:
        yield
    finally:
        set_flags(before)


def check_profile(
    project_dir: str | Path,
    target: str | None = None,
    profiles_dir: str | Path | None = None,
    *,
    needs: Needs = "session",
) -> None:
    """Refuse a target of another type by the text of profiles.yml, before dbt or Spark is loaded.

    What only dbt can read (a missing profile, a name in Jinja) is left to dbt. A command needs a
    `session` of `type: strandline`, the `tables` by any adapter of Spark, or `dbt` alone. For the
    latter two a target of `type: spark` is refused if dbt-spark would start a session without
    Delta.

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
    if needs == "tables" and type_ not in ADAPTERS:
        raise StrandlineSparkError(_no_spark(name, type_))
    has_delta = output.get("method") != "session" or "server_side_parameters" in output
    if needs != "session" and has_delta:
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


def _no_spark(target: str, type_: str) -> str:
    return (
        f"Target `{target}` is of type {type_}; this command reads tables of Spark: name a target"
        f" of type {', '.join(ADAPTERS[:-1])} or {ADAPTERS[-1]} with --target."
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
