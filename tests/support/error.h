/* error.h: checks of a context's error text. */
#ifndef NN_TEST_ERROR_H
#define NN_TEST_ERROR_H

#include "nn.h"
#include "test.h"

/* True if the context's error contains these words. Otherwise prints the error. Clears it. */
static TEST_UNUSED bool says(nn_context *nn, const char *words) {
    const char *error = nn_error(nn);
    const bool found = error && strstr(error, words);
    if (!found) printf("     \"%s\" is not in: %s\n", words, error ? error : "(no error)");
    nn_clear_error(nn);
    return found;
}

/* True if there is no error; prints the error if there is one. */
static TEST_UNUSED bool fine(const nn_context *nn) {
    if (nn_error(nn)) printf("     %s\n", nn_error(nn));
    return nn_error(nn) == NULL;
}

#endif
