/* draw_digits.h - draws digits as hands write them, 28x28 grey bytes like MNIST's: curves through a
   few points, bent, slanted, stretched and shifted, with a pen of random width, stray strokes, a
   pale row and noise. Digit number i of a seed is the same on every machine: all that is random
   comes from nn_random_words, and no sine or exponential is asked of libm. Include it after
   nn.h. */
#pragma once

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DIGIT_SIZE 28
#define DIGIT_PIXELS (DIGIT_SIZE * DIGIT_SIZE)

/* Three ways to write each digit. A point is xxyy, 00 to 99 right and down; twice is a corner; /
   lifts the pen. */
static const char *const draw_strokes[10][3] = {
    {"5002 2012 1050 2088 5098 8088 9050 8012 5002", "6503 3010 1550 3592 6095 8560 8025 5505 4508",
     "4503 2525 2070 4597 7085 8050 7015 4503"},
    {"5502 5098", "3025 5503 5503 5097", "2530 5503 5503 5598 / 2598 8598"},
    {"1528 2508 5502 8020 7545 4070 1297 1297 9097", "1525 4003 7812 7540 3585 1595 2080 4085 9095",
     "2015 6003 8025 6060 1595 1595 8592"},
    {"1812 5002 8220 7042 4048 4048 7552 8875 6595 3598 1085",
     "1505 8005 8005 4540 4540 8055 8580 5598 1288", "2010 6502 7525 4545 8065 7090 4098 1590"},
    {"6002 1065 1065 9065 / 6535 6598", "7098 7002 7002 1068 1068 9268",
     "2503 1550 2055 8055 / 7503 7098"},
    {"8504 2504 2504 2045 2045 5538 8560 7590 4598 1288",
     "3005 2045 2045 6040 8565 6595 1592 / 3005 8503", "8005 3508 2545 6045 8070 6095 2095"},
    {"7503 3530 1570 3097 6597 8575 6552 3555 1872", "6002 2550 2085 5598 8080 7055 4055 2275",
     "5503 2535 1575 4598 7580 6555 2070"},
    {"1205 8805 8805 4098", "1508 8505 8505 4598 / 3050 7850", "1520 1505 1505 8508 6050 5098"},
    {"5048 2225 5002 7822 5048 1575 5098 8575 5048", "7515 4502 2222 5048 8275 5098 1878 4052 7515",
     "6548 3030 5005 7025 3065 4595 7080 5550 3530"},
    {"8025 5503 2022 3548 6548 8225 8225 7560 6598",
     "8020 4504 2030 4552 7545 8220 8550 7590 4098 1588", "7510 3510 2535 5550 8015 8015 7598"},
};

typedef struct draw_pen {
    uint64_t seed, number, counter; /* of the random words */
    uint32_t words[4];
    float    across[3], down[3]; /* maps paper to pixels: slants, stretches and shifts */
    /* how the paper is bent: height, two slopes, phase; for x and for y */
    float    wave[2][4];
    float    radius, ink;
    float    pixels[DIGIT_PIXELS]; /* 0 to 1 */
} draw_pen;

static inline float draw_random(draw_pen *pen, float low, float high) {
    if (pen->counter % 4 == 0)
        nn_random_words(pen->seed, pen->number, pen->counter / 4, pen->words);
    return low + (high - low) * nn_word_to_uniform(pen->words[pen->counter++ % 4]);
}

/* Returns a wave like a sine of period 1, made of parabolas. */
static inline float draw_wave(float x) {
    x -= floorf(x);
    return x < 0.5f ? 16.0f * x * (0.5f - x) : -16.0f * (x - 0.5f) * (1.0f - x);
}

/* Draws a dot at (x, y) of the paper, 0 to 1. */
static inline void draw_dot(draw_pen *pen, float x, float y) {
    const float *p = pen->wave[0], *q = pen->wave[1];
    float bent_x = x + p[0] * draw_wave(p[1] * x + p[2] * y + p[3]) - 0.5f;
    float bent_y = y + q[0] * draw_wave(q[1] * x + q[2] * y + q[3]) - 0.5f;
    float at_x = pen->across[0] * bent_x + pen->across[1] * bent_y + pen->across[2];
    float at_y = pen->down[0] * bent_x + pen->down[1] * bent_y + pen->down[2];
    int   reach = (int)pen->radius + 2;
    for (int row = (int)at_y - reach; row <= (int)at_y + reach; row++)
        for (int column = (int)at_x - reach; column <= (int)at_x + reach; column++) {
            if (row < 0 || row >= DIGIT_SIZE || column < 0 || column >= DIGIT_SIZE) continue;
            float dx = (float)column - at_x, dy = (float)row - at_y;
            float cover = pen->radius + 0.5f - sqrtf(dx * dx + dy * dy);
            float ink = pen->ink * (cover > 1.0f ? 1.0f : cover);
            if (ink > pen->pixels[row * DIGIT_SIZE + column])
                pen->pixels[row * DIGIT_SIZE + column] = ink;
        }
}

/* Draws a smooth curve through the points (Catmull and Rom, 1974). */
static inline void draw_curve(draw_pen *pen, float points[][2], int count) {
    for (int i = 0; i + 1 < count; i++)
        for (float at[2], t = 0; t < 1.0f; t += 1.0f / 32) {
            const float *a = points[i > 0 ? i - 1 : 0], *b = points[i];
            const float *c = points[i + 1], *d = points[i + 2 < count ? i + 2 : i + 1];
            for (int k = 0; k < 2; k++) {
                float bow = 2 * a[k] - 5 * b[k] + 4 * c[k] - d[k],
                      turn = 3 * (b[k] - c[k]) + d[k] - a[k];
                at[k] = b[k] + 0.5f * t * (c[k] - a[k] + t * (bow + t * turn));
            }
            draw_dot(pen, at[0], at[1]);
        }
}

/* Chooses size, place, slant, bend and pen of a picture at random. */
static inline void draw_prepare(draw_pen *pen) {
    float size = draw_random(pen, 13.0f, 20.0f), narrow = draw_random(pen, 0.6f, 1.0f);
    pen->across[0] = size * narrow;
    pen->across[1] = size * draw_random(pen, -0.4f, 0.2f);
    pen->down[0] = size * draw_random(pen, -0.2f, 0.2f);
    pen->down[1] = size;
    pen->across[2] = 13.5f + draw_random(pen, -2.5f, 2.5f);
    pen->down[2] = 13.5f + draw_random(pen, -2.5f, 2.5f);
    for (int i = 0; i < 2; i++) {
        pen->wave[i][0] = draw_random(pen, 0.0f, 0.07f);
        for (int k = 1; k < 4; k++) pen->wave[i][k] = draw_random(pen, -1.4f, 1.4f);
    }
    pen->radius = draw_random(pen, 0.7f, 1.8f);
    pen->ink = draw_random(pen, 0.6f, 1.0f);
}

/* Draws `digit` (0 to 9) into DIGIT_PIXELS bytes, ink bright on dark; another picture for each
   number. */
static inline void draw_digit(int digit, uint64_t seed, uint64_t number, unsigned char *pixels) {
    draw_pen pen;
    memset(&pen, 0, sizeof pen);
    pen.seed = seed;
    pen.number = number;
    draw_prepare(&pen);
    const char *text = draw_strokes[digit][(int)draw_random(&pen, 0.0f, 3.0f)];
    float       points[16][2];
    for (int count = 0; *text; text += *text == ' ') {
        if (*text == '/') {
            text++;
        } else {
            for (int i = 0; i < 2; i++, text += 2) {
                float wobble = draw_random(&pen, -0.04f, 0.04f);
                points[count][i] = 0.01f * (float)(10 * (text[0] - '0') + text[1] - '0') + wobble;
            }
            count++;
        }
        if (*text == 0 || text[1] == '/') {
            draw_curve(&pen, points, count);
            count = 0;
        }
    }
    if (draw_random(&pen, 0.0f, 1.0f) > 0.5f) { /* a stray stroke */
        pen.radius = draw_random(&pen, 0.3f, 1.0f);
        for (int i = 0; i < 2; i++) {
            points[0][i] = draw_random(&pen, -0.3f, 1.3f);
            points[1][i] = points[0][i] + draw_random(&pen, -0.3f, 0.3f);
        }
        draw_curve(&pen, points, 2);
    }
    float noise = draw_random(&pen, 0.0f, 0.3f), pale_row = draw_random(&pen, 4.0f, 24.0f);
    for (int i = 0; i < DIGIT_PIXELS; i++) {
        float value = pen.pixels[i] * (i / DIGIT_SIZE == (int)pale_row ? 0.3f : 1.0f);
        for (int k = 0; k < 2; k++) value += noise * draw_random(&pen, -0.5f, 0.5f);
        pixels[i] = (unsigned char)(255.0f * (value < 0.0f   ? 0.0f
                                              : value > 1.0f ? 1.0f
                                                             : value) +
                                    0.5f);
    }
}

/* Prints pictures side by side as characters. */
static inline void print_digits(const unsigned char *const *pictures, int count) {
    for (int row = 0; row < DIGIT_SIZE; row++) {
        for (int i = 0; i < count; i++) {
            const unsigned char *line = pictures[i] + row * DIGIT_SIZE;
            for (int column = 0; column < DIGIT_SIZE; column++)
                putchar(" .:-=+*#%@"[line[column] * 10 / 256]);
            if (i + 1 < count) fputs("  ", stdout);
        }
        putchar('\n');
    }
}
