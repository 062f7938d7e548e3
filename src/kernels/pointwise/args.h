/* kernels/pointwise/args.h - programs of element-wise instructions, and the tensors that they run
   over.

   Inputs are broadcast to the outputs' shape as in NumPy: aligned at the last axis, extents of 1
   repeat, an input may have fewer axes. They may be f32, f16, bf16, i32 (rounded to f32), u8, i8 or
   bool and are widened to f32. The outputs have one shape; each may be f32, f16, bf16, i32, u8, i8
   or bool: rounded to nearest, halves to even, whole numbers saturated and NaN becoming 0; bool is
   1 where the value is not 0.

   An output may be the storage of an input of the same shape and dtype (in place). The caller must
   not let outputs overlap inputs or outputs in any other way. */
#pragma once

#include "device/types.h"
#include "kernels/pointwise/program.h"

/* The tensors of one run of the program. */
typedef struct nn_program_item {
    nn_view outputs[NN_PROGRAM_OUTPUTS];
    nn_view inputs[NN_PROGRAM_INPUTS];
} nn_program_item;

/* Identifies a program as an optimizer of ops/optimizers.txt, for devices that have it as one
   function; others run the program. `steps` says what precedes the recipe, in this order: the
   gradient is scaled, clamped, and weight decay is added; the parameter is shrunk. */
enum { NN_RECIPE_SCALED = 1, NN_RECIPE_CLAMPED = 2, NN_RECIPE_DECAYED = 4, NN_RECIPE_SHRUNK = 8 };
/* Scalars of these steps, after those of the recipe. The scale is the input after the recipe's
   inputs. */
enum { NN_RECIPE_DECAY, NN_RECIPE_SHRINK, NN_RECIPE_LOW, NN_RECIPE_HIGH, NN_RECIPE_NUMBERS };
typedef struct nn_program_recipe {
    uint8_t line;            /* from 0 on */
    uint8_t steps;
    uint8_t inputs, scalars; /* of the recipe itself; parameter, gradient, states */
    /* maps inputs and scalars of the program to the recipe's */
    uint8_t input_of[NN_PROGRAM_INPUTS], scalar_of[NN_PROGRAM_SCALARS];
} nn_program_recipe;

/* Streams between two draws of a program; a model has fewer. */
#define NN_PROGRAM_DRAWS ((uint64_t)1 << 40)

typedef struct nn_program_args {
    nn_program program;
    /* item_count 0: the program runs over `inputs` and `outputs` below. Otherwise it runs over each
       of the items, whose shapes may differ, with the same scalars; `inputs` and `outputs` are not
       read. The items belong to the caller and live during the call. No output of an item overlaps
       another item. */
    const nn_program_item *items;
    int32_t item_count;
    uint32_t accumulate; /* bit k: output k += instead of = */
    /* RANDOM number a: element i of item k (k = 0 without items) is nn_word_to_uniform of word
       i % 4 of Philox(seed, stream + k + a * NN_PROGRAM_DRAWS, counter + i / 4). */
    uint64_t seed, stream, counter;
    const nn_program_recipe *recipe; /* or NULL; only with items and without accumulate */
    nn_view status;  /* absent, or a status word: nothing is written while it is set */
    nn_view scratch; /* of scratch_bytes() bytes */
    float scalars[NN_PROGRAM_SCALARS];
    nn_view outputs[NN_PROGRAM_OUTPUTS];
    /* last, so that stored arguments can omit unused ones */
    nn_view inputs[NN_PROGRAM_INPUTS];
} nn_program_args;

/* Views and numbers: see kernels/list.h. */
#define NN_POINTWISE_VIEWS(VIEW, ITEM)                                                             \
    VIEW(KEPT, outputs[0], a->item_count ? 0 : a->program.output_count)                            \
    VIEW(IN, inputs[0], a->item_count ? 0 : a->program.input_count)                                \
    ITEM(KEPT, items, item_count, outputs[0], a->program.output_count)                             \
    ITEM(IN, items, item_count, inputs[0], a->program.input_count) VIEW(IN, status, 1)             \
    VIEW(SCRATCH, scratch, 1)
#define NN_POINTWISE_NUMBERS(INT, REAL, OTHER)                                                     \
    OTHER(program) OTHER(items) INT(item_count) INT(accumulate) INT(seed) INT(stream) INT(counter) \
    OTHER(scalars) OTHER(recipe)
