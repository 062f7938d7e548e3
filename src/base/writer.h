/* base/writer.h - the only way in which text leaves the library. */
#pragma once

#include "base/config.h"

/* A sink for text. `function` receives pieces of text that are not zero-terminated; a line may come
   in several pieces. A NULL function discards the text. */
typedef struct nn_writer {
    void (*function)(void *user, const char *text, size_t length);
    void *user;
} nn_writer;

/* A writer into a caller's buffer: nn_text t = { buffer, sizeof buffer, 0 }; nn_writer w = {
   nn_write_text, &t }; The text is always zero-terminated and cut off if the buffer is too small;
   `length` is the length of the whole text. */
typedef struct nn_text {
    char *buffer;
    size_t size;
    size_t length;
} nn_text;
NN_API void nn_write_text(void *user, const char *text, size_t length); /* user: an nn_text * */

#ifndef NN_NO_STDIO
NN_API void nn_write_stderr(void *user, const char *text, size_t length); /* user: ignored */
NN_API void nn_write_stdout(void *user, const char *text, size_t length); /* user: ignored */
NN_API void nn_write_file(void *user, const char *text,
                          size_t length); /* user: a FILE * of the caller */
#endif
