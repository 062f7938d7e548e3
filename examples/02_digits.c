/* 02_digits.c - the main job: a CNN of two convolutions learns to read handwritten digits.
   Run:    make run                           digits that it draws itself (draw_digits.h)
           MNIST_DIR=/path/to/mnist make run  the four files of MNIST, unpacked; or a first argument
           NN_DEVICE=cpu or opencl:0 chooses the device, NN_EPOCHS=n how long, NN_SHORT=1 only shows
           that it works, NN_REPORT=report.html leaves a page with curves, times, memory and plan.
   Prints: the plan with every tensor and its bytes, the accuracy on new digits after each epoch
           (from below 90 to above 97 %), what was taken for what, some misread digits.
   Leaves: digits.safetensors, for 03_classify.c or PyTorch. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../nn_more.h"
#ifdef WITH_OPENCL /* make run defines it; OpenCL itself is looked for when the program runs */
#define NN_OPENCL_DYNAMIC
#define NN_OPENCL_IMPLEMENTATION
#include "../nn_opencl.h"
#endif
#include "draw_digits.h"
#include <stdlib.h>

typedef struct digits {
    unsigned char *pixels, *labels; /* (count, 28, 28) and (count) */
    int            count;
} digits;

static digits draw_digits(uint64_t seed, int count) {
    digits drawn = {malloc((size_t)count * DIGIT_PIXELS), malloc((size_t)count), count};
    for (int i = 0; drawn.pixels && drawn.labels && i < count; i++) {
        drawn.labels[i] = (unsigned char)(i % 10);
        draw_digit(i % 10, seed, (uint64_t)i, drawn.pixels + (size_t)i * DIGIT_PIXELS);
    }
    return drawn;
}

/* Reads two IDX files; their tensors belong to nn. A missing, gzipped or damaged file is reported
   by nn_error. */
static digits load_digits(nn_context *nn, const char *folder, const char *kind) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s-images-idx3-ubyte", folder, kind);
    nn_tensor *images = nn_load_idx(nn, path);
    snprintf(path, sizeof path, "%s/%s-labels-idx1-ubyte", folder, kind);
    nn_tensor *labels = nn_load_idx(nn, path);
    digits loaded = {nn_tensor_data(images), nn_tensor_data(labels),
                     nn_tensor_shape(labels).extent[0]};
    if (nn_same_shape(nn_tensor_shape(images), NN_SHAPE(loaded.count, DIGIT_SIZE, DIGIT_SIZE)))
        return loaded;
    fprintf(stderr, "%s: there are not as many images of 28x28 as labels\n", path);
    return (digits){NULL, NULL, 0};
}

static nn_loader *make_loader(nn_context *nn, digits from, bool shuffle, nn_device device) {
    nn_dataset *dataset = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = from.count,
                .fields = NN_FIELDS(
                    {.name = "image",
                     .shape = NN_SHAPE(1, 28, 28),
                     .data = from.pixels,
                     .data_dtype = NN_U8,
                     .scale = 1.0f / 255},
                    {.name = "label", .dtype = NN_I32, .data = from.labels, .data_dtype = NN_U8})});
    return nn_make_loader(nn, &(nn_loader_desc){.dataset = dataset, .batch = 64, .seed = 1,
                                                .shuffle = shuffle, .device = device});
}

/* Prints a row for each digit, with a column for each digit that it was taken for; then some that
   were misread. */
static void show_mistakes(nn_model *net, nn_trainer *trainer, nn_node *image, nn_node *logits,
                          nn_loader *test, digits tested) {
    int                  truth[4], taken[4], at = 0, shown = 0;
    int64_t              confusion[10][10]; /* counted on the device while nn_fit evaluated */
    const unsigned char *misread[4];
    float                scores[64][10];
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(logits), .batch = 64});
    nn_start_epoch(test, 0);
    while (nn_next_batch(test)) {
        int batch = nn_loader_batch(test);
        nn_bind(plan, image, nn_batch_tensor(test, "image")); /* not copied, but read in place */
        nn_run(plan);
        if (nn_download(plan, logits, scores, (size_t)batch * sizeof scores[0]) != NN_OK) return;
        for (int i = 0; i < batch; i++, at++) {
            int best = 0;
            for (int k = 1; k < 10; k++) best = scores[i][k] > scores[i][best] ? k : best;
            if (best == tested.labels[at] || shown == 4) continue;
            misread[shown] = tested.pixels + (size_t)at * DIGIT_PIXELS;
            truth[shown] = tested.labels[at];
            taken[shown++] = best;
        }
    }
    if (nn_read_confusion(trainer, confusion[0], sizeof confusion) != NN_OK) return;
    nn_scores all = nn_macro_scores(confusion[0], 10);
    printf("\nprecision %.3f  recall %.3f  F1 %.3f\n", all.precision, all.recall, all.f1);
    printf("\nis / taken for   0    1    2    3    4    5    6    7    8    9\n");
    for (int row = 0; row < 10; row++, printf("\n")) {
        printf("%6d       ", row);
        for (int k = 0; k < 10; k++)
            printf(confusion[row][k] ? "%5d" : "    .", (int)confusion[row][k]);
    }
    if (!shown) return;
    printf("\nmisread:\n");
    for (int i = 0; i < shown; i++)
        printf("a %d taken for a %d%*s", truth[i], taken[i], DIGIT_SIZE + 2 - 17, "");
    printf("\n");
    print_digits(misread, shown);
}

int main(int argc, char **argv) {
    const char *folder = argc > 1 ? argv[1] : getenv("MNIST_DIR");
    const char *wanted = getenv("NN_DEVICE"), *report = getenv("NN_REPORT");
    bool        quick = getenv("NN_SHORT") != NULL;
    int epochs = getenv("NN_EPOCHS") ? atoi(getenv("NN_EPOCHS")) : quick ? 1 : folder ? 3 : 4;
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
#ifdef WITH_OPENCL
    /* adds opencl:0 and so on; it is no error if there is none */
    nn_opencl_open(nn, &(nn_opencl_desc){.profile = report != NULL});
#endif
    nn_device device = nn_best_device(nn); /* the first GPU, else the CPU */
    char      name[16];
    /* the log has said why */
    if (wanted && nn_parse_device(nn, wanted, &device) != NN_OK) return 1;
    printf("%s on %s, %d threads, %s\n", folder ? folder : "drawn digits",
           nn_format_device(device, name, sizeof name), nn_thread_count(nn),
           nn_instruction_set_name(nn));
    digits train = folder ? load_digits(nn, folder, "train") : draw_digits(1, quick ? 640 : 8000);
    digits test = folder ? load_digits(nn, folder, "t10k") : draw_digits(2, quick ? 200 : 1000);
    if (!train.pixels || !train.labels || !test.pixels || !test.labels) return 1;

    nn_model *net =
        nn_make_model(nn, &(nn_model_desc){.name = "digits", .device = device, .seed = 1});
    nn_node  *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28));
    nn_node  *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *x = nn_conv2d(net, "conv1", image,
                           &(nn_conv2d_desc){.out_channels = 32, .kernel = 3, .padding = 1});
    x = nn_relu(net, x);
    x = nn_conv2d(net, "conv2", x,
                  &(nn_conv2d_desc){.out_channels = 64, .kernel = 3, .padding = 1});
    x = nn_max_pool2d(net, nn_relu(net, x), &(nn_pool2d_desc){.kernel = 2});
    x = nn_relu(net,
                nn_linear(net, "fc1", nn_flatten(net, x), &(nn_linear_desc){.out_features = 128}));
    nn_node *logits = nn_linear(net, "fc2", x, &(nn_linear_desc){.out_features = 10});
    nn_node *loss = nn_cross_entropy(net, logits, label, NULL),
            *accuracy = nn_accuracy(net, logits, label);

    nn_loader  *train_loader = make_loader(nn, train, true, device);
    nn_loader *test_loader = make_loader(nn, test, false, device);
    nn_trainer *trainer = nn_make_trainer(
        net, loss, &(nn_trainer_desc){.batch = 64, .optimizer = NN_ADAM, .learning_rate = 1e-3f,
                                      .metrics = NN_NODES(accuracy), .confusion = {logits, label}});
    nn_history *history = nn_make_history(nn, NULL);
    if (report) nn_start_profile(nn_trainer_plan(trainer)); /* the report shows what takes time */
    nn_write_plan(nn_trainer_plan(trainer), (nn_writer){.function = nn_write_stdout});
    printf("\ntraining on %d digits, testing on %d others after each epoch\n", train.count,
           test.count);
    nn_fit(trainer, train_loader,
           &(nn_fit_desc){.epochs = epochs, .validation = test_loader, .progress = true,
                          .writer.function = nn_write_stdout, .report_every = 10,
                          .history = history});
    if (!nn_error(nn)) show_mistakes(net, trainer, image, logits, test_loader, test);
    FILE *page = report ? fopen(report, "w") : NULL;
    if (page) {
        nn_write_html(trainer, history, (nn_writer){.function = nn_write_file, .user = page});
        fclose(page);
    } else if (report) {
        fprintf(stderr, "%s cannot be written\n", report);
    }
    if (nn_save_weights(net, "digits.safetensors") == NN_OK)
        printf("\nsaved digits.safetensors: 03_classify reads it\n");

    bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    if (!folder) {
        free(train.pixels), free(train.labels);
        free(test.pixels), free(test.labels);
    }
    return failed;
}
