#!/usr/bin/env bash
# A phone and a laptop of one person: demo.sh FOLDER, with the built ZaCloud in PATH, and in PYTHON a Python for the server. It shows
# each command and what it prints.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
export ZACLOUD_USERS="ada:secret ben:secret" ZACLOUD_USER=ada ZACLOUD_PASSWORD=secret
server=
editor=

# start_server [SECONDS that a lease lasts]
start_server() {
    mkfifo "$folder/url"
    "${PYTHON:-python3}" "$here/server/server.py" "$folder/server.db" "${port:-0}" --lease "${1:-120}" >"$folder/url" 7>&- &
    server=$!
    read -r base <"$folder/url"
    rm "$folder/url"
    port=${base##*:}
}

stop_server() {
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
}

cleanup() {
    if [[ $editor ]]; then kill "$editor" 2>/dev/null || true; fi
    stop_server
}
trap cleanup EXIT

shown() { sed -E "s|:$port|:8743|; s|[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}|…|; s|notes/[0-9a-f-]{36}|notes/…|"; }

command_line() {
    local device=$1 word
    shift
    printf '%s $ zacloud' "$device"
    for word in "$@"; do
        if [[ $word == *" "* ]]; then printf ' "%s"' "$word"; else printf ' %s' "$word"; fi
    done
    echo
}

# zacloud DEVICE WORD...
zacloud() {
    local device=$1
    shift
    command_line "$device" "$@"
    ZACLOUD_DEVICE=$device ZaCloud "$folder/$device/zacloud.yaml" "$@" 2>&1 </dev/null | shown || true
}

# What the phone types comes from a pipe (7, which nobody else may keep open), so that others can do something meanwhile.
begin_edit() {
    mkfifo "$folder/keys"
    ZACLOUD_DEVICE=phone ZaCloud "$folder/phone/zacloud.yaml" edit "$1" <"$folder/keys" >"$folder/typed" 2>&1 &
    editor=$!
    exec 7>"$folder/keys"
    await "until the input ends" "$folder/typed"
    command_line phone edit "$1"
}

end_edit() {
    echo "phone types: $1"
    echo "$1" >&7
    exec 7>&-
    wait "$editor" || true
    editor=
    rm "$folder/keys"
    shown <"$folder/typed"
}

await() {
    for _ in {1..300}; do
        if grep -q "$1" "$2"; then return; fi
        sleep 0.1
    done
    echo "not in $2: $1" >&2
    cat "$2" >&2
    exit 1
}

mkdir "$folder/phone" "$folder/laptop"
start_server
for device in phone laptop; do
    sed "s|^base: .*|base: $base|" "$here/zacloud.yaml" >"$folder/$device/zacloud.yaml"
    zacloud "$device" sync
done
stop_server
echo "# the server is away"
zacloud phone new Letter "Dear Ben,"
zacloud phone new Shopping milk
zacloud phone sync
zacloud phone list
start_server
echo "# the server is back"
zacloud phone sync
zacloud laptop sync
zacloud laptop list

echo "# the phone edits, and meanwhile the laptop reads"
begin_edit Shopping
zacloud laptop delete Shopping
zacloud laptop write Shopping "milk, eggs"
zacloud laptop sync
ZACLOUD_DEVICE=laptop ZaCloud "$folder/laptop/zacloud.yaml" edit Shopping >"$folder/waiting" 2>&1 </dev/null 7>&- &
waiting=$!
await "read-only" "$folder/waiting"
end_edit "milk, bread"
wait "$waiting"
command_line laptop edit Shopping
shown <"$folder/waiting"
zacloud laptop sync
zacloud laptop keep Shopping mine
zacloud laptop sync
zacloud phone sync

stop_server
echo "# a note is deleted with the server only"
zacloud phone delete Letter
start_server
zacloud phone delete Letter
zacloud laptop sync

echo "# a lease lasts two seconds now; the network breaks while the phone has it, and the phone goes to sleep"
sed -i.two 's|ttl: 2m|ttl: 2s|; s|every: 110s|every: 1s|' "$folder/phone/zacloud.yaml" "$folder/laptop/zacloud.yaml"
stop_server
start_server 2
begin_edit Shopping
stop_server
await "has ended" "$folder/typed"
kill -STOP "$editor"
start_server 2
zacloud laptop write Shopping "milk, eggs, tea"
zacloud laptop sync
echo "# the phone wakes up"
kill -CONT "$editor"
end_edit "milk, eggs, rice"
zacloud phone keep Shopping theirs
zacloud phone sync
zacloud phone list
stop_server
