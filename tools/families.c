/* tools/families.c - prints the index files of the kernel families.

     families ROLE src/kernels > build/gen/kernels/ROLE

   The lines of src/kernels/list.h name the families; this tool looks into their folders and names
   the files of one role, in the order of that list. So a new family is its folder and its line, and
   no index is edited.
     args.h       the arguments of every family, under a table of the families
     families.h   NN__FAMILIES(X): X(matmul) X(conv2d) ...
     cpu.h        what its CPU parts share, of every folder that has one
     vector.h     its loops over vectors, of every folder that has them: cpu/vector.h says how
                  often they are included
     cpu.c        cpu*.c of every folder
     opencl.c     opencl*.c of every folder
     opencl.cl    opencl.cl of every folder that has one, and opencl_*.cl after it
     cases.h      small odd cases, for nn_self_test, the tests and the bench
     reference.h  plain loops in double, for the tests: found from build/gen/kernels

   cpu.h, vector.h and cpu.c are those of nn.h. A family whose args.h says, in its first comment,
   "on the CPU in nn_more.h" is in more_cpu.h, more_vector.h and more_cpu.c instead; others are in
   quantize_cpu.h and so on. families.h has NN__MORE_FAMILIES(X) for them.

   It fails when a folder has no line or lacks one of its roles. A family of composed kernels alone
   needs no opencl.c, because devices need not have them. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAMILIES 100
#define DROPINS 4
#define KERNELS 400
#define NAME_BYTES 60
#define PATH_BYTES 400
#define FILES 50
#define COLUMNS 100

static char families[FAMILIES][NAME_BYTES];
static int dropin_of[FAMILIES]; /* with the CPU part of a family */
static int family_count;
static const struct {
    const char *prefix, *upper, *words;
} dropins[DROPINS] = {{"", "", ""},
                      {"more_", "MORE_", "on the CPU in nn_more.h"},
                      {"sequence_", "SEQUENCE_", "on the CPU in nn_sequence.h"},
                      {"quantize_", "QUANTIZE_", "on the CPU in nn_quantize.h"}};
static struct {
    int number, family, composed;
    char name[NAME_BYTES];
} kernels[KERNELS];
static int kernel_count;

static void fail(const char *where, const char *what) {
    fprintf(stderr, "families: %s: %s\n", where, what);
    exit(1);
}

static int starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* Reads "X(26, SCAN, scan, nn_scan_args, scan)"; false for every other line. */
static int read_kernel(const char *line, int composed) {
    char name[NAME_BYTES], family[NAME_BYTES];
    int number, i;
    line += strspn(line, " ");
    if (sscanf(line, "X(%d, %*[A-Z0-9_], %59[a-z0-9_], %*[a-z0-9_], %59[a-z0-9_])", &number, name,
               family) != 3)
        return 0;
    for (i = 0; i < family_count && strcmp(families[i], family) != 0; i++) {}
    if (kernel_count == KERNELS || i == FAMILIES) fail(line, "more than this tool can hold");
    if (i == family_count) strcpy(families[family_count++], family);
    for (int k = 0; k < kernel_count; k++) {
        if (kernels[k].number == number) fail(line, "its number is that of another kernel");
        if (kernels[k].composed == composed && kernels[k].number > number)
            fail(line, "kernels are appended: its number is too small");
    }
    kernels[kernel_count].number = number;
    kernels[kernel_count].composed = composed;
    kernels[kernel_count].family = i;
    strcpy(kernels[kernel_count++].name, name);
    return 1;
}

static void read_list(const char *folder) {
    char path[PATH_BYTES], line[1000];
    FILE *file;
    int inside = 0, composed = 0;
    sprintf(path, "%.300s/list.h", folder);
    file = fopen(path, "r");
    if (!file) fail(path, "cannot read");
    while (fgets(line, sizeof line, file)) {
        if (starts(line, "#define NN_BASIC_KERNELS(X)") ||
            starts(line, "#define NN_COMPOSED_KERNELS(X)")) {
            composed = !starts(line, "#define NN_BASIC");
            inside = 1;
            continue;
        }
        if (!inside) continue;
        if (!read_kernel(line, composed)) fail(path, "a list of kernels has a line that is no kernel");
        inside = line[strcspn(line, "\\")] == '\\';
    }
    fclose(file);
    if (!kernel_count) fail(path, "no kernels");
}

/* True if the family has composed kernels only. */
static int is_composed(int family) {
    for (int k = 0; k < kernel_count; k++)
        if (kernels[k].family == family && !kernels[k].composed) return 0;
    return 1;
}

static int by_name(const void *a, const void *b) { return strcmp((const char *)a, (const char *)b); }

static int ends(const char *text, const char *with) {
    size_t a = strlen(text), b = strlen(with);
    return a >= b && strcmp(text + a - b, with) == 0;
}

/* Lists the names in a folder, sorted: the order of readdir is the file system's. */
static int list(const char *folder, char names[FAMILIES][NAME_BYTES]) {
    DIR *directory = opendir(folder);
    struct dirent *entry;
    int count = 0;
    if (!directory) return 0;
    while ((entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        if (count == FAMILIES || strlen(entry->d_name) >= NAME_BYTES) fail(folder, "too much");
        strcpy(names[count++], entry->d_name);
    }
    closedir(directory);
    qsort(names, (size_t)count, NAME_BYTES, by_name);
    return count;
}

/* A folder that no line names would be in no drop-in. */
static void check_folders(const char *folder) {
    static char names[FAMILIES][NAME_BYTES];
    int count = list(folder, names);
    for (int i = 0; i < count; i++) {
        int f;
        if (strchr(names[i], '.')) continue;
        for (f = 0; f < family_count && strcmp(families[f], names[i]) != 0; f++) {}
        if (f == family_count) fail(names[i], "no line of kernels/list.h names this folder");
    }
}

/* True if the first comment of a file has these words. "Compiled for size": the file prepares the
   work of loops that are elsewhere, in vector.h or in other files. */
static int says(const char *folder, const char *name, const char *words) {
    char path[2 * PATH_BYTES], head[8000];
    FILE *file;
    size_t length;
    char *end;
    sprintf(path, "%.400s/%.60s", folder, name);
    file = fopen(path, "r");
    if (!file) fail(path, "cannot read");
    length = fread(head, 1, sizeof head - 1, file);
    fclose(file);
    head[length] = 0;
    end = strstr(head, "*/");
    if (!end) fail(path, "the first comment is missing or too long");
    *end = 0;
    return strstr(head, words) != NULL;
}

static void find_dropins(const char *folder) {
    char path[PATH_BYTES];
    for (int f = 0; f < family_count; f++) {
        sprintf(path, "%.300s/%s", folder, families[f]);
        for (int d = 1; d < DROPINS; d++)
            if (says(path, "args.h", dropins[d].words)) dropin_of[f] = d;
    }
}

/* Prints the includes of a role. "cpu.c", "opencl.c" and "opencl.cl" stand for every cpu*.c and so
   on, sorted by name; another role stands for the file of that name. Files of cpu.c that are
   compiled for size stand between lines that say so to the compiler and to tools/paste.c. CPU roles
   have the families of one drop-in. */
static void print_includes(const char *folder, const char *role, int dropin) {
    static char names[FAMILIES][NAME_BYTES];
    const int many = ends(role, ".c") || ends(role, ".cl"), reference = strcmp(role, "reference.h") == 0;
    const int cpu = starts(role, "cpu.") || strcmp(role, "vector.h") == 0;
    const char *dot = strchr(role, '.');
    char stem[NAME_BYTES], path[PATH_BYTES];
    int small = 0; /* NN__RARELY is NN__COLD */
    sprintf(stem, "%.*s", (int)(dot - role), role);
    for (int f = 0; f < family_count; f++) {
        int found = 0, count;
        if (cpu && dropin_of[f] != dropin) continue;
        sprintf(path, "%.300s/%s", folder, families[f]);
        count = list(path, names);
        for (int i = 0; i < count; i++) {
            if (many ? !starts(names[i], stem) || !ends(names[i], dot) : strcmp(names[i], role) != 0)
                continue;
            if (strcmp(role, "cpu.c") == 0 && says(path, names[i], "Compiled for size") != small) {
                small = !small;
                printf("#undef NN__RARELY\n#define NN__RARELY%s\n", small ? " NN__COLD" : "");
            }
            printf("#include \"%skernels/%s/%s\"\n", reference ? "../../../src/" : "", families[f],
                   names[i]);
            found++;
        }
        if (!found && strcmp(role, "opencl.cl") != 0 && strcmp(role, "cpu.h") != 0 &&
            strcmp(role, "vector.h") != 0 && !(strcmp(role, "opencl.c") == 0 && is_composed(f))) {
            fprintf(stderr, "families: %s has no %s\n", path, role);
            exit(1);
        }
    }
    if (small) printf("#undef NN__RARELY\n#define NN__RARELY\n");
}

/* Reads "running sums along one axis" of "kernels/scan/args.h - running sums along one axis. ...",
   up to the full stop. */
static void read_sentence(const char *folder, const char *family, char text[1000]) {
    char path[PATH_BYTES], head[PATH_BYTES];
    FILE *file;
    int letter, length = 0;
    sprintf(path, "%.300s/%s/args.h", folder, family);
    sprintf(head, "/* kernels/%s/args.h - ", family);
    file = fopen(path, "r");
    if (!file) fail(path, "cannot read");
    for (const char *c = head; *c; c++)
        if (fgetc(file) != *c) fail(path, "does not begin with \"/* kernels/<family>/args.h - \"");
    while ((letter = fgetc(file)) != EOF && letter != '.' && letter != '*' && length < 999) {
        if (!isspace(letter)) text[length++] = (char)letter;
        else if (length && text[length - 1] != ' ') text[length++] = ' ';
    }
    text[length] = 0;
    fclose(file);
}

/* Prints words from column `indent` on. */
static void print_words(const char *text, int indent, int column) {
    while (*text) {
        int word = (int)strcspn(text, " ");
        if (column + 1 + word > COLUMNS) printf("\n%*s", column = indent - 1, "");
        printf(" %.*s", word, text);
        column += 1 + word;
        text += word + (text[word] == ' ');
    }
    printf("\n");
}

/* Prints the families as a table of the manual: kernels with their numbers and purposes. */
static void print_table(const char *folder) {
    printf("/* kernels/args.h - the families of kernels: the work that a device does. Each "
           "has a folder\n   of src/kernels; `make` makes this table from kernels/list.h.\n\n");
    for (int f = 0; f < family_count; f++) {
        char names[1000] = "", text[1000];
        for (int k = 0; k < kernel_count; k++)
            if (kernels[k].family == f)
                sprintf(names + strlen(names), "%s%s (%d)", *names ? ", " : "", kernels[k].name,
                        kernels[k].number);
        read_sentence(folder, families[f], text);
        printf("   %-14s", families[f]);
        print_words(text, 18, 17);
        printf("%17s", "");
        print_words(names, 18, 17);
    }
    printf("*/\n");
}

/* Prints the list of the families of each drop-in. */
static void print_families(void) {
    for (int d = 0; d < DROPINS; d++) {
        printf("#define NN__%sFAMILIES(X)", dropins[d].upper);
        for (int i = 0; i < family_count; i++)
            if (dropin_of[i] == d) printf(" \\\n    X(%s)", families[i]);
        printf("\n");
    }
}

int main(int argc, char **argv) {
    static const char *const roles[] = {"args.h",    "families.h", "cpu.h",   "vector.h",
                                        "cpu.c",     "opencl.c",   "opencl.cl", "cases.h",
                                        "reference.h"};
    const char *role = argc == 3 ? argv[1] : "";
    int i, dropin = 0, known = 0;
    for (i = 1; i < DROPINS; i++)
        if (starts(role, dropins[i].prefix)) dropin = i;
    role += strlen(dropins[dropin].prefix);
    for (i = dropin ? 2 : 0; i < (dropin ? 5 : 9); i++) known |= strcmp(role, roles[i]) == 0;
    if (!known) {
        fprintf(stderr, "usage: families args.h|families.h|cpu.h|vector.h|cpu.c|opencl.c|opencl.cl|"
                        "cases.h|reference.h|more_cpu.h|sequence_cpu.h|quantize_cpu.h ... src/kernels\n");
        return 1;
    }
    read_list(argv[2]);
    check_folders(argv[2]);
    find_dropins(argv[2]);
    if (strcmp(role, "args.h") == 0) print_table(argv[2]);
    else if (strcmp(role, "families.h") == 0)
        printf("/* kernels/families.h - GENERATED by `make` from kernels/list.h: the families. */\n");
    else
        printf("/* kernels/%s - GENERATED by `make` from kernels/list.h: what stands under this name "
               "in the\n   folder of each family. */\n", argv[1]);
    if (ends(role, ".h") && strcmp(role, "vector.h") != 0) printf("#pragma once\n");
    if (strcmp(role, "families.h") == 0) print_families();
    else print_includes(argv[2], role, dropin);
    if (fflush(stdout) != 0 || ferror(stdout)) fail("stdout", "cannot write");
    return 0;
}
