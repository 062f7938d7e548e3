#!/bin/sh
# Runs test programs, some at a time, and adds up what they report.
#   tools/run_tests.sh [--compile] [--examples] [--keep-times] program...
# --compile: also tools/compile_checks.sh; --examples: also the scripts among the tests (examples, README).
# --keep-times: writes tests/times.txt anew from this run, which should have begun with nothing cached.
# Variables:
#   TEST_FILTER   only the tests whose names contain one of these words; a word that no name contains is a failure
#   TEST_JOBS     programs at a time (default: one more than cores, since some wait)
#   TEST_RUNNER   put before each program (qemu-aarch64, valgrind ...)
#   TEST_LABEL    for messages
#   TEST_PATIENCE how many times longer than on this machine alone a program may take (default: 1)
#   TEST_START    the time in seconds when it all began; TEST_BUILD: a file with the `times` of building
# The last line is "N passed, M failed, K skipped".
#
# Each program runs in a folder of its own below build/run, which has links to what tests read. Several runs, also in one
# checkout, do not disturb each other. No time decides a result: tools/speed.c measures the machine first, and a program is
# ended only after many times what tests/times.txt says that it takes there, since it then hangs.
set -u
cd "$(dirname "$0")/.." || exit 1
top=$(pwd)

# Prints the seconds of processor time of all children so far, from a file made by `times`.
cpu_of() { awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "m"); sum += t[1] * 60 + t[2] } } END { printf "%.2f", sum }' "$1"; }

# Runs one program; its status and its times go beside its log. Started by xargs below.
if [ "${1:-}" = --one ]; then
    case $2 in *"$(printf '\t')"*) exec tools/compile_checks.sh --one "$2" ;; esac
    name=$(basename "$2")
    log=$TEST_RUN/$name.log
    work=$TEST_RUN/work/$name
    mkdir -p "$work/build"
    ln -s "$top/src" "$top/tests" "$top/examples" "$top/docs" "$top/README.md" "$top"/nn*.h "$top/kernels.cl" "$work"
    (set --
     for folder in tests parts gen lib quick full; do [ ! -d "build/$folder" ] || set -- "$@" "$top/build/$folder"; done
     [ $# -eq 0 ] || ln -s "$@" "$work/build")
    start=$(date +%s)
    case $2 in
        *.sh) "./$2" > "$log" 2>&1 ;; # many programs, which have limits of their own
        *)
            units=$(awk -v name="$name" '$1 == name { print $2 }' tests/times.txt)
            limit=$(awk -v units="${units:-200}" -v wall="$TEST_WALL" -v patience="$TEST_PATIENCE" \
                'BEGIN { printf "%d", (600 + 40 * units * wall / 1000) * patience }')
            # shellcheck disable=SC2086
            (cd "$work" && exec timeout "$limit" ${TEST_RUNNER:-} "$top/$2" ${TEST_FILTER:-}) > "$log" 2>&1 ;;
    esac
    status=$?
    times > "$log.times"
    [ $status -ne 124 ] || echo "$name hangs: it was ended after $limit s" >> "$log"
    echo $status > "$log.status"
    tr -d '\r' < "$log" > "$log.text" && mv "$log.text" "$log" # Windows ends lines otherwise
    said=$(grep -E '^(FAIL|SKIP)' "$log")
    case $2 in *.sh) [ $status -eq 0 ] || said=$(cat "$log") ;; esac
    result=$(grep -E 'passed, .*failed' "$log" | tail -n 1)
    printf '%s%s\n' "${said:+$said
}" "${result:-$name} ($(($(date +%s) - start)) s)"
    [ $status -ne 0 ] || rm -rf "$work"
    exit 0
fi

label=${TEST_LABEL:+$TEST_LABEL: }
passed=0 failed=0 skipped=0
compile=0 examples=0 keep=0
while [ $# -gt 0 ]; do
    case $1 in
        --compile) compile=1 ;;
        --examples) examples=1 ;;
        --keep-times) keep=1 ;;
        *) break ;;
    esac
    shift
done

TEST_RUN=$top/build/run/$(printf '%s' "${TEST_LABEL:-tests}" | tr -c 'A-Za-z0-9' _).$$
mkdir -p "$TEST_RUN"
speed=$TEST_RUN/speed
${CC:-cc} -O1 -o "$speed" tools/speed.c && set -- "$("$speed")" "$@" || { echo "FAIL tools/speed.c does not run"; exit 1; }
unit=${1% *} TEST_WALL=${1#* } # milliseconds of processor time and by the clock
shift
: "${TEST_PATIENCE:=1}"
[ -d ../shared/data/mnist ] && : "${MNIST_DIR:=$(cd ../shared/data/mnist && pwd)}" && export MNIST_DIR
[ -d ../shared/onnx ] && : "${ONNX_DIR:=$(cd ../shared/onnx && pwd)}" && export ONNX_DIR
TEST_SLOW=$((TEST_WALL / 100 + 1)) # for limits of scripts, which are there against hangs
export TEST_RUN TEST_WALL TEST_PATIENCE TEST_SLOW
# PoCL compiles in half the time then; make test-full runs the same kernels optimised.
[ "${NN_FULL:-0}" != 0 ] || export POCL_EXTRA_BUILD_FLAGS="${POCL_EXTRA_BUILD_FLAGS--cl-opt-disable}"
# Times that are kept are those of a machine that has compiled no kernel before.
[ $keep -eq 0 ] || export POCL_CACHE_DIR="$TEST_RUN/pocl"
started=${TEST_START:-$(date +%s)}

# Adds the numbers of a last line "... N passed, M failed, K skipped"; $1: log, $2: exit status, $3: name
count() {
    numbers=$(grep -E '[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped *$' "$1" | tail -n 1 |
              sed -E 's/.*[^0-9]([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped.*/\1 \2 \3/; s/^([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped.*/\1 \2 \3/')
    if [ -z "$numbers" ]; then
        echo "FAIL $label$3 ended with status $2 and no result line; its last lines:"
        tail -n 15 "$1"
        failed=$((failed + 1))
        return
    fi
    # shellcheck disable=SC2086
    set -- "$1" "$2" "$3" $numbers
    passed=$((passed + $4)) failed=$((failed + $5)) skipped=$((skipped + $6))
    if [ "$2" -ne 0 ] && [ "$5" -eq 0 ]; then # e.g. a sanitizer's report after the last line
        echo "FAIL $label$3 ended with status $2; its last lines:"
        tail -n 25 "$1"
        failed=$((failed + 1))
    fi
}

[ $examples -eq 0 ] || set -- "$@" tests/whole/test_examples.sh tests/whole/test_readme.sh
checks=/dev/null order=$TEST_RUN/order
if [ $compile -eq 1 ]; then
    COMPILE_OUT=$TEST_RUN/compile
    export COMPILE_OUT
    tools/compile_checks.sh --prepare > "$TEST_RUN/compile.log" 2>&1
    checks=$COMPILE_OUT/list
fi
# The longest first, and compile checks last, which are short: at the end no core waits for another.
for program in "$@"; do echo "$(awk -v name="$(basename "$program")" '$1 == name { print $2 }' tests/times.txt) $program"; done |
    sort -s -k 1,1nr | sed 's/^[0-9.]* //' > "$order"
while read -r program; do [ ! -x "$program" ] || echo "$program"; done < "$order" | cat - "$checks" |
    xargs -d '\n' -P "${TEST_JOBS:-$(($(nproc 2>/dev/null || echo 1) + 1))}" -n 1 tools/run_tests.sh --one
times > "$TEST_RUN/all.times"
if [ $compile -eq 1 ]; then
    tools/compile_checks.sh --report >> "$TEST_RUN/compile.log" 2>&1
    status=$?
    cat "$TEST_RUN/compile.log"
    count "$TEST_RUN/compile.log" $status "compile checks"
fi
for program in "$@"; do
    log=$TEST_RUN/$(basename "$program").log
    if [ -f "$log.status" ]; then
        count "$log" "$(cat "$log.status")" "$(basename "$program")"
    else
        echo "FAIL $label$(basename "$program") was not built"
        failed=$((failed + 1))
    fi
done
for word in ${TEST_FILTER:-}; do
    for program in "$@"; do
        case $program in *.sh) continue ;; esac
        grep -qF "no name of a test here contains \"$word\"" "$TEST_RUN/$(basename "$program").log" || continue 2
    done
    echo "FAIL ${label}no name of a test contains \"$word\""
    failed=$((failed + 1))
done

# Prints where the time went, in units of the machine's speed, beside the numbers of tests/times.txt.
costs=$TEST_RUN/costs
for program in "$@"; do
    log=$TEST_RUN/$(basename "$program").log.times
    [ ! -f "$log" ] || echo "$(basename "$program") $(cpu_of "$log")"
done > "$costs"
[ -z "${TEST_BUILD:-}" ] || echo "building $(cpu_of "$TEST_BUILD")" >> "$costs"
[ $compile -eq 0 ] || awk -v all="$(cpu_of "$TEST_RUN/all.times")" '$1 != "building" { all -= $2 } END { printf "compile_checks %.2f\n", all }' \
    "$costs" > "$costs.checks"
cat "$costs.checks" >> "$costs" 2> /dev/null
awk -v unit="$unit" '{ printf "%s %.1f\n", $1, $2 * 1000 / unit }' "$costs" | sort -k 2,2nr > "$costs.units"
if [ $keep -eq 1 ]; then
    { echo "# What \`make test\` takes with nothing cached, in units of processor time: one is one run of tools/speed.c."
      echo "# Written by \`make test KEEP_TIMES=1\`."
      awk '{ sum += $2 } END { printf "total %.0f\n", sum }' "$costs.units"
      cat "$costs.units"; } > tests/times.txt
fi
seconds=$(($(date +%s) - started))
awk -v unit="$unit" -v seconds="$seconds" -v whole="$compile" '
    FILENAME != "tests/times.txt" { if (++n <= 8) list = list sprintf("%s%s %.0f s", (n > 1 ? ", " : ""), $1, $2 * unit / 1000); sum += $2; next }
    $1 == "total" { total = $2 }
    END {
        printf "took %d min %d s, %.0f s of processor time: %s%s", seconds / 60, seconds % 60, sum * unit / 1000, list, (n > 8 ? " ..." : "")
        if (whole && total) printf "; %.2f of the total in tests/times.txt", sum / total
        print ""
        if (whole && total && sum > 1.2 * total)
            printf "WARNING: the tests take %.0f %% more than tests/times.txt says; make them cheaper, or keep the new times\n", 100 * sum / total - 100
    }' "$costs.units" tests/times.txt
mkdir -p build/logs && cp "$TEST_RUN"/*.log build/logs 2> /dev/null
[ $failed -ne 0 ] || rm -rf "$TEST_RUN"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
