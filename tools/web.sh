#!/bin/sh
# Builds the page of web/ into build/web, which any host of static files can serve. Of these compilers the first one that
# is there makes the modules; WASM_CC="command and options" names another, which must make a WASI reactor.
#   zig, or Python's package ziglang; a wasi-sdk in WASI_SDK_PATH; clang with wasi-libc; emcc
set -u
cd "$(dirname "$0")/.." || exit 1
out=build/web
mkdir -p $out
have() { command -v "$1" > /dev/null 2>&1; }
python=${PYTHON:-python3}
stack=-Wl,-z,stack-size=1048576
if [ -n "${WASM_CC:-}" ]; then compile=$WASM_CC
elif have zig; then compile="zig cc -target wasm32-wasi -mexec-model=reactor"
elif "$python" -m ziglang version > /dev/null 2>&1; then compile="$python -m ziglang cc -target wasm32-wasi -mexec-model=reactor"
elif [ -x "${WASI_SDK_PATH:-}/bin/clang" ]; then compile="$WASI_SDK_PATH/bin/clang --target=wasm32-wasi -mexec-model=reactor $stack"
elif have clang && have wasm-ld && [ -d /usr/include/wasm32-wasi ]; then compile="clang --target=wasm32-wasi -mexec-model=reactor $stack"
elif have emcc; then compile="emcc --no-entry -sSTANDALONE_WASM -sALLOW_MEMORY_GROWTH"
else
    echo "web: no compiler for WebAssembly. Install one of these:"
    echo "  pip install ziglang"
    echo "  apt install clang lld wasi-libc libclang-rt-14-dev-wasm32   (Debian 12; other releases have other numbers)"
    echo "  apt install emscripten"
    echo "  https://github.com/WebAssembly/wasi-sdk, and WASI_SDK_PATH=its folder"
    exit 1
fi
command="$compile -std=gnu99 -Os -fno-sanitize=undefined -Wl,--strip-all"

# A module is made again if one of its sources or the compiler has changed.
module() { # name, source, flags
    line="$command $3"
    [ -f "$out/$1.wasm" ] && [ "$(cat "$out/$1.command" 2> /dev/null)" = "$line" ] &&
        [ -z "$(find nn.h nn_more.h nn_sequence.h nn_quantize.h nn_onnx.h "web/$2.c" examples/draw_digits.h -newer "$out/$1.wasm")" ] && return
    echo "making $out/$1.wasm"
    rm -f "$out/$1.wasm"
    # shellcheck disable=SC2086
    $line -o "$out/$1.wasm" "web/$2.c" || exit 1
    chmod 644 "$out/$1.wasm"
    echo "$line" > "$out/$1.command"
}
module digits digits -msimd128
module digits-plain digits ""
module onnx onnx -msimd128
cp web/*.html web/*.css web/*.js $out
for name in digits digits-plain onnx; do
    echo "$name.wasm: $(wc -c < $out/$name.wasm) bytes, $(gzip -9c $out/$name.wasm | wc -c) with gzip"
done
echo "serve $out, for example with: python3 -m http.server -d $out"
