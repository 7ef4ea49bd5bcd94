# Serves an API from memory, and a gateway in front of a copy of it, in a folder that goes with the script: . served.sh ATMOS
# Sets url, and authorization to the header of a request.
atmos=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
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
