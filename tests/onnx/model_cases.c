/* model_cases.c - runs what model_cases.py made of ONNX's test models.

     model_cases build/onnx/models/list build/onnx/models/numbers FIRST [spoiled]

   The list has the cases: "case NAME relative absolute", then the forms of its file, "form NAME
   path batch time" (the free extents) with a line "in KIND AT rank extents name" for each input,
   then "out KIND AT rank extents name" or "none name" for each output. AT counts doubles of the
   file of numbers. The first form that is not refused is run. For each case from FIRST on, this
   prints "begin NUMBER name" and "name form passed|refused|wrong words". The words of a case that
   passed say why the form before was refused. After a crash, the last "begin" tells the script
   which case it was. */
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"
#include "lists.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, FORMS = 4, LINE = 2048 };

typedef struct array {
    char name[512], kind; /* 'f', 'i', 'u' u8, 'c' i8, 'b' bool */
    long at;
    int rank, extent[16];
} array;

typedef struct form {
    char name[32], path[1024];
    array in[MOST];
    int in_count, batch, time; /* the free extents; 0: none */
} form;

typedef struct one_case {
    char name[512];
    double relative, absolute;
    form forms[FORMS];
    array out[MOST];
    int form_count, out_count;
} one_case;

static const double *numbers;
/* If not 0, spoiled * (1 + the largest number) is added to each number of a result. In results with
   infinite numbers or NaN, only these are made wrong: they become finite. Then no case may pass. */
static double spoiled;

static double spoil(double number, double largest, int infinite) {
    if (!infinite) return number + spoiled * (1 + largest);
    return spoiled != 0 && !isfinite(number) ? spoiled : number;
}

static long count_of(const array *a) {
    long count = 1;
    for (int i = 0; i < a->rank; i++) count *= a->extent[i];
    return count;
}

static void read_array(const char *line, array *to) {
    int used = 0, more = 0;
    sscanf(line, "%*s %c %ld %d%n", &to->kind, &to->at, &to->rank, &used);
    for (int i = 0; i < to->rank && i < 16; i++, used += more)
        sscanf(line + used, "%d%n", &to->extent[i], &more);
    sscanf(line + used, " %511s", to->name);
}

/* ---- results --------------------------------------------------------------------------------- */

typedef struct text {
    char words[6000];
    size_t length;
} text;

static void add_words(void *user, const char *words, size_t length) {
    text *to = (text *)user;
    if (length > sizeof to->words - 1 - to->length) length = sizeof to->words - 1 - to->length;
    memcpy(to->words + to->length, words, length);
    to->length += length;
    to->words[to->length] = 0;
}

static void say_error(nn_context *nn, text *to) {
    const char *words = nn_error(nn) ? nn_error(nn) : "no error";
    add_words(to, words, strlen(words));
}

static double number_at(const void *data, nn_dtype dtype, long i) {
    return dtype == NN_F32   ? (double)((const float *)data)[i]
           : dtype == NN_I32 ? (double)((const int32_t *)data)[i]
           : dtype == NN_I8  ? (double)((const int8_t *)data)[i]
                             : (double)((const uint8_t *)data)[i];
}

/* Returns false and says why if a result differs. */
static int compare(const one_case *c, const array *y, nn_node *node, const void *got, text *why) {
    const double *wanted = numbers + y->at;
    const nn_shape shape = nn_node_shape(node);
    double largest = 0;
    char words[300];
    int same = shape.rank == y->rank, infinite = 0;
    for (int i = 0; same && i < y->rank; i++)
        same = shape.extent[i] == y->extent[i] || shape.extent[i] < 0;
    if (!same) {
        snprintf(words, sizeof words, "%s has rank %d, %d %d %d %d", y->name, shape.rank,
                 shape.extent[0], shape.extent[1], shape.extent[2], shape.extent[3]);
        add_words(why, words, strlen(words));
        return 0;
    }
    for (long i = 0; i < count_of(y); i++) {
        infinite = infinite || !isfinite(wanted[i]);
        if (isfinite(wanted[i])) largest = fmax(largest, fabs(wanted[i]));
    }
    for (long i = 0; i < count_of(y); i++) {
        const double limit = c->relative * fabs(wanted[i]) + c->absolute * largest;
        const double number =
            spoil(number_at(got, nn_node_dtype(node), i), largest, infinite);
        if (number == wanted[i] || (number != number && wanted[i] != wanted[i])) continue;
        if (isfinite(number) && isfinite(wanted[i]) && fabs(number - wanted[i]) <= limit) continue;
        snprintf(words, sizeof words, "%s: number %ld is %.9g instead of %.9g, the largest %.3g",
                 y->name, i, number, wanted[i], largest);
        add_words(why, words, strlen(words));
        return 0;
    }
    return 1;
}

/* ---- a form ---------------------------------------------------------------------------------- */

/* Uploads an input, which may be unused: then it is not in the plan. */
static void upload(nn_plan *plan, nn_node *input, const array *a) {
    const nn_dtype dtype = nn_node_dtype(input);
    const long count = count_of(a);
    char *data = (char *)malloc((size_t)count * nn_dtype_size(dtype) + 1);
    for (long i = 0; i < count; i++) {
        const double number = numbers[a->at + i];
        if (dtype == NN_F32)
            ((float *)(void *)data)[i] = (float)number;
        else if (dtype == NN_I32)
            ((int32_t *)(void *)data)[i] = number > 2147483647.0    ? 2147483647
                                           : number < -2147483648.0 ? (int32_t)-2147483647 - 1
                                                                    : (int32_t)number;
        else if (dtype == NN_I8)
            ((int8_t *)(void *)data)[i] = (int8_t)number;
        else
            ((uint8_t *)(void *)data)[i] = (uint8_t)number;
    }
    nn_upload(plan, input, data, (size_t)count * nn_dtype_size(dtype));
    free(data);
}

/* Runs a described net. Returns "passed" or "wrong" and words. */
static const char *run_net(nn_context *nn, nn_model *net, nn_onnx *file, const one_case *c,
                           const form *f, nn_node **in, nn_node **out, text *why) {
    nn_plan_desc desc = {0};
    nn_plan *plan;
    int good = 1;
    for (int i = 0; i < c->out_count && i < 8; i++) NODE_AT(desc.outputs, i) = out[i];
    desc.batch = f->batch;
    desc.time = f->time;
    if (nn_load_onnx_weights(net, file) == NN_OK) {
        plan = nn_make_plan(net, &desc);
        for (int i = 0; plan && i < f->in_count; i++)
            if (in[i]) upload(plan, in[i], &f->in[i]);
        /* an input that nothing reads is not in the plan, so its upload failed */
        nn_clear_error(nn);
        if (plan && nn_run(plan) == NN_OK) {
            for (int i = 0; i < c->out_count && good; i++) {
                const size_t bytes =
                    (size_t)count_of(&c->out[i]) * nn_dtype_size(nn_node_dtype(out[i]));
                void *got = calloc(bytes + 1, 1);
                if (nn_download(plan, out[i], got, bytes) != NN_OK) good = 0;
                good = good && compare(c, &c->out[i], out[i], got, why);
                free(got);
            }
            if (good) return "passed";
        }
    }
    if (why->length == 0) say_error(nn, why);
    return "wrong";
}

/* Returns the dtype of an input's node. */
static nn_dtype dtype_of(char kind) {
    return kind == 'u'   ? NN_U8
           : kind == 'b' ? NN_BOOL
           : kind == 'c' ? NN_I8
           : kind == 'i' ? NN_I32
                         : NN_F32;
}

/* Makes the inputs. Returns false if one has an extent of 0. */
static int make_inputs(nn_model *net, const form *f, nn_onnx_input *given,
                       nn_onnx_net_desc *desc, nn_node **in) {
    for (int i = 0; i < f->in_count && i < 32; i++) {
        nn_shape shape = {{0}, 0};
        if (count_of(&f->in[i]) == 0) return 0;
        if (f->in[i].rank > NN_MAX_RANK) continue;
        shape.rank = f->in[i].rank;
        for (int k = 0; k < shape.rank; k++) shape.extent[k] = f->in[i].extent[k];
        if (f->batch && shape.rank > 0 && count_of(&f->in[i]) > 1) shape.extent[0] = NN_BATCH;
        if (f->time && shape.rank > 1 && count_of(&f->in[i]) > 1) shape.extent[1] = NN_TIME;
        in[i] = nn_input(net, f->in[i].name, dtype_of(f->in[i].kind), shape);
        given[desc->inputs.count].name = f->in[i].name;
        given[desc->inputs.count++].node = in[i];
    }
    desc->inputs.input = given;
    return 1;
}

static const char *run_form(const one_case *c, const form *f, text *why) {
    nn_context *nn = nn_open(&(nn_desc){.threads = 1});
    nn_onnx_net_desc desc = {0};
    nn_onnx_input given[32];
    nn_node *results[MOST] = {0}, *in[MOST] = {0};
    nn_onnx_desc from = {0};
    const char *ending = "refused";
    nn_model *net;
    nn_onnx *file;
    from.path = f->path;
    file = nn_open_onnx(nn, &from);
    if (file && getenv("ONNX_INTEGERS")) nn_onnx_integers(file);
    net = file ? nn_make_model(nn, &(nn_model_desc){.seed = 1}) : NULL;
    if (file && !make_inputs(net, f, given, &desc, in)) {
        add_words(why, "an input has an extent of 0", 27);
    } else if (file && nn_onnx_net(net, NULL, file, &desc) && nn_fault_count(net) == 0) {
        for (int i = 0; i < c->out_count; i++) results[i] = nn_onnx_node(net, file, c->out[i].name);
        ending = run_net(nn, net, file, c, f, in, results, why);
    } else {
        say_error(nn, why);
    }
    nn_close_onnx(file);
    nn_free_model(net);
    nn_clear_error(nn);
    nn_close(nn);
    return ending;
}

/* ---- the list -------------------------------------------------------------------------------- */

static void run_case(const one_case *c, int number) {
    const char *ending = "refused";
    text why, before;
    int i = 0;
    memset(&before, 0, sizeof before);
    printf("begin %d %s\n", number, c->name);
    fflush(stdout);
    for (; i < c->form_count; i++) {
        memset(&why, 0, sizeof why);
        ending = run_form(c, &c->forms[i], &why);
        if (strcmp(ending, "refused") != 0) break;
        before = why;
    }
    if (strcmp(ending, "passed") == 0) why = before;
    for (size_t k = 0; k < why.length; k++)
        if (why.words[k] == '\n') why.words[k] = '|';
    printf("%s %s %s %s\n", c->name, c->forms[i < c->form_count ? i : c->form_count - 1].name,
           ending, why.words);
    fflush(stdout);
}

static void run_list(FILE *list, int first) {
    static one_case c;
    static char line[LINE];
    int number = -1;
    while (fgets(line, sizeof line, list)) {
        if (strncmp(line, "case ", 5) == 0 || strncmp(line, "end", 3) == 0) {
            if (number >= first) run_case(&c, number);
            number++;
            memset(&c, 0, sizeof c);
            sscanf(line, "case %511s %lf %lf", c.name, &c.relative, &c.absolute);
        } else if (strncmp(line, "form ", 5) == 0) {
            form *f = &c.forms[c.form_count++];
            sscanf(line, "form %31s %1023s %d %d", f->name, f->path, &f->batch, &f->time);
        } else if (strncmp(line, "in ", 3) == 0) {
            form *f = &c.forms[c.form_count - 1];
            read_array(line, &f->in[f->in_count++]);
        } else {
            array *y = &c.out[c.out_count++];
            if (strncmp(line, "out ", 4) == 0)
                read_array(line, y);
            else
                sscanf(line, "none %511s", y->name);
        }
    }
}

int main(int argc, char **argv) {
    FILE *list = argc > 3 ? fopen(argv[1], "r") : NULL,
         *file = argc > 3 ? fopen(argv[2], "rb") : NULL;
    double *all;
    long size;
    if (!list || !file) return 2;
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    all = (double *)malloc((size_t)size + 8);
    if (!all || fread(all, 1, (size_t)size, file) != (size_t)size) return 2;
    numbers = all;
    spoiled = argc > 4 ? 0.05 : 0.0;
    run_list(list, atoi(argv[3]));
    fclose(list);
    fclose(file);
    free(all);
    return 0;
}
