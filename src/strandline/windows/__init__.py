"""The windows whose rule is sequential: which rows enter, and which leave, in which cycle.

`sliding` and `ranked` decide event by event without Arrow; `fold` gives them the events of Arrow
batches; `plan` runs the fold in Spark. All other windows are window functions in SQL.
"""

from strandline.windows.fold import fold_batches
from strandline.windows.rule import Rule

__all__ = ["Rule", "fold_batches"]
