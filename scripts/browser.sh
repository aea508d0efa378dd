#!/bin/sh
# Debian's Chromium and its driver, for tests/browser. Nothing is done if they are there.
set -eu

if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then
    exit 0
fi
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo 'strandline: the tests of the report need Chromium and chromedriver. Debian: sudo apt install chromium chromium-driver' >&2
    exit 1
fi
mkdir -p target
echo 'installing chromium and chromium-driver …'
DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends \
    chromium chromium-driver >target/chromium.log 2>&1 || {
    tail -n 5 target/chromium.log >&2
    exit 1
}
