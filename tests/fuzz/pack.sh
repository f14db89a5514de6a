#!/usr/bin/env bash
# usage: tests/fuzz/pack.sh ARCHIVE.tgz [PROGRAM]
# The program of `./dev fuzz` (default: build-fuzz/tests/freeplay_fuzz) with every library that it loads, its corpus and
# run_packed.sh: fuzzing on a machine on which nothing is installed. The load is compressed by xz, which goes along too.
set -euo pipefail
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
archive=$(realpath -m "${1:?usage: tests/fuzz/pack.sh ARCHIVE.tgz [PROGRAM]}")
program=${2:-$sources/build-fuzz/tests/freeplay_fuzz}
[[ -x $program ]] || { echo "build it first: ./dev fuzz expressions --seconds 1" >&2; exit 1; }

libraries_of() { ldd "$1" | grep -oE '/[^ ]+' | sort -u; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
load=$folder/load packed=$folder/fuzz
mkdir -p "$load/lib" "$load/sources/tests/fuzz" "$packed/xz"
strip -o "$load/freeplay_fuzz" "$program"
libraries_of "$program" | xargs -I{} cp -L {} "$load/lib/"
cp -r "$sources/tests/fuzz/corpus" "$load/sources/tests/fuzz/"
cp -r "$sources/examples" "$load/sources/"
tar -C "$load" -cf - . | xz --x86 --lzma2=preset=6 >"$packed/load.tar.xz"
cp "$(command -v xz)" "$packed/xz/"
libraries_of "$(command -v xz)" | xargs -I{} cp -L {} "$packed/xz/"
cp "$sources/tests/fuzz/run_packed.sh" "$packed/run.sh"
chmod +x "$packed/run.sh"
tar -C "$folder" -czf "$archive" fuzz
ls -l "$archive"
