/* onnx/write_plan.h - prints the plan of a net as C constants, for firmware that neither describes
   nor plans:

       nn_write_plan_c(net, &(nn_plan_c_desc){.name = "kws", .outputs = NN_NODES(y),
                                              .output_names = NN_TEXTS("scores"),
                                              .writer = {nn_write_file, file}});

   A program includes the printed file after nn.h, in the file that contains the implementation
   (NN_IMPLEMENTATION or NN_STATIC), built with NN_NO_SIMD:

       memcpy(kws_x, samples, sizeof samples);     // the input "x"
       if (kws_run() == NN_OK) best = kws_scores[0] > kws_scores[1];

   There is no context, no model and no plan: tensors, steps and weights are constants, which can
   stay in flash. kws_block holds everything else: inputs, activations and scratch memory. The text
   calls the kernels of nn.h by private names, so it belongs to the version of nn.h that printed it.
   It is valid C99 and C++11.

   DOES NOT: train, leave extents free, use devices other than the CPU, or use threads. */
#pragma once

#include "onnx/onnx.h"

typedef struct nn_plan_c_desc {
    /* default: "net". Prefix of every name that is printed; a C identifier */
    const char *name;
    nn_nodes outputs; /* the values that the plan computes; at least one */
    /* default: the names of the nodes. One for each output, in the order of the outputs */
    nn_texts output_names;
    nn_writer writer; /* must be given. Receives the text, in pieces */
    int32_t batch;    /* default: 1. The batch of every run */
    int32_t time;     /* default: 1. The extent NN_TIME of every run */
} nn_plan_c_desc;

/* Prints the steps that the outputs need, for one batch and time, with their memory. A relu after a
   linear layer or a convolution becomes a part of it. The results are the bytes that a plan of this
   net gives in the same program, built with NN_NO_SIMD and NN_NO_SPEEDUPS.

   The text declares NAME_run, which returns NN_OK, and a pointer for each input and output:
   NAME_<input>, NAME_<output>. Write all inputs before each run: a run reuses their memory. Outputs
   are valid until the next run. NAME_run is not reentrant. On a machine with 32-bit pointers a
   tensor takes 32 bytes of constants, and a step takes 16, plus 2 for each of its tensors and 4 for
   each of its numbers. Concatenations, slices and the like take 200 bytes for each piece that is
   copied, and pointwise operations 8 for each instruction.

   The weights of an integer product or convolution without groups that are all from -8 to 7
   (.weight_bits of nn_quantize_net) are printed two in a byte. A run unpacks those of some output
   channels at a time, usually 4 KB, into scratch memory. Results have the same bytes.

   The block has as much scratch memory as the plain kernels of this program ask for. If this
   program has NN_NO_SIMD, that is what the device needs; otherwise it may be more.

   Reads f32, i32, u8, i8 and bool. Weights are read from the device that they are on (the ledger
   shows the copies), and are allocated if no plan was made yet.

   Errors: NN_ERROR_FAULTS if the description has faults, which are listed. NN_ERROR_UNSUPPORTED if
   operations cannot be printed (attention, sorting, scans, states, random numbers, halves,
   operations of your own): the error lists all of them, each with its name and
   the cause, and nothing is written. NN_ERROR_ARGUMENT for a missing writer, missing or foreign
   outputs, a negative batch or time, and a name that is no C identifier. NN_ERROR_MEMORY. */
NN_API nn_result nn_write_plan_c_at(nn_site site, nn_model *net, const nn_plan_c_desc *desc);
#define nn_write_plan_c(...) nn_write_plan_c_at(NN_HERE, __VA_ARGS__)
