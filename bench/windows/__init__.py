"""What windows cost: beside plain Spark and DuckDB, run after run, by keys and by length."""
