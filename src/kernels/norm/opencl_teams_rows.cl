/* kernels/norm/opencl_teams_rows.cl - the gradients of norms over rows, by the teams of
   kernels/norm/opencl_teams.cl. */
#ifndef NN_NORM_RESIDUAL
#define NN_NORM_RESIDUAL 0
#endif

/* Computes all gradients if sets are rows of `all` numbers with one weight each. A group takes a
   block of `places` rows and first gets their sums, from `parts` or by itself. Then it takes
   `columns` columns. Their gradients of weight and bias go to blocks (blocks, 2, all), or directly
   to dweight and dbias if blocks is NULL, when there is only one block. With NN_NORM_RESIDUAL, one
   more argument is added to dx. */
#if NN_NORM_RESIDUAL
#define NN_NORM_MORE_ARGUMENTS , const __global float *residual, ulong residual_offset
#define NN_NORM_OTHER(at)      residual[residual_offset + (at)]
#else
#define NN_NORM_MORE_ARGUMENTS
#define NN_NORM_OTHER(at) 0.0f
#endif
__kernel void nn_norm_team_rows(
    __global NN_STORED(NN_NORM_DX) *dx, ulong dx_offset, __global float *dweight,
    ulong dweight_offset,
    __global float *dbias, ulong dbias_offset, __global float *blocks, ulong blocks_offset,
    const __global NN_NORM_DYS *dy, ulong dy_offset, const __global NN_NORM_XS *x, ulong x_offset,
    const __global float *weight, ulong weight_offset, const __global float *mean,
    ulong mean_offset, const __global float *rstd, ulong rstd_offset, const __global float *parts,
    ulong parts_offset, uint all, uint columns, ulong outer, uint places, uint pieces, int sums_too,
    int accumulate NN_NORM_MORE_ARGUMENTS) {
    __local float lanes[2 * NN_NORM_MOST];
    __local float means[NN_NORM_PLACES], scales[NN_NORM_PLACES], shifts[NN_NORM_PLACES],
        slopes[NN_NORM_PLACES];
    ulong block = get_group_id(1);
    uint id = (uint)get_local_id(0), size = (uint)get_local_size(0), together = min(size, 16u);
    dy += dy_offset, x += x_offset;
    weight = weight ? weight + weight_offset : 0;
    nn_norm_team t = nn_norm_team_of(0, together, 0, together, 1u, all, all);
    for (uint base = 0; base < places; base += together) {
        uint row = base + (uint)t.set;
        ulong n = block * places + row;
        float sums[2] = {0.0f, 0.0f}, m = 0.0f, r = 0.0f;
        if (row < places && n < outer) {
            m = mean ? mean[mean_offset + n] : 0.0f;
            r = rstd[rstd_offset + n];
            if (sums_too && parts) {
                const __global float *part = parts + parts_offset + 2u * n * pieces;
                for (uint i = t.lane; i < pieces; i += t.lanes) {
                    sums[0] += part[2u * i];
                    sums[1] += part[2u * i + 1u];
                }
            } else if (sums_too) {
                for (uint c = t.lane; c < all; c += t.lanes) {
                    float g = NN_NORM_DY_AT(dy, n * all + c);
                    if (weight) g *= weight[c];
                    sums[0] += g;
                    sums[1] += g * (NN_NORM_X_AT(x, n * all + c) - m);
                }
            }
        }
        nn_norm_team_total(sums, 2, lanes, &t);
        if (t.lane == 0u && row < places) {
            means[row] = m;
            scales[row] = r;
            shifts[row] = mean ? -r * (sums[0] / (float)all) : 0.0f;
            slopes[row] = -r * r * r * (sums[1] / (float)all);
        }
    }
    NN_BARRIER(CLK_LOCAL_MEM_FENCE);
    uint rows = (uint)min((ulong)places, outer - block * places);
    uint end = min(((uint)get_group_id(0) + 1u) * columns, all);
    for (uint c = (uint)get_group_id(0) * columns + id; c < end; c += size) {
        float w = weight ? weight[c] : 1.0f, a = 0.0f, b = 0.0f;
        /* The numbers of some rows are read before the first one is stored: a load must not pass a
           store, so a work-item would wait for memory once for each row. */
        for (uint first = 0; first < rows; first += NN_NORM_AHEAD) {
            const ulong from = (block * places + first) * all + c;
            float g[NN_NORM_AHEAD], d[NN_NORM_AHEAD], other[NN_NORM_AHEAD];
#pragma unroll
            for (uint i = 0; i < NN_NORM_AHEAD; i++) {
                const uint row = min(first + i, rows - 1u) - first;
                g[i] = NN_NORM_DY_AT(dy, from + row * (ulong)all);
                d[i] = NN_NORM_X_AT(x, from + row * (ulong)all);
                other[i] = NN_NORM_OTHER(from + row * (ulong)all);
            }
#pragma unroll
            for (uint i = 0; i < NN_NORM_AHEAD; i++) {
                const uint row = first + i;
                if (row >= rows) continue;
                const float apart = d[i] - means[row];
                a += g[i];
                b += g[i] * apart * scales[row];
                if (!dx) continue;
                float value = g[i] * (scales[row] * w);
                if (sums_too) value += shifts[row] + slopes[row] * apart;
                if (NN_NORM_RESIDUAL) value += other[i];
                nn_norm_give_dx(dx, dx_offset + from + i * (ulong)all, value, accumulate);
            }
        }
        if (blocks) {
            blocks[blocks_offset + 2u * block * all + c] = b;
            blocks[blocks_offset + (2u * block + 1u) * all + c] = a;
        } else {
            nn_norm_team_give(dweight, dweight_offset, dbias, dbias_offset, c, b, a, accumulate);
        }
    }
}

/* Adds the gradients of weight and bias of `count` blocks; teams are interleaved, one per
   channel. */
__kernel void nn_norm_team_blocks(__global float *dweight, ulong dweight_offset,
                                  __global float *dbias, ulong dbias_offset,
                                  const __global float *blocks, ulong blocks_offset, uint all,
                                  uint count, uint teams, int accumulate) {
    __local float lanes[2 * NN_NORM_MOST];
    nn_norm_team t = nn_norm_team_of(get_group_id(0), teams, 1, all, 1u, count, count);
    float sums[2] = {0.0f, 0.0f};
    blocks += blocks_offset + t.set;
    for (ulong i = t.lane; i < count; i += t.lanes) {
        sums[0] += blocks[2u * i * all];
        sums[1] += blocks[(2u * i + 1u) * all];
    }
    nn_norm_team_total(sums, 2, lanes, &t);
    if (t.lane == 0u && t.there)
        nn_norm_team_give(dweight, dweight_offset, dbias, dbias_offset, t.set, sums[0], sums[1],
                          accumulate);
}

#undef NN_NORM_MOST
#undef NN_NORM_PLACES
#undef NN_NORM_HELD
#undef NN_NORM_AHEAD
#undef NN_NORM_MORE_ARGUMENTS
#undef NN_NORM_OTHER
