/* test_ownership.c - ownership: texts of faults whose model was freed, tensors that are still in
   use, and weights in read-only memory. A mistake is an error with a text, and nothing is freed or
   written. */
#include "nn.h"
#include "nn_more.h"
#include "test.h"
#include "lists.h"

static bool says(const nn_context *nn, const char *words) {
    const char *error = nn_error(nn);
    if (error && strstr(error, words)) return true;
    printf("wanted \"%s\" in: %s\n", words, error ? error : "(no error)");
    return false;
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* Gives each builder of the model `b` a node of the model `a`, which is freed before the report. */
static nn_node *mix(nn_model *b, nn_node *mine, nn_node *foreign, int what) {
    switch (what) {
    case 0: return nn_add(b, mine, foreign);
    case 1: return nn_relu(b, foreign);
    case 2: return nn_linear(b, "fc", foreign, &(nn_linear_desc){.out_features = 2});
    case 3: return nn_mse_loss(b, mine, foreign, NULL);
    default: return nn_transfer(b, foreign, nn_cpu());
    }
}

static void faults_outlive_the_model_they_speak_of(void) {
    for (int what = 0; what < 5; what++) {
        nn_context *nn = nn_open(&(nn_desc){.threads = 1});
        nn_model *a = nn_make_model(nn, &(nn_model_desc){.name = "first"});
        nn_model *b = nn_make_model(nn, &(nn_model_desc){.name = "second"});
        nn_node *of_a = nn_input(a, "input_of_first", NN_F32, NN_SHAPE(NN_BATCH, 4));
        nn_node *of_b = nn_input(b, "input_of_second", NN_F32, NN_SHAPE(NN_BATCH, 4));
        nn_node *y = mix(b, of_b, of_a, what);
        nn_free_model(a);
        /* takes the freed memory and fills it with other words */
        nn_model *c = nn_make_model(nn, &(nn_model_desc){.name = "xxxxxxxxxx"});
        for (int i = 0; i < 40; i++) {
            char name[40];
            snprintf(name, sizeof name, "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy%d", i);
            nn_input(c, name, NN_F32, NN_SHAPE(4));
        }
        ENSURE(!nn_make_plan(b, &(nn_plan_desc){.outputs = NN_NODES(y)}));
        ENSURE(says(nn, "\"input_of_first\"") && says(nn, "\"first\", not to \"second\""));
        nn_close(nn);
    }
}

static void a_poisoned_node_of_another_model_is_an_error(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_model *a = nn_make_model(nn, &(nn_model_desc){.name = "first"});
    nn_model *b = nn_make_model(nn, &(nn_model_desc){.name = "second"});
    nn_node *wrong = nn_relu(a, NULL), *x = nn_input(b, "x", NN_F32, NN_SHAPE(NN_BATCH, 2));
    nn_node *loss = nn_mean(b, nn_linear(b, "fc", x, &(nn_linear_desc){.out_features = 1}));
    ENSURE(!nn_make_trainer(b, wrong, NULL));
    ENSURE(says(nn, "the loss") && says(nn, "\"first\", not to \"second\""));
    nn_clear_error(nn);
    ENSURE(!nn_make_trainer(b, loss, &(nn_trainer_desc){.metrics = NN_NODES(wrong)}));
    ENSURE(says(nn, "the metric"));
    nn_clear_error(nn);
    ENSURE(!nn_make_trainer(b, loss, &(nn_trainer_desc){.confusion = {wrong, x}}) && nn_error(nn));
    nn_clear_error(nn);
    ENSURE(!nn_make_plan(b, &(nn_plan_desc){.outputs = NN_NODES(wrong)}) &&
           says(nn, "\"first\", not to \"second\""));
    nn_clear_error(nn);
    nn_plan *plan = nn_make_plan(b, &(nn_plan_desc){.outputs = NN_NODES(loss)});
    float room[4] = {0};
    ENSURE(plan && nn_upload(plan, wrong, room, sizeof room) != NN_OK && nn_error(nn));
    nn_clear_error(nn);
    ENSURE(nn_download(plan, wrong, room, sizeof room) != NN_OK && nn_error(nn));
    nn_clear_error(nn);
    ENSURE(!nn_make_trainer(a, wrong, NULL) && says(nn, "relu")); /* its own model: the faults */
    nn_close(nn);
}

/* ---- freeing --------------------------------------------------------------------------------- */

typedef struct small_net {
    nn_context *nn;
    nn_model *model;
    nn_node *x, *label, *y;
    nn_trainer *trainer;
    nn_dataset *data;
    nn_loader *loader;
    nn_plan *plan;
} small_net;

static float pixels[8][4];
static int32_t labels[8];

static small_net make_net(void) {
    small_net n;
    n.nn = nn_open(&(nn_desc){.threads = 1});
    n.model = nn_make_model(n.nn, NULL);
    n.x = nn_input(n.model, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    n.label = nn_input(n.model, "label", NN_I32, NN_SHAPE(NN_BATCH));
    n.y = nn_linear(n.model, "fc", n.x, &(nn_linear_desc){.out_features = 3});
    nn_node *loss = nn_cross_entropy(n.model, n.y, n.label, NULL);
    n.trainer = nn_make_trainer(n.model, loss, &(nn_trainer_desc){.batch = 8});
    nn_dataset_desc data = {
        .count = 8,
        .fields =
            NN_FIELDS({.name = "x", .shape = NN_SHAPE(4), .data = pixels, .bytes = sizeof pixels},
                      {.name = "label", .dtype = NN_I32, .data = labels, .bytes = sizeof labels})};
    n.data = nn_make_dataset(n.nn, &data);
    n.loader = nn_make_loader(n.nn, &(nn_loader_desc){.dataset = n.data, .batch = 8});
    n.plan = nn_make_plan(n.model, &(nn_plan_desc){.outputs = NN_NODES(n.y), .batch = 8});
    return n;
}

static bool refused(nn_context *nn, const char *words) {
    bool fine = nn_error_code(nn) == NN_ERROR_ARGUMENT && says(nn, words);
    nn_clear_error(nn);
    return fine;
}

static void what_belongs_to_others_is_not_freed(void) {
    small_net n = make_net();
    nn_free_tensor(nn_find_tensor(n.model, "fc.weight"));
    ENSURE(refused(n.nn, "nn_free_tensor: \"fc.weight\" belongs to a model"));
    ENSURE(nn_next_batch(n.loader));
    nn_free_tensor(nn_batch_tensor(n.loader, "x"));
    ENSURE(refused(n.nn, "nn_free_tensor: \"x\" belongs to a loader"));
    nn_free_plan(nn_trainer_plan(n.trainer));
    ENSURE(refused(n.nn, "belongs to a trainer; nn_free_trainer frees both"));
    ENSURE(nn_train_step(n.trainer, n.loader) == NN_OK &&
           nn_upload(n.plan, n.x, pixels, sizeof pixels) == NN_OK);
    ENSURE(nn_run(n.plan) == NN_OK && !nn_next_batch(n.loader) && !nn_error(n.nn));
    nn_free_trainer(n.trainer);
    nn_free_plan(n.plan);
    nn_free_model(n.model);
    ENSURE(!nn_error(n.nn));
    nn_close(n.nn);
}

static void what_is_in_use_is_not_freed(void) {
    small_net n = make_net();
    nn_tensor *in = nn_make_tensor(n.nn, &(nn_tensor_desc){.name = "in", .shape = NN_SHAPE(8, 4)});
    nn_tensor *other =
        nn_make_tensor(n.nn, &(nn_tensor_desc){.name = "other", .shape = NN_SHAPE(8, 4)});
    ENSURE(nn_bind(n.plan, n.x, in) == NN_OK && nn_bind(n.plan, n.x, in) == NN_OK);
    nn_free_tensor(in);
    ENSURE(refused(
        n.nn,
        "nn_free_tensor: \"in\" is still used in 1 place, last by nn_bind at test_ownership.c:"));
    ENSURE(nn_run(n.plan) == NN_OK && nn_bind(n.plan, n.x, other) == NN_OK);
    nn_free_tensor(in);
    ENSURE(!nn_error(n.nn) && nn_upload(n.plan, n.x, pixels, sizeof pixels) == NN_OK);
    nn_free_tensor(other); /* an upload takes the input back from it */
    ENSURE(!nn_error(n.nn) && nn_run(n.plan) == NN_OK);

    nn_tensor *constant =
        nn_make_tensor(n.nn, &(nn_tensor_desc){.name = "c", .shape = NN_SHAPE(3)});
    nn_tensor *borrowed =
        nn_make_tensor(n.nn, &(nn_tensor_desc){.name = "b", .shape = NN_SHAPE(3)});
    nn_node *z = nn_add(n.model, nn_add(n.model, n.y, nn_constant(n.model, "c", constant)),
                        nn_borrow(n.model, borrowed));
    nn_free_tensor(constant);
    ENSURE(refused(n.nn, "\"c\" is still used in 1 place, last by nn_constant"));
    nn_plan *second = nn_make_plan(n.model, &(nn_plan_desc){.outputs = NN_NODES(z), .batch = 8});
    nn_free_tensor(constant); /* it was copied */
    ENSURE(second && !nn_error(n.nn));
    nn_free_tensor(borrowed);
    ENSURE(refused(n.nn, "\"b\" is still used in 1 place, last by nn_borrow"));

    nn_tensor *view = nn_make_view(nn_find_tensor(n.model, "fc.weight"), 0, 1);
    nn_tensor *whole =
        nn_make_tensor(n.nn, &(nn_tensor_desc){.name = "whole", .shape = NN_SHAPE(8, 4)});
    nn_tensor *part = nn_make_reshaped(whole, NN_SHAPE(32));
    nn_free_tensor(whole);
    ENSURE(refused(n.nn, "\"whole\" is still used in 1 place, last by nn_make_reshaped"));
    nn_free_tensor(part);
    nn_free_tensor(whole);
    ENSURE(!nn_error(n.nn));
    nn_free_model(n.model);
    ENSURE(refused(n.nn, "nn_free_model: \"fc.weight\" is still used"));
    nn_free_tensor(view);
    nn_free_model(n.model);
    nn_free_tensor(borrowed); /* its model is gone */
    ENSURE(!nn_error(n.nn));
    nn_close(n.nn);
}

/* A loader may be freed; then the plans to which its batches were bound need other tensors. */
static void a_loader_leaves_the_plans_it_filled(void) {
    small_net n = make_net();
    ENSURE(nn_next_batch(n.loader) && nn_train_step(n.trainer, n.loader) == NN_OK);
    nn_tensor *view = nn_make_view(nn_batch_tensor(n.loader, "x"), 0, 2);
    nn_free_loader(n.loader);
    ENSURE(refused(n.nn, "nn_free_loader: \"x\" is still used"));
    nn_free_tensor(view);
    nn_free_loader(n.loader);
    ENSURE(!nn_error(n.nn) && nn_train_on_inputs(n.trainer) != NN_OK && says(n.nn, "\"x\""));
    nn_clear_error(n.nn);
    n.loader = nn_make_loader(n.nn, &(nn_loader_desc){.dataset = n.data, .batch = 8});
    ENSURE(nn_next_batch(n.loader) && nn_train_step(n.trainer, n.loader) == NN_OK &&
           nn_trainer_step(n.trainer) == 2);
    nn_close(n.nn); /* frees bound objects in any order */
}

/* Each call with a handle that was freed with its owner is an error in the name of its function, as
   often as it is made. */
#define GONE(function, call, words)                                                                \
    do {                                                                                           \
        (void)(call);                                                                              \
        ENSURE(nn_error_code(n.nn) == NN_ERROR_ARGUMENT && says(n.nn, #function) &&                \
               says(n.nn, words));                                                                 \
        nn_clear_error(n.nn);                                                                      \
    } while (0)

static void plan_calls_fail(small_net n, nn_plan *plan, const char *words) {
    const nn_writer none = {NULL, NULL};
    GONE(nn_upload, nn_upload(plan, n.x, pixels, sizeof pixels), words);
    GONE(nn_bind, nn_bind(plan, n.x, NULL), words);
    GONE(nn_download, nn_download(plan, n.y, pixels, sizeof pixels), words);
    GONE(nn_run, nn_run(plan), words);
    GONE(nn_run_for, nn_run_for(plan, 10), words);
    GONE(nn_replan, nn_replan(plan), words);
    GONE(nn_prewarm, nn_prewarm(plan, NULL), words);
    GONE(nn_plan_view, nn_plan_view(plan, n.y), words);
    GONE(nn_plan_bytes, nn_plan_bytes(plan, nn_cpu(), NN_MEMORY_INPUTS), words);
    GONE(nn_plan_allocated, nn_plan_allocated(plan, nn_cpu()), words);
    GONE(nn_plan_lower_bound, nn_plan_lower_bound(plan, nn_cpu()), words);
    GONE(nn_plan_batch, nn_plan_batch(plan), words);
    GONE(nn_plan_calls, nn_plan_calls(plan, NULL, NULL), words);
    GONE(nn_plan_slices, nn_plan_slices(plan), words);
    GONE(nn_plan_caches, nn_plan_caches(plan), words);
    GONE(nn_start_profile, nn_start_profile(plan), words);
    GONE(nn_stop_profile, (nn_stop_profile(plan), 0), words);
    GONE(nn_profile_count, nn_profile_count(plan), words);
    GONE(nn_profile_at, nn_profile_at(plan, 0), words);
    GONE(nn_write_profile, (nn_write_profile(plan, none), 0), words);
    GONE(nn_write_trace, (nn_write_trace(plan, none), 0), words);
    GONE(nn_write_plan, (nn_write_plan(plan, none), 0), words);
    GONE(nn_write_dot, (nn_write_dot(plan, none), 0), words);
    for (int i = 0; i < 3; i++) GONE(nn_free_plan, (nn_free_plan(plan), 0), words);
}

static void trainer_calls_fail(small_net n, const char *words) {
    const nn_writer none = {NULL, NULL};
    nn_trainer *t = n.trainer;
    nn_history *history = nn_make_history(n.nn, NULL);
    nn_report report;
    nn_record record;
    int64_t counts[9];
    float loss;
    memset(&record, 0, sizeof record);
    GONE(nn_train_step, nn_train_step(t, n.loader), words);
    GONE(nn_train_step_for, nn_train_step_for(t, n.loader, 10), words);
    GONE(nn_train_on_inputs, nn_train_on_inputs(t), words);
    GONE(nn_backward, nn_backward(t), words);
    GONE(nn_update, nn_update(t), words);
    GONE(nn_zero_gradients, nn_zero_gradients(t), words);
    GONE(nn_read_gradient, nn_read_gradient(t, "fc.weight", pixels, sizeof pixels), words);
    GONE(nn_read_report, nn_read_report(t, &report), words);
    GONE(nn_read_loss, nn_read_loss(t, &loss), words);
    GONE(nn_clear_fault, nn_clear_fault(t), words);
    GONE(nn_evaluate, nn_evaluate(t, n.loader, &report), words);
    GONE(nn_fit, nn_fit(t, n.loader, NULL), words);
    GONE(nn_set_learning_rate, (nn_set_learning_rate(t, 0.1f), 0), words);
    GONE(nn_learning_rate, nn_learning_rate(t), words);
    GONE(nn_set_schedule, nn_set_schedule(t, NULL), words);
    GONE(nn_swap_average, nn_swap_average(t), words);
    GONE(nn_trainer_step, nn_trainer_step(t), words);
    GONE(nn_trainer_plan, nn_trainer_plan(t), words);
    GONE(nn_move_trainer, nn_move_trainer(t, nn_cpu()), words);
    GONE(nn_confusion_classes, nn_confusion_classes(t), words);
    GONE(nn_read_confusion, nn_read_confusion(t, counts, sizeof counts), words);
    GONE(nn_add_record, nn_add_record(history, t, &record), words);
    GONE(nn_write_html, nn_write_html(t, history, none), words);
    GONE(nn_save_checkpoint, nn_save_checkpoint(t, "build/gone.checkpoint", NULL), words);
    GONE(nn_load_checkpoint, nn_load_checkpoint(t, "build/gone.checkpoint", NULL), words);
    for (int i = 0; i < 3; i++) GONE(nn_free_trainer, (nn_free_trainer(t), 0), words);
}

static void model_calls_fail(small_net n, const char *words) {
    const nn_writer none = {NULL, NULL};
    nn_model *m = n.model, *other = nn_make_model(n.nn, NULL);
    GONE(nn_find_tensor, nn_find_tensor(m, "fc.weight"), words);
    GONE(nn_freeze, nn_freeze(m, "fc.", true), words);
    GONE(nn_start_at_zero, nn_start_at_zero(m, "fc."), words);
    GONE(nn_move_model, nn_move_model(m, nn_cpu()), words);
    GONE(nn_save_weights, nn_save_weights(m, "build/gone.safetensors"), words);
    GONE(nn_save_weights_to, nn_save_weights_to(m, none), words);
    GONE(nn_load_weights, nn_load_weights(m, "build/gone.safetensors", NULL), words);
    GONE(nn_load_weights_from, nn_load_weights_from(m, pixels, sizeof pixels, NULL), words);
    GONE(nn_write_weights, nn_write_weights(m, "net", none), words);
    GONE(nn_use_weights, nn_use_weights(m, NULL, 0, NULL), words);
    GONE(nn_blend_weights, nn_blend_weights(m, other, 0.5f), words);
    GONE(nn_blend_weights, nn_blend_weights(other, m, 0.5f), words);
    GONE(nn_make_plan, nn_make_plan(m, NULL), words);
    GONE(nn_make_trainer, nn_make_trainer(m, NULL, NULL), words);
    GONE(input, nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 4)), words);
    for (int i = 0; i < 3; i++) GONE(nn_free_model, (nn_free_model(m), 0), words);
    nn_free_model(other);
}

static void what_went_with_its_model_says_so(void) {
    small_net n = make_net();
    nn_plan *step = nn_trainer_plan(n.trainer);
    ENSURE(nn_start_profile(step) == NN_OK && nn_start_profile(n.plan) == NN_OK);
    ENSURE(nn_upload(n.plan, n.x, pixels, sizeof pixels) == NN_OK && nn_run_for(n.plan, 0) >= 0);
    nn_free_model(n.model);
    ENSURE(!nn_error(n.nn));
    plan_calls_fail(n, n.plan,
                    "the plan of \"model\" was freed with its model at test_ownership.c:");
    plan_calls_fail(n, step, "the plan of \"model\" was freed with its model at test_ownership.c:");
    trainer_calls_fail(n, "the trainer of \"model\" was freed with its model at test_ownership.c:");
    model_calls_fail(n, "the model \"model\" was freed at test_ownership.c:");
    nn_close(n.nn);
}

static void a_plan_that_went_with_its_trainer_says_so(void) {
    small_net n = make_net();
    nn_plan *step = nn_trainer_plan(n.trainer);
    nn_free_trainer(n.trainer);
    plan_calls_fail(n, step,
                    "the plan of \"model\" was freed with its trainer at test_ownership.c:");
    ENSURE(nn_upload(n.plan, n.x, pixels, sizeof pixels) == NN_OK && nn_run(n.plan) == NN_OK);
    nn_free_model(n.model);
    GONE(nn_run, nn_run(step), "with its trainer at test_ownership.c:"); /* its model is gone too */
    GONE(nn_run, nn_run(n.plan), "with its model at test_ownership.c:");
    nn_close(n.nn);
}

/* The memory that is kept of freed models is limited; in a caller's block nothing is kept. */
static void what_is_kept_of_freed_models_has_a_bound(void) {
    static union {
        double align[2];
        char bytes[1 << 18];
    } block;
    small_net n = make_net();
    uint64_t most = 0;
    for (int i = 0; i < 300; i++) {
        nn_model *model = nn_make_model(n.nn, NULL);
        nn_node *x = nn_input(model, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
        nn_plan *plan =
            nn_make_plan(model, &(nn_plan_desc){.outputs = NN_NODES(nn_relu(model, x))});
        nn_free_model(model);
        GONE(nn_run, nn_run(plan), "with its model");
        const uint64_t live = nn_context_memory(n.nn).live_bytes;
        if (i == 99) most = live;
        if (i > 99) ENSURE(live == most);
    }
    nn_close(n.nn);
    n.nn = nn_open(&(nn_desc){.block = block.bytes + (16 - (uintptr_t)block.bytes % 16) % 16,
                              .block_bytes = sizeof block.bytes - 16, .scratch_bytes = 64});
    most = nn_context_memory(n.nn).live_bytes;
    nn_model *model = nn_make_model(n.nn, NULL);
    nn_node *x = nn_input(model, "x", NN_F32, NN_SHAPE(NN_BATCH, 4));
    ENSURE(nn_make_plan(model, &(nn_plan_desc){.outputs = NN_NODES(nn_relu(model, x))}) != NULL);
    nn_free_model(model);
    ENSURE(!nn_error(n.nn) && nn_context_memory(n.nn).live_bytes == most);
    nn_close(n.nn);
}

/* ---- data ------------------------------------------------------------------------------------ */

static void bytes_of_a_field_are_checked(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    static const unsigned char raw[8 * 6];
    nn_dataset_desc desc = {
        .count = 8,
        .fields = NN_FIELDS(
            {.name = "image", .shape = NN_SHAPE(6), .data = pixels, .bytes = sizeof raw})};
    FIELD_AT(desc.fields, 0).data = raw;
    ENSURE(!nn_make_dataset(nn, &desc));
    ENSURE(nn_error_code(nn) == NN_ERROR_SHAPE &&
           says(nn, "field \"image\": .bytes is 48, but 8 samples of (6) f32 take 192 bytes; if "
                    "the array holds bytes, give "
                    ".data_dtype = NN_U8"));
    nn_clear_error(nn);
    FIELD_AT(desc.fields, 0).data_dtype = NN_U8;
    ENSURE(nn_make_dataset(nn, &desc) && !nn_error(nn));
    desc.count = 9;
    ENSURE(!nn_make_dataset(nn, &desc) && nn_error_code(nn) == NN_ERROR_SHAPE &&
           says(nn, "look at .shape"));
    nn_close(nn);
}

/* ---- weights that are read where they stand -------------------------------------------------- */

static const float flash_weight[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, flash_bias[3] = {1, 2, 3};
static const float flash_head[2][3] = {{1, 0, 0}, {0, 1, 0}}, flash_head_bias[2] = {0};
static const nn_weights_array flash[] = {{"fc.weight", NN_F32, {{3, 4}, 2}, flash_weight},
                                         {"fc.bias", NN_F32, {{3}, 1}, flash_bias},
                                         {"head.weight", NN_F32, {{2, 3}, 2}, flash_head},
                                         {"head.bias", NN_F32, {{2}, 1}, flash_head_bias}};

static nn_model *describe_flash(nn_context *nn, nn_node **loss) {
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 4)),
            *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *y = nn_relu(net, nn_linear(net, "fc", x, &(nn_linear_desc){.out_features = 3}));
    y = nn_linear(net, "head", y, &(nn_linear_desc){.out_features = 2});
    *loss = nn_cross_entropy(net, y, label, NULL);
    return net;
}

static bool is_read_only(nn_context *nn, nn_result result, const char *who) {
    bool fine = result == NN_ERROR_ARGUMENT && says(nn, who) && says(nn, "read-only");
    nn_clear_error(nn);
    return fine;
}

/* Makes calls that would write to an array in read-only memory. A missing check would crash. */
static void nothing_writes_to_weights_in_flash(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_node *loss;
    nn_model *net = describe_flash(nn, &loss), *copy = describe_flash(nn, &loss);
    float numbers[12] = {9};
    nn_tensor *three = nn_make_tensor(nn, &(nn_tensor_desc){.name = "three", .shape = NN_SHAPE(3)});
    nn_tensor *x = nn_make_tensor(nn, &(nn_tensor_desc){.name = "x", .shape = NN_SHAPE(2, 4)});
    nn_tensor *dy = nn_make_tensor(nn, &(nn_tensor_desc){.name = "dy", .shape = NN_SHAPE(2, 3)});
    nn_tensor *square =
        nn_make_tensor(nn, &(nn_tensor_desc){.name = "square", .shape = NN_SHAPE(3, 3)});
    ENSURE(nn_use_weights(net, flash, 4, &(nn_use_weights_desc){.in_place = true}) == NN_OK);
    nn_tensor *bias = nn_find_tensor(net, "fc.bias"), *weight = nn_find_tensor(net, "fc.weight");
    nn_tensor *row = nn_make_reshaped(nn_make_view(weight, 0, 1), NN_SHAPE(4));
    ENSURE(bias && weight && row && nn_tensor_read_only(bias) && nn_tensor_read_only(row) &&
           !nn_tensor_read_only(x));
    ENSURE(is_read_only(nn, nn_upload_tensor(bias, numbers, 12), "nn_upload_tensor"));
    ENSURE(is_read_only(nn, nn_upload_tensor(row, numbers, 16), "nn_upload_tensor"));
    ENSURE(is_read_only(nn, nn_fill_zero(bias), "nn_fill_zero"));
    ENSURE(is_read_only(nn, nn_copy(bias, three), "nn_copy"));
    ENSURE(is_read_only(nn, nn_relu_forward(bias, bias), "nn_relu_forward"));
    ENSURE(is_read_only(nn, nn_add_forward(bias, three, three), "nn_add_forward"));
    ENSURE(is_read_only(nn, nn_linear_backward(NULL, weight, NULL, dy, x, x, false),
                        "nn_linear_backward"));
    ENSURE(is_read_only(nn, nn_linear_backward(NULL, NULL, bias, dy, x, weight, false),
                        "nn_linear_backward"));
    ENSURE(is_read_only(nn, nn_softmax_forward(bias, square, false), "nn_softmax_forward"));
    ENSURE(!nn_map_tensor(bias, true) && is_read_only(nn, NN_ERROR_ARGUMENT, "nn_map_tensor"));
    ENSURE(!nn_tensor_data(bias) && is_read_only(nn, NN_ERROR_ARGUMENT, "nn_tensor_data"));
    ENSURE(is_read_only(nn, nn_freeze(net, "fc.", false), "nn_freeze"));
    ENSURE(is_read_only(nn, nn_use_weights(net, flash, 4, NULL), "nn_use_weights"));
    ENSURE(nn_save_weights(copy, "build/flash.safetensors") == NN_OK);
    ENSURE(
        is_read_only(nn, nn_load_weights(net, "build/flash.safetensors", NULL), "nn_load_weights"));
    /* reading is fine */
    ENSURE(nn_tensor_const_data(bias) == flash_bias &&
           nn_download_tensor(bias, numbers, 12) == NN_OK && numbers[2] == 3);
    ENSURE(nn_map_tensor(bias, false) && nn_unmap_tensor(bias) == NN_OK &&
           nn_copy(three, bias) == NN_OK);
    ENSURE(nn_save_weights(net, "build/flash.safetensors") == NN_OK &&
           nn_save_npy(bias, "build/flash.npy") == NN_OK);
    ENSURE(nn_load_weights(copy, "build/flash.safetensors", NULL) == NN_OK && !nn_error(nn));
    nn_tensor *mine = nn_make_tensor(nn, &(nn_tensor_desc){.shape = NN_SHAPE(3),
                                                           .data = (void *)(uintptr_t)flash_bias,
                                                           .read_only = true});
    ENSURE(is_read_only(nn, nn_fill_zero(mine), "nn_fill_zero"));
    nn_close(nn);
}

static void the_last_layer_of_a_net_in_flash_is_trained(void) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_node *loss;
    nn_model *net = describe_flash(nn, &loss);
    static const float x[4] = {1, 1, 1, 1};
    static const int32_t label[1] = {1};
    ENSURE(nn_use_weights(
               net, flash, 4,
               &(nn_use_weights_desc){.in_place = true, .copied = NN_TEXTS("haed.")}) != NN_OK);
    ENSURE(refused(nn, "copied[0] is \"haed.\""));
    ENSURE(nn_use_weights(
               net, flash, 4,
               &(nn_use_weights_desc){.in_place = true,
                                      .copied = NN_TEXTS("head.weight", "head.bias")}) == NN_OK);
    nn_tensor *head = nn_find_tensor(net, "head.weight");
    ENSURE(nn_tensor_const_data(nn_find_tensor(net, "fc.weight")) == flash_weight &&
           nn_tensor_const_data(head) != flash_head);
    ENSURE(memcmp(nn_tensor_data(head), flash_head, sizeof flash_head) == 0);
    nn_trainer *trainer = nn_make_trainer(net, loss, &(nn_trainer_desc){.learning_rate = 0.1f});
    ENSURE(trainer);
    nn_dataset_desc data = {.count = 1,
                            .fields = NN_FIELDS({.name = "x", .shape = NN_SHAPE(4), .data = x},
                                       {.name = "label", .dtype = NN_I32, .data = label})};
    nn_loader *loader =
        nn_make_loader(nn, &(nn_loader_desc){.dataset = nn_make_dataset(nn, &data)});
    for (int i = 0; i < 3; i++) {
        while (nn_next_batch(loader)) ENSURE(nn_train_step(trainer, loader) == NN_OK);
    }
    ENSURE(memcmp(nn_tensor_data(head), flash_head, sizeof flash_head) != 0 && !nn_error(nn));
    ENSURE(nn_save_checkpoint(trainer, "build/flash.checkpoint", NULL) == NN_OK);
    ENSURE(is_read_only(nn, nn_load_checkpoint(trainer, "build/flash.checkpoint", NULL),
                        "nn_load_checkpoint"));
    float trained[2][3];
    ENSURE(nn_download_tensor(head, trained, sizeof trained) == NN_OK &&
           nn_fill_zero(head) == NN_OK);
    ENSURE(nn_load_checkpoint(
               trainer, "build/flash.checkpoint",
               &(nn_checkpoint_desc){.non_strict = true, .renames = NN_RENAMES({"fc.", NULL})}) ==
           NN_OK);
    ENSURE(memcmp(nn_tensor_data(head), trained, sizeof trained) == 0);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(what_belongs_to_others_is_not_freed);
    RUN(what_is_in_use_is_not_freed);
    RUN(a_loader_leaves_the_plans_it_filled);
    RUN(what_went_with_its_model_says_so);
    RUN(a_plan_that_went_with_its_trainer_says_so);
    RUN(what_is_kept_of_freed_models_has_a_bound);
    RUN(bytes_of_a_field_are_checked);
    RUN(nothing_writes_to_weights_in_flash);
    RUN(the_last_layer_of_a_net_in_flash_is_trained);
    RUN(faults_outlive_the_model_they_speak_of);
    RUN(a_poisoned_node_of_another_model_is_an_error);
    return test_report();
}
