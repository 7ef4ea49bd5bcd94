#!/usr/bin/env bash
# What the shortest commands cost on a store of a million objects, beside sqlite3 and curl: processor time (user and system),
# medians of runs in turn.
#
#   Benchmarks/start.sh BINARY DIR [ROUNDS]    BINARY is what `make install` has built; DIR takes the store, 250 MB
set -euo pipefail
if (($# < 2)); then sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; fi
here=$(cd "$(dirname "$0")" && pwd)
atmos=$(realpath "$1")
mkdir -p "$2"
cd "$2"

if [[ ! -f tasks.db ]]; then
    cat >atmosphere.yaml <<'END'
atmosphere: 1
base: http://127.0.0.1:1
store: { kind: sqlite, path: tasks.db }
resources:
  tasks:
END
    rm -f url
    mkfifo url
    "$atmos" source --port 0 --seed 3 >url &
    source_pid=$!
    trap 'kill "$source_pid" 2>/dev/null || true' EXIT
    read -r url <url
    rm url
    sed "s|^base: .*|base: $url|" atmosphere.yaml >served.yaml
    "$atmos" pull --config served.yaml
    kill "$source_pid"
    wait "$source_pid" || true
    # One of them again and again, as a pull would have stored it.
    sqlite3 tasks.db <<'END'
WITH RECURSIVE number(n) AS (SELECT 1001 UNION ALL SELECT n + 1 FROM number WHERE n < 1001000),
    model AS (SELECT * FROM object_1 LIMIT 1)
INSERT INTO object_1(key, state, sequence, version, record)
    SELECT n, state, sequence, version, json_set(record, '$.id', n, '$.title', 'Task ' || n) FROM number, model;
UPDATE entity SET records = (SELECT count(*) FROM object_1);
END
fi

"$here/start.py" "${3:-15}" \
    "$atmos --version" "$atmos status" "$atmos list tasks --limit 20" \
    "sqlite3 --version" "sqlite3 tasks.db 'SELECT count(*) FROM object_1'" \
    "sqlite3 tasks.db 'SELECT record FROM object_1 LIMIT 20'" "curl --version"
