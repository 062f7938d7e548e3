/* size_tiny.c - inference of MLPerf Tiny's nets in 8-bit integers (tiny_nets.h), set up as in
   firmware: weights in place, one block, no malloc. -DTINY=0 keyword spotting, 1 image
   classification, 2 anomaly detection, 3 visual wake words. Prints a line:

     net, multiply-adds, bytes of weights, bytes of the block, instructions of a run, hash of y

   Instructions are counted under qemu-system-arm with -icount shift=0, by the SysTick timer of 25
   MHz: 40 instructions per tick. The host prints 0 there; its hash is the same. */
#define NN_ERROR_BYTES 256
#define NN_MEASURE_BLOCK
#include "firmware.h"
#include "nn_quantize.h"

#include "size_print.h"
#include "tiny_nets.h"

#ifndef TINY
#define TINY 0
#endif

static char block[2 << 20];
static int8_t tiny_x[96 * 96 * 3], tiny_y[640];

#if TINY == 0
#define describe describe_keywords
static const char tiny_name[] = "keywords";
#elif TINY == 1
#define describe describe_images
static const char tiny_name[] = "images";
#elif TINY == 2
#define describe describe_anomaly
static const char tiny_name[] = "anomaly";
#else
#define describe describe_persons
static const char tiny_name[] = "persons";
#endif

int main(void) {
    nn_desc desc;
    nn_plan_desc plan_desc;
    nn_use_weights_desc in_place;
    nn_node *input, *output;
    const size_t lost = (16 - (size_t)((uintptr_t)block % 16)) % 16;
    memset(&desc, 0, sizeof desc);
    memset(&plan_desc, 0, sizeof plan_desc);
    memset(&in_place, 0, sizeof in_place);
    desc.block = block + lost;
    desc.block_bytes = sizeof block - lost;
    nn_context *nn = nn_open(&desc);
    nn_model *net = nn_make_model(nn, NULL);
    output = describe(net, &input);
    in_place.in_place = true;
    if (nn_use_weights(net, tiny_arrays, tiny_count, &in_place) != NN_OK) return 1;
    plan_desc.outputs = NN_NODES(output);
    nn_plan *plan = nn_make_plan(net, &plan_desc);
    nn_shape shape = nn_node_shape(input);
    size_t in = 1, out = (size_t)nn_node_shape(output).extent[1];
    for (int i = 1; i < shape.rank; i++) in *= (size_t)shape.extent[i];
    tiny_fill(tiny_x, in);
    if (nn_upload(plan, input, tiny_x, in) != NN_OK) return 2;
    size_begin();
    if (nn_run(plan) != NN_OK) return 3;
    const unsigned instructions = size_end();
    if (nn_download(plan, output, tiny_y, out) != NN_OK) return 4;
    size_say(tiny_name);
    size_number((unsigned)tiny_products);
    size_number((unsigned)tiny_used);
    size_number((unsigned)nn_context_memory(nn).block_needed_bytes);
    size_number(instructions);
    size_number(tiny_hash(tiny_y, out));
    size_say("\n");
    nn_close(nn);
    return 0;
}
