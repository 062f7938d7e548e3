/* draw_words.h - words that 34_keywords.c learns: half a second of synthetic sound at 8 kHz. A
   microcontroller without sin and cos draws the same numbers as a PC. */
#ifndef DRAW_WORDS_H
#define DRAW_WORDS_H

#include <stdint.h>

enum { WORD_SAMPLES = 4096, WORD_RATE = 8000, WORDS = 5 };

static const char *const word_names[WORDS] = {"(silence)", "rise", "fall", "knock", "hiss"};

static float word_random(uint32_t *state) { /* in [0, 1) */
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / 16777216.0f;
}

/* Returns a wave of two parabolas, instead of a sine; phase in 1 / 2^32 of a period. */
static float word_wave(uint32_t phase) {
    const float t = (float)(int32_t)phase / 2147483648.0f;
    return 4.0f * t * (1.0f - (t < 0.0f ? -t : t));
}

/* Returns the pitch of a word in Hz after the share t of its length. Sets *loud to how loud it is
   there. */
static float word_pitch(int word, float t, float pitch, float *loud) {
    *loud = word == 0 ? 0.0f : t < 0.1f ? t * 10.0f : t > 0.9f ? (1.0f - t) * 10.0f : 1.0f;
    if (word == 1) return pitch * (0.5f + 1.5f * t);
    if (word == 2) return pitch * (2.0f - 1.5f * t);
    if (word == 3 && t > 0.3f && t < 0.7f) *loud = 0.0f; /* two beats */
    return pitch;
}

/* Draws a word with a pitch, a start, a length, a loudness and a noise of its own. */
static void draw_word(int word, uint32_t seed, float *samples) {
    uint32_t state = seed * 2654435761u + 12345u, phase = 0;
    const float pitch = 600.0f + 500.0f * word_random(&state);
    const int start = (int)(1000.0f * word_random(&state));
    const int length = 2000 + (int)(1000.0f * word_random(&state));
    const float level = 0.2f + 0.6f * word_random(&state);
    const float noise = 0.01f + 0.05f * word_random(&state);
    for (int i = 0; i < WORD_SAMPLES; i++) {
        const float t = (float)(i - start) / (float)length;
        float loud, sound, y = noise * (2.0f * word_random(&state) - 1.0f);
        if (t >= 0.0f && t < 1.0f) {
            phase += (uint32_t)(word_pitch(word, t, pitch, &loud) * (4294967296.0f / WORD_RATE));
            sound = word_wave(phase) + 0.4f * word_wave(2 * phase);
            if (word == 4 && t > 0.4f) sound = 2.0f * word_random(&state) - 1.0f; /* sss */
            y += level * loud * sound;
        }
        samples[i] = y;
    }
}

#endif /* DRAW_WORDS_H */
