"""`check`: every refusal that needs no Spark, all at once, and the fault shown in the text."""

from __future__ import annotations

import pytest

from strandline.detection.check import DetectionError, check
from strandline.detection.texts import Texts

TYPES = {
    "time": "timestamp",
    "sym": "string",
    "qty": "int",
    "price": "decimal(10,2)",
    "temp": "double",
    "is_on": "boolean",
    "tags": "array<int>",
}
COLUMNS = "  columns: is_on, price, qty, sym, tags, temp, time"
FUNCTIONS = (
    "  functions: abs, avg, ceil, coalesce, count, day, dayofweek, deltas, eq, exp, first, floor,"
    " ge, greatest, gt, hour, if, isNull, isnan, last, le, least, length, log, log10, log2, lower,"
    " lt, max, med, min, minute, month, ne, nullif, percentile, pow, prev, round, second, sign,"
    " sqrt, std, stdp, sum, trim, upper, var, varp, year"
)


def refusal(metrics, types=TYPES, window_size="6 ms", step="3 ms", **more):
    """The message of the refusal."""
    with pytest.raises(DetectionError) as refused:
        check("engine1", metrics, types, window_size=window_size, step=step, **more)
    return str(refused.value)


def test_it_names_the_detector_the_metric_the_fault_its_place_and_the_nearest_name():
    assert refusal(["temp > 65", "tmp > avrage(temp)"]) == "\n".join([
        "detect 'engine1':",
        "- metrics[1]: there is no column `tmp`; did you mean `temp`?",
        "      tmp > avrage(temp)",
        "      ^^^",
        "- metrics[1]: there is no function `avrage`; did you mean `avg`?",
        "      tmp > avrage(temp)",
        "            ^^^^^^",
        COLUMNS,
        FUNCTIONS,
    ])  # fmt: skip


def test_all_faults_are_named_at_once_and_what_they_share_once():
    message = refusal(
        ["heat > 1", "cold > 1", "temp", 5],
        texts={"anomaly_description": ["a", "b"]},
        window_size="7 ms",
    )
    assert message == "\n".join([
        "detect 'engine1':",
        "- metrics[0]: there is no column `heat`",
        "      heat > 1",
        "      ^^^^",
        "- metrics[1]: there is no column `cold`",
        "      cold > 1",
        "      ^^^^",
        "- metrics[2]: it gives a number, and a metric must be true or false; compare it, as in `temp > 1`",
        "      temp",
        "      ^^^^",
        "- metrics[3] is 5, no text",
        "- `anomaly_description` has 2 and `metrics` has 4 texts; write one for each metric, or leave it out",
        "- `window_size` '7 ms' is no multiple of `step` '3 ms'; write 6 or 9 ms",
        COLUMNS,
    ])  # fmt: skip


NESTED = "an aggregate cannot be nested"
IN_ORDER = "an aggregate cannot be in an order-sensitive function"
SHARE = "the share of `percentile` is a constant number from 0 to 100, of 10 decimals or fewer"
WAYS = (
    "the interpolation of `percentile` is one of 'linear', 'lower', 'higher', 'midpoint', 'nearest'"
)
PATTERN = "the pattern of `like` is a constant text, in which `\\` stands before %, _ or \\"
PLACES = "the decimal places of `round` are a constant whole number up to 38"
NO_TIME = "this text is no date or time; write it as '2014-01-31 23:59:59'"
STATEMENT = "`;` ends a statement, and a metric is one expression"
CANNOT = "it cannot be read as an expression from"
COMPARISON = "is no comparison; write one of <, <=, =, <>, >=, >, <=>"
FOREIGN = "a metric cannot hold"
BOOLEAN = "and a metric must be true or false; compare it, as in"


@pytest.mark.parametrize(
    ("text", "carets", "message"),
    [
        # not Boolean
        ("temp", "^^^^", f"it gives a number, {BOOLEAN} `temp > 1`"),
        ("sym", "^^^", f"it gives a string, {BOOLEAN} `sym > 1`"),
        ("tags", "^^^^", f"it gives an array<int>, {BOOLEAN} `tags > 1`"),
        # types
        ("temp > 'hot'", "^^^^^^^^^^^^", "`>` compares a number with a string"),
        ("qty == true", "^^^^^^^^^^^", "`=` compares a number with a boolean"),
        ("lt(qty, sym)", "^^^^^^^^^^^^", "`lt` compares a number with a string"),
        ("qty in (1, 'a')", "^^^^^^^^^^^^^^", "`in` compares a number with a string"),
        ("qty between 1 and 'a'", "^^^^^^^^^^^^^^^^^^^^^", "`between` compares a number with a string"),
        ("coalesce(temp, sym) > 1", "^^^^^^^^^^^^^^^^^^^", "`coalesce` mixes a number and a string"),
        ("temp and is_on", "^^^^", "`and` takes a boolean, and this is a number"),
        ("is_on || temp", "         ^^^^", "`or` takes a boolean, and this is a number"),
        ("not temp", "    ^^^^", "`not` takes a boolean, and this is a number"),
        ("abs(sym) > 1", "    ^^^", "`abs` takes a number, and this is a string"),
        ("deltas(is_on) > 1", "       ^^^^^", "`deltas` takes a number, and this is a boolean"),
        ("deltas(time) > 1", "       ^^^^", "`deltas` takes a number, and this is a time"),
        ("if(temp, 1, 2) > 1", "   ^^^^", "`if` takes a boolean, and this is a number"),
        ("time > 'noon'", "       ^^^^^^", NO_TIME),
        ("time > '2014-02-30'", "       ^^^^^^^^^^^^", NO_TIME),
        ("temp = null", "^^^^^^^^^^^", "`=` with null is never true; write `isNull(x)`"),
        # arguments
        ("abs(temp, 1) > 1", "^^^^^^^^^^^^", "`abs` takes 1 argument (number), not 2"),
        ("prev() > 1", "^^^^^^", "`prev` takes 1 argument (same), not 0"),
        ("greatest(qty) > 1", "^^^^^^^^^^^^^", "`greatest` takes 2 or more arguments (same, same, same...), not 1"),
        ("round(temp, qty) > 1", "            ^^^", PLACES),
        ("round(temp, 0.5) > 1", "            ^^^", PLACES),
        ("sym like sym", "         ^^^", PATTERN),
        (r"sym like 'a\\b'", "         ^^^^^^", PATTERN),
        # percentile
        ("percentile(temp) > 1", "^^^^^^^^^^^^^^^^", "`percentile` takes 2 to 3 arguments (number, number, string?), not 1"),
        ("percentile(temp, 100.1) > 1", "                 ^^^^^", SHARE),
        ("percentile(temp, -1) > 1", "                  ^", SHARE),
        ("percentile(temp, qty) > 1", "                 ^^^", SHARE),
        ("percentile(temp, 0.00000000001) > 1", "                 ^^^^^^^^^^^^^", SHARE),
        ("percentile(temp, 50, 'linera') > 1", "                     ^^^^^^^^", WAYS + "; did you mean `linear`?"),
        ("percentile(temp, 50, sym) > 1", "                     ^^^", WAYS),
        # functions within each other
        ("sum(avg(qty)) > 1", "    ^^^^^^^^", f"`avg` within `sum`: {NESTED}"),
        ("max(prev(sum(qty))) > 1", "         ^^^^^^^^", f"`sum` within `max`: {NESTED}"),
        ("deltas(sum(qty)) > 1", "       ^^^^^^^^", f"`sum` within `deltas`: {IN_ORDER}; write `sum(x) - prev(sum(x))`"),
        ("prev(sum(qty) * 2) > 1", "     ^^^^^^^^", f"`sum` is not alone within `prev`: {IN_ORDER}, except as `prev(sum(x))`"),
        ("next(temp) > 1", "^^^^", "`next` looks at a row that has not come yet; turn it round with `prev`"),
        # not one expression
        ("", "^", "it is empty; write a condition, as in `temp > 65`"),
        ("-- temp > 1", "^^^^^^^^^^^", "it holds no expression, only comments"),
        ("temp > 1; drop table x", "        ^", STATEMENT),
        ("temp > 1;", "        ^", STATEMENT),
        ("drop table x", "^^^^", f"{CANNOT} `drop` on"),
        ("select 1", "^^^^^^", f"{CANNOT} `select` on"),
        ("with x as (select 1) select 1", "^^^^", f"{CANNOT} `with` on"),
        ("temp > 1 union select 1", "         ^^^^^", f"{CANNOT} `union` on"),
        ("temp > 1 hot", "         ^^^", f"{CANNOT} `hot` on"),
        ("temp > 1, qty > 1", "        ^", f"{CANNOT} `,` on"),
        ("temp > 1)", "        ^", f"{CANNOT} `)` on"),
        ("sym = 'a", "^^^^^^^^", "a quote or a comment is not closed"),
        ("temp > 1 /* hot", "^^^^^^^^^^^^^^^", "a quote or a comment is not closed"),
        ("temp > 1e999", "       ^^^^^", "this number is out of range; write 38 digits or fewer"),
        # what SQL has and a metric has not
        ("temp > (select 1)", "        ^^^^^^", f"{FOREIGN} a subquery"),
        ("temp in (select 1)", "         ^^^^^^", f"{FOREIGN} a subquery"),
        ("exists(select 1)", "       ^^^^^^", f"{FOREIGN} a subquery, nor `any`, `all` or `exists`"),
        ("transform(tags, x -> x) > 1", "                  ^^", f"{FOREIGN} a lambda or a path (`->`)"),
        ("temp -> 1", "     ^^", f"{FOREIGN} a lambda or a path (`->`)"),
        ("text.`/etc/passwd` = 1", "^^^^^^^^^^^^^^^^^^", f"{FOREIGN} a path (`a.b`)"),
        ("sensor.temp > 1", "^^^^^^^^^^^", f"{FOREIGN} a path (`a.b`)"),
        ("tags[0] > 1", "    ^", f"{FOREIGN} an index (`[…]`)"),
        ("temp::int > 1", "    ^^", f"{FOREIGN} a cast or a typed constant"),
        ("cast(temp as int) > 1", "^^^^", f"{FOREIGN} a cast or a typed constant"),
        ("sum(temp) over () > 1", "          ^^^^", f"{FOREIGN} a window of its own (`over`)"),
        ("sum(temp) filter (where is_on) > 1", "          ^^^^^^", f"{FOREIGN} a filter of its own; write `sum(if(condition, value, null))`"),
        ("count(distinct sym) > 1", "      ^^^^^^^^", f"{FOREIGN} `distinct`"),
        ("max(*) > 1", "    ^", f"{FOREIGN} `*`, except in `count(*)`"),
        ("(temp, qty) > 1", "     ^", f"{FOREIGN} a list, except after `in`"),
        ("qty div 2 > 1", "    ^^^", f"{FOREIGN} `div`; write `floor(a / b)`"),
        ("temp > :limit", "       ^", f"{FOREIGN} a path or a parameter (`:`)"),
        ("temp > @limit", "^^^^^^^^^^^^^", f"{FOREIGN} a parameter"),
        ("sym = 'a' 'b'", "      ^^^", f"{FOREIGN} two texts in a row; a quote in a text is `\\'`"),
        ("sym like 'a' escape 'b'", "^^^^^^^^^^^^^^^^^^^^^^^", f"{FOREIGN} `escape`; write a backslash before %, _ or \\"),
        ("sym rlike '(a+)+'", "^^^^^^^^^^^^^^^^^", f"{FOREIGN} a regular expression; write `like`"),
        # operators that are none
        ("temp > > 1", "     ^^^", f"`> >` {COMPARISON}"),
        ("temp >> 1", "     ^^", f"`>>` {COMPARISON}"),
        ("temp =< 1", "     ^^", f"`=<` {COMPARISON}"),
        ("temp = = 1", "     ^^^", f"`= =` {COMPARISON}"),
        ("temp < <> 1", "     ^^^^", f"`< <>` {COMPARISON}"),
        ("qty & 1 > 0", "    ^", f"{FOREIGN} an operation on bits"),
        ("~qty > 0", "^", f"{FOREIGN} an operation on bits"),
    ],
)  # fmt: skip
def test_refusals(text, carets, message):
    assert (
        refusal([text])
        == f"detect 'engine1':\n- metrics[0]: {message}\n      {text}\n      {carets}"
    )


@pytest.mark.parametrize("name", ["java_method", "reflect", "current_user", "input_file_name", "uuid", "secret", "explode"])  # fmt: skip
def test_functions_are_an_allow_list(name):
    text = f"{name}('java.lang.System', 'getenv') = 'x'"
    message = refusal([text])
    assert message.startswith(f"detect 'engine1':\n- metrics[0]: there is no function `{name}`")
    assert message.endswith(f"\n      {text}\n      {'^' * len(name)}\n{FUNCTIONS}")


@pytest.mark.parametrize("text", ["current_date > time", "sym = current_user", "rand > 1"])
def test_words_that_sql_calls_are_columns_here(text):
    assert "there is no column `" in refusal([text])


def test_a_column_in_two_spellings_must_be_written_exactly():
    types = {"Temp": "double", "TEMP": "double"}
    assert refusal(["temp > 1"], types) == (
        "detect 'engine1':\n- metrics[0]: `temp` may be any of Temp, TEMP; write it exactly\n"
        "      temp > 1\n      ^^^^"
    )
    assert check("engine1", ["Temp > 1"], types).metrics[0].columns == ("Temp",)


def test_an_aggregate_needs_a_window():
    assert refusal(["temp > 1", "temp > avg(temp)"], window_size=None, step=None) == (
        "detect 'engine1':\n"
        "- metrics[1]: `avg` is an aggregate, and `window_size` is missing; write window_size='3 ms' or the like\n"
        "      temp > avg(temp)\n             ^^^\n"
        "- metrics[1]: `avg` is an aggregate, and `step` is missing; write step='3 ms' or the like\n"
        "      temp > avg(temp)\n             ^^^"
    )
    assert not check("engine1", ["temp > 1"], TYPES).has_windows


@pytest.mark.parametrize("metrics", ["temp > 1", [], None, 5])
def test_metrics_are_a_list(metrics):
    assert refusal(metrics) == (
        f"detect 'engine1':\n- `metrics` is {metrics!r}; write a list, as ['temp > 65']"
    )


@pytest.mark.parametrize(
    ("argument", "given", "message"),
    [
        ("anomaly_description", "hot", "`anomaly_description` is 'hot'; write a list of texts, or leave it out"),
        ("anomaly_description", [5], "`anomaly_description` is [5]; write a list of texts, or leave it out"),
        ("anomaly_description", 5, "`anomaly_description` is 5; write a list of texts, or leave it out"),
        ("severities", "high", "`severities` is 'high'; write a list of texts, None where one has none, or leave it out"),
        ("severities", ["high"], "`severities` has 1 and `metrics` has 2 texts; write one for each metric, or leave it out"),
        ("detectors", [None, "cold"], "`detectors` is [None, 'cold']; write a list of texts, or leave it out"),
        ("detectors", ["hot", " "], "detectors[1] is empty; write a name, such as 'too_hot'"),
        ("detectors", ["hot", "hot"], "detectors[1] is 'hot' again; give each metric its own"),
    ],
)  # fmt: skip
def test_texts_are_lists_of_one_for_each_metric(argument, given, message):
    found = refusal(["temp > 1", "temp < 0"], texts={argument: given})
    assert found == f"detect 'engine1':\n- {message}"


def test_texts_and_their_defaults():
    metrics = ["temp > 1", "temp < 0"]
    assert check("engine1", metrics, TYPES).texts == Texts(
        detectors=("engine1_0", "engine1_1"),
        descriptions=("temp > 1", "temp < 0"),
        severities=(None, None),
    )
    given = {
        "detectors": ["hot", "cold"],
        "anomaly_description": ["too hot", "too cold"],
        "severities": ["high", None],
    }
    assert check("engine1", metrics, TYPES, texts=given).texts == Texts(
        detectors=("hot", "cold"),
        descriptions=("too hot", "too cold"),
        severities=("high", None),
    )
