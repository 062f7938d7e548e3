#!/bin/sh
# Runs all measurements and tests for a machine with a GPU, in some minutes: the times of bench_opencl (of steps by the queue's own clock), the first
# step of a process, the digits and the frames, the measurements of nn_opencl_tune, PyTorch on the same GPU (where python3 has it and
# CUDA), and the tests that run on OpenCL devices, with random shapes of every family of kernels. Build first: make build-tests examples build/bench/bench_opencl.
#     bench/gpu.sh folder [seconds [parts]]       parts: of "bench profile first examples tune torch tests", all; folder: what each part printed
# TEST_SECONDS: of each test (100); TORCH_SECONDS: of all of PyTorch (100); CASES: random shapes of a kind of kernel (150).
set -u
cd "$(dirname "$0")/.." || exit 1
out=${1:?a folder} seconds=${2:-0.2} parts=${3:-bench profile first examples tune torch tests}
program=build/bench/bench_opencl
export TEST_SECONDS="${TEST_SECONDS:-100}" CASES="${CASES:-150}" BENCH_NO_CPU=1 out
mkdir -p "$out"
have() { case " $parts " in *" $1 "*) return 0 ;; *) return 1 ;; esac; }

if have bench; then # the driver compiles for several at a time; what is timed then finds it done
    for work in gemm linear conv "W1 train" "W2 train" "W3 train" "W4 train" resnet18 field "small train"; do $program 0.001 "$work" > "$out/first_run.txt" 2>&1 & done
    wait
    for work in train gemm linear conv; do $program "$seconds" $work 2>&1; done | grep -v 'CLBlast alone  *-  *-$' > "$out/bench.txt"
    cat "$out/bench.txt"
fi
if have profile; then
    mkdir -p "$out/cache"
    $program --profile '' "$out/cache" > "$out/profile.txt" 2>&1
    tar -C "$out" -czf "$out/cache.tgz" cache && rm -rf "$out/cache"
    grep -E '^#|on opencl' "$out/profile.txt"
fi
if have first; then
    for cold in 1 0; do
        [ $cold = 0 ] || rm -rf "$out/ours"
        echo "first step of W1, nn_opencl_open and our cache, $([ $cold = 1 ] && echo cold || echo warm): $($program --first 0 "$out/ours" 2>&1 | tail -n 1)"
    done | tee "$out/first.txt"
    rm -rf "$out/ours"
fi
if have examples; then
    for example in 02_digits 27_frames; do
        echo "# $example"
        timeout 20 build/examples/$example 2>&1 | tail -n 14
    done > "$out/examples.txt"
    cat "$out/examples.txt"
fi
if have tune; then
    $program --tune "${TUNE_SECONDS:-30}" > "$out/tune.txt" 2>&1
    wc -l "$out/tune.txt"
fi
if have torch; then
    timeout "${TORCH_SECONDS:-100}" python3 bench/pytorch_gpu.py "$seconds" > "$out/torch.txt" 2>&1
    grep -E '^#|us|train' "$out/torch.txt" | grep -v Warning
fi
if have tests; then
    mkdir -p "$out/tests"
    { # the longest first
        for kind in own gpu small plain large winograd patches; do
            for group in test_table gemm_random conv2d_random block_random; do echo "$kind $group"; done
        done
        echo "own _random"
        grep -l -e NN_TEST_OPENCL tests/*/test_*.c | sed 's,tests/.*/\(.*\)\.c,program \1,' | grep -v test_backends
        printf 'program %s\n' test_opencl_profile test_opencl_tune
    } | xargs -P "$(nproc)" -L 1 sh -c '
        log=$out/tests/$1-$2.txt
        if [ "$1" = program ]; then
            timeout "$TEST_SECONDS" "build/tests/$2" > "$log" 2>&1
        else
            NN_TEST_AS=$1 NN_TEST_CASES=$CASES timeout "$TEST_SECONDS" build/tests/test_backends correct "$2" > "$log" 2>&1
        fi
        echo "$1 $2: $? $(tail -n 1 "$log" | cut -c1-150)"' one > "$out/tests.txt"
    tar -C "$out" -czf "$out/tests.tgz" tests && rm -rf "$out/tests"
    sort "$out/tests.txt"
fi
