/* opencl/open.c - opens devices: those that opencl/find.c found, or an adopted one. Also lists
   devices. */
#include "opencl/lend.h"

NN__OPENCL_PRIVATE nn__opencl *nn__opencl_open_state(nn_context *nn, nn_device device) {
    void *state = NULL;
    const nn_backend *backend = nn ? nn_device_backend(nn, device, &state) : NULL;
    return backend && backend->kind == NN_OPENCL && backend->close == nn__opencl_close
               ? (nn__opencl *)state
               : NULL;
}

/* ---- opening one ----------------------------------------------------------------------------- */

static cl_int nn__opencl_open_queues(nn__opencl *device, const char **call) {
    cl_command_queue_properties properties = device->profile ? CL_QUEUE_PROFILING_ENABLE : 0;
    cl_context_properties of_platform[3];
    cl_int status = CL_SUCCESS;
    of_platform[0] = CL_CONTEXT_PLATFORM;
    of_platform[1] = (cl_context_properties)device->platform;
    of_platform[2] = 0;
    *call = "clCreateContext";
    device->context = device->cl.CreateContext(of_platform, 1, &device->id, NULL, NULL, &status);
    if (status != CL_SUCCESS) {
        device->context = NULL;
        return status;
    }
    *call = "clCreateCommandQueue";
    device->compute =
        device->cl.CreateCommandQueue(device->context, device->id, properties, &status);
    if (status != CL_SUCCESS) {
        device->compute = NULL;
        return status;
    }
    device->copy = device->cl.CreateCommandQueue(device->context, device->id, properties, &status);
    /* works without a second queue, but slower */
    if (status != CL_SUCCESS) device->copy = device->compute;
    return CL_SUCCESS;
}

static nn__opencl *nn__opencl_open_make(nn_context *nn, const nn__opencl_api *cl,
                                        cl_platform_id platform, cl_device_id id,
                                        const nn_opencl_desc *desc) {
    nn__opencl *device = (nn__opencl *)nn_take_memory(nn, sizeof *device);
    if (!device) return NULL;
    device->cl = *cl;
    device->nn = nn;
    device->platform = platform;
    device->id = id;
    device->profile = desc->profile;
    device->build_threads = desc->build_threads;
    device->idle = true;
    return device;
}

/* Adds the device to the context, which closes it after a failure. */
static nn_result nn__opencl_open_add(nn__opencl *device, const nn_opencl_desc *desc) {
    nn_result result = nn__opencl_open_text(device, desc->kernel_file);
    if (result != NN_OK) {
        nn__opencl_close(device);
        return result;
    }
    nn__opencl_cache_open(device, desc->cache_folder);
    nn__opencl_read_entries(device, true);
    if (!desc->no_clblast) nn__opencl_blas_open(device);
    device->clblast_always = desc->clblast;
    nn__opencl_lend_open(device, desc->no_lending);
    nn__opencl_fill_backend(device);
    return nn_add_backend(device->nn, &device->backend, device, &device->device);
}

/* Opens a device that was found. NN_NOT_FOUND: it cannot be used; found->left_out tells why. */
static nn_result nn__opencl_open_found_device(nn__opencl_open_search *search,
                                              nn__opencl_open_found *found, char *why,
                                              size_t why_bytes) {
    nn_context *nn = search->nn;
    nn__opencl *device =
        nn__opencl_open_make(nn, &search->cl, found->platform, found->id, &search->desc);
    const char *call = "";
    nn_result result;
    cl_int status;
    if (!device)
        return nn_record_error(nn, NN_ERROR_MEMORY, "nn_opencl_open: no memory for a device");
    found->left_out = nn__opencl_ask(device);
    if (found->left_out) {
        nn__opencl_close(device);
        return NN_NOT_FOUND;
    }
    status = nn__opencl_open_queues(device, &call);
    if (status != CL_SUCCESS) {
        nn__opencl_format(why, why_bytes, "%s: %s (%d)", call, nn__opencl_status_name(status),
                          (int)status);
        found->left_out = why;
        nn__opencl_close(device);
        return NN_NOT_FOUND;
    }
    result = nn__opencl_open_add(device, &search->desc);
    if (result == NN_OK) {
        found->is_open = true;
        found->device = device->device;
    }
    return result;
}

/* ---- adoption -------------------------------------------------------------------------------- */

static nn_result nn__opencl_open_wrong(nn_context *nn, const char *what) {
    char text[300];
    nn__opencl_format(text, sizeof text, "nn_opencl_open: %s", what);
    return nn_record_error(nn, NN_ERROR_ARGUMENT, text);
}

/* Returns why the three do not fit together; NULL: they do. */
static const char *nn__opencl_open_misfit(const nn__opencl_api *cl, cl_context context,
                                          cl_device_id id, cl_command_queue queue,
                                          cl_command_queue_properties *properties) {
    cl_device_id devices[NN__OPENCL_OPEN_DEVICES], of_queue = NULL;
    cl_context context_of_queue = NULL;
    size_t bytes = 0;
    bool inside = false;
    if (cl->GetContextInfo(context, CL_CONTEXT_DEVICES, sizeof devices, devices, &bytes) !=
        CL_SUCCESS)
        return "desc.context is not a cl_context";
    for (size_t i = 0; i < bytes / sizeof devices[0]; i++) inside |= devices[i] == id;
    if (!inside)
        return "desc.device is not a device of desc.context; give the one that the context was "
               "made for";
    if (cl->GetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context_of_queue, &context_of_queue,
                                NULL) != CL_SUCCESS)
        return "desc.queue is not a cl_command_queue";
    if (context_of_queue != context)
        return "desc.queue does not belong to desc.context; make the queue in that "
               "context";
    if (cl->GetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof of_queue, &of_queue, NULL) !=
            CL_SUCCESS ||
        of_queue != id)
        return "desc.queue does not belong to desc.device; make the queue for that "
               "device";
    if (cl->GetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof *properties, properties, NULL) !=
        CL_SUCCESS)
        return "desc.queue does not report its properties (clGetCommandQueueInfo failed)";
    if (*properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
        return "desc.queue is out-of-order; give an in-order queue";
    return NULL;
}

static nn_result nn__opencl_open_adopt(nn_context *nn, const nn_opencl_desc *desc) {
    nn__opencl_api cl;
    nn__opencl *device;
    cl_command_queue_properties properties = 0;
    cl_context context = (cl_context)desc->context;
    cl_command_queue queue = (cl_command_queue)desc->queue;
    cl_int status;
    const char *wrong = nn__opencl_load_api(&cl);
    if (!wrong && (!desc->context || !desc->device || !desc->queue))
        wrong = "one of desc.context, desc.device and desc.queue is NULL; give all three or none";
    if (!wrong)
        wrong =
            nn__opencl_open_misfit(&cl, context, (cl_device_id)desc->device, queue, &properties);
    if (wrong) return nn__opencl_open_wrong(nn, wrong);
    device = nn__opencl_open_make(nn, &cl, NULL, (cl_device_id)desc->device, desc);
    if (!device)
        return nn_record_error(nn, NN_ERROR_MEMORY, "nn_opencl_open: no memory for a device");
    wrong = nn__opencl_ask(device);
    if (wrong) {
        nn_give_memory(nn, device, sizeof *device);
        return nn__opencl_open_wrong(nn, wrong);
    }
    status = cl.RetainDevice(device->id);
    device->adopted = status == CL_SUCCESS; /* nn__opencl_close releases what was retained */
    if (status == CL_SUCCESS) status = cl.RetainContext(context);
    if (status == CL_SUCCESS) device->context = context;
    if (status == CL_SUCCESS) status = cl.RetainCommandQueue(queue);
    if (status == CL_SUCCESS) device->compute = device->copy = queue;
    if (status != CL_SUCCESS) {
        nn_result result = nn__opencl_fail(device, "clRetain", status);
        nn__opencl_close(device);
        return nn_record_error(nn, result,
                               "nn_opencl_open: the context, device or queue cannot be retained");
    }
    device->profile = (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
    return nn__opencl_open_add(device, desc);
}

/* ---- the public functions of opening --------------------------------------------------------- */

NN_API nn_result nn_opencl_open_at(nn_site site, nn_context *nn, const nn_opencl_desc *desc) {
    nn__opencl_open_search *search;
    nn_result result = NN_OK;
    int opened = 0;
    char text[400];
    (void)site;
    if (!nn) return NN_ERROR_ARGUMENT;
    if (desc && ((int)desc->type < NN_OPENCL_ALL || desc->type > NN_OPENCL_CPU))
        return nn__opencl_open_wrong(
            nn,
            "desc.type is not a value of nn_opencl_type; wanted NN_OPENCL_ALL to NN_OPENCL_CPU");
    if (desc && desc->build_threads < 0)
        return nn__opencl_open_wrong(nn, "desc.build_threads is negative; wanted a number of "
                                         "threads, or 0 for the context's");
    if (desc && (desc->context || desc->device || desc->queue))
        return nn__opencl_open_adopt(nn, desc);
    search = nn__opencl_open_find_all(nn, desc);
    if (!search)
        return nn_record_error(nn, NN_ERROR_MEMORY,
                               "nn_opencl_open: no memory to look for devices");
    for (int i = 0; i < search->count && (int)result >= 0; i++) {
        nn__opencl_open_found *found = &search->found[i];
        char why[120];
        nn_result one = NN_NOT_FOUND;
        if (!found->left_out && !found->is_open && nn_device_count(nn) >= NN_MAX_DEVICES)
            found->left_out = "the context has NN_MAX_DEVICES devices already";
        if (!found->left_out && !found->is_open)
            one = nn__opencl_open_found_device(search, found, why, sizeof why);
        if ((int)one < 0) result = one;
        if (!found->left_out) opened++;
        if (found->left_out && !nn__opencl_contains(found->left_out, "left out by")) {
            nn__opencl_format(text, sizeof text, "nn_opencl_open: %s (%s) is left out: %s",
                              found->name, found->platform_name, found->left_out);
            nn__opencl_log(nn, text);
        }
    }
    nn_give_memory(nn, search, sizeof *search);
    if ((int)result < 0) return result;
    return opened > 0 ? NN_OK : NN_NOT_FOUND;
}

static void nn__opencl_open_write_found(nn_text *to, const nn__opencl_open_found *found,
                                        int *next) {
    char line[640], name[32], memory[48];
    nn__opencl_format(memory, sizeof memory, "%llu MB", (unsigned long long)(found->memory >> 20));
    if (found->is_open)
        nn_format_device(found->device, name, sizeof name);
    else if (found->left_out)
        nn__opencl_copy_text(name, sizeof name, "-");
    else
        nn__opencl_format(name, sizeof name, "opencl:%d", (*next)++);
    nn__opencl_format(line, sizeof line, "%s  %s  (%s, %u units, %s; %s, driver %s)%s%s\n", name,
                      found->name, nn__opencl_open_kind(found->order), (unsigned)found->units,
                      memory, found->platform_name, found->driver,
                      found->is_open    ? "  open"
                      : found->left_out ? "  "
                                        : "",
                      found->left_out && !found->is_open ? found->left_out : "");
    nn_write_text(to, line, strlen(line));
}

NN_API const char *nn_opencl_list(nn_context *nn, const nn_opencl_desc *desc, char *text,
                                  size_t size) {
    nn__opencl_open_search *search;
    nn_text to;
    int next = 0;
    if (!text || size == 0) return "";
    text[0] = 0;
    if (!nn) return text;
    memset(&to, 0, sizeof to);
    to.buffer = text;
    to.size = size;
    search = nn__opencl_open_find_all(nn, desc);
    if (!search) return text;
    for (int i = 0; i < nn_device_count(nn); i++) next += nn_device_at(nn, i).kind == NN_OPENCL;
    for (int i = 0; i < search->count; i++)
        nn__opencl_open_write_found(&to, &search->found[i], &next);
    nn_write_text(&to, search->lines, strlen(search->lines));
    nn_write_text(&to, search->reason, strlen(search->reason));
    if (search->reason[0]) nn_write_text(&to, "\n", 1);
    nn_give_memory(nn, search, sizeof *search);
    return text;
}

NN_API bool nn_opencl_describe(nn_context *nn, nn_device device, nn_opencl_info *info) {
    const nn__opencl *state = nn__opencl_open_state(nn, device);
    if (info) memset(info, 0, sizeof *info);
    if (!state || !info) return false;
    info->name = state->name;
    info->vendor = state->vendor;
    info->platform = state->platform_name;
    info->driver = state->driver;
    info->version = state->version;
    info->memory = state->memory;
    info->allocation = state->allocation;
    info->local_memory = state->local_memory;
    info->compute_units = state->told;
    info->work_group = (uint32_t)state->group;
    info->cpu = state->cpu || state->spread;
    info->unified_memory = state->unified;
    info->adopted = state->adopted;
    return true;
}

#undef NN__OPENCL_OPEN_DEVICES
