/* test_names.c - PyTorch's names and ours (tests/golden/names.txt): each of ours is in nn.h, each
   default in the comment of a struct is PyTorch's, and docs/operations.md claims no more names than
   there are. Prints how many exist; with the argument "list" it prints each name with its
   counterpart. */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>

#include "test.h"

#include "golden/names.h"

enum {
    NAMES = sizeof golden_names / sizeof golden_names[0],
    DEFAULTS = sizeof golden_defaults / sizeof golden_defaults[0]
};

static char *header; /* the public halves of nn.h and of the optional files with operations */

static char *read_text(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text;
    size_t size;
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    size = (size_t)ftell(file);
    rewind(file);
    text = (char *)malloc(size + 1);
    size = text ? fread(text, 1, size, file) : 0;
    if (text) text[size] = 0;
    fclose(file);
    return text;
}

static bool is_word(int letter) { return isalnum(letter) || letter == '_'; }

/* Returns the next place where `word` is a whole word or the beginning of word_at; NULL: there is
   none. */
static const char *find_word(const char *text, const char *word, bool or_at) {
    size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        const char *end = at + length;
        if (or_at && strncmp(end, "_at", 3) == 0) end += 3;
        if ((at == text || !is_word((unsigned char)at[-1])) && !is_word((unsigned char)*end))
            return at;
    }
    return NULL;
}

/* Returns the beginning of the line, after its spaces. */
static const char *line_of(const char *text, const char *at) {
    while (at > text && at[-1] != '\n') at--;
    while (*at == ' ') at++;
    return at;
}

/* True if the name is declared as a function, as a macro for one, as a value of an enum, or as a
   type. */
static bool exists(const char *name) {
    for (const char *at = find_word(header, name, true); at; at = find_word(at + 1, name, true)) {
        const char *line = line_of(header, at);
        if (strncmp(line, "NN_API", 6) == 0 || strncmp(line, "} ", 2) == 0) return true;
        if (strncmp(line, "#define ", 8) == 0 && line + 8 == at) return true;
        if (name[0] == 'N' && line == at) return true;
    }
    return false;
}

/* ---- defaults -------------------------------------------------------------------------------- */

/* Copies the body of "typedef struct name {" to a buffer. False: there is none. */
static bool find_struct(const char *name, char *body, size_t size) {
    char begin[100], end[100];
    const char *from, *to;
    snprintf(begin, sizeof begin, "typedef struct %s {", name);
    snprintf(end, sizeof end, "} %s;", name);
    from = strstr(header, begin);
    to = from ? strstr(from, end) : NULL;
    if (!to || (size_t)(to - from) >= size) return false;
    from += strlen(begin);
    memcpy(body, from, (size_t)(to - from));
    body[to - from] = 0;
    return true;
}

/* Comments become spaces. */
static void blank(const char *body, char *code) {
    bool inside = false;
    for (size_t i = 0; body[i]; i++) {
        if (!inside && body[i] == '/' && body[i + 1] == '*') inside = true;
        code[i] = inside && body[i] != '\n' ? ' ' : body[i];
        if (inside && i > 1 && body[i] == '/' && body[i - 1] == '*') inside = false;
        code[i + 1] = 0;
    }
}

/* Returns the comment of a field: the one after it on its line, or otherwise the one before it.
   NULL: no such field; "": no comment. */
static const char *find_comment(const char *body, const char *field, char *comment, size_t size) {
    static char code[20000];
    const char *at, *semicolon, *from, *to;
    blank(body, code);
    at = find_word(code, field, false);
    if (!at) return NULL;
    comment[0] = 0;
    semicolon = strchr(at, ';');
    from = body + (semicolon - code) + 1;
    while (*from == ' ') from++;
    if (strncmp(from, "/*", 2) != 0) { /* before it, after the end of the last field's line */
        const char *before = at;
        while (before > code && before[-1] != ';') before--;
        from = strchr(body + (before - code), '\n');
        from = from ? strstr(from, "/*") : NULL;
        if (!from || from > body + (at - code)) return comment;
    }
    to = strstr(from, "*/");
    if (!to || (size_t)(to - from) >= size) return comment;
    memcpy(comment, from, (size_t)(to - from));
    comment[to - from] = 0;
    return comment;
}

/* Reads a number or a truth value at `text`. */
static bool read_number(const char *text, double *number) {
    char *end;
    while (*text == ' ' || *text == ':' || *text == '\n' || *text == '(') text++;
    *number = strtod(text, &end);
    if (end != text) return true;
    *number = strncmp(text, "true", 4) == 0;
    return *number == 1 || strncmp(text, "false", 5) == 0;
}

/* Reads "default: 0; NN_SGD, NN_ADAMW and NN_LION 1e-2": 1e-2 for these three, else 0. */
static bool read_default(const char *comment, const char *ours, double *number) {
    const char *first = strstr(comment, "default: ");
    if (!first) return false;
    for (const char *at = find_word(first, ours, false); at; at = find_word(at + 1, ours, false)) {
        const char *behind = at + strlen(ours);
        while (strncmp(behind, " and NN_", 8) == 0 || strncmp(behind, ", NN_", 5) == 0)
            for (behind += *behind == ',' ? 2 : 5; is_word((unsigned char)*behind);) behind++;
        if (read_number(behind, number)) return true;
    }
    return read_number(first + 9, number);
}

/* Compares the default of an enum, which is given by its value, such as NN_MEAN, or by PyTorch's
   word. */
static bool names_word(const char *comment, const char *word) {
    char upper[64];
    size_t i = 0;
    for (; word[i] && i + 1 < sizeof upper; i++) upper[i] = (char)toupper((unsigned char)word[i]);
    upper[i] = 0;
    return strstr(comment, upper) != NULL || find_word(comment, word, false) != NULL;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Returns the reason why an argument of PyTorch has no field here; NULL: names.txt has none. */
static const char *why_absent(const char *argument) {
    const char *last = strrchr(argument, '.');
    for (int i = 0; i < (int)(sizeof golden_absent / sizeof golden_absent[0]); i++)
        if (strcmp(golden_absent[i].argument, argument) == 0 ||
            (last && strcmp(golden_absent[i].argument, last + 1) == 0))
            return golden_absent[i].why;
    return NULL;
}

static void defaults_are_pytorchs(void) {
    static char body[20000], comment[4000];
    int compared = 0, unsaid = 0, absent = 0;
    for (int i = 0; i < DEFAULTS; i++) {
        double number;
        if (test_wrong(!find_struct(golden_defaults[i].desc, body, sizeof body))) {
            test_fail(__FILE__, __LINE__, "nn.h has no struct %s", golden_defaults[i].desc);
            continue;
        }
        if (!find_comment(body, golden_defaults[i].field, comment, sizeof comment)) {
            absent++;
            if (test_wrong(!why_absent(golden_defaults[i].argument)))
                test_fail(__FILE__, __LINE__, "%s has no field %s for torch's %s; names.txt says why",
                          golden_defaults[i].desc, golden_defaults[i].field,
                          golden_defaults[i].argument);
            continue;
        }
        if (golden_defaults[i].word ? !strstr(comment, "default: ")
                                    : !read_default(comment, golden_defaults[i].ours, &number)) {
            unsaid++;
            continue;
        }
        compared++;
        if (test_wrong(golden_defaults[i].word
                ? !names_word(comment, golden_defaults[i].word)
                : fabs(number - golden_defaults[i].number) > 1e-7 * fabs(golden_defaults[i].number)))
            test_fail(__FILE__, __LINE__,
                      "%s.%s: the comment says \"%s\"; PyTorch's default of %s is %g%s",
                      golden_defaults[i].desc, golden_defaults[i].field, comment,
                      golden_defaults[i].argument, golden_defaults[i].number,
                      golden_defaults[i].word ? golden_defaults[i].word : "");
    }
    printf("     %d defaults are PyTorch's; %d fields say none, %d arguments have none, with reasons\n",
           compared, unsaid, absent);
    ENSURE(compared >= 230); /* or the comments have another form */
    ENSURE(unsaid <= 2);     /* ignore_index, which has an effect only with .ignore */
}

/* Stores the name of the desc that a builder takes in `desc`; false: there is none. */
static bool takes_desc(const char *name, char *desc, size_t size) {
    for (const char *at = find_word(header, name, true); at; at = find_word(at + 1, name, true)) {
        const char *line = line_of(header, at), *end = strstr(at, ");"), *from, *to;
        if (strncmp(line, "NN_API nn_node", 14) != 0 || !end) continue;
        to = strstr(at, "_desc *");
        if (!to || to > end) return false;
        for (from = to; is_word((unsigned char)from[-1]);) from--;
        to += strlen("_desc");
        if ((size_t)(to - from) >= size) return false;
        memcpy(desc, from, (size_t)(to - from));
        desc[to - from] = 0;
        return true;
    }
    return false;
}

/* A builder of the table that takes a desc has a line with this desc, so that its defaults are
   compared. */
static void descs_are_compared(void) {
    char desc[100];
    int taken = 0;
    for (int i = 0; i < NAMES; i++) {
        const char *ours = golden_names[i].ours;
        bool compared = false;
        if (!ours || !takes_desc(ours, desc, sizeof desc)) continue;
        taken++;
        for (int k = 0; k < NAMES && !compared; k++)
            compared = golden_names[k].desc && strcmp(golden_names[k].desc, desc) == 0;
        if (test_wrong(!compared))
            test_fail(__FILE__, __LINE__, "%s takes a %s, which no line of names.txt compares",
                      ours, desc);
    }
    ENSURE(taken >= 100); /* or declarations have another form */
}

static void comments_are_understood(void) {
    static const char body[] = "\n    int a; /* default: 3; NN_X and NN_Y 1e-2. NN_Z: 5 */\n"
                               "    /* default: true. Of b,\n       not of a */\n    bool b;\n"
                               "    float c, d; /* must be given */\n";
    char comment[200];
    double number = 0;
    ENSURE(read_default(find_comment(body, "a", comment, sizeof comment), "NN_W", &number));
    ENSURE(number == 3);
    ENSURE(read_default(comment, "NN_X", &number) && number == 0.01);
    ENSURE(read_default(comment, "NN_Y", &number) && number == 0.01);
    ENSURE(read_default(comment, "NN_Z", &number) && number == 5);
    ENSURE(read_default(find_comment(body, "b", comment, sizeof comment), "", &number));
    ENSURE(number == 1);
    ENSURE(!read_default(find_comment(body, "d", comment, sizeof comment), "", &number));
    ENSURE(!find_comment(body, "e", comment, sizeof comment));
    ENSURE(!exists("nn_no_such_function") && !exists("NN_NO_SUCH_VALUE") && exists("nn_linear"));
}

/* docs/operations.md says "N of PyTorch's M names". */
static void docs_claim_no_more(int existing) {
    char *page = read_text("docs/operations.md");
    const char *at = page ? strstr(page, " of PyTorch's ") : NULL, *number;
    while (at && (at == page || !isdigit((unsigned char)at[-1])))
        at = strstr(at + 1, " of PyTorch's ");
    number = at;
    while (number && number > page && isdigit((unsigned char)number[-1])) number--;
    if (test_wrong(!at))
        test_fail(__FILE__, __LINE__, "docs/operations.md does not say \"N of PyTorch's M names\"");
    else if (test_wrong(atoi(number) > existing || atoi(number) < existing / 2))
        test_fail(__FILE__, __LINE__, "docs/operations.md says %d of PyTorch's names; there are %d",
                  atoi(number), existing);
    else if (test_wrong(atoi(at + 14) != NAMES))
        test_fail(__FILE__, __LINE__, "docs/operations.md says of %d names; there are %d", atoi(at + 14),
                  (int)NAMES);
    free(page);
}

static void names_are_there(void) {
    int existing = 0, made = 0;
    for (int i = 0; i < NAMES; i++) {
        bool there = golden_names[i].ours && exists(golden_names[i].ours);
        existing += there;
        made += golden_names[i].instead && strncmp(golden_names[i].instead, "made", 4) == 0;
        if (test_wrong(!there && !golden_names[i].instead))
            test_fail(__FILE__, __LINE__, "nn.h has no %s, which names.txt has for torch's %s",
                      golden_names[i].ours, golden_names[i].torch);
        if (test_filter_count)
            printf("     %-36s %s\n", golden_names[i].torch,
                   there ? golden_names[i].ours : golden_names[i].instead);
    }
    printf("     %d of PyTorch's %d names exist, %d more are made of others\n", existing,
           (int)NAMES, made);
    docs_claim_no_more(existing);
}
static void list(void) { names_are_there(); }

/* Adds the public half of a file to `header`. */
static bool read_header(const char *path) {
    char *text = read_text(path), *end, *both;
    end = text ? strstr(text, "stop here if you only want the API") : NULL;
    if (!end) {
        printf("FAIL %s cannot be read; run this in the repository's root\n", path);
        return false;
    }
    *end = 0;
    both = (char *)malloc((header ? strlen(header) : 0) + strlen(text) + 1);
    if (!both) return false;
    strcat(strcpy(both, header ? header : ""), text);
    free(header);
    free(text);
    header = both;
    return true;
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    if (!read_header("nn.h") || !read_header("nn_more.h") || !read_header("nn_sequence.h") ||
        !read_header("nn_quantize.h")) return 1;
    RUN(comments_are_understood);
    RUN(defaults_are_pytorchs);
    RUN(descs_are_compared);
    if (argc > 1 && strcmp(argv[1], "list") == 0)
        RUN(list);
    else
        RUN(names_are_there);
    free(header);
    return test_report();
}
