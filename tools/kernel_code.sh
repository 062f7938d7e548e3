#!/bin/sh
# Shows the code that compilers generate from the kernels, for devices that are not here.
#   tools/kernel_code.sh list                lines "part options": every program that the host builds; for options that are numbers,
#       the usual and the largest values
#   tools/kernel_code.sh generated           lines with the files of the programs that the steps of W1 to W4 and of ResNet-18 generate
#       (bench/opencl_programs.c writes them; it needs some OpenCL device, and gives it no kernel)
#   tools/kernel_code.sh text part           common.cl and one part, as the host cuts them out of kernels.cl; if part is a file, this file
#   tools/kernel_code.sh code [target...]    code for gfx906, gfx1030, gfx90a (AMD) and sm_75, sm_86, sm_90 (NVIDIA), and a table of
#       what each GPU kernel takes. Fails on spills, private memory, more than 32 KiB of local memory, or an unresolved function.
#       Winograd's kernel has at most 128 of NVIDIA's registers, so that two of its work-groups share a multiprocessor.
#       Generated programs are among them where there is an OpenCL device.
#       On NVIDIA, tiles of attention keep their sums on the stack, at most 320 bytes: loops that ptxas is not told to unroll index
#       them. A chain takes up to 48 KiB of local memory, where the device has as much: it is almost always the only work-group.
#       Scalar registers of AMD that are kept in lanes of vector registers are no spills: they never reach memory.
#       Needs clang-15 and libclc-15, and for sm_... CUDA's ptxas (PTXAS), which counts NVIDIA's registers; nvptx64 is sm_80 and
#       needs no ptxas, but its table has no registers, and counts as private what ptxas would keep in them.
#       Programs on matrix units (units below) are for chips that have them: sm_80 and above, gfx90a, and gfx1100, which has no others
#       here. With ONLY=units only these are compiled. Their tiles take up to 48 KiB of local memory. For them code also prints
#       and checks the share of matrix instructions in the main loops, as shares does, if nvdisasm is installed. gfx1100 needs clang-19: clang-15 gives a wave at most 128 registers.
#       dg2 (Intel Arc) has only these programs and those in half arithmetic here, and needs ocloc (OCLOC), which is part of Debian's intel-opencl-icd:
#       apt-get download it, libigc1, libigdfcl1, libigdgmm12, libopencl-clang14, libclang-cpp14 and libllvmspirvlib14, unpack them with
#       dpkg -x, and let LD_LIBRARY_PATH name their usr/lib/x86_64-linux-gnu. ocloc says nothing of local and private memory.
#       sm_75 has none: its matrix units take f16 but neither TF32 nor bf16, and nn.h does not use them.
#   tools/kernel_code.sh units target        lines "part options" of the programs on matrix units for this chip
#   tools/kernel_code.sh shares [target...]  the share of multiply-adds in the loops that do most of the work (tools/kernel_share.py),
#       for sm_75, sm_86, sm_90 (CUDA's ptxas and nvdisasm), gfx906, gfx1030 and gfx90a.
#       What clang has compiled is kept in build/kernel_code/cache for three days. As many programs are compiled at a time as there are cores.
#       The last line of code and of shares is "N passed, M failed, K skipped": one for each target.
set -u
cd "$(dirname "$0")/.." || exit 1
out=build/kernel_code
limit=32768

few_products() {
    for vector in 0 1; do
        for tile in "1 4" "2 4" "4 4" "4 1" "1 8" "4 8" "8 8" "8 1" "8 4"; do
            echo "-DNN_GEMM_ONLY=6 -DNN_GEMM_DOWN=${tile% *} -DNN_GEMM_ACROSS=${tile#* } -DNN_GEMM_LONG=128 -DNN_GEMM_VECTOR=$vector"
        done
        echo "-DNN_GEMM_ONLY=6 -DNN_GEMM_DOWN=2 -DNN_GEMM_ACROSS=4 -DNN_GEMM_LONG=256 -DNN_GEMM_VECTOR=$vector"
        echo "-DNN_GEMM_ONLY=9 -DNN_GEMM_VECTOR=$vector"
        for gather in 0 1; do
            for down in 1 4 8; do
                echo "-DNN_GEMM_ONLY=7 -DNN_GEMM_DOWN=$down -DNN_GEMM_VECTOR=$vector -DNN_GEMM_GATHER=$gather"
            done
            for deep in "0 0" "0 1" "1 0" "1 1"; do
                echo "-DNN_GEMM_ONLY=8 -DNN_GEMM_VECTOR=$vector -DNN_GEMM_A_DEEP=${deep% *} -DNN_GEMM_B_DEEP=${deep#* } -DNN_GEMM_GATHER=$gather"
            done
        done
    done
}
# Options are in the sources as whole literals; those of some kernels are put together from numbers.
list() {
    for part in src/kernels/*/opencl.cl; do
        part=$(basename "$(dirname "$part")")
        options=$(grep -ohE '"-DNN_[A-Z_]+=[0-9]+( -DNN_[A-Z_]+=[0-9]+)*"' src/kernels/"$part"/opencl*.c | tr -d '"' | sort -u)
        [ "$part" = matmul ] && options=$(echo "$options" && large_products && few_products)
        if [ -n "$options" ]; then echo "$options" | sed "s/^/$part /"; else echo "$part"; fi
        case $part in
            matmul) # operands as halves, brain floats, floats times bytes
                for deep in "0 0" "0 1" "1 0" "1 1"; do for vector in 0 1; do for shape in 0 4; do # half arithmetic
                    echo "matmul -DNN_GEMM_ONLY=5 -DNN_GEMM_SHAPE=$shape -DNN_GEMM_VECTOR=$vector -DNN_GEMM_A_DEEP=${deep% *} -DNN_GEMM_B_DEEP=${deep#* } -DNN_HALF=1"
                done; done; done
                echo "$options" | grep -E 'ONLY=[1456789]( |$)' | grep -v LANES | while read -r some; do
                    for types in "1 1" "2 2" "0 3"; do
                        echo "matmul $some -DNN_GEMM_A_TYPE=${types% *} -DNN_GEMM_B_TYPE=${types#* }"
                    done
                done
                echo "$options" | grep -E 'ONLY=[456789]( |$)' | grep -v 'VECTOR=0' | sed 's/.*/matmul & -DNN_GEMM_RESIDUAL=1/' ;;
            integer) echo integer ;; # without an instruction for four bytes, too
            attention)
                for halves in "" " -DNN_ATTENTION_HALVES"; do
                    for tile in "8 64" "8 128" "16 64" "16 128"; do
                        echo "attention -DNN_ATTENTION_SIDE=${tile% *} -DNN_ATTENTION_WIDE=${tile#* }$halves"
                    done
                    for form in "64 1 1" "64 0 1" "64 1 0" "128 1 1" "128 0 0"; do # one query: columns, vectors, gather
                        echo "$form" | { read -r wide vector gather
                            echo "attention -DNN_ATTENTION_FEW=64 -DNN_ATTENTION_WIDE=$wide -DNN_ATTENTION_VECTOR=$vector" \
                                "-DNN_ATTENTION_GATHER=$gather$halves"; }
                    done
                done ;;
            conv2d)
                for only in 10 11; do for side in 128 64; do # half arithmetic
                    echo "conv2d -DNN_CONV_ONLY=$only -DNN_CONV_SIDE=$side -DNN_HALF=1"
                done; done
                # blocks: forward, and what their gradients read
                echo "$options" | grep -E 'ONLY=[15]( |$)' | grep -v CUT | sed 's/.*/conv2d & -DNN_CONV_POOL=1/'
                echo "$options" | grep -E 'ONLY=[156]( |$)' | grep -v CUT | sed 's/.*/conv2d & -DNN_CONV_POOL=2/' ;;
        esac
    done
    patches | while read -r least patches parts deep high wide stride rest; do
        echo "conv2d -DNN_CONV_ONLY=15 -DNN_CONV_PATCHES=$patches -DNN_CONV_PARTS=$parts -DNN_CONV_PATCH_DEEP=$deep" \
            "-DNN_CONV_PATCH_TAPS_H=$high -DNN_CONV_PATCH_TAPS_W=$wide -DNN_CONV_PATCH_STRIDE=$stride $rest"
    done
    weight_patches | while read -r least parts width lanes patches high wide stride rest; do
        echo "conv2d -DNN_CONV_ONLY=16 -DNN_CONV_PARTS=$parts -DNN_CONV_CHANNELS=$width -DNN_CONV_LANES_EACH=$lanes" \
            "-DNN_CONV_PATCHES=$patches -DNN_CONV_PATCH_TAPS_H=$high -DNN_CONV_PATCH_TAPS_W=$wide -DNN_CONV_PATCH_STRIDE=$stride $rest"
    done
    # Each line has filters, rows and columns of taps, stride and dilation of a weight's gradient: the largest ones, and usual
    # ones.
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
# Half arithmetic as Intel's devices get it.
intel_halves() { list | grep 'NN_HALF=1' | grep -v 'NN_GEMM_SHAPE=4' | sed 's/$/ -cl-intel-256-GRF-per-thread/'; }
# Forms of the products and convolutions on matrix units (opencl/mma.cl). The filling follows from the chip.
units() {
    across=
    case $1 in
        sm_75) return ;;
        dg2) filling=6 formats=1 ;;
        nvptx64 | sm_*) filling=2 formats="0 1" across=3 ;;
        gfx1100) filling=3 formats=1 ;;
        gfx90a) filling=4 formats="0 1" ;;
        *) return ;;
    esac
    for format in $formats; do for side in 64 128; do
        [ "$filling $side" = "6 128" ] && continue
        own="-DNN_MMA=$filling -DNN_MMA_BF16=$format -DNN_MMA_SIDE=$side"
        [ "$filling" = 6 ] && own="-cl-intel-256-GRF-per-thread $own"
        for deep in "0 0" "0 1" "1 0" "1 1"; do for vector in 0 1; do
            [ "$format $side $vector" = "1 128 0" ] || [ "$filling $side" = "3 128" ] || # the host does not ask for these
                echo "matmul $own -DNN_GEMM_ONLY=10 -DNN_GEMM_VECTOR=$vector -DNN_GEMM_A_DEEP=${deep% *} -DNN_GEMM_B_DEEP=${deep#* }"
        done; done
        [ "$filling $side" = "3 128" ] ||
            echo "matmul $own -DNN_GEMM_ONLY=10 -DNN_GEMM_VECTOR=1 -DNN_GEMM_A_DEEP=1 -DNN_GEMM_B_DEEP=1 -DNN_GEMM_RESIDUAL=$((format + 1))"
        [ "$format" = 1 ] && [ "$filling $side" != "3 128" ] &&
            echo "matmul $own -DNN_GEMM_ONLY=10 -DNN_GEMM_VECTOR=1 -DNN_GEMM_A_DEEP=1 -DNN_GEMM_B_DEEP=1" \
                "-DNN_MMA_COPY_A=1 -DNN_MMA_COPY_B=1 -DNN_GEMM_A_TYPE=2 -DNN_GEMM_B_TYPE=2"
        for whole in 0 1; do
            echo "conv2d $own -DNN_CONV_ONLY=18 -DNN_CONV_WHOLE=$whole"
            [ "$side $whole" = "128 0" ] || echo "conv2d $own -DNN_CONV_ONLY=19 -DNN_CONV_WHOLE=$whole"
        done
        if [ "$side" = 64 ]; then
            [ "$filling" = 6 ] || echo "attention $own" # the host does not ask for it
            continue
        fi
        # copied operands: packed (1), and in bf16 along k (2) and across (3)
        forms=1
        [ "$format" = 1 ] && forms="1 2 $across"
        for a in $forms; do for b in $forms; do
            [ "$a" = 1 ] && a_type=0 || a_type=2
            [ "$b" = 1 ] && b_type=0 || b_type=2
            echo "matmul $own -DNN_GEMM_ONLY=10 -DNN_MMA_A_FORM=$a -DNN_MMA_B_FORM=$b -DNN_GEMM_A_TYPE=$a_type -DNN_GEMM_B_TYPE=$b_type"
        done; done
        echo "matmul $own -DNN_GEMM_ONLY=10 -DNN_MMA_A_FORM=1 -DNN_MMA_B_FORM=1 -DNN_GEMM_A_TYPE=0 -DNN_GEMM_B_TYPE=0 -DNN_GEMM_RESIDUAL=$((format + 1))"
        for type in 0 1 2 3; do echo "matmul $own -DNN_GEMM_ONLY=11 -DNN_GEMM_A_TYPE=$type"; done
        for tall in 64 128; do echo "conv2d $own -DNN_CONV_ONLY=18 -DNN_MMA_A_FORM=1 -DNN_MMA_B_FORM=4 -DNN_MMA_TALL=$tall"; done
        [ "$filling $format" = "2 0" ] && form=1 || form=3
        [ "$filling" = 3 ] || echo "conv2d $own -DNN_CONV_ONLY=19 -DNN_MMA_A_FORM=$form -DNN_MMA_B_FORM=5"
    done; done
}
large_products() {
    for shape in 0 1 2 3 4; do for vector in 0 1; do for a in 0 1; do for b in 0 1; do
        echo "-DNN_GEMM_ONLY=5 -DNN_GEMM_SHAPE=$shape -DNN_GEMM_VECTOR=$vector -DNN_GEMM_A_DEEP=$a -DNN_GEMM_B_DEEP=$b"
    done; done; done; done
}
# Each line has the least share of multiply-adds, patches, eights of rows, channels of a turn, rows and columns of taps, stride,
# and the rest. Why some shares are small:
# - With one or two taps a number of the source serves few products. The same holds for dx with a stride of 2, whose taps fall
#   into classes of one or two. With one tap, a channel's 64 products take 6 loads from local memory and 16 instructions that
#   fetch; 8 channels a turn do not reduce these.
# - With 16 rows a number of the source serves few products as well. Moreover, a number of a block's dy takes three loads, and
#   four of its places in local memory need a selection each.
# - With strides gfx90a, which multiplies in pairs, must first bring together numbers that lie two apart. The others reach 78
#   and 89, with few patches of 3 x 3 taps and with 5 x 5 taps.
# The list lacks a block's dy with 5 x 5 taps that is read in halves of windows along both axes (a padding of 1 or 3): gfx1030 keeps
# nine numbers in memory there for two channels, and gfx90a 16 for one.
# A share says nothing about waiting. All three loads of a block's dy are issued at once, whether a number is inside or not. That
# takes 4 of 100 more instructions than conditions, but after each condition an H200 waited for memory. The weights of a turn are
# fetched in the order in which they lie, although computing their places takes longer.
patches() {
    cat << END
80 32 8 4 3 3 1
80 8 8 4 3 3 1
80 8 8 4 3 3 1 -DNN_CONV_SPLIT=1
80 8 8 4 3 3 1 -DNN_CONV_POOL=1
80 32 8 4 3 3 1 -DNN_CONV_POOL=1
76 8 8 4 3 3 1 -DNN_CONV_PATCH_ODD_H=1 -DNN_CONV_PATCH_ODD_W=1 -DNN_CONV_POOL=2
80 32 8 2 5 3 1 -DNN_CONV_PATCH_ODD_H=0 -DNN_CONV_PATCH_ODD_W=1 -DNN_CONV_POOL=2
80 32 8 1 5 5 1 -DNN_CONV_PATCH_ODD_H=0 -DNN_CONV_PATCH_ODD_W=0 -DNN_CONV_POOL=2
80 32 8 1 5 5 1 -DNN_CONV_PATCH_ODD_H=1 -DNN_CONV_PATCH_ODD_W=0 -DNN_CONV_POOL=2
80 32 8 2 5 5 1 -DNN_CONV_PATCH_ODD_H=0 -DNN_CONV_PATCH_ODD_W=1 -DNN_CONV_POOL=2
75 16 4 4 3 3 1 -DNN_CONV_PATCH_ODD_H=1 -DNN_CONV_PATCH_ODD_W=1 -DNN_CONV_POOL=2
77 32 4 4 3 3 1 -DNN_CONV_PATCH_ODD_H=1 -DNN_CONV_PATCH_ODD_W=1 -DNN_CONV_POOL=2
80 32 4 2 5 5 1 -DNN_CONV_PATCH_ODD_H=1 -DNN_CONV_PATCH_ODD_W=0 -DNN_CONV_POOL=2
80 32 2 3 3 3 1
80 32 2 3 3 3 1 -DNN_CONV_POOL=1
68 32 2 3 3 3 1 -DNN_CONV_PATCH_ODD_H=1 -DNN_CONV_PATCH_ODD_W=1 -DNN_CONV_POOL=2
76 32 2 2 5 5 1 -DNN_CONV_PATCH_ODD_H=1 -DNN_CONV_PATCH_ODD_W=1 -DNN_CONV_POOL=2
80 32 4 1 3 3 1
78 16 4 1 3 3 1
80 32 8 3 3 3 1
80 32 8 2 3 3 2
75 8 8 4 3 3 2
75 32 8 1 5 5 2
80 32 8 1 5 5 1
80 8 8 1 5 5 1
80 32 8 2 4 4 2
80 32 4 2 5 5 2
81 32 2 1 5 5 2
78 8 8 4 2 2 1
77 8 8 4 2 1 1
77 8 8 4 1 2 1
74 8 8 4 1 1 1
74 8 8 4 1 1 2
END
}
# Each line has the least share, eights of rows, channels, work-items that share rows and channel, patches, rows and columns of taps,
# stride, and the rest. Why some shares are small:
# - With 3 x 3 taps each number of dy serves 9 products a channel. W1's three channels have 27, which need 6.7 other instructions
#   to reach 80 of 100. They take 9: the load, store and sum of dy, for every second number a load of x with its bounds, and the
#   reading back. W2's first layer has one channel, whose 29 million products take less time than its dy takes to arrive.
# - With 16 rows a number of x serves few products, and with a stride of 2 there is also room for only four patches a turn.
# - The places of x's lines are computed each turn. That costs four forms 1 of 100 (82, 84, 76, 57). With the places in
#   registers, ptxas found few registers for the products: an H200 took 175 us, not 147, for 64 by 64 channels of 32 x 32 places,
#   and 173 us, not 134, for 128 by 128 of 16 x 16.
weight_patches() {
    cat << END
86 8 8 2 8 3 3 1
86 8 8 2 8 3 3 1 -DNN_CONV_POOL=2
80 8 8 2 4 3 3 2
82 8 4 2 8 3 3 1
76 8 3 4 8 3 3 1
74 8 2 4 8 3 3 1
61 8 1 8 8 3 3 1
85 4 8 2 8 3 3 1
84 4 8 2 8 3 3 1 -DNN_CONV_POOL=2
79 4 4 4 8 3 3 1
75 4 3 8 16 3 3 1
60 4 1 16 16 3 3 1
66 2 8 4 4 3 3 2
81 2 8 4 16 3 3 1
81 2 8 4 16 3 3 1 -DNN_CONV_POOL=2
76 2 4 8 16 3 3 1
73 2 3 16 32 3 3 1
72 2 3 16 32 3 3 1 -DNN_CONV_POOL=2
57 2 1 32 32 3 3 1 -DNN_CONV_POOL=2
END
}
generated() {
    mkdir -p $out/nets
    make -s build/bench/opencl_programs > $out/nets.log 2>&1 && build/bench/opencl_programs $out/nets > $out/nets.txt 2>> $out/nets.log || return
    grep -E ' nn_(program|chain) ' $out/nets.txt | awk '{ print "'$out/nets/'" $8 }' | sort -u
}
text() {
    case $1 in */*) cat "$1" && return ;; esac
    awk -v part="$1" -v more="${2:-opencl/common.cl}" '
        /^\/\* ==== / { inside = $3 == "opencl/common.cl" || index($3, more) == 1 || index($3, "kernels/" part "/opencl") == 1 } inside' kernels.cl
}
cut_parts() { # each part once, for all of its programs
    mkdir -p $out/parts $out/cache
    find $out/cache -type f -mtime +3 -delete
    for part in src/kernels/*/opencl.cl; do
        part=$(basename "$(dirname "$part")")
        text "$part" > "$out/parts/$part.cl"
        text "$part" opencl/mma > "$out/parts/$part-units.cl"
    done
}
# Programs of CPUs have tiles in registers. In programs of all devices, the kernels of CPUs are called ..._rows or ..._wide, or
# have a counterpart ..._group: in them one work-item does the work of 64.
cpu_kernels_out() {
    awk '$1 !~ /_(rows|wide)$/ { row[++n] = $0; name[n] = $1; has[$1] = 1 }
         END { for (i = 1; i <= n; i++) if (!((name[i] "_group") in has)) print row[i] }'
}
gpu_list() { list | grep -vE 'LANES=|_ROWS|GEMM_ONLY=[23]|CONV_ONLY=[234]' | sed 's/ *$//' | sort -u; }
# Runs this script once for each line of the input, as many at a time as there are cores. The line is its last arguments.
each_line() { xargs -P "$(nproc)" -L 1 tools/kernel_code.sh "$@"; }

# Contracts only where the text asks for it, because no driver has to do it unasked.
opencl="-x cl -cl-std=CL1.2 -O2 -ffp-contract=off -Xclang -finclude-default-header"
# Clang's output for a program is kept in a file named after a checksum of all that goes into it. So one file serves all chips of
# NVIDIA, and the commands "code" and "shares" use the same files.
assembly() { # target, part, options, log: prints the file's name
    case $1 in
        nvptx64 | sm_*) target="--target=nvptx64-nvidia-nvcl -Xclang -target-cpu -Xclang sm_70" library=nvptx64--nvidiacl ;;
        *) target="--target=amdgcn-amd-amdhsa -mcpu=$1 -nogpulib" library=amdgcn--amdhsa ;;
    esac
    case $2 in */*) program=$2 ;; *) program=$out/parts/$2.cl ;; esac
    compiler=clang-15
    case $3 in *-DNN_MMA=*)
        program=$out/parts/$2-units.cl
        case $1 in nvptx64 | sm_*)
            target="--target=nvptx64-nvidia-nvcl -Xclang -target-cpu -Xclang sm_80 -Xclang -target-feature -Xclang +ptx72" ;; esac ;;
    esac
    [ "$1" = gfx1100 ] && compiler=clang-19
    kept=$out/cache/$({ echo "$opencl $target $3" && cat "$program"; } | sha256sum | cut -c 1-32).s
    if [ ! -s "$kept" ]; then
        made=$(mktemp $out/cache/XXXXXX)
        # shellcheck disable=SC2086
        $compiler $opencl $target -Xclang -mlink-bitcode-file -Xclang /usr/lib/clc/$library.bc $3 -S -o "$made" - < "$program" 2> "$4" || {
            rm "$made"
            return 1
        }
        mv "$made" "$kept"
    fi
    echo "$kept"
}
compile_amd() { # chip, part, options, file: a table from the metadata at the end of the assembly
    made=$(assembly "$1" "$2" "$3" "$4.log") || return 1
    awk '/^amdhsa.kernels:/ { on = 1 } !on { next }
         /\.group_segment_fixed_size:/ { lds = $NF } /\.private_segment_fixed_size:/ { own = $NF }
         / \.name: +[a-z]/ && $NF ~ /^nn_/ { name = $NF }
         /\.sgpr_count:/ { sgpr = $NF } /\.vgpr_count:/ { vgpr = $NF }
         /\.vgpr_spill_count:/ { print name, vgpr + 0, sgpr + 0, lds + 0, own + 0, $NF + 0 }' "$made"
}
compile_nvidia() { # chip, part, options, file
    made=$(assembly "$1" "$2" "$3" "$4.log") || return 1
    registers=
    if [ -n "$PTXAS" ]; then
        "$PTXAS" -v -arch="$1" "$made" -o /dev/null 2>&1 | awk '
            /Compiling entry function/ { gsub("\047", "", $7); name = $7 }
            /bytes spill stores/ { own = $1; spills = $5 + $9 }
            /Used [0-9]+ registers/ { print name, $5, own, spills }' > "$4.registers"
        registers=$4.registers
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
        }' "$made" 2> "$4.unresolved"
    [ ! -s "$4.unresolved" ]
}
# The declaration that drivers for chips with matrix units give a program, and Debian's ocloc does not.
intel_function='float8 __attribute__((overloadable)) intel_sub_group_bf16_bf16_matrix_mad_k16(int8 a, int8 b, float8 sum);'
# Compiles a program for dg2 into a folder that is kept as `assembly` keeps its files: one .asm for each kernel, and messages in log.
intel_assembly() { # part, options, log: prints the folder's name
    kept=$out/cache/$({ echo "dg2 $2" && cat "$out/parts/$1-units.cl"; } | sha256sum | cut -c 1-32).dg2
    if [ ! -s "$kept/log" ]; then
        made=$(mktemp -d $out/cache/XXXXXX)
        { echo "$intel_function"; cat "$out/parts/$1-units.cl"; } > "$made/program.cl"
        IGC_ShaderDumpEnable=1 IGC_DumpToCustomDir="$made/" "$OCLOC" compile -file "$made/program.cl" -device dg2 -out_dir "$made" \
            -options "-cl-std=CL1.2 $2" -internal_options -cl-ext=+cl_intel_subgroup_matrix_multiply_accumulate > "$3" 2>&1 || {
            rm -r "$made"
            return 1
        }
        cp "$3" "$made/log"
        find "$made" -type f ! -name '*.asm' ! -name log -delete
        mv "$made" "$kept"
    fi
    echo "$kept"
}
compile_intel() { # chip, part, options, file: registers and spills
    made=$(intel_assembly "$2" "$3" "$4.log") || return 1
    awk '/warning: kernel .* spilled around/ { spilled[$3] = $NF }
         /^\/\/\.kernel / { name = $2 }
         /^\/\/\.thread_config numGRF=/ { split($2, f, /[=,]/); print name, f[2], "-", "-", "-", spilled[name] + 0 }' "$made/log" "$made"/*.asm
}
program() { # target, number, part, options: its rows of the table in a file, or what went wrong in another
    file=$out/$1-$2 target=$1 part=$3
    shift 3
    rm -f "$file".*
    rows=$(case $target in
        nvptx64) compile_nvidia sm_80 "$part" "$*" "$file" ;;
        sm_*) compile_nvidia "$target" "$part" "$*" "$file" ;;
        dg2) compile_intel "$target" "$part" "$*" "$file" ;;
        *) compile_amd "$target" "$part" "$*" "$file" ;;
    esac) || {
        echo "FAIL kernels for $target: $part $* does not compile:"
        head -n 8 "$file.log" "$file.unresolved" 2> /dev/null
    } > "$file.broken"
    if [ -n "$rows" ]; then echo "$rows" | cpu_kernels_out | sed "s/\$/ $*/" > "$file.rows"; fi
}

# Prints the shares of the programs on matrix units, and fails if one is below its limit.
units_shares() {
    [ "$1" = dg2 ] && echo "shares for dg2 are not limited"
    : "${NVDISASM:=$(command -v nvdisasm || ls /usr/local/cuda/bin/nvdisasm 2> /dev/null)}"
    export NVDISASM
    case $1 in sm_* | nvptx64)
        if [ -z "$NVDISASM" ] || [ "$1" = nvptx64 ]; then
            echo "shares for $1 are not counted: no nvdisasm of CUDA (NVDISASM)"
            return 0
        fi ;;
    esac
    echo "shares for $1:"
    units_share_list "$1" | sed 's/ *$//' | each_line share "$1" | sort > "$out/shares-$1"
    cat "$out/shares-$1"
    ! grep -q '^FAIL' "$out/shares-$1"
}

code() {
    passed=0 failed=0 skipped=0
    cut_parts
    : "${PTXAS:=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2> /dev/null)}"
    : "${OCLOC:=$(command -v ocloc)}"
    export PTXAS OCLOC
    for target in ${*:-gfx906 gfx1030 gfx90a gfx1100 sm_75 sm_86 sm_90}; do
        case $target in
            nvptx64) library=nvptx64--nvidiacl ;;
            sm_*) library=nvptx64--nvidiacl
                if [ -z "$PTXAS" ]; then
                    echo "SKIP kernels for $target: no ptxas of CUDA (PTXAS)"
                    skipped=$((skipped + 1))
                    continue
                fi ;;
            dg2) library=
                if [ -z "$OCLOC" ]; then
                    echo "SKIP kernels for dg2: no ocloc (OCLOC)"
                    skipped=$((skipped + 1))
                    continue
                fi ;;
            *) library=amdgcn--amdhsa ;;
        esac
        if [ "$target ${ONLY:-}" = "sm_75 units" ]; then
            echo "SKIP kernels for sm_75: its matrix units have neither TF32 nor bf16, so no program uses them"
            skipped=$((skipped + 1))
            continue
        fi
        if [ -n "$library" ] && { ! command -v clang-15 > /dev/null 2>&1 || [ ! -f /usr/lib/clc/$library.bc ]; }; then
            echo "SKIP kernels for $target: no clang-15 with libclc-15 (make setup-full installs them)"
            skipped=$((skipped + 1))
            continue
        fi
        if [ "$target" = gfx1100 ] && ! command -v clang-19 > /dev/null 2>&1; then
            echo "SKIP kernels for $target: no clang-19"
            skipped=$((skipped + 1))
            continue
        fi
        rm -f "$out/$target"-*
        { if [ "$target" != gfx1100 ] && [ "$target" != dg2 ] && [ "${ONLY:-}" != units ]; then gpu_list && generated; fi; units "$target"
            [ "$target" != dg2 ] || intel_halves; } > "$out/list-$target"
        # Attention in work-groups of 64 is for devices that have no larger ones. OpenCL has no half arithmetic on NVIDIA.
        case $target in nvptx64 | sm_*)
            grep -v -e 'NN_ATTENTION_SIDE=8' -e 'NN_HALF=1' "$out/list-$target" > "$out/list" && mv "$out/list" "$out/list-$target" ;;
        esac
        nl -w 1 -s ' ' "$out/list-$target" | each_line program "$target"
        cat "$out/$target"-*.broken 2> /dev/null && broken=1 || broken=0
        cat "$out/$target"-*.rows > "$out/$target.table"
        echo "kernels for $target: registers, scalar registers, local bytes, private bytes, spills, options"
        awk -v limit=$limit '{
            printf "%s%s\n", ($4 > ($1 == "nn_chain" || $1 ~ /_mma$/ ? 49152 : limit) || $5 > ($1 ~ /^nn_attention_.*_tiles$/ ? 320 : 0) || $6 > 0 || ($1 == "nn_conv2d_gpu_winograd" && $3 == "-" && $2 > 128)) ? "FAIL " : "", $0
        }' "$out/$target.table" |
            sort -k 1,1 -k 2nr | tee "$out/$target.checked"
        if [ -s "$out/$target.table" ] && [ -n "$(units "$target")" ]; then units_shares "$target" || broken=1; fi
        if [ "$broken" -eq 0 ] && [ -s "$out/$target.table" ] && ! grep -q '^FAIL' "$out/$target.checked"; then passed=$((passed + 1))
        else failed=$((failed + 1)); fi
    done
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $failed -eq 0 ]
}

# Part, kernel, the least share of multiply-adds in the loop that does its work, how often that loop runs in a turn of the one
# around it, options. A card issues one instruction a cycle, so the share bounds what such a loop can reach.
share_list() {
    large_products | while read -r options; do
        case $options in # the smaller tiles are for what does not fill the device
            *SHAPE=[04]*) echo "matmul nn_gemm_large 85 2 $options" ;;
            *SHAPE=1*) echo "matmul nn_gemm_large 80 4 $options" ;;
            *SHAPE=2*) echo "matmul nn_gemm_large 75 2 $options" ;;
            *) echo "matmul nn_gemm_large 69 2 $options" ;;
        esac
    done
    # Small tiles are for what does not fill the device: more work-items, less of each.
    for size in "16 8 65" "16 4 58" "8 4 45"; do
        echo "matmul nn_gemm_tiles ${size##* } 4 -DNN_GEMM_ONLY=4 -DNN_GEMM_GROUP=${size%% *} -DNN_GEMM_HEIGHT=$(echo "$size" | cut -d' ' -f2)"
    done
    # A product of 64 rows has few work-groups, so its sums are cut between work-items, which read both operands from memory.
    echo "matmul nn_gemm_long 25 1 -DNN_GEMM_ONLY=6 -DNN_GEMM_DOWN=4 -DNN_GEMM_ACROSS=4 -DNN_GEMM_LONG=128 -DNN_GEMM_VECTOR=1"
    echo "matmul nn_gemm_long 40 1 -DNN_GEMM_ONLY=6 -DNN_GEMM_DOWN=8 -DNN_GEMM_ACROSS=8 -DNN_GEMM_LONG=128 -DNN_GEMM_VECTOR=1"
    for side in 128 64; do
        echo "conv2d nn_conv2d_large 80 2 -DNN_CONV_ONLY=10 -DNN_CONV_SIDE=$side"
        echo "conv2d nn_conv2d_weight_large 80 1 -DNN_CONV_ONLY=11 -DNN_CONV_SIDE=$side"
    done
    # In Winograd's loop each work-item takes one of two branches, which are both counted here. 68 of 100 instructions that
    # NVIDIA issues multiply and add, and 16 of them do the work of 36. Four channels at a time had 2.5 more of 100, but a
    # multiprocessor had registers for only one work-group.
    echo "conv2d nn_conv2d_gpu_winograd 60 2 -DNN_CONV_ONLY=12"
    # With at most four rows, a number of the source serves four products of a tap.
    echo "conv2d nn_conv2d_few 30 2 -DNN_CONV_ONLY=13 -DNN_CONV_FEW=3"
    echo "conv2d nn_conv2d_few 40 2 -DNN_CONV_ONLY=13 -DNN_CONV_FEW=7"
    few="-DNN_CONV_ONLY=14 -DNN_CONV_STRIDE=1 -DNN_CONV_DILATED=0"
    echo "conv2d nn_conv2d_weight_few 30 2 $few -DNN_CONV_FILTERS=3 -DNN_CONV_TAPS_H=3 -DNN_CONV_TAPS_W=3"
    echo "conv2d nn_conv2d_weight_few 40 2 $few -DNN_CONV_FILTERS=4 -DNN_CONV_TAPS_H=2 -DNN_CONV_TAPS_W=7"
    patch_shares
}
patch_shares() {
    patches | while read -r least patches parts deep high wide stride rest; do
        [ $((high * wide)) -lt 3 ] && trips=1 || trips=$deep
        echo "conv2d nn_conv2d_patches $least $trips -DNN_CONV_ONLY=15 -DNN_CONV_PATCHES=$patches -DNN_CONV_PARTS=$parts" \
            "-DNN_CONV_PATCH_DEEP=$deep -DNN_CONV_PATCH_TAPS_H=$high -DNN_CONV_PATCH_TAPS_W=$wide -DNN_CONV_PATCH_STRIDE=$stride $rest"
    done
    weight_patches | while read -r least parts width lanes patches high wide stride rest; do
        trips=$((patches / lanes))
        [ "$width" -eq 3 ] && trips=$((3 * trips))/4 # of four work-items that fetch, three multiply
        echo "conv2d nn_conv2d_weight_patches $least $trips -DNN_CONV_ONLY=16 -DNN_CONV_PARTS=$parts -DNN_CONV_CHANNELS=$width" \
            "-DNN_CONV_LANES_EACH=$lanes -DNN_CONV_PATCHES=$patches -DNN_CONV_PATCH_TAPS_H=$high -DNN_CONV_PATCH_TAPS_W=$wide" \
            "-DNN_CONV_PATCH_STRIDE=$stride $rest"
    done
}
# The same for matrix units: the least shares of the loops with the most matrix instructions. Large products with copied operands must
# reach 60 of 100. The other limits are the shares that the kernels reach now. A card needs 13 of 100 to keep its units busy (A100; 7 on
# an H100 by mma.sync, 17 on sm_86), because a matrix instruction occupies its unit for 8 cycles. AMD cannot round to bf16 in one instruction.
units_share_list() {
    units "$1" | grep -E 'GEMM_VECTOR=1|CONV_WHOLE=1|A_FORM' | while read -r part options; do
        case $1:$options in
            dg2:*GEMM*) echo "$part nn_gemm_mma 0 1 $options" ;;
            dg2:*ONLY=18*) echo "$part nn_conv2d_mma 0 1 $options" ;;
            dg2:*) echo "$part nn_conv2d_weight_mma 0 1 $options" ;;
            sm_*BF16=0*ONLY=19*A_FORM*) echo "$part nn_conv2d_weight_mma 60 1 $options" ;;
            sm_*ONLY=19*A_FORM*) echo "$part nn_conv2d_weight_mma 61 1 $options" ;;
            *BF16=0*ONLY=19*A_FORM*) echo "$part nn_conv2d_weight_mma 89 1 $options" ;;
            *ONLY=19*A_FORM*) echo "$part nn_conv2d_weight_mma 23 1 $options" ;;
            sm_*ONLY=18*A_FORM*TALL=64*) echo "$part nn_conv2d_mma 48 1 $options" ;;
            sm_*ONLY=18*A_FORM*) echo "$part nn_conv2d_mma 61 1 $options" ;;
            *ONLY=18*A_FORM*TALL=64*) echo "$part nn_conv2d_mma 59 1 $options" ;;
            *ONLY=18*A_FORM*) echo "$part nn_conv2d_mma 74 1 $options" ;;
            sm_*A_FORM*) echo "$part nn_gemm_mma 61 1 $options" ;;
            *A_FORM*) echo "$part nn_gemm_mma 79 1 $options" ;;
            gfx90a:*BF16=0*SIDE=64*GEMM*) echo "$part nn_gemm_mma 34 1 $options" ;;
            gfx90a:*BF16=0*GEMM*) echo "$part nn_gemm_mma 50 1 $options" ;;
            gfx90a:*SIDE=64*MMA_COPY*) echo "$part nn_gemm_mma 28.8 1 $options" ;;
            gfx90a:*MMA_COPY*) echo "$part nn_gemm_mma 43 1 $options" ;;
            gfx90a:*SIDE=64*GEMM*) echo "$part nn_gemm_mma 3.2 1 $options" ;;
            gfx90a:*GEMM*) echo "$part nn_gemm_mma 6.2 1 $options" ;;
            gfx90a:*BF16=0*SIDE=64*ONLY=18*) echo "$part nn_conv2d_mma 7.8 1 $options" ;;
            gfx90a:*BF16=0*ONLY=18*) echo "$part nn_conv2d_mma 9.2 1 $options" ;;
            gfx90a:*SIDE=64*ONLY=18*) echo "$part nn_conv2d_mma 2.4 1 $options" ;;
            gfx90a:*ONLY=18*) echo "$part nn_conv2d_mma 3.4 1 $options" ;;
            gfx1100:*MMA_COPY*) echo "$part nn_gemm_mma 40 1 $options" ;;
            gfx1100:*GEMM*) echo "$part nn_gemm_mma 3.4 1 $options" ;;
            gfx90a:*ONLY=19*) echo "$part nn_conv2d_weight_mma 1 1 $options" ;;
            gfx1100:*SIDE=64*ONLY=18*) echo "$part nn_conv2d_mma 4.8 1 $options" ;;
            gfx1100:*ONLY=18*) echo "$part nn_conv2d_mma 9 1 $options" ;;
            gfx1100:*SIDE=64*) echo "$part nn_conv2d_weight_mma 2.4 1 $options" ;;
            gfx1100:*) echo "$part nn_conv2d_weight_mma 4.8 1 $options" ;;
            *SIDE=64*MMA_COPY*) echo "$part nn_gemm_mma 28.8 1 $options" ;;
            *MMA_COPY*) echo "$part nn_gemm_mma 43 1 $options" ;;
            *SIDE=64*GEMM*) echo "$part nn_gemm_mma 15 1 $options" ;;
            *GEMM*) echo "$part nn_gemm_mma 26 1 $options" ;;
            *SIDE=64*ONLY=18*) echo "$part nn_conv2d_mma 9 1 $options" ;;
            *ONLY=18*) echo "$part nn_conv2d_mma 20 1 $options" ;;
            *SIDE=64*) echo "$part nn_conv2d_weight_mma 5 1 $options" ;;
            *) echo "$part nn_conv2d_weight_mma 11 1 $options" ;;
        esac
    done
}
share() { # chip, part, kernel, the least, trips, options: prints a line
    chip=$1 part=$2 kernel=$3 least=$4 trips=$5
    shift 5
    log=$(mktemp $out/share-XXXXXX) found=0
    if [ "$chip" = dg2 ]; then
        made=$(intel_assembly "$part" "$*" "$log") && made=$(grep -lx "//.kernel $kernel" "$made"/*.asm | head -n 1)
    else
        made=$(assembly "$chip" "$part" "$*" "$log")
    fi
    if [ -n "$made" ]; then
        case $chip in sm_* | dg2) set -- "$chip" "$@" ;; *) set -- "" "$@" ;; esac
        # shellcheck disable=SC2086
        found=$(python3 tools/kernel_share.py "$made" "$kernel" "$trips" $1 2>> "$log") || found=0
        shift
    fi
    fine=$(awk -v a="$found" -v b="$least" 'BEGIN { if (a < b) print "FAIL " }')
    echo "$fine$chip $kernel $found of 100, at least $least: $*"
    [ "$found" = 0 ] && grep -v '^warning: linking' "$log" | tail -n 5
    rm "$log"
}
shares() {
    passed=0 failed=0 skipped=0
    cut_parts
    for chip in ${*:-sm_75 sm_86 sm_90 gfx906 gfx1030 gfx90a gfx1100}; do
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
        { [ "${ONLY:-}" = units ] || [ "$chip" = gfx1100 ] || share_list; units_share_list "$chip"; } | sed 's/ *$//' | each_line share "$chip" | tee "$out/shares-$chip"
        if [ -s "$out/shares-$chip" ] && ! grep -q '^FAIL' "$out/shares-$chip"; then passed=$((passed + 1))
        else failed=$((failed + 1)); fi
    done
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $failed -eq 0 ]
}

case ${1:-} in
    list) list ;;
    units) units "$2" ;;
    text) text "$2" "${3:-opencl/common.cl}" ;;
    program | share) "$@" ;; # one line of a list
    code) shift; code "$@" ;;
    shares) shift; shares "$@" ;;
    *) echo "usage: tools/kernel_code.sh list | text part | code [gfx906|gfx1030|gfx90a|gfx1100|dg2|sm_75|sm_86|sm_90|nvptx64] | shares [sm_75|sm_86|sm_90|gfx906|gfx1030|gfx90a]" >&2; exit 1 ;;
esac
