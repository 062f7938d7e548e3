/* compile_onnx.c - both implementations in one file, included twice, and every public function of
   nn_onnx.h with NULL for every object. tools/compile_checks.sh compiles it as C and as C++, and
   runs it. COMPILE_HOSTILE: macros of other headers come first. */
#ifdef COMPILE_HOSTILE
#define min hostile -
#define max hostile -
#define near hostile -
#define far hostile -
#define small hostile -
#define interface hostile -
#define Bool hostile -
#define None hostile -
#define I hostile -
#endif
#define NN_IMPLEMENTATION
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"
#include "nn_onnx.h"

int main(void);
int main(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, (const nn_model_desc *)NULL);
    const nn_onnx_desc *desc = NULL;
    const nn_onnx_net_desc *net_desc = NULL;
    nn_writer writer;
    int failed;
    memset(&writer, 0, sizeof writer);
#ifdef __cplusplus
    (void)nn_open_onnx(nn, nn_onnx_desc());
    (void)nn_onnx_net(NULL, NULL, NULL, nn_onnx_net_desc());
#endif
    failed = nn_open_onnx(NULL, desc) || nn_open_onnx(nn, desc) || !nn_error(nn) ||
             nn_onnx_metadata(NULL, NULL) || nn_onnx_net(NULL, NULL, NULL, net_desc) ||
             nn_onnx_node(NULL, NULL, NULL) || nn_onnx_name(NULL, NULL) ||
             nn_load_onnx_weights(NULL, NULL) == NN_OK || nn_load_onnx_weights(net, NULL) == NN_OK;
    failed = failed || nn_write_c(NULL, (const nn_c_desc *)NULL) == NN_OK ||
             nn_write_c(net, (const nn_c_desc *)NULL) == NN_OK;
    failed = failed || nn_write_plan_c(NULL, (const nn_plan_c_desc *)NULL) == NN_OK ||
             nn_write_plan_c(net, (const nn_plan_c_desc *)NULL) == NN_OK;
    nn_write_onnx(NULL, writer);
    nn_close_onnx(NULL);
    nn_onnx_net(net, NULL, NULL, net_desc);
    failed = failed || nn_fault_count(net) != 1;
    nn_clear_error(nn);
    nn_close(nn);
    return failed;
}
