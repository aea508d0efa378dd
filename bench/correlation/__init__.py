"""What a correlation costs: beside joins and anti-joins in plain Spark and DuckDB."""
