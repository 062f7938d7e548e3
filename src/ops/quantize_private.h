/* ops/quantize_private.h - what layers with weights of 8 and 4 bits share. */
#pragma once

#include "kernels/install_quantize.h"
#include "ops/private.h"
#include "ops/quantize.h"
#include "ops/quantizer.h"

#ifndef NN_NO_MIXED_PRECISION
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
