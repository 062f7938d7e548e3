/* test_vector.c: every operation of cpu/vector.h on every instruction set of this machine, compared
   with plain C; functions are compared with the C library in double: NaN, infinities, subnormal
   numbers, tails of every length. kernels/vector_operations.h has the operations. */
#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { TEST_SQRT, TEST_ABS, TEST_FLOOR, TEST_ROUND, TEST_BITS, TEST_WHOLE, TEST_EXP, TEST_LOG, TEST_TANH, TEST_ERF, TEST_SIGMOID };
enum { TEST_ADD, TEST_SUB, TEST_MUL, TEST_DIV, TEST_MIN, TEST_MAX, TEST_LESS, TEST_LESS_EQUAL, TEST_EQUAL,
       TEST_UNORDERED, TEST_BOTH, TEST_EITHER, TEST_NOT, TEST_NONE, TEST_SIGN, TEST_KEEP, TEST_MASK, TEST_DROP, TEST_TWO_COUNT, TEST_ANY };
enum { TEST_FMA, TEST_FNMA };
enum { TEST_INT_ADD, TEST_INT_SUB, TEST_INT_AND, TEST_INT_OR, TEST_INT_XOR, TEST_INT_LEFT, TEST_INT_RIGHT,
       TEST_INT_EQUAL, TEST_INT_LESS, TEST_INT_PRODUCT, TEST_INT_PRODUCT_LOW, TEST_INT_COUNT };
enum { TEST_ZIP, TEST_HALVES, TEST_NEIGHBOURS };
enum { TEST_GATHER, TEST_LOOK_UP, TEST_PERMUTE };
enum { TEST_BF16, TEST_F16, TEST_I8 };

typedef struct test_set {
    int lanes;
    bool fused;
    void (*one)(int operation, float *y, const float *x, int n);
    void (*two)(int operation, float *y, const float *x, const float *z, int n);
    void (*three)(int operation, float *y, const float *x, const float *z, const float *w, int n);
    void (*ints)(int operation, int32_t *y, const int32_t *x, const int32_t *z, int n);
    void (*fold)(float *y, const float *x);
    void (*order)(int operation, float *y, const float *x);
    void (*fours)(float *y, const float *x);
    void (*pairs)(float *y, const float *x);
    void (*turn)(float *y, ptrdiff_t y_row, const float *x, ptrdiff_t x_row, int rows, int columns);
    void (*at)(int operation, float *y, const float *x, const int32_t *at, int n);
    void (*widen)(int operation, float *y, const void *x, int n);
    void (*narrow)(uint16_t *y, const float *x, int n);
    int (*pack)(float *y, int32_t *z, uint8_t *bytes, const float *x, const int32_t *ints, int n);
    void (*tail)(float *y, const float *x, int n, float filler);
    void (*end)(float *y, const float *x, int n);
    void (*int_tail)(int32_t *y, const int32_t *x, int n);
    void (*put)(float *y, const float *x, bool streams);
    float (*row_max)(const float *x, int n);
    double (*row_sum)(const float *x, int n);
    double (*product8)(const float *x, int n);
    double (*row_squares)(const float *x, int n);
    double (*row_dot)(const float *x, const float *y, int n);
    void (*row_scale)(float *y, float share, int n);
    float (*row_exp)(float *y, const float *x, float shift, int n);
    void (*uniform)(uint64_t seed, uint64_t stream, uint64_t counter, float *y);
} test_set;

/* If this file includes the implementation, NN_HEADER is compiled once for each set and includes
   nn.h. */
#ifndef NN_TEST_LINKED
#define NN_HEADER "kernels/vector_operations.h"
#endif
#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"
#include "open.h"
#include "test.h"

#ifdef NN_TEST_LINKED
#include "kernels/vector_operations.h"
#endif


/* ---- sets and numbers ------------------------------------------------------------------------ */

static const test_set *sets[LAST_SET + 1];
static const char *set_names[LAST_SET + 1];
static int set_count;

#define ADD_SET(exists, upper, lower, test, unused, unused_2)                                       \
    NN__WHEN(exists, if (nn__cpu_has_instructions(NN_INSTRUCTIONS_##upper)) {                      \
        sets[set_count] = &nn__test_operations_##lower;                                            \
        set_names[set_count++] = #lower;                                                           \
    })
static void find_sets(void) {
    sets[set_count] = &nn__test_operations_plain;
    set_names[set_count++] = "plain";
    NN__SETS(ADD_SET, 0, 0)
}

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static float of_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static bool same(float a, float b) { return bits_of(a) == bits_of(b) || (a != a && b != b); }

static uint32_t random_state = 1;
static uint32_t random_bits(void) {
    random_state = random_state * 1664525u + 1013904223u;
    return random_state ^ random_state >> 15;
}
static float random_number(void) { return (float)(int32_t)random_bits() * (4.0f / 2147483648.0f); }

enum { MANY = 4096 };
static float a_numbers[MANY], b_numbers[MANY], c_numbers[MANY], results[MANY];

/* Fills in every pair of special numbers, then any bits, then numbers around 1. */
static void fill_numbers(void) {
    static const uint32_t special[] = {
        0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000,
        0xbf800000, 0x3f800001, 0x40000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
        0xffc00000, 0x42b17218, 0xc2cff1b5, 0x34000000};
    const int count = (int)(sizeof special / sizeof *special);
    for (int i = 0; i < MANY; i++) {
        const bool whole = i < count * count, any = i < MANY / 2;
        a_numbers[i] = whole ? of_bits(special[i / count]) : any ? of_bits(random_bits()) : random_number();
        b_numbers[i] = whole ? of_bits(special[i % count]) : any ? of_bits(random_bits()) : random_number();
        c_numbers[i] = whole ? of_bits(special[(i * 7) % count]) : any ? of_bits(random_bits()) : random_number();
    }
}

/* ---- operations that are exact --------------------------------------------------------------- */

static float expected_two(int operation, float a, float b) {
    switch (operation) {
    case TEST_ADD: return a + b;
    case TEST_SUB: return a - b;
    case TEST_MUL: return a * b;
    case TEST_DIV: return a / b;
    case TEST_MIN: return a < b ? a : b;
    case TEST_MAX: return a > b ? a : b;
    case TEST_LESS: return a < b ? 1.0f : 0.0f;
    case TEST_LESS_EQUAL: return a <= b ? 1.0f : 0.0f;
    case TEST_EQUAL: return a == b ? 1.0f : 0.0f;
    case TEST_UNORDERED: return a != a || b != b ? 1.0f : 0.0f;
    case TEST_BOTH: return a < 1.0f && b < 1.0f ? a : b;
    case TEST_EITHER: return a < 1.0f || b < 1.0f ? a : b;
    case TEST_NOT: return !(a < b) ? a : b;
    case TEST_NONE: return b;
    case TEST_KEEP:
    case TEST_MASK: return a < b ? a : 0.0f;
    case TEST_DROP: return a < b ? 0.0f : a;
    default: return of_bits((bits_of(a) & 0x7fffffffu) | (bits_of(b) & 0x80000000u));
    }
}

/* True for results that the layer does not define: one NaN in the first operand, and zeros of both
   signs. */
static bool is_open(int operation, float a, float b, float y) {
    if (operation != TEST_MIN && operation != TEST_MAX) return false;
    if (a != a) return y != y || same(y, b);
    return a == b && y == a;
}

static void test_two_operands(void) {
    for (int s = 0; s < set_count; s++)
        for (int operation = 0; operation < TEST_TWO_COUNT; operation++) {
            sets[s]->two(operation, results, a_numbers, b_numbers, MANY);
            for (int i = 0; i < MANY; i++) {
                const float a = a_numbers[i], b = b_numbers[i];
                if (test_wrong(!same(results[i], expected_two(operation, a, b)) &&
                               !is_open(operation, a, b, results[i])))
                    test_fail(__FILE__, __LINE__, "%s, operation %d: %g (%08x) and %g (%08x) make %g (%08x)",
                              set_names[s], operation, (double)a, bits_of(a), (double)b, bits_of(b),
                              (double)results[i], bits_of(results[i]));
            }
        }
}

/* Checks `any` with each lane of a mask set alone. */
static void test_any(void) {
    float x[16], z[16], y[16];
    for (int s = 0; s < set_count; s++)
        for (int lane = 0; lane <= sets[s]->lanes; lane++) {
            for (int i = 0; i < 16; i++) x[i] = i == lane ? -1.0f : 1.0f, z[i] = 0.0f;
            sets[s]->two(TEST_ANY, y, x, z, sets[s]->lanes);
            ENSURE(y[0] == (lane < sets[s]->lanes ? 1.0f : 0.0f));
        }
}

static void test_one_operand(void) {
    for (int s = 0; s < set_count; s++)
        for (int operation = TEST_SQRT; operation <= TEST_WHOLE; operation++) {
            sets[s]->one(operation, results, a_numbers, MANY);
            for (int i = 0; i < MANY; i++) {
                const float a = a_numbers[i];
                if (operation == TEST_WHOLE && !(fabsf(a) < 2147483000.0f)) continue;
                const float y = operation == TEST_SQRT   ? (float)sqrt((double)a)
                                : operation == TEST_ABS  ? of_bits(bits_of(a) & 0x7fffffffu)
                                : operation == TEST_FLOOR ? floorf(a)
                                : operation == TEST_ROUND ? rintf(a)
                                : operation == TEST_BITS ? a
                                                         : (float)(int32_t)a;
                if (test_wrong(!same(results[i], y)))
                    test_fail(__FILE__, __LINE__, "%s, operation %d: %g makes %g and not %g", set_names[s],
                              operation, (double)a, (double)results[i], (double)y);
            }
        }
}

/* True if the set fuses products with sums; WebAssembly's relaxed operations do if the machine
   does. */
static bool is_fused(const test_set *set) {
    static const float a[16] = {1.000244140625f}, c[16] = {-1.00048828125f}; /* 1 + 2^-12, -1 -
                                                                                2^-11 */
    float y[16];
#ifdef NN__RELAXED_FMA
    set->three(TEST_FMA, y, a, a, c, set->lanes);
    return y[0] != 0.0f;
#else
    (void)a, (void)c, (void)y;
    return set->fused;
#endif
}

static void test_fused(void) {
    for (int s = 0; s < set_count; s++)
        for (int operation = TEST_FMA; operation <= TEST_FNMA; operation++) {
            sets[s]->three(operation, results, a_numbers, b_numbers, c_numbers, MANY);
            for (int i = 0; i < MANY; i++) {
                const float a = operation == TEST_FMA ? a_numbers[i] : -a_numbers[i], b = b_numbers[i];
                volatile float product = a * b; /* rounded, whatever the compiler would prefer */
                const float y = is_fused(sets[s]) ? fmaf(a, b, c_numbers[i]) : product + c_numbers[i];
                if (test_wrong(!same(results[i], y)))
                    test_fail(__FILE__, __LINE__, "%s, operation %d: %g, %g and %g make %g and not %g", set_names[s],
                              operation, (double)a, (double)b, (double)c_numbers[i], (double)results[i], (double)y);
            }
        }
}

static int32_t expected_int(int operation, int32_t a, int32_t b) {
    const uint32_t x = (uint32_t)a, y = (uint32_t)b;
    switch (operation) {
    case TEST_INT_ADD: return (int32_t)(x + y);
    case TEST_INT_SUB: return (int32_t)(x - y);
    case TEST_INT_AND: return (int32_t)(x & y);
    case TEST_INT_OR: return (int32_t)(x | y);
    case TEST_INT_XOR: return (int32_t)(x ^ y);
    case TEST_INT_LEFT: return (int32_t)(x << 7);
    case TEST_INT_RIGHT: return (int32_t)(x >> 7);
    case TEST_INT_EQUAL: return a == b;
    case TEST_INT_PRODUCT: return (int32_t)((uint64_t)x * y >> 32);
    case TEST_INT_PRODUCT_LOW: return (int32_t)(x * y);
    default: return a < b;
    }
}

static void test_integers(void) {
    int32_t x[256], z[256], y[256];
    for (int i = 0; i < 256; i++) {
        x[i] = (int32_t)random_bits();
        z[i] = i % 3 ? (int32_t)random_bits() : x[i];
    }
    for (int s = 0; s < set_count; s++)
        for (int operation = 0; operation < TEST_INT_COUNT; operation++) {
            sets[s]->ints(operation, y, x, z, 256);
            for (int i = 0; i < 256; i++)
                if (test_wrong(y[i] != expected_int(operation, x[i], z[i])))
                    test_fail(__FILE__, __LINE__, "%s, operation %d: %d and %d make %d", set_names[s], operation,
                              (int)x[i], (int)z[i], (int)y[i]);
        }
}

/* Tests counters whose upper half also changes among the lanes. */
static void test_uniform(void) {
    static const uint64_t counters[] = {0, 5, UINT32_MAX - 6, (uint64_t)1 << 40};
    float y[64];
    for (int s = 0; s < set_count; s++)
        for (int k = 0; k < 4; k++) {
            sets[s]->uniform(123456789012345u, 98765432109876u, counters[k], y);
            for (int i = 0; i < 4 * sets[s]->lanes; i++) {
                uint32_t words[4];
                nn_random_words(123456789012345u, 98765432109876u, counters[k] + (uint64_t)i / 4, words);
                ENSURE(y[i] == nn_word_to_uniform(words[i % 4]));
            }
        }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void test_tails(void) {
    float x[16], y[16 + 2];
    for (int i = 0; i < 16; i++) x[i] = (float)(i + 1);
    for (int s = 0; s < set_count; s++)
        for (int n = 0; n <= sets[s]->lanes; n++) {
            float *own = (float *)malloc((size_t)(n ? n : 1) * sizeof(float)); /* valgrind sees its
                                                                                  end */
            memcpy(own, x, (size_t)n * sizeof(float));
            sets[s]->tail(y, own, n, 0.5f);
            for (int i = 0; i < sets[s]->lanes; i++) ENSURE(y[i] == (i < n ? x[i] : 0.5f));
            sets[s]->tail(y, own, n, -INFINITY);
            for (int i = 0; i < sets[s]->lanes; i++) ENSURE(y[i] == (i < n ? x[i] : -INFINITY));
            free(own);
            for (int i = 0; i < 18; i++) y[i] = -7.0f;
            sets[s]->end(y + 1, x, n);
            for (int i = 0; i < 18; i++) ENSURE(y[i] == (i >= 1 && i <= n ? x[i - 1] : -7.0f));
        }
}

static void test_int_tails(void) {
    int32_t x[16], y[16 + 2];
    for (int i = 0; i < 16; i++) x[i] = 100 * i + 7;
    for (int s = 0; s < set_count; s++)
        for (int n = 0; n <= sets[s]->lanes; n++) {
            int32_t *own = (int32_t *)malloc((size_t)(n ? n : 1) * sizeof(int32_t));
            memcpy(own, x, (size_t)n * sizeof(int32_t));
            for (int i = 0; i < 18; i++) y[i] = -7;
            sets[s]->int_tail(y + 1, own, n);
            for (int i = 0; i < 18; i++) ENSURE(y[i] == (i >= 1 && i <= n ? 101 * (i - 1) + 7 : -7));
            free(own);
        }
}

/* Tests every pattern of lanes, with bytes up to 254; what lies after a vector stays, and no byte
   after the first n is read. */
static void test_packs(void) {
    float x[16], y[17];
    int32_t ints[16], z[17];
    for (int i = 0; i < 16; i++) x[i] = (float)(i + 1), ints[i] = 100000 * i + 7;
    for (int s = 0; s < set_count; s++)
        for (unsigned mask = 0; mask < 1u << sets[s]->lanes; mask++) {
            const int lanes = sets[s]->lanes, n = mask % 3 ? lanes : (int)(mask / 3) % (lanes + 1);
            uint8_t *bytes = (uint8_t *)malloc(n ? (size_t)n : 1), before[16];
            int count = 0;
            for (int i = 0; i < n; i++)
                bytes[i] = before[i] = (uint8_t)(16 * i + 12 + (int)(mask >> i & 1u));
            y[lanes] = -7.0f, z[lanes] = -7;
            const int found = sets[s]->pack(y, z, bytes, x, ints, n);
            for (int i = 0; i < n; i++) {
                ENSURE(bytes[i] == before[i] + 1);
                if (!(mask >> i & 1u)) continue;
                ENSURE(count < found && y[count] == x[i] && z[count] == ints[i]);
                count++;
            }
            ENSURE(found == count && y[lanes] == -7.0f && z[lanes] == -7);
            free(bytes);
        }
    for (int s = 0; s < set_count; s++) { /* and no byte after the first n is written */
        uint8_t bytes[17] = {0};
        for (int n = 0; n <= sets[s]->lanes; n++) {
            memset(bytes, 2, sizeof bytes);
            sets[s]->pack(y, z, bytes, x, ints, n);
            for (int i = 0; i < 17; i++) ENSURE(bytes[i] == (i < n ? 3 : 2));
        }
    }
}

static void test_stores(void) {
    float room[64], x[16], *y = room + (64 - (uintptr_t)room % 64) % 64 / sizeof(float);
    for (int i = 0; i < 16; i++) x[i] = (float)(i + 1);
    for (int s = 0; s < set_count; s++)
        for (int streams = 0; streams < 2; streams++) {
            for (int i = 0; i < 32; i++) y[i] = -7.0f;
            sets[s]->put(y, x, streams != 0);
            for (int i = 0; i < 32; i++) ENSURE(y[i] == (i < sets[s]->lanes ? x[i] : -7.0f));
        }
}

static void test_order(void) {
    float x[32], y[32];
    for (int i = 0; i < 32; i++) x[i] = (float)i;
    for (int s = 0; s < set_count; s++) {
        const int n = sets[s]->lanes;
        sets[s]->order(TEST_HALVES, y, x);
        for (int i = 0; i < n; i++) ENSURE(y[i] == x[2 * i] && y[n + i] == x[2 * i + 1]);
        sets[s]->order(TEST_ZIP, y, x);
        for (int i = 0; i < n; i++) ENSURE(y[2 * i] == x[i] && y[2 * i + 1] == x[n + i]);
        sets[s]->order(TEST_NEIGHBOURS, y, x);
        for (int i = 0; i < n; i++) ENSURE(y[i] == x[n - 1 + i] && y[n + i] == x[1 + i]);
    }
}

static void test_fours(void) {
    float x[64], y[64];
    for (int i = 0; i < 64; i++) x[i] = (float)(i * i % 23 - 7);
    for (int s = 0; s < set_count; s++) {
        const int n = sets[s]->lanes;
        sets[s]->fours(y, x);
        for (int l = 0; l < 4; l++)
            for (int i = 0; i < n; i++) ENSURE(y[l * n + i] == x[l] * x[4 + i] + (float)l);
        sets[s]->pairs(y, x);
        for (int i = 0; i < n; i++) ENSURE(y[i] == x[2 * i] + x[2 * i + 1]);
    }
}

/* Tests blocks of every size, whose numbers end at the end of their memory. */
static void check_turn(const test_set *set, int rows, int columns) {
    const size_t count = (size_t)(rows - 1) * 19 + (size_t)columns;
    float *x = (float *)malloc(count * sizeof *x), y[16 * 21];
    ENSURE(x);
    for (size_t i = 0; i < count; i++) x[i] = (float)i;
    for (int i = 0; i < 16 * 21; i++) y[i] = -1.0f;
    set->turn(y, 21, x, 19, rows, columns);
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 21; j++)
            ENSURE(y[i * 21 + j] == (i < columns && j < rows ? (float)(j * 19 + i) : -1.0f));
    free(x);
}
static void test_turn(void) {
    for (int s = 0; s < set_count; s++)
        for (int rows = 1; rows <= sets[s]->lanes; rows++)
            for (int columns = 1; columns <= sets[s]->lanes; columns++) check_turn(sets[s], rows, columns);
}

static void test_places(void) {
    float x[100], y[64];
    int32_t at[64];
    for (int i = 0; i < 100; i++) x[i] = (float)(i * i);
    for (int s = 0; s < set_count; s++)
        for (int operation = TEST_GATHER; operation <= TEST_LOOK_UP; operation++) {
            for (int i = 0; i < 64; i++) at[i] = (int32_t)(random_bits() >> 8) % (operation == TEST_GATHER ? 100 : 8);
            sets[s]->at(operation, y, x, at, 64);
            for (int i = 0; i < 64; i++) ENSURE(y[i] == x[at[i]]);
        }
    for (int s = 0; s < set_count; s++) {
        const int n = sets[s]->lanes;
        for (int i = 0; i < 64; i++) at[i] = (int32_t)(random_bits() >> 8) % (2 * n);
        sets[s]->at(TEST_PERMUTE, y, x + 1, at, 64);
        for (int i = 0; i < 64; i++) ENSURE(y[i] == (at[i] < n ? x[1 + at[i]] : 0.0f));
    }
}

/* ---- dtypes: all 65536 patterns -------------------------------------------------------------- */

static float wide_f16(uint32_t pattern) {
    const uint32_t exponent = pattern >> 10 & 31u, rest = pattern & 0x3ffu;
    const double sign = pattern & 0x8000u ? -1.0 : 1.0;
    if (exponent == 31) return rest ? NAN : (float)(sign * (double)INFINITY);
    return (float)(sign * (exponent ? ldexp(1024.0 + rest, (int)exponent - 25) : ldexp((double)rest, -24)));
}

static void test_half_numbers(void) {
    static uint16_t patterns[65536], back[65536];
    static float wide[65536];
    for (int i = 0; i < 65536; i++) patterns[i] = (uint16_t)i;
    for (int s = 0; s < set_count; s++) {
        sets[s]->widen(TEST_F16, wide, patterns, 65536);
        for (int i = 0; i < 65536; i++) ENSURE(same(wide[i], wide_f16((uint32_t)i)));
        sets[s]->widen(TEST_BF16, wide, patterns, 65536);
        for (int i = 0; i < 65536; i++) ENSURE(same(wide[i], of_bits((uint32_t)i << 16)));
        for (int i = 0; i < 65536; i++) wide[i] = of_bits((uint32_t)i << 16 | (random_bits() >> 16 & (i % 3 ? 0xffffu : 0x8000u)));
        sets[s]->narrow(back, wide, 65536);
        for (int i = 0; i < 65536; i++) ENSURE(back[i] == nn__narrow_bf16(wide[i]));
    }
}

static void test_bytes(void) {
    int8_t bytes[256];
    float wide[256];
    for (int i = 0; i < 256; i++) bytes[i] = (int8_t)(i - 128);
    for (int s = 0; s < set_count; s++) {
        sets[s]->widen(TEST_I8, wide, bytes, 256);
        for (int i = 0; i < 256; i++) ENSURE(wide[i] == (float)(i - 128));
    }
}

/* ---- sums over lanes, and rows --------------------------------------------------------------- */

/* Halves are joined with halves. */
static float tree_sum(const float *x, int n) {
    float half[8];
    if (n == 1) return x[0];
    for (int i = 0; i < n / 2; i++) half[i] = x[i] + x[n / 2 + i];
    return tree_sum(half, n / 2);
}

static void test_folds(void) {
    float y[3];
    for (int s = 0; s < set_count; s++)
        for (int i = MANY / 2; i + 16 <= MANY; i++) {
            float low = INFINITY, high = -INFINITY;
            sets[s]->fold(y, a_numbers + i);
            for (int l = 0; l < sets[s]->lanes; l++) {
                low = a_numbers[i + l] < low ? a_numbers[i + l] : low;
                high = a_numbers[i + l] > high ? a_numbers[i + l] : high;
            }
            ENSURE(y[0] == tree_sum(a_numbers + i, sets[s]->lanes) && y[1] == high && y[2] == low);
        }
}

/* Products and squares in double have the same bytes on every set, for sizes that leave some
   numbers over too. A product far below the smallest double is 0 with its sign,
   and a NaN stays. */
static void test_doubles(void) {
    float x[72];
    for (int i = 0; i < 72; i++) x[i] = random_number();
    for (int s = 0; s < set_count; s++)
        for (int n = 0; n <= 64; n += 8) {
            double product = 1.0;
            for (int i = 0; i < n; i++) product *= (double)x[i];
            ENSURE_CLOSE(sets[s]->product8(x, n), product, 1e-14 * fabs(product));
            ENSURE(sets[s]->product8(x, n) == sets[0]->product8(x, n));
            ENSURE(sets[s]->row_squares(x, n + n / 8) == sets[0]->row_squares(x, n + n / 8));
        }
    for (int i = 0; i < 72; i++) x[i] = i == 3 ? -1e-38f : 1e-38f;
    for (int s = 0; s < set_count; s++) {
        ENSURE(sets[s]->product8(x, 64) == 0.0 && signbit(sets[s]->product8(x, 64)));
        x[5] = NAN;
        ENSURE(isnan(sets[s]->product8(x, 64)));
        x[5] = 1e-38f;
    }
}
static void test_rows(void) {
    const float *x = a_numbers + MANY / 2;
    float row[300], y[300 + 1];
    for (int s = 0; s < set_count; s++)
        for (int n = 0; n <= 300; n += n < 140 ? 1 : 53) {
            double sum = 0, dot = 0, exps = 0, size = 0;
            float largest = -INFINITY;
            for (int i = 0; i < n; i++) {
                sum += (double)x[i], dot += (double)x[i] * (double)x[i + 300];
                exps += exp((double)(x[i] - 1.0f)), size += fabs((double)x[i]) + fabs((double)x[i] * (double)x[i + 300]);
                largest = x[i] > largest ? x[i] : largest;
            }
            ENSURE(sets[s]->row_max(x, n) == largest);
            ENSURE_CLOSE(sets[s]->row_sum(x, n), sum, 1e-6 * size);
            ENSURE_CLOSE(sets[s]->row_dot(x, x + 300, n), dot, 1e-6 * size);
            ENSURE_CLOSE((double)sets[s]->row_exp(NULL, x, 1.0f, n), exps, 1e-6 * exps);
            for (int i = 0; i <= 300; i++) y[i] = -7.0f;
            sets[s]->row_exp(y, x, 1.0f, n);
            for (int i = 0; i < n; i++) ENSURE_CLOSE((double)y[i], exp((double)(x[i] - 1.0f)), 1.5e-7 * (double)y[i]);
            ENSURE(y[n] == -7.0f);
            memcpy(y, x, (size_t)n * sizeof(float));
            sets[s]->row_scale(y, 3.0f, n);
            for (int i = 0; i < n; i++) ENSURE(y[i] == x[i] * 3.0f);
            ENSURE(y[n] == -7.0f);
            for (int i = 0; i < n; i++) { /* a NaN wins at any position */
                memcpy(row, x, (size_t)n * sizeof(float));
                row[i] = NAN;
                const float found = sets[s]->row_max(row, n);
                ENSURE(found != found);
            }
        }
}

/* ---- functions ------------------------------------------------------------------------------- */

static double exact(int operation, double x) {
    switch (operation) {
    case TEST_EXP: return exp(x);
    case TEST_LOG: return log(x);
    case TEST_TANH: return tanh(x);
    case TEST_ERF: return erf(x);
    default: return 1.0 / (1.0 + exp(-x));
    }
}

/* Returns the distance of y from the exact number in units in the last place. */
static double ulps(float y, double wanted) {
    int exponent;
    if (wanted != wanted || y != y) return wanted != wanted && y != y ? 0.0 : 1e30;
    if (fabs(wanted) > (double)FLT_MAX * (1.0 + 1.0 / 33554432.0)) return (double)y == (wanted > 0 ? (double)INFINITY : -(double)INFINITY) ? 0.0 : 1e30;
    if (fabs((double)y) > (double)FLT_MAX) return 1e30;
    frexp(wanted, &exponent);
    if (exponent < -125) exponent = -125;
    return fabs((double)y - wanted) / ldexp(1.0, exponent - 24);
}

/* Tests the bounds in units in the last place, with and without fused products, as vector_math.h
   states them. */
static void test_functions(void) {
    static const struct {
        const char *name;
        int operation;
        double fused, unfused;
    } functions[] = {{"exp", TEST_EXP, 0.9, 1.2}, {"log", TEST_LOG, 0.8, 0.8}, {"tanh", TEST_TANH, 2.3, 2.3},
                     {"erf", TEST_ERF, 0.8, 1.0}, {"sigmoid", TEST_SIGMOID, 2.5, 2.5}};
    const uint32_t step = getenv("NN_FULL") ? 61u : 4999u;
    for (int s = 0; s < set_count; s++)
        for (int f = 0; f < 5; f++) {
            const double bound = is_fused(sets[s]) ? functions[f].fused : functions[f].unfused;
            double worst = 0.0;
            float at = 0.0f;
            for (uint64_t start = 0; start < 0x100000000u; start += (uint64_t)step * MANY) {
                for (int i = 0; i < MANY; i++) c_numbers[i] = of_bits((uint32_t)(start + (uint64_t)i * step));
                sets[s]->one(functions[f].operation, results, c_numbers, MANY);
                for (int i = 0; i < MANY; i++) {
                    const bool below = functions[f].operation == TEST_SIGMOID && c_numbers[i] < -88.72f;
                    if (below && results[i] == 0.0f) continue; /* of numbers up to 2^-126 */
                    const double away = ulps(results[i], exact(functions[f].operation, (double)c_numbers[i]));
                    if (away > worst) worst = away, at = c_numbers[i];
                }
                test_checked(MANY);
            }
            if (getenv("TEST_PRINT")) printf("%s %s: %.3f ulp at %.9g\n", set_names[s], functions[f].name, worst, (double)at);
            if (test_wrong(worst > bound))
                test_fail(__FILE__, __LINE__, "%s: %s(%.9g) is off by %.3f units in the last place; %.2f is allowed",
                          set_names[s], functions[f].name, (double)at, worst, bound);
            /* unchanged: NaN, and the signs of zeros */
            const float kept[2] = {NAN, -0.0f};
            float y[2];
            sets[s]->one(functions[f].operation, y, kept, 2);
            ENSURE(y[0] != y[0]);
            if (functions[f].operation == TEST_TANH || functions[f].operation == TEST_ERF)
                ENSURE(same(y[1], -0.0f));
        }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    find_sets();
    fill_numbers();
    RUN(test_two_operands);
    RUN(test_any);
    RUN(test_one_operand);
    RUN(test_fused);
    RUN(test_integers);
    RUN(test_uniform);
    RUN(test_tails);
    RUN(test_int_tails);
    RUN(test_packs);
    RUN(test_stores);
    RUN(test_order);
    RUN(test_fours);
    RUN(test_turn);
    RUN(test_places);
    RUN(test_half_numbers);
    RUN(test_bytes);
    RUN(test_folds);
    RUN(test_doubles);
    RUN(test_rows);
    RUN(test_functions);
    return test_report();
}
