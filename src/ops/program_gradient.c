/* ops/program_gradient.c - gradients of pointwise programs. The gradient of a chain of nodes is
   one program, which computes all intermediate values again from the chain's inputs, so none of
   them has to be kept. A chain ends where a program reaches its limits. */
#include "ops/program.h"

#ifndef NN_NO_TRAINING

/* A node joined with some of its producers: one program over `inputs`. */
typedef struct nn__chain {
    nn__draft draft;
    nn_instruction code[NN_PROGRAM_LENGTH];
    nn_program program;
    nn_node *inputs[NN_PROGRAM_INPUTS];
    float scalars[NN_PROGRAM_SCALARS];
    uint64_t stream;
    bool random;
} nn__chain;

static const nn__rule nn__rule_program_backward = {"pointwise_backward",
                                                   NN_KERNEL_POINTWISE,
                                                   NN__IN_PLACE | NN__ANY_DTYPE,
                                                   NN_ACTIVATION_NONE,
                                                   nn__op_program_lower,
                                                   nn__op_program_gradient,
                                                   nn__op_program_flops,
                                                   NULL,
                                                   NULL};
/* A node with a random mask, which changes with each step. */
static const nn__rule nn__rule_random_backward = {"pointwise_backward",
                                                  NN_KERNEL_POINTWISE,
                                                  NN__IN_PLACE | NN__DYNAMIC | NN__ANY_DTYPE,
                                                  NN_ACTIVATION_NONE,
                                                  nn__op_program_lower,
                                                  nn__op_program_gradient,
                                                  nn__op_program_flops,
                                                  NULL,
                                                  NULL};

/* The gradient of a dropout in a model. Its input 0 is dy, which plans that do not train pass
   on. */
static const nn__rule nn__rule_dropout_backward = {"dropout_backward",
                                                   NN_KERNEL_POINTWISE,
                                                   NN__IN_PLACE | NN__DYNAMIC | NN__ANY_DTYPE |
                                                       NN__WHEN_TRAINING,
                                                   NN_ACTIVATION_NONE,
                                                   nn__op_program_lower,
                                                   nn__op_program_gradient,
                                                   nn__op_program_flops,
                                                   NULL,
                                                   NULL};

/* Joins the producer of input `which` with the chain. False: it does not fit, and the chain is
   unchanged. */
static bool nn__chain_take(nn__chain *chain, int which) {
    const nn__program_params *params = (const nn__program_params *)chain->inputs[which]->params;
    nn__draft *draft = &chain->draft;
    nn_node *nodes[NN__DRAFT_INPUTS], *old[NN_PROGRAM_INPUTS];
    float numbers[2 * NN_PROGRAM_SCALARS], kept[NN_PROGRAM_SCALARS];
    int count = 0, scalars = 0, inner[NN_PROGRAM_INPUTS], at[NN_PROGRAM_INPUTS],
        inner_scalars[NN_PROGRAM_SCALARS], at_scalars[NN_PROGRAM_SCALARS],
        outputs[NN_PROGRAM_OUTPUTS];
    nn_instruction code[NN_PROGRAM_LENGTH];
    nn_program program;
    uint8_t from[NN_PROGRAM_INPUTS], from_scalars[NN_PROGRAM_SCALARS];
    nn__draft_begin(draft);
    memcpy(old, chain->inputs, sizeof old);
    memcpy(kept, chain->scalars, sizeof kept);
    for (int i = 0; i < chain->program.input_count; i++) {
        nodes[count] = old[i];
        at[i] = i == which ? 0 : nn__draft_input(draft, count++);
    }
    for (int i = 0; i < params->program.input_count; i++) {
        nn_node *input = old[which]->inputs[i];
        int k = 0;
        while (k < count && nodes[k] != input) k++;
        if (k == count) nodes[count++] = input;
        inner[i] = nn__draft_input(draft, k);
    }
    for (int i = 0; i < params->program.scalar_count; i++) {
        numbers[scalars] = params->scalars[i];
        inner_scalars[i] = nn__draft_scalar(draft, scalars++);
    }
    for (int i = 0; i < chain->program.scalar_count; i++) {
        numbers[scalars] = kept[i];
        at_scalars[i] = nn__draft_scalar(draft, scalars++);
    }
    if (!nn__draft_merge(draft, &params->program, inner, inner_scalars, outputs)) return false;
    at[which] = outputs[0];
    if (!nn__draft_merge(draft, &chain->program, at, at_scalars, outputs)) return false;
    nn__draft_output(draft, outputs[0]);
    if (!nn__draft_finish(draft, code, &program, from, from_scalars)) return false;
    memcpy(chain->code, code, sizeof code);
    chain->program = program;
    chain->program.code = chain->code;
    for (int i = 0; i < program.input_count; i++) chain->inputs[i] = nodes[from[i]];
    for (int i = 0; i < program.scalar_count; i++) chain->scalars[i] = numbers[from_scalars[i]];
    if (nn__program_is_random(&params->program)) {
        chain->random = true;
        chain->stream = params->stream;
    }
    return true;
}

/* True if the chain may compute this input again: only the chain reads it, and it has the
   chain's shape. Two kinds are left out: activations that can become the epilogue of the node
   before them, and programs whose rule defines its gradient by hand (bce_loss). random: the chain
   draws random numbers. */
static bool nn__chain_takes(bool random, const nn_node *node, const nn_node *end) {
    const nn_node *before = node->input_count ? node->inputs[0] : NULL;
    if (!nn__is_program(node) || node->more || node->owner || node->gradient || !node->wanted ||
        node->readers != 1 || node->rule->gradient != nn__op_program_gradient)
        return false;
    if (!nn_same_shape(node->shape, end->shape) || !nn_same_device(node->device, end->device))
        return false;
    if (node->graph != end->graph && !end->repeats) return false;
    if (node->dtype != NN_F32) return false;
    if (node->rule->fuses != NN_ACTIVATION_NONE && before && before->kind == NN__OPERATION &&
        (before->rule->flags & NN__EPILOGUE))
        return false;
    return !(random &&
             nn__program_is_random(&((const nn__program_params *)node->params)->program));
}

static void nn__chain_begin(nn__chain *chain, const nn_node *node) {
    const nn__program_params *params = (const nn__program_params *)node->params;
    memcpy(chain->code, params->program.code, sizeof(nn_instruction) * params->program.count);
    chain->program = params->program;
    chain->program.code = chain->code;
    for (int i = 0; i < node->input_count; i++) chain->inputs[i] = node->inputs[i];
    for (int i = 0; i < params->program.scalar_count; i++) chain->scalars[i] = params->scalars[i];
    chain->stream = params->stream;
    chain->random = nn__program_is_random(&params->program);
}

static unsigned nn__chain_wanted(const nn__chain *chain) {
    unsigned wanted = 0;
    for (int i = 0; i < chain->program.input_count; i++)
        if (nn__wants(chain->inputs[i])) wanted |= 1u << i;
    return wanted;
}

/* Derives the chain with respect to the inputs in `wanted`, into params and from. Prefers a
   derivative that reads the result, unless that needs more inputs. */
static bool nn__chain_derive(nn__chain *chain, unsigned wanted, nn_instruction *code,
                             nn__program_params *params, uint8_t *from) {
    nn_instruction other[NN_PROGRAM_LENGTH];
    nn_program plain;
    uint8_t plain_from[NN_PROGRAM_INPUTS], scalars[NN_PROGRAM_SCALARS],
        plain_scalars[NN_PROGRAM_SCALARS];
    bool by_results = nn__program_derive(&chain->program, wanted, true, &chain->draft) &&
                      nn__draft_finish(&chain->draft, code, &params->program, from, scalars);
    bool by_inputs = nn__program_derive(&chain->program, wanted, false, &chain->draft) &&
                     nn__draft_finish(&chain->draft, other, &plain, plain_from, plain_scalars);
    if (!by_results && !by_inputs) return false;
    if (!by_results || (by_inputs && plain.input_count < params->program.input_count)) {
        memcpy(code, other, sizeof other);
        memcpy(from, plain_from, sizeof plain_from);
        memcpy(scalars, plain_scalars, sizeof plain_scalars);
        params->program = plain;
    }
    for (int i = 0; i < params->program.scalar_count; i++)
        params->scalars[i] = chain->scalars[scalars[i]];
    params->stream = chain->stream;
    return true;
}

/* Decides how each input gets its gradient: as dy itself, or as an output of the new node. Equal
   outputs are computed once, and outputs that are 0 are not computed. */
typedef struct nn__chain_gifts {
    nn_node *given[NN_PROGRAM_INPUTS];
    /* for each input that has none yet: the place in the derivative's outputs */
    uint8_t asked[NN_PROGRAM_INPUTS];
    uint8_t places[NN_PROGRAM_OUTPUTS];
    int outputs;
} nn__chain_gifts;

static void nn__chain_sort(const nn__chain *chain, unsigned wanted, const nn_instruction *code,
                           const nn_program *program, const uint8_t *from, nn_node *dy,
                           nn__chain_gifts *gifts) {
    int k = 0;
    memset(gifts, 0, sizeof *gifts);
    for (int i = 0; i < chain->program.input_count; i++) {
        if (!(wanted >> i & 1u)) continue;
        const uint8_t asked = gifts->asked[i] = program->output[k++];
        const nn_instruction *x = &code[asked];
        int same = 0;
        if (x->code == NN_CODE_INPUT && from[x->a] >= NN__DERIVE_GRADIENT) {
            gifts->given[i] = dy;
        } else if (x->code != NN_CODE_CONSTANT || x->value != 0.0f) {
            while (same < gifts->outputs && gifts->places[same] != asked) same++;
            if (same == gifts->outputs) gifts->places[gifts->outputs++] = asked;
        }
    }
}

static const nn__rule *nn__chain_rule(const nn__tape *tape, const nn_node *node,
                                      const nn_program *program) {
    if (tape->singly && (node->rule->flags & NN__WHEN_TRAINING)) return &nn__rule_dropout_backward;
    return nn__program_is_random(program) ? &nn__rule_random_backward : &nn__rule_program_backward;
}

/* Makes dy the program's input 0, as nn__rule_dropout_backward needs. */
static void nn__chain_dy_first(nn_instruction *code, const nn_program *program, nn_node **inputs,
                               nn_node *dy) {
    int at = 0;
    while (at < program->input_count && inputs[at] != dy) at++;
    if (at == 0 || at == program->input_count) return;
    inputs[at] = inputs[0];
    inputs[0] = dy;
    for (int i = 0; i < program->count; i++) {
        if (code[i].code != NN_CODE_INPUT) continue;
        if (code[i].a == at) code[i].a = 0;
        else if (code[i].a == 0) code[i].a = (uint8_t)at;
    }
}

/* Adds the node of the derivative and gives its outputs. False: no memory. */
static bool nn__chain_make(nn__tape *tape, const nn__chain *chain, unsigned wanted,
                           const nn_instruction *code, nn__program_params *params,
                           nn_node **inputs, nn_node *node, nn_node *dy,
                           nn__chain_gifts *gifts) {
    nn_program *program = &params->program;
    const size_t bytes = sizeof(nn_instruction) * program->count;
    nn_instruction *copy = (nn_instruction *)nn__arena_take(&tape->graph->arena, bytes);
    if (!copy) {
        tape->failed = true;
        return false;
    }
    program->code = (const nn_instruction *)memcpy(copy, code, bytes);
    const nn__rule *rule = nn__chain_rule(tape, node, program);
    if (rule == &nn__rule_dropout_backward) nn__chain_dy_first(copy, program, inputs, dy);
    program->output_count = (uint8_t)gifts->outputs;
    memcpy(program->output, gifts->places, sizeof program->output);
    nn__install_derivatives(tape->nn);
    const nn_node *like = node;
    for (int i = chain->program.input_count - 1; i >= 0; i--)
        if (wanted >> i & 1u && !gifts->given[i]) like = chain->inputs[i];
    nn_node *made = nn__tape_node(tape, rule, like, ".grad", inputs, program->input_count, NN_F32,
                                  node->shape, params, NN__PROGRAM_PARAMS_BYTES(params));
    if (made->poisoned) return false;
    made->site = node->site; /* where the operation was called, not where its inputs were */
    nn__place_like(made, node);
    for (int i = 1; i < gifts->outputs; i++) nn__add_output(made, "more", NN_F32, node->shape);
    for (int i = 0; i < chain->program.input_count; i++)
        for (int j = 0; j < gifts->outputs; j++)
            if (wanted >> i & 1u && !gifts->given[i] && gifts->places[j] == gifts->asked[i])
                gifts->given[i] = nn__output(made, j);
    return true;
}

/* Gives each wanted input its gradient. Gradients that are dy itself or 0 need no kernel. */
static void nn__chain_give(nn__tape *tape, const nn__chain *chain, unsigned wanted,
                           const nn_instruction *code, nn__program_params *params,
                           const uint8_t *from, nn_node *node, nn_node *dy) {
    nn_node *inputs[NN_PROGRAM_INPUTS];
    nn__chain_gifts gifts;
    for (int i = 0; i < params->program.input_count; i++)
        inputs[i] = from[i] < NN__DERIVE_RESULT     ? chain->inputs[from[i]]
                    : from[i] < NN__DERIVE_GRADIENT ? node
                                                    : dy;
    nn__chain_sort(chain, wanted, code, &params->program, from, dy, &gifts);
    if (gifts.outputs > 0 &&
        !nn__chain_make(tape, chain, wanted, code, params, inputs, node, dy, &gifts))
        return;
    for (int i = 0; i < chain->program.input_count; i++)
        if (gifts.given[i])
            nn__give_gradient(tape, chain->inputs[i],
                              nn__tape_sum_to(tape, gifts.given[i], chain->inputs[i]));
}

/* Adds the gradient that a line defines by hand, from y and dy. */
static void nn__op_line_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn__program_params *given = (const nn__program_params *)node->params;
    /* a copy, since a node stores only the scalars that its program has */
    nn__program_params params;
    nn_node *inputs[2];
    memset(&params, 0, sizeof params);
    memcpy(&params, given, NN__PROGRAM_PARAMS_BYTES(given));
    inputs[0] = node;
    inputs[1] = dy;
    params.line = NULL;
    params.program = given->line->gradient;
    nn__install_derivatives(tape->nn);
    nn__give_gradient(tape, node->inputs[0],
                      nn__tape_node(tape, &nn__rule_program_backward, node->inputs[0], ".grad",
                                    inputs, 2, NN_F32, node->shape, &params,
                                    NN__PROGRAM_PARAMS_BYTES(&params)));
}

static void nn__chain_fail(nn__tape *tape, const nn_node *node) {
    nn__fault *fault = nn__add_node_fault(tape->faults, NN__FAULT_ARGUMENT, node);
    tape->failed = true;
    nn__fault_cause(
        tape->faults, fault,
        NN__TEXT("its derivative needs more than the %d instructions or %d inputs of a program"),
        NN_PROGRAM_LENGTH, NN_PROGRAM_INPUTS);
    nn__fault_fix(tape->faults, fault, NN__TEXT("write it as two expressions"));
}

/* Adds the gradient of a node and of the producers that it can be joined with. */
static NN__APART void nn__op_chain_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn__program_params *own = (const nn__program_params *)node->params;
    nn__chain *chain = (nn__chain *)nn__allocate(&tape->nn->memory, 2 * sizeof *chain), *backup;
    nn_instruction code[NN_PROGRAM_LENGTH];
    nn__program_params params;
    uint8_t from[NN_PROGRAM_INPUTS];
    bool grown = true, fits;
    if (!chain) {
        nn__fail_memory(tape->nn, "gradients", 2 * sizeof *chain);
        tape->failed = true;
        return;
    }
    backup = chain + 1;
    nn__chain_begin(chain, node);
    memset(&params, 0, sizeof params);
    while (
        grown) { /* takes in one producer at a time while the derivative fits */
        grown = false;
        for (int i = 0; i < chain->program.input_count && !grown; i++) {
            if (tape->singly || !nn__chain_takes(chain->random, chain->inputs[i], node)) continue;
            *backup = *chain;
            backup->program.code = backup->code;
            grown = nn__chain_take(chain, i) &&
                    nn__chain_derive(chain, nn__chain_wanted(chain), code, &params, from);
            if (grown) continue;
            *chain = *backup;
            chain->program.code = chain->code;
        }
    }
    if (own->line && own->line->gradient.count && chain->inputs[0] == node->inputs[0] &&
        node->input_count == 1 && chain->program.count == own->program.count) {
        nn__op_line_gradient(tape, node, dy);
    } else {
        unsigned wanted = nn__chain_wanted(chain);
        fits = !tape->singly && nn__chain_derive(chain, wanted, code, &params, from);
        if (fits) nn__chain_give(tape, chain, wanted, code, &params, from, node, dy);
        for (int i = 0; !fits && i < chain->program.input_count; i++) { /* one input at a time */
            if (!(wanted >> i & 1u)) continue;
            if (nn__chain_derive(chain, 1u << i, code, &params, from))
                nn__chain_give(tape, chain, 1u << i, code, &params, from, node, dy);
            else if (!tape->failed)
                nn__chain_fail(tape, node);
        }
    }
    nn__release(&tape->nn->memory, chain, 2 * sizeof *chain);
}

NN_PRIVATE void nn__tape_program_gradient(nn__tape *tape, nn_node *node, nn_node *dy) {
    const nn__program_params *own = (const nn__program_params *)node->params;
    /* A chain takes 2 KB of stack and 6 KB of memory. The usual activations have a line and a
       product before them, so they need none. */
    if (own->line && own->line->gradient.count && node->input_count == 1 &&
        (tape->singly ||
         !nn__chain_takes(nn__program_is_random(&own->program), node->inputs[0], node)))
        nn__op_line_gradient(tape, node, dy);
    else nn__op_chain_gradient(tape, node, dy);
}

NN_PRIVATE void nn__tape_open(nn__tape *tape, nn__graph *graph, nn__faults *faults) {
    memset(tape, 0, sizeof *tape);
    tape->graph = graph;
    tape->nn = graph->nn;
    tape->faults = faults;
    tape->add = nn__tape_add;
    tape->program = nn__tape_program_gradient;
    tape->sum_to = nn__tape_make_sum;
    if (graph->model->gradients) {
        tape->again = graph->model->gradients->again;
        tape->unpool = graph->model->gradients->unpool;
    }
}

NN_PRIVATE void nn__again_ends(nn__tape *tape, const nn_node *node, const char *why) {
    nn__fault *fault = nn__add_node_fault(tape->faults, NN__FAULT_UNSUPPORTED, node);
    tape->failed = true;
    nn__fault_cause(tape->faults, fault,
                    NN__TEXT("this gradient (%s) is not differentiable again%s%s"),
                    node->rule->name, why ? ": " : "", why ? why : "");
    nn__fault_fix(tape->faults, fault,
                  NN__TEXT("nn_detach the gradient to use it as a constant; docs/gradients.md "
                           "lists the operations that have second gradients"));
}

/* A pointwise node gets its extents from an input, so there is one. */
static const nn_instruction nn__filled_code[] = {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                                 {NN_CODE_SCALAR, 0, 0, 0, 0.0f}};
static const nn__rule nn__rule_filled = {"filled",
                                         NN_KERNEL_POINTWISE,
                                         NN__IN_PLACE | NN__ANY_DTYPE,
                                         NN_ACTIVATION_NONE,
                                         nn__op_program_lower,
                                         NULL,
                                         NULL,
                                         NULL,
                                         NULL};

NN_PRIVATE nn_node *nn__tape_filled(nn__tape *tape, nn_node *x, float value) {
    nn__program_params params;
    if (x->poisoned) return x;
    memset(&params, 0, sizeof params);
    params.program.code = nn__filled_code;
    params.program.count = NN__COUNT(nn__filled_code);
    params.program.input_count = params.program.output_count = params.program.scalar_count = 1;
    params.program.output[0] = 1;
    params.scalars[0] = value;
    nn__install_program(tape->nn);
    nn__install_program_general(tape->nn);
    nn__op_program_dtypes(tape->nn, &x, 1);
    return nn__tape_node(tape, &nn__rule_filled, x, ".grad", &x, 1, NN_F32, x->shape, &params,
                         NN__PROGRAM_PARAMS_BYTES(&params));
}

#endif /* NN_NO_TRAINING */
