/* ops/quantizer.h - what nn_linear, nn_embedding, plans and copies call if a model has weights of 8
   or 4 bits. nn_quantize of nn_quantize.h gives the model these functions, so that only programs
   that use them have them. */
#pragma once

#include "graph/private.h"
#include "ops/index.h"
#include "ops/linear.h"

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
#endif
