/* ops/quantize_private.h - what nn_linear and nn_embedding ask of a model with weights of 8 bits,
   so that only programs that have some link them (ops/quantize.c). */
#pragma once

#include "graph/private.h"
#include "ops/index.h"
#include "ops/linear.h"
#include "ops/quantize.h"

#ifndef NN_NO_REPORTS
struct nn__quantizer {
    /* Is this the name of a layer whose weight has 8 bits? */
    bool (*takes)(nn_model *net, const char *layer);
    /* The layers, of descs and inputs that were checked. */
    nn_node *(*linear)(nn_site site, nn_model *net, const char *name, nn_node *x,
                       const nn_linear_desc *desc, bool transposed);
    nn_node *(*embedding)(nn_site site, nn_model *net, const char *name, nn_node *index,
                          const nn_embedding_desc *desc, nn_shape shape);
    void (*check)(const nn_model *net, nn__faults *faults); /* targets that nothing fits */
    bool (*copy)(const nn_model *from, nn_model *to);       /* false: no memory */
};
static inline NN__UNUSED bool nn__quantizes(nn_model *net, const char *layer) {
    return net && layer && net->quantizer && net->quantizer->takes(net, layer);
}
#endif
