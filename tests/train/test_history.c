/* tests/train/test_history.c - the records of nn_fit, as JSON lines and back, and the HTML page. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"

#include "test.h"
#include "lists.h"

#include <stdlib.h>

/* ---- a job whose clock moves when a sample is read or a step runs ---------------------------- */

enum { SAMPLES = 20, WIDTH = 3, BATCH = 8 };

typedef struct job {
    nn_context *nn;
    nn_model   *net;
    nn_trainer *trainer;
    nn_loader  *train, *test;
    nn_history *history;
    uint64_t    now;
    bool        scarce; /* no more memory */
    uint64_t    tick;   /* ns that pass at each look at the clock */
    uint64_t    step_ns; /* time of a step */
    uint64_t    sample_ns; /* time of a sample */
    nn_text     log;
    char        text[512];
} job;

static uint64_t job_now(void *user) { return ((job *)user)->now += ((job *)user)->tick; }

static nn_result job_sample(void *user, int32_t sample, void *const *to) {
    ((job *)user)->now += ((job *)user)->sample_ns;
    for (int i = 0; i < WIDTH; i++) ((float *)to[0])[i] = (float)((sample * 7 + i * 3) % 5) - 2.0f;
    ((int32_t *)to[1])[0] = sample % 2;
    return NN_OK;
}

static nn_result job_step(void *user, const nn_custom_args *args) {
    ((job *)user)->now += ((job *)user)->step_ns;
    memcpy((char *)args->output.handle + args->output.offset,
           (char *)args->input[0].handle + args->input[0].offset,
           sizeof(float) * WIDTH * (size_t)args->output.shape.extent[0]);
    return NN_OK;
}

static void *job_allocate(void *user, size_t bytes, size_t alignment) {
    char *memory = ((job *)user)->scarce ? NULL : (char *)malloc(bytes + alignment);
    size_t skip = memory ? alignment - (size_t)((uintptr_t)memory % alignment) : 0;
    if (!memory) return NULL;
    memory[skip - 1] = (char)(skip - 1); /* alignment is at most 64 */
    return memory + skip;
}

static void job_release(void *user, void *pointer, size_t bytes, size_t alignment) {
    (void)user, (void)bytes, (void)alignment;
    if (pointer) free((char *)pointer - ((char *)pointer)[-1] - 1);
}

static void job_open_slow(job *j, const char *name, bool with_metric, int step_ms) {
    nn_desc open;
    nn_model_desc model;
    nn_linear_desc layer;
    nn_dataset_desc dataset;
    nn_loader_desc loader;
    nn_trainer_desc desc;
    nn_node *x, *label, *logits;
    memset(j, 0, sizeof *j);
    j->step_ns = (uint64_t)step_ms * 1000000u;
    j->sample_ns = 1000000;
    j->log.buffer = j->text;
    j->log.size = sizeof j->text;
    memset(&open, 0, sizeof open);
    memset(&model, 0, sizeof model);
    memset(&layer, 0, sizeof layer);
    memset(&dataset, 0, sizeof dataset);
    memset(&loader, 0, sizeof loader);
    memset(&desc, 0, sizeof desc);
    open.threads = 1;
    open.clock.now = job_now;
    open.clock.user = j;
    open.allocator.allocate = job_allocate;
    open.allocator.release = job_release;
    open.allocator.user = j;
    open.log.function = nn_write_text;
    open.log.user = &j->log;
    j->nn = nn_open(&open);
    model.name = name;
    model.seed = 1;
    j->net = nn_make_model(j->nn, &model);
    x = nn_input(j->net, "x", NN_F32, NN_SHAPE(NN_BATCH, WIDTH));
    label = nn_input(j->net, "label", NN_I32, NN_SHAPE(NN_BATCH));
    if (j->step_ns > 0) {
        nn_custom_desc slow;
        memset(&slow, 0, sizeof slow);
        NODE_AT(slow.inputs, 0) = x;
        slow.shape = NN_SHAPE(NN_BATCH, WIDTH);
        slow.function = job_step;
        slow.user = j;
        x = nn_custom(j->net, "slow", &slow);
    }
    layer.out_features = 2;
    logits = nn_linear(j->net, name, x, &layer);
    dataset.count = SAMPLES;
    FIELD_AT(dataset.fields, 0).name = "x";
    FIELD_AT(dataset.fields, 0).shape = NN_SHAPE(WIDTH);
    FIELD_AT(dataset.fields, 1).name = "label";
    FIELD_AT(dataset.fields, 1).dtype = NN_I32;
    dataset.get = job_sample;
    dataset.user = j;
    loader.dataset = nn_make_dataset(j->nn, &dataset);
    loader.batch = BATCH;
    j->train = nn_make_loader(j->nn, &loader);
    j->test = nn_make_loader(j->nn, &loader);
    desc.batch = BATCH;
    desc.learning_rate = 0.01f;
    desc.confusion.logits = logits;
    desc.confusion.label = label;
    if (with_metric) NODE_AT(desc.metrics, 0) = nn_accuracy(j->net, logits, label);
    j->trainer = nn_make_trainer(j->net, nn_cross_entropy(j->net, logits, label, NULL), &desc);
    j->history = nn_make_history(j->nn, NULL);
}

static void job_open(job *j, const char *name, bool with_metric) {
    job_open_slow(j, name, with_metric, 0);
}

static nn_result job_fit(job *j, int epochs, int every) {
    nn_fit_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.epochs = epochs;
    desc.validation = j->test;
    desc.report_every = every;
    desc.history = j->history;
    return nn_fit(j->trainer, j->train, &desc);
}

static char *text_of(const nn_history *history, char *buffer, size_t size) {
    nn_text out;
    nn_writer writer;
    out.buffer = buffer;
    out.size = size;
    out.length = 0;
    buffer[0] = 0;
    writer.function = nn_write_text;
    writer.user = &out;
    nn_write_history(history, writer);
    return buffer;
}

/* ---- waiting for data ------------------------------------------------------------------------ */

/* Trains three steps on 20 samples of a millisecond each. */
static void test_slow_data(void) {
    static const int step_ms[] = {61, 59, 2};
    static const char *const wanted[] = {
        "",
        "nn: nn_fit: epoch 1: its steps waited for data for 10 % of 0.197 s, for the device for 0 "
        "%; raise "
        "nn_loader_desc.workers (now 0), or set .on_device, or leave fields u8\n",
        "nn: nn_fit: epoch 1: its steps waited for data for 77 % of 0.026 s, for the device for 0 "
        "%; raise "
        "nn_loader_desc.workers (now 0), or set .on_device, or leave fields u8\n"};
    for (int i = 0; i < 3; i++) {
        job j;
        job_open_slow(&j, "small", false, step_ms[i]);
        ENSURE(j.trainer &&
               job_fit(&j, 3, 2) == NN_OK); /* and a validation, which does not count */
        ENSURE_TEXT(j.text, wanted[i]);
        ENSURE(nn_loader_counters(j.train).data_ns == 3 * 20 * (uint64_t)1000000 &&
               !nn_error(j.nn));
        nn_close(j.nn);
    }
    job j; /* nobody minds 2 ms of 5 ms */
    job_open_slow(&j, "small", false, 1);
    j.sample_ns = 100000;
    ENSURE(j.trainer && job_fit(&j, 3, 2) == NN_OK);
    ENSURE_TEXT(j.text, "");
    nn_close(j.nn);
}

/* ---- records --------------------------------------------------------------------------------- */

static void test_records_of_fit(void) {
    job j;
    const nn_record *record;
    job_open(&j, "small", true);
    ENSURE(j.trainer && j.history && nn_history_count(j.history) == 0 &&
           !nn_history_at(j.history, 0));
    ENSURE(job_fit(&j, 2, 2) ==
           NN_OK); /* batches of 8, 8, 4: a record after the second and at the end */
    ENSURE(nn_history_count(j.history) == 4 && nn_history_metrics(j.history) == 1);
    ENSURE(strcmp(nn_history_metric(j.history, 0), "accuracy") == 0 &&
           !nn_history_metric(j.history, 1));
    record = nn_history_at(j.history, 0);
    ENSURE(record->epoch == 1 && !record->epoch_ended && record->train.step == 2 &&
           record->train.samples == 16);
    ENSURE(record->steps == 2 && record->validation.samples == 0);
    ENSURE_CLOSE(record->step_seconds, 0.008, 1e-12); /* only the samples take time here */
    ENSURE_CLOSE(record->wait_seconds, 0.008, 1e-12);
    ENSURE_CLOSE(record->samples_a_second, 1000, 1e-6);
    ENSURE_CLOSE(record->seconds, 0.016, 1e-12);
    ENSURE(record->uploaded == 16 * (WIDTH + 1) * 4 && record->between == 0);
    ENSURE(record->downloaded >= 16 &&
           record->downloaded < 200); /* sums, samples and the status word */
    record = nn_history_at(j.history, 1);
    ENSURE(record->epoch == 1 && record->epoch_ended && record->train.step == 3 &&
           record->train.samples == 4);
    ENSURE(record->steps == 1 && record->validation.samples == SAMPLES &&
           record->uploaded == 4 * (WIDTH + 1) * 4);
    ENSURE_CLOSE(record->wait_seconds, 0.004, 1e-12); /* not the validation's batches */
    ENSURE_CLOSE(record->seconds, 0.040, 1e-12);      /* which took 20 ms */
    record = nn_history_at(j.history, 3);
    ENSURE(record->epoch == 2 && record->epoch_ended && record->train.step == 6 &&
           record->learning_rate == 0.01f);
    ENSURE(job_fit(&j, 1, 0) == NN_OK && nn_history_count(j.history) == 5); /* continues */
    ENSURE(!nn_error(j.nn));
    nn_close(j.nn);
}

/* A record has the rate that the schedule gave its last step. */
static void test_rate_of_a_schedule(void) {
    job j;
    job_open(&j, "small", true);
    ENSURE(j.trainer && nn_set_schedule(j.trainer, &(nn_schedule){.kind = NN_SCHEDULE_STEP,
                                                                  .steps = 3,
                                                                  .gamma = 0.5f}) == NN_OK);
    ENSURE(job_fit(&j, 3, 0) == NN_OK && nn_history_count(j.history) == 3); /* 3 steps an epoch */
    ENSURE_CLOSE(nn_history_at(j.history, 0)->learning_rate, 0.01, 1e-8);
    ENSURE_CLOSE(nn_history_at(j.history, 1)->learning_rate, 0.005, 1e-8);
    ENSURE_CLOSE(nn_history_at(j.history, 2)->learning_rate, 0.0025, 1e-8);
    nn_close(j.nn);
}

static void test_capacity_and_writer(void) {
    job j;
    nn_history_desc desc;
    static char lines[8000], kept[8000];
    nn_text out = {lines, sizeof lines, 0};
    job_open(&j, "small", true);
    memset(&desc, 0, sizeof desc);
    desc.writer.function = nn_write_text;
    desc.writer.user = &out;
    desc.capacity = 3;
    nn_free_history(j.history);
    j.history = nn_make_history(j.nn, &desc);
    lines[0] = 0;
    ENSURE(job_fit(&j, 5, 0) == NN_OK && nn_history_count(j.history) == 3);
    ENSURE(nn_history_at(j.history, 0)->epoch == 3 && nn_history_at(j.history, 2)->epoch == 5);
    text_of(j.history, kept, sizeof kept);
    ENSURE(strlen(lines) > strlen(kept) && strcmp(lines + strlen(lines) - strlen(kept), kept) == 0);
    ENSURE(nn_read_history(j.history, lines, strlen(lines)) == NN_OK &&
           nn_history_count(j.history) == 3);
    ENSURE_TEXT(text_of(j.history, lines, sizeof lines), kept);
    desc.capacity = -1;
    ENSURE(!nn_make_history(j.nn, &desc) && strstr(nn_error(j.nn), "capacity is -1"));
    nn_close(j.nn);
}

static void test_other_metrics(void) {
    job j, other;
    nn_record record;
    memset(&record, 0, sizeof record);
    job_open(&j, "small", true);
    job_open(&other, "small", false);
    ENSURE(job_fit(&j, 1, 0) == NN_OK);
    ENSURE(nn_add_record(j.history, other.trainer, &record) == NN_ERROR_ARGUMENT &&
           nn_history_count(j.history) == 1);
    ENSURE(strstr(nn_error(j.nn),
                  ": the history has 1 metrics, the first is \"accuracy\"; the trainer has 0"));
    ENSURE(nn_add_record(j.history, NULL, &record) == NN_ERROR_ARGUMENT);
    ENSURE(nn_add_record(NULL, j.trainer, &record) == NN_ERROR_ARGUMENT);
    other.history = j.history;
    ENSURE(job_fit(&other, 1, 0) == NN_ERROR_ARGUMENT &&
           nn_trainer_step(other.trainer) == 0); /* before the first step */
    ENSURE(nn_history_count(NULL) == 0 && nn_history_metrics(NULL) == 0 &&
           !nn_history_metric(NULL, 0));
    nn_close(other.nn);
    nn_close(j.nn);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static const char odd_line[] = "{\"epoch\":3,\"epoch_ended\":true,\"step\":9000000000,\"train\":{"
                               "\"loss\":0.123456789012,\"samples\":64,\"metrics\":"
                               "{\"a<b>&\\\"q\\\\\\u0007\":null,\"ü\":-1.5e-09}},\"validation\":"
                               "null,\"learning_rate\":0.001,\"steps\":10,\"seconds\":1.25,"
                               "\"step_seconds\":1e+300,\"wait_seconds\":0,\"uploaded\":"
                               "18446744073709551615,\"downloaded\":0,\"between\":7,"
                               "\"samples_a_second\":4.94065645841e-324}\n";

static void test_lines_and_back(void) {
    job j;
    static char once[20000], twice[20000];
    nn_history *copy;
    nn_record record;
    const nn_record *read;
    job_open(&j, "small", true);
    ENSURE(job_fit(&j, 3, 1) == NN_OK && nn_history_count(j.history) == 9);
    text_of(j.history, once, sizeof once);
    copy = nn_make_history(j.nn, NULL);
    ENSURE(nn_read_history(copy, once, strlen(once)) == NN_OK && nn_history_count(copy) == 9);
    ENSURE_TEXT(text_of(copy, twice, sizeof twice), once);
    for (int i = 0; i < 9; i++) {
        const nn_record *a = nn_history_at(j.history, i), *b = nn_history_at(copy, i);
        ENSURE(a->train.step == b->train.step && a->learning_rate == b->learning_rate &&
               a->uploaded == b->uploaded);
        ENSURE_CLOSE(a->train.loss, b->train.loss, 1e-11 * fabs(a->train.loss));
        ENSURE_CLOSE(a->train.metrics[0], b->train.metrics[0], 1e-11);
        ENSURE_CLOSE(a->validation.loss, b->validation.loss, 1e-11 * fabs(a->validation.loss));
    }
    ENSURE(nn_read_history(copy, odd_line, strlen(odd_line)) == NN_OK &&
           nn_history_count(copy) == 1);
    ENSURE_TEXT(text_of(copy, twice, sizeof twice), odd_line);
    ENSURE_TEXT(nn_history_metric(copy, 0), "a<b>&\"q\\\a");
    read = nn_history_at(copy, 0);
    ENSURE(read->train.metrics[0] != read->train.metrics[0] && read->train.metrics[1] == -1.5e-9);
    ENSURE(read->uploaded == UINT64_MAX && read->train.step == 9000000000 &&
           read->train.loss == 0.123456789012);
    memset(&record, 0, sizeof record); /* NaN and infinities become null */
    record.train.loss = (double)NAN;
    record.train.metrics[0] = (double)INFINITY;
    record.learning_rate = (float)INFINITY;
    ENSURE(nn_add_record(j.history, j.trainer, &record) == NN_OK);
    text_of(j.history, once, sizeof once);
    ENSURE(strstr(once, "{\"loss\":null,\"samples\":0,\"metrics\":{\"accuracy\":null}}") &&
           strstr(once, "\"learning_rate\":null"));
    ENSURE(nn_read_history(copy, once, strlen(once)) == NN_OK && nn_history_count(copy) == 10);
    ENSURE_TEXT(text_of(copy, twice, sizeof twice), once);
    ENSURE(nn_read_history(copy, NULL, 0) == NN_OK && nn_history_count(copy) == 0 &&
           nn_read_history(copy, "\n\n", 2) == NN_OK);
    ENSURE(!nn_error(j.nn));
    nn_close(j.nn);
}

/* A line with a wrong word, or one that is cut short at any byte, is refused, and nothing of it
   stays. */
static void test_bad_lines(void) {
    static const struct {
        const char *from, *to, *error;
    } cases[] = {{"{\"epoch\":3", "{ \"epoch\":3",
                  "line 2 is not as nn_write_history writes it: at \"{ \"epoch\":3,\"epo\" wanted "
                  "{\"epoch\":"},
                 {"\"epoch\":3", "\"epoch\":-3", "wanted a whole number"},
                 {"\"epoch\":3", "\"epoch\":2147483648", "wanted a smaller number"},
                 {"true", "1", "wanted false"},
                 {"0.123456789012", "0x1", "wanted ,\"samples\":"},
                 {"0.123456789012", "nan", "wanted a number, or null"},
                 {"0.123456789012", "1e400", "wanted a number that a double holds"},
                 {"0.123456789012", "1e", "wanted an exponent"},
                 {"\\u0007", "\\u0041", "wanted two digits of a control character"},
                 {"\\u0007", "\\n", "wanted \\\", \\\\ or \\u00"},
                 {"18446744073709551615", "18446744073709551616", "wanted a smaller number"},
                 {"\"validation\":null",
                  "\"validation\":{\"loss\":1,\"samples\":4,\"metrics\":{\"b\":1}}",
                  "wanted the name of the metric as in"},
                 {"\"validation\":null", "\"validation\":{\"loss\":1,\"samples\":4,\"metrics\":{}}",
                  "wanted as many metrics"},
                 {"e-324}", "e-324} ", "wanted \n"}};
    job j;
    char text[4000], kept[8000], after[8000];
    job_open(&j, "small", true);
    ENSURE(job_fit(&j, 2, 0) == NN_OK);
    text_of(j.history, kept, sizeof kept);
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
        const char *at = strstr(odd_line, cases[i].from);
        ENSURE(at);
        snprintf(text, sizeof text, "\n%.*s%s%s", (int)(at - odd_line), odd_line, cases[i].to,
                 at + strlen(cases[i].from));
        ENSURE(nn_read_history(j.history, text, strlen(text)) == NN_ERROR_FORMAT);
        if (!strstr(nn_error(j.nn), cases[i].error))
            test_fail(__FILE__, __LINE__, "case %d: %s", i, nn_error(j.nn));
        nn_clear_error(j.nn);
    }
    for (size_t cut = 1; cut < strlen(odd_line) - 1; cut++) {
        char *exact = (char *)malloc(cut); /* a sanitizer sees reads beyond its end */
        memcpy(exact, odd_line, cut);
        if (nn_read_history(j.history, exact, cut) != NN_ERROR_FORMAT)
            test_fail(__FILE__, __LINE__, "cut at %d", (int)cut);
        free(exact);
    }
    ENSURE_TEXT(text_of(j.history, after, sizeof after), kept);
    ENSURE(nn_read_history(NULL, "", 0) == NN_ERROR_ARGUMENT &&
           nn_read_history(j.history, NULL, 3) == NN_ERROR_ARGUMENT);
    nn_close(j.nn);
}

static void test_no_memory(void) {
    job j;
    nn_record record;
    static char kept[20000], after[20000];
    job_open(&j, "small", true);
    memset(&record, 0, sizeof record);
    while (nn_history_count(j.history) < 16)
        ENSURE(nn_add_record(j.history, j.trainer, &record) == NN_OK);
    text_of(j.history, kept, sizeof kept);
    j.scarce = true;
    ENSURE(nn_add_record(j.history, j.trainer, &record) == NN_ERROR_MEMORY &&
           nn_history_count(j.history) == 16);
    ENSURE(!nn_make_history(j.nn, NULL));
    j.scarce = false;
    nn_clear_error(j.nn);
    ENSURE(nn_add_record(j.history, j.trainer, &record) == NN_OK);
    text_of(j.history, kept, sizeof kept);
    {
        nn_history *small = nn_make_history(j.nn, NULL);
        ENSURE(nn_read_history(small, odd_line, strlen(odd_line)) == NN_OK);
        j.scarce = true;
        ENSURE(nn_read_history(small, kept, strlen(kept)) == NN_ERROR_MEMORY);
        ENSURE_TEXT(text_of(small, after, sizeof after), odd_line);
        j.scarce = false;
        ENSURE(nn_read_history(small, kept, strlen(kept)) == NN_OK);
        ENSURE_TEXT(text_of(small, after, sizeof after), kept);
    }
    nn_close(j.nn);
}

/* ---- the page -------------------------------------------------------------------------------- */

static char page[400000];

static nn_result page_of(nn_trainer *trainer, const nn_history *history) {
    nn_text out = {page, sizeof page, 0};
    nn_writer writer = {nn_write_text, &out};
    page[0] = 0;
    return nn_write_html(trainer, history, writer);
}

/* Returns where the page is wrong. NULL: all tags are closed in order, no quote is open, and each &
   begins an entity. */
static const char *page_fault(void) {
    char stack[40][16];
    int depth = 0;
    for (const char *at = page; *at; at++) {
        if (*at == '&' && strncmp(at, "&lt;", 4) && strncmp(at, "&gt;", 4) &&
            strncmp(at, "&amp;", 5) && strncmp(at, "&quot;", 6) && strncmp(at, "&#", 2))
            return at;
        if (*at == '>') return at;
        if (*at != '<' || strncmp(at, "<!DOCTYPE html>", 15) == 0) {
            if (*at == '<') at += 14;
            continue;
        }
        {
            bool end = at[1] == '/', quoted = false;
            const char *name = at + 1 + end, *from = at;
            size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789");
            if (length == 0 || length > 15) return from;
            for (at = name + length; *at && (*at != '>' || quoted); at++) {
                if (*at == '"') quoted = !quoted;
                if (*at == '<') return at;
            }
            if (!*at) return from;
            if (end) {
                if (depth == 0 || strlen(stack[depth - 1]) != length ||
                    strncmp(stack[depth - 1], name, length))
                    return from;
                depth--;
            } else if (at[-1] != '/') {
                if (depth == 40) return from;
                snprintf(stack[depth++], 16, "%.*s", (int)length, name);
            }
        }
    }
    return depth ? "something is not closed" : NULL;
}

#define ENSURE_PAGE()                                                                              \
    do {                                                                                           \
        const char *fault = page_fault();                                                          \
        if (fault) test_fail(__FILE__, __LINE__, "page: %.60s", fault);                            \
        ENSURE(strstr(page, "</html>\n") && !strstr(page, "http:") && !strstr(page, "https:") &&   \
               !strstr(page, "<script"));                                                          \
        ENSURE(!strstr(page, "nan") && !strstr(page, "inf "));                                     \
    } while (0)

static void test_page(void) {
    job j;
    job_open(&j, "digits", true);
    ENSURE(page_of(j.trainer, j.history) == NN_OK); /* nothing has happened yet */
    ENSURE_PAGE();
    ENSURE(strstr(page, "no records yet") && !strstr(page, "<svg") && !strstr(page, "Confusion"));
    ENSURE(job_fit(&j, 4, 1) == NN_OK && page_of(j.trainer, j.history) == NN_OK);
    ENSURE_PAGE();
    ENSURE(strstr(page, "<title>digits</title>") && strstr(page, ">validation loss<") &&
           strstr(page, ">accuracy<"));
    ENSURE(strstr(page, "learning rate") && strstr(page, "Confusion of the last evaluation") &&
           strstr(page, "macro"));
    ENSURE(strstr(page, "<td class=\"gap\">20</td>")); /* samples in all */
    ENSURE(strstr(page, "optimizer and totals") && strstr(page, ">init<") &&
           strstr(page, "plan of &quot;digits&quot;: training"));
    ENSURE(page_of(j.trainer, NULL) == NN_OK && !strstr(page, "Curves") && strstr(page, "Memory"));
    ENSURE_PAGE();
    ENSURE(page_of(NULL, j.history) == NN_OK && strstr(page, "<svg") && !strstr(page, "Memory"));
    ENSURE_PAGE();
    ENSURE(page_of(NULL, NULL) == NN_ERROR_ARGUMENT && !page[0] && !nn_error(j.nn));
    nn_close(j.nn);
}

/* Returns the number of rows in the table of times. */
static int page_steps(void) {
    const char *from = strstr(page, "<h2>Time by operation</h2>"),
               *to = strstr(page, "<h2>Memory</h2>");
    int rows = 0;
    for (; from && to && (from = strstr(from, "<i class=")) != NULL && from < to; from++) rows++;
    return rows;
}

static void test_page_times(void) {
    job j;
    nn_plan *plan;
    char text[64];
    job_open(&j, "a<b", true);
    plan = nn_trainer_plan(j.trainer);
    ENSURE(job_fit(&j, 1, 0) == NN_OK && page_of(j.trainer, j.history) == NN_OK &&
           !strstr(page, "Time by operation"));
    ENSURE(nn_start_profile(plan) == NN_OK);
    ENSURE(page_of(j.trainer, j.history) == NN_OK &&
           !strstr(page, "Time by operation")); /* nothing ran */
    j.tick = 2000; /* so every kernel takes 2 us */
    ENSURE(job_fit(&j, 2, 0) == NN_OK && page_of(j.trainer, NULL) == NN_OK);
    ENSURE_PAGE();
    ENSURE(page_steps() > 3 && page_steps() == nn_profile_count(plan));
    snprintf(text, sizeof text, "<td>%d</td><td>2.0</td>", (int)nn_profile_at(plan, 0).calls);
    ENSURE(strstr(page, text) && strstr(page, "width:100.0%"));
    ENSURE(strstr(
        page, "<td class=\"l\">linear</td><td class=\"l\">a&lt;b</td><td class=\"l\">cpu</td>"));
    ENSURE(strstr(page, "device records none") == NULL);
    j.tick = 0;
    ENSURE(nn_start_profile(plan) == NN_OK && job_fit(&j, 1, 0) == NN_OK &&
           page_of(j.trainer, NULL) == NN_OK);
    ENSURE_PAGE();
    ENSURE(page_steps() == nn_profile_count(plan));
    nn_stop_profile(plan);
    ENSURE(page_of(j.trainer, j.history) == NN_OK && !strstr(page, "Time by operation"));
    nn_close(j.nn);
}

static void test_page_escapes(void) {
    job j;
    job_open(&j, "<b>&\"x\"", true);
    ENSURE(job_fit(&j, 1, 0) == NN_OK && page_of(j.trainer, j.history) == NN_OK);
    ENSURE_PAGE();
    ENSURE(strstr(page, "<title>&lt;b&gt;&amp;&quot;x&quot;</title>") &&
           strstr(page, "&lt;b&gt;&amp;&quot;x&quot;.weight"));
    ENSURE(nn_read_history(j.history, odd_line, strlen(odd_line)) == NN_OK &&
           page_of(j.trainer, j.history) == NN_OK);
    ENSURE_PAGE();
    ENSURE(strstr(page, "a&lt;b&gt;&amp;&quot;q\\?"));
    nn_close(j.nn);
}

/* Values that cannot be drawn leave gaps; extremes and a single value draw something. */
static void test_page_odd_values(void) {
    static const double losses[6] = {1, 0, 1e308, -1e308, 3, 3};
    job j;
    nn_record record;
    job_open(&j, "odd", true);
    memset(&record, 0, sizeof record);
    for (int i = 0; i < 6; i++) {
        record.train.step = i + 1;
        record.train.loss = i == 1 ? (double)NAN : losses[i];
        record.train.metrics[0] = (double)NAN;
        record.learning_rate = 0.5f;
        record.step_seconds = 1e-300;
        record.seconds = i;
        ENSURE(nn_add_record(j.history, j.trainer, &record) == NN_OK);
    }
    ENSURE(page_of(NULL, j.history) == NN_OK);
    ENSURE(strstr(page, "<b>no number</b>"));
    ENSURE_PAGE();
    ENSURE(!strstr(page, "<figcaption>accuracy") && strstr(page, "<figcaption>loss"));
    {
        const char *curve = strstr(page, "<path class=\"curve c0\" d=\"");
        int moves = 0, lines = 0;
        ENSURE(curve);
        for (curve += 25; *curve && *curve != '/'; curve++)
            moves += *curve == 'M', lines += *curve == 'L';
        ENSURE(moves == 2 && lines == 1); /* 1, then a gap, then 3 and 3 */
    }
    nn_close(j.nn);
}

static void refuse(void *user, const char *text, size_t length) {
    (void)text;
    *(size_t *)user += length;
}

static void test_page_errors(void) {
    job j;
    nn_ledger_limits limits;
    size_t written = 0;
    nn_writer writer;
    writer.function = refuse;
    writer.user = &written;
    job_open(&j, "small", true);
    ENSURE(job_fit(&j, 1, 0) == NN_OK);
    memset(&limits, 0, sizeof limits);
    limits.download_bytes = NN_LEDGER_NOTHING;
    nn_ledger_limit(j.nn, &limits);
    ENSURE(nn_write_html(j.trainer, j.history, writer) == NN_ERROR_LIMIT && written == 0);
    nn_ledger_limit(j.nn, NULL);
    nn_clear_error(j.nn);
    j.scarce = true;
    ENSURE(nn_write_html(j.trainer, j.history, writer) == NN_ERROR_MEMORY && written == 0);
    j.scarce = false;
    nn_clear_error(j.nn);
    ENSURE(nn_write_html(j.trainer, j.history, writer) == NN_OK && written > 1000);
    nn_close(j.nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_slow_data);
    RUN(test_records_of_fit);
    RUN(test_rate_of_a_schedule);
    RUN(test_capacity_and_writer);
    RUN(test_other_metrics);
    RUN(test_lines_and_back);
    RUN(test_bad_lines);
    RUN(test_no_memory);
    RUN(test_page);
    RUN(test_page_times);
    RUN(test_page_escapes);
    RUN(test_page_odd_values);
    RUN(test_page_errors);
    return test_report();
}
