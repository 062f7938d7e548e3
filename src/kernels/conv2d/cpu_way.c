/* kernels/conv2d/cpu_way.c - describes the algorithm that a convolution uses on the CPU, for
   nn_write_plan; and computes the bytes of packed weights that it keeps from run to run, for
   plan/weight_cache.c. */
#include "kernels/conv2d/cpu.h"
#include "kernels/conv2d/cpu_panel.h"
#include "kernels/conv2d/cpu_winograd.h"

#ifndef NN_NO_REPORTS

#define NN__WAY_DEPTHWISE "direct sums for each channel"
#define NN__WAY_WINOGRAD  "Winograd's F(4x4, 3x3): 36 multiplications for 144"
#define NN__WAY_LINE      "Winograd's F(4, 3): 6 multiplications for 12"
#define NN__WAY_PANELS    "direct sums, vectors along channels"
#define NN__WAY_BANDS     "direct sums, vectors along a row"

NN_PRIVATE const char *nn__conv2d_way(const nn_context *nn, nn_device device, nn_kernel kernel,
                                      const void *args) {
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    const nn__cpu *cpu = (const nn__cpu *)nn->cpu;
    (void)g;
    if (!cpu || device.kind != NN_CPU) return NULL;
    NN__IF_FLAT(cpu, g, return NN__WAY_DEPTHWISE);
    NN__IF_DEPTHWISE(cpu, g, return NN__WAY_DEPTHWISE);
    if (kernel == NN_KERNEL_CONV2D_BACKWARD_INPUT) {
        NN__IF_WINOGRAD_BACK(cpu, g, conv, return NN__WAY_WINOGRAD);
        NN__IF_PANELS_BACK(cpu, g, return NN__WAY_PANELS);
    }
#ifndef NN_NO_TRAINING
    if (kernel == NN_KERNEL_CONV2D_BACKWARD_WEIGHT) {
        NN__IF_WINOGRAD_WEIGHT(cpu, g, return NN__WAY_WINOGRAD);
        NN__IF_PANELS_WEIGHT(cpu, g, return NN__WAY_PANELS);
    }
#endif
#ifndef NN_NO_SIMD
    if (kernel == NN_KERNEL_CONV2D_FORWARD) {
        const nn__conv conv = nn__conv_forward_geometry(g);
        NN__IF_WINOGRAD(cpu, g, &conv, return NN__WAY_WINOGRAD);
        NN__IF_LINE(cpu, g, &conv, return NN__WAY_LINE);
        NN__IF_PANELS(cpu, &conv, return NN__WAY_PANELS);
    }
#endif
    return NN__WAY_BANDS;
}

NN_PRIVATE uint64_t nn__conv2d_cached(const nn_context *nn, nn_kernel kernel, const void *args) {
    const nn__cpu *cpu = (const nn__cpu *)nn->cpu;
    (void)cpu, (void)kernel, (void)args;
#ifndef NN_NO_SIMD
    const nn_conv2d_args *g = (const nn_conv2d_args *)args;
    if (!cpu || kernel != NN_KERNEL_CONV2D_FORWARD || g->accumulate) return 0;
    NN__IF_FLAT(cpu, g, return 0);
    NN__IF_DEPTHWISE(cpu, g, return 0);
    const nn__conv conv = nn__conv_forward_geometry(g);
    NN__IF_WINOGRAD(cpu, g, &conv, return nn__winograd_cached(cpu, &conv));
    NN__IF_LINE(cpu, g, &conv, return nn__conv_line_cached(cpu, &conv));
    NN__IF_PANELS(cpu, &conv, return nn__panel_weight_floats(cpu, &conv) * sizeof(float));
#else
    (void)nn, (void)kernel, (void)args;
#endif
    return 0;
}

#undef NN__WAY_DEPTHWISE
#undef NN__WAY_WINOGRAD
#undef NN__WAY_LINE
#undef NN__WAY_PANELS
#undef NN__WAY_BANDS

#endif

typedef int nn__conv2d_way_part; /* a file must not be empty under NN_NO_REPORTS */
