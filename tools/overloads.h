/* tools/overloads.h - the part of tools/calls.c that writes the overloads for C++, uses each of
   them, and names the calls that have none. */

#define STRUCTS 300
#define PARAMETERS 24

/* A struct whose fields the public half shows, and the first of them. */
static struct shown {
    char name[64], field[64];
} structs[STRUCTS];
static int struct_count;

/* A call that is being read. */
static struct call {
    char head[160]; /* "inline nn_node *" */
    char name[80];
    char *parameter[PARAMETERS]; /* "const nn_conv2d_desc *desc" */
    const struct shown *by[PARAMETERS]; /* the struct that becomes a reference; or NULL */
    int count, references, descs;
} call;

/* The preprocessor conditions around the next call, by depth, and whether the condition of each
   depth is in the output. */
static char pending[20][600];
static int  shown_depth[20], condition_depth;

static int ends_with(const char *text, const char *end) {
    const size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

/* Reads the structs: "typedef struct NAME {" at the start of a line. */
static void read_structs(const char *text) {
    for (const char *at = text; (at = strstr(at, "typedef struct nn_")) != NULL; at++) {
        struct shown *s = &structs[struct_count];
        const char *name = at + strlen("typedef struct "), *end;
        const int length = (int)strcspn(name, " ;{");
        if ((at > text && at[-1] != '\n') || name[length] != ' ' || name[length + 1] != '{') continue;
        if (struct_count == STRUCTS || length >= (int)sizeof s->name) {
            fprintf(stderr, "calls: no room for %.*s\n", length, name);
            exit(1);
        }
        snprintf(s->name, sizeof s->name, "%.*s", length, name);
        end = name + strcspn(name, ";(");
        if (*end == '(') { /* a function: its name is in the first brackets */
            end += strcspn(end, ")");
        } else if (memchr(name, '[', (size_t)(end - name))) {
            end = (const char *)memchr(name, '[', (size_t)(end - name));
        } else if (memchr(name, ',', (size_t)(end - name))) {
            end = (const char *)memchr(name, ',', (size_t)(end - name));
        }
        for (name = end; is_word(name[-1]);) name--;
        snprintf(s->field, sizeof s->field, "%.*s", (int)(end - name), name);
        struct_count++;
    }
}

/* Returns the struct of "const nn_sort_desc *desc"; NULL for other parameters, for arrays, which
   have their number of elements after them, and for the table of a backend, whose address is
   kept. */
static const struct shown *struct_of(const char *parameter, const char *next) {
    const char *star = strchr(parameter, '*');
    if (strncmp(parameter, "const nn_", 9) != 0 || !star || star[1] == '*' ||
        strncmp(parameter, "const nn_backend ", 17) == 0 || (next && ends_with(next, " count")))
        return NULL;
    for (int i = 0; i < struct_count; i++) {
        const size_t length = strlen(structs[i].name);
        if (strncmp(parameter + 6, structs[i].name, length) == 0 &&
            strncmp(parameter + 6 + length, " *", 2) == 0 && is_word(parameter[8 + length]))
            return &structs[i];
    }
    return NULL;
}

/* Takes "nn_node *nn_sort_at(nn_site site, ...)" apart. */
static int read_call(char *text, const char *kind) {
    char *open = strchr(text, '('), *close = strrchr(text, ')'), *name = open;
    if (!open || !close) return 0;
    memset(&call, 0, sizeof call);
    *open = *close = 0;
    while (name > text && is_word(name[-1])) name--;
    snprintf(call.name, sizeof call.name, "%s", name);
    snprintf(call.head, sizeof call.head, "%s%.*s", kind, (int)(name - text), text);
    for (char *at = open + 1, *next; at; at = next) {
        next = strchr(at, ',');
        if (next) *next++ = 0;
        trim(at);
        if (call.count == PARAMETERS) return 0;
        call.parameter[call.count++] = at;
    }
    for (int i = 0; i < call.count; i++) {
        call.by[i] = struct_of(call.parameter[i], i + 1 < call.count ? call.parameter[i + 1] : NULL);
        if (!call.by[i]) continue;
        call.references++;
        call.descs += ends_with(call.by[i]->name, "_desc");
    }
    return call.references > 0;
}

static const char *name_of(const char *parameter) {
    const char *name = parameter + strlen(parameter);
    while (name > parameter && is_word(name[-1])) name--;
    return name;
}

/* Puts words into lines of 100 columns. */
static int column;
static void put_word(const char *word, const char *after, int indent) {
    const int length = (int)(strlen(word) + strlen(after));
    if (column + length > 100) column = printf("\n%*s", indent, "") - 1;
    else if (column > indent) column += printf(" ");
    column += printf("%s%s", word, after);
}

/* Writes one overload. only_descs: other structs stay pointers, so that they may be NULL. */
static void put_overload(int only_descs) {
    char word[300];
    column = printf("%s%s(", call.head, call.name);
    const int indent = column > 70 ? 8 : column;
    for (int i = 0; i < call.count; i++) {
        const char *p = call.parameter[i];
        const int reference = call.by[i] && (!only_descs || ends_with(call.by[i]->name, "_desc"));
        if (reference) snprintf(word, sizeof word, "const %s &%s", call.by[i]->name, name_of(p));
        else snprintf(word, sizeof word, "%s", p);
        put_word(word, i + 1 < call.count ? "," : ") {", i ? indent : column);
    }
    printf("\n");
    column = printf("    %s%s(", strstr(call.head, "void ") && !strchr(call.head, '*') ? "" : "return ",
                    call.name);
    for (int i = 0; i < call.count; i++) {
        const int reference = call.by[i] && (!only_descs || ends_with(call.by[i]->name, "_desc"));
        snprintf(word, sizeof word, "%s%s", reference ? "&" : "", name_of(call.parameter[i]));
        put_word(word, i + 1 < call.count ? "," : ");", i ? 8 : column);
    }
    printf("\n}\n");
}

/* Writes the arguments of a call: zeros, and the structs empty or with their first field named. */
static void put_uses(const char *kind, int fields, int only_descs, int number) {
    printf("%s(%d, (", kind, number);
    printf("%s(", call.name);
    for (int i = 0; i < call.count; i++) {
        const char *p = call.parameter[i], *name = name_of(p);
        const int reference = call.by[i] && (!only_descs || ends_with(call.by[i]->name, "_desc"));
        printf("%s", i ? ", " : "");
        if (reference && fields) printf("{ .%s = {} }", call.by[i]->field);
        else if (reference) printf("%s()", call.by[i]->name);
        else printf("zero<%.*s>()", (int)(name - p), p);
    }
    printf(")))\n");
}

static void put_cpp(char *text, const char *kind, const char *mode) {
    static int number;
    if (!read_call(text, kind) || !is_new(call.name)) return;
    for (int i = 1; i <= condition_depth; i++)
        if (!shown_depth[i]) printf("%s", pending[i]), shown_depth[i] = 1;
    for (int only = 0; only <= (call.descs > 0 && call.references > call.descs); only++) {
        if (strcmp(mode, "overloads") == 0) {
            put_overload(only);
        } else {
            put_uses("USE", 0, only, number);
            put_uses("USE_FIELDS", 1, only, number++);
        }
    }
}

/* Keeps the conditions that name a feature macro until a call needs them. */
static void put_condition(const char *line, int length) {
    if (line[1] == 'i') {
        if (condition_depth + 1 == 20) exit(1);
        condition_depth++;
        shown_depth[condition_depth] = 0;
        snprintf(pending[condition_depth], sizeof pending[0], "%.*s", length, line);
        if (!strstr(pending[condition_depth], "NN_NO_")) pending[condition_depth][0] = 0;
    } else if (line[2] == 'n') {
        if (shown_depth[condition_depth] && pending[condition_depth][0]) printf("#endif\n");
        condition_depth -= condition_depth > 0;
    } else if (pending[condition_depth][0]) {
        if (shown_depth[condition_depth]) printf("%.*s", length, line);
        else strncat(pending[condition_depth], line, (size_t)length);
    }
}

/* Names the call if it takes a desc and the file has no overload of it with a reference. */
static int missing;
static void put_missing(const char *text, const char *path) {
    const char *open = strchr(text, '('), *name = open, *found = whole;
    char wanted[120];
    if (!open || !strstr(open, "_desc *") || strstr(open, "_desc **")) return;
    while (name > text && is_word(name[-1])) name--;
    snprintf(wanted, sizeof wanted, "%.*s", (int)(open - name + 1), name);
    for (; (found = strstr(found, wanted)) != NULL; found++) {
        const char *reference = strstr(found, "_desc &");
        if (!is_word(found[-1]) && reference && reference < found + strcspn(found, ")")) return;
    }
    printf("%s: %s) has no C++ overload that takes the desc by reference\n", path, wanted);
    missing = 1;
}
