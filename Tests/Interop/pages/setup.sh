#!/bin/sh
# Makes what the tests of pages need: setup.sh VENV_DIR. Chromium of the system (CHROMIUM, else as root from Debian), and the packages
# from PyPI that drive it. Quick when nothing is to be done. Prints errors, and one last line.
set -eu

[ $# -eq 1 ] || { echo "usage: setup.sh VENV_DIR" >&2; exit 64; }
here=$(cd "$(dirname "$0")" && pwd)

runs() { "${CHROMIUM:-chromium}" --version >/dev/null 2>&1; }

if ! runs; then
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
        echo "setup.sh: Chromium is needed; on Debian: apt-get install chromium, or name one with CHROMIUM" >&2
        exit 1
    fi
    export DEBIAN_FRONTEND=noninteractive
    { apt-get update && apt-get install -y --no-install-recommends chromium; } >"$here/.setup.log" 2>&1 || {
        cat "$here/.setup.log" >&2
        rm -f "$here/.setup.log"
        exit 1
    }
    rm -f "$here/.setup.log"
    runs || { echo "setup.sh: chromium is installed and does not start (Ubuntu has it as a snap; name another with CHROMIUM)" >&2; exit 1; }
fi
"$here/../django/setup.sh" "$1" "$here/requirements.txt" playwright,axe_playwright_python
