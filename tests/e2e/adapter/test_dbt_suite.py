"""dbt's own tests for adapters: what every dbt user takes for granted."""

import pytest
from dbt.tests.adapter.basic.test_base import BaseSimpleMaterializations
from dbt.tests.adapter.basic.test_ephemeral import BaseEphemeral
from dbt.tests.adapter.basic.test_generic_tests import BaseGenericTests
from dbt.tests.adapter.basic.test_incremental import BaseIncremental
from dbt.tests.adapter.basic.test_singular_tests import BaseSingularTests
from dbt.tests.adapter.basic.test_snapshot_check_cols import BaseSnapshotCheckCols
from dbt.tests.adapter.python_model.test_python_model import (
    BasePythonIncrementalTests,
    BasePythonModelTests,
)
from dbt.tests.util import run_dbt

# dbt's own classes define their fixtures in a way that pytest 10 will not know.
pytestmark = [
    pytest.mark.soak,
    pytest.mark.filterwarnings("ignore::pytest.PytestRemovedIn10Warning"),
]


class Delta:
    """Everything is a Delta table, as in the project."""

    @pytest.fixture(scope="class")
    def project_config_update(self):
        kinds = ("models", "seeds", "snapshots")
        return {kind: {"+file_format": "delta"} for kind in kinds}


class TestSimpleMaterializations(Delta, BaseSimpleMaterializations):
    pass


class TestSingularTests(Delta, BaseSingularTests):
    pass


class TestEphemeral(Delta, BaseEphemeral):
    pass


class TestGenericTests(Delta, BaseGenericTests):
    pass


class TestIncremental(Delta, BaseIncremental):
    pass


class TestSnapshotCheckCols(Delta, BaseSnapshotCheckCols):
    pass


class TestPythonModel(Delta, BasePythonModelTests):
    pass


class TestPythonIncremental(BasePythonIncrementalTests):
    @pytest.fixture(scope="class")
    def project_config_update(self):
        return {"models": {"+incremental_strategy": "merge", "+file_format": "delta"}}


SNAPSHOT = """
snapshots:
  - name: kept
    relation: ref('given')
    config: {unique_key: id, strategy: check, check_cols: all, hard_deletes: new_record}
"""


class TestSnapshotOfDeletions(Delta):
    """`hard_deletes: new_record`, for which plain dbt-spark writes a row of nulls."""

    @pytest.fixture(scope="class")
    def models(self):
        rows = "select 1 as id, 'a' as v {% if not var('gone', false) %} union all select 2, 'b'"
        return {"given.sql": rows + "{% endif %}", "kept.yml": SNAPSHOT}

    def test_a_deletion_keeps_its_values(self, project):
        run_dbt(["build"])
        run_dbt(["build", "--vars", "{gone: true}"])
        kept = project.run_sql(
            f"select id, v, dbt_valid_to is null, dbt_is_deleted from {project.test_schema}.kept",
            fetch="all",
        )
        assert sorted(tuple(row) for row in kept) == [
            (1, "a", True, "False"),
            (2, "b", False, "False"),
            (2, "b", True, "True"),
        ]
