/* kernel_views.h: the views among the arguments of every kernel, and how the kernel uses them. It
   knows no device and runs nothing. Used by sim_device.h (to turn handles into storage) and
   test_backends.c (buffers for every view). */
#ifndef NN_KERNEL_VIEWS_H
#define NN_KERNEL_VIEWS_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

typedef enum view_role {
    VIEW_IN,      /* read only */
    VIEW_OUT,     /* written as a whole */
    VIEW_CHANGED, /* read and written: accumulation, parameters, status */
    VIEW_SCRATCH
} view_role;

typedef void (*view_visitor)(void *user, nn_view *view, view_role role, const char *name);

static TEST_UNUSED size_t kernel_args_bytes(nn_kernel kernel) {
    switch (kernel) {
#define NN__X(number, upper, lower, args, family) case NN_KERNEL_##upper: return sizeof(args);
        NN_KERNELS(NN__X)
#undef NN__X
        case NN_KERNEL_NONE: case NN_KERNEL_COUNT: break;
    }
    return 0;
}

static TEST_UNUSED uint64_t view_bytes(const nn_view *view) {
    uint64_t count = 1;
    int i;
    for (i = 0; i < view->shape.rank; i++) count *= (uint64_t)view->shape.extent[i];
    return count * nn_dtype_size(view->dtype);
}

static TEST_UNUSED int64_t view_count(const nn_view *view) {
    return (int64_t)(view_bytes(view) / nn_dtype_size(view->dtype));
}

static void kernel_view_present(view_visitor visit, void *user, nn_view *view, view_role role,
                                const char *name) {
    if (view->dtype != NN_DTYPE_DEFAULT) visit(user, view, role, name);
}

/* The roles of kernels/list.h; a: the arguments. */
#define VIEW_ROLE_IN VIEW_IN
#define VIEW_ROLE_OUT VIEW_OUT
#define VIEW_ROLE_SUM (a->accumulate ? VIEW_CHANGED : VIEW_OUT)
#define VIEW_ROLE_KEPT (a->accumulate || a->status.dtype ? VIEW_CHANGED : VIEW_OUT)
#define VIEW_ROLE_CHANGED VIEW_CHANGED
#define VIEW_ROLE_SCRATCH VIEW_SCRATCH
#define VIEW_OF(role, field, count)                                                                \
    for (i = 0; i < (int)(count); i++)                                                             \
        kernel_view_present(visit, user, (nn_view *)(uintptr_t)(&a->field + i), VIEW_ROLE_##role,  \
                            #field);
#define VIEW_OF_ITEMS(role, items, many, field, count)                                             \
    for (j = 0; a->items && j < (int)a->many; j++)                                                 \
        for (i = 0; i < (int)(count); i++)                                                         \
            kernel_view_present(visit, user, (nn_view *)(uintptr_t)(&a->items[j].field + i),       \
                                VIEW_ROLE_##role, #field);

/* Calls visit for every view that is present, including those of items. The visitor may change
   views, so `args` must be a kernel_args_copy or the caller's own. */
static TEST_UNUSED void kernel_visit_views(nn_kernel kernel, void *args, view_visitor visit,
                                           void *user) {
    int i, j;
    (void)j;
    switch (kernel) {
#define NN__X(number, upper, lower, args_type, family)                                             \
    case NN_KERNEL_##upper: {                                                                      \
        args_type *a = (args_type *)args;                                                          \
        NN_##upper##_VIEWS(VIEW_OF, VIEW_OF_ITEMS) break;                                          \
    }
        NN_KERNELS(NN__X)
#undef NN__X
        case NN_KERNEL_NONE: case NN_KERNEL_COUNT: break;
    }
}

/* Returns the scratch view of the arguments; NULL: the kernel has none. */
static TEST_UNUSED nn_view *kernel_scratch_view(nn_kernel kernel, void *args) {
    nn_view *scratch = NULL;
    switch (kernel) {
#define SCRATCH_IN(field)
#define SCRATCH_OUT(field)
#define SCRATCH_SUM(field)
#define SCRATCH_KEPT(field)
#define SCRATCH_CHANGED(field)
#define SCRATCH_SCRATCH(field) scratch = &a->field;
#define SCRATCH_OF(role, field, count) SCRATCH_##role(field)
#define SCRATCH_OF_ITEMS(role, items, many, field, count)
#define NN__X(number, upper, lower, args_type, family)                                             \
    case NN_KERNEL_##upper: {                                                                      \
        args_type *a = (args_type *)args;                                                          \
        (void)a;                                                                                   \
        NN_##upper##_VIEWS(SCRATCH_OF, SCRATCH_OF_ITEMS) break;                                    \
    }
        NN_KERNELS(NN__X)
#undef NN__X
        case NN_KERNEL_NONE: case NN_KERNEL_COUNT: break;
    }
    return scratch;
}

/* Returns a deep copy (with items) in one malloc; free() it. */
static TEST_UNUSED void *kernel_args_copy(nn_kernel kernel, const void *args) {
    size_t bytes = kernel_args_bytes(kernel), start = (bytes + 15) / 16 * 16, item_bytes = 0,
           place = 0;
    const void *items = NULL;
    char *copy;
    switch (kernel) {
#define ITEMS_OF(role, field, count)
#define ITEMS_OF_ITEMS(role, list, many, field, count)                                             \
    items = a->list;                                                                               \
    item_bytes = sizeof *a->list * (size_t)a->many;                                                \
    place = (size_t)((const char *)&a->list - (const char *)a);
#define NN__X(number, upper, lower, args_type, family)                                             \
    case NN_KERNEL_##upper: {                                                                      \
        const args_type *a = (const args_type *)args;                                              \
        (void)a;                                                                                   \
        NN_##upper##_VIEWS(ITEMS_OF, ITEMS_OF_ITEMS) break;                                        \
    }
        NN_KERNELS(NN__X)
#undef NN__X
        case NN_KERNEL_NONE: case NN_KERNEL_COUNT: break;
    }
    copy = (char *)malloc(start + item_bytes);
    if (!copy) return NULL;
    /* The arguments of a program end with its last input. */
    if (kernel == NN_KERNEL_POINTWISE)
        bytes = offsetof(nn_program_args, inputs) +
                sizeof(nn_view) * ((const nn_program_args *)args)->program.input_count;
    memset(copy, 0, start);
    memcpy(copy, args, bytes);
    if (items && item_bytes) {
        const void *copied = copy + start;
        memcpy(copy + start, items, item_bytes);
        memcpy(copy + place, &copied, sizeof copied);
    }
    return copy;
}

#endif /* NN_KERNEL_VIEWS_H */
