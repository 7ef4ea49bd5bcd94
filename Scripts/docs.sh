#!/usr/bin/env bash
# Converts guides and symbols by DocC, and fails at a link that leads nowhere and at a public type of the core that is in no
# topic of its list. Then it says which public symbols of the core have no sentence of their own.
#
#   Scripts/docs.sh                    the core alone: checks
#   Scripts/docs.sh --site FOLDER      all modules, and pages of them that open from FOLDER/index.html
#   Scripts/docs.sh --build FOLDER …   the modules of another build than that of `swift build`: .build/release
#
# The build must be of the sources as they are: a module that was compiled before a comment moved has its comments garbled.
set -euo pipefail
cd "$(dirname "$0")/.."

site= built=
while (($#)); do
    case $1 in
    --site) site=$2 ;;
    --build) built=$2 ;;
    *) echo "docs.sh: unknown option $1" >&2 && exit 2 ;;
    esac
    shift 2
done
built=${built:-$(swift build --show-bin-path)}
if [[ ! -d $built/Modules ]]; then
    echo "docs.sh: there are no modules in $built; build first (make docs and make site do)" >&2
    exit 1
fi
built=$(cd "$built" && pwd -P)
target=$(swift -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p' | head -n 1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What modules import of C: this package's system libraries, and what was fetched.
imports=(-I "$built/Modules")
while read -r map; do imports+=(-I "$(dirname "$map")"); done < <(find SystemLibraries -name module.modulemap)
while read -r map; do imports+=(-Xcc "-fmodule-map-file=$map"); done < <(
    find "$built" -maxdepth 2 -name module.modulemap
    find "$built"/../../checkouts/*/Sources -name module.modulemap -not -path '*/GRDBSQLCipher/*' 2>/dev/null
)

for flag in $(pkg-config --cflags libcurl libxml-2.0 zlib sqlite3 2>/dev/null); do imports+=(-Xcc "$flag"); done

# All that is wrong is told, and at the end the script fails.
status=0

# symbols MODULE FOLDER [OPTION...]
symbols() {
    local module=$1 folder=$2
    if [[ ! -e $built/Modules/$module.swiftmodule ]]; then
        echo "docs.sh: $module is not in $built/Modules; build it first" >&2
        exit 1
    fi
    mkdir -p "$folder"
    swift-symbolgraph-extract -module-name "$module" -target "$target" "${imports[@]}" -minimum-access-level public \
        -skip-synthesized-members -output-dir "$folder" "${@:3}"
}

# convert NAME CATALOG [OPTION...]
convert() {
    docc convert "$2" --fallback-display-name "$1" --fallback-bundle-identifier atmosphere --output-path "$work/archives/$1" \
        "${@:3}" >"$work/$1.log" 2>&1 || { cat "$work/$1.log" >&2; exit 1; }
    python3 Scripts/site/unresolved.py "$work/$1.log" "$work/archives" "$1" || status=1
}

# Atmosphere exports the rooms of the core, so their symbols are Atmosphere's to whoever imports it.
mkdir -p "$work/core" "$work/archives"
for room in Model Routing Store Exchange ""; do symbols "Atmosphere$room" "$work/rooms"; done
python3 - "$work/rooms" "$work/core/Atmosphere.symbols.json" <<'PYTHON'
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
convert Atmosphere Sources/Atmosphere/Atmosphere.docc --additional-symbol-graph-dir "$work/core"

python3 - "$work/core/Atmosphere.symbols.json" "$work/archives/Atmosphere/data/documentation/atmosphere.json" <<'PYTHON' || status=1
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

# DocC makes groups of its own for what is in no topic.
root = json.load(open(sys.argv[2]))
listless = [root["references"][each] for section in root["topicSections"] if section.get("generated") for each in section["identifiers"]]
for each in listless:
    print(f'Sources/Atmosphere/Atmosphere.docc/Atmosphere.md: ``{each["title"]}`` is in no topic', file=sys.stderr)
sys.exit(1 if listless else 0)
PYTHON
[[ $site ]] || exit "$status"

# All other libraries of the package, each with its guides where it has some.
for module in $(sed -n 's/^ *\.library(name: "\([A-Za-z0-9]*\)".*/\1/p' Package.swift); do
    case $module in Atmosphere | AtmosphereModel | AtmosphereRouting | AtmosphereStore | AtmosphereExchange) continue ;; esac
    symbols "$module" "$work/symbols/$module" -emit-extension-block-symbols
    catalog=$(find Sources Adapters -name "$module.docc" | head -n 1)
    if [[ ! $catalog ]]; then
        catalog=$work/catalogs/$module.docc
        mkdir -p "$catalog"
    fi
    convert "$module" "$catalog" --additional-symbol-graph-dir "$work/symbols/$module"
done

# The README and what else is written for people, as articles of a catalog that holds nothing else.
python3 Scripts/site/project.py "$work/catalogs/Project.docc"
convert Project "$work/catalogs/Project.docc"
python3 Scripts/site "$work/archives" "$site"
Scripts/links.py "$site" || status=1
exit "$status"
