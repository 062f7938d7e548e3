/* tools/paste.c - pastes the parts that an index file names into one drop-in, on stdout.

     paste src/nn.h > nn.h                   the index, every #include "room/part" replaced by that part, once
     paste -s NAME src/kernels.cl > text.c   the same text in C: NAME[] of literals up to 4000 bytes; NAME_count
     paste -g FOLDER src/nn.h > nn.h         parts that are not beside the index are in FOLDER: generated ones

   Parts are looked for beside the index. It knows no conditions, dates, options: same sources, same bytes.
   `#include "nn.h"` (no slash) and #include <...> stay as they are; #pragma once goes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS 1000
#define PATH_BYTES 400
#define LITERAL_BYTES 4000

static char   seen[PARTS][PATH_BYTES];
static int    seen_count;
static const char *generated = ""; /* folder, or none */
static char  *output;
static size_t output_length, output_size;

static void fail(const char *what, const char *where) {
    fprintf(stderr, "paste: %s: %s\n", where, what);
    exit(1);
}

static void put(const char *text, size_t length) {
    if (output_length + length > output_size) {
        output_size = (output_length + length) * 2;
        output = (char *)realloc(output, output_size);
        if (!output) fail("out of memory", "output");
    }
    memcpy(output + output_length, text, length);
    output_length += length;
}

static void put_text(const char *text) { put(text, strlen(text)); }

/* The next line with its newline, which is added where the file's last line lacks it; false at the end. */
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

/* from: who asked for the file, for the message. */
static void paste(const char *folder, const char *name, const char *from) {
    char path[2 * PATH_BYTES], part[PATH_BYTES], *line = NULL;
    size_t size = 0;
    int i;
    FILE *file;
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
        if (!is_part(line, part)) {
            put_text(line);
            continue;
        }
        for (i = 0; i < seen_count && strcmp(seen[i], part) != 0; i++) {}
        if (i < seen_count) continue;
        if (seen_count == PARTS) fail("too many parts", path);
        strcpy(seen[seen_count++], part);
        put_text("/* ==== ");
        put_text(part);
        put_text(" ==== */\n");
        paste(folder, part, path);
    }
    if (ferror(file)) fail("cannot read", path);
    fclose(file);
    free(line);
}

/* One source line as a literal; octal for what an editor or a compiler might take otherwise. */
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

int main(int argc, char **argv) {
    int text = argc == 4 && strcmp(argv[1], "-s") == 0, with_generated = argc == 4 && strcmp(argv[1], "-g") == 0;
    const char *index, *slash;
    char folder[PATH_BYTES] = "";
    if (!text && !with_generated && (argc != 2 || argv[1][0] == '-')) {
        fprintf(stderr, "usage: paste [-g FOLDER] index > drop-in, or: paste -s NAME index > text\n");
        return 1;
    }
    if (with_generated) generated = argv[2];
    index = argv[argc - 1];
    slash = strrchr(index, '/');
    if (slash && slash - index + 1 >= PATH_BYTES) fail("a path is too long", index);
    if (slash) memcpy(folder, index, (size_t)(slash - index + 1));
    put_text("/* GENERATED by `make` from ");
    put_text(index);
    put_text(" - edit that, not this. */\n");
    paste(folder, slash ? slash + 1 : index, "the command line");
    if (text) {
        printf("/* GENERATED by `make` from %s - edit that, not this. */\n#pragma once\n", index);
        print_array(argv[2]);
    } else {
        fwrite(output, 1, output_length, stdout);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) fail("cannot write", "stdout");
    free(output);
    return 0;
}
