"""The Delta jars: fetched once, checked, and a clear word when that fails."""

import threading

import pytest

from strandline import versions
from strandline.spark import StrandlineSparkError, installed, jars, jars_fetch
from strandline.versions import minor_of


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("STRANDLINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(jars, "locked_sums", lambda: {"a.jar": SHA_OF_A})
    return tmp_path / "cache"


SHA_OF_A = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"


def resolver(calls: list, content: str = "a"):
    def resolve(_jars, ivy):
        calls.append(ivy)
        (ivy / "jars").mkdir(parents=True)
        (ivy / "jars" / "a.jar").write_text(content)

    return resolve


def test_fetched_once_and_offline_afterwards(cache, monkeypatch):
    calls: list = []
    monkeypatch.setattr(jars_fetch, "resolve", resolver(calls))
    first, second = jars.delta_jars(), jars.delta_jars()
    assert first == second == [jars.jars_folder() / "a.jar"]
    assert len(calls) == 1
    assert list(cache.iterdir()) == [jars.jars_folder()]


@pytest.mark.parametrize("sign", [":", ","])
def test_a_folder_that_no_class_path_can_hold_is_refused(monkeypatch, tmp_path, sign):
    monkeypatch.setenv("STRANDLINE_CACHE", str(tmp_path / f"a{sign}b"))
    with pytest.raises(
        StrandlineSparkError, match=r"has a colon or a comma.* in .STRANDLINE_CACHE"
    ):
        jars.delta_jars()
    assert not (tmp_path / f"a{sign}b").exists()


SPARKS = "Spark 4.0, 4.1 or 4.2 is needed, this environment has pyspark"
CALL = "Call: pip install 'pyspark[connect]==4.2.*'"


@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("spark_version", ["4.3.0", "4.20.0", "5.0.0.dev1"])
def test_a_spark_without_a_delta_is_refused(monkeypatch, spark_version):
    monkeypatch.setattr(installed, "installed_spark", lambda: spark_version)
    with pytest.raises(StrandlineSparkError) as refused:
        jars.delta_jars()
    assert str(refused.value) == (
        f"{SPARKS} {spark_version}: no Delta is served for Spark {minor_of(spark_version)} as of this"
        f" Strandline; a newer one may know of one (pip install --upgrade strandline). {CALL}"
    )


@pytest.mark.usefixtures("cache")
def test_an_older_spark_is_refused(monkeypatch):
    monkeypatch.setattr(installed, "installed_spark", lambda: "3.5.7")
    with pytest.raises(StrandlineSparkError) as refused:
        jars.delta_jars()
    assert str(refused.value) == f"{SPARKS} 3.5.7: Delta 4.4.0 is made for these. {CALL}"


@pytest.mark.usefixtures("cache")
def test_an_environment_without_spark_is_refused(monkeypatch):
    monkeypatch.setattr(installed, "installed_spark", lambda: None)
    with pytest.raises(StrandlineSparkError) as refused:
        jars.delta_jars()
    assert str(refused.value) == f"Spark is not installed in this environment. {CALL}"


def test_each_spark_has_a_delta_in_a_folder_of_its_own(monkeypatch, tmp_path):
    monkeypatch.setenv("STRANDLINE_CACHE", str(tmp_path))
    found = {}
    for minor in versions.JAVAS:
        monkeypatch.setattr(installed, "installed_spark", lambda minor=minor: f"{minor}.9")
        assert jars.jars_folder() == tmp_path / f"delta-4.4.0-spark-{minor}"
        assert jars.coordinates() == f"io.delta:delta-spark_{minor}_2.13:4.4.0"
        first, second = jars.locked_sums()
        assert first == f"io.delta_delta-spark_{minor}_2.13-4.4.0.jar"
        assert second == "io.delta_delta-storage-4.4.0.jar"
        found[minor] = jars.locked_sums()[first]
    assert len(set(found.values())) == len(found) == 3


def test_two_that_fetch_at_once_end_with_the_same_files(cache, monkeypatch):
    calls: list = []
    both = threading.Barrier(2)
    resolve = resolver(calls)

    def together(found, ivy):
        both.wait(10)
        resolve(found, ivy)

    monkeypatch.setattr(jars_fetch, "resolve", together)
    found: list = []
    threads = [threading.Thread(target=lambda: found.append(jars.delta_jars())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(calls) == 2
    assert found[0] == found[1]
    assert list(cache.iterdir()) == [jars.jars_folder()]


def test_other_bytes_are_refused_and_not_kept(cache, monkeypatch):
    monkeypatch.setattr(jars_fetch, "resolve", resolver([], content="b"))
    with pytest.raises(StrandlineSparkError, match=r"its sha256 is 3e23e8.*says ca9781"):
        jars.delta_jars()
    assert list(cache.iterdir()) == []


@pytest.mark.usefixtures("cache")
def test_a_jar_that_was_lost_is_named(monkeypatch):
    monkeypatch.setattr(jars_fetch, "resolve", resolver([]))
    (jar,) = jars.delta_jars()
    jar.unlink()
    with pytest.raises(StrandlineSparkError, match=r"is missing\. Remove the folder"):
        jars.delta_jars()


def test_without_maven_it_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("STRANDLINE_CACHE", str(tmp_path))
    nowhere = "-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=9 -Dhttp.proxyHost=127.0.0.1"
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", f"{nowhere} -Duser.home={tmp_path}")
    with pytest.raises(StrandlineSparkError) as refused:
        jars.delta_jars()
    assert "could not be fetched from Maven" in str(refused.value)
    assert "behind a proxy or a mirror" in str(refused.value).lower()
    assert (tmp_path / "resolve.log").read_text()
    assert not jars.jars_folder().exists()
