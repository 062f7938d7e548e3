/* catalogue.h: runs one case of tests/golden/catalogue: builds our side, fills inputs, parameters
   and buffers by the formula, runs one step of a trainer and/or a plan, and compares outputs,
   gradients and buffers with what PyTorch made. The limit of the error is stated in
   tests/golden/catalogue/common.py. Include after "nn.h" and "test.h". */
#ifndef NN_CATALOGUE_H
#define NN_CATALOGUE_H

#include "nn_more.h"
#include "nn_quantize.h"
#include <stdlib.h>
#include "lists.h"

enum {
    CATALOGUE_COTANGENT = 900,
    CATALOGUE_MOST = 4096, /* numbers of a tensor */
    CATALOGUE_ROWS = 40,   /* tensors of a case */
    CATALOGUE_OUTPUTS = 8,
    CATALOGUE_BATCH = 0x10000, /* added to an extent that is NN_BATCH in our net */
    CATALOGUE_TIME = 0x20000
};

/* The distance function of a case that has its own. */
static nn_node *catalogue_far(nn_model *net, nn_node *a, nn_node *b, void *user) {
    (void)user;
    return nn_expression(net, "x: 1 - x", nn_cosine_similarity(net, a, b, 1));
}

typedef enum catalogue_mode { CATALOGUE_BOTH, CATALOGUE_STEP, CATALOGUE_PLAN } catalogue_mode;

typedef struct catalogue_row { /* an input (x), parameter (p), buffer (b) or output (y) */
    const char *name;
    char role, kind; /* of kind i: integers below `most` */
    int most, seed, rank, extent[NN_MAX_RANK];
    int literal;  /* where its own numbers begin; -1: they come from the formula */
    int expected; /* of an output, or of a buffer after a step; -1: not compared */
    double error; /* of PyTorch's float32 */
    int gradient; /* -1: none is asked for */
    double gradient_error;
} catalogue_row;

typedef struct catalogue_case {
    const char *name;
    void (*build)(nn_model *net, nn_node **in, nn_node **out);
    int first, count; /* rows */
    catalogue_mode mode;
    bool each; /* errors are relative to each number instead of the largest of the tensor */
} catalogue_case;

typedef struct catalogue_group {
    const char *name;
    const catalogue_case *cases;
    const catalogue_row *rows;
    const double *numbers;
    int sparse; /* one pair of cases in this number runs on OpenCL, unless NN_FULL is set */
    int count;
} catalogue_group;

typedef struct catalogue_run {
    nn_context *nn;
    nn_device device;
    const char *how;
    const catalogue_group *group;
    const catalogue_case *one;
    nn_model *net;
    nn_node *in[CATALOGUE_ROWS], *out[CATALOGUE_OUTPUTS], *r[CATALOGUE_OUTPUTS];
    int batch, time; /* 1: no extent is free */
    bool quiet;      /* failures are counted but not printed */
    int failures;
    char said[600]; /* the last failure */
} catalogue_run;

/* The same as value() of common.py. */
static double catalogue_value(int seed, int i, char kind, int most) {
    unsigned h = (unsigned)i * 2654435761u + (unsigned)seed * 40503u + 12345u;
    h ^= h >> 15;
    h *= 2246822519u;
    h ^= h >> 13;
    switch (kind) {
    case 'p': return ((double)(h % 257u) + 16) / 64;
    case 'u': return (double)(h % 65u) / 64;
    case 'o': return (double)(h % 63u + 1u) / 64;
    case 't': return (double)(h % 5u) - 2;
    case 'd': return ((double)(((unsigned)i * 73u + (unsigned)seed * 31u) % 257u) - 128) / 64;
    case 'w': return ((double)(h % 257u) - 128) / 256;
    case 'f': return ((double)(h % 257u) - 128) / 4;
    case 'b': return (double)(h % 2u);
    case 'r': return (h & 256u ? 1 : -1) * (double)(h % 128u + 1u) / 64;
    case 'i': return (double)(h % (unsigned)most);
    default: return ((double)(h % 257u) - 128) / 64;
    }
}

static void catalogue_fail(catalogue_run *run, const char *format, ...) {
    char text[500];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    snprintf(run->said, sizeof run->said, "%s.%s on %s: %s", run->group->name, run->one->name,
             run->how, text);
    if (!run->quiet) test_fail(__FILE__, __LINE__, "%s", run->said);
    run->failures++;
}

/* Returns what a stored number stands for. NaN and infinities have numbers of their own there,
   since they are no constants to every compiler. */
static double catalogue_number(double stored) {
    return stored == 1e301 ? (double)NAN : fabs(stored) == 1e302 ? stored * 1e302 : stored;
}

/* Reports the worst number of a tensor, once. error: of PyTorch's float32; -1: the numbers must be
   equal. expected: as stored. */
static void catalogue_compare(catalogue_run *run, const char *what, const char *name,
                              const double *actual, const double *stored, int count, double error) {
    static double expected[CATALOGUE_MOST];
    const double ulp = 1.1920929e-7;
    double largest = 0, worst = 0, allowed = 0;
    int where = -1;
    test_checked(count);
    for (int i = 0; i < count; i++) expected[i] = catalogue_number(stored[i]);
    for (int i = 0; i < count; i++)
        if (isfinite(expected[i]) && fabs(expected[i]) > largest) largest = fabs(expected[i]);
    for (int i = 0; i < count; i++) {
        double scale = run->one->each ? fabs(expected[i]) : largest, ratio;
        double limit = 4 * (error > ulp ? error : ulp) * scale + (double)FLT_MIN;
        double difference = fabs(actual[i] - expected[i]);
        if (error < 0) limit = 0;
        if (actual[i] == expected[i] || (actual[i] != actual[i] && expected[i] != expected[i]))
            continue;
        ratio = isfinite(difference) && limit > 0 ? difference / limit : HUGE_VAL;
        if (ratio > 1 && ratio > worst) worst = ratio, where = i, allowed = limit;
    }
    if (where >= 0)
        catalogue_fail(run,
                       "%s%s[%d] is %.9g instead of PyTorch's %.9g: off by %.3g, %.3g is allowed "
                       "(PyTorch's own error: %.2g)",
                       what, name, where, actual[where], expected[where],
                       fabs(actual[where] - expected[where]), allowed, error);
}

/* ---- our side -------------------------------------------------------------------------------- */

static int catalogue_count(const catalogue_row *row) {
    int count = 1;
    for (int i = 0; i < row->rank; i++) count *= row->extent[i] & 0xFFFF;
    return count;
}

static nn_shape catalogue_shape(const catalogue_row *row, bool free) {
    int32_t extent[NN_MAX_RANK];
    for (int i = 0; i < row->rank; i++) {
        extent[i] = row->extent[i] & 0xFFFF;
        if (free && row->extent[i] & CATALOGUE_BATCH) extent[i] = NN_BATCH;
        if (free && row->extent[i] & CATALOGUE_TIME) extent[i] = NN_TIME;
    }
    return nn_make_shape(extent, row->rank);
}

static nn_tensor *catalogue_tensor(catalogue_run *run, const catalogue_row *row) {
    nn_tensor_desc desc = {.name = row->name,
                           .shape = catalogue_shape(row, false),
                           .dtype = row->kind == 'i' ? NN_I32 : NN_F32};
    nn_tensor *tensor = nn_make_tensor(run->nn, &desc);
    void *data = nn_tensor_data(tensor);
    for (int i = 0; data && i < catalogue_count(row); i++) {
        double value = row->literal >= 0 ? catalogue_number(run->group->numbers[row->literal + i])
                                         : catalogue_value(row->seed, i, row->kind, row->most);
        if (row->kind == 'i')
            ((int32_t *)data)[i] = (int32_t)value;
        else
            ((float *)data)[i] = (float)value;
    }
    return tensor;
}

/* Adds an input, which is filled later, to the net. */
static nn_node *catalogue_input(catalogue_run *run, const catalogue_row *row) {
    bool free = false;
    for (int i = 0; i < row->rank; i++) {
        if (row->extent[i] & CATALOGUE_BATCH) run->batch = row->extent[i] & 0xFFFF, free = true;
        if (row->extent[i] & CATALOGUE_TIME) run->time = row->extent[i] & 0xFFFF, free = true;
    }
    if (free)
        return nn_input(run->net, row->name, row->kind == 'i' ? NN_I32 : NN_F32,
                        catalogue_shape(row, true));
    if (row->gradient >= 0)
        return nn_parameter(run->net, row->name, catalogue_shape(row, false), 0, 0);
    return nn_constant(run->net, row->name, catalogue_tensor(run, row));
}

/* Describes the net, without a loss. */
static bool catalogue_describe(catalogue_run *run) {
    const catalogue_row *rows = run->group->rows + run->one->first;
    nn_model_desc desc = {.name = run->one->name, .device = run->device};
    int inputs = 0;
    run->batch = run->time = 1;
    memset(run->in, 0, sizeof run->in);
    memset(run->out, 0, sizeof run->out);
    memset(run->r, 0, sizeof run->r);
    run->net = nn_make_model(run->nn, &desc);
    for (; inputs < run->one->count && rows[inputs].role == 'x'; inputs++)
        run->in[inputs] = catalogue_input(run, &rows[inputs]);
    run->one->build(run->net, run->in, run->out);
    for (int i = 0, k = 0; i < run->one->count; i++) {
        if (rows[i].role != 'y') continue;
        if (!run->out[k]) {
            catalogue_fail(run, "the snippet sets no out[%d]", k);
            return false;
        }
        nn_keep(run->out[k++]);
    }
    return true;
}

/* A loss that has only a gradient and no value. NN_ERROR_NAN would stop a step whose loss is
   not finite; and on OpenCL the gradient's program is the same for all cases of an operation, which
   saves the time of building others. */
static nn_result catalogue_zero(void *user, const nn_custom_args *args) {
    (void)user;
    *(float *)(void *)((char *)args->output.handle + args->output.offset) = 0;
    return NN_OK;
}
static nn_result catalogue_times_r(void *user, const nn_custom_args *args) {
    float *d = (float *)(void *)((char *)args->output.handle + args->output.offset);
    const float *dy = (float *)(void *)((char *)args->input[0].handle + args->input[0].offset);
    const float *r = (float *)(void *)((char *)args->input[3].handle + args->input[3].offset);
    (void)user;
    for (int i = 0, n = (int)nn_shape_count(args->output.shape); i < n; i++) d[i] = *dy * r[i];
    return NN_OK;
}
static nn_node *catalogue_anchor(catalogue_run *run, const char *name, nn_node *y, nn_node *r) {
    nn_custom_desc desc = {.inputs = NN_NODES(y, r),
                           .shape = NN_SHAPE(1),
                           .function = catalogue_zero,
                           .gradients = NN_CUSTOM_FUNCTIONS(catalogue_times_r),
                           .entry = "anchor_zero",
                           .gradient_entries = NN_TEXTS("anchor_gradient")};
    desc.source =
        "__kernel void anchor_zero(__global float *l, ulong l_at, const __global float *y,\n"
        "    ulong y_at, const __global float *r, ulong r_at, ulong n) {\n"
        "    if (get_global_id(0) < n) l[l_at + get_global_id(0)] = 0.0f;\n}\n"
        "__kernel void anchor_gradient(__global float *d, ulong d_at, const __global float *dy,\n"
        "    ulong dy_at, const __global float *l, ulong l_at, const __global float *y,\n"
        "    ulong y_at, const __global float *r, ulong r_at, ulong n) {\n"
        "    ulong i = get_global_id(0);\n"
        "    if (i < n) d[d_at + i] = dy[dy_at] * r[r_at + i];\n}\n";
    return nn_custom(run->net, name, &desc);
}

/* Describes the sum of y * r over all outputs that have a cotangent. */
static nn_node *catalogue_loss(catalogue_run *run) {
    const catalogue_row *rows = run->group->rows + run->one->first;
    nn_node *loss = NULL;
    char name[32];
    for (int i = 0, k = 0; i < run->one->count; i++) {
        const catalogue_row *row = &rows[i];
        bool finite = run->device.kind == NN_CPU, free = false;
        nn_node *r, *part;
        nn_shape shape;
        if (row->role != 'y') continue;
        k++;
        if (row->kind != 'r') continue;
        for (int j = 0; j < catalogue_count(row); j++)
            finite = finite && isfinite(catalogue_number(run->group->numbers[row->expected + j]));
        snprintf(name, sizeof name, "r%d", k - 1);
        shape = nn_node_shape(run->out[k - 1]);
        for (int j = 0; j < shape.rank; j++) free = free || shape.extent[j] < 0;
        r = free ? nn_input(run->net, name, NN_F32, shape)
                 : nn_constant(run->net, name, catalogue_tensor(run, row));
        if (free) run->r[k - 1] = r;
        snprintf(name, sizeof name, "anchor%d", k - 1);
        part = finite ? nn_sum(run->net, nn_multiply(run->net, run->out[k - 1], r))
                      : nn_sum(run->net, catalogue_anchor(run, name, run->out[k - 1], r));
        loss = loss ? nn_add(run->net, loss, part) : part;
    }
    return loss;
}

/* ---- running --------------------------------------------------------------------------------- */

static void catalogue_upload_wide(nn_tensor *to, const int32_t *numbers, size_t count) {
    static int64_t wide[CATALOGUE_MOST];
    for (size_t i = 0; i < count; i++) wide[i] = numbers[i];
    nn_upload_tensor(to, wide, count * sizeof *wide);
}

static void catalogue_fill(catalogue_run *run, nn_plan *plan) {
    const catalogue_row *rows = run->group->rows + run->one->first;
    for (int i = 0, k = 0; i < run->one->count; i++) {
        const catalogue_row *row = &rows[i];
        size_t bytes = (size_t)catalogue_count(row) * 4;
        nn_tensor *values, *to;
        bool free = false;
        for (int j = 0; j < row->rank; j++) free = free || row->extent[j] >= CATALOGUE_BATCH;
        if (row->role == 'y') k++;
        if (row->role == 'y' ? !run->r[k - 1] : row->role == 'x' && row->gradient < 0 && !free)
            continue;
        values = catalogue_tensor(run, row);
        if (row->role == 'y') {
            nn_upload(plan, run->r[k - 1], nn_tensor_data(values), bytes);
            continue;
        }
        if (free) {
            nn_upload(plan, run->in[i], nn_tensor_data(values), bytes);
            continue;
        }
        to = nn_find_tensor(run->net, row->name);
        if (!to)
            catalogue_fail(run, "the net has no tensor \"%s\"", row->name);
        else if (nn_tensor_dtype(to) == NN_I64) /* PyTorch's whole numbers */
            catalogue_upload_wide(to, (const int32_t *)nn_tensor_data(values), bytes / 4);
        else
            nn_upload_tensor(to, nn_tensor_data(values), bytes);
    }
}

static void catalogue_to_double(double *to, const void *from, nn_dtype dtype, int count) {
    for (int i = 0; i < count; i++)
        to[i] = dtype == NN_I32   ? (double)((const int32_t *)from)[i]
                : dtype == NN_I64 ? (double)((const int64_t *)from)[i]
                : dtype == NN_U8 ? (double)((const uint8_t *)from)[i]
                                 : (double)((const float *)from)[i];
}

static void catalogue_outputs(catalogue_run *run, nn_plan *plan, const char *what) {
    const catalogue_row *rows = run->group->rows + run->one->first;
    static char bytes[CATALOGUE_MOST * 4];
    static double numbers[CATALOGUE_MOST];
    for (int i = 0, k = 0; i < run->one->count && !nn_error(run->nn); i++) {
        const catalogue_row *row = &rows[i];
        int count = catalogue_count(row);
        nn_dtype dtype;
        nn_shape shape;
        if (row->role != 'y') continue;
        dtype = nn_node_dtype(run->out[k]);
        shape = nn_node_shape(run->out[k]);
        if (count > CATALOGUE_MOST || shape.rank != row->rank)
            catalogue_fail(run, "y%d has rank %d instead of PyTorch's %d", k, shape.rank,
                           row->rank);
        for (int j = 0; j < shape.rank && j < row->rank; j++)
            if (shape.extent[j] >= 0 && shape.extent[j] != row->extent[j])
                catalogue_fail(run, "extent %d of y%d is %d instead of PyTorch's %d", j, k,
                               shape.extent[j], row->extent[j]);
        if (nn_download(plan, run->out[k], bytes, (size_t)count * nn_dtype_size(dtype)) != NN_OK)
            return;
        catalogue_to_double(numbers, bytes, dtype, count);
        catalogue_compare(run, what, row->name, numbers, run->group->numbers + row->expected, count,
                          row->kind == 'i' ? -1.0 : row->error);
        k++;
    }
}

static bool catalogue_all_zero(const catalogue_run *run, int first, int count) {
    for (int i = 0; i < count; i++)
        if (run->group->numbers[first + i] != 0) return false;
    return true;
}

/* Compares gradients, and buffers as the step has left them. */
static void catalogue_states(catalogue_run *run, nn_trainer *trainer) {
    const catalogue_row *rows = run->group->rows + run->one->first;
    static char bytes[CATALOGUE_MOST * 8];
    static double numbers[CATALOGUE_MOST];
    for (int i = 0; i < run->one->count && !nn_error(run->nn); i++) {
        const catalogue_row *row = &rows[i];
        int count = catalogue_count(row);
        if (row->role == 'b' && row->expected >= 0) {
            nn_tensor *buffer = nn_find_tensor(run->net, row->name);
            nn_download_tensor(buffer, bytes, (size_t)nn_tensor_bytes(buffer));
            catalogue_to_double(numbers, bytes, nn_tensor_dtype(buffer), count);
            catalogue_compare(run, "after the step, ", row->name, numbers,
                              run->group->numbers + row->expected, count,
                              row->kind == 'i' ? -1.0 : row->error);
        }
        if (row->gradient < 0) continue;
        if (nn_read_gradient(trainer, row->name, bytes, (size_t)count * sizeof(float)) != NN_OK &&
            catalogue_all_zero(run, row->gradient, count)) {
            nn_clear_error(run->nn); /* the loss does not depend on it, so it is not trained */
            continue;
        }
        catalogue_to_double(numbers, bytes, NN_F32, count);
        if (!nn_error(run->nn))
            catalogue_compare(run, "the gradient of ", row->name, numbers,
                              run->group->numbers + row->gradient, count, row->gradient_error);
    }
}

static void catalogue_step(catalogue_run *run) {
    nn_trainer_desc desc = {.batch = run->batch, .time = run->time, .gradients = true};
    nn_node *loss = catalogue_loss(run);
    nn_trainer *trainer;
    desc.learning_rate = NN_NONE;
    trainer = nn_make_trainer(run->net, loss, &desc);
    if (!trainer) return;
    catalogue_fill(run, nn_trainer_plan(trainer));
    nn_train_on_inputs(trainer);
    catalogue_outputs(run, nn_trainer_plan(trainer), "in a step, ");
    catalogue_states(run, trainer);
}

static void catalogue_plan(catalogue_run *run) {
    nn_plan_desc desc = {.batch = run->batch, .time = run->time};
    nn_plan *plan;
    for (int k = 0; k < CATALOGUE_OUTPUTS && run->out[k]; k++)
        NODE_AT(desc.outputs, k) = run->out[k];
    plan = nn_make_plan(run->net, &desc);
    if (!plan) return;
    catalogue_fill(run, plan);
    nn_run(plan);
    catalogue_outputs(run, plan, "in a plan, ");
}

/* Runs the case; run->failures counts what differs. */
static void catalogue_run_case(catalogue_run *run, const catalogue_group *group,
                               const catalogue_case *one) {
    run->group = group;
    run->one = one;
    for (int step = 0; step < 2; step++) {
        if (one->mode == (step ? CATALOGUE_PLAN : CATALOGUE_STEP)) continue;
        /* there a plan takes a second to build the same kernels again */
        if (!step && one->mode == CATALOGUE_BOTH && run->device.kind != NN_CPU) continue;
        if (catalogue_describe(run)) {
            if (step)
                catalogue_step(run);
            else
                catalogue_plan(run);
        }
        if (nn_error(run->nn)) catalogue_fail(run, "%s", nn_error(run->nn));
        nn_clear_error(run->nn);
        nn_free_model(run->net);
    }
}

#endif
