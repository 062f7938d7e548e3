/* kernels/cross_entropy/opencl.cl - torch.nn.CrossEntropyLoss with class indices. Positions are N
   times d...; the classes of a position are `inner` apart.

   Forward computes a term for each position into scratch, then sums of blocks of 4096 positions,
   then the loss. Backward first sums the weights, then computes the rows.
   _rows:  a work-item takes rows in vectors (CPUs, classes side by side)
   _each:  a work-item takes positions one after the other
   _group: a work-group of 64 takes one position
   _head:  few positions in one launch
   A label out of range counts as ignored; the sums notice it, and one work-item sets the status
   word. */

#define NN_ENTROPY_BLOCK 4096

/* Storage of logits and of their gradient: 0 f32, 1 f16, 2 bf16. */
#ifndef NN_ENTROPY_Z
#define NN_ENTROPY_Z 0
#endif
#ifndef NN_ENTROPY_DZ
#define NN_ENTROPY_DZ 0
#endif
/* 1: nn_entropy_group leaves the largest logit and the sum of exponentials of each position in kept
   (positions, 2), and nn_entropy_backward_group takes them from there. 0: kept is not used. */
#ifndef NN_ENTROPY_KEPT
#define NN_ENTROPY_KEPT 0
#endif
#define NN_ENTROPY_LOGITS const __global NN_STORED(NN_ENTROPY_Z)
#define NN_ENTROPY_SLOPES __global NN_STORED(NN_ENTROPY_DZ)
#define NN_ENTROPY_AT     NN_STORED_AT(NN_ENTROPY_Z)
#define NN_ENTROPY_PUT    NN_STORED_PUT(NN_ENTROPY_DZ)
#define NN_ENTROPY_OF(c)  NN_ENTROPY_AT(z, (ulong)(c)*inner) /* the logit of class c */

/* The loops over the classes lane, lane + NN_LANES, ... of a lane: NN_ENTROPY_AHEAD logits are read
   at once. A load must not pass a store, so without that, a lane would wait for memory once for
   each number of a gradient that takes the place of the logits. */
#define NN_ENTROPY_AHEAD 8
#define NN_ENTROPY_TURNS                                                                           \
    for (int from = lane; from < classes; from += NN_ENTROPY_AHEAD * NN_LANES)
#define NN_ENTROPY_READ                                                                            \
    float ahead[NN_ENTROPY_AHEAD];                                                                 \
    _Pragma("unroll") for (int i = 0; i < NN_ENTROPY_AHEAD; i++) ahead[i] =                        \
        NN_ENTROPY_OF(min(from + i * NN_LANES, classes - 1));
#define NN_ENTROPY_CLASSES                                                                         \
    _Pragma("unroll") for (int i = 0, c = from; i < NN_ENTROPY_AHEAD; i++, c += NN_LANES) if (     \
        c < classes)

typedef struct nn_entropy {
    const __global int *label;
    const __global float *weight; /* or NULL */
    int classes, flags, ignore_index; /* flags 1: use ignore_index, 2: no softmax */
    float smoothing;
} nn_entropy;

#define NN_ENTROPY_ARGUMENTS                                                                       \
    const __global int *label, ulong label_offset, const __global float *weight,                   \
        ulong weight_offset, int classes, int flags, int ignore_index, float smoothing
#define NN_ENTROPY_GIVEN                                                                           \
    nn_entropy_make(label, label_offset, weight, weight_offset, classes, flags, ignore_index,      \
                    smoothing)

nn_entropy nn_entropy_make(NN_ENTROPY_ARGUMENTS) {
    nn_entropy e;
    e.label = label + label_offset;
    e.weight = weight ? weight + weight_offset : 0;
    e.classes = classes, e.flags = flags, e.ignore_index = ignore_index;
    e.smoothing = smoothing;
    return e;
}

/* Returns the label of a position, -1 if it is ignored, or -2 if it is out of range (and also
   ignored). */
int nn_entropy_label(const nn_entropy *e, ulong position) {
    int label = e->label[position];
    if ((e->flags & 1) && label == e->ignore_index) return -1;
    return label >= 0 && label < e->classes ? label : -2;
}
float nn_entropy_weight(const nn_entropy *e, int class_index) {
    return e->weight ? e->weight[class_index] : 1.0f;
}

/* ---- forward: a term for each position ---- */

/* smooth: the sum over all classes of weight (log_sum - (z - largest)); only read with label
   smoothing. */
float nn_entropy_term(const nn_entropy *e, float z, int label, float largest, float log_sum,
                      float smooth) {
    float loss = (log_sum - (z - largest)) * nn_entropy_weight(e, label);
    return e->smoothing > 0.0f
               ? (1.0f - e->smoothing) * loss + e->smoothing / (float)e->classes * smooth
               : loss;
}

/* Returns the term without a softmax, or of an ignored position: 0, or NaN if the label is out of
   range. */
float nn_entropy_plain(const nn_entropy *e, NN_ENTROPY_LOGITS *z, int label, ulong inner) {
    if (label < 0) return label == -2 ? NAN : 0.0f;
    return -NN_ENTROPY_OF(label) * nn_entropy_weight(e, label);
}

/* Returns the term of a position whose classes one work-item reads. */
float nn_entropy_one(const nn_entropy *e, NN_ENTROPY_LOGITS *z, int wanted, ulong inner) {
    float largest = -INFINITY, sum = 0.0f, smooth = 0.0f;
    if (wanted < 0 || (e->flags & 2)) return nn_entropy_plain(e, z, wanted, inner);
    for (int c = 0; c < e->classes; c++) largest = nn_larger(largest, NN_ENTROPY_OF(c));
    for (int c = 0; c < e->classes; c++) sum += exp(NN_ENTROPY_OF(c) - largest);
    sum = log(sum);
    if (e->smoothing > 0.0f)
        for (int c = 0; c < e->classes; c++)
            smooth += (sum - (NN_ENTROPY_OF(c) - largest)) * nn_entropy_weight(e, c);
    return nn_entropy_term(e, NN_ENTROPY_OF(wanted), wanted, largest, sum, smooth);
}

__kernel void nn_entropy_each(__global float *term, ulong term_offset, NN_ENTROPY_LOGITS *logits,
                              ulong logits_offset, NN_ENTROPY_ARGUMENTS, ulong inner, ulong first,
                              ulong end, uint each) {
    nn_entropy e = NN_ENTROPY_GIVEN;
    ulong at = first + get_global_id(0) * each, stop = min(at + each, end);
    for (; at < stop; at++)
        term[term_offset + at] = nn_entropy_one(
            &e, logits + logits_offset + at / inner * (ulong)classes * inner + at % inner,
            nn_entropy_label(&e, at), inner);
}

__kernel void nn_entropy_group(__global float *term, ulong term_offset,
                               NN_ENTROPY_LOGITS *logits, ulong logits_offset,
                               NN_ENTROPY_ARGUMENTS, ulong inner, ulong first,
                               __global float *kept, ulong kept_offset) {
    __local float lanes[NN_LANES];
    nn_entropy e = NN_ENTROPY_GIVEN;
    ulong at = first + get_group_id(0);
    NN_ENTROPY_LOGITS *z =
        logits + logits_offset + at / inner * (ulong)classes * inner + at % inner;
    int wanted = nn_entropy_label(&e, at), lane = (int)get_local_id(0);
    float largest = -INFINITY, sum = 0.0f, smooth = 0.0f;
    NN_ENTROPY_TURNS {
        NN_ENTROPY_READ
        NN_ENTROPY_CLASSES largest = nn_larger(largest, ahead[i]);
    }
    largest = nn_group_max(largest, lanes);
    NN_ENTROPY_TURNS {
        NN_ENTROPY_READ
        NN_ENTROPY_CLASSES sum += exp(ahead[i] - largest);
    }
    sum = nn_group_sum(sum, lanes);
    if (NN_ENTROPY_KEPT && lane == 0) {
        kept[kept_offset + 2 * at] = largest;
        kept[kept_offset + 2 * at + 1] = sum;
    }
    sum = log(sum);
    if (smoothing > 0.0f) {
        for (int c = lane; c < classes; c += NN_LANES)
            smooth += (sum - (NN_ENTROPY_OF(c) - largest)) * nn_entropy_weight(&e, c);
        smooth = nn_group_sum(smooth, lanes);
    }
    if (lane == 0)
        term[term_offset + at] = wanted < 0 || (flags & 2)
                                     ? nn_entropy_plain(&e, z, wanted, inner)
                                     : nn_entropy_term(&e, NN_ENTROPY_OF(wanted), wanted,
                                                       largest, sum, smooth);
}

/* ---- sums of loss, weight and wrong labels: of each block of positions, then of all ---- */

/* Returns the factor of a gradient. */
float nn_entropy_scale(const __global float *dloss, int mean, float weight_sum) {
    float scale = dloss ? *dloss : 1.0f;
    return mean && scale != 0.0f ? scale / weight_sum : scale;
}
/* Returns the sum of all classes' weights. */
float nn_entropy_all(const nn_entropy *e) {
    float all = e->weight && e->smoothing > 0.0f ? 0.0f : (float)e->classes;
    if (e->weight && e->smoothing > 0.0f)
        for (int c = 0; c < e->classes; c++) all += e->weight[c];
    return all;
}

/* Does the last step in one work-item. number[0] is the factor of the gradients, number[1] the sum
   of all classes' weights. loss is NULL in backward. dloss may be NULL: 1. For the loss of a
   training step, it also adds to the total like nn_accumulate; total may be NULL. */
void nn_entropy_finish_one(const nn_entropy *e, __global float *loss, __global float *number,
                           const __global float *dloss, int mean, __global uint *status,
                           ulong status_offset, uint step, __global float *total, float share,
                           int check, float sum, float weight_sum, float wrong) {
    if (wrong > 0.0f) nn_set_status(status, status_offset, step, NN_FAULT_LABEL);
    number[0] = nn_entropy_scale(dloss, mean, weight_sum);
    number[1] = nn_entropy_all(e);
    if (!loss) return;
    /* 0 / 0 if all are ignored; NaN tells other devices of a wrong label */
    float value = wrong > 0.0f ? NAN : mean ? sum / weight_sum : sum;
    *loss = value;
    if (check && !(fabs(value) < INFINITY))
        nn_set_status(status, status_offset, step, NN_FAULT_LOSS);
    if (!total || nn_faulty(status, status_offset)) return;
    total[0] += value * share;
    total[1] += share;
}

#define NN_ENTROPY_SUM_ARGUMENTS                                                                   \
    __global float *part, ulong part_offset, __global float *loss, ulong loss_offset,              \
        __global float *number, ulong number_offset, const __global float *dloss,                  \
        ulong dloss_offset, __global uint *status, ulong status_offset, uint step, int mean,       \
        __global float *total, ulong total_offset, float share, int check
#define NN_ENTROPY_FINISH(sum, weight_sum, wrong)                                                  \
    nn_entropy_finish_one(&e, loss ? loss + loss_offset : 0, number + number_offset,               \
                          dloss ? dloss + dloss_offset : 0, mean, status, status_offset, step,     \
                          total ? total + total_offset : 0, share, check, sum, weight_sum, wrong)

/* A work-item sums a block. term is NULL in backward. With a single block it also finishes. */
__kernel void nn_entropy_sum(const __global float *term, ulong term_offset, NN_ENTROPY_ARGUMENTS,
                             ulong positions, NN_ENTROPY_SUM_ARGUMENTS) {
    nn_entropy e = NN_ENTROPY_GIVEN;
    ulong block = get_global_id(0), first = block * NN_ENTROPY_BLOCK,
          end = min(first + NN_ENTROPY_BLOCK, positions);
    float16 sums = (float16)(0.0f), weight_sums = (float16)(0.0f);
    float *sum = (float *)&sums, *weights = (float *)&weight_sums, wrong = 0.0f;
    if (first >= positions) return;
    for (ulong at = first; at < end; at++) {
        int wanted = nn_entropy_label(&e, at);
        if (wanted == -2) wrong = 1.0f;
        if (wanted < 0) continue;
        weights[at % 16] += nn_entropy_weight(&e, wanted);
        if (term) sum[at % 16] += term[term_offset + at];
    }
    float all = nn_sum16(&sums), weight_sum = nn_sum16(&weight_sums);
    if (positions <= NN_ENTROPY_BLOCK) {
        NN_ENTROPY_FINISH(all, weight_sum, wrong);
        return;
    }
    part += part_offset + 3 * block;
    part[0] = all, part[1] = weight_sum, part[2] = wrong;
}

/* A work-group of 64 sums a block. */
__kernel void nn_entropy_sum_group(const __global float *term, ulong term_offset,
                                   NN_ENTROPY_ARGUMENTS, ulong positions,
                                   NN_ENTROPY_SUM_ARGUMENTS) {
    __local float lanes[NN_LANES];
    nn_entropy e = NN_ENTROPY_GIVEN;
    ulong block = get_group_id(0), first = block * NN_ENTROPY_BLOCK,
          end = min(first + NN_ENTROPY_BLOCK, positions);
    float sum = 0.0f, weights = 0.0f, wrong = 0.0f;
    for (ulong at = first + get_local_id(0); at < end; at += NN_LANES) {
        int wanted = nn_entropy_label(&e, at);
        if (wanted == -2) wrong = 1.0f;
        if (wanted < 0) continue;
        weights += nn_entropy_weight(&e, wanted);
        if (term) sum += term[term_offset + at];
    }
    sum = nn_group_sum(sum, lanes);
    weights = nn_group_sum(weights, lanes);
    wrong = nn_group_max(wrong, lanes);
    if (get_local_id(0) != 0) return;
    if (positions <= NN_ENTROPY_BLOCK) {
        NN_ENTROPY_FINISH(sum, weights, wrong);
        return;
    }
    part += part_offset + 3 * block;
    part[0] = sum, part[1] = weights, part[2] = wrong;
}

/* One work-item adds the blocks. */
__kernel void nn_entropy_finish(NN_ENTROPY_ARGUMENTS, ulong positions, NN_ENTROPY_SUM_ARGUMENTS) {
    nn_entropy e = NN_ENTROPY_GIVEN;
    int blocks = (int)((positions + NN_ENTROPY_BLOCK - 1) / NN_ENTROPY_BLOCK);
    float sum = 0.0f, weight_sum = 0.0f, wrong = 0.0f;
    if (get_global_id(0) != 0) return;
    part += part_offset;
    for (int i = 0; i < blocks; i++) {
        sum += part[3 * i], weight_sum += part[3 * i + 1];
        wrong = fmax(wrong, part[3 * i + 2]);
    }
    NN_ENTROPY_FINISH(sum, weight_sum, wrong);
}

/* ---- backward: dz = scale (p sum(a) - a), a = (1 - s) w_label [c = label] + s / C w_c ---- */

#define NN_ENTROPY_SLOPE_ARGUMENTS                                                                 \
    NN_ENTROPY_SLOPES *slope, ulong slope_offset, NN_ENTROPY_LOGITS *logits, ulong logits_offset,  \
        const __global float *number, ulong number_offset, const __global float *given,            \
        ulong given_offset, NN_ENTROPY_ARGUMENTS, ulong inner, ulong first
/* Without reduction, each position has its own gradient. */
#define NN_ENTROPY_SCALE (given ? given[given_offset + at] : number[number_offset])
/* Rounds the label's own target and the sum of all targets in the same way, so the gradient of a
   single class is exactly 0. */
float nn_entropy_target(float hit, float smooth, float weight) {
#pragma OPENCL FP_CONTRACT OFF
    float part = smooth * weight;
    return hit + part;
}
/* From the sum of exp: the smooth part of each class, the label's target, and the factor of each
   exp. */
#define NN_ENTROPY_SLOPE_OF(scale, all, sum)                                                       \
    float smooth = (scale) * (e.smoothing / (float)e.classes);                                     \
    float own = nn_entropy_weight(&e, wanted);                                                     \
    float hit = (scale) * ((1.0f - e.smoothing) * own),                                            \
          share = nn_entropy_target(hit, smooth, all) / (sum),                                     \
          target = nn_entropy_target(hit, smooth, own)
#define NN_ENTROPY_SLOPE(sum) NN_ENTROPY_SLOPE_OF(NN_ENTROPY_SCALE, number[number_offset + 1], sum)

/* One work-item takes the classes of a position one after the other. Without a softmax, the
   gradient is written in two steps: with a test for the label's class inside the loop, the compiler
   of NVIDIA's driver 580.159.04 crashed. */
void nn_entropy_backward_one(nn_entropy e, NN_ENTROPY_SLOPES *dz, NN_ENTROPY_LOGITS *z,
                             int wanted, ulong inner, float scale, float all) {
    float largest = -INFINITY, sum = 0.0f;
    if (wanted < 0 || (e.flags & 2)) {
        for (int c = 0; c < e.classes; c++) NN_ENTROPY_PUT(dz, (ulong)c * inner, 0.0f);
        if (wanted >= 0)
            NN_ENTROPY_PUT(dz, (ulong)wanted * inner, -scale * nn_entropy_weight(&e, wanted));
        return;
    }
    for (int c = 0; c < e.classes; c++) largest = nn_larger(largest, NN_ENTROPY_OF(c));
    for (int c = 0; c < e.classes; c++) sum += exp(NN_ENTROPY_OF(c) - largest);
    NN_ENTROPY_SLOPE_OF(scale, all, sum);
    for (int c = 0; c < e.classes; c++) {
        float take = c == wanted          ? target
                     : e.smoothing > 0.0f ? smooth * nn_entropy_weight(&e, c)
                                          : 0.0f;
        NN_ENTROPY_PUT(dz, (ulong)c * inner,
                       exp(NN_ENTROPY_OF(c) - largest) * share - take);
    }
}

__kernel void nn_entropy_backward_each(NN_ENTROPY_SLOPE_ARGUMENTS, ulong end, uint each) {
    nn_entropy e = NN_ENTROPY_GIVEN;
    ulong at = first + get_global_id(0) * each, stop = min(at + each, end);
    for (; at < stop; at++) {
        ulong start = at / inner * (ulong)classes * inner + at % inner;
        nn_entropy_backward_one(e, slope + slope_offset + start, logits + logits_offset + start,
                                nn_entropy_label(&e, at), inner, NN_ENTROPY_SCALE,
                                number[number_offset + 1]);
    }
}

__kernel void nn_entropy_backward_group(NN_ENTROPY_SLOPE_ARGUMENTS, const __global float *kept,
                                        ulong kept_offset) {
    __local float lanes[NN_LANES];
    nn_entropy e = NN_ENTROPY_GIVEN;
    ulong at = first + get_group_id(0), start = at / inner * (ulong)classes * inner + at % inner;
    NN_ENTROPY_LOGITS *z = logits + logits_offset + start;
    NN_ENTROPY_SLOPES *dz = slope + slope_offset + start;
    int wanted = nn_entropy_label(&e, at), lane = (int)get_local_id(0);
    float largest = -INFINITY, sum = 0.0f;
    (void)kept, (void)kept_offset;
    if (wanted < 0 || (flags & 2)) { /* true for the whole group */
        for (int c = lane; c < classes; c += NN_LANES)
            NN_ENTROPY_PUT(dz, (ulong)c * inner,
                           c == wanted ? -NN_ENTROPY_SCALE * nn_entropy_weight(&e, c) : 0.0f);
        return;
    }
#if NN_ENTROPY_KEPT
    largest = kept[kept_offset + 2 * at];
    sum = kept[kept_offset + 2 * at + 1];
#else
    NN_ENTROPY_TURNS {
        NN_ENTROPY_READ
        NN_ENTROPY_CLASSES largest = nn_larger(largest, ahead[i]);
    }
    largest = nn_group_max(largest, lanes);
    NN_ENTROPY_TURNS {
        NN_ENTROPY_READ
        NN_ENTROPY_CLASSES sum += exp(ahead[i] - largest);
    }
    sum = nn_group_sum(sum, lanes);
#endif
    NN_ENTROPY_SLOPE(sum);
    NN_ENTROPY_TURNS {
        NN_ENTROPY_READ
        NN_ENTROPY_CLASSES {
            float take = c == wanted        ? target
                         : smoothing > 0.0f ? smooth * nn_entropy_weight(&e, c)
                                            : 0.0f;
            NN_ENTROPY_PUT(dz, (ulong)c * inner, exp(ahead[i] - largest) * share - take);
        }
    }
}

/* ---- few positions: the whole loss, or its whole gradient, in one launch ---- */

/* One work-group of 64 computes terms and sums. */
__kernel void nn_entropy_head(NN_ENTROPY_LOGITS *logits, ulong logits_offset, ulong inner,
                              __global float *term, ulong term_offset, NN_ENTROPY_ARGUMENTS,
                              ulong positions, NN_ENTROPY_SUM_ARGUMENTS) {
    __local float lanes[NN_LANES];
    nn_entropy e = NN_ENTROPY_GIVEN;
    float sum = 0.0f, weights = 0.0f, wrong = 0.0f;
    for (ulong at = get_local_id(0); at < positions; at += NN_LANES) {
        int wanted = nn_entropy_label(&e, at);
        float own = nn_entropy_one(
            &e, logits + logits_offset + at / inner * (ulong)classes * inner + at % inner, wanted,
            inner);
        if (term) term[term_offset + at] = own;
        if (wanted == -2) wrong = 1.0f;
        if (wanted < 0) continue;
        weights += nn_entropy_weight(&e, wanted);
        sum += own;
    }
    sum = nn_group_sum(sum, lanes);
    weights = nn_group_sum(weights, lanes);
    wrong = nn_group_max(wrong, lanes);
    if (get_local_id(0) == 0) NN_ENTROPY_FINISH(sum, weights, wrong);
    (void)part, (void)part_offset;
}

/* Each work-group of 64 adds all the weights, and each work-item takes a position. */
__kernel void nn_entropy_backward_head(NN_ENTROPY_SLOPES *slope, ulong slope_offset,
                                       NN_ENTROPY_LOGITS *logits, ulong logits_offset,
                                       ulong inner, const __global float *given, ulong given_offset,
                                       NN_ENTROPY_ARGUMENTS, ulong positions,
                                       NN_ENTROPY_SUM_ARGUMENTS) {
    __local float lanes[NN_LANES];
    nn_entropy e = NN_ENTROPY_GIVEN;
    ulong at = get_global_id(0), start = at / inner * (ulong)classes * inner + at % inner;
    float weights = 0.0f, wrong = 0.0f;
    for (ulong i = get_local_id(0); i < positions; i += NN_LANES) {
        int wanted = nn_entropy_label(&e, i);
        if (wanted == -2) wrong = 1.0f;
        if (wanted < 0) continue;
        weights += nn_entropy_weight(&e, wanted);
    }
    weights = nn_group_sum(weights, lanes);
    wrong = nn_group_max(wrong, lanes);
    if (at == 0 && wrong > 0.0f) nn_set_status(status, status_offset, step, NN_FAULT_LABEL);
    if (at >= positions) return;
    float scale = nn_entropy_scale(dloss ? dloss + dloss_offset : 0, mean, weights);
    if (given) scale = given[given_offset + at];
    nn_entropy_backward_one(e, slope + slope_offset + start, logits + logits_offset + start,
                            nn_entropy_label(&e, at), inner, scale, nn_entropy_all(&e));
    (void)total, (void)total_offset, (void)share, (void)check;
    (void)part, (void)part_offset, (void)loss, (void)loss_offset;
    (void)number, (void)number_offset;
}
/* One work-group of 64 computes the loss and its gradient, and adds to the total, which may be
   NULL. */
__kernel void nn_entropy_whole(NN_ENTROPY_SLOPES *slope, ulong slope_offset,
                               NN_ENTROPY_LOGITS *logits, ulong logits_offset, ulong inner,
                               NN_ENTROPY_ARGUMENTS, ulong positions, NN_ENTROPY_SUM_ARGUMENTS) {
    __local float lanes[NN_LANES];
    nn_entropy e = NN_ENTROPY_GIVEN;
    float sum = 0.0f, weights = 0.0f, wrong = 0.0f;
    for (ulong at = get_local_id(0); at < positions; at += NN_LANES) {
        int wanted = nn_entropy_label(&e, at);
        float own = nn_entropy_one(
            &e, logits + logits_offset + at / inner * (ulong)classes * inner + at % inner, wanted,
            inner);
        if (wanted == -2) wrong = 1.0f;
        if (wanted < 0) continue;
        weights += nn_entropy_weight(&e, wanted);
        sum += own;
    }
    sum = nn_group_sum(sum, lanes);
    weights = nn_group_sum(weights, lanes);
    wrong = nn_group_max(wrong, lanes);
    for (ulong at = get_local_id(0); at < positions; at += NN_LANES) {
        const ulong start = at / inner * (ulong)classes * inner + at % inner;
        nn_entropy_backward_one(e, slope + slope_offset + start, logits + logits_offset + start,
                                nn_entropy_label(&e, at), inner,
                                nn_entropy_scale(dloss ? dloss + dloss_offset : 0, mean, weights),
                                nn_entropy_all(&e));
    }
    if (get_local_id(0) != 0) return;
    NN_ENTROPY_FINISH(sum, weights, wrong);
    (void)part, (void)part_offset;
}
#undef NN_ENTROPY_BLOCK
#undef NN_ENTROPY_AHEAD
#undef NN_ENTROPY_TURNS
#undef NN_ENTROPY_READ
#undef NN_ENTROPY_CLASSES
#undef NN_ENTROPY_ARGUMENTS
#undef NN_ENTROPY_GIVEN
#undef NN_ENTROPY_SUM_ARGUMENTS
#undef NN_ENTROPY_FINISH
#undef NN_ENTROPY_SLOPE_ARGUMENTS
#undef NN_ENTROPY_SLOPE_OF
#undef NN_ENTROPY_SLOPE
#undef NN_ENTROPY_SCALE
#undef NN_ENTROPY_LOGITS
#undef NN_ENTROPY_SLOPES
#undef NN_ENTROPY_AT
#undef NN_ENTROPY_OF
#undef NN_ENTROPY_PUT
