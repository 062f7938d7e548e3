/* compile_group.c - nn_group.h in the file that has the implementation. The headers again and again
   after it must change nothing, with the macro still set, and without it. */
#define NN_IMPLEMENTATION
#include "nn_group.h"
#include "nn_group.h"
#include "nn.h"
#undef NN_IMPLEMENTATION
#include "nn_group.h"

extern int compile_group(nn_group *group);
#ifndef NN_NO_TRAINING
int compile_group(nn_group *group) { return (int)nn_group_size(group); }
#else
int compile_group(nn_group *group) { return group != NULL; }
#endif
