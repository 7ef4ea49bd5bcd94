#!/bin/sh
# Installs what server.rb runs on, where it is missing: Rails 6.1 and Puma as Debian 12 packages them; with the argument
# “storage” also what storage.rb needs.
# Quick when nothing is to be done. Prints errors, and one last line.
set -eu

works() {
    ruby -e '
        require "active_support/all"
        require "active_record"
        require "action_controller"
        require "active_model/serializers/xml"
        require "sqlite3"
        require "puma"
        if ARGV[0] == "storage"
            require "rails"
            require "active_storage/engine"
        end
        exit ActionPack::VERSION::MAJOR >= 6
    ' -- "$1" 2>/dev/null
}

# Runs a command silently; what it said is shown only when it failed.
quietly() {
    output=$("$@" 2>&1) || { printf '%s\n' "$output" "setup.sh: failed: $*" >&2; exit 1; }
}

packages="ruby-actionpack ruby-activerecord ruby-activemodel-serializers-xml ruby-sqlite3 puma"
part=${1:-rows}
if [ "$part" = storage ]; then packages="$packages ruby-railties ruby-activestorage"; fi

if ! works "$part"; then
    if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
        echo "setup.sh: Rails is needed; on Debian or Ubuntu: apt-get install $packages" >&2
        exit 1
    fi
    export DEBIAN_FRONTEND=noninteractive
    quietly apt-get update
    # shellcheck disable=SC2086
    quietly apt-get install -y --no-install-recommends $packages
    works "$part" || { echo "setup.sh: the packages are installed, but Ruby cannot load them" >&2; exit 1; }
fi
echo "ready: $(ruby -e 'require "action_pack/version"; print "Rails ", ActionPack.version')"
