#!/bin/sh
# Very many certified steps on a machine with many cores that has nothing of freeplay, not even a compiler.
#
# usage: bench/batch_certify.sh --pack DIR [BUILD]   on a machine that has built it: the benchmark, its libraries, its models and
#                                                    what they are compiled to, for processors with AVX-512 and with AVX2
#        DIR/run.sh SECONDS [PROCESSES] [SEED]       there: scenes and rules in turn, each process with a seed of its own; prints
#                                                    the sums of their tables
set -e
here=$(cd "$(dirname "$0")" && pwd)

pack() {
  mkdir -p "$1"
  dir=$(cd "$1" && pwd)
  build=${2:-$here/../build}
  mkdir -p "$dir/lib" "$dir/models" "$dir/objects"
  strip -o "$dir/bench_batch_certify" "$build/bench/bench_batch_certify"
  ldd "$build/bench/bench_batch_certify" | awk '$3 ~ /^\// { print $3 } $1 ~ /^\/.*ld-linux/ { print $1 }' | xargs -I{} cp -L {} "$dir/lib"
  cp "$here/../examples/slider_crank.yaml" "$here/../examples/cam_follower.yaml" "$here/four_bar_plays.yaml" "$dir/models"
  cp "$here/batch_certify.sh" "$dir/run.sh"
  # Stands in for the compiler: objects by their source. It makes them where there is one, and gives them out elsewhere.
  cat > "$dir/compiler" << 'END'
#!/bin/sh
here=$(cd "$(dirname "$0")" && pwd)
while [ "$1" != -o ]; do shift; done
name=$(md5sum < "$3" | cut -c1-32)
level=x86-64-v3
grep -q -m1 avx512vl /proc/cpuinfo && level=x86-64-v4
if [ -n "$MAKE_OBJECTS" ]; then
  for level in x86-64-v3 x86-64-v4; do
    [ -e "$here/objects/$name-$level.so" ] || c++ -std=c++17 -O3 -march=$level -fno-math-errno -fno-trapping-math -fPIC -shared -w -o "$here/objects/$name-$level.so" "$3"
  done
fi
[ -e "$here/objects/$name-$level.so" ] || { echo "error: there is no object $name-$level"; exit 1; }
cp "$here/objects/$name-$level.so" "$2"
END
  chmod 755 "$dir/compiler" "$dir/run.sh"
  cache=$(mktemp -d)
  for seed in $(seq "${SEEDS:-4}"); do
    XDG_CACHE_HOME=$cache MAKE_OBJECTS=yes FREEPLAY_CXX=$dir/compiler FREEPLAY_MODELS=$dir/models "$dir/bench_batch_certify" 1 "$seed"
  done
  rm -rf "$cache"
  ls -l "$dir/objects"
}

if [ "$1" = --pack ]; then
  shift
  pack "$@"
  exit
fi
seconds=$1
processes=${2:-$(nproc)}
seed=${3:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/cache"
export XDG_CACHE_HOME="$work/cache" FREEPLAY_CXX="$here/compiler" FREEPLAY_MODELS="$here/models"
grep -m1 "model name" /proc/cpuinfo || true
echo "$processes processes, $seconds s"
set -- "$here"/lib/ld-linux-*.so.*
loader=$1
k=0
while [ $k -lt "$processes" ]; do
  case $((k % 6)) in
    0) what="paper slider_crank" ;;
    1) what="kept slider_crank" ;;
    2) what="paper cam_follower" ;;
    3) what="kept cam_follower" ;;
    4) what="paper four_bar_plays" ;;
    *) what="kept four_bar_plays" ;;
  esac
  # shellcheck disable=SC2086 # two words
  "$loader" --library-path "$here/lib" "$here/bench_batch_certify" 1e18 $((seed + k)) $what "$seconds" > "$work/$k.txt" 2> "$work/$k.err" &
  k=$((k + 1))
done
wait
cat "$work"/*.err
grep -h "lanes: " "$work"/*.txt || true
awk '
  $2 == "paper" || $2 == "kept" {
    row = sprintf("%-15s%-7s", $1, $2); if (!(row in steps)) names[++count] = row
    ++runs[row]; steps[row] += $3; contact[row] += $4; lanes[row] += $5; left[row] += $6; checked[row] += $8; wrong[row] += $10
    if ($9 > worst[row]) worst[row] = $9
    all += $3; all_contact += $4; all_lanes += $5; all_left += $6; all_checked += $8; all_wrong += $10; if ($9 + 0 > most) most = $9 + 0
  }
  END {
    printf "%-22s%9s%15s%15s%10s%8s%9s%10s%10s%7s\n", "", "processes", "lane-steps", "in contact", "lanes", "left", "%", "checked", "worst", "wrong"
    for (i = 1; i <= count; ++i) { r = names[i]; printf "%s%9d%15.0f%15.0f%10d%8d%9.4f%10d%10.1e%7d\n", r, runs[r], steps[r], contact[r], lanes[r], left[r], 100 * left[r] / lanes[r], checked[r], worst[r], wrong[r] }
    printf "%-22s%9d%15.4g%15.4g%10d%8d%9.4f%10d%10.1e%7d\n", "all", FILENAME ? ARGC - 1 : 0, all, all_contact, all_lanes, all_left, all_lanes ? 100 * all_left / all_lanes : 0, all_checked, most, all_wrong
    exit all_wrong > 0
  }' "$work"/*.txt
