/* onnx.c - the half of the ONNX tab that computes: opens a file, describes its net, runs it.
   web/worker.js calls the functions marked WEB. A function that fails returns 0 or -1, and
   web_text() says why. One file is open at a time. */
#define NN_STATIC
#define NN_NO_TRAINING
#define NN_NO_THREADS
#define NN_NO_STDIO
#define NN_NO_CALL_SITES
#include "../nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "../nn_onnx.h"

#include <stdlib.h>
#include <string.h>

#ifdef __wasm__
#define WEB(name) __attribute__((export_name(#name), used))
#else
#define WEB(name)
#endif

enum { VALUES = 64, EXTENTS = 31 };

static struct {
    nn_context *nn;
    nn_onnx *file;
    nn_model *net;
    nn_plan *plan;
    nn_onnx_net_desc desc;
    char names[EXTENTS][128];
    int extents;
    nn_node *values[VALUES]; /* inputs and outputs that the page asked for */
    nn_node *outputs[VALUES];
    int value_count, output_count;
    char text[16384];
    nn_text said;
} web;

WEB(web_text) const char *web_text(void) { return web.text; }
WEB(web_room) void *web_room(size_t bytes) { return malloc(bytes ? bytes : 1); }
WEB(web_release) void web_release(void *memory) { free(memory); }

static void listen(void) {
    web.said.length = 0;
    web.text[0] = 0;
    nn_clear_error(web.nn);
}

/* Opens a file, whose bytes must stay until the next call. Returns 1, and web_text() is the
   summary of nn_write_onnx; or 0 with the reason. */
WEB(web_open) int web_open(const void *bytes, size_t size) {
    nn_close_onnx(web.file);
    nn_close(web.nn);
    memset(&web, 0, sizeof web);
    web.said.buffer = web.text, web.said.size = sizeof web.text;
    web.nn = nn_open(&(nn_desc){.log = {.function = nn_write_text, .user = &web.said}});
    web.file = nn_open_onnx(web.nn, &(nn_onnx_desc){.bytes = bytes, .size = size});
    if (!web.file) return 0;
    listen();
    nn_write_onnx(web.file, (nn_writer){.function = nn_write_text, .user = &web.said});
    return 1;
}

/* Says what a free extent is: "batch", or "x.0" for axis 0 of the input x. The next web_describe
   uses it. Returns 0 if there is no room for it. */
WEB(web_extent) int web_extent(const char *name, int extent) {
    if (web.extents == EXTENTS || strlen(name) >= sizeof web.names[0]) return 0;
    strcpy(web.names[web.extents], name);
    web.desc.extents[web.extents].name = web.names[web.extents];
    web.desc.extents[web.extents++].extent = extent;
    return 1;
}

/* Describes the net anew with the extents given since the last call. Returns 1, or 0 with the
   reasons. */
WEB(web_describe) int web_describe(void) {
    listen();
    if (web.net) nn_free_model(web.net);
    web.plan = NULL;
    web.value_count = web.output_count = 0;
    web.net = nn_make_model(web.nn, &(nn_model_desc){.name = "file"});
    nn_onnx_net(web.net, NULL, web.file, &web.desc);
    memset(&web.desc, 0, sizeof web.desc);
    web.extents = 0;
    return nn_load_onnx_weights(web.net, web.file) == NN_OK;
}

/* Returns the number of an input or output, for the functions below; -1: the net has none of that
   name, or there are too many. */
WEB(web_value) int web_value(const char *name, int is_output) {
    nn_node *node = nn_onnx_node(web.net, web.file, name);
    if (!node || web.value_count == VALUES) return -1;
    if (is_output) web.outputs[web.output_count++] = node;
    web.values[web.value_count] = node;
    return web.value_count++;
}
WEB(web_rank) int web_rank(int value) { return nn_node_shape(web.values[value]).rank; }
WEB(web_axis) int web_axis(int value, int axis) {
    const int extent = nn_node_shape(web.values[value]).extent[axis];
    return extent == NN_BATCH ? 1 : extent;
}
/* 0: f32, 1: i32, 2: u8 */
WEB(web_type) int web_type(int value) {
    const nn_dtype dtype = nn_node_dtype(web.values[value]);
    return dtype == NN_F32 ? 0 : dtype == NN_I32 ? 1 : 2;
}

/* Plans a run of one sample that computes the outputs asked for. */
WEB(web_plan) int web_plan(void) {
    listen();
    web.plan = nn_make_plan(web.net, &(nn_plan_desc){.outputs = {web.outputs, web.output_count},
                                                     .batch = 1});
    return web.plan != NULL;
}
WEB(web_upload) int web_upload(int value, const void *from, size_t bytes) {
    listen();
    return nn_upload(web.plan, web.values[value], from, bytes) == NN_OK;
}
WEB(web_run) int web_run(void) {
    listen();
    return nn_run(web.plan) == NN_OK;
}
WEB(web_download) int web_download(int value, void *to, size_t bytes) {
    listen();
    return nn_download(web.plan, web.values[value], to, bytes) == NN_OK;
}
