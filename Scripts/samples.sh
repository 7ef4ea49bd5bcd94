#!/usr/bin/env bash
# Runs every sample, which `swift build` has built, against a source of its own, and compares what it prints with its
# README; builds and tests the adapter by somebody else.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
source_pid=
cleanup() {
    if [[ $source_pid ]]; then
        kill "$source_pid" 2>/dev/null || true
        wait "$source_pid" 2>/dev/null || true
    fi
    rm -rf "$folder"
}
trap cleanup EXIT

built=$(swift build --show-bin-path)

for sample in QuickStart; do
    mkfifo "$folder/url"
    "$built/atmos" source -c "Samples/$sample/tasks.yaml" --port 0 --seed 3 >"$folder/url" &
    source_pid=$!
    read -r url <"$folder/url"
    sed "s|^base: .*|base: $url|" "Samples/$sample/tasks.yaml" >"$folder/tasks.yaml"
    "$built/$sample" "$folder/tasks.yaml" >"$folder/output"
    # The README shows the output in its last block of text.
    awk '/^```text$/ { block = ""; inside = 1; next } /^```$/ { inside = 0; next } inside { block = block $0 "\n" }
        END { printf "%s", block }' "Samples/$sample/README.md" >"$folder/expected"
    diff -u --label "Samples/$sample/README.md" --label "$sample" "$folder/expected" "$folder/output"
    kill "$source_pid"
    wait "$source_pid"
    source_pid=
    rm "$folder/url"
    echo "sample $sample: as its README says"
done

third=Samples/ThirdPartyAdapter
SWIFT_DETERMINISTIC_HASHING=1 swift build --package-path $third -q --build-tests
if compgen -G "$third/.build/checkouts/*" >/dev/null; then
    echo "$third: packages were fetched" >&2
    exit 1
fi
# All at once, each test would wait for all the others.
width=()
if swift test --help-hidden | grep -q -e --experimental-maximum-parallelization-width; then
    width=(--experimental-maximum-parallelization-width 8)
fi
swift test --package-path $third --skip-build "${width[@]}" >"$folder/third" 2>&1 || { cat "$folder/third" >&2; exit 1; }
echo "sample ThirdPartyAdapter: $(grep -o 'Test run with .* passed' "$folder/third")"
