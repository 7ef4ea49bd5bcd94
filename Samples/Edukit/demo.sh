#!/usr/bin/env bash
# Three members of a course, one of them with an old client: demo.sh FOLDER, with the built Edukit and atmos in PATH, and a Ruby that
# Tests/Interop/rails/setup.sh has given Rails. It shows each command and what it prints.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
rails= notifications= chat= notifier= tries=0

key() { echo "$1-0123456789abcdef"; }

start_rails() {
    mkfifo "$folder/url"
    EDUKIT_KEYS=$folder/users.keys ATMOSPHERE_URL=$live ATMOSPHERE_KEY=$(key publisher) \
        ruby "$here/server/server.rb" "$folder/school.db" "${port:-0}" >"$folder/url" 2>>"$folder/rails.log" 7>&- 8>&- &
    rails=$!
    read -r base <"$folder/url"
    rm "$folder/url"
    port=${base#http://127.0.0.1:}
    port=${port%/api}
}

start_notifications() {
    mkfifo "$folder/url"
    atmos serve --port "${live_port:-0}" --publishers "$folder/publishers.keys" --clients "$folder/users.keys" \
        >"$folder/url" 2>>"$folder/serve.log" 7>&- 8>&- &
    notifications=$!
    read -r live <"$folder/url"
    rm "$folder/url"
    live_port=${live##*:}
}

stop() {
    if [[ $1 ]]; then
        kill "$1" 2>/dev/null || true
        wait "$1" 2>/dev/null || true
    fi
}

cleanup() { for process in "$chat" "$notifier" "$rails" "$notifications"; do stop "$process"; done; }
trap cleanup EXIT

command_line() {
    local person=$1 word
    shift
    printf '%s $ edukit' "$person"
    for word in "$@"; do
        if [[ $word == *" "* ]]; then printf ' "%s"' "$word"; else printf ' %s' "$word"; fi
    done
    echo
}

# edukit PERSON WORD...
edukit() {
    local person=$1
    shift
    command_line "$person" "$@"
    EDUKIT_KEY=$(key "$person") Edukit "$folder/$person/edukit.yaml" "$@" 2>&1 </dev/null 7>&- 8>&- |
        sed -E "s|:$port|:8745|; s|[0-9a-f-]{36}|…|" || true
}

# What an old client does: plain HTTP, and no identifier of its own.
asked() { curl -sS -m 30 -H "Authorization: Bearer $(key clara)" -H "Content-Type: application/json" "$@"; }

old_client_says() {
    echo "clara $ curl -d '{\"topic_id\": …, \"text\": \"$1\"}' …/messages.json"
    asked -o "$folder/answer" -w '%{http_code}\n' -d "{\"topic_id\": \"$topic\", \"text\": \"$1\"}" "$base/messages.json"
}

old_client_reads() {
    echo "clara $ curl …/messages.json"
    asked "$base/messages.json" | ruby -rjson -e 'JSON.parse($stdin.read).sort_by { |row| row["written_at"] }
        .each { |row| puts "#{row["author"]}: #{row["text"]}" }'
}

# A program of Ben's that runs beside the others: what it shows comes with its next line.
begin_chat() {
    mkfifo "$folder/keys"
    : >"$folder/chat"
    EDUKIT_KEY=$(key ben) Edukit "$folder/ben/edukit.yaml" chat "$1" <"$folder/keys" >"$folder/chat" 2>&1 8>&- &
    chat=$!
    exec 7>"$folder/keys"
    command_line ben chat "$1"
    chat_shown=0
    shown chat "# live"
}

begin_notifier() {
    mkfifo "$folder/end"
    : >"$folder/notifier"
    EDUKIT_KEY=$(key ben) Edukit "$folder/ben/edukit.yaml" notifier <"$folder/end" >"$folder/notifier" 2>&1 7>&- &
    notifier=$!
    exec 8>"$folder/end"
    command_line ben notifier
    notifier_shown=0
    shown notifier "# live"
}

# shown chat|notifier TEXT: waits until a line that was not shown yet holds TEXT, and shows what has come.
shown() {
    local name=$1 from=$1_shown number
    for _ in {1..300}; do
        number=$(tail -n +$((${!from} + 1)) "$folder/$name" | grep -n -m 1 -F -- "$2" | cut -d: -f1) || true
        if [[ $number ]]; then
            tail -n +$((${!from} + 1)) "$folder/$name" | head -n "$number" | sed "s|^|  ben’s $name: |"
            printf -v "$from" %s $((${!from} + number))
            return
        fi
        sleep 0.1
    done
    echo "ben’s $name does not show: $2" >&2
    cat "$folder/$name" >&2
    exit 1
}

mkdir "$folder/anna" "$folder/ben"
umask 077
for person in anna ben clara; do echo "$(key "$person") $person"; done >"$folder/users.keys"
echo "$(key publisher) school" >"$folder/publishers.keys"
start_notifications
start_rails
for person in anna ben; do
    sed "s|^base: .*|base: $base|; s|ws://127.0.0.1:8765|ws://127.0.0.1:$live_port|" "$here/edukit.yaml" >"$folder/$person/edukit.yaml"
    edukit "$person" sync
done
edukit ben list
topic=$(asked "$base/topics.json" | ruby -rjson -e 'puts JSON.parse($stdin.read).find { |row| row["title"] == "Chapter 4" }["id"]')

echo "# ben looks at a topic, and has a notifier beside it"
begin_chat "Chapter 4"
begin_notifier
edukit anna say "Chapter 4" "Who has read it?"
edukit anna sync
shown chat "Who has read it?"
echo "# an old client writes as well"
old_client_says "I have, twice."
shown chat "I have, twice."
edukit anna say "Chapter 4" "@ben, please put it on the list."
edukit anna sync
shown chat "@ben"
shown notifier "@ben"
echo "ben types: I do."
echo "I do." >&7
shown chat "I do."
until asked "$base/messages.json" | grep -q "I do."; do ((++tries < 300)) || exit 1; sleep 0.1; done

echo "# the notification server is away: everything else goes on"
stop "$notifications"
shown chat "# not live"
old_client_says "Nobody is told of this."
start_notifications
shown chat "Nobody is told of this."

echo "# ben goes; then Rails dies behind a message, before it answers"
exec 7>&- 8>&-
wait "$chat" "$notifier"
chat= notifier=
kill -USR1 "$rails"
edukit anna say "Chapter 4" "Sent once?"
edukit anna sync
wait "$rails" 2>/dev/null || true
echo "# both edit one page without a network"
edukit anna line "Reading list" 1 "Chapter 1: the ideas (short)"
edukit ben line "Reading list" 9 "Chapter 4: the client"
edukit ben sync
start_rails
echo "# Rails is back"
edukit ben sync
edukit anna sync
edukit anna page "Reading list"
edukit anna read "Chapter 4"
old_client_reads
echo "# both change the same line"
edukit ben sync
edukit anna line "Reading list" 2 "Chapter 2: the web in 2012"
edukit ben line "Reading list" 2 "Chapter 2: the web, quickly"
edukit ben sync
edukit anna sync
edukit anna keep "Reading list" both
edukit anna sync
edukit ben sync
edukit ben page "Reading list"
