"""What a run of the demo costs when nothing is new: dbt and Spark starting included."""
