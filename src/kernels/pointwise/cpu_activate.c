/* kernels/pointwise/cpu_activate.c - installs the activations that are epilogues of products,
   convolutions and norms. Their loops (kernels/pointwise/vector.h) give the bytes of the pointwise
   programs. */
#include "kernels/pointwise/cpu.h"
#include "kernels/pointwise/vector.h"

#define NN__EPILOGUE(upper, lower)                                                                 \
    NN_PRIVATE void nn__install_##lower(nn_context *nn) {                                          \
        nn__cpu *cpu = (nn__cpu *)nn->cpu;                                                         \
        if (!cpu) return;                                                                          \
        cpu->activations[NN_ACTIVATION_##upper] = NN__OF_SET(cpu, nn__epilogue_##lower);           \
    }
NN__EPILOGUE(SIGMOID, sigmoid)
NN__EPILOGUE(TANH, tanh)
NN__EPILOGUE(GELU, gelu)
#undef NN__EPILOGUE
