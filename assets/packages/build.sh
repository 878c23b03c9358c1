#!/bin/sh
# Builds all packages, for Debian and Windows, and prints their sizes. debian.sh and windows.sh say what they need.
set -eu
cd "$(dirname "$0")/../.."

sh assets/packages/debian.sh
sh assets/packages/windows.sh

# Prints the size of a file beside the most that it should have.
size() {
    printf '%-55s %5s MB (aim: %s)\n' "$1" "$(stat -c %s "$1" | awk '{ printf "%.1f", $1 / 1000000 }')" "$2"
}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
size target/debian/packbench_"$version"-1_*.deb "25 MB"
size "target/windows/packbench-$version.exe" "25 MB"
size "target/windows/packbench-$version.msi" none
size "target/windows/packbench-$version-portable.zip" none
