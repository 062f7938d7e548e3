/* 19_dqn.c - a net learns to balance a pole on a cart by trying: deep Q-learning. What it has tried
   is kept and learned from again (replay), from targets that a second, slower copy of the net gives
   (nn_blend_weights), and now and then it pushes at random to see what happens.
   Run:    cc -O2 19_dqn.c -o dqn -lm -lpthread && ./dqn
           NN_DEVICE=opencl:0 chooses the device where it was compiled with -DWITH_OPENCL.
   Prints: how many steps the pole stands, on average over ten starts, until all of them reach the
   limit of 500. The rules are those of Gymnasium's CartPole-v1. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#ifdef WITH_OPENCL
#define NN_OPENCL_DYNAMIC
#define NN_OPENCL_IMPLEMENTATION
#include "../nn_opencl.h"
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 64, HIDDEN = 128, REPLAY = 20000, LIMIT = 500, MOST = 60000, TESTS = 10 };

typedef enum { START, EXPLORE, ACTION, REPLAYED, TESTED } purpose;
/* Returns a number in [0, 1) that depends on its purpose and on a counter only. */
static float number(purpose what, uint64_t counter) {
    uint32_t words[4];
    nn_random_words(19, (uint64_t)what, counter, words);
    return nn_word_to_uniform(words[0]);
}

/* ---- the cart -------------------------------------------------------------------------------- */

typedef struct cart {
    float x[4]; /* position (m), its speed, angle of the pole (radians), its speed */
    int age;    /* steps since the start */
} cart;

static cart start(purpose what, uint64_t counter) {
    cart c = {.age = 0};
    for (int i = 0; i < 4; i++) c.x[i] = 0.1f * number(what, 4 * counter + (uint64_t)i) - 0.05f;
    return c;
}

/* Pushes the cart to the left (0) or right (1) for 1/50 s. False: the pole or the cart has left its
   range. */
static bool push(cart *c, int action) {
    const float force = action ? 10.0f : -10.0f, s = sinf(c->x[2]), co = cosf(c->x[2]);
    const float thrust = (force + 0.05f * c->x[3] * c->x[3] * s) / 1.1f;
    const float bend = (9.8f * s - co * thrust) / (0.5f * (4.0f / 3.0f - 0.1f * co * co / 1.1f));
    const float pace[4] = {c->x[1], thrust - 0.05f * bend * co / 1.1f, c->x[3], bend};
    for (int i = 0; i < 4; i++) c->x[i] += 0.02f * pace[i];
    c->age++;
    return fabsf(c->x[0]) <= 2.4f && fabsf(c->x[2]) <= 0.20943951f;
}

/* ---- the nets -------------------------------------------------------------------------------- */

typedef struct brain {
    nn_model *net;
    nn_node *seen, *worth; /* (NN_BATCH, 4); (NN_BATCH, 2): what each push is worth */
    nn_plan *plan;
} brain;

static brain make_brain(nn_context *nn, const char *name, nn_device device, int batch) {
    brain b;
    nn_linear_desc hidden = {.out_features = HIDDEN};
    b.net = nn_make_model(nn, &(nn_model_desc){.name = name, .device = device, .seed = 1});
    b.seen = nn_input(b.net, "seen", NN_F32, NN_SHAPE(NN_BATCH, 4));
    nn_node *x = nn_relu(b.net, nn_linear(b.net, "fc1", b.seen, &hidden));
    x = nn_relu(b.net, nn_linear(b.net, "fc2", x, &hidden));
    b.worth = nn_linear(b.net, "fc3", x, &(nn_linear_desc){.out_features = 2});
    b.plan = nn_make_plan(b.net, &(nn_plan_desc){.outputs = NN_NODES(b.worth), .batch = batch});
    return b;
}

static void ask(const brain *b, const float (*seen)[4], int count, float (*worth)[2]) {
    nn_upload(b->plan, b->seen, seen, sizeof seen[0] * (size_t)count);
    nn_run(b->plan);
    nn_download(b->plan, b->worth, worth, sizeof worth[0] * (size_t)count);
}

static int best(const brain *b, const cart *c) {
    float worth[1][2] = {{0}};
    ask(b, &c->x, 1, worth);
    return worth[0][1] > worth[0][0];
}

/* Returns how long the pole stands without random pushes, on average. */
static double test(const brain *b) {
    int steps = 0;
    for (uint64_t i = 0; i < TESTS; i++) {
        cart c = start(TESTED, i);
        while (c.age < LIMIT && push(&c, best(b, &c))) {}
        steps += c.age;
    }
    return (double)steps / TESTS;
}

/* ---- learning -------------------------------------------------------------------------------- */

/* One push that was tried: what was seen before and after it. */
typedef struct memory {
    float before[4], after[4];
    int action, fell;
} memory;

/* Makes one step on a batch of memories: worth = 1 + 0.99 * the best worth of what comes after. */
static void learn(nn_trainer *trainer, nn_node *const inputs[3], const brain *target,
                  const memory *kept, int count, uint64_t step) {
    static float before[BATCH][4], after[BATCH][4], chosen[BATCH][2], later[BATCH][2];
    float wanted[BATCH];
    nn_plan *plan = nn_trainer_plan(trainer);
    for (int n = 0; n < BATCH; n++) {
        const int i = (int)(number(REPLAYED, step * BATCH + (uint64_t)n) * (float)count);
        const memory *m = &kept[i];
        for (int k = 0; k < 4; k++) before[n][k] = m->before[k], after[n][k] = m->after[k];
        for (int k = 0; k < 2; k++) chosen[n][k] = m->action == k ? 1.0f : 0.0f;
        wanted[n] = m->fell ? 0.0f : 0.99f;
    }
    ask(target, (const float(*)[4])after, BATCH, later);
    for (int n = 0; n < BATCH; n++) wanted[n] = 1.0f + wanted[n] * fmaxf(later[n][0], later[n][1]);
    nn_upload(plan, inputs[0], before, sizeof before);
    nn_upload(plan, inputs[1], chosen, sizeof chosen);
    nn_upload(plan, inputs[2], wanted, sizeof wanted);
    nn_train_on_inputs(trainer);
}

int main(void) {
    static memory kept[REPLAY];
    const int most = getenv("NN_SHORT") ? 2000 : MOST;
    const char *name = getenv("NN_DEVICE");
    double stands = 0.0;
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_device device = nn_cpu();
#ifdef WITH_OPENCL
    if (name) nn_opencl_open(nn, NULL);
#endif
    if (name) nn_parse_device(nn, name, &device);

    brain q = make_brain(nn, "q", device, 1), target = make_brain(nn, "target", device, BATCH);
    nn_node *chosen = nn_input(q.net, "chosen", NN_F32, NN_SHAPE(NN_BATCH, 2));
    nn_node *wanted = nn_input(q.net, "wanted", NN_F32, NN_SHAPE(NN_BATCH));
    nn_node *worth = nn_sum(q.net, nn_multiply(q.net, q.worth, chosen), NN_AXES(1));
    nn_trainer *trainer =
        nn_make_trainer(q.net, nn_smooth_l1_loss(q.net, worth, wanted, NULL),
                        &(nn_trainer_desc){.batch = BATCH, .optimizer = NN_ADAM, .max_norm = 10});
    nn_node *const inputs[3] = {q.seen, chosen, wanted};
    nn_blend_weights(target.net, q.net, 1.0f); /* a copy */

    cart c = start(START, 0);
    for (int step = 0; step < most && stands < LIMIT && !nn_error(nn); step++) {
        const float explore = fmaxf(0.05f, 1.0f - (float)step / 4000.0f);
        memory *m = &kept[step % REPLAY];
        const cart was = c;
        m->action = number(EXPLORE, (uint64_t)step) < explore
                        ? number(ACTION, (uint64_t)step) < 0.5f
                        : best(&q, &c);
        m->fell = !push(&c, m->action);
        for (int k = 0; k < 4; k++) m->before[k] = was.x[k], m->after[k] = c.x[k];
        if (m->fell || c.age == LIMIT) c = start(START, (uint64_t)step + 1);
        if (step < 500) continue; /* too little to learn from */
        learn(trainer, inputs, &target, kept, step < REPLAY ? step + 1 : REPLAY, (uint64_t)step);
        nn_blend_weights(target.net, q.net, 0.01f); /* the target follows slowly */
        if ((step + 1) % 1000 != 0) continue;
        stands = test(&q);
        printf("after %5d steps the pole stands %5.1f steps\n", step + 1, stands);
    }
    if (stands >= LIMIT) printf("it stands to the limit of %d steps from each start\n", LIMIT);
    bool failed = nn_error(nn) != NULL;
    nn_close(nn);
    return failed;
}
