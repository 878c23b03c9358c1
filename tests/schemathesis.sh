#!/bin/sh
# Calls the practice service with everything that its published definition allows and much that it does not, and holds
# every answer against that definition. Nothing may break, and no answer may be undocumented.
#
#   sh tests/schemathesis.sh            as .ci/run does it
#   sh tests/schemathesis.sh --phases examples --include-path /apiv2/authenticate/ping      with more for schemathesis
#
# Its tools live in target/; the service runs on a port and in a folder of its own.
set -eu
cd "$(dirname "$0")/.."

version=4.32.5
seconds=120
tools=target/schemathesis-$version

if [ ! -x "$tools/bin/schemathesis" ]; then
    rm -rf "$tools"
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version"
fi

folder=$(mktemp -d)
service=
stop() {
    [ -z "$service" ] || kill "$service" 2>/dev/null || true
    rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM

# As the tests build it, so that there is nothing to do after them: without their features half of it would be built anew.
cargo test --no-run --quiet --locked
: >"$folder/said"
"${CARGO_TARGET_DIR:-target}/debug/packbench" practice --port 0 --data "$folder" --tokens >"$folder/said" &
service=$!
left=100
until grep -q '^integration ' "$folder/said"; do
    left=$((left - 1))
    if [ "$left" -eq 0 ] || ! kill -0 "$service" 2>/dev/null; then
        echo "schemathesis.sh: the practice service does not start" >&2
        exit 1
    fi
    sleep 0.1
done
address=$(sed -n 1p "$folder/said")
PACKBENCH_TOKEN=$(sed -n 2p "$folder/said")
PACKBENCH_INTEGRATION=$(sed -n 's/^integration //p' "$folder/said")
export PACKBENCH_TOKEN PACKBENCH_INTEGRATION

# Python writes no caches beside the hooks.
PYTHONDONTWRITEBYTECODE=1 timeout "$seconds" "$tools/bin/schemathesis" --config-file tests/schemathesis.toml \
    run "$address/openapi.json" --checks all --workers 1 "$@"
