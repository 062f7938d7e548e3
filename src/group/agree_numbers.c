/* group/agree_numbers.c - describes what the shapes of a trainer do not show: the inputs of each
   operation and the arguments of its kernel (strides, epsilons, slopes, constants of expressions
   ...), as lines that ranks compare. The operation's rule lowers the node for the batch of a shard,
   without memory, to get them. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

typedef struct nn__numbers {
    const nn_writer *writer;
    const char *key; /* of the node: conv2d "conv1" */
} nn__numbers;

static void nn__numbers_bits(const nn_writer *writer, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    nn__print(writer, "%g (%08x)", (double)value, (unsigned)bits);
}

static void nn__numbers_int(const nn__numbers *to, const char *field, long long value) {
    nn__print(to->writer, "%s %s\t%lld\n", to->key, field, value);
}

static void nn__numbers_real(const nn__numbers *to, const char *field, float value) {
    nn__print(to->writer, "%s %s\t", to->key, field);
    nn__numbers_bits(to->writer, value);
    nn__print(to->writer, "\n");
}

/* ---- what the lists of arguments lack -------------------------------------------------------- */

static const char *nn__numbers_code(uint8_t code) {
#define NN__X(upper, lower, text, operands, weight, value) #lower,
    static const char *const names[] = {NN_INSTRUCTIONS(NN__X)};
#undef NN__X
    return names[code];
}

/* Writes each instruction with its operands. */
static void nn__numbers_program(const nn__numbers *to, const nn_program_args *args) {
    const nn_program *program = &args->program;
    nn__print(to->writer, "%s program\t", to->key);
    for (int i = 0; i < program->count; i++) {
        const nn_instruction *one = &program->code[i];
        nn__print(to->writer, "%s", i ? ", " : "");
        if (one->code == NN_CODE_CONSTANT)
            nn__numbers_bits(to->writer, one->value);
        else
            nn__print(to->writer, "%s(%d %d %d)", nn__numbers_code(one->code), one->a, one->b,
                      one->c);
    }
    for (int i = 0; i < program->output_count; i++)
        nn__print(to->writer, " to %d", program->output[i]);
    nn__print(to->writer, "\n");
    for (int i = 0; i < program->scalar_count; i++) {
        char field[24];
        nn__format(field, sizeof field, "number %d", i);
        nn__numbers_real(to, field, args->scalars[i]);
    }
}

/* Writes the source and the destination of each piece, which tell slices, flips and permutations
   apart. */
static void nn__numbers_pieces(const nn__numbers *to, const nn_strided_copy_args *args) {
    for (int32_t i = 0; i < args->count; i++) {
        const nn_copy_piece *piece = &args->pieces[i];
        nn__print(to->writer, "%s piece %d\tfrom %lld to %lld, steps", to->key, (int)i,
                  (long long)piece->x_first, (long long)piece->y_first);
        for (int k = 0; k < NN_COPY_AXES; k++)
            if (piece->extent[k] > 1)
                nn__print(to->writer, " %lld>%lld", (long long)piece->x_stride[k],
                          (long long)piece->y_stride[k]);
        nn__print(to->writer, "\n");
    }
}

/* ---- the lists of all kernels ---------------------------------------------------------------- */

#define NN__INT(field)  nn__numbers_int(to, #field, (long long)a->field);
#define NN__REAL(field) nn__numbers_real(to, #field, a->field);
#define NN__OTHER(field)
#define NN__X(number, upper, lower, args_type, family)                                             \
    case NN_KERNEL_##upper: {                                                                      \
        const args_type *a = &args->lower;                                                         \
        (void)a;                                                                                   \
        NN_##upper##_NUMBERS(NN__INT, NN__REAL, NN__OTHER) break;                                  \
    }
static void nn__numbers_of(const nn__numbers *to, nn_kernel kernel, const nn__args *args) {
    switch (kernel) {
        NN_KERNELS(NN__X)
    default: break;
    }
    if (kernel == NN_KERNEL_POINTWISE) nn__numbers_program(to, &args->pointwise);
    if (kernel == NN_KERNEL_STRIDED_COPY) nn__numbers_pieces(to, &args->strided_copy);
}
#undef NN__X
#undef NN__OTHER
#undef NN__REAL
#undef NN__INT

/* ---- nodes ----------------------------------------------------------------------------------- */

static bool nn__numbers_has(const nn_node *node) {
    return node->kind == NN__OPERATION && node->rule->kernel != NN_KERNEL_NONE &&
           node->rule->lower;
}

/* Returns the room for views and for pieces. */
static size_t nn__numbers_inputs(const nn_node *node) {
    return node->kind == NN__OPERATION ? (size_t)nn__piece_room(node) : 2;
}

NN_PRIVATE size_t nn__agree_node_room(const nn_trainer *trainer) {
    size_t most = 2;
    for (int i = 0; i < 2; i++)
        for (const nn_node *node = i ? trainer->tape.first : trainer->net->graph.first; node;
             node = node->next)
            if (nn__numbers_inputs(node) > most) most = nn__numbers_inputs(node);
    return most * (sizeof(nn_view) + sizeof(nn_copy_piece));
}

static nn_view nn__numbers_view(const nn_trainer *trainer, const nn_node *node) {
    nn_view view;
    memset(&view, 0, sizeof view);
    view.dtype = node->dtype;
    nn__resolve_shape(&view.shape, &node->shape, nn__maxi(trainer->plan->desc.batch, 1),
                      nn__maxi(trainer->plan->desc.time, 1));
    return view;
}

NN_PRIVATE void nn__agree_node_numbers(const nn_writer *writer, const nn_trainer *trainer,
                                  const nn_node *node, const char *key, void *room) {
    nn_view *inputs = (nn_view *)room;
    nn__run_values values;
    nn__lowering lowering;
    nn__numbers to;
    nn__args args;
    int k = 0;
    if (!nn__numbers_has(node)) return;
    memset(&values, 0, sizeof values);
    memset(&lowering, 0, sizeof lowering);
    memset(&args, 0, sizeof args);
    values.batch = nn__maxi(trainer->plan->desc.batch, 1);
    values.time = nn__maxi(trainer->plan->desc.time, 1);
    values.step = 1;
    values.training = true;
    for (int i = 0; i < node->input_count; i++)
        inputs[i] = nn__numbers_view(trainer, node->inputs[i]);
    lowering.inputs = inputs;
    lowering.pieces = inputs + nn__numbers_inputs(node);
    lowering.values = &values;
    lowering.output = nn__numbers_view(trainer, node);
    for (const nn_node *more = node->more; more && k < NN__MAX_OUTPUTS - 1; more = more->more)
        lowering.more[k++] = nn__numbers_view(trainer, more);
    node->rule->lower(node, &lowering, &args);
    to.writer = writer;
    to.key = key;
    nn__numbers_of(&to, node->rule->kernel, &args);
}

#endif /* NN__NO_TRAINER */

typedef int nn__agree_numbers_part; /* a part must not be empty under NN__NO_TRAINER */
