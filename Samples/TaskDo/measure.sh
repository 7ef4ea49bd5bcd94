#!/usr/bin/env bash
# How long it takes until the tasks of 20 lists stand, with `atmos` in PATH, and curl as the browser. Each answer of the server takes
# 100 milliseconds.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
export GOOGLE_CLIENT_ID=demo GOOGLE_CLIENT_SECRET=secret XDG_CONFIG_HOME=$folder ATMOS_TRUST=$folder/

mkfifo "$folder/url"
atmos source -c "$here/taskdo.yaml" --port 0 --seed 20 --latency 100 >"$folder/url" &
google=$!
trap 'kill "$google" 2>/dev/null || true; rm -rf "$folder"' EXIT
read -r base <"$folder/url"
origin=${base%/tasks/v1}
cd "$folder"
sed -E "s#https://(tasks.googleapis|accounts.google|oauth2.googleapis).com#$origin#" "$here/taskdo.yaml" >taskdo.yaml
atmos login -c taskdo.yaml --no-browser | while read -r line; do
    if [[ $line == "$origin"/o/* ]]; then curl -sSL --max-time 20 -o /dev/null "$line"; fi
done

# seconds WHAT COMMAND...
seconds() {
    local what=$1 start=$EPOCHREALTIME
    shift
    "$@" >/dev/null
    awk "BEGIN { printf \"%-36s %.2f s\\n\", \"$what\", $EPOCHREALTIME - $start }"
}

from_the_server() {
    atmos pull -q -c taskdo.yaml
    atmos list -c taskdo.yaml tasks
}

seconds "without the copy, from the server" from_the_server
seconds "with the copy" atmos list -c taskdo.yaml tasks
kill "$google"
seconds "with the copy, without the server" atmos list -c taskdo.yaml tasks
