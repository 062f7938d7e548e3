/* compile_opencl.c - both implementations in one file, included twice, and every public function of
   nn_opencl.h with NULL for every object. tools/compile_checks.sh compiles it as C and as C++, in
   every way of linking, and runs it: it must end normally, with or without OpenCL on the machine.
   COMPILE_HOSTILE: macros of other headers come first. COMPILE_GROUP: with nn_group.h and its
   implementation between them. */
#ifdef COMPILE_HOSTILE
#ifdef __cplusplus /* the same headers as in compile_cpp.cpp */
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>
#endif
#define CL_TARGET_OPENCL_VERSION 300 /* a program that wants more than we do */
#include <CL/cl.h> /* uses some of these names itself */
#include <complex.h>
#undef I
#define min hostile -
#define max hostile -
#define near hostile -
#define far hostile -
#define small hostile -
#define interface hostile -
#define Bool hostile -
#define None hostile -
#define I hostile -
#endif
#define NN_IMPLEMENTATION
#define NN_OPENCL_IMPLEMENTATION
#ifdef COMPILE_GROUP
#include "nn_group.h"
#endif
#include "nn_opencl.h"
#include "nn_opencl.h"
#ifdef COMPILE_GROUP
#include "nn_group.h"
#include "nn.h"
#endif

int main(void);
int main(void) {
    nn_context *nn = nn_open(NULL);
    nn_opencl_desc desc;
    nn_opencl_info info;
    nn_opencl_tune_desc tune;
    nn_opencl_tuning tuning;
    nn_writer none;
    char text[200];
    memset(&desc, 0, sizeof desc);
    memset(&tune, 0, sizeof tune);
    memset(&none, 0, sizeof none);
    desc.cache_folder = "";
    (void)nn_opencl_open(NULL, &desc);
    (void)nn_opencl_open(nn, &desc);
#ifdef __cplusplus
    (void)nn_opencl_open(nn, desc);
#endif
    (void)nn_opencl_list(NULL, NULL, text, sizeof text);
    (void)nn_opencl_list(nn, NULL, NULL, 0);
    (void)nn_opencl_describe(NULL, nn_opencl(0), &info);
    (void)nn_opencl_describe(nn, nn_opencl(0), NULL);
    (void)nn_opencl_handles(NULL, nn_opencl(0), NULL, NULL, NULL);
    (void)nn_opencl_wrap(NULL, nn_opencl(0), NULL, NN_F32, NN_SHAPE(1), NULL, 0);
    (void)nn_opencl_wrap(nn, nn_opencl(0), NULL, NN_F32, NN_SHAPE(1), NULL, 0);
    (void)nn_opencl_wait_for(NULL, nn_opencl(0), NULL);
    (void)nn_opencl_wait_for(nn, nn_opencl(0), NULL);
    (void)nn_opencl_tune(NULL, nn_opencl(0), NULL, NULL);
    (void)nn_opencl_tune(nn, nn_opencl(77), NULL, &tuning);
#ifdef __cplusplus
    (void)nn_opencl_tune(nn, nn_opencl(77), tune, NULL);
#endif
    nn_opencl_write_tuning(NULL, nn_opencl(0), none);
    nn_opencl_write_tuning(nn, nn_opencl(0), none);
    (void)nn_opencl_done_event(NULL, nn_opencl(0));
    (void)nn_opencl_done_event(nn, nn_opencl(77));
    (void)nn_error(nn); /* nn_close writes what nobody read */
    nn_close(nn);
    return 0;
}
