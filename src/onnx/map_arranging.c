/* onnx/map_arranging.c - operators that move elements: Transpose, Reshape, Concat ... */
#include "onnx/mapping.h"

static void nn__onnx_map_transpose(nn__onnx_node *n) {
    const int rank = nn__onnx_rank(n, 0);
    int32_t order[NN_MAX_RANK];
    nn_axes axes;
    const int count = nn__onnx_ints(n, "perm", order, NN_MAX_RANK);
    memset(&axes, 0, sizeof axes);
    axes.count = rank;
    for (int i = 0; i < rank && i < NN_MAX_RANK; i++)
        axes.axis[i] = count < 0 ? rank - 1 - i : (int)order[i];
    nn__onnx_give(n, 0,
                  rank < 2 ? nn__onnx_raw(n, 0)
                           : nn_permute_at(n->site, n->net, nn__onnx_raw(n, 0), axes),
                  nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_arranging(void) {
    static const nn__onnx_operator lines[] = {{"", "Transpose", 1, 0, nn__onnx_map_transpose, NULL},
                                              {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
