"""The fold of sequential windows: what enters and leaves, and the same at any split of the rows."""

from __future__ import annotations

from datetime import datetime, timezone
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strandline.windows import Rule, fold_batches
from strandline.windows.fold import Fold
from strandline.windows.sliding import FEW, Timed

CYCLE = pa.struct(
    [
        ("at", pa.timestamp("us", tz="UTC")),
        ("arrival", pa.int64()),
        ("step", pa.list_(pa.int32())),
    ]
)
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def rule(kind, *, keys=("k",), clock=0, every=None, depth=1, grouped=False):
    return Rule(kind, tuple(keys), clock, every, depth, grouped)


def event(seq, turn=None, *, k="a", n=3, value=0, group=None, at=None, expires=None, step=()):
    """One row; without a turn it comes alone, at its own number."""
    turn = seq if turn is None else turn
    return {
        "k": k,
        "__turn": turn,
        "__sequence": seq,
        "__at": turn if at is None else at,
        "__cycle_arrival": turn,
        "__step": list(step),
        "__expires": expires,
        "__count": n,
        "__value": value,
        "__group": group,
        "entered": None,
        "payload": f"row {seq}",
    }


def batches_of(rows, sizes=(10**9,), key=None, value=None):
    schema = pa.schema(
        [
            ("k", key or pa.string()),
            ("__turn", pa.int64()),
            ("__sequence", pa.int64()),
            ("__at", pa.int64()),
            ("__cycle_arrival", pa.int64()),
            ("__step", pa.list_(pa.int32())),
            ("__expires", pa.int64()),
            ("__count", pa.int64()),
            ("__value", value or pa.int64()),
            ("__group", pa.string()),
            ("entered", CYCLE),
            ("payload", pa.string()),
        ]
    )
    all_rows = pa.RecordBatch.from_pylist(rows, schema=schema)
    start, turn = 0, 0
    while start < len(rows):
        size = sizes[turn % len(sizes)]
        yield all_rows.slice(start, size)
        start, turn = start + size, turn + 1


def fold(rows, window, **options):
    """Every row of the output by its number."""
    found = [
        row
        for batch in fold_batches(batches_of(rows, **options), window)
        for row in batch.to_pylist()
    ]
    assert sorted(row["payload"] for row in found) == sorted(row["payload"] for row in rows)
    return {row["__sequence"]: row for row in sorted(found, key=lambda row: row["__sequence"])}


def shown(cycle):
    """A cycle as text: `at/arrival/step`, or `-`."""
    if cycle is None:
        return "-"
    at = (cycle["at"] - EPOCH).total_seconds() * 1_000_000
    arrival = "" if cycle["arrival"] is None else cycle["arrival"]
    return f"{at:.0f}/{arrival}/{'.'.join(map(str, cycle['step']))}"


def stays(found):
    """(seq, entered, expelled, exit) of each row."""
    return [
        (seq, shown(row["entered"]), shown(row["expelled"]), row["exit"])
        for seq, row in found.items()
    ]


def inside(found):
    return [seq for seq, row in found.items() if row["entered"] and not row["expelled"]]


def test_twelve_at_once_into_the_last_ten():
    found = stays(fold([event(seq, 1, n=10) for seq in range(1, 13)], rule("last")))
    assert found[0] == (1, "1/1/0", "1/1/1", 11)
    assert found[1] == (2, "1/1/0", "1/1/2", 12)
    assert found[2:10] == [(seq, "1/1/0", "-", None) for seq in range(3, 11)]
    assert found[10:] == [(11, "1/1/1", "-", None), (12, "1/1/2", "-", None)]


def test_a_full_window_has_no_step_that_fills():
    rows = [event(1, 1, n=1), event(2, 2, n=1), event(3, 2, n=1)]
    assert stays(fold(rows, rule("last"))) == [
        (1, "1/1/0", "2/2/0", 2),
        (2, "2/2/0", "2/2/1", 3),
        (3, "2/2/1", "-", None),
    ]


def test_a_chained_window_appends_its_step():
    rows = [event(seq, 1, n=1, step=[7]) for seq in (1, 2)]
    assert stays(fold(rows, rule("last", depth=2))) == [
        (1, "1/1/7.0", "1/1/7.1", 2),
        (2, "1/1/7.1", "-", None),
    ]


@pytest.mark.parametrize(
    ("kind", "left"), [("lowest", [1, 2, 3, 4, 5]), ("highest", [26, 27, 28, 29, 30])]
)
def test_the_lowest_and_highest_five_of_thirty(kind, left):
    found = fold([event(seq, n=5, value=seq) for seq in range(1, 31)], rule(kind))
    assert inside(found) == left
    never = [seq for seq, row in found.items() if row["entered"] is None]
    assert never == (list(range(6, 31)) if kind == "lowest" else [])


@pytest.mark.parametrize(("kind", "worse"), [("highest", 4), ("lowest", 6)])
def test_of_equal_values_the_older_leaves(kind, worse):
    rows = [event(seq, n=2, value=value) for seq, value in enumerate([5, 5, 5, worse, 5], start=1)]
    assert stays(fold(rows, rule(kind))) == [
        (1, "1/1/0", "3/3/0", 3),
        (2, "2/2/0", "5/5/0", 5),
        (3, "3/3/0", "-", None),
        (4, "-", "-", None),
        (5, "5/5/0", "-", None),
    ]


def test_a_ranked_turn_fills_in_one_step_and_displaces_in_one_each():
    rows = [event(seq, 1, n=2, value=value) for seq, value in enumerate([1, 2, 0, 3, 4], start=1)]
    assert stays(fold(rows, rule("highest"))) == [
        (1, "1/1/0", "1/1/1", 4),
        (2, "1/1/0", "1/1/2", 5),
        (3, "-", "-", None),
        (4, "1/1/1", "-", None),
        (5, "1/1/2", "-", None),
    ]


def test_a_row_is_replaced_by_a_newer_one_of_its_group():
    pairs = [(1, "x"), (2, "y"), (3, "x"), (4, "z"), (1, "y")]
    rows = [event(seq, 1, value=value, group=g) for seq, (value, g) in enumerate(pairs, start=1)]
    assert stays(fold(rows, rule("highest", grouped=True))) == [
        (1, "1/1/0", "1/1/1", 3),  # y fills in step 0, the new x displaces in step 1
        (2, "1/1/0", "1/1/3", 5),
        (3, "1/1/1", "-", None),
        (4, "1/1/2", "-", None),  # z fills a slot, in a step of its own
        (5, "-", "-", None),  # the window was full, x and z are better: both y are out
    ]


def test_an_update_that_is_as_good_as_the_worst_of_the_others_enters():
    pairs = [(5, "x"), (6, "y"), (9, "z"), (5, "z"), (4, "z")]
    rows = [event(seq, value=value, group=g) for seq, (value, g) in enumerate(pairs, start=1)]
    found = fold(rows, rule("highest", grouped=True))
    assert stays(found)[2:] == [
        (3, "3/3/0", "4/4/0", 4),
        (4, "4/4/0", "5/5/0", 5),
        (5, "-", "-", None),
    ]


def test_the_only_row_of_a_window_of_one_is_always_replaced():
    rows = [event(1, n=1, value=9, group="x"), event(2, n=1, value=1, group="x")]
    assert stays(fold(rows, rule("highest", grouped=True))) == [
        (1, "1/1/0", "2/2/0", 2),
        (2, "2/2/0", "-", None),
    ]


def test_twenty_five_at_once_into_at_most_ten():
    found = stays(fold([event(seq, 1, n=10, expires=99) for seq in range(1, 26)], rule("time")))
    assert found[:10] == [(seq, "1/1/0", "1/1/1", seq + 10) for seq in range(1, 11)]
    assert found[10:15] == [(seq, "1/1/1", "1/1/2", seq + 10) for seq in range(11, 16)]
    assert found[15:20] == [(seq, "1/1/1", "-", None) for seq in range(16, 21)]
    assert found[20:] == [(seq, "1/1/2", "-", None) for seq in range(21, 26)]


def test_rows_expire_before_a_turn_and_at_the_final_clock():
    rows = [
        event(1, n=2, expires=10), event(2, n=2, expires=30), event(3, 20, n=2, expires=25),
        event(4, 21, n=2, expires=40),
    ]  # fmt: skip
    assert stays(fold(rows, rule("time", clock=30, depth=1))) == [
        (1, "1/1/0", "10//0", 1),  # makes room for 3
        (2, "2/2/0", "21/21/0", 4),
        (3, "20/20/0", "25//0", 3),
        (4, "21/21/0", "-", None),
    ]


def test_every_expires_at_its_first_tick_not_before_the_end():
    ends = [-15, -10, 7, 10, 11]
    rows = [event(seq, 1, n=9, at=-20, expires=end) for seq, end in enumerate(ends, start=1)]
    found = stays(fold(rows, rule("time", clock=19, every=10)))
    assert [row[2:] for row in found] == [
        ("-10//0", 1), ("-10//0", 2), ("10//0", 3), ("10//0", 4), ("-", None),
    ]  # fmt: skip


def test_keys_have_windows_of_their_own_and_null_is_one():
    rows = [event(seq, k=k, n=1) for k in (None, "a", "b") for seq in (1, 2)]
    for place, row in enumerate(rows, start=1):
        row.update(__sequence=place, payload=f"row {place}")
    assert inside(fold(rows, rule("last"), sizes=[1])) == [2, 4, 6]
    assert inside(fold(rows, rule("last", keys=()))) == [6]


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        (pa.float64(), [float("nan"), -float("nan"), 0.0, -0.0]),
        (pa.decimal128(5, 2), [Decimal("1.00"), Decimal("1.00"), Decimal("2.00"), Decimal("2.00")]),
        (pa.struct([("a", pa.int64())]), [{"a": 1}, {"a": 1}, None, None]),
        (pa.null(), [None] * 4),
    ],
)
def test_keys_of_any_type(kind, keys):
    rows = [event(seq, k=k, n=1) for seq, k in enumerate(keys, start=1)]
    expected = [4] if pa.types.is_null(kind) else [2, 4]
    for sizes in ([9], [1]):
        assert inside(fold(rows, rule("last"), key=kind, sizes=sizes)) == expected


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (pa.float64(), [float("-inf"), -1.5, 0.0, 1.5, float("inf"), float("nan")]),
        (pa.float32(), [-2.5, -1.5, -0.5, 0.5, 2.5, float("nan")]),
        (pa.string(), ["", "A", "a", "ä", "\uffff", "😀"]),
        (pa.decimal128(20, 2), [Decimal(n) for n in ("-2", "-1.5", "0", "1", "2.25", "3")]),
        (
            pa.timestamp("us", tz="UTC"),
            [datetime(y, 1, 1, tzinfo=timezone.utc) for y in range(1967, 1973)],
        ),
        (pa.date32(), [datetime(y, 1, 1).date() for y in range(1967, 1973)]),
    ],
)
def test_values_are_in_the_order_of_spark(kind, values):
    for order in ([0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [3, 5, 0, 2, 4, 1]):
        rows = [event(seq, n=2, value=values[place]) for seq, place in enumerate(order, start=1)]
        highest = inside(fold(rows, rule("highest"), value=kind))
        assert sorted(order[seq - 1] for seq in highest) == [4, 5]
        lowest = inside(fold(rows, rule("lowest"), value=kind))
        assert sorted(order[seq - 1] for seq in lowest) == [0, 1]


def test_the_fold_keeps_the_rows_inside_and_no_more():
    window = Fold(rule("highest"))
    for batch in batches_of([event(seq, n=4, value=seq) for seq in range(1000)], sizes=[37]):
        done = window.read(batch)
        assert window.inside.num_rows <= 4
        assert window.inside.nbytes < 1_000
        assert done.num_rows <= 37 + 4
    assert window.end().num_rows == 4


def test_open_rows_of_a_window_leave_in_the_order_in_which_they_entered():
    cycles = [(20, -1, [0]), (20, None, [0]), (10, 3, [1]), (10, 3, [0, 5]), (10, 3, [0, 5])]
    rows = []
    for seq, (at, arrival, step) in enumerate(cycles, start=1):
        entered = {"at": EPOCH.replace(microsecond=at), "arrival": arrival, "step": step}
        none = dict.fromkeys(["__turn", "__at", "__cycle_arrival", "__step"])
        rows.append(event(seq, n=5) | none | {"entered": entered})
    rows += [event(seq, 30, n=5) for seq in range(6, 11)]
    for sizes in ([99], [1], [3]):
        found = fold(rows, rule("last"), sizes=sizes)
        assert [found[seq]["exit"] for seq in (4, 5, 3, 2, 1)] == [6, 7, 8, 9, 10]


def test_a_timed_window_forgets_when_rows_that_were_pushed_out_would_expire():
    for count in range(2, 300):
        window = Timed(2)
        for seq in range(count):
            assert window.begin(seq) == []
            window.add((seq, seq, 5000 - seq, None))
            assert len(window._expiries) <= 2 * 2 + FEW
        assert window.begin(9999) == [(seq, 5000 - seq) for seq in (count - 1, count - 2)]
        assert window.places() == []


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"kind": "first"}, "`kind` is one of highest, lowest, time, last, not 'first'"),
        ({"every": 0}, "`every` is 1 microsecond or more, not 0"),
        ({"depth": 0}, "`depth` is 1 or more, not 0"),
        ({"kind": "last", "grouped": True}, "only highest and lowest have an update group"),
    ],
)
def test_a_rule_that_cannot_be_is_refused(changed, message):
    good = {
        "kind": "highest",
        "keys": ("k",),
        "clock": 1,
        "every": None,
        "depth": 1,
        "grouped": False,
    }
    with pytest.raises(ValueError, match=message):
        Rule(**good | changed)


def test_a_rule_is_read_as_a_macro_writes_it():
    text = (
        '{"kind": "highest", "keys": ["a", "b\\""], "clock": -1, "every": 5, "depth": 2, '
        '"grouped": true}'
    )
    window = rule("highest", keys=("a", 'b"'), clock=-1, every=5, depth=2, grouped=True)
    assert Rule.from_json(text) == window
    for wrong in ("[]", '{"kind": "last"}', text.replace("depth", "deep")):
        with pytest.raises(ValueError, match="a Rule is an object of kind, keys, clock"):
            Rule.from_json(wrong)


@pytest.mark.parametrize(
    ("row", "kind", "message"),
    [
        (event(1, n=0), "last", "a window has 1 row or more, not 0"),
        (event(1, n=None), "last", "a window has 1 row or more, not 0"),
        (event(1, value=None), "highest", "a row without a value is not ranked"),
        (event(1, step=[1]), "last", "a `__step` has 0 numbers, as `depth` is 1"),
    ],
)
def test_rows_that_the_caller_should_have_left_out_stop_the_run(row, kind, message):
    with pytest.raises(ValueError, match=message):
        fold([row], rule(kind))


class Reference:
    """One window of one key, turn by turn, from the words of the rule: nothing is optimised."""

    def __init__(self, window, size):
        self.rule, self.size = window, size
        self.inside, self.stays = [], {}

    def expire(self, clock):
        for row in list(self.inside):
            end = row["__expires"]
            if self.rule.kind != "time" or end is None:
                continue
            every = self.rule.every
            while every and end % every:
                end += 1
            if end <= clock:
                self.leave(row, f"{end}//0", row["__sequence"])

    def enter(self, row, cycle):
        self.inside.append(row)
        self.stays[row["__sequence"]] = [cycle, "-", None]

    def leave(self, row, cycle, exit_seq):
        self.inside.remove(row)
        self.stays[row["__sequence"]][1:] = [cycle, exit_seq]

    def turn(self, rows):
        self.expire(rows[0]["__at"])
        at, arrival = rows[0]["__at"], rows[0]["__cycle_arrival"]
        cycle = f"{at}/{arrival}/{{}}".format
        if self.rule.is_ranked:
            self.ranked_turn(rows, cycle)
            return
        step, pending = 0, list(rows)
        while pending:
            free = self.size - len(self.inside)
            count = min(free or (1 if self.rule.kind == "last" else len(self.inside)), len(pending))
            entering, pending = pending[:count], pending[count:]
            if not free:
                for old, new in zip(self.inside[:count], entering, strict=True):
                    self.leave(old, cycle(step), new["__sequence"])
            for row in entering:
                self.enter(row, cycle(step))
            step += 1

    def ranked_turn(self, rows, cycle):
        sign = 1 if self.rule.kind == "highest" else -1
        step, used = 0, None  # used: what the step has done
        for row in rows:
            value, seq = sign * row["__value"], row["__sequence"]
            same = [r for r in self.inside if self.rule.grouped and r["__group"] == row["__group"]]
            others = [sign * r["__value"] for r in self.inside if r not in same]
            is_full = len(self.inside) >= self.size
            worst = min(
                self.inside, key=lambda r: (sign * r["__value"], r["__sequence"]), default=None
            )
            if same:
                enters = not (is_full and others and all(value < other for other in others))
                leaving = same[0]
            else:
                enters = not is_full or value >= sign * worst["__value"]
                leaving = worst if is_full and enters else None
            if leaving is None and not enters:
                continue
            use = "displace" if leaving else "fill"
            if used == "displace" or (used == "fill" and use == "displace"):
                step += 1
            used = use
            if leaving:
                self.leave(leaving, cycle(step), seq)
            if enters:
                self.enter(row, cycle(step))


def referred(rows, window):
    """What `stays` should be, by the reference."""
    expected = {row["__sequence"]: ["-", "-", None] for row in rows}
    for key in {row["k"] for row in rows}:
        own = [row for row in rows if row["k"] == key]
        one = Reference(window, own[0]["__count"])
        for turn in sorted({row["__turn"] for row in own}):
            one.turn([row for row in own if row["__turn"] == turn])
        one.expire(window.clock)
        expected |= one.stays
    return [(seq, *stay) for seq, stay in sorted(expected.items())]


def sorted_rows(rows):
    """As Spark sorts them for the fold."""
    return sorted(rows, key=lambda r: (r["k"] or "", r["__turn"] or -1, r["__sequence"]))


@st.composite
def streams(draw):
    """A rule and the rows of a few keys, in turns over all keys; not sorted by key."""
    kind = draw(st.sampled_from(["highest", "lowest", "time", "last"]))
    grouped = kind in ("highest", "lowest") and draw(st.booleans())
    every = draw(st.sampled_from([None, 4])) if kind == "time" else None
    sizes = draw(st.fixed_dictionaries({k: st.integers(1, 4) for k in (None, "a", "b")}))
    rows, at = [], 0
    for turn in range(1, draw(st.integers(1, 12)) + 1):
        at += draw(st.integers(0, 3)) * (every or 1)
        for k in draw(st.lists(st.sampled_from([None, "a", "b"]), max_size=7)):
            end = draw(st.none() | st.integers(at + 1, at + 8))
            value, group = draw(st.integers(-3, 3)), draw(st.sampled_from([None, "x", "y", "z"]))
            seq = len(rows) + 1
            rows.append(
                event(seq, turn, k=k, n=sizes[k], value=value, group=group, at=at, expires=end)
            )
    clock = at + draw(st.integers(0, 9))
    return rule(kind, clock=clock, every=every, grouped=grouped), rows


SIZES = st.lists(st.integers(1, 5), min_size=1, max_size=6)


@settings(max_examples=400, deadline=None)
@given(streams(), SIZES)
def test_the_fold_is_the_rule_at_any_size_of_batches(stream, sizes):
    window, rows = stream
    assert stays(fold(sorted_rows(rows), window, sizes=sizes)) == referred(rows, window)


@settings(max_examples=300, deadline=None)
@given(streams(), st.sets(st.integers(1, 12)), SIZES)
def test_the_fold_is_the_same_in_any_split_into_batches(stream, ends, sizes):
    window, rows = stream
    found, open_rows = {}, []
    for first, last in zip([0, *sorted(ends)], [*sorted(ends), 99], strict=True):
        new = [row for row in rows if first < row["__turn"] <= last]
        clock = max([row["__at"] for row in rows if row["__turn"] <= last], default=0)
        run = rule(
            window.kind,
            clock=window.clock if last == 99 else clock,
            every=window.every,
            grouped=window.grouped,
        )
        result = fold(sorted_rows([*open_rows, *new]), run, sizes=sizes)
        found |= {row[0]: row for row in stays(result)}
        open_rows = [
            {**result[seq], "__turn": None, "__at": None, "__step": None} for seq in inside(result)
        ]
    assert sorted(found.values()) == referred(rows, window)
