#!/usr/bin/env bash
# Proves the package: installs it in a bare system without Swift, runs the command there, and removes it again. Then it boots
# that system with systemd, and runs both services in their sandboxes.
#
#   Scripts/package-test.sh [SUITE]     a release of Debian whose mirror apt knows here; by default that of this machine
#
# The system is made by debootstrap from the mirror that apt uses here, for this run only. That takes root, and some minutes.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in debootstrap systemd-nspawn ip; do
    if ((EUID)) || ! command -v "$tool" >/dev/null; then
        echo "package-test: run it as root, after apt-get install debootstrap systemd-container iproute2" >&2
        exit 2
    fi
done
suite=${1:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
package=$(ls -t .build/packages/atmos_*_"$(dpkg --print-architecture)".deb | head -n 1)
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Component: main' 'Origin: Debian' | head -n 1)

root=$(mktemp -d)
# What debootstrap has mounted stays mounted where it was stopped.
trap 'umount --quiet "$root/proc" || true; rm -rf --one-file-system "$root" "$root.log"' EXIT
# Not for its owner alone: in there it is the root of other users.
chmod 755 "$root"
passed=0

# within COMMAND...: in the system, with processes and mounts of its own, which end with it
within() { enter : "$@"; }

# apart COMMAND...: the same, without a network but the machine itself, so that no port is taken by others
apart() { enter 'ip link set lo up' "$@"; }

enter() {
    local options=(--mount --pid --fork --kill-child)
    if [[ $1 != : ]]; then options+=(--net); fi
    unshare "${options[@]}" sh -ec "
        mount -t proc proc \"\$0/proc\"
        mount -t tmpfs tmpfs \"\$0/tmp\"
        $1
        exec chroot \"\$0\" \"\$@\"" "$root" \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "${@:2}"
}

# check NAME COMMAND...
check() {
    local output
    if output=$("${@:2}" 2>&1); then
        passed=$((passed + 1))
        echo "ok    $1"
    else
        printf '%s\n' "FAIL  $1" "$output" >&2
        exit 1
    fi
}

# Everything but what apt and dpkg write about their work.
listing() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./tmp -o -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt \
        -o -path ./var/lib/dpkg -o -path ./package.deb \) -prune -o -print | LC_ALL=C sort)
}

debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" 2>&1 || {
    tail -n 5 "$root.log" >&2
    exit 1
}
rm "$root.log"
cp "$package" "$root/package.deb"
echo "$package in a bare $suite"

# What it depends on stays, so that the second time is about the package alone.
check "apt installs it with what it depends on" within apt-get install -q -y --no-install-recommends /package.deb
check "there is no Swift" test -z "$(find "$root" -xdev -name 'libswift*' -o -xdev -name 'libFoundation*')"
check "apt purges it" within apt-get purge -q -y atmos
check "nothing of it is left" test -z "$(find "$root" -xdev -path "$root/proc" -prune -o -name '*atmos*' -print | grep -v /var/log)"
before=$(listing)
check "dpkg installs it again" within dpkg --install /package.deb

version=$(within atmos --version)
expected=$(dpkg-deb --field "$package" Version)
check "it tells its version: $version" grep -q "^atmos $expected\( (.*)\)\{0,1\}\$" <<<"$version"
check "the demo runs to its end" apart atmos demo
cat >"$root/root/atmosphere.yaml" <<'END'
atmosphere: 1
base: http://127.0.0.1:8734
resources:
  tasks:
END
check "a route file is valid" apart atmos validate --config /root/atmosphere.yaml
check "a copy is pulled, edited and pushed, by libcurl and SQLite" apart sh -ec '
    cd /root
    atmos source --seed 3 >/dev/null 2>&1 &
    for try in 1 2 3 4 5 6 7 8 9 10; do atmos pull --quiet && break; sleep 1; done
    atmos edit tasks/1 title=Milk
    atmos push
    atmos pull --full
    atmos get tasks/1 | grep Milk
    rm -r /root/atmosphere*'
check "a notification server answers" apart sh -ec '
    cd /tmp
    echo "ann-0123456789abcdef ann" >clients.keys; echo "back-0123456789abcdef backend" >publishers.keys; chmod 600 ./*.keys
    atmos serve --clients clients.keys --publishers publishers.keys --port 8765 & server=$!
    for try in 1 2 3 4 5 6 7 8 9 10; do
        if bash -c "exec 3<>/dev/tcp/127.0.0.1/8765 && printf \"GET /healthz HTTP/1.0\r\n\r\n\" >&3 && grep -q 200 <&3"; then
            kill $server; wait $server; exit
        fi
        sleep 1
    done
    exit 1'

check "the manual page is there" sh -c "zcat '$root/usr/share/man/man1/atmos.1.gz' | grep -q '^.TH ATMOS 1'"
check "bash completes" within bash -ec '
    source /usr/share/bash-completion/completions/atmos
    complete -p atmos'
check "zsh finds its completions" grep -q '^#compdef atmos' "$root/usr/share/zsh/vendor-completions/_atmos"
check "fish finds its completions" grep -q '^complete' "$root/usr/share/fish/vendor_completions.d/atmos.fish"
check "the licence of what is linked is there" test -s "$root/usr/share/doc/atmos/licenses/swift-nio/LICENSE.txt"
check "no service is enabled" test -z "$(find "$root/etc/systemd" -name '*atmos*' 2>/dev/null)"
check "dpkg finds its files unchanged" within dpkg --verify atmos
check "dpkg removes it" within dpkg --remove atmos
check "its settings stay" test -f "$root/etc/atmos/serve.env"
check "dpkg purges it" within dpkg --purge atmos
check "the system is as before" diff <(printf '%s\n' "$before") <(listing)

check "systemd and the package are installed" within sh -ec '
    apt-get install -q -y --no-install-recommends systemd
    dpkg --install /package.deb'
check "the services have users" within getent passwd atmos atmos-serve
check "no service is enabled" test -z "$(find "$root/etc/systemd" -name '*atmos*')"
check "systemd accepts the units" within systemd-analyze --man=no verify atmos-sync@tasks.service atmos-serve.service
check "their exposure is at most 2.0" within systemd-analyze security --offline=true --threshold=20 --no-pager \
    atmos-sync@tasks.service atmos-serve.service

cat >"$root/etc/systemd/system/proof.service" <<'END'
[Service]
Type=oneshot
ExecStart=/bin/bash -x /root/proof.sh
ExecStopPost=/bin/sh -c 'journalctl --no-pager -u "atmos-*" >>/root/proof.log; systemctl poweroff --force'
TimeoutStartSec=180
StandardOutput=file:/root/proof.log
StandardError=file:/root/proof.log
[Install]
WantedBy=multi-user.target
END
cat >"$root/root/proof.sh" <<'END'
# Runs in the booted system; what it has proved is in /root/proved.
set -euo pipefail
proved() { echo "$1" >>/root/proved; }
eventually() { for try in {1..60}; do if "$@"; then return; fi; sleep 0.5; done; "$@"; }
by_hand() { (cd /var/lib/atmos/tasks && runuser -u atmos -- env API_TOKEN=0123456789 HOME=/var/lib/atmos atmos "$@"); }
get() {
    exec 3<>"/dev/tcp/127.0.0.1/$1"
    printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer 0123456789\r\nConnection: close\r\n\r\n' "$2" >&3
    timeout 5 cat <&3
}
is_there() { (get "$1" "$2") 2>/dev/null | grep "$3" >/dev/null; }
fails_with() { [[ $(systemctl show --property=ExecMainStatus --value "$2") == "$1" ]] && systemctl is-failed --quiet "$2"; }

install -d -o atmos -g atmos -m 700 /var/lib/atmos/tasks /var/lib/atmos/wrong
cat >/var/lib/atmos/tasks/atmosphere.yaml <<YAML
atmosphere: 1
base: http://127.0.0.1:8734
auth: { bearer: "secret:API_TOKEN" }
resources:
  tasks:
YAML
systemd-run --quiet --unit=source --working-directory=/var/lib/atmos/tasks --setenv=API_TOKEN=0123456789 atmos source --seed 3
eventually is_there 8734 /tasks/1 title

(umask 077; echo API_TOKEN=0123456789 >/etc/atmos/sync-tasks.env; echo ATMOS_SYNC_OPTIONS=--interval 1s >>/etc/atmos/sync-tasks.env)
systemctl enable --now atmos-sync@tasks
eventually test -s /var/lib/atmos/tasks/tasks.db -o -s /var/lib/atmos/tasks/atmosphere.db
by_hand allow >/dev/null
eventually by_hand get tasks/1
proved "the service pulls, with a secret from its environment file"
by_hand edit tasks/1 title=Milk
eventually is_there 8734 /tasks/1 Milk
proved "it pushes what is edited by hand"
pid=$(systemctl show --property=MainPID --value atmos-sync@tasks)
in_sandbox() { nsenter --target "$pid" --mount -- setpriv --reuid=atmos --regid=atmos --clear-groups "$@"; }
in_sandbox touch /var/lib/atmos/tasks/other
if in_sandbox sh -c 'echo >>/var/lib/atmos/tasks/atmosphere.yaml || mv /var/lib/atmos/tasks/atmosphere.yaml /var/lib/atmos/tasks/x' \
    || in_sandbox touch /var/lib/atmos/wrong/x || in_sandbox ls /etc/atmos; then exit 1; fi
proved "it writes its own folder, and neither its route file nor another folder"
systemctl stop atmos-sync@tasks
[[ $(systemctl show --property=Result --value atmos-sync@tasks) == success ]]
proved "it stops cleanly"

echo "atmosphere: 2" >/var/lib/atmos/wrong/atmosphere.yaml
systemctl start atmos-sync@wrong
eventually fails_with 2 atmos-sync@wrong
proved "a mistake in the route file stops it for good"

echo "back-0123456789abcdef backend" | install -m 640 -g atmos-serve /dev/stdin /etc/atmos/publishers.keys
echo "0123456789abcdef ann" | install -m 640 -g atmos-serve /dev/stdin /etc/atmos/clients.keys
systemctl enable --now atmos-serve
eventually is_there 8765 /healthz status
[[ $(systemctl show --property=NRestarts --value atmos-serve) == 0 ]]
proved "the notification server answers"
systemctl stop atmos-serve
[[ $(systemctl show --property=Result --value atmos-serve) == success ]]
if journalctl --no-pager --grep='errno|Operation not permitted' -u atmos-serve -u 'atmos-sync@*'; then exit 1; fi
proved "the sandbox has refused nothing that they needed"
proved "it stops cleanly, too"
END
touch "$root/root/proved"
within systemctl enable --quiet proof.service
timeout 300 unshare --mount --pid --fork --kill-child --mount-proc \
    systemd-nspawn --quiet --directory="$root" --register=no --keep-unit --private-network --boot \
    >"$root/root/boot.log" 2>&1 </dev/null || true
while read -r what; do check "$what" true; done <"$root/root/proved"
check "all of this in a system that systemd has booted" sh -c "
    grep -q 'too\$' '$root/root/proved' || { tail -n 40 '$root/root/boot.log' '$root/root/proof.log'; exit 1; }"

check "dpkg purges it once more" within dpkg --purge atmos
check "what was synchronized stays" test -f "$root/var/lib/atmos/tasks/atmosphere.yaml"
check "nothing else does" test -z "$(find "$root/usr" "$root/etc/systemd/system" -name '*atmos*')"
echo "package: $passed checks passed"
