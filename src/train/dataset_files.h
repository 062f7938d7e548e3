/* train/dataset_files.h - data sets from files: IDX (MNIST), CIFAR-10, a folder with one file a
   field. They are read whole into memory of the context, which the data set owns, and checked:
   nothing in a file is trusted. */
#pragma once

#include "train/dataset.h"

#ifndef NN_NO_FILES
/* Images and labels in two IDX files, unpacked: fields "image" (1, H, W) f32, pixels divided by
   255, and "label" i32. MNIST: "train-images-idx3-ubyte", "train-labels-idx1-ubyte". NULL on
   failure. */
NN_API nn_dataset *nn_make_idx_dataset_at(nn_site site, nn_context *nn, const char *images,
                                          const char *labels);
#define nn_make_idx_dataset(...) nn_make_idx_dataset_at(NN_HERE, __VA_ARGS__)

/* The binary version of CIFAR-10, a folder of files of 10,000 records (label byte, 3 x 32 x 32
   bytes): fields "image" (3, 32, 32) f32, pixels divided by 255, and "label" i32. test false:
   data_batch_1.bin to data_batch_5.bin; true: test_batch.bin.
   https://www.cs.toronto.edu/~kriz/cifar.html */
NN_API nn_dataset *nn_make_cifar10_dataset_at(nn_site site, nn_context *nn, const char *folder,
                                              bool test);
#define nn_make_cifar10_dataset(...) nn_make_cifar10_dataset_at(NN_HERE, __VA_ARGS__)

/* A folder with a file for each field of `desc`: <folder>/<name>.npy, or <folder>/<name>.bin with
   raw numbers of data_dtype (little-endian, samples one behind the other). desc->count 0: as many
   samples as the files have; all must have equally many. desc->fields[i].data and desc->get stay
   NULL; a field's shape, dtype, data_dtype, scale and offset as in nn_make_dataset; a .npy file
   must agree with them. */
NN_API nn_dataset *nn_make_folder_dataset_at(nn_site site, nn_context *nn, const char *folder,
                                             const nn_dataset_desc *desc);
#define nn_make_folder_dataset(...) nn_make_folder_dataset_at(NN_HERE, __VA_ARGS__)

#ifdef __cplusplus
extern "C++" {
inline nn_dataset *nn_make_folder_dataset_at(nn_site site, nn_context *nn, const char *folder,
                                             const nn_dataset_desc &desc) {
    return nn_make_folder_dataset_at(site, nn, folder, &desc);
}
}
#endif
#endif
