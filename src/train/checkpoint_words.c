/* train/checkpoint_words.c - the metadata of a checkpoint: rate, schedule, step, seed, place in the
   data, progress. Floats are written as bits, so that they are read back exactly. */
#include "train/private.h"

#if !defined(NN__NO_TRAINER) && !defined(NN_NO_FILES)

/* In the order of nn_schedule_kind. */
static const char *const nn__checkpoint_schedules[] = {
    "constant", "step",       "cosine",   "multi_step", "exponential",
    "linear",   "polynomial", "restarts", "one_cycle",  "function"};

NN_PRIVATE void nn__optimizer_words(const nn_trainer *trainer, char *text, size_t size) {
    size_t used = nn__format(text, size, "%s", nn__optimizer_word(trainer->desc.optimizer));
    for (int i = 0; i < trainer->desc.groups.count; i++) {
        bool new_one = !trainer->groups[i + 1].frozen;
        for (int k = 0; k <= i; k++)
            new_one &= trainer->groups[k].optimizer != trainer->groups[i + 1].optimizer;
        if (new_one && used < size)
            used += nn__format(text + used, size - used, " %s",
                               nn__optimizer_word(trainer->groups[i + 1].optimizer));
    }
}

/* ---- writing metadata ------------------------------------------------------------------------ */

static void nn__words_put(nn__words *words, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    words->used +=
        nn__vformat(words->text + words->used, sizeof words->text - words->used, format, arguments);
    va_end(arguments);
}

/* Begins the value of a key; nn__words_put adds to it. */
static void nn__words_begin(nn__words *words, const char *key) {
    if (words->used > 0) words->used++; /* This keeps the zero at the end of the previous value. */
    words->strings[words->count++] = key;
    words->strings[words->count++] = words->text + words->used;
}

static void nn__words_bits(nn__words *words, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    nn__words_put(words, " %08x", (unsigned)bits);
}

static void nn__words_report(nn__words *words, const nn_report *report) {
    nn__words_put(words, " %lld %lld", (long long)report->samples, (long long)report->step);
    for (int i = 0; i <= NN_REPORT_METRICS; i++) {
        uint64_t bits;
        memcpy(&bits, i == 0 ? &report->loss : &report->metrics[i - 1], sizeof bits);
        nn__words_put(words, " %llx", (unsigned long long)bits);
    }
}

static void nn__words_progress(nn__words *words, const nn_progress *progress) {
    uint64_t bits;
    nn__words_begin(words, "progress");
    nn__words_put(words, "%d %d %d %d", (int)progress->epoch, (int)progress->batch,
                  (int)progress->epoch_ended, (int)progress->best_epoch);
    nn__words_report(words, &progress->train);
    nn__words_report(words, &progress->validation);
    memcpy(&bits, &progress->best, sizeof bits);
    nn__words_put(words, " %llx", (unsigned long long)bits);
    /* These have keys of their own, which older files lack. */
    nn__words_begin(words, "counted");
    memcpy(&bits, &progress->train.counted, sizeof bits);
    nn__words_put(words, "%llx", (unsigned long long)bits);
    memcpy(&bits, &progress->validation.counted, sizeof bits);
    nn__words_put(words, " %llx", (unsigned long long)bits);
    nn__words_begin(words, "patience");
    memcpy(&bits, &progress->plateau_best, sizeof bits);
    nn__words_put(words, "%llx", (unsigned long long)bits);
    memcpy(&bits, &progress->stop_best, sizeof bits);
    nn__words_put(words, " %llx %d %d %d %d", (unsigned long long)bits,
                  (int)progress->plateau_epochs, (int)progress->plateau_cooldown,
                  (int)progress->stop_epochs, (int)progress->stopped);
}

/* Older files have exactly this number of milestones, with zeros after the last; further ones
   follow at the end of the schedule. */
enum { NN__WORDS_MILESTONES = 8 };
static void nn__words_milestones(nn__words *words, nn_integers milestones, int first, int end) {
    for (int i = first; i < end; i++)
        nn__words_put(words, " %lld",
                      i < milestones.count ? (long long)milestones.number[i] : 0LL);
}

/* Fields that only newer kinds need are last: the first three kinds are written as in older
   files. */
static void nn__words_schedule(nn__words *words, const nn_schedule *schedule) {
    nn__words_begin(words, "schedule");
    nn__words_put(words, "%s %lld %lld", nn__checkpoint_schedules[schedule->kind],
                  (long long)schedule->steps, (long long)schedule->warmup);
    nn__words_bits(words, schedule->gamma);
    nn__words_bits(words, schedule->minimum);
    nn__words_bits(words, schedule->warmup_start);
    if ((int)schedule->kind <= (int)NN_SCHEDULE_COSINE) return;
    nn__words_milestones(words, schedule->milestones, 0, NN__WORDS_MILESTONES);
    nn__words_put(words, " %d %d %d", (int)schedule->steps_factor, (int)schedule->linear,
                  (int)schedule->three_phase);
    nn__words_bits(words, schedule->start_factor);
    nn__words_bits(words, schedule->end_factor);
    nn__words_bits(words, schedule->power);
    nn__words_bits(words, schedule->pct_start);
    nn__words_bits(words, schedule->div_factor);
    nn__words_bits(words, schedule->final_div_factor);
    if (schedule->milestones.count > NN__WORDS_MILESTONES)
        nn__words_milestones(words, schedule->milestones, NN__WORDS_MILESTONES,
                             schedule->milestones.count);
}

NN_PRIVATE void nn__words_fill(nn__words *words, const nn_trainer *trainer,
                               const nn_checkpoint_desc *desc) {
    char optimizers[128];
    memset(words, 0, sizeof *words);
    nn__words_begin(words, "format");
    nn__words_put(words, "pt");
    nn__words_begin(words, "checkpoint");
    nn__words_put(words, NN__CHECKPOINT_VERSION);
    nn__words_begin(words, "optimizer");
    nn__optimizer_words(trainer, optimizers, sizeof optimizers);
    nn__words_put(words, "%s", optimizers);
    nn__words_begin(words, "step");
    nn__words_put(words, "%lld", (long long)trainer->step);
    nn__words_begin(words, "learning_rate");
    nn__words_put(words, "%g", (double)trainer->desc.learning_rate);
    nn__words_bits(words, trainer->desc.learning_rate);
    nn__words_schedule(words, &trainer->desc.schedule);
    if (trainer->averages) {
        nn__words_begin(words, "average");
        nn__words_put(words, "%lld", (long long)trainer->averaged);
    }
    if (trainer->sharing) {
        nn__words_begin(words, "shards");
        nn__words_put(words, "%d", trainer->desc.shards);
    }
    nn__words_begin(words, "seed");
    nn__words_put(words, "%llu", (unsigned long long)trainer->net->seed);
    if (desc->loader) {
        nn_loader_state state = nn_loader_position(desc->loader);
        nn__words_begin(words, "loader");
        nn__words_put(words, "%llu %d %d", (unsigned long long)state.seed, (int)state.epoch,
                      (int)state.position);
    }
    if (desc->progress) nn__words_progress(words, desc->progress);
    if (desc->text) {
        words->strings[words->count++] = "text";
        words->strings[words->count++] = desc->text;
    }
}

/* Reads a value from left to right. wrong: something was missing. */
typedef struct nn__words_reader {
    const char *at; /* NULL: there is no such key */
    bool wrong;
} nn__words_reader;

static uint64_t nn__words_number(nn__words_reader *reader, unsigned base) {
    uint64_t number = 0;
    int digits = 0;
    while (reader->at && *reader->at == ' ') reader->at++;
    for (; reader->at; reader->at++, digits++) {
        char c = *reader->at;
        unsigned digit = 16;
        if (c >= '0' && c <= '9') digit = (unsigned)(c - '0');
        if (c >= 'a' && c <= 'f') digit = (unsigned)(c - 'a') + 10;
        if (digit >= base) break;
        number = number * base + digit;
    }
    reader->wrong |= digits == 0;
    return number;
}

static int32_t nn__words_int(nn__words_reader *reader) {
    uint64_t number = nn__words_number(reader, 10);
    reader->wrong |= number > (uint64_t)INT32_MAX;
    return reader->wrong ? 0 : (int32_t)number;
}

static int64_t nn__words_int64(nn__words_reader *reader) {
    uint64_t number = nn__words_number(reader, 10);
    reader->wrong |= number > (uint64_t)INT64_MAX;
    return reader->wrong ? 0 : (int64_t)number;
}

/* Numbers from which a run continues to count. No run comes near these limits, and adding to them
   cannot overflow. */
static int32_t nn__words_epoch(nn__words_reader *reader) {
    int32_t epoch = nn__words_int(reader);
    reader->wrong |= epoch > 1 << 30;
    return reader->wrong ? 0 : epoch;
}

static int64_t nn__words_count(nn__words_reader *reader) {
    int64_t count = nn__words_int64(reader);
    reader->wrong |= count > (int64_t)1 << 53;
    return reader->wrong ? 0 : count;
}

static float nn__words_float(nn__words_reader *reader) {
    uint32_t bits = (uint32_t)nn__words_number(reader, 16);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double nn__words_double(nn__words_reader *reader) {
    uint64_t bits = nn__words_number(reader, 16);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Reads the weight of a mean. */
static double nn__words_weight(nn__words_reader *reader) {
    const double weight = nn__words_double(reader);
    reader->wrong |= !(weight >= 0.0 && weight < 1e300);
    return reader->wrong ? 0.0 : weight;
}

static void nn__words_read_report(nn__words_reader *reader, nn_report *report) {
    report->samples = nn__words_count(reader);
    report->step = nn__words_count(reader);
    report->loss = nn__words_double(reader);
    for (int i = 0; i < NN_REPORT_METRICS; i++) report->metrics[i] = nn__words_double(reader);
}

/* Skips a word; false if another one is there. */
static bool nn__words_is(nn__words_reader *reader, const char *word) {
    const char *rest = reader->at ? nn__begins(reader->at, word) : NULL;
    if (!rest || *rest != ' ') return false;
    reader->at = rest;
    return true;
}

/* The function of a schedule is not in a file: it stays the trainer's. */
static void nn__words_read_schedule(nn__words_reader *reader, const nn_trainer *trainer,
                                    nn__checkpoint *read) {
    nn_schedule *schedule = &read->schedule;
    int *count = &schedule->milestones.count;
    schedule->milestones.number = read->milestones;
    while ((int)schedule->kind < NN__COUNT(nn__checkpoint_schedules) &&
           !nn__words_is(reader, nn__checkpoint_schedules[schedule->kind]))
        schedule->kind = (nn_schedule_kind)((int)schedule->kind + 1);
    schedule->steps = nn__words_int64(reader);
    schedule->warmup = nn__words_int64(reader);
    schedule->gamma = nn__words_float(reader);
    schedule->minimum = nn__words_float(reader);
    schedule->warmup_start = nn__words_float(reader);
    if ((int)schedule->kind <= (int)NN_SCHEDULE_COSINE) return;
    for (int i = 0; i < NN__WORDS_MILESTONES; i++) {
        const int64_t milestone = nn__words_int64(reader);
        if (milestone > 0) read->milestones[(*count)++] = milestone;
    }
    schedule->steps_factor = nn__words_int(reader);
    schedule->linear = nn__words_int(reader) != 0;
    schedule->three_phase = nn__words_int(reader) != 0;
    schedule->start_factor = nn__words_float(reader);
    schedule->end_factor = nn__words_float(reader);
    schedule->power = nn__words_float(reader);
    schedule->pct_start = nn__words_float(reader);
    schedule->div_factor = nn__words_float(reader);
    schedule->final_div_factor = nn__words_float(reader);
    while (reader->at && *reader->at == ' ' && *count < NN__MILESTONES && !reader->wrong)
        read->milestones[(*count)++] = nn__words_int64(reader);
    schedule->function = trainer->desc.schedule.function;
    schedule->user = trainer->desc.schedule.user;
}

static nn__words_reader nn__words_find(const nn_safetensors *file, const char *key) {
    nn__words_reader reader;
    reader.at = nn_safetensors_metadata(file, key);
    reader.wrong = false;
    return reader;
}

/* ---- reading a checkpoint -------------------------------------------------------------------- */

/* PyTorch keeps a step for each parameter; this takes the first one. */
static bool nn__checkpoint_foreign_step(nn_safetensors *file, nn_site site, int64_t *step) {
    for (int i = 0; i < nn_safetensors_count(file); i++) {
        nn_safetensors_entry entry = nn_safetensors_at(file, i);
        size_t length = strlen(entry.name);
        double value = 0.0;
        if (!nn__begins(entry.name, NN__OPTIMIZER_PREFIX) || length < 5 ||
            nn_shape_count(entry.shape) != 1 || strcmp(entry.name + length - 5, ".step") != 0)
            continue;
        if (nn_read_safetensors_at(site, file, i, NN_F64, &value, sizeof value) != NN_OK)
            return false;
        if (!(value >= 0.0 && value < 9.0e15)) return false;
        *step = (int64_t)value;
        return true;
    }
    return false;
}

NN_PRIVATE bool nn__checkpoint_is_ours(const nn_safetensors *file) {
    return nn_safetensors_metadata(file, "checkpoint") != NULL;
}

static void nn__words_read_progress(nn__words_reader *words, nn_progress *progress) {
    progress->epoch = nn__words_epoch(words);
    progress->batch = nn__words_epoch(words);
    progress->epoch_ended = nn__words_int(words) != 0;
    progress->best_epoch = nn__words_epoch(words);
    nn__words_read_report(words, &progress->train);
    nn__words_read_report(words, &progress->validation);
    progress->best = nn__words_double(words);
    progress->plateau_best = progress->stop_best = progress->best;
    progress->train.counted = (double)progress->train.samples;
    progress->validation.counted = (double)progress->validation.samples;
}

NN_PRIVATE bool nn__checkpoint_read(const nn_trainer *trainer, nn_safetensors *file, nn_site site,
                                    nn__checkpoint *read) {
    nn__words_reader rate = nn__words_find(file, "learning_rate"),
                     schedule = nn__words_find(file, "schedule"),
                     seed = nn__words_find(file, "seed"), step = nn__words_find(file, "step"),
                     loader = nn__words_find(file, "loader"),
                     progress = nn__words_find(file, "progress"),
                     patience = nn__words_find(file, "patience"),
                     counted = nn__words_find(file, "counted"),
                     average = nn__words_find(file, "average");
    memset(read, 0, sizeof *read);
    read->step = nn__words_count(&step);
    if (step.wrong && !nn__checkpoint_is_ours(file)) {
        step.wrong = false;
        /* PyTorch's SGD counts no steps. A step of at least 1 says that its buffers are filled. */
        if (!nn__checkpoint_foreign_step(file, site, &read->step))
            read->step = nn__max64(trainer->step, trainer->moment_count > 0);
    }
    while (rate.at && *rate.at && *rate.at != ' ') rate.at++;
    read->learning_rate = nn__words_float(&rate);
    nn__words_read_schedule(&schedule, trainer, read);
    read->seed = nn__words_number(&seed, 10);
    if (!nn__checkpoint_is_ours(file)) {
        if (rate.wrong) read->learning_rate = trainer->desc.learning_rate;
        if (schedule.wrong)
            nn__copy_schedule(&read->schedule, read->milestones, &trainer->desc.schedule);
        if (seed.wrong) read->seed = trainer->net->seed;
        rate.wrong = schedule.wrong = seed.wrong = false;
    }
    read->loader.seed = nn__words_number(&loader, 10);
    read->loader.epoch = nn__words_epoch(&loader);
    read->loader.position = nn__words_int(&loader);
    if (progress.at) nn__words_read_progress(&progress, &read->progress);
    if (counted.at) {
        read->progress.train.counted = nn__words_weight(&counted);
        read->progress.validation.counted = nn__words_weight(&counted);
    }
    if (average.at) read->averaged = nn__words_count(&average);
    if (patience.at) {
        read->progress.plateau_best = nn__words_double(&patience);
        read->progress.stop_best = nn__words_double(&patience);
        read->progress.plateau_epochs = nn__words_epoch(&patience);
        read->progress.plateau_cooldown = nn__words_epoch(&patience);
        read->progress.stop_epochs = nn__words_epoch(&patience);
        read->progress.stopped = nn__words_int(&patience) != 0;
    }
    return !(rate.wrong || schedule.wrong || seed.wrong || step.wrong ||
             (loader.at && loader.wrong) || progress.wrong || patience.wrong ||
             (average.at && average.wrong) || counted.wrong);
}

#endif

typedef int nn__checkpoint_words_part; /* a part must not be empty under NN__NO_TRAINER */
