#!/bin/sh
# Builds tests/plan/portable_hash.c for each target, runs it if there is an emulator, and prints a table: target, compiler,
# seconds to compile and to run, hash, bytes of the program. Six nets train in portable arithmetic; the table fails if the bytes
# of one of them differ from those on x86-64 with gcc. A second table is for systems that nothing here can run: for these zig
# compiles and links the library, the examples and the tests. Arguments choose rows by the beginnings of their names; those of the
# second table begin with "link".
set -u
cd "$(dirname "$0")/.." || exit 1
out=build/targets
mkdir -p $out
chosen=$*
passed=0 failed=0 skipped=0 expected=
python=${PYTHON:-python3}
have() { command -v "$1" > /dev/null 2>&1; }
clock() { date +%s.%N; }
since() { awk "BEGIN { printf \"%.1f\", $(clock) - $1 }"; }
zig=
have zig && zig="zig cc"
[ -z "$zig" ] && "$python" -m ziglang version > /dev/null 2>&1 && zig="$python -m ziglang cc"
# The parts that these macros leave out would not change a bit, and each target compiles faster without them.
less="-DNN_NO_REPORTS -DNN_NO_FILES -DNN_NO_MIXED_PRECISION"
file=tests/plan/portable_hash.c

line() { printf '| %-22s | %-34s | %8s | %7s | %-8s | %9s |\n' "$@"; }
skip() { line "$1" "$2" - - - - ; skipped=$((skipped + 1)); }

# name, packages of Debian, program that compiles, runner ("-": this machine), flags, libraries
row() {
    name=$1 packages=$2 compiler=$3 runner=$4 flags=$5 libraries=$6
    if [ -n "$chosen" ]; then
        wanted=
        for prefix in $chosen; do case $name in "$prefix"*) wanted=1 ;; esac; done
        [ -n "$wanted" ] || return
    fi
    [ -n "$compiler" ] || { skip "$name" "pip install ziglang"; return; }
    have "${compiler%% *}" || { skip "$name" "apt install $packages"; return; }
    program=$out/$name
    start=$(clock)
    # shellcheck disable=SC2086
    if ! $compiler $flags -w $less -Itests/plan -I. $file -o "$program" $libraries > "$program.log" 2>&1; then
        line "$name" "$compiler" "$(since "$start")" - "does not compile" -
        grep -m 3 -E 'error' "$program.log"
        failed=$((failed + 1))
        return
    fi
    compiled=$(since "$start")
    [ -f "$program.exe" ] && mv "$program.exe" "$program"
    version=$($compiler --version 2> /dev/null | head -n 1 | sed -E 's/^([^ (]+).*[ )]([0-9]+\.[0-9]+[.0-9]*).*/\1 \2/')
    case $compiler in *ziglang* | zig*) version="zig $(${zig% cc} version)" ;; esac
    [ "$compiler" = tcc ] && version=$(tcc -v | cut -d' ' -f1-3)
    words="$version $(echo "$flags" | grep -oE -e '-O[0-3s]|-std=[a-z0-9]+|-march=native' | tr '\n' ' ')"
    size=$(wc -c < "$program")
    if [ "$runner" != - ] && ! have "${runner%% *}"; then
        line "$name" "$words" "$compiled" - "no ${runner%% *}" "$size"
        skipped=$((skipped + 1))
        return
    fi
    [ "$runner" = - ] && runner=
    start=$(clock)
    # shellcheck disable=SC2086
    timeout 1200 $runner "$program" > "$program.out" 2> "$program.err"
    status=$?
    hash=$(cat "$program.out" "$program.err" | tr -d "\r" | sed -n "s/^hash //p") # semihosting writes to stderr
    line "$name" "$words" "$compiled" "$(since "$start")" "${hash:-none}" "$size"
    [ -n "$expected" ] || expected=$hash
    if [ $status -eq 0 ] && [ -n "$hash" ] && [ "$hash" = "$expected" ]; then
        passed=$((passed + 1))
    else
        echo "FAIL $name: $(head -n 3 "$program.out" "$program.err" | tr '\n' ' ')"
        failed=$((failed + 1))
    fi
}

line target "compiler and flags" compiled ran hash bytes
line --- --- --: --: --- --:
math="-lm -lpthread"
x86="-std=c99 -Wno-psabi"
row x86-64-gcc "gcc" gcc - "-O1 $x86" "$math"
row x86-64-gcc-O0 "gcc" gcc - "-O0 -std=gnu99 -Wno-psabi" "$math"
row x86-64-gcc-O2 "gcc" gcc - "-O2 -std=gnu99 -Wno-psabi" "$math"
row x86-64-gcc-O3-native "gcc" gcc - "-O3 -std=gnu99 -march=native -Wno-psabi" "$math"
row x86-64-clang "clang" clang - "-O1 -std=gnu99" "$math"
row x86-64-clang-O3-native "clang" clang - "-O3 -std=gnu99 -march=native" "$math"
row x86-64-tcc "tcc" tcc - "" "$math"
row i386 "gcc-12-multilib" "gcc-12" - "-O1 -std=gnu99 -m32 -msse2 -mfpmath=sse -Wno-psabi" "$math"
row musl "" "$zig" - "-target x86_64-linux-musl -fno-sanitize=undefined -O1 -std=gnu99 -static" ""
row aarch64 "gcc-aarch64-linux-gnu qemu-user" aarch64-linux-gnu-gcc qemu-aarch64 "-O1 -std=gnu99 -static" "$math"
row armhf "gcc-arm-linux-gnueabihf qemu-user" arm-linux-gnueabihf-gcc qemu-arm "-O1 -std=gnu99 -static -Wno-psabi" "$math"
row riscv64 "gcc-riscv64-linux-gnu qemu-user" riscv64-linux-gnu-gcc qemu-riscv64 "-O1 -std=gnu99 -static" "$math"
row s390x "gcc-s390x-linux-gnu qemu-user" s390x-linux-gnu-gcc qemu-s390x "-O1 -std=gnu99 -static" "$math"
row ppc64le "gcc-powerpc64le-linux-gnu qemu-user" powerpc64le-linux-gnu-gcc qemu-ppc64le "-O1 -std=gnu99 -static -Wno-psabi" "$math"
row ppc64 "gcc-powerpc64-linux-gnu qemu-user" powerpc64-linux-gnu-gcc qemu-ppc64 "-O1 -std=gnu99 -static -Wno-psabi" "$math"
WINEDEBUG=-all WINEPREFIX=$PWD/$out/wine
export WINEDEBUG WINEPREFIX
row windows-mingw "gcc-mingw-w64-x86-64-win32 wine wine64" x86_64-w64-mingw32-gcc wine "-O1 -std=gnu99 -static -Wno-psabi" "-lm"
row wasm "" "$zig" "node --no-warnings tools/wasi.mjs" "-target wasm32-wasi -fno-sanitize=undefined -O1 -std=gnu99 -DNN_NO_THREADS" ""
row wasm-simd "" "$zig" "node --no-warnings tools/wasi.mjs" "-target wasm32-wasi -fno-sanitize=undefined -msimd128 -O1 -std=gnu99 -DNN_NO_THREADS" ""
board="qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none -semihosting-config enable=on,target=native -kernel"
row cortex-m4 "gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm" arm-none-eabi-gcc "$board" \
    "-O1 -std=gnu99 -DNN_NO_THREADS -mcpu=cortex-m4 -mthumb --specs=nosys.specs -nostartfiles -ffunction-sections -fdata-sections -Wl,--gc-sections \
    -T tests/firmware/size_m4.ld tests/firmware/size_start.c tests/firmware/semihosting_write.c" "-lm"
[ -x /usr/lib/wine/wineserver ] && /usr/lib/wine/wineserver -k 2> /dev/null

# ---- systems that nothing here can run ----------------------------------------------------------

# Compiles one drop-in with its implementation.
implement() { # header, macro, object
    printf '#define %s_IMPLEMENTATION\n#include "%s"\n' "$2" "$1" > "${3%.o}.c"
    # shellcheck disable=SC2086
    $compile -DNN_PRIVATE='NN__RARELY extern' -I. -c -o "$3" "${3%.o}.c" >> "$folder/log" 2>&1
}
# Compiles and links one program. It is removed: the programs of all tests are large.
program() { # source, further flags, objects
    # shellcheck disable=SC2086
    if $compile $2 -o "$folder/program" "$1" $3 $libraries > "$folder/one.log" 2>&1; then
        linked=$((linked + 1))
    else
        echo "FAIL $name: $1: $(grep -m 1 -E 'error' "$folder/one.log")" >> "$folder/failures"
    fi
    cat "$folder/one.log" >> "$folder/log"
    rm -f "$folder/program" "$folder/program".*
    all=$((all + 1))
}
links() { # target of zig, libraries
    name=link-$1 libraries=$2
    if [ -n "$chosen" ]; then
        wanted=
        for prefix in $chosen; do case $name in "$prefix"*) wanted=1 ;; esac; done
        [ -n "$wanted" ] || return
    fi
    [ -n "$zig" ] || { line "$name" "pip install ziglang" - - - -; skipped=$((skipped + 1)); return; }
    folder=$out/$name linked=0 all=0
    compile="$zig -target $1 -std=gnu99 -O0 -g0 -w -fno-sanitize=undefined"
    start=$(clock)
    rm -rf "$folder"
    mkdir -p "$folder"
    implement packaging/nn_all.h NN "$folder/nn.o"
    for header in text onnx audio; do
        implement nn_$header.h NN_$(echo $header | tr a-z A-Z) "$folder/nn_$header.o"
    done
    objects="$folder/nn.o $folder/nn_text.o $folder/nn_onnx.o $folder/nn_audio.o"
    done_in="-DNN_IMPLEMENTED -DNN_TEXT_IMPLEMENTED -DNN_ONNX_IMPLEMENTED -DNN_AUDIO_IMPLEMENTED"
    for source in examples/*.c; do
        # These need MPI, OpenCL, or SDL for their windows. One has the library inside.
        case $source in *mpi* | *10_list_devices.c | *27_frames.c | *31_arena.c) continue ;; esac
        case $source in
            *03_classify.c) program "$source" -I. "" ;;
            *) program "$source" "$done_in -I." "$objects" ;;
        esac
    done
    inside="-DNN_TEST_LINKED -DNN_PRIVATE=extern -Itests/support -Itests -Isrc -Ibuild/gen -I."
    for source in tests/*/test_*.c; do
        # Those of OpenCL and MPI need their headers; two have the library inside, and options of gcc.
        case $source in *opencl* | *mpi* | *test_firmware.c | *test_way_of_a_batch.c) continue ;; esac
        case $source in *test_every_call.c | *test_chain.c) continue ;; esac # they name functions of OpenCL
        case $1$source in *windows*test_rank_failures.c) continue ;; esac    # it limits the size of files, as POSIX can
        program "$source" "$done_in $inside" "$objects"
    done
    line "$name" "zig $(${zig% cc} version) -O0" "$(since "$start")" - "$linked of $all" -
    [ $linked -eq $all ] && passed=$((passed + 1)) && return
    failed=$((failed + 1))
    head -n 8 "$folder/failures"
}
links x86_64-windows-gnu ""
links aarch64-windows-gnu ""
links x86_64-macos "-lm -lpthread"
links aarch64-macos "-lm -lpthread"
links aarch64-linux-musl "-lm -lpthread"
links x86_64-freebsd "-lm -lpthread"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
