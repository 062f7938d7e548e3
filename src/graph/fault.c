/* graph/fault.c - the list of faults and the report of all of them. Builders and plan/placement.c
   find the faults. */
#include "graph/private.h"

#ifndef NN_NO_REPORTS
/* Copies a text into the arena of the list. */
static const char *nn__fault_copy(nn__faults *faults, const char *text) {
    const char *copy = text ? nn__arena_text(faults->arena, text) : NULL;
    if (text && !copy) faults->no_memory = true;
    return copy;
}

NN_PRIVATE nn__fault *nn__add_fault(nn__faults *faults, nn__fault_kind kind, const char *operation,
                                    const char *name, nn_site site) {
    nn__fault *fault = (nn__fault *)nn__arena_take(faults->arena, sizeof *fault);
    faults->count++;
    if (!fault) {
        faults->no_memory = true;
        return NULL;
    }
    fault->list = faults;
    fault->kind = kind;
    fault->operation = nn__fault_copy(faults, operation);
    fault->name = nn__fault_copy(faults, name);
    if (!fault->operation) return NULL; /* no line is written without it */
    fault->site = site;
    if (faults->last)
        faults->last->next = fault;
    else
        faults->first = fault;
    faults->last = fault;
    return fault;
}

NN_PRIVATE nn__fault *nn__add_node_fault(nn__faults *faults, nn__fault_kind kind,
                                         const nn_node *node) {
    nn__fault *fault = nn__add_fault(faults, kind, node->operation, node->name, node->site);
    if (fault) fault->order = node->order;
    return fault;
}

NN_PRIVATE void nn__fault_shape_operand(nn__fault *fault, const char *role, const char *name,
                                        nn_shape shape, nn_dtype dtype) {
    if (!fault || fault->operand_count == NN__COUNT(fault->operands)) return;
    nn__operand *operand = &fault->operands[fault->operand_count];
    operand->role = nn__fault_copy(fault->list, role);
    if (!operand->role) return;
    fault->operand_count++;
    operand->name = nn__fault_copy(fault->list, name);
    operand->shape = shape;
    operand->dtype = dtype;
}

NN_PRIVATE void nn__fault_operand(nn__fault *fault, const char *role, const nn_node *node,
                                  bool show_device) {
    if (!fault || !node || fault->operand_count == NN__COUNT(fault->operands)) return;
    nn__operand *operand = &fault->operands[fault->operand_count];
    nn__fault_shape_operand(fault, role, node->name, node->shape, node->dtype);
    operand->device = node->device;
    operand->show_device = show_device;
}

static const char *nn__fault_text(nn__faults *faults, const char *format, va_list arguments) {
    char text[400];
    nn__vformat(text, sizeof text, format, arguments);
    return nn__fault_copy(faults, text);
}

NN_PRIVATE void nn__warn(nn_model *net, nn_site site, const char *operation, const char *name,
                         const char *format, ...) {
    char what[400], text[600], where[96];
    nn__warning *warning;
    va_list arguments;
    va_start(arguments, format);
    nn__vformat(what, sizeof what, format, arguments);
    va_end(arguments);
    nn__format(text, sizeof text, "%s \"%s\"%s%s: %s", operation, name, site.file ? " at " : "",
               site.file ? nn__format_site(site, where, sizeof where) : "", what);
    for (warning = net->warnings; warning; warning = warning->next)
        if (strcmp(warning->text, text) == 0) return;
    warning = (nn__warning *)nn__arena_take(&net->graph.arena, sizeof *warning);
    /* without memory only the warning is lost */
    if (!warning || !(warning->text = nn__arena_text(&net->graph.arena, text))) return;
    if (net->last_warning) net->last_warning->next = warning;
    else net->warnings = warning;
    net->last_warning = warning;
    if (net->nn->log.function) nn__print(&net->nn->log, "nn: warning: %s\n", text);
}

NN_PRIVATE void nn__fault_cause(nn__faults *faults, nn__fault *fault, const char *format, ...) {
    if (!fault) return;
    va_list arguments;
    va_start(arguments, format);
    fault->cause = nn__fault_text(faults, format, arguments);
    va_end(arguments);
}

NN_PRIVATE void nn__fault_fix(nn__faults *faults, nn__fault *fault, const char *format, ...) {
    if (!fault) return;
    va_list arguments;
    va_start(arguments, format);
    fault->fix = nn__fault_text(faults, format, arguments);
    va_end(arguments);
}

/* Insertion sort, since the list is nearly sorted. */
NN_PRIVATE void nn__sort_faults(nn__faults *faults) {
    nn__fault *sorted = NULL;
    while (faults->first) {
        nn__fault *fault = faults->first, **at = &sorted;
        faults->first = fault->next;
        while (*at && (*at)->order <= fault->order) at = &(*at)->next;
        fault->next = *at;
        *at = fault;
    }
    faults->first = sorted;
    for (faults->last = sorted; faults->last && faults->last->next;)
        faults->last = faults->last->next;
}

/* ---- the report ------------------------------------------------------------------------------ */

static const char *nn__fault_where(const nn_context *nn, nn_device device, char *text,
                                   size_t size) {
    char name[16];
    const nn__open_device *open = nn__find_device((nn_context *)nn, device);
    nn_format_device(device, name, sizeof name);
    if (!open || open->limits.host_memory)
        nn__format(text, size, "%s", name);
    else
        nn__format(text, size, "%s (%s)", name, open->limits.name);
    return text;
}

static void nn__fault_operands(const nn_context *nn, const nn__fault *fault,
                               const nn_writer *writer) {
    int name_width = 0, type_width = 0;
    char types[NN__COUNT(fault->operands)][NN__SHAPE_TEXT + 8];
    for (int i = 0; i < fault->operand_count; i++) {
        const nn__operand *operand = &fault->operands[i];
        char shape[NN__SHAPE_TEXT];
        int type = (int)nn__format(types[i], sizeof types[i], "%s %s",
                                   nn__format_shape(operand->shape, shape, sizeof shape),
                                   nn_dtype_name(operand->dtype));
        name_width =
            nn__maxi(name_width, (int)strlen(operand->name ? operand->name : "(none)") + 2);
        type_width = nn__maxi(type_width, type);
    }
    for (int i = 0; i < fault->operand_count; i++) {
        const nn__operand *operand = &fault->operands[i];
        char where[NN_NAME_BYTES + 24], name[NN_NAME_BYTES + 24];
        nn__format(name, sizeof name, "\"%s\"", operand->name ? operand->name : "(none)");
        if (operand->show_device)
            nn__print(writer, "       %-10s %-*s %-*s  on %s\n", operand->role, name_width, name,
                      type_width, types[i],
                      nn__fault_where(nn, operand->device, where, sizeof where));
        else
            nn__print(writer, "       %-10s %-*s %s\n", operand->role, name_width, name, types[i]);
    }
}

static void nn__fault_write(const nn_context *nn, int number, const nn__fault *fault,
                            const nn_writer *writer) {
    char site[NN_NAME_BYTES + 16];
    nn__print(writer, "  %d. %s", number, fault->operation);
    if (fault->name && strcmp(fault->name, fault->operation) != 0)
        nn__print(writer, " \"%s\"", fault->name);
    if (fault->site.file)
        nn__print(writer, " at %s", nn__format_site(fault->site, site, sizeof site));
    nn__print(writer, "\n");
    nn__fault_operands(nn, fault, writer);
    if (fault->cause) nn__print(writer, "     cause: %s\n", fault->cause);
    if (fault->fix) nn__print(writer, "     fix:   %s\n", fault->fix);
}

NN_PRIVATE void nn__write_fault_report(const nn_context *nn, const char *where,
                                       const nn__faults *first, const nn__faults *second,
                                       nn_writer writer) {
    int count = first->count + (second ? second->count : 0), number = 0;
    const nn__fault *a = first->first, *b = second ? second->first : NULL, *f;
    bool devices_only = a || b; /* false if all faults were lost for lack of memory */
    for (f = a; f; f = f->next) devices_only = devices_only && f->kind == NN__FAULT_DEVICE;
    for (f = b; f; f = f->next) devices_only = devices_only && f->kind == NN__FAULT_DEVICE;
    if (count == 0) return;
    if (devices_only && count == 1)
        nn__print(&writer, "nn: 1 operand is on the wrong device; nothing was run\n");
    else if (devices_only)
        nn__print(&writer, "nn: %d operands are on the wrong device; nothing was run\n", count);
    else
        nn__print(&writer, "nn: %d mistake%s in \"%s\"; nothing was run\n", count,
                  count == 1 ? "" : "s", where);
    while (a || b) { /* merges the two ordered lists */
        bool take_a = a && (!b || a->order <= b->order);
        nn__fault_write(nn, ++number, take_a ? a : b, &writer);
        if (take_a)
            a = a->next;
        else
            b = b->next;
    }
    if (first->no_memory || (second && second->no_memory))
        nn__print(&writer,
                  "  (some are missing here: there was no memory for them; make the model anew)\n");
}

NN_PRIVATE nn_result nn__fail_faults(nn_context *nn, const char *where, const nn__faults *first,
                                     const nn__faults *second) {
    char brief[256];
    nn_text text = {NULL, 0, 0};
    nn_writer writer = {nn_write_text, NULL};
    writer.user = &text;
    text.buffer = brief;
    text.size = sizeof brief;
    nn__write_fault_report(nn, where, first, second, writer);
    size_t size = text.length + 1;
    char *whole = size > sizeof brief ? (char *)nn__allocate(&nn->memory, size) : NULL;
    if (whole) {
        text.buffer = whole;
        text.size = size;
        text.length = 0;
        nn__write_fault_report(nn, where, first, second, writer);
    }
    /* drops the last newline, since nn__fail ends the line */
    char *end = text.buffer + strlen(text.buffer);
    if (end > text.buffer && end[-1] == '\n') end[-1] = 0;
    nn_result result = nn__fail(nn, NN_ERROR_FAULTS, "%s", text.buffer);
    nn__release(&nn->memory, whole, size);
    return result;
}

#else
NN_PRIVATE void nn__sort_faults(nn__faults *faults) { (void)faults; }

NN_PRIVATE void nn__write_fault_report(const nn_context *nn, const char *where,
                                       const nn__faults *first, const nn__faults *second,
                                       nn_writer writer) {
    const char *text = nn_result_text(NN_ERROR_FAULTS);
    (void)nn, (void)where;
    if (!writer.function || first->count + (second ? second->count : 0) == 0) return;
    writer.function(writer.user, text, strlen(text));
    writer.function(writer.user, "\n", 1);
}

NN_PRIVATE nn_result nn__fail_faults(nn_context *nn, const char *where, const nn__faults *first,
                                     const nn__faults *second) {
    (void)where, (void)first, (void)second;
    return nn__fail_code(nn, NN_ERROR_FAULTS);
}
#endif
