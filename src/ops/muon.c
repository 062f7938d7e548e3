/* ops/muon.c - the direction of Muon's step for one matrix: the momentum, orthogonalised by
   Newton-Schulz iterations. Formula and constants: K. Jordan,
   https://kellerjordan.github.io/posts/muon/, as in torch.optim.Muon. The step itself is a line
   of ops/optimizers.txt. */
#include "ops/program.h"
#include "ops/recipe.h"

#ifndef NN__NO_TRAINER

/* Returns an element-wise program of x and y. which 0: a x + b y; 1: x / max(sqrt(y), a); 2: x y;
   3: x clamped to [a, b]. */
static nn_node *nn__muon_program(nn__tape *tape, int which, nn_node *x, nn_node *y, double a,
                                 double b, const nn_node *like) {
    static const nn_instruction code[4][7] = {{{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                               {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                               {NN_CODE_SCALAR, 0, 0, 0, 0.0f},
                                               {NN_CODE_SCALAR, 1, 0, 0, 0.0f},
                                               {NN_CODE_MULTIPLY, 0, 2, 0, 0.0f},
                                               {NN_CODE_MULTIPLY, 1, 3, 0, 0.0f},
                                               {NN_CODE_ADD, 4, 5, 0, 0.0f}},
                                              {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                               {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                               {NN_CODE_SCALAR, 0, 0, 0, 0.0f},
                                               {NN_CODE_SQRT, 1, 0, 0, 0.0f},
                                               {NN_CODE_MAXIMUM, 3, 2, 0, 0.0f},
                                               {NN_CODE_DIVIDE, 0, 4, 0, 0.0f}},
                                              {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                               {NN_CODE_INPUT, 1, 0, 0, 0.0f},
                                               {NN_CODE_MULTIPLY, 0, 1, 0, 0.0f}},
                                              {{NN_CODE_INPUT, 0, 0, 0, 0.0f},
                                               {NN_CODE_SCALAR, 0, 0, 0, 0.0f},
                                               {NN_CODE_SCALAR, 1, 0, 0, 0.0f},
                                               {NN_CODE_CLAMP, 0, 1, 2, 0.0f}}};
    static const uint8_t counts[4] = {7, 6, 3, 4}, scalars[4] = {2, 1, 0, 2};
    nn_program program;
    nn_node *inputs[2];
    float numbers[2];
    memset(&program, 0, sizeof program);
    program.code = code[which];
    program.count = counts[which];
    program.input_count = which == 3 ? 1 : 2;
    program.output_count = 1;
    program.output[0] = (uint8_t)(program.count - 1);
    program.scalar_count = scalars[which];
    inputs[0] = x;
    inputs[1] = y;
    numbers[0] = (float)a;
    numbers[1] = (float)b;
    return nn__tape_program(tape, &program, numbers, inputs, like);
}

/* Returns one iteration: a X + (b A + c A A) X with A = X X^T. A tall X uses A = X^T X and
   multiplies from the right; the result is the same. */
static nn_node *nn__muon_step(nn__tape *tape, nn_node *x, bool tall, const nn_node *like) {
    const double a = 3.4445, b = -4.7750, c = 2.0315;
    nn_shape square = x->shape;
    square.extent[0] = square.extent[1] = x->shape.extent[tall ? 1 : 0];
    nn_node *gram = nn__tape_matmul(tape, like, x, x, tall, !tall, square);
    nn_node *twice = nn__tape_matmul(tape, like, gram, gram, false, false, square);
    nn_node *by = nn__muon_program(tape, 0, gram, twice, b, c, like);
    nn_node *moved = tall ? nn__tape_matmul(tape, like, x, by, false, false, x->shape)
                          : nn__tape_matmul(tape, like, by, x, false, false, x->shape);
    return nn__muon_program(tape, 0, x, moved, a, 1.0, like);
}

NN_PRIVATE nn_node *nn__add_muon(nn__tape *tape, nn_node *gradient, nn_node *scale,
                                 nn_node *momentum, const nn__muon_settings *settings,
                                 const nn_node *like) {
    const double keep = settings->momentum, limit = settings->max_value;
    const bool tall = like->shape.extent[0] > like->shape.extent[1];
    nn_shape number;
    nn__install_code_add(tape->nn);
    nn__install_code_sqrt(tape->nn);
    nn__install_code_maximum(tape->nn);
    nn__install_code_divide(tape->nn);
    nn__install_code_multiply(tape->nn);
    nn__install_code_clamp(tape->nn);
    nn__install_matmul_general(tape->nn);
    if (scale) gradient = nn__muon_program(tape, 2, gradient, scale, 0.0, 0.0, like);
    if (limit > 0.0) gradient = nn__muon_program(tape, 3, gradient, NULL, -limit, limit, like);
    /* x = momentum + (1 - keep) (gradient - momentum). Nesterov applies this step once more. */
    nn_node *x = nn__muon_program(tape, 0, momentum, gradient, keep, 1.0 - keep, like);
    if (settings->nesterov) x = nn__muon_program(tape, 0, gradient, x, 1.0 - keep, keep, like);
    memset(&number, 0, sizeof number);
    number.rank = 2;
    number.extent[0] = number.extent[1] = 1;
    nn_node *squares = nn__tape_binary(tape, nn__table_multiply(), x, x, like);
    nn_node *norm = nn__tape_reduce(tape, NN_SUM, squares, 3, number, like);
    x = nn__muon_program(tape, 1, x, norm, settings->epsilon, 0.0, like);
    for (int i = 0; i < settings->steps; i++) x = nn__muon_step(tape, x, tall, like);
    return nn__tape_unary(tape, nn__table_scale(), x, (float)settings->factor, like);
}

#endif /* NN__NO_TRAINER */

typedef int nn__muon_part; /* a part must not be empty under NN__NO_TRAINER */
