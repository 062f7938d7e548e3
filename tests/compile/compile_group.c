/* compile_group.c - nn_group.h in the file that has the implementation. Including the headers again
   must change nothing, with the macro still set, and without it. */
#define NN_IMPLEMENTATION
#include "nn_group.h"
#include "nn_group.h"
#include "nn.h"
#undef NN_IMPLEMENTATION
#include "nn_group.h"

extern int compile_group(nn_context *nn);
int compile_group(nn_context *nn) {
#ifdef NN_NO_TRAINING
    return nn_device_count(nn);
#else
    return (int)nn_group_size(nn_make_group(nn, NULL));
#endif
}
