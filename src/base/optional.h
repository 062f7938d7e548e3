/* base/optional.h - calls of optional files. If a program makes such a call without including the
   file, the linker misses a function whose name says which file it is. */
#pragma once

#include "base/config.h"

#ifndef NN__NO_TRAINER
#define nn_quantize_net(...) nn_quantize_net_is_in_nn_quantize_h(__VA_ARGS__)
#define nn_prepare_qat(...)  nn_prepare_qat_is_in_nn_quantize_h(__VA_ARGS__)
#endif
#define nn_self_test(...) nn_self_test_is_in_nn_self_test_h(__VA_ARGS__)
