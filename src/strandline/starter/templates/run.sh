#!/bin/sh
# One run of a schedule: land the new files of each source, build what they change, notify.
# Its arguments are passed on, as in `./run.sh --target connect`. A further `strandline init` adds
# the lines of its source. It ends with 3 if an odd file was left out and all else was done.
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
exit "${odd_files:-0}"
