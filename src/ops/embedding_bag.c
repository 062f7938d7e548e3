/* ops/embedding_bag.c - an embedding, then a sum, mean or maximum over the bag. Rows of padding
   are set to 0 first (-infinity for a maximum) and left out of the mean. */
#include "ops/embedding_bag.h"
#include "ops/index.h"
#include "ops/pool.h"
#include "ops/private.h"
#include "ops/table.h"

static bool nn__op_bag_infer(nn__inference *inference) {
    const nn_embedding_bag_desc *desc = (const nn_embedding_bag_desc *)inference->params;
    const nn_shape index = inference->inputs[0].shape;
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT];
    if (!nn__want_dtype(problem, "embedding_bag", "index", inference->inputs[0].dtype, NN_I32))
        return false;
    if (!desc)
        return nn__problem_set(
            problem, NN_ERROR_ARGUMENT,
            NN__TEXT("give an nn_embedding_bag_desc with .num_embeddings and .embedding_dim"),
            NN__TEXT("desc is NULL"));
    if (index.rank != 2)
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_reshape it; nn_embedding takes any shape"),
                               NN__TEXT("index has the shape %s; wanted (N, L): a bag in each row"),
                               nn__format_shape(index, text, sizeof text));
    if (desc->mode != NN_REDUCTION_DEFAULT && desc->mode != NN_MEAN && desc->mode != NN_SUM &&
        desc->mode != NN_MAX)
        return nn__refuse_number(problem, "mode", (int)desc->mode, "NN_MEAN, NN_SUM or NN_MAX");
    if (inference->input_count > 1 && desc->mode != NN_SUM)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT(".mode = NN_SUM"),
                               NN__TEXT("per_sample_weights are given, and mode is not NN_SUM"));
    if (inference->input_count > 1 &&
        (!nn__want_dtype(problem, "embedding_bag", "per_sample_weights",
                         inference->inputs[1].dtype, NN_F32) ||
         !nn__want_role_shape(problem, "per_sample_weights", index, inference->inputs[1].shape)))
        return false;
    if (!desc->padding || desc->num_embeddings <= 1 << 24) return true;
    return nn__refuse_number(problem, "num_embeddings", desc->num_embeddings,
                             "at most 16777216 with padding");
}
static const nn__rule nn__rule_bag = NN__COMPOSED_RULE("embedding_bag", nn__op_bag_infer);

/* Returns the expression `text` of a and b, in which p is the padding row. */
static nn_node *nn__op_bag_program(nn_site site, nn_model *net, const char *text, float row,
                                   nn_node *a, nn_node *b) {
    const float numbers[3] = {row, 0.0f, 0.0f};
    return nn__add_text(site, net, "embedding_bag", text, a, b, NULL, NULL, numbers);
}

/* Reduces (N, L, D) to (N, D), the maximum of each column. The first of equal numbers gets the
   gradient. */
static nn_node *nn__op_bag_largest(nn_site site, nn_model *net, nn_node *x) {
    if (!x || x->poisoned) return x;
    const nn_shape s = x->shape;
    nn_shape plane = s, row = s;
    plane.rank = 4;
    plane.extent[1] = 1;
    plane.extent[2] = s.extent[1];
    plane.extent[3] = s.extent[2];
    row.rank = 2;
    row.extent[1] = s.extent[2];
    row.extent[2] = 0;
    x = nn_adaptive_max_pool2d_at(site, net, nn_reshape_at(site, net, x, plane), 1, NN_NONE);
    return nn_reshape_at(site, net, x, row);
}

NN_API nn_node *nn_embedding_bag_at(nn_site site, nn_model *net, const char *name, nn_node *index,
                                    const nn_embedding_bag_desc *desc) {
    static const char *const roles[] = {"index", "per_sample_weights"};
    nn_embedding_desc table;
    nn_shape wide;
    nn_axes bag;
    nn_node *inputs[2];
    inputs[0] = index;
    inputs[1] = desc ? desc->per_sample_weights : NULL;
    nn_node *x = nn__build(site, net, &nn__rule_bag, NULL, NULL, inputs, roles, inputs[1] ? 2 : 1,
                           desc, 0);
    if (!x || x->poisoned) return x;
    memset(&bag, 0, sizeof bag);
    memset(&table, 0, sizeof table);
    bag.axis[bag.count++] = 1;
    table.num_embeddings = desc->num_embeddings;
    table.embedding_dim = desc->embedding_dim;
    table.padding = desc->padding;
    table.padding_idx = desc->padding_idx;
    table.shared = desc->shared;
    x = nn_embedding_at(site, net, name, index, &table);
    if (!x || x->poisoned) return x;
    if (inputs[1]) {
        wide = inputs[1]->shape;
        wide.extent[wide.rank++] = 1;
        x = nn_multiply_at(site, net, x, nn_reshape_at(site, net, inputs[1], wide));
    }
    if (!desc->padding)
        return desc->mode == NN_MAX
                   ? nn__op_bag_largest(site, net, x)
                   : nn_reduce_at(site, net, desc->mode == NN_SUM ? NN_SUM : NN_MEAN, x, bag,
                                  false);
    const int row = desc->padding_idx + (desc->padding_idx < 0 ? desc->num_embeddings : 0);
    index = nn_cast_at(site, net, index, NN_F32); /* exact: see num_embeddings */
    wide = index->shape;
    wide.extent[wide.rank++] = 1;
    const bool largest = desc->mode == NN_MAX;
    x = nn__op_bag_program(site, net, largest ? "x, i: i == p ? -inf : x" : "x, i: i == p ? 0 : x",
                           (float)row, x, nn_reshape_at(site, net, index, wide));
    x = largest ? nn__op_bag_largest(site, net, x)
                : nn_reduce_at(site, net, NN_SUM, x, bag, false);
    if (desc->mode == NN_SUM) return x;
    index = nn__op_bag_program(site, net, "i: i != p", (float)row, index, NULL);
    index = nn_reduce_at(site, net, NN_SUM, index, bag, true);
    return nn__op_bag_program(site, net,
                              largest ? "x, n: n == 0 ? 0 : x" : "x, n: x / max(n, 1)", -1.0f, x,
                              index);
}
