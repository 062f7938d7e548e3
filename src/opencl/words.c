/* opencl/words.c - texts: status names, messages, hashes. It has its own formatter, because the
   formatter of nn.h is private. */
#include "opencl/private.h"

NN__OPENCL_PRIVATE const char *nn__opencl_status_name(cl_int status) {
    switch (status) {
#define NN__X(name)                                                                                \
    case name: return #name;
        NN__X(CL_SUCCESS)
        NN__X(CL_DEVICE_NOT_FOUND)
        NN__X(CL_DEVICE_NOT_AVAILABLE)
        NN__X(CL_COMPILER_NOT_AVAILABLE)
        NN__X(CL_MEM_OBJECT_ALLOCATION_FAILURE)
        NN__X(CL_OUT_OF_RESOURCES)
        NN__X(CL_OUT_OF_HOST_MEMORY)
        NN__X(CL_PROFILING_INFO_NOT_AVAILABLE)
        NN__X(CL_MEM_COPY_OVERLAP)
        NN__X(CL_BUILD_PROGRAM_FAILURE)
        NN__X(CL_MAP_FAILURE)
        NN__X(CL_MISALIGNED_SUB_BUFFER_OFFSET)
        NN__X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        NN__X(CL_COMPILE_PROGRAM_FAILURE)
        NN__X(CL_LINKER_NOT_AVAILABLE)
        NN__X(CL_LINK_PROGRAM_FAILURE)
        NN__X(CL_INVALID_VALUE)
        NN__X(CL_INVALID_DEVICE_TYPE)
        NN__X(CL_INVALID_PLATFORM)
        NN__X(CL_INVALID_DEVICE)
        NN__X(CL_INVALID_CONTEXT)
        NN__X(CL_INVALID_QUEUE_PROPERTIES)
        NN__X(CL_INVALID_COMMAND_QUEUE)
        NN__X(CL_INVALID_HOST_PTR)
        NN__X(CL_INVALID_MEM_OBJECT)
        NN__X(CL_INVALID_BINARY)
        NN__X(CL_INVALID_BUILD_OPTIONS)
        NN__X(CL_INVALID_PROGRAM)
        NN__X(CL_INVALID_PROGRAM_EXECUTABLE)
        NN__X(CL_INVALID_KERNEL_NAME)
        NN__X(CL_INVALID_KERNEL_DEFINITION)
        NN__X(CL_INVALID_KERNEL)
        NN__X(CL_INVALID_ARG_INDEX)
        NN__X(CL_INVALID_ARG_VALUE)
        NN__X(CL_INVALID_ARG_SIZE)
        NN__X(CL_INVALID_KERNEL_ARGS)
        NN__X(CL_INVALID_WORK_DIMENSION)
        NN__X(CL_INVALID_WORK_GROUP_SIZE)
        NN__X(CL_INVALID_WORK_ITEM_SIZE)
        NN__X(CL_INVALID_GLOBAL_OFFSET)
        NN__X(CL_INVALID_EVENT_WAIT_LIST)
        NN__X(CL_INVALID_EVENT)
        NN__X(CL_INVALID_OPERATION)
        NN__X(CL_INVALID_BUFFER_SIZE)
        NN__X(CL_INVALID_GLOBAL_WORK_SIZE)
        NN__X(CL_INVALID_PROPERTY)
#undef NN__X
    case -1001: return "CL_PLATFORM_NOT_FOUND_KHR";
    default: return "a status without a name";
    }
}

NN__OPENCL_PRIVATE nn_result nn__opencl_fail(nn__opencl *device, const char *call, cl_int status) {
    char text[160];
    nn_result result = NN_ERROR_BACKEND;
    device->last_status = status;
    if (status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_HOST_MEMORY ||
        status == CL_INVALID_BUFFER_SIZE)
        result = NN_ERROR_MEMORY;
    nn__opencl_format(text, sizeof text, "%s: %s (%d)", call, nn__opencl_status_name(status),
                      (int)status);
    nn_report_error(device->nn, result, text);
    return result;
}

/* ---- formatting ------------------------------------------------------------------------------ */

static void nn__opencl_words_number(nn_text *to, unsigned long long value, unsigned base) {
    char digits[24];
    size_t used = sizeof digits;
    do {
        digits[--used] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value);
    nn_write_text(to, digits + used, sizeof digits - used);
}

NN__OPENCL_PRIVATE size_t nn__opencl_format(char *text, size_t size, const char *format, ...) {
    va_list list;
    nn_text to;
    memset(&to, 0, sizeof to);
    to.buffer = text;
    to.size = size;
    if (size) text[0] = 0;
    va_start(list, format);
    for (const char *at = format; *at;) {
        const char *percent = strchr(at, '%');
        size_t plain = percent ? (size_t)(percent - at) : strlen(at);
        nn_write_text(&to, at, plain);
        at += plain;
        if (!percent) break;
        if (at[1] == 's') {
            const char *word = va_arg(list, const char *);
            if (!word) word = "(none)";
            nn_write_text(&to, word, strlen(word));
            at += 2;
        } else if (at[1] == 'd') {
            int number = va_arg(list, int);
            if (number < 0) nn_write_text(&to, "-", 1);
            nn__opencl_words_number(&to,
                                    number < 0 ? 0ull - (unsigned long long)(long long)number
                                               : (unsigned long long)number,
                                    10);
            at += 2;
        } else if (at[1] == 'u') {
            nn__opencl_words_number(&to, va_arg(list, unsigned), 10);
            at += 2;
        } else if (strncmp(at, "%llu", 4) == 0 || strncmp(at, "%llx", 4) == 0) {
            nn__opencl_words_number(&to, va_arg(list, unsigned long long), at[3] == 'x' ? 16 : 10);
            at += 4;
        } else {
            nn_write_text(&to, at, 1);
            at += at[1] == '%' ? 2 : 1;
        }
    }
    va_end(list);
    return to.length;
}

NN__OPENCL_PRIVATE void nn__opencl_copy_text(char *to, size_t size, const char *from) {
    size_t length = strlen(from);
    if (length >= size) length = size - 1;
    memcpy(to, from, length);
    to[length] = 0;
}

static char nn__opencl_words_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

NN__OPENCL_PRIVATE bool nn__opencl_contains(const char *text, const char *part) {
    if (!part || !*part) return true;
    for (; *text; text++) {
        size_t i = 0;
        while (part[i] && nn__opencl_words_lower(text[i]) == nn__opencl_words_lower(part[i])) i++;
        if (!part[i]) return true;
    }
    return false;
}

NN__OPENCL_PRIVATE void nn__opencl_log(nn_context *nn, const char *text) {
    nn_writer log = nn_context_desc(nn)->log;
    if (!log.function) return;
    log.function(log.user, text, strlen(text));
    log.function(log.user, "\n", 1);
}

NN__OPENCL_PRIVATE uint64_t nn__opencl_hash(uint64_t hash, const void *data, size_t bytes) {
    const unsigned char *at = (const unsigned char *)data;
    for (size_t i = 0; i < bytes; i++) hash = (hash ^ at[i]) * 0x100000001b3ull;
    return hash;
}

NN__OPENCL_PRIVATE uint64_t nn__opencl_hash_text(uint64_t hash, const char *text) {
    return nn__opencl_hash(hash, text, strlen(text) + 1);
}
