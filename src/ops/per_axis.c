/* ops/per_axis.c - fields of a desc that hold for every axis or for one: .kernel, .kernel_h. */
#include "ops/private.h"

/* Checks the number without a letter and the number of one axis. */
static const char *nn__per_axis_wanted(nn__per_axis kind, bool one) {
    static const char *const of_all[] = {"at least 1", "at least 1, or 0 for 1",
                                         "at least 1, or 0 for the kernel", "at least 0"};
    if (!one) return of_all[kind];
    return kind == NN__PER_AXIS_PADDING ? "positive, NN_NONE, or 0 for that of the other axes"
                                        : "at least 1, or 0 for that of the other axes";
}

NN_PRIVATE const char *nn__axis_field(char *text, const char *field, int axis, int count) {
    nn__format(text, NN__AXIS_FIELD, "%s_%c", field, "dhw"[3 - count + axis]);
    return text;
}

static bool nn__per_axis_check(nn__problem *problem, const char *field, nn__per_axis kind, int all,
                               const int *one, int count, const int *to) {
    const bool zero = kind == NN__PER_AXIS_PADDING;
    char name[NN__AXIS_FIELD];
    bool used = all == 0, lettered = false;
    if (all < 0)
        return nn__refuse_number(problem, field, all, nn__per_axis_wanted(kind, false));
    for (int i = 0; i < count; i++) {
        used = used || to[i] == all;
        lettered = lettered || one[i];
        if (one[i] < 0 && !(zero && one[i] == NN_NONE))
            return nn__refuse_number(problem, nn__axis_field(name, field, i, count), one[i],
                                     nn__per_axis_wanted(kind, true));
    }
    for (int i = 0; i < count; i++)
        if (kind == NN__PER_AXIS_KERNEL && to[i] < 1)
            return nn__refuse_number(
                problem, lettered ? nn__axis_field(name, field, i, count) : field, to[i],
                nn__per_axis_wanted(kind, false));
    if (used) return true;
    return nn__problem_set(
        problem, NN_ERROR_ARGUMENT,
        NN__TEXT("leave out this field, or that of an axis which it should hold for"),
        NN__TEXT("%s is %d, but no axis uses it, because %s and the fields of the other axes "
                 "replace it"),
        field, all, nn__axis_field(name, field, 0, count));
}

NN_PRIVATE bool nn__per_axis_2d(nn__problem *problem, const char *field, nn__per_axis kind, int all,
                                int h, int w, int *to) {
    const int one[] = {h, w};
    const int usual = kind == NN__PER_AXIS_STEP;
    for (int i = 0; i < 2; i++)
        to[i] = one[i] == NN_NONE ? 0 : one[i] ? one[i] : all ? all : usual;
    return !problem || nn__per_axis_check(problem, field, kind, all, one, 2, to);
}

NN_PRIVATE bool nn__per_axis_3d(nn__problem *problem, const char *field, nn__per_axis kind, int all,
                                int d, int h, int w, int *to) {
    const int one[] = {d, h, w};
    const int usual = kind == NN__PER_AXIS_STEP;
    for (int i = 0; i < 3; i++)
        to[i] = one[i] == NN_NONE ? 0 : one[i] ? one[i] : all ? all : usual;
    return !problem || nn__per_axis_check(problem, field, kind, all, one, 3, to);
}
