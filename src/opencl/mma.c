/* opencl/mma.c - the matrix units of a device: which it has, whether they pass a self-test, and to
   which format they round the operands of products. opencl/mma.cl has the instructions. */
#include "opencl/private.h"

#define NN__OPENCL_MMA_CAPABILITY 0x4000 /* CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV */
#define NN__OPENCL_MMA_SUB_GROUPS 0x4108 /* CL_DEVICE_SUB_GROUP_SIZES_INTEL */

/* The self-test's product. Some of its tiles and turns are not full, and k has enough turns for the
   main loop of copied operands. */
#define NN__OPENCL_MMA_M 72
#define NN__OPENCL_MMA_N 96
#define NN__OPENCL_MMA_K 200

static bool nn__opencl_mma_is_f32(nn__opencl_mma_kind kind) {
    return kind != NN__OPENCL_MMA_DEEP && kind != NN__OPENCL_MMA_ACROSS;
}
static bool nn__opencl_mma_is_deep(nn__opencl_mma_kind kind) {
    return kind == NN__OPENCL_MMA_DEEP || kind == NN__OPENCL_MMA_CONV_WEIGHT;
}

/* True if the name of an AMD device begins with `start`, as "gfx90a:sramecc+:xnack-" does. */
static bool nn__opencl_mma_named(const nn__opencl *device, const char *start) {
    return strncmp(device->name, start, strlen(start)) == 0;
}

/* True if Intel's matrix instruction exists for the sub-groups of eight that the kernels use. */
static bool nn__opencl_mma_intel(nn__opencl *device) {
    const nn__opencl_api *cl = &device->cl;
    char extensions[8192];
    size_t sizes[8];
    bool eight = false;
    memset(extensions, 0, sizeof extensions);
    memset(sizes, 0, sizeof sizes);
    if (cl->GetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions,
                          NULL) != CL_SUCCESS ||
        !strstr(extensions, "cl_intel_subgroup_matrix_multiply_accumulate ") ||
        cl->GetDeviceInfo(device->id, NN__OPENCL_MMA_SUB_GROUPS, sizeof sizes, sizes, NULL) !=
            CL_SUCCESS)
        return false;
    for (int i = 0; i < 8; i++) eight = eight || sizes[i] == 8;
    return eight;
}

NN__OPENCL_PRIVATE nn__opencl_mma nn__opencl_mma_ask(nn__opencl *device) {
    cl_uint major = 0;
    if (!device->gpu) return NN__OPENCL_MMA_NONE;
    if (nn__opencl_contains(device->vendor, "NVIDIA"))
        return device->cl.GetDeviceInfo(device->id, NN__OPENCL_MMA_CAPABILITY, sizeof major, &major,
                                        NULL) == CL_SUCCESS &&
                       major >= 8
                   ? NN__OPENCL_MMA_NVIDIA
                   : NN__OPENCL_MMA_NONE;
    if (nn__opencl_mma_named(device, "gfx11")) return NN__OPENCL_MMA_GFX11;
    if (nn__opencl_mma_named(device, "gfx90a")) return NN__OPENCL_MMA_GFX90A;
    if (nn__opencl_mma_named(device, "gfx942")) return NN__OPENCL_MMA_GFX942;
    if (nn__opencl_contains(device->platform_name, "Intel") && nn__opencl_mma_intel(device))
        return NN__OPENCL_MMA_INTEL;
    return NN__OPENCL_MMA_NONE;
}

/* ---- the self-test --------------------------------------------------------------------------- */

/* Compares the device's product with sums in double. Rounding an operand changes a product by at
   most `unit` of its size: 2^-11 with TF32, 2^-8 with bf16, whose fractions have 10 and 7 bits. */
static bool nn__opencl_mma_right(const float *a, const float *b, const float *y, double unit,
                                 nn__opencl_mma_kind kind) {
    const int a_row = kind == NN__OPENCL_MMA_ACROSS ? 1 : NN__OPENCL_MMA_K,
              a_step = kind == NN__OPENCL_MMA_ACROSS ? NN__OPENCL_MMA_M : 1,
              b_column = nn__opencl_mma_is_deep(kind) ? NN__OPENCL_MMA_K : 1,
              b_step = nn__opencl_mma_is_deep(kind) ? 1 : NN__OPENCL_MMA_N;
    for (int i = 0; i < NN__OPENCL_MMA_M; i++)
        for (int j = 0; j < NN__OPENCL_MMA_N; j++) {
            double sum = 0, size = 0, apart;
            for (int l = 0; l < NN__OPENCL_MMA_K; l++) {
                const double product = (double)a[i * a_row + l * a_step] *
                                       (double)b[l * b_step + j * b_column];
                sum += product;
                size += product < 0 ? -product : product;
            }
            apart = (double)y[i * NN__OPENCL_MMA_N + j] - sum;
            if (!((apart < 0 ? -apart : apart) <= (2.01 * unit + 1e-5) * size)) return false;
        }
    return true;
}

/* Fills a and b. Numbers for bf16 matrices are multiples of 1/128, which bf16 stores exactly. */
static void nn__opencl_mma_fill(float *host, uint64_t count, nn__opencl_mma_kind kind) {
    uint32_t word = 1;
    for (uint64_t i = 0; i < count; i++) {
        word = word * 1664525u + 1013904223u;
        host[i] = (float)(word >> 8) / 8388608.0f - 1.0f;
        if (!nn__opencl_mma_is_f32(kind)) host[i] = (float)((int)(word >> 24) - 128) / 128.0f;
    }
}

/* Uploads a and b; bf16 matrices take half of the bytes. */
static nn_result nn__opencl_mma_upload(nn__opencl *device, void *buffer, const float *host,
                                       uint64_t at, uint64_t count, nn__opencl_mma_kind kind) {
    uint16_t *halves;
    nn_result result;
    if (nn__opencl_mma_is_f32(kind))
        return nn__opencl_upload(device, buffer, at, host, 4 * count, NULL);
    halves = (uint16_t *)nn_take_memory(device->nn, 2 * count);
    if (!halves) return NN_ERROR_MEMORY;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &host[i], sizeof bits);
        halves[i] = (uint16_t)(bits >> 16);
    }
    result = nn__opencl_upload(device, buffer, at, halves, 2 * count, NULL);
    if (result >= 0) result = device->backend.finish(device);
    nn_give_memory(device->nn, halves, 2 * count);
    return result;
}

static void nn__opencl_mma_view(nn_view *view, void *buffer, uint64_t offset, int32_t rows,
                                int32_t columns) {
    const int32_t extents[] = {rows, columns};
    view->handle = buffer;
    view->offset = offset;
    view->dtype = NN_F32;
    view->shape = nn_make_shape(extents, 2);
}

/* The most bytes of scratch: those of packed operands, and of sums of a weight's gradient. */
#define NN__OPENCL_MMA_SCRATCH (3 * 16 * 8192)

/* Returns an image with one row. */
static nn_view nn__opencl_mma_image(const nn_view *view, int32_t images, int32_t channels,
                                    int32_t wide) {
    const int32_t extents[] = {images, channels, 1, wide};
    nn_view image = *view;
    image.shape = nn_make_shape(extents, 4);
    return image;
}

/* Runs the product g as a convolution with one tap, or as the gradient of its weight. */
static nn_result nn__opencl_mma_convolve(nn__opencl *device, const nn_gemm_args *g,
                                         nn__opencl_mma_kind kind) {
    const bool weight = kind == NN__OPENCL_MMA_CONV_WEIGHT;
    const nn_kernel id = weight ? NN_KERNEL_CONV2D_BACKWARD_WEIGHT : NN_KERNEL_CONV2D_FORWARD;
    const nn__opencl_kernel *conv = nn__opencl_kernel_of(id);
    nn_conv2d_args c;
    memset(&c, 0, sizeof c);
    c.y = nn__opencl_mma_image(weight ? &g->a : &g->y, 1, g->m, weight ? g->k : g->n);
    c.x = nn__opencl_mma_image(&g->b, 1, weight ? g->n : g->k, weight ? g->k : g->n);
    c.weight = nn__opencl_mma_image(weight ? &g->y : &g->a, g->m, weight ? g->n : g->k, 1);
    c.params.kernel_h = c.params.kernel_w = c.params.stride_h = c.params.stride_w = 1;
    c.params.dilation_h = c.params.dilation_w = c.params.groups = 1;
    c.scratch = g->scratch;
    c.precision = g->precision;
    if (conv->scratch_bytes(device, &c) > NN__OPENCL_MMA_SCRATCH) return NN_ERROR_UNSUPPORTED;
    return conv->run(device, &c, 0, conv->units(device, &c));
}

/* Multiplies on the device, with numbers in `host`: a, b, and room for y. */
static nn_result nn__opencl_mma_multiply(nn__opencl *device, nn_precision precision,
                                         nn__opencl_mma_kind kind, float *host) {
    const uint64_t a_count = NN__OPENCL_MMA_M * NN__OPENCL_MMA_K,
                   b_count = NN__OPENCL_MMA_K * NN__OPENCL_MMA_N,
                   y_count = NN__OPENCL_MMA_M * NN__OPENCL_MMA_N,
                   bytes = 16 + 4 * (a_count + b_count + y_count) + NN__OPENCL_MMA_SCRATCH,
                   at = device->mma_copied > 0 ? 0 : 4, /* the usual loop reads any address */
                   size = nn__opencl_mma_is_f32(kind) ? 4 : 2;
    const nn__opencl_kernel *gemm = nn__opencl_kernel_of(NN_KERNEL_GEMM);
    nn_gemm_args g;
    void *buffer = NULL;
    nn_result result = device->backend.alloc(device, bytes, &buffer);
    if (result < 0) return result;
    nn__opencl_mma_fill(host, a_count + b_count, kind);
    memset(&g, 0, sizeof g);
    g.m = NN__OPENCL_MMA_M;
    g.n = NN__OPENCL_MMA_N;
    g.k = NN__OPENCL_MMA_K;
    g.precision = precision;
    g.transpose_a = kind == NN__OPENCL_MMA_ACROSS;
    g.transpose_b = nn__opencl_mma_is_deep(kind);
    nn__opencl_mma_view(&g.a, buffer, at, g.m, g.k);
    nn__opencl_mma_view(&g.b, buffer, at + size * a_count, g.k, g.n);
    nn__opencl_mma_view(&g.y, buffer, 16 + 4 * (a_count + b_count), g.m, g.n);
    nn__opencl_mma_view(&g.scratch, buffer, bytes - NN__OPENCL_MMA_SCRATCH, 1,
                        NN__OPENCL_MMA_SCRATCH / 4);
    if (!nn__opencl_mma_is_f32(kind)) g.a.dtype = g.b.dtype = NN_BF16;
    result = nn__opencl_mma_upload(device, buffer, host, at, a_count + b_count, kind);
    if (result >= 0 && kind >= NN__OPENCL_MMA_CONV)
        result = nn__opencl_mma_convolve(device, &g, kind);
    else if (result >= 0 && gemm->scratch_bytes(device, &g) > NN__OPENCL_MMA_SCRATCH)
        result = NN_ERROR_UNSUPPORTED;
    else if (result >= 0)
        result = gemm->run(device, &g, 0, gemm->units(device, &g));
    if (result >= 0)
        result = nn__opencl_download(device, buffer, g.y.offset, host + a_count + b_count,
                                     4 * y_count, NULL);
    if (result >= 0) result = device->backend.finish(device);
    device->backend.release(device, buffer, bytes);
    return result;
}

NN__OPENCL_PRIVATE nn__opencl_aside nn__opencl_aside_begin(nn__opencl *device, int copied) {
    nn__opencl_aside aside;
    aside.had_error = nn_error_code(device->nn) != NN_OK;
    aside.dry = device->dry;
    aside.begun = device->begun;
    aside.always = device->mma_always;
    aside.half = device->half_always;
    aside.copied = device->mma_copied;
    aside.step = device->step;
    aside.repeat = device->repeat;
    aside.ahead = device->ahead;
    device->dry = false;
    device->mma_always = device->mma_testing = true;
    device->mma_copied = (signed char)copied;
    device->step = NULL;
    device->repeat = NULL;
    device->ahead = NULL;
    return aside;
}

NN__OPENCL_PRIVATE void nn__opencl_aside_end(nn__opencl *device, const nn__opencl_aside *aside) {
    device->dry = aside->dry;
    device->begun = aside->begun;
    device->mma_always = aside->always;
    device->half_always = aside->half;
    device->mma_testing = false;
    device->mma_copied = aside->copied;
    device->step = aside->step;
    device->repeat = aside->repeat;
    device->ahead = aside->ahead;
    if (!aside->had_error) nn_clear_error(device->nn);
}

/* Runs a self-test of one format, not as a part of the step that asks for it. copied: -1 for the
   usual loop, 1 for copied operands. */
static bool nn__opencl_mma_test(nn__opencl *device, nn_precision precision, double unit,
                                nn__opencl_mma_kind kind, int copied) {
    const size_t a_count = NN__OPENCL_MMA_M * NN__OPENCL_MMA_K,
                 b_count = NN__OPENCL_MMA_K * NN__OPENCL_MMA_N,
                 bytes = 4 * (a_count + b_count + NN__OPENCL_MMA_M * NN__OPENCL_MMA_N);
    nn__opencl_aside aside;
    float *host = (float *)nn_take_memory(device->nn, bytes);
    bool good;
    if (!host) return false;
    aside = nn__opencl_aside_begin(device, copied);
    good = nn__opencl_mma_multiply(device, precision, kind, host) >= 0 &&
           nn__opencl_mma_right(host, host + a_count, host + a_count + b_count, unit, kind);
    nn__opencl_aside_end(device, &aside);
    nn_give_memory(device->nn, host, bytes);
    return good;
}

/* Operands are rounded by 2^-11 each, and every step of a sum of eight products by 2^-11 of it. */
NN__OPENCL_PRIVATE bool nn__opencl_mma_test_half(nn__opencl *device, nn__opencl_mma_kind kind) {
    const bool always = device->half_always;
    bool good;
    device->half_always = true;
    good = nn__opencl_mma_test(device, NN_PRECISION_MEDIUM, (1.0 / 1024 + 1.0 / 256) / 2, kind, -1);
    device->half_always = always;
    return good;
}

/* Copied operands need 128 work-items and two stages of 16 KiB of local memory. NVIDIA and the
   emulation need three stages, and the emulation 16 KiB more for the words of its lanes. */
NN__OPENCL_PRIVATE bool nn__opencl_mma_fits_copied(const nn__opencl *device) {
    const bool emulated = device->mma == NN__OPENCL_MMA_EMULATED,
               three = emulated || device->mma == NN__OPENCL_MMA_NVIDIA;
    return device->mma != NN__OPENCL_MMA_NONE && device->mma != NN__OPENCL_MMA_INTEL &&
           device->group >= 128 &&
           device->local_memory >= (cl_ulong)(three ? 49152 : 32768) + (emulated ? 16384 : 0);
}

NN__OPENCL_PRIVATE bool nn__opencl_mma_copies(nn__opencl *device, nn__opencl_rounding rounding) {
    const bool bf16 = rounding == NN__OPENCL_ROUND_BF16,
               across =
                   device->mma == NN__OPENCL_MMA_NVIDIA || device->mma == NN__OPENCL_MMA_EMULATED;
    const nn_precision precision = bf16 ? NN_PRECISION_MEDIUM : NN_PRECISION_HIGH;
    const double unit = bf16 ? 1.0 / 256 : 1.0 / 2048;
    signed char *tested = &device->mma_copies[bf16];
    if (rounding == NN__OPENCL_ROUND_NOT) return false;
    if (*tested) return *tested > 0;
    *tested = 1; /* the test itself asks, too */
    if (!nn__opencl_mma_test(device, precision, unit, NN__OPENCL_MMA_F32, 1) ||
        (bf16 && !nn__opencl_mma_test(device, precision, 0, NN__OPENCL_MMA_DEEP, 1)) ||
        (bf16 && across && !nn__opencl_mma_test(device, precision, 0, NN__OPENCL_MMA_ACROSS, 1))) {
        *tested = -1;
        nn__opencl_log(device->nn, "opencl: the self-test of large products on matrix units "
                                   "failed, so they take the usual loop");
    }
    return *tested > 0;
}

NN__OPENCL_PRIVATE bool nn__opencl_mma_copies_convs(nn__opencl *device,
                                                    nn__opencl_rounding rounding, bool weight) {
    const bool bf16 = rounding == NN__OPENCL_ROUND_BF16;
    signed char *tested = &device->mma_convs[bf16][weight];
    if (rounding == NN__OPENCL_ROUND_NOT) return false;
    if (*tested) return *tested > 0;
    *tested = 1; /* the test itself asks, too */
    if (!nn__opencl_mma_test(device, bf16 ? NN_PRECISION_MEDIUM : NN_PRECISION_HIGH,
                             bf16 ? 1.0 / 256 : 1.0 / 2048,
                             weight ? NN__OPENCL_MMA_CONV_WEIGHT : NN__OPENCL_MMA_CONV, 1)) {
        *tested = -1;
        nn__opencl_log(device->nn, "opencl: the self-test of large convolutions on matrix units "
                                   "failed, so they take the usual loop");
    }
    return *tested > 0;
}

/* ---- which format ---------------------------------------------------------------------------- */

static nn__opencl_rounding nn__opencl_mma_offers(const nn__opencl *device, nn_precision precision) {
    if (precision == NN_PRECISION_MEDIUM) return NN__OPENCL_ROUND_BF16;
    return precision == NN_PRECISION_HIGH && device->mma != NN__OPENCL_MMA_GFX11 &&
                   device->mma != NN__OPENCL_MMA_INTEL
               ? NN__OPENCL_ROUND_TF32
               : NN__OPENCL_ROUND_NOT;
}

NN__OPENCL_PRIVATE nn__opencl_rounding nn__opencl_rounding_of(nn__opencl *device,
                                                              nn_precision precision) {
    nn__opencl_rounding rounding;
    signed char *tested;
    char text[200];
    if (device->mma == NN__OPENCL_MMA_NONE || precision <= NN_PRECISION_HIGHEST)
        return NN__OPENCL_ROUND_NOT;
    rounding = nn__opencl_mma_offers(device, precision);
    if (rounding == NN__OPENCL_ROUND_NOT) return rounding;
    tested = &device->mma_tested[rounding == NN__OPENCL_ROUND_BF16];
    if (!*tested) {
        *tested = 1; /* the test itself asks, too */
        *tested = nn__opencl_mma_test(device, precision,
                                      rounding == NN__OPENCL_ROUND_BF16 ? 1.0 / 256 : 1.0 / 2048,
                                      NN__OPENCL_MMA_F32, -1)
                      ? 1
                      : -1;
        if (*tested < 0) {
            nn__opencl_format(text, sizeof text,
                              "opencl: %s: the self-test of the matrix units with %s failed, so "
                              "products are computed in f32",
                              device->name, nn__opencl_rounding_name(rounding));
            nn__opencl_log(device->nn, text);
        }
    }
    return *tested > 0 ? rounding : NN__OPENCL_ROUND_NOT;
}

NN__OPENCL_PRIVATE const char *nn__opencl_rounding_name(nn__opencl_rounding rounding) {
    return rounding == NN__OPENCL_ROUND_NOT    ? "f32"
           : rounding == NN__OPENCL_ROUND_TF32 ? "tf32"
           : rounding == NN__OPENCL_ROUND_F16  ? "f16"
                                               : "bf16";
}

NN__OPENCL_PRIVATE void nn__opencl_mma_options(const nn__opencl *device,
                                               nn__opencl_rounding rounding, int32_t side,
                                               char *text, size_t size) {
    /* A tile does not fit into Intel's usual 128 registers: ocloc reports spills of 51 to 105. */
    nn__opencl_format(text, size, "%s-DNN_MMA=%d -DNN_MMA_BF16=%d -DNN_MMA_SIDE=%d ",
                      device->mma == NN__OPENCL_MMA_INTEL ? "-cl-intel-256-GRF-per-thread " : "",
                      (int)device->mma, rounding == NN__OPENCL_ROUND_BF16 ? 1 : 0, (int)side);
}

/* Tiles of 128 have 128 work-items, and those of 64 have 64. The emulation also keeps the lanes'
   words in local memory. */
NN__OPENCL_PRIVATE bool nn__opencl_mma_fits(const nn__opencl *device, int32_t side) {
    const bool emulated = device->mma == NN__OPENCL_MMA_EMULATED;
    const cl_ulong tiles = (cl_ulong)side * 20 * 4 * 4,
                   words = emulated ? (cl_ulong)side * 4 * (side == 128 ? 32 : 24) : 0;
    if (device->mma == NN__OPENCL_MMA_INTEL && side > 64) return false;
    return device->group >= (size_t)side && device->local_memory >= tiles + words + 64;
}

NN__OPENCL_PRIVATE const char *nn__opencl_rounds(void *state, nn_kernel kernel, const void *args,
                                                 char *why, size_t why_bytes) {
    nn__opencl *device = (nn__opencl *)state;
    nn__opencl_rounding rounding = NN__OPENCL_ROUND_NOT;
    nn_precision precision = NN_PRECISION_DEFAULT;
    if (kernel == NN_KERNEL_GEMM) {
        precision = ((const nn_gemm_args *)args)->precision;
        rounding = nn__opencl_gemm_rounding(device, (const nn_gemm_args *)args);
    } else if (kernel == NN_KERNEL_CONV2D_FORWARD || kernel == NN_KERNEL_CONV2D_BACKWARD_INPUT ||
               kernel == NN_KERNEL_CONV2D_BACKWARD_WEIGHT) {
        precision = ((const nn_conv2d_args *)args)->precision;
        rounding = nn__opencl_conv_rounding(device, kernel, (const nn_conv2d_args *)args);
    } else if (kernel == NN_KERNEL_ATTENTION_FORWARD || kernel == NN_KERNEL_ATTENTION_BACKWARD) {
        precision = ((const nn_attention_args *)args)->precision;
        rounding = nn__opencl_attention_rounding(device, (const nn_attention_args *)args);
    }
    if (rounding == NN__OPENCL_ROUND_BF16 || rounding == NN__OPENCL_ROUND_F16 ||
        (rounding == NN__OPENCL_ROUND_TF32 && device->mma != NN__OPENCL_MMA_GFX90A))
        return nn__opencl_rounding_name(rounding);
    nn__opencl_copy_text(why, why_bytes,
                         rounding == NN__OPENCL_ROUND_TF32
                             ? "its matrix units multiply f32 numbers without rounding"
                         : device->mma == NN__OPENCL_MMA_NONE ? "this device has no matrix units"
                         : precision > NN_PRECISION_HIGHEST &&
                                 nn__opencl_rounding_of(device, precision) == NN__OPENCL_ROUND_NOT
                             ? "its matrix units have no such format, or failed the self-test"
                             : "this kernel does not use the matrix units");
    return NULL;
}

#undef NN__OPENCL_MMA_CAPABILITY
#undef NN__OPENCL_MMA_SUB_GROUPS
#undef NN__OPENCL_MMA_M
#undef NN__OPENCL_MMA_N
#undef NN__OPENCL_MMA_K
#undef NN__OPENCL_MMA_SCRATCH
