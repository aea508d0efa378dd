"""`python -m bench.tick.landed 1`: the events of the demo's first month, in the project here."""

from __future__ import annotations

import sys
from pathlib import Path

from strandline.spark import close, close_session, credentials_for, open_session
from strandline_demo.landings import Landings
from strandline_demo.year import Year


def main(months: int) -> None:
    """Lands the flights and the weather of some months. Nothing is built."""
    credentials = credentials_for(Path(), "local", Path("profiles"))
    spark = open_session(credentials)
    try:
        for days in Year(months).landings():
            Landings(spark, Path(credentials.home)).land(days)
        close_session(spark)
    finally:
        close()


if __name__ == "__main__":
    main(int(sys.argv[1]))
