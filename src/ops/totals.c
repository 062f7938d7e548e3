/* ops/totals.c - adds the nodes of reports, which only trainers have: the confusion matrix of all
   batches, and the totals of losses and metrics. */
#include "ops/private.h"

#ifndef NN_NO_TRAINING

/* ---- confusion ------------------------------------------------------------------------------- */

static void nn__op_confusion_lower(const nn_node *node, const nn__lowering *lowering,
                                   nn__args *args) {
    (void)node;
    memset(&args->confusion, 0, sizeof args->confusion);
    args->confusion.counts = lowering->inputs[0];
    args->confusion.logits = lowering->inputs[1];
    args->confusion.label = lowering->inputs[2];
    args->confusion.scratch = lowering->scratch;
    args->confusion.status = lowering->status;
}

static bool nn__op_first_written(const nn_node *node, int input) {
    (void)node;
    return input == 0;
}

static const nn__rule nn__rule_confusion = {"confusion",
                                            NN_KERNEL_CONFUSION,
                                            NN__EFFECT | NN__STATUS,
                                            NN_ACTIVATION_NONE,
                                            nn__op_confusion_lower,
                                            NULL,
                                            NULL,
                                            NULL,
                                            nn__op_first_written};

NN_PRIVATE nn_node *nn__add_confusion(nn__tape *tape, nn_site site, nn_node *counts,
                                      nn_node *logits, nn_node *label) {
    nn_node *inputs[3], *node;
    inputs[0] = counts;
    inputs[1] = logits;
    inputs[2] = label;
    nn__install_confusion(tape->nn);
    node = nn__add_node(tape->graph, site, &nn__rule_confusion, "confusion", NULL, inputs, NULL, 3,
                        NN_F32, nn__op_number(), NULL, 0);
    if (node->poisoned) {
        tape->failed = true;
        return node;
    }
    nn__place_like(node, logits);
    return node;
}

/* ---- accumulate ------------------------------------------------------------------------------ */

typedef struct nn__op_accumulate_params {
    bool has_total, check;
    int32_t sums;
} nn__op_accumulate_params;

static void nn__op_accumulate_lower(const nn_node *node, const nn__lowering *lowering,
                                    nn__args *args) {
    const nn__op_accumulate_params *p = (const nn__op_accumulate_params *)node->params;
    if (lowering->renewed) { /* the batch has not changed */
        args->accumulate.step = (uint32_t)lowering->values->step;
        *lowering->renewed = true;
        return;
    }
    memset(&args->accumulate, 0, sizeof args->accumulate);
    if (p->has_total) args->accumulate.total = lowering->inputs[0];
    args->accumulate.value = lowering->inputs[p->has_total ? 1 : 0];
    args->accumulate.weight = (float)lowering->values->batch * (float)lowering->values->time;
    args->accumulate.check = p->check;
    args->accumulate.sums = p->sums;
    args->accumulate.status = lowering->status;
    args->accumulate.step = (uint32_t)lowering->values->step;
}

static bool nn__op_accumulate_writes(const nn_node *node, int input) {
    return input == 0 && ((const nn__op_accumulate_params *)node->params)->has_total;
}

static const nn__rule nn__rule_accumulate = {"accumulate",
                                             NN_KERNEL_ACCUMULATE,
                                             NN__DYNAMIC | NN__RENEWS | NN__EFFECT | NN__STATUS,
                                             NN_ACTIVATION_NONE,
                                             nn__op_accumulate_lower,
                                             NULL,
                                             NULL, NULL, nn__op_accumulate_writes};

#ifndef NN_NO_SPEEDUPS
NN_PRIVATE bool nn__op_is_total(const nn_node *node, bool *has_total, bool *check) {
    const nn__op_accumulate_params *p = (const nn__op_accumulate_params *)node->params;
    if (node->rule != &nn__rule_accumulate || p->sums > 0) return false;
    *has_total = p->has_total;
    *check = p->check;
    return true;
}
#endif

NN_PRIVATE nn_node *nn__add_accumulate(nn__tape *tape, nn_site site, nn_node *total, nn_node *value,
                                       bool check) {
    nn__op_accumulate_params p;
    nn_node *inputs[2], *node;
    int count = 0;
    if (value->poisoned) return value;
    memset(&p, 0, sizeof p);
    p.has_total = total != NULL;
    p.check = check;
    if (nn__metric_of(value)) p.sums = (int32_t)nn_shape_count(value->shape);
    if (total) inputs[count++] = total;
    inputs[count++] = value;
    nn__install_accumulate(tape->nn);
    node = nn__add_node(tape->graph, site, &nn__rule_accumulate, "accumulate", NULL, inputs, NULL,
                        count, NN_F32, nn__op_number(), &p, sizeof p);
    if (node->poisoned) {
        tape->failed = true;
    } else {
        nn__place_like(node, value);
    }
    return node;
}

#endif /* NN_NO_TRAINING */

typedef int nn__ops_totals_part; /* a part must not be empty under NN_NO_TRAINING */
