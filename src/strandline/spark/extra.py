"""Whether this environment has what `strandline[spark]` installs: Spark and dbt-spark."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from strandline.spark.errors import StrandlineSparkError

INSTALL = "pip install 'strandline[spark]'"
DBT_SPARK = "1.11"  # on whose classes the adapter of `type: strandline` is built
# What is imported of it, by the name of its package. (dbt-core 1.12 brings sqlglot, too.)
MODULES = {"grpcio": "grpc", "pyspark": "pyspark"}


def check_extra(who: str) -> None:
    """Refuse what needs Spark in this environment, or the adapter, where it is not installed.

    Raises StrandlineSparkError.
    """
    if fault := missing():
        raise StrandlineSparkError(f"{who} needs {fault}")


def missing() -> str | None:
    """What is missing and what to do, as the end of a sentence; None if all is there."""
    names = [name for name, module in MODULES.items() if find_spec(module) is None]
    found = _version("dbt-spark")
    if found is None:
        names.insert(0, "dbt-spark")
    if names:
        return (
            f"Spark in this environment, which has no {', no '.join(names)}: {INSTALL}."
            " `strandline --help` says which commands need it."
        )
    if found is not None and not found.startswith(f"{DBT_SPARK}."):
        return (
            f"dbt-spark {DBT_SPARK}, this environment has {found}, as dbt-databricks may want it:"
            f" make another environment, and call there: {INSTALL}"
        )
    return None


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
