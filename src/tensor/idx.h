/* tensor/idx.h - the IDX format of the MNIST files. http://yann.lecun.com/exdb/mnist/ */
#pragma once

#include "tensor/tensor.h"

#ifndef NN_NO_FILES
/* Reads a whole IDX file into a new tensor on the CPU, named after the file. Element types: u8
   stays NN_U8, i8 NN_I8, i16 NN_I16, i32 NN_I32, f32 NN_F32, f64 NN_F64, converted to the machine's
   byte order. There may be at most NN_MAX_RANK extents. Returns NULL on failure; the message says
   if the file is missing, is truncated (and by how much), is not IDX, or must be unpacked with
   gunzip first. */
NN_API nn_tensor *nn_load_idx_at(nn_site site, nn_context *nn, const char *path);
#define nn_load_idx(...) nn_load_idx_at(NN_HERE, __VA_ARGS__)
#endif
