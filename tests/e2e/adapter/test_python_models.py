"""Python models: in the session of their connection, with their own lines in every error."""

import textwrap
from types import SimpleNamespace

import pytest
from dbt_common.exceptions import DbtRuntimeError

from dbt.adapters.strandline.impl import StrandlineAdapter
from dbt.adapters.strandline.python_models import SessionPythonJob

STARTS = "select 1 as id, 'a' as part union all select 2, 'b'"

# The blank lines count: an editor shows them, so must a traceback.
MERGED = """

def model(dbt, session):
    dbt.config(materialized="incremental", incremental_strategy="merge", unique_key="id")
    rows = session.createDataFrame([(2, "new"), (3, "new")], "id int, part string")
    return rows if dbt.is_incremental else dbt.ref("starts")
"""


def test_table_keeps_its_configuration(small):
    project = small(
        {
            "models/starts.sql": STARTS,
            "models/made.py": textwrap.dedent(
                """
                def model(dbt, session):
                    dbt.config(
                        materialized="table", partition_by=["part"], tblproperties={"made.by": "us"}
                    )
                    return dbt.ref("starts")
                """
            ),
        }
    )
    project.dbt("run")
    detail = (
        "select partitionColumns, properties['made.by'], format from (describe detail {s}.made)"
    )
    assert project.rows("select * from {s}.made") == [(1, "a"), (2, "b")]
    described = project._spark.sql(f"describe detail {project.schema}.made").collect()[0]
    assert described["partitionColumns"] == ["part"], detail
    assert described["properties"]["made.by"] == "us"
    assert described["format"] == "delta"
    assert project.tables() == {"starts", "made"}


def test_pandas_dataframes_and_functions_in_workers(small):
    project = small(
        {
            "models/starts.sql": STARTS,
            "models/folded.py": textwrap.dedent(
                """
                import pandas as pd
                from dataclasses import dataclass


                @dataclass
                class State:
                    count: int = 0


                def fold(frames):
                    state = State()
                    for frame in frames:
                        state.count += len(frame)
                        yield frame.assign(part=[f"some {state.count > 0}"] * len(frame))


                def model(dbt, session):
                    dbt.config(materialized="table")
                    folded = dbt.ref("starts").mapInPandas(fold, "id int, part string")
                    return pd.concat([folded.toPandas(), pd.DataFrame({"id": [9], "part": ["pd"]})])
                """
            ),
        }
    )
    project.dbt("run")
    assert project.rows("select * from {s}.folded") == [
        (1, "some True"),
        (2, "some True"),
        (9, "pd"),
    ]


def test_incremental_merges_and_leaves_nothing_behind(small):
    project = small({"models/starts.sql": STARTS, "models/merged.py": MERGED})
    project.dbt("run")
    project.dbt("run")
    assert project.rows("select * from {s}.merged") == [(1, "a"), (2, "new"), (3, "new")]
    assert project.tables() == {"starts", "merged"}


def test_a_merge_that_fails_leaves_the_table_and_nothing_else(small):
    project = small({"models/starts.sql": STARTS, "models/merged.py": MERGED})
    project.dbt("run")
    twice = MERGED.replace('(3, "new")', '(2, "again")')
    (project.folder / "models/merged.py").write_text(twice)
    message = project.fails("run")
    assert "DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE" in message
    assert "at org.apache.spark" not in message
    assert project.rows("select * from {s}.merged") == [(1, "a"), (2, "b")]
    assert project.tables() == {"starts", "merged"}


def test_an_error_names_file_line_and_reason(small):
    wrong = MERGED.replace('else dbt.ref("starts")', 'else dbt.ref("starts").select("nope")')
    project = small({"models/starts.sql": STARTS, "models/merged.py": wrong})
    message = project.fails("run")
    assert "Python model merged failed (models/merged.py)\n" in message
    assert 'File "models/merged.py", line 6, in model' in message
    assert 'dbt.ref("starts").select("nope")' in message
    assert "[UNRESOLVED_COLUMN" in message
    assert "site-packages" not in message
    assert "at org.apache.spark" not in message
    assert project.tables() == {"starts"}


def test_an_error_in_a_worker_names_the_line_of_the_model(small):
    project = small(
        {
            "models/starts.sql": STARTS,
            "models/broken.py": textwrap.dedent(
                """\
                def divide(frames):
                    for frame in frames:
                        yield frame.assign(id=1 // 0)


                def model(dbt, session):
                    dbt.config(materialized="table")
                    return dbt.ref("starts").mapInPandas(divide, "id int, part string")
                """
            ),
        }
    )
    message = project.fails("run")
    assert 'models/broken.py", line 3, in divide' in message
    assert "ZeroDivisionError" in message
    assert "at org.apache.spark" not in message
    assert project.tables() == {"starts"}


def test_what_is_no_dataframe_is_refused(small):
    project = small({"models/number.py": "def model(dbt, session):\n    return 42\n"})
    assert "model() must return a Spark or a pandas DataFrame, got builtins.int" in project.fails(
        "run"
    )


DETECT = """
from strandline.detection import detect


def model(dbt, session):
    dbt.config({config})
    return detect(
        dbt, session, name="{name}", source=dbt.ref("starts"), ts="id", arrival="id", metrics=["id > 1"],
    )
"""
NO_DELTA = (
    "- `file_format` is 'parquet', and the table of `detect` can only be a Delta table; write"
    " dbt.config(..., file_format='delta')"
)


def test_what_a_model_of_detections_cannot_be(small):
    """Both kinds of tables of detections, each with its reason, and nothing is written."""
    other, own = "materialized='incremental'", "materialized='strandline_detection'"
    parquet, cluster = ", file_format='parquet'", ", submission_method='job_cluster'"
    empty = f"def model(dbt, session):\n    dbt.config({own})\n    return dbt.ref('starts')\n"
    project = small({
        "models/starts.sql": STARTS,
        "models/other.py": DETECT.format(name="it", config=other + parquet),
        "models/own.py": DETECT.format(name="that", config=own + parquet + cluster),
        "models/empty.py": empty,
    })  # fmt: skip
    message = project.fails("run")
    assert f"detect 'it':\n  {NO_DELTA}" in message.replace("    ", "  ")
    assert f"own:\n    {NO_DELTA}, or leave it out" in message
    assert "`method: session` and `submission_method: job_cluster`; on another platform" in message.replace("this one has ", "")  # fmt: skip
    assert (
        "Python model empty (models/empty.py): its `materialized` is 'strandline_detection', and no"
        " `detect` ran in it; return detect(dbt, session, ...), or write materialized='incremental'"
    ) in message
    assert project.tables() == {"starts"}


def test_the_old_table_stays_until_the_function_has_returned(small):
    """A refusal comes before anything is dropped: a table of another format, or a view."""
    delta = DETECT.format(name="it", config="materialized='incremental'")
    project = small({"models/starts.sql": STARTS, "models/found.py": delta})
    project.dbt("run")
    found = project.rows("select detection_id from {s}.found")
    assert found
    model = project.folder / "models" / "found.py"
    other = "dbt.config(materialized='incremental', file_format='parquet')"
    model.write_text(delta.replace("dbt.config(materialized='incremental')", other))
    assert NO_DELTA in project.fails("run", "--full-refresh")
    assert project.rows("select detection_id from {s}.found") == found
    view = DETECT.format(name="that", config="materialized='strandline_detection'")
    sql = project.folder / "models" / "other.sql"
    sql.write_text("{{ config(materialized='view') }} select 7 as id")
    project.dbt("run", "--select", "other")
    sql.unlink()
    python = sql.with_suffix(".py")
    python.write_text(view.replace("id > 1", "idd > 1"))
    assert "did you mean `id`?" in project.fails("run", "--select", "other")
    assert project.rows("select * from {s}.other") == [(7,)]
    python.write_text(view)
    project.dbt("run", "--select", "other")
    assert project.rows("select detection_id from {s}.other") == [("that-2-1",)]


def test_a_target_without_session_is_refused():
    thrift = SimpleNamespace(has_session=False, method="thrift")
    with pytest.raises(DbtRuntimeError) as refused:
        SessionPythonJob(lambda: None, ".", {"name": "m"}, thrift)
    assert str(refused.value.msg) == (
        "Python model m: it runs in a Spark session, and this target has `method: thrift`, which"
        " takes SQL only. Take a target of `type: strandline` with `method: session` or"
        " `method: connect`, or leave the model out: `dbt build --exclude m+` (docs/profiles.md)."
    )


def test_a_thrift_target_does_not_ask_for_a_cluster():
    adapter = SimpleNamespace(
        config=SimpleNamespace(credentials=SimpleNamespace(has_session=False, method="thrift"))
    )
    method = StrandlineAdapter.default_python_submission_method
    assert method.fget(adapter) == "session"
