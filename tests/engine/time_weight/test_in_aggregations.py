"""`time_weight` as an aggregate of an aggregation: one definition, gap-aware from seconds to days."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest
from tests.engine.time_weight.cases import MINUTE, same
from tests.engine.time_weight.oracle import SECOND, time_weight
from tests.engine.time_weight.test_tables import COLUMNS, insert, points, runs_of

EVERY = {"seconds": SECOND, "minutes": MINUTE, "hours": 60 * MINUTE, "days": 1_440 * MINUTE}
ARGUMENTS = """every='sec...day', ts='ts', keys=['sensor'], select={
    'carried': "time_weight(value, 'locf', '90 minutes')", 'line': "time_weight(value, 'linear', null, 'end')", 'n': 'count(value)'}"""
YEAR = (1_356_998_400 * SECOND, 1_388_534_400 * SECOND)  # 2013
READ = "select * from {{{{ strandline.aggregation_within(signal(), within=['2013-01-01 00:00:00', '2014-01-01 00:00:00'], per='{}') }}}}"


@pytest.mark.soak
def test_every_duration_has_the_time_weight_of_all_its_points(small) -> None:
    small.define("signal", COLUMNS, list(EVERY), ARGUMENTS)
    chance = random.Random("aggregation")  # noqa: S311
    given = points(chance)
    arrived = 0
    for some in runs_of(given, chance):
        insert(small, some, arrived + 1) if some else None
        arrived += len(some)
        small.run()
    for duration in EVERY:
        small.change(f"read_{duration}", READ.format(duration))
    small.run("--select", "read_*")

    for duration, length in EVERY.items():
        buckets: dict[tuple, list[tuple]] = defaultdict(list)
        for arrival, (sensor, t, value, _) in enumerate(given, start=1):
            if t is not None and YEAR[0] <= t < YEAR[1]:
                buckets[sensor, t - t % length].append((t, value, arrival))
        fields = "{0}.elapsed, {0}.num_gaps, unix_micros({0}.first_time), {0}.last_value, {0}.weighted_sum"
        found = {
            (row[0], row[1]): (tuple(row[2:7]), tuple(row[7:12]), row[12])
            for row in small.rows(
                f"select sensor, unix_micros(agg_timestamp), {fields.format('carried')}, {fields.format('line')}, n"
                f" from small.read_{duration}"
            )
        }
        assert found.keys() == buckets.keys()
        for key, some in buckets.items():
            for place, setting in enumerate([("locf", 90 * MINUTE), ("linear", None, "end")]):
                summary = time_weight(some, *setting)
                row = (None,) * 5 if summary is None else (
                    summary.elapsed, summary.num_gaps, summary.first_time, summary.last_value, float(summary.weighted_sum))  # fmt: skip
                assert same(found[key][place][:4], row[:4]), (duration, key)
                assert summary is None or found[key][place][4] == pytest.approx(
                    row[4], rel=1e-9, abs=1e-9, nan_ok=True
                ), (duration, key)
