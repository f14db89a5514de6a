#!/bin/sh
# The studies of examples/studies as large maps on a GPU, sections and histograms there and on the processor, and how many runs
# are left to the engine. Writes logs and pictures (PNG, made by python3 alone) to OUT.
#
# usage: bench/study_cuda.sh FREEPLAY OUT [PART...]   where nvcc and a GPU are; FREEPLAY: the command, or a folder made by --pack
#        bench/study_cuda.sh --pack DIR [BUILD]       as bench/sweep_cuda.sh does it
# PART: agree, anticipated, maps, or one map by its name (slider_crank, ...); default: all. SIZE: points along each side, default 1000.
set -e
here=$(cd "$(dirname "$0")" && pwd)
if [ "$1" = --pack ]; then exec sh "$here/sweep_cuda.sh" "$@"; fi
freeplay=$1
out=$2
shift 2
parts=${*:-agree anticipated maps}
size=${SIZE:-1000}
if [ -d "$freeplay" ]; then
  export LD_LIBRARY_PATH="$freeplay/lib:$LD_LIBRARY_PATH"
  freeplay=$freeplay/freeplay
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
mkdir -p "$out" "$XDG_CACHE_HOME"
examples=$here/../examples
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader || true
nproc

# field NAME FILE: of the summary.
field() { grep -o "\"$1\": [0-9.e+-]*" "$2" | head -1 | sed 's/.*: //'; }

# agree NAME MODEL OPTIONS...: the same study by all three, and how far their numbers are apart.
agree() {
  name=$1
  model=$2
  shift 2
  echo "== $name"
  for backend in engine compiled cuda; do
    "$freeplay" sweep "$model" "$@" --backend $backend --out "$work/$name-$backend" --csv "$work/$backend.csv" --json > "$work/$backend.json"
    echo "$backend: $(field wall_seconds "$work/$backend.json") s, $(field left_to_engine "$work/$backend.json") of $(field runs "$work/$backend.json") left to the engine"
  done
  for backend in compiled cuda; do
    paste -d, "$work/engine.csv" "$work/$backend.csv" | awk -F, -v name="$backend" '
      $1 ~ /^[-0-9]/ {
        ++rows; half = NF / 2; far = 0
        for (i = 1; i <= half; ++i) {
          scale = $i < 0 ? -$i : $i; if (scale < 1) scale = 1
          d = ($i - $(half + i)) / scale; if (d < 0) d = -d
          if (d > far) far = d
        }
        if (far <= 1e-9) { ++near; if (far > worst) worst = far }
      }
      END { printf "%s and engine: %d of %d lines agree to 1e-9 (these to %.2g)\n", name, near, rows, worst }'
  done
}

# map NAME X=FROM:TO Y=FROM:TO: the study of this name with size times size points.
map() {
  echo "== map $1"
  for turn in ${TURNS:-first again}; do
    "$freeplay" study "$examples/studies/$1.study.yaml" --over "$2:$size" --over "$3:$size" --backend cuda --out "$work/$1-$turn" --csv "$work/$1.csv" --json > "$work/$1.json" || {
      cat "$work/$1.json"
      return
    }
    echo "$turn time: $(field wall_seconds "$work/$1.json") s, $(field runs "$work/$1.json") runs, $(field left_to_engine "$work/$1.json") left to the engine"
    rm -rf "${work:?}/$1-$turn"
    [ "$size" -le 200 ] || break  # large ones take their time
  done
  python3 "$here/map_picture.py" "$work/$1.csv" "$out/$1_map.png" || true
  rm -f "$work/$1.csv"
}

for part in $parts; do
  case $part in
    agree)
      agree section_by_time "$examples/slider_crank_driven.yaml" --set simulate.lasting_contacts=paper --over c=0.1mm:2mm:400 --section "every(turn)" --point "x=slider.angle*a/c" --skip 1 --turns 3
      agree section_by_zero "$examples/slider_crank.yaml" --set duration=60ms --set "slider_omega=1 rad/s" --over c=0.1mm:2mm:400 --section "rising(rod.angle)" --point "tilt=slider.angle" --point "v=slider.vx"
      agree histogram "$examples/slider_crank.yaml" --set duration=40ms --set "slider_omega=1 rad/s" --over c=0.1mm:2mm:400 --measure "tilt=histogram(slider.angle*a/c, -1, 1, 20)"
      agree impacts "$examples/slider_crank.yaml" --set duration=40ms --set "slider_omega=1 rad/s" --over c=0.1mm:2mm:400 --measure "hits=count(impact)" --measure "hardest=max(guide.impact.normal_impulse)" --measure "lost=sum(impact.energy_lost)"
      echo "== bifurcation diagram, 100 000 clearances of 50 turns"
      "$freeplay" sweep "$examples/slider_crank_driven.yaml" --set simulate.lasting_contacts=paper --over c=0.05mm:2mm:100000 --section "every(turn)" --point "x=slider.angle*a/c" --skip 30 --turns 20 --backend cuda --out "$work/diagram" --json > "$work/diagram.json"
      echo "$(field wall_seconds "$work/diagram.json") s, $(field left_to_engine "$work/diagram.json") left to the engine"
      ;;
    anticipated)
      agree one_pin "$examples/four_bar_clearance.yaml" --set turns=0.25 --over clearance=0.05mm:0.5mm:400 --measure "hits=count(impact)" --measure "end=final(rocker.angle)"
      agree four_pins "$examples/steering_linkage.yaml" --set simulate.duration=50ms --over clearance=0.05mm:0.5mm:400 --measure "hits=count(impact)" --measure "end=final(left.angle)"
      agree seven_pins "$examples/knuckle_press.yaml" --set simulate.duration=50ms --over clearance=0.05mm:0.2mm:400 --measure "hits=count(impact)" --measure "end=final(ram.y)"
      ;;
    maps)
      map slider_crank c=0.05mm:2mm crank_omega=50rad/s:250rad/s
      map slider_crank_kept c=0.05mm:2mm crank_omega=50rad/s:250rad/s
      map cam_follower cam_speed=5rad/s:40rad/s preload=0N:3000N
      map four_bar_clearance clearance=0.02mm:0.5mm speed=60rpm:600rpm
      map four_bar_plays clearance=0.02mm:0.5mm speed=60rpm:600rpm
      map woodpecker 'stiffness=4 N mm:10 N mm' friction=0.3:0.6
      map conveyor frequency=20Hz:80Hz amplitude=0.05mm:1.5mm
      ;;
    slider_crank | slider_crank_kept) map "$part" c=0.05mm:2mm crank_omega=50rad/s:250rad/s ;;
    cam_follower) map "$part" cam_speed=5rad/s:40rad/s preload=0N:3000N ;;
    four_bar_clearance | four_bar_plays) map "$part" clearance=0.02mm:0.5mm speed=60rpm:600rpm ;;
    woodpecker) map "$part" "stiffness=4 N mm:10 N mm" friction=0.3:0.6 ;;
    conveyor) map "$part" frequency=20Hz:80Hz amplitude=0.05mm:1.5mm ;;
    *) echo "no part '$part'" ;;
  esac
done
