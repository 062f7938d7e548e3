/* train/html_chart.c - helpers for HTML pages: escaped text, and the curves of a history as inline
   SVG. */
#include "train/html_private.h"

#if !defined(NN__NO_TRAINER) && !defined(NN_NO_REPORTS)

/* ---- text ------------------------------------------------------------------------------------ */

NN_PRIVATE void nn__html_escape(void *user, const char *text, size_t length) {
    const nn_writer *out = (const nn_writer *)user;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        const char *entity = c == '<'   ? "&lt;"
                             : c == '>' ? "&gt;"
                             : c == '&' ? "&amp;"
                             : c == '"' ? "&quot;"
                                        : NULL;
        bool control = (unsigned char)c < 32 && c != '\n' && c != '\t';
        if (entity)
            nn__print(out, "%s", entity);
        else
            nn__print(out, "%c", control ? '?' : c);
    }
}

/* ---- curves ---------------------------------------------------------------------------------- */

#define NN__CHART_LEFT 52.0 /* in a drawing of 380 x 210 */
#define NN__CHART_RIGHT 368.0
#define NN__CHART_TOP 10.0
#define NN__CHART_BOTTOM 166.0
#define NN__CHART_MARKS 60 /* up to this number of points, each one is marked */

typedef struct nn__chart_axis {
    double low, high, step;
} nn__chart_axis;

/* True if the value can be drawn. */
static bool nn__chart_good(double value) { return value > -1e300 && value < 1e300; }

static void nn__chart_widen(nn__chart_axis *axis, double value) {
    if (!nn__chart_good(value)) return;
    /* Below this, the power of ten for the axis would be 0. */
    if (value > -1e-280 && value < 1e-280) value = 0.0;
    if (axis->low > axis->high) axis->low = axis->high = value;
    if (value < axis->low) axis->low = value;
    if (value > axis->high) axis->high = value;
}

/* Widens an axis whose values are all equal. Sets the distance between lines to 1, 2 or 5 times a
   power of ten. */
static void nn__chart_lines(nn__chart_axis *axis, int lines) {
    double size = axis->high > -axis->low ? axis->high : -axis->low, least, tens = 1.0;
    if (axis->high - axis->low <= 1e-9 * size || size == 0.0) {
        axis->low -= size > 0.0 ? 0.1 * size : 1.0;
        axis->high += size > 0.0 ? 0.1 * size : 1.0;
    }
    least = (axis->high - axis->low) / lines;
    while (tens > least) tens /= 10.0;
    while (tens * 10.0 <= least) tens *= 10.0;
    axis->step = tens * (least <= tens         ? 1.0
                         : least <= 2.0 * tens ? 2.0
                         : least <= 5.0 * tens ? 5.0
                                               : 10.0);
}

static double nn__chart_x(const nn__chart_axis *axis, double value) {
    return NN__CHART_LEFT +
           (value - axis->low) / (axis->high - axis->low) * (NN__CHART_RIGHT - NN__CHART_LEFT);
}
static double nn__chart_y(const nn__chart_axis *axis, double value) {
    return NN__CHART_BOTTOM -
           (value - axis->low) / (axis->high - axis->low) * (NN__CHART_BOTTOM - NN__CHART_TOP);
}

static void nn__chart_grid(const nn_writer *out, const nn__chart_axis *x, const nn__chart_axis *y) {
    int64_t first = (int64_t)(y->low / y->step) - 1;
    for (int i = 0; i < 14; i++) {
        double value = (double)(first + i) * y->step, at;
        if (value < y->low - 1e-6 * y->step || value > y->high + 1e-6 * y->step) continue;
        at = nn__chart_y(y, value);
        nn__print(out,
                  "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                  "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n",
                  NN__CHART_LEFT, NN__CHART_RIGHT, at, at, NN__CHART_LEFT - 6.0, at + 4.0, value);
    }
    first = (int64_t)(x->low / x->step) - 1;
    for (int i = 0; i < 14; i++) {
        double value = (double)(first + i) * x->step, at;
        if (value < x->low - 1e-6 * x->step || value > x->high + 1e-6 * x->step) continue;
        at = nn__chart_x(x, value);
        nn__print(out,
                  "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                  "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.7g</text>\n",
                  at, at, NN__CHART_BOTTOM, NN__CHART_BOTTOM + 4.0, at, NN__CHART_BOTTOM + 19.0,
                  value);
    }
    nn__print(out, "<text x=\"%.1f\" y=\"204\" text-anchor=\"middle\">step</text>\n",
              (NN__CHART_LEFT + NN__CHART_RIGHT) / 2.0);
}

static double nn__chart_step(const nn_history *history, int i) {
    return (double)history->records[i].train.step;
}

/* Draws a line through the values that can be drawn. A NaN leaves a gap; a missing value does
   not. */
static void nn__chart_curve(const nn_writer *out, const nn_history *history, const nn__curve *curve,
                            int color, const nn__chart_axis *x, const nn__chart_axis *y) {
    int good = 0;
    bool broken = true;
    for (int i = 0; i < history->count; i++)
        good += nn__chart_good(curve->value(&history->records[i], curve->metric));
    if (good == 0) return;
    nn__print(out, "<path class=\"curve c%d\" d=\"", color);
    for (int i = 0; i < history->count; i++) {
        double value = curve->value(&history->records[i], curve->metric);
        if (curve->sparse && history->records[i].validation.samples == 0) continue;
        if (nn__chart_good(value))
            nn__print(out, "%s%.1f %.1f", broken ? "M" : "L",
                      nn__chart_x(x, nn__chart_step(history, i)), nn__chart_y(y, value));
        broken = !nn__chart_good(value);
    }
    nn__print(out, "\"/>\n");
    for (int i = 0; i < history->count && good <= NN__CHART_MARKS; i++) {
        double value = curve->value(&history->records[i], curve->metric);
        if (!nn__chart_good(value)) continue;
        nn__print(out,
                  "<circle class=\"mark c%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\">"
                  "<title>step %lld: %.6g</title></circle>\n",
                  color, nn__chart_x(x, nn__chart_step(history, i)), nn__chart_y(y, value),
                  (long long)history->records[i].train.step, value);
    }
}

/* True if the curve has values to show. A curve of zeros is shown only if `zeros` is true, which
   the callers set for the first curve. */
static bool nn__chart_shown(const nn_history *history, const nn__curve *curve, bool zeros) {
    for (int i = 0; i < history->count; i++) {
        double value = curve->value(&history->records[i], curve->metric);
        if (nn__chart_good(value) && (zeros || value != 0.0)) return true;
    }
    return false;
}

/* Writes the name and the last value of each curve. */
static void nn__chart_legend(const nn_writer *out, const nn_history *history,
                             const nn__curve *curves, int count) {
    nn__print(out, "<p class=\"legend\">");
    for (int c = 0; c < count; c++) {
        const nn_record *last = NULL;
        for (int i = 0; i < history->count; i++)
            if (nn__chart_good(curves[c].value(&history->records[i], curves[c].metric)))
                last = &history->records[i];
        if (last && nn__chart_shown(history, &curves[c], c == 0))
            nn__print(out, "<span><i class=\"c%d\"></i>%s <b>%.4g</b></span> ", c, curves[c].name,
                      curves[c].value(last, curves[c].metric));
    }
    nn__print(out, "</p>");
}

NN_PRIVATE void nn__html_chart(const nn_writer *out, const nn_history *history, const char *title,
                               const nn__curve *curves, int count, bool from_zero) {
    nn_writer text;
    nn__chart_axis x, y;
    x.low = y.low = 1.0;
    x.high = y.high = 0.0;
    text.function = nn__html_escape;
    text.user = (void *)(uintptr_t)out;
    for (int c = 0; c < count; c++)
        for (int i = 0; i < history->count; i++) {
            double value = curves[c].value(&history->records[i], curves[c].metric);
            nn__chart_widen(&y, value);
            if (nn__chart_good(value)) nn__chart_widen(&x, nn__chart_step(history, i));
        }
    if (y.low > y.high) return; /* There is nothing to draw. */
    if (from_zero) nn__chart_widen(&y, 0.0);
    nn__chart_lines(&x, 5);
    if (x.step < 1.0) x.step = 1.0; /* Steps are whole numbers. */
    nn__chart_lines(&y, 5);
    nn__print(out, "<figure><figcaption>");
    nn__print(&text, "%s", title);
    nn__print(out, "</figcaption>\n");
    nn__chart_legend(out, history, curves, count);
    nn__print(out, "<svg viewBox=\"0 0 380 210\" role=\"img\">\n");
    nn__chart_grid(out, &x, &y);
    for (int c = count - 1; c >= 0; c--)
        if (nn__chart_shown(history, &curves[c], c == 0))
            nn__chart_curve(out, history, &curves[c], c, &x, &y);
    nn__print(out, "</svg></figure>\n");
}

#undef NN__CHART_LEFT
#undef NN__CHART_RIGHT
#undef NN__CHART_TOP
#undef NN__CHART_BOTTOM
#undef NN__CHART_MARKS
#endif

typedef int nn__html_chart_part; /* a part must not be empty under NN_NO_REPORTS */
