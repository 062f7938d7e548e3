/* train/html.c - the HTML page: style, curves, times, memory, crossings, plan. Each section is one
   function, which writes nothing if there is nothing to show. train/html_confusion.c writes the
   confusion matrix. */
#include "train/html_private.h"

#ifndef NN__NO_TRAINER
#ifdef NN_NO_REPORTS

NN_API nn_result nn_write_html_at(nn_site site, nn_trainer *trainer, const nn_history *history,
                                  nn_writer writer) {
    (void)site, (void)trainer, (void)history, (void)writer;
    return NN_OK;
}

#else

#include "plan/profile.h"

#include <math.h>

static const char nn__html_style[] =
    ":root{color-scheme:light "
    "dark;--ground:#f4f5f7;--card:#fff;--ink:#1d2430;--soft:#5c6675;--line:#dde1e7;"
    "--heat:37,99,201;--c0:#2563c9;--c1:#c2570c;--c2:#15803d;--c3:#9333b8;--c4:#0e7490;--c5:#"
    "a16207}\n"
    "@media(prefers-color-scheme:dark){:root{--ground:#14171c;--card:#1d2128;--ink:#e4e7ec;--soft:#"
    "9aa4b2;"
    "--line:#343a44;--heat:74,134,232;--c0:#6ea8fe;--c1:#f2994a;--c2:#4ade80;--c3:#d58cf5;--c4:#"
    "4cc9e0;--c5:#e3b341}}\n"
    "*{box-sizing:border-box}body{margin:0 "
    "auto;max-width:1180px;padding:20px;background:var(--ground);"
    "color:var(--ink);font:15px/1.45 system-ui,sans-serif}\n"
    "h1{font-size:24px;margin:4px 0 14px}h2{font-size:17px;margin:26px 0 "
    "10px}h3{font-size:14px;margin:12px 0 6px}\n"
    ".tiles,.charts{display:grid;gap:12px}.tiles{grid-template-columns:repeat(auto-fit,minmax("
    "150px,1fr))}\n"
    ".charts{grid-template-columns:repeat(auto-fit,minmax(min(100%,340px),1fr))}\n"
    ".card,figure,.tiles div{background:var(--card);border:1px solid "
    "var(--line);border-radius:8px;margin:0;"
    "padding:12px 14px}.card{overflow-x:auto}.card+.card{margin-top:12px}.card h3{margin-top:2px}\n"
    ".tiles span{display:block;color:var(--soft);font-size:13px}.tiles "
    "b{font-size:19px;font-weight:600;"
    "overflow-wrap:anywhere}\n"
    "figcaption{font-weight:600;overflow-wrap:anywhere}.legend{margin:2px 0 "
    "6px;font-size:13px;color:var(--soft)}\n"
    ".legend span{margin-right:14px;white-space:nowrap}.legend "
    "b{color:var(--ink);font-weight:600}\n"
    ".legend i{display:inline-block;width:14px;height:3px;margin-right:5px;vertical-align:middle;"
    "background:currentColor}\n"
    "svg{display:block;width:100%;height:auto}svg text{font-size:13px;fill:var(--soft)}\n"
    ".grid{stroke:var(--line)}.curve{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:"
    "round}\n"
    ".mark{fill:currentColor}.c0{color:var(--c0)}.c1{color:var(--c1)}.c2{color:var(--c2)}.c3{color:"
    "var(--c3)}"
    ".c4{color:var(--c4)}.c5{color:var(--c5)}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}th,td{padding:3px "
    "9px;text-align:right;"
    "white-space:nowrap}th{font-weight:600;color:var(--soft);font-size:13px}\n"
    "th.l,td.l{text-align:left}tbody tr+tr td,thead+tbody td,tbody tr+tr th{border-top:1px solid "
    "var(--line)}\n"
    ".heat td.n{padding:3px 7px;min-width:46px;text-align:center}.heat .gap{padding-left:22px}"
    ".heat .dark{color:#fff}.wide{width:100%}\n"
    ".bar{width:60%;min-width:120px}.bar "
    "i{display:block;height:12px;border-radius:3px;background:currentColor;"
    "min-width:1px}\n"
    ".note{color:var(--soft);font-size:13px;margin:8px 0 0}summary{cursor:pointer}"
    "pre{font:12px/1.4 ui-monospace,monospace;margin:10px 0 0;overflow-x:auto}\n";

static void nn__html_head(nn__html *html, const char *title) {
    nn__print(&html->out,
              "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>");
    nn__print(&html->text, "%s", title);
    nn__print(&html->out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>", nn__html_style);
    nn__print(&html->text, "%s", title);
    nn__print(&html->out, "</h1>\n");
}

/* ---- tiles ----------------------------------------------------------------------------------- */

static void nn__html_tile(nn__html *html, const char *name, const char *value) {
    nn__print(&html->out, "<div><span>");
    nn__print(&html->text, "%s", name);
    nn__print(&html->out, "</span><b>");
    nn__print(&html->text, "%s", value);
    nn__print(&html->out, "</b></div>\n");
}

static void nn__html_tile_number(nn__html *html, const char *first, const char *name,
                                 double value) {
    char title[NN_NAME_BYTES + 32], number[40];
    nn__format(title, sizeof title, "%s%s", first, name);
    if (value - value == 0.0)
        nn__format(number, sizeof number, "%.4g", value);
    else
        nn__copy_text(number, sizeof number, "no number");
    nn__html_tile(html, title, number);
}

static void nn__html_tile_report(nn__html *html, const nn_history *history, const char *first,
                                 const nn_report *report) {
    nn__html_tile_number(html, first, "loss", report->loss);
    for (int i = 0; i < history->metric_count; i++)
        nn__html_tile_number(html, first, history->names[i], report->metrics[i]);
}

static void nn__html_tiles(nn__html *html, const nn_trainer *trainer, const nn_history *history) {
    const nn_record *last = NULL;
    char text[64];
    nn__print(&html->out, "<div class=\"tiles\">\n");
    if (trainer) {
        nn__html_tile(html, "device", nn_format_device(trainer->net->device, text, sizeof text));
        nn__format(text, sizeof text, "%lld", (long long)nn_parameter_elements(trainer->net));
        nn__html_tile(html, "parameters", text);
        nn__format(text, sizeof text, "%lld", (long long)trainer->step);
        nn__html_tile(html, "steps", text);
    }
    if (history && history->count > 0) {
        nn__format(text, sizeof text, "%.1f s", history->records[history->count - 1].seconds);
        nn__html_tile(html, "training took", text);
        for (int i = 0; i < history->count; i++)
            if (history->records[i].validation.samples > 0) last = &history->records[i];
        if (last)
            nn__html_tile_report(html, history, "validation ", &last->validation);
        else
            nn__html_tile_report(html, history, "", &history->records[history->count - 1].train);
    }
    nn__print(&html->out, "</div>\n");
}

/* ---- curves ---------------------------------------------------------------------------------- */

static double nn__html_loss(const nn_record *record, int metric) {
    (void)metric;
    return record->train.loss;
}
static double nn__html_validation_loss(const nn_record *record, int metric) {
    (void)metric;
    return record->validation.samples > 0 ? record->validation.loss : (double)NAN;
}
static double nn__html_metric(const nn_record *record, int metric) {
    return record->train.metrics[metric];
}
static double nn__html_validation_metric(const nn_record *record, int metric) {
    return record->validation.samples > 0 ? record->validation.metrics[metric] : (double)NAN;
}
static double nn__html_rate(const nn_record *record, int metric) {
    (void)metric;
    return (double)record->learning_rate;
}
static double nn__html_step_time(const nn_record *record, int metric) {
    (void)metric;
    return record->step_seconds * 1e3;
}
static double nn__html_wait_time(const nn_record *record, int metric) {
    (void)metric;
    return record->wait_seconds * 1e3;
}
static double nn__html_speed(const nn_record *record, int metric) {
    (void)metric;
    return record->samples_a_second;
}
/* metric: an nn_crossing */
static double nn__html_bytes(const nn_record *record, int metric) {
    uint64_t bytes = metric == NN_CROSS_UPLOAD ? record->uploaded :
                     metric == NN_CROSS_DOWNLOAD ? record->downloaded : record->between;
    return record->steps > 0 ? (double)bytes / 1e3 / (double)record->steps : (double)NAN;
}

static nn__curve nn__html_curve(const char *name,
                                double (*value)(const nn_record *record, int metric), int metric) {
    nn__curve curve;
    curve.name = name;
    curve.value = value;
    curve.metric = metric;
    curve.sparse = value == nn__html_validation_loss || value == nn__html_validation_metric;
    return curve;
}

static void nn__html_curves(nn__html *html, const nn_history *history) {
    nn__curve curves[3];
    if (!history) return;
    nn__print(&html->out, "<h2>Curves</h2>\n");
    if (history->count == 0) {
        nn__print(&html->out, "<p class=\"note\">The history has no records yet.</p>\n");
        return;
    }
    nn__print(&html->out, "<div class=\"charts\">\n");
    curves[0] = nn__html_curve("training", nn__html_loss, 0);
    curves[1] = nn__html_curve("validation", nn__html_validation_loss, 0);
    nn__html_chart(&html->out, history, "loss", curves, 2, false);
    for (int i = 0; i < history->metric_count; i++) {
        curves[0] = nn__html_curve("training", nn__html_metric, i);
        curves[1] = nn__html_curve("validation", nn__html_validation_metric, i);
        nn__html_chart(&html->out, history, history->names[i], curves, 2, false);
    }
    curves[0] = nn__html_curve("learning rate", nn__html_rate, 0);
    nn__html_chart(&html->out, history, "learning rate", curves, 1, true);
    curves[0] = nn__html_curve("whole step", nn__html_step_time, 0);
    curves[1] = nn__html_curve("waiting for data", nn__html_wait_time, 0);
    nn__html_chart(&html->out, history, "time of a step, ms", curves, 2, true);
    curves[0] = nn__html_curve("samples", nn__html_speed, 0);
    nn__html_chart(&html->out, history, "samples a second", curves, 1, true);
    curves[0] = nn__html_curve("uploaded", nn__html_bytes, NN_CROSS_UPLOAD);
    curves[1] = nn__html_curve("downloaded", nn__html_bytes, NN_CROSS_DOWNLOAD);
    curves[2] = nn__html_curve("between devices", nn__html_bytes, NN_CROSS_DEVICE);
    nn__html_chart(&html->out, history, "kB moved in a step", curves, 3, true);
    nn__print(&html->out, "</div>\n");
}

/* ---- time by operation ----------------------------------------------------------------------- */

#define NN__HTML_STEPS 24 /* at most this number of steps is shown */

/* Returns the step after `last` in descending order of time; equal ones in the order of running.
   -1: none. */
static int nn__html_next_step(const nn_plan *plan, int count, int last) {
    uint64_t before = last >= 0 ? nn_profile_at(plan, last).nanoseconds : UINT64_MAX, most = 0;
    int next = -1;
    for (int i = 0; i < count; i++) {
        nn_profile_entry entry = nn_profile_at(plan, i);
        bool open = entry.nanoseconds < before || (entry.nanoseconds == before && i > last);
        if (!entry.timed || !open || (next >= 0 && entry.nanoseconds <= most)) continue;
        next = i;
        most = entry.nanoseconds;
    }
    return next;
}

static void nn__html_rate_cell(nn__html *html, double rate) {
    if (rate >= 0.05)
        nn__print(&html->out, "<td>%.1f</td>", rate);
    else
        nn__print(&html->out, "<td></td>");
}

static void nn__html_step(nn__html *html, const nn_profile_entry *entry, uint64_t total,
                          uint64_t most) {
    double time = entry->nanoseconds > 0 ? (double)entry->nanoseconds : 1.0,
           share = 100.0 * time / (double)total;
    char device[16];
    nn__print(&html->out, "<tr><td class=\"l\">");
    nn__print(&html->text, "%s", entry->operation);
    nn__print(&html->out, "</td><td class=\"l\">");
    nn__print(&html->text, "%s", entry->name);
    nn__print(&html->out, "</td><td class=\"l\">%s</td><td>%llu</td><td>%.1f</td>",
              nn_format_device(entry->device, device, sizeof device),
              (unsigned long long)entry->calls, time / 1e3 / (double)entry->calls);
    nn__html_rate_cell(html, entry->flops / time);
    nn__html_rate_cell(html, entry->bytes / time);
    nn__print(&html->out,
              "<td>%s%.1f %%</td><td class=\"bar\"><i class=\"c0\" "
              "style=\"width:%.1f%%\"></i></td></tr>\n",
              share < 0.1 ? "&lt; " : "", share < 0.1 ? 0.1 : share, 100.0 * time / (double)most);
}

/* Writes the slowest steps of a training step, if the plan has a profile. */
static void nn__html_profile(nn__html *html, nn_plan *plan) {
    int count = nn_profile_count(plan), timed = 0, shown = 0;
    uint64_t total = 0, most = 1, runs = 0;
    for (int i = 0; i < count; i++) {
        nn_profile_entry entry = nn_profile_at(plan, i);
        total += entry.nanoseconds;
        timed += entry.timed;
        if (entry.nanoseconds > most) most = entry.nanoseconds;
        if (entry.calls > runs) runs = entry.calls;
    }
    if (runs == 0) return;
    if (total == 0) total = 1;
    nn__print(&html->out, "<h2>Time by operation</h2>\n<div class=\"card\">");
    if (timed > 0) {
        nn__print(&html->out,
                  "<h3>a training step: %.3g ms in operations, the mean of %llu runs</h3><table "
                  "class=\"wide\">"
                  "<thead><tr><th class=\"l\">operation</th><th class=\"l\">result</th>"
                  "<th class=\"l\">device</th><th>calls</th><th>mean &#181;s</th><th>GFLOP/s</th>"
                  "<th>GB/s</th><th>share</th><th></th></tr></thead><tbody>\n",
                  (double)total / 1e6 / (double)runs, (unsigned long long)runs);
        for (int i = -1; shown < NN__HTML_STEPS && (i = nn__html_next_step(plan, count, i)) >= 0;
             shown++) {
            nn_profile_entry entry = nn_profile_at(plan, i);
            nn__html_step(html, &entry, total, most);
        }
        nn__print(&html->out, "</tbody></table>");
    }
    if (shown < timed)
        nn__print(&html->out, "<p class=\"note\">%d faster steps are not shown.</p>",
                  timed - shown);
    if (timed < count)
        nn__print(&html->out,
                  "<p class=\"note\">%d steps have no times: their device records none "
                  "(plan/profile.h says when it "
                  "does), or they never ran.</p>",
                  count - timed);
    nn__print(&html->out, "</div>\n");
}

/* ---- memory, ledger, plans ------------------------------------------------------------------- */

static void nn__html_memory_of(nn__html *html, const nn_trainer *trainer, nn_device device) {
    static const char names[] =
        "parameters\0constants\0optimizer and totals\0inputs\0activations and gradients\0scratch";
    uint64_t total = 0, most = 1;
    char text[32], bytes[32];
    for (int c = 0; c <= NN_MEMORY_SCRATCH; c++) { /* training packs no weights */
        uint64_t one = nn_plan_bytes(trainer->plan, device, (nn_memory_category)c);
        total += one;
        if (one > most) most = one;
    }
    if (total == 0) return;
    nn__print(&html->out, "<div class=\"card\"><h3>%s: %s</h3><table class=\"wide\"><tbody>\n",
              nn_format_device(device, text, sizeof text),
              nn__format_bytes(bytes, sizeof bytes, total));
    for (int c = 0; c <= NN_MEMORY_SCRATCH; c++) { /* training packs no weights */
        uint64_t one = nn_plan_bytes(trainer->plan, device, (nn_memory_category)c);
        nn__print(&html->out, "<tr><td class=\"l\">%s</td><td>%s</td><td class=\"bar\">",
                  nn__nth_text(names, c), nn__format_bytes(bytes, sizeof bytes, one));
        if (one > 0)
            nn__print(&html->out, "<i class=\"c%d\" style=\"width:%.1f%%\"></i>", c,
                      100.0 * (double)one / (double)most);
        nn__print(&html->out, "</td></tr>\n");
    }
    nn__print(
        &html->out,
        "</tbody></table><p class=\"note\">The evaluation's plan allocates %s more.</p></div>\n",
        nn__format_bytes(bytes, sizeof bytes, nn_plan_allocated(trainer->evaluation, device)));
}

static void nn__html_memory(nn__html *html, const nn_trainer *trainer) {
    nn__print(&html->out, "<h2>Memory</h2>\n");
    for (int i = 0; i < nn_device_count(trainer->nn); i++)
        nn__html_memory_of(html, trainer, nn_device_at(trainer->nn, i));
}

static void nn__html_ledger_row(nn__html *html, const nn_ledger_entry *entry) {
    static const char ways[] = "copied\0mapped\0staged";
    char from[16], to[16], bytes[32], site[96];
    nn__print(&html->out, "<tr><td class=\"l\">");
    nn__print(&html->text, "%s", entry->tensor);
    nn__print(
        &html->out,
        "</td><td class=\"l\">%s &#8594; %s</td><td class=\"l\">%s</td><td>%llu</td><td>%s</td>",
        entry->crossing == NN_CROSS_UPLOAD ? "host"
                                           : nn_format_device(entry->from, from, sizeof from),
        entry->crossing == NN_CROSS_DOWNLOAD ? "host" : nn_format_device(entry->to, to, sizeof to),
        nn__nth_text(ways, (int)entry->way), (unsigned long long)entry->count,
        nn__format_bytes(bytes, sizeof bytes, entry->logical_bytes));
    nn__print(&html->out, "<td>%s</td><td class=\"l\">",
              nn__format_bytes(bytes, sizeof bytes, entry->physical_bytes));
    nn__print(&html->text, "%s", nn__format_site(entry->site, site, sizeof site));
    nn__print(&html->out, "</td></tr>\n");
}

static void nn__html_ledger(nn__html *html, const nn_trainer *trainer) {
    int count = nn_ledger_count(trainer->nn);
    if (count == 0) return;
    nn__print(
        &html->out,
        "<h2>Bytes that crossed</h2>\n<div class=\"card\"><table class=\"wide\"><thead><tr>"
        "<th class=\"l\">tensor</th><th class=\"l\">from, to</th><th class=\"l\">way</th>"
        "<th>times</th>"
        "<th>bytes</th><th>moved</th><th class=\"l\">asked for at</th></tr></thead><tbody>\n");
    for (int i = 0; i < count; i++) {
        nn_ledger_entry entry = nn_ledger_at(trainer->nn, i);
        nn__html_ledger_row(html, &entry);
    }
    nn__print(&html->out, "</tbody></table></div>\n");
}

static void nn__html_plan(nn__html *html, const nn_plan *plan, const char *title) {
    nn__print(&html->out, "<div class=\"card\"><details><summary>%s</summary><pre>", title);
    nn_write_plan(plan, html->text);
    nn__print(&html->out, "</pre></details></div>\n");
}

/* ---- the page -------------------------------------------------------------------------------- */

static void nn__html_page(nn_trainer *trainer, const nn_history *history, const int64_t *counts,
                          int classes, const nn_writer *writer) {
    nn__html html;
    html.out = *writer;
    html.text.function = nn__html_escape;
    html.text.user = &html.out;
    nn__html_head(&html, trainer ? trainer->net->name : "training");
    nn__html_tiles(&html, trainer, history);
    nn__html_curves(&html, history);
    nn__html_confusion(&html, counts, classes);
    if (trainer) {
        nn__html_profile(&html, trainer->plan);
        nn__html_memory(&html, trainer);
        nn__html_ledger(&html, trainer);
        nn__print(&html.out, "<h2>Plans</h2>\n");
        nn__html_plan(&html, trainer->plan, "a training step");
        nn__html_plan(&html, trainer->evaluation, "an evaluation");
    }
    nn__print(&html.out, "</body>\n</html>\n");
}

NN_API nn_result nn_write_html_at(nn_site site, nn_trainer *trainer, const nn_history *history,
                                  nn_writer writer) {
    int64_t *counts = NULL;
    nn_result result = NN_OK;
    if (trainer ? nn__trainer_gone(trainer, site, "nn_write_html") : !history)
        return NN_ERROR_ARGUMENT;
    const int classes = nn_confusion_classes(trainer);
    const size_t bytes = (size_t)classes * (size_t)classes * sizeof(int64_t);
    if (!writer.function)
        return nn__fail_at(
            trainer ? trainer->nn : history->nn, site, NN_ERROR_ARGUMENT,
            "nn_write_html: writer has no function, so the page goes nowhere; give one, such as "
            "{ nn_write_file, file }");
    if (classes > 0) {
        counts = (int64_t *)nn__allocate_for(trainer->nn, "nn_write_html", bytes);
        if (!counts) return NN_ERROR_MEMORY;
        result = nn_read_confusion_at(site, trainer, counts, bytes);
    }
    if (result == NN_OK) nn__html_page(trainer, history, counts, classes, &writer);
    if (counts) nn__release(&trainer->nn->memory, counts, bytes);
    return result;
}

#undef NN__HTML_STEPS
#endif /* NN_NO_REPORTS */
#endif /* NN__NO_TRAINER */

typedef int nn__html_part; /* a part must not be empty under NN__NO_TRAINER */
