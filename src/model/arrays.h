/* model/arrays.h - weights as constant arrays of a C header, for machines without files; they can
   be read in place, from flash. */
#pragma once

#include "graph/model.h"

/* One tensor of a generated header. */
typedef struct nn_weights_array {
    const char *name; /* "fc.weight" */
    nn_dtype dtype;
    nn_shape shape;
    const void *data; /* numbers of dtype, row-major */
} nn_weights_array;

/* Writes a C header with a `static const` array for each parameter and constant of the model, and a
   table `name` of them with `name_count` entries, for nn_use_weights. name is a C identifier
   ("cnn"). Numbers are exact; those of f16 and bf16 are written as their bits. Tensors on a device
   are downloaded (ledger). f32, f16, bf16, i32, i16, i8 and u8 can be written; an f32 that is not
   finite is refused. The text has about 14 bytes per number. Not under NN_NO_REPORTS. */
NN_API nn_result nn_write_weights_at(nn_site site, nn_model *net, const char *name,
                                     nn_writer writer);
#define nn_write_weights(...) nn_write_weights_at(NN_HERE, __VA_ARGS__)

typedef struct nn_use_weights_desc {
    bool in_place; /* default: false, all arrays are copied. true: they are used in place */
    /* default: none. With in_place: names of parameters and constants that are copied nevertheless;
       a name that ends with a dot means all that begin with it. They have their own memory and can
       be trained, loaded and moved: NN_TEXTS("fc.") fine-tunes the last layer of a net in flash */
    nn_texts copied;
} nn_use_weights_desc;

/* Sets the model's weights. Names, dtypes and shapes must match exactly, or every difference is
   reported and nothing is changed. Without .in_place the arrays are copied to the
   parameters, wherever they are; desc may then be NULL. With .in_place plans on the CPU read
   the arrays without a copy. This needs a model on the CPU that has no memory yet (before the first
   plan, load or nn_find_tensor). Such weights never move and are frozen and read-only: calls that
   would write to them (uploads, copies, fills, loads, immediate results, nn_freeze(..., false)) are
   errors. The arrays must outlive the model. */
NN_API nn_result nn_use_weights_at(nn_site site, nn_model *net, const nn_weights_array *arrays,
                                   int count, const nn_use_weights_desc *desc);
#define nn_use_weights(...) nn_use_weights_at(NN_HERE, __VA_ARGS__)
