"""The command line `strandline`: each command is a thin layer over dbt and Spark."""
