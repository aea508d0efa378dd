"""What a mistyped call of `detect` says, and how dbt shows what it refuses."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from dbt_common.exceptions import DbtRuntimeError

from dbt.adapters.strandline.python_models import _module
from strandline.detection import DetectionError, detect

EVENTS = SimpleNamespace(dtypes=[("time", "timestamp"), ("arrival", "bigint"), ("temp", "double")])
SENSOR = {"name": "engine1", "source": EVENTS, "ts": "time", "metrics": ["temp > 65"]}
ARGUMENTS = (
    "  arguments: dbt, session, name, source, ts, metrics, keys,"
    " detectors, anomaly_description, severities, window_size, step, round_time, precision, garbage_size, arrival,"
    " not_after"
)


def without(*names):
    return {name: value for name, value in SENSOR.items() if name not in names}


@pytest.mark.parametrize(
    ("args", "given", "message"),
    [
        (
            (),
            {**SENSOR, "windowsize": "6 ms", "colour": "red"},
            "detect 'engine1':\n- there is no argument `windowsize`; did you mean `window_size`?\n"
            "- there is no argument `colour`\n" + ARGUMENTS,
        ),
        (
            (),
            without("ts", "metrics"),
            "detect 'engine1':\n- `ts` is missing; name the column of the events' time\n"
            "- `metrics` is missing; write a list of conditions, as metrics=['temp > 65']",
        ),
        (
            (),
            without("name", "source"),
            "detect:\n- `name` is missing; name the engine, as name='flight_detection'\n"
            "- `source` is missing; give the events, as source=dbt.ref('flights')",
        ),
        (
            ("engine1",),
            without("name"),
            "detect:\n- 'engine1' is given by its place; name the argument, as name='engine1'\n"
            "- `name` is missing; name the engine, as name='flight_detection'",
        ),
        (
            (),
            {**SENSOR, "source": "flights"},
            "detect 'engine1':\n"
            "- `source` is 'flights', no DataFrame; write source=dbt.ref('flights')",
        ),
    ],
)
def test_a_mistyped_call_is_refused_by_one_message(args, given, message):
    with pytest.raises(DetectionError) as refused:
        detect(None, None, *args, **given)
    assert str(refused.value) == message


def test_what_dbt_gives_a_model_is_required():
    with pytest.raises(DetectionError, match=re.escape("- `session` is missing; write session=")):
        detect(None, **SENSOR)


MODEL = """from strandline.detection import detect

def model(dbt, session):
    return detect(dbt, session, {})
"""


def shown(call):
    """What dbt shows of a Python model."""
    code = MODEL.format(call)
    model = {
        "name": "hot", "original_file_path": "models/hot.py", "raw_code": code, "unique_id": "m.hot"
    }  # fmt: skip
    with (
        pytest.raises(DbtRuntimeError) as failed,
        _module(model, Path("no such file"), code) as (module, run),
    ):
        run(lambda: module.model(SimpleNamespace(this=None, is_incremental=False), EVENTS))
    return failed.value.msg


def test_a_refusal_is_shown_without_stack_frames():
    message = shown("name='e', source=session, ts='tiem', metrics=['temp'], garbage_size=0")
    assert message == (
        "Python model hot failed (models/hot.py)\ndetect 'e':\n"
        "- `ts` is 'tiem', no column of the events; did you mean `time`?"
        " (columns: arrival, temp, time)\n"
        "- `garbage_size` is 0; write a number of rows, 1 or more\n"
        "- metrics[0]: it gives a number, and a metric must be true or false; compare it, as in `temp > 1`\n"
        "      temp\n      ^^^^"
    )
    assert "Traceback" not in message
    assert "File" not in message


def test_an_error_of_the_model_itself_is_shown_with_its_line():
    message = shown("name=nmae")
    assert message.startswith("Python model hot failed (models/hot.py)\n")
    assert 'File "models/hot.py", line 4, in model' in message
    assert message.endswith("NameError: name 'nmae' is not defined")
