/* kernels/recurrent_whole/cpu.c - a recurrent layer with the products around it on the CPU. The
   weights are packed once, or at each run if no memory keeps them. A unit is a sample, whose state
   stays in the first cache during all steps. */
#include "kernels/install_sequence.h"
#include "kernels/recurrent_whole/cpu.h"
#include "kernels/recurrent_whole/vector.h"

#include "device/direct.h"

#ifndef NN_NO_SPEEDUPS

/* The extents. rows: H, rounded up to whole vectors. panel: floats of the panels of all gates for a
   vector of the state. head: floats before the head. */
typedef struct nn__whole_layer {
    const nn__whole_set *set;
    int N, T, C, H, O, G, biases, rows;
    ptrdiff_t panel, head, floats;
    bool lstm, gru, packs;
} nn__whole_layer;

static nn__whole_layer nn__whole_of(const nn__cpu *cpu, const nn_recurrent_whole_args *a) {
    nn__whole_layer w;
    w.set = NN__OF_SET(cpu, nn__whole_set);
    w.N = a->x.shape.extent[0];
    w.T = a->x.shape.extent[1];
    w.C = a->x.shape.extent[2];
    w.H = a->weight.shape.extent[1];
    w.O = nn__present(&a->head) ? a->head.shape.extent[0] : 0;
    w.G = NN_RECURRENT_GATES(a->cell);
    w.lstm = a->cell == NN_RECURRENT_LSTM;
    w.gru = a->cell == NN_RECURRENT_GRU;
    w.biases = w.G + w.gru;
    w.rows = (w.H + w.set->lanes - 1) & -w.set->lanes; /* a power of two; a division takes longer */
    w.panel = ((ptrdiff_t)w.G * (w.C + w.H) + w.biases) * w.set->lanes;
    w.head = w.rows * ((ptrdiff_t)w.G * (w.C + w.H) + w.biases);
    w.floats = w.head + (ptrdiff_t)w.O * w.rows + w.O;
    w.packs = a->keep != NN_KEEP_USES;
    return w;
}

/* Returns the bytes of the packed weights. */
static uint64_t nn__whole_bytes(const nn_context *nn, const void *args) {
    const nn__cpu *cpu = (const nn__cpu *)nn->cpu;
    if (!cpu) return 0;
    return (uint64_t)nn__whole_of(cpu, (const nn_recurrent_whole_args *)args).floats *
           sizeof(float);
}

/* ---- packing --------------------------------------------------------------------------------- */

static float nn__whole_number(const nn_view *view, ptrdiff_t at) {
    return nn__present(view) ? nn__f32(view)[at] : 0.0f;
}

/* Packs one gate of number k of the state: its bias at `bias`, its weights from `to` on, `row`
   floats apart. */
static void nn__whole_pack_gate(const nn_recurrent_whole_args *a, const nn__whole_layer *w, int g,
                                int k, float *bias, float *to, ptrdiff_t row) {
    const ptrdiff_t from = (ptrdiff_t)g * w->H + k;
    const float first = nn__whole_number(&a->input_bias, from),
                second = nn__whole_number(&a->bias, from);
    const bool apart = w->gru && g == 2;
    *bias = apart ? first : first + second;
    if (apart) bias[w->set->lanes] = second;
    for (int c = 0; c < w->C; c++, to += row) *to = nn__f32(&a->input)[from * w->C + c];
    for (int c = 0; c < w->H; c++, to += row) *to = nn__f32(&a->weight)[from * w->H + c];
}

/* Packs number k of the state of all gates. Gate `late` has panels of its own, after the others. */
static void nn__whole_pack_lane(const nn_recurrent_whole_args *a, const nn__whole_layer *w, int k,
                                float *packed) {
    const int lanes = w->set->lanes, late = w->lstm ? 3 : w->G;
    const int early = w->G - w->lstm, biases = w->biases - w->lstm;
    const ptrdiff_t last = w->lstm ? (ptrdiff_t)(1 + w->C + w->H) * lanes : 0,
                    panel = w->panel - last;
    float *to = packed + k / lanes * panel + k % lanes;
    for (int g = 0, n = 0; g < w->G; g++) {
        if (g == late) continue;
        nn__whole_pack_gate(a, w, g, k, to + (ptrdiff_t)n * lanes,
                            to + (ptrdiff_t)(biases + n) * lanes, (ptrdiff_t)early * lanes);
        n++;
    }
    to = packed + w->rows / lanes * panel + k / lanes * last + k % lanes;
    if (w->lstm) nn__whole_pack_gate(a, w, late, k, to, to + lanes, lanes);
}

static void nn__whole_pack(const nn_recurrent_whole_args *a, const nn__whole_layer *w, float *to) {
    memset(to, 0, (size_t)w->floats * sizeof *to);
    for (int k = 0; k < w->H; k++)
        nn__whole_pack_lane(a, w, k, to);
    for (int o = 0; o < w->O; o++) {
        memcpy(to + w->head + (ptrdiff_t)o * w->rows, nn__f32(&a->head) + (ptrdiff_t)o * w->H,
               (size_t)w->H * sizeof *to);
        to[w->head + (ptrdiff_t)w->O * w->rows + o] = nn__whole_number(&a->head_bias, o);
    }
}

/* ---- units ----------------------------------------------------------------------------------- */

static int nn__whole_units(const nn__cpu *cpu, const void *args, int phase) {
    const nn_recurrent_whole_args *a = (const nn_recurrent_whole_args *)args;
    (void)cpu;
    if (a->keep == NN_KEEP_MAKES) return phase == 0;
    if (a->keep == NN_KEEP_NOT && phase-- == 0) return 1;
    return phase ? 0 : a->x.shape.extent[0];
}

static size_t nn__whole_shared(const nn__cpu *cpu, const void *args) {
    const nn_recurrent_whole_args *a = (const nn_recurrent_whole_args *)args;
    return a->keep == NN_KEEP_NOT ? (size_t)nn__whole_of(cpu, a).floats * sizeof(float) : 0;
}

/* Returns the floats of both states and c, in whole vectors of any set. */
static int nn__whole_wide(int H) { return nn__ceil_div(H, 16) * 16; }
static size_t nn__whole_own(const nn__cpu *cpu, const void *args) {
    const nn_recurrent_whole_args *a = (const nn_recurrent_whole_args *)args;
    (void)cpu;
    return (size_t)(3 * nn__whole_wide(a->weight.shape.extent[1])) * sizeof(float);
}

static void nn__whole_sample(const nn_recurrent_whole_args *a, const nn__whole_layer *w, int n,
                             const float *packed, float *own) {
    const int last = a->reverse ? w->T - 1 : 0, H = w->H;
    const bool joined = w->lstm && nn__present(&a->h0) && !nn__present(&a->c0) &&
                        a->h0.shape.extent[a->h0.shape.rank - 1] > H;
    const ptrdiff_t width = w->O ? w->O : H, row = joined ? 2 * (ptrdiff_t)H : H;
    nn__whole_walk walk;
    walk.h = own;
    walk.next = own + nn__whole_wide(H);
    walk.c = walk.next + nn__whole_wide(H);
    walk.h0 = nn__present(&a->h0) ? nn__f32(&a->h0) + n * row : NULL;
    walk.c0 = joined                  ? walk.h0 + H
              : nn__present(&a->c0) ? nn__f32(&a->c0) + n * row
                                    : NULL;
    walk.h_last = walk.c_last = NULL;
    if (nn__present(&a->state)) {
        walk.h_last = nn__f32(&a->state) + n * (w->lstm ? 2 * (ptrdiff_t)H : H);
        if (w->lstm) walk.c_last = walk.h_last + H;
    }
    walk.packed = packed;
    walk.head = w->O ? packed + w->head : NULL;
    walk.x_step = a->reverse ? -(ptrdiff_t)w->C : w->C;
    walk.y_step = a->reverse ? -width : width;
    walk.x = nn__f32(&a->x) + ((ptrdiff_t)n * w->T + last) * w->C;
    walk.y = nn__f32(&a->y) + ((ptrdiff_t)n * w->T + last) * width;
    walk.T = w->T, walk.C = w->C, walk.H = H, walk.O = w->O;
    w->set->walk[a->cell](&walk);
}

static void nn__whole_unit(const nn__cpu *cpu, const void *args, int phase, int unit, void *shared,
                           void *own) {
    const nn_recurrent_whole_args *a = (const nn_recurrent_whole_args *)args;
    const nn__whole_layer w = nn__whole_of(cpu, a);
    float *packed = a->keep == NN_KEEP_NOT ? (float *)shared : a->kept;
    if (w.packs && phase == 0)
        nn__whole_pack(a, &w, packed);
    else
        nn__whole_sample(a, &w, unit, packed, (float *)own);
}

/* ---- nn_run_on ------------------------------------------------------------------------------- */

static size_t nn__whole_single_bytes(const nn__cpu *cpu, const void *args) {
    (void)cpu;
    return ((const nn_recurrent_whole_args *)args)->keep == NN_KEEP_USES ? sizeof(nn__whole_layer)
                                                                         : 0;
}
static void nn__whole_single_go(const nn__prepared *part) {
    const nn_recurrent_whole_args *a = (const nn_recurrent_whole_args *)part->args;
    const nn__whole_layer *w = (const nn__whole_layer *)part->made;
    for (int n = 0; n < w->N; n++) nn__whole_sample(a, w, n, a->kept, (float *)part->own);
}
static nn__go nn__whole_single_make(const nn__cpu *cpu, const void *args, void *memory) {
    *(nn__whole_layer *)memory = nn__whole_of(cpu, (const nn_recurrent_whole_args *)args);
    return nn__whole_single_go;
}
static const nn__cpu_single nn__whole_single = {nn__whole_single_bytes, nn__whole_single_make};

/* Portable arithmetic keeps the sums that training has. */
static const char *nn__whole_refuses(const nn__cpu *cpu, const void *args) {
    const nn_recurrent_whole_args *a = (const nn_recurrent_whole_args *)args;
    if (cpu->instructions == NN_INSTRUCTIONS_PORTABLE ||
        cpu->instructions == NN_INSTRUCTIONS_PORTABLE_AVX2 ||
        cpu->instructions == NN_INSTRUCTIONS_PORTABLE_AVX512)
        return NN__TEXT(
            "portable arithmetic computes a recurrent layer and its products as separate steps");
    if (a->weight.shape.extent[1] > NN_RECURRENT_WHOLE_WIDE ||
        a->x.shape.extent[2] > NN_RECURRENT_WHOLE_WIDE)
        return NN__TEXT("a recurrent layer that is computed together with its products may be at "
                        "most 128 wide");
    return NULL;
}

static const nn__cpu_kernel nn__whole_kernel = {nn__whole_units, nn__whole_unit, nn__whole_shared,
                                                nn__whole_own, nn__whole_refuses};
#endif

NN_PRIVATE void nn__install_recurrent_whole(nn_context *nn) {
#ifndef NN_NO_SPEEDUPS
    NN__CPU_INSTALL(nn, RECURRENT_WHOLE, recurrent_whole, &nn__whole_kernel);
    if (nn->cpu) ((nn__cpu *)nn->cpu)->singles[NN__SINGLE_WHOLE] = &nn__whole_single;
    nn->whole_bytes = nn__whole_bytes;
#else
    (void)nn;
#endif
}
