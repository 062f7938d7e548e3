/* onnx/control.c - If, Loop and calls of the file's own functions. */
#include "onnx/mapping.h"

NN__ONNX_PRIVATE bool nn__onnx_control(nn__onnx_node *n, bool *done) {
    (void)n;
    *done = false;
    return true;
}
