#!/bin/sh
# Installs the packages of package-lock.json into node_modules, unless they are there already. Whoever comes second waits.
set -eu
cd "$(dirname "$0")/.."
exec 9>.packages.lock
flock 9
want=$(sha256sum package-lock.json | cut -d' ' -f1)
have=$(cat node_modules/.freeplay-lock 2>/dev/null || true)
[ "$want" = "$have" ] && exit 0
npm ci --prefer-offline --no-audit --no-fund
echo "$want" >node_modules/.freeplay-lock
