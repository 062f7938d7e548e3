/* kernels/pointwise/cpu_recipes.c - optimizers that are programs (ops/optimizers.txt), each in one
   pass over the parameters, if the instruction set has vectors: see
   kernels/pointwise/vector_recipes.h.

   Updates are limited by memory or, if the data is in a near cache, by divisions and square roots:
   on a Zen 4, one of them for sixteen numbers takes about ten cycles. Compiled for size. */
#include "kernels/pointwise/cpu.h"
#include "kernels/pointwise/vector.h"

#ifndef NN_NO_TRAINING
#ifdef NN__PROGRAM_FUSES

/* Returns false if vectors cannot run the recipe; then nothing was done. */
static bool nn__recipe_run(const nn__cpu *cpu, const nn_program_args *args, const nn_view *inputs,
                           const nn_view *outputs, int64_t first, int64_t end) {
    const nn_program_recipe *recipe = args->recipe;
    const nn__recipe_function *functions = *NN__OF_NARROW_VECTORS(cpu, nn__recipes);
    nn__recipe_row row;
    memset(&row, 0, sizeof row);
    row.steps = recipe->steps;
    for (int k = 0; k < args->program.input_count; k++) {
        const int to = recipe->input_of[k];
        if (inputs[k].dtype != NN_F32) return false;
        if (to < recipe->inputs)
            row.from[to] = nn__f32(&inputs[k]) + first;
        else
            row.scale = *nn__f32(&inputs[k]);
    }
    for (int k = 0; k < recipe->inputs; k++)
        if (!row.from[k]) return false; /* the program does not read it */
    for (int k = 0; k < args->program.output_count; k++) {
        if (outputs[k].dtype != NN_F32) return false;
        row.to[k] = nn__f32(&outputs[k]) + first;
    }
    for (int k = 0; k < args->program.scalar_count; k++) {
        const int to = recipe->scalar_of[k];
        *(to < recipe->scalars ? &row.numbers[to] : &row.before[to - recipe->scalars]) =
            args->scalars[k];
    }
    functions[recipe->line](&row, (ptrdiff_t)(end - first));
    return true;
}

NN_PRIVATE void nn__install_recipes(nn_context *nn) {
    nn__cpu *cpu = (nn__cpu *)nn->cpu;
    const void *vectors = cpu ? (const void *)NN__OF_NARROW_VECTORS(cpu, nn__recipes) : NULL;
    if (vectors) cpu->programs.recipe = nn__recipe_run;
}

#else

NN_PRIVATE void nn__install_recipes(nn_context *nn) { (void)nn; }

#endif
#endif
