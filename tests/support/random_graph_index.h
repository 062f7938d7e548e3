/* random_graph_index.h: the part of random_graph.h for operations that choose elements by index or
   by order. Included by random_graph.h before its table. */
#include "nn_sequence.h"

/* Adds an input of whole numbers in [0, below); -1: no room. */
static int graph_numbers(graph *g, nn_shape shape, int below) {
    if (g->count >= GRAPH_ITEMS - 4 || graph_sample(shape) > GRAPH_ELEMENTS) return -1;
    for (int i = 0; i < shape.rank; i++) /* an input has no other free extents */
        if (shape.extent[i] < 1 && shape.extent[i] != NN_BATCH && shape.extent[i] != NN_TIME)
            return -1;
    graph_item *item = graph_add(g, GRAPH_LABEL, shape);
    for (int i = 0; i < GRAPH_BATCH * GRAPH_ELEMENTS; i++) item->v[i] = graph_draw(g, below);
    return g->count - 1;
}

/* A shape, seen as lines along one axis. */
typedef struct graph_lines {
    int outer, length, inner;
} graph_lines;
static graph_lines graph_lines_of(const graph *g, nn_shape x, int axis) {
    graph_lines lines;
    lines.outer = graph_span(g, x, 0, axis);
    lines.length = graph_extent(g, x.extent[axis]);
    lines.inner = graph_span(g, x, axis + 1, x.rank);
    return lines;
}
/* Returns the index of element k of line `line`. */
static int graph_place(const graph_lines *lines, int line, int k) {
    return (line / lines->inner * lines->length + k) * lines->inner + line % lines->inner;
}

/* In two of three nets, shortens known extents of an index, except that of `axis`: elements of x
   outside the index then take no part in the operation. */
static void graph_shorten(graph *g, nn_shape *index, int axis) {
    if (graph_draw(g, 3) == 0) return;
    for (int i = 0; i < index->rank; i++)
        if (i != axis && index->extent[i] > 1 && graph_draw(g, 2))
            index->extent[i] = 1 + graph_draw(g, index->extent[i]);
}
/* Returns the index in `whole` of element i of `part`, with place k along the axis instead of its
   own. */
static int graph_inside(const graph *g, nn_shape whole, nn_shape part, int i, int axis, int k) {
    int at = 0, step = 1;
    for (int a = part.rank - 1; a >= 0; a--) {
        const int own = i % graph_extent(g, part.extent[a]);
        at += (a == axis ? k : own) * step;
        step *= graph_extent(g, whole.extent[a]);
        i /= graph_extent(g, part.extent[a]);
    }
    return at;
}

/* p[0]: the axis; in[1]: the index, of any length along the axis and no longer than x elsewhere. */
static bool graph_choose_gather(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    nn_shape x = IN(0)->shape;
    y->ins = 2;
    y->p[0] = graph_draw(g, x.rank);
    const int extent = x.extent[y->p[0]];
    if (extent < 1) return false;
    y->shape = x;
    y->shape.extent[y->p[0]] = 1 + graph_draw(g, 5);
    graph_shorten(g, &y->shape, y->p[0]);
    y->in[1] = graph_numbers(g, y->shape, extent);
    return y->in[1] >= 0;
}
static nn_node *graph_build_gather(graph *g, nn_model *net, graph_item *y) {
    return nn_gather(net, IN(0)->node, y->p[0], IN(1)->node);
}
static void graph_eval_gather(graph *g, graph_item *y) {
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++)
        y->v[i] = V(0)[graph_inside(g, IN(0)->shape, y->shape, i, y->p[0], (int)V(1)[i])];
}

/* variant 0: scatter_add, 1: scatter, 2: scatter of the number f, 3: scatter_reduce, the maximum or
   minimum by the sign of f. src is x or another item of its
   shape. The index of a scatter is along the last axis and contains each place of a row once. */
static bool graph_choose_scatter(graph *g, graph_item *y) {
    const int variant = y->op->variant;
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    nn_shape x = IN(0)->shape, index = x;
    y->p[0] = variant == 1 ? x.rank - 1 : graph_draw(g, x.rank);
    const int extent = x.extent[y->p[0]];
    if (extent < 1) return false;
    if (variant == 2) index.extent[y->p[0]] = 1 + graph_draw(g, extent);
    graph_shorten(g, &index, y->p[0]);
    y->shape = x;
    y->ins = variant == 2 ? 2 : 3;
    y->f = graph_draw(g, 5) * 0.25 - 0.5;
    y->in[2] = y->in[0];
    for (int i = 0; i < g->count && variant != 2; i++)
        if (g->items[i].kind != GRAPH_LABEL && !g->items[i].owned &&
            nn_same_shape(g->items[i].shape, index) && graph_draw(g, 2))
            y->in[2] = i;
    if (variant != 2 && !nn_same_shape(g->items[y->in[2]].shape, index)) {
        if (g->count >= GRAPH_ITEMS - 4 || graph_batches(index) ||
            nn__free_extents(index, NN__OF_TIME))
            index = g->items[y->in[2]].shape;
        else {
            graph_add(g, GRAPH_PARAMETER, index);
            y->in[2] = g->count - 1;
        }
    }
    if ((y->in[1] = graph_numbers(g, index, extent)) < 0) return false;
    for (int i = 0; i < GRAPH_BATCH * GRAPH_ELEMENTS && variant == 1; i++)
        IN(1)->v[i] = (i % extent + i / extent) % extent;
    return true;
}
static nn_node *graph_build_scatter(graph *g, nn_model *net, graph_item *y) {
    nn_node *x = IN(0)->node, *index = IN(1)->node;
    switch (y->op->variant) {
    case 0: return nn_scatter_add(net, x, y->p[0] - y->shape.rank, index, IN(2)->node);
    case 1: return nn_scatter(net, x, y->p[0], index, IN(2)->node);
    case 2: return nn_scatter_value(net, x, y->p[0], index, (float)y->f);
    default:
        return nn_scatter_reduce(net, x, y->p[0], index, IN(2)->node, y->f < 0 ? NN_MIN : NN_MAX);
    }
}
static void graph_eval_scatter(graph *g, graph_item *y) {
    const nn_shape part = IN(1)->shape;
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) y->v[i] = V(0)[i];
    for (int i = 0, all = graph_elements(g, part); i < all; i++) {
        const int at = graph_inside(g, y->shape, part, i, y->p[0], (int)V(1)[i]);
        y->v[at] = y->op->variant == 0   ? KEEP(y->v[at] + V(2)[i])
                   : y->op->variant == 1 ? V(2)[i]
                   : y->op->variant == 2 ? y->f
                   : y->f < 0            ? fmin(y->v[at], V(2)[i])
                                         : fmax(y->v[at], V(2)[i]);
    }
}

static bool graph_choose_one_hot(graph *g, graph_item *y) {
    y->in[0] = g->labels && graph_draw(g, 2) ? g->labels : g->label;
    y->ins = 1;
    y->shape = IN(0)->shape;
    y->shape.extent[y->shape.rank++] = GRAPH_CLASSES + graph_draw(g, 2);
    return true;
}
static nn_node *graph_build_one_hot(graph *g, nn_model *net, graph_item *y) {
    return nn_one_hot(net, IN(0)->node, y->shape.extent[y->shape.rank - 1]);
}
static void graph_eval_one_hot(graph *g, graph_item *y) {
    const int classes = y->shape.extent[y->shape.rank - 1];
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++)
        y->v[i] = (int)V(0)[i / classes] == i % classes;
}

/* variant 0: mean, 1: sum. Bags of the table's rows; row p[1] is padding (-1: none). */
static bool graph_choose_bag(graph *g, graph_item *y) {
    const int rows = 2 + graph_draw(g, 4), dim = 1 + graph_draw(g, 4);
    y->in[0] = graph_numbers(g, NN_SHAPE(NN_BATCH, 1 + graph_draw(g, 4)), rows);
    y->ins = 2;
    y->shape = NN_SHAPE(NN_BATCH, dim);
    y->p[1] = graph_draw(g, 2) ? graph_draw(g, rows) : -1;
    if (y->in[0] < 0) return false;
    y->in[1] = graph_own(g, y, "weight", NN_SHAPE(rows, dim));
    return y->in[1] >= 0;
}
static nn_node *graph_build_bag(graph *g, nn_model *net, graph_item *y) {
    nn_embedding_bag_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.num_embeddings = IN(1)->shape.extent[0];
    desc.embedding_dim = IN(1)->shape.extent[1];
    desc.mode = y->op->variant ? NN_SUM : NN_MEAN;
    desc.padding = y->p[1] >= 0;
    desc.padding_idx = y->p[1] < 0 ? 0 : y->p[1];
    return nn_embedding_bag(net, y->name, IN(0)->node, &desc);
}
static void graph_eval_bag(graph *g, graph_item *y) {
    const int dim = y->shape.extent[1], each = IN(0)->shape.extent[1];
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        double sum = 0;
        int counted = 0;
        for (int k = 0; k < each; k++) {
            const int row = (int)V(0)[i / dim * each + k];
            if (row == y->p[1]) continue;
            sum = KEEP(sum + V(1)[row * dim + i % dim]);
            counted++;
        }
        y->v[i] = y->op->variant || !counted ? sum : KEEP(sum / counted);
    }
}

/* variant 0: masked_fill with the number f; 1: with NaN, which nan_to_num replaces by f; 2 and 3:
   the same with an infinity. The mask is a line of 0 and 1 along the last axis. */
static bool graph_choose_masked(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_last_known)) < 0) return false;
    y->ins = 2;
    y->shape = IN(0)->shape;
    y->f = graph_draw(g, 5) * 0.25 - 0.5;
    y->in[1] = graph_numbers(g, NN_SHAPE(y->shape.extent[y->shape.rank - 1]), 2);
    return y->in[1] >= 0;
}
static nn_node *graph_build_masked(graph *g, nn_model *net, graph_item *y) {
    const float f = (float)y->f, with[] = {f, NAN, INFINITY, -INFINITY};
    const int variant = y->op->variant;
    nn_node *mask = nn_cast(net, IN(1)->node, NN_F32);
    nn_node *x = nn_masked_fill(net, IN(0)->node, mask, with[variant]);
    if (variant == 0) return x;
    const float number = f != 0 ? f : NN_NONE; /* in a desc, where 0 is the default */
    return nn_nan_to_num(net, x,
                         &(nn_nan_to_num_desc){.nan = variant == 1 ? number : 7.0f,
                                               .posinf = variant == 2 ? number : 7.0f,
                                               .neginf = variant == 3 ? number : 7.0f});
}
static void graph_eval_masked(graph *g, graph_item *y) {
    const int last = y->shape.extent[y->shape.rank - 1];
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++)
        y->v[i] = V(1)[i % last] > 0 ? y->f : V(0)[i];
}

/* variant: the factor. */
static bool graph_choose_unshuffle(graph *g, graph_item *y) {
    const int factor = y->op->variant;
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    nn_shape x = IN(0)->shape;
    y->ins = 1;
    y->shape = x;
    if (x.rank < 3) return false;
    for (int i = x.rank - 2; i < x.rank; i++) {
        if (x.extent[i] < 1 || x.extent[i] % factor) return false;
        y->shape.extent[i] = x.extent[i] / factor;
    }
    y->shape.extent[x.rank - 3] = nn_multiply_extents(x.extent[x.rank - 3], factor * factor);
    return true;
}
static nn_node *graph_build_unshuffle(graph *g, nn_model *net, graph_item *y) {
    return nn_pixel_unshuffle(net, IN(0)->node, y->op->variant);
}
static void graph_eval_unshuffle(graph *g, graph_item *y) {
    const int r = y->op->variant, rank = y->shape.rank, h = y->shape.extent[rank - 2],
              w = y->shape.extent[rank - 1];
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        const int plane = i / w / h, row = i / w % h * r + plane / r % r,
                  column = i % w * r + plane % r;
        y->v[i] = V(0)[(plane / r / r * h * r + row) * (w * r) + column];
    }
}

/* The CTC loss of each sample (N), for log_softmax(x) with x (T, N, C). p[0]: the blank; p[1]:
   number of targets of each sample; in[1]: the targets (N, p[1]), in[2]: the number of rows of each
   sample (N). */
static bool graph_sequences(const graph_item *item) {
    const nn_shape *s = &item->shape;
    return s->rank == 3 && s->extent[0] > 1 && s->extent[2] > 1 && s->extent[0] < 8;
}
static bool graph_choose_ctc(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_sequences)) < 0) return false;
    const nn_shape x = IN(0)->shape;
    const int classes = x.extent[2], rows = x.extent[0];
    y->ins = 3;
    y->p[0] = graph_draw(g, classes);
    y->p[1] = 1 + graph_draw(g, rows / 2);
    y->shape = NN_SHAPE(x.extent[1]);
    if ((y->in[1] = graph_numbers(g, NN_SHAPE(x.extent[1], y->p[1]), classes)) < 0) return false;
    if ((y->in[2] = graph_numbers(g, NN_SHAPE(x.extent[1]), rows)) < 0) return false;
    for (int i = 0; i < GRAPH_BATCH * GRAPH_ELEMENTS; i++) {
        double *target = &IN(1)->v[i], *length = &IN(2)->v[i];
        if ((int)*target == y->p[0]) *target = (y->p[0] + 1) % classes;
        if (*length < 2 * y->p[1]) *length = 2 * y->p[1] > rows ? rows : 2 * y->p[1];
    }
    return true;
}
static nn_node *graph_build_ctc(graph *g, nn_model *net, graph_item *y) {
    nn_ctc_loss_desc desc;
    nn_node *lengths = IN(2)->node, *x = nn_log_softmax(net, IN(0)->node);
    memset(&desc, 0, sizeof desc);
    desc.reduction = NN_REDUCTION_NONE;
    desc.blank = y->p[0];
    nn_node *all = nn_cast(
        net, nn_offset(net, nn_scale(net, nn_cast(net, lengths, NN_F32), 0.0f), (float)y->p[1]),
        NN_I32);
    return nn_ctc_loss(net, x, IN(1)->node, lengths, all, &desc);
}
static void graph_eval_ctc(graph *g, graph_item *y) {
    enum { MOST = 9 };
    const int samples = graph_extent(g, y->shape.extent[0]), classes = IN(0)->shape.extent[2],
              states = 2 * y->p[1] + 1;
    for (int n = 0; n < samples; n++) {
        double paths[MOST] = {0}, next[MOST], row[GRAPH_ELEMENTS];
        const double *target = V(1) + n * y->p[1];
        for (int t = 0; t < (int)V(2)[n]; t++) {
            graph_log_softmax(g, row, V(0) + (t * samples + n) * classes, classes);
            for (int s = 0; s < states; s++) {
                const int label = s % 2 ? (int)target[s / 2] : y->p[0];
                double sum = t ? paths[s] : s < 2;
                if (t && s > 0) sum += paths[s - 1];
                if (t && s % 2 && s > 1 && target[s / 2] != target[s / 2 - 1]) sum += paths[s - 2];
                next[s] = sum * exp(row[label]);
            }
            memcpy(paths, next, sizeof paths);
        }
        y->v[n] = KEEP(-log(paths[states - 1] + paths[states - 2]));
    }
}

/* Attention of x (N, T, C) to itself with p[0] heads. p[1]: causal, p[2]: window, p[3]: alibi.
   variant 1 and 3: two query heads share a key head, which is the first half of x; heads are
   transposed. p[4]: the first column of x, times a parameter, is added to the scores of all
   queries. p[5]: a row has several texts of two places each. */
static bool graph_states(const graph_item *item) {
    const nn_shape *s = &item->shape;
    return s->rank == 3 && s->extent[2] > 0 && s->extent[2] % 2 == 0;
}
static bool graph_choose_attention(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_states)) < 0) return false;
    y->ins = 1;
    y->shape = IN(0)->shape;
    y->p[0] = y->op->variant % 2 ? 2 : 1 + graph_draw(g, 2);
    for (int i = 1; i < 6; i++) y->p[i] = graph_draw(g, i == 2 ? 3 : 2);
    if (y->p[5]) y->p[1] = 1;
    if (y->p[4] && g->count < GRAPH_ITEMS - 4) {
        graph_add(g, GRAPH_PARAMETER, NN_SHAPE(1));
        y->in[y->ins++] = g->count - 1;
    }
    return true;
}
static nn_node *graph_first_column(graph *g, nn_model *net, const graph_item *y) {
    nn_slice_desc first;
    memset(&first, 0, sizeof first);
    first.axis = 2, first.stop = 1;
    return nn_slice(net, IN(0)->node, &first);
}
/* 0, 0, 2, 2, 4 ... for each sample. */
static nn_node *graph_starts(graph *g, nn_model *net, const graph_item *y) {
    nn_node *x = nn_squeeze(net, graph_first_column(g, net, y), NN_AXES(2));
    x = nn_cast(net, nn_scale(net, nn_detach(net, x), 0.0f), NN_F32);
    x = nn_cumsum(net, nn_offset(net, x, 1.0f), 1); /* 1, 2, 3 ... */
    x = nn_scale(net, nn_floor(net, nn_scale(net, nn_offset(net, x, -1.0f), 0.5f)), 2.0f);
    return nn_cast(net, x, NN_I32);
}
static nn_node *graph_build_attention(graph *g, nn_model *net, graph_item *y) {
    const nn_shape s = y->shape;
    const int each = s.extent[2] / y->p[0];
    nn_scaled_dot_product_attention_desc desc;
    nn_node *q = nn_reshape(net, IN(0)->node,
                            NN_SHAPE(s.extent[0], s.extent[1], y->p[0], each)), *k = q;
    memset(&desc, 0, sizeof desc);
    desc.is_causal = y->p[1] > 0, desc.window = y->p[2], desc.alibi = y->p[3] > 0;
    desc.heads_inside = y->op->variant % 2 == 0;
    if (y->ins > 1)
        desc.attn_mask =
            nn_reshape(net, nn_multiply(net, graph_first_column(g, net, y), IN(1)->node),
                       NN_SHAPE(s.extent[0], 1, 1, s.extent[1]));
    if (y->p[5]) desc.starts = graph_starts(g, net, y);
    if (y->op->variant % 2) {
        nn_slice_desc first;
        memset(&first, 0, sizeof first);
        first.axis = 1, first.stop = 1;
        q = nn_transpose(net, q, 1, 2);
        k = nn_slice(net, q, &first);
    }
    q = nn_scaled_dot_product_attention(net, q, k, k, &desc);
    if (y->op->variant % 2) q = nn_transpose(net, q, 1, 2);
    return nn_reshape(net, q, s);
}
static void graph_eval_attention(graph *g, graph_item *y) {
    const int N = graph_extent(g, y->shape.extent[0]), T = graph_extent(g, y->shape.extent[1]),
              C = y->shape.extent[2], each = C / y->p[0];
    for (int row = 0; row < N * T * y->p[0]; row++) {
        const int n = row / T / y->p[0], h = row / T % y->p[0], i = row % T,
                  own = h * each, from = y->op->variant % 2 ? 0 : own;
        double weight[GRAPH_ELEMENTS], sum = 0, most = -INFINITY;
        for (int j = 0; j < T; j++) {
            const int far = abs(i - j);
            double score = 0;
            for (int e = 0; e < each; e++)
                score = KEEP(score + V(0)[(n * T + i) * C + own + e] *
                                         V(0)[(n * T + j) * C + from + e]);
            score *= 1 / sqrt((double)each);
            if (y->p[3]) score -= pow(2.0, -8.0 * (h + 1) / y->p[0]) * far;
            if (y->ins > 1) score += V(1)[0] * V(0)[(n * T + j) * C];
            if (y->p[5] && j < i / 2 * 2) score = -INFINITY;
            if ((y->p[1] && j > i) || (y->p[2] && far >= y->p[2])) score = -INFINITY;
            weight[j] = score;
            if (score > most) most = score;
        }
        for (int j = 0; j < T; j++) sum += weight[j] = KEEP(exp(weight[j] - most));
        for (int e = 0; e < each; e++) {
            double total = 0;
            for (int j = 0; j < T; j++)
                total = KEEP(total + weight[j] / sum * V(0)[(n * T + j) * C + from + e]);
            y->v[(n * T + i) * C + own + e] = total;
        }
    }
}

/* Rotary positions of x (N, T, C) with one head; p[0]: offset. variant 1: interleaved. */
static bool graph_choose_rotary(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_states)) < 0) return false;
    y->ins = 1;
    y->shape = IN(0)->shape;
    y->p[0] = graph_draw(g, 4);
    return true;
}
static nn_node *graph_build_rotary(graph *g, nn_model *net, graph_item *y) {
    const nn_shape s = y->shape;
    nn_rotary_embedding_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.offset = y->p[0], desc.interleaved = y->op->variant > 0, desc.base = 10;
    (void)g;
    nn_node *x =
        nn_reshape(net, IN(0)->node, NN_SHAPE(s.extent[0], 1, s.extent[1], s.extent[2]));
    return nn_reshape(net, nn_rotary_embedding(net, x, &desc), s);
}
static void graph_eval_rotary(graph *g, graph_item *y) {
    const int rows = graph_span(g, y->shape, 0, 2), T = graph_extent(g, y->shape.extent[1]),
              C = y->shape.extent[2];
    for (int row = 0; row < rows; row++)
        for (int e = 0; e < C / 2; e++) {
            const int a = row * C + (y->op->variant ? 2 * e : e),
                      b = row * C + (y->op->variant ? 2 * e + 1 : e + C / 2);
            const double angle = (row % T + y->p[0]) * pow(10, -2.0 * e / C), p = V(0)[a],
                         q = V(0)[b];
            y->v[a] = KEEP(p * cos(angle) - q * sin(angle));
            y->v[b] = KEEP(q * cos(angle) + p * sin(angle));
        }
}

/* x (N, T, C) plus its sinusoidal positions; p[0]: offset. variant 1: sines before cosines. */
static nn_node *graph_build_sinusoidal(graph *g, nn_model *net, graph_item *y) {
    nn_sinusoidal_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.offset = y->p[0], desc.halves = y->op->variant > 0, desc.base = 10;
    (void)g;
    return nn_add(net, IN(0)->node, nn_sinusoidal_positions(net, IN(0)->node, &desc));
}
static void graph_eval_sinusoidal(graph *g, graph_item *y) {
    const int rows = graph_span(g, y->shape, 0, 2), T = graph_extent(g, y->shape.extent[1]),
              C = y->shape.extent[2];
    for (int i = 0; i < rows * C; i++) {
        const int c = i % C, e = y->op->variant ? c % (C / 2) : c / 2;
        const double angle = (i / C % T + y->p[0]) * pow(10, -2.0 * e / C);
        y->v[i] = KEEP(V(0)[i] + ((y->op->variant ? c >= C / 2 : c % 2) ? cos(angle) : sin(angle)));
    }
}

/* True if two numbers of a line along the axis are so close that the step of a difference could
   exchange them. */
static bool graph_close(const graph *g, const graph_item *x, int axis) {
    const graph_lines lines = graph_lines_of(g, x->shape, axis);
    for (int line = 0; line < lines.outer * lines.inner; line++)
        for (int k = 0; k < lines.length; k++)
            for (int l = 0; l < k; l++)
                if (fabs(x->v[graph_place(&lines, line, k)] - x->v[graph_place(&lines, line, l)]) <
                    1e-2)
                    return true;
    return false;
}

/* variant 0: sort, 1: descending sort, 2: top_k, 3: top_k of the smallest, 4: kthvalue, 5: median.
   p[0]: the axis, p[1]: k. */
static bool graph_choose_sort(graph *g, graph_item *y) {
    const int variant = y->op->variant;
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    nn_shape x = y->shape = IN(0)->shape;
    y->ins = 1;
    y->p[0] = graph_draw(g, x.rank);
    const int extent = x.extent[y->p[0]];
    if (extent < 1 && variant > 1) return false;
    if (graph_close(g, IN(0), y->p[0])) return false;
    y->p[1] = variant == 5 ? (extent + 1) / 2 : variant > 1 ? 1 + graph_draw(g, extent) : 0;
    if (variant == 2 || variant == 3) y->shape.extent[y->p[0]] = y->p[1];
    if (variant < 4) return true;
    for (int i = y->p[0] + 1; i < x.rank; i++) y->shape.extent[i - 1] = x.extent[i];
    y->shape.rank--;
    return true;
}
static nn_node *graph_build_sort(graph *g, nn_model *net, graph_item *y) {
    nn_sort_desc sort;
    nn_top_k_desc top;
    const int axis = y->p[0] - IN(0)->shape.rank;
    memset(&sort, 0, sizeof sort);
    memset(&top, 0, sizeof top);
    sort.descending = y->op->variant == 1;
    top.smallest = y->op->variant == 3;
    switch (y->op->variant) {
    case 0: case 1: return nn_sort(net, IN(0)->node, axis, &sort);
    case 2: case 3: return nn_top_k(net, IN(0)->node, y->p[1], axis, &top);
    case 4: return nn_kthvalue(net, IN(0)->node, y->p[1], axis);
    default: return nn_median(net, IN(0)->node, axis);
    }
}
static void graph_eval_sort(graph *g, graph_item *y) {
    const graph_lines from = graph_lines_of(g, IN(0)->shape, y->p[0]);
    const bool down = y->op->variant == 1 || y->op->variant == 2;
    double row[GRAPH_BATCH * GRAPH_ELEMENTS];
    graph_lines to = from;
    if (y->op->variant > 1) to.length = y->p[1];
    for (int line = 0; line < from.outer * from.inner; line++) {
        for (int i = 0; i < from.length; i++) {
            const double value = V(0)[graph_place(&from, line, i)];
            int k = i;
            for (; k > 0 && (down ? row[k - 1] < value : row[k - 1] > value); k--)
                row[k] = row[k - 1];
            row[k] = value;
        }
        for (int k = 0; k < to.length && y->op->variant < 4; k++)
            y->v[graph_place(&to, line, k)] = row[k];
        if (y->op->variant > 3) y->v[line] = row[y->p[1] - 1];
    }
}

/* variant 0: pairwise_distance, 1: cdist, to rows of a parameter. p[1]: p. Vectors that are nearly
   equal are avoided: float cannot represent the direction of their difference. */
static bool graph_choose_distance(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_last_known)) < 0) return false;
    const nn_shape x = IN(0)->shape;
    const int dim = x.extent[x.rank - 1], rows = y->op->variant ? 1 + graph_draw(g, 3) : 1;
    y->ins = 2;
    y->p[1] = 1 + graph_draw(g, 3);
    y->shape = x;
    if (y->op->variant) {
        if (x.rank < 2 || x.rank == NN_MAX_RANK) return false;
        y->shape.extent[x.rank - 1] = rows;
    } else {
        y->shape.rank--;
    }
    if (g->count >= GRAPH_ITEMS - 4) return false;
    graph_add(g, GRAPH_PARAMETER, NN_SHAPE(rows, dim));
    if (!y->op->variant) g->items[g->count - 1].shape = NN_SHAPE(dim);
    y->in[1] = g->count - 1;
    for (int i = 0, all = graph_elements(g, x) / dim * rows; i < all; i++) {
        double far = 0;
        for (int k = 0; k < dim; k++)
            far = fmax(far, fabs(V(0)[i / rows * dim + k] - V(1)[i % rows * dim + k]));
        if (far < 0.1) return false;
    }
    return true;
}
static nn_node *graph_build_distance(graph *g, nn_model *net, graph_item *y) {
    nn_pairwise_distance_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.p = (float)y->p[1];
    desc.epsilon = NN_NONE;
    return y->op->variant ? nn_cdist(net, IN(0)->node, IN(1)->node, desc.p)
                          : nn_pairwise_distance(net, IN(0)->node, IN(1)->node, &desc);
}
static void graph_eval_distance(graph *g, graph_item *y) {
    const int dim = IN(0)->shape.extent[IN(0)->shape.rank - 1],
              rows = y->op->variant ? IN(1)->shape.extent[0] : 1;
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
        double sum = 0;
        for (int k = 0; k < dim; k++)
            sum = KEEP(sum + pow(fabs(V(0)[i / rows * dim + k] - V(1)[i % rows * dim + k]),
                                 y->p[1]));
        y->v[i] = KEEP(pow(sum, 1.0 / y->p[1]));
    }
}

/* variant 0: cumprod, 1: logcumsumexp, 2: cummax, 3: cummin. p[0]: the axis */
static bool graph_choose_running(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    y->ins = 1;
    y->shape = IN(0)->shape;
    y->p[0] = graph_draw(g, y->shape.rank);
    return y->op->variant < 2 || !graph_close(g, IN(0), y->p[0]);
}
static nn_node *graph_build_running(graph *g, nn_model *net, graph_item *y) {
    nn_node *x = IN(0)->node;
    const int axis = y->p[0] - y->shape.rank;
    switch (y->op->variant) {
    case 0: return nn_cumprod(net, x, axis);
    case 1: return nn_logcumsumexp(net, x, axis);
    case 2: return nn_cummax(net, x, axis);
    default: return nn_cummin(net, x, axis);
    }
}
static void graph_eval_running(graph *g, graph_item *y) {
    const graph_lines lines = graph_lines_of(g, y->shape, y->p[0]);
    for (int line = 0; line < lines.outer * lines.inner; line++)
        for (int k = 0; k < lines.length; k++) {
            const int at = graph_place(&lines, line, k);
            const double x = V(0)[at], old = k ? y->v[graph_place(&lines, line, k - 1)] : x;
            switch (k ? y->op->variant : -1) {
            case 0: y->v[at] = KEEP(old * x); break;
            case 1: y->v[at] = KEEP(fmax(old, x) + log1p(exp(-fabs(old - x)))); break;
            case 2: y->v[at] = fmax(old, x); break;
            case 3: y->v[at] = fmin(old, x); break;
            default: y->v[at] = x; break;
            }
        }
}

/* variant 0: diff, 1: tril, 2: triu, 3: a part of split. p[0]: the axis, p[1]: the diagonal, or the
   start of the part. */
static bool graph_choose_matrix(graph *g, graph_item *y) {
    const int variant = y->op->variant;
    if ((y->in[0] = graph_pick(g, graph_any)) < 0) return false;
    y->ins = 1;
    y->shape = IN(0)->shape;
    y->p[0] = graph_draw(g, y->shape.rank);
    int32_t *extent = &y->shape.extent[y->p[0]];
    y->p[1] = graph_draw(g, 5) - 2;
    if (variant == 1 || variant == 2) return y->shape.rank > 1;
    if (*extent < 2) return false;
    if (variant == 3) y->p[1] = 1 + graph_draw(g, *extent - 1);
    *extent -= variant ? y->p[1] : 1;
    return true;
}
static nn_node *graph_build_matrix(graph *g, nn_model *net, graph_item *y) {
    nn_node *parts[2];
    int sizes[2];
    switch (y->op->variant) {
    case 0: return nn_diff(net, IN(0)->node, y->p[0] - y->shape.rank);
    case 1: return nn_tril(net, IN(0)->node, y->p[1]);
    case 2: return nn_triu(net, IN(0)->node, y->p[1]);
    default:
        sizes[0] = y->p[1];
        sizes[1] = y->shape.extent[y->p[0]];
        nn_split(net, IN(0)->node, parts, sizes, 2, y->p[0]);
        return parts[1];
    }
}
static void graph_eval_matrix(graph *g, graph_item *y) {
    const int variant = y->op->variant, rank = y->shape.rank;
    if (variant == 1 || variant == 2) {
        const int columns = graph_extent(g, y->shape.extent[rank - 1]),
                  rows = graph_extent(g, y->shape.extent[rank - 2]);
        for (int i = 0, all = graph_elements(g, y->shape); i < all; i++) {
            const int right = i % columns - i / columns % rows - y->p[1];
            y->v[i] = (variant == 1 ? right <= 0 : right >= 0) ? V(0)[i] : 0;
        }
        return;
    }
    const graph_lines to = graph_lines_of(g, y->shape, y->p[0]),
                      from = graph_lines_of(g, IN(0)->shape, y->p[0]);
    for (int line = 0; line < to.outer * to.inner; line++)
        for (int k = 0; k < to.length; k++) {
            const double *x = V(0);
            y->v[graph_place(&to, line, k)] =
                variant ? x[graph_place(&from, line, k + y->p[1])]
                        : KEEP(x[graph_place(&from, line, k + 1)] - x[graph_place(&from, line, k)]);
        }
}

/* The outer product of x and a parameter. */
static bool graph_vector(const graph_item *item) { return item->shape.rank == 1; }
static bool graph_choose_outer(graph *g, graph_item *y) {
    if ((y->in[0] = graph_pick(g, graph_vector)) < 0 || g->count >= GRAPH_ITEMS - 4) return false;
    y->ins = 2;
    y->shape = IN(0)->shape;
    y->shape.extent[y->shape.rank++] = 1 + graph_draw(g, 4);
    graph_add(g, GRAPH_PARAMETER, NN_SHAPE(y->shape.extent[1]));
    y->in[1] = g->count - 1;
    return true;
}
static nn_node *graph_build_outer(graph *g, nn_model *net, graph_item *y) {
    return nn_outer(net, IN(0)->node, IN(1)->node);
}
static void graph_eval_outer(graph *g, graph_item *y) {
    const int columns = y->shape.extent[1];
    for (int i = 0, all = graph_elements(g, y->shape); i < all; i++)
        y->v[i] = KEEP(V(0)[i / columns] * V(1)[i % columns]);
}
