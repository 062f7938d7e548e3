#!/bin/sh
# Fetches what `make bench` compares with into build/bench, once; what cannot be had is named and left out. Nothing is installed elsewhere.
#   bench/peers.sh       build/bench/python: a virtual environment with PyTorch, JAX, ONNX Runtime, OpenVINO and ncnn (some gigabytes);
#                        build/bench/rltools: RLtools with OpenBLAS, built
# Debian's PyTorch is used beside them where python3-torch is installed. bench/products.py fetches OpenBLAS, MKL, BLIS and oneDNN itself.
set -u
cd "$(dirname "$0")/.." || exit 1
out=$PWD/build/bench
mkdir -p "$out"
missing() { echo "peers: no $1: $2" >&2; }

command -v python3 > /dev/null 2>&1 || { missing "peers at all" "there is no python3"; exit 0; }
if [ ! -x "$out/python/bin/python3" ]; then
    python3 -m venv "$out/python" || { missing "packages of PyPI" "python3 -m venv fails (Debian: python3-venv)"; exit 0; }
fi
for pair in numpy:numpy torch:torch jax:jax onnx:onnx onnxruntime:onnxruntime openvino:openvino ncnn:ncnn; do
    "$out/python/bin/python3" -c "import ${pair#*:}" > /dev/null 2>&1 && continue
    echo "peers: fetching ${pair%:*}" >&2
    "$out/python/bin/python3" -m pip install -q "${pair%:*}" > "$out/pip.log" 2>&1 ||
        missing "${pair%:*}" "$(tail -n 1 "$out/pip.log")"
done

# RLtools has its shapes compiled in, and OpenBLAS for its products.
if [ ! -x "$out/rltools/rltools_w4" ] && command -v g++ > /dev/null 2>&1; then
    mkdir -p "$out/rltools"
    (cd "$out/rltools" && "$out/python/bin/python3" -m pip download -q --no-deps rltools scipy-openblas32 &&
        for wheel in *.whl; do python3 -m zipfile -e "$wheel" .; done &&
        g++ -std=c++17 -O3 -march=native -ffast-math -fpermissive -w -Dcblas_sgemm=scipy_cblas_sgemm \
            -DRL_TOOLS_BACKEND_ENABLE_OPENBLAS -I rltools/external/rl_tools/include -I scipy_openblas32/include \
            ../../../bench/rltools_w4.cpp scipy_openblas32/lib/libscipy_openblas.so -Wl,-rpath,"$PWD/scipy_openblas32/lib" \
            -o rltools_w4) > "$out/rltools.log" 2>&1 || missing RLtools "see build/bench/rltools.log"
fi
exit 0
