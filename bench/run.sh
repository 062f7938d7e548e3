#!/bin/sh
# Speed and memory of W1-W5, and steps of whole nets, beside Debian's PyTorch, interleaved in one run: every round runs every peer
# once. Then what a process takes beside its steps (bench_start.c), and the larger operations of bench_ops.c, each beside
# PyTorch's.
#   bench/run.sh [--save] [--rounds n] [--seconds s] [--threads "1 2"]
# --save: also writes bench/results/<date>-<cpu>.md. PyTorch "stock": as it is installed, NCHW and channels_last; "tuned": the
# best that could be had out of it (malloc that keeps its pages, OpenBLAS built with OpenMP and told of AVX-512; both layouts).
# Without python3-torch only our side runs. PYTHON: which python (/usr/bin/python3). Read ratios; times of a shared machine move.
set -u
cd "$(dirname "$0")/.." || exit 1
save=0 rounds=3 seconds=0.5 threads="1 2"
while [ $# -gt 0 ]; do
    case $1 in
        --save) save=1 ;;
        --rounds) rounds=$2; shift ;;
        --seconds) seconds=$2; shift ;;
        --threads) threads=$2; shift ;;
        *) echo "bench/run.sh: unknown argument $1" >&2; exit 1 ;;
    esac
    shift
done
PYTHON=${PYTHON:-/usr/bin/python3}
out=build/bench
raw=$out/raw.txt
mkdir -p $out
: > $raw

# Our program: `make bench` builds it; alone, this script does.
ours=${OURS:-$out/bench_w1_w5}
if [ ! -x "$ours" ]; then
    ${CC:-cc} -std=c99 -O2 -I. -o "$ours" bench/bench_w1_w5.c -lm -lpthread || exit 1
fi

start=$(dirname "$ours")/bench_start
if [ ! -x "$start" ]; then
    ${CC:-cc} -std=c99 -O2 -I. -o "$start" bench/bench_start.c -lm -lpthread || exit 1
fi

nets=$(dirname "$ours")/bench_nets
if [ ! -x "$nets" ]; then
    ${CC:-cc} -std=c99 -O2 -I. -o "$nets" bench/bench_nets.c -lm -lpthread || exit 1
fi

torch=1
if ! "$PYTHON" -c 'import torch' 2> /dev/null; then
    torch=0
    echo "skipped PyTorch: no torch module for $PYTHON (Debian: python3-torch)"
fi

# libblas.so.3 of a bare Debian is the slow reference implementation: stock means OpenBLAS, which Debian recommends. What is not
# installed is unpacked into build/bench, not installed.
arch=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2> /dev/null || echo x86_64-linux-gnu)
unpacked=$PWD/$out/openblas
find_blas() { # pthread or openmp: the folder with its libblas.so.3
    for folder in /usr/lib/$arch/openblas-$1 "$unpacked/usr/lib/$arch/openblas-$1"; do
        [ -f "$folder/libblas.so.3" ] && { echo "$folder"; return; }
    done
}
if [ $torch -eq 1 ] && { [ -z "$(find_blas pthread)" ] || [ -z "$(find_blas openmp)" ]; } && command -v apt-get > /dev/null 2>&1; then
    echo "unpacking Debian's OpenBLAS into $out/openblas"
    mkdir -p "$unpacked"
    (cd "$unpacked" && apt-get download libopenblas0-pthread libopenblas0-openmp libgfortran5 > /dev/null 2>&1 &&
     for package in *.deb; do dpkg -x "$package" .; done)
fi
pthread_blas=$(find_blas pthread)
openmp_blas=$(find_blas openmp)
fortran=$unpacked/usr/lib/$arch
core=
grep -q avx512f /proc/cpuinfo 2> /dev/null && core=SkylakeX
notes=
[ $torch -eq 1 ] && [ -z "$pthread_blas" ] && notes="PyTorch stock without OpenBLAS (the reference BLAS). "
[ $torch -eq 1 ] && [ -z "$openmp_blas" ] && notes="${notes}PyTorch tuned without OpenBLAS/OpenMP. "

keep() { # peer, threads: prefixes the lines
    grep -v '^#' | sed "s/^/$1 $2 /" >> $raw
}
stock() { # threads, layout
    env OMP_NUM_THREADS="$1" LD_LIBRARY_PATH="$pthread_blas:$fortran" "$PYTHON" bench/pytorch_w1_w5.py "$1" "$seconds" "$2"
    env OMP_NUM_THREADS="$1" LD_LIBRARY_PATH="$pthread_blas:$fortran" "$PYTHON" bench/pytorch_nets.py "$1" "$seconds" "$2"
}
tuned() {
    env OMP_NUM_THREADS="$1" LD_LIBRARY_PATH="$openmp_blas:$fortran" ${core:+OPENBLAS_CORETYPE=$core} \
        MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=8589934592 MALLOC_TOP_PAD_=67108864 \
        "$PYTHON" bench/pytorch_w1_w5.py "$1" "$seconds" "$2"
}

for round in $(seq "$rounds"); do
    for t in $threads; do
        echo "round $round of $rounds, $t thread(s)" >&2
        "$ours" "$t" "$seconds" | keep ours "$t"
        "$nets" "$t" "$seconds" | keep ours "$t"
        [ $torch -eq 1 ] || continue
        stock "$t" nchw | keep stock "$t"
        "$ours" "$t" "$seconds" | keep ours "$t"
        stock "$t" channels_last | keep stock_last "$t"
        tuned "$t" nchw | keep tuned "$t"
        "$ours" "$t" "$seconds" | keep ours "$t"
        tuned "$t" channels_last | keep tuned_last "$t"
    done
done

cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2> /dev/null | head -n 1)
table() {
    echo "# W1-W5, $(date -u +%Y-%m-%d), ${cpu:-unknown CPU}, $(nproc) core(s)"
    echo
    echo "Microseconds: minimum / median of the rounds' medians. Ratios are of minima: how many times faster than PyTorch (above 1: faster)."
    echo "stock: NCHW; tuned: the faster of NCHW and channels_last. Load when done: $(cut -d' ' -f1-3 /proc/loadavg 2> /dev/null). ${notes}"
    echo
    awk '
        function least(key) { return key in low ? low[key] : 0 }
        function middle(key,   n, i, j, swap, list) {
            n = split(medians[key], list, " ")
            for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++)
                if (list[j] + 0 < list[i] + 0) { swap = list[i]; list[i] = list[j]; list[j] = swap }
            return list[int((n + 1) / 2)]
        }
        function number(value) { return value >= 1000 ? sprintf("%.0f", value) : value >= 10 ? sprintf("%.1f", value) : sprintf("%.2f", value) }
        function cell(key) { return key in low ? number(low[key]) " / " number(middle(key)) : "-" }
        function ratio(a, b) { return a > 0 && b > 0 ? sprintf("%.2f", a / b) : "-" }
        {
            key = $1 SUBSEP $2 SUBSEP $3
            if (!(key in low) || $4 < low[key]) low[key] = $4
            if (!(key in rss) || $6 < rss[key]) rss[key] = $6
            medians[key] = medians[key] " " $5
            if (!(($2, $3) in seen)) { seen[$2, $3] = 1; rows[++count] = $2 SUBSEP $3 }
        }
        END {
            print "| work | threads | ours | stock NCHW | stock channels_last | tuned NCHW | tuned channels_last | stock / ours | tuned / ours |"
            print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
            for (i = 1; i <= count; i++) {
                split(rows[i], part, SUBSEP)
                row = part[1] SUBSEP part[2]
                best = least("tuned" SUBSEP row)
                last = least("tuned_last" SUBSEP row)
                if (last > 0 && last < best) best = last
                mine = least("ours" SUBSEP row)
                printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", part[2], part[1], cell("ours" SUBSEP row), cell("stock" SUBSEP row),
                    cell("stock_last" SUBSEP row), cell("tuned" SUBSEP row), cell("tuned_last" SUBSEP row),
                    ratio(least("stock" SUBSEP row), mine), ratio(best, mine)
            }
            print "\nPeak resident memory after W1 and after W2, kB:\n"
            print "| work | threads | ours | stock NCHW | stock / ours |\n| --- | --- | --- | --- | --- |"
            for (i = 1; i <= count; i++) {
                split(rows[i], part, SUBSEP)
                row = part[1] SUBSEP part[2]
                if (part[2] !~ /^W[12]_train/) continue
                theirs = ("stock" SUBSEP row) in rss ? rss["stock" SUBSEP row] : 0
                printf "| %s | %s | %d | %s | %s |\n", part[2], part[1], rss["ours" SUBSEP row], theirs ? theirs : "-",
                    ratio(theirs, rss["ours" SUBSEP row])
            }
        }' $raw
}
table | tee $out/table.md
# Memory of a process that trains, the way to its first step, and what it does between frames.
{ echo; echo "Start, memory, idle:"; echo; } | tee -a $out/table.md
for t in $threads; do
    "$start" "$t" 20 | sed 's/^/    /' | tee -a $out/table.md
done
# Single operations, in the same turns.
if [ $torch -eq 1 ] && [ -x $out/bench_ops ]; then
    for t in $threads; do
        echo
        BENCH_OPS=$out/bench_ops OMP_NUM_THREADS="$t" LD_LIBRARY_PATH="$pthread_blas:$fortran" \
            "$PYTHON" bench/pytorch_ops.py "$t" "$rounds"
    done | tee -a $out/table.md
fi
# A step of GPT-2 124M, where PyTorch has attention (2.0 and later).
if [ -x $out/bench_gpt2 ] && "$PYTHON" -c 'from torch.nn.functional import scaled_dot_product_attention' 2> /dev/null; then
    for t in $threads; do
        echo
        BENCH_GPT2=$out/bench_gpt2 OMP_NUM_THREADS="$t" "$PYTHON" bench/pytorch_gpt2.py "$t" "$rounds"
    done | tee -a $out/table.md
fi
# Products of linear layers beside OpenBLAS, MKL, BLIS and oneDNN, which it fetches.
if [ -x $out/bench_products ]; then
    echo
    BENCH_PRODUCTS=$out/bench_products "$PYTHON" bench/products.py "$threads" "$rounds" | tee -a $out/table.md
fi
# Nets that only infer, beside runtimes for that; and seconds to learn MNIST's digits, where they are (MNIST_DIR=folder).
if [ -x $out/bench_infer ] && "$PYTHON" -c 'import numpy' 2> /dev/null; then
    for t in $threads; do
        echo
        BENCH_INFER=$out/bench_infer "$PYTHON" -W ignore bench/peers_infer.py "$t" $((rounds * 5))
    done | tee -a $out/table.md
fi
if [ -x $out/bench_mnist ] && [ -n "${MNIST_DIR:-}" ] && [ $torch -eq 1 ]; then
    for t in $threads; do
        echo
        BENCH_MNIST=$out/bench_mnist "$PYTHON" bench/pytorch_mnist.py "$MNIST_DIR" "$t"
    done | tee -a $out/table.md
fi
if [ $save -eq 1 ]; then
    mkdir -p bench/results
    file=bench/results/$(date -u +%Y-%m-%d)-$(echo "${cpu:-unknown}" | tr -cs 'A-Za-z0-9\n' - | sed 's/-*$//').md
    cp $out/table.md "$file"
    echo "wrote $file"
fi
PYTHON=$PYTHON bench/parallel.sh 1
