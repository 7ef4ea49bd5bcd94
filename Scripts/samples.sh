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
export PATH=$built:$PATH
# What a sample allows is no matter of whoever runs it.
export XDG_CONFIG_HOME=$folder/config

# The last block of a language in a README.
last_block() {
    awk -v "begin=^\`\`\`$1\$" '$0 ~ begin { block = ""; inside = 1; next } /^```$/ { inside = 0; next }
        inside { block = block $0 "\n" } END { printf "%s", block }' "$2"
}

# A sample with its route file and the seed of its source. What it prints, and what the commands in the last block of sh print,
# the README shows in its last block of text, with the port that it names.
run_sample() {
    local sample=$1 file=$2 seed=$3 work=$folder/$1
    mkdir "$work"
    mkfifo "$work/url"
    atmos source -c "Samples/$sample/$file" --port 0 --seed "$seed" >"$work/url" &
    source_pid=$!
    read -r url <"$work/url"
    sed "s|^base: .*|base: $url|" "Samples/$sample/$file" >"$work/$file"
    last_block text "Samples/$sample/README.md" >"$folder/expected"
    if [[ -x $built/$sample ]]; then
        "$built/$sample" "$work/$file"
    else
        (cd "$work" && bash -e <(last_block sh "$OLDPWD/Samples/$sample/README.md"))
    fi | sed 's|127\.0\.0\.1:[0-9]*|127.0.0.1:8734|' >"$folder/output"
    diff -u --label "Samples/$sample/README.md" --label "$sample" "$folder/expected" "$folder/output"
    kill "$source_pid"
    wait "$source_pid"
    source_pid=
    echo "sample $sample: as its README says"
}

run_sample QuickStart tasks.yaml 3
run_sample PublicAPI posts.yaml 20

# A sample with a demo.sh: what that prints, the README shows. The second word is a module that its service needs of Python.
run_demo() {
    local sample=$1 environment=$PWD/.build/sample-$1 python=python3
    if [[ ${2:-} ]]; then
        Tests/Interop/django/setup.sh "$environment" "Samples/$sample/server/requirements.txt" "$2" >/dev/null
        python=$environment/bin/python
    fi
    mkdir "$folder/$sample"
    last_block text "Samples/$sample/README.md" >"$folder/expected"
    PYTHON=$python "Samples/$sample/demo.sh" "$folder/$sample" >"$folder/output"
    diff -u --label "Samples/$sample/README.md" --label "$sample" "$folder/expected" "$folder/output"
    echo "sample $sample: as its README says"
}

run_demo Zone reportlab
run_demo RPic rest_framework
run_demo SyncBlog
run_demo ZaCloud
run_demo TaskDo
if Tests/Interop/rails/setup.sh >/dev/null; then
    run_demo Edukit
elif [[ ${CI+set} ]]; then
    echo "sample Edukit: no Rails here" >&2
    exit 1
else
    echo "sample Edukit: skipped, no Rails here"
fi

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
