#!/usr/bin/env bash
# Runs a part of the built tests: Scripts/test.sh NAME [options of Swift Testing]. Where something fails, what failed is
# printed once more after all the rest, and where the tests ended before their time, what was running then.
set -uo pipefail
cd "$(dirname "$0")/.."

# A check of a suite that does not end is a finding; on a machine that is busy with others it may take its time.
export ATMOSPHERE_CHECK_SECONDS=${ATMOSPHERE_CHECK_SECONDS:-120}
built=$(swift build --show-bin-path)
log=$built/test-$1.log
binary=$built/atmospherePackageTests.xctest
if [[ -f $binary ]]; then
    # `swift test` would plan the build once more, which takes longer than some parts.
    run=("$binary" --testing-library swift-testing)
else
    run=(swift test --skip-build)
fi
# Tests that wait for ever end here, are named, and fail.
if command -v timeout >/dev/null; then run=(timeout --kill-after 10 "${ATMOSPHERE_PART_SECONDS:-1500}" "${run[@]}"); fi
mkfifo "$log.pipe.$$"
sed -u -e $'s/\e\\[[0-9;]*m//g' -e "w $log" <"$log.pipe.$$" &
reader=$!
# All at once, each would wait for all the others, and time limits would mean nothing.
"${run[@]}" --experimental-maximum-parallelization-width 8 "${@:2}" >"$log.pipe.$$" 2>&1
status=$?
rm "$log.pipe.$$"
# What a test has left behind may hold the pipe for ever.
for ((tenths = 0; tenths < 100; tenths++)); do
    kill -0 "$reader" 2>/dev/null || break
    sleep 0.1
done
if kill "$reader" 2>/dev/null; then echo "The part '$1' has left processes behind that hold its output." >&2; fi
if ((status == 0)); then exit 0; fi

{
    echo
    echo "What failed in the part '$1' (all of its output: $log):"
    grep -a -A 6 -E '^✘ .*(recorded an issue|Caught error)' "$log" | grep -a -E '^(✘|↳)' | cut -c 1-600
    if ! grep -a -q '^. Test run with .* \(passed\|failed\)' "$log"; then
        echo "These tests had begun and not ended:"
        comm -23 \
            <(grep -a -oE '^◇ Test ("[^"]*"|[^ ]+\(\)) started' "$log" | sed 's/^◇ //; s/ started$//' | sort -u) \
            <(grep -a -oE '^[✔✘] Test ("[^"]*"|[^ ]+\(\)) (with [0-9]+ test cases? )?(passed|failed)' "$log" |
                sed -E 's/^. //; s/ (with [0-9]+ test cases? )?(passed|failed)$//' | sort -u)
    fi
    grep -a -E '^. Test run with ' "$log"
} >&2
exit "$status"
