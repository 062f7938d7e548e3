#!/bin/sh
# What compilers make of the kernels, for devices that are not here.
#   tools/kernel_code.sh list                lines "part options": every program that the host builds
#   tools/kernel_code.sh text part           common.cl and one part, as the host cuts them out of kernels.cl
#   tools/kernel_code.sh code [target...]    code for gfx906, gfx1030, gfx90a (AMD) and sm_75, sm_86, sm_90 (NVIDIA), and a table of
#       what each kernel of GPUs takes; no spills, no private memory, at most 32 KiB of local memory, no function unresolved.
#       Winograd's kernel has at most 128 of NVIDIA's registers, so that two of its work-groups share a multiprocessor.
#       Scalar registers of AMD that are kept in lanes of vector registers are no spills: they never reach memory.
#       Needs clang-15 and libclc-15, and for sm_... CUDA's ptxas (PTXAS), which counts NVIDIA's registers; nvptx64 is sm_80, and
#       does without ptxas, but then knows no registers and calls private what ptxas would keep in them.
#   tools/kernel_code.sh shares [target...]  of the loops that do most of the work, how much multiplies and adds (tools/kernel_share.py),
#       for sm_75, sm_86, sm_90 (CUDA's ptxas and nvdisasm), gfx906, gfx1030 and gfx90a.
#       The last line of both is "N passed, M failed, K skipped": one for each target.
set -u
cd "$(dirname "$0")/.." || exit 1
out=build/kernel_code
limit=32768

# Options stand in the sources as whole literals; those of pointwise and of some of conv2d are put together from numbers.
list() {
    for part in src/kernels/*/opencl.cl; do
        part=$(basename "$(dirname "$part")")
        case $part in
            pointwise)
                for op in $(seq 0 22); do
                    echo "pointwise -DNN_OP=$op"
                    [ "$op" -lt 16 ] && echo "pointwise -DNN_OP=$op -DNN_BACKWARD=1"
                    [ "$op" = 15 ] || [ "$op" = 18 ] && echo "pointwise -DNN_OP=$op -DNN_INDEX=ulong"
                done ;;
            *)
                options=$(grep -ohE '"-DNN_[A-Z_]+=[0-9]+( -DNN_[A-Z_]+=[0-9]+)*"' src/kernels/"$part"/opencl*.c | tr -d '"' | sort -u)
                if [ -n "$options" ]; then echo "$options" | sed "s/^/$part /"; else echo "$part"; fi ;;
        esac
    done
    # Filters, rows and columns of taps, stride, dilation: of the weight's gradient as large as they come, and usual ones.
    while read -r filters high wide stride dilated; do
        echo "conv2d -DNN_CONV_ONLY=14 -DNN_CONV_FILTERS=$filters -DNN_CONV_TAPS_H=$high -DNN_CONV_TAPS_W=$wide" \
            "-DNN_CONV_STRIDE=$stride -DNN_CONV_DILATED=$dilated"
    done << END
1 3 3 1 1
1 5 3 1 0
1 4 4 2 0
1 2 7 2 1
2 2 7 8 1
2 4 7 1 0
3 3 3 1 0
4 3 3 1 0
4 2 3 2 1
4 2 7 1 0
4 1 7 2 1
END
}
text() {
    awk -v part="$1" '/^\/\* ==== / { inside = $3 == "opencl/common.cl" || index($3, "kernels/" part "/opencl") == 1 } inside' kernels.cl
}
# Programs of CPUs have tiles in registers. In programs of all devices, theirs are ..._rows, ..._wide, and those beside a kernel
# ..._group: one work-item does the work of 64 there.
cpu_kernels_out() {
    awk '$1 !~ /_(rows|wide)$/ { row[++n] = $0; name[n] = $1; has[$1] = 1 }
         END { for (i = 1; i <= n; i++) if (!((name[i] "_group") in has)) print row[i] }'
}
gpu_list() { list | grep -vE 'LANES|_ROWS|GEMM_ONLY=[23]|CONV_ONLY=[234]' | sort -u; }

# No contraction but where the text asks for it: no driver has to do it unasked.
opencl="-x cl -cl-std=CL1.2 -O2 -ffp-contract=off -Xclang -finclude-default-header"
compile_amd() { # chip, part, options, file: a table from the metadata at the end of the assembly
    chip=$1
    # shellcheck disable=SC2086
    text "$2" | clang-15 $opencl --target=amdgcn-amd-amdhsa -mcpu="$chip" -nogpulib -Xclang -mlink-bitcode-file \
        -Xclang /usr/lib/clc/amdgcn--amdhsa.bc $3 -S -o "$4" - 2> "$4.log" || return 1
    awk '/^amdhsa.kernels:/ { on = 1 } !on { next }
         /\.group_segment_fixed_size:/ { lds = $NF } /\.private_segment_fixed_size:/ { own = $NF }
         / \.name: +[a-z]/ && $NF ~ /^nn_/ { name = $NF }
         /\.sgpr_count:/ { sgpr = $NF } /\.vgpr_count:/ { vgpr = $NF }
         /\.vgpr_spill_count:/ { print name, vgpr + 0, sgpr + 0, lds + 0, own + 0, $NF + 0 }' "$4"
}
compile_nvidia() { # chip, part, options, file
    chip=$1
    shift
    # shellcheck disable=SC2086
    text "$1" | clang-15 $opencl --target=nvptx64-nvidia-nvcl -Xclang -target-cpu -Xclang sm_70 -Xclang -mlink-bitcode-file \
        -Xclang /usr/lib/clc/nvptx64--nvidiacl.bc $2 -S -o "$3" - 2> "$3.log" || return 1
    registers=
    if [ -n "$PTXAS" ]; then
        "$PTXAS" -v -arch="$chip" "$3" -o /dev/null 2>&1 | awk '
            /Compiling entry function/ { gsub("\047", "", $7); name = $7 }
            /bytes spill stores/ { own = $1; spills = $5 + $9 }
            /Used [0-9]+ registers/ { print name, $5, own, spills }' > "$3.registers"
        registers=$3.registers
    fi
    awk -v registers="$registers" '
        BEGIN {
            while (registers != "" && (getline line < registers) > 0) {
                split(line, f, " ")
                used[f[1]] = f[2]; own[f[1]] = f[3]; spilled[f[1]] = f[4]
            }
        }
        /^\.extern \.func/ { print "unresolved", $0 > "/dev/stderr" }
        /^\.func/ { name = "" } # its private memory is in the stack frames of its callers, which ptxas gives
        /\.entry / { name = $0; sub(/.*\.entry /, "", name); sub(/[^A-Za-z0-9_].*/, "", name); names[++count] = name }
        /\.shared .*\.b8 .*\[/ { bytes = $0; sub(/.*\[/, "", bytes); shared[name] += bytes + 0 }
        /\.local .*__local_depot/ { bytes = $0; sub(/.*\[/, "", bytes); depot[name] += bytes + 0 }
        END {
            for (i = 1; i <= count; i++) {
                n = names[i]
                print n, n in used ? used[n] : "-", "-", shared[n] + 0, (n in own ? own[n] : depot[n]) + 0, spilled[n] + 0
            }
        }' "$3" 2> "$3.unresolved"
    [ ! -s "$3.unresolved" ]
}

code() {
    passed=0 failed=0 skipped=0
    mkdir -p $out
    : "${PTXAS:=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2> /dev/null)}"
    for target in ${*:-gfx906 gfx1030 gfx90a sm_75 sm_86 sm_90}; do
        chip=$target
        case $target in
            nvptx64) library=nvptx64--nvidiacl chip=sm_80 ;;
            sm_*) library=nvptx64--nvidiacl
                if [ -z "$PTXAS" ]; then
                    echo "SKIP kernels for $target: no ptxas of CUDA (PTXAS)"
                    skipped=$((skipped + 1))
                    continue
                fi ;;
            *) library=amdgcn--amdhsa ;;
        esac
        if ! command -v clang-15 > /dev/null 2>&1 || [ ! -f /usr/lib/clc/$library.bc ]; then
            echo "SKIP kernels for $target: no clang-15 with libclc-15 (make setup-full installs them)"
            skipped=$((skipped + 1))
            continue
        fi
        number=0 broken=0
        : > "$out/$target.table"
        gpu_list > "$out/list-$target"
        while read -r part options; do
            number=$((number + 1))
            file=$out/$target-$number
            rows=$(case $target in nvptx64 | sm_*) compile_nvidia "$chip" "$part" "$options" "$file" ;; *) compile_amd "$target" "$part" "$options" "$file" ;; esac) || {
                echo "FAIL kernels for $target: $part $options does not compile:"
                head -n 8 "$file.log" "$file.unresolved" 2> /dev/null
                broken=$((broken + 1))
            }
            [ -n "$rows" ] && echo "$rows" | cpu_kernels_out | sed "s/\$/ $options/" >> "$out/$target.table"
        done < "$out/list-$target"
        echo "kernels for $target: registers, scalar registers, local bytes, private bytes, spills, options"
        awk -v limit=$limit '{
            printf "%s%s\n", ($4 > limit || $5 > 0 || $6 > 0 || ($1 == "nn_conv2d_gpu_winograd" && $3 == "-" && $2 > 128)) ? "FAIL " : "", $0
        }' "$out/$target.table" |
            sort -k 1,1 -k 2nr | tee "$out/$target.checked"
        if [ $broken -eq 0 ] && [ -s "$out/$target.table" ] && ! grep -q '^FAIL' "$out/$target.checked"; then passed=$((passed + 1))
        else failed=$((failed + 1)); fi
    done
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $failed -eq 0 ]
}

# The tiles that do most of the work, and the least share of multiply-adds in their loops. A card's instructions one a cycle bound
# what such a loop can reach. In Winograd's loop each work-item takes one of two branches, which are both counted here: of what
# NVIDIA issues 68 of 100 multiply and add, and 16 of them do the work of 36. Four channels at a time had 2.5 more of 100, and
# registers for one work-group on a multiprocessor.
shares() {
    passed=0 failed=0 skipped=0
    mkdir -p $out
    for chip in ${*:-sm_75 sm_86 sm_90 gfx906 gfx1030 gfx90a}; do
        case $chip in sm_*) library=nvptx64--nvidiacl ;; *) library=amdgcn--amdhsa ;; esac
        missing=
        { command -v clang-15 > /dev/null 2>&1 && [ -f /usr/lib/clc/$library.bc ]; } || missing="clang-15 with libclc-15"
        case $chip in sm_*)
            for tool in "${PTXAS:=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2> /dev/null)}" \
                "${NVDISASM:=$(command -v nvdisasm || ls /usr/local/cuda/bin/nvdisasm 2> /dev/null)}"; do
                [ -n "$tool" ] || missing="CUDA's ptxas and nvdisasm (PTXAS, NVDISASM)"
            done
            export PTXAS NVDISASM ;;
        esac
        if [ -n "$missing" ]; then
            echo "SKIP shares for $chip: no $missing"
            skipped=$((skipped + 1))
            continue
        fi
        file=$out/share-$chip broken=0
        while read -r part kernel least options; do
            # shellcheck disable=SC2086
            case $chip in
                sm_*) text "$part" | clang-15 $opencl --target=nvptx64-nvidia-nvcl -Xclang -target-cpu -Xclang sm_70 -Xclang -mlink-bitcode-file \
                    -Xclang /usr/lib/clc/nvptx64--nvidiacl.bc $options -S -o "$file" - 2> "$file.log" &&
                    found=$(python3 tools/kernel_share.py "$file" "$kernel" 2 "$chip" 2>> "$file.log") ;;
                *) compile_amd "$chip" "$part" "$options" "$file" > /dev/null && found=$(python3 tools/kernel_share.py "$file" "$kernel" 2) ;;
            esac || { found=0; grep -v '^warning: linking' "$file.log" | tail -n 5; }
            if awk -v a="$found" -v b="$least" 'BEGIN { exit !(a >= b) }'; then fine=''; else fine='FAIL '; broken=1; fi
            echo "$fine$chip $kernel $found of 100, at least $least: $options"
        done << END
matmul nn_gemm_large 85 -DNN_GEMM_ONLY=5 -DNN_GEMM_VECTOR=1 -DNN_GEMM_A_DEEP=1 -DNN_GEMM_B_DEEP=0
matmul nn_gemm_large 85 -DNN_GEMM_ONLY=5 -DNN_GEMM_VECTOR=1 -DNN_GEMM_A_DEEP=1 -DNN_GEMM_B_DEEP=1
matmul nn_gemm_large 85 -DNN_GEMM_ONLY=5 -DNN_GEMM_VECTOR=1 -DNN_GEMM_A_DEEP=0 -DNN_GEMM_B_DEEP=0
matmul nn_gemm_large 85 -DNN_GEMM_ONLY=5 -DNN_GEMM_VECTOR=0 -DNN_GEMM_A_DEEP=1 -DNN_GEMM_B_DEEP=1
conv2d nn_conv2d_large 80 -DNN_CONV_ONLY=10 -DNN_CONV_SIDE=128
conv2d nn_conv2d_large 80 -DNN_CONV_ONLY=10 -DNN_CONV_SIDE=64
conv2d nn_conv2d_weight_large 80 -DNN_CONV_ONLY=11 -DNN_CONV_SIDE=128
conv2d nn_conv2d_weight_large 80 -DNN_CONV_ONLY=11 -DNN_CONV_SIDE=64
conv2d nn_conv2d_gpu_winograd 60 -DNN_CONV_ONLY=12
conv2d nn_conv2d_few 30 -DNN_CONV_ONLY=13 -DNN_CONV_FEW=3
conv2d nn_conv2d_few 40 -DNN_CONV_ONLY=13 -DNN_CONV_FEW=7
conv2d nn_conv2d_weight_few 30 -DNN_CONV_ONLY=14 -DNN_CONV_FILTERS=3 -DNN_CONV_TAPS_H=3 -DNN_CONV_TAPS_W=3 -DNN_CONV_STRIDE=1 -DNN_CONV_DILATED=0
conv2d nn_conv2d_weight_few 40 -DNN_CONV_ONLY=14 -DNN_CONV_FILTERS=4 -DNN_CONV_TAPS_H=2 -DNN_CONV_TAPS_W=7 -DNN_CONV_STRIDE=1 -DNN_CONV_DILATED=0
END
        if [ $broken -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
    done
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $failed -eq 0 ]
}

case ${1:-} in
    list) list ;;
    text) text "$2" ;;
    code) shift; code "$@" ;;
    shares) shift; shares "$@" ;;
    *) echo "usage: tools/kernel_code.sh list | text part | code [gfx906|gfx1030|gfx90a|sm_75|sm_86|sm_90|nvptx64] | shares [sm_75|sm_86|sm_90|gfx906|gfx1030|gfx90a]" >&2; exit 1 ;;
esac
