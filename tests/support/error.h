/* error.h: what a context says of a mistake, for tests that ask for its words. */
#ifndef NN_TEST_ERROR_H
#define NN_TEST_ERROR_H

#include "nn.h"
#include "test.h"

/* True if the context's error has these words. Prints what it has instead, and clears it. */
static TEST_UNUSED bool says(nn_context *nn, const char *words) {
    const char *error = nn_error(nn);
    const bool found = error && strstr(error, words);
    if (!found) printf("     \"%s\" is not in: %s\n", words, error ? error : "(no error)");
    nn_clear_error(nn);
    return found;
}

/* True without an error; prints the one that is there. */
static TEST_UNUSED bool fine(const nn_context *nn) {
    if (nn_error(nn)) printf("     %s\n", nn_error(nn));
    return nn_error(nn) == NULL;
}

#endif
