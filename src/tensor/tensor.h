/* tensor/tensor.h - a tensor is storage: a dtype, a shape, a device and a name. It stays where you
   put it.

   A tensor is contiguous and row-major, and the library never lets two of them share memory unless
   you ask for it. What you make with nn_make_tensor you free with nn_free_tensor, or nn_close
   does. */
#pragma once

#include "device/context.h"

typedef struct nn_tensor nn_tensor;

typedef struct nn_tensor_desc {
    const char *name; /* default: "tensor". For messages and the ledger; copied */
    nn_dtype dtype;   /* default: NN_F32 */
    nn_shape shape;   /* default: rank 0, one number. No symbolic extents */
    nn_device device; /* default: the context's default device */
    void *data; /* default: none. CPU only: the tensor is this memory of yours, which must outlive
                   it; never freed */
    bool read_only; /* default: false. true: `data` is never written to (it may be a constant array
                       in flash): calls that would are errors, and nn_tensor_data is NULL. Views of
                       it are read-only too */
} nn_tensor_desc;

/* Memory on desc->device, filled with zeros (data: left as it is). NULL on failure: nn_error
   tells. */
NN_API nn_tensor *nn_make_tensor_at(nn_site site, nn_context *nn, const nn_tensor_desc *desc);
#define nn_make_tensor(...) nn_make_tensor_at(NN_HERE, __VA_ARGS__)
#ifdef __cplusplus
extern "C++" {
inline nn_tensor *nn_make_tensor_at(nn_site site, nn_context *nn, const nn_tensor_desc &desc) {
    return nn_make_tensor_at(site, nn, &desc);
}
}
#endif
/* Short for a CPU tensor around the caller's array; the shape's bytes are not checked against
   anything: make sure. */
NN_API nn_tensor *nn_wrap_at(nn_site site, nn_context *nn, const char *name, nn_dtype dtype,
                             nn_shape shape, void *data);
#define nn_wrap(...) nn_wrap_at(NN_HERE, __VA_ARGS__)
/* For backends: a tensor around storage of an open device, `offset` bytes into its handle. Never
   released by us; it must outlive the tensor. Neither handle nor size is checked. */
NN_API nn_tensor *nn_wrap_handle_at(nn_site site, nn_context *nn, nn_device device,
                                    const char *name, nn_dtype dtype, nn_shape shape, void *handle,
                                    uint64_t offset);
#define nn_wrap_handle(...) nn_wrap_handle_at(NN_HERE, __VA_ARGS__)
/* Rows [first, first + count) of the outermost extent, sharing the storage of `base`, which must
   outlive it. */
NN_API nn_tensor *nn_make_view_at(nn_site site, nn_tensor *base, int32_t first, int32_t count);
#define nn_make_view(...) nn_make_view_at(NN_HERE, __VA_ARGS__)
/* The same storage under another shape of equally many elements. */
NN_API nn_tensor *nn_make_reshaped_at(nn_site site, nn_tensor *base, nn_shape shape);
#define nn_make_reshaped(...) nn_make_reshaped_at(NN_HERE, __VA_ARGS__)
/* NULL is allowed. An error, and nothing is freed: when the tensor belongs to a model or a loader,
   is bound to a plan, is a nn_constant not yet copied or a nn_borrow of a model, or has views. */
NN_API void nn_free_tensor(nn_tensor *tensor);

/* Host memory to the tensor and back: `bytes` must be the tensor's bytes. Blocking; one row in the
   ledger. */
NN_API nn_result nn_upload_tensor_at(nn_site site, nn_tensor *to, const void *from, size_t bytes);
#define nn_upload_tensor(...) nn_upload_tensor_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_download_tensor_at(nn_site site, const nn_tensor *from, void *to, size_t bytes);
#define nn_download_tensor(...) nn_download_tensor_at(NN_HERE, __VA_ARGS__)
/* Tensor to tensor of the same dtype and shape, wherever they are. A crossing if the devices
   differ. */
NN_API nn_result nn_copy_at(nn_site site, nn_tensor *to, const nn_tensor *from);
#define nn_copy(...) nn_copy_at(NN_HERE, __VA_ARGS__)
/* A new tensor on `device` with the contents of `from`. NULL on failure. */
NN_API nn_tensor *nn_copy_to_at(nn_site site, const nn_tensor *from, nn_device device);
#define nn_copy_to(...) nn_copy_to_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_fill_zero(nn_tensor *tensor);

/* The tensor's own memory, where the host can reach it: on the CPU, and on devices that share the
   host's memory (integrated GPUs, OpenCL on a CPU). Nothing is copied: a row in the ledger as
   "mapped" with 0 bytes moved, and one more at the end if `write`. Waits for what the device has to
   do before. From here to nn_unmap_tensor the memory is yours; uploads, copies, kernels and moves
   of the tensor are refused. NULL and an error where memory is not shared (nn_download_tensor
   copies), when it is mapped already, and for NULL. */
NN_API void *nn_map_tensor_at(nn_site site, nn_tensor *tensor, bool write);
#define nn_map_tensor(...) nn_map_tensor_at(NN_HERE, __VA_ARGS__)
/* Gives the memory back to the device. The pointer is not to be used again. */
NN_API nn_result nn_unmap_tensor_at(nn_site site, nn_tensor *tensor);
#define nn_unmap_tensor(...) nn_unmap_tensor_at(NN_HERE, __VA_ARGS__)

NN_API const char *nn_tensor_name(const nn_tensor *tensor);
NN_API nn_dtype nn_tensor_dtype(const nn_tensor *tensor);
NN_API nn_shape nn_tensor_shape(const nn_tensor *tensor);
NN_API nn_device nn_tensor_device(const nn_tensor *tensor);
NN_API uint64_t nn_tensor_bytes(const nn_tensor *tensor);
/* For kernels; a zeroed view for NULL. Of a weight see nn_tensor_data. */
NN_API nn_view nn_tensor_view(const nn_tensor *tensor);
/* The elements of a CPU tensor; NULL for other devices (use nn_download_tensor) and for NULL. For a
   read-only tensor NULL and an error: nn_tensor_const_data reads it. Of a weight of a model it
   costs time: what you may write there nobody sees, so that plans which only infer prepare that
   weight in every run from then on (nn_plan_desc.plain_weights); nn_upload_tensor and
   nn_map_tensor tell them. */
NN_API void *nn_tensor_data(const nn_tensor *tensor);
/* The same to read only; also for read-only tensors. */
NN_API const void *nn_tensor_const_data(const nn_tensor *tensor);
NN_API bool nn_tensor_read_only(const nn_tensor *tensor);
