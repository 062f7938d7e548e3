/* base/optional.h - calls of optional files. A program that makes one of these calls without its
   file asks the linker for a function whose name says which file it is. */
#pragma once

#define nn_self_test(...) nn_self_test_is_in_nn_self_test_h(__VA_ARGS__)
