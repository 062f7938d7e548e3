#!/bin/sh
# README.md keeps its promises: its two programs compile and run, its report is what the library says, and the macros,
# make targets, files and rooms that it names exist. CC: compiler. The last line is "N passed, M failed, K skipped".
set -u
cd "$(dirname "$0")/../.." || exit 1
top=$(pwd)
work=${TEST_RUN:-$top/build}/readme.$$
cc=${CC:-cc}
passed=0 failed=0
rm -rf "$work"
mkdir -p "$work" || exit 1

# title, status of the check, what to show if it failed
judge() {
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); return 0; fi
    echo "FAIL README: $1"
    [ -n "${3:-}" ] && echo "$3"
    failed=$((failed + 1))
    return 1
}

# Prints the first block (or the $3rd) fenced as ```$2 below the heading $1.
block() {
    awk -v heading="## $1" -v fence="\`\`\`$2" -v number="${3:-1}" '
        /^## / { inside = $0 == heading; next }
        inside && !open && $0 == fence && ++count == number { open = 1; next }
        open && $0 == "```" { exit }
        open' README.md
}

# Prints what README has of a pattern, each once.
named() { grep -oE "$1" README.md | sort -u; }

# ---- the two programs: a block becomes the body of main --------------------------------------------------------------

# name, code before main, code at its beginning, code at its end; the block is read from stdin
wrap() {
    cat > "$work/block"
    {
        echo '#include <stdio.h>'
        grep '^#' "$work/block" || printf '%s\n' '#define NN_IMPLEMENTATION' '#include "nn.h"'
        printf '%s\n' "$2" 'int main(void) {' "$3"
        grep -v '^#' "$work/block"
        printf '%s\n' "$4" '}'
    } > "$work/$1.c"
}

# The library is the one that make built, or is compiled here, once.
library=$top/build/lib/nn.o
if [ -z "$(find "$library" -newer "$top/nn.h" 2> /dev/null)" ]; then
    library=$work/nn.o
    printf '#define NN_IMPLEMENTATION\n#include "nn.h"\n' > "$work/nn.c"
    $cc -std=c99 -O1 -w -I"$top" -c -o "$library" "$work/nn.c"
fi

builds_and_runs() { # name, line that it must print
    $cc -std=c99 -O2 -Wall -Wextra -Werror -DNN_IMPLEMENTED -I"$top" -o "$work/$1" "$work/$1.c" "$library" -lm -lpthread \
        > "$work/$1.build" 2>&1
    judge "the program of \"$1\" does not build" $? "$(head -n 15 "$work/$1.build")" || return 1
    (cd "$work" && timeout $((600 * ${TEST_SLOW:-1})) "./$1" > "$1.out" 2>&1) && grep -Eq -e "$2" "$work/$1.out"
    judge "the program of \"$1\" does not run to a line with: $2" $? "$(tail -n 12 "$work/$1.out")"
}

block "Training in 20 lines" c | sed 's/count = 7000/count = SAMPLES/' | wrap training '
enum { SAMPLES = 1000 };
static unsigned char pixels[SAMPLES * 28 * 28];
static int labels[SAMPLES];' '
    for (int i = 0; i < SAMPLES; i++) { /* a bar, whose place is the label */
        labels[i] = i % 10;
        for (int column = 4; column < 24; column++) pixels[(i * 28 + labels[i] * 2 + 4) * 28 + column] = 255;
    }' '    return 0;'
grep -q 'count = SAMPLES' "$work/block"
judge "training has no .count = 7000 to make smaller" $?
builds_and_runs training '^epoch 3/3 .*accuracy'
[ -s "$work/cnn.safetensors" ]
judge "training left no cnn.safetensors" $?

# The test looks at the result before the context is closed.
block "Running in 20 lines" c | sed '/^nn_close(/d' | wrap running 'static float pixels[28 * 28];' '
    int best = 0;
    for (int column = 4; column < 24; column++) pixels[18 * 28 + column] = 1.0f; /* the bar of 7 */' '
    if (nn_error(nn)) { puts(nn_error(nn)); return 1; }
    for (int i = 0; i < 10; i++) best = scores[i] > scores[best] ? i : best;
    printf("the bar of %d\n", best);
    nn_close(nn);
    return 0;'
builds_and_runs running '^the bar of 7$'

# ---- pieces: they compile --------------------------------------------------------------------------------------------

compiles() { # name
    $cc -std=c99 -O0 -Wall -Wextra -Werror -DNN_IMPLEMENTED -I"$top" -c -o "$work/$1.o" "$work/$1.c" > "$work/$1.build" 2>&1
    judge "the lines of \"$1\" do not compile" $? "$(head -n 15 "$work/$1.build")"
}

block "Stopping, moving, going on" c | wrap stopping '' '
    nn_trainer *trainer = NULL;
    nn_loader *train = NULL, *test = NULL;' '    return 0;'
compiles stopping

block "Stopping, moving, going on" c 2 | wrap devices '' '
    nn_model *net = NULL;
    nn_node *loss = NULL;' '    return trainer != NULL;'
compiles devices

block "Stopping, moving, going on" c 3 | wrap halves '' '
    nn_model *net = NULL;
    nn_node *loss = NULL, *image = NULL;
    static float parts[4][16 * 28 * 28], gradient[10];' '    return 0;'
compiles halves

block "Operations" c | wrap operations '' '
    nn_model *net = NULL;
    nn_node *after = NULL, *before = NULL, *advantage = NULL, *x = NULL, *left = NULL, *right = NULL;
    nn_node *query = NULL, *key = NULL;' '
    return ppo == norm && both == half && score == both;'
compiles operations

block "Feeding it" c | wrap feeding '' '
    nn_context *nn = NULL;
    nn_device device = nn_cpu();' '    return train != NULL;'
compiles feeding

# ---- the report: what tests/graph/test_faults.c expects word for word, on another device -----------------------------------

block "A mistake" "" | sed 's/opencl:0 ([^)]*)/user0:0 (simulated)/; s/opencl:0/user0:0/' > "$work/report"
first=$(head -n 1 "$work/report")
# The texts between quotes of that test, from the report's first line on.
awk -v first="$first" '
    { at = index($0, "\""); if (at == 0) { open = 0; next } }
    index($0, first "\\n") { open = ++found == 1 }
    open {
        text = substr($0, at + 1)
        last = text ~ /\);$/
        sub(/"[);]*$/, "", text)
        gsub(/\\"/, "\"", text)
        if (sub(/\\n$/, "", text) || last) print text
        else printf "%s", text # goes on in the next literal
        if (last) exit
    }' tests/graph/test_faults.c > "$work/expected"
difference=$(diff "$work/report" "$work/expected")
judge "the report differs from that in tests/graph/test_faults.c" $? "$difference"
[ "$(wc -l < "$work/report")" -ge 8 ]
judge "the report is not under \"A mistake\"" $?

# ---- names -----------------------------------------------------------------------------------------------------------

missing=
for macro in $(named 'NN_NO_[A-Z_]+'); do
    grep -rqE "(ifn?def|defined\() *$macro\b" src || missing="$missing $macro"
done
for macro in $(grep -rohE '(ifn?def|defined\() *NN_NO_[A-Z_]+' src | grep -oE 'NN_NO_[A-Z_]+' | sort -u); do
    grep -q "\`$macro\`" README.md || missing="$missing $macro(unmentioned)"
done
judge "macros that src/ does not have, or README does not tell:$missing" ${#missing}

missing=
for target in $(named '(`|&& |folder )make [a-z][a-z-]*' | sed 's/.*make //' | sort -u); do
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
for room in src/*/; do grep -q "^${room%/} " README.md || missing="$missing ${room%/}(unmentioned)"; done
judge "rooms:$missing" ${#missing}

# The table of operations: every builder of src/ops has a row; those of the table of element-wise operations have
# PyTorch's name from there.
missing=
for name in $(grep -ohE '(nn_node \*|void )nn_[a-z0-9_]+_at\(nn_site site, (const char \*spelled, )?nn_model \*net' src/ops/*.h |
                  grep -oE 'nn_[a-z0-9_]+_at' | sed 's/_at$//') \
            $(grep -ohE '^#define nn_[a-z0-9_]+\(net, ' src/ops/*.h | grep -oE 'nn_[a-z0-9_]+'); do
    grep -qE "^#define $name\(" src/ops/*.h || continue # private
    grep -q "^| \`$name\` | " README.md || missing="$missing $name"
done
judge "operations that have no row \"| \\\`name\\\` | PyTorch's name |\":$missing" ${#missing}
missing=$(sed -nE 's/^([a-z][a-z0-9_]*)\(.* = .* ; .*(torch\.[A-Za-z0-9_.]*[A-Za-z0-9_]).*/\1 \2/p' src/ops/table.txt |
    while read -r name torch; do
        grep -qF "| \`nn_$name\` | $torch" README.md || echo " | \`nn_$name\` | $torch |"
    done)
judge "lines of src/ops/table.txt without their row:$missing" ${#missing}
for name in $(sed -nE 's/^\| `(nn_[a-z0-9_]+)` .*/\1/p' README.md | sort | uniq -d); do missing="$missing $name"; done
judge "operations that have two rows:$missing" ${#missing}

# The contents of the drop-ins: each line number is that of the header it names.
for file in nn.h nn_opencl.h nn_mpi.h nn_text.h; do
    missing=$(awk 'FNR == NR { if (/^ +[0-9]+    [a-z_0-9]+\/[a-z_0-9\/.]+ /) at[$1] = $2; if (/^\*\/$/) nextfile; next }
        FNR in at { listed++; if ($0 != "/* ==== " at[FNR] " ==== */") print " " FNR " " at[FNR] }
        END { if (!listed) print " no contents" }' $file $file)
    judge "the contents of $file name other lines:$missing" ${#missing}
done

# Calls and types in the text and in its code.
missing=
for name in $(named '\bnn_[a-z0-9_]+' | grep -v '^nn_opencl$'); do
    grep -qE "\b$name\b" nn.h nn_opencl.h nn_mpi.h nn_text.h || missing="$missing $name"
done
judge "names that nn.h, nn_opencl.h, nn_mpi.h and nn_text.h do not have:$missing" ${#missing}

echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
