/* kernels/conv_pool/cpu_lists_plain.c - lists of maxima in plain C, for machines that have not the
   vectors of kernels/conv_pool/cpu_avx2.c and cpu_avx512.c. What uses them is
   kernels/conv_pool/cpu_lists.c. */
#include "kernels/conv_pool/cpu.h"

#if !defined(NN_NO_REPORTS) && !defined(NN_NO_TRAINING)

static void nn__conv_pool_plain_list(nn__conv_pool_list *list, const nn__conv_pool_maxima *m) {
    list->count = 0;
    list->sum = 0;
    for (int i = 0; i < m->count; i++) {
        const bool dead = m->dy[i] == 0.0f || (m->relu && m->y[i] <= 0.0f);
        list->at[list->count] = m->window[i] + m->move[m->place[i] & 3];
        list->value[list->count] = m->dy[i];
        list->count += !dead;
        list->sum += dead ? 0.0f : m->dy[i];
    }
}

static void nn__conv_pool_plain_sum(const nn__conv_pool_taps *t, const nn__conv_pool_list *list,
                                    int count) {
    for (; count > 0; count--, list++)
        for (int i = 0; i < list->count; i++)
            for (int r = 0; r < t->rows; r++) {
                const float *x = t->band + list->at[i] + r * t->band_row, value = list->value[i];
                float *to = list->taps + r * t->tap_row;
                for (int f = 0; f < t->floats; f++) to[f] += value * x[f];
            }
}

static void nn__conv_pool_plain_mix(float *to, const float *from, ptrdiff_t plane, int channels,
                                    int n) {
    for (int j = 0; j < n; j++, from++)
        for (int c = 0; c < channels; c++) *to++ = from[c * plane];
}

NN_PRIVATE const nn__conv_pool_set *nn__conv_pool_lists_of(const nn__cpu *cpu) {
    static const nn__conv_pool_set plain = {
        0,
        NULL,
        NULL,
        nn__conv_pool_plain_list,
        nn__conv_pool_plain_sum,
        nn__conv_pool_plain_mix,
        NULL};
    const nn__conv_pool_set *set = nn__conv_pool_set_of(cpu);
    return set ? set : &plain;
}

#endif

typedef int nn__conv_pool_lists_plain_part; /* a part must not be empty under NN_NO_TRAINING */
