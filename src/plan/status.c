/* plan/status.c - status words. A kernel that finds a label out of range or a loss that is NaN or
   infinite sets the status word of its device, which stops the updates there. The fault becomes the
   error of a call here. For devices without host memory, the word is sent to the host after each
   training step and read when it has arrived, so that nobody waits for it. */
#include "plan/private.h"

#define NN__STATUS_UNREAD 0xffffffffu /* the word has not arrived; no fault has this number */

NN_PRIVATE void nn__status_view(const nn__plan_device *device, nn_view *view) {
    memset(view, 0, sizeof *view);
    nn__storage(device, false, device->status_offset, view);
    view->dtype = NN_I32;
}

#ifndef NN_NO_REPORTS
static bool nn__status_checks(nn_kernel kernel, uint32_t fault) {
    if (fault != NN_FAULT_INDEX)
        return kernel == NN_KERNEL_CROSS_ENTROPY_FORWARD ||
               kernel == NN_KERNEL_CROSS_ENTROPY_HEAD || kernel == NN_KERNEL_CTC_FORWARD ||
               kernel == NN_KERNEL_RECURRENT_FORWARD || kernel == NN_KERNEL_ATTENTION_FORWARD ||
               kernel == NN_KERNEL_CACHE;
    return kernel == NN_KERNEL_GATHER || kernel == NN_KERNEL_GATHER_ELEMENTS ||
           kernel == NN_KERNEL_SCATTER_ELEMENTS;
}

/* Skips views: a user knows the node that was reshaped. */
static const nn_node *nn__status_source(const nn_node *node) {
    while (node->rule && (node->rule->flags & NN__ALIAS) && node->input_count > 0)
        node = node->inputs[0];
    return node;
}

/* Returns the limit of a step's indices. *input: which of its inputs has them. */
static int nn__status_indices(const nn__step *step, int *input) {
    const nn_gather_elements_args *gather = &step->args->gather_elements;
    const nn_scatter_elements_args *scatter = &step->args->scatter_elements;
    *input = step->node->rule->flags & NN__LAYER || step->node->input_count < 2 ? 0 : 1;
    switch (step->node->rule->kernel) {
    case NN_KERNEL_GATHER_ELEMENTS: return gather->x.shape.extent[gather->axis];
    case NN_KERNEL_SCATTER_ELEMENTS: return scatter->y.shape.extent[scatter->axis];
    default: return step->args->gather.x.shape.extent[step->args->gather.axis];
    }
}
/* Returns the position of the first index out of range, if the indices are an input in CPU memory
   that this run read. -1: all are in range; -2: unknown. */
static int64_t nn__status_wrong_index(const nn_plan *plan, const nn__step *step, uint32_t number) {
    const nn_view *index = &step->args->gather.index;
    uint32_t run = step->args->gather.step;
    int input;
    const int32_t count = nn__status_indices(step, &input), *values;
    if (step->node->rule->kernel == NN_KERNEL_GATHER_ELEMENTS) {
        index = &step->args->gather_elements.index;
        run = step->args->gather_elements.step;
    }
    if (step->node->rule->kernel == NN_KERNEL_SCATTER_ELEMENTS) {
        index = &step->args->scatter_elements.index;
        run = step->args->scatter_elements.step;
    }
    const nn_node *source = nn__status_source(step->node->inputs[input]);
    if (run != number || plan->devices[step->device].device.kind != NN_CPU ||
        source->kind != NN__INPUT)
        return -2;
    const int given = nn__find_value(plan, source);
    /* the data may be gone: a bound tensor that was freed */
    if (given < 0 || plan->values[given].anew) return -2;
    values = (const int32_t *)(const void *)((const char *)index->handle + index->offset);
    for (int64_t i = 0; i < nn__count(index); i++)
        if (values[i] < 0 || values[i] >= count) return i;
    return -1;
}

/* Returns the step to name in the message: the first that checks for this fault and is not known to
   be right; NULL: none. *others: the number of other steps that may have caused it. */
static const nn__step *nn__status_cause(const nn_plan *plan, uint32_t fault, uint32_t number,
                                        int *others) {
    const nn__step *first = NULL;
    *others = 0;
    for (int i = 0; i < plan->step_count; i++) {
        const nn__step *step = &plan->steps[i];
        int64_t wrong = -2;
        if (!(step->node->rule->flags & NN__STATUS) ||
            !nn__status_checks(step->node->rule->kernel, fault))
            continue;
        if (fault == NN_FAULT_INDEX) wrong = nn__status_wrong_index(plan, step, number);
        if (wrong >= 0) *others = 0;
        if (wrong >= 0) return step;
        if (wrong == -1) continue;
        if (first) ++*others;
        else first = step;
    }
    return first;
}
#endif

#ifndef NN_NO_TRAINING
/* True if the word of the last run has arrived. */
static bool nn__status_arrived(const nn_plan *plan, const nn__plan_device *device) {
    const nn__open_device *open = nn__find_device(plan->nn, device->device);
    return device->fresh && !open->limits.host_memory &&
           (!device->asked || open->backend->fence_done(open->state, device->told)) &&
           device->said != NN__STATUS_UNREAD;
}
#endif

/* Finds the first fault of all devices; 0: none. A label or index out of range also makes the loss
   NaN, so that devices without the labels stop too. The label or index has the smaller code, so it
   is reported as the cause. A device is asked, and waited for, unless the word that it sent after
   the last run has arrived. */
static nn_result nn__status_first(nn_plan *plan, nn_site site, uint32_t *first) {
    *first = 0;
    for (int i = 0; i < nn__plan_devices(plan); i++) {
        const nn__plan_device *device = &plan->devices[i];
        uint32_t word = 0;
        nn_view view;
        if (!device->uses_status) continue;
#ifndef NN_NO_TRAINING
        if (nn__status_arrived(plan, device)) {
            if (device->said && (*first == 0 || device->said < *first)) *first = device->said;
            continue;
        }
#endif
        nn__status_view(device, &view);
        nn_result result =
            nn__download(plan->nn, device->device, &view, &word, sizeof word, "status", site);
        if (result < 0) return result;
        if (word && (*first == 0 || word < *first)) *first = word;
    }
    return NN_OK;
}

#ifndef NN_NO_REPORTS
static nn_result nn__status_fail_index(nn_plan *plan, const nn__step *step, int others,
                                       unsigned number, nn_site site, const char *who,
                                       const char *again) {
    const nn_node *node = step ? step->node : NULL;
    int input = 0;
    const int count = step ? nn__status_indices(step, &input) : 0;
    return nn__fail_at(
        plan->nn, site, NN_ERROR_INDEX,
        "%s: step %u: an index is out of range: %s \"%s\" wants those of \"%s\" to be in "
        "[0, %d)%s%s",
        who, number, node ? node->operation : "", node ? node->name : "",
        node ? nn__status_source(node->inputs[input])->name : "", count,
        others ? "; or an index of another operation in the step is wrong" : "",
        again);
}
#endif

#ifndef NN_NO_REPORTS
/* Reports wrong lengths: those of a recurrent layer (its only i32 input), or those of attention
   (key lengths, query positions, first keys). */
static nn_result nn__status_fail_lengths(nn_plan *plan, const nn__step *step, const char *or_other,
                                         unsigned number, nn_site site, const char *who,
                                         const char *again) {
    const nn_node *node = step->node;
    const nn_attention_args *attention = &step->args->attention_forward;
    const bool attends = node->rule->kernel == NN_KERNEL_ATTENTION_FORWARD;
    char names[300];
    nn_text out;
    const nn_writer writer = nn__write_into(&out, names, sizeof names);
    for (int i = 1; i < node->input_count; i++)
        if (node->inputs[i]->dtype == NN_I32)
            nn__print(&writer, "%s\"%s\"", names[0] ? " and " : "",
                      nn__status_source(node->inputs[i])->name);
    return nn__fail_at(
        plan->nn, site, NN_ERROR_LABEL,
        "%s: step %u: a length is out of range: \"%s\" wants those of %s to be in [0, %d]%s%s", who,
        number, node->name, names,
        attends ? (int)attention->k.shape.extent[attention->heads_inside ? 1 : 2]
                : (int)step->args->recurrent_forward.x.shape.extent[1],
        or_other, again);
}
#endif

#ifndef NN_NO_REPORTS
/* Returns the number of rows of a sample's head in a view of a cache's arguments. */
static int32_t nn__cache_rows(const nn_view *view, const nn__step *step) {
    return view->shape.extent[step->args->cache.heads_inside ? 1 : 2];
}
#endif

#ifndef NN_NO_REPORTS
/* Reports wrong class labels. If a sample has several, as in a text, some may be padding. */
static nn_result nn__status_fail_labels(nn_plan *plan, const nn__step *step, const char *or_other,
                                        unsigned number, nn_site site, const char *who,
                                        const char *again) {
    const nn_cross_entropy_args *args = &step->args->cross_entropy_forward;
    const nn_node *label = nn__status_source(step->node->inputs[1]);
    char ignored[32] = "";
    if (args->ignore) nn__format(ignored, sizeof ignored, " or be %d", (int)args->ignore_index);
    return nn__fail_at(
        plan->nn, site, NN_ERROR_LABEL,
        "%s: step %u: a label is out of range: labels in \"%s\" must be in [0, %d)%s%s%s%s", who,
        number, label->name, step->node->inputs[0]->shape.extent[1], ignored,
        !args->ignore && label->shape.rank > 1
            ? "; if it stands for padding that must not count, set .ignore = true and "
              ".ignore_index"
            : "",
        or_other, again);
}
#endif

/* Reports the error that a status word stands for. */
static nn_result nn__status_fail(nn_plan *plan, uint32_t word, nn_site site, const char *who) {
    const uint32_t fault = word & 7u;
#ifdef NN_NO_REPORTS
    (void)site, (void)who;
    return nn__fail_code(plan->nn, fault == NN_FAULT_LABEL   ? NN_ERROR_LABEL
                                   : fault == NN_FAULT_INDEX ? NN_ERROR_INDEX
                                                             : NN_ERROR_NAN);
#else
    int others;
    const nn__step *step = nn__status_cause(plan, fault, word >> 3, &others);
    const nn_node *node = step ? step->node : NULL;
    const unsigned number = (unsigned)(word >> 3);
    const char *again =
        plan->training ? "; nothing has been updated since; call nn_clear_fault(trainer)" : "";
    if (fault == NN_FAULT_LOSS)
        return nn__fail_at(plan->nn, site, NN_ERROR_NAN,
                           "%s: step %u: the loss is NaN or infinite%s", who, number, again);
    if (fault == NN_FAULT_INDEX)
        return nn__status_fail_index(plan, step, others, number, site, who, again);
    const char *or_other =
        others ? "; or a label or length of another operation in the step is wrong" : "";
    if (node && (node->rule->kernel == NN_KERNEL_RECURRENT_FORWARD ||
                 node->rule->kernel == NN_KERNEL_ATTENTION_FORWARD))
        return nn__status_fail_lengths(plan, step, or_other, number, site, who, again);
    if (node && node->rule->kernel == NN_KERNEL_CACHE)
        return nn__fail_at(
            plan->nn, site, NN_ERROR_LABEL,
            "%s: step %u: a position is out of range: \"%s\" has %d positions, and each of "
            "\"%s\" must be at least 0 and leave room for the %d of the run; nothing was "
            "written%s%s",
            who, number, node->name, (int)nn__cache_rows(&step->args->cache.y, step),
            nn__status_source(node->inputs[1])->name,
            (int)nn__cache_rows(&step->args->cache.x, step), or_other, again);
    if (!node)
        return nn__fail_at(plan->nn, site, NN_ERROR_LABEL, "%s: step %u: a label is out of range%s",
                           who, number, again);
    if (node->rule->kernel == NN_KERNEL_CTC_FORWARD)
        return nn__fail_at(
            plan->nn, site, NN_ERROR_LABEL,
            "%s: step %u: a label is out of range: targets in \"%s\" must be in [0, %d) and not "
            "the blank %d, \"%s\" at most %d rows, \"%s\" at most %d targets%s%s",
            who, number, node->inputs[1]->name, node->inputs[0]->shape.extent[2],
            (int)step->args->ctc_forward.blank, node->inputs[2]->name,
            (int)step->args->ctc_forward.log_probabilities.shape.extent[0], node->inputs[3]->name,
            (int)node->inputs[1]->shape.extent[1], or_other, again);
    return nn__status_fail_labels(plan, step, or_other, number, site, who, again);
#endif
}

NN_PRIVATE nn_result nn__read_status(nn_plan *plan, nn_site site, const char *what) {
    uint32_t word;
    nn_result result = nn__status_first(plan, site, &word);
#ifndef NN_NO_TRAINING
    if (word == 0) word = plan->fault; /* the plan was made anew since the fault */
#endif
    if (result < 0 || word == 0) return result;
    return nn__status_fail(plan, word, site, what);
}

#ifndef NN_NO_TRAINING
NN_PRIVATE nn_result nn__weight_cache_fault(nn_plan *plan, nn_site site) {
    uint32_t word;
    nn_result result = nn__status_first(plan, site, &word);
    if (result >= 0 && word && (!plan->fault || word < plan->fault)) plan->fault = word;
    return result;
}

/* Returns the first fault that is known without waiting for a device. */
static uint32_t nn__status_poll(nn_plan *plan) {
    for (int i = 0; i < nn__plan_devices(plan); i++) {
        nn__plan_device *device = &plan->devices[i];
        const nn__open_device *open = nn__find_device(plan->nn, device->device);
        if (!device->asked || !open || !open->backend->fence_done(open->state, device->told))
            continue;
        device->asked = false;
        if (device->said == NN__STATUS_UNREAD) continue; /* the driver failed; reports ask again */
        if (device->said && (!plan->fault || device->said < plan->fault))
            plan->fault = device->said;
    }
    return plan->fault;
}

/* Requests the status words after the step just given to the devices. With host memory nothing
   crosses. If the program limits crossings, no word is sent, because that would use up the limit;
   then only reports find faults. */
static nn_result nn__status_ask(nn_plan *plan, nn_site site) {
    nn_context *nn = plan->nn;
    for (int i = 0; i < nn__plan_devices(plan); i++) {
        nn__plan_device *device = &plan->devices[i];
        const nn__open_device *open = nn__find_device(nn, device->device);
        const bool crosses = !open->limits.host_memory;
        nn_view view;
        device->fresh = false; /* a word in flight belongs to an earlier run */
        if (!device->uses_status || device->asked || (crosses && !plan->training)) continue;
        if (crosses && nn->ledger.guard &&
            (nn->ledger.limits.download_bytes || nn->ledger.limits.crossings))
            continue;
        if (crosses) nn__ledger_ask(nn, NN_CROSS_DOWNLOAD, sizeof device->said, "status", site);
        nn__status_view(device, &view);
        memset(&device->told, 0, sizeof device->told);
        device->told.device = device->device;
        device->said = NN__STATUS_UNREAD;
        nn_result result =
            open->backend->download(open->state, view.handle, view.offset, &device->said,
                                    sizeof device->said, &device->told);
        if (result < 0)
            return nn__fail_at(nn, site, result, "reading the status word of %s: %s",
                               open->limits.name, nn_result_text(result));
        device->asked = device->fresh = true;
        if (!crosses) continue;
#ifndef NN_NO_REPORTS
        nn->ledger.fence = device->told;
#endif
        nn__ledger_add(nn, NN_CROSS_DOWNLOAD, NN_WAY_COPIED, device->device, nn_cpu(),
                       sizeof device->said, sizeof device->said, "status", site);
    }
    return NN_OK;
}
#endif

#ifndef NN_NO_TRAINING
/* Reports a known fault. If there are several devices, another one may know the cause, so all
   are asked. */
static nn_result nn__status_fail_known(nn_plan *plan, uint32_t word, nn_site site,
                                       const char *who) {
    uint32_t first = 0;
    if (plan->device_count > 1 && nn__status_first(plan, site, &first) >= 0 && first &&
        first < word) {
        word = first;
        if (plan->training) plan->fault = first;
    }
    return nn__status_fail(plan, word, site, who);
}
#endif

/* A trainer stops after a known fault; see nn_clear_fault. */
NN_PRIVATE nn_result nn__known_fault(nn_plan *plan, nn_site site, const char *who) {
#ifndef NN_NO_TRAINING
    uint32_t word = plan->training ? nn__status_poll(plan) : 0;
    if (word) return nn__status_fail_known(plan, word, site, who);
#else
    (void)plan, (void)site, (void)who;
#endif
    return NN_OK;
}

/* Returns the fault of the run just given to the devices, if it is known already. An evaluation is
   checked once for the whole epoch, by nn_evaluate. */
NN_PRIVATE nn_result nn__run_fault(nn_plan *plan, nn_site site, const char *who) {
#ifndef NN_NO_TRAINING
    nn_result result = plan->tape && !plan->training ? NN_OK : nn__status_ask(plan, site);
    uint32_t word = result < 0 ? 0 : nn__status_poll(plan);
    if (!plan->tape) plan->fault = 0;
    return word ? nn__status_fail_known(plan, word, site, who) : result;
#else
    (void)plan, (void)site, (void)who;
    return NN_OK;
#endif
}

NN_PRIVATE nn_result nn__clear_status(nn_plan *plan) {
#ifndef NN_NO_TRAINING
    plan->fault = 0;
#endif
    for (int i = 0; i < nn__plan_devices(plan); i++) {
        const nn__plan_device *device = &plan->devices[i];
        const nn__open_device *open = nn__find_device(plan->nn, device->device);
        if (!device->uses_status) continue;
#ifndef NN_NO_TRAINING
        plan->devices[i].asked = false; /* a word in flight is older than this call */
        plan->devices[i].fresh = false;
#endif
        nn_view view;
        nn__status_view(device, &view);
        nn_result result =
            open->backend->fill(open->state, view.handle, view.offset, sizeof(uint32_t), 0);
        if (result < 0)
            return nn__fail(plan->nn, result, "%s could not clear its status word",
                            open->limits.name);
    }
    return NN_OK;
}

#undef NN__STATUS_UNREAD
