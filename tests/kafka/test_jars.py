"""The jars of the Kafka source: which, fetched when, and what is said if they are not to be had."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from strandline.spark import StrandlineSparkError, jars_fetch, jars_kafka
from strandline.spark.installed import spark_minor

# The version of the Kafka source of the installed Spark.
SOURCE = {"4.0": "4.0.0", "4.1": "4.1.1", "4.2": "4.2.0"}[spark_minor()]
SHA_OF_A = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("STRANDLINE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def locked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each locked jar is the text `a`."""
    names = jars_kafka.VERSIONS[spark_minor()].names
    monkeypatch.setattr(jars_kafka, "sums_in", lambda _: dict.fromkeys(names, SHA_OF_A))


def resolver(calls: list[str], content: str = "a"):
    def resolve(found: jars_fetch.JarSet, ivy: Path) -> None:
        calls.append(found.coordinates)
        (ivy / "jars").mkdir(parents=True)
        for name in found.sums:
            (ivy / "jars" / name).write_text(content)

    return resolve


@pytest.mark.parametrize("spark", jars_kafka.VERSIONS)
def test_every_jar_of_a_version_is_locked(spark: str) -> None:
    found = jars_kafka.kafka_jars(spark)
    assert len(found.sums) == 4
    assert {len(digest) for digest in found.sums.values()} == {64}
    assert found.coordinates.startswith(f"org.apache.spark:spark-sql-kafka-0-10_2.13:{spark}.")


def test_the_lock_has_no_jar_that_no_version_needs() -> None:
    needed = {name for each in jars_kafka.VERSIONS.values() for name in each.names}
    assert set(jars_fetch.sums_in(jars_kafka.LOCK_FILE)) == needed


@pytest.mark.usefixtures("locked")
def test_fetched_on_first_need_and_offline_afterwards(cache, monkeypatch):
    calls: list[str] = []
    monkeypatch.setattr(jars_fetch, "resolve", resolver(calls))
    assert jars_kafka.server_jars() == []
    assert not cache.exists()
    paths = jars_kafka.kafka_jars().paths()
    assert jars_kafka.kafka_jars().paths() == jars_kafka.server_jars() == paths
    assert [path.read_text() for path in paths] == ["a"] * 4
    assert calls == [f"org.apache.spark:spark-sql-kafka-0-10_2.13:{SOURCE}"]
    assert [path.name for path in cache.iterdir()] == [f"kafka-{SOURCE}"]


@pytest.mark.usefixtures("locked")
def test_other_bytes_are_refused_and_not_kept(cache, monkeypatch):
    monkeypatch.setattr(jars_fetch, "resolve", resolver([], content="b"))
    with pytest.raises(StrandlineSparkError) as refused:
        jars_kafka.kafka_jars().paths()
    assert "its sha256 is 3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d" in str(
        refused.value
    )
    assert f"jars_kafka.lock says {SHA_OF_A}. Remove the folder" in str(refused.value)
    assert list(cache.iterdir()) == []


@pytest.mark.usefixtures("locked", "cache")
def test_a_jar_that_was_lost_or_changed_is_named(monkeypatch):
    monkeypatch.setattr(jars_fetch, "resolve", resolver([]))
    first, second, *_ = jars_kafka.kafka_jars().paths()
    first.unlink()
    with pytest.raises(StrandlineSparkError) as refused:
        jars_kafka.kafka_jars().paths()
    again = f"Remove the folder {first.parent}: the next run fetches it again."
    assert str(refused.value) == f"{first} is missing. {again}"
    first.write_text("a")
    second.write_text("b")
    with pytest.raises(StrandlineSparkError, match=f"{second.name} is not the jar"):
        jars_kafka.server_jars()


@pytest.mark.parametrize("sign", [":", ","])
def test_a_folder_that_no_class_path_can_hold_is_refused(monkeypatch, tmp_path, sign):
    monkeypatch.setenv("STRANDLINE_CACHE", str(tmp_path / f"a{sign}b"))
    with pytest.raises(StrandlineSparkError) as refused:
        jars_kafka.kafka_jars().paths()
    assert str(refused.value) == (
        f"The folder of the jars of the Kafka source, {tmp_path / f'a{sign}b' / f'kafka-{SOURCE}'}, has"
        " a colon or a comma, which separates the folders of a class path. Name another one in"
        " $STRANDLINE_CACHE."
    )


def test_what_maven_does_not_give_is_said(cache, monkeypatch):
    def fails(*_args: object, **_options: object) -> SimpleNamespace:
        return SimpleNamespace(returncode=1, stdout="unresolved", stderr="dependency")

    monkeypatch.setattr(jars_fetch.subprocess, "run", fails)
    with pytest.raises(StrandlineSparkError) as refused:
        jars_kafka.kafka_jars().paths()
    said = str(refused.value)
    assert said.startswith(
        f"The jars of the Kafka source (org.apache.spark:spark-sql-kafka-0-10_2.13:{SOURCE}) could not"
        " be fetched from Maven. They are needed once; afterwards Strandline works offline.\n"
        "  - Is this machine online? Behind a proxy or a mirror, set JAVA_TOOL_OPTIONS"
    )
    assert said.endswith(
        f"into {cache / f'kafka-{SOURCE}'}.\nThe output of Ivy is in {cache / 'resolve.log'}."
    )
    assert (cache / "resolve.log").read_text() == "unresolveddependency"
    assert [path.name for path in cache.iterdir()] == ["resolve.log"]


class Server:
    """A session of Connect that is only asked whether it knows a source."""

    def __init__(self, error: Exception | None) -> None:
        self.error = error
        self.read = self

    def format(self, name: str) -> Server:
        assert name == "kafka"
        return self

    def option(self, *_: str) -> Server:
        return self

    def load(self) -> SimpleNamespace:
        if self.error is not None:
            raise self.error
        return SimpleNamespace(schema=["key"])


@pytest.mark.usefixtures("locked")
def test_a_server_without_the_source_is_refused_and_the_jars_are_fetched(cache, monkeypatch):
    monkeypatch.setattr(jars_fetch, "resolve", resolver([]))
    missing = RuntimeError("Failed to find data source: kafka. Please deploy the application as …")
    with pytest.raises(StrandlineSparkError) as refused:
        jars_kafka.load_kafka(Server(missing))
    assert str(refused.value) == (
        "The Spark server has no Kafka source. A server of `strandline serve` has it if the jars"
        " were on this machine when it started, which they are now: call `strandline serve --stop`,"
        " then `strandline serve`. Another server must be started with"
        f" spark.jars.packages=org.apache.spark:spark-sql-kafka-0-10_2.13:{SOURCE}."
    )
    assert (cache / f"kafka-{SOURCE}").is_dir()


@pytest.mark.usefixtures("locked", "cache")
@pytest.mark.parametrize("master", ["local[2]", "spark://host:7077"])
def test_executors_elsewhere_fetch_the_jars_from_the_driver(monkeypatch, master):
    monkeypatch.setattr(jars_fetch, "resolve", resolver([]))
    session = MagicMock(spec=["sparkContext", "_jsparkSession"])
    session.sparkContext.master = master
    jars_kafka.load_kafka(session)
    loader = session._jsparkSession.sharedState().jarClassLoader().getParent()
    assert loader.addURL.call_count == 4
    added = [call.args[0] for call in session.sparkContext._jsc.addJar.call_args_list]
    here = [path.as_uri() for path in jars_kafka.kafka_jars().paths()]
    assert added == ([] if master == "local[2]" else here)


def test_a_server_that_has_the_source_fetches_nothing(cache):
    jars_kafka.load_kafka(Server(None))
    assert not cache.exists()


def test_another_error_of_a_server_is_its_own():
    with pytest.raises(RuntimeError, match="server is gone"):
        jars_kafka.load_kafka(Server(RuntimeError("server is gone")))
