"""A project with every kind of stored table, over a source that a test fills."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from pyspark.sql import SparkSession
from tests.conftest import ROOT, Dbt, drop_schema, profile
from tests.e2e.crash.project import MODELS

COLUMNS = "arrival bigint, id string, machine string, ts timestamp, kind string, value double"
SOURCE = "kept.readings"
FILES = MODELS | {
    "models/_sources.yml": "sources: [{name: raw, schema: kept, tables: [{name: readings}]}]",
    "models/readings_ledger.sql": "{{ strandline.aggregation_ledger(readings_aggregation()) }}",
    "models/states.sql": "{{ strandline.state_agg_table(source('raw', 'readings'), keys=['machine'], ts='ts', "
    "state='kind', gap='2 hours', bucket='1 hour') }}",
    "models/weights_ledger.sql": "{{ strandline.points_ledger(source('raw', 'readings'), table=ref('weights'), "
    "late=ref('weights_late')) }}",
    "models/hot_ledger.sql": "{{ strandline.detection_ledger(source('raw', 'readings'), status=ref('hot_status'), "
    "late=ref('hot_late')) }}",
}


class Project:
    """The project in the tests' home; its tables are in the schema `kept`."""

    def __init__(self, folder: Path, spark: SparkSession, files: dict[str, str]) -> None:
        self.folder, self.spark, self.files = folder / "kept", spark, files
        shared = {
            "dbt_project.yml": "name: kept\nversion: '1.0'\nprofile: kept\n",
            "profiles.yml": profile("kept"),
            "packages.yml": f"packages:\n  - local: {ROOT}\n",
        }
        for name, text in (files | shared).items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.dbt = Dbt(folder / "work", profiles_dir=self.folder)
        self.dbt("deps", project_dir=self.folder)
        spark.sql("create schema kept")

    def begin(self) -> None:
        """The first run, on forty readings."""
        self.spark.sql(f"create table {SOURCE} ({COLUMNS}) using delta")
        self.land(1, 40)
        self.run()

    def begin_again(self) -> None:
        self.drop()
        self.spark.sql("create schema kept")
        self.begin()

    def drop(self) -> None:
        drop_schema(self.spark, "kept")

    def land(self, first: int, last: int) -> None:
        """Readings of these arrivals, ten minutes apart; every seventh is three hours late, every ninth has no time."""
        self.spark.sql(f"""
            insert into {SOURCE}
            select
                id as arrival,
                concat('r', id - if(id % 11 = 0, 1, 0)) as id,
                element_at(array('a', 'b'), cast(id % 2 + 1 as int)) as machine,
                if(id % 9 = 0, null, timestamp'2024-03-01 00:00:00Z' + make_dt_interval(0, 0, 10 * id)
                    - make_dt_interval(0, if(id % 7 = 0, 3, 0))) as ts,
                element_at(array('start', 'run', 'stop'), cast(id % 3 + 1 as int)) as kind,
                cast(id * 37 % 100 as double) as value
            from range({first}, {last + 1})
        """)

    def run(self, *args: str) -> None:
        self.dbt("run", *args, project_dir=self.folder)

    def tables(self) -> list[str]:
        found = self.spark.sql("show tables in kept").collect()
        views = {row.viewName for row in self.spark.sql("show views in kept").collect()}
        return sorted({row.tableName for row in found if not row.isTemporary} - views)

    def location(self, table: str) -> Path:
        described = self.spark.sql(f"describe detail kept.{table}").first()
        return Path(described.location.removeprefix("file:"))


def packed(project: Project, archive: Path) -> None:
    """Writes the project's files and its tables, as they are on disk, into an archive."""
    with ZipFile(archive, "w", ZIP_DEFLATED) as kept:
        for name, text in project.files.items():
            kept.writestr(f"project/{name}", text)
        for table in project.tables():
            location = project.location(table)
            for path in sorted(location.rglob("*")):
                if path.is_file() and path.suffix != ".crc":
                    kept.write(path, f"tables/{table}/{path.relative_to(location)}")


def unpacked(archive: Path, folder: Path) -> dict[str, str]:
    """The project's files; its tables are in `tables` of the folder."""
    with ZipFile(archive) as kept:
        kept.extractall(folder)
        names = [name for name in kept.namelist() if name.startswith("project/")]
        return {name.removeprefix("project/"): kept.read(name).decode() for name in names}
