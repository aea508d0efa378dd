#!/bin/sh
# Makes requirements/*.txt from requirements/*.in, for Python 3.10 to 3.13, with hashes.
# The tool that resolves is itself pinned and lives in a scratch environment.
set -eu

uv=uv==0.13.8
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"${PYTHON:-python3}" -m venv "$scratch/venv"
"$scratch/venv/bin/python" -m pip install --quiet "$uv"
for name in build install dev site; do
    echo "requirements/$name.in -> requirements/$name.txt"
    "$scratch/venv/bin/uv" pip compile --quiet --universal --no-strip-extras \
        --fork-strategy requires-python --generate-hashes --no-header --python-version 3.10 \
        "$@" "requirements/$name.in" --output-file "requirements/$name.txt"
done
