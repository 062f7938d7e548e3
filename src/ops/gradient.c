/* ops/gradient.c - nn_gradient: the trainer's rules of differentiation on the model's own graph. */
#include "ops/gradient.h"
#include "ops/more_private.h"

#ifndef NN_NO_TRAINING

#define NN__GRADIENT_NAME "gradient"

static nn_node *nn__op_gradient_fail(nn_model *net, nn_site site, const char *role,
                                  const nn_node *node, const char *cause, const char *fix) {
    nn__fault *fault = nn__build_fault(net, NN__FAULT_ARGUMENT, site, NN__GRADIENT_NAME, NULL, NULL,
                                       NULL, 0);
    if (node) nn__fault_operand(fault, role, node, false);
    nn__fault_cause(&net->faults, fault, "%s", cause);
    nn__fault_fix(&net->faults, fault, "%s", fix);
    return nn__poison(net);
}

static bool nn__op_gradient_real(nn_model *net, nn_site site, const char *role,
                                 const nn_node *node) {
    if (node->dtype == NN_F32 || nn__is_half(node->dtype)) return true;
    nn__op_gradient_fail(net, site, role, node, NN__TEXT("whole numbers have no gradient"),
                      NN__TEXT("nn_cast to f32 before the operations between the two"));
    return false;
}

/* Checks grad_outputs, or that y is one number. */
static bool nn__op_gradient_seeded(nn_model *net, nn_site site, const nn_node *y,
                                const nn_node *seed) {
    int64_t count;
    if (seed && seed->dtype == NN_F32 && nn_same_shape(seed->shape, y->shape)) return true;
    if (!seed && nn__symbolic_count(y->shape, &count) && count == 1 &&
        nn__free_extents(y->shape, NN__OF_BATCH | NN__OF_TIME) == 0)
        return true;
    nn__fault *fault = nn__build_fault(net, NN__FAULT_SHAPE, site, NN__GRADIENT_NAME, NULL, NULL,
                                       NULL, 0);
    nn__fault_operand(fault, "y", y, false);
    if (seed) nn__fault_operand(fault, "grad_outputs", seed, false);
    nn__fault_cause(&net->faults, fault,
                    seed ? NN__TEXT("grad_outputs is not f32 in the shape of y")
                         : NN__TEXT("y is not one number, and there is no grad_outputs"));
    nn__fault_fix(&net->faults, fault,
                  NN__TEXT("nn_sum or nn_mean of y, or .grad_outputs in its shape"));
    return false;
}

static bool nn__op_gradient_check(nn_model *net, nn_site site, nn_node *y, nn_nodes x,
                                  nn_node *seed) {
    static const char *const roles[] = {"y", "grad_outputs"}, *const by[] = {"x"};
    nn_node *ends[2];
    ends[0] = y;
    ends[1] = seed;
    bool fine = nn__check_inputs(net, site, NN__GRADIENT_NAME, NULL, ends, roles, seed ? 2 : 1);
    if (x.count <= 0 || !x.node) {
        nn__op_gradient_fail(net, site, NULL, NULL, NN__TEXT("there is no x"),
                          NN__TEXT("NN_NODES(a, b) lists the nodes by which to differentiate"));
        return false;
    }
    for (int i = 0; i < x.count; i++) {
        nn_node *one = x.node[i];
        if (!nn__check_inputs(net, site, NN__GRADIENT_NAME, NULL, &one, by, 1)) fine = false;
        else if (!nn__op_gradient_real(net, site, "x", one)) fine = false;
    }
    return fine && nn__op_gradient_real(net, site, "y", y) &&
           nn__op_gradient_seeded(net, site, y, seed);
}

static nn_node *nn__op_gradient_unused(nn_model *net, nn_site site, const nn_node *y,
                                    const nn_node *x) {
    nn__fault *fault = nn__build_fault(net, NN__FAULT_ARGUMENT, site, NN__GRADIENT_NAME, NULL, NULL,
                                       NULL, 0);
    nn__fault_operand(fault, "y", y, false);
    nn__fault_operand(fault, "x", x, false);
    nn__fault_cause(&net->faults, fault,
                    NN__TEXT("\"%s\" does not depend on \"%s\" through operations with a gradient"),
                    y->name, x->name);
    nn__fault_fix(&net->faults, fault,
                  NN__TEXT("look for nn_detach or an operation without a slope between the two; "
                           ".allow_unused = true gives zeros"));
    return nn__poison(net);
}

/* Adds the gradients and sets dx. False: one is a fault. */
static bool nn__op_gradient_add(nn_model *net, nn_site site, nn_node *y, nn_nodes x, nn_node **dx,
                             nn_node *seed, bool allow_unused) {
    nn__tape tape;
    const int faults = net->faults.count;
    net->gradients = nn__gradients_again();
    nn__tape_open(&tape, &net->graph, &net->faults);
    tape.singly = true;
#ifndef NN_NO_MIXED_PRECISION
    const nn_dtype autocast = net->graph.autocast;
    net->graph.autocast = NN_DTYPE_DEFAULT; /* gradients round like their nodes */
    net->graph.taping = true;
#endif
    if (!seed) seed = nn__tape_filled(&tape, y, 1.0f);
    bool fine = !tape.failed && nn__backward_by(&tape, y, x.node, x.count, seed);
    for (int i = 0; i < x.count && fine; i++) {
        dx[i] = x.node[i]->gradient;
        if (dx[i]) continue;
        dx[i] = allow_unused ? nn__tape_filled(&tape, x.node[i], 0.0f)
                             : nn__op_gradient_unused(net, site, y, x.node[i]);
        fine = !dx[i]->poisoned;
    }
#ifndef NN_NO_MIXED_PRECISION
    net->graph.autocast = autocast;
    net->graph.taping = false;
#endif
    if (!fine && net->faults.count == faults) nn__poison_memory(net, "gradients", sizeof(nn_node));
    return fine;
}

NN_API nn_node *nn_gradients_at(nn_site site, nn_model *net, nn_node *y, nn_nodes x, nn_node **dx,
                                const nn_gradient_desc *desc) {
    nn_node *seed = desc ? desc->grad_outputs : NULL;
    if (!net) return NULL;
    if (!dx)
        return nn__op_gradient_fail(net, site, NULL, NULL, NN__TEXT("dx is NULL"),
                                 NN__TEXT("an array with room for one node for each x"));
    if (nn__op_gradient_check(net, site, y, x, seed) &&
        nn__op_gradient_add(net, site, y, x, dx, seed, desc && desc->allow_unused))
        return dx[0];
    for (int i = 0; i < x.count; i++) dx[i] = nn__poison(net);
    return nn__poison(net);
}

NN_API nn_node *nn_gradient_at(nn_site site, nn_model *net, nn_node *y, nn_node *x,
                               const nn_gradient_desc *desc) {
    nn_node *dx;
    nn_nodes by;
    by.node = &x;
    by.count = 1;
    return nn_gradients_at(site, net, y, by, &dx, desc);
}

#undef NN__GRADIENT_NAME

#endif /* NN_NO_TRAINING */

typedef int nn__op_gradient_part; /* a part must not be empty under NN_NO_TRAINING */
