/* kernels/recurrent/opencl.c - lstm, gru and rnn on OpenCL: one launch transposes the weight, one
   takes all samples through their steps. */
#include "opencl/private.h"

#define NN__RECURRENT_SAMPLES 4 /* samples per work-group, as in the kernels; a group is a unit */
#define NN__RECURRENT_GROUP   256

/* The extents of x (or dx) and of the weight. */
typedef struct nn__opencl_recurrence {
    int32_t N, T, H, P, gates;
} nn__opencl_recurrence;

static nn__opencl_recurrence nn__opencl_recurrence_of(const nn_view *x, const nn_view *weight,
                                                      nn_recurrent_cell cell) {
    nn__opencl_recurrence r;
    r.N = x->shape.extent[0];
    r.T = x->shape.extent[1];
    r.gates = weight->shape.extent[0];
    r.P = weight->shape.extent[1];
    r.H = r.gates / NN_RECURRENT_GATES(cell);
    return r;
}

/* True if an lstm's h0 has the cells after the states. */
static bool nn__opencl_recurrent_joined(const nn__opencl_recurrence *r, const nn_view *h0,
                                        const nn_view *c0, nn_recurrent_cell cell) {
    return cell == NN_RECURRENT_LSTM && nn__opencl_present(h0) && !nn__opencl_present(c0) &&
           h0->shape.extent[h0->shape.rank - 1] > r->P;
}
static void nn__opencl_recurrent_first(nn__opencl_launch *launch, const nn__opencl_recurrence *r,
                                       const nn_view *h0, const nn_view *c0,
                                       nn_recurrent_cell cell) {
    nn_view cells = *c0;
    if (nn__opencl_recurrent_joined(r, h0, c0, cell)) {
        cells = *h0;
        cells.offset += (uint64_t)r->P * sizeof(float);
    }
    nn__opencl_view(launch, h0);
    nn__opencl_view(launch, &cells);
}
static void nn__opencl_recurrent_rows(nn__opencl_launch *launch, const nn__opencl_recurrence *r,
                                      const nn_view *h0, const nn_view *c0,
                                      nn_recurrent_cell cell) {
    const bool joined = nn__opencl_recurrent_joined(r, h0, c0, cell);
    nn__opencl_int(launch, joined ? r->P + r->H : r->P);
    nn__opencl_int(launch, joined ? r->P + r->H : r->H);
}

static nn__opencl_launch nn__opencl_recurrent_begin(nn__opencl *device, const char *entry) {
    return nn__opencl_begin(device, "recurrent", entry, "");
}

static void nn__opencl_recurrent_numbers(nn__opencl_launch *launch, const nn__opencl_recurrence *r,
                                         nn_recurrent_cell cell, bool reverse, int32_t first) {
    nn__opencl_int(launch, r->N);
    nn__opencl_int(launch, r->T);
    nn__opencl_int(launch, r->H);
    nn__opencl_int(launch, r->P);
    nn__opencl_int(launch, (int32_t)cell);
    nn__opencl_int(launch, reverse);
    nn__opencl_int(launch, first);
}

static nn_result nn__opencl_recurrent_launch(nn__opencl_launch *launch,
                                             const nn__opencl_recurrence *r, int32_t count) {
    size_t groups = (size_t)count, wanted = 1;
    while (wanted < NN__RECURRENT_GROUP && wanted < (size_t)r->gates) wanted *= 2;
    size_t local = nn__opencl_group(launch, wanted);
    return nn__opencl_run(launch, 1, &groups, &local);
}

/* ---- forward --------------------------------------------------------------------------------- */

/* Returns the floats of a part of the scratch: the transposed weight, the transposed projection,
   the rows of the samples. */
static uint64_t nn__opencl_recurrent_floats(const nn_recurrent_args *args, int part) {
    const nn__opencl_recurrence r = nn__opencl_recurrence_of(&args->x, &args->weight, args->cell);
    const uint64_t weight = (uint64_t)nn__opencl_count(&args->weight),
                   projection = nn__opencl_present(&args->projection)
                                    ? (uint64_t)nn__opencl_count(&args->projection)
                                    : 0;
    return part == 0   ? weight
           : part == 1 ? projection
                       : (uint64_t)r.N * ((uint64_t)(r.gates > r.P ? r.gates : r.P) +
                                          (uint64_t)r.P + 2 * (uint64_t)r.H);
}

static uint64_t nn__opencl_recurrent_scratch(nn__opencl *device, const void *arguments) {
    const nn_recurrent_args *args = (const nn_recurrent_args *)arguments;
    uint64_t floats = 0;
    (void)device;
    for (int part = 0; part < 3; part++) floats += nn__opencl_recurrent_floats(args, part);
    return floats * sizeof(float);
}

static int32_t nn__opencl_recurrent_units(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_ceil_div(((const nn_recurrent_args *)args)->x.shape.extent[0],
                               NN__RECURRENT_SAMPLES);
}

static nn_result nn__opencl_recurrent_turn(nn__opencl *device, const nn_view *to,
                                           const nn_view *from) {
    nn__opencl_launch launch = nn__opencl_recurrent_begin(device, "nn_recurrent_turn");
    nn__opencl_view(&launch, to);
    nn__opencl_view(&launch, from);
    nn__opencl_int(&launch, from->shape.extent[0]);
    nn__opencl_int(&launch, from->shape.extent[1]);
    return nn__opencl_run_flat(&launch, (uint64_t)nn__opencl_count(from), 64);
}

static nn_result nn__opencl_recurrent_run(nn__opencl *device, const void *arguments, int32_t first,
                                          int32_t count) {
    const nn_recurrent_args *args = (const nn_recurrent_args *)arguments;
    const nn__opencl_recurrence r = nn__opencl_recurrence_of(&args->x, &args->weight, args->cell);
    nn_view parts[3];
    nn_result result = NN_OK;
    uint64_t at = 0;
    memset(parts, 0, sizeof parts);
    for (int part = 0; part < 3; part++) {
        const uint64_t bytes = nn__opencl_recurrent_floats(args, part) * sizeof(float);
        if (bytes) parts[part] = nn__opencl_part(&args->scratch, at, bytes);
        at += bytes;
    }
    if (first == 0) result = nn__opencl_recurrent_turn(device, &parts[0], &args->weight);
    if (first == 0 && result == NN_OK && nn__opencl_present(&args->projection))
        result = nn__opencl_recurrent_turn(device, &parts[1], &args->projection);
    if (result != NN_OK) return result;
    nn__opencl_launch launch = nn__opencl_recurrent_begin(device, "nn_recurrent_forward");
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->state);
    nn__opencl_view(&launch, &args->kept);
    nn__opencl_view(&launch, &args->raw);
    nn__opencl_view(&launch, &args->x);
    nn__opencl_view(&launch, &parts[0]);
    nn__opencl_view(&launch, &args->bias);
    nn__opencl_view(&launch, &parts[1]);
    nn__opencl_view(&launch, &args->lengths);
    nn__opencl_recurrent_first(&launch, &r, &args->h0, &args->c0, args->cell);
    nn__opencl_view(&launch, &parts[2]);
    nn__opencl_view(&launch, &args->status);
    nn__opencl_recurrent_numbers(&launch, &r, args->cell, args->reverse, first);
    nn__opencl_recurrent_rows(&launch, &r, &args->h0, &args->c0, args->cell);
    nn__opencl_uint(&launch, args->step);
    return nn__opencl_recurrent_launch(&launch, &r, count);
}

/* ---- backward -------------------------------------------------------------------------------- */

static uint64_t nn__opencl_recurrent_back_scratch(nn__opencl *device, const void *arguments) {
    const nn_recurrent_backward_args *args = (const nn_recurrent_backward_args *)arguments;
    const nn__opencl_recurrence r =
        nn__opencl_recurrence_of(&args->dhidden, &args->weight, args->cell);
    (void)device;
    return (uint64_t)r.N * ((uint64_t)r.P + 2 * (uint64_t)r.H) * sizeof(float);
}

static int32_t nn__opencl_recurrent_back_units(nn__opencl *device, const void *args) {
    (void)device;
    return nn__opencl_ceil_div(((const nn_recurrent_backward_args *)args)->dhidden.shape.extent[0],
                               NN__RECURRENT_SAMPLES);
}

static nn_result nn__opencl_recurrent_back_run(nn__opencl *device, const void *arguments,
                                               int32_t first, int32_t count) {
    const nn_recurrent_backward_args *args = (const nn_recurrent_backward_args *)arguments;
    const nn__opencl_recurrence r =
        nn__opencl_recurrence_of(&args->dhidden, &args->weight, args->cell);
    const nn_view work =
        nn__opencl_part(&args->scratch, 0, nn__opencl_recurrent_back_scratch(device, args));
    nn__opencl_launch launch = nn__opencl_recurrent_begin(device, "nn_recurrent_backward");
    nn__opencl_view(&launch, &args->dhidden);
    nn__opencl_view(&launch, &args->dx);
    nn__opencl_view(&launch, &args->before);
    nn__opencl_view(&launch, &args->dprojected);
    nn__opencl_view(&launch, &args->dstate0);
    nn__opencl_view(&launch, &args->dy);
    nn__opencl_view(&launch, &args->dstate);
    nn__opencl_view(&launch, &args->kept);
    nn__opencl_view(&launch, &args->y);
    nn__opencl_view(&launch, &args->weight);
    nn__opencl_view(&launch, &args->projection);
    nn__opencl_view(&launch, &args->lengths);
    nn__opencl_recurrent_first(&launch, &r, &args->h0, &args->c0, args->cell);
    nn__opencl_view(&launch, &work);
    nn__opencl_recurrent_numbers(&launch, &r, args->cell, args->reverse, first);
    nn__opencl_recurrent_rows(&launch, &r, &args->h0, &args->c0, args->cell);
    return nn__opencl_recurrent_launch(&launch, &r, count);
}
#undef NN__RECURRENT_SAMPLES
#undef NN__RECURRENT_GROUP

static const nn__opencl_kernel nn__opencl_recurrent_forward = {
    NULL, nn__opencl_recurrent_scratch, nn__opencl_recurrent_units, nn__opencl_recurrent_run, NULL};
static const nn__opencl_kernel nn__opencl_recurrent_backward = {
    NULL, nn__opencl_recurrent_back_scratch, nn__opencl_recurrent_back_units,
    nn__opencl_recurrent_back_run, NULL};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_recurrent_forward(void) {
    return &nn__opencl_recurrent_forward;
}
NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_recurrent_backward(void) {
    return &nn__opencl_recurrent_backward;
}
