"""The demo's data: every flight that left New York in 2013, as events in their true order, and the
weather at its airports.
"""

from strandline.flights.deliveries import CarrierDay
from strandline.flights.events import COLUMNS, flight_events, flights_schema, write_flights
from strandline.flights.files import FIRST, LAST
from strandline.flights.source import FlightsError, read_flights, read_weather
from strandline.flights.weather import weather_reports, weather_schema, write_weather

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
