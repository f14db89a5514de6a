#!/bin/sh
# Compiled mechanisms on a GPU. Needs nvcc and a GPU, nothing of freeplay: DIR holds the emitted sources and their lanes, which
# `bench_batch_export DIR` writes on any machine that has built freeplay.
#
# usage: bench/batch_cuda.sh DIR
set -e
here=$(cd "$(dirname "$0")" && pwd)
dir=$(cd "$1" && pwd)
PATH=$PATH:/usr/local/cuda/bin
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader || true
nvcc --version | tail -2 | head -1
for lanes in "$dir"/*.lanes; do
  scene=${lanes%.lanes}
  echo "== $(basename "$scene")"
  nvcc -O3 -std=c++17 -arch=native -w -DMECHANISM="\"$scene.cpp\"" "$here/batch_cuda.cu" -o "$scene.gpu"
  "$scene.gpu" "$lanes"
done
