/* edges.h: finds out which operations were compared with PyTorch for NaN, infinities, ties and one
   element. It reads the inputs and the builders of the cases in tests/golden/catalogue. An
   operation without a case has a reason in tests/golden/edges.txt. The test fails if there
   is neither, or both. Include after "catalogue.h". */
#include <ctype.h>

enum { EDGE_NAN, EDGE_INFINITE, EDGE_TIES, EDGE_ONE, EDGE_COLUMNS };
static const char *const edge_names[EDGE_COLUMNS] = {"nan", "infinite", "ties", "one"};

typedef struct edge_row {
    char name[48];
    char cases[EDGE_COLUMNS][80]; /* the first case of each column; "": none */
    const char *reason[EDGE_COLUMNS];
} edge_row;

static edge_row edge_rows[400];
static int edge_count;

static char *edge_read(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long size;
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    size = ftell(file);
    rewind(file);
    text = (char *)malloc((size_t)size + 1);
    if (text) text[fread(text, 1, (size_t)size, file)] = 0;
    fclose(file);
    return text;
}

static edge_row *edge_find(const char *name, size_t length) {
    for (int i = 0; i < edge_count; i++)
        if (strncmp(edge_rows[i].name, name, length) == 0 && !edge_rows[i].name[length])
            return &edge_rows[i];
    return NULL;
}

static void edge_add(const char *name, size_t length) {
    if (edge_find(name, length) || length >= sizeof edge_rows[0].name || edge_count >= 400) return;
    memcpy(edge_rows[edge_count].name, name, length);
    edge_count++;
}

static size_t edge_word(const char *text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_') length++;
    return length;
}

/* Lists every builder of nn.h: functions that return a node and take a site and a model, and the
   macros for one of them. */
static void edge_builders(const char *header) {
    const char *const end = strstr(header, "stop here if you only want the API");
    for (const char *at = strstr(header, "NN_API nn_node *nn_"); at && at < end;
         at = strstr(at + 1, "NN_API nn_node *nn_")) {
        const char *name = strchr(at, '*') + 1;
        const size_t length = edge_word(name);
        const char *close = strchr(name, ')');
        const char *net = strstr(name, "nn_model *net");
        if (length > 3 && strncmp(name + length - 3, "_at", 3) == 0 && net && net < close)
            edge_add(name, length - 3);
    }
    for (const char *at = strstr(header, "#define nn_"); at && at < end;
         at = strstr(at + 1, "#define nn_")) {
        const size_t length = edge_word(at + 8);
        if (strncmp(at + 8 + length, "(net, ", 6) == 0) edge_add(at + 8, length);
    }
}

/* ---- what a case shows ----------------------------------------------------------------------- */

/* True if an input draws from so few numbers (kind t) that some are equal, or if two neighbours of
   its own numbers are equal and are not integers. */
static bool edge_ties(const catalogue_group *of, const catalogue_row *row) {
    const int count = catalogue_count(row);
    if (row->kind == 't') return true;
    if (row->literal < 0 || row->kind == 'i') return false;
    for (int i = 1; i < count; i++)
        if (catalogue_number(of->numbers[row->literal + i]) ==
            catalogue_number(of->numbers[row->literal + i - 1]))
            return true;
    return false;
}

static unsigned edge_shows(const catalogue_group *of, const catalogue_case *one) {
    unsigned shown = 0;
    for (int i = 0; i < one->count; i++) {
        const catalogue_row *row = &of->rows[one->first + i];
        if (row->role != 'x' && row->role != 'p') continue;
        if (edge_ties(of, row)) shown |= 1u << EDGE_TIES;
        for (int k = 0; row->literal >= 0 && k < catalogue_count(row); k++) {
            const double number = catalogue_number(of->numbers[row->literal + k]);
            if (number != number) shown |= 1u << EDGE_NAN;
            if (isinf(number)) shown |= 1u << EDGE_INFINITE;
        }
    }
    if (strlen(one->name) > 4 && strcmp(one->name + strlen(one->name) - 4, "_one") == 0)
        shown |= 1u << EDGE_ONE;
    return shown;
}

/* Notes the builders that a case calls: at most three, so that the result depends on each. */
static void edge_case(const catalogue_group *of, const catalogue_case *one, const char *body) {
    const char *const end = strstr(body, "\n}\n");
    const unsigned shown = edge_shows(of, one);
    edge_row *called[4];
    int count = 0;
    for (const char *at = strstr(body, "nn_"); at && at < end && count < 4;) {
        const size_t length = edge_word(at);
        edge_row *row = at[length] == '(' ? edge_find(at, length) : NULL;
        bool known = row == NULL;
        for (int i = 0; i < count; i++) known = known || called[i] == row;
        if (!known) called[count++] = row;
        at = strstr(at + length, "nn_");
    }
    for (int i = 0; i < count && count < 4; i++)
        for (int k = 0; k < EDGE_COLUMNS; k++)
            if (shown >> k & 1u && !called[i]->cases[k][0])
                snprintf(called[i]->cases[k], sizeof called[i]->cases[k], "%s.%s", of->name,
                         one->name);
}

static void edge_group(const catalogue_group *of) {
    char path[200], head[200];
    char *text;
    snprintf(path, sizeof path, "tests/golden/catalogue/%s.h", of->name);
    text = edge_read(path);
    if (!text) {
        test_fail(__FILE__, __LINE__, "%s cannot be read", path);
        return;
    }
    for (int i = 0; i < of->count; i++) {
        const char *body;
        snprintf(head, sizeof head, "static void %s_%s(nn_model", of->name, of->cases[i].name);
        body = strstr(text, head);
        if (body) edge_case(of, &of->cases[i], strchr(body, '{'));
    }
    free(text);
}

/* ---- reasons --------------------------------------------------------------------------------- */

/* Reads "nn_a nn_b : nan ties - why": operations, columns (all: every one), the reason. */
static void edge_reason(char *line) {
    char *columns = strstr(line, " : "), *why = columns ? strstr(columns, " - ") : NULL;
    if (!why) {
        test_fail(__FILE__, __LINE__, "edges.txt: no operations, columns and reason in %s", line);
        return;
    }
    *columns = *why = 0;
    for (char *name = line; *name; name += edge_word(name), name += *name == ' ') {
        edge_row *row = edge_find(name, edge_word(name));
        if (!edge_word(name)) break;
        if (!row) {
            test_fail(__FILE__, __LINE__, "edges.txt: nn.h has no builder %.*s",
                      (int)edge_word(name), name);
            continue;
        }
        for (int k = 0; k < EDGE_COLUMNS; k++) {
            if (!strstr(columns + 3, edge_names[k]) && !strstr(columns + 3, "all")) continue;
            if (row->cases[k][0] && !strstr(columns + 3, "all"))
                test_fail(__FILE__, __LINE__, "edges.txt: %s has a case for %s now, %s", row->name,
                          edge_names[k], row->cases[k]);
            row->reason[k] = why + 3;
        }
    }
}

/* Makes the table, which the argument "table" prints. */
static void edges_are_shown(void) {
    int shown[EDGE_COLUMNS] = {0}, reasons = 0;
    static const char *const headers[] = {"nn.h", "nn_more.h", "nn_sequence.h", "nn_quantize.h"};
    char *text = edge_read("tests/golden/edges.txt");
    ENSURE(text);
    for (int i = 0; i < (int)(sizeof headers / sizeof *headers); i++) {
        char *header = edge_read(headers[i]);
        ENSURE(header);
        edge_builders(header);
        free(header);
    }
    ENSURE(edge_count > 200); /* otherwise the declarations have another form */
    for (int i = 0; i < GROUPS; i++) edge_group(&groups[i]);
    for (char *line = text, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        if (*line && *line != '#') edge_reason(line);
    }
    for (int i = 0; i < edge_count; i++) {
        const edge_row *row = &edge_rows[i];
        for (int k = 0; k < EDGE_COLUMNS; k++) {
            shown[k] += row->cases[k][0] != 0;
            reasons += !row->cases[k][0] && row->reason[k];
            if (!row->cases[k][0] && !row->reason[k])
                test_fail(__FILE__, __LINE__,
                          "%s: no case of tests/golden/catalogue has %s, and edges.txt no reason",
                          row->name, edge_names[k]);
            if (test_filter_count)
                printf("     %-28s %-9s %s\n", k ? "" : row->name, edge_names[k],
                       row->cases[k][0] ? row->cases[k] : row->reason[k] ? row->reason[k] : "?");
        }
    }
    printf("     %d operations: NaN in %d, infinities in %d, ties in %d, one element in %d; %d "
           "reasons\n",
           edge_count, shown[EDGE_NAN], shown[EDGE_INFINITE], shown[EDGE_TIES], shown[EDGE_ONE],
           reasons);
    free(text);
}

/* ---- traps ----------------------------------------------------------------------------------- */

/* True if there is a case "group.case" or, if the name ends in a star, a case that begins with
   it. */
static bool trap_case(const char *name, size_t length) {
    char text[200];
    const bool begins = length && name[length - 1] == '*';
    if (begins) length--;
    for (int i = 0; i < GROUPS; i++)
        for (int k = 0; k < groups[i].count; k++) {
            snprintf(text, sizeof text, "%s.%s", groups[i].name, groups[i].cases[k].name);
            if (strncmp(text, name, length) == 0 && (begins || !text[length])) return true;
        }
    return false;
}

/* True for "ops/test_norm.c:folds" if tests/ops/test_norm.c runs folds, and for
   "onnx/reducing.py:gemm" if that file has the word gemm. */
static bool trap_function(const char *name, size_t length) {
    char path[200], wanted[200];
    const char *colon = (const char *)memchr(name, ':', length);
    char *text;
    bool found;
    if (!colon) return false;
    snprintf(path, sizeof path, "tests/%.*s", (int)(colon - name), name);
    snprintf(wanted, sizeof wanted, strstr(path, ".py") ? "%.*s" : "RUN(%.*s)",
             (int)(name + length - colon - 1), colon + 1);
    text = edge_read(path);
    found = text && strstr(text, wanted);
    free(text);
    return found;
}

static void traps_are_tested(void) {
    char *text = edge_read("tests/golden/traps.txt");
    int traps = 0, tests = 0;
    ENSURE(text);
    for (char *line = text, *next; line && *line; line = next) {
        char *first = strstr(line, " - "), *at = first ? strstr(first + 3, " - ") : NULL;
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        if (!*line || *line == '#') continue;
        traps++;
        at = first && at && (!next || at < next) ? at + 3 : NULL;
        if (!at) test_fail(__FILE__, __LINE__, "traps.txt: no tests in \"%s\"", line);
        while (at && *at) {
            const size_t length = strcspn(at, ",");
            tests++;
            if (!trap_case(at, length) && !trap_function(at, length))
                test_fail(__FILE__, __LINE__, "traps.txt: there is no test %.*s", (int)length, at);
            at += length;
            at += strspn(at, ", ");
        }
    }
    printf("     %d traps of other projects, each named by a test; %d tests\n", traps, tests);
    ENSURE(!trap_case("norm.no_such_case", 17) && !trap_function("test_norm.c:no_such", 19));
    free(text);
}
