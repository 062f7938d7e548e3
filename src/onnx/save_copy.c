/* onnx/save_copy.c - strided copies: slices, transposes, concatenations, padding, repetition.

   Each piece of a copy moves a box of x to a box of y. A box is written as those of Slice, Gather
   (if windows overlap), Transpose, Reshape and Expand that it needs; boxes that tile y as Concat;
   and gaps between boxes as Pad. Everything is computed for two pairs of batch and time. */
#include "onnx/emit.h"

enum { NN__ONNX_COPY_AXES = 2 * NN_COPY_AXES, NN__ONNX_COPY_PIECES = 256 };

/* y, with axes divided where pieces divide them. [0] and [1]: at the two batches and times. */
typedef struct nn__onnx_grid {
    int rank;
    int64_t extent[2][NN__ONNX_COPY_AXES], stride[2][NN__ONNX_COPY_AXES];
} nn__onnx_grid;

/* A box of y, and the step in x along each axis. */
typedef struct nn__onnx_box {
    int64_t start[2][NN__ONNX_COPY_AXES], extent[2][NN__ONNX_COPY_AXES],
        step[2][NN__ONNX_COPY_AXES], first[2];
    const nn_node *x;
} nn__onnx_box;

typedef struct nn__onnx_copying {
    nn__onnx_emitter *e;
    nn__onnx_grid grid;
    nn__onnx_box *boxes;
    int count;
} nn__onnx_copying;

static void nn__onnx_sizes(nn_shape shape, int time, int64_t *extents, int64_t *strides) {
    int64_t step = 1;
    for (int i = shape.rank - 1; i >= 0; i--) {
        uint8_t powers;
        extents[i] = nn__onnx_split_extent(shape.extent[i], &powers);
        if (powers & NN__ONNX_B) extents[i] *= time ? NN__ONNX_B2 : NN__ONNX_B1;
        if (powers & NN__ONNX_T) extents[i] *= time ? NN__ONNX_T2 : NN__ONNX_T1;
        strides[i] = step;
        step *= extents[i];
    }
}

/* ---- geometry -------------------------------------------------------------------------------- */

/* Divides the axes of y where the pieces have a stride inside one. */
static void nn__onnx_divide_axes(nn_shape y, const nn_strided_copy_args *a, int time,
                                 nn__onnx_grid *grid) {
    int64_t extents[NN_MAX_RANK], strides[NN_MAX_RANK];
    int rank = 0;
    nn__onnx_sizes(y, time, extents, strides);
    for (int i = 0; i < y.rank; i++) {
        int64_t whole = extents[i] * strides[i]; /* the part that is not divided yet */
        for (;;) {
            int64_t largest = strides[i];
            for (int p = 0; p < a->count && extents[i] > 1; p++)
                for (int k = 0; k < NN_COPY_AXES; k++) {
                    const int64_t step = a->pieces[p].y_stride[k] < 0 ? -a->pieces[p].y_stride[k]
                                                                      : a->pieces[p].y_stride[k];
                    if (a->pieces[p].extent[k] > 1 && step > largest && step < whole &&
                        step % strides[i] == 0 && whole % step == 0)
                        largest = step;
                }
            if (rank < NN__ONNX_COPY_AXES) {
                grid->stride[time][rank] = largest;
                grid->extent[time][rank++] = whole / largest;
            }
            whole = largest;
            if (largest == strides[i]) break;
        }
    }
    grid->rank = rank;
}

/* Finds the box of a piece. False: it is no box of the grid. */
static bool nn__onnx_find_box(const nn__onnx_grid *grid, const nn_copy_piece *piece, int time,
                              nn__onnx_box *box) {
    int64_t y = piece->y_first, x = piece->x_first;
    for (int j = 0; j < grid->rank; j++) {
        box->extent[time][j] = 1;
        box->step[time][j] = 0;
    }
    for (int k = 0; k < NN_COPY_AXES; k++) {
        int64_t step = piece->y_stride[k], from = piece->x_stride[k];
        int at = -1;
        if (piece->extent[k] == 1) continue;
        if (step < 0) { /* from the other end */
            y += (piece->extent[k] - 1) * step;
            x += (piece->extent[k] - 1) * from;
            step = -step;
            from = -from;
        }
        for (int j = 0; j < grid->rank; j++)
            if (grid->stride[time][j] == step && grid->extent[time][j] > 1) at = j;
        if (at < 0 || box->extent[time][at] != 1) return false;
        box->extent[time][at] = piece->extent[k];
        box->step[time][at] = from;
    }
    box->first[time] = x;
    for (int j = 0; j < grid->rank; j++) {
        box->start[time][j] = y / grid->stride[time][j] % grid->extent[time][j];
        if (box->start[time][j] + box->extent[time][j] > grid->extent[time][j]) return false;
    }
    box->x = nn__onnx_node_at(&piece->x);
    return true;
}

/* ---- a box ----------------------------------------------------------------------------------- */

/* The positions of the axes of a box in x. */
typedef struct nn__onnx_moved {
    nn_shape shape; /* of x */
    int64_t extent[2][NN_MAX_RANK], stride[2][NN_MAX_RANK], start[2][NN_MAX_RANK];
    int axis[NN__ONNX_COPY_AXES];   /* of x, for each axis of y; -1: none */
    int64_t by[NN__ONNX_COPY_AXES]; /* step along it */
    int readers[NN_MAX_RANK];       /* axes of y that run along an axis of x */
} nn__onnx_moved;

static bool nn__onnx_find_moves(const nn__onnx_copying *c, const nn__onnx_box *box,
                                nn__onnx_moved *m) {
    memset(m, 0, sizeof *m);
    m->shape = nn_node_shape(box->x);
    for (int time = 0; time < 2; time++) {
        nn__onnx_sizes(m->shape, time, m->extent[time], m->stride[time]);
        for (int i = 0; i < m->shape.rank; i++)
            m->start[time][i] = box->first[time] / m->stride[time][i] % m->extent[time][i];
        for (int j = 0; j < c->grid.rank; j++) {
            const int64_t step = box->step[time][j], size = step < 0 ? -step : step;
            int at = -1;
            int64_t by = 0;
            for (int i = 0; i < m->shape.rank && box->extent[time][j] > 1; i++) {
                if (size < m->stride[time][i] || size >= m->stride[time][i] * m->extent[time][i])
                    continue;
                at = i;
                by = step / m->stride[time][i];
                if (by * m->stride[time][i] != step) return false;
            }
            if (step != 0 && box->extent[time][j] > 1 && at < 0) return false;
            if (time == 1 && (m->axis[j] != at || m->by[j] != by)) return false;
            m->axis[j] = at;
            m->by[j] = by;
            if (time == 0 && at >= 0) m->readers[at]++;
        }
    }
    return true;
}

/* Returns a position on an axis as a number that is valid at any batch and time: from the beginning
   or from the end. */
static bool nn__onnx_place(const int64_t *place, const int64_t *extent, int32_t *number) {
    if (place[0] == place[1])
        *number = (int32_t)place[0];
    else if (extent[0] - place[0] == extent[1] - place[1])
        *number = (int32_t)(place[0] - extent[0]);
    else
        return false;
    return true;
}

/* Slices the axes of x along which at most one axis of y runs. */
static const char *nn__onnx_cut_out(nn__onnx_copying *c, const nn__onnx_box *box,
                                    const nn__onnx_moved *m, const char *x) {
    int32_t starts[NN_MAX_RANK], ends[NN_MAX_RANK], axes[NN_MAX_RANK], steps[NN_MAX_RANK];
    int count = 0;
    for (int i = 0; i < m->shape.rank; i++) {
        int64_t by = 1, from[2], end[2], extent[2];
        bool whole = m->readers[i] < 2, last = true;
        if (m->readers[i] > 1) continue;
        for (int time = 0; time < 2; time++) {
            int64_t size = 1;
            for (int j = 0; j < c->grid.rank; j++)
                if (m->axis[j] == i) size = box->extent[time][j], by = m->by[j];
            extent[time] = m->extent[time][i];
            from[time] = m->start[time][i];
            end[time] = from[time] + by * (size - 1) + (by < 0 ? -1 : 1);
            whole = whole && by == 1 && from[time] == 0 && size == extent[time];
            last = last && end[time] == (by < 0 ? -1 : extent[time]);
        }
        if (whole) continue;
        /* nn_slice cannot cut a free extent; nn_flip can reverse one */
        if (c->e->end_op && m->shape.extent[i] < 0 &&
            !(by == -1 && last && from[0] == extent[0] - 1 && from[1] == extent[1] - 1))
            nn__onnx_cannot(c->e, "it cuts a free extent");
        if (by == -1 && from[0] == extent[0] - 1 && from[1] == extent[1] - 1)
            from[0] = from[1] = -1;
        ends[count] = by < 0 ? INT32_MIN + 1 : INT32_MAX;
        if (!nn__onnx_place(from, extent, &starts[count]) ||
            (!last && !nn__onnx_place(end, extent, &ends[count])))
            nn__onnx_cannot(c->e, "it cuts a free extent at a place that depends on the extent");
        axes[count] = i;
        steps[count++] = (int32_t)by;
    }
    if (count == 0) return x;
    const char *lists[4];
    lists[0] = nn__onnx_wholes_out(c->e, starts, count);
    lists[1] = nn__onnx_wholes_out(c->e, ends, count);
    lists[2] = nn__onnx_wholes_out(c->e, axes, count);
    lists[3] = nn__onnx_wholes_out(c->e, steps, count);
    nn__onnx_begin_op(c->e, "Slice");
    nn__onnx_op_in(c->e, x);
    for (int i = 0; i < 4; i++) nn__onnx_op_in(c->e, lists[i]);
    return nn__onnx_op_end(c->e, NULL);
}

/* Gathers along an axis of x along which several axes of y run: overlapping windows. */
static const char *nn__onnx_windows_out(nn__onnx_copying *c, const nn__onnx_box *box,
                                        const nn__onnx_moved *m, int axis, int at, const char *x) {
    int64_t *numbers, count = 1;
    nn_shape shape;
    const char *index;
    if (c->e->end_op) nn__onnx_cannot(c->e, "its windows overlap");
    memset(&shape, 0, sizeof shape);
    for (int j = 0; j < c->grid.rank; j++) {
        if (m->axis[j] != axis) continue;
        if (box->extent[0][j] != box->extent[1][j] || m->start[0][axis] != m->start[1][axis])
            nn__onnx_cannot(c->e, "its windows run along a free extent");
        if (shape.rank < NN_MAX_RANK) shape.extent[shape.rank++] = (int32_t)box->extent[0][j];
        count *= box->extent[0][j];
    }
    numbers = (int64_t *)nn__onnx_take(c->e->call, &c->e->arena, sizeof(int64_t) * (uint64_t)count);
    for (int64_t n = 0; n < count && numbers; n++) {
        int64_t rest = n, place = m->start[0][axis];
        for (int j = c->grid.rank - 1; j >= 0; j--) {
            if (m->axis[j] != axis) continue;
            place += m->by[j] * (rest % box->extent[0][j]);
            rest /= box->extent[0][j];
        }
        numbers[n] = place;
    }
    if (!numbers) return "";
    index = nn__onnx_emit_numbers(c->e, "windows", NN_I64, shape, numbers);
    nn__onnx_begin_op(c->e, "Gather");
    nn__onnx_op_in(c->e, x);
    nn__onnx_op_in(c->e, index);
    nn__onnx_op_int(c->e, "axis", at);
    return nn__onnx_op_end(c->e, NULL);
}

/* Puts the axes of x into the order of y. order: for each axis of the value, the axis of y, or -1.
   Axes of one element may be anywhere, so they fill the free positions. Sets *complete to false if
   a reshape must follow. */
static const char *nn__onnx_order_out(nn__onnx_copying *c, const nn__onnx_box *box,
                                      const int *order, int rank, const char *x, bool *complete) {
    int32_t perm[NN__ONNX_COPY_AXES];
    int count = 0, spare = 0;
    bool sorted = true;
    *complete = rank == c->grid.rank;
    for (int j = 0; j < c->grid.rank; j++) {
        int at = -1;
        for (int i = 0; i < rank; i++)
            if (order[i] == j) at = i;
        if (at < 0 && box->extent[0][j] != 1) *complete = false;
        if (at < 0 && *complete) {
            while (spare < rank && order[spare] >= 0) spare++;
            at = spare < rank ? spare++ : -1;
        }
        if (at >= 0) perm[count++] = at;
    }
    if (count < rank) { /* the axes of one element come first */
        int32_t all[NN__ONNX_COPY_AXES];
        int front = 0;
        *complete = false;
        for (int i = 0; i < rank; i++) {
            bool used = false;
            for (int k = 0; k < count; k++) used = used || perm[k] == i;
            if (!used) all[front++] = i;
        }
        memcpy(all + front, perm, sizeof *perm * (size_t)count);
        memcpy(perm, all, sizeof *perm * (size_t)rank);
    }
    for (int i = 0; i < rank; i++) sorted = sorted && perm[i] == i;
    return sorted ? x : nn__onnx_transposed_axes(c->e, x, perm, rank, NULL);
}

/* Returns the shape of a box; broadcast: with 1 for axes along which x does not change. */
static nn_shape nn__onnx_box_shape(nn__onnx_copying *c, const nn__onnx_box *box,
                                   const nn__onnx_moved *m, bool broadcast) {
    nn_shape shape;
    memset(&shape, 0, sizeof shape);
    if (c->grid.rank > NN_MAX_RANK) nn__onnx_cannot(c->e, "it moves more than 6 axes");
    for (int j = 0; j < c->grid.rank && j < NN_MAX_RANK; j++, shape.rank++) {
        shape.extent[j] = 1;
        if (broadcast && m->axis[j] < 0) continue;
        shape.extent[j] = nn__onnx_extent_seen(box->extent[0][j], box->extent[1][j]);
        if (shape.extent[j] == 0)
            nn__onnx_cannot(c->e, "an extent inside it is not a multiple of batch and time");
    }
    return shape;
}

/* Returns x, moved into the box. */
static const char *nn__onnx_box_out(nn__onnx_copying *c, const nn__onnx_box *box) {
    const char *value = nn__onnx_value_of(c->e, box->x);
    int order[NN__ONNX_COPY_AXES], rank = 0;
    bool complete, stretched = false;
    nn__onnx_moved m;
    nn_shape shape;
    if (!nn__onnx_find_moves(c, box, &m)) {
        nn__onnx_cannot(c->e, "it moves elements in a pattern that ONNX has no operators for");
        return "";
    }
    value = nn__onnx_cut_out(c, box, &m, value);
    for (int i = 0; i < m.shape.rank; i++) {
        if (m.readers[i] > 1) value = nn__onnx_windows_out(c, box, &m, i, rank, value);
        if (m.readers[i] == 0) order[rank++] = -1;
        for (int j = 0; j < c->grid.rank && rank < NN__ONNX_COPY_AXES; j++)
            if (m.axis[j] == i) order[rank++] = j;
    }
    value = nn__onnx_order_out(c, box, order, rank, value, &complete);
    for (int j = 0; j < c->grid.rank; j++)
        stretched = stretched || (m.axis[j] < 0 && box->extent[0][j] > 1);
    if (!complete) {
        shape = nn__onnx_box_shape(c, box, &m, true);
        value = nn__onnx_emit(c->e, "Reshape", value, nn__onnx_shape_out(c->e, &shape), NULL, NULL);
    }
    if (!stretched) return value;
    shape = nn__onnx_box_shape(c, box, &m, false);
    return nn__onnx_emit(c->e, "Expand", value, nn__onnx_shape_out(c->e, &shape), NULL, NULL);
}

/* ---- boxes side by side ---------------------------------------------------------------------- */

/* Sorts boxes by their start along an axis. */
static void nn__onnx_sort_boxes(const nn__onnx_copying *c, int *list, int count, int axis) {
    for (int i = 1; i < count; i++)
        for (int k = i;
             k > 0 && c->boxes[list[k]].start[0][axis] < c->boxes[list[k - 1]].start[0][axis];
             k--) {
            const int other = list[k];
            list[k] = list[k - 1];
            list[k - 1] = other;
        }
}

/* Joins boxes that tile [low, high) of y, sorted along an axis at which they can be separated. "":
   there is no such axis. */
static const char *nn__onnx_tiles_out(nn__onnx_copying *c, int *list, int count, const int64_t *low,
                                      const int64_t *high) {
    int64_t lower[NN__ONNX_COPY_AXES], upper[NN__ONNX_COPY_AXES];
    const char *parts[NN__ONNX_OP_NAMES];
    if (count == 1) {
        const nn__onnx_box *box = &c->boxes[list[0]];
        for (int j = 0; j < c->grid.rank; j++)
            if (box->start[0][j] != low[j] || box->start[0][j] + box->extent[0][j] != high[j])
                return "";
        return nn__onnx_box_out(c, box);
    }
    for (int axis = 0; axis < c->grid.rank; axis++) {
        int first = 0, made = 0;
        nn__onnx_sort_boxes(c, list, count, axis);
        memcpy(lower, low, sizeof lower);
        memcpy(upper, high, sizeof upper);
        for (int i = 0; i < count && made < NN__ONNX_OP_NAMES; i++) {
            int64_t end = 0;
            for (int k = first; k <= i; k++) {
                const nn__onnx_box *box = &c->boxes[list[k]];
                const int64_t to = box->start[0][axis] + box->extent[0][axis];
                if (to > end) end = to;
            }
            if (i + 1 < count && c->boxes[list[i + 1]].start[0][axis] < end) continue;
            if (i + 1 == count && first == 0) break; /* they cannot be separated here */
            upper[axis] = end;
            parts[made] = nn__onnx_tiles_out(c, list + first, i + 1 - first, lower, upper);
            if (!*parts[made++]) return "";
            lower[axis] = end;
            first = i + 1;
        }
        if (first < count || made < 2 || lower[axis] != high[axis]) continue;
        nn__onnx_begin_op(c->e, "Concat");
        for (int i = 0; i < made; i++) nn__onnx_op_in(c->e, parts[i]);
        nn__onnx_op_int(c->e, "axis", axis);
        return nn__onnx_op_end(c->e, NULL);
    }
    return "";
}

/* ---- the whole copy -------------------------------------------------------------------------- */

/* Makes the boxes. False: refused. */
static bool nn__onnx_find_boxes(nn__onnx_copying *c, nn_shape y, const nn_strided_copy_args *a,
                                const nn_strided_copy_args *b) {
    nn__onnx_grid grid;
    if (a->accumulate) return nn__onnx_cannot(c->e, "it adds parts that overlap");
    if (a->count != b->count || a->count > NN__ONNX_COPY_PIECES)
        return nn__onnx_cannot(c->e, "its parts depend on a free extent, or are too many");
    nn__onnx_divide_axes(y, a, 0, &c->grid);
    nn__onnx_divide_axes(y, b, 1, &grid);
    if (grid.rank != c->grid.rank)
        return nn__onnx_cannot(c->e,
                               "it moves elements in a pattern that ONNX has no operators for");
    memcpy(c->grid.extent[1], grid.extent[1], sizeof grid.extent[1]);
    memcpy(c->grid.stride[1], grid.stride[1], sizeof grid.stride[1]);
    c->boxes = (nn__onnx_box *)nn__onnx_take(c->e->call, &c->e->arena,
                                             sizeof *c->boxes * (uint64_t)a->count);
    c->count = a->count;
    for (int i = 0; i < a->count && c->boxes; i++)
        if (!nn__onnx_find_box(&c->grid, &a->pieces[i], 0, &c->boxes[i]) ||
            !nn__onnx_find_box(&c->grid, &b->pieces[i], 1, &c->boxes[i]))
            return nn__onnx_cannot(c->e,
                                   "it moves elements in a pattern that ONNX has no operators for");
    return c->boxes != NULL;
}

/* Pads a value that covers [low, high) of y. */
static const char *nn__onnx_pad_out(nn__onnx_copying *c, const char *value, const int64_t *low,
                                    const int64_t *high, const int64_t *low2, const int64_t *high2,
                                    const nn_strided_copy_args *a) {
    int32_t pads[2 * NN__ONNX_COPY_AXES];
    const int rank = c->grid.rank;
    const char *lists[2];
    bool any = false;
    void *number;
    nn_shape shape;
    for (int j = 0; j < rank; j++) {
        pads[j] = (int32_t)low[j];
        pads[rank + j] = (int32_t)(c->grid.extent[0][j] - high[j]);
        any = any || pads[j] || pads[rank + j];
        if (low[j] != low2[j] || pads[rank + j] != c->grid.extent[1][j] - high2[j])
            nn__onnx_cannot(c->e, "its padding depends on a free extent");
    }
    if (!any) return value;
    number = nn__onnx_take(c->e->call, &c->e->arena, 8);
    if (!number) return "";
    memcpy(number, &a->value, 8); /* little-endian: its low bytes come first */
    c->e->padding = a->value;
    memset(&shape, 0, sizeof shape);
    lists[0] = nn__onnx_wholes_out(c->e, pads, 2 * rank);
    lists[1] = nn__onnx_emit_numbers(c->e, "padding", a->y.dtype, shape, number);
    return nn__onnx_emit(c->e, "Pad", value, lists[0], lists[1], NULL);
}

NN__ONNX_PRIVATE void nn__onnx_save_copy(nn__onnx_emitter *e, const nn_strided_copy_args *a,
                                         const nn_strided_copy_args *b) {
    int64_t low[2][NN__ONNX_COPY_AXES], high[2][NN__ONNX_COPY_AXES];
    int list[NN__ONNX_COPY_PIECES];
    const nn_shape y = nn_node_shape(nn__onnx_node_at(&a->y));
    nn_shape divided;
    nn__onnx_copying c;
    const char *value;
    memset(&c, 0, sizeof c);
    memset(low, 0, sizeof low);
    c.e = e;
    if (!nn__onnx_find_boxes(&c, y, a, b)) return;
    if (c.count == 0) {
        nn__onnx_cannot(e, "it has nothing to copy");
        return;
    }
    for (int time = 0; time < 2; time++)
        for (int j = 0; j < c.grid.rank; j++) {
            low[time][j] = a->fill ? c.grid.extent[time][j] : 0;
            high[time][j] = a->fill ? 0 : c.grid.extent[time][j];
            for (int i = 0; i < c.count && a->fill; i++) {
                const int64_t start = c.boxes[i].start[time][j];
                if (start < low[time][j]) low[time][j] = start;
                if (start + c.boxes[i].extent[time][j] > high[time][j])
                    high[time][j] = start + c.boxes[i].extent[time][j];
            }
        }
    for (int i = 0; i < c.count; i++) list[i] = i;
    value = nn__onnx_tiles_out(&c, list, c.count, low[0], high[0]);
    if (!*value) nn__onnx_cannot(e, "its parts overlap or leave gaps");
    value = nn__onnx_pad_out(&c, value, low[0], high[0], low[1], high[1], a);
    if (c.grid.rank != y.rank) {
        memset(&divided, 0, sizeof divided);
        value = nn__onnx_reshape_out(e, value, &divided, &y, NULL);
    }
    nn__onnx_name_out(e, &a->y, value);
}
