"""What gap-aware time weights cost: beside plain Spark, DuckDB and Polars, and run after run."""
