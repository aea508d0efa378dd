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
# The first time all that waits is one message. Later, of more than six in a run, the five most
# severe are sent, and one message of the others.
if env | grep -q '^STRANDLINE_NOTIFY_URL'; then
    strandline notify --first-as-one --storm 5[[ of_zone ]] "$@"
else
    strandline notify --first-as-one --storm 5[[ of_zone ]] --dry-run --brief "$@"
fi
exit "${odd_files:-0}"
