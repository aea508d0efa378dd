from dbt_common.exceptions import DbtRuntimeError

from strandline.spark.extra import missing

# dbt shows this message as it is; that a module is not there it would show with its traceback.
if fault := missing():
    raise DbtRuntimeError(f"`type: strandline` in profiles.yml needs {fault}")

from dbt.adapters.base import AdapterPlugin

from dbt.adapters.strandline.credentials import StrandlineCredentials
from dbt.adapters.strandline.impl import StrandlineAdapter
from dbt.include import strandline

Plugin = AdapterPlugin(
    adapter=StrandlineAdapter,  # type: ignore[arg-type] # dbt's own adapters do not fit its protocol
    credentials=StrandlineCredentials,
    include_path=strandline.PACKAGE_PATH,
    dependencies=["spark"],
)
