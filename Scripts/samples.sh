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

# As somebody else would: a copy of the package, elsewhere, that takes Atmosphere by a URL, as this folder is now. It is built
# there alone, and stays there for the next time.
outside=$PWD/.build/outside
origin=$outside/atmosphere.git
third=$outside/third-party
mkdir -p "$third"
[[ -d $origin ]] || git init -q --bare "$origin"
state() {
    GIT_AUTHOR_DATE='2000-01-01T00:00:00Z' GIT_COMMITTER_DATE='2000-01-01T00:00:00Z' \
        git -c user.name=samples -c user.email=samples@localhost -c core.bare=false --git-dir="$origin" --work-tree="$PWD" "$@"
}
state add -A
commit=$(state commit-tree "$(state write-tree)" -m "The folder as it is")
state update-ref refs/heads/main "$commit"
rm -rf "$third"/{Package.swift,Sources,Tests}
cp -a Samples/ThirdPartyAdapter/{Package.swift,Sources,Tests} "$third"
sed -i.path "s|name: \"atmosphere\", path: \"../..\"|url: \"file://$origin\", revision: \"$commit\"|" "$third/Package.swift"
rm "$third/Package.swift.path"
grep -q "revision: \"$commit\"" "$third/Package.swift"
SWIFT_DETERMINISTIC_HASHING=1 swift build --package-path "$third" -q --build-tests
if [[ $(ls "$third/.build/checkouts") != atmosphere ]]; then
    echo "Samples/ThirdPartyAdapter: other packages were fetched:" "$third"/.build/checkouts/* >&2
    exit 1
fi
# All at once, each test would wait for all the others.
width=()
if swift test --help-hidden | grep -q -e --experimental-maximum-parallelization-width; then
    width=(--experimental-maximum-parallelization-width 8)
fi
swift test --package-path "$third" --skip-build "${width[@]}" >"$folder/third" 2>&1 || { cat "$folder/third" >&2; exit 1; }
echo "sample ThirdPartyAdapter: $(grep -o 'Test run with .* passed' "$folder/third")"
