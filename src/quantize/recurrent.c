/* quantize/recurrent.c - an lstm or gru in integers: the product of its inputs, which is a node of
   its own in the f32 net, becomes a part of it. The range of an lstm's cells is measured by running
   its steps here, because no node has them. */
#include "ops/arrange.h"
#include "ops/cast.h"
#include "ops/pointwise.h"
#include "ops/table.h"
#include "quantize/private.h"

#ifndef NN__NO_TRAINER

#define NN__RECURRENT_BITS 11 /* of a gate after the point: kernels/integer/args.h */

NN_PRIVATE void nn__integers_see_recurrent(nn__integers *q, nn__integers_node *of,
                                           const nn_recurrent_args *args) {
    of->input = nn__integers_view(q, &args->x);
    of->weight = nn__integers_view(q, &args->weight);
    of->bias = nn__integers_view(q, &args->bias);
    of->cell = args->cell;
    of->reverse = args->reverse;
    of->why = NULL;
    if (args->cell != NN_RECURRENT_LSTM && args->cell != NN_RECURRENT_GRU)
        of->why = "of recurrent layers, nn_lstm and nn_gru have a form in integers";
    else if (q->train || q->net->prepared)
        of->why = "nn_prepare_qat leaves recurrent layers in f32";
    else if (nn__present(&args->projection) || nn__present(&args->lengths) ||
             nn__present(&args->h0) || nn__present(&args->c0))
        of->why = "recurrent layers with .proj_size, .lengths, .h_0 or .c_0 have no form in "
                  "integers";
    else if (of->input < 0 || nn__is_symbolic(of->node->shape.extent[1]))
        of->why = "the number of its steps must be known";
    else
        of->way = NN__WAY_RECURRENT;
}

NN_PRIVATE void nn__integers_join_recurrent(nn__integers *q, int at) {
    nn__integers_node *of = &q->all[at], *input = &q->all[of->input];
    const char *why = input->why;
    if (input->way == NN__WAY_LINEAR && input->readers == 1 && !input->output && !input->turned &&
        nn__integers_is_leaf(q, of->weight) &&
        (of->bias < 0 || nn__integers_is_leaf(q, of->bias))) {
        input->way = NN__WAY_PART;
        input->value = -1;
        of->x = input->x;
        return;
    }
    nn__integers_part(q, at, why ? why : "its weights are no parameters, or its products are read "
                                         "elsewhere");
}

/* ---- the range of the cells ------------------------------------------------------------------ */

static bool nn__integers_has_cells(const nn__integers *q, const nn__integers_node *of) {
    return of->way == NN__WAY_RECURRENT && of->cell == NN_RECURRENT_LSTM && q->all[of->value].whole;
}
static nn_node *nn__integers_read_by_cells(const nn__integers *q, int at) {
    for (int i = 0; i < q->count; i++)
        if (nn__integers_has_cells(q, &q->all[i]) && q->all[i].x == at) return q->all[at].node;
    return NULL;
}

/* The weights of an lstm. */
typedef struct nn__integers_lstm {
    const float *weight_ih, *weight_hh, *bias_ih, *bias_hh;
    float *h, *c, *gates; /* of one sample */
    size_t T, C, H;
} nn__integers_lstm;

static nn_result nn__integers_lstm_of(nn__integers *q, const nn__integers_node *of,
                                      nn__integers_lstm *l) {
    const nn__integers_node *input = &q->all[of->input];
    l->T = (size_t)of->node->shape.extent[1];
    l->H = (size_t)of->node->shape.extent[2];
    l->C = (size_t)q->all[input->weight].node->shape.extent[1];
    l->weight_ih = nn__integers_read(q, input->weight, 4 * l->H * l->C, 0.0f);
    l->weight_hh = nn__integers_read(q, of->weight, 4 * l->H * l->H, 0.0f);
    l->bias_ih = nn__integers_read(q, input->bias, 4 * l->H, 0.0f);
    l->bias_hh = nn__integers_read(q, of->bias, 4 * l->H, 0.0f);
    l->h = (float *)nn__integers_take(q, 6 * l->H * sizeof *l->h);
    if (!l->weight_ih || !l->weight_hh || !l->bias_ih || !l->bias_hh || !l->h)
        return nn_error_code(q->nn) < 0 ? nn_error_code(q->nn) : NN_ERROR_MEMORY;
    l->c = l->h + l->H;
    l->gates = l->c + l->H;
    return NN_OK;
}

static float nn__integers_sigmoid(float x) {
    return 1.0f / (1.0f + (float)nn__exp((double)(x > 80.0f ? -80.0f : x < -80.0f ? 80.0f : -x)));
}

/* Runs one step. Returns the largest absolute cell after it, at least `largest`. */
static float nn__integers_lstm_step(const nn__integers_lstm *l, const float *x, float largest) {
    for (size_t g = 0; g < 4 * l->H; g++) {
        float sum = l->bias_ih[g] + l->bias_hh[g];
        for (size_t p = 0; p < l->C; p++) sum += x[p] * l->weight_ih[g * l->C + p];
        for (size_t p = 0; p < l->H; p++) sum += l->h[p] * l->weight_hh[g * l->H + p];
        l->gates[g] = sum;
    }
    for (size_t k = 0; k < l->H; k++) {
        const float *gate = l->gates + k;
        const float i = nn__integers_sigmoid(gate[0]), f = nn__integers_sigmoid(gate[l->H]),
                    g = 2.0f * nn__integers_sigmoid(2.0f * gate[2 * l->H]) - 1.0f,
                    o = nn__integers_sigmoid(gate[3 * l->H]);
        l->c[k] = f * l->c[k] + i * g;
        l->h[k] = o * (2.0f * nn__integers_sigmoid(2.0f * l->c[k]) - 1.0f);
        if (fabsf(l->c[k]) > largest) largest = fabsf(l->c[k]);
    }
    return largest;
}

/* x: numbers that an lstm reads. */
static nn_result nn__integers_see_cells(nn__integers *q, nn__integers_node *x, float *numbers,
                                        size_t count) {
    for (int i = 0; i < q->count; i++) {
        nn__integers_node *of = &q->all[i];
        nn__integers_lstm l;
        memset(&l, 0, sizeof l); /* gcc does not see that l is filled where the result is NN_OK */
        if (!nn__integers_has_cells(q, of) || &q->all[of->x] != x) continue;
        const nn_result result = nn__integers_lstm_of(q, of, &l);
        if (result != NN_OK) return result;
        for (size_t n = 0; n < count / (l.T * l.C); n++) {
            memset(l.h, 0, 2 * l.H * sizeof *l.h);
            for (size_t step = 0; step < l.T; step++) {
                const size_t t = of->reverse ? l.T - 1 - step : step;
                of->cells = nn__integers_lstm_step(&l, numbers + (n * l.T + t) * l.C, of->cells);
            }
        }
    }
    return NN_OK;
}

NN_PRIVATE nn_result nn__integers_measure_cells(nn__integers *q) {
    nn__integers_run run;
    bool any = false;
    for (int i = 0; i < q->count; i++) any = any || nn__integers_has_cells(q, &q->all[i]);
    if (!any) return NN_OK;
    nn_result result = nn__integers_plan(q, q->net, &run, nn__integers_read_by_cells);
    if (result == NN_OK) result = nn__integers_pass(q, &run, nn__integers_see_cells);
    nn_free_plan(run.plan);
    return result;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Fills one weight and its biases and factors: part 0 of x, 1 of h. */
static nn_result nn__integers_side(nn__integers *q, const nn__integers_node *of, int part,
                                   double scale, nn_node *made, int32_t *bias, int32_t *factor) {
    const nn__integers_node *from = part ? of : &q->all[of->input];
    const nn_shape *shape = &q->all[from->weight].node->shape;
    const size_t rows = (size_t)shape->extent[0], depth = (size_t)shape->extent[1];
    const float *weight = nn__integers_read(q, from->weight, rows * depth, 0.0f),
                *offset = weight ? nn__integers_read(q, from->bias, rows, 0.0f) : NULL;
    int8_t *to = (int8_t *)nn__integers_take(q, rows * depth);
    if (!offset || !to) return nn_error_code(q->nn) < 0 ? nn_error_code(q->nn) : NN_ERROR_MEMORY;
    for (size_t k = 0; k < rows; k++) {
        double of_weight;
        if (!nn__integers_row(weight + k * depth, depth, (double)offset[k], scale,
                              to + k * depth, &bias[k], &of_weight))
            return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                               "%s: a weight or bias of \"%s\" is not finite, or beyond 1e30; load "
                               "good weights, or name the layer in .skip",
                               q->call, of->node->name);
        nn__integers_factor(scale * of_weight * (1 << NN__RECURRENT_BITS), &factor[k],
                            &factor[rows + k]);
    }
    return nn__integers_fill(q, made->inputs[1 + part], to, rows * depth);
}

static nn_result nn__integers_fill_recurrent(nn__integers *q, const nn__integers_node *of,
                                             nn_node *made) {
    const nn__integers_node *x = nn__integers_scaled(q, of->x),
                            *y = nn__integers_scaled(q, of->value);
    const size_t gates = (size_t)q->all[of->weight].node->shape.extent[0];
    int32_t *bias = (int32_t *)nn__integers_take(q, 2 * gates * sizeof *bias),
            *factor = (int32_t *)nn__integers_take(q, 4 * gates * sizeof *factor),
            *numbers = (int32_t *)nn__integers_take(q, NN_INTEGER_RECURRENTS * sizeof *numbers);
    if (!bias || !factor || !numbers) return NN_ERROR_MEMORY;
    numbers[NN_INTEGER_RECURRENT_X] = x->zero;
    numbers[NN_INTEGER_RECURRENT_H] = y->zero;
    nn__integers_factor(1.0 / (1073741824.0 * (double)y->scale),
                        &numbers[NN_INTEGER_RECURRENT_MULTIPLIER],
                        &numbers[NN_INTEGER_RECURRENT_SHIFT]);
    numbers[NN_INTEGER_RECURRENT_CELL] = nn__integers_cell_bits(of);
    nn_result result = nn__integers_side(q, of, 0, (double)x->scale, made, bias, factor);
    if (result == NN_OK)
        result = nn__integers_side(q, of, 1, (double)y->scale, made, bias + gates,
                                   factor + 2 * gates);
    if (result == NN_OK)
        result = nn__integers_fill(q, made->inputs[3], bias, 2 * gates * sizeof *bias);
    if (result == NN_OK)
        result = nn__integers_fill(q, made->inputs[4], factor, 4 * gates * sizeof *factor);
    return result == NN_OK ? nn__integers_fill(q, made->inputs[5], numbers,
                                               NN_INTEGER_RECURRENTS * sizeof *numbers)
                           : result;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

NN_PRIVATE nn_result nn__integers_build_recurrent(nn__integers *q, nn__integers_node *of) {
    nn__integers_node *value = &q->all[of->value];
    nn_node *x = nn__integers_whole(q, of->x);
    if (!x) return NN_ERROR_MEMORY;
    value->made = nn__integer_recurrent(q->to, of->node->site, of->node->name, x, of->cell,
                                        of->reverse, of->node->shape.extent[2]);
    if (value->made->poisoned) return NN_ERROR_MEMORY;
    const nn_result result = nn__integers_fill_recurrent(q, of, value->made);
    return result == NN_OK ? nn__integers_own_scale(q, value, of->node->name) : result;
}

/* Returns columns `start` to `stop` - 1 of the last state as f32 numbers. */
static nn_node *nn__integers_columns(nn__integers *q, nn_site site, nn_node *state, int start,
                                     int stop) {
    nn_slice_desc slice;
    memset(&slice, 0, sizeof slice);
    slice.axis = state->shape.rank - 1;
    slice.start = start;
    slice.stop = stop;
    return nn_slice_at(site, q->to, state, &slice);
}

NN_PRIVATE nn_node *nn__integers_last_state(nn__integers *q, nn__integers_node *of) {
    const nn_site site = of->node->site;
    const int32_t H = of->node->shape.extent[2];
    nn_node *state = nn__output(q->all[of->value].made, 1), *parts[2];
    nn_nodes list;
    state = nn_cast_at(site, q->to, state, NN_F32);
    if (of->cell == NN_RECURRENT_GRU) return nn_scale_at(site, q->to, state, 1.0f / 32768.0f);
    nn_node *scale = nn__integers_leaf_of(q, of->value),
            *unit = nn__integer_cell_leaf(q->to, site, of->node->name);
    float *one = (float *)nn__integers_take(q, sizeof *one);
    if (!one || unit->poisoned) return nn__poison(q->to);
    *one = ldexpf(1.0f, nn__integers_cell_bits(of) - 15);
    if (nn__integers_fill(q, unit, one, sizeof *one) != NN_OK) return nn__poison(q->to);
    parts[0] = nn_subtract_at(site, q->to, nn__integers_columns(q, site, state, 0, H),
                              nn__integers_columns(q, site, scale, 1, 2));
    parts[0] = nn_multiply_at(site, q->to, parts[0], nn__integers_columns(q, site, scale, 0, 1));
    parts[1] = nn_multiply_at(site, q->to, nn__integers_columns(q, site, state, H, 2 * H), unit);
    list.node = parts;
    list.count = 2;
    return nn_concat_at(site, q->to, list, 1);
}
#undef NN__RECURRENT_BITS
#endif

typedef int nn__integers_recurrent_part; /* a part must not be empty under NN__NO_TRAINER */
