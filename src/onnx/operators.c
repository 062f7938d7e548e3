/* onnx/operators.c - the list of the tables of operators. Each table is at the end of the file that
   has its functions. */
#include "onnx/mapping.h"

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_table(int i) {
    switch (i) {
#define NN__X(name)                                                                                \
    case NN__ONNX_TABLE_##name: return nn__onnx_table_##name();
        NN__ONNX_TABLES(NN__X)
#undef NN__X
    default: return NULL;
    }
}

static bool nn__onnx_same_operator(const nn__onnx_operator *line, const char *domain,
                                   const char *type) {
    return strcmp(line->type, type) == 0 && strcmp(line->domain, domain) == 0;
}

NN__ONNX_PRIVATE const nn__onnx_operator *nn__onnx_lookup(const char *domain, const char *type,
                                                          int64_t opset, bool fold) {
    for (int i = 0; nn__onnx_table(i); i++)
        for (const nn__onnx_operator *line = nn__onnx_table(i); line->type; line++)
            if ((fold ? line->fold != NULL : line->map != NULL) &&
                nn__onnx_same_operator(line, domain, type) && line->since <= opset &&
                (line->until == 0 || line->until >= opset))
                return line;
    return NULL;
}

NN__ONNX_PRIVATE bool nn__onnx_is_mapped(const char *domain, const char *type) {
    for (int i = 0; nn__onnx_table(i); i++)
        for (const nn__onnx_operator *line = nn__onnx_table(i); line->type; line++)
            if (nn__onnx_same_operator(line, domain, type)) return true;
    return false;
}
