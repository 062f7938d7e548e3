/* 28_vad.c - finds speech in a sound with somebody else's model, read from its ONNX file. The
   sound comes in blocks of 32 milliseconds, as from a microphone, and a state goes from block to
   block.
   Run:    cc -O2 28_vad.c -o vad -lm -lpthread && ./vad silero_vad.onnx sound.wav
   Prints: a line for each piece of speech, with the seconds at which it begins and ends.

   The model is version 5 of Silero VAD (MIT licence; silero_vad/data in the Python package
   silero-vad). The sound must be 16-bit PCM with 16,000 samples a second; of stereo only the left
   channel is used. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "../nn_onnx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RATE = 16000, BLOCK = 512, BEFORE = 64, STATE = 2 * 128 };
/* Speech begins above the first probability and ends after 100 ms below the second. */
#define BEGINS 0.5f
#define ENDS   0.35f
#define PAUSE  (RATE / 10)

/* Returns the samples of a WAV file in [-1, 1], to be freed; NULL: this program cannot read the
   file. */
static float *read_wav(const char *path, int *count) {
    unsigned char head[12], part[8], format[16] = {0};
    FILE *file = fopen(path, "rb");
    float *samples = NULL;
    if (!file) return NULL;
    if (fread(head, 1, 12, file) == 12 && !memcmp(head, "RIFF", 4) && !memcmp(head + 8, "WAVE", 4))
        while (!samples && fread(part, 1, 8, file) == 8) {
            const unsigned size = part[4] | part[5] << 8 | part[6] << 16 | (unsigned)part[7] << 24;
            const int channels = format[2], bits = format[14];
            if (!memcmp(part, "fmt ", 4) && size >= 16) {
                if (fread(format, 1, 16, file) != 16 || fseek(file, (long)(size - 16), SEEK_CUR)) break;
            } else if (memcmp(part, "data", 4)) {
                if (fseek(file, (long)(size + size % 2), SEEK_CUR)) break;
            } else {
                const unsigned rate = format[4] | format[5] << 8 | format[6] << 16;
                if (format[0] != 1 || bits != 16 || rate != RATE || channels < 1) break;
                *count = (int)(size / 2) / channels;
                samples = (float *)calloc((size_t)*count + BLOCK, sizeof *samples);
                for (int i = 0; samples && i < *count; i++) {
                    unsigned char two[2] = {0};
                    for (int c = 0; c < channels; c++) {
                        unsigned char other[2];
                        if (fread(c == 0 ? two : other, 1, 2, file) != 2) *count = i;
                    }
                    const int number = two[0] | two[1] << 8;
                    samples[i] = (float)(number < 32768 ? number : number - 65536) / 32768.0f;
                }
            }
        }
    fclose(file);
    return samples;
}

typedef struct listener {
    nn_plan *plan;
    nn_node *sound, *state, *speech, *new_state;
} listener;

/* Describes the model and plans it for one stream. */
static bool listen(listener *it, nn_context *nn, const char *path) {
    nn_onnx *file = nn_open_onnx(nn, &(nn_onnx_desc){.path = path});
    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "vad"});
    it->speech = nn_onnx_net(net, "vad", file,
                             &(nn_onnx_net_desc){
                                 .extents = NN_ONNX_EXTENTS({"input.1", BEFORE + BLOCK},
                                                            {"state.1", NN_BATCH}),
                                 .values = NN_ONNX_VALUES({"sr", RATE})});
    it->sound = nn_onnx_node(net, file, "input");
    it->state = nn_onnx_node(net, file, "state");
    it->new_state = nn_onnx_node(net, file, "stateN");
    it->plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(it->speech, it->new_state)});
    nn_load_onnx_weights(net, file);
    nn_close_onnx(file);
    return !nn_error(nn);
}

int main(int count, char **word) {
    listener it;
    float in[BEFORE + BLOCK] = {0}, state[STATE] = {0}, speech = 0.0f;
    int samples = 0, began = -1, quiet = 0;
    if (count < 3) {
        puts("28_vad silero_vad.onnx sound.wav: where there is speech in a sound (16 kHz, 16 bits).");
        puts("Nothing was given. The model is in the Python package silero-vad.");
        return 0;
    }
    float *sound = read_wav(word[2], &samples);
    if (!sound) {
        fprintf(stderr, "%s: no WAV file of 16 bits and 16,000 samples a second\n", word[2]);
        return 1;
    }
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    uint64_t busy = 0;
    bool fine = listen(&it, nn, word[1]);
    for (int at = 0; fine && at < samples; at += BLOCK) {
        const uint64_t start = nn_now(nn);
        memmove(in, in + BLOCK, BEFORE * sizeof *in);
        memcpy(in + BEFORE, sound + at, BLOCK * sizeof *in);
        fine = nn_upload(it.plan, it.sound, in, sizeof in) == NN_OK &&
               nn_upload(it.plan, it.state, state, sizeof state) == NN_OK &&
               nn_run(it.plan) == NN_OK &&
               nn_download(it.plan, it.speech, &speech, sizeof speech) == NN_OK &&
               nn_download(it.plan, it.new_state, state, sizeof state) == NN_OK;
        busy += nn_now(nn) - start;
        quiet = speech >= ENDS ? 0 : quiet + BLOCK;
        if (began < 0 && speech > BEGINS) began = at;
        if (began >= 0 && (quiet >= PAUSE || at + BLOCK >= samples)) {
            printf("speech from %.2f s to %.2f s\n", (double)began / RATE,
                   (double)(at + BLOCK - quiet) / RATE);
            began = -1;
        }
    }
    if (fine)
        printf("%.1f s of sound in %.0f ms\n", (double)samples / RATE, (double)busy * 1e-6);
    nn_close(nn);
    free(sound);
    return !fine;
}
