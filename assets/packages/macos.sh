#!/bin/sh
# Builds Packbench.app and a disk image of it: target/macos/packbench-VERSION.dmg
#
# UNTRIED: neither this script nor the program has run on macOS yet. It needs Xcode's command line tools, and
# cargo-cyclonedx (see sbom.sh). The signature names nobody, so macOS warns of the program on other computers.
set -eu
cd "$(dirname "$0")/../.."

cargo build --locked --profile dist --bin packbench
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
out=target/macos
app=$out/image/Packbench.app
rm -rf "$out"
mkdir -p "$app/Contents/MacOS" "$app/Contents/Resources" "$out/packbench.iconset"

cp target/dist/packbench "$app/Contents/MacOS/"
cp LICENSE assets/fonts/OFL.txt assets/licences/licences.txt "$app/Contents/Resources/"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
sh assets/packages/sbom.sh "$(rustc -vV | sed -n 's/^host: //p')" "$app/Contents/Resources/packbench.cdx.json"
for size in 16 32 128; do
    sips -z "$size" "$size" assets/icon/packbench-256.png --out "$out/packbench.iconset/icon_${size}x$size.png"
    sips -z $((size * 2)) $((size * 2)) assets/icon/packbench-256.png \
        --out "$out/packbench.iconset/icon_${size}x$size@2x.png"
done
cp assets/icon/packbench-256.png "$out/packbench.iconset/icon_256x256.png"
iconutil -c icns -o "$app/Contents/Resources/packbench.icns" "$out/packbench.iconset"

cat >"$app/Contents/Info.plist" <<END
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
    <key>CFBundleIdentifier</key><string>org.packbench.Packbench</string>
    <key>CFBundleName</key><string>Packbench</string>
    <key>CFBundleExecutable</key><string>packbench</string>
    <key>CFBundleIconFile</key><string>packbench</string>
    <key>CFBundlePackageType</key><string>APPL</string>
    <key>CFBundleVersion</key><string>$version</string>
    <key>CFBundleShortVersionString</key><string>$version</string>
    <key>LSApplicationCategoryType</key><string>public.app-category.business</string>
    <key>LSMinimumSystemVersion</key><string>11.0</string>
    <key>NSHighResolutionCapable</key><true/>
</dict>
</plist>
END

codesign --force --sign - "$app"
ln -s /Applications "$out/image/Applications"
hdiutil create -volname Packbench -srcfolder "$out/image" -format UDZO "$out/packbench-$version.dmg"
