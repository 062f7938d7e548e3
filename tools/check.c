/* tools/check.c - the rules of the house that can be read off the sources. `make check` runs it; it
   compiles nothing.

     check src          prints one line for each breach, then a table of lines per room; exit 1 if
   there was a breach

   It knows C only as far as comments, literals, words and braces. Compilers and nm check the rest:
   tools/check.sh. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 100
#define LINES 500
#define PATH_BYTES 400
#define WORD_BYTES 200
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* The floors, top to bottom: a room includes only itself and rooms before it. In kernels/ the role
   decides: cpu*.c and cpu*.h belong to cpu/, opencl* to opencl/, cases.h to self_test/. reference.h
   belongs to the tests and is in no drop-in. All other files, such as arguments, belong to
   device/. */
static const char *const floors[] = {"base",  "device", "tensor", "cpu",   "program",
                                     "graph", "ops",    "plan",   "model", "train",
                                     "group", "more", "sequence", "quantize", "self_test"};
enum {
    FLOOR_TESTS = -3,
    FLOOR_OPENCL = -2,
    FLOOR_UNKNOWN = -1,
    FLOOR_DEVICE = 1,
    FLOOR_CPU = 3,
    FIRST_WITHOUT_DEVICE_NAMES = 4,
    /* Rooms that are plugged in and know no device. They see the public half of nn.h and the rooms
       before them in this list. */
    FLOOR_TEXT = 100,
    FLOOR_LANGUAGE,
    FLOOR_ONNX, /* this one and the next know nothing of the others */
    FLOOR_AUDIO
};

static const char *const device_words[] = {"cpu",  "gpu",  "opencl", "cuda",   "vulkan", "metal",
                                           "cl",   "avx",  "avx2",   "avx512", "neon",   "sse",
                                           "simd", "pocl", "nvidia", "amd"};
/* The words that rooms above the CPU may use all the same: they name the host, where the caller's
   arrays are. */
static const char *const device_exceptions[] = {"nn_cpu", "NN_CPU", "NN_NO_SIMD"};

/* Calls that no part may contain: they print, end the program, or keep state that all contexts
   would share. */
static const char *const forbidden[] = {
    "printf",    "fprintf", "sprintf",  "snprintf",      "vprintf",  "vfprintf",     "vsprintf",
    "vsnprintf", "puts",    "putchar",  "putc",          "scanf",    "sscanf",       "fscanf",
    "gets",      "abort",   "exit",     "_exit",         "_Exit",    "quick_exit",   "signal",
    "sigaction", "raise",   "atexit",   "setjmp",        "longjmp",  "rand",         "srand",
    "random",    "time",    "clock",    "localtime",     "gmtime",   "getenv",       "setenv",
    "system",    "strtok",  "strerror", "strdup",        "alloca",   "assert",       "setlocale",
    "strtod",    "atof",    "atoi",     "_Thread_local", "__thread", "thread_local", "restrict",
    "goto_",     "_Atomic", "_Generic"};
static const char *const memory_calls[] = {"malloc", "calloc",        "realloc",
                                           "free",   "aligned_alloc", "posix_memalign"};
static const char *const stdio_calls[] = {"fopen",  "fread",  "fwrite", "fclose", "fseek",
                                          "ftell",  "fflush", "rename", "remove", "FILE",
                                          "stderr", "stdout", "fputs",  "fputc",  "fileno"};
/* Macros that belong to systems and must be set before their headers. */
static const char *const foreign_macros[] = {
    "WIN32_LEAN_AND_MEAN",      "NOMINMAX",
    "_POSIX_C_SOURCE",          "_GNU_SOURCE",
    "CL_TARGET_OPENCL_VERSION", "CL_USE_DEPRECATED_OPENCL_1_2_APIS"};
/* Structs and enums of systems that parts may name. */
static const char *const foreign_tags[] = {"timespec", "stat"};
/* The folder of compiled programs is where the system says; rename and remove are members of
   nn_files there. */
static const char *const cache_words[] = {"getenv", "rename", "remove"};
static const char *const hostile[] = {"min",       "max",  "near", "far", "small",
                                      "interface", "Bool", "None", "I"};

typedef struct source {
    char  path[PATH_BYTES]; /* src/room/part, src/room/folder/part */
    char  name[PATH_BYTES]; /* without src/ */
    int   floor;            /* or FLOOR_UNKNOWN, FLOOR_OPENCL */
    int   kernels;
    char *text; /* comments blanked, ends with zero */
    char *index;
} source;

static int breaches;
/* The indexes, and the rooms whose parts they name. All other rooms are in the first index, except
   for parts that nn_more.h, nn_sequence.h or nn_quantize.h names. */
static struct { const char *name, *rooms[3]; char *text; } indexes[] = {
    {"nn.h", {NULL}, NULL},
    {"nn_opencl.h", {"opencl/"}, NULL},
    {"nn_mpi.h", {"mpi/"}, NULL},
    {"nn_group.h", {"group/"}, NULL},
    {"nn_more.h", {"more/"}, NULL},
    {"nn_sequence.h", {"sequence/"}, NULL},
    {"nn_quantize.h", {"quantize/"}, NULL},
    {"nn_self_test.h", {"self_test/"}, NULL},
    {"nn_text.h", {"text/", "language/"}, NULL},
    {"nn_onnx.h", {"onnx/"}, NULL},
    {"nn_audio.h", {"audio/"}, NULL}};
static struct {
    char name[40];
    int files, code, comments, blank, longest;
    char longest_name[100];
} rooms[64];
static int room_count;

static void breach(const source *s, int line, const char *what, const char *word) {
    breaches++;
    printf("%s:%d: ", s->path, line);
    printf(what, word);
    printf("\n");
}

static int among(const char *word, const char *const *list, int count) {
    int i;
    for (i = 0; i < count; i++)
        if (strcmp(word, list[i]) == 0) return 1;
    return 0;
}

static int starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    size_t length = 0, size = 1 << 16;
    char *text = (char *)malloc(size + 1);
    if (!file || !text) {
        if (file) fclose(file);
        free(text);
        return NULL;
    }
    for (;;) {
        size_t got = fread(text + length, 1, size - length, file);
        length += got;
        if (got == 0) break;
        if (length == size) {
            char *more = (char *)realloc(text, 2 * size + 1);
            if (!more) break;
            text = more;
            size *= 2;
        }
    }
    fclose(file);
    text[length] = 0;
    return text;
}

/* ---- lines: columns, trailing space, paths of a machine, counts ------------------------------ */

static void check_lines(const source *s, const char *raw, int room) {
    int line = 1, in_comment = 0, all = 0, wide = 0, first_wide = 0;
    const char *at = raw;
    while (*at) {
        const char *end = strchr(at, '\n'), *c;
        size_t length = end ? (size_t)(end - at) : strlen(at);
        size_t columns = 0;
        int code = 0, comment = in_comment;
        for (c = at; c < at + length; c++)
            columns += ((unsigned char)*c & 0xc0) != 0x80; /* UTF-8 */
        if (columns > COLUMNS && wide++ == 0) first_wide = line;
        if (length && (at[length - 1] == ' ' || at[length - 1] == '\t'))
            breach(s, line, "ends with white space%s", "");
        if (memchr(at, '\t', length)) breach(s, line, "a tab%s", "");
        if (memchr(at, '\r', length)) breach(s, line, "a carriage return%s", "");
        for (c = at; c + 6 < at + length; c++)
            if ((c == at || strchr("\" '(=", c[-1])) &&
                (starts(c, "/home/") || starts(c, "/work/") || starts(c, "/root/") ||
                 starts(c, "/tmp/") || starts(c, "/Users/") || starts(c, "/usr/") ||
                 starts(c, "C:\\")))
                breach(s, line, "a path of one machine%s", "");
        for (c = at; c < at + length; c++) {
            if (in_comment) {
                if (c[0] == '*' && c + 1 < at + length && c[1] == '/') in_comment = 0, c++;
            } else if (c[0] == '/' && c + 1 < at + length && c[1] == '*')
                in_comment = 1, comment = 1, c++;
            else if (c[0] == '/' && c + 1 < at + length && c[1] == '/') { comment = 1; break; }
            else if (!isspace((unsigned char)*c)) code = 1;
        }
        if (code) rooms[room].code++;
        else if (comment) rooms[room].comments++;
        else rooms[room].blank++;
        all++;
        line++;
        at += length + (end != NULL);
    }
    if (wide) {
        breaches++;
        printf("%s:%d: %d lines longer than %d columns, this one first\n", s->path, first_wide,
               wide, COLUMNS);
    }
    if (at > raw && at[-1] != '\n') breach(s, line, "no newline at the end of the file%s", "");
    if (all > LINES) {
        printf("%s: %d lines; a part has at most %d: split it\n", s->path, all, LINES);
        breaches++;
    }
    if (all > rooms[room].longest) {
        rooms[room].longest = all;
        strncpy(rooms[room].longest_name, strrchr(s->path, '/') + 1,
                sizeof rooms[room].longest_name - 1);
    }
    rooms[room].files++;
}

/* Comments become spaces; newlines and literals stay. */
static void blank_comments(char *text) {
    char *c = text;
    while (*c) {
        if (*c == '"' || *c == '\'') {
            char quote = *c++;
            while (*c && *c != quote && *c != '\n') c += c[0] == '\\' && c[1] ? 2 : 1;
            if (*c) c++;
        } else if (c[0] == '/' && c[1] == '*') {
            while (*c && !(c[0] == '*' && c[1] == '/')) {
                if (*c != '\n') *c = ' ';
                c++;
            }
            if (*c) c[0] = c[1] = ' ', c += 2;
        } else if (c[0] == '/' && c[1] == '/') {
            while (*c && *c != '\n') *c++ = ' ';
        } else c++;
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Returns the piece of the word between underscores, in lower case, that names a device; NULL: none
   does. */
static const char *device_in(const char *word) {
    static char piece[WORD_BYTES];
    while (*word) {
        size_t length = strcspn(word, "_"), i;
        if (length > 0 && length < sizeof piece) {
            for (i = 0; i < length; i++) piece[i] = (char)tolower((unsigned char)word[i]);
            piece[length] = 0;
            if (among(piece, device_words, COUNT(device_words))) return piece;
        }
        word += length + (word[length] == '_');
    }
    return NULL;
}

/* The rooms that describe, plan and train: what they need of a device is in device/ and
   kernels/. */
static int knows_no_device(const source *s) { return s->floor >= FIRST_WITHOUT_DEVICE_NAMES; }

static void check_device_word(const source *s, int line, const char *word, int in_text) {
    const char *found;
    if (!knows_no_device(s)) return;
    if (!in_text && among(word, device_exceptions, COUNT(device_exceptions))) return;
    found = device_in(word);
    if (found)
        breach(s, line,
               in_text ? "names the device \"%s\" in a text: this room knows no device"
                       : "names a device, \"%s\": this room knows no device",
               word);
}

static void check_word(const source *s, int line, const char *word, const char *next) {
    const char *first = next - strlen(word);
    int member = first - s->text >= 2 && first[-2] == '-' &&
                 first[-1] == '>'; /* files->rename(...) is the host's own */
    int is_call;
    while (*next == ' ') next++;
    is_call = *next == '(' && !member;
    if (s->kernels) { /* min and max are OpenCL C's own, and no user's header comes before them */
        if (is_call && strcmp(word, "tanh") == 0 && strcmp(s->path, "src/opencl/common.cl") != 0)
            breach(s, line, "\"%s\" of infinity is below 1 on PoCL: call nn_tanh", word);
        return;
    }
    if (among(word, hostile, COUNT(hostile)))
        breach(s, line, "\"%s\" is a macro in some users' headers", word);
    if (strcmp(s->path, "src/opencl/cache.c") == 0 && among(word, cache_words, COUNT(cache_words)))
        return;
    if (strcmp(word, "_Generic") == 0 && strcmp(s->path, "src/train/dataset.h") == 0)
        return; /* NN_DATA: where the compiler has it, and for users only */
    if (among(word, forbidden, COUNT(forbidden)) &&
        (is_call || word[0] == '_' || strcmp(word, "restrict") == 0))
        breach(s, line, "\"%s\" is forbidden in the library", word);
    if (among(word, memory_calls, COUNT(memory_calls)) && is_call &&
        strcmp(s->path, "src/base/memory.c") != 0)
        breach(s, line, "\"%s\" outside base/memory.c: memory comes from nn__allocate", word);
    if (among(word, stdio_calls, COUNT(stdio_calls)) &&
        (is_call || isupper((unsigned char)word[0])) && strcmp(s->path, "src/base/file.c") != 0 &&
        strcmp(s->path, "src/base/writer.c") != 0)
        breach(s, line, "\"%s\" outside base/file.c and base/writer.c", word);
    check_device_word(s, line, word, 0);
}

/* Returns the floor of "room/part" or "kernels/family/role". */
static int floor_of(const char *name) {
    int i;
    if (starts(name, "opencl/") || starts(name, "mpi/")) return FLOOR_OPENCL; /* plugged in */
    if (starts(name, "text/")) return FLOOR_TEXT;
    if (starts(name, "language/")) return FLOOR_LANGUAGE;
    if (starts(name, "onnx/")) return FLOOR_ONNX;
    if (starts(name, "audio/")) return FLOOR_AUDIO;
    if (starts(name, "kernels/")) {
        const char *role = strrchr(name, '/') + 1;
        return starts(role, "cpu")                ? FLOOR_CPU
               : starts(role, "vector")           ? FLOOR_CPU
               : starts(role, "plain")            ? FLOOR_CPU
               : starts(role, "opencl")           ? FLOOR_OPENCL
               : strcmp(role, "reference.h") == 0 ? FLOOR_TESTS
               : strcmp(role, "cases.h") == 0     ? floor_of("self_test/")
                                                  : FLOOR_DEVICE;
    }
    for (i = 0; i < COUNT(floors); i++)
        if (starts(name, floors[i]) && name[strlen(floors[i])] == '/') return i;
    return FLOOR_UNKNOWN;
}

/* Checks floors and what indexes name; `text` begins with "include". */
static void check_include(const source *s, int line, const char *text) {
    const char *open = strpbrk(text, "\"<\n"), *end;
    char room[WORD_BYTES];
    size_t length;
    int floor;
    if (!open || *open != '"') {
        if (open && *open == '<' && starts(open, "<stdio.h>") &&
            strcmp(s->path, "src/base/file.c") != 0 &&
            strcmp(s->path, "src/base/writer.c") != 0)
            breach(s, line, "<stdio.h> outside base/file.c and base/writer.c%s", "");
        return;
    }
    end = strchr(open + 1, '"');
    if (!end || end - open >= WORD_BYTES) return;
    length = (size_t)(end - open - 1);
    memcpy(room, open + 1, length);
    room[length] = 0;
    floor = floor_of(room);
    if (s->floor == FLOOR_OPENCL) {
        if (strcmp(room, starts(s->name, "mpi/") ? "nn_group.h" : "nn.h") != 0 &&
            floor != FLOOR_OPENCL)
            breach(s, line, "what is plugged in includes only \"nn.h\" (mpi/: \"nn_group.h\") "
                   "and itself, not \"%s\"", room);
        return;
    }
    if (s->floor == FLOOR_ONNX || s->floor == FLOOR_AUDIO) {
        if (floor != s->floor && strcmp(room, "nn.h") != 0 && strcmp(room, "nn_sequence.h") != 0 &&
            (s->floor != FLOOR_ONNX ||
             (strcmp(room, "nn_more.h") != 0 && strcmp(room, "nn_quantize.h") != 0)))
            breach(s, line, "onnx/ and audio/ include only \"nn.h\", nn_sequence.h (onnx/: also "
                   "nn_more.h and nn_quantize.h) and themselves, not \"%s\"", room);
        return;
    }
    if (s->floor >= FLOOR_TEXT) {
        if (strcmp(room, "nn.h") != 0 && strcmp(room, "nn_sequence.h") != 0 &&
            (floor < FLOOR_TEXT || floor > s->floor))
            breach(s, line, "text/ includes only \"nn.h\", nn_sequence.h and itself, language/ also "
                   "text/, not \"%s\"", room);
        return;
    }
    if (!strchr(room, '/')) {
        breach(s, line, "\"%s\" is no \"room/part\"", room);
        return;
    }
    /* Users never see private headers, so no header of the API may need one. */
    if (strstr(s->index, "stop here") && strstr(room, "/private.h")) {
        char quoted[PATH_BYTES];
        const char *half = strstr(s->index, "stop here"), *named;
        sprintf(quoted, "\"%.390s\"", s->name);
        named = strstr(s->index, quoted);
        if (named && named < half) breach(s, line, "a header of the API includes \"%s\"", room);
    }
    if (floor < 0) breach(s, line, "\"%s\" is in no room of the list", room);
    else if (knows_no_device(s) && floor == FLOOR_CPU)
        breach(s, line, "\"%s\" is a device's: this room knows no device", room);
    else if (floor > s->floor)
        breach(s, line,
               "\"%s\" is a lower floor: a room includes only itself and those above it", room);
}

/* Checks the name of a macro; `text` begins with "define". */
static void check_define(const source *s, int line, const char *text) {
    char word[WORD_BYTES];
    size_t length;
    text += 6 + strspn(text + 6, " ");
    length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_");
    if (length >= WORD_BYTES) length = WORD_BYTES - 1;
    memcpy(word, text, length);
    word[length] = 0;
    if (!starts(word, "NN_") && !starts(word, "nn_") &&
        !among(word, foreign_macros, COUNT(foreign_macros)))
        breach(s, line, "macro \"%s\" does not start with NN_ or nn_", word);
}

/* Checks a directive, which begins after the #. */
static void check_directive(const source *s, int line, const char *text) {
    while (*text == ' ') text++;
    if (starts(text, "include")) check_include(s, line, text);
    else if (starts(text, "define")) check_define(s, line, text);
}

/* Checks the words of a directive, not its braces. `c` begins after its #; returns its end. */
static const char *check_words_of_directive(const source *s, int *line, const char *c) {
    char word[WORD_BYTES];
    while (*c && *c != '\n') {
        if (c[0] == '\\' && c[1] == '\n') ++*line, c += 2;
        else if (isalpha((unsigned char)*c) || *c == '_') {
            size_t length = 0;
            while (isalnum((unsigned char)c[length]) || c[length] == '_') length++;
            if (length < sizeof word) {
                memcpy(word, c, length);
                word[length] = 0;
                if (s->floor >= 0 || s->kernels) check_word(s, *line, word, c + length);
            }
            c += length;
        } else if (*c == '"') {
            c++;
            while (*c && *c != '"' && *c != '\n') c++;
            if (*c == '"') c++;
        } else if (*c == '<' && strstr(s->text, "#")) { /* <header.h> */
            const char *end = strpbrk(c, ">\n");
            c = end && *end == '>' && memchr(c, '.', (size_t)(end - c)) ? end : c + 1;
        } else c++;
    }
    return c;
}

/* Checks the words of the literal at `c`; returns its end. */
static const char *check_literal(const source *s, int line, const char *c) {
    const char quote = *c++;
    char word[WORD_BYTES];
    while (*c && *c != quote && *c != '\n') {
        if (*c == '\\' && c[1]) c += 2;
        else if (isalpha((unsigned char)*c)) {
            size_t length = 0;
            while (isalnum((unsigned char)c[length])) length++;
            if (quote == '"' && length < sizeof word) {
                memcpy(word, c, length);
                word[length] = 0;
                if (s->floor >= 0) check_device_word(s, line, word, 1);
            }
            c += length;
        } else c++;
    }
    return *c == quote ? c + 1 : c;
}

/* Checks the blanked text in one walk: words, literals, directives, tags and the constants of
   enums. */
static void check_text(const source *s) {
    const char *c = s->text;
    char word[WORD_BYTES], last[WORD_BYTES] = "";
    int line = 1, depth = 0, line_start = 1;
    int enum_depth = -1, entry = 0; /* inside enum { }: its brace depth; an entry begins here */
    int waiting = 0;                /* "enum" was seen, its { not yet */
    int blocks = 0; /* open extern "C++" { blocks, which are no depth of their own */
    while (*c) {
        if (*c == '\n') line++, line_start = 1, c++;
        else if (*c == ' ') c++;
        else if (*c == '#' && line_start) {
            check_directive(s, line, c + 1);
            line_start = 0;
            c = check_words_of_directive(s, &line, c + 1);
        } else if (*c == '"' || *c == '\'') {
            line_start = 0;
            c = check_literal(s, line, c);
            strcpy(last, "\"");
        } else if (isalpha((unsigned char)*c) || *c == '_') {
            size_t length = 0;
            line_start = 0;
            while (isalnum((unsigned char)c[length]) || c[length] == '_') length++;
            if (length >= sizeof word) {
                breach(s, line, "a word longer than this tool can hold%s", "");
                length = sizeof word - 1;
            }
            memcpy(word, c, length);
            word[length] = 0;
            check_word(s, line, word, c + length);
            if (depth - blocks == 0 &&
                (strcmp(last, "struct") == 0 || strcmp(last, "enum") == 0 ||
                 strcmp(last, "union") == 0) &&
                !starts(word, "nn_") && strcmp(word, "NN__") != 0 && /* NN__(name) */
                !among(word, foreign_tags, COUNT(foreign_tags)))
                breach(s, line, "\"%s\" does not start with nn_", word);
            if (enum_depth == depth && entry && depth - blocks == 1 && !starts(word, "NN_") &&
                !starts(word, "nn__"))
                breach(s, line, "enum constant \"%s\" does not start with NN_", word);
            entry = 0;
            if (strcmp(word, "enum") == 0) waiting = 1;
            strcpy(last, word);
            c += length;
        } else {
            line_start = 0;
            if (*c == '{') {
                depth++;
                if (strcmp(last, "\"") == 0) blocks++; /* extern "C++" { */
                if (waiting) enum_depth = depth, entry = 1, waiting = 0;
            } else if (*c == '}') {
                if (enum_depth == depth) enum_depth = -1;
                depth--;
                if (depth < blocks) blocks = depth > 0 ? depth : 0;
            } else if (*c == ',' && enum_depth == depth) entry = 1;
            else if (*c == ';' || *c == ')' || *c == '(') waiting = 0;
            last[0] = *c;
            last[1] = 0;
            c++;
        }
    }
}

/* ---- calls: a room calls, or names, only functions of itself and of the rooms above it ------- */

static struct { char *name; int floor; } functions[10000];
static int function_count;
static source kept[1000]; /* every part, with its blanked text */
static int kept_count;
/* Declares how a kernel gets into a program: the only private functions of a device that the rooms
   without devices call. */
static const char installs[] = "kernels/install"; /* .h, _more.h, _quantize.h */
/* "room/part function": declarations of the API that stand where users look for them, although
   their functions need a lower floor; nothing above calls them. The last one is the only way from
   train/ to group/. */
static const char *const known_calls[] = {"device/backend.h nn_use_all_kernels",
                                          "device/context.h nn_instruction_set_name",
                                          "device/context.h nn_open",
                                          "device/context.h nn_thread_count",
                                          "graph/model.h nn_detach_at",
                                          "graph/model.h nn_transfer_at",
                                          "train/sharing.h nn__group_table"};

static size_t word_at(const char *c) {
    size_t length = 0;
    while (isalnum((unsigned char)c[length]) || c[length] == '_') length++;
    return length;
}

/* Returns the place after a directive with its continued lines, a literal, or one letter. */
static const char *step_over(const char *c, const char *text) {
    if (*c == '#' && (c == text || c[-1] == '\n')) {
        while (*c && *c != '\n') c += c[0] == '\\' && c[1] ? 2 : 1;
        return c;
    }
    if (*c == '"' || *c == '\'') {
        char quote = *c++;
        while (*c && *c != quote && *c != '\n') c += c[0] == '\\' && c[1] ? 2 : 1;
        return *c ? c + 1 : c;
    }
    return c + 1;
}

/* Collects the functions that a part defines: nn_name ( ... ) { outside of every brace. */
static void collect_functions(const source *s) {
    const char *c = s->text;
    int depth = 0;
    while (*c) {
        size_t length = word_at(c);
        if (length == 0) {
            depth += (*c == '{') - (*c == '}');
            c = step_over(c, s->text);
            continue;
        }
        if (depth == 0 && starts(c, "nn_") && c[length] == '(' &&
            function_count < COUNT(functions)) {
            const char *end = c + length + 1;
            int open = 1;
            for (; *end && open; end++) open += (*end == '(') - (*end == ')');
            end += strspn(end, " \n");
            if (*end == '{') {
                char *name = (char *)malloc(length + 1);
                if (!name) return;
                memcpy(name, c, length);
                name[length] = 0;
                functions[function_count].name = name;
                functions[function_count++].floor = s->floor;
            }
        }
        c += length;
    }
}

static int by_function(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b); /* the name comes first in the struct */
}

static void check_calls(const source *s) {
    const char *c = s->text;
    char word[WORD_BYTES], call[PATH_BYTES + WORD_BYTES];
    int line = 1;
    while (*c) {
        size_t length = word_at(c);
        if (length == 0) {
            const char *next = step_over(c, s->text);
            for (; c < next; c++) line += *c == '\n';
            continue;
        }
        if (starts(c, "nn_") && length < sizeof word) {
            char *key = word;
            const void *found;
            memcpy(word, c, length);
            word[length] = 0;
            found =
                bsearch(&key, functions, (size_t)function_count, sizeof functions[0], by_function);
            sprintf(call, "%s %s", s->name, word);
            if (found && (const char *)found >= (const char *)functions) {
                size_t i =
                    (size_t)((const char *)found - (const char *)functions) / sizeof functions[0];
                if (functions[i].floor > s->floor && s->floor >= 0 &&
                    !starts(s->name, installs) &&
                    !among(call, known_calls, COUNT(known_calls)))
                    breach(s, line, "calls \"%s\", which is of a lower floor", word);
                if (functions[i].floor == FLOOR_CPU && knows_no_device(s) &&
                    starts(word, "nn__") && !starts(word, "nn__install_"))
                    breach(s, line, "calls \"%s\", which is a device's: this room knows no device",
                           word);
            }
        }
        c += length;
    }
}

static void check_all_calls(void) {
    int i;
    for (i = 0; i < kept_count; i++)
        if (kept[i].floor >= 0 && !kept[i].kernels) collect_functions(&kept[i]);
    qsort(functions, (size_t)function_count, sizeof functions[0], by_function);
    for (i = 0; i < kept_count; i++) {
        check_calls(&kept[i]);
        free(kept[i].text);
    }
    for (i = 0; i < function_count; i++) free(functions[i].name);
}

/* ---- files ----------------------------------------------------------------------------------- */

static int ends(const char *text, const char *with) {
    size_t a = strlen(text), b = strlen(with);
    return a >= b && strcmp(text + a - b, with) == 0;
}

/* True if the words of `phrase` stand at `at`, with any white space between them. * in the phrase
   stands for one word; the letter case of the first letter does not matter. */
static int stands_at(const char *at, const char *phrase) {
    if (tolower((unsigned char)*at) != tolower((unsigned char)*phrase)) return 0;
    for (at++, phrase++; *phrase; ) {
        if (*phrase == ' ') {
            if (!isspace((unsigned char)*at)) return 0;
            at += strspn(at, " \n");
            phrase++;
        } else if (*phrase == '*') {
            at += strcspn(at, " \n");
            phrase++;
        } else if (*at++ != *phrase++) return 0;
    }
    return !isalnum((unsigned char)*at);
}

/* Comments say what a part is and why, in full sentences; they do not say what it refuses, nor what
   to read next. */
static void check_phrases(const source *s, const char *raw) {
    static const char *const phrases[] = {"refuses to", "refuse to", "read * next", "next: *"};
    int i, line = 1;
    size_t at;
    for (at = 0; raw[at]; at++) {
        if (raw[at] == '\n') line++;
        if (raw[at] == s->text[at] || (at && isalpha((unsigned char)raw[at - 1])))
            continue; /* not a comment's word */
        for (i = 0; i < COUNT(phrases); i++)
            if (stands_at(raw + at, phrases[i]))
                breach(s, line, "a comment says \"%s\": say what the part does, in a full sentence",
                       phrases[i]);
    }
}

/* Returns the text of the index that names the parts of this room. kernels/.../opencl.c is in the
   index of opencl/. */
static char *index_of(const source *s) {
    static const char *const some[] = {"nn_more.h", "nn_sequence.h", "nn_quantize.h"};
    const char *name = s->floor == FLOOR_OPENCL && starts(s->name, "kernels/") ? "opencl/" : s->name;
    char quoted[PATH_BYTES + 2];
    int i, j;
    for (i = 1; i < COUNT(indexes); i++)
        for (j = 0; j < COUNT(indexes[i].rooms) && indexes[i].rooms[j]; j++)
            if (starts(name, indexes[i].rooms[j])) return indexes[i].text;
    sprintf(quoted, "\"%s\"", s->name);
    for (i = 1; i < COUNT(indexes); i++)
        if (among(indexes[i].name, some, COUNT(some)) && strstr(indexes[i].text, quoted))
            return indexes[i].text;
    return indexes[0].text;
}

static void check_part(const char *folder, const char *room_name, const char *part, int room) {
    source s;
    char quoted[PATH_BYTES];
    char *raw;
    if (strlen(folder) + strlen(room_name) + strlen(part) + 10 > sizeof s.path) {
        printf("%s/%s: a name longer than this tool can hold\n", room_name, part);
        breaches++;
        return;
    }
    sprintf(s.path, "%s/%s/%s", folder, room_name, part);
    strcpy(s.name, s.path + strlen(folder) + 1);
    s.kernels = ends(part, ".cl");
    s.floor = floor_of(s.name);
    s.index = index_of(&s);
    raw = read_file(s.path);
    s.text = raw ? read_file(s.path) : NULL;
    if (!raw || !s.text) {
        printf("%s: cannot read\n", s.path);
        breaches++;
        free(raw);
        return;
    }
    if (s.floor == FLOOR_UNKNOWN) breach(&s, 1, "\"%s\" is no room of the list", room_name);
    check_lines(&s, raw, room);
    blank_comments(s.text);
    check_phrases(&s, raw);
    if (s.floor != FLOOR_TESTS) check_text(&s);
    if (ends(part, ".c")) {
        const char *role = starts(part, "cpu") ? "cpu.c" : starts(part, "opencl") ? "opencl.c" : part;
        /* for a family's folder the index names the role, see tools/families.c */
        if (starts(s.name, "kernels/")) sprintf(quoted, "\"kernels/%.390s\"", role);
        else sprintf(quoted, "\"%.390s\"", s.name);
        if (!strstr(s.index, quoted))
            breach(&s, 1, "no index names %s, so no drop-in has it", quoted);
    }
    if (!starts(raw, "/*"))
        breach(&s, 1, "does not open with a comment that says what it is%s", "");
    /* what is compiled for each instruction set is included once for each */
    if (ends(part, ".h") && !strstr(raw, "#pragma once") && strcmp(part, "manual.h") != 0 &&
        !strstr(raw, "NN__SET"))
        breach(&s, 1, "a header without #pragma once%s", "");
    free(raw);
    if (kept_count < COUNT(kept)) kept[kept_count++] = s;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names in a folder, sorted: the order of readdir is the file system's. */
static int list(const char *folder, char ***names) {
    DIR *directory = opendir(folder);
    struct dirent *entry;
    int count = 0;
    *names = NULL;
    if (!directory) return 0;
    while ((entry = readdir(directory)) != NULL) {
        char **more = (char **)realloc(*names, sizeof(char *) * (size_t)(count + 1));
        if (!more) break;
        *names = more;
        if (entry->d_name[0] == '.') continue;
        more[count] = (char *)malloc(strlen(entry->d_name) + 1);
        if (!more[count]) break;
        strcpy(more[count++], entry->d_name);
    }
    closedir(directory);
    if (count) qsort(*names, (size_t)count, sizeof(char *), by_name);
    return count;
}

/* Checks a room, or a folder in one (a kernel family): its parts first, then its folders. Each has
   a line in the table. */
static void check_room(const char *folder, const char *name) {
    char path[PATH_BYTES];
    char **names;
    int i, count, room = room_count;
    if (strlen(folder) + strlen(name) + 2 > sizeof path || room_count == COUNT(rooms)) {
        printf("%s/%s: more rooms, or a longer name, than this tool can hold\n", folder, name);
        breaches++;
        return;
    }
    sprintf(path, "%s/%s", folder, name);
    count = list(path, &names);
    if (count == 0) return;
    strncpy(rooms[room].name, name, sizeof rooms[room].name - 1);
    room_count++;
    for (i = 0; i < count; i++)
        if (ends(names[i], ".c") || ends(names[i], ".h") || ends(names[i], ".cl"))
            check_part(folder, name, names[i], room);
    for (i = 0; i < count; i++) {
        if (!strchr(names[i], '.')) {
            sprintf(path, "%.190s/%.190s", name, names[i]);
            check_room(folder, path);
        }
        free(names[i]);
    }
    free(names);
}

int main(int argc, char **argv) {
    char path[PATH_BYTES];
    char **names;
    int i, j, count, code = 0, comments = 0, blank = 0, files = 0;
    if (argc != 2 || strlen(argv[1]) > PATH_BYTES - 100) {
        fprintf(stderr, "usage: check src\n");
        return 1;
    }
    for (i = 0; i < COUNT(indexes); i++) {
        sprintf(path, "%s/%s", argv[1], indexes[i].name);
        indexes[i].text = read_file(path);
        if (indexes[i].text) continue;
        fprintf(stderr, "check: no %s\n", path);
        return 1;
    }
    for (i = 0; i < COUNT(floors); i++) {
        check_room(argv[1], floors[i]);
        if (i == FLOOR_DEVICE) check_room(argv[1], "kernels");
    }
    count = list(argv[1], &names); /* rooms that the list of floors does not know */
    for (i = 0; i < count; i++) {
        for (j = 0; j < COUNT(floors) && strcmp(floors[j], names[i]) != 0; j++) {}
        if (j == COUNT(floors) && !strchr(names[i], '.') && strcmp(names[i], "kernels") != 0)
            check_room(argv[1], names[i]);
        free(names[i]);
    }
    free(names);
    check_all_calls();
    printf("%-22s %6s %6s %9s %6s %9s  %s\n", "room", "parts", "code", "comments", "blank",
           "longest", "");
    for (i = 0; i < room_count; i++) {
        if (rooms[i].files == 0) {
            printf("%s\n", rooms[i].name);
            continue;
        }
        printf("%-22s %6d %6d %9d %6d %9d  %s\n", rooms[i].name, rooms[i].files, rooms[i].code,
               rooms[i].comments, rooms[i].blank, rooms[i].longest, rooms[i].longest_name);
        files += rooms[i].files;
        code += rooms[i].code;
        comments += rooms[i].comments;
        blank += rooms[i].blank;
    }
    printf("%-22s %6d %6d %9d %6d\n", "all", files, code, comments, blank);
    for (i = 0; i < COUNT(indexes); i++) free(indexes[i].text);
    return breaches ? 1 : 0;
}
