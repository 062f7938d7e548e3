/* kernels/cross_entropy/opencl.c - torch.nn.CrossEntropyLoss with class indices, forward and
   backward.

   Scratch: a term for each position (forward only), three numbers for each block of positions, two
   numbers for backward. A head has two more numbers for each position, so that backward need not
   read the logits three times. The sums are one unit: the last of forward, the first of backward.
   The kernels are in kernels/cross_entropy/opencl.cl. */
#include "opencl/private.h"

#define NN__ENTROPY_BLOCK         4096 /* as in the kernels */
#define NN__ENTROPY_SMALL         8192 /* most logits of a single launch */
#define NN__ENTROPY_SMALL_CLASSES 64
#define NN__ENTROPY_WHOLE         256 /* most positions for which one group does everything */

typedef struct nn__opencl_entropy {
    int64_t positions, inner, step; /* step: positions per unit */
    int32_t classes;
    nn_view term, part, number;
    nn_view kept; /* of a head: the largest logit and the sum of each position */
    const nn_cross_entropy_head_args *head; /* forward, backward and total in one step; or NULL */
} nn__opencl_entropy;

static nn__opencl_entropy nn__opencl_entropy_plan(const nn_cross_entropy_args *args,
                                                  const nn_cross_entropy_head_args *head,
                                                  bool backward) {
    nn__opencl_entropy plan;
    uint64_t at = 0, terms, parts;
    plan.head = head;
    plan.classes = args->logits.shape.extent[1];
    plan.positions = nn__opencl_count(&args->logits) / plan.classes;
    plan.inner = plan.positions / args->logits.shape.extent[0];
    plan.step = (1 << 20) / plan.classes;
    if (plan.step < 1) plan.step = 1;
    terms = backward ? 0 : (uint64_t)plan.positions * sizeof(float);
    parts = (uint64_t)nn__opencl_ceil_div(plan.positions, NN__ENTROPY_BLOCK) * 3 * sizeof(float);
    memset(&plan.term, 0, sizeof plan.term);
    if (!backward) plan.term = nn__opencl_part(&args->scratch, at, terms);
    if (!backward && args->reduction == NN_REDUCTION_NONE) plan.term = args->loss;
    plan.part = nn__opencl_part(&args->scratch, at += terms, parts);
    plan.number = nn__opencl_part(&args->scratch, at += parts, 2 * sizeof(float));
    memset(&plan.kept, 0, sizeof plan.kept);
    if (head)
        plan.kept = nn__opencl_part(&args->scratch, at + 2 * sizeof(float),
                                    2 * sizeof(float) * (uint64_t)plan.positions);
    return plan;
}

static uint64_t nn__opencl_entropy_scratch(const nn_cross_entropy_args *args, bool backward) {
    int64_t positions = nn__opencl_count(&args->logits) / args->logits.shape.extent[1];
    int64_t numbers = (backward ? 0 : positions) +
                      3 * (int64_t)nn__opencl_ceil_div(positions, NN__ENTROPY_BLOCK) + 2;
    return (uint64_t)numbers * sizeof(float);
}
static uint64_t nn__opencl_entropy_forward_scratch(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_entropy_scratch((const nn_cross_entropy_args *)args, false);
}
static uint64_t nn__opencl_entropy_head_scratch(nn__opencl *device, const void *args) {
    const nn__opencl_entropy plan =
        nn__opencl_entropy_plan((const nn_cross_entropy_args *)args, NULL, false);
    (void)device;
    return nn__opencl_entropy_scratch((const nn_cross_entropy_args *)args, false) +
           2 * sizeof(float) * (uint64_t)plan.positions;
}
static uint64_t nn__opencl_entropy_backward_scratch(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_entropy_scratch((const nn_cross_entropy_args *)args, true);
}

/* True if everything is one launch and one unit. A group of 64 then takes less time than two
   launches. */
static bool nn__opencl_entropy_is_small(nn__opencl *device, const nn__opencl_entropy *plan) {
    return device->group >= 64 && plan->classes <= NN__ENTROPY_SMALL_CLASSES &&
           plan->positions <= NN__ENTROPY_SMALL / plan->classes;
}

static int32_t nn__opencl_entropy_units(nn__opencl *device, const void *args) {
    nn__opencl_entropy plan =
        nn__opencl_entropy_plan((const nn_cross_entropy_args *)args, NULL, true);
    if (nn__opencl_entropy_is_small(device, &plan)) return 1;
    return nn__opencl_ceil_div(plan.positions, plan.step) + 1;
}

/* Begins a launch of the program for the dtypes of the logits and their gradient. kept: the program
   of a head, whose forward leaves numbers for backward. */
static nn__opencl_launch nn__opencl_entropy_program_of(nn__opencl *device, const char *entry,
                                                       const nn_cross_entropy_args *args,
                                                       bool kept) {
    const int z = nn__opencl_stored(&args->logits), dz = nn__opencl_stored(&args->dlogits);
    char options[80];
    if (!z && !dz && !kept) return nn__opencl_begin(device, "cross_entropy", entry, "");
    nn__opencl_format(options, sizeof options, "-DNN_ENTROPY_Z=%d -DNN_ENTROPY_DZ=%d%s", z, dz,
                      kept ? " -DNN_ENTROPY_KEPT=1" : "");
    return nn__opencl_begin(device, "cross_entropy", entry, options);
}
static nn__opencl_launch nn__opencl_entropy_program(nn__opencl *device, const char *entry,
                                                    const nn_cross_entropy_args *args) {
    return nn__opencl_entropy_program_of(device, entry, args, false);
}

static void nn__opencl_entropy_common(nn__opencl_launch *launch, const nn_cross_entropy_args *args,
                                      const nn__opencl_entropy *plan) {
    nn__opencl_view(launch, &args->label);
    nn__opencl_view(launch, &args->weight);
    nn__opencl_int(launch, plan->classes);
    nn__opencl_int(launch, (args->ignore ? 1 : 0) + (args->log_probabilities ? 2 : 0));
    nn__opencl_int(launch, args->ignore_index);
    nn__opencl_float(launch, args->label_smoothing);
}

static void nn__opencl_entropy_sums(nn__opencl_launch *launch, const nn_cross_entropy_args *args,
                                    const nn__opencl_entropy *plan, bool backward) {
    const bool each = args->reduction == NN_REDUCTION_NONE, adds = plan->head && !backward;
    nn_view none;
    memset(&none, 0, sizeof none);
    nn__opencl_entropy_common(launch, args, plan);
    nn__opencl_ulong(launch, (uint64_t)plan->positions);
    nn__opencl_view(launch, &plan->part);
    nn__opencl_view(launch, backward || each ? &none : &args->loss);
    nn__opencl_view(launch, &plan->number);
    nn__opencl_view(launch, (backward || plan->head) && !each ? &args->dloss : &none);
    nn__opencl_view(launch, &args->status);
    nn__opencl_uint(launch, args->step);
    nn__opencl_int(launch, args->reduction != NN_SUM && !each);
    nn__opencl_view(launch, adds ? &plan->head->total : &none);
    nn__opencl_float(launch, adds ? plan->head->weight : 0.0f);
    nn__opencl_int(launch, adds && plan->head->check);
}

static nn_result nn__opencl_entropy_sum(nn__opencl *device, const nn_cross_entropy_args *args,
                                        const nn__opencl_entropy *plan, bool backward) {
    size_t blocks = (size_t)nn__opencl_ceil_div(plan->positions, NN__ENTROPY_BLOCK), one = 1,
           local = 64;
    bool groups = device->group >= 64;
    nn__opencl_launch launch = nn__opencl_entropy_program(
        device, groups ? "nn_entropy_sum_group" : "nn_entropy_sum", args);
    if (groups && launch.result == NN_OK && nn__opencl_group(&launch, 64) < 64) {
        groups = false;
        launch = nn__opencl_entropy_program(device, "nn_entropy_sum", args);
    }
    nn__opencl_view(&launch, &plan->term);
    nn__opencl_entropy_sums(&launch, args, plan, backward);
    nn_result result = nn__opencl_run(&launch, 1, &blocks, groups ? &local : &one);
    if (result != NN_OK || blocks == 1) return result;
    launch = nn__opencl_entropy_program(device, "nn_entropy_finish", args);
    nn__opencl_entropy_sums(&launch, args, plan, backward);
    return nn__opencl_run(&launch, 1, &one, &one);
}

/* Runs the whole forward or backward of few positions. *done is set to false if the kernel gets no
   work-group of 64 here. */
static nn_result nn__opencl_entropy_head(nn__opencl *device, const nn_cross_entropy_args *args,
                                         const nn__opencl_entropy *plan, bool backward,
                                         bool *done) {
    const bool each = args->reduction == NN_REDUCTION_NONE;
    size_t groups = backward ? (size_t)nn__opencl_ceil_div(plan->positions, 64) : 1, local = 64;
    nn_view none;
    nn__opencl_launch launch = nn__opencl_entropy_program(
        device, backward ? "nn_entropy_backward_head" : "nn_entropy_head", args);
    *done = launch.result != NN_OK || nn__opencl_group(&launch, 64) == 64;
    if (!*done) return NN_OK;
    memset(&none, 0, sizeof none);
    if (backward) nn__opencl_view(&launch, &args->dlogits);
    nn__opencl_view(&launch, &args->logits);
    nn__opencl_ulong(&launch, (uint64_t)plan->inner);
    nn__opencl_view(&launch, !each ? &none : backward ? &args->dloss : &args->loss);
    nn__opencl_entropy_sums(&launch, args, plan, backward);
    return nn__opencl_run(&launch, 1, &groups, &local);
}

typedef enum nn__opencl_entropy_way { NN__ENTROPY_EACH, NN__ENTROPY_GROUP } nn__opencl_entropy_way;

static nn__opencl_launch nn__opencl_entropy_begin(nn__opencl *device,
                                                  const nn_cross_entropy_args *args,
                                                  const nn__opencl_entropy *plan, bool backward,
                                                  nn__opencl_entropy_way *way) {
    static const char *const names[2][2] = {
        {"nn_entropy_each", "nn_entropy_group"},
        {"nn_entropy_backward_each", "nn_entropy_backward_group"}};
    *way = NN__ENTROPY_EACH;
    if (plan->classes > 64 && plan->inner == 1 && device->group >= 64) {
        nn__opencl_launch launch = nn__opencl_entropy_program_of(
            device, names[backward][NN__ENTROPY_GROUP], args, plan->head != NULL);
        *way = NN__ENTROPY_GROUP;
        if (launch.result != NN_OK || nn__opencl_group(&launch, 64) == 64) return launch;
        *way = NN__ENTROPY_EACH;
    }
    return nn__opencl_entropy_program(device, names[backward][*way], args);
}

/* Runs units [first, end) of the rows. */
static nn_result nn__opencl_entropy_rows(nn__opencl *device, const nn_cross_entropy_args *args,
                                         const nn__opencl_entropy *plan, bool backward,
                                         int64_t first, int64_t end) {
    nn__opencl_entropy_way way;
    nn__opencl_launch launch = nn__opencl_entropy_begin(device, args, plan, backward, &way);
    first = first < 0 ? 0 : first * plan->step, end *= plan->step;
    if (end > plan->positions) end = plan->positions;
    if (first >= end) return launch.result;
    nn__opencl_view(&launch, backward ? &args->dlogits : &plan->term);
    nn__opencl_view(&launch, &args->logits);
    if (backward) {
        nn_view none;
        memset(&none, 0, sizeof none);
        nn__opencl_view(&launch, &plan->number);
        nn__opencl_view(&launch, args->reduction == NN_REDUCTION_NONE ? &args->dloss : &none);
    }
    nn__opencl_entropy_common(&launch, args, plan);
    nn__opencl_ulong(&launch, (uint64_t)plan->inner);
    nn__opencl_ulong(&launch, (uint64_t)first);
    if (way == NN__ENTROPY_GROUP) {
        nn__opencl_view(&launch, &plan->kept);
        size_t groups = (size_t)(end - first), local = 64;
        return nn__opencl_run(&launch, 1, &groups, &local);
    }
    nn__opencl_ulong(&launch, (uint64_t)end);
    nn__opencl_uint(&launch, 1);
    return nn__opencl_run_flat(&launch, (uint64_t)(end - first), 64);
}

static nn_result nn__opencl_entropy_forward_units(nn__opencl *device,
                                                  const nn_cross_entropy_args *args,
                                                  const nn_cross_entropy_head_args *head,
                                                  int32_t first, int32_t count) {
    nn__opencl_entropy plan = nn__opencl_entropy_plan(args, head, false);
    int64_t rows = nn__opencl_ceil_div(plan.positions, plan.step), end = (int64_t)first + count;
    nn_result result = NN_OK;
    if (nn__opencl_entropy_is_small(device, &plan)) {
        bool done;
        result = nn__opencl_entropy_head(device, args, &plan, false, &done);
        if (done) return result;
        end = rows + 1;
    }
    result = nn__opencl_entropy_rows(device, args, &plan, false, first, end < rows ? end : rows);
    return result == NN_OK && end > rows ? nn__opencl_entropy_sum(device, args, &plan, false)
                                         : result;
}

/* Runs units of backward. In a head, forward has already left the numbers. */
static nn_result nn__opencl_entropy_backward_units(nn__opencl *device,
                                                   const nn_cross_entropy_args *args,
                                                   const nn_cross_entropy_head_args *head,
                                                   int32_t first, int32_t count) {
    nn__opencl_entropy plan = nn__opencl_entropy_plan(args, head, !head);
    int64_t end = (int64_t)first + count;
    nn_result result = NN_OK;
    if (nn__opencl_entropy_is_small(device, &plan)) {
        bool done;
        result = nn__opencl_entropy_head(device, args, &plan, true, &done);
        if (done) return result;
        end = nn__opencl_ceil_div(plan.positions, plan.step) + 1;
    }
    if (first == 0 && count > 0 && !head)
        result = nn__opencl_entropy_sum(device, args, &plan, true);
    return result == NN_OK
               ? nn__opencl_entropy_rows(device, args, &plan, true, (int64_t)first - 1, end - 1)
               : result;
}

static nn_result nn__opencl_entropy_forward_run(nn__opencl *device, const void *args, int32_t first,
                                                int32_t count) {
    return nn__opencl_entropy_forward_units(device, (const nn_cross_entropy_args *)args, NULL,
                                            first, count);
}
static nn_result nn__opencl_entropy_backward_run(nn__opencl *device, const void *args,
                                                 int32_t first, int32_t count) {
    return nn__opencl_entropy_backward_units(device, (const nn_cross_entropy_args *)args, NULL,
                                             first, count);
}

/* ---- head: one work-group of 64 if small, else forward and backward -------------------------- */

static bool nn__opencl_entropy_is_whole(nn__opencl *device, const nn_cross_entropy_args *args) {
    const nn__opencl_entropy plan = nn__opencl_entropy_plan(args, NULL, false);
    return nn__opencl_entropy_is_small(device, &plan) && plan.positions <= NN__ENTROPY_WHOLE;
}

static int32_t nn__opencl_entropy_head_units(nn__opencl *device, const void *args) {
    return nn__opencl_entropy_is_whole(device, (const nn_cross_entropy_args *)args)
               ? 1
               : 2 * nn__opencl_entropy_units(device, args);
}

static nn_result nn__opencl_entropy_whole(nn__opencl *device, const nn_cross_entropy_head_args *all,
                                          bool *done) {
    const nn_cross_entropy_args *args = &all->entropy;
    const nn__opencl_entropy plan = nn__opencl_entropy_plan(args, all, false);
    size_t groups = 1, local = 64;
    nn__opencl_launch launch = nn__opencl_entropy_program(device, "nn_entropy_whole", args);
    *done = launch.result != NN_OK || nn__opencl_group(&launch, 64) == 64;
    if (!*done) return NN_OK;
    nn__opencl_view(&launch, &args->dlogits);
    nn__opencl_view(&launch, &args->logits);
    nn__opencl_ulong(&launch, (uint64_t)plan.inner);
    nn__opencl_entropy_sums(&launch, args, &plan, false);
    return nn__opencl_run(&launch, 1, &groups, &local);
}

static nn_result nn__opencl_entropy_head_run(nn__opencl *device, const void *arguments,
                                             int32_t first, int32_t count) {
    const nn_cross_entropy_head_args *all = (const nn_cross_entropy_head_args *)arguments;
    const int32_t units = nn__opencl_entropy_units(device, arguments);
    int32_t end = first + count;
    nn_result result = NN_OK;
    if (nn__opencl_entropy_is_whole(device, &all->entropy)) {
        bool done;
        result = nn__opencl_entropy_whole(device, all, &done);
        if (done) return result;
        end = 2 * units;
    }
    if (first < units)
        result = nn__opencl_entropy_forward_units(device, &all->entropy, all, first,
                                                  (end < units ? end : units) - first);
    if (result != NN_OK || end <= units) return result;
    const int32_t from = first > units ? first - units : 0;
    return nn__opencl_entropy_backward_units(device, &all->entropy, all, from, end - units - from);
}
#undef NN__ENTROPY_BLOCK
#undef NN__ENTROPY_SMALL
#undef NN__ENTROPY_WHOLE
#undef NN__ENTROPY_SMALL_CLASSES

/* True if no operand but the logits and their gradient is f16 or bf16. */
static bool nn__opencl_entropy_halves(nn__opencl *device, const void *arguments) {
    const nn_cross_entropy_args *args = (const nn_cross_entropy_args *)arguments;
    (void)device;
    return !nn__opencl_stored(&args->loss) && !nn__opencl_stored(&args->dloss) &&
           !nn__opencl_stored(&args->weight);
}

static const nn__opencl_kernel nn__opencl_entropy_forward = {
    NULL, nn__opencl_entropy_forward_scratch, nn__opencl_entropy_units,
    nn__opencl_entropy_forward_run, nn__opencl_entropy_halves};
static const nn__opencl_kernel nn__opencl_entropy_backward = {
    NULL, nn__opencl_entropy_backward_scratch, nn__opencl_entropy_units,
    nn__opencl_entropy_backward_run, nn__opencl_entropy_halves};

static const nn__opencl_kernel nn__opencl_entropy_all = {
    NULL, nn__opencl_entropy_head_scratch, nn__opencl_entropy_head_units,
    nn__opencl_entropy_head_run, nn__opencl_entropy_halves};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_cross_entropy_head(void) {
    return &nn__opencl_entropy_all;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_cross_entropy_forward(void) {
    return &nn__opencl_entropy_forward;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_cross_entropy_backward(void) {
    return &nn__opencl_entropy_backward;
}
