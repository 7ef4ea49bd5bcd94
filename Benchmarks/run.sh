#!/usr/bin/env bash
# Measures a pull against the yardstick: a C++ floor and a hand-written Python pull, over the same local server.
#
#   Benchmarks/run.sh YARDSTICK DIR [ROUNDS]
#
# YARDSTICK is the folder of the project's shared material that holds the floor, the data generator and the server
# configurations (its setup.sh); it is no part of this package. DIR takes the data and the stores, about 500 MB; what
# an earlier run made there is used again. ROUNDS (9) runs of each take turns, and medians are printed.
#
# Needs nginx-light libnginx-mod-http-echo libsimdjson-dev libsqlite3-dev libcurl4-openssl-dev g++ python3, and for
# Python: pip install requests orjson
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
yardstick=${1:?usage: run.sh YARDSTICK DIR [ROUNDS]}
mkdir -p "${2:?usage: run.sh YARDSTICK DIR [ROUNDS]}"
dir=$(cd "$2" && pwd)
rounds=${3:-9}
count=100000
url=http://127.0.0.1:18080/json/$count/1000/1.json

running() { [ -s "$1" ] && kill -0 "$(cat "$1")" 2>/dev/null; }
if [ ! -x "$dir/floor/floor" ]; then
    bash "$yardstick/setup.sh" "$dir" "$count"
else
    for server in nginx nginx-slow; do
        running "$dir/server/$server.pid" || nginx -c "$dir/server/$server.conf"
    done
fi
stop() { for server in nginx nginx-slow; do
    if running "$dir/server/$server.pid"; then kill "$(cat "$dir/server/$server.pid")"; fi
done; }
trap stop EXIT

SWIFT_DETERMINISTIC_HASHING=1 swift build --package-path "$here" -c release --product pull-benchmark >&2
ours=$(swift build --package-path "$here" -c release --show-bin-path)/pull-benchmark

fresh() { rm -f "$dir/$1" "$dir/$1-wal" "$dir/$1-shm"; }
lines=$dir/lines.txt
: > "$lines"
for ((round = 1; round <= rounds; round++)); do
    fresh floor.db
    "$dir/floor/floor" "$url" "$dir/floor.db" overlap
    fresh ours.db
    "$ours" "$url" "$dir/ours.db"
    "$ours" "$url" "$dir/ours.db"
    fresh hand.db
    python3 "$dir/py/hand.py" "$url" "$dir/hand.db"
    fresh hand.db
    python3 "$dir/py/hand.py" "$url" "$dir/hand.db" orjson
done >> "$lines"
python3 "$here/medians.py" < "$lines"
python3 "$here/compare.py" "$dir/ours.db" "$dir/floor.db"

echo "--- 1,000 pages of 100 objects, 20 ms each, by number:"
for concurrent in 1 2 4 8 32; do
    fresh slow.db
    echo "concurrent=$concurrent $("$ours" http://127.0.0.1:18081/q "$dir/slow.db" --pages number --concurrent $concurrent)"
done

echo "--- saves that survive a loss of power:"
"$dir/floor/txn" FULL "$dir/txn.db" 500
"$ours" "$url" "$dir/saves.db" --saves "$rounds"
rm -f "$dir"/saves.db-* "$dir"/txn.db*
echo "load: $(cut -d' ' -f1-3 /proc/loadavg), processors: $(nproc)"
