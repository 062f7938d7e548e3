/* kernels/ctc/opencl.c - connectionist temporal classification on OpenCL. */
#include "opencl/private.h"

#define NN__CTC_GROUP 64 /* as in the kernels */

static uint64_t nn__opencl_ctc_samples(const nn_ctc_args *args) {
    return (uint64_t)args->input_lengths.shape.extent[0];
}
static uint64_t nn__opencl_ctc_states(const nn_ctc_args *args) {
    return 2 * (uint64_t)args->targets.shape.extent[1] + 1;
}
/* Returns the bytes of the rows of alpha and beta. */
static uint64_t nn__opencl_ctc_rows(const nn_ctc_args *args, bool backward) {
    const uint64_t rows = backward ? (uint64_t)args->log_probabilities.shape.extent[0] + 2 : 2;
    return nn__opencl_ctc_samples(args) * rows * nn__opencl_ctc_states(args) * sizeof(float);
}

static uint64_t nn__opencl_ctc_forward_scratch(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_ctc_rows((const nn_ctc_args *)args, false);
}
static uint64_t nn__opencl_ctc_backward_scratch(nn__opencl *device, const void *arguments) {
    const nn_ctc_args *args = (const nn_ctc_args *)arguments;
    (void)device;
    return nn__opencl_ctc_rows(args, true) +
           (uint64_t)nn__opencl_count(&args->targets) * 2 * sizeof(int32_t);
}

static int32_t nn__opencl_ctc_each(void) { return 256; }
static int32_t nn__opencl_ctc_units(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_ceil_div((int64_t)nn__opencl_ctc_samples((const nn_ctc_args *)args),
                               nn__opencl_ctc_each());
}

static nn_result nn__opencl_ctc_run(nn__opencl *device, const nn_ctc_args *args, bool backward,
                                    int32_t first, int32_t count) {
    const int32_t each = nn__opencl_ctc_each();
    const int32_t *extent = args->log_probabilities.shape.extent;
    int64_t end = ((int64_t)first + count) * each;
    nn_view work = nn__opencl_part(&args->scratch, 0, nn__opencl_ctc_rows(args, backward));
    nn__opencl_launch launch =
        nn__opencl_begin(device, "ctc", backward ? "nn_ctc_backward" : "nn_ctc_forward", "");
    if (end > extent[1]) end = extent[1];
    first *= each;
    size_t groups = (size_t)(end > first ? end - first : 0),
           local = nn__opencl_group(&launch, NN__CTC_GROUP);
    nn__opencl_view(&launch, backward ? &args->dlog_probabilities : &args->loss);
    if (backward) nn__opencl_view(&launch, &args->dloss);
    nn__opencl_view(&launch, &args->log_probabilities);
    nn__opencl_view(&launch, &args->targets);
    nn__opencl_view(&launch, &args->input_lengths);
    nn__opencl_view(&launch, &args->target_lengths);
    nn__opencl_view(&launch, &work);
    for (int i = 0; i < 3; i++) nn__opencl_int(&launch, extent[i]);
    nn__opencl_int(&launch, args->targets.shape.extent[1]);
    nn__opencl_int(&launch, args->blank);
    nn__opencl_int(&launch, args->zero_infinity);
    nn__opencl_int(&launch, first);
    if (backward) {
        nn_view chain = nn__opencl_part(&args->scratch, nn__opencl_ctc_rows(args, true),
                                        (uint64_t)nn__opencl_count(&args->targets) * 2 * 4);
        chain.dtype = NN_I32;
        nn__opencl_view(&launch, &chain);
    } else {
        nn__opencl_view(&launch, &args->status);
        nn__opencl_uint(&launch, args->step);
    }
    return nn__opencl_run(&launch, 1, &groups, &local);
}
#undef NN__CTC_GROUP

static nn_result nn__opencl_ctc_forward_run(nn__opencl *device, const void *args, int32_t first,
                                            int32_t count) {
    return nn__opencl_ctc_run(device, (const nn_ctc_args *)args, false, first, count);
}
static nn_result nn__opencl_ctc_backward_run(nn__opencl *device, const void *args, int32_t first,
                                             int32_t count) {
    return nn__opencl_ctc_run(device, (const nn_ctc_args *)args, true, first, count);
}

static const nn__opencl_kernel nn__opencl_ctc_forward = {
    NULL, nn__opencl_ctc_forward_scratch, nn__opencl_ctc_units, nn__opencl_ctc_forward_run, NULL};
static const nn__opencl_kernel nn__opencl_ctc_backward = {
    NULL, nn__opencl_ctc_backward_scratch, nn__opencl_ctc_units, nn__opencl_ctc_backward_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_ctc_forward(void) {
    return &nn__opencl_ctc_forward;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_ctc_backward(void) {
    return &nn__opencl_ctc_backward;
}
