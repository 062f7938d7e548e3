/* test_devices.c: a trainer on several devices of one context (nn_trainer_desc.devices). The
   simulated devices compute what the CPU does, so any number of them must give the bytes of the CPU
   alone: parameters, buffers, losses, reports. Covers short and empty shards, accumulation over
   several batches, changes from outside between two steps, and faults on each device. With
   NN_TEST_OPENCL, also one and two OpenCL devices, and the CPU with one. */
#if !defined(_WIN32) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif
#define NN_IMPLEMENTATION
#include "nn_group.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include <stdlib.h>

#include "inside.h"
#include "open.h"
#include "sim_device.h"
#include "test.h"
#include "lists.h"

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

enum { BATCH = 16, SIDE = 6, CLASSES = 3, PICTURE = 2 * SIDE * SIDE, PLACES = 5, BATCHES = 6 };

/* Where a context can compute: the CPU, then devices. */
typedef struct host {
    nn_context *nn;
    sim_device *sim[PLACES];
    nn_device place[PLACES];
    int places;
} host;

static void add_simulated(host *h, bool asynchronous) {
    sim_desc desc;
    ZERO(desc);
    desc.asynchronous = asynchronous;
    desc.poison_on_release = true;
    h->sim[h->places] = sim_open(h->nn, &desc, &h->place[h->places]);
    h->places++;
}
static void begin(host *h, int simulated) {
    nn_desc desc;
    ZERO(*h), ZERO(desc);
    desc.threads = 1;
    h->nn = nn_open(&desc);
    h->place[h->places++] = nn_cpu();
    for (int i = 0; i < simulated; i++) add_simulated(h, i % 2 == 0);
}
static bool end(host *h) {
    bool fine = !nn_error(h->nn);
    if (!fine) printf("  %s\n", nn_error(h->nn));
    nn_close(h->nn);
    for (int i = 0; i < PLACES; i++)
        if (h->sim[i] && sim_free(h->sim[i]) != 0) fine = false;
    return fine;
}

/* ---- a training run -------------------------------------------------------------------------- */

typedef struct run {
    host *h;
    nn_model *net;
    nn_node *image, *label, *logits, *loss;
    nn_trainer *trainer;
    nn_tensor *images, *labels; /* a batch, on the first device */
} run;

typedef struct how {
    int places[8], count; /* of the host, the model's first */
    nn_optimizer optimizer;
    int shards, accumulate;
    bool average, gradients, over_all;
    nn_dtype dtype;
    bool plain; /* two layers and dropout: few programs of OpenCL to be compiled */
} how;

static how on(int count, const int *places) {
    how h;
    ZERO(h);
    h.count = count;
    memcpy(h.places, places, sizeof(int) * (size_t)count);
    h.optimizer = NN_ADAM;
    h.shards = 8;
    return h;
}

/* Describes a net with a convolution, batch norm, dropout, a shared layer, a frozen one, a
   constant, and buffers of floats and of whole numbers. */
static void describe(run *r, nn_device device, nn_dtype dtype) {
    static const float weights[CLASSES] = {1, 2, 0.5f};
    nn_model_desc model;
    nn_conv2d_desc conv;
    nn_linear_desc layer;
    nn_cross_entropy_desc entropy;
    ZERO(model), ZERO(conv), ZERO(layer), ZERO(entropy);
    model.device = device;
    model.dtype = dtype;
    model.seed = 5;
    nn_model *net = r->net = nn_make_model(r->h->nn, &model);
    r->image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 2, SIDE, SIDE));
    r->label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    conv.out_channels = 4;
    conv.kernel = 3;
    nn_node *x = nn_conv2d(net, "conv", r->image, &conv);
    x = nn_relu(net, nn_batch_norm2d(net, "bn", x, (const nn_batch_norm_desc *)NULL));
    x = nn_dropout(net, nn_flatten(net, x), 0.25f);
    layer.out_features = 8;
    x = nn_linear(net, "frozen", x, &layer);
    layer.shared = true;
    x = nn_relu(net, nn_linear(net, "fc", x, &layer));
    x = nn_linear(net, "fc", x, &layer);
    nn_node *seen = nn_buffer(net, "seen", NN_F32, NN_SHAPE(8), 0.25);
    nn_assign(net, seen, nn_reduce(net, NN_MEAN, x, NN_AXES(0), false));
    nn_assign(net, nn_buffer(net, "largest", NN_I32, NN_SHAPE(8), 7),
              nn_argmax(net, x, NN_AXES(0)));
    ZERO(layer);
    layer.out_features = CLASSES;
    r->logits = nn_linear(net, "head", nn_add(net, x, nn_detach(net, seen)), &layer);
    nn_tensor *given =
        nn_wrap(r->h->nn, "given", NN_F32, NN_SHAPE(CLASSES), (void *)(uintptr_t)weights);
    entropy.weight = nn_constant(net, "class_weight", given);
    r->loss = nn_cross_entropy(net, r->logits, r->label, &entropy);
    nn_freeze(net, "frozen.", true);
    if (nn_find_tensor(net, "seen")) nn_free_tensor(given);
}

static void describe_plain(run *r, nn_device device) {
    nn_model_desc model;
    nn_linear_desc layer;
    ZERO(model), ZERO(layer);
    model.device = device;
    model.seed = 5;
    nn_model *net = r->net = nn_make_model(r->h->nn, &model);
    r->image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 2, SIDE, SIDE));
    r->label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    layer.out_features = 8;
    nn_node *x = nn_linear(net, "fc", nn_flatten(net, r->image), &layer);
    layer.out_features = CLASSES;
    r->logits = nn_linear(net, "head", nn_dropout(net, nn_tanh(net, x), 0.25f), &layer);
    r->loss =
        nn_cross_entropy(net, r->logits, r->label, (const nn_cross_entropy_desc *)NULL);
}

static nn_trainer *make(run *r, const how *w) {
    nn_trainer_desc desc;
    ZERO(desc);
    desc.batch = BATCH;
    desc.optimizer = w->optimizer;
    desc.learning_rate = 0.02f;
    desc.shards = w->shards;
    desc.accumulate = w->accumulate;
    desc.gradients = w->gradients;
    desc.batch_norm = w->over_all ? NN_OVER_ALL : NN_PER_SHARD;
    NODE_AT(desc.metrics, 0) = nn_accuracy(r->net, r->logits, r->label);
    desc.confusion.logits = r->logits;
    desc.confusion.label = r->label;
    if (w->average) desc.average.kind = NN_AVERAGE_EMA;
    for (int i = 0; i < w->count && w->count > 1; i++)
        DEVICE_AT(desc.devices, i) = r->h->place[w->places[i]];
    return nn_make_trainer(r->net, r->loss, &desc);
}

static bool start(run *r, host *h, const how *w) {
    ZERO(*r);
    r->h = h;
    if (w->plain) describe_plain(r, h->place[w->places[0]]);
    else describe(r, h->place[w->places[0]], w->dtype);
    if (nn_fault_count(r->net)) nn_write_faults(r->net, (nn_writer){nn_write_stderr, NULL});
    r->trainer = make(r, w);
    return r->trainer != NULL;
}

static float pixel(int sample, int i) {
    return (float)((sample * 7919 + i * 104729 + sample * i * 31) % 1009) / 504.0f - 1.0f;
}
static nn_tensor *tensor_of(nn_context *nn, const char *name, nn_device device, nn_dtype dtype,
                            nn_shape shape) {
    nn_tensor_desc desc;
    ZERO(desc);
    desc.name = name;
    desc.device = device;
    desc.dtype = dtype;
    desc.shape = shape;
    return nn_make_tensor(nn, &desc);
}
/* Makes samples [first, first + count) the batch. spoilt: -1, or a sample of it that gets an
   invalid label. */
static bool feed(run *r, int first, int count, int spoilt) {
    static float pixels[BATCH * PICTURE];
    static int32_t labels[BATCH];
    for (int n = 0; n < count; n++) {
        labels[n] = n == spoilt ? CLASSES + 4 : (first + n) * (first + n) % CLASSES;
        for (int i = 0; i < PICTURE; i++)
            pixels[n * PICTURE + i] = pixel(first + n, i) + (float)(i % CLASSES == labels[n]);
    }
    nn_tensor *images = tensor_of(r->h->nn, "images", r->net->device, NN_F32,
                                       NN_SHAPE(count, 2, SIDE, SIDE)),
              *targets =
                  tensor_of(r->h->nn, "labels", r->net->device, NN_I32, NN_SHAPE(count));
    nn_plan *plan = nn_trainer_plan(r->trainer);
    bool fine = nn_upload_tensor(images, pixels, sizeof(float) * (size_t)(count * PICTURE)) ==
                    NN_OK &&
                nn_upload_tensor(targets, labels, sizeof(int32_t) * (size_t)count) == NN_OK &&
                nn_bind(plan, r->image, images) == NN_OK &&
                nn_bind(plan, r->label, targets) == NN_OK;
    nn_free_tensor(r->images);
    nn_free_tensor(r->labels);
    r->images = images;
    r->labels = targets;
    return fine;
}

/* Returns the number of samples of batch i: full batches, and some with short or empty shards. */
static int samples_of(int i) {
    static const int samples[] = {BATCH, 13, BATCH, 5, 1, 9};
    return samples[i % 6];
}
static bool step(run *r, int i) {
    return feed(r, i * BATCH, samples_of(i), -1) && nn_train_on_inputs(r->trainer) == NN_OK;
}

/* ---- the results ----------------------------------------------------------------------------- */

typedef struct state {
    size_t bytes;
    char data[1 << 15];
} state;

static bool note(state *s, const void *data, size_t bytes) {
    if (s->bytes + bytes > sizeof s->data) return false;
    memcpy(s->data + s->bytes, data, bytes);
    s->bytes += bytes;
    return true;
}
/* Reads the model's tensors, the loss and the report. */
static bool read_all(run *r, state *s) {
    nn_report report;
    float loss = 0;
    s->bytes = 0;
    for (int i = 0; i < nn_model_tensor_count(r->net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(r->net, i);
        static char bytes[1 << 14];
        const size_t size = (size_t)nn_tensor_bytes(tensor);
        if (size > sizeof bytes || nn_download_tensor(tensor, bytes, size) != NN_OK ||
            !note(s, bytes, size))
            return false;
    }
    if (nn_read_loss(r->trainer, &loss) != NN_OK || !note(s, &loss, sizeof loss)) return false;
    if (nn_read_report(r->trainer, &report) != NN_OK) return false;
    return note(s, &report.loss, sizeof report.loss) &&
           note(s, &report.metrics[0], sizeof report.metrics[0]) &&
           note(s, &report.samples, sizeof report.samples);
}
static bool same(const state *a, const state *b) {
    return a->bytes == b->bytes && memcmp(a->data, b->data, a->bytes) == 0;
}

/* Makes the steps, and calls `between` before each one. s receives the state at the end. */
static bool learn(host *h, const how *w, int steps, void (*between)(run *r, int i), state *s) {
    run r;
    bool fine = start(&r, h, w);
    for (int i = 0; i < steps && fine; i++) {
        if (between) between(&r, i);
        fine = step(&r, i);
    }
    fine = fine && read_all(&r, s);
    nn_free_model(r.net);
    nn_free_tensor(r.images);
    nn_free_tensor(r.labels);
    return fine;
}

/* ---- the same bytes -------------------------------------------------------------------------- */

static const int alone[] = {0}, pair[] = {1, 2}, mixed[] = {0, 1}, turned[] = {1, 0},
                 four[] = {2, 0, 1, 3};

static void compare(const char *what, const how *w, int steps, void (*between)(run *, int)) {
    static state wanted, got;
    how others[4];
    host h;
    others[0] = on(2, pair);
    others[1] = on(2, mixed);
    others[2] = on(2, turned);
    others[3] = on(4, four);
    begin(&h, 0);
    ENSURE(learn(&h, w, steps, between, &wanted));
    ENSURE(end(&h));
    for (int k = 0; k < 4; k++) {
        how other = *w;
        other.count = others[k].count;
        memcpy(other.places, others[k].places, sizeof other.places);
        begin(&h, 3);
        bool fine = learn(&h, &other, steps, between, &got);
        if (!fine || !same(&wanted, &got))
            test_fail(__FILE__, __LINE__, "%s: devices %d differ: %s", what, k,
                      nn_error(h.nn) ? nn_error(h.nn) : "bytes");
        ENSURE(end(&h));
    }
}

static void any_devices_make_the_same_bytes(void) {
    how w = on(1, alone);
    compare("adam", &w, getenv("NN_FULL") ? 200 : 8, NULL);
    w.optimizer = NN_SGD;
    w.shards = 4;
    w.average = true;
    compare("sgd", &w, 4, NULL);
    w.shards = 16;
    w.accumulate = 2;
    compare("accumulate", &w, 6, NULL);
    w = on(1, alone);
    w.dtype = NN_BF16;
    compare("bf16", &w, 4, NULL);
    w = on(1, alone);
    w.over_all = true;
    compare("batch norm over all", &w, 6, NULL);
    w.shards = 4;
    w.accumulate = 2;
    compare("batch norm over all, accumulate", &w, 4, NULL);
}

/* ---- changes from outside -------------------------------------------------------------------- */

/* Before each step somebody writes to another tensor of the model, in another way. */
static void meddle(run *r, int i) {
    static float numbers[4 * (SIDE - 2) * (SIDE - 2) * 8];
    nn_init_desc init;
    for (int k = 0; k < (int)(sizeof numbers / sizeof *numbers); k++)
        numbers[k] = pixel(i, k) * 0.1f;
    ZERO(init);
    switch (i) {
    case 1: /* a frozen one */
        nn_upload_tensor(nn_find_tensor(r->net, "frozen.weight"), numbers, sizeof numbers);
        break;
    case 2: nn_upload_tensor(nn_find_tensor(r->net, "class_weight"), numbers + 1, 12); break;
    case 3: nn_upload_tensor(nn_find_tensor(r->net, "bn.running_mean"), numbers, 16); break;
    case 4: nn_fill_zero(nn_find_tensor(r->net, "frozen.bias")); break;
    case 5: {
        init.init = NN_INIT_UNIFORM;
        init.low = -0.1f;
        init.high = 0.1f;
        nn_initialise(r->net, "frozen.weight", &init);
        break;
    }
    case 6: {
        nn_tensor *weight = nn_find_tensor(r->net, "frozen.weight");
        float *mapped = (float *)nn_map_tensor(weight, true);
        if (mapped) mapped[3] = 0.5f;
        if (mapped) nn_unmap_tensor(weight);
        else nn_clear_error(r->h->nn); /* not every device can */
        nn_tensor *one = tensor_of(r->h->nn, "one", weight->device, NN_F32,
                                        weight->view.shape);
        numbers[3] = 0.5f;
        nn_upload_tensor(one, numbers, sizeof numbers);
        nn_copy(weight, one);
        nn_free_tensor(one);
        break;
    }
    case 7: { /* an immediate operation */
        nn_tensor *bias = nn_find_tensor(r->net, "frozen.bias");
        nn_tensor *one = tensor_of(r->h->nn, "one", bias->device, NN_F32, NN_SHAPE(8));
        nn_upload_tensor(one, numbers, 32);
        nn_tanh_forward(bias, one);
        nn_free_tensor(one);
        break;
    }
    case 8: {
        nn_model *other = nn_copy_model(r->net, (const nn_copy_desc *)NULL);
        nn_upload_tensor(nn_find_tensor(other, "frozen.bias"), numbers + 7, 32);
        nn_blend_weights(r->net, other, 0.5f);
        nn_free_model(other);
        break;
    }
    case 9: /* averages replace the parameters for a while */
        nn_swap_average(r->trainer);
        nn_swap_average(r->trainer);
        break;
    case 10: r->net->seed += 3; break; /* as nn_load_checkpoint does */
    default: break;
    }
}

static void replicas_follow_every_change(void) {
    how w = on(1, alone);
    w.average = true;
    w.shards = 4;
    compare("changed", &w, 12, meddle);
}

/* Makes separate calls of backward and update, with gradients read and changed in between. */
static void edit(run *r) {
    float gradient[CLASSES];
    nn_read_gradient(r->trainer, "head.bias", gradient, sizeof gradient);
    for (int i = 0; i < CLASSES; i++) gradient[i] *= 2;
    nn_write_gradient(r->trainer, "head.bias", gradient, sizeof gradient);
}
static bool in_halves(host *h, const how *w, state *s) {
    run r;
    bool fine = start(&r, h, w);
    for (int i = 0; i < 6 && fine; i++) {
        fine = feed(&r, i * BATCH, samples_of(i), -1) && nn_backward(r.trainer) == NN_OK;
        if (i == 3) edit(&r);
        if (i % 2) fine = fine && nn_update(r.trainer) == NN_OK;
    }
    fine = fine && read_all(&r, s);
    nn_free_model(r.net);
    nn_free_tensor(r.images);
    nn_free_tensor(r.labels);
    return fine;
}
static void backward_and_update_apart(void) {
    static state wanted, got;
    host h;
    how w = on(1, alone);
    w.gradients = true;
    begin(&h, 2);
    ENSURE(in_halves(&h, &w, &wanted));
    w.count = 2, w.places[0] = 1, w.places[1] = 2;
    ENSURE(in_halves(&h, &w, &got) && same(&wanted, &got));
    ENSURE(end(&h));
}

/* ---- a loader, an evaluation, checkpoints ---------------------------------------------------- */

static bool note_validation(void *user, const nn_progress *progress) {
    const nn_report *report = &progress->validation;
    return !progress->epoch_ended || (note((state *)user, &report->loss, sizeof report->loss) &&
                                      note((state *)user, &report->metrics[0], sizeof(double)) &&
                                      note((state *)user, &report->samples, sizeof(int64_t)));
}
/* Runs two epochs with a validation after each, then an evaluation whose reports and confusion
   matrix are part of the state. spoilt: the last one has an invalid label. */
enum { COUNT = 45 };
static bool fit(host *h, const how *w, state *s, nn_report *evaluated, int spoilt) {
    static float pixels[COUNT * PICTURE];
    static int32_t labels[COUNT];
    nn_dataset_desc data;
    nn_loader_desc desc;
    nn_fit_desc fits;
    run r;
    ZERO(data), ZERO(desc), ZERO(fits);
    for (int n = 0; n < COUNT; n++) {
        labels[n] = n % CLASSES;
        for (int i = 0; i < PICTURE; i++)
            pixels[n * PICTURE + i] = pixel(n, i) + (float)(i % CLASSES == labels[n]);
    }
    data.count = COUNT;
    FIELD_AT(data.fields, 0).name = "image";
    FIELD_AT(data.fields, 0).shape = NN_SHAPE(2, SIDE, SIDE);
    FIELD_AT(data.fields, 0).data = pixels;
    FIELD_AT(data.fields, 1).name = "label";
    FIELD_AT(data.fields, 1).dtype = NN_I32;
    FIELD_AT(data.fields, 1).data = labels;
    bool fine = start(&r, h, w);
    nn_dataset *dataset = nn_make_dataset(h->nn, &data);
    desc.dataset = dataset;
    desc.batch = BATCH;
    desc.shuffle = true;
    desc.device = r.net->device;
    nn_loader *loader = nn_make_loader(h->nn, &desc);
    desc.shuffle = false;
    nn_loader *validation = nn_make_loader(h->nn, &desc);
    fits.epochs = 2;
    fits.validation = validation;
    fits.callback = note_validation;
    fits.user = s;
    int64_t matrix[CLASSES * CLASSES];
    s->bytes = 0;
    fine = fine && nn_fit(r.trainer, loader, &fits) == NN_OK;
    const state reports = *s;
    fine = fine && reports.bytes == 2 * (2 * sizeof(double) + sizeof(int64_t));
    uint64_t kernels[PLACES];
    for (int i = 0; i < PLACES; i++) kernels[i] = h->sim[i] ? h->sim[i]->counters[SIM_KERNEL] : 0;
    if (spoilt >= 0) {
        labels[spoilt] = CLASSES;
        fine = fine && nn_evaluate(r.trainer, validation, evaluated) == NN_ERROR_LABEL &&
               strstr(nn_error(h->nn), "a label is out of range: labels in \"label\"");
        nn_clear_error(h->nn);
        labels[spoilt] = spoilt % CLASSES;
    }
    fine = fine && nn_evaluate(r.trainer, validation, evaluated) == NN_OK &&
           nn_read_confusion(r.trainer, matrix, sizeof matrix) == NN_OK;
    for (int i = 0; i < w->count; i++)
        if (h->sim[w->places[i]]) /* each device has its share of it */
            fine = fine && h->sim[w->places[i]]->counters[SIM_KERNEL] > kernels[w->places[i]];
    fine = fine && read_all(&r, s) && note(s, matrix, sizeof matrix) &&
           note(s, reports.data, reports.bytes) && note(s, evaluated, sizeof *evaluated);
    nn_free_loader(loader);
    nn_free_loader(validation);
    nn_free_model(r.net);
    nn_free_dataset(dataset);
    return fine;
}
static void a_loader_delivers_once(void) {
    static state wanted, got;
    nn_report a, b;
    host h;
    how w = on(1, alone);
    begin(&h, 3);
    ENSURE(fit(&h, &w, &wanted, &a, -1) && a.samples == COUNT);
    for (int k = 0; k < 4; k++) {
        static const int *const places[] = {pair, mixed, turned, four};
        w.count = k < 3 ? 2 : 4;
        memcpy(w.places, places[k], sizeof(int) * (size_t)w.count);
        /* an invalid label is in the first device's share, then in another's */
        ENSURE(fit(&h, &w, &got, &b, k < 2 ? k * 12 : -1) && same(&wanted, &got));
        ENSURE(a.loss == b.loss && a.metrics[0] == b.metrics[0] && a.samples == b.samples);
    }
    ENSURE(end(&h));
}

/* A run that begins on two devices and is resumed first on four and then on one has the bytes of a
   run that never stopped. */
static void a_checkpoint_goes_on_elsewhere(void) {
    static state wanted, got;
    const char *const path = "build/tests/test_devices.safetensors";
    static const int *const places[] = {pair, four, alone};
    static const int counts[] = {2, 4, 1};
    host h;
    how w = on(1, alone);
    begin(&h, 3);
    ENSURE(learn(&h, &w, 6, NULL, &wanted));
    for (int part = 0; part < 3; part++) {
        run r;
        w.count = counts[part];
        memcpy(w.places, places[part], sizeof(int) * (size_t)w.count);
        ENSURE(start(&r, &h, &w));
        if (part > 0)
            ENSURE(nn_load_checkpoint(r.trainer, path, (const nn_checkpoint_desc *)NULL) == NN_OK);
        for (int i = 2 * part; i < 2 * part + 2; i++) ENSURE(step(&r, i));
        ENSURE(nn_save_checkpoint(r.trainer, path, (const nn_checkpoint_desc *)NULL) == NN_OK);
        ENSURE(part < 2 || read_all(&r, &got));
        nn_free_model(r.net);
        nn_free_tensor(r.images);
        nn_free_tensor(r.labels);
    }
    remove(path);
    ENSURE(same(&wanted, &got));
    ENSURE(end(&h));
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* An invalid label in the part of each device gives the same error as on one device. Nothing
   changes, and after nn_clear_fault the training continues as if that batch had not existed. */
static void faults_of_each_device(bool over_all) {
    static state before, after, wanted, got;
    for (int k = 0; k < 4; k++)
        for (int sample = 0; sample < BATCH; sample += 5) {
            static const int *const places[] = {alone, pair, turned, four};
            static const int counts[] = {1, 2, 2, 4};
            how w = on(counts[k], places[k]);
            host h;
            run r;
            w.over_all = over_all;
            begin(&h, 3);
            ENSURE(start(&r, &h, &w));
            for (int i = 0; i < 3; i++) ENSURE(step(&r, i));
            ENSURE(read_all(&r, &before));
            ENSURE(feed(&r, 100, BATCH, sample));
            ENSURE(nn_train_on_inputs(r.trainer) == NN_ERROR_LABEL);
            ENSURE(strstr(nn_error(h.nn), "step 4: a label is out of range: labels in \"label\""));
            ENSURE(feed(&r, 3 * BATCH, BATCH, -1));
            ENSURE(nn_train_on_inputs(r.trainer) == NN_ERROR_LABEL); /* until it is cleared */
            nn_clear_error(h.nn);
            ENSURE(nn_clear_fault(r.trainer) == NN_OK && nn_trainer_step(r.trainer) == 3);
            ENSURE(nn_download_tensor(nn_find_tensor(r.net, "head.weight"), after.data, 96) ==
                   NN_OK);
            for (int i = 3; i < 6; i++) ENSURE(step(&r, i));
            ENSURE(read_all(&r, &got));
            if (k == 0 && sample == 0) wanted = got;
            ENSURE(same(&wanted, &got));
            nn_free_model(r.net);
            nn_free_tensor(r.images);
            nn_free_tensor(r.labels);
            ENSURE(end(&h));
        }
}

static void a_fault_of_each_device_is_told(void) {
    faults_of_each_device(false);
    faults_of_each_device(true);
}

/* A call of a device fails while the trainer is made or in a step. The error is reported, and
   afterwards the trainer can be made, or continues, with the same bytes, unless an update failed
   half way. */
static void failing_devices(bool over_all) {
    static state wanted, got;
    how w = on(2, pair);
    host h;
    w.shards = 2;
    w.over_all = over_all;
    begin(&h, 2);
    ENSURE(learn(&h, &w, 3, NULL, &wanted));
    ENSURE(end(&h));
    for (int place = 1; place <= 2; place++)
        for (int64_t n = 1;; n += n < 12 || getenv("NN_FULL") ? 1 : 7) {
            run r;
            begin(&h, 2);
            ZERO(r);
            r.h = &h;
            describe(&r, h.place[1], NN_F32);
            h.sim[place]->fail_at = h.sim[place]->fallible + n;
            h.sim[place]->fail_count = 1;
            r.trainer = make(&r, &w);
            const bool made = r.trainer != NULL;
            if (!made) {
                ENSURE(nn_error(h.nn));
                nn_clear_error(h.nn);
                r.trainer = make(&r, &w);
                ENSURE(r.trainer);
            }
            bool failed = !made, torn = false;
            for (int i = 0; i < 3 && !torn; i++) {
                ENSURE(feed(&r, i * BATCH, samples_of(i), -1) || nn_error(h.nn));
                while (nn_error(h.nn) || nn_train_on_inputs(r.trainer) != NN_OK) {
                    torn = failed && strstr(nn_error(h.nn), "continue from a checkpoint");
                    ENSURE(nn_error(h.nn) && (!failed || torn));
                    failed = true;
                    nn_clear_error(h.nn);
                    if (torn) break;
                    ENSURE(feed(&r, i * BATCH, samples_of(i), -1));
                }
            }
            /* an update that failed half way is not undone, and no step follows it */
            ENSURE(read_all(&r, &got) || nn_error(h.nn));
            const bool past = h.sim[place]->fallible < h.sim[place]->fail_at;
            h.sim[place]->fail_at = 0;
            ENSURE(!torn || place == 1);
            if (!torn && !nn_error(h.nn)) ENSURE(same(&wanted, &got));
            nn_clear_error(h.nn);
            nn_free_model(r.net);
            nn_free_tensor(r.images);
            nn_free_tensor(r.labels);
            ENSURE(end(&h));
            if (past) break;
        }
}

static void a_failing_device_is_told(void) {
    failing_devices(false);
    failing_devices(true);
}

/* ---- crossings ------------------------------------------------------------------------------- */

static uint64_t crossed(nn_context *nn, const char *name) {
    uint64_t bytes = 0;
    for (int i = 0; i < nn_ledger_count(nn); i++)
        if (strcmp(nn_ledger_at(nn, i).tensor, name) == 0)
            bytes += nn_ledger_at(nn, i).logical_bytes;
    return bytes;
}

/* The ledger agrees with nn_write_plan. Tensors that no step changes cross once. */
static void the_plan_says_what_crosses(void) {
    static char text[1 << 16];
    unsigned long long weights = 0, gradients = 0;
    nn_text out;
    host h;
    run r;
    how w = on(2, pair);
    begin(&h, 2);
    ENSURE(start(&r, &h, &w));
    nn_writer writer = nn__write_into(&out, text, sizeof text);
    nn_write_plan(nn_trainer_plan(r.trainer), writer);
    const char *line = strstr(text, "exchange     each step: weights ");
    ENSURE(line && sscanf(line, "exchange each step: weights %llu bytes, gradients %llu bytes",
                          &weights, &gradients) == 2);
    ENSURE(strstr(text, "user0:0      shards 0 to 3, the update") &&
           strstr(text, "user0:1      shards 4 to 7, a replica, "));
    ENSURE(step(&r, 0)); /* takes everything along */
    ENSURE(feed(&r, 0, BATCH, -1));
    ENSURE(nn_train_on_inputs(r.trainer) == NN_OK);
    nn_reset_ledger(h.nn);
    const uint64_t kernels = h.sim[2]->counters[SIM_KERNEL];
    ENSURE(nn_train_on_inputs(r.trainer) == NN_OK); /* nobody wrote anything in between */
    const uint64_t bytes = crossed(h.nn, "exchange");
    /* adjacent tensors cross in one piece, including gaps of less than 64 bytes */
    ENSURE(bytes >= weights + gradients && bytes < weights + gradients + 64 * 16);
    ENSURE(crossed(h.nn, "image") == BATCH / 2 * PICTURE * 4);
    ENSURE(crossed(h.nn, "label") == BATCH / 2 * 4);
    ENSURE(h.sim[2]->counters[SIM_KERNEL] > kernels);
    /* nothing is allocated by a step */
    const uint64_t calls = nn_context_memory(h.nn).calls, allocs = h.sim[2]->counters[SIM_ALLOC];
    ENSURE(nn_train_on_inputs(r.trainer) == NN_OK);
    ENSURE(nn_context_memory(h.nn).calls == calls && h.sim[2]->counters[SIM_ALLOC] == allocs);
    /* a limit of the ledger holds */
    nn_ledger_limits limits;
    ZERO(limits);
    limits.device_bytes = 100;
    nn_ledger_limit(h.nn, &limits);
    ENSURE(nn_train_on_inputs(r.trainer) == NN_ERROR_LIMIT);
    nn_clear_error(h.nn);
    nn_ledger_limit(h.nn, (const nn_ledger_limits *)NULL);
    ENSURE(nn_train_on_inputs(r.trainer) == NN_OK);
    nn_free_model(r.net);
    nn_free_tensor(r.images);
    nn_free_tensor(r.labels);
    ENSURE(end(&h));
}

/* ---- mistakes -------------------------------------------------------------------------------- */

static bool told_where(nn_context *nn) {
    const bool told =
        strstr(nn_error(nn), "wanted     \"image\" (batch, 2, 6, 6) f32  on user0:0") &&
        strstr(nn_error(nn), "f32      on cpu") &&
        strstr(nn_error(nn), "or make the loader with that .device");
    nn_clear_error(nn);
    return told;
}
static void mistakes_are_told(void) {
    host h;
    run r;
    how w = on(1, alone);
    begin(&h, 3);
    ZERO(r);
    r.h = &h;
    describe(&r, nn_cpu(), NN_F32);
#define REFUSED(text, ...)                                                                         \
    do {                                                                                           \
        const int given[] = {__VA_ARGS__};                                                         \
        how wrong = on((int)(sizeof given / sizeof *given), given);                                \
        wrong.shards = w.shards;                                                                   \
        if (make(&r, &wrong) || !strstr(nn_error(h.nn), text))                                     \
            test_fail(__FILE__, __LINE__, "%s", nn_error(h.nn) ? nn_error(h.nn) : "made");         \
        nn_clear_error(h.nn);                                                                      \
    } while (0)
    REFUSED("devices[0] is user0:0, the model \"model\" is on cpu; the model's device comes first, "
            "or make the model with .device = nn_make_device(NN_USER_0, 0)", 1, 0);
    REFUSED("devices[0] and devices[1] are both cpu", 0, 0);
    REFUSED("3 devices; wanted 1, 2, 4 or 8", 0, 1, 2);
    w.shards = 2;
    REFUSED("4 devices for 2 shards; each has at least one shard: give .shards = 8", 0, 1, 2, 3);
    h.place[4] = nn_make_device(NN_USER_0, 7);
    REFUSED("user0:7", 0, 4);
    w.count = 2, w.places[1] = 1;
    r.trainer = make(&r, &w);
    ENSURE(r.trainer);
    float pixels[PICTURE];
    memset(pixels, 0, sizeof pixels);
    nn_upload(nn_trainer_plan(r.trainer), r.image, pixels, sizeof pixels);
    ENSURE(nn_train_on_inputs(r.trainer) != NN_OK &&
           strstr(nn_error(h.nn), "nn_bind it, or use a loader"));
    nn_clear_error(h.nn);
    ENSURE(nn_move_trainer(r.trainer, h.place[2]) == NN_ERROR_UNSUPPORTED);
    ENSURE(strstr(nn_error(h.nn), "works on 2 devices; nn_save_checkpoint"));
    nn_clear_error(h.nn);
    nn_free_trainer(r.trainer);
    /* a loader on none of the devices: nothing crosses unasked, so its desc has to name a device */
    w.places[0] = 0, w.places[1] = 1;
    {
        static float three[3 * PICTURE];
        static const int32_t classes[3] = {0, 1, 2};
        nn_dataset_desc data;
        nn_loader_desc desc;
        ZERO(data), ZERO(desc);
        data.count = 3;
        FIELD_AT(data.fields, 0).name = "image";
        FIELD_AT(data.fields, 0).shape = NN_SHAPE(2, SIDE, SIDE);
        FIELD_AT(data.fields, 0).data = three;
        FIELD_AT(data.fields, 1).name = "label";
        FIELD_AT(data.fields, 1).dtype = NN_I32;
        FIELD_AT(data.fields, 1).data = classes;
        desc.batch = 3;
        desc.dataset = nn_make_dataset(h.nn, &data);
        nn_loader *loader = nn_make_loader(h.nn, &desc);
        run there;
        nn_report report;
        how on_two = on(2, pair);
        ENSURE(start(&there, &h, &on_two) && nn_next_batch(loader));
        ENSURE(nn_train_step(there.trainer, loader) != NN_OK && told_where(h.nn));
        ENSURE(nn_evaluate(there.trainer, loader, &report) != NN_OK && told_where(h.nn));
        ENSURE(nn_train_step_for(there.trainer, loader, 100) == NN_ERROR_UNSUPPORTED);
        ENSURE(strstr(nn_error(h.nn), "a step of 8 shards is not cut into slices; call "
                                      "nn_train_step, or give nn_trainer_desc.shards = 1"));
        nn_clear_error(h.nn);
        ENSURE(nn_trainer_step(there.trainer) == 0 && step(&there, 0)); /* and continues */
        nn_free_model(there.net);
        nn_free_tensor(there.images);
        nn_free_tensor(there.labels);
        nn_free_loader(loader);
    }
    /* the same model again, with other devices */
    w.places[1] = 3;
    r.trainer = make(&r, &w);
    ENSURE(r.trainer && step(&r, 0));
    ENSURE(nn_prewarm(nn_trainer_plan(r.trainer), (const nn_prewarm_progress *)NULL) == NN_OK);
    nn_free_model(r.net);
    ENSURE(end(&h));
}

/* ---- OpenCL ---------------------------------------------------------------------------------- */

#ifdef NN_TEST_OPENCL
static bool near(const state *a, const state *b, double most) {
    double x, y; /* the losses of the reports */
    const size_t at = a->bytes - sizeof(int64_t) - 2 * sizeof(double);
    if (a->bytes != b->bytes) return false;
    memcpy(&x, a->data + at, sizeof x);
    memcpy(&y, b->data + at, sizeof y);
    return x - y < most && y - x < most;
}
static void on_opencl(void) {
    static state wanted, got, cpu;
    const int first[] = {1}, both[] = {1, 2}, with_cpu[] = {0, 1};
    how w = on(1, first);
    const int steps = getenv("NN_FULL") ? 200 : 4;
    host h;
    w.plain = !getenv("NN_FULL");
    w.shards = w.plain ? 2 : 8;
    begin(&h, 0);
    nn_opencl_open(h.nn, NULL);
    if (!nn_is_open(h.nn, nn_opencl(0)) || !nn_is_open(h.nn, nn_opencl(1))) {
        nn_clear_error(h.nn);
        end(&h);
        SKIP("no two OpenCL devices: POCL_DEVICES='pthread pthread' makes PoCL two");
    }
    nn_clear_error(h.nn);
    h.place[h.places++] = nn_opencl(0);
    h.place[h.places++] = nn_opencl(1);
    ENSURE(learn(&h, &w, steps, NULL, &wanted));
    w.count = 2;
    memcpy(w.places, both, sizeof both);
    ENSURE(learn(&h, &w, steps, NULL, &got) && same(&wanted, &got));
    if (w.plain) {
        ENSURE(end(&h));
        return;
    }
    memcpy(w.places, with_cpu, sizeof with_cpu);
    ENSURE(learn(&h, &w, steps, NULL, &cpu) && near(&wanted, &cpu, 1e-3));
    ENSURE(end(&h));
}
#endif
static void one_and_two_opencl_devices(void) {
#ifdef NN_TEST_OPENCL
    on_opencl();
#else
    SKIP("built without OpenCL");
#endif
}

int main(int argc, char **argv) {
#if defined(NN_TEST_OPENCL) && !defined(_WIN32)
    setenv("POCL_DEVICES", "pthread pthread", 1); /* read when the first context asks */
#endif
    test_start(argc, argv);
    RUN(any_devices_make_the_same_bytes);
    RUN(replicas_follow_every_change);
    RUN(backward_and_update_apart);
    RUN(a_loader_delivers_once);
    RUN(a_checkpoint_goes_on_elsewhere);
    RUN(a_fault_of_each_device_is_told);
    RUN(a_failing_device_is_told);
    RUN(the_plan_says_what_crosses);
    RUN(mistakes_are_told);
    RUN(one_and_two_opencl_devices);
    return test_report();
}
