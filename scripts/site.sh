#!/bin/sh
# Builds docs/ as a site with search in target/site; a dead link fails. Its tools have an
# environment of their own, in target/site-tools.
set -eu

tools=target/site-tools
stamp=$(cksum <requirements/site.txt)
if [ "$(cat "$tools/.ready" 2>/dev/null)" != "$stamp" ]; then
    "${PYTHON:-python3}" -m venv "$tools"
    "$tools/bin/python" -m pip install --quiet --no-input --no-deps --require-hashes \
        -r requirements/site.txt
    echo "$stamp" >"$tools/.ready"
fi
NO_MKDOCS_2_WARNING=1 "$tools/bin/mkdocs" build --quiet --strict
echo "target/site/index.html"
