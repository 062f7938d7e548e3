/* model/arrays.h - weights as constant arrays of a C header: no files, and no copy on a machine that
   reads its flash. */
#pragma once

#include "graph/model.h"

/* One tensor of a generated header. */
typedef struct nn_weights_array {
    const char *name; /* "fc.weight" */
    nn_dtype dtype;
    nn_shape shape;
    const void *data; /* numbers of dtype, row-major */
} nn_weights_array;

/* Writes a C header: a `static const` array for each parameter and constant of the model, and a table
   `name` of them with `name_count` entries, for nn_use_weights. name: a C identifier ("cnn"). Numbers are
   exact. Tensors that are on a device are downloaded (ledger). f32, i32, i16, i8 and u8 can be written; a
   number that is not finite is refused. The text needs about 14 bytes a number. Not under NN_NO_REPORTS.
   */
NN_API nn_result nn_write_weights_at(nn_site site, nn_model *net, const char *name, nn_writer writer);
#define nn_write_weights(...) nn_write_weights_at(NN_HERE, __VA_ARGS__)

/* Gives the model its weights. Names, dtypes and shapes must match exactly, or nothing is changed and
   every difference is told. in_place false: copied to wherever the parameters are. in_place true: read
   where they stand, with no copy, by plans on the CPU; for models on the CPU without any memory yet
   (before the first plan, load or nn_find_tensor). They then never move and are frozen; the arrays must
   outlive the model; do not load or upload into them. */
NN_API nn_result nn_use_weights_at(nn_site site, nn_model *net, const nn_weights_array *arrays, int count,
                                   bool in_place);
#define nn_use_weights(...) nn_use_weights_at(NN_HERE, __VA_ARGS__)
