/* 31_arena.c - a game whose creatures learn while it runs: 200 of them look for food, steered by a
   net with a memory, 60 frames a second. Thinking and learning get 2 ms of each frame. The world
   beside it has the same seed and brains that never learn, so that you see what learning is worth.
   Run:    make arena ARGS="..." or cc -O2 31_arena.c -o arena -lm -lpthread && ./arena ...
           --window            shows both worlds (SDL2), until it is closed
           --save arena.ppm    saves the last picture: brains that learn on the left, untrained
                               ones on the right, and below a graph of the food of each second
           --frames 3600       number of frames
           --seed 1            another world and other first brains
           --budget 2000       microseconds of a frame for the library; 0: whole training steps
           --check             prints a hash of brains and world, for the replay on another machine
   Prints: the food that the creatures find in a second, in both worlds, and a histogram of the
           time that the library takes in a frame.

   - Frames. Time is cut into windows of 12 frames. During a window, a training step learns in
     slices (nn_train_step_for) from the window before. Brains change only between two windows, so
     the world does not depend on how fast the machine is.
   - Voices. All creatures think in one run of one plan. Each is a sample of the batch and has a
     memory of its own (.stateful). When one dies, only its memory is cleared.
   - Replay. The world is made of integers, and the context computes in portable arithmetic. The
     same seed then gives the same game on every machine. */
#if !defined(NN_IMPLEMENTED) && !defined(NN_WITH_PORTABLE) /* else the library is linked in */
#define NN_WITH_PORTABLE
#endif
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../nn_sequence.h"
#ifdef WITH_SDL /* make arena defines it where pkg-config finds SDL2 */
#define SDL_MAIN_HANDLED
#include <SDL.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CREATURES = 200, FOOD = 120, WINDOW = 12, MOST_FRAMES = 1000000 };
enum { EYES = 7, SEES = EYES + 2, ACTIONS = 3, HIDDEN = 32 };
/* Distances in 1/65536 of the world's width, times in frames, TURN in 1/256 of a turn. */
enum { SIGHT = 8192, MOUTH = 700, PACE = 220, TURN = 7, BLINK = 4, MEAL = 90, FULL = 500 };

/* ---- the world: integers, so that all machines agree ----------------------------------------- */

typedef struct creature {
    int x, y;    /* in [0, 65536): the world has no edge */
    int heading; /* in [0, 256) */
    int energy;  /* frames that it can live without food */
} creature;
typedef struct world {
    uint64_t seed, draws;
    creature of[CREATURES];
    int food[FOOD][2];
    int eaten, deaths;
} world;

static uint32_t draw(world *w) { /* returns the next random word */
    uint32_t words[4];
    nn_random_words(w->seed, 31, w->draws++, words);
    return words[0];
}

/* 16384 times the sine of an angle in 1/256 of a turn, within 0.2 % (Bhaskara). */
static int sine(int angle) {
    const int p = (angle & 127) * (128 - (angle & 127));
    const int s = (int)((int64_t)16384 * 16 * p / (5 * 128 * 128 - 4 * p));
    return angle & 128 ? -s : s;
}
static int cosine(int angle) { return sine(angle + 64); }
static int way(int from, int to) { /* returns the shorter distance, around the world or not */
    const int d = (to - from) & 65535;
    return d < 32768 ? d : d - 65536;
}

static void place_creature(world *w, int i) {
    const uint32_t at = draw(w);
    w->of[i] = (creature){(int)(at & 65535), (int)(at >> 16), (int)(draw(w) & 255), FULL / 2};
}
static void place_food(world *w, int i) {
    const uint32_t at = draw(w);
    w->food[i][0] = (int)(at & 65535), w->food[i][1] = (int)(at >> 16);
}

/* Fills `sees` with what creature i knows: for each eye how near the nearest food is, whether the
   eyes are open (only in one frame of four, so it must remember), and its energy. */
static void look(const world *w, int i, int frame, float sees[SEES]) {
    const creature *c = &w->of[i];
    const bool open = (frame + i) % BLINK == 0;
    int nearest[EYES] = {0};
    for (int f = 0; open && f < FOOD; f++) {
        const int dx = way(c->x, w->food[f][0]), dy = way(c->y, w->food[f][1]);
        int best = 0, eye = -1;
        if (dx <= -SIGHT || dx >= SIGHT || dy <= -SIGHT || dy >= SIGHT) continue;
        const int nearness = SIGHT * SIGHT - dx * dx - dy * dy;
        if (nearness <= 0 || dx * cosine(c->heading) + dy * sine(c->heading) <= 0) continue;
        for (int e = 0; e < EYES; e++) { /* the eye that points there best */
            const int angle = c->heading + 20 * (e - EYES / 2);
            const int along = dx * cosine(angle) + dy * sine(angle);
            if (along > best) best = along, eye = e;
        }
        if (eye >= 0 && nearness > nearest[eye]) nearest[eye] = nearness;
    }
    for (int e = 0; e < EYES; e++) sees[e] = (float)nearest[e] / (SIGHT * SIGHT);
    sees[EYES] = open;
    sees[EYES + 1] = (float)c->energy / FULL;
}

/* Moves creature i for one frame: it turns left (0), goes straight on (1) or turns right (2).
   Returns the number of meals. */
static int move(world *w, int i, int action) {
    creature *c = &w->of[i];
    int meals = 0;
    c->heading = (c->heading + TURN * (action - 1)) & 255;
    c->x = (c->x + PACE * cosine(c->heading) / 16384) & 65535;
    c->y = (c->y + PACE * sine(c->heading) / 16384) & 65535;
    for (int f = 0; f < FOOD; f++) {
        const int dx = way(c->x, w->food[f][0]), dy = way(c->y, w->food[f][1]);
        if (abs(dx) > MOUTH || abs(dy) > MOUTH || dx * dx + dy * dy > MOUTH * MOUTH) continue;
        place_food(w, f);
        meals++;
    }
    w->eaten += meals;
    c->energy += MEAL * meals - (c->energy > 0);
    if (c->energy > FULL) c->energy = FULL;
    return meals;
}

/* ---- brains ---------------------------------------------------------------------------------- */

/* The net exists twice: one copy thinks, the other learns from what the first has done. Both read
   sequences; those of the thinking net have one frame. */
typedef struct brain {
    nn_model *net;
    nn_node *sees;   /* (NN_BATCH, NN_TIME, SEES) */
    nn_node *logits; /* (NN_BATCH, NN_TIME, ACTIONS) */
    nn_node *worth;  /* (NN_BATCH, NN_TIME, 1): the food that the creature expects from now on */
} brain;

typedef struct arena {
    world w;
    brain thinks, learns;
    nn_plan *think; /* one frame of all creatures */
    nn_node *did, *got; /* inputs of the learning net: (NN_BATCH, NN_TIME, ACTIONS) and (.., 1) */
    nn_trainer *trainer; /* NULL: these brains never learn */
    bool pending, reborn[CREATURES]; /* is a step under way? who was replaced by a new creature? */
    int late; /* number of windows that ended before their training step was done */
    float sees[CREATURES][SEES], chance[CREATURES][ACTIONS], worth[CREATURES]; /* this frame */
    /* The data of a window, sample after sample as the nets read it. */
    float saw[CREATURES][WINDOW][SEES], acted[CREATURES][WINDOW][ACTIONS];
    float returns[CREATURES][WINDOW];
    int meals[CREATURES][WINDOW];
    int per_second[MOST_FRAMES / 60 + 1];
} arena;

static brain describe(nn_context *nn, const char *name, uint64_t seed) {
    brain b;
    b.net = nn_make_model(nn, &(nn_model_desc){.name = name, .seed = seed});
    b.sees = nn_input(b.net, "sees", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, SEES));
    nn_node *h = nn_gru(b.net, "memory", b.sees,
                        &(nn_gru_desc){.hidden_size = HIDDEN, .stateful = true});
    b.logits = nn_linear(b.net, "act", h, &(nn_linear_desc){.out_features = ACTIONS});
    b.worth = nn_linear(b.net, "worth", h, &(nn_linear_desc){.out_features = 1});
    return b;
}

/* Advantage actor-critic (Mnih et al. 2016): actions that brought more food than expected become
   more likely. The last term, the entropy, keeps the creatures trying other actions. */
static nn_node *describe_loss(arena *a) {
    nn_model *net = a->learns.net;
    a->did = nn_input(net, "did", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, ACTIONS));
    a->got = nn_input(net, "got", NN_F32, NN_SHAPE(NN_BATCH, NN_TIME, 1));
    nn_node *log_p = nn_log_softmax(net, a->learns.logits), *v = a->learns.worth;
    nn_node *chosen = nn_sum(net, nn_multiply(net, log_p, a->did), NN_AXES(2), true);
    nn_node *order = nn_sum(net, nn_multiply(net, nn_exp(net, log_p), log_p), NN_AXES(2), true);
    return nn_mean(
        net, nn_expression(net, "p, o, r, v, now: -p * (r - now) + 0.5 * (r - v)^2 + 0.003 * o",
                           chosen, order, a->got, v, nn_detach(net, v)));
}

/* Lets all creatures think: reads a->sees and writes a->chance and a->worth, without a copy or an
   allocation. */
static void think(arena *a) {
    const void *in[] = {a->sees};
    void *out[] = {a->chance, a->worth};
    nn_run_on(a->think, in, out);
}

static bool make_arena(arena *a, nn_context *nn, uint64_t seed, bool learning) {
    a->w.seed = seed;
    for (int i = 0; i < CREATURES; i++) place_creature(&a->w, i);
    for (int i = 0; i < FOOD; i++) place_food(&a->w, i);
    a->thinks = describe(nn, learning ? "thinks" : "untrained", seed);
    nn_node *chance = nn_softmax(a->thinks.net, a->thinks.logits);
    a->think = nn_make_plan(
        a->thinks.net,
        &(nn_plan_desc){.outputs = NN_NODES(chance, a->thinks.worth), .batch = CREATURES});
    think(a); /* while the level loads: the first run prepares all others */
    nn_clear_states(a->think, NN_ALL_SAMPLES);
    if (!learning) return nn_error(nn) == NULL;
    a->learns = describe(nn, "learns", seed); /* the same seed: the same first weights */
    /* .carry_states: a step continues from the memory at the end of the window before. */
    a->trainer = nn_make_trainer(a->learns.net, describe_loss(a),
                                 &(nn_trainer_desc){.batch = CREATURES, .time = WINDOW,
                                                    .carry_states = true, .optimizer = NN_ADAM,
                                                    .learning_rate = 5e-3f, .max_norm = 1});
    nn_prewarm(nn_trainer_plan(a->trainer), NULL);
    return nn_error(nn) == NULL;
}

/* Gives the data of the last window to the learning net. Food counts 1/32 less for each frame that
   it comes later; a->worth is the food that is expected after the window. All this is computed in
   integers, because a compiler may fuse a product and a sum of floats, which gives other bytes. */
static void begin_step(arena *a) {
    nn_plan *plan = nn_trainer_plan(a->trainer);
    for (int i = 0; i < CREATURES; i++) {
        int later = a->reborn[i] ? 0 : (int)(4096 * a->worth[i]);
        for (int t = WINDOW - 1; t >= 0; t--) {
            later += 4096 * a->meals[i][t] - later / 32;
            a->returns[i][t] = (float)later / 4096;
        }
    }
    nn_upload(plan, a->learns.sees, a->saw, sizeof a->saw);
    nn_upload(plan, a->did, a->acted, sizeof a->acted);
    nn_upload(plan, a->got, a->returns, sizeof a->returns);
    a->pending = true;
}

/* Ends a window: copies the learned weights to the thinking net and replaces the dead. */
static void end_window(arena *a) {
    if (a->trainer) nn_blend_weights(a->thinks.net, a->learns.net, 1);
    for (int i = 0; i < CREATURES; i++) {
        /* Learning is one window late: clears creatures that died in the window before. */
        if (a->trainer && a->reborn[i]) nn_clear_states(nn_trainer_plan(a->trainer), i);
        a->reborn[i] = a->w.of[i].energy <= 0;
        if (!a->reborn[i]) continue;
        a->w.deaths++;
        place_creature(&a->w, i);
        nn_clear_states(a->think, i); /* a new voice; the others continue */
    }
}

/* Plays one frame of the game. Returns the nanoseconds that the library took in it. */
static uint64_t play(arena *a, nn_context *nn, int frame, int budget) {
    const int t = frame % WINDOW, before = a->w.eaten;
    for (int i = 0; i < CREATURES; i++) look(&a->w, i, frame, a->sees[i]);

    uint64_t start = nn_now(nn);
    think(a);
    if (a->trainer && t == 0 && frame > 0) begin_step(a);
    uint64_t took = nn_now(nn) - start;

    for (int i = 0; i < CREATURES; i++) {
        const float u = nn_word_to_uniform(draw(&a->w));
        const int action = u < a->chance[i][0] ? 0 : u < a->chance[i][0] + a->chance[i][1] ? 1 : 2;
        memcpy(a->saw[i][t], a->sees[i], sizeof a->sees[i]);
        for (int k = 0; k < ACTIONS; k++) a->acted[i][t][k] = k == action;
        a->meals[i][t] = move(&a->w, i, action);
    }
    a->per_second[frame / 60] += a->w.eaten - before;

    start = nn_now(nn);
    if (a->pending && budget == 0) a->pending = nn_train_on_inputs(a->trainer) == NN_PENDING;
    if (a->pending && took / 1000 < (uint64_t)budget)
        a->pending = nn_train_step_for(a->trainer, NULL, budget - (int)(took / 1000)) == NN_PENDING;
    if (t == WINDOW - 1) {
        if (a->pending) a->late++; /* this machine is too slow: a long frame, but the same bytes */
        while (a->pending)
            a->pending = nn_train_step_for(a->trainer, NULL, 1000000) == NN_PENDING;
        end_window(a);
    }
    return took + nn_now(nn) - start;
}

/* ---- what the game gives to the library: memory, time, threads ------------------------------- */

/* The memory of a level: handed out from one end, and freed all at once. */
static struct {
    unsigned char *bytes;
    size_t size, used;
    int calls;
} level;
static void *allocate(void *user, size_t bytes, size_t alignment) {
    const size_t over = (size_t)((uintptr_t)level.bytes + level.used) % alignment;
    const size_t at = level.used + (over ? alignment - over : 0);
    (void)user, level.calls++;
    if (at > level.size || bytes > level.size - at) return NULL;
    level.used = at + bytes;
    return level.bytes + at;
}
static void release(void *user, void *memory, size_t bytes, size_t alignment) {
    (void)user, (void)alignment;
    if ((unsigned char *)memory + bytes == level.bytes + level.used) level.used -= bytes;
}

/* Returns processor time, because the machine may be busy. With --window the system's clock is
   used. */
static uint64_t processor_time(void *user) {
    (void)user;
    return (uint64_t)clock() * (1000000000u / CLOCKS_PER_SEC);
}

/* The game's job system. This stub runs the jobs itself; their order and threads do not matter. */
static void run_jobs(void *user, int count, void (*item)(void *data, int i), void *data) {
    (void)user;
    while (count-- > 0) item(data, count);
}

/* ---- the picture ----------------------------------------------------------------------------- */

enum { SIDE = 440, GRAPH = 120, WIDE = 2 * SIDE + 2, HIGH = SIDE + GRAPH };
static unsigned char picture[HIGH][WIDE][3];

static void dot(int x, int y, int size, int colour) { /* 0xrrggbb */
    for (int j = y - size; j <= y + size; j++)
        for (int i = x - size; i <= x + size; i++)
            for (int c = 0; c < 3 && i >= 0 && i < WIDE && j >= 0 && j < HIGH; c++)
                picture[j][i][c] = (unsigned char)(colour >> (16 - 8 * c) & 255);
}

static void draw_arena(const arena *a, int left, int seconds, int colour) {
    for (int f = 0; f < FOOD; f++)
        dot(left + a->w.food[f][0] * SIDE / 65536, a->w.food[f][1] * SIDE / 65536, 1, 0x40c040);
    for (int i = 0; i < CREATURES; i++) {
        const creature *c = &a->w.of[i];
        const int x = left + c->x * SIDE / 65536, y = c->y * SIDE / 65536;
        dot(x, y, 2, c->energy > FULL / 4 ? colour : 0x905050); /* the hungry ones are dark */
        for (int d = 3; d <= 6; d++)
            dot(x + d * cosine(c->heading) / 16384, y + d * sine(c->heading) / 16384, 0, 0xffffff);
    }
    for (int x = 0; x < WIDE && seconds > 0; x++) {
        const int food = a->per_second[x * seconds / WIDE];
        dot(x, HIGH - 2 - food * GRAPH / 400, 1, colour);
    }
}

static void draw_picture(const arena *a, const arena *b, int frames) {
    memset(picture, 20, sizeof picture);
    draw_arena(b, SIDE + 2, frames / 60, 0xa0a0a0);
    draw_arena(a, 0, frames / 60, 0xffa030);
    for (int y = 0; y < SIDE; y++) dot(SIDE + 1, y, 0, 0x505050);
}

static bool save(const char *path) { /* a binary PPM */
    FILE *file = fopen(path, "wb");
    bool written = file && fprintf(file, "P6\n%d %d\n255\n", WIDE, HIGH) > 0 &&
                   fwrite(picture, sizeof picture, 1, file) == 1;
    written = file && fclose(file) == 0 && written;
    printf(written ? "%s: brains that learn on the left\n" : "%s cannot be written\n", path);
    return written;
}

#ifdef WITH_SDL
static SDL_Renderer *renderer;
static SDL_Texture *texture;
static bool open_window(void) {
    SDL_Window *window = NULL;
    SDL_SetMainReady();
    if (SDL_Init(SDL_INIT_VIDEO) == 0)
        window = SDL_CreateWindow("31_arena", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED,
                                  2 * WIDE, 2 * HIGH, SDL_WINDOW_RESIZABLE);
    if (window) renderer = SDL_CreateRenderer(window, -1, SDL_RENDERER_PRESENTVSYNC);
    if (renderer)
        texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGB24, SDL_TEXTUREACCESS_STREAMING,
                                    WIDE, HIGH);
    if (!texture) fprintf(stderr, "--window: %s\n", SDL_GetError());
    return texture != NULL;
}
static bool show(void) { /* waits for the next frame; false: the window was closed */
    static Uint32 next;
    bool open = true;
    SDL_UpdateTexture(texture, NULL, picture, 3 * WIDE);
    SDL_RenderCopy(renderer, texture, NULL, NULL);
    SDL_RenderPresent(renderer);
    for (SDL_Event event; SDL_PollEvent(&event);) open = open && event.type != SDL_QUIT;
    const Uint32 now = SDL_GetTicks();
    if ((Sint32)(next - now) > 0) SDL_Delay(next - now);
    next = SDL_GetTicks() + 16;
    return open;
}
static void close_window(void) { SDL_Quit(); }
#else
static bool open_window(void) {
    fprintf(stderr, "--window: this was built without SDL2. apt install libsdl2-dev pkg-config "
                    "(Debian, Ubuntu), then make arena again\n");
    return false;
}
static bool show(void) { return false; }
static void close_window(void) {}
#endif

/* ---- what is printed ------------------------------------------------------------------------- */

enum { BINS = 12 }; /* of 0.2 ms; the last bin has all frames of 2.2 ms and more */
static void print_times(const int *bins, int frames) {
    for (int b = 0; b < BINS; b++) {
        printf("from %.1f ms %7d frames  ", 0.2 * b, bins[b]);
        for (int i = 0; i < (50 * bins[b] + frames - 1) / frames; i++) putchar('#');
        putchar('\n');
    }
    printf("%.2f %% of %d frames within 2.2 ms\n", 100.0 - 100.0 * bins[BINS - 1] / frames, frames);
}

static uint32_t hash(uint32_t so_far, const void *words, size_t count) {
    for (size_t k = 0; k < count; k++) { /* FNV-1a of values, so endianness does not matter */
        uint32_t word;
        memcpy(&word, (const char *)words + 4 * k, 4);
        for (int b = 0; b < 32; b += 8) so_far = (so_far ^ (word >> b & 255)) * 16777619u;
    }
    return so_far;
}

/* Returns a hash of the thinking net's weights and of the world. 0: an error. */
static uint32_t hash_arena(const arena *a) {
    static float numbers[4096];
    uint32_t all = hash(hash(2166136261u, a->w.of, sizeof a->w.of / 4), a->w.food, 2 * FOOD);
    for (int i = 0; i < nn_model_tensor_count(a->thinks.net); i++) {
        nn_tensor *tensor = nn_model_tensor_at(a->thinks.net, i);
        const size_t bytes = (size_t)nn_tensor_bytes(tensor);
        if (bytes > sizeof numbers || nn_download_tensor(tensor, numbers, bytes) != NN_OK) return 0;
        all = hash(all, numbers, bytes / 4);
    }
    return all;
}

static double food_of(const arena *a, int second) { /* per second: the mean of ten */
    double sum = 0;
    for (int s = second - 9; s <= second; s++) sum += a->per_second[s];
    return sum / 10;
}

static struct {
    int frames, seed, budget;
    const char *save;
    bool window, check;
} o = {.seed = 1, .budget = 2000};

static bool read_options(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const char *is = argv[i], *value = argv[i + 1]; /* NULL after the last */
        if (strcmp(is, "--window") == 0) o.window = true;
        else if (strcmp(is, "--check") == 0) o.check = true;
        else if (value && strcmp(is, "--save") == 0) o.save = argv[++i];
        else if (value && strcmp(is, "--frames") == 0) o.frames = atoi(argv[++i]);
        else if (value && strcmp(is, "--seed") == 0) o.seed = atoi(argv[++i]);
        else if (value && strcmp(is, "--budget") == 0) o.budget = atoi(argv[++i]);
        else return fprintf(stderr, "%s: see 31_arena.c\n", is), false;
    }
    if (o.frames == 0) o.frames = o.window ? MOST_FRAMES : 3600;
    if (o.frames > 0 && o.frames <= MOST_FRAMES && o.budget >= 0) return true;
    return fprintf(stderr, "--frames: 1 to %d; --budget: 0 or more\n", MOST_FRAMES), false;
}

/* Plays both worlds until the last frame, a closed window or an error. Returns the frame count. */
static int run(nn_context *nn, arena *a, arena *b, int bins[BINS]) {
    int frame = 0;
    for (bool open = true; open && frame < o.frames && !nn_error(nn); frame++) {
        const uint64_t took = play(a, nn, frame, o.budget);
        const int bin = (int)(took / 200000);
        bins[bin < BINS - 1 ? bin : BINS - 1]++;
        play(b, nn, frame, 0); /* for comparison; not part of the game's time */
        if (o.window) draw_picture(a, b, frame), open = show();
        if (!o.check && frame % 600 == 599)
            printf("second %3d  food in a second %5.1f, untrained %5.1f; died %4d, untrained %4d\n",
                   frame / 60 + 1, food_of(a, frame / 60), food_of(b, frame / 60), a->w.deaths,
                   b->w.deaths);
    }
    return frame;
}

int main(int argc, char **argv) {
    static arena a, b;
    int bins[BINS] = {0};
    if (!read_options(argc, argv)) return 1;
    level.size = 16u << 20, level.bytes = malloc(level.size);
    nn_desc desc = {.log.function = nn_write_stderr,
                    .allocator = {.allocate = allocate, .release = release},
                    .jobs = {.run = run_jobs, .workers = 4}};
#ifdef NN_WITH_PORTABLE
    desc.arithmetic = NN_ARITHMETIC_PORTABLE;
#endif
    if (!o.window) desc.clock.now = processor_time;
    nn_context *nn = level.bytes ? nn_open(&desc) : NULL;
    bool fine = nn && make_arena(&a, nn, (uint64_t)o.seed, true) &&
                make_arena(&b, nn, (uint64_t)o.seed, false) && (!o.window || open_window());
    const int calls = level.calls;
    const int frames = fine ? run(nn, &a, &b, bins) : 0;
    fine = fine && !nn_error(nn); /* the log has the reason */
    if (fine && o.check) {
        printf("hash %08x after %d frames (%s); %.2f %% within 2.2 ms\n", (unsigned)hash_arena(&a),
               frames, nn_instruction_set_name(nn), 100.0 * (frames - bins[BINS - 1]) / frames);
    } else if (fine) {
        print_times(bins, frames);
        printf("%lld steps, %d windows late; %.1f MB, %d allocations while the game ran; %s\n",
               (long long)nn_trainer_step(a.trainer), a.late, (double)level.used / 1e6,
               level.calls - calls, nn_instruction_set_name(nn));
    }
    draw_picture(&a, &b, frames);
    fine = fine && (!o.save || save(o.save));
    nn_close(nn);
    free(level.bytes);
    if (o.window) close_window();
    return !fine;
}
