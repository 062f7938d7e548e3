/* kernels/stream/reference.h - streams as plain loops in double. */
#pragma once

typedef struct reference_stream {
    int64_t C, K, L, Y, R, M, stride, dilation;
} reference_stream;

/* Returns the input of channel c of sample n at a time; the state holds it if the time is negative.
   *inside: false if the time is before the beginning of the stream. */
static double reference_stream_at(const nn_view *x, const nn_view *state, const reference_stream *s,
                                  int64_t n, int64_t c, int64_t time, bool *inside) {
    const float *all = state->dtype ? view_f32(state) + n * (2 + s->C * s->M) : NULL;
    *inside = time >= 0 || (all && time >= -(int64_t)all[1]);
    if (time >= 0) return (double)view_f32(x)[(n * s->C + c) * s->L + time];
    return all ? (double)all[2 + c * s->M + ((int64_t)all[0] + time + s->M) % s->M] : 0;
}
static int64_t reference_stream_time(const reference_stream *s, int64_t j, int64_t r) {
    return (j + 1) * s->stride - 1 - (s->R - 1 - r) * s->dilation;
}
static reference_stream reference_stream_of(const nn_view *y, const nn_view *x, int32_t kernel,
                                            int32_t stride, int32_t dilation) {
    reference_stream s;
    s.C = x->shape.extent[1], s.L = x->shape.extent[2];
    s.K = y->shape.extent[1], s.Y = y->shape.extent[2];
    s.R = kernel, s.stride = stride, s.dilation = dilation;
    s.M = (s.R - 1) * s.dilation - (s.stride - 1);
    return s;
}

static TEST_UNUSED void reference_case_stream_forward(const nn_stream_args *a,
                                                      const reference_outputs *out) {
    const reference_stream s =
        reference_stream_of(&a->y, &a->x, a->kernel, a->stride, a->dilation);
    const reference_array y = reference_at(out, &a->y);
    const int64_t each = s.C / a->groups, N = a->x.shape.extent[0];
    for (int64_t at = 0; at < N * s.K * s.Y; at++) {
        const int64_t n = at / s.Y / s.K, k = at / s.Y % s.K, j = at % s.Y;
        double sum = a->epilogue.bias.dtype ? (double)view_f32(&a->epilogue.bias)[k] : 0,
               scale = fabs(sum), best = -INFINITY;
        int64_t count = 0;
        for (int64_t c = 0; c < (a->way == NN_STREAM_CONV ? each : 1); c++)
            for (int64_t r = 0; r < s.R; r++) {
                const int64_t from =
                    a->way == NN_STREAM_CONV ? k / (s.K / a->groups) * each + c : k;
                bool inside;
                const double x = reference_stream_at(&a->x, &a->state, &s, n, from,
                                                     reference_stream_time(&s, j, r), &inside),
                             w = a->way == NN_STREAM_CONV
                                     ? (double)view_f32(&a->weight)[(k * each + c) * s.R + r]
                                     : 1;
                if (a->way != NN_STREAM_CONV && !inside) continue;
                sum += w * x, scale += fabs(w * x), count++;
                if (x > best) best = x;
            }
        if (a->way == NN_STREAM_MAX)
            reference_set(y, at, best, 0);
        else if (a->way != NN_STREAM_CONV)
            reference_set(y, at, sum / (double)(a->way == NN_STREAM_AVERAGE ? s.R : count), scale);
        else
            reference_set(y, at, reference_activate(a->epilogue.activation, sum), scale);
    }
}

static TEST_UNUSED void reference_case_stream_push(const nn_stream_push_args *a,
                                                   const reference_outputs *out) {
    const reference_array state = reference_at(out, &a->state);
    const int64_t C = a->x.shape.extent[1], L = a->x.shape.extent[2],
                  width = a->state.shape.extent[1], M = (width - 2) / C;
    for (int64_t i = 0; i < reference_count(&a->state); i++)
        reference_set(state, i, reference_number(&a->state, i), 0);
    if (a->status.dtype && view_i32(&a->status)[0] != 0) return;
    for (int64_t n = 0; n < a->x.shape.extent[0]; n++) {
        int64_t place = (int64_t)view_f32(&a->state)[n * width],
                seen = (int64_t)view_f32(&a->state)[n * width + 1];
        for (int64_t t = L > M ? L - M : 0; t < L; t++) {
            for (int64_t c = 0; c < C; c++)
                reference_set(state, n * width + 2 + c * M + place,
                              (double)view_f32(&a->x)[(n * C + c) * L + t], 0);
            place = (place + 1) % M;
            seen = seen < M ? seen + 1 : M;
        }
        reference_set(state, n * width, (double)place, 0);
        reference_set(state, n * width + 1, (double)seen, 0);
    }
}

static void reference_stream_pool_back(const nn_stream_backward_args *a, const reference_stream *s,
                                       reference_array dx) {
    for (int64_t i = 0; i < reference_count(&a->dx); i++) reference_set(dx, i, 0, 0);
    for (int64_t at = 0; at < a->x.shape.extent[0] * s->C * s->Y; at++) {
        const int64_t row = at / s->Y, j = at % s->Y;
        const double dy = (double)view_f32(&a->dy)[at];
        double best = -INFINITY;
        int64_t place = -1, count = 0;
        for (int64_t r = 0; r < s->R; r++) {
            bool inside;
            const double x = reference_stream_at(&a->x, &a->state, s, row / s->C, row % s->C,
                                                 reference_stream_time(s, j, r), &inside);
            if (!inside) continue;
            count++;
            if (place >= 0 && x <= best) continue;
            best = x;
            place = r;
        }
        for (int64_t r = 0; r < s->R; r++) {
            const int64_t time = reference_stream_time(s, j, r);
            if (time < 0 || (a->way == NN_STREAM_MAX && r != place)) continue;
            const double part =
                a->way == NN_STREAM_MAX
                    ? dy
                    : dy / (double)(a->way == NN_STREAM_AVERAGE ? s->R : count);
            dx.value[row * s->L + time] += part;
            dx.scale[row * s->L + time] += fabs(part);
        }
    }
}

static TEST_UNUSED void reference_case_stream_backward(const nn_stream_backward_args *a,
                                                       const reference_outputs *out) {
    const reference_stream s =
        reference_stream_of(&a->dy, &a->x, a->kernel, a->stride, a->dilation);
    const int64_t each = s.C / a->groups;
    if (a->dx.dtype) {
        reference_stream_pool_back(a, &s, reference_at(out, &a->dx));
        return;
    }
    const reference_array dweight = reference_at(out, &a->dweight);
    for (int64_t at = 0; at < reference_count(&a->dweight); at++) {
        const int64_t k = at / s.R / each, c = k / (s.K / a->groups) * each + at / s.R % each;
        double sum = 0, scale = 0;
        for (int64_t n = 0; n < a->x.shape.extent[0]; n++)
            for (int64_t j = 0; j < s.Y; j++) {
                const int64_t time = reference_stream_time(&s, j, at % s.R);
                bool inside;
                if (time >= 0) continue;
                const double part =
                    (double)view_f32(&a->dy)[(n * s.K + k) * s.Y + j] *
                    reference_stream_at(&a->x, &a->state, &s, n, c, time, &inside);
                sum += part, scale += fabs(part);
            }
        reference_set(dweight, at, sum, scale);
    }
}
