#!/bin/sh
# Builds the packages for Windows in target/windows: an installer (NSIS), an MSI for group policy, and a portable ZIP.
#
# Needs what `sh assets/setup-debian.sh --tests` installs, on Debian nsis, wixl, msitools and zip, and cargo-cyclonedx
# (see sbom.sh). With an argument, packs that program instead of building one.
set -eu
cd "$(dirname "$0")/../.."
# The order of files and the hours in the packages don't depend on this machine.
export LC_ALL=C TZ=UTC

target=x86_64-pc-windows-gnu
program=${1:-target/$target/dist/packbench.exe}
. assets/packages/paths.sh
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

# An MSI has two GUIDs, that of the product and that of the package. wixl would make them up, and writes the time into
# the summary. So that the same files make the same MSI, the first comes from the version, the second from all that is
# packed, and the time is the commit's.
wxs=$(pwd)/assets/packages/windows/packbench.wxs
guid() {
    sha256sum | tr a-f A-F | sed -E 's/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/\1-\2-8\3-8\4-\5/'
}
product=$(echo "packbench $version" | guid)
package=$( (echo "$version $SOURCE_DATE_EPOCH" && cat "$wxs" "$files"/*) | guid)
date=$(date -d "@$SOURCE_DATE_EPOCH" '+%Y/%m/%d %H:%M:%S')
msi=packbench-$version.msi
# wixl finds only files below the folder that it runs in.
(cd "$files" && wixl -D VERSION="$version" -D PRODUCT="$product" -a x64 -o "$out/$msi" "$wxs")
summary=$out/summary.idt
msiinfo export "$out/$msi" _SummaryInformation |
    sed -E "s|^9\t.*|9\t{$package}|; s|^(1[23])\t.*|\1\t$date|" >"$summary"
msibuild "$out/$msi" -i "$summary"
rm "$summary"

# Data and settings stay beside the portable program.
printf '@start "" "%%~dp0packbench.exe" --data "%%~dp0data"\r\n' >"$files/portable.cmd"
touch -d "@$SOURCE_DATE_EPOCH" "$files/portable.cmd"
chmod 644 "$files"/*
(cd "$files" && zip -q -X -9 "$out/packbench-$version-portable.zip" ./*)
rm -r "$files"
ls -l "$out"
