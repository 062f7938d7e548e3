/* graph/pattern.c - selects parameters by patterns of their names, for parameter groups and
   nn_initialise. */
#include "graph/private.h"

#if !defined(NN_NO_TRAINING) || !defined(NN_NO_REPORTS) || !defined(NN_NO_MIXED_PRECISION)

/* True if the name matches. Each star of the pattern matches any text. */
static bool nn__pattern_matches(const char *pattern, const char *name) {
    const char *star = NULL, *retry = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = name;
        } else if (*pattern == *name) {
            pattern++, name++;
        } else if (star) {
            pattern = star;
            name = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == 0;
}

NN_PRIVATE bool nn__layer_fits(const char *pattern, const char *layer) {
    const size_t all = strlen(layer), end = strlen(pattern);
    if (strchr(pattern, '*')) return nn__pattern_matches(pattern, layer);
    return end <= all && strcmp(layer + all - end, pattern) == 0 &&
           (end == all || layer[all - end - 1] == '.');
}
#endif

#ifndef NN_NO_TRAINING
NN_PRIVATE bool nn__pattern_fits(const char *pattern, const nn_node *node) {
    if (node->kind != NN__PARAMETER) return false;
    return strchr(pattern, '*') ? nn__pattern_matches(pattern, node->name)
                                : nn__named(node, pattern);
}

#ifndef NN_NO_REPORTS
NN_PRIVATE int nn__name_distance(const char *a, const char *b) {
    int row[NN_NAME_BYTES + 1], length = (int)strlen(b);
    if (length > NN_NAME_BYTES) return INT32_MAX;
    for (int j = 0; j <= length; j++) row[j] = j;
    for (int i = 0; a[i]; i++) {
        int diagonal = row[0];
        row[0] = i + 1;
        for (int j = 0; j < length; j++) {
            const int change = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = nn__mini(change, nn__mini(row[j], diagonal) + 1);
        }
    }
    return row[length];
}
#endif

/* Reports a pattern that matches no parameter, and names the closest parameter. */
static void nn__pattern_unmatched(nn_model *net, const char *who, const char *what,
                                  const char *pattern, nn_site site) {
    const char *closest = "(none)";
#ifndef NN_NO_REPORTS
    int least = INT32_MAX;
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        const int distance =
            node->kind == NN__PARAMETER ? nn__name_distance(pattern, node->name) : INT32_MAX;
        if (distance >= least) continue;
        least = distance;
        closest = node->name;
    }
#endif
    nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                "%s: %s\"%s\" fits no parameter of \"%s\"; the closest is \"%s\". "
                "Wanted a name, a beginning with a dot at its end (\"fc.\"), or stars for any text "
                "(\"*.bias\")",
                who, what, pattern, net->name, closest);
}

NN_PRIVATE bool nn__pattern_check(nn_model *net, const char *who, const char *what,
                                  const char *pattern, nn_site site) {
    for (const nn_node *node = pattern ? net->graph.first : NULL; node; node = node->next)
        if (nn__pattern_fits(pattern, node)) return true;
    nn__pattern_unmatched(net, who, what, pattern ? pattern : "", site);
    return false;
}

#ifndef NN_NO_TRAINING
NN_API nn_node *nn_find_parameter_at(nn_site site, nn_model *net, const char *name) {
    if (nn__model_gone(net, site, "nn_find_parameter")) return NULL;
    for (nn_node *node = net->graph.first; node && name; node = node->next)
        if (node->kind == NN__PARAMETER && strcmp(node->name, name) == 0) return node;
    nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                "nn_find_parameter: the model \"%s\" has no parameter \"%s\"", net->name,
                name ? name : "(NULL)");
    return NULL;
}
#endif

#endif /* NN_NO_TRAINING */

typedef int nn__pattern_part; /* a part must not be empty under NN_NO_TRAINING */
