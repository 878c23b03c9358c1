#!/bin/sh
# Writes the list of a program's packages for machines (SBOM, CycloneDX 1.5 as JSON): sbom.sh TARGET FILE
#
# Needs `cargo install --locked cargo-cyclonedx@0.5.9`, which writes beside each manifest and records its path. This script
# therefore works on a copy of all packages and removes the path. Without the date in SOURCE_DATE_EPOCH, two files of
# one commit differ.
set -eu
target=$1
output=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
cd "$(dirname "$0")/../.."

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r Cargo.toml Cargo.lock src tests "$copy"
(cd "$copy" && cargo cyclonedx -qq --format json --spec-version 1.5 --no-build-deps --target "$target" \
    --override-filename packages)
sed "s|path+file://$copy|path+file:///packbench|" "$copy/packages.json" >"$output"
