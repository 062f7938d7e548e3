/* save_models.c - reads an ONNX file, writes it with nn_save_onnx, reads what was written, and runs
   both nets on one set of inputs. save_models.py uses it.

     save_models IN.onnx OUT.onnx BATCH TIME [extent NAME N | value NAME X | input NAME FILE]...

   N of an extent is a number, "batch" or "time"; X fixes every element of an input; FILE has the
   raw numbers of an input. Writes the outputs of the first net to OUT.onnx.0, OUT.onnx.1 ... and
   prints "input NAME" for each input (its name in OUT.onnx), then "same" or "different": whether the
   second net gave the same bytes. The word "again" as the last argument leaves OUT.onnx as it is:
   IN.onnx is only run. */
#ifndef NN_IMPLEMENTED
#define NN_IMPLEMENTATION
#endif
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32 };

typedef struct given {
    const char *names[MOST], *files[MOST];
    int count;
    nn_onnx_net_desc desc;
    nn_onnx_extent extents[MOST];
    nn_onnx_fixed values[MOST];
} given;

static void *bytes_of(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        printf("cannot read %s\n", path);
        exit(2);
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    if (fread(bytes, 1, *size, file) != *size) exit(2);
    fclose(file);
    return bytes;
}

static void read_arguments(int argc, char **argv, given *to) {
    to->desc.extents.extent = to->extents;
    to->desc.values.value = to->values;
    for (int i = 5; i + 2 < argc; i += 3) {
        if (strcmp(argv[i], "extent") == 0) {
            to->extents[to->desc.extents.count].name = argv[i + 1];
            to->extents[to->desc.extents.count++].extent = strcmp(argv[i + 2], "batch") == 0
                                                               ? NN_BATCH
                                                           : strcmp(argv[i + 2], "time") == 0
                                                               ? NN_TIME
                                                               : atoi(argv[i + 2]);
        } else if (strcmp(argv[i], "value") == 0) {
            to->values[to->desc.values.count].name = argv[i + 1];
            to->values[to->desc.values.count++].value = atof(argv[i + 2]);
        } else if (to->count < MOST) {
            to->names[to->count] = argv[i + 1];
            to->files[to->count++] = argv[i + 2];
        }
    }
}

/* Finds the nodes that compute the file's outputs. */
static int outputs_of(nn_model *net, nn_onnx *file, nn_node **outputs) {
    const nn_onnx *read = file;
    int count = 0;
    for (int i = 0; i < read->graph->output_count && count < 8; i++)
        if ((outputs[count] = nn_onnx_node(net, file, read->graph->outputs[i].name))) count++;
    return count;
}

/* Runs a net. Returns the bytes of all outputs in a row. Output k has sizes[k] bytes. */
static char *run(nn_model *net, nn_onnx *file, const given *g, int batch, int time, size_t *sizes) {
    nn_plan_desc desc;
    nn_node *outputs[8];
    size_t all = 0, at = 0;
    memset(&desc, 0, sizeof desc);
    const int count = outputs_of(net, file, outputs);
    desc.outputs.node = outputs;
    desc.outputs.count = count;
    desc.batch = batch;
    desc.time = time;
    nn_plan *plan = nn_make_plan(net, &desc);
    for (int i = 0; plan && i < g->count; i++) {
        size_t size;
        void *bytes = bytes_of(g->files[i], &size);
        nn_node *node = nn_onnx_node(net, file, g->names[i]);
        if (node && nn_plan_view(plan, node).dtype && nn_upload(plan, node, bytes, size) != NN_OK)
            plan = NULL;
        free(bytes);
    }
    if (!plan || nn_run(plan) != NN_OK) return NULL;
    for (int i = 0; i < count; i++) {
        const nn_view view = nn_plan_view(plan, outputs[i]);
        all += sizes[i] = nn_dtype_size(view.dtype) * (size_t)nn_shape_count(view.shape);
    }
    char *result = malloc(all + 1);
    for (int i = 0; i < count; at += sizes[i++])
        if (nn_download(plan, outputs[i], result + at, sizes[i]) != NN_OK) return NULL;
    sizes[count] = 0;
    nn_free_plan(plan);
    return result;
}

static void write_outputs(const char *path, const char *bytes, const size_t *sizes) {
    for (int i = 0; sizes[i]; bytes += sizes[i++]) {
        char name[1200];
        snprintf(name, sizeof name, "%s.%d", path, i);
        FILE *file = fopen(name, "wb");
        if (!file || fwrite(bytes, 1, sizes[i], file) != sizes[i]) exit(2);
        fclose(file);
    }
}

static nn_onnx *describe(nn_context *nn, const char *path, nn_model *net,
                         const nn_onnx_net_desc *desc) {
    nn_onnx_desc open;
    memset(&open, 0, sizeof open);
    open.path = path;
    nn_onnx *file = nn_open_onnx(nn, &open);
    if (file) nn_onnx_net(net, NULL, file, desc);
    if (!file || nn_fault_count(net) || nn_load_onnx_weights(net, file) != NN_OK) {
        printf("%s\n", nn_error(nn));
        exit(1);
    }
    return file;
}

int main(int argc, char **argv) {
    given g;
    nn_onnx_save_desc save;
    nn_onnx_net_desc again;
    nn_node *outputs[8];
    const char *names[8];
    size_t sizes[9] = {0}, sizes_again[9] = {0}, all = 0;
    memset(&g, 0, sizeof g);
    memset(&save, 0, sizeof save);
    memset(&again, 0, sizeof again);
    if (argc < 5) return 2;
    read_arguments(argc, argv, &g);
    const int batch = atoi(argv[3]), time = atoi(argv[4]);
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL), *other = nn_make_model(nn, NULL);
    nn_onnx *file = describe(nn, argv[1], net, &g.desc);
    save.outputs.count = outputs_of(net, file, outputs);
    save.outputs.node = outputs;
    char *one = run(net, file, &g, batch, time, sizes), *two;
    if (!one) {
        printf("%s\n", nn_error(nn));
        return 1;
    }
    write_outputs(argv[2], one, sizes);
    for (int i = 0; sizes[i]; i++) all += sizes[i];
    if (strcmp(argv[argc - 1], "again") == 0) return 0;
    for (int i = 0; i < save.outputs.count; i++) names[i] = file->graph->outputs[i].name;
    save.output_names.text = names;
    save.output_names.count = save.outputs.count;
    if (nn_save_onnx(net, argv[2], &save) != NN_OK) {
        printf("%s\n", nn_error(nn));
        return 1;
    }
    again.extents = NN_ONNX_EXTENTS({"batch", NN_BATCH}, {"time", NN_TIME});
    for (int i = 0; i < g.count; i++) {
        nn_node *node = nn_onnx_node(net, file, g.names[i]);
        if (node) g.names[i] = nn_node_name(node);
        printf("input %s\n", g.names[i]);
    }
    nn_onnx *written = describe(nn, argv[2], other, &again);
    two = run(other, written, &g, batch, time, sizes_again);
    if (!two) printf("%s\n", nn_error(nn));
    printf("%s\n", two && memcmp(sizes, sizes_again, sizeof sizes) == 0 && memcmp(one, two, all) == 0
                       ? "same"
                       : "different");
    nn_close(nn);
    return two ? 0 : 1;
}
