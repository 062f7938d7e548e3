/* onnx/net.c - nn_onnx_net: inputs, the trial, the net, and the list of refusals. */
#include "onnx/mapping.h"

/* ---- inputs ---------------------------------------------------------------------------------- */

static bool nn__onnx_refuse_input(nn__onnx_walk *walk, const nn__onnx_info *info, const char *fix,
                                  const char *cause) {
    nn__onnx_message subject;
    memset(&subject, 0, sizeof subject);
    nn__onnx_say(&subject, "input %q", info->name);
    return nn__onnx_add_refusal(walk, "", subject.text, cause, fix);
}

static nn_node *nn__onnx_given(const nn_onnx_net_desc *desc, const char *name) {
    for (int i = 0; i < desc->inputs.count; i++)
        if (strcmp(desc->inputs.input[i].name, name) == 0) return desc->inputs.input[i].node;
    return NULL;
}

static const nn_onnx_fixed *nn__onnx_fixed_value(const nn_onnx_net_desc *desc, const char *name) {
    for (int i = 0; i < desc->values.count; i++)
        if (strcmp(desc->values.value[i].name, name) == 0) return &desc->values.value[i];
    return NULL;
}

/* Returns the extent that .extents has for an axis: by "input.axis", or by its name. 0: none. */
static int32_t nn__onnx_given_extent(const nn_onnx_net_desc *desc, const nn__onnx_info *info,
                                     int axis) {
    nn__onnx_message place;
    memset(&place, 0, sizeof place);
    nn__onnx_say(&place, "%s.%d", info->name, (int64_t)axis);
    const nn_onnx_extents list = desc->extents;
    for (int i = 0; i < list.count; i++)
        if (strcmp(list.extent[i].name, place.text) == 0) return list.extent[i].extent;
    for (int i = 0; i < list.count && *info->free[axis]; i++)
        if (strcmp(list.extent[i].name, info->free[axis]) == 0) return list.extent[i].extent;
    return 0;
}

/* Checks that a name stands for the same extent everywhere. */
static bool nn__onnx_bind(nn__onnx_walk *walk, const nn__onnx_info *info, int axis,
                          int32_t extent) {
    int32_t *bound;
    if (!*info->free[axis]) return true;
    bound = (int32_t *)nn__onnx_find(&walk->extents, info->free[axis]);
    if (bound && *bound != extent) {
        nn__onnx_message words;
        memset(&words, 0, sizeof words);
        nn__onnx_say(
            &words,
            "its free extent %q is also that of an earlier input, whose node has another extent",
            info->free[axis]);
        nn__onnx_refuse_input(walk, info, "give both the same extent", words.text);
        return true;
    }
    if (bound) return true;
    bound = (int32_t *)nn__onnx_take(walk->call, walk->arena, sizeof *bound);
    if (!bound) return false;
    *bound = extent;
    return nn__onnx_set(walk->call, &walk->extents, info->free[axis], bound);
}

/* Decides the extents of an input that is to be made. False: refused. */
static bool nn__onnx_decide(nn__onnx_walk *walk, const nn_onnx_net_desc *desc,
                            const nn__onnx_info *info, nn_shape *shape) {
    memset(shape, 0, sizeof *shape);
    if (info->rank < 0 || info->rank > NN_MAX_RANK)
        return nn__onnx_refuse_input(walk, info, "give a node for it in .inputs",
                                     info->rank < 0 ? "the file does not say its shape"
                                                    : "it has more axes than nn.h");
    shape->rank = info->rank;
    for (int i = 0; i < info->rank; i++) {
        const int32_t *bound =
            *info->free[i] ? (const int32_t *)nn__onnx_find(&walk->extents, info->free[i]) : NULL;
        int32_t extent = nn__onnx_given_extent(desc, info, i);
        if (extent == 0 && bound) extent = *bound;
        if (extent == 0 && info->extent[i] > 0) extent = (int32_t)info->extent[i];
        if (extent == 0 && i == 0) extent = NN_BATCH;
        if (extent == 0) {
            nn__onnx_message words, fix;
            memset(&words, 0, sizeof words);
            memset(&fix, 0, sizeof fix);
            nn__onnx_say(&words, "the extent of its axis %d%s%s is free", (int64_t)i,
                         *info->free[i] ? ", " : "", info->free[i]);
            if (*info->free[i])
                nn__onnx_say(&fix, ".extents = NN_ONNX_EXTENTS({%q, 64}), or NN_TIME",
                             info->free[i]);
            else
                nn__onnx_say(&fix, ".extents = NN_ONNX_EXTENTS({\"%s.%d\", 64}), or NN_TIME",
                             info->name, (int64_t)i);
            return nn__onnx_refuse_input(walk, info, fix.text, words.text);
        }
        shape->extent[i] = extent;
        if (info->extent[i] < 0 && !nn__onnx_bind(walk, info, i, extent)) return false;
    }
    return true;
}

static nn_dtype nn__onnx_input_dtype(nn__onnx_type type) {
    return type == NN__ONNX_UINT8    ? NN_U8
           : type == NN__ONNX_INT8   ? NN_I8
           : type == NN__ONNX_BOOL   ? NN_BOOL
           : nn__onnx_is_whole(type) ? NN_I32
                                     : NN_F32;
}

/* Returns an input of the trial with the shape of the user's node. Repetition makes multiples of
   batch and time. */
static nn_node *nn__onnx_stand_in(nn__onnx_walk *walk, const char *name, const nn_node *like) {
    nn_shape shape = nn_node_shape(like), times;
    nn_node *node;
    bool repeated = false;
    memset(&times, 0, sizeof times);
    times.rank = shape.rank;
    for (int i = 0; i < shape.rank; i++) {
        uint8_t powers;
        const int64_t number = nn__onnx_split_extent(shape.extent[i], &powers);
        times.extent[i] = powers ? (int32_t)number : 1;
        repeated = repeated || times.extent[i] != 1;
        if (powers) shape.extent[i] = nn__onnx_join_extent(1, powers);
    }
    node = nn_input_at(walk->site, walk->net, name, nn_node_dtype(like), shape);
    return repeated ? nn_repeat_at(walk->site, walk->net, node, times) : node;
}

/* Puts a node of the user in the place of an input. */
static bool nn__onnx_take_node(nn__onnx_walk *walk, const nn__onnx_info *info, nn_node *node,
                               nn__onnx_value *value) {
    const nn_shape shape = nn_node_shape(node);
    if (info->rank >= 0 && info->rank != shape.rank)
        return nn__onnx_refuse_input(walk, info, NULL,
                                     "its node in .inputs has another number of axes");
    for (int i = 0; i < shape.rank && info->rank >= 0; i++) {
        if (info->extent[i] > 0 && info->extent[i] != shape.extent[i])
            return nn__onnx_refuse_input(walk, info, NULL, "its node in .inputs has another shape");
        if (info->extent[i] < 0 && !nn__onnx_bind(walk, info, i, shape.extent[i])) return false;
    }
    value->node = walk->trial ? nn__onnx_stand_in(walk, info->name, node) : node;
    return true;
}

static bool nn__onnx_fix(nn__onnx_walk *walk, const nn_onnx_net_desc *desc,
                         const nn__onnx_info *info, double number, nn__onnx_value *value) {
    int64_t extents[NN__ONNX_RANK];
    unsigned char *data;
    nn__onnx_tensor *tensor;
    for (int i = 0; i < info->rank; i++) {
        extents[i] = info->extent[i] > 0 ? info->extent[i] : nn__onnx_given_extent(desc, info, i);
        if (extents[i] <= 0)
            return nn__onnx_refuse_input(walk, info, "give its extents as numbers in .extents",
                                         "it has a value in .values, and its shape is not known");
    }
    tensor = nn__onnx_make(walk->call, walk->arena, info->dtype, info->rank < 0 ? 0 : info->rank,
                           extents, true, &data);
    if (!tensor) return false;
    nn__onnx_put_real(data, info->dtype, 0, number);
    tensor->name = info->name;
    value->known = tensor;
    return true;
}

static void nn__onnx_add_end(nn__onnx_walk *walk, const char *name, nn_node *node) {
    nn__onnx_end *end = (nn__onnx_end *)nn__onnx_take(walk->call, walk->arena, sizeof *end);
    if (!end) return;
    end->name = nn__onnx_copy_text(walk->call, walk->arena, name, strlen(name));
    end->node = node;
    end->next = walk->described->ends;
    walk->described->ends = end;
}

static bool nn__onnx_input_value(nn__onnx_walk *walk, nn__onnx_scope *scope,
                                 const nn_onnx_net_desc *desc, const nn__onnx_info *info) {
    nn__onnx_value *value = nn__onnx_add_value(walk, scope, info->name);
    const nn_onnx_fixed *fixed = nn__onnx_fixed_value(desc, info->name);
    nn_node *given = nn__onnx_given(desc, info->name);
    nn_shape shape;
    bool good = true;
    if (!value) return false;
    value->dtype = info->dtype;
    if (info->dtype == NN__ONNX_NONE || nn__onnx_type_size(info->dtype) == 0) {
        nn__onnx_refuse_input(
            walk, info, NULL,
            "it is not a tensor of real numbers (a sequence, strings, complex numbers)");
        good = false;
    } else if (fixed) {
        good = nn__onnx_fix(walk, desc, info, fixed->value, value);
    } else if (given) {
        good = nn__onnx_take_node(walk, info, given, value);
    } else if (nn__onnx_decide(walk, desc, info, &shape)) {
        const char *name = nn__onnx_unique(walk, info->name);
        if (!name) return false;
        value->node =
            nn_input_at(walk->site, walk->net, name, nn__onnx_input_dtype(info->dtype), shape);
    } else {
        good = false;
    }
    value->refused = !good;
    nn__onnx_add_end(walk, info->name, value->node);
    return walk->call->code == NN_OK;
}

/* Names in the desc that the file does not have are refused: they are misspelled. */
static void nn__onnx_check_names(nn__onnx_walk *walk, const nn_onnx_net_desc *desc) {
    const nn__onnx_graph *graph = walk->file->graph;
    nn__onnx_info missing;
    for (int i = 0; i < desc->inputs.count + desc->values.count; i++) {
        const char *name =
            i < desc->inputs.count ? desc->inputs.input[i].name
                                   : desc->values.value[i - desc->inputs.count].name;
        int32_t k = 0;
        while (k < graph->input_count && strcmp(graph->inputs[k].name, name) != 0) k++;
        if (k < graph->input_count) continue;
        memset(&missing, 0, sizeof missing);
        missing.name = name;
        nn__onnx_refuse_input(walk, &missing, "nn_write_onnx lists the inputs",
                              "the file has no input of this name");
    }
}

/* The user's nodes come first, because they show what the free extents are. */
static bool nn__onnx_inputs(nn__onnx_walk *walk, nn__onnx_scope *scope,
                            const nn_onnx_net_desc *desc) {
    const nn__onnx_graph *graph = walk->file->graph;
    nn__onnx_check_names(walk, desc);
    for (int given = 1; given >= 0; given--)
        for (int32_t i = 0; i < graph->input_count; i++)
            if ((nn__onnx_given(desc, graph->inputs[i].name) != NULL) == (given == 1) &&
                !nn__onnx_input_value(walk, scope, desc, &graph->inputs[i]))
                return false;
    return true;
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* Returns the name of output i; NULL: there are no more. */
static const char *nn__onnx_output_name(const nn_onnx *file, const nn_onnx_net_desc *desc,
                                        int32_t i) {
    if (desc->outputs.count > 0) return i < desc->outputs.count ? desc->outputs.text[i] : NULL;
    return i < file->graph->output_count ? file->graph->outputs[i].name : NULL;
}

/* Returns the node of an output: integers as i32, or as the bytes that the net has for them; truth
   values as u8. */
static nn_node *nn__onnx_finish(nn__onnx_walk *walk, nn__onnx_scope *scope, nn__onnx_value *value) {
    nn__onnx_op op;
    nn__onnx_node n;
    nn_node *node;
    memset(&op, 0, sizeof op);
    op.type = "output";
    op.domain = "";
    op.name = value->name;
    memset(&n, 0, sizeof n);
    n.walk = walk;
    n.net = walk->net;
    n.site = walk->site;
    n.op = &op;
    n.scope = scope;
    if (!value->bytes && value->node &&
        ((value->dtype == NN__ONNX_UINT8 && nn_node_dtype(value->node) == NN_U8) ||
         (value->dtype == NN__ONNX_INT8 && nn_node_dtype(value->node) == NN_I8)))
        return value->node;
    if (nn__onnx_is_whole(value->dtype)) return nn__onnx_node_of(&n, value, NN_I32);
    node = nn__onnx_node_of(&n, value, NN_F32);
    return value->dtype == NN__ONNX_BOOL && node ? nn_cast_at(walk->site, walk->net, node, NN_U8)
                                                 : node;
}

/* Walks over the whole graph. False: an error of the call. */
static bool nn__onnx_pass_over(nn__onnx_walk *walk, const nn_onnx_net_desc *desc, nn_node **first) {
    nn__onnx_graph *graph = walk->file->graph;
    nn__onnx_scope *scope = nn__onnx_begin_scope(walk, NULL, NULL, graph);
    const char *name;
    int32_t count = 0;
    walk->outputs = desc->outputs.text;
    walk->output_count = desc->outputs.count;
    walk->frozen_batch_norms = desc->frozen_batch_norms;
    if (!scope || !nn__onnx_inputs(walk, scope, desc)) return false;
    /* in the order of the file, what the trial found to be needed */
    for (int32_t i = 0; !walk->trial && i < graph->op_count; i++) {
        if (!graph->ops[i].needed || graph->ops[i].output_count == 0) continue;
        for (int32_t k = 0; k < graph->ops[i].output_count; k++) {
            if (!*graph->ops[i].outputs[k]) continue;
            if (!nn__onnx_need(walk, scope, graph->ops[i].outputs[k])) return false;
            break;
        }
    }
    for (int32_t i = 0; (name = nn__onnx_output_name(walk->file, desc, i)) != NULL; i++) {
        nn__onnx_value *value = nn__onnx_need(walk, scope, name);
        nn_node *node;
        if (!value) return false;
        node = value->refused ? NULL : nn__onnx_finish(walk, scope, value);
        if (i == 0) *first = node;
        nn__onnx_add_end(walk, name, node);
        count++;
    }
    if (count == 0)
        return nn__onnx_fail(walk->call, NN_ERROR_FORMAT, "%q has no outputs", walk->file->label);
    for (int32_t i = 0; walk->trial && i < graph->op_count; i++)
        graph->ops[i].needed = scope->states[i] == 2;
    return walk->call->code == NN_OK;
}

/* ---- the call -------------------------------------------------------------------------------- */

NN__ONNX_PRIVATE bool nn__onnx_within_limits(nn__onnx_walk *walk) {
    const uint64_t live = nn_context_memory(walk->file->nn).live_bytes;
    const uint64_t one = 2u << 20; /* room for the memory of one node */
    if (!walk->trial || live < walk->live_before ||
        live - walk->live_before + one <= walk->arena->limit)
        return true;
    return nn__onnx_fail(walk->call, NN_ERROR_LIMIT,
                         "the net of %q needs more memory to describe than 64 MB and three times "
                         "the file; its loops and functions become too long when they are unrolled",
                         walk->file->label);
}

static void nn__onnx_begin_walk(nn__onnx_walk *walk, nn__onnx_call *call, nn_onnx *file,
                                nn_model *net, const char *prefix, nn__onnx_described *described) {
    memset(walk, 0, sizeof *walk);
    walk->call = call;
    walk->file = file;
    walk->net = net;
    walk->site = call->site;
    walk->prefix = prefix;
    walk->described = described;
    walk->arena = &described->arena;
    walk->names.arena = walk->layers.arena = walk->extents.arena = walk->arena;
    walk->last_refusal = &walk->refusals;
    described->net = net;
    described->arena.nn = file->nn;
    /* what opening has left, and f32 copies of weights of 8 bits, once more in another order */
    described->arena.limit = file->arena.limit - file->arena.taken + 8 * file->narrow;
    walk->live_before = nn_context_memory(file->nn).live_bytes;
    described->last_weight = &described->weights;
}

typedef struct nn__onnx_report {
    char *text; /* NULL: only its length is counted */
    size_t length;
} nn__onnx_report;

static void nn__onnx_report_add(nn__onnx_report *report, const char *text) {
    const size_t length = strlen(text);
    if (report->text) memcpy(report->text + report->length, text, length + 1);
    report->length += length;
}

static void nn__onnx_report_all(nn__onnx_report *report, const nn__onnx_walk *walk) {
    int64_t number = 0;
    nn__onnx_message line;
    memset(&line, 0, sizeof line);
    nn__onnx_say_call(&line, walk->call);
    nn__onnx_say(&line, "%d part%s of %q %s not supported; nothing was described",
                 (int64_t)walk->refusal_count, walk->refusal_count == 1 ? "" : "s",
                 walk->file->label, walk->refusal_count == 1 ? "is" : "are");
    nn__onnx_report_add(report, line.text);
    for (const nn__onnx_refusal *refusal = walk->refusals; refusal; refusal = refusal->next) {
        memset(&line, 0, sizeof line);
        nn__onnx_say(&line, "\n  %d. %s", ++number, refusal->subject);
        if (refusal->more > 0) nn__onnx_say(&line, " and %d more like it", (int64_t)refusal->more);
        nn__onnx_say(&line, "\n     cause: ");
        nn__onnx_report_add(report, line.text);
        nn__onnx_report_add(report, refusal->cause);
        if (refusal->fix) {
            nn__onnx_report_add(report, "\n     fix:   ");
            nn__onnx_report_add(report, refusal->fix);
        }
    }
}

/* The refusals become the error of the context and a fault of the net. */
static nn_node *nn__onnx_refused(nn__onnx_walk *walk, nn_model *net, const char *name) {
    nn__onnx_report report = {NULL, 0};
    nn_node *poison;
    nn__onnx_report_all(&report, walk);
    report.text = (char *)nn__onnx_take(walk->call, walk->arena, (uint64_t)report.length + 1);
    report.length = 0;
    if (!report.text)
        return nn_record_fault_at(walk->site, net, "onnx_net", name, "no memory", NULL);
    nn__onnx_report_all(&report, walk);
    walk->call->code = nn_record_error(walk->file->nn, NN_ERROR_UNSUPPORTED, report.text);
    poison = nn_record_fault_at(walk->site, net, "onnx_net", name, walk->refusals->cause,
                                walk->refusals->fix);
    return poison;
}

/* Walks over a throw-away model. False: *poison is what to return. */
static bool nn__onnx_try(nn__onnx_call *call, nn_onnx *file, nn_model *net, const char *name,
                         const char *prefix, const nn_onnx_net_desc *desc, nn_node **poison) {
    nn__onnx_described described;
    nn__onnx_walk walk;
    nn_model *trial = nn_make_model_at(call->site, file->nn, NULL);
    nn_node *first = NULL;
    bool good;
    *poison = NULL;
    if (!trial) return false;
    memset(&described, 0, sizeof described);
    nn__onnx_begin_walk(&walk, call, file, trial, prefix, &described);
    walk.trial = true;
    good = nn__onnx_pass_over(&walk, desc, &first);
    if (good && walk.refusal_count > 0) *poison = nn__onnx_refused(&walk, net, name);
    good = good && walk.refusal_count == 0;
    nn__onnx_free_arena(&described.arena);
    nn_free_model_at(call->site, trial);
    return good;
}

/* False for statistics, which are buffers. */
static bool nn__onnx_drawn(const char *name) {
    const char *end = strrchr(name, '.');
    return !end || strncmp(end, ".running_", 9) != 0;
}

static nn_node *nn__onnx_describe(nn__onnx_call *call, nn_onnx *file, nn_model *net,
                                  const char *prefix, const nn_onnx_net_desc *desc) {
    nn__onnx_walk walk;
    nn_node *first = NULL;
    nn__onnx_described *described =
        (nn__onnx_described *)nn_take_memory(file->nn, sizeof *described);
    if (!described) {
        nn__onnx_fail(call, NN_ERROR_MEMORY, "no memory");
        return NULL;
    }
    described->next = file->described;
    file->described = described;
    nn__onnx_begin_walk(&walk, call, file, net, prefix, described);
    if (!nn__onnx_pass_over(&walk, desc, &first)) return NULL;
    /* they get the file's values, so no random values are drawn for them */
    for (const nn__onnx_weight *weight = described->weights; weight; weight = weight->next)
        if (!weight->constant && !weight->buffer && nn__onnx_drawn(weight->name))
            nn_start_at_zero_at(call->site, net, weight->name);
    return first;
}

/* Checks that every list has as many elements as it says, each with a name. */
static bool nn__onnx_check_desc(nn__onnx_call *call, const nn_onnx_net_desc *desc) {
    const char *wrong = NULL;
    if (desc->inputs.count < 0 || (desc->inputs.count > 0 && !desc->inputs.input)) wrong = "inputs";
    if (desc->extents.count < 0 || (desc->extents.count > 0 && !desc->extents.extent))
        wrong = "extents";
    if (desc->values.count < 0 || (desc->values.count > 0 && !desc->values.value)) wrong = "values";
    for (int i = 0; i < desc->inputs.count && !wrong; i++)
        if (!desc->inputs.input[i].name || !desc->inputs.input[i].node) wrong = "inputs";
    for (int i = 0; i < desc->extents.count && !wrong; i++)
        if (!desc->extents.extent[i].name) wrong = "extents";
    for (int i = 0; i < desc->values.count && !wrong; i++)
        if (!desc->values.value[i].name) wrong = "values";
    if (!wrong) return nn__onnx_check_texts(call, "outputs", desc->outputs);
    return nn__onnx_fail(call, NN_ERROR_ARGUMENT,
                         ".%s is a list without an array, or one of its elements has no name or "
                         "node; macros such as NN_ONNX_INPUTS count the elements",
                         wrong);
}

NN_API nn_node *nn_onnx_net_at(nn_site site, nn_model *net, const char *name, nn_onnx *file,
                               const nn_onnx_net_desc *desc) {
    nn_onnx_net_desc none;
    nn__onnx_call call;
    nn__onnx_message prefix;
    nn_node *node = NULL;
    if (!net) return NULL;
    memset(&none, 0, sizeof none);
    if (!desc) desc = &none;
    if (!file || nn_model_context(net) != file->nn)
        return nn_record_fault_at(
            site, net, "onnx_net", name,
            file ? "the file and the net belong to different contexts; open both in one context"
                 : "the file is NULL",
            "see what nn_open_onnx returned, and nn_error");
    call = nn__onnx_begin(file->nn, site, "nn_onnx_net");
    memset(&prefix, 0, sizeof prefix);
    if (name && *name) nn__onnx_say(&prefix, "%s.", name);
    if (prefix.length > NN_NAME_BYTES / 2)
        return nn_record_fault_at(site, net, "onnx_net", name, "the name is too long",
                                  "at most 63 bytes");
    if (nn__onnx_check_desc(&call, desc) &&
        nn__onnx_try(&call, file, net, name, prefix.text, desc, &node))
        node = nn__onnx_describe(&call, file, net, prefix.text, desc);
    if (node) return node;
    return nn_record_fault_at(site, net, "onnx_net", name,
                              "the file could not be described; nn_error says why", NULL);
}

/* True if the net has the node. A net that was freed has none, and another one may have its
   address. */
static bool nn__onnx_has_node(const nn_model *net, const nn_node *node) {
    const nn_node *at = nn_next_node(net, NULL);
    while (at && at != node) at = nn_next_node(net, at);
    return at != NULL;
}

NN_API nn_node *nn_onnx_node(const nn_model *net, const nn_onnx *file, const char *name) {
    const nn__onnx_described *described = file && name ? file->described : NULL;
    while (described && described->net != net) described = described->next;
    if (!described) return NULL;
    for (const nn__onnx_end *end = described->ends; end; end = end->next)
        if (end->name && strcmp(end->name, name) == 0)
            return nn__onnx_has_node(net, end->node) ? end->node : NULL;
    return NULL;
}
