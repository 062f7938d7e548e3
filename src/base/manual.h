/* nn.h - train and run neural networks from C or C++, in one file.

   WHAT IT IS
     Tensors with an explicit device, CPU kernels for every instruction set chosen at run time, automatic gradients, a
     planner, optimizers, a loader and a training loop. Needs libc, libm and, optionally, threads.
     What it stands for: a tensor is where you put it, and nothing moves unless you move it. A whole step is described
     first; a plan then checks every shape, dtype and device, reports all mistakes at once, by name and by the line of
     your code, and only then allocates, once. After that a run allocates nothing and copies nothing you did not ask
     for.

   DO THIS
     In one C or C++ file of your program:
         #define NN_IMPLEMENTATION
         #include "nn.h"
     In all others only the second line. Link with -lm, and -lpthread where the system wants it. No compiler option is
     needed for speed.

   IT DOES NOT
     - move data between devices behind your back, or convert a dtype in silence
     - exit, abort, install a signal handler, or keep a global or thread-local variable: all memory comes through
       nn_desc.allocator or nn_desc.block
     - print: all text leaves through nn_desc.log. The one exception: where there is no log, nn_close writes the first
       error to stderr if the program never asked for it (not under NN_NO_STDIO)
     - build graphs while running (no eager mode; for single kernels on your own tensors see IMMEDIATE below)
     - compute in half precision or integers, read ONNX, or run on several machines

   STEP BY STEP: TRAINING
     Describe: costs host memory only.
         nn_context *nn = nn_open(&(nn_desc){ .log.function = nn_write_stderr });
         nn_model *net = nn_make_model(nn, &(nn_model_desc){ .name = "mlp", .seed = 1 });
         nn_node *x = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 784));
         nn_node *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
         nn_node *h = nn_relu(net, nn_linear(net, "fc1", x, &(nn_linear_desc){ .out_features = 128 }));
         nn_node *logits = nn_linear(net, "fc2", h, &(nn_linear_desc){ .out_features = 10 });
         nn_node *loss = nn_cross_entropy(net, logits, label, NULL);
     Say where samples lie. A field goes to the input of its name.
         nn_dataset *digits = nn_make_dataset(nn, &(nn_dataset_desc){ .count = 60000, .fields = {
             { .name = "image", .shape = NN_SHAPE(784), .data = pixels, .data_dtype = NN_U8, .scale = 1.0f / 255 },
             { .name = "label", .dtype = NN_I32, .data = labels } } });
         nn_loader *train = nn_make_loader(nn, &(nn_loader_desc){ .dataset = digits, .batch = 64, .shuffle = true });
     Train. This is where mistakes are reported and memory is allocated.
         nn_trainer *trainer = nn_make_trainer(net, loss, &(nn_trainer_desc){ .batch = 64, .optimizer = NN_ADAM });
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
         nn_run(plan);                               or while (nn_run_for(plan, 500) == NN_PENDING) draw_frame();
         nn_download(plan, logits, scores, sizeof scores);

   ERRORS
     Calls return NN_OK (0), a negative nn_result, or NULL; nn_error has the words. Builders (nn_linear ...) never
     fail: a mistake is recorded, the plan reports them all. Every call accepts NULL. No failing call leaves a
     half-changed object.

   ZERO MEANS DEFAULT
     In every *_desc a field left 0 has the default that its comment names; names and defaults are PyTorch's.

   THE BATCH
     NN_BATCH is the only free extent. A plan is given its largest value and runs any batch up to it.

   DEVICES
     nn_cpu(), nn_opencl(0) ...: values, not objects; using one that is not open is an ordinary error that says how to
     open it. Several live in one context; nn_transfer is the only way from one to another inside a step. The ledger
     (nn_ledger_*) lists every crossing with its bytes and the line that asked for it; nn_ledger_limit forbids more.

   MEMORY
     nn_desc.allocator, or nn_desc.block: one block of yours and no malloc at all. A plan knows its bytes per device
     exactly before it allocates them (nn_plan_bytes) and makes one allocation a device, or several where the device
     has a largest one. nn_map_tensor gives a tensor's own memory where host and device share it.

   DATA
     A data set is arrays of yours, a function, or files (nn_make_idx_dataset, nn_make_cifar10_dataset,
     nn_make_folder_dataset). A loader puts batches where the model is: .workers gather ahead, with the same
     samples in the same order for any number of them; pictures travel as bytes and are augmented there
     (.augment); .on_device keeps the whole set there; .rank and .world share it. nn_get_loader_use tells how
     long a training waited.

   GOING ON
     nn_save_checkpoint writes everything that the next step depends on to one safetensors file, and
     nn_load_checkpoint takes it up again, on any device; nn_fit does both by itself:
         nn_fit(trainer, train, &(nn_fit_desc){ .epochs = 90,
             .checkpoint = { .path = "run.checkpoint", .every = 500, .keep = 3, .resume = true } });
     On the same kind of device a resumed run has the bytes of one that was not stopped. nn_move_trainer takes a
     running training to another device: all of it, or nothing. Parts of other nets: nn_load_weights_with,
     nn_freeze.

   TRUST
     nn_self_test(nn, device, writer) compares every kernel of a device with the CPU; what is wrong is refused
     from then on. nn_prewarm builds before the first step what it would build. Where a step's time goes:
         nn_start_profile(plan);                     a trainer's: nn_trainer_plan(trainer)
         nn_fit(...);  or nn_run(plan), as often as you like
         nn_write_profile(plan, (nn_writer){ nn_write_stdout });
         nn_write_trace(plan, (nn_writer){ nn_write_file, file });     for ui.perfetto.dev
         nn_stop_profile(plan);
     An OpenCL device has times if it was opened with nn_opencl_desc.profile. nn_history and nn_write_html show
     how a training went, on one page.

   THREADS
     One context belongs to one thread at a time: a second one that enters meanwhile gets NN_ERROR_BUSY and changes
     nothing, and nn_error names both calls. Two contexts are independent. Inside a call the work is spread over
     nn_desc.threads threads, or your job system (nn_desc.jobs). Results are the same bytes for any number of them, for
     any slicing by nn_run_for, and for every run with the same seed on the same instruction set. Workers round floats,
     and flush small ones to zero, as the thread that calls the library does at that moment. They block all signals.
     A child of fork() has none of the threads: there the calling thread does all the work, and everything may be used,
     freed and closed as in the parent. Devices other than the CPU rarely survive fork(): open them in the child.

   IMMEDIATE
     Every operation is also a call on tensors of yours, forward and backward:
     nn_conv2d_forward(y, x, weight, bias, &desc). Same checks, no hidden allocation but the context's scratch.

   C++
     The same header, from C++11 on. Every desc call also takes a reference, so that C++20 may write
     nn_linear(net, "fc", x, { .out_features = 10 }).

   SMALLER
     See base/config.h right below: NN_NO_TRAINING and its like. Kernels that a program does not use are not linked
     (compile with -ffunction-sections -Wl,--gc-sections).

   LICENCE
     MIT or public domain, as you like: see LICENSE. */
#pragma once
