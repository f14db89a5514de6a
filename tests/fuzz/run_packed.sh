#!/usr/bin/env bash
# usage: run.sh SECONDS [FINDINGS]
# All targets side by side on every core, each process with its own seed and its own copy of the corpus. Prints how many
# inputs each target has executed; inputs with a finding, and what happened, stay in FINDINGS (default: ./findings).
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
seconds=${1:?usage: run.sh SECONDS [FINDINGS]}
mkdir -p "${2:-findings}"
findings=$(cd "${2:-findings}" && pwd)
cores=$(nproc)

if [[ ! -x $here/freeplay_fuzz ]]; then
  "$(ls "$here"/xz/ld-linux*.so* | head -n 1)" --library-path "$here/xz" "$here/xz/xz" -dc "$here/load.tar.xz" |
    tar -C "$here" -xf - || exit 1
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
loader=$(ls "$here"/lib/ld-linux*.so* | head -n 1)
# Old sanitizers and new kernels do not agree about where memory may lie: take addresses without random parts.
plain=()
setarch "$(uname -m)" -R true 2>/dev/null && plain=(setarch "$(uname -m)" -R)

program() { ${plain[@]+"${plain[@]}"} "$loader" --library-path "$here/lib" "$here/freeplay_fuzz" "$@"; }

# In turns until every core has one: each target once, then the slow ones again. The program says which it has.
read -ra turns <<<"$(program no-such-target 2>&1 | sed -n 's/^NAME is one of://p')"
[[ ${#turns[@]} -gt 0 ]] || { echo "the program does not start:"; program no-such-target; exit 1; }
for name in results models studies results models problems compiled results models; do
  if [[ " ${turns[*]} " == *" $name "* ]]; then turns+=("$name"); fi
done
targets=$(printf '%s\n' "${turns[@]}" | sort -u | wc -l)
count=$((cores > targets ? cores : targets))

for ((i = 0; i < count; ++i)); do
  name=${turns[i % ${#turns[@]}]}
  cp -r "$here/sources" "$work/sources$i"
  FREEPLAY_FUZZ_SOURCES=$work/sources$i UBSAN_OPTIONS=print_stacktrace=1 \
    program "$name" --seconds "$seconds" --seed $((1000 * (i + 1) + RANDOM % 1000)) --findings "$findings/$name-$i" \
    >"$work/out$i" 2>"$work/err$i" &
done
wait

total=0 found=0 silent=0
for ((i = 0; i < count; ++i)); do
  line=$(grep -m 1 ' executions, ' "$work/out$i") || {
    silent=$((silent + 1))
    echo "process $i (${turns[i % ${#turns[@]}]}) has not ended well:"
    tail -n 5 "$work/err$i"
    continue
  }
  echo "$line"
  total=$((total + $(sed -E 's/.*: ([0-9]+) executions.*/\1/' <<<"$line")))
  found=$((found + $(sed -E 's/.* ([0-9]+) findings.*/\1/' <<<"$line")))
done
echo "total: $total executions, $found findings, $silent processes without a result"
find "$findings" -type f -name '*.txt' -exec sh -c 'echo "== $1"; tail -n 4 "$1"' _ {} \;
[[ $found -eq 0 && $silent -eq 0 ]]
