/* ops/custom.h - an operation of your own, with a gradient of your own. */
#pragma once

#include "graph/model.h"
#include "kernels/custom/args.h"

/* A function computes args->output from args->input[0 .. input_count). It runs on the calling
   thread and computes the whole output. On the CPU the views are pointers: (float *)((char
   *)view.handle + view.offset). Returns NN_OK or an error, which stops the run. */
typedef nn_result (*nn_custom_function)(void *user, const nn_custom_args *args);

/* NN_CUSTOM_FUNCTIONS(of_x, NULL, of_z) */
typedef struct nn_custom_functions {
    const nn_custom_function *function;
    int count;
    NN__LIST_CALLS(nn_custom_functions, nn_custom_function, function)
} nn_custom_functions;
#define NN_CUSTOM_FUNCTIONS(...) NN__LIST(nn_custom_functions, nn_custom_function, __VA_ARGS__)

typedef struct nn_custom_desc {
    /* the operands, NN_NODES(x, z): 1 to 6, because a function sees 8 views, of which a gradient's
       first two are dy and y */
    nn_nodes inputs;
    nn_shape shape;              /* shape of the result; may contain NN_BATCH */
    nn_dtype dtype;              /* default: NN_F32 */
    nn_custom_function function; /* computes y from the inputs; must be given */
    /* default: none. Function i computes the gradient of input i from dy, y, input 0, input 1 ...,
       in this order. No gradient flows to an input whose function is NULL or after the end of the
       list */
    nn_custom_functions gradients;
    void *user; /* passed to the functions */
    /* for devices that compile source text; entry is the name of the function in it, whose
       arguments are in kernels/custom/opencl.c: output, inputs, count */
    const char *source;
    const char *entry;
    /* default: none. The names of functions in `source` for the gradient of each input, on devices
       that compile; NULL: none. Their inputs are dy, y, input 0 ... */
    nn_texts gradient_entries;
} nn_custom_desc;

NN_API nn_node *nn_custom_at(nn_site site, nn_model *net, const char *name,
                             const nn_custom_desc *desc);
#define nn_custom(...) nn_custom_at(NN_HERE, __VA_ARGS__)
