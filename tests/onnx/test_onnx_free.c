/* tests/onnx/test_onnx_free.c - one plan of an imported net runs several batches and times. Its
   results have the bytes of nets that were described for one size each. Reads models of
   ../shared/onnx. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include "real.h"

/* A described net with one input and one output. */
typedef struct free_net {
    nn_context *nn;
    nn_model *net;
    nn_plan *plan;
    nn_node *x, *y;
} free_net;

/* Describes and plans the net. extents: those of the net; batch and time: the largest of the
   plan. */
static int open_free(free_net *n, const char *folder, const char *input,
                     const nn_onnx_extent *extents, int batch, int time) {
    char path[512];
    nn_onnx_net_desc desc;
    nn_onnx *file;
    memset(&desc, 0, sizeof desc);
    desc.extents.extent = extents;
    while (extents[desc.extents.count].name) desc.extents.count++;
    real_path(folder, path, sizeof path);
    n->nn = nn_open(&(nn_desc){.threads = 1});
    n->net = nn_make_model(n->nn, NULL);
    file = nn_open_onnx(n->nn, &(nn_onnx_desc){.path = path});
    n->y = nn_onnx_net(n->net, NULL, file, &desc);
    n->x = nn_onnx_node(n->net, file, input);
    if (!file || nn_load_onnx_weights(n->net, file) != NN_OK) {
        printf("%s: %s\n", folder, nn_error(n->nn));
        return 0;
    }
    nn_close_onnx(file);
    n->plan = nn_make_plan(
        n->net, &(nn_plan_desc){.outputs = NN_NODES(n->y), .batch = batch, .time = time});
    return n->plan != NULL;
}

/* Runs `count` numbers of x; y has `results`. */
static int run_free(const free_net *n, int count, float *y, int results) {
    int32_t *x = (int32_t *)malloc((size_t)count * 4);
    int good;
    for (int i = 0; x && i < count; i++) {
        const int32_t number = (int32_t)(((uint32_t)i * 2654435761u) >> 20) % 60;
        const float real = (float)number / 60;
        if (nn_node_dtype(n->x) == NN_I32)
            x[i] = number;
        else
            memcpy(&x[i], &real, 4);
    }
    good = x && nn_upload(n->plan, n->x, x, (size_t)count * 4) == NN_OK &&
           nn_run(n->plan) == NN_OK && nn_download(n->plan, n->y, y, (size_t)results * 4) == NN_OK;
    free(x);
    return good;
}

/* Compares a net with a free extent with fixed nets of both sizes. per_x, per_y: numbers for each
   batch or time. */
static void one_plan(const char *folder, const char *input, const nn_onnx_extent *extents,
                     bool is_time, int small, int large, int per_x, int per_y) {
    const int sizes[3] = {large, small, large};
    free_net n;
    ENSURE(open_free(&n, folder, input, extents, is_time ? 1 : large, is_time ? large : 1));
    for (int i = 0; i < 3; i++) {
        const int count = sizes[i] * per_y;
        nn_onnx_extent fixed[8];
        float y[4096], expected[4096];
        free_net alone;
        memset(fixed, 0, sizeof fixed);
        for (int k = 0; extents[k].name; k++) {
            fixed[k] = extents[k];
            if (fixed[k].extent < 0) fixed[k].extent = sizes[i];
        }
        ENSURE(count <= 4096);
        ENSURE(run_free(&n, sizes[i] * per_x, y, count));
        ENSURE(open_free(&alone, folder, input, fixed, 1, 1));
        ENSURE(run_free(&alone, sizes[i] * per_x, expected, count));
        for (int k = 0; k < count; k++) ENSURE_CLOSE(y[k], expected[k], 0);
        nn_close(alone.nn);
    }
    nn_close(n.nn);
}

static void times(void) {
    static const nn_onnx_extent extents[] = {{"seq_len", NN_TIME}, {NULL, 0}};
    if (!real_exists("attacut-c")) SKIP("../shared/onnx is not there");
    one_plan("attacut-c", "input", extents, true, 5, 40, 1, 1);
}

static void batches_of_ids(void) {
    static const nn_onnx_extent extents[] = {{"bytes.0", NN_BATCH}, {NULL, 0}};
    if (!real_exists("magika")) SKIP("../shared/onnx is not there");
    one_plan("magika", "bytes", extents, false, 1, 8, 2048, 214);
}

static void batches_of_pictures(void) {
    static const nn_onnx_extent extents[] = {
        {"x.0", NN_BATCH}, {"x.2", 48}, {"x.3", 192}, {NULL, 0}};
    if (!real_exists("ocr-angle")) SKIP("../shared/onnx is not there");
    one_plan("ocr-angle", "x", extents, false, 1, 8, 3 * 48 * 192, 2);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(times);
    RUN(batches_of_ids);
    RUN(batches_of_pictures);
    return test_report();
}
