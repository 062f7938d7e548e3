/* ops/accuracy.c - the share of samples whose label is the largest logit, or among the k largest.
   It is no loss, but takes the same operands. */
#include "ops/loss_private.h"

static void nn__op_accuracy_lower(const nn_node *node, const nn__lowering *lowering,
                                  nn__args *args) {
    memset(&args->accuracy, 0, sizeof args->accuracy);
    args->accuracy.y = lowering->output;
    args->accuracy.logits = lowering->inputs[0];
    args->accuracy.label = lowering->inputs[1];
    args->accuracy.scratch = lowering->scratch;
    args->accuracy.top = *(const int32_t *)node->params;
}

static const nn__rule nn__rule_accuracy = {
    "accuracy", NN_KERNEL_ACCURACY, 0, NN_ACTIVATION_NONE, nn__op_accuracy_lower, NULL, NULL, NULL,
    NULL};
static const nn__rule nn__rule_top_k_accuracy = {"top_k_accuracy",
                                                 NN_KERNEL_ACCURACY,
                                                 0,
                                                 NN_ACTIVATION_NONE,
                                                 nn__op_accuracy_lower,
                                                 NULL,
                                                 NULL,
                                                 NULL,
                                                 NULL};

static nn_node *nn__op_accuracy_add(nn_site site, nn_model *net, const nn__rule *rule,
                                    nn_node *logits, nn_node *label, int32_t top) {
    static const char *const roles[] = {"logits", "label"};
    nn__problem problem;
    nn_node *inputs[2];
    inputs[0] = logits;
    inputs[1] = label;
    if (!nn__check_inputs(net, site, rule->name, NULL, inputs, roles, 2)) return nn__poison(net);
    memset(&problem, 0, sizeof problem);
    if (nn__want_labels(&problem, rule->name, logits->shape, logits->dtype, label->shape,
                        label->dtype) &&
        (top < 1 || top > logits->shape.extent[1]))
        nn__problem_set(&problem, NN_ERROR_ARGUMENT, NN__TEXT("give 1 to the number of classes"),
                        NN__TEXT("k is %d of %d classes"), (int)top, (int)logits->shape.extent[1]);
    if (problem.code != NN_OK)
        return nn__poison_problem(net, site, rule->name, NULL, inputs, roles, 2, &problem);
    nn__install_metric(net->nn);
    return nn__add_node(&net->graph, site, rule, rule->name, NULL, inputs, roles, 2, NN_F32,
                        nn__op_loss_number(), &top, sizeof top);
}

NN_API nn_node *nn_accuracy_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label) {
    return nn__op_accuracy_add(site, net, &nn__rule_accuracy, logits, label, 1);
}

NN_API nn_node *nn_top_k_accuracy_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label,
                                     int k) {
    return nn__op_accuracy_add(site, net, &nn__rule_top_k_accuracy, logits, label, k);
}
