#!/usr/bin/env bash
# Type-checks the benchmarks against the modules that the tests were built with, so that they keep pace with the sources;
# to be run they need a build of their own.
set -euo pipefail
cd "$(dirname "$0")/.."
modules=(-I "$(swift build --show-bin-path)/Modules")
while read -r map; do modules+=(-I "${map%/*}"); done < <(
    find SystemLibraries .build/checkouts/{GRDB.swift,Yams}/Sources -name module.modulemap)
for folder in Benchmarks/Sources/*; do
    files=("$folder"/*.swift)
    library=()
    if grep -q '^@main' "${files[@]}"; then library=(-parse-as-library); fi
    swiftc -typecheck -swift-version 6 ${library[@]+"${library[@]}"} -module-name "${folder##*/}" "${modules[@]}" "${files[@]}"
done
echo "benchmarks: all fit the sources"
