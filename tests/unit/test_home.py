"""The home folder: its owner's alone, and where its tables were made; secrets are not shown."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import asdict
from pathlib import Path

import pytest
from dbt_common.exceptions import DbtConfigError
from tests.conftest import made_metastore

from dbt.adapters.strandline.credentials import StrandlineCredentials, StrandlineMethod
from strandline.landing.request import place_faults
from strandline.spark import StrandlineSparkError, home, jvm, server, server_start
from strandline.spark.lock import RunLock
from strandline.spark.remote import connect, shown
from strandline.spark.settings import driver_settings

URL = "sc://example.com:15002/;use_ssl=true;token=very-secret"
SERVED = {"pid": 4711, "port": 15002, "since": "2026-11-21T10:00:00+00:00", "token": "very-secret"}


def mode(path: Path) -> str:
    return oct(stat.S_IMODE(path.stat().st_mode))


def refused(call, *arguments) -> str:
    with pytest.raises(StrandlineSparkError) as caught:
        call(*arguments)
    return str(caught.value)


def test_all_that_a_home_holds_is_its_owners(tmp_path):
    place = tmp_path / "a" / "b"
    home.make_private(place)
    lock = RunLock(place / "lock")
    lock.acquire()
    lock.free()
    os.close(jvm.open_log(place))
    home.write_private(place / "server.json", "{}")
    assert {path.name: mode(path) for path in (place, *place.rglob("*"))} == {
        "b": "0o700",
        "lock": "0o600",
        "logs": "0o700",
        "spark.log": "0o600",
        "server.json": "0o600",
    }


def test_rights_that_others_had_are_taken(tmp_path):
    place = tmp_path / "home"
    (place / "warehouse").mkdir(parents=True)
    (place / "lock").touch()
    (place / "notes of the user").touch(0o644)
    for path in (place, place / "warehouse", place / "lock"):
        path.chmod(0o777)
    home.make_private(place)
    assert {path.name: mode(path) for path in (place, *place.iterdir())} == {
        "home": "0o700",
        "warehouse": "0o700",
        "lock": "0o700",
        "notes of the user": "0o644",
    }


def test_what_belongs_to_another_account_is_refused_all_at_once(tmp_path, monkeypatch):
    (tmp_path / "lock").touch()
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    assert refused(home.make_private, tmp_path) == (
        f"home '{tmp_path}' cannot be used: "
        f"{tmp_path} belongs to the account with id {own}, this run has {own + 1}; only the owner"
        f" may use it, whose data and rights it holds; {tmp_path / 'lock'} belongs to the account"
        f" with id {own}, this run has {own + 1}; only the owner may use it, whose data and rights"
        " it holds. Name another folder with `home` in profiles.yml (in Strandline's own profile:"
        " $STRANDLINE_HOME)."
    )


def test_a_file_system_without_rights_is_refused(tmp_path, monkeypatch):
    tmp_path.chmod(0o755)
    monkeypatch.setattr(Path, "chmod", lambda *_: None)
    assert f"others may open {tmp_path}, and its file system does not let that be changed" in (
        refused(home.make_private, tmp_path)
    )


def test_a_home_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").touch()
    assert f"cannot be used: {tmp_path / 'file'} cannot be made: File exists. Name another" in (
        refused(home.make_private, tmp_path / "file")
    )


def test_the_target_of_a_link_belongs_to_its_owner_too(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir(0o755)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "warehouse").symlink_to(disk)
    home.make_private(tmp_path / "home")
    assert mode(disk) == "0o700"


@pytest.mark.parametrize(
    ("sign", "name"), [(":", "a colon"), (";", "a semicolon"), ("\n", "a line break")]
)
def test_a_path_that_cannot_work_is_refused_and_not_made(tmp_path, sign, name):
    place = tmp_path / f"a{sign}b"
    assert f"cannot be used: it has {name}, which the embedded metastore does not support" in (
        refused(home.make_private, place)
    )
    assert not place.exists()


def test_a_home_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "lock").mkdir()  # what no account may write, root neither
    lock = RunLock(tmp_path / "lock")
    assert refused(lock.acquire) == (
        f"folder '{tmp_path}' cannot be written: Is a directory. A run keeps its lock there, and more."
        " Free some space or make it writable, or name another folder with `home` in profiles.yml."
    )
    assert lock.fd is None


def test_a_source_folder_that_spark_cannot_read_is_refused(tmp_path):
    (tmp_path / "a:b").mkdir()
    assert place_faults(tmp_path / "a:b", "s.t", "s.q") == [
        f"source folder '{tmp_path}/a:b' has a colon, which Spark cannot read; rename it"
    ]


def test_a_metastore_whose_creation_was_interrupted_is_removed(tmp_path):
    part = tmp_path / "metastore" / "seg0"
    part.mkdir(parents=True)
    home.check_location(tmp_path, {"spark.hadoop.hive.metastore.uris": "thrift://one:9083"})
    assert part.exists()
    assert home.check_location(tmp_path, {})
    assert not (tmp_path / "metastore").exists()


def test_a_metastore_whose_properties_derby_was_writing_stays(tmp_path):
    """Derby renames the file that is there before it writes a new one, and finds it again."""
    (tmp_path / "metastore").mkdir()
    (tmp_path / "metastore" / "service.propertiesold").touch()
    assert not home.check_location(tmp_path, {})
    assert (tmp_path / "metastore").exists()


def test_a_home_stays_where_it_is(tmp_path):
    assert home.check_location(tmp_path, {})  # new: this is the place
    made_metastore(tmp_path)
    assert home.check_location(tmp_path, {})
    (tmp_path / "location").unlink()
    assert not home.check_location(tmp_path, {})  # only the metastore knows


def test_a_moved_home_is_refused(tmp_path):
    old, new = tmp_path / "old" / ".strandline", tmp_path / "new" / ".strandline"
    made_metastore(old)
    home.write_private(old / "location", str(old))
    old.parent.rename(new.parent)
    assert refused(home.check_location, new, {}) == (
        f"home {new} is a moved folder: its tables were made at {old}, and their metastore knows"
        f" them by that place. A run from here would read and write there. Move it back to {old}."
        f" Or remove {new} (`make clean` in a clone of Strandline), and land and build again:"
        " landed rows, feedback and what was notified are in it and will be gone."
    )


def test_a_copied_home_is_refused(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    for place in (old, new):
        made_metastore(place)
        home.write_private(place / "location", str(old))
    assert refused(home.check_location, new, {}) == (
        f"home {new} is a copy: its tables were made at {old}, and their metastore knows"
        f" them by that place. A run from here would read and write there. Remove {new}"
        " (`make clean` in a clone of Strandline), and land and build again; the original stays as"
        " it is."
    )


def test_paths_reach_spark_as_they_are(tmp_path):
    place = tmp_path / "my projects" / "O'Neil ä"
    made = driver_settings(place, "local[2]", [])
    assert made["spark.sql.warehouse.dir"] == f"{place}/warehouse"
    assert f"databaseName={place}/metastore;" in made["spark.hadoop.javax.jdo.option.ConnectionURL"]


def test_spark_of_one_machine_requires_a_secret_on_its_own_ports_too(tmp_path):
    assert driver_settings(tmp_path, "local[2]", [])["spark.authenticate"] == "true"
    assert "spark.authenticate" not in driver_settings(tmp_path, "spark://host:7077", [])


@pytest.mark.parametrize(
    ("locale", "java"),
    [
        ({"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, "C.UTF-8"),
        ({"LC_CTYPE": "C.UTF-8"}, None),
        ({"LANG": "de_DE.utf8"}, None),
        ({}, "C.UTF-8"),
    ],
)
def test_java_finds_names_with_an_umlaut_under_any_locale(monkeypatch, locale, java):
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in locale.items():
        monkeypatch.setenv(name, value)
    assert jvm.spark_env().get("LC_ALL") == (java or locale.get("LC_ALL"))


def test_settings_are_on_no_command_line(tmp_path):
    settings = {"spark.a": "key of a store \\ ä=1", "spark.b": "2"}
    with jvm.submit_arguments(tmp_path, settings) as arguments:
        written = tmp_path / "starting.conf"
        assert arguments == ["--load-spark-defaults", "--properties-file", str(written)]
        assert mode(written) == "0o600"
        unescaped = re.sub(
            r"\\u([0-9a-f]{4})", lambda sign: chr(int(sign[1], 16)), written.read_text()
        )
        assert unescaped == "spark.a=key of a store \\ ä=1\nspark.b=2\n"
    assert not written.exists()


def test_the_token_of_a_server_is_in_its_environment_alone(tmp_path, monkeypatch):
    given = {}
    monkeypatch.setattr(
        server_start.subprocess,
        "Popen",
        lambda command, **more: given.update(more, command=command),
    )
    monkeypatch.setenv("SPARK_CONNECT_AUTHENTICATE_TOKEN", "of another server")
    kwargs = jvm.popen_kwargs(tmp_path, None, "local[2]")
    server_start._launch(["--properties-file", "x"], kwargs, tmp_path, "very-secret")
    assert "very-secret" in given["env"]["SPARK_CONNECT_AUTHENTICATE_TOKEN"]
    assert "very-secret" not in " ".join(given["command"])


def test_what_a_jvm_writes_is_its_owners_unless_a_cluster_writes_with_it(tmp_path):
    for master, umask in (("local[*]", 0o077), ("spark://host:7077", -1)):
        kwargs = jvm.popen_kwargs(tmp_path, None, master)
        os.close(kwargs["stdout"])
        assert kwargs["umask"] == umask


def test_a_server_does_not_show_its_token():
    served = server.Server(**SERVED)
    assert asdict(served) == SERVED
    assert "very-secret" not in f"{served} {served!r} {served.url}"


def test_a_token_of_ones_own_is_refused(tmp_path):
    own = {"spark.connect.authenticate.token": "mine"}
    credentials = StrandlineCredentials(
        schema="s", method="connect", home=str(tmp_path), server_side_parameters=own
    )
    assert refused(server_start.start_server, credentials, tmp_path, None) == (
        "profiles.yml: server_side_parameters has spark.connect.authenticate.token, but each server"
        " that `strandline serve` starts has a new token, which its clients read from `home`."
        " Remove it."
    )


@pytest.mark.parametrize("url", [URL, "sc://127.0.0.1:1/;token=very-secret"])
def test_the_token_of_a_remote_server_is_not_shown(url):
    credentials = StrandlineCredentials(schema="s", method=StrandlineMethod.CONNECT, remote=url)
    assert dict(credentials.connection_info())["remote"] == f"{url.partition(';')[0]};…"
    with pytest.raises(DbtConfigError) as caught:
        StrandlineCredentials(schema="s", remote=url)
    assert "very-secret" not in str(caught.value)


def test_no_refusal_of_a_url_shows_its_token(monkeypatch):
    monkeypatch.setattr("strandline.spark.remote._reach", lambda _: None)
    monkeypatch.setenv("SPARK_CONNECT_MODE_ENABLED", "1")  # restored afterwards
    message = refused(connect, "sc://127.0.0.1:1/;token=very=secret", {})
    assert "very" not in message
    assert "token=…" in message
    monkeypatch.undo()
    assert "very-secret" not in refused(connect, "sc://127.0.0.1:1/;token=very-secret", {})
    assert "very-secret" not in refused(connect, URL.replace("sc:", "https:"), {})
    assert shown("sc://localhost:15002") == "sc://localhost:15002"
