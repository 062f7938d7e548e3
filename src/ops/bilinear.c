/* ops/bilinear.c - a linear layer over all products of an element of x1 and an element of x2. */
#include "ops/bilinear.h"
#include "ops/private.h"
#include "ops/reshape.h"
#include "ops/table.h"

static bool nn__op_bilinear_numbers(nn__inference *inference, const nn_bilinear_desc *desc) {
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT];
    if (!desc || desc->out_features < 1)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("set .out_features"),
                               NN__TEXT("out_features is %d; it must be at least 1"),
                               desc ? desc->out_features : 0);
    for (int i = 0; i < 2; i++) {
        const nn_shape x = inference->inputs[i].shape;
        const int said = i ? desc->in2_features : desc->in1_features,
                  last = x.rank ? x.extent[x.rank - 1] : 0;
        nn__format_shape(x, text, sizeof text);
        if (x.rank < 1 || x.rank == NN_MAX_RANK || nn__is_symbolic(last))
            return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("nn_reshape it to this shape"),
                                   NN__TEXT("%s is %s; wanted (..., features), a known number of "
                                            "them, and at most %d axes"),
                                   inference->roles[i], text, NN_MAX_RANK - 1);
        if (said != 0 && said != last)
            return nn__problem_set(problem, NN_ERROR_SHAPE, NN__TEXT("leave it out"),
                                   NN__TEXT("in%d_features is %d, but %s %s has %d"), i + 1, said,
                                   inference->roles[i], text, last);
    }
    return true;
}

static bool nn__op_bilinear_infer(nn__inference *inference) {
    const nn_bilinear_desc *desc = (const nn_bilinear_desc *)inference->params;
    nn_shape wanted = inference->inputs[0].shape;
    int32_t products;
    for (int i = 0; i < 2; i++)
        if (!nn__want_dtype(inference->problem, inference->operation, inference->roles[i],
                            inference->inputs[i].dtype, NN_F32))
            return false;
    if (!nn__op_bilinear_numbers(inference, desc)) return false;
    const nn_shape x2 = inference->inputs[1].shape;
    const int last = wanted.rank - 1;
    const int32_t in1 = wanted.extent[last], in2 = x2.extent[x2.rank - 1];
    wanted.extent[last] = in2;
    if (!nn__want_role_shape(inference->problem, inference->roles[1], wanted, x2)) return false;
    inference->outputs[0].dtype = NN_F32;
    inference->outputs[0].shape = wanted;
    inference->outputs[0].shape.extent[last] = desc->out_features;
    if (nn__extent_multiply(in1, in2, &products) &&
        (int64_t)products * desc->out_features <= INT32_MAX)
        return true;
    return nn__problem_set(inference->problem, NN_ERROR_SHAPE, NN__TEXT("fewer features"),
                           NN__TEXT("%d x %d x %d weights are 2^31 or more"), desc->out_features,
                           (int)in1, (int)in2);
}
static const nn__rule nn__rule_bilinear = NN__COMPOSED_LAYER("bilinear", nn__op_bilinear_infer);

NN_API nn_node *nn_bilinear_at(nn_site site, nn_model *net, const char *name, nn_node *x1,
                               nn_node *x2, const nn_bilinear_desc *desc) {
    static const char *const roles[] = {"x1", "x2"};
    const nn__rule *rule = &nn__rule_bilinear;
    nn_node *inputs[2] = {x1, x2}, *y, *bias = NULL;
    nn_shape weight, flat, columns, products;
    y = nn__build(site, net, rule, NULL, name, inputs, roles, 2, desc, 0);
    if (!y || y->poisoned) return y;
    const int last = x1->shape.rank - 1;
    const int32_t in1 = x1->shape.extent[last], in2 = x2->shape.extent[last];
    const float bound = nn__fan_bound(in1);
    memset(&weight, 0, sizeof weight);
    weight.rank = 3;
    weight.extent[0] = desc->out_features;
    weight.extent[1] = in1;
    weight.extent[2] = in2;
    y = nn__add_parameter(net, site, name, "weight", &weight, bound, desc->shared);
    memset(&flat, 0, sizeof flat);
    flat.rank = 1;
    flat.extent[0] = desc->out_features;
    if (!desc->no_bias)
        bias = nn__add_parameter(net, site, name, "bias", &flat, bound, desc->shared);
    if (bias && bias->poisoned) return bias;
    flat.rank = 2;
    flat.extent[1] = in1 * in2;
    y = nn_reshape_at(site, net, y, flat);
    columns = x2->shape; /* x1 (..., in1, 1) times x2 (..., 1, in2) */
    columns.extent[last] = 1;
    columns.extent[columns.rank++] = in2;
    products = x1->shape;
    products.extent[last] = in1 * in2;
    x1 = nn_unsqueeze_at(site, net, x1, -1);
    x1 = nn_multiply_at(site, net, x1, nn_reshape_at(site, net, x2, columns));
    x1 = nn_reshape_at(site, net, x1, products);
    if (!x1 || x1->poisoned || !y || y->poisoned) return nn__poison(net);
    return nn__add_linear(&net->graph, site, rule->name, name, x1, y, bias);
}
