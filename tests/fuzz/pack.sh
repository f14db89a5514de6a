#!/usr/bin/env bash
# usage: tests/fuzz/pack.sh ARCHIVE.tgz
# The program of `./dev fuzz` (build-fuzz/tests/freeplay_fuzz must be there) with every library that it loads, its corpus
# and run_packed.sh: fuzzing on a machine on which nothing is installed.
set -euo pipefail
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
archive=$(realpath -m "${1:?usage: tests/fuzz/pack.sh ARCHIVE.tgz}")
program=$sources/build-fuzz/tests/freeplay_fuzz
[[ -x $program ]] || { echo "build it first: ./dev fuzz expressions --seconds 1" >&2; exit 1; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
packed=$folder/fuzz
mkdir -p "$packed/lib" "$packed/sources/tests/fuzz"
strip -o "$packed/freeplay_fuzz" "$program"
ldd "$program" | grep -oE '/[^ ]+' | sort -u | xargs -I{} cp -L {} "$packed/lib/"
cp -r "$sources/tests/fuzz/corpus" "$packed/sources/tests/fuzz/"
cp -r "$sources/examples" "$packed/sources/"
cp "$sources/tests/fuzz/run_packed.sh" "$packed/run.sh"
chmod +x "$packed/run.sh"
tar -C "$folder" -cf - fuzz | gzip -9 >"$archive"
ls -l "$archive"
