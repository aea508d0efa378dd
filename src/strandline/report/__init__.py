"""The report: one HTML file with everything that a person wants to look at."""
