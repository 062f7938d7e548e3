/* kernel_views.h: where the views stand in every kernel's arguments, and what the kernel does with them. It knows no
   device and runs nothing. Used by sim_device.h (handles to storage) and test_backends.c (buffers for every view). */
#ifndef NN_KERNEL_VIEWS_H
#define NN_KERNEL_VIEWS_H

#include <stdlib.h>
#include <string.h>

#include "test.h"

typedef enum view_role {
    VIEW_IN,      /* read only */
    VIEW_OUT,     /* written whole */
    VIEW_CHANGED, /* read and written: accumulation, parameters, status */
    VIEW_SCRATCH
} view_role;

typedef void (*view_visitor)(void *user, nn_view *view, view_role role, const char *name);

static TEST_UNUSED size_t kernel_args_bytes(nn_kernel kernel) {
    switch (kernel) {
#define NN__X(upper, lower, args) case NN_KERNEL_##upper: return sizeof(args);
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

static void kernel_view_present(view_visitor visit, void *user, nn_view *view, view_role role, const char *name) {
    if (view->dtype != NN_DTYPE_DEFAULT) visit(user, view, role, name);
}

/* Calls visit for every view that is present. The items of update and clip are visited too: `args` must be a
   kernel_args_copy or the caller's own, since views are handed out to be changed. */
static TEST_UNUSED void kernel_visit_views(nn_kernel kernel, void *args, view_visitor visit, void *user) {
    int i;
#define VIEW(field, role) kernel_view_present(visit, user, &a->field, (role), #field)
#define OUT_OR_CHANGED (a->accumulate ? VIEW_CHANGED : VIEW_OUT)
    switch (kernel) {
        case NN_KERNEL_NONE: case NN_KERNEL_COUNT: return;
        case NN_KERNEL_GEMM: {
            nn_gemm_args *a = (nn_gemm_args *)args;
            VIEW(y, OUT_OR_CHANGED); VIEW(a, VIEW_IN); VIEW(b, VIEW_IN);
            VIEW(epilogue.bias, VIEW_IN); VIEW(scratch, VIEW_SCRATCH);
            return;
        }
        case NN_KERNEL_CONV2D_FORWARD: {
            nn_conv2d_args *a = (nn_conv2d_args *)args;
            VIEW(y, VIEW_OUT); VIEW(x, VIEW_IN); VIEW(weight, VIEW_IN);
            VIEW(epilogue.bias, VIEW_IN); VIEW(scratch, VIEW_SCRATCH);
            return;
        }
        case NN_KERNEL_CONV2D_BACKWARD_INPUT: {
            nn_conv2d_args *a = (nn_conv2d_args *)args;
            VIEW(y, VIEW_IN); VIEW(x, OUT_OR_CHANGED); VIEW(weight, VIEW_IN); VIEW(scratch, VIEW_SCRATCH);
            return;
        }
        case NN_KERNEL_CONV2D_BACKWARD_WEIGHT: {
            nn_conv2d_args *a = (nn_conv2d_args *)args;
            VIEW(y, VIEW_IN); VIEW(x, VIEW_IN); VIEW(weight, OUT_OR_CHANGED);
            VIEW(epilogue.bias, OUT_OR_CHANGED); VIEW(scratch, VIEW_SCRATCH);
            return;
        }
        case NN_KERNEL_POOL2D_FORWARD: {
            nn_pool2d_args *a = (nn_pool2d_args *)args;
            VIEW(y, VIEW_OUT); VIEW(x, VIEW_IN); VIEW(index, VIEW_OUT);
            return;
        }
        case NN_KERNEL_POOL2D_BACKWARD: {
            nn_pool2d_args *a = (nn_pool2d_args *)args;
            VIEW(y, VIEW_IN); VIEW(x, OUT_OR_CHANGED); VIEW(index, VIEW_IN);
            return;
        }
        case NN_KERNEL_POINTWISE_FORWARD: case NN_KERNEL_POINTWISE_BACKWARD: {
            nn_pointwise_args *a = (nn_pointwise_args *)args;
            VIEW(y, OUT_OR_CHANGED); VIEW(a, VIEW_IN); VIEW(b, VIEW_IN);
            return;
        }
        case NN_KERNEL_REDUCE: {
            nn_reduce_args *a = (nn_reduce_args *)args;
            VIEW(y, OUT_OR_CHANGED); VIEW(x, VIEW_IN); VIEW(scratch, VIEW_SCRATCH);
            return;
        }
        case NN_KERNEL_SOFTMAX_FORWARD: {
            nn_softmax_args *a = (nn_softmax_args *)args;
            VIEW(y, VIEW_OUT); VIEW(x, VIEW_IN);
            return;
        }
        case NN_KERNEL_SOFTMAX_BACKWARD: {
            nn_softmax_args *a = (nn_softmax_args *)args;
            VIEW(y, VIEW_IN); VIEW(x, VIEW_OUT); VIEW(dy, VIEW_IN);
            return;
        }
        case NN_KERNEL_CROSS_ENTROPY_FORWARD: {
            nn_cross_entropy_args *a = (nn_cross_entropy_args *)args;
            VIEW(loss, VIEW_OUT); VIEW(logits, VIEW_IN); VIEW(label, VIEW_IN); VIEW(weight, VIEW_IN);
            VIEW(scratch, VIEW_SCRATCH); VIEW(status, VIEW_CHANGED);
            return;
        }
        case NN_KERNEL_CROSS_ENTROPY_BACKWARD: {
            nn_cross_entropy_args *a = (nn_cross_entropy_args *)args;
            VIEW(loss, VIEW_IN); VIEW(logits, VIEW_IN); VIEW(label, VIEW_IN); VIEW(weight, VIEW_IN);
            VIEW(dlogits, VIEW_OUT); VIEW(dloss, VIEW_IN); VIEW(scratch, VIEW_SCRATCH); VIEW(status, VIEW_CHANGED);
            return;
        }
        case NN_KERNEL_ACCURACY: {
            nn_accuracy_args *a = (nn_accuracy_args *)args;
            VIEW(y, VIEW_OUT); VIEW(logits, VIEW_IN); VIEW(label, VIEW_IN); VIEW(scratch, VIEW_SCRATCH);
            return;
        }
        case NN_KERNEL_CONFUSION: {
            nn_confusion_args *a = (nn_confusion_args *)args;
            VIEW(counts, VIEW_CHANGED); VIEW(logits, VIEW_IN); VIEW(label, VIEW_IN); VIEW(scratch, VIEW_SCRATCH);
            VIEW(status, VIEW_IN);
            return;
        }
        case NN_KERNEL_CLIP: {
            nn_clip_args *a = (nn_clip_args *)args;
            nn_update_item *items = (nn_update_item *)(uintptr_t)a->items;
            for (i = 0; items && i < a->count; i++)
                kernel_view_present(visit, user, &items[i].gradient, VIEW_IN, "gradient");
            VIEW(scale, VIEW_OUT); VIEW(norm, VIEW_OUT); VIEW(scratch, VIEW_SCRATCH);
            return;
        }
        case NN_KERNEL_UPDATE: {
            nn_update_args *a = (nn_update_args *)args;
            nn_update_item *items = (nn_update_item *)(uintptr_t)a->items;
            for (i = 0; items && i < a->count; i++) {
                kernel_view_present(visit, user, &items[i].parameter, VIEW_CHANGED, "parameter");
                kernel_view_present(visit, user, &items[i].gradient, VIEW_IN, "gradient");
                kernel_view_present(visit, user, &items[i].moment1, VIEW_CHANGED, "moment1");
                kernel_view_present(visit, user, &items[i].moment2, VIEW_CHANGED, "moment2");
            }
            VIEW(gradient_scale, VIEW_IN); VIEW(status, VIEW_IN);
            return;
        }
        case NN_KERNEL_ACCUMULATE: {
            nn_accumulate_args *a = (nn_accumulate_args *)args;
            VIEW(total, VIEW_CHANGED); VIEW(value, VIEW_IN); VIEW(status, VIEW_CHANGED);
            return;
        }
        case NN_KERNEL_RANDOM: {
            nn_random_args *a = (nn_random_args *)args;
            VIEW(y, VIEW_OUT);
            return;
        }
        case NN_KERNEL_POINTWISE: {
            nn_program_args *a = (nn_program_args *)args;
            nn_program_item *items = (nn_program_item *)(uintptr_t)a->items;
            int k, count = a->item_count ? a->item_count : 1;
            for (i = 0; i < count; i++) {
                nn_view *outputs = a->item_count ? items[i].outputs : a->outputs;
                nn_view *inputs = a->item_count ? items[i].inputs : a->inputs;
                for (k = 0; k < a->program.output_count; k++)
                    kernel_view_present(visit, user, &outputs[k],
                                        a->accumulate >> k & 1 || a->status.dtype ? VIEW_CHANGED : VIEW_OUT, "output");
                for (k = 0; k < a->program.input_count; k++)
                    kernel_view_present(visit, user, &inputs[k], VIEW_IN, "input");
            }
            VIEW(status, VIEW_IN); VIEW(scratch, VIEW_SCRATCH);
            return;
        }
        case NN_KERNEL_STRIDED_COPY: {
            nn_strided_copy_args *a = (nn_strided_copy_args *)args;
            nn_copy_piece *pieces = (nn_copy_piece *)(uintptr_t)a->pieces;
            VIEW(y, VIEW_CHANGED); /* what no piece reaches stays */
            for (i = 0; i < a->count; i++) kernel_view_present(visit, user, &pieces[i].x, VIEW_IN, "x");
            return;
        }
        case NN_KERNEL_CUSTOM: {
            nn_custom_args *a = (nn_custom_args *)args;
            VIEW(output, VIEW_OUT);
            for (i = 0; i < a->input_count; i++)
                kernel_view_present(visit, user, &a->input[i], VIEW_IN, "input");
            return;
        }
        case NN_KERNEL_GATHER: {
            nn_gather_args *a = (nn_gather_args *)args;
            VIEW(y, VIEW_OUT); VIEW(x, VIEW_IN); VIEW(index, VIEW_IN);
            return;
        }
        case NN_KERNEL_AUGMENT: {
            nn_augment_args *a = (nn_augment_args *)args;
            VIEW(y, VIEW_OUT); VIEW(x, VIEW_IN); VIEW(table, VIEW_IN); VIEW(normalize, VIEW_IN);
            VIEW(scratch, VIEW_SCRATCH);
            return;
        }
    }
#undef VIEW
#undef OUT_OR_CHANGED
}

/* Where the arguments keep their scratch; NULL: the kernel has no such field. */
static TEST_UNUSED nn_view *kernel_scratch_view(nn_kernel kernel, void *args) {
    switch (kernel) {
        case NN_KERNEL_GEMM: return &((nn_gemm_args *)args)->scratch;
        case NN_KERNEL_CONV2D_FORWARD: case NN_KERNEL_CONV2D_BACKWARD_INPUT: case NN_KERNEL_CONV2D_BACKWARD_WEIGHT:
            return &((nn_conv2d_args *)args)->scratch;
        case NN_KERNEL_REDUCE: return &((nn_reduce_args *)args)->scratch;
        case NN_KERNEL_CROSS_ENTROPY_FORWARD: case NN_KERNEL_CROSS_ENTROPY_BACKWARD:
            return &((nn_cross_entropy_args *)args)->scratch;
        case NN_KERNEL_ACCURACY: return &((nn_accuracy_args *)args)->scratch;
        case NN_KERNEL_CONFUSION: return &((nn_confusion_args *)args)->scratch;
        case NN_KERNEL_POINTWISE: return &((nn_program_args *)args)->scratch;
        case NN_KERNEL_CLIP: return &((nn_clip_args *)args)->scratch;
        case NN_KERNEL_AUGMENT: return &((nn_augment_args *)args)->scratch;
        default: return NULL;
    }
}

/* A deep copy (items included) in one malloc; free() it. */
static TEST_UNUSED void *kernel_args_copy(nn_kernel kernel, const void *args) {
    size_t bytes = kernel_args_bytes(kernel), start = (bytes + 15) / 16 * 16;
    const void *items = NULL;
    size_t item_bytes = 0;
    char *copy;
    if (kernel == NN_KERNEL_POINTWISE) {
        items = ((const nn_program_args *)args)->items;
        item_bytes = sizeof(nn_program_item) * (size_t)((const nn_program_args *)args)->item_count;
    }
    if (kernel == NN_KERNEL_STRIDED_COPY) {
        items = ((const nn_strided_copy_args *)args)->pieces;
        item_bytes = sizeof(nn_copy_piece) * (size_t)((const nn_strided_copy_args *)args)->count;
    }
    if (kernel == NN_KERNEL_CLIP || kernel == NN_KERNEL_UPDATE) {
        items = kernel == NN_KERNEL_CLIP ? ((const nn_clip_args *)args)->items : ((const nn_update_args *)args)->items;
        item_bytes = sizeof(nn_update_item) * (size_t)(kernel == NN_KERNEL_CLIP ? ((const nn_clip_args *)args)->count
                                                                              : ((const nn_update_args *)args)->count);
    }
    copy = (char *)malloc(start + item_bytes);
    if (!copy) return NULL;
    memcpy(copy, args, bytes);
    if (items) {
        memcpy(copy + start, items, item_bytes);
        if (kernel == NN_KERNEL_CLIP) ((nn_clip_args *)(void *)copy)->items = (nn_update_item *)(void *)(copy + start);
        else if (kernel == NN_KERNEL_STRIDED_COPY)
            ((nn_strided_copy_args *)(void *)copy)->pieces = (nn_copy_piece *)(void *)(copy + start);
        else if (kernel == NN_KERNEL_POINTWISE)
            ((nn_program_args *)(void *)copy)->items = (nn_program_item *)(void *)(copy + start);
        else ((nn_update_args *)(void *)copy)->items = (nn_update_item *)(void *)(copy + start);
    }
    return copy;
}

#endif /* NN_KERNEL_VIEWS_H */
