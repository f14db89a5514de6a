#!/bin/sh
# Compiled mechanisms on a GPU. Needs nvcc and a GPU, nothing of freeplay: DIR holds the emitted sources and their lanes, which
# `bench_batch_export DIR` writes on any machine that has built freeplay. BLOCKS: how many blocks of threads shall fit on a
# multiprocessor, one or several numbers; fewer have more registers each.
#
# usage: [BLOCKS="2 3 4"] bench/batch_cuda.sh DIR
set -e
here=$(cd "$(dirname "$0")" && pwd)
dir=$(cd "$1" && pwd)
PATH=$PATH:/usr/local/cuda/bin
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader || true
nvcc --version | tail -2 | head -1
for lanes in "$dir"/*.lanes; do
  scene=${lanes%.lanes}
  for blocks in ${BLOCKS:-usual}; do
    flags=
    [ "$blocks" = usual ] || flags="-DFP_BLOCKS=$blocks"
    echo "== $(basename "$scene"), blocks: $blocks"
    # shellcheck disable=SC2086 # one word or none
    nvcc -O3 -std=c++17 -arch="${ARCH:-native}" -w $flags -Xptxas -v -DMECHANISM="\"$scene.cu\"" "$here/batch_cuda.cu" -o "$scene.gpu" 2> "$scene.log" || {
      cat "$scene.log"
      exit 1
    }
    grep -E "spill|Used [0-9]+ registers" "$scene.log" | head -2
    [ -n "$BUILD_ONLY" ] || "$scene.gpu" "$lanes"
  done
done
