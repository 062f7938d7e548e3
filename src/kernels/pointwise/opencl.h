/* kernels/pointwise/opencl.h - what the text of a pointwise program depends on: shared by those who
   write it and those who run it. */
#pragma once

#include "opencl/private.h"

/* Axes of the outputs folded over all inputs that are broadcast; innermost first. */
typedef struct nn__opencl_spread {
    int rank;
    uint64_t extent[NN_MAX_RANK], step[NN_PROGRAM_INPUTS][NN_MAX_RANK];
} nn__opencl_spread;

/* How an input is read. */
typedef enum nn__opencl_reading {
    NN__OPENCL_ELEMENTS, /* element by element, as the outputs */
    NN__OPENCL_NUMBER,   /* one number for all */
    NN__OPENCL_SPREAD    /* broadcast along some axes */
} nn__opencl_reading;

/* What one text depends on. */
typedef struct nn__opencl_pointwise {
    const nn_program_args *args;
    const nn_view *inputs, *outputs;
    nn__opencl_reading reading[NN_PROGRAM_INPUTS];
    nn__opencl_spread spread;
    int lanes;
    bool many; /* several items in one launch, where nothing is broadcast or random */
    bool wide, draws; /* wide: more numbers than an int counts; draws: has RANDOM */
} nn__opencl_pointwise;

/* Fills *p for an item (0: without items). */
NN__OPENCL_PRIVATE void nn__opencl_pointwise_look(const nn_program_args *args,
                                                  int item, nn__opencl_pointwise *p);
/* Equal for equal texts. */
NN__OPENCL_PRIVATE uint64_t nn__opencl_pointwise_key(const nn__opencl_pointwise *p);
/* The text; user: a nn__opencl_pointwise. */
NN__OPENCL_PRIVATE char *nn__opencl_pointwise_make(nn__opencl *device, const void *user,
                                                   size_t *bytes);

/* ---- writing texts: opencl/chain_text.c writes programs between other things ----------------- */

typedef struct nn__opencl_writer {
    char *text;
    size_t size, used; /* used: of the whole text, also of what found no room */
} nn__opencl_writer;

/* What is longer than the room is cut, and `used` tells. A program's text is short: 96 instructions
   of at most 200 bytes, 12 views of at most 700. */
#define NN__OPENCL_PUT(writer, ...)                                                                \
    ((writer)->used += nn__opencl_format(                                                          \
         (writer)->text + ((writer)->used < (writer)->size ? (writer)->used : (writer)->size - 1), \
         (writer)->used < (writer)->size ? (writer)->size - (writer)->used : 1, __VA_ARGS__))

/* T, NN_INDEX and what the words of instructions stand for. */
NN__OPENCL_PRIVATE void nn__opencl_pointwise_put_words(nn__opencl_writer *w, int lanes, bool wide,
                                                       bool angles);
NN__OPENCL_PRIVATE bool nn__opencl_pointwise_has_angles(const nn_program *program);
/* The loop over the elements [begin, stop), `step` after `step`. Around it the text declares begin
   and stop, the pointers y0 ... and x0 ..., the scalars s0 ..., e0 ... and t0_0 ... of what is
   broadcast, and seed, stream and counter where the program draws. */
NN__OPENCL_PRIVATE void nn__opencl_pointwise_put_loop(nn__opencl_writer *w,
                                                      const nn__opencl_pointwise *p,
                                                      const char *step);
