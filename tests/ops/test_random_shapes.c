/* test_random_shapes.c: builders and immediate calls judge the same operands alike, right or wrong
   (call_ops.h). Each case is described with free extents, described with numbers instead, and
   called at once:

     - the description with numbers and the call both accept it, or both refuse it;
     - a case accepted with free extents is accepted with numbers, and a plan gives the node the
       shape with these numbers;
     - the call takes a result of that shape and dtype, and no other;
     - a refused case is the same kind of mistake for both, and one fault.

   Then numbers and extents are so large that their sums and products would overflow an int: nothing
   may overflow on the way to a fault (UBSan checks this), and an accepted case has valid extents.

   NN_FULL=1: 400,000 cases instead of 20,000. `test_random_shapes --seed N` runs one case and
   describes it. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"

#include "inside.h"

#include "call_ops.h"
#include "random_graph.h"
#include "test.h"
#include "lists.h"

static uint64_t one_seed;
static int accepted, refused, called, accepted_of[CALL_OPS];
static nn_result called_with; /* what the last call returned */
static bool only_result;      /* its only objection was to the given result */

static void format(const call_case *c, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "%s:", call_name(c));
    for (int k = 0; k < c->count; k++) {
        char shape[NN__SHAPE_TEXT];
        nn__format_shape(c->shape[k], shape, sizeof shape);
        used +=
            (size_t)snprintf(text + used, size - used, " %s %s", shape, nn_dtype_name(c->dtype[k]));
    }
    used += (size_t)snprintf(text + used, size - used, ", p");
    for (int i = 0; i < 8; i++) used += (size_t)snprintf(text + used, size - used, " %d", c->p[i]);
    snprintf(text + used, size - used, ", f %g", (double)c->f);
}

static nn_tensor *zeros(nn_context *nn, nn_dtype dtype, nn_shape shape) {
    static const char bytes[1 << 16];
    nn_tensor_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.name = "t";
    desc.dtype = dtype;
    desc.shape = shape;
    nn_tensor *tensor = nn_make_tensor(nn, &desc);
    if (tensor && nn_tensor_bytes(tensor) <= sizeof bytes)
        nn_upload_tensor(tensor, bytes, (size_t)nn_tensor_bytes(tensor));
    return tensor;
}

/* Calls at once, into a result of this type. */
static bool call(nn_context *nn, const call_case *c, nn_dtype dtype, nn_shape shape) {
    nn_tensor *x[CALL_INPUTS] = {NULL}, *y = zeros(nn, dtype, shape);
    bool fine = y != NULL;
    for (int k = 0; k < c->count; k++) {
        x[k] = zeros(nn, c->dtype[k], call_resolve(c->shape[k]));
        fine = fine && x[k];
    }
    nn_clear_error(nn);
    called_with = fine ? c->op->call(y, c, x) : NN_ERROR_MEMORY;
    fine = called_with == NN_OK;
    only_result =
        !fine && nn_error(nn) &&
        (strstr(nn_error(nn), ": y has the shape") || strstr(nn_error(nn), ": loss has the shape"));
    if (one_seed) printf("  called: %s\n", fine ? "accepted" : nn_error(nn));
    for (int k = 0; k < c->count; k++) nn_free_tensor(x[k]);
    nn_free_tensor(y);
    nn_clear_error(nn);
    return fine;
}

/* Returns the shape that a plan gives the node. */
static nn_shape planned(nn_model *net, nn_node *y) {
    nn_plan_desc desc;
    nn_shape shape;
    memset(&desc, 0, sizeof desc);
    NODE_AT(desc.outputs, 0) = y;
    desc.batch = CALL_BATCH, desc.time = CALL_TIME;
    nn_plan *plan = nn_make_plan(net, &desc);
    shape = nn_plan_view(plan, y).shape;
    if (!plan) shape.rank = -1;
    nn_free_plan(plan);
    return shape;
}

static nn_node *described(nn_context *nn, const call_case *c, bool free_extents, nn_model **net) {
    *net = nn_make_model(nn, NULL);
    nn_node *y = call_describe_case(*net, c, free_extents);
    nn_writer writer;
    memset(&writer, 0, sizeof writer);
    writer.function = nn_write_stderr;
    if (one_seed && nn_fault_count(*net)) nn_write_faults(*net, writer);
    return y;
}

/* A call checks the dtypes of its operands before anything else, so it may report a dtype where the
   builder reports another fault. */
static bool same_kind(const nn_model *net) {
    const nn__fault *fault = net->faults.first;
    const nn_result result = fault->kind == NN__FAULT_SHAPE   ? NN_ERROR_SHAPE
                             : fault->kind == NN__FAULT_DTYPE ? NN_ERROR_DTYPE
                                                              : NN_ERROR_ARGUMENT;
    return called_with == result || called_with == NN_ERROR_DTYPE;
}

/* Returns what is wrong with a case, or NULL. */
static const char *judge(nn_context *nn, const call_case *c) {
    nn_model *loose, *fixed;
    nn_node *y = described(nn, c, true, &loose), *z = described(nn, c, false, &fixed);
    const char *words = NULL;
    if (z) {
        const bool fine = nn_fault_count(fixed) == 0, freely = y && nn_fault_count(loose) == 0;
        const nn_shape shape = fine ? z->shape : call_resolve(c->shape[0]);
        const bool casts = c->op->call == call_call_cast;
        const nn_dtype dtype = fine           ? z->dtype
                               : casts        ? (nn_dtype)c->p[0]
                               : c->op->layer ? NN_F32
                                              : c->dtype[0];
        if (fine)
            accepted++, accepted_of[c->op - call_ops]++;
        else
            refused++;
        if (nn_fault_count(fixed) > 1 || (y && nn_fault_count(loose) > 1))
            words = "more faults than one of one operation";
        else if (freely && !fine)
            words = "accepted with free extents, refused with numbers";
        else if (freely && (!nn_same_shape(call_resolve(y->shape), shape) || y->dtype != dtype))
            words = "free extents give a different type from numbers";
        else if (freely && nn__free_extents(y->shape, NN__OF_BATCH) > 1)
            words = "a result with two extents of the batch";
        else if (freely && !nn_same_shape(planned(loose, y), shape))
            words = "the plan gives another shape";
        else if (call_exists(c) && (int)dtype >= 0 && dtype < NN_DTYPE_COUNT) {
            nn_shape other = shape;
            called++;
            if (call(nn, c, dtype, shape) != fine)
                words = fine ? "the call refuses what the builder accepts"
                             : "the call accepts what the builder refuses";
            else if (!fine && only_result)
                words = "the call would accept what the builder refuses";
            else if (!fine && !same_kind(fixed))
                words = "the call and the builder refuse it for different reasons";
            if (other.rank)
                other.extent[other.rank - 1]++;
            else
                other = NN_SHAPE(2);
            if (fine && call(nn, c, dtype, other)) words = "the call takes any shape";
            if (fine && !casts && call(nn, c, dtype == NN_F32 ? NN_I32 : NN_F32, shape))
                words = "the call takes any dtype";
        }
    }
    nn_free_model(loose);
    nn_free_model(fixed);
    nn_clear_error(nn);
    return words;
}

static void builders_and_calls_agree(void) {
    const uint64_t cases = one_seed ? 1 : getenv("NN_FULL") ? 400000 : 20000;
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    nn_context *nn = nn_open(&desc);
    for (uint64_t i = 1; i <= cases; i++) {
        const uint64_t seed = one_seed ? one_seed : i;
        char text[512];
        call_case c;
        call_prepare(&c, seed);
        for (int k = call_draw(&c, 4) - 1; k > 0; k--) call_spoil(&c);
        format(&c, text, sizeof text);
        if (one_seed) printf("%s\n", text);
        const char *words = judge(nn, &c);
        if (test_wrong(words != NULL))
            test_fail(__FILE__, __LINE__, "%s; --seed %llu: %s", words, (unsigned long long)seed,
                      text);
    }
    nn_close(nn);
    printf("%d accepted, %d refused, %d called\n", accepted, refused, called);
    ENSURE(one_seed || (accepted > (int)cases / 4 && refused > (int)cases / 8));
    for (int i = 0; i < CALL_OPS && !one_seed; i++)
        if (test_wrong(accepted_of[i] < 20))
            test_fail(__FILE__, __LINE__, "%s was accepted %d times: its operands rarely fit",
                      call_ops[i].name, accepted_of[i]);
}

/* ---- operands that are no nodes -------------------------------------------------------------- */

/* Calls builders with the operands that a case needs, except that the model is missing, or one
   operand is missing, belongs to another model or is poisoned. Nothing crashes, each wrong operand
   is a fault, and a poisoned operand adds no second fault. */
static void lame_operands(void) {
    enum { NO_MODEL, NO_OPERAND, FOREIGN, POISONED };
    const uint64_t cases = getenv("NN_FULL") ? 100000 : 3000;
    nn_context *nn = nn_open(NULL);
    for (uint64_t seed = 1; seed <= cases; seed++) {
        call_case c;
        nn_node *x[CALL_INPUTS] = {NULL};
        bool described = true;
        call_prepare(&c, seed);
        const int operands = c.op->layer ? 1 : c.count, lame = call_draw(&c, operands);
        const int how = call_draw(&c, 4);
        nn_model *net = nn_make_model(nn, NULL), *other = nn_make_model(nn, NULL);
        for (int k = 0; k < operands; k++) {
            char name[2] = {(char)('a' + k), 0};
            x[k] = nn_input(how == FOREIGN && k == lame ? other : net, name, c.dtype[k],
                            c.shape[k]);
            described = described && !x[k]->poisoned; /* such as a shape with the batch in two
                                                         axes */
        }
        if (how == NO_OPERAND) x[lame] = NULL;
        if (how == POISONED) x[lame] = nn_linear(net, "lame", x[lame], (nn_linear_desc *)NULL);
        const int before = nn_fault_count(net);
        const nn_node *y = c.op->build(how == NO_MODEL ? NULL : net, &c, x);
        const int faults = nn_fault_count(net) - before;
        const bool optional = how == NO_OPERAND && lame > 0;
        /* an lstm cell's state has two parts, so two operands */
        const int places = lame == 1 && strcmp(call_name(&c), "lstm_cell") == 0 ? 2 : 1;
        const char *words = NULL;
        if (!y && how != NO_MODEL) words = "no node";
        else if (how == NO_MODEL) words = y ? "a node of no model" : NULL;
        else if (how == POISONED) words = faults ? "a fault that follows from another" : NULL;
        else if (!optional && faults != places) words = "not just one fault";
        else if (!optional && !y->poisoned) words = "accepted";
        if (test_wrong(words && described))
            test_fail(__FILE__, __LINE__, "seed %llu: %s, way %d, operand %d: %s (%d faults)",
                      (unsigned long long)seed, call_name(&c), how, lame, words, faults);
        nn_free_model(net);
        nn_free_model(other);
        nn_clear_error(nn);
    }
    nn_close(nn);
}

/* ---- completeness ---------------------------------------------------------------------------- */

/* Every public function whose result is a node, as tools/calls.c finds them in nn.h and
   nn_text.h. */
enum { BUILDERS = 800 };
#define RESULT(name, arguments)
#define OTHER(name, arguments)
#define POINTER(name, arguments)
#define NODE(name, arguments) if (count < BUILDERS) names[count++] = #name;
static int list_builders(const char **names) {
    int count = 0;
#include "build/gen/tests/every_call.h"
#include "build/gen/tests/every_text_call.h"
    return count;
}

/* Every immediate call of an operation: nn_X_forward. */
#undef RESULT
#undef NODE
#define RESULT(name, arguments) if (count < BUILDERS) names[count++] = #name;
#define NODE(name, arguments)
static int list_forwards(const char **names) {
    int count = 0, forwards = 0;
#include "build/gen/tests/every_call.h"
    for (int i = 0; i < count; i++)
        if (strstr(names[i], "_forward_at")) names[forwards++] = names[i];
    return count < BUILDERS ? forwards : 0;
}

static bool is_line(const char *name) {
    for (int k = 0; nn__find_line(k); k++)
        if (strcmp(nn__find_line(k)->rule.name, name) == 0) return true;
    return false;
}
static bool is_called(const char *name) {
    for (int k = 0; k < CALL_OPS; k++)
        if (call_ops[k].name && strcmp(call_ops[k].name, name) == 0) return true;
    return is_line(name);
}
static bool is_drawn(const char *name) {
    for (int k = 0; k < GRAPH_OPS; k++)
        if (strcmp(graph_ops[k].name, name) == 0) return true;
    for (int k = 0; k < GRAPH_TERMS; k++)
        if (strcmp(graph_term_names[k], name) == 0) return true;
    return is_line(name); /* test_gather_scatter_sort.c compares each line, with its gradient */
}

/* What is not in the generators under its name, and why. */
typedef struct left_out {
    const char *name, *why;
} left_out;
static const left_out of_both[] = {
    {"input", "a generator begins with them"},
    {"parameter", "part of every layer, and an item of graphs"},
    {"constant", "no operation"},
    {"borrow", "no operation"},
    {"buffer", "no operation"},
    {"state", "a value that a plan keeps from run to run: test_state.c"},
    {"find_parameter", "no operation"},
    {"next_node", "no operation: test_inspect.c"},
    {"gradient", "made of other operations: test_gradient.c, test_random_gradients.c"},
    {"gradients", "nn_gradient by several nodes"},
    {"copied_node", "no operation"},
    {"lora_adapt", "part of nn_linear, which graphs have with adapters of nn_lora, too"},
    {"keep", "no operation: graphs keep every node in turn"},
    {"record_fault", "no operation: a program's own builders report faults with it"},
    {"output", "no operation: part of pools and similar operations"},
    {"conv2d_using", "nn_conv2d with what it needs by hand: test_window_errors.c"},
    {"transfer", "the same numbers on another device: test_crossings.c"},
    {"custom", "the user's own operation: test_small_allocations.c"},
    {"metric", "the user's own function of sums: test_metrics.c"},
    {"make_expression", "nn_expression, and what is made of it"},
    {"expression", "drawn under the names of its texts"},
    {"reduce", "drawn under the names of its reductions"},
    {"pick_rows", "nn_reshape and nn_index_select, which are there: test_generate.c"},
    {"causal_lm", "a whole net of what is there: test_models.c"},
    {"text_encoder", "a whole net of what is there: test_models.c"},
    {"quantize_per_tensor", "computes in integers, without a gradient: test_integer.c draws nets"},
    {"dequantize", "computes in integers, without a gradient: test_integer.c draws nets"},
    {"integer_linear", "computes in integers, without a gradient: test_integer.c draws nets"},
    {"integer_conv2d", "computes in integers, without a gradient: test_integer.c draws nets"},
    {"integer_conv_transpose2d", "computes in integers, without a gradient: test_integer.c draws nets"},
    {"integer_resize2d", "computes in integers, without a gradient: test_integer.c draws nets"},
    {"integer_add", "computes in integers, without a gradient: test_integer.c draws nets"},
    {"integer_multiply", "computes in integers, without a gradient: test_integer.c draws nets"},
    {"integer_lstm", "computes in integers, without a gradient: test_integer.c draws nets"},
    {"integer_gru", "computes in integers, without a gradient: test_integer.c draws nets"},
    {"integer_table", "computes in integers, without a gradient: test_integer.c draws nets"},
    {"integer_softmax", "computes in integers, without a gradient: test_integer.c draws nets"},
    {"integer_max_pool2d", "computes in integers, without a gradient: test_integer.c draws nets"},
    {"integer_avg_pool2d", "computes in integers, without a gradient: test_integer.c draws nets"},
    {"quantize_even", "computes in integers, without a gradient: test_quantized.c draws nets"},
    {"quantized_linear", "computes in integers, without a gradient: test_quantized.c draws nets"},
    {"quantized_conv2d", "computes in integers, without a gradient: test_quantized.c draws nets"},
    {"quantized_lstm", "computes in integers, without a gradient: test_quantized.c draws nets"},
    {"batch_norm1d", "both are batch_norm"},
    {"batch_norm2d", "both are batch_norm"},
    {"batch_norm3d", "it, too, is batch_norm"},
};
static const left_out of_graphs[] = {
    {"clone", "a copy of its input: test_ops.c"},
    {"argsort", "the places of nn_sort, without a gradient"},
    {"accuracy", "without a gradient: test_metrics.c"},
    {"top_k_accuracy", "without a gradient: test_metrics.c"},
    {"perplexity", "without a gradient: test_metrics.c"},
    {"r2_score", "without a gradient: test_metrics.c"},
    {"auroc", "without a gradient: test_metrics.c"},
    {"iou", "without a gradient: test_metrics.c"},
    {"cache", "keeps rows from run to run, and a net that is trained refuses it: test_kv_cache.c"},
    {"multihead_attention", "made of linear and attention, which are there"},
    {"transformer_encoder_layer", "made of multihead_attention and layer_norm"},
};
static bool is_left_out(const left_out *list, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].name, name) == 0) return true;
    return false;
}

static void huge_numbers(void) {
    const uint64_t cases = getenv("NN_FULL") ? 400000 : 5000;
    int fine = 0, faults = 0;
    nn_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    nn_context *nn = nn_open(&desc);
    for (uint64_t seed = 1; seed <= cases; seed++) {
        call_case c;
        call_prepare(&c, seed);
        for (int k = call_draw(&c, 4); k >= 0; k--) call_spoil_huge(&c);
        if (call_draw(&c, 3) == 0) call_spoil(&c);
        for (int with = 0; with < 2; with++) {
            nn_model *net;
            const nn_node *y = described(nn, &c, with, &net);
            if (nn_fault_count(net)) {
                faults++;
            } else {
                fine++;
                ENSURE(y != NULL);
                for (int i = 0; y && i < y->shape.rank; i++)
                    if (test_wrong(y->shape.extent[i] < 1 && !(with && nn__is_symbolic(y->shape.extent[i]))))
                        test_fail(__FILE__, __LINE__, "seed %llu: %s has the extent %d",
                                  (unsigned long long)seed, call_name(&c), y->shape.extent[i]);
            }
            nn_free_model(net);
            nn_clear_error(nn);
        }
    }
    nn_close(nn);
    ENSURE(fine > (int)cases / 8 && faults > (int)cases / 4);
}

/* A filter with more weights than an int can count: a plan of it once divided by 0. */
static void huge_filters(void) {
    nn_conv2d_desc conv;
    nn_conv_transpose2d_desc back;
    memset(&conv, 0, sizeof conv);
    memset(&back, 0, sizeof back);
    conv.out_channels = back.out_channels = 2;
    conv.kernel = back.kernel = 1 << 16;
    nn_context *nn = nn_open(NULL);
    for (int i = 0; i < 4; i++) {
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 1, 65536, 65536));
        if (i > 1) conv.kernel_w = back.kernel_w = 1 << 14; /* 2 channels of 2^30 */
        nn_node *y = i % 2 ? nn_conv_transpose2d(net, "c", x, &back)
                           : nn_conv2d(net, "c", x, &conv);
        const nn__fault *fault = net->faults.first;
        ENSURE(y && fault && strstr(fault->cause, "are 2^31 weights or more"));
        nn_free_model(net);
        nn_clear_error(nn);
    }
    nn_close(nn);
}

/* Describes volume `which` of huge_volumes. */
static nn_node *volume(nn_model *net, int which) {
    nn_conv3d_desc conv;
    nn_conv_transpose3d_desc back;
    memset(&conv, 0, sizeof conv);
    memset(&back, 0, sizeof back);
    conv.out_channels = back.out_channels = 1;
    conv.kernel = back.kernel = 1;
    const nn_shape shape = which == 0   ? NN_SHAPE(NN_BATCH, 65536, 65536, 1, 1)
                           : which == 1 ? NN_SHAPE(NN_BATCH, 1, 2, 65536, 65536)
                           : which == 2 ? NN_SHAPE(NN_BATCH, 65536, 4096, 1, 1)
                                        : NN_SHAPE(NN_BATCH, 1, 8, 8, 8);
    nn_node *x = nn_input(net, "x", NN_F32, shape);
    if (which == 0) return nn_max_pool3d(net, x, &(nn_pool3d_desc){.kernel = 1});
    if (which == 1) return nn_conv_transpose3d(net, "c", x, &back);
    if (which == 2) conv.kernel = 4096, conv.kernel_h = conv.kernel_w = 1, conv.groups = 16;
    if (which == 3) conv.padding = (1 << 30) + 7;
    if (which == 4) conv.same = true, conv.dilation = 1 << 20, conv.kernel = 4096;
    if (which == 5) conv.same = true, conv.kernel = 5000;
    if (which == 6) back.kernel = 1 << 14, back.kernel_h = back.kernel_w = 1 << 9;
    if (which == 7) back.stride = 1 << 28, back.padding = 1 << 29, back.kernel = 3,
                    back.stride_h = back.stride_w = 1,
                    back.padding_h = back.padding_w = NN_NONE;
    conv.out_channels = conv.groups ? conv.groups : 1;
    return which < 6 ? nn_conv3d(net, "c", x, &conv) : nn_conv_transpose3d(net, "c", x, &back);
}

/* An intermediate volume may be too large although the result would not be. */
static void huge_volumes(void) {
    static const struct {
        const char *operation, *cause;
    } wanted[] = {
        {"max_pool3d", "channels and planes: 65536 times 65536 are more than an extent holds"},
        {"conv_transpose3d", "height and width of the result: 65536 times 65536 are more"},
        {NULL, NULL}, /* 65536 * 4096 still fits */
        {"conv3d", "an extent of 8 with a padding of 2147483662 is more than an extent holds"},
        {"conv3d", "an extent of 8 with a padding of 4293918720 is more"},
        {"conv3d", "kernel is 5000"},
        {"conv_transpose3d", "kernel_d is 16384"},
        {"conv_transpose3d", "twice the depth and stride: 16 times 268435456 are more"},
    };
    nn_context *nn = nn_open(NULL);
    for (int i = 0; i < 8; i++) {
        nn_model *net = nn_make_model(nn, NULL);
        volume(net, i);
        const nn__fault *fault = net->faults.first;
        if (!wanted[i].cause) {
            ENSURE(!fault);
        } else if (test_wrong(!fault || strncmp(fault->operation, wanted[i].operation,
                                     strlen(wanted[i].operation)) != 0 ||
                   !strstr(fault->cause, wanted[i].cause))) {
            test_fail(__FILE__, __LINE__, "volume %d: %s: %s", i,
                      fault ? fault->operation : "no fault", fault ? fault->cause : "");
        }
        nn_free_model(net);
        nn_clear_error(nn);
    }
    nn_close(nn);
}

/* Every builder is in call_ops.h and in random_graph.h, or in one of the lists of what is left
   out. */
static void every_operation_is_here(void) {
    const size_t both = sizeof of_both / sizeof of_both[0],
                 graphs = sizeof of_graphs / sizeof of_graphs[0];
    const char *names[BUILDERS];
    const int count = list_builders(names);
    size_t used = 0;
    char name[80];
    ENSURE(count > 200 && count < BUILDERS);
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s", names[i] + strlen("nn_"));
        const size_t length = strlen(name);
        if (length > 3 && strcmp(name + length - 3, "_at") == 0) name[length - 3] = 0;
        const bool out = is_left_out(of_both, both, name);
        used += out;
        if (test_wrong(!out && !is_called(name)))
            test_fail(__FILE__, __LINE__, "nn_%s is not in call_ops.h", name);
        if (test_wrong(!out && !is_drawn(name) && !is_left_out(of_graphs, graphs, name)))
            test_fail(__FILE__, __LINE__, "nn_%s is not in random_graph.h", name);
    }
    ENSURE(used == both); /* a builder that no longer exists must leave the list */
}

/* An immediate call is made by the entry of its name. */
static void every_forward_is_here(void) {
    static const char *const under_others[] = {"unary", "binary", "expression", "reduce",
                                               "variance"};
    const char *names[BUILDERS];
    const int count = list_forwards(names);
    ENSURE(count > 100);
    for (int i = 0; i < count; i++) {
        char name[80];
        snprintf(name, sizeof name, "%.*s", (int)(strlen(names[i]) - strlen("nn__forward_at")),
                 names[i] + strlen("nn_"));
        bool made = is_line(name);
        for (int k = 0; k < CALL_OPS; k++)
            made = made || (call_ops[k].name && call_ops[k].call &&
                            strcmp(call_ops[k].name, name) == 0);
        for (size_t k = 0; k < sizeof under_others / sizeof under_others[0]; k++)
            made = made || strcmp(under_others[k], name) == 0;
        if (test_wrong(!made)) test_fail(__FILE__, __LINE__, "no entry calls nn_%s_forward", name);
    }
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--seed") == 0) {
        one_seed = strtoull(argv[2], NULL, 10);
        argc = 1;
    }
    test_start(argc, argv);
    RUN(every_operation_is_here);
    RUN(every_forward_is_here);
    RUN(builders_and_calls_agree);
    if (!one_seed) RUN(huge_numbers);
    if (!one_seed) RUN(huge_filters);
    if (!one_seed) RUN(huge_volumes);
    if (!one_seed) RUN(lame_operands);
    return test_report();
}
