/* train/dataset.h - where samples come from: arrays in memory, or a function. */
#pragma once

#include "tensor/tensor.h"

typedef struct nn_dataset nn_dataset;

/* One part of a sample: an image, a label. */
typedef struct nn_field {
    const char *name;    /* as the model's input of that name; NULL ends the list */
    nn_shape shape;      /* of one sample, without the batch; a label is rank 0 */
    nn_dtype dtype;      /* default: NN_F32. What the model's input has */
    const void
        *data; /* count samples, one behind the other; not copied. NULL when a function delivers */
    nn_dtype data_dtype; /* default: dtype. NN_U8 data for an NN_F32 or NN_I32 field is converted */
    float scale;  /* default: 1. Of converted data: value * scale + offset, e.g. 1.0f / 255 for
                     pixels */
    float offset; /* default: 0 */
    size_t bytes; /* default: 0, not checked. sizeof of the array behind `data`: a shape, count or
                     data_dtype that wants another number of bytes is an error */
} nn_field;

typedef struct nn_dataset_desc {
    nn_field fields[8];
    int32_t count; /* samples; must be given */
    /* Writes one sample: to[i] points to room for field i of it, in data_dtype. An error code ends
       the epoch with an error that names the sample. Called on the thread of nn_next_batch; with
       nn_loader_desc.workers on that many other threads, several at once, and never on that one: it
       must not touch the context. */
    nn_result (*get)(void *user, int32_t sample, void *const *to);
    void *user;
} nn_dataset_desc;

/* NULL on failure. The arrays must outlive the dataset. */
NN_API nn_dataset *nn_make_dataset_at(nn_site site, nn_context *nn, const nn_dataset_desc *desc);
#define nn_make_dataset(...) nn_make_dataset_at(NN_HERE, __VA_ARGS__)
NN_API void nn_free_dataset(nn_dataset *dataset);
NN_API int32_t nn_dataset_count(const nn_dataset *dataset);

#ifdef __cplusplus
extern "C++" {
inline nn_dataset *nn_make_dataset_at(nn_site site, nn_context *nn, const nn_dataset_desc &desc) {
    return nn_make_dataset_at(site, nn, &desc);
}
}
#endif
