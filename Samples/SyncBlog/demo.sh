#!/usr/bin/env bash
# Two people write one blog: demo.sh FOLDER, with the built SyncBlog in PATH, and in PYTHON a Python for the server. It shows each
# command and what it prints.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
server=

start_server() {
    mkfifo "$folder/url"
    "${PYTHON:-python3}" "$here/server/server.py" "$folder/server.db" "${port:-0}" >"$folder/url" &
    server=$!
    read -r base <"$folder/url"
    rm "$folder/url"
    port=${base##*:}
}

stop_server() {
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
}
trap stop_server EXIT

# blog PERSON WORD...; identifiers are random, and shown as their first letters are not.
blog() {
    local person=$1 word
    shift
    printf '%s $ blog' "$person"
    for word in "$@"; do
        if [[ $word == *[\ =]* ]]; then printf ' "%s"' "$word"; else printf ' %s' "${word##*/}"; fi
    done
    echo
    (cd "$folder" && SyncBlog "$folder/$person/blog.yaml" "$@" 2>&1) | sed -E "s|:$port|:8742|; s|^(.) [0-9a-f]{8}  |\1 |; s|pictures/[0-9a-f]{64}|pictures/…|" || true
}

# A small PNG of one colour.
picture() {
    "${PYTHON:-python3}" - "$@" <<'PY'
import struct, sys, zlib
name, *colour = sys.argv[1:]
chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
rows = b"".join(b"\0" + bytes(map(int, colour)) * 64 for _ in range(64))
open(name, "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0))
                       + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
PY
}

mkdir "$folder/anna" "$folder/ben"
picture "$folder/harbour.png" 40 90 160
picture "$folder/sunset.png" 200 90 40
picture "$folder/beach.png" 220 200 140
start_server
for person in anna ben; do
    sed "s|^base: .*|base: $base|" "$here/blog.yaml" >"$folder/$person/blog.yaml"
done
stop_server
echo "# no network"
blog anna write "First day" "We have arrived."
blog anna picture "First day" harbour.png
blog anna write "Plans" "Swim, read, sleep."
blog anna write "Packing" "Hat, book."
blog anna list
blog anna sync
start_server
echo "# the network is back"
blog anna sync
blog anna sync
blog anna list
blog ben sync
blog ben list
stop_server
echo "# both write without a network"
blog anna edit "Plans" "Swim, read, sleep, hike."
blog ben edit "Plans" "Swim and sleep."
blog anna picture "First day" sunset.png
blog ben picture "First day" beach.png
blog ben delete "Packing"
start_server
blog ben sync
blog anna sync
blog anna list
blog anna resolve "Plans" "body=Swim, hike and sleep."
blog anna resolve "First day" mine
blog anna sync
blog ben sync
blog ben list
stop_server
