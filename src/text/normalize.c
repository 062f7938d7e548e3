/* text/normalize.c - normalizers. Converts a text to characters, each with its bytes in the given
   text, applies the steps of the file, and converts back. */
#include "text/private.h"

NN__TEXT_PRIVATE bool nn__text_put_out(nn__text_call *call, nn_tokenizer *t, size_t *count,
                                       uint32_t point, int32_t change) {
    nn__text_out *out;
    if ((*count + 1) * sizeof *out > t->outs.bytes &&
        !nn__text_grow(call, &t->outs, (uint64_t)(*count + 1) * sizeof *out))
        return false;
    out = (nn__text_out *)t->outs.data + (*count)++;
    out->point = point;
    out->change = change;
    return true;
}

/* Replaces the characters by the output of a step. A replacement has the position of the character
   that it replaces; a new character has the position of the character before it. */
static bool nn__text_replace_chars(nn__text_call *call, nn_tokenizer *t, size_t *count,
                                   size_t out_count) {
    const nn__text_char *chars = (const nn__text_char *)t->chars.data;
    const nn__text_out *outs = (const nn__text_out *)t->outs.data;
    nn__text_char *to;
    nn__text_buffer swapped;
    size_t at = 0;
    if (!nn__text_grow(call, &t->held, (uint64_t)(out_count + 1) * sizeof *to)) return false;
    to = (nn__text_char *)t->held.data;
    for (size_t i = 0; i < out_count; i++) {
        size_t from = outs[i].change > 0 ? at - (at > 0) : at;
        if (from >= *count) from = *count - 1;
        to[i].point = outs[i].point;
        to[i].start = chars[from].start;
        to[i].end = outs[i].change > 0 && at == 0 ? chars[from].start : chars[from].end;
        if (outs[i].change <= 0) at += 1 + (size_t)-outs[i].change;
    }
    swapped = t->chars;
    t->chars = t->held;
    t->held = swapped;
    *count = out_count;
    return true;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static bool nn__text_is_cjk(uint32_t c) {
    return (c >= 0x4e00 && c <= 0x9fff) || (c >= 0x3400 && c <= 0x4dbf) ||
           (c >= 0x20000 && c <= 0x2a6df) || (c >= 0x2a700 && c <= 0x2b81f) ||
           (c >= 0x2b920 && c <= 0x2ceaf) || (c >= 0xf900 && c <= 0xfaff) ||
           (c >= 0x2f800 && c <= 0x2fa1f);
}

/* Drops the characters of a kind. cleans: also turns white space into spaces. */
static void nn__text_filter(const nn_tokenizer *t, size_t *count, uint32_t kind, bool cleans) {
    nn__text_char *chars = (nn__text_char *)t->chars.data;
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        uint32_t c = chars[i].point, bits = nn__text_kind(t->unicode, c);
        if (bits & kind) continue;
        chars[kept] = chars[i];
        if (cleans && (bits & NN__TEXT_SPACE)) chars[kept].point = ' ';
        kept++;
    }
    *count = kept;
}

static bool nn__text_lowercase(nn__text_call *call, nn_tokenizer *t, size_t *count) {
    nn__text_char *chars = (nn__text_char *)t->chars.data;
    size_t out_count = 0, dotted = 0;
    for (size_t i = 0; i < *count; i++) {
        dotted += chars[i].point == 0x130;
        if (chars[i].point != 0x130) chars[i].point = nn__text_lower(t->unicode, chars[i].point);
    }
    if (dotted == 0) return true;
    for (size_t i = 0; i < *count; i++) {
        bool two = chars[i].point == 0x130;
        if (!nn__text_put_out(call, t, &out_count, two ? 'i' : chars[i].point, 0) ||
            (two && !nn__text_put_out(call, t, &out_count, 0x307, 1)))
            return false;
    }
    return nn__text_replace_chars(call, t, count, out_count);
}

static bool nn__text_space_cjk(nn__text_call *call, nn_tokenizer *t, size_t *count) {
    const nn__text_char *chars = (const nn__text_char *)t->chars.data;
    size_t out_count = 0, found = 0;
    for (size_t i = 0; i < *count; i++)
        found += chars[i].point >= 0x3400 && nn__text_is_cjk(chars[i].point);
    if (found == 0) return true;
    for (size_t i = 0; i < *count; i++) {
        bool cjk = nn__text_is_cjk(chars[i].point);
        if ((cjk && !nn__text_put_out(call, t, &out_count, ' ', 1)) ||
            !nn__text_put_out(call, t, &out_count, chars[i].point, 0) ||
            (cjk && !nn__text_put_out(call, t, &out_count, ' ', 1)))
            return false;
    }
    return nn__text_replace_chars(call, t, count, out_count);
}

static bool nn__text_normal_form(nn__text_call *call, nn_tokenizer *t, size_t *count,
                                 bool compatible, bool composed) {
    const nn__text_char *chars = (const nn__text_char *)t->chars.data;
    size_t out_count = 0, first = 0;
    uint32_t plain = composed && !compatible ? 0x300 : 0xa0;
    while (first < *count && chars[first].point < plain) first++;
    if (first == *count) return true;
    return nn__text_form(call, t, chars, *count, compatible, composed, &out_count) &&
           nn__text_replace_chars(call, t, count, out_count);
}

/* Decodes a literal in UTF-8 into at most `most` code points. */
static size_t nn__text_points(const char *text, size_t bytes, uint32_t *to, size_t most) {
    size_t count = 0, length;
    for (size_t at = 0; at < bytes && count < most; at += length)
        to[count++] = nn__text_decode(text, bytes, at, &length);
    return count;
}

/* Encodes the characters as text, for regular expressions. */
static bool nn__text_scan_chars(nn__text_call *call, nn_tokenizer *t, size_t count,
                                nn__text_scan *scan) {
    const nn__text_char *chars = (const nn__text_char *)t->chars.data;
    char *text;
    if (!nn__text_grow(call, &t->word, (uint64_t)count * 4 + 1)) return false;
    text = (char *)t->word.data;
    scan->u = t->unicode;
    scan->text = text;
    scan->end = 0;
    scan->left = (1 << 20) + (int64_t)count * 256;
    for (size_t i = 0; i < count; i++) scan->end += nn__text_put(text + scan->end, chars[i].point);
    return true;
}

/* Returns how many characters from the i-th on are replaced. *at: the position of the i-th
   character in the text, advanced past them. */
static size_t nn__text_replaced(nn__text_scan *scan, const nn__text_step *step,
                                const nn__text_char *chars, size_t left, const uint32_t *old,
                                size_t old_count, size_t *at) {
    size_t end, length, many = 0;
    if (!step->regex) {
        while (many < old_count && many < left && chars[many].point == old[many]) many++;
        return many == old_count ? many : 0;
    }
    end = nn__regex_match(scan, step->regex, *at);
    if (end == NN__TEXT_NOWHERE) {
        nn__text_decode(scan->text, scan->end, *at, &length);
        *at += length;
        return 0;
    }
    for (; *at < end; many++, *at += length) nn__text_decode(scan->text, scan->end, *at, &length);
    return many;
}

/* Replaces every occurrence of a literal or match. The new text has the position of the last
   character replaced. */
static bool nn__text_replace_all(nn__text_call *call, nn_tokenizer *t, size_t *count,
                                 const nn__text_step *step) {
    uint32_t old[64], with[64];
    size_t old_count = nn__text_points(step->text, step->regex ? 0 : step->text_bytes, old, 64);
    size_t with_count = nn__text_points(step->with, step->with_bytes, with, 64), kept = 0, at = 0;
    const nn__text_char *chars = (const nn__text_char *)t->chars.data;
    nn__text_char *to;
    nn__text_buffer swapped;
    nn__text_scan scan;
    uint64_t most = (uint64_t)*count * (with_count > 1 ? with_count : 1) + 1;
    memset(&scan, 0, sizeof scan);
    if (!nn__text_grow(call, &t->held, most * sizeof *to) ||
        (step->regex && !nn__text_scan_chars(call, t, *count, &scan)))
        return false;
    to = (nn__text_char *)t->held.data;
    for (size_t i = 0; i < *count;) {
        size_t many = nn__text_replaced(&scan, step, chars + i, *count - i, old, old_count, &at);
        if (many == 0) {
            to[kept++] = chars[i++];
            continue;
        }
        for (size_t k = 0; k < with_count; k++) {
            to[kept] = chars[i + many - 1];
            to[kept++].point = with[k];
        }
        i += many;
    }
    if (step->regex && scan.left <= 0)
        return nn__text_fail(call, NN_ERROR_UNSUPPORTED,
                             "the regular expression %q of Replace takes too long on a text of %d "
                             "characters",
                             (size_t)step->text_bytes, step->text, (int64_t)*count);
    swapped = t->chars;
    t->chars = t->held;
    t->held = swapped;
    *count = kept;
    return true;
}

static bool nn__text_prepend(nn__text_call *call, nn_tokenizer *t, size_t *count,
                             const nn__text_step *step) {
    uint32_t with[64];
    size_t many = nn__text_points(step->text, step->text_bytes, with, 64);
    nn__text_char *chars;
    if (*count == 0) return true;
    if (!nn__text_grow(call, &t->chars, (uint64_t)(*count + many) * sizeof *chars)) return false;
    chars = (nn__text_char *)t->chars.data;
    memmove(chars + many, chars, *count * sizeof *chars);
    for (size_t i = 0; i < many; i++) {
        chars[i] = chars[many];
        chars[i].point = with[i];
    }
    *count += many;
    return true;
}

static void nn__text_strip(const nn_tokenizer *t, size_t *count, const nn__text_step *step) {
    nn__text_char *chars = (nn__text_char *)t->chars.data;
    size_t first = 0;
    while (step->right && *count > 0 &&
           (nn__text_kind(t->unicode, chars[*count - 1].point) & NN__TEXT_SPACE))
        --*count;
    while (step->left && first < *count &&
           (nn__text_kind(t->unicode, chars[first].point) & NN__TEXT_SPACE))
        first++;
    memmove(chars, chars + first, (*count - first) * sizeof *chars);
    *count -= first;
}

static bool nn__text_step_on(nn__text_call *call, nn_tokenizer *t, const nn__text_step *step,
                             size_t *count) {
    switch (step->kind) {
    case NN__TEXT_NFC: return nn__text_normal_form(call, t, count, false, true);
    case NN__TEXT_NFD: return nn__text_normal_form(call, t, count, false, false);
    case NN__TEXT_NFKC: return nn__text_normal_form(call, t, count, true, true);
    case NN__TEXT_NFKD: return nn__text_normal_form(call, t, count, true, false);
    case NN__TEXT_LOWERCASE: return nn__text_lowercase(call, t, count);
    case NN__TEXT_STRIP_ACCENTS: nn__text_filter(t, count, NN__TEXT_COMBINING, false); break;
    case NN__TEXT_REPLACE: return nn__text_replace_all(call, t, count, step);
    case NN__TEXT_PREPEND: return nn__text_prepend(call, t, count, step);
    case NN__TEXT_STRIP: nn__text_strip(t, count, step); break;
    case NN__TEXT_CLEAN: nn__text_filter(t, count, NN__TEXT_CONTROL, true); break;
    case NN__TEXT_CJK: return nn__text_space_cjk(call, t, count);
    default:
        if (!nn__text_normal_form(call, t, count, false, false)) return false;
        nn__text_filter(t, count, NN__TEXT_ACCENT, false);
    }
    return true;
}

/* ---- text to characters and back ------------------------------------------------------------- */

/* True if the steps are only normal forms and the text is ASCII, which all of them keep. */
static bool nn__text_is_normal(const nn_tokenizer *t, const nn__text_string *s) {
    for (uint32_t i = 0; i < t->normalizer_count; i++)
        if (t->normalizers[i].kind > NN__TEXT_NFKD) return false;
    for (size_t i = 0; i < s->bytes; i++)
        if ((unsigned char)s->text[i] >= 0x80) return false;
    return true;
}

static bool nn__text_to_chars(nn__text_call *call, nn_tokenizer *t, const nn__text_string *s,
                              size_t *count) {
    nn__text_char *chars;
    size_t length;
    if (!nn__text_grow(call, &t->chars, (uint64_t)(s->bytes + 1) * sizeof *chars)) return false;
    chars = (nn__text_char *)t->chars.data;
    *count = 0;
    for (size_t at = 0; at < s->bytes; at += length, ++*count) {
        chars[*count].point = nn__text_decode(s->text, s->bytes, at, &length);
        chars[*count].start = s->starts ? s->starts[at] : s->base + (uint32_t)at;
        chars[*count].end =
            s->starts ? s->ends[at + length - 1] : s->base + (uint32_t)(at + length);
    }
    return true;
}

NN__TEXT_PRIVATE bool nn__text_from_chars(nn__text_call *call, nn__text_room *room,
                                          const nn__text_char *chars, size_t count,
                                          nn__text_string *s) {
    char *text;
    uint32_t *starts, *ends;
    size_t bytes = 0;
    if ((uint64_t)count * 4 > UINT32_MAX ||
        !nn__text_grow(call, &room->text, (uint64_t)count * 4 + 1) ||
        !nn__text_grow(call, &room->starts, ((uint64_t)count * 4 + 1) * sizeof *starts) ||
        !nn__text_grow(call, &room->ends, ((uint64_t)count * 4 + 1) * sizeof *ends))
        return nn__text_fail(call, NN_ERROR_MEMORY, "a text of %d characters is too long",
                             (int64_t)count);
    text = (char *)room->text.data;
    starts = (uint32_t *)room->starts.data;
    ends = (uint32_t *)room->ends.data;
    for (size_t i = 0; i < count; i++) {
        size_t length = nn__text_put(text + bytes, chars[i].point);
        for (size_t j = 0; j < length; j++) {
            starts[bytes + j] = chars[i].start;
            ends[bytes + j] = chars[i].end;
        }
        bytes += length;
    }
    s->text = text;
    s->bytes = bytes;
    s->starts = starts;
    s->ends = ends;
    return true;
}

NN__TEXT_PRIVATE bool nn__text_normalize(nn__text_call *call, nn_tokenizer *t, nn__text_string *s) {
    size_t count = 0;
    if (t->normalizer_count == 0 || nn__text_is_normal(t, s)) return true;
    if (!nn__text_to_chars(call, t, s, &count)) return false;
    for (uint32_t i = 0; i < t->normalizer_count && count > 0; i++)
        if (!nn__text_step_on(call, t, &t->normalizers[i], &count)) return false;
    return nn__text_from_chars(call, &t->normal, (const nn__text_char *)t->chars.data, count, s);
}
