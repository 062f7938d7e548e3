/* model/arrays.h - weights as constant arrays of a C header: no files, and no copy on a machine
   that reads its flash. */
#pragma once

#include "graph/model.h"

/* One tensor of a generated header. */
typedef struct nn_weights_array {
    const char *name; /* "fc.weight" */
    nn_dtype dtype;
    nn_shape shape;
    const void *data; /* numbers of dtype, row-major */
} nn_weights_array;

/* Writes a C header: a `static const` array for each parameter and constant of the model, and a
   table `name` of them with `name_count` entries, for nn_use_weights. name: a C identifier ("cnn").
   Numbers are exact; those of f16 and bf16 are written as their bits. Tensors that are on a device
   are downloaded (ledger). f32, f16, bf16, i32, i16, i8 and u8 can be written; an f32 that is not
   finite is refused. The text needs about 14 bytes a number. Not under NN_NO_REPORTS. */
NN_API nn_result nn_write_weights_at(nn_site site, nn_model *net, const char *name,
                                     nn_writer writer);
#define nn_write_weights(...) nn_write_weights_at(NN_HERE, __VA_ARGS__)

typedef struct nn_use_weights_desc {
    bool in_place; /* default: false, all of them are copied. true: read where they stand */
    /* default: none. With in_place: parameters and constants that are copied all the same, by their
       names, or all that begin with a name that ends in a dot. They have memory of their own, can
       be trained, loaded and moved: { "fc." } fine-tunes the last layer of a net that stands in
       flash */
    const char *copied[8];
} nn_use_weights_desc;

/* Gives the model its weights. Names, dtypes and shapes must match exactly, or nothing is changed
   and every difference is told. in_place false: copied to wherever the parameters are. in_place
   true: read where they stand, with no copy, by plans on the CPU; for models on the CPU without any
   memory yet (before the first plan, load or nn_find_tensor). They then never move, are frozen and
   read-only: whatever would write to them (uploads, copies, fills, loads, immediate results,
   nn_freeze(..., false)) is an error. The arrays must outlive the model. */
NN_API nn_result nn_use_weights_at(nn_site site, nn_model *net, const nn_weights_array *arrays,
                                   int count, bool in_place);
#define nn_use_weights(...) nn_use_weights_at(NN_HERE, __VA_ARGS__)
/* The same with choices. desc may be NULL. */
NN_API nn_result nn_use_weights_with_at(nn_site site, nn_model *net, const nn_weights_array *arrays,
                                        int count, const nn_use_weights_desc *desc);
#define nn_use_weights_with(...) nn_use_weights_with_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_result nn_use_weights_with_at(nn_site site, nn_model *net, const nn_weights_array *arrays,
                                        int count, const nn_use_weights_desc &desc) {
    return nn_use_weights_with_at(site, net, arrays, count, &desc);
}
}
#endif
