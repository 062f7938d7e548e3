/* onnx/names.c - names of layers, parameters and constants that a reader recognises. */
#include "onnx/mapping.h"

/* Space for the suffix of a layer's name: ".running_mean", "_1234". */
enum { NN__ONNX_TAIL = 32 };

/* A layer that has a name, to find it again when its weights are used once more. */
typedef struct nn__onnx_named {
    const char *type;
    const nn__onnx_tensor *weight, *bias;
} nn__onnx_named;

/* Copies a name without the marks of a path: a slash at the beginning, ":0" at the end. Slashes
   become dots. A long name is shortened to its end, from a dot on. */
static void nn__onnx_clean(const char *from, char *to, size_t room) {
    size_t length = strlen(from), at = 0;
    while (*from == '/') from++, length--;
    if (length > 2 && strcmp(from + length - 2, ":0") == 0) length -= 2;
    if (length >= room) {
        at = length - room + 1;
        while (at < length && from[at - 1] != '/' && from[at - 1] != '.') at++;
        if (at == length) at = length - room + 1;
        while (at < length && ((unsigned char)from[at] & 0xc0) == 0x80) at++;
    }
    for (; at < length; at++)
        *to++ = from[at] == '/' ? '.' : (unsigned char)from[at] < 32 ? '_' : from[at];
    *to = 0;
}

/* Returns a copy of prefix + cleaned name, with "_2" and so on if `names` has that name already. */
NN__ONNX_PRIVATE const char *nn__onnx_unique(nn__onnx_walk *walk, const char *name) {
    char base[NN_NAME_BYTES];
    const size_t prefix = strlen(walk->prefix);
    nn__onnx_clean(name, base, sizeof base - NN__ONNX_TAIL - prefix);
    for (int64_t i = 1;; i++) {
        nn__onnx_message text;
        memset(&text, 0, sizeof text);
        nn__onnx_say(&text, "%s%s", walk->prefix, *base ? base : "value");
        if (i > 1) nn__onnx_say(&text, "_%d", i);
        if (nn__onnx_find(&walk->names, text.text)) continue;
        {
            const char *copy = nn__onnx_copy_text(walk->call, walk->arena, text.text, text.length);
            return copy && nn__onnx_set(walk->call, &walk->names, copy, (void *)walk) ? copy : NULL;
        }
    }
}

/* Returns the length of a name before its ending; 0: it has another one. */
static size_t nn__onnx_before(const nn__onnx_tensor *tensor, const char *ending) {
    const size_t length = tensor ? strlen(tensor->name) : 0, tail = strlen(ending);
    return length > tail && strcmp(tensor->name + length - tail, ending) == 0 ? length - tail : 0;
}

/* Writes the name for a node's layer: the node's own, or its operator in small letters. */
static void nn__onnx_name_of_op(const nn__onnx_op *op, char *to, size_t room) {
    size_t i = 0;
    if (*op->name) {
        nn__onnx_clean(op->name, to, room);
        return;
    }
    for (; op->type[i] && i + 1 < room; i++)
        to[i] = op->type[i] >= 'A' && op->type[i] <= 'Z' ? (char)(op->type[i] + 32) : op->type[i];
    to[i] = 0;
}

NN__ONNX_PRIVATE const char *nn__onnx_layer(nn__onnx_node *n, int weight, int bias, bool *shared) {
    const nn__onnx_tensor *w = nn__onnx_known(n, weight), *b = nn__onnx_known(n, bias);
    const size_t of_w = nn__onnx_before(w, ".weight"), of_b = nn__onnx_before(b, ".bias");
    nn__onnx_walk *walk = n->walk;
    nn__onnx_named *named;
    char base[NN_NAME_BYTES], name[2 * NN_NAME_BYTES];
    const char *result;
    const size_t length = of_w ? of_w : of_b;
    *shared = false;
    if (length > 0 && length < sizeof name) {
        memcpy(name, (of_w ? w : b)->name, length);
        name[length] = 0;
    } else {
        nn__onnx_name_of_op(n->op, name, sizeof name);
    }
    nn__onnx_clean(name, base, sizeof base);
    for (named = (nn__onnx_named *)nn__onnx_find(&walk->layers, base); named; named = NULL) {
        if (named->weight != w || named->bias != b || strcmp(named->type, n->op->type) != 0) break;
        *shared = true;
        return (const char *)(named + 1);
    }
    result = nn__onnx_unique(walk, base);
    if (!result) return "";
    named = (nn__onnx_named *)nn__onnx_take(walk->call, walk->arena,
                                            sizeof *named + strlen(result) + 1);
    if (!named) return result;
    named->type = n->op->type;
    named->weight = w;
    named->bias = b;
    memcpy(named + 1, result, strlen(result) + 1);
    nn__onnx_set(walk->call, &walk->layers,
                 nn__onnx_copy_text(walk->call, walk->arena, base, strlen(base)), named);
    return result;
}
