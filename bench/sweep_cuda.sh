#!/bin/sh
# The same studies by compiled code on the processor and on a GPU: times, and how far their measures are apart. Where a motion
# is chaotic, rounding decides which way a contact goes, and single runs differ.
#
# usage: bench/sweep_cuda.sh [FREEPLAY]          where nvcc and a GPU are; FREEPLAY: the command, or a folder made by --pack
#        bench/sweep_cuda.sh --pack DIR [BUILD]  on a machine that has built it: the command, its libraries, and the lanes of
#                                                bench/batch_cuda.sh, for a machine that has none of them
set -e
here=$(cd "$(dirname "$0")" && pwd)
if [ "$1" = --pack ]; then
  build=${3:-$here/../build}
  mkdir -p "$2/lib" "$2/lanes"
  strip -o "$2/freeplay" "$build/freeplay"
  # All but what every system with glibc has.
  ldd "$build/freeplay" | awk '$3 ~ /^\// { print $3 }' | grep -Ev '/(libc|libm|libdl|libpthread|librt|libresolv|libstdc\+\+|libgcc_s)\.so' |
    xargs -I{} cp -L {} "$2/lib"
  "$build/bench/bench_batch_export" "$2/lanes"
  du -sh "$2"
  exit
fi
freeplay=${1:-$here/../build/freeplay}
if [ -d "$freeplay" ]; then
  export LD_LIBRARY_PATH="$freeplay/lib:$LD_LIBRARY_PATH"
  freeplay=$freeplay/freeplay
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
examples=$here/../examples

# study NAME MODEL OPTIONS...: by both, twice on the GPU, since the first time compiles.
study() {
  name=$1
  model=$2
  shift 2
  echo "== $name"
  for backend in compiled cuda; do
    for turn in first again; do
      "$freeplay" sweep "$model" "$@" --backend $backend --out "$work/$name-$backend-$turn" --csv "$work/$backend.csv" --json > "$work/$backend.json"
      echo "$backend, $turn time: $(grep -o '"wall_seconds": [0-9.e+-]*' "$work/$backend.json"), $(grep -o '"left_to_engine": [0-9]*' "$work/$backend.json") of $(grep -o '"runs": [0-9]*' "$work/$backend.json")"
    done
  done
  paste -d, "$work/compiled.csv" "$work/cuda.csv" | awk -F, '
    $1 ~ /^[-0-9]/ {
      ++runs; half = NF / 2; far = 0
      for (i = 1; i <= half; ++i) {
        scale = $i < 0 ? -$i : $i; if (scale < 1) scale = 1
        d = ($i - $(half + i)) / scale; if (d < 0) d = -d
        if (d > far) far = d
      }
      if (far <= 1e-9) { ++near; if (far > worst) worst = far }
    }
    END { printf "%d of %d runs agree to 1e-9 (these to %.2g)\n", near, runs, worst; exit near < 0.5 * runs }'
}

study slider_crank_short "$examples/slider_crank.yaml" --set duration=40ms --set "slider_omega=1 rad/s" \
  --over c=0.1mm:2mm:200 --over "crank_omega=50rad/s:250rad/s:100" \
  --measure "tilt=max(abs(slider.angle))" --measure "end=final(slider.x)" --measure "speed=mean(crank.omega)"
study slider_crank_long "$examples/slider_crank.yaml" --set duration=2s --set "slider_omega=1 rad/s" --set record.every=100 \
  --sample random:50000 --over c=0.1mm:2mm --over "restitution=0.1:0.9" --measure "tilt=max(abs(slider.angle))"
study cam_follower "$examples/cam_follower.yaml" --over "cam_speed=5rad/s:40rad/s:20000" --measure "lift=max(follower.y)" --measure "end=final(follower.vy)"
study four_bar "$here/four_bar_plays.yaml" --over clearance=0.05mm:0.5mm:10000 --measure "speed=min(crank.omega)" --measure "end=final(rocker.angle)"
