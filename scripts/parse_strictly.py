"""`dbt parse` in which every deprecation is an error.

dbt checks configuration keys against its schemas for a few adapters only; Spark is not among them.
Here it is, so that the project stays readable for dbt's next parser, which refuses such keys.
"""

from __future__ import annotations

import sys
from pathlib import Path

import dbt.jsonschemas.jsonschemas as schemas
from dbt.cli.main import dbtRunner

ROOT = Path(__file__).parents[1]
# The set is private to dbt: if it moves, this line fails, which is better than checking nothing.
schemas._JSONSCHEMA_SUPPORTED_ADAPTERS.update({"spark", "strandline"})

outcome = dbtRunner().invoke(
    [
        *("--no-send-anonymous-usage-stats", "--quiet", "--log-path", str(ROOT / "logs")),
        *("--warn-error-options", '{"error": ["Deprecations"]}', "--show-all-deprecations"),
        *("parse", "--no-partial-parse"),
        *("--target-path", str(ROOT / "target" / "strict")),
        *("--project-dir", str(ROOT), "--profiles-dir", str(ROOT / "profiles")),
    ]
)
if outcome.exception is not None:
    print(outcome.exception, file=sys.stderr)
sys.exit(0 if outcome.success else 1)
