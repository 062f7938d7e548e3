#!/bin/sh
# Compares one training run on two processes with one process and with PyTorch's DistributedDataParallel over gloo, alternately.
#   bench/parallel.sh [rounds]      PYTHON: which python; MPIRUN: how two processes are started
set -u
cd "$(dirname "$0")/.." || exit 1
rounds=${1:-2}
program=build/bench/bench_parallel
[ -x $program ] || make $program > /dev/null || exit 1
two=${MPIRUN:-mpirun --bind-to none --oversubscribe -n 2}
[ "$(id -u)" = 0 ] && export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
PYTHON=${PYTHON:-/usr/bin/python3}
echo "# name, what (bench/bench_parallel.c), processes, shards, minimum us, median us; then what several processes gain"
while [ "$rounds" -gt 0 ]; do
    for net in "w2 4 4" "resnet18 1 2"; do
        steps=${net##* }
        $program $net 1
        if command -v mpirun > /dev/null 2>&1; then $two $program $net 8; else $program $net 8; fi
        if "$PYTHON" -c 'import torch' 2> /dev/null; then
            "$PYTHON" bench/pytorch_ddp.py "${net%% *}" $((steps * 2)) 1
            "$PYTHON" bench/pytorch_ddp.py "${net%% *}" $((steps * 2)) 2
        fi
    done
    rounds=$((rounds - 1))
done
