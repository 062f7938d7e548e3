/* plan/trace.c - writes a profile as a trace for chrome://tracing and Perfetto: one line for each
   step, crossing and call, in the host's time. */
#include "plan/recording.h"

#ifndef NN_NO_REPORTS

typedef struct nn__trace {
    nn_plan *plan;
    const nn__profile *profile;
    const nn_writer *writer;
    uint64_t zero; /* host time of the first event */
    bool more;     /* an event was written, so a comma comes first */
    bool group;    /* there are exchanges with other ranks */
} nn__trace;

static void nn__trace_json(const nn_writer *writer, const char *text) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 32)
            nn__print(writer, "\\u%04x", (unsigned)c);
        else
            nn__print(writer, c == '"' || c == '\\' ? "\\%c" : "%c", c);
    }
}

/* Converts a time to the host's clock. */
static uint64_t nn__trace_host_time(const nn__profile *profile, const nn__profile_event *event,
                                    uint64_t time) {
    return event->by_device ? (uint64_t)((int64_t)time + profile->devices[event->on].ahead) : time;
}

static int nn__trace_process(const nn__profile_event *event) {
    return event->track >= NN__PROFILE_HOST ? 0 : event->on + 1;
}

static void nn__trace_begin_event(nn__trace *trace, const char *kind) {
    nn__print(trace->writer, "%s{\"ph\":\"%s\"", trace->more ? ",\n" : "", kind);
    trace->more = true;
}

static void nn__trace_write_times(nn__trace *trace, const nn__profile_event *event) {
    uint64_t start = nn__trace_host_time(trace->profile, event, event->start) - trace->zero;
    uint64_t took = event->end - event->start;
    nn__print(trace->writer, ",\"pid\":%d,\"tid\":%d,\"ts\":%llu.%03u,\"dur\":%llu.%03u",
              nn__trace_process(event), (int)event->track, (unsigned long long)(start / 1000),
              (unsigned)(start % 1000), (unsigned long long)(took / 1000), (unsigned)(took % 1000));
}

static void nn__trace_write_event(nn__trace *trace, const nn__profile_event *event) {
    nn__trace_begin_event(trace, "X");
    nn__trace_write_times(trace, event);
    if (event->step < 0) {
        nn__print(trace->writer, ",\"cat\":\"host\",\"name\":\"nn_run\"}");
        return;
    }
    nn_profile_entry entry = nn_profile_at(trace->plan, event->step);
    nn__print(trace->writer, ",\"cat\":\"step\",\"name\":\"");
    nn__trace_json(trace->writer, entry.operation);
    nn__print(trace->writer, "\",\"args\":{\"step\":%d,\"result\":\"", (int)event->step + 1);
    nn__trace_json(trace->writer, entry.name);
    nn__print(trace->writer, "\"}}");
}

static void nn__trace_write_crossing(nn__trace *trace, const nn__profile_crossing *crossing) {
    char from[16], to[16];
    nn__trace_begin_event(trace, "X");
    nn__trace_write_times(trace, &crossing->event);
    nn__print(trace->writer, ",\"cat\":\"crossing\",\"name\":\"");
    nn__trace_json(trace->writer, crossing->tensor);
    nn__print(trace->writer, "\",\"args\":{\"from\":\"%s\",\"to\":\"%s\",\"bytes\":%llu}}",
              nn_format_device(crossing->from, from, sizeof from),
              nn_format_device(crossing->to, to, sizeof to), (unsigned long long)crossing->bytes);
}

static void nn__trace_name(nn__trace *trace, const char *what, int process, int thread,
                             const char *name) {
    nn__trace_begin_event(trace, "M");
    nn__print(trace->writer, ",\"pid\":%d,\"tid\":%d,\"name\":\"%s\",\"args\":{\"name\":\"",
              process, thread, what);
    nn__trace_json(trace->writer, name);
    nn__print(trace->writer, "\"}}");
}

/* Names the tracks that have events. */
static void nn__trace_name_tracks(nn__trace *trace, const uint8_t *used) {
    static const char *const queues[] = {"compute queue", "copy queue", "transfers"};
    const nn_context *nn = trace->plan->nn;
    nn__trace_name(trace, "process_name", 0, NN__PROFILE_HOST, "host");
    nn__trace_name(trace, "thread_name", 0, NN__PROFILE_HOST, "nn_run");
    if (trace->group) nn__trace_name(trace, "thread_name", 0, NN__PROFILE_GROUP, "group");
    for (int i = 0; i < nn->device_count; i++) {
        char device[16], text[16 + NN_NAME_BYTES];
        if (!used[i]) continue;
        nn_format_device(nn->devices[i].device, device, sizeof device);
        nn__format(text, sizeof text, "%s: %s", device, nn->devices[i].limits.name);
        nn__trace_name(trace, "process_name", i + 1, 0, text);
        for (int track = 0; track < NN__PROFILE_HOST; track++)
            if (used[i] >> track & 1)
                nn__trace_name(trace, "thread_name", i + 1, track,
                                 track == NN__PROFILE_QUEUE && nn->devices[i].device.kind == NN_CPU
                                     ? "kernels"
                                     : queues[track]);
    }
}

static uint64_t nn__trace_kept(uint64_t count, uint64_t most) {
    return count < most ? count : most;
}

NN_API void nn_write_trace(nn_plan *plan, nn_writer writer) {
    nn__trace trace;
    uint8_t used[NN_MAX_DEVICES];
    uint64_t events, crossings;
    if (nn__plan_gone(plan, nn__no_site(), "nn_write_trace")) return;
    nn_profile_count(plan);
    memset(&trace, 0, sizeof trace);
    memset(used, 0, sizeof used);
    trace.plan = plan;
    trace.profile = nn__profile_of(plan);
    trace.writer = &writer;
    trace.zero = UINT64_MAX;
    if (!trace.profile) {
        nn__print(&writer, "{\"traceEvents\":[]}\n");
        return;
    }
    events = nn__trace_kept(trace.profile->event_count, NN__PROFILE_EVENTS);
    crossings = nn__trace_kept(trace.profile->crossing_count, NN__PROFILE_CROSSINGS);
    for (uint64_t i = 0; i < events + crossings; i++) {
        const nn__profile_event *event =
            i < events ? &trace.profile->events[i] : &trace.profile->crossings[i - events].event;
        uint64_t start = nn__trace_host_time(trace.profile, event, event->start);
        if (start < trace.zero) trace.zero = start;
        if (event->track == NN__PROFILE_GROUP) trace.group = true;
        if (event->track < NN__PROFILE_HOST)
            used[event->on] = (uint8_t)(used[event->on] | 1u << event->track);
    }
    nn__print(&writer, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"model\":\"");
    nn__trace_json(&writer, plan->net->name);
    nn__print(&writer, "\",\"left_out\":%llu},\n\"traceEvents\":[\n",
              (unsigned long long)(trace.profile->event_count - events +
                                   trace.profile->crossing_count - crossings));
    nn__trace_name_tracks(&trace, used);
    for (uint64_t i = 0; i < events; i++) nn__trace_write_event(&trace, &trace.profile->events[i]);
    for (uint64_t i = 0; i < crossings; i++)
        nn__trace_write_crossing(&trace, &trace.profile->crossings[i]);
    nn__print(&writer, "\n]}\n");
}

#else

NN_API void nn_write_trace(nn_plan *plan, nn_writer writer) {
    (void)plan;
    (void)writer;
}

#endif
