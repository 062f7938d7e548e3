/* tensor/npy.h - NumPy's .npy files: one array with its dtype and shape.
   https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#pragma once

#include "tensor/tensor.h"

#ifndef NN_NO_FILES
/* Reads a whole .npy file (versions 1 to 3) into a new tensor on the CPU, named after the file.
   float16, 32, 64, int8, 16, 32, 64, uint8 and bool keep their dtype, in either byte order; at most
   NN_MAX_RANK extents, none of them 0. Returns NULL on failure; the message says why (missing,
   truncated and by how much, another dtype, Fortran order: save numpy.ascontiguousarray(a)). */
NN_API nn_tensor *nn_load_npy_at(nn_site site, nn_context *nn, const char *path);
#define nn_load_npy(...) nn_load_npy_at(NN_HERE, __VA_ARGS__)
/* Writes a tensor of any device (a download is in the ledger) so that numpy.load returns the same
   array. bf16 is refused, because NumPy has no such dtype. The file replaces `path` at the end;
   after a failure the old file stays. */
NN_API nn_result nn_save_npy_at(nn_site site, const nn_tensor *tensor, const char *path);
#define nn_save_npy(...) nn_save_npy_at(NN_HERE, __VA_ARGS__)
#endif
