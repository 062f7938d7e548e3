/* keywords.c - a board hears words. The net computes the spectrum of the sound itself.
   Run: make firmware. On your PC examples/34_keywords.c trains the net and prints keywords.h. */
#include "board.h"
#include "keywords.h"
#include "../draw_words.h"

int main(void) {
    enum { MANY = 40 };
    int right = 0;
    for (int i = 0; i < MANY; i++) {
        int best = 0;
        draw_word(i % WORDS, 500000u + (unsigned)i, keywords_sound);
        if (keywords_run() != NN_OK) return 2;
        for (int k = 1; k < WORDS; k++)
            best = keywords_scores[k] > keywords_scores[best] ? k : best;
        right += best == i % WORDS;
    }
    print("keywords: ");
    print_number(right);
    print(" of 40 are right\n");
    return right >= 34 ? 0 : 1;
}
