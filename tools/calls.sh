#!/bin/sh
# Makes headers from the public declarations of src/: tools/calls.sh FOLDER NAMES writes FOLDER/base/prefix.h,
# FOLDER/base/optional.h, FOLDER/*/overloads.h and FOLDER/*/undefine.h. It reads the declarations from NAMES, which becomes nn.h without these headers.
set -eu
to=$1 names=$2
for room in base opencl group sequence quantize more mpi text onnx audio; do
    mkdir -p "$to/$room"
    : > "$to/$room/overloads.h"
done
: > "$to/base/optional.h"
for room in sequence quantize more self_test; do
    mkdir -p "$to/$room"
    : > "$to/$room/undefine.h"
done
: > "$to/base/prefix.h"
build/paste -g "$to" src/nn.h > "$names"
sequence=$names.sequence quantize=$names.quantize more=$names.more
build/paste -g "$to" -a src/nn.h src/nn_sequence.h > "$sequence"
build/paste -g "$to" -a src/nn.h -a src/nn_sequence.h src/nn_quantize.h > "$quantize"
build/paste -g "$to" -a src/nn.h src/nn_more.h > "$more"
text="src/text/text.h src/language/answers.h src/language/generate.h src/language/models.h"
# shellcheck disable=SC2086
build/calls prefix "$names" src/opencl/opencl.h src/group/group.h "$sequence" "$quantize" "$more" src/self_test/self_test.h src/mpi/mpi.h $text src/onnx/onnx.h src/onnx/save.h src/onnx/write.h src/onnx/write_plan.h \
    src/audio/audio.h > "$to/base/prefix.h.new"
overloads() { # room, its public headers
    room=$1
    shift
    build/calls overloads "$names" - "$@" > "$to/$room/overloads.h"
}
build/calls overloads - "$names" > "$to/base/overloads.h"
overloads opencl src/opencl/opencl.h
overloads group src/group/group.h
overloads sequence "$sequence"
overloads quantize "$quantize"
overloads more "$more"
overloads mpi src/mpi/mpi.h
# shellcheck disable=SC2086
overloads text $text
overloads onnx src/onnx/onnx.h src/onnx/save.h src/onnx/write.h src/onnx/write_plan.h
overloads audio src/audio/audio.h
{
    echo '/* base/optional.h - calls of optional files. If a program makes such a call without including the'
    echo '   file, the linker misses a function whose name says which file it is. Made by tools/calls.c. */'
    echo '#pragma once'
    build/calls elsewhere sequence "$sequence"
    build/calls elsewhere quantize "$quantize"
    build/calls elsewhere more "$more"
    build/calls elsewhere self_test src/self_test/self_test.h
} > "$to/base/optional.h"
for room in sequence quantize more self_test; do
    {
        printf '/* %s/undefine.h - makes the calls of this file possible, which base/optional.h refuses. Made by\n   tools/calls.c. */\n' $room
        sed -n "s/^#define \\(nn_[a-z0-9_]*\\)(.*_is_in_nn_${room}_h(.*/#undef \\1/p" "$to/base/optional.h"
    } > "$to/$room/undefine.h"
done
{
    echo '/* onnx/optional.h - the calls of nn_more.h, nn_sequence.h and nn_quantize.h. Made by tools/calls.c. */'
    echo '#pragma once'
    for room in more sequence quantize; do
        awk -v of="$(echo $room | tr 'a-z' 'A-Z')" 'BEGIN { printf "#define NN__ONNX_CALLS_OF_%s", of }
            /^#undef/ { printf "%s \\\n    \"%s\"", count++ ? "," : "", $2 } END { print "" }' "$to/$room/undefine.h"
    done
} > "$to/onnx/optional.h"
mv "$to/base/prefix.h.new" "$to/base/prefix.h"
