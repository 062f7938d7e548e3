/* onnx/loops.c - Loop and Scan: their graphs are described once for each run, if the number of runs
   is known. */
#include "onnx/mapping.h"

/* Most runs of a loop that are described one after the other. */
#define NN__ONNX_RUNS    1024
#define NN__ONNX_SCANNED 64 /* most scan inputs and scan outputs of a Scan */

/* The values that a loop's body computes: `width` outputs for each run. */
typedef struct nn__onnx_runs {
    nn__onnx_value **values;
    int count, width;
} nn__onnx_runs;

/* Joins the values of all runs along a new axis, number `axis`, and gives result k. */
static void nn__onnx_join_runs(nn__onnx_node *n, const nn__onnx_runs *runs, int which, int k,
                               int axis, bool reverse) {
    nn_node **nodes;
    nn_nodes list;
    nn__onnx_type dtype;
    if (!nn__onnx_wants(n, k) || n->refused) return;
    if (runs->count == 0) {
        nn__onnx_refuse(n, NULL, "it runs 0 times, so its output %q would be empty",
                        n->results[k]->name);
        return;
    }
    nodes = (nn_node **)nn__onnx_scratch(n, (uint64_t)runs->count * sizeof *nodes);
    if (!nodes) return;
    for (int i = 0; i < runs->count; i++) {
        nn__onnx_value *value =
            runs->values[(reverse ? runs->count - 1 - i : i) * runs->width + which];
        nodes[i] = nn__onnx_node_of(n, value, NN_F32);
    }
    dtype = runs->values[which]->dtype;
    list.node = nodes;
    list.count = runs->count;
    if (!n->refused) nn__onnx_give(n, k, nn_stack_at(n->site, n->net, list, axis), dtype);
}

/* Describes one run of a body. in: its operands; out receives its outputs. */
static bool nn__onnx_run_body(nn__onnx_node *n, const nn__onnx_graph *body,
                              nn__onnx_value *const *in, nn__onnx_value **out) {
    nn__onnx_scope *scope = nn__onnx_begin_scope(n->walk, n, n->scope, body);
    if (!scope) return false;
    for (int i = 0; i < body->input_count; i++)
        if (!nn__onnx_bind_value(n, scope, body->inputs[i].name, in[i])) return false;
    for (int i = 0; i < body->output_count; i++) {
        out[i] = nn__onnx_need(n->walk, scope, body->outputs[i].name);
        if (!out[i]) return false;
        if (out[i]->refused) {
            n->refused = true;
            return false;
        }
    }
    return true;
}

/* Returns a whole number or a truth value that the walk itself makes. */
static nn__onnx_value *nn__onnx_number_value(nn__onnx_node *n, nn__onnx_type type, int64_t number) {
    unsigned char *data;
    nn__onnx_tensor *tensor = nn__onnx_new(n, type, 0, NULL, &data);
    nn__onnx_value *value = (nn__onnx_value *)nn__onnx_scratch(n, sizeof *value);
    if (!tensor || !value) return NULL;
    nn__onnx_put_whole(data, type, 0, number);
    value->name = "";
    value->dtype = type;
    value->known = tensor;
    return value;
}

/* Returns how often a loop runs at most; -1 after a refusal. */
static int64_t nn__onnx_most_runs(nn__onnx_node *n) {
    const nn__onnx_tensor *count = nn__onnx_known(n, 0);
    if (!nn__onnx_has(n, 0)) return INT64_MAX;
    if (!count || count->count != 1) {
        nn__onnx_refuse(n, "if it depends on an input, give that input a value in .values",
                        "its number of iterations is known only at run time");
        return -1;
    }
    if (nn__onnx_power(count, 0)) {
        nn__onnx_refuse(n, "give that extent a number in .extents",
                        "its number of iterations depends on a free extent");
        return -1;
    }
    return nn__onnx_whole(count, 0);
}

/* True if a loop continues; false after a refusal. */
static bool nn__onnx_goes_on(nn__onnx_node *n, const nn__onnx_value *condition) {
    if (!condition) return true;
    if (!condition->known || condition->known->count != 1 || !condition->known->data)
        return nn__onnx_refuse(n, "if it depends on an input, give that input a value in .values",
                               "the condition that ends it is known only at run time");
    return nn__onnx_whole(condition->known, 0) != 0;
}

NN__ONNX_PRIVATE void nn__onnx_do_loop(nn__onnx_node *n) {
    const nn__onnx_graph *body = nn__onnx_graph_of(n, "body");
    const int carried = n->operand_count - 2;
    const int64_t most = body ? nn__onnx_most_runs(n) : -1;
    nn__onnx_value **in, **out;
    nn__onnx_runs runs;
    if (most < 0 || carried < 0) return;
    if (body->input_count != carried + 2 || body->output_count < carried + 1 ||
        body->output_count - 1 < n->result_count) {
        nn__onnx_refuse(n, NULL,
                        "its graph does not have the inputs and outputs that the node needs");
        return;
    }
    memset(&runs, 0, sizeof runs);
    runs.width = body->output_count;
    runs.values = (nn__onnx_value **)nn__onnx_scratch(
        n, (uint64_t)NN__ONNX_RUNS * (uint64_t)runs.width * sizeof *runs.values);
    in = (nn__onnx_value **)nn__onnx_scratch(n, (uint64_t)body->input_count * sizeof *in);
    if (!in || !runs.values) return;
    in[1] = nn__onnx_has(n, 1) ? n->operands[1] : nn__onnx_number_value(n, NN__ONNX_BOOL, 1);
    for (int i = 0; i < carried; i++) in[i + 2] = n->operands[i + 2];
    while (runs.count < most && nn__onnx_goes_on(n, in[1])) {
        if (runs.count == NN__ONNX_RUNS) {
            nn__onnx_refuse(n, NULL, "it runs more than %d times", (int64_t)NN__ONNX_RUNS);
            return;
        }
        out = runs.values + runs.count * runs.width;
        in[0] = nn__onnx_number_value(n, NN__ONNX_INT64, runs.count);
        if (!in[0] || !nn__onnx_run_body(n, body, in, out)) return;
        for (int i = 0; i <= carried; i++) in[i + 1] = out[i];
        runs.count++;
    }
    if (n->refused) return;
    for (int k = 0; k < n->result_count; k++) {
        if (k >= carried)
            nn__onnx_join_runs(n, &runs, k + 1, k, 0, false);
        else if (in[k + 2])
            nn__onnx_give_value(n, k, in[k + 2]);
    }
}

/* ---- Scan ------------------------------------------------------------------------------------ */

/* Reads a list of one number for each scan input or output; absent: all 0. False: refused. */
static bool nn__onnx_scan_list(nn__onnx_node *n, const char *name, int32_t *to, int count) {
    const int found = nn__onnx_ints(n, name, to, NN__ONNX_SCANNED);
    if (found == -1) memset(to, 0, NN__ONNX_SCANNED * sizeof *to);
    return found == -1 || found >= count ||
           nn__onnx_refuse(n, NULL, "its attribute %s is too short", name);
}

/* Returns element i of a scan input along its axis. */
static nn__onnx_value *nn__onnx_element(nn__onnx_node *n, int operand, int axis, int i) {
    nn__onnx_value *value = (nn__onnx_value *)nn__onnx_scratch(n, sizeof *value);
    nn_slice_desc desc;
    nn_axes axes;
    if (!value) return NULL;
    memset(&desc, 0, sizeof desc);
    memset(&axes, 0, sizeof axes);
    desc.axis = axis;
    desc.start = i;
    desc.stop = i + 1;
    axes.axis[axes.count++] = axis;
    value->name = "";
    value->dtype = nn__onnx_dtype(n, operand);
    value->node = nn_slice_at(n->site, n->net, nn__onnx_raw(n, operand), &desc);
    value->node = nn_squeeze_at(n->site, n->net, value->node, axes);
    return value;
}

/* The attributes of a Scan about its inputs and outputs. */
typedef struct nn__onnx_scan {
    int states, inputs, outputs;
    int32_t axes[NN__ONNX_SCANNED], back[NN__ONNX_SCANNED];
    int32_t out_axes[NN__ONNX_SCANNED], out_back[NN__ONNX_SCANNED];
    int32_t runs;
} nn__onnx_scan;

static bool nn__onnx_read_scan(nn__onnx_node *n, const nn__onnx_graph *body, nn__onnx_scan *scan) {
    scan->inputs = (int)nn__onnx_int(n, "num_scan_inputs", 0);
    scan->states = n->operand_count - scan->inputs;
    scan->outputs = n->result_count - scan->states;
    if (scan->inputs < 1 || scan->inputs > NN__ONNX_SCANNED || scan->states < 0 ||
        scan->outputs < 0 || scan->outputs > NN__ONNX_SCANNED ||
        body->input_count != n->operand_count || body->output_count < n->result_count)
        return nn__onnx_refuse(
            n, NULL, "its graph does not have the inputs and outputs that the node needs");
    if (!nn__onnx_scan_list(n, "scan_input_axes", scan->axes, scan->inputs) ||
        !nn__onnx_scan_list(n, "scan_input_directions", scan->back, scan->inputs) ||
        !nn__onnx_scan_list(n, "scan_output_axes", scan->out_axes, scan->outputs) ||
        !nn__onnx_scan_list(n, "scan_output_directions", scan->out_back, scan->outputs))
        return false;
    for (int i = 0; i < scan->inputs; i++) {
        const nn_shape shape = nn__onnx_shape(n, scan->states + i);
        if (scan->axes[i] < 0) scan->axes[i] += shape.rank;
        if (scan->axes[i] < 0 || scan->axes[i] >= shape.rank)
            return nn__onnx_refuse(n, NULL, "a scan axis is out of range");
        scan->runs = shape.extent[scan->axes[i]];
        if (scan->runs < 0)
            return nn__onnx_refuse(n, "give that extent a number in .extents",
                                   "its number of iterations depends on a free extent");
        if (scan->runs > NN__ONNX_RUNS)
            return nn__onnx_refuse(n, NULL, "it runs more than %d times", (int64_t)NN__ONNX_RUNS);
    }
    return true;
}

NN__ONNX_PRIVATE void nn__onnx_do_scan(nn__onnx_node *n) {
    const nn__onnx_graph *body = nn__onnx_graph_of(n, "body");
    nn__onnx_scan scan;
    nn__onnx_runs runs;
    nn__onnx_value **in;
    memset(&scan, 0, sizeof scan);
    memset(&runs, 0, sizeof runs);
    if (n->opset < 9) {
        nn__onnx_refuse(n, NULL,
                        "Scan of opset 8, which has a batch axis, is not supported; convert the "
                        "file to a newer opset (onnx.version_converter)");
        return;
    }
    if (!body || !nn__onnx_read_scan(n, body, &scan)) return;
    runs.width = body->output_count;
    runs.values = (nn__onnx_value **)nn__onnx_scratch(
        n, (uint64_t)scan.runs * (uint64_t)runs.width * sizeof *runs.values);
    in = (nn__onnx_value **)nn__onnx_scratch(n, (uint64_t)body->input_count * sizeof *in);
    if (!in || !runs.values) return;
    for (int i = 0; i < scan.states; i++) in[i] = n->operands[i];
    for (; runs.count < scan.runs; runs.count++) {
        nn__onnx_value **out = runs.values + runs.count * runs.width;
        for (int i = 0; i < scan.inputs; i++) {
            const int at = scan.back[i] ? scan.runs - 1 - runs.count : runs.count;
            in[scan.states + i] = nn__onnx_element(n, scan.states + i, scan.axes[i], at);
            if (!in[scan.states + i]) return;
        }
        if (!nn__onnx_run_body(n, body, in, out)) return;
        for (int i = 0; i < scan.states; i++) in[i] = out[i];
    }
    for (int k = 0; k < n->result_count; k++) {
        if (k < scan.states)
            nn__onnx_give_value(n, k, in[k]);
        else
            nn__onnx_join_runs(n, &runs, k, k, scan.out_axes[k - scan.states],
                               scan.out_back[k - scan.states] != 0);
    }
}
