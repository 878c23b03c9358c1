#!/bin/sh
# Builds the Debian package: target/debian/packbench_VERSION_ARCHITECTURE.deb
#
# Needs what `sh assets/setup-debian.sh` installs, dpkg-dev, `cargo install --locked cargo-deb`, and cargo-cyclonedx
# (see sbom.sh).
set -eu
cd "$(dirname "$0")/../.."

. assets/packages/paths.sh
cargo build --locked --profile dist --bin packbench
# Files get the commit's date, so that two builds of one commit pack the same.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
rm -rf target/package
target/dist/packbench generate target/package
sh assets/packages/sbom.sh "$(rustc -vV | sed -n 's/^host: //p')" target/package/packbench.cdx.json
for page in target/package/man/*.1; do
    gzip -9n "$page"
done
cargo deb --locked --no-build --no-strip --profile dist
