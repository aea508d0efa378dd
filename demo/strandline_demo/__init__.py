"""The demo: flights and weather of 2013, from files to alerts. In a clone only, not in a wheel."""
