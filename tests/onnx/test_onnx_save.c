/* test_onnx_save.c: nets that nn_save_onnx writes, read again by nn_onnx_net, give the same bytes.
   The nets are random (random_graph.h), each with all outputs that can be written.

     test_onnx_save --seed N         one net, described on failure */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include "inside.h"
#include "random_graph.h"
#include "test.h"

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

/* ---- a file in memory ------------------------------------------------------------------------ */

typedef struct held {
    unsigned char *bytes;
    size_t size;
} held;

static void hold(void *user, const char *text, size_t length) {
    held *to = (held *)user;
    to->bytes = (unsigned char *)realloc(to->bytes, to->size + length + 1);
    memcpy(to->bytes + to->size, text, length);
    to->size += length;
}

/* ---- random nets ----------------------------------------------------------------------------- */

enum { OUTPUTS = 8 };

static long refused_values, compared_values, unequal_values, unread_nets;

static void fill_item(const graph *g, const graph_item *y, void *to) {
    const int n = graph_elements(g, y->shape);
    for (int k = 0; k < n; k++) {
        if (y->kind == GRAPH_LABEL) ((int32_t *)to)[k] = (int32_t)y->v[k];
        else ((float *)to)[k] = (float)y->v[k];
    }
}

/* Uploads the inputs that the plan has. file: the file whose nodes they are, or NULL. */
static bool feed(const graph *g, nn_plan *plan, const nn_model *net, const nn_onnx *file) {
    static float staging[GRAPH_BATCH * GRAPH_ELEMENTS];
    for (int i = 0; i < g->count; i++) {
        const graph_item *y = &g->items[i];
        if (y->kind != GRAPH_INPUT && y->kind != GRAPH_LABEL) continue;
        nn_node *node = file ? nn_onnx_node(net, file, y->name) : y->node;
        if (!node || !nn_plan_view(plan, node).dtype) continue;
        fill_item(g, y, staging);
        if (nn_upload(plan, node, staging, 4 * (size_t)graph_elements(g, y->shape)) != NN_OK)
            return false;
    }
    return nn_set_time(plan, g->time) == NN_OK;
}

static nn_onnx_net_desc free_extents(void) {
    nn_onnx_net_desc desc;
    ZERO(desc);
    static const nn_onnx_extent extents[] = {{"batch", NN_BATCH}, {"time", NN_TIME}};
    desc.extents.extent = extents;
    desc.extents.count = 2;
    return desc;
}

/* Runs a plan of these outputs and writes their bytes. */
static bool run_net(const graph *g, nn_model *net, nn_node *const *outputs, const nn_onnx *file,
                    unsigned char **to) {
    nn_plan_desc desc;
    ZERO(desc);
    for (int i = 0; i < OUTPUTS && outputs[i]; i++) NODE_AT(desc.outputs, i) = outputs[i];
    desc.batch = GRAPH_BATCH;
    desc.time = GRAPH_TIME;
    nn_plan *plan = nn_make_plan(net, &desc);
    bool fine = plan && feed(g, plan, net, file) && nn_run(plan) == NN_OK;
    for (int i = 0; i < OUTPUTS && outputs[i] && fine; i++) {
        const nn_view view = nn_plan_view(plan, outputs[i]);
        const size_t bytes = nn_dtype_size(view.dtype) * (size_t)nn_shape_count(view.shape);
        to[i] = (unsigned char *)calloc(bytes + 8, 1);
        memcpy(to[i], &bytes, sizeof bytes);
        to[i] = (unsigned char *)realloc(to[i], bytes + 8);
        fine = nn_download(plan, outputs[i], to[i] + 8, bytes) == NN_OK;
    }
    nn_free_plan(plan);
    return fine;
}

/* Operations whose values may come back with other last bits, by a part of their names, and why. The
   test fails if one of them never does. */
static struct {
    const char *name, *why;
    long seen;
} may_differ[] = {
    {"cast", "halves are f32 in a net that was read", 0},
    {"byte", "weights of 8 bits are f32 in a net that was read", 0},
    {"avg_pool", "other divisors and even windows of adaptive pools are AveragePool and a factor", 0},
    {"lp_pool", "the mean of an AveragePool is multiplied by the size of the window", 0},
    {"matmul", "an operand that is read transposed comes out as a Transpose", 0},
    {"bilinear", "it is written as two products", 0},
    {"einsum", "it is written as transposes and one product", 0},
    {"sinusoidal", "the angles are f32 in the file, and the kernel has them in double", 0},
    {"attention", "its masks come back as numbers that are added to the scores", 0},
    {"batch_norm", "the statistics of a batch are written out", 0},
    {"var", "squares of the distance from the mean are written out", 0},
};
enum { MAY_DIFFER = sizeof may_differ / sizeof *may_differ };

/* Returns the entry of a value's own operation; -1: it has none. */
static int entry_of(const graph_item *y) {
    for (int k = 0; k < MAY_DIFFER && y->op; k++)
        if (strstr(y->op->name, may_differ[k].name) || strstr(y->name, may_differ[k].name) ||
            strstr(nn_describe_node(y->node).operation, may_differ[k].name))
            return k;
    return -1;
}

/* True if a value may come back with other last bits: it depends on an operation of the list, or on
   constants alone, which the reader computes in double. */
static bool is_inexact(const graph *g, int i) {
    const graph_item *y = &g->items[i];
    bool computed = y->kind == GRAPH_INPUT || y->kind == GRAPH_LABEL;
    if (entry_of(y) >= 0) return true;
    for (int k = 0; k < y->ins; k++) {
        const graph_item *x = &g->items[y->in[k]];
        if (x->kind == GRAPH_OPERATION && is_inexact(g, y->in[k])) return true;
        computed = computed || x->kind != GRAPH_PARAMETER;
    }
    return !computed;
}

/* Records that a value of the list has other bytes although everything that it reads is exact. */
static void note_entry(const graph *g, int i) {
    const graph_item *y = &g->items[i];
    for (int k = 0; k < y->ins; k++)
        if (g->items[y->in[k]].kind == GRAPH_OPERATION && is_inexact(g, y->in[k])) return;
    if (entry_of(y) >= 0) may_differ[entry_of(y)].seen++;
}

/* True if a value depends on numbers that are rounded to halves here but not in the net that is
   read back; or on integers, comparisons or steps that are computed from inexact numbers. */
static bool is_rounded(const graph *g, int i) {
    const graph_item *y = &g->items[i];
    if (y->op && (strstr(y->op->name, "cast") || strstr(y->name, "byte"))) return true;
    for (int k = 0; k < y->ins; k++)
        if (is_rounded(g, y->in[k])) return true;
    return false;
}

/* Draws the outputs that can be written, from the end of the net. */
static int choose_outputs(graph *g, nn_model *net, nn_context *nn, nn_node **outputs) {
    int count = 0;
    for (int i = g->count - 1; i >= 0 && count < OUTPUTS; i--) {
        nn_onnx_save_desc desc;
        held file = {NULL, 0};
        if (g->items[i].kind != GRAPH_OPERATION ) continue;
        ZERO(desc);
        desc.outputs = NN_NODES(g->items[i].node);
        desc.output_names = NN_TEXTS("y0");
        desc.writer.function = hold;
        desc.writer.user = &file;
        if (nn_save_onnx(net, NULL, &desc) == NN_OK) outputs[count++] = g->items[i].node;
        else {
            refused_values++;
            if (!strstr(nn_error(nn), "cannot be written to an ONNX file"))
                test_fail(__FILE__, __LINE__, "net %d: %s", (int)g->seed, nn_error(nn));
            nn_clear_error(nn);
        }
        free(file.bytes);
    }
    return count;
}

/* Finds the largest difference of two arrays of f32, and the largest number. */
static void apart(const unsigned char *one, const unsigned char *other, size_t bytes, double *off,
                  double *most) {
    *off = *most = 0;
    for (size_t k = 0; k + 4 <= bytes; k += 4) {
        float p, q;
        memcpy(&p, one + k, 4);
        memcpy(&q, other + k, 4);
        if (p == q || (p != p && q != q)) continue;
        if (fabs((double)p) > *most) *most = fabs((double)p);
        if (!(fabs((double)p - (double)q) <= *off)) *off = fabs((double)p - (double)q);
    }
}

static void compare(const graph *g, nn_node *const *outputs, unsigned char *const *one,
                    unsigned char *const *other) {
    for (int i = 0; i < OUTPUTS && outputs[i]; i++) {
        double off, most;
        size_t bytes;
        int item = 0;
        while (item < g->count && g->items[item].node != outputs[i]) item++;
        memcpy(&bytes, one[i], sizeof bytes);
        compared_values++;
        if (!test_wrong(memcmp(one[i], other[i], bytes + 8) != 0)) continue;
        unequal_values++;
        if (item < g->count) note_entry(g, item);
        apart(one[i] + 8, other[i] + 8, bytes, &off, &most);
        if (item < g->count && is_rounded(g, item)) continue;
        if (item == g->count || !is_inexact(g, item) || !(off <= 1e-5 * (1 + most)))
            test_fail(__FILE__, __LINE__, "net %d: \"%s\" (%s) is off by %g of %g",
                      (int)g->seed, nn_node_name(outputs[i]),
                      nn_describe_node(outputs[i]).operation, off, most);
    }
}

static bool check_net(nn_context *nn, graph *g) {
    nn_model *net = nn_make_model(nn, NULL), *again = nn_make_model(nn, NULL);
    nn_node *outputs[OUTPUTS + 1] = {NULL}, *read[OUTPUTS + 1] = {NULL};
    unsigned char *one[OUTPUTS] = {NULL}, *other[OUTPUTS] = {NULL};
    nn_onnx_save_desc desc;
    nn_onnx_desc from;
    held bytes = {NULL, 0};
    bool fine = true;
    ZERO(desc);
    ZERO(from);
    graph_describe(g, net, false);
    const int count = choose_outputs(g, net, nn, outputs);
    static const char *const names[OUTPUTS] = {"y0", "y1", "y2", "y3", "y4", "y5", "y6", "y7"};
    desc.outputs.node = outputs;
    desc.output_names.text = names;
    desc.outputs.count = desc.output_names.count = count;
    desc.writer.function = hold;
    desc.writer.user = &bytes;
    if (count) {
        fine = nn_save_onnx(net, NULL, &desc) == NN_OK;
        from.bytes = bytes.bytes;
        from.size = bytes.size;
        nn_onnx *file = fine ? nn_open_onnx(nn, &from) : NULL;
        nn_onnx_net_desc extents = free_extents();
        if (file) nn_onnx_net(again, NULL, file, &extents);
        if (file && nn_fault_count(again) && (strstr(nn_error(nn), "it cuts the free extent") ||
             strstr(nn_error(nn), "would pair every sample of the batch"))) {
            unread_nets++; /* for example, a roll along a free axis, which the reader refuses with a
                              message */
            nn_clear_error(nn);
            nn_close_onnx(file);
            goto done;
        }
        fine = file && nn_fault_count(again) == 0 && nn_load_onnx_weights(again, file) == NN_OK;
        for (int i = 0; i < count && fine; i++)
            read[i] = nn_onnx_node(again, file, names[i]);
        fine = fine && run_net(g, net, outputs, NULL, one) && run_net(g, again, read, file, other);
        if (fine) compare(g, outputs, one, other);
        nn_close_onnx(file);
    }
    if (!fine) test_fail(__FILE__, __LINE__, "net %d: %s", (int)g->seed, nn_error(nn));
    nn_clear_error(nn);
done:
    for (int i = 0; i < OUTPUTS; i++) free(one[i]), free(other[i]);
    free(bytes.bytes);
    nn_free_model(again);
    nn_free_model(net);
    return fine;
}

static uint64_t one_seed;

/* True after 300 nets if each entry of the list has occurred by then. Otherwise true once all have
   occurred, and after 6,000 nets in any case. */
static bool are_enough(int checked) {
    bool all = true;
    for (int k = 0; k < MAY_DIFFER; k++) all = all && may_differ[k].seen > 0;
    return checked >= 300 && (all || checked >= 6000);
}

static void random_nets_come_back(void) {
    static graph g;
    nn_desc desc;
    int checked = 0;
    ZERO(desc);
    desc.threads = 1;
    nn_context *nn = nn_open(&desc);
    for (uint64_t seed = one_seed; !(one_seed ? checked : are_enough(checked)); seed++) {
        if (seed % 6 == 1 || seed % 6 == 4) continue; /* of f16 and bf16, which are f32 there */
        if (graph_make(&g, seed, 12)) {
            check_net(nn, &g);
            checked++;
        }
        graph_free(&g);
    }
    printf("%ld values came back, %ld with other bytes; %ld were refused\n", compared_values,
           unequal_values, refused_values);
    ENSURE(compared_values > 0);
    for (int k = 0; k < MAY_DIFFER && !one_seed; k++)
        if (test_wrong(may_differ[k].seen == 0))
            test_fail(__FILE__, __LINE__, "\"%s\" came back with the same bytes each time; it is listed since %s",
                      may_differ[k].name, may_differ[k].why);
    nn_close(nn);
}

/* ---- what a file says ------------------------------------------------------------------------ */

/* Describes a small net with a layer, an expression that needs a function, and two outputs. */
static nn_node *small_net(nn_model *net, nn_node **hidden) {
    nn_linear_desc four;
    ZERO(four);
    four.out_features = 4;
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    *hidden = nn_linear(net, "fc", x, &four);
    return nn_log1p(net, nn_dropout(net, nn_relu(net, *hidden), 0.5f));
}

static bool has(const held *file, const char *text) {
    for (size_t i = 0; i + strlen(text) <= file->size; i++)
        if (memcmp(file->bytes + i, text, strlen(text)) == 0) return true;
    return false;
}

static void names_and_metadata(void) {
    nn_node *outputs[2];
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_onnx_save_desc desc;
    nn_onnx_desc from;
    held file = {NULL, 0};
    ZERO(desc);
    ZERO(from);
    outputs[0] = small_net(net, &outputs[1]);
    desc.outputs = (nn_nodes){outputs, 2};
    desc.output_names = NN_TEXTS("answer", "fc");
    desc.metadata = NN_TEXTS("labels", "cat\ndog");
    desc.writer.function = hold;
    desc.writer.user = &file;
    ENSURE(nn_save_onnx(net, NULL, &desc) == NN_OK);
    ENSURE(has(&file, "Gemm") && has(&file, "Relu") && has(&file, "Log1p") && has(&file, "batch"));
    ENSURE(!has(&file, "Dropout") && !has(&file, "Identity"));
    from.bytes = file.bytes;
    from.size = file.size;
    nn_onnx *read = nn_open_onnx(nn, &from);
    ENSURE(read);
    ENSURE_TEXT(nn_onnx_metadata(read, "labels"), "cat\ndog");
    nn_model *again = nn_make_model(nn, NULL);
    nn_onnx_net(again, NULL, read, NULL);
    ENSURE(nn_onnx_node(again, read, "answer") && nn_onnx_node(again, read, "fc"));
    ENSURE(nn_load_onnx_weights(again, read) == NN_OK);
    const float *one = (const float *)nn_tensor_const_data(nn_find_tensor(net, "fc.weight"));
    const float *other = (const float *)nn_tensor_const_data(nn_find_tensor(again, "fc.weight"));
    ENSURE(one && other && memcmp(one, other, 12 * sizeof(float)) == 0);
    nn_close_onnx(read);
    nn_close(nn);
    free(file.bytes);
}

/* The weights are in a file beside the model. An old file stays if the new one cannot be
   written. */
static void weights_beside(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL), *again = nn_make_model(nn, NULL);
    nn_onnx_save_desc desc;
    nn_onnx_desc from;
    nn_node *hidden;
    ZERO(desc);
    ZERO(from);
    desc.outputs = NN_NODES(small_net(net, &hidden));
    desc.external = true;
    from.path = "build/tests/saved.onnx";
    if (nn_save_onnx(net, from.path, &desc) != NN_OK) from.path = "saved.onnx";
    nn_clear_error(nn);
    ENSURE(nn_save_onnx(net, from.path, &desc) == NN_OK);
    nn_onnx *read = nn_open_onnx(nn, &from);
    ENSURE(read);
    nn_onnx_net(again, NULL, read, NULL);
    ENSURE(nn_load_onnx_weights(again, read) == NN_OK);
    const float *one = (const float *)nn_tensor_const_data(nn_find_tensor(net, "fc.bias"));
    const float *other = (const float *)nn_tensor_const_data(nn_find_tensor(again, "fc.bias"));
    ENSURE(one && other && memcmp(one, other, 4 * sizeof(float)) == 0);
    nn_close_onnx(read);
    ENSURE(nn_save_onnx(net, "no/such/folder/net.onnx", &desc) == NN_ERROR_FILE);
    ENSURE(strstr(nn_error(nn), "no/such/folder/net.onnx"));
    nn_clear_error(nn);
    remove(from.path);
    remove(strcmp(from.path, "saved.onnx") == 0 ? "saved.onnx.data"
                                                 : "build/tests/saved.onnx.data");
    nn_close(nn);
}

static nn_result nothing(void *user, const nn_custom_args *args) {
    (void)user, (void)args;
    return NN_OK;
}

/* ---- whole nets that come back --------------------------------------------------------------- */

/* Writes a net, reads it again, runs both with the same inputs, and compares `count` outputs of f32:
   their bytes, or (within > 0) their numbers. The file stays in *file. */
static void comes_back(nn_context *nn, nn_model *net, nn_node *const *outputs, int count, int opset,
                       double within, held *file) {
    double off, most;
    static const char *const names[] = {"out0", "out1", "out2", "out3"};
    nn_onnx_save_desc desc;
    nn_onnx_desc from;
    nn_onnx_net_desc extents = free_extents();
    nn_model *again = nn_make_model(nn, NULL);
    nn_node *read[4];
    unsigned char *bytes[2] = {NULL, NULL};
    size_t sizes[2] = {0, 0};
    ZERO(desc);
    ZERO(from);
    desc.outputs.node = (nn_node **)outputs;
    desc.output_names.text = names;
    desc.outputs.count = desc.output_names.count = count;
    desc.opset = opset;
    desc.writer.function = hold;
    desc.writer.user = file;
    ENSURE(nn_save_onnx(net, NULL, &desc) == NN_OK);
    from.bytes = file->bytes;
    from.size = file->size;
    nn_onnx *onnx = nn_open_onnx(nn, &from);
    nn_onnx_net(again, NULL, onnx, &extents);
    ENSURE(onnx && nn_load_onnx_weights(again, onnx) == NN_OK);
    for (int i = 0; i < count; i++) read[i] = nn_onnx_node(again, onnx, names[i]);
    for (int k = 0; k < 2; k++) {
        nn_plan_desc plan_desc;
        ZERO(plan_desc);
        plan_desc.outputs.node = k ? read : (nn_node **)outputs;
        plan_desc.outputs.count = count;
        plan_desc.batch = 3;
        plan_desc.time = 5;
        nn_plan *plan = nn_make_plan(k ? again : net, &plan_desc);
        ENSURE(plan);
        for (nn_node *x = nn_next_node(net, NULL); x && plan; x = nn_next_node(net, x)) {
            nn_node *own = k ? nn_onnx_node(again, onnx, nn_node_name(x)) : x;
            float numbers[400];
            if (nn_describe_node(x).kind != NN_NODE_INPUT || !own) continue;
            const nn_view view = nn_plan_view(plan, own);
            const int n = view.dtype ? (int)nn_shape_count(view.shape) : 0;
            for (int i = 0; i < n; i++) {
                const int32_t whole = 1 + i % 5;
                numbers[i] = (float)((i * 37) % 101) / 50.0f - 1.0f;
                if (view.dtype == NN_I32) memcpy(numbers + i, &whole, sizeof whole);
            }
            if (n > 0) nn_upload(plan, own, numbers, (size_t)n * sizeof *numbers);
        }
        ENSURE(nn_run(plan) == NN_OK);
        for (int i = 0; i < count; i++) {
            const nn_view view = nn_plan_view(plan, plan_desc.outputs.node[i]);
            const size_t size = nn_dtype_size(view.dtype) * (size_t)nn_shape_count(view.shape);
            bytes[k] = (unsigned char *)realloc(bytes[k], sizes[k] + size + 1);
            ENSURE(nn_download(plan, plan_desc.outputs.node[i], bytes[k] + sizes[k], size) == NN_OK);
            sizes[k] += size;
        }
        nn_free_plan(plan);
    }
    ENSURE(sizes[0] == sizes[1] && sizes[0] > 0);
    apart(bytes[0], bytes[1], sizes[0], &off, &most);
    ENSURE(off <= within);
    ENSURE(within > 0 || memcmp(bytes[0], bytes[1], sizes[0]) == 0);
    free(bytes[0]);
    free(bytes[1]);
    nn_close_onnx(onnx);
    nn_free_model(again);
}

/* One layer of nn_lstm, nn_gru or nn_rnn in both directions is one operator, with first and last
   states and with lengths. */
static void both_directions(void) {
    for (int kind = 0; kind < 4; kind++)
        for (int form = 0; form < 6; form++) { /* 4 and 5: weights of halves */
            nn_context *nn = nn_open(NULL);
            nn_model_desc made;
            ZERO(made);
            made.dtype = form == 4 ? NN_F16 : form == 5 ? NN_BF16 : NN_F32;
            nn_model *net = nn_make_model(nn, &made);
            const int layers = form == 3 ? 2 : 1;
            nn_node *outputs[3], *y, *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 3)),
                    *lengths = form == 2 ? nn_input(net, "lengths", NN_I32, NN_SHAPE(NN_BATCH)) : NULL,
                    *h = NULL, *c = NULL;
            held file = {NULL, 0};
            nn_lstm_desc lstm;
            nn_gru_desc gru;
            nn_rnn_desc rnn;
            ZERO(lstm);
            ZERO(gru);
            ZERO(rnn);
            if (form == 1 || form == 3) {
                h = nn_input(net, "h", NN_F32, NN_SHAPE(2 * layers, NN_BATCH, 4));
                c = nn_input(net, "c", NN_F32, NN_SHAPE(2 * layers, NN_BATCH, 4));
            }
            lstm.hidden_size = gru.hidden_size = rnn.hidden_size = 4;
            lstm.layers = gru.layers = rnn.layers = layers;
            lstm.bidirectional = gru.bidirectional = rnn.bidirectional = true;
            lstm.lengths = gru.lengths = rnn.lengths = lengths;
            lstm.h_0 = gru.h_0 = rnn.h_0 = h;
            lstm.c_0 = c;
            lstm.no_bias = gru.no_bias = form == 2;
            if (kind == 3) rnn.nonlinearity = NN_ACTIVATION_RELU;
            y = kind == 0   ? nn_lstm(net, "r", x, &lstm)
                : kind == 1 ? nn_gru(net, "r", x, &gru)
                            : nn_rnn(net, "r", x, &rnn);
            outputs[0] = y;
            outputs[1] = nn_output(y, 1);
            outputs[2] = kind == 0 ? nn_output(y, 2) : nn_relu(net, y);
            /* small layers with weights of f32 are one step, which adds in another order */
            comes_back(nn, net, outputs, 3, 0, form < 4 ? 0 : 1e-6, &file);
            ENSURE(has(&file, "bidirectional") && !has(&file, "r.weight_hh_l0_reverse"));
            nn_close(nn);
            free(file.bytes);
        }
}

/* The state of a stateful layer is an input of the file. */
static void states_are_inputs(void) {
    for (int kind = 0; kind < 2; kind++) {
        nn_context *nn = nn_open(NULL);
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 3)), *y, *state[2];
        nn_onnx_save_desc desc;
        nn_onnx_desc from;
        nn_onnx_net_desc extents = free_extents();
        nn_lstm_desc lstm;
        nn_gru_desc gru;
        held file = {NULL, 0};
        ZERO(desc);
        ZERO(from);
        ZERO(lstm);
        ZERO(gru);
        lstm.hidden_size = gru.hidden_size = 4;
        lstm.stateful = gru.stateful = true;
        y = kind ? nn_gru(net, "r", x, &gru) : nn_lstm(net, "r", x, &lstm);
        state[0] = nn_output(y, 1);
        state[1] = kind ? y : nn_output(y, 2);
        desc.outputs = NN_NODES(y, state[0], state[1]);
        desc.output_names = NN_TEXTS("y", "h", "more");
        desc.writer.function = hold;
        desc.writer.user = &file;
        ENSURE(nn_save_onnx(net, NULL, &desc) == NN_OK);
        from.bytes = file.bytes;
        from.size = file.size;
        nn_model *again = nn_make_model(nn, NULL);
        nn_onnx *onnx = nn_open_onnx(nn, &from);
        nn_onnx_net(again, NULL, onnx, &extents);
        nn_node *in = nn_onnx_node(again, onnx, "r.state_l0");
        ENSURE(in && nn_same_shape(nn_node_shape(in), NN_SHAPE(NN_BATCH, kind ? 4 : 8)));
        ENSURE(nn_same_shape(nn_node_shape(nn_onnx_node(again, onnx, "h")), NN_SHAPE(1, NN_BATCH, 4)));
        ENSURE(nn_error(nn) == NULL);
        nn_close_onnx(onnx);
        nn_close(nn);
        free(file.bytes);
    }
}

/* ---- opsets ---------------------------------------------------------------------------------- */

/* Describes a net with operators that have changed between opsets. */
static int changing_net(nn_model *net, nn_node **outputs) {
    nn_layer_norm_desc layer;
    nn_group_norm_desc groups;
    nn_rms_norm_desc rms;
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 6));
    ZERO(layer);
    ZERO(groups);
    ZERO(rms);
    groups.num_groups = 2;
    nn_node *y = nn_layer_norm(net, "layer", x, &layer);
    outputs[0] = nn_hardswish(net, nn_rms_norm(net, "rms", y, &rms));
    outputs[1] = nn_log1p(net, nn_square(net, nn_group_norm(net, "groups", outputs[0], &groups)));
    outputs[2] = nn_add(net, nn_amax(net, outputs[1], NN_AXES(2)), nn_mean(net, y, NN_AXES(2)));
    outputs[3] = nn_logsumexp(net, nn_norm(net, outputs[1], NN_AXES(1)), NN_AXES(1));
    return 4;
}

static void every_opset(void) {
    for (int opset = 13; opset <= 22; opset++) {
        nn_context *nn = nn_open(NULL);
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *outputs[4];
        held file = {NULL, 0};
        comes_back(nn, net, outputs, changing_net(net, outputs), opset, 0, &file);
        ENSURE(has(&file, "LayerNormalization") == (opset >= 17));
        ENSURE(has(&file, "HardSwish") == (opset >= 14));
        ENSURE(has(&file, "value_ints") == (opset >= 18));
        nn_close(nn);
        free(file.bytes);
    }
}

static void opsets_that_lack_it(void) {
    static const int wrong[] = {-1, 1, 12, 23};
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_onnx_save_desc desc;
    nn_grid_sample_desc bilinear;
    held file = {NULL, 0};
    ZERO(desc);
    ZERO(bilinear);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 1, 4, 4));
    nn_node *grid = nn_input(net, "grid", NN_F32, NN_SHAPE(NN_BATCH, 2, 2, 2));
    nn_node *index = nn_input(net, "index", NN_I32, NN_SHAPE(NN_BATCH, 1, 2, 4));
    nn_node *some = nn_input(net, "some", NN_F32, NN_SHAPE(NN_BATCH, 1, 2, 4));
    desc.outputs = NN_NODES(nn_grid_sample(net, x, grid, &bilinear),
                            nn_scatter_add(net, x, 2, index, some));
    desc.writer.function = hold;
    desc.writer.user = &file;
    for (int i = 0; i < 4; i++) {
        desc.opset = wrong[i];
        ENSURE(nn_save_onnx(net, NULL, &desc) == NN_ERROR_ARGUMENT && file.size == 0);
        ENSURE(strstr(nn_error(nn), "files are written in the opsets 13 to 22 (0: 17)"));
        nn_clear_error(nn);
    }
    desc.opset = 15;
    ENSURE(nn_save_onnx(net, NULL, &desc) == NN_ERROR_UNSUPPORTED && file.size == 0);
    ENSURE(strstr(nn_error(nn), "ONNX has GridSample from opset 16 on"));
    ENSURE(strstr(nn_error(nn), "ONNX has ScatterElements with add from opset 16 on"));
    nn_clear_error(nn);
    desc.opset = 16;
    ENSURE(nn_save_onnx(net, NULL, &desc) == NN_OK && has(&file, "bilinear"));
    file.size = 0;
    desc.opset = 20;
    ENSURE(nn_save_onnx(net, NULL, &desc) == NN_OK && !has(&file, "bilinear"));
    nn_close(nn);
    free(file.bytes);
}

/* The message has all reasons at once, and there is no file. */
static void refusals(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_onnx_save_desc desc;
    nn_custom_desc own;
    held file = {NULL, 0};
    ZERO(desc);
    ZERO(own);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    own.inputs = NN_NODES(x);
    own.shape = NN_SHAPE(NN_BATCH, 3);
    own.function = nothing;
    nn_node *a = nn_cumprod(net, x, 1), *b = nn_custom(net, "mine", &own);
    desc.outputs = NN_NODES(nn_add(net, a, b));
    desc.writer.function = hold;
    desc.writer.user = &file;
    ENSURE(nn_save_onnx(net, NULL, &desc) == NN_ERROR_UNSUPPORTED && file.size == 0);
    ENSURE(strstr(nn_error(nn), "2 operations") && strstr(nn_error(nn), "cumprod"));
    ENSURE(strstr(nn_error(nn), "\"mine\": it is a function of the program's own"));
    ENSURE(!strstr(nn_error(nn), "add \"add\"")); /* a consequence, not a cause */
    nn_clear_error(nn);
    nn_close(nn);
}

static void mistakes(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL), *other = nn_make_model(nn, NULL);
    nn_onnx_save_desc desc;
    held file = {NULL, 0};
    ZERO(desc);
    nn_node *hidden, *y = small_net(net, &hidden);
    ENSURE(nn_save_onnx(NULL, "x.onnx", &desc) == NN_ERROR_ARGUMENT);
    ENSURE(nn_save_onnx(net, "x.onnx", NULL) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "no output is given"));
    nn_clear_error(nn);
    desc.outputs = NN_NODES(y, NULL);
    ENSURE(nn_save_onnx(net, "x.onnx", &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), ".outputs is a list of 2"));
    nn_clear_error(nn);
    desc.outputs = NN_NODES(y);
    ENSURE(nn_save_onnx(net, NULL, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "path is NULL"));
    nn_clear_error(nn);
    ENSURE(nn_save_onnx(other, "x.onnx", &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "is not a node of this net"));
    nn_clear_error(nn);
    desc.writer.function = hold;
    desc.writer.user = &file;
    ENSURE(nn_save_onnx(net, "x.onnx", &desc) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    desc.external = true;
    ENSURE(nn_save_onnx(net, NULL, &desc) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    desc.external = false;
    desc.outputs = NN_NODES(y, hidden);
    desc.output_names = NN_TEXTS("one");
    ENSURE(nn_save_onnx(net, NULL, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "1 .output_names are given for 2 .outputs"));
    nn_clear_error(nn);
    desc.output_names = NN_TEXTS("same", "same");
    desc.metadata = NN_TEXTS("labels");
    ENSURE(nn_save_onnx(net, NULL, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "keys and values alternately"));
    nn_clear_error(nn);
    desc.metadata.count = 0;
    ENSURE(nn_save_onnx(net, NULL, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "called \"same\""));
    nn_clear_error(nn);
    nn_reshape(net, y, NN_SHAPE(3));
    ENSURE(nn_save_onnx(net, NULL, &desc) == NN_ERROR_FAULTS && file.size == 0);
    nn_clear_error(nn);
    nn_close(nn);
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "--seed") == 0) {
        one_seed = (uint64_t)atoll(argv[2]);
        argc = 1;
    }
    test_start(argc, argv);
    RUN(names_and_metadata);
    RUN(weights_beside);
    RUN(both_directions);
    RUN(states_are_inputs);
    RUN(every_opset);
    RUN(opsets_that_lack_it);
    RUN(refusals);
    RUN(mistakes);
    RUN(random_nets_come_back);
    return test_report();
}
