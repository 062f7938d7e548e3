/* opencl/program.c - finds a cl_kernel by its name. There is one small program for each combination
   of part and options, built at the first request and kept. Its text is common.cl, with -DNN_MMA
   also mma.cl and mma_loop.cl, and one part, found by the lines that tools/paste.c writes. */
#include "opencl/private.h"
#include "opencl/text.h"

/* Raised when a kernel's arguments change: a kernels.cl with another number does not fit these host
   functions. */
#define NN__OPENCL_PROGRAM_TEXT_VERSION "nn kernels version 10 "

/* ---- text ------------------------------------------------------------------------------------ */

static nn_result nn__opencl_program_text_failed(nn__opencl *device, nn_result result,
                                                const char *path, const char *what) {
    char text[600];
    nn__opencl_format(text, sizeof text, "nn_opencl_open: kernel_file \"%s\": %s", path, what);
    return nn_record_error(device->nn, result, text);
}

static nn_result nn__opencl_program_read(nn__opencl *device, const char *path) {
    const nn_files *files = &nn_context_desc(device->nn)->files;
    uint64_t bytes = 0;
    bool ok = false;
    void *file;
    if (!files->open || !files->size || !files->read || !files->close)
        return nn__opencl_program_text_failed(device, NN_ERROR_FILE, path,
                                              "this build or desc.files cannot read files");
    file = files->open(files->user, path, false);
    if (!file)
        return nn__opencl_program_text_failed(device, NN_ERROR_FILE, path,
                                              "it cannot be opened; leave it NULL to use "
                                              "the text inside nn_opencl.h");
    if (files->size(files->user, file, &bytes) && bytes < ((uint64_t)1 << 26)) {
        device->source_file_bytes = (size_t)bytes + 1;
        device->source_file = (char *)nn_take_memory(device->nn, device->source_file_bytes);
        ok = device->source_file &&
             files->read(files->user, file, 0, device->source_file, (size_t)bytes);
    }
    files->close(files->user, file);
    if (!ok)
        return nn__opencl_program_text_failed(device, NN_ERROR_FILE, path, "it cannot be read");
    return NN_OK;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_open_text(nn__opencl *device, const char *kernel_file) {
    const char *marker, *newline;
    int lines = 0;
    nn_result result;
    device->source = nn__opencl_text;
    device->source_count = nn__opencl_text_count;
    if (!kernel_file) return NN_OK;
    result = nn__opencl_program_read(device, kernel_file);
    if (result != NN_OK) return result;
    device->source = (const char *const *)&device->source_file;
    device->source_count = 1;
    marker = strstr(device->source_file, NN__OPENCL_PROGRAM_TEXT_VERSION);
    for (newline = device->source_file; marker && newline && newline < marker; lines++) {
        newline = strchr(newline, '\n');
        if (newline) newline++;
    }
    if (marker && lines <= 5) return NN_OK;
    return nn__opencl_program_text_failed(
        device, NN_ERROR_FORMAT, kernel_file,
        "its first lines lack the text \"" NN__OPENCL_PROGRAM_TEXT_VERSION
        "\": it belongs to another nn_opencl.h; take both from one release");
}

/* Copies the text of all files whose paths begin with folder/name (text NULL: only counts). Returns
   its bytes, 0 if there is none. */
static size_t nn__opencl_program_cut(nn__opencl *device, const char *folder, const char *name,
                                     char *text) {
    char marker[96];
    size_t used = 0;
    bool inside = false;
    nn__opencl_format(marker, sizeof marker, "/* ==== %s/%s", folder, name);
    for (int i = 0; i < device->source_count; i++) {
        const char *at = device->source[i];
        while (*at) {
            const char *end;
            size_t length;
            if (!inside) {
                at = strstr(at, marker);
                if (at) at = strchr(at, '\n');
                if (!at) break;
                at++;
                inside = true;
            }
            end = strstr(at, "/* ==== ");
            length = end ? (size_t)(end - at) : strlen(at);
            if (text) memcpy(text + used, at, length);
            used += length;
            at += length;
            inside = !end;
        }
    }
    return used;
}

NN__OPENCL_PRIVATE nn_result nn__opencl_program_source(nn__opencl *device, const char *part,
                                                       const char *user_source,
                                                       const char *options,
                                                       nn__opencl_source *source) {
    const bool mma = strstr(options, "-DNN_MMA=") != NULL;
    char family[64], *text;
    size_t common, shared, own;
    nn__opencl_format(family, sizeof family, "kernels/%s", part ? part : "");
    common = nn__opencl_program_cut(device, "opencl", "common.cl", NULL);
    shared = mma ? nn__opencl_program_cut(device, "opencl", "mma", NULL) : 0;
    own = user_source ? strlen(user_source)
                      : nn__opencl_program_cut(device, family, "opencl", NULL);
    if (common == 0 || own == 0) return NN_ERROR_FORMAT;
    source->bytes = common + shared + own + 1;
    source->text = text = (char *)nn_take_memory(device->nn, source->bytes);
    if (!text) return NN_ERROR_MEMORY;
    nn__opencl_program_cut(device, "opencl", "common.cl", text);
    if (mma) nn__opencl_program_cut(device, "opencl", "mma", text + common);
    if (user_source)
        memcpy(text + common + shared, user_source, own);
    else
        nn__opencl_program_cut(device, family, "opencl", text + common + shared);
    text[common + shared + own] = 0;
    return NN_OK;
}

/* Records why nn__opencl_program_source failed. */
static nn_result nn__opencl_program_no_source(nn__opencl *device, nn_result why, const char *part) {
    const bool common = nn__opencl_program_cut(device, "opencl", "common.cl", NULL) != 0;
    char message[160];
    if (why == NN_ERROR_MEMORY)
        nn_record_error(device->nn, why, "opencl: no memory for the source of a program");
    if (why == NN_ERROR_MEMORY) return NN_ERROR_BACKEND;
    nn__opencl_format(message, sizeof message,
                      "opencl: the kernel text has no part %s/%s.cl; take nn_opencl.h and "
                      "kernels.cl from one release",
                      common ? part : "opencl", common ? "opencl" : "common");
    nn_record_error(device->nn, why, message);
    return NN_ERROR_BACKEND;
}

NN__OPENCL_PRIVATE bool nn__opencl_program_options(const char *options, char *all) {
    /* -w: some compilers write warnings to standard error even if nobody asks, for example about
       passing wide vectors without AVX-512. */
    return nn__opencl_format(all, NN__OPENCL_OPTIONS, "-cl-std=CL1.2 -w %s", options) <
           NN__OPENCL_OPTIONS;
}

NN__OPENCL_PRIVATE uint64_t nn__opencl_program_file_key(const nn__opencl *device,
                                                        const nn__opencl_source *source,
                                                        const char *options) {
    return nn__opencl_hash_text(nn__opencl_hash(device->key, source->text, source->bytes),
                                options);
}

/* ---- building -------------------------------------------------------------------------------- */

/* Writes the compiler's whole output to the log and, truncated, to nn_error. */
static nn_result nn__opencl_program_build_failed(nn__opencl *device, cl_program program,
                                                 const char *part, const char *entry,
                                                 const char *options, cl_int status) {
    size_t log_bytes = 0, bytes, used;
    char *text;
    device->last_status = status;
    device->cl.GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &log_bytes);
    bytes = log_bytes + strlen(options) + 600;
    text = (char *)nn_take_memory(device->nn, bytes);
    if (!text) return nn__opencl_fail(device, "clBuildProgram", status);
    used = nn__opencl_format(text, bytes - log_bytes,
                             "opencl: kernel %s of %s/opencl.cl did not build on %s (%s, driver "
                             "%s): clBuildProgram: %s (%d)\n"
                             "options: %s\nthe compiler says:\n",
                             entry, part, device->name, device->platform_name, device->driver,
                             nn__opencl_status_name(status), (int)status, options);
    if (log_bytes && device->cl.GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG,
                                                    log_bytes, text + used, NULL) != CL_SUCCESS)
        nn__opencl_copy_text(text + used, bytes - used, "(nothing)");
    nn_record_error(device->nn, NN_ERROR_BACKEND, text);
    nn_give_memory(device->nn, text, bytes);
    return NN_ERROR_BACKEND;
}

/* Makes a program from the binary, if there is one. */
static void nn__opencl_build_binary(const nn__opencl *device, const char *options,
                                    nn__opencl_built *built) {
    const nn__opencl_api *cl = &device->cl;
    const unsigned char *binary = built->binary;
    cl_int of_binary = CL_SUCCESS, status = CL_SUCCESS;
    cl_program program;
    if (!binary) return;
    program = cl->CreateProgramWithBinary(device->context, 1, &device->id, &built->binary_bytes,
                                          &binary, &of_binary, &status);
    if (status == CL_SUCCESS && of_binary == CL_SUCCESS &&
        cl->BuildProgram(program, 1, &device->id, options, NULL, NULL) == CL_SUCCESS)
        built->program = program;
    else if (status == CL_SUCCESS && program)
        cl->ReleaseProgram(program);
}

NN__OPENCL_PRIVATE void nn__opencl_build(const nn__opencl *device, const char *text,
                                         const char *options, nn__opencl_built *built) {
    const nn__opencl_api *cl = &device->cl;
    built->program = NULL;
    built->status = CL_SUCCESS;
    nn__opencl_build_binary(device, options, built);
    built->cached = built->program != NULL;
    if (built->cached) return;
    built->call = "clCreateProgramWithSource";
    built->program =
        cl->CreateProgramWithSource(device->context, 1, &text, NULL, &built->status);
    if (built->status != CL_SUCCESS) {
        built->program = NULL;
        return;
    }
    built->call = "clBuildProgram";
    built->status = cl->BuildProgram(built->program, 1, &device->id, options, NULL, NULL);
}

/* Builds a program. user_source NULL: from the part `part` of our text. */
static nn_result nn__opencl_program_build(nn__opencl *device, const char *part,
                                          const char *user_source, const char *entry,
                                          const char *options, bool use_cache,
                                          nn__opencl_program *into) {
    char all_options[NN__OPENCL_OPTIONS];
    nn__opencl_source source;
    nn__opencl_built built;
    nn_result result;
    memset(&built, 0, sizeof built);
    result = nn__opencl_program_source(device, part, user_source, options, &source);
    if (result != NN_OK) return nn__opencl_program_no_source(device, result, part);
    if (!nn__opencl_program_options(options, all_options)) {
        nn_give_memory(device->nn, source.text, source.bytes);
        return nn_record_error(device->nn, NN_ERROR_BACKEND,
                               "opencl: the options of a program are too long");
    }
    into->file_key = nn__opencl_program_file_key(device, &source, all_options);
    if (use_cache)
        built.binary = nn__opencl_cache_read(device, into->file_key, &built.binary_bytes);
    nn__opencl_build(device, source.text, all_options, &built);
    nn_give_memory(device->nn, built.binary, built.binary_bytes);
    nn_give_memory(device->nn, source.text, source.bytes);
    into->cached = built.cached;
    if (built.status != CL_SUCCESS && built.program) {
        result = nn__opencl_program_build_failed(device, built.program, part, entry, all_options,
                                                 built.status);
        device->cl.ReleaseProgram(built.program);
        return result;
    }
    if (built.status != CL_SUCCESS) return nn__opencl_fail(device, built.call, built.status);
    into->program = built.program;
    return NN_OK;
}

static void nn__opencl_program_free(nn__opencl *device, nn__opencl_program *program) {
    while (program->kernels) {
        nn__opencl_program_kernel *kernel = program->kernels;
        program->kernels = kernel->next;
        if (kernel->kernel) device->cl.ReleaseKernel(kernel->kernel);
        nn_give_memory(device->nn, kernel, sizeof *kernel);
    }
    if (program->program) device->cl.ReleaseProgram(program->program);
    nn_give_memory(device->nn, program, sizeof *program);
}

NN__OPENCL_PRIVATE void nn__opencl_save_programs(nn__opencl *device) {
    for (const nn__opencl_program *program = device->programs; program; program = program->next)
        if (!program->cached) nn__opencl_cache_save(device, program->file_key, program->program);
}

NN__OPENCL_PRIVATE void nn__opencl_free_programs(nn__opencl *device) {
    while (device->programs) {
        nn__opencl_program *program = device->programs;
        device->programs = program->next;
        nn__opencl_program_free(device, program);
    }
}

/* ---- finding --------------------------------------------------------------------------------- */

static nn_result nn__opencl_program_add_kernel(nn__opencl *device, nn__opencl_program *program,
                                               const char *part, const char *user_source,
                                               const char *entry, const char *options) {
    nn__opencl_program_kernel *kernel =
        (nn__opencl_program_kernel *)nn_take_memory(device->nn, sizeof *kernel);
    char call[96];
    cl_int status = CL_SUCCESS;
    if (!kernel)
        return nn_record_error(device->nn, NN_ERROR_MEMORY,
                               "opencl: no memory for an entry of the kernel cache");
    nn__opencl_copy_text(kernel->entry, sizeof kernel->entry, entry);
    kernel->kernel = device->cl.CreateKernel(program->program, entry, &status);
    if (status != CL_SUCCESS && program->cached &&
        !program->kernels) { /* the binary looked valid but is not */
        cl_program old = program->program;
        nn_result result =
            nn__opencl_program_build(device, part, user_source, entry, options, false, program);
        if (result == NN_OK) {
            device->cl.ReleaseProgram(old);
            kernel->kernel = device->cl.CreateKernel(program->program, entry, &status);
        } else {
            program->program = old;
        }
    }
    if (status != CL_SUCCESS) {
        nn_give_memory(device->nn, kernel, sizeof *kernel);
        nn__opencl_format(call, sizeof call, "clCreateKernel(%s)", entry);
        return nn__opencl_fail(device, call, status);
    }
    status =
        device->cl.GetKernelWorkGroupInfo(kernel->kernel, device->id, CL_KERNEL_WORK_GROUP_SIZE,
                                          sizeof kernel->group, &kernel->group, NULL);
    if (status != CL_SUCCESS) {
        device->cl.ReleaseKernel(kernel->kernel);
        nn_give_memory(device->nn, kernel, sizeof *kernel);
        return nn__opencl_fail(device, "clGetKernelWorkGroupInfo", status);
    }
    kernel->program = program->program;
    kernel->next = program->kernels;
    program->kernels = kernel;
    return NN_OK;
}

static nn_result nn__opencl_program_find(nn__opencl *device, uint64_t key, const char *part,
                                         const char *user_source, const char *entry,
                                         const char *options,
                                         nn__opencl_program_kernel **kernel) {
    nn__opencl_program *program = device->programs;
    nn__opencl_program_kernel *found = NULL;
    nn_result result;
    while (program && program->key != key) program = program->next;
    for (found = program ? program->kernels : NULL; found && strcmp(found->entry, entry) != 0;)
        found = found->next;
    if (!program) {
        program = (nn__opencl_program *)nn_take_memory(device->nn, sizeof *program);
        if (!program)
            return nn_record_error(device->nn, NN_ERROR_MEMORY,
                                   "opencl: no memory for an entry of the program cache");
        program->key = key;
        result = nn__opencl_program_build(device, part, user_source, entry, options, true, program);
        if (result != NN_OK) {
            nn__opencl_program_free(device, program);
            return result;
        }
        program->next = device->programs;
        device->programs = program;
    }
    if (!found) {
        result = nn__opencl_program_add_kernel(device, program, part, user_source, entry, options);
        if (result != NN_OK) return result;
        found = program->kernels;
    }
    *kernel = found;
    return NN_OK;
}

static uint64_t nn__opencl_program_key(const char *part, const char *options) {
    return nn__opencl_hash_text(nn__opencl_hash_text(NN__OPENCL_HASH_START, part), options);
}

NN__OPENCL_PRIVATE nn_result nn__opencl_find_kernel(nn__opencl *device, const char *part,
                                                    const char *entry, const char *options,
                                                    nn__opencl_program_kernel **found) {
    const uint64_t key = nn__opencl_program_key(part, options);
    return nn__opencl_program_find(device, key, part, NULL, entry, options, found);
}

NN__OPENCL_PRIVATE void nn__opencl_note_kernel(nn__opencl *device, const char *part,
                                               const char *options) {
    const uint64_t key = nn__opencl_program_key(part, options);
    if (nn__opencl_ahead_wants(device, key))
        nn__opencl_ahead_note(device, key, part, NULL, options);
}

static uint64_t nn__opencl_program_user_key(const char *source) {
    return nn__opencl_hash_text(nn__opencl_hash_text(1, source), "");
}

NN__OPENCL_PRIVATE nn_result nn__opencl_find_user_kernel(nn__opencl *device, const char *source,
                                                         const char *entry,
                                                         nn__opencl_program_kernel **found) {
    const uint64_t key = nn__opencl_program_user_key(source);
    return nn__opencl_program_find(device, key, "(a source of the program)", source, entry, "",
                                   found);
}

NN__OPENCL_PRIVATE void nn__opencl_note_user_kernel(nn__opencl *device, const char *source) {
    const uint64_t key = nn__opencl_program_user_key(source);
    if (nn__opencl_ahead_wants(device, key))
        nn__opencl_ahead_note(device, key, NULL, source, "");
}

NN__OPENCL_PRIVATE nn_result nn__opencl_find_made_kernel(nn__opencl *device, uint64_t key,
                                                         nn__opencl_make_text make,
                                                         const void *user, const char *entry,
                                                         nn__opencl_program_kernel **found) {
    size_t bytes = 0;
    char *text;
    nn_result result;
    for (const nn__opencl_program *program = device->programs; program; program = program->next) {
        if (program->key != key || !program->kernels)
            continue; /* a generated text has one kernel */
        *found = program->kernels;
        return NN_OK;
    }
    text = make(device, user, &bytes);
    if (!text) return NN_ERROR_MEMORY;
    result = nn__opencl_program_find(device, key, "(a generated text)", text, entry, "", found);
    nn_give_memory(device->nn, text, bytes);
    return result;
}

NN__OPENCL_PRIVATE void nn__opencl_note_made_kernel(nn__opencl *device, uint64_t key,
                                                    nn__opencl_make_text make, const void *user) {
    const bool had_error = nn_error_code(device->nn) != NN_OK;
    size_t bytes = 0;
    char *text;
    if (!nn__opencl_ahead_wants(device, key)) return;
    text = make(device, user, &bytes);
    if (text) nn__opencl_ahead_note(device, key, NULL, text, "");
    if (text) nn_give_memory(device->nn, text, bytes);
    if (!text && !had_error) nn_clear_error(device->nn); /* the step reports the error */
}

#undef NN__OPENCL_PROGRAM_TEXT_VERSION
