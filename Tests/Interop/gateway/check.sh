#!/bin/bash
# Drives the gateway from its own OpenAPI document: check.sh ATMOS VENV_DIR [EXAMPLES]
# The environment is made first when it is missing. Prints what schemathesis found, and one last line.
set -eu

[ $# -ge 2 ] || { echo "usage: check.sh ATMOS VENV_DIR [EXAMPLES]" >&2; exit 64; }
here=$(cd "$(dirname "$0")" && pwd)
atmos=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
"$here/../django/setup.sh" "$2" "$here/requirements.txt" schemathesis >/dev/null
schemathesis=$(cd "$2" && pwd)/bin/schemathesis
examples=${3:-20}
temporary=$(mktemp -d)
pids=()
stop() {
    # What stands before the stream ends with its input.
    exec 3>&-
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; wait "$pid" 2>/dev/null || true; done
    pids=()
}
trap 'stop; rm -rf "$temporary"' EXIT
cd "$temporary"
export HOME=$temporary ATMOS_TRUST=$temporary/

# serve NAME ARGUMENT…: starts atmos; sets line to what it says first.
serve() {
    local name=$1
    shift
    mkfifo "$name.ready"
    "$atmos" "$@" >"$name.ready" 2>"$name.errors" &
    pids+=($!)
    read -r line <"$name.ready" || { cat "$name.errors" >&2; exit 1; }
}

routes() {
    cat <<YAML
atmosphere: 1
name: tasks
style: django-rest
base: $1
store: { kind: sqlite, path: tasks.db }
resources:
  lists:
    deletes: absent
  tasks:
    parent: { lists: list }
    types: { done: boolean, rank: integer, weight: float, price: decimal, due: date, tags: json }
    readonly: [modified]
    lookup: { field: uuid, query: uuid }
    actions:
      archive: { post: "tasks/{id}/archive/" }
    attachments:
      photo: { upload: { path: "tasks/{id}/photo/" }, download: { path: "tasks/{id}/photo/" } }
YAML
}

routes http://127.0.0.1/api >atmosphere.yaml
serve source source --port 0 --seed 20
routes "$line" >atmosphere.yaml
"$atmos" pull >/dev/null
serve gateway gateway --port 0 --token-file token
url=${line%/?token=*}

authorization="Authorization: Bearer $(cat token)"

# drive DESCRIPTION URL OPTION…: asks for everything that the description has, as far as the options say.
drive() {
    "$schemathesis" run "$1" --url "$2" --header "$authorization" \
        --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
        --max-examples "$examples" --seed 1 --suppress-health-check all --warnings off --no-color "${@:3}"
}

# The stream does not end, and behind the switch the server is not reached: each is driven by itself.
alone=(--exclude-path /v1/events --exclude-operation-id switchNetwork)
drive "$url/v1/openapi.json" "$url" "${alone[@]}"
# The same for objects that are there, as far as they are not deleted on the way.
curl -qsSf --noproxy '*' -H "$authorization" "$url/v1/openapi.json" | python3 -c '
import json, sys
document = json.load(sys.stdin)
for path in document["paths"].values():
    for operation in path.values():
        for parameter in operation.get("parameters", []):
            if parameter["in"] == "path" and parameter["name"] == "id":
                parameter["schema"] = {"enum": [str(number) for number in range(1, 21)]}
json.dump(document, sys.stdout)' >objects.json
drive objects.json "$url" "${alone[@]}"
mkfifo front.ready front.input
python3 "$here/first_event.py" "$url" <front.input >front.ready &
pids+=($!)
exec 3>front.input
read -r front <front.ready
drive "$url/v1/openapi.json" "$front" --include-path /v1/events
drive "$url/v1/openapi.json" "$url" --include-operation-id switchNetwork
echo "gateway: driven from its description, nothing to complain of"
