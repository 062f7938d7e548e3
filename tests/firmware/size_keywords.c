/* size_keywords.c - hears words on a device, from the sound: the plan in KEYWORDS_FILE, which
   examples/34_keywords.c printed, computes the spectrum and the scores. Draws 40 words that the net
   has not learned from, and prints a line:

     right, of, bytes of the block, of the stack, instructions of a word

   The exit code is 1 if fewer than 34 are right. */
#include "firmware.h"

#include KEYWORDS_FILE

#include "../../examples/draw_words.h"
#include "size_print.h"

enum { MANY = 40 };

int main(void) {
    unsigned right = 0, instructions = 0;
    size_paint();
    for (int i = 0; i < MANY; i++) {
        int best = 0;
        draw_word(i % WORDS, 500000u + (unsigned)i, keywords_sound);
        size_begin();
        if (keywords_run() != NN_OK) return 2;
        instructions = size_end();
        for (int k = 1; k < WORDS; k++) best = keywords_scores[k] > keywords_scores[best] ? k : best;
        right += best == i % WORDS;
    }
    const size_t stack = size_stack();
    size_say("right");
    size_number(right);
    size_number(MANY);
    size_number((unsigned)sizeof keywords_block);
    size_number((unsigned)stack);
    size_number(instructions);
    size_say("\n");
    return right >= 34 ? 0 : 1;
}
