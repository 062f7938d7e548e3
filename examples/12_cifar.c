/* 12_cifar.c - training on pictures that are changed at random on the device: shifted, mirrored,
   turned, lit differently, partly covered. Only bytes travel; the net's device makes numbers
   of them. The draws depend only on seed, epoch and sample.
   Run:    cc -O2 12_cifar.c -o cifar -lm -lpthread && ./cifar      pictures that it draws itself
           CIFAR_DIR=/path/to/cifar-10-batches-bin ./cifar           CIFAR-10, the binary version
           NN_DEVICE=cpu or opencl:0 (with -DWITH_OPENCL -ldl), NN_SHORT=1 only shows that it works
   Prints: what a picture costs to move, three pictures as the net sees them, the accuracy by
   epoch. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#ifdef WITH_OPENCL
#define NN_OPENCL_DYNAMIC
#define NN_OPENCL_IMPLEMENTATION
#include "../nn_opencl.h"
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 32, PIXELS = SIZE * SIZE, KINDS = 10, BATCH = 64 };

typedef struct pictures {
    unsigned char *pixels, *labels; /* (count, 3, 32, 32) and (count) */
    int            count;
} pictures;

static pictures make_room(int count) {
    return (pictures){malloc((size_t)count * 3 * PIXELS), malloc((size_t)count), count};
}

/* True if (x, y), measured from the middle in units of the radius, is part of the thing. */
static bool inside(int kind, float x, float y) {
    float r = x * x + y * y;
    switch (kind) {
    case 0: return r < 1.0f;
    case 1: return r < 1.0f && r > 0.4f;
    case 2: return fabsf(x) < 0.8f && fabsf(y) < 0.8f;
    case 3: return y < 0.8f && fabsf(x) < 0.55f * (y + 1.0f);
    case 4: return fabsf(x) < 0.3f || fabsf(y) < 0.3f;
    case 5: return fabsf(x) < 1.0f && fabsf(y) < 0.35f;
    case 6: return fabsf(x) < 0.35f && fabsf(y) < 1.0f;
    default: return (kind != 8 && sinf(6 * x) > 0) != (kind != 7 && sinf(6 * y) > 0); /* stripes */
    }
}

/* Shapes for training are all centred and upright, so only augmentation shows the net other
   positions. The shapes of the test (`moved`) are not. */
static pictures draw_pictures(uint64_t seed, int count, bool moved) {
    pictures p = make_room(count);
    for (int i = 0; p.pixels && p.labels && i < count; i++) {
        uint32_t a[4], b[4];
        float    u[8];
        nn_random_words(seed, (uint64_t)i, 0, a);
        nn_random_words(seed, (uint64_t)i, 1, b);
        for (int j = 0; j < 8; j++) u[j] = nn_word_to_uniform(j < 4 ? a[j] : b[j - 4]);
        float place = moved ? 8.0f : 0.0f, turn = moved ? 0.5f * (u[0] - 0.5f) : 0.0f,
              radius = 9.0f + 3.0f * u[1];
        p.labels[i] = (unsigned char)(i % KINDS);
        for (int at = 0; at < PIXELS; at++) {
            float x = ((float)(at % SIZE) - 15.5f - place * (u[2] - 0.5f)) / radius;
            float y = ((float)(at / SIZE) - 15.5f - place * (u[3] - 0.5f)) / radius;
            bool in = inside(i % KINDS, x * cosf(turn) + y * sinf(turn),
                             y * cosf(turn) - x * sinf(turn));
            for (int c = 0; c < 3; c++) {
                float value = in ? 120.0f + 100.0f * u[4 + c] : 110.0f * u[(5 + c) % 8];
                p.pixels[(i * 3 + c) * PIXELS + at] =
                    (unsigned char)(value + (float)((at * 37 + i * 11) % 31));
            }
        }
    }
    return p;
}

/* Reads files of records: a label, then 3072 bytes of a picture. */
static pictures load_pictures(const char *folder, const char *const *files, int count) {
    pictures p = make_room(10000 * count);
    char     path[1024];
    int      at = 0;
    for (int f = 0; f < count && p.pixels && p.labels; f++) {
        snprintf(path, sizeof path, "%s/%s", folder, files[f]);
        FILE *file = fopen(path, "rb");
        for (int i = 0; file && i < 10000; i++, at++)
            if (fread(p.labels + at, 1, 1, file) != 1 || p.labels[at] >= KINDS ||
                fread(p.pixels + (size_t)at * 3 * PIXELS, 1, 3 * PIXELS, file) != 3 * PIXELS)
                break;
        if (file) fclose(file);
        if (at == 10000 * (f + 1)) continue;
        fprintf(stderr, "%s: not a file of 10000 pictures of CIFAR-10's binary version\n", path);
        exit(1);
    }
    return p;
}

static nn_loader *make_loader(nn_context *nn, pictures from, nn_device device,
                              const nn_augment_desc *augment, bool shuffle) {
    nn_dataset *dataset = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = from.count,
                .fields = NN_FIELDS(
                    {.name = "image",
                     .shape = NN_SHAPE(3, SIZE, SIZE),
                     .data = from.pixels,
                     .data_dtype = NN_U8,
                     .scale = 1.0f / 255},
                    {.name = "label", .dtype = NN_I32, .data = from.labels, .data_dtype = NN_U8})});
    return nn_make_loader(nn, &(nn_loader_desc){.dataset = dataset, .batch = BATCH, .seed = 1,
                                                .shuffle = shuffle, .device = device,
                                                .augment = augment, .workers = 1});
}

/* Prints some pictures of the current batch side by side, as characters. */
static void show(nn_loader *loader, int count) {
    static float batch[BATCH * 3 * PIXELS];
    nn_tensor   *image = nn_batch_tensor(loader, "image");
    if (nn_download_tensor(image, batch, (size_t)nn_tensor_bytes(image)) != NN_OK) return;
    for (int y = 0; y < SIZE; y += 2, putchar('\n'))
        for (int i = 0; i < count; i++, printf("  "))
            for (int x = 0; x < SIZE; x++) {
                const float *p = batch + i * 3 * PIXELS + y * SIZE + x;
                float        light = 0.5f + 0.08f * (p[0] + p[PIXELS] + p[2 * PIXELS]);
                putchar(" .:-=+*#%@"[light < 0.0f ? 0 : light > 0.99f ? 9 : (int)(light * 10.0f)]);
            }
}

static nn_node *block(nn_model *net, const char *name, nn_node *x, int channels) {
    x = nn_conv2d(net, name, x,
                  &(nn_conv2d_desc){.out_channels = channels, .kernel = 3, .padding = 1});
    return nn_max_pool2d(net, nn_relu(net, x), &(nn_pool2d_desc){.kernel = 2});
}

int main(void) {
    static const char *const files[] = {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                                        "data_batch_4.bin", "data_batch_5.bin", "test_batch.bin"};
    const char *folder = getenv("CIFAR_DIR"), *wanted = getenv("NN_DEVICE");
    bool        quick = getenv("NN_SHORT") != NULL;
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
#ifdef WITH_OPENCL
    nn_opencl_open(nn, NULL);
#endif
    nn_device device = nn_best_device(nn);
    if (wanted && nn_parse_device(nn, wanted, &device) != NN_OK) return 1;
    pictures train = folder ? load_pictures(folder, files, 5)
                            : draw_pictures(1, quick ? 320 : 1280, false);
    pictures test = folder ? load_pictures(folder, files + 5, 1)
                           : draw_pictures(2, quick ? 128 : 640, true);
    if (!train.pixels || !train.labels || !test.pixels || !test.labels) return 1;

    nn_augment_desc plain = {.mean = {0.49f, 0.48f, 0.45f}, .std = {0.25f, 0.24f, 0.26f}};
    nn_augment_desc augment = plain;
    augment.padding = 4; /* and a crop of 32 x 32 out of it */
    augment.flip = 0.5f, augment.degrees = 15, augment.cutout = 8;
    augment.brightness = augment.contrast = 0.2f;
    nn_loader *learn = make_loader(nn, train, device, &augment, true);
    nn_loader *try = make_loader(nn, test, device, &plain, false);

    nn_model *net = nn_make_model(nn, &(nn_model_desc){.device = device, .seed = 1});
    nn_node  *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 3, SIZE, SIZE));
    nn_node  *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node  *x = block(net, "conv3", block(net, "conv2", block(net, "conv1", image, 16), 32), 64);
    nn_node *logits = nn_linear(net, "fc", nn_flatten(net, x),
                                &(nn_linear_desc){.out_features = KINDS});
    nn_trainer *trainer = nn_make_trainer(net, nn_cross_entropy(net, logits, label, NULL),
        &(nn_trainer_desc){.batch = BATCH, .optimizer = NN_ADAM, .learning_rate = 1e-3f,
                           .metrics = NN_NODES(nn_accuracy(net, logits, label))});

    if (nn_next_batch(learn)) {
        printf("a picture moves %llu bytes to the device, its numbers would be %d\n",
               (unsigned long long)(nn_loader_counters(learn).bytes / BATCH), (3 * PIXELS + 1) * 4);
        show(learn, 3);
        nn_start_epoch(learn, 0);
    }
    nn_fit(trainer, learn, &(nn_fit_desc){.epochs = quick ? 1 : folder ? 20 : 12, .validation = try,
                                          .progress = true, .writer.function = nn_write_stdout});
    bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    free(train.pixels), free(train.labels), free(test.pixels), free(test.labels);
    return failed;
}
