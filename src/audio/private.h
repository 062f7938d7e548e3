/* audio/private.h - the inside of nn_audio.h.

   A file is one JSON text, which json.c checks once and then visits in place. A net is built by one
   function that runs twice (layers.c): first it only checks the fields and takes the weights; if
   that found no mistake, it describes the nodes. */
#pragma once

#include "audio/audio.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* As in nn.h: static in the drop-in. */
#if defined(__GNUC__) || defined(__TINYC__)
#define NN__AUDIO_UNUSED __attribute__((unused))
#else
#define NN__AUDIO_UNUSED
#endif
#ifdef NN_PRIVATE
#define NN__AUDIO_PRIVATE NN_PRIVATE
#elif defined(NN_AUDIO_IMPLEMENTATION)
#define NN__AUDIO_PRIVATE static NN__AUDIO_UNUSED
#elif defined(__GNUC__) && !defined(_WIN32)
#define NN__AUDIO_PRIVATE extern __attribute__((visibility("hidden")))
#else
#define NN__AUDIO_PRIVATE extern
#endif

#define NN__AUDIO_MEMORY   (1u << 20) /* most bytes for a file, above twice its size */
#define NN__AUDIO_CHANNELS 4096       /* most channels of a layer */
#define NN__AUDIO_LAYERS   1024       /* most layers of a net */
#define NN__AUDIO_KERNEL   (1 << 20)  /* most taps of a kernel, and the largest dilation */

/* ---- file.c: a file, its memory, its errors -------------------------------------------------- */

/* A text that is made piece by piece and cut off at the end of its room. */
typedef struct nn__audio_words {
    char text[600];
    size_t length;
} nn__audio_words;

/* The numbers of one tensor of the net. They follow the struct in memory. */
typedef struct nn__audio_weight nn__audio_weight;
struct nn__audio_weight {
    nn__audio_weight *next;
    char name[NN_NAME_BYTES];
    size_t count, bytes; /* of numbers; of the allocation */
    float *numbers;
};

typedef struct nn__audio_file {
    nn_context *nn;
    nn_site site;
    const char *call; /* "nn_nam_net" */
    nn_model *net;
    const nn_audio_desc *desc;
    const char *label; /* the file's name without its folder */
    const char *text;  /* size bytes, not terminated */
    size_t size;
    void *memory; /* the text, if it was read from a file */
    uint64_t taken;
    bool failed;
    char cause[600];
    nn_result code;
    /* The net that is being built. */
    bool describing; /* false: the first run, which checks and takes weights */
    nn__audio_weight *weights, **last_weight;
    size_t stream; /* of .nam: the position of the next weight; 0: none is left */
    int64_t streamed, stream_count; /* weights taken, weights in the file */
    float scale;                    /* head_scale of a WaveNet: its last weight */
    char layer[64];                 /* what is being read, for errors: "layers[2] (gru)" */
    nn_audio_info info;
} nn__audio_file;

/* Appends to a text: %s a text, %q a text in quotes (at most 60 bytes), %d an int64_t, %g a double
   with three digits. */
NN__AUDIO_PRIVATE void nn__audio_say(nn__audio_words *words, const char *format, ...);
/* Records the first error, "nn_nam_net at main.c:12: amp.nam, layers[0]: ...". Returns false. */
NN__AUDIO_PRIVATE bool nn__audio_fail(nn__audio_file *file, nn_result code, const char *format,
                                      ...);
/* Calls `build` twice and sets the weights; returns what the second run returned, or the poisoned
   node. root: the position of the file's object. */
typedef nn_node *nn__audio_build(nn__audio_file *file, size_t root);
NN__AUDIO_PRIVATE nn_node *nn__audio_net(nn_site site, nn_model *net, const char *call,
                                         const char *path, const nn_audio_desc *desc,
                                         nn__audio_build *build);

/* ---- json.c: positions in a checked text; 0 means none --------------------------------------- */

/* Checks the whole text as RFC 8259 has it; false after an error with the line. */
NN__AUDIO_PRIVATE bool nn__audio_check_json(nn__audio_file *file, size_t *root);
/* Returns '{', '[', '"', '0' for a number, 't', 'f' or 'n'. */
NN__AUDIO_PRIVATE char nn__audio_kind(const nn__audio_file *file, size_t at);
/* Returns the value of a member; 0: there is none, or it is null, or `at` is no object. */
NN__AUDIO_PRIVATE size_t nn__audio_member(const nn__audio_file *file, size_t at, const char *key);
/* Return the first element of a list, and the one after an element. */
NN__AUDIO_PRIVATE size_t nn__audio_first(const nn__audio_file *file, size_t list);
NN__AUDIO_PRIVATE size_t nn__audio_next(const nn__audio_file *file, size_t element);
NN__AUDIO_PRIVATE int64_t nn__audio_length(const nn__audio_file *file, size_t list);
NN__AUDIO_PRIVATE double nn__audio_number(const nn__audio_file *file, size_t at);
/* True if a value is this string, without escapes. */
NN__AUDIO_PRIVATE bool nn__audio_is(const nn__audio_file *file, size_t at, const char *text);
/* Copies a string up to the first escape, for messages and names; cut off at 60 bytes. */
NN__AUDIO_PRIVATE const char *nn__audio_string(const nn__audio_file *file, size_t at,
                                               char text[64]);

/* Read fields of an object. Each returns what is there, or after an error something that is
   safe. */
NN__AUDIO_PRIVATE size_t nn__audio_want(nn__audio_file *file, size_t at, const char *key,
                                        char kind);
NN__AUDIO_PRIVATE int32_t nn__audio_whole(nn__audio_file *file, size_t at, const char *key,
                                          int32_t absent, int32_t least, int32_t most);
NN__AUDIO_PRIVATE bool nn__audio_truth(nn__audio_file *file, size_t at, const char *key,
                                       bool absent);
/* Checks a value as a whole number in [least, most]; key is for the message. */
NN__AUDIO_PRIVATE int32_t nn__audio_whole_at(nn__audio_file *file, size_t at, const char *key,
                                             int32_t least, int32_t most);

/* ---- layers.c: weights and nodes ------------------------------------------------------------- */

/* Makes room for the numbers of "NAME.part"; NULL after an error, or while nodes are described. */
NN__AUDIO_PRIVATE float *nn__audio_weight_of(nn__audio_file *file, const char *name,
                                             const char *part, uint64_t count);
/* Returns the next weight of a .nam file; 0 after an error. */
NN__AUDIO_PRIVATE float nn__audio_take(nn__audio_file *file);
/* Returns a number of the file that f32 can hold. */
NN__AUDIO_PRIVATE float nn__audio_float(nn__audio_file *file, size_t at);
/* Returns the name of a part of the net, with the prefix of the desc: "amp.layers.3". */
NN__AUDIO_PRIVATE const char *nn__audio_name(nn__audio_file *file, char name[NN_NAME_BYTES],
                                             const char *format, ...);
/* Returns the input as (N, T, C); checks a given one. */
NN__AUDIO_PRIVATE nn_node *nn__audio_input(nn__audio_file *file, int32_t channels);
static inline nn_node *nn__audio_turned(nn__audio_file *file, nn_node *x) {
    return file->describing ? nn_transpose_at(file->site, file->net, x, 1, 2) : NULL;
}

typedef struct nn__audio_conv {
    int32_t in, out, kernel, dilation, groups;
    bool bias;
} nn__audio_conv;
/* Returns a causal convolution over x (N, in, T), whose weights follow in a .nam file: weight (out,
   in / groups, kernel), then bias. */
NN__AUDIO_PRIVATE nn_node *nn__audio_take_conv(nn__audio_file *file, const char *name, nn_node *x,
                                               const nn__audio_conv *conv);
/* Adds only the node; the caller has set the weights. */
NN__AUDIO_PRIVATE nn_node *nn__audio_conv_node(nn__audio_file *file, const char *name, nn_node *x,
                                               const nn__audio_conv *conv);
/* Returns an expression of x with named numbers; NULL in the first run. */
NN__AUDIO_PRIVATE nn_node *nn__audio_expression(nn__audio_file *file, const char *text, nn_node *x,
                                                const char *const *names, const float *numbers,
                                                int count);
NN__AUDIO_PRIVATE nn_node *nn__audio_scaled(nn__audio_file *file, nn_node *x, float by);

/* ---- activation.c ---------------------------------------------------------------------------- */

/* Returns an activation of NAM, a string or an object, over x (N, channels, T). */
NN__AUDIO_PRIVATE nn_node *nn__audio_nam_activation(nn__audio_file *file, size_t at,
                                                    const char *name, nn_node *x,
                                                    int32_t channels);
/* Returns one of RTNeural's, over the last axis of x (N, T, channels); "" is none. */
NN__AUDIO_PRIVATE nn_node *nn__audio_keras_activation(nn__audio_file *file, size_t at, nn_node *x);

/* ---- wavenet.c ------------------------------------------------------------------------------- */

NN__AUDIO_PRIVATE nn_node *nn__audio_wavenet(nn__audio_file *file, size_t config);
