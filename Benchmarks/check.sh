#!/usr/bin/env bash
# Compares the benchmarks of this tree with those of another commit, in one run in which both take turns:
#
#   Benchmarks/check.sh COMMIT YARDSTICK DIR [ROUNDS]
#
# For whoever changes a hot path. Each figure has a bound for the ratio of now to before (bounds.txt); the end is 1 where one is
# above. COMMIT is built in a work tree of its own, DIR/before. YARDSTICK and DIR as in run.sh; ROUNDS (5) runs of each.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
usage="usage: check.sh COMMIT YARDSTICK DIR [ROUNDS]"
commit=${1:?$usage}
yardstick=${2:?$usage}
mkdir -p "${3:?$usage}"
dir=$(cd "$3" && pwd)
rounds=${4:-5}
url=http://127.0.0.1:18080/json/100000/1000/1.json

if [ -e "$dir/before/.git" ]; then
    git -C "$dir/before" checkout --quiet --detach "$(git -C "$here" rev-parse "$commit^{commit}")"
else
    git -C "$here" worktree add --quiet --force --detach "$dir/before" "$commit"
fi
build() {
    local product
    for product in pull-benchmark query-benchmark; do
        SWIFT_DETERMINISTIC_HASHING=1 swift build --package-path "$1" -c release --product $product >&2
    done
    swift build --package-path "$1" -c release --show-bin-path
}
before=$(build "$dir/before/Benchmarks")
now=$(build "$here")

[ -x "$dir/floor/floor" ] || bash "$yardstick/setup.sh" "$dir" 100000
running() { [ -s "$dir/server/nginx.pid" ] && kill -0 "$(cat "$dir/server/nginx.pid")" 2>/dev/null; }
running || nginx -c "$dir/server/nginx.conf"
trap 'if running; then kill "$(cat "$dir/server/nginx.pid")"; fi' EXIT

# measure NAME FOLDER: the lines of one turn, each with the name of its side
measure() {
    rm -f "$dir/check.db"*
    {
        "$2/pull-benchmark" "$url" "$dir/check.db" | sed 's/^/first pull: /'
        "$2/pull-benchmark" "$url" "$dir/check.db" | sed 's/^/same again: /'
        "$2/query-benchmark" "$dir" 1000 100000
    } | sed "s/^/$1 /"
}
for ((round = 1; round <= rounds; round++)); do
    # Whoever goes first finds the colder machine.
    if ((round % 2)); then
        measure before "$before"
        measure now "$now"
    else
        measure now "$now"
        measure before "$before"
    fi
done >"$dir/check.txt"
rm -f "$dir"/check.db* "$dir"/query-*.db*
echo "load: $(cut -d' ' -f1-3 /proc/loadavg), processors: $(nproc), rounds: $rounds"
python3 "$here/ratios.py" "$here/bounds.txt" <"$dir/check.txt"
