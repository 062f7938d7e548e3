/* base/writer.c - formats text without printf, which would bring stdio and the locale into a
   firmware. base/private.h lists the conversions. Fractions are exact: a double is an integer
   times a power of 2 or 5, which is converted to decimal and then rounded half to even. */
#include "base/private.h"

#ifndef NN_NO_STDIO
#include <stdio.h>
#endif

/* ---- writers --------------------------------------------------------------------------------- */

NN_API void nn_write_text(void *user, const char *text, size_t length) {
    nn_text *out = (nn_text *)user;
    if (!out) return;
    if (out->buffer && out->size > 0) {
        size_t at = out->length < out->size - 1 ? out->length : out->size - 1;
        size_t room = out->size - 1 - at;
        size_t bytes = length < room ? length : room;
        if (bytes > 0) memcpy(out->buffer + at, text, bytes);
        out->buffer[at + bytes] = 0;
    }
    out->length += length;
}

#ifndef NN_NO_STDIO
NN_API void nn_write_stderr(void *user, const char *text, size_t length) {
    (void)user;
    if (length > 0 && fwrite(text, 1, length, stderr) != length) return; /* nowhere to report it */
}
NN_API void nn_write_stdout(void *user, const char *text, size_t length) {
    (void)user;
    if (length > 0 && fwrite(text, 1, length, stdout) != length) return;
}
NN_API void nn_write_file(void *user, const char *text, size_t length) {
    if (user && length > 0 && fwrite(text, 1, length, (FILE *)user) != length) return;
}
#endif

/* ---- numbers as text ------------------------------------------------------------------------- */

/* Writes backwards from `end`; returns a pointer to the first character. */
static char *nn__writer_unsigned(char *end, unsigned long long value, unsigned base) {
    do {
        *--end = "0123456789abcdef"[value % base];
        value /= base;
    } while (value > 0);
    return end;
}

#define NN__WRITER_WORDS 88   /* base 1e9: 767 digits, which the smallest double needs */
#define NN__WRITER_DIGITS 800
#define NN__WRITER_PRECISION 40
#define NN__WRITER_TEXT 368   /* 309 digits before the point, NN__WRITER_PRECISION after it */

/* value = 0.d0 d1 d2 ... * 10^point; without leading zeros; count 0: the value is zero. */
typedef struct nn__writer_decimal {
    char digits[NN__WRITER_DIGITS];
    int  count;
    int  point;
} nn__writer_decimal;

static int nn__writer_multiply(uint32_t *words, int count, uint32_t factor) {
    uint64_t carry = 0;
    for (int i = 0; i < count; i++) {
        carry += (uint64_t)words[i] * factor;
        words[i] = (uint32_t)(carry % 1000000000u);
        carry /= 1000000000u;
    }
    if (carry > 0) words[count++] = (uint32_t)carry;
    return count;
}

/* Computes all digits of mantissa * 2^exponent. For a negative exponent -k that is mantissa * 5^k /
   10^k. */
static void nn__writer_expand(nn__writer_decimal *out, uint64_t mantissa, int exponent) {
    uint32_t words[NN__WRITER_WORDS];
    int count = 0;
    while (mantissa % 2 == 0 && exponent < 0) {
        mantissa /= 2;
        exponent++;
    }
    for (; mantissa > 0; mantissa /= 1000000000u)
        words[count++] = (uint32_t)(mantissa % 1000000000u);
    int left = exponent < 0 ? -exponent : exponent;
    const uint32_t base = exponent < 0 ? 5 : 2, base_12 = exponent < 0 ? 244140625 : 4096;
    for (; left >= 12; left -= 12) count = nn__writer_multiply(words, count, base_12);
    for (; left > 0; left--) count = nn__writer_multiply(words, count, base);

    out->count = 0;
    for (int i = count - 1; i >= 0; i--) {
        char text[9];
        uint32_t word = words[i];
        for (int j = 8; j >= 0; j--, word /= 10) text[j] = (char)('0' + word % 10);
        for (int j = 0; j < 9; j++) {
            if (out->count > 0 || text[j] != '0') out->digits[out->count++] = text[j];
        }
    }
    out->point = out->count + (exponent < 0 ? exponent : 0);
}

/* Rounds to the first `keep` digits, half to even. keep < 0: nothing remains. */
static void nn__writer_round(nn__writer_decimal *number, int keep) {
    if (keep >= number->count) return;
    if (keep < 0) {
        number->count = 0;
        return;
    }
    char next = number->digits[keep];
    bool more = false;
    for (int i = keep + 1; i < number->count; i++) more = more || number->digits[i] != '0';
    bool odd = keep > 0 && (number->digits[keep - 1] - '0') % 2 != 0;
    bool up = next > '5' || (next == '5' && (more || odd));
    number->count = keep;
    if (!up) return;
    int i = keep - 1;
    for (; i >= 0 && number->digits[i] == '9'; i--) number->digits[i] = '0';
    if (i >= 0) {
        number->digits[i]++;
        return;
    }
    /* 999 became 1000; the zeros after the 1 are already there or not needed */
    number->digits[0] = '1';
    if (keep == 0) number->count = 1;
    number->point++;
}

/* Returns the digit for 10^(-place); place 1 is the first one after the point. */
static char nn__writer_digit(const nn__writer_decimal *number, int place) {
    int i = number->point + place - 1;
    return i >= 0 && i < number->count ? number->digits[i] : '0';
}

/* Appends the number with `places` digits after the point; returns the new length. */
static int nn__writer_fixed(const nn__writer_decimal *number, int places, char *text, int length) {
    int before = number->count > 0 && number->point > 0 ? number->point : 1;
    for (int place = 1 - before; place <= places; place++) {
        if (place == 1) text[length++] = '.';
        text[length++] = nn__writer_digit(number, place);
    }
    return length;
}

/* %g: the shorter of 0.000123 and 1.23e-10, without trailing zeros. */
static int nn__writer_general(nn__writer_decimal *number, int precision, char *text, int length) {
    nn__writer_round(number, precision);
    while (number->count > 0 && number->digits[number->count - 1] == '0') number->count--;
    int exponent = number->count > 0 ? number->point - 1 : 0;
    if (exponent >= -4 && exponent < precision) {
        int places = number->count - number->point;
        return nn__writer_fixed(number, number->count > 0 && places > 0 ? places : 0, text, length);
    }
    number->point = 1;
    length = nn__writer_fixed(number, number->count - 1, text, length);
    text[length++] = 'e';
    text[length++] = exponent < 0 ? '-' : '+';
    if (exponent < 0) exponent = -exponent;
    if (exponent >= 100) text[length++] = (char)('0' + exponent / 100);
    text[length++] = (char)('0' + exponent / 10 % 10);
    text[length++] = (char)('0' + exponent % 10);
    return length;
}

static int nn__writer_double(double value, char kind, int precision, char *text) {
    uint64_t bits = 0;
    nn__writer_decimal number;
    int length = 0;
    memcpy(&bits, &value, sizeof value);
    if (bits >> 63) text[length++] = '-';
    int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t mantissa = bits & 0xfffffffffffffu;
    if (exponent == 0x7ff) {
        memcpy(text + length, mantissa ? "nan" : "inf", 3);
        return length + 3;
    }
    if (exponent > 0) mantissa |= (uint64_t)1 << 52;
    nn__writer_expand(&number, mantissa, mantissa ? (exponent > 0 ? exponent : 1) - 1075 : 0);
    if (precision < 0) precision = 6;
    if (precision > NN__WRITER_PRECISION) precision = NN__WRITER_PRECISION;
    if (kind == 'g')
        return nn__writer_general(&number, precision > 0 ? precision : 1, text, length);
    nn__writer_round(&number, number.point + precision);
    return nn__writer_fixed(&number, precision, text, length);
}

/* ---- formatting ------------------------------------------------------------------------------ */

/* The part between % and the letter. */
typedef struct nn__writer_field {
    bool left, zero;
    int  width;
    int  precision; /* -1: none given */
    int  size;      /* 0: int, 1: long, 2: long long, 3: size_t */
} nn__writer_field;

static void nn__writer_put(const nn_writer *writer, const char *text, size_t length) {
    if (length > 0) writer->function(writer->user, text, length);
}

static void nn__writer_repeat(const nn_writer *writer, const char *of_16, int count) {
    for (; count > 0; count -= 16) nn__writer_put(writer, of_16, (size_t)nn__mini(count, 16));
}

/* number: padding zeros go between the sign and the digits. */
static void nn__writer_pad(const nn_writer *writer, const nn__writer_field *field, const char *text,
                           size_t length, bool number) {
    int padding = length < (size_t)field->width ? field->width - (int)length : 0;
    bool zeros = number && field->zero && !field->left;
    if (zeros && length > 0 && text[0] == '-') {
        nn__writer_put(writer, text++, 1);
        length--;
    }
    if (!field->left)
        nn__writer_repeat(writer, zeros ? "0000000000000000" : "                ", padding);
    nn__writer_put(writer, text, length);
    if (field->left) nn__writer_repeat(writer, "                ", padding);
}

static void nn__writer_text(const nn_writer *writer, const nn__writer_field *field,
                            const char *text) {
    size_t length = 0;
    if (!text) text = "(none)";
    while ((field->precision < 0 || length < (size_t)field->precision) && text[length]) length++;
    nn__writer_pad(writer, field, text, length, false);
}

static void nn__writer_integer(const nn_writer *writer, const nn__writer_field *field,
                               unsigned long long magnitude, bool negative, unsigned base) {
    char text[24];
    char *end = text + sizeof text;
    char *begin = nn__writer_unsigned(end, magnitude, base);
    if (negative) *--begin = '-';
    nn__writer_pad(writer, field, begin, (size_t)(end - begin), true);
}

/* Parses a number; values stop below 10000, which is enough for a width. */
static const char *nn__writer_count(const char *format, int *count) {
    for (*count = 0; *format >= '0' && *format <= '9'; format++) {
        if (*count < 1000) *count = *count * 10 + (*format - '0');
    }
    return format;
}

/* va_list may be an array, whose address a function cannot take in every ABI; inside a struct it
   can. */
typedef struct nn__writer_arguments {
    va_list list;
} nn__writer_arguments;

static long long nn__writer_signed_argument(nn__writer_arguments *from, int size) {
    if (size == 3) return (long long)va_arg(from->list, ptrdiff_t);
    if (size == 2) return va_arg(from->list, long long);
    return size == 1 ? va_arg(from->list, long) : va_arg(from->list, int);
}

static unsigned long long nn__writer_unsigned_argument(nn__writer_arguments *from, int size) {
    if (size == 3) return va_arg(from->list, size_t);
    if (size == 2) return va_arg(from->list, unsigned long long);
    return size == 1 ? va_arg(from->list, unsigned long) : va_arg(from->list, unsigned);
}

/* Parses from after the % to the letter. */
static const char *nn__writer_parse(const char *format, nn__writer_field *field,
                                    nn__writer_arguments *from) {
    for (; *format == '-' || *format == '0'; format++) {
        if (*format == '-') field->left = true;
        else field->zero = true;
    }
    if (*format == '*') {
        field->width = va_arg(from->list, int);
        field->left = field->left || field->width < 0;
        field->width = field->width < -9999 ? 9999
                       : field->width < 0   ? -field->width
                                            : field->width;
        format++;
    } else {
        format = nn__writer_count(format, &field->width);
    }
    if (*format == '.' && format[1] == '*') {
        field->precision = va_arg(from->list, int);
        format += 2;
    } else if (*format == '.') {
        format = nn__writer_count(format + 1, &field->precision);
    }
    if (*format == 'z') {
        field->size = 3;
        format++;
    }
    for (; *format == 'l' && field->size < 2; format++) field->size++;
    return format;
}

static void nn__writer_value(const nn_writer *writer, char kind, const nn__writer_field *field,
                             nn__writer_arguments *from) {
    char text[NN__WRITER_TEXT];
    char *end = text + sizeof text;
    switch (kind) {
    case 's': nn__writer_text(writer, field, va_arg(from->list, const char *)); return;
    case 'c':
        text[0] = (char)va_arg(from->list, int);
        nn__writer_pad(writer, field, text, 1, false);
        return;
    case 'd': {
        long long value = nn__writer_signed_argument(from, field->size);
        unsigned long long bits = (unsigned long long)value;
        nn__writer_integer(writer, field, value < 0 ? 0 - bits : bits, value < 0, 10);
        return;
    }
    case 'u':
    case 'x': {
        unsigned long long value = nn__writer_unsigned_argument(from, field->size);
        nn__writer_integer(writer, field, value, false, kind == 'u' ? 10 : 16);
        return;
    }
    case 'p': {
        char *begin = nn__writer_unsigned(end, (uintptr_t)va_arg(from->list, void *), 16);
        *--begin = 'x';
        *--begin = '0';
        nn__writer_pad(writer, field, begin, (size_t)(end - begin), false);
        return;
    }
    case 'g':
    case 'f': {
        int length = nn__writer_double(va_arg(from->list, double), kind, field->precision, text);
        bool finite = text[length - 1] <= '9';
        nn__writer_pad(writer, field, text, (size_t)length, finite);
        return;
    }
    /* '%' itself; an unknown letter is printed, which shows the mistake */
    default: nn__writer_put(writer, &kind, 1); return;
    }
}

NN_PRIVATE void nn__vprint(const nn_writer *writer, const char *format, va_list arguments) {
    nn__writer_arguments from;
    if (!writer || !writer->function || !format) return;
    va_copy(from.list, arguments);
    for (;;) {
        const char *end = format;
        nn__writer_field field = {false, false, 0, -1, 0};
        while (*end && *end != '%') end++;
        nn__writer_put(writer, format, (size_t)(end - format));
        if (!*end) break;
        format = nn__writer_parse(end + 1, &field, &from);
        if (!*format) break;
        nn__writer_value(writer, *format++, &field, &from);
    }
    va_end(from.list);
}

NN_PRIVATE void nn__print(const nn_writer *writer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    nn__vprint(writer, format, arguments);
    va_end(arguments);
}

NN_PRIVATE nn_writer nn__write_into(nn_text *out, char *text, size_t size) {
    nn_writer writer = {nn_write_text, NULL};
    writer.user = out;
    out->buffer = text;
    out->size = size;
    out->length = 0;
    if (text && size > 0) text[0] = 0;
    return writer;
}

NN_PRIVATE size_t nn__vformat(char *text, size_t size, const char *format, va_list arguments) {
    nn_text out;
    nn_writer writer = nn__write_into(&out, text, size);
    nn__vprint(&writer, format, arguments);
    return out.length;
}

NN_PRIVATE size_t nn__format(char *text, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t length = nn__vformat(text, size, format, arguments);
    va_end(arguments);
    return length;
}

NN_PRIVATE void nn__copy_text(char *to, size_t size, const char *from) {
    size_t i = 0;
    if (!to || size == 0) return;
    for (; from && from[i] && i < size - 1; i++) to[i] = from[i];
    to[i] = 0;
}

NN_PRIVATE size_t nn__join_text(char *text, size_t size, const char *first, const char *second,
                                const char *third) {
    const char *parts[3] = {first, second, third};
    size_t length = 0;
    for (int i = 0; i < 3; i++)
        for (const char *at = parts[i]; *at; at++, length++)
            if (length + 1 < size) text[length] = *at;
    text[length < size ? length : size - 1] = 0;
    return length;
}

NN_PRIVATE const char *nn__format_bytes(char *text, size_t size, uint64_t bytes) {
    const char *units[] = {"kB", "MB", "GB", "TB", "PB", "EB"};
    uint64_t unit = 1000;
    int i = 0;
    if (bytes < 1000) {
        nn__format(text, size, "%u B", (unsigned)bytes);
        return text;
    }
    /* 999.95 kB is already 1.0 MB */
    while (i < NN__COUNT(units) - 1 && bytes >= unit * 1000 - unit / 20) {
        unit *= 1000;
        i++;
    }
    uint64_t tenths = bytes / (unit / 10) + (bytes % (unit / 10) >= unit / 20 ? 1 : 0);
    unsigned whole = (unsigned)(tenths / 10);
    if (whole < 100) nn__format(text, size, "%u.%u %s", whole, (unsigned)(tenths % 10), units[i]);
    else nn__format(text, size, "%u %s", whole, units[i]);
    return text;
}

#undef NN__WRITER_WORDS
#undef NN__WRITER_DIGITS
#undef NN__WRITER_PRECISION
#undef NN__WRITER_TEXT
