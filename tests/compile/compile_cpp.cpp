/* compile_cpp.cpp - the implementation in a C++ file, after many standard headers, and the API as
   C++ spells it: descs as constant references, with designators from C++20 on. */
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_opencl.h"

int compile_cpp(nn_context *nn);

int compile_cpp(nn_context *nn) {
    nn_model_desc model_desc = nn_model_desc();
    model_desc.name = "cpp";
    nn_model *net = nn_make_model(nn, &model_desc);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 1, 8, 8));
    nn_conv2d_desc conv2d_desc = nn_conv2d_desc();
    conv2d_desc.out_channels = 4;
    conv2d_desc.kernel = 3;
    nn_linear_desc linear_desc = nn_linear_desc();
    linear_desc.out_features = 10;
    x = nn_flatten(net, nn_relu(net, nn_conv2d(net, "conv", x, conv2d_desc)));
    x = nn_linear(net, "fc", x, linear_desc);
#if __cplusplus >= 202002L
#ifdef __GNUC__ /* fields left at their default are the point of a desc */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
    x = nn_linear(net, "fc2", x, {.out_features = 3});
    nn_plan *plan = nn_make_plan(net, {.outputs = NN_NODES(x), .batch = 2});
#else
    nn_plan_desc plan_desc = nn_plan_desc();
    nn_node *outputs[] = {x};
    plan_desc.outputs = outputs;
    plan_desc.batch = 2;
    nn_plan *plan = nn_make_plan(net, plan_desc);
#endif
    return nn_run(plan) == NN_OK ? 0 : 1;
}
