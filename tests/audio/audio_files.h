/* audio_files.h - small files of RTNeural and Neural Amp Modeler, written from templates. In a
   template, #3x4 is a nested list of drawn weights, @7 are seven drawn weights, ~3 are three
   positive ones and !2 are two zeros. */
#ifndef NN_TEST_AUDIO_FILES_H
#define NN_TEST_AUDIO_FILES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char audio_text[1 << 17];
static size_t audio_size;
static int audio_drawn;

static void audio_put(const char *text) {
    const size_t length = strlen(text);
    if (audio_size + length + 1 > sizeof audio_text) return;
    memcpy(audio_text + audio_size, text, length + 1);
    audio_size += length;
}

static void audio_put_weight(char kind) {
    char text[32];
    const int number = (audio_drawn * 7919 + 13) % 2001 - 1000;
    audio_drawn++;
    if (kind == '!') snprintf(text, sizeof text, "0");
    else if (kind == '~') snprintf(text, sizeof text, "%.4f", 0.5 + abs(number) / 1500.0);
    else snprintf(text, sizeof text, "%.4f", number / 1700.0);
    audio_put(text);
}

static void audio_put_list(const int *extent, int rank) {
    audio_put("[");
    for (int i = 0; i < extent[0]; i++) {
        if (i > 0) audio_put(", ");
        if (rank == 1) audio_put_weight('@');
        else audio_put_list(extent + 1, rank - 1);
    }
    audio_put("]");
}

/* Writes the file of a template to audio_text. */
static void audio_fill(const char *from) {
    char one[2] = "";
    audio_size = 0, audio_drawn = 0;
    while (*from) {
        const char kind = *from;
        if (!strchr("#@~!", kind)) {
            one[0] = *from++;
            audio_put(one);
            continue;
        }
        int extent[3] = {0}, rank = 0;
        do extent[rank++] = (int)strtol(from + 1, (char **)(void *)&from, 10);
        while (kind == '#' && *from == 'x' && rank < 3);
        if (kind == '#') audio_put_list(extent, rank);
        else
            for (int i = 0; i < extent[0]; i++) {
                if (i > 0) audio_put(",");
                audio_put_weight(kind);
            }
    }
}

typedef struct audio_case {
    const char *name, *text;
    float expected[12]; /* outputs 0 to 5, 50 to 55 */
} audio_case;

/* Returns sample t of the input. */
static float audio_input(int t) { return (float)((t * 37) % 101 - 50) / 60.0f; }

#endif
