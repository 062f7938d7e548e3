/* 21_mpi_digits.c - one training run on several processes: each rank computes its share of every
   batch, gradients are added in one tree, and all end with the same bytes, whatever their number.
   Run:    make run-mpi                                  on 4 processes of this machine
           mpicc 21_mpi_digits.c -lm -lpthread && mpirun -n 2 ./a.out    on as many as you like (at
           most .shards of the trainer, 8); ./a.out alone is one rank
           NN_EPOCHS=n how long, NN_SHORT=1 only shows that it works
   Prints: accuracy on new digits after each epoch, the samples per second of all ranks together,
   and a hash of the weights, which is the same for any number of ranks. */
#define NN_IMPLEMENTATION
#define NN_MPI_IMPLEMENTATION
#include "../nn_mpi.h"

#include "draw_digits.h"
#include <stdlib.h>

/* Every rank draws, or would read, the same data; the loader takes this rank's share of it. */
static nn_loader *make_digits(nn_context *nn, nn_group *group, uint64_t seed, int count,
                              unsigned char **memory) {
    unsigned char *pixels = malloc((size_t)count * (DIGIT_PIXELS + 1));
    unsigned char *labels = pixels + (size_t)count * DIGIT_PIXELS;
    *memory = pixels;
    if (!pixels) return NULL;
    for (int i = 0; i < count; i++) {
        labels[i] = (unsigned char)(i % 10);
        draw_digit(i % 10, seed, (uint64_t)i, pixels + (size_t)i * DIGIT_PIXELS);
    }
    nn_dataset *dataset = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = count,
                .fields = NN_FIELDS(
                    {.name = "image",
                     .shape = NN_SHAPE(1, 28, 28),
                     .data = pixels,
                     .data_dtype = NN_U8,
                     .scale = 1.0f / 255},
                    {.name = "label", .dtype = NN_I32, .data = labels, .data_dtype = NN_U8})});
    return nn_make_loader(nn, &(nn_loader_desc){.dataset = dataset, .batch = 64, .shuffle = true,
                                                .seed = 1, .group = group});
}

static uint64_t hash_weights(nn_model *net) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < nn_model_tensor_count(net); i++) {
        const nn_tensor     *tensor = nn_model_tensor_at(net, i);
        const unsigned char *bytes = nn_tensor_const_data(tensor);
        for (uint64_t b = 0; b < nn_tensor_bytes(tensor); b++)
            hash = (hash ^ bytes[b]) * 0x100000001b3u;
    }
    return hash;
}

int main(void) {
    bool quick = getenv("NN_SHORT") != NULL;
    int  epochs = getenv("NN_EPOCHS") ? atoi(getenv("NN_EPOCHS")) : quick ? 1 : 2;
    /* One thread for each process: here all of them share one machine. */
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr, .threads = 1});
    nn_group   *group = nn_mpi_open(nn, NULL);
    if (!group) return 1;
    const bool first = nn_group_rank(group) == 0; /* only rank 0 prints */
    if (first) printf("%d ranks over MPI\n", (int)nn_group_size(group));

    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "digits", .seed = 1});
    nn_node  *image = nn_input(net, "image", NN_F32, NN_SHAPE(NN_BATCH, 1, 28, 28));
    nn_node  *label = nn_input(net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node  *x = nn_conv2d(net, "conv1", image, &(nn_conv2d_desc){.out_channels = 16, .kernel = 3});
    x = nn_max_pool2d(net, nn_relu(net, nn_batch_norm2d(net, "bn1", x, NULL)),
                      &(nn_pool2d_desc){.kernel = 2});
    x = nn_conv2d(net, "conv2", x, &(nn_conv2d_desc){.out_channels = 32, .kernel = 3});
    x = nn_dropout(net, nn_max_pool2d(net, nn_relu(net, x), &(nn_pool2d_desc){.kernel = 2}), 0.25f);
    nn_node *logits =
        nn_linear(net, "fc", nn_flatten(net, x), &(nn_linear_desc){.out_features = 10});
    nn_node *loss = nn_cross_entropy(net, logits, label, NULL);
    nn_node *accuracy = nn_accuracy(net, logits, label);

    unsigned char *memory[2];
    const int      count = quick ? 640 : 4000;
    nn_loader     *train = make_digits(nn, group, 1, count, &memory[0]);
    nn_loader     *test = make_digits(nn, group, 2, quick ? 200 : 1000, &memory[1]);
    nn_trainer    *trainer = nn_make_trainer(
        net, loss, &(nn_trainer_desc){.batch = 64, .optimizer = NN_ADAM, .learning_rate = 2e-3f,
                                      .metrics = NN_NODES(accuracy), .group = group});
    double start = MPI_Wtime();
    nn_fit(trainer, train, &(nn_fit_desc){.epochs = epochs, .validation = test, .progress = first,
                                          .writer.function = nn_write_stdout});
    double seconds = MPI_Wtime() - start;
    /* An error of one rank is an error of all: every process ends by itself. */
    bool failed = nn_group_agree(group, nn_error_code(nn)) != NN_OK;
    if (first && !failed)
        printf("%.0f digits a second; weights %016llx\n", epochs * count / seconds,
               (unsigned long long)hash_weights(net));
    nn_close(nn);
    free(memory[0]), free(memory[1]);
    return failed;
}
