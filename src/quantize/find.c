/* quantize/find.c - finds the layers of a net that can compute in integers, and the values
   that become integers. */
#include "ops/program.h"
#include "quantize/private.h"

#ifndef NN__NO_TRAINER

#define NN__INTEGERS_DEPTH 65536 /* of a sum: more might not fit into 32 bits */

NN_PRIVATE int nn__integers_at_node(const nn__integers *q, const nn_node *node) {
    int low = 0, high = q->count;
    while (node && low < high) {
        const int middle = low + (high - low) / 2;
        if (q->orders[middle] == node->order) return q->places[middle];
        if (q->orders[middle] < node->order)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* ---- what an operation is -------------------------------------------------------------------- */

typedef struct nn__integers_question {
    nn__integers *q;
    nn__integers_node *of;
} nn__integers_question;

NN_PRIVATE int nn__integers_view(const nn__integers *q, const nn_view *view) {
    return nn__present(view) ? nn__integers_at_node(q, (const nn_node *)view->handle) : -1;
}
NN_PRIVATE bool nn__integers_is_leaf(const nn__integers *q, int at) {
    const nn_node *node = at < 0 ? NULL : q->all[at].node;
    return node && node->dtype == NN_F32 &&
           (node->kind == NN__PARAMETER || node->kind == NN__CONSTANT || node->kind == NN__BUFFER);
}
NN_PRIVATE bool nn__integers_is_image(const nn_node *node) {
    if (node->dtype != NN_F32 || (node->shape.rank != 4 && node->shape.rank != 3)) return false;
    for (int i = 1; i < node->shape.rank; i++)
        if (nn__is_symbolic(node->shape.extent[i])) return false;
    return true;
}

static void nn__integers_see_conv(nn__integers *q, nn__integers_node *of,
                                  const nn_conv2d_args *args, bool transposed) {
    const int32_t groups = args->params.groups, *w = args->weight.shape.extent;
    of->x = nn__integers_view(q, transposed ? &args->y : &args->x);
    of->transposed = transposed;
    of->weight = nn__integers_unrounded(q, nn__integers_view(q, &args->weight));
    of->bias = nn__integers_view(q, &args->epilogue.bias);
    of->window = args->params;
    of->why = NULL;
    if (of->x < 0 || !nn__integers_is_image(q->all[of->x].node) || !nn__integers_is_image(of->node))
        of->why = "only convolutions of images with known extents have a form in integers";
    else if (!nn__integers_is_leaf(q, of->weight) ||
             (of->bias >= 0 && !nn__integers_is_leaf(q, of->bias)))
        of->why = "its weight is not an f32 parameter or constant (nn_autocast_begin rounds "
                  "weights; describe the net without it)";
    else if (transposed && groups > 1 && (q->train || q->net->prepared))
        of->why = "nn_prepare_qat has no transposed convolutions in groups";
    else if ((int64_t)(transposed ? w[0] / groups : w[1]) * w[2] * w[3] > NN__INTEGERS_DEPTH)
        of->why = "its sums have too many terms for 32 bits";
    else
        of->way = NN__WAY_CONV;
}

static void nn__integers_see_product(nn__integers *q, nn__integers_node *of,
                                     const nn_gemm_args *args) {
    of->x = nn__integers_view(q, &args->a);
    of->weight = nn__integers_unrounded(q, nn__integers_view(q, &args->b));
    of->bias = nn__integers_view(q, &args->epilogue.bias);
    of->turned = !args->transpose_b;
    memset(&of->window, 0, sizeof of->window);
    of->window.kernel_h = of->window.kernel_w = of->window.stride_h = of->window.stride_w = 1;
    of->window.dilation_h = of->window.dilation_w = of->window.groups = 1;
    of->why = NULL;
    if (of->x < 0 || of->weight < 0 || args->transpose_a || args->batch[0] > 1 ||
        args->batch[1] > 1 || args->batch[2] > 1 || args->batch[3] > 1 ||
        q->all[of->x].node->dtype != NN_F32 || q->all[of->weight].node->shape.rank != 2 ||
        !nn__integers_is_leaf(q, of->weight) ||
        (of->bias >= 0 && !nn__integers_is_leaf(q, of->bias)))
        of->why = "it is not a product with an f32 parameter or constant (nn_autocast_begin rounds "
                  "weights; describe the net without it)";
    else if (args->k > NN__INTEGERS_DEPTH)
        of->why = "its sums have too many terms for 32 bits";
    else
        of->way = NN__WAY_LINEAR;
}

static void nn__integers_see_norm(nn__integers *q, nn__integers_node *of,
                                  const nn_norm_args *args) {
    of->x = nn__integers_view(q, &args->x);
    of->weight = nn__integers_view(q, &args->weight);
    of->bias = nn__integers_view(q, &args->bias);
    of->mean = nn__integers_view(q, &args->running_mean);
    of->variance = nn__integers_view(q, &args->running_var);
    of->epsilon = args->epsilon;
    if (args->cut.across && nn__integers_is_leaf(q, of->mean) &&
        nn__integers_is_leaf(q, of->variance) &&
        (of->weight < 0 || nn__integers_is_leaf(q, of->weight)) &&
        (of->bias < 0 || nn__integers_is_leaf(q, of->bias)))
        of->way = NN__WAY_NORM;
}

static void nn__integers_see_pool(nn__integers *q, nn__integers_node *of,
                                  const nn_pool2d_args *args) {
    const int32_t *x = args->x.shape.extent, *y = args->y.shape.extent;
    nn_integer_pool2d_args *p = &of->pool;
    of->x = nn__integers_view(q, &args->x);
    of->why = NULL;
    if (of->x < 0 || !nn__integers_is_image(q->all[of->x].node) || !nn__integers_is_image(of->node))
        return;
    memset(p, 0, sizeof *p);
    p->kind = args->kind;
    p->kernel_h = args->kernel_h, p->kernel_w = args->kernel_w;
    p->stride_h = args->stride_h, p->stride_w = args->stride_w;
    p->padding_h = args->padding_h, p->padding_w = args->padding_w;
    p->count_only_inside = args->count_only_inside;
    if (args->adaptive) {
        p->kernel_h = p->stride_h = x[2] / y[2], p->kernel_w = p->stride_w = x[3] / y[3];
        p->padding_h = p->padding_w = 0;
    }
    if ((args->adaptive && (x[2] % y[2] || x[3] % y[3])) || args->divisor || args->dilation_h > 1 ||
        args->dilation_w > 1 ||
        /* windows that reach beyond the padding count fewer elements than others */
        (args->kind == NN_POOL_AVERAGE && !p->count_only_inside &&
         ((y[2] - 1) * p->stride_h + p->kernel_h > x[2] + 2 * p->padding_h ||
          (y[3] - 1) * p->stride_w + p->kernel_w > x[3] + 2 * p->padding_w)))
        of->why = "its windows have dilation, .divisor or unequal sizes";
    else
        of->way = NN__WAY_POOL;
}

/* Computes a program of one input that only compares with constants and chooses. False: it does
   something else. */
static bool nn__integers_program(const nn_program_args *args, float x, float *y) {
    float v[NN_PROGRAM_LENGTH];
    for (int i = 0; i < args->program.count; i++) {
        const nn_instruction *at = &args->program.code[i];
        const float a = v[at->a < i ? at->a : 0], b = v[at->b < i ? at->b : 0],
                    c = v[at->c < i ? at->c : 0];
        switch (at->code) {
        case NN_CODE_INPUT: v[i] = x; break;
        case NN_CODE_CONSTANT: v[i] = at->value; break;
        case NN_CODE_SCALAR: v[i] = args->scalars[at->a]; break;
        case NN_CODE_MAXIMUM: v[i] = a > b ? a : b; break;
        case NN_CODE_MINIMUM: v[i] = a < b ? a : b; break;
        case NN_CODE_CLAMP: v[i] = a < b ? b : a > c ? c : a; break;
        case NN_CODE_LESS: v[i] = a < b ? 1.0f : 0.0f; break;
        case NN_CODE_LESS_EQUAL: v[i] = a <= b ? 1.0f : 0.0f; break;
        case NN_CODE_GREATER: v[i] = a > b ? 1.0f : 0.0f; break;
        case NN_CODE_GREATER_EQUAL: v[i] = a >= b ? 1.0f : 0.0f; break;
        case NN_CODE_SELECT: v[i] = a != 0.0f ? b : c; break;
        default: return false;
        }
    }
    *y = v[args->program.output[0]];
    return true;
}

/* True if the program is a clamp. Such a program is x or a constant between two neighbours of its
   constants, so it is enough to look at these and in between. */
static bool nn__integers_is_clamp(const nn_program_args *args, float *low, float *high) {
    float at[3 * NN_PROGRAM_LENGTH + 2], y;
    int count = 0;
    at[count++] = -1e30f;
    at[count++] = 1e30f;
    if (!nn__integers_program(args, at[0], low) || !nn__integers_program(args, at[1], high))
        return false;
    for (int i = 0; i < args->program.count; i++) {
        const nn_instruction *one = &args->program.code[i];
        const bool scalar = one->code == NN_CODE_SCALAR;
        if (one->code != NN_CODE_CONSTANT && !scalar) continue;
        const float number = scalar ? args->scalars[one->a] : one->value;
        if (!(fabsf(number) < 1e20f)) continue;
        at[count++] = number;
        at[count++] = number + 1e-3f * (1.0f + fabsf(number));
        at[count++] = number - 1e-3f * (1.0f + fabsf(number));
    }
    for (int i = 0; i < count; i++) {
        const float wanted = at[i] < *low ? *low : at[i] > *high ? *high : at[i];
        if (!nn__integers_program(args, at[i], &y) || !(y == wanted)) return false;
    }
    return *low <= *high;
}

/* True if the shape has one number for each channel of an image. */
static bool nn__integers_is_factor(const nn_shape *x, const nn_shape *image) {
    return x->rank == 4 && image->rank == 4 && x->extent[0] == image->extent[0] &&
           x->extent[1] == image->extent[1] && x->extent[2] == 1 && x->extent[3] == 1;
}

/* Recognises a sum of two values, or their product. */
static void nn__integers_see_pair(nn__integers *q, nn__integers_node *of, int code) {
    const nn_node *a = q->all[of->x].node, *b = q->all[of->other].node;
    const bool same = nn_same_shape(a->shape, b->shape);
    if (a->dtype != NN_F32 || b->dtype != NN_F32) return;
    if (code == NN_CODE_ADD && same) of->way = NN__WAY_ADD;
    if (code != NN_CODE_MULTIPLY) return;
    if (same || nn__integers_is_factor(&b->shape, &a->shape)) {
        of->way = NN__WAY_MULTIPLY;
    } else if (nn__integers_is_factor(&a->shape, &b->shape)) {
        const int x = of->x;
        of->way = NN__WAY_MULTIPLY;
        of->x = of->other, of->other = x;
    }
}

static void nn__integers_see_program(nn__integers *q, nn__integers_node *of,
                                     const nn_program_args *args) {
    const nn_program *p = &args->program;
    if (args->item_count || args->accumulate || p->output_count != 1 ||
        args->outputs[0].dtype != NN_F32)
        return;
    of->x = nn__integers_view(q, &args->inputs[0]);
    /* nn_expand is such a program too, of another shape */
    if (p->input_count == 1 && of->x >= 0 &&
        nn_same_shape(of->node->shape, q->all[of->x].node->shape) &&
        nn__integers_is_clamp(args, &of->low, &of->high))
        of->way = NN__WAY_CLAMP;
    else if (p->input_count == 1 && of->x >= 0 && nn__is_program(of->node) &&
             ((const nn__program_params *)of->node->params)->stream == 0 &&
             q->all[of->x].node->dtype == NN_F32 &&
             nn_same_shape(of->node->shape, q->all[of->x].node->shape))
        of->way = NN__WAY_TABLE;
    if (p->input_count != 2 || p->count != 3) return;
    of->other = nn__integers_view(q, &args->inputs[1]);
    if (of->x >= 0 && of->other >= 0) nn__integers_see_pair(q, of, p->code[p->output[0]].code);
}

static void nn__integers_see(void *user, nn_kernel kernel, const void *args) {
    nn__integers_question *question = (nn__integers_question *)user;
    nn__integers *q = question->q;
    nn__integers_node *of = question->of;
    switch (kernel) {
    case NN_KERNEL_CONV2D_FORWARD:
        nn__integers_see_conv(q, of, (const nn_conv2d_args *)args, false);
        break;
    case NN_KERNEL_CONV2D_BACKWARD_INPUT:
        nn__integers_see_conv(q, of, (const nn_conv2d_args *)args, true);
        break;
    case NN_KERNEL_GEMM: nn__integers_see_product(q, of, (const nn_gemm_args *)args); break;
    case NN_KERNEL_NORM_FORWARD: nn__integers_see_norm(q, of, (const nn_norm_args *)args); break;
    case NN_KERNEL_POOL2D_FORWARD:
        nn__integers_see_pool(q, of, (const nn_pool2d_args *)args);
        break;
    case NN_KERNEL_POINTWISE: nn__integers_see_program(q, of, (const nn_program_args *)args); break;
    case NN_KERNEL_RECURRENT_FORWARD:
        nn__integers_see_recurrent(q, of, (const nn_recurrent_args *)args);
        break;
    case NN_KERNEL_ATTENTION_FORWARD:
        of->why = "attention multiplies values with values, and integers have products with "
                  "weights only";
        break;
    case NN_KERNEL_RESIZE_FORWARD:
        nn__integers_see_resize(q, of, (const nn_resize_args *)args);
        break;
    case NN_KERNEL_STRIDED_COPY: nn__integers_see_copy(q, of); break;
    case NN_KERNEL_SOFTMAX_FORWARD:
        nn__integers_see_softmax(q, of, (const nn_softmax_args *)args);
        break;
    default: break;
    }
}

static nn_result nn__integers_see_node(nn__integers *q, nn__integers_node *of) {
    nn__integers_question question;
    const nn_node_description d = nn_describe_node(of->node);
    if (d.kind != NN_NODE_OPERATION || d.effect) return NN_OK;
    for (int i = 0; i < d.input_count; i++) {
        nn__integers_node *input = &q->all[nn__integers_at_node(q, d.inputs[i])];
        input->readers++;
        input->reader = (int)(of - q->all);
    }
    if (q->net->prepared && nn__is_fake_quantize(of->node)) return nn__integers_see_rounding(q, of);
    if (d.alias) {
        if (d.input_count == 1 && d.kernel == NN_KERNEL_NONE &&
            !(of->node->rule->flags & NN__TRANSFER)) {
            of->way = NN__WAY_ALIAS;
            of->x = nn__integers_at_node(q, d.inputs[0]);
        }
        return NN_OK;
    }
    question.q = q;
    question.of = of;
    of->why = "this operation has no form in integers";
    return nn_node_call_at(q->site, of->node, 1, 1, nn__integers_see, &question);
}

/* ---- layers ---------------------------------------------------------------------------------- */

static bool nn__integers_skips(nn__integers *q, const nn__integers_node *of, bool *fitted) {
    bool skips = false;
    for (int i = 0; i < q->desc.skip.count; i++)
        if (nn__layer_fits(q->desc.skip.text[i], of->node->name)) skips = fitted[i] = true;
    return skips;
}

NN_PRIVATE bool nn__integers_is_single(const nn__integers *q, const nn__integers_node *of) {
    for (const nn_node *more = of->node->more; more; more = more->more) {
        const nn__integers_node *other = &q->all[nn__integers_at_node(q, more)];
        if (other->readers || other->output) return false;
    }
    return true;
}

/* Returns the only operation that reads a value; -1: there are others, or the value is an
   output. */
static int nn__integers_next(const nn__integers *q, int at) {
    const nn__integers_node *of = &q->all[at];
    if (!nn__integers_is_single(q, of)) return -1;
    return of->readers == 1 && !of->output ? of->reader : -1;
}

NN_PRIVATE void nn__integers_part(nn__integers *q, int layer, const char *why) {
    nn__integers_node *of = &q->all[layer];
    const int parts[] = {of->norm, of->clamp, of->value};
    for (int k = 0; k < 3; k++)
        if (parts[k] > layer)
            q->all[parts[k]].way = q->all[parts[k]].learned ? NN__WAY_FAKE : NN__WAY_REAL;
    of->way = NN__WAY_REAL;
    of->value = -1;
    of->why = why;
}

/* Joins the batch norm and the clamp after a layer. */
static void nn__integers_join(nn__integers *q, int layer) {
    nn__integers_node *of = &q->all[layer];
    int next = nn__integers_next(q, layer);
    of->low = -INFINITY, of->high = INFINITY;
    if (next >= 0 && q->all[next].way == NN__WAY_NORM && q->all[next].x == layer &&
        (of->way == NN__WAY_CONV || of->way == NN__WAY_LINEAR) &&
        (of->way == NN__WAY_CONV || of->node->shape.rank == 2)) {
        of->norm = of->value = next;
        q->all[next].way = NN__WAY_PART;
        next = nn__integers_next(q, next);
    }
    if (next >= 0 && of->way != NN__WAY_TABLE && of->way != NN__WAY_CONCAT &&
        of->way != NN__WAY_SOFTMAX && q->all[next].way == NN__WAY_CLAMP &&
        q->all[next].x == of->value) {
        of->value = of->clamp = next;
        of->low = q->all[next].low, of->high = q->all[next].high;
        q->all[next].way = NN__WAY_PART;
        next = nn__integers_next(q, next);
    }
    if (next >= 0 && q->all[next].way == NN__WAY_FAKE && q->all[next].x == of->value) {
        of->value = next;
        q->all[next].way = NN__WAY_PART;
    }
}

/* True for an operation of a model of nn_prepare_qat whose operands are rounded; for a layer, its
   weight, too. Other operations computed in f32 there, even if a later one rounds their result. */
static bool nn__integers_reads_rounded(const nn__integers *q, int at) {
    const nn__integers_node *of = &q->all[at];
    const bool layer = of->way == NN__WAY_CONV || of->way == NN__WAY_LINEAR;
    for (int i = 0; i < (layer ? 2 : of->node->input_count); i++) {
        int x = nn__integers_at_node(q, of->node->inputs[i]);
        while (!nn__is_fake_quantize(q->all[x].node)) {
            const nn__way way = q->all[x].way;
            if (way != NN__WAY_POOL && way != NN__WAY_RESIZE && way != NN__WAY_SLICE &&
                way != NN__WAY_ALIAS)
                return false;
            x = q->all[x].x;
        }
    }
    return true;
}

/* True for operations with buffers of their name. */
static bool nn__integers_is_named(nn__way way) {
    return nn__integers_joins(way) || way == NN__WAY_CLAMP || way == NN__WAY_POOL ||
           way == NN__WAY_RESIZE;
}

/* Layers that share their parameters have one name, and so have the parts of an operation that is
   made of others. Each would have buffers of its own. */
static void nn__integers_leave_shared(nn__integers *q) {
    for (int i = 0; i < q->count; i++) {
        nn__integers_node *of = &q->all[i];
        const bool layer = of->way == NN__WAY_CONV || of->way == NN__WAY_LINEAR;
        bool shared = false;
        if (!nn__integers_is_named(of->way)) continue;
        for (int k = i + 1; k < q->count; k++) {
            nn__integers_node *other = &q->all[k];
            if (!nn__integers_is_named(other->way) ||
                strcmp(of->node->name, other->node->name) != 0)
                continue;
            other->way = NN__WAY_REAL;
            other->why = layer ? "it shares its parameters with another layer"
                               : "it is a part of an operation that is made of others";
            of->why = other->why;
            shared = true;
        }
        if (shared) of->way = NN__WAY_REAL;
    }
}

NN_PRIVATE nn_result nn__integers_find(nn__integers *q) {
    nn_result result = NN_OK;
    bool *fitted = (bool *)nn__integers_take(q, sizeof(bool) * (size_t)(q->desc.skip.count + 1));
    if (!fitted) return NN_ERROR_MEMORY;
    for (int i = 0; i < q->desc.outputs.count; i++) {
        const int at = nn__integers_at_node(q, q->desc.outputs.node[i]);
        if (at < 0 || q->all[at].node != q->desc.outputs.node[i])
            return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                               "%s: outputs[%d] is no node of the model \"%s\"", q->call, i,
                               q->net->name);
        q->all[at].output = true;
    }
    for (int i = 0; i < q->count && result == NN_OK; i++)
        result = nn__integers_see_node(q, &q->all[i]);
    for (int i = 0; i < q->count && result == NN_OK; i++) {
        nn__integers_node *of = &q->all[i];
        if (of->node->keep ||
            (of->readers == 0 && of->node->kind == NN__OPERATION && !nn__has_effect(of->node)))
            of->output = true;
        if (nn__integers_joins(of->way) && nn__integers_skips(q, of, fitted)) {
            of->way = NN__WAY_REAL;
            of->why = ".skip names it";
        }
    }
    if (result == NN_OK) nn__integers_leave_shared(q);
    for (int i = 0; i < q->desc.skip.count && result == NN_OK; i++)
        if (!fitted[i])
            return nn__fail_at(q->nn, q->site, NN_ERROR_ARGUMENT,
                               "%s: skip \"%s\" fits no layer that could be quantised; give a "
                               "whole name, its end after a dot, or stars for "
                               "any text",
                               q->call, q->desc.skip.text[i]);
    for (int i = 0; i < q->count && result == NN_OK; i++) {
        if (q->all[i].way == NN__WAY_CLAMP) q->all[i].way = NN__WAY_TABLE; /* no part of a layer */
        if (!nn__integers_joins(q->all[i].way)) continue;
        q->all[i].value = i;
        q->all[i].norm = q->all[i].clamp = -1;
        if (q->all[i].way == NN__WAY_RECURRENT) {
            nn__integers_join_recurrent(q, i);
            continue;
        }
        if (q->all[i].way == NN__WAY_SOFTMAX) nn__integers_join_softmax(q, i);
        const bool real = q->net->prepared && !nn__integers_reads_rounded(q, i);
        if (!real) nn__integers_join(q, i);
        if (real || (q->net->prepared && !q->all[q->all[i].value].learned))
            nn__integers_part(q, i, "nn_prepare_qat left it in f32");
    }
    return result;
}

#undef NN__INTEGERS_DEPTH
#endif

typedef int nn__integers_find_part; /* a part must not be empty under NN__NO_TRAINER */
