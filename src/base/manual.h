/* nn.h - train and run neural networks from C or C++, in one file.

   WHAT IT IS
     Tensors with an explicit device, CPU kernels for every instruction set chosen at run time,
     automatic gradients, a planner, optimizers, a loader and a training loop. Needs libc, libm and,
     optionally, threads. What few programs need is in optional files, which go on in the file of
     the implementation: nn_sequence.h (recurrent layers, attention, transformers), nn_more.h
     (rare operations, LoRA, profiles), nn_quantize.h (8-bit integers, weights of 8 and 4 bits),
     nn_group.h and nn_self_test.h. Include one where you call it, too.

     A tensor is where you put it, and nothing moves unless you move it. You describe a whole step
     first. A plan then checks every shape, dtype and device, reports all mistakes at once, by name
     and by the line of your code, and only then allocates, once. After that a run allocates nothing
     and copies nothing that you did not ask for.

   DO THIS
     If all calls of your program are in one C or C++ file, write there:
         #define NN_STATIC
         #include "nn.h"
     The compiler then drops every function that the program does not use. That halves the size and
     the compile time. If they are in several files, write in one of them:
         #define NN_IMPLEMENTATION
         #include "nn.h"
     and in all others only the second line. Link with -lm, and with -lpthread where the system
     needs it. No compiler option is needed for speed.

   IT DOES NOT
     - move data between devices without telling you, or convert a dtype without a step in the plan
     - exit, abort, install a signal handler, or keep a global or thread-local variable. All memory
       comes from nn_desc.allocator or nn_desc.block
     - print: all text goes to nn_desc.log. One exception: without a log, nn_close writes the first
       error to stderr if the program never asked for it (not under NN_NO_STDIO)
     - build graphs while running (no eager mode; for single kernels on your own tensors see
       IMMEDIATE below)
     - compute in half precision: f16 and bf16 only store numbers; see DTYPES. Where you allow it
       (.precision, nn_autocast_begin), a device with matrix units rounds operands of products. Only
       nets of nn_quantize_net (nn_quantize.h) and the layers nn_quantized_... compute in 8-bit
       integers
     - write to memory that you gave it as read-only, such as weights in flash
     - read PyTorch's .pt files; ONNX files are read by nn_onnx.h

   STEP BY STEP: TRAINING
     Describe the net. This allocates host memory only.
         nn_context *nn = nn_open(&(nn_desc){ .log.function = nn_write_stderr });
         nn_model *net = nn_make_model(nn, &(nn_model_desc){ .name = "mlp", .seed = 1 });
         nn_node *x = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 784));
         nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
         nn_node *h = nn_linear(net, "fc1", x, &(nn_linear_desc){ .out_features = 128 });
         h = nn_relu(net, h);
         nn_node *logits = nn_linear(net, "fc2", h, &(nn_linear_desc){ .out_features = 10 });
         nn_node *loss = nn_cross_entropy(net, logits, label, NULL);
     Say where the samples are. A field fills the input of the same name.
         nn_dataset *digits = nn_make_dataset(nn, &(nn_dataset_desc){ .count = 60000,
             .fields = NN_FIELDS(
             { .name = "image", .shape = NN_SHAPE(784), NN_DATA(pixels), .scale = 1.0f / 255 },
             { .name = "label", .dtype = NN_I32, NN_DATA(labels) }) });
         nn_loader *train = nn_make_loader(nn, &(nn_loader_desc){
             .dataset = digits, .batch = 64, .shuffle = true });
     Train. Mistakes are reported and device memory is allocated here.
         nn_trainer *trainer = nn_make_trainer(net, loss, &(nn_trainer_desc){
             .batch = 64, .optimizer = NN_ADAM });
         nn_fit(trainer, train, &(nn_fit_desc){ .epochs = 3, .progress = true });
         nn_save_weights(net, "mlp.safetensors");
     Read the first failure of any call above. The calls after it did no harm.
         if (nn_error(nn)) puts(nn_error(nn));
     Free everything that was opened or made.
         nn_close(nn);

   STEP BY STEP: RUNNING
     Describe the same net without the loss, then
         nn_load_weights(net, "mlp.safetensors", NULL);
         nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){
             .outputs = NN_NODES(logits), .batch = 1 });
     and for each sample
         nn_upload(plan, x, pixels, sizeof pixels);  or nn_bind(plan, x, tensor): no copy
         nn_run(plan);         or     while (nn_run_for(plan, 500) == NN_PENDING) draw_frame();
         nn_download(plan, logits, scores, sizeof scores);

   ERRORS
     Calls return NN_OK (0), or on failure a negative nn_result or NULL; nn_error returns the
     message. Every call accepts NULL. No failing call leaves an object half changed. Builders
     (nn_linear ...) never fail: a mistake is recorded, and the plan reports all of them at once.
     Legal descriptions that are rarely intended (a softmax before nn_cross_entropy, images that
     look like NHWC, a custom operation without a gradient between the parameters and the loss) are
     warnings in the log and in nn_write_plan. A context remembers its first error until
     nn_clear_error. A fault inside a step (a label out of range, a loss that is NaN) stops the
     updates on the device. On the CPU that step returns NN_ERROR_LABEL or NN_ERROR_NAN. On other
     devices one of the next steps does, because the host does not wait for the device. All further
     steps fail until nn_clear_fault. A plan that does not train clears its status at each run.
     Freeing an object that is still in use is an error that names its user, and nothing is freed.

   ZERO MEANS DEFAULT
     In every *_desc a field that is 0 has the default that its comment names; names and defaults
     are PyTorch's. Where you mean 0 and 0 is not the default, write NN_NONE: .weight_decay =
     NN_NONE for AdamW without decay. The constants of an enum share a word after NN_
     (NN_SCHEDULE_COSINE), except the most common ones: dtypes, kinds of devices, reductions and
     optimizers (NN_F32, NN_CPU, NN_MEAN, NN_ADAM).

   THE BATCH AND THE TIME
     NN_BATCH and NN_TIME are the only symbolic extents. You give a plan the largest value of each,
     and it runs with any value up to that. An extent is a number or a multiple of the batch, of the
     time or of both: nn_multiply_extents(4, NN_BATCH). The values of a run follow from its inputs
     (and nn_set_time).
         nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 8));
         nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){
             .outputs = NN_NODES(y), .batch = 16, .time = 1000 });
     A shape may contain the batch once: (batch) - (batch, 1), which would be (batch, batch), is a
     mistake. A result may contain the time twice, as (time, 1) - (1, time) does; an input may not.

   OPERATIONS
     There are some fifty element-wise operations (nn_silu, nn_clamp, nn_where ...: ops/table.h).
     Write others as text; they have gradients and run on every device:
         nn_node *y = nn_expression(net, "x * sigmoid(1.5 * x)", x);
     Adjacent element-wise operations are fused into one step, which stores no value between them
     unless another operation reads it. These rearrange elements: nn_permute, nn_slice, nn_concat,
     nn_stack, nn_chunk, nn_pad, nn_flip, nn_roll, nn_repeat. Reductions name their axes:
     nn_sum(net, x, NN_AXES(1, 2)); -1 is the last axis. An operation may have several outputs:
     nn_output(pooled, 1) has the indices of nn_max_pool2d's maxima. To apply a layer to several
     inputs, describe it again under its name with .shared = true. For operations that no expression
     can state, nn_custom takes your functions and OpenCL source.

   STATE
     An nn_parameter is trained. An nn_buffer is not, but it is saved, moved and checkpointed like a
     parameter: running statistics, counters, caches. nn_assign(net, buffer, value) writes a buffer
     at the end of each training step; the step itself reads the old value. nn_constant copies a
     tensor of yours into the model; nn_borrow uses it in place. Parameters start as those of
     PyTorch's layers; nn_initialise(net, "conv*.weight", &(nn_init_desc){ .init =
     NN_INIT_KAIMING_NORMAL }) gives them other values.

   DTYPES
     Operations compute in f32. f16 and bf16 store inputs (nn_input(net, "x", NN_F16, shape)),
     activations (nn_cast(net, x, NN_BF16)) and parameters (nn_model_desc.dtype) in half the memory;
     a trainer keeps f32 master copies of the parameters. Products and element-wise operations read
     f16 and bf16 directly. For a kernel that reads only f32, the plan inserts a step "cast" and
     counts its bytes. nn_autocast_begin and nn_autocast_end make the operations between them round
     and store as torch.autocast does. nn_quantize (nn_quantize.h), called before the layers are
     described, stores weights in 8 bits with one scale per row, or in 4 bits by groups; loading a
     file rounds to them. Files of any float dtype can be loaded.
     Class labels are i32; images may stay u8 until they are on the device.

   DEVICES
     nn_cpu() and nn_opencl(0) are values, not objects; using a device that is not open is an
     ordinary error that says how to open it. One context may have several devices. Inside a step
     only nn_transfer moves a value from one to another. The ledger (nn_ledger_*) lists every
     crossing with its bytes and the line that asked for it; nn_ledger_limit sets limits. An
     operation that a device does not support is an error with the reason. With .on_unsupported =
     NN_UNSUPPORTED_VIA_CPU it runs on the CPU instead, and the plan shows the transfers.
     device/backend.h is the contract (version 2) for backends of your own.

   TWO WAYS OF A CONVOLUTION
     On the CPU, a convolution with a 3 x 3 kernel, stride 1 and at least 8 channels uses Winograd's
     algorithm where it is faster, forward and for both gradients. It works on tiles of 4 x 4
     outputs with a quarter of the multiplications. On the layers of ResNet its error, measured
     against sums in double, is at most 8 * 2^-24 of the largest sum of |x w| in the tile. The root
     mean square error is 1.5 * 2^-24 (plain sums in float32: about 0.5); 2 * 2^-24 for the gradient
     of the weights.
     Every input of a tile affects all outputs of the tile, even those that a direct convolution
     would not read. So small numbers are rounded as coarsely as numbers a million times larger in
     the same tile. An infinity or a NaN in x makes all of its tile, in all channels of y, NaN or
     infinite.
     The choice follows from the shapes. Images do not affect each other, and the bytes are the same
     for any number of threads. With .direct_convolutions = true a plan or a trainer uses direct
     sums only, where an infinity reaches just the outputs that read it. Immediate calls choose as
     plans for training do. GPUs use tiles of 2 x 2 outputs, forward and for the gradient of x: the
     errors are smaller, and an infinity or a NaN spreads over such a tile.
     Plans that only infer cache packed weights, with batch norms folded in, so the fast kernels pay
     off for smaller images. In such plans a one-dimensional convolution with stride 1, at least 3
     taps, at least 16 channels of x and of y, and short rows of at least 8 outputs uses Winograd's
     algorithm along the row. There 6 multiplications do the work of 12, and the error is at most
     8 * 2^-24, too; its packed weights take about twice the memory. A dilation only moves the
     outputs of a tile apart. The weights are packed again after any call that may have changed one,
     and in every run once you asked for a weight's address (nn_tensor_data, nn_tensor_view).
     NN_MEMORY_PREPARED counts these bytes; .plain_weights = true turns the cache off.
     A convolution, its relu and the 2 x 2 max pooling after it become one step if nothing else
     reads the values between them. With nn_keep or a second reader they stay apart, and sums are
     added in another order. The gradients of such a step visit only the maxima whose gradient is
     not 0. Elsewhere an infinity or a NaN in x is not multiplied by 0; in separate steps that
     product would be NaN. With a 3 x 3 kernel, up to 16 channels of x and 4 or more of y the step
     uses Winograd's algorithm on x86, too, in tiles of 2 x 2 outputs, which are the windows of the
     pooling: an infinity makes all of its window NaN or infinite. With AVX-512 and up to 3 channels
     of x the gradient of the weights uses it along the rows, where a maximum that reads an infinity
     makes NaN. The errors of both are at most 8 * 2^-24 of the largest sum of |x w| in the window,
     or of |dy x| over a filter's nine weights in that channel.

   MEMORY
     All memory comes from nn_desc.allocator, or from nn_desc.block, one block of yours without any
     malloc (with NN_NO_MALLOC it is not even linked). nn_context_memory says how large the block
     must be. A plan knows its exact bytes per device before it allocates (nn_plan_bytes;
     nn_plan_desc.dry_run allocates nothing). It makes one allocation per device, or several where
     the device limits the size of one. nn_map_tensor returns a tensor's own memory where host and
     device share it. nn_tensor_desc.read_only marks memory that must not be written; a call that
     would write to it is an error.

   DATA
     A data set consists of your arrays, a function, or files (nn_make_idx_dataset,
     nn_make_cifar10_dataset, nn_make_folder_dataset). A loader delivers batches to the model's
     device. Its .workers prepare batches ahead; samples and order do not depend on their number.
     Images cross as bytes and are augmented on the device (.augment). .on_device keeps the whole
     data set there and gathers .prefetch batches at once. .rank and .world divide it among
     processes. nn_loader_counters says how long the training waited for data.

   CHECKPOINTS
     nn_save_checkpoint writes everything that the next step depends on to one safetensors file.
     nn_load_checkpoint resumes from it, on any device. nn_fit does both by itself:
         nn_fit(trainer, train, &(nn_fit_desc){ .epochs = 90,
             .checkpoint = { .path = "run.checkpoint", .every = 500, .keep = 3, .resume = true } });
     On the same kind of device a resumed run gives the same bytes as one that was never stopped.
     nn_move_trainer moves a training run to another device, completely or not at all. A trainer
     with .gradients = true can run a step in two halves: nn_backward adds to the gradients, and
     nn_update applies them.
         for (int part = 0; part < 4; part++) {
             nn_upload(nn_trainer_plan(trainer), x, parts[part], sizeof parts[part]);
             ... and the labels
             nn_backward(trainer);
         }
         nn_read_gradient(trainer, "fc1.weight", gradient, sizeof gradient);
         nn_update(trainer);
     nn_zero_gradients discards the accumulated gradients.

   WEIGHTS
     nn_save_weights and nn_load_weights use safetensors files with the names of PyTorch's
     state_dict. A load is strict: every missing, unexpected and misshapen tensor is named, and
     nothing is changed. To load parts of another net, its desc has .non_strict and
     .renames ({ "backbone.*", "*" }); .loaded counts what was loaded. Then nn_freeze layers, or
     train small adapters beside frozen layers with nn_lora of nn_more.h (nn_save_lora,
     nn_load_lora, nn_merge_lora). nn_load_weights_from and nn_save_weights_to read and write
     memory. nn_write_weights writes constant arrays as a C header. nn_use_weights reads them in
     place, for example in flash; .copied names those that you train. For target networks:
     nn_copy_model(net, NULL), then nn_blend_weights(to, from, tau).

   TRUST
     nn_self_test.h has nn_self_test(nn, device, writer), which compares every kernel of a device
     with the CPU; kernels that fail are refused from then on. Include it where the implementation
     is. nn_prewarm compiles in advance what the first step would compile. To see where a step's
     time goes, include nn_more.h:
         nn_start_profile(plan);                     for a trainer: nn_trainer_plan(trainer)
         nn_fit(...);  or nn_run(plan), as often as you like
         nn_write_profile(plan, (nn_writer){ nn_write_stdout });
         nn_write_trace(plan, (nn_writer){ nn_write_file, file });     for ui.perfetto.dev
         nn_stop_profile(plan);
     An OpenCL device reports times if it was opened with nn_opencl_desc.profile. nn_history records
     a training run, and nn_write_html shows it on one page.

   THREADS
     One context belongs to one thread at a time. A call from a second thread meanwhile returns
     NN_ERROR_BUSY and changes nothing; nn_error names both calls. Two contexts are independent.
     Inside a call the work is divided among nn_desc.threads threads, or given to your job system
     (nn_desc.jobs). Results have the same bytes for any number of threads, for any slicing by
     nn_run_for, and for every run with the same seed on the same instruction set. While a sliced
     run is pending, calls that would change or see half of an update are errors that name its plan.
     Workers use the rounding mode and the flush-to-zero mode of the calling thread. They block all
     signals, so your handlers never run on them. A job system that returns before all items are
     done is an error. In a child of fork() the threads do not exist: the calling thread does all
     the work, and everything may be used, freed and closed as in the parent. Devices other than the
     CPU rarely survive fork(): open them in the child.

   GROUPS
     nn_group.h adds what a shared training run needs: .shards and .devices of a trainer, and
     groups. Include it in place of nn.h where the implementation is. A group is the set of ranks
     that share one training run: threads, each with its own context (nn_make_meeting), processes on
     one or many machines (nn_mpi.h), or anything else that you can carry bytes between
     (nn_make_group).
         nn_group *group = nn_join_meeting(nn, meeting, rank, 0);
         nn_group_sum(group, tensor);             in one fixed order: the same bytes on all
         nn_group_agree(group, nn_error_code(nn)) all have the first error, with its rank
     If a rank makes another call, leaves or stops answering, all other ranks get an error that
     names it; no call waits for ever.

   IMMEDIATE
     Most operations can also be called directly on your tensors, forward and backward:
     nn_conv2d_forward(y, x, weight, bias, &desc). They make the same checks and allocate nothing
     but the context's scratch. A result that shares memory with an operand is an error, but
     element-wise operations may write to the operand itself, in place.

   LISTS
     Descs take lists of any length: .outputs = NN_NODES(a, b), .targets = NN_TEXTS("q_proj"), or an
     array of yours and its length, { array, 12 }. base/list.h says how in C++.

   C++
     The header is valid C++11 and later. Every call with a desc also takes a reference, so in C++20
     you can write nn_linear(net, "fc", x, { .out_features = 10 }).

   SMALLER
     base/config.h below lists NN_NO_TRAINING and similar macros. Define the same ones in all files
     of a program: files that differ do not link. NN_STATIC leaves out unused functions; programs of
     several files use -ffunction-sections -Wl,--gc-sections. An optimizing compiler that sees the
     desc at the call also drops features that the desc does not use: optimizers other than SGD,
     Adam and AdamW of nn_make_trainer, and checkpoints of nn_fit.

   BESIDE OTHER LIBRARIES
     NN_PREFIX gives every public function another name for the linker; NN_STATIC makes a copy that
     is private to one file. All names begin with nn_ or NN_.

   LICENCE
     MIT or public domain, as you like: see LICENSE. */
#pragma once
