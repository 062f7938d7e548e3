/* nn.h with every optional file that goes on in the file of its implementation, for the tests and
   measurements of this library. */
#include "nn_group.h"
#include "nn_more.h"
#include "nn_sequence.h"
#include "nn_quantize.h"
#include "nn_self_test.h"
