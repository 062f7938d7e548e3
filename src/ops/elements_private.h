/* ops/elements_private.h - what the parts of gather, scatter and one_hot share. */
#pragma once

#include "ops/elements.h"
#include "ops/index_private.h"

typedef struct nn__op_elements_params {
    int32_t axis;    /* as given; negative values count from the end */
    int32_t classes; /* one_hot */
    float value;     /* scatter_value */
    nn_reduction reduction; /* scatter_reduce */
} nn__op_elements_params;

NN_PRIVATE bool nn__op_gather_infer(nn__inference *inference);
NN_PRIVATE bool nn__op_scatter_infer(nn__inference *inference);
NN_PRIVATE bool nn__op_scatter_reduce_infer(nn__inference *inference);
NN_PRIVATE bool nn__op_one_hot_infer(nn__inference *inference);
