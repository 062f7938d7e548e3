/* quantize/values.c - the integers of a quantised net: weights, biases, factors between
   scales. They are computed in double, as TensorFlow Lite's converter and kernels prepare them. */
#include "ops/program.h"
#include "quantize/private.h"

#ifndef NN__NO_TRAINER

NN_PRIVATE nn_result nn__integers_fill(nn__integers *q, nn_node *node, void *data, size_t bytes) {
    nn__integers_fill_one *fill = (nn__integers_fill_one *)nn__integers_take(q, sizeof *fill);
    if (!fill) return NN_ERROR_MEMORY;
    fill->next = q->fills;
    fill->node = node;
    fill->data = data;
    fill->bytes = bytes;
    q->fills = fill;
    return NN_OK;
}

NN_PRIVATE void nn__integers_factor(double factor, int32_t *multiplier, int32_t *shift) {
    int exponent = 0;
    const double part = factor > 0.0 ? frexp(factor, &exponent) : 0.0;
    int64_t whole = (int64_t)floor(part * 2147483648.0 + 0.5);
    if (whole == (int64_t)1 << 31) whole /= 2, exponent++;
    if (exponent < -31) whole = 0, exponent = 0;
    if (exponent > 30) whole = INT32_MAX, exponent = 30;
    *multiplier = (int32_t)whole;
    *shift = exponent;
}

/* Rounds to the nearest, halves away from zero. */
static double nn__integers_round(double x) { return x < 0.0 ? -floor(0.5 - x) : floor(x + 0.5); }
static int32_t nn__integers_limit(double x, double low, double high) {
    const double whole = nn__integers_round(x);
    return (int32_t)(whole < low ? low : whole > high ? high : whole);
}

NN_PRIVATE nn_result nn__integers_numbers(nn__integers *q, nn_node *node, const float *numbers,
                                          size_t count) {
    float *copy = (float *)nn__integers_take(q, count * sizeof *copy);
    if (!copy || node->poisoned) return NN_ERROR_MEMORY;
    memcpy(copy, numbers, count * sizeof *copy);
    return nn__integers_fill(q, node, copy, count * sizeof *copy);
}

NN_PRIVATE float *nn__integers_read(nn__integers *q, int leaf, size_t count, float filler) {
    float *numbers = (float *)nn__integers_take(q, count * sizeof *numbers);
    if (!numbers) return NULL;
    if (leaf < 0) {
        for (size_t i = 0; i < count; i++) numbers[i] = filler;
        return numbers;
    }
    return nn_download_tensor_at(q->site, q->all[leaf].node->tensor, numbers,
                                 count * sizeof *numbers) == NN_OK
               ? numbers
               : NULL;
}

/* ---- layers ---------------------------------------------------------------------------------- */

NN_PRIVATE size_t nn__integers_place(const nn__integers_node *layer, size_t k, size_t p,
                                     size_t depth, size_t K) {
    if (layer->turned) return p * K + k;
    if (!layer->transposed) return k * depth + p;
    const size_t window = (size_t)layer->window.kernel_h * (size_t)layer->window.kernel_w,
                 each = K / (size_t)layer->window.groups, C = depth / window; /* of a group */
    return ((k / each * C + p / window) * each + k % each) * window + p % window;
}
/* Returns the place in the original's weight of number p of channel k of the new one: (K, R, S, C)
   from (K, C, R, S), or what stands for it. */
static size_t nn__integers_from(const nn__integers *q, const nn__integers_node *layer, size_t k,
                                size_t p, size_t depth, size_t K) {
    const int32_t *flat = q->all[layer->x].flat;
    if (layer->way == NN__WAY_LINEAR) {
        if (flat[0]) { /* x is (H, W, C), the weight is for (C, H, W) */
            const size_t C = (size_t)flat[0], plane = (size_t)flat[1] * (size_t)flat[2];
            p = p % C * plane + p / C;
        }
        return nn__integers_place(layer, k, p, depth, K);
    }
    const size_t window = (size_t)layer->window.kernel_h * (size_t)layer->window.kernel_w,
                 C = depth / window;
    return nn__integers_place(layer, k, p % C * window + p / C, depth, K);
}

NN_PRIVATE bool nn__integers_fold(nn__integers *q, const nn__integers_node *layer, float *weight,
                                  float *bias, size_t K, size_t depth) {
    if (layer->norm < 0) return true;
    const nn__integers_node *norm = &q->all[layer->norm];
    const float *gamma = nn__integers_read(q, norm->weight, K, 1.0f),
                *beta = gamma ? nn__integers_read(q, norm->bias, K, 0.0f) : NULL,
                *mean = beta ? nn__integers_read(q, norm->mean, K, 0.0f) : NULL,
                *variance = mean ? nn__integers_read(q, norm->variance, K, 1.0f) : NULL;
    if (!variance) return false;
    for (size_t k = 0; k < K; k++) {
        const double scale = (double)gamma[k] / sqrt((double)variance[k] + (double)norm->epsilon);
        for (size_t p = 0; p < depth; p++) {
            float *w = &weight[nn__integers_place(layer, k, p, depth, K)];
            *w = (float)((double)*w * scale);
        }
        bias[k] = (float)(((double)bias[k] - (double)mean[k]) * scale + (double)beta[k]);
    }
    return true;
}

NN_PRIVATE size_t nn__integers_channel_of(const nn__integers_node *layer, size_t k, size_t p,
                                          size_t depth, size_t K) {
    const size_t window = (size_t)layer->window.kernel_h * (size_t)layer->window.kernel_w;
    return k / (K / (size_t)layer->window.groups) * (depth / window) + p / window;
}

NN_PRIVATE nn_result nn__integers_weights(nn__integers *q, const nn__integers_node *layer,
                                          size_t depth, float **weight, float **bias) {
    const size_t K = (size_t)nn__integers_outputs(q, layer);
    *weight = nn__integers_read(q, layer->weight, K * depth, 0.0f);
    *bias = *weight ? nn__integers_read(q, layer->bias, K, 0.0f) : NULL;
    if (!*bias || !nn__integers_fold(q, layer, *weight, *bias, K, depth))
        return nn_error_code(q->nn) < 0 ? nn_error_code(q->nn) : NN_ERROR_MEMORY;
    for (size_t k = 0; k < K && (layer->inputs || layer->outputs); k++) {
        const double by = layer->outputs ? layer->outputs[k] : 1.0;
        for (size_t p = 0; p < depth; p++) {
            float *w = &(*weight)[nn__integers_place(layer, k, p, depth, K)];
            const double times =
                layer->inputs ? layer->inputs[nn__integers_channel_of(layer, k, p, depth, K)] : 1.0;
            *w = (float)((double)*w * times / by);
        }
        (*bias)[k] = (float)((double)(*bias)[k] / by);
    }
    return NN_OK;
}

/* Returns the scale of the weights of a channel: the bias must fit into 32 bits. Weights below
   1e-30 count as zeros. */
static double nn__integers_weight_scale(double largest, int levels, double bias, double x_scale) {
    const double least = fabs(bias) / (x_scale * 1073741824.0);
    double scale = largest / levels > least ? largest / levels : least;
    if (largest == 0.0) scale = bias != 0.0 ? least * 64.0 : 1.0;
    return scale > 1e-30 ? scale : 1e-30;
}

NN_PRIVATE bool nn__integers_row(const float *weight, size_t depth, double bias, double x_scale,
                                 int8_t *to, int32_t *whole, double *scale) {
    double largest = 0.0;
    for (size_t p = 0; p < depth; p++) {
        const double w = fabs((double)weight[p]);
        if (!(w < 1e30)) return false;
        if (w > largest) largest = w;
    }
    if (!(fabs(bias) < 1e30)) return false;
    *scale = (double)(float)nn__integers_weight_scale(largest, 127, bias, x_scale);
    for (size_t p = 0; p < depth; p++)
        to[p] = (int8_t)nn__integers_limit((double)weight[p] / *scale, -127.0, 127.0);
    *whole = nn__integers_limit(bias / (x_scale * *scale), -2147483647.0, 2147483647.0);
    return true;
}

typedef struct nn__integers_job {
    size_t K, depth;
    const float *weight, *bias;
    int8_t *to;
    int32_t *whole, *factor; /* biases; multipliers and shifts */
} nn__integers_job;

static bool nn__integers_channels(nn__integers *q, const nn__integers_node *layer,
                                  const nn__integers_job *job) {
    const nn__integers_node *x = nn__integers_scaled(q, layer->x),
                            *y = nn__integers_scaled(q, layer->value);
    const bool depthwise = nn__integers_is_depthwise(q, layer);
    for (size_t k = 0; k < job->K; k++) {
        double largest = 0.0;
        for (size_t p = 0; p < job->depth; p++) {
            const double w =
                fabs((double)job->weight[nn__integers_from(q, layer, k, p, job->depth, job->K)]);
            if (!(w < 1e30)) return false;
            if (w > largest) largest = w;
        }
        if (!(fabs((double)job->bias[k]) < 1e30)) return false;
        const double scale = (double)(float)nn__integers_weight_scale(
            largest, layer->levels, (double)job->bias[k], (double)x->scale);
        for (size_t p = 0; p < job->depth; p++) {
            const double w =
                (double)job->weight[nn__integers_from(q, layer, k, p, job->depth, job->K)];
            job->to[depthwise ? p * job->K + k : k * job->depth + p] =
                (int8_t)nn__integers_limit(w / scale, -layer->levels, layer->levels);
        }
        job->whole[k] = nn__integers_limit((double)job->bias[k] / ((double)x->scale * scale),
                                           -2147483647.0, 2147483647.0);
        nn__integers_factor((double)x->scale * scale / (double)y->scale, &job->factor[k],
                            &job->factor[job->K + k]);
    }
    return true;
}

/* Computes the bounds of y: those of a clamp in it, as integers. */
static void nn__integers_bounds(const nn__integers_node *layer, const nn__integers_node *y,
                                int32_t *low, int32_t *high) {
    const double scale = (double)y->scale, zero = y->zero;
    *low = -128, *high = 127;
    if (layer->low > -1e30f)
        *low = nn__integers_limit((double)layer->low / scale + zero, -128.0, 127.0);
    if (layer->high < 1e30f)
        *high = nn__integers_limit((double)layer->high / scale + zero, -128.0, 127.0);
}

NN_PRIVATE nn_result nn__integers_layer(nn__integers *q, const nn__integers_node *layer,
                                        nn_node *made) {
    const nn__integers_node *x = nn__integers_scaled(q, layer->x),
                            *y = nn__integers_scaled(q, layer->value);
    const nn_node *weight = made->inputs[1];
    const size_t all = nn__node_bytes(weight, 1, 1);
    nn__integers_job job;
    job.K = (size_t)made->shape.extent[made->shape.rank - 1];
    job.depth = all / job.K;
    job.to = (int8_t *)nn__integers_take(q, all);
    job.whole = (int32_t *)nn__integers_take(q, job.K * sizeof(int32_t));
    job.factor = (int32_t *)nn__integers_take(q, 2 * job.K * sizeof(int32_t));
    int32_t *zero = (int32_t *)nn__integers_take(q, NN_INTEGER_ZEROS * sizeof *zero);
    if (!job.to || !job.whole || !job.factor || !zero) return NN_ERROR_MEMORY;
    float *from, *bias;
    nn_result result = nn__integers_weights(q, layer, job.depth, &from, &bias);
    if (result != NN_OK) return result;
    job.weight = from;
    job.bias = bias;
    if (!nn__integers_channels(q, layer, &job))
        return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                           "%s: a weight or bias of \"%s\" is not finite, or beyond "
                           "1e30; load good weights, or name the layer in .skip",
                           q->call, layer->node->name);
    zero[NN_INTEGER_X] = x->zero;
    zero[NN_INTEGER_Y] = y->zero;
    nn__integers_bounds(layer, y, &zero[NN_INTEGER_LOW], &zero[NN_INTEGER_HIGH]);
    result = nn__integers_fill(q, made->inputs[1], job.to, all);
    if (result == NN_OK)
        result = nn__integers_fill(q, made->inputs[2], job.whole, job.K * sizeof(int32_t));
    if (result == NN_OK)
        result = nn__integers_fill(q, made->inputs[3], job.factor, 2 * job.K * sizeof(int32_t));
    return result == NN_OK
               ? nn__integers_fill(q, made->inputs[4], zero, NN_INTEGER_ZEROS * sizeof *zero)
               : result;
}

/* ---- the rest -------------------------------------------------------------------------------- */

NN_PRIVATE nn_result nn__integers_sum(nn__integers *q, const nn__integers_node *add,
                                      nn_node *made) {
    const nn__integers_node *a = nn__integers_scaled(q, add->x),
                            *b = nn__integers_scaled(q, add->other),
                            *y = nn__integers_scaled(q, add->value);
    const double twice = 2.0 * (double)(a->scale > b->scale ? a->scale : b->scale);
    int32_t *numbers = (int32_t *)nn__integers_take(q, NN_INTEGER_ADDS * sizeof *numbers),
            *multiplier = numbers + NN_INTEGER_ADD_MULTIPLIER,
            *shift = numbers + NN_INTEGER_ADD_SHIFT;
    if (!numbers) return NN_ERROR_MEMORY;
    numbers[NN_INTEGER_ADD_ZERO] = a->zero;
    numbers[NN_INTEGER_ADD_ZERO + 1] = b->zero;
    numbers[NN_INTEGER_ADD_ZERO + 2] = y->zero;
    nn__integers_factor((double)a->scale / twice, &multiplier[0], &shift[0]);
    nn__integers_factor((double)b->scale / twice, &multiplier[1], &shift[1]);
    nn__integers_factor(twice / (1048576.0 * (double)y->scale), &multiplier[2], &shift[2]);
    nn__integers_bounds(add, y, &numbers[NN_INTEGER_ADD_LOW], &numbers[NN_INTEGER_ADD_HIGH]);
    return nn__integers_fill(q, made->inputs[2], numbers, NN_INTEGER_ADDS * sizeof *numbers);
}

NN_PRIVATE nn_result nn__integers_product(nn__integers *q, const nn__integers_node *multiply,
                                          nn_node *made) {
    const nn__integers_node *a = nn__integers_scaled(q, multiply->x),
                            *b = nn__integers_scaled(q, multiply->other),
                            *y = nn__integers_scaled(q, multiply->value);
    int32_t *numbers = (int32_t *)nn__integers_take(q, NN_INTEGER_MULTIPLIES * sizeof *numbers);
    if (!numbers) return NN_ERROR_MEMORY;
    numbers[NN_INTEGER_MULTIPLY_ZERO] = a->zero;
    numbers[NN_INTEGER_MULTIPLY_ZERO + 1] = b->zero;
    numbers[NN_INTEGER_MULTIPLY_ZERO + 2] = y->zero;
    nn__integers_factor((double)a->scale * (double)b->scale / (double)y->scale,
                        &numbers[NN_INTEGER_MULTIPLY_MULTIPLIER],
                        &numbers[NN_INTEGER_MULTIPLY_SHIFT]);
    nn__integers_bounds(multiply, y, &numbers[NN_INTEGER_MULTIPLY_LOW],
                        &numbers[NN_INTEGER_MULTIPLY_HIGH]);
    return nn__integers_fill(q, made->inputs[2], numbers, NN_INTEGER_MULTIPLIES * sizeof *numbers);
}

/* Computes the function's results for all numbers of x, by its own program. */
NN_PRIVATE nn_result nn__integers_table(nn__integers *q, const nn__integers_node *of,
                                        nn_node *made) {
    static const char *const roles[] = {"input"};
    const nn__integers_node *x = nn__integers_scaled(q, of->x),
                            *y = nn__integers_scaled(q, of->value);
    const nn__program_params *params = (const nn__program_params *)of->node->params;
    float *numbers = (float *)nn__integers_take(q, 512 * sizeof *numbers);
    int8_t *table = (int8_t *)nn__integers_take(q, 256);
    nn_shape shape;
    if (!numbers || !table) return NN_ERROR_MEMORY;
    memset(&shape, 0, sizeof shape);
    shape.rank = 1;
    shape.extent[0] = 256;
    for (int i = 0; i < 256; i++) numbers[i] = x->scale * (float)(i - 128 - x->zero);
    nn_tensor *from = nn_wrap_at(q->site, q->nn, "x", NN_F32, shape, numbers),
              *to = nn_wrap_at(q->site, q->nn, "y", NN_F32, shape, numbers + 256);
    const nn_tensor *inputs[1];
    inputs[0] = from;
    nn_result result =
        from && to
            ? nn__op_program_forward(q->site, q->call, of->node->rule,
                                     /* the builder of an expression installed its instructions */
                                     params->line ? params->line->install : nn__install_program,
                                     params, roles, to, inputs)
            : NN_ERROR_MEMORY;
    nn_free_tensor(from);
    nn_free_tensor(to);
    for (int i = 0; i < 256 && result == NN_OK; i++) {
        const double value = (double)numbers[256 + i] / (double)y->scale;
        table[i] =
            (int8_t)(value == value ? nn__integers_limit(value + y->zero, -128.0, 127.0) : y->zero);
    }
    return result == NN_OK ? nn__integers_fill(q, made->inputs[1], table, 256) : result;
}

NN_PRIVATE nn_result nn__integers_pool(nn__integers *q, const nn__integers_node *pool,
                                       nn_node *made) {
    int32_t *zero = (int32_t *)nn__integers_take(q, NN_INTEGER_ZEROS * sizeof *zero);
    if (!zero) return NN_ERROR_MEMORY;
    zero[NN_INTEGER_X] = zero[NN_INTEGER_Y] = nn__integers_scaled(q, pool->x)->zero;
    zero[NN_INTEGER_LOW] = -128, zero[NN_INTEGER_HIGH] = 127;
    return nn__integers_fill(q, made->inputs[1], zero, NN_INTEGER_ZEROS * sizeof *zero);
}

NN_PRIVATE nn_result nn__integers_scale(nn__integers *q, nn_node *leaf, float scale, int zero) {
    float *numbers = (float *)nn__integers_take(q, 2 * sizeof *numbers);
    if (!numbers) return NN_ERROR_MEMORY;
    numbers[0] = scale;
    numbers[1] = (float)zero;
    return nn__integers_fill(q, leaf, numbers, 2 * sizeof *numbers);
}
#endif

typedef int nn__integers_values_part; /* a part must not be empty under NN__NO_TRAINER */
