"""What a run of consolidation costs: on a day of a year of anomalies, beside a merge by hand."""
