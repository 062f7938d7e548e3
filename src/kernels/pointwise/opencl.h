/* kernels/pointwise/opencl.h - the properties that determine the source text of a pointwise
   program, for the code that writes it and the code that runs it. */
#pragma once

#include "opencl/private.h"

/* The outputs' axes, folded over all broadcast inputs; innermost first. */
typedef struct nn__opencl_spread {
    int rank;
    uint64_t extent[NN_MAX_RANK], step[NN_PROGRAM_INPUTS][NN_MAX_RANK];
} nn__opencl_spread;

/* How an input is read. */
typedef enum nn__opencl_reading {
    NN__OPENCL_ELEMENTS, /* element by element, like the outputs */
    NN__OPENCL_NUMBER,   /* one number for all elements */
    NN__OPENCL_SPREAD    /* broadcast along some axes */
} nn__opencl_reading;

/* All properties that determine one source text. */
typedef struct nn__opencl_pointwise {
    const nn_program_args *args;
    const nn_view *inputs, *outputs;
    nn__opencl_reading reading[NN_PROGRAM_INPUTS];
    nn__opencl_spread spread;
    int lanes;
    bool many; /* several items in one launch, if nothing is broadcast or random */
    bool wide, draws; /* wide: more elements than an int counts; draws: has RANDOM */
} nn__opencl_pointwise;

/* Fills *p for an item (0 if there are no items). */
NN__OPENCL_PRIVATE void nn__opencl_pointwise_look(const nn_program_args *args,
                                                  int item, nn__opencl_pointwise *p);
/* Returns a hash that is equal for equal texts. */
NN__OPENCL_PRIVATE uint64_t nn__opencl_pointwise_key(const nn__opencl_pointwise *p);
/* Returns the text. user: an nn__opencl_pointwise. */
NN__OPENCL_PRIVATE char *nn__opencl_pointwise_make(nn__opencl *device, const void *user,
                                                   size_t *bytes);

/* ---- writing text: also used by opencl/chain_text.c ------------------------------------------ */

typedef struct nn__opencl_writer {
    char *text;
    size_t size, used; /* used: of the whole text, even beyond size */
} nn__opencl_writer;

/* Text beyond the size is cut, and `used` shows it. The text of a program is short: 96 instructions
   of at most 200 bytes, 12 views of at most 700. */
#define NN__OPENCL_PUT(writer, ...)                                                                \
    ((writer)->used += nn__opencl_format(                                                          \
         (writer)->text + ((writer)->used < (writer)->size ? (writer)->used : (writer)->size - 1), \
         (writer)->used < (writer)->size ? (writer)->size - (writer)->used : 1, __VA_ARGS__))

/* Writes T, NN_INDEX and the definitions that the instructions use. */
NN__OPENCL_PRIVATE void nn__opencl_pointwise_put_words(nn__opencl_writer *w, int lanes, bool wide,
                                                       bool angles);
NN__OPENCL_PRIVATE bool nn__opencl_pointwise_has_angles(const nn_program *program);
/* Returns the type of an array's elements in the text. */
NN__OPENCL_PRIVATE const char *nn__opencl_pointwise_type(nn_dtype dtype);
/* Writes the loop over the elements [begin, stop) in steps of `step`. The surrounding text declares
   begin and stop, the pointers y0 ... and x0 ..., the scalars s0 ..., e0 ... and t0_0 ... for
   broadcast inputs, and seed, stream and counter if the program draws random numbers. */
NN__OPENCL_PRIVATE void nn__opencl_pointwise_put_loop(nn__opencl_writer *w,
                                                      const nn__opencl_pointwise *p,
                                                      const char *step);
