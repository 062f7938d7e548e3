/* tests/mpi_kill.h - for tests/test_mpi.c: one training over processes, of which one is killed again
   and again, and which then goes on with one rank less. In the end its files have the bytes of a
   run that nobody disturbed. */
#ifndef MPI_KILL_H
#define MPI_KILL_H

/* Trains to the end, from where the checkpoint is. */
static nn_result train_resumed(nn_context *nn, nn_group *group, const char *path) {
    enum { SAMPLES = 75, SIDE = 6, BATCH = 16, CLASSES = 3 };
    static float pictures[SAMPLES * SIDE * SIDE];
    static int32_t labels[SAMPLES];
    for (int i = 0; i < SAMPLES * SIDE * SIDE; i++)
        pictures[i] = (float)((i * 7919 + i / 36 * 31 + 13) % 1000) / 500.0f - 1.0f;
    for (int i = 0; i < SAMPLES; i++) labels[i] = i * 5 % CLASSES;
    nn_model *m = nn_make_model(nn, &(nn_model_desc){.name = "net", .seed = 7});
    nn_node *x = nn_input(m, "x", NN_F32, NN_SHAPE(NN_BATCH, 1, SIDE, SIDE));
    nn_node *label = nn_input(m, "label", NN_I32, NN_SHAPE(NN_BATCH));
    x = nn_conv2d(m, "conv", x, &(nn_conv2d_desc){.out_channels = 8, .kernel = 3, .padding = 1});
    x = nn_relu(m, nn_batch_norm2d(m, "bn", x, NULL));
    x = nn_dropout(m, nn_max_pool2d(m, x, &(nn_pool2d_desc){.kernel = 2}), 0.25f);
    x = nn_linear(m, "fc", nn_flatten(m, x), &(nn_linear_desc){.out_features = CLASSES});
    nn_dataset *dataset = nn_make_dataset(
        nn, &(nn_dataset_desc){
                .count = SAMPLES,
                .fields = {{.name = "x", .shape = NN_SHAPE(1, SIDE, SIDE), .data = pictures},
                           {.name = "label", .dtype = NN_I32, .data = labels}}});
    nn_loader_desc loader = {.dataset = dataset, .batch = BATCH, .shuffle = true, .group = group};
    nn_loader *train = nn_make_loader(nn, &loader);
    loader.shuffle = false;
    nn_trainer *trainer = nn_make_trainer(
        m, nn_cross_entropy(m, x, label, NULL),
        &(nn_trainer_desc){
            .batch = BATCH, .optimizer = NN_ADAM, .learning_rate = 0.003f, .group = group});
    return nn_fit(trainer, train,
                  &(nn_fit_desc){.epochs = 60,
                                 .validation = nn_make_loader(nn, &loader),
                                 .checkpoint = {
                                     .path = path, .every = 3, .best = true, .resume = true}});
}

/* A hash of the two files; 0: one of them is not there. */
static uint64_t hash_files(const char *path) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < 2; i++) {
        char name[300];
        FILE *file;
        int c;
        snprintf(name, sizeof name, "%s%s", path, i ? ".best" : "");
        file = fopen(name, "rb");
        if (!file) return 0;
        while ((c = fgetc(file)) != EOF) hash = (hash ^ (unsigned char)c) * 0x100000001b3u;
        fclose(file);
    }
    return hash;
}

#endif
