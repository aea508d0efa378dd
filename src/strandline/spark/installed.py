"""The Spark of this environment, and whether Strandline and the Java here fit it."""

from __future__ import annotations

from strandline.preflight import unfit_java
from strandline.spark.errors import StrandlineSparkError
from strandline.versions import LOCKED, installed_spark, minor_of, spark_problem


def spark_minor() -> str:
    """The minor version of the installed Spark. Raises StrandlineSparkError if it is refused."""
    installed = installed_spark()
    if installed is None:
        raise StrandlineSparkError(
            "Spark is not installed in this environment."
            f" Call: pip install 'pyspark[connect]=={LOCKED}.*'"
        )
    if problem := spark_problem(installed):
        raise StrandlineSparkError(problem)
    return minor_of(installed)


def check_java() -> None:
    """Raises StrandlineSparkError if this Spark does not run on the Java that it would start."""
    if problem := unfit_java(spark_minor()):
        raise StrandlineSparkError(problem)
