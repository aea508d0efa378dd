"""Texts that would be something else: no statement, file or variable comes through, and no crash."""

from __future__ import annotations

import contextlib
import random
import re
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from strandline.detection.check import DetectionError, check
from strandline.detection.sql import quoted, sql_of, text_sql

TYPES = {
    "temp": "double",
    "sym": "string",
    "a` > 0 or `b": "double",
    "温度": "double",
    "load": "int",
}


def refusal(text, types=TYPES):
    with pytest.raises(DetectionError) as refused:
        check("engine1", [text], types)
    return str(refused.value).removeprefix("detect 'engine1':\n- metrics[0]: ")


def sql(text, types=TYPES):
    return sql_of(check("engine1", [text], types).metrics[0].node)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("temp > 1 /* ; drop table x */", "(`temp` > 1)"),
        ("temp > 1 -- ; drop table x", "(`temp` > 1)"),
        ("sym = '; drop table x --'", "(`sym` = '; drop table x --')"),
        (r"sym = 'a\' or 1=1 --'", "(`sym` = cast(X'6127206f7220313d31202d2d' as string))"),
        ("sym = '${env:HOME}'", "(`sym` = cast(X'247b656e763a484f4d457d' as string))"),
        ('sym = "it\'s"', "(`sym` = cast(X'69742773' as string))"),
        ("sym = 'a\nb'", "(`sym` = cast(X'610a62' as string))"),
        ("`a`` > 0 or ``b` > 1", "(`a`` > 0 or ``b` > 1)"),
        ("温度 > 1", "(`温度` > 1)"),
        ("load > 80", "(`load` > 80)"),
    ],
)
def test_what_is_kept_is_a_name_or_a_constant(text, expected):
    assert sql(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "temp > 1; drop table x",
        "temp > 1\n;\ndrop table x",
        "temp > 1) or (select 1",
        "temp > 1 union all select * from text.`/etc/passwd`",
        "(select count(*) from text.`/etc/passwd`) > 1",
        "temp > ${env:HOME}",
        "temp > {{ env_var('HOME') }}",
        "reflect('java.lang.System', 'getenv', 'HOME') = 'x'",
        "java_method('java.lang.System', 'getenv', 'HOME') = 'x'",
        "`reflect`('java.lang.System', 'getenv', 'HOME') = 'x'",
        "system.builtin.reflect('java.lang.System', 'getenv', 'HOME') = 'x'",
        "temp > 1 lateral view explode(array(1)) t as x",
        "sym = r'a'",
        "sym = X'41'",
        "temp > 0x1F",
        "temp > 10L",
        "sum(temp order by sym) > 1",
        "case when (select 1) > 0 then 1 end > 0",
        "/*+ broadcast(x) */",
        "explain temp",
        "set temp = 1",
        "temp := 1",
        "temp > ?",
        "temp > @x",
        "\x00",
        "temp > 1 \x00",
        "'",
        "`",
        "/*",
        ")",
        "(",
        "case",
        "…",
        "😀 > 1",
    ],
)
def test_what_is_refused(text, capfd):
    message = refusal(text)
    line, carets = message.split("\n")[1:3]
    assert "^" in carets
    assert set(carets.strip()) == {"^"}
    assert line.startswith("      ")
    assert capfd.readouterr() == ("", "")  # sqlglot warns of statements that it cannot read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(" * 5_000 + "temp" + ")" * 5_000, "it has 10,004 characters; at most 10,000 are read"),
        ("(" * 900 + "temp" + ")" * 900 + " > 1", "it is nested more than 20 deep; split it"),
        ("abs(" * 900 + "temp" + ")" * 900 + " > 1", "it is nested more than 20 deep; split it"),
        ("(" * 4_000, "it is nested more than 20 deep; split it"),
        ("[" * 4_000, "it is nested more than 20 deep; split it"),
        ("{" * 4_000, "it is nested more than 20 deep; split it"),
        ("temp > " + "[" * 2_000 + "1" + "]" * 2_000, "it is nested more than 20 deep; split it"),
        ("temp::" + "array<" * 500 + "int", "it is nested more than 20 deep; split it"),
        ("interval " * 500, "it is nested more than 20 deep; split it"),
        ("@" * 3_000, "it is nested more than 20 deep; split it"),
        ("not " * 900 + "temp > 1", "it is nested more than 20 deep; split it"),
        ("- " * 900 + "temp > 1", "it is nested more than 20 deep; split it"),
        ("case when " * 300 + "temp", "it is nested more than 20 deep; split it"),
        (" and ".join(["temp > 1"] * 700), "it has more than 100 operators in a chain; split it, or write `in`"),
        ("temp > " + " + ".join(["1"] * 900), "it has more than 100 operators in a chain; split it, or write `in`"),
        ("case " + "when temp > 1 then 1 " * 200 + "end = 1", "it has more than 100 operators in a chain; split it, or write `in`"),
    ],
)  # fmt: skip
def test_what_is_too_deep_is_named_and_no_recursion_error(text, message):
    assert refusal(text).split("\n")[0] == message


@pytest.mark.parametrize(
    "text",
    [
        "abs(" * 20 + "temp" + ")" * 20 + " > 1",
        "not " * 20 + "temp > 1",
        " and ".join(["temp > 1"] * 90),
        "temp in (" + ", ".join(map(str, range(1_500))) + ")",
    ],
)
def test_what_is_not_too_deep_is_read(text):
    assert sql(text).count("`temp`") == text.count("temp")


def test_where_little_of_the_stack_is_left_it_is_a_message_as_well():
    limit = sys.getrecursionlimit()
    text = "abs(" * 20 + "temp" + ")" * 20 + " > 1"
    depth = 0
    frame = sys._getframe()
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    sys.setrecursionlimit(depth + 150)
    try:
        message = refusal(text)
    finally:
        sys.setrecursionlimit(limit)
    assert message.split("\n")[0] == "it is nested too deeply; split it"


def test_a_column_with_a_variable_in_its_name_is_refused():
    name = "${env:HOME}"
    assert refusal(f"`{name}` > 1", {name: "int"}) == (
        "`${env:HOME}` has `${` in its name; rename the column\n"
        "      `${env:HOME}` > 1\n      ^^^^^^^^^^^^^"
    )
    with pytest.raises(ValueError, match=re.escape("a column cannot be named '${env:HOME}'")):
        quoted(name)


@pytest.mark.parametrize("text", ["a'b", "a\\b", "$", "a\x00b", "a\u2028b", "\ud800"])
def test_texts_that_spark_might_read_otherwise_are_bytes(text):
    assert re.fullmatch(r"cast\(X'([0-9a-f]{2})+' as string\)", text_sql(text))


def test_carets_stand_under_wide_characters_and_in_long_and_later_lines():
    message = refusal("温度 > 1 and hot > 1")
    assert message.split("\n")[1:3] == ["      温度 > 1 and hot > 1", "                   ^^^"]
    message = refusal("temp > 1\n  and hot > 1")
    assert message.split("\n")[1:3] == ["        and hot > 1", "            ^^^"]
    many = "temp > 1 and " * 40
    _, line, carets, *_ = refusal(f"{many} hot > 1 and {many} temp > 1").split("\n")
    start = carets.index("^")
    assert line[start : start + len(carets.strip())] == "hot"
    assert len(line) < 120


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$$ 1BD", "it cannot be read as an expression"),  # sqlglot fails with InvalidOperation
        ("\x00", "there is no column `�`"),
        ("\ud800 > 1", "it holds a surrogate, which is half a character; write the whole character"),
        ("sym = 'a\udfff'", "it holds a surrogate, which is half a character; write the whole character"),
    ],
)  # fmt: skip
def test_what_sqlglot_or_a_terminal_fails_on_is_named(text, expected):
    message = refusal(text)
    assert message.split("\n")[0] == expected
    message.encode()  # it can be written to a file


def test_a_description_with_half_a_character_is_refused():
    with pytest.raises(DetectionError) as refused:
        check("engine1", ["temp > 1"], TYPES, texts={"anomaly_description": ["hot \ud800"]})
    assert str(refused.value) == (
        "detect 'engine1':\n- anomaly_description[0] holds a surrogate, which is half a character;"
        " write the whole character"
    )


PIECES = r"""
    temp sym `温度` load no_such_column prev( deltas( next( sum( avg( percentile( abs( if( count(*)
    reflect( ( ) ) ) , , ; . + - * / % < > = == <> <=> && || and or not in between like is null true
    case when then else end select from where over filter as :: -> => [ ] { } ${env:HOME} ? : @ ! ~ ^
    1 75 1.5 1e3 0x1F 10L 'a' 'it\'s' '${x}' "b" `a``b` ' ` " -- /* */ \ 😀 interval date cast(
"""
WORDS = (
    "and or not in between like is null true false if abs cast as string nullif coalesce try_add"
    " try_subtract try_multiply try_divide"
)


METRICS = [
    "( temp > 1 ) and sym like 'a%' or not load in ( 1 , 2 )",
    "abs( deltas( temp ) - 1.5 ) / load <= percentile( temp , 75 , 'linear' )",
    "case when sym = '${env:HOME}' then avg( temp ) else prev( sum( load ) ) end between 1 and 2e3",
    "if( sym is null , temp , `温度` ) <> coalesce( load , `a`` > 0 or ``b` , 0 )",
]


ANY = st.text(st.characters(exclude_categories=()), max_size=60)  # surrogates, too
OPENED = ["(", "[", "{", "<", "case ", "not ", "-", "~", "@", "$", "array<", "if(", "`", "/*"]
DEEP = st.builds(
    lambda opened, times: opened * times, st.sampled_from(OPENED), st.integers(1, 4_000)
)
ODD = st.sampled_from(["\ud800", "\x00", "$$ 1BD", "1BD", "'\ud800'", *PIECES.split()])


@st.composite
def spliced(draw):
    """A metric with something else in place of one of its words."""
    words = draw(st.sampled_from(METRICS)).split(" ")
    words[draw(st.integers(0, len(words) - 1))] = draw(st.one_of(ODD, ODD, DEEP, ANY))
    return " ".join(words)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.one_of(spliced(), spliced(), ODD, DEEP, ANY))
@example("[" * 4_000)
@example("$$ 1BD")
def test_any_text_is_read_or_refused_by_a_message_that_can_be_written(text):
    message = "detect 'e':\n- "
    try:
        check("e", [text], TYPES, window_size="6 ms", step="3 ms")
    except DetectionError as refused:  # and nothing else
        message = str(refused)
    message.encode()
    assert message.startswith("detect 'e':\n- ")


def mutated(chance):
    """A metric of which up to two words were put out or in, or exchanged."""
    words, pieces = chance.choice(METRICS).split(" "), [*PIECES.split(), "\x00"]
    for _ in range(chance.randint(0, 2)):
        start = chance.randrange(len(words))
        end = start + chance.randint(0, 2)
        words[start:end] = chance.choices(pieces, k=chance.randint(0, 2))
    return chance.choice([" ", " ", "\n", ""]).join(words)


def test_whatever_is_written_comes_out_as_names_constants_and_allowed_words(capfd):
    chance, read = random.Random(20181008), []  # noqa: S311
    for _ in range(2_000):
        with contextlib.suppress(DetectionError):  # and nothing else
            read.append(check("e", [mutated(chance)], TYPES, window_size="6 ms", step="3 ms"))
    for rules in read:
        needed = (*rules.aggregates, *rules.aggregates_before, *rules.previous)
        made = sql_of(rules.metrics[0].node, dict.fromkeys(needed, "c"))
        assert "${" not in made
        bare = re.sub(r"'[^'\\]*'|`([^`]|``)+`", " ", made.replace("X'", "'"))
        assert re.fullmatch(r"[\w\s().,<>=+*/%-]*", bare)
        assert set(re.findall(r"\b[a-z]\w*", bare)) <= set(WORDS.split())
    assert len(read) > 200
    assert capfd.readouterr() == ("", "")
