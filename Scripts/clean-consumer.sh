#!/usr/bin/env bash
# What an application costs that takes the core and the JSON file store and no traits, and one with the default traits:
# fetched packages, build time (of the clock and of the processors), size of the binary.
#
#   Scripts/clean-consumer.sh                builds both in folders of their own and prints the figures
#   Scripts/clean-consumer.sh -c release     the same, optimized
#   Scripts/clean-consumer.sh --check        builds nothing: ends with 1 unless no package is fetched without traits
set -euo pipefail
cd "$(dirname "$0")/.."
consumer=$PWD/Benchmarks/CleanConsumer

# Prints the packages that a package fetches through this one.
packages() { swift package --package-path "$1" --scratch-path "$2" "${@:3}" show-dependencies --format json |
    python3 -c '
import json, sys
def names(package):
    for each in package["dependencies"]:
        yield each["identity"]
        yield from names(each)
print("\n".join(sorted({name for ours in json.load(sys.stdin)["dependencies"] for name in names(ours)})))'; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$consumer" "$folder/none"
rm -rf "$folder/none/.build" "$folder/none/Package.resolved"
sed -i "s|\.\./\.\.|$PWD|" "$folder/none/Package.swift"

found=$(packages "$folder/none" "$folder/none-build")
if [[ -n $found || -s $folder/none/Package.resolved ]] || compgen -G "$folder/none-build/checkouts/*" >/dev/null; then
    echo "clean consumer: the core and the JSON file store fetch packages without traits:" >&2
    echo "$found" >&2
    exit 1
fi
if [[ ${1:-} == --check ]]; then
    echo "clean consumer: no package is fetched without traits"
    exit 0
fi

measure() {
    local name=$1 TIMEFORMAT='%U+%S'
    shift
    local begun=$SECONDS
    swift package --package-path "$folder/$name" --scratch-path "$folder/$name-build" resolve >/dev/null 2>&1
    local fetched=$((SECONDS - begun))
    begun=$SECONDS
    {
        time SWIFT_DETERMINISTIC_HASHING=1 swift build -q --package-path "$folder/$name" \
            --scratch-path "$folder/$name-build" "$@" 2>&3
    } 3>&2 2>"$folder/seconds"
    local built=$((SECONDS - begun)) used
    used=$(awk -F+ '{ printf "%.0f", $1 + $2 }' "$folder/seconds")
    local binary
    binary=$(swift build --package-path "$folder/$name" --scratch-path "$folder/$name-build" "$@" --show-bin-path)
    binary+=/CleanConsumer
    mkdir -p "$folder/$name-data"
    "$binary" "$folder/$name-data" 200 >/dev/null
    local count=0
    [[ -d $folder/$name-build/checkouts ]] && count=$(find "$folder/$name-build/checkouts" -mindepth 1 -maxdepth 1 | wc -l)
    echo "$name traits: $count packages fetched in $fetched s, built in $built s ($used s of processors), $(($(wc -c <"$binary") / 1024)) KiB"
}

# The default traits, with everything that the command links.
cp -R "$folder/none" "$folder/default"
sed -i -e 's|, traits: \[\]||' \
    -e 's|\(.*\)\.product(name: "AtmosphereJSONFile", package: "atmosphere")|&,\n\1.product(name: "AtmosCommands", package: "atmosphere")|' \
    "$folder/default/Package.swift"
measure none "$@"
measure default "$@"
