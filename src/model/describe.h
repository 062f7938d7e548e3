/* model/describe.h - a model as a table: layers, shapes, parameters, multiply-adds. */
#pragma once

#include "graph/model.h"

typedef struct nn_describe_desc {
    int batch; /* default: symbolic in shapes, and multiply-adds are those of a batch of 1 */
    int time;  /* the same for NN_TIME */
    /* default: every operation has a row. 1: operations whose names begin with the same word before
       a dot ("encoder.") share a row; 2: with the same two words; and so on */
    int depth;
} nn_describe_desc;

/* Writes a table of the model, as torchinfo does: for every operation its name, its kind, the shape
   of its result, the number of its parameters and its multiply-adds; then the number of parameters,
   trained and frozen, their bytes, and the multiply-adds of a forward pass. A shared parameter
   counts in its first row. Multiply-adds are those of products, convolutions, recurrent layers and
   attention. A plan knows more, such as its memory and devices: nn_write_plan. Nothing is allocated
   or run. A model with faults is described as far as it goes. desc may be NULL. A negative field is
   NN_ERROR_ARGUMENT. Writes nothing under NN_NO_REPORTS. */
NN_API nn_result nn_describe_at(nn_site site, nn_model *net, const nn_describe_desc *desc,
                                nn_writer writer);
#define nn_describe(...) nn_describe_at(NN_HERE, __VA_ARGS__)
