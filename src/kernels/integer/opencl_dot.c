/* kernels/integer/opencl_dot.c - which instruction for products of four bytes an OpenCL device has.
   It is used after it passed a self-test; results are the same bytes with and without it. */
#include "opencl/private.h"

#define NN__OPENCL_DOTS   256 /* products of the self-test */
#define NN__OPENCL_PACKED 1   /* CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR */

/* Returns the options of the kernels; "" for none. how: as NN_INTEGER_DOT in opencl.cl. */
static const char *nn__opencl_dot_options(int how) {
    return how == 1   ? "-DNN_INTEGER_DOT=1"
           : how == 2 ? "-DNN_INTEGER_DOT=2"
           : how == 3 ? "-DNN_INTEGER_DOT=3"
           : how == 4 ? "-DNN_INTEGER_DOT=4"
                      : "";
}

static bool nn__opencl_dot_extension(nn__opencl *device) {
    const nn__opencl_api *cl = &device->cl;
    static const char name[] = "cl_khr_integer_dot_product";
    char extensions[8192];
    cl_ulong forms = 0;
    memset(extensions, 0, sizeof extensions);
    return cl->GetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions,
                             NULL) == CL_SUCCESS &&
           strstr(extensions, name) &&
           cl->GetDeviceInfo(device->id, 0x1073, sizeof forms, &forms, NULL) == CL_SUCCESS &&
           (forms & NN__OPENCL_PACKED) != 0;
}

/* True if the name of an AMD device begins with that of a chip whose compiler knows the
   instruction. */
static bool nn__opencl_dot_amd(const nn__opencl *device) {
    static const char *const names[] = {"gfx906",  "gfx908",  "gfx90a",  "gfx94",  "gfx1011",
                                        "gfx1012", "gfx103",  "gfx110"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(device->name, names[i], strlen(names[i])) == 0) return true;
    return false;
}

static int nn__opencl_dot_ask(nn__opencl *device) {
    const nn__opencl_api *cl = &device->cl;
    cl_uint major = 0, minor = 0;
    if (device->gpu && nn__opencl_contains(device->vendor, "NVIDIA"))
        return cl->GetDeviceInfo(device->id, 0x4000, sizeof major, &major, NULL) == CL_SUCCESS &&
                       cl->GetDeviceInfo(device->id, 0x4001, sizeof minor, &minor, NULL) ==
                           CL_SUCCESS &&
                       (major > 6 || (major == 6 && minor >= 1))
                   ? 2
                   : 0;
    if (device->gpu && nn__opencl_dot_amd(device)) return 3;
    return nn__opencl_dot_extension(device) ? 1 : 0;
}

/* Computes the products of the self-test on the device. words: a, b, and room for y. */
static nn_result nn__opencl_dot_run(nn__opencl *device, int how, uint32_t *words) {
    const uint64_t bytes = NN__OPENCL_DOTS * sizeof(uint32_t);
    const int32_t extents[] = {NN__OPENCL_DOTS};
    nn_view view[3];
    void *buffer = NULL;
    nn_result result = device->backend.alloc(device, 3 * bytes, &buffer);
    if (result < 0) return result;
    memset(view, 0, sizeof view);
    for (int i = 0; i < 3; i++) {
        view[i].handle = buffer;
        view[i].offset = (uint64_t)i * bytes;
        view[i].dtype = NN_I32;
        view[i].shape = nn_make_shape(extents, 1);
    }
    result = nn__opencl_upload(device, buffer, 0, words, 2 * bytes, NULL);
    if (result >= 0) {
        nn__opencl_launch launch = nn__opencl_begin(device, "integer", "nn_integer_dot_test",
                                                    nn__opencl_dot_options(how));
        nn__opencl_view(&launch, &view[2]);
        nn__opencl_view(&launch, &view[0]);
        nn__opencl_view(&launch, &view[1]);
        result = nn__opencl_run_flat(&launch, NN__OPENCL_DOTS, 64);
    }
    if (result >= 0)
        result = nn__opencl_download(device, buffer, view[2].offset, words + 2 * NN__OPENCL_DOTS,
                                     bytes, NULL);
    if (result >= 0) result = device->backend.finish(device);
    device->backend.release(device, buffer, 3 * bytes);
    return result;
}

/* Compares the device's products with sums here. The first words have numbers at both ends. */
static bool nn__opencl_dot_right(nn__opencl *device, int how) {
    static const uint32_t ends[] = {0x80808080u, 0x7f7f7f7fu, 0x807f807fu, 0x01ff00feu};
    uint32_t words[3 * NN__OPENCL_DOTS], state = 1;
    for (int i = 0; i < 2 * NN__OPENCL_DOTS; i++) {
        state = state * 1664525u + 1013904223u;
        words[i] = state ^ state >> 16;
    }
    for (int i = 0; i < 16; i++) {
        words[i] = ends[i / 4];
        words[NN__OPENCL_DOTS + i] = ends[i % 4];
    }
    if (nn__opencl_dot_run(device, how, words) < 0) return false;
    for (int i = 0; i < NN__OPENCL_DOTS; i++) {
        uint32_t sum = (uint32_t)i;
        for (int bit = 0; bit < 32; bit += 8)
            sum += (uint32_t)((int32_t)(int8_t)(words[i] >> bit) *
                              (int32_t)(int8_t)(words[NN__OPENCL_DOTS + i] >> bit));
        if (words[2 * NN__OPENCL_DOTS + i] != sum) return false;
    }
    return true;
}

/* Runs the self-test, not as a part of the step that asks for it. */
static bool nn__opencl_dot_test(nn__opencl *device, int how) {
    const bool had_error = nn_error_code(device->nn) != NN_OK, dry = device->dry,
               begun = device->begun;
    const void *const step = device->step;
    nn__opencl_repeat *const repeat = device->repeat;
    nn__opencl_ahead *const ahead = device->ahead;
    device->dry = false;
    device->step = NULL;
    device->repeat = NULL;
    device->ahead = NULL;
    const bool right = nn__opencl_dot_right(device, how);
    device->dry = dry;
    device->begun = begun;
    device->step = step;
    device->repeat = repeat;
    device->ahead = ahead;
    if (!had_error) nn_clear_error(device->nn);
    return right;
}

NN__OPENCL_PRIVATE const char *nn__opencl_integer_dots(nn__opencl *device) {
    if (device->integer_dots == 0) {
        const int how = nn__opencl_dot_ask(device);
        device->integer_dots = -1;
        if (how > 0 && nn__opencl_dot_test(device, how))
            device->integer_dots = (signed char)how;
        else if (how > 0)
            nn__opencl_log(device->nn, "opencl: the self-test of 8-bit dot products failed, so "
                                       "integers take plain loops");
    }
    return nn__opencl_dot_options(device->integer_dots);
}
#undef NN__OPENCL_DOTS
#undef NN__OPENCL_PACKED
