#!/bin/sh
# Every linter, the quick ones first. The first that complains ends it; mypy, which takes as long as
# all others together, runs beside them.
set -eu

bin=${VENV:-.venv}/bin
# A home of the linters' own: what is linted never depends on what was built, nor waits for it.
STRANDLINE_HOME=target/lint
export STRANDLINE_HOME
mkdir -p target

echo 'ruff …'
"$bin/ruff" check --quiet .
"$bin/ruff" format --check --quiet . || {
    echo 'Some files are not formatted: `make format` does it.' >&2
    exit 1
}

echo 'mypy, strict, beside the others …'
"$bin/mypy" --no-error-summary >target/mypy.log 2>&1 &
mypy=$!
trap 'kill $mypy 2>/dev/null || true' EXIT

echo 'structure of the macros …'
"$bin/python" scripts/check_structure.py >target/structure.log

echo 'copies of what the macros define …'
"$bin/python" -m scripts.generated --check

echo 'dbt parse, deprecations are errors …'
"$bin/python" scripts/parse_strictly.py

echo 'the SQL that the macros render …'
"$bin/python" -m scripts.rendering.check

echo 'sqlfluff …'
"$bin/sqlfluff" lint --disable-progress-bar models >target/sqlfluff.log 2>&1 || {
    cat target/sqlfluff.log >&2
    exit 1
}

wait $mypy || {
    cat target/mypy.log >&2
    exit 1
}
