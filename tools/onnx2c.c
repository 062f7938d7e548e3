/* onnx2c.c - turns an ONNX file into C source for nn.h: onnx2c vad.onnx > vad.h. `make build/tools/onnx2c` builds it;
   docs/onnx.md says how to use it. */
#ifndef NN_IMPLEMENTED
#define NN_IMPLEMENTATION
#endif
#include "nn.h"
#ifndef NN_ONNX_IMPLEMENTED
#define NN_ONNX_IMPLEMENTATION
#endif
#include "nn_onnx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* plan2c.c includes this file and prints a plan as constants instead. */
#ifdef PLAN2C
#define TOOL "plan2c"
#else
#define TOOL "onnx2c"
#endif

static const char usage[] =
    "usage: " TOOL " [options] MODEL.onnx > MODEL.h\n"
#ifdef PLAN2C
    "Prints the plan of an ONNX file's net as C constants, which run without a context, a description and a planner.\n"
    "  --batch NUMBER      of every run (default: 1)\n"
    "  --time NUMBER       of every run, if a free extent is time (default: 1)\n"
    "  --floats            computes quantised products in f32 (default: in 8-bit integers)\n"
#else
    "Prints a C function that describes the net of an ONNX file with calls of nn.h, and its weights as arrays.\n"
    "  --weights FILE      writes the weights to a safetensors file, which the text then loads\n"
#endif
    "  --name NAME         begins all names in the text (default: the file's name)\n"
    "  --dims NAME=EXTENT  what a free extent is: a number, batch, time or 4*time. NAME is the file's name of the\n"
    "                      extent, or INPUT.AXIS. Repeat it for each\n"
    "  --value NAME=NUMBER an input that is fixed, such as a sampling rate\n"
    "  --output NAME       an output, or any value inside, instead of the file's outputs. Repeat it for each\n"
    "  --to FILE           writes the text there (default: standard output)\n"
    "  --list              says what is in the file, and prints no source\n";

/* What the command line says. */
typedef struct options {
    const char *model, *name, *weights, *to;
    nn_onnx_extent dim[32];
    nn_onnx_fixed value[16];
    const char *output[32];
    int dims, values, outputs;
    int batch, time; /* of plan2c */
    bool floats;     /* of plan2c */
    bool list;
} options;

static int fail(const char *format, const char *what) {
    fprintf(stderr, format, what);
    fprintf(stderr, "\n%s", usage);
    return 2;
}

/* "4*time" -> an extent; 0: it is none. */
static int32_t extent_of(const char *text) {
    char *end;
    const long number = strtol(text, &end, 10);
    const int32_t times = end == text ? 1 : (int32_t)number;
    if (end != text && *end == 0) return number > 0 && number < 0x1000000 ? times : 0;
    if (end != text && *end++ != '*') return 0;
    if (times < 1) return 0;
    if (strcmp(end, "batch") == 0) return nn_multiply_extents(times, NN_BATCH);
    if (strcmp(end, "time") == 0) return nn_multiply_extents(times, NN_TIME);
    return 0;
}

/* Divides NAME=VALUE. NULL: there is no =. */
static const char *value_of(char *text) {
    char *at = strrchr(text, '=');
    if (!at || at == text) return NULL;
    *at = 0;
    return at + 1;
}

/* Reads one option with its value. Returns 0, or an exit status. */
static int read_option(options *o, const char *option, char *value) {
    const char *right;
    if (strcmp(option, "--name") == 0) o->name = value;
#ifdef PLAN2C
    else if (strcmp(option, "--batch") == 0 && atoi(value) > 0) o->batch = atoi(value);
    else if (strcmp(option, "--time") == 0 && atoi(value) > 0) o->time = atoi(value);
#else
    else if (strcmp(option, "--weights") == 0) o->weights = value;
#endif
    else if (strcmp(option, "--to") == 0) o->to = value;
    else if (strcmp(option, "--output") == 0 && o->outputs < 32) o->output[o->outputs++] = value;
    else if (strcmp(option, "--dims") == 0 && o->dims < 32) {
        right = value_of(value);
        if (!right || !extent_of(right)) return fail(TOOL ": --dims wants NAME=EXTENT, such as T=time%s", "");
        o->dim[o->dims].name = value;
        o->dim[o->dims++].extent = extent_of(right);
    } else if (strcmp(option, "--value") == 0 && o->values < 16) {
        right = value_of(value);
        if (!right) return fail(TOOL ": --value wants NAME=NUMBER, such as sr=16000%s", "");
        o->value[o->values].name = value;
        o->value[o->values++].value = strtod(right, NULL);
    } else {
        return fail(TOOL ": %s is no option, or is given too often", option);
    }
    return 0;
}

static int read_options(options *o, int count, char **words) {
    memset(o, 0, sizeof *o);
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "--list") == 0) {
            o->list = true;
#ifdef PLAN2C
        } else if (strcmp(words[i], "--floats") == 0) {
            o->floats = true;
#endif
        } else if (strncmp(words[i], "--", 2) == 0) {
            int status;
            if (i + 1 == count) return fail(TOOL ": %s wants a value after it", words[i]);
            status = read_option(o, words[i], words[i + 1]);
            if (status) return status;
            i++;
        } else if (o->model) {
            return fail(TOOL ": one model at a time; %s is a second", words[i]);
        } else {
            o->model = words[i];
        }
    }
    return o->model ? 0 : fail(TOOL ": no model is given%s", "");
}

/* Returns the file's name without folders and ending, as a C identifier. */
static const char *name_of(const char *path, char *to, size_t room) {
    const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path;
    size_t at = 0;
    for (; *from && *from != '.' && at + 1 < room; from++) {
        const bool letter = (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z');
        const bool digit = *from >= '0' && *from <= '9';
        if (at == 0 && !letter) to[at++] = 'n';
        if (at + 1 < room) to[at++] = *from;
        if (!letter && !digit) to[at - 1] = '_';
    }
    to[at] = 0;
    return at > 0 ? to : "net";
}

/* The outputs of the file are found by their names, which only the printed list of them tells. */
typedef struct held {
    char text[16384];
    size_t length;
} held;

static void hold(void *user, const char *text, size_t length) {
    held *to = (held *)user;
    if (length > sizeof to->text - 1 - to->length) length = sizeof to->text - 1 - to->length;
    memcpy(to->text + to->length, text, length);
    to->length += length;
    to->text[to->length] = 0;
}

static bool find_outputs(const options *o, const nn_model *net, const nn_onnx *file, nn_c_desc *desc) {
    static held summary;
    static char names[32][128];
    static const char *texts[32];
    static nn_node *nodes[32];
    int count = 0;
    nn_writer writer;
    writer.function = hold;
    writer.user = &summary;
    for (; count < o->outputs; count++) texts[count] = o->output[count];
    if (count == 0) nn_write_onnx(file, writer);
    for (char *at = summary.text; (at = strstr(at, "  output \"")) != NULL && count < 32; count++) {
        char *end = strchr(at += 10, '"');
        if (!end || end - at > 127) return false;
        memcpy(names[count], at, (size_t)(end - at));
        texts[count] = names[count];
        at = end;
    }
    for (int k = 0; k < count; k++) nodes[k] = nn_onnx_node(net, file, texts[k]);
    desc->outputs.node = nodes;
    desc->output_names.text = texts;
    desc->outputs.count = desc->output_names.count = count;
    return true;
}

static nn_result print(nn_model *net, const nn_c_desc *desc, const options *o) {
#ifdef PLAN2C
    nn_plan_c_desc plan;
    memset(&plan, 0, sizeof plan);
    plan.name = desc->name;
    plan.outputs = desc->outputs;
    plan.output_names = desc->output_names;
    plan.writer = desc->writer;
    plan.batch = o->batch;
    plan.time = o->time;
    return nn_write_plan_c(net, &plan);
#else
    (void)o;
    return nn_write_c(net, desc);
#endif
}

/* Describes the net and prints it. False: nn_error says why. */
static bool convert(options *o, nn_context *nn, nn_onnx *file, FILE *to) {
    static nn_c_desc desc;
    static char name[64];
    nn_onnx_net_desc described;
    nn_model *net = nn_make_model(nn, NULL);
    memset(&desc, 0, sizeof desc);
    desc.name = o->name ? o->name : name_of(o->model, name, sizeof name);
    desc.weights = o->weights;
    desc.writer.function = nn_write_file;
    desc.writer.user = to;
    if (o->list) {
        nn_write_onnx(file, desc.writer);
        return true;
    }
    memset(&described, 0, sizeof described);
    described.extents.extent = o->dim;
    described.extents.count = o->dims;
    described.values.value = o->value;
    described.values.count = o->values;
    described.outputs.text = o->output;
    described.outputs.count = o->outputs;
#ifdef PLAN2C
    if (!o->floats) nn_onnx_integers(file);
#endif
    nn_onnx_net(net, NULL, file, &described);
    return nn_fault_count(net) == 0 && nn_load_onnx_weights(net, file) == NN_OK &&
           find_outputs(o, net, file, &desc) && print(net, &desc, o) == NN_OK;
}

int main(int count, char **words) {
    static options o;
    nn_onnx_desc from;
    nn_desc opened;
    const int status = read_options(&o, count, words);
    bool fine;
    if (status) return status;
    memset(&from, 0, sizeof from);
    memset(&opened, 0, sizeof opened);
    from.path = o.model;
    opened.log.function = nn_write_stderr;
    nn_context *nn = nn_open(&opened);
    nn_onnx *file = nn_open_onnx(nn, &from);
    FILE *to = file && o.to ? fopen(o.to, "w") : stdout;
    if (!to) fprintf(stderr, TOOL ": %s cannot be written\n", o.to);
    fine = file && to && convert(&o, nn, file, to);
    if (to && to != stdout && fclose(to) != 0) fine = false;
    nn_close_onnx(file);
    nn_close(nn);
    return fine ? 0 : 1;
}
