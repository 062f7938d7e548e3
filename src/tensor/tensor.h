/* tensor/tensor.h - a tensor is storage: a dtype, a shape, a device and a name. It stays where you
   put it.

   A tensor is contiguous and row-major. Two tensors never share memory unless you ask for it. What
   you make with nn_make_tensor is freed by nn_free_tensor or nn_close. */
#pragma once

#include "device/context.h"

typedef struct nn_tensor nn_tensor;

typedef struct nn_tensor_desc {
    const char *name; /* default: "tensor". Used in messages and the ledger; copied */
    nn_dtype dtype;   /* default: NN_F32 */
    nn_shape shape;   /* default: rank 0, one number. No symbolic extents */
    nn_device device; /* default: the context's default device */
    void *data; /* default: none. CPU only: your memory, which becomes the tensor's storage. It must
                   outlive the tensor and is never freed by it */
    bool read_only; /* default: false. true: `data` is never written (it may be a constant array in
                       flash). Calls that would write to it are errors, and nn_tensor_data returns
                       NULL. Views of it are read-only, too */
} nn_tensor_desc;

/* Makes a tensor on desc->device, filled with zeros (desc->data is left as it is). Returns NULL on
   failure; see nn_error. */
NN_API nn_tensor *nn_make_tensor_at(nn_site site, nn_context *nn, const nn_tensor_desc *desc);
#define nn_make_tensor(...) nn_make_tensor_at(NN_HERE, __VA_ARGS__)
/* Makes a CPU tensor that uses the caller's array `data`. The array must be as large as the shape
   says; this cannot be checked. */
NN_API nn_tensor *nn_wrap_at(nn_site site, nn_context *nn, const char *name, nn_dtype dtype,
                             nn_shape shape, void *data);
#define nn_wrap(...) nn_wrap_at(NN_HERE, __VA_ARGS__)
/* For backends: makes a tensor on storage of an open device, `offset` bytes into its handle. The
   storage must outlive the tensor and is never released by it. Neither handle nor size is
   checked. */
NN_API nn_tensor *nn_wrap_handle_at(nn_site site, nn_context *nn, nn_device device,
                                    const char *name, nn_dtype dtype, nn_shape shape, void *handle,
                                    uint64_t offset);
#define nn_wrap_handle(...) nn_wrap_handle_at(NN_HERE, __VA_ARGS__)
/* Makes a view of rows [first, first + count) of the outermost extent. It shares the storage of
   `base`, which must outlive it. */
NN_API nn_tensor *nn_make_view_at(nn_site site, nn_tensor *base, int32_t first, int32_t count);
#define nn_make_view(...) nn_make_view_at(NN_HERE, __VA_ARGS__)
/* Makes a view of the same storage with another shape of equally many elements. */
NN_API nn_tensor *nn_make_reshaped_at(nn_site site, nn_tensor *base, nn_shape shape);
#define nn_make_reshaped(...) nn_make_reshaped_at(NN_HERE, __VA_ARGS__)
/* Frees a tensor; NULL is allowed. It is an error, and nothing is freed, if the tensor belongs to a
   model or a loader, is bound to a plan, is an nn_constant that is not copied yet or an nn_borrow
   of a model, or has views. */
NN_API void nn_free_tensor(nn_tensor *tensor);

/* Copies host memory to the tensor, or back. `bytes` must be the tensor's size in bytes. The call
   waits until this is done, and the ledger gets one row. */
NN_API nn_result nn_upload_tensor_at(nn_site site, nn_tensor *to, const void *from, size_t bytes);
#define nn_upload_tensor(...) nn_upload_tensor_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_download_tensor_at(nn_site site, const nn_tensor *from, void *to, size_t bytes);
#define nn_download_tensor(...) nn_download_tensor_at(NN_HERE, __VA_ARGS__)
/* Copies between tensors of the same dtype and shape, on any devices. The copy is in the ledger if
   the devices differ. */
NN_API nn_result nn_copy_at(nn_site site, nn_tensor *to, const nn_tensor *from);
#define nn_copy(...) nn_copy_at(NN_HERE, __VA_ARGS__)
/* Makes a new tensor on `device` with the contents of `from`. Returns NULL on failure. */
NN_API nn_tensor *nn_copy_to_at(nn_site site, const nn_tensor *from, nn_device device);
#define nn_copy_to(...) nn_copy_to_at(NN_HERE, __VA_ARGS__)
NN_API nn_result nn_fill_zero(nn_tensor *tensor);

/* Returns the tensor's own memory: on the CPU, and on devices that share the host's memory
   (integrated GPUs, OpenCL on a CPU). Nothing is copied; the ledger has a row "mapped" with 0 bytes
   moved, and a second one at the end if `write`. The call waits for the device's pending work.
   Until nn_unmap_tensor the memory is yours: uploads, copies, kernels and moves of the tensor are
   refused. Returns NULL and an error if the memory is not shared (use nn_download_tensor), if the
   tensor is already mapped, and for NULL. */
NN_API void *nn_map_tensor_at(nn_site site, nn_tensor *tensor, bool write);
#define nn_map_tensor(...) nn_map_tensor_at(NN_HERE, __VA_ARGS__)
/* Gives the memory back to the device. The pointer must not be used afterwards. */
NN_API nn_result nn_unmap_tensor_at(nn_site site, nn_tensor *tensor);
#define nn_unmap_tensor(...) nn_unmap_tensor_at(NN_HERE, __VA_ARGS__)

NN_API const char *nn_tensor_name(const nn_tensor *tensor);
NN_API nn_dtype nn_tensor_dtype(const nn_tensor *tensor);
NN_API nn_shape nn_tensor_shape(const nn_tensor *tensor);
NN_API nn_device nn_tensor_device(const nn_tensor *tensor);
NN_API uint64_t nn_tensor_bytes(const nn_tensor *tensor);
/* Returns the view for kernels; for NULL an empty one. For weights see nn_tensor_data. */
NN_API nn_view nn_tensor_view(const nn_tensor *tensor);
/* Returns the elements of a CPU tensor; NULL for other devices (use nn_download_tensor) and for
   NULL. For a read-only tensor it is NULL and an error; use nn_tensor_const_data. For a weight of a
   model the call costs time: the library cannot see what you write there, so from then on plans
   that only infer pack this weight again in every run (nn_plan_desc.plain_weights).
   nn_upload_tensor and nn_map_tensor do not have this cost. */
NN_API void *nn_tensor_data(const nn_tensor *tensor);
/* Returns the elements for reading only; read-only tensors are allowed, too. */
NN_API const void *nn_tensor_const_data(const nn_tensor *tensor);
NN_API bool nn_tensor_read_only(const nn_tensor *tensor);
