/* tests/train/test_quantize_uses.c - nets in 8-bit integers beside other features of the library:
   .skip with integers as inputs and outputs, .precision, two contexts at once, copies on other
   devices, damaged scales, and training in shards before they become integers. The nets are random
   (random_images.h).

     NN_FULL=1 test_quantize_uses     2,000 nets instead of 60 for each test */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_group.h"
#include "nn_quantize.h"

#include <math.h>
#include <stdlib.h>

#include "rank_threads.h"

#include "lists.h"
#include "random_images.h"

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

enum { BATCH = 3, ROOM = BATCH * 32 * 1024 };

static float numbers[2][ROOM];

static int nets(void) {
    const char *full = getenv("NN_FULL");
    return full && *full == '1' ? 2000 : 60;
}

static int elements(const nn_node *node) {
    const nn_shape shape = nn_node_shape(node);
    int all = 1;
    for (int i = 1; i < shape.rank; i++) all *= shape.extent[i];
    return all;
}

/* A drawn net, and a copy in integers. */
typedef struct pair {
    nn_context *nn;
    images g;
    nn_model *whole; /* NULL: the net has no layer that could compute in integers */
} pair;

static void quantise(pair *p, nn_quantize_net_desc *how) {
    how->outputs.node = p->g.output;
    how->outputs.count = p->g.outputs;
    p->whole = nn_quantize_net(p->g.net, NULL, how);
    if (!p->whole) {
        if (test_wrong(nn_error_code(p->nn) != NN_ERROR_UNSUPPORTED))
            test_fail(__FILE__, __LINE__, "seed %d: %s", (int)p->g.seed, nn_error(p->nn));
        nn_clear_error(p->nn);
    }
}
static pair draw_on(nn_context *nn, uint64_t seed, nn_device device) {
    pair p;
    nn_quantize_net_desc how;
    nn_model_desc desc;
    ZERO(p);
    ZERO(how);
    ZERO(desc);
    desc.device = device;
    p.nn = nn;
    images_describe(&p.g, nn_make_model(nn, &desc), seed);
    quantise(&p, &how);
    return p;
}
static void fill_inputs(images *g) {
    for (int i = 0; i < g->inputs; i++)
        for (int k = 0; k < BATCH * elements(g->input[i]); k++)
            numbers[i][k] = 1.2f * images_number(g);
}

/* Runs copies of the net's nodes. Returns false after an error. */
static bool run_plan(nn_model *net, nn_node *const *input, nn_node *const *output, const pair *p,
                     nn_plan_desc *desc, float to[2][ROOM]) {
    nn_nodes none;
    ZERO(none);
    desc->outputs = none;
    nn_node *outputs[2];
    for (int i = 0; i < p->g.outputs; i++) outputs[i] = output[i];
    desc->outputs.node = outputs;
    desc->outputs.count = p->g.outputs;
    desc->batch = BATCH;
    nn_plan *plan = nn_make_plan(net, desc);
    bool fine = plan != NULL;
    for (int i = 0; i < p->g.inputs && fine; i++)
        if (input[i] && nn_plan_view(plan, input[i]).dtype)
            fine = nn_upload(plan, input[i], numbers[i],
                             sizeof(float) * (size_t)(BATCH * elements(input[i]))) == NN_OK;
    fine = fine && nn_run(plan) == NN_OK;
    for (int i = 0; i < p->g.outputs && fine; i++)
        fine = nn_download(plan, output[i], to[i],
                           sizeof(float) * (size_t)(BATCH * elements(output[i]))) == NN_OK;
    nn_free_plan(plan);
    return fine;
}
/* Runs a copy, or a copy of a copy, of the net. */
static bool run_copy(nn_model *net, nn_model *second, const pair *p, nn_plan_desc *desc,
                     float to[2][ROOM]) {
    nn_node *input[2] = {NULL, NULL}, *output[2] = {NULL, NULL};
    for (int i = 0; i < p->g.inputs; i++) input[i] = nn_copied_node(net, p->g.input[i]);
    for (int i = 0; i < p->g.outputs; i++) output[i] = nn_copied_node(net, p->g.output[i]);
    for (int i = 0; i < p->g.inputs && second; i++) input[i] = nn_copied_node(second, input[i]);
    for (int i = 0; i < p->g.outputs && second; i++) output[i] = nn_copied_node(second, output[i]);
    return run_plan(second ? second : net, input, output, p, desc, to);
}
static void compare(const pair *p, float a[2][ROOM], float b[2][ROOM], const char *what) {
    for (int i = 0; i < p->g.outputs; i++) {
        const size_t bytes = sizeof(float) * (size_t)(BATCH * elements(p->g.output[i]));
        if (test_wrong(memcmp(a[i], b[i], bytes) != 0))
            test_fail(__FILE__, __LINE__, "seed %d, output %d: other bytes %s", (int)p->g.seed, i,
                      what);
    }
}
static void wrong_run(const pair *p, const char *what) {
    test_wrong(true);
    test_fail(__FILE__, __LINE__, "seed %d, %s: %s", (int)p->g.seed, what, nn_error(p->nn));
    nn_clear_error(p->nn);
}

/* ---- .skip, and integers outside ------------------------------------------------------------- */

/* Draws names of nodes, and keeps those that .skip knows. */
static int draw_skips(pair *p, const char **names) {
    int count = 0;
    for (nn_node *node = nn_next_node(p->g.net, NULL); node && count < 4;
         node = nn_next_node(p->g.net, node)) {
        nn_quantize_net_desc how;
        ZERO(how);
        if (nn_describe_node(node).kind != NN_NODE_OPERATION || images_below(&p->g, 4)) continue;
        names[count] = nn_node_name(node);
        how.skip.text = names + count;
        how.skip.count = 1;
        nn_model *made = nn_quantize_net(p->g.net, NULL, &how);
        if (made || (nn_error(p->nn) && !strstr(nn_error(p->nn), "fits no layer"))) count++;
        nn_clear_error(p->nn);
        nn_free_model(made);
    }
    return count;
}

/* Returns the number of channels if the integers are an image with its channels last, else 1. A
   value that linear layers read keeps its order. A cube may have either order. */
static int channels_last(const nn_node *node, const nn_node *real) {
    const nn_shape shape = nn_node_shape(node), as = nn_node_shape(real);
    return shape.rank == 4 && as.rank == 4 && shape.extent[3] == as.extent[1] &&
                   !nn_same_shape(shape, as)
               ? shape.extent[3]
               : 1;
}
static bool is_cube(const nn_node *node) {
    const nn_shape shape = nn_node_shape(node);
    return shape.rank == 4 && shape.extent[1] == shape.extent[2] &&
           shape.extent[2] == shape.extent[3];
}

/* True if the integers (N, plane, C) stand for the f32 numbers (N, C, plane) in the scale of one of
   the model's buffers. */
static bool stand_for(nn_model *net, const int8_t *q, const float *y, int all, int C) {
    const int plane = all / C;
    for (int t = 0; t < nn_model_tensor_count(net); t++) {
        nn_tensor *tensor = nn_model_tensor_at(net, t);
        const char *end = strrchr(nn_tensor_name(tensor), '.');
        float scale[2];
        bool same = true;
        if (!end || strcmp(end, ".scale") != 0) continue;
        ENSURE_OR(false, nn_download_tensor(tensor, scale, sizeof scale) == NN_OK);
        for (int n = 0; n < BATCH && same; n++)
            for (int i = 0; i < all && same; i++)
                same = y[n * all + i] ==
                       scale[0] * ((float)q[n * all + i % plane * C + i / plane] - scale[1]);
        if (same) return true;
    }
    return false;
}

static int integers_out, integers_in, skipped;
static int8_t bytes[2][ROOM];

/* Rounds the numbers of an input that became integers, and keeps these: what reads the input in f32
   gets the rounded numbers there. */
static void round_input(nn_model *outside, const nn_node *x, const nn_node *real, int i) {
    const int all = elements(x), C = channels_last(x, real), plane = all / C;
    char name[40];
    float scale[2];
    snprintf(name, sizeof name, "%s.scale", nn_node_name(x));
    ENSURE(nn_download_tensor(nn_find_tensor(outside, name), scale, sizeof scale) == NN_OK);
    for (int n = 0; n < BATCH; n++)
        for (int k = 0; k < all; k++) {
            float *number = &numbers[i][n * all + k];
            const float v = *number / scale[0],
                        q = (v < 0 ? -floorf(0.5f - v) : floorf(v + 0.5f)) + scale[1],
                        whole = fmaxf(-128, fminf(127, q));
            bytes[i][n * all + k % plane * C + k / plane] = (int8_t)whole;
            *number = scale[0] * (whole - scale[1]);
        }
    integers_in++;
}

/* Runs a model with integers outside, and `inside` on the same numbers. */
static void compare_outside(const pair *p, nn_model *inside, nn_model *outside) {
    static int8_t found[ROOM];
    static float real[ROOM], plain[2][ROOM];
    nn_plan_desc desc, again;
    nn_node *outputs[2];
    ZERO(desc);
    ZERO(again);
    for (int i = 0; i < p->g.outputs; i++) outputs[i] = nn_copied_node(outside, p->g.output[i]);
    desc.outputs.node = outputs;
    desc.outputs.count = p->g.outputs;
    desc.batch = BATCH;
    nn_plan *plan = nn_make_plan(outside, &desc);
    bool fine = plan != NULL;
    for (int i = 0; i < p->g.inputs && fine; i++) {
        nn_node *x = nn_copied_node(outside, p->g.input[i]);
        const bool whole = x && nn_node_dtype(x) == NN_I8;
        if (whole) round_input(outside, x, p->g.input[i], i);
        if (!x || !nn_plan_view(plan, x).dtype) continue;
        fine = nn_upload(plan, x, whole ? (void *)bytes[i] : numbers[i],
                         (whole ? 1 : sizeof(float)) * (size_t)(BATCH * elements(x))) == NN_OK;
    }
    fine = fine && nn_run(plan) == NN_OK && run_copy(inside, NULL, p, &again, plain);
    for (int i = 0; i < p->g.outputs && fine; i++) {
        const int all = BATCH * elements(p->g.output[i]);
        bool same;
        if (nn_node_dtype(outputs[i]) == NN_F32) {
            fine = nn_download(plan, outputs[i], real, sizeof(float) * (size_t)all) == NN_OK;
            same = memcmp(real, plain[i], sizeof(float) * (size_t)all) == 0;
        } else {
            fine = nn_download(plan, outputs[i], found, (size_t)all) == NN_OK;
            const int C = channels_last(outputs[i], p->g.output[i]), each = all / BATCH;
            const nn_shape shape = nn_node_shape(outputs[i]);
            same = stand_for(outside, found, plain[i], each, C) ||
                   (is_cube(outputs[i]) &&
                    stand_for(outside, found, plain[i], each, shape.extent[3]));
            integers_out++;
        }
        if (test_wrong(fine && !same))
            test_fail(__FILE__, __LINE__, "seed %d, output %d: integers outside differ",
                      (int)p->g.seed, i);
    }
    if (!fine) wrong_run(p, "integers outside");
    nn_free_plan(plan);
}

static void skipped_layers_with_integers_outside(void) {
    integers_out = integers_in = skipped = 0;
    for (int seed = 1; seed <= nets() && test_this_failed < 10; seed++) {
        const char *names[4];
        nn_quantize_net_desc how;
        ZERO(how);
        nn_context *nn = nn_open(NULL);
        pair p = draw_on(nn, (uint64_t)seed, nn_cpu());
        how.skip.text = names;
        how.skip.count = draw_skips(&p, names);
        skipped += how.skip.count;
        fill_inputs(&p.g);
        quantise(&p, &how);
        bool cubes = false;
        for (int i = 0; i < p.g.inputs; i++) cubes = cubes || is_cube(p.g.input[i]);
        if (p.whole && !cubes) {
            how.integer_inputs = images_below(&p.g, 4) != 0;
            how.integer_outputs = images_below(&p.g, 4) != 0;
            nn_model *inside = p.whole;
            quantise(&p, &how);
            ENSURE(p.whole);
            if (p.whole) compare_outside(&p, inside, p.whole);
        }
        ENSURE(!nn_error(nn));
        nn_close(nn);
    }
    if (getenv("NN_VERBOSE"))
        printf("%d skipped, %d inputs and %d outputs are integers\n", skipped, integers_in,
               integers_out);
    ENSURE(skipped > nets() / 2 && integers_in > nets() / 12 && integers_out > nets() / 6);
}

/* ---- devices, precisions, contexts ----------------------------------------------------------- */

/* Products may round f32 on matrix units, but never integers. A plan of integers alone may require
   a precision. */
static void precisions_leave_integers(void) {
    static float usual[2][ROOM], medium[2][ROOM];
    for (int seed = 1; seed <= nets() && test_this_failed < 10; seed++) {
        nn_desc opened;
        nn_plan_desc plain, rounds;
        ZERO(opened);
        ZERO(plain);
        ZERO(rounds);
        opened.precision = seed % 2 ? NN_PRECISION_MEDIUM : NN_PRECISION_DEFAULT;
        plain.precision = NN_PRECISION_HIGHEST;
        rounds.precision = (nn_precision)(NN_PRECISION_HIGH + seed % 2);
        nn_context *nn = nn_open(&opened);
        pair p = draw_on(nn, (uint64_t)seed, nn_cpu());
        fill_inputs(&p.g);
        if (p.whole) {
            if (!run_copy(p.whole, NULL, &p, &plain, usual) ||
                !run_copy(p.whole, NULL, &p, &rounds, medium))
                wrong_run(&p, "a precision");
            compare(&p, usual, medium, "with another precision");
        }
        ENSURE(!nn_error(nn));
        nn_close(nn);
    }
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_linear_desc layer;
    nn_quantize_net_desc how;
    nn_plan_desc desc;
    ZERO(layer);
    ZERO(how);
    ZERO(desc);
    layer.out_features = 5;
    how.integer_inputs = how.integer_outputs = true;
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 7));
    nn_node *y = nn_linear(net, "fc", x, &layer);
    nn_model *whole = nn_quantize_net(net, NULL, &how);
    NODE_AT(desc.outputs, 0) = nn_copied_node(whole, y);
    desc.precision = NN_PRECISION_MEDIUM;
    desc.require_precision = true;
    ENSURE(nn_make_plan(whole, &desc));
    nn_close(nn);
}

/* Copies have the same bytes on a device with its own memory, and back on the CPU. */
static void copies_cross_devices(void) {
    static float here[2][ROOM], there[2][ROOM];
    for (int seed = 1; seed <= nets() && test_this_failed < 10; seed++) {
        nn_context *nn = nn_open(NULL);
        sim_desc simulated;
        nn_device device;
        nn_copy_desc to, back;
        nn_plan_desc desc;
        ZERO(simulated);
        ZERO(to);
        ZERO(back);
        ZERO(desc);
        sim_device *sim = sim_open(nn, &simulated, &device);
        to.device = device;
        back.device = nn_cpu();
        pair p = draw_on(nn, (uint64_t)seed, seed % 2 ? device : nn_cpu());
        fill_inputs(&p.g);
        if (p.whole) {
            if (!run_copy(p.whole, NULL, &p, &desc, here)) wrong_run(&p, "the original");
            nn_model *other = nn_copy_model(p.whole, seed % 2 ? &back : &to);
            if (!run_copy(p.whole, other, &p, &desc, there)) wrong_run(&p, "a copy elsewhere");
            if (!p.g.grouped) compare(&p, here, there, "of a copy elsewhere");
            ENSURE(nn_move_model(p.whole, seed % 2 ? nn_cpu() : device) == NN_OK);
            if (!run_copy(p.whole, NULL, &p, &desc, there)) wrong_run(&p, "a moved model");
            if (!p.g.grouped) compare(&p, here, there, "of a moved model");
        }
        ENSURE(!nn_error(nn));
        nn_close(nn);
        ENSURE(sim_free(sim) == 0);
    }
}

/* Two threads, each with a context of its own, quantise and run nets at once. */
typedef struct worker {
    int from, count, wrong;
    uint64_t hash[40];
} worker;
static void *work(void *data) {
    worker *self = (worker *)data;
    float *memory = (float *)malloc(sizeof(float) * 4 * ROOM);
    float(*to)[ROOM] = (float(*)[ROOM])memory, (*in)[ROOM] = to + 2;
    for (int at = 0; at < self->count; at++) {
        nn_desc opened;
        nn_plan_desc desc;
        ZERO(opened);
        ZERO(desc);
        opened.threads = 2;
        nn_context *nn = nn_open(&opened);
        pair p = draw_on(nn, (uint64_t)(self->from + at), nn_cpu());
        uint64_t hash = 14695981039346656037u;
        if (p.whole) {
            nn_node *outputs[2], *inputs[2];
            for (int i = 0; i < p.g.outputs; i++)
                outputs[i] = nn_copied_node(p.whole, p.g.output[i]);
            desc.outputs.node = outputs;
            desc.outputs.count = p.g.outputs;
            desc.batch = BATCH;
            nn_plan *plan = nn_make_plan(p.whole, &desc);
            self->wrong += !plan;
            for (int i = 0; i < p.g.inputs && plan; i++) {
                inputs[i] = nn_copied_node(p.whole, p.g.input[i]);
                if (!inputs[i] || !nn_plan_view(plan, inputs[i]).dtype) continue;
                for (int k = 0; k < BATCH * elements(inputs[i]); k++)
                    in[i][k] = 1.2f * images_number(&p.g);
                self->wrong += nn_upload(plan, inputs[i], in[i],
                                         4 * (size_t)(BATCH * elements(inputs[i]))) != NN_OK;
            }
            self->wrong += nn_run(plan) != NN_OK;
            for (int i = 0; i < p.g.outputs && plan; i++) {
                const size_t size = 4 * (size_t)(BATCH * elements(outputs[i]));
                self->wrong += nn_download(plan, outputs[i], to[i], size) != NN_OK;
                for (size_t k = 0; k < size; k++)
                    hash = (hash ^ ((unsigned char *)to[i])[k]) * 1099511628211u;
            }
        }
        self->hash[at] = hash;
        nn_close(nn);
    }
    free(memory);
    return NULL;
}
static void two_contexts_at_once(void) {
    if (!has_threads()) {
        no_threads();
        return;
    }
    static worker alone, both[2];
    alone.from = both[0].from = both[1].from = 1;
    alone.count = both[0].count = both[1].count = 40;
    pthread_t threads[2];
    work(&alone);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &both[i]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    ENSURE(alone.wrong == 0 && both[0].wrong == 0 && both[1].wrong == 0);
    for (int i = 0; i < 2; i++)
        ENSURE(memcmp(both[i].hash, alone.hash, sizeof alone.hash) == 0);
}

/* ---- damaged numbers ------------------------------------------------------------------------- */

/* Writes any bytes to the weights and biases of a net, odd floats to its scales, and multipliers,
   shifts and zero points that it does not expect. Results mean nothing then, but a run ends, and
   reads and writes its own memory only. */
static void any_numbers_end(void) {
    static float to[2][ROOM], some[1 << 18];
    static const float odd[] = {NAN, -NAN, INFINITY, -INFINITY, 0.0f, -1.0f, 1e30f, 1e-40f, 3.5f};
    for (int seed = 1; seed <= nets() && test_this_failed < 10; seed++) {
        nn_desc opened;
        nn_plan_desc desc;
        ZERO(opened);
        ZERO(desc);
        opened.instructions = seed % 3 == 0 ? NN_INSTRUCTIONS_PLAIN : NN_INSTRUCTIONS_DEFAULT;
        nn_context *nn = nn_open(&opened);
        pair p = draw_on(nn, (uint64_t)seed, nn_cpu());
        fill_inputs(&p.g);
        for (int t = 0; p.whole && t < nn_model_tensor_count(p.whole); t++) {
            nn_tensor *tensor = nn_model_tensor_at(p.whole, t);
            const size_t size = nn_tensor_bytes(tensor);
            if (size > sizeof some) continue;
            for (size_t i = 0; i * 4 < size; i++) {
                uint32_t words[4];
                nn_random_words((uint64_t)seed, 5, (uint64_t)t << 20 | i, words);
                memcpy(&some[i], words, 4);
                if (nn_tensor_dtype(tensor) == NN_F32) some[i] = odd[words[1] % 9];
                words[0] %= 31; /* shifts from -31 to 30 is what ops/integer.h allows */
                if (nn_tensor_dtype(tensor) == NN_I32 && !strstr(nn_tensor_name(tensor), ".bias"))
                    memcpy(&some[i], words, 4);
            }
            if (nn_upload_tensor(tensor, some, size) == NN_OK) continue;
            /* odd scales are refused, so they are written past the check */
            ENSURE(nn_error_code(nn) == NN_ERROR_ARGUMENT && strstr(nn_error(nn), "wanted"));
            nn_clear_error(nn);
            memcpy(nn_tensor_data(tensor), some, size);
        }
        if (p.whole && !run_copy(p.whole, NULL, &p, &desc, to)) wrong_run(&p, "any numbers");
        ENSURE(!nn_error(nn));
        nn_close(nn);
    }
}

/* ---- groups ---------------------------------------------------------------------------------- */

enum { SAMPLES = 48, WIDE = 6 };
static float examples[SAMPLES * 2 * WIDE * WIDE];
static int32_t labels[SAMPLES];

static nn_loader *shared_loader(job *self) {
    nn_field fields[2];
    nn_dataset_desc data;
    nn_loader_desc desc;
    ZERO(fields);
    ZERO(data);
    ZERO(desc);
    fields[0].name = "x";
    fields[0].shape = NN_SHAPE(2, WIDE, WIDE);
    fields[0].data = examples;
    fields[1].name = "label";
    fields[1].dtype = NN_I32;
    fields[1].data = labels;
    data.fields.field = fields;
    data.fields.count = 2;
    data.count = SAMPLES;
    desc.dataset = nn_make_dataset(self->nn, &data);
    desc.batch = 16;
    desc.shards = 4;
    desc.group = self->group;
    return nn_make_loader(self->nn, &desc);
}

/* Trains a rounded net in shards, makes it integers, and gives the integers of rank 0 to all. */
static void train_rounded(job *self) {
    nn_model_desc named;
    nn_conv2d_desc conv;
    nn_linear_desc last;
    nn_trainer_desc desc = self->desc;
    ZERO(named);
    ZERO(conv);
    ZERO(last);
    named.seed = 5;
    conv.out_channels = 6, conv.kernel = 3;
    last.out_features = 3;
    nn_model *net = nn_make_model(self->nn, &named);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2, WIDE, WIDE));
    nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *y = nn_relu(net, nn_batch_norm2d(net, "norm", nn_conv2d(net, "conv", x, &conv), NULL));
    y = nn_linear(net, "last", nn_flatten(net, y), &last);
    nn_node *loss = nn_cross_entropy(net, y, label, NULL);
    nn_model *rounded = nn_prepare_qat(net, NULL, NULL);
    self->result = rounded ? NN_OK : nn_error_code(self->nn);
    if (!rounded) return;
    desc.batch = 16;
    desc.group = self->group;
    desc.shards = 4;
    nn_trainer *trainer = nn_make_trainer(rounded, nn_copied_node(rounded, loss), &desc);
    nn_loader *loader = shared_loader(self);
    if (!trainer || !loader) self->result = nn_error_code(self->nn);
    for (int i = 0; i < 6 && self->result == NN_OK; i++) {
        if (!nn_next_batch(loader)) nn_next_batch(loader);
        self->result = nn_train_step(trainer, loader);
    }
    nn_model *whole = self->result == NN_OK ? nn_quantize_net(rounded, NULL, NULL) : NULL;
    if (!whole) {
        if (self->result == NN_OK) self->result = nn_error_code(self->nn);
        return;
    }
    self->hash = hash_net(whole);
    if (!self->group) return;
    for (int t = 0; t < nn_model_tensor_count(whole) && self->result == NN_OK; t++) {
        static const char none[1 << 14];
        nn_tensor *tensor = nn_model_tensor_at(whole, t);
        if (self->rank && nn_tensor_bytes(tensor) <= sizeof none)
            nn_upload_tensor(tensor, none, nn_tensor_bytes(tensor));
        self->result = nn_group_broadcast(self->group, tensor, 0);
    }
    self->other = hash_net(whole);
}

/* Any number of ranks gives the same integers. */
static void ranks_train_the_same_integers(void) {
    if (!has_threads()) {
        no_threads();
        return;
    }
    static job ranks[RANKS], like;
    uint64_t first = 0;
    images g;
    ZERO(g);
    ZERO(like);
    for (int i = 0; i < SAMPLES; i++) labels[i] = i * 7 % 3;
    for (int i = 0; i < SAMPLES * 2 * WIDE * WIDE; i++) examples[i] = images_number(&g);
    like.work = train_rounded;
    like.desc.learning_rate = 0.05f;
    for (int size = 1; size <= 4; size *= 2) {
        run(ranks, size, &like);
        if (size == 1) first = ranks[0].hash;
        for (int r = 0; r < size; r++)
            if (test_wrong(ranks[r].result != NN_OK || ranks[r].hash != first || !first ||
                           (ranks[r].other && ranks[r].other != first)))
                test_fail(__FILE__, __LINE__, "rank %d of %d: result %d, %s", r, size,
                          (int)ranks[r].result, ranks[r].error);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(skipped_layers_with_integers_outside);
    RUN(precisions_leave_integers);
    RUN(copies_cross_devices);
    RUN(two_contexts_at_once);
    RUN(any_numbers_end);
    RUN(ranks_train_the_same_integers);
    return test_report();
}
