#!/usr/bin/env bash
# Runs a part of a longer run, and says how long it took: Scripts/part.sh NAME COMMAND [ARGUMENT...]
set -uo pipefail
name=$1
shift
# A part that waits for ever is ended, and fails under its name.
if command -v timeout >/dev/null; then set -- timeout --kill-after 10 "${ATMOSPHERE_PART_SECONDS:-2700}" "$@"; fi
"$@"
status=$?
echo "part $name: $SECONDS s"
exit "$status"
