#!/bin/sh
# Measures what the drop-in costs: seconds of the compiler, bytes of text, of programs and of the header. Without
# arguments it prints all of it, which takes half an hour; with arguments, only these parts:
#   whole      the whole library at -O0, -O1, -O2, and beside it sqlite3.c and miniaudio.h, where they are found (below)
#   programs   typical programs in one file, with everything in them and with NN_STATIC
#   debug      a training step of W2 (bench/bench_w1_w5.c) without optimization, beside -O2
#   web        a training program for WebAssembly, gzipped, where `python3 -m ziglang cc` is found
#   rooms      bytes of the header by room of src/
#   macros     what each feature macro saves
#   m4         two inference programs of a firmware on a Cortex-M4, held against their limits
# Seconds are those of the processor (user time). For programs it prints the text that `size` counts: code, constants and
# unwind tables, with what the C library adds to it. SQLITE=sqlite3.c and MINIAUDIO=miniaudio.h name the files of peers; the
# source packages of Debian have both (apt-get source sqlite3 miniaudio). Ends with 1 when a limit is missed.
set -u
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc}
out=build/size
mkdir -p $out
printf '#define NN_IMPLEMENTATION\n#include "nn.h"\n' > $out/all.c
asked="${*:-whole programs debug web rooms macros m4}"
asks() { case " $asked " in *" $1 "*) ;; *) return 1 ;; esac; }
for word in $asked; do
    case $word in
        whole | programs | debug | web | rooms | macros | m4) ;;
        *) echo "size: $word is none of whole, programs, debug, web, rooms, macros, m4"; exit 1 ;;
    esac
done

text() { # flags: text bytes of the whole library
    # shellcheck disable=SC2086
    $CC -std=c99 -w "$@" -I. -c $out/all.c -o $out/all.o && size $out/all.o | awk 'NR == 2 { print $1 }'
}
# Runs a command and prints the seconds of the processor that it took; the shell's own are not counted.
seconds() {
    sh -c '"$@" > /dev/null 2> '$out'/said || echo failed; times' seconds "$@" > $out/times
    grep -q failed $out/times && { echo failed; return 1; }
    awk 'END { split($1, part, /[ms]/); printf "%.1f\n", part[1] * 60 + part[2] }' $out/times
}
# Prints a row: the seconds that a compiler takes, and the text of the file that it makes.
row() { # name, file to look at, command
    label=$1 made=$2
    shift 2
    took=$(seconds "$@") || { echo "  $label does not compile:"; head -n 5 $out/said; return 1; }
    printf '%-34s %8s %10s\n' "$label" "$took" "$(size "$made" | awk 'NR == 2 { print $1 }')"
}

if asks whole; then
    echo "Whole libraries in one object, $CC on $(uname -m), seconds and text bytes:"
    for level in -O0 -O1 -O2; do
        row "nn.h $level" $out/all.o $CC -std=c99 -w $level -I. -c $out/all.c -o $out/all.o
    done
    printf '#define NN_IMPLEMENTATION\n#include "packaging/nn_all.h"\n' > $out/more.c
    row "with nn_more.h and the other three" $out/more.o $CC -std=c99 -w -O2 -I. -c $out/more.c -o $out/more.o
    for part in text onnx audio; do
        upper=$(echo $part | tr 'a-z' 'A-Z')
        printf '#define NN_IMPLEMENTATION\n#define NN_%s_IMPLEMENTATION\n#include "nn.h"\n#include "nn_%s.h"\n' "$upper" $part > $out/$part.c
        row "nn_$part.h -O2, nn.h included" $out/$part.o $CC -std=c99 -w -O2 -I. -c $out/$part.c -o $out/$part.o
        # The cost of this header alone; a program compiles nn.h in another file.
        printf '#define NN_%s_IMPLEMENTATION\n#include "nn_%s.h"\n' "$upper" $part > $out/$part.c
        row "nn_$part.h -O2 alone" $out/$part.o $CC -std=c99 -w -O2 -I. -c $out/$part.c -o $out/$part.o
    done
    sqlite=${SQLITE:-$(find /usr/src /usr/include /usr/local/include -name sqlite3.c 2> /dev/null | head -n 1)}
    audio=${MINIAUDIO:-$(find /usr/src /usr/include /usr/local/include -name miniaudio.h 2> /dev/null | head -n 1)}
    for peer in "sqlite3.c:$sqlite" "miniaudio.h:$audio"; do
        name=${peer%%:*} file=${peer#*:}
        [ -r "$file" ] || { echo "SKIP $name: not found (apt-get source ${name%.*} has it)"; continue; }
        case $name in
            miniaudio.h) printf '#define MINIAUDIO_IMPLEMENTATION\n#include "%s"\n' "$file" > $out/peer.c; file=$out/peer.c ;;
        esac
        for level in -O0 -O2; do row "$name $level" $out/peer.o $CC -w $level -c "$file" -o $out/peer.o; done
    done
    echo
fi

if asks programs; then
    echo "Programs in one file, no linker option, $CC -std=gnu99, seconds and text bytes:"
    for file in tests/whole/size_infer.c tests/whole/size_typical.c tests/whole/size_digits.c examples/01_regression.c examples/02_digits.c examples/03_classify.c; do
        program=$(basename $file .c)
        # To have everything in it, the file is compiled with NN_IMPLEMENTATION in place of NN_STATIC.
        sed 's/^#define NN_STATIC/#define NN_IMPLEMENTATION/; s,"../nn.h","nn.h",' $file > $out/$program.c
        row "$program" $out/program $CC -std=gnu99 -w -O2 -I. -Iexamples -o $out/program $out/$program.c -lm -lpthread
        for level in -O0 -O1 -O2; do
            row "$program, NN_STATIC $level" $out/program $CC -std=gnu99 -w $level -DNN_STATIC -I. -Iexamples -o $out/program \
                $out/$program.c -lm -lpthread
        done
    done
    echo
fi

if asks debug; then
    echo "A training step of W2, one thread, least and median in microseconds:"
    for level in -O0 -O2; do
        # shellcheck disable=SC2086
        if $CC -std=gnu99 -w $level -Ibench -I. -o $out/steps bench/bench_w1_w5.c -lm -lpthread 2> $out/said; then
            printf '%-6s' "$level"
            $out/steps 1 1 W2 | awk '!/^#/ { print; exit }'
        else
            echo "  bench_w1_w5.c does not compile with $level:"
            head -n 5 $out/said
        fi
    done
    echo
fi

if asks web; then
    zig="python3 -m ziglang cc -target wasm32-wasi -std=gnu99 -w -msimd128"
    if python3 -m ziglang version > /dev/null 2>&1; then
        echo "A program for WebAssembly (tests/whole/size_typical.c, simd128, stripped), bytes:"
        printf '%-34s %8s %10s\n' "" "module" "gzip -9"
        for flags in "-O2" "-O2 -DNN_NO_REPORTS" "-Os -DNN_NO_REPORTS"; do
            # shellcheck disable=SC2086
            if $zig $flags -I. -s -o $out/web.wasm tests/whole/size_typical.c -lm > $out/said 2>&1; then
                printf '%-34s %8d %10d\n' "size_typical $flags" "$(wc -c < $out/web.wasm)" "$(gzip -9 -c $out/web.wasm | wc -c)"
            else
                echo "  size_typical $flags does not compile:"
                head -n 5 $out/said
            fi
        done
    else
        echo "SKIP WebAssembly: no python3 -m ziglang (pip install ziglang)"
    fi
    echo
fi

if asks rooms; then
    echo "nn.h by room, bytes and lines:"
    awk '/^\/\* ==== .* ==== \*\/$/ { split($3, part, "/"); room = part[1]; if (part[1] == "kernels" && part[3] != "") room = "kernels"; }
         { if (room == "") room = "(index)"; bytes[room] += length($0) + 1; lines[room]++; all += length($0) + 1; count++ }
         END { for (room in bytes) printf "%-34s %8d %10d\n", room, bytes[room], lines[room]; printf "%-34s %8d %10d\n", "all", all, count }' \
        nn.h | sort -k 2 -n -r
    echo
fi

if asks macros; then
    macros="NN_NO_TRAINING NN_NO_TRAINING_OPTIONS NN_NO_REPORTS NN_NO_SPEEDUPS NN_NO_MIXED_PRECISION NN_NO_RARE_OPTIONS NN_NO_FILES NN_NO_THREADS NN_NO_STDIO \
        NN_NO_SIMD NN_NO_CALL_SITES NN_NO_MALLOC"
    all=$(for macro in $macros; do printf -- '-D%s ' "$macro"; done)
    echo "The whole library, $CC on $(uname -m), text bytes:"
    printf '%-22s %9s %9s %9s\n' "" "-O2" "-Os" "saved"
    full2=$(text -O2) && full=$(text -Os) || exit 1
    printf '%-22s %9s %9s\n' "everything" "$full2" "$full"
    for macro in $macros; do
        small=$(text -Os -D"$macro") || exit 1
        printf '%-22s %9s %9s %9s\n' "$macro" "$(text -O2 -D"$macro")" "$small" $((full - small))
    done
    # shellcheck disable=SC2086
    small=$(text -Os $all) || exit 1
    # shellcheck disable=SC2086
    printf '%-22s %9s %9s %9s\n' "all of them" "$(text -O2 $all)" "$small" $((full - small))
    echo
fi

asks m4 || exit 0
cross=arm-none-eabi-gcc
if ! command -v $cross > /dev/null 2>&1; then
    echo "SKIP Cortex-M4: no $cross (make setup-full installs it)"
    exit 0
fi
missed=0
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
