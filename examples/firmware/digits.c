/* digits.c - a board reads drawn digits in 8-bit integers.
   Run: make firmware. On your PC print_nets.c trains the net and prints its plan, digits.h.
   There is no context, no model and no allocation: digits_run computes the scores. */
#include "board.h"
#include "digits.h"
#include "../draw_digits.h"

int main(void) {
    enum { MANY = 50 };
    static unsigned char pixels[DIGIT_PIXELS];
    int right = 0;
    for (int i = 0; i < MANY; i++) {
        int best = 0;
        draw_digit(i % 10, 3, (uint64_t)i, pixels);
        /* A step of the input is 1/255, and white paper (0) is -128: x = pixel - 128. */
        for (int k = 0; k < DIGIT_PIXELS; k++) digits_image[k] = (int8_t)(pixels[k] - 128);
        if (digits_run() != NN_OK) return 2;
        for (int k = 1; k < 10; k++) best = digits_scores[k] > digits_scores[best] ? k : best;
        right += best == i % 10;
    }
    print("digits: ");
    print_number(right);
    print(" of 50 are right\n");
    return right >= 45 ? 0 : 1;
}
