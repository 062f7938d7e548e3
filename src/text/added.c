/* text/added.c - added tokens, which are found as a whole in a text, whatever the model would make
   of them. The first position wins, and at one position the longest token. */
#include "text/private.h"

NN__TEXT_PRIVATE bool nn__text_make_tree(nn__text_call *call, nn_tokenizer *t,
                                         nn__text_tree *tree) {
    uint64_t most = 1;
    for (uint32_t i = 0; i < tree->added_count; i++) most += tree->added[i].bytes;
    tree->nodes = (nn__text_node *)nn__text_take(call, t, most * sizeof *tree->nodes);
    if (!tree->nodes) return false;
    tree->count = 1; /* the root */
    for (uint32_t i = 0; i < tree->added_count; i++) {
        const nn__text_added *added = &tree->added[i];
        uint32_t at = 0;
        if (added->bytes == 0) continue;
        tree->begins[(unsigned char)added->text[0]] = true;
        for (uint32_t j = 0; j < added->bytes; j++) {
            uint8_t byte = (uint8_t)added->text[j];
            uint32_t child = tree->nodes[at].child;
            while (child && tree->nodes[child].byte != byte) child = tree->nodes[child].sibling;
            if (!child) {
                child = tree->count++;
                tree->nodes[child].byte = byte;
                tree->nodes[child].sibling = tree->nodes[at].child;
                tree->nodes[at].child = child;
            }
            at = child;
        }
        if (!tree->nodes[at].added) tree->nodes[at].added = i + 1;
    }
    return true;
}

/* Returns the longest token at `at`; NULL: none. */
static const nn__text_added *nn__text_added_at(const nn__text_tree *tree, const char *text,
                                               size_t bytes, size_t at) {
    const nn__text_added *found = NULL;
    uint32_t node = 0;
    for (; at < bytes; at++) {
        node = tree->nodes[node].child;
        while (node && tree->nodes[node].byte != (uint8_t)text[at])
            node = tree->nodes[node].sibling;
        if (!node) break;
        if (tree->nodes[node].added) found = &tree->added[tree->nodes[node].added - 1];
    }
    return found;
}

/* Returns the kind of the character before `at` (at > 0), and where it begins. */
static uint32_t nn__text_kind_before(const nn_tokenizer *t, const char *text, size_t at,
                                     size_t *begin) {
    size_t length;
    *begin = at - 1;
    while (*begin > 0 && ((unsigned char)text[*begin] & 0xc0) == 0x80) --*begin;
    return nn__text_kind(t->unicode, nn__text_decode(text, at, *begin, &length));
}

static uint32_t nn__text_kind_at(const nn_tokenizer *t, const char *text, size_t bytes, size_t at,
                                 size_t *length) {
    return nn__text_kind(t->unicode, nn__text_decode(text, bytes, at, length));
}

NN__TEXT_PRIVATE const nn__text_added *nn__text_next_added(const nn_tokenizer *t,
                                                           const nn__text_tree *tree,
                                                           const nn__text_string *s, size_t from,
                                                           size_t *start, size_t *end) {
    const char *text = s->text;
    size_t at = from, other;
    while (at < s->bytes) {
        const nn__text_added *found = NULL;
        if (tree->begins[(unsigned char)text[at]])
            found = nn__text_added_at(tree, text, s->bytes, at);
        if (!found) {
            at++;
            continue;
        }
        *start = at;
        *end = at = at + found->bytes;
        if (found->single_word &&
            ((*start > 0 && (nn__text_kind_before(t, text, *start, &other) & NN__TEXT_WORD)) ||
             (at < s->bytes && (nn__text_kind_at(t, text, s->bytes, at, &other) & NN__TEXT_WORD))))
            continue;
        while (found->left_strip && *start > from &&
               (nn__text_kind_before(t, text, *start, &other) & NN__TEXT_SPACE))
            *start = other;
        while (found->right_strip && *end < s->bytes &&
               (nn__text_kind_at(t, text, s->bytes, *end, &other) & NN__TEXT_SPACE))
            *end += other;
        return found;
    }
    return NULL;
}
