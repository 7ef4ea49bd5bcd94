#!/usr/bin/env bash
# Puts what a release consists of around a binary that is built already (`make install`, `make deb`, `make tarball`):
#
#   Scripts/package.sh install BINARY PREFIX     the command, manual page, completions and licences, below $DESTDIR
#   Scripts/package.sh deb BINARY                .build/packages/atmos_VERSION_ARCH.deb
#   Scripts/package.sh tarball BINARY            .build/packages/atmos-VERSION-linux-ARCH.tar.gz
#
# The same binary and commit make the same bytes: times are SOURCE_DATE_EPOCH, or else the commit's.
set -euo pipefail
cd "$(dirname "$0")/.."
umask 022

packages=.build/packages
if (($# < 2)) || [[ $1 == install && $# -lt 3 ]]; then sed -n "2,6s/^# \{0,1\}//p" "$0" >&2; exit 2; fi
binary=$2
lazy=(libcurl libxml-2.0)
version=$("$binary" --version | cut -d ' ' -f 2)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}

say() { echo "$1 ($(($(wc -c <"$1") / 1024)) KiB)"; }

# put FILE PATH [MODE], with the folders that it is in
put() {
    mkdir -p "$(dirname "$2")"
    install -m "${3:-644}" "$1" "$2"
}

# The command without the symbols that only a debugger reads.
command_to() {
    put "$binary" "$1" 755
    if [[ $(uname) == Darwin ]]; then strip -x "$1"; else strip --strip-all --remove-section=.comment "$1"; fi
}

# completions_to BASH ZSH FISH: the completions, where each shell looks for them
completions_to() {
    local shell
    for shell in bash zsh fish; do
        mkdir -p "$(dirname "$1")"
        # These are read by a shell, not run.
        "$binary" completions "$shell" | sed '1{/^#!/d;}' >"$1"
        shift
    done
}

# licenses_to FOLDER: of all that the binary is linked with
licenses_to() {
    mkdir -p "$1"
    rm -rf "$1/licenses"
    Scripts/licenses.py "$(dirname "$binary")" "$1"
}

# share_to PREFIX ZSH: what both a prefix and a package have; ZSH is the folder of its completions
share_to() {
    mkdir -p "$1/share/man/man1"
    "$binary" manual >"$1/share/man/man1/atmos.1"
    completions_to "$1/share/bash-completion/completions/atmos" "$1/share/zsh/$2/_atmos" \
        "$1/share/fish/vendor_completions.d/atmos.fish"
    licenses_to "$1/share/doc/atmos"
}

# guide_to FOLDER: how to use the services, without the links that lead nowhere outside of the repository
guide_to() { sed -E 's/\[([^]]*)\]\(\.\.[^)]*\)/\1/g' docs/SERVICES.md >"$1/SERVICES.md"; }

# units_to LIB PREFIX: for a command in PREFIX/bin
units_to() {
    local unit
    for unit in atmos-sync@.service atmos-serve.service; do
        put "Packaging/systemd/$unit" "$1/systemd/system/$unit"
        sed -i "s|/usr/bin/atmos|$2/bin/atmos|; s|/usr/share/doc|$2/share/doc|" "$1/systemd/system/$unit"
    done
    put Packaging/systemd/sysusers.conf "$1/sysusers.d/atmos.conf"
    put Packaging/systemd/tmpfiles.conf "$1/tmpfiles.d/atmos.conf"
    put Packaging/systemd/atmos.preset "$1/systemd/system-preset/50-atmos.preset"
}

# Everything has the time of the commit, so that the archive depends on nothing else.
settle() { find "$1" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +; }

install_to() {
    local prefix=${DESTDIR:-}$1
    command_to "$prefix/bin/atmos"
    share_to "$prefix" site-functions
    echo "$prefix/bin/atmos ($(($(wc -c <"$prefix/bin/atmos") / 1024)) KiB)"
}

deb() {
    local work root architecture depends maintainer
    work=$(mktemp -d)
    trap "rm -rf '$work'" EXIT
    root=$work/root
    architecture=$(dpkg --print-architecture)
    maintainer="${DEBFULLNAME:-The Atmosphere authors} <${DEBEMAIL:-atmosphere@localhost}>"

    command_to "$root/usr/bin/atmos"
    share_to "$root/usr" vendor-completions
    gzip -9n "$root/usr/share/man/man1/atmos.1"
    units_to "$root/usr/lib" /usr
    put Packaging/systemd/serve.env "$root/etc/atmos/serve.env" 600
    guide_to "$root/usr/share/doc/atmos"
    gzip -9nc CHANGELOG.md >"$root/usr/share/doc/atmos/CHANGELOG.md.gz"
    gzip -9n >"$root/usr/share/doc/atmos/changelog.gz" <<END
atmos ($version) unstable; urgency=medium

  * $("$binary" --version); what is new is in CHANGELOG.md.gz.

 -- $maintainer  $(LC_ALL=C date -uRd "@$SOURCE_DATE_EPOCH")
END

    put Packaging/debian/lintian-overrides "$root/usr/share/lintian/overrides/atmos"

    # Which packages have the libraries that are left, and from which version on; those too that are loaded when they are needed.
    mkdir -p "$work/debian" "$root/DEBIAN" "$work/later/DEBIAN"
    printf 'Source: atmos\n\nPackage: atmos\nArchitecture: any\n' >"$work/debian/control"
    local library later=()
    for library in "${lazy[@]}"; do
        Scripts/lazy-library.py --users "$library" "$binary" >"$work/later/$library.c"
        [[ -s $work/later/$library.c ]] || continue
        # shellcheck disable=SC2046
        clang -shared -fPIC -nostdlib -o "$work/later/$library.so" "$work/later/$library.c" $(pkg-config --libs "$library")
        later+=("later/$library.so")
    done
    depends=$(cd "$work" && dpkg-shlibdeps -O root/usr/bin/atmos "${later[@]}")

    cat >"$root/DEBIAN/control" <<END
Package: atmos
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --apparent-size --exclude=DEBIAN "$root" | cut -f 1)
Depends: ${depends#shlibs:Depends=}
Recommends: ca-certificates
Section: net
Priority: optional
Description: make any REST API local-first
 A route file describes a REST API once. The command then reads and edits a
 local copy that answers at once, works offline, and keeps in step with a
 server that is never changed.
 .
 Services for systemd keep a copy in step (atmos-sync@NAME) and tell clients
 what has changed (atmos-serve). None is started before it is enabled.
END
    echo /etc/atmos/serve.env >"$root/DEBIAN/conffiles"
    (cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
    put Packaging/debian/postinst "$root/DEBIAN/postinst" 755
    put Packaging/debian/prerm "$root/DEBIAN/prerm" 755
    put Packaging/debian/postrm "$root/DEBIAN/postrm" 755
    settle "$root"
    mkdir -p "$packages"
    # One thread compresses to the same bytes everywhere.
    DPKG_DEB_THREADS_MAX=1 dpkg-deb --root-owner-group -Zxz --build "$root" "$packages/atmos_${version}_$architecture.deb" >/dev/null
    say "$packages/atmos_${version}_$architecture.deb"
}

tarball() {
    local work name root
    name=atmos-$version-linux-$(uname -m)
    work=$(mktemp -d)
    trap "rm -rf '$work'" EXIT
    root=$work/$name
    command_to "$root/bin/atmos"
    share_to "$root" site-functions
    units_to "$root/lib" /usr/local
    put Packaging/systemd/serve.env "$root/share/doc/atmos/serve.env"
    guide_to "$root/share/doc/atmos"
    put CHANGELOG.md "$root/share/doc/atmos/CHANGELOG.md"
    cat >"$root/README" <<END
$("$binary" --version)

To install it, copy it:    cp -R bin lib share /usr/local/
To try it before:          bin/atmos demo
To read on:                man atmos, share/doc/atmos/SERVICES.md

It needs these libraries of the system, and the C library in version $(glibc_of "$root/bin/atmos") or newer:
$(libraries)
END
    settle "$root"
    mkdir -p "$packages"
    tar --create --directory "$work" --sort=name --owner=0 --group=0 --numeric-owner --format=gnu "$name" |
        gzip -9n >"$packages/$name.tar.gz"
    say "$packages/$name.tar.gz"
}

# The libraries that the loader looks for, and those that the command loads when it needs them.
libraries() {
    local library
    objdump -p "$binary" | sed -n 's/^ *NEEDED */  /p'
    for library in "${lazy[@]}"; do Scripts/lazy-library.py --users "$library" "$binary" | sed -n 's|^// |  |p'; done
}

# The newest version of a symbol of the C library that the binary asks for.
glibc_of() { objdump -T "$1" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1 | cut -d _ -f 2; }

case $1 in
install) install_to "$3" ;;
deb) deb ;;
tarball) tarball ;;
*) sed -n '2,8s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac
