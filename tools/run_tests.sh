#!/bin/sh
# Runs test programs, some at a time, and adds up what they report.
#   tools/run_tests.sh [--compile] [--examples] program...
# --compile: also tools/compile_checks.sh; --examples: also tests/test_examples.sh, test_readme.sh, oclgrind.sh.
# TEST_TIMEOUT: seconds a program may take (600: a slow machine may build every OpenCL kernel for the first time).
# TEST_JOBS: programs at a time (one more than cores, as some wait for time-outs). TEST_FILTER: only the tests whose names
# contain one of these words; one that no name of a test contains is a failure. TEST_RUNNER: put before each program (qemu-aarch64, valgrind ...). TEST_LABEL: for messages. TEST_START: the
# time in seconds when it all began, for the line that says how long it took. The last line is
# "N passed, M failed, K skipped".
# Programs run in the repository's root beside each other, so the files that a test writes have names of their own.
set -u
cd "$(dirname "$0")/.." || exit 1
started=${TEST_START:-$(date +%s)}
limit=${TEST_TIMEOUT:-600}
runner=${TEST_RUNNER:-}
label=${TEST_LABEL:+$TEST_LABEL: }
passed=0 failed=0 skipped=0
compile=0 examples=0
mkdir -p build/logs

log_of() { # program
    echo "build/logs/$(printf '%s' "$label$(basename "$1")" | tr -c 'A-Za-z0-9_' _).log"
}

# Runs one program; its status goes beside its log. Started by xargs below. A line with a tab is a compile check.
if [ "${1:-}" = --one ]; then
    case $2 in *"$(printf '\t')"*) exec tools/compile_checks.sh --one "$2" ;; esac
    log=$(log_of "$2")
    start=$(date +%s)
    # shellcheck disable=SC2086
    case $2 in
        *.sh) "./$2" > "$log" 2>&1 ;; # many programs, which have limits of their own
        *) timeout "$limit" $runner "./$2" ${TEST_FILTER:-} > "$log" 2>&1 ;;
    esac
    status=$?
    echo $status > "$log.status"
    tr -d '\r' < "$log" > "$log.text" && mv "$log.text" "$log" # Windows ends lines otherwise
    said=$(grep -E '^(FAIL|SKIP)' "$log")
    case $2 in *.sh) [ $status -eq 0 ] || said=$(cat "$log") ;; esac
    result=$(grep -E 'passed, .*failed' "$log" | tail -n 1)
    printf '%s%s\n' "${said:+$said
}" "${result:-$(basename "$2")} ($(($(date +%s) - start)) s)"
    exit 0
fi
while [ $# -gt 0 ]; do
    case $1 in
        --compile) compile=1 ;;
        --examples) examples=1 ;;
        *) break ;;
    esac
    shift
done

# Adds the numbers of a last line "... N passed, M failed, K skipped"; $1: log, $2: exit status, $3: name
count() {
    numbers=$(grep -E '[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped *$' "$1" | tail -n 1 |
              sed -E 's/.*[^0-9]([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped.*/\1 \2 \3/; s/^([0-9]+) passed, ([0-9]+) failed, ([0-9]+) skipped.*/\1 \2 \3/')
    if [ -z "$numbers" ]; then
        [ "$2" -eq 124 ] && why="took longer than $limit s" || why="ended with status $2 and no result line"
        echo "FAIL $label$3 $why; its last lines:"
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

[ $examples -eq 0 ] || set -- "$@" tests/test_examples.sh tests/test_readme.sh tests/oclgrind.sh
checks=/dev/null order=build/logs/order.$$
if [ $compile -eq 1 ]; then
    rm -f build/compile/list build/compile/results
    tools/compile_checks.sh --prepare > build/logs/compile.log 2>&1
    checks=build/compile/list
fi
# The longest first, and compile checks last, which are short: at the end no core waits for another.
long="test_backends test_random_graphs test_examples.sh test_opencl test_catalogue oclgrind.sh test_opencl_training
 test_exchange test_opencl_calls test_opencl_profile test_moving test_reproducible test_reductions test_pointwise test_dtypes
 test_profile test_matmul test_readme.sh test_loader test_host"
for program in $long; do
    for given in "$@"; do [ "$(basename "$given")" != "$program" ] || echo "$given"; done
done > $order
for program in "$@"; do
    rm -f "$(log_of "$program").status"
    grep -qxF -- "$program" $order || echo "$program" >> $order
done
while read -r program; do [ ! -x "$program" ] || echo "$program"; done < $order | cat - $checks |
    xargs -d '\n' -P "${TEST_JOBS:-$(($(nproc 2>/dev/null || echo 1) + 1))}" -n 1 tools/run_tests.sh --one
rm -f $order
if [ $compile -eq 1 ]; then
    tools/compile_checks.sh --report >> build/logs/compile.log 2>&1
    status=$?
    cat build/logs/compile.log
    count build/logs/compile.log $status "compile checks"
fi
for program in "$@"; do
    log=$(log_of "$program")
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
        grep -qF "no name of a test here contains \"$word\"" "$(log_of "$program")" || continue 2
    done
    echo "FAIL ${label}no name of a test contains \"$word\""
    failed=$((failed + 1))
done
seconds=$(($(date +%s) - started))
echo "took $((seconds / 60)) min $((seconds % 60)) s"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
