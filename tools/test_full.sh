#!/bin/sh
# What `make test` cannot do with gcc alone: other machines, sanitizers, valgrind, fuzzing, accuracy on MNIST.
#   tools/test_full.sh [target...]     only these; default: all, in this order
# A target whose tools are missing is skipped with a message (make setup-full installs them). MNIST_DIR: the folder of the
# MNIST files. FUZZ_SECONDS: per fuzz target (60). The last line is "N passed, M failed, K skipped": one for each program.
set -u
cd "$(dirname "$0")/.." || exit 1
out=build/full
mkdir -p $out
jobs=$(nproc 2>/dev/null || echo 1)
passed=0 failed=0 skipped=0
all_targets="o3 m32 musl aarch64 s390x mingw asan tsan msan valgrind cortex_m4 oclgrind fuzz mnist"
CC=${CC:-cc}

# Emulated and instrumented machines run these; the rest is the same code on the same floors.
small="test_base test_device test_tensor test_sim_device test_backends test_ops test_train test_faults test_golden"
# Those of OpenCL run against a driver that no sanitizer knows; make test and oclgrind run them.
every=$(for file in tests/test_*.c; do basename "$file" .c; done | grep -v '^test_opencl')

have() { command -v "$1" > /dev/null 2>&1; }
skip() { echo "SKIP $1: $2"; skipped=$((skipped + 1)); }
add() { # a last line "N passed, M failed, K skipped"
    # shellcheck disable=SC2046
    set -- $(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$1" | tail -n 1 | tr -cd '0-9 ')
    if [ $# -ne 3 ]; then failed=$((failed + 1)); echo "FAIL no result line"; return; fi
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
}
existing() { for name in "$@"; do [ -f "tests/$name.c" ] && echo "$name"; done; }

# Compiles programs, several at a time, into $out/$1; $2: compiler and flags, $3: libraries, the rest: names.
build() {
    folder=$out/$1 compile=$2 libraries=$3
    shift 3
    rm -rf "$folder"
    mkdir -p "$folder"
    for name in "$@"; do
        echo "$compile -I. -Itests tests/$name.c -o $folder/$name $libraries > $folder/$name.log 2>&1"
    done | xargs -d '\n' -P "$jobs" -I '{}' sh -c '{}'
    for name in "$@"; do # a warning is a failure of its own, and the program still runs
        [ -s "$folder/$name.log" ] || continue
        echo "FAIL $(basename "$folder"): $name does not compile without a warning:"
        grep -E 'error|warning' "$folder/$name.log" | head -n 12
        failed=$((failed + 1))
    done
}
# Runs them; $1: target, $2: what stands before each program, $3: seconds, the rest: names.
run() {
    target=$1 runner=$2 limit=$3
    shift 3
    programs=
    for name in "$@"; do programs="$programs $out/$target/$name"; done
    echo "== $target"
    # shellcheck disable=SC2086
    TEST_LABEL=$target TEST_RUNNER=$runner TEST_TIMEOUT=$limit tools/run_tests.sh $programs > $out/"$target".log
    grep -v -E '^[0-9]+ passed, ' $out/"$target".log
    add $out/"$target".log
}

c99="-std=c99 -g -I."
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow"

target_o3() {
    # shellcheck disable=SC2086
    build o3 "$CC $c99 $strict -O3" "-lm -lpthread" $every
    # shellcheck disable=SC2086
    run o3 "" 300 $every
}
target_m32() {
    if ! echo 'int main(void) { return 0; }' | gcc -m32 -x c - -o $out/m32-probe -lm 2> /dev/null; then
        skip m32 "gcc -m32 does not link (gcc-12-multilib)"
        return
    fi
    # x87 keeps more digits than a float has: SSE arithmetic, as on every other machine.
    names=$(existing $small)
    # shellcheck disable=SC2086
    build m32 "gcc $c99 $strict -O2 -m32 -msse2 -mfpmath=sse -I/usr/include/x86_64-linux-gnu" "-lm -lpthread" $names
    # shellcheck disable=SC2086
    run m32 "" 300 $names
}
target_musl() {
    have musl-gcc || { skip musl "no musl-gcc (musl-tools)"; return; }
    names=$(existing $small)
    # shellcheck disable=SC2086
    build musl "musl-gcc $c99 $strict -O2 -static" "-lm -lpthread" $names
    # shellcheck disable=SC2086
    run musl "" 300 $names
}
target_aarch64() {
    have aarch64-linux-gnu-gcc && have qemu-aarch64 || { skip aarch64 "no aarch64-linux-gnu-gcc or qemu-aarch64"; return; }
    names=$(existing $small)
    # shellcheck disable=SC2086
    build aarch64 "aarch64-linux-gnu-gcc $c99 $strict -O2 -static" "-lm -lpthread" $names
    # shellcheck disable=SC2086
    run aarch64 qemu-aarch64 900 $names
}
target_s390x() {
    have s390x-linux-gnu-gcc && have qemu-s390x || { skip s390x "no s390x-linux-gnu-gcc or qemu-s390x"; return; }
    names=$(existing $small)
    # -std=c99 would compute in double there.
    # shellcheck disable=SC2086
    build s390x "s390x-linux-gnu-gcc $c99 $strict -fexcess-precision=fast -O2 -static" "-lm -lpthread" $names
    # shellcheck disable=SC2086
    run s390x qemu-s390x 900 $names
}
target_mingw() {
    have x86_64-w64-mingw32-gcc && have wine || { skip mingw "no x86_64-w64-mingw32-gcc or wine"; return; }
    names=$(existing $small)
    # shellcheck disable=SC2086
    build mingw "x86_64-w64-mingw32-gcc $c99 $strict -O2 -static" "-lm" $names
    for name in $names; do # gcc appends .exe; the runner looks for the name that it was told
        [ -f "$out/mingw/$name.exe" ] && mv "$out/mingw/$name.exe" "$out/mingw/$name"
    done
    WINEDEBUG=-all WINEPREFIX=$PWD/$out/wine
    export WINEDEBUG WINEPREFIX
    wine cmd /c exit > /dev/null 2>&1 # makes its folder, which takes seconds
    # shellcheck disable=SC2086
    run mingw wine 300 $names
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
    NN_FULL=1 # every allocation, every byte of a cut file
    export NN_FULL
    # shellcheck disable=SC2046,SC2086
    sanitizer asan "-fsanitize=address,undefined -fno-sanitize-recover=undefined" 900 \
        $(existing $every | grep -v '^test_mnist$')
    unset NN_FULL
}
target_tsan() {
    # shellcheck disable=SC2046,SC2086
    sanitizer tsan "-fsanitize=thread" 900 $(existing $small test_failures)
}
target_msan() {
    # shellcheck disable=SC2046,SC2086
    sanitizer msan "-fsanitize=memory -fsanitize-memory-track-origins" 900 $(existing $small test_failures)
}
target_valgrind() {
    have valgrind || { skip valgrind "no valgrind"; return; }
    # valgrind 3.19 knows no AVX-512, and its cpuid says so: a library that asks the CPU never reaches such code.
    names=$(existing test_base test_device test_tensor test_sim_device test_train test_faults test_failures)
    NN_TEST_INSTRUCTIONS=plain # of test_failures
    export NN_TEST_INSTRUCTIONS
    # shellcheck disable=SC2086
    build valgrind "$CC $c99 -O1" "-lm -lpthread" $names
    # shellcheck disable=SC2086
    run valgrind "valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite,possible" 1800 $names
    unset NN_TEST_INSTRUCTIONS
}
target_cortex_m4() {
    have arm-none-eabi-gcc && have qemu-system-arm || { skip cortex_m4 "no arm-none-eabi-gcc or qemu-system-arm"; return; }
    echo "== cortex_m4"
    for name in mlp cnn; do
        if arm-none-eabi-gcc -std=c99 -w -Os -mcpu=cortex-m4 -mthumb -ffunction-sections -fdata-sections --specs=nano.specs \
               --specs=nosys.specs -nostartfiles -Wl,--gc-sections -T tests/size_m4.ld -I. -Itests tests/size_$name.c \
               tests/size_start.c -o $out/$name.elf -lm &&
           timeout 60 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none \
               -semihosting-config enable=on,target=native -kernel $out/$name.elf; then
            echo "cortex_m4: size_$name: passed"
            passed=$((passed + 1))
        else
            echo "FAIL cortex_m4: size_$name"
            failed=$((failed + 1))
        fi
    done
}
target_oclgrind() {
    have oclgrind || { skip oclgrind "no oclgrind"; return; }
    echo "== oclgrind"
    sh tests/oclgrind.sh 2>&1 | sed 's/^oclgrind: //' > $out/oclgrind.log
    cat $out/oclgrind.log
    add $out/oclgrind.log
}
target_fuzz() {
    targets=$(for file in tests/fuzz_*.c; do [ -f "$file" ] && basename "$file" .c; done)
    [ -n "$targets" ] || { skip fuzz "no tests/fuzz_*.c"; return; }
    if ! have clang || ! echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n);
int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return (int)(0 * n) + (d == 0) * 0; }' |
         clang -x c - -fsanitize=fuzzer -o $out/fuzz-probe 2> /dev/null; then
        skip fuzz "no clang with libFuzzer (clang, libclang-rt-14-dev)"
        return
    fi
    echo "== fuzz"
    for name in $targets; do
        corpus=$out/corpus_$name
        rm -rf "$corpus"
        mkdir -p "$corpus"
        [ -d "tests/corpus/$name" ] && cp "tests/corpus/$name"/* "$corpus" 2> /dev/null
        if clang $c99 -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Itests \
               "tests/$name.c" -o "$out/$name" -lm -lpthread &&
           "$out/$name" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$out/$name-" \
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
    [ -f tests/test_mnist.c ] || { skip mnist "no tests/test_mnist.c"; return; }
    build mnist "$CC $c99 -O2" "-lm -lpthread" test_mnist
    NN_TEST_FULL=1
    export NN_TEST_FULL
    run mnist "" 3600 test_mnist
    unset NN_TEST_FULL
}

for target in ${*:-$all_targets}; do
    case " $all_targets " in
        *" $target "*) target_"$target" ;;
        *) echo "FAIL no target is called $target; there are: $all_targets"; failed=$((failed + 1)) ;;
    esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
