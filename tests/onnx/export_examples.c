/* export_examples.c - writes the nets of an example as ONNX files while the example runs. The
   linker puts these functions in the place of nn_make_plan_at and nn_make_trainer_at (--wrap), so
   the nets are those that the example itself describes: the outputs of each plan, the loss and the
   metrics of each trainer. For export_examples.py.

   $EXPORT_TO is the beginning of the path of all files. Number k of what the example makes gives
   k.onnx; k.in0 ... with random numbers for each input; and k.out0 ... with what the net computes
   from them. $EXPORT_OPSET: the opset of the files. A line of the file "report" says what became of it:

     saved k same                    the net that was read again gives the same bytes
     saved k differs NAME OFF        the first output whose bytes differ, and the difference
     refused k MESSAGE               nn_save_onnx refused it, and every line of its message
     failed k MESSAGE                something else went wrong
     input k i NAME DTYPE SHAPE      after "saved": an input of the file
     output k i NAME DTYPE SHAPE     and an output */
#ifndef NN_IMPLEMENTED
#define NN_IMPLEMENTATION
#endif
#include "nn.h"
#ifndef NN_ONNX_IMPLEMENTED
#define NN_ONNX_IMPLEMENTATION
#endif
#include "nn_onnx.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 2, TIME = 5, MOST = 64, OUTPUTS = 32 };

/* The functions of the library. */
nn_plan *__real_nn_make_plan_at(nn_site site, nn_model *net, const nn_plan_desc *desc);
nn_trainer *__real_nn_make_trainer_at(nn_site site, nn_model *net, nn_node *loss,
                                      const nn_trainer_desc *desc);
nn_trainer *__real_nn_make_trainer_using_at(nn_site site, nn_model *net, nn_node *loss,
                                            const nn_trainer_desc *desc,
                                            const nn_optimizer_calls *optimizers);
nn_plan *__wrap_nn_make_plan_at(nn_site site, nn_model *net, const nn_plan_desc *desc);
nn_trainer *__wrap_nn_make_trainer_at(nn_site site, nn_model *net, nn_node *loss,
                                      const nn_trainer_desc *desc);
nn_trainer *__wrap_nn_make_trainer_using_at(nn_site site, nn_model *net, nn_node *loss,
                                            const nn_trainer_desc *desc,
                                            const nn_optimizer_calls *optimizers);

/* The nets written so far, so that the same outputs of the same net are written once. */
static struct {
    const nn_model *net;
    nn_node *outputs[OUTPUTS];
    int count;
} written[MOST];
static int written_count, numbers_drawn;
static FILE *report;

static const char *path_of(int k, const char *part, int i) {
    static char path[2000];
    if (i < 0) snprintf(path, sizeof path, "%s%d.%s", getenv("EXPORT_TO"), k, part);
    else snprintf(path, sizeof path, "%s%d.%s%d", getenv("EXPORT_TO"), k, part, i);
    return path;
}

static void write_bytes(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size) exit(90);
    fclose(file);
}

static bool is_new(const nn_model *net, nn_nodes outputs) {
    if (outputs.count > OUTPUTS || written_count == MOST) exit(91);
    for (int i = 0; i < written_count; i++)
        if (written[i].net == net && written[i].count == outputs.count &&
            memcmp(written[i].outputs, outputs.node,
                   sizeof *outputs.node * (size_t)outputs.count) == 0)
            return false;
    written[written_count].net = net;
    written[written_count].count = outputs.count;
    memcpy(written[written_count++].outputs, outputs.node,
           sizeof *outputs.node * (size_t)outputs.count);
    return true;
}

/* Draws random numbers for an input: [0.1, 1), or 0 and 1 as ids, labels and masks. */
static void draw(nn_dtype dtype, void *to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t words[4];
        nn_random_words(40, (uint64_t)numbers_drawn, i, words);
        if (dtype == NN_F32) ((float *)to)[i] = 0.1f + 0.9f * nn_word_to_uniform(words[0]);
        else if (dtype == NN_I32) ((int32_t *)to)[i] = (int32_t)(words[0] >> 31);
        else ((unsigned char *)to)[i] = (unsigned char)(words[0] >> 31);
    }
    numbers_drawn++;
}

static void tell_value(const char *word, int k, int i, const char *name, nn_view view) {
    fprintf(report, "%s %d %d %s %s", word, k, i, name, nn_dtype_name(view.dtype));
    for (int axis = 0; axis < view.shape.rank; axis++)
        fprintf(report, " %d", (int)view.shape.extent[axis]);
    fprintf(report, "\n");
}

static size_t bytes_of(nn_view view) {
    return nn_dtype_size(view.dtype) * (size_t)nn_shape_count(view.shape);
}

/* Runs a net. file: the file to which the inputs belong, or NULL. Returns the bytes of its outputs
   in a row, sizes[i] of output i; NULL: nn_error says why. k: where to write inputs and outputs, or
   -1. */
static unsigned char *run(const nn_model *from, nn_model *net, const nn_onnx *file, nn_nodes outputs,
                          size_t *sizes, int k) {
    nn_plan_desc desc;
    size_t all = 0, at = 0;
    int inputs = 0;
    unsigned char *result;
    memset(&desc, 0, sizeof desc);
    desc.outputs = outputs;
    desc.batch = BATCH;
    desc.time = TIME;
    nn_plan *plan = __real_nn_make_plan_at(NN_HERE, net, &desc);
    numbers_drawn = 0;
    if (!plan) return NULL;
    for (nn_node *node = nn_next_node(from, NULL); node; node = nn_next_node(from, node)) {
        nn_node *own = file ? nn_onnx_node(net, file, nn_node_name(node)) : node;
        if (nn_describe_node(node).kind != NN_NODE_INPUT || !own) continue;
        const nn_view view = nn_plan_view(plan, own);
        if (!view.dtype) continue;
        void *numbers = calloc(bytes_of(view) + 1, 1);
        draw(view.dtype, numbers, (size_t)nn_shape_count(view.shape));
        nn_upload(plan, own, numbers, bytes_of(view));
        if (k >= 0) write_bytes(path_of(k, "in", inputs), numbers, bytes_of(view));
        if (k >= 0) tell_value("input", k, inputs++, nn_node_name(node), view);
        free(numbers);
    }
    nn_run(plan);
    for (int i = 0; i < outputs.count; i++)
        all += sizes[i] = bytes_of(nn_plan_view(plan, outputs.node[i]));
    result = (unsigned char *)calloc(all + 1, 1);
    for (int i = 0; i < outputs.count; i++) {
        const nn_view view = nn_plan_view(plan, outputs.node[i]);
        nn_download(plan, outputs.node[i], result + at, sizes[i]);
        if (k >= 0) write_bytes(path_of(k, "out", i), result + at, sizes[i]);
        if (k >= 0) tell_value("output", k, i, nn_node_name(outputs.node[i]), view);
        at += sizes[i];
    }
    nn_free_plan(plan);
    if (!nn_error(nn_model_context(net))) return result;
    free(result);
    return NULL;
}

/* Compares the outputs of the net and of the one that was read. */
static void compare(int k, nn_nodes outputs, const size_t *sizes, const unsigned char *one,
                    const unsigned char *other) {
    for (int i = 0; i < outputs.count; one += sizes[i], other += sizes[i], i++) {
        double off = 0;
        if (memcmp(one, other, sizes[i]) == 0) continue;
        for (size_t n = 0; nn_node_dtype(outputs.node[i]) == NN_F32 && n < sizes[i]; n += 4) {
            float p, q;
            memcpy(&p, one + n, 4);
            memcpy(&q, other + n, 4);
            off = fmax(off, fabs((double)p - (double)q));
        }
        fprintf(report, "saved %d differs %s %g\n", k, nn_node_name(outputs.node[i]), off);
        return;
    }
    fprintf(report, "saved %d same\n", k);
}

/* Reads the file again and runs both nets. False: nn_error says why. */
static bool read_again(nn_context *nn, nn_model *net, nn_nodes outputs, int k) {
    nn_onnx_desc open;
    nn_onnx_net_desc desc;
    nn_model *again = nn_make_model(nn, NULL);
    nn_node *nodes[OUTPUTS];
    nn_nodes read = {nodes, outputs.count};
    memset(&open, 0, sizeof open);
    memset(&desc, 0, sizeof desc);
    open.path = path_of(k, "onnx", -1);
    desc.extents = NN_ONNX_EXTENTS({"batch", NN_BATCH}, {"time", NN_TIME});
    nn_onnx *file = nn_open_onnx(nn, &open);
    if (file) nn_onnx_net(again, NULL, file, &desc);
    if (file) nn_load_onnx_weights(again, file);
    for (int i = 0; i < outputs.count && file; i++)
        nodes[i] = nn_onnx_node(again, file, nn_node_name(outputs.node[i]));
    size_t sizes[OUTPUTS], others[OUTPUTS];
    unsigned char *one = nn_error(nn) ? NULL : run(net, net, NULL, outputs, sizes, k);
    unsigned char *other = one ? run(net, again, file, read, others, -1) : NULL;
    if (other && memcmp(sizes, others, sizeof *sizes * (size_t)outputs.count) != 0)
        fprintf(report, "failed %d an output has another size\n", k);
    else if (other)
        compare(k, outputs, sizes, one, other);
    free(one);
    free(other);
    nn_close_onnx(file);
    nn_free_model(again);
    return other != NULL;
}

static void write_net(nn_model *net, nn_nodes outputs) {
    static int count;
    nn_context *nn = nn_model_context(net);
    nn_onnx_save_desc desc;
    if (!getenv("EXPORT_TO") || nn_error(nn) || !is_new(net, outputs)) return;
    const int k = count++;
    memset(&desc, 0, sizeof desc);
    desc.outputs = outputs;
    if (getenv("EXPORT_OPSET")) desc.opset = atoi(getenv("EXPORT_OPSET"));
    if (!report) report = fopen(path_of(0, "report", -1), "w");
    if (!report) exit(92);
    const nn_result result = nn_save_onnx(net, path_of(k, "onnx", -1), &desc);
    if (result == NN_ERROR_UNSUPPORTED) fprintf(report, "refused %d %s\n", k, nn_error(nn));
    else if (result != NN_OK || !read_again(nn, net, outputs, k))
        fprintf(report, "failed %d %s\n", k, nn_error(nn));
    nn_clear_error(nn);
    fflush(report);
}

/* ---- in the place of the library's functions ------------------------------------------------- */

nn_plan *__wrap_nn_make_plan_at(nn_site site, nn_model *net, const nn_plan_desc *desc) {
    nn_plan *plan = __real_nn_make_plan_at(site, net, desc);
    if (plan) write_net(net, desc->outputs);
    return plan;
}

static void write_trained(nn_model *net, nn_node *loss, const nn_trainer_desc *desc) {
    nn_node *outputs[OUTPUTS];
    nn_nodes list = {outputs, 0};
    outputs[list.count++] = loss;
    for (int i = 0; i < desc->metrics.count && list.count < OUTPUTS; i++)
        outputs[list.count++] = desc->metrics.node[i];
    write_net(net, list);
}

nn_trainer *__wrap_nn_make_trainer_at(nn_site site, nn_model *net, nn_node *loss,
                                      const nn_trainer_desc *desc) {
    nn_trainer *trainer = __real_nn_make_trainer_at(site, net, loss, desc);
    if (trainer) write_trained(net, loss, desc);
    return trainer;
}

nn_trainer *__wrap_nn_make_trainer_using_at(nn_site site, nn_model *net, nn_node *loss,
                                            const nn_trainer_desc *desc,
                                            const nn_optimizer_calls *optimizers) {
    nn_trainer *trainer = __real_nn_make_trainer_using_at(site, net, loss, desc, optimizers);
    if (trainer) write_trained(net, loss, desc);
    return trainer;
}
