#!/usr/bin/env bash
# Measures the notification server beside python-socketio on uvicorn and nchan, all in one run.
#
#   Benchmarks/sockets/run.sh DIR [CONNECTIONS,… [SECONDS [SERVER,…]]]
#
# DIR takes programs, configurations and logs. CONNECTIONS are 1000,5000,10000, SECONDS (10) say how long each
# measurement takes, roughly; SERVERs are atmosphere, python, nchan, and floor, which is the system's part alone.
# ATMOS=PATH measures a command that was built before.
#
# Needs gcc, python3 with venv, nginx and libnginx-mod-nchan, and as many open files as connections (ulimit -n).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:?usage: run.sh DIR [CONNECTIONS,... [SECONDS [SERVER,...]]]}"
dir=$(cd "$1" && pwd)
ulimit -n "$(ulimit -Hn)"

if [ -z "${ATMOS:-}" ]; then
    SWIFT_DETERMINISTIC_HASHING=1 swift build --package-path "$here/../.." -c release --product atmos >&2
    ATMOS=$(swift build --package-path "$here/../.." -c release --show-bin-path)/atmos
fi
gcc -O2 -pthread -o "$dir/load" "$here/load.c"
gcc -O2 -o "$dir/floor" "$here/floor.c"
if ! "$dir/python/bin/python" -c 'import socketio, uvicorn, websockets' 2>/dev/null; then
    python3 -m venv "$dir/python"
    "$dir/python/bin/pip" install --quiet --disable-pip-version-check \
        python-socketio==5.18.1 'uvicorn==0.35.0' 'websockets==15.0.1' uvloop httptools
fi
exec "$dir/python/bin/python" "$here/measure.py" "$dir/servers" "$ATMOS" "$dir/load" "$dir/python/bin/python" \
    "${2:-1000,5000,10000}" "${3:-10}" ${4:+"$4"}
