/* onnx/report.c - nn_write_onnx: what is in a file, in words. */
#include "onnx/mapping.h"

/* One operator of the file. */
typedef struct nn__onnx_used {
    struct nn__onnx_used *next;
    const nn__onnx_op *op; /* the first of them */
    int64_t count;
} nn__onnx_used;

typedef struct nn__onnx_summary {
    nn__onnx_call call;
    nn__onnx_arena arena;
    const nn_onnx *file;
    nn_writer writer;
    nn__onnx_map names; /* "domain type" to nn__onnx_used */
    nn__onnx_used *first, **last;
    int64_t ops, tensors;
    uint64_t numbers;
} nn__onnx_summary;

static void nn__onnx_print(const nn__onnx_summary *summary, const char *format, ...) {
    nn__onnx_message text;
    va_list arguments;
    memset(&text, 0, sizeof text);
    va_start(arguments, format);
    nn__onnx_say_with(&text, format, &arguments);
    va_end(arguments);
    summary->writer.function(summary->writer.user, text.text, text.length);
}

static void nn__onnx_count_op(nn__onnx_summary *summary, const nn__onnx_op *op) {
    nn__onnx_message key;
    nn__onnx_used *used;
    memset(&key, 0, sizeof key);
    nn__onnx_say(&key, "%s %s", op->domain, op->type);
    used = (nn__onnx_used *)nn__onnx_find(&summary->names, key.text);
    if (!used) {
        used = (nn__onnx_used *)nn__onnx_take(&summary->call, &summary->arena, sizeof *used);
        if (!used) return;
        used->op = op;
        nn__onnx_set(&summary->call, &summary->names,
                     nn__onnx_copy_text(&summary->call, &summary->arena, key.text, key.length),
                     used);
        *summary->last = used;
        summary->last = &used->next;
    }
    used->count++;
    summary->ops++;
}

static void nn__onnx_count_tensor(nn__onnx_summary *summary, const nn__onnx_tensor *tensor) {
    summary->tensors++;
    summary->numbers += tensor->count;
}

/* Counts nodes and tensors, those of graphs inside too. */
static void nn__onnx_count_graph(nn__onnx_summary *summary, const nn__onnx_graph *graph) {
    for (int32_t i = 0; i < graph->initializer_count; i++)
        nn__onnx_count_tensor(summary, graph->initializers[i]);
    for (int32_t i = 0; i < graph->op_count; i++) {
        const nn__onnx_op *op = graph->ops + i;
        nn__onnx_count_op(summary, op);
        for (int32_t k = 0; k < op->attribute_count; k++) {
            if (op->attributes[k].tensor) nn__onnx_count_tensor(summary, op->attributes[k].tensor);
            if (op->attributes[k].graph) nn__onnx_count_graph(summary, op->attributes[k].graph);
        }
    }
}

/* Writes a line such as "  input "x" float32 (batch, 3, ?)". */
static void nn__onnx_print_info(const nn__onnx_summary *summary, const char *role,
                                const nn__onnx_info *info) {
    nn__onnx_print(summary, "  %s %q %s", role, info->name, nn__onnx_type_name(info->dtype));
    if (info->rank < 0) {
        nn__onnx_print(summary, ", shape not said\n");
        return;
    }
    nn__onnx_print(summary, " (");
    for (int i = 0; i < info->rank; i++) {
        nn__onnx_print(summary, i > 0 ? ", " : "");
        if (info->extent[i] > 0)
            nn__onnx_print(summary, "%d", info->extent[i]);
        else
            nn__onnx_print(summary, "%s", *info->free[i] ? info->free[i] : "?");
    }
    nn__onnx_print(summary, ")\n");
}

static bool nn__onnx_is_function(const nn_onnx *file, const nn__onnx_op *op) {
    for (int32_t i = 0; i < file->function_count; i++)
        if (strcmp(file->functions[i].name, op->type) == 0 &&
            strcmp(file->functions[i].domain, op->domain) == 0)
            return true;
    return false;
}

/* True if no line of the tables, no control and no function stands for an operator. */
static bool nn__onnx_is_foreign(const nn_onnx *file, const nn__onnx_op *op) {
    const bool control =
        !*op->domain && (strcmp(op->type, "If") == 0 || strcmp(op->type, "Loop") == 0 ||
                         strcmp(op->type, "Scan") == 0);
    return !control && !nn__onnx_is_function(file, op) && !nn__onnx_is_mapped(op->domain, op->type);
}

static void nn__onnx_print_ops(const nn__onnx_summary *summary, bool foreign) {
    const char *between = "";
    for (const nn__onnx_used *used = summary->first; used; used = used->next) {
        if (foreign && !nn__onnx_is_foreign(summary->file, used->op)) continue;
        nn__onnx_print(summary, "%s%s%s%s %d", between, used->op->domain,
                       *used->op->domain ? "." : "", used->op->type, used->count);
        between = ", ";
    }
    nn__onnx_print(summary, foreign && !*between ? "none\n" : "\n");
}

NN_API void nn_write_onnx(const nn_onnx *file, nn_writer writer) {
    nn__onnx_summary summary;
    if (!file || !writer.function) return;
    memset(&summary, 0, sizeof summary);
    summary.call = nn__onnx_begin(file->nn, NN_HERE, "nn_write_onnx");
    summary.arena.nn = file->nn;
    summary.names.arena = &summary.arena;
    summary.file = file;
    summary.writer = writer;
    summary.last = &summary.first;
    nn__onnx_count_graph(&summary, file->graph);
    for (int32_t i = 0; i < file->function_count; i++)
        nn__onnx_count_graph(&summary, &file->functions[i].body);
    nn__onnx_print(&summary, "%s: IR %d, written by %s %s\n", file->label, file->ir_version,
                   *file->producer ? file->producer : "(not said)", file->producer_version);
    for (int32_t i = 0; i < file->opset_count; i++)
        nn__onnx_print(&summary, "  opset %d of %s\n", file->opsets[i].version,
                       *file->opsets[i].domain ? file->opsets[i].domain : "ai.onnx");
    for (int32_t i = 0; i < file->graph->input_count; i++)
        nn__onnx_print_info(&summary, "input", &file->graph->inputs[i]);
    for (int32_t i = 0; i < file->graph->output_count; i++)
        nn__onnx_print_info(&summary, "output", &file->graph->outputs[i]);
    nn__onnx_print(&summary, "  %d tensors with %d numbers\n", summary.tensors,
                   (int64_t)summary.numbers);
    nn__onnx_print(&summary, "  %d nodes: ", summary.ops);
    nn__onnx_print_ops(&summary, false);
    nn__onnx_print(&summary, "  operators that are not supported: ");
    nn__onnx_print_ops(&summary, true);
    for (int32_t i = 0; i < file->metadata_count; i++)
        nn__onnx_print(&summary, "  metadata %q, %d bytes\n", file->metadata[2 * i],
                       (int64_t)strlen(file->metadata[2 * i + 1]));
    nn__onnx_free_arena(&summary.arena);
}
