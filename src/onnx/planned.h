/* onnx/planned.h - what the files write_plan*.c share: a plan on its way to constants. */
#pragma once

#include "onnx/write_emit.h"
#include "onnx/write_plan.h"

enum { NN__PLANNED_FIELDS = 40 }; /* most fields of a kernel's arguments */

/* An argument of a kernel. kind: 'v' a view, 'n' a whole number, 'r' a float. */
typedef struct nn__planned_field {
    const char *name;
    uint16_t at, bytes;
    char kind;
} nn__planned_field;

/* A kernel that plans of constants may call. */
typedef struct nn__planned_kernel {
    nn_kernel kernel;
    const char *object;  /* the private constant of nn.h that has its functions */
    const char *args;    /* the type of its arguments */
    const char *pointer; /* the argument that points to instructions or pieces; NULL: none */
    const nn__planned_field *fields; /* views first */
    int count;
} nn__planned_kernel;

/* Storage: an input, a result, or the array of a weight. */
typedef struct nn__planned_value {
    const nn_node *node;
    const char *array; /* NULL: it is in the block */
    bool leaf, output;
    bool packed; /* of weights: two in a byte */
    int first, last; /* steps that use it; an input is written before step 0 */
    int same;        /* the value whose memory this one takes over, or -1 */
    int64_t bytes, offset;
} nn__planned_value;

/* A value in the shape in which a kernel sees it. */
typedef struct nn__planned_tensor {
    int value;
    nn_dtype dtype;
    nn_shape shape;
} nn__planned_tensor;

typedef struct nn__planned_step {
    const nn__planned_kernel *kernel;
    const nn_node *node;
    int64_t fields[NN__PLANNED_FIELDS]; /* a tensor from 1 on, a number, or the bits of a float */
    nn_instruction *code;
    nn_copy_piece *pieces; /* the handles of x are tensors from 1 on */
    int code_count, piece_count;
} nn__planned_step;

typedef struct nn__planned {
    nn__c_writer w; /* first: the functions of write_emit.h take its address */
    const nn_plan_c_desc *desc;
    nn_context *plain; /* tells how much scratch memory plain kernels want */
    nn__planned_value *values;
    nn__planned_tensor *tensors;
    nn__planned_step *steps;
    int *of; /* of each node of the writer: its value, or -1 */
    int value_count, tensor_count, tensor_room, step_count;
    int64_t activations, scratch;    /* bytes of the block */
    bool rows[NN_INSTRUCTION_COUNT]; /* instructions of pointwise programs that occur */
    bool relu, general, dtypes;      /* functions that kernels call through their device */
    bool rare;                       /* NN_NO_RARE_OPTIONS would leave out an option */
} nn__planned;

static inline bool nn__planned_is_piecewise(const nn__planned_step *step) {
    return step->kernel->kernel == NN_KERNEL_STRIDED_COPY;
}
/* write_plan_kernels.c: returns the kernel's entry; NULL: plans of constants do not have it. */
NN__ONNX_PRIVATE const nn__planned_kernel *nn__planned_find_kernel(nn_kernel kernel);
/* Returns the entry of convolutions and products whose weights are packed. */
NN__ONNX_PRIVATE const nn__planned_kernel *nn__planned_packed_kernel(void);
/* Returns the index of a field; -1: the kernel has no such field. */
NN__ONNX_PRIVATE int nn__planned_field_at(const nn__planned_kernel *kernel, const char *name);
/* write_plan_steps.c: lists values, tensors and steps. False: an error or a refusal. */
NN__ONNX_PRIVATE bool nn__planned_list(nn__planned *p);
/* write_plan_packed.c: finds the weights that fit into half a byte. False: an error. */
NN__ONNX_PRIVATE bool nn__planned_pack(nn__planned *p);
/* Prints packed weights, and returns the name of their array. */
NN__ONNX_PRIVATE const char *nn__planned_packed_array(nn__planned *p, const nn_node *node);
/* write_plan_layout.c: gives each value its place in the block. False: no memory. */
NN__ONNX_PRIVATE bool nn__planned_lay_out(nn__planned *p);
/* write_plan_text.c: prints everything to desc->writer. False: an error. */
NN__ONNX_PRIVATE bool nn__planned_print(nn__planned *p);
