#!/bin/sh
# Runs small cases under Oclgrind, a simulator of OpenCL devices: no kernel may read or write outside its buffers or race
# with another work-item, no call may be wrong; its log must be empty. Kernels are compiled without optimisation
# (-cl-opt-disable): Oclgrind 21.10 takes vectors that LLVM builds lane by lane for uninitialised, even
# vstore16((float16)(x.even, z.even), 0, y) of loaded values. In a kernel that does nothing else, "a > b ? 1 : 0" of vectors
# gives 255 there.
#   tests/opencl/oclgrind.sh [test...]  runs only these tests; test_table_gpu is test_table as a GPU takes it.
#                                 PROGRAMS: folder of the test programs (build/tests). A run of more than
#                                 OCLGRIND_TIMEOUT seconds (1200) counts as a hang.
# Values read before they were written are looked for in test_backends only, which writes each buffer in one piece: to
# Oclgrind 21.10 a buffer written by two clEnqueueWriteBuffer, or by clEnqueueFillBuffer, stays uninitialised.
# The last line is "N passed, M failed, K skipped".
set -u
cd "$(dirname "$0")/../.." || exit 1
programs=${PROGRAMS:-build/tests}
limit=$((${OCLGRIND_TIMEOUT:-1200} * ${TEST_SLOW:-1})) # more than that is a hang
passed=0 failed=0 skipped=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

finish() {
    echo "oclgrind: $passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
    exit
}

if ! command -v oclgrind > /dev/null 2>&1; then
    echo "SKIP oclgrind.sh: no oclgrind here (make setup-full installs it)"
    skipped=1
    finish
fi

# check "options" program argument...
check() {
    options=$1
    program=$programs/$2
    shift 2
    name="$(basename "$program") $*"
    if [ ! -x "$program" ]; then
        echo "SKIP oclgrind.sh: $program was not built"
        skipped=$((skipped + 1))
        return
    fi
    rm -f "$work/log"
    start=$(date +%s)
    # shellcheck disable=SC2086
    timeout "$limit" oclgrind --build-options -cl-opt-disable --check-api --max-errors 20 $options --log "$work/log" \
        "$program" "$@" > "$work/out" 2>&1
    status=$?
    name="${NN_TEST_AS:+as $NN_TEST_AS: }$name"
    if [ ! -f "$work/log" ] || [ $status -ne 0 ] || [ -s "$work/log" ] || grep -q "^SKIP .*no OpenCL device" "$work/out" ||
         ! grep -qE '^well$|[1-9][0-9]* passed, 0 failed' "$work/out"; then
        echo "FAIL oclgrind.sh: $name ended with status $status"
        tail -n 5 "$work/out"
        head -n 30 "$work/log" 2> /dev/null
        failed=$((failed + 1))
    else
        echo "$name: passed ($(($(date +%s) - start)) s)"
        passed=$((passed + 1))
    fi
}

# True if this piece was asked for.
asked() { # name
    known="$known $1"
    case " $only " in "  " | *" $1 "*) return 0 ;; esac
    return 1
}
only="$*" known=''

# Everything that trains, on a tiny net: SGD and Adam, two steps each, against the CPU's losses.
asked test_opencl_training && check "--data-races" test_opencl_training --child tiny

# Every kernel on its smallest cases, with work-groups of 64.
if asked test_table_smallest; then
    NN_TEST_AS=small NN_TEST_LARGEST=60
    export NN_TEST_AS NN_TEST_LARGEST
    check "--data-races --uninitialized" test_backends correct test_table
    NN_TEST_LARGEST=1300
    check "--data-races --uninitialized" test_backends correct test_gather
    # Two products: Oclgrind also reports vectors at addresses that are not multiples of their size, at which GPUs stop and
    # CPUs do not.
    NN_TEST_AS=large NN_TEST_LARGEST=8000
    check "--data-races" test_backends correct test_gemm_large
    unset NN_TEST_AS NN_TEST_LARGEST
fi
for test in test_augment test_clip test_accumulate test_random test_gather test_reduce test_convert test_accuracy \
    test_confusion test_custom test_cross_entropy test_softmax test_update test_pool2d_backward test_conv2d_forward; do
    asked $test && check "--data-races --uninitialized" test_backends correct $test
done
# Steps that run as one, in one work-group and cut into rows, with a fault in each.
asked test_chain && check "--data-races" test_chain test_faults test_faults_gpu test_faults_by_rows
asked test_chain_runs && check "--data-races --local-mem-size 65536" test_chain test_some_steps_gpu
# Not --uninitialized: Oclgrind 21.10 ends with a segmentation fault on (float16)(a.even, b.even), whatever a and b hold.
asked test_pool2d_forward && check "--data-races" test_backends correct test_pool2d_forward
NN_TEST_LARGEST=600
export NN_TEST_AS NN_TEST_LARGEST
for NN_TEST_AS in own gpu small plain large; do # every kernel of the table, as each kind of device takes it
    kinds="--data-races --uninitialized"
    # Not --uninitialized: values selected from the halves of a vector that was read whole are reported as uninitialised
    # (nn_conv_pool_largest), whatever was in it. test_table_smallest runs the smaller cases of a similar kind with both.
    [ $NN_TEST_AS = own ] && kinds="--data-races"
    asked "test_table_$NN_TEST_AS" && check "$kinds" test_backends correct test_table
done
# Random products, some of which are cut along their sums.
unset NN_TEST_LARGEST
NN_TEST_AS=small
asked test_gemm_small && NN_TEST_CASES=6 check "--data-races --uninitialized" test_backends correct test_gemm_random
# Random convolutions, some of them with few rows.
NN_TEST_LARGEST=6000
export NN_TEST_LARGEST
asked test_conv2d_small && NN_TEST_CASES=12 check "--data-races --uninitialized" test_backends correct test_conv2d_random
# Convolutions, their gradients and blocks in patches.
NN_TEST_AS=patches
asked test_conv2d_patches && NN_TEST_CASES=6 check "--data-races --uninitialized" test_backends correct test_conv2d_random test_block_random
NN_TEST_AS=large NN_TEST_LARGEST=9000
asked test_gemm_large && check "--data-races --uninitialized" test_backends correct test_gemm_large
for name in $only; do
    case " $known " in *" $name "*) continue ;; esac
    echo "FAIL oclgrind.sh: no test is called $name; there are$known"
    failed=$((failed + 1))
done
finish
