/* test_onnx_c.c: nets that nn_write_c prints are compiled, and give the same bytes: nets that this
   file describes, random ones (random_graph.h), and files of other people.

     test_onnx_c --seed N       begins the random nets with this one */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include "inside.h"
#include "onnx/write_emit.h"
#include "printed.h"
#include "random_graph.h"
#include "test.h"

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))
#define DESC(type, name, ...)                                                                      \
    static const type name##_values = {__VA_ARGS__};                                               \
    const type *name = &name##_values

static nn_dtype printed_dtypes[PRINTED_MOST];

/* Prints a net with these outputs. */
static void print_these(nn_model *net, const char *name, nn_nodes outputs, const char *file) {
    nn_c_desc desc;
    ZERO(desc);
    desc.outputs = outputs;
    desc.weights = file;
    if (test_wrong(!print_net(net, name, &desc, PRINTED_BATCH, PRINTED_TIME)))
        test_fail(__FILE__, __LINE__, "%s: %s", name, nn_error(nn_model_context(net)));
    nn_clear_error(nn_model_context(net));
}
#define PRINT(net, name, file, ...) print_these(net, name, NN_NODES(__VA_ARGS__), file)

static nn_context *nn;

/* Gives every buffer numbers above 0, as after training. */
static void fill_buffers(nn_model *net) {
    static float numbers[64];
    for (int i = 0; i < 64; i++) numbers[i] = 0.25f + 0.01f * (float)i;
    for (nn_node *node = nn_next_node(net, NULL); node; node = nn_next_node(net, node)) {
        if (nn_describe_node(node).kind != NN_NODE_BUFFER || nn_node_dtype(node) != NN_F32)
            continue;
        nn_tensor *tensor = nn_find_tensor(net, nn_node_name(node));
        if (nn_tensor_bytes(tensor) <= sizeof numbers)
            nn_upload_tensor(tensor, numbers, nn_tensor_bytes(tensor));
    }
}

/* ---- nets that this file describes ----------------------------------------------------------- */

static void of_images(nn_model *net) {
    DESC(nn_conv2d_desc, conv, .out_channels = 6, .kernel = 3, .kernel_w = 5, .padding = 1,
         .padding_w = 2, .stride = 2);
    DESC(nn_conv2d_desc, grouped, .out_channels = 6, .kernel = 3, .padding = 2, .dilation = 2,
         .groups = 3, .no_bias = true, .padding_bottom = 1, .padding_right = NN_NONE);
    DESC(nn_conv2d_desc, mirrored, .out_channels = 4, .kernel = 3, .padding = 1,
         .padding_mode = NN_PADDING_REFLECT);
    DESC(nn_conv_transpose2d_desc, wider, .out_channels = 4, .kernel = 3, .stride = 2,
         .output_padding = 1, .padding = 1);
    DESC(nn_pool2d_desc, halves, .kernel = 3, .stride = 2, .padding = 1, .ceil = true);
    DESC(nn_pool2d_desc, means, .kernel = 2, .stride = 1, .count_only_inside = true, .padding = 1);
    DESC(nn_resize_desc, larger, .size = 9, .size_w = 7, .mode = NN_RESIZE_LINEAR);
    DESC(nn_resize_desc, twice, .scale_factor = 2, .mode = NN_RESIZE_CUBIC);
    nn_node *x = nn_input(net, "a picture", NN_F32, NN_SHAPE(NN_BATCH, 3, 12, 10));
    nn_node *y = nn_relu(net, nn_batch_norm2d(net, "norm", nn_conv2d(net, "conv", x, conv), NULL));
    nn_node *pooled = nn_max_pool2d(net, y, halves);
    y = nn_conv2d(net, "grouped", nn_dropout(net, pooled, 0.5f), grouped);
    y = nn_conv2d(net, "mirrored", nn_resize(net, y, larger), mirrored);
    nn_node *big = nn_resize(net, nn_conv_transpose2d(net, "wider", y, wider), twice);
    nn_node *means_of = nn_avg_pool2d(net, nn_adaptive_avg_pool2d(net, big, 4, 3), means);
    nn_node *weight = nn_parameter(net, "own weight", NN_SHAPE(2, 4, 1, 1), -1, 1);
    nn_node *own = nn_functional_conv2d(net, means_of, nn_tanh(net, weight), NULL, NULL);
    nn_node *grid = nn_input(net, "grid", NN_F32, NN_SHAPE(NN_BATCH, 5, 4, 2));
    nn_node *flat = nn_flatten(net, own);
    PRINT(net, "images", NULL, flat, nn_output(pooled, 1), nn_grid_sample(net, y, grid, NULL), big);
}

static void of_steps(nn_model *net) {
    nn_lstm_desc both;
    nn_gru_desc keeps;
    nn_rnn_desc rectified;
    ZERO(both);
    ZERO(keeps);
    ZERO(rectified);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 4));
    both.hidden_size = 5;
    both.layers = 2;
    both.bidirectional = true;
    both.proj_size = 3;
    both.dropout = 0.25f;
    both.lengths = nn_input(net, "lengths", NN_I32, NN_SHAPE(NN_BATCH));
    both.h_0 = nn_input(net, "h", NN_F32, NN_SHAPE(4, NN_BATCH, 3));
    keeps.hidden_size = 4;
    keeps.layers = 2;
    keeps.stateful = true;
    rectified.hidden_size = 3;
    rectified.nonlinearity = NN_ACTIVATION_RELU;
    rectified.no_bias = true;
    nn_node *lstm = nn_lstm(net, "lstm", x, &both), *gru = nn_gru(net, "gru", lstm, &keeps);
    nn_node *rnn = nn_rnn(net, "deep.rnn", gru, &rectified);
    PRINT(net, "steps", NULL, rnn, lstm, nn_output(lstm, 1), nn_output(lstm, 2), nn_output(gru, 1),
          nn_output(rnn, 1));
}

static void of_streams(nn_model *net) {
    DESC(nn_conv1d_desc, conv, .out_channels = 4, .kernel = 3, .dilation = 2, .streaming = true);
    DESC(nn_pool1d_desc, pool, .kernel = 3, .stride = 1, .streaming = true);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, NN_TIME));
    nn_node *y = nn_max_pool1d(net, nn_conv1d(net, "causal", x, conv), pool);
    nn_node *h = nn_state(net, "mean", NN_F32, NN_SHAPE(NN_BATCH, 4));
    nn_node *next = nn_add(net, nn_scale(net, h, 0.9f), nn_mean(net, y, NN_AXES(2)));
    nn_assign(net, h, next);
    PRINT(net, "streams", NULL, y, nn_tanh(net, h));
}

static void of_words_in(nn_model *net, const char *file) {
    DESC(nn_embedding_desc, table, .num_embeddings = 7, .embedding_dim = 8);
    DESC(nn_linear_desc, wide, .out_features = 8);
    DESC(nn_linear_desc, head, .out_features = 7, .shared = true, .no_bias = true);
    DESC(nn_layer_norm_desc, fine, .epsilon = 1e-6f);
    DESC(nn_scaled_dot_product_attention_desc, causal, .is_causal = true, .heads_inside = true);
    DESC(nn_rotary_embedding_desc, turn, .base = 500, .heads_inside = true);
    DESC(nn_matmul_desc, turned, .transpose_b = true);
    nn_node *ids = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    nn_node *x = nn_embedding(net, "words", ids, table), *parts[3];
    x = nn_add(net, x, nn_sinusoidal_positions(net, x, NULL));
    nn_node *norm = nn_layer_norm(net, "blocks.0.norm", x, fine);
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"q", "k", "v"};
        parts[i] = nn_reshape(net, nn_linear(net, names[i], norm, wide),
                              NN_SHAPE(NN_BATCH, NN_TIME, 2, 4));
        if (i < 2) parts[i] = nn_rotary_embedding(net, parts[i], turn);
    }
    nn_node *y = nn_scaled_dot_product_attention(net, parts[0], parts[1], parts[2], causal);
    y = nn_reshape(net, y, NN_SHAPE(NN_BATCH, NN_TIME, 8));
    y = nn_add(net, x, nn_linear_transposed(net, "out", y, wide));
    y = nn_rms_norm(net, "last", y, NULL);
    nn_node *twice = nn_add(
        net, nn_linear(net, "q", y, &(nn_linear_desc){.out_features = 8, .shared = true}), y);
    nn_node *scores = nn_log_softmax(net, nn_linear(net, "words", twice, head));
    nn_node *own = nn_matmul(net, y, nn_find_parameter(net, "words.weight"), turned);
    nn_node *loss = nn_nll_loss(net, nn_permute(net, scores, NN_AXES(0, 2, 1)), ids, NULL);
    PRINT(net, "words", file, scores, own, loss);
}

static void of_words(nn_model *net) { of_words_in(net, NULL); }

static void of_elements(nn_model *net) {
    DESC(nn_leaky_relu_desc, steep, .negative_slope = 0.3f);
    DESC(nn_softplus_desc, sharp, .beta = 2);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 6));
    nn_node *t = nn_input(net, "register", NN_F32, NN_SHAPE(6)); /* a word of C */
    nn_node *a = nn_leaky_relu(net, nn_gelu(net, x), steep);
    nn_node *b = nn_softplus(net, nn_softplus(net, nn_clamp(net, x, -0.5f, 0.75f), NULL), sharp);
    nn_node *c =
        nn_expression(net, "x, t: x > t ? sqrt(abs(x)) + 1e-7 * pow(t, 3) : -min(x, 0.1, t)", x, t);
    nn_expression_desc named;
    ZERO(named);
    named.text = "x, y: x * rate + fma(y, rate, 1 / (x * x + 2))";
    NODE_AT(named.inputs, 0) = a;
    NODE_AT(named.inputs, 1) = b;
    named.number_names = NN_TEXTS("rate");
    named.numbers = NN_NUMBERS(0.1f);
    nn_node *d = nn_make_expression(net, &named);
    nn_node *e =
        nn_where(net, nn_less(net, x, t), nn_masked_fill(net, d, nn_isnan(net, x), -1e9f), c);
    nn_node *f = nn_nan_to_num(net, nn_divide(net, e, nn_sinh(net, nn_subtract(net, x, x))), NULL);
    nn_node *g = nn_multiply(net, x, x);
    PRINT(net, "elements", NULL, e, f, g, nn_huber(net, x, a, 0.5f), nn_cast(net, x, NN_I32));
}

static void of_moves(nn_model *net) {
    DESC(nn_pad_desc, around, .left = 1, .right = 2, .top = 3, .value = 0.5f);
    DESC(nn_slice_desc, every, .axis = 2, .start = 1, .stop = -1, .step = 2);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 6));
    nn_node *i = nn_input(net, "i", NN_I32, NN_SHAPE(NN_BATCH, 4, 6));
    nn_node *a = nn_pad(net, nn_flip(net, nn_slice(net, x, every), NN_AXES(1, 2)), around);
    nn_node *b = nn_roll(net, nn_permute(net, x, NN_AXES(0, 2, 1)), 2, 1);
    nn_node *c = nn_repeat(net, nn_repeat_interleave(net, x, 2, 1), NN_SHAPE(1, 1, 3));
    nn_node *d = nn_stack(net, NN_NODES(x, nn_negate(net, x), x), 1);
    nn_node *e = nn_expand(net, nn_unsqueeze(net, x, 1), NN_SHAPE(0, 3, 0, 0));
    nn_node *f = nn_pixel_shuffle(net, nn_reshape(net, x, NN_SHAPE(NN_BATCH, 4, 2, 3)), 2);
    nn_node *g = nn_concat(net, NN_NODES(i, i), 2);
    PRINT(net, "moves", NULL, a, b, c, nn_add(net, d, e), f, g, nn_tril(net, x, 0));
}

static void of_choices(nn_model *net) {
    DESC(nn_top_k_desc, least, .smallest = true);
    DESC(nn_cross_entropy_desc, smooth, .label_smoothing = 0.1f, .reduction = NN_SUM);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 5));
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *index = nn_reshape(net, label, NN_SHAPE(NN_BATCH, 1));
    nn_node *table = nn_parameter(net, "table", NN_SHAPE(3), 1, 1);
    nn_node *sorted = nn_sort(net, x, 1, NULL), *top = nn_top_k(net, x, 2, 1, least);
    nn_node *picked = nn_gather(net, x, 1, index), *hot = nn_one_hot(net, label, 5);
    nn_node *put = nn_scatter_add(net, x, 1, index, picked);
    nn_node *sums = nn_cumsum(net, nn_softmax(net, x, 1), 1);
    nn_node *spread = nn_std(net, x, NN_AXES(1), true), *most = nn_argmax(net, x, NN_AXES(1));
    PRINT(net, "choices", NULL, sorted, nn_output(sorted, 1), top, picked, hot, put, sums, spread,
          most, nn_scatter_value(net, x, 1, index, 2.5f), nn_logsumexp(net, x),
          nn_cross_entropy(net, x, label, smooth),
          nn_index_select(net, hot, 1, nn_cast(net, nn_cumsum(net, table, 0), NN_I32)));
}

static void of_norms(nn_model *net) {
    DESC(nn_group_norm_desc, two, .num_groups = 2);
    DESC(nn_instance_norm_desc, tracked, .affine = true, .track_running_stats = true);
    DESC(nn_batch_norm_desc, bare, .no_affine = true, .epsilon = 1e-3f);
    DESC(nn_layer_norm_desc, wide, .normalized_shape = {{4, 6}, 2}, .no_bias = true);
    DESC(nn_conv3d_desc, cube, .out_channels = 2, .kernel = 2);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4, 6));
    nn_node *a = nn_group_norm(net, "group", x, two), *b = nn_instance_norm(net, "one", a, tracked);
    nn_node *c = nn_batch_norm1d(net, "batch", b, bare), *d = nn_layer_norm(net, "layer", c, wide);
    nn_node *constant =
        nn_constant(net, "a constant",
                    nn_make_tensor(nn, &(nn_tensor_desc){.name = "c", .shape = NN_SHAPE(6)}));
    nn_node *e = nn_prelu(net, "rectified", nn_add(net, d, constant), NULL);
    nn_node *f = nn_conv3d(net, "cube", nn_reshape(net, e, NN_SHAPE(NN_BATCH, 1, 4, 3, 2)), cube);
    fill_buffers(net);
    PRINT(net, "norms", NULL, e, f, nn_normalize(net, x, 1), nn_glu(net, x, 2));
}

/* Describes a copy in 8-bit integers, with every operation that integers have. */
static void of_integers(nn_model *net) {
    enum { MANY = 12, IMAGE = 3 * 9 * 8 };
    static float pictures[MANY * IMAGE];
    DESC(nn_conv2d_desc, first, .out_channels = 6, .kernel = 3, .padding = 1, .stride_w = 2);
    DESC(nn_conv2d_desc, apart, .out_channels = 6, .kernel = 3, .same = true, .groups = 6);
    DESC(nn_conv2d_desc, point, .out_channels = 6, .kernel = 1, .padding_bottom = 1);
    DESC(nn_pool2d_desc, larger, .kernel = 3, .stride = 2, .padding = 1, .ceil = true);
    DESC(nn_pool2d_desc, means, .kernel = 2, .kernel_w = 1, .stride = 1,
         .count_only_inside = true);
    DESC(nn_conv2d_desc, groups, .out_channels = 4, .kernel = 2, .groups = 2);
    DESC(nn_conv_transpose2d_desc, up, .out_channels = 6, .kernel = 3, .stride = 2, .padding = 1,
         .output_padding = 1, .output_padding_w = NN_NONE, .groups = 2);
    DESC(nn_resize_desc, size, .size = 6, .size_w = 7, .mode = NN_RESIZE_LINEAR);
    DESC(nn_resize_desc, near, .size = 6, .size_w = 7);
    DESC(nn_linear_desc, last, .out_features = 5);
    DESC(nn_quantize_net_desc, how, .batches = 2);
    nn_node *x = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, 9, 8));
    nn_node *y = nn_relu(net, nn_conv2d(net, "first", x, first));
    nn_node *z = nn_batch_norm2d(net, "norm", nn_conv2d(net, "apart", y, apart), NULL);
    y = nn_relu6(net, nn_add(net, y, z));
    y = nn_max_pool2d(net, nn_conv2d(net, "point", y, point), larger);
    y = nn_avg_pool2d(net, y, means);
    z = nn_tanh(net, y); /* stays in f32 */
    y = nn_conv2d(net, "groups", y, groups);
    nn_node *parts[2];
    nn_chunk(net, nn_conv_transpose2d(net, "up", y, up), parts, 2, 1);
    y = nn_concat(net, NN_NODES(nn_resize(net, parts[0], size), nn_resize(net, parts[1], near)), 1);
    y = nn_avg_pool2d(net, nn_conv2d(net, "joined", y, point), means);
    nn_node *first_of = nn_linear(net, "of_joined", nn_flatten(net, y), last);
    y = nn_linear(net, "last", nn_flatten(net, nn_conv2d(net, "again", z, point)), last);
    y = nn_add(net, y, first_of);
    for (int i = 0; i < MANY * IMAGE; i++) pictures[i] = (float)(i * 37 % 101) / 50.0f - 1.0f;
    nn_field field;
    nn_dataset_desc data;
    nn_loader_desc batches;
    ZERO(field);
    ZERO(data);
    ZERO(batches);
    field.name = "image";
    field.data = pictures;
    field.shape = NN_SHAPE(3, 9, 8);
    data.count = MANY;
    data.fields = NN_FIELDS(field);
    batches.dataset = nn_make_dataset(nn, &data);
    batches.batch = 6;
    fill_buffers(net);
    nn_loader *loader = nn_make_loader(nn, &batches);
    nn_model *integers = nn_quantize_net(net, loader, how);
    ENSURE(integers);
    PRINT(integers, "integers", "printed_integers.safetensors", nn_copied_node(integers, y),
          nn_copied_node(integers, z));
    printed_dtypes[printed_count] = NN_F32;
    PRINT(integers, "integers_in_c", NULL, nn_copied_node(integers, y));
    nn_free_model(integers);
    nn_free_loader(loader);
    nn_free_dataset(batches.dataset);
}

static void print_own(void) {
    static void (*const nets[])(nn_model *) = {of_images,   of_steps, of_streams, of_words,
                                               of_elements, of_moves, of_choices, of_norms, of_integers};
    for (size_t i = 0; i < sizeof nets / sizeof *nets; i++) {
        nn_model *net = nn_make_model(nn, NULL);
        printed_dtypes[printed_count] = NN_F32;
        nets[i](net);
        nn_free_model(net);
    }
    nn_model_desc half;
    ZERO(half);
    for (int i = 0; i < 8; i++) { /* pictures, steps, words and norms with parameters of halves */
        static const int some[4] = {0, 1, 3, 7};
        printed_dtypes[printed_count] = half.dtype = i % 2 ? NN_F16 : NN_BF16;
        nn_model *of_halves = nn_make_model(nn, &half);
        nets[some[i / 2]](of_halves);
        nn_free_model(of_halves);
    }
    half.dtype = NN_BF16;
    nn_model *net = nn_make_model(nn, &half);
    printed_dtypes[printed_count] = NN_BF16;
    of_words_in(net, "printed_words.safetensors");
    nn_free_model(net);
}

/* ---- random nets, and other people's --------------------------------------------------------- */

static uint64_t first_seed;
static long said_values, refused_values;

/* Random nets whose values depend on the place in the net or on 8-bit weights are refused. */
static bool is_known_refusal(const char *error) {
    static const char *const causes[] = {"random numbers",
                                         "8 bits",
                                         "windows overlap",
                                         "parts that overlap",
                                         "scatters in this",
                                         "are broadcast",
                                         "repeats elements",
                                         "is not a multiple",
                                         "free extent",
                                         "pads an axis before",
                                         "gradient of a rotary",
                                         "another shape",
                                         "backwards",
                                         "gaps",
                                         "4,000 characters",
                                         "nn_write_c does not support"};
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (strstr(error, causes[i])) return true;
    return false;
}

static void drop(void *user, const char *text, size_t length) {
    (void)user, (void)text, (void)length;
}

/* Prints one net, whose outputs are all the values that nn_write_c accepts as an output. */
static void print_random(graph *g) {
    nn_model_desc made;
    nn_c_desc desc;
    int count = 0;
    ZERO(made);
    ZERO(desc);
    made.dtype = g->storage;
    nn_model *net = nn_make_model(nn, &made);
    graph_describe(g, net, false);
    desc.writer.function = drop;
    for (int i = g->count - 1; i >= 0 && count < 20; i--) {
        nn_c_desc one;
        ZERO(one);
        one.writer = desc.writer;
        if (g->items[i].kind != GRAPH_OPERATION) continue;
        one.outputs = NN_NODES(g->items[i].node);
        if (nn_write_c(net, &one) == NN_OK) {
            NODE_AT(desc.outputs, count++) = g->items[i].node;
        } else {
            refused_values++;
            if (test_wrong(!is_known_refusal(nn_error(nn))))
                test_fail(__FILE__, __LINE__, "net %d: %s", (int)g->seed, nn_error(nn));
            nn_clear_error(nn);
        }
    }
    said_values += count;
    printed_dtypes[printed_count] = g->storage;
    if (count > 0 && test_wrong(!print_net(net, "random", &desc, GRAPH_BATCH, GRAPH_TIME)))
        test_fail(__FILE__, __LINE__, "net %d: %s", (int)g->seed, nn_error(nn));
    nn_clear_error(nn);
    nn_free_model(net);
}

static graph g;

/* Copies the numbers that the net was drawn with, because their indices are in range. */
static void fill_drawn(const nn_node *node, const nn_view *view, void *to, size_t bytes,
                       unsigned *state) {
    (void)state;
    for (int i = 0; i < g.count; i++) {
        if (g.items[i].node != node) continue;
        for (size_t k = 0; k < bytes / 4; k++) {
            const float real = (float)g.items[i].v[k];
            const int32_t whole = (int32_t)g.items[i].v[k];
            memcpy((char *)to + 4 * k, view->dtype == NN_F32 ? (const void *)&real : &whole, 4);
        }
    }
}

static void print_randoms(void) {
    int made = 0;
    printed_numbers = fill_drawn;
    for (uint64_t seed = first_seed; made < 40; seed++) {
        if (seed % 6 == 1 || seed % 6 == 4) continue; /* of f16 and bf16; of_words has these */
        if (graph_make(&g, seed, 12)) {
            print_random(&g);
            made++;
        }
        graph_free(&g);
    }
    printed_numbers = printed_fill;
    printf("%ld values of random nets were printed, %ld refused\n", said_values, refused_values);
    ENSURE(said_values > 3 * refused_values);
}

/* A model from elsewhere, and values for its free extents. */
static const struct {
    const char *folder, *weights, *outputs[2];
    nn_onnx_extent extents[2];
    int extent_count, output_count;
} files[] = {
    {"vad-v5", "printed_vad.safetensors", {"output", "stateN"}, {{"input.1", 576}, {"state.1", NN_BATCH}}, 2, 2},
    {"face-pnet", NULL, {NULL}, {{"M1", 24}, {"M2", 24}}, 2, 0},
    {"ocr-angle", NULL, {NULL}, {{"x.2", 48}, {"x.3", 192}}, 2, 0},
    {"attacut-c", NULL, {NULL}, {{"seq_len", NN_TIME}}, 1, 0},
    {"magika", "printed_magika.safetensors", {NULL}, {{NULL, 0}}, 0, 0},
    {"ocr-angle-qdq", NULL, {NULL}, {{"x.2", 48}, {"x.3", 192}}, 2, 0},
};

static void print_files(void) {
    const char *folder = getenv("ONNX_DIR") ? getenv("ONNX_DIR") : "../shared/onnx";
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[512];
        nn_onnx_desc from;
        snprintf(path, sizeof path, "%s/%s/model.onnx", folder, files[i].folder);
        FILE *probe = fopen(path, "rb");
        if (!probe) {
            test_skip_part(__FILE__, __LINE__, "no models of other people (ONNX_DIR)");
            continue;
        }
        fclose(probe);
        ZERO(from);
        from.path = path;
        nn_onnx *file = nn_open_onnx(nn, &from);
        nn_model *net = nn_make_model(nn, NULL);
        nn_onnx_net_desc desc;
        nn_node *outputs[2] = {NULL, NULL};
        ZERO(desc);
        desc.extents.extent = files[i].extents;
        desc.extents.count = files[i].extent_count;
        if (files[i].output_count) { /* of vad-v5 */
            desc.outputs.text = files[i].outputs;
            desc.outputs.count = 2;
            static const nn_onnx_fixed rate = {"sr", 16000};
            desc.values.value = &rate;
            desc.values.count = 1;
        }
        outputs[0] = nn_onnx_net(net, NULL, file, &desc);
        if (files[i].output_count) outputs[1] = nn_onnx_node(net, file, files[i].outputs[1]);
        printed_dtypes[printed_count] = NN_F32;
        if (test_wrong(nn_fault_count(net) > 0 || nn_load_onnx_weights(net, file) != NN_OK))
            test_fail(__FILE__, __LINE__, "%s: %s", files[i].folder, nn_error(nn));
        else
            print_these(net, "file", (nn_nodes){outputs, outputs[1] ? 2 : 1}, files[i].weights);
        nn_clear_error(nn);
        nn_close_onnx(file);
        nn_free_model(net);
    }
}

/* ---- all nets -------------------------------------------------------------------------------- */

static void printed_nets_give_the_same_bytes(void) {
    nn_desc opened;
    ZERO(opened);
    opened.threads = 1;
    if (!printed_can_compile()) {
        test_skip_part(__FILE__, __LINE__, "no C compiler that links with the library here");
        return;
    }
    nn = nn_open(&opened);
    if (!first_seed) {
        print_own();
        print_files();
    }
    print_randoms();
    printed_write("printed_program.c", true);
    if (test_wrong(!printed_compile("printed_program.c", "./printed_program",
                                    "-O0 -Wall -Wextra -Werror -Wno-misleading-indentation")))
        test_fail(__FILE__, __LINE__, "printed_program.c does not compile");
    for (int i = 0; i < printed_count; i++)
        if (test_wrong(!printed_same(i, printed_dtypes[i])))
            test_fail(__FILE__, __LINE__, "net %d, %s, gives other bytes", i, printed[i].name);
    if (!test_this_failed) remove("printed_program.c");
    remove("printed_program");
    printed_forget();
    remove("printed_words.safetensors");
    remove("printed_integers.safetensors");
    remove("printed_vad.safetensors");
    remove("printed_magika.safetensors");
    nn_close(nn);
}

static void they_are_cpp_too(void) {
    nn_desc opened;
    ZERO(opened);
    FILE *file = fopen("printed.cpp", "w");
    ENSURE(file);
    fprintf(file, "#include \"nn.h\"\n");
    fclose(file);
    if (system("c++ -std=c++11 -fsyntax-only -I. printed.cpp 2> printed.log") != 0) {
        test_skip_part(__FILE__, __LINE__, "no C++ compiler");
    } else {
        nn = nn_open(&opened);
        print_own();
        printed_write("printed.cpp", false);
        ENSURE(system("c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -Wno-misleading-indentation "
                      "-fsyntax-only -I. printed.cpp") == 0);
        printed_forget();
        remove("printed_words.safetensors");
        nn_close(nn);
    }
    remove("printed.cpp");
    remove("printed.log");
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static nn_result nothing(void *user, const nn_custom_args *args) {
    (void)user, (void)args;
    return NN_OK;
}

/* The error has every reason at once, and no text is printed. */
static void refusals(void) {
    nn_context *context = nn_open(NULL);
    nn_model *net = nn_make_model(context, NULL);
    nn_c_desc desc;
    nn_custom_desc own;
    printed_text text = {NULL, 0};
    nn_tensor_desc made;
    ZERO(desc);
    ZERO(own);
    ZERO(made);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3));
    NODE_AT(own.inputs, 0) = x;
    own.shape = NN_SHAPE(NN_BATCH, 3);
    own.function = nothing;
    made.name = "mine";
    made.shape = NN_SHAPE(3);
    nn_node *a = nn_expression(net, "x: x + random()", x), *b = nn_custom(net, "own", &own);
    nn_node *c = nn_borrow(net, nn_make_tensor(context, &made));
    NODE_AT(desc.outputs, 0) = nn_add(net, nn_add(net, a, b), c);
    desc.writer.function = printed_add;
    desc.writer.user = &text;
    ENSURE(nn_write_c(net, &desc) == NN_ERROR_UNSUPPORTED && text.size == 0);
    ENSURE(strstr(nn_error(context), "3 parts") && strstr(nn_error(context), "random numbers"));
    ENSURE(strstr(nn_error(context), "\"own\": it is a function of the program's own"));
    ENSURE(strstr(nn_error(context), "nn_borrow"));
    ENSURE(!strstr(nn_error(context), "add \"add\"")); /* these reasons follow from the others */
    nn_clear_error(context);
    nn_model *bytes = nn_make_model(context, NULL);
    nn_linear_desc four;
    ZERO(four);
    four.out_features = 4;
    nn_quantize(bytes, NULL);
    NODE_AT(desc.outputs, 0) =
        nn_linear(bytes, "fc", nn_input(bytes, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)), &four);
    ENSURE(nn_write_c(bytes, &desc) == NN_ERROR_UNSUPPORTED && text.size == 0);
    ENSURE(strstr(nn_error(context), "before you call nn_quantize"));
    nn_clear_error(context);
    nn_close(context);
}

static void mistakes(void) {
    nn_context *context = nn_open(NULL);
    nn_model *net = nn_make_model(context, NULL), *other = nn_make_model(context, NULL);
    nn_c_desc desc;
    printed_text text = {NULL, 0};
    ZERO(desc);
    nn_node *y = nn_relu(net, nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)));
    ENSURE(nn_write_c(NULL, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(nn_write_c(net, NULL) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(context), "no output is given"));
    nn_clear_error(context);
    NODE_AT(desc.outputs, 0) = y;
    ENSURE(nn_write_c(net, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(context), "no writer is given"));
    nn_clear_error(context);
    desc.writer.function = printed_add;
    desc.writer.user = &text;
    ENSURE(nn_write_c(other, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(context), "is not a node of this net"));
    nn_clear_error(context);
    desc.name = "my net";
    ENSURE(nn_write_c(net, &desc) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(context), "wanted a C identifier"));
    nn_clear_error(context);
    desc.name = NULL;
    desc.weights = "no/such/folder/net.safetensors";
    ENSURE(nn_write_c(net, &desc) != NN_OK && text.size == 0);
    nn_clear_error(context);
    desc.weights = NULL;
    ENSURE(nn_write_c(net, &desc) == NN_OK && strstr(text.at, "nn_relu(net, x)"));
    ENSURE(strstr(text.at, "net_nodes net_describe(nn_model *net)"));
    text.size = 0;
    nn_reshape(net, y, NN_SHAPE(3));
    ENSURE(nn_write_c(net, &desc) == NN_ERROR_FAULTS && text.size == 0);
    nn_clear_error(context);
    free(text.at);
    nn_close(context);
}

/* Every float reads back to itself. */
static void numbers_read_back(void) {
    uint32_t bits = 1;
    for (int i = 0; i < 300000; i++) {
        float number, again;
        char digits[32];
        bits = bits * 1664525u + 1013904223u;
        if (i < 400) bits = (uint32_t)i << 23 | (i % 3 == 0 ? 0u : i % 3 == 1 ? 1u : 0x7fffffu);
        memcpy(&number, &bits, sizeof number);
        if (number - number != 0.0f || number == 0.0f) continue;
        nn__c_digits(number, digits);
        again = strtof(digits, NULL);
        if (test_wrong(memcmp(&number, &again, sizeof number) != 0))
            test_fail(__FILE__, __LINE__, "%s is %a, not %a", digits, (double)again,
                      (double)number);
    }
}

int main(int argc, char **argv) {
    if (argc > 2 && strcmp(argv[1], "--seed") == 0) {
        first_seed = (uint64_t)atoll(argv[2]);
        argc = 1;
    }
    test_start(argc, argv);
    RUN(numbers_read_back);
    RUN(mistakes);
    RUN(refusals);
    RUN(printed_nets_give_the_same_bytes);
    RUN(they_are_cpp_too);
    return test_report();
}
