/* train/html_confusion.c - the section of the confusion matrix: the matrix, the scores of each
   class, and the most frequent mistakes. */
#include "train/html_private.h"

#if !defined(NN__NO_TRAINER) && !defined(NN_NO_REPORTS)

#define NN__HTML_MATRIX 30 /* up to this number of classes, the whole matrix is shown */
#define NN__HTML_CLASSES 200
#define NN__HTML_PAIRS 8

static void nn__html_scores(nn__html *html, nn_scores scores, const char *gap) {
    nn__print(&html->out,
              "<td class=\"%s\">%lld</td><td>%.4f</td><td>%.4f</td><td>%.4f</td></tr>\n", gap,
              (long long)scores.samples, scores.precision, scores.recall, scores.f1);
}

/* The colour shows the share of the class; on dark cells the number is white. */
static void nn__html_matrix_row(nn__html *html, const int64_t *row, int classes, int64_t samples) {
    for (int i = 0; i < classes; i++) {
        double share = samples > 0 ? (double)row[i] / (double)samples : 0.0;
        if (row[i] == 0)
            nn__print(&html->out, "<td class=\"n\"></td>");
        else
            nn__print(&html->out,
                      "<td class=\"n%s\" style=\"background:rgba(var(--heat),%.2f)\">%lld</td>",
                      share > 0.5 ? " dark" : "", 0.12 + 0.88 * share, (long long)row[i]);
    }
}

static void nn__html_confusion_table(nn__html *html, const int64_t *counts, int classes) {
    bool matrix = classes <= NN__HTML_MATRIX;
    int columns = matrix ? classes : 0,
        shown = classes < NN__HTML_CLASSES ? classes : NN__HTML_CLASSES;
    nn__print(&html->out, "<table class=\"heat\"><thead><tr><th class=\"l\">%s</th>",
              matrix ? "true class \\ taken for" : "class");
    for (int i = 0; i < columns; i++)
        nn__print(&html->out, "<th style=\"text-align:center\">%d</th>", i);
    nn__print(
        &html->out,
        "<th class=\"gap\">samples</th><th>precision</th><th>recall</th><th>F1</th></tr></thead>"
        "<tbody>\n");
    for (int i = 0; i < shown; i++) {
        nn_scores scores = nn_class_scores(counts, classes, i);
        nn__print(&html->out, "<tr><th>%d</th>", i);
        if (matrix)
            nn__html_matrix_row(html, counts + (size_t)i * (size_t)classes, classes,
                                scores.samples);
        nn__html_scores(html, scores, "gap");
    }
    nn__print(&html->out, "<tr><th class=\"l\" colspan=\"%d\">mean of the classes (macro)</th>",
              columns + 1);
    nn__html_scores(html, nn_macro_scores(counts, classes), "gap");
    nn__print(&html->out, "<tr><th class=\"l\" colspan=\"%d\">weighted by samples</th>",
              columns + 1);
    nn__html_scores(html, nn_weighted_scores(counts, classes), "gap");
    nn__print(&html->out, "</tbody></table>\n");
    if (shown < classes)
        nn__print(&html->out, "<p class=\"note\">%d more classes are not shown.</p>\n",
                  classes - shown);
}

static void nn__html_mistakes(nn__html *html, const int64_t *counts, int classes) {
    int64_t cells = (int64_t)classes * classes, before = INT64_MAX, last = -1;
    for (int shown = 0; shown < NN__HTML_PAIRS; shown++) {
        int64_t best = -1;
        for (int64_t i = 0; i < cells; i++) {
            bool open = counts[i] < before || (counts[i] == before && i > last);
            if (i / classes == i % classes || counts[i] == 0 || !open) continue;
            if (best < 0 || counts[i] > counts[best]) best = i;
        }
        if (best < 0) break;
        nn__print(&html->out, "%s%d as %d: <b>%lld</b>",
                  shown ? ", " : "<p class=\"note\">most frequent mistakes: ",
                  (int)(best / classes), (int)(best % classes), (long long)counts[best]);
        before = counts[best];
        last = best;
    }
    if (last >= 0) nn__print(&html->out, "</p>\n");
}

NN_PRIVATE void nn__html_confusion(nn__html *html, const int64_t *counts, int classes) {
    if (!counts || nn_weighted_scores(counts, classes).samples == 0) return;
    nn__print(&html->out, "<h2>Confusion of the last evaluation</h2>\n<div class=\"card\">\n");
    nn__html_confusion_table(html, counts, classes);
    nn__html_mistakes(html, counts, classes);
    nn__print(&html->out, "</div>\n");
}

#undef NN__HTML_MATRIX
#undef NN__HTML_CLASSES
#undef NN__HTML_PAIRS
#endif

typedef int nn__html_confusion_part; /* a part must not be empty */
