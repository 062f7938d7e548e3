#!/bin/sh
# Builds every example, runs it briefly and looks for lines that it must print.
# CC, CXX: compilers. The last line is "N passed, M failed, K skipped".
set -u
cd "$(dirname "$0")/../.." || exit 1
top=$(pwd)
work=${TEST_RUN:-$top/build}/test_examples.$$
cc=${CC:-cc} cxx=${CXX:-g++}
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
passed=0 failed=0 skipped=0
standard=99
optimise=-O2
NN_SHORT=1
export NN_SHORT
unset MNIST_DIR CIFAR_DIR NN_DEVICE NN_EPOCHS WEIGHTS
rm -rf "$work"
mkdir -p "$work" || exit 1
cd "$work" || exit 1 # examples may write files

# Uses the library that make has built. If nn.h has changed since, examples bring their own, as they do for users.
library=$top/build/quick/nn.o
if [ -n "$(find "$library" -newer "$top/nn.h" 2> /dev/null)" ]; then library="-DNN_IMPLEMENTED $library"
else library=; fi

# name compiler...: builds examples/name.* as ./name, or takes what `make examples` has built since the last change
build() {
    source=$(ls "$top/examples/$1".c* 2> /dev/null)
    name=$1
    shift
    if ! grep -q '^#define NN_IMPLEMENTATION$' "$source" || ! grep -qE '^#include "../nn(_mpi)?.h"$' "$source"; then
        echo "FAIL $name does not bring nn.h and its implementation"
        failed=$((failed + 1))
        return 1
    fi
    built=$top/build/quick/examples/$name
    newer="-newer $source -newer $top/examples/draw_digits.h"
    for dropin in "$top"/nn.h "$top"/nn_*.h; do newer="$newer -newer $dropin"; done
    # shellcheck disable=SC2086
    if [ "$standard" != 20 ] && [ -n "$(find "$built" $newer 2> /dev/null)" ]; then
        cp "$built" "$name"
        return 0
    fi
    # An example that chooses the library's macros has the library inside. tcc takes a tenth of the time.
    if grep -q '^#define NN_NO_' "$source" && command -v tcc > /dev/null 2>&1; then
        "$@" $warnings -DNN_IMPLEMENTED -fsyntax-only "$source" > "$name.build" 2>&1 &&
            tcc -o "$name" "$source" -lm -lpthread >> "$name.build" 2>&1 && return 0
    elif grep -q '^#define NN_NO_' "$source"; then
        "$@" -O0 $warnings -o "$name" "$source" -lm -lpthread > "$name.build" 2>&1 && return 0
    # shellcheck disable=SC2086
    elif "$@" $optimise $warnings -o "$name" -x ${language:-c} "$source" -x none $library -lm -lpthread > "$name.build" 2>&1; then
        return 0
    fi
    echo "FAIL $name does not build:"
    head -n 15 "$name.build"
    failed=$((failed + 1))
    return 1
}

# program arguments: runs it; what it says is in $out
run() {
    out=$1.out
    timeout $((600 * ${TEST_SLOW:-1})) "./$@" > "$out" 2>&1
    status=$?
}

# title pattern...: checks that the last program ended with 0 and printed a line for each pattern (extended regular expressions)
expect() {
    title=$1 missing=
    shift
    for pattern in "$@"; do
        grep -Eq -e "$pattern" "$out" || missing="$missing  no line with: $pattern
"
    done
    if [ "$status" -eq 0 ] && [ -z "$missing" ]; then
        passed=$((passed + 1))
        return
    fi
    echo "FAIL $title ended with status $status; its last lines:"
    printf '%s' "$missing"
    tail -n 12 "$out"
    failed=$((failed + 1))
}

c99="$cc -std=c99"
build 01_regression $c99 && run 01_regression && expect 01_regression '^step 1000  loss 0\.000' '^x  1\.000  sin  0\.141  net  0\.1'

# Runs two short epochs, which are compared below with those of an OpenCL device. With NN_FULL=1, whole epochs are
# compared instead.
build 02_digits $c99 && NN_EPOCHS=2 && export NN_EPOCHS && run 02_digits &&
    expect 02_digits '^drawn digits on cpu' 'conv2d\+relu +relu ' 'memory on cpu' \
    '^epoch 2/2 ' '^is / taken for' '^a [0-9] taken for a [0-9]' '^saved digits.safetensors'
unset NN_EPOCHS
build 03_classify $c99 && run 03_classify 7 1 && expect 03_classify '^9 +[0-9.]+ %' '^this is a [0-9] '
if [ -x 03_classify ]; then # without its file it reports an error
    WEIGHTS=absent.safetensors ./03_classify > out 2>&1
    status=$(($? != 1)) out=out
    expect "03_classify without weights" 'absent.safetensors' 'make run'
fi
if [ -x 02_digits ]; then
    NN_DEVICE=opencl:7 ./02_digits > out 2>&1
    status=$(($? != 1)) out=out
    expect "02_digits on a device that is not open" 'opencl:7'
    ./02_digits no/such/folder > out 2>&1
    status=$(($? != 1)) out=out
    expect "02_digits without MNIST" 'no/such/folder/train-images-idx3-ubyte'
fi

# Tests the example that `make run` runs, on the CPU and on the first OpenCL device: what it has learned after two short
# epochs, and its losses on new digits. NN_FULL=1 (make test-full): after a whole epoch, when nearly all digits are right.
digits=$top/build/quick/examples/02_digits
learned_on() { # device
    if [ "${NN_FULL:-0}" = 0 ] && [ $1 = cpu ]; then
        cp 02_digits.out digits_cpu.out
    elif [ "${NN_FULL:-0}" = 0 ]; then
        NN_DEVICE=$1 NN_EPOCHS=2 timeout $((1200 * ${TEST_SLOW:-1})) "$digits" > "digits_$1.out" 2>&1
    else
        NN_DEVICE=$1 NN_EPOCHS=${DIGITS_EPOCHS:-1} timeout $((1200 * ${TEST_SLOW:-1})) env -u NN_SHORT "$digits" > "digits_$1.out" 2>&1
    fi
    sed -n 's/^epoch .*validation loss \([0-9.]*\) .* accuracy \([0-9.]*\) .*/\1 \2/p' "digits_$1.out" | tail -n 1
}
if [ ! -x "$digits" ] || ! NN_DEVICE=opencl:0 "$digits" no/such/folder 2>&1 | grep -q 'on opencl:0'; then
    echo "SKIP 02_digits on opencl:0: no OpenCL device, or make examples has not built it"
    skipped=$((skipped + 1))
else
    least=0.4 loss=0.002 # rounding differs, and a whole epoch enlarges the differences
    [ "${NN_FULL:-0}" = 0 ] || { least=0.85 loss=0.02; }
    cpu=$(learned_on cpu) opencl=$(learned_on opencl:0)
    if echo "$cpu $opencl" | awk -v least=$least -v loss=$loss '
           NF != 4 || $2 < least || $2 - $4 > 0.007 || $4 - $2 > 0.007 || $1 - $3 > loss || $3 - $1 > loss { exit 1 }'; then
        passed=$((passed + 1))
    else
        echo "FAIL 02_digits: loss and accuracy $cpu on the CPU, $opencl on opencl:0; its last lines:"
        tail -n 5 digits_opencl:0.out
        failed=$((failed + 1))
    fi
fi

build 04_shapes_cnn $c99 && run 04_shapes_cnn && expect 04_shapes_cnn '^4 parameter tensors, 65988 numbers' '^epoch 1 ' \
    '^a (circle|square|triangle|cross); the net says'

build 05_mistakes $c99 && run 05_mistakes && expect 05_mistakes 'in_features is 4096, but "flatten" has 16384' \
    'fix: +\.in_features = 16384' 'a tensor of yours, not registered' 'which was never ended' 'opencl:0 is not open' \
    'given +"bytes" \(2, 5\) u8' 'given +"labels"' 'label is out of range' 'NaN or infinite' 'is truncated' 'nn_replan' \
    'upload_bytes allows' 'out of memory' '^---- and the same context still works: -?[0-9]'
if [ -x 05_mistakes ]; then
    grep -Eq '\(no report\)' "$out" && status=1
    expect "05_mistakes: none is silent" 'nothing was run'
fi

build 06_immediate $c99 && run 06_immediate && expect 06_immediate '^step 100  loss 0\.[0-4]' '^(29|30) of 30 new images are right'
build 07_slices $c99 && run 07_slices && expect 07_slices '^frame  60 ' ' 0 allocations after the plans' 'The net says'
build 08_custom $c99 && run 08_custom && expect 08_custom '^beta\[0\]  gradient' '^step 2000  loss 0\.00'

if build 11_resume $c99; then # stopped and resumed: the last line is that of a run that nobody stopped
    run 11_resume && expect 11_resume '^begins; there is no resume.checkpoint' '^epoch 20/20 ' '^done after step 2000: loss 0\.0'
    whole=$(grep '^done' "$out")
    run 11_resume 13 && expect "11_resume stopped" '^epoch 1/20 ' '^stopped in epoch 2 after step 130;'
    run 11_resume && expect "11_resume again" '^continues from resume.checkpoint' '^epoch 2/20 ' "^$whole"
fi
build 12_cifar $c99 && run 12_cifar && expect 12_cifar '^a picture moves 3141 bytes' '[@%#*+=]{6}' '^epoch 1/1 '
if [ -x 12_cifar ]; then
    CIFAR_DIR=no/such/folder ./12_cifar > out 2>&1
    status=$(($? != 1)) out=out
    expect "12_cifar without CIFAR-10" 'no/such/folder/data_batch_1.bin'
fi
build 13_finetune $c99 && run 13_finetune && expect 13_finetune '^fc1.weight +from the file, frozen' '^ten.weight +new, trained' \
    '^ten digits from 40 pictures of each: .* [6-9][0-9]\.[0-9] % right' '^conv1.weight kept its bytes'
build 14_lstm $c99 && run 14_lstm && expect 14_lstm '^step 150  error 0\.00.* of "as before" 0\.0[67]' '^ 24  says '
if build 15_resnet $c99; then # it runs again what it has saved
    run 15_resnet && expect 15_resnet '^epoch 1/1 ' '^62 parameter tensors, 176012 numbers' '^rays +the net says class'
    said=$(tail -n 4 "$out")
    run 15_resnet resnet.safetensors && expect "15_resnet from its file" "^$(echo "$said" | tail -n 1)\$"
    ./15_resnet absent.safetensors > out 2>&1
    status=$(($? != 1)) out=out
    expect "15_resnet without its file" 'absent.safetensors is no ResNet-18'
fi
if build 16_mobilenet $c99; then
    run 16_mobilenet && expect 16_mobilenet '^epoch 1/1 '
    run 16_mobilenet mobilenet.safetensors && expect "16_mobilenet from its file" '^312 of 314 tensors are from' '^epoch 1/1 '
fi
build 17_unet $c99 && run 17_unet && expect 17_unet '^epoch 1  loss 1\.[0-9]+  intersection over union 0\.[1-9]' '@{4}'

build 18_gan $c99 && run 18_gan && expect 18_gan '^loss of the discriminator 1\.[0-9]+, of the generator 0\.' \
    'step  600  0\.[0-2].* 16 of 16 sectors reached' '#####'
build 19_dqn $c99 && run 19_dqn && expect 19_dqn '^after  2000 steps the pole stands [1-5][0-9][0-9]\.'
huber='^nn_huber_loss and the text differ by (0|[0-9]e-(0[7-9]|[1-9][0-9])) in the first gradient, (0|.*e-0[6-9]) in the line'
build 22_tokenizer $c99 && run 22_tokenizer && expect 22_tokenizer '^300 tokens learnt' ' bytes 32 to 37  "<end>"$' '^Th\|e\|' '_$' \
    'id 9999 at index 0 is not in the vocabulary' 'capacity is 3; give larger arrays'
build 23_char_gpt $c99 && run 23_char_gpt && expect 23_char_gpt '^---- step 0  ' '^---- step 200  loss 0\.[5-9]' '^---- [3-9][0-9] of [0-9]+ words'
build 24_search $c99 && run 24_search && expect 24_search '^no model was given' '^8 lines; nearest to "ships that pass' \
    '^ 0\.9[0-9]  The lighthouse keeper counts the ships'
build 33_gguf $c99 && run 33_gguf && expect 33_gguf '^no model was given' '^Once upon a time' '^at most 100 tokens in [0-9.]+ s$'
build 25_lora $c99 && run 25_lora && expect 25_lora '^  next letters: [3-9][0-9] % right' '^  letters before: [5-9][0-9] % right' \
    '^merged: [5-9][0-9] % right' '^unmerged: [5-9][0-9] % right'
build 26_text_mistakes $c99 && run 26_text_mistakes && expect 26_text_mistakes 'given +"my ids" \(2, 10\) i32 +on cpu' \
    'index is f32; embedding wants i32' 'it has 10 steps, but "mask" has 12' 'takes 1 to 1 samples of 1 to 16 steps' \
    'embedding "wte" wants those of "ids" to be in \[0, 128\)' 'its batch is 1, but that of "ids" is 2' '"keys" has 16 positions' \
    'labels in "label" must be .*\.ignore = true' 'are for 128 tokens, but the tokenizer has 256 ids'
if [ -x 26_text_mistakes ]; then
    grep -Eq '\(no report\)' "$out" && status=1
    expect "26_text_mistakes: none is silent" 'nothing was run'
fi
build 20_loss $c99 && run 20_loss && expect 20_loss '^nn_mse_loss +y = .* \+ 0\.[3-5]' "$huber" \
    '^Cauchy as a text +y = (2\.00|1\.99). x - 0\.(50|49)'

# A net that learns inside frames, on the CPU and on the first OpenCL device: with a fixed number of steps a frame the
# error falls as it did before, whatever the machine does meanwhile, and each frame is in the histogram once.
field() { # device
    run 27_frames --device $1 --frames 9 --steps 5
    if [ $1 != cpu ] && grep -q "$1 is not open" "$out"; then
        echo "SKIP 27_frames on $1: no OpenCL device, or make examples has not built it"
        skipped=$((skipped + 1))
        return
    fi
    frames=$(sed -n 's/^.* ms *\([0-9]*\) frames .*/\1/p; s/^longer *\([0-9]*\) frames .*/\1/p' "$out" | awk '{ n += $1 } END { print n }')
    [ "$frames" = 9 ] || echo "the histogram has $frames frames of 9" >> "$out"
    expect "27_frames on $1" "^192 x 108 pixels, batches of 2048, on $1;" '^frame +0  error 3[78]\.[0-9] %' '^kernels to draw: [1-7], for a training step: [1-9][0-9]*$' '^frame +9  error  [45]\.[0-9] %' \
        ' then 5\.0 training steps$' "$([ "$frames" = 9 ] && echo '^[0-9.]+ % of 9 frames within 16\.7 ms' || echo none)"
}
if build 27_frames $c99; then
    field cpu
    run 27_frames --device cpu --frames 1 --save field.ppm
    [ "$(wc -c < field.ppm)" -eq $((15 + 3 * 768 * 216)) ] || status=1
    expect "27_frames saves its picture" ' then [1-9][0-9]*\.0 training steps$' '^field.ppm: the net on the left'
    ./27_frames --frames > out 2>&1
    status=$(($? != 1)) out=out
    expect "27_frames without a value" '^--frames: see 27_frames.c'
    field opencl:0
fi

# If the models of 29_ocr are there, they read a picture: the first case of the detector, which has two lines of text,
# as it is and upside down. Its file has 160 x 320 numbers from -2 to 2 for each colour.
picture_of() { # 1 or -1: as it is, or turned round
    od -An -v -t f4 -j 128 "$models/ocr-detect/case_0/in_0.npy" | LC_ALL=C awk -v step=$1 '
        { for (i = 1; i <= NF; i++) value[n++] = $i }
        END {
            printf "P6\n# of ocr-detect\n320 160\n255\n"
            for (p = 0; p < 51200; p++)
                for (c = 0; c < 3; c++)
                    printf "%c", int(128 + 55 * value[c * 51200 + (step > 0 ? p : 51199 - p)])
        }'
}
if build 30_amp $c99; then
    run 30_amp
    expect "30_amp learns an amplifier and plays" '^epoch 6  error 0\.0[0-9]+$' '^1024 blocks of 64 samples: ' '^a sound that it has not heard: [0-9.]+ %' '^amp.ppm: '
    # It also plays a file: two seconds of silence.
    { printf 'RIFF\044\372\000\000WAVEfmt \020\000\000\000\001\000\001\000\200\076\000\000\000\175\000\000\002\000\020\000'
      printf 'data\000\372\000\000'
      head -c 64000 /dev/zero; } > silence.wav
    run 30_amp silence.wav wet.wav
    expect "30_amp plays a file" '^500 blocks of 64 samples: '
    [ "$(wc -c < wet.wav)" -eq 64044 ] || { echo "FAIL 30_amp: wet.wav has $(wc -c < wet.wav) bytes"; failed=$((failed + 1)); }
fi
if build 32_int8 $c99; then
    run 32_int8
    expect "32_int8 reads digits in integers" '^f32: [0-9.]+ % right$' '^  conv2 +conv2d ' '^integers: [0-9.]+ % right$' '^integers, after an epoch of training with roundings: [0-9.]+ % right$' '^files: [0-9]+ bytes in f32, [0-9]+ in integers$'
fi
if build 34_keywords $c99; then
    run 34_keywords
    expect "34_keywords hears words" '^f32: (9[0-9]|100)\.[0-9] % right$' '^integers after the spectrum: (9[0-9]|100)\.[0-9] % right$' '^plan: [0-9]+ bytes of text in keywords.h$'
fi
# 30 seconds of a game: creatures that learn find more than half as much again as the others. The brains and the world have
# the same bytes in slices and whole, which is compared in a shorter game.
if build 31_arena $c99 -Wno-psabi; then
    run 31_arena --frames 1800 --save arena.ppm
    [ "$(wc -c < arena.ppm)" -eq $((15 + 3 * 882 * 560)) ] || { echo "arena.ppm has $(wc -c < arena.ppm) bytes" >> "$out"; status=1; }
    awk '/^second  30 /{ sub(",", "", $7); sub(";", "", $9); exit !($7 > 1.5 * $9) }' "$out" || status=1
    [ "$(sed -n 's/^from .* ms *\([0-9]*\) frames .*/\1/p' "$out" | awk '{ n += $1 } END { print n }')" = 1800 ] || status=1
    expect "31_arena learns" '^second  30  food in a second' '^149 steps, .* 0 allocations while the game ran' '^arena.ppm: '
    run 31_arena --frames 150 --check --budget 0
    whole=$(sed -n 's/^hash \([0-9a-f]*\) after 150 frames .*/\1/p' "$out")
    run 31_arena --frames 150 --check --budget 500
    expect "31_arena in slices" "^hash ${whole:-none} after 150 frames"
    run 31_arena --frames 150 --check --seed 2
    grep -q "^hash $whole " "$out" && status=1
    expect "31_arena with another seed" '^hash [0-9a-f]{8} after 150 frames'
    ./31_arena --frames > out 2>&1
    status=$(($? != 1)) out=out
    expect "31_arena without a value" '^--frames: see 31_arena.c'
fi
if build 28_vad $c99; then
    run 28_vad && expect "28_vad without arguments" '^Nothing was given'
    models=$top/../shared/onnx
    # Two seconds of silence: 16-bit samples after a header of 44 bytes.
    { printf 'RIFF\044\372\000\000WAVEfmt \020\000\000\000\001\000\001\000\200\076\000\000\000\175\000\000\002\000\020\000'
      printf 'data\000\372\000\000'
      head -c 64000 /dev/zero; } > silence.wav
    if [ ! -f "$models/vad-v5/model.onnx" ]; then
        echo "SKIP 28_vad with a sound: ../shared/onnx is not there"
        skipped=$((skipped + 1))
    else
        run 28_vad "$models/vad-v5/model.onnx" silence.wav
        grep -q '^speech' "$out" && status=1
        expect "28_vad hears silence" '^2\.0 s of sound in [0-9]+ ms'
    fi
fi
if build 29_ocr $c99; then
    run 29_ocr && expect "29_ocr without arguments" '^Nothing was read'
    models=$top/../shared/onnx
    if [ ! -f "$models/ocr-read/model.onnx" ]; then
        echo "SKIP 29_ocr with a picture: ../shared/onnx is not there"
        skipped=$((skipped + 2))
    else
        for step in 1 -1; do
            picture_of $step > page.ppm
            run 29_ocr "$models/ocr-detect/model.onnx" "$models/ocr-angle/model.onnx" "$models/ocr-read/model.onnx" page.ppm
            [ "$(sed -n 's/^[01]\.[0-9]*  //p' "$out" | tr '\n' '|')" = 'Hello nn.h 2026|the quick brown fox|' ] || status=1
            expect "29_ocr reads a picture ($step)" '^2 lines in [0-9]+ ms'
        done
    fi
    ./29_ocr a b c absent.ppm > out 2>&1
    status=$(($? != 1)) out=out
    expect "29_ocr without its picture" '^absent.ppm: no binary PPM'
fi

# The example for MPI runs on one rank (test_mpi starts several).
if command -v mpicc > /dev/null 2>&1; then
    build 21_mpi_digits mpicc -std=c99 -Wno-pedantic && run 21_mpi_digits &&
        expect 21_mpi_digits '^1 ranks over MPI' '^epoch 1/1 ' '^[0-9]+ digits a second; weights [0-9a-f]{16}$'
else
    echo "SKIP 21_mpi_digits: no mpicc"
    skipped=$((skipped + 1))
fi

# Runs the whole recipes on the CPU and on the first OpenCL device. They reach their goals, twice with the same bytes.
recipe() { # device name pattern
    [ -x "$top/build/quick/examples/$2" ] || return
    for time in 1 2; do
        NN_DEVICE=$1 timeout $((1800 * ${TEST_SLOW:-1})) env -u NN_SHORT "$top/build/quick/examples/$2" > "$2.$time" 2> "$2.errors"
        status=$?
    done
    cmp "$2.1" "$2.2" > "$2.errors" 2>&1 || status=1
    out=$2.1
    expect "$2 on $1, whole" "$3"
}
for device in cpu opencl:0; do
    [ "${NN_FULL:-0}" != 0 ] || break
    if [ $device != cpu ] && ! NN_DEVICE=$device "$digits" no/such/folder 2>&1 | grep -q "on $device"; then
        echo "SKIP recipes on $device: no OpenCL device, or make examples has not built them"
        skipped=$((skipped + 3))
        continue
    fi
    recipe $device 18_gan 'step 3000  0\.0.* 16 of 16 sectors reached'
    recipe $device 19_dqn '^it stands to the limit of 500 steps from each start'
    recipe $device 20_loss "$huber"
done

if command -v "$cxx" > /dev/null 2>&1; then
    language=c++
    for standard in 11 20; do
        # NN_FULL=1: with the library inside, which is then C++ as well.
        [ $standard = 11 ] || [ "${NN_FULL:-0}" = 0 ] || { optimise=-O0 library=; }
        # Older compilers know no C++20. The example leaves fields out of designated initialisers, which is no error.
        if echo 'int main() { return 0; }' | "$cxx" -std=c++$standard -x c++ -o probe - > /dev/null 2>&1; then
            build 09_cpp "$cxx" -std=c++$standard -Wno-error=missing-field-initializers && run 09_cpp &&
                expect "09_cpp as C++$standard" '^epoch 300 .*accuracy +9[0-9]|^epoch 300 .*accuracy 100' '\.\.\.###|###\.\.\.'
        else
            echo "SKIP 09_cpp as C++$standard: $cxx does not know it"
            skipped=$((skipped + 1))
        fi
    done
else
    echo "SKIP 09_cpp: no $cxx"
    skipped=$((skipped + 2))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
