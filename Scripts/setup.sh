#!/usr/bin/env bash
# Installs what building and testing need and this machine lacks. Says nothing when all is there, and asks nothing.
set -euo pipefail

libraries=(libcurl4-openssl-dev libsqlite3-dev libxml2-dev zlib1g-dev)
tools=(curl openssl pkg-config python3)

missing=()
for tool in "${tools[@]}"; do
    command -v "$tool" >/dev/null || missing+=("$tool")
done

if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; then
    for package in "${libraries[@]}" python3-venv; do
        dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
    done
    if ((${#missing[@]})); then
        echo "setup: installing ${missing[*]}" >&2
        sudo=()
        if ((EUID)); then sudo=(sudo -n); fi
        # apt would ask, and its output is of interest only when it fails.
        if ! log=$({ "${sudo[@]}" apt-get update -q &&
            "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
                apt-get install -q -y --no-install-recommends "${missing[@]}"; } 2>&1); then
            printf '%s\n' "$log" "setup: cannot install ${missing[*]}; run as root: apt-get install ${missing[*]}" >&2
            exit 1
        fi
    fi
else
    # macOS brings the libraries with its SDK.
    if [[ $(uname) != Darwin ]] && command -v pkg-config >/dev/null; then
        for library in libcurl sqlite3 libxml-2.0 zlib; do
            pkg-config --exists "$library" || missing+=("$library (development files)")
        done
    fi
    if ((${#missing[@]})); then
        printf 'setup: missing: %s\n' "${missing[@]}" >&2
        echo "setup: install these with this system's package manager, then run it again" >&2
        exit 1
    fi
fi

if ! command -v swift >/dev/null; then
    echo "setup: missing: swift 6.2 or newer; see https://www.swift.org/install" >&2
    exit 1
fi
