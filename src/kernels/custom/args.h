/* kernels/custom/args.h - a user's own operation. */
#pragma once

#include "base/result.h"
#include "device/types.h"

/* A user's own operation. */
typedef struct nn_custom_args {
    nn_view output;
    nn_view input[8];
    int32_t input_count;
    nn_result (*function)(void *user,
                          const struct nn_custom_args
                              *args); /* CPU: runs on the calling thread, views are pointers */
    void *user;
    const char *source; /* text for devices that compile */
    const char *entry;
} nn_custom_args;

/* Views and numbers: see kernels/list.h. */
#define NN_CUSTOM_VIEWS(VIEW, ITEM) VIEW(OUT, output, 1) VIEW(IN, input[0], a->input_count)
#define NN_CUSTOM_NUMBERS(INT, REAL, OTHER)                                                        \
    INT(input_count) OTHER(function) OTHER(user) OTHER(source) OTHER(entry)
