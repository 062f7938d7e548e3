/* text/base.h - the basis of nn_text.h: memory and errors, Unicode properties, JSON. */
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
#define NN__TEXT_LONGEST (1 << 30) /* bytes of a text, at most */

/* ---- memory.c -------------------------------------------------------------------------------- */

/* Memory that grows and keeps its contents. */
typedef struct nn__text_buffer {
    void *data;
    size_t bytes;
} nn__text_buffer;

typedef struct nn__text_block nn__text_block;

/* The current call, for its errors. */
typedef struct nn__text_call {
    nn_context *nn;
    nn_site site;
    const char *name; /* "nn_encode" */
    nn_result code;   /* NN_OK, or the code of its first error */
    int32_t item;     /* index in a batch; -1: none */
} nn__text_call;

/* Makes room for `bytes` bytes. False: no memory. */
NN__TEXT_PRIVATE bool nn__text_grow(nn__text_call *call, nn__text_buffer *buffer, uint64_t bytes);
NN__TEXT_PRIVATE void nn__text_drop(nn_context *nn, nn__text_buffer *buffer);
/* Returns zeroed memory that lives as long as the tokenizer. NULL: no memory, with an error. */
NN__TEXT_PRIVATE void *nn__text_take(nn__text_call *call, nn_tokenizer *t, uint64_t bytes);
NN__TEXT_PRIVATE void nn__text_free_blocks(nn_tokenizer *t);
/* Records the first error of a call. Formats: %s a text; %q quoted, printable text (length,
   pointer); %d an int64_t; %x a code point. Returns false. */
NN__TEXT_PRIVATE bool nn__text_fail(nn__text_call *call, nn_result code, const char *format, ...);
NN__TEXT_PRIVATE nn__text_call nn__text_begin(nn_context *nn, nn_site site, const char *name);
NN__TEXT_PRIVATE uint64_t nn__text_hash(const char *text, size_t bytes);

/* ---- unicode.c, compose.c -------------------------------------------------------------------- */

/* Properties of a code point: the bits of tools/text_tables.py, in its order. */
#define NN__TEXT_LETTER    1u     /* \p{L} of regular expressions */
#define NN__TEXT_NUMBER    2u     /* \p{N} */
#define NN__TEXT_SPACE     4u     /* \s, and what char::is_whitespace has */
#define NN__TEXT_MARK      8u     /* \p{M} */
#define NN__TEXT_CONTROL   16u    /* removed by BERT's normalizer */
#define NN__TEXT_ACCENT    32u    /* stripped by BERT: Mn of an older Unicode */
#define NN__TEXT_COMBINING 64u    /* stripped by StripAccents */
#define NN__TEXT_PUNCT     128u   /* BERT's punctuation */
#define NN__TEXT_NUMERIC   256u   /* digits for Digits */
#define NN__TEXT_WORD      512u   /* \w of Whitespace and of added tokens */
#define NN__TEXT_UPPER     1024u  /* \p{Lu} */
#define NN__TEXT_TITLE     2048u  /* \p{Lt} */
#define NN__TEXT_LOWER     4096u  /* \p{Ll} */
#define NN__TEXT_MODIFIER  8192u  /* \p{Lm} */
#define NN__TEXT_SIGN      16384u /* \p{P} */
#define NN__TEXT_SYMBOL    32768u /* \p{S} */

/* The unpacked tables of a tokenizer. */
typedef struct nn__text_unicode {
    uint16_t *pages;    /* by code point / 256: index of its block of kinds */
    uint16_t *kinds;    /* blocks of 256 */
    uint16_t *lower_at; /* by code point / 256: the first entry of `lower` that may contain it */
    uint32_t (*lower)[2];
    uint32_t lower_count;
    /* For normal forms; NULL until one is needed. */
    uint8_t *combining; /* blocks of 256, numbered by combining_pages */
    uint8_t *combining_pages;
    uint16_t *part_at; /* by page: the first entry of `parts` */
    struct nn__text_part *parts;
    uint32_t part_count;
    uint32_t *part_values;
    uint32_t (*pairs)[3]; /* a hash: first, second, composed; 0: a free slot */
} nn__text_unicode;

typedef struct nn__text_part {
    uint32_t point;
    uint16_t first, count; /* range in part_values */
    uint8_t kind;          /* 0 canonical, 1 never composed, 2 compatible */
} nn__text_part;

/* Decodes the code point at `at` < bytes. *length: its bytes. For invalid UTF-8: U+FFFD, and the
   length of the longest valid beginning of a sequence. */
NN__TEXT_PRIVATE uint32_t nn__text_decode(const char *text, size_t bytes, size_t at,
                                          size_t *length);
/* Writes a code point as UTF-8. Returns its bytes, 1 to 4. */
NN__TEXT_PRIVATE size_t nn__text_put(char *to, uint32_t point);
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

/* Positions in the text are those of values or of keys. 0 means none, which is safe because all
   visited values are inside the outermost object. */
NN__TEXT_PRIVATE bool nn__json_check(nn__text_json *json); /* checks all of it against RFC 8259 */
/* '{' '[' '"' 't' 'f' 'n' or '0' */
NN__TEXT_PRIVATE char nn__json_type(const nn__text_json *json, size_t at);
NN__TEXT_PRIVATE size_t nn__json_first(const nn__text_json *json, size_t at);
NN__TEXT_PRIVATE size_t nn__json_next(const nn__text_json *json, size_t at); /* of an array */
NN__TEXT_PRIVATE size_t nn__json_value(const nn__text_json *json, size_t key);
NN__TEXT_PRIVATE size_t nn__json_after(const nn__text_json *json, size_t key); /* of an object */
/* Returns the value of a key in the object at `at`; 0: there is none. */
NN__TEXT_PRIVATE size_t nn__json_find(const nn__text_json *json, size_t at, const char *key);
NN__TEXT_PRIVATE bool nn__json_is(const nn__text_json *json, size_t at, const char *text);
/* Decodes the string at `at`, which never gets longer. Returns its bytes. */
NN__TEXT_PRIVATE size_t nn__json_string(const nn__text_json *json, size_t at, char *to);
/* Returns the bytes between the quotes of the string at `at`, with its escapes. */
NN__TEXT_PRIVATE size_t nn__json_span(const nn__text_json *json, size_t at);
NN__TEXT_PRIVATE bool nn__json_integer(const nn__text_json *json, size_t at, int64_t *value);
NN__TEXT_PRIVATE int64_t nn__json_line(const nn__text_json *json, size_t at); /* from 1 */
/* Records an error with the line of `at`. Returns false. */
NN__TEXT_PRIVATE bool nn__json_fail(const nn__text_json *json, size_t at, const char *what,
                                    const char *wanted);
/* Fails if the object has a key that is not in `keys` (separated by spaces), or one twice. */
NN__TEXT_PRIVATE bool nn__json_keys(const nn__text_json *json, size_t at, const char *keys);
