/* kernels/conv_pool/opencl.cl - the pass over windows before Winograd's algorithm. Other kernels of
   kernels/conv2d read the windows themselves (NN_CONV_POOL). Computes z, the gradient of the
   convolution, in scratch from dy, y and place: 0 except at the maxima. A work-item has one window,
   number i from row `first` on. */
__kernel void nn_conv_pool_spread_windows(__global float *z, ulong z_offset,
                                          const __global float *y, ulong y_offset,
                                          const __global uchar *place, ulong place_offset,
                                          const __global float *dy, ulong dy_offset, int planes,
                                          int PH, int PW, int activation, ulong first, ulong end,
                                          int each) {
    const ulong i = get_global_id(0),
                row = first + (i >> 32 ? i / (ulong)PW : (ulong)((uint)i / (uint)PW));
    const ulong at = first * (ulong)PW + i;
    (void)planes, (void)PH, (void)each;
    if (row >= end) return;
    {
        const float d = dy[dy_offset + at];
        const float value =
            activation == NN_ACTIVATION_RELU && y[y_offset + at] <= 0.0f ? 0.0f : d;
        const int where = place[place_offset + at] & 3;
        __global float *top = z + z_offset + 2 * (at + row * (ulong)PW), *bottom = top + 2 * PW;
        top[0] = where == 0 ? value : 0.0f;
        top[1] = where == 1 ? value : 0.0f;
        bottom[0] = where == 2 ? value : 0.0f;
        bottom[1] = where == 3 ? value : 0.0f;
    }
}
