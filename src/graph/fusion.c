/* graph/fusion.c - finds the steps that a fusion describes, and replaces them. A value's `uses`
   stay right: each step counts once for each of its inputs. */
#include "graph/private.h"

#ifndef NN_NO_SPEEDUPS

/* ---- finding --------------------------------------------------------------------------------- */

/* Returns the value at a place of a step; -1: none. */
static int nn__fusion_at(const nn__step *step, int place) {
    if (place < 0) return place == NN__RESULT(0) ? step->output : step->more[-2 - place];
    return place < step->node->input_count ? step->inputs[place] : -1;
}

/* Returns the value that the other part of a link has; -1: none. from: receives that part. */
static int nn__fusion_linked(const nn__steps *list, const int *found, const nn__fusion_link *link,
                             int *from) {
    const int part = found[link->part] >= 0 ? link->part : link->instead;
    *from = part == 0 && link->part != 0 ? -1 : found[part];
    return *from < 0 ? -1 : nn__fusion_at(&list->steps[*from], link->place);
}

/* True if the step has the value at the part's place of the link. */
static bool nn__fusion_has(const nn__steps *list, const nn__fusion_part *part, int own, int s,
                           int value) {
    const nn__step *step = &list->steps[s];
    const bool any = own == NN__ANY_INPUT;
    for (int i = any ? 0 : own; i < (any ? step->node->input_count : own + 1); i++) {
        const int at = nn__fusion_at(step, i);
        if (at >= 0 && (at == value || ((part->flags & NN__PART_STORAGE) &&
                                        nn__value_root(list->values, at) ==
                                            nn__value_root(list->values, value))))
            return true;
    }
    return false;
}

/* True if the step can be the part as far as the part alone says. */
static bool nn__fusion_is(const nn__fusion_part *part, const nn__step *step) {
    return (!part->kernel || step->node->rule->kernel == part->kernel) &&
           !((part->flags & NN__PART_PLAIN) && step->activation != NN_ACTIVATION_NONE) &&
           (!part->is || part->is(step->node));
}

static bool nn__fusion_fits(const nn__steps *list, const nn__fusion *fusion, const int *found,
                            int p, int s) {
    const nn__fusion_part *part = &fusion->parts[p];
    int from;
    for (int q = 0; q < p; q++)
        if (found[q] == s) return false;
    if (!nn__fusion_is(part, &list->steps[s])) return false;
    for (int k = 1; k < part->links; k++) {
        const int value = nn__fusion_linked(list, found, &part->link[k], &from);
        if (value < 0 || !nn__fusion_has(list, part, part->link[k].own, s, value)) return false;
    }
    return true;
}

/* Returns the step of part p; -1: there is none. */
static int nn__fusion_find(const nn__steps *list, const nn__fusion *fusion, const int *found,
                           int p) {
    const nn__fusion_part *part = &fusion->parts[p];
    const bool writer = part->link->own < 0;
    int from, end = writer ? -1 : list->step_count;
    const int value = nn__fusion_linked(list, found, part->link, &from);
    if (value < 0) return -1;
    if (part->flags & NN__PART_ALONE) {
        const nn__value *v = &list->values[value];
        if (v->place != NN__PLACE_ARENA || v->kept || v->uses != 1) return -1;
    }
    if (part->flags & NN__PART_NEAR) end = nn__mini(end, found[0] + 3);
    for (int s = writer ? from - 1 : from + 1; s != end; s += writer ? -1 : 1) {
        if (list->steps[s].device != list->steps[found[0]].device ||
            !nn__fusion_has(list, part, part->link->own, s, value))
            continue;
        if (nn__fusion_fits(list, fusion, found, p, s)) return s;
        if (writer || (part->flags & NN__PART_ALONE)) return -1;
    }
    return -1;
}

/* Finds all parts around the anchor at step s. */
static bool nn__fusion_match(nn__steps *list, const nn__fusion *fusion, int s, int *found) {
    if (list->steps[s].device < 0 || !nn__fusion_is(fusion->parts, &list->steps[s])) return false;
    found[0] = s;
    for (int p = 1; p < NN__FUSION_PARTS; p++) {
        found[p] = p < fusion->count ? nn__fusion_find(list, fusion, found, p) : -1;
        if (found[p] < 0 && p < fusion->count &&
            !(fusion->parts[p].flags & NN__PART_OPTIONAL))
            return false;
    }
    return fusion->fits(list, found);
}

/* ---- replacing ------------------------------------------------------------------------------- */

static bool nn__fusion_makes(const nn__fusion *fusion, const nn__step *made, int value) {
    for (int p = 0; p < fusion->count; p++)
        for (int k = 0; made[p].node && k < NN__MAX_OUTPUTS; k++)
            if (nn__fusion_at(&made[p], NN__RESULT(k)) == value) return true;
    return false;
}

/* True if only parts read the value, directly or in another shape. */
static bool nn__fusion_is_inner(const nn__steps *list, const nn__fusion *fusion, const int *found,
                                int value) {
    const nn__value *v = &list->values[value];
    int reads = 0;
    for (int p = 0; p < fusion->count; p++) {
        const nn__step *step = found[p] < 0 ? NULL : &list->steps[found[p]];
        for (int i = 0; step && i < step->node->input_count; i++) {
            const nn__value *input = &list->values[step->inputs[i]];
            reads += input == v || (input->place == NN__PLACE_ALIAS && input->alias_of == value &&
                                    input->uses == 1 && !input->kept);
        }
    }
    return v->place == NN__PLACE_ARENA && !v->kept && v->uses == reads;
}

/* Clears the uses of the values that would be gone. check: only returns false if one of them is
   read elsewhere. */
static bool nn__fusion_clear(nn__steps *list, const nn__fusion *fusion, const int *found,
                             const nn__step *made, bool check) {
    for (int p = 0; p < fusion->count; p++)
        for (int k = 0; found[p] >= 0 && k < NN__MAX_OUTPUTS; k++) {
            const int value = nn__fusion_at(&list->steps[found[p]], NN__RESULT(k));
            if (value < 0 || nn__fusion_makes(fusion, made, value)) continue;
            if (!check)
                list->values[value].uses = 0;
            else if (!nn__fusion_is_inner(list, fusion, found, value))
                return false;
        }
    return true;
}

static void nn__fusion_count(nn__steps *list, const nn__step *step, int change) {
    for (int i = 0; i < step->node->input_count; i++)
        list->values[step->inputs[i]].uses += change;
}

/* Puts the joined steps into the places of their parts. */
static void nn__fusion_put(nn__steps *list, const nn__fusion *fusion, const int *found,
                           const nn__step *made) {
    nn__step *steps = list->steps;
    for (int p = 0; p < fusion->count; p++) {
        if (made[p].node) nn__fusion_count(list, &made[p], 1);
        if (found[p] >= 0) nn__fusion_count(list, &steps[found[p]], -1);
    }
    nn__fusion_clear(list, fusion, found, made, false);
    for (int p = 0; p < fusion->count; p++) {
        if (found[p] < 0) continue;
        steps[found[p]].device = -1; /* marks it as gone */
        if (made[p].node) steps[found[p]] = made[p];
    }
    if (!fusion->late) return;
    memmove(steps + found[1], steps + found[1] + 1,
            sizeof *steps * (size_t)(found[0] - found[1] - 1));
    steps[found[0] - 1] = made[1];
}

/* Joins the parts, if that can be done. *done: set if they were. False: no memory. */
static bool nn__fusion_join(nn__steps *list, const nn__fusion *fusion, const int *found,
                            bool *done) {
    const int values = list->value_count;
    nn__step made[NN__FUSION_PARTS];
    nn_node *old = NULL;
    for (int p = 0; p < fusion->count; p++) {
        if (found[p] >= 0) made[p] = list->steps[found[p]];
        made[p].node = NULL;
    }
    if (!fusion->make(list, found, made)) return false;
    const nn__step *renews = &made[fusion->renews];
    const int renewed = fusion->renews ? renews->more[0] : -1;
    if (renewed >= 0) {
        old = list->values[renewed].node;
        list->values[renewed].node = renews->node->more;
    }
    bool can = nn__fusion_clear(list, fusion, found, made, true);
    for (int p = 0; can && p < fusion->count; p++)
        can = !made[p].node || list->supports(list, &made[p]);
    *done = *done || can;
    if (can) {
        nn__fusion_put(list, fusion, found, made);
    } else {
        if (renewed >= 0) list->values[renewed].node = old;
        list->value_count = values;
    }
    return true;
}

/* ---- a fusion -------------------------------------------------------------------------------- */

NN_PRIVATE int nn__fusion_value(nn__steps *list, nn_node *node) {
    nn__value *value = &list->values[list->value_count];
    memset(value, 0, sizeof *value);
    node->value = list->value_count++;
    value->node = node;
    value->alias_of = value->first = value->last = -1;
    value->place = NN__PLACE_ARENA;
    return node->value;
}

/* Makes room for the values of all joined steps. False: no memory. */
static bool nn__fusion_room(nn__steps *list, const nn__fusion *fusion) {
    int anchors = 0;
    for (int s = 0; fusion->values && s < list->step_count; s++)
        anchors += nn__fusion_is(fusion->parts, &list->steps[s]);
    if (anchors == 0) return true;
    nn__value *values = (nn__value *)nn__arena_take(
        list->arena,
        sizeof *values * ((size_t)list->value_count + (size_t)fusion->values * (size_t)anchors));
    if (!values) return false;
    memcpy(values, list->values, sizeof *values * (size_t)list->value_count);
    list->values = values;
    return true;
}

NN_PRIVATE bool nn__fuse(nn__steps *list, const nn__fusion *fusion) {
    int found[NN__FUSION_PARTS], kept = 0;
    bool done = false;
    if (((fusion->when & NN__WHEN_INFERRING) && list->training) ||
        ((fusion->when & NN__WHEN_KEEPING) && !list->keeps) ||
        ((fusion->when & NN__WHEN_JOINING) && list->separate) ||
        (fusion->batch && list->batch > fusion->batch))
        return true;
    if (!(fusion->whole ? fusion->whole(list) : nn__fusion_room(list, fusion))) return false;
    done = fusion->whole != NULL;
    for (int s = 0; s < list->step_count && !fusion->whole; s++)
        if (nn__fusion_match(list, fusion, s, found) &&
            !nn__fusion_join(list, fusion, found, &done))
            return false;
    if (!done) return true;
    for (int s = 0; s < list->step_count; s++)
        if (list->steps[s].device >= 0) list->steps[kept++] = list->steps[s];
    list->step_count = kept;
    return true;
}

#endif

typedef int nn__graph_fusion_part; /* a part must not be empty under NN_NO_SPEEDUPS */
