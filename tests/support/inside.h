/* inside.h: lets a test call the library's private functions (nn__...). A test includes it after
   nn.h and nn_opencl.h.

   make compiles the library once for all tests, with extern private functions; the headers of src/,
   which private.h includes, declare them. A test that is compiled together with the implementation
   needs nothing from here. */
#ifdef NN_TEST_LINKED
#include "tests/private.h"
#ifdef _WIN32 /* windows.h defines these */
#undef far
#undef near
#undef small
#undef IN
#undef OUT
#endif
#endif
