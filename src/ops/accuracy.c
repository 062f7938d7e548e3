/* ops/accuracy.c - the fraction of samples whose label is among the k largest logits. It is not
   a loss, but takes the operands of one. */
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

/* params: k, an int32_t */
static bool nn__op_accuracy_infer(nn__inference *inference) {
    const nn__type *logits = inference->inputs;
    const int32_t top = *(const int32_t *)inference->params;
    nn__op_loss_infer(inference);
    if (!nn__want_labels(inference->problem, inference->operation, logits[0], logits[1]))
        return false;
    if (top >= 1 && top <= logits->shape.extent[1]) return true;
    return nn__problem_set(inference->problem, NN_ERROR_ARGUMENT,
                           NN__TEXT("give a k from 1 to the number of classes"),
                           NN__TEXT("k is %d, but there are %d classes"), (int)top,
                           (int)logits->shape.extent[1]);
}

#define NN__ACCURACY_RULE(name)                                                                    \
    {name, NN_KERNEL_ACCURACY,    0,   NN_ACTIVATION_NONE, nn__op_accuracy_lower, NULL,            \
     NULL, nn__op_accuracy_infer, NULL}
static const nn__rule nn__rule_accuracy = NN__ACCURACY_RULE("accuracy");
static const nn__rule nn__rule_top_k_accuracy = NN__ACCURACY_RULE("top_k_accuracy");
#undef NN__ACCURACY_RULE

static nn_node *nn__op_accuracy_add(nn_site site, nn_model *net, const nn__rule *rule,
                                    nn_node *logits, nn_node *label, int32_t top) {
    static const char *const roles[] = {"logits", "label"};
    nn_node *inputs[2];
    inputs[0] = logits;
    inputs[1] = label;
    return nn__build(site, net, rule, nn__install_accuracy, NULL, inputs, roles, 2, &top,
                     sizeof top);
}

NN_API nn_node *nn_accuracy_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label) {
    return nn__op_accuracy_add(site, net, &nn__rule_accuracy, logits, label, 1);
}

NN_API nn_node *nn_top_k_accuracy_at(nn_site site, nn_model *net, nn_node *logits, nn_node *label,
                                     int k) {
    return nn__op_accuracy_add(site, net, &nn__rule_top_k_accuracy, logits, label, k);
}
