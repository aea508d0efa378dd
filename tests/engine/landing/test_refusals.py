"""What is refused, with its message; nothing is consumed."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from strandline.landing import LandingError, LandingResult, WrongUse
from strandline.landing.files import CORRECT


def test_all_faults_of_a_request_come_at_once(place) -> None:
    place.source.rmdir()
    with pytest.raises(WrongUse) as refused:
        place.land(
            "id INT, ID STRING, arrival BIGINT, tags ARRAY<STRING>, __x INT, at TIMESTAMP_NTZ",
            quarantine="no dot",
            options={"separator": ";", "multi_line": "yes", "sep": "\n"},
        )
    assert str(refused.value).splitlines() == [
        "land:",
        "- option 'separator' is unknown for csv; allowed: glob, header, sep, quote, null_value, "
        "multi_line, rest, unknown, timestamp_format, date_format, time_zone",
        "- option multi_line='yes' must be true or false",
        "- option sep is a line break, which ends a row; name another",
        "- table 'no dot' is not a name such as schema.name",
        f"- source folder '{place.source}' does not exist; give the folder of the files",
        "- column id is given twice in the schema",
        "- column arrival is reserved: the landing adds it; rename yours",
        "- column __x begins with two underscores, which Strandline keeps for its own; rename it",
        "- column tags: type ARRAY<STRING> cannot be read from text; "
        "use STRING and take it apart in SQL",
    ]


def test_a_schema_that_does_not_parse(place) -> None:
    with pytest.raises(WrongUse, match=r"schema 'id INTT' is not Spark DDL, such as 'id BIGINT"):
        place.land("id INTT")
    with pytest.raises(WrongUse, match=r"schema 'INT' is one type; name the columns: 'value INT'"):
        place.land("INT")
    with pytest.raises(
        WrongUse, match=r"x: ARRAY<VARCHAR\(5\)> has a CHAR or VARCHAR inside; write"
    ):
        place.land("x ARRAY<VARCHAR(5)>", "parquet")


def test_a_pattern_of_times_that_a_column_cannot_hold(place) -> None:
    with pytest.raises(WrongUse, match="column at is a TIMESTAMP_NTZ, and timestamp_format='yyyy-"):
        place.land("at TIMESTAMP_NTZ", options={"timestamp_format": "yyyy-MM-dd HH:mm XXX"})


def test_a_session_in_another_zone(place) -> None:
    place.spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    try:
        with pytest.raises(WrongUse, match=r"time zone is America/New_York; set spark.sql.session"):
            place.land("id INT")
    finally:
        place.spark.conf.set("spark.sql.session.timeZone", "UTC")


def test_a_table_with_other_columns(place) -> None:
    place.spark.sql("CREATE SCHEMA IF NOT EXISTS landing_test")
    place.spark.sql(
        f"CREATE TABLE {place.table} (id STRING, arrival BIGINT, landed_from STRING) USING delta"
    )
    with pytest.raises(LandingError) as refused:
        place.land("id INT, name STRING")
    assert str(refused.value).splitlines() == [
        "land:",
        f"- table {place.table} exists with other columns: column name STRING is missing; "
        "give its schema, or land to a new table",
        f"- table {place.table} exists with other columns: column id is STRING, INT was expected; "
        "give its schema, or land to a new table",
    ]


def test_a_new_column_that_is_required(place) -> None:
    place.write("a.csv", "id\n1\n")
    place.land("id INT")
    assert place.refuses("id INT, name STRING NOT NULL") == (
        f"land:\n- table {place.table} has no column name, and its rows would have no value of it; "
        "write name STRING without NOT NULL"
    )


def test_a_wrong_header_of_all_files_consumes_nothing_and_can_be_corrected(place) -> None:
    """The schema or an option is likely to be wrong."""
    place.write("a.csv", "id;name\n1,x\n")
    place.write("b.csv", "\nid,name\n2,y\n")
    place.write("c.csv", "")
    with pytest.raises(LandingError) as refused:
        place.land("id INT, name STRING")
    assert str(refused.value).splitlines() == [
        "land:",
        "- file a.csv: its header is id;name; expected id, name; " + CORRECT,
        "- file b.csv: its header is empty; expected id, name; " + CORRECT,
    ]
    assert not place.has_begun
    place.write("a.csv", "id,name\n1,x\n")
    place.write("b.csv", 'id,"name"\n2,y\n')
    assert place.land("id INT, name STRING") == LandingResult(2, 0, 1, 1, 2)


def test_parquet_columns_that_are_missing_or_of_another_type(place) -> None:
    pq.write_table(pa.table({"id": pa.array([1], pa.int64())}), place.source / "a.parquet")
    with pytest.raises(LandingError) as refused:
        place.land("id INT, name STRING", "parquet")
    assert str(refused.value).splitlines() == [
        "land:",
        "- file a.parquet: column name STRING is missing; given id; expected id, name",
        "- file a.parquet: column id is BIGINT, INT was expected; given id; expected id, name",
    ]


def test_parquet_has_no_epoch_times(place) -> None:
    with pytest.raises(WrongUse) as refused:
        place.land("at EPOCH_MILLIS", "parquet")
    assert str(refused.value) == (
        "land:\n- column at: EPOCH_MILLIS is read from text; in Parquet it is a BIGINT: land that, "
        "and write timestamp_millis(at) in SQL"
    )


@pytest.mark.parametrize("schema", ["id INT", "id INT, rest INT"])
def test_what_takes_the_rest_is_a_string_column(place, schema: str) -> None:
    with pytest.raises(WrongUse) as refused:
        place.land(schema, "json", options={"rest": "rest"})
    assert str(refused.value) == (
        "land:\n- option rest='rest' is no STRING column of the schema; add it, such as 'rest STRING'"
    )
