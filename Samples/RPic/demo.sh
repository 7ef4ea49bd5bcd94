#!/usr/bin/env bash
# Two people, two back ends, one program: demo.sh FOLDER, with the built RPic in PATH, and in PYTHON a Python that has what
# server/requirements.txt names. It shows each command and what it prints.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
export CLOUDKIT_TOKEN=api-token TZ=UTC
server=

start_server() {
    mkfifo "$folder/url"
    "${PYTHON:-python3}" "$here/server/$service.py" "$folder/$service.db" "${port:-0}" >"$folder/url" &
    server=$!
    read -r base <"$folder/url"
    rm "$folder/url"
    port=${base#http://127.0.0.1:}
    port=${port%%/*}
}

stop_server() {
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
}
trap stop_server EXIT

# rpic PERSON WORD...; which picture gets which number is chance, for several are sent at once.
rpic() {
    local person=$1 word
    shift
    printf '%s $ rpic' "$person"
    for word in "$@"; do
        if [[ $word == *\ * ]]; then printf ' "%s"' "$word"; else printf ' %s' "$word"; fi
    done
    echo
    (cd "$folder" && RPic "$folder/$person/$file" "$@" 2>&1) \
        | sed -E "s|:$port|:$usual|; s#pictures/[0-9a-f-]+#pictures/…#" || true
}

# sign_in PERSON LINE...: what is typed, a line for each question.
sign_in() {
    local person=$1
    shift
    printf '%s\n' "$@" | rpic "$person" login
}

# Marks of a JPEG, and something between them.
picture() { printf '\xff\xd8%s\xff\xd9' "$2" >"$folder/$1"; }

# begin SERVICE FILE PORT: each person gets the route file, with the port of this run.
begin() {
    service=$1 file=$2 usual=$3 port=
    start_server
    for person in anna ben; do
        mkdir -p "$folder/$person"
        sed "s|^base: .*|base: $base|" "$here/$file" >"$folder/$person/$file"
    done
}

use() {
    stop_server
    echo "# no network"
    rpic anna take harbour.jpg "Harbour" 22.8957S,43.1802W --at 2026-11-23T08:30:00Z
    rpic anna take hill.jpg "Hill" 22.9519S,43.2105W --at 2026-11-24T16:00:00Z
    rpic anna take desk.jpg "Desk" --at 2026-11-25T10:00:00Z
    rpic anna list
    rpic anna sync
    start_server
    echo "# the network is back"
    rpic anna sync
    rpic anna list
    rpic ben sync
    rpic ben save "Hill" seen.jpg
    cmp "$folder/hill.jpg" "$folder/seen.jpg"
    rpic ben title "Hill" "My hill"
    rpic ben sync
    rpic ben undo
    rpic ben delete "Desk"
    rpic ben sync
    rpic ben undo
    rpic anna title "Hill" "The hill"
    rpic anna delete "Desk"
    rpic anna sync
    rpic ben sync
    rpic ben list
    stop_server
    echo "# no network: what was seen once is there"
    rpic ben save "The hill" again.jpg
    cmp "$folder/hill.jpg" "$folder/again.jpg"
}

for name in harbour hill desk; do picture "$name.jpg" "$name"; done
echo "# Django REST framework"
begin server rpic.yaml 8745
rpic ben sync
sign_in anna anna wrong
sign_in anna anna pass-of-anna
sign_in ben ben pass-of-ben
use
echo "# CloudKit"
begin cloudkit cloudkit.yaml 8744
sign_in anna web-token-of-anna
sign_in ben web-token-of-ben
use
