/* opencl/common.cl - the code that all kernels share: activations, Philox random words, the status
   word. It is compiled before every other part.

   A view is two arguments: a pointer and an offset in elements. An absent view is NULL and 0. All
   kernels are OpenCL C 1.2 without doubles. Atomics only count finished work-groups
   (kernels/matmul/opencl_ends.cl) and samples (kernels/metric/opencl.cl). Only opencl/mma.cl needs
   extensions. In this file, only nn_group_sum and nn_group_max require a size of the work-group:
   NN_LANES. */

/* Lets the compiler contract a product and a sum into one fma, whatever the driver's default: the
   large loops consist mostly of them. A function that must not be contracted says so. */
#pragma OPENCL FP_CONTRACT ON

/* PoCL turns the code between two barriers into a loop over the work-items. If a branch directly
   follows a barrier, PoCL 3.1 decides it once for the whole group, by the last work-item, so other
   work-items skip loops that they should run. A store that no compiler removes separates the branch
   from the barrier. Inline assembly would, too, but PoCL 4 to 6 takes it for a call of one of their
   own functions, and aborts the process. */
#if defined(POCL_DEVICE_ADDRESS_BITS) && !defined(__SPIR__) && !defined(__SPIRV__)
#define NN_BARRIER(flags)                                                                          \
    do {                                                                                           \
        barrier(flags);                                                                            \
        volatile int nn_between = 0;                                                               \
        (void)nn_between;                                                                          \
    } while (0)
#else
#define NN_BARRIER(flags) barrier(flags)
#endif

/* The values of enum nn_activation, enum nn_fault_code, enum nn_reduction. */
#define NN_ACTIVATION_NONE    0
#define NN_ACTIVATION_RELU    1
#define NN_ACTIVATION_SIGMOID 2
#define NN_ACTIVATION_TANH    3
#define NN_ACTIVATION_GELU    4
#define NN_ACTIVATION_RELU6   5
#define NN_FAULT_LABEL        1u
#define NN_FAULT_INDEX        2u
#define NN_FAULT_LOSS         3u
#define NN_MEAN               1
#define NN_SUM                2
#define NN_MAX                3

/* A NaN compares false, so it stays. */
float nn_relu(float x) { return x < 0.0f ? 0.0f : x; }
float nn_sigmoid(float x) { return 1.0f / (1.0f + exp(-x)); }
float nn_relu6(float x) { return x <= 0.0f ? 0.0f : x > 6.0f ? 6.0f : x; }
float nn_gelu(float x) { return 0.5f * x * (1.0f + erf(x * 0.70710678118654752f)); }

/* OpenCL's tanh may be off by 5 ulp. Where 1 is the nearest float, the result is exactly 1. */
float nn_tanh(float x) { return fabs(x) > 9.02f ? copysign(1.0f, x) : tanh(x); }

float nn_activate(int kind, float x) {
    switch (kind) {
    case NN_ACTIVATION_RELU: return nn_relu(x);
    case NN_ACTIVATION_SIGMOID: return nn_sigmoid(x);
    case NN_ACTIVATION_TANH: return nn_tanh(x);
    case NN_ACTIVATION_GELU: return nn_gelu(x);
    case NN_ACTIVATION_RELU6: return nn_relu6(x);
    default: return x;
    }
}

/* Returns the larger number, or NaN if either is NaN. */
float nn_larger(float a, float b) { return b > a || b != b ? b : a; }

/* ---- f16 and bf16 ---------------------------------------------------------------------------- */

/* Rounds to bf16, to nearest even. NaN stays NaN. */
ushort nn_round_bf16(float x) {
    const uint bits = as_uint(x);
    return (ushort)(x == x ? (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16 : bits >> 16 | 0x40u);
}

/* NN_STORED: the type in which a number is stored, and macros that read and write one. The argument
   is 0 for f32, 1 for f16, 2 for bf16. */
#define NN_STORED_0           float
#define NN_STORED_1           ushort
#define NN_STORED_2           ushort
#define NN_STORED_AT_0(p, i)  (p)[i]
#define NN_STORED_AT_1(p, i)  vload_half(i, (const __global half *)(p))
#define NN_STORED_AT_2(p, i)  as_float((uint)(p)[i] << 16)
#define NN_STORED_PUT_0(p, i, x) (p)[i] = (x)
#define NN_STORED_PUT_1(p, i, x) vstore_half_rte(x, i, (__global half *)(p))
#define NN_STORED_PUT_2(p, i, x) (p)[i] = nn_round_bf16(x)
#define NN_STORED_JOIN(name, type) name##type
#define NN_STORED(type)            NN_STORED_JOIN(NN_STORED_, type)
#define NN_STORED_AT(type)         NN_STORED_JOIN(NN_STORED_AT_, type)
#define NN_STORED_PUT(type)        NN_STORED_JOIN(NN_STORED_PUT_, type)

/* Philox4x32-10, the same words as nn_random_words in C. Source: Salmon, Moraes, Dror, Shaw,
   "Parallel random numbers: as easy as 1, 2, 3". */
uint4 nn_random_words(ulong seed, ulong stream, ulong counter) {
    uint key0 = (uint)seed, key1 = (uint)(seed >> 32);
    uint4 x = (uint4)((uint)counter, (uint)(counter >> 32), (uint)stream, (uint)(stream >> 32));
    for (int round = 0; round < 10; round++) {
        uint a_low = 0xD2511F53u * x.x, a_high = mul_hi(0xD2511F53u, x.x);
        uint b_low = 0xCD9E8D57u * x.z, b_high = mul_hi(0xCD9E8D57u, x.z);
        x = (uint4)(b_high ^ x.y ^ key0, b_low, a_high ^ x.w ^ key1, a_low);
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return x;
}

/* Maps a word to [0, 1) by its upper 24 bits, which is exact in float. */
float nn_word_to_uniform(uint word) { return (float)(word >> 8) * (1.0f / 16777216.0f); }
float4 nn_words_to_uniform(uint4 words) {
    return convert_float4(words >> 8) * (1.0f / 16777216.0f);
}

/* Records a fault; the first one stays. One work-item of a launch calls it. status may be NULL. */
void nn_set_status(__global uint *status, ulong offset, uint step, uint code) {
    if (status && status[offset] == 0u) status[offset] = (step << 3) | code;
}
/* True if a fault is recorded. Updates and accumulations then do nothing. */
bool nn_faulty(const __global uint *status, ulong offset) { return status && status[offset] != 0u; }

/* Computes the 32 uniform numbers of the counters from `counter` to counter + 7, in order. Devices
   with wide work-items use it. */
void nn_uniform32(ulong seed, ulong stream, ulong counter, float16 *first, float16 *second) {
    ulong8 counters = counter + (ulong8)(0, 1, 2, 3, 4, 5, 6, 7);
    uint8 x0 = convert_uint8(counters & 0xFFFFFFFFul), x1 = convert_uint8(counters >> 32);
    uint8 x2 = (uint8)((uint)stream), x3 = (uint8)((uint)(stream >> 32));
    uint key0 = (uint)seed, key1 = (uint)(seed >> 32);
    for (int round = 0; round < 10; round++) {
        ulong8 a = convert_ulong8(x0) * 0xD2511F53ul, b = convert_ulong8(x2) * 0xCD9E8D57ul;
        x0 = convert_uint8(b >> 32) ^ x1 ^ key0;
        x1 = convert_uint8(b & 0xFFFFFFFFul);
        x2 = convert_uint8(a >> 32) ^ x3 ^ key1;
        x3 = convert_uint8(a & 0xFFFFFFFFul);
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    uint16 even, odd, low, high;
    even.even = x0, even.odd = x2; /* x0 and x2 of counter 0, then of counter 1, ... */
    odd.even = x1, odd.odd = x3;
    low.even = even.lo, low.odd = odd.lo;
    high.even = even.hi, high.odd = odd.hi;
    *first = convert_float16(low >> 8) * (1.0f / 16777216.0f);
    *second = convert_float16(high >> 8) * (1.0f / 16777216.0f);
}

/* ---- large tiles of GPUs --------------------------------------------------------------------- */

/* Half arithmetic, for large products (kernels/matmul/opencl_large.cl) and large convolutions: with
   NN_HALF 1 local memory holds f16 numbers. A work-item adds the products of a turn of eight steps
   in f16, two columns in one instruction, and these sums in f32. An earlier launch
   (kernels/matmul/opencl_half.cl) found the largest numbers of both operands. Both are scaled by a
   power of two so that these lie between 2^5 and 2^6, and no sum of eight products overflows. 2:
   emulates f16 for tests, by f32 numbers that are rounded after each step. */
#ifndef NN_HALF
#define NN_HALF 0
#endif
#define NN_HALF_PARTS 64 /* parts of an operand whose largest numbers are known */
#if NN_HALF == 1
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef half nn_tile_one;
typedef half2 nn_tile_two;
typedef half4 nn_tile_four;
#define NN_TILE_ROUND(v)       (half4)((half)(v).x, (half)(v).y, (half)(v).z, (half)(v).w)
#define NN_TILE_ROUND_ONE(v)   (half)(v)
#define NN_TILE_ADD(sum, x, v) sum = fma((half4)(x), v, sum)
#elif NN_HALF == 2
typedef float nn_tile_one;
typedef float2 nn_tile_two;
typedef float4 nn_tile_four;
float nn_tile_round_one(float x) {
    ushort stored;
    vstore_half_rte(x, 0, (half *)&stored);
    return vload_half(0, (const half *)&stored);
}
float4 nn_tile_round(float4 v) {
    return (float4)(nn_tile_round_one(v.x), nn_tile_round_one(v.y), nn_tile_round_one(v.z),
                    nn_tile_round_one(v.w));
}
#define NN_TILE_ROUND(v)       nn_tile_round(v)
#define NN_TILE_ROUND_ONE(v)   nn_tile_round_one(v)
#define NN_TILE_ADD(sum, x, v) sum = nn_tile_round((x) * (v) + sum)
#else
typedef float nn_tile_one;
typedef float2 nn_tile_two;
typedef float4 nn_tile_four;
#define NN_TILE_ROUND(v)       (v)
#define NN_TILE_ROUND_ONE(v)   (v)
#define NN_TILE_ADD(sum, x, v) sum += x * v
#endif
#if NN_HALF == 2 /* a compiler takes ten seconds to unroll the emulation */
#define NN_TILE_UNROLL(some) _Pragma("unroll 1")
#else
#define NN_TILE_UNROLL(some) _Pragma(some)
#endif
/* The sums of a turn: NN_TILE_PARTS declares `part` and clears it, NN_TILE_INTO is the array to
   which a turn adds, and NN_TILE_SUM adds the turn's sums to `sum`. unscale: the factor of column
   q. Without half arithmetic a turn adds to `sum` itself. */
#if NN_HALF
#define NN_TILE_MOST , const __global uint *most, ulong most_offset
#define NN_TILE_SCALED(v, scale) ((v) * (scale))
#define NN_TILE_INTO(sum, part)  part
#define NN_TILE_PARTS(part, rows, fours)                                                           \
    nn_tile_four part[rows][fours];                                                                \
    _Pragma("unroll") for (int i = 0; i < (rows); i++)                                             \
        _Pragma("unroll") for (int q = 0; q < (fours); q++) part[i][q] = (nn_tile_four)(0.0f);
#define NN_TILE_SUM(sum, part, rows, fours, first, rest)                                           \
    _Pragma("unroll") for (int i = 0; i < (rows); i++)                                             \
        _Pragma("unroll") for (int q = 0; q < (fours); q++) { /* one instruction each on AMD */    \
        sum[i][q].x = fma((float)part[i][q].x, first, sum[i][q].x);                                \
        sum[i][q].y = fma((float)part[i][q].y, rest, sum[i][q].y);                                 \
        sum[i][q].z = fma((float)part[i][q].z, rest, sum[i][q].z);                                 \
        sum[i][q].w = fma((float)part[i][q].w, rest, sum[i][q].w);                                 \
    }
/* Returns the factor of an operand from the bits of the largest numbers of its parts. */
float nn_tile_scale(const __global uint *most) {
    uint largest = 0;
    for (int i = 0; i < NN_HALF_PARTS; i++) largest = max(largest, most[i]);
    return largest ? as_float((uint)clamp(259 - (int)(largest >> 23), 1, 253) << 23) : 1.0f;
}
/* Declares the factors of both operands, and `unscale`, that of their products. The limit keeps 0
   times unscale 0. */
#define NN_TILE_SCALES                                                                             \
    const float a_scale = nn_tile_scale(most + most_offset),                                       \
                b_scale = nn_tile_scale(most + most_offset + NN_HALF_PARTS),                       \
                unscale = min(1.0f / a_scale * (1.0f / b_scale), 0x1p127f);
#else
#define NN_TILE_MOST
#define NN_TILE_SCALED(v, scale) (v)
#define NN_TILE_INTO(sum, part)  sum
#define NN_TILE_PARTS(part, rows, fours)
#define NN_TILE_SUM(sum, part, rows, fours, first, rest)
#define NN_TILE_SCALES
#endif

/* One step of an 8 x 8 tile of a work-item, sum[8][2] of four columns: adds a's column times b's
   row. Both lie in local memory as two groups of four; the second is a_half or b_half further
   on. */
#define NN_TILE_STEP(sum, a, a_half, b, b_half)                                                    \
    {                                                                                              \
        const nn_tile_four b0 = (b)[0], b1 = (b)[b_half];                                          \
        _Pragma("unroll") for (int i = 0; i < 2; i++) {                                            \
            const nn_tile_four av = (a)[(a_half)*i];                                               \
            NN_TILE_ADD(sum[4 * i + 0][0], av.x, b0);                                              \
            NN_TILE_ADD(sum[4 * i + 0][1], av.x, b1);                                              \
            NN_TILE_ADD(sum[4 * i + 1][0], av.y, b0);                                              \
            NN_TILE_ADD(sum[4 * i + 1][1], av.y, b1);                                              \
            NN_TILE_ADD(sum[4 * i + 2][0], av.z, b0);                                              \
            NN_TILE_ADD(sum[4 * i + 2][1], av.z, b1);                                              \
            NN_TILE_ADD(sum[4 * i + 3][0], av.w, b0);                                              \
            NN_TILE_ADD(sum[4 * i + 3][1], av.w, b1);                                              \
        }                                                                                          \
    }

/* ---- sums of 64 lanes ------------------------------------------------------------------------ */

/* Lane i holds the numbers i, i + 64, ... A work-group of 64 and a single work-item add in the same
   tree, so the bytes are the same. */

#define NN_LANES 64

float nn_group_sum(float value, __local float *lanes) {
    int lane = (int)get_local_id(0);
    lanes[lane] = value;
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    for (int step = NN_LANES / 2; step > 0; step >>= 1) {
        if (lane < step) lanes[lane] += lanes[lane + step];
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    }
    float total = lanes[0];
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    return total;
}
float nn_group_max(float value, __local float *lanes) {
    int lane = (int)get_local_id(0);
    lanes[lane] = value;
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    for (int step = NN_LANES / 2; step > 0; step >>= 1) {
        if (lane < step) lanes[lane] = nn_larger(lanes[lane], lanes[lane + step]);
        NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    }
    float largest = lanes[0];
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    return largest;
}

/* Vectors are passed by pointer, and halves are read through a pointer, because Oclgrind takes them
   for uninitialised otherwise. */
float nn_sum16(const float16 *x) {
    float8 a = ((const float8 *)x)[0] + ((const float8 *)x)[1];
    float4 b = ((const float4 *)&a)[0] + ((const float4 *)&a)[1];
    return (b.x + b.z) + (b.y + b.w);
}
float nn_lanes_sum(const float16 *lane) { /* lane: 4 vectors */
    float16 sum = (lane[0] + lane[2]) + (lane[1] + lane[3]);
    return nn_sum16(&sum);
}

#define NN_LARGER(a, b) ((((b) > (a)) | ((b) != (b))) ? (b) : (a)) /* for vectors; NaN wins */
float nn_max16(const float16 *x) {
    const float8 *part = (const float8 *)x;
    float8 a = NN_LARGER(part[0], part[1]);
    const float4 *quarter = (const float4 *)&a;
    float4 b = NN_LARGER(quarter[0], quarter[1]);
    return nn_larger(nn_larger(b.x, b.y), nn_larger(b.z, b.w));
}

/* Loads n < 16 numbers and fills the rest; stores n < 16 numbers. */
float16 nn_load_tail16(const __global float *x, int n, float fill) {
    float16 tail = (float16)(fill);
    for (int i = 0; i < n; i++) ((float *)&tail)[i] = x[i];
    return tail;
}
void nn_store_tail16(const float16 *value, __global float *y, int n) {
    for (int i = 0; i < n; i++) y[i] = ((const float *)value)[i];
}

/* One work-item reduces a row: nn_row_max returns the largest number (NaN wins); nn_row_exp returns
   the sum of exp(x - shift), and stores each term in y unless y is NULL. */
float nn_row_max(const __global float *x, int n) {
    float16 best = (float16)(-INFINITY);
    int i = 0;
    for (; i < n; i += 16) {
        float16 value = n - i >= 16 ? vload16(0, x + i) : nn_load_tail16(x + i, n - i, -INFINITY);
        best = NN_LARGER(best, value);
    }
    return nn_max16(&best);
}
float nn_row_exp(__global float *y, const __global float *x, float shift, int n) {
    float16 sum = (float16)(0.0f);
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        float16 e = exp(vload16(0, x + i) - shift);
        if (y) vstore16(e, 0, y + i);
        sum += e;
    }
    if (i < n) { /* exp(-infinity) = 0 fills the tail */
        float16 e = exp(nn_load_tail16(x + i, n - i, -INFINITY) - shift);
        if (y) nn_store_tail16(&e, y + i, n - i);
        sum += e;
    }
    return nn_sum16(&sum);
}
