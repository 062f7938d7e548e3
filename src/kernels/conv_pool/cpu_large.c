/* kernels/conv_pool/cpu_large.c - blocks with so many channels that Winograd's larger tiles
   (kernels/conv2d/cpu_winograd.h) are faster than tiles of windows. A worker convolves a few images
   into its own memory and takes the maxima while they are in the cache. It takes just enough images
   that reading the transformed weights pays. If there are no more images than that, all results go
   into shared memory, and a further phase takes the maxima. */
#include "kernels/conv2d/cpu_winograd.h"
#include "kernels/conv_pool/cpu.h"

#if !defined(NN_NO_SPEEDUPS) && !defined(NN_NO_SIMD)

typedef struct nn__conv_pool_large {
    nn__conv conv; /* of the images of a unit, or of all images */
    int N, images; /* images: number of images of a unit; 0: all at once */
    ptrdiff_t z_plane, y_plane;
    size_t z_floats, own_floats, shared_floats;
} nn__conv_pool_large;

/* False: the block is computed in tiles of windows instead. */
static bool nn__conv_pool_make_large(const nn__cpu *cpu, const nn_conv_pool_args *g,
                                     nn__conv_pool_large *l) {
    nn_conv2d_args plain;
    memset(&plain, 0, sizeof plain);
    memset(l, 0, sizeof *l);
    plain.x = g->x;
    plain.y = g->y;
    plain.y.shape.extent[2] *= 2;
    plain.y.shape.extent[3] *= 2;
    plain.weight = g->weight;
    plain.direct = g->direct;
    plain.params.kernel_h = g->weight.shape.extent[2];
    plain.params.kernel_w = g->weight.shape.extent[3];
    plain.params.padding_h = g->padding_h;
    plain.params.padding_w = g->padding_w;
    plain.params.stride_h = plain.params.stride_w = 1;
    plain.params.dilation_h = plain.params.dilation_w = plain.params.groups = 1;
    l->conv = nn__conv_forward_geometry(&plain);
    if (!nn__winograd_suits(cpu, &plain, &l->conv)) return false;
    const int height = l->conv.h.outputs, width = l->conv.w.outputs,
              tiles = nn__ceil_div(height, 4) * nn__ceil_div(width, 4);
    l->N = l->conv.images;
    l->images = l->conv.rows / tiles + 1; /* so that there are more tiles than output channels */
    if (l->images * 2 > l->N) l->images = 0;
    if (l->images) l->conv.images = l->images;
    l->z_plane = (ptrdiff_t)height * width;
    l->y_plane = l->z_plane / 4;
    l->z_floats = nn__align_up((size_t)l->conv.images * (size_t)l->conv.rows * (size_t)l->z_plane,
                               16);
    l->own_floats = nn__align_up(nn__winograd_own(cpu, &l->conv), 64) / sizeof(float);
    l->shared_floats = nn__align_up(nn__winograd_shared(cpu, &l->conv), 64) / sizeof(float);
    return true;
}

/* Takes the maxima of one plane z of the convolution. */
static void nn__conv_pool_plane(const nn__cpu *cpu, const nn__conv_pool_large *l,
                                const nn_conv_pool_args *g, const float *z, ptrdiff_t plane) {
    nn__conv_pool_end end;
    end.y = nn__f32(&g->y) + plane * l->y_plane;
    end.place = nn__present(&g->place)
                    ? (uint8_t *)g->place.handle + g->place.offset + plane * l->y_plane
                    : NULL;
    end.bias = nn__present(&g->epilogue.bias)
                   ? nn__f32(&g->epilogue.bias) + plane % l->conv.rows
                   : NULL;
    end.relu = g->epilogue.activation == NN_ACTIVATION_RELU;
    nn__conv_pool_loops_of(cpu)->plane(&end, z, l->conv.h.outputs / 2, l->conv.w.outputs / 2);
}

NN_PRIVATE int nn__conv_pool_large_units(const nn__cpu *cpu, const nn_conv_pool_args *g,
                                         int phase) {
    nn__conv_pool_large l;
    if (!nn__conv_pool_make_large(cpu, g, &l)) return -1;
    if (l.images && phase > 0) return phase == 1 ? nn__ceil_div(l.N, l.images) : 0;
    return phase < 2 ? nn__winograd_units(cpu, &l.conv, phase)
                     : (phase == 2 ? nn__mini(NN__CONV_UNITS, l.N * l.conv.rows) : 0);
}

NN_PRIVATE size_t nn__conv_pool_large_shared(const nn__cpu *cpu, const nn_conv_pool_args *g) {
    nn__conv_pool_large l;
    if (!nn__conv_pool_make_large(cpu, g, &l)) return 0;
    return (l.shared_floats + (l.images ? 0 : l.z_floats)) * sizeof(float);
}

NN_PRIVATE size_t nn__conv_pool_large_own(const nn__cpu *cpu, const nn_conv_pool_args *g) {
    nn__conv_pool_large l;
    if (!nn__conv_pool_make_large(cpu, g, &l)) return 0;
    return (l.own_floats + (l.images ? l.z_floats : 0)) * sizeof(float);
}

NN_PRIVATE bool nn__conv_pool_large_unit(const nn__cpu *cpu, const nn_conv_pool_args *g, int phase,
                                         int unit, float *shared, void *own) {
    nn__conv_pool_large l;
    nn__conv_job job;
    if (!nn__conv_pool_make_large(cpu, g, &l)) return false;
    const ptrdiff_t picture = (ptrdiff_t)l.conv.channels * l.conv.h.source * l.conv.w.source;
    const int K = l.conv.rows;
    memset(&job, 0, sizeof job);
    job.x = nn__f32(&g->x);
    job.y = l.images ? (float *)own + l.own_floats : shared + l.shared_floats;
    job.weight = nn__f32(&g->weight);
    if (phase == 0 || !l.images) {
        const ptrdiff_t all = (ptrdiff_t)l.N * K;
        const int units = (int)nn__min64(NN__CONV_UNITS, all);
        if (phase < 2) nn__winograd_unit(cpu, &l.conv, &job, phase, unit, shared, own);
        for (ptrdiff_t k = all * unit / units; phase == 2 && k < all * (unit + 1) / units; k++)
            nn__conv_pool_plane(cpu, &l, g, job.y + k * l.z_plane, k);
        return true;
    }
    /* The last unit has as many images as the others; some of them it computes again. */
    const int wanted = unit * l.images, n = nn__mini(wanted, l.N - l.images);
    job.x += n * picture;
    for (int i = 0; i < nn__winograd_units(cpu, &l.conv, 1); i++)
        nn__winograd_unit(cpu, &l.conv, &job, 1, i, shared, own);
    for (ptrdiff_t k = (ptrdiff_t)(wanted - n) * K; k < (ptrdiff_t)l.images * K; k++)
        nn__conv_pool_plane(cpu, &l, g, job.y + k * l.z_plane, (ptrdiff_t)n * K + k);
    return true;
}

#endif

typedef int nn__conv_pool_large_part; /* a part must not be empty under NN_NO_SIMD */
