"""profiles.yml: every target parses, and what cannot work is refused with what to write."""

import pytest
import yaml
from dbt_common.exceptions import DbtBaseException, DbtConfigError
from tests.conftest import ROOT

from dbt.adapters.strandline.credentials import StrandlineCredentials
from strandline.spark import credentials_for, profiles_dir_for

PROFILES = ROOT / "profiles"


@pytest.fixture
def project(tmp_path, write_files):
    return write_files(tmp_path, {"dbt_project.yml": "name: p\nprofile: strandline_demo\n"})


def test_local_needs_no_environment(project, monkeypatch):
    monkeypatch.delenv("STRANDLINE_HOME")
    local = credentials_for(project, profiles_dir=PROFILES)
    assert (local.type, local.method, local.master) == ("strandline", "session", "local[*]")
    assert local.home == str(project / ".strandline")
    assert local.host == "localhost"


def test_connect_needs_no_environment(project):
    connect = credentials_for(project, "connect", PROFILES)
    assert (connect.method, connect.remote) == ("connect", "")


def test_cluster_takes_its_master_from_the_environment(project, monkeypatch):
    with pytest.raises(DbtBaseException, match="SPARK_MASTER"):
        credentials_for(project, "cluster", PROFILES)
    monkeypatch.setenv("SPARK_MASTER", "spark://127.0.0.1:7077")
    assert credentials_for(project, "cluster", PROFILES).master == "spark://127.0.0.1:7077"


def test_secrets_come_from_secret_variables():
    outputs = yaml.safe_load((PROFILES / "profiles.yml").read_text())["strandline_demo"]["outputs"]
    for name, output in outputs.items():
        for field in ("password", "token"):
            if field in output:
                assert "env_var('DBT_ENV_SECRET_" in output[field], (name, field)


def test_an_unknown_method_is_refused_with_the_known_ones():
    with pytest.raises(
        DbtConfigError, match="one of session, connect, thrift, http, odbc, got 'livy'"
    ):
        StrandlineCredentials.from_dict({"schema": "s", "method": "livy"})


def test_remote_with_session_is_refused():
    with pytest.raises(DbtConfigError, match="would be ignored by `method: session`"):
        StrandlineCredentials(schema="s", remote="sc://localhost:15002")


@pytest.mark.parametrize("place", ["profiles.yml", "profiles/profiles.yml"])
def test_profiles_are_found_in_the_project(project, write_files, monkeypatch, place):
    monkeypatch.delenv("DBT_PROFILES_DIR", raising=False)
    write_files(project, {place: ""})
    assert profiles_dir_for(project) == (project / place).parent


def test_profiles_dir_as_given_wins(project, monkeypatch, tmp_path):
    monkeypatch.setenv("DBT_PROFILES_DIR", str(tmp_path / "env"))
    assert profiles_dir_for(project) == tmp_path / "env"
    assert profiles_dir_for(project, tmp_path / "own") == tmp_path / "own"
