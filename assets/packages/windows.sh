#!/bin/sh
# Builds the packages for Windows in target/windows: an installer (NSIS), an MSI for group policy, and a portable ZIP.
#
# Needs what `sh assets/setup-debian.sh --tests` installs, on Debian nsis, wixl and zip, and cargo-cyclonedx
# (see sbom.sh). With an argument, packs that program instead of building one.
set -eu
cd "$(dirname "$0")/../.."

target=x86_64-pc-windows-gnu
program=${1:-target/$target/dist/packbench.exe}
[ $# -gt 0 ] || cargo build --locked --profile dist --target "$target"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
out=$(pwd)/target/windows
files=$out/files
rm -rf "$out"
mkdir -p "$files"

# Files get the commit's date, so that two builds of one commit pack the same.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
cp "$program" "$files/packbench.exe"
cp LICENSE "$files/licence.txt"
cp assets/fonts/OFL.txt "$files/licence-fonts.txt"
cp assets/licences/licences.txt "$files/licences.txt"
sh assets/packages/sbom.sh "$target" "$files/packbench.cdx.json"
find "$files" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +

(cd assets/packages/windows && makensis -V2 -DVERSION="$version" -DFILES="$files" \
    -DOUTPUT="$out/packbench-$version.exe" packbench.nsi)
# wixl finds files only beside the folder that it runs in.
wxs=$(pwd)/assets/packages/windows/packbench.wxs
(cd "$files" && wixl -D VERSION="$version" -a x64 -o "$out/packbench-$version.msi" "$wxs")
# Data and settings stay beside the portable program.
printf '@start "" "%%~dp0packbench.exe" --data "%%~dp0data"\r\n' >"$files/portable.cmd"
touch -d "@$SOURCE_DATE_EPOCH" "$files/portable.cmd"
(cd "$files" && zip -q -X -9 "$out/packbench-$version-portable.zip" *)
rm -r "$files"
ls -l "$out"
