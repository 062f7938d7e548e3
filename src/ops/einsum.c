/* ops/einsum.c - reads and checks the text before any node exists, then joins the inputs one
   after the other. The letters of an input, or of the inputs joined so far, are a string. */
#include "ops/einsum.h"
#include "ops/private.h"
#include "ops/table.h"

enum {
    NN__EINSUM_INPUTS = 8,
    NN__EINSUM_LETTERS = 2 * NN_MAX_RANK + 1,
    NN__EINSUM_DIAGONAL = 46340
}; /* its square still fits into an extent */

typedef struct nn__op_einsum {
    const char *text;
    /* given: a letter for each axis of each input. Axes of "..." are digits, counted from the
       last one; axes of 1 that are broadcast are spaces. letters: the same without spaces, after
       a letter that occurs twice has become one axis, the diagonal. */
    char given[NN__EINSUM_INPUTS][NN__EINSUM_LETTERS];
    char letters[NN__EINSUM_INPUTS][NN__EINSUM_LETTERS], y[NN__EINSUM_LETTERS];
    int dots;            /* the number of axes of the longest "..." */
    int32_t extent[128]; /* of each letter */
} nn__op_einsum;

/* The letters of a pair: batch are in both and kept, summed are in both, rows and columns are in
   one of them. */
typedef struct nn__op_einsum_pair {
    char batch[NN__EINSUM_LETTERS], summed[NN__EINSUM_LETTERS], rows[NN__EINSUM_LETTERS],
        columns[NN__EINSUM_LETTERS];
} nn__op_einsum_pair;

static void nn__einsum_append(char *letters, char letter) {
    const size_t n = strlen(letters);
    if (n + 1 >= NN__EINSUM_LETTERS) return;
    letters[n] = letter;
    letters[n + 1] = 0;
}

static bool nn__einsum_has(const char *letters, char letter) {
    return strchr(letters, letter) != NULL;
}

/* True if the letter is in the result or in an input from `next` on. */
static bool nn__einsum_is_needed(const nn__op_einsum *p, char letter, int next) {
    bool kept = nn__einsum_has(p->y, letter);
    for (int i = next; i < NN__EINSUM_INPUTS; i++)
        kept = kept || nn__einsum_has(p->letters[i], letter);
    return kept;
}

static bool nn__einsum_fault(nn__problem *problem, const char *fix, const char *text, char letter,
                             const char *words) {
    return nn__problem_set(problem, NN_ERROR_ARGUMENT, fix, NN__TEXT("\"%s\": %c %s"), text, letter,
                           words);
}

/* ---- the text -------------------------------------------------------------------------------- */

/* Finds a letter that occurs twice, and its places. */
static bool nn__einsum_twice(const char *letters, int *first, int *second) {
    for (int i = 0; letters[i]; i++) {
        const char *other = strchr(letters + i + 1, letters[i]);
        if (!other) continue;
        *first = i, *second = (int)(other - letters);
        return true;
    }
    return false;
}

/* Removes both letters and appends one, which stands for the diagonal. */
static void nn__einsum_take_diagonal(char *letters, int first, int second) {
    const char letter = letters[first];
    const size_t length = strlen(letters);
    memmove(letters + second, letters + second + 1, length - (size_t)second);
    memmove(letters + first, letters + first + 1, length - 1 - (size_t)first);
    nn__einsum_append(letters, letter);
}

/* "..." stands for the axes of an input that have no letter; in the result (rank -1) for those
   of all inputs. *at points to the first dot. */
static bool nn__einsum_dots(nn__op_einsum *p, nn__problem *problem, const char **at, int rank,
                            char *letters) {
    const bool three = strncmp(*at, "...", 3) == 0;
    int letters_behind = 0, dots = p->dots;
    const char *c = three ? *at + 3 : "";
    for (; *c && *c != ',' && *c != '-' && *c != '.'; c++) letters_behind += *c != ' ';
    if (!three || *c == '.')
        return nn__einsum_fault(problem, NN__TEXT("three points, once: \"...ij->...ji\""), p->text,
                                '.', NN__TEXT("is no letter"));
    if (rank >= 0) {
        dots = rank - (int)strlen(letters) - letters_behind;
        p->dots = nn__maxi(p->dots, dots);
    }
    while (dots-- > 0) nn__einsum_append(letters, (char)('0' + dots));
    *at += 2;
    if (strlen(letters) > NN_MAX_RANK)
        return nn__einsum_fault(problem, NN__TEXT("join axes by nn_reshape first"), p->text, '.',
                                NN__TEXT("makes more axes than a shape has"));
    return true;
}

/* Reads the letters of one input of this rank, or (-1) of the result. *at moves past them. */
static bool nn__einsum_word(nn__op_einsum *p, nn__problem *problem, const char **at, int rank,
                            char *letters) {
    for (; **at && **at != ',' && **at != '-'; ++*at) {
        const char c = **at;
        if (c == ' ') continue;
        if (c == '.') {
            if (!nn__einsum_dots(p, problem, at, rank, letters)) return false;
            continue;
        }
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
            return nn__einsum_fault(problem, NN__TEXT("a letter for each axis: \"bij,bjk->bik\""),
                                    p->text, c, NN__TEXT("is no letter"));
        if (rank < 0 && nn__einsum_has(letters, c))
            return nn__einsum_fault(problem, NN__TEXT("name each axis of the result once"), p->text,
                                    c, NN__TEXT("comes twice in the result"));
        if (strlen(letters) >= NN_MAX_RANK)
            return nn__einsum_fault(problem, NN__TEXT("join axes by nn_reshape first"), p->text, c,
                                    NN__TEXT("is one letter more than a shape has axes"));
        nn__einsum_append(letters, c);
    }
    return true;
}

/* If the text has no "->", the result has the axes of "..." and the letters that occur once, in
   alphabetical order. */
static bool nn__einsum_implied(nn__op_einsum *p, int inputs, nn__problem *problem) {
    for (int k = p->dots; k-- > 0;) nn__einsum_append(p->y, (char)('0' + k));
    for (int c = 'A'; c <= 'z'; c++) {
        int times = 0;
        for (int i = 0; i < inputs; i++)
            for (const char *at = p->given[i]; *at; at++) times += *at == (char)c;
        if (times != 1) continue;
        if (strlen(p->y) >= NN_MAX_RANK)
            return nn__einsum_fault(problem, NN__TEXT("name the result after ->"), p->text,
                                    (char)c, NN__TEXT("would be one axis more than a shape has"));
        nn__einsum_append(p->y, (char)c);
    }
    return true;
}

static bool nn__einsum_read(nn__op_einsum *p, const nn__inference *inference) {
    nn__problem *problem = inference->problem;
    const char *at = p->text;
    int count = 0, first, second;
    for (;; at++) {
        const int rank = count < inference->input_count ? inference->nodes[count]->shape.rank : 0;
        if (count == NN__EINSUM_INPUTS) break;
        if (!nn__einsum_word(p, problem, &at, rank, p->given[count])) return false;
        memcpy(p->letters[count], p->given[count], sizeof p->given[count]);
        while (nn__einsum_twice(p->letters[count], &first, &second))
            nn__einsum_take_diagonal(p->letters[count], first, second);
        count++;
        if (*at != ',') break;
    }
    if (count != inference->input_count || *at == ',')
        return nn__problem_set(
            problem, NN_ERROR_ARGUMENT, NN__TEXT("1 to 8 inputs, with a comma between two"),
            NN__TEXT("\"%s\" is not for %d inputs"), p->text, inference->input_count);
    if (*at != '-') return nn__einsum_implied(p, count, problem);
    if (*++at != '>')
        return nn__einsum_fault(problem, NN__TEXT("the result stands after ->"), p->text, '-',
                                NN__TEXT("begins no arrow"));
    at++;
    if (!nn__einsum_word(p, problem, &at, -1, p->y)) return false;
    if (*at)
        return nn__einsum_fault(problem, NN__TEXT("end it with the letters of the result"), p->text,
                                *at, NN__TEXT("comes after the result"));
    return true;
}

/* An axis of 1 whose letter has another extent elsewhere is broadcast: the letter is removed
   from this input. */
static void nn__einsum_stretch(nn__op_einsum *p, int input, nn_shape x) {
    for (int k = 0; k < x.rank; k++) {
        const char letter = p->given[input][k];
        char *const left = strchr(p->letters[input], letter);
        if (x.extent[k] != 1 || p->extent[(unsigned char)letter] == 1 || !left) continue;
        memmove(left, left + 1, strlen(left));
        p->given[input][k] = ' ';
    }
}

/* Finds the extents of all letters. */
static bool nn__einsum_extents(nn__op_einsum *p, const nn__inference *inference) {
    char one[NN__SHAPE_TEXT], words[NN__SHAPE_TEXT + 96];
    for (int i = 0; i < inference->input_count; i++) {
        const nn_shape x = inference->nodes[i]->shape;
        nn__format_shape(x, one, sizeof one);
        if ((int)strlen(p->given[i]) != x.rank)
            return nn__problem_set(inference->problem, NN_ERROR_SHAPE,
                                   NN__TEXT("a letter for each axis"),
                                   NN__TEXT("\"%s\" has the letters \"%s\" for input %d, which is "
                                            "%s"),
                                   p->text, p->given[i], i, one);
        for (int k = 0; k < x.rank; k++) {
            const char letter = p->given[i][k];
            int32_t *extent = &p->extent[(unsigned char)letter];
            if (strchr(p->given[i] + k + 1, letter) &&
                (nn__is_symbolic(x.extent[k]) || x.extent[k] > NN__EINSUM_DIAGONAL))
                return nn__einsum_fault(inference->problem,
                                        NN__TEXT("a diagonal wants a number, at most 46340"),
                                        p->text, letter, NN__TEXT("comes twice, and is not"));
            const int32_t own = x.extent[strchr(p->given[i], letter) - p->given[i]];
            if (own != x.extent[k] ||
                (*extent && *extent != 1 && x.extent[k] != 1 && *extent != x.extent[k])) {
                nn__format(words, sizeof words,
                           "is another extent in input %d, which is %s, than before", i, one);
                return nn__einsum_fault(inference->problem,
                                        NN__TEXT("a letter stands for one extent"), p->text, letter,
                                        words);
            }
            if (x.extent[k] != 1 || !*extent) *extent = x.extent[k];
        }
    }
    for (int i = 0; i < inference->input_count; i++)
        nn__einsum_stretch(p, i, inference->nodes[i]->shape);
    for (const char *c = p->y; *c; c++)
        if (!p->extent[(unsigned char)*c])
            return nn__einsum_fault(inference->problem,
                                    NN__TEXT("only letters of inputs can be in the result"),
                                    p->text, *c, NN__TEXT("is in the result, but in no input"));
    return true;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* Returns the letters of x that are kept or are in `other`. */
static void nn__einsum_rest(const nn__op_einsum *p, const char *x, const char *other, int next,
                            char *rest) {
    memset(rest, 0, NN__EINSUM_LETTERS);
    for (; *x; x++)
        if (nn__einsum_has(other, *x) || nn__einsum_is_needed(p, *x, next))
            nn__einsum_append(rest, *x);
}

static void nn__einsum_meet(const nn__op_einsum *p, const char *a, const char *b, int next,
                            nn__op_einsum_pair *pair) {
    memset(pair, 0, sizeof *pair);
    for (; *a; a++)
        nn__einsum_append(!nn__einsum_has(b, *a)              ? pair->rows
                          : nn__einsum_is_needed(p, *a, next) ? pair->batch
                                                              : pair->summed,
                          *a);
    for (; *b; b++)
        if (!nn__einsum_has(pair->batch, *b) && !nn__einsum_has(pair->summed, *b))
            nn__einsum_append(pair->columns, *b);
}

/* Appends the extents of the letters to x, folded into one if `fold`. False: the product is no
   extent. */
static bool nn__einsum_extend(const nn__op_einsum *p, const char *letters, bool fold, nn_shape *x) {
    int32_t product = 1;
    for (; *letters; letters++) {
        const int32_t extent = p->extent[(unsigned char)*letters];
        if (!fold)
            x->extent[x->rank++] = extent;
        else if (!nn__extent_multiply(product, extent, &product))
            return false;
    }
    if (fold) x->extent[x->rank++] = product;
    return true;
}

static void nn__einsum_join(char *to, const char *a, const char *b, const char *c) {
    memset(to, 0, NN__EINSUM_LETTERS);
    for (; *a; a++) nn__einsum_append(to, *a);
    for (; *b; b++) nn__einsum_append(to, *b);
    for (; *c; c++) nn__einsum_append(to, *c);
}

static bool nn__op_einsum_infer(nn__inference *inference) {
    /* the builder's own copy, which is filled in here */
    nn__op_einsum *p = (nn__op_einsum *)inference->params;
    char now[NN__EINSUM_LETTERS], a[NN__EINSUM_LETTERS], b[NN__EINSUM_LETTERS];
    nn__problem *problem = inference->problem;
    if (!p->text)
        return nn__problem_set(problem, NN_ERROR_ARGUMENT, NN__TEXT("\"bij,bjk->bik\""),
                               NN__TEXT("the text is NULL"));
    if (!nn__einsum_read(p, inference)) return false;
    for (int i = 0; i < inference->input_count; i++)
        if (!nn__want_dtype(problem, "einsum", "an input", inference->nodes[i]->dtype, NN_F32))
            return false;
    if (!nn__einsum_extents(p, inference)) return false;
    memcpy(now, p->letters[0], sizeof now);
    for (int i = 1; i < inference->input_count; i++) {
        nn__op_einsum_pair pair;
        nn_shape rows;
        memset(&rows, 0, sizeof rows);
        nn__einsum_rest(p, now, p->letters[i], i + 1, a);
        nn__einsum_rest(p, p->letters[i], now, i + 1, b);
        nn__einsum_meet(p, a, b, i + 1, &pair);
        nn__einsum_join(now, pair.batch, pair.rows, pair.columns);
        if (strlen(now) > NN_MAX_RANK || (*pair.summed && strlen(pair.batch) > NN_MAX_RANK - 2))
            return nn__problem_set(problem, NN_ERROR_ARGUMENT,
                                   NN__TEXT("join axes by nn_reshape first"),
                                   NN__TEXT("\"%s\": the product up to input %d has more than %d "
                                            "axes, two of a matrix included"),
                                   p->text, i, NN_MAX_RANK);
        if (*pair.summed && (!nn__einsum_extend(p, pair.rows, true, &rows) ||
                             !nn__einsum_extend(p, pair.summed, true, &rows) ||
                             !nn__einsum_extend(p, pair.columns, true, &rows)))
            return nn__problem_set(problem, NN_ERROR_SHAPE,
                                   NN__TEXT("keep the axes of the batch apart"),
                                   NN__TEXT("\"%s\": extents of input %d or of the inputs before "
                                            "it have a product that cannot be an extent"),
                                   p->text, i);
    }
    return true;
}
static const nn__rule nn__rule_einsum = NN__COMPOSED_RULE("einsum", nn__op_einsum_infer);

/* ---- nodes ----------------------------------------------------------------------------------- */

/* Orders the axes of x, whose letters are `from`, as in `to`, and sums over the others. */
static nn_node *nn__einsum_bring(nn_site site, nn_model *net, nn_node *x, const char *from,
                                 const char *to) {
    char left[NN__EINSUM_LETTERS];
    nn_axes axes;
    memset(left, 0, sizeof left);
    memset(&axes, 0, sizeof axes);
    for (int i = 0; from[i]; i++)
        if (nn__einsum_has(to, from[i]))
            nn__einsum_append(left, from[i]);
        else
            axes.axis[axes.count++] = i;
    if (axes.count) x = nn_reduce_at(site, net, NN_SUM, x, axes, false);
    if (strcmp(left, to) == 0) return x;
    memset(&axes, 0, sizeof axes);
    for (; to[axes.count]; axes.count++)
        axes.axis[axes.count] = (int)(strchr(left, to[axes.count]) - left);
    return nn_permute_at(site, net, x, axes);
}

/* Drops axes of 1 that are broadcast. For a letter that occurs twice, both axes become one, the
   last: their diagonal, whose elements are n + 1 apart when both are folded into one axis. */
static nn_node *nn__einsum_diagonals(nn_site site, nn_model *net, nn_node *x, const char *given) {
    char letters[NN__EINSUM_LETTERS];
    int first, second;
    nn_shape shape;
    memset(letters, 0, sizeof letters);
    memset(&shape, 0, sizeof shape);
    for (int i = 0; given[i]; i++) {
        if (given[i] == ' ') continue;
        shape.extent[shape.rank++] = x->shape.extent[i];
        nn__einsum_append(letters, given[i]);
    }
    if (shape.rank < x->shape.rank) x = nn_reshape_at(site, net, x, shape);
    while (nn__einsum_twice(letters, &first, &second)) {
        nn_slice_desc every;
        nn_axes axes;
        memset(&axes, 0, sizeof axes);
        memset(&shape, 0, sizeof shape);
        memset(&every, 0, sizeof every);
        for (int i = 0; letters[i]; i++)
            if (i != first && i != second) {
                shape.extent[shape.rank++] = x->shape.extent[i];
                axes.axis[axes.count++] = i;
            }
        axes.axis[axes.count++] = first;
        axes.axis[axes.count++] = second;
        every.axis = shape.rank;
        every.step = x->shape.extent[first] + 1;
        shape.extent[shape.rank++] = x->shape.extent[first] * x->shape.extent[first];
        x = nn_reshape_at(site, net, nn_permute_at(site, net, x, axes), shape);
        x = nn_slice_at(site, net, x, &every);
        if (!x || x->poisoned) return x;
        nn__einsum_take_diagonal(letters, first, second);
    }
    return x;
}

/* Returns one factor of a product: the batch letters as axes, the other two groups folded into one
   axis each. */
static nn_node *nn__einsum_factor(nn_site site, nn_model *net, const nn__op_einsum *p, nn_node *x,
                                  const char *letters, const char *batch, const char *first,
                                  const char *second) {
    char order[NN__EINSUM_LETTERS];
    nn_shape shape;
    nn__einsum_join(order, batch, first, second);
    memset(&shape, 0, sizeof shape);
    nn__einsum_extend(p, batch, false, &shape);
    nn__einsum_extend(p, first, true, &shape);
    nn__einsum_extend(p, second, true, &shape);
    return nn_reshape_at(site, net, nn__einsum_bring(site, net, x, letters, order), shape);
}

/* Describes an element-wise product, for pairs without a summed letter. Each factor has axes of 1
   for the letters of the other. */
static nn_node *nn__einsum_outer(nn_site site, nn_model *net, const nn__op_einsum *p, nn_node *a,
                                 const char *a_letters, nn_node *b, const char *b_letters,
                                 const nn__op_einsum_pair *pair) {
    char order[NN__EINSUM_LETTERS];
    nn_shape shape;
    nn__einsum_join(order, pair->batch, pair->rows, "");
    memset(&shape, 0, sizeof shape);
    nn__einsum_extend(p, order, false, &shape);
    for (const char *c = pair->columns; *c; c++) shape.extent[shape.rank++] = 1;
    a = nn_reshape_at(site, net, nn__einsum_bring(site, net, a, a_letters, order), shape);
    nn__einsum_join(order, pair->batch, pair->columns, "");
    memset(&shape, 0, sizeof shape);
    nn__einsum_extend(p, pair->batch, false, &shape);
    for (const char *c = pair->rows; *c; c++) shape.extent[shape.rank++] = 1;
    nn__einsum_extend(p, pair->columns, false, &shape);
    b = nn_reshape_at(site, net, nn__einsum_bring(site, net, b, b_letters, order), shape);
    return nn_multiply_at(site, net, a, b);
}

NN_API nn_node *nn_einsum_at(nn_site site, nn_model *net, const char *text, nn_nodes inputs) {
    char now[NN__EINSUM_LETTERS], a[NN__EINSUM_LETTERS], b[NN__EINSUM_LETTERS];
    nn__op_einsum p;
    const int count = inputs.node && inputs.count > 0 ? inputs.count : 0;
    memset(&p, 0, sizeof p);
    p.text = text;
    nn_node *x =
        nn__build(site, net, &nn__rule_einsum, NULL, NULL, inputs.node, NULL, count, &p, 0);
    if (!x || x->poisoned) return x;
    x = nn__einsum_diagonals(site, net, inputs.node[0], p.given[0]);
    if (!x || x->poisoned) return x;
    memcpy(now, p.letters[0], sizeof now);
    for (int i = 1; i < count; i++) {
        nn__op_einsum_pair pair;
        nn_node *y = nn__einsum_diagonals(site, net, inputs.node[i], p.given[i]);
        nn_shape shape;
        if (!y || y->poisoned) return y;
        nn__einsum_rest(&p, now, p.letters[i], i + 1, a);
        nn__einsum_rest(&p, p.letters[i], now, i + 1, b);
        nn__einsum_meet(&p, a, b, i + 1, &pair);
        if (*pair.summed) {
            x = nn__einsum_factor(site, net, &p, x, now, pair.batch, pair.rows, pair.summed);
            y = nn__einsum_factor(site, net, &p, y, p.letters[i], pair.batch, pair.summed,
                                  pair.columns);
            x = nn_matmul_at(site, net, x, y, NULL);
        } else {
            x = nn__einsum_outer(site, net, &p, x, now, y, p.letters[i], &pair);
        }
        nn__einsum_join(now, pair.batch, pair.rows, pair.columns);
        memset(&shape, 0, sizeof shape);
        nn__einsum_extend(&p, now, false, &shape);
        if (*pair.summed) x = nn_reshape_at(site, net, x, shape);
        if (!x || x->poisoned) return x;
    }
    return nn__einsum_bring(site, net, x, now, p.y);
}
