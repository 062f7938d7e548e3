/* ops/autocast.c - regions of mixed precision: decides which operands of a node are rounded, and
   which results are stored in half. graph/build.c asks for each new node of a model that has such a
   region; programs without one do not link this file.

   A result stays an f32 node. If it is to be stored in half, node->halved says so, and every reader
   gets its cast, node->narrow. Then the plan drops the f32 value after the cast. */
#include "ops/autocast.h"

#include "ops/program.h"

#ifndef NN_NO_MIXED_PRECISION

typedef enum nn__autocast_way {
    NN__AUTOCAST_WIDE,    /* f32 from rounded inputs */
    NN__AUTOCAST_PRODUCT, /* operands are rounded, the result is halved */
    NN__AUTOCAST_FOLLOWS, /* from rounded inputs; the result is halved if they are */
    /* The same, but reads inputs before they are rounded. Rounding its result gives the same values
       as rounding its inputs, except for dropout's factor. */
    NN__AUTOCAST_EXACT
} nn__autocast_way;

/* True if `names`, words between spaces, has this one. */
static bool nn__autocast_named(const char *names, const char *word) {
    const size_t length = strlen(word);
    for (const char *at = strstr(names, word); at; at = strstr(at + 1, word))
        if (at[-1] == ' ' && at[length] == ' ') return true;
    return false;
}

static bool nn__autocast_begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* True for operations that PyTorch's autocast computes in f32, or that consist of such ones. */
static bool nn__autocast_is_wide(const nn_node *node) {
    static const char names[] =
        " exp expm1 exp2 log log2 log10 log1p pow reciprocal rsqrt sinh cosh tan softplus"
        " softplus_above squared_difference huber l1 smooth_l1 bce bce_with_logits kl_div"
        " cross_entropy soft_cross_entropy multilabel_soft_margin triplet_with_distance"
        " cosine_similarity normalize pairwise_distance cdist pdist lp_power lp_root variance"
        " metric accuracy softmax log_softmax softmin ";
    const char *const operation = nn__operation(node), *const name = node->rule->name;
    const size_t length = strlen(operation);
    return nn__autocast_named(names, name) || nn__autocast_named(names, operation) ||
           (length > 5 && strcmp(operation + length - 5, "_loss") == 0);
}

static nn__autocast_way nn__autocast_way_of(const nn_node *node) {
    const nn_kernel kernel = node->rule->kernel;
    const char *const name = node->rule->name;
    if (node->dtype != NN_F32 || nn__has_effect(node) || nn__autocast_is_wide(node))
        return NN__AUTOCAST_WIDE;
    if ((node->rule->flags & (NN__ALIAS | NN__PIECES | NN__TRANSFER | NN__WHEN_TRAINING)) ||
        kernel == NN_KERNEL_STRIDED_COPY || nn__autocast_begins(name, "max_pool") ||
        nn__autocast_named(" relu relu6 lora detach ", name))
        return NN__AUTOCAST_EXACT;
    if (kernel == NN_KERNEL_GEMM || kernel == NN_KERNEL_CONV2D_FORWARD ||
        kernel == NN_KERNEL_CONV2D_BACKWARD_INPUT || kernel == NN_KERNEL_ATTENTION_FORWARD)
        return NN__AUTOCAST_PRODUCT;
    if (nn__is_program(node) || kernel == NN_KERNEL_POOL2D_FORWARD ||
        kernel == NN_KERNEL_RESIZE_FORWARD ||
        nn__autocast_named(" batch_norm instance_norm ", name))
        return NN__AUTOCAST_FOLLOWS;
    return NN__AUTOCAST_WIDE;
}

/* Returns the dtype in which a node's value is read, if that is a half one; else 0. */
static nn_dtype nn__autocast_half(const nn_node *x) {
    return nn__is_half(x->dtype) ? x->dtype : (nn_dtype)x->halved;
}

/* Returns the half dtype of all floats that the node reads. 0: one of them is f32, or there are
   none. A layer's parameters do not count, nor does prelu's weight. */
static nn_dtype nn__autocast_common(const nn_node *node) {
    nn_dtype common = NN_DTYPE_DEFAULT;
    const bool first_only =
        !nn__is_program(node) && !(node->rule->flags & NN__PIECES) &&
        node->rule->kernel != NN_KERNEL_STRIDED_COPY;
    const bool layer = first_only || strcmp(node->rule->name, "prelu") == 0;
    for (int i = 0; i < (layer ? 1 : node->input_count); i++) {
        const nn_node *x = node->inputs[i];
        if (x->dtype != NN_F32 && !nn__is_half(x->dtype)) continue;
        const nn_dtype half = nn__autocast_half(x);
        if (!half) return NN_DTYPE_DEFAULT;
        common = half;
    }
    return common;
}

/* Returns the cast of x to the half dtype: an existing one, or a new one. */
static nn_node *nn__autocast_narrowed(nn__graph *graph, nn_site site, nn_node *x, nn_dtype dtype) {
    char name[2 * NN_NAME_BYTES];
    if (x->narrow && x->narrow->dtype == dtype) return x->narrow;
    nn__join_text(name, sizeof name, x->name, ".", nn_dtype_name(dtype));
    nn_node *cast = nn__add_cast(graph, site, name, x, dtype);
    if (!cast->poisoned) nn__set_narrow(cast);
    return cast;
}

/* True if the node's kernel reads this input in half. nn__widen_inputs widens inputs of kernels
   without NN__ANY_DTYPE. */
static bool nn__autocast_reads_half(const nn_node *node, int input) {
    if (node->rule->kernel == NN_KERNEL_ATTENTION_FORWARD) return input == 1 || input == 2;
    if (node->rule->kernel == NN_KERNEL_ATTENTION_BACKWARD) return input == 4 || input == 5;
    return !(node->rule->flags & NN__ANY_DTYPE) || nn__is_program(node);
}

/* Replaces an input by `narrow`, or by the f32 cast of that. */
static bool nn__autocast_replace(nn__graph *graph, nn_node *node, int input, nn_node *narrow) {
    if (!narrow->poisoned && !nn__autocast_reads_half(node, input))
        narrow = nn__widened(graph, node->site, narrow);
    node->inputs[input] = narrow;
    return !narrow->poisoned;
}

/* Returns the half value of x that a plan keeps: its cast, or an alias of the cast of an alias.
   NULL: there is none. */
static nn_node *nn__autocast_stored(nn__graph *graph, nn_site site, nn_node *x) {
    char name[2 * NN_NAME_BYTES];
#ifndef NN_NO_TRAINING
    /* a reader outside of the block of nn_recompute_begin had the value stored */
    if (x->repeats && !x->narrow && !x->viewed) x = x->again;
#endif
    if (!x->halved || x->narrow || !x->viewed) return x->halved ? x->narrow : NULL;
    nn_node *cast = x->viewed->narrow;
    nn__join_text(name, sizeof name, x->name, ".", nn_dtype_name(cast->dtype));
    nn_node *alias = nn__new_node(graph, site, x->viewed->rule, x->viewed->rule->name, name, &cast,
                                  NULL, 1, cast->dtype, &x->shape, NULL, 0);
    nn__place_like(alias, x);
    return alias;
}

/* For nodes that a tape adds. Rounded values are read from their casts, so that a plan need not
   keep them in f32. A value without a cast was never stored in half. */
static bool nn__autocast_read_back(nn__graph *graph, nn_node *node) {
    const bool copies = (node->rule->flags & (NN__ALIAS | NN__PIECES)) ||
                        node->rule->kernel == NN_KERNEL_STRIDED_COPY;
    for (int i = 0; i < node->input_count && !copies; i++) {
        nn_node *x = node->inputs[i], *narrow = nn__autocast_stored(graph, node->site, x);
        /* other kernels get the source of a cast from nn__widen_inputs */
        if (!narrow && node->rule->kernel == NN_KERNEL_ATTENTION_BACKWARD)
            narrow = nn__cast_source(graph, x);
        if (!narrow || nn__writes(node, i)) continue;
        if (!nn__autocast_replace(graph, node, i, narrow)) return false;
    }
    return true;
}

static bool nn__autocast_read(nn__graph *graph, nn_node *node) {
    if (node->rule == nn__cast_rule(NN_F32) || node->rule == nn__cast_rule(NN_I32)) return true;
    if (graph->taping || graph != &graph->model->graph) return nn__autocast_read_back(graph, node);
    const nn__autocast_way way = nn__autocast_way_of(node);
    const bool product = graph->autocast && way == NN__AUTOCAST_PRODUCT;
    if (!product) node->autocast = NN_DTYPE_DEFAULT;
    if (product)
        node->halved = (uint8_t)graph->autocast;
    else if (way == NN__AUTOCAST_EXACT || (graph->autocast && way == NN__AUTOCAST_FOLLOWS))
        node->halved = (uint8_t)nn__autocast_common(node);
    if (way == NN__AUTOCAST_EXACT) return true;
    const int operands = node->rule->kernel == NN_KERNEL_ATTENTION_FORWARD ? 3 : 2;
    for (int i = 0; i < node->input_count; i++) {
        nn_node *x = node->inputs[i];
        nn_dtype half = (nn_dtype)x->halved;
        if (!half && product && i < operands) half = graph->autocast;
        if (x->dtype != NN_F32 || !half || nn__writes(node, i)) continue;
        if (!nn__autocast_replace(graph, node, i,
                                  nn__autocast_narrowed(graph, node->site, x, half)))
            return false;
    }
    return true;
}

/* ---- the calls ------------------------------------------------------------------------------- */

static void nn__autocast_open(const nn_model *net, nn__faults *faults) {
    if (!net->graph.autocast) return;
    nn__fault *fault =
        nn__add_fault(faults, NN__FAULT_ARGUMENT, "nn_autocast_begin", NULL, net->autocast_site);
    nn__fault_cause(faults, fault, NN__TEXT("it was never ended"));
    nn__fault_fix(faults, fault, NN__TEXT("nn_autocast_end after the operations"));
}

static void nn__autocast_fault(nn_model *net, nn__fault_kind kind, nn_site site, const char *call,
                               const char *fix, const char *cause) {
    nn__fault *fault = nn__build_fault(net, kind, site, call, NULL, NULL, NULL, 0);
    nn__fault_cause(&net->faults, fault, "%s", cause);
    nn__fault_fix(&net->faults, fault, "%s", fix);
}

NN_API void nn_autocast_begin_at(nn_site site, nn_model *net, nn_dtype dtype) {
    static const nn__autocasts functions = {nn__autocast_read, nn__autocast_open};
    static const char who[] = "nn_autocast_begin";
    char where[96], cause[160];
    if (nn__model_gone(net, site, who)) return;
    if (!nn__is_half(dtype)) {
        nn__format(cause, sizeof cause, "dtype is %s; wanted NN_BF16 or NN_F16",
                   nn_dtype_name(dtype));
        nn__autocast_fault(net, NN__FAULT_DTYPE, site, who, "leave the call out for f32", cause);
        return;
    }
    if (net->graph.autocast) {
        nn__format(cause, sizeof cause, "the region that began at %s has not ended",
                   nn__format_site(net->autocast_site, where, sizeof where));
        nn__autocast_fault(net, NN__FAULT_ARGUMENT, site, who,
                           "nn_autocast_end first: regions cannot be nested", cause);
        return;
    }
    net->autocasts = &functions;
    net->graph.autocast = dtype;
    net->autocast_site = site;
}

NN_API void nn_autocast_end_at(nn_site site, nn_model *net) {
    static const char who[] = "nn_autocast_end";
    if (nn__model_gone(net, site, who)) return;
    if (!net->graph.autocast)
        nn__autocast_fault(net, NN__FAULT_ARGUMENT, site, who,
                           "one nn_autocast_end for each nn_autocast_begin",
                           "there is no nn_autocast_begin to end");
    net->graph.autocast = NN_DTYPE_DEFAULT;
}

#endif /* NN_NO_MIXED_PRECISION */

typedef int nn__autocast_part; /* a part must not be empty under NN_NO_MIXED_PRECISION */
