/* open.h: opens contexts with an instruction set or an OpenCL device that the machine may lack. If
   it is missing, this is a skip that is counted and printed; any other failure to open fails the
   test. */
#ifndef NN_TEST_OPEN_H
#define NN_TEST_OPEN_H

#include "nn.h"
#include "test.h"

#include "opencl_as_gpu.h"

/* The last of the instruction sets, and one of another processor family. */
#define LAST_SET (NN_INSTRUCTIONS_COUNT - 1)
#if defined(__aarch64__) || defined(_M_ARM64)
#define OTHER_SET NN_INSTRUCTIONS_NEON
#else
#define OTHER_SET NN_INSTRUCTIONS_SIMD128
#endif

/* Opens a context with `desc`. Returns NULL if the machine or the build lacks the set that desc
   asks for, which counts as a skipped part of the running test, or if nn_open failed for another
   reason, which fails the test. After NULL, the test ends or continues with the next set. */
static TEST_UNUSED nn_context *open_with_set(const nn_desc *desc, const char *file, int line) {
    nn_context *nn = nn_open(desc);
    char words[400] = "";
    nn_text said = {words, sizeof words, 0};
    nn_desc again = *desc;
    if (nn) return nn;
    again.log.function = nn_write_text, again.log.user = &said; /* to get the reason */
    nn_close(nn_open(&again));
    if (strstr(words, "which this machine or build lacks")) {
        const char *set = strstr(words, "asks for ");
        char reason[80];
        snprintf(reason, sizeof reason, "this machine or build has no %.*s",
                 set ? (int)strcspn(set + 9, " ") : 8, set ? set + 9 : "such set");
        test_skip_part(file, line, reason);
    } else test_fail(file, line, "nn_open failed: %s", words);
    return NULL;
}
#define OPEN_WITH_SET(desc) open_with_set((desc), __FILE__, __LINE__)

/* Judges the result of nn_opencl_open. True: `nn` has an OpenCL device. False: there is none, which
   counts as a skipped part of the running test, or opening failed, which fails the test. */
static TEST_UNUSED bool judge_opencl(nn_context *nn, nn_result opened, const char *file, int line) {
    if (opened == NN_OK) return true;
    if (opened == NN_NOT_FOUND) test_skip_part(file, line, "no OpenCL device here");
    else test_fail(file, line, "nn_opencl_open failed: %s", nn_error(nn));
    nn_clear_error(nn);
    return false;
}
#define OPEN_OPENCL(nn) judge_opencl((nn), nn_opencl_open((nn), NULL), __FILE__, __LINE__)
#define OPEN_OPENCL_WITH(nn, desc)                                                                 \
    judge_opencl((nn), nn_opencl_open((nn), (desc)), __FILE__, __LINE__)

#endif
