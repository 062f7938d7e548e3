/* 30_amp.c - a small net learns the sound of an amplifier from a dry signal and the amplifier's
   output for it, and then plays a sound through itself as in an audio callback: 64 samples at a
   time, with a memory, without a copy, an allocation or a lock.
   Run:    cc -O2 30_amp.c -o amp -lm -lpthread && ./amp
           ./amp dry.wav wet.wav plays your sound (16-bit PCM; of stereo only the left channel).
   Prints: the error while it learns and on a sound that it has not heard, the time of a block, and
           amp.ppm: above the dry signal, below the amplifier (white) and the net (orange).

   The program draws both signals: plucked strings, and an amplifier that is softer on one side, has
   a slow tone and a supply that sags after loud notes. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../nn_sequence.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 16000, BLOCK = 64, TRACKS = 16, EACH = 4096, WINDOW = 128, HIDDEN = 16 };
enum { LENGTH = TRACKS * EACH, WIDE = 640, HIGH = 160 };

static float uniform(uint64_t stream, uint64_t at) {
    uint32_t words[4];
    nn_random_words(30, stream, at, words);
    return nn_word_to_uniform(words[0]);
}

/* Draws plucked strings: four notes a second, each a few overtones that die away. */
static void draw_dry(float *x, int count, uint64_t which) {
    memset(x, 0, sizeof *x * (size_t)count);
    for (int note = 0; note * RATE / 4 < count; note++) {
        const float pitch = 80.0f * powf(2.0f, floorf(24 * uniform(which, (uint64_t)note)) / 12);
        const float loud = 0.1f + 0.5f * uniform(which + 1, (uint64_t)note);
        const int begin = note * RATE / 4;
        for (int i = begin; i < count && i < begin + RATE; i++)
            for (int k = 1; k <= 6; k++)
                x[i] += loud / (float)k * expf(-(float)(k * (i - begin)) / 4000.0f) *
                        sinf(6.2831853f * pitch * (float)k * (float)(i - begin) / RATE);
    }
}

static void draw_wet(const float *x, float *y, int count) {
    float tone = 0, sag = 0;
    for (int i = 0; i < count; i++) {
        const float driven = (5.0f - 3.0f * sag) * x[i] + 0.2f;
        const float bent = tanhf(driven) - tanhf(0.2f);
        tone += 0.45f * (bent - tone);
        sag += 0.002f * (fabsf(x[i]) * 2 - sag);
        y[i] = 0.8f * tone;
    }
}

/* Returns the samples of a WAV file in [-1, 1], to be freed; NULL: this program cannot read the
   file. */
static float *read_wav(const char *path, int *count, unsigned *rate) {
    unsigned char head[12], part[8], format[16] = {0};
    FILE *file = fopen(path, "rb");
    float *samples = NULL;
    if (!file) return NULL;
    bool fine = fread(head, 1, 12, file) == 12 && !memcmp(head + 8, "WAVE", 4);
    while (fine && !samples && fread(part, 1, 8, file) == 8) {
        const unsigned size = part[4] | part[5] << 8 | part[6] << 16 | (unsigned)part[7] << 24;
        if (!memcmp(part, "fmt ", 4) && size >= 16) {
            fine = fread(format, 1, 16, file) == 16 && !fseek(file, (long)size - 16, SEEK_CUR);
        } else if (memcmp(part, "data", 4)) {
            fine = !fseek(file, (long)(size + size % 2), SEEK_CUR);
        } else {
            const int channels = format[2];
            *rate = format[4] | format[5] << 8 | (unsigned)format[6] << 16;
            if (format[0] != 1 || format[14] != 16 || channels < 1) break;
            *count = (int)(size / 2) / channels;
            samples = (float *)calloc((size_t)*count + BLOCK, sizeof *samples);
            for (int i = 0; samples && i < *count * channels; i++) {
                const int low = fgetc(file), number = low | fgetc(file) << 8;
                if (i % channels == 0)
                    samples[i / channels] =
                        (float)(number < 32768 ? number : number - 65536) / 32768.0f;
            }
        }
    }
    fclose(file);
    return samples;
}

static bool write_wav(const char *path, const float *y, int count, unsigned rate) {
    const unsigned bytes = 2 * (unsigned)count, numbers[] = {36 + bytes, 16, 1 | 1 << 16, rate,
                                                             2 * rate, 2 | 16 << 16, bytes};
    static const char *const words[] = {"RIFF", "WAVEfmt ", "data"};
    FILE *file = fopen(path, "wb");
    if (!file) return false;
    for (int i = 0; i < 7; i++) {
        if (i == 0 || i == 1 || i == 6) fputs(words[i == 6 ? 2 : i], file);
        for (int b = 0; b < 4; b++) fputc((int)(numbers[i] >> (8 * b) & 255), file);
    }
    for (int i = 0; i < count; i++) {
        const int number = (int)lroundf(32767.0f * fmaxf(-1, fminf(1, y[i])));
        fputc(number & 255, file), fputc(number >> 8 & 255, file);
    }
    return fclose(file) == 0;
}

/* ---- the picture -------------------------------------------------------------------------------- */

static unsigned char picture[2 * HIGH][WIDE][3];

static void draw_curve(const float *x, int top, int red, int green, int blue) {
    int last = -1;
    for (int i = 0; i < WIDE; i++) {
        const int row = top + HIGH / 2 - (int)lroundf(fmaxf(-1, fminf(1, x[i])) * (HIGH / 2 - 2));
        for (int r = last < 0 ? row : last;; r += r < row ? 1 : -1) {
            picture[r][i][0] = (unsigned char)red, picture[r][i][1] = (unsigned char)green;
            picture[r][i][2] = (unsigned char)blue;
            if (r == row) break;
        }
        last = row;
    }
}

static void save_picture(const char *path, const float *dry, const float *wet, const float *net) {
    FILE *file = fopen(path, "wb");
    if (!file) return;
    memset(picture, 24, sizeof picture);
    draw_curve(dry, 0, 120, 170, 255);
    draw_curve(wet, HIGH, 255, 255, 255);
    draw_curve(net, HIGH, 255, 150, 40);
    fprintf(file, "P6\n%d %d\n255\n", WIDE, 2 * HIGH);
    fwrite(picture, 1, sizeof picture, file);
    fclose(file);
    printf("%s: the dry signal; the amplifier and, in orange, the net\n", path);
}

/* ---- playing ------------------------------------------------------------------------------------ */

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Plays x to y; both have room for whole blocks. */
static bool play(nn_context *nn, nn_plan *plan, const float *x, float *y, int count,
                 unsigned rate) {
    const int blocks = (count + BLOCK - 1) / BLOCK;
    double *took = (double *)malloc(sizeof *took * (size_t)(blocks + 1));
    nn_result result = took ? nn_clear_states(plan, NN_ALL_SAMPLES) : NN_ERROR_MEMORY;
    for (int b = 0; b < blocks && result == NN_OK; b++) {
        const void *inputs[] = {x + b * BLOCK};
        void *outputs[] = {y + b * BLOCK};
        const uint64_t begun = nn_now(nn);
        result = nn_run_on(plan, inputs, outputs); /* this alone would be in the callback */
        took[b] = (double)(nn_now(nn) - begun) * 1e-3;
    }
    if (result == NN_OK && blocks > 1) {
        qsort(took + 1, (size_t)blocks - 1, sizeof *took, compare); /* the first one prepares */
        printf("%d blocks of %d samples: %.1f microseconds each, at most %.1f; a block lasts %.0f\n",
               blocks, BLOCK, took[1 + (blocks - 1) / 2], took[blocks - 1], 1e6 * BLOCK / rate);
    }
    free(took);
    return result == NN_OK;
}

/* Returns the energy of the difference in percent of the signal's. */
static double difference(const float *y, const float *net, int count) {
    double wrong = 0, all = 0;
    for (int i = 0; i < count; i++) {
        wrong += (double)(y[i] - net[i]) * (y[i] - net[i]);
        all += (double)y[i] * y[i];
    }
    return 100 * wrong / all;
}

int main(int argc, char **argv) {
    static float dry[LENGTH], wet[LENGTH], heard[LENGTH], x[TRACKS * WINDOW], y[TRACKS * WINDOW];
    nn_context *nn = nn_open(&(nn_desc){.threads = 1, .log.function = nn_write_stderr});
    const int epochs = getenv("NN_SHORT") ? 6 : 60;
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "amp", .seed = 30});
    nn_node *in = nn_input(net, "dry", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 1));
    nn_node *wanted = nn_input(net, "wet", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 1));
    nn_node *h = nn_lstm(net, "lstm", in, &(nn_lstm_desc){.hidden_size = HIDDEN, .stateful = true});
    nn_node *out = nn_linear(net, "out", h, &(nn_linear_desc){.out_features = 1});
    nn_trainer *trainer = nn_make_trainer(net, nn_mse_loss(net, out, wanted, NULL),
                                          &(nn_trainer_desc){.batch = TRACKS, .time = WINDOW,
                                                             .optimizer = NN_ADAM,
                                                             .learning_rate = 0.004f,
                                                             .max_norm = 1,
                                                             .carry_states = true});
    nn_plan *learning = nn_trainer_plan(trainer);
    draw_dry(dry, LENGTH, 1);
    draw_wet(dry, wet, LENGTH);
    for (int epoch = 0; epoch < epochs && !nn_error(nn); epoch++) {
        float loss = 0;
        nn_clear_states(learning, NN_ALL_SAMPLES); /* track n continues from window to window */
        for (int at = 0; at < EACH; at += WINDOW) {
            for (int n = 0; n < TRACKS; n++) {
                memcpy(x + n * WINDOW, dry + n * EACH + at, sizeof *x * WINDOW);
                memcpy(y + n * WINDOW, wet + n * EACH + at, sizeof *y * WINDOW);
            }
            nn_upload(learning, in, x, sizeof x);
            nn_upload(learning, wanted, y, sizeof y);
            nn_train_on_inputs(trainer);
        }
        nn_read_loss(trainer, &loss);
        if (epoch % 10 == 9 || epoch == epochs - 1)
            printf("epoch %d  error %.6f\n", epoch + 1, (double)loss);
    }
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(out), .time = BLOCK});
    draw_dry(dry, LENGTH, 100); /* notes that it has not heard */
    draw_wet(dry, wet, LENGTH);
    if (play(nn, plan, dry, heard, LENGTH, RATE)) {
        printf("a sound that it has not heard: %.2f %% of the energy is wrong\n",
               difference(wet, heard, LENGTH));
        save_picture("amp.ppm", dry + LENGTH / 2, wet + LENGTH / 2, heard + LENGTH / 2);
    }
    if (argc > 2) {
        int count = 0;
        unsigned rate = RATE;
        float *sound = read_wav(argv[1], &count, &rate);
        float *played = (float *)calloc((size_t)count + BLOCK, sizeof *played);
        if (!sound || !played || !play(nn, plan, sound, played, count, rate) ||
            !write_wav(argv[2], played, count, rate))
            printf("%s: not a WAV file of 16-bit PCM, or %s cannot be written\n", argv[1], argv[2]);
        free(sound), free(played);
    }
    const bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
