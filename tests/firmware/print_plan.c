/* print_plan.c - prints the plan of a net as C constants: print_plan NET [4] > plan.h. With 4, most
   weights of nets 0 to 3 have 4 bits, two of them in a byte of the plan. The nets are 0
   to 3 of tiny_nets.h, 4 the MLP 4-64-64-2 of size_mlp.c, 5 the convolutional net of size_cnn.c.
   Then runs the net with a plan of the library, built with plain kernels, and writes a line to
   stderr: net, hash of y. size_plan.c has to print the same hash. */
#define NN_NO_SIMD
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include "tiny_nets.h"
/* float_nets.h adds to the numbers of tiny_nets.h */
#include "float_nets.h"

#include <stdio.h>
#include <stdlib.h>

static int8_t input_bytes[96 * 96 * 3 * 4], output_bytes[4096];

static size_t bytes_of(const nn_node *node) {
    const nn_shape shape = nn_node_shape(node);
    size_t bytes = nn_dtype_size(nn_node_dtype(node));
    for (int i = 1; i < shape.rank; i++) bytes *= (size_t)shape.extent[i];
    return bytes;
}

/* Returns the bytes of a tensor in the plan. */
static size_t planned_bytes(nn_tensor *tensor) {
    static int8_t numbers[TINY_BYTES];
    const size_t bytes = nn_tensor_bytes(tensor);
    if (tiny_levels > 7 || nn_tensor_dtype(tensor) != NN_I8 || nn_tensor_shape(tensor).rank != 4 ||
        bytes > sizeof numbers || nn_download_tensor(tensor, numbers, bytes) != NN_OK)
        return bytes;
    for (size_t i = 0; i < bytes; i++)
        if (numbers[i] < -8 || numbers[i] > 7) return bytes;
    return (bytes + 7) / 8 * 4;
}

int main(int count, char **words) {
    static nn_node *(*const nets[])(nn_model *, nn_node **) = {describe_keywords, describe_images,
                                                               describe_anomaly,  describe_persons,
                                                               describe_mlp,      describe_cnn};
    static const char *const names[] = {"keywords", "images", "anomaly", "persons", "mlp", "cnn"};
    const int which = count > 1 ? atoi(words[1]) : 0;
    nn_use_weights_desc in_place;
    nn_plan_c_desc printed;
    nn_plan_desc wanted;
    nn_desc opened;
    nn_node *x;
    size_t weights = 0;
    memset(&in_place, 0, sizeof in_place);
    memset(&printed, 0, sizeof printed);
    memset(&wanted, 0, sizeof wanted);
    memset(&opened, 0, sizeof opened);
    opened.log.function = nn_write_stderr;
    if (count > 2 && atoi(words[2]) == 4) tiny_levels = 7;
    nn_context *nn = nn_open(&opened);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *y = nets[which](net, &x);
    if (which < 4 && nn_use_weights(net, tiny_arrays, tiny_count, &in_place) != NN_OK) return 1;
    if (which >= 4 && !float_fill(net)) return 1;
    printed.name = "planned";
    printed.outputs = NN_NODES(y);
    printed.output_names = NN_TEXTS("y");
    printed.writer.function = nn_write_file;
    printed.writer.user = stdout;
    if (nn_write_plan_c(net, &printed) != NN_OK) return 1;
    for (int i = 0; i < nn_model_tensor_count(net); i++)
        weights += planned_bytes(nn_model_tensor_at(net, i));
    printf("\nenum { planned_multiply_adds = %u, planned_weights = %u };\n#define PLAN_STATE %uu\n",
           (unsigned)tiny_products, (unsigned)weights, tiny_state);
    wanted.outputs = NN_NODES(y);
    nn_plan *plan = nn_make_plan(net, &wanted);
    if (which < 4)
        tiny_fill(input_bytes, bytes_of(x));
    else
        float_input((float *)(void *)input_bytes, bytes_of(x) / sizeof(float));
    if (nn_upload(plan, x, input_bytes, bytes_of(x)) != NN_OK || nn_run(plan) != NN_OK ||
        nn_download(plan, y, output_bytes, bytes_of(y)) != NN_OK)
        return 1;
    fprintf(stderr, "%s %u\n", names[which], tiny_hash(output_bytes, bytes_of(y)));
    nn_close(nn);
    return 0;
}
