/* tests/model/test_lora.c - low-rank adapters: PEFT's numbers and files (tests/golden/lora.py),
   frozen parameters, merging and unmerging, mistakes. */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#define NN_IMPLEMENTATION
#include "nn_more.h"
#include "nn_group.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "error.h"
#include "open.h"
#include "test.h"
#include "lists.h"
#include "systems.h"

#include <pthread.h>
#include <stdlib.h>

enum { ROWS = 8, IN = 6, MID = 5, LATE = 4, OUT = 3, STEPS = 10 };

typedef struct net {
    nn_context *nn;
    nn_model *model;
    nn_node *x, *target, *y, *loss;
} net;

static const char *const two_targets[] = {"q_proj", "c"};
static const nn_lora_desc pefts = {.targets = {two_targets, 2}, .r = 3, .alpha = 12};

/* "c" is by turns a product of its own with nn_lora_adapt, and an nn_linear_transposed. */
static bool layered;

static nn_node *describe(nn_model *m, nn_node *x, bool again) {
    const nn_linear_desc mid = {.out_features = MID, .shared = again},
                         late = {.out_features = LATE, .shared = again},
                         out = {.out_features = OUT, .shared = again};
    nn_node *h = nn_gelu(m, nn_linear(m, "layers.0.q_proj", x, &mid));
    if (layered)
        h = nn_linear_transposed(m, "layers.0.c", h, &late);
    else {
        nn_node *w = nn_parameter(m, "layers.0.c.weight", NN_SHAPE(MID, LATE), -0.5f, 0.5f);
        nn_node *b = nn_parameter(m, "layers.0.c.bias", NN_SHAPE(LATE), 0, 0);
        nn_node *y = nn_add(m, nn_matmul(m, h, w, NULL), b);
        h = nn_lora_adapt(m, "layers.0.c", h, y, true);
    }
    return nn_linear(m, "head", nn_tanh(m, h), &out);
}

static nn_device device; /* of the nets: the CPU */

/* The net of lora.py. lora NULL: without adapters. */
static net make_net(nn_context *nn, const nn_lora_desc *lora, nn_dtype dtype) {
    net n = {.nn = nn};
    nn_model *m = n.model =
        nn_make_model(nn, &(nn_model_desc){.seed = 3, .dtype = dtype, .device = device});
    if (lora) nn_lora(m, lora);
    n.x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, IN));
    n.target = nn_input(m, "target", NN_F32, NN_SHAPE(NN_BATCH, OUT));
    n.y = describe(m, n.x, false);
    n.loss = nn_mse_loss(m, n.y, n.target, NULL);
    return n;
}

static net open_net(const nn_lora_desc *lora, nn_dtype dtype) {
    return make_net(nn_open(NULL), lora, dtype);
}

static bool expected(nn_context *nn, const char *name, float *to, int count) {
    nn_safetensors *file = nn_open_safetensors(nn, "tests/golden/lora/expected.safetensors");
    bool read = file && nn_read_safetensors(file, nn_safetensors_find(file, name), NN_F32, to,
                                            sizeof *to * (size_t)count) == NN_OK;
    nn_close_safetensors(file);
    return read && fine(nn);
}

static float inputs[ROWS * IN], targets[ROWS * OUT];

static double largest(const float *a, const float *b, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) {
        const double apart = fabs((double)a[i] - (double)b[i]);
        if (!(apart <= most)) most = apart;
    }
    return most;
}

static bool scores(const net *n, float *y) {
    nn_plan *plan =
        nn_make_plan(n->model, &(nn_plan_desc){.outputs = NN_NODES(n->y), .batch = ROWS});
    nn_upload(plan, n->x, inputs, sizeof inputs);
    nn_run(plan);
    nn_download(plan, n->y, y, sizeof(float) * ROWS * OUT);
    nn_free_plan(plan);
    return fine(n->nn);
}

static bool load(const net *n) {
    nn_load_weights(n->model, "tests/golden/lora/base.safetensors", NULL);
    nn_load_lora(n->model, "tests/golden/lora");
    expected(n->nn, "x", inputs, ROWS * IN);
    expected(n->nn, "target", targets, ROWS * OUT);
    return fine(n->nn);
}

static nn_trainer *trainer_of(const net *n, nn_optimizer optimizer) {
    return nn_make_trainer(n->model, n->loss,
                           &(nn_trainer_desc){.batch = ROWS,
                                              .optimizer = optimizer,
                                              .learning_rate = 1e-2f,
                                              .gradients = optimizer == NN_SGD});
}

static void step(const net *n, nn_trainer *trainer) {
    nn_upload(nn_trainer_plan(trainer), n->x, inputs, sizeof inputs);
    nn_upload(nn_trainer_plan(trainer), n->target, targets, sizeof targets);
    nn_train_on_inputs(trainer);
}

/* Concatenates the bytes of the tensors whose names contain a text (with), or do not. Returns their
   number. */
static size_t bytes_of(nn_model *m, const char *part, bool with, unsigned char *to) {
    size_t all = 0;
    for (int i = 0; i < nn_model_tensor_count(m); i++) {
        nn_tensor *tensor = nn_model_tensor_at(m, i);
        if ((strstr(nn_tensor_name(tensor), part) != NULL) != with) continue;
        nn_download_tensor(tensor, to + all, nn_tensor_bytes(tensor));
        all += nn_tensor_bytes(tensor);
    }
    return all;
}

/* ---- PEFT's numbers -------------------------------------------------------------------------- */

static void peft_adapters_load(void) {
    net n = open_net(&pefts, NN_F32);
    float wanted[ROWS * OUT], y[ROWS * OUT];
    ENSURE(load(&n) && expected(n.nn, "y", wanted, ROWS * OUT) && scores(&n, y));
    ENSURE(largest(y, wanted, ROWS * OUT) < 1e-6);
    nn_close(n.nn);
}

static void ten_steps_are_pytorchs(void) {
    static const char *const names[] = {
        "layers.0.q_proj.lora_A.weight", "layers.0.q_proj.lora_B.weight",
        "layers.0.c.lora_A.weight",      "layers.0.c.lora_B.weight",
        "head.weight",                   "head.bias"};
    net n = open_net(&pefts, NN_F32);
    float wanted[64], have[64], loss;
    unsigned char before[1024], after[1024];
    nn_freeze(n.model, "head.", false);
    ENSURE(load(&n));
    const size_t bytes = bytes_of(n.model, "layers.0.q_proj.weight", true, before);
    nn_trainer *trainer = trainer_of(&n, NN_ADAMW);
    ENSURE(expected(n.nn, "losses", wanted, STEPS));
    for (int i = 0; i < STEPS; i++) {
        step(&n, trainer);
        nn_read_loss(trainer, &loss);
        ENSURE_CLOSE(loss, wanted[i], 1e-5);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        nn_tensor *tensor = nn_find_tensor(n.model, names[i]);
        const int count = (int)nn_tensor_bytes(tensor) / 4;
        nn_download_tensor(tensor, have, sizeof(float) * (size_t)count);
        ENSURE(expected(n.nn, names[i], wanted, count));
        if (largest(have, wanted, count) > 1e-5)
            test_fail(__FILE__, __LINE__, "%s: %g", names[i], largest(have, wanted, count));
    }
    ENSURE(bytes == sizeof(float) * IN * MID &&
           bytes_of(n.model, "layers.0.q_proj.weight", true, after) == bytes);
    ENSURE(memcmp(before, after, bytes) == 0);
    nn_free_trainer(trainer);
    ENSURE(nn_merge_lora(n.model, false) == NN_OK && scores(&n, have));
    ENSURE(expected(n.nn, "after", wanted, ROWS * OUT));
    ENSURE(largest(have, wanted, ROWS * OUT) < 1e-5);
    nn_download_tensor(nn_find_tensor(n.model, "layers.0.c.weight"), have,
                       sizeof(float) * MID * LATE);
    ENSURE(expected(n.nn, "merged", wanted, MID * LATE));
    ENSURE(largest(have, wanted, MID * LATE) < 1e-6);
    nn_close(n.nn);
}

/* ---- what is trained ------------------------------------------------------------------------- */

static float loss_of(const net *n, nn_plan *plan) {
    float loss;
    nn_run(plan);
    nn_download(plan, n->loss, &loss, sizeof loss);
    return loss;
}

static void gradients_by_differences(void) {
    static const char *const names[] = {"layers.0.q_proj.lora_A.weight",
                                        "layers.0.q_proj.lora_B.weight",
                                        "layers.0.c.lora_A.weight", "layers.0.c.lora_B.weight"};
    net n = open_net(&pefts, NN_F32);
    float values[32], gradient[32], changed[32];
    ENSURE(load(&n));
    nn_trainer *trainer = trainer_of(&n, NN_SGD);
    nn_upload(nn_trainer_plan(trainer), n.x, inputs, sizeof inputs);
    nn_upload(nn_trainer_plan(trainer), n.target, targets, sizeof targets);
    ENSURE(nn_backward(trainer) == NN_OK);
    nn_plan *plan =
        nn_make_plan(n.model, &(nn_plan_desc){.outputs = NN_NODES(n.loss), .batch = ROWS});
    nn_upload(plan, n.x, inputs, sizeof inputs);
    nn_upload(plan, n.target, targets, sizeof targets);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        nn_tensor *tensor = nn_find_tensor(n.model, names[k]);
        const size_t bytes = nn_tensor_bytes(tensor);
        nn_download_tensor(tensor, values, bytes);
        ENSURE(nn_read_gradient(trainer, names[k], gradient, bytes) == NN_OK);
        for (size_t i = 0; i < bytes / 4; i++) {
            float sides[2];
            for (int s = 0; s < 2; s++) {
                memcpy(changed, values, bytes);
                changed[i] += s ? 1e-2f : -1e-2f;
                nn_upload_tensor(tensor, changed, bytes);
                sides[s] = loss_of(&n, plan);
            }
            nn_upload_tensor(tensor, values, bytes);
            ENSURE_CLOSE((sides[1] - sides[0]) / 2e-2f, gradient[i], 2e-4);
        }
    }
    ENSURE(nn_read_gradient(trainer, "head.weight", gradient, 48) < 0 && says(n.nn, "head.weight"));
    nn_close(n.nn);
}

static void text_writer(void *user, const char *text, size_t length) {
    char *all = (char *)user;
    const size_t used = strlen(all);
    if (used + length < 16384) memcpy(all + used, text, length), all[used + length] = 0;
}

static void frozen_weights_cost_nothing(void) {
    static char plan[16384];
    static const char *const frozen[] = {"q_proj.weight.grad", "q_proj.weight.exp_avg",
                                         "c.weight.grad", "head.weight.grad", "head.bias.exp_avg",
                                         "q_proj.bias.grad"};
    net n = open_net(&pefts, NN_F32), bare = open_net(NULL, NN_F32);
    unsigned char a[2048], b[2048];
    nn_trainer *trainer = trainer_of(&n, NN_ADAMW);
    ENSURE(fine(n.nn));
    plan[0] = 0;
    nn_write_plan(nn_trainer_plan(trainer), (nn_writer){text_writer, plan});
    ENSURE(strstr(plan, "layers.0.q_proj.lora_A.weight.exp_avg") != NULL);
    for (size_t i = 0; i < sizeof frozen / sizeof *frozen; i++) ENSURE(!strstr(plan, frozen[i]));
    nn_find_tensor(bare.model, "head.bias");
    const size_t bytes = bytes_of(bare.model, ".lora_", false, b);
    ENSURE(bytes > 0 && bytes_of(n.model, ".lora_", false, a) == bytes);
    ENSURE(memcmp(a, b, bytes) == 0); /* first values are those without adapters */
    for (int i = 0; i < 3; i++) step(&n, trainer);
    ENSURE(fine(n.nn));
    bytes_of(n.model, ".lora_", false, a);
    ENSURE(memcmp(a, b, bytes) == 0);
    nn_close(n.nn);
    nn_close(bare.nn);
}

static void half_weights_have_f32_adapters(void) {
    for (int k = 0; k < 2; k++) {
        net n = open_net(&pefts, k ? NN_BF16 : NN_F16);
        float wanted[ROWS * OUT], y[ROWS * OUT], merged[ROWS * OUT];
        unsigned char before[1024], after[1024];
        ENSURE(load(&n) && expected(n.nn, "y", wanted, ROWS * OUT) && scores(&n, y));
        ENSURE(nn_tensor_dtype(nn_find_tensor(n.model, "layers.0.c.lora_A.weight")) == NN_F32);
        ENSURE(largest(y, wanted, ROWS * OUT) < (k ? 2e-2 : 2e-3));
        const size_t bytes = bytes_of(n.model, ".lora_", false, before);
        nn_trainer *trainer = trainer_of(&n, NN_ADAMW);
        for (int i = 0; i < 3; i++) step(&n, trainer);
        ENSURE(bytes_of(n.model, ".lora_", false, after) == bytes);
        ENSURE(memcmp(before, after, bytes) == 0 && scores(&n, y));
        nn_free_trainer(trainer);
        ENSURE(nn_merge_lora(n.model, true) == NN_OK && scores(&n, merged));
        ENSURE(largest(y, merged, ROWS * OUT) < (k ? 2e-2 : 2e-3));
        ENSURE(nn_unmerge_lora(n.model) == NN_OK);
        bytes_of(n.model, ".lora_", false, after);
        ENSURE(memcmp(before, after, bytes) == 0);
        nn_close(n.nn);
    }
}

/* ---- merging --------------------------------------------------------------------------------- */

static void merged_equals_unmerged(void) {
    net n = open_net(&pefts, NN_F32), base = open_net(NULL, NN_F32);
    float y[ROWS * OUT], merged[ROWS * OUT], again[ROWS * OUT];
    unsigned char before[2048], after[2048];
    ENSURE(load(&n) && scores(&n, y));
    const size_t bytes = bytes_of(n.model, "", true, before);
    nn_plan *old = nn_make_plan(n.model, &(nn_plan_desc){.outputs = NN_NODES(n.y), .batch = ROWS});
    ENSURE(nn_merge_lora(n.model, true) == NN_OK && scores(&n, merged));
    ENSURE(memcmp(y, merged, sizeof y) != 0 && largest(y, merged, ROWS * OUT) < 1e-6);
    ENSURE(nn_run(old) < 0 && says(n.nn, "nn_merge_lora") && nn_replan(old) == NN_OK);
    ENSURE(nn_merge_lora(n.model, true) < 0 && says(n.nn, "merged already"));
    ENSURE(nn_load_weights(n.model, "tests/golden/lora/base.safetensors", NULL) < 0 &&
           says(n.nn, "nn_unmerge_lora first"));
    ENSURE(nn_load_lora(n.model, "tests/golden/lora") < 0 && says(n.nn, "nn_unmerge_lora"));
    ENSURE(nn_initialise(n.model, "head.weight", NULL) < 0 && says(n.nn, "nn_unmerge_lora first"));
    ENSURE(trainer_of(&n, NN_ADAMW) == NULL && says(n.nn, "nn_unmerge_lora first"));
    ENSURE(nn_use_weights(n.model, NULL, 0, NULL) < 0 && says(n.nn, "nn_unmerge_lora first"));
    ENSURE(nn_blend_weights(n.model, base.model, 1.0f) < 0 && says(n.nn, "nn_unmerge_lora first"));
    ENSURE(nn_save_weights(n.model, "build/lora_merged.safetensors") == NN_OK);
    ENSURE(nn_load_weights(base.model, "build/lora_merged.safetensors", NULL) == NN_OK);
    ENSURE(scores(&base, again) && memcmp(again, merged, sizeof y) == 0);
    ENSURE(nn_unmerge_lora(n.model) == NN_OK && scores(&n, again));
    ENSURE(memcmp(y, again, sizeof y) == 0);
    ENSURE(bytes_of(n.model, "", true, after) == bytes && memcmp(before, after, bytes) == 0);
    ENSURE(nn_unmerge_lora(n.model) < 0 && says(n.nn, "not merged"));
    nn_trainer *trainer = trainer_of(&n, NN_ADAMW);
    ENSURE(nn_merge_lora(n.model, false) < 0 && says(n.nn, "nn_free_trainer"));
    nn_free_trainer(trainer);
    ENSURE(nn_merge_lora(n.model, false) == NN_OK);
    ENSURE(nn_unmerge_lora(n.model) < 0 && says(n.nn, "were not kept"));
    ENSURE(trainer_of(&n, NN_ADAMW) == NULL && says(n.nn, "the adapters of nn_lora are inside"));
    nn_model *copy = nn_copy_model(n.model, NULL);
    net copied = n;
    copied.model = copy;
    copied.x = nn_copied_node(copy, n.x);
    copied.y = nn_copied_node(copy, n.y);
    ENSURE(scores(&copied, again) && memcmp(again, merged, sizeof y) == 0);
    size_t length[2];
    make_folder("build/lora");
    for (int i = 0; i < 2; i++) { /* adapters inside the copied weights are copied as well */
        ENSURE(nn_save_lora(i ? copy : n.model, "build/lora") == NN_OK);
        FILE *file = fopen("build/lora/adapter_model.safetensors", "rb");
        length[i] = file ? fread(i ? after : before, 1, sizeof after, file) : 0;
        ENSURE(file && fclose(file) == 0);
    }
    ENSURE(length[0] > 0 && length[0] == length[1] && memcmp(before, after, length[0]) == 0);
    nn_free_model(n.model);
    ENSURE(fine(n.nn));
    nn_close(n.nn);
    nn_close(base.nn);
}

static void merged_plans_cost_nothing(void) {
    static char with[16384], without[16384];
    net n = open_net(&pefts, NN_F32), bare = open_net(NULL, NN_F32);
    ENSURE(nn_merge_lora(n.model, false) == NN_OK);
    nn_plan *a = nn_make_plan(n.model, &(nn_plan_desc){.outputs = NN_NODES(n.y)});
    nn_plan *b = nn_make_plan(bare.model, &(nn_plan_desc){.outputs = NN_NODES(bare.y)});
    with[0] = without[0] = 0;
    nn_write_plan(a, (nn_writer){text_writer, with});
    nn_write_plan(b, (nn_writer){text_writer, without});
    char *const ends[2] = {strstr(with, "\ntensors"), strstr(without, "\ntensors")};
    ENSURE(ends[0] && ends[1] && !strstr(with, "lora"));
    *ends[0] = *ends[1] = 0;
    ENSURE_TEXT(with, without);
    nn_close(n.nn);
    nn_close(bare.nn);
}

/* Describes the net once more, and a new layer, while the adapters are inside the weights. */
static void layers_described_after_a_merge(void) {
    layered = true;
    for (int undoable = 0; undoable < 2; undoable++) {
        net n = open_net(&pefts, NN_F32), late, more;
        float y[ROWS * OUT], merged[ROWS * OUT], again[ROWS * OUT], fresh[ROWS * OUT];
        ENSURE(load(&n) && scores(&n, y) && nn_merge_lora(n.model, undoable) == NN_OK);
        late = more = n;
        late.y = describe(n.model, n.x, true);
        more.y = nn_linear(n.model, "more.q_proj", late.y, &(nn_linear_desc){.out_features = OUT});
        ENSURE(scores(&n, merged) && scores(&late, again) && scores(&more, fresh));
        ENSURE(memcmp(again, merged, sizeof y) == 0 && memcmp(y, merged, sizeof y) != 0);
        if (undoable) {
            ENSURE(nn_unmerge_lora(n.model) == NN_OK);
            ENSURE(scores(&late, again) && memcmp(again, y, sizeof y) == 0);
            ENSURE(scores(&more, again) && largest(again, fresh, ROWS * OUT) < 1e-6);
            ENSURE(nn_find_tensor(n.model, "more.q_proj.lora_B.weight") != NULL);
        } else {
            ENSURE(!nn_find_tensor(n.model, "more.q_proj.lora_B.weight")); /* no file has it */
            nn_clear_error(n.nn);
        }
        nn_close(n.nn);
    }
    layered = false;
}

static void copies_have_adapters(void) {
    net n = open_net(&pefts, NN_F32);
    float y[ROWS * OUT], again[ROWS * OUT];
    ENSURE(load(&n) && scores(&n, y));
    net copied = n;
    copied.model = nn_copy_model(n.model, NULL);
    copied.x = nn_copied_node(copied.model, n.x);
    copied.y = nn_copied_node(copied.model, n.y);
    nn_free_model(n.model);
    ENSURE(scores(&copied, again) && memcmp(again, y, sizeof y) == 0);
    ENSURE(nn_merge_lora(copied.model, true) == NN_OK && nn_unmerge_lora(copied.model) == NN_OK);
    ENSURE(scores(&copied, again) && memcmp(again, y, sizeof y) == 0);
    ENSURE(nn_merge_lora(copied.model, true) == NN_OK);
    nn_free_model(copied.model); /* with what it keeps */
    nn_close(n.nn);
}

/* If there is not enough memory, nothing changes. */
typedef struct purse {
    long left; /* -1: no limit */
} purse;
static void *purse_take(void *user, size_t bytes, size_t alignment) {
    purse *p = (purse *)user;
    if (p->left == 0) return NULL;
    if (p->left > 0) p->left--;
    void *memory = malloc(bytes + alignment + sizeof(void *));
    if (!memory) return NULL;
    char *at = (char *)memory + sizeof(void *);
    at += (alignment - (size_t)at % alignment) % alignment;
    memcpy(at - sizeof memory, &memory, sizeof memory);
    return at;
}
static void purse_give(void *user, void *memory, size_t bytes, size_t alignment) {
    void *whole;
    (void)user, (void)bytes, (void)alignment;
    memcpy(&whole, (char *)memory - sizeof whole, sizeof whole);
    free(whole);
}

static void a_merge_without_memory_changes_nothing(void) {
    purse p = {-1};
    nn_context *nn = nn_open(&(nn_desc){.allocator = {purse_take, purse_give, &p}});
    net n = make_net(nn, &pefts, NN_F32);
    unsigned char before[2048], after[2048];
    ENSURE(load(&n));
    const size_t bytes = bytes_of(n.model, "", true, before);
    int refused = 0;
    nn_result result = NN_ERROR_MEMORY;
    for (long left = 0; left < 100 && result < 0; left++) {
        p.left = left;
        result = nn_merge_lora(n.model, true);
        p.left = -1;
        nn_clear_error(nn);
        refused += result < 0;
        ENSURE(bytes_of(n.model, "", true, after) == bytes || result == NN_OK);
        ENSURE(result == NN_OK || memcmp(before, after, bytes) == 0);
    }
    ENSURE(result == NN_OK && refused >= 4);
    nn_close(nn);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    fputs(text, file);
    return fclose(file) == 0;
}

static bool copy_file(const char *from, const char *to) {
    char bytes[4096];
    FILE *a = fopen(from, "rb"), *b = fopen(to, "wb");
    const size_t length = a && b ? fread(bytes, 1, sizeof bytes, a) : 0;
    bool fine = length > 0 && fwrite(bytes, 1, length, b) == length;
    if (a) fclose(a);
    if (b) fclose(b);
    return fine;
}

static void files_go_round(void) {
    static const char config[] =
        "{\n  \"peft_type\": \"LORA\",\n  \"task_type\": null,\n"
        "  \"base_model_name_or_path\": null,\n  \"inference_mode\": true,\n"
        "  \"bias\": \"none\",\n  \"fan_in_fan_out\": true,\n  \"r\": 3,\n  \"lora_alpha\": 12,\n"
        "  \"lora_dropout\": 0,\n  \"use_rslora\": false,\n"
        "  \"target_modules\": [\"q_proj\", \"c\"],\n  \"modules_to_save\": [\"head\"]\n}\n";
    net n = open_net(&pefts, NN_F32), other = open_net(&pefts, NN_F32);
    float y[ROWS * OUT], again[ROWS * OUT];
    char text[1024] = "";
    make_folder("build/lora");
    nn_freeze(n.model, "head.", false);
    ENSURE(load(&n) && scores(&n, y));
    ENSURE(nn_save_lora(n.model, "build/lora") == NN_OK);
    FILE *file = fopen("build/lora/adapter_config.json", "rb");
    ENSURE(file && fread(text, 1, sizeof text - 1, file) > 0 && fclose(file) == 0);
    ENSURE_TEXT(text, config);
    nn_load_weights(other.model, "tests/golden/lora/base.safetensors", NULL);
    ENSURE(nn_load_lora(other.model, "build/lora") == NN_OK);
    ENSURE(scores(&other, again) && memcmp(y, again, sizeof y) == 0);
    /* all of it, base and adapters, in one file */
    ENSURE(nn_save_weights(n.model, "build/lora_whole.safetensors") == NN_OK);
    nn_initialise(other.model, "*", NULL);
    ENSURE(nn_load_weights(other.model, "build/lora_whole.safetensors", NULL) == NN_OK);
    ENSURE(scores(&other, again) && memcmp(y, again, sizeof y) == 0);
    nn_close(n.nn);
    nn_close(other.nn);
}

static void stars_become_an_expression(void) {
    const nn_lora_desc desc = {.targets = NN_TEXTS("*.q_proj", "layers.0.c"), .rslora = true};
    net n = open_net(&desc, NN_F32);
    char text[1024] = "";
    ENSURE(fine(n.nn) && nn_save_lora(n.model, "build/lora") == NN_OK);
    FILE *file = fopen("build/lora/adapter_config.json", "rb");
    ENSURE(file && fread(text, 1, sizeof text - 1, file) > 0 && fclose(file) == 0);
    ENSURE(strstr(text, "\"target_modules\": \".*\\\\.q_proj|(.*\\\\.)?layers\\\\.0\\\\.c\","));
    ENSURE(strstr(text, "\"use_rslora\": true") && strstr(text, "\"modules_to_save\": null"));
    nn_close(n.nn);
}

/* PEFT loads what we saved. This needs a PYTHON that has peft. */
static void peft_loads_ours(void) {
    const char *python = getenv("PYTHON");
    char command[512];
    net n = open_net(
        &(nn_lora_desc){.targets = NN_TEXTS("layers.*.q_proj", "c"), .r = 2, .rslora = true},
        NN_F32);
    nn_tensor *y =
        nn_make_tensor(n.nn, &(nn_tensor_desc){.name = "y", .shape = NN_SHAPE(ROWS, OUT)});
    float have[ROWS * OUT];
    snprintf(command, sizeof command, "%s -c 'import peft, torch' 2> /dev/null",
             python ? python : "false");
    if (!getenv("NN_FULL") || system(command) != 0) {
        nn_close(n.nn);
        SKIP("set NN_FULL, and PYTHON to one that has peft and transformers");
    }
    nn_freeze(n.model, "head.", false);
    nn_load_weights(n.model, "tests/golden/lora/base.safetensors", NULL);
    ENSURE(expected(n.nn, "x", inputs, ROWS * IN) && expected(n.nn, "target", targets, ROWS * OUT));
    nn_trainer *trainer = trainer_of(&n, NN_ADAMW);
    for (int i = 0; i < STEPS; i++) step(&n, trainer);
    make_folder("build/lora");
    ENSURE(scores(&n, have) && nn_save_lora(n.model, "build/lora") == NN_OK);
    nn_upload_tensor(y, have, sizeof have);
    ENSURE(nn_save_safetensors(n.nn, "build/lora/ours.safetensors", &y, 1, NULL, 0) == NN_OK);
    snprintf(command, sizeof command, "%s tests/golden/lora.py check build/lora", python);
    ENSURE(system(command) == 0);
    nn_close(n.nn);
}

static void wrong_files_change_nothing(void) {
    static const struct {
        const char *config, *part;
    } wrong[] = {
        {"{\"peft_type\": \"LORA\", \"r\": 3, \"lora_alpha\": 13}", "\"lora_alpha\" is 13"},
        {"{\"peft_type\": \"LORA\", \"r\": 4, \"lora_alpha\": 12}", "\"r\" is 4"},
        {"{\"peft_type\": \"LORA\", \"lora_alpha\": 12}", "\"r\" is not given"},
        {"{\"peft_type\": \"IA3\", \"r\": 3, \"lora_alpha\": 12}", "\"peft_type\" is \"IA3\""},
        {"{\"r\": 3, \"lora_alpha\": 12}", "\"peft_type\" is not given"},
        {"{\"peft_type\": \"LORA\", \"r\": 3, \"lora_alpha\": 12, \"use_dora\": true}",
         "\"use_dora\" is true"},
        {"{\"peft_type\": \"LORA\", \"r\": 3, \"lora_alpha\": 12, "
         "\"init_lora_weights\": \"pissa_niter_4\"}",
         "its \"init_lora_weights\" is \"pissa_niter_4\""},
        {"{\"peft_type\": \"LORA\", \"r\": 3, \"lora_alpha\": 12, \"bias\": \"all\"}",
         "\"bias\" is \"all\""},
        {"{\"peft_type\": \"LORA\", \"rank_pattern\": {\"c\": 9}, \"r\": 3, \"lora_alpha\": 12}",
         "\"rank_pattern\" is {\"c\": 9}"},
        {"{\"peft_type\": \"LORA\", \"r\": 3, \"lora_alpha\": 12, \"use_rslora\": true }",
         "\"use_rslora\" is true"},
        {"{\"peft_type\": \"LORA\", \"r\": 3", "no JSON object"},
        {"{\"peft_type\": \"LORA", "no JSON object"},
        {"{\"a\" 1}", "no JSON object"},
        {"[]", "no JSON object"},
        {"", "no JSON object"}};
    net n = open_net(&pefts, NN_F32);
    unsigned char before[2048], after[2048];
    make_folder("build/lora");
    ENSURE(load(&n));
    const size_t bytes = bytes_of(n.model, "", true, before);
    ENSURE(copy_file("tests/golden/lora/adapter_model.safetensors",
                     "build/lora/adapter_model.safetensors"));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ENSURE(write_text("build/lora/adapter_config.json", wrong[i].config));
        ENSURE(nn_load_lora(n.model, "build/lora") < 0 && says(n.nn, wrong[i].part));
    }
    ENSURE(copy_file("tests/golden/lora/adapter_config.json", "build/lora/adapter_config.json"));
    ENSURE(copy_file("tests/golden/lora/base.safetensors", "build/lora/adapter_model.safetensors"));
    ENSURE(nn_load_lora(n.model, "build/lora") < 0 &&
           says(n.nn, "missing:     \"base_model.model.layers.0.q_proj.lora_A.weight\""));
    ENSURE(nn_load_lora(n.model, "build/nowhere") < 0 && says(n.nn, "adapter_config.json"));
    ENSURE(nn_save_lora(n.model, "build/nowhere") < 0 && says(n.nn, "such a folder"));
    ENSURE(nn_save_lora(n.model, NULL) < 0 && says(n.nn, "folder is NULL"));
    /* room for the name of one file alone */
    char far[600] = "build/lora";
    memset(far + 10, '/', 480);
    ENSURE(nn_save_lora(n.model, far) < 0 && says(n.nn, "folder has more than 480 bytes"));
    ENSURE(bytes_of(n.model, "", true, after) == bytes && memcmp(before, after, bytes) == 0);
    nn_close(n.nn);
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static void mistakes_are_named(void) {
    net n = open_net(&(nn_lora_desc){.targets = NN_TEXTS("*.q_prj", "c")}, NN_F32);
    nn_context *nn = n.nn;
    ENSURE(trainer_of(&n, NN_ADAMW) == NULL);
    ENSURE(says(nn, "the target \"*.q_prj\" fits no linear layer that was described after it; the "
                    "closest is \"layers.0.q_proj\""));
    ENSURE(nn_save_lora(n.model, "build/lora") < 0 && says(nn, "*.q_prj"));
    /* all is frozen then */
    net none = make_net(nn, &(nn_lora_desc){.targets = NN_TEXTS("nothing")}, NN_F32);
    ENSURE(trainer_of(&none, NN_ADAMW) == NULL);
    ENSURE(!strstr(nn_error(nn), "no parameter that is trained"));
    ENSURE(says(nn, "the target \"nothing\" fits no linear layer"));
    ENSURE(nn_lora(n.model, &pefts) < 0 && says(nn, "has adapters already"));
    n = make_net(nn, NULL, NN_F32);
    ENSURE(nn_lora(n.model, &pefts) < 0 && says(nn, "\"layers.0.q_proj\" was described at"));
    ENSURE(nn_lora(n.model, NULL) < 0 && says(nn, "no targets"));
    ENSURE(nn_lora(n.model, &(nn_lora_desc){.targets = NN_TEXTS("x"), .r = -1}) < 0 &&
           says(nn, "r is -1"));
    ENSURE(nn_lora(n.model, &(nn_lora_desc){.targets = NN_TEXTS("x"), .dropout = 1}) < 0 &&
           says(nn, "dropout is 1"));
    ENSURE(nn_lora(n.model, &(nn_lora_desc){.targets = NN_TEXTS("")}) < 0 &&
           says(nn, "target 0 is empty"));
    ENSURE(nn_merge_lora(n.model, false) < 0 && says(nn, "has no adapters"));
    ENSURE(nn_load_lora(n.model, "build/lora") < 0 && says(nn, "has no adapters"));
    ENSURE(nn_lora(NULL, &pefts) < 0 && nn_merge_lora(NULL, true) < 0);
    ENSURE(nn_unmerge_lora(NULL) < 0 && nn_save_lora(NULL, "x") < 0 && nn_load_lora(NULL, "x") < 0);
    nn_model *m = nn_make_model(nn, NULL);
    nn_lora(m, &(nn_lora_desc){.targets = NN_TEXTS("c")});
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    nn_parameter(m, "c.weight", NN_SHAPE(4, 5), 0, 0);
    ENSURE(nn_fault_count(m) == 0);
    nn_lora_adapt(m, "c", x, x, true);
    ENSURE(nn_fault_count(m) == 1);
    char name[128] = ""; /* too long for the adapter's parameters: one fault, not one for each */
    memset(name, 'n', 118);
    m = nn_make_model(nn, NULL);
    nn_lora(m, &(nn_lora_desc){.targets = NN_TEXTS("*")});
    x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    nn_linear(m, name, x, &(nn_linear_desc){.out_features = 4});
    ENSURE(nn_fault_count(m) == 1);
    m = nn_make_model(nn, NULL); /* a weight that is read both ways round */
    nn_lora(m, &(nn_lora_desc){.targets = NN_TEXTS("fc")});
    x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    x = nn_linear(m, "fc", x, &(nn_linear_desc){.out_features = 4, .shared = true});
    ENSURE(nn_fault_count(m) == 0);
    nn_linear_transposed(m, "fc", x, &(nn_linear_desc){.out_features = 4, .shared = true});
    ENSURE(nn_fault_count(m) == 1);
    m = nn_make_model(nn, NULL); /* a head that shares the weight of an embedding */
    nn_lora(m, &(nn_lora_desc){.targets = NN_TEXTS("wte")});
    x = nn_embedding(m, "wte", nn_input(m, "i", NN_I32, NN_SHAPE(NN_BATCH)),
                     &(nn_embedding_desc){.num_embeddings = 5, .embedding_dim = 4});
    nn_node *y = nn_linear(m, "wte", x,
                           &(nn_linear_desc){.out_features = 5, .no_bias = true, .shared = true});
    ENSURE(!nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y)}));
    ENSURE(nn_fault_count(m) == 1 && says(nn, "an embedding whose weight this layer shares"));
    m = nn_make_model(nn, NULL); /* an embedding alone */
    nn_lora(m, &(nn_lora_desc){.targets = NN_TEXTS("wte")});
    y = nn_embedding(m, "model.wte", nn_input(m, "i", NN_I32, NN_SHAPE(NN_BATCH)),
                     &(nn_embedding_desc){.num_embeddings = 5, .embedding_dim = 4});
    ENSURE(!nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y)}));
    ENSURE(says(nn, "\"wte\" fits \"model.wte\", which is no linear layer"));
    m = nn_make_model(nn, NULL); /* the other way round */
    nn_lora(m, &(nn_lora_desc){.targets = NN_TEXTS("wte")});
    y = nn_linear(m, "wte", nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 4)),
                  &(nn_linear_desc){.out_features = 5, .no_bias = true});
    ENSURE(nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y)}));
    nn_embedding(m, "wte", nn_input(m, "i", NN_I32, NN_SHAPE(NN_BATCH)),
                 &(nn_embedding_desc){.num_embeddings = 5, .embedding_dim = 4, .shared = true});
    ENSURE(!nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y)}));
    ENSURE(says(nn, "a linear layer whose weight this embedding shares"));
    ENSURE(nn_merge_lora(m, false) < 0 && says(nn, "whose weight this embedding shares"));
    nn_close(nn);
}

/* A layer that is applied twice has one adapter, also with dropout. Merging it leaves the results
   the same within rounding. */
static void shared_layers_and_dropout(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.seed = 5});
    ENSURE(nn_lora(m, &(nn_lora_desc){.targets = NN_TEXTS("fc"), .r = 2, .dropout = 0.5f}) ==
           NN_OK);
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    const nn_linear_desc desc = {.out_features = 4, .shared = true};
    nn_node *y = nn_linear(m, "fc", nn_linear(m, "fc", x, &desc), &desc);
    nn_node *loss = nn_mean(m, nn_square(m, y));
    float data[ROWS * 4], before[ROWS * 4], after[ROWS * 4];
    for (int i = 0; i < ROWS * 4; i++) data[i] = (float)(i * 7 % 11) / 5 - 1;
    nn_trainer *trainer = nn_make_trainer(
        m, loss, &(nn_trainer_desc){.batch = ROWS, .optimizer = NN_ADAMW, .learning_rate = 0.1f});
    for (int i = 0; i < 5; i++) {
        nn_upload(nn_trainer_plan(trainer), x, data, sizeof data);
        nn_train_on_inputs(trainer);
    }
    nn_free_trainer(trainer);
    ENSURE(fine(nn) && nn_model_tensor_count(m) == 4);
    nn_plan *plan = nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(y), .batch = ROWS});
    nn_upload(plan, x, data, sizeof data);
    nn_run(plan);
    nn_download(plan, y, before, sizeof before);
    ENSURE(nn_merge_lora(m, true) == NN_OK && nn_replan(plan) == NN_OK);
    nn_upload(plan, x, data, sizeof data);
    nn_run(plan);
    nn_download(plan, y, after, sizeof after);
    ENSURE(fine(nn) && memcmp(before, after, sizeof before) != 0);
    ENSURE(largest(before, after, ROWS * 4) < 2e-6);
    nn_close(nn);
}

/* ---- resuming, and ranks --------------------------------------------------------------------- */

static const nn_lora_desc dropping = {.targets = {two_targets, 2}, .r = 3, .dropout = 0.3f};

/* GPT-2's layers: a target fits nn_linear_transposed as well, but no layer that was described
   before nn_lora. */
static void transposed_layers(void) {
    layered = true;
    peft_adapters_load();
    ten_steps_are_pytorchs();
    merged_equals_unmerged();
    net n = make_net(nn_open(NULL), NULL, NN_F32);
    ENSURE(nn_lora(n.model, &(nn_lora_desc){.targets = NN_TEXTS("c")}) < 0 &&
           says(n.nn, "the linear layer \"layers.0.c\" was described at"));
    nn_close(n.nn);
    layered = false;
}

static void a_resumed_run_has_the_same_bytes(void) {
    net whole = open_net(&dropping, NN_F32), parts = open_net(&dropping, NN_F32);
    unsigned char a[2048], b[2048];
    ENSURE(expected(whole.nn, "x", inputs, ROWS * IN));
    nn_trainer *trainer = trainer_of(&whole, NN_ADAMW), *first = trainer_of(&parts, NN_ADAMW);
    for (int i = 0; i < 6; i++) step(&whole, trainer);
    for (int i = 0; i < 3; i++) step(&parts, first);
    ENSURE(nn_save_checkpoint(first, "build/lora.checkpoint", NULL) == NN_OK);
    nn_close(parts.nn);
    parts = open_net(&dropping, NN_F32);
    first = trainer_of(&parts, NN_ADAMW);
    ENSURE(nn_load_checkpoint(first, "build/lora.checkpoint", NULL) == NN_OK);
    for (int i = 0; i < 3; i++) step(&parts, first);
    const size_t bytes = bytes_of(whole.model, "", true, a);
    ENSURE(fine(parts.nn) && bytes_of(parts.model, "", true, b) == bytes);
    ENSURE(memcmp(a, b, bytes) == 0);
    nn_close(whole.nn);
    nn_close(parts.nn);
}

typedef struct rank {
    nn_meeting *meeting;
    int at, size;
    size_t bytes;
    unsigned char values[2048];
    bool fine;
} rank;

static void *train_rank(void *user) {
    rank *r = (rank *)user;
    nn_context *nn = nn_open(NULL);
    nn_group *group = r->size > 1 ? nn_join_meeting(nn, r->meeting, r->at, 20)
                                  : nn_make_group(nn, NULL);
    net n = make_net(nn, &dropping, NN_F32);
    nn_dataset *data = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = ROWS - 1,
                .fields = NN_FIELDS({.name = "x", .shape = NN_SHAPE(IN), .data = inputs},
                           {.name = "target", .shape = NN_SHAPE(OUT), .data = targets})});
    nn_loader *loader =
        nn_make_loader(nn, &(nn_loader_desc){.dataset = data, .batch = 5, .group = group});
    nn_trainer *trainer = nn_make_trainer(n.model, n.loss,
                                          &(nn_trainer_desc){.batch = 5,
                                                             .optimizer = NN_ADAMW,
                                                             .learning_rate = 1e-2f,
                                                             .group = group});
    for (int epoch = 0; epoch < 2; epoch++)
        while (nn_next_batch(loader)) nn_train_step(trainer, loader);
    nn_finish(nn);
    r->bytes = bytes_of(n.model, "", true, r->values);
    r->fine = fine(nn);
    nn_close(nn);
    return NULL;
}

static void ranks_have_the_same_bytes(void) {
    nn_context *nn = nn_open(NULL);
    rank alone = {.size = 1}, both[2] = {{.size = 2}, {.at = 1, .size = 2}};
    pthread_t other;
    ENSURE(expected(nn, "x", inputs, ROWS * IN) && expected(nn, "target", targets, ROWS * OUT));
    train_rank(&alone);
    both[0].meeting = both[1].meeting = nn_make_meeting(nn, 2);
    ENSURE(pthread_create(&other, NULL, train_rank, &both[1]) == 0);
    train_rank(&both[0]);
    pthread_join(other, NULL);
    for (int i = 0; i < 2; i++) {
        ENSURE(alone.fine && both[i].fine && both[i].bytes == alone.bytes);
        ENSURE(memcmp(both[i].values, alone.values, alone.bytes) == 0);
    }
    nn_close(nn);
}

#ifdef NN_TEST_OPENCL
/* Ten steps, their file, merging and its undoing give the same within rounding as on the CPU. */
static void on_opencl(void) {
    float y[2][3][ROWS * OUT];
    unsigned char before[2048], after[2048];
    for (int i = 0; i < 2; i++) {
        nn_context *nn = nn_open(NULL);
        if (i == 1 && !OPEN_OPENCL(nn)) {
            nn_close(nn);
            return;
        }
        device = i ? nn_opencl(0) : nn_cpu();
        net n = make_net(nn, &pefts, NN_F32);
        ENSURE(load(&n));
        nn_trainer *trainer = trainer_of(&n, NN_ADAMW);
        for (int k = 0; k < STEPS; k++) step(&n, trainer);
        nn_free_trainer(trainer);
        ENSURE(nn_save_lora(n.model, "build/lora") == NN_OK);
        ENSURE(nn_same_device(nn_tensor_device(nn_find_tensor(n.model, "head.weight")), device));
        const size_t bytes = bytes_of(n.model, "", true, before);
        ENSURE(scores(&n, y[i][0]) && nn_merge_lora(n.model, true) == NN_OK && scores(&n, y[i][1]));
        ENSURE(memcmp(y[i][0], y[i][1], sizeof y[i][0]) != 0);
        ENSURE(nn_unmerge_lora(n.model) == NN_OK && bytes_of(n.model, "", true, after) == bytes);
        ENSURE(memcmp(before, after, bytes) == 0 && nn_load_lora(n.model, "build/lora") == NN_OK);
        ENSURE(scores(&n, y[i][2]) && memcmp(y[i][0], y[i][2], sizeof y[i][0]) == 0);
        nn_close(nn);
    }
    device = nn_cpu();
    ENSURE(largest(y[0][0], y[1][0], ROWS * OUT) < 2e-6);
    ENSURE(largest(y[0][0], y[1][1], ROWS * OUT) < 2e-6);
}
#endif

/* PEFT also writes the frozen weight of an adapted head, as X.base_layer.weight, which is ignored.
   If X is no layer of the model, the weight is an error. */
static void a_head_with_its_base_layer(void) {
    static const char config[] = "{\"peft_type\": \"LORA\", \"r\": 2, \"lora_alpha\": 4}";
    static const char *const others[] = {"base_model.model.lm_head.base_layer.weight",
                                         "base_model.model.nowhere.base_layer.weight"};
    for (int way = 0; way < 2; way++) {
        nn_context *nn = nn_open(&(nn_desc){.threads = 1});
        nn_model *saved = nn_make_model(nn, NULL), *m = nn_make_model(nn, NULL);
        nn_parameter(saved, others[way], NN_SHAPE(4, 3), -1, 1);
        nn_parameter(saved, "base_model.model.lm_head.lora_A.weight", NN_SHAPE(2, 3), -1, 1);
        nn_parameter(saved, "base_model.model.lm_head.lora_B.weight", NN_SHAPE(4, 2), -1, 1);
        make_folder("build/lora");
        ENSURE(nn_save_weights(saved, "build/lora/adapter_model.safetensors") == NN_OK);
        ENSURE(write_text("build/lora/adapter_config.json", config));
        nn_lora(m, &(nn_lora_desc){.targets = NN_TEXTS("lm_head"), .r = 2, .alpha = 4});
        nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(1, 3));
        nn_linear(m, "lm_head", x, &(nn_linear_desc){.out_features = 4, .no_bias = true});
        if (way == 0) ENSURE(nn_load_lora(m, "build/lora") == NN_OK && !nn_error(nn));
        else ENSURE(nn_load_lora(m, "build/lora") < 0 && says(nn, "unexpected:"));
        nn_close(nn);
    }
}

/* Forty targets, each of which fits a layer; a further target that fits none is a fault. */
static void many_targets(void) {
    static char names[41][8];
    nn_lora_desc desc = {.r = 2};
    nn_context *nn = nn_open(NULL);
    nn_model *m = nn_make_model(nn, NULL);
    const int count = 40;
    for (int i = 0; i <= count; i++) {
        snprintf(names[i], sizeof names[i], "l%d", i);
        TEXT_AT(desc.targets, i) = names[i];
    }
    ENSURE(nn_lora(m, &desc) == NN_OK);
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, IN));
    for (int i = 0; i < count; i++)
        x = nn_linear(m, names[i], x, &(nn_linear_desc){.out_features = IN});
    nn_plan *plan = nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(x), .batch = 1});
    ENSURE(!plan && strstr(nn_error(nn), "the target \"l40\" fits no linear layer"));
    nn_clear_error(nn);
    x = nn_linear(m, names[count], x, &(nn_linear_desc){.out_features = IN});
    plan = nn_make_plan(m, &(nn_plan_desc){.outputs = NN_NODES(x), .batch = 1});
    ENSURE(plan && nn_error(nn) == NULL);
    ENSURE(nn_model_tensor_count(m) ==
           4 * (count + 1)); /* weight, bias and the two of an adapter */
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(peft_adapters_load);
    RUN(many_targets);
    RUN(ten_steps_are_pytorchs);
    RUN(gradients_by_differences);
    RUN(frozen_weights_cost_nothing);
    RUN(half_weights_have_f32_adapters);
    RUN(merged_equals_unmerged);
    RUN(merged_plans_cost_nothing);
    RUN(layers_described_after_a_merge);
    RUN(copies_have_adapters);
    RUN(a_merge_without_memory_changes_nothing);
    RUN(files_go_round);
    RUN(stars_become_an_expression);
    RUN(peft_loads_ours);
    RUN(wrong_files_change_nothing);
    RUN(a_head_with_its_base_layer);
    RUN(mistakes_are_named);
    RUN(shared_layers_and_dropout);
    RUN(transposed_layers);
    RUN(a_resumed_run_has_the_same_bytes);
    RUN(ranks_have_the_same_bytes);
#ifdef NN_TEST_OPENCL
    RUN(on_opencl);
#endif
    return test_report();
}
