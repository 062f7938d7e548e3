#!/bin/sh
# Tests the build files for other projects: CMakeLists.txt, meson.build, and what they install. Small projects are built with a clean
# copy of the working tree, with the lines that docs/start.md shows, and their programs are run.
#
# The lines are the blocks after the comments <!-- packaging: NAME --> of that page; the program main.c is its first program,
# without NN_STATIC. nn.h is compiled three times, at low levels of optimisation: about two minutes on an idle core.
# CC, CXX: compilers. The last line is "N passed, M failed, K skipped".
set -u
cd "$(dirname "$0")/.." || exit 1
top=$(pwd)
page=docs/start.md
work="$top/build/packaging/a space" # in the path, because some users have one
export CC="${CC:-cc}" CXX="${CXX:-g++}"
unset CFLAGS CXXFLAGS LDFLAGS PKG_CONFIG_PATH CMAKE_PREFIX_PATH
passed=0 failed=0 skipped=0

have() { command -v "$1" > /dev/null 2>&1; }
skip() { echo "SKIP packaging: $1"; skipped=$((skipped + 1)); }
lines() { printf '%s\n' "$@"; } # unlike echo, it leaves a backslash alone
# title, status of the check, the log whose end is shown if it failed
judge() {
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); return 0; fi
    echo "FAIL packaging: $1"
    [ -n "${3:-}" ] && tail -n 20 "$3"
    failed=$((failed + 1))
    return 1
}
# Prints the block of the page that follows the comment <!-- packaging: $1 -->.
block() {
    awk -v comment="<!-- packaging: $1 -->" '
        $0 == comment { wanted = 1; next }
        wanted && !open && /^```/ { open = 1; next }
        open && /^```$/ { exit }
        open' "$page"
}
# title, pattern, command ...: the command fails, and its message has a line with the pattern.
refuses() {
    title=$1 pattern=$2
    shift 2
    "$@" > refused.log 2>&1 && { judge "$title is no error" 1 refused.log; return; }
    tr '\n' ' ' < refused.log | tr -s ' ' | grep -qE -e "$pattern"
    judge "the message about $title does not say: $pattern" $? refused.log
}
# title, program, pattern: what the program prints has a line with the pattern.
prints() {
    "$2" > printed 2>&1 && grep -qE -e "$3" printed
    judge "$1 does not print: $3" $? printed
}

chmod -R u+w build/packaging 2> /dev/null
rm -rf build/packaging
mkdir -p "$work" || exit 1
for name in cmake fetch install installed meson pkg-config; do
    [ -n "$(block $name)" ]
    judge "$page has no block after <!-- packaging: $name -->" $?
done

# The output of both programs shows that values and weights came through the library.
awk '/^```c$/ { open = 1; code = ""; next }
    open && /^```$/ { if (code ~ /\nint main\(/) { printf "%s", code; exit } open = 0 }
    open && $0 != "#define NN_STATIC" { code = code $0 "\n" }' "$page" > "$work/main.c"
learns='^loss 0\.00'
cat > "$work/main.cpp" <<'END'
#include "nn.h"
#include <cstdio>

int main() {
    const float in[2] = { -1, 2 };
    float out[2] = { 7, 7 };
    nn_context *nn = nn_open(nn_desc());
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2));
    nn_node *y = nn_relu(net, x);
    nn_node *outputs[] = { y };
    nn_plan_desc desc = nn_plan_desc();
    desc.outputs = outputs;
    desc.batch = 1;
    nn_plan *plan = nn_make_plan(net, desc);
    nn_upload(plan, x, in, sizeof in);
    nn_run(plan);
    nn_download(plan, y, out, sizeof out);
    std::printf("relu %g %g with version %s\n", out[0], out[1], NN_VERSION);
    nn_close(nn);
    return 0;
}
END
version=$(sed -n 's/^#define NN_VERSION  *"\(.*\)"$/\1/p' src/base/config.h)
rectifies="^relu 0 2 with version $version\$"

# A copy of the files that git knows or would add, which nobody may write to.
mkdir -p "$work/nn"
if git rev-parse > /dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard | while read -r file; do [ -f "$file" ] && echo "$file"; done > "$work/list"
else
    find . -type f ! -path './build/*' > "$work/list"
fi
tar cf - -T "$work/list" | (cd "$work/nn" && tar xf -)
chmod -R a-w "$work/nn"
state() { (cd "$work/nn" && find . -type f | sort | xargs cksum) | cksum; } # root may write all the same
before=$(state)
cd "$work" || exit 1

# ---- CMake: installed ------------------------------------------------------------------------------------------------

page=$top/$page
installed=
if have cmake; then
    # CFLAGS: quickly compiled. The other drop-ins are compiled where they can be.
    { block install | sed '1s/$/ -DNN_TEXT=ON -DNN_OPENCL=AUTO -DNN_MPI=AUTO/'; } > install.sh
    HOME="$work" CFLAGS=-O1 sh -e install.sh > install.log 2>&1
    judge "the installation fails" $? install.log && installed=yes
fi
if [ -n "$installed" ]; then
    mkdir found
    { lines 'cmake_minimum_required(VERSION 3.16)'
      lines 'project(main C CXX)'
      lines 'add_executable(main ../main.c)'
      block installed
      lines 'add_executable(main_cpp ../main.cpp)'
      lines 'set_target_properties(main_cpp PROPERTIES CXX_STANDARD 11 CXX_STANDARD_REQUIRED ON)'
      lines 'target_link_libraries(main_cpp PRIVATE nn::nn)'
      lines 'find_package(nn 0.1 REQUIRED COMPONENTS text)'
      lines 'file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/text.c "#include \"nn_text.h\"\nint main(void) { return nn_open_tokenizer(0, 0) != 0; }")'
      lines 'add_executable(text ${CMAKE_CURRENT_BINARY_DIR}/text.c)'
      lines 'target_link_libraries(text PRIVATE nn::text)'
    } > found/CMakeLists.txt
    { cmake -S found -B found/build -DCMAKE_PREFIX_PATH="$work/.local" -DCMAKE_BUILD_TYPE=Debug && cmake --build found/build; } > found.log 2>&1
    if judge "a project with find_package(nn) does not build" $? found.log; then
        prints "a C program with find_package(nn)" found/build/main "$learns"
        prints "a C++ program with find_package(nn)" found/build/main_cpp "$rectifies"
        found/build/text
        judge "a program with nn::text fails" $?
    fi
    probe() { # the rest of a project, which is only configured
        rm -rf probe
        mkdir probe
        printf 'cmake_minimum_required(VERSION 3.16)\nproject(probe C)\n%s\n' "$1" > probe/CMakeLists.txt
        shift
        cmake -S probe -B probe/build -DCMAKE_PREFIX_PATH="$work/.local" "$@"
    }
    refuses "a component that does not exist" 'There are nn, text, onnx, audio, opencl and mpi' probe 'find_package(nn REQUIRED COMPONENTS vulkan)'
    if "$CXX" -E -x c++ /dev/null > /dev/null 2>&1 && grep -q nn_mpi .local/lib/cmake/nn/nnConfig.cmake; then # MPI's C library is not looked for
        rm -rf probe
        mkdir probe
        lines 'cmake_minimum_required(VERSION 3.16)' 'project(probe CXX)' 'find_package(nn REQUIRED COMPONENTS mpi)' > probe/CMakeLists.txt
        refuses "MPI in a project without C" 'project\(\) must include C' cmake -S probe -B probe/build -DCMAKE_PREFIX_PATH="$work/.local"
    fi
    refuses "a later version" 'version: '"$version" probe 'find_package(nn 0.99 REQUIRED)'

    # pkg-config: the installation may have been moved. Its folder must not have a space, because the shell splits there.
    if have pkg-config; then
        home="$top/build/packaging"
        cp -R .local "$home"
        block pkg-config | sed "s/^cc /\$CC /" > pkg-config.sh
        (export HOME="$home"; sh -e pkg-config.sh) > pkg-config.log 2>&1
        judge "the lines with pkg-config fail" $? pkg-config.log && prints "a program built with pkg-config" ./main "$learns"
        [ "$(PKG_CONFIG_PATH="$home/.local/lib/pkgconfig" pkg-config --modversion nn-text)" = "$version" ]
        judge "nn-text.pc does not have version $version" $?
        PKG_CONFIG_PATH="$work/.local/lib/pkgconfig"
        export PKG_CONFIG_PATH
        eval "$CC main.c -o spaced $(pkg-config --cflags --libs nn)" > spaced.log 2>&1
        judge "pkg-config with a space in its folder, and eval, does not build" $? spaced.log
        unset PKG_CONFIG_PATH
    fi
fi

# ---- CMake: inside another project -------------------------------------------------------------------------------------

if have cmake; then
    # A project in C++ alone has nn with FetchContent. A part of it is the project of the page, which adds nn once more.
    mkdir -p outer/part
    cp main.cpp outer && cp main.c outer/part
    ln -s ../nn outer/nn && ln -s ../../nn outer/part/nn
    block cmake > outer/part/CMakeLists.txt
    { lines 'cmake_minimum_required(VERSION 3.16)'
      lines 'project(outer CXX)'
      block fetch
      lines 'add_subdirectory(part)'
      lines 'add_executable(main_cpp main.cpp)'
      lines 'set_target_properties(main_cpp PROPERTIES CXX_STANDARD 11 CXX_STANDARD_REQUIRED ON)'
      lines 'target_link_libraries(main_cpp PRIVATE nn::nn)'
    } > outer/CMakeLists.txt
    { cmake -S outer -B outer/build -DCMAKE_BUILD_TYPE=Debug -DNN_OPTIMIZE=OFF && cmake --build outer/build; } > outer.log 2>&1
    if judge "a project with FetchContent and add_subdirectory does not build" $? outer.log; then
        prints "a C program with add_subdirectory" outer/build/part/main "$learns"
        prints "a C++ program with FetchContent" outer/build/main_cpp "$rectifies"
        grep -q 'nn::nn is there already, with version' outer.log
        judge "nothing is said of the second copy" $? outer.log
        if [ -n "$(ls outer/build/nn*.pc outer/build/_deps/nn-build/nn*.pc 2> /dev/null)" ]; then false; fi
        judge "a project that contains nn installs it without being asked" $?
    fi
    # Alone, and only configured: it was built above.
    cmake -S outer/part -B outer/part/build > part.log 2>&1
    judge "the project of $page cannot be configured" $? part.log
    grep -q 'add_subdirectory(nn)' outer/part/CMakeLists.txt && cmake --build outer/part/build -- -n VERBOSE=1 2> /dev/null | grep 'packaging/nn\.c' |
        grep -q -e ' -O2 '
    judge "the library is not optimised in a build without a type" $?

    within() { # options, before nn is added
        rm -rf outer/part/build
        cmake -S outer/part -B outer/part/build "$@"
    }
    refuses "a misspelled option" 'no option NN_NO_TRAINNG. There are NN_NO_TRAINING, ' within -DNN_NO_TRAINNG=ON
    refuses "a wrong value" 'NN_OPENCL is "maybe"; it must be ON, OFF or AUTO' within -DNN_OPENCL=maybe
    refuses "OpenCL that is missing" 'opencl-headers.*NN_OPENCL=AUTO' within -DNN_OPENCL=ON -DCMAKE_DISABLE_FIND_PACKAGE_OpenCL=ON
    refuses "MPI that is missing" 'libopenmpi-dev.*NN_MPI=AUTO' within -DNN_MPI=ON -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON
    refuses "a system without threads" 'set NN_NO_THREADS' within -DCMAKE_DISABLE_FIND_PACKAGE_Threads=ON
    within -DNN_OPENCL=AUTO -DCMAKE_DISABLE_FIND_PACKAGE_OpenCL=ON > auto.log 2>&1
    judge "NN_OPENCL=AUTO is an error without OpenCL" $? auto.log
    within -DNN_NO_THREADS=ON -DCMAKE_DISABLE_FIND_PACKAGE_Threads=ON > no_threads.log 2>&1
    judge "NN_NO_THREADS needs threads" $? no_threads.log
    # A dependency brings another version, and a part is wanted that the first copy lacks.
    mkdir -p older/nn
    cp nn/CMakeLists.txt nn/nn.h older/nn
    chmod u+w older/nn/nn.h
    sed -i 's/^\(#define NN_VERSION  *\)".*"/\1"0.0.1"/' older/nn/nn.h
    ln -s ../nn older/first
    lines 'cmake_minimum_required(VERSION 3.16)' 'project(older C)' 'add_subdirectory(first)' 'set(NN_TEXT ON)' 'add_subdirectory(nn)' \
        > older/CMakeLists.txt
    cmake -S older -B older/build > older.log 2>&1
    judge "two copies of different versions are an error" $? older.log
    tr '\n' ' ' < older.log | tr -s ' ' | grep -q 'version 0\.0\.1, but nn::nn is there already.*Set NN_TEXT before the first copy is added'
    judge "two copies of different versions are no warning" $? older.log
    # Without a library: the file that defines NN_STATIC has it, and sees the macros.
    mkdir only
    cp outer/part/CMakeLists.txt only && ln -s ../nn only/nn
    { lines '#define NN_STATIC'; lines '#include "nn.h"'; lines '#include <stdio.h>'
      lines '#ifndef NN_NO_TRAINING'; lines '#error the macro is not there'; lines '#endif'
      lines 'int main(void) { return puts("version " NN_VERSION) < 0; }'; } > only/main.c
    { cmake -S only -B only/build -DNN_HEADER_ONLY=ON -DNN_NO_TRAINING=ON -DNN_NO_REPORTS=ON && cmake --build only/build; } > only.log 2>&1
    judge "a project with NN_HEADER_ONLY does not build" $? only.log &&
        prints "a program with NN_HEADER_ONLY" only/build/main "^version $version\$"
else
    skip "no cmake (cmake)"
fi

# ---- Meson -----------------------------------------------------------------------------------------------------------

if have meson && have ninja; then
    mkdir -p sub/subprojects
    block meson > sub/meson.build
    cp main.c sub
    ln -s ../../nn sub/subprojects/nn
    { meson setup sub/build sub -Dnn:optimize=false && meson compile -C sub/build -j 1; } > meson.log 2>&1
    judge "a Meson project with nn as a subproject does not build" $? meson.log && prints "its program" sub/build/main "$learns"
    refuses "a wrong option for Meson" 'no_trainng' meson setup sub/wrong sub -Dnn:no_trainng=true
    # Shows what it would install from the folder itself; nothing is compiled.
    { meson setup meson-build nn -Dheader_only=true -Dtext=true -Dno_simd=true --prefix "$work/meson-installed" --libdir lib &&
      meson install -C meson-build; } > meson-install.log 2>&1
    if judge "meson install fails" $? meson-install.log; then
        if have pkg-config; then
            for name in nn nn-text; do
                PKG_CONFIG_PATH="$work/meson-installed/lib/pkgconfig" pkg-config --cflags --libs $name > flags 2>&1 &&
                    grep -q -e '-DNN_NO_SIMD.*-lm' flags
                judge "Meson's $name.pc does not have the flags" $? flags
            done
        fi
        [ -f meson-installed/include/nn/nn.h ] && [ -f meson-installed/include/nn/nn_text.h ]
        judge "Meson does not install the headers" $?
    fi
else
    skip "no meson or ninja (meson, ninja-build)"
fi
have pkg-config || skip "no pkg-config (pkgconf)"

# ---- Zephyr ------------------------------------------------------------------------------------------------------------

# Zephyr itself is not here. Its functions have stand-ins, which compile the module and its sample for this machine.
zephyr_project() { # options that prj.conf would set
    rm -rf zephyr_build zephyr_project
    mkdir -p zephyr_project/zephyr
    lines '#include <stdio.h>' '#define printk printf' > zephyr_project/zephyr/kernel.h
    { lines 'cmake_minimum_required(VERSION 3.16)' 'project(sample C)' 'add_library(stand_in INTERFACE)'
      lines 'function(zephyr_include_directories)' 'target_include_directories(stand_in INTERFACE ${ARGV})' 'endfunction()'
      lines 'function(zephyr_compile_definitions)' 'target_compile_definitions(stand_in INTERFACE ${ARGV})' 'endfunction()'
      lines 'macro(zephyr_library)' 'add_library(nn_module STATIC)' 'target_link_libraries(nn_module stand_in)' 'endmacro()'
      lines 'macro(zephyr_library_sources)' 'target_sources(nn_module PRIVATE ${ARGV})' 'endmacro()'
      for option in "$@"; do lines "set(CONFIG_$option y)" "target_compile_definitions(stand_in INTERFACE CONFIG_$option=1)"; done
      lines "add_subdirectory($top/zephyr module)" "add_executable(sample $top/zephyr/samples/learn/src/main.c)"
      lines 'target_include_directories(sample PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})' 'target_link_libraries(sample nn_module stand_in m)'
    } > zephyr_project/CMakeLists.txt
    { cmake -S zephyr_project -B zephyr_build && cmake --build zephyr_build; } > zephyr.log 2>&1
}
if have cmake; then
    zephyr_project NN NN_TRAINING
    judge "the module for Zephyr does not compile" $? zephyr.log && prints "the sample for Zephyr" zephyr_build/sample '^learned: loss 0\.0'
    zephyr_project NN NN_TRAINING NN_QUANTIZE NN_SEQUENCE NN_MORE NN_REPORTS NN_SPEEDUPS NN_MIXED_PRECISION NN_RARE_OPTIONS NN_MALLOC
    judge "the module for Zephyr does not compile with all options" $? zephyr.log
    # Each option that the build reads is in Kconfig, and each of the sample's.
    for option in $(grep -ohE 'CONFIG_NN[A-Z_]*' "$top"/zephyr/CMakeLists.txt "$top"/zephyr/nn.c "$top"/zephyr/samples/learn/prj.conf |
                    sed 's/^CONFIG_//; /_$/d' | sort -u) $(sed -n 's/^  foreach(option \(.*\))/\1/p' "$top/zephyr/CMakeLists.txt" | sed 's/[A-Z]/NN_&/; s/ / NN_/g'); do
        grep -qE "^(menu)?config $option\$" "$top/zephyr/Kconfig"
        judge "zephyr/Kconfig has no $option" $?
    done
else
    skip "no cmake"
fi

# ---- manifests ---------------------------------------------------------------------------------------------------------

(cd "$top" && make -s arduino) > arduino.log 2>&1
if judge "make arduino fails" $? arduino.log; then
    # The specification's required fields, each with a value.
    for field in name version author maintainer sentence paragraph category url architectures; do
        grep -qE "^$field=." "$top/build/arduino/nn/library.properties"
        judge "library.properties has no $field" $?
    done
    cp "$top/build/arduino/nn/examples/learn/learn.ino" learn.cpp
    # A sketch is C++ around which the IDE puts Arduino.h and a main function.
    { lines '#include <stdio.h>'
      lines 'struct { void begin(long) {} void println(float x) { printf("%.5f\n", (double)x); } void println(const char *s) { puts(s); } } Serial;'
      lines '#include "learn.cpp"'; lines 'int main() { setup(); loop(); return 0; }'; } > sketch.cpp
    $CXX -std=gnu++11 -O0 -w -I"$top/build/arduino/nn/src" -o sketch sketch.cpp > sketch.log 2>&1
    judge "the Arduino example does not compile on this machine" $? sketch.log && prints "the Arduino example" ./sketch '^0\.0'
    # The same on an emulated Cortex-M4, where the exit code is the result.
    if have arm-none-eabi-g++ && have qemu-system-arm; then
        { lines 'struct { void begin(long) {} void println(float x) { loss = x; } void println(const char *) {} float loss; } Serial;'
          lines '#include "learn.cpp"'
          lines 'extern "C" int main() { Serial.loss = 1; setup(); loop(); return !(Serial.loss < 0.01f); }'; } > board.cpp
        m4="-w -Os -mcpu=cortex-m4 -mthumb -ffunction-sections -fdata-sections"
        # shellcheck disable=SC2086
        { arm-none-eabi-g++ -std=gnu++11 -fno-exceptions -fno-rtti $m4 -I"$top/build/arduino/nn/src" -c board.cpp &&
          arm-none-eabi-gcc $m4 -c "$top/tests/firmware/size_start.c" &&
          arm-none-eabi-gcc $m4 --specs=nano.specs --specs=nosys.specs -nostartfiles -Wl,--gc-sections \
              -T "$top/tests/firmware/size_m4.ld" board.o size_start.o -o board.elf -lm; } > board.log 2>&1
        judge "the Arduino example does not compile for a Cortex-M4" $? board.log &&
            { timeout $((60 * ${TEST_SLOW:-4})) qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none \
                  -semihosting-config enable=on,target=native -kernel board.elf > board.log 2>&1
              judge "the Arduino example does not learn on a Cortex-M4" $? board.log; }
    else
        skip "no arm-none-eabi-g++ or qemu-system-arm (gcc-arm-none-eabi, libnewlib-arm-none-eabi, qemu-system-arm)"
    fi
fi

[ "$(state)" = "$before" ]
judge "a build wrote into the folder of the library" $?
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
