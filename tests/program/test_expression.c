/* test_expression.c: operations that are programs, through graphs, plans and immediate calls: every
   line of ops/table.txt and many expressions compared with evaluation in double, gradients with
   finite differences; error texts. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"
#include "program_reference.h"
#include "test.h"
#include "lists.h"

#include <stdlib.h>

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))

static uint32_t state = 1;
static uint32_t draw(uint32_t n) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}
static float uniform(double low, double high) {
    return (float)(low + (high - low) * draw(1 << 20) / (1 << 20));
}

static nn_context *open_nn(void) {
    nn_desc desc;
    ZERO(desc);
    desc.threads = 1;
    return nn_open(&desc);
}

static nn_tensor *make(nn_context *nn, const char *name, nn_shape shape, double low, double high) {
    nn_tensor_desc desc;
    ZERO(desc);
    desc.name = name;
    desc.shape = shape;
    nn_tensor *tensor = nn_make_tensor(nn, &desc);
    float *x = (float *)nn_tensor_data(tensor);
    for (int64_t i = 0; x && i < nn_shape_count(shape); i++) x[i] = uniform(low, high);
    return tensor;
}
static float at(const nn_tensor *tensor, int i) {
    return ((const float *)nn_tensor_data((nn_tensor *)tensor))[i];
}

/* ---- the table ------------------------------------------------------------------------------- */

static const float line_numbers[NN_PROGRAM_SCALARS] = {0.7f, 1.3f};

/* Computes every line in three ways: immediately, as a node, and in double. Then compares its
   immediate gradient with differences. */
static void lines_agree_with_double(void) {
    nn_context *nn = open_nn();
    enum { N = 101 };
    const nn__line *line;
    for (int l = 0; (line = nn__find_line(l)) != NULL; l++) {
        const nn_program *program = &line->program;
        const nn_tensor *inputs[NN_PROGRAM_INPUTS];
        nn_tensor *gradients[NN_PROGRAM_INPUTS], *y = make(nn, "y", NN_SHAPE(N), 0, 0),
                                                 *dy = make(nn, "dy", NN_SHAPE(N), -1, 1);
        nn_node *nodes[NN_PROGRAM_INPUTS];
        nn_model *net = nn_make_model(nn, NULL);
        double numbers[NN_PROGRAM_SCALARS] = {(double)line_numbers[0], (double)line_numbers[1]};
        for (int i = 0; i < program->input_count; i++) {
            inputs[i] = make(nn, line->roles[i], NN_SHAPE(N), -4, 4);
            gradients[i] = make(nn, "d", NN_SHAPE(N), 0, 0);
            nodes[i] = nn_borrow(net, (nn_tensor *)inputs[i]);
        }
        ENSURE(nn__op_line_forward(NN_HERE, line, y, inputs, line_numbers) == NN_OK);
        ENSURE(nn__op_line_backward(NN_HERE, line, gradients, dy, inputs, line_numbers, false) ==
               NN_OK);
        nn_node *node = nn__op_line_node(NN_HERE, net, line, nodes, line_numbers);
        nn_plan_desc desc;
        float planned[N];
        ZERO(desc);
        NODE_AT(desc.outputs, 0) = node;
        nn_plan *plan = nn_make_plan(net, &desc);
        ENSURE(plan && nn_run(plan) == NN_OK &&
               nn_download(plan, node, planned, sizeof planned) == NN_OK);
        for (int i = 0; i < N; i++) {
            double in[NN_PROGRAM_INPUTS], want[NN_PROGRAM_OUTPUTS];
            for (int k = 0; k < program->input_count; k++) in[k] = (double)at(inputs[k], i);
            evaluate(program, in, numbers, want);
            if (test_wrong(memcmp(&planned[i], (char *)nn_tensor_data(y) + 4 * i, 4) != 0 &&
                !(planned[i] != planned[i])))
                test_fail(__FILE__, __LINE__, "%s: planned %g, immediate %g", line->rule.name,
                          (double)planned[i], (double)at(y, i));
            if (test_wrong(fabs((double)at(y, i) - want[0]) > 1e-5 * (1 + fabs(want[0])) && want[0] == want[0]))
                test_fail(__FILE__, __LINE__, "%s(%g): %.9g, in double %.9g", line->rule.name,
                          in[0], (double)at(y, i), want[0]);
            for (int k = 0; k < program->input_count && want[0] == want[0]; k++) {
                at_a_corner = false;
                double d = difference(program, k, in, numbers, 1e-4),
                       d2 = difference(program, k, in, numbers, 1e-5);
                if (at_a_corner || !(fabs(d - d2) < 1e-4 * (1 + fabs(d)))) continue;
                d2 *= (double)at(dy, i);
                if (test_wrong(!(fabs((double)at(gradients[k], i) - d2) < 1e-3 * (1 + fabs(d2)))))
                    test_fail(__FILE__, __LINE__, "%s by %s at %g: %.9g, by differences %.9g",
                              line->rule.name, line->roles[k], in[k], (double)at(gradients[k], i),
                              d2);
            }
        }
        if (test_wrong(nn_error(nn) != NULL)) test_fail(__FILE__, __LINE__, "%s: %s", line->rule.name, nn_error(nn));
        nn_clear_error(nn);
    }
    nn_close(nn);
}

/* A gradient without the shape of its input is refused, whichever it is. */
static void every_gradient_has_its_shape(void) {
    nn_context *nn = open_nn();
    nn_tensor *x = make(nn, "x", NN_SHAPE(6), 0.1, 0.9), *d = make(nn, "d", NN_SHAPE(6), 0, 0),
              *wrong = make(nn, "wrong", NN_SHAPE(5), 0, 0);
    const nn__line *line;
    for (int l = 0; (line = nn__find_line(l)) != NULL; l++) {
        const int count = line->program.input_count;
        for (int which = 0; which < count; which++) {
            const nn_tensor *inputs[NN_PROGRAM_INPUTS];
            nn_tensor *gradients[NN_PROGRAM_INPUTS] = {NULL};
            char words[64];
            for (int i = 0; i < count; i++) inputs[i] = x;
            gradients[which] = d;
            ENSURE(nn__op_line_backward(NN_HERE, line, gradients, x, inputs, line_numbers, false) ==
                   NN_OK);
            gradients[which] = wrong;
            ENSURE(nn__op_line_backward(NN_HERE, line, gradients, x, inputs, line_numbers, false) ==
                   NN_ERROR_SHAPE);
            snprintf(words, sizeof words, "d%s", line->roles[which]);
            ENSURE(nn_error(nn) && strstr(nn_error(nn), words));
            nn_clear_error(nn);
        }
    }
    nn_close(nn);
}

/* Checks the CPU kernel's reasons for refusing arguments, alone and as one of several items. */
static void the_kernel_refuses_wrong_views(void) {
    static const nn_instruction code[] = {{NN_CODE_INPUT, 0, 0, 0, 0}, {NN_CODE_NEGATE, 0, 0, 0, 0}};
    static const struct {
        nn_dtype from, to;
        int32_t extent;
        const char *says;
    } cases[] = {{NN_F32, NN_F32, 4, NULL},
                 {NN_F32, NN_F32, 1, NULL},
                 {NN_F32, NN_F32, 3, "does not broadcast to the outputs' shape"},
                 {NN_DTYPE_DEFAULT, NN_F32, 4, "an input of a pointwise program must be f32"},
                 {NN_F32, NN_DTYPE_DEFAULT, 4, "an output of a pointwise program must be f32"}};
    nn_context *nn = open_nn();
    void *on = NULL;
    nn_use_all_kernels(nn);
    const nn_backend *cpu = nn_device_backend(nn, nn_cpu(), &on);
    for (int i = 0; i < 3 * NN__COUNT(cases); i++) {
        const int wrong = i / 3, items = i % 3; /* of items the last one is wrong */
        nn_program_item item[2];
        nn_program_args args;
        char reason[200] = "";
        ZERO(args);
        args.program.code = code;
        args.program.count = 2;
        args.program.input_count = args.program.output_count = 1;
        args.program.output[0] = 1;
        for (int k = 0; k < (items ? items : 1); k++) {
            const int which = k + 1 < items ? 0 : wrong;
            nn_view x, y;
            ZERO(x), ZERO(y);
            x.dtype = cases[which].from, x.shape = NN_SHAPE(cases[which].extent);
            y.dtype = cases[which].to, y.shape = NN_SHAPE(2, 4);
            *(items ? &item[k].inputs[0] : &args.inputs[0]) = x;
            *(items ? &item[k].outputs[0] : &args.outputs[0]) = y;
        }
        args.items = items ? item : NULL;
        args.item_count = items;
        const bool fine = cpu->supports(on, NN_KERNEL_POINTWISE, &args, reason, sizeof reason);
        ENSURE(fine == !cases[wrong].says);
        if (test_wrong(!fine && !strstr(reason, cases[wrong].says)))
            test_fail(__FILE__, __LINE__, "%d items: %s", items, reason);
    }
    nn_close(nn);
}

/* ---- training through chains ----------------------------------------------------------------- */

/* Computes the loss of a small net for given parameters, and its gradients by one step of SGD with
   a learning rate of 1. */
typedef nn_node *(*describe)(nn_model *net, nn_node *a, nn_node *b, nn_node *x);

static double loss_of(describe function, const float *a, const float *b, float *da, float *db,
                      const nn_tensor *given) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *pa = nn_parameter(net, "a", NN_SHAPE(3, 4), 0.0f, 0.0f),
            *pb = nn_parameter(net, "b", NN_SHAPE(4), 0.0f, 0.0f);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 4));
    nn_node *loss = nn_mean(net, function(net, pa, pb, x));
    nn_trainer_desc desc;
    float value = NAN;
    ZERO(desc);
    desc.batch = 2;
    desc.learning_rate = 1.0f;
    nn_trainer *trainer = nn_make_trainer(net, loss, &desc);
    if (test_wrong(!trainer)) {
        test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
        nn_close(nn);
        return NAN;
    }
    nn_tensor *ta = nn_find_tensor(net, "a"), *tb = nn_find_tensor(net, "b");
    memcpy(nn_tensor_data(ta), a, 12 * sizeof(float));
    memcpy(nn_tensor_data(tb), b, 4 * sizeof(float));
    nn_upload(nn_trainer_plan(trainer), x, nn_tensor_data((nn_tensor *)given), 24 * sizeof(float));
    nn_train_on_inputs(trainer);
    nn_read_loss(trainer, &value);
    for (int i = 0; i < 12; i++) da[i] = a[i] - at(ta, i);
    for (int i = 0; i < 4; i++) db[i] = b[i] - at(tb, i);
    if (test_wrong(nn_error(nn) != NULL)) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
    nn_close(nn);
    return (double)value;
}

static nn_node *chain_of_lines(nn_model *net, nn_node *a, nn_node *b, nn_node *x) {
    nn_node *h = nn_silu(net, nn_expression(net, "x * a + b", x, a, b));
    return nn_elu(net, nn_lerp(net, nn_mish(net, h), nn_sin(net, h), b),
                  &(nn_elu_desc){.alpha = 0.8f});
}
static nn_node *one_text(nn_model *net, nn_node *a, nn_node *b, nn_node *x) {
    return nn_expression(net, "a, b, x: tanh(x * a) * (b > 0.1 ? b^2 : sin(b)) + 0.1 * a", a, b, x);
}
static nn_node *value_used_twice(nn_model *net, nn_node *a, nn_node *b, nn_node *x) {
    nn_node *h = nn_expression(net, "sigmoid(x + a)", x, a);
    return nn_expression(net, "h, k, b: h * k - h^2 * b", h, nn_cos(net, h), b);
}
static nn_node *beside_old_operations(nn_model *net, nn_node *a, nn_node *b, nn_node *x) {
    nn_node *h = nn_tanh(net, nn_multiply(net, x, a));
    return nn_add(net, nn_gelu_tanh(net, h),
                  nn_scale(net, nn_softsign(net, nn_add(net, h, b)), 2.0f));
}
static nn_node *several_outputs(nn_model *net, nn_node *a, nn_node *b, nn_node *x) {
    return nn_expression(net, "exp(0.3 * a * x) / (1 + b^2) + atan2(a, 2 + b^2)", a, b, x);
}

static void gradients_agree_with_differences(void) {
    static const describe cases[] = {chain_of_lines, one_text, value_used_twice,
                                     beside_old_operations, several_outputs};
    nn_context *nn = open_nn();
    nn_tensor *x = make(nn, "x", NN_SHAPE(2, 3, 4), -1, 1);
    float a[12], b[4], da[12], db[4], no_a[12], no_b[4];
    for (int i = 0; i < 12; i++) a[i] = uniform(-1, 1);
    for (int i = 0; i < 4; i++) b[i] = uniform(0.2, 1);
    for (int c = 0; c < NN__COUNT(cases); c++) {
        loss_of(cases[c], a, b, da, db, x);
        for (int i = 0; i < 16; i++) {
            float *p = i < 12 ? &a[i] : &b[i - 12], old = *p, step = 0.01f;
            *p = old + step;
            double high = loss_of(cases[c], a, b, no_a, no_b, x);
            *p = old - step;
            double low = loss_of(cases[c], a, b, no_a, no_b, x);
            *p = old;
            double want = (high - low) / (2 * (double)step),
                   have = (double)(i < 12 ? da[i] : db[i - 12]);
            if (test_wrong(!(fabs(want - have) < 2e-3 * (0.05 + fabs(want)))))
                test_fail(__FILE__, __LINE__, "case %d, parameter %d: %.7g, by differences %.7g", c,
                          i, have, want);
        }
    }
    nn_close(nn);
}

/* A step that reads a value and its alias (detach, reshape) is joined with the step that computes
   the value. */
static void test_joined_alias(void) {
    enum { WIDTH = 4, BATCH = 2 };
    nn_context *context = nn_open(NULL);
    nn_model *net = nn_make_model(context, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, WIDTH)), *y, *other;
    float data[BATCH * WIDTH], got[BATCH * WIDTH];
    nn_plan_desc desc;
    memset(&desc, 0, sizeof desc);
    for (int i = 0; i < BATCH * WIDTH; i++) data[i] = (float)(i - 3) / 2;
    for (int alias = 0; alias < 2; alias++) {
        y = nn_erf(net, x);
        other = alias ? nn_reshape(net, y, NN_SHAPE(NN_BATCH, WIDTH)) : nn_detach(net, y);
        NODE_AT(desc.outputs, alias) = nn_expression(net, "a, b: 3 * a - b * b", other, y);
    }
    desc.batch = BATCH;
    nn_plan *plan = nn_make_plan(net, &desc);
    ENSURE(plan && nn_upload(plan, x, data, sizeof data) == NN_OK && nn_run(plan) == NN_OK);
    for (int alias = 0; alias < 2; alias++) {
        ENSURE(nn_download(plan, desc.outputs.node[alias], got, sizeof got) == NN_OK);
        for (int i = 0; i < BATCH * WIDTH; i++) {
            double e = erf(data[i]);
            ENSURE_CLOSE(got[i], 3 * e - e * e, 1e-6);
        }
    }
    nn_close(context);
}

/* A joined step has more inputs than any node that was described: its views must find room, or the
   arguments of other steps are overwritten. The five values that it reads are kept and compared. */
static void test_joined_inputs(void) {
    enum { WIDTH = 5, BATCH = 4 };
    static const char *const text = "a, b, c: a * b + c";
    nn_context *context = nn_open(NULL);
    nn_model *net = nn_make_model(context, NULL);
    nn_node *in[5], *kept[5], *first, *both;
    nn_plan_desc desc;
    float data[5][BATCH * WIDTH], got[BATCH * WIDTH];
    memset(&desc, 0, sizeof desc);
    for (int k = 0; k < 5; k++) {
        char name[8];
        snprintf(name, sizeof name, "x%d", k);
        in[k] = nn_input(net, name, NN_F32, NN_SHAPE(NN_BATCH, WIDTH));
    }
    for (int k = 0; k < 5; k++) {
        kept[k] = nn_keep(nn_subtract(net, in[k], nn_scale(net, in[(k + 1) % 5], 0.5f)));
        for (int i = 0; i < BATCH * WIDTH; i++) data[k][i] = (float)(i * (k + 1) % 7) / 4;
    }
    first = nn_expression(net, text, kept[0], kept[1], kept[2]);
    both = nn_expression(net, "a, b, c: a - b * c", first, kept[3], kept[4]);
    NODE_AT(desc.outputs, 0) = both;
    desc.batch = BATCH;
    nn_plan *plan = nn_make_plan(net, &desc);
    ENSURE(plan);
    for (int k = 0; k < 5; k++) ENSURE(nn_upload(plan, in[k], data[k], sizeof data[k]) == NN_OK);
    ENSURE(nn_run(plan) == NN_OK);
    for (int k = 0; k < 5; k++) {
        ENSURE(nn_download(plan, kept[k], got, sizeof got) == NN_OK);
        for (int i = 0; i < BATCH * WIDTH; i++)
            ENSURE_CLOSE(got[i], data[k][i] - 0.5f * data[(k + 1) % 5][i], 1e-6);
    }
    nn_close(context);
}

/* ---- expressions ----------------------------------------------------------------------------- */

static void names_are_those_of_the_call(void) {
    nn_context *nn = open_nn();
    nn_tensor *r = make(nn, "r", NN_SHAPE(5), 0.5, 1.5), *a = make(nn, "a", NN_SHAPE(5), -1, 1),
              *y = make(nn, "y", NN_SHAPE(5), 0, 0), *dr = make(nn, "dr", NN_SHAPE(5), 0, 0),
              *dy = make(nn, "dy", NN_SHAPE(5), 1, 1);
    ENSURE(nn_expression_forward(y, "max(-a*r, -a*clamp(r, 0.8, 1.2))", r, a) == NN_OK);
    for (int i = 0; i < 5; i++) {
        double ri = (double)at(r, i), ai = (double)at(a, i);
        ENSURE_CLOSE(at(y, i), fmax(-ai * ri, -ai * fmin(fmax(ri, 0.8), 1.2)), 1e-6);
    }
    ENSURE(nn_expression_forward(y, "p, q: p - 2 * q", a, r) == NN_OK);
    ENSURE_CLOSE(at(y, 3), at(a, 3) - 2 * at(r, 3), 1e-6);
    ENSURE(nn_expression_backward(dr, "r", dy, "r^2 * a", r, a) == NN_OK);
    ENSURE_CLOSE(at(dr, 2), 2 * at(r, 2) * at(a, 2), 1e-6);
    ENSURE(nn_expression_backward(dr, "s", dy, "r^2 * a", r, a) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    ENSURE(nn_expression_forward(y, "r +", r) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "column 4: expected a value, but the text ends"));
    nn_clear_error(nn);
    ENSURE(nn_expression_forward(y, "r", r, a) ==
           NN_OK); /* an input that is not read is no mistake */
    ENSURE(nn_expression_forward(y, "r + s", r) == NN_ERROR_ARGUMENT);
    nn_clear_error(nn);
    ENSURE(nn_expression_forward(y, "p: p", r, a) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), "has 1 names and 2 inputs"));
    nn_clear_error(nn);
    ENSURE(nn_expression_forward(NULL, "r", r) == NN_ERROR_ARGUMENT);
    ENSURE(nn_expression_forward(y, NULL, r) == NN_ERROR_ARGUMENT);
    nn_close(nn);
}

static void a_fault_points_at_the_column(void) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)),
            *t = nn_input(net, "t", NN_F32, NN_SHAPE(2));
    char text[2000];
    nn_text out;
    ZERO(out);
    nn_writer writer = nn__write_into(&out, text, sizeof text);
    nn_expression(net, "max(-t*x, -t*clmp(x, 0.8, 1.2))", x, t);
    nn_expression(net, "x * t", x, t);
    nn_expression(net, "h * h", nn_relu(net, x)); /* no variable, and therefore no name */
    nn_node *fine = nn_silu(net, nn_expression(net, "x * y", x)); /* poisoned: silent afterwards */
    ENSURE(fine);
    ENSURE(nn_expression(NULL, "x", x) == NULL);
    ENSURE(nn_fault_count(net) == 4);
    nn_write_faults(net, writer);
    ENSURE(strstr(text, "not every input of the call is a variable with a name: nn_relu(net, x)"));
    ENSURE(strstr(text, "column 14: there is no function clmp\n       max(-t*x, -t*clmp(x, 0.8, "
                        "1.2))\n                    ^"));
    ENSURE(strstr(text, "x is (batch, 3) and t is (2)"));
    ENSURE(strstr(text, "no input is called y; there is: x"));
    nn_close(nn);
}

static void numbers_by_name(void) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(4)), *y;
    nn_expression_desc desc;
    nn_plan_desc plan_desc;
    float given[4] = {1, 2, 3, 4}, back[4];
    ZERO(desc);
    ZERO(plan_desc);
    desc.text = "x: k * x + m";
    desc.name = "line";
    NODE_AT(desc.inputs, 0) = x;
    TEXT_AT(desc.number_names, 0) = "m", NUMBER_AT(desc.numbers, 0) = 0.5f;
    TEXT_AT(desc.number_names, 1) = "k", NUMBER_AT(desc.numbers, 1) = 3.0f;
    y = nn_make_expression(net, &desc);
    ENSURE(strcmp(nn_node_name(y), "line") == 0);
    NODE_AT(plan_desc.outputs, 0) = y;
    nn_plan *plan = nn_make_plan(net, &plan_desc);
    ENSURE(plan && nn_upload(plan, x, given, sizeof given) == NN_OK && nn_run(plan) == NN_OK);
    ENSURE(nn_download(plan, y, back, sizeof back) == NN_OK);
    for (int i = 0; i < 4; i++) ENSURE_CLOSE(back[i], 3 * given[i] + 0.5, 1e-6);
    ENSURE(nn_make_expression(net, NULL) != NULL && nn_fault_count(net) == 1);
    nn_close(nn);
}

/* A call without a result speaks through the context of its operands. */
static void without_a_result(void) {
    nn_context *nn = open_nn();
    nn_tensor_desc desc;
    ZERO(desc);
    desc.shape = NN_SHAPE(3);
    nn_tensor *x = nn_make_tensor(nn, &desc);
    ENSURE(nn_expression_forward((nn_tensor *)NULL, "x: x + 1", x) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), ": y is NULL"));
    nn_clear_error(nn);
    ENSURE(nn_expression_backward((nn_tensor *)NULL, "x", x, "x: x + 1", x) == NN_ERROR_ARGUMENT);
    ENSURE(strstr(nn_error(nn), ": dx is NULL"));
    nn_close(nn);
}

/* Broadcasting must not pair every sample of the batch with every other, in a line of the table or
   in a text. */
static void two_batches_are_a_fault(void) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *a = nn_input(net, "a", NN_F32, NN_SHAPE(NN_BATCH, 1)),
            *b = nn_input(net, "b", NN_F32, NN_SHAPE(NN_BATCH));
    nn_hypot(net, a, b);
    ENSURE(nn_fault_count(net) == 1);
    nn_expression(net, "a - b", a, b);
    ENSURE(nn_fault_count(net) == 2);
    nn_expression(net, "a, b, c: a * c - b", a, b, a);
    ENSURE(nn_fault_count(net) == 3);
    nn_close(nn);
}

/* Writes a random tree as an expression. Returns the length of the text. */
static int tree(char *text, int size, int depth) {
    static const char *const unary[] = {"-",        "sin",  "tanh", "sigmoid", "abs",
                                        "softplus", "silu", "relu", "floor",   "gelu"};
    static const char binary[] = "+-*+-";
    if (size < 60 || depth == 0) {
        static const char *const leaves[] = {"x", "y", "0.5", "2", "x", "z"};
        return sprintf(text, "%s", leaves[draw(6)]);
    }
    int n, kind = (int)draw(8);
    if (kind < 3) {
        n = sprintf(text, "%s(", unary[draw(10)]);
        n += tree(text + n, size - n, depth - 1);
        return n + sprintf(text + n, ")");
    }
    if (kind < 6) {
        n = sprintf(text, "(");
        n += tree(text + n, (size - n) / 2, depth - 1);
        n += sprintf(text + n, " %c ", binary[draw(5)]);
        n += tree(text + n, size - n - 2, depth - 1);
        return n + sprintf(text + n, ")");
    }
    n = sprintf(text, kind == 6 ? "max(" : "(x < y ? ");
    n += tree(text + n, (size - n) / 2, depth - 1);
    n += sprintf(text + n, kind == 6 ? ", " : " : ");
    n += tree(text + n, size - n - 2, depth - 1);
    return n + sprintf(text + n, ")");
}

/* Finds an operation of the table, for calls in a text. */
static const nn_program *find_operation(void *user, const char *name, size_t length) {
    const nn__line *line;
    (void)user;
    for (int l = 0; (line = nn__find_line(l)) != NULL; l++)
        if (strlen(line->rule.name) == length && !memcmp(line->rule.name, name, length))
            return &line->program;
    return NULL;
}

static void random_texts(void) {
    nn_context *nn = open_nn();
    nn_tensor *x = make(nn, "x", NN_SHAPE(3, 5), -2, 2), *y = make(nn, "y", NN_SHAPE(5), -2, 2),
              *z = make(nn, "z", NN_SHAPE(3, 1), -2, 2),
              *out = make(nn, "out", NN_SHAPE(3, 5), 0, 0);
    int checked = 0;
    state = 5;
    for (int round = 0; round < 500; round++) {
        char text[700];
        nn__symbols symbols;
        nn__draft draft;
        nn__parse_fault fault;
        nn_instruction code[NN_PROGRAM_LENGTH];
        nn_program program;
        uint8_t from[NN_PROGRAM_INPUTS];
        int n = sprintf(text, "x, y, z: 0 * (x + y + z) + ");
        tree(text + n, 600 - n, 6);
        ZERO(symbols);
        symbols.find = find_operation;
        ENSURE(nn__parse_program(text, &symbols, &draft, &fault));
        if (!nn__draft_finish(&draft, code, &program, from, NULL)) continue;
        if (test_wrong(nn_expression_forward(out, text, x, y, z) != NN_OK))
            test_fail(__FILE__, __LINE__, "%s: %s", text, nn_error(nn));
        for (int i = 0; i < 15; i++) {
            double given[3] = {(double)at(x, i), (double)at(y, i % 5), (double)at(z, i / 5)},
                   in[NN_PROGRAM_INPUTS], want[NN_PROGRAM_OUTPUTS];
            for (int k = 0; k < program.input_count; k++) in[k] = given[from[k]];
            evaluate(&program, in, NULL, want);
            double tolerance = strstr(text, "floor") ? 1.5 : 1e-4 * (1 + fabs(want[0]));
            if (test_wrong(!(fabs((double)at(out, i) - want[0]) < tolerance) && fabs(want[0]) < 1e3))
                test_fail(__FILE__, __LINE__, "%s at %d: %.9g, in double %.9g", text, i,
                          (double)at(out, i), want[0]);
            checked++;
        }
    }
    ENSURE(checked > 5000);
    nn_close(nn);
}

/* ---- neighbours become one step -------------------------------------------------------------- */

/* Runs a chain with a branch and a broadcast; `kept` bit i: the i-th value is kept. Returns the
   steps of its plan. */
static int run_chain(unsigned kept, float *results, int *count) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 5)),
            *row = nn_input(net, "row", NN_F32, NN_SHAPE(5)), *v[7];
    float given[15], line[5];
    nn_plan_desc desc;
    for (int i = 0; i < 15; i++) given[i] = 0.37f * (float)i - 2.0f;
    for (int i = 0; i < 5; i++) line[i] = 0.5f * (float)i - 1.0f;
    v[0] = nn_silu(net, x);
    v[1] = nn_expression(net, "v, row: v * row + 0.1", v[0], row);
    v[2] = nn_sin(net, v[1]);
    v[3] = nn_elu(net, v[1], &(nn_elu_desc){.alpha = 0.7f}); /* v[1] is read twice */
    v[4] = nn_where(net, nn_less(net, v[2], v[3]), v[2], v[0]);
    v[5] = nn_mish(net, row); /* another shape: it is not joined with the nodes that broadcast it */
    v[6] = nn_lerp(net, v[4], v[5], v[3]);
    for (int i = 0; i < 7; i++)
        if (kept >> i & 1u) nn_keep(v[i]);
    ZERO(desc);
    NODE_AT(desc.outputs, 0) = v[6];
    desc.batch = 3;
    nn_plan *plan = nn_make_plan(net, &desc);
    if (test_wrong(!plan || nn_upload(plan, x, given, sizeof given) ||
        nn_upload(plan, row, line, sizeof line) || nn_run(plan)))
        test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
    *count = 0;
    for (int i = 0; plan && i < 7; i++) {
        int n = i == 5 ? 5 : 15;
        if ((kept >> i & 1u) || i == 6) {
            if (test_wrong(nn_download(plan, v[i], results + 15 * i, (size_t)n * 4)))
                test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
            (*count)++;
        }
    }
    int steps = plan ? plan->step_count : 0;
    nn_close(nn);
    return steps;
}

static void neighbours_become_one_step(void) {
    float all[105] = {0}, some[105];
    int count;
    run_chain(127, all, &count);
    ENSURE(count == 7);
    for (unsigned kept = 0; kept < 128; kept++) {
        memset(some, 0, sizeof some);
        int steps = run_chain(kept, some, &count);
        if (test_wrong(steps > 2 && kept == 0))
            test_fail(__FILE__, __LINE__, "%d steps, wanted mish and one other", steps);
        for (int i = 0; i < 7; i++)
            if (test_wrong(((kept >> i & 1u) || i == 6) &&
                memcmp(all + 15 * i, some + 15 * i, 15 * sizeof(float)) != 0))
                test_fail(__FILE__, __LINE__, "value %d with %#x kept has other bytes", i, kept);
    }
}

/* A random mask is drawn once a step, and its backward uses the same one. */
static void random_numbers_are_those_of_forward(void) {
    nn_context *nn = open_nn();
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *p = nn_parameter(net, "p", NN_SHAPE(64), 1.0f, 1.0f);
    nn_node *y = nn_expression(net, "p: random() < 0.5 ? 3 * p : 0", p);
    nn_trainer_desc desc;
    float loss = 0;
    int moved = 0;
    ZERO(desc);
    desc.learning_rate = 64.0f; /* the loss is a mean of 64 */
    nn_keep(y);
    nn_trainer *trainer = nn_make_trainer(net, nn_mean(net, y), &desc);
    ENSURE(trainer && nn_train_on_inputs(trainer) == NN_OK &&
           nn_read_loss(trainer, &loss) == NN_OK);
    nn_tensor *tensor = nn_find_tensor(net, "p");
    for (int i = 0; i < 64; i++) {
        ENSURE(at(tensor, i) == 1.0f || at(tensor, i) == -2.0f);
        moved += at(tensor, i) != 1.0f;
    }
    ENSURE(moved > 10 && moved < 54);
    ENSURE_CLOSE(loss, 3.0 * moved / 64, 1e-6);
    nn_close(nn);
}

/* A parameter starts as zeros, the loss is the sum of its dropout, and the learning rate is 1:
   after a step the parameter is minus the mask times 1 / (1 - probability), with the words that the
   header of the kernel promises. In the middle of a chain the mask is the same. Outside of training
   dropout is its input. */
static void dropout_is_its_mask(void) {
    enum { N = 1031 };
    static const float probabilities[] = {0, 0.3f, 0.9f, 1};
    for (int k = 0; k < 16; k++) {
        const float p = probabilities[k % 4], keep = p < 1 ? 1 / (1 - p) : 0;
        const bool chain = k / 4 % 2 == 1;
        nn_desc desc;
        nn_trainer_desc trained;
        ZERO(desc);
        ZERO(trained);
        desc.instructions = k / 8 ? NN_INSTRUCTIONS_PLAIN : NN_INSTRUCTIONS_DEFAULT;
        desc.threads = 1 + k % 2;
        nn_context *nn = nn_open(&desc);
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *w = nn_parameter(net, "w", NN_SHAPE(N), 0, 0);
        nn_node *y = nn_dropout(net, chain ? nn_offset(net, w, 2) : w, p);
        const uint64_t stream = ((const nn__program_params *)y->params)->stream;
        trained.learning_rate = 1;
        nn_trainer *trainer =
            nn_make_trainer(net, nn_sum(net, chain ? nn_negate(net, y) : y), &trained);
        ENSURE(trainer && nn_train_on_inputs(trainer) == NN_OK);
        const nn_tensor *now = nn_find_tensor(net, "w");
        for (int i = 0; i < N; i++) {
            uint32_t words[4];
            nn_random_words(net->seed, stream, ((uint64_t)1 << 32) + (uint64_t)i / 4, words);
            float want = nn_word_to_uniform(words[i % 4]) >= p ? keep : 0;
            if (!chain) want = -want;
            if (test_wrong(at(now, i) != want))
                test_fail(__FILE__, __LINE__, "probability %g, element %d: %g, wanted %g",
                          (double)p, i, (double)at(now, i), (double)want);
        }
        nn_plan_desc plan;
        float values[N];
        ZERO(plan);
        NODE_AT(plan.outputs, 0) = nn_dropout(net, nn_borrow(net, (nn_tensor *)now), 0.5f);
        nn_plan *run = nn_make_plan(net, &plan);
        ENSURE(run && nn_run(run) == NN_OK &&
               nn_download(run, plan.outputs.node[0], values, sizeof values) == NN_OK);
        for (int i = 0; i < N; i++) ENSURE(values[i] == at(now, i));
        nn_close(nn);
    }
}

/* Each random() of a text has a stream of its own, in the value and again in the gradient, also
   where the planner joins the program with its neighbours. */
static void each_random_is_another_number(void) {
    enum { N = 1031 };
    for (int k = 0; k < 8; k++) {
        const bool chain = k % 2 == 1, twice = k / 2 % 2 == 1;
        nn_desc desc;
        nn_trainer_desc trained;
        ZERO(desc);
        ZERO(trained);
        desc.instructions = k / 4 ? NN_INSTRUCTIONS_PLAIN : NN_INSTRUCTIONS_DEFAULT;
        nn_context *nn = nn_open(&desc);
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *w = nn_parameter(net, "w", NN_SHAPE(N), 0, 0), *x = chain ? nn_offset(net, w, 2) : w;
        nn_node *y = twice ? nn_expression(net, "x * (random() - random())", x)
                           : nn_expression(net, "random() >= 0.25 ? x * random() : 0", x);
        const uint64_t stream = ((const nn__program_params *)y->params)->stream;
        trained.learning_rate = 1;
        nn_trainer *trainer = nn_make_trainer(net, nn_sum(net, chain ? nn_negate(net, y) : y), &trained);
        ENSURE(trainer && nn_train_on_inputs(trainer) == NN_OK);
        for (int i = 0; i < N; i++) {
            float u[2];
            for (int j = 0; j < 2; j++) {
                uint32_t words[4];
                nn_random_words(net->seed, stream + (uint64_t)j * NN_PROGRAM_DRAWS,
                                ((uint64_t)1 << 32) + (uint64_t)i / 4, words);
                u[j] = nn_word_to_uniform(words[i % 4]);
            }
            float want = twice ? u[0] - u[1] : u[0] >= 0.25f ? u[1] : 0;
            if (!chain) want = -want;
            ENSURE(at(nn_find_tensor(net, "w"), i) == want);
        }
        nn_close(nn);
    }
}

/* ---- the limit of a program ------------------------------------------------------------------ */

/* A chain of more operations than a program has instructions runs as several programs, forwards and
   backwards. An expression that is too long itself, or whose derivative is, is a fault that says
   so. */
static void long_chains_are_split(void) {
    enum { LENGTH = 250 };
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_parameter(net, "x", NN_SHAPE(3), 0.5f, 0.6f), *y = x;
    float gradient[3], start[3], value;
    nn_trainer_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.batch = 1;
    desc.learning_rate = NN_NONE;
    desc.gradients = true;
    for (int i = 0; i < LENGTH; i++)
        y = i % 3 == 0   ? nn_sin(net, y)
            : i % 3 == 1 ? nn_offset(net, y, 0.01f * (float)i)
                         : nn_multiply(net, y, x);
    y = nn_sum(net, y);
    nn_trainer *trainer = nn_make_trainer(net, y, &desc);
    ENSURE(nn_train_on_inputs(trainer) == NN_OK);
    ENSURE(nn_read_gradient(trainer, "x", gradient, sizeof gradient) == NN_OK);
    ENSURE(nn_read_loss(trainer, &value) == NN_OK);
    nn_download_tensor(nn_find_tensor(net, "x"), start, sizeof start);
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double at = start[k], chain = at, slope = 1;
        for (int i = 0; i < LENGTH; i++) {
            if (i % 3 == 0) slope *= cos(chain), chain = sin(chain);
            if (i % 3 == 1) chain += (double)(0.01f * (float)i);
            if (i % 3 == 2) slope = slope * at + chain, chain *= at;
        }
        sum += chain;
        ENSURE_CLOSE((double)gradient[k], slope, 2e-4 * (1 + fabs(slope)));
    }
    ENSURE_CLOSE((double)value, sum, 1e-4);
    nn_close(nn);
}

/* Writes "x" and the given number of terms "+ sin(x * number)". */
static void too_long(int terms, const char *words) {
    static char text[4000];
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_expression_desc desc;
    nn_trainer_desc trainer;
    memset(&desc, 0, sizeof desc);
    memset(&trainer, 0, sizeof trainer);
    snprintf(text, sizeof text, "x: x");
    for (int i = 0; i < terms; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " + sin(x * %d)", i + 2);
    desc.text = text;
    NODE_AT(desc.inputs, 0) = nn_parameter(net, "x", NN_SHAPE(3), 0.5f, 0.6f);
    trainer.batch = 1;
    ENSURE(!nn_make_trainer(net, nn_sum(net, nn_make_expression(net, &desc)), &trainer));
    if (!strstr(nn_error(nn), words)) ENSURE_TEXT(nn_error(nn), words);
    ENSURE(strstr(nn_error(nn), "fix:   "));
    nn_clear_error(nn);
    nn_close(nn);
}
static void too_long_is_said(void) {
    too_long(20, "its derivative needs more than the 96 instructions");
    too_long(28, "longer than the 96 instructions of a program");
    too_long(120, "the expression is too long");
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_joined_inputs);
    RUN(test_joined_alias);
    RUN(lines_agree_with_double);
    RUN(every_gradient_has_its_shape);
    RUN(the_kernel_refuses_wrong_views);
    RUN(names_are_those_of_the_call);
    RUN(a_fault_points_at_the_column);
    RUN(numbers_by_name);
    RUN(two_batches_are_a_fault);
    RUN(without_a_result);
    RUN(random_texts);
    RUN(gradients_agree_with_differences);
    RUN(neighbours_become_one_step);
    RUN(each_random_is_another_number);
    RUN(long_chains_are_split);
    RUN(too_long_is_said);
    RUN(random_numbers_are_those_of_forward);
    RUN(dropout_is_its_mask);
    return test_report();
}
