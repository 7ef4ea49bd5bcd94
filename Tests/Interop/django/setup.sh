#!/bin/sh
# Makes the Python environment of the interop tests, server.py's and Google's client's: setup.sh VENV_DIR
# or another one, of whose packages the modules are looked for: setup.sh VENV_DIR REQUIREMENTS MODULE,…
# Quick when nothing is to be done. Prints errors, and one last line. Not to be run twice at once on one directory.
set -eu

[ $# -eq 1 ] || [ $# -eq 3 ] || { echo "usage: setup.sh VENV_DIR [REQUIREMENTS MODULE,...]" >&2; exit 64; }
venv=$1
requirements=${2:-$(cd "$(dirname "$0")" && pwd)/requirements.txt}
modules=${3:-django,rest_framework,rest_framework_xml,rest_framework_json_api,googleapiclient,drf_spectacular,fastapi,jsonschema,uvicorn}
stamp=$venv/.requirements-stamp
checksum=$(cksum <"$requirements")

# Runs a command silently; what it said is shown only when it failed.
quietly() {
    output=$("$@" 2>&1) || { printf '%s\n' "$output" "setup.sh: failed: $*" >&2; exit 1; }
}

works() { "$venv/bin/python" -c "import $modules" 2>/dev/null; }
has_venv() { python3 -c 'import ensurepip, venv' 2>/dev/null; }

if [ "$(cat "$stamp" 2>/dev/null || true)" != "$checksum" ] || ! works; then
    if ! has_venv; then
        # Debian and Ubuntu ship Python without ensurepip.
        if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
            echo "setup.sh: python3 with its venv module is needed; on Debian or Ubuntu: apt-get install python3-venv python3-pip" >&2
            exit 1
        fi
        export DEBIAN_FRONTEND=noninteractive
        quietly apt-get update
        quietly apt-get install -y python3-venv python3-pip
        has_venv || { echo "setup.sh: python3 has no venv module, even after installing python3-venv" >&2; exit 1; }
    fi
    rm -f "$stamp"
    # An environment whose interpreter has gone cannot be repaired in place. --clear empties the directory,
    # so it is given only where an environment was before.
    if [ -f "$venv/pyvenv.cfg" ] && ! "$venv/bin/python" -c '' 2>/dev/null; then
        quietly python3 -m venv --clear "$venv"
    else
        quietly python3 -m venv "$venv"
    fi
    quietly "$venv/bin/python" -m pip install --quiet --no-input --disable-pip-version-check \
        --requirement "$requirements"
    works || { echo "setup.sh: the packages are installed in $venv but cannot be imported" >&2; exit 1; }
    printf '%s\n' "$checksum" >"$stamp"
fi
echo "ready: $venv"
