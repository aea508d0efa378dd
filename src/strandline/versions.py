"""The versions of Spark that Strandline runs with, and what differs between them.

Only the standard library: `preflight` reads it before anything is installed.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

DELTA = "4.4.0"  # the newest one that Maven has for each Spark below
LOCKED = "4.2"  # of the demo, the tests and what the messages name

# Each minor version of Spark has a Delta of its own, and runs on the Javas that its documentation
# names. Java 25 has no security manager: the Hadoop of Spark 4.0 and 4.1 asks for one.
JAVAS = {"4.0": (17, 21), "4.1": (17, 21), "4.2": (17, 21, 25)}

# What a Spark has not, and what takes its place there.
LACKS = {
    # Functions `kll_…`: macros/core/quantiles.sql stores quantiles in arrays.
    "4.0": ("kll",),
}


def installed_spark() -> str | None:
    """The version of the installed PySpark, such as 4.1.4."""
    try:
        return version("pyspark")
    except PackageNotFoundError:
        return None


def minor_of(spark: str) -> str:
    """4.1 for 4.1.4."""
    return ".".join(spark.split(".")[:2])


def javas_of(minor: str) -> tuple[int, ...]:
    """The Javas that a Spark runs on; for one that is refused anyway, those of the locked one."""
    return JAVAS.get(minor, JAVAS[LOCKED])


def listed(values: tuple[object, ...]) -> str:
    """`17, 21 or 25`."""
    *first, last = map(str, values)
    return f"{', '.join(first)} or {last}" if first else last


def spark_problem(spark: str) -> str | None:
    """Why this PySpark cannot be used, and what to do; None if it can."""
    minor = minor_of(spark)
    if minor in JAVAS:
        return None
    numbers = [int(part) if part.isdigit() else 0 for part in minor.split(".")]
    is_newer = numbers > [int(part) for part in LOCKED.split(".")]
    why = (
        f"no Delta is served for Spark {minor} as of this Strandline; a newer one may know of one"
        " (pip install --upgrade strandline)"
        if is_newer
        else f"Delta {DELTA} is made for these"
    )
    return (
        f"Spark {listed(tuple(JAVAS))} is needed, this environment has pyspark {spark}: {why}."
        f" Call: pip install 'pyspark[connect]=={LOCKED}.*'"
    )
