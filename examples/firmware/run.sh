#!/bin/sh
# run.sh [folder]: trains the nets of this folder on this machine, compiles the programs for two boards that qemu-system-arm emulates
# (a Cortex-M4 with a floating-point unit, and a Cortex-M3 without), and runs them. It wants a C compiler, arm-none-eabi-gcc with newlib
# and qemu-system-arm: apt-get install gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm.
# folder: for the programs, default build/firmware. NN_SHORT=1 trains less, and a program may then be right too rarely. Prints a line for
# each program; the exit code is the number of those that failed.
here=$(cd "$(dirname "$0")" && pwd)
out=${1:-$here/../../build/firmware}
compiler=${CC:-cc} # may have options, or "ccache" before it
for tool in "${compiler%% *}" arm-none-eabi-gcc qemu-system-arm; do
    command -v "$tool" > /dev/null || { echo "run.sh: $tool is missing"; exit 1; }
done
mkdir -p "$out" && cd "$out" || exit 1

for program in firmware/print_nets 34_keywords; do # they print the nets as headers
    $compiler -O1 -w "$here/../$program.c" -o "${program##*/}" -lm -lpthread && "./${program##*/}" || exit 1
done

failed=0
for board in mps2-an386 mps2-an385; do
    case $board in
    mps2-an386) processor="-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard" ;;
    *) processor=-mcpu=cortex-m3 ;;
    esac
    for program in digits keywords anomaly last_layer; do
        # shellcheck disable=SC2086
        arm-none-eabi-gcc -std=c99 -w -Os -mthumb $processor -ffunction-sections -fdata-sections --specs=nano.specs --specs=nosys.specs \
            -nostartfiles -Wl,--gc-sections -T "$here/board.ld" -I. -I"$here/../.." "$here/$program.c" -o "$program.elf" -lm || exit 1
        arm-none-eabi-size "$program.elf" |
            awk -v name="$board" 'NR == 2 { printf "%s, %d KB of flash, %d KB of RAM without the stack: ", name, ($1 + $2) / 1024, ($2 + $3) / 1024 }'
        timeout 300 qemu-system-arm -M $board -nographic -monitor none -serial none -semihosting-config enable=on,target=native \
            -kernel "$program.elf"
        code=$?
        if [ "$code" = 1 ] && [ -n "$NN_SHORT" ]; then continue; fi # right too rarely
        if [ "$code" != 0 ]; then echo "FAIL: $program ended with $code"; failed=$((failed + 1)); fi
    done
done
exit $failed
