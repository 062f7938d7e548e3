/* ops/custom.h - an operation of your own, with a gradient of your own. */
#pragma once

#include "graph/model.h"
#include "kernels/custom/args.h"

/* A function computes args->output from args->input[0 .. input_count). It runs on the calling
   thread, whole. On the CPU the views are pointers: (float *)((char *)view.handle + view.offset).
   Returns NN_OK or an error, which stops the run. */
typedef nn_result (*nn_custom_function)(void *user, const nn_custom_args *args);

typedef struct nn_custom_desc {
    nn_node *input[4];              /* the operands; the first NULL ends the list */
    nn_shape shape;                 /* shape of the result; may contain NN_BATCH */
    nn_dtype dtype;                 /* default: NN_F32 */
    nn_custom_function function;    /* computes y from the inputs; must be given */
    /* default: none, no gradient flows to that input. gradient[i] computes d input[i] from dy, y,
       input[0], input[1] ... in this order */
    nn_custom_function gradient[4];
    void *user;                     /* passed to the functions */
    /* for devices that compile source text; entry is the name of the function in it, whose
       arguments are in kernels/custom/opencl.c: output, inputs, count */
    const char *source;
    const char *entry;
    /* default: none. The names of functions in `source` for gradient[0 .. 3], on devices that
       compile; their inputs are dy, y, input[0] ... */
    const char *gradient_entry[4];
} nn_custom_desc;

NN_API nn_node *nn_custom_at(nn_site site, nn_model *net, const char *name,
                             const nn_custom_desc *desc);
#define nn_custom(...) nn_custom_at(NN_HERE, __VA_ARGS__)
