/* ops/prelu.c - applies a line of the table to x and a parameter. */
#include "ops/prelu.h"
#include "ops/loss_private.h"
#include "ops/private.h"
#include "ops/program.h"
#include "ops/reshape.h"

static bool nn__op_prelu_infer(nn__inference *inference) {
    const nn_prelu_desc *desc = (const nn_prelu_desc *)inference->params;
    const nn_shape x = inference->inputs[0].shape;
    nn__problem *problem = inference->problem;
    char text[NN__SHAPE_TEXT], name[NN__SOURCE_TEXT];
    const char *source = nn__first_input(inference, name, sizeof name);
    const int count = desc && desc->num_parameters ? desc->num_parameters : 1;
    if (!nn__want_dtype(problem, inference->operation, "input", inference->inputs[0].dtype, NN_F32))
        return false;
    if (count < 1)
        return nn__refuse_number(problem, "num_parameters", count, "1, or the channels of x");
    if (count > 1 && (x.rank < 2 || x.extent[1] != count))
        return nn__problem_set(problem, NN_ERROR_SHAPE,
                               NN__TEXT("as many slopes as the second extent of x, or one"),
                               NN__TEXT("%s %s has no %d channels"), source,
                               nn__format_shape(x, text, sizeof text), count);
    inference->outputs[0].dtype = NN_F32;
    inference->outputs[0].shape = x;
    return true;
}
static const nn__rule nn__rule_prelu = NN__COMPOSED_LAYER("prelu", nn__op_prelu_infer);

NN_API nn_node *nn_prelu_at(nn_site site, nn_model *net, const char *name, nn_node *x,
                            const nn_prelu_desc *desc) {
    static const char *const roles[] = {"input", "weight"};
    const float init = desc ? desc->init : 0.0f;
    nn_node *inputs[2];
    nn_shape shape, beside;
    x = nn__build(site, net, &nn__rule_prelu, NULL, name, &x, roles, 1, desc,
                  desc ? sizeof *desc : 0);
    if (!x || x->poisoned) return x;
    memset(&shape, 0, sizeof shape);
    shape.rank = 1;
    shape.extent[0] = desc && desc->num_parameters ? desc->num_parameters : 1;
    inputs[0] = x;
    inputs[1] = nn__add_parameter(net, site, name, "weight", &shape, 0.0f, desc && desc->shared);
    if (inputs[1]->poisoned) return inputs[1];
#ifndef NN_NO_SPEEDUPS
    nn__add_fusion(net->nn, NN__FUSION_PRELU, nn__op_prelu_fusion());
#endif
    inputs[1]->start.low = inputs[1]->start.high = nn__or_default(init, 0.25f);
    /* (C, 1 ...) broadcasts to x's channels, () to a scalar */
    if (x->shape.rank == 0 || (shape.extent[0] > 1 && x->shape.rank > 2)) {
        beside = shape;
        beside.rank = x->shape.rank ? x->shape.rank - 1 : 0;
        for (int i = 1; i < beside.rank; i++) beside.extent[i] = 1;
        inputs[1] = nn_reshape_at(site, net, inputs[1], beside);
    }
    return nn__add_line(&net->graph, site, NULL, nn__rule_prelu.name, nn__table_prelu(), inputs,
                        roles, x->shape, NULL);
}
