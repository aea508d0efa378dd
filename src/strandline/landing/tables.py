"""The two tables of a landing and their schemas: checked when they exist, made when missing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.connection import properties_of
from strandline.errors import LandingError
from strandline.landing.epochs import as_timestamps, marked, unit_of
from strandline.literals import name_sql, text_sql
from strandline.spark.errors import message_of

# Spark puts variables for `${…}` in statements, in quoted names, too.
NOT_IN_NAMES = "{}\n\r\t"
# Delta allows these only in a table with column mapping.
MAPPED = " ,;()="
MAPPING = "delta.columnMapping.mode"
RESERVED = ("arrival", "landed_from")
TAKEN = "is reserved: the landing adds it"
BOUNDED = (T.CharType, T.VarcharType)
SCALARS = (
    T.StringType,
    *BOUNDED,
    T.BooleanType,
    T.ByteType,
    T.ShortType,
    T.IntegerType,
    T.LongType,
    T.FloatType,
    T.DoubleType,
    T.DecimalType,
    T.DateType,
    T.TimestampType,
    T.TimestampNTZType,
)

ADDED = T.StructType(
    [
        T.StructField("arrival", T.LongType(), nullable=False),
        T.StructField("landed_from", T.StringType(), nullable=False),
    ]
)
QUARANTINE = T.StructType(
    [
        *ADDED,
        T.StructField("line", T.LongType()),  # none: the whole file
        T.StructField("raw", T.StringType()),
        T.StructField("raw_bytes", T.BinaryType()),  # of a line that is not UTF-8
        T.StructField("reason", T.StringType(), nullable=False),
    ]
)


def type_name(kind: T.DataType) -> str:
    """The type as it is written in SQL, such as ``INT`` or ``DECIMAL(5,2)``."""
    return kind.simpleString().upper()


def declared_type(field: T.StructField) -> str:
    """The type of a column as the schema has it."""
    return unit_of(field) or type_name(field.dataType)


def column_list(schema: T.StructType) -> str:
    """The columns as DDL, quoted, for messages and CREATE TABLE."""
    return ", ".join(
        # The names in a STRUCT stay as they are.
        f"{name_sql(field.name)} {field.dataType.simpleString()}"
        + ("" if field.nullable else " NOT NULL")
        for field in schema
    )


def parse_schema(
    ddl: str, *, is_text: bool, faults: list[str], reserved: Sequence[str] = RESERVED
) -> T.StructType | None:
    """Read the user's DDL; add what is wrong with it to `faults`.

    Args:
        is_text: values are read from text, so that only scalar types can be checked.
        reserved: the columns that the landing adds.
    """
    spark_ddl, epochs = as_timestamps(ddl)
    try:
        schema = T.StructType.fromDDL(spark_ddl)
    except PySparkException as error:
        first = next((line for line in str(error).splitlines() if line.strip()), "")
        faults.append(
            f"schema '{ddl}' is not Spark DDL, such as 'id BIGINT NOT NULL, name STRING': {first}"
        )
        return None
    if not isinstance(schema, T.StructType):
        faults.append(f"schema '{ddl}' is one type; name the columns: 'value {ddl}'")
        return None
    schema, before = marked(schema, epochs), len(faults)
    names = [field.name.lower() for field in schema]
    faults.extend(
        f"column {name}: {kind} is read from text; in Parquet it is a BIGINT: land that, and "
        f"write timestamp_{kind.removeprefix('EPOCH_').lower()}({name}) in SQL"
        for name, kind in epochs.items()
        if not is_text
    )
    faults.extend(
        f"column {name} is given twice in the schema"
        for name in sorted({name for name in names if names.count(name) > 1})
    )
    faults.extend(
        f"column {name} {what}; {'rename yours' if what == TAKEN else 'rename it'}"
        for name, what in name_problems(names, reserved)
    )
    faults.extend(
        f"column {field.name}: type {type_name(field.dataType)} cannot be read from text; "
        "use STRING and take it apart in SQL"
        for field in schema
        if is_text and not isinstance(field.dataType, SCALARS)
    )
    faults.extend(
        f"column {field.name}: {type_name(field.dataType)} has a CHAR or VARCHAR inside; write "
        "STRING there"
        for field in schema
        if not isinstance(field.dataType, BOUNDED) and "char(" in field.dataType.simpleString()
    )
    if not names:
        faults.append("schema is empty; give at least one column")
    return schema if len(faults) == before else None


def name_problems(
    names: Iterable[str], reserved: Sequence[str] = RESERVED
) -> list[tuple[str, str]]:
    """The columns that a table of a landing cannot have, with the reason."""
    lower = [name.lower() for name in names]
    return [
        *((name, TAKEN) for name in reserved if name in lower),
        *(
            (name, "begins with two underscores, which Strandline keeps for its own")
            for name in lower
            if name.startswith("__")
        ),
        *(
            (name, "has a brace, a tab or a line break in its name")
            for name in lower
            if set(name) & set(NOT_IN_NAMES)
        ),
    ]


def stored(schema: T.StructType) -> T.StructType:
    """The columns as they are in the table: of a CHAR or VARCHAR only the length is checked."""
    return T.StructType(
        [
            T.StructField(field.name, T.StringType(), field.nullable)
            if isinstance(field.dataType, BOUNDED)
            else field
            for field in schema
        ]
    )


def differences(expected: T.StructType, given: T.StructType) -> list[str]:
    """What differs between the columns of two schemas, by name and type; their order is free."""
    wanted = {field.name: type_name(field.dataType) for field in expected}
    found = {field.name: type_name(field.dataType) for field in given}
    return [
        *(f"column {name} {kind} is missing" for name, kind in wanted.items() if name not in found),
        *(f"column {name} {kind} is unknown" for name, kind in found.items() if name not in wanted),
        *(
            f"column {name} is {found[name]}, {kind} was expected"
            for name, kind in wanted.items()
            if name in found and found[name] != kind
        ),
    ]


STORED_NAME = "strandline.quarantine"


def table_faults(spark: SparkSession, table: str, schema: T.StructType) -> list[str]:
    """How an existing table differs from what the landing writes; nothing if it is missing."""
    if not spark.catalog.tableExists(table):
        return []
    given = spark.table(table).schema
    return [
        f"table {table} exists with other columns: {fault}; give its schema, or land to a new table"
        for fault in differences(schema, given)
    ]


def new_columns(
    spark: SparkSession, table: str, schema: T.StructType
) -> tuple[T.StructType, list[str]]:
    """The columns that an existing table lacks and can get, and how else it differs."""
    if not spark.catalog.tableExists(table):
        return T.StructType(), []
    given = spark.table(table).schema
    known = {name.lower() for name in given.names}
    new = [
        field for field in schema if field.name.lower() not in known and field.name not in RESERVED
    ]
    if differences(schema, T.StructType([*given, *new])):
        return T.StructType(), table_faults(spark, table, schema)
    return T.StructType(new), [
        f"table {table} has no column {field.name}, and its rows would have no value of it; write "
        f"{field.name} {declared_type(field)} without NOT NULL"
        for field in new
        if not field.nullable
    ]


def add_columns(spark: SparkSession, table: str, schema: T.StructType, new: T.StructType) -> None:
    """Give a table new columns, each where the schema has it; they are null in its rows.

    Raises:
        LandingError: Spark refuses it.
    """
    before = dict(zip(schema.names, [None, *schema.names], strict=False))
    places = [
        f"{column_list(T.StructType([field]))} "
        + (f"AFTER {name_sql(name)}" if (name := before[field.name]) else "FIRST")
        for field in new
    ]
    try:
        if _needs_mapping(new) and not _needs_mapping(spark.table(table).schema):
            spark.sql(f"ALTER TABLE {table} SET TBLPROPERTIES ({text_sql(MAPPING)} = 'name')")
        spark.sql(f"ALTER TABLE {table} ADD COLUMNS ({', '.join(places)})")
    except PySparkException as error:
        message = message_of(error)
        raise LandingError(f"land: table {table} cannot get its new columns: {message}") from error


def _needs_mapping(schema: T.StructType) -> bool:
    return any(set(name) & set(MAPPED) for name in schema.names)


def create_table(
    spark: SparkSession,
    table: str,
    schema: T.StructType,
    properties: Mapping[str, str] | None = None,
) -> None:
    """Make a Delta table, and the schema that holds it, unless they exist.

    Raises:
        LandingError: Spark refuses it.
    """
    try:
        spark.sql(f"CREATE SCHEMA IF NOT EXISTS {table.rpartition('.')[0]}")
        mapping = {MAPPING: "name"} if _needs_mapping(schema) else {}
        given = {**mapping, **(properties or {})}
        listed = ", ".join(f"{text_sql(key)} = {text_sql(value)}" for key, value in given.items())
        ending = f" TBLPROPERTIES ({listed})" if listed else ""
        columns = column_list(schema)
        spark.sql(f"CREATE TABLE IF NOT EXISTS {table} ({columns}) USING delta{ending}")
    except PySparkException as error:
        message = message_of(error)
        raise LandingError(f"land: table {table} cannot be created: {message}") from error


def quarantine_of(spark: SparkSession, table: str) -> str:
    """The table of the faulty rows of the landing into `table`."""
    return properties_of(spark, table).get(STORED_NAME, f"{table}_quarantine")


def note_quarantine(spark: SparkSession, table: str, quarantine: str) -> None:
    """Store the name of the quarantine with the events table, where it is not the usual one."""
    if quarantine_of(spark, table).lower() != quarantine.lower():
        spark.sql(f"ALTER TABLE {table} SET TBLPROPERTIES ('{STORED_NAME}' = '{quarantine}')")


def last_arrivals(spark: SparkSession, table: str, quarantine: str) -> tuple[int, int]:
    """The greatest arrival of both tables."""
    return last_arrival(spark, table), last_arrival(spark, quarantine)


def last_arrival(spark: SparkSession, table: str) -> int:
    """The greatest arrival of a table, 0 when it is empty or missing.

    Delta answers from its log's statistics: no row is read.
    """
    if not spark.catalog.tableExists(table):
        return 0
    greatest = spark.table(table).agg(F.max("arrival")).first()
    return int(greatest[0] or 0) if greatest else 0
