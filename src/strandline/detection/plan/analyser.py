"""The types that Spark's analyser gives to expressions over the events. Nothing is run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark.errors import PySparkException

from strandline.detection.types import Analyse, Rejected
from strandline.spark.errors import message_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def analyser_of(events: DataFrame) -> Analyse:
    """Gives the types of expressions by one query, or, if one of them has none, by one for each."""

    def analyse(expressions: Sequence[str]) -> list[str | Rejected]:
        columns = (f"{sql} as __{place}" for place, sql in enumerate(expressions))
        return [kind for _, kind in events.selectExpr(*columns).dtypes]

    def analyse_each(expressions: Sequence[str]) -> list[str | Rejected]:
        try:
            return analyse(expressions)
        except PySparkException as error:
            if len(expressions) == 1:
                return [Rejected(message_of(error).splitlines()[0])]
            return [found for sql in expressions for found in analyse_each([sql])]

    return analyse_each
