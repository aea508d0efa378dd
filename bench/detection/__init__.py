"""What detection costs: beside plain Spark and DuckDB, and run after run."""
