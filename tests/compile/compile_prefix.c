/* compile_prefix.c - a program with another library's nn_open and nn_close beside this one:
   NN_PREFIX keeps them apart. */
#define NN_PREFIX my_
#define NN_IMPLEMENTATION
#include "nn.h"

#undef nn_open
#undef nn_close
int nn_open(void);
void nn_close(int);
int nn_open(void) { return 1; }
void nn_close(int open) { (void)open; }

int main(void) {
    nn_context *nn = my_nn_open(NULL);
    int failed = nn_error(nn) != NULL;
    my_nn_close(nn);
    nn_close(nn_open());
    return failed;
}
