/* train/history_read.c - reads the JSON lines that train/history.c writes. It is not a general JSON
   reader. */
#include "train/private.h"

#include <math.h>

#ifndef NN__NO_TRAINER

/* ---- reading --------------------------------------------------------------------------------- */

/* The position of reading. Once `wanted` is set, it does not move any more. */
typedef struct nn__history_cursor {
    const char *at, *end;
    const char *wanted; /* the text expected at `at`; NULL: no mistake so far */
} nn__history_cursor;

static bool nn__history_fail(nn__history_cursor *cursor, const char *wanted) {
    if (!cursor->wanted) cursor->wanted = wanted;
    return false;
}

static bool nn__history_is(nn__history_cursor *cursor, const char *text) {
    size_t length = strlen(text);
    if (cursor->wanted || (size_t)(cursor->end - cursor->at) < length ||
        memcmp(cursor->at, text, length) != 0)
        return false;
    cursor->at += length;
    return true;
}

static bool nn__history_expect(nn__history_cursor *cursor, const char *text) {
    return nn__history_is(cursor, text) || nn__history_fail(cursor, text);
}

static int nn__history_digit(const nn__history_cursor *cursor) {
    return cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9' ? *cursor->at - '0'
                                                                                : -1;
}

/* Reads a key, then a whole number of at most `most`. */
static uint64_t nn__history_read_whole(nn__history_cursor *cursor, const char *key, uint64_t most) {
    uint64_t value = 0;
    if (!nn__history_expect(cursor, key)) return 0;
    if (nn__history_digit(cursor) < 0) return (uint64_t)nn__history_fail(cursor, "a whole number");
    for (int digit; (digit = nn__history_digit(cursor)) >= 0; cursor->at++) {
        if (value > (most - (uint64_t)digit) / 10)
            return (uint64_t)nn__history_fail(cursor, "a smaller number");
        value = value * 10 + (uint64_t)digit;
    }
    return value;
}

/* Returns value * 10^exponent. Powers up to 10^22 are exact, so numbers of up to 15 digits are
   rounded only once. */
static double nn__history_scale(double value, int exponent) {
    double power = 1.0;
    int steps = exponent < 0 ? -exponent : exponent;
    for (; steps > 22; steps -= 22) value = exponent < 0 ? value / 1e22 : value * 1e22;
    for (; steps > 0; steps--) power *= 10.0;
    return exponent < 0 ? value / power : value * power;
}

/* Reads what follows the digits, such as "e-07". Returns the exponent, within +-999. */
static int nn__history_exponent(nn__history_cursor *cursor) {
    bool negative;
    int value = 0;
    if (!nn__history_is(cursor, "e")) return 0;
    negative = nn__history_is(cursor, "-");
    if (!negative) nn__history_is(cursor, "+");
    if (nn__history_digit(cursor) < 0) nn__history_fail(cursor, "an exponent");
    for (int digit; (digit = nn__history_digit(cursor)) >= 0; cursor->at++)
        value = value < 100 ? value * 10 + digit : 999;
    return negative ? -value : value;
}

/* Reads a key, then a number, or null for NaN. */
static double nn__history_read_number(nn__history_cursor *cursor, const char *key) {
    double digits = 0.0;
    int exponent = 0, count = 0;
    bool negative, fraction = false;
    if (!nn__history_expect(cursor, key)) return 0.0;
    if (nn__history_is(cursor, "null")) return (double)NAN;
    negative = nn__history_is(cursor, "-");
    if (nn__history_digit(cursor) < 0) nn__history_fail(cursor, "a number, or null");
    for (;; cursor->at++) {
        int digit = nn__history_digit(cursor);
        if (digit < 0 && !fraction && cursor->at < cursor->end && *cursor->at == '.') {
            fraction = true;
            continue;
        }
        if (digit < 0) break;
        if (++count > 60) return (double)nn__history_fail(cursor, "a shorter number");
        digits = digits * 10.0 + digit;
        exponent -= fraction;
    }
    exponent += nn__history_exponent(cursor);
    if (digits == 0.0) exponent = 0;
    digits = nn__history_scale(digits, exponent);
    if (!(digits - digits == 0.0)) nn__history_fail(cursor, "a number that a double holds");
    return negative ? -digits : digits;
}

static int nn__history_hex(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads a text in quotes into name. */
static void nn__history_read_name(nn__history_cursor *cursor, char *name) {
    int length = 0;
    if (!nn__history_expect(cursor, "\"")) return;
    while (!nn__history_is(cursor, "\"")) {
        char c;
        if (cursor->at == cursor->end || (unsigned char)*cursor->at < 32) {
            nn__history_fail(cursor, "the end of the name");
            return;
        }
        c = *cursor->at++;
        if (c == '\\' && nn__history_is(cursor, "u00")) {
            int high = cursor->end - cursor->at >= 2 ? nn__history_hex(cursor->at[0]) : -1;
            int low = high >= 0 ? nn__history_hex(cursor->at[1]) : -1;
            if (low < 0 || high > 1 || high * 16 + low == 0) {
                nn__history_fail(cursor, "two digits of a control character");
                return;
            }
            c = (char)(high * 16 + low);
            cursor->at += 2;
        } else if (c == '\\') {
            if (cursor->at == cursor->end || (*cursor->at != '"' && *cursor->at != '\\')) {
                nn__history_fail(cursor, "\\\", \\\\ or \\u00");
                return;
            }
            c = *cursor->at++;
        }
        if (length == NN_NAME_BYTES - 1) {
            nn__history_fail(cursor, "a shorter name");
            return;
        }
        name[length++] = c;
    }
    name[length] = 0;
}

/* names: those of earlier lines. If *count is -1, the first report fills them in. */
static void nn__history_read_report(nn__history_cursor *cursor, char (*names)[NN_NAME_BYTES],
                                    int *count, nn_report *report) {
    int found = 0;
    memset(report, 0, sizeof *report);
    report->loss = nn__history_read_number(cursor, "{\"loss\":");
    report->samples = (int64_t)nn__history_read_whole(cursor, ",\"samples\":", INT64_MAX);
    report->counted = (double)report->samples;
    nn__history_expect(cursor, ",\"metrics\":{");
    while (!cursor->wanted && !nn__history_is(cursor, "}")) {
        char name[NN_NAME_BYTES];
        if (found > 0) nn__history_expect(cursor, ",");
        if (found == NN_REPORT_METRICS || (*count >= 0 && found == *count)) {
            nn__history_fail(cursor, "no more metrics");
            return;
        }
        name[0] = 0;
        nn__history_read_name(cursor, name);
        if (*count < 0)
            memcpy(names[found], name, sizeof name);
        else if (!cursor->wanted && strcmp(names[found], name) != 0)
            nn__history_fail(cursor, "the name of the metric as in the line before");
        report->metrics[found++] = nn__history_read_number(cursor, ":");
    }
    if (*count >= 0 && found < *count)
        nn__history_fail(cursor, "as many metrics as in the line before");
    *count = found;
    nn__history_expect(cursor, "}");
}

static void nn__history_read_line(nn__history_cursor *cursor, char (*names)[NN_NAME_BYTES],
                                  int *count, nn_record *record) {
    int64_t step;
    memset(record, 0, sizeof *record);
    record->epoch = (int32_t)nn__history_read_whole(cursor, "{\"epoch\":", INT32_MAX);
    nn__history_expect(cursor, ",\"epoch_ended\":");
    record->epoch_ended = nn__history_is(cursor, "true");
    if (!record->epoch_ended) nn__history_expect(cursor, "false");
    step = (int64_t)nn__history_read_whole(cursor, ",\"step\":", INT64_MAX);
    nn__history_expect(cursor, ",\"train\":");
    nn__history_read_report(cursor, names, count, &record->train);
    record->train.step = step;
    nn__history_expect(cursor, ",\"validation\":");
    if (!nn__history_is(cursor, "null")) {
        nn__history_read_report(cursor, names, count, &record->validation);
        if (!cursor->wanted && record->validation.samples == 0)
            nn__history_fail(cursor, "samples, or null as the validation");
        record->validation.step = step;
    }
    record->learning_rate = (float)nn__history_read_number(cursor, ",\"learning_rate\":");
    record->steps = (int64_t)nn__history_read_whole(cursor, ",\"steps\":", INT64_MAX);
    record->seconds = nn__history_read_number(cursor, ",\"seconds\":");
    record->step_seconds = nn__history_read_number(cursor, ",\"step_seconds\":");
    record->wait_seconds = nn__history_read_number(cursor, ",\"wait_seconds\":");
    record->uploaded = nn__history_read_whole(cursor, ",\"uploaded\":", UINT64_MAX);
    record->downloaded = nn__history_read_whole(cursor, ",\"downloaded\":", UINT64_MAX);
    record->between = nn__history_read_whole(cursor, ",\"between\":", UINT64_MAX);
    record->samples_a_second = nn__history_read_number(cursor, ",\"samples_a_second\":");
    nn__history_expect(cursor, "}");
    if (cursor->at < cursor->end) nn__history_expect(cursor, "\n");
}

/* Reads all lines into `into`, or only checks and counts them if it is NULL. Returns their
   number. */
static int32_t nn__history_read_all(nn__history_cursor *cursor, nn_history *into,
                                    char (*names)[NN_NAME_BYTES], int *metric_count, int *line) {
    int32_t count = 0;
    for (*line = 1; cursor->at < cursor->end && !cursor->wanted; ++*line) {
        nn_record record;
        if (nn__history_is(cursor, "\n")) continue;
        nn__history_read_line(cursor, names, metric_count, &record);
        if (cursor->wanted) break;
        if (into) nn__history_append(into, &record);
        count++;
    }
    return count;
}

static nn_result nn__inside_read_history(nn_site site, nn_history *history, const char *text,
                                         size_t bytes) {
    char names[NN_REPORT_METRICS][NN_NAME_BYTES];
    nn__history_cursor cursor;
    int metric_count = -1, line, length = 0;
    int32_t count;
    nn_record *records;
    if (!history) return NN_ERROR_ARGUMENT;
    if (!text && bytes > 0)
        return nn__fail_at(history->nn, site, NN_ERROR_ARGUMENT, "nn_read_history: text is NULL");
    memset(names, 0, sizeof names);
    memset(&cursor, 0, sizeof cursor);
    cursor.at = text;
    cursor.end = bytes > 0 ? text + bytes : text;
    count = nn__history_read_all(&cursor, NULL, names, &metric_count, &line);
    while (length < 16 && cursor.end - cursor.at > length && (unsigned char)cursor.at[length] >= 32)
        length++;
    if (cursor.wanted)
        return nn__fail_at(
            history->nn, site, NN_ERROR_FORMAT,
            "nn_read_history: line %d is not as nn_write_history writes it: at \"%.*s\" wanted %s",
            line, length, cursor.at, cursor.wanted);
    if (history->capacity == 0 && count > history->room) {
        records = (nn_record *)nn__allocate_for(history->nn, "nn_read_history",
                                                (size_t)count * sizeof *records);
        if (!records) return NN_ERROR_MEMORY;
        nn__release(&history->nn->memory, history->records,
                    (size_t)history->room * sizeof *records);
        history->records = records;
        history->room = count;
    }
    history->count = 0;
    history->metric_count = metric_count > 0 ? metric_count : 0;
    memcpy(history->names, names, sizeof names);
    cursor.at = text;
    nn__history_read_all(&cursor, history, names, &metric_count, &line);
    return NN_OK;
}

NN_API nn_result nn_read_history_at(nn_site site, nn_history *history, const char *text,
                                    size_t bytes) {
    return NN__ALONE(history ? history->nn : NULL, "nn_read_history", site,
                     nn__inside_read_history(site, history, text, bytes));
}

#endif /* NN__NO_TRAINER */

typedef int nn__history_read_part; /* a part must not be empty under NN__NO_TRAINER */
