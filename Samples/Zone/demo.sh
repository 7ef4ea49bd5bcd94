#!/usr/bin/env bash
# Two computers of one person track time: demo.sh FOLDER, with the built Zone and atmos in PATH, and in PYTHON a Python that has what
# server/requirements.txt names. It shows each command and what it prints.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
export ZONE_TOKEN=secret TZ=UTC
service=

start_service() {
    mkfifo "$folder/url"
    "${PYTHON:-python3}" "$here/server/server.py" "$folder/service.db" "${port:-0}" >"$folder/url" &
    service=$!
    read -r base <"$folder/url"
    rm "$folder/url"
    port=${base#http://127.0.0.1:}
    port=${port%/api}
}

stop_service() {
    kill "$service" 2>/dev/null || true
    wait "$service" 2>/dev/null || true
}
trap stop_service EXIT

# zone COMPUTER WORD...
zone() {
    local computer=$1
    shift
    printf '%s $ zone' "$computer"
    printf ' %s' "${@/#*[ ]*/\"&\"}" | sed 's/"\([^"]*\)"/"\1"/g'
    echo
    (cd "$folder" && Zone "$folder/$computer/zone.yaml" "$@" 2>&1) | sed "s|$port|8741|" || true
}

mkdir "$folder/laptop" "$folder/desktop"
start_service
for computer in laptop desktop; do
    sed "s|^base: .*|base: $base|" "$here/zone.yaml" >"$folder/$computer/zone.yaml"
    zone "$computer" sync
done
stop_service
echo "# the service is away"
zone laptop in website "the new page" --at 2026-11-23T08:30:00Z
zone laptop out --at 2026-11-23T11:45:00Z
zone laptop in thesis --at 2026-11-23T13:00:00Z
zone laptop in website --at 2026-11-23T14:10:00Z
zone laptop out --at 2026-11-23T17:00:00Z
zone laptop sync
zone desktop in thesis "chapter 3" --at 2026-11-24T09:00:00Z
start_service
echo "# the service is back"
zone laptop sync
zone desktop out --at 2026-11-24T12:30:00Z
zone desktop sync
zone desktop week 2026-W48
zone laptop sync
zone laptop report 2026-W48 week.pdf
zone laptop invoice website 2026-11 invoice.pdf
stop_service
echo "# away again: what was read is there"
zone laptop report 2026-W48 again.pdf
zone laptop invoice thesis 2026-11 later.pdf
start_service
zone laptop invoice thesis 2026-11 later.pdf
zone desktop sync
stop_service
cmp "$folder/week.pdf" "$folder/again.pdf"
grep -a -q 'the new page' "$folder/week.pdf"
grep -a -q '6.08 hours at 80 EUR: 486.40 EUR' "$folder/invoice.pdf"
