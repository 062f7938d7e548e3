/* onnx/graph.c - GraphProto, NodeProto, AttributeProto, ValueInfoProto and FunctionProto become
   arrays in the file's arena. A list is counted first, then filled. */
#include "onnx/private.h"

NN__ONNX_PRIVATE const char *nn__onnx_read_text(nn_onnx *file, nn__onnx_call *call,
                                                nn__onnx_bytes bytes) {
    return nn__onnx_copy_text(call, &file->arena, (const char *)bytes.at, bytes.size);
}

static bool nn__onnx_damaged(nn_onnx *file, nn__onnx_call *call, const char *what) {
    return nn__onnx_fail(call, NN_ERROR_FORMAT, "%q is damaged: %s of it", file->label, what);
}

/* Counts the messages and texts of a field. */
static int32_t nn__onnx_count_field(nn__onnx_bytes message, uint32_t field) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    int32_t count = 0;
    while (nn__onnx_next(&cursor))
        if (cursor.field == field && cursor.wire == 2 && count < INT32_MAX) count++;
    return cursor.damaged ? -1 : count;
}

static const char **nn__onnx_read_texts(nn_onnx *file, nn__onnx_call *call, nn__onnx_bytes message,
                                        uint32_t field, int32_t *count) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    const char **texts;
    int32_t i = 0;
    *count = nn__onnx_count_field(message, field);
    if (*count < 0) return NULL;
    texts = (const char **)nn__onnx_take(call, &file->arena, (uint64_t)*count * sizeof *texts);
    while (texts && nn__onnx_next(&cursor)) {
        if (cursor.field != field || cursor.wire != 2) continue;
        texts[i] = nn__onnx_read_text(file, call, cursor.bytes);
        if (!texts[i++]) return NULL;
    }
    return texts;
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* Reads the lists of an attribute: floats 7, ints 8, strings 9. */
static bool nn__onnx_read_lists(nn_onnx *file, nn__onnx_call *call, nn__onnx_bytes message,
                                nn__onnx_attribute *to) {
    const bool reals = to->type == 6;
    uint64_t count, *bits;
    int32_t texts;
    if (to->type == 8) {
        to->texts = nn__onnx_read_texts(file, call, message, 9, &texts);
        to->count = (uint32_t)(texts < 0 ? 0 : texts);
        return to->texts != NULL;
    }
    if (!reals && to->type != 7) return true;
    if (!nn__onnx_repeated(message, reals ? 7 : 8, reals ? 4 : 0, NULL, 0, &count) ||
        count > INT32_MAX)
        return false;
    bits = (uint64_t *)nn__onnx_take(call, &file->arena, count * 8);
    if (!bits || !nn__onnx_repeated(message, reals ? 7 : 8, reals ? 4 : 0, bits, 0, &count))
        return false;
    to->count = (uint32_t)count;
    for (uint64_t i = 0; i < count && reals; i++) {
        const uint32_t narrow = (uint32_t)bits[i];
        float number;
        double wide;
        memcpy(&number, &narrow, sizeof number);
        wide = (double)number;
        memcpy(&bits[i], &wide, sizeof wide);
    }
    to->reals = reals ? (const double *)(const void *)bits : NULL;
    to->wholes = reals ? NULL : (const int64_t *)(const void *)bits;
    return true;
}

/* Returns the type, for writers that leave it out. */
static int32_t nn__onnx_type_of_field(uint32_t field) {
    return field >= 2 && field <= 9 ? (int32_t)field - 1 : 0;
}

static bool nn__onnx_read_attribute(nn_onnx *file, nn__onnx_call *call, nn__onnx_bytes message,
                                    nn__onnx_attribute *to, int depth) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    int32_t said = 0, seen = 0;
    to->name = to->text = to->reference = "";
    while (nn__onnx_next(&cursor)) {
        const uint32_t bits = (uint32_t)cursor.number;
        float number;
        memcpy(&number, &bits, sizeof number);
        if (cursor.field == 1)
            to->name = nn__onnx_read_text(file, call, cursor.bytes);
        else if (cursor.field == 20)
            said = (int32_t)(cursor.number & 31);
        else if (cursor.field == 2)
            to->real = (double)number;
        else if (cursor.field == 3)
            memcpy(&to->whole, &cursor.number, sizeof to->whole);
        else if (cursor.field == 4)
            to->text = nn__onnx_read_text(file, call, cursor.bytes);
        else if (cursor.field == 21)
            to->reference = nn__onnx_read_text(file, call, cursor.bytes);
        else if (cursor.field == 5 && cursor.wire == 2) {
            to->tensor = nn__onnx_read_tensor(file, call, cursor.bytes);
            if (!to->tensor) return false;
        } else if (cursor.field == 6 && cursor.wire == 2) {
            to->graph = nn__onnx_read_graph(file, call, cursor.bytes, depth + 1);
            if (!to->graph) return false;
        }
        if (!to->name || !to->text || !to->reference) return false;
        if (nn__onnx_type_of_field(cursor.field)) seen = nn__onnx_type_of_field(cursor.field);
    }
    to->type = said ? said : seen;
    return !cursor.damaged && nn__onnx_read_lists(file, call, message, to);
}

/* Counts one more use of a name. */
static bool nn__onnx_count_use(nn_onnx *file, nn__onnx_call *call, const char *name) {
    const uintptr_t uses = (uintptr_t)nn__onnx_find(&file->uses, name);
    file->uses.arena = &file->arena;
    return nn__onnx_set(call, &file->uses, name, (void *)(uses + 1));
}

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool nn__onnx_read_op(nn_onnx *file, nn__onnx_call *call, nn__onnx_bytes message,
                             nn__onnx_op *op, int depth) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    int32_t i = 0;
    op->type = op->domain = op->name = "";
    op->inputs = nn__onnx_read_texts(file, call, message, 1, &op->input_count);
    op->outputs = nn__onnx_read_texts(file, call, message, 2, &op->output_count);
    op->attribute_count = nn__onnx_count_field(message, 5);
    if (!op->inputs || !op->outputs || op->attribute_count < 0 ||
        op->input_count > NN__ONNX_MOST_IN || op->output_count > NN__ONNX_MOST_IN)
        return false;
    op->attributes = (nn__onnx_attribute *)nn__onnx_take(
        call, &file->arena, (uint64_t)op->attribute_count * sizeof *op->attributes);
    if (!op->attributes) return false;
    while (nn__onnx_next(&cursor)) {
        if (cursor.wire != 2) continue;
        if (cursor.field == 3) op->name = nn__onnx_read_text(file, call, cursor.bytes);
        if (cursor.field == 4) op->type = nn__onnx_read_text(file, call, cursor.bytes);
        if (cursor.field == 7) op->domain = nn__onnx_read_text(file, call, cursor.bytes);
        if (cursor.field == 5 &&
            !nn__onnx_read_attribute(file, call, cursor.bytes, &op->attributes[i++], depth))
            return false;
        if (!op->name || !op->type || !op->domain) return false;
    }
    if (strcmp(op->domain, "ai.onnx") == 0) op->domain = "";
    return true;
}

/* field: of the nodes in the message. */
static bool nn__onnx_read_ops(nn_onnx *file, nn__onnx_call *call, nn__onnx_bytes message,
                              uint32_t field, nn__onnx_graph *graph, int depth) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    int32_t i = 0;
    graph->op_count = nn__onnx_count_field(message, field);
    if (graph->op_count < 0) return nn__onnx_damaged(file, call, "the list of nodes");
    graph->ops = (nn__onnx_op *)nn__onnx_take(call, &file->arena,
                                              (uint64_t)graph->op_count * sizeof *graph->ops);
    graph->producers.arena = &file->arena;
    while (graph->ops && nn__onnx_next(&cursor)) {
        nn__onnx_op *op = graph->ops + i;
        if (cursor.field != field || cursor.wire != 2) continue;
        op->index = i++;
        if (!nn__onnx_read_op(file, call, cursor.bytes, op, depth))
            return nn__onnx_damaged(file, call, "a node");
        for (int32_t k = 0; k < op->input_count; k++)
            if (!nn__onnx_count_use(file, call, op->inputs[k])) return false;
        for (int32_t k = 0; k < op->output_count; k++) {
            if (!*op->outputs[k]) continue;
            if (nn__onnx_find(&graph->producers, op->outputs[k]))
                return nn__onnx_fail(call, NN_ERROR_FORMAT,
                                     "%q is damaged: two nodes have the output %q", file->label,
                                     op->outputs[k]);
            if (!nn__onnx_set(call, &graph->producers, op->outputs[k], op)) return false;
        }
    }
    return graph->ops != NULL;
}

/* ---- inputs and outputs ---------------------------------------------------------------------- */

/* Reads a dimension: a number, a name, or neither. */
static bool nn__onnx_read_extent(nn_onnx *file, nn__onnx_call *call, nn__onnx_bytes message,
                                 nn__onnx_info *info, int32_t axis) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    info->extent[axis] = -1;
    info->free[axis] = "";
    while (nn__onnx_next(&cursor)) {
        if (cursor.field == 1 && cursor.wire == 0 && cursor.number <= INT32_MAX &&
            cursor.number > 0)
            info->extent[axis] = (int64_t)cursor.number;
        if (cursor.field == 2 && cursor.wire == 2)
            info->free[axis] = nn__onnx_read_text(file, call, cursor.bytes);
    }
    if (info->free[axis] && strcmp(info->free[axis], "?") == 0) info->free[axis] = "";
    return !cursor.damaged && info->free[axis];
}

/* Reads a TypeProto: tensor_type 1 with elem_type 1 and shape 2. */
static bool nn__onnx_read_type(nn_onnx *file, nn__onnx_call *call, nn__onnx_bytes message,
                               nn__onnx_info *info) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message), tensor, shape;
    while (nn__onnx_next(&cursor)) {
        if (cursor.field != 1 || cursor.wire != 2) continue;
        tensor = nn__onnx_walk_over(cursor.bytes);
        while (nn__onnx_next(&tensor)) {
            if (tensor.field == 1 && tensor.number <= 64)
                info->dtype = (nn__onnx_type)tensor.number;
            if (tensor.field != 2 || tensor.wire != 2) continue;
            shape = nn__onnx_walk_over(tensor.bytes);
            info->rank = 0;
            while (nn__onnx_next(&shape)) {
                if (shape.field != 1 || shape.wire != 2) continue;
                if (info->rank >= NN__ONNX_RANK ||
                    !nn__onnx_read_extent(file, call, shape.bytes, info, info->rank))
                    return false;
                info->rank++;
            }
            if (shape.damaged) return false;
        }
        if (tensor.damaged) return false;
    }
    return !cursor.damaged;
}

static bool nn__onnx_read_info(nn_onnx *file, nn__onnx_call *call, nn__onnx_bytes message,
                               nn__onnx_info *info) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    info->name = "";
    info->rank = -1;
    while (nn__onnx_next(&cursor)) {
        if (cursor.wire != 2) continue;
        if (cursor.field == 1) info->name = nn__onnx_read_text(file, call, cursor.bytes);
        if (!info->name ||
            (cursor.field == 2 && !nn__onnx_read_type(file, call, cursor.bytes, info)))
            return false;
    }
    return !cursor.damaged;
}

/* Initializers may be listed as inputs, too. They do not count as inputs. */
static bool nn__onnx_read_infos(nn_onnx *file, nn__onnx_call *call, nn__onnx_bytes message,
                                uint32_t field, const nn__onnx_map *except, nn__onnx_info **infos,
                                int32_t *count) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    const int32_t all = nn__onnx_count_field(message, field);
    *count = 0;
    if (all < 0) return false;
    *infos = (nn__onnx_info *)nn__onnx_take(call, &file->arena, (uint64_t)all * sizeof **infos);
    if (!*infos) return false;
    while (nn__onnx_next(&cursor)) {
        nn__onnx_info *info = *infos + *count;
        if (cursor.field != field || cursor.wire != 2) continue;
        memset(info, 0, sizeof *info);
        if (!nn__onnx_read_info(file, call, cursor.bytes, info)) return false;
        if (except && nn__onnx_find(except, info->name)) continue;
        ++*count;
        if (!except && !nn__onnx_count_use(file, call, info->name)) return false;
    }
    return true;
}

/* ---- graphs and functions -------------------------------------------------------------------- */

static bool nn__onnx_read_initializers(nn_onnx *file, nn__onnx_call *call, nn__onnx_bytes message,
                                       nn__onnx_graph *graph, nn__onnx_map *names) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    int32_t i = 0;
    graph->initializer_count = nn__onnx_count_field(message, 5);
    if (graph->initializer_count < 0) return false;
    graph->initializers = (nn__onnx_tensor **)nn__onnx_take(
        call, &file->arena, (uint64_t)graph->initializer_count * sizeof *graph->initializers);
    while (graph->initializers && nn__onnx_next(&cursor)) {
        if (cursor.field != 5 || cursor.wire != 2) continue;
        graph->initializers[i] = nn__onnx_read_tensor(file, call, cursor.bytes);
        if (!graph->initializers[i] ||
            !nn__onnx_set(call, names, graph->initializers[i]->name, graph->initializers[i]))
            return false;
        i++;
    }
    return graph->initializers != NULL;
}

NN__ONNX_PRIVATE nn__onnx_graph *nn__onnx_read_graph(nn_onnx *file, nn__onnx_call *call,
                                                     nn__onnx_bytes message, int depth) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    nn__onnx_graph *graph;
    nn__onnx_map names;
    if (depth > NN__ONNX_NESTED) {
        nn__onnx_fail(call, NN_ERROR_FORMAT, "more than %d levels of graphs are nested in %q",
                      (int64_t)NN__ONNX_NESTED, file->label);
        return NULL;
    }
    graph = (nn__onnx_graph *)nn__onnx_take(call, &file->arena, sizeof *graph);
    if (!graph) return NULL;
    memset(&names, 0, sizeof names);
    names.arena = &file->arena;
    graph->name = "";
    while (nn__onnx_next(&cursor))
        if (cursor.field == 2 && cursor.wire == 2)
            graph->name = nn__onnx_read_text(file, call, cursor.bytes);
    if (!cursor.damaged && graph->name &&
        nn__onnx_read_initializers(file, call, message, graph, &names) &&
        nn__onnx_read_infos(file, call, message, 11, &names, &graph->inputs, &graph->input_count) &&
        nn__onnx_read_infos(file, call, message, 12, NULL, &graph->outputs, &graph->output_count) &&
        nn__onnx_read_ops(file, call, message, 1, graph, depth))
        return graph;
    nn__onnx_damaged(file, call, "a graph");
    return NULL;
}

/* Inputs and outputs of a function are names. */
static bool nn__onnx_read_ends(nn_onnx *file, nn__onnx_call *call, nn__onnx_bytes message,
                               uint32_t field, nn__onnx_info **infos, int32_t *count) {
    const char **texts = nn__onnx_read_texts(file, call, message, field, count);
    if (!texts) return false;
    *infos = (nn__onnx_info *)nn__onnx_take(call, &file->arena, (uint64_t)*count * sizeof **infos);
    for (int32_t i = 0; *infos && i < *count; i++) {
        (*infos)[i].name = texts[i];
        (*infos)[i].rank = -1;
        if (!nn__onnx_count_use(file, call, texts[i])) return false;
    }
    return *infos != NULL;
}

NN__ONNX_PRIVATE bool nn__onnx_read_function(nn_onnx *file, nn__onnx_call *call,
                                             nn__onnx_bytes message, nn__onnx_function *function) {
    nn__onnx_cursor cursor = nn__onnx_walk_over(message);
    int32_t i = 0;
    function->name = function->domain = function->body.name = "";
    function->default_count = nn__onnx_count_field(message, 11);
    if (function->default_count < 0) return nn__onnx_damaged(file, call, "a function");
    function->defaults = (nn__onnx_attribute *)nn__onnx_take(
        call, &file->arena, (uint64_t)function->default_count * sizeof *function->defaults);
    if (!function->defaults) return false;
    while (nn__onnx_next(&cursor)) {
        if (cursor.wire != 2) continue;
        if (cursor.field == 1) function->name = nn__onnx_read_text(file, call, cursor.bytes);
        if (cursor.field == 10) function->domain = nn__onnx_read_text(file, call, cursor.bytes);
        if (cursor.field == 11 &&
            !nn__onnx_read_attribute(file, call, cursor.bytes, &function->defaults[i++], 0))
            return nn__onnx_damaged(file, call, "a function");
        if (cursor.field == 9) {
            nn__onnx_cursor import = nn__onnx_walk_over(cursor.bytes);
            bool own = true;
            uint64_t version = 0;
            while (nn__onnx_next(&import)) {
                if (import.field == 1) own = import.bytes.size == 0 || import.bytes.size == 7;
                if (import.field == 2) version = import.number;
            }
            if (own && version < 10000) function->opset = (int32_t)version;
        }
        if (!function->name || !function->domain) return false;
    }
    if (nn__onnx_read_ends(file, call, message, 4, &function->body.inputs,
                           &function->body.input_count) &&
        nn__onnx_read_ends(file, call, message, 5, &function->body.outputs,
                           &function->body.output_count) &&
        nn__onnx_read_ops(file, call, message, 7, &function->body, 0))
        return true;
    return nn__onnx_damaged(file, call, "a function");
}
