#!/bin/sh
# Bytes of code and constants: what each feature macro saves on this machine, and what two inference programs of a firmware
# need on a Cortex-M4. Only the library's own sections are held against the limits; libm, libc and libgcc stand beside them.
# Ends with 1 when a limit is missed.
set -u
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc}
out=build/size
mkdir -p $out
macros="NN_NO_TRAINING NN_NO_REPORTS NN_NO_FILES NN_NO_THREADS NN_NO_STDIO NN_NO_SIMD NN_NO_CALL_SITES NN_NO_MALLOC"
all=$(for macro in $macros; do printf -- '-D%s ' "$macro"; done)
printf '#define NN_IMPLEMENTATION\n#include "nn.h"\n' > $out/all.c

text() { # flags: text bytes of the whole library
    # shellcheck disable=SC2086
    $CC -std=c99 -w "$@" -I. -c $out/all.c -o $out/all.o && size $out/all.o | awk 'NR == 2 { print $1 }'
}

echo "The whole library, $CC on $(uname -m), text bytes:"
printf '%-18s %9s %9s %9s\n' "" "-O2" "-Os" "saved"
full2=$(text -O2) && full=$(text -Os) || exit 1
printf '%-18s %9s %9s\n' "everything" "$full2" "$full"
for macro in $macros; do
    small=$(text -Os -D"$macro") || exit 1
    printf '%-18s %9s %9s %9s\n' "$macro" "$(text -O2 -D"$macro")" "$small" $((full - small))
done
# shellcheck disable=SC2086
small=$(text -Os $all) || exit 1
# shellcheck disable=SC2086
printf '%-18s %9s %9s %9s\n' "all of them" "$(text -O2 $all)" "$small" $((full - small))

cross=arm-none-eabi-gcc
if ! command -v $cross > /dev/null 2>&1; then
    echo "SKIP Cortex-M4: no $cross (make setup-full installs it)"
    exit 0
fi
missed=0
echo
echo "Inference on a Cortex-M4 (-Os, every NN_NO_*, one block, no malloc), bytes of code and constants:"
printf '%-10s %8s %8s %8s %9s %6s %6s %7s\n' "" "nn.h" "limit" "code" "constants" "libm" "libc" "libgcc"
for row in mlp:16384 cnn:32768; do
    name=${row%:*} limit=${row#*:}
    $cross -std=c99 -w -Os -mcpu=cortex-m4 -mthumb -ffunction-sections -fdata-sections --specs=nano.specs --specs=nosys.specs \
        -nostartfiles -Wl,--gc-sections -T tests/firmware/size_m4.ld -Wl,-Map=$out/$name.map -I. -Itests/support tests/firmware/size_$name.c \
        tests/firmware/size_start.c -o $out/$name.elf -lm 2> $out/$name.log || {
        echo "$name does not link:"
        head -n 20 $out/$name.log
        missed=1
        continue
    }
    # The map: " .text.name  address  size  file", with the name on a line of its own where it is long. What the program
    # itself brings (main, its checks, its weights) does not begin with nn and is not the library's.
    awk -v limit="$limit" -v name="$name" -v largest="$out/$name.largest" '
        /^Linker script and memory map/ { on = 1 }
        !on { next }
        /^ \.[a-zA-Z]/ { section = $1; if (NF == 1) next; address = $2; bytes = $3; file = $4 }
        /^ +0x/ { if (section == "" || NF < 3) next; address = $1; bytes = $2; file = $3 }
        !/^ \.[a-zA-Z]/ && !/^ +0x/ { section = ""; next }
        {
            # 0x1a2 by hand: mawk and POSIX awk read no hexadecimal.
            n = 0
            digits = tolower(substr(bytes, 3))
            for (i = 1; i <= length(digits); i++) n = n * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
            if (section ~ /^\.(text|rodata)/) {
                if (file ~ /libm[^\/]*\.a/) libm += n
                else if (file ~ /libc[^\/]*\.a/) libc += n
                else if (file ~ /libgcc/) libgcc += n
                else if (file ~ /\.o$/ && (section ~ /\.nn_/ || section ~ /\.str/ || section ~ /\.cst/ || section == ".rodata"))
                    { own += n; if (section ~ /^\.text/) code += n; if (n >= 300) print n, section > largest }
            }
            section = ""
        }
        END {
            printf "%-10s %8d %8d %8d %9d %6d %6d %7d  ", name, own, limit, code, own - code, libm, libc, libgcc
            if (own == 0) { print "nothing was counted: has the map of the linker changed?"; exit 1 }
            if (own <= limit) { print "ok"; exit 0 }
            print "MISSED by", own - limit; exit 1
        }' $out/$name.map || { missed=1; echo "  the largest:"; sort -rn $out/$name.largest | head -n 25 | sed 's/^/  /'; }
done
[ $missed -eq 0 ]
