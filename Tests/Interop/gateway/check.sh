#!/bin/bash
# Drives the gateway from its own OpenAPI document: check.sh ATMOS VENV_DIR [EXAMPLES]
# The environment is made first when it is missing. Prints what schemathesis found, and one last line.
set -eu

[ $# -ge 2 ] || { echo "usage: check.sh ATMOS VENV_DIR [EXAMPLES]" >&2; exit 64; }
here=$(cd "$(dirname "$0")" && pwd)
"$here/../django/setup.sh" "$2" "$here/requirements.txt" schemathesis,openapi_python_client >/dev/null
schemathesis=$(cd "$2" && pwd)/bin/schemathesis
examples=${3:-20}
. "$here/served.sh" "$1"

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
