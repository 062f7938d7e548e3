#!/bin/sh
# Measures every open OpenCL device beside the CPU, CLBlast alone and, where it is installed, PyTorch; then the first step of a process,
# with cold and with warm caches.   bench/opencl.sh [--save] [--seconds s]
# --save: also writes bench/results/<date>-<device>-opencl.md.
#                  bench/opencl.sh --before program [--after program] [--rounds n] [--seconds s]
# Runs two builds of bench/bench_opencl.c alternately (after: build/bench/bench_opencl) and prints the least median of each row that both have, OpenCL
# alone, and how many times as long it takes after. The same source compiled with nn.h of two states gives the same rows.
set -u
cd "$(dirname "$0")/.." || exit 1
save=0 seconds=0.3 before='' rounds=5
program=build/bench/bench_opencl
while [ $# -gt 0 ]; do
    case $1 in
        --save) save=1 ;;
        --seconds) seconds=$2; shift ;;
        --before) before=$2; shift ;;
        --after) program=$2; shift ;;
        --rounds) rounds=$2; shift ;;
        *) echo "bench/opencl.sh: unknown argument $1" >&2; exit 1 ;;
    esac
    shift
done
PYTHON=${PYTHON:-/usr/bin/python3}
[ -x $program ] || { echo "bench/opencl.sh: no $program: run make bench-opencl"; exit 1; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2> /dev/null | head -n 1)

if [ -n "$before" ]; then
    for _ in $(seq "$rounds"); do
        "$before" "$seconds" | sed 's/^/before /' && "$program" "$seconds" | sed 's/^/after /' || exit 1
    done > "$work/turns"
    # A row: its name, the CPU's time and rate, OpenCL's. Numbers in brackets may stand apart from their bracket.
    awk '
        { which = $1; sub(/^[a-z]+ /, "") }
        /^#/ || /^us / || /CLBlast/ { next }
        {
            name = substr($0, 1, 33); rest = substr($0, 34)
            gsub(/ +/, " ", name); sub(/ $/, "", name); gsub(/\([^)]*\)/, "", rest)
            if (split(rest, f, " ") < 2) next
            key = which SUBSEP name
            if (!(key in least) || f[2] + 0 < least[key]) least[key] = f[2] + 0
            if (!(name in seen)) { seen[name] = 1; names[++count] = name }
        }
        END {
            print "| row | before, us | after, us | after / before |"
            print "| --- | --- | --- | --- |"
            for (i = 1; i <= count; i++) {
                b = least["before" SUBSEP names[i]]; a = least["after" SUBSEP names[i]]
                if (a && b) printf "| %s | %.1f | %.1f | %s%.2f |\n", names[i], b, a, (a > b ? "slower: " : ""), a / b
            }
        }' "$work/turns"
    exit 0
fi

# One process with caches of its own: ours, and those of PoCL, Mesa and NVIDIA. $1: device, $2: cache_folder of ours, $3: the driver's
first() {
    mkdir -p "$work/$3"
    POCL_CACHE_DIR=$work/$3/pocl XDG_CACHE_HOME=$work/$3 CUDA_CACHE_PATH=$work/$3/cuda $program --first "$1" "$2" 2>&1 | tail -n 1
}
report() {
    echo "# OpenCL, $(date -u +%Y-%m-%d), ${cpu:-unknown CPU}, $(nproc) core(s)"
    echo
    echo "Medians of one run, microseconds (GFLOP/s). Load before: $load, after: $(cut -d' ' -f1-3 /proc/loadavg 2> /dev/null); with a"
    echo "load above 0 before, other work ran on this machine: read ratios within a row, and those with care."
    echo
    echo '```'
    cat "$work/table"
    echo '```'
    echo
    echo "First step of W1 in a new process, nn_opencl_open included:"
    echo
    echo "| device | no cache at all | our cache cold | ours warm, the driver's cold | both warm |"
    echo "| --- | --- | --- | --- | --- |"
    for device in $(sed -n 's/^# opencl:\([0-9]*\): .*/\1/p' "$work/table"); do
        echo "| opencl:$device | $(first "$device" - a$device) | $(first "$device" "$work/ours$device" b$device) |" \
            "$(first "$device" "$work/ours$device" c$device) | $(first "$device" "$work/ours$device" b$device) |"
    done
    if [ -s "$work/torch" ]; then
        echo
        echo "PyTorch on the same machine's CPU, all cores, as installed: minimum and median in microseconds, peak kB."
        echo
        echo '```'
        cat "$work/torch"
        echo '```'
    fi
}
load=$(cut -d' ' -f1-3 /proc/loadavg 2> /dev/null)
$program "$seconds" > "$work/table" || exit 1
if "$PYTHON" -c 'import torch' 2> /dev/null; then
    "$PYTHON" bench/pytorch_w1_w5.py "$(nproc)" "$seconds" nchw 2> /dev/null | grep -E '^#|^W[123]_' > "$work/torch"
fi
report | tee "$work/report"
[ $save -eq 1 ] || exit 0
device=$(sed -n 's/^# opencl:0: \(.*\) (.*/\1/p' "$work/table")
file=bench/results/$(date -u +%Y-%m-%d)-$(echo "${device:-no device}" | tr -cs 'A-Za-z0-9\n' - | sed 's/-*$//')-opencl.md
mkdir -p bench/results
cp "$work/report" "$file"
echo "wrote $file"
