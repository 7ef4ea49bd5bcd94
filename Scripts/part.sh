#!/usr/bin/env bash
# Runs a part of a longer run, and says how long it took: Scripts/part.sh NAME COMMAND [ARGUMENT...]
set -uo pipefail
name=$1
shift
"$@"
status=$?
echo "part $name: $SECONDS s"
exit "$status"
