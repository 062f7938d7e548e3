/* opencl/choice.h - the choice of tiles for products and convolutions: by a rule ("judged"), or
   measured. */
#pragma once

#include "opencl/private.h"

/* Returns the measured choice for this product or convolution; {0, 0}: not measured. */
NN__OPENCL_PRIVATE nn__opencl_choice nn__opencl_choose(const nn__opencl *device, nn_kernel kernel,
                                                       const void *args);
/* Fills in the shape. False: the kernel has no tiles. */
NN__OPENCL_PRIVATE bool nn__opencl_shape_of(nn_kernel kernel, const void *args,
                                            nn__opencl_shape *shape);
/* Arguments that have a shape; their views have no memory. */
typedef union nn__opencl_shape_args {
    nn_gemm_args gemm;
    nn_conv2d_args conv;
} nn__opencl_shape_args;
NN__OPENCL_PRIVATE void nn__opencl_args_of(const nn__opencl_shape *shape,
                                           nn__opencl_shape_args *args);
NN__OPENCL_PRIVATE nn__opencl_entry *nn__opencl_find_entry(const nn__opencl *device,
                                                           const nn__opencl_shape *shape);
/* Finds or adds an entry. NULL: no memory, or the table is full. */
NN__OPENCL_PRIVATE nn__opencl_entry *nn__opencl_add_entry(nn__opencl *device,
                                                          const nn__opencl_shape *shape);
NN__OPENCL_PRIVATE void nn__opencl_free_entries(nn__opencl *device);
/* Returns the names of the kernel's tiles, in order. *count: how many. */
NN__OPENCL_PRIVATE const char *const *nn__opencl_tile_names(nn_kernel kernel, int *count);
/* Returns the tile and the number of sums; tile -1: none of the tiles. */
NN__OPENCL_PRIVATE nn__opencl_choice nn__opencl_taken(nn__opencl *device, nn_kernel kernel,
                                                      const void *args);
/* Is the `way` function of the backend. */
NN__OPENCL_PRIVATE const char *nn__opencl_way(void *state, nn_kernel kernel, const void *args,
                                              char *text, size_t bytes);
NN__OPENCL_PRIVATE bool nn__opencl_fits(nn__opencl *device, nn_kernel kernel, const void *args,
                                        int32_t tile);
/* Returns the name of the measured tile; "judged" if that was fastest. */
NN__OPENCL_PRIVATE const char *nn__opencl_tile_name(const nn__opencl_entry *entry);
/* Writes one line of the table, without its end: kernel, numbers, results. */
NN__OPENCL_PRIVATE size_t nn__opencl_format_entry(const nn__opencl_entry *entry, char *text,
                                                  size_t size);
/* Reads the table from disk, except entries that the device has. counts: they take effect at
   once. */
NN__OPENCL_PRIVATE void nn__opencl_read_entries(nn__opencl *device, bool counts);
NN__OPENCL_PRIVATE bool nn__opencl_write_entries(nn__opencl *device);

/* These three exist for each family: kernels/matmul/opencl_choice.c and
   kernels/conv2d/opencl_choice.c. */
NN__OPENCL_PRIVATE const char *const *nn__opencl_gemm_tile_names(int *count);
NN__OPENCL_PRIVATE bool nn__opencl_gemm_fits(nn__opencl *device, const nn_gemm_args *g,
                                             int32_t tile);
NN__OPENCL_PRIVATE nn__opencl_choice nn__opencl_gemm_taken(nn__opencl *device,
                                                           const nn_gemm_args *g);
NN__OPENCL_PRIVATE const char *const *nn__opencl_conv_tile_names(nn_kernel kernel, int *count);
NN__OPENCL_PRIVATE bool nn__opencl_conv_fits(nn__opencl *device, nn_kernel kernel,
                                             const nn_conv2d_args *a, int32_t tile);
NN__OPENCL_PRIVATE nn__opencl_choice nn__opencl_conv_taken(nn__opencl *device, nn_kernel kernel,
                                                           const nn_conv2d_args *a);

