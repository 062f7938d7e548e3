/* 27_frames.c - a net that learns inside the frames of a game: a radiance cache. One random ray to
   each of three lamps gives a noisy sample of the light at a place. A small net learns the mean of
   these samples while lamps and pillars move, and each frame asks it for all pixels. What is left
   of a frame after drawing is spent on training steps. (Mueller et al. 2021, "Real-time Neural
   Radiance Caching for Path Tracing".)
   Run:    make frames ARGS="..." or cc -O2 27_frames.c -o frames -lm -lpthread && ./frames ...
           --window            shows it (SDL2), until it is closed; else the frames are only drawn
           --save field.ppm    the last picture: the net's on the left, the truth on the right
           --frames 300        how many
           --steps 4           training steps in each frame, whatever time that takes: the
                               same pictures on each run. Default: as many as fit into 13 ms
           --device opencl:0   or cpu (also NN_DEVICE); default: the first GPU, else the CPU
           --threads 2         of the CPU; default: one per core
   Prints: how many kernels it takes, how far the field is from the truth, and a histogram of the
           frames' times: how many were done within a sixtieth of a second. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../nn_more.h"
#ifdef WITH_OPENCL /* make frames defines it; OpenCL itself is looked for when the program runs */
#define NN_OPENCL_DYNAMIC
#define NN_OPENCL_IMPLEMENTATION
#include "../nn_opencl.h"
#endif
#ifdef WITH_SDL /* and this, where pkg-config finds SDL2 */
#define SDL_MAIN_HANDLED
#include <SDL.h>
#endif
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 192, HIGH = 108, PIXELS = WIDE * HIGH, MOST_FRAMES = 100000 };
enum { BATCH = 2048, WAVES = 64, HIDDEN = 64 };
static const double frame_ms = 1000.0 / 60, budget_ms = 13; /* the rest is the game's */

/* ---- the world: discs in a room of 16/9 x 1 -------------------------------------------------- */

enum { LAMPS = 3, DISCS = 9, AIR = DISCS }; /* the others are pillars */
typedef struct disc {
    float x, y, radius;
} disc;
typedef struct world {
    disc discs[DISCS];
} world;
static const float colours[LAMPS][3] = {{1, 0.5f, 0.2f}, {0.2f, 0.6f, 1}, {0.5f, 1, 0.3f}};

static world world_at(float seconds) {
    world w;
    for (int i = 0; i < DISCS; i++) {
        const float turn = (i == 1 ? -0.4f : 0.5f) * seconds + 2.1f * (float)i;
        if (i < LAMPS)
            w.discs[i] = (disc){0.89f + 0.68f * cosf(turn), 0.5f + 0.38f * sinf(turn), 0.03f};
        else
            w.discs[i] = (disc){0.24f * (float)i - 0.42f,
                                0.5f + (i % 2 ? 0.18f : -0.18f) + 0.08f * sinf(turn),
                                0.035f + 0.01f * (float)(i % 3)};
    }
    return w;
}

static bool inside(const disc *d, float x, float y) {
    return (x - d->x) * (x - d->x) + (y - d->y) * (y - d->y) < d->radius * d->radius;
}
static int what_is_at(const world *w, const float at[2]) { /* a disc's number, or AIR */
    int i = 0;
    while (i < DISCS && !inside(&w->discs[i], at[0], at[1])) i++;
    return i;
}

/* True if the way from `at` to (at[0] + dx, at[1] + dy) is free of pillars. */
static bool is_free(const world *w, const float at[2], float dx, float dy) {
    for (int i = LAMPS; i < DISCS; i++) {
        const disc *d = &w->discs[i];
        float near_to = ((d->x - at[0]) * dx + (d->y - at[1]) * dy) / (dx * dx + dy * dy);
        near_to = near_to < 0 ? 0 : near_to > 1 ? 1 : near_to; /* where the way passes closest */
        if (inside(d, at[0] + near_to * dx, at[1] + near_to * dy)) return false;
    }
    return true;
}

/* Adds `weight` times the light that one ray to the point (u, v) of each lamp finds. */
static void shine(const world *w, const float at[2], float u, float v, float weight,
                  float light[3]) {
    for (int i = 0; i < LAMPS; i++) {
        const disc *lamp = &w->discs[i];
        const float r = lamp->radius * sqrtf(u), turn = 6.2831853f * v + (float)i;
        const float dx = lamp->x + r * cosf(turn) - at[0], dy = lamp->y + r * sinf(turn) - at[1];
        const float falls = weight * 0.06f / (dx * dx + dy * dy + 0.02f);
        if (!is_free(w, at, dx, dy)) continue;
        for (int c = 0; c < 3; c++) light[c] += falls * colours[i][c];
    }
}

/* Makes the noisy samples of a renderer: positions, and the light that one ray to each lamp found
   there. */
static void draw_samples(const world *w, uint64_t batch, float at[BATCH][2],
                         float light[BATCH][3]) {
    memset(light, 0, BATCH * sizeof light[0]);
    for (uint64_t n = 0, tries = 0; n < BATCH; tries++) {
        uint32_t words[4];
        nn_random_words(27, batch, tries, words);
        at[n][0] = nn_word_to_uniform(words[0]) * WIDE / HIGH;
        at[n][1] = nn_word_to_uniform(words[1]);
        const int what = what_is_at(w, at[n]);
        if (what >= LAMPS && what != AIR) continue;
        shine(w, at[n], nn_word_to_uniform(words[2]), nn_word_to_uniform(words[3]), 1, light[n]);
        n++;
    }
}

static void pixel_at(int i, float at[2]) {
    at[0] = ((float)(i % WIDE) + 0.5f) / HIGH;
    at[1] = ((float)(i / WIDE) + 0.5f) / HIGH;
}

/* Computes a pixel as 64 rays to each lamp show it. */
static void true_pixel(const world *w, int pixel, unsigned char rgb[3]) {
    float at[2], light[3] = {0};
    pixel_at(pixel, at);
    for (int i = 0; i < 64; i++)
        shine(w, at, ((float)(i / 8) + 0.5f) / 8, ((float)(i % 8) + 0.5f) / 8, 1.0f / 64, light);
    for (int c = 0; c < 3; c++) /* as the last steps of the net do */
        rgb[c] = (unsigned char)(255 * sqrtf(light[c] / (1 + light[c])) + 0.5f);
}

/* ---- the field: a net that knows how much light is where ------------------------------------- */

typedef struct field {
    nn_context *nn;
    nn_node *at, *light, *pixel;
    nn_trainer *trainer;
    nn_plan *draw;
    double longest_ms; /* of a training step, lately */
    unsigned char picture[PIXELS][3];
} field;

static bool make_field(field *f, nn_context *nn, nn_device device) {
    static float grid[PIXELS][2];
    nn_linear_desc hidden = {.out_features = HIDDEN};
    nn_model *net =
        nn_make_model(nn, &(nn_model_desc){.name = "field", .device = device, .seed = 1});
    f->nn = nn;
    f->at = nn_input(net, "at", NN_F32, NN_SHAPE(NN_BATCH, 2));
    f->light = nn_input(net, "light", NN_F32, NN_SHAPE(NN_BATCH, 3));
    /* Describes the place as waves of random directions and lengths, which are not trained: sin(W x
       + b). (Tancik et al. 2020, "Fourier Features Let Networks Learn High Frequency Functions".)
       */
    nn_node *x = nn_linear(net, "waves", f->at, &(nn_linear_desc){.out_features = WAVES});
    nn_freeze(net, "waves.", true);
    x = nn_relu(net, nn_linear(net, "fc1", nn_sin(net, x), &hidden));
    x = nn_relu(net, nn_linear(net, "fc2", x, &hidden));
    x = nn_linear(net, "fc3", x, &(nn_linear_desc){.out_features = 3});
    /* An error in the dark counts as much as one in the light. */
    nn_node *error = nn_expression(net, "y, t, seen: (y - t)^2 / (seen^2 + 0.01)", x, f->light,
                                   nn_detach(net, x));
    f->trainer = nn_make_trainer(
        net, nn_mean(net, error),
        &(nn_trainer_desc){.batch = BATCH, .optimizer = NN_ADAM, .learning_rate = 1e-2f});
    if (!f->trainer) return false; /* all mistakes are in the log; what follows would repeat them */
    nn_initialise(net, "waves.weight", &(nn_init_desc){.init = NN_INIT_NORMAL, .std = 10});
    nn_initialise(net, "waves.bias", &(nn_init_desc){.init = NN_INIT_UNIFORM, .high = 6.2831853f});
    /* The device converts light to bytes: a download takes a quarter of the bytes of floats. */
    x = nn_expression(net, "y: 255 * sqrt(max(y, 0) / (1 + max(y, 0))) + 0.5", x);
    f->pixel = nn_cast(net, x, NN_U8);
    f->draw = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(f->pixel), .batch = PIXELS});
    for (int i = 0; i < PIXELS; i++) pixel_at(i, grid[i]);
    nn_upload(f->draw, f->at, grid, sizeof grid); /* once: it stays there */
    nn_prewarm(f->draw, NULL);                    /* compiles kernels before the first frame */
    nn_prewarm(nn_trainer_plan(f->trainer), NULL);
    return nn_error(nn) == NULL;
}

static void draw(field *f) {
    nn_run(f->draw);
    nn_download(f->draw, f->pixel, f->picture, sizeof f->picture);
}

static void learn(field *f, const world *w) {
    static float at[BATCH][2], light[BATCH][3];
    const uint64_t start = nn_now(f->nn);
    nn_plan *plan = nn_trainer_plan(f->trainer);
    draw_samples(w, (uint64_t)nn_trainer_step(f->trainer), at, light);
    nn_upload(plan, f->at, at, sizeof at);
    nn_upload(plan, f->light, light, sizeof light);
    nn_train_on_inputs(f->trainer);
    nn_finish(f->nn); /* waits for the GPU, because a step's time is known when it is over */
    const double took = (double)(nn_now(f->nn) - start) / 1e6;
    f->longest_ms = took > f->longest_ms ? took : 0.9 * f->longest_ms + 0.1 * took;
}

/* Returns the root of the mean of the squared differences from the truth, in percent of white, over
   each fourth pixel in both directions that shows air. */
static double error_of(const field *f, const world *w) {
    double sum = 0, count = 0;
    for (int i = 0; i < PIXELS; i++) {
        float at[2];
        unsigned char rgb[3];
        pixel_at(i, at);
        if (i % WIDE % 4 != 2 || i / WIDE % 4 != 2 || what_is_at(w, at) != AIR) continue;
        true_pixel(w, i, rgb);
        for (int c = 0; c < 3; c++, count++)
            sum += (rgb[c] - f->picture[i][c]) * (rgb[c] - f->picture[i][c]);
    }
    return 100 * sqrt(sum / count) / 255;
}

/* ---- the picture ----------------------------------------------------------------------------- */

static void draw_discs(const world *w, unsigned char (*picture)[3]) {
    for (int i = 0; i < PIXELS; i++) {
        float at[2];
        pixel_at(i, at);
        const int what = what_is_at(w, at);
        if (what != AIR) memset(picture[i], what < LAMPS ? 255 : 24, 3);
    }
}

/* Writes a binary PPM, each pixel as 2 x 2. */
static bool save(const field *f, const world *w, const char *path) {
    static unsigned char truth[PIXELS][3];
    FILE *file = fopen(path, "wb");
    for (int i = 0; i < PIXELS; i++) true_pixel(w, i, truth[i]);
    draw_discs(w, truth);
    if (file) fprintf(file, "P6\n%d %d\n255\n", 4 * WIDE, 2 * HIGH);
    for (int y = 0; file && y < 2 * HIGH; y++)
        for (int x = 0; x < 4 * WIDE; x++) {
            const int i = y / 2 * WIDE + x / 2 % WIDE;
            fwrite(x < 2 * WIDE ? f->picture[i] : truth[i], 3, 1, file);
        }
    const bool written = file && !ferror(file);
    if (file && fclose(file) == 0 && written)
        return printf("%s: the net on the left, the truth on the right\n", path), true;
    return fprintf(stderr, "%s cannot be written\n", path), false;
}

#ifdef WITH_SDL
static SDL_Renderer *renderer;
static SDL_Texture *texture;
static bool open_window(void) {
    SDL_Window *window = NULL;
    SDL_SetMainReady();
    if (SDL_Init(SDL_INIT_VIDEO) == 0)
        window = SDL_CreateWindow("27_frames", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED,
                                  5 * WIDE, 5 * HIGH, SDL_WINDOW_RESIZABLE);
    if (window) renderer = SDL_CreateRenderer(window, -1, 0);
    if (renderer)
        texture = SDL_CreateTexture(renderer, SDL_PIXELFORMAT_RGB24, SDL_TEXTUREACCESS_STREAMING,
                                    WIDE, HIGH);
    if (!texture) fprintf(stderr, "--window: %s\n", SDL_GetError());
    return texture != NULL;
}
static bool show(unsigned char (*picture)[3]) { /* false: the window was closed */
    SDL_Event event;
    bool open = true;
    SDL_UpdateTexture(texture, NULL, picture, 3 * WIDE);
    SDL_RenderCopy(renderer, texture, NULL, NULL);
    SDL_RenderPresent(renderer);
    while (SDL_PollEvent(&event)) open = open && event.type != SDL_QUIT;
    return open;
}
static void rest(double ms) { SDL_Delay(ms > 0 ? (Uint32)(ms + 0.5) : 0); }
#else
static bool open_window(void) {
    fprintf(stderr, "--window: this was built without SDL2. apt install libsdl2-dev pkg-config "
                    "(Debian, Ubuntu), then make frames again\n");
    return false;
}
static bool show(unsigned char (*picture)[3]) { return picture != NULL; }
static void rest(double ms) { (void)ms; }
#endif

/* Counts the kernels that a run gives to its device; steps that run as one count once. */
static int calls_of(nn_plan *plan) {
    int calls = 0;
    for (int i = nn_profile_count(plan); i-- > 0;) calls += nn_profile_at(plan, i).calls > 0;
    nn_stop_profile(plan);
    return calls;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_times(double *ms, int count) {
    static const double ends[] = {0, 1 / 6.0, 2 / 6.0, 3 / 6.0, 4 / 6.0, 5 / 6.0, 1, 2, 1e9};
    int within = 0, at = 0;
    qsort(ms, (size_t)count, sizeof *ms, compare);
    while (within < count && ms[within] <= frame_ms) within++;
    for (int b = 0; b < 8; b++) {
        const int first = at;
        while (at < count && ms[at] <= ends[b + 1] * frame_ms) at++;
        if (b < 7)
            printf("%4.1f to %4.1f ms ", ends[b] * frame_ms, ends[b + 1] * frame_ms);
        else
            printf("longer          ");
        printf("%6d frames  ", at - first);
        for (int i = 0; i < (50 * (at - first) + count - 1) / count; i++) putchar('#');
        putchar('\n');
    }
    printf("%.1f %% of %d frames within %.1f ms; the median %.1f ms, 99 of 100 %.1f, all %.1f\n",
           100.0 * within / count, count, frame_ms, ms[count / 2], ms[(count - 1) * 99 / 100],
           ms[count - 1]);
}

/* Shows frames until the last one, a closed window or an error. Returns their number. */
static int play(field *f, world *now, bool windowed, int frames, int steps, double *ms) {
    double drawn = 0;
    int done = 0;
    const int64_t before = nn_trainer_step(f->trainer);
    for (bool open = true; open && done < frames && !nn_error(f->nn); done++) {
        const uint64_t start = nn_now(f->nn);
        *now = world_at((float)done / 60);
        draw(f);
        draw_discs(now, f->picture);
        if (windowed) open = show(f->picture);
        ms[done] = (double)(nn_now(f->nn) - start) / 1e6;
        drawn += ms[done];
        for (int k = 0; steps ? k < steps : k == 0 || ms[done] + f->longest_ms < budget_ms; k++) {
            learn(f, now);
            ms[done] = (double)(nn_now(f->nn) - start) / 1e6;
        }
        if (windowed) rest(frame_ms - ms[done]);
        if (done % 60 == 59) printf("frame %5d  error %4.1f %%\n", done + 1, error_of(f, now));
    }
    printf("a frame: %.1f ms to draw, then %.1f training steps\n", drawn / done,
           (double)(nn_trainer_step(f->trainer) - before) / done);
    return done;
}

int main(int argc, char **argv) {
    static field f;
    static double ms[MOST_FRAMES];
    const char *device_name = getenv("NN_DEVICE"), *path = NULL;
    int frames = 0, steps = 0, threads = 0;
    bool windowed = false;
    for (int i = 1; i < argc; i++) {
        const char *is = argv[i], *value = argv[i + 1]; /* NULL after the last */
        int *number = strcmp(is, "--frames") == 0    ? &frames
                      : strcmp(is, "--steps") == 0   ? &steps
                      : strcmp(is, "--threads") == 0 ? &threads
                                                     : NULL;
        const char **text = strcmp(is, "--save") == 0     ? &path
                            : strcmp(is, "--device") == 0 ? &device_name
                                                          : NULL;
        if (strcmp(is, "--window") == 0) {
            windowed = true;
            continue;
        }
        if (!value || (!number && !text)) return fprintf(stderr, "%s: see 27_frames.c\n", is), 1;
        if (number)
            *number = atoi(value);
        else
            *text = value;
        i++;
    }
    if (frames == 0) frames = windowed ? MOST_FRAMES : 300;
    if (frames < 0 || frames > MOST_FRAMES || steps < 0)
        return fprintf(stderr, "--frames: 1 to %d; --steps: 1 or more\n", MOST_FRAMES), 1;
    char name[16];
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr, .threads = threads});
#ifdef WITH_OPENCL
    nn_opencl_open(nn, NULL); /* it is no error if there is none */
#endif
    nn_device device = nn_best_device(nn);
    if ((device_name && nn_parse_device(nn, device_name, &device) != NN_OK) ||
        !make_field(&f, nn, device) || (windowed && !open_window()))
        return nn_close(nn), 1; /* the log has said why */
    printf("%d x %d pixels, batches of %d, on %s; %d threads, %s\n", WIDE, HIGH, BATCH,
           nn_format_device(device, name, sizeof name), nn_thread_count(nn),
           nn_instruction_set_name(nn));
    world now = world_at(0);
    nn_start_profile(f.draw);
    nn_start_profile(nn_trainer_plan(f.trainer));
    draw(&f);
    printf("frame     0  error %4.1f %%\n", error_of(&f, &now));
    learn(&f, &now); /* while the game loads: some drivers finish a kernel when it first runs */
    f.longest_ms = 0;
    printf("kernels to draw: %d, for a training step: %d\n", calls_of(f.draw),
           calls_of(nn_trainer_plan(f.trainer)));
    if (nn_error(nn)) return nn_close(nn), 1;
    frames = play(&f, &now, windowed, frames, steps, ms);
    printf("frame %5d  error %4.1f %%\n", frames, error_of(&f, &now));
    print_times(ms, frames);
    bool failed = nn_error(nn) != NULL || (path && !save(&f, &now, path));
    nn_close(nn);
#ifdef WITH_SDL
    if (windowed) SDL_Quit();
#endif
    return failed;
}
