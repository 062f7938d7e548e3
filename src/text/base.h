/* text/base.h - what all parts of nn_text.h stand on: memory and errors, what Unicode says of a
   character, JSON. */
#pragma once

#include "text/text.h"

#include <stdarg.h>
#include <string.h>

/* As in nn.h: static in the drop-in. */
#if defined(__GNUC__) || defined(__TINYC__)
#define NN__TEXT_UNUSED __attribute__((unused))
#else
#define NN__TEXT_UNUSED
#endif
#ifdef NN_PRIVATE
#define NN__TEXT_PRIVATE NN_PRIVATE
#elif defined(NN_TEXT_IMPLEMENTATION)
#define NN__TEXT_PRIVATE static NN__TEXT_UNUSED
#elif defined(__GNUC__) && !defined(_WIN32)
#define NN__TEXT_PRIVATE extern __attribute__((visibility("hidden")))
#else
#define NN__TEXT_PRIVATE extern
#endif

#define NN__TEXT_NONE    0xffffffffu
#define NN__TEXT_LONGEST (1 << 30) /* bytes of a text */

/* ---- memory.c -------------------------------------------------------------------------------- */

/* Memory that grows and keeps its contents. */
typedef struct nn__text_buffer {
    void *data;
    size_t bytes;
} nn__text_buffer;

typedef struct nn__text_block nn__text_block;

/* Where a call stands, for its errors. */
typedef struct nn__text_call {
    nn_context *nn;
    nn_site site;
    const char *name; /* "nn_encode" */
    nn_result code;   /* NN_OK, or that of its first error */
    int32_t item;     /* of a batch; -1: none */
} nn__text_call;

/* True: there is room for so many bytes. */
NN__TEXT_PRIVATE bool nn__text_grow(nn__text_call *call, nn__text_buffer *buffer, uint64_t bytes);
NN__TEXT_PRIVATE void nn__text_drop(nn_context *nn, nn__text_buffer *buffer);
/* Zeroed, until the tokenizer is freed. NULL: no memory, recorded. */
NN__TEXT_PRIVATE void *nn__text_take(nn__text_call *call, nn_tokenizer *t, uint64_t bytes);
NN__TEXT_PRIVATE void nn__text_free_blocks(nn_tokenizer *t);
/* Records one error for a call. %s: a text; %q: a text as far as it can be shown (length, pointer);
   %d: an int64_t; %x: a code point. Always false. */
NN__TEXT_PRIVATE bool nn__text_fail(nn__text_call *call, nn_result code, const char *format, ...);
NN__TEXT_PRIVATE nn__text_call nn__text_begin(nn_context *nn, nn_site site, const char *name);
NN__TEXT_PRIVATE uint64_t nn__text_hash(const char *text, size_t bytes);

/* ---- unicode.c, compose.c -------------------------------------------------------------------- */

/* What a code point is. The bits of tools/text_tables.py, in its order. */
#define NN__TEXT_LETTER    1u     /* \p{L} of regular expressions */
#define NN__TEXT_NUMBER    2u     /* \p{N} */
#define NN__TEXT_SPACE     4u     /* \s, and what char::is_whitespace has */
#define NN__TEXT_MARK      8u     /* \p{M} */
#define NN__TEXT_CONTROL   16u    /* what BERT's normaliser removes */
#define NN__TEXT_ACCENT    32u    /* what it strips: Mn of an older Unicode */
#define NN__TEXT_COMBINING 64u    /* what StripAccents strips */
#define NN__TEXT_PUNCT     128u   /* BERT's punctuation */
#define NN__TEXT_NUMERIC   256u   /* what Digits takes for a digit */
#define NN__TEXT_WORD      512u   /* \w of Whitespace and of added tokens */
#define NN__TEXT_UPPER     1024u  /* \p{Lu} */
#define NN__TEXT_TITLE     2048u  /* \p{Lt} */
#define NN__TEXT_LOWER     4096u  /* \p{Ll} */
#define NN__TEXT_MODIFIER  8192u  /* \p{Lm} */
#define NN__TEXT_SIGN      16384u /* \p{P} */
#define NN__TEXT_SYMBOL    32768u /* \p{S} */

/* The tables, read once for each tokenizer that needs them. */
typedef struct nn__text_unicode {
    uint16_t *pages;    /* of a code point / 256: the number of its block of kinds */
    uint16_t *kinds;    /* blocks of 256 */
    uint16_t *lower_at; /* 0x110001 / 256 + 1: the first of `lower` that may hold it */
    uint32_t (*lower)[2];
    uint32_t lower_count;
    /* For normal forms; NULL until one is needed. */
    uint8_t *combining; /* blocks of 256, numbered by combining_pages */
    uint8_t *combining_pages;
    uint16_t *part_at; /* by page: the first of `parts` */
    struct nn__text_part *parts;
    uint32_t part_count;
    uint32_t *part_values;
    uint32_t (*pairs)[3]; /* a hash: first, second, composed; 0: free */
} nn__text_unicode;

typedef struct nn__text_part {
    uint32_t point;
    uint16_t first, count; /* of part_values */
    uint8_t kind;          /* 0 canonical, 1 never composed, 2 compatible */
} nn__text_part;

/* The code point at `at`, and *length its bytes; of what is no UTF-8: U+FFFD and the bytes of the
   longest piece of a broken sequence. at < bytes. */
NN__TEXT_PRIVATE uint32_t nn__text_decode(const char *text, size_t bytes, size_t at,
                                          size_t *length);
NN__TEXT_PRIVATE size_t nn__text_put(char *to, uint32_t point); /* its bytes, 1 to 4 */
NN__TEXT_PRIVATE bool nn__text_is_utf8(const char *text, size_t bytes);
NN__TEXT_PRIVATE bool nn__text_load_unicode(nn__text_call *call, nn_tokenizer *t);
NN__TEXT_PRIVATE bool nn__text_load_forms(nn__text_call *call, nn_tokenizer *t);
NN__TEXT_PRIVATE uint32_t nn__text_lower(const nn__text_unicode *u, uint32_t point);
static inline uint32_t nn__text_kind(const nn__text_unicode *u, uint32_t point) {
    return u->kinds[(uint32_t)u->pages[point >> 8] * 256u + (point & 255u)];
}
/* ---- json.c: a text that was checked once and is then walked through ------------------------- */

typedef struct nn__text_json {
    nn__text_call *call;
    const char *name; /* of the file */
    const char *text;
    size_t size;
} nn__text_json;

/* Places in the text are those of values, or of the key of a member; 0 is none: what is walked
   through is in the outermost object. */
NN__TEXT_PRIVATE bool nn__json_check(nn__text_json *json); /* all of it, by RFC 8259 */
/* '{' '[' '"' 't' 'f' 'n' or '0' */
NN__TEXT_PRIVATE char nn__json_type(const nn__text_json *json, size_t at);
NN__TEXT_PRIVATE size_t nn__json_first(const nn__text_json *json, size_t at);
NN__TEXT_PRIVATE size_t nn__json_next(const nn__text_json *json, size_t at); /* of an array */
NN__TEXT_PRIVATE size_t nn__json_value(const nn__text_json *json, size_t key);
NN__TEXT_PRIVATE size_t nn__json_after(const nn__text_json *json, size_t key); /* of an object */
/* The value of a key of the object at `at`; 0: there is none. */
NN__TEXT_PRIVATE size_t nn__json_find(const nn__text_json *json, size_t at, const char *key);
NN__TEXT_PRIVATE bool nn__json_is(const nn__text_json *json, size_t at, const char *text);
/* The string at `at` without its escapes; it never becomes longer. Returns its bytes. */
NN__TEXT_PRIVATE size_t nn__json_string(const nn__text_json *json, size_t at, char *to);
NN__TEXT_PRIVATE size_t nn__json_span(const nn__text_json *json, size_t at); /* bytes as written */
NN__TEXT_PRIVATE bool nn__json_integer(const nn__text_json *json, size_t at, int64_t *value);
NN__TEXT_PRIVATE int64_t nn__json_line(const nn__text_json *json, size_t at); /* from 1 on */
/* Records an error with the line of `at`; the format's arguments come behind. Always false. */
NN__TEXT_PRIVATE bool nn__json_fail(const nn__text_json *json, size_t at, const char *what,
                                    const char *wanted);
/* False, and an error: the object has a key that is not in `keys`, words with blanks between, or
   one twice. */
NN__TEXT_PRIVATE bool nn__json_keys(const nn__text_json *json, size_t at, const char *keys);
