/* test_ulps.c: measures the error in units in the last place of every function of ops/table.txt and
   of its gradient, over the whole range of floats, on every instruction set of this machine and,
   with NN_TEST_OPENCL, on every OpenCL device. NN_FULL=1: many more numbers.

   The references are the definitions in double, independent of the table's formulas. A result is
   right within a number of ulps of the reference rounded to float. For functions whose terms cancel
   by definition, it is right within `share` ulps of a float of the terms' size, which the row
   names. Overflow, infinities, NaN and numbers below FLT_MIN are compared as well. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include <stdlib.h>

#include "open.h"
#include "test.h"

/* ---- definitions, in double ------------------------------------------------------------------ */

#define PI 3.14159265358979323846

typedef double (*formula)(double x, double b);

#define F(name, value) static double name(double x, double b) { (void)x, (void)b; return value; }
static double larger(double x, double y) { return x != x ? x : y != y ? y : x > y ? x : y; }
static double smaller(double x, double y) { return x != x ? x : y != y ? y : x < y ? x : y; }
static double sigmoid_of(double x) { return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x)); }
static double softplus_of(double x) { return larger(x, 0) + log1p(exp(-fabs(x))); }
static double normal_cdf(double x) { return 0.5 * erfc(-x / sqrt(2.0)); }

F(one, 1) F(none, 0) F(minus_one, -1) F(size_x, fabs(x)) F(size_b, fabs(b))
F(relu_f, x <= 0 ? 0 : x) F(relu_d, x <= 0 ? 0 : 1)
F(gelu_f, x == (double)-INFINITY ? (double)NAN : x * normal_cdf(x))
F(gelu_d, fabs(x) == (double)INFINITY ? (double)NAN : normal_cdf(x) + x * exp(-x * x / 2) / sqrt(2 * PI))
F(leaky_f, x > 0 ? x : (double)0.01f * x) F(leaky_d, x > 0 ? 1 : (double)0.01f)
F(square_f, x * x) F(square_d, 2 * x)
F(sigmoid_f, sigmoid_of(x)) F(sigmoid_d, sigmoid_of(x) * sigmoid_of(-x))
F(tanh_f, tanh(x)) F(tanh_d, 1 / cosh(x) / cosh(x))
F(exp_f, exp(x)) F(log_f, log(x)) F(log_d, 1 / x)
F(sqrt_f, sqrt(x)) F(sqrt_d, 0.5 / sqrt(x)) F(abs_f, fabs(x)) F(sign_f, x > 0 ? 1 : x < 0 ? -1 : 0)
F(negate_f, -x) F(softplus_f, softplus_of(x)) F(sigmoid_minus, sigmoid_of(-x))
F(reciprocal_f, 1 / x) F(reciprocal_d, -1 / (x * x))
F(rsqrt_f, 1 / sqrt(x)) F(rsqrt_d, -0.5 / (x * sqrt(x)))
F(expm1_f, expm1(x)) F(log1p_f, log1p(x)) F(log1p_d, 1 / (1 + x))
F(log2_f, log2(x)) F(log2_d, 1 / (x * log(2.0)))
F(log10_f, log10(x)) F(log10_d, 1 / (x * log(10.0)))
F(exp2_f, exp2(x)) F(exp2_d, exp2(x) * log(2.0))
F(sinh_f, sinh(x)) F(cosh_f, cosh(x))
F(atan_f, atan(x)) F(atan_d, 1 / (1 + x * x))
F(logit_f, log(x / (1 - x))) F(logit_d, 1 / (x * (1 - x)))
F(sinc_f, x == 0 ? 1 : sin(PI * x) / (PI * x))
F(sinc_d, fabs(x) < 1e-3 ? -PI * PI * x / 3 + pow(PI, 4) * x * x * x / 30
                         : (cos(PI * x) - sin(PI * x) / (PI * x)) / x)
F(frac_f, x - trunc(x)) F(isnan_f, x != x) F(isinf_f, fabs(x) == (double)INFINITY)
F(isfinite_f, fabs(x) < (double)INFINITY)
F(sin_f, sin(x)) F(cos_f, cos(x)) F(minus_sin, -sin(x)) F(tan_f, tan(x)) F(tan_d, 1 + tan(x) * tan(x))
F(erf_f, erf(x)) F(erf_d, 2 / sqrt(PI) * exp(-x * x)) F(erf_size, erf_d(x, b) * (1 + x * x)) /* the square is rounded */
F(floor_f, floor(x)) F(ceil_f, ceil(x)) F(round_f, rint(x)) F(trunc_f, trunc(x))
F(relu6_f, x <= 0 ? 0 : x >= 6 ? 6 : x) F(relu6_d, x <= 0 ? 0 : x >= 6 ? 0 : 1)
F(elu_f, x > 0 ? x : expm1(x)) F(elu_d, x > 0 ? 1 : exp(x))
F(elu3_f, x > 0 ? x : 3 * expm1(x)) F(elu3_d, x > 0 ? 1 : 3 * exp(x))
F(selu_f, 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * expm1(x)))
F(selu_d, 1.0507009873554805 * (x > 0 ? 1 : 1.6732632423543772 * exp(x)))
F(celu_f, x > 0 ? x : 2 * expm1(x / 2)) F(celu_d, x > 0 ? 1 : exp(x / 2))
F(silu_f, x == (double)-INFINITY ? (double)NAN : x * sigmoid_of(x))
F(silu_d, fabs(x) == (double)INFINITY ? (double)NAN
          : sigmoid_of(x) + x * sigmoid_of(x) * sigmoid_of(-x))
F(mish_f, x == (double)-INFINITY ? (double)NAN : x * tanh(softplus_of(x)))
F(mish_d, fabs(x) == (double)INFINITY ? (double)NAN
          : tanh(softplus_of(x)) + x * sigmoid_of(x) / cosh(softplus_of(x)) / cosh(softplus_of(x)))
F(hardsigmoid_f, x != x ? x : x >= 3 ? 1 : x <= -3 ? 0 : x / 6 + 0.5)
F(hardsigmoid_d, x > -3 && x < 3 ? 1 / 6.0 : 0)
F(hardswish_f, x == (double)-INFINITY ? (double)NAN : x * smaller(larger(x + 3, 0), 6) / 6)
/* x + 3 is rounded before it is compared */
F(hardswish_d, (double)(float)(x + 3) <= 0 ? 0 : (double)(float)(x + 3) >= 6 ? 1 : x / 3 + 0.5)
F(hardtanh_f, x <= -1 ? -1 : x >= 1 ? 1 : x) F(hardtanh_d, x <= -1 || x >= 1 ? 0 : 1)
F(softsign_f, x / (1 + fabs(x))) F(softsign_d, 1 / (1 + fabs(x)) / (1 + fabs(x)))
F(softsign_size, 1 / (1 + fabs(x)))
F(logsigmoid_f, -softplus_of(-x))
F(tanhshrink_f, fabs(x) < 0.02 ? x * x * x / 3 - 2 * pow(x, 5) / 15 : x - tanh(x))
F(tanhshrink_d, x != x ? x : tanh(x) * tanh(x))
F(softshrink_f, x > 0.5 ? x - 0.5 : x >= -0.5 ? 0 : x + 0.5)
F(softshrink_d, x > 0.5 || !(x >= -0.5) ? 1 : 0)
F(hardshrink_f, x > 0.5 ? x : x >= -0.5 ? 0 : x)
F(gelu_tanh_f, x == (double)-INFINITY ? (double)NAN
               : x * sigmoid_of(2 * sqrt(2 / PI) * (x + 0.044715 * x * x * x)))
static double gelu_tanh_d(double x, double b) {
    const double k = 2 * sqrt(2 / PI), s = sigmoid_of(k * (x + 0.044715 * x * x * x)),
                 t = sigmoid_of(-k * (x + 0.044715 * x * x * x));
    (void)b;
    if (!(fabs(x) <= 1e100)) return (double)NAN;
    return s + x * s * t * k * (1 + 3 * 0.044715 * x * x);
}
F(clamp_f, smaller(larger(x, -2), 3)) F(clamp_d, x > -2 && x < 3 ? 1 : 0)
F(not_f, x == 0)
F(add_f, x + b) F(subtract_f, x - b) F(multiply_f, x * b) F(multiply_d, b) F(multiply_e, x)
F(divide_f, x / b) F(divide_d, 1 / b) F(divide_e, -x / b / b)
F(divide_size, (double)FLT_MIN / fabs(b)) /* a subnormal quotient has few bits */
F(maximum_f, larger(x, b)) F(minimum_f, smaller(x, b))
F(maximum_d, x > b || x != x || b != b ? 1 : x == b ? 0.5 : 0)
F(pow_f, pow(x, b)) F(atan2_f, atan2(x, b))
F(atan2_d, x == 0 && b == 0 ? 0 : b / (x * x + b * b)) F(atan2_e, x == 0 && b == 0 ? 0 : -x / (x * x + b * b))
static double remainder_f(double x, double b) {
    const double rest = fmod(x, b);
    return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}
F(fmod_f, fmod(x, b))
F(fmax_f, x != x ? b : b != b ? x : larger(x, b)) F(fmin_f, x != x ? b : b != b ? x : smaller(x, b))
F(logaddexp_f, x == b && fabs(x) == (double)INFINITY ? x : larger(x, b) + log1p(exp(-fabs(x - b))))
F(logaddexp_d, fabs(x) == (double)INFINITY || fabs(b) == (double)INFINITY ? (double)NAN : sigmoid_of(x - b))
F(xlogy_f, b != b ? b : x == 0 && (b <= 0 || b == (double)INFINITY) ? 0 : x * log(b))
F(heaviside_f, x == 0 ? b : x > 0)
F(hypot_f, hypot(x, b)) F(hypot_d, x / hypot(x, b)) F(hypot_e, b / hypot(x, b))
F(hypot_size, hypot(x, b) < (double)FLT_MIN ? 8388608.0 : 0) /* a subnormal length has few bits */
F(angle_size, hypot(x, b) < (double)FLT_MIN ? 3e38 * 8388608.0 : hypot(x, b) > (double)FLT_MAX ? 2.5e-32 : 0)
F(less_f, x < b) F(less_equal_f, x <= b) F(greater_f, x > b) F(greater_equal_f, x >= b)
F(equal_f, x == b) F(not_equal_f, x != b) F(and_f, x != 0 && b != 0) F(or_f, x != 0 || b != 0)
F(xor_f, (x == 0) != (b == 0))
F(difference_f, (x - b) * (x - b)) F(difference_d, 2 * (x - b))
F(huber_f, fabs(x - b) > 1 ? fabs(x - b) - 0.5 : 0.5 * (x - b) * (x - b))
F(huber_d, x - b > 1 ? 1 : x - b < -1 ? -1 : x - b)
F(poisson_f, exp(x) - b * x) F(poisson_d, exp(x) - b) F(poisson_size, larger(exp(x), fabs(b * x)))
F(poisson_more, larger(exp(x), fabs(b)))
F(margin_f, softplus_of(-b * x)) F(margin_d, -b * sigmoid_of(-b * x))

/* ---- the table of bounds --------------------------------------------------------------------- */

/* If a function has two numbers, the second is for OpenCL devices, for which the specification
   allows larger errors. */
typedef struct bound {
    double cpu, opencl; /* ulps of the result */
    double share;       /* or ulps of a float of this size: */
    formula size;       /* NULL: none */
} bound;

typedef struct row {
    const char *text; /* of x, and of b */
    formula f;
    bound off;
    formula by_x, by_b; /* the slopes; NULL: not compared */
    bound slope;
    double low, high; /* the range of x (and b) that is compared; both 0: all floats */
} row;

#define EXACT {0, 0, 0, NULL}
#define ULPS(cpu, opencl) {cpu, opencl, 0, NULL}
#define NEAR(cpu, opencl, share, size) {cpu, opencl, share, size}
#define ALL 0, 0
static const row rows[] = {
    /* exact: comparisons, choices, one rounding */
    {"relu(x)", relu_f, EXACT, relu_d, NULL, EXACT, ALL},
    {"relu6(x)", relu6_f, EXACT, relu6_d, NULL, EXACT, ALL},
    {"leaky_relu(x, 0.01)", leaky_f, EXACT, leaky_d, NULL, EXACT, ALL},
    {"square(x)", square_f, EXACT, square_d, NULL, EXACT, ALL},
    {"abs(x)", abs_f, EXACT, sign_f, NULL, EXACT, ALL},
    {"negate(x)", negate_f, EXACT, minus_one, NULL, EXACT, ALL},
    {"sign(x)", sign_f, EXACT, none, NULL, EXACT, ALL},
    {"floor(x)", floor_f, EXACT, none, NULL, EXACT, ALL},
    {"ceil(x)", ceil_f, EXACT, none, NULL, EXACT, ALL},
    {"round(x)", round_f, EXACT, none, NULL, EXACT, ALL},
    {"trunc(x)", trunc_f, EXACT, none, NULL, EXACT, ALL},
    {"frac(x)", frac_f, EXACT, one, NULL, EXACT, ALL},
    {"isnan(x)", isnan_f, EXACT, none, NULL, EXACT, ALL},
    {"isinf(x)", isinf_f, EXACT, none, NULL, EXACT, ALL},
    {"isfinite(x)", isfinite_f, EXACT, none, NULL, EXACT, ALL},
    {"logical_not(x)", not_f, EXACT, none, NULL, EXACT, ALL},
    {"hardtanh(x, -1, 1)", hardtanh_f, EXACT, hardtanh_d, NULL, EXACT, ALL},
    {"softshrink(x, 0.5)", softshrink_f, EXACT, softshrink_d, NULL, EXACT, ALL},
    {"hardshrink(x, 0.5)", hardshrink_f, EXACT, softshrink_d, NULL, EXACT, ALL},
    {"clamp(x, -2, 3)", clamp_f, EXACT, clamp_d, NULL, EXACT, ALL},
    {"add(x, b)", add_f, EXACT, one, one, EXACT, ALL},
    {"subtract(x, b)", subtract_f, EXACT, one, minus_one, EXACT, ALL},
    {"multiply(x, b)", multiply_f, EXACT, multiply_d, multiply_e, EXACT, ALL},
    {"maximum(x, b)", maximum_f, EXACT, maximum_d, NULL, EXACT, ALL},
    {"minimum(x, b)", minimum_f, EXACT, NULL, NULL, EXACT, ALL},
    {"fmax(x, b)", fmax_f, EXACT, NULL, NULL, EXACT, ALL},
    {"fmin(x, b)", fmin_f, EXACT, NULL, NULL, EXACT, ALL},
    {"heaviside(x, b)", heaviside_f, EXACT, NULL, NULL, EXACT, ALL},
    {"less(x, b)", less_f, EXACT, none, NULL, EXACT, ALL},
    {"less_equal(x, b)", less_equal_f, EXACT, none, NULL, EXACT, ALL},
    {"greater(x, b)", greater_f, EXACT, none, NULL, EXACT, ALL},
    {"greater_equal(x, b)", greater_equal_f, EXACT, none, NULL, EXACT, ALL},
    {"equal(x, b)", equal_f, EXACT, none, NULL, EXACT, ALL},
    {"not_equal(x, b)", not_equal_f, EXACT, none, NULL, EXACT, ALL},
    {"logical_and(x, b)", and_f, EXACT, none, NULL, EXACT, ALL},
    {"logical_or(x, b)", or_f, EXACT, none, NULL, EXACT, ALL},
    {"logical_xor(x, b)", xor_f, EXACT, none, NULL, EXACT, ALL},
    {"remainder(x, b)", remainder_f, EXACT, NULL, NULL, EXACT, ALL},
    {"fmod(x, b)", fmod_f, EXACT, NULL, NULL, EXACT, ALL},
    /* roots and quotients: a rounding for each instruction */
    {"divide(x, b)", divide_f, ULPS(0.51, 3), divide_d, divide_e, NEAR(2, 6, 1, divide_size), ALL},
    {"reciprocal(x)", reciprocal_f, ULPS(0.51, 3), reciprocal_d, NULL, ULPS(2, 6), ALL},
    {"sqrt(x)", sqrt_f, ULPS(0.51, 3), sqrt_d, NULL, ULPS(1.5, 6), ALL},
    {"rsqrt(x)", rsqrt_f, ULPS(1.5, 6), rsqrt_d, NULL, ULPS(6, 20), ALL},
    {"squared_difference(x, b)", difference_f, ULPS(2, 2), difference_d, NULL, ULPS(1, 1), ALL},
    {"huber(x, b, 1)", huber_f, ULPS(2.5, 2.5), huber_d, NULL, ULPS(1, 1), ALL},
    {"hardsigmoid(x)", hardsigmoid_f, NEAR(1, 3, 1.5, one), hardsigmoid_d, NULL, ULPS(1, 3), ALL},
    {"hardswish(x)", hardswish_f, NEAR(2, 4, 2, size_x), hardswish_d, NULL, NEAR(2, 4, 2, one), -1e37, 1e37},
    /* transcendental */
    {"exp(x)", exp_f, ULPS(1, 4), exp_f, NULL, ULPS(1, 4), ALL},
    {"expm1(x)", expm1_f, ULPS(2, 4), exp_f, NULL, ULPS(1, 4), ALL},
    {"exp2(x)", exp2_f, ULPS(1.2, 16), exp2_d, NULL, ULPS(2, 17), ALL},
    {"log(x)", log_f, ULPS(1, 4), log_d, NULL, ULPS(1, 3), ALL},
    {"log1p(x)", log1p_f, ULPS(2, 4), log1p_d, NULL, ULPS(1.5, 4), ALL},
    {"log2(x)", log2_f, ULPS(1, 4), log2_d, NULL, ULPS(2, 5), ALL},
    {"log10(x)", log10_f, ULPS(2, 4), log10_d, NULL, ULPS(2, 5), ALL},
    {"sin(x)", sin_f, ULPS(1.7, 5), cos_f, NULL, ULPS(1.7, 5), ALL},
    {"cos(x)", cos_f, ULPS(1.7, 5), minus_sin, NULL, ULPS(1.7, 5), ALL},
    {"tan(x)", tan_f, ULPS(1.2, 6), tan_d, NULL, ULPS(4, 12), ALL},
    {"tanh(x)", tanh_f, ULPS(2.5, 6), tanh_d, NULL, NEAR(4, 6, 4, one), ALL},
    {"erf(x)", erf_f, ULPS(1, 17), erf_d, NULL, NEAR(4, 8, 1.5, erf_size), ALL},
    {"sinh(x)", sinh_f, ULPS(4, 8), cosh_f, NULL, ULPS(4, 8), ALL},
    {"cosh(x)", cosh_f, ULPS(4, 8), sinh_f, NULL, ULPS(5, 10), ALL},
    {"atan(x)", atan_f, ULPS(1.8, 7), atan_d, NULL, ULPS(4, 12), ALL},
    {"sigmoid(x)", sigmoid_f, ULPS(3, 6), sigmoid_d, NULL, NEAR(4, 8, 4, sigmoid_f), -87, 1e38},
    {"softplus(x)", softplus_f, ULPS(3, 6), sigmoid_f, NULL, ULPS(3, 6), -87, 1e38},
    {"logsigmoid(x)", logsigmoid_f, ULPS(3, 6), sigmoid_minus, NULL, ULPS(3, 6), -1e38, 87},
    {"elu(x, 1)", elu_f, ULPS(2, 4), elu_d, NULL, ULPS(1, 4), ALL},
    {"elu(x, 3)", elu3_f, ULPS(3, 5), elu3_d, NULL, ULPS(2.5, 5), ALL},
    {"selu(x)", selu_f, ULPS(4, 6), selu_d, NULL, ULPS(4, 6), ALL},
    {"celu(x, 2)", celu_f, ULPS(2.5, 5), celu_d, NULL, ULPS(3, 6), ALL},
    /* by definition these are products with a factor that cancels where x is far below 0 */
    {"gelu(x)", gelu_f, NEAR(4, 20, 4, size_x), gelu_d, NULL, NEAR(4, 20, 4, one), ALL},
    {"gelu_tanh(x)", gelu_tanh_f, NEAR(4, 20, 4, size_x), gelu_tanh_d, NULL, NEAR(4, 20, 20, one), -1e18, 1e18},
    {"silu(x)", silu_f, ULPS(4, 8), silu_d, NULL, NEAR(4, 8, 16, one), -87, 1e38},
    {"mish(x)", mish_f, ULPS(6, 12), mish_d, NULL, NEAR(6, 12, 20, one), -87, 1e38},
    {"softsign(x)", softsign_f, ULPS(1.5, 4), softsign_d, NULL, NEAR(4, 8, 4, softsign_size), ALL},
    {"tanhshrink(x)", tanhshrink_f, NEAR(1, 1, 4, size_x), tanhshrink_d, NULL, NEAR(4, 6, 4, one), ALL},
    {"logit(x)", logit_f, NEAR(3, 8, 3, one), logit_d, NULL, ULPS(6, 16), 1e-30, 0.9999999},
    {"sinc(x)", sinc_f, NEAR(4, 8, 4, one), sinc_d, NULL, NEAR(6, 12, 6, one), -100, 100},
    /* of two numbers */
    {"pow(x, b)", pow_f, ULPS(1.2, 17), NULL, NULL, EXACT, ALL},
    {"atan2(x, b)", atan2_f, ULPS(2, 7), atan2_d, atan2_e, NEAR(4, 12, 1, angle_size), ALL},
    {"hypot(x, b)", hypot_f, ULPS(2, 6), hypot_d, hypot_e, NEAR(4, 12, 1, hypot_size), ALL},
    {"logaddexp(x, b)", logaddexp_f, NEAR(2, 4, 2, one), logaddexp_d, NULL, NEAR(4, 8, 4, one), ALL},
    {"xlogy(x, b)", xlogy_f, ULPS(2, 5), NULL, NULL, EXACT, ALL},
    {"poisson_nll(x, b)", poisson_f, NEAR(2, 5, 2, poisson_size), poisson_d, NULL, NEAR(2, 5, 2, poisson_more), -80, 80},
    {"soft_margin(x, b)", margin_f, NEAR(4, 8, 2, one), margin_d, NULL, NEAR(4, 8, 4, size_b), -80, 80},
};
#define ROWS ((int)(sizeof rows / sizeof rows[0]))

static bool takes_two(const row *r) { return strstr(r->text, ", b") != NULL; }

/* ---- the numbers that are compared ----------------------------------------------------------- */

static float *xs, *bs;
static int number_count;

static float of_bits(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static void add_number(float x, float b) {
    xs[number_count] = x;
    bs[number_count++] = b;
}

/* Draws from all binades with equal weight, then from the ranges in which functions bend. Edges and
   their neighbours come last. */
static void make_numbers(void) {
    static const float edges[] = {0.0f, 0.5f, 1.0f, 2.0f, 3.0f, 6.0f, 10.0f, 17.0f, 18.0f, 87.33654f, 88.72283f, 89.41599f,
                                  103.97f, 126.0f, 128.0f, 149.0f, 0.001f, 0.70710678f, 1.5707963f, 3.1415927f, 9.02f, 1e-38f,
                                  1.1754944e-38f, 1.4e-45f, 3.4028235e38f, 1.8446744e19f, 1.0842022e-19f, 1000.0f, 8192.0f,
                                  16777216.0f, INFINITY, NAN};
    enum { EDGES = sizeof edges / sizeof edges[0] };
    const bool full = getenv("NN_FULL") && strcmp(getenv("NN_FULL"), "0") != 0;
    const uint32_t each = full ? 1u << 19 : 1u << 12;
    const uint32_t step = (uint32_t)(0x100000000u / each);
    uint32_t words[4];
    xs = (float *)malloc(sizeof(float) * (3 * (size_t)each + 20000));
    bs = (float *)malloc(sizeof(float) * (3 * (size_t)each + 20000));
    for (uint32_t i = 0; i < each; i++) {
        nn_random_words(7, 1, i, words);
        add_number(of_bits(i * step + words[0] % step), of_bits(words[1]));
        add_number(((float)i / (float)each - 0.5f) * 220.0f, ((float)(words[2] >> 8) / 16777216.0f - 0.5f) * 20.0f);
        add_number(((float)i / (float)each - 0.5f) * 12.0f, ((float)(words[3] >> 8) / 16777216.0f - 0.5f) * 6.0f);
    }
    for (int e = -149; e < 128; e++) {
        add_number(ldexpf(1, e), ldexpf(3, e - (e & 15)));
        add_number(-ldexpf(1.0000001f, e), ldexpf(1, -e / 2));
        add_number(ldexpf(1.9999999f, e), -ldexpf(1.5f, e));
    }
    for (int i = 0; i < EDGES; i++)
        for (int k = 0; k < EDGES; k++)
            for (int signs = 0; signs < 4; signs++)
                add_number(signs & 1 ? -edges[i] : edges[i], signs & 2 ? -edges[k] : edges[k]);
    for (int i = 0; i < EDGES; i++)
        for (int side = -1; side <= 1; side += 2) {
            add_number(nextafterf(edges[i], (float)side * INFINITY), edges[i]);
            add_number(nextafterf(-edges[i], (float)side * INFINITY), edges[i] * 0.5f);
        }
}

/* ---- comparing ------------------------------------------------------------------------------- */

static double ulp_of(double r) {
    int exponent;
    if (r == 0) return ldexp(1, -149);
    if (fabs(r) > 1e300) return 1e300;
    frexp(r, &exponent);
    return ldexp(1, exponent - 24 < -149 ? -149 : exponent - 24);
}

/* Portable sets and simd128 have no fused products and sums, so cpu/vector_math.h promises 1.2 ulps
   for exp there instead of 0.9. Their bounds, if they are not 0, are 1.25 times those of other
   sets. */
static bool unfused;

/* Returns the error of y as a multiple of its bound; up to 1 it is right. */
static double missed(float y, double r, double x, double b, const bound *off, bool opencl, double *ulps) {
    const double most = opencl ? off->opencl : off->cpu, infinity = (double)INFINITY;
    const double largest = 3.4028234663852886e38, limit = largest + 0.5 * ulp_of(largest);
    double error, allowed = most * ulp_of(r), nearest = (double)(float)r;
    *ulps = 0;
    if (r != r) return y != y ? 0 : infinity;
    if (y != y) return infinity;
    if (fabs(r) == infinity) return (double)y == r ? 0 : infinity;
    if (off->size) allowed = larger(allowed, off->share * ulp_of(off->size(x, b)));
    if (unfused) allowed *= 1.25;
    if (opencl) allowed = larger(allowed, 1.2e-38); /* subnormal numbers may be 0 */
    if ((double)y == nearest) return 0;
    if (fabs((double)y) == infinity || fabs(nearest) == infinity)
        return ((double)y > 0) == (r > 0) && fabs(r) + allowed >= limit &&
                       (fabs((double)y) == infinity || fabs((double)y) + allowed + ulp_of(largest) >= largest)
                   ? 0
                   : infinity;
    error = fabs((double)y - r);
    *ulps = error / ulp_of(r);
    return allowed > 0 ? error / allowed : infinity;
}

static bool show; /* the worst of each row: test_ulps --show */

static void compare(const char *target, const row *r, const char *what, formula f, const bound *off, bool opencl,
                    bool slope, const float *y, const float *x, const float *b) {
    double worst = 0, most = 0;
    int at = 0, wrong = 0;
    for (int i = 0; i < number_count; i++) {
        const double xd = (double)x[i], bd = (double)b[i];
        double ulps;
        /* slopes: only if the numbers and the value are floats */
        if (slope && !(fabs(xd) < (double)INFINITY && fabs(bd) < (double)INFINITY && fabs(r->f(xd, bd)) < 3.402823e38)) continue;
        if (r->low < r->high && !(xd >= r->low && xd <= r->high)) continue;
        const double miss = missed(y[i], f(xd, bd), xd, bd, off, opencl, &ulps);
        if (miss > worst) worst = miss, at = i;
        if (ulps > most) most = ulps;
        wrong += miss > 1;
    }
    if (show) printf("%-10s %-26s %-5s %8.3g ulps; %.2f of its bound at (%.9g, %.9g)\n", target, r->text, what, most, worst,
                     (double)x[at], (double)b[at]);
    if (wrong)
        test_fail(__FILE__, __LINE__, "%s on %s, %s: %d of %d are wrong; at (%.9g, %.9g) it is %.9g, not %.9g (%.3g times its bound)",
                  r->text, target, what, wrong, number_count, (double)x[at], (double)b[at], (double)y[at],
                  f((double)x[at], (double)b[at]), worst);
}

/* ---- on the CPU: an immediate call for each function ----------------------------------------- */

static float *results, *ones;

static void on_cpu(nn_context *nn, const char *target) {
    const nn_shape shape = NN_SHAPE(number_count);
    unfused = strncmp(target, "portable", 8) == 0 || strcmp(target, "simd128") == 0;
    nn_tensor *x = nn_wrap(nn, "x", NN_F32, shape, xs), *b = nn_wrap(nn, "b", NN_F32, shape, bs);
    nn_tensor *y = nn_wrap(nn, "y", NN_F32, shape, results), *dy = nn_wrap(nn, "dy", NN_F32, shape, ones);
    for (int i = 0; i < ROWS; i++) {
        const row *r = &rows[i];
        const bool two = takes_two(r);
        ENSURE((two ? nn_expression_forward(y, r->text, x, b) : nn_expression_forward(y, r->text, x)) == NN_OK);
        compare(target, r, "value", r->f, &r->off, false, false, results, xs, bs);
        for (int k = 0; k < 2; k++) {
            const formula slope = k ? r->by_b : r->by_x;
            if (!slope) continue;
            ENSURE((two ? nn_expression_backward(y, k ? "b" : "x", dy, r->text, x, b)
                        : nn_expression_backward(y, "x", dy, r->text, x)) == NN_OK);
            compare(target, r, k ? "by b" : "by x", slope, &r->slope, false, true, results, xs, bs);
        }
    }
}

static nn_instruction_set set_now;

static void every_function_on_an_instruction_set(void) {
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.instructions = set_now;
    nn_context *nn = OPEN_WITH_SET(&desc);
    if (!nn) return;
    on_cpu(nn, nn_instruction_set_name(nn));
    nn_close(nn);
}

/* ---- on OpenCL: as many functions as one program holds --------------------------------------- */

#ifdef NN_TEST_OPENCL
static nn_context *device_nn;
static nn_tensor *device_x, *device_b, *device_k, *device_y, *device_dy;
enum { GROUP = 16 };

/* Computes the functions of `chosen` as one expression, in which k selects one for each number.
   what: 0: values, 1 and 2: slopes by x and by b. False: the text is longer than a program may
   be. */
static bool run_group(const int *chosen, int count, int what) {
    char text[4096];
    size_t used = 0;
    nn_tensor *x = device_x, *b = device_b, *k = device_k;
    for (int i = 0; i < count; i++) {
        if (i + 1 < count) used += (size_t)snprintf(text + used, sizeof text - used, "k < %d.5 ? ", i);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", rows[chosen[i]].text, i + 1 < count ? " : " : "");
    }
    const nn_result result = what == 0 ? nn_expression_forward(device_y, text, x, b, k)
                                       : nn_expression_backward(device_y, what == 1 ? "x" : "b", device_dy, text, x, b, k);
    if (result != NN_OK) nn_clear_error(device_nn);
    return result == NN_OK;
}

static formula wanted(const row *r, int what) { return what == 0 ? r->f : what == 1 ? r->by_x : r->by_b; }

/* Compares all rows that have `what`, with as many in one program as fit. Returns the number of
   programs. */
static int all_groups(const char *target, int what) {
    static const char *const names[3] = {"value", "by x", "by b"};
    int list[ROWS], count = 0, programs = 0;
    for (int i = 0; i < ROWS; i++)
        if (wanted(&rows[i], what) && (what == 0 || rows[i].slope.opencl > 0)) list[count++] = i; /* exact slopes are left out: compiling is slow */
    for (int first = 0, some; first < count; first += some, programs++) {
        some = first + GROUP <= count ? GROUP : count - first;
        while (!run_group(list + first, some, what))
            if (--some == 0) return 0;
        if (nn_download_tensor(device_y, results, sizeof(float) * (size_t)(number_count * GROUP)) != NN_OK) return 0;
        for (int i = 0; i < some; i++) {
            const row *r = &rows[list[first + i]];
            compare(target, r, names[what], wanted(r, what), what ? &r->slope : &r->off, true, what > 0,
                    results + i * number_count, xs, bs);
        }
    }
    return programs;
}

/* Makes a tensor on the device with GROUP copies of the numbers; NULL: the index of a function
   instead. */
static nn_tensor *many(nn_device device, const char *name, const float *numbers, float *all) {
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.name = name;
    desc.shape = NN_SHAPE(number_count * GROUP);
    desc.device = device;
    nn_tensor *tensor = nn_make_tensor(device_nn, &desc);
    for (int i = 0; i < number_count * GROUP; i++)
        all[i] = numbers ? numbers[i % number_count] : (float)(i / number_count);
    return nn_upload_tensor(tensor, all, sizeof(float) * (size_t)(number_count * GROUP)) == NN_OK ? tensor : NULL;
}

static void on_device(nn_device device, const char *target) {
    int programs = 0;
    unfused = false;
    device_x = many(device, "x", xs, results);
    device_b = many(device, "b", bs, results);
    device_k = many(device, "k", NULL, results);
    device_dy = many(device, "dy", ones, results);
    device_y = many(device, "y", ones, results);
    ENSURE(device_x && device_b && device_k && device_dy && device_y);
    for (int what = 0; what < 3; what++) {
        const int made = all_groups(target, what);
        ENSURE(made > 0);
        programs += made;
    }
    if (show) printf("%s: %d programs\n", target, programs);
    nn_free_tensor(device_x), nn_free_tensor(device_b), nn_free_tensor(device_k);
    nn_free_tensor(device_dy), nn_free_tensor(device_y);
}

static void every_function_on_opencl(void) {
    nn_opencl_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.cache_folder = "";
    device_nn = nn_open(NULL);
    OPEN_OPENCL_WITH(device_nn, &desc);
    for (int i = 1; i < nn_device_count(device_nn); i++) {
        char name[32];
        snprintf(name, sizeof name, "opencl:%d", i - 1);
        on_device(nn_device_at(device_nn, i), name);
    }
    nn_close(device_nn);
}
#endif

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--show") == 0) show = true, argc--, argv++;
    test_start(argc, argv);
    make_numbers();
    results = (float *)malloc(sizeof(float) * 16 * (size_t)number_count);
    ones = (float *)malloc(sizeof(float) * (size_t)number_count);
    for (int i = 0; i < number_count; i++) ones[i] = 1;
    for (int set = NN_INSTRUCTIONS_PLAIN; set <= LAST_SET; set++) {
        set_now = (nn_instruction_set)set;
        RUN(every_function_on_an_instruction_set);
    }
#ifdef NN_TEST_OPENCL
    RUN(every_function_on_opencl);
#endif
    return test_report();
}
