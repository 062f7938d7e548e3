#!/bin/sh
# Compiles the drop-ins in every way that `make test` promises: one check a line, several at a time, one test each.
#   tools/compile_checks.sh [words]     only the checks whose name contains one of the words
# Compilers, standards and files are crossed in pairs: each standard and each file occurs with each compiler. Each feature
# macro occurs alone in C, all of them together with every compiler. NN_FULL=1 (make test-full) compiles their products, which takes a few minutes more.
# Ends with "compile: N passed, M failed, K skipped".
set -u
cd "$(dirname "$0")/.." || exit 1
if [ "${1:-}" = --one ]; then # name, a tab, the command: run by xargs below
    name=$(printf '%s' "$2" | cut -f1)
    command=$(printf '%s' "$2" | cut -f2-)
    log=build/compile/$(printf '%s' "$name" | tr ' /+=:' '_____').log
    if sh -c "$command" > "$log" 2>&1 && [ ! -s "$log" ]; then
        echo "passed $name"
    else # a warning is a failure, also where the compiler knows no -Werror
        printf 'FAIL compile: %s\n%s\n%s\n' "$name" "  $command" "$(head -n 20 "$log" | sed 's/^/  /')"
    fi
    exit 0
fi

CC=${CC:-cc}
out=build/compile
mkdir -p $out
list=$out/list
: > $list
skipped=0
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
c_only="-Wstrict-prototypes -Wmissing-prototypes"
macros="NN_NO_TRAINING NN_NO_REPORTS NN_NO_FILES NN_NO_THREADS NN_NO_STDIO NN_NO_SIMD NN_NO_CALL_SITES NN_NO_MALLOC"
all_macros=$(for macro in $macros; do printf -- '-D%s ' "$macro"; done)

full=
[ "${NN_FULL:-0}" = 0 ] || full=yes
# The implementation as an object, for the checks that are about linking. tcc compiles it in no time where it is.
object=$out/nn.o

have() { command -v "$1" > /dev/null 2>&1; }
check() { # name command
    printf '%s\t%s\n' "$1" "$2" >> $list
}

# Every feature macro alone, and all together. $1: name, $2: compiler and flags, $3: files
features() {
    for macro in $macros; do
        for file in $3; do check "$1 $file $macro" "$2 -D$macro -I. -c tests/$file"; done
    done
    for file in $3; do check "$1 $file all NN_NO_*" "$2 $all_macros -I. -c tests/$file"; done
}

# gcc is whatever CC is where that is gcc; a bare machine has only cc.
gcc=gcc
have gcc || gcc=$CC
for compiler in $gcc clang; do
    if ! have $compiler; then
        echo "SKIP compile: no $compiler (make setup-test installs it)"
        skipped=$((skipped + 1))
        continue
    fi
    c99="$compiler -std=c99 $warnings $c_only"
    check "$compiler -O0 compile_use.c" "$c99 -O0 -I. -c tests/compile_use.c -o /dev/null"
    check "$compiler -O2 compile_use.c" "$c99 -O2 -I. -c tests/compile_use.c -o /dev/null"
    if [ $compiler = clang ]; then # gcc's is $object
        check "$compiler -O0 compile_implementation.c" "$c99 -O0 -I. -c tests/compile_implementation.c -o /dev/null"
    fi
    # With -O2 gcc sees more. make has built the library so; what the compiler said then is a failure.
    if [ $compiler = $gcc ] && [ -n "$(find build/lib/nn.log -newer nn.h 2> /dev/null)" ]; then
        check "the library as make built it" "cat build/lib/nn.log"
    elif [ $full ] || [ $compiler = $gcc ]; then
        check "$compiler -O2 compile_implementation.c" "$c99 -O2 -I. -c tests/compile_implementation.c -o /dev/null"
    fi
    syntax="$c99 -fsyntax-only"
    # Each file with a standard of its own; std_headers is about what c99 hides.
    for pair in c99:std_headers gnu99:twice c11:hostile; do # and gnu17 below
        check "$compiler ${pair%:*} compile_${pair#*:}.c" "$compiler -std=${pair%:*} $warnings $c_only -fsyntax-only -I. \
tests/compile_${pair#*:}.c"
    done
    for file in std_headers hostile; do
        check "$compiler compile_$file.c, API" "$syntax -DCOMPILE_API_ONLY -I. tests/compile_$file.c"
    done
    if [ $full ]; then
        for std in gnu99 c99 c11 gnu17; do
            for file in std_headers twice hostile implementation; do
                check "$compiler $std compile_$file.c, full" "$compiler -std=$std $warnings $c_only -fsyntax-only -I. tests/compile_$file.c"
            done
        done
    fi
    # Functions that nothing uses show only when gcc really compiles; clang sees them from the syntax.
    if [ $compiler = clang ]; then
        check "$compiler static API" "$compiler -std=gnu17 $warnings -DNN_API=static -fsyntax-only -I. tests/compile_quiet.c"
        features "$compiler" "$syntax" "compile_implementation.c"
    else
        check "$compiler static API" "$compiler -std=gnu17 $warnings -O0 -DNN_API=static -I. -c tests/compile_quiet.c -o /dev/null"
        if [ $full ] || ! have clang; then
            features "$compiler" "$c99 -O0 -o /dev/null" "compile_implementation.c compile_use.c"
        else
            features "$compiler" "$c99 -O0 -o /dev/null" "compile_use.c"
            check "$compiler compile_implementation.c all NN_NO_*" "$c99 -O0 $all_macros -I. -c tests/compile_implementation.c -o /dev/null"
        fi
    fi
    if [ $full ] || [ $compiler = $gcc ]; then
        check "$compiler NN_PREFIX" "$compiler -std=c99 -w -O0 -fvisibility=hidden -I. tests/compile_prefix.c -o $out/$compiler-prefix -lm \
-lpthread && $out/$compiler-prefix && ! nm $out/$compiler-prefix | grep ' nn_error$'"
    fi
done

if have tcc; then
    for file in compile_implementation.c compile_use.c compile_hostile.c; do
        check "tcc $file" "tcc -Wall -I. -c tests/$file -o $out/tcc-$file.o"
    done
    check "tcc all NN_NO_*" "tcc -Wall $all_macros -I. -c tests/compile_implementation.c -o $out/tcc-none.o"
    check "tcc links and runs" "tcc -Wall -I. tests/compile_implementation.c tests/compile_use.c -o $out/tcc-use -lm \
-lpthread && $out/tcc-use"
else
    echo "SKIP compile: no tcc (make setup-test installs it)"
    skipped=$((skipped + 1))
fi

for compiler in "${CXX:-g++}" clang++; do
    if ! have "$compiler"; then
        echo "SKIP compile: no $compiler (make setup-test installs it)"
        skipped=$((skipped + 1))
        continue
    fi
    # g++ and clang++ each see each file, and each standard. What only one of them sees at one standard: test-full.
    pairs="c++11:cpp.cpp c++20:hostile.c c++11:twice.c" none=c++20
    [ "$compiler" = clang++ ] && pairs="c++20:cpp.cpp c++11:hostile.c c++20:twice.c" none=c++11
    [ ! $full ] || pairs=$(for std in c++11 c++20; do for file in cpp.cpp hostile.c twice.c; do echo $std:$file; done; done)
    for pair in $pairs; do
        check "$compiler ${pair%:*} compile_${pair#*:}" "$compiler -std=${pair%:*} $warnings -fsyntax-only -I. -x c++ tests/compile_${pair#*:}"
    done
    for std in c++11 c++20; do
        cpp="$compiler -std=$std $warnings -fsyntax-only -I."
        check "$compiler $std compile_use.c" "$cpp -x c++ tests/compile_use.c"
        [ ! $full ] && [ $std != $none ] || check "$compiler $std compile_cpp.cpp all NN_NO_*" "$cpp $all_macros tests/compile_cpp.cpp"
    done
done
if have "${CXX:-g++}"; then
    for macro in ${full:+$macros}; do
        check "${CXX:-g++} c++11 $macro" "${CXX:-g++} -std=c++11 $warnings -fsyntax-only -D$macro -I. tests/compile_cpp.cpp"
    done
    check "${CXX:-g++} and C linked together" "${CXX:-g++} -std=c++11 -I. -x c++ tests/compile_use.c -x none $object -o $out/mixed \
-lm -lpthread && $out/mixed"
fi

# Programs as users write them, under their warnings. -Wextra of g++ wants every field of a desc named, unless NN_QUIET;
# clang++ does not.
if have "${CXX:-g++}"; then
    users="-std=c++20 -Wall -Wextra -Wold-style-cast -Wconversion -DNN_QUIET -Werror"
    for static in -fsyntax-only -DNN_API=static; do
        check "${CXX:-g++} users' warnings $static" "${CXX:-g++} -x c++ $users $static -I. -c tests/compile_quiet.c -o /dev/null"
    done
fi
if have arm-none-eabi-gcc; then
    check "arm-none-eabi-gcc users' warnings" "arm-none-eabi-gcc -std=c99 -Wall -Wextra -Werror -mcpu=cortex-m4 -mthumb $all_macros -I. \
-c tests/compile_implementation.c -o /dev/null"
fi

echo "extern int nothing;" > $out/nothing.c
# nn_opencl.h, in every way of linking. Only OpenCL's headers are needed, but to run what links the library.
opencl=
if echo '#include <CL/cl.h>' | $gcc -E - > /dev/null 2>&1; then opencl=yes; fi
if [ -z "$opencl" ]; then
    echo "SKIP compile: no CL/cl.h (make setup-test installs it)"
    skipped=$((skipped + 1))
else
    for compiler in $gcc clang "${CXX:-g++}" clang++; do
        have "$compiler" || continue
        case $compiler in *++*) way="$compiler -x c++ -std=c++11 $warnings" ;; *) way="$compiler -std=c99 $warnings $c_only" ;; esac
        for macro in NN_OPENCL_LINKED NN_OPENCL_DYNAMIC NN_OPENCL_NO_CACHE COMPILE_HOSTILE; do
            check "$compiler compile_opencl.c $macro" "$way -O0 -DNN_IMPLEMENTED -D$macro -I. -c tests/compile_opencl.c -o /dev/null"
        done
        check "$compiler compile_opencl.c all NN_NO_*" "$way -O0 -DNN_IMPLEMENTED $all_macros -I. -c tests/compile_opencl.c -o /dev/null"
        check "$compiler compile_opencl.c with nn.h inside" "$way -fsyntax-only -DCOMPILE_HOSTILE -I. tests/compile_opencl.c"
    done
    if echo '#include <clblast_c.h>' | $gcc -E - > /dev/null 2>&1; then
        check "compile_opencl.c NN_OPENCL_CLBLAST" "$gcc -std=c99 $warnings -DNN_OPENCL_CLBLAST -DNN_IMPLEMENTED -I. tests/compile_opencl.c $object \
-o $out/opencl-clblast -lclblast -lOpenCL -lm -lpthread && $out/opencl-clblast"
    fi
    check "compile_opencl.c NN_OPENCL_DYNAMIC runs" "$gcc -std=c99 -DNN_OPENCL_DYNAMIC -DNN_IMPLEMENTED -I. tests/compile_opencl.c $object \
-o $out/opencl-dynamic -lm -lpthread -ldl && $out/opencl-dynamic && ! nm $out/opencl-dynamic | grep ' U cl[A-Z]'"
    # Apple's header stands elsewhere; the rest of that system is not faked.
    mkdir -p $out/apple/OpenCL
    echo '#include <CL/cl.h>' > $out/apple/OpenCL/opencl.h
    check "compile_opencl.c on a faked Apple" "$gcc -std=c99 -D__APPLE__ -DNN_OPENCL_IMPLEMENTATION -I. -I$out/apple -E -x c \
-include nn_opencl.h $out/nothing.c > $out/apple.i && grep -q apple/OpenCL/opencl.h $out/apple.i"
fi

# The kernels as OpenCL C 1.2, each program that the host builds.
if have clang && echo 'kernel void k(global float *y) { y[get_global_id(0)] = 1; }' |
       clang -x cl -cl-std=CL1.2 -fsyntax-only -Xclang -finclude-default-header - > /dev/null 2>&1; then
    tools/kernel_code.sh list > $out/programs
    while read -r part options; do
        check "clang $part.cl $options" "tools/kernel_code.sh text $part | clang -x cl -cl-std=CL1.2 -fsyntax-only -Wall -Wextra \
-Xclang -finclude-default-header $options -"
    done < $out/programs
    check "clang kernels.cl in one piece" "clang -x cl -cl-std=CL1.2 -fsyntax-only -Wall -Wextra -Xclang -finclude-default-header kernels.cl"
else
    echo "SKIP compile: no clang that knows OpenCL C (make setup-test installs it)"
    skipped=$((skipped + 1))
fi

# The program in two files: links, and survives NULL everywhere (tests/test_every_call.c calls every function).
check "two files link and run" "$gcc -std=c99 -O1 -I. tests/compile_use.c $object -o $out/use \
-lm -lpthread && $out/use"

# Files with different feature macros must not link: a user's file against the implementation, both ways round.
printf '#include "nn.h"\nint main(void) { nn_close(nn_open(NULL)); return 0; }\n' > $out/opens.c
quick=$gcc
have tcc && quick=tcc # what is asked here is only how functions are called
for macro in NN_NO_TRAINING NN_NO_REPORTS NN_NO_FILES NN_NO_THREADS; do
    unlinked="2> $out/differ-$macro.log && grep -q 'undefined reference to .nn_open' $out/differ-$macro.log"
    check "macros differ: opens $macro" "! $gcc -w -D$macro -I. $out/opens.c $object -o $out/differ-$macro -lm -lpthread $unlinked"
    check "macros differ: whole $macro" "$quick -w -D$macro -I. -c tests/compile_implementation.c -o $out/whole-$macro.o && \
! $gcc -w -I. $out/opens.c $out/whole-$macro.o -o $out/differs-$macro -lm -lpthread $unlinked"
done

# Each part alone, and each header alone, as developers compile them.
for part in src/*/*.c src/*/*/*.c; do
    case $part in src/opencl/* | src/kernels/*/opencl*) [ -n "$opencl" ] || continue ;; esac
    check "alone: $part" "$gcc -std=c99 $warnings $c_only -O0 -Isrc -Ibuild/gen -c $part -o $out/part-$(echo "$part" | tr / -).o"
done
for header in src/*.h src/*/*.h src/*/*/*.h; do
    case $header in
        src/opencl/opencl.h) ;;
        src/kernels/*/reference.h) continue ;; # of the tests
        src/opencl/* | src/kernels/*/opencl*) [ -n "$opencl" ] || continue ;;
    esac
    check "alone: $header" "$gcc -std=c99 $warnings -Isrc -Ibuild/gen -I. -fsyntax-only -include $header $out/nothing.c"
done
check "src/nn.h as an index" "$gcc -std=c99 $warnings -Isrc -Ibuild/gen -fsyntax-only tests/compile_implementation.c"

if [ $# -gt 0 ]; then
    for word in "$@"; do grep -F -- "$word" $list; done | sort -u > $list.some
    mv $list.some $list
fi
# First what others link. It is a check as well; without it they would say the same again.
printf '%s\t%s\n' "$gcc -O0 compile_implementation.c" "$gcc -std=c99 $warnings $c_only -O0 -I. -c tests/compile_implementation.c \
-o $object" > $list.first
rm -f $object
xargs -d '\n' -n 1 "$0" --one < $list.first > $out/results
xargs -d '\n' -P "$(nproc 2>/dev/null || echo 1)" -n 1 "$0" --one < $list >> $out/results
grep -v '^passed ' $out/results
total=$(($(wc -l < $list) + 1))
failed=$(grep -c '^FAIL compile: ' $out/results)
passed=$(grep -c '^passed ' $out/results)
[ $((passed + failed)) -eq "$total" ] || { echo "FAIL compile: $total checks, $passed + $failed results"; failed=$((failed + 1)); }
echo "compile: $passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
