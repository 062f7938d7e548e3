/* tests/support/functions.h - the most common functions of ops/table.txt by number, for tests that
   go over all of them. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include "test.h"

/* PLAIN: functions of one input. SCALED: of one input and a number. OF_TWO: of two inputs */
#define FUNCTIONS_PLAIN(X)                                                                         \
    X(relu, RELU) X(sigmoid, SIGMOID) X(tanh, TANH) X(gelu, GELU) X(exp, EXP) X(log, LOG)          \
        X(sqrt, SQRT) X(square, SQUARE) X(abs, ABS) X(negate, NEGATE)
#define FUNCTIONS_SCALED(X) X(scale, SCALE) X(offset, OFFSET)
#define FUNCTIONS_OF_TWO(X)                                                                        \
    X(add, ADD) X(subtract, SUBTRACT) X(multiply, MULTIPLY) X(divide, DIVIDE)                      \
        X(maximum, MAXIMUM) X(minimum, MINIMUM) X(equal, EQUAL)

typedef enum function {
#define X(name, NAME) FUNCTION_##NAME,
    FUNCTIONS_PLAIN(X) FUNCTIONS_SCALED(X) FUNCTION_LEAKY_RELU,
    FUNCTION_SOFTPLUS,
    FUNCTIONS_OF_TWO(X)
#undef X
        FUNCTION_COUNT,
    FUNCTION_OF_TWO = FUNCTION_ADD /* from here on: two inputs */
} function;

static inline const char *function_name(function f) {
    static const char *const names[] = {
#define X(name, NAME) #name,
        FUNCTIONS_PLAIN(X) FUNCTIONS_SCALED(X) "leaky_relu", "softplus", FUNCTIONS_OF_TWO(X)
#undef X
    };
    return names[f];
}

/* number: the number of a scaled function, or the slope of leaky_relu. */
static inline nn_node *function_node(nn_model *net, function f, nn_node *a, nn_node *b,
                                     float number) {
    nn_leaky_relu_desc leaky = {number};
    switch (f) {
#define X(name, NAME) case FUNCTION_##NAME: return nn_##name(net, a);
        FUNCTIONS_PLAIN(X)
#undef X
#define X(name, NAME) case FUNCTION_##NAME: return nn_##name(net, a, number);
        FUNCTIONS_SCALED(X)
#undef X
#define X(name, NAME) case FUNCTION_##NAME: return nn_##name(net, a, b);
        FUNCTIONS_OF_TWO(X)
#undef X
    case FUNCTION_LEAKY_RELU: return nn_leaky_relu(net, a, &leaky);
    case FUNCTION_SOFTPLUS: return nn_softplus(net, a, NULL);
    default: return NULL;
    }
}

static inline nn_result function_forward(nn_tensor *y, function f, const nn_tensor *a,
                                         const nn_tensor *b, float number) {
    nn_leaky_relu_desc leaky = {number};
    switch (f) {
#define X(name, NAME) case FUNCTION_##NAME: return nn_##name##_forward(y, a);
        FUNCTIONS_PLAIN(X)
#undef X
#define X(name, NAME) case FUNCTION_##NAME: return nn_##name##_forward(y, a, number);
        FUNCTIONS_SCALED(X)
#undef X
#define X(name, NAME) case FUNCTION_##NAME: return nn_##name##_forward(y, a, b);
        FUNCTIONS_OF_TWO(X)
#undef X
    case FUNCTION_LEAKY_RELU: return nn_leaky_relu_forward(y, a, &leaky);
    case FUNCTION_SOFTPLUS: return nn_softplus_forward(y, a, NULL);
    default: return NN_ERROR_ARGUMENT;
    }
}

/* Calls the backward function of a function of one input. */
static inline nn_result function_backward(nn_tensor *dx, function f, const nn_tensor *dy,
                                          const nn_tensor *x, float number, bool accumulate) {
    nn_leaky_relu_desc leaky = {number};
    switch (f) {
#define X(name, NAME) case FUNCTION_##NAME: return nn_##name##_backward(dx, dy, x, accumulate);
        FUNCTIONS_PLAIN(X)
#undef X
#define X(name, NAME)                                                                              \
    case FUNCTION_##NAME: return nn_##name##_backward(dx, dy, x, number, accumulate);
        FUNCTIONS_SCALED(X)
#undef X
    case FUNCTION_LEAKY_RELU: return nn_leaky_relu_backward(dx, dy, x, &leaky, accumulate);
    case FUNCTION_SOFTPLUS: return nn_softplus_backward(dx, dy, x, NULL, accumulate);
    default: return NN_ERROR_ARGUMENT;
    }
}

#endif
