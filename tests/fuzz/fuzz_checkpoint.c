/* tests/fuzz/fuzz_checkpoint.c - loads any bytes as a checkpoint, and any text as one of its words
   with a correct checksum: no crash, no leak. The trainer either has the state of the file and
   continues, or there is an error and no bit of it has changed.

   clang -fsanitize=fuzzer,address,undefined -I. -Itests/support tests/fuzz/fuzz_checkpoint.c     the fuzzer
   cc -DFUZZ_MAIN -I. -Itests/support tests/fuzz/fuzz_checkpoint.c                                its small corpus, for
   `make test` */
#define NN_IMPLEMENTATION
#include "nn.h"

#define FUZZ_NAME "fuzz_checkpoint"
#include "fuzz.h"
#include "lists.h"

enum { SAMPLES = 5, WIDTH = 3, BATCH = 2 };

typedef struct fuzz_training {
    nn_context *nn;
    nn_model *net;
    nn_dataset *dataset;
    nn_loader *loader;
    nn_trainer *trainer;
    nn_progress progress;
    float x[SAMPLES * WIDTH];
} fuzz_training;

/* Makes a trainer and a few steps, without which its moments would be zeros. */
static void fuzz_begin(fuzz_training *t, nn_context *nn, int steps) {
    nn_dataset_desc data;
    nn_loader_desc load;
    nn_trainer_desc train;
    nn_linear_desc layer;
    memset(t, 0, sizeof *t);
    memset(&data, 0, sizeof data);
    memset(&load, 0, sizeof load);
    memset(&train, 0, sizeof train);
    memset(&layer, 0, sizeof layer);
    for (int i = 0; i < SAMPLES * WIDTH; i++) t->x[i] = (float)(i % 7) - 3.0f;
    t->nn = nn;
    t->net = nn_make_model(nn, (const nn_model_desc *)NULL);
    layer.out_features = 2;
    data.count = SAMPLES;
    FIELD_AT(data.fields, 0).name = "x";
    FIELD_AT(data.fields, 0).shape = NN_SHAPE(WIDTH);
    FIELD_AT(data.fields, 0).data = t->x;
    t->dataset = nn_make_dataset(nn, &data);
    load.dataset = t->dataset;
    load.batch = train.batch = BATCH;
    load.shuffle = true;
    t->loader = nn_make_loader(nn, &load);
    train.optimizer = NN_ADAM;
    train.schedule.kind = NN_SCHEDULE_COSINE;
    train.schedule.steps = 9;
    t->trainer = nn_make_trainer(
        t->net,
        nn_mean(t->net, nn_square(t->net, nn_linear(t->net, "fc",
                                                    nn_input(t->net, "x", NN_F32,
                                                             NN_SHAPE(NN_BATCH, WIDTH)),
                                                    &layer))),
        &train);
    for (int i = 0; i < steps; i++)
        fuzz_ensure((nn_next_batch(t->loader) || nn_next_batch(t->loader)) &&
                    nn_train_step(t->trainer, t->loader) == NN_OK);
}

static void fuzz_end(fuzz_training *t) {
    nn_free_trainer(t->trainer);
    nn_free_loader(t->loader);
    nn_free_dataset(t->dataset);
    nn_free_model(t->net);
}

static nn_checkpoint_desc fuzz_desc(fuzz_training *t) {
    nn_checkpoint_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.loader = t->loader;
    desc.progress = &t->progress;
    desc.text = "text";
    return desc;
}

static memory_file *fuzz_save(fuzz_training *t, const char *path) {
    nn_checkpoint_desc desc = fuzz_desc(t);
    memory_file *file;
    fuzz_ensure(nn_save_checkpoint(t->trainer, path, &desc) == NN_OK);
    file = memory_find((memory_disk *)nn_context_desc(t->nn)->files.user, path);
    fuzz_ensure(file != NULL);
    return file;
}

/* True if the whole state is the one saved in `path`. */
static bool fuzz_same(fuzz_training *t, const char *path) {
    const memory_file *now = fuzz_save(t, "now"),
                      *then = memory_find((memory_disk *)nn_context_desc(t->nn)->files.user, path);
    return then && now->size == then->size && memcmp(now->bytes, then->bytes, now->size) == 0;
}

static bool fuzz_load(fuzz_training *t, const char *path, bool place) {
    nn_checkpoint_desc desc = fuzz_desc(t);
    if (!place) desc.loader = NULL;
    fuzz_save(t, "before");
    if (nn_load_checkpoint(t->trainer, path, &desc) != NN_OK) {
        fuzz_ensure(nn_error(t->nn) && fuzz_same(t, "before"));
        return false;
    }
    fuzz_ensure(!nn_error(t->nn));
    fuzz_touch(&t->progress, sizeof t->progress);
    fuzz_save(t, "before");
    desc.loader = t->loader;
    fuzz_ensure(nn_load_checkpoint(t->trainer, "before", &desc) == NN_OK && fuzz_same(t, "before"));
    for (int i = 0; i < 4;
         i++) { /* its numbers may be too large for a step, and the error may say so */
        if (nn_next_batch(t->loader) || nn_next_batch(t->loader))
            nn_train_step(t->trainer, t->loader);
    }
    nn_clear_error(t->nn);
    return true;
}

/* Writes the trainer as a file of this library, or as PyTorch would write it, or with one word of
   the metadata replaced. */
static void fuzz_write(fuzz_training *t, const char *path, bool ours, int word, const char *value) {
    nn__state state;
    nn__words words;
    nn__safetensors_saving saving;
    nn_checkpoint_desc desc = fuzz_desc(t);
    nn_tensor *tensors[16];
    const char *names[16];
    fuzz_ensure(nn__checkpoint_list(&state, t->trainer, ours, ours, NN_HERE, "fuzz") &&
                state.count <= 16);
    for (int i = 0; i < state.count; i++)
        tensors[i] = state.items[i].tensor, names[i] = state.items[i].name;
    nn__words_fill(&words, t->trainer, &desc);
    if (value) words.strings[word % (words.count / 2) * 2 + 1] = value;
    memset(&saving, 0, sizeof saving);
    saving.nn = t->nn;
    saving.who = "fuzz";
    saving.path = path;
    saving.tensors = tensors;
    saving.names = names;
    saving.count = state.count;
    saving.metadata = words.strings;
    saving.metadata_count = ours ? words.count : 0;
    saving.checksum = ours;
    fuzz_ensure(nn__save_safetensors(&saving) == NN_OK);
    nn__state_end(&state);
}

static bool fuzz_one(nn_context *nn) {
    const memory_file *file = memory_find((memory_disk *)nn_context_desc(nn)->files.user, "f");
    fuzz_training t;
    nn_fit_desc fit;
    char value[160];
    size_t length = 0;
    bool accepted;
    fuzz_begin(&t, nn, 2);
    for (; length + 1 < sizeof value && length + 1 < file->size; length++)
        value[length] = (char)(file->bytes[length + 1] & 127);
    value[length] = 0;
    if (file->size > 0) {
        fuzz_write(&t, "words", true, file->bytes[0], value);
        fuzz_load(&t, "words", true);
        nn_clear_error(nn);
        memset(&fit, 0, sizeof fit);
        fit.epochs = 2;
        fit.checkpoint.path = "words";
        fit.checkpoint.resume = true;
        nn_fit(t.trainer, t.loader, &fit);
        nn_clear_error(nn);
        fuzz_end(&t);
        fuzz_begin(&t, nn, 2); /* the state from the words must not be the start */
    }
    accepted = fuzz_load(&t, "f", true);
    if (!accepted) {
        nn_clear_error(nn);
        accepted = fuzz_load(&t, "f", false); /* checkpoints of PyTorch have no position in the
                                                 data */
    }
    fuzz_end(&t);
    return accepted;
}

/* Numbers that a run cannot have counted to: they once overflowed. The first byte chooses the word,
   the last is cut. */
static const char *const fuzz_words[4] = {"\3" "9223372036854775807!", "\7" "1 2147483647 5!",
    "\x8" "2147483647 1 0 0 9223372036854775807 1 0 0 0 0 0 0 0 0 0 1 1 0 0 0 0 0 0 0 0 0 0!",
    "\x8" "1 2147483647 0 0 9223372036854775807 1 0 0 0 0 0 0 0 0 0 1 1 0 0 0 0 0 0 0 0 0 0!"};

static size_t fuzz_seed(int number, unsigned char *bytes) {
    memory_disk disk;
    nn_desc desc;
    nn_context *nn;
    fuzz_training t;
    const memory_file *file;
    size_t size = strlen(fuzz_words[number / 10]);
    if (number % 10 == 9) {
        memcpy(bytes, fuzz_words[number / 10], size);
        return size;
    }
    memset(&disk, 0, sizeof disk);
    memset(&desc, 0, sizeof desc);
    desc.threads = 1;
    desc.files = memory_files(&disk);
    nn = nn_open(&desc);
    fuzz_begin(&t, nn, number % 4);
    fuzz_write(&t, "a", number % 3 != 2, 0, NULL);
    file = memory_find(&disk, "a");
    fuzz_ensure(file && file->size <= 4096);
    size = file->size;
    memcpy(bytes, file->bytes, size);
    fuzz_end(&t);
    nn_close(nn);
    memory_free(&disk);
    return size;
}

#include "fuzz_main.h"
