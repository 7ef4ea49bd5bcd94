#!/bin/bash
# Makes a client from the gateway's OpenAPI document, and writes and reads with it: client.sh ATMOS VENV_DIR
# The environment is made first when it is missing. Prints one line.
set -eu

[ $# -eq 2 ] || { echo "usage: client.sh ATMOS VENV_DIR" >&2; exit 64; }
here=$(cd "$(dirname "$0")" && pwd)
"$here/../django/setup.sh" "$2" "$here/requirements.txt" schemathesis,openapi_python_client >/dev/null
venv=$(cd "$2" && pwd)
. "$here/served.sh" "$1"

curl -qsSf --noproxy '*' -H "$authorization" "$url/v1/openapi.json" >openapi.json
"$venv/bin/openapi-python-client" generate --path openapi.json --output-path local_copy --meta none >generated 2>&1 &&
    ! grep -q "will not be generated\|Unable to process" generated || { cat generated >&2; exit 1; }
PYTHONPATH=. "$venv/bin/python" "$here/client.py" "$url" "$(cat token)"
