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
