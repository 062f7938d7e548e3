/* 10_list_devices.c - lists every device that nn.h can use on this machine, and why others are left
   out.

     cc 10_list_devices.c -lm -lpthread -ldl && ./a.out   all of them
     ./a.out h200                                         only those with "h200" in their name
     ./a.out --test                                       tests every kernel against the CPU's

   NN_OPENCL_DYNAMIC loads the OpenCL library at run time, so that this binary also starts where
   there is none. It prints a line for each device, then what each opened device can do. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../nn_self_test.h"
#define NN_OPENCL_DYNAMIC
#define NN_OPENCL_IMPLEMENTATION
#include "../nn_opencl.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    static char list[8192];
    nn_context *nn = nn_open(&(nn_desc){.log = {nn_write_stderr, NULL}});
    bool test = argc > 1 && strcmp(argv[1], "--test") == 0;
    nn_opencl_desc desc = {.name = argc > 1 && !test ? argv[1] : NULL};
    nn_opencl_info info;
    nn_result result;
    char name[16];
    if (!nn) return 1;
    result = nn_opencl_open(nn, &desc);
    printf("cpu  %d threads, %s\n%s", nn_thread_count(nn), nn_instruction_set_name(nn),
           nn_opencl_list(nn, &desc, list, sizeof list));
    for (int i = 0; i < nn_device_count(nn); i++) {
        nn_device device = nn_device_at(nn, i);
        if (!nn_opencl_describe(nn, device, &info)) continue;
        printf("\n%s: %s by %s\n  %s, driver %s, platform %s\n",
               nn_format_device(device, name, sizeof name), info.name, info.vendor, info.version,
               info.driver, info.platform);
        printf("  %u compute units, work-groups up to %u, local memory %llu KB%s\n",
               (unsigned)info.compute_units, (unsigned)info.work_group,
               (unsigned long long)(info.local_memory >> 10),
               info.unified_memory ? ", memory shared with the host" : "");
        printf("  memory %llu MB, largest allocation %llu MB\n",
               (unsigned long long)(info.memory >> 20),
               (unsigned long long)(info.allocation >> 20));
    }
    printf("\nbest device: %s\n", nn_format_device(nn_best_device(nn), name, sizeof name));
    for (int i = 0; test && i < nn_device_count(nn); i++) {
        printf("\n");
        if (nn_self_test(nn, nn_device_at(nn, i), (nn_writer){nn_write_stdout, NULL}) < 0)
            result = NN_ERROR_UNSUPPORTED;
    }
    nn_close(nn);
    return result < 0; /* no OpenCL at all (NN_NOT_FOUND) is no mistake */
}
