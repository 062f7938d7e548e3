/* test_onnx_refusals.c - the words of nn_save_onnx and nn_write_c about what they cannot write, each
   provoked once, and a host program in which each allocation fails in turn.

   Mistakes of arguments are in test_onnx_save.c and test_onnx_c.c. What depends on how a copy, a
   product or an expression lies in memory (windows that overlap, gaps, broadcast inputs ...) is
   provoked by the random nets of test_onnx_c.c, which lists the words. No call describes a net for
   "it adds to its result", "it updates parameters" and "it has nothing to copy": these guard against
   arguments that only gradients and plans give to kernels. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "systems.h"
#include "test.h"

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

static void drop(void *user, const char *text, size_t length) {
    (void)user, (void)text, (void)length;
}

/* Describes a net and returns the value that is written. */
typedef nn_node *(*builder)(nn_model *net);

static nn_node *input(nn_model *net, const char *name, nn_shape shape) {
    return nn_input(net, name, NN_F32, shape);
}
static nn_node *whole(nn_model *net, const char *name, nn_shape shape) {
    return nn_input(net, name, NN_I32, shape);
}
static nn_node *picture(nn_model *net) { return input(net, "x", NN_SHAPE(NN_BATCH, 2, 7, 7)); }
static nn_node *steps(nn_model *net) { return input(net, "x", NN_SHAPE(NN_BATCH, NN_TIME, 4)); }

/* ---- nets ------------------------------------------------------------------------------------ */

static nn_result nothing(void *user, const nn_custom_args *args) {
    (void)user, (void)args;
    return NN_OK;
}
static nn_node *own_function(nn_model *net) {
    nn_custom_desc desc;
    ZERO(desc);
    desc.inputs = NN_NODES(steps(net));
    desc.shape = NN_SHAPE(NN_BATCH, 3);
    desc.function = nothing;
    return nn_custom(net, "mine", &desc);
}
static nn_node *random_numbers(nn_model *net) {
    return nn_expression(net, "x: x + random()", steps(net));
}
static nn_node *a_cache(nn_model *net) {
    nn_cache_desc desc;
    ZERO(desc);
    desc.length = 8;
    return nn_cache(net, "keys", input(net, "x", NN_SHAPE(NN_BATCH, 2, NN_TIME, 4)),
                    whole(net, "at", NN_SHAPE(NN_BATCH)), &desc);
}
static nn_node *running_product(nn_model *net) { return nn_cumprod(net, steps(net), 2); }
static nn_node *smoothed_labels(nn_model *net) {
    nn_cross_entropy_desc desc;
    ZERO(desc);
    desc.label_smoothing = 0.1f;
    return nn_cross_entropy(net, input(net, "x", NN_SHAPE(NN_BATCH, 4)),
                            whole(net, "label", NN_SHAPE(NN_BATCH)), &desc);
}
static nn_node *wide_rms(nn_model *net) {
    nn_rms_norm_desc desc;
    ZERO(desc);
    desc.normalized_shape = NN_SHAPE(7, 7);
    return nn_rms_norm(net, "rms", picture(net), &desc);
}
static nn_node *projected(nn_model *net) {
    nn_lstm_desc desc;
    ZERO(desc);
    desc.hidden_size = 4;
    desc.proj_size = 2;
    return nn_lstm(net, "r", steps(net), &desc);
}
static nn_node *antialiased(nn_model *net) {
    nn_resize_desc desc;
    ZERO(desc);
    desc.size = 3;
    desc.mode = NN_RESIZE_LINEAR;
    desc.antialias = true;
    return nn_resize(net, picture(net), &desc);
}
static nn_node *divisor_and_ceil(nn_model *net) {
    nn_pool2d_desc desc;
    ZERO(desc);
    desc.kernel = 2;
    desc.ceil = true;
    desc.divisor = 3;
    return nn_avg_pool2d(net, picture(net), &desc);
}
static nn_node *adaptive_indices(nn_model *net) {
    return nn_output(nn_adaptive_max_pool2d(net, picture(net), 3, 3), 1);
}
static nn_node *distant_argmax(nn_model *net) {
    return nn_argmax(net, picture(net), NN_AXES(1, 3));
}
static nn_node *bytes_of_weights(nn_model *net) {
    nn_linear_desc desc;
    ZERO(desc);
    desc.out_features = 4;
    nn_quantize(net, NULL);
    return nn_linear(net, "fc", steps(net), &desc);
}
static nn_node *four_bits(nn_model *net) {
    nn_linear_desc desc;
    nn_quantize_desc bits;
    ZERO(desc);
    ZERO(bits);
    desc.out_features = 4;
    bits.bits = 4;
    nn_quantize(net, &bits);
    return nn_linear(net, "fc", input(net, "x", NN_SHAPE(NN_BATCH, 32)), &desc);
}
static nn_node *four_bit_rows(nn_model *net) {
    nn_embedding_desc desc;
    nn_quantize_desc bits;
    ZERO(desc);
    ZERO(bits);
    desc.num_embeddings = 7;
    desc.embedding_dim = 32;
    bits.bits = 4;
    nn_quantize(net, &bits);
    return nn_embedding(net, "rows", whole(net, "ids", NN_SHAPE(NN_BATCH)), &desc);
}
static nn_node *integers(nn_model *net) {
    return nn_input(net, "q", NN_I8, NN_SHAPE(NN_BATCH, 4, 4, 2));
}
static nn_node *integer_table(nn_model *net) { return nn_integer_table(net, "t", integers(net)); }
static nn_node *integer_product(nn_model *net) {
    nn_node *q = integers(net);
    return nn_integer_multiply(net, "m", q, q);
}
static nn_node *integer_shares(nn_model *net) {
    return nn_integer_softmax(net, "s", integers(net), -1);
}
static nn_node *integer_sum(nn_model *net) {
    nn_node *q = integers(net);
    return nn_integer_add(net, "s", q, q);
}
static nn_node *integer_sizes(nn_model *net) {
    return nn_integer_resize2d(net, "r", integers(net), 6, 7);
}
static nn_node *integer_steps(nn_model *net) {
    nn_integer_recurrent_desc desc;
    ZERO(desc);
    desc.hidden_size = 3;
    return nn_integer_gru(net, "g", nn_input(net, "q", NN_I8, NN_SHAPE(NN_BATCH, NN_TIME, 2)),
                          &desc);
}
static nn_node *own_tensor(nn_model *net) {
    nn_tensor_desc desc;
    ZERO(desc);
    desc.name = "mine";
    desc.shape = NN_SHAPE(4);
    return nn_add(net, steps(net),
                  nn_borrow(net, nn_make_tensor(nn_model_context(net), &desc)));
}
static nn_node *no_input_with_batch(nn_model *net) {
    nn_node *one = nn_parameter(net, "p", NN_SHAPE(1, 4), -1, 1);
    return nn_expand(net, one, NN_SHAPE(NN_BATCH, 4));
}
static nn_node *inner_state(nn_model *net) {
    nn_lstm_desc desc;
    ZERO(desc);
    desc.hidden_size = 4;
    desc.layers = 2;
    nn_node *y = nn_lstm(net, "r", steps(net), &desc);
    for (nn_node *node = nn_next_node(net, NULL); node; node = nn_next_node(net, node))
        if (strcmp(nn_node_name(node), "r_l0") == 0) return nn_add(net, y, nn_relu(net, node));
    return y;
}

/* ---- words ----------------------------------------------------------------------------------- */

typedef struct refused {
    builder build;
    const char *onnx, *c; /* words of nn_save_onnx and nn_write_c; NULL: it can be written */
} refused;

static nn_node *free_pool(nn_model *net) {
    return nn_adaptive_avg_pool1d(net, input(net, "x", NN_SHAPE(NN_BATCH, 2, NN_TIME)), 3);
}
static nn_node *free_maxima(nn_model *net) {
    return nn_adaptive_max_pool1d(net, input(net, "x", NN_SHAPE(NN_BATCH, 2, NN_TIME)), 3);
}
static nn_node *old_opset(nn_model *net) {
    return nn_scatter_reduce(net, steps(net), 2, whole(net, "at", NN_SHAPE(NN_BATCH, NN_TIME, 4)),
                             input(net, "src", NN_SHAPE(NN_BATCH, NN_TIME, 4)), NN_MAX);
}

static const refused nets[] = {
    {free_pool, "its windows differ in size along a free extent", NULL},
    {free_maxima, "its windows differ in size along a free extent, or are too many", NULL},
    {old_opset, "ONNX has ScatterElements with max from opset 18 on", NULL},
    {own_function, "it is a function of the program's own", "it is a function of the program's own"},
    {random_numbers, "it draws random numbers, which another runtime would not repeat",
     "it draws random numbers, which depend on the position in the net"},
    {a_cache, "write the net without its caches", "it is a cache, which nn_text.h describes"},
    {running_product, "ONNX has running sums, but no other running results", NULL},
    {smoothed_labels, "its loss has .label_smoothing, which no operator of ONNX has", NULL},
    {wide_rms, "it is an rms norm over several axes", NULL},
    {projected, "it has a projection, which", NULL},
    {antialiased, "it is antialiased", NULL},
    {divisor_and_ceil, "it has both .divisor and .ceil, which ONNX cannot combine", NULL},
    {adaptive_indices, "its indices are used, which ONNX does not give for adaptive pools", NULL},
    {distant_argmax, "its index runs over axes that are not adjacent", NULL},
    {bytes_of_weights, NULL, "its weight has 8 bits; write the net before you call nn_quantize"},
    {four_bits, "its weight has 4 bits; write the net without nn_quantize, or with .bits = 8", NULL},
    {four_bit_rows, "its weight has 4 bits", NULL},
    {integer_table, "it computes in integers; write the model of nn_prepare_qat", NULL},
    {integer_shares, "it computes in integers; write the model of nn_prepare_qat", NULL},
    {integer_product, "it computes in integers; write the model of nn_prepare_qat", NULL},
    {integer_sum, "it computes in integers; write the model of nn_prepare_qat", NULL},
    {integer_steps, "it computes in integers; write the model of nn_prepare_qat", NULL},
    {integer_sizes, "it computes in integers; write the model of nn_prepare_qat", NULL},
    {own_tensor, NULL, "it is a tensor of the program's own (nn_borrow)"},
    {inner_state, NULL, "it reads values from inside a recurrent layer"},
    {no_input_with_batch, "a shape depends on the batch, which no input of the written file has",
     NULL},
};
enum { NETS = sizeof nets / sizeof *nets };

static nn_result save(nn_model *net, nn_node *y) {
    nn_onnx_save_desc desc;
    ZERO(desc);
    desc.outputs = NN_NODES(y);
    desc.output_names = NN_TEXTS("answer");
    desc.writer.function = drop;
    return nn_save_onnx(net, NULL, &desc);
}

static nn_result print(nn_model *net, nn_node *y) {
    nn_c_desc desc;
    ZERO(desc);
    desc.outputs = NN_NODES(y);
    desc.writer.function = drop;
    return nn_write_c(net, &desc);
}

/* Writes a net in one of the two ways. words: NULL, or what the refusal must contain. */
static void try_one(builder build, const char *words, bool onnx, int number) {
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *y = build(net);
    ENSURE(nn_fault_count(net) == 0);
    const nn_result result = onnx ? save(net, y) : print(net, y);
    const char *said = nn_error(nn) ? nn_error(nn) : "";
    if (words && test_wrong(result != NN_ERROR_UNSUPPORTED || !strstr(said, words)))
        test_fail(__FILE__, __LINE__, "net %d: \"%s\" lacks \"%s\"", number, said, words);
    if (!words && onnx && strstr(said, "cannot be written"))
        test_fail(__FILE__, __LINE__, "net %d: %s", number, said);
    nn_clear_error(nn);
    nn_close(nn);
}

static void onnx_says_why(void) {
    for (int i = 0; i < NETS; i++)
        if (nets[i].onnx) try_one(nets[i].build, nets[i].onnx, true, i);
}

static void c_says_why(void) {
    for (int i = 0; i < NETS; i++)
        if (nets[i].c) try_one(nets[i].build, nets[i].c, false, i);
}

/* ---- without memory -------------------------------------------------------------------------- */

typedef struct host {
    int left; /* allocations that succeed; -1: all */
    int64_t bytes;
} host;

static void *host_allocate(void *user, size_t bytes, size_t alignment) {
    host *h = (host *)user;
    if (h->left == 0) return NULL;
    if (h->left > 0) h->left--;
    void *memory = allocate_aligned(bytes, alignment);
    if (!memory) return NULL;
    h->bytes += (int64_t)bytes;
    return memory;
}
static void host_release(void *user, void *memory, size_t bytes, size_t alignment) {
    (void)alignment;
    ((host *)user)->bytes -= (int64_t)bytes;
    free_aligned(memory);
}

/* Describes a net with a layer of each kind that copies weights. */
static nn_node *layers(nn_model *net) {
    nn_lstm_desc lstm;
    nn_linear_desc four;
    nn_layer_norm_desc norm;
    ZERO(lstm);
    ZERO(four);
    ZERO(norm);
    lstm.hidden_size = four.out_features = 4;
    lstm.bidirectional = true;
    nn_node *y = nn_lstm(net, "r", steps(net), &lstm);
    y = nn_log1p(net, nn_layer_norm(net, "n", nn_linear(net, "fc", y, &four), &norm));
    nn_node *scale = nn_exp(net, nn_parameter(net, "log_scale", NN_SHAPE(1), -3.0f, -3.0f));
    return nn_fake_quantize(net, y, scale, nn_buffer(net, "zero", NN_F32, NN_SHAPE(1), 3.0), NULL);
}

/* Each allocation of a call fails once: an error, no leak, and the next call succeeds. */
static void each_allocation_fails(bool onnx) {
    host h = {-1, 0};
    nn_desc desc;
    int failures = 0;
    ZERO(desc);
    desc.threads = 1;
    desc.allocator.allocate = host_allocate;
    desc.allocator.release = host_release;
    desc.allocator.user = &h;
    nn_context *nn = nn_open(&desc);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *y = layers(net);
    ENSURE((onnx ? save(net, y) : print(net, y)) == NN_OK);
    const int64_t before = h.bytes;
    for (;; failures++) {
        h.left = failures;
        const nn_result result = onnx ? save(net, y) : print(net, y);
        h.left = -1;
        if (result == NN_OK) break;
        if (test_wrong(result != NN_ERROR_MEMORY || h.bytes != before || failures > 10000)) {
            test_fail(__FILE__, __LINE__, "allocation %d: result %d, %lld bytes more, %s", failures,
                      (int)result, (long long)(h.bytes - before), nn_error(nn));
            break;
        }
        ENSURE(nn_error(nn) && strstr(nn_error(nn), "memory"));
        nn_clear_error(nn);
    }
    ENSURE(failures > 3);
    nn_clear_error(nn);
    nn_close(nn);
    ENSURE(h.bytes == 0);
}

static void onnx_without_memory(void) { each_allocation_fails(true); }
static void c_without_memory(void) { each_allocation_fails(false); }

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(onnx_says_why);
    RUN(c_says_why);
    RUN(onnx_without_memory);
    RUN(c_without_memory);
    return test_report();
}
