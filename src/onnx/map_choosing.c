/* onnx/map_choosing.c - mappings of top-k, one-hot rows, triangles and losses of classes. */
#include "onnx/map_tools.h"

/* Describes a comparison with all places, so an index out of range gives a row without a one, as in
   ONNX. */
static void nn__onnx_map_one_hot(nn__onnx_node *n) {
    const nn_shape index = nn__onnx_shape(n, 0);
    const nn__onnx_tensor *values = nn__onnx_numbers(n, 2, "values");
    const int axis = nn__onnx_axis(n, -1, index.rank + 1);
    nn_shape shape, places;
    int32_t depth = 0;
    nn_node *x;
    if (!values || axis < 0 || nn__onnx_wholes(n, 1, "depth", &depth, 1) < 1) return;
    if (values->count != 2 || index.rank + 1 > NN_MAX_RANK || depth < 1 || depth > 1 << 24) {
        nn__onnx_refuse(
            n, NULL,
            "its values are not two numbers, its depth is %d, or its output has too many axes",
            (int64_t)depth);
        return;
    }
    memset(&shape, 0, sizeof shape);
    memset(&places, 0, sizeof places);
    shape.rank = places.rank = index.rank + 1;
    for (int i = 0, k = 0; i < shape.rank; i++) {
        places.extent[i] = i == axis ? depth : 1;
        shape.extent[i] = i == axis ? 1 : index.extent[k++];
    }
    x = nn__onnx_reshaped(n, nn__onnx_x(n, 0), shape);
    x = nn__onnx_express(n, "i, k: i == k || i + p == k", x, nn__onnx_numbered(n, depth, places),
                         NULL, depth, 0);
    if (nn__onnx_real(values, 0) != 0 || nn__onnx_real(values, 1) != 1)
        x = nn__onnx_express(n, "x: x ? p : q", x, NULL, NULL, nn__onnx_real(values, 1),
                             nn__onnx_real(values, 0));
    nn__onnx_give(n, 0, x, nn__onnx_dtype(n, 2));
}

/* Before opset 10 k is an attribute. */
static void nn__onnx_map_top_k(nn__onnx_node *n) {
    const int axis = nn__onnx_axis(n, -1, nn__onnx_rank(n, 0));
    int32_t k = (int32_t)nn__onnx_int(n, "k", 0);
    nn_top_k_desc desc;
    bool plain = true;
    nn_node *y;
    if (axis < 0 || (n->opset >= 10 && nn__onnx_extents(n, 1, "K", &k, &plain, 1) < 1)) return;
    if (!plain && k == nn__onnx_shape(n, 0).extent[axis]) { /* all of a free extent */
        nn_sort_desc sort;
        memset(&sort, 0, sizeof sort);
        sort.descending = nn__onnx_int(n, "largest", 1) != 0;
        y = nn_sort_at(n->site, n->net, nn__onnx_x(n, 0), axis, &sort);
        nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
        if (nn__onnx_wants(n, 1)) nn__onnx_give(n, 1, nn_output_at(n->site, y, 1), NN__ONNX_INT64);
        return;
    }
    memset(&desc, 0, sizeof desc);
    desc.smallest = nn__onnx_int(n, "largest", 1) == 0;
    y = nn_top_k_at(n->site, n->net, nn__onnx_x(n, 0), k, axis, &desc);
    nn__onnx_give(n, 0, y, nn__onnx_dtype(n, 0));
    if (nn__onnx_wants(n, 1)) nn__onnx_give(n, 1, nn_output_at(n->site, y, 1), NN__ONNX_INT64);
}

static void nn__onnx_map_trilu(nn__onnx_node *n) {
    int32_t diagonal = 0;
    nn_node *x = nn__onnx_x(n, 0);
    if (nn__onnx_has(n, 1) && nn__onnx_wholes(n, 1, "k", &diagonal, 1) < 0) return;
    nn__onnx_give(n, 0,
                  nn__onnx_int(n, "upper", 1) ? nn_triu_at(n->site, n->net, x, diagonal)
                                              : nn_tril_at(n->site, n->net, x, diagonal),
                  nn__onnx_dtype(n, 0));
}

/* Describes a gather that reverses the first elements of each row, as many as the row's length
   says. */
static void nn__onnx_map_reverse_sequence(nn__onnx_node *n) {
    const nn_shape shape = nn__onnx_shape(n, 0);
    const int64_t time = nn__onnx_int(n, "time_axis", 0), batch = nn__onnx_int(n, "batch_axis", 1);
    const nn__onnx_tensor *lengths = nn__onnx_numbers(n, 1, "sequence_lens");
    int64_t extents[NN_MAX_RANK], stride[NN_MAX_RANK], step = 1;
    unsigned char *data;
    nn__onnx_tensor *made;
    if (!lengths || !nn__onnx_no_free(n, &shape)) return;
    if (shape.rank < 2 || time < 0 || time > 1 || batch != 1 - time ||
        lengths->count != (uint64_t)shape.extent[batch]) {
        nn__onnx_refuse(n, NULL,
                        "its batch_axis and time_axis are not 0 and 1, or sequence_lens does not "
                        "have one number for each sample");
        return;
    }
    for (int i = shape.rank - 1; i >= 0; i--) {
        extents[i] = shape.extent[i];
        stride[i] = step;
        step *= extents[i];
    }
    made = nn__onnx_new(n, NN__ONNX_INT32, shape.rank, extents, &data);
    if (!made) return;
    for (int64_t i = 0; i < (int64_t)made->count; i++) {
        const int64_t sample = i / stride[batch] % extents[batch];
        const int64_t place = i / stride[time] % extents[time];
        const int64_t length = nn__onnx_whole(lengths, (uint64_t)sample);
        nn__onnx_put_whole(data, NN__ONNX_INT32, (uint64_t)i,
                           place < length ? length - 1 - place : place);
    }
    nn__onnx_give(n, 0,
                  nn_gather_at(n->site, n->net, nn__onnx_raw(n, 0), (int)time,
                               nn__onnx_constant_of(n, made, NN_I32)),
                  nn__onnx_dtype(n, 0));
}

/* ---- losses ---------------------------------------------------------------------------------- */

static nn_reduction nn__onnx_reduction_of(nn__onnx_node *n) {
    const char *word = nn__onnx_string(n, "reduction", "mean");
    return strcmp(word, "none") == 0  ? NN_REDUCTION_NONE
           : strcmp(word, "sum") == 0 ? NN_SUM
                                      : NN_MEAN;
}

static void nn__onnx_map_nll_loss(nn__onnx_node *n) {
    nn_nll_desc desc;
    memset(&desc, 0, sizeof desc);
    if (nn__onnx_has(n, 2)) desc.weight = nn__onnx_x(n, 2);
    desc.reduction = nn__onnx_reduction_of(n);
    desc.ignore = nn__onnx_attribute_of(n, "ignore_index") != NULL;
    desc.ignore_index = (int)nn__onnx_int(n, "ignore_index", 0);
    nn__onnx_give(n, 0,
                  nn_nll_loss_at(n->site, n->net, nn__onnx_x(n, 0), nn__onnx_index(n, 1), &desc),
                  nn__onnx_dtype(n, 0));
}

static void nn__onnx_map_cross_entropy(nn__onnx_node *n) {
    nn_cross_entropy_desc desc;
    nn_node *x = nn__onnx_x(n, 0);
    memset(&desc, 0, sizeof desc);
    if (nn__onnx_has(n, 2)) desc.weight = nn__onnx_x(n, 2);
    desc.reduction = nn__onnx_reduction_of(n);
    desc.ignore = nn__onnx_attribute_of(n, "ignore_index") != NULL;
    desc.ignore_index = (int)nn__onnx_int(n, "ignore_index", 0);
    nn__onnx_give(n, 0, nn_cross_entropy_at(n->site, n->net, x, nn__onnx_index(n, 1), &desc),
                  nn__onnx_dtype(n, 0));
    if (nn__onnx_wants(n, 1))
        nn__onnx_give(n, 1, nn_log_softmax_over_at(n->site, n->net, x, 1), nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_choosing(void) {
    static const nn__onnx_operator lines[] = {
        {"", "NegativeLogLikelihoodLoss", 12, 0, nn__onnx_map_nll_loss, NULL},
        {"", "OneHot", 9, 0, nn__onnx_map_one_hot, NULL},
        {"", "ReverseSequence", 10, 0, nn__onnx_map_reverse_sequence, NULL},
        {"", "SoftmaxCrossEntropyLoss", 12, 0, nn__onnx_map_cross_entropy, NULL},
        {"", "TopK", 1, 0, nn__onnx_map_top_k, NULL},
        {"", "Trilu", 14, 0, nn__onnx_map_trilu, NULL},
        {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
