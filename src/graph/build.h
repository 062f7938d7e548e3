/* graph/build.h - functions that add nodes to a graph, for the builders in ops/. */
#pragma once

#include "graph/rule.h"

/* Checks the model and the inputs of an operation, and records faults (NULL, other model or
   context). False: return nn__poison(net). Also false if net is NULL. */
NN_PRIVATE bool nn__check_inputs(nn_model *net, nn_site site, const char *operation,
                                 const char *name, nn_node *const *inputs, const char *const *roles,
                                 int count);
/* Returns the model's poisoned node; NULL only if net is NULL. */
NN_PRIVATE nn_node *nn__poison(nn_model *net);
/* Reports that there was no memory for `what`, and returns the poisoned node. This counts as a
   fault, so that no plan is made of an incomplete description. */
NN_PRIVATE nn_node *nn__poison_memory(nn_model *net, const char *what, uint64_t bytes);
/* Adds a node; without memory returns the poisoned node. name NULL: the rule's name, "relu",
   "relu_2" ... params (params_bytes) are copied. The shape has symbolic extents. */
NN_PRIVATE nn_node *nn__add_node(nn__graph *graph, nn_site site, const nn__rule *rule,
                                 const char *operation, const char *name, nn_node *const *inputs,
                                 const char *const *roles, int count, nn_dtype dtype,
                                 nn_shape shape, const void *params, size_t params_bytes);
/* Does the same for frequent calls: passing a copy of the shape takes 40 bytes of code. */
NN_PRIVATE nn_node *nn__new_node(nn__graph *graph, nn_site site, const nn__rule *rule,
                                 const char *operation, const char *name, nn_node *const *inputs,
                                 const char *const *roles, int count, nn_dtype dtype,
                                 const nn_shape *shape, const void *params, size_t params_bytes);
/* True for f16 and bf16, which are storage formats: operations compute in f32. */
static inline NN__UNUSED bool nn__is_half(nn_dtype dtype) {
    return dtype == NN_F16 || dtype == NN_BF16;
}
/* Adds a cast of x to another dtype, on x's device. name NULL: "cast", "cast_2" ... Both dtypes
   must differ, and pointwise programs must support them. */
NN_PRIVATE nn_node *nn__add_cast(nn__graph *graph, nn_site site, const char *name, nn_node *x,
                                 nn_dtype dtype);
/* Returns the rule of a cast to this dtype. `infer` reads the dtype from its params. */
NN_PRIVATE const nn__rule *nn__cast_rule(nn_dtype dtype);
NN_PRIVATE bool nn__cast_infer(nn__inference *inference);
#ifndef NN_NO_MIXED_PRECISION
/* Inserts casts to f32 before inputs in f16 or bf16, unless the rule accepts them. The node is not
   yet in the graph. False: no memory. Firmware (NN_NO_REPORTS) must describe its casts. */
NN_PRIVATE bool nn__widen_inputs(nn__graph *graph, nn_node *node);
/* Returns "x.f32", the cast of x to f32: an existing one of this graph, or a new one. */
NN_PRIVATE nn_node *nn__widened(nn__graph *graph, nn_site site, nn_node *x);
/* Marks the node as the cast that stores its input in f16 or bf16. */
NN_PRIVATE void nn__set_narrow(nn_node *cast);
/* True if the node is such a cast. */
static inline NN__UNUSED bool nn__is_narrow(const nn_node *node) {
    return node->input_count > 0 && node->inputs[0]->narrow == node;
}
/* If x, which a gradient node is about to read, is a cast from f16 or bf16 to f32 in another graph,
   returns the input of that cast; else NULL. */
NN_PRIVATE nn_node *nn__cast_source(const nn__graph *graph, const nn_node *x);
#endif
NN_PRIVATE void nn__install_cast(nn_context *nn);
#ifndef NN_NO_TRAINING
/* Adds a repetition of `from`, which reads the repetitions of its inputs where they exist. Sets
   from->again. For a further output, returns that of its owner's repetition. */
NN_PRIVATE nn_node *nn__repeat_node(nn__graph *graph, nn_node *from);
#endif
/* Adds the next output of an operation, "node.suffix". There are at most NN__MAX_OUTPUTS. */
NN_PRIVATE nn_node *nn__add_output(nn_node *node, const char *suffix, nn_dtype dtype,
                                   nn_shape shape);
/* For operations made of others: nn_output(node, k) returns `result` from now on. Users then see no
   other outputs of the node. Does nothing if poisoned or without memory. */
NN_PRIVATE void nn__add_result(nn_node *node, int k, nn_node *result);
/* Puts a node and its further outputs on the device of `like`, and lets them move with it. */
NN_PRIVATE void nn__place_like(nn_node *node, const nn_node *like);
/* Returns the list of leaves that may have this name; nn__next_leaf continues it. */
static inline NN__UNUSED nn_node **nn__leaf_list(nn__graph *graph, const char *name) {
#ifdef NN__LEAN
    (void)name; /* a net this small is walked whole */
    return &graph->first;
#else
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
    hash ^= hash >> 16;
    return graph->leaves ? &graph->leaves[hash % graph->leaf_lists]
                         : &graph->fixed_leaves[hash % (uint32_t)NN__COUNT(graph->fixed_leaves)];
#endif
}
#ifndef NN__LEAN
/* Adds a leaf to the front of its list. */
NN_PRIVATE void nn__list_leaf(nn__graph *graph, nn_node *leaf);
#endif
static inline NN__UNUSED nn_node *nn__next_leaf(const nn_node *leaf) {
#ifdef NN__LEAN
    return leaf->next;
#else
    return leaf->alike;
#endif
}
NN_PRIVATE nn_node *nn__add_leaf(nn__graph *graph, nn_site site, nn__node_kind kind,
                                 const char *name, nn_dtype dtype, const nn_shape *shape);
/* Does what nn_parameter does. */
NN_PRIVATE nn_node *nn__parameter(nn_site site, nn_model *net, const char *name,
                                  const nn_shape *shape, float low, float high);
/* Adds the parameter "layer.part", uniform in [-bound, bound). shared: returns an existing one of
   that name. */
NN_PRIVATE nn_node *nn__add_parameter(nn_model *net, nn_site site, const char *layer,
                                      const char *part, const nn_shape *shape, float bound,
                                      bool shared);
/* Returns the bound of PyTorch's initial weights: 1 / sqrt(fan_in). */
NN_PRIVATE float nn__fan_bound(int64_t fan_in);
/* Most inputs, parameters included, for an `infer` that reads inference->inputs. Operations with
   more (concat) read inference->nodes. */
#define NN__INFERRED 8
/* Is the `infer` of operations whose output has the type of input 0. */
NN_PRIVATE bool nn__infer_same(nn__inference *inference);
/* Builds an operation of ops/. Checks the inputs, asks the rule's `infer`, and reports its problem
   as a fault. Then calls `install` for the CPU's kernel (unless NULL), and adds a layer's
   parameters and the node.

   params (NULL: no desc was given) are copied. roles are not copied; they also name the parameters;
   NULL: each is "input". For a composed rule nothing is added, and the first input is returned if
   all is well. */
NN_PRIVATE nn_node *nn__build(nn_site site, nn_model *net, const nn__rule *rule,
                              void (*install)(nn_context *nn), const char *name,
                              nn_node *const *inputs, const char *const *roles, int count,
                              const void *params, size_t params_bytes);
/* Does the same for a single input, called "input" in messages. */
NN_PRIVATE nn_node *nn__build_unary(nn_site site, nn_model *net, const nn__rule *rule,
                                    void (*install)(nn_context *nn), nn_node *x, const void *params,
                                    size_t params_bytes);
/* Returns what messages call the first input: its name in quotes, or its role in an immediate
   call. */
#ifndef NN_NO_REPORTS
NN_PRIVATE const char *nn__first_input(const nn__inference *inference, char *text, size_t size);
#else
#define nn__first_input(inference, text, size) ((void)(inference), (void)(text), (void)(size), "")
#endif
#define NN__SOURCE_TEXT (NN_NAME_BYTES + 4)
/* Adds a builder's fault, with its inputs as operands. */
#ifndef NN_NO_REPORTS
NN_PRIVATE nn__fault *nn__build_fault(nn_model *net, nn__fault_kind kind, nn_site site,
                                      const char *operation, const char *name,
                                      nn_node *const *inputs, const char *const *roles, int count);
#else
#define nn__build_fault(net, kind, site, operation, name, inputs, roles, count) \
    ((void)(inputs), (void)(roles), (void)(count), \
     nn__add_fault(&(net)->faults, kind, operation, name, site))
#endif

/* Records a problem as a fault and returns the poisoned node. */
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
