/* compile_use.c - a file of a program that has the implementation elsewhere, and calls public
   functions, spelled as a user spells them, with NULL for every object. tools/compile_checks.sh
   compiles it as C and as C++, links it to compile_implementation.c and runs it: every call must
   return. tests/ops/test_every_call.c calls every function there is. */
#include "nn.h"
#include "nn_opencl.h"
#include "nn_self_test.h"

static int calls;

/* Takes any result, so that no call is optimised away. */
#define USE(expression) ((void)(expression), (void)calls++)

int main(void);

static nn_writer no_writer(void) {
    nn_writer writer;
    writer.function = NULL;
    writer.user = NULL;
    return writer;
}

static void use_base(void) {
    char text[16];
    nn_text buffer;
    uint32_t words[4];
    int32_t order[4];
    buffer.buffer = text;
    buffer.size = sizeof text;
    buffer.length = 0;
    USE(nn_result_text(NN_OK));
    USE(nn_write_text(&buffer, "text", 4));
#ifndef NN_NO_STDIO
    USE(nn_write_stderr(NULL, "", 0));
    USE(nn_write_stdout(NULL, "", 0));
    USE(nn_write_file(NULL, "", 0));
#endif
    USE(nn_random_words(1, 2, 3, words));
    USE(nn_word_to_uniform(words[0]));
    USE(nn_random_permutation(1, 2, order, 4));
}

static void use_devices(void) {
    nn_context *nn = NULL;
    nn_device device = nn_cpu();
    nn_ledger_limits limits = {0, 0, 0, 0};
    nn_range range = {0, -1};
    int32_t extents[2] = {2, 3};
    char text[16];
    void *state = NULL;
    USE(nn_dtype_size(NN_F32));
    USE(nn_dtype_name(NN_F32));
    USE(nn_opencl(0));
    USE(nn_make_device(NN_CPU, 0));
    USE(nn_same_device(device, device));
    USE(nn_make_shape(extents, 2));
    USE(nn_same_shape(NN_SHAPE(2, 3), NN_SHAPE(2, 3)));
    USE(nn_shape_count(NN_SHAPE(2, 3)));
    USE(nn_error(nn));
    USE(nn_error_code(nn));
    USE(nn_clear_error(nn));
    USE(nn_device_count(nn));
    USE(nn_device_at(nn, 0));
    USE(nn_is_open(nn, device));
    USE(nn_best_device(nn));
    USE(nn_finish(nn));
    USE(nn_parse_device(nn, "cpu", &device));
    USE(nn_format_device(device, text, sizeof text));
    USE(nn_thread_count(nn));
    USE(nn_instruction_set_name(nn));
    USE(nn_now(nn));
    USE(nn_context_memory(nn));
    USE(nn_ledger_count(nn));
    USE(nn_ledger_at(nn, 0));
    USE(nn_ledger_bytes(nn, NN_CROSS_UPLOAD));
    USE(nn_reset_ledger(nn));
    USE(nn_write_ledger(nn, no_writer()));
    USE(nn_ledger_limit(nn, &limits));
    USE(nn_kernel_name(NN_KERNEL_GEMM));
    USE(nn_add_backend(nn, NULL, NULL, &device));
    USE(nn_device_backend(nn, device, &state));
    USE(nn_report_error(nn, NN_ERROR_ARGUMENT, "text"));
    USE(nn_record_error(nn, NN_ERROR_ARGUMENT, "text"));
    USE(nn_take_memory(nn, 1));
    USE(nn_run_items(nn, 0, 0, NULL, NULL));
    USE(nn_give_memory(nn, NULL, 1));
    USE(nn_context_desc(nn));
    USE(nn_run_kernel(nn, device, NN_KERNEL_GEMM, NULL, range));
    USE(nn_use_all_kernels(nn));
    USE(nn_self_test(nn, nn_cpu(), no_writer()));
    USE(nn_close(nn));
    nn = nn_open(NULL); /* NULL only when there is no memory */
    USE(nn_close(nn));
}

static void use_tensors(void) {
    nn_context *nn = NULL;
    nn_tensor *x = NULL;
    const nn_tensor_desc *desc = NULL;
    float number = 0.0f;
    USE(nn_make_tensor(nn, desc));
    USE(nn_wrap(nn, "x", NN_F32, NN_SHAPE(1), &number));
    USE(nn_wrap_handle(nn, nn_cpu(), "x", NN_F32, NN_SHAPE(1), &number, 0));
    USE(nn_make_view(x, 0, 1));
    USE(nn_make_reshaped(x, NN_SHAPE(1)));
    USE(nn_free_tensor(x));
    USE(nn_upload_tensor(x, &number, sizeof number));
    USE(nn_download_tensor(x, &number, sizeof number));
    USE(nn_map_tensor(x, true));
    USE(nn_unmap_tensor(x));
    USE(nn_copy(x, x));
    USE(nn_copy_to(x, nn_cpu()));
    USE(nn_fill_zero(x));
    USE(nn_tensor_name(x));
    USE(nn_tensor_dtype(x));
    USE(nn_tensor_shape(x));
    USE(nn_tensor_device(x));
    USE(nn_tensor_bytes(x));
    USE(nn_tensor_view(x));
    USE(nn_tensor_data(x));
#ifndef NN_NO_FILES
    {
        nn_safetensors *file = NULL;
        USE(nn_load_npy(nn, "none"));
        USE(nn_save_npy(NULL, "none"));
        USE(nn_load_idx(nn, "none"));
        USE(nn_open_safetensors(nn, "none"));
        USE(nn_safetensors_count(file));
        USE(nn_safetensors_at(file, 0));
        USE(nn_safetensors_find(file, "x"));
        USE(nn_safetensors_metadata(file, "x"));
        USE(nn_read_safetensors(file, 0, NN_F32, &number, sizeof number));
        USE(nn_save_safetensors(nn, "none", NULL, 0, NULL, 0));
        USE(nn_close_safetensors(file));
    }
#endif
}

static void use_graph(void) {
    nn_context *nn = NULL;
    nn_model *net = NULL;
    nn_node *x = NULL;
    nn_tensor *tensor = NULL;
    const nn_model_desc *desc = NULL;
    const nn_linear_desc *linear = NULL;
    const nn_conv2d_desc *conv2d = NULL;
    const nn_conv1d_desc *conv1d = NULL;
    const nn_conv_transpose1d_desc *transpose1d = NULL;
    const nn_conv_transpose2d_desc *transpose2d = NULL;
    const nn_pool2d_desc *pool2d = NULL;
    const nn_pool1d_desc *pool1d = NULL;
    const nn_cross_entropy_desc *cross_entropy = NULL;
    const nn_bce_desc *bce = NULL;
    const nn_lstm_desc *lstm = NULL;
    const nn_gru_desc *gru = NULL;
    const nn_rnn_desc *rnn = NULL;
    const nn_custom_desc *custom = NULL;
    USE(nn_make_model(nn, desc));
    USE(nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)));
    USE(nn_constant(net, "c", tensor));
    USE(nn_borrow(net, tensor));
    USE(nn_buffer(net, "running_mean", NN_F32, NN_SHAPE(3), 0.0));
    USE(nn_output(x, 1));
    USE(nn_parameter(net, "p", NN_SHAPE(3), 0.0f, 1.0f));
    USE(nn_device_begin(net, nn_cpu()));
    USE(nn_device_end(net));
    USE(nn_transfer(net, x, nn_cpu()));
    USE(nn_keep(x));
    USE(nn_detach(net, x));
    USE(nn_node_name(x));
    USE(nn_node_shape(x));
    USE(nn_node_dtype(x));
    USE(nn_node_device(x));
    USE(nn_fault_count(net));
    USE(nn_write_faults(net, no_writer()));
    USE(nn_parameter_count(net));
    USE(nn_parameter_elements(net));
    USE(nn_find_tensor(net, "p"));
    USE(nn_model_tensor_count(net));
    USE(nn_model_tensor_at(net, 0));
    USE(nn_freeze(net, "fc", true));
    USE(nn_start_at_zero(net, "fc."));
    USE(nn_linear(net, "fc", x, linear));
    USE(nn_matmul(net, x, x, NULL));
    USE(nn_conv2d(net, "conv", x, conv2d));
    USE(nn_conv1d(net, "conv", x, conv1d));
    USE(nn_conv_transpose1d(net, "conv", x, transpose1d));
    USE(nn_conv_transpose2d(net, "conv", x, transpose2d));
    USE(nn_lstm(net, "lstm", x, lstm));
    USE(nn_gru(net, "gru", x, gru));
    USE(nn_rnn(net, "rnn", x, rnn));
    USE(nn_max_pool2d(net, x, pool2d));
    USE(nn_avg_pool2d(net, x, pool2d));
    USE(nn_global_avg_pool2d(net, x));
    USE(nn_max_pool1d(net, x, pool1d));
    USE(nn_avg_pool1d(net, x, pool1d));
    USE(nn_adaptive_avg_pool1d(net, x, 2));
    USE(nn_adaptive_max_pool1d(net, x, 2));
    USE(nn_adaptive_avg_pool2d(net, x, 2, 3));
    USE(nn_adaptive_max_pool2d(net, x, 2, 3));
    USE(nn_relu(net, x));
    USE(nn_sigmoid(net, x));
    USE(nn_tanh(net, x));
    USE(nn_gelu(net, x));
    USE(nn_exp(net, x));
    USE(nn_log(net, x));
    USE(nn_sqrt(net, x));
    USE(nn_square(net, x));
    USE(nn_abs(net, x));
    USE(nn_negate(net, x));
    USE(nn_softplus(net, x, NULL));
    USE(nn_leaky_relu(net, x, NULL));
    USE(nn_scale(net, x, 2.0f));
    USE(nn_offset(net, x, 1.0f));
    USE(nn_dropout(net, x, 0.5f));
    USE(nn_relu(net, x));
    USE(nn_add(net, x, x));
    USE(nn_subtract(net, x, x));
    USE(nn_multiply(net, x, x));
    USE(nn_divide(net, x, x));
    USE(nn_maximum(net, x, x));
    USE(nn_minimum(net, x, x));
    USE(nn_add(net, x, x));
    USE(nn_flatten(net, x));
    USE(nn_reshape(net, x, NN_SHAPE(NN_BATCH, 3)));
    USE(nn_reduce(net, NN_MEAN, x, NN_AXES(0), false));
    USE(nn_sum(net, nn_amin(net, x, NN_AXES(0, -1)), NN_AXES(0), true));
    USE(nn_std(net, nn_var(net, x), NN_ALL_AXES, false, 0));
    USE(nn_argmax(net, x));
    USE(nn_softmax(net, x));
    USE(nn_log_softmax(net, x));
    USE(nn_cross_entropy(net, x, x, cross_entropy));
    USE(nn_bce_with_logits(net, x, x, bce));
    USE(nn_mse_loss(net, x, x, NULL));
    USE(nn_accuracy(net, x, x));
    USE(nn_top_k_accuracy(net, x, x, 5));
    USE(nn_custom(net, "custom", custom));
    USE(nn_free_model(net));
}

static void use_immediate(void) {
    nn_tensor *x = NULL;
    const nn_conv2d_desc *conv2d = NULL;
    const nn_conv1d_desc *conv1d = NULL;
    const nn_conv_transpose1d_desc *transpose1d = NULL;
    const nn_conv_transpose2d_desc *transpose2d = NULL;
    const nn_pool2d_desc *pool2d = NULL;
    const nn_pool1d_desc *pool1d = NULL;
    const nn_cross_entropy_options *options = NULL;
    USE(nn_linear_forward(x, x, x, x));
    USE(nn_linear_backward(x, x, x, x, x, x, false));
    USE(nn_conv2d_forward(x, x, x, x, conv2d));
    USE(nn_conv2d_backward(x, x, x, x, x, x, conv2d, false));
    USE(nn_conv1d_forward(x, x, x, x, conv1d));
    USE(nn_conv1d_backward(x, x, x, x, x, x, conv1d, false));
    USE(nn_conv_transpose1d_forward(x, x, x, x, transpose1d));
    USE(nn_conv_transpose2d_forward(x, x, x, x, transpose2d));
    USE(nn_conv_transpose1d_backward(x, x, x, x, x, x, transpose1d, false));
    USE(nn_conv_transpose2d_backward(x, x, x, x, x, x, transpose2d, false));
    USE(nn_conv2d_scratch_bytes(x, x, x, conv2d));
    USE(nn_conv1d_scratch_bytes(x, x, x, conv1d));
    USE(nn_conv_transpose1d_scratch_bytes(x, x, x, transpose1d));
    USE(nn_conv_transpose2d_scratch_bytes(x, x, x, transpose2d));
    USE(nn_max_pool1d_forward(x, x, x, pool1d));
    USE(nn_max_pool1d_backward(x, x, x, pool1d));
    USE(nn_avg_pool1d_forward(x, x, pool1d));
    USE(nn_avg_pool1d_backward(x, x, pool1d));
    USE(nn_adaptive_max_pool1d_forward(x, x, x, 1));
    USE(nn_adaptive_max_pool1d_backward(x, x, x));
    USE(nn_adaptive_avg_pool1d_forward(x, x, 1));
    USE(nn_adaptive_avg_pool1d_backward(x, x));
    USE(nn_adaptive_max_pool2d_forward(x, x, x, 1, 1));
    USE(nn_adaptive_max_pool2d_backward(x, x, x));
    USE(nn_adaptive_avg_pool2d_forward(x, x, 1, 1));
    USE(nn_adaptive_avg_pool2d_backward(x, x));
    USE(nn_max_pool2d_forward(x, x, x, pool2d));
    USE(nn_max_pool2d_backward(x, x, x, pool2d));
    USE(nn_avg_pool2d_forward(x, x, pool2d));
    USE(nn_avg_pool2d_backward(x, x, pool2d));
    USE(nn_relu_forward(x, x));
#ifndef NN_NO_TRAINING
    USE(nn_relu_backward(x, x, x, false));
#endif
    USE(nn_add_forward(x, x, x));
    USE(nn_reduce_forward(x, NN_MEAN, x, NN_AXES(0, -1)));
    USE(nn_variance_forward(x, NN_STD, x, NN_AXES(0), 0));
    USE(nn_softmax_forward(x, x, false));
    USE(nn_softmax_backward(x, x, x, false));
    USE(nn_cross_entropy_forward(x, x, x, x, options));
    USE(nn_cross_entropy_backward(x, x, x, x, options));
}

static void use_plans(void) {
    nn_model *net = NULL;
    nn_node *x = NULL;
    nn_plan *plan = NULL;
    const nn_plan_desc *desc = NULL;
    const nn_prewarm_progress *progress = NULL;
    float number = 0.0f;
    USE(nn_make_plan(net, desc));
    USE(nn_replan(plan));
    USE(nn_upload(plan, x, &number, sizeof number));
    USE(nn_bind(plan, x, NULL));
    USE(nn_prewarm(plan, progress));
    USE(nn_run(plan));
    USE(nn_run_for(plan, 100));
    USE(nn_download(plan, x, &number, sizeof number));
    USE(nn_plan_view(plan, x));
    USE(nn_plan_batch(plan));
    USE(nn_plan_bytes(plan, nn_cpu(), NN_MEMORY_PARAMETERS));
    USE(nn_plan_allocated(plan, nn_cpu()));
    USE(nn_plan_lower_bound(plan, nn_cpu()));
    USE(nn_plan_slices(plan));
    USE(nn_plan_caches(plan));
    USE(nn_write_plan(plan, no_writer()));
    USE(nn_write_dot(plan, no_writer()));
    USE(nn_start_profile(plan));
    USE(nn_write_profile(plan, no_writer()));
    USE(nn_write_trace(plan, no_writer()));
    USE(nn_profile_count(plan));
    USE(nn_profile_at(plan, 0));
    USE(nn_stop_profile(plan));
    USE(nn_free_plan(plan));
    USE(nn_move_model(net, nn_cpu()));
#ifndef NN_NO_FILES
    USE(nn_save_weights(net, "none"));
    USE(nn_load_weights(net, "none", NULL));
    {
        const nn_load_weights_desc *load = NULL;
        USE(nn_load_weights(net, "none", load));
    }
#endif
    USE(nn_write_weights(net, "none", no_writer()));
    {
        static nn_use_weights_desc use;
        USE(nn_use_weights(net, NULL, 0, &use));
    }
}

#ifndef NN_NO_TRAINING
/* The calls that NN_NO_TRAINING_OPTIONS leaves. */
static void use_training_steps(void) {
    nn_model *net = NULL;
    nn_node *loss = NULL;
    nn_trainer *trainer = NULL;
    const nn_trainer_desc *trainer_desc = NULL;
    float number = 0.0f;
    USE(nn_make_trainer(net, loss, trainer_desc));
    USE(nn_train_on_inputs(trainer));
    USE(nn_read_loss(trainer, &number));
    USE(nn_clear_fault(trainer));
    nn_set_learning_rate(trainer, 0.1f);
    USE(nn_learning_rate(trainer));
    USE(nn_trainer_step(trainer));
    USE(nn_trainer_plan(trainer));
    nn_free_trainer(trainer);
}
#endif

#if !defined(NN_NO_TRAINING) && !defined(NN_NO_TRAINING_OPTIONS)
static void use_training(void) {
    nn_context *nn = NULL;
    nn_model *net = NULL;
    nn_node *loss = NULL;
    nn_dataset *dataset = NULL;
    nn_loader *loader = NULL;
    nn_trainer *trainer = NULL;
    nn_report report;
    const nn_dataset_desc *dataset_desc = NULL;
    const nn_loader_desc *loader_desc = NULL;
    const nn_trainer_desc *trainer_desc = NULL;
    const nn_fit_desc *fit_desc = NULL;
    const nn_augment_desc *augment_desc = NULL;
    nn_tensor *tensor = NULL;
    const int32_t *samples = NULL;
    const nn_history_desc *history_desc = NULL;
    const nn_record *record = NULL;
    nn_history *history = NULL;
    int64_t counts[4] = {0, 0, 0, 0};
    float number = 0.0f;
    USE(nn_augment_shape(augment_desc, NN_SHAPE(1, 3, 8, 8)).rank);
    USE(nn_draw_augment(nn, augment_desc, NN_SHAPE(3, 8, 8), 0, 0, samples, 0, &number));
    USE(nn_augment(tensor, tensor, tensor, augment_desc));
    USE(nn_make_dataset(nn, dataset_desc));
    USE(nn_dataset_count(dataset));
#ifndef NN_NO_FILES
    USE(nn_make_idx_dataset(nn, "none", "none"));
    USE(nn_make_cifar10_dataset(nn, "none", true));
    USE(nn_make_folder_dataset(nn, "none", dataset_desc));
#endif
    USE(nn_make_loader(nn, loader_desc));
    USE(nn_next_batch(loader));
    USE(nn_loader_result(loader));
    USE(nn_start_epoch(loader, 0));
    USE(nn_set_loader_position(loader, NULL));
    USE(nn_loader_position(loader).position);
    USE(nn_loader_epoch(loader));
    USE(nn_loader_batch(loader));
    USE(nn_batches_per_epoch(loader));
    USE(nn_batch_tensor(loader, "x"));
    USE(nn_batch_augment(loader));
    USE(nn_loader_counters(loader).batches);
    USE(nn_make_trainer(net, loss, trainer_desc));
    USE(nn_train_step(trainer, loader));
    USE(nn_train_step_for(trainer, loader, 100));
    USE(nn_read_report(trainer, &report));
    USE(nn_swap_average(trainer));
    USE(nn_evaluate(trainer, loader, &report));
    USE(nn_set_learning_rate(trainer, 0.1f));
    {
        const nn_schedule *schedule = NULL;
        USE(nn_scheduled_rate(schedule, 0.1f, 0));
        USE(nn_set_schedule(trainer, schedule));
    }
#ifndef NN_NO_FILES
    {
        const nn_checkpoint_desc *checkpoint = NULL;
        USE(nn_save_checkpoint(trainer, "none", checkpoint));
        USE(nn_load_checkpoint(trainer, "none", checkpoint));
        USE(nn_has_checkpoint(nn, "none"));
    }
#endif
    USE(nn_move_trainer(trainer, nn_cpu()));
    USE(nn_fit(trainer, loader, fit_desc));
    USE(nn_read_confusion(trainer, counts, sizeof counts));
    USE(nn_confusion_classes(trainer));
    USE(nn_class_scores(counts, 2, 0).f1);
    USE(nn_macro_scores(counts, 2).precision);
    USE(nn_weighted_scores(counts, 2).recall);
    USE(history = nn_make_history(nn, history_desc));
    USE(nn_add_record(history, trainer, record));
    USE(nn_history_count(history));
    USE(nn_history_at(history, 0));
    USE(nn_history_metrics(history));
    USE(nn_history_metric(history, 0));
    USE(nn_write_history(history, no_writer()));
    USE(nn_read_history(history, "", 0));
    USE(nn_write_html(trainer, history, no_writer()));
    USE(nn_free_history(history));
    USE(nn_free_trainer(trainer));
    USE(nn_free_loader(loader));
    USE(nn_free_dataset(dataset));
}
#endif

int main(void) {
    use_base();
    use_devices();
    use_tensors();
    use_graph();
    use_immediate();
    use_plans();
#ifndef NN_NO_TRAINING
    use_training_steps();
#endif
#if !defined(NN_NO_TRAINING) && !defined(NN_NO_TRAINING_OPTIONS)
    use_training();
#endif
    return calls > 100 && NN_OPENCL_AVAILABLE == 1 ? 0 : 1;
}
