"""The demo's data: every flight that left New York in 2013, as events in their true order, and the
weather at its airports.
"""

from strandline_demo.flights.events import (
    COLUMNS,
    CarrierDay,
    flight_events,
    flights_schema,
    write_flights,
)
from strandline_demo.flights.files import FIRST, LAST
from strandline_demo.flights.source import FlightsError, read_flights, read_weather
from strandline_demo.flights.weather import weather_reports, weather_schema, write_weather

__all__ = [
    "COLUMNS",
    "FIRST",
    "LAST",
    "CarrierDay",
    "FlightsError",
    "flight_events",
    "flights_schema",
    "read_flights",
    "read_weather",
    "weather_reports",
    "weather_schema",
    "write_flights",
    "write_weather",
]
