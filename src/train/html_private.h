/* train/html_private.h - what the parts of a training run's page share. */
#pragma once

#include "train/html.h"
#include "train/private.h"

#ifndef NN_NO_REPORTS
/* Is a writer's function. user: the nn_writer that receives the text with <, >, & and " escaped. */
NN_PRIVATE void nn__html_escape(void *user, const char *text, size_t length);
typedef struct nn__html {
    nn_writer out;  /* markup */
    nn_writer text; /* escaped */
} nn__html;
/* Writes the section of a confusion matrix (train/html_confusion.c). counts: (classes, classes), or
   NULL. */
NN_PRIVATE void nn__html_confusion(nn__html *html, const int64_t *counts, int classes);
typedef struct nn__curve {
    const char *name; /* one of our own names: not escaped */
    double (*value)(const nn_record *record, int metric); /* NaN: no value */
    int metric;
    bool sparse; /* of validations, which only some records have */
} nn__curve;
/* Draws at most six curves in one chart; nothing if there are no values. */
NN_PRIVATE void nn__html_chart(const nn_writer *out, const nn_history *history, const char *title,
                               const nn__curve *curves, int count, bool from_zero);
#endif
