"""Landing: files become rows of a Delta table exactly once, each with its arrival number."""

from strandline.errors import LandingError, WrongUse
from strandline.landing.api import land, land_kafka, land_table
from strandline.landing.request import check_request
from strandline.landing.run import LandingResult

__all__ = [
    "LandingError",
    "LandingResult",
    "WrongUse",
    "check_request",
    "land",
    "land_kafka",
    "land_table",
]
