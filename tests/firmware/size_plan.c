/* size_plan.c - inference of a net whose plan print_plan.c printed as constants into the file
   PLAN_FILE: no context, no description, no planner. -DTINY=0 to 5, as in print_plan.c. Prints a
   line:

     net, multiply-adds, bytes of weights, of the block, of the stack, instructions of a run, hash
     of y */
#include "firmware.h"
#include "nn_quantize.h"

#include PLAN_FILE

#include "size_print.h"
#include "tiny_nets.h"
/* float_nets.h adds to the numbers of tiny_nets.h */
#include "float_nets.h"

int main(void) {
    static const char *const names[] = {"keywords", "images", "anomaly", "persons", "mlp", "cnn"};
    const nn__fixed_tensor *x = NULL, *y = NULL;
    size_t in = 1, out = 1;
    for (size_t i = 0; i < sizeof planned_tensors / sizeof *planned_tensors; i++) {
        if (planned_tensors[i].data == (const void *)planned_y) y = &planned_tensors[i];
        if (!x && planned_tensors[i].data == (const void *)planned_x) x = &planned_tensors[i];
    }
    if (!x || !y) return 1;
    for (int i = 0; i < x->rank; i++) in *= (size_t)x->extent[i];
    for (int i = 0; i < y->rank; i++) out *= (size_t)y->extent[i];
#if TINY < 4
    tiny_state = PLAN_STATE; /* of the random numbers after those of the weights */
    tiny_fill(planned_x, in);
#else
    float_input(planned_x, in);
#endif
    size_paint();
    size_begin();
    if (planned_run() != NN_OK) return 2;
    const unsigned instructions = size_end();
    const size_t stack = size_stack();
    size_say(names[TINY]);
    size_number(planned_multiply_adds);
    size_number(planned_weights);
    size_number((unsigned)sizeof planned_block);
    size_number((unsigned)stack);
    size_number(instructions);
    size_number(tiny_hash(planned_y, out * sizeof *planned_y));
    size_say("\n");
    return 0;
}
