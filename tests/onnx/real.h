/* tests/onnx/real.h - runs the real models of ../shared/onnx (one folder each: model.onnx, io.txt,
   case_0, case_1; light/NAME.onnx with one case) and compares the outputs with those of
   onnxruntime. */
#pragma once

#include "test.h"

#include "nn_onnx.h"
#include "lists.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REAL_MOST 8

/* Returns the folder of the models: ONNX_DIR, or that of a checkout. */
static TEST_UNUSED const char *real_folder(void) {
    const char *folder = getenv("ONNX_DIR");
    return folder ? folder : "../shared/onnx";
}

typedef struct real_model {
    const char *folder;
    double tolerance;     /* of an output's largest number */
    const char *fixed;    /* NULL, or an input whose number chooses a branch */
    const char *in, *out; /* of light/: the names of the input and the output */
    bool direct;          /* nn_plan_desc.direct_convolutions */
    bool integers;        /* nn_onnx_integers */
    bool classes;         /* the last axis has a number for each class, and the largest counts */
} real_model;

/* An input or output of a case, as io.txt has it. */
typedef struct real_end {
    char name[128];
    nn_tensor *tensor;
} real_end;

typedef struct real_case {
    real_end in[REAL_MOST], out[REAL_MOST];
    int in_count, out_count;
} real_case;

static TEST_UNUSED void real_path(const char *folder, char *path, size_t size) {
    snprintf(path, size, strncmp(folder, "light/", 6) == 0 ? "%s/%s.onnx" : "%s/%s/model.onnx",
             real_folder(), folder);
}

static TEST_UNUSED int real_exists(const char *folder) {
    char path[512];
    FILE *file;
    real_path(folder, path, sizeof path);
    file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

/* Reads the only case of a model in light/. */
static TEST_UNUSED int real_read_light(nn_context *nn, const real_model *model, int number,
                                       real_case *to) {
    char path[512];
    if (number > 0) return 0;
    to->in_count = to->out_count = 1;
    snprintf(to->in[0].name, sizeof to->in[0].name, "%s", model->in);
    snprintf(to->out[0].name, sizeof to->out[0].name, "%s", model->out);
    snprintf(path, sizeof path, "%s/light/in_0.npy", real_folder());
    to->in[0].tensor = nn_load_npy(nn, path);
    snprintf(path, sizeof path, "%s/%s.out_0.npy", real_folder(), model->folder);
    to->out[0].tensor = nn_load_npy(nn, path);
    return to->in[0].tensor && to->out[0].tensor;
}

/* Reads the lines `case_0 in_0 "name" float32 (1, 3)`. Returns 1 if all files were read. */
static TEST_UNUSED int real_read_case(nn_context *nn, const real_model *model, int number,
                                      real_case *to) {
    char path[512], line[512], kind[8], name[128];
    int which, index;
    FILE *file;
    memset(to, 0, sizeof *to);
    if (model->in) return real_read_light(nn, model, number, to);
    snprintf(path, sizeof path, "%s/%s/io.txt", real_folder(), model->folder);
    file = fopen(path, "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        real_end *end;
        if (sscanf(line, "case_%d %7[a-z]_%d \"%127[^\"]\"", &which, kind, &index, name) != 4 ||
            which != number || index >= REAL_MOST)
            continue;
        end = strcmp(kind, "in") == 0 ? &to->in[index] : &to->out[index];
        *(strcmp(kind, "in") == 0 ? &to->in_count : &to->out_count) += 1;
        memcpy(end->name, name, sizeof name);
        snprintf(path, sizeof path, "%s/%s/case_%d/%s_%d.npy", real_folder(), model->folder, number,
                 kind, index);
        end->tensor = nn_load_npy(nn, path);
        if (!end->tensor) to->in_count = to->out_count = -1000;
    }
    fclose(file);
    return to->in_count > 0 && to->out_count > 0;
}

/* Returns number i of a tensor of files: f32, f16, f64, i64, i32, u8, bool. */
static TEST_UNUSED double real_number(const nn_tensor *tensor, int64_t i) {
    const void *data = nn_tensor_const_data(tensor);
    unsigned bits;
    double number;
    switch ((int)nn_tensor_dtype(tensor)) {
    case NN_F32: return (double)((const float *)data)[i];
    case NN_F64: return ((const double *)data)[i];
    case NN_I64: return (double)((const int64_t *)data)[i];
    case NN_I32: return (double)((const int32_t *)data)[i];
    case NN_F16:
        bits = ((const uint16_t *)data)[i];
        number = bits >> 10 & 31
                     ? ldexp((double)((bits & 1023) + 1024), (int)(bits >> 10 & 31) - 25)
                     : ldexp((double)(bits & 1023), -24);
        return bits & 0x8000 ? -number : number;
    default: return (double)((const unsigned char *)data)[i];
    }
}

/* Uploads a tensor of a file to an input of f32, i32 or bytes. */
static TEST_UNUSED int real_upload(nn_plan *plan, nn_node *input, const nn_tensor *tensor) {
    const nn_dtype dtype = nn_node_dtype(input);
    const int64_t count = nn_shape_count(nn_tensor_shape(tensor));
    const size_t size = nn_dtype_size(dtype);
    char *data = (char *)malloc((size_t)count * size);
    int good;
    for (int64_t i = 0; data && i < count; i++) {
        const double number = real_number(tensor, i);
        if (dtype == NN_F32)
            ((float *)(void *)data)[i] = (float)number;
        else if (dtype == NN_I32)
            ((int32_t *)(void *)data)[i] = (int32_t)number;
        else
            data[i] = (char)(int)number;
    }
    good = data && nn_upload(plan, input, data, (size_t)count * size) == NN_OK;
    free(data);
    return good;
}

/* Returns the largest difference between an output and its reference, divided by the largest number
   of the reference; NaN if it cannot be read. */
static TEST_UNUSED double real_difference(nn_plan *plan, const nn_node *node,
                                          const nn_tensor *reference) {
    const int64_t count = nn_shape_count(nn_tensor_shape(reference));
    const nn_dtype dtype = nn_node_dtype(node);
    double largest = 0, difference = 0;
    char *data = (char *)malloc((size_t)count * 4);
    if (!data || nn_download(plan, node, data, (size_t)count * nn_dtype_size(dtype)) != NN_OK) {
        free(data);
        return NAN;
    }
    for (int64_t i = 0; i < count; i++) {
        const double expected = real_number(reference, i);
        const double actual = dtype == NN_F32   ? (double)((float *)(void *)data)[i]
                              : dtype == NN_I32 ? (double)((int32_t *)(void *)data)[i]
                                                : (double)(unsigned char)data[i];
        largest = fmax(largest, fabs(expected));
        difference = fabs(actual - expected) <= difference ? difference : fabs(actual - expected);
        if (actual != actual) difference = INFINITY;
    }
    free(data);
    return difference / (largest > 0 ? largest : 1);
}

/* Returns the number of rows of an f32 output whose largest number is not where the reference has
   it; -1 if the output cannot be read. */
static TEST_UNUSED int real_other_classes(nn_plan *plan, const nn_node *node,
                                          const nn_tensor *reference) {
    const nn_shape shape = nn_tensor_shape(reference);
    const int64_t count = nn_shape_count(shape),
                  wide = shape.rank > 0 ? shape.extent[shape.rank - 1] : 1;
    float *data = (float *)malloc((size_t)count * sizeof *data);
    int others = 0;
    if (!data || nn_node_dtype(node) != NN_F32 ||
        nn_download(plan, node, data, (size_t)count * sizeof *data) != NN_OK) {
        free(data);
        return -1;
    }
    for (int64_t row = 0; row < count; row += wide) {
        int64_t own = 0, its = 0;
        for (int64_t k = 1; k < wide; k++) {
            if (data[row + k] > data[row + own]) own = k;
            if (real_number(reference, row + k) > real_number(reference, row + its)) its = k;
        }
        others += own != its;
    }
    free(data);
    return others;
}

/* A model that is described for one case. */
typedef struct real_net {
    nn_model *net;                           /* NULL after an error */
    nn_node *in[REAL_MOST], *out[REAL_MOST]; /* as in the case; NULL: an input that is fixed */
} real_net;

/* Describes a model for the shapes of a case and loads its weights. */
static TEST_UNUSED real_net real_describe(nn_context *nn, const real_model *model,
                                          const real_case *c) {
    nn_onnx_net_desc desc;
    real_net to;
    nn_onnx *file;
    char path[512];
    nn_onnx_input given[REAL_MOST];
    nn_onnx_fixed fixed;
    memset(&to, 0, sizeof to);
    memset(&desc, 0, sizeof desc);
    real_path(model->folder, path, sizeof path);
    file = nn_open_onnx(nn, &(nn_onnx_desc){.path = path});
    to.net = file ? nn_make_model(nn, NULL) : NULL;
    if (!to.net) return to;
    if (model->integers) nn_onnx_integers(file);
    for (int i = 0; i < c->in_count; i++) {
        const nn_dtype dtype = nn_tensor_dtype(c->in[i].tensor);
        if (model->fixed && strcmp(model->fixed, c->in[i].name) == 0) {
            fixed.name = model->fixed;
            fixed.value = real_number(c->in[i].tensor, 0);
            desc.values.value = &fixed;
            desc.values.count = 1;
            continue;
        }
        to.in[i] =
            nn_input(to.net, c->in[i].name, dtype == NN_F32 || dtype == NN_F16 ? NN_F32 : NN_I32,
                     nn_tensor_shape(c->in[i].tensor));
        given[desc.inputs.count].name = c->in[i].name;
        given[desc.inputs.count++].node = to.in[i];
    }
    desc.inputs.input = given;
    nn_onnx_net(to.net, "", file, &desc);
    for (int i = 0; i < c->out_count; i++) to.out[i] = nn_onnx_node(to.net, file, c->out[i].name);
    if (!to.out[0] || nn_load_onnx_weights(to.net, file) != NN_OK) to.net = NULL;
    nn_close_onnx(file);
    return to;
}

/* Uploads all inputs of a case. Returns 1 if that went well. */
static TEST_UNUSED int real_upload_all(nn_plan *plan, const real_net *net, const real_case *c) {
    for (int i = 0; i < c->in_count; i++)
        if (net->in[i] && !real_upload(plan, net->in[i], c->in[i].tensor)) return 0;
    return 1;
}

/* Describes, loads and runs one case. Returns the largest difference; NaN after an error. */
static TEST_UNUSED double real_run(nn_context *nn, const real_model *model, const real_case *c) {
    const real_net net = real_describe(nn, model, c);
    nn_plan_desc plan_desc;
    nn_plan *plan;
    double difference = 0;
    if (!net.net) return NAN;
    memset(&plan_desc, 0, sizeof plan_desc);
    for (int i = 0; i < c->out_count; i++) NODE_AT(plan_desc.outputs, i) = net.out[i];
    plan_desc.direct_convolutions = model->direct;
    plan = nn_make_plan(net.net, &plan_desc);
    if (!plan || !real_upload_all(plan, &net, c) || nn_run(plan) != NN_OK) return NAN;
    for (int i = 0; i < c->out_count; i++) {
        const double one = real_difference(plan, net.out[i], c->out[i].tensor);
        if (!(one <= difference)) difference = one;
        if (model->classes && real_other_classes(plan, net.out[i], c->out[i].tensor) != 0) {
            printf("%s: output %d has another class\n", model->folder, i);
            difference = INFINITY;
        }
    }
    nn_free_model(net.net);
    return difference;
}
