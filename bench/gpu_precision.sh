#!/bin/sh
# Measures matrix units on a machine with a GPU, in one run of at most 12 minutes: whether they pass their self-test, the tests of
# every kernel on them, the times of bench_precision.c beside PyTorch's, and the times in f32, which must not have changed.
# Build first: make build-tests build/bench/bench_precision build/bench/bench_opencl.
#     bench/gpu_precision.sh folder [seconds [parts]]    parts: some of "mma forms tests ours torch small" (default: all); folder: gets the output of each part
# CASES: random shapes of a kind of kernel (300). A part that takes longer than its limit is ended, and the next one runs.
set -u
cd "$(dirname "$0")/.." || exit 1
out=${1:?a folder} seconds=${2:-0.5} parts=${3:-mma forms tests ours torch small}
export CASES="${CASES:-300}" out
mkdir -p "$out"
have() { case " $parts " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }

if have mma; then # the self-test, and what takes the place of units that fail it
    timeout 60 build/tests/test_opencl_mma 2>&1 | tee "$out/mma.txt"
fi
if have forms; then # usual loop (-1) and copied operands (1): from which size on does packing f32 operands pay?
    for size in 1024 2048 4096; do for form in -1 1; do
        echo "size $size copied $form"
        BENCH_COPIED=$form BENCH_SIZE=$size timeout 60 build/bench/bench_precision "$seconds" product 2>&1 | grep -E 'tf32|bf16'
    done; done | tee "$out/forms.txt"
    for form in -1 1; do # bf16 in memory needs no packing
        echo "gpt2 copied $form"
        BENCH_COPIED=$form timeout 120 build/bench/bench_precision "$seconds" gpt2 2>&1 | grep -E 'tf32|bf16|autocast'
    done | tee -a "$out/forms.txt"
fi
if have tests; then # the real units: a device that has some does not emulate them
    for kind in tf32 bf16; do
        for group in test_matrix_units_used gemm conv2d_random attention_random test_table; do echo "$kind $group"; done
    done | xargs -P "$(nproc)" -L 1 sh -c '
        NN_TEST_AS=$1 NN_TEST_CASES=$CASES timeout 150 build/tests/test_backends correct "$2" > "$out/test-$1-$2.txt" 2>&1
        echo "$1 $2: $? $(tail -n 1 "$out/test-$1-$2.txt" | cut -c1-150)"' one | tee "$out/tests.txt"
fi
if have ours; then
    timeout 200 build/bench/bench_precision "$seconds" 2>&1 | tee "$out/ours.txt"
fi
if have torch; then
    timeout 200 python3 bench/pytorch_precision.py "$seconds" > "$out/torch.txt" 2>&1
    grep -vi warning "$out/torch.txt"
fi
if have small; then # W1 to W4 in f32: none may be slower than before
    for work in "W1 train" "W2 train" "W3 train" "W4 train"; do
        BENCH_NO_CPU=1 timeout 30 build/bench/bench_opencl "$seconds" "$work" 2>&1
    done | tee "$out/small.txt"
fi
