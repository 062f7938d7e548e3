/* kernels/integer/opencl.cl - inference in 8-bit integers: plain loops, a work-item for each number
   of y. Products take four bytes at a time where the device has an instruction for that. All sums
   are integers, so the bytes are those of the CPU. Letters and formulas are those of
   kernels/integer/args.h. */

/* sum * multiplier * 2^(shift - 31), rounded twice. */
int nn_integer_scale(int sum, int multiplier, int shift) {
    const int up = shift > 0 ? (int)((uint)sum << shift) : sum, bits = shift < 0 ? -shift : 0;
    const int high = (int)(((long)up * (long)multiplier + (1L << 30)) >> 31);
    const uint mask = (1u << bits) - 1u, rest = (uint)high & mask;
    return (high >> bits) + (rest > (mask >> 1) + (high < 0 ? 1u : 0u) ? 1 : 0);
}
char nn_integer_clamp(int scaled, int zero, int low, int high) {
    const int value = (int)((uint)scaled + (uint)zero);
    return (char)(value < low ? low : value > high ? high : value);
}
/* The row or column of x that a tap of a transposed convolution reads; -1: none. */
int nn_integer_source(int at, int stride, int extent) {
    return at >= 0 && at % stride == 0 && at / stride < extent ? at / stride : -1;
}

/* NN_DOT(a, b, sum): sum plus the products of four bytes each. NN_INTEGER_DOT: 0 there is none, 1
   cl_khr_integer_dot_product, 2 NVIDIA from compute capability 6.1 on, 3 AMD, 4 an emulation for
   tests. Compilers for other chips get plain loops. */
#if NN_INTEGER_DOT == 1 && defined(cl_khr_integer_dot_product)
#define NN_DOT(a, b, sum) ((sum) + (uint)dot_4x8packed_ss_int(a, b))
#elif NN_INTEGER_DOT == 2 && !defined(__AMDGCN__) && !defined(POCL_DEVICE_ADDRESS_BITS) &&         \
    !defined(__SPIR__) && !defined(__SPIRV__)
uint nn_integer_dp4a(uint a, uint b, uint sum) {
    __asm__("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
}
#define NN_DOT(a, b, sum) nn_integer_dp4a(a, b, sum)
#elif NN_INTEGER_DOT == 3 && (defined(__gfx906__) || defined(__gfx908__) || defined(__gfx90a__) || \
    defined(__gfx940__) || defined(__gfx941__) || defined(__gfx942__) || defined(__gfx1011__) ||   \
    defined(__gfx1012__) || defined(__gfx1030__) || defined(__gfx1031__) ||                        \
    defined(__gfx1032__) || defined(__gfx1034__) || defined(__gfx1035__))
#define NN_DOT(a, b, sum)                                                                          \
    ((uint)__builtin_amdgcn_sdot4((int)(a), (int)(b), (int)(sum), false))
#elif NN_INTEGER_DOT == 3 && (defined(__gfx1100__) || defined(__gfx1101__) ||                      \
    defined(__gfx1102__) || defined(__gfx1103__))
#define NN_DOT(a, b, sum)                                                                          \
    ((uint)__builtin_amdgcn_sudot4(true, (int)(a), true, (int)(b), (int)(sum), false))
#elif NN_INTEGER_DOT == 4
uint nn_integer_dot4(uint a, uint b, uint sum) {
    for (int i = 0; i < 32; i += 8) sum += (uint)((int)(char)(a >> i) * (int)(char)(b >> i));
    return sum;
}
#define NN_DOT(a, b, sum) nn_integer_dot4(a, b, sum)
#endif

/* Returns sum plus the products of `depth` numbers of x, less zero, with weights. */
uint nn_integer_products(const __global char *x, const __global char *w, int depth, int zero,
                         uint sum) {
    int c = 0;
#ifdef NN_DOT
    /* compilers read four bytes one by one if their address may be no multiple of four */
    const bool aligned = (((ulong)x | (ulong)w) & 3ul) == 0ul;
    uint weights = 0;
    for (; c + 4 <= depth; c += 4) {
        const uint four = aligned ? *(const __global uint *)(x + c) : as_uint(vload4(0, x + c)),
                   by = aligned ? *(const __global uint *)(w + c) : as_uint(vload4(0, w + c));
        sum = NN_DOT(four, by, sum);
        weights = NN_DOT(0x01010101u, by, weights);
    }
    sum -= weights * (uint)zero;
#endif
    for (; c < depth; c++) sum += (uint)((x[c] - zero) * w[c]);
    return sum;
}

#ifdef NN_DOT
/* The self-test: y[i] = i plus the products of four bytes of a[i] and b[i]. */
__kernel void nn_integer_dot_test(__global uint *y, ulong y_offset, const __global uint *a,
                                  ulong a_offset, const __global uint *b, ulong b_offset) {
    const ulong i = get_global_id(0);
    y[y_offset + i] = NN_DOT(a[a_offset + i], b[b_offset + i], (uint)i);
}
#endif

/* kind: 0, 1 for depthwise, 2 for transposed. */
__kernel void nn_integer_conv2d(__global char *y, ulong y_offset, const __global char *x,
                                ulong x_offset, const __global char *weight, ulong weight_offset,
                                const __global int *bias, ulong bias_offset,
                                const __global int *factor, ulong factor_offset,
                                const __global int *zero, ulong zero_offset, int H, int W, int C,
                                int OH, int OW, int K, int R, int S, int stride_h, int stride_w,
                                int padding_h, int padding_w, int dilation_h, int dilation_w,
                                int groups, int kind, ulong first, ulong end) {
    const ulong at = first + get_global_id(0);
    if (at >= end) return;
    zero += zero_offset, factor += factor_offset;
    const int k = (int)(at % (ulong)K), ow = (int)(at / (ulong)K % (ulong)OW),
              oh = (int)(at / (ulong)K / (ulong)OW % (ulong)OH);
    const ulong n = at / (ulong)K / (ulong)OW / (ulong)OH;
    const int depth = C / groups, zero_x = zero[0];
    const __global char *image = x + x_offset + n * (ulong)H * (ulong)W * (ulong)C +
                                 (ulong)(k / (K / groups)) * (ulong)depth;
    const __global char *w = weight + weight_offset +
                             (kind == 1 ? (ulong)k : (ulong)k * (ulong)R * (ulong)S * (ulong)depth);
    uint sum = (uint)bias[bias_offset + k];
    for (int r = 0; r < R; r++) {
        const int h = kind == 2
                          ? nn_integer_source(oh + padding_h - r * dilation_h, stride_h, H)
                          : oh * stride_h - padding_h + r * dilation_h;
        if (h < 0 || h >= H) continue;
        for (int s = 0; s < S; s++) {
            const int v = kind == 2
                              ? nn_integer_source(ow + padding_w - s * dilation_w, stride_w, W)
                              : ow * stride_w - padding_w + s * dilation_w;
            if (v < 0 || v >= W) continue;
            const __global char *from = image + ((ulong)h * (ulong)W + (ulong)v) * (ulong)C;
            const ulong tap = (ulong)(r * S + s);
            if (kind == 1) {
                sum += (uint)((from[0] - zero_x) * w[tap * (ulong)K]);
                continue;
            }
            sum = nn_integer_products(from, w + tap * (ulong)depth, depth, zero_x, sum);
        }
    }
    y[y_offset + at] =
        nn_integer_clamp(nn_integer_scale((int)sum, factor[k], factor[K + k]), zero[1], zero[2],
                         zero[3]);
}

__kernel void nn_integer_pool2d(__global char *y, ulong y_offset, const __global char *x,
                                ulong x_offset, const __global int *zero, ulong zero_offset, int H,
                                int W, int C, int OH, int OW, int R, int S, int stride_h,
                                int stride_w, int padding_h, int padding_w, int average,
                                int only_inside, ulong first, ulong end) {
    const ulong at = first + get_global_id(0);
    if (at >= end) return;
    const int ow = (int)(at / (ulong)C % (ulong)OW),
              oh = (int)(at / (ulong)C / (ulong)OW % (ulong)OH);
    const ulong n = at / (ulong)C / (ulong)OW / (ulong)OH;
    const __global char *image =
        x + x_offset + n * (ulong)H * (ulong)W * (ulong)C + at % (ulong)C;
    const int h0 = oh * stride_h - padding_h, w0 = ow * stride_w - padding_w;
    const int zero_x = zero[zero_offset];
    int sum = 0, inside = 0, largest = -128;
    for (int h = max(h0, 0); h < min(h0 + R, H); h++)
        for (int w = max(w0, 0); w < min(w0 + S, W); w++) {
            const int value = image[((ulong)h * (ulong)W + (ulong)w) * (ulong)C];
            sum += value;
            largest = max(largest, value);
            inside++;
        }
    int count = inside;
    if (average && !only_inside) count = R * S, sum += (count - inside) * zero_x;
    if (average && count)
        largest = sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
    y[y_offset + at] = (char)(count ? largest : zero_x);
}

/* numbers: as in nn_integer_add_args */
__kernel void nn_integer_add(__global char *y, ulong y_offset, const __global char *a,
                             ulong a_offset, const __global char *b, ulong b_offset,
                             const __global int *numbers, ulong numbers_offset, ulong first,
                             ulong end) {
    const ulong at = first + get_global_id(0);
    if (at >= end) return;
    numbers += numbers_offset;
    const int from_a = (a[a_offset + at] - numbers[0]) * (1 << 20),
              from_b = (b[b_offset + at] - numbers[1]) * (1 << 20);
    const uint sum = (uint)nn_integer_scale(from_a, numbers[3], numbers[6]) +
                     (uint)nn_integer_scale(from_b, numbers[4], numbers[7]);
    y[y_offset + at] = nn_integer_clamp(nn_integer_scale((int)sum, numbers[5], numbers[8]),
                                        numbers[2], numbers[9], numbers[10]);
}

/* b has one number for each channel of an image of `plane` numbers, or plane is 0. */
__kernel void nn_integer_multiply(__global char *y, ulong y_offset, const __global char *a,
                                  ulong a_offset, const __global char *b, ulong b_offset,
                                  const __global int *numbers, ulong numbers_offset, ulong plane,
                                  ulong channels, ulong first, ulong end) {
    const ulong at = first + get_global_id(0);
    if (at >= end) return;
    numbers += numbers_offset;
    const ulong of_b = plane ? at / plane * channels + at % channels : at;
    const int product = (a[a_offset + at] - numbers[0]) * (b[b_offset + of_b] - numbers[1]);
    y[y_offset + at] = nn_integer_clamp(nn_integer_scale(product, numbers[3], numbers[4]),
                                        numbers[2], numbers[5], numbers[6]);
}

__kernel void nn_integer_table(__global char *y, ulong y_offset, const __global char *x,
                               ulong x_offset, const __global char *table, ulong table_offset,
                               ulong first, ulong end) {
    const ulong at = first + get_global_id(0);
    if (at < end) y[y_offset + at] = table[table_offset + (ulong)(x[x_offset + at] + 128)];
}

/* A work-group takes rows: of `length` numbers, `inner` numbers apart. */
__kernel void nn_integer_softmax(__global char *y, ulong y_offset, const __global char *x,
                                 ulong x_offset, const __global int *table, ulong table_offset,
                                 const __global int *numbers, ulong numbers_offset, int length,
                                 ulong inner, ulong first) {
    __local int tops[64];
    __local ulong sums[64];
    const ulong row = first + get_group_id(0),
                at = row / inner * inner * (ulong)length + row % inner;
    const int lane = (int)get_local_id(0), lanes = (int)get_local_size(0);
    int top = -128;
    ulong sum = 0;
    y += y_offset + at, x += x_offset + at, table += table_offset, numbers += numbers_offset;
    for (int i = lane; i < length; i += lanes) top = max(top, (int)x[(ulong)i * inner]);
    tops[lane] = top;
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < lanes; k++) top = max(top, tops[k]);
    for (int i = lane; i < length; i += lanes)
        sum += (ulong)(uint)table[top - (int)x[(ulong)i * inner]];
    sums[lane] = sum;
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    sum = 0;
    for (int k = 0; k < lanes; k++) sum += sums[k];
    sum = max(sum, (ulong)1 << 30); /* less if the table is not filled yet */
    const ulong r = (((ulong)1 << 61) + sum / 2) / sum;
    for (int i = lane; i < length; i += lanes) {
        const ulong e = (ulong)(uint)table[top - (int)x[(ulong)i * inner]],
                    p = (e * r + ((ulong)1 << 30)) >> 31;
        y[(ulong)i * inner] = nn_integer_clamp(
            nn_integer_scale((int)(uint)p, numbers[1], numbers[2]), numbers[0], -128, 127);
    }
}

__kernel void nn_integer_resize2d(__global char *y, ulong y_offset, const __global char *x,
                                  ulong x_offset, const __global int *rows, ulong rows_offset,
                                  const __global int *columns, ulong columns_offset, int H, int W,
                                  int C, int OH, int OW, ulong first, ulong end) {
    const ulong at = first + get_global_id(0);
    if (at >= end) return;
    rows += rows_offset, columns += columns_offset;
    const int c = (int)(at % (ulong)C), ow = (int)(at / (ulong)C % (ulong)OW),
              oh = (int)(at / (ulong)C / (ulong)OW % (ulong)OH);
    const ulong n = at / (ulong)C / (ulong)OW / (ulong)OH;
    const __global char *image = x + x_offset + n * (ulong)H * (ulong)W * (ulong)C + (ulong)c;
    const int down = rows[2 * OH + oh], across = columns[2 * OW + ow];
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        const int h = clamp(rows[(i >> 1) * OH + oh], 0, H - 1),
                  w = clamp(columns[(i & 1) * OW + ow], 0, W - 1);
        sum += image[((ulong)h * (ulong)W + (ulong)w) * (ulong)C] * (i >> 1 ? down : 1024 - down) *
               (i & 1 ? across : 1024 - across);
    }
    y[y_offset + at] = (char)((sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));
}

/* round(2^15 sigmoid(i / 16)): NN_INTEGER_SIGMOID of kernels/integer/args.h */
__constant short nn_integer_sigmoids[177] = {
    16384, 16896, 17407, 17916, 18421, 18923, 19420, 19912, 20397, 20874, 21344, 21804, 22255,
    22696, 23127, 23547, 23955, 24352, 24737, 25110, 25471, 25819, 26155, 26479, 26790, 27090,
    27377, 27653, 27917, 28169, 28411, 28642, 28862, 29072, 29272, 29462, 29644, 29816, 29979,
    30135, 30282, 30422, 30555, 30680, 30799, 30912, 31018, 31119, 31214, 31304, 31389, 31469,
    31545, 31616, 31684, 31747, 31807, 31864, 31917, 31968, 32015, 32060, 32102, 32141, 32179,
    32214, 32247, 32278, 32307, 32335, 32361, 32385, 32408, 32430, 32450, 32469, 32487, 32504,
    32520, 32535, 32549, 32562, 32574, 32586, 32597, 32607, 32617, 32626, 32635, 32643, 32650,
    32657, 32664, 32670, 32676, 32682, 32687, 32692, 32696, 32701, 32705, 32709, 32712, 32716,
    32719, 32722, 32725, 32727, 32730, 32732, 32734, 32736, 32738, 32740, 32742, 32743, 32745,
    32746, 32747, 32749, 32750, 32751, 32752, 32753, 32754, 32755, 32756, 32756, 32757, 32758,
    32758, 32759, 32759, 32760, 32760, 32761, 32761, 32762, 32762, 32762, 32763, 32763, 32763,
    32764, 32764, 32764, 32764, 32765, 32765, 32765, 32765, 32765, 32766, 32766, 32766, 32766,
    32766, 32766, 32766, 32766, 32767, 32767, 32767, 32767, 32767, 32767, 32767, 32767, 32767,
    32767, 32767, 32767, 32767, 32767, 32767, 32767, 32767};
/* The sigmoid of v with 15 bits after the point, as v has. */
int nn_integer_sigmoid(int v) {
    const int size = v < 0 ? -v : v, at = size >> 11;
    int y = 32768;
    if (at < 176) {
        const int low = nn_integer_sigmoids[at], high = nn_integer_sigmoids[at + 1];
        y = low + (((high - low) * (size & 2047) + 1024) >> 11);
    }
    return v < 0 ? 32768 - y : y;
}
int nn_integer_tanh(int v) { return 2 * nn_integer_sigmoid(2 * v) - 32768; }
int nn_integer_limit16(int v) { return clamp(v, -32768, 32767); }
int nn_integer_halve(int v, int bits) { return (v + (1 << (bits - 1))) >> bits; }
/* A gate's part: the requantised sum of a row with the numbers of x, less zero. */
int nn_integer_gate(const __global char *x, const __global char *w, int depth, int zero, int bias,
                    int multiplier, int shift) {
    const uint sum = nn_integer_products(x, w, depth, zero, (uint)bias);
    return nn_integer_limit16(nn_integer_scale((int)sum, multiplier, shift));
}

/* A work-group takes one sample through all steps, and a work-item some elements of its state,
   which are in `kept` (N, H). cell: 2 gru, 3 lstm. In the first step h is its zero point. */
__kernel void nn_integer_recurrent(__global char *y, ulong y_offset, __global int *state,
                                   ulong state_offset, const __global char *x, ulong x_offset,
                                   const __global char *weight_ih, ulong weight_ih_offset,
                                   const __global char *weight_hh, ulong weight_hh_offset,
                                   const __global int *bias, ulong bias_offset,
                                   const __global int *factor, ulong factor_offset,
                                   const __global int *numbers, ulong numbers_offset,
                                   __global int *kept, ulong kept_offset, int T, int C, int H,
                                   int cell, int reverse, int first) {
    const ulong n = (ulong)first + get_group_id(0);
    const int gates = cell == 3 ? 4 : 3, rows = gates * H;
    y += y_offset + n * (ulong)T * (ulong)H, x += x_offset + n * (ulong)T * (ulong)C;
    weight_ih += weight_ih_offset, weight_hh += weight_hh_offset, bias += bias_offset;
    factor += factor_offset, numbers += numbers_offset;
    kept += kept_offset + n * (ulong)H;
    const int zero = numbers[1], bits = clamp(numbers[4], 0, 10);
    for (int step = 0; step < T; step++) {
        const int t = reverse ? T - 1 - step : step, before = reverse ? t + 1 : t - 1;
        for (int k = (int)get_local_id(0); k < H; k += (int)get_local_size(0)) {
            /* vectors, not arrays: these stay in registers */
            int4 of_x = (int4)(0), of_h = (int4)(0);
            int sum, p, s = step ? kept[k] : 0;
            for (int g = 0; g < gates; g++) {
                const int row = g * H + k;
                const int4 which = (int4)(g) == (int4)(0, 1, 2, 3);
                of_x = select(of_x,
                              (int4)(nn_integer_gate(x + (ulong)t * (ulong)C,
                                                     weight_ih + (ulong)row * (ulong)C, C,
                                                     numbers[0], bias[row], factor[row],
                                                     factor[rows + row])),
                              which);
                of_h = select(of_h,
                              (int4)(nn_integer_gate(y + (ulong)(step ? before : 0) * (ulong)H,
                                                     weight_hh + (ulong)row * (ulong)H,
                                                     step ? H : 0, zero, bias[rows + row],
                                                     factor[2 * rows + row],
                                                     factor[3 * rows + row])),
                              which);
            }
            const int a = nn_integer_sigmoid(nn_integer_limit16(of_x.s0 + of_h.s0) * 16),
                      b = nn_integer_sigmoid(nn_integer_limit16(of_x.s1 + of_h.s1) * 16);
            if (cell == 3) {
                const int g = nn_integer_tanh(nn_integer_limit16(of_x.s2 + of_h.s2) * 16),
                          o = nn_integer_sigmoid(nn_integer_limit16(of_x.s3 + of_h.s3) * 16);
                s = nn_integer_limit16(nn_integer_halve(b * s, 15) +
                                       nn_integer_halve(a * g, 15 + bits));
                p = o * nn_integer_tanh(s * (1 << bits));
            } else {
                sum = nn_integer_limit16(of_x.s2 + nn_integer_halve(a * of_h.s2, 15));
                s = nn_integer_halve(b * s + (32768 - b) * nn_integer_tanh(sum * 16), 15);
                p = s * 32768;
            }
            kept[k] = s;
            const char h = nn_integer_clamp(nn_integer_scale(p, numbers[2], numbers[3]), zero, -128,
                                            127);
            y[(ulong)t * (ulong)H + (ulong)k] = h;
            if (state && step == T - 1) {
                __global int *to = state + state_offset + n * (ulong)(cell == 3 ? 2 * H : H);
                if (cell == 3) to[k] = h, to += H;
                to[k] = s;
            }
        }
        NN_BARRIER(CLK_GLOBAL_MEM_FENCE);
    }
}

/* Returns |x / scale| as the nearest float, rounded to an integer, halves up; at most 512. The
   quotient is computed in integers, because a device's division may be off by 2.5 ulp and may lose
   small numbers. */
int nn_integer_quotient(uint x, uint scale) {
    int x_exponent = (int)(x >> 23), s_exponent = (int)(scale >> 23);
    uint a = x & 0x7fffffu, b = scale & 0x7fffffu;
    if (x_exponent) a |= 0x800000u;
    else x_exponent = 1;
    if (s_exponent) b |= 0x800000u;
    else s_exponent = 1;
    if (a == 0u || s_exponent == 255) return 0;
    if (b == 0u || x_exponent == 255) return 512;
    const int of_a = (int)clz(a) - 8, of_b = (int)clz(b) - 8;
    a <<= of_a, x_exponent -= of_a;
    b <<= of_b, s_exponent -= of_b;
    int exponent = x_exponent - s_exponent;
    if (exponent > 10) return 512;
    if (exponent < -2) return 0;
    /* 24 bits of the quotient, rounded to even */
    if (a < b) a <<= 1, exponent--;
    const ulong whole = ((ulong)a << 24) / b, rest = ((ulong)a << 24) % b; /* 25 bits */
    uint q = (uint)(whole >> 1);
    if ((whole & 1ul) && (rest || (q & 1u))) q++;
    /* q * 2^(exponent - 23), plus one half, rounded down */
    const int bits = 23 - exponent;
    return (int)min((q + (1u << (bits - 1))) >> bits, 512u);
}

/* Number i of an image (N, C, plane) in f32 is number nn_integer_last(...) with channels last.
   channels = 1: there is no such order. */
ulong nn_integer_last(ulong i, ulong plane, ulong channels) {
    return (i / plane / channels * plane + i % plane) * channels + i / plane % channels;
}

__kernel void nn_quantize(__global char *y, ulong y_offset, const __global float *x, ulong x_offset,
                          const __global float *scale, ulong scale_offset, ulong plane,
                          ulong channels, ulong first, ulong end) {
    const ulong at = first + get_global_id(0);
    if (at >= end) return;
    const uint bits = as_uint(x[x_offset + at]), size = as_uint(scale[scale_offset]),
               magnitude = bits & 0x7fffffffu;
    const float zero = scale[scale_offset + 1];
    float value = zero;
    if (magnitude <= 0x7f800000u) {
        const int q = nn_integer_quotient(magnitude, size & 0x7fffffffu);
        value = (float)(((bits ^ size) >> 31) ? -q : q) + zero;
    }
    y[y_offset + nn_integer_last(at, plane, channels)] = (char)(int)clamp(value, -128.0f, 127.0f);
}

__kernel void nn_dequantize(__global float *y, ulong y_offset, const __global char *x,
                            ulong x_offset, const __global float *scale, ulong scale_offset,
                            ulong plane, ulong channels, ulong first, ulong end) {
    const ulong at = first + get_global_id(0);
    if (at >= end) return;
    const float whole = (float)x[x_offset + nn_integer_last(at, plane, channels)];
    y[y_offset + at] = scale[scale_offset] * (whole - scale[scale_offset + 1]);
}
