/* model/describe.c - nn_describe: a table of a model's operations, without a plan. */
#include "model/describe.h"
#include "model/private.h"

#ifndef NN_NO_REPORTS

/* Most inputs of an operation whose multiply-adds are counted. */
#define NN__DESCRIBE_INPUTS 8

typedef struct nn__describing {
    const nn_writer *writer;
    int32_t batch, time; /* 0: symbolic */
    int depth;
    double total; /* multiply-adds so far */
} nn__describing;

typedef struct nn__description_row {
    char name[NN_NAME_BYTES], kind[48];
    nn_shape shape;
    int64_t parameters;
    double work; /* multiply-adds */
} nn__description_row;

/* True for operations that get a row. Everything that is computed has one, including casts of
   halves and gradients of nn_gradient; updates of running statistics have none. */
static bool nn__describe_shows(const nn_node *node) {
    return node->kind == NN__OPERATION && !nn__has_effect(node);
}

static int64_t nn__describe_elements(const nn_node *leaf) {
    const int64_t count = nn_shape_count(leaf->shape);
    return count > 0 ? count : 0;
}

/* Counts the parameters of the node that no earlier node has, and marks them in leaf->value. */
static int64_t nn__describe_parameters(const nn_node *node) {
    int64_t count = 0;
    for (int i = 0; i < node->input_count; i++) {
        nn_node *leaf = node->inputs[i];
        if (leaf->kind != NN__PARAMETER || leaf->value) continue;
        leaf->value = 1;
        count += nn__describe_elements(leaf);
    }
    return count;
}

static nn_view nn__describe_view(const nn__describing *d, const nn_node *node) {
    nn_view view;
    memset(&view, 0, sizeof view);
    view.dtype = node->dtype;
    nn__resolve_shape(&view.shape, &node->shape, d->batch ? d->batch : 1, d->time ? d->time : 1);
    return view;
}

/* Returns the multiply-adds of a node; its rule counts two operations for each. */
static double nn__describe_work(const nn__describing *d, const nn_node *node) {
    nn_view inputs[NN__DESCRIBE_INPUTS];
    nn__lowering lowering;
    nn__run_values values;
    switch (node->rule->kernel) {
    case NN_KERNEL_GEMM:
    case NN_KERNEL_CONV2D_FORWARD:
    case NN_KERNEL_CONV2D_BACKWARD_INPUT:
    case NN_KERNEL_CONV2D_BACKWARD_WEIGHT:
    case NN_KERNEL_RECURRENT_FORWARD:
    case NN_KERNEL_ATTENTION_FORWARD: break;
    default: return 0;
    }
    if (!node->rule->flops || node->input_count > NN__DESCRIBE_INPUTS) return 0;
    memset(&lowering, 0, sizeof lowering);
    memset(&values, 0, sizeof values);
    for (int i = 0; i < node->input_count; i++) inputs[i] = nn__describe_view(d, node->inputs[i]);
    values.batch = d->batch ? d->batch : 1;
    values.time = d->time ? d->time : 1;
    lowering.inputs = inputs;
    lowering.output = nn__describe_view(d, node);
    lowering.values = &values;
    return node->rule->flops(node, &lowering) / 2;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Returns the length of the name's first `depth` words, or 0 if it has no more words than these. */
static size_t nn__describe_prefix(const nn__describing *d, const nn_node *node) {
    const char *at = node->name;
    for (int words = 0; d->depth > 0; words++, at++) {
        at = strchr(at, '.');
        if (!at) return 0;
        if (words + 1 == d->depth) return (size_t)(at - node->name);
    }
    return 0;
}

static bool nn__describe_joins(const nn__describing *d, const nn_node *node, const nn_node *first,
                               size_t length) {
    return nn__describe_prefix(d, node) == length && memcmp(node->name, first->name, length) == 0;
}

/* Returns the last node of the group that begins with `first`. Operations without a name of their
   own belong to a group if they stand between two of its nodes. */
static const nn_node *nn__describe_last(const nn__describing *d, const nn_node *first,
                                        size_t length) {
    const nn_node *last = first;
    for (const nn_node *node = first->next; node && length; node = node->next) {
        if (!nn__describe_shows(node)) continue;
        if (nn__describe_joins(d, node, first, length)) last = node;
        else if (strchr(node->name, '.')) break;
    }
    return last;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Writes a whole number with commas: 1,234,567. */
static const char *nn__describe_number(char *text, size_t size, double number) {
    char digits[40];
    const size_t count = nn__format(digits, sizeof digits, "%.0f", number);
    size_t to = 0;
    for (size_t i = 0; i < count && to + 2 < size; i++) {
        if (i && (count - i) % 3 == 0) text[to++] = ',';
        text[to++] = digits[i];
    }
    text[to] = 0;
    return text;
}

static void nn__describe_row(const nn__describing *d, const nn__description_row *row) {
    char shape[NN__SHAPE_TEXT], parameters[40], work[40];
    nn_shape said = row->shape;
    for (int i = 0; i < said.rank; i++)
        if ((!nn__free_extents(row->shape, NN__OF_BATCH) || d->batch) &&
            (!nn__free_extents(row->shape, NN__OF_TIME) || d->time))
            said.extent[i] = nn__resolve_extent(said.extent[i], d->batch, d->time);
    nn__describe_number(parameters, sizeof parameters, (double)row->parameters);
    nn__describe_number(work, sizeof work, row->work);
    nn__print(d->writer, "%-28s %-22s %-26s %12s %16s\n", row->name, row->kind,
              nn__format_shape(said, shape, sizeof shape), row->parameters ? parameters : "-",
              row->work > 0 ? work : "-");
}

/* Writes the row of the nodes from `first` to `last`. */
static void nn__describe_rows(nn__describing *d, const nn_node *first, const nn_node *last,
                              size_t length) {
    nn__description_row row;
    int count = 0;
    memset(&row, 0, sizeof row);
    row.shape = last->shape;
    for (const nn_node *node = first; node; node = node == last ? NULL : node->next) {
        if (!nn__describe_shows(node)) continue;
        row.parameters += nn__describe_parameters(node);
        row.work += nn__describe_work(d, node);
        count++;
    }
    if (count > 1)
        nn__format(row.kind, sizeof row.kind, "%d operations", count);
    else
        nn__format(row.kind, sizeof row.kind, "%s", nn__operation(first));
    nn__format(row.name, sizeof row.name, "%.*s",
               (int)(count > 1 ? length : strlen(first->name)), first->name);
    d->total += row.work;
    nn__describe_row(d, &row);
}

static void nn__describe_inputs(const nn__describing *d, const nn_model *net) {
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        nn__description_row row;
        if (node->kind != NN__INPUT) continue;
        memset(&row, 0, sizeof row);
        nn__format(row.name, sizeof row.name, "%s", node->name);
        nn__format(row.kind, sizeof row.kind, "input, %s", nn_dtype_name(node->dtype));
        row.shape = node->shape;
        nn__describe_row(d, &row);
    }
}

static void nn__describe_totals(const nn__describing *d, const nn_model *net) {
    double trained = 0, frozen = 0, others = 0;
    uint64_t bytes = 0, other_bytes = 0;
    char text[40], size[32];
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        const double count = (double)nn__describe_elements(node);
        if (!nn__is_saved(node)) continue;
        if (node->kind != NN__PARAMETER) {
            others += count;
            other_bytes += nn__node_bytes(node, 1, 1);
            continue;
        }
        if (node->frozen) frozen += count;
        else trained += count;
        bytes += nn__node_bytes(node, 1, 1);
    }
    nn__print(d->writer, "\nparameters     %16s  %s\n",
              nn__describe_number(text, sizeof text, trained + frozen),
              nn__format_bytes(size, sizeof size, bytes));
    nn__print(d->writer, "  trained      %16s\n", nn__describe_number(text, sizeof text, trained));
    nn__print(d->writer, "  frozen       %16s\n", nn__describe_number(text, sizeof text, frozen));
    if (others > 0)
        nn__print(d->writer, "buffers        %16s  %s\n",
                  nn__describe_number(text, sizeof text, others),
                  nn__format_bytes(size, sizeof size, other_bytes));
    nn__print(d->writer, "multiply-adds  %16s\n",
              nn__describe_number(text, sizeof text, d->total));
}

static void nn__describe_head(const nn__describing *d, const nn_model *net) {
    nn__print(d->writer, "model \"%s\"", net->name);
    if (d->batch) nn__print(d->writer, ", a batch of %d", (int)d->batch);
    if (d->time) nn__print(d->writer, "%s a time of %d", d->batch ? " and" : ",", (int)d->time);
    nn__print(d->writer, "\n\n%-28s %-22s %-26s %12s %16s\n", "name", "operation", "shape",
              "parameters", "multiply-adds");
}

static nn_result nn__inside_describe(nn_site site, nn_model *net, const nn_describe_desc *desc,
                                     nn_writer writer) {
    nn__describing d;
    if (nn__model_gone(net, site, "nn_describe")) return NN_ERROR_ARGUMENT;
    memset(&d, 0, sizeof d);
    if (desc && (desc->batch < 0 || desc->time < 0 || desc->depth < 0))
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                           "nn_describe: batch is %d, time is %d, depth is %d; none may be "
                           "negative, and 0 leaves each out",
                           desc->batch, desc->time, desc->depth);
    d.writer = &writer;
    if (desc) d.batch = desc->batch, d.time = desc->time, d.depth = desc->depth;
    for (nn_node *node = net->graph.first; node; node = node->next) node->value = 0;
    nn__describe_head(&d, net);
    nn__describe_inputs(&d, net);
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        if (!nn__describe_shows(node)) continue;
        const size_t length = nn__describe_prefix(&d, node);
        const nn_node *last = nn__describe_last(&d, node, length);
        nn__describe_rows(&d, node, last, length);
        node = last;
    }
    nn__describe_totals(&d, net);
    return NN_OK;
}

NN_API nn_result nn_describe_at(nn_site site, nn_model *net, const nn_describe_desc *desc,
                                nn_writer writer) {
    return NN__ALONE(net ? net->nn : NULL, "nn_describe", site,
                     nn__inside_describe(site, net, desc, writer));
}

#undef NN__DESCRIBE_INPUTS

#else

NN_API nn_result nn_describe_at(nn_site site, nn_model *net, const nn_describe_desc *desc,
                                nn_writer writer) {
    (void)site, (void)desc, (void)writer;
    return net ? NN_OK : NN_ERROR_ARGUMENT;
}

#endif
