/* base/writer.h - the one way by which text leaves the library. */
#pragma once

#include "base/config.h"

/* `function` is called with pieces of text (not zero-terminated); a line may come in several
   pieces. A NULL function swallows everything. */
typedef struct nn_writer {
    void (*function)(void *user, const char *text, size_t length);
    void *user;
} nn_writer;

/* Writes into a caller's buffer: nn_text t = { buffer, sizeof buffer, 0 }; nn_writer w = {
   nn_write_text, &t };
   Always zero-terminated, cut at the end; `length` is what would have been needed. */
typedef struct nn_text {
    char *buffer;
    size_t size;
    size_t length;
} nn_text;
NN_API void nn_write_text(void *user, const char *text, size_t length); /* user: nn_text* */

#ifndef NN_NO_STDIO
NN_API void nn_write_stderr(void *user, const char *text, size_t length); /* user: ignored */
NN_API void nn_write_stdout(void *user, const char *text, size_t length); /* user: ignored */
NN_API void nn_write_file(void *user, const char *text,
                          size_t length); /* user: a FILE* of the caller */
#endif
