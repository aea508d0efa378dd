"""What a window refuses while dbt parses: before anything is known of its source."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.jinja_macros import Refused, macros

EVENTS = {"source": SimpleNamespace(identifier="events"), "ts": "ts", "store": "last 5"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({'not_after': 5}, "`not_after` is '5'; write one SQL expression over the columns of the source"),
        ({'pinned': True}, '`pinned` is true, which may be true only with `aggregates`'),
        ({'pinned': 'yes'}, "`pinned` is 'yes'; write true or false"),
        ({'weight': True}, "`weight` is 'True'; write a number above 0 and up to 1"),
        ({'weight': '0.5'}, "`weight` is '0.5'; write a number above 0 and up to 1"),
        ({'aggregates': {'n': 'count(distinct n)'}}, "`aggregates` has n = 'count(distinct n)'; `distinct` is no part of an expression: write a pair, the aggregate and its value when no row is inside: ['count(distinct n)', '0']"),
        ({'aggregates': {'s': 'sum(n) filter (where n > 1)'}}, "after the function's parentheses only `entrance only` and `diff` may stand: for a filter write sum(case when … then … end)"),
        ({'aggregates': {'s': 'sum(n) over ()'}}, 'only `entrance only` and `diff` may stand'),
        ({'aggregates': {'s': 'sum(*)'}}, 'only `count` takes *; write a column'),
        ({'aggregates': {'s': 'count(n, ts)'}}, 'which has several arguments; write one expression'),
        ({'keys': ['n', 'N']}, '`keys` names a column twice: n, N'),
        ({'store': 'last ten'}, "`store` is 'last ten'; write one of: last N;"),
        ({'store': 'last 1 month'}, "`store` is 'last 1 month'; write one of"),
        ({'store': 'highest 5'}, "`store` is 'highest 5'; write one of"),
        ({'aggregates': {'n': 'cuont(id)'}}, "there is no aggregate 'cuont'; did you mean 'count'?"),
        ({'aggregates': {'n': 'median(id) entrance only'}}, 'median cannot be entrance only'),
        ({'pinned': True}, 'true only with `aggregates`'),
        ({'weight': 2}, "`weight` is '2'; write a number above 0 and up to 1"),
        ({'weight': 0.5, 'every': '1 hour'}, '`weight` and `every` are both given'),
        ({'update_group': ['id']}, '`update_group` is given, and `store` is neither'),
        ({'where': 'id > 1 and $row_status is new'}, 'stands first and only there'),
        ({'where': '$row_status is new'}, '`ts` is given, but a chained window'),
        ({'store': 'highest 5 using id', 'update_group': 'key'}, "`update_group` is 'key'; write a list of columns, such as ['sku']"),
        ({'keys': 'key'}, "`keys` is 'key'; write a list of columns, such as ['src_ip'], or [] for one window"),
    ],
)  # fmt: skip
def test_what_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(Refused) as refused:
        macros().window_table(**EVENTS | given)
    assert message in str(refused.value)
