#!/bin/sh
# Makes sure that there is a redis-server: prints its path. On Debian and Ubuntu it is installed where it is missing and
# this user may do so.
set -eu
if ! command -v redis-server >/dev/null; then
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
        echo "setup.sh: redis-server is needed; on Debian or Ubuntu: apt-get install redis-server" >&2
        exit 1
    fi
    export DEBIAN_FRONTEND=noninteractive
    output=$({ apt-get update -q && apt-get install -q -y --no-install-recommends redis-server; } \
        2>&1) || { printf '%s\n' "$output" "setup.sh: cannot install redis-server" >&2; exit 1; }
fi
command -v redis-server
