#!/bin/sh
# Makes headers from the public declarations of src/: tools/calls.sh FOLDER NAMES writes FOLDER/base/prefix.h and
# FOLDER/*/overloads.h. It reads the declarations from NAMES, which becomes nn.h without these headers.
set -eu
to=$1 names=$2
for room in base opencl group quantize mpi text onnx audio; do
    mkdir -p "$to/$room"
    : > "$to/$room/overloads.h"
done
: > "$to/base/prefix.h"
build/paste -g "$to" src/nn.h > "$names"
text="src/text/text.h src/language/answers.h src/language/generate.h src/language/models.h"
# shellcheck disable=SC2086
build/calls prefix "$names" src/opencl/opencl.h src/group/group.h src/quantize/quantize_net.h src/self_test/self_test.h src/mpi/mpi.h $text src/onnx/onnx.h src/onnx/save.h src/onnx/write.h src/onnx/write_plan.h \
    src/audio/audio.h > "$to/base/prefix.h.new"
overloads() { # room, its public headers
    room=$1
    shift
    build/calls overloads "$names" - "$@" > "$to/$room/overloads.h"
}
build/calls overloads - "$names" > "$to/base/overloads.h"
overloads opencl src/opencl/opencl.h
overloads group src/group/group.h
overloads quantize src/quantize/quantize_net.h
overloads mpi src/mpi/mpi.h
# shellcheck disable=SC2086
overloads text $text
overloads onnx src/onnx/onnx.h src/onnx/save.h src/onnx/write.h src/onnx/write_plan.h
overloads audio src/audio/audio.h
mv "$to/base/prefix.h.new" "$to/base/prefix.h"
