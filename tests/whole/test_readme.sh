#!/bin/sh
# README.md and docs/*.md keep their promises: their programs compile and run, their reports are what the library says, and the
# macros, make targets, files, rooms and functions that they name exist. CC: compiler. The last line is "N passed, M failed, K skipped".
#
# A block fenced as ```c or ```cpp that has a main function is a whole program. It is built as main.c or main.cpp and run. Other
# blocks are pieces: each becomes the body of a function and is compiled. HTML comments, which readers do not see, say what a page leaves out:
#   <!-- with: DECLARATIONS -->        before a piece: declarations that it needs, over several lines if need be
#   <!-- before main: CODE -->         before a program that has no main: its code outside main. The block is then a whole
#   <!-- in main: CODE -->             program, whose main begins with this CODE, builds its data and ends with "return 0;"
#   <!-- prints: PATTERN -->           before a program: a line that it must print (grep -E)
#   <!-- only built: REASON -->        before a program that is not run
#   <!-- output: SED -->               before a block without a language: what the last program of the page prints, word for
#                                      word, after the changes of the sed script SED (which may be empty)
set -u
cd "$(dirname "$0")/../.." || exit 1
top=$(pwd)
work=${TEST_RUN:-$top/build}/readme.$$
cc=${CC:-cc}
cxx=${CXX:-g++}
passed=0 failed=0 skipped=0
rm -rf "$work"
mkdir -p "$work" || exit 1
pages="README.md docs/train.md $(ls docs/*.md | grep -v train.md)" # docs/run.md loads what docs/train.md saves

# title, status of the check, what to show if it failed
judge() {
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); return 0; fi
    echo "FAIL README and docs: $1"
    [ -n "${3:-}" ] && echo "$3"
    failed=$((failed + 1))
    return 1
}
skip() { echo "SKIP README and docs: $1"; skipped=$((skipped + 1)); }

# Prints each text in README and docs that matches a pattern, once.
# shellcheck disable=SC2086
named() { grep -ohE "$1" $pages | sort -u; }

# ---- the programs and pieces -----------------------------------------------------------------------------------------

# The library is the one that make built, or is compiled here, once.
library=$top/build/quick/nn.o
if [ -z "$(find "$library" -newer "$top/nn.h" 2> /dev/null)" ]; then
    library=$work/nn.o
    printf '#define NN_IMPLEMENTATION\n#include "packaging/nn_all.h"\n' > "$work/nn.c"
    $cc -std=c99 -O1 -w -I"$top" -c -o "$library" "$work/nn.c"
fi

# Cuts a page into $work/NAME: pieces.c with all its pieces, pieces.cpp with those for C++, and for each program a folder 1, 2 ...
# with main.c and what is asked of it: prints, output, change, only_built.
cut_page() { # page, name
    mkdir -p "$work/$2"
    awk -v page="$1" -v out="$work/$2" '
        function reset() { with = before = inside = prints = only = ""; main = 0 }
        function begin_pieces(file) {
            if (begun[file]++) return
            print "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include \"nn.h\"" > file
            print "#ifdef PAGE_OPENCL\n#include \"nn_opencl.h\"\n#endif\n#ifdef PAGE_MPI\n#include \"nn_mpi.h\"\n#endif" > file
            print "#ifdef PAGE_MORE\n#include \"nn_more.h\"\n#endif" > file
            print "#ifdef PAGE_SEQUENCE\n#include \"nn_sequence.h\"\n#endif" > file
            print "#ifdef PAGE_QUANTIZE\n#include \"nn_quantize.h\"\n#endif" > file
            print "#ifdef PAGE_SELF_TEST\n#include \"nn_self_test.h\"\n#endif" > file
            print "#ifdef PAGE_GROUP\n#include \"nn_group.h\"\n#endif" > file
            print "#ifdef PAGE_TEXT\n#include \"nn_text.h\"\n#endif" > file
            print "#ifdef PAGE_ONNX\n#include \"nn_onnx.h\"\n#endif" > file
            print "#ifdef PAGE_AUDIO\n#include \"nn_audio.h\"\n#endif" > file
        }
        function piece(file) {
            begin_pieces(file)
            pieces++
            print "int piece_" pieces "(void);\nint piece_" pieces "(void) {\n" with "\n#line " first " \"" page "\"\n" code "return 0;\n}" > file
        }
        function program(    folder) {
            programs++
            source = language == "c" ? "main.c" : "main.cpp"
            folder = out "/" programs
            system("mkdir -p " folder)
            if (main) {
                directives = code
                gsub(/(^|\n)[^#\n][^\n]*/, "\n", directives)
                if (directives !~ /include/) directives = "#define NN_IMPLEMENTATION\n#include \"nn.h\"\n"
                code = "#include <stdio.h>\n" directives before "\nint main(void) {\n" inside "\n" code "    return 0;\n}\n"
            }
            printf "%s", code > (folder "/" source)
            close(folder "/" source)
            if (prints != "") { print prints > (folder "/prints"); close(folder "/prints") }
            if (only != "") { print only > (folder "/only_built"); close(folder "/only_built") }
        }
        /^<!-- (with|before main|in main):( |$)/ {
            kind = $2
            comment = 1
            sub(/^<!-- (with|before main|in main): ?/, "")
        }
        comment {
            last = sub(/ *-->$/, "")
            if (kind == "with:") with = with $0 "\n"
            else { main = 1; if (kind == "before") before = before $0 "\n"; else inside = inside $0 "\n" }
            if (last) comment = 0
            next
        }
        /^<!-- prints: / { sub(/^<!-- prints: /, ""); sub(/ -->$/, ""); prints = $0; next }
        /^<!-- only built: / { only = $0; next }
        /^<!-- output: / { sub(/^<!-- output: ?/, ""); sub(/ *-->$/, ""); change = $0; output = 1; next }
        !open && /^ *```/ {
            open = 1
            language = $0
            sub(/^ *```/, "", language)
            first = NR + 1
            code = ""
            has_main = 0
            next
        }
        open && /^ *```$/ {
            open = 0
            if (language == "c" && (has_main || main) || language == "cpp" && has_main) { program(); reset() }
            else if (language == "c") { piece(out "/pieces.c"); reset() }
            else if (language == "cpp") { piece(out "/pieces.cpp"); reset() }
            else if (language == "" && output) {
                outputs[programs]++
                folder = out "/" programs "." outputs[programs]
                system("mkdir -p " folder " && cp " out "/" programs "/main.c " folder)
                printf "%s", code > (folder "/output")
                close(folder "/output")
                print change > (folder "/change")
                close(folder "/change")
                output = 0
            }
            next
        }
        open {
            if (/^int main\(/) has_main = 1
            # Three dots stand for the rest of a program.
            if ((language == "c" || language == "cpp") && /^ *\.\.\.$/) $0 = ""
            code = code $0 "\n"
        }' "$1"
    # A piece lies in a function: its directives do not belong there.
    for file in "$work/$2"/pieces.c*; do
        [ -e "$file" ] && awk '/^#line/ { inside = 1 } /^}$/ { inside = 0 } inside && /^#(define|include) / { print ""; next } { print }' \
            "$file" > "$file.new" && mv "$file.new" "$file"
    done
}

# The macros that let a page see the optional headers whose names it has; a header that is not installed skips the page.
page_macros() { # page
    macros=
    grep -q 'include "nn_text.h"' "$1" && macros="$macros -DPAGE_TEXT"
    grep -q 'include "nn_onnx.h"' "$1" && macros="$macros -DPAGE_ONNX"
    grep -q 'include "nn_audio.h"' "$1" && macros="$macros -DPAGE_AUDIO"
    grep -q 'include "nn_group.h"' "$1" && macros="$macros -DPAGE_GROUP"
    grep -q 'include "nn_more.h"' "$1" && macros="$macros -DPAGE_MORE"
    grep -q 'include "nn_sequence.h"' "$1" && macros="$macros -DPAGE_SEQUENCE"
    grep -q 'include "nn_quantize.h"' "$1" && macros="$macros -DPAGE_QUANTIZE"
    grep -q 'include "nn_self_test.h"' "$1" && macros="$macros -DPAGE_SELF_TEST"
    if grep -q 'include "nn_opencl.h"' "$1"; then macros="$macros -DPAGE_OPENCL"; fi
    if grep -q 'include "nn_mpi.h"' "$1"; then
        echo '#include <mpi.h>' > "$work/mpi.c"
        if command -v mpicc > /dev/null 2>&1 && mpicc -fsyntax-only "$work/mpi.c" 2> /dev/null; then
            macros="$macros -DPAGE_MPI $(mpicc --showme:compile 2> /dev/null || mpicc -compile_info 2> /dev/null | grep -oE -e '-I[^ ]+')"
        else
            return 1
        fi
    fi
    return 0
}

echo 'int main() { }' > "$work/20.cpp"
can_cpp() { $cxx -std=c++20 -fsyntax-only "$work/20.cpp" 2> /dev/null; }
warnings="-Wall -Wextra -Werror"
unused="-Wno-unused-variable -Wno-unused-but-set-variable -Wno-unused-parameter"
check_pieces() { # page, name
    page_macros "$1" || { skip "$1: no mpicc for its pieces"; return; }
    if [ -e "$work/$2/pieces.c" ]; then
        # shellcheck disable=SC2086
        $cc -std=c99 -fsyntax-only $warnings $unused $macros -I"$top" "$work/$2/pieces.c" > "$work/$2/build" 2>&1
        judge "pieces of $1 do not compile" $? "$(head -n 15 "$work/$2/build")"
    fi
    if [ -e "$work/$2/pieces.cpp" ]; then
        if can_cpp; then
            # shellcheck disable=SC2086
            $cxx -std=c++20 -fsyntax-only $warnings -Wno-missing-field-initializers $unused $macros -I"$top" \
                "$work/$2/pieces.cpp" > "$work/$2/build" 2>&1
            judge "C++ pieces of $1 do not compile" $? "$(head -n 15 "$work/$2/build")"
        else
            skip "$1: no C++20 compiler for its pieces"
        fi
    fi
}

# Each optional file is compiled once, by make or when a page first asks for it. A program's own code is short, so that -O0 is fastest.
build_program() { # folder, page
    linked=$library
    defined=-DNN_IMPLEMENTED
    for part in text onnx audio; do
        grep -q "include \"nn_$part.h\"" "$1"/main.c* || continue
        object=$top/build/quick/nn_$part.o
        upper=NN_$(echo $part | tr a-z A-Z)
        if [ -z "$(find "$object" -newer "$top/nn_$part.h" -newer "$top/nn.h" 2> /dev/null)" ]; then
            object=$work/nn_$part.o
            printf '#define %s_IMPLEMENTATION\n#include "nn_%s.h"\n' $upper $part > "$work/nn_$part.c"
            [ -e "$object" ] || $cc -std=c99 -O1 -w -I"$top" -c -o "$object" "$work/nn_$part.c"
        fi
        linked="$object $linked"
        defined="$defined -D${upper}_IMPLEMENTED"
    done
    # NN_STATIC would compile the whole library for each program; tools/compile_checks.sh builds programs that define it.
    for file in "$1"/main.c*; do
        sed 's/^#define NN_STATIC$/#define NN_IMPLEMENTATION/' "$file" > "$1/linked" && mv "$1/linked" "$file"
    done
    compiler="$cc -std=c99" source=main.c
    [ -e "$1/main.cpp" ] && compiler="$cxx -std=c++20" source=main.cpp
    # shellcheck disable=SC2086
    (cd "$1" && $compiler -O0 $warnings $defined -I"$top" -o program $source $linked -lm -lpthread) > "$1/build" 2>&1
    judge "program $(basename "$1") of $2 does not build" $? "$(head -n 15 "$1/build")"
}

# All programs run in one folder, so that one finds what another has saved.
run_program() { # folder
    (cd "$work" && timeout $((600 * ${TEST_SLOW:-1})) "$1/program") > "$1/printed" 2>&1
}

check_programs() { # page, name
    for folder in "$work/$2"/[0-9]*; do
        [ -d "$folder" ] || continue
        if [ -e "$folder/main.cpp" ] && ! can_cpp; then skip "$1: no C++20 compiler for its program"; continue; fi
        if [ -e "$folder/output" ]; then
            sed -f "$folder/change" "$folder/main.c" > "$folder/changed" && mv "$folder/changed" "$folder/main.c"
            build_program "$folder" "$1" || continue
            run_program "$folder"
            difference=$(diff "$folder/output" "$folder/printed")
            judge "program $(basename "$folder") of $1 prints something else" $? "$difference"
            continue
        fi
        build_program "$folder" "$1" || continue
        [ -e "$folder/only_built" ] && continue
        run_program "$folder"
        judge "program $(basename "$folder") of $1 fails" $? "$(tail -n 12 "$folder/printed")" || continue
        [ -e "$folder/prints" ] || continue
        grep -qE -f "$folder/prints" "$folder/printed"
        judge "program $(basename "$folder") of $1 does not print: $(cat "$folder/prints")" $? "$(tail -n 12 "$folder/printed")"
    done
}

for page in $pages; do
    name=$(basename "$page" .md)
    cut_page "$page" "$name"
    check_pieces "$page" "$name"
    check_programs "$page" "$name"
done
for page in README start train run save-and-resume; do
    [ -d "$work/$page/1" ]
    judge "$page.md has no program that runs" $?
done

# ---- the report: what tests/graph/test_faults.c expects word for word, on another device -----------------------------------

# Prints the first block without a language below the heading $2 of page $1.
block() {
    awk -v heading="## $2" '
        /^## / { inside = $0 == heading; next }
        inside && !open && $0 == "```" && ++count == 1 { open = 1; next }
        open && $0 == "```" { exit }
        open' "$1"
}
block docs/errors.md "Two mistakes in one report" | sed 's/opencl:0 ([^)]*)/user0:0 (simulated)/; s/opencl:0/user0:0/' > "$work/report"
first=$(head -n 1 "$work/report")
# Prints the texts between quotes of that test, from the report's first line on.
awk -v first="$first" '
    { at = index($0, "\""); if (at == 0) { open = 0; next } }
    index($0, first "\\n") { open = ++found == 1 }
    open {
        text = substr($0, at + 1)
        last = text ~ /\);$/
        sub(/"[);]*$/, "", text)
        gsub(/\\"/, "\"", text)
        if (sub(/\\n$/, "", text) || last) print text
        else printf "%s", text # continues in the next literal
        if (last) exit
    }' tests/graph/test_faults.c > "$work/expected"
difference=$(diff "$work/report" "$work/expected")
judge "the report differs from that in tests/graph/test_faults.c" $? "$difference"
[ "$(wc -l < "$work/report")" -ge 8 ]
judge "docs/errors.md has no report under \"Two mistakes in one report\"" $?

# ---- names -----------------------------------------------------------------------------------------------------------

missing=
for macro in $(named 'NN_NO_[A-Z_]+'); do
    grep -rqE "(ifn?def|defined\() *$macro\b" src || missing="$missing $macro"
done
for macro in $(grep -rohE '(ifn?def|defined\() *NN_NO_[A-Z_]+' src | grep -oE 'NN_NO_[A-Z_]+' | sort -u); do
    grep -q "\`$macro\`" docs/firmware.md || missing="$missing $macro(unmentioned)"
done
judge "macros that src/ does not have, or docs/firmware.md does not mention:$missing" ${#missing}

missing=
for target in $(named '(`|&& |folder )make [a-z][a-z/.-]*' | sed 's/.*make //' | grep -v / | sort -u); do # not a file of build/
    grep -qE "^([a-z-]+ )*$target( [a-z-]+)*:" Makefile || missing="$missing $target"
done
judge "make targets that do not exist:$missing" ${#missing}

for setup in run test; do
    grep -q "^sh tools/setup.sh $setup && make $setup\$" README.md && sh -n tools/setup.sh &&
        grep -qE "^ *([a-z]+\|)*$setup(\|[a-z]+)*\) wanted=" tools/setup.sh
    judge "\"sh tools/setup.sh $setup && make $setup\" is not there, or tools/setup.sh does not know it" $?
done

missing=
for room in $(named '^src/[a-z]+ .*' | grep -v 'not built yet' | sed 's/ .*//'); do
    [ -d "$room" ] || missing="$missing $room"
done
for room in src/*/; do grep -q "^${room%/} " docs/how-it-works.md || missing="$missing ${room%/}(unmentioned)"; done
judge "rooms:$missing" ${#missing}

missing=
for file in $(named '`(src|tests|tools|bench|examples)/[A-Za-z0-9_./*-]+`' | tr -d '`'); do
    ls -d $file > /dev/null 2>&1 || missing="$missing $file" # a star in a name stands for several files
done
judge "files that do not exist:$missing" ${#missing}

# The table of operations: every builder of src/ops has a row. For element-wise operations the row begins with the name of
# PyTorch's function in src/ops/table.txt.
missing=
for name in $(grep -ohE '(nn_node \*|void )nn_[a-z0-9_]+_at\(nn_site site, (const char \*spelled, )?nn_model \*net' src/ops/*.h |
                  grep -oE 'nn_[a-z0-9_]+_at' | sed 's/_at$//') \
            $(grep -ohE '^#define nn_[a-z0-9_]+\(net, ' src/ops/*.h | grep -oE 'nn_[a-z0-9_]+'); do
    grep -qE "^#define $name\(" src/ops/*.h || continue # private
    grep -q "^| \`$name\` | " docs/operations.md || missing="$missing $name"
done
judge "operations that have no row \"| \\\`name\\\` | PyTorch's name |\":$missing" ${#missing}
missing=$(sed -nE 's/^([a-z][a-z0-9_]*)\(.* = .* ; .*(torch\.[A-Za-z0-9_.]*[A-Za-z0-9_]).*/\1 \2/p' src/ops/table.txt |
    while read -r name torch; do
        grep -qF "| \`nn_$name\` | $torch" docs/operations.md || echo " | \`nn_$name\` | $torch |"
    done)
judge "lines of src/ops/table.txt without their row:$missing" ${#missing}
for name in $(sed -nE 's/^\| `(nn_[a-z0-9_]+)` .*/\1/p' docs/operations.md | sort | uniq -d); do missing="$missing $name"; done
judge "operations that have two rows:$missing" ${#missing}

# The contents of the drop-ins: each line number is that of the header it names.
for file in nn.h nn_more.h nn_opencl.h nn_group.h nn_sequence.h nn_quantize.h nn_self_test.h nn_mpi.h nn_text.h nn_onnx.h nn_audio.h; do
    missing=$(awk 'FNR == NR { if (/^ +[0-9]+    [a-z_0-9]+\/[a-z_0-9\/.]+ /) at[$1] = $2; if (/^\*\/$/) nextfile; next }
        FNR in at { listed++; if ($0 != "/* ==== " at[FNR] " ==== */") print " " FNR " " at[FNR] }
        END { if (!listed) print " no contents" }' $file $file)
    judge "the contents of $file name other lines:$missing" ${#missing}
done

# The calls and types in the text and in its code exist.
missing=
for name in $(named '\bnn_[a-z0-9_]+' | grep -v '^nn_opencl$'); do
    grep -qE "\b$name\b" nn.h nn_more.h nn_opencl.h nn_group.h nn_sequence.h nn_quantize.h nn_self_test.h nn_mpi.h nn_text.h nn_onnx.h nn_audio.h || missing="$missing $name"
done
judge "names that nn.h, nn_more.h, nn_opencl.h, nn_group.h, nn_sequence.h, nn_quantize.h, nn_self_test.h, nn_mpi.h, nn_text.h, nn_onnx.h and nn_audio.h do not have:$missing" ${#missing}

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
