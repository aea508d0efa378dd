#!/bin/sh
# One run of a schedule: land the new files of each source, build what they change, notify.
# Its arguments are passed on, as in `./run.sh --target connect`. A further `strandline init` adds
# the lines of its source.
set -eu
cd "$(dirname "$0")"

[% if columns %]
[% include 'land.sh' %]

[% endif %]
strandline run --seed --test "$@"
if env | grep -q '^STRANDLINE_NOTIFY_URL'; then
    strandline notify "$@"
else
    strandline notify --dry-run --brief "$@"
fi
