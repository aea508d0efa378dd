"""Runs a Python model in the Spark session of its own dbt connection."""

from __future__ import annotations

import json
import linecache
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import ModuleType, TracebackType
from typing import TYPE_CHECKING, Any

import pyspark
from dbt.adapters.base import PythonJobHelper
from dbt.adapters.contracts.connection import AdapterResponse
from dbt_common.exceptions import DbtRuntimeError
from pyspark import cloudpickle

from dbt.adapters.strandline.handle import (
    SPARK_ERRORS,
    SessionHandle,
    counted,
    with_dbt_errors,
)
from strandline.delta_log import mapping_for
from strandline.detection.job import EngineRun, Job, running
from strandline.detection.plan.cache import settings
from strandline.errors import StrandlineError
from strandline.explained import COMPUTE
from strandline.spark.errors import message_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# What `strandline__create_table_as` writes below the model: where its rows go.
_FOOTER = "\n# strandline: "
_NO_DETECT = (
    "Python model {name} ({original_file_path}): its `materialized` is 'strandline_detection', and"
    " no `detect` ran in it; return detect(dbt, session, ...), or write materialized='incremental'"
)
_PYSPARK = str(Path(pyspark.__file__).parent)


@dataclass
class PythonModelResponse(AdapterResponse):
    """What the job of a Python model returns to its materialization.

    engines: the engines of detection that ran in it. is_left_to_next_run: whether one of them has
    left its new events to the next run.
    """

    engines: list[str] = field(default_factory=list)
    is_left_to_next_run: bool = False


class SessionPythonJob(PythonJobHelper):
    """`submission_method: session`."""

    def __init__(
        self,
        connection: Callable[[], Any],
        project_dir: str,
        model: dict[str, Any],
        credentials: Any,
    ) -> None:
        if not credentials.has_session:
            raise DbtRuntimeError(
                f"Python model {model['name']}: it runs in a Spark session, and this target has"
                f" `method: {credentials.method}`, which takes SQL only. Take a target of"
                " `type: strandline` with `method: session` or `method: connect`, or leave the"
                f" model out: `dbt build --exclude {model['name']}+` (docs/profiles.md)."
            )
        self._handle: SessionHandle = connection().handle
        self._model = model
        self._file = Path(project_dir, model["original_file_path"])

    def submit(self, compiled_code: str) -> list[EngineRun]:
        """Runs the model and writes what it returns. Raises DbtRuntimeError.

        Returns what each `detect` in it did.
        """
        with counted(self._handle.session, COMPUTE, statements=1):
            return self._submit(compiled_code)

    def _submit(self, compiled_code: str) -> list[EngineRun]:
        code, _, footer = compiled_code.rpartition(_FOOTER)
        plan = json.loads(footer)
        spark, job = self._handle.session, Job(plan["file_format"])
        with _module(self._model, self._file, code) as (module, run):
            with running(job):
                frame = run(lambda: _frame(module.model(module.dbtObj(spark.table), spark), spark))
            if plan["needs_detect"] and not job.engines:
                raise DbtRuntimeError(_NO_DETECT.format(**self._model))
            if not plan["statements"]:
                run(lambda: self._handle.stage(frame, plan["view"]))
                return job.engines
            run(lambda: frame.createOrReplaceTempView(plan["view"]))
            # Most errors of a model come up here only: Spark computes when it writes.
            with settings(spark, mapping_for(frame.columns)):
                for statement in plan["statements"]:
                    run(partial(spark.sql, statement))
            with_dbt_errors(lambda: spark.catalog.dropTempView(plan["view"]))
        return job.engines


def _frame(result: Any, spark: SparkSession) -> DataFrame:
    """What a model returned as a Spark DataFrame; pandas (also on Spark) is turned into one."""
    kind = type(result)  # of the type: a remote DataFrame has every attribute, as a column
    frame: DataFrame
    if hasattr(kind, "to_spark"):  # pyspark.pandas
        frame = result.to_spark()
        return frame
    if hasattr(kind, "createOrReplaceTempView"):
        frame = result
        return frame
    if kind.__module__.partition(".")[0] == "pandas" and hasattr(kind, "columns"):
        return spark.createDataFrame(result)
    raise TypeError(
        "model() must return a Spark or a pandas DataFrame,"
        f" got {kind.__module__}.{kind.__qualname__}"
    )


@contextmanager
def _module(
    model: dict[str, Any], file: Path, code: str
) -> Iterator[tuple[ModuleType, Callable[[Callable[[], Any]], Any]]]:
    """The model as a module under its own path and line numbers, and a runner for its steps.

    Functions of the module travel to Spark's workers by value: the workers cannot import it.
    """
    path = model["original_file_path"]
    source = "\n" * _leading_lines(file) + code.lstrip()
    last_line = source[: source.find(model["raw_code"].rstrip())].count("\n") + 1
    last_line += model["raw_code"].rstrip().count("\n")
    module = ModuleType("strandline_model_" + re.sub(r"\W", "_", model["unique_id"]))
    module.__file__ = path

    def run(step: Callable[[], Any]) -> Any:
        try:
            return step()
        except DbtRuntimeError:
            raise
        except Exception as error:
            trace = _own_frames(error.__traceback__, path, last_line)
            raise DbtRuntimeError(_failure(model, trace, error)) from error

    sys.modules[module.__name__] = module
    cloudpickle.register_pickle_by_value(module)
    # So that a traceback shows the lines of a model of a package, too.
    linecache.cache[path] = (len(source), None, source.splitlines(keepends=True), path)
    try:
        run(lambda: exec(compile(source, path, "exec"), module.__dict__))  # noqa: S102
        yield module, run
    finally:
        linecache.cache.pop(path, None)
        cloudpickle.unregister_pickle_by_value(module)
        sys.modules.pop(module.__name__, None)


def _leading_lines(file: Path) -> int:
    """Blank lines at the top of a model's file: dbt drops them, an editor counts them."""
    try:
        text = file.read_text()
    except OSError:  # a model of a package: its path is relative to the package
        return 0
    return text[: len(text) - len(text.lstrip())].count("\n")


def _own_frames(trace: TracebackType | None, path: str, last_line: int) -> list[str]:
    """The stack frames from the model's first line on, without Spark's and without dbt's glue."""
    kept: list[traceback.FrameSummary] = []
    for frame in traceback.extract_tb(trace):
        glue = frame.filename == path and (frame.lineno or 0) > last_line
        spark = frame.filename.startswith(_PYSPARK) or "py4j" in frame.filename
        if (kept or frame.filename == path) and not glue and not spark:
            kept.append(frame)
    return traceback.format_list(kept)


def _failure(model: dict[str, Any], trace: list[str], error: Exception) -> str:
    head = f"Python model {model['name']} failed ({model['original_file_path']})"
    if isinstance(error, StrandlineError):  # its message is complete without a traceback
        return f"{head}\n{error}"
    message = message_of(error) if isinstance(error, SPARK_ERRORS) else str(error)
    return f"{head}\n{''.join(trace)}{type(error).__name__}: {message}"
