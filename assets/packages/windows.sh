#!/bin/sh
# Builds the packages for Windows in target/windows: an installer (NSIS), an MSI for group policy, and a portable ZIP.
#
# Needs what `sh assets/setup-debian.sh --tests` installs, and on Debian: nsis, wixl, zip. With an argument, packs
# that program instead of building one.
set -eu
cd "$(dirname "$0")/../.."

target=x86_64-pc-windows-gnu
program=${1:-target/$target/dist/packbench.exe}
[ $# -gt 0 ] || cargo build --locked --profile dist --target "$target"
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
out=target/windows
rm -rf "$out"
mkdir -p "$out/portable"
here=$(pwd)

# Files get the commit's date, so that two builds of one commit pack the same.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
cp "$program" "$out/packbench.exe"
cp LICENSE assets/fonts/OFL.txt "$out/"
touch -d "@$SOURCE_DATE_EPOCH" "$out/packbench.exe" "$out/LICENSE" "$out/OFL.txt"

(cd assets/packages/windows && makensis -V2 -DVERSION="$version" -DPROGRAM="$here/$out/packbench.exe" \
    -DOUTPUT="$here/$out/packbench-$version.exe" packbench.nsi)
(cd "$out" && wixl -D VERSION="$version" -a x64 -o "packbench-$version.msi" "$here/assets/packages/windows/packbench.wxs")

cp "$out/packbench.exe" "$out/portable/packbench.exe"
cp LICENSE "$out/portable/licence.txt"
cp assets/fonts/OFL.txt "$out/portable/licence-fonts.txt"
# Data and settings stay beside the program.
printf '@start "" "%%~dp0packbench.exe" --data "%%~dp0data"\r\n' >"$out/portable/portable.cmd"
find "$out/portable" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
(cd "$out/portable" && zip -q -X -9 "../packbench-$version-portable.zip" packbench.exe licence.txt licence-fonts.txt portable.cmd)
rm -r "$out/portable" "$out/packbench.exe" "$out/LICENSE" "$out/OFL.txt"
ls -l "$out"
