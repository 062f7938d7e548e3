/* device/errors.c - a context's errors: the first one is kept for nn_error, each one goes to the
   log. */
#include "device/private.h"

/* ---- errors ---------------------------------------------------------------------------------- */

NN_PRIVATE const char *nn__format_site(nn_site site, char *text, size_t size) {
#if defined(NN_NO_CALL_SITES) && defined(NN_NO_REPORTS)
    (void)site;
#else
    const char *name = site.file;
    for (const char *at = site.file; at && *at; at++) {
        if (*at == '/' || *at == '\\') name = at + 1;
    }
    if (name) {
        nn__format(text, size, "%s:%d", name, site.line);
        return text;
    }
#endif
    nn__copy_text(text, size, "(unknown)");
    return text;
}

/* ---- one thread at a time -------------------------------------------------------------------- */

#ifndef NN_NO_THREADS
/* Called by the thread inside: reports that another thread was refused. */
static void nn__error_tell_refused(nn_context *nn) {
    nn__visit refused, inside;
    char site[96];
    if (!nn__busy_refused(&nn->busy, &refused, &inside)) return;
    nn__fail_at(nn, refused.site, NN_ERROR_BUSY,
                "%s: this context is inside %s at %s on another thread; one context belongs to one "
                "thread at a time",
                refused.call, inside.call ? inside.call : "another call",
                nn__format_site(inside.site, site, sizeof site));
}

NN_PRIVATE bool nn__enter(nn_context *nn, const char *call, nn_site site) {
    return !nn || nn__busy_enter(&nn->busy, call, site);
}

NN_PRIVATE nn_result nn__leave(nn_context *nn, nn_result result) {
    while (nn && !nn__busy_leave(&nn->busy, false)) nn__error_tell_refused(nn);
    return result;
}

/* Leaves after an nn__enter whose only purpose was to report an error. */
static void nn__error_left(nn_context *nn) { nn__busy_leave(&nn->busy, true); }
#else
#define nn__error_tell_refused(nn) ((void)(nn))
#define nn__error_left(nn)         ((void)(nn))
#endif

/* ---- recording ------------------------------------------------------------------------------- */

#ifndef NN_NO_REPORTS
/* Sends a text to the log and to the kept error, and inserts the call site after the function's
   name, before the first colon. */
typedef struct nn__error_message {
    nn_writer log;
    nn_text kept;
    bool keep;
    bool placed; /* the site is written, or there is none */
    const char *site;
} nn__error_message;

static void nn__error_emit(nn__error_message *message, const char *text, size_t length) {
    if (length == 0) return;
    if (message->keep) nn_write_text(&message->kept, text, length);
    if (message->log.function) message->log.function(message->log.user, text, length);
}

static void nn__error_write(void *user, const char *text, size_t length) {
    nn__error_message *message = (nn__error_message *)user;
    size_t before = 0;
    if (!message->placed) {
        while (before < length && text[before] != ':') before++;
        nn__error_emit(message, text, before);
        if (before == length) return;
        nn__error_emit(message, " at ", 4);
        nn__error_emit(message, message->site, strlen(message->site));
        message->placed = true;
    }
    nn__error_emit(message, text + before, length - before);
}

static void nn__error_record(nn_context *nn, nn_site site, nn_result code, const char *format,
                             va_list arguments) {
    nn__error_message message;
    nn_writer writer;
    char site_text[96];
    if (!nn__enter(nn, "another call", site)) return;
    memset(&message, 0, sizeof message);
    message.log = nn->log;
    message.keep = nn->error_code == NN_OK;
    message.kept.buffer = nn->error;
    message.kept.size = sizeof nn->error;
    message.placed = site.file == NULL;
    message.site = nn__format_site(site, site_text, sizeof site_text);
    if (message.keep) nn->error_code = code, nn->error_read = false;
    nn->last_code = code;
    writer.function = nn__error_write;
    writer.user = &message;
    nn__vprint(&writer, format, arguments);
    if (nn->report_code == code) nn__print(&writer, "; the device says: %s", nn->report);
    nn->report_code = NN_OK;
    if (message.log.function) message.log.function(message.log.user, "\n", 1);
    nn__error_left(nn);
}

NN_PRIVATE nn_result nn__fail(nn_context *nn, nn_result code, const char *format, ...) {
    va_list arguments;
    if (!nn) return code;
    va_start(arguments, format);
    nn__error_record(nn, nn_make_site(NULL, 0), code, format, arguments);
    va_end(arguments);
    return code;
}

NN_PRIVATE nn_result nn__fail_at(nn_context *nn, nn_site site, nn_result code, const char *format,
                                 ...) {
    va_list arguments;
    if (!nn) return code;
    va_start(arguments, format);
    nn__error_record(nn, site, code, format, arguments);
    va_end(arguments);
    return code;
}

NN_PRIVATE nn_result nn__fail_memory(nn_context *nn, const char *what, uint64_t bytes) {
    size_t available;
    if (!nn) return NN_ERROR_MEMORY;
    available = nn__available(&nn->memory);
    if (available == SIZE_MAX) {
        return nn__fail(
            nn, NN_ERROR_MEMORY,
            "%s: out of memory: %llu bytes wanted, the allocator has none (%llu in use)", what,
            (unsigned long long)bytes, (unsigned long long)nn->memory.live_bytes);
    }
    return nn__fail(nn, NN_ERROR_MEMORY,
                    "%s: out of memory: %llu bytes wanted, %llu available in one piece; "
                    "nn_desc.block has %llu bytes, %llu in use, and this wants %llu more",
                    what, (unsigned long long)bytes, (unsigned long long)available,
                    (unsigned long long)nn->memory.block_bytes,
                    (unsigned long long)nn->memory.live_bytes,
                    (unsigned long long)nn__missing(&nn->memory, bytes));
}

NN_API void nn_report_error(nn_context *nn, nn_result result, const char *text) {
    if (!nn || !text || (int)result >= 0) return;
    nn->report_code = result;
    nn__copy_text(nn->report, sizeof nn->report, text);
}

#else
NN_PRIVATE nn_result nn__fail_code(nn_context *nn, nn_result code) {
    if (!nn || !nn__enter(nn, "another call", nn_make_site(NULL, 0))) return code;
    if (nn->error_code == NN_OK) nn->error_code = code;
    nn->last_code = code;
    if (nn->log.function) {
        /* only the code: the texts of all codes would cost half a kilobyte */
        char text[] = "nn: error -00\n";
        text[11] = (char)(text[11] - (int)code / 10);
        text[12] = (char)(text[12] - (int)code % 10);
        nn->log.function(nn->log.user, text, sizeof text - 1);
    }
    nn__error_left(nn);
    return code;
}

NN_API void nn_report_error(nn_context *nn, nn_result result, const char *text) {
    (void)nn, (void)result, (void)text;
}
#endif

NN_PRIVATE bool nn__check_list(nn_context *nn, nn_site site, const char *who, const char *field,
                               const void *items, int count, bool pointers) {
    if (count < 0 || (count > 0 && !items)) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "%s: %s is a list of %d elements at %p; wanted an array and its length, as "
                    "NN_NODES, NN_TEXTS and similar macros make",
                    who, field, count, items);
        return false;
    }
    for (int i = 0; pointers && i < count; i++) {
        const void *item;
        memcpy(&item, (const char *)items + sizeof item * (size_t)i, sizeof item);
        if (item) continue;
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "%s: %s[%d] of %d is NULL; a list has a length, "
                    "and needs no NULL at its end", who, field, i, count);
        return false;
    }
    return true;
}

/* When the context closes, writes an unread error to stderr, unless there is a
   log. */
#if !defined(NN_NO_STDIO) && !defined(NN_NO_REPORTS)
static void nn__note_error_read(nn_context *nn) { nn->error_read = true; }

NN_PRIVATE void nn__tell_unread_error(const nn_context *nn) {
    static const char before[] =
        "nn: nobody asked nn_error, and nn_desc.log is empty; the first error was: ";
    if (nn->error_code == NN_OK || nn->error_read || nn->log.function) return;
    nn_write_stderr(NULL, before, sizeof before - 1);
    nn_write_stderr(NULL, nn->error, strlen(nn->error));
    nn_write_stderr(NULL, "\n", 1);
}
#else
#define nn__note_error_read(nn) ((void)0)
#endif

NN_API const char *nn_error(const nn_context *of) {
    nn_context *nn = (nn_context *)(uintptr_t)of;
    const char *text = NULL;
    if (!nn) return "no context: nn_open returned NULL";
    if (!nn__enter(nn, NULL, nn_make_site(NULL, 0))) {
        return NN__TEXT("nn_error: another thread is inside this context; one context belongs to "
                        "one thread at a time");
    }
    nn__error_tell_refused(nn);
    nn__note_error_read(nn);
#ifdef NN_NO_REPORTS
    if (nn->error_code != NN_OK) text = nn_result_text(nn->error_code);
#else
    if (nn->error_code != NN_OK) text = nn->error;
#endif
    nn__error_left(nn);
    return text;
}

NN_API nn_result nn_error_code(const nn_context *of) {
    nn_context *nn = (nn_context *)(uintptr_t)of;
    nn_result code;
    if (!nn) return NN_ERROR_ARGUMENT;
    if (!nn__enter(nn, NULL, nn_make_site(NULL, 0))) return NN_ERROR_BUSY;
    nn__error_tell_refused(nn);
    nn__note_error_read(nn);
    code = nn->error_code;
    nn__error_left(nn);
    return code;
}

NN_API void nn_clear_error(nn_context *nn) {
    if (!nn || !nn__enter(nn, "nn_clear_error", nn_make_site(NULL, 0))) return;
    nn__error_tell_refused(nn);
    nn->error_code = NN_OK;
#ifndef NN_NO_REPORTS
    nn->error[0] = 0;
    nn->error_read = false;
    nn->report_code = NN_OK;
#endif
    nn__error_left(nn);
}
