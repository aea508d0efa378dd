#!/bin/sh
# Every linter, in the order in which they are quick. The first that complains ends it.
set -eu

bin=${VENV:-.venv}/bin

echo 'ruff …'
"$bin/ruff" check --quiet .
"$bin/ruff" format --check --quiet . || {
    echo 'Some files are not formatted: `make format` does it.' >&2
    exit 1
}
echo 'dbt parse, deprecations are errors …'
"$bin/python" scripts/parse_strictly.py
echo 'sqlfluff …'
"$bin/sqlfluff" lint --disable-progress-bar models tests/singular
