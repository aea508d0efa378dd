"""What six tables of an aggregation cost: beside plain Spark and DuckDB, and run after run."""
