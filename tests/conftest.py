"""The fixtures of every test: one Spark for the whole run, on a home in a temporary folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from dbt_common.tests import enable_test_caching

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROOT = Path(__file__).resolve().parents[1]
# Variables of the machine that would change what is tested, or whom a test would notify.
NOT_OURS = ("DBT_", "SPARK_", "STRANDLINE_NOTIFY_URL")

# Two processes of tests share two cores: collecting garbage in parallel costs a sixth of all time.
ONE_OF_TWO = "-XX:+UseSerialGC -Xmn600m"

# Spark compiles Java for each query, which takes longer than the few rows of a test; so does the
# second tier of Java's own compiler. The demo compiles queries, as users do; `make soak` does both.
IS_SOAK = "STRANDLINE_SEEDS" in os.environ
INTERPRETED = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}

# The end of a dbt_project.yml whose models run also if nothing that they read has changed: so the
# run itself must find that there is nothing new. tests/engine/runs and windows skip them.
EVALUATED = "models: {+meta: {skip_unchanged: false}}\n"

# The longest files, which start first: else the last one runs while the other process has nothing.
# A process takes its next file while two tests are left, so the last ones have many short tests.
# Kafka is before the Thrift server of the tests: a session that Hive closes closes the class loader
# of its driver, which loads no jar after that.
LONGEST = (
    "kafka",
    "e2e/demo/test_demo.py",
    "e2e/crash",
    "engine/test_any_column_name.py",
    "e2e/thrift",
    "engine/windows/test_body.py",
    "engine/windows/test_stays.py",
    "engine/windows/test_clock.py",
    "engine/runs",
    "engine/aggregation",
    "engine/anomalies",
    "engine/windows",
    "engine/correlation",
    "engine/time_weight",
    "engine/detection/test_histories_on_spark.py",
    "e2e/consumer",
    "e2e/starter",
    "engine/landing",
    "engine/detection",
    "e2e/adapter",
)

# The fixtures of dbt's own adapter tests (`project`, `models`, …), used in tests/e2e/adapter.
pytest_plugins = ["dbt.tests.fixtures.project"]
# So that its assertions show both sides.
pytest.register_assert_rewrite("tests.pages", "tests.tables")
# dbt keeps the syntax trees of macros: a second project of a process is parsed in half the time.
enable_test_caching()


def needs_spark(item: pytest.Item) -> bool:
    """Whether a test needs a session, or is one of a whole process."""
    return "/tests/e2e/" in item.path.as_posix() or "spark" in getattr(item, "fixturenames", ())


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Which tests are part of `make check`, and the order of files for `--dist loadfile`."""
    for item in items:
        if needs_spark(item) and not any(item.iter_markers("first")):
            item.add_marker("check")

    def place(item: pytest.Item) -> int:
        path = item.path.as_posix()
        return next((i for i, part in enumerate(LONGEST) if f"/tests/{part}" in path), len(LONGEST))

    items.sort(key=place)


@pytest.fixture(scope="session", autouse=True)
def strandline_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The `home` of all tests; the profile reads it from $STRANDLINE_HOME.

    Its name has what people have in theirs, and what a URI or a pattern would read otherwise.
    """
    home = tmp_path_factory.mktemp("home") / "O'Neil's räume %20 [1] {a,b}"
    own = {"STRANDLINE_HOME": str(home), "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(NOT_OURS)]:
            patch.delenv(name)
        for name, value in own.items():
            patch.setenv(name, value)
        yield home


@pytest.fixture(scope="session")
def spark(strandline_home: Path) -> Iterator[SparkSession]:
    """A session beside those of dbt: the same tables, own temp views."""
    from dbt.adapters.strandline.credentials import StrandlineCredentials
    from strandline.spark import close_session, open_session
    from strandline.spark.settings import SHORT_RUN_JAVA_OPTIONS

    compiler = "-XX:ReservedCodeCacheSize=256m" if IS_SOAK else SHORT_RUN_JAVA_OPTIONS
    credentials = StrandlineCredentials(
        schema="strandline",
        home=str(strandline_home),
        java_options=f"{compiler} {ONE_OF_TWO}",
        server_side_parameters={} if IS_SOAK else INTERPRETED,
    )
    session = open_session(credentials)
    yield session
    close_session(session)


def made_metastore(home: Path) -> None:
    """As much of a metastore as a start looks for before Spark runs."""
    (home / "metastore").mkdir(parents=True)
    (home / "metastore" / "service.properties").touch()


def drop_schema(spark: SparkSession, schema: str) -> None:
    """Drops a schema, and what Delta remembers of its tables: it would fill the heap of later tests."""
    spark.sql(f"drop schema {schema} cascade")
    spark._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()


class Dbt:
    """dbt in this process: `dbt("build", "--select", "x")`, `dbt.fails("run")`."""

    def __init__(self, work: Path, profiles_dir: Path = ROOT / "profiles") -> None:
        self._work = work
        self._profiles_dir = profiles_dir

    def invoke(
        self, *args: str, project_dir: Path = ROOT, settings: Mapping[str, str] | None = None
    ) -> Any:
        """dbt's own result object, whether it went well or not.

        `settings` are given as `strandline run` gives them: with `--vars` dbt would parse the project again.
        """
        from dbt.cli.main import dbtRunner

        from strandline.cli.project import settings_of_run

        before = Path.cwd()
        try:
            # One target folder for each project: dbt parses again only what has changed.
            work = self._work / project_dir.name
            target = () if args[0] == "deps" else ("--target-path", str(work / "target"))
            with settings_of_run(settings or {}):
                return dbtRunner().invoke(
                    [
                        *args,
                        *("--project-dir", str(project_dir)),
                        *("--profiles-dir", str(self._profiles_dir)),
                        *("--log-path", str(work / "logs"), "--quiet", "--no-write-json", *target),
                    ]
                )
        finally:
            os.chdir(before)  # dbt moves into the project

    def __call__(self, *args: str, **options: Any) -> Any:
        """Runs dbt, which must go well; gives the results of its nodes."""
        done = self.invoke(*args, **options)
        assert done.success, f"dbt {' '.join(args)} failed:\n{messages(done)}"
        return done.result

    def fails(self, *args: str, **options: Any) -> str:
        """Runs dbt, which must fail; gives its messages."""
        done = self.invoke(*args, **options)
        assert not done.success, f"dbt {' '.join(args)} went well, it had to fail"
        return messages(done)


def messages(done: Any) -> str:
    """What dbt has to say of a run: its exception, and each node that did not succeed."""
    said = [str(done.exception)] if done.exception else []
    for result in getattr(done.result, "results", None) or []:
        if result.status not in ("success", "pass", "no-op"):
            said.append(f"{result.node.unique_id} ({result.status}): {result.message}")
    return "\n".join(said)


def said(message: str) -> str:
    """The message of a model, where it does not matter whether it was skipped or found nothing."""
    return "nothing new" if message.startswith("unchanged") else message


def profile(name: str, schema: str | None = None, more: str = "threads: 1") -> str:
    """The profiles.yml of a project in the tests' home; its schema is called like it, if no other is given."""
    return f"""
{name}:
  target: local
  outputs:
    local: {{type: strandline, method: session, schema: {schema or name}, {more},
            home: "{{{{ env_var('STRANDLINE_HOME') }}}}"}}
"""


@pytest.fixture(scope="session")
def dbt_work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("dbt")


@pytest.fixture(scope="session")
def dbt(dbt_work: Path) -> Dbt:
    """dbt on this repository's project and profiles; see `Dbt`."""
    return Dbt(dbt_work)


@pytest.fixture(scope="session")
def write_files() -> Callable[[Path, dict[str, str]], Path]:
    """Writes `{relative path: text}` under a folder and returns the folder."""

    def write(folder: Path, files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return folder

    return write
