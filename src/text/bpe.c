/* text/bpe.c - byte pair encoding. Of the neighbouring pairs in a word, always merges the one whose
   merge was learned first, until no pair has a merge. For short words it scans all pairs each time;
   for long words it keeps them in a heap, which takes n log n time. A cache holds recent words. */
#include "text/private.h"

enum {
    NN__BPE_SHORT = 32,      /* symbols of the longest word without a heap */
    NN__BPE_KNOWN = 8192,    /* slots of the cache */
    NN__BPE_KNOWN_WORD = 64, /* bytes of the longest cached word */
    NN__BPE_KNOWN_TEXT = 1 << 18,
    NN__BPE_KNOWN_PIECES = 1 << 16
};

/* ---- merges ---------------------------------------------------------------------------------- */

static uint32_t nn__bpe_slot(uint32_t left, uint32_t right) {
    uint64_t key = ((uint64_t)left << 32 | right) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(key >> 32) ^ (uint32_t)(key >> 52);
}

NN__TEXT_PRIVATE bool nn__bpe_make_merges(nn__text_call *call, nn_tokenizer *t, uint64_t count) {
    uint64_t slots = 16;
    while (slots < count * 2) slots *= 2;
    if (count > (1u << 26))
        return nn__text_fail(call, NN_ERROR_FORMAT,
                             "there are %d merges; at most 2^26 are supported", (int64_t)count);
    t->bpe.merges = (nn__text_merge *)nn__text_take(call, t, slots * sizeof *t->bpe.merges);
    if (!t->bpe.merges) return false;
    t->bpe.merge_mask = (uint32_t)(slots - 1);
    for (uint64_t i = 0; i < slots; i++) t->bpe.merges[i].id = NN__TEXT_NONE;
    return true;
}

static nn__text_merge *nn__bpe_find(const nn__text_bpe *bpe, uint32_t left, uint32_t right) {
    uint32_t slot = nn__bpe_slot(left, right) & bpe->merge_mask;
    nn__text_merge *merge = &bpe->merges[slot];
    while (merge->id != NN__TEXT_NONE && (merge->left != left || merge->right != right)) {
        slot = (slot + 1) & bpe->merge_mask;
        merge = &bpe->merges[slot];
    }
    return merge;
}

NN__TEXT_PRIVATE void nn__bpe_add_merge(nn_tokenizer *t, uint32_t left, uint32_t right,
                                        uint32_t id) {
    nn__text_merge *merge = nn__bpe_find(&t->bpe, left, right);
    merge->left = left;
    merge->right = right;
    merge->id = id;
    merge->rank = t->bpe.merge_count++; /* for a repeated pair the last rank counts */
}

NN__TEXT_PRIVATE bool nn__bpe_finish(nn__text_call *call, nn_tokenizer *t) {
    char letter[4];
    if (!t->bpe.merges && !nn__bpe_make_merges(call, t, 0)) return false;
    for (uint32_t i = 0; i < 256; i++) {
        size_t length = nn__text_put(letter, nn__text_byte_point(i));
        const nn__text_token *token = nn__text_find_model(t, letter, length);
        t->bpe.bytes[i] = token ? token->id : NN__TEXT_NONE;
    }
    return true;
}

/* ---- a word to its first symbols ------------------------------------------------------------- */

typedef struct nn__bpe_word {
    nn__text_call *call;
    nn_tokenizer *t;
    nn__text_symbol *symbols;
    int32_t count;
    uint32_t unknown_from, unknown_to; /* an unknown piece that may still grow, as neighbours can be
                                          fused */
} nn__bpe_word;

static void nn__bpe_symbol(nn__bpe_word *word, uint32_t id, uint32_t start, uint32_t end) {
    nn__text_symbol *symbol = &word->symbols[word->count];
    symbol->id = id;
    symbol->start = start;
    symbol->end = end;
    symbol->previous = word->count - 1;
    symbol->next = ++word->count;
}

static void nn__bpe_give_unknown(nn__bpe_word *word) {
    if (word->unknown_to > word->unknown_from)
        nn__bpe_symbol(word, word->t->bpe.unknown, word->unknown_from, word->unknown_to);
    word->unknown_from = word->unknown_to = 0;
}

static void nn__bpe_unknown(nn__bpe_word *word, uint32_t start, uint32_t end) {
    const nn__text_bpe *bpe = &word->t->bpe;
    if (bpe->unknown == NN__TEXT_NONE) return;
    if (!bpe->fuse_unknown || word->unknown_to == word->unknown_from) {
        nn__bpe_give_unknown(word);
        word->unknown_from = start;
        word->unknown_to = end;
    } else
        word->unknown_to += end - start;
}

/* Adds these bytes as the tokens <0x00> to <0xFF>. False: some of the tokens do not exist. one: the
   bytes spell the letter for a single byte of the word, so all tokens have its position. */
static bool nn__bpe_fall_back(nn__bpe_word *word, const char *text, uint32_t bytes,
                              uint32_t start, bool one) {
    char spelled[] = "<0x00>";
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < bytes; i++) {
            const nn__text_token *token;
            spelled[3] = "0123456789ABCDEF"[(unsigned char)text[i] >> 4];
            spelled[4] = "0123456789ABCDEF"[(unsigned char)text[i] & 15];
            token = nn__text_find_model(word->t, spelled, 6);
            if (!token) return false;
            const uint32_t at = one ? start : start + i;
            if (pass) nn__bpe_symbol(word, token->id, at, at + 1);
        }
    return true;
}

/* Splits a word into characters. All but the first get the model's prefix, and the last gets its
   suffix. */
static bool nn__bpe_characters(nn__bpe_word *word, const char *text, size_t bytes) {
    nn__text_bpe *bpe = &word->t->bpe;
    size_t at = 0, length;
    for (; at < bytes; at += length) {
        const char *letter = text + at;
        const nn__text_token *token;
        size_t spelled;
        nn__text_decode(text, bytes, at, &length);
        spelled = length;
        if ((at > 0 && bpe->prefix_bytes) || (at + length == bytes && bpe->suffix_bytes)) {
            char *to;
            if (!nn__text_grow(word->call, &bpe->spelled,
                               (uint64_t)bpe->prefix_bytes + bpe->suffix_bytes + 4))
                return false;
            to = (char *)bpe->spelled.data;
            spelled = 0;
            if (at > 0 && bpe->prefix_bytes) {
                memcpy(to, bpe->prefix, bpe->prefix_bytes);
                spelled = bpe->prefix_bytes;
            }
            memcpy(to + spelled, letter, length);
            spelled += length;
            if (at + length == bytes && bpe->suffix_bytes) {
                memcpy(to + spelled, bpe->suffix, bpe->suffix_bytes);
                spelled += bpe->suffix_bytes;
            }
            letter = to;
        }
        token = nn__text_find_model(word->t, letter, spelled);
        if (token) {
            nn__bpe_give_unknown(word);
            nn__bpe_symbol(word, token->id, (uint32_t)at, (uint32_t)(at + length));
        } else if (!bpe->byte_fallback ||
                   !nn__bpe_fall_back(word, text + at, (uint32_t)length, (uint32_t)at, false))
            nn__bpe_unknown(word, (uint32_t)at, (uint32_t)(at + length));
    }
    return true;
}

static bool nn__bpe_begin(nn__bpe_word *word, const char *text, size_t bytes) {
    nn__text_bpe *bpe = &word->t->bpe;
    /* the letter for a byte has up to two bytes, each of which may become a symbol */
    const uint64_t each = bpe->byte_level && bpe->byte_fallback ? 2 : 1;
    const uint64_t symbols = each * bytes + 1;
    if (!nn__text_grow(word->call, &bpe->symbols, symbols * sizeof *word->symbols)) return false;
    word->symbols = (nn__text_symbol *)bpe->symbols.data;
    word->count = 0;
    word->unknown_from = word->unknown_to = 0;
    if (!bpe->byte_level) {
        if (!nn__bpe_characters(word, text, bytes)) return false;
    } else {
        for (size_t i = 0; i < bytes; i++) {
            uint32_t id = bpe->bytes[(unsigned char)text[i]];
            if (id == NN__TEXT_NONE) {
                char letter[4];
                const size_t length =
                    nn__text_put(letter, nn__text_byte_point((unsigned char)text[i]));
                if (!bpe->byte_fallback ||
                    !nn__bpe_fall_back(word, letter, (uint32_t)length, (uint32_t)i, true))
                    nn__bpe_unknown(word, (uint32_t)i, (uint32_t)i + 1);
            } else {
                nn__bpe_give_unknown(word);
                nn__bpe_symbol(word, id, (uint32_t)i, (uint32_t)i + 1);
            }
        }
    }
    nn__bpe_give_unknown(word);
    return true;
}

/* ---- merging --------------------------------------------------------------------------------- */

static void nn__bpe_merge_short(const nn__text_bpe *bpe, nn__text_symbol *symbols, int32_t *count) {
    const nn__text_merge *merges[NN__BPE_SHORT];
    int32_t n = *count;
    for (int32_t i = 0; i + 1 < n; i++)
        merges[i] = nn__bpe_find(bpe, symbols[i].id, symbols[i + 1].id);
    for (;;) {
        int32_t best = -1;
        for (int32_t i = 0; i + 1 < n; i++)
            if (merges[i]->id != NN__TEXT_NONE &&
                (best < 0 || merges[i]->rank < merges[best]->rank))
                best = i;
        if (best < 0) break;
        symbols[best].id = merges[best]->id;
        symbols[best].end = symbols[best + 1].end;
        n--;
        for (int32_t i = best + 1; i < n; i++) {
            symbols[i] = symbols[i + 1];
            merges[i - 1] = i < n ? merges[i] : merges[i - 1];
        }
        if (best > 0) merges[best - 1] = nn__bpe_find(bpe, symbols[best - 1].id, symbols[best].id);
        if (best + 1 < n) merges[best] = nn__bpe_find(bpe, symbols[best].id, symbols[best + 1].id);
    }
    *count = n;
}

typedef struct nn__bpe_heap {
    nn__text_candidate *at;
    size_t count;
} nn__bpe_heap;

static bool nn__bpe_before(const nn__text_candidate *a, const nn__text_candidate *b) {
    return a->rank != b->rank ? a->rank < b->rank : a->at < b->at;
}

/* Adds a symbol and its successor to the heap, if they have a merge. There is room for the n first
   pairs and two per merge. */
static void nn__bpe_offer(const nn__text_bpe *bpe, nn__bpe_heap *heap,
                          const nn__text_symbol *symbols, int32_t at, int32_t end) {
    const nn__text_merge *merge;
    nn__text_candidate added;
    size_t i;
    if (at < 0 || symbols[at].next >= end) return;
    merge = nn__bpe_find(bpe, symbols[at].id, symbols[symbols[at].next].id);
    if (merge->id == NN__TEXT_NONE) return;
    added.rank = merge->rank;
    added.merge = merge;
    added.at = at;
    for (i = heap->count++; i > 0 && nn__bpe_before(&added, &heap->at[(i - 1) / 2]);
         i = (i - 1) / 2)
        heap->at[i] = heap->at[(i - 1) / 2];
    heap->at[i] = added;
}

static nn__text_candidate nn__bpe_take(nn__bpe_heap *heap) {
    nn__text_candidate top = heap->at[0], last = heap->at[--heap->count];
    size_t i = 0, child;
    for (; (child = 2 * i + 1) < heap->count; i = child) {
        if (child + 1 < heap->count && nn__bpe_before(&heap->at[child + 1], &heap->at[child]))
            child++;
        if (!nn__bpe_before(&heap->at[child], &last)) break;
        heap->at[i] = heap->at[child];
    }
    heap->at[i] = last;
    return top;
}

static bool nn__bpe_merge_long(nn__bpe_word *word) {
    nn__text_bpe *bpe = &word->t->bpe;
    nn__text_symbol *symbols = word->symbols;
    int32_t end = word->count, kept = 0;
    nn__bpe_heap heap;
    if (!nn__text_grow(word->call, &bpe->heap, (uint64_t)end * 3 * sizeof *heap.at)) return false;
    heap.at = (nn__text_candidate *)bpe->heap.data;
    heap.count = 0;
    for (int32_t i = 0; i < end; i++) nn__bpe_offer(bpe, &heap, symbols, i, end);
    while (heap.count > 0) {
        nn__text_candidate top = nn__bpe_take(&heap);
        nn__text_symbol *left = &symbols[top.at], *right;
        if (left->end == 0 || left->next >= end) continue; /* 0: merged into the symbol before */
        right = &symbols[left->next];
        if (left->id != top.merge->left || right->id != top.merge->right) continue;
        left->id = top.merge->id;
        left->end = right->end;
        right->end = 0;
        left->next = right->next;
        if (left->next < end) symbols[left->next].previous = top.at;
        nn__bpe_offer(bpe, &heap, symbols, left->previous, end);
        nn__bpe_offer(bpe, &heap, symbols, top.at, end);
    }
    for (int32_t i = 0; i < end; i = symbols[i].next) {
        int32_t next = symbols[i].next;
        symbols[kept] = symbols[i];
        symbols[i].next = next;
        kept++;
    }
    word->count = kept;
    return true;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* Returns the token for the whole word, if the vocabulary has it. */
static const nn__text_token *nn__bpe_whole(nn__bpe_word *word, const char *text, size_t bytes) {
    nn__text_bpe *bpe = &word->t->bpe;
    size_t length = 0;
    char *to;
    if (!bpe->byte_level) return nn__text_find_model(word->t, text, bytes);
    if (bytes > 1024 || !nn__text_grow(word->call, &bpe->spelled, (uint64_t)bytes * 2)) return NULL;
    to = (char *)bpe->spelled.data;
    for (size_t i = 0; i < bytes; i++)
        length += nn__text_put(to + length, nn__text_byte_point((unsigned char)text[i]));
    return nn__text_find_model(word->t, to, length);
}

static bool nn__bpe_word_of(nn__bpe_word *word, const char *text, size_t bytes) {
    const nn__text_token *whole;
    if (word->t->model == NN__TEXT_UNIGRAM)
        return nn__unigram_word(word->call, word->t, text, bytes, &word->symbols, &word->count);
    whole = word->t->bpe.ignore_merges ? nn__bpe_whole(word, text, bytes) : NULL;
    if (whole) {
        if (!nn__text_grow(word->call, &word->t->bpe.symbols, sizeof *word->symbols)) return false;
        word->symbols = (nn__text_symbol *)word->t->bpe.symbols.data;
        word->count = 0;
        nn__bpe_symbol(word, whole->id, 0, (uint32_t)bytes);
        return true;
    }
    if (!nn__bpe_begin(word, text, bytes)) return false;
    if (word->count > NN__BPE_SHORT) return nn__bpe_merge_long(word);
    nn__bpe_merge_short(&word->t->bpe, word->symbols, &word->count);
    return true;
}

/* Returns the word's slot in the cache. NULL: no memory. */
static nn__text_known *nn__bpe_known(nn__text_call *call, nn_tokenizer *t, uint64_t hash) {
    nn__text_bpe *bpe = &t->bpe;
    if (!bpe->known) {
        bpe->known_text = (char *)nn__text_take(call, t, NN__BPE_KNOWN_TEXT);
        bpe->known_pieces = (nn__text_piece *)nn__text_take(
            call, t, NN__BPE_KNOWN_PIECES * sizeof *bpe->known_pieces);
        if (!bpe->known_text || !bpe->known_pieces) return NULL;
        bpe->known = (nn__text_known *)nn__text_take(call, t, NN__BPE_KNOWN * sizeof *bpe->known);
        if (!bpe->known) return NULL;
    }
    return &bpe->known[hash & (NN__BPE_KNOWN - 1)];
}

/* Adds a word to the cache. If the room for texts or pieces is used up, the cache is emptied. */
static void nn__bpe_remember(const nn__bpe_word *word, uint64_t hash, nn__text_known *known,
                             const char *text, size_t bytes) {
    nn__text_bpe *bpe = &word->t->bpe;
    if (bpe->known_text_count + bytes > NN__BPE_KNOWN_TEXT ||
        bpe->known_piece_count + (uint32_t)word->count > NN__BPE_KNOWN_PIECES) {
        memset(bpe->known, 0, NN__BPE_KNOWN * sizeof *bpe->known);
        bpe->known_text_count = bpe->known_piece_count = 0;
    }
    known->hash = hash;
    known->text = bpe->known_text_count;
    known->bytes = (uint32_t)bytes;
    known->first = bpe->known_piece_count;
    known->count = (uint32_t)word->count;
    memcpy(bpe->known_text + known->text, text, bytes);
    for (int32_t i = 0; i < word->count; i++) {
        nn__text_piece *piece = &bpe->known_pieces[known->first + (uint32_t)i];
        piece->id = word->symbols[i].id;
        piece->start = word->symbols[i].start;
        piece->end = word->symbols[i].end;
    }
    bpe->known_text_count += (uint32_t)bytes;
    bpe->known_piece_count += known->count;
}

NN__TEXT_PRIVATE bool nn__bpe_encode(nn__text_sink *sink, const nn__text_string *s, size_t from,
                                     size_t to) {
    const char *text = s->text + from;
    size_t bytes = to - from;
    nn__text_bpe *bpe = &sink->t->bpe;
    nn__text_known *known = NULL;
    nn__bpe_word word;
    uint64_t hash = 0;
    if (bytes <= NN__BPE_KNOWN_WORD) {
        hash = nn__text_hash(text, bytes);
        known = nn__bpe_known(sink->call, sink->t, hash);
        if (!known) return false;
        if (known->hash == hash && known->bytes == bytes &&
            memcmp(bpe->known_text + known->text, text, bytes) == 0) {
            const nn__text_piece *piece = bpe->known_pieces + known->first;
            for (uint32_t i = 0; i < known->count; i++, piece++)
                if (!nn__text_push(sink, s, piece->id, from + piece->start, from + piece->end))
                    return false;
            return true;
        }
    }
    word.call = sink->call;
    word.t = sink->t;
    if (!nn__bpe_word_of(&word, text, bytes)) return false;
    if (known) nn__bpe_remember(&word, hash, known, text, bytes);
    for (int32_t i = 0; i < word.count; i++)
        if (!nn__text_push(sink, s, word.symbols[i].id, from + word.symbols[i].start,
                           from + word.symbols[i].end))
            return false;
    return true;
}
