"""The view `<name>_status`: one row that says how an engine is doing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strandline.detection.plan.rows import keys_of
from strandline.literals import text_sql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline.detection.definition import Definition
    from strandline.detection.plan.state import State

_STATUS = """
create or replace view {view} as
select
    {name} as name,
    max(engine.user) as user,
    if(count_if(kind = 'error') > 0, 'ERROR', 'OK') as status,
    max(if(kind = 'error', reason, null)) as last_error,
    {groups} as groups,
    max(engine.rows) as rows,
    {metric_count} as metric_count,
    max(from_json(get_json_object(engine.meaning, '$.metrics'), 'array<string>')) as metrics,
    max(engine.until) as last_arrival,
    max(engine.consumed_at) as consumed_at,
    max(engine.garbage_size) as garbage_size,
    count_if(kind = 'row') as rows_kept
from {table}
"""


def show_status(session: SparkSession, view: str, state: State, definition: Definition) -> None:
    """Makes the view anew. Its figures are those of the last commit, whoever reads it."""
    keys = ", ".join(keys_of(definition))
    of_rows = f"count(distinct if(kind = 'row', struct({keys}), null))"
    groups = f"nullif({of_rows}, 0)" if keys else "1"
    session.sql(
        _STATUS.format(
            view=view, table=state.table, name=text_sql(definition.name), groups=groups,
            metric_count=len(definition.rules.metrics),
        )
    )  # fmt: skip
