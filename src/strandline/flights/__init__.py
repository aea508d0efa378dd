"""The demo's data: every flight that left New York in 2013, as events in their true order."""

from strandline.flights.events import COLUMNS, flight_events, flights_schema
from strandline.flights.files import FIRST, LAST, write_flights
from strandline.flights.source import FlightsError, read_flights

__all__ = [
    "COLUMNS",
    "FIRST",
    "LAST",
    "FlightsError",
    "flight_events",
    "flights_schema",
    "read_flights",
    "write_flights",
]
