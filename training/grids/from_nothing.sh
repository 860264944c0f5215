#!/bin/sh
# Trains the network that solves grids from nothing, by the runs that led to the weights that ship:
# 10 hours and a half on two cores and 9 minutes on a graphics processor (NVIDIA H100). Run again, it
# goes on from the checkpoint of each run.
set -eu
adam="--optimizer adam --rate 0.002 --segments 8 16"
mix="--first-mix 0.2 0.1 0.15 0.2 0.35 0 --last-mix 0.15 0.1 0.15 0.2 0.4 0"
hard="--first-mix 0.05 0.1 0.1 0.15 0.2 0.4 --last-mix 0.05 0.1 0.1 0.1 0.2 0.45"
w44='{"features": 44, "hidden": 104, "segment_hidden": 152, "cell_hidden": 96, "messages": 44}'
train="python -m training.grids.train_grid --out build/grids"
export="python -m training.grids.export_grid build/grids"
$train/grid --optimizer adam
$export/grid --folder build/grids/export
$train/wide $adam $mix --init build/grids/export/grid.keras \
    --options '{"features": 32, "hidden": 64, "segment_hidden": 96, "cell_hidden": 64, "messages": 32}'
$export/wide --folder build/grids/export --name wide
$train/wide40 $adam $mix --init build/grids/export/wide.keras \
    --options '{"features": 40, "hidden": 88, "segment_hidden": 128, "cell_hidden": 80, "messages": 40}'
$export/wide40 --folder build/grids/export --name wide40
$train/wide44 $adam --init build/grids/export/wide40.keras --seed 2 --minutes 84 --options "$w44" \
    --first-mix 0.15 0.1 0.15 0.25 0.35 0 --last-mix 0.1 0.1 0.15 0.25 0.4 0
$export/wide44 --name grid
for seed in 7 8; do
    $train/hard$seed $hard --init models/weights/grid.keras --options "$w44" --optimizer adam \
        --seed $seed --threads 1 --minutes 54 --rate 0.0012 --segments 8 16
done
$export/hard7 build/grids/hard8 models/weights/grid.keras
$train/muon9 $hard --init models/weights/grid.keras --options "$w44" --optimizer muon \
    --seed 9 --minutes 1000 --steps 8000 --rate 0.002 --segments 8 16
$export/muon9
hardest="--first-mix 0.05 0.05 0.1 0.3 0.2 0.3 --last-mix 0.05 0.05 0.1 0.3 0.2 0.3"
KERAS_BACKEND=jax $train/sizes $hardest --init models/weights/grid.keras --minutes 8.85 \
    --rate 0.0025 --segments 16 16 --batch 192 --jigsaws 64 --sixteens 24 \
    --options '{"features": 60, "hidden": 144, "segment_hidden": 208, "cell_hidden": 128, "messages": 60}'
$export/sizes
