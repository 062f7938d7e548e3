/* test_weights.c - weights by name: from and to memory, renamed, partly loaded, from files of other
   programs; layers applied twice; blending one model into another. */
#include "nn.h"
#include "error.h"
#include "test.h"

#include <stdlib.h>

static char log_text[4096];
static void keep_log(void *user, const char *text, size_t length) {
    size_t used = strlen(log_text);
    (void)user;
    if (used + length < sizeof log_text)
        memcpy(log_text + used, text, length), log_text[used + length] = 0;
}

static nn_context *open_one(void) {
    log_text[0] = 0;
    return nn_open(&(nn_desc){.threads = 1, .log = {keep_log}});
}

/* Describes two layers whose names begin with `prefix`. */
static nn_model *make_net(nn_context *nn, const char *prefix, uint64_t seed) {
    char name[200];
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "net", .seed = seed});
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    snprintf(name, sizeof name, "%sfc1", prefix);
    x = nn_linear(net, name, x, &(nn_linear_desc){.out_features = 5});
    snprintf(name, sizeof name, "%sfc2", prefix);
    nn_linear(net, name, nn_relu(net, x), &(nn_linear_desc){.out_features = 2});
    return net;
}

static bool same_weights(nn_model *a, nn_model *b) {
    for (int i = 0; i < nn_model_tensor_count(a); i++) {
        nn_tensor *x = nn_model_tensor_at(a, i), *y = nn_model_tensor_at(b, i);
        if (!x || !y || nn_tensor_bytes(x) != nn_tensor_bytes(y)) return false;
        if (memcmp(nn_tensor_data(x), nn_tensor_data(y), (size_t)nn_tensor_bytes(x)) != 0)
            return false;
    }
    return nn_model_tensor_count(a) == nn_model_tensor_count(b);
}

typedef struct sink {
    char *data;
    size_t size, room;
} sink;
static void fill_sink(void *user, const char *text, size_t length) {
    sink *s = (sink *)user;
    if (s->size + length <= s->room) memcpy(s->data + s->size, text, length);
    s->size += length;
}

static char file_bytes[65536];

static void through_memory(void) {
    nn_context *nn = open_one();
    nn_model *a = make_net(nn, "", 1), *b = make_net(nn, "", 2);
    char room[8192];
    sink s = {room, 0, sizeof room};
    ENSURE(nn_save_weights_to(a, (nn_writer){fill_sink, &s}) == NN_OK && s.size < sizeof room);
    ENSURE(nn_save_weights(a, "build/weights.safetensors") == NN_OK);
    FILE *file = fopen("build/weights.safetensors", "rb");
    ENSURE(file && fread(file_bytes, 1, sizeof file_bytes, file) == s.size &&
           memcmp(file_bytes, room, s.size) == 0);
    fclose(file);
    char *exact =
        (char *)malloc(s.size); /* sanitizers and valgrind see reads beyond it */
    memcpy(exact, room, s.size);
    ENSURE(nn_load_weights_from(b, exact, s.size, NULL) == NN_OK && same_weights(a, b));
    /* every shorter piece is an error, and the weights stay */
    nn_model *c = make_net(nn, "", 3), *before = make_net(nn, "", 3);
    nn_find_tensor(before, "fc1.weight");
    for (size_t size = 0; size < s.size; size += size < 64 ? 1 : 37) {
        ENSURE(nn_load_weights_from(c, exact, size, NULL) != NN_OK && nn_error(nn));
        nn_clear_error(nn);
    }
    nn_find_tensor(c, "fc1.weight");
    ENSURE(same_weights(c, before));
    ENSURE(nn_load_weights_from(c, NULL, 100, NULL) == NN_ERROR_ARGUMENT &&
           says(nn, "bytes is NULL"));
    ENSURE(nn_load_weights_from(NULL, exact, s.size, NULL) == NN_ERROR_ARGUMENT);
    ENSURE(nn_save_weights_to(a, (nn_writer){0}) == NN_ERROR_ARGUMENT && says(nn, "no function"));
    ENSURE(nn_save_weights_to(NULL, (nn_writer){fill_sink, &s}) == NN_ERROR_ARGUMENT);
    free(exact);
    nn_close(nn);
}

static void renames_with_stars(void) {
    nn_context *nn = open_one();
    nn_model *whole = make_net(nn, "backbone.", 1), *plain = make_net(nn, "", 2),
             *other = make_net(nn, "", 3);
    nn_loaded loaded;
    const char *path = "build/renamed.safetensors";
    ENSURE(nn_save_weights(whole, path) == NN_OK);
    ENSURE(nn_load_weights(plain, path,
                                &(nn_load_weights_desc){.renames = NN_RENAMES({"backbone.*", "*"}),
                                                        .loaded = &loaded}) == NN_OK);
    ENSURE(same_weights(whole, plain) && loaded.loaded == 4 && loaded.tensors == 4 &&
           loaded.unexpected == 0);
    ENSURE(nn_load_weights(other, path,
                                &(nn_load_weights_desc){.renames = NN_RENAMES({"*.fc1.weight", "x"},
                                                                    {"backbone.", ""})}) != NN_OK);
    ENSURE(says(nn, "missing:     \"fc1.weight\""));
    ENSURE(nn_load_weights(
               other, path,
               &(nn_load_weights_desc){.renames = NN_RENAMES({"backbone.*.weight", "*.weight"},
                                                             {"*.bias", "*.bias"})}) != NN_OK);
    ENSURE(says(nn, "backbone.fc1.bias")); /* the star matched all of it */
    log_text[0] = 0;
    ENSURE(nn_load_weights(
               other, path,
               &(nn_load_weights_desc){.non_strict = true,
                                       .loaded = &loaded,
                                       .renames = NN_RENAMES({"backbone.*.weight", "*.weight"},
                                                             {"*", NULL})}) == NN_OK);
    ENSURE(loaded.loaded == 2 && loaded.tensors == 4 && loaded.unexpected == 2);
    ENSURE(strstr(log_text, "2 of 4 tensors of the model \"net\" were loaded; 2 of the file were "
                            "passed over; not loaded: "
                            "\"fc1.bias\", \"fc2.bias\""));
    log_text[0] = 0;
    ENSURE(nn_load_weights(whole, path, NULL) == NN_OK &&
           !log_text[0]); /* all of it: nothing to say */
    nn_close(nn);
}

static void files_of_others_are_named(void) {
    static const struct {
        const char *start, *words;
    } files[] = {{"PK\3\4\0\0\x08\x08\0\0", "is a zip file, as torch.save writes it (.pt, .pth)"},
                 {"\x80\x02}q\0(X\x0c\0\0", "is a Python pickle"},
                 {"\x89HDF\r\n\x1a\n\0\0", "is an HDF5 file"},
                 {"GGUF\3\0\0\0\xff\xff", "is a GGUF file"},
                 {"\x93NUMPY\1\0v\0", "nn_load_npy reads it"}};
    nn_context *nn = open_one();
    nn_model *net = make_net(nn, "", 1);
    for (int i = 0; i < (int)(sizeof files / sizeof *files); i++) {
        char bytes[64] = {0};
        memcpy(bytes, files[i].start, 10);
        ENSURE(nn_load_weights_from(net, bytes, sizeof bytes, NULL) == NN_ERROR_FORMAT &&
               says(nn, files[i].words));
        FILE *file = fopen("build/foreign.pt", "wb");
        ENSURE(file && fwrite(bytes, 1, sizeof bytes, file) == sizeof bytes && fclose(file) == 0);
        ENSURE(nn_load_weights(net, "build/foreign.pt", NULL) == NN_ERROR_FORMAT &&
               says(nn, files[i].words));
    }
    nn_close(nn);
}

static void long_names(void) {
    nn_context *nn = open_one();
    char prefix[130];
    memset(prefix, 'n', sizeof prefix);
    prefix[127 - 4 - 7] = 0; /* and "fc1" ".weight": 126 bytes */
    nn_model *a = make_net(nn, prefix, 1), *b = make_net(nn, prefix, 2);
    ENSURE(nn_fault_count(a) == 0 && nn_save_weights(a, "build/long.safetensors") == NN_OK);
    ENSURE(nn_load_weights(b, "build/long.safetensors", NULL) == NN_OK && same_weights(a, b));
    ENSURE(strlen(nn_tensor_name(nn_model_tensor_at(a, 0))) == 126);
    prefix[127 - 4 - 7] = 'n', prefix[127 - 4 - 7 + 2] = 0;
    ENSURE(nn_fault_count(make_net(nn, prefix, 1)) > 0);
    nn_close(nn);
}

/* ---- a layer applied to two inputs ----------------------------------------------------------- */

static nn_trainer *make_twins(nn_context *nn, nn_node **a, nn_node **b, bool shared) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 5});
    nn_linear_desc layer = {.out_features = 3};
    *a = nn_input(net, "a", NN_F32, NN_SHAPE(NN_BATCH, 4));
    nn_node *y, *z;
    if (shared) {
        *b = nn_input(net, "b", NN_F32, NN_SHAPE(NN_BATCH, 4));
        layer.shared = true;
        y = nn_linear(net, "fc", *a, &layer);
        z = nn_linear(net, "fc", *b, &layer);
        y = nn_add(net, nn_sum(net, nn_multiply(net, y, y)), nn_sum(net, nn_multiply(net, z, z)));
    } else { /* the two halves of one batch */
        y = nn_linear(net, "fc", *a, &layer);
        y = nn_sum(net, nn_multiply(net, y, y));
    }
    return nn_make_trainer(net, y, &(nn_trainer_desc){.batch = 2, .learning_rate = 0.01f});
}

static void a_shared_layer_adds_its_gradients(void) {
    static const float rows[2][4] = {{1, 2, 3, 4}, {0.5f, -1, 2, -3}};
    nn_context *nn = open_one();
    nn_node *a, *b, *both, *none;
    nn_trainer *twins = make_twins(nn, &a, &b, true), *one = make_twins(nn, &both, &none, false);
    ENSURE(twins && one);
    for (int i = 0; i < 3; i++) {
        ENSURE(nn_upload(nn_trainer_plan(twins), a, rows[0], sizeof rows[0]) == NN_OK);
        ENSURE(nn_upload(nn_trainer_plan(twins), b, rows[1], sizeof rows[1]) == NN_OK);
        ENSURE(nn_upload(nn_trainer_plan(one), both, rows, sizeof rows) == NN_OK);
        ENSURE(nn_train_on_inputs(twins) == NN_OK && nn_train_on_inputs(one) == NN_OK);
        float x, y;
        ENSURE(nn_read_loss(twins, &x) == NN_OK && nn_read_loss(one, &y) == NN_OK);
        ENSURE_CLOSE(x, y, 1e-4 * fabs(y));
    }
    nn_close(nn);
}

static void shared_layers_are_checked(void) {
    nn_context *nn = open_one();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4)),
            *wide = nn_input(net, "wide", NN_F32, NN_SHAPE(NN_BATCH, 6));
    nn_node *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 8, 8));
    nn_linear_desc layer = {.out_features = 3, .shared = true};
    nn_conv2d_desc filter = {.out_channels = 2, .kernel = 3, .shared = true};
    nn_linear(net, "fc", x, &layer);
    nn_linear(net, "fc", x, &layer);
    nn_conv2d(net, "conv", image, &filter);
    nn_conv2d(net, "conv", image, &filter);
    ENSURE(nn_parameter_count(net) == 4 && nn_fault_count(net) == 0);
    nn_linear(net, "fc", wide, &layer);
    ENSURE(nn_fault_count(net) == 1);
    layer.shared = false;
    nn_node *again = nn_linear(net, "fc", x, &layer);
    ENSURE(nn_fault_count(net) >= 2 &&
           !nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(again)}));
    ENSURE(strstr(nn_error(nn),
                  "the layer is shared, but here it is (3, 6); described at test_weights.c:"));
    ENSURE(strstr(nn_error(nn), ".shared = true to apply the same layer again"));
    nn_close(nn);
}

/* ---- target networks ------------------------------------------------------------------------- */

static void weights_are_blended(void) {
    nn_context *nn = open_one();
    nn_model *to = make_net(nn, "", 1), *from = make_net(nn, "", 2),
             *other = make_net(nn, "target.", 3);
    float before[20], towards[20], after[20];
    nn_tensor *weight = nn_find_tensor(to, "fc1.weight");
    ENSURE(nn_download_tensor(weight, before, sizeof before) == NN_OK);
    ENSURE(nn_download_tensor(nn_find_tensor(from, "fc1.weight"), towards, sizeof towards) ==
           NN_OK);
    ENSURE(nn_blend_weights(to, from, 0.0f) == NN_OK &&
           memcmp(nn_tensor_data(weight), before, sizeof before) == 0);
    ENSURE(nn_blend_weights(to, from, 0.25f) == NN_OK &&
           nn_download_tensor(weight, after, sizeof after) == NN_OK);
    for (int i = 0; i < 20; i++)
        ENSURE_CLOSE(after[i], 0.25 * (double)towards[i] + 0.75 * (double)before[i], 1e-7);
    ENSURE(memcmp(nn_tensor_data(nn_find_tensor(from, "fc1.weight")), towards, sizeof towards) ==
           0);
    ENSURE(nn_blend_weights(to, from, 1.0f) == NN_OK && same_weights(to, from));
    ENSURE(nn_blend_weights(to, other, 0.5f) != NN_OK &&
           says(nn, "\"fc1.weight\" of the first model is \"target.fc1.weight\""));
    ENSURE(nn_blend_weights(to, from, 1.5f) != NN_OK && says(nn, "tau is 1.5"));
    ENSURE(nn_blend_weights(to, from, NAN) != NN_OK && says(nn, "wanted 0 to 1"));
    ENSURE(nn_blend_weights(to, to, 0.5f) != NN_OK && says(nn, "the same one"));
    ENSURE(nn_blend_weights(to, NULL, 0.5f) != NN_OK && says(nn, "from is NULL"));
    ENSURE(nn_blend_weights(NULL, from, 0.5f) == NN_ERROR_ARGUMENT && same_weights(to, from));
    nn_close(nn);
}

/* ---- the halves of a step -------------------------------------------------------------------- */

static nn_trainer *make_halves(nn_context *nn, bool gradients, nn_optimizer optimizer,
                               float max_norm, nn_node **x, nn_node **label) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.seed = 7});
    *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *h = nn_relu(net, nn_linear(net, "fc1", *x, &(nn_linear_desc){.out_features = 6}));
    nn_node *y =
        nn_linear(net, "fc2", nn_dropout(net, h, 0.25f), &(nn_linear_desc){.out_features = 3});
    return nn_make_trainer(net, nn_cross_entropy(net, y, *label, NULL),
                           &(nn_trainer_desc){.batch = 4,
                                              .optimizer = optimizer,
                                              .max_norm = max_norm,
                                              .momentum = optimizer == NN_SGD ? 0.9f : 0,
                                              .gradients = gradients,
                                              .learning_rate = 0.05f});
}

static const float halves_x[4][4] = {{1, 2, 3, 4}, {-1, 0.5f, 2, 0}, {0, 1, 0, 1}, {3, -2, 1, 1}};
static const int32_t halves_label[4] = {0, 2, 1, 0};

static bool give(nn_trainer *t, nn_node *x, nn_node *label, int first, int count) {
    return nn_upload(nn_trainer_plan(t), x, halves_x[first], sizeof halves_x[0] * (size_t)count) ==
               NN_OK &&
           nn_upload(nn_trainer_plan(t), label, &halves_label[first],
                     sizeof halves_label[0] * (size_t)count) == NN_OK;
}

static bool same_parameters(nn_context *a_nn, nn_trainer *a, nn_trainer *b, const char *path_a,
                            const char *path_b) {
    static char x[65536], y[65536];
    (void)a_nn;
    if (nn_save_checkpoint(a, path_a, NULL) != NN_OK ||
        nn_save_checkpoint(b, path_b, NULL) != NN_OK)
        return false;
    FILE *f = fopen(path_a, "rb"), *g = fopen(path_b, "rb");
    size_t n = f ? fread(x, 1, sizeof x, f) : 0, m = g ? fread(y, 1, sizeof y, g) : 1;
    if (f) fclose(f);
    if (g) fclose(g);
    return n == m && memcmp(x, y, n) == 0;
}

/* A step, its two halves, and a step of a trainer that keeps gradients: parameters, moments and
   sums have the same bytes. */
static void halves_of_a_step(void) {
    for (int i = 0; i < 4; i++) {
        nn_context *nn = open_one();
        nn_optimizer optimizer = i % 2 ? NN_ADAM : NN_SGD;
        float max_norm = i / 2 ? 0.1f : 0.0f;
        nn_node *x[3], *l[3];
        nn_trainer *t[3];
        for (int k = 0; k < 3; k++)
            t[k] = make_halves(nn, k > 0, optimizer, max_norm, &x[k], &l[k]);
        ENSURE(t[0] && t[1] && t[2]);
        for (int s = 0; s < 5; s++) {
            for (int k = 0; k < 3; k++) ENSURE(give(t[k], x[k], l[k], 0, 4));
            ENSURE(nn_train_on_inputs(t[0]) == NN_OK && nn_train_on_inputs(t[1]) == NN_OK);
            ENSURE(nn_backward(t[2]) == NN_OK && nn_update(t[2]) == NN_OK &&
                   nn_trainer_step(t[2]) == s + 1);
        }
        ENSURE(same_parameters(nn, t[0], t[1], "build/half0", "build/half1"));
        ENSURE(same_parameters(nn, t[0], t[2], "build/half0", "build/half1"));
        nn_close(nn);
    }
}

static void gradients_add_up_and_are_read(void) {
    nn_context *nn = open_one();
    nn_node *x, *l;
    nn_trainer *t = make_halves(nn, true, NN_SGD, 0, &x, &l), *plain;
    float once[18], twice[18], bias[3];
    ENSURE(t && nn_read_gradient(t, "fc2.weight", once, sizeof once) == NN_ERROR_ARGUMENT &&
           says(nn, "no gradients yet"));
    ENSURE(nn_update(t) == NN_ERROR_ARGUMENT && says(nn, "no nn_backward since"));
    ENSURE(give(t, x, l, 0, 4) && nn_backward(t) == NN_OK &&
           nn_read_gradient(t, "fc2.bias", bias, sizeof bias) == NN_OK);
    ENSURE_CLOSE(bias[0] + bias[1] + bias[2], 0, 1e-6); /* softmax minus one-hot */
    ENSURE(bias[0] != 0 && nn_read_gradient(t, "fc2.weight", once, sizeof once) == NN_OK);
    ENSURE(nn_save_checkpoint(t, "build/half", NULL) == NN_ERROR_ARGUMENT &&
           says(nn, "1 calls of nn_backward wait"));
    ENSURE(nn_zero_gradients(t) == NN_OK &&
           nn_read_gradient(t, "fc2.weight", twice, sizeof twice) == NN_OK && twice[0] == 0);
    /* the sum of two passes is the sum of their gradients: bias gradients of the second pass alone,
       by difference */
    float first[3], sum[3], second[3];
    ENSURE(give(t, x, l, 0, 2) && nn_backward(t) == NN_OK &&
           nn_read_gradient(t, "fc2.bias", first, sizeof first) == NN_OK);
    ENSURE(give(t, x, l, 2, 2) && nn_backward(t) == NN_OK &&
           nn_read_gradient(t, "fc2.bias", sum, sizeof sum) == NN_OK);
    for (int i = 0; i < 3; i++) second[i] = sum[i] - first[i];
    ENSURE_CLOSE(second[0] + second[1] + second[2], 0, 1e-6);
    ENSURE(second[0] != 0 && nn_update(t) == NN_OK && nn_trainer_step(t) == 1);
    ENSURE(nn_read_gradient(t, "fc2.bias", first, sizeof first) == NN_OK &&
           memcmp(first, sum, sizeof sum) == 0);
    ENSURE(nn_read_gradient(t, "fc2.bais", bias, sizeof bias) == NN_ERROR_ARGUMENT &&
           says(nn, "\"fc2.bais\" is no parameter"));
    ENSURE(nn_read_gradient(t, "fc2.bias", bias, 4) == NN_ERROR_SHAPE && nn_error(nn));
    nn_clear_error(nn);
    plain = make_halves(nn, false, NN_SGD, 0, &x, &l);
    ENSURE(nn_backward(plain) == NN_ERROR_ARGUMENT && says(nn, "nn_trainer_desc.gradients = true"));
    ENSURE(nn_update(NULL) == NN_ERROR_ARGUMENT && nn_backward(NULL) == NN_ERROR_ARGUMENT &&
           nn_zero_gradients(NULL) == NN_ERROR_ARGUMENT &&
           nn_read_gradient(NULL, "x", bias, 4) == NN_ERROR_ARGUMENT);
    nn_close(nn);
}

/* A label out of range: nothing is added and nothing is updated. */
static void a_fault_stops_the_update(void) {
    nn_context *nn = open_one();
    nn_node *x, *l;
    nn_trainer *t = make_halves(nn, true, NN_SGD, 0, &x, &l);
    static const int32_t wrong[4] = {0, 1, 9, 0};
    ENSURE(t && give(t, x, l, 0, 4) &&
           nn_upload(nn_trainer_plan(t), l, wrong, sizeof wrong) == NN_OK);
    if (nn_backward(t) == NN_OK) ENSURE(nn_update(t) == NN_ERROR_LABEL);
    ENSURE(nn_trainer_step(t) == 0 && nn_error(nn));
    nn_clear_error(nn);
    ENSURE(nn_clear_fault(t) == NN_OK && nn_zero_gradients(t) == NN_OK && give(t, x, l, 0, 4));
    ENSURE(nn_backward(t) == NN_OK && nn_update(t) == NN_OK && nn_trainer_step(t) == 1);
    nn_close(nn);
}

/* ---- files that are nearly right ------------------------------------------------------------- */

/* Makes a file of one weight and a tensor "steps" of this dtype and width. */
static size_t with_other(unsigned char *to, const char *dtype, int bytes, int claimed) {
    static const float w[2] = {3, 5};
    char header[300];
    const int n = snprintf(header, sizeof header,
                           "{\"f.weight\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":"
                           "[0,8]},\"steps\":{\"dtype\":\"%s\",\"shape\":[2],\"data_offsets\":"
                           "[8,%d]}}",
                           dtype, 8 + claimed);
    memset(to, 0, 512);
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)((unsigned)n >> 8 * i & 255u);
    memcpy(to + 8, header, (size_t)n), memcpy(to + 8 + n, w, sizeof w);
    return 8 + (size_t)n + 8 + (size_t)bytes;
}

/* Tensors of dtypes that the library lacks do no harm: a strict load names them, other loads pass
   them over, and none reads them as something else. */
static void other_dtypes_beside(void) {
    static const struct {
        const char *name;
        int bytes; /* of two numbers */
    } dtypes[] = {{"U16", 4},     {"U32", 8},     {"U64", 16},    {"F8_E4M3", 2},
                  {"F8_E5M2", 2}, {"F8_E8M0", 2}, {"C64", 16},    {"F4", 1},
                  {"F6_E2M3", 2}, {"F8_E4M3FNUZ", 2}};
    for (int k = 0; k < (int)(sizeof dtypes / sizeof *dtypes); k++) {
        nn_context *nn = open_one();
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2));
        nn_linear(net, "f", x, &(nn_linear_desc){.out_features = 1, .no_bias = true});
        unsigned char file[512];
        float got[2] = {0, 0};
        size_t n = with_other(file, dtypes[k].name, dtypes[k].bytes, dtypes[k].bytes);
        ENSURE(nn_load_weights_from(net, file, n, NULL) != NN_OK && says(nn, "unexpected:  \"steps\""));
        nn_clear_error(nn);
        ENSURE(nn_load_weights_from(net, file, n, &(nn_load_weights_desc){.non_strict = true}) ==
               NN_OK);
        nn_download_tensor(nn_find_tensor(net, "f.weight"), got, sizeof got);
        ENSURE(got[0] == 3 && got[1] == 5);
        /* asked for: refused */
        nn_load_weights_desc asks = {.renames =
                                         NN_RENAMES({"f.weight", NULL}, {"steps", "f.weight"})};
        ENSURE(nn_load_weights_from(net, file, n, &asks) != NN_OK && says(nn, "wrong dtype"));
        nn_clear_error(nn);
        /* a width that is not the dtype's */
        n = with_other(file, dtypes[k].name, dtypes[k].bytes + 1, dtypes[k].bytes + 1);
        ENSURE(nn_load_weights_from(net, file, n, NULL) != NN_OK && says(nn, "data_offsets span"));
        nn_clear_error(nn);
        n = with_other(file, "Q7", 2, 2);
        ENSURE(nn_load_weights_from(net, file, n, NULL) != NN_OK && says(nn, "unknown here"));
        nn_close(nn);
    }
}

/* The two loads that fail most often get an error that names the fix. */
static void wrapped_models_and_pages(void) {
    static const char *const prefixes[] = {"module.", "_orig_mod.", "model.encoder."};
    for (int k = 0; k < 3; k++) {
        char hint[64];
        nn_context *nn = open_one();
        nn_model *wrapped = make_net(nn, prefixes[k], 1), *net = make_net(nn, "", 2);
        ENSURE(nn_save_weights(wrapped, "build/prefix.safetensors") == NN_OK);
        ENSURE(nn_load_weights(net, "build/prefix.safetensors", NULL) != NN_OK);
        snprintf(hint, sizeof hint, ".renames = NN_RENAMES({ \"%s*\", \"*\" })", prefixes[k]);
        ENSURE(says(nn, hint));
        nn_clear_error(nn);
        snprintf(hint, sizeof hint, "%s*", prefixes[k]);
        nn_load_weights_desc advice = {.renames = NN_RENAMES({hint, "*"})};
        ENSURE(nn_load_weights(net, "build/prefix.safetensors", &advice) == NN_OK);
        ENSURE(same_weights(net, wrapped));
        ENSURE(nn_save_weights(net, "build/prefix.safetensors") == NN_OK);
        ENSURE(nn_load_weights(wrapped, "build/prefix.safetensors", NULL) != NN_OK);
        snprintf(hint, sizeof hint, ".renames = NN_RENAMES({ \"*\", \"%s*\" })", prefixes[k]);
        ENSURE(says(nn, hint));
        nn_close(nn);
    }
    remove("build/prefix.safetensors");
    static const char *const texts[][2] = {
        {"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "Git LFS"},
        {"<!DOCTYPE html><html></html>\n", "HTML"},
        {"Entry not found", "is text"}};
    nn_context *nn = open_one();
    nn_model *net = make_net(nn, "", 2);
    for (int k = 0; k < 3; k++) {
        ENSURE(nn_load_weights_from(net, texts[k][0], strlen(texts[k][0]), NULL) != NN_OK);
        ENSURE(says(nn, texts[k][1]));
        nn_clear_error(nn);
    }
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(halves_of_a_step);
    RUN(gradients_add_up_and_are_read);
    RUN(a_fault_stops_the_update);
    RUN(through_memory);
    RUN(renames_with_stars);
    RUN(files_of_others_are_named);
    RUN(long_names);
    RUN(a_shared_layer_adds_its_gradients);
    RUN(shared_layers_are_checked);
    RUN(weights_are_blended);
    RUN(other_dtypes_beside);
    RUN(wrapped_models_and_pages);
    return test_report();
}
