/* program/private.h - algebra of pointwise programs: build, simplify, merge, differentiate,
   parse. They are pure functions that depend on neither graphs nor devices. */
#pragma once

#include "base/private.h"
#include "kernels/pointwise/program.h"

/* A program under construction. It has more room than a program may have instructions, because
   differentiation makes many that are dropped again. Appending reuses equal instructions and
   computes constants, so no two instructions of a draft are equal. */
#define NN__DRAFT_LENGTH 250
#define NN__DRAFT_INPUTS 20
#define NN__NO_PLACE     (-1)
typedef struct nn__draft {
    nn_instruction code[NN__DRAFT_LENGTH];
    int count;
    int output[NN_PROGRAM_OUTPUTS];
    int output_count;
    bool full; /* an instruction did not fit; every later append returns NN__NO_PLACE */
} nn__draft;

NN_PRIVATE void nn__draft_begin(nn__draft *draft);
/* Each returns the place of the value; NN__NO_PLACE if the draft is full or an operand is
   NN__NO_PLACE. Operands that the instruction does not take are 0. */
NN_PRIVATE int nn__draft_append(nn__draft *draft, nn_instruction_code code, int a, int b, int c);
NN_PRIVATE int nn__draft_constant(nn__draft *draft, float value);
NN_PRIVATE int nn__draft_input(nn__draft *draft, int number);
NN_PRIVATE int nn__draft_scalar(nn__draft *draft, int number);
/* Adds random draw number `number` of the program; each number draws its own values. */
NN_PRIVATE int nn__draft_random(nn__draft *draft, int number);
/* Appends another program. Its input i is the value at inputs[i], its scalar k the value at
   scalars[k]; `outputs` receives the places of its outputs. False: full. */
NN_PRIVATE bool nn__draft_merge(nn__draft *draft, const nn_program *program, const int *inputs,
                                const int *scalars, int *outputs);
NN_PRIVATE bool nn__draft_output(nn__draft *draft, int place); /* false: too many, or no place */
/* Drops what no output needs, and renumbers inputs and scalars in the order of their first use.
   `code` has room for NN_PROGRAM_LENGTH instructions and becomes program->code. `inputs` and
   `scalars`, if not NULL, receive the old numbers (room for NN_PROGRAM_INPUTS,
   NN_PROGRAM_SCALARS). False: a limit of programs is exceeded. */
NN_PRIVATE bool nn__draft_finish(const nn__draft *draft, nn_instruction *code, nn_program *program,
                                 uint8_t *inputs, uint8_t *scalars);
/* Checks a program from outside: NULL, or a text that says what is wrong. */
NN_PRIVATE const char *nn__program_fault(const nn_program *program);
NN_PRIVATE int nn__instruction_operands(int code);
/* "subtract", or short "sub". The short name is "" where a text uses an operator or a name
   instead. */
NN_PRIVATE const char *nn__instruction_name(int code, bool long_name);
NN_PRIVATE bool nn__program_is_random(const nn_program *program);

#ifndef NN_NO_TRAINING
/* Differentiates a program with respect to some of its inputs, with one rule for each instruction
   (program/derive.c). Inputs of the result: number i is the program's input i, NN__DERIVE_RESULT
   + k is its output k, NN__DERIVE_GRADIENT + k is the gradient of output k. After
   nn__draft_finish, `inputs` maps to these numbers. Outputs: one for each input whose bit is set
   in `wanted` (at most NN_PROGRAM_OUTPUTS), in order. results: outputs of the program may be
   read instead of being computed again. False: the draft is full. */
#define NN__DERIVE_RESULT   8
#define NN__DERIVE_GRADIENT 12
NN_PRIVATE bool nn__program_derive(const nn_program *program, unsigned wanted, bool results,
                                   nn__draft *draft);
#endif

/* ---- programs from text (program/parse.c) ---------------------------------------------------- */

/* Names that a text may use, besides instructions, pi, inf and nan. */
#define NN__SYMBOL_BYTES 32
typedef struct nn__symbols {
    char names[NN_PROGRAM_INPUTS][NN__SYMBOL_BYTES];
    int count;
    char scalars[NN_PROGRAM_SCALARS][NN__SYMBOL_BYTES];
    int scalar_count;
    /* Looks up a function that is itself a program with one output. Its arguments are its
       inputs, then its scalars. NULL: there is none. */
    const nn_program *(*find)(void *user, const char *name, size_t length);
    void *user;
} nn__symbols;

typedef struct nn__parse_fault {
    int column; /* from 1, in bytes */
    char text[120];
} nn__parse_fault;

/* Parses "r, a" into symbols->names, up to the end. Of an access ("batch->r") the last word is
   the name. False: a part without a name ("f(x)"), a name given twice, or too many names; see
   `fault`. */
NN_PRIVATE bool nn__parse_names(const char *text, size_t length, nn__symbols *symbols,
                                nn__parse_fault *fault);
/* Parses "r, a: expression", or "expression" if symbols already has names. A header replaces
   symbols->names. */
NN_PRIVATE bool nn__parse_program(const char *text, nn__symbols *symbols, nn__draft *draft,
                                  nn__parse_fault *fault);
