/* kernels/random/opencl.cl - fills a tensor with uniform random numbers. They come from
   nn_random_words, so they equal the CPU's. */

/* The sum may round up to high, which is excluded; then the result is low. As on the CPU, the
   product must not be contracted: the pragma asks for that, and the xor with `nothing`, a 0 known
   only at run time, enforces it. */
float nn_between(float u, float low, float high, uint nothing) {
#pragma OPENCL FP_CONTRACT OFF
    float step = as_float(as_uint(u * (high - low)) ^ nothing), value = low + step;
    return value < high ? value : low;
}
float16 nn_between16(const float16 *u, float low, float high, uint nothing) {
#pragma OPENCL FP_CONTRACT OFF
    float16 step = as_float16(as_uint16(*u * (high - low)) ^ nothing), value = low + step;
    return value < high ? value : (float16)(low);
}

/* A work-item computes `each` numbers, a multiple of 4. On a GPU it is 4. */
__kernel void nn_random(__global float *y, ulong y_offset, ulong seed, ulong stream, ulong counter,
                        float low, float high, ulong first, ulong end, uint each,
                        uint nothing) {
    ulong at = first + get_global_id(0) * each, stop = min(at + each, end);
    y += y_offset;
    for (; each >= 32 && at + 32 <= stop; at += 32) {
        float16 u, v;
        nn_uniform32(seed, stream, counter + at / 4, &u, &v);
        vstore16(nn_between16(&u, low, high, nothing), 0, y + at);
        vstore16(nn_between16(&v, low, high, nothing), 0, y + at + 16);
    }
    for (; at < stop; at += 4) {
        float4 u = nn_words_to_uniform(nn_random_words(seed, stream, counter + at / 4));
        u = (float4)(
            nn_between(u.x, low, high, nothing), nn_between(u.y, low, high, nothing),
            nn_between(u.z, low, high, nothing), nn_between(u.w, low, high, nothing));
        if (at + 4 <= stop) {
            vstore4(u, 0, y + at);
            continue;
        }
        y[at] = u.x;
        if (at + 1 < stop) y[at + 1] = u.y;
        if (at + 2 < stop) y[at + 2] = u.z;
    }
}
