/* text/train.c - trains a byte-level BPE. Repeatedly, the most frequent pair of neighbours in the
   words becomes a token (of equally frequent ones the pair with lower ids), until the vocabulary is
   large enough. The merges equal those of Hugging Face's BpeTrainer. */
#include "text/private.h"

typedef struct nn__train nn__train;

/* A word that contains a pair, in a linked list that an entry of the heap owns. */
typedef struct nn__train_place {
    uint32_t word, next; /* `next` is an index + 1; 0: the last one */
} nn__train_place;

typedef struct nn__train_pair {
    uint32_t left, right;
    int64_t count;
    uint32_t fresh; /* places found since the last round, as index + 1 */
    bool used, listed;
} nn__train_pair;

typedef struct nn__train_entry {
    int64_t count;
    uint32_t pair, places;
} nn__train_entry;

typedef struct nn__train_word {
    uint32_t first, count; /* the word's symbols */
    uint32_t bytes;
    int64_t times;
    uint64_t hash;
} nn__train_word;

struct nn__train {
    nn__text_call *call;
    nn_tokenizer *t;
    nn__text_buffer words, slots, symbols; /* slots: a hash of words, as index + 1 */
    nn__text_buffer pairs, pair_slots, places, heap, listed, merges;
    uint32_t word_count, symbol_count, pair_count, place_count, heap_count, listed_count;
    uint32_t merge_count, slot_count, pair_slot_count;
};

/* Appends an element to a buffer. */
static void *nn__train_more(nn__train *train, nn__text_buffer *buffer, uint32_t *count,
                            size_t size) {
    if (*count == UINT32_MAX / 2 ||
        !nn__text_grow(train->call, buffer, ((uint64_t)*count + 1) * size))
        return NULL;
    return (char *)buffer->data + (size_t)(*count)++ * size;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool nn__train_rehash(nn__train *train) {
    const nn__train_word *words = (const nn__train_word *)train->words.data;
    uint32_t size = train->slot_count ? train->slot_count * 2 : 1024, *slots;
    if (!nn__text_grow(train->call, &train->slots, (uint64_t)size * sizeof *slots)) return false;
    slots = (uint32_t *)train->slots.data;
    memset(slots, 0, (size_t)size * sizeof *slots);
    for (uint32_t i = 0; i < train->word_count; i++) {
        uint32_t slot = (uint32_t)words[i].hash & (size - 1);
        while (slots[slot]) slot = (slot + 1) & (size - 1);
        slots[slot] = i + 1;
    }
    train->slot_count = size;
    return true;
}

/* Counts a word. Its symbols are bytes at this time, so that words can be compared. */
NN__TEXT_PRIVATE bool nn__train_count(nn__train *train, const char *text, size_t bytes) {
    uint64_t hash = nn__text_hash(text, bytes);
    nn__train_word *word;
    uint32_t slot, first;
    if (train->word_count * 2 >= train->slot_count && !nn__train_rehash(train)) return false;
    slot = (uint32_t)hash & (train->slot_count - 1);
    for (;; slot = (slot + 1) & (train->slot_count - 1)) {
        const uint32_t *symbols;
        uint32_t found = ((uint32_t *)train->slots.data)[slot];
        size_t same = 0;
        if (!found) break;
        word = (nn__train_word *)train->words.data + (found - 1);
        if (word->hash != hash || word->bytes != bytes) continue;
        symbols = (uint32_t *)train->symbols.data + word->first;
        while (same < bytes && symbols[same] == (unsigned char)text[same]) same++;
        if (same < bytes) continue;
        word->times++;
        return true;
    }
    first = train->symbol_count;
    if (bytes > UINT32_MAX / 4 - first ||
        !nn__text_grow(train->call, &train->symbols, ((uint64_t)first + bytes) * sizeof(uint32_t)))
        return nn__text_fail(train->call, NN_ERROR_MEMORY,
                             "the text has too many different words; give a smaller part of it");
    for (size_t i = 0; i < bytes; i++)
        ((uint32_t *)train->symbols.data)[first + i] = (unsigned char)text[i];
    word = (nn__train_word *)nn__train_more(train, &train->words, &train->word_count, sizeof *word);
    if (!word) return false;
    train->symbol_count += (uint32_t)bytes;
    word->first = first;
    word->count = word->bytes = (uint32_t)bytes;
    word->times = 1;
    word->hash = hash;
    ((uint32_t *)train->slots.data)[slot] = train->word_count;
    return true;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

static nn__train_pair *nn__train_pair_of(nn__train *train, uint32_t left, uint32_t right) {
    uint64_t hash = ((uint64_t)left << 32 | right) * 0x9e3779b97f4a7c15u;
    nn__train_pair *pairs, *pair;
    uint32_t slot, *slots;
    if (train->pair_count * 2 >= train->pair_slot_count) {
        uint32_t size = train->pair_slot_count ? train->pair_slot_count * 2 : 4096;
        if (!nn__text_grow(train->call, &train->pair_slots, (uint64_t)size * sizeof *slots))
            return NULL;
        slots = (uint32_t *)train->pair_slots.data;
        memset(slots, 0, (size_t)size * sizeof *slots);
        pairs = (nn__train_pair *)train->pairs.data;
        for (uint32_t i = 0; i < train->pair_count; i++) {
            uint64_t other = ((uint64_t)pairs[i].left << 32 | pairs[i].right) * 0x9e3779b97f4a7c15u;
            slot = (uint32_t)(other >> 32) & (size - 1);
            while (slots[slot]) slot = (slot + 1) & (size - 1);
            slots[slot] = i + 1;
        }
        train->pair_slot_count = size;
    }
    slots = (uint32_t *)train->pair_slots.data;
    pairs = (nn__train_pair *)train->pairs.data;
    slot = (uint32_t)(hash >> 32) & (train->pair_slot_count - 1);
    for (; slots[slot]; slot = (slot + 1) & (train->pair_slot_count - 1)) {
        pair = &pairs[slots[slot] - 1];
        if (pair->left == left && pair->right == right) return pair;
    }
    pair = (nn__train_pair *)nn__train_more(train, &train->pairs, &train->pair_count, sizeof *pair);
    if (!pair) return NULL;
    ((uint32_t *)train->pair_slots.data)[slot] = train->pair_count;
    memset(pair, 0, sizeof *pair);
    pair->left = left;
    pair->right = right;
    return pair;
}

/* Changes the count of a pair by `times`, because of a word. */
static bool nn__train_change(nn__train *train, uint32_t left, uint32_t right, uint32_t word,
                             int64_t times) {
    nn__train_pair *pair = nn__train_pair_of(train, left, right);
    nn__train_place *place;
    uint32_t *listed;
    if (!pair) return false;
    pair->count += times;
    if (times < 0) return true;
    if (pair->fresh && ((nn__train_place *)train->places.data)[pair->fresh - 1].word == word)
        return true;
    place = (nn__train_place *)nn__train_more(train, &train->places, &train->place_count,
                                              sizeof *place);
    if (!place) return false;
    place->word = word;
    place->next = pair->fresh;
    pair->fresh = train->place_count;
    if (pair->listed) return true;
    pair->listed = true;
    listed =
        (uint32_t *)nn__train_more(train, &train->listed, &train->listed_count, sizeof *listed);
    if (listed) *listed = (uint32_t)(pair - (nn__train_pair *)train->pairs.data);
    return listed != NULL;
}

/* ---- the heap -------------------------------------------------------------------------------- */

static bool nn__train_before(const nn__train *train, const nn__train_entry *a,
                             const nn__train_entry *b) {
    const nn__train_pair *pairs = (const nn__train_pair *)train->pairs.data;
    const nn__train_pair *x = &pairs[a->pair], *y = &pairs[b->pair];
    if (a->count != b->count) return a->count > b->count;
    return x->left != y->left ? x->left < y->left : x->right < y->right;
}

static bool nn__train_push(nn__train *train, nn__train_entry added) {
    nn__train_entry *heap;
    uint32_t i = train->heap_count;
    if (!nn__train_more(train, &train->heap, &train->heap_count, sizeof *heap)) return false;
    heap = (nn__train_entry *)train->heap.data;
    for (; i > 0 && nn__train_before(train, &added, &heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = added;
    return true;
}

static nn__train_entry nn__train_pop(nn__train *train) {
    nn__train_entry *heap = (nn__train_entry *)train->heap.data;
    nn__train_entry top = heap[0], last = heap[--train->heap_count];
    uint32_t i = 0, child;
    for (; (child = 2 * i + 1) < train->heap_count; i = child) {
        if (child + 1 < train->heap_count &&
            nn__train_before(train, &heap[child + 1], &heap[child]))
            child++;
        if (!nn__train_before(train, &heap[child], &last)) break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    return top;
}

/* Adds pairs found since the last round to the heap. */
static bool nn__train_enter(nn__train *train) {
    for (uint32_t i = 0; i < train->listed_count; i++) {
        uint32_t number = ((uint32_t *)train->listed.data)[i];
        nn__train_pair *pair = (nn__train_pair *)train->pairs.data + number;
        nn__train_entry added;
        added.count = pair->count;
        added.pair = number;
        added.places = pair->fresh;
        pair->fresh = 0;
        pair->listed = false;
        if (added.count > 0 && !nn__train_push(train, added)) return false;
    }
    train->listed_count = 0;
    return true;
}

/* ---- merging --------------------------------------------------------------------------------- */

/* Replaces each occurrence of the pair in one word by the token. */
static bool nn__train_merge_word(nn__train *train, uint32_t number, uint32_t left, uint32_t right,
                                 uint32_t id) {
    nn__train_word *word = (nn__train_word *)train->words.data + number;
    uint32_t *symbols = (uint32_t *)train->symbols.data + word->first;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < word->count; i++) {
        if (i + 1 >= word->count || symbols[i] != left || symbols[i + 1] != right) {
            symbols[kept++] = symbols[i];
            continue;
        }
        if (kept > 0 && (!nn__train_change(train, symbols[kept - 1], left, number, -word->times) ||
                         !nn__train_change(train, symbols[kept - 1], id, number, word->times)))
            return false;
        i++;
        if (i + 1 < word->count &&
            (!nn__train_change(train, right, symbols[i + 1], number, -word->times) ||
             !nn__train_change(train, id, symbols[i + 1], number, word->times)))
            return false;
        symbols[kept++] = id;
    }
    word->count = kept;
    return true;
}

/* Adds a token with the next id. There must be room. */
static nn__text_token *nn__train_name(nn_tokenizer *t, const char *text, size_t bytes) {
    nn__text_vocab *v = &t->vocab;
    nn__text_token *token = nn__text_add_token(t, text, bytes, v->count);
    if (token) v->by_id[v->size++] = v->count;
    return token;
}

/* Returns the token of a merged pair. A text that exists already keeps its id. */
static nn__text_token *nn__train_token(nn__train *train, const nn__train_pair *pair) {
    nn_tokenizer *t = train->t;
    const nn__text_token *left = nn__text_by_id(&t->vocab, pair->left);
    const nn__text_token *right = nn__text_by_id(&t->vocab, pair->right);
    uint64_t bytes = (uint64_t)left->bytes + right->bytes;
    char *text = (char *)nn__text_take(train->call, t, bytes + 1);
    nn__text_token *token;
    if (!text) return NULL;
    memcpy(text, left->text, left->bytes);
    memcpy(text + left->bytes, right->text, right->bytes);
    token = nn__text_find(t, text, (size_t)bytes);
    return token ? token : nn__train_name(t, text, (size_t)bytes);
}

static bool nn__train_merge(nn__train *train, nn__train_entry top) {
    nn__train_pair pair = ((nn__train_pair *)train->pairs.data)[top.pair];
    nn__text_token *token = nn__train_token(train, &pair);
    uint32_t(*merge)[3] =
        (uint32_t(*)[3])nn__train_more(train, &train->merges, &train->merge_count, sizeof *merge);
    if (!token || !merge) return false;
    (*merge)[0] = pair.left;
    (*merge)[1] = pair.right;
    (*merge)[2] = token->id;
    for (uint32_t place = top.places; place;) {
        nn__train_place at = ((nn__train_place *)train->places.data)[place - 1];
        if (!nn__train_merge_word(train, at.word, pair.left, pair.right, token->id)) return false;
        place = at.next;
    }
    return nn__train_enter(train);
}

static bool nn__train_run(nn__train *train, uint32_t vocab_size, int64_t least) {
    for (uint32_t i = 0; i < train->word_count; i++) {
        nn__train_word word = ((nn__train_word *)train->words.data)[i];
        for (uint32_t j = 0; j + 1 < word.count; j++) {
            const uint32_t *symbols = (uint32_t *)train->symbols.data + word.first + j;
            if (!nn__train_change(train, symbols[0], symbols[1], i, word.times)) return false;
        }
    }
    if (!nn__train_enter(train)) return false;
    while (train->t->vocab.count < vocab_size && train->heap_count > 0) {
        nn__train_entry top = nn__train_pop(train);
        int64_t count = ((nn__train_pair *)train->pairs.data)[top.pair].count;
        if (top.count != count) {
            top.count = count;
            if (!nn__train_push(train, top)) return false;
            continue;
        }
        if (count < 1 || count < least) break;
        if (!nn__train_merge(train, top)) return false;
    }
    return true;
}

/* ---- what users call ------------------------------------------------------------------------- */

/* Adds the special tokens, then a letter for each byte in the order of code points. */
static bool nn__train_alphabet(nn__text_call *call, nn_tokenizer *t, uint32_t vocab_size,
                               const nn_train_tokenizer_desc *desc) {
    uint32_t specials = 0;
    const uint64_t most = vocab_size;
    while (specials < NN_TRAIN_SPECIAL_TOKENS && desc->special_tokens[specials]) specials++;
    if (most < specials + 256)
        return nn__text_fail(
            call, NN_ERROR_ARGUMENT,
            "vocab_size is %d; the 256 bytes and %d special tokens need at least %d", (int64_t)most,
            (int64_t)specials, (int64_t)specials + 256);
    if (!nn__text_make_vocab(call, t, most) || !nn__text_make_bytes(call, t)) return false;
    t->vocab.by_id = (uint32_t *)nn__text_take(call, t, most * sizeof *t->vocab.by_id);
    t->plain.added =
        (nn__text_added *)nn__text_take(call, t, (specials + 1) * sizeof(nn__text_added));
    if (!t->vocab.by_id || !t->plain.added) return false;
    for (uint32_t i = 0; i < specials; i++) {
        const char *given = desc->special_tokens[i];
        size_t bytes = strlen(given);
        char *copy = (char *)nn__text_take(call, t, (uint64_t)bytes + 1);
        if (!copy) return false;
        memcpy(copy, given, bytes);
        if (bytes == 0 || !nn__text_is_utf8(given, bytes) || !nn__train_name(t, copy, bytes))
            return nn__text_fail(
                call, NN_ERROR_ARGUMENT,
                "special token %d is %q, which is empty, not UTF-8, or occurs twice", (int64_t)i,
                bytes, given);
        nn__text_make_special(t, copy);
    }
    for (uint32_t point = 0; point < 324; point++) {
        char *letter;
        size_t bytes;
        if (t->byte_of[point] < 0) continue;
        letter = (char *)nn__text_take(call, t, 3);
        if (!letter) return false;
        bytes = nn__text_put(letter, point);
        if (!nn__text_find(t, letter, bytes)) nn__train_name(t, letter, bytes);
    }
    return true;
}

static bool nn__train_all(nn__train *train, const char *text, size_t bytes,
                          const nn_train_tokenizer_desc *desc, uint32_t vocab_size) {
    nn_tokenizer *t = train->t;
    nn__text_sink sink;
    sink.call = train->call;
    sink.t = t;
    sink.results = &t->results;
    sink.count = 0;
    if (!nn__train_alphabet(train->call, t, vocab_size, desc) ||
        !nn__text_byte_level(train->call, t, desc->pattern))
        return false;
    t->model = NN__TEXT_LEARNS;
    t->train = train;
    t->plain.count = 0; /* special tokens in the text are ordinary text here */
    if (!nn__text_tokens(&sink, text, bytes)) return false;
    for (uint32_t i = 0; i < train->symbol_count; i++) {
        uint32_t *symbol = (uint32_t *)train->symbols.data + i;
        *symbol = t->bpe.bytes[*symbol];
    }
    if (!nn__train_run(train, vocab_size, desc->min_frequency)) return false;
    if (!nn__bpe_make_merges(train->call, t, train->merge_count)) return false;
    for (uint32_t i = 0; i < train->merge_count; i++) {
        const uint32_t *merge = (const uint32_t *)train->merges.data + 3 * i;
        nn__bpe_add_merge(t, merge[0], merge[1], merge[2]);
    }
    t->train = NULL;
    t->model = NN__TEXT_BPE;
    return nn__text_plant(train->call, t);
}

NN_API nn_tokenizer *nn_train_tokenizer_at(nn_site site, nn_context *nn, const char *text,
                                           size_t bytes, const nn_train_tokenizer_desc *desc) {
    nn_train_tokenizer_desc defaults;
    nn__text_call call;
    nn__train train;
    uint32_t vocab_size;
    if (!nn) return NULL;
    call = nn__text_begin(nn, site, "nn_train_tokenizer");
    memset(&defaults, 0, sizeof defaults);
    memset(&train, 0, sizeof train);
    if (!desc) desc = &defaults;
    vocab_size = desc->vocab_size ? (uint32_t)desc->vocab_size : 30000;
    if (!text || bytes == 0 || desc->vocab_size < 0 || vocab_size > (1u << 26) ||
        desc->min_frequency < 0 || (unsigned)desc->pattern > NN_PATTERN_GPT4O) {
        nn__text_fail(
            &call, NN_ERROR_ARGUMENT,
            "text has %d bytes%s, vocab_size is %d, min_frequency is %d and pattern is %d; wanted "
            "a text, a vocab_size of at most 2^26, a pattern of nn_pattern, and no negative number",
            (int64_t)bytes, text ? "" : " at NULL", (int64_t)desc->vocab_size,
            (int64_t)desc->min_frequency, (int64_t)desc->pattern);
        return NULL;
    }
    train.call = &call;
    train.t = nn__text_make(&call);
    if (!train.t) return NULL;
    nn__train_all(&train, text, bytes, desc, vocab_size);
    {
        nn__text_buffer *buffers[] = {&train.words,      &train.slots,  &train.symbols,
                                      &train.pairs,      &train.places, &train.heap,
                                      &train.pair_slots, &train.listed, &train.merges};
        for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
            nn__text_drop(nn, buffers[i]);
    }
    return nn__text_made(&call, train.t);
}
