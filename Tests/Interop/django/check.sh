#!/bin/bash
# Starts server.py and asserts, with curl, what the interop tests rely on: check.sh VENV_DIR
# The environment is made first when it is missing. Prints the failed expectations, and one last line.
set -eu

[ $# -eq 1 ] || { echo "usage: check.sh VENV_DIR" >&2; exit 64; }
here=$(cd "$(dirname "$0")" && pwd)
"$here/setup.sh" "$1" >/dev/null
python=$(cd "$1" && pwd)/bin/python
temporary=$(mktemp -d)
pid=
passed=0
failed=0

stop() {
    [ -z "$pid" ] || { kill "$pid" 2>/dev/null || true; wait "$pid" 2>/dev/null || true; }
    pid=
}
trap 'stop; rm -rf "$temporary"' EXIT

# Starts a server with the given options; sets pid and url. Opening the pipe waits for the ready line, or for its end
# when the server could not start.
start() {
    rm -f "$temporary/ready"
    mkfifo "$temporary/ready"
    # Without <&0 the shell would give a background command an empty standard input.
    "$python" "$here/server.py" "$@" <&0 >"$temporary/ready" &
    pid=$!
    read -r word url <"$temporary/ready" || { echo "check.sh: the server did not start" >&2; exit 1; }
    expect "first line" ready "$word"
}

# get PATH [curl option…]; sets status, head and body. -q and --noproxy: the user's curl settings must not matter.
get() {
    local path=$1
    shift
    status=$(curl -q -sS --noproxy '*' -D "$temporary/head" -o "$temporary/body" -w '%{http_code}' "$@" "$url$path")
    head=$(tr -d '\r' <"$temporary/head")
    body=$(cat "$temporary/body")
}
admin() { get "$@" -H "Authorization: Token 0123456789abcdef0123456789abcdef01234567"; }
send() { local method=$1 path=$2 data=$3; shift 3; admin "$path" -X "$method" -H "Content-Type: application/json" -d "$data" "$@"; }
xml() { admin "$2" -X "$1" -H "Content-Type: application/xml" -H "Accept: application/xml" -d "$3"; }

expect() {
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'failed: %s\n  expected: %s\n  answered: %s\n' "$1" "$2" "$3"
    fi
}
answers() { expect "$1" "$2 $3" "$status $body"; }
# A value out of the body, by a Python expression on `it`.
value() { "$python" -c 'import json, sys; it = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1" <"$temporary/body"; }
header() { printf '%s\n' "$head" | sed -n "s/^$1: //p"; }

start --database "$temporary/database" --seed 250 --log "$temporary/log"

# Credentials.
get api/pictures/
answers "no credentials" 401 '{"detail":"Authentication credentials were not provided."}'
expect "scheme asked for" Token "$(header WWW-Authenticate)"
get api/pictures/ -H "Authorization: Token wrong"
answers "wrong token" 401 '{"detail":"Invalid token."}'
get api/token/ -d "username=admin&password=admin-password"
answers "token" 200 '{"token":"0123456789abcdef0123456789abcdef01234567"}'
get api/pictures/1/ -u reader:reader-password
expect "reader reads" 200 "$status"
get api/pictures/1/ -u reader:reader-password -X DELETE
answers "reader deletes" 403 '{"detail":"You do not have permission to perform this action."}'

# Representation.
admin api/pictures/1/
answers "picture" 200 '{"id":1,"uuid":"00000000-0000-4000-8000-000000000001","album":1,"title":"Picture 1","description":"Description of picture 1","created":"2024-01-01T08:00:00.123456Z","last_modified":"2024-01-01T08:01:00.123456Z","taken_on":"2024-01-02","latitude":"-19.750000","longitude":"0.500000","rating":0.5,"public":true,"tags":["t1","x"]}'
admin api/albums/5/
answers "album, time without a fraction" 200 '{"id":5,"uuid":"a0000000-0000-4000-8000-000000000005","title":"Album 5","notes":"Notes on album 5","created":"2024-01-01T08:04:00Z","last_modified":"2024-01-01T08:04:00Z"}'
admin api/pictures -X PUT
expect "no trailing slash" "301 /api/pictures/" "$status $(header Location)"
admin api/pictures/1
expect "no trailing slash, one row" "301 /api/pictures/1/" "$status $(header Location)"

# Paging.
admin "api/pictures/?page_size=1"
expect "page" "250 ${url}api/pictures/?page=2&page_size=1 None 1" \
    "$(value 'f"""{it["count"]} {it["next"]} {it["previous"]} {len(it["results"])}"""')"
admin "api/number/pictures/?page=4"
answers "page past the end" 404 '{"detail":"Invalid page."}'
admin "api/offset/pictures/?limit=100&offset=200"
expect "offset page" "250 None 50" "$(value 'f"""{it["count"]} {it["next"]} {len(it["results"])}"""')"
admin "api/cursor/pictures/?page_size=240"
expect "cursor page" "['next', 'previous', 'results'] 240" "$(value 'f"""{list(it)} {len(it["results"])}"""')"
rest=$(value 'it["next"]')
admin "${rest#"$url"}"
expect "next cursor page" "None 241" "$(value 'f"""{it["next"]} {it["results"][0]["id"]}"""')"
admin "api/plain/pictures/"
expect "bare array" "250" "$(value 'len(it)')"

# Filters. Pictures 249 and 250 share their last_modified.
admin "api/plain/pictures/?modified_since=2024-01-01T12:07:00.123456Z"
expect "modified_since excludes the instant" "[249, 250]" "$(value '[row["id"] for row in it]')"
admin "api/plain/pictures/?modified_since=2024-01-01T12:07:00.123455%2B00:00"
expect "modified_since has microseconds" "[247, 248, 249, 250]" "$(value '[row["id"] for row in it]')"
for instant in yesterday 2024-01-01T08:00:00 2024-01-01T08:00:00+00:00 2024-13-01T08:00:00Z; do
    admin "api/pictures/?modified_since=$instant"
    answers "modified_since $instant" 400 '{"modified_since":["Enter an ISO 8601 instant with a time zone."]}'
done
admin "api/plain/pictures/?uuid=00000000-0000-4000-8000-000000000007"
expect "by uuid" "[7]" "$(value '[row["id"] for row in it]')"
admin "api/pictures/?album=2"
expect "by album" "25" "$(value 'it["count"]')"

# Writing.
send POST api/pictures/ '{"title":"New","album":1,"latitude":1.5,"uuid":"11111111-2222-4333-8444-555555555555","id":9,"created":null}'
expect "create ignores read-only fields" "201 251 1.500000 11111111-2222-4333-8444-555555555555" \
    "$status $(value 'f"""{it["id"]} {it["latitude"]} {it["uuid"]}"""')"
expect "created and last_modified differ" "True" "$(value 'it["created"] < it["last_modified"]')"
send POST api/pictures/ '{"title":"New","album":1,"uuid":"11111111-2222-4333-8444-555555555555"}'
answers "uuid again" 400 '{"uuid":["picture with this uuid already exists."]}'
send POST api/pictures/ '{"title":"","album":999,"latitude":91}'
answers "blank title" 400 '{"album":["Invalid pk \"999\" - object does not exist."],"title":["This field may not be blank."],"latitude":["Ensure this value is less than or equal to 90."]}'
send POST api/albums/ '{"title":"A forbidden word"}'
answers "forbidden title" 400 '{"title":["The word forbidden may not be used."]}'
send PATCH api/pictures/1/ '{"public":false,"tags":["public"]}'
answers "error of no field" 400 '{"non_field_errors":["A picture that is not public may not have the tag public."]}'
send PUT api/pictures/1/ '{"description":"x"}'
answers "put without required fields" 400 '{"album":["This field is required."],"title":["This field is required."]}'
send PUT api/pictures/1/ '{"title":"Put","album":1}'
expect "put leaves optional fields" "200 Put Description of picture 1" "$status $(value 'it["title"] + " " + it["description"]')"
send PATCH api/pictures/1/ '{"title":"Patched é"}'
expect "patch" "200 Patched é" "$status $(value 'it["title"]')"
send DELETE api/pictures/251/ ''
answers "delete" 204 ''
send DELETE api/pictures/251/ ''
answers "delete again" 404 '{"detail":"No Picture matches the given query."}'
send POST api/pictures/1/ '{}'
answers "method" 405 '{"detail":"Method \"POST\" not allowed."}'
send POST api/albums/ '{"title":"Chunked"}' -H "Transfer-Encoding: chunked"
expect "chunked body" 411 "$status"

# XML.
declaration='<?xml version="1.0" encoding="utf-8"?>
'
admin "api/plain/albums/?modified_since=2024-01-01T08:08:30Z" -H "Accept: application/xml"
answers "XML list" 200 "$declaration<root><list-item><id>10</id><uuid>a0000000-0000-4000-8000-000000000010</uuid><title>Album 10</title><notes>Notes on album 10</notes><created>2024-01-01T08:09:00Z</created><last_modified>2024-01-01T08:09:00Z</last_modified></list-item></root>"
admin "api/pictures/240/?format=xml"
answers "XML of one: null, empty, boolean" 200 "$declaration<root><id>240</id><uuid>00000000-0000-4000-8000-000000000240</uuid><album>10</album><title>Picture 240</title><description></description><created>2024-01-01T11:59:00Z</created><last_modified>2024-01-01T11:59:00Z</last_modified><taken_on>2024-08-28</taken_on><latitude>40.000000</latitude><longitude>120.000000</longitude><rating></rating><public>False</public><tags></tags></root>"
admin api/pictures/1.xml
expect "suffix" "application/xml; charset=utf-8" "$(header Content-Type)"
xml PATCH api/pictures/1/ '<root><title></title></root>'
answers "XML empty is null" 400 "$declaration<root><title><list-item>This field may not be null.</list-item></title></root>"
xml PATCH api/pictures/1/ '<root><title>007</title><public>False</public><tags><list-item>a</list-item></tags></root>'
admin api/pictures/1/
expect "XML parser takes digits for a number" "7 False ['a']" "$(value 'f"""{it["title"]} {it["public"]} {it["tags"]}"""')"

# The control.
get control/touch -H "Content-Type: application/json" -d '{"model":"picture","id":2,"fields":{"title":"Touched","rating":null}}'
expect "touch" "200 Touched None True" "$status $(value 'f"""{it["title"]} {it["rating"]} {it["last_modified"] > "2024-02"}"""')"
get control/delete -H "Content-Type: application/json" -d '{"model":"album","id":2}'
answers "control's delete" 204 ''
get control/counts
answers "an album takes its pictures along" 200 '{"album":9,"picture":225}'
get "control/dump?model=picture"
expect "dump" "225 00000000-0000-4000-8000-000000000001" "$(value 'f"""{len(it)} {it[0]["uuid"]}"""')"
get control/reset -H "Content-Type: application/json" -d '{"seed":26}'
answers "reset" 200 '{"album":2,"picture":26}'
send POST api/pictures/ '{"title":"After the reset","album":2}'
expect "numbers begin anew" 27 "$(value 'it["id"]')"

# The log.
expect "log of a patch" '[{"method": "PATCH", "path": "/api/pictures/1/", "query": "", "status": 200, "body": "{\"title\":\"Patched \u00e9\"}", "user": "admin"}]' \
    "$(grep 'Patched' "$temporary/log" | sed 's/^/[/; s/$/]/')"
expect "log of a 403" 1 "$(grep -c '"status": 403, "body": "", "user": "reader"' "$temporary/log")"
expect "log of a 301" 2 "$(grep -c '"status": 301, "body": "", "user": null' "$temporary/log")"

server=$pid
kill "$server"
code=0
wait "$server" || code=$?
pid=
expect "exit code" 0 "$code"

# Without --seed the rows stay; other pages under the plain prefix; limits.
start --database "$temporary/database" --paging limit-offset --page-size 10 --throttle 2/min
admin api/pictures/
expect "rows kept, offset pages" "27 10" "$(value 'f"""{it["count"]} {len(it["results"])}"""')"
admin api/pictures/
admin api/pictures/
expect "throttled" 429 "$status"
expect "how long" True "$(value '"Request was throttled. Expected available in " in it["detail"]')"
wait_seconds=$(header Retry-After)
expect "Retry-After within the minute" yes "$([ "$wait_seconds" -gt 50 ] && [ "$wait_seconds" -le 60 ] && echo yes)"
stop

# A server whose standard input closes ends by itself.
mkfifo "$temporary/input"
exec 3<>"$temporary/input"
start --database "$temporary/other" --seed 1 --paging none --exit-on-eof <"$temporary/input" 3>&-
admin api/pictures/
expect "default without pages" 1 "$(value 'len(it)')"
exec 3>&-
code=0
wait "$pid" || code=$?
pid=
expect "exit code at the end of input" 0 "$code"

echo "$passed expectations met, $failed failed"
[ "$failed" -eq 0 ]
