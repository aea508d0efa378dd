"""Sessions: apart from one another, one home for one process, errors in one sentence."""

import json
import re
import shutil
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace

import pytest
from dbt_common.exceptions import DbtDatabaseError
from pyspark import SparkContext
from pyspark.sql.types import LongType, StructField, StructType

from dbt.adapters.strandline.credentials import StrandlineCredentials
from dbt.adapters.strandline.handle import SessionHandle
from strandline.errors import LandingError
from strandline.landing.tables import create_table
from strandline.spark import (
    StrandlineSparkError,
    credentials_for,
    open_session,
    session,
    session_for,
)
from strandline.spark.home import check_location, check_metastore
from strandline.spark.lock import holder_of
from strandline.spark.server_start import start_server


@pytest.fixture
def credentials(strandline_home):
    return StrandlineCredentials(schema="strandline", home=str(strandline_home))


@pytest.fixture
def cursor(credentials):
    handle = SessionHandle(open_session(credentials))
    yield handle.cursor()
    handle.close()


def test_temp_views_and_settings_are_a_session_s_own(credentials):
    one, two = open_session(credentials), open_session(credentials)
    one.sql("create temporary view own as select 1")
    one.conf.set("spark.sql.shuffle.partitions", "7")
    assert not two.catalog.tableExists("own")
    assert two.conf.get("spark.sql.shuffle.partitions") == "2"


def test_a_staged_query_is_computed_once_and_leaves_its_plan_behind(credentials):
    handle = SessionHandle(open_session(credentials))
    handle.stage_query("select rand() as drawn from range(3)", "draws")
    rows = handle.session.table("draws").collect()
    assert len(set(rows)) == 3
    assert rows == handle.session.table("draws").collect()
    with pytest.raises(DbtDatabaseError, match="TABLE_OR_VIEW_NOT_FOUND"):
        handle.stage_query("select * from nowhere", "draws")
    handle.close()


STAYS = """
    select id % 3 as `The Key`, if(id < 3, null, id) as __turn, id as __sequence,
        id as __at, id as __cycle_arrival, cast(array() as array<int>) as __step,
        id + 4 as __expires, 2L as __count, map('id', id) as payload,
        named_struct('at', timestamp_micros(id), 'arrival', id, 'step', array(0)) as entered
    from range({})
"""


def test_a_fold_keeps_every_column_and_knows_keys_in_any_case(credentials):
    handle = SessionHandle(open_session(credentials))
    rule = json.dumps(
        {
            "kind": "time",
            "keys": ["THE KEY"],
            "clock": 6,
            "every": None,
            "depth": 1,
            "grouped": False,
        }
    )
    handle.fold_query(STAYS.format(7), "stays", rule)
    rows = handle.session.sql(
        "select __sequence, payload['id'], unix_micros(entered.at), unix_micros(expelled.at),"
        " expelled.arrival, expelled.step, exit from stays order by 1"
    )
    assert rows.collect() == [
        (0, 0, 0, 4, None, [0], 0),
        (1, 1, 1, 5, None, [0], 1),
        (2, 2, 2, 6, None, [0], 2),
        *((seq, seq, seq, None, None, None, None) for seq in (3, 4, 5, 6)),
    ]
    handle.fold_query(STAYS.format(0), "stays", rule)
    assert handle.session.table("stays").count() == 0
    with pytest.raises(DbtDatabaseError, match="a window has 1 row or more, not 0"):
        handle.fold_query(STAYS.format(1).replace("2L", "0L"), "stays", rule)
    handle.close()


def test_a_session_takes_the_settings_of_its_target(credentials):
    own = {"spark.sql.shuffle.partitions": "9", "spark.driver.memory": "4g"}
    conf = open_session(replace(credentials, server_side_parameters=own)).conf
    assert conf.get("spark.sql.shuffle.partitions") == "9"
    assert conf.get("spark.sql.ansi.enabled") == "true"  # dbt-spark would turn it off
    assert conf.get("spark.sql.session.timeZone") == "UTC"
    off = replace(credentials, server_side_parameters={"spark.sql.ansi.enabled": "false"})
    assert open_session(off).conf.get("spark.sql.ansi.enabled") == "false"


def test_a_setting_that_spark_refuses_is_named(credentials):
    wrong = replace(credentials, server_side_parameters={"spark.sql.ansi.enabled": "yes"})
    with pytest.raises(StrandlineSparkError) as refused:
        open_session(wrong)
    ours, _, of_spark = str(refused.value).partition(": Spark refuses ")
    assert ours == "profiles.yml"
    name, _, of_spark = of_spark.partition(" in server_side_parameters: ")
    assert name == "`spark.sql.ansi.enabled`"
    # Spark 4.0: should be boolean, but was yes; later ones: The value 'yes' … "BOOLEAN".
    assert re.search(r"\byes\b", of_spark)
    assert re.search(r"\bboolean\b", of_spark, re.IGNORECASE)


@pytest.mark.usefixtures("spark")
def test_a_second_home_in_one_process_is_refused(credentials, tmp_path):
    with pytest.raises(StrandlineSparkError, match=r"it cannot open .* as well"):
        open_session(replace(credentials, home=str(tmp_path)))


def test_a_method_without_session_is_refused():
    thrift = SimpleNamespace(method="thrift")
    with pytest.raises(StrandlineSparkError, match="method: thrift has no Spark session"):
        open_session(thrift)


def test_connect_without_a_server_says_how_to_start_one(tmp_path):
    lonely = StrandlineCredentials(schema="s", method="connect", home=str(tmp_path))
    with pytest.raises(StrandlineSparkError, match=r"no warm server .* run `strandline serve`"):
        open_session(lonely)


@pytest.mark.parametrize(
    ("remote", "message"),
    [
        ("sc://127.0.0.1:1", r"Nothing answers at sc://127\.0\.0\.1:1 \(Connection refused\)"),
        ("http://127.0.0.1", r"must be the URL .* sc://<host>:<port>, got 'http://127"),
    ],
)
def test_a_remote_that_is_not_there_is_refused_at_once(remote, message):
    wrong = StrandlineCredentials(schema="s", method="connect", remote=remote)
    with pytest.raises(StrandlineSparkError, match=message):
        open_session(wrong)


@pytest.fixture
def new_process(monkeypatch):
    """As if Strandline had not started Spark in this process yet."""
    monkeypatch.setattr(session, "_process", session._Process())
    monkeypatch.setattr(SparkContext, "_active_spark_context", None)


@pytest.mark.usefixtures("new_process")
def test_a_spark_that_somebody_else_started_is_refused(credentials, tmp_path, monkeypatch):
    monkeypatch.setattr(SparkContext, "_active_spark_context", object())
    with pytest.raises(StrandlineSparkError, match="has started Spark by itself already"):
        open_session(replace(credentials, home=str(tmp_path)))
    assert holder_of(tmp_path / "lock") is None


@pytest.fixture
def copied(spark, strandline_home, tmp_path):
    """What a copied home has of its original: the metastore, and where its tables were made."""
    spark.sql("create or replace table default.kept using delta as select 1 as id")
    shutil.copytree(strandline_home / "metastore", tmp_path / "copy" / "metastore")
    shutil.copy(strandline_home / "location", tmp_path / "copy")
    return tmp_path / "copy"


@pytest.mark.usefixtures("new_process")
def test_a_copied_home_is_refused_before_spark_starts(credentials, copied, strandline_home):
    kept = strandline_home / "warehouse" / "kept"
    before = sorted((path, path.stat().st_mtime_ns) for path in kept.rglob("*"))
    with pytest.raises(StrandlineSparkError) as refused:
        open_session(replace(credentials, home=str(copied)))
    assert str(refused.value).startswith(
        f"home {copied} is a copy: its tables were made at {strandline_home}, and"
    )
    assert holder_of(copied / "lock") is None
    assert not (copied / "logs").exists()
    assert before == sorted((path, path.stat().st_mtime_ns) for path in kept.rglob("*"))


def test_where_no_record_is_left_the_metastore_says_where_its_tables_are(
    spark, copied, strandline_home
):
    (copied / "location").unlink()
    assert not check_location(copied, {})
    there = {"spark.sql.warehouse.dir": f"file:{copied}/warehouse"}
    on_copy = SimpleNamespace(catalog=spark.catalog, conf=there)
    with pytest.raises(StrandlineSparkError) as refused:
        check_metastore(on_copy, copied)
    assert f"{copied} is a copy: its tables were made at {strandline_home}, and" in str(
        refused.value
    )
    (strandline_home / "location").unlink()
    check_metastore(spark, strandline_home)
    assert (strandline_home / "location").read_text() == str(strandline_home)


def test_a_table_whose_creation_was_interrupted_is_created_by_the_next_run(spark, strandline_home):
    warehouse, columns = strandline_home / "warehouse", StructType([StructField("id", LongType())])
    spark.sql("create or replace table default.empty_one (id bigint) using delta")
    shutil.copytree(warehouse / "empty_one", warehouse / "incomplete")  # unknown to the metastore
    with pytest.raises(
        LandingError, match=r"land: table default.incomplete cannot be created: \[DELTA_CREATE_TABLE_WITH_"
        r"NON_EMPTY_LOCATION\](.|\n)*\nThe folder belongs to no table that the metastore knows: ",
    ):  # fmt: skip
        create_table(spark, "default.incomplete", columns)
    (warehouse / "begun" / "_delta_log").mkdir(parents=True)
    assert not check_location(strandline_home, {})
    check_metastore(spark, strandline_home)
    assert check_location(strandline_home, {})
    for table in ("incomplete", "begun", "empty_one"):
        create_table(spark, f"default.{table}", columns)
        spark.sql(f"insert into default.{table} values (1)")
        assert [row.id for row in spark.table(f"default.{table}").collect()] == [1]


def test_what_listens_for_the_driver_requires_a_secret(spark):
    gateway = spark.sparkContext._gateway
    assert gateway.java_parameters.auth_token
    assert spark.sparkContext.getConf().get("spark.authenticate") == "true"
    for port in (gateway.java_parameters.port, spark.conf.get("spark.driver.port")):
        with socket.create_connection(("127.0.0.1", int(port)), timeout=20) as another:
            another.sendall(b"c\nt\ntoString\ne\n")
            with suppress(ConnectionResetError):
                assert not another.recv(1000).startswith(b"!y"), "it answers a call"


@pytest.mark.usefixtures("new_process")
def test_without_java_it_says_what_is_needed(credentials, tmp_path, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "no-java"))
    with pytest.raises(
        StrandlineSparkError, match=r"did not start(.|\n)*Spark 4\.\d needs Java 17"
    ):
        open_session(replace(credentials, home=str(tmp_path)))
    assert "no-java" in (tmp_path / "logs" / "spark.log").read_text()
    assert holder_of(tmp_path / "lock") is None


@pytest.mark.usefixtures("new_process")
@pytest.mark.parametrize("start", ["session", "server"])
def test_a_java_that_spark_does_not_run_on_is_refused(credentials, tmp_path, monkeypatch, start):
    home = tmp_path / "home"
    java = tmp_path / "jdk" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.touch()
    (tmp_path / "jdk" / "release").write_text('JAVA_VERSION="11.0.2"\n')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))
    own = replace(credentials, home=str(home))
    with pytest.raises(
        StrandlineSparkError, match=rf"Spark 4\.\d needs Java 17.*, {java} is Java 11: install one"
    ):
        _ = open_session(own) if start == "session" else start_server(own, home, None)
    assert holder_of(home / "lock") is None
    assert not (home / "logs").exists()


def test_session_for_is_on_the_tables_of_dbt(small, strandline_home):
    project = small({"models/one.sql": "{{ config(materialized='table') }} select 1 as id"})
    project.dbt("run")
    found = session_for(project.folder, profiles_dir=_profiles())
    assert found.table(f"{project.schema}.one").collect() == [(1,)]
    # Its name has an apostrophe and more, and there is no second folder with a name like it.
    assert (strandline_home / "warehouse" / f"{project.schema}.db" / "one" / "_delta_log").is_dir()
    assert [path.name for path in strandline_home.parent.iterdir()] == [strandline_home.name]


def test_home_counts_from_the_project(small, monkeypatch):
    monkeypatch.delenv("STRANDLINE_HOME")
    project = small({})
    credentials = credentials_for(project.folder, profiles_dir=_profiles())
    assert credentials.home == str(project.folder / ".strandline")


def test_a_target_of_another_type_is_refused(small, write_files, tmp_path):
    project = small({})
    write_files(
        tmp_path,
        {
            "profiles.yml": "strandline_demo: {target: a, outputs: {a: "
            "{type: spark, method: session, host: h, schema: s}}}"
        },
    )
    with pytest.raises(StrandlineSparkError, match="Target `a` is of type spark"):
        credentials_for(project.folder, profiles_dir=tmp_path)


def test_an_error_of_a_statement_is_one_sentence(cursor):
    with pytest.raises(DbtDatabaseError) as refused:
        cursor.execute("select nope from (select 1 as id)")
    assert refused.value.msg.startswith("[UNRESOLVED_COLUMN")
    assert refused.value.msg.endswith("line 1 pos 7")


def test_an_error_while_rows_are_fetched_is_one_sentence(cursor):
    cursor.execute("select raise_error('no such carrier') as x")
    with pytest.raises(DbtDatabaseError) as refused:
        cursor.fetchall()
    assert "no such carrier" in refused.value.msg
    assert "\n\tat " not in refused.value.msg


def test_a_cursor_hands_out_each_row_once(cursor):
    cursor.execute("select * from values (1), (2), (3) as t(id) order by id;")
    assert [column[0] for column in cursor.description] == ["id"]
    assert cursor.fetchone() == (1,)
    assert cursor.fetchmany(1) == [(2,)]
    assert cursor.fetchall() == [(3,)]
    assert cursor.fetchone() is None


def test_spark_keeps_its_words_to_its_log(cursor, strandline_home, capfd):
    with pytest.raises(DbtDatabaseError):
        cursor.execute("select * from nowhere")
    cursor.execute("select reflect('java.lang.System', 'lineSeparator')")
    cursor.fetchall()
    assert capfd.readouterr() == ("", "")
    assert (strandline_home / "logs" / "spark.log").stat().st_size > 0


def _profiles():
    from tests.conftest import ROOT

    return ROOT / "profiles"


LEAVES = """
from dbt.adapters.strandline.credentials import StrandlineCredentials
from strandline.spark import open_session

spark = open_session(StrandlineCredentials(schema="s", home="home"))
# py4j frees these one by one while the process ends, and calls the JVM for each.
objects = [spark._jvm.java.util.ArrayList() for _ in range(30000)]
del objects
print("done")
"""


@pytest.mark.soak
def test_a_process_that_is_done_says_nothing_of_the_jvm(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", LEAVES], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("done\n", "")


TWICE = """
from dbt.adapters.strandline.credentials import StrandlineCredentials
from strandline.spark import close, open_session
for home in ("one", "two"):
    session = open_session(StrandlineCredentials(schema="s", home=home))
    print(session.conf.get("spark.sql.warehouse.dir").split("/")[-2])
    close()
"""


@pytest.mark.soak
def test_a_process_may_close_one_home_and_open_another(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", TWICE], cwd=tmp_path, capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("one\ntwo\n", "")
