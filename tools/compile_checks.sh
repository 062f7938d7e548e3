#!/bin/sh
# Compiles the drop-ins in every way that `make test` promises: one check a line, several at a time, one test each.
#   tools/compile_checks.sh [words]     only the checks whose name contains one of the words
#   --prepare, --one, --report          its three steps, for tools/run_tests.sh, which runs tests together with the checks
# Each compiler, standard, file and feature macro occurs, in C and in C++, and each feature macro both
# with and without each of the others; NN_FULL=1 (make test-full) compiles their products, which takes a few
# minutes more. Code is generated only where something is linked or run, or where there is no clang: gcc finds
# unused functions only when it generates code, clang from the syntax alone. Programs are linked with the
# library that make test has built with all warnings; its warnings are failures.
# Ends with "compile: N passed, M failed, K skipped".
set -u
cd "$(dirname "$0")/.." || exit 1
out=${COMPILE_OUT:-build/compile}
if [ "${1:-}" = --one ]; then # name, a tab, the command: run by xargs below
    tab=$(printf '\t')
    name=${2%%"$tab"*}
    command=${2#*"$tab"}
    log=$out/log.$$
    if sh -c "$command" > "$log" 2>&1 && [ ! -s "$log" ]; then
        echo "passed $name"
    else # a warning is a failure, even if the compiler has no -Werror
        printf 'FAIL compile: %s\n%s\n%s\n' "$name" "  $command" "$(head -n 20 "$log" | sed 's/^/  /')"
    fi >> $out/results
    rm -f "$log"
    exit 0
fi
if [ "${1:-}" = --report ]; then
    grep -v '^passed ' $out/results
    total=$(($(wc -l < $out/list) + 1))
    failed=$(grep -c '^FAIL compile: ' $out/results)
    passed=$(grep -c '^passed ' $out/results)
    [ $((passed + failed)) -eq "$total" ] || { echo "FAIL compile: $total checks, $passed + $failed results"; failed=$((failed + 1)); }
    echo "compile: $passed passed, $failed failed, $(cat $out/skipped) skipped"
    [ "$failed" -eq 0 ]
    exit
fi
prepare=
if [ "${1:-}" = --prepare ]; then prepare=yes && shift; fi

CC=${CC:-cc}
mkdir -p $out
list=$out/list
: > $list
skipped=0
# To warn of misleading indentation gcc looks up lines, which in a file as long as nn.h takes most of its time. Only the parts
# are checked for it, with NN_FULL=1.
part_warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
warnings="$part_warnings -Wno-misleading-indentation"
c_only="-Wstrict-prototypes -Wmissing-prototypes"
macros="NN_NO_TRAINING NN_NO_TRAINING_OPTIONS NN_NO_REPORTS NN_NO_SPEEDUPS NN_NO_MIXED_PRECISION NN_NO_RARE_OPTIONS NN_NO_FILES NN_NO_THREADS NN_NO_STDIO \
    NN_NO_SIMD NN_NO_CALL_SITES NN_NO_MALLOC"
all_macros=$(for macro in $macros; do printf -- '-D%s ' "$macro"; done)

full=
[ "${NN_FULL:-0}" = 0 ] || full=yes
have() { command -v "$1" > /dev/null 2>&1; }
check() { # name command
    printf '%s\t%s\n' "$1" "$2" >> $list
}
# gcc is $CC if that is a gcc; a bare machine has only cc.
gcc=gcc
have gcc || gcc=$CC

opencl=
if echo '#include <CL/cl.h>' | $gcc -E - > /dev/null 2>&1; then opencl=yes; fi

# A use of each overload for C++.
make -s CC="$CC" build/gen/tests/overloads.h || exit 1

# Checks of linking use the implementation as an object: the one that make built, unless it is older than nn.h or of another kind
# (CC, CFLAGS).
object=build/quick/nn.o built=
printf 'int main(void) { return 0; }\n' > $out/main.c
if [ ! $full ] && [ -n "$(find build/quick/nn.log -newer nn.h 2> /dev/null)" ] &&
   $gcc $out/main.c $object -o $out/main -lm -lpthread > /dev/null 2>&1; then built=yes
else object=$out/nn.o
fi

# Compiles with every feature macro alone, and with all together. $1: name, $2: compiler and flags, $3: file
features() {
    for macro in $macros; do check "$1 $3 $macro" "$2 -D$macro -I. tests/compile/$3"; done
    check "$1 $3 all NN_NO_*" "$2 $all_macros -I. tests/compile/$3"
}
# Does the same in five runs with some of the macros instead of a run for each. Each macro is in two of the runs, no two are in
# the same two, so for any two macros there is a run with one and without the other.
feature_pairs() {
    for some in "NN_NO_TRAINING NN_NO_REPORTS NN_NO_FILES NN_NO_THREADS NN_NO_RARE_OPTIONS" \
                "NN_NO_TRAINING NN_NO_STDIO NN_NO_SIMD NN_NO_CALL_SITES NN_NO_MIXED_PRECISION" \
                "NN_NO_REPORTS NN_NO_STDIO NN_NO_MALLOC NN_NO_TRAINING_OPTIONS" "NN_NO_FILES NN_NO_SIMD NN_NO_MALLOC NN_NO_SPEEDUPS NN_NO_RARE_OPTIONS" \
                "NN_NO_THREADS NN_NO_CALL_SITES NN_NO_SPEEDUPS NN_NO_MIXED_PRECISION NN_NO_TRAINING_OPTIONS"; do
        check "$1 $3 $some" "$2 $(printf -- '-D%s ' $some) -I. tests/compile/$3"
    done
    check "$1 $3 all NN_NO_*" "$2 $all_macros -I. tests/compile/$3"
}

for compiler in $gcc clang; do
    if ! have $compiler; then
        echo "SKIP compile: no $compiler (make setup-test installs it)"
        skipped=$((skipped + 1))
        continue
    fi
    c99="$compiler -std=c99 $warnings $c_only"
    generate="-c -o /dev/null"
    # Compiles each file with a standard of its own; std_headers tests what c99 hides. With NN_STATIC any public function may
    # be unused, and no compiler may warn of that; gcc would when it generates code.
    if [ $compiler = clang ]; then
        pairs="gnu99:twice c11:hostile gnu17:quiet" syntax=-fsyntax-only
        # tcc finds names that are defined twice or not at all, too.
        [ $full ] || ! have tcc || pairs="c99:std_headers gnu17:quiet"
    else
        pairs="c99:std_headers" syntax=-fsyntax-only
        [ $full ] || ! have clang || pairs=
        have clang || syntax="-O0 $generate" pairs="$pairs gnu99:twice c11:hostile gnu17:quiet"
    fi
    # gcc does the same below, where it links this file.
    [ ! $full ] && [ $compiler = $gcc ] ||
        check "$compiler -O2 compile_use.c" "$c99 -O2 $generate -I. tests/compile/compile_use.c"
    for pair in $pairs; do
        [ "$pair" = gnu17:quiet ] && static=-DNN_STATIC || static=
        check "$compiler ${pair%:*} compile_${pair#*:}.c $static" "$compiler -std=${pair%:*} $warnings $c_only $syntax $static -I. \
tests/compile/compile_${pair#*:}.c"
    done
    # make has compiled the group with gcc. clang, which is faster, sees it as static functions.
    if [ $full ]; then
        check "$compiler compile_group.c" "$c99 $syntax -I. tests/compile/compile_group.c"
    fi
    if [ $full ] || [ $compiler = clang ] || ! have clang; then
        check "$compiler compile_group.c -DNN_STATIC" "$c99 $syntax -DNN_STATIC -I. tests/compile/compile_group.c"
    fi
    for file in std_headers hostile; do
        check "$compiler compile_$file.c, API" "$c99 -fsyntax-only -DCOMPILE_API_ONLY -I. tests/compile/compile_$file.c"
    done
    # Functions that nothing uses under a macro: clang sees them in any file.
    if [ $compiler = clang ]; then
        feature_pairs clang "$c99 -fsyntax-only" compile_implementation.c
        # the smallest firmware, and the rare options that it may keep
        firmware="-DNN_NO_TRAINING -DNN_NO_REPORTS -DNN_NO_SPEEDUPS -DNN_NO_MIXED_PRECISION -DNN_NO_THREADS"
        check "clang firmware with rare options" "$c99 -fsyntax-only $firmware -I. tests/compile/compile_implementation.c"
        if [ $full ]; then features clang "$c99 -fsyntax-only" compile_use.c
        else feature_pairs clang "$c99 -fsyntax-only" compile_use.c
        fi
        for some in "NN_NO_TRAINING -DNN_NO_FILES" ${full:+NN_NO_TRAINING NN_NO_REPORTS "NN_NO_FILES -DNN_NO_THREADS"}; do
            check "clang compile_group.c $some" "$c99 -fsyntax-only -D$some -I. tests/compile/compile_group.c"
        done
        [ ! $full ] || features clang "$c99 -fsyntax-only" compile_implementation.c
    else
        # gcc takes five times as long as clang for these.
        if [ $full ] || ! have clang; then features $compiler "$c99 -fsyntax-only" compile_use.c
        fi
        # Functions that are declared although nothing defines them under a macro: gcc sees them.
        if have clang; then
            sees="$all_macros" # arm-none-eabi-gcc below sees the same
            [ $full ] || ! have arm-none-eabi-gcc || sees=
            for some in ${sees:+"$sees"} ${full:+"-DNN_NO_TRAINING -DNN_NO_FILES -DNN_NO_THREADS" "-DNN_NO_REPORTS -DNN_NO_STDIO -DNN_NO_MALLOC"}; do
                check "$compiler compile_implementation.c $some" "$c99 -fsyntax-only $some -I. tests/compile/compile_implementation.c"
            done
        else features $compiler "$c99 $syntax" compile_implementation.c; fi
    fi
    # gcc warns of unused functions when it generates code, so size_infer.c below is compiled with warnings.
    [ $compiler = clang ] || [ ! $full ] ||
        check "$compiler -O0 compile_quiet.c -DNN_STATIC" "$compiler -std=gnu17 $warnings $c_only -O0 -DNN_STATIC -I. $generate \
tests/compile/compile_quiet.c"
    if [ $full ]; then
        for std in gnu99 c99 c11 gnu17; do
            for file in std_headers twice hostile implementation; do
                check "$compiler $std compile_$file.c, full" "$compiler -std=$std $warnings $c_only -fsyntax-only -I. tests/compile/compile_$file.c"
            done
        done
        check "$compiler -O0 compile_use.c" "$c99 -O0 $generate -I. tests/compile/compile_use.c"
        check "$compiler -O2 compile_implementation.c" "$c99 -O2 $generate -I. tests/compile/compile_implementation.c"
        check "$compiler -O2 NN_NO_TRAINING" "$c99 -O2 -DNN_NO_TRAINING $generate -I. tests/compile/compile_implementation.c"
        check "$compiler -O2 compile_quiet.c -DNN_STATIC" "$compiler -std=gnu17 $warnings -O2 -DNN_STATIC -I. $generate tests/compile/compile_quiet.c"
        check "$compiler compile_quiet.c, NN_API=static" "$compiler -std=gnu17 $warnings -O0 -DNN_API=static -I. $generate tests/compile/compile_quiet.c"
        features "$compiler -O0" "$c99 -O0 $generate" compile_implementation.c
        features "$compiler -O0" "$c99 -O0 $generate" compile_use.c
    fi
    # With NN_PREFIX the library can stand beside another one that has an nn_open: the check reads the names in the object.
    quick="$compiler -O0 -fvisibility=hidden"
    [ $full ] || { have tcc && quick=tcc; }
    prefix=$out/$compiler-prefix
    if [ $full ] || [ $compiler = $gcc ]; then
        check "$compiler NN_PREFIX" "$quick -w -I. -c tests/compile/compile_prefix.c -o $prefix.o && nm $prefix.o | grep -q ' my_nn_error$' && \
! nm $prefix.o | grep ' nn_error$' && $quick $prefix.o -o $prefix -lm -lpthread && $prefix"
    fi
done

if have tcc; then
    for file in ${full:+compile_implementation.c compile_use.c} compile_hostile.c compile_twice.c; do
        check "tcc $file" "tcc -Wall -I. -c tests/compile/$file -o $out/tcc-$file.o"
    done
    for file in size_infer.c size_typical.c; do
        check "tcc NN_STATIC $file runs" "tcc -Wall -I. tests/whole/$file -o $out/tcc-${file%.c} -lm -lpthread && \
cd $out && ./tcc-${file%.c}"
    done
    # Without reports, only nn_quantize_net reads the names of nodes: it names tensors after them.
    for lean in ${full:+""} " -DNN_NO_SPEEDUPS -DNN_NO_MIXED_PRECISION"; do
        program=$out/tcc-rounded${lean:+-lean}
        check "tcc NN_NO_REPORTS$lean trains the same bytes" "tcc -Wall -DNN_NO_REPORTS$lean -Itests/plan -I. tests/plan/portable_hash.c \
-o $program -lm -lpthread && { text=\$($program rounded) || echo \"\$text\"; }"
    done
    check "tcc all NN_NO_*" "tcc -Wall $all_macros -I. -c tests/compile/compile_implementation.c -o $out/tcc-none.o"
    check "tcc links and runs" "tcc -Wall -I. tests/compile/compile_implementation.c tests/compile/compile_use.c -o $out/tcc-use -lm \
-lpthread && $out/tcc-use"
else
    echo "SKIP compile: no tcc (make setup-test installs it)"
    skipped=$((skipped + 1))
fi

# Programs as users write them (compile_quiet.c) are compiled under their warnings. -Wextra of g++ wants every field of a
# desc named, unless NN_QUIET; clang++ does not. clang++ warns of unused functions of a static API without generating code.
users="-std=c++20 -Wall -Wextra -Wold-style-cast -Wconversion -DNN_QUIET -Werror -I. -x c++"
for compiler in "${CXX:-g++}" clang++; do
    if ! have "$compiler"; then
        echo "SKIP compile: no $compiler (make setup-test installs it)"
        skipped=$((skipped + 1))
        continue
    fi
    # g++ and clang++ see the same library; each standard and each file occurs. (g++ sees all of it as C++11 in
    # compile_opencl.c, after the same headers.)
    pairs="c++11:cpp.cpp" none=c++20 way=-fsyntax-only
    [ $full ] || [ -z "$opencl" ] || pairs=
    if [ "$compiler" = clang++ ]; then pairs="c++20:hostile.c" none=c++11 way="-fsyntax-only -DNN_STATIC"
    elif ! have clang++; then pairs="c++11:cpp.cpp c++20:hostile.c" way="-DNN_STATIC -c -o /dev/null"; fi
    [ ! $full ] || pairs=$(for std in c++11 c++20; do for file in cpp.cpp hostile.c twice.c; do echo $std:$file; done; done)
    for pair in $pairs; do
        check "$compiler ${pair%:*} compile_${pair#*:}" "$compiler -std=${pair%:*} $warnings -fsyntax-only -I. -x c++ tests/compile/compile_${pair#*:}"
    done
    for std in c++11 c++20; do
        cpp="$compiler -std=$std $warnings -fsyntax-only -I."
        # g++ compiles the users' program below as C++20, and links this file with C below.
        [ ! $full ] && [ "$compiler" = "${CXX:-g++}" ] ||
            check "$compiler $std compile_use.c" "$cpp -x c++ tests/compile/compile_use.c"
        # Where there are two compilers, clang++ compiles these: g++ takes ten times as long.
        [ ! $full ] && [ "$compiler" != clang++ ] && have clang++ ||
            check "$compiler $std compile_overloads.cpp" "$cpp tests/compile/compile_overloads.cpp"
        case $compiler$std in "${CXX:-g++}c++11") check "$compiler $std compile_cpp.cpp, API" "$cpp -DNN_IMPLEMENTED tests/compile/compile_cpp.cpp" ;; esac
        [ ! $full ] && { [ $std != $none ] || { [ "$compiler" != clang++ ] && have clang++; }; } ||
            check "$compiler $std compile_cpp.cpp all NN_NO_*" "$cpp $all_macros tests/compile/compile_cpp.cpp"
    done
    # Where there are OpenCL's headers, this file is compiled together with nn_opencl.h below.
    [ ! $full ] && { [ "$opencl" ] || { [ "$compiler" = clang++ ] && have "${CXX:-g++}"; }; } ||
        check "$compiler c++11 compile_group.c" "$compiler -std=c++11 $warnings -fsyntax-only -I. -x c++ tests/compile/compile_group.c"
    [ ! $full ] && [ "$compiler" = clang++ ] && have "${CXX:-g++}" ||
        check "$compiler users' warnings" "$compiler $users $way tests/compile/compile_quiet.c"
    # gcc 12's header starts some vectors of AVX-512 from undefined ones, of which g++ -O1 warns where they are used.
    # NN_FULL=1: all parts that have some.
    [ "$compiler" = clang++ ] || for part in ${full:+$(grep -l _mm512 src/*/*.c src/*/*/*.c)} src/kernels/conv2d/cpu_panel_run.c; do
        check "$compiler -O1 $part" "$compiler -std=c++11 -O1 -Wall -Wextra -Werror -Isrc -Ibuild/gen -c -o /dev/null -x c++ $part"
    done
    [ ! $full ] || check "$compiler users' warnings, NN_STATIC" "$compiler $users -DNN_STATIC -c tests/compile/compile_quiet.c -o /dev/null"
    # Functions of the host that nn.h declares itself have C linkage.
    [ ! $full ] || check "$compiler -O0, NN_STATIC, links" "printf '%s\\n' '#define NN_STATIC' '#define NN_IMPLEMENTATION' \
        '#include \"nn.h\"' 'int main() { return nn_open(0) == 0; }' > $out/static.cpp && \
        $compiler -O0 -w -I. $out/static.cpp -o $out/static -lm -lpthread && $out/static"
done
if have "${CXX:-g++}"; then
    for macro in ${full:+$macros}; do
        check "${CXX:-g++} c++11 $macro" "${CXX:-g++} -std=c++11 $warnings -fsyntax-only -D$macro -I. tests/compile/compile_cpp.cpp"
    done
    check "${CXX:-g++} and C linked together" "${CXX:-g++} -std=c++11 $warnings -I. -x c++ tests/compile/compile_use.c -x none $object -o $out/mixed \
-lm -lpthread && $out/mixed"
fi
if have arm-none-eabi-gcc; then
    # clang has found unused functions under the same macros; gcc finds them only when it generates code.
    arm=-fsyntax-only
    [ ! $full ] && have clang || arm="-c -o /dev/null"
    check "arm-none-eabi-gcc users' warnings" "arm-none-eabi-gcc -std=c99 -Wall -Wextra -Werror -Wno-misleading-indentation \
-mcpu=cortex-m4 -mthumb $all_macros -I. $arm tests/compile/compile_implementation.c"
fi
if [ $full ] && have aarch64-linux-gnu-gcc; then # no x86: what only x86 vectors need must not be declared
    check "aarch64-linux-gnu-gcc users' warnings" "aarch64-linux-gnu-gcc -std=c99 -Wall -Wextra -Werror -Wno-misleading-indentation \
-I. -fsyntax-only tests/compile/compile_implementation.c"
fi

# What a program does not use is not in it, without any linker option: no shards, devices and ranks (nn_group.h), no
# optimizer that is a recipe (src/ops/recipe.h), no loader, checkpoint, history, page, profile, self-test, no fusion of
# depthwise convolutions or norms, no kernels for convolutions with groups or in shards, and only the instructions of pointwise
# programs that can occur. The names of their private functions begin as below. Inference has no trainer and no derivatives (src/graph/tape.h) either.
others="replica|replicas|together|owners|wire|operands|exchange|share|collective|blame|meeting|recipe|muon|loader|ring|resident\
|checkpoint|history|html|fit|profile|trace|self_test|op_pad|op_arrange|separable_unit|separable_row|depthwise|winograd_shards\
|separable_fusion|fold_fusion|install_pointwise|dot_bytes|code_sin|code_power"
training="$others|trainer|describe|plan_launches|program_derive|tape_make_sum|tape_program_gradient|average\
|block_fusion|fuse|find_line|install_derivatives|code_select_greater"
for compiler in $gcc ${full:+clang}; do
    have $compiler || continue
    level=-O1
    [ $compiler = $gcc ] || level=-Os # below it clang does not see what a desc holds
    for pair in ${full:+"size_typical:nn__trainer_describe:$others"} "size_infer:nn__plan_:$training"; do
        name=${pair%%:*} rest=${pair#*:}
        program=$out/$name-$compiler
        # None of these names belongs to a vector kernel, and programs without vector kernels compile in half the time.
        [ $full ] && some= || some=-DNN_NO_SIMD
        check "$compiler $level $name.c holds what it uses" "$compiler -std=gnu99 $warnings $level $some -I. tests/whole/$name.c -o $program \
-lm -lpthread && (cd $out && ./$name-$compiler) && nm $program | grep -q ' ${rest%%:*}' && ! nm $program | grep -E ' nn__(${rest#*:})(_|\$)'"
    done
done

# A program without nn_group.h says so when it is asked for shards, devices or a group; one that includes it too late does not
# compile, and is told why.
quick=tcc
have tcc || quick="$gcc -std=c99 -w -O0"
check "compile_no_group.c finds errors" "$quick -I. tests/compile/compile_no_group.c -o $out/no_group -lm -lpthread && $out/no_group"
printf '#define NN_IMPLEMENTATION\n#include "nn.h"\n#include "nn_group.h"\n' > $out/late.c
late=$gcc
have tcc && late=tcc
check "$late refuses nn_group.h after the implementation" "! $late -E -I. $out/late.c > /dev/null 2> $out/why_late && \
grep -q 'include it before nn.h where NN_IMPLEMENTATION or NN_STATIC is defined' $out/why_late"
# A call of an optional file that was not included does not link, and the linker says which file it is.
for call in "self_test nn_self_test(0, nn_cpu(), none)" "quantize nn_quantize_net(0, 0, 0)" "quantize nn_prepare_qat(0, 0, 0)" \
    "sequence nn_sinusoidal_positions(0, 0, 0)" "more nn_resize(0, 0, 0)" "more nn_profile_count(0)"; do
    file=nn_${call%% *}.h name=${call#* }
    missing=$out/without_${name%%(*}
    printf '#define NN_STATIC\n#include "nn.h"\nint main(void) { nn_writer none = { 0 }; (void)none; return %s != 0; }\n' "${call#* }" > $missing.c
    check "$quick finds no ${call#* } without $file" "! $quick -I. $missing.c -o $missing -lm -lpthread > /dev/null 2> $missing.log && \
grep -q \"'*_is_in_nn_${call%% *}_h\" $missing.log"
    sed "s,\"nn.h\",\"nn.h\"\n#include \"$file\"," $missing.c > $missing.with.c
    check "$quick finds ${call#* } in $file" "$quick -I. $missing.with.c -o $missing -lm -lpthread"
done

# Options that hide NaN are refused, with an error that says so.
for option in -ffast-math -Ofast -ffinite-math-only; do
    check "$gcc refuses $option" "! $gcc $option -Wfatal-errors -fsyntax-only -I. tests/compile/compile_implementation.c > $out/fast$option 2> $out/why$option && \
grep -q 'hide every NaN' $out/why$option"
done
# NAN and INFINITY of newer Windows SDKs are calls, which no static table may have.
cat > $out/sdk.h << 'END'
#include <math.h>
#undef NAN
#undef INFINITY
static inline float sdk_number(int bits) { union { int i; float f; } u; u.i = bits; return u.f; }
#define NAN sdk_number(0x7fc00000)
#define INFINITY sdk_number(0x7f800000)
END
[ ! $full ] && have clang || check "$gcc: NAN is a call" "$gcc -std=c99 -w -include $out/sdk.h -fsyntax-only -I. tests/compile/compile_implementation.c"
if have clang; then
    # tcc refuses every NAN in a static table.
    [ ! $full ] && have tcc || check "clang: NAN is a call" "clang -std=c99 -w -include $out/sdk.h -fsyntax-only -I. tests/compile/compile_implementation.c"
    # clang-cl's macros: it hides the vectors that no option asks for. windows.h below stands for the system's header and has only
    # what is used without threads.
    if [ -d /usr/include/x86_64-linux-gnu ]; then
        mkdir -p $out/windows
        cat > $out/windows/windows.h << 'END'
typedef int BOOL;
typedef unsigned long DWORD;
typedef union { long long QuadPart; } LARGE_INTEGER;
BOOL QueryPerformanceCounter(LARGE_INTEGER *);
BOOL QueryPerformanceFrequency(LARGE_INTEGER *);
void Sleep(DWORD);
END
        [ ! $full ] || check "clang-cl's macros" "clang -std=c11 -target x86_64-pc-windows-msvc -fms-compatibility-version=19.38 -w -fsyntax-only \
-DNN_NO_THREADS -DNN_NO_STDIO -DNN_NO_FILES -I. -I$out/windows -isystem /usr/include -isystem /usr/include/x86_64-linux-gnu \
tests/compile/compile_implementation.c"
        printf '#define NN_STATIC\n#include "nn.h"\nint main(void) { nn_close(nn_open(NULL)); return 0; }\n' > $out/static.c
        check "clang-cl's macros, NN_STATIC" "clang -std=c11 -target x86_64-pc-windows-msvc -fms-compatibility-version=19.38 -Wno-everything \
-Werror=unused-function -fsyntax-only -DNN_STATIC \
-DNN_NO_THREADS -DNN_NO_STDIO -DNN_NO_FILES -I. -I$out/windows -isystem /usr/include -isystem /usr/include/x86_64-linux-gnu \
$out/static.c"
    fi
fi
# First weights and random numbers are the same bits everywhere: no product is fused with a sum, whatever the standard.
echo 'int fused;' > $out/fused.c
for compiler in $gcc clang; do
    have $compiler || continue
    if ! have objdump || ! $compiler -march=haswell -c $out/fused.c -o $out/fused.o 2> /dev/null; then
        echo "SKIP compile: $compiler has no -march=haswell, or there is no objdump"
        skipped=$((skipped + 1))
        continue
    fi
    for part in graph/materialize model/initialise_values train/augment kernels/random/cpu; do
        object_of=$out/fused-$compiler-$(basename $part).o
        check "$compiler -march=haswell $part.c" "$compiler -std=gnu99 -O2 -march=haswell -Isrc -Ibuild/gen -c src/$part.c -o $object_of && \
! objdump -d $object_of | grep 'vfn*m[as]'"
    done
done

echo "extern int nothing;" > $out/nothing.c
# Compiles nn_opencl.h in every way of linking. Only OpenCL's headers are needed, except to run the programs that link the
# library.
if [ -z "$opencl" ]; then
    echo "SKIP compile: no CL/cl.h (make setup-test installs it)"
    skipped=$((skipped + 1))
else
    ways="NN_OPENCL_LINKED NN_OPENCL_DYNAMIC NN_OPENCL_NO_CACHE COMPILE_HOSTILE"
    for compiler in $gcc clang "${CXX:-g++}" clang++; do
        have "$compiler" || continue
        case $compiler in *++*) way="$compiler -x c++ -std=c++11 $warnings" ;; *) way="$compiler -std=c99 $warnings $c_only" ;; esac
        syntax=-fsyntax-only
        [ $full ] || ! have clang && syntax="-O0 -c -o /dev/null"
        # Each way is compiled as C and as C++; NN_FULL=1: by each compiler.
        some=$ways none="all NN_NO_*"
        if [ ! $full ] && have clang && have clang++ && have "${CXX:-g++}"; then
            case $compiler in
                clang*) some="NN_OPENCL_DYNAMIC NN_OPENCL_NO_CACHE" ;;
                *++) some=COMPILE_HOSTILE none= ;;
                *) some= none= ;; # make has compiled it with gcc
            esac
        fi
        for macro in $some; do
            check "$compiler compile_opencl.c $macro" "$way $syntax -DNN_IMPLEMENTED -D$macro -I. tests/compile/compile_opencl.c"
        done
        [ -z "$none" ] || check "$compiler compile_opencl.c $none" "$way $syntax -DNN_IMPLEMENTED $all_macros -I. tests/compile/compile_opencl.c"
        # With NN_FULL=1 each compiler looks for names that both files define. tools/check.sh finds them in the sources.
        [ $full ] || continue
        check "$compiler compile_opencl.c with nn_group.h inside" "$way -fsyntax-only -DCOMPILE_HOSTILE -DCOMPILE_GROUP -I. \
tests/compile/compile_opencl.c"
    done
    if [ $full ] && echo '#include <clblast_c.h>' | $gcc -E - > /dev/null 2>&1; then
        check "compile_opencl.c NN_OPENCL_CLBLAST" "$gcc -std=c99 $warnings -DNN_OPENCL_CLBLAST -DNN_IMPLEMENTED -I. tests/compile/compile_opencl.c $object \
-o $out/opencl-clblast -lclblast -lOpenCL -lm -lpthread && $out/opencl-clblast"
    fi
    quick="$gcc -std=c99"
    [ ! $full ] && have tcc && quick="tcc -w"
    check "compile_opencl.c NN_OPENCL_DYNAMIC runs" "$quick -DNN_OPENCL_DYNAMIC -DNN_IMPLEMENTED -I. tests/compile/compile_opencl.c $object \
-o $out/opencl-dynamic -lm -lpthread -ldl && $out/opencl-dynamic && ! nm -D $out/opencl-dynamic | grep ' U cl[A-Z]'"
    # Apple's header is in another place; the rest of that system is not faked.
    mkdir -p $out/apple/OpenCL
    echo '#include <CL/cl.h>' > $out/apple/OpenCL/opencl.h
    check "compile_opencl.c on a faked Apple" "$gcc -std=c99 -D__APPLE__ -DNN_OPENCL_IMPLEMENTATION -I. -I$out/apple -E -x c \
-include nn_opencl.h $out/nothing.c > $out/apple.i && grep -q apple/OpenCL/opencl.h $out/apple.i"
fi

# Compiles nn_text.h, nn_onnx.h and nn_audio.h with one compiler of C and one of C++, under the macros that these files use.
for part in text onnx audio; do
    more=
    # What make has built with all warnings is compiled no second time.
    [ -z "$built" ] || [ -z "$(find build/quick/nn_$part.log -newer nn_$part.h 2> /dev/null)" ] ||
        more="-include string.h -DNN_$(echo $part | tr a-z A-Z)_IMPLEMENTED build/quick/nn_$part.o"
    check "$gcc compile_$part.c" "$gcc -std=c99 $warnings $c_only -DNN_IMPLEMENTED -I. tests/compile/compile_$part.c $object $more -o $out/$part \
-lm -lpthread && $out/$part${more:+ && cat build/quick/nn_$part.log}"
    if have "${CXX:-g++}"; then
        check "${CXX:-g++} compile_$part.c hostile" "${CXX:-g++} -x c++ -std=c++11 $warnings -fsyntax-only -DNN_IMPLEMENTED \
-DCOMPILE_HOSTILE -I. tests/compile/compile_$part.c"
    fi
    if have clang; then
        check "clang compile_$part.c" "clang -std=c99 $warnings $c_only -fsyntax-only -DNN_IMPLEMENTED -I. tests/compile/compile_$part.c"
        check "clang compile_$part.c all NN_NO_*" "clang -std=c99 $warnings $c_only -fsyntax-only -DNN_IMPLEMENTED $all_macros -I. \
tests/compile/compile_$part.c"
    fi
done

# Compiles the kernels as OpenCL C 1.2: each program that the host builds. Newer clangs know OpenCL's functions without its
# header, which takes most of the time otherwise.
kernel='kernel void k(global float *y) { y[get_global_id(0)] = max(y[0], vload4(0, y).x); }'
cl="clang -x cl -cl-std=CL1.2 -fsyntax-only -Wall -Wextra"
if have clang && ! echo "$kernel" | $cl -Werror - > /dev/null 2>&1; then cl="$cl -Xclang -finclude-default-header"; fi
if have clang && echo "$kernel" | $cl -Werror - > /dev/null 2>&1; then
    # Checks only those of the many programs of one part that have a value of an option that no earlier one has. NN_FULL=1: each
    # program.
    tools/kernel_code.sh list | awk -v full=$full '
        { keep = NF < 2 || full
          for (i = 2; i <= NF; i++) if (!seen[$1, $i]++) keep = 1 }
        keep' > $out/programs
    for part in $(cut -d ' ' -f 1 $out/programs | sort -u); do tools/kernel_code.sh text "$part" > "$out/$part.cl"; done
    while read -r part options; do
        check "clang $part.cl $options" "$cl $options $out/$part.cl"
    done < $out/programs
    check "clang kernels.cl in one piece" "$cl kernels.cl"
else
    echo "SKIP compile: no clang that knows OpenCL C (make setup-test installs it)"
    skipped=$((skipped + 1))
fi

# The program in two files links, and survives NULL everywhere (tests/ops/test_every_call.c calls every function).
check "two files link and run" "$gcc -std=c99 $warnings $c_only -O2 -I. tests/compile/compile_use.c $object -o $out/use \
-lm -lpthread && $out/use"

# Files with different feature macros must not link: a user's file against the implementation, both ways round.
printf '#include "nn.h"\nint main(void) { nn_close(nn_open(NULL)); return 0; }\n' > $out/opens.c
quick=$gcc
have tcc && quick=tcc # only the names of the functions matter here
# Each check has a log of its own, because several run at a time.
unlinked() { echo "2> $out/$1.log && grep -q 'undefined reference to .nn_open' $out/$1.log"; }
for macro in NN_NO_TRAINING NN_NO_REPORTS NN_NO_FILES NN_NO_THREADS NN_NO_SPEEDUPS; do
    check "macros differ: opens $macro" "! $gcc -w -D$macro -I. $out/opens.c $object -o $out/differ-$macro -lm -lpthread $(unlinked differ-$macro)"
    check "macros differ: whole $macro" "$quick -w -D$macro -I. -c tests/compile/compile_implementation.c -o $out/whole-$macro.o && \
! $gcc -w -I. $out/opens.c $out/whole-$macro.o -o $out/differs-$macro -lm -lpthread $(unlinked differs-$macro)"
done

# Compiles nn_mpi.h, if there is an MPI, as C and as C++, after nn.h and without it, included twice.
mpi=
if have mpicc; then mpi=$(mpicc -show | tr ' ' '\n' | grep '^-I' | sed 's/^-I/-isystem /' | tr '\n' ' '); fi
[ "$mpi" ] || echo "SKIP nn_mpi.h: no mpicc (libopenmpi-dev)"
if [ "$mpi" ]; then
    printf '#include "nn_mpi.h"\n#define NN_IMPLEMENTED\n#define NN_MPI_IMPLEMENTATION\n#include "nn_mpi.h"\n#include "nn_mpi.h"\n' > $out/mpi.c
    check "nn_mpi.h C99" "$gcc -std=c99 $warnings $mpi -I. -fsyntax-only $out/mpi.c"
    check "nn_mpi.h NN_NO_TRAINING" "$gcc -std=c99 $warnings $mpi -DNN_NO_TRAINING -I. -fsyntax-only $out/mpi.c"
    check "nn_mpi.h C++11" "${CXX:-g++} -x c++ -std=c++11 $warnings $mpi -I. -fsyntax-only $out/mpi.c"
fi

# Compiles each header alone, and with NN_FULL=1 each part, as developers do. Unused functions are found in the library.
generate=-fsyntax-only
[ ! $full ] || generate="-O0 -c -o /dev/null"
# In a part with vectors, the compiler's own header of them takes nine tenths of the time. It is compiled once, together with
# some headers of the C library, and then comes first in the parts that have it.
vectors="cpu/sets.h" before=
while [ "$vectors" != "$before" ]; do
    before=$vectors
    more=$(cd src && grep -lE "^#include \"($(echo "$vectors" | tr ' ' '|'))\"" */*.h */*/*.h)
    vectors=$(printf '%s\n' $vectors $more | sort -u | tr '\n' ' ')
    vectors=${vectors% }
done
with_vectors=$(grep -lE "^#include (\"($(echo "$vectors" | tr ' ' '|'))\"|<immintrin.h>)" src/*/*.[ch] src/*/*/*.[ch] | tr '\n' ' ')
first=$out/vectors.h
rm -f $first.gch
echo '#include <immintrin.h>' > $first
[ ! $full ] && $gcc -std=c99 $part_warnings $c_only -o $first.gch $first > /dev/null 2>&1 || with_vectors=
first_of() { # file
    case " $with_vectors" in *" $1 "*) echo "-include $first" ;; esac
}
for part in ${full:+src/*/*.c src/*/*/*.c}; do
    with=
    case $part in
        src/opencl/* | src/kernels/*/opencl*) [ -n "$opencl" ] || continue ;;
        src/mpi/*) [ "$mpi" ] || continue; with=$mpi ;;
    esac
    printf '%s\t%s\n' "$with $generate $(first_of "$part") -Isrc -Ibuild/gen" "$part"
done > $out/parts
# A header that some part or header includes before all else is seen alone there.
awk 'FNR == 1 { done = 0 } done { next } /^#if/ { done = 1 } /^#include "/ { split($0, word, "\""); print "src/" word[2]; done = 1 }' \
    src/*/*.[ch] src/*/*/*.[ch] | sort -u > $out/first_included
of_tests=
mkdir -p $out/alone
for header in src/*.h src/*/*.h src/*/*/*.h; do
    with=
    case $header in
        src/opencl/opencl.h) ;;
        src/kernels/*/reference.h) of_tests="$of_tests $header"; continue ;;
    esac
    [ $full ] || ! grep -qxF "$header" $out/first_included || continue
    case $header in
        src/opencl/opencl.h) ;;
        src/opencl/* | src/kernels/*/opencl*) [ -n "$opencl" ] || continue ;;
        src/nn_mpi.h | src/mpi/*) [ "$mpi" ] || continue; with=$mpi ;;
    esac
    stub=$out/alone/$(echo "$header" | tr / .).c
    printf '#include "%s"\nextern int nothing;\n' "$header" > "$stub"
    printf '%s\t%s\n' "$with -fsyntax-only $(first_of "$header") -Isrc -Ibuild/gen -I." "$stub"
done >> $out/parts
# A dozen parts or headers share a run of the compiler, which compiles each alone and names it in its messages. (To write
# objects to nowhere, it takes one part a run.)
awk -F '\t' -v most="${full:+1}" '
    function flush(flags) { if (files[flags] != "") print flags "\t" files[flags]; files[flags] = ""; n[flags] = 0 }
    { files[$1] = files[$1] " " $2; if (++n[$1] == (most ? most : 12)) flush($1) }
    END { for (flags in files) flush(flags) }' $out/parts > $out/dozens
while IFS="$(printf '\t')" read -r flags files; do
    check "alone:$files" "$gcc -std=c99 $part_warnings $c_only $flags$files"
done < $out/dozens
check "of the tests:$of_tests" "$gcc -std=c99 $warnings -I. -Itests/support -Ibuild/gen -Isrc -fsyntax-only -include nn.h -include tests/support/reference.h $out/nothing.c"
check "src/nn.h as an index" "$gcc -std=c99 $warnings -Isrc -Ibuild/gen -fsyntax-only tests/compile/compile_implementation.c"

if [ $# -gt 0 ]; then
    for word in "$@"; do
        awk -F '\t' -v word="$word" 'index($1, word) { print; found = 1 }
            END { if (!found) printf "no name of a check contains \"%s\"\tfalse\n", word }' $list
    done | sort -u > $list.some
    mv $list.some $list
fi
# First comes the library that other checks link: with the warnings that make saw when it compiled it, or else compiled now.
# It is a check as well; if it fails, the others would only say the same again.
if [ $built ]; then printf 'the library as make built it\tcat build/quick/nn.log\n' > $list.first
else
    printf '%s\t%s\n' "$gcc -O0 compile_implementation.c" "$gcc -std=c99 $warnings $c_only -O0 -I. -c tests/compile/compile_implementation.c \
-o $object" > $list.first
    rm -f $object
fi
echo $skipped > $out/skipped
: > $out/results
xargs -d '\n' -n 1 "$0" --one < $list.first
# The longest checks come first.
{ grep -F ++ $list; grep -vF ++ $list | grep -v '^alone: '; grep -vF ++ $list | grep '^alone: '; } > $list.sorted
mv $list.sorted $list
[ ! $prepare ] || exit 0
xargs -d '\n' -P "$(nproc 2>/dev/null || echo 1)" -n 1 "$0" --one < $list
"$0" --report
