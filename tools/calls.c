/* tools/calls.c - reads the public half of a drop-in and writes something about every function that
   it declares.

     calls prefix nn.h nn_opencl.h > prefix.h     #define name NN__PREFIXED(name), for NN_PREFIX
     calls overloads nn.h - text.h > overloads.h  C++ overloads of text.h's calls, whose structs are
   references: "const nn_conv2d_desc &desc". nn.h is read only for its structs
     calls uses nn.h - text.h > uses.h           USE(id, result, call) for each of these overloads,
   USE_FIELDS(id, result, call) with the first field of each struct named, for
   tests/compile/compile_overloads.cpp
     calls missing nn.h                          names calls with a desc that have no such overload
     calls all nn.h nn_opencl.h > calls.h        a call of each with zeros, for
   tests/ops/test_every_call.c: RESULT(nn_run_at, (zero_of_nn_site, given_nn_plan)), or NODE, POINTER,
   OTHER, by its result; and where FIELD is defined, DESC(nn_sort_desc) for each struct whose name
   ends so, then FIELD(nn_sort_desc, int, axis) for each of its fields

   A declaration begins with NN_API at the start of a line and ends at a semicolon. Conditions
   around the calls that name a feature macro are copied as they stand. A name that is declared
   twice counts once. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 2000

/* The test passes an object of these types, or NULL; every other pointer is NULL. */
static const char *const objects[] = {"nn_context", "nn_model",      "nn_node",   "nn_plan",
                                      "nn_tensor",  "nn_trainer",    "nn_loader", "nn_dataset",
                                      "nn_history", "nn_safetensors", "nn_group",  "nn_meeting"};

static char names[NAMES][80];
static int  count;
static const char *whole = ""; /* the file that is read */
static const char *elsewhere = ""; /* the optional file of these calls */

static int is_new(const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return 0;
    if (count == NAMES || strlen(name) >= sizeof names[0]) {
        fprintf(stderr, "calls: no room for %s\n", name);
        exit(1);
    }
    strcpy(names[count++], name);
    return 1;
}

static char *read_file(const char *path) {
    FILE  *file = fopen(path, "rb");
    char  *text = (char *)calloc(1, 16 << 20);
    if (!file || !text) {
        fprintf(stderr, "calls: cannot read %s\n", path);
        exit(1);
    }
    (void)!fread(text, 1, (16 << 20) - 1, file);
    fclose(file);
    return text;
}

/* Comments become spaces, and lines that continue after a backslash become one. */
static void strip(char *text) {
    char *to = text;
    for (char *c = text; *c;) {
        if (c[0] == '/' && c[1] == '*') {
            c = strstr(c, "*/");
            if (!c) break;
            c += 2;
            *to++ = ' ';
        } else if (c[0] == '\\' && c[1] == '\n') c += 2;
        else *to++ = *c++;
    }
    *to = 0;
}

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static void trim(char *text) {
    size_t length, start = 0;
    while (isspace((unsigned char)text[start])) start++;
    memmove(text, text + start, strlen(text + start) + 1);
    length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1])) text[--length] = 0;
}

#include "overloads.h"

/* ---- calls with zeros, names with prefixes ---------------------------------------------------- */

/* One argument of the call: a parameter as it is declared. */
static void put_argument(char *parameter) {
    char type[200];
    size_t length;
    trim(parameter);
    if (strcmp(parameter, "void") == 0 || !*parameter) return;
    if (strcmp(parameter, "...") == 0) {
        printf("NULL");
        return;
    }
    length = strlen(parameter);
    if (strncmp(parameter, "const nn_", 9) == 0 && strstr(parameter, "desc *") &&
        !strstr(parameter, "**")) {
        printf("given_desc(%.*s)", (int)strcspn(parameter + 6, " "), parameter + 6);
        return;
    }
    if (strncmp(parameter, "const char *", 12) == 0 && !strpbrk(parameter + 12, "*[(")) {
        printf("given_text");
        return;
    }
    if (strchr(parameter, '[') || strchr(parameter, '*')) {
        for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++) {
            const char *at = strstr(parameter, objects[i]);
            if (!at || strstr(parameter, "**") || strchr(parameter, '[') ||
                strstr(parameter, "*const *") || strncmp(at + strlen(objects[i]), " *", 2) != 0)
                continue;
            printf("given_%s", objects[i]);
            return;
        }
        printf("NULL");
        return;
    }
    while (length &&
           (isalnum((unsigned char)parameter[length - 1]) || parameter[length - 1] == '_'))
        length--;
    while (length && isspace((unsigned char)parameter[length - 1])) length--;
    if (length >= sizeof type) length = sizeof type - 1;
    memcpy(type, parameter, length);
    type[length] = 0;
    printf("zero_of_%s", strncmp(type, "const ", 6) == 0 ? type + 6 : type);
}

/* text: "nn_result nn_run_at(nn_site site, nn_plan *plan)". */
static void put_call(char *text, const char *mode) {
    char *open = strchr(text, '('), *close = strrchr(text, ')'), *name, *at;
    char kept[80], result[120];
    int  depth = 0;
    if (!open || !close) return;
    *close = 0;
    name = open;
    while (name > text && (isalnum((unsigned char)name[-1]) || name[-1] == '_')) name--;
    if ((size_t)(open - name) >= sizeof kept || (size_t)(name - text) >= sizeof result) return;
    memcpy(kept, name, (size_t)(open - name));
    kept[open - name] = 0;
    memcpy(result, text, (size_t)(name - text));
    result[name - text] = 0;
    trim(result);
    if (!is_new(kept)) return;
    if (strcmp(mode, "prefix") == 0) {
        char built[120];
        snprintf(built, sizeof built, "#define %s ", kept);
        int guarded = strstr(whole, built) !=
                      NULL; /* config.h gives it a name that carries the feature macros */
        if (guarded) printf("#ifndef %s\n", kept);
        printf("#define %s NN__PREFIXED(%s)\n", kept, kept);
        if (guarded) printf("#endif\n");
        return;
    }
    if (strcmp(mode, "elsewhere") == 0) {
        char built[120];
        const size_t length = strlen(kept);
        if (length > 3 && strcmp(kept + length - 3, "_at") == 0) {
            snprintf(built, sizeof built, "#define %.*s(", (int)length - 3, kept);
            if (strstr(whole, built)) kept[length - 3] = 0;
        }
        printf("#define %s(...) %s_is_in_nn_%s_h(__VA_ARGS__)\n", kept, kept, elsewhere);
        return;
    }
    if (strcmp(result, "nn_result") == 0) printf("RESULT(%s, (", kept);
    else if (strchr(result, '*') && strstr(result, "nn_node")) printf("NODE(%s, (", kept);
    else if (strchr(result, '*')) printf("POINTER(%s, (", kept);
    else printf("OTHER(%s, (", kept);
    at = open + 1;
    for (char *c = at;; c++) {
        if (*c == '(') depth++;
        else if (*c == ')') depth--;
        if (*c == 0 || (*c == ',' && depth == 0)) {
            int last = *c == 0;
            *c = 0;
            put_argument(at);
            if (last) break;
            printf(", ");
            at = c + 1;
        }
    }
    printf("))\n");
}

/* Reads one declaration of a struct's body: "int stride, *steps[4]". */
static void put_fields(const char *desc, char *text) {
    char type[200] = "";
    trim(text);
    while (*text == '#') { /* the conditions around it */
        text += strcspn(text, "\n");
        trim(text);
    }
    for (char *part = text, *next; part && *part; part = next) {
        char *end, *name;
        const int function = strchr(part, '(') != NULL;
        next = function ? NULL : strchr(part, ',');
        if (next) *next++ = 0;
        end = strchr(part, '[');
        if (function) end = strchr(part, ')');
        if (end) *end = 0;
        trim(part);
        end = part + strlen(part), name = end;
        while (name > part && is_word(name[-1])) name--;
        if (part == text && !function)
            snprintf(type, sizeof type, "%.*s", (int)(strcspn(part, "*") < (size_t)(name - part)
                                                          ? strcspn(part, "*")
                                                          : (size_t)(name - part)), part);
        trim(type);
        if (function) strcpy(type, "void"), printf("FIELD(%s, void *, %s)\n", desc, name);
        else printf("FIELD(%s, %s%s, %s)\n", desc, type, memchr(part, '*', (size_t)(name - part)) ? " *" : "", name);
    }
}

/* text: "nn_sort_desc { int axis; ... } nn_sort_desc;". Returns what follows it. */
static char *put_desc(char *text) {
    char name[80], *open = strchr(text, '{'), *part = open + 1, *c = part;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, " {"), text);
    if (!is_new(name)) return open;
    printf("#ifdef FIELD\nDESC(%s)\n", name);
    for (int depth = 0; *c && (*c != '}' || depth); c++) {
        depth += (*c == '{') - (*c == '}');
        if (*c != ';' || depth) continue;
        *c = 0;
        put_fields(name, part);
        part = c + 1;
    }
    printf("#endif\n");
    return c;
}

/* One declaration, which ends where its semicolon or its body was. */
static void put_declaration(char *line, const char *mode, const char *path) {
    const int here = *line == 's';
    for (char *c = line; *c; c++)
        if (*c == '\n') *c = ' ';
    line += strcspn(line, " ") + 1;
    if (strcmp(mode, "missing") == 0) put_missing(line, path);
    else if (strcmp(mode, "overloads") == 0 || strcmp(mode, "uses") == 0)
        put_cpp(line + (here ? strlen("NN__HERE_INLINE ") : 0),
                here ? "static NN__HERE_INLINE " : "inline ", mode);
    else if (!here) put_call(line, mode);
}

static void read_declarations(char *text, const char *mode, const char *path) {
    char *next;
    char copied[100]; /* the conditions around this line: is it in the output? */
    int  depth = 0;
    const int cpp = strcmp(mode, "overloads") == 0 || strcmp(mode, "uses") == 0;
    copied[0] = 0;
    for (char *line = text; *line; line = next) {
        next = strchr(line, '\n');
        next = next ? next + 1 : line + strlen(line);
        if (cpp && (strncmp(line, "#if", 3) == 0 || strncmp(line, "#el", 3) == 0 ||
                    strncmp(line, "#endif", 6) == 0)) {
            put_condition(line, (int)(next - line));
        } else if (strncmp(line, "#if", 3) == 0 || strncmp(line, "#el", 3) == 0 ||
            strncmp(line, "#endif", 6) == 0) {
            char words[400];
            if (line[1] == 'i' && depth + 1 < (int)sizeof copied) {
                snprintf(words, sizeof words, "%.*s", (int)(next - line), line);
                copied[++depth] = strcmp(mode, "all") == 0 && strstr(words, "NN_NO_") != NULL;
            }
            if (copied[depth]) printf("%.*s", (int)(next - line), line);
            if (line[1] == 'e' && line[2] == 'n' && depth > 0) depth--;
        } else if (strncmp(line, "typedef struct nn_", 18) == 0 && strcmp(mode, "all") == 0 &&
                   strcspn(line, "{") < (size_t)(next - line) &&
                   strncmp(line + strcspn(line, "{") - 5, "desc ", 5) == 0) {
            next = put_desc(line + 15);
        } else if (strncmp(line, "NN_API ", 7) == 0 ||
                   strncmp(line, "static NN__HERE_INLINE ", 23) == 0) {
            char *end = line + strcspn(line, *line == 's' ? "{" : ";");
            if (!*end) break;
            *end = 0;
            next = end + 1;
            put_declaration(line, mode, path);
        }
    }
}

/* Reads the public half, without comments. */
static char *read_public(const char *path) {
    char *text = read_file(path), *end = strstr(text, "stop here if you only want the API");
    if (!end) end = strstr(text, "defined(NN_OPENCL_IMPLEMENTATION)");
    if (end) {
        while (end > text && end[-1] != '\n')
            end--; /* the #endif of the whole, or the #if of the other half */
        *end = 0;
    }
    strip(text);
    return text;
}

static const char prefix_head[] =
    "/* base/prefix.h - every public function under the name that NN_PREFIX gives it. Made by "
    "tools/calls.c. */\n"
    "#ifdef NN_PREFIX\n";
static const char overloads_head[] =
    "/* The calls above for C++: descs are references, so that nn_conv2d(net, \"c\", x, desc) needs no\n"
    "   address, and C++20 may write nn_conv2d(net, \"c\", x, { .kernel = 3 }). Made by\n"
    "   tools/calls.c. */\n"
    "#ifdef __cplusplus\n"
    "extern \"C++\" {\n";

int main(int argc, char **argv) {
    const char *mode = argc > 2 ? argv[1] : "";
    const int cpp = strcmp(mode, "overloads") == 0 || strcmp(mode, "uses") == 0;
    int only_structs = cpp;
    if (argc < 3) return 2;
    if (strcmp(mode, "prefix") == 0) printf("%s", prefix_head);
    if (strcmp(mode, "elsewhere") == 0) elsewhere = argv[2];
    if (strcmp(mode, "overloads") == 0) printf("%s", overloads_head);
    for (int i = *elsewhere ? 3 : 2; i < argc; i++) {
        char *text;
        if (strcmp(argv[i], "-") == 0) {
            only_structs = 0;
            continue;
        }
        text = read_public(argv[i]);
        if (cpp) read_structs(text);
        whole = (const char *)strcpy((char *)malloc(strlen(text) + 1), text);
        if (!only_structs) read_declarations(text, mode, argv[i]);
        free(text);
    }
    if (strcmp(mode, "prefix") == 0) printf("#endif\n");
    if (strcmp(mode, "overloads") == 0) printf("}\n#endif\n");
    return missing;
}
