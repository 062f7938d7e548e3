#!/bin/sh
# Everything that a machine with a GPU is asked for, in one run: the times of bench_opencl beside the CPU's, PyTorch's on the same GPU (where
# python3 has it and CUDA), where the steps' time goes by the queue's own clock, the first step of a process, and the tests that run on OpenCL
# devices. Build first: make bench-opencl's program and make build-tests.
#     bench/gpu.sh folder [seconds [parts]]       parts: of "bench torch profile first tests", all; folder: what each part printed
set -u
cd "$(dirname "$0")/.." || exit 1
out=${1:?a folder} seconds=${2:-0.2} parts=${3:-bench torch profile first tests}
TEST_SECONDS=${TEST_SECONDS:-150}
program=build/bench/bench_opencl
mkdir -p "$out"
have() { case " $parts " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }
if have bench; then $program "$seconds" > "$out/bench.txt" 2>&1; cat "$out/bench.txt"; fi
if have torch; then python3 bench/pytorch_gpu.py "$seconds" > "$out/torch.txt" 2>&1; grep -v '^  ' "$out/torch.txt" | tail -n 30; fi
if have profile; then
    mkdir -p "$out/cache"
    $program --profile '' "$out/cache" > "$out/profile.txt" 2>&1
    tar -C "$out" -czf "$out/cache.tgz" cache && rm -rf "$out/cache"
    grep -E '^#|in nn_run|on opencl' "$out/profile.txt"
fi
if have first; then
    for _ in 1 2; do $program --first 0 - 2>&1 | tail -n 1; done > "$out/first.txt"
    cat "$out/first.txt"
fi
if have tests; then
    mkdir -p "$out/tests"
    export out TEST_SECONDS
    # shellcheck disable=SC2016
    basename -a $(grep -l -e NN_TEST_OPENCL tests/test_*.c) tests/test_opencl.c tests/test_opencl_profile.c tests/test_opencl_tune.c tests/test_examples.sh |
        grep '\.c$' | sed 's/\.c$//' | xargs -P "$(($(nproc) / 2 + 1))" -I @ sh -c '
            timeout "$TEST_SECONDS" build/tests/@ > "$out/tests/@.txt" 2>&1
            echo "@: $? $(tail -n 1 "$out/tests/@.txt")"' > "$out/tests.txt"
    tar -C "$out" -czf "$out/tests.tgz" tests && rm -rf "$out/tests"
    sort "$out/tests.txt"
fi
