/* plan/profile.c - measures where the time of a plan's runs goes, and writes it as a table. The
   host does not wait for a device. It enqueues marks with the work, and reads their times when a
   device would soon discard them, or when the profile is read. */
#include "plan/recording.h"

#ifndef NN_NO_REPORTS

static size_t nn__profile_bytes(int rows) {
    return sizeof(nn__profile) + sizeof(nn__profile_row) * (size_t)rows;
}

/* ---- recording ------------------------------------------------------------------------------- */

static void nn__profile_keep(nn__profile *profile, const nn__profile_event *event) {
    profile->events[profile->event_count++ % NN__PROFILE_EVENTS] = *event;
}

/* Adds a piece of a step's work. known: its times are known. */
static void nn__profile_count_piece(nn__profile *profile, const nn__profile_event *event,
                                    bool known) {
    nn__profile_row *row = &profile->row[event->step];
    nn__profile_device *device = &profile->devices[event->on];
    row->pieces++;
    if (!known) {
        row->unknown++;
        device->unknown = true;
        return;
    }
    row->nanoseconds += event->end - event->start;
    nn__profile_keep(profile, event);
    if (event->track != NN__PROFILE_QUEUE) return;
    device->busy += event->end - event->start;
    if (device->last == 0 || event->start < device->first) device->first = event->start;
    if (event->end > device->last) device->last = event->end;
}

/* Waits for the oldest mark and reads its times. */
static void nn__profile_take(nn__profile *profile) {
    nn__profile_pending *pending = &profile->pending[profile->pending_first];
    nn__profile_event *event = &pending->event;
    nn__profile_device *device = &profile->devices[event->on];
    const nn__open_device *on = &profile->nn->devices[event->on];
    bool known = on->backend->fence_wait(on->state, pending->fence) >= 0 &&
                 on->backend->span(on->state, pending->fence, &event->start, &event->end);
    profile->pending_first = (profile->pending_first + 1) % NN__PROFILE_PENDING;
    profile->pending_count--;
    event->by_device = true;
    if (known) {
        int64_t ahead = (int64_t)(pending->begun - event->start);
        if (!device->aligned || ahead > device->ahead) device->ahead = ahead;
        device->aligned = true;
    }
    if (pending->crossing == 0)
        nn__profile_count_piece(profile, event, known);
    else if (known && profile->crossing_count - pending->crossing < NN__PROFILE_CROSSINGS)
        profile->crossings[(pending->crossing - 1) % NN__PROFILE_CROSSINGS].event = *event;
}

static void nn__profile_take_all(nn__profile *profile) {
    while (profile->pending_count > 0) nn__profile_take(profile);
}

/* True if the device may soon discard a mark that was not read yet. */
static bool nn__profile_may_lose_mark(const nn__profile *profile, int on, nn_fence newest) {
    for (int i = 0; i < profile->pending_count; i++) {
        const nn__profile_pending *pending =
            &profile->pending[(profile->pending_first + i) % NN__PROFILE_PENDING];
        if (pending->event.on == on &&
            newest.value - pending->fence.value + 2 >= NN__PROFILE_BEHIND)
            return true;
    }
    return false;
}

static nn__profile *nn__profile_watching(nn__watch *watch) {
    return (nn__profile *)(void *)((char *)watch - offsetof(nn__profile, watch));
}

/* Stores a mark to be read later. Makes room by reading old marks, also those of other profiled
   plans. */
static void nn__profile_wait_later(nn__profile *profile, const nn__profile_event *event,
                                   nn_fence fence, uint64_t begun, uint64_t crossing) {
    nn__profile_pending *pending;
    for (nn__watch *watch = profile->nn->ledger.watches; watch; watch = watch->next) {
        nn__profile *other = nn__profile_watching(watch);
        while (nn__profile_may_lose_mark(other, event->on, fence)) nn__profile_take(other);
    }
    if (profile->pending_count == NN__PROFILE_PENDING) nn__profile_take(profile);
    pending =
        &profile
             ->pending[(profile->pending_first + profile->pending_count++) % NN__PROFILE_PENDING];
    pending->event = *event;
    pending->fence = fence;
    pending->begun = begun;
    pending->crossing = crossing;
}

static bool nn__profile_marks(const nn__open_device *on) {
    return on->backend->mark != NULL && on->backend->span != NULL;
}

/* True if the step crosses devices. It blocks the host, so the host's clock times it. */
static bool nn__profile_crosses(const nn_node *node) {
    return (node->rule->flags & NN__TRANSFER) &&
           !nn_same_device(node->device, node->inputs[0]->device);
}

static nn__profile_event nn__profile_event_of(nn_context *nn, const nn_node *node, int step) {
    nn__profile_event event;
    const nn__open_device *on = nn__find_device(nn, node->device);
    bool crosses = nn__profile_crosses(node);
    if (crosses && on->limits.host_memory) on = nn__find_device(nn, node->inputs[0]->device);
    memset(&event, 0, sizeof event);
    event.step = step;
    event.on = (int8_t)(on - nn->devices);
    event.track = (int8_t)(crosses ? NN__PROFILE_TRANSFER : NN__PROFILE_QUEUE);
    return event;
}

static void nn__profile_step_starts(nn_plan *plan, nn__profile *profile) {
    const nn_node *node = plan->steps[plan->step].node;
    const nn__open_device *on = nn__find_device(plan->nn, node->device);
    profile->step = plan->step;
    profile->in_step = true;
    profile->begun = nn__now(&plan->nn->clock);
    if (nn__profile_marks(on) && !nn__profile_crosses(node)) on->backend->mark(on->state, NULL);
}

static void nn__profile_count_step(nn_plan *plan, const nn__step *step, nn__profile_row *row) {
    row->flops += nn__step_flops(plan, step);
    for (int i = 0; i < step->node->input_count; i++)
        row->bytes += (double)nn__bytes(&plan->values[step->inputs[i]].view);
    if (step->output >= 0) row->bytes += (double)nn__bytes(&plan->values[step->output].view);
    for (int k = 0; k < NN__MAX_OUTPUTS - 1; k++)
        if (step->more[k] >= 0) row->bytes += (double)nn__bytes(&plan->values[step->more[k]].view);
}

/* Counts all steps of a chain in the row of its first step. */
static void nn__profile_count_call(nn_plan *plan, nn__profile *profile) {
    const nn__step *step = &plan->steps[profile->step];
    nn__profile_row *row = &profile->row[profile->step];
    row->calls++;
    for (int i = 0; i < nn__chain_length(plan, step); i++)
        nn__profile_count_step(plan, &step[i], row);
}

static void nn__profile_step_ends(nn_plan *plan, nn__profile *profile, bool failed) {
    const nn_node *node = plan->steps[profile->step].node;
    const nn__open_device *on = nn__find_device(plan->nn, node->device);
    bool marks = nn__profile_marks(on) && !nn__profile_crosses(node);
    nn__profile_event event = nn__profile_event_of(plan->nn, node, profile->step);
    nn_fence fence;
    memset(&fence, 0, sizeof fence);
    profile->in_step = false;
    event.start = profile->begun;
    event.end = nn__now(&plan->nn->clock);
    if (marks && on->backend->mark(on->state, &fence) < 0) fence.value = 0;
    if (failed) return;
    if (plan->step != profile->step) nn__profile_count_call(plan, profile);
    if (!marks)
        nn__profile_count_piece(profile, &event, plan->nn->clock.now != NULL);
    else if (fence.value == 0)
        nn__profile_count_piece(profile, &event, false);
    else
        nn__profile_wait_later(profile, &event, fence, profile->begun, 0);
}

static void nn__profile_run_ends(nn_plan *plan, nn__profile *profile) {
    nn__profile_event event;
    memset(&event, 0, sizeof event);
    event.step = -1;
    event.track = NN__PROFILE_HOST;
    event.start = profile->run_begun;
    event.end = nn__now(&plan->nn->clock);
    if (plan->ran) profile->runs++;
    profile->run_nanoseconds += event.end - event.start;
    if (plan->nn->clock.now) nn__profile_keep(profile, &event);
}

static void nn__profile_tell(nn_plan *plan, nn__run_moment moment) {
    nn__profile *profile = nn__profile_of(plan);
    switch (moment) {
    case NN__RUN_STARTS: profile->run_begun = nn__now(&plan->nn->clock); break;
    case NN__STEP_STARTS: nn__profile_step_starts(plan, profile); break;
    case NN__STEP_ENDS: nn__profile_step_ends(plan, profile, false); break;
    case NN__STEP_FAILS: nn__profile_step_ends(plan, profile, true); break;
    case NN__RUN_ENDS: nn__profile_run_ends(plan, profile); break;
    }
}

/* Converts times of nn__system_now to the context's clock. That clock may be the program's own,
   which only this thread may call. */
static void nn__profile_add_span(nn_plan *plan, const char *what, uint64_t begun, uint64_t ended,
                                 uint64_t bytes) {
    nn__profile *profile = nn__profile_of(plan);
    nn__profile_crossing *crossing;
    const uint64_t ahead = nn__now(&plan->nn->clock) - nn__system_now();
    if (!plan->nn->clock.now) return;
    crossing = &profile->crossings[profile->crossing_count++ % NN__PROFILE_CROSSINGS];
    memset(crossing, 0, sizeof *crossing);
    crossing->event.step = -1;
    crossing->event.track = NN__PROFILE_GROUP;
    crossing->event.start = begun + ahead;
    crossing->event.end = ended + ahead;
    crossing->from = crossing->to = nn_cpu();
    crossing->bytes = bytes;
    nn__copy_text(crossing->tensor, sizeof crossing->tensor, what);
}

/* Records crossings outside of steps: a loader's batches, reports, weights. */
static void nn__profile_watch(nn__watch *watch, nn_context *nn, const nn_ledger_entry *crossed,
                              const nn_fence *fence) {
    nn__profile *profile = nn__profile_watching(watch);
    nn__profile_crossing *crossing;
    const nn__open_device *to, *on;
    if (profile->in_step || !nn->clock.now) return;
    if (!crossed) {
        profile->crossing_begun = nn__now(&nn->clock);
        return;
    }
    to = nn__find_device(nn, crossed->to);
    on = to->limits.host_memory ? nn__find_device(nn, crossed->from) : to;
    crossing = &profile->crossings[profile->crossing_count++ % NN__PROFILE_CROSSINGS];
    memset(crossing, 0, sizeof *crossing);
    crossing->event.step = -1;
    crossing->event.track = (int8_t)(fence->value ? NN__PROFILE_COPY : NN__PROFILE_TRANSFER);
    crossing->event.on = (int8_t)(on - nn->devices);
    crossing->event.start = profile->crossing_begun;
    crossing->event.end = nn__now(&nn->clock);
    crossing->from = crossed->from;
    crossing->to = crossed->to;
    crossing->bytes = crossed->logical_bytes;
    nn__copy_text(crossing->tensor, sizeof crossing->tensor, crossed->tensor);
    if (fence->value && nn__profile_marks(to))
        nn__profile_wait_later(profile, &crossing->event, *fence, crossing->event.start,
                               profile->crossing_count);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

static void nn__inside_stop_profile(nn_plan *plan) {
    nn__profile *profile = nn__profile_of(plan);
    nn__watch **link;
    if (!profile && nn__plan_gone(plan, nn__no_site(), "nn_stop_profile")) return;
    if (!profile) return;
    link = &plan->nn->ledger.watches;
    while (*link && *link != &profile->watch) link = &(*link)->next;
    if (*link) *link = profile->watch.next;
    plan->profiler = NULL;
    nn__release(&plan->nn->memory, profile, nn__profile_bytes(profile->rows));
}

NN_API void nn_stop_profile(nn_plan *plan) {
    nn_context *nn = plan ? plan->nn : NULL;
    if (!nn__enter(nn, "nn_stop_profile", nn_make_site(NULL, 0))) return;
    nn__inside_stop_profile(plan);
    nn__leave(nn, NN_OK);
}

static nn_result nn__inside_start_profile(nn_site site, nn_plan *plan) {
    nn__profile *profile;
    if (nn__plan_gone(plan, site, "nn_start_profile")) return NN_ERROR_ARGUMENT;
    if (plan->running)
        return nn__fail_at(
            plan->nn, site, NN_ERROR_ARGUMENT,
            "nn_start_profile: a run in slices is under way; call nn_run_for until it is done");
    profile = (nn__profile *)nn__allocate_for(plan->nn, "nn_start_profile",
                                              nn__profile_bytes(plan->step_count));
    if (!profile) return NN_ERROR_MEMORY;
    nn_stop_profile(plan);
    profile->profiler.tell = nn__profile_tell;
    profile->profiler.beside = nn__profile_add_span;
    profile->profiler.stop = nn_stop_profile;
    profile->nn = plan->nn;
    profile->rows = plan->step_count;
    profile->watch.tell = nn__profile_watch;
    profile->watch.next = plan->nn->ledger.watches;
    plan->nn->ledger.watches = &profile->watch;
    plan->profiler = &profile->profiler;
    return NN_OK;
}

NN_API nn_result nn_start_profile_at(nn_site site, nn_plan *plan) {
    return NN__ALONE(plan ? plan->nn : NULL, "nn_start_profile", site,
                     nn__inside_start_profile(site, plan));
}

/* ---- the table ------------------------------------------------------------------------------- */

NN_API int nn_profile_count(nn_plan *plan) {
    nn__profile *profile = nn__profile_of(plan);
    if (nn__plan_gone(plan, nn__no_site(), "nn_profile_count") || !profile) return 0;
    nn__profile_take_all(profile);
    return profile->rows;
}

NN_API nn_profile_entry nn_profile_at(const nn_plan *plan, int i) {
    const nn__profile *profile = nn__profile_of(plan);
    nn_profile_entry entry;
    memset(&entry, 0, sizeof entry);
    if (nn__plan_gone(plan, nn__no_site(), "nn_profile_at") || !profile || i < 0 ||
        i >= profile->rows)
        return entry;
    const nn__step *step = &plan->steps[i];
    const nn__profile_row *row = &profile->row[i];
    const nn_node *result = step->output >= 0 ? plan->values[step->output].node : step->node;
    nn__join_text(entry.operation, sizeof entry.operation, step->node->rule->name,
                  step->fused ? "+" : "", step->fused ? step->fused->rule->name : "");
    if (row->calls && nn__chain_length(plan, step) > 1)
        nn__format(entry.operation, sizeof entry.operation, "%s and %d more",
                   step->node->rule->name, nn__chain_length(plan, step) - 1);
    nn__copy_text(entry.name, sizeof entry.name, result->name);
    entry.device = step->node->device;
    entry.calls = row->calls;
    entry.timed = row->pieces > 0 && row->unknown == 0;
    entry.nanoseconds = entry.timed ? row->nanoseconds : 0;
    entry.flops = row->flops;
    entry.bytes = row->bytes;
    return entry;
}

/* Formats a number; "-" if it is not known. */
static const char *nn__profile_number(char *text, size_t size, bool known, double value) {
    if (known)
        nn__format(text, size, "%.1f", value);
    else
        nn__copy_text(text, size, "-");
    return text;
}

static void nn__profile_line(const nn_writer *writer, const nn_profile_entry *entry, uint64_t all) {
    char device[16], total[32], mean[32], share[32], flops[32], bytes[32];
    double time = (double)entry->nanoseconds;
    bool known = entry->timed, some = known && entry->nanoseconds > 0;
    nn__profile_number(total, sizeof total, known, time / 1e3);
    nn__profile_number(mean, sizeof mean, known && entry->calls, time / 1e3 / (double)entry->calls);
    nn__profile_number(share, sizeof share, known && all, 100 * time / (double)all);
    nn__profile_number(flops, sizeof flops, some, entry->flops / time);
    nn__profile_number(bytes, sizeof bytes, some, entry->bytes / time);
    nn__print(writer, "  %-26s %-28s %-10s %8llu %12s %10s %6s %9s %8s\n", entry->operation,
              entry->name,
              entry->name[0] ? nn_format_device(entry->device, device, sizeof device) : "",
              (unsigned long long)entry->calls, total, mean, share, flops, bytes);
}

/* Returns the slowest row that was not written yet. Rows with equal times come in the order of
   steps. -1: none. */
static int nn__profile_next(const nn__profile *profile, int last) {
    int next = -1;
    for (int i = 0; i < profile->rows; i++) {
        uint64_t time = profile->row[i].nanoseconds;
        if (last >= 0 && (time > profile->row[last].nanoseconds ||
                          (time == profile->row[last].nanoseconds && i <= last)))
            continue;
        if (next < 0 || time > profile->row[next].nanoseconds) next = i;
    }
    return next;
}

static void nn__profile_devices(const nn_plan *plan, const nn__profile *profile,
                                const nn_writer *writer) {
    char name[16];
    for (int i = 0; i < plan->device_count; i++) {
        const nn__open_device *on = nn__find_device(plan->nn, plan->devices[i].device);
        const nn__profile_device *device = &profile->devices[on ? on - plan->nn->devices : 0];
        if (!on) continue;
        nn_format_device(on->device, name, sizeof name);
        if (device->last > 0)
            nn__print(writer, "  on %s: %.1f us in steps, %.1f us between them\n", name,
                      (double)device->busy / 1e3,
                      (double)(device->last - device->first) / 1e3 - (double)device->busy / 1e3);
        else if (device->unknown)
            nn__print(writer, "  on %s: no times; %s\n", name, nn__how_to_time(on->device.kind));
    }
}

NN_API void nn_write_profile(nn_plan *plan, nn_writer writer) {
    if (nn__plan_gone(plan, nn__no_site(), "nn_write_profile")) return;
    int rows = nn_profile_count(plan);
    const nn__profile *profile = nn__profile_of(plan);
    nn_profile_entry all;
    if (!profile) {
        nn__print(&writer, "no profile: call nn_start_profile(plan) before the runs\n");
        return;
    }
    memset(&all, 0, sizeof all);
    for (int i = 0; i < rows; i++) {
        nn_profile_entry entry = nn_profile_at(plan, i);
        all.calls += entry.calls;
        all.nanoseconds += entry.nanoseconds;
        all.timed = all.timed || entry.timed;
        if (!entry.timed) continue;
        all.flops += entry.flops;
        all.bytes += entry.bytes;
    }
    nn__copy_text(all.operation, sizeof all.operation, "together");
    nn__print(&writer,
              "profile of \"%s\": %llu runs\n\n  %-26s %-28s %-10s %8s %12s %10s %6s %9s %8s\n",
              plan->net->name, (unsigned long long)profile->runs, "operation", "result", "device",
              "calls", "total us", "mean us", "share", "GFLOP/s", "GB/s");
    for (int i = nn__profile_next(profile, -1); i >= 0; i = nn__profile_next(profile, i)) {
        nn_profile_entry entry = nn_profile_at(plan, i);
        nn__profile_line(&writer, &entry, all.nanoseconds);
    }
    nn__profile_line(&writer, &all, all.nanoseconds);
    nn__print(&writer, "\n");
    nn__profile_devices(plan, profile, &writer);
    if (plan->nn->clock.now)
        nn__print(&writer, "  in nn_run: %.1f us\n", (double)profile->run_nanoseconds / 1e3);
}

#else

NN_API nn_result nn_start_profile_at(nn_site site, nn_plan *plan) {
    (void)site;
    return plan ? NN_ERROR_UNSUPPORTED : NN_ERROR_ARGUMENT;
}
NN_API void nn_stop_profile(nn_plan *plan) { (void)plan; }
NN_API void nn_write_profile(nn_plan *plan, nn_writer writer) {
    (void)plan;
    (void)writer;
}
NN_API int nn_profile_count(nn_plan *plan) {
    (void)plan;
    return 0;
}
NN_API nn_profile_entry nn_profile_at(const nn_plan *plan, int i) {
    nn_profile_entry none;
    (void)plan, (void)i;
    memset(&none, 0, sizeof none);
    return none;
}

#endif
