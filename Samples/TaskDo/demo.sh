#!/usr/bin/env bash
# One person's laptop and phone: demo.sh FOLDER, with the built TaskDo and atmos in PATH, and curl as the browser. It shows each
# command and what it prints. `atmos source` stands in for Google.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
export GOOGLE_CLIENT_ID=demo GOOGLE_CLIENT_SECRET=secret

mkfifo "$folder/url"
atmos source -c "$here/taskdo.yaml" --port 0 --seed 2 >"$folder/url" &
google=$!
trap 'kill "$google" 2>/dev/null || true' EXIT
read -r base <"$folder/url"
origin=${base%/tasks/v1}

# A computer that is cut off has a proxy that is not there.
away() { export http_proxy=http://127.0.0.1:1 no_proxy='' NO_PROXY=''; }
back() { unset http_proxy no_proxy NO_PROXY; }

# taskdo COMPUTER WORD...
taskdo() {
    local computer=$1 word
    shift
    printf '%s $ taskdo' "$computer"
    for word in "$@"; do
        if [[ $word == *' '* ]]; then printf ' "%s"' "$word"; else printf ' %s' "$word"; fi
    done
    echo
    TaskDo "$folder/$computer/taskdo.yaml" "$@" 2>&1 | browser | sed -E 's#(POST|PATCH) http://[^ ]*: ##' || true
}

# Opens what a program wants to be opened.
browser() {
    local line
    while IFS= read -r line; do
        if [[ $line == "$origin"/o/* ]]; then
            curl -sSL --max-time 20 -o /dev/null "$line"
            line="http://127.0.0.1:8734/o/oauth2/v2/auth?…"
        fi
        printf '%s\n' "$line"
    done
}

for computer in laptop phone; do
    mkdir "$folder/$computer"
    sed -E "s#https://(tasks.googleapis|accounts.google|oauth2.googleapis).com#$origin#" "$here/taskdo.yaml" >"$folder/$computer/taskdo.yaml"
    taskdo "$computer" login
    taskdo "$computer" sync
done
away
echo "# the laptop is on a train"
taskdo laptop list Journey
for task in Passport Tickets Hotel; do taskdo laptop add Journey "$task"; done
taskdo laptop move Tickets Passport
taskdo laptop move Hotel Tickets
taskdo laptop "done" "Task 1"
taskdo laptop show Journey
taskdo laptop sync
back
echo "# back"
taskdo laptop sync
taskdo phone sync
taskdo phone show
away
echo "# both are away"
taskdo laptop move Hotel
taskdo laptop edit Hotel "Hotel by the sea"
taskdo laptop "done" Passport
taskdo laptop clean Journey
taskdo laptop show Journey
taskdo phone add Journey Charger
taskdo phone "done" Tickets
back
echo "# back"
taskdo phone sync
taskdo laptop sync
taskdo laptop show Journey
taskdo phone sync
taskdo phone show Journey
