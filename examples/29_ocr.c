/* 29_ocr.c - reads the text in a picture with three models that others trained, from ONNX files:
   one finds the lines, one says which are upside down, one reads them.
   Run:    cc -O2 29_ocr.c -o ocr -lm -lpthread && ./ocr detect.onnx angle.onnx read.onnx page.ppm
   Prints: each line of the picture on a line of its own, after the confidence in it from 0 to 1.

   The models are those of the Python package rapidocr-onnxruntime (Apache-2.0), in its folder
   rapidocr_onnxruntime/models: ch_PP-OCRv4_det_infer.onnx, ch_ppocr_mobile_v2.0_cls_infer.onnx and
   ch_PP-OCRv4_rec_infer.onnx. They read Chinese and English. The picture is a binary PPM (P6), so
   that no library for pictures is needed; "convert page.png page.ppm" of ImageMagick makes one.

   Boxes around lines are axis-aligned here, which is enough for pages and screens: lines may be
   upside down, but neither slanted nor vertical. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "../nn_onnx.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The detector sees a picture whose sides are multiples of 32. Its longest side is about 2,000 at
   most, so that a photograph does not take long. */
enum { GRAIN = 32, LONGEST = 2000 };
/* Above the first probability, a pixel belongs to a line. A region is a line if the mean over its
   pixels is above the second. Regions are the cores of lines, so boxes are widened by WIDER times
   their area, divided by their perimeter. */
#define PIXEL  0.3f
#define REGION 0.5f
#define WIDER  1.6f
/* The other models see lines that are 48 pixels high. The reader looks at 8 columns for each step
   in which it may say a character; short lines get 320 columns, as in the reader's training. */
enum { LINE_HEIGHT = 48, ANGLE_WIDTH = 192, COLUMNS = 8, LEAST_STEPS = 40, MOST_STEPS = 600 };
#define TURNED   0.9f /* a line is turned if the probability of that is above this */
#define READABLE 0.5f /* lines with less confidence are not printed */

typedef struct picture {
    int width, height;
    unsigned char *rgb;
} picture;

typedef struct box {
    float left, top, right, bottom; /* in pixels of the picture */
    bool turned;
} box;

typedef struct network {
    nn_onnx *file;
    nn_plan *plan;
    nn_node *x, *y;
} network;

static void *take(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (memory) return memory;
    fputs("out of memory\n", stderr);
    exit(1);
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* Returns the next number of a PPM's head, after white space and comments; -1 if there is none. */
static int read_number(FILE *file) {
    int c = getc(file), number = -1;
    while (isspace(c) || c == '#') {
        if (c == '#')
            while (c != '\n' && c != EOF) c = getc(file);
        c = getc(file);
    }
    for (; isdigit(c) && number < 100000; c = getc(file))
        number = (number < 0 ? 0 : number) * 10 + c - '0';
    return number;
}

/* Reads a binary PPM with a byte for each colour. */
static bool read_picture(picture *it, const char *path) {
    FILE *file = fopen(path, "rb");
    bool fine = false;
    if (!file) return false;
    if (getc(file) == 'P' && getc(file) == '6') {
        it->width = read_number(file);
        it->height = read_number(file);
        const int brightest = read_number(file);
        if (it->width > 0 && it->height > 0 && it->width <= 20000 && it->height <= 20000 &&
            brightest == 255) {
            const size_t pixels = (size_t)it->width * (size_t)it->height;
            it->rgb = (unsigned char *)take(pixels, 3);
            fine = fread(it->rgb, 3, pixels, file) == pixels;
        }
    }
    fclose(file);
    return fine;
}

/* Returns a colour between four pixels, 0 to 255. */
static float colour_at(const picture *it, float x, float y, int colour) {
    const float right = (float)(it->width - 1), bottom = (float)(it->height - 1);
    x = x < 0.0f ? 0.0f : x > right ? right : x;
    y = y < 0.0f ? 0.0f : y > bottom ? bottom : y;
    const int x0 = (int)x, y0 = (int)y;
    const int x1 = x0 + 1 < it->width ? x0 + 1 : x0, y1 = y0 + 1 < it->height ? y0 + 1 : y0;
    const unsigned char *up = it->rgb + (size_t)y0 * (size_t)it->width * 3 + colour;
    const unsigned char *down = it->rgb + (size_t)y1 * (size_t)it->width * 3 + colour;
    const float dx = x - (float)x0, dy = y - (float)y0;
    return (1.0f - dy) * ((1.0f - dx) * up[3 * x0] + dx * up[3 * x1]) +
           dy * ((1.0f - dx) * down[3 * x0] + dx * down[3 * x1]);
}

/* Stretches a part of the picture to width x height and writes it into three planes whose rows have
   `row` numbers: blue, green, red, each in [-1, 1]. The rest of a row keeps its numbers. */
static void stretch(const picture *from, const box *part, float *to, int width, int height,
                    int row) {
    const float dx = (part->right - part->left) / (float)width;
    const float dy = (part->bottom - part->top) / (float)height;
    for (int plane = 0; plane < 3; plane++)
        for (int i = 0; i < height; i++)
            for (int j = 0; j < width; j++) {
                const int y = part->turned ? height - 1 - i : i,
                          x = part->turned ? width - 1 - j : j;
                const float value = colour_at(from, part->left + ((float)x + 0.5f) * dx - 0.5f,
                                              part->top + ((float)y + 0.5f) * dy - 0.5f, 2 - plane);
                to[((size_t)plane * (size_t)height + (size_t)i) * (size_t)row + (size_t)j] =
                    value / 127.5f - 1.0f;
            }
}

/* ---- models ---------------------------------------------------------------------------------- */

/* Describes a file's net for one picture of height x width pixels, plans it and loads its weights.
   Without a width the net is for pictures of up to `steps` times 8 columns: an input has NN_TIME
   itself, not a multiple of it, so the columns of a step are an axis of their own until x, whose
   numbers are in the same order. */
static bool open_network(network *it, nn_context *nn, const char *path, int height, int width,
                         int steps) {
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = path});
    nn_node *x = NULL;
    if (width > 0) it->x = x = nn_input(net, "x", NN_F32, NN_SHAPE(1, 3, height, width));
    else {
        it->x = nn_input(net, "x", NN_F32, NN_SHAPE(1, 3, height, NN_TIME, COLUMNS));
        x = nn_reshape(net, it->x,
                       NN_SHAPE(1, 3, height, nn_multiply_extents(COLUMNS, NN_TIME)));
    }
    it->file = nn_open_onnx(nn, &(nn_onnx_desc){.path = path});
    it->y = nn_onnx_net(net, NULL, it->file, &(nn_onnx_net_desc){.inputs = NN_ONNX_INPUTS({"x", x})});
    it->plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(it->y), .time = steps});
    nn_load_onnx_weights(net, it->file);
    return !nn_error(nn);
}

/* Runs a net. `in` has ins numbers, `out` has outs. */
static bool ask(const network *it, const float *in, size_t ins, float *out, size_t outs) {
    return nn_upload(it->plan, it->x, in, ins * sizeof *in) == NN_OK && nn_run(it->plan) == NN_OK &&
           nn_download(it->plan, it->y, out, outs * sizeof *out) == NN_OK;
}

/* ---- finding lines --------------------------------------------------------------------------- */

/* Returns a side of the detector's picture for a side of the given one. */
static int side_of(int side, float scale) {
    const int grains = (int)((float)side * scale / (float)GRAIN + 0.5f);
    return (grains > 0 ? grains : 1) * GRAIN;
}

/* Finds the region around a place of the map and sets the map to 0 there, so that each region is
   found once. `later` has room for every place. Returns the mean over the region's places. */
static float take_region(float *map, int width, int height, int place, int *later, box *region) {
    float sum = map[place];
    int waiting = 0, count = 1;
    region->left = region->right = (float)(place % width);
    region->top = region->bottom = (float)(place / width);
    map[place] = 0.0f;
    later[waiting++] = place;
    while (waiting > 0) {
        const int at = later[--waiting], x = at % width, y = at / width;
        region->left = fminf(region->left, (float)x);
        region->right = fmaxf(region->right, (float)x);
        region->top = fminf(region->top, (float)y);
        region->bottom = fmaxf(region->bottom, (float)y);
        for (int i = y > 0 ? y - 1 : 0; i <= y + 1 && i < height; i++)
            for (int j = x > 0 ? x - 1 : 0; j <= x + 1 && j < width; j++)
                if (map[i * width + j] > PIXEL) {
                    sum += map[i * width + j];
                    count++;
                    map[i * width + j] = 0.0f;
                    later[waiting++] = i * width + j;
                }
    }
    region->right += 1.0f;
    region->bottom += 1.0f;
    return sum / (float)count;
}

static int higher(const void *a, const void *b) {
    const float x = ((const box *)a)->top, y = ((const box *)b)->top;
    return (x > y) - (x < y);
}

static int more_left(const void *a, const void *b) {
    const float x = ((const box *)a)->left, y = ((const box *)b)->left;
    return (x > y) - (x < y);
}

/* Sorts boxes into reading order: rows from the top, each from the left. A row has the boxes whose
   middle is above the bottom of the row's first box. */
static void sort_boxes(box *boxes, int count) {
    if (count > 0) qsort(boxes, (size_t)count, sizeof *boxes, higher);
    for (int i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count; end++)
            if ((boxes[end].top + boxes[end].bottom) / 2.0f > boxes[i].bottom) break;
        qsort(boxes + i, (size_t)(end - i), sizeof *boxes, more_left);
    }
}

/* Turns a map of probabilities into boxes in the picture, to be freed. Clears the map. */
static box *find_boxes(float *map, int width, int height, const picture *page, int *count) {
    const float scale_x = (float)page->width / (float)width;
    const float scale_y = (float)page->height / (float)height;
    int *later = (int *)take((size_t)width * (size_t)height, sizeof *later), room = 0;
    box *boxes = NULL, it = {0.0f, 0.0f, 0.0f, 0.0f, false};
    *count = 0;
    for (int place = 0; place < width * height; place++) {
        if (map[place] <= PIXEL || take_region(map, width, height, place, later, &it) <= REGION)
            continue;
        const float wide = it.right - it.left, high = it.bottom - it.top;
        const float more = WIDER * wide * high / (2.0f * (wide + high));
        if (wide < 3.0f || high < 3.0f) continue;
        if (*count == room) {
            boxes = (box *)realloc(boxes, (size_t)(room += 64) * sizeof *boxes);
            if (!boxes) exit(1);
        }
        it.left = fmaxf((it.left - more) * scale_x, 0.0f);
        it.top = fmaxf((it.top - more) * scale_y, 0.0f);
        it.right = fminf((it.right + more) * scale_x, (float)page->width);
        it.bottom = fminf((it.bottom + more) * scale_y, (float)page->height);
        boxes[(*count)++] = it;
    }
    free(later);
    sort_boxes(boxes, *count);
    return boxes;
}

/* Returns the boxes of the picture's lines in reading order, to be freed. *fine is false after an
   error. */
static box *find_lines(network *it, nn_context *nn, const char *path, const picture *page,
                       int *count, bool *fine) {
    const int longest = page->width > page->height ? page->width : page->height;
    const float scale = longest > LONGEST ? (float)LONGEST / (float)longest : 1.0f;
    const int width = side_of(page->width, scale), height = side_of(page->height, scale);
    const box whole = {0.0f, 0.0f, (float)page->width, (float)page->height, false};
    const size_t places = (size_t)width * (size_t)height;
    float *in = (float *)take(3 * places, sizeof *in);
    float *map = (float *)take(places, sizeof *map);
    box *boxes = NULL;
    *count = 0;
    stretch(page, &whole, in, width, height, width);
    *fine = open_network(it, nn, path, height, width, 1) && ask(it, in, 3 * places, map, places);
    if (*fine) boxes = find_boxes(map, width, height, page, count);
    free(map);
    free(in);
    return boxes;
}

/* ---- reading lines --------------------------------------------------------------------------- */

/* Returns the width of a line that is stretched to 48 rows. */
static int line_width(const box *line, int most) {
    const float high = fmaxf(line->bottom - line->top, 1.0f);
    const float wide = ceilf((float)LINE_HEIGHT * (line->right - line->left) / high);
    return wide < 1.0f ? 1 : wide > (float)most ? most : (int)wide;
}

/* Marks the lines that are upside down. If most of them are, the page itself is, and its lines are
   put into the opposite order. */
static bool find_turned(const network *it, const picture *page, box *lines, int count) {
    static float in[3 * LINE_HEIGHT * ANGLE_WIDTH];
    int turned = 0;
    for (int i = 0; i < count; i++) {
        float upright_or_turned[2];
        memset(in, 0, sizeof in);
        stretch(page, &lines[i], in, line_width(&lines[i], ANGLE_WIDTH), LINE_HEIGHT, ANGLE_WIDTH);
        if (!ask(it, in, sizeof in / sizeof *in, upright_or_turned, 2)) return false;
        lines[i].turned = upright_or_turned[1] > TURNED;
        turned += lines[i].turned;
    }
    for (int i = 0; 2 * turned > count && i < count / 2; i++) {
        const box other = lines[i];
        lines[i] = lines[count - 1 - i];
        lines[count - 1 - i] = other;
    }
    return true;
}

/* Returns the beginnings of the text's lines, each of which is a character; to be freed. */
static const char **split(const char *text, int *count) {
    int room = 1;
    for (const char *c = text; *c; c++) room += *c == '\n';
    const char **lines = (const char **)take((size_t)room, sizeof *lines);
    for (*count = 0; *text; text += *text == '\n') {
        lines[(*count)++] = text;
        text += strcspn(text, "\n");
    }
    return lines;
}

/* Prints the most probable character of each step, repetitions once, unless the reader is not sure.
   Class 0 is no character, the characters have the classes from 1, and a space has the last one.
   Returns the number of printed lines: 0 or 1. */
static int print_line(const float *said, int steps, int classes, const char **characters) {
    static int best[MOST_STEPS];
    float sum = 0.0f;
    int letters = 0;
    for (int t = 0; t < steps; t++) {
        const float *step = said + (size_t)t * (size_t)classes;
        best[t] = 0;
        for (int k = 1; k < classes; k++)
            if (step[k] > step[best[t]]) best[t] = k;
        if (t > 0 && best[t] == abs(best[t - 1])) best[t] = -best[t]; /* is not printed again */
        if (best[t] > 0) sum += step[best[t]];
        letters += best[t] > 0;
    }
    if (letters == 0 || sum / (float)letters < READABLE) return 0;
    printf("%.2f  ", (double)(sum / (float)letters));
    for (int t = 0; t < steps; t++)
        if (best[t] == classes - 1)
            putchar(' ');
        else if (best[t] > 0)
            fwrite(characters[best[t] - 1], 1, strcspn(characters[best[t] - 1], "\r\n"), stdout);
    putchar('\n');
    return 1;
}

/* Returns how many steps the reader needs for a line. */
static int steps_of(const box *line) {
    const int steps = (line_width(line, MOST_STEPS * COLUMNS) + COLUMNS - 1) / COLUMNS;
    return steps < LEAST_STEPS ? LEAST_STEPS : steps;
}

/* Reads the lines and prints them. One plan for the longest of them reads all. */
static bool read_lines(network *it, nn_context *nn, const char *path, const picture *page,
                       const box *lines, int count, int *printed) {
    int longest = LEAST_STEPS, characters = 0;
    for (int i = 0; i < count; i++)
        if (steps_of(&lines[i]) > longest) longest = steps_of(&lines[i]);
    if (!open_network(it, nn, path, LINE_HEIGHT, 0, longest)) return false;
    const char *text = nn_onnx_metadata(it->file, "character");
    const char **character = split(text ? text : "", &characters);
    const int classes = characters + 2;
    const nn_shape shape = nn_node_shape(it->y);
    bool fine = shape.rank == 3 && shape.extent[2] == classes;
    if (!fine) fprintf(stderr, "%s: \"character\" in its metadata does not fit its net\n", path);
    const size_t most = (size_t)longest * 3 * COLUMNS * LINE_HEIGHT;
    float *in = (float *)take(most, sizeof *in);
    float *said = (float *)take((size_t)longest * (size_t)classes, sizeof *said);
    for (int i = 0; fine && i < count; i++) {
        const int steps = steps_of(&lines[i]), row = steps * COLUMNS;
        memset(in, 0, most * sizeof *in);
        stretch(page, &lines[i], in, line_width(&lines[i], row), LINE_HEIGHT, row);
        fine = ask(it, in, (size_t)row * 3 * LINE_HEIGHT, said, (size_t)steps * (size_t)classes);
        if (fine) *printed += print_line(said, steps, classes, character);
    }
    free(said);
    free(in);
    free(character);
    return fine;
}

int main(int count, char **word) {
    network detect = {0}, angle = {0}, reader = {0};
    picture page = {0};
    int found = 0, printed = 0;
    if (count < 5) {
        puts("29_ocr detect.onnx angle.onnx read.onnx picture.ppm: the text in a picture.");
        puts("Nothing was read. The models are in the Python package rapidocr-onnxruntime.");
        return 0;
    }
    if (!read_picture(&page, word[4])) {
        fprintf(stderr, "%s: no binary PPM (P6) with 8 bits for each colour\n", word[4]);
        free(page.rgb);
        return 1;
    }
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    const uint64_t start = nn_now(nn);
    bool fine = false;
    box *lines = find_lines(&detect, nn, word[1], &page, &found, &fine);
    fine = fine && open_network(&angle, nn, word[2], LINE_HEIGHT, ANGLE_WIDTH, 1) &&
           find_turned(&angle, &page, lines, found) &&
           read_lines(&reader, nn, word[3], &page, lines, found, &printed);
    if (fine)
        printf("%d lines in %.0f ms, loading included\n", printed,
               (double)(nn_now(nn) - start) * 1e-6);
    nn_close_onnx(detect.file);
    nn_close_onnx(angle.file);
    nn_close_onnx(reader.file);
    nn_close(nn);
    free(lines);
    free(page.rgb);
    return !fine;
}
