/* text/parse_post.c - special tokens around texts: post-processors of tokenizer.json, and the usual
   ones. */
#include "text/private.h"

static void nn__text_place_at(nn__text_template *around, int32_t sequence, uint32_t id,
                              int32_t type) {
    nn__text_place *place = &around->places[around->count++];
    place->sequence = sequence;
    place->id = id;
    place->type = type;
    around->special += sequence < 0;
}

static bool nn__text_make_places(nn__text_call *call, nn_tokenizer *t, nn__text_template *around,
                                 uint64_t count) {
    around->places = (nn__text_place *)nn__text_take(call, t, (count + 1) * sizeof *around->places);
    around->count = around->special = 0;
    return around->places != NULL;
}

NN__TEXT_PRIVATE bool nn__text_plain(nn__text_call *call, nn_tokenizer *t) {
    if (!nn__text_make_places(call, t, &t->single, 1) ||
        !nn__text_make_places(call, t, &t->pair, 2))
        return false;
    nn__text_place_at(&t->single, 0, 0, 0);
    nn__text_place_at(&t->pair, 0, 0, 0);
    nn__text_place_at(&t->pair, 1, 0, 1);
    return true;
}

NN__TEXT_PRIVATE bool nn__text_surround(nn__text_call *call, nn_tokenizer *t, uint32_t cls,
                                        uint32_t sep, bool roberta) {
    if (!nn__text_make_places(call, t, &t->single, 3) ||
        !nn__text_make_places(call, t, &t->pair, 6))
        return false;
    nn__text_place_at(&t->single, -1, cls, 0);
    nn__text_place_at(&t->single, 0, 0, 0);
    nn__text_place_at(&t->single, -1, sep, 0);
    nn__text_place_at(&t->pair, -1, cls, 0);
    nn__text_place_at(&t->pair, 0, 0, 0);
    nn__text_place_at(&t->pair, -1, sep, 0);
    if (roberta) nn__text_place_at(&t->pair, -1, sep, 0);
    nn__text_place_at(&t->pair, 1, 0, !roberta);
    nn__text_place_at(&t->pair, -1, sep, !roberta);
    return true;
}

NN__TEXT_PRIVATE bool nn__text_begin_with(nn__text_call *call, nn_tokenizer *t, uint32_t bos) {
    if (!nn__text_make_places(call, t, &t->single, 2) ||
        !nn__text_make_places(call, t, &t->pair, 4))
        return false;
    nn__text_place_at(&t->single, -1, bos, 0);
    nn__text_place_at(&t->single, 0, 0, 0);
    nn__text_place_at(&t->pair, -1, bos, 0);
    nn__text_place_at(&t->pair, 0, 0, 0);
    nn__text_place_at(&t->pair, -1, bos, 1);
    nn__text_place_at(&t->pair, 1, 0, 1);
    return true;
}

/* ---- templates ------------------------------------------------------------------------------- */

/* Finds the list of ids of a special token, in "special_tokens" under its name. 0: none. */
static size_t nn__text_special_ids(nn__text_json *json, nn_tokenizer *t, size_t specials,
                                   size_t name) {
    char *word;
    size_t length, found = 0;
    if (!name || nn__json_type(json, name) != '"' || !specials ||
        nn__json_type(json, specials) != '{' ||
        !nn__text_grow(json->call, &t->word, (uint64_t)nn__json_span(json, name) + 1))
        return 0;
    word = (char *)t->word.data;
    length = nn__json_string(json, name, word);
    for (size_t key = nn__json_first(json, specials); key && !found;
         key = nn__json_after(json, key)) {
        if (!nn__text_grow(json->call, &t->decoded, (uint64_t)nn__json_span(json, key) + 1))
            return 0;
        if (nn__json_string(json, key, (char *)t->decoded.data) == length &&
            memcmp(t->decoded.data, word, length) == 0)
            found = nn__json_value(json, key);
    }
    if (!found || nn__json_type(json, found) != '{' || !nn__json_keys(json, found, "id ids tokens"))
        return 0;
    found = nn__json_find(json, found, "ids");
    return found && nn__json_type(json, found) == '[' ? found : 0;
}

/* Reads one piece: {"Sequence": {"id": "A", "type_id": 0}} or {"SpecialToken": {...}}. If
   around->places is NULL, only counts in around->count. */
static bool nn__text_parse_piece(nn__text_json *json, nn_tokenizer *t, size_t at, size_t specials,
                                 nn__text_template *around) {
    size_t inside, name, ids;
    int64_t type, id;
    bool sequence;
    if (nn__json_type(json, at) != '{' || !nn__json_keys(json, at, "Sequence SpecialToken") ||
        !nn__json_first(json, at))
        return nn__json_fail(json, at, "a piece of a template", "a Sequence or a SpecialToken");
    sequence = nn__json_find(json, at, "Sequence") > 0;
    inside = nn__json_value(json, nn__json_first(json, at));
    if (nn__json_type(json, inside) != '{' || !nn__json_keys(json, inside, "id type_id") ||
        !nn__json_integer(json, nn__json_find(json, inside, "type_id"), &type) || type < 0 ||
        type > INT32_MAX)
        return nn__json_fail(json, inside, "a piece of a template", "an id and a type_id");
    name = nn__json_find(json, inside, "id");
    if (sequence) {
        bool second = nn__json_is(json, name, "B");
        if (!second && !nn__json_is(json, name, "A"))
            return nn__json_fail(json, inside, "a Sequence of a template", "A or B");
        if (around->places)
            nn__text_place_at(around, second, 0, (int32_t)type);
        else
            around->count++;
        return true;
    }
    ids = nn__text_special_ids(json, t, specials, name);
    if (!ids)
        return nn__json_fail(json, inside, "a SpecialToken that special_tokens does not have",
                             NULL);
    for (ids = nn__json_first(json, ids); ids; ids = nn__json_next(json, ids)) {
        if (!nn__json_integer(json, ids, &id) || id < 0 ||
            !nn__text_by_id(&t->vocab, id < INT32_MAX ? (uint32_t)id : NN__TEXT_NONE))
            return nn__json_fail(json, ids, "an id of a special token", "one of the vocabulary");
        if (around->places)
            nn__text_place_at(around, -1, (uint32_t)id, (int32_t)type);
        else
            around->count++;
    }
    return true;
}

static bool nn__text_parse_template(nn__text_json *json, nn_tokenizer *t, size_t list,
                                    size_t specials, nn__text_template *around, bool pair) {
    bool has[2] = {false, false};
    if (!list || nn__json_type(json, list) != '[')
        return nn__json_fail(json, list, "TemplateProcessing", "lists \"single\" and \"pair\"");
    around->places = NULL;
    around->count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = nn__json_first(json, list); i; i = nn__json_next(json, i))
            if (!nn__text_parse_piece(json, t, i, specials, around)) return false;
        if (pass == 0 && !nn__text_make_places(json->call, t, around, around->count)) return false;
    }
    for (uint32_t i = 0; i < around->count; i++) {
        int32_t sequence = around->places[i].sequence;
        if (sequence < 0) continue;
        if (has[sequence] || (sequence == 1 && !pair))
            return nn__json_fail(json, list, "a template that has a text more than once", NULL);
        has[sequence] = true;
    }
    return (has[0] && has[1] == pair) ||
           nn__json_fail(json, list, "a template without one of its texts", "A, and B in \"pair\"");
}

/* Reads ["[CLS]", 101] */
static bool nn__text_parse_named(nn__text_json *json, nn_tokenizer *t, size_t at, const char *key,
                                 uint32_t *id) {
    size_t found = nn__json_find(json, at, key), second = 0;
    int64_t value = -1;
    if (found && nn__json_type(json, found) == '[') second = nn__json_first(json, found);
    if (second) second = nn__json_next(json, second);
    if (!nn__json_integer(json, second, &value) || value < 0 || value >= INT32_MAX ||
        !nn__text_by_id(&t->vocab, (uint32_t)value))
        return nn__json_fail(json, found ? found : at, key, "a token and its id");
    *id = (uint32_t)value;
    return true;
}

NN__TEXT_PRIVATE bool nn__text_parse_post(nn__text_json *json, nn_tokenizer *t, size_t at,
                                          int depth) {
    size_t type, list;
    uint32_t cls, sep;
    bool roberta;
    if (depth == 0 && !nn__text_plain(json->call, t)) return false;
    if (!at || nn__json_type(json, at) == 'n') return true;
    type = nn__json_type(json, at) == '{' ? nn__json_find(json, at, "type") : 0;
    if (nn__json_is(json, type, "Sequence")) {
        list = nn__json_find(json, at, "processors");
        if (!nn__json_keys(json, at, "type processors")) return false;
        if (!list || nn__json_type(json, list) != '[' || depth == 4)
            return nn__json_fail(json, at, "processors", "a list that is not nested too deep");
        for (size_t i = nn__json_first(json, list); i; i = nn__json_next(json, i))
            if (!nn__text_parse_post(json, t, i, depth + 1)) return false;
        return true;
    }
    if (nn__json_is(json, type, "ByteLevel")) {
        bool trims;
        if (!nn__json_keys(json, at, "type add_prefix_space trim_offsets use_regex") ||
            !nn__json_flag(json, at, "trim_offsets", true, &trims) ||
            !nn__json_flag(json, at, "add_prefix_space", true, &t->trims_prefix_space))
            return false;
        t->trims = t->trims || trims;
        return true;
    }
    if (nn__json_is(json, type, "TemplateProcessing")) {
        size_t specials = nn__json_find(json, at, "special_tokens");
        return nn__json_keys(json, at, "type single pair special_tokens") &&
               nn__text_parse_template(json, t, nn__json_find(json, at, "single"), specials,
                                       &t->single, false) &&
               nn__text_parse_template(json, t, nn__json_find(json, at, "pair"), specials, &t->pair,
                                       true);
    }
    roberta = nn__json_is(json, type, "RobertaProcessing");
    if (!roberta && !nn__json_is(json, type, "BertProcessing"))
        return nn__text_fail(json->call, NN_ERROR_UNSUPPORTED,
                             "%s: the post_processor %q is not supported", json->name,
                             type && nn__json_type(json, type) == '"' ? nn__json_span(json, type)
                                                                      : (size_t)0,
                             json->text + type + 1);
    if (!nn__json_keys(json, at,
                       roberta ? "type sep cls trim_offsets add_prefix_space" : "type sep cls") ||
        !nn__text_parse_named(json, t, at, "cls", &cls) ||
        !nn__text_parse_named(json, t, at, "sep", &sep))
        return false;
    if (roberta && (!nn__json_flag(json, at, "trim_offsets", true, &t->trims) ||
                    !nn__json_flag(json, at, "add_prefix_space", true, &t->trims_prefix_space)))
        return false;
    return nn__text_surround(json->call, t, cls, sep, roberta);
}
