/* graph/build.h - adding nodes to a graph: what every builder in ops/ uses. */
#pragma once

#include "graph/rule.h"

/* Starts an operation: checks model and inputs (NULL, other model or context: faults). Returns
   false if the node must be poisoned: then return nn__poison(net). Also false when net is NULL. */
NN_PRIVATE bool nn__check_inputs(nn_model *net, nn_site site, const char *operation,
                                 const char *name, nn_node *const *inputs, const char *const *roles,
                                 int count);
/* The model's poisoned node; NULL only if net is NULL. */
NN_PRIVATE nn_node *nn__poison(nn_model *net);
/* The same where there is no memory for `what`. It counts as a fault, so that no plan is made of a
   description from which something is missing. */
NN_PRIVATE nn_node *nn__poison_memory(nn_model *net, const char *what, uint64_t bytes);
/* A node of the model; never NULL (no memory: the poisoned one). name NULL: the rule's name,
   "relu", "relu_2" ... params (params_bytes) are copied. The shape has symbolic extents. */
NN_PRIVATE nn_node *nn__add_node(nn__graph *graph, nn_site site, const nn__rule *rule,
                                 const char *operation, const char *name, nn_node *const *inputs,
                                 const char *const *roles, int count, nn_dtype dtype,
                                 nn_shape shape, const void *params, size_t params_bytes);
/* The same, for those that many programs link: a copy of the shape is 40 bytes of code a call. */
NN_PRIVATE nn_node *nn__new_node(nn__graph *graph, nn_site site, const nn__rule *rule,
                                 const char *operation, const char *name, nn_node *const *inputs,
                                 const char *const *roles, int count, nn_dtype dtype,
                                 const nn_shape *shape, const void *params, size_t params_bytes);
/* f16 and bf16 are ways to store numbers; what computes with them does it in f32. */
static inline NN__UNUSED bool nn__is_half(nn_dtype dtype) {
    return dtype == NN_F16 || dtype == NN_BF16;
}
/* The node "cast" of x to another dtype, on x's device; name NULL: "cast", "cast_2" ... x has
   another dtype than that, and both are dtypes that programs read and write. */
NN_PRIVATE nn_node *nn__add_cast(nn__graph *graph, nn_site site, const char *name, nn_node *x,
                                 nn_dtype dtype);
/* The rule of a cast to this dtype, which is its params for `infer`. */
NN_PRIVATE const nn__rule *nn__cast_rule(nn_dtype dtype);
NN_PRIVATE bool nn__cast_infer(nn__inference *inference);
#ifndef NN_NO_REPORTS
/* Puts casts to f32 between the node, which is not yet part of the graph, and what it reads in f16
   or bf16, unless its rule takes operands as they are stored. False: no memory. A firmware
   (NN_NO_REPORTS) writes its casts itself. */
NN_PRIVATE bool nn__widen_inputs(nn__graph *graph, nn_node *node);
#endif
NN_PRIVATE void nn__install_cast(nn_context *nn);
#ifndef NN_NO_TRAINING
/* A second node that computes the same, from what its inputs are `again`, or else from the same
   inputs; from->again is this node then. Of a further output: that of its owner's. */
NN_PRIVATE nn_node *nn__repeat_node(nn__graph *graph, nn_node *from);
#endif
/* The next output of an operation, "node.suffix"; NN__MAX_OUTPUTS at most. */
NN_PRIVATE nn_node *nn__add_output(nn_node *node, const char *suffix, nn_dtype dtype,
                                   nn_shape shape);
/* nn_output(node, k) is this node from now on: of operations that are made of others. A node with
   such results has no other outputs to users. Poisoned or no memory: it stays without. */
NN_PRIVATE void nn__add_result(nn_node *node, int k, nn_node *result);
/* Puts a node and its further outputs on the device of `like`, to move as it does. */
NN_PRIVATE void nn__place_like(nn_node *node, const nn_node *like);
/* Leaves that may have this name, to be walked by nn__next_leaf. */
static inline NN__UNUSED nn_node **nn__leaf_list(nn__graph *graph, const char *name) {
#ifdef NN_NO_REPORTS
    (void)name; /* a net this small is walked whole */
    return &graph->first;
#else
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
    hash ^= hash >> 16;
    return graph->leaves ? &graph->leaves[hash % graph->leaf_lists]
                         : &graph->few_leaves[hash % (uint32_t)NN__COUNT(graph->few_leaves)];
#endif
}
#ifndef NN_NO_REPORTS
/* Puts it first into the list of its name. */
NN_PRIVATE void nn__list_leaf(nn__graph *graph, nn_node *leaf);
#endif
static inline NN__UNUSED nn_node *nn__next_leaf(const nn_node *leaf) {
#ifdef NN_NO_REPORTS
    return leaf->next;
#else
    return leaf->alike;
#endif
}
NN_PRIVATE nn_node *nn__add_leaf(nn__graph *graph, nn_site site, nn__node_kind kind,
                                 const char *name, nn_dtype dtype, const nn_shape *shape);
/* nn_parameter. */
NN_PRIVATE nn_node *nn__parameter(nn_site site, nn_model *net, const char *name,
                                  const nn_shape *shape, float low, float high);
/* Parameter "layer.part" of the model, uniform in [-bound, bound). shared: the one of that name if
   there is one. */
NN_PRIVATE nn_node *nn__add_parameter(nn_model *net, nn_site site, const char *layer,
                                      const char *part, const nn_shape *shape, float bound,
                                      bool shared);
/* What PyTorch's layers start with: uniform in [-bound, bound), bound = 1 / sqrt(fan_in). */
NN_PRIVATE float nn__fan_bound(int64_t fan_in);
/* Most inputs of an operation whose `infer` reads inference->inputs, the parameters of a layer
   included. One with more (concat) reads inference->nodes. */
#define NN__INFERRED 8
/* The `infer` of an operation whose output has the type of its input, whatever that is. */
NN_PRIVATE bool nn__infer_same(nn__inference *inference);
/* What builders of ops/ do once they know their rule: checks the inputs, asks the rule's `infer`,
   reports its problem as a fault, lets `install` (NULL: nothing) bring the CPU's kernel, adds the
   parameters of a layer, for which `roles` has names, and the node with its first output. params
   (NULL: the caller gave no desc) are copied, roles are not: nodes point to them.
   roles NULL: each is "input". A rule that is composed adds nothing; then the first input is
   returned when all is well. */
NN_PRIVATE nn_node *nn__build(nn_site site, nn_model *net, const nn__rule *rule,
                              void (*install)(nn_context *nn), const char *name,
                              nn_node *const *inputs, const char *const *roles, int count,
                              const void *params, size_t params_bytes);
/* The same for one input, which messages call "input". */
NN_PRIVATE nn_node *nn__build_unary(nn_site site, nn_model *net, const nn__rule *rule,
                                    void (*install)(nn_context *nn), nn_node *x, const void *params,
                                    size_t params_bytes);
/* What a message calls the first input: its name in quotes; in an immediate call its role. */
#ifndef NN_NO_REPORTS
NN_PRIVATE const char *nn__first_input(const nn__inference *inference, char *text, size_t size);
#else
#define nn__first_input(inference, text, size) ((void)(inference), (void)(text), (void)(size), "")
#endif
#define NN__SOURCE_TEXT (NN_NAME_BYTES + 4)
/* A fault of a builder, with its inputs as operands. */
#ifndef NN_NO_REPORTS
NN_PRIVATE nn__fault *nn__build_fault(nn_model *net, nn__fault_kind kind, nn_site site,
                                      const char *operation, const char *name,
                                      nn_node *const *inputs, const char *const *roles, int count);
#else
#define nn__build_fault(net, kind, site, operation, name, inputs, roles, count) \
    ((void)(inputs), (void)(roles), (void)(count), \
     nn__add_fault(&(net)->faults, kind, operation, name, site))
#endif

/* Records it as a fault and returns the poisoned node. */
#ifndef NN_NO_REPORTS
NN_PRIVATE nn_node *nn__poison_problem(nn_model *net, nn_site site, const char *operation,
                                       const char *name, nn_node *const *inputs,
                                       const char *const *roles, int count,
                                       const nn__problem *problem);
#else
#define nn__poison_problem(net, site, operation, name, inputs, roles, count, problem) \
    ((void)(problem), (void)nn__build_fault(net, 0, site, operation, name, inputs, roles, count), \
     nn__poison(net))
#endif
