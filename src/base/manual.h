/* nn.h - train and run neural networks from C or C++, in one file.

   WHAT IT IS
     Tensors with an explicit device, CPU kernels for every instruction set chosen at run time,
     automatic gradients, a planner, optimizers, a loader and a training loop. Needs libc, libm and,
     optionally, threads.

     What it stands for: a tensor is where you put it, and nothing moves unless you move it. A whole
     step is described first; a plan then checks every shape, dtype and device, reports all mistakes
     at once, by name and by the line of your code, and only then allocates, once. After that a run
     allocates nothing and copies nothing you did not ask for.

   DO THIS
     If all calls of your program stand in one C or C++ file, write there:
         #define NN_STATIC
         #include "nn.h"
     The compiler then drops every function that the program does not use: half of its size, and
     half of the seconds.
     If they stand in several files, write in one of them:
         #define NN_IMPLEMENTATION
         #include "nn.h"
     and in all others only the second line. Link with -lm, and -lpthread where the system wants it.
     No compiler option is needed for speed.

   IT DOES NOT
     - move data between devices behind your back, or convert a dtype without a step in the plan
       that says so
     - exit, abort, install a signal handler, or keep a global or thread-local variable: all memory
       comes through nn_desc.allocator or nn_desc.block
     - print: all text leaves through nn_desc.log. The one exception: where there is no log,
       nn_close writes the first error to stderr if the program never asked for it (not under
       NN_NO_STDIO)
     - build graphs while running (no eager mode; for single kernels on your own tensors see
       IMMEDIATE below)
     - compute in half precision or integers: f16 and bf16 are ways to store numbers, see DTYPES
     - write into memory that was given to it as read-only, such as weights in flash
     - read ONNX or PyTorch's .pt files

   STEP BY STEP: TRAINING
     Describe: costs host memory only.
         nn_context *nn = nn_open(&(nn_desc){ .log.function = nn_write_stderr });
         nn_model *net = nn_make_model(nn, &(nn_model_desc){ .name = "mlp", .seed = 1 });
         nn_node *x = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 784));
         nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
         nn_node *h = nn_linear(net, "fc1", x, &(nn_linear_desc){ .out_features = 128 });
         h = nn_relu(net, h);
         nn_node *logits = nn_linear(net, "fc2", h, &(nn_linear_desc){ .out_features = 10 });
         nn_node *loss = nn_cross_entropy(net, logits, label, NULL);
     Say where samples lie. A field goes to the input of its name.
         nn_dataset *digits = nn_make_dataset(nn, &(nn_dataset_desc){ .count = 60000, .fields = {
             { .name = "image", .shape = NN_SHAPE(784), NN_DATA(pixels), .scale = 1.0f / 255 },
             { .name = "label", .dtype = NN_I32, NN_DATA(labels) } } });
         nn_loader *train = nn_make_loader(nn, &(nn_loader_desc){
             .dataset = digits, .batch = 64, .shuffle = true });
     Train. This is where mistakes are reported and memory is allocated.
         nn_trainer *trainer = nn_make_trainer(net, loss, &(nn_trainer_desc){
             .batch = 64, .optimizer = NN_ADAM });
         nn_fit(trainer, train, &(nn_fit_desc){ .epochs = 3, .progress = true });
         nn_save_weights(net, "mlp.safetensors");
     The first failure of anything above; every call after it was harmless.
         if (nn_error(nn)) puts(nn_error(nn));
     Free everything that was opened or made.
         nn_close(nn);

   STEP BY STEP: RUNNING
     The same description without the loss, then
         nn_load_weights(net, "mlp.safetensors");
         nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){ .outputs = { logits }, .batch = 1 });
     and for each sample
         nn_upload(plan, x, pixels, sizeof pixels);  or nn_bind(plan, x, tensor): no copy
         nn_run(plan);         or     while (nn_run_for(plan, 500) == NN_PENDING) draw_frame();
         nn_download(plan, logits, scores, sizeof scores);

   ERRORS
     Calls return NN_OK (0), a negative nn_result, or NULL; nn_error has the words. Every call
     accepts NULL. No failing call leaves a half-changed object.
     Builders (nn_linear ...) never fail: a mistake is recorded, and the plan reports all of them at
     once. What is legal but rarely meant (a softmax before nn_cross_entropy, pictures that look
     like NHWC, a custom operation without gradient on the way of a loss) is a warning in the log
     and in nn_write_plan.
     A context remembers its first error until nn_clear_error. If nobody asked for it and there is
     no log, nn_close writes it to stderr.
     A fault inside a step (a label out of range, a loss that is NaN) stops the updates on the
     device. On the CPU that step returns NN_ERROR_LABEL or NN_ERROR_NAN; elsewhere one of the next
     steps does, because nobody waits for the device. Steps are then errors until nn_clear_fault. A
     plan that does not train has a new status for each run. Freeing what something else still uses
     is an error that names the user, and nothing is freed.

   ZERO MEANS DEFAULT
     In every *_desc a field left 0 has the default that its comment names; names and defaults are
     PyTorch's. Where 0 is meant and is not the default, write NN_NONE: .weight_decay = NN_NONE for
     AdamW without decay. The values of an enum begin with one word after NN_ (NN_SCHEDULE_COSINE),
     but for those written every day: dtypes, kinds of devices, operations on elements, reductions
     and optimizers (NN_F32, NN_CPU, NN_ADD, NN_MEAN, NN_ADAM).

   THE BATCH AND THE TIME
     NN_BATCH and NN_TIME are the only free extents. A plan is given the largest value of each and
     runs any up to it without being made again. An extent of a description is a number, or a
     multiple of the batch, of the time or of both: nn_multiply_extents(4, NN_BATCH). What a run has
     follows from its inputs (and nn_set_time).
         nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 8));
         nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){
             .outputs = { y }, .batch = 16, .time = 1000 });
     In a shape the batch may stand once: (batch) - (batch, 1), which would be (batch, batch), is a
     mistake. The time may stand twice in a result, as in (time, 1) - (1, time), but not in an
     input.

   OPERATIONS
     Some fifty element by element (nn_silu, nn_clamp, nn_where ...: ops/table.h), and any of your
     own as text, with its gradient, on every device:
         nn_node *y = nn_expression(net, "x * sigmoid(1.5 * x)", x);
     Neighbours of that kind become one step; nothing is stored between them unless something else
     reads it. The same elements in other places: nn_permute, nn_slice, nn_concat, nn_stack,
     nn_chunk, nn_pad, nn_flip, nn_roll, nn_repeat. Reductions name their axes: nn_sum(net, x,
     NN_AXES(1, 2)); -1 is the last axis. An operation may have several outputs: nn_output(pooled,
     1) are the indices of nn_max_pool2d's maxima. A layer applied to several inputs is described
     again under its name with .shared = true. Operations that no expression can say: nn_custom,
     with functions and OpenCL source of yours.

   STATE
     nn_parameter is trained. nn_buffer is not, but it is saved, moved and checkpointed like a
     parameter: running statistics, counters, caches. nn_assign(net, buffer, value) writes one at
     the end of each training step; until then the whole step reads the old value. nn_constant is a
     tensor of yours that the model copies; nn_borrow one that stays where it stands. Parameters
     start as those of PyTorch's layers; nn_initialise(net, "conv*.weight", &(nn_init_desc){
     .init = NN_INIT_KAIMING_NORMAL }) gives them other values.

   DTYPES
     Operations compute in f32. f16 and bf16 store inputs (nn_input(net, "x", NN_F16, shape)),
     activations (nn_cast(net, x, NN_BF16)) and parameters (nn_model_desc.dtype) in half the memory;
     a trainer keeps f32 masters of the parameters. Products and element-wise operations read them
     as they are stored; where a kernel reads f32 alone, the plan has a step "cast", with its bytes.
     Weights of 8 bits with a scale for each row: nn_quantize, before the layers are described; a
     load rounds to them.
     Files of any float dtype load. Class labels are i32; pictures may
     stay u8 until they are on the device.

   DEVICES
     nn_cpu(), nn_opencl(0) ...: values, not objects; using one that is not open is an ordinary
     error that says how to open it. Several live in one context; nn_transfer is the only way from
     one to another inside a step. The ledger (nn_ledger_*) lists every crossing with its bytes and
     the line that asked for it; nn_ledger_limit forbids more. What a device cannot do is an error
     with the reason, or goes over the CPU where .on_unsupported = NN_UNSUPPORTED_VIA_CPU asks
     for it, as transfers that the plan shows. Backends of yours: device/backend.h, the contract
     (version 2).

   TWO WAYS OF A CONVOLUTION
     On the CPU a convolution of 3 x 3 taps and strides of 1 with 8 channels or more goes Winograd's
     way where that is faster, forward and for both gradients: tiles of 4 x 4 places of y, a quarter
     of the multiplications. On the layers of ResNet its error, against sums in double, is
     at most 8 * 2^-24 of the largest sum of |x w| in the tile, and in the root of the mean of
     squares 1.5 * 2^-24 (float32 sums in order: about 0.5), of the gradient of the weights
     2 * 2^-24. What a place of y does not read but
     its tile does is heard there: beside numbers that are a million times larger it is rounded like
     them, and an infinity or a NaN in x makes all of its tile, in all channels of y, NaN or
     infinite. Which way is taken follows from the shapes; pictures do not know of each other, and
     the bytes are the same for any number of threads. .direct_convolutions = true of a plan or
     trainer: direct sums only, where an infinity stays where the taps are. Immediate calls choose
     as plans of a training do. GPUs go that way with tiles of 2 x 2, forward and for the gradient
     of x: its errors are smaller, an infinity makes all of such a tile infinite or NaN.
     A plan that only infers keeps weights prepared for their kernels, which are then worth while
     for fewer places, with batch norms folded in; they are prepared anew after any call that may
     have changed a weight, and in every run once you asked for a weight's address (nn_tensor_data,
     nn_tensor_view). NN_MEMORY_PREPARED says what that takes, .plain_weights = true forbids it.
     A convolution, its relu and the 2 x 2 maximum behind it are one step of a plan where nobody
     else reads what stands between; with nn_keep or a second reader sums have another order. Its
     gradients visit only the maxima whose gradient is not 0: elsewhere an infinity or a NaN in x
     makes no NaN of 0 times it, as it does in the steps apart. With 3 x 3 taps, up to 16 channels
     of x and 4 outputs or more such a block goes Winograd's way on x86, too, in tiles of 2 x 2
     places, which are the windows: an infinity makes all of its window NaN or infinite. With up to
     3 channels of x so does the gradient of the weights with AVX-512, along the rows: what such a
     maximum sees of an infinity makes NaN. The errors of both are at most 8 * 2^-24 of the largest
     sum of |x w| in the window, or of |dy x| of a filter's nine taps in that channel.

   MEMORY
     nn_desc.allocator, or nn_desc.block: one block of yours and no malloc at all (NN_NO_MALLOC: it
     is not even linked; nn_get_memory_use tells how large it must be). A plan knows its bytes per
     device exactly before it allocates them (nn_plan_bytes; nn_plan_desc.dry_run allocates none)
     and makes one allocation a device, or several where the device has a largest one.
     nn_map_tensor gives a tensor's own memory where
     host and device share it. nn_tensor_desc.read_only marks memory that nothing may write: every
     call that would is an error.

   DATA
     A data set is arrays of yours, a function, or files (nn_make_idx_dataset,
     nn_make_cifar10_dataset, nn_make_folder_dataset). A loader puts batches where the model is:
     .workers gather ahead, with the same samples in the same order for any number of them; pictures
     travel as bytes and are augmented there (.augment); .on_device keeps the whole set there, and
     .prefetch batches are gathered at once; .rank and .world share it. nn_get_loader_use tells how
     long a training waited.

   GOING ON
     nn_save_checkpoint writes everything that the next step depends on to one safetensors file, and
     nn_load_checkpoint takes it up again, on any device; nn_fit does both by itself:
         nn_fit(trainer, train, &(nn_fit_desc){ .epochs = 90,
             .checkpoint = { .path = "run.checkpoint", .every = 500, .keep = 3, .resume = true } });
     On the same kind of device a resumed run has the bytes of one that was not stopped.
     nn_move_trainer takes a running training to another device: all of it, or nothing.
     A step in two halves, for trainers with .gradients = true: nn_backward adds to the gradients,
     nn_update uses them.
         for (int part = 0; part < 4; part++) {
             nn_upload(nn_trainer_plan(trainer), x, parts[part], sizeof parts[part]);
             ... and the labels
             nn_backward(trainer);
         }
         nn_read_gradient(trainer, "fc1.weight", gradient, sizeof gradient);
         nn_update(trainer);
     nn_zero_gradients drops what has gathered.

   WEIGHTS
     nn_save_weights and nn_load_weights use safetensors files with the names of PyTorch's
     state_dict. A load is strict: every missing, unexpected and misshapen tensor is named, and
     nothing is changed. Parts of other nets: nn_load_weights_with with .non_strict and .renames ({
     "backbone.*", "*" }); .loaded says "12 of 14". Then nn_freeze, or nn_lora, which trains small
     adapters beside frozen layers (nn_save_lora, nn_load_lora, nn_merge_lora). From and to memory:
     nn_load_weights_from, nn_save_weights_to. As constant arrays of a C header: nn_write_weights,
     nn_use_weights, which can read them where they stand, in flash, while nn_use_weights_with
     copies some to be trained. Target networks: nn_copy_model(net, NULL), then
     nn_blend_weights(to, from, tau).

   TRUST
     nn_self_test(nn, device, writer) compares every kernel of a device with the CPU; what is wrong
     is refused from then on. nn_prewarm builds before the first step what it would build. Where a
     step's time goes:
         nn_start_profile(plan);                     a trainer's: nn_trainer_plan(trainer)
         nn_fit(...);  or nn_run(plan), as often as you like
         nn_write_profile(plan, (nn_writer){ nn_write_stdout });
         nn_write_trace(plan, (nn_writer){ nn_write_file, file });     for ui.perfetto.dev
         nn_stop_profile(plan);
     An OpenCL device has times if it was opened with nn_opencl_desc.profile. nn_history and
     nn_write_html show how a training went, on one page.

   THREADS
     One context belongs to one thread at a time: a second one that enters meanwhile gets
     NN_ERROR_BUSY and changes nothing, and nn_error names both calls. Two contexts are independent.
     Inside a call the work is spread over nn_desc.threads threads, or your job system
     (nn_desc.jobs). Results are the same bytes for any number of them, for any slicing by
     nn_run_for, and for every run with the same seed on the same instruction set. While a sliced
     run is pending, calls that would change or see half of an update are errors that name its plan.
     Workers round floats, and flush small ones to zero, as the thread that calls the library does
     at that moment. They block all signals, so handlers of yours never run on them. A job system
     that returns before all items are done is an error. A child of fork() has none of the threads:
     there the calling thread does all the work, and everything may be used, freed and closed as in
     the parent. Devices other than the CPU rarely survive fork(): open them in the child.

   TOGETHER
     nn_group.h, which stands in the place of this file where the implementation is, brings what
     shares a training: .shards and .devices of a trainer, and groups. A group is those who share
     one: threads, each with a context of its own (nn_make_meeting), processes on one or many
     machines (nn_mpi.h), or any others that you can carry bytes between (nn_make_group).
         nn_group *group = nn_join_meeting(nn, meeting, rank, 0);
         nn_group_sum(group, tensor);             the same bytes on all, in one order of adding
         nn_group_agree(group, nn_error_code(nn)) all have the first error, with its rank
     Ranks that call different things, leave or fall silent are named on all others; nothing waits
     for ever.

   IMMEDIATE
     Most operations are also calls on tensors of yours, forward and backward:
     nn_conv2d_forward(y, x, weight, bias, &desc). Same checks, no hidden allocation but the
     context's scratch. A result that shares memory with an operand is an error; element by element
     it may be exactly the operand, in place.

   C++
     The same header, from C++11 on. Every desc call also takes a reference, so that C++20 may write
     nn_linear(net, "fc", x, { .out_features = 10 }).

   SMALLER
     See base/config.h below: NN_NO_TRAINING and its like, the same in all files of a program: files
     that differ do not link. What a program does not use is left out by NN_STATIC, and in programs
     of several files by -ffunction-sections -Wl,--gc-sections.
     So is what a desc does not ask for, where an optimizing compiler sees the desc beside the call:
     optimizers other than SGD, Adam and AdamW of nn_make_trainer, checkpoints of nn_fit.

   BESIDE OTHER LIBRARIES
     NN_PREFIX gives every public function another name for the linker; NN_STATIC makes a copy that
     only one file sees. No name but nn_... and NN_... is defined.

   LICENCE
     MIT or public domain, as you like: see LICENSE. */
#pragma once
