#!/usr/bin/env bash
# Converts the guides with the symbols of the core, which `swift build` has built, and fails at a link that leads nowhere. Then
# it says which public symbols have no sentence of their own.
#
# The build must be of the sources as they are: a module that was compiled before a comment moved has its comments garbled.
#
#   Scripts/docs.sh [FOLDER]     where the documentation goes; nowhere by default
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
built=$(swift build --show-bin-path)
target=$(swift -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p' | head -n 1)

# Atmosphere exports the rooms of the core, so their symbols are Atmosphere's to whoever imports it.
mkdir "$work/rooms" "$work/symbols"
for room in Model Routing Store Exchange ""; do
    swift-symbolgraph-extract -module-name "Atmosphere$room" -target "$target" -I "$built/Modules" \
        -minimum-access-level public -skip-synthesized-members -output-dir "$work/rooms"
done
python3 - "$work/rooms" "$work/symbols/Atmosphere.symbols.json" <<'PYTHON'
import glob, json, sys
whole = None
for path in sorted(glob.glob(sys.argv[1] + "/*.symbols.json")):
    graph = json.load(open(path))
    graph["module"]["name"] = "Atmosphere"
    if whole:
        whole["symbols"] += graph["symbols"]
        whole["relationships"] += graph["relationships"]
    else:
        whole = graph
json.dump(whole, open(sys.argv[2], "w"))
PYTHON
docc convert Sources/Atmosphere/Atmosphere.docc --additional-symbol-graph-dir "$work/symbols" \
    --fallback-display-name Atmosphere --fallback-bundle-identifier atmosphere \
    --output-path "${1:-$work/site}" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
if grep -A 2 -E "doesn't exist at|is ambiguous at|couldn't be resolved" "$work/log" >&2; then exit 1; fi

python3 - "$work/symbols/Atmosphere.symbols.json" <<'PYTHON'
import json, sys
graph = json.load(open(sys.argv[1]))
# What a protocol promises stands there, and what comes from the standard library is known.
kept = [r["source"] for r in graph["relationships"]
        if r["kind"] in ("defaultImplementationOf", "overrides") or "sourceOrigin" in r]
quiet = {"swift.init", "swift.extension", "swift.func.op"}
symbols = [s for s in graph["symbols"] if s["kind"]["identifier"] not in quiet and s["identifier"]["precise"] not in kept]
bare = [s for s in symbols if not s.get("docComment") and "location" in s]
for symbol in sorted(bare, key=lambda s: (s["location"]["uri"], s["location"]["position"]["line"])):
    place = symbol["location"]["uri"].split("/Sources/")[-1]
    print(f'{place}:{symbol["location"]["position"]["line"] + 1}: {".".join(symbol["pathComponents"])}')
print(f"{len(bare)} of {len(symbols)} public symbols of the core have no sentence", file=sys.stderr)
PYTHON
