/* zephyr/nn.c - the library, compiled once for a program of Zephyr. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef CONFIG_NN_MORE
#include "nn_more.h"
#endif
#ifdef CONFIG_NN_SEQUENCE
#include "nn_sequence.h"
#endif
#ifdef CONFIG_NN_QUANTIZE
#include "nn_quantize.h"
#endif
