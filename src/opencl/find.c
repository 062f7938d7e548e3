/* opencl/find.c - finds the devices, sorts them into the order of opening, and decides which are
   left out. */
#include "opencl/private.h"

NN__OPENCL_PRIVATE const char *nn__opencl_open_kind(int order) {
    return order == 0 ? "GPU" : order == 1 ? "accelerator" : "CPU";
}

static const char *nn__opencl_open_filter(const nn_opencl_desc *desc,
                                          const nn__opencl_open_found *found) {
    if (desc->type == NN_OPENCL_GPU && found->order != 0) return "left out by desc.type: not a GPU";
    if (desc->type == NN_OPENCL_ACCELERATOR && found->order != 1)
        return "left out by desc.type: not an accelerator";
    if (desc->type == NN_OPENCL_CPU && found->order != 2) return "left out by desc.type: not a CPU";
    if (!nn__opencl_contains(found->platform_name, desc->platform))
        return "left out by desc.platform";
    if (!nn__opencl_contains(found->vendor, desc->vendor)) return "left out by desc.vendor";
    if (!nn__opencl_contains(found->name, desc->name)) return "left out by desc.name";
    return NULL;
}

/* Estimates a GPU's speed, since drivers count compute units of very different widths. */
static uint64_t nn__opencl_open_speed(const nn__opencl *device) {
    static const struct {
        const char *vendor;
        uint32_t lanes; /* floats that a compute unit processes at a time */
    } known[] = {
        {"NVIDIA", 128}, {"Apple", 128}, {"Advanced Micro", 64}, {"AMD", 64}, {"Intel", 8}};
    uint32_t lanes = 16;
    for (size_t i = sizeof known / sizeof known[0]; i-- > 0;)
        if (nn__opencl_contains(device->vendor, known[i].vendor)) lanes = known[i].lanes;
    return (uint64_t)device->told * lanes * (device->clock ? device->clock : 1);
}

static void nn__opencl_open_add_found(nn__opencl_open_search *search, nn__opencl *scratch,
                                      cl_platform_id platform, cl_device_id id) {
    nn__opencl_open_found *found = &search->found[search->count];
    const char *why;
    if (search->count >= NN__OPENCL_OPEN_DEVICES) return;
    memset(scratch, 0, sizeof *scratch);
    memset(found, 0, sizeof *found);
    scratch->cl = search->cl;
    scratch->nn = search->nn;
    scratch->platform = found->platform = platform;
    scratch->id = found->id = id;
    why = nn__opencl_ask(scratch);
    found->order = scratch->gpu ? 0 : scratch->cpu || scratch->spread ? 2 : 1;
    memcpy(found->name, scratch->name, sizeof found->name);
    memcpy(found->vendor, scratch->vendor, sizeof found->vendor);
    memcpy(found->platform_name, scratch->platform_name, sizeof found->platform_name);
    memcpy(found->driver, scratch->driver, sizeof found->driver);
    memcpy(found->version, scratch->version, sizeof found->version);
    found->memory = scratch->memory;
    found->units = scratch->told;
    found->unified = scratch->unified;
    found->speed = nn__opencl_open_speed(scratch);
    found->place = scratch->place;
    found->left_out = nn__opencl_open_filter(&search->desc, found);
    if (!found->left_out) found->left_out = why;
    for (int i = 0; i < nn_device_count(search->nn); i++) {
        nn__opencl *open = nn__opencl_open_state(search->nn, nn_device_at(search->nn, i));
        if (!open || open->id != id || open->adopted) continue;
        found->is_open = true;
        found->device = open->device;
    }
    search->count++;
}

static void nn__opencl_open_add_line(nn__opencl_open_search *search, const char *platform,
                                     const char *what) {
    size_t used = strlen(search->lines);
    nn__opencl_format(search->lines + used, sizeof search->lines - used, "platform \"%s\": %s\n",
                      platform, what);
}

static void nn__opencl_open_search_platform(nn__opencl_open_search *search, nn__opencl *scratch,
                                            cl_platform_id platform) {
    cl_device_id ids[NN__OPENCL_OPEN_DEVICES];
    cl_uint count = 0;
    char name[64], what[120];
    cl_int status;
    memset(name, 0, sizeof name);
    search->cl.GetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
    status =
        search->cl.GetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, NN__OPENCL_OPEN_DEVICES, ids, &count);
    if (status == CL_SUCCESS && count > 0) {
        for (cl_uint i = 0; i < count && i < NN__OPENCL_OPEN_DEVICES; i++)
            nn__opencl_open_add_found(search, scratch, platform, ids[i]);
        return;
    }
    nn__opencl_format(what, sizeof what, "no devices (clGetDeviceIDs: %s, %d)",
                      nn__opencl_status_name(status), (int)status);
    nn__opencl_open_add_line(search, name, what);
}

/* True if a comes before b: GPUs first; of GPUs those with their own memory first, then the faster
   ones; equal ones by platform name, then in the driver's order. The same machine always gives the
   same numbers. */
NN__OPENCL_PRIVATE bool nn__opencl_open_before(const nn__opencl_open_found *a,
                                               const nn__opencl_open_found *b) {
    if (a->order != b->order) return a->order < b->order;
    if (a->order == 0 && a->unified != b->unified) return b->unified;
    if (a->order == 0 && a->speed != b->speed) return a->speed > b->speed;
    return strcmp(a->platform_name, b->platform_name) < 0;
}

/* True for a driver that supports cards of any vendor, whose own driver may be installed too. */
static bool nn__opencl_open_is_general(const nn__opencl_open_found *found) {
    return nn__opencl_contains(found->platform_name, "rusticl") ||
           nn__opencl_contains(found->platform_name, "clover") ||
           nn__opencl_contains(found->platform_name, "portable computing language");
}

/* If two drivers know the same card, leaves one out. An open device stays; else the vendor's
   driver, else the first. */
NN__OPENCL_PRIVATE void nn__opencl_open_leave_out_twins(nn__opencl_open_found *found, int count) {
    for (int i = 0; i < count; i++) {
        for (int j = i + 1; j < count && !found[i].left_out; j++) {
            nn__opencl_open_found *first = &found[i], *second = &found[j], *out = second;
            if (!first->place || first->place != second->place || second->left_out) continue;
            if (first->platform == second->platform) continue; /* parts of one card */
            if (first->is_open != second->is_open)
                out = first->is_open ? second : first;
            else if (nn__opencl_open_is_general(first) && !nn__opencl_open_is_general(second))
                out = first;
            out->left_out = "left out: it is the same card as another entry, whose driver is "
                            "preferred; choose this one by desc.platform";
        }
    }
}

static void nn__opencl_open_sort(nn__opencl_open_search *search) {
    for (int i = 1; i < search->count; i++) {
        nn__opencl_open_found one = search->found[i];
        int j = i;
        for (; j > 0 && nn__opencl_open_before(&one, &search->found[j - 1]); j--)
            search->found[j] = search->found[j - 1];
        search->found[j] = one;
    }
}

/* Finds all devices. NULL: no memory. */
NN__OPENCL_PRIVATE nn__opencl_open_search *nn__opencl_open_find_all(nn_context *nn,
                                                                    const nn_opencl_desc *desc) {
    nn__opencl_open_search *search = (nn__opencl_open_search *)nn_take_memory(nn, sizeof *search);
    nn__opencl *scratch = (nn__opencl *)nn_take_memory(nn, sizeof *scratch);
    cl_platform_id platforms[32];
    cl_uint count = 0;
    cl_int status;
    const char *missing;
    if (!search || !scratch) {
        nn_give_memory(nn, search, sizeof *search);
        nn_give_memory(nn, scratch, sizeof *scratch);
        return NULL;
    }
    search->nn = nn;
    if (desc) search->desc = *desc;
    missing = nn__opencl_load_api(&search->cl);
    if (missing) {
        nn__opencl_copy_text(search->reason, sizeof search->reason, missing);
    } else {
        status = search->cl.GetPlatformIDs(32, platforms, &count);
        search->platforms = (int)count;
        if (status != CL_SUCCESS || count == 0) {
            count = 0;
            nn__opencl_format(search->reason, sizeof search->reason,
                              "no OpenCL platform (clGetPlatformIDs: %s, %d); install a driver",
                              nn__opencl_status_name(status), (int)status);
        }
        for (cl_uint i = 0; i < count && i < 32; i++)
            nn__opencl_open_search_platform(search, scratch, platforms[i]);
        nn__opencl_open_sort(search);
        nn__opencl_open_leave_out_twins(search->found, search->count);
        if (count > 0 && search->count == 0)
            nn__opencl_copy_text(search->reason, sizeof search->reason,
                                 "no platform here has a device");
    }
    nn_give_memory(nn, scratch, sizeof *scratch);
    return search;
}
