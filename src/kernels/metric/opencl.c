/* kernels/metric/opencl.c - accuracy and confusion matrix of a batch, and running totals of losses
   and metrics. */
#include "opencl/private.h"

static int64_t nn__opencl_metric_positions(const nn_view *logits) {
    return nn__opencl_count(logits) / logits->shape.extent[1];
}

/* Returns the positions that a work-item counts. There are fewer than 65536 counts: Mesa's llvmpipe
   ends every loop there. */
static int64_t nn__opencl_metric_each(const nn_view *logits) {
    const int64_t each = nn__opencl_metric_positions(logits) >> 15;
    return each > 0 ? each : 1;
}

static int64_t nn__opencl_metric_items(const nn_view *logits) {
    return nn__opencl_ceil_div(nn__opencl_metric_positions(logits),
                               nn__opencl_metric_each(logits));
}

static void nn__opencl_metric_operands(nn__opencl_launch *launch, const nn_view *logits,
                                       const nn_view *label) {
    int64_t positions = nn__opencl_metric_positions(logits);
    nn__opencl_view(launch, logits);
    nn__opencl_view(launch, label);
    nn__opencl_int(launch, logits->shape.extent[1]);
    nn__opencl_ulong(launch, (uint64_t)(positions / logits->shape.extent[0]));
    nn__opencl_ulong(launch, (uint64_t)positions);
    nn__opencl_uint(launch, (uint32_t)nn__opencl_metric_each(logits));
}

static uint64_t nn__opencl_metric_scratch(nn__opencl *device, const void *arguments) {
    (void)device;
    const nn_accuracy_args *args = (const nn_accuracy_args *)arguments;
    return (uint64_t)nn__opencl_metric_items(&args->logits) * sizeof(int32_t);
}

static nn_result nn__opencl_metric_run(nn__opencl *device, const void *arguments, int32_t first,
                                       int32_t count) {
    const nn_accuracy_args *args = (const nn_accuracy_args *)arguments;
    int64_t counts = nn__opencl_metric_items(&args->logits);
    nn_view part = nn__opencl_part(&args->scratch, 0, (uint64_t)counts * sizeof(int32_t));
    bool groups = counts > 16 && device->group >= 64;
    size_t one = 1, local = 64;
    nn__opencl_launch launch = nn__opencl_begin(device, "metric", "nn_accuracy_count", "");
    if (first > 0 || count <= 0) return launch.result;
    nn__opencl_view(&launch, &part);
    nn__opencl_metric_operands(&launch, &args->logits, &args->label);
    nn__opencl_int(&launch, args->top > 1 ? args->top : 1);
    nn_result result = nn__opencl_run_flat(&launch, (uint64_t)counts, 64);
    if (result != NN_OK) return result;
    launch = nn__opencl_begin(device, "metric",
                              groups ? "nn_accuracy_finish_group" : "nn_accuracy_finish", "");
    if (groups && launch.result == NN_OK && nn__opencl_group(&launch, 64) < 64) {
        groups = false;
        launch = nn__opencl_begin(device, "metric", "nn_accuracy_finish", "");
    }
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &part);
    nn__opencl_ulong(&launch, (uint64_t)counts);
    nn__opencl_ulong(&launch, (uint64_t)nn__opencl_metric_positions(&args->logits));
    return nn__opencl_run(&launch, 1, &one, groups ? &local : &one);
}

static nn_result nn__opencl_metric_confusion(nn__opencl *device, const void *arguments,
                                             int32_t first, int32_t count) {
    const nn_confusion_args *args = (const nn_confusion_args *)arguments;
    nn__opencl_launch launch = nn__opencl_begin(device, "metric", "nn_confusion", "");
    if (first > 0 || count <= 0) return launch.result;
    nn__opencl_view(&launch, &args->counts);
    nn__opencl_metric_operands(&launch, &args->logits, &args->label);
    nn__opencl_view(&launch, &args->status);
    return nn__opencl_run_flat(&launch, (uint64_t)nn__opencl_metric_items(&args->logits),
                               64);
}

static nn_result nn__opencl_metric_accumulate(nn__opencl *device, const void *arguments,
                                              int32_t first, int32_t count) {
    const nn_accumulate_args *args = (const nn_accumulate_args *)arguments;
    nn__opencl_launch launch = nn__opencl_begin(device, "metric", "nn_accumulate", "");
    if (first > 0 || count <= 0) return launch.result;
    nn__opencl_view(&launch, &args->total);
    nn__opencl_view(&launch, &args->value);
    nn__opencl_float(&launch, args->weight);
    nn__opencl_int(&launch, args->check);
    nn__opencl_view(&launch, &args->status);
    nn__opencl_uint(&launch, args->step);
    nn__opencl_int(&launch, args->sums);
    return nn__opencl_run_flat(&launch, args->sums > 0 ? (uint64_t)args->sums : 1, 64);
}

static const nn__opencl_kernel nn__opencl_accuracy_kernel = {NULL, nn__opencl_metric_scratch, NULL,
                                                             nn__opencl_metric_run, NULL};
static const nn__opencl_kernel nn__opencl_confusion_kernel = {NULL, NULL, NULL,
                                                              nn__opencl_metric_confusion, NULL};
static const nn__opencl_kernel nn__opencl_accumulate_kernel = {NULL, NULL, NULL,
                                                               nn__opencl_metric_accumulate, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_accuracy(void) {
    return &nn__opencl_accuracy_kernel;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_confusion(void) {
    return &nn__opencl_confusion_kernel;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_accumulate(void) {
    return &nn__opencl_accumulate_kernel;
}
