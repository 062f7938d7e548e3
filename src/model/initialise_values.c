/* model/initialise_values.c - computes the initial values of each nn_init kind on the host. */
#include "base/functions.h"
#include "model/private.h"

#ifndef NN_NO_TRAINING

#include <math.h>

NN__UNFUSED_BEGIN
/* ---- distributions --------------------------------------------------------------------------- */

/* Random numbers, drawn in succession from index 0, four at a time. */
typedef struct nn__init_draws {
    const nn__init_job *job;
    double number[4];
    double below_low, below_high; /* truncated normal: its probabilities below low and high */
} nn__init_draws;

static double nn__init_uniform(nn__init_draws *draws, uint64_t i) {
    uint32_t words[4];
    if (i % 4 == 0) {
        nn_random_words(draws->job->seed, draws->job->stream, i / 4, words);
        for (int e = 0; e < 4; e++) draws->number[e] = (double)nn_word_to_uniform(words[e]);
    }
    return draws->number[i % 4];
}

/* Source: Box and Muller, "A note on the generation of random normal deviates", 1958. */
static double nn__init_normal(nn__init_draws *draws, uint64_t i) {
    uint32_t words[4];
    if (i % 4 == 0) {
        nn_random_words(draws->job->seed, draws->job->stream, i / 4, words);
        for (int e = 0; e < 4; e += 2) {
            const double angle = 6.283185307179586 * (double)nn_word_to_uniform(words[e + 1]),
                         radius = sqrt(-2.0 * nn__log(1.0 - (double)nn_word_to_uniform(words[e])));
            draws->number[e] = radius * nn__cos(angle);
            draws->number[e + 1] = radius * nn__sin(angle);
        }
    }
    return draws->number[i % 4];
}

/* Returns the inverse of erf, with an error of 1e-7. Source: Giles, "Approximating the erfinv
   function", GPU Computing Gems, 2011. */
static double nn__init_erf_inverse(double x) {
    static const double close_by[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                      -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                      -0.00417768164,  0.246640727,    1.50140941},
                        remote[] = {-0.000200214257, 0.000100950558, 0.00134934322,
                                    -0.00367342844,  0.00573950773,  -0.0076224613,
                                    0.00943887047,   1.00167406,     2.83297682};
    double w = -nn__log((1.0 - x) * (1.0 + x)), y = 0.0;
    const double *c = w < 5.0 ? close_by : remote;
    w = w < 5.0 ? w - 2.5 : sqrt(w) - 3.0;
    for (int k = 0; k < 9; k++) y = y * w + c[k];
    return y * x;
}

/* Returns the probability that a normal number is below x. Source: Abramowitz and Stegun, "Handbook
   of Mathematical Functions", 26.2.11; all terms have one sign. */
static double nn__init_below(double x) {
    double term = x, sum = x;
    if (!(x > -8.3 && x < 8.3)) return x > 0.0 ? 1.0 : 0.0;
    for (int i = 3; term * term > 1e-34 * sum * sum; i += 2) sum += term *= x * x / i;
    return 0.5 + sum * 0.3989422804014327 * nn__exp(-0.5 * x * x);
}

/* Samples by the inverse of the distribution, as torch.nn.init.trunc_normal_. */
static double nn__init_truncated(nn__init_draws *draws, uint64_t i) {
    const nn_init_desc *desc = &draws->job->desc;
    const double mean = (double)desc->mean, std = (double)desc->std;
    const double low = (double)desc->low, high = (double)desc->high;
    if (i == 0) {
        draws->below_low = nn__init_below((low - mean) / std);
        draws->below_high = nn__init_below((high - mean) / std);
    }
    const double share = draws->below_low +
                         (draws->below_high - draws->below_low) * nn__init_uniform(draws, i),
                 x = 2.0 * share - 1.0;
    /* the inverse is infinite at -1 and 1 */
    const double inside = x < -0.99999999 ? -0.99999999 : x > 0.99999999 ? 0.99999999 : x;
    const double value = mean + std * 1.4142135623730951 * nn__init_erf_inverse(inside);
    return value < low ? low : value > high ? high : value;
}

/* ---- fans ------------------------------------------------------------------------------------ */

static double nn__init_fan(const nn_shape *shape, int axis) {
    double fan = (double)shape->extent[axis];
    for (int i = 2; i < shape->rank; i++) fan *= (double)shape->extent[i];
    return fan;
}

static double nn__init_gain_of(const nn_init_desc *desc) {
    const double slope = (double)desc->negative_slope;
    switch (desc->nonlinearity) {
    case NN_GAIN_RELU: return 1.4142135623730951;
    case NN_GAIN_TANH: return 5.0 / 3.0;
    case NN_GAIN_SELU: return 0.75;
    case NN_GAIN_LINEAR:
    case NN_GAIN_SIGMOID: return 1.0;
    default: return sqrt(2.0 / (1.0 + slope * slope));
    }
}

/* Returns the standard deviation of the Kaiming and Xavier kinds. */
static double nn__init_deviation(const nn__init_job *job) {
    const nn_shape *shape = &job->shape;
    if (job->desc.init == NN_INIT_KAIMING_UNIFORM || job->desc.init == NN_INIT_KAIMING_NORMAL)
        return nn__init_gain_of(&job->desc) /
               sqrt(nn__init_fan(shape, job->desc.fan == NN_FAN_OUT ? 0 : 1));
    return (double)job->desc.gain * sqrt(2.0 / (nn__init_fan(shape, 0) + nn__init_fan(shape, 1)));
}

/* ---- whole matrices -------------------------------------------------------------------------- */

/* Orthonormalises the rows of a matrix of normal numbers (or its columns, if there are more rows)
   by Gram-Schmidt. Each vector is processed twice; the second time removes rounding errors. The
   distribution is that of torch.nn.init.orthogonal_, whose sign change makes the diagonal of R
   positive, as it is here. */
static void nn__init_orthogonal(const nn__init_job *job, double *matrix, float *values) {
    const int64_t rows = job->shape.extent[0], columns = job->count / rows;
    const int64_t vectors = rows < columns ? rows : columns, length = job->count / vectors;
    nn__init_draws draws = {job, {0}, 0.0, 0.0};
    for (int64_t i = 0; i < job->count; i++) matrix[i] = nn__init_normal(&draws, (uint64_t)i);
    for (int64_t v = 0; v < vectors; v++) {
        double *own = matrix + v * length, norm = 0.0;
        for (int64_t other = 0; other < 2 * v; other++) {
            const double *with = matrix + other % v * length;
            double product = 0.0;
            for (int64_t i = 0; i < length; i++) product += own[i] * with[i];
            for (int64_t i = 0; i < length; i++) own[i] -= product * with[i];
        }
        for (int64_t i = 0; i < length; i++) norm += own[i] * own[i];
        norm = norm > 0.0 ? (double)job->desc.gain / sqrt(norm) : 0.0;
        for (int64_t i = 0; i < length; i++) {
            const int64_t at = rows <= columns ? v * columns + i : i * columns + v;
            values[at] = (float)(own[i] * norm);
        }
        norm = norm != 0.0 ? norm / (double)job->desc.gain : 0.0;
        for (int64_t i = 0; i < length; i++) own[i] *= norm;
    }
}

static void nn__init_dirac(const nn__init_job *job, float *values) {
    const nn_shape *shape = &job->shape;
    int64_t inner = 1, middle = 0;
    const int64_t part = shape->extent[0] / job->desc.groups;
    for (int i = 2; i < shape->rank; i++) {
        inner *= shape->extent[i];
        middle = middle * shape->extent[i] + shape->extent[i] / 2;
    }
    memset(values, 0, (size_t)job->count * sizeof *values);
    for (int64_t a = 0; a < shape->extent[0]; a++)
        if (a % part < shape->extent[1])
            values[(a * shape->extent[1] + a % part) * inner + middle] = 1.0f;
}

/* order: room for one number per row. */
static void nn__init_sparse(const nn__init_job *job, int32_t *order, float *values) {
    const int64_t rows = job->shape.extent[0], columns = job->shape.extent[1];
    const int64_t zeros = (int64_t)ceil((double)job->desc.sparsity * (double)rows);
    nn__init_draws draws = {job, {0}, 0.0, 0.0};
    for (int64_t i = 0; i < job->count; i++)
        values[i] = (float)(nn__init_normal(&draws, (uint64_t)i) * (double)job->desc.std);
    for (int64_t column = 0; column < columns; column++) {
        nn_random_permutation(job->seed, job->stream ^ (uint64_t)(column + 1), order,
                              (int32_t)rows);
        for (int64_t i = 0; i < zeros && i < rows; i++) values[order[i] * columns + column] = 0.0f;
    }
}

static float nn__init_value(nn__init_draws *draws, uint64_t i, double deviation) {
    const nn__init_job *job = draws->job;
    const nn_init_desc *desc = &job->desc;
    const double low = (double)desc->low, high = (double)desc->high;
    switch (desc->init) {
    case NN_INIT_KAIMING_UNIFORM:
    case NN_INIT_XAVIER_UNIFORM:
        return (float)((2.0 * nn__init_uniform(draws, i) - 1.0) * sqrt(3.0) * deviation);
    case NN_INIT_KAIMING_NORMAL:
    case NN_INIT_XAVIER_NORMAL: return (float)(nn__init_normal(draws, i) * deviation);
    case NN_INIT_TRUNC_NORMAL: return (float)nn__init_truncated(draws, i);
    case NN_INIT_NORMAL:
        return (float)((double)desc->mean + (double)desc->std * nn__init_normal(draws, i));
    case NN_INIT_UNIFORM: return (float)(low + (high - low) * nn__init_uniform(draws, i));
    case NN_INIT_CONSTANT: return desc->value;
    case NN_INIT_ONES: return 1.0f;
    case NN_INIT_EYE: {
        const uint64_t columns = (uint64_t)job->shape.extent[1];
        return i / columns == i % columns ? 1.0f : 0.0f;
    }
    default: return 0.0f;
    }
}

NN_PRIVATE size_t nn__init_scratch(const nn__init_job *job) {
    if (job->desc.init == NN_INIT_ORTHOGONAL) return (size_t)job->count * sizeof(double);
    if (job->desc.init == NN_INIT_SPARSE) return (size_t)job->shape.extent[0] * sizeof(int32_t);
    return 0;
}

NN_PRIVATE void nn__init_values(const nn__init_job *job, void *scratch, float *values) {
    const nn_init_desc *desc = &job->desc;
    nn__init_draws draws = {job, {0}, 0.0, 0.0};
    double deviation = 0.0;
    switch (desc->init) {
    case NN_INIT_ORTHOGONAL: nn__init_orthogonal(job, (double *)scratch, values); return;
    case NN_INIT_DIRAC: nn__init_dirac(job, values); return;
    case NN_INIT_SPARSE: nn__init_sparse(job, (int32_t *)scratch, values); return;
    case NN_INIT_VALUES: memcpy(values, desc->values, (size_t)job->count * sizeof *values); return;
    case NN_INIT_FUNCTION:
        desc->function(desc->user, job->name, job->shape, values, job->count);
        return;
    case NN_INIT_KAIMING_UNIFORM:
    case NN_INIT_KAIMING_NORMAL:
    case NN_INIT_XAVIER_UNIFORM:
    case NN_INIT_XAVIER_NORMAL: deviation = nn__init_deviation(job); break;
    default: break;
    }
    for (int64_t i = 0; i < job->count; i++)
        values[i] = nn__init_value(&draws, (uint64_t)i, deviation);
}
NN__UNFUSED_END

#endif /* NN_NO_TRAINING */

typedef int nn__init_part; /* a part must not be empty under NN_NO_TRAINING */
