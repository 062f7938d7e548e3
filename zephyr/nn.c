/* zephyr/nn.c - the library, compiled once for a program of Zephyr. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef CONFIG_NN_QUANTIZE
#include "nn_quantize.h"
#endif
