/* ops/quantize_private.h - what nn_linear and nn_embedding call if a model has weights of 8 or 4
   bits. Only programs that use them link the functions (ops/quantize.c, ops/quantize_four.c). */
#pragma once

#include "graph/private.h"
#include "ops/index.h"
#include "ops/linear.h"
#include "ops/quantize.h"

#ifndef NN_NO_MIXED_PRECISION
struct nn__quantizer {
    /* True if the layer of this name has a weight of 8 or 4 bits. */
    bool (*takes)(nn_model *net, const char *layer);
    /* The layers. Descs and inputs are already checked. */
    nn_node *(*linear)(nn_site site, nn_model *net, const char *name, nn_node *x,
                       const nn_linear_desc *desc, bool transposed);
    nn_node *(*embedding)(nn_site site, nn_model *net, const char *name, nn_node *index,
                          const nn_embedding_desc *desc, nn_shape shape);
    /* reports targets that match no layer */
    void (*check)(const nn_model *net, nn__faults *faults);
    bool (*copy)(const nn_model *from, nn_model *to);       /* false: no memory */
};
static inline NN__UNUSED bool nn__quantizes(nn_model *net, const char *layer) {
    return net && layer && net->quantizer && net->quantizer->takes(net, layer);
}

/* ---- ops/quantize.c and ops/quantize_four.c -------------------------------------------------- */

/* Returns the weight that a shared layer finds, or NULL if there is none. Poisoned: it is stored
   in another form, and a fault says so. */
NN_PRIVATE nn_node *nn__quantized_shared(nn_model *net, nn_site site, const char *layer, int bits,
                                         bool turned);
/* Describe the layers of nn__quantizer with weights of 4 bits. */
NN_PRIVATE nn_node *nn__four_linear(nn_site site, nn_model *net, const char *name, nn_node *x,
                                    const nn_linear_desc *desc, bool transposed, bool minimums);
NN_PRIVATE nn_node *nn__four_embedding(nn_site site, nn_model *net, const char *name,
                                       nn_node *index, const nn_embedding_desc *desc,
                                       nn_shape shape, bool minimums);
/* Returns the rule of the gathers of an embedding whose weight is not trained. */
NN_PRIVATE const nn__rule *nn__quantized_gather(void);
#ifndef NN_NO_TRAINING
/* Reports each weight of nn_quantize that a trainer would have to change. Returns true if there are
   some. */
NN_PRIVATE bool nn__quantized_refuses(nn__tape *tape, const nn_node *weight);
#endif
#endif
