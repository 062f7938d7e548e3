/* anomaly.c - a board hears whether a machine runs well. An autoencoder, in 8-bit integers, learned
   to write the spectrum of such machines again. What it writes worse than usual is a fault.
   Run: make firmware. On your PC print_nets.c trains the net and prints its plan, anomaly.h. */
#include "board.h"
#include "anomaly.h"
#include "../draw_digits.h"
#include "../draw_words.h"
#include "../draw_tiny.h"

enum { WIDTH = 5 * TINY_MACHINE, MANY = 100 };

/* Returns the mean squared error of machine i. Every other one is broken. */
static float error_of(int i) {
    static float spectrum[WIDTH];
    float sum = 0;
    tiny_machine(i, true, spectrum);
    memcpy(anomaly_x, spectrum, sizeof spectrum); /* f32: the plan converts */
    if (anomaly_run() != NN_OK) board_leave(2);
    for (int k = 0; k < WIDTH; k++) {
        const float apart = anomaly_y[k] - spectrum[k];
        sum += apart * apart;
    }
    return sum / WIDTH;
}

int main(void) {
    int found = 0, alarms = 0;
    for (int i = 0; i < MANY; i++) {
        const bool fault = error_of(500000 + i) > ANOMALY_LIMIT;
        if (i % 2)
            found += fault;
        else
            alarms += fault;
    }
    print("anomaly: ");
    print_number(found);
    print(" of 50 faults are found; false alarms: ");
    print_number(alarms);
    print(" of 50\n");
    return found > 2 * alarms ? 0 : 1;
}
