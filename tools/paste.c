/* tools/paste.c - pastes the parts that an index file names into one drop-in, on stdout.

     paste src/nn.h > nn.h             the index, every #include "room/part" replaced by that part,
                                       once
     paste -g FOLDER ...               parts that are not beside the index are in FOLDER: generated
                                       ones
     paste -a src/nn.h src/nn_group.h  the second one, without the parts that the first one has; -a
                                       may be given several times
     paste -s NAME src/kernels.cl      the same text in C: NAME[] of literals up to 4000 bytes;
                                       NAME_count

   A line of the index that is just the comment CONTENTS becomes a table of contents with line
   numbers of the drop-in: the index's rulers, which are comments that begin with four hyphens, and
   the headers up to the line that says "stop here", each with the first sentence of its first
   comment ("room/part.h - sentence.").

   Parts are looked for beside the index. The tool knows no conditions and no dates: the same
   sources give the same bytes. `#include "nn.h"` (no slash) and #include <...> stay as they are;
   #pragma once goes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS 1000
#define PATH_BYTES 400
#define LITERAL_BYTES 4000
#define ENTRIES 200
#define SENTENCE_BYTES 400
#define COLUMNS 100 /* of the contents */

static char   seen[PARTS][PATH_BYTES];
static int    seen_count;
static const char *generated = ""; /* folder, or none */
typedef struct entry {
    int line;                        /* in the output, from 1, before the contents are put in */
    char name[PATH_BYTES];           /* a header; empty for a ruler */
    char text[SENTENCE_BYTES];
} entry;
static entry  entries[ENTRIES];
static int    entry_count;
static size_t contents_at; /* where the contents go into the output; 0: nowhere */
static int    depth;       /* 1 while the index itself is read */
static int    api = 1;     /* until the index says "stop here": headers are listed */
static int    rarely;      /* an index said that NN__RARELY is NN__COLD */
static char  *output;
static size_t output_length, output_size;
static int    output_lines; /* in output */

static void fail(const char *what, const char *where) {
    fprintf(stderr, "paste: %s: %s\n", where, what);
    exit(1);
}

static int lines_of(const char *text, size_t length) {
    int lines = 0;
    size_t i;
    for (i = 0; i < length; i++) lines += text[i] == '\n';
    return lines;
}

static void put(const char *text, size_t length) {
    if (output_length + length > output_size) {
        output_size = (output_length + length) * 2;
        output = (char *)realloc(output, output_size);
        if (!output) fail("out of memory", "output");
    }
    memcpy(output + output_length, text, length);
    output_length += length;
    output_lines += lines_of(text, length);
}

static void put_text(const char *text) { put(text, strlen(text)); }

/* True if a static function begins in this line, unless the line says how the function is
   compiled. */
static int begins_function(const char *line) {
    const char *open = strchr(line, '('), *is = strchr(line, '=');
    return strncmp(line, "static ", 7) == 0 && strncmp(line, "static inline", 13) != 0 &&
           strncmp(line, "static NN__", 11) != 0 && open && open[1] != '*' && (!is || is > open);
}

/* Puts a line of a part. Static functions get NN__RARELY where it is NN__COLD, as private ones do.
   After the API, every eight blanks before the first letter become a tab, which looks the same
   wherever tabs have their usual width, and one blank stands before the backslash at a line's end:
   this makes nn.h 6 % shorter. */
static void put_line(const char *line) {
    const size_t blanks = strspn(line, " ");
    size_t i, length, end;
    if (rarely && begins_function(line)) {
        put_text("static NN__RARELY ");
        put_text(line + 7);
        return;
    }
    if (!api)
        for (i = 0; i < blanks / 8; i++) put("\t", 1);
    line += api ? 0 : blanks / 8 * 8;
    end = length = strlen(line);
    if (!api && length > 1 && strcmp(line + length - 2, "\\\n") == 0)
        for (end -= 2; end > 1 && line[end - 1] == ' ' && line[end - 2] == ' '; end--) {}
    put(line, end);
    if (end < length) put_text("\\\n");
}

/* Reads the next line with its newline, which is added where the file's last line lacks it; false
   at the end. */
static int read_line(FILE *file, char **line, size_t *size) {
    size_t length = 0;
    int letter;
    while ((letter = fgetc(file)) != EOF) {
        if (length + 3 > *size) {
            *size = *size * 2 + 200;
            *line = (char *)realloc(*line, *size);
            if (!*line) fail("out of memory", "line");
        }
        if (letter != '\r') (*line)[length++] = (char)letter;
        if (letter == '\n') break;
    }
    if (length == 0) return 0;
    if ((*line)[length - 1] != '\n') (*line)[length++] = '\n';
    (*line)[length] = 0;
    return 1;
}

/* Copies room/part out of `#include "room/part"`; false for every other line. */
static int is_part(const char *line, char part[PATH_BYTES]) {
    const char *end;
    line += strspn(line, " \t");
    if (*line++ != '#') return 0;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0) return 0;
    line += 7 + strspn(line + 7, " \t");
    if (*line++ != '"') return 0;
    end = strchr(line, '"');
    if (!end || !memchr(line, '/', (size_t)(end - line))) return 0;
    if (end - line >= PATH_BYTES) fail("a path is too long", line);
    memcpy(part, line, (size_t)(end - line));
    part[end - line] = 0;
    return 1;
}

/* ---- the table of contents ------------------------------------------------------------------- */

static entry *add_entry(void) {
    entry *e;
    if (entry_count == ENTRIES) fail("too many lines of contents", "output");
    e = &entries[entry_count++];
    memset(e, 0, sizeof *e);
    e->line = output_lines + 1;
    return e;
}

/* Reads the title of a ruler of the index, which stands between its hyphens. */
static void add_ruler(const char *line) {
    const char *start = line + strlen("/* ---- "), *end = strstr(start, " ----");
    if (!end || end - start >= SENTENCE_BYTES) fail("a ruler has no end", line);
    memcpy(add_entry()->text, start, (size_t)(end - start));
}

/* Adds the first sentence of a header's first comment, from `start`, where the header was pasted.
   Lines are joined. */
static void add_header(const char *name, size_t start, int line) {
    char head[PATH_BYTES + 10];
    const char *at, *end = output + output_length;
    size_t length = 0;
    entry *e;
    sprintf(head, "/* %s - ", name);
    at = output + start;
    if (output_length - start < strlen(head) || strncmp(at, head, strlen(head)) != 0) return;
    e = add_entry();
    e->line = line;
    strcpy(e->name, name);
    for (at += strlen(head); at + 1 < end && length + 2 < SENTENCE_BYTES; at++) {
        if (at[0] == '*' && at[1] == '/') break;
        if (at[0] == '.' && at[-1] != '.' && (at[1] == ' ' || at[1] == '\n')) break;
        if (*at != ' ' && *at != '\n') e->text[length++] = *at;
        else if (length && e->text[length - 1] != ' ') e->text[length++] = ' ';
    }
    while (length && e->text[length - 1] == ' ') length--;
    e->text[length] = 0;
}

static int by_line(const void *a, const void *b) {
    return ((const entry *)a)->line - ((const entry *)b)->line;
}

/* Writes one entry, its text broken between words. Returns where it ends. The number always takes
   six columns, so that the lines do not depend on it. */
static char *write_entry(char *to, const entry *e, int line) {
    const char *text = e->text;
    int indent = *e->name ? 40 : 8, column = indent;
    if (*e->name) to += sprintf(to, "%6d    %-32s", line, e->name);
    else to += sprintf(to, "%s%6d  ", e > entries && *e[-1].name ? "\n" : "", line);
    while (*text) {
        int word = (int)strcspn(text, " ");
        if (column == indent) column += word;
        else if (column + 1 + word <= COLUMNS) *to++ = ' ', column += 1 + word;
        else to += sprintf(to, "\n%*s", indent, ""), column = indent + word;
        to += sprintf(to, "%.*s", word, text);
        text += word + (text[word] == ' ');
    }
    *to++ = '\n';
    return to;
}

/* Puts the contents where the index wants them. They move what comes after them, hence two passes:
   the first one finds how many lines they have. */
static void insert_contents(void) {
    char *contents = (char *)malloc((size_t)(entry_count + 1) * (PATH_BYTES + SENTENCE_BYTES * 2)),
         *end = contents;
    int pass, i, lines_before = lines_of(output, contents_at), more_lines = 0;
    size_t length = 0;
    if (!contents) fail("out of memory", "contents");
    qsort(entries, (size_t)entry_count, sizeof *entries, by_line);
    for (pass = 0; pass < 2; pass++) {
        end = contents + sprintf(contents, "/* CONTENTS, with the line numbers of this file\n\n");
        for (i = 0; i < entry_count; i++) {
            int line = entries[i].line;
            end = write_entry(end, &entries[i], line > lines_before ? line + more_lines : line);
        }
        end += sprintf(end, "*/\n");
        length = (size_t)(end - contents);
        more_lines = lines_of(contents, length);
    }
    put(contents, length); /* makes room at the end */
    memmove(output + contents_at + length, output + contents_at,
            output_length - length - contents_at);
    memcpy(output + contents_at, contents, length);
    free(contents);
}

/* Pastes a file. from: who asked for it, for the message. */
static void paste(const char *folder, const char *name, const char *from) {
    char path[2 * PATH_BYTES], part[PATH_BYTES], *line = NULL;
    size_t size = 0, start;
    int i, first;
    FILE *file;
    depth++;
    if (strlen(folder) + strlen(name) >= sizeof path) fail("a path is too long", name);
    strcat(strcpy(path, folder), name);
    file = fopen(path, "rb");
    if (!file && *generated && strlen(generated) + strlen(name) + 2 < sizeof path) {
        strcat(strcat(strcpy(path, generated), "/"), name);
        file = fopen(path, "rb");
    }
    if (!file) {
        fprintf(stderr, "paste: cannot open %s, which %s names\n", path, from);
        exit(1);
    }
    while (read_line(file, &line, &size)) {
        if (strcmp(line + strspn(line, " \t"), "#pragma once\n") == 0) continue;
        if (depth == 1 && strcmp(line, "/* CONTENTS */\n") == 0) {
            contents_at = output_length;
            continue;
        }
        if (!is_part(line, part)) {
            if (depth == 1 && strncmp(line, "/* ---- ", 8) == 0) add_ruler(line);
            if (depth == 1 && strstr(line, "stop here")) api = 0;
            if (strncmp(line, "#define NN__RARELY", 18) == 0)
                rarely = strstr(line, "NN__COLD") != NULL;
            put_line(line);
            continue;
        }
        for (i = 0; i < seen_count && strcmp(seen[i], part) != 0; i++) {}
        if (i < seen_count) continue;
        if (seen_count == PARTS) fail("too many parts", path);
        strcpy(seen[seen_count++], part);
        put_text("/* ==== ");
        put_text(part);
        put_text(" ==== */\n");
        start = output_length;
        first = output_lines;
        paste(folder, part, path);
        if (api && part[strlen(part) - 1] == 'h') add_header(part, start, first);
    }
    depth--;
    if (ferror(file)) fail("cannot read", path);
    fclose(file);
    free(line);
}

/* Prints one source line as a literal, with octal numbers for letters that an editor or a compiler
   might misread. */
static void print_literal(const char *text, size_t length) {
    size_t i;
    printf("    \"");
    for (i = 0; i < length; i++) {
        unsigned char letter = (unsigned char)text[i];
        if (letter == '\n') printf("\\n");
        else if (letter == '"' || letter == '\\') printf("\\%c", letter);
        else if (letter == '?' && i > 0 && text[i - 1] == '?') printf("\\?"); /* no trigraphs */
        else if (letter < 32 || letter > 126) printf("\\%03o", letter);
        else putchar(letter);
    }
    printf("\"");
}

static void print_array(const char *name) {
    size_t at = 0, used = 0;
    int count = 1;
    printf("static const char *const %s[] = {\n", name);
    while (at < output_length) {
        const char *end = (const char *)memchr(output + at, '\n', output_length - at);
        size_t length = end ? (size_t)(end - output) - at + 1 : output_length - at;
        if (length > LITERAL_BYTES) fail("a line is longer than a literal may be", name);
        if (used + length > LITERAL_BYTES) {
            printf(",\n");
            count++;
            used = 0;
        } else if (used > 0) {
            printf("\n");
        }
        print_literal(output + at, length);
        used += length;
        at += length;
    }
    printf("\n};\nenum { %s_count = %d };\n", name, count);
}

/* Pastes an index, from the folder in which it is. */
static void paste_index(const char *index) {
    char folder[PATH_BYTES] = "";
    const char *slash = strrchr(index, '/');
    if (slash && slash - index + 1 >= PATH_BYTES) fail("a path is too long", index);
    if (slash) memcpy(folder, index, (size_t)(slash - index + 1));
    paste(folder, slash ? slash + 1 : index, "the command line");
}

int main(int argc, char **argv) {
    const char *index, *before[ENTRIES], *array = NULL;
    int before_count = 0;
    int i;
    for (i = 1; i + 2 < argc && before_count < ENTRIES; i += 2) {
        if (strcmp(argv[i], "-g") == 0) generated = argv[i + 1];
        else if (strcmp(argv[i], "-a") == 0) before[before_count++] = argv[i + 1];
        else if (strcmp(argv[i], "-s") == 0) array = argv[i + 1];
        else break;
    }
    if (i + 1 != argc || argv[i][0] == '-') {
        fprintf(stderr, "usage: paste [-g FOLDER] [-a INDEX] [-s NAME] index > drop-in or text\n");
        return 1;
    }
    index = argv[i];
    for (int k = 0; k < before_count; k++) {
        paste_index(before[k]);
        output_length = contents_at = 0;
        output_lines = entry_count = 0;
        api = 1;
        rarely = 0;
    }
    put_text("/* GENERATED by `make` from ");
    put_text(index);
    put_text(" - edit that, not this. */\n");
    paste_index(index);
    if (contents_at) insert_contents();
    if (array) {
        printf("/* GENERATED by `make` from %s - edit that, not this. */\n#pragma once\n", index);
        print_array(array);
    } else {
        fwrite(output, 1, output_length, stdout);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) fail("cannot write", "stdout");
    free(output);
    return 0;
}
