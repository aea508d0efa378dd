"""The two tables of a landing: made when missing, checked when they exist."""

from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.landing.schema import column_list, differences

QUARANTINE = "strandline.quarantine"


def table_faults(spark: SparkSession, table: str, schema: T.StructType) -> list[str]:
    """How an existing table differs from what the landing writes; nothing if it is missing."""
    if not spark.catalog.tableExists(table):
        return []
    given = spark.table(table).schema
    return [
        f"table {table} exists with other columns: {fault}; give its schema, or land to a new table"
        for fault in differences(schema, given)
    ]


def create_table(spark: SparkSession, table: str, schema: T.StructType) -> None:
    """Make a Delta table, and the schema that holds it, unless they exist."""
    spark.sql(f"CREATE SCHEMA IF NOT EXISTS {table.rpartition('.')[0]}")
    spark.sql(f"CREATE TABLE IF NOT EXISTS {table} ({column_list(schema)}) USING delta")


def quarantine_of(spark: SparkSession, table: str) -> str:
    """The table of the faulty rows of the landing into `table`."""
    shown = spark.sql(f"SHOW TBLPROPERTIES {table}").collect()
    properties: dict[str, str] = {row.key: row.value for row in shown}
    return properties.get(QUARANTINE, f"{table}_quarantine")


def note_quarantine(spark: SparkSession, table: str, quarantine: str) -> None:
    """Store the name of the quarantine with the events table, where it is not the usual one."""
    if quarantine_of(spark, table).lower() != quarantine.lower():
        spark.sql(f"ALTER TABLE {table} SET TBLPROPERTIES ('{QUARANTINE}' = '{quarantine}')")


def last_arrival(spark: SparkSession, table: str) -> int:
    """The greatest arrival of a table, 0 when it is empty or missing.

    Delta answers from its log's statistics: no row is read.
    """
    if not spark.catalog.tableExists(table):
        return 0
    greatest = spark.table(table).agg(F.max("arrival")).first()
    return int(greatest[0] or 0) if greatest else 0
