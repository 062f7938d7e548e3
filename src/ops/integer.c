/* ops/integer.c - the nodes of inference in 8-bit integers. They have no gradient. */
#include "ops/integer_private.h"
#include "ops/matmul_private.h"
#include "ops/private.h"

typedef struct nn__integer_params {
    nn_conv2d_params window;
    nn__integer_layer_kind kind;
} nn__integer_params;

/* Returns the view of a linear layer's operand as images of 1 x 1. */
static nn_view nn__integer_as_images(const nn_view *view) {
    nn_view matrix;
    nn__op_matrix(&matrix, view);
    matrix.shape.rank = 4;
    matrix.shape.extent[3] = matrix.shape.extent[1];
    matrix.shape.extent[1] = matrix.shape.extent[2] = 1;
    return matrix;
}

static void nn__integer_conv2d_lower(const nn_node *node, const nn__lowering *lowering,
                                     nn__args *all) {
    const nn__integer_params *params = (const nn__integer_params *)node->params;
    nn_integer_conv2d_args *args = &all->integer_conv2d;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->x = lowering->inputs[0];
    args->transposed = params->kind == NN__INTEGER_TRANSPOSED;
    if (params->kind == NN__INTEGER_LINEAR) {
        args->y = nn__integer_as_images(&args->y);
        args->x = nn__integer_as_images(&args->x);
    }
    args->weight = lowering->inputs[1];
    args->bias = lowering->inputs[2];
    args->factor = lowering->inputs[3];
    args->zero = lowering->inputs[4];
    args->scratch = lowering->scratch;
    args->params = params->window;
}
static NN__UNUSED double nn__integer_conv2d_flops(const nn_node *node,
                                                  const nn__lowering *lowering) {
    const nn_view *weight = &lowering->inputs[1];
    const int32_t *extent = weight->shape.extent;
    (void)node;
    const double each = weight->shape.rank == 3 ? (double)extent[0] * extent[1]
                                                : (double)nn__count(weight) / extent[0];
    return 2.0 * each * (double)nn__count(&lowering->output);
}

static void nn__integer_pool2d_lower(const nn_node *node, const nn__lowering *lowering,
                                     nn__args *all) {
    nn_integer_pool2d_args *args = &all->integer_pool2d;
    *args = *(const nn_integer_pool2d_args *)node->params;
    args->y = lowering->output;
    args->x = lowering->inputs[0];
    args->zero = lowering->inputs[1];
    args->scratch = lowering->scratch;
}

static void nn__integer_add_lower(const nn_node *node, const nn__lowering *lowering,
                                  nn__args *all) {
    nn_integer_add_args *args = &all->integer_add;
    (void)node;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->a = lowering->inputs[0];
    args->b = lowering->inputs[1];
    args->numbers = lowering->inputs[2];
}

static void nn__integer_table_lower(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *all) {
    nn_integer_table_args *args = &all->integer_table;
    (void)node;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->x = lowering->inputs[0];
    args->table = lowering->inputs[1];
}

static void nn__integer_resize2d_lower(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *all) {
    nn_integer_resize2d_args *args = &all->integer_resize2d;
    (void)node;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->x = lowering->inputs[0];
    args->rows = lowering->inputs[1];
    args->columns = lowering->inputs[2];
}

static void nn__integer_multiply_lower(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *all) {
    nn_integer_multiply_args *args = &all->integer_multiply;
    (void)node;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->a = lowering->inputs[0];
    args->b = lowering->inputs[1];
    args->numbers = lowering->inputs[2];
}

static void nn__integer_quantize_lower(const nn_node *node, const nn__lowering *lowering,
                                       nn__args *all) {
    nn_quantize_args *args = &all->quantize;
    memset(args, 0, sizeof *args);
    args->y = lowering->output;
    args->x = lowering->inputs[0];
    args->scale = lowering->inputs[1];
    args->channels_last = *(const bool *)node->params;
}

static const nn__rule nn__rule_integer_linear = {"integer_linear",
                                                 NN_KERNEL_INTEGER_CONV2D,
                                                 NN__LAYER | NN__ANY_DTYPE,
                                                 NN_ACTIVATION_NONE,
                                                 nn__integer_conv2d_lower,
                                                 NULL,
                                                 NN__FLOPS(nn__integer_conv2d_flops),
                                                 NULL,
                                                 NULL};
static const nn__rule nn__rule_integer_conv2d = {"integer_conv2d",
                                                 NN_KERNEL_INTEGER_CONV2D,
                                                 NN__LAYER | NN__ANY_DTYPE,
                                                 NN_ACTIVATION_NONE,
                                                 nn__integer_conv2d_lower,
                                                 NULL,
                                                 NN__FLOPS(nn__integer_conv2d_flops),
                                                 NULL,
                                                 NULL};
static const nn__rule nn__rule_integer_conv_transpose2d = {"integer_conv_transpose2d",
                                                           NN_KERNEL_INTEGER_CONV2D,
                                                           NN__LAYER | NN__ANY_DTYPE,
                                                           NN_ACTIVATION_NONE,
                                                           nn__integer_conv2d_lower,
                                                           NULL,
                                                           NN__FLOPS(nn__integer_conv2d_flops),
                                                           NULL,
                                                           NULL};
static const nn__rule nn__rule_integer_pool2d = {"integer_pool2d",
                                                 NN_KERNEL_INTEGER_POOL2D,
                                                 NN__ANY_DTYPE,
                                                 NN_ACTIVATION_NONE,
                                                 nn__integer_pool2d_lower,
                                                 NULL,
                                                 NULL,
                                                 NULL,
                                                 NULL};
static const nn__rule nn__rule_integer_add = {"integer_add",
                                              NN_KERNEL_INTEGER_ADD,
                                              NN__ANY_DTYPE,
                                              NN_ACTIVATION_NONE,
                                              nn__integer_add_lower,
                                              NULL,
                                              NULL,
                                              NULL,
                                              NULL};
static const nn__rule nn__rule_integer_table = {"integer_table",
                                                NN_KERNEL_INTEGER_TABLE,
                                                NN__ANY_DTYPE,
                                                NN_ACTIVATION_NONE,
                                                nn__integer_table_lower,
                                                NULL,
                                                NULL,
                                                NULL,
                                                NULL};
static const nn__rule nn__rule_integer_resize2d = {"integer_resize2d",
                                                   NN_KERNEL_INTEGER_RESIZE2D,
                                                   NN__ANY_DTYPE,
                                                   NN_ACTIVATION_NONE,
                                                   nn__integer_resize2d_lower,
                                                   NULL,
                                                   NULL,
                                                   NULL,
                                                   NULL};
static const nn__rule nn__rule_integer_multiply = {"integer_multiply",
                                                   NN_KERNEL_INTEGER_MULTIPLY,
                                                   NN__ANY_DTYPE,
                                                   NN_ACTIVATION_NONE,
                                                   nn__integer_multiply_lower,
                                                   NULL,
                                                   NULL,
                                                   NULL,
                                                   NULL};
static const nn__rule nn__rule_integer_quantize = {"quantize",
                                                   NN_KERNEL_QUANTIZE,
                                                   NN__ANY_DTYPE,
                                                   NN_ACTIVATION_NONE,
                                                   nn__integer_quantize_lower,
                                                   NULL,
                                                   NULL,
                                                   NULL,
                                                   NULL};
static const nn__rule nn__rule_integer_dequantize = {"dequantize",
                                                     NN_KERNEL_DEQUANTIZE,
                                                     NN__ANY_DTYPE,
                                                     NN_ACTIVATION_NONE,
                                                     nn__integer_quantize_lower,
                                                     NULL,
                                                     NULL,
                                                     NULL,
                                                     NULL};

/* ---- builders -------------------------------------------------------------------------------- */

static nn_node *nn__integer_part(nn_model *net, nn_site site, const char *name, const char *part,
                                 nn_dtype dtype, int rank, int32_t first, int32_t second) {
    char text[2 * NN_NAME_BYTES];
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    shape.rank = rank;
    shape.extent[0] = first;
    if (rank > 1) shape.extent[1] = second;
    nn__join_text(text, sizeof text, name, ".", part);
    nn__integer_check_files(net->nn);
    return nn_buffer_at(site, net, text, dtype, shape, 0.0);
}

NN_PRIVATE nn_node *nn__integer_scale_leaf(nn_model *net, nn_site site, const char *name) {
    return nn__integer_part(net, site, name, "scale", NN_F32, 1, 2, 0);
}

NN_PRIVATE nn_node *nn__integer_conv2d(nn_model *net, nn_site site, const char *name, nn_node *x,
                                       const nn_shape *weight, const nn_conv2d_params *params,
                                       nn__integer_layer_kind kind, const nn_shape *shape) {
    static const char *const roles[] = {"input", "weight", "bias", "factor", "zero"};
    const nn__rule *rule = kind == NN__INTEGER_LINEAR ? &nn__rule_integer_linear
                           : kind == NN__INTEGER_CONV ? &nn__rule_integer_conv2d
                                                      : &nn__rule_integer_conv_transpose2d;
    const int32_t channels = shape->extent[shape->rank - 1];
    char text[2 * NN_NAME_BYTES];
    nn__integer_params all;
    nn_node *inputs[5];
    memset(&all, 0, sizeof all);
    all.window = *params;
    all.kind = kind;
    nn__join_text(text, sizeof text, name, ".", "weight");
    inputs[0] = x;
    inputs[1] = nn_buffer_at(site, net, text, NN_I8, *weight, 0.0);
    inputs[2] = nn__integer_part(net, site, name, "bias", NN_I32, 1, channels, 0);
    inputs[3] = nn__integer_part(net, site, name, "factor", NN_I32, 2, 2, channels);
    inputs[4] = nn__integer_part(net, site, name, "zero", NN_I32, 1, NN_INTEGER_ZEROS, 0);
    for (int i = 0; i < 5; i++)
        if (inputs[i]->poisoned) return inputs[i];
    nn__install_integer(net->nn);
    return nn__new_node(&net->graph, site, rule, rule->name, name, inputs, roles, 5, NN_I8, shape,
                        &all, sizeof all);
}

NN_PRIVATE nn_node *nn__integer_pool2d(nn_model *net, nn_site site, const char *name, nn_node *x,
                                       const nn_integer_pool2d_args *numbers,
                                       const nn_shape *shape) {
    static const char *const roles[] = {"input", "zero"};
    nn_node *inputs[2];
    inputs[0] = x;
    inputs[1] = nn__integer_part(net, site, name, "zero", NN_I32, 1, NN_INTEGER_ZEROS, 0);
    if (x->poisoned || inputs[1]->poisoned) return nn__poison(net);
    nn__install_integer(net->nn);
    return nn__new_node(&net->graph, site, &nn__rule_integer_pool2d, "integer_pool2d", name, inputs,
                        roles, 2, NN_I8, shape, numbers, sizeof *numbers);
}

NN_PRIVATE nn_node *nn__integer_add(nn_model *net, nn_site site, const char *name, nn_node *a,
                                    nn_node *b) {
    static const char *const roles[] = {"a", "b", "numbers"};
    nn_node *inputs[3];
    inputs[0] = a;
    inputs[1] = b;
    inputs[2] = nn__integer_part(net, site, name, "numbers", NN_I32, 1, NN_INTEGER_ADDS, 0);
    if (a->poisoned || b->poisoned || inputs[2]->poisoned) return nn__poison(net);
    nn__install_integer(net->nn);
    return nn__new_node(&net->graph, site, &nn__rule_integer_add, "integer_add", name, inputs,
                        roles, 3, NN_I8, &a->shape, NULL, 0);
}

NN_PRIVATE nn_node *nn__integer_table(nn_model *net, nn_site site, const char *name, nn_node *x) {
    static const char *const roles[] = {"input", "table"};
    nn_node *inputs[2];
    inputs[0] = x;
    inputs[1] = nn__integer_part(net, site, name, "table", NN_I8, 1, 256, 0);
    if (x->poisoned || inputs[1]->poisoned) return nn__poison(net);
    nn__install_integer(net->nn);
    return nn__new_node(&net->graph, site, &nn__rule_integer_table, "integer_table", name, inputs,
                        roles, 2, NN_I8, &x->shape, NULL, 0);
}

NN_PRIVATE nn_node *nn__integer_resize2d(nn_model *net, nn_site site, const char *name, nn_node *x,
                                         const nn_shape *shape) {
    static const char *const roles[] = {"input", "rows", "columns"};
    nn_node *inputs[3];
    inputs[0] = x;
    inputs[1] = nn__integer_part(net, site, name, "rows", NN_I32, 2, 3, shape->extent[1]);
    inputs[2] = nn__integer_part(net, site, name, "columns", NN_I32, 2, 3, shape->extent[2]);
    if (x->poisoned || inputs[1]->poisoned || inputs[2]->poisoned) return nn__poison(net);
    nn__install_integer(net->nn);
    return nn__new_node(&net->graph, site, &nn__rule_integer_resize2d, "integer_resize2d", name,
                        inputs, roles, 3, NN_I8, shape, NULL, 0);
}

NN_PRIVATE nn_node *nn__integer_multiply(nn_model *net, nn_site site, const char *name, nn_node *a,
                                         nn_node *b) {
    static const char *const roles[] = {"a", "b", "numbers"};
    nn_node *inputs[3];
    inputs[0] = a;
    inputs[1] = b;
    inputs[2] = nn__integer_part(net, site, name, "numbers", NN_I32, 1, NN_INTEGER_MULTIPLIES, 0);
    if (a->poisoned || b->poisoned || inputs[2]->poisoned) return nn__poison(net);
    nn__install_integer(net->nn);
    return nn__new_node(&net->graph, site, &nn__rule_integer_multiply, "integer_multiply", name,
                        inputs, roles, 3, NN_I8, &a->shape, NULL, 0);
}

static nn_node *nn__integer_convert(nn_model *net, nn_site site, const nn__rule *rule,
                                    const char *name, nn_node *x, nn_node *scale,
                                    bool channels_last, const nn_shape *shape, nn_dtype dtype) {
    static const char *const roles[] = {"input", "scale"};
    nn_node *inputs[2];
    char text[2 * NN_NAME_BYTES];
    inputs[0] = x;
    inputs[1] = scale;
    if (x->poisoned || scale->poisoned) return nn__poison(net);
    nn__install_integer(net->nn);
    nn__join_text(text, sizeof text, name, ".", rule->name);
    return nn__new_node(&net->graph, site, rule, rule->name, text, inputs, roles, 2, dtype, shape,
                        &channels_last, sizeof channels_last);
}

NN_PRIVATE nn_node *nn__integer_quantize(nn_model *net, nn_site site, const char *name, nn_node *x,
                                         nn_node *scale, bool channels_last,
                                         const nn_shape *shape) {
    return nn__integer_convert(net, site, &nn__rule_integer_quantize, name, x, scale, channels_last,
                               shape, NN_I8);
}
NN_PRIVATE nn_node *nn__integer_dequantize(nn_model *net, nn_site site, const char *name,
                                           nn_node *x, nn_node *scale, bool channels_last,
                                           const nn_shape *shape) {
    return nn__integer_convert(net, site, &nn__rule_integer_dequantize, name, x, scale,
                               channels_last, shape, NN_F32);
}
