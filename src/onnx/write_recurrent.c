/* onnx/write_recurrent.c - recurrent layers. A layer of the net is many nodes: for each layer and
   direction the product of the inputs and a node with the steps, then slices and stacks of the last
   states. All of them are one call of nn_lstm, nn_gru or nn_rnn, which is printed at the first
   steps. The nodes inside have marks as values, which no call may read:

     "?p"    the product of the inputs
     "?y"    the steps of an inner layer or of one direction
     "?s3"   the state of layer and direction 3 (counted as in h_n)
     "?h3"   its h alone, and "?c3" its cells */
#include "onnx/write_emit.h"

/* The parts of a weight's name: "NAME.weight_hh_l1_reverse". */
typedef struct nn__c_steps {
    const nn_recurrent_args *a;
    const char *name; /* of the layer */
    int layer;
    bool reverse;
    const nn_node *product, *x, *bias;
} nn__c_steps;

static void nn__c_keep_args(void *user, nn_kernel kernel, const void *args) {
    if (kernel == NN_KERNEL_RECURRENT_FORWARD)
        *(nn_recurrent_args *)user = *(const nn_recurrent_args *)args;
}

/* Reads the node of the steps. False: the node is something else, or belongs to no layer. */
static bool nn__c_read_steps(nn__c_writer *w, const nn_node *node, nn_recurrent_args *a,
                             nn__c_steps *s) {
    const char *name, *end, *at;
    nn_node_description product;
    memset(s, 0, sizeof *s);
    memset(a, 0, sizeof *a);
    if (nn_describe_node(node).kernel != NN_KERNEL_RECURRENT_FORWARD) return false;
    if (nn_node_call_at(w->e.call->site, node, NN__ONNX_B1, NN__ONNX_T1, nn__c_keep_args, a) !=
        NN_OK) {
        w->e.call->code = NN_ERROR_MEMORY;
        return false;
    }
    s->a = a;
    name = nn_node_name(nn__onnx_stored(nn__onnx_node_at(&a->weight)));
    end = strstr(name, ".weight_hh_l");
    product = nn_describe_node(nn__onnx_node_at(&a->x));
    if (!end || product.kernel != NN_KERNEL_GEMM || product.input_count < 2) return false;
    s->name = nn__onnx_copy_text(w->e.call, &w->e.arena, name, (size_t)(end - name));
    for (at = end + 12; *at >= '0' && *at <= '9'; at++) s->layer = 10 * s->layer + (*at - '0');
    s->reverse = strcmp(at, "_reverse") == 0;
    s->product = nn__onnx_node_at(&a->x);
    s->x = product.inputs[0];
    s->bias = product.input_count > 2 ? product.inputs[2] : NULL;
    return s->name && s->reverse == a->reverse && (*at == 0 || s->reverse);
}

/* True if an operation is the product of the inputs of a recurrent layer. */
static bool nn__c_is_product(const nn_node_description *d) {
    return d->kernel == NN_KERNEL_GEMM &&
           (strcmp(d->operation, "lstm") == 0 || strcmp(d->operation, "gru") == 0 ||
            strcmp(d->operation, "rnn") == 0);
}

/* Numbers of a whole layer, from all steps that have its name. */
typedef struct nn__c_layers {
    int layers, directions;
    const nn_node *last; /* the steps of the last layer, forwards */
} nn__c_layers;

static nn__c_layers nn__c_count_layers(nn__c_writer *w, const char *name) {
    nn__c_layers found = {0, 1, NULL};
    for (int32_t i = 0; i < w->count; i++) {
        nn_recurrent_args a;
        nn__c_steps s;
        if (!nn__c_read_steps(w, w->nodes[i], &a, &s) || strcmp(s.name, name) != 0) continue;
        if (s.reverse) found.directions = 2;
        if (s.layer >= found.layers && !s.reverse) {
            found.layers = s.layer + 1;
            found.last = w->nodes[i];
        }
    }
    return found;
}

/* Returns the first states of all layers: slices of one node, or the node itself. NULL: none. */
static const nn_node *nn__c_all_states(const nn_view *first, const nn__c_layers *all) {
    const nn_node *node = nn__onnx_node_at(first);
    if (!node || all->layers * all->directions == 1) return node;
    if (nn_describe_node(node).kind == NN_NODE_INPUT) return node; /* of a stateful layer */
    return nn_describe_node(node).input_count == 1 ? nn_describe_node(node).inputs[0] : node;
}

/* Returns x before zeros were put after each sample's last step, because the call does that itself.
   The mask is a program of x, of the place of each step, which is detached, and of the lengths. */
static const nn_node *nn__c_unmasked(const nn__c_steps *s) {
    const nn_node_description d = nn_describe_node(s->x);
    if (!s->a->lengths.dtype || d.kernel != NN_KERNEL_POINTWISE || d.input_count != 3) return s->x;
    for (int k = 0; k < 3; k++)
        if (nn_same_shape(nn_node_shape(d.inputs[k]), nn_node_shape(s->x)) &&
            strcmp(nn_describe_node(d.inputs[k]).operation, "detach") != 0)
            return d.inputs[k];
    return s->x;
}

static bool nn__c_is_state_of(nn__c_writer *w, const nn__c_steps *s) {
    const nn_node *h0 = nn__onnx_node_at(&s->a->h0);
    return h0 && nn__c_is_state(w, h0, NULL) && nn__c_is_part(h0, s->name);
}

static const char *nn__c_node_in(nn__c_writer *w, const nn_node *node) {
    return nn__onnx_value_of(&w->e, node);
}

static void nn__c_print_layer(nn__c_writer *w, const nn__c_steps *s, const nn__c_layers *all) {
    static const char *const calls[] = {"nn_rnn", "nn_rnn", "nn_gru", "nn_lstm"};
    const nn_recurrent_args *a = s->a;
    const nn_node *h0 = nn__c_all_states(&a->h0, all), *c0 = nn__c_all_states(&a->c0, all);
    const bool lstm = a->cell == NN_RECURRENT_LSTM, projected = a->projection.dtype != 0;
    const char *name;
    nn__c_begin_layer(w, calls[a->cell], s->name, nn__c_node_in(w, nn__c_unmasked(s)));
    nn__c_field(w, "hidden_size", a->weight.shape.extent[0] / NN_RECURRENT_GATES(a->cell), 0);
    nn__c_field(w, "layers", all->layers, 1);
    nn__c_field_true(w, "no_bias", !a->bias.dtype);
    nn__c_field_true(w, "bidirectional", all->directions == 2);
    if (projected) nn__c_field(w, "proj_size", a->weight.shape.extent[1], 0);
    if (a->cell == NN_RECURRENT_RELU) nn__c_field_text(w, "nonlinearity", "NN_ACTIVATION_RELU");
    nn__c_field_node(w, "lengths", &a->lengths);
    if (nn__c_is_state_of(w, s)) {
        nn__c_field_true(w, "stateful", true);
    } else {
        if (h0) nn__c_field_text(w, "h_0", nn__c_node_in(w, h0));
        if (c0 && lstm) nn__c_field_text(w, "c_0", nn__c_node_in(w, c0));
    }
    name = nn__c_new_name(w, &w->variables, s->name);
    name = nn__c_end_as(w,
                        lstm                          ? "nn_lstm_desc"
                        : a->cell == NN_RECURRENT_GRU ? "nn_gru_desc"
                                                      : "nn_rnn_desc",
                        name);
    nn__onnx_set(w->e.call, &w->results, s->name, (void *)(uintptr_t)name);
}

NN__ONNX_PRIVATE void nn__c_write_recurrent(nn__c_writer *w, const nn_recurrent_args *a,
                                            const nn_recurrent_args *b) {
    nn_recurrent_args copy;
    nn__c_steps s;
    nn__c_layers all;
    const char *result;
    (void)a, (void)b;
    if (!nn__c_read_steps(w, w->e.current, &copy, &s)) {
        nn__onnx_cannot(
            &w->e, "its products with the input are in integers (name the layer in .skip), or its "
                   "weights do not belong to an nn_lstm, nn_gru or nn_rnn");
        return;
    }
    all = nn__c_count_layers(w, s.name);
    if (s.layer == 0 && !s.reverse) nn__c_print_layer(w, &s, &all);
    result = (const char *)nn__onnx_find(&w->results, s.name);
    if (!result && nn__onnx_writes_on(&w->e))
        nn__onnx_cannot(&w->e, "the outputs do not depend on the first layer of %q", s.name);
    nn__onnx_set_value(&w->e, w->e.current,
                       s.layer + 1 == all.layers && all.directions == 1 ? result : "?y");
}

/* Finds the steps that read a product, in *a and *s; false: none do. */
static bool nn__c_steps_after(nn__c_writer *w, const nn_node *product, nn_recurrent_args *a,
                              nn__c_steps *s) {
    for (int32_t i = 0; i < w->count; i++)
        if (nn__c_read_steps(w, w->nodes[i], a, s) && s->product == product) return true;
    return false;
}

NN__ONNX_PRIVATE const nn_node *nn__c_recurrent_reads(nn__c_writer *w, const nn_node *node, int k) {
    const nn_node_description d = nn_describe_node(node);
    nn_recurrent_args a;
    nn__c_steps s;
    if (d.kernel == NN_KERNEL_GEMM)
        return k == 0 && nn__c_is_product(&d) && nn__c_steps_after(w, node, &a, &s)
                   ? nn__c_unmasked(&s)
                   : d.inputs[k];
    if (nn__c_read_steps(w, node, &a, &s) &&
        (d.inputs[k] == nn__onnx_node_at(&a.h0) || d.inputs[k] == nn__onnx_node_at(&a.c0))) {
        const nn__c_layers all = nn__c_count_layers(w, s.name);
        return nn__c_all_states(d.inputs[k] == nn__onnx_node_at(&a.h0) ? &a.h0 : &a.c0, &all);
    }
    return d.inputs[k];
}

/* ---- parts ----------------------------------------------------------------------------------- */

typedef struct nn__c_first_place {
    int64_t x_first;
} nn__c_first_place;

static void nn__c_keep_first(void *user, nn_kernel kernel, const void *args) {
    if (kernel == NN_KERNEL_STRIDED_COPY && ((const nn_strided_copy_args *)args)->count > 0)
        ((nn__c_first_place *)user)->x_first =
            ((const nn_strided_copy_args *)args)->pieces[0].x_first;
}

/* Returns the steps whose state a node is, wholly or in part. */
static const nn_node *nn__c_steps_of(const nn_node *node) {
    const nn_node_description d = nn_describe_node(node);
    if (d.kind == NN_NODE_OUTPUT) return d.owner;
    return d.input_count > 0 ? nn__c_steps_of(d.inputs[0]) : node;
}

/* Prints h_n or c_n: all states in order. */
static void nn__c_last_states(nn__c_writer *w, nn_node *node, const nn_node_description *d,
                              const nn__c_layers *all, const char *name) {
    const char kind = nn__onnx_value_of(&w->e, d->inputs[0])[1];
    const char *variable, *result = (const char *)nn__onnx_find(&w->results, name);
    for (int k = 0; k < d->input_count; k++)
        if (strcmp(nn__onnx_value_of(&w->e, d->inputs[k]), nn__c_text(w,
                                                                      kind == 's'   ? "?s%d"
                                                                      : kind == 'h' ? "?h%d"
                                                                                    : "?c%d",
                                                                      (int64_t)k)) != 0)
            return;
    if (d->input_count != all->layers * all->directions || !result || nn_node_shape(node).rank != 3)
        return;
    variable = nn__c_new_name(w, &w->variables, nn_node_name(node));
    nn__c_print(&w->body, "    nn_node *%s = nn_output(%s, %d);\n", variable, result,
                (int64_t)(kind == 'c' ? 2 : 1));
    nn__onnx_set_value(&w->e, node, variable);
}

/* Handles a node that reads parts of a layer. */
static void nn__c_join_parts(nn__c_writer *w, nn_node *node, const nn_node_description *d) {
    const nn_node *steps = nn__c_steps_of(d->inputs[0]);
    const char *value = nn__onnx_value_of(&w->e, d->inputs[0]);
    nn_recurrent_args a;
    nn__c_steps s;
    nn__c_layers all;
    if (value[1] == 'y' && d->alias) { /* dropout between layers */
        nn__onnx_set_value(&w->e, node, value);
        return;
    }
    if (value[1] == 'y') steps = d->inputs[0];
    if (!nn__c_read_steps(w, steps, &a, &s)) return;
    all = nn__c_count_layers(w, s.name);
    if (value[1] == 'y' && d->input_count == 2 && d->kernel == NN_KERNEL_STRIDED_COPY) {
        nn__onnx_set_value(
            &w->e, node,
            s.layer + 1 == all.layers ? (const char *)nn__onnx_find(&w->results, s.name) : "?y");
    } else if (d->alias && all.layers * all.directions > 1) { /* (N, H) as (1, N, H) */
        nn__onnx_set_value(&w->e, node, value);
    } else if (value[1] == 's' && d->input_count == 1 && nn_node_shape(node).rank == 2) {
        nn__c_first_place first = {0};
        nn_node_call_at(w->e.call->site, node, 1, 1, nn__c_keep_first, &first);
        nn__onnx_set_value(&w->e, node, nn__c_text(w, first.x_first ? "?c%s" : "?h%s", value + 2));
    } else if (value[1] != 'y' && value[1] != 'p') {
        nn__c_last_states(w, node, d, &all, s.name);
    }
}

NN__ONNX_PRIVATE bool nn__c_is_recurrent_part(nn__c_writer *w, nn_node *node) {
    const nn_node_description d = nn_describe_node(node);
    bool reads = false;
    if (nn__c_is_product(&d)) {
        nn__onnx_set_value(&w->e, node, "?p");
        return true;
    }
    if (d.kernel == NN_KERNEL_RECURRENT_FORWARD) return false;
    if (d.kind == NN_NODE_OUTPUT && d.output == 1 &&
        nn_describe_node(d.owner).kernel == NN_KERNEL_RECURRENT_FORWARD) {
        nn_recurrent_args a;
        nn__c_steps s;
        if (!nn__c_read_steps(w, d.owner, &a, &s)) return false;
        const nn__c_layers all = nn__c_count_layers(w, s.name);
        nn__onnx_set_value(
            &w->e, node,
            nn__c_text(w, "?s%d", (int64_t)(s.layer * all.directions + (s.reverse ? 1 : 0))));
        return true;
    }
    for (int k = 0; k < d.input_count; k++)
        reads = reads || nn__onnx_value_of(&w->e, d.inputs[k])[0] == '?';
    if (!reads) return false;
    nn__c_join_parts(w, node, &d);
    if (!*nn__onnx_value_of(&w->e, node))
        nn__onnx_cannot(&w->e, "it reads values from inside a recurrent layer");
    return true;
}
