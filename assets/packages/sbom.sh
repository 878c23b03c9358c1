#!/bin/sh
# Writes the list of a program's packages for machines (SBOM, CycloneDX 1.5 as JSON): sbom.sh TARGET FILE
#
# Needs `cargo install --locked cargo-cyclonedx@0.5.9`, which writes a file beside each manifest and puts the folder into
# it: so it gets a copy of the manifests, and the folder is taken out. Without the date in SOURCE_DATE_EPOCH, two files of
# one commit differ.
set -eu
target=$1
output=$(realpath "$2")
cd "$(dirname "$0")/../.."

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r Cargo.toml Cargo.lock src "$copy"
(cd "$copy" && cargo cyclonedx -qq --format json --spec-version 1.5 --no-build-deps --target "$target" \
    --override-filename packages)
sed "s|path+file://$copy|path+file:///packbench|" "$copy/packages.json" >"$output"
