#!/bin/bash
# Drives Chromium through pages of a gateway: check.sh ATMOS VENV_DIR [OPTION…]
# The environment is made first when it is missing; the options are those of module_test.py.
set -eu

[ $# -ge 2 ] || { echo "usage: check.sh ATMOS VENV_DIR [OPTION…]" >&2; exit 64; }
here=$(cd "$(dirname "$0")" && pwd)
atmos=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
"$here/../django/setup.sh" "$2" "$here/requirements.txt" playwright,axe_playwright_python >/dev/null
python=$(cd "$2" && pwd)/bin/python
shift 2
exec "$python" "$here/module_test.py" "$atmos" --chromium "${CHROMIUM:-/usr/bin/chromium}" "$@"
