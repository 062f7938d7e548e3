/* train/dataset_files.h - datasets from files: IDX (MNIST), CIFAR-10, a folder with one file for
   each field. A file is read as a whole into memory of the context, which the dataset owns. Nothing
   in a file is trusted: all of it is checked. */
#pragma once

#include "train/dataset.h"

#ifndef NN_NO_FILES
/* Reads images and labels from two unpacked IDX files. Fields: "image" (1, H, W) f32, pixels
   divided by 255, and "label" i32. The files of MNIST are "train-images-idx3-ubyte" and
   "train-labels-idx1-ubyte". Returns NULL on failure. */
NN_API nn_dataset *nn_make_idx_dataset_at(nn_site site, nn_context *nn, const char *images,
                                          const char *labels);
#define nn_make_idx_dataset(...) nn_make_idx_dataset_at(NN_HERE, __VA_ARGS__)

/* Reads the binary version of CIFAR-10: a folder of files with 10,000 records each (label byte, 3 x
   32 x 32 bytes). Fields: "image" (3, 32, 32) f32, pixels divided by 255, and "label" i32. test
   false: data_batch_1.bin to data_batch_5.bin; true: test_batch.bin.
   https://www.cs.toronto.edu/~kriz/cifar.html */
NN_API nn_dataset *nn_make_cifar10_dataset_at(nn_site site, nn_context *nn, const char *folder,
                                              bool test);
#define nn_make_cifar10_dataset(...) nn_make_cifar10_dataset_at(NN_HERE, __VA_ARGS__)

/* Reads a folder with one file for each field of `desc`: <folder>/<name>.npy, or
   <folder>/<name>.bin with raw numbers of data_dtype (little-endian, one sample after the other).
   desc->count 0: the number of samples in the files; all files must have the same number.
   The fields' .data and desc->get stay NULL. A field's shape, dtype, data_dtype, scale and
   offset are as in nn_make_dataset; a .npy file must agree with them. */
NN_API nn_dataset *nn_make_folder_dataset_at(nn_site site, nn_context *nn, const char *folder,
                                             const nn_dataset_desc *desc);
#define nn_make_folder_dataset(...) nn_make_folder_dataset_at(NN_HERE, __VA_ARGS__)
#endif
