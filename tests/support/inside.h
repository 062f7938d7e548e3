/* inside.h: lets a test call the library's private functions (nn__...). A test includes it behind
   nn.h and nn_opencl.h.

   make compiles the library once for all tests, with its private functions as extern ones; what
   declares them are the headers of src/, all of which private.h includes. A test that is compiled
   with the implementation inside it needs nothing from here. */
#ifdef NN_TEST_LINKED
#include "tests/private.h"
#endif
