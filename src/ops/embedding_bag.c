/* ops/embedding_bag.c - an embedding, and a sum or mean over the bag; rows of padding are replaced
   by zeros before, and the mean is of the others. */
#include "ops/embedding_bag.h"
#include "ops/expression.h"
#include "ops/index.h"
#include "ops/private.h"

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
            NN__TEXT("give a nn_embedding_bag_desc with .num_embeddings and .embedding_dim"),
            NN__TEXT("desc is NULL"));
    if (index.rank != 2)
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("nn_reshape it; nn_embedding takes any shape"),
                               NN__TEXT("index has the shape %s; wanted (N, L): a bag in each row"),
                               nn__format_shape(index, text, sizeof text));
    if (desc->mode != NN_MEAN && desc->mode != NN_SUM)
        return nn__refuse_number(problem, "mode", (int)desc->mode, "NN_MEAN or NN_SUM");
    if (!desc->padding || desc->num_embeddings <= 1 << 24) return true;
    return nn__refuse_number(problem, "num_embeddings", desc->num_embeddings,
                             "at most 16777216 with padding");
}
static const nn__rule nn__rule_bag = NN__COMPOSED_RULE("embedding_bag", nn__op_bag_infer);

/* What `text` makes of the inputs and the padding row, p. */
static nn_node *nn__op_bag_program(nn_site site, nn_model *net, const char *text, float row,
                                   nn_node *a, nn_node *b) {
    nn_expression_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.name = "embedding_bag";
    desc.text = text;
    desc.inputs[0] = a;
    desc.inputs[1] = b;
    desc.number_names[0] = row >= 0.0f ? "p" : NULL;
    desc.numbers[0] = row;
    return nn_make_expression_at(site, net, &desc);
}

NN_API nn_node *nn_embedding_bag_at(nn_site site, nn_model *net, const char *name, nn_node *index,
                                    const nn_embedding_bag_desc *desc) {
    static const char *const roles[] = {"index"};
    nn_embedding_desc table;
    nn_shape wide;
    nn_axes bag;
    nn_node *x = nn__build(site, net, &nn__rule_bag, NULL, NULL, &index, roles, 1, desc, 0);
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
    if (!desc->padding) return nn_reduce_at(site, net, desc->mode, x, bag, false);
    const int row = desc->padding_idx + (desc->padding_idx < 0 ? desc->num_embeddings : 0);
    index = nn_cast_at(site, net, index, NN_F32); /* exact: see num_embeddings */
    wide = index->shape;
    wide.extent[wide.rank++] = 1;
    x = nn__op_bag_program(site, net, "x, i: i == p ? 0 : x", (float)row, x,
                           nn_reshape_at(site, net, index, wide));
    x = nn_reduce_at(site, net, NN_SUM, x, bag, false);
    if (desc->mode == NN_SUM) return x;
    index = nn__op_bag_program(site, net, "i: i != p", (float)row, index, NULL);
    index = nn_reduce_at(site, net, NN_SUM, index, bag, true);
    return nn__op_bag_program(site, net, "x, n: x / max(n, 1)", -1.0f, x, index);
}
