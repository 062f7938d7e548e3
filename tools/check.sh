#!/bin/sh
# Checks the rules of the house, in seconds: fresh drop-ins, floors, names, forbidden words, no data that could change.
# tools/check.c checks what can be read off the sources; this script checks what a compiler and nm know.
set -u
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc}
out=build/check
mkdir -p $out
failed=0
complain() { failed=$((failed + 1)); echo "$*"; }

# 1. The drop-ins are what src/ makes, by the tools that `make` uses; their output is made anew.
make -s CC="$CC" build/paste build/families build/table build/optimizers build/calls build/check_sources || exit 1
mkdir -p $out/gen/opencl $out/gen/kernels $out/gen/ops
for role in args.h families.h cpu.h vector.h cpu.c opencl.c opencl.cl cases.h reference.h \
    more_cpu.h more_vector.h more_cpu.c sequence_cpu.h sequence_vector.h sequence_cpu.c quantize_cpu.h quantize_vector.h quantize_cpu.c; do
    build/families $role src/kernels > $out/gen/kernels/$role || exit 1
done
build/paste -g $out/gen -s nn__opencl_text src/kernels.cl > $out/gen/opencl/text.h
build/table h src/ops/table.txt > $out/gen/ops/table.h && build/table c src/ops/table.txt > $out/gen/ops/table.c || exit 1
build/optimizers c src/ops/optimizers.txt > $out/gen/ops/optimizers.c || exit 1
build/optimizers h src/ops/optimizers.txt > $out/gen/kernels/optimizers.h || exit 1
tools/calls.sh $out/gen $out/names.h || exit 1
for file in nn.h nn_more.h nn_opencl.h nn_group.h nn_sequence.h nn_quantize.h nn_self_test.h nn_mpi.h nn_text.h nn_onnx.h nn_audio.h kernels.cl; do
    after=
    case $file in nn_more.h | nn_group.h | nn_sequence.h | nn_quantize.h | nn_self_test.h) after="-a src/nn.h" ;; esac
    [ $file = nn_quantize.h ] && after="$after -a src/nn_sequence.h"
    # shellcheck disable=SC2086
    if ! build/paste -g $out/gen $after src/$file > $out/$file; then
        complain "$file cannot be made from src/$file"
    elif ! cmp -s $out/$file $file; then
        complain "$file is stale or was edited: run \`make\` and commit $file together with src/"
        [ -f $file ] && diff $file $out/$file | head -n 5
    fi
done

# What an optional file declares must not be in nn.h, where a part of nn.h would have pasted it.
for file in nn_more nn_sequence nn_quantize; do
    for part in $(sed -n 's,^#include "\([a-z_]*/[a-z_0-9/]*\.h\)"$,\1,p' src/$file.h); do
        case $part in kernels/*) continue ;; esac
        grep -qF "/* $part - " $out/nn.h && complain "$part is a part of $file.h, but a part of nn.h includes it"
    done
done

# Every call that takes a desc has an overload for C++, where it is a reference.
for file in nn.h nn_more.h nn_opencl.h nn_group.h nn_sequence.h nn_quantize.h nn_self_test.h nn_mpi.h nn_text.h nn_onnx.h nn_audio.h; do
    build/calls missing $out/$file || failed=$((failed + 1))
done

# 2. The object: everything in one file, functions that nothing calls included. Two parts with one name do not compile.
printf '#define NN_IMPLEMENTATION\n#include "packaging/nn_all.h"\n' > $out/all.c
# All are compiled in the background while the sources are read; `object` then says whether one of them compiled.
begin() { # name, flags
    name=$1
    shift
    rm -f $out/$name.failed
    { $CC -std=c99 -w -O0 -fno-pic "$@" -I$out -I. -c $out/all.c -o $out/$name.o 2> $out/$name.log || : > $out/$name.failed
      nm $out/$name.o > $out/$name.nm 2> /dev/null
      awk '$(NF - 1) == "U" { print $NF }' $out/$name.nm > $out/$name.undefined; } &
}
# Does the same under macros, where only the functions that it asks of its host are checked. clang names them in its text form,
# which takes a fifth of the time of an object. Calls that it turns into an instruction there (floor, memcpy) are not
# forbidden ones.
begin_names() { # name, flags
    if ! command -v clang > /dev/null 2>&1; then begin "$@"; return; fi
    name=$1
    shift
    rm -f $out/$name.failed
    { clang -std=c99 -w -O0 -S -emit-llvm -Xclang -disable-llvm-passes "$@" -I$out -I. $out/all.c -o $out/$name.ll 2> $out/$name.log ||
          : > $out/$name.failed
      sed -n -e '/^declare/s/^[^@]*@\([A-Za-z0-9_]*\)(.*/\1/p' -e 's/^@\([A-Za-z0-9_]*\) = external .*/\1/p' \
          $out/$name.ll > $out/$name.undefined 2> /dev/null
      [ -s $out/$name.undefined ] || : > $out/$name.failed; } &
}
object() { # name
    [ -e $out/"$1".failed ] || return 0
    complain "nn.h does not compile ($1):"
    head -n 10 $out/"$1".log
    return 1
}
keep="-fkeep-static-functions -fkeep-inline-functions"
$CC -w -x c $keep -fsyntax-only /dev/null 2> /dev/null || keep= # clang keeps no unused functions
# shellcheck disable=SC2086
begin all $keep
begin_names no_stdio -DNN_NO_STDIO
begin_names no_malloc -DNN_NO_MALLOC
begin_names no_threads -DNN_NO_THREADS
begin_names firmware -DNN_NO_TRAINING -DNN_NO_REPORTS -DNN_NO_SPEEDUPS -DNN_NO_MIXED_PRECISION -DNN_NO_RARE_OPTIONS -DNN_NO_FILES -DNN_NO_THREADS -DNN_NO_STDIO -DNN_NO_SIMD -DNN_NO_CALL_SITES

# 3. The sources.
build/check_sources src || failed=$((failed + 1))
grep -rohE '_mm512_[a-z0-9_]+' src | sort -u > $out/wide
grep -oE '_mm512_[a-z0-9_]+' tests/support/avx512.h | sort -u | comm -13 - $out/wide > $out/found
[ -s $out/found ] && complain "tests/support/avx512.h does not have $(tr '\n' ' ' < $out/found)which src/ uses"

wait
no_more= # one failure to compile says enough
if object all; then
    # Public functions nn_, private ones nn__ (static const tables inside functions: name.1234). The headers of the
    # compiler bring _mm... functions when inline ones are kept; those of libc begin with two underscores or are inline.
    awk 'NF == 3 && $2 == "T" && ($3 !~ /^nn_/ || $3 ~ /^nn__/) { print $3 ": a function that other files see must be called nn_..., a private one be static" }' \
        $out/all.nm > $out/breaches
    awk 'NF == 3 && ($2 == "t" || $2 == "r") && $3 !~ /^nn_/ && $3 !~ /^_/ && $3 !~ /\./ { print $3 ": a private name must begin with nn__" }' \
        $out/all.nm >> $out/breaches
    awk 'NF == 3 && $2 == "t" && $3 ~ /^nn_/ && $3 !~ /^nn__/ && $3 !~ /^nn_(make_site|word_to_uniform|remainder_of)/ { print $3 ": a static function must be called nn__..." }' \
        $out/all.nm >> $out/breaches
    awk 'NF == 3 && $2 ~ /^[bBdDCsSgG]$/ { print $3 ": data that can change; the library has none" }' $out/all.nm >> $out/breaches
    if [ -s $out/breaches ]; then
        complain "names and data:"
        cat $out/breaches
    fi
else
    no_more=1
fi
# Checks what the library asks of its host, and what it never asks, without macros and with those for firmware.
forbidden='printf|fprintf|sprintf|snprintf|vprintf|vfprintf|vsnprintf|puts|putchar|abort|exit|_exit|__assert_fail|signal|atexit|setjmp|_setjmp|longjmp|rand|srand|random|time|getenv|setenv|strtok|strerror|system|__tls_get_addr'
hosted='malloc|free|calloc|realloc|aligned_alloc|posix_memalign'
stdio='fopen|fread|fwrite|fclose|fflush|fseek|fseeko|ftell|ftello|rename|remove|stderr|stdout|fileno|fsync|unlink'
undefined() { sed 's/@.*//; s/_chk$//; s/^__isoc99_//' "$out/$1.undefined" | sort -u; }
never() { # object, pattern, why
    undefined "$1" | grep -xE "$2" > $out/found || return 0
    complain "nn.h ($1) needs $(tr '\n' ' ' < $out/found): $3"
}
if [ -z "$no_more" ]; then
    never all "$forbidden" "forbidden in the library"
    # Inline functions of the compiler's headers, kept with ours, ask for names that nn.h does not mention.
    grep -ohE '[A-Za-z_][A-Za-z_0-9]*' $out/nn.h $out/nn_more.h $out/nn_group.h $out/nn_sequence.h $out/nn_quantize.h $out/nn_self_test.h | sort -u > $out/words
    undefined all | grep -xF -e __errno_location -f $out/words | tr '\n' ' ' | sed 's/^/asks of the host: /'
    echo
fi
if [ -z "$no_more" ] && object no_stdio; then never no_stdio "$stdio" "not under NN_NO_STDIO"; fi
if [ -z "$no_more" ] && object no_malloc; then never no_malloc "$hosted" "not under NN_NO_MALLOC"; fi
if [ -z "$no_more" ] && object no_threads; then
    undefined no_threads | grep -E '^(pthread|sem_|sched_|sysconf)' > $out/found &&
        complain "nn.h under NN_NO_THREADS needs $(tr '\n' ' ' < $out/found)"
fi
if [ -z "$no_more" ] && object firmware; then
    never firmware "$stdio|pthread.*" "not with every NN_NO_*"
fi

# The values of an enum begin with one word after NN_. Those that programs write every day have bare names, and so has a choice
# of two whose names are a sentence (NN_PER_SHARD, NN_OVER_ALL).
bare='nn_dtype|nn_device_kind|nn_reduction|nn_optimizer|nn_batch_norm_over'
awk -v bare="^($bare)$" '
    /^typedef enum nn_/ { name = $3; on = name !~ bare; first = ""; next }
    /^}/ { on = 0 }
    on && match($0, /^    NN_[A-Z0-9_]+/) && substr($0, RSTART + RLENGTH, 1) != "(" {
        word = substr($0, 8, RLENGTH - 7)
        sub(/_.*/, "", word)
        if (first == "") first = word
        else if (word != first) { print FILENAME ":" FNR ": NN_" word "_... in " name ", whose first value is NN_" first "_..."; on = 0 }
    }' $(find src -name '*.h') > $out/breaches
if [ -s $out/breaches ]; then
    complain "values of one enum without a prefix of their own:"
    cat $out/breaches
fi

# 4. Everywhere else: scripts parse, no path of one machine, no white space at ends of lines.
for script in tools/*.sh; do sh -n "$script" || complain "$script does not parse"; done
if command -v bash > /dev/null 2>&1; then bash -n .ci/run || complain ".ci/run does not parse"; fi
files=$(ls Makefile .ci/run tools/* tests/*/*.c tests/*/*.h tests/*/*.cpp tests/*/*.sh tests/golden/*.py tests/onnx/* examples/*.c examples/*.cpp examples/*/* bench/*.c \
           bench/*.h bench/*.py *.md docs/*.md .git[ai]* tests/packaging.sh CMakeLists.txt meson.build meson_options.txt library.json \
           packaging/*.* packaging/*/*.* packaging/arduino/examples/*/* .github/*/* 2> /dev/null | grep -v '^tools/check')
# shellcheck disable=SC2086
if grep -nE '(^|["(= ])(/home/|/work/|/root/|/Users/)' $files; then complain "a path of one machine"; fi
# shellcheck disable=SC2086
if grep -nE '[ 	]+$' $files; then complain "white space at the end of a line"; fi

# 5. Words that a reader of English must read twice, where users read: the public halves of the drop-ins, docs, examples, and the
# texts of errors. On the right what to write instead.
idioms='so many            number of
in front of        before
behind             after, or the noun
likewise           the same words again
worth while        pays off
come out even      divide evenly
comes out even     divides evenly
in vain            without success
thereby            the cause as a sentence
has no place       cannot be ...
is heard           is used
beside that        also
of them all        of all
taken along        the verb of the field: fused
do if              suffice if
for which is       the noun'
pattern=$(echo "$idioms" | sed 's/   *.*//' | paste -sd '|' -)
for file in nn.h nn_more.h nn_group.h nn_sequence.h nn_quantize.h nn_self_test.h nn_opencl.h nn_mpi.h nn_text.h nn_onnx.h nn_audio.h; do
    awk -v file=$file '/: stop here if you only want the API/ { exit } { print file ":" FNR ":" $0 }' $file
done > $out/public
grep -nE '.' README.md docs/*.md examples/*.c examples/*.cpp examples/*/* >> $out/public
grep -noE '"([^"\\]|\\.)*"' -r src --include='*.[ch]' | grep -v '#include' >> $out/public
if grep -iE ":[0-9]+:(.*[^a-z_])?($pattern)([^a-z_]|\$)" $out/public > $out/idioms; then
    complain "an idiom; tools/check.sh says what to write instead:"
    cut -c1-160 $out/idioms
fi

# 6. The text of the library, where make has built it from this nn.h with its own flags: growing is a decision, which the
# number in tests/size.txt records. The compiler is named there, because each makes another number.
compiler="$($CC -dumpfullversion 2> /dev/null) $($CC -dumpmachine 2> /dev/null)"
wanted=$(awk -v compiler="gcc $compiler" '!/^#/ && $1 " " $2 " " $3 == compiler { print $4 }' tests/size.txt)
if [ -z "$wanted" ]; then
    echo "SKIP text bytes: tests/size.txt has no number for $CC $compiler"
elif ! grep -q '^[^|]* -O2 -g1 -O0 -g1 |' build/circumstances || [ -z "$(find build/lib/nn.o -newer nn.h 2> /dev/null)" ]; then
    echo "SKIP text bytes: make has not built this nn.h with its own flags (make build/lib/nn.o)"
else
    bytes=$(size build/lib/nn.o | awk 'NR == 2 { print $1 }')
    if [ "$bytes" -gt $((wanted + wanted / 50)) ]; then
        complain "the library has $bytes bytes of text, tests/size.txt says $wanted: more than 2 % more. Say in the commit what that" \
            "buys, and write the number there"
    elif [ "$bytes" -lt $((wanted - wanted / 50)) ]; then
        echo "text bytes: $bytes, tests/size.txt says $wanted: write the smaller number there"
    fi
fi

# 7. Each change of the sources that tests/survivors.txt excuses can still be made.
if command -v python3 > /dev/null 2>&1; then python3 tools/mutate.py --excuses || complain "tests/survivors.txt excuses what is not there"
else echo "SKIP tests/survivors.txt: no python3"
fi

# 8. README fits on two screens, and every link between pages leads to a file, or to a heading of one.
[ "$(wc -l < README.md)" -le 150 ] || complain "README.md has $(wc -l < README.md) lines; 150 are allowed. Move a part into docs/"
# README gives the size of nn.h within 5 %.
awk -v bytes="$(wc -c < nn.h)" -v lines="$(wc -l < nn.h)" 'match($0, /one file of [0-9.]+ MB and about [0-9,]+ lines/) {
        text = substr($0, RSTART, RLENGTH); gsub(/,/, "", text); split(text, word, " ")
        found = 1; mega = word[4] * 1e6 / bytes; long = word[8] / lines
    }
    END { exit !(found && mega > 0.95 && mega < 1.05 && long > 0.95 && long < 1.05) }' README.md ||
    complain "README.md does not say that nn.h has $(wc -c < nn.h | sed 's/.....$//; s/.$/.&/') MB and $(wc -l < nn.h) lines"
headings() { # The names that a page's headings have in links: small letters, dashes for spaces, no other signs.
    sed -n 's/^##* //p' "$1" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\n-'
}
for page in README.md docs/*.md; do
    # shellcheck disable=SC2013
    for link in $(awk '/^ *```/ { code = !code; next } !code' "$page" | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//'); do
        case $link in http://*|https://*) continue ;; esac
        file=${link%%#*}
        case $file in
            "") file=$page ;;
            *) file=$(dirname "$page")/$file ;;
        esac
        if [ ! -e "$file" ]; then complain "$page: the link to $link leads nowhere"; continue; fi
        case $link in
            *#*) headings "$file" | grep -qx -e "${link#*#}" || complain "$page: $file has no heading for the link $link" ;;
        esac
    done
done
for page in docs/*.md; do
    grep -qF "]($page)" README.md || complain "README.md has no link to $page"
done

# 9. The version of base/config.h is also that of the changes, and of the files that other tools read.
version=$(sed -n 's/^#define NN_VERSION  *"\(.*\)"$/\1/p' src/base/config.h)
numbers=$(sed -n 's/^#define NN_VERSION_M[A-Z]*  *\([0-9]*\)$/\1/p; s/^#define NN_VERSION_PATCH  *\([0-9]*\)$/\1/p' src/base/config.h | tr '\n' '.')
[ "$numbers" = "$version." ] || complain "src/base/config.h: NN_VERSION is $version, but NN_VERSION_MAJOR, _MINOR and _PATCH are $numbers"
has_version() { # file, the line that has it, as a basic regular expression
    grep -q -e "$2" "$1" || complain "$1 does not have version $version of src/base/config.h: no line \"$2\""
}
first=$(grep -m 1 '^## ' CHANGELOG.md)
case $first in "## $version" | "## $version "*) ;; *) complain "CHANGELOG.md begins with \"$first\"; NN_VERSION is $version" ;; esac
has_version README.md "Version $version[, .]"
has_version SECURITY.md "Version $version "
has_version meson.build "version: '$version',"
has_version library.json "\"version\": \"$version\","
has_version packaging/arduino/library.properties "^version=$version\$"
has_version docs/start.md "^find_package(nn ${version%.*} REQUIRED)\$"

# 10. Nothing was committed to the root by mistake, such as a file that a test left there.
if git rev-parse --is-inside-work-tree > /dev/null 2>&1; then
    stray=$(git ls-files | grep -v / | grep -vxE '\.(clang-format|gitattributes|gitignore)|(CHANGELOG|CONTRIBUTING|README|SECURITY)\.md|CMakeLists\.txt|LICENSE|Makefile|kernels\.cl|library\.json|meson\.build|meson_options\.txt|nn(_[a-z_]+)?\.h')
    [ -z "$stray" ] || complain "the root has files that do not belong there: $stray"
fi

[ $failed -eq 0 ] && echo "check: ok" || echo "check: $failed kinds of breach, above"
[ $failed -eq 0 ]
