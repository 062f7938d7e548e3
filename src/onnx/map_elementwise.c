/* onnx/map_elementwise.c - element by element: functions, arithmetic, comparisons, casts. */
#include "onnx/mapping.h"

typedef nn_node *nn__onnx_unary(nn_site site, nn_model *net, nn_node *x);

/* Functions of one operand whose result has its dtype. */
static void nn__onnx_map_unary(nn__onnx_node *n) {
    static const struct {
        const char *type;
        nn__onnx_unary *build;
    } functions[] = {{"Relu", nn_relu_at}, {"Sigmoid", nn_sigmoid_at}, {"Tanh", nn_tanh_at}};
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].type, n->op->type) == 0)
            nn__onnx_give(n, 0, functions[i].build(n->site, n->net, nn__onnx_x(n, 0)),
                          nn__onnx_dtype(n, 0));
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table_map_elementwise(void) {
    static const nn__onnx_operator lines[] = {{"", "Relu", 1, 0, nn__onnx_map_unary, NULL},
                                              {"", "Sigmoid", 1, 0, nn__onnx_map_unary, NULL},
                                              {"", "Tanh", 1, 0, nn__onnx_map_unary, NULL},
                                              {NULL, NULL, 0, 0, NULL, NULL}};
    return lines;
}
