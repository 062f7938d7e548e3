#!/bin/sh
# Measures everything that is compared with others, alternately within one run: fetches the peers (bench/peers.sh), runs each part in every round, and
# ends with the table of targets (bench/targets.py), which says for each work what is wanted and what this run saw.
#   bench/run.sh [--save] [--rounds n] [--seconds s] [--threads "1 2"] [--parts "steps nets ..."] [--no-fetch]
# Parts, in their order (default: all; a quarter of an hour a round):
#   steps     W1 to W5 beside PyTorch (stock, tuned in two layouts, compiled), Debian's PyTorch, JAX, RLtools
#   nets      steps of whole nets beside PyTorch         convs     convolutions of real nets beside PyTorch
#   products  beside OpenBLAS, MKL, BLIS, oneDNN         infer     one picture beside ONNX Runtime, OpenVINO, ncnn
#   start     first step, memory and idle time           bandwidth what waits for memory beside a plain pass over it
#   digits    seconds to learn MNIST (MNIST_DIR=folder)  parallel  two processes beside one and beside DistributedDataParallel
#   avx2      W1 to W5 and whole nets once more, we and PyTorch told that the machine has no AVX-512
#   ops, gpt2 (only where asked for, they take long): single operations and a step of GPT-2 124M beside PyTorch
# --save: also writes bench/results/<date>-targets.md. PYTHON: which python has the peers (default: build/bench/python, made by
# bench/peers.sh, else /usr/bin/python3). Without python only our side runs. Read ratios; the times of a shared machine vary.
set -u
cd "$(dirname "$0")/.." || exit 1
save=0 rounds=3 seconds=0.5 threads="1 2" fetch=1
parts="steps nets avx2 convs products infer start bandwidth digits parallel"
while [ $# -gt 0 ]; do
    case $1 in
        --save) save=1 ;;
        --rounds) rounds=$2; shift ;;
        --seconds) seconds=$2; shift ;;
        --threads) threads=$2; shift ;;
        --parts) parts=$2; shift ;;
        --no-fetch) fetch=0 ;;
        *) echo "bench/run.sh: unknown argument $1" >&2; exit 1 ;;
    esac
    shift
done
out=build/bench
raw=$out/raw
rm -rf $raw
mkdir -p $raw
[ $fetch -eq 1 ] && [ -z "${PYTHON:-}" ] && bench/peers.sh
if [ -z "${PYTHON:-}" ]; then
    PYTHON=$PWD/$out/python/bin/python3
    [ -x "$PYTHON" ] || PYTHON=/usr/bin/python3
fi
export PYTHON
program() { # name: its path, built where it is not yet
    [ -x "$out/$1" ] || make "$out/$1" > /dev/null || exit 1
    echo "$out/$1"
}
has() { # python, module
    [ -x "$1" ] && "$1" -c "import $2" > /dev/null 2>&1
}
torch=0
has "$PYTHON" torch && torch=1
debian=0
[ "$PYTHON" != /usr/bin/python3 ] && has /usr/bin/python3 torch && debian=1

# libblas.so.3 of a bare Debian is the slow reference implementation: Debian's PyTorch is given OpenBLAS, which Debian recommends. What is
# not installed is unpacked into build/bench, not installed.
arch=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2> /dev/null || echo x86_64-linux-gnu)
unpacked=$PWD/$out/openblas
find_blas() { # the folder with the libblas.so.3 of OpenBLAS with OpenMP
    for folder in "/usr/lib/$arch/openblas-openmp" "$unpacked/usr/lib/$arch/openblas-openmp"; do
        [ -f "$folder/libblas.so.3" ] && { echo "$folder"; return; }
    done
}
if [ $debian -eq 1 ] && [ -z "$(find_blas)" ] && command -v apt-get > /dev/null 2>&1; then
    mkdir -p "$unpacked"
    (cd "$unpacked" && apt-get download libopenblas0-openmp libgfortran5 > /dev/null 2>&1 &&
     for package in *.deb; do dpkg -x "$package" .; done)
fi
blas=$(find_blas)
core=
grep -q avx512f /proc/cpuinfo 2> /dev/null && core=SkylakeX

keep() { # file, peer, threads: what it says of itself, and its lines with the peer before them
    tee -a $raw/notes.txt | grep -v '^#' | sed "s/^/$2 $3 /" >> "$raw/$1"
}
# A malloc that keeps its pages, as tcmalloc does.
tuned() { # python, script, threads, layout
    env OMP_NUM_THREADS="$3" MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=8589934592 MALLOC_TOP_PAD_=67108864 \
        "$1" -W ignore "bench/$2" "$3" "$seconds" "$4" 2>> $raw/errors.txt
}
debian() { # threads, layout
    LD_LIBRARY_PATH="$blas:$unpacked/usr/lib/$arch" OPENBLAS_CORETYPE=$core tuned /usr/bin/python3 pytorch_w1_w5.py "$1" "$2"
}
jax() { # threads
    "$PYTHON" -W ignore bench/jax_w1_w5.py "$1" "$seconds" 2>> $raw/errors.txt
}
rltools() { # its program has one thread
    OPENBLAS_NUM_THREADS=1 OPENBLAS_CORETYPE=$core $out/rltools/rltools_w4
}

part_steps() {
    ours=$(program bench_w1_w5)
    "$ours" "$2" "$seconds" | keep steps.txt nn.h "$2"
    if [ $torch -eq 1 ]; then
        env OMP_NUM_THREADS="$2" "$PYTHON" bench/pytorch_w1_w5.py "$2" "$seconds" nchw | keep steps.txt PyTorch_stock "$2"
        for layout in nchw channels_last compiled; do
            tuned "$PYTHON" pytorch_w1_w5.py "$2" $layout | keep steps.txt "PyTorch_$layout" "$2"
            "$ours" "$2" "$seconds" | keep steps.txt nn.h "$2"
        done
    fi
    [ $debian -eq 1 ] && for layout in nchw channels_last; do debian "$2" $layout | keep steps.txt "Debian_$layout" "$2"; done
    has "$PYTHON" jax && jax "$2" | keep steps.txt JAX "$2"
    [ -x $out/rltools/rltools_w4 ] && rltools | keep steps.txt RLtools "$2"
    "$ours" "$2" "$seconds" | keep steps.txt nn.h "$2"
}
part_nets() {
    ours=$(program bench_nets)
    "$ours" "$2" "$seconds" | keep nets.txt nn.h "$2"
    [ $torch -eq 1 ] || return
    for layout in nchw channels_last; do
        tuned "$PYTHON" pytorch_nets.py "$2" $layout | keep nets.txt "PyTorch_$layout" "$2"
        "$ours" "$2" "$seconds" | keep nets.txt nn.h "$2"
    done
}
part_avx2() {
    grep -q avx512f /proc/cpuinfo 2> /dev/null || return # else the parts before have said it
    steps=$(program bench_w1_w5)
    nets=$(program bench_nets)
    "$steps" "$2" "$seconds" "" 2 | keep avx2.txt nn.h "$2"
    BENCH_SET=2 "$nets" "$2" "$seconds" | keep avx2.txt nn.h "$2"
    [ $torch -eq 1 ] || return
    for layout in nchw channels_last; do
        for script in pytorch_w1_w5.py pytorch_nets.py; do
            ATEN_CPU_CAPABILITY=avx2 ONEDNN_MAX_CPU_ISA=AVX2 MKL_ENABLE_INSTRUCTIONS=AVX2 tuned "$PYTHON" $script "$2" $layout |
                keep avx2.txt "PyTorch_$layout" "$2"
        done
    done
}
part_convs() { # once: its rows have rounds of their own
    [ "$1" -eq 1 ] && [ $torch -eq 1 ] || return
    BENCH_CONVS=$(program bench_convs) OMP_NUM_THREADS="$2" "$PYTHON" bench/pytorch_convs.py "$2" "$rounds" > "$raw/convs-$2.txt"
}
part_products() {
    [ "$1" -eq 1 ] && has "$PYTHON" json || return
    BENCH_PRODUCTS=$(program bench_products) "$PYTHON" bench/products.py "$2" "$rounds" > "$raw/products-$2.txt"
}
part_infer() {
    [ "$1" -eq 1 ] && has "$PYTHON" numpy || return
    BENCH_INFER=$(program bench_infer) "$PYTHON" -W ignore bench/peers_infer.py "$2" $((rounds * 5)) > "$raw/infer-$2.txt"
}
part_start() {
    [ "$1" -eq 1 ] && "$(program bench_start)" "$2" 20 > "$raw/start-$2.txt"
}
part_bandwidth() {
    [ "$1" -eq 1 ] && has "$PYTHON" json || return
    BENCH_OPS=$(program bench_ops) BENCH_UPDATE=$(program bench_update) "$PYTHON" bench/bandwidth.py "$2" "$rounds" > "$raw/bandwidth-$2.txt"
}
part_digits() {
    [ "$1" -eq 1 ] && [ -n "${MNIST_DIR:-}" ] && [ $torch -eq 1 ] || return
    BENCH_MNIST=$(program bench_mnist) "$PYTHON" bench/pytorch_mnist.py "$MNIST_DIR" "$2" > "$raw/digits-$2.txt"
}
part_ops() {
    [ "$1" -eq 1 ] && [ $torch -eq 1 ] || return
    BENCH_OPS=$(program bench_ops) OMP_NUM_THREADS="$2" "$PYTHON" bench/pytorch_ops.py "$2" "$rounds" > "$raw/ops-$2.txt"
}
part_gpt2() {
    [ "$1" -eq 1 ] && [ $torch -eq 1 ] || return
    BENCH_GPT2=$(program bench_gpt2) OMP_NUM_THREADS="$2" "$PYTHON" bench/pytorch_gpt2.py "$2" "$rounds" > "$raw/gpt2-$2.txt"
}
for round in $(seq "$rounds"); do
    for t in $threads; do
        for part in $parts; do
            [ "$part" = parallel ] && continue
            echo "round $round of $rounds, $t thread(s): $part" >&2
            "part_$part" "$round" "$t"
        done
    done
done
case " $parts " in *" parallel "*) bench/parallel.sh "$rounds" > $raw/parallel.txt ;; esac

if has "$PYTHON" json; then
    "$PYTHON" bench/targets.py $raw | tee $out/table.md
else
    cat $raw/*.txt
fi
if [ $save -eq 1 ] && [ -s $out/table.md ]; then
    file=bench/results/$(date -u +%Y-%m-%d)-targets.md
    cp $out/table.md "$file"
    echo "wrote $file"
fi
