/* compile_overloads.cpp - every overload that tools/calls.c has written for C++ is used: with each desc as an empty struct
   and, from C++20 on, with the first field of each desc named in place. build/gen/tests/overloads.h has a line for each. */
#include "nn_audio.h"
#include "nn_group.h"
#include "nn_quantize.h"
#include "nn_self_test.h"
#include "nn_onnx.h"
#include "nn_opencl.h"
#include "nn_text.h"

#if defined(__GNUC__) && __cplusplus >= 202002L
#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* left at their defaults */
#endif

template <typename Type> static Type zero() { return Type(); }
template <int Line> int compile_overload();
template <int Line> int compile_overload_fields();

#define USE(line, call)                                                                            \
    template <> int compile_overload<line>() {                                                     \
        (void)call;                                                                                \
        return line;                                                                               \
    }
#if __cplusplus >= 202002L
#define USE_FIELDS(line, call)                                                                     \
    template <> int compile_overload_fields<line>() {                                              \
        (void)call;                                                                                \
        return line;                                                                               \
    }
#else
#define USE_FIELDS(line, call)
#endif
#include "../../build/gen/tests/overloads.h"
