/* tests/onnx/test_onnx_refused.c - the words of nn_onnx_net about files that it cannot describe: a
   table of small graphs, each of which provokes one refusal. test_onnx.c has the order of reasons
   and their other parts; damaged files are in test_onnx_damaged.c. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include "described.h"

/* nodes, with ";" between them: "Type a,b -> y name=1 name=1,2, name=word". A list of numbers has a
   comma; the last node gives y. Operands such as i1_-2 are initializers of INT64 (1, -2), operands
   such as f2x3 of FLOAT with this shape. inputs, with ";" between them: "x:2,3"; names with a
   capital letter are INT64, those with "b_" BOOL. */
typedef struct refused {
    int opset;
    const char *inputs, *nodes, *words;
} refused;

static const refused rows[] = {
#include "refused.h"
};

/* Adds the attribute "name=value" to a node. */
static void put_attribute(blob *op, const char *text) {
    char name[40], value[80], *end;
    const size_t length = strcspn(text, "=");
    memcpy(name, text, length);
    name[length] = 0;
    snprintf(value, sizeof value, "%s", text + length + 1);
    if (strchr(value, ',')) {
        blob to = {.size = 0};
        put_text(&to, 1, name);
        for (char *at = value; *at; at = *end ? end + 1 : end)
            put_number(&to, 8, strtol(at, &end, 10));
        put_number(&to, 20, 7);
        put_message(op, 5, &to);
    } else if (strchr("-0123456789", *value)) {
        with_int(op, name, strtol(value, NULL, 10));
    } else {
        with_text(op, name, value);
    }
}

/* Adds the initializer that an operand's name describes, unless the graph has it already. */
static void put_operand(blob *graph, const char *name, char *seen) {
    static const float numbers[4096] = {1};
    char mark[48], shape[40], *end;
    int64_t wholes[16];
    int count = 0;
    if ((*name != 'i' && *name != 'f') || !strchr("-0123456789", name[1]) || !name[1]) return;
    snprintf(mark, sizeof mark, " %s ", name);
    if (strstr(seen, mark)) return;
    strcat(seen, mark);
    if (*name == 'i') {
        for (const char *at = name + 1; *at; at = *end ? end + 1 : end)
            wholes[count++] = strtol(at, &end, 10);
        snprintf(shape, sizeof shape, "%d", count);
        add(graph, 5, tensor(name, ONNX_INT64, shape, wholes, (size_t)count * 8));
        return;
    }
    size_t elements = 1;
    snprintf(shape, sizeof shape, "%s", name + 1);
    for (char *at = shape; *at; at++) *at = (char)(*at == 'x' ? ',' : *at);
    for (char *at = shape; *at; at = *end ? end + 1 : end)
        elements *= (size_t)strtol(at, &end, 10);
    add(graph, 5, tensor(name, ONNX_FLOAT, shape, numbers, elements * 4));
}

/* Adds one node of the text, up to ";" or its end, and its initializers. */
static void put_node(blob *graph, const char *text, size_t length, char *seen) {
    char words[400], *attributes, *operands;
    memcpy(words, text, length);
    words[length] = 0;
    attributes = strstr(words, "-> ");
    attributes = attributes ? strchr(attributes + 3, ' ') : NULL;
    if (attributes) *attributes++ = 0;
    blob op = node(words);
    for (char *at = attributes; at && *at;) {
        char *next = strchr(at, ' ');
        if (next) *next++ = 0;
        put_attribute(&op, at);
        at = next;
    }
    add(graph, 1, op);
    operands = strchr(words, ' ');
    for (char *at = operands ? operands + 1 : NULL; at && *at && *at != '-';) {
        const size_t size = strcspn(at, ", ");
        char name[40];
        memcpy(name, at, size);
        name[size] = 0;
        put_operand(graph, name, seen);
        at += size + (at[size] != 0);
    }
}

static blob model_of_row(const refused *row) {
    blob graph = {.size = 0}, y = {.size = 0};
    char seen[400] = "";
    for (const char *at = row->nodes; *at;) {
        const size_t length = strcspn(at, ";");
        put_node(&graph, at, length, seen);
        at += length + (at[length] == ';');
        while (*at == ' ') at++;
    }
    for (const char *at = row->inputs; *at;) {
        char name[40], shape[60];
        const size_t length = strcspn(at, ":"), end = strcspn(at, ";");
        memcpy(name, at, length);
        name[length] = 0;
        memcpy(shape, at + length + 1, end - length - 1);
        shape[end - length - 1] = 0;
        add(&graph, 11, info(name, strncmp(name, "b_", 2) == 0 ? ONNX_BOOL
                                   : *name >= 'A' && *name <= 'Z' ? ONNX_INT64
                                                                  : ONNX_FLOAT, shape));
        at += end + (at[end] == ';');
    }
    put_text(&y, 1, "y");
    add(&graph, 12, y);
    return model_of(&graph, row->opset);
}

static void each_says_why(void) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const blob model = model_of_row(&rows[i]);
        open_net n = describe(&model, NULL, 1, 1);
        if (test_wrong(n.plan || !nn_error(n.nn) || !strstr(nn_error(n.nn), rows[i].words)))
            test_fail(__FILE__, __LINE__, "%s\n  lacks \"%s\"\n  says  %s", rows[i].nodes,
                      rows[i].words, nn_error(n.nn) ? nn_error(n.nn) : "(nothing)");
        close_net(&n);
    }
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(each_says_why);
    return test_report();
}
