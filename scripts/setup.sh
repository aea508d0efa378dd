#!/bin/sh
# Makes .venv from the lock files: `scripts/setup.sh install` (the demo) or `dev` (tests as well).
#
# Needs a Python 3.10 to 3.13 (the first fitting one on PATH, or PYTHON=...) and a Java that Spark
# runs on. `make homes` names other lock files by HOME_LOCKS, and their Spark by HOME_SPARK.
# What is already there is left alone: a stamp in .venv holds the checksum of the lock files.
set -eu

what=${1:-install}
venv=${VENV:-.venv}
locks=${HOME_LOCKS:-requirements}
log=$venv/setup.log
supported='import sys; sys.exit(not (3, 10) <= sys.version_info[:2] <= (3, 13))'

fail() {
    printf 'strandline: %s\n' "$1" >&2
    exit 1
}

fits() {
    "$1" -c "$supported" >/dev/null 2>&1
}

version_of() {
    "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || echo 'not runnable'
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        fits "$PYTHON" && echo "$PYTHON" && return
        fail "PYTHON=$PYTHON is $(version_of "$PYTHON"), Python 3.10 to 3.13 is needed: name another one, as in \`make demo PYTHON=python3.12\`."
    fi
    for candidate in python3 python3.13 python3.12 python3.11 python3.10; do
        fits "$candidate" && echo "$candidate" && return
    done
    found=none
    command -v python3 >/dev/null 2>&1 && found=$(version_of python3)
    fail "Python 3.10 to 3.13 is needed (python3 on PATH: $found): install one (Debian, Ubuntu: sudo apt install python3 python3-venv; macOS: brew install python@3.12), or name one, as in \`make demo PYTHON=/path/to/python3\`."
}

# Runs a command with its output in the log, and counts the seconds while it works: on a terminal each
# of them, elsewhere in a line every five.
step() {
    label=$1
    shift
    began=$(date +%s)
    [ -t 1 ] || printf '%s …\n' "$label"
    "$@" >>"$log" 2>&1 &
    child=$!
    trap 'kill $child 2>/dev/null; exit 130' INT TERM
    shown=0
    while kill -0 "$child" 2>/dev/null; do
        seconds=$(($(date +%s) - began))
        if [ -t 1 ]; then
            printf '\r%s … %s s ' "$label" "$seconds"
        elif [ "$seconds" -ge "$((shown + 5))" ]; then
            printf '    %s s\n' "$seconds"
            shown=$seconds
        fi
        sleep 1
    done
    if wait "$child"; then
        trap - INT TERM
        [ -t 1 ] && printf '\r%s: done in %s s   \n' "$label" "$(($(date +%s) - began))"
        return 0
    fi
    printf '\n' >&2
    tail -n 12 "$log" >&2
    fail "\"$label\" failed; the end of $log stands above."
}

# PySpark comes as source: what is built from it is not compressed, since it is unpacked at once.
# Python compiles a module when it is first imported, which most of them never are. Where it may not
# keep what it has compiled, each process would compile dbt again, for five seconds.
compile=--no-compile
[ -z "${PYTHONDONTWRITEBYTECODE:-}" ] || compile=--compile
locked() {
    DIST_EXTRA_CONFIG=$(pwd -P)/requirements/build.cfg \
        "$venv/bin/python" -m pip install --quiet --no-input --no-deps --require-hashes \
        --no-build-isolation $compile -r "$1"
}

project() {
    "$venv/bin/python" -m pip install --quiet --no-input --no-deps --no-build-isolation -e . &&
        "$venv/bin/python" -m pip check
}

python=$(find_python)
PYTHONPATH=src "$python" -B -m strandline.preflight ${HOME_SPARK:-}

case $(pwd -P)/$venv in
*:*) fail "$(pwd -P) has a colon, which separates the folders of a PATH: neither Python nor Java works there. Move the project to another folder." ;;
esac

key_of() {
    printf '%s %s' "$(cat requirements/build.txt "$locks/$1.txt" pyproject.toml | cksum)" "$(pwd -P)"
}

if [ -x "$venv/bin/python" ] && [ "$(cat "$venv/.ready-$what" 2>/dev/null)" = "$(key_of "$what")" ]; then
    exit 0
fi

rm -f "$venv"/.ready-*
if ! fits "$venv/bin/python" || ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    "$python" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "Python $(version_of "$python") cannot make virtual environments: install its venv part (Debian, Ubuntu: sudo apt install python$(version_of "$python")-venv)."
    rm -rf "$venv"
    mkdir -p "$venv"
    step "1/4 making $venv with Python $(version_of "$python")" "$python" -m venv "$venv"
fi
step '2/4 installing what builds the rest' locked requirements/build.txt
step '3/4 installing the pinned packages (a minute or two, once)' locked "$locks/$what.txt"
step '4/4 installing strandline itself' project

key_of "$what" >"$venv/.ready-$what"
# dev.txt has everything of install.txt, so the demo is ready too.
[ "$what" = install ] || key_of install >"$venv/.ready-install"
