#!/bin/sh
# Installs the packages that Packbench needs on Debian 12 besides rustup, if they are missing.
#
#   sh assets/setup-debian.sh           to build and run it
#   sh assets/setup-debian.sh --tests   also to run its tests and benchmarks
#
# Works as root or through sudo. If nothing is missing, it prints nothing and changes nothing.
set -eu

# A linker and C compiler (ring, SQLite), the print service's client library (linked by `printers`), and the sound
# library, which pkg-config finds (linked by `rodio`).
build="gcc libc6-dev libcups2-dev libasound2-dev pkg-config"

# Libraries that the window loads while running: X11, Wayland, OpenGL with Mesa's drivers; libdbus for the file
# dialog's portal; fontconfig to find the system's fonts; and certificates to verify the service's own.
run="libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon0 libxkbcommon-x11-0
     libwayland-client0 libwayland-egl1 libgl1 libegl1 libgl1-mesa-dri libdbus-1-3 libfontconfig1 ca-certificates"

# A virtual display and keyboard; Vulkan without a GPU; a private print service; private sessions with a keyring and a
# screen reader's bus; strace, which records system calls or makes them fail; Python for Schemathesis, which calls the
# practice service; a C compiler and Wine for the program for Windows; PostgreSQL for the workgroup, whose tests start
# servers of their own; small fonts of other scripts (Hindi, Chinese, Thai).
tests="xvfb xdotool libvulkan1 mesa-vulkan-drivers cups cups-client cups-filters dbus-daemon dbus-bin gnome-keyring
       at-spi2-core strace python3 python3-venv gcc-mingw-w64-x86-64-win32 wine64 postgresql
       fonts-lohit-deva fonts-droid-fallback fonts-tlwg-loma-otf"

# The programs that the benchmarks compare Packbench with.
benches="poppler-utils mupdf-tools ghostscript weasyprint"

usage() {
    echo "usage: sh assets/setup-debian.sh [--tests]" >&2
    exit 64
}

wanted="$build $run"
case "$#:${1-}" in
    0:) ;;
    1:--tests) wanted="$wanted $tests $benches" ;;
    *) usage ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "setup-debian.sh: this is not Debian. Install what these packages hold, by your system's names:" >&2
    echo $wanted >&2
    exit 1
fi

# dpkg-query fails and warns about unknown packages. They count as missing.
# shellcheck disable=SC2086 # the lists are split into words on purpose
installed=$(dpkg-query --show --showformat '${Package} ${db:Status-Status}\n' $wanted 2>/dev/null || true)
missing=
for package in $wanted; do
    case "
$installed
" in
        *"
$package installed
"*) ;;
        *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
    as_root=
elif command -v sudo >/dev/null; then
    as_root=sudo
else
    echo "setup-debian.sh: these packages are missing, and installing them needs root or sudo:" >&2
    echo "   $missing" >&2
    echo "Run as root: apt-get install --no-install-recommends$missing" >&2
    exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# Hides apt's output unless it fails. sudo asks for a password on the terminal itself.
quietly() {
    if ! $as_root env DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1; then
        cat "$log" >&2
        echo "setup-debian.sh: failed: $*" >&2
        exit 1
    fi
}

echo "Installing$missing"
# A new machine may still be installing its own updates, so wait for these.
quietly apt-get -q -o DPkg::Lock::Timeout=300 update
# shellcheck disable=SC2086
quietly apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends $missing
