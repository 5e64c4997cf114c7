#!/bin/sh
# The browser tests drive Debian's chromium. Install it where we may, otherwise say what to run.
set -eu
if command -v chromium >/dev/null 2>&1 && command -v chromedriver >/dev/null 2>&1; then
    exit 0
fi
command="apt-get update && apt-get install --yes --no-install-recommends chromium chromium-driver"
if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq >/dev/null
    apt-get install --yes -qq --no-install-recommends chromium chromium-driver >/dev/null
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    sudo apt-get update -qq >/dev/null
    sudo env DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends chromium chromium-driver >/dev/null
else
    echo "The browser tests need chromium and chromedriver. As root, run:" >&2
    echo "    $command" >&2
    exit 1
fi
command -v chromium >/dev/null 2>&1 && command -v chromedriver >/dev/null 2>&1 || {
    echo "chromium or chromedriver is still missing after the installation" >&2
    exit 1
}
