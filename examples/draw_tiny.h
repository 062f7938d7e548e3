/* draw_tiny.h - the synthetic data of 35_tiny.c: colour pictures of digits, rooms with and without a
   person, the spectrum of words, and the spectrum of machines that run well or not. Sample number i
   is the same on every machine, but for what libm's logf, cosf and sinf round differently. Include
   it after draw_digits.h and draw_words.h. */
#pragma once

enum { TINY_FRAMES = 49, TINY_BANDS = 10, TINY_SIDE = 32, TINY_ROOM = 96, TINY_MACHINE = 128 };

/* Random numbers of one sample. */
typedef struct tiny_random {
    uint64_t number, counter;
    uint32_t words[4];
} tiny_random;
static float tiny_between(tiny_random *r, float low, float high) {
    if (r->counter % 4 == 0) nn_random_words(35, r->number, r->counter / 4, r->words);
    return low + (high - low) * nn_word_to_uniform(r->words[r->counter++ % 4]);
}

/* Word i as the logarithm of ten bands in 49 frames of 160 samples: (49, 10). */
static void tiny_word(int i, float *to) {
    enum { SAMPLES = 160, STEP = 82 };
    static float wave[2 * TINY_BANDS * 3][SAMPLES], sound[WORD_SAMPLES];
    if (wave[0][1] == 0.0f) /* three frequencies of each band */
        for (int k = 0; k < TINY_BANDS * 3; k++)
            for (int s = 0; s < SAMPLES; s++) {
                const float hertz = 120.0f * powf(30.0f, (float)k / (TINY_BANDS * 3 - 1)),
                            angle = 6.2831853f * hertz * (float)s / WORD_RATE;
                const float window = 1.0f - fabsf((float)s / (SAMPLES / 2) - 1.0f);
                wave[2 * k][s] = window * cosf(angle) + 1e-9f;
                wave[2 * k + 1][s] = window * sinf(angle);
            }
    draw_word(i % WORDS, 77u + (uint32_t)i, sound);
    for (int frame = 0; frame < TINY_FRAMES; frame++)
        for (int band = 0; band < TINY_BANDS; band++) {
            float energy = 1e-3f;
            for (int k = 6 * band; k < 6 * band + 6; k++) {
                float sum = 0;
                for (int s = 0; s < SAMPLES; s++) sum += wave[k][s] * sound[frame * STEP + s];
                energy += sum * sum;
            }
            to[frame * TINY_BANDS + band] = 0.2f * logf(energy);
        }
}

/* Digit i in one colour on another, with noise: (3, 32, 32). */
static void tiny_picture(int i, float *to) {
    unsigned char pixels[DIGIT_PIXELS];
    tiny_random   r = {(uint64_t)i, 0, {0, 0, 0, 0}};
    draw_digit(i % 10, 35, (uint64_t)i, pixels);
    for (int c = 0; c < 3; c++) {
        const float dark = tiny_between(&r, 0.0f, 0.5f), bright = tiny_between(&r, 0.6f, 1.0f);
        for (int y = 0; y < TINY_SIDE; y++)
            for (int x = 0; x < TINY_SIDE; x++) {
                const bool  inside = y >= 2 && y < 30 && x >= 2 && x < 30;
                const float ink = inside ? (float)pixels[(y - 2) * DIGIT_SIZE + x - 2] / 255 : 0;
                *to++ = dark + (bright - dark) * ink + tiny_between(&r, -0.05f, 0.05f);
            }
    }
}

/* Fills an ellipse (or a box) of a room in one colour. */
static void tiny_shape(float *room, bool box, float x, float y, float w, float h,
                       const float *colour) {
    for (int row = 0; row < TINY_ROOM; row++)
        for (int column = 0; column < TINY_ROOM; column++) {
            const float dx = ((float)column - x) / w, dy = ((float)row - y) / h;
            if (box ? fabsf(dx) > 1 || fabsf(dy) > 1 : dx * dx + dy * dy > 1) continue;
            for (int c = 0; c < 3; c++)
                room[(c * TINY_ROOM + row) * TINY_ROOM + column] = colour[c];
        }
}
/* Room i, with a person if i is odd: a head above a body above two legs. Furniture, lamps and
   single parts are everywhere: (3, 96, 96). */
static void tiny_room(int i, float *to) {
    tiny_random r = {(uint64_t)i + 1000000, 0, {0, 0, 0, 0}};
    float       colour[3];
    for (int c = 0; c < 3; c++) {
        const float wall = tiny_between(&r, 0.1f, 0.9f), slope = tiny_between(&r, -0.2f, 0.2f);
        for (int k = 0; k < TINY_ROOM * TINY_ROOM; k++)
            to[c * TINY_ROOM * TINY_ROOM + k] =
                wall + slope * (float)(k / TINY_ROOM) / TINY_ROOM + tiny_between(&r, -0.04f, 0.04f);
    }
    for (int k = 0; k < 9; k++) {
        for (int c = 0; c < 3; c++) colour[c] = tiny_between(&r, 0, 1);
        const float size = tiny_between(&r, 3, 12);
        if (k == 7 && i % 2) { /* the person; what comes later may hide a part of it */
            const float x = tiny_between(&r, 20, 76), y = tiny_between(&r, 20, 40), s = size + 4;
            float       skin[3] = {0.8f, 0.6f, 0.5f};
            tiny_shape(to, false, x, y, 0.45f * s, 0.55f * s, skin);
            tiny_shape(to, true, x, y + 1.5f * s, 0.6f * s, 0.9f * s, colour);
            tiny_shape(to, true, x - 0.35f * s, y + 3.2f * s, 0.2f * s, 0.9f * s, colour);
            tiny_shape(to, true, x + 0.35f * s, y + 3.2f * s, 0.2f * s, 0.9f * s, colour);
        } else {
            const float x = tiny_between(&r, 0, 96), y = tiny_between(&r, 0, 96);
            tiny_shape(to, k % 2, x, y, size * tiny_between(&r, 0.3f, 1), size, colour);
        }
    }
}

/* Five frames of the spectrum of machine i in decibels / 20: (640). Machines hum in eight tones
   whose distance is their kind. Those with i odd are `broken` if asked for: one tone has moved. */
static void tiny_machine(int i, bool broken, float *to) {
    tiny_random r = {(uint64_t)i + 2000000, 0, {0, 0, 0, 0}};
    const int   kind = (int)tiny_between(&r, 0, 3.999f), moved = (int)tiny_between(&r, 1, 7.999f);
    float       loud[8];
    for (int k = 0; k < 8; k++) loud[k] = tiny_between(&r, 0.8f, 1.6f);
    const float away = tiny_between(&r, 0.4f, 2.0f);
    for (int frame = 0; frame < 5; frame++)
        for (int band = 0; band < TINY_MACHINE; band++) {
            float level = -1.0f - 0.004f * (float)band + tiny_between(&r, -0.4f, 0.4f);
            for (int k = 0; k < 8; k++) {
                float at = (float)((k + 1) * (9 + kind));
                if (broken && i % 2 && k == moved) at += away;
                const float apart = ((float)band - at) / 1.5f;
                level += loud[k] / (1.0f + apart * apart);
            }
            *to++ = level;
        }
}
