/* group/blame.c - finds the rank that is missing. A rank that waited too long accuses the rank that
   it waited for, and tells all. An accused rank that is itself waiting accuses the rank that it
   waits for. So accusations lead from one rank to the next, and in the end to a rank that says
   nothing: that one is to blame. Each rank accuses once, and all wait a little for the accusations
   of others. An accusation travels as "accused accuser words". Nothing here uses the context. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

static void nn__blame_settle(nn_group *group) {
    const double quarter = group->desc.timeout / 4.0;
    const double seconds = quarter < 0.25 ? 0.25 : quarter > 2.0 ? 2.0 : quarter;
    group->heard = true;
    group->settled = nn__system_now() + (uint64_t)(seconds * 1e9);
}

/* Accusations arrive in any order: follows them from the reported one to the last known one. */
static void nn__blame_follow(nn_group *group) {
    for (int32_t i = 0; i < group->desc.size; i++) {
        const int32_t accused = group->accused[group->accuser];
        if (group->accused[accused] < 0 || group->accused[accused] == accused) return;
        group->accuser = accused;
        nn__explain(group->loss, sizeof group->loss,
                    "rank %d did not answer rank %d within %g seconds (timeout)",
                    (int)group->accused[accused], (int)accused, group->desc.timeout);
    }
}

/* Records that `accuser` misses `accused`. */
static void nn__blame_note(nn_group *group, int32_t accuser, int32_t accused, const char *words) {
    const bool first = group->accuser < 0;
    const bool leads = !first && group->accused[group->accuser] == accuser;
    if (group->accused[accuser] >= 0) return;
    group->accused[accuser] = accused;
    nn__blame_settle(group);
    if (!first && !leads) return;
    group->accuser = accuser;
    nn__copy_text(group->loss, sizeof group->loss, words);
    nn__blame_follow(group);
}

NN_PRIVATE void nn__blame_accuse(nn_group *group, int32_t accused, const char *words) {
    char text[NN__GROUP_TEXT + 32];
    const int32_t rank = group->desc.rank;
    if (group->accused[rank] >= 0) return;
    nn__format(text, sizeof text, "%d %d %s", (int)accused, (int)rank, words);
    if (strlen(text) >= NN__GROUP_TEXT) text[NN__GROUP_TEXT - 1] = 0;
    group->desc.tell(group->desc.user, text);
    nn__blame_note(group, rank, accused, words);
}

NN_PRIVATE void nn__blame_silence(const nn_group *group, char *words, size_t size) {
    nn__explain(words, size, "rank %d did not answer rank %d in %s within %g seconds (timeout)",
                (int)group->peer, (int)group->desc.rank, group->who, group->desc.timeout);
}

NN_PRIVATE void nn__blame_missing(nn_group *group) {
    char words[NN__GROUP_TEXT];
    nn__blame_silence(group, words, sizeof words);
    nn__blame_accuse(group, group->peer, words);
}

/* Reads the number at the beginning of a text and moves the text past it; -1: there is none. */
static int32_t nn__blame_number(const nn_group *group, const char **text) {
    int32_t number = 0;
    const char *at = *text;
    for (; *at >= '0' && *at <= '9' && number < group->desc.size; at++)
        number = number * 10 + (*at - '0');
    if (at == *text || *at != ' ' || number >= group->desc.size) return -1;
    *text = at + 1;
    return number;
}

NN_PRIVATE void nn__blame_listen(nn_group *group, bool waits) {
    char text[NN__GROUP_TEXT];
    for (int32_t i = 0; i < group->desc.size && nn__blame_has_channel(group) &&
                        group->desc.told(group->desc.user, text, sizeof text);
         i++) {
        const char *words = text;
        const int32_t accused = nn__blame_number(group, &words);
        const int32_t accuser = accused < 0 ? -1 : nn__blame_number(group, &words);
        if (accuser >= 0) {
            nn__blame_note(group, accuser, accused, words);
            if (accused == group->desc.rank && waits)
                nn__blame_missing(group);
            else if (accused == group->desc.rank && group->accused[accused] < 0)
                group->accused[accused] = accused; /* it cannot object later */
            continue;
        }
        if (group->accuser < 0) nn__copy_text(group->loss, sizeof group->loss, text);
        group->heard = true;
        group->settled = 1; /* there is nothing to wait for */
        return;
    }
}

#else
typedef int nn__blame_part; /* a part must not be empty under NN__NO_TRAINER */
#endif
