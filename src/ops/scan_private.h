/* ops/scan_private.h - what running sums share with running products and extremes. */
#pragma once

#include "ops/private.h"

typedef struct nn__op_scan_params {
    int32_t axis; /* as given; negative values count from the end */
    bool reverse;
    nn_scan kind;
} nn__op_scan_params;

NN_PRIVATE bool nn__op_scan_infer(nn__inference *inference);
NN_PRIVATE void nn__op_scan_lower(const nn_node *node, const nn__lowering *lowering,
                                  nn__args *args);
NN_PRIVATE nn__op_scan_params nn__op_scan_params_of(int axis, bool reverse, nn_scan kind);
NN_PRIVATE nn_node *nn__op_scan_build(nn_site site, nn_model *net, const nn__rule *rule, nn_node *x,
                                      int axis, nn_scan kind);
