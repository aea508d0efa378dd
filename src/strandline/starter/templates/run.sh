#!/bin/sh
# One run of a schedule: land the new files, build what they change, notify.
# Its arguments are passed on, as in `./run.sh --target connect`.
set -eu
cd "$(dirname "$0")"

[% if columns %]
strandline land --source incoming --format csv --option glob='*.csv' --table [[ raw ]].[[ events ]] \
    --schema-file models/[[ events ]]/[[ events ]].ddl "$@"
[% endif %]
strandline run --test "$@"
if env | grep -q '^STRANDLINE_NOTIFY_URL'; then
    strandline notify "$@"
else
    strandline notify --dry-run --brief "$@"
fi
