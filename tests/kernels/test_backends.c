/* test_backends.c: compares every kernel on every device with reference.h, over one list of cases.

   ./test_backends [correct|gradient|timed] [part of a test's name]
     (nothing)  correct and gradient
     correct    values against plain loops in double; guards, inputs untouched; slices and threads
                give the same bytes
     gradient   backward kernels against finite differences of the forward reference
     timed      GFLOP/s or GB/s of some larger cases, for each device

   Devices: the CPU with every instruction set of this machine and 1, 3 and 8 threads; two simulated
   devices (sim_device.h); with NN_TEST_OPENCL every OpenCL device. Other devices are added in
   open_targets.

   NN_TEST_AS tests only OpenCL devices, with certain kernels:
     own        those that the device chooses itself, without lending (nn_opencl_desc.no_lending):
                a CPU stands for a GPU
     gpu, small, plain, large
                those of GPUs, of GPUs with work-groups of 64, of devices with smaller ones, and of
                GPUs in large tiles
     winograd, patches
                Winograd's algorithm or patches wherever possible
     lending    those of CPUs that lend to the CPU backend
     clblast    those of GPUs where CLBlast multiplies large matrices
     tf32, bf16 those of GPUs, with products on matrix units in this format. A device without such
                units emulates them. The operands of every other case have few bits, so that
                rounding does not change them, and the sums must be those of f32
   NN_TEST_UNITS=N: the number of compute units.
   NN_TEST_CASES=N: the number of random shapes of each kind (without it, few for OpenCL devices and
   NN_TEST_CPU_CASES for the CPU: 50; make test-full draws 500).
   NN_TEST_DEVICES=2: fails unless there are two such devices.
   NN_TEST_KERNEL=part of a kernel's name: test_table takes only these kernels.
   NN_TEST_WRITE_CUTS=1: prints the lines of tests/golden/case_cuts.txt (case_cuts.h). */
#define _DEFAULT_SOURCE /* mmap, sysconf */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_more.h"
#include "nn_quantize.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif
#include "nn_self_test.h"

#include "emulated_units.h"
#include "inside.h"
#include "open.h"
#include "reference.h"
#include "sim_device.h"

#if defined(__unix__) || defined(__APPLE__)
#define PAGES /* sliced runs of each instruction set have every operand at the end of a page */
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#define GUARD 64 /* bytes before and after every buffer */
/* What the guards hold: floats of 0xFF are NaN, which spread if a kernel computes with what lies
   before or after an input. An output has other bytes, so that copies of junk show, too. */
#define GUARD_OF_INPUT 0xFF
#define GUARD_OF_OUTPUT 0xA5
#define MOST_VIEWS 80

/* ---- targets --------------------------------------------------------------------------------- */

typedef struct target {
    nn_context *nn;
    nn_device   device;
    char        name[64];
    int         group; /* the same group gives the same bytes */
    bool        compiles; /* an OpenCL device that runs kernels of its own */
    bool        between;  /* runs in slices only if every_slice; others of its group always do */
    nn_precision precision; /* of products; DEFAULT: f32 */
} target;

static target targets[64];
static int target_count;
static sim_device *sims[2];
static nn_context *contexts[48];
static int context_count;
static bool mode_correct = true, mode_gradient = true, mode_timed = false;
static int64_t largest_case = INT64_MAX; /* NN_TEST_LARGEST */
static int case_count;
static int compiled_share = 1; /* see compile_one_in */
static nn_precision tested_precision; /* with NN_TEST_AS=tf32 or bf16 */
/* NN_FULL: slices of every number of threads, and of both simulated devices */
static bool every_slice;

static void add_target(nn_context *nn, nn_device device, int group, const char *extra) {
    char text[32];
    target *t = &targets[target_count++];
    t->nn = nn;
    t->device = device;
    t->group = group;
    snprintf(t->name, sizeof t->name, "%.15s %.46s", nn_format_device(device, text, sizeof text),
             extra);
}

#ifdef NN_TEST_OPENCL
/* Makes the device use the kernels that NN_TEST_AS names; false: it cannot. */
static bool treat_as(nn_context *nn, nn_device device, const char *as) {
    void *state = NULL;
    nn__opencl *opencl;
    nn_device_backend(nn, device, &state);
    opencl = (nn__opencl *)state;
    /* the loops for instructions that multiply four bytes; test_quantize_net.c runs the others */
    if (opencl->cpu && opencl->integer_dots == 0) opencl->integer_dots = 4;
    if (!as || strcmp(as, "own") == 0) return true;
    if (strcmp(as, "lending") == 0) { /* whatever it may lend to the CPU backend */
        opencl->lends = true;
        return opencl->cpu && opencl->in_host_memory;
    }
    opencl->cpu = false;
    opencl->gpu = true;
    if (strcmp(as, "tf32") == 0 || strcmp(as, "bf16") == 0) {
        if (opencl->mma == NN__OPENCL_MMA_NONE) opencl->mma = NN__OPENCL_MMA_EMULATED;
        opencl->mma_always = true;
        opencl->forced = NN__OPENCL_TILES;
        return true;
    }
    if (getenv("NN_TEST_UNITS")) opencl->units = (cl_uint)atoi(getenv("NN_TEST_UNITS"));
    opencl->forced = strcmp(as, "gpu") == 0     ? NN__OPENCL_TILES
                     : strcmp(as, "large") == 0 ? NN__OPENCL_LARGE_TILES
                     : strcmp(as, "small") == 0 ? NN__OPENCL_SMALL_TILES
                     : strcmp(as, "plain") == 0 ? NN__OPENCL_PLAIN
                     : strcmp(as, "winograd") == 0 ? NN__OPENCL_WINOGRAD_TILES
                     : strcmp(as, "patches") == 0 ? NN__OPENCL_PATCH_TILES
                                                : NN__OPENCL_BY_DEVICE;
    if (opencl->forced != NN__OPENCL_BY_DEVICE) return true;
    nn__opencl_blas_open(opencl);
    opencl->clblast_always = true;
    return opencl->blas != NULL;
}

static nn_precision precision_as(const char *as) {
    return as && strcmp(as, "tf32") == 0   ? NN_PRECISION_HIGH
           : as && strcmp(as, "bf16") == 0 ? NN_PRECISION_MEDIUM
                                           : NN_PRECISION_DEFAULT;
}

static void open_opencl_targets(const char *as) {
    nn_context *nn = nn_open(NULL);
    nn_opencl_desc opencl;
    int i;
    contexts[context_count++] = nn;
    memset(&opencl, 0, sizeof opencl);
    opencl.cache_folder = "";
    opencl.kernel_file = getenv("NN_KERNEL_FILE");
    if (nn_opencl_open(nn, &opencl) == NN_NOT_FOUND)
        SKIP_PART("no OpenCL device here");
    for (i = 1; i < nn_device_count(nn); i++) {
        nn_opencl_info info;
        nn_opencl_describe(nn, nn_device_at(nn, i), &info);
        if (treat_as(nn, nn_device_at(nn, i), as)) {
            add_target(nn, nn_device_at(nn, i), 100 + target_count, info.name);
            targets[target_count - 1].compiles = !as || strcmp(as, "lending") != 0;
            targets[target_count - 1].precision = precision_as(as);
        } else printf("SKIP %s:%d: this device cannot be treated as \"%s\"\n", __FILE__, __LINE__, as);
    }
}
#endif

static void open_targets(void) {
    static const int threads[3] = {1, 3, 8};
    int set, i, best = 0;
    sim_desc sim;
    nn_device device;
#ifdef NN_TEST_OPENCL
    if (getenv("NN_TEST_AS")) {
        open_opencl_targets(getenv("NN_TEST_AS"));
        tested_precision = precision_as(getenv("NN_TEST_AS"));
        return;
    }
#endif
    nn_context *usual = nn_open(NULL); /* the simulated devices live in it */
    contexts[context_count++] = usual;
    for (set = NN_INSTRUCTIONS_PLAIN; set <= LAST_SET; set++)
        for (i = 0; i < (mode_timed ? 1 : 3); i++) {
            nn_desc desc;
            nn_context *nn;
            char extra[48];
            memset(&desc, 0, sizeof desc);
            desc.instructions = (nn_instruction_set)set;
            desc.threads = threads[i];
            nn = OPEN_WITH_SET(&desc);
            if (!nn) break;
            nn_use_all_kernels(nn);
            nn_use_more_kernels(nn);
            nn_use_sequence_kernels(nn);
            nn_use_quantize_kernels(nn);
            contexts[context_count++] = nn;
            snprintf(extra, sizeof extra, "%s %d threads", nn_instruction_set_name(nn),
                     nn_thread_count(nn));
            add_target(nn, nn_cpu(), set, extra);
            targets[target_count - 1].between = threads[i] == 3;
            if (strcmp(nn_instruction_set_name(nn), nn_instruction_set_name(usual)) == 0) best = set;
        }
#ifdef NN_TEST_OPENCL
    open_opencl_targets(NULL);
    open_opencl_targets("lending");
#endif
    if (mode_timed) return;
    memset(&sim, 0, sizeof sim);
    sims[0] = sim_open(usual, &sim, &device);
    if (sims[0]) {
        add_target(usual, device, best, "(simulated)");
        targets[target_count - 1].between = true;
    }
    sim.asynchronous = true;
    sim.poison_on_release = true;
    sims[1] = sim_open(usual, &sim, &device);
    if (sims[1]) add_target(usual, device, best, "(simulated, asynchronous)");
}

/* ---- a case ---------------------------------------------------------------------------------- */

typedef union any_args {
#define NN__X(number, upper, lower, args, family) args lower;
    NN_KERNELS(NN__X)
#undef NN__X
} any_args;

typedef struct gradient_check { /* output of the backward kernel = d(sum dy * forward) / d input */
    nn_view *output; /* in case.args */
    nn_view *input;  /* in case.forward */
} gradient_check;

typedef struct test_case {
    char           name[300];
    nn_kernel      kernel;
    any_args       args; /* handles are host memory with the initial contents */
    nn_update_item items[8];
    double         tolerance;
    double         flops;
    void          *memory[MOST_VIEWS];
    int            memory_count;
    nn_kernel      forward_kernel; /* for finite differences; NN_KERNEL_NONE: no check */
    any_args       forward;
    nn_view       *forward_y, *dy; /* forward's output, and its gradient in args */
    gradient_check gradients[2];
    bool           exact; /* the operands have few bits, so that no precision rounds them */
    bool           status_may_stay; /* the device may leave the status word alone */
} test_case;

static test_case current;
static uint32_t random_state;

static uint32_t next_word(void) {
    random_state = random_state * 1664525u + 1013904223u;
    return random_state >> 8;
}
static float next_unit(void) { return (float)next_word() / 16777216.0f; } /* [0, 1) */

static void begin_case(nn_kernel kernel, const char *format, ...) {
    va_list list;
    const char *c;
    memset(&current, 0, sizeof current);
    current.kernel = kernel;
    current.tolerance = 1e-5;
    va_start(list, format);
    vsnprintf(current.name, sizeof current.name, format, list);
    va_end(list);
    random_state = 12345;
    for (c = current.name; *c; c++) random_state = random_state * 31u + (uint32_t)(unsigned char)*c;
}

typedef enum fill_kind {
    FILL_SIGNED,   /* [-1, 1) */
    FILL_POSITIVE, /* [0.1, 1.1) */
    FILL_AWAY,     /* 0.1 to 2.1 from zero, either sign */
    FILL_DISTINCT, /* multiples of 1 / 16 in disorder, no two alike */
    FILL_NAN       /* contents of an output before it is written */
} fill_kind;

static nn_view view_of(nn_dtype dtype, int rank, const int32_t *extents) {
    nn_view view;
    memset(&view, 0, sizeof view);
    view.dtype = dtype;
    view.shape = nn_make_shape(extents, rank);
    view.shape.rank = rank;
    view.handle = malloc((size_t)view_bytes(&view) + 64);
    memset(view.handle, 0xFF, (size_t)view_bytes(&view) + 64);
    if (current.memory_count < MOST_VIEWS) current.memory[current.memory_count++] = view.handle;
    return view;
}

static nn_view make_view(fill_kind fill, int rank, int a, int b, int c, int d) {
    int32_t extents[4];
    nn_view view;
    int64_t i, j, count;
    float *x;
    extents[0] = a; extents[1] = b; extents[2] = c; extents[3] = d;
    view = view_of(NN_F32, rank, extents);
    count = view_count(&view);
    x = (float *)view.handle;
    for (i = 0; i < count; i++) {
        if (fill == FILL_SIGNED) x[i] = next_unit() * 2 - 1;
        else if (fill == FILL_POSITIVE) x[i] = next_unit() + 0.1f;
        else if (fill == FILL_AWAY)
            x[i] = (next_word() & 1 ? 1.0f : -1.0f) * (next_unit() * 2 + 0.1f);
        else if (fill == FILL_DISTINCT) x[i] = (float)(i - count / 2) / 16.0f;
    }
    if (fill == FILL_DISTINCT)
        for (i = count - 1; i > 0; i--) {
            float swap = x[i];
            j = (int64_t)(next_word() % (uint32_t)(i + 1));
            x[i] = x[j];
            x[j] = swap;
        }
    return view;
}

static nn_view make_i32(int rank, int a, int b, int c, int d, int below) {
    int32_t extents[4];
    nn_view view;
    int64_t i;
    extents[0] = a; extents[1] = b; extents[2] = c; extents[3] = d;
    view = view_of(NN_I32, rank, extents);
    if (below > 0)
        for (i = 0; i < view_count(&view); i++)
            ((int32_t *)view.handle)[i] = (int32_t)(next_word() % (uint32_t)below);
    return view;
}

static nn_view make_number(float value) {
    nn_view view = make_view(FILL_SIGNED, 0, 0, 0, 0, 0);
    ((float *)view.handle)[0] = value;
    return view;
}

static nn_view make_status(uint32_t value) {
    nn_view view = make_i32(0, 0, 0, 0, 0, 0);
    ((int32_t *)view.handle)[0] = (int32_t)value;
    return view;
}

static nn_view make_output(bool accumulate, int rank, int a, int b, int c, int d) {
    return make_view(accumulate ? FILL_SIGNED : FILL_NAN, rank, a, b, c, d);
}

static nn_view make_like(fill_kind fill, const nn_view *view) {
    nn_view like = view_of(view->dtype, view->shape.rank, view->shape.extent);
    int64_t i;
    nn_view flat;
    if (fill == FILL_NAN) return like;
    flat = make_view(fill, 1, (int)view_count(view), 0, 0, 0);
    for (i = 0; i < view_count(view); i++) ((float *)like.handle)[i] = ((float *)flat.handle)[i];
    return like;
}

typedef struct view_list {
    nn_view    *view[MOST_VIEWS];
    view_role   role[MOST_VIEWS];
    const char *name[MOST_VIEWS];
    int         count;
} view_list;

static void list_view(void *user, nn_view *view, view_role role, const char *name) {
    view_list *list = (view_list *)user;
    if (list->count >= MOST_VIEWS) return;
    list->view[list->count] = view;
    list->role[list->count] = role;
    list->name[list->count++] = name;
}

static view_list list_views(nn_kernel kernel, void *args) {
    view_list list;
    memset(&list, 0, sizeof list);
    kernel_visit_views(kernel, args, list_view, &list);
    return list;
}

static bool is_output(view_role role) { return role == VIEW_OUT || role == VIEW_CHANGED; }

/* ---- the reference of a case ----------------------------------------------------------------- */

static void run_reference(nn_kernel kernel, any_args *a, const view_list *list,
                          reference_array *arrays) {
    reference_outputs out;
    out.views = list->view;
    out.arrays = arrays;
    out.count = list->count;
    switch (kernel) {
#define NN__X(number, upper, lower, args, family)                                                  \
    case NN_KERNEL_##upper: reference_case_##lower(&a->lower, &out); break;
        NN_KERNELS(NN__X)
#undef NN__X
        case NN_KERNEL_NONE: case NN_KERNEL_COUNT: break;
    }
}

static void make_reference_arrays(const view_list *list, reference_array *arrays) {
    int i;
    memset(arrays, 0, sizeof *arrays * MOST_VIEWS);
    for (i = 0; i < list->count; i++)
        if (is_output(list->role[i])) {
            size_t count = (size_t)view_count(list->view[i]);
            arrays[i].value = (double *)calloc(count, sizeof(double));
            arrays[i].scale = (double *)calloc(count, sizeof(double));
        }
}

static void free_reference_arrays(reference_array *arrays) {
    int i;
    for (i = 0; i < MOST_VIEWS; i++) { free(arrays[i].value); free(arrays[i].scale); }
}

#ifdef PAGES
static const char *running; /* the case */
static void name_the_case(int number) {
    const char *text = running ? running : "no case";
    if (write(2, text, strlen(text)) < 0 || write(2, ": read beyond an operand?\n", 26) < 0)
        _exit(3);
    signal(number, SIG_DFL);
    raise(number);
}
#endif

/* ---- running a case on a target -------------------------------------------------------------- */

/* RUN_FIRST runs unit 0 alone, RUN_REST the others alone. */
typedef enum run_how { RUN_WHOLE, RUN_SLICED, RUN_FIRST, RUN_REST, RUN_TIMED } run_how;

typedef struct buffer {
    void    *handle;
    char    *image; /* guard, data, guard: uploaded before, downloaded after */
    char    *before;
    uint64_t bytes; /* of the data */
    unsigned char guard;
#ifdef PAGES
    char  *pages; /* its end is the end of the data; NULL: the device's memory */
    size_t page_bytes;
#endif
} buffer;

static bool guards_ok(const buffer *b) {
    uint64_t i;
    for (i = 0; i < GUARD; i++)
        if ((unsigned char)b->image[i] != b->guard ||
            (unsigned char)b->image[GUARD + b->bytes + i] != b->guard)
            return false;
    return true;
}

#ifdef PAGES
/* Moves the buffer of make_buffer to the end of a page. A read beyond its end, such as that of a
   whole vector, then ends the program; if other memory followed, no test would notice. */
static bool move_to_page_end(const nn_backend *backend, void *state, buffer *b, uint64_t alignment) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t bytes = (size_t)((b->bytes + alignment - 1) / alignment * alignment) + GUARD;
    b->page_bytes = (bytes + page - 1) / page * page + page;
    char *pages = (char *)mmap(NULL, b->page_bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == (char *)MAP_FAILED) return false;
    b->pages = pages;
    if (mprotect(pages + b->page_bytes - page, page, PROT_NONE) != 0) return false;
    backend->release(state, b->handle, b->bytes + 2 * GUARD);
    b->handle = pages + b->page_bytes - page - bytes;
    memcpy(b->handle, b->image, (size_t)b->bytes + GUARD);
    return true;
}
#endif

/* data NULL: scratch, filled with `guard`. */
static bool make_buffer(const nn_backend *backend, void *state, const void *data, uint64_t bytes,
                        unsigned char guard, buffer *b) {
    uint64_t all = bytes + 2 * GUARD;
    b->bytes = bytes;
    b->guard = guard;
    b->image = (char *)malloc((size_t)all);
    b->before = (char *)malloc((size_t)bytes + 1);
    memset(b->image, guard, (size_t)all);
    if (data) memcpy(b->image + GUARD, data, (size_t)bytes);
    memcpy(b->before, b->image + GUARD, (size_t)bytes);
    if (backend->alloc(state, all, &b->handle) < 0) return false;
    return backend->upload(state, b->handle, 0, b->image, all, NULL) >= 0;
}

static bool read_buffer(const nn_backend *backend, void *state, buffer *b) {
#ifdef PAGES
    if (b->pages) memcpy(b->image, b->handle, (size_t)b->bytes + GUARD);
    if (b->pages) return true;
#endif
    return backend->download(state, b->handle, 0, b->image, b->bytes + 2 * GUARD, NULL) >= 0;
}

static void free_buffer(const nn_backend *backend, void *state, buffer *b) {
#ifdef PAGES
    if (b->pages) munmap(b->pages, b->page_bytes);
    else
#endif
    if (b->handle) backend->release(state, b->handle, b->bytes + 2 * GUARD);
    free(b->image);
    free(b->before);
}

static void forget_handle(void *user, nn_view *view, view_role role, const char *name) {
    (void)user; (void)role; (void)name;
    view->handle = NULL;
    view->offset = 0;
}

static double now_seconds(void) {
    nn_clock clock;
    memset(&clock, 0, sizeof clock);
    nn__clock_init(&clock);
    return (double)nn__now(&clock) * 1e-9;
}

/* Only CPUs that use Winograd's algorithm have the kernel of shards; only CPUs have the kernels of
   `of_cpus`, and convolutions with slopes. */
static bool may_refuse(const target *t, const test_case *c) {
    const bool of_cpus = c->kernel == NN_KERNEL_SEPARABLE ||
                         c->kernel == NN_KERNEL_RECURRENT_WHOLE ||
                         c->kernel == NN_KERNEL_QUANTIZE_EVEN ||
                         c->kernel == NN_KERNEL_QUANTIZED_LINEAR ||
                         c->kernel == NN_KERNEL_QUANTIZED_CONV2D ||
                         c->kernel == NN_KERNEL_QUANTIZED_LSTM;
    /* its sums would not be those of training */
    const bool portable = c->kernel == NN_KERNEL_RECURRENT_WHOLE && t->device.kind == NN_CPU &&
                          strncmp(nn_instruction_set_name(t->nn), "portable", 8) == 0;
    const bool slopes = c->kernel == NN_KERNEL_CONV2D_FORWARD &&
                        c->args.conv2d_forward.slope.dtype &&
                        t->device.kind != NN_CPU;
    return portable || slopes || (c->kernel == NN_KERNEL_SHARD_CONV2D &&
            (t->device.kind != NN_CPU || strstr(t->name, "avx") == NULL)) ||
           (of_cpus && t->device.kind != NN_CPU);
}

/* Runs the case; images[i] (NULL before) receives the malloced contents of output i. false: not
   supported or failed. */
static bool run_case(const target *t, test_case *c, run_how how, char **images) {
    void *state, *args = kernel_args_copy(c->kernel, &c->args);
    const nn_backend *backend = nn_device_backend(t->nn, t->device, &state);
    void *question = kernel_args_copy(c->kernel, &c->args);
    view_list list = list_views(c->kernel, args), host = list_views(c->kernel, &c->args);
    nn_view *scratch = kernel_scratch_view(c->kernel, args);
    buffer buffers[MOST_VIEWS], scratch_buffer;
    char reason[200] = "";
    uint64_t scratch_bytes;
    int32_t units;
    int i, j;
    bool ok = true;
    nn_range range = {0, -1};
    nn_result result = NN_OK;
#ifdef PAGES
    const bool at_page_ends = how == RUN_SLICED && t->device.kind == NN_CPU &&
                              (t == targets || t->group != t[-1].group);
    running = c->name;
#endif
    memset(buffers, 0, sizeof buffers);
    memset(&scratch_buffer, 0, sizeof scratch_buffer);
    kernel_visit_views(c->kernel, question, forget_handle, NULL);
    if (!backend->supports(state, c->kernel, question, reason, sizeof reason)) {
        if (!may_refuse(t, c))
            test_fail(__FILE__, __LINE__, "%s on %s: not supported: %s", c->name, t->name,
                      reason);
        free(args);
        free(question);
        return false;
    }
    scratch_bytes = backend->scratch_bytes(state, c->kernel, question);
    if (backend->prepare(state, c->kernel, question) < 0) ok = false;
    units = backend->units(state, c->kernel, question);
    if (getenv("SHOW_UNITS") && how == RUN_WHOLE)
        printf("%s %s: %d\n", t->name, nn_kernel_name(c->kernel), (int)units);
    if (units < 1)
        test_fail(__FILE__, __LINE__, "%s on %s: units() is %d", c->name, t->name, (int)units);
    for (i = 0; i < list.count && ok; i++) {
        for (j = 0; j < i; j++) if (host.view[j]->handle == host.view[i]->handle) break;
        if (j == i)
            ok = make_buffer(backend, state, host.view[i]->handle, view_bytes(host.view[i]),
                             is_output(list.role[i]) ? GUARD_OF_OUTPUT : GUARD_OF_INPUT,
                             &buffers[i]);
#ifdef PAGES
        if (j == i && ok && at_page_ends) ok = move_to_page_end(backend, state, &buffers[i], 1);
#endif
        list.view[i]->handle = buffers[j].handle;
        list.view[i]->offset = GUARD;
    }
    if (scratch && scratch_bytes && ok) {
        ok = make_buffer(backend, state, NULL, scratch_bytes,
                         how == RUN_SLICED ? GUARD_OF_OUTPUT : GUARD_OF_INPUT, &scratch_buffer);
#ifdef PAGES
        if (ok && at_page_ends) ok = move_to_page_end(backend, state, &scratch_buffer, GUARD);
#endif
        scratch->dtype = NN_U8;
        scratch->shape.rank = 1;
        scratch->shape.extent[0] = (int32_t)scratch_bytes;
        scratch->handle = scratch_buffer.handle;
        scratch->offset = GUARD;
    }
    if (ok && how == RUN_TIMED) {
        int64_t runs = 0;
        double start, seconds = 0, bytes = 0;
        for (i = 0; i < list.count; i++) bytes += (double)buffers[i].bytes;
        result = nn_run_kernel(t->nn, t->device, c->kernel, args, range);
        (void)backend->finish(state);
        start = now_seconds();
        while (seconds < 0.2 && result >= 0) {
            result = nn_run_kernel(t->nn, t->device, c->kernel, args, range);
            (void)backend->finish(state);
            runs++;
            seconds = now_seconds() - start;
        }
        if (c->flops > 0)
            printf("%-28s %-52s %9.2f GFLOP/s\n", t->name, c->name,
                   c->flops * (double)runs / seconds * 1e-9);
        else
            printf("%-28s %-52s %9.2f GB/s\n", t->name, c->name,
                   bytes * (double)runs / seconds * 1e-9);
        fflush(stdout);
    } else if (ok && how == RUN_SLICED) {
        range.first = 0; range.count = 1;
        result = nn_run_kernel(t->nn, t->device, c->kernel, args, range);
        range.first = 1; range.count = units > 2 ? 2 : 1;
        if (result >= 0 && units > 1)
            result = nn_run_kernel(t->nn, t->device, c->kernel, args, range);
        range.first = 3; range.count = units - 3;
        if (result >= 0 && units > 3)
            result = nn_run_kernel(t->nn, t->device, c->kernel, args, range);
    } else if (ok) {
        if (how == RUN_FIRST || how == RUN_REST) {
            range.first = how == RUN_REST;
            range.count = how == RUN_REST ? units - 1 : 1;
        }
        result = nn_run_kernel(t->nn, t->device, c->kernel, args, range);
    }
    if (ok && result >= 0) result = backend->finish(state);
    if (!ok || result < 0) {
        test_fail(__FILE__, __LINE__, "%s on %s: failed (%s): %s", c->name, t->name,
                  nn_result_text(result), nn_error(t->nn) ? nn_error(t->nn) : "no message");
        nn_clear_error(t->nn);
        ok = false;
    }
    for (i = 0; i < list.count && ok && how != RUN_TIMED; i++) {
        buffer *b = &buffers[i];
        bool written = is_output(list.role[i]);
        if (!b->handle) continue; /* this tensor shares the storage of another one */
        for (j = 0; j < list.count; j++)
            if (host.view[j]->handle == host.view[i]->handle && is_output(list.role[j]))
                written = true;
        if (!read_buffer(backend, state, b)) ok = false;
        if (!guards_ok(b))
            test_fail(__FILE__, __LINE__, "%s on %s: wrote outside of %s", c->name, t->name,
                      list.name[i]);
        if (!written && memcmp(b->before, b->image + GUARD, (size_t)b->bytes) != 0)
            test_fail(__FILE__, __LINE__, "%s on %s: changed its input %s", c->name, t->name,
                      list.name[i]);
        if (is_output(list.role[i])) {
            images[i] = (char *)malloc((size_t)b->bytes + 1);
            memcpy(images[i], b->image + GUARD, (size_t)b->bytes);
        }
    }
    if (scratch_buffer.handle && ok) {
        (void)read_buffer(backend, state, &scratch_buffer);
        if (!guards_ok(&scratch_buffer))
            test_fail(__FILE__, __LINE__, "%s on %s: wrote outside of its scratch", c->name,
                      t->name);
    }
    for (i = 0; i < list.count; i++) free_buffer(backend, state, &buffers[i]);
    free_buffer(backend, state, &scratch_buffer);
    free(args);
    free(question);
    return ok;
}

/* Rounding an operand to TF32 (bf16) changes a product by at most 2^-11 (2^-8) of its size.
   Attention also rounds the weights, or the gradients of the scores, before its second product. */
static double tolerance_of(const target *t, const test_case *c) {
    const bool attention = c->kernel == NN_KERNEL_ATTENTION_FORWARD ||
                           c->kernel == NN_KERNEL_ATTENTION_BACKWARD;
    const double slope = attention ? 2 : 1.13; /* 1.13: GELU's largest */
    any_args args = c->args;
    if ((c->exact && !attention) || !nn__kernel_precision(c->kernel, &args)) return c->tolerance;
    return c->tolerance + slope * (t->precision == NN_PRECISION_MEDIUM ? 1.01 / 128
                                   : t->precision == NN_PRECISION_HIGH ? 1.0 / 1024
                                                                       : 0.0);
}

static void compare_to_reference(const target *t, const test_case *c, const view_list *list,
                                 const reference_array *arrays, char **images) {
    const double share = tolerance_of(t, c);
    int i;
    int64_t j;
    for (i = 0; i < list->count; i++) {
        if (!images[i]) continue;
        test_checked((long)view_count(list->view[i]));
        for (j = 0; j < view_count(list->view[i]); j++) {
            bool bytes = list->view[i]->dtype == NN_U8, small = list->view[i]->dtype == NN_I8,
                 integer = bytes || small || list->view[i]->dtype == NN_I32,
                 half = nn_dtype_size(list->view[i]->dtype) == 2;
            double got = bytes     ? (double)((uint8_t *)images[i])[j]
                         : small   ? (double)((int8_t *)images[i])[j]
                         : half    ? value_of(list->view[i]->dtype,
                                              ((uint16_t *)(void *)images[i])[j])
                         : integer ? (double)((int32_t *)(void *)images[i])[j]
                                   : (double)((float *)(void *)images[i])[j];
            double want = arrays[i].value[j], tolerance = share * arrays[i].scale[j] + 1e-30;
            if (!integer && fabs(want) > 3.4028235677973366e38)
                want = want > 0 ? INFINITY : -INFINITY; /* rounds to it */
            if (got == want || (got != got && want != want)) continue;
            if (!integer && isfinite(want) && fabs(got - want) <= tolerance) continue;
            if (c->status_may_stay && integer && got == 0) continue;
            test_fail(__FILE__, __LINE__,
                      "%s on %s: %s[%lld] is %.9g, the reference says %.9g (tolerance %.3g)",
                      c->name, t->name, list->name[i], (long long)j, got, want, tolerance);
            break;
        }
    }
}

static void compare_bytes(const target *t, const test_case *c, const view_list *list, char **first,
                          char **second, const char *what) {
    int i;
    for (i = 0; i < list->count; i++)
        if (first[i] && second[i] &&
            memcmp(first[i], second[i], (size_t)view_bytes(list->view[i])) != 0)
            test_fail(__FILE__, __LINE__, "%s on %s: %s gives other bytes of %s", c->name, t->name,
                      what, list->name[i]);
}

static void free_images(char **images) {
    int i;
    for (i = 0; i < MOST_VIEWS; i++) { free(images[i]); images[i] = NULL; }
}

/* True if several units of the CPU compute the case in one phase. */
static bool in_one_phase(const target *t, const test_case *c) {
    const nn__cpu *cpu = (const nn__cpu *)t->nn->cpu;
    const nn__cpu_kernel *functions = t->device.kind == NN_CPU ? cpu->kernels[c->kernel] : NULL;
    return functions && functions->units(cpu, &c->args, 0) > 1 &&
           functions->units(cpu, &c->args, 1) <= 0;
}

/* Two units that write the same numbers give the right result, but twice the work, and a race.
   Compares what the first unit changes alone with what the others change. A status word belongs to
   all units. */
static void compare_units(const target *t, test_case *c, const view_list *list) {
    char *first[MOST_VIEWS], *rest[MOST_VIEWS];
    memset(first, 0, sizeof first);
    memset(rest, 0, sizeof rest);
    if (run_case(t, c, RUN_FIRST, first) && run_case(t, c, RUN_REST, rest))
        for (int i = 0; i < list->count; i++) {
            const char *before = (const char *)list->view[i]->handle;
            const uint64_t bytes = first[i] && rest[i] ? view_bytes(list->view[i]) : 0;
            uint64_t both = 0;
            for (uint64_t j = 0; j < bytes && bytes > 4; j++)
                both += first[i][j] != before[j] && rest[i][j] != before[j];
            if (test_wrong(both > 0))
                test_fail(__FILE__, __LINE__, "%s on %s: unit 0 and others write %lld bytes of %s",
                          c->name, t->name, (long long)both, list->name[i]);
        }
    free_images(first);
    free_images(rest);
}

static double loss_of(test_case *c, const view_list *list, reference_array *arrays) {
    reference_outputs out;
    reference_array y;
    const float *dy = view_f32(c->dy);
    double sum = 0;
    int64_t i;
    run_reference(c->forward_kernel, &c->forward, list, arrays);
    out.views = list->view;
    out.arrays = arrays;
    out.count = list->count;
    y = reference_at(&out, c->forward_y);
    for (i = 0; i < view_count(c->forward_y); i++) sum += (double)dy[i] * y.value[i];
    return sum;
}

/* Compares some elements of every gradient with central differences. */
static void compare_to_differences(const target *t, test_case *c, const view_list *outputs,
                                   char **images) {
    view_list list = list_views(c->forward_kernel, &c->forward);
    reference_array arrays[MOST_VIEWS];
    int g, i;
    make_reference_arrays(&list, arrays);
    for (g = 0; g < 2; g++) {
        gradient_check *check = &c->gradients[g];
        int64_t count, j, step;
        float *x;
        if (!check->output) continue;
        for (i = 0; i < outputs->count; i++) if (outputs->view[i] == check->output) break;
        if (i == outputs->count || !images[i]) continue;
        count = view_count(check->output);
        step = count / 9 + 1;
        x = view_f32(check->input);
        for (j = (int64_t)(next_word() % (uint32_t)step); j < count; j += step) {
            float old = x[j], high = old + 0.0009765625f, low = old - 0.0009765625f;
            double up, down, slope, got = (double)((float *)(void *)images[i])[j];
            x[j] = high;
            up = loss_of(c, &list, arrays);
            x[j] = low;
            down = loss_of(c, &list, arrays);
            x[j] = old;
            slope = (up - down) / ((double)high - (double)low);
            if (test_wrong(!(fabs(slope - got) <= 2e-4 * (1 + fabs(slope)))))
                test_fail(__FILE__, __LINE__,
                          "%s on %s: gradient %s[%lld] is %.9g, differences say %.9g", c->name,
                          t->name, outputs->name[i], (long long)j, got, slope);
        }
    }
    free_reference_arrays(arrays);
}

static void forget_case(test_case *c) {
    for (int i = 0; i < c->memory_count; i++) free(c->memory[i]);
    c->memory_count = 0;
}

static int64_t elements_of(const view_list *list) {
    int64_t count = 0;
    for (int i = 0; i < list->count; i++) count += view_count(list->view[i]);
    return count;
}

/* OpenCL devices with kernels of their own run one in n of the following cases, because a driver
   takes a second to compile each further set of build options. n is coprime to the periods of a
   test's options, so each option occurs. With NN_FULL, or if only OpenCL devices are tested, all
   cases run. */
static void compile_one_in(int n) {
    const bool all = getenv("NN_FULL") || getenv("NN_TEST_AS") || getenv("NN_TEST_CASES");
    compiled_share = all ? 1 : n;
    case_count = 0;
}

static int number_from(const char *variable, int otherwise) {
    return getenv(variable) ? atoi(getenv(variable)) : otherwise;
}

#include "case_cuts.h"

/* Gives the case the precision of a target. */
static void set_precision(test_case *c, const target *t) {
    nn_precision *precision = nn__kernel_precision(c->kernel, &c->args);
    if (precision) *precision = t->precision;
}

/* With NN_TEST_AS=tf32 or bf16, every other case gets operands with so few bits that nothing is
   rounded. (f16 has more bits than bf16.) */
static void leave_few_bits(test_case *c, view_list *list) {
    const bool bf16 = tested_precision == NN_PRECISION_MEDIUM;
    bool exact = case_count % 2 == 1;
    if (!nn__kernel_precision(c->kernel, &c->args) || tested_precision == NN_PRECISION_DEFAULT)
        return;
    for (int i = 0; i < list->count; i++) exact = exact && !(bf16 && list->view[i]->dtype == NN_F16);
    for (int i = 0; i < list->count && exact; i++) {
        float *x = (float *)(void *)((char *)list->view[i]->handle + list->view[i]->offset);
        if (list->role[i] != VIEW_IN || list->view[i]->dtype != NN_F32) continue;
        for (int64_t j = 0; j < view_count(list->view[i]); j++) {
            uint32_t bits;
            memcpy(&bits, &x[j], 4);
            bits &= bf16 ? 0xffff0000u : 0xffffe000u;
            if (x[j] == x[j]) memcpy(&x[j], &bits, 4);
        }
    }
    c->exact = exact;
}

/* Runs `current` on all targets, and forgets it. */
static void end_case(void) {
    test_case *c = &current;
    view_list list = list_views(c->kernel, &c->args);
    reference_array arrays[MOST_VIEWS];
    char *images[MOST_VIEWS], *group_images[MOST_VIEWS], *slices[MOST_VIEWS];
    int i, group = -1;
    memset(images, 0, sizeof images);
    memset(group_images, 0, sizeof group_images);
    memset(slices, 0, sizeof slices);
    memset(arrays, 0, sizeof arrays);
    if (elements_of(&list) > largest_case) { forget_case(c); return; }
    leave_few_bits(c, &list);
    if (!mode_timed && mode_correct) {
        make_reference_arrays(&list, arrays);
        run_reference(c->kernel, &c->args, &list, arrays);
    }
    for (i = 0; i < target_count; i++) {
        target *t = &targets[i];
        if (t->compiles && case_count % compiled_share) continue;
        cuts_add(t, c);
        set_precision(c, t);
        if (mode_timed) { (void)run_case(t, c, RUN_TIMED, images); continue; }
        if (!run_case(t, c, RUN_WHOLE, images)) continue;
        if (mode_correct) {
            bool same_group = t->group == group;
            if (same_group)
                compare_bytes(t, c, &list, group_images, images,
                              "this number of threads (or device)");
            if (!same_group || t->device.kind != NN_CPU)
                compare_to_reference(t, c, &list, arrays, images);
            if ((!t->between || every_slice) && run_case(t, c, RUN_SLICED, slices))
                compare_bytes(t, c, &list, images, slices, "running in slices");
            free_images(slices);
            if (!same_group && in_one_phase(t, c))
                compare_units(t, c, &list);
        }
        if (mode_gradient && c->forward_kernel && t->group != group)
            compare_to_differences(t, c, &list, images);
        if (t->group != group) {
            free_images(group_images);
            memcpy(group_images, images, sizeof images);
            memset(images, 0, sizeof images);
            group = t->group;
        }
        free_images(images);
    }
    free_images(images);
    free_images(group_images);
    free_reference_arrays(arrays);
    forget_case(c);
    case_count++;
}

/* ---- every kernel of the table, on the cases of nn_self_test (kernels/<family>/cases.h) ------ */

static void move_view(nn__self_test *from, test_case *to, int i) {
    nn_view *view = from->views[i].view;
    char *inside = (char *)view, *args = (char *)&from->args;
    if (inside >= args && inside < args + sizeof from->args)
        view = (nn_view *)(void *)((char *)&to->args + (inside - args));
    view->handle = from->block + from->views[i].at;
    view->offset = 0;
}

static void test_table(void) {
    static nn__self_test test;
    const char *only = getenv("NN_TEST_KERNEL");
    int kernels = 0;
    test.block = (char *)malloc(NN__SELF_TEST_BYTES);
    for (int kernel = 1; kernel < NN_KERNEL_COUNT; kernel++) {
        if (kernel == NN_KERNEL_POINTWISE) continue; /* test_pointwise.c */
        if (only && !strstr(nn_kernel_name((nn_kernel)kernel), only)) continue;
        test.kernel = (nn_kernel)kernel;
        test.counter = 0;
        for (int i = 0; nn__self_test_describe(&test, i); i++) {
            kernels += i == 0;
            ENSURE(test.used <= NN__SELF_TEST_BYTES); /* a larger case overruns nn_self_test's */
            begin_case((nn_kernel)kernel, "%s, case %d: %s", nn_kernel_name((nn_kernel)kernel), i,
                       test.what);
            memcpy(&current.args, &test.args, sizeof current.args);
            for (int v = 0; v < test.view_count; v++) move_view(&test, &current, v);
            end_case();
        }
    }
    free(test.block);
    ENSURE(kernels > (only ? 0 : 18));
}

/* True if the self-test's table says "right" of so many kernels. */
static bool says_right(const char *table, int kernels) {
    for (; (table = strstr(table, "right ")) != NULL; table++) kernels--;
    return kernels == 0;
}

/* Runs nn_self_test on each OpenCL device, after test_table has compiled its programs. All kernels
   are right but those of may_refuse that the CPU alone has. */
static void test_self_test(void) {
#define NN__X(number, upper, lower, args, family) +1
    enum { KERNELS = NN_KERNELS(NN__X), ONLY_CPU = 7 };
#undef NN__X
    static char table[20000];
    int devices = 0;
    for (int i = 0; i < target_count; i++) {
        const target *t = &targets[i];
        nn_text out = {table, sizeof table, 0};
        nn_writer writer = {nn_write_text, &out};
        if (!t->compiles || t->precision != NN_PRECISION_DEFAULT) continue;
        devices++;
        if (test_wrong(nn_self_test(t->nn, t->device, writer) != NN_OK))
            test_fail(__FILE__, __LINE__, "%s\n%s", nn_error(t->nn), table);
        ENSURE(says_right(table, KERNELS - ONLY_CPU));
    }
    if (!devices) SKIP_PART("no OpenCL device here");
}

/* Leaves the numbers few bits, as in kernels/shard_sum/cases.h, so that sums of them are exact. */
static nn_view few_bits(nn_view view, float unit) {
    float *numbers = (float *)view.handle;
    for (int64_t i = 0; i < view_count(&view); i++)
        numbers[i] = (float)(int)(numbers[i] * 2048.0f) * unit;
    return view;
}

/* Tests sums of as many numbers as the CPU's units have, and of one number more. In the last case
   some numbers are rounded, the last of them in the second unit. */
static void test_shard_sum_units(void) {
    static const int counts[] = {16384, 16385, 32769, 33001}, rounded[] = {0, 0, 0, 20011};
    for (int i = 0; i < 4; i++) {
        nn_shard_sum_args *a = &current.args.shard_sum;
        begin_case(NN_KERNEL_SHARD_SUM, "shard_sum of %d numbers", counts[i]);
        a->count = 1;
        a->rounded = rounded[i];
        a->x = few_bits(make_view(FILL_SIGNED, 1, counts[i], 0, 0, 0), 1.0f / 64);
        a->sums[0] = few_bits(make_view(FILL_SIGNED, 1, counts[i], 0, 0, 0), 1.0f / 64);
        a->to = make_output(false, 1, counts[i], 0, 0, 0);
        for (int k = 0; k < 2 && rounded[i]; k++)
            a->rests[k] =
                few_bits(make_output(true, 1, rounded[i], 0, 0, 0), 1.0f / 4096);
        end_case();
    }
}

/* ---- random shapes, on every family ---------------------------------------------------------- */

static uint32_t shape_state = 20260101;
static int pick(int below) { /* apart from next_word, which each case starts anew */
    shape_state = shape_state * 1664525u + 1013904223u;
    return (int)((shape_state >> 8) % (uint32_t)below);
}

/* Opens the OpenCL devices once more, with the kernels of other kinds of devices, and in tiles that
   are for large products. They are opened once, after the other targets. */
static void open_other_families(void) {
#ifdef NN_TEST_OPENCL
    static bool asked; /* there may be no OpenCL device at all */
    static int opened;
    static const char *const families[] = {"small", "plain", "large", "winograd",
                                           "patches", "tf32", "bf16"};
    const int before = target_count;
    int i;
    target_count += opened;
    for (i = 0; i < 7 && !asked && !getenv("NN_TEST_AS"); i++) open_opencl_targets(families[i]);
    asked = true;
    opened = target_count - before;
#endif
}

/* Keeps only the targets that are the library's own CPU, with each instruction set. */
static void keep_cpus(void) {
    const int count = target_count;
    target_count = 0;
    for (int i = 0; i < count; i++)
        if (targets[i].device.kind == NN_CPU) targets[target_count++] = targets[i];
}

/* True if a target is the CPU. With NN_TEST_AS all targets are OpenCL devices. */
static bool has_cpu(void) {
    for (int i = 0; i < target_count; i++)
        if (targets[i].device.kind == NN_CPU) return true;
    return false;
}

static void draw_one(int i, void (*one)(void)) {
    cuts_paused = i >= CUTS_DRAWN;
    one();
    cuts_paused = false;
}

/* Of the OpenCL devices, with their own kernels and with those of other kinds of devices, keeps those
   of draw i: each has one draw in four, and each draw has some of them. The CPU has every draw. */
static void keep_some_families(int i) {
    const int count = target_count;
    target_count = 0;
    for (int t = 0; t < count; t++)
        if (targets[t].device.kind != NN_OPENCL || (t + i) % 4 == 0)
            targets[target_count++] = targets[t];
}

/* Draws `fewest` cases (without NN_FULL a third of them) on every target, then further cases for
   the CPU's targets alone, up to NN_TEST_CPU_CASES in all (50), because drivers take long to
   compile a kernel for each shape. With NN_TEST_CASES=N there are N cases on every target, and
   OpenCL devices are also tested as every other kind of device, which `families` always does, but
   without NN_FULL only in some of the draws. Their contexts are closed with the others. */
static void draw(int fewest, bool families, void (*one)(void)) {
    const bool gradient = mode_gradient;
    const int some = getenv("NN_FULL") ? fewest : (fewest + 2) / 3;
    const int count = target_count, cases = number_from("NN_TEST_CASES", some),
              cpu_cases = number_from("NN_TEST_CPU_CASES", 50);
    target all[64];
    mode_gradient = false; /* the references' own gradients are checked with the other cases */
    /* A test gets the same shapes whether it runs alone or not, and new ones each time that it
       draws. */
    shape_state = 20260101u + 7919u * (uint32_t)cuts_draws++;
    if (mode_correct && (families || cases != some)) open_other_families();
    memcpy(all, targets, sizeof all);
    for (int i = 0, every = target_count; i < cases && mode_correct; i++) {
        if (families && cases == some && !getenv("NN_FULL")) keep_some_families(i);
        draw_one(i, one);
        memcpy(targets, all, sizeof all);
        target_count = every;
    }
    target_count = count;
    keep_cpus();
    for (int i = cases; i < cpu_cases && mode_correct && target_count; i++) draw_one(i, one);
    memcpy(targets, all, sizeof all);
    target_count = count;
    mode_gradient = gradient;
}

/* ---- gemm ------------------------------------------------------------------------------------ */

static void gemm_case(int m, int n, int k, bool ta, bool tb, bool accumulate, bool bias,
                      nn_activation activation) {
    nn_gemm_args *g = &current.args.gemm;
    begin_case(NN_KERNEL_GEMM, "gemm m%d n%d k%d%s%s%s%s act%d", m, n, k, ta ? " ta" : "",
               tb ? " tb" : "", accumulate ? " acc" : "", bias ? " bias" : "", (int)activation);
    g->m = m; g->n = n; g->k = k;
    g->transpose_a = ta; g->transpose_b = tb;
    g->accumulate = accumulate;
    g->a = make_view(FILL_SIGNED, 2, ta ? k : m, ta ? m : k, 0, 0);
    g->b = make_view(FILL_SIGNED, 2, tb ? n : k, tb ? k : n, 0, 0);
    g->y = make_output(accumulate, 2, m, n, 0, 0);
    if (bias) g->epilogue.bias = make_view(FILL_SIGNED, 1, n, 0, 0, 0);
    g->epilogue.activation = activation;
    current.flops = 2.0 * m * n * k;
    end_case();
}

static void test_gemm(void) {
    static const int sizes[][3] = {
        {1, 1, 1},    {1, 7, 1},     {7, 1, 5},    {1, 1, 300},   {3, 5, 7},     {16, 16, 16},
        {17, 33, 65}, {13, 128, 30}, {6, 16, 4},   {129, 97, 31}, {1, 513, 257}, {200, 3, 1},
        {5, 9, 1031}, {2, 1100, 20}, {301, 7, 60}, {1, 10, 784},  {31, 10, 128}, {65, 64, 63}};
    int i, j;
    compile_one_in(5);
    for (i = 0; i < (int)(sizeof sizes / sizeof sizes[0]); i++)
        for (j = 0; j < 4; j++)
            gemm_case(sizes[i][0], sizes[i][1], sizes[i][2], (j & 1) != 0, (j & 2) != 0,
                      (i + j) % 3 == 1, (i + j) % 3 == 2,
                      (i + j) % 3 == 2 ? (nn_activation)((i + j) % 5) : NN_ACTIVATION_NONE);
    compile_one_in(2); /* each activation once */
    for (i = 0; i < NN_ACTIVATION_COUNT; i++) {
        gemm_case(11, 37, 19, false, true, false, true, (nn_activation)i);
        gemm_case(9, 5, 300, false, false, false, false, (nn_activation)i);
    }
    compile_one_in(3);
    gemm_case(40, 33, 300, false, false, true, true, NN_ACTIVATION_NONE);
    gemm_case(1, 709, 779, false, true, true, true, NN_ACTIVATION_NONE); /* b does not fit into a
                                                                            cache */
    gemm_case(1, 197, 2711, false, true, false, false, NN_ACTIVATION_RELU);
    for (i = 2; i < 13; i += 1 + (i > 5) * 3) /* a few rows of such a matrix */
        gemm_case(i, 710 - i, 779 + i, false, true, i % 2 == 1, i % 3 == 1, NN_ACTIVATION_NONE);
    gemm_case(150, 150, 513, false, false, true, false, NN_ACTIVATION_NONE);
    gemm_case(150, 150, 513, true, true, false, true, NN_ACTIVATION_RELU);
    /* a short k, for which GPUs compute outer products */
    gemm_case(256, 260, 1, true, false, false, false, NN_ACTIVATION_NONE);
    gemm_case(171, 201, 7, false, true, true, false, NN_ACTIVATION_NONE);
    gemm_case(301, 132, 8, false, false, false, true, NN_ACTIVATION_GELU);
    for (j = 0; j < 4; j++) { /* several blocks of rows; one column by one row */
        if (j != 3)
            gemm_case(310 + j, 64, 130, (j & 1) != 0, (j & 2) != 0, j == 0, j == 2,
                      NN_ACTIVATION_NONE);
        gemm_case(37, 90 + j, 1, (j & 1) != 0, (j & 2) != 0, j == 1, j > 1,
                  j == 3 ? NN_ACTIVATION_TANH : NN_ACTIVATION_NONE);
    }
    for (i = 8; i <= 64; i *= 2) /* one less than a whole vector, and than several */
        for (j = 0; j < 4; j++)
            gemm_case(i - 1 - 4 * (j & 1), i - 1, j < 2 ? 1 : i - 1, false, (j & 1) != 0, j == 0,
                      j == 3, NN_ACTIVATION_NONE);
}

/* Makes `count` matrices. Halves are numbers of either sign from 1 / 16 to 1, exclusive. */
static nn_view make_matrices(nn_dtype dtype, int count, int rows, int columns) {
    const uint32_t first = dtype == NN_F16 ? 0x2c00 : 0x3d80;
    const uint32_t all = dtype == NN_F16 ? 0x1000 : 0x200;
    int32_t extents[3];
    nn_view view;
    int64_t i;
    if (dtype == NN_F32) return make_view(FILL_SIGNED, 3, count, rows, columns, 0);
    extents[0] = count; extents[1] = rows; extents[2] = columns;
    view = view_of(dtype, 3, extents);
    for (i = 0; i < view_count(&view); i++) {
        uint32_t word = next_word();
        ((uint16_t *)view.handle)[i] = (uint16_t)((word & 0x8000u) | (first + word % all));
    }
    return view;
}

/* Tests a batch of (outer, inner) products, in turn on the first, the middle and the last two batch
   axes. a_has and b_has name the axes of an operand: bit 0 the inner one, bit 1 the outer one. */
static void batch_case(int outer, int inner, int a_has, int b_has, int m, int n, int k, bool ta,
                       bool tb, bool accumulate, bool bias, nn_dtype a_type, nn_dtype b_type) {
    static int turn;
    const int at = turn++ % (NN_GEMM_BATCH - 1);
    nn_gemm_args *g = &current.args.gemm;
    begin_case(NN_KERNEL_GEMM, "gemm %dx%d at %d (%d, %d) m%d n%d k%d%s%s%s%s %s %s", outer, inner,
               at, a_has, b_has, m, n, k, ta ? " ta" : "", tb ? " tb" : "", accumulate ? " acc" : "",
               bias ? " bias" : "", nn_dtype_name(a_type), nn_dtype_name(b_type));
    g->m = m; g->n = n; g->k = k;
    g->transpose_a = ta; g->transpose_b = tb;
    g->accumulate = accumulate;
    g->batch[at] = outer; g->batch[at + 1] = inner; /* the others are 0, for 1 */
    g->a_batch[at + 1] = a_has & 1; g->a_batch[at] = a_has & 2 ? (a_has & 1 ? inner : 1) : 0;
    g->b_batch[at + 1] = b_has & 1; g->b_batch[at] = b_has & 2 ? (b_has & 1 ? inner : 1) : 0;
    g->a = make_matrices(a_type, (a_has & 1 ? inner : 1) * (a_has & 2 ? outer : 1), ta ? k : m,
                         ta ? m : k);
    g->b = make_matrices(b_type, (b_has & 1 ? inner : 1) * (b_has & 2 ? outer : 1), tb ? n : k,
                         tb ? k : n);
    g->y = make_output(accumulate, 3, outer * inner, m, n, 0);
    if (bias) g->epilogue.bias = make_view(FILL_SIGNED, 1, n, 0, 0, 0);
    g->epilogue.activation = bias ? NN_ACTIVATION_RELU : NN_ACTIVATION_NONE;
    current.flops = 2.0 * m * n * k * outer * inner;
    end_case();
}

static void test_gemm_batch(void) {
    static const int sizes[][5] = {
        {1, 1, 1, 1, 1},    {2, 3, 5, 7, 3},       {1, 9, 16, 16, 16},  {3, 4, 17, 33, 40},
        {2, 2, 65, 70, 80}, {1, 3, 13, 10, 1500},  {7, 11, 1, 9, 20},   {1, 2, 129, 97, 31},
        {5, 2, 3, 1, 64},   {1, 2, 200, 300, 600}, {1, 70, 4, 4, 4},    {1, 2, 1, 60, 2100},
        {3, 1, 5, 9, 12}};
    int i, j;
    compile_one_in(5);
    for (i = 0; i < (int)(sizeof sizes / sizeof sizes[0]); i++)
        for (j = 0; j < 4; j++)
            batch_case(sizes[i][0], sizes[i][1], (i + j) % 4 == 1 ? j : 3, (i + j) % 3 ? 3 : j,
                       sizes[i][2], sizes[i][3], sizes[i][4], (j & 1) != 0, (j & 2) != 0,
                       (i + j) % 3 == 1, (i + j) % 3 == 2, NN_F32, NN_F32);
    compile_one_in(1);
}

static void test_gemm_halves(void) {
    static const nn_dtype types[] = {NN_F32, NN_F16, NN_BF16};
    static const int sizes[][3] = {{1, 7, 9},     {1, 40, 1300}, {6, 50, 700},  {33, 65, 70},
                                   {70, 5, 1100}, {130, 97, 31}, {16, 16, 600}, {5, 1, 1}};
    int i, j;
    compile_one_in(23); /* each pair of types, and each order of both operands */
    for (i = 0; i < (int)(sizeof sizes / sizeof sizes[0]); i++)
        for (j = 0; j < 4 * 8; j++)
            batch_case(1, j % 5 == 4 ? 3 : 1, 3, j % 7 == 6 ? 0 : 3, sizes[i][0], sizes[i][1],
                       sizes[i][2], (j & 1) != 0, (j & 2) != 0, (i + j) % 3 == 1, (i + j) % 3 == 2,
                       types[(j / 4 + 1) % 3], types[(j / 4 + 1) / 3]);
    for (j = 0; j < 6; j++) /* b does not fit into a cache */
        batch_case(1, 1, 3, 3, 1 + 2 * j, 700 + j, 777 + j, false, true, j % 3 == 1, j % 2 == 1,
                   NN_F32, types[1 + j % 2]);
    compile_one_in(1);
}

/* Draws extents around whole tiles, more than half of them multiples of four. */
static int random_extent(int most) {
    const int extent = 1 + pick(most);
    return pick(2) ? (extent + 3) / 4 * 4 : pick(4) ? extent : (extent + 127) / 128 * 128;
}

/* Each pair of dtypes is another program for each family of OpenCL kernels, so only f32 is tested
   unless more cases are asked for. */
static void one_gemm(void) {
    static const nn_dtype all[] = {NN_F32, NN_F32, NN_F16, NN_BF16};
    const int types = getenv("NN_TEST_CASES") ? 4 : 1;
    const int m = random_extent(pick(2) ? 40 : 280), n = random_extent(pick(2) ? 40 : 280),
              k = random_extent(pick(3) ? 60 : 600), batch = pick(3) ? 1 : 3;
    batch_case(1, batch, pick(4) ? 3 : 0, pick(4) ? 3 : 0, m, n, k, pick(2) == 0, pick(2) == 0,
               pick(3) == 0, pick(3) == 0, all[pick(types)], all[pick(types)]);
    gemm_case(m, n, k, pick(2) == 0, pick(2) == 0, pick(3) == 0, true,
              (nn_activation)pick(NN_ACTIVATION_COUNT));
}
static void test_gemm_random(void) { draw(16, true, one_gemm); }

/* Tests products that are large enough for CLBlast; the CPU's own are tested by the others. */
static void test_gemm_large(void) {
    static const int sizes[][3] = {
        {323, 327, 321}, {128, 128, 2048}, {129, 1031, 255}, {1030, 513, 65}, {257, 131, 1023}};
    int i, j;
    for (j = 0; j < 4; j++) /* vectors, and an end of half a fetch */
        gemm_case(68, 72, j % 3 ? 28 : 20, (j & 1) != 0, (j & 2) != 0, false, false,
                  NN_ACTIVATION_NONE);
    for (i = 0; i < 5; i++)
        for (j = 0; j < 4; j++)
            gemm_case(sizes[i][0], sizes[i][1], sizes[i][2], (j & 1) != 0, (j & 2) != 0,
                      (i + j) % 3 == 1, (i + j) % 3 == 2,
                      (i + j) % 3 == 2 ? NN_ACTIVATION_RELU : NN_ACTIVATION_NONE);
}

/* ---- conv2d ---------------------------------------------------------------------------------- */

typedef struct conv_shape { int N, C, H, W, K, R, S, sh, sw, ph, pw, dh, dw, G; } conv_shape;

static const conv_shape conv_shapes[] = {
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1},    /* as small as it gets */
    {2, 3, 8, 8, 4, 3, 3, 1, 1, 1, 1, 1, 1, 1},    /* the usual */
    {3, 1, 28, 28, 5, 5, 5, 1, 1, 0, 0, 1, 1, 1},
    {1, 2, 7, 11, 3, 3, 3, 2, 2, 1, 1, 1, 1, 1},   /* stride 2, odd image */
    {2, 3, 5, 6, 7, 5, 6, 1, 1, 0, 0, 1, 1, 1},    /* kernel = image */
    {1, 2, 13, 13, 3, 2, 2, 5, 4, 0, 0, 1, 1, 1},  /* stride > kernel */
    {2, 6, 7, 7, 6, 3, 3, 1, 1, 1, 1, 1, 1, 6},    /* groups = channels */
    {1, 4, 9, 9, 8, 3, 3, 2, 1, 1, 1, 1, 1, 4},    /* two outputs a group */
    {2, 6, 5, 5, 9, 1, 1, 1, 1, 0, 0, 1, 1, 3},
    {1, 3, 11, 13, 2, 3, 3, 1, 1, 2, 2, 2, 2, 1},  /* dilation */
    {1, 2, 17, 10, 3, 3, 2, 2, 3, 2, 1, 3, 2, 1},  /* everything unequal */
    {3, 5, 7, 7, 11, 1, 1, 1, 1, 0, 0, 1, 1, 1},   /* 1 x 1 */
    {2, 4, 6, 6, 3, 1, 1, 2, 2, 0, 0, 1, 1, 1},
    {1, 3, 4, 4, 2, 3, 3, 1, 1, 3, 3, 1, 1, 1},    /* padding >= kernel */
    {1, 1, 1, 70, 2, 1, 9, 1, 1, 0, 4, 1, 1, 1},   /* one row */
    {1, 1, 37, 1, 2, 7, 1, 3, 1, 3, 0, 1, 1, 1},   /* one column */
    {5, 16, 13, 13, 17, 3, 3, 1, 1, 1, 1, 1, 1, 1},
    {1, 32, 8, 8, 33, 3, 3, 1, 1, 1, 1, 1, 1, 1},
    {7, 2, 3, 3, 2, 3, 3, 1, 1, 1, 1, 1, 1, 1},
    {1, 2, 3, 3, 2, 3, 3, 4, 4, 4, 4, 1, 1, 1},    /* some windows see only padding */
    {2, 4, 10, 10, 6, 3, 3, 1, 1, 2, 2, 2, 2, 2},  /* dilation and groups */
    {2, 3, 8, 9, 5, 3, 3, 40, 70000, 0, 0, 1, 1, 1}, /* strides beyond the image */
    {1, 2, 9, 8, 3, 2, 3, 2147483647, 2147483647, 1, 1, 1, 1, 1},
    {1, 2, 30, 4, 3, 5, 2, 6, 1000000000, 3, 0, 4, 2, 1}, /* stride and dilation share a divisor */
    {4, 1, 2, 6, 3, 3, 5, 2, 5, 1, 2, 1, 3, 1}, /* a row of taps reaches out of the image */
    {2, 2, 32, 33, 3, 16, 15, 16, 15, 0, 0, 1, 1, 1}, /* patches */
    {2, 1, 5, 150, 6, 3, 3, 1, 1, 1, 1, 1, 1, 1},     /* panels within rows, and a lone row */
    {1, 3, 4, 60, 5, 3, 3, 1, 1, 1, 1, 1, 1, 1}};     /* most of a row's last panel is full */

/* These fill the larger tiles of GPUs, and are tested only with NN_TEST_AS. */
static const conv_shape large_conv_shapes[] = {{2, 3, 28, 27, 101, 3, 3, 1, 1, 1, 1, 1, 1, 1},
                                               {3, 17, 28, 29, 35, 3, 3, 1, 1, 1, 1, 1, 1, 1},
                                               {9, 5, 33, 29, 19, 3, 2, 1, 1, 1, 1, 1, 1, 1}};

/* These have enough output channels to fill the CPU's vectors: a block of several images,
   of which the last has fewer; some rows of one image; channels in several passes; more panels than
   a unit takes; strides, groups and dilation; images that are read where they are. */
static const conv_shape wide_conv_shapes[] = {{9, 40, 4, 4, 130, 3, 3, 1, 1, 1, 1, 1, 1, 1},
                                              {3, 24, 16, 15, 24, 3, 3, 1, 1, 1, 1, 1, 1, 1},
                                              {2, 9, 37, 17, 32, 3, 3, 1, 1, 1, 1, 1, 1, 1},
                                              {6, 20, 12, 12, 18, 3, 3, 2, 2, 1, 1, 1, 1, 2},
                                              {5, 64, 14, 14, 48, 1, 1, 1, 1, 0, 0, 1, 1, 1},
                                              {2, 30, 16, 16, 16, 2, 3, 1, 1, 0, 1, 2, 1, 1},
    /* depthwise, dilated */
    {2, 5, 23, 30, 5, 3, 3, 1, 1, 2, 3, 2, 3, 5},
    {1, 4, 41, 19, 8, 5, 5, 1, 1, 4, 1, 2, 1, 4},
    {1, 3, 33, 37, 3, 7, 7, 1, 1, 9, 6, 3, 2, 3}};

/* These go from few channels to few filters and have enough positions for an algorithm of their
   own: filters that do not fill a tile, groups, blocks of several images, images that are read in
   place. The shape with 66 images has so many positions that a block takes twice as many. */
static const conv_shape few_conv_shapes[] = {{3, 2, 38, 45, 7, 3, 3, 1, 1, 1, 1, 1, 1, 1},
                                             {2, 6, 40, 31, 24, 3, 3, 1, 1, 1, 1, 1, 1, 2},
                                             {23, 1, 8, 16, 5, 2, 5, 1, 1, 0, 2, 1, 1, 1},
                                             {3, 2, 33, 36, 6, 5, 5, 1, 1, 0, 0, 1, 1, 1},
                                             {66, 1, 37, 31, 5, 3, 3, 1, 1, 1, 1, 1, 1, 1},
                                             /* few rows, with taps in parts, dilated or far
                                                apart */
                                             {2, 5, 41, 37, 3, 9, 9, 1, 1, 4, 4, 1, 1, 1},
                                             {1, 6, 70, 66, 8, 3, 11, 2, 1, 2, 5, 2, 3, 2},
                                             {2, 3, 66, 35, 1, 7, 5, 3, 2, 0, 1, 1, 2, 1},
                                             {5, 7, 35, 30, 7, 4, 13, 1, 1, 3, 6, 2, 1, 7},
                                             {1, 3, 40, 40, 21, 3, 3, 1, 1, 4, 4, 4, 4, 3}};

/* These have few channels of x, in images of two vectors and more: odd extents, no padding and
   much, channels in several passes, groups, many output channels. */
static const conv_shape thin_conv_shapes[] = {{3, 3, 37, 61, 20, 3, 3, 1, 1, 1, 1, 1, 1, 1},
                                              {5, 1, 29, 28, 70, 3, 3, 1, 1, 0, 0, 1, 1, 1},
                                              {2, 8, 23, 57, 7, 3, 3, 1, 1, 1, 1, 1, 1, 1},
                                              {6, 8, 31, 30, 34, 3, 3, 1, 1, 1, 1, 1, 1, 2},
                                              {1, 3, 90, 127, 41, 3, 3, 1, 1, 1, 1, 1, 1, 1},
                                              {4, 16, 33, 64, 3, 3, 3, 1, 1, 1, 0, 1, 1, 1},
                                              {2, 7, 19, 96, 18, 3, 3, 1, 1, 1, 1, 1, 1, 1}};

/* These have as many positions as few_conv_shapes, but cost less in bands: whole tiles of
   positions, and channels that fill a panel badly. */
static const conv_shape band_conv_shapes[] = {{3, 18, 16, 16, 24, 1, 1, 1, 1, 0, 0, 1, 1, 1},
                                              {2, 9, 11, 32, 20, 3, 3, 1, 1, 1, 1, 1, 1, 1},
                                              {5, 70, 14, 14, 33, 1, 1, 1, 1, 0, 0, 1, 1, 1}};

/* The padding after an axis less the padding before it. */
static int conv_end_h, conv_end_w;

static void conv_begin(nn_kernel kernel, const conv_shape *s, const char *what) {
    nn_conv2d_args *c = &current.args.conv2d_forward; /* the three kernels share the struct */
    int OH = (s->H + 2 * s->ph + conv_end_h - s->dh * (s->R - 1) - 1) / s->sh + 1,
        OW = (s->W + 2 * s->pw + conv_end_w - s->dw * (s->S - 1) - 1) / s->sw + 1;
    begin_case(kernel,
               "%s N%d C%d %dx%d K%d kernel %dx%d stride %d,%d pad %d+%d,%d+%d dil %d,%d G%d %s",
               nn_kernel_name(kernel), s->N, s->C, s->H, s->W, s->K, s->R, s->S, s->sh, s->sw,
               s->ph, conv_end_h, s->pw, conv_end_w, s->dh, s->dw, s->G, what);
    c->params.kernel_h = s->R; c->params.kernel_w = s->S;
    c->params.stride_h = s->sh; c->params.stride_w = s->sw;
    c->params.padding_h = s->ph; c->params.padding_w = s->pw;
    c->params.dilation_h = s->dh; c->params.dilation_w = s->dw;
    c->params.groups = s->G;
    c->x = make_view(FILL_SIGNED, 4, s->N, s->C, s->H, s->W);
    c->weight = make_view(FILL_SIGNED, 4, s->K, s->C / s->G, s->R, s->S);
    c->y = make_view(FILL_SIGNED, 4, s->N, s->K, OH, OW);
    current.flops = 2.0 * s->N * s->K * OH * OW * (s->C / s->G) * s->R * s->S;
    current.forward.conv2d_forward = *c;
    current.forward_y = &current.forward.conv2d_forward.y;
    current.dy = &c->y;
}

static void conv_forward_case(const conv_shape *s, bool bias, nn_activation activation) {
    nn_conv2d_args *c = &current.args.conv2d_forward;
    char what[32];
    snprintf(what, sizeof what, "%sact%d", bias ? "bias " : "", (int)activation);
    conv_begin(NN_KERNEL_CONV2D_FORWARD, s, what);
    c->y = make_like(FILL_NAN, &c->y);
    if (bias) c->epilogue.bias = make_view(FILL_SIGNED, 1, s->K, 0, 0, 0);
    c->epilogue.activation = activation;
    end_case();
}

/* Adds a prelu: one slope for each output channel. */
static void conv_slope_case(const conv_shape *s, bool bias) {
    nn_conv2d_args *c = &current.args.conv2d_forward;
    conv_begin(NN_KERNEL_CONV2D_FORWARD, s, bias ? "bias slopes" : "slopes");
    c->y = make_like(FILL_NAN, &c->y);
    if (bias) c->epilogue.bias = make_view(FILL_SIGNED, 1, s->K, 0, 0, 0);
    c->slope = make_view(FILL_SIGNED, 3, s->K, 1, 1, 0);
    end_case();
}

static void test_conv2d_forward(void) {
    int i, count = (int)(sizeof conv_shapes / sizeof conv_shapes[0]);
    compile_one_in(2);
    for (i = 0; i < count; i++) {
        conv_slope_case(&conv_shapes[i], i % 2 == 0);
        conv_forward_case(&conv_shapes[i], false, NN_ACTIVATION_NONE);
        conv_forward_case(&conv_shapes[i], true, NN_ACTIVATION_RELU);
    }
    for (i = 0; i < NN_ACTIVATION_COUNT; i++) {
        conv_forward_case(&conv_shapes[1], true, (nn_activation)i);
        conv_forward_case(&conv_shapes[6], false, (nn_activation)i);
    }
    compile_one_in(1);
}

static void conv_backward_input_case(const conv_shape *s, bool accumulate) {
    nn_conv2d_args *c = &current.args.conv2d_backward_input;
    conv_begin(NN_KERNEL_CONV2D_BACKWARD_INPUT, s, accumulate ? "acc" : "");
    c->accumulate = accumulate;
    if (!accumulate) {
        c->x = make_like(FILL_NAN, &c->x);
        current.forward_kernel = NN_KERNEL_CONV2D_FORWARD;
        current.gradients[0].output = &c->x;
        current.gradients[0].input = &current.forward.conv2d_forward.x;
    }
    end_case();
}

/* Adds an epilogue, which also applies at positions that no tap reaches. */
static void conv_transpose_case(const conv_shape *s, bool bias, nn_activation activation) {
    nn_conv2d_args *c = &current.args.conv2d_backward_input;
    char what[32];
    snprintf(what, sizeof what, "%sact%d", bias ? "bias " : "", (int)activation);
    conv_begin(NN_KERNEL_CONV2D_BACKWARD_INPUT, s, what);
    c->x = make_like(FILL_NAN, &c->x);
    if (bias) c->epilogue.bias = make_view(FILL_SIGNED, 1, s->C, 0, 0, 0);
    c->epilogue.activation = activation;
    end_case();
}

static void test_conv2d_backward_input(void) {
    int i, count = (int)(sizeof conv_shapes / sizeof conv_shapes[0]);
    compile_one_in(2);
    for (i = 0; i < count; i++) {
        conv_backward_input_case(&conv_shapes[i], false);
        conv_backward_input_case(&conv_shapes[i], true);
        conv_transpose_case(&conv_shapes[i], i % 3 > 0, (nn_activation)(i % NN_ACTIVATION_COUNT));
    }
    compile_one_in(1);
}

static void conv_backward_weight_case(const conv_shape *s, bool weight, bool bias,
                                      bool accumulate) {
    nn_conv2d_args *c = &current.args.conv2d_backward_weight;
    char what[48];
    snprintf(what, sizeof what, "%s%s%s", weight ? "dweight " : "", bias ? "dbias " : "",
             accumulate ? "acc" : "");
    conv_begin(NN_KERNEL_CONV2D_BACKWARD_WEIGHT, s, what);
    c->accumulate = accumulate;
    if (bias) c->epilogue.bias = make_output(accumulate, 1, s->K, 0, 0, 0);
    if (!weight) memset(&c->weight, 0, sizeof c->weight);
    else if (!accumulate) {
        c->weight = make_like(FILL_NAN, &c->weight);
        current.forward_kernel = NN_KERNEL_CONV2D_FORWARD;
        current.gradients[0].output = &c->weight;
        current.gradients[0].input = &current.forward.conv2d_forward.weight;
        if (bias) {
            current.forward.conv2d_forward.epilogue.bias = make_view(FILL_SIGNED, 1, s->K, 0, 0, 0);
            current.gradients[1].output = &c->epilogue.bias;
            current.gradients[1].input = &current.forward.conv2d_forward.epilogue.bias;
        }
    }
    end_case();
}

/* ---- random convolutions: every number of a shape is drawn independently, on every family ---- */

static conv_shape random_conv_shape(void) {
    conv_shape s;
    int small = pick(2), size = small ? 6 : 19, groups = 1 + pick(3);
    do {
        s.N = 1 + pick(4);
        s.G = pick(2) ? 1 : groups;
        s.C = s.G * (1 + pick(small ? 3 : 17));
        s.K = s.G * (1 + pick(small ? 3 : 17));
        s.H = 1 + pick(size); s.W = 1 + pick(size);
        s.R = 1 + pick(5); s.S = 1 + pick(5);
        s.sh = 1 + (pick(3) ? pick(3) : pick(9)); s.sw = 1 + (pick(3) ? pick(3) : pick(9));
        s.ph = pick(3) ? pick(3) : pick(6); s.pw = pick(3) ? pick(3) : pick(6);
        s.dh = 1 + pick(3); s.dw = 1 + pick(3);
        if (pick(3) == 0) s.S = s.sw = 1, s.pw = 0; /* rows without gaps */
        if (pick(6) == 0) s.R = s.sh = 1, s.ph = 0;
        if (pick(5) == 0) { /* few channels, long rows */
            s.R = s.S = 3, s.sh = s.sw = s.dh = s.dw = 1, s.ph = pick(3), s.pw = pick(3);
            s.C = s.G * (1 + pick(pick(2) ? 4 : 16)), s.K = s.G * (1 + pick(40));
            s.H = 3 + pick(24), s.W = 12 + pick(90);
        } else if (pick(4) == 0) s.G = s.C, s.K = s.C * (1 + pick(2)); /* depthwise */
        else if (pick(3) == 0) /* whole turns of large tiles */
            s.C = s.G * 8 * (1 + pick(2)), s.K = s.G * 8 * (1 + pick(small ? 2 : 17));
        conv_end_h = pick(2) ? 0 : pick(6) - 2, conv_end_w = pick(2) ? 0 : pick(6) - 2;
    } while (s.H + 2 * s.ph + conv_end_h < s.dh * (s.R - 1) + 1 ||
             s.W + 2 * s.pw + conv_end_w < s.dw * (s.S - 1) + 1);
    return s;
}

static void one_conv2d(void) {
    const conv_shape s = random_conv_shape();
    conv_backward_input_case(&s, pick(3) == 0);
    conv_forward_case(&s, pick(2) == 0, NN_ACTIVATION_NONE);
    conv_slope_case(&s, pick(2) == 0);
    conv_backward_weight_case(&s, true, pick(2) == 0, pick(3) == 0);
    conv_transpose_case(&s, pick(2) == 0, (nn_activation)pick(NN_ACTIVATION_COUNT));
}
static void test_conv2d_random(void) {
    draw(40, true, one_conv2d);
    conv_end_h = conv_end_w = 0;
}

static void test_conv2d_wide(void) {
    const bool gradient = mode_gradient;
    const int count = (int)(sizeof wide_conv_shapes / sizeof wide_conv_shapes[0]);
    int i;
    mode_gradient = false;
    compile_one_in(5);
    for (i = 0; i < count; i++) {
        conv_forward_case(&wide_conv_shapes[i], i % 2 == 0, i % 3 ? NN_ACTIVATION_RELU
                                                                 : NN_ACTIVATION_TANH);
        conv_slope_case(&wide_conv_shapes[i], i % 2 == 0);
        conv_backward_input_case(&wide_conv_shapes[i], i % 2 == 1);
        conv_backward_weight_case(&wide_conv_shapes[i], true, i % 2 == 0, i % 3 == 2);
    }
    for (i = 0; i < (int)(sizeof few_conv_shapes / sizeof few_conv_shapes[0]); i++)
        conv_backward_weight_case(&few_conv_shapes[i], true, i % 2 == 0, i % 3 == 2);
    for (i = 0; i < (int)(sizeof thin_conv_shapes / sizeof thin_conv_shapes[0]); i++) {
        conv_forward_case(&thin_conv_shapes[i], i % 2 == 0, (nn_activation)(i % NN_ACTIVATION_COUNT));
        conv_slope_case(&thin_conv_shapes[i], i % 2 == 0);
        conv_backward_input_case(&thin_conv_shapes[i], i % 4 == 1);
        conv_transpose_case(&thin_conv_shapes[i], i % 3 > 0, NN_ACTIVATION_RELU);
        conv_backward_weight_case(&thin_conv_shapes[i], true, i % 2 == 0, i % 3 == 2);
    }
    for (i = 0; i < 3; i++) {
        conv_forward_case(&band_conv_shapes[i], i % 2 == 0, NN_ACTIVATION_RELU);
        conv_backward_input_case(&band_conv_shapes[i], i % 2 == 1);
    }
    compile_one_in(1);
    mode_gradient = gradient;
}

static void test_conv2d_large(void) {
    int i;
    for (i = 0; i < 3; i++) {
        conv_forward_case(&large_conv_shapes[i], true, NN_ACTIVATION_RELU);
        conv_backward_input_case(&large_conv_shapes[i], i == 1);
        conv_backward_weight_case(&large_conv_shapes[i], true, true, i == 2);
    }
}

static void test_conv2d_backward_weight(void) {
    int i, count = (int)(sizeof conv_shapes / sizeof conv_shapes[0]);
    for (i = 0; i < count; i++) {
        conv_backward_weight_case(&conv_shapes[i], true, true, false);
        conv_backward_weight_case(&conv_shapes[i], true, i % 2 == 0, true);
        if (i % 4 == 1) conv_backward_weight_case(&conv_shapes[i], true, false, false);
        if (i % 4 == 2) conv_backward_weight_case(&conv_shapes[i], false, true, i % 8 == 2);
    }
}

/* ---- pool2d ---------------------------------------------------------------------------------- */

/* R, S: from the first place of a window to its last; dh, dw: steps between places, of maxima */
typedef struct pool_shape { int N, C, H, W, R, S, sh, sw, ph, pw, ceil, dh, dw; } pool_shape;

static const pool_shape pool_shapes[] = {
    {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0},   {2, 3, 8, 8, 2, 2, 2, 2, 0, 0, 0, 0, 0},
    {1, 2, 7, 9, 2, 2, 2, 2, 0, 0, 0, 0, 0},   {1, 2, 7, 9, 2, 2, 2, 2, 0, 0, 1, 0, 0},
    {3, 1, 11, 5, 3, 3, 2, 2, 1, 1, 0, 0, 0},  {3, 1, 12, 5, 3, 3, 2, 2, 1, 1, 1, 0, 0},
    {1, 1, 5, 6, 5, 6, 5, 6, 0, 0, 0, 0, 0},   {2, 1, 13, 13, 2, 2, 5, 4, 0, 0, 1, 0, 0},
    {1, 3, 9, 9, 3, 3, 1, 1, 1, 1, 0, 0, 0},   {1, 2, 10, 33, 1, 5, 1, 3, 0, 2, 1, 0, 0},
    {2, 2, 6, 1, 2, 1, 2, 1, 1, 0, 0, 0, 0},   {1, 17, 4, 4, 4, 4, 4, 4, 2, 2, 0, 0, 0},
    {5, 7, 28, 28, 2, 2, 2, 2, 0, 0, 0, 0, 0}, {32, 8, 20, 20, 3, 3, 2, 2, 1, 1, 1, 0, 0},
    {1, 1, 6, 6, 3, 3, 2, 2, 0, 0, 1, 0, 0},   {1, 1, 3, 70, 3, 3, 1, 2, 1, 1, 1, 0, 0},
    {1, 2, 9, 40, 5, 3, 1, 1, 2, 1, 0, 2, 1},  {2, 1, 8, 7, 4, 5, 2, 1, 2, 2, 1, 3, 2},
    {1, 1, 1, 3, 3, 3, 1, 1, 1, 1, 0, 2, 2},   {1, 3, 12, 12, 2, 2, 2, 2, 0, 0, 0, 1, 1}};

/* As in PyTorch, the last window must begin inside the image or its left padding. */
static int pool_extent(int H, int R, int s, int p, int ceil) {
    int extent = (H + 2 * p - R + (ceil ? s - 1 : 0)) / s + 1;
    if (ceil && (extent - 1) * s >= H + p) extent--;
    return extent;
}

static nn_pool2d_args *pool_begin(nn_kernel kernel, const pool_shape *s, nn_pool_kind kind,
                                  bool inside, const char *what) {
    nn_pool2d_args *p = &current.args.pool2d_forward;
    begin_case(kernel, "%s %s N%d C%d %dx%d kernel %dx%d stride %d,%d pad %d,%d%s%s %s",
               nn_kernel_name(kernel), kind == NN_POOL_MAX ? "max" : "average", s->N, s->C, s->H,
               s->W, s->R, s->S, s->sh, s->sw, s->ph, s->pw, s->ceil ? " ceil" : "",
               inside ? " inside" : "", what);
    p->kind = kind;
    p->kernel_h = s->R; p->kernel_w = s->S;
    p->stride_h = s->sh; p->stride_w = s->sw;
    p->padding_h = s->ph; p->padding_w = s->pw;
    p->count_only_inside = inside;
    if (kind == NN_POOL_MAX) p->dilation_h = s->dh, p->dilation_w = s->dw;
    p->x = make_view(kind == NN_POOL_MAX ? FILL_DISTINCT : FILL_SIGNED, 4, s->N, s->C, s->H, s->W);
    p->y = make_output(false, 4, s->N, s->C, pool_extent(s->H, s->R, s->sh, s->ph, s->ceil),
                       pool_extent(s->W, s->S, s->sw, s->pw, s->ceil));
    if (kind == NN_POOL_MAX)
        p->index = make_i32(4, s->N, s->C, p->y.shape.extent[2], p->y.shape.extent[3], 0);
    return p;
}

static void test_pool2d_forward(void) {
    int i, j, count = (int)(sizeof pool_shapes / sizeof pool_shapes[0]);
    nn_pool2d_args *p;
    for (i = 0; i < count; i++)
        for (j = 0; j < 4; j++) {
            p = pool_begin(NN_KERNEL_POOL2D_FORWARD, &pool_shapes[i],
                           j < 2 ? NN_POOL_MAX : NN_POOL_AVERAGE, j == 3, j == 1 ? "no index" : "");
            if (j == 1) memset(&p->index, 0, sizeof p->index);
            end_case();
        }
    for (i = 0; i < 3; i++) { /* special values for max; padded, so that the first element inside is
                                 not number 0 of a window */
        static const char *const what[3] = {"all -infinity", "all equal", "one NaN"};
        p = pool_begin(NN_KERNEL_POOL2D_FORWARD, &pool_shapes[4], NN_POOL_MAX, false, what[i]);
        for (j = 0; j < view_count(&p->x) && i < 2; j++)
            ((float *)p->x.handle)[j] = i == 0 ? -INFINITY : 1.0f;
        if (i == 2) ((float *)p->x.handle)[27] = NAN;
        end_case();
    }
}

static void test_pool2d_backward(void) {
    int i, j, count = (int)(sizeof pool_shapes / sizeof pool_shapes[0]);
    for (i = 0; i < count; i++)
        for (j = 0; j < 5; j++) { /* max, max +=, average, average inside, average += */
            bool accumulate = j == 1 || j == 4;
            reference_array y, index;
            nn_pool2d_args *p =
                pool_begin(NN_KERNEL_POOL2D_BACKWARD, &pool_shapes[i],
                           j < 2 ? NN_POOL_MAX : NN_POOL_AVERAGE, j == 3, accumulate ? "acc" : "");
            int64_t k, outputs = view_count(&p->y);
            bool finite = true; /* the largest of a window outside of x is -infinity */
            current.forward.pool2d_forward = *p;
            p->accumulate = accumulate;
            y.value = (double *)calloc((size_t)outputs * 4, sizeof(double));
            y.scale = y.value + outputs;
            index.value = y.scale + outputs;
            index.scale = index.value + outputs;
            reference_pool2d_forward(&current.forward.pool2d_forward, y, index);
            for (k = 0; k < outputs && p->index.dtype; k++)
                ((int32_t *)p->index.handle)[k] = (int32_t)index.value[k];
            for (k = 0; k < outputs; k++) finite = finite && isfinite(y.value[k]);
            free(y.value);
            memset(&current.forward.pool2d_forward.index, 0, sizeof(nn_view));
            p->y = make_like(FILL_SIGNED, &p->y);
            if (accumulate) p->x = make_like(FILL_SIGNED, &p->x);
            else {
                p->x = make_like(FILL_NAN, &p->x);
                if (finite) current.forward_kernel = NN_KERNEL_POOL2D_FORWARD;
                current.forward_y = &current.forward.pool2d_forward.y;
                current.dy = &p->y;
                current.gradients[0].output = &p->x;
                current.gradients[0].input = &current.forward.pool2d_forward.x;
            }
            end_case();
        }
}

/* In an immediate call the indices are the caller's data. An index outside of its plane is left
   out, and nothing outside of dx is touched. */
static void test_pool2d_wild_index(void) {
    static const int32_t wild[6] = {-1, INT32_MIN, INT32_MAX, 100000000, -100000000, 0};
    int i, j, k, count = (int)(sizeof pool_shapes / sizeof pool_shapes[0]);
    for (i = 0; i < count; i++)
        for (j = 0; j < 2; j++) {
            nn_pool2d_args *p = pool_begin(NN_KERNEL_POOL2D_BACKWARD, &pool_shapes[i], NN_POOL_MAX,
                                           false, j ? "wild index acc" : "wild index");
            int32_t *index = (int32_t *)p->index.handle;
            const int32_t plane = p->x.shape.extent[2] * p->x.shape.extent[3];
            for (k = 0; k < view_count(&p->index); k++) index[k] = k % 6 == 5 ? plane : wild[k % 6];
            p->accumulate = j == 1;
            p->y = make_like(FILL_SIGNED, &p->y);
            p->x = make_like(j ? FILL_SIGNED : FILL_NAN, &p->x);
            end_case();
        }
}

/* ---- reduce, softmax ------------------------------------------------------------------------- */

static void test_reduce(void) {
    static const struct { int rank; int32_t x[6]; uint32_t axes;
    } shapes[] = {{1, {1}, 1},
                  {1, {1031}, 1},
                  {2, {5, 7}, 1},
                  {2, {5, 7}, 2},
                  {2, {5, 7}, 3},
                  {2, {1031, 3}, 1},
                  {2, {3, 1031}, 2},
                  {4, {2, 3, 5, 7}, 13},
                  {4, {2, 3, 5, 7}, 12},
                  {4, {2, 3, 5, 7}, 2},
                  {4, {2, 3, 5, 7}, 5},
                  {4, {2, 3, 5, 7}, 10},
                  {6, {2, 3, 2, 3, 2, 3}, 42},
                  {6, {2, 3, 2, 3, 2, 3}, 21},
                  {2, {5, 7}, 0},
                  {1, {50000}, 1},
                  {2, {300, 200}, 1},
                  {2, {200, 300}, 2},
                  {4, {8, 16, 14, 14}, 13},
                  {3, {2, 700, 11}, 5},
                  {3, {66, 67, 250}, 5},
                  {2, {150, 1301}, 1},
                  {4, {3, 70, 2, 300}, 2},
                  {3, {1, 37, 1}, 5},
                  {2, {3, 7}, 2}, /* one less than a whole vector, and than several */
                  {2, {3, 15}, 2},
                  {2, {3, 31}, 2},
                  {2, {2, 63}, 2},
                  {1, {1055}, 1}};
    int i, j, axis;
    for (i = 0; i < (int)(sizeof shapes / sizeof shapes[0]); i++)
        for (j = 0; j < 5; j++) { /* mean, sum, max, sum += with a scale, mean by default */
            nn_reduce_args *r = &current.args.reduce;
            nn_view view;
            begin_case(NN_KERNEL_REDUCE, "reduce rank %d %dx%dx.. axes %u way %d", shapes[i].rank,
                       (int)shapes[i].x[0], (int)shapes[i].x[1], (unsigned)shapes[i].axes, j);
            memset(&view, 0, sizeof view);
            view.dtype = NN_F32;
            view.shape = nn_make_shape(shapes[i].x, shapes[i].rank);
            r->x = make_like(FILL_SIGNED, &view);
            for (axis = 0; axis < shapes[i].rank; axis++)
                if (shapes[i].axes >> axis & 1) view.shape.extent[axis] = 1;
            r->axes = shapes[i].axes;
            r->reduction = j == 0   ? NN_MEAN
                           : j == 2 ? NN_MAX
                           : j == 4 ? NN_REDUCTION_DEFAULT
                                    : NN_SUM;
            r->scale = j == 3 ? -0.25f : 1.0f;
            r->accumulate = j == 3;
            r->y = make_like(r->accumulate ? FILL_SIGNED : FILL_NAN, &view);
            end_case();
        }
}

static nn_reduce_args *begin_fold(int rank, const int32_t *extents, uint32_t axes,
                                  nn_reduction reduction, const char *what) {
    nn_reduce_args *r = &current.args.fold;
    nn_view view;
    bool arg = reduction == NN_ARGMAX || reduction == NN_ARGMIN;
    begin_case(NN_KERNEL_FOLD, "fold %d of rank %d %dx%dx.. axes %u%s", (int)reduction, rank,
               (int)extents[0], rank > 1 ? (int)extents[1] : 0, (unsigned)axes, what);
    memset(&view, 0, sizeof view);
    view.dtype = NN_F32;
    view.shape = nn_make_shape(extents, rank);
    r->x = make_like(FILL_SIGNED, &view);
    for (int axis = 0; axis < rank; axis++) if (axes >> axis & 1) view.shape.extent[axis] = 1;
    if (arg) {
        r->y = make_i32(1, 1, 0, 0, 0, 0);
        view.dtype = NN_I32;
        r->y = make_like(FILL_NAN, &view);
    } else {
        r->y = make_like(FILL_NAN, &view);
    }
    r->axes = axes;
    r->reduction = reduction;
    r->scale = 1.0f;
    r->correction = 1;
    return r;
}

static void test_fold(void) {
    static const struct { int rank; int32_t x[6]; uint32_t axes;
    } shapes[] = {{1, {1}, 1},
                  {1, {1031}, 1},
                  {2, {5, 7}, 1},
                  {2, {5, 7}, 2},
                  {2, {5, 7}, 0},
                  {2, {1031, 3}, 1},
                  {2, {3, 1031}, 2},
                  {4, {2, 3, 5, 7}, 13},
                  {4, {2, 3, 5, 70}, 5},
                  {4, {2, 3, 5, 7}, 10},
                  {6, {2, 3, 2, 3, 2, 3}, 42},
                  {6, {2, 3, 2, 3, 2, 3}, 21},
                  {1, {50000}, 1},
                  {2, {300, 200}, 1},
                  {2, {200, 300}, 2},
                  {3, {9, 4000, 2}, 3},
                  {3, {70, 3, 90}, 5},
                  {3, {66, 67, 250}, 5},
                  {2, {40, 1500}, 1},
                  {3, {1, 37, 1}, 5},
                  {2, {3, 7}, 2}, /* one less than a whole vector, and than several */
                  {2, {3, 15}, 2},
                  {2, {3, 31}, 2},
                  {2, {2, 63}, 2},
                  {1, {1055}, 1}};
    for (int i = 0; i < (int)(sizeof shapes / sizeof shapes[0]); i++)
        for (int op = NN_MIN; op <= NN_STD; op++) {
            nn_reduce_args *r =
                begin_fold(shapes[i].rank, shapes[i].x, shapes[i].axes, (nn_reduction)op, "");
            float *x = (float *)r->x.handle;
            int64_t count = view_count(&r->x);
            if (op == NN_PROD) /* near 1, so that the product stays a number */
                for (int64_t k = 0; k < count; k++) x[k] = 1 + 0.01f * x[k];
            if (op == NN_VAR || op == NN_STD) { /* a mean that is not 0 */
                for (int64_t k = 0; k < count; k++) x[k] += 3;
                r->correction = i % 3;
            }
            if (op == NN_ANY || op == NN_ALL)
                for (int64_t k = 0; k < count; k++)
                    x[k] = (op == NN_ANY) == (k % 41 != 7) ? 0.0f : x[k];
            if (op == NN_SUM_OF_SQUARES && i % 2) { /* adds to the existing contents */
                r->y = make_like(FILL_SIGNED, &r->y);
                r->accumulate = true;
                r->scale = -0.25f;
            }
            end_case();
        }
}

/* Begins the gradient of a reduction of rows of n numbers. Some of the given results are 0, and
   some do not occur in their row. */
static nn_reduce_backward_args *begin_slope(int rows, int n, nn_reduction reduction,
                                            bool accumulate, const char *what) {
    nn_reduce_backward_args *r = &current.args.reduce_backward;
    begin_case(NN_KERNEL_REDUCE_BACKWARD, "gradient of reduction %d of %dx%d%s%s", (int)reduction,
               rows, n, accumulate ? " +=" : "", what);
    r->reduction = reduction;
    r->accumulate = accumulate;
    r->x = make_view(FILL_SIGNED, 2, rows, n, 0, 0);
    r->dy = make_view(FILL_SIGNED, 1, rows, 0, 0, 0);
    r->y = make_view(FILL_POSITIVE, 1, rows, 0, 0, 0);
    r->dx = make_view(accumulate ? FILL_SIGNED : FILL_NAN, 2, rows, n, 0, 0);
    float *x = (float *)r->x.handle, *y = (float *)r->y.handle;
    for (int row = 0; row < rows; row++, x += n) {
        const bool extreme = reduction == NN_MAX || reduction == NN_MIN;
        for (int k = 0; k < n && extreme; k++) { /* ties */
            x[k] = fminf(0.75f, fmaxf(-0.75f, x[k]));
            if (row % 4 && (k == 0 || (reduction == NN_MAX) == (x[k] > y[row]))) y[row] = x[k];
        }
        if (row % 5 == 3 && !extreme) y[row] = 0;
    }
    return r;
}

static void test_reduce_backward(void) {
    static const int sizes[][2] = {{1, 1}, {300, 1}, {5, 8}, {40, 31}, {33, 1000}, {3, 16389},
                                   {2, 32768}, {3, 33003}, {1, 131072}};
    static const float specials[] = {0.0f, NAN, INFINITY, -INFINITY, 1e30f, -1e30f, -0.0f};
    for (int op = NN_MAX; op <= NN_STD; op++) {
        if (op == NN_PROD || (op >= NN_ANY && op <= NN_ARGMIN)) continue;
        for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++)
            for (int way = 0; way < 2; way++) {
                nn_reduce_backward_args *r =
                    begin_slope(sizes[i][0], sizes[i][1], (nn_reduction)op, way == 1, "");
                for (int64_t k = 0; k < view_count(&r->x) && op >= NN_VAR; k++)
                    ((float *)r->x.handle)[k] += 3; /* a mean that is not 0 */
                r->correction = sizes[i][1] > 2 ? i % 3 : 0;
                end_case();
            }
        for (int i = 0; i < 7; i++) { /* NaN among the numbers, and among the results */
            nn_reduce_backward_args *r = begin_slope(6, 67, (nn_reduction)op, false, " special");
            for (int row = 0; row < 6; row++)
                if (row % 2) ((float *)r->x.handle)[row * 67 + 9 * row] = specials[i];
            ((float *)r->y.handle)[0] = ((float *)r->y.handle)[1] = specials[i];
            end_case();
        }
    }
}

/* Tests NaN, infinities, equal and huge numbers, each in several places of rows and columns. */
static void test_fold_extremes(void) {
    static const float specials[] = {0.0f, NAN, INFINITY, -INFINITY, 1e30f, -1e30f, -0.0f};
    static const int32_t extents[2] = {67, 131};
    for (int op = NN_MIN; op <= NN_STD; op++)
        for (uint32_t axes = 1; axes <= 3; axes++)
            for (int way = 0; way < 3; way++) { /* one special number, all of them, all equal */
                nn_reduce_args *r = begin_fold(2, extents, axes, (nn_reduction)op,
                                               way == 0   ? " one special"
                                               : way == 1 ? " specials"
                                                          : " equal");
                float *x = (float *)r->x.handle;
                bool squares = op == NN_SUM_OF_SQUARES || op == NN_NORM || op == NN_VAR ||
                               op == NN_STD || op == NN_PROD;
                for (int k = 0; k < 67 * 131; k++) {
                    if (op == NN_PROD) x[k] = 1 + 0.001f * x[k];
                    if (way == 0 && (k % 131 == k / 131 + 3))
                        x[k] = squares && fabsf(specials[k % 7]) == 1e30f ? 2.0f : specials[k % 7];
                    if (way == 1) x[k] = squares ? specials[k % 4] : specials[k / 131 % 7];
                    if (way == 2) x[k] = k / 131 % 2 || axes != 2 ? -INFINITY : 3.5f;
                }
                end_case();
            }
}

static void test_softmax(void) {
    static const int sizes[][2] = {{1, 1},    {5, 1},   {1, 10},   {7, 10},
                                   {3, 1031}, {64, 17}, {33, 128}, {9000, 10}};
    int i, logarithm, large;
    for (i = 0; i < 8; i++)
        for (logarithm = 0; logarithm < 2; logarithm++)
            for (large = 0; large < 2; large++) {
                nn_softmax_args *s = &current.args.softmax_forward;
                int64_t j;
                begin_case(NN_KERNEL_SOFTMAX_FORWARD, "softmax_forward %dx%d%s%s", sizes[i][0],
                           sizes[i][1], logarithm ? " log" : "", large ? " large" : "");
                s->logarithm = logarithm != 0;
                s->x = make_view(FILL_SIGNED, 3, sizes[i][0], 1, sizes[i][1], 0);
                for (j = 0; j < view_count(&s->x) && large; j++)
                    ((float *)s->x.handle)[j] = ((float *)s->x.handle)[j] * 30 + 1000;
                s->y = make_output(false, 3, sizes[i][0], 1, sizes[i][1], 0);
                end_case();
            }
}

static void test_softmax_backward(void) {
    static const int sizes[][2] = {{1, 1},   {5, 1},   {1, 10},   {7, 10},
                                   {2, 531}, {64, 17}, {9000, 10}};
    int i, logarithm;
    for (i = 0; i < 7; i++)
        for (logarithm = 0; logarithm < 2; logarithm++) {
            nn_softmax_args *s = &current.args.softmax_backward,
                            *forward = &current.forward.softmax_forward;
            reference_array y;
            int64_t j;
            begin_case(NN_KERNEL_SOFTMAX_BACKWARD, "softmax_backward %dx%d%s", sizes[i][0],
                       sizes[i][1], logarithm ? " log" : "");
            s->logarithm = logarithm != 0;
            s->dy = make_view(FILL_SIGNED, 2, sizes[i][0], sizes[i][1], 0, 0);
            s->x = make_output(false, 2, sizes[i][0], sizes[i][1], 0, 0);
            *forward = *s;
            forward->x = make_view(FILL_SIGNED, 2, sizes[i][0], sizes[i][1], 0, 0);
            s->y = make_like(FILL_SIGNED, &s->x);
            forward->y = s->y;
            memset(&forward->dy, 0, sizeof forward->dy);
            y.value = (double *)calloc((size_t)view_count(&s->y) * 2, sizeof(double));
            y.scale = y.value + view_count(&s->y);
            reference_softmax_forward(forward, y);
            for (j = 0; j < view_count(&s->y); j++) ((float *)s->y.handle)[j] = (float)y.value[j];
            free(y.value);
            if (sizes[i][0] < 1000) current.forward_kernel = NN_KERNEL_SOFTMAX_FORWARD;
            current.forward_y = &forward->y;
            current.dy = &s->dy;
            current.gradients[0].output = &s->x;
            current.gradients[0].input = &forward->x;
            end_case();
        }
}

/* ---- cross entropy, accuracy ----------------------------------------------------------------- */

typedef struct entropy_case {
    int N, C, D;
    nn_reduction reduction;
    float smoothing;
    bool weighted;
    int ignored; /* 0 none, 1 some, 2 all */
    int bad;
    float spread;
    bool plain; /* logarithms of probabilities */
} entropy_case;

static const entropy_case entropy_cases[] = {
    {1, 1, 1, NN_MEAN, 0, false, 0, 0, 1, false},
    {1, 10, 1, NN_MEAN, 0, false, 0, 0, 1, false},
    {64, 10, 1, NN_REDUCTION_DEFAULT, 0, false, 0, 0, 1, false},
    {64, 10, 1, NN_SUM, 0, false, 0, 0, 1, false},
    {7, 3, 1, NN_MEAN, 0.1f, false, 0, 0, 1, false},
    {7, 3, 1, NN_SUM, 0.1f, false, 1, 0, 1, false},
    {7, 13, 1, NN_MEAN, 0, true, 0, 0, 1, false},
    {17, 5, 1, NN_MEAN, 0, true, 1, 0, 1, false},
    {17, 5, 1, NN_MEAN, 0.2f, true, 1, 0, 1, false},
    {17, 5, 1, NN_SUM, 0.2f, true, 1, 0, 1, false},
    {17, 5, 1, NN_MEAN, 0, false, 1, 0, 1, false},
    {5, 4, 1, NN_MEAN, 0, false, 2, 0, 1, false},
    {5, 4, 1, NN_SUM, 0, false, 2, 0, 1, false},
    {5, 4, 1, NN_MEAN, 0.1f, true, 2, 0, 1, false},
    {2, 5, 21, NN_MEAN, 0, false, 1, 0, 1, false},
    {2, 5, 21, NN_SUM, 0.3f, true, 0, 0, 1, false},
    {9, 6, 1, NN_MEAN, 0, false, 0, 1, 1, false},
    {9, 6, 1, NN_SUM, 0.1f, true, 1, 2, 1, false},
    {12, 10, 1, NN_MEAN, 0, false, 0, 0, 100, false},
    {300, 7, 1, NN_MEAN, 0, false, 0, 0, 5, false},
    {3, 1031, 1, NN_MEAN, 0.1f, false, 0, 0, 3, false},
    {9, 6, 1, NN_MEAN, 0, false, 0, 3, 1, false},
    {9, 6, 1, NN_MEAN, 0, false, 0, 4, 1, false},
    {3, 1, 1, NN_MEAN, 0.25f, false, 0, 0,
     1, false}, /* one class: no gradient at all, not even rounding */
    {13, 1, 1, NN_SUM, 0.7f, true, 0, 0, 9, false},
    {2, 1, 21, NN_MEAN, 0.1f, true, 0, 0, 9, false},
    {2000, 10, 1, NN_MEAN, 0.1f, true, 1, 1,
     1, false},
    {64, 10, 1, NN_REDUCTION_NONE, 0, false, 0, 0, 1, false},
    {17, 5, 1, NN_REDUCTION_NONE, 0.2f, true, 1, 1, 1, false},
    {3, 1031, 1, NN_REDUCTION_NONE, 0.1f, true, 1, 0, 3, false},
    {2, 5, 21, NN_REDUCTION_NONE, 0.1f, true, 1, 0, 1, false},
    {5, 4, 1, NN_REDUCTION_NONE, 0, false, 2, 0, 1, false},
    {64, 10, 1, NN_MEAN, 0, true, 1, 0, 1, true},
    {3, 1031, 1, NN_SUM, 0, true, 0, 0, 1, true},
    {2, 5, 21, NN_MEAN, 0, true, 1, 0, 1, true},
    {5, 4, 1, NN_MEAN, 0, false, 2, 0, 1, true},
    {2, 5, 21, NN_REDUCTION_NONE, 0, true, 1, 1, 1, true},
    {9, 6, 1, NN_REDUCTION_NONE, 0, false, 0, 2, 1, true},
    {3, 131, 1, NN_REDUCTION_NONE, 0, false, 0, 0, 1,
     true},
    {64, 2, 1, NN_MEAN, 0, false, 0, 0, 1, false},
    {19, 2, 1, NN_SUM, 0, false, 1, 0, 30, false},
    {23, 2, 1, NN_MEAN, 0, false, 1, 2, 1, false},
    {35, 2, 1, NN_MEAN, 0.1f, true, 0, 0, 1, false},
    {21, 2, 1, NN_REDUCTION_NONE, 0, false, 1, 1, 1, false},
    {9, 2, 1, NN_MEAN, 0, false, 2, 0, 1,
     false}}; /* bad 3: the status word is set already; 4: there is none */

static nn_cross_entropy_args *entropy_begin(nn_kernel kernel, const entropy_case *e) {
    nn_cross_entropy_args *c = &current.args.cross_entropy_forward;
    int64_t i;
    int32_t *label;
    begin_case(kernel, "%s N%d C%d D%d reduction %d smoothing %g%s ignored %d bad %d spread %g%s",
               nn_kernel_name(kernel), e->N, e->C, e->D, (int)e->reduction, (double)e->smoothing,
               e->weighted ? " weighted" : "", e->ignored, e->bad, (double)e->spread,
               e->plain ? " plain" : "");
    c->reduction = e->reduction;
    c->label_smoothing = e->smoothing;
    c->log_probabilities = e->plain;
    c->ignore = e->ignored != 0;
    c->ignore_index = e->ignored == 1 ? 1 : -100;
    c->step = 77;
    c->logits = e->D == 1 ? make_view(FILL_SIGNED, 2, e->N, e->C, 0, 0)
                          : make_view(FILL_SIGNED, 4, e->N, e->C, 3, e->D / 3);
    for (i = 0; i < view_count(&c->logits); i++) ((float *)c->logits.handle)[i] *= e->spread;
    c->label =
        e->D == 1 ? make_i32(1, e->N, 0, 0, 0, e->C) : make_i32(3, e->N, 3, e->D / 3, 0, e->C);
    label = (int32_t *)c->label.handle;
    for (i = 0; i < view_count(&c->label) && e->ignored == 2; i++) label[i] = -100;
    if (e->bad) { label[1] = e->C; label[3] = -1; label[4] = INT32_MAX; label[5] = INT32_MIN; }
    if (e->weighted) c->weight = make_view(FILL_POSITIVE, 1, e->C, 0, 0, 0);
    if (e->bad != 4) c->status = make_status(e->bad == 3 ? (5u << 3) | (uint32_t)NN_FAULT_LOSS : 0);
    return c;
}

/* Makes one number for each label. */
static nn_view make_entropy_losses(fill_kind fill, const nn_cross_entropy_args *c) {
    const nn_shape *s = &c->label.shape;
    return make_view(fill, s->rank, s->extent[0], s->extent[1], s->extent[2], 0);
}

static void test_cross_entropy_forward(void) {
    int i;
    for (i = 0; i < (int)(sizeof entropy_cases / sizeof entropy_cases[0]); i++) {
        nn_cross_entropy_args *c =
            entropy_begin(NN_KERNEL_CROSS_ENTROPY_FORWARD, &entropy_cases[i]);
        c->loss = c->reduction == NN_REDUCTION_NONE ? make_entropy_losses(FILL_NAN, c)
                                                    : make_number(NAN);
        end_case();
    }
}

static void test_cross_entropy_backward(void) {
    int i;
    for (i = 0; i < (int)(sizeof entropy_cases / sizeof entropy_cases[0]); i++) {
        nn_cross_entropy_args *c =
            entropy_begin(NN_KERNEL_CROSS_ENTROPY_BACKWARD, &entropy_cases[i]);
        nn_cross_entropy_args *forward = &current.forward.cross_entropy_forward;
        current.status_may_stay = true; /* forward has set it */
        if (entropy_cases[i].C == 1) current.tolerance = 0;
        *forward = *c;
        forward->logits = make_like(FILL_SIGNED, &c->logits);
        memcpy(forward->logits.handle, c->logits.handle, (size_t)view_bytes(&c->logits));
        const bool each = c->reduction == NN_REDUCTION_NONE;
        forward->loss = each ? make_entropy_losses(FILL_NAN, c) : make_number(0);
        memset(&forward->status, 0, sizeof forward->status);
        c->dlogits = make_like(FILL_NAN, &c->logits);
        c->dloss = each ? make_entropy_losses(FILL_SIGNED, c) : make_number(1.5f);
        if (entropy_cases[i].ignored != 2 && !entropy_cases[i].bad) { /* or the loss is NaN */
            current.forward_kernel = NN_KERNEL_CROSS_ENTROPY_FORWARD;
            current.forward_y = &forward->loss;
            current.dy = &c->dloss;
            current.gradients[0].output = &c->dlogits;
            current.gradients[0].input = &forward->logits;
        }
        end_case();
    }
}

static const int class_shapes[][3] = {{1, 1, 1},  {1, 10, 1},   {64, 10, 1},  {17, 3, 1},
                                      {2, 5, 21}, {1000, 2, 1}, {70001, 2, 1}}; /* N C D */

/* Makes logits with many ties, a NaN here and there; labels, of which the first is `wrong` unless
   that is 0. */
static void class_operands(const int shape[3], int wrong, nn_view *logits, nn_view *label) {
    const int N = shape[0], C = shape[1], D = shape[2];
    int64_t j;
    *logits =
        D == 1 ? make_view(FILL_SIGNED, 2, N, C, 0, 0) : make_view(FILL_SIGNED, 4, N, C, 3, D / 3);
    for (j = 0; j < view_count(logits); j++) {
        float *z = (float *)logits->handle + j;
        *z = j % 37 == 36 ? (float)NAN : (float)(int)(*z * 3);
    }
    *label = D == 1 ? make_i32(1, N, 0, 0, 0, C) : make_i32(3, N, 3, D / 3, 0, C);
    if (wrong) ((int32_t *)label->handle)[0] = wrong;
}

static int wrong_class(int i) { return i % 4 == 1 ? -100 : i % 2 ? class_shapes[i][1] : 0; }

static void test_accuracy(void) {
    static const int tops[4] = {0, 1, 2, 5};
    int i, j;
    for (i = 0; i < 7; i++)
        for (j = 0; j < 4; j++) {
            nn_accuracy_args *a = &current.args.accuracy;
            if (i == 6 && j % 2) continue; /* two cases of the large one are enough */
            begin_case(NN_KERNEL_ACCURACY, "accuracy N%d C%d D%d top %d", class_shapes[i][0],
                       class_shapes[i][1], class_shapes[i][2], tops[j]);
            a->top = tops[j];
            class_operands(class_shapes[i], wrong_class(i), &a->logits, &a->label);
            a->y = make_number(NAN);
            end_case();
        }
}

static void test_confusion(void) {
    int i, j;
    for (i = 0; i < 7; i++)
        for (j = 0; j < (i == 6 ? 1 : 3); j++) { /* without a status word, clear, set */
            nn_confusion_args *a = &current.args.confusion;
            int C = class_shapes[i][1];
            begin_case(NN_KERNEL_CONFUSION, "confusion N%d C%d D%d way %d", class_shapes[i][0], C,
                       class_shapes[i][2], j);
            class_operands(class_shapes[i], wrong_class(i), &a->logits, &a->label);
            a->counts = make_i32(2, C, C, 0, 0, 1000);
            if (j > 0) a->status = make_status(j == 2 ? 9 : 0);
            end_case();
        }
}

/* Fills and copies without a status word, with a clear one, and with one that is set. */
static void test_strided_copy_status(void) {
    static nn_copy_piece piece;
    for (int way = 0; way < 3; way++) {
        nn_strided_copy_args *a = &current.args.strided_copy;
        begin_case(NN_KERNEL_STRIDED_COPY, "strided_copy status %d", way);
        a->y = make_i32(2, 7, 5, 0, 0, 1000);
        piece.x = make_i32(2, 7, 3, 0, 0, 1000);
        for (int i = 0; i < NN_COPY_AXES; i++) piece.extent[i] = 1;
        piece.extent[4] = 7, piece.extent[5] = 3;
        piece.y_stride[4] = 5, piece.x_stride[4] = 3;
        piece.y_stride[5] = piece.x_stride[5] = 1;
        a->pieces = &piece;
        a->count = 1;
        a->fill = true;
        a->value = 17;
        if (way > 0) a->status = make_status(way == 2 ? 9 : 0);
        end_case();
    }
}

/* ---- training -------------------------------------------------------------------------------- */

static void update_case(nn_optimizer optimizer, int way) {
    static const int counts[3] = {1, 70001, 37};
    nn_update_args *u = &current.args.update;
    int i;
    int64_t j;
    bool adam = optimizer == NN_ADAM || optimizer == NN_ADAMW,
         momentum = way == 1 || way == 2 || way == 3 || way == 6;
    begin_case(NN_KERNEL_UPDATE, "update optimizer %d way %d", (int)optimizer, way);
    u->items = current.items;
    u->count = way == 7 ? 1 : 3;
    u->optimizer = optimizer;
    u->learning_rate = 0.03f;
    u->weight_decay = way >= 3 ? 0.1f : 0;
    u->momentum = momentum ? 0.9f : 0;
    u->dampening = way == 1 ? 0.3f : 0;
    u->nesterov = way == 3;
    u->beta1 = 0.9f; u->beta2 = 0.999f; u->epsilon = 1e-8f;
    u->step = way == 2 ? 1 : way == 5 ? 100000 : 4;
    if (way >= 4) u->gradient_scale = make_number(0.37f);
    u->status = make_status(way == 6 ? 9 : 0); /* way 6: stopped */
    for (i = 0; i < u->count; i++) {
        nn_update_item *item = &current.items[i];
        item->parameter = make_view(FILL_SIGNED, 1, counts[i], 0, 0, 0);
        item->gradient = make_view(FILL_SIGNED, 1, counts[i], 0, 0, 0);
        if (adam || momentum) item->moment1 = make_view(FILL_SIGNED, 1, counts[i], 0, 0, 0);
        if (adam) item->moment2 = make_view(FILL_POSITIVE, 1, counts[i], 0, 0, 0);
        for (j = 0; adam && u->step == 1 && j < counts[i]; j++) /* as they begin */
            ((float *)item->moment1.handle)[j] = ((float *)item->moment2.handle)[j] = 0;
        if (u->weight_decay == 0) { /* a mask; it must stay what it is */
            for (j = 0; j < counts[i]; j += 9) {
                ((float *)item->parameter.handle)[j] = j % 2 ? INFINITY : -INFINITY;
                ((float *)item->gradient.handle)[j] = 0;
            }
        }
        if (!adam && momentum && u->step == 1) /* the buffer need not even be cleared */
            memset(item->moment1.handle, 0xFF, (size_t)view_bytes(&item->moment1));
    }
    end_case();
}

static void test_update(void) {
    int way;
    for (way = 0; way < 8; way++) {
        update_case(NN_SGD, way);
        update_case(NN_ADAM, way);
        update_case(NN_ADAMW, way);
    }
    update_case(NN_OPTIMIZER_DEFAULT, 3);
}

static void test_clip(void) {
    static const float most[4] = {0.5f, 1e6f, 1.0f, 1.0f};
    int i, j;
    for (i = 0; i < 4; i++) {
        nn_clip_args *c = &current.args.clip;
        begin_case(NN_KERNEL_CLIP, "clip %d max_norm %g", i, (double)most[i]);
        c->items = current.items;
        c->count = i == 2 ? 1 : 5;
        c->max_norm = most[i];
        for (j = 0; j < c->count; j++)
            current.items[j].gradient =
                make_view(FILL_SIGNED, 1, j == 1 ? 20011 : j * 100 + 1, 0, 0, 0);
        if (i == 2) ((float *)current.items[0].gradient.handle)[0] = 0; /* norm 0 */
        c->scale = make_number(NAN);
        if (i != 3) c->norm = make_number(NAN);
        end_case();
    }
}

static void test_accumulate(void) {
    const float values[5] = {1.25f, (float)NAN, (float)INFINITY, (float)-INFINITY, 0.5f};
    int i, j;
    for (i = 0; i < 5; i++)
        for (j = 0; j < 4;
             j++) { /* plain, checked, checked with the status set, checked without a total */
            nn_accumulate_args *a = &current.args.accumulate;
            begin_case(NN_KERNEL_ACCUMULATE, "accumulate %g way %d", (double)values[i], j);
            a->value = make_number(values[i]);
            a->weight = 64;
            a->check = j >= 1;
            a->step = 1234;
            a->status = make_status(j == 2 ? (1000u << 3) | (uint32_t)NN_FAULT_LABEL : 0);
            if (j != 3) a->total = make_view(FILL_SIGNED, 1, 2, 0, 0, 0);
            end_case();
        }
}

static void test_random(void) {
    static const int counts[] = {1, 3, 4, 5, 1031, 20011, 100003, 7, 15, 31, 63, 127};
    int i;
    for (i = 0; i < (int)(sizeof counts / sizeof counts[0]); i++) {
        nn_random_args *r = &current.args.random;
        begin_case(NN_KERNEL_RANDOM, "random %d", counts[i]);
        r->y = make_output(false, 1, counts[i], 0, 0, 0);
        r->seed = 1 + (uint64_t)i * (uint64_t)0x123456789;
        r->stream = (uint64_t)i << 33;
        r->counter = i == 4 ? UINT64_MAX - 3 : 0xFFFFFFFFu;
        r->low = -0.5f;
        r->high = 0.25f;
        end_case();
    }
}

static nn_result custom_function(void *user, const nn_custom_args *args) {
    int64_t i;
    for (i = 0; i < view_count(&args->output); i++)
        view_f32(&args->output)[i] =
            *(const float *)user * view_f32(&args->input[0])[i] + view_f32(&args->input[1])[i];
    return NN_OK;
}

static void test_custom(void) {
    static float two = 2;
    nn_custom_args *c = &current.args.custom;
    begin_case(NN_KERNEL_CUSTOM, "custom");
    c->output = make_output(false, 1, 100, 0, 0, 0);
    c->input[0] = make_view(FILL_SIGNED, 1, 100, 0, 0, 0);
    c->input[1] = make_view(FILL_SIGNED, 1, 100, 0, 0, 0);
    c->input_count = 2;
    c->function = custom_function;
    c->user = &two;
    c->source = "__kernel void twice_and_add(__global float *y, ulong y_at, const __global float "
                "*a, ulong a_at,\n"
                "                            const __global float *b, ulong b_at, ulong count) {\n"
                "    size_t i = get_global_id(0);\n"
                "    if (i < count) y[y_at + i] = 2.0f * a[a_at + i] + b[b_at + i];\n"
                "}\n";
    c->entry = "twice_and_add";
    end_case();
}

/* ---- data ------------------------------------------------------------------------------------ */

static nn_view make_u8(int rank, int a, int b, int c, int d) {
    int32_t extents[4];
    nn_view view;
    int64_t i;
    extents[0] = a; extents[1] = b; extents[2] = c; extents[3] = d;
    view = view_of(NN_U8, rank, extents);
    for (i = 0; i < view_count(&view); i++)
        ((uint8_t *)view.handle)[i] = (uint8_t)(next_word() % 256);
    return view;
}

static void test_gather(void) {
    static const int shapes[][3] = {{1, 1, 1},     {7, 3, 5},     {300, 20, 784},
                                    {5, 9, 70001}, {1000, 11, 3}, {65, 2, 6}};
    int i, j;
    for (i = 0; i < 6; i++)
        for (j = 0; j < 3; j++) { /* f32, bytes, i32 without inner extents */
            nn_gather_args *g = &current.args.gather;
            int32_t *index;
            int N = shapes[i][0], count = shapes[i][1], row = shapes[i][2];
            begin_case(NN_KERNEL_GATHER, "gather %d of %d rows of %d way %d", N, count, row, j);
            g->x = j == 0 ? make_view(FILL_SIGNED, 2, count, row, 0, 0)
                   : j == 1 ? make_u8(2, count, row, 0, 0) : make_i32(1, count, 0, 0, 0, 1000);
            g->y = j == 2   ? make_i32(1, N, 0, 0, 0, 0)
                   : j == 0 ? make_output(false, 2, N, row, 0, 0)
                            : make_u8(2, N, row, 0, 0);
            g->index = make_i32(1, N, 0, 0, 0, count);
            index = (int32_t *)g->index.handle;
            if (N > 4) {
                index[1] = -1;
                index[2] = count;
                index[3] = INT32_MIN;
                index[4] = INT32_MAX;
            }
            end_case();
        }
}

typedef struct picture_shape { int N, C, H, W, OH, OW; bool bytes; } picture_shape;

static const picture_shape picture_shapes[] = {
    {1, 1, 1, 1, 1, 1, true},   {5, 3, 7, 6, 5, 8, true},      {3, 5, 6, 6, 4, 4, true},
    {2, 4, 9, 5, 13, 9, false}, {3, 1, 28, 28, 28, 28, false}, {4, 3, 33, 17, 32, 20, true},
    {2, 2, 8, 8, 8, 8, true},   {130, 3, 32, 32, 32, 32, true}};

static nn_augment_args *augment_begin(const picture_shape *s, int way) {
    nn_augment_args *a = &current.args.augment;
    int c;
    begin_case(NN_KERNEL_AUGMENT, "augment N%d C%d %dx%d to %dx%d %s way %d", s->N, s->C, s->H,
               s->W, s->OH, s->OW, s->bytes ? "u8" : "f32", way);
    a->x = s->bytes ? make_u8(4, s->N, s->C, s->H, s->W)
                    : make_view(FILL_POSITIVE, 4, s->N, s->C, s->H, s->W);
    a->scale = s->bytes ? 1.0f / 255.0f : 0.9f;
    for (c = 0; c < 4; c++) a->std[c] = 1;
    return a;
}

/* Variants 0 to 6: nothing, crop and flip, affine, jitter, cut, mix, all; 7: all with meaningless
   numbers. */
static void augment_case(const picture_shape *s, int way) {
    nn_augment_args *a = augment_begin(s, way);
    bool all = way >= 6;
    int n, c;
    float *row;
    a->y = make_output(false, 4, s->N, s->C, s->OH, s->OW);
    a->table = make_view(FILL_SIGNED, 2, s->N, NN_AUGMENT_COLUMNS, 0, 0);
    a->contrast = way == 3 || all;
    a->fill = -0.75f;
    for (n = 0; n < s->N; n++) {
        row = (float *)a->table.handle + n * NN_AUGMENT_COLUMNS;
        memset(row, 0, sizeof *row * NN_AUGMENT_COLUMNS);
        row[NN_AUGMENT_MATRIX] = row[NN_AUGMENT_MATRIX + 4] = 1;
        row[NN_AUGMENT_BRIGHTNESS] = row[NN_AUGMENT_CONTRAST] = row[NN_AUGMENT_LAMBDA] = 1;
        if (way == 1 || all) {
            row[NN_AUGMENT_TOP] = (float)(int)(next_word() % 9) - 4;
            row[NN_AUGMENT_LEFT] = (float)(int)(next_word() % 9) - 4;
            row[NN_AUGMENT_FLIP] = (float)(n % 2);
        }
        if (way == 2 || all)
            for (c = 0; c < 6; c++)
                row[NN_AUGMENT_MATRIX + c] += (next_unit() - 0.5f) * (c % 3 == 2 ? 6 : 0.9f);
        if (way == 3 || all) {
            row[NN_AUGMENT_BRIGHTNESS] = n % 4 == 3 ? 1 : 0.5f + next_unit();
            row[NN_AUGMENT_CONTRAST] = n % 3 == 2 ? 1 : 0.5f + next_unit();
        }
        if (way == 4 || all) {
            row[NN_AUGMENT_CUT_TOP] = (float)(int)(next_word() % (uint32_t)s->OH);
            row[NN_AUGMENT_CUT_LEFT] = (float)(int)(next_word() % (uint32_t)s->OW);
            row[NN_AUGMENT_CUT_BOTTOM] = row[NN_AUGMENT_CUT_TOP] + 3;
            row[NN_AUGMENT_CUT_RIGHT] = row[NN_AUGMENT_CUT_LEFT] + 4;
        }
        if (way == 5 || all) {
            row[NN_AUGMENT_LAMBDA] = n % 3 == 1 ? 1 : next_unit();
            row[NN_AUGMENT_PARTNER] = (float)(int)(next_word() % (uint32_t)s->N);
        }
    }
    row = (float *)a->table.handle;
    if (way == 7) {
        row[NN_AUGMENT_TOP] = (float)NAN;
        row[NN_AUGMENT_LEFT] = -3e38f;
        row[NN_AUGMENT_MATRIX] = (float)NAN;
        row[NN_AUGMENT_PARTNER] = (float)s->N;
        row[NN_AUGMENT_CUT_RIGHT] = (float)INFINITY;
        row += (s->N - 1) * NN_AUGMENT_COLUMNS;
        row[NN_AUGMENT_TOP] = (float)INFINITY;
        row[NN_AUGMENT_MATRIX + 5] = -(float)INFINITY;
        row[NN_AUGMENT_PARTNER] = (float)NAN;
    }
    if (way >= 5 && s->C > 4) a->normalize = make_view(FILL_POSITIVE, 2, 2, s->C, 0, 0);
    else
        for (c = 0; c < 4 && way >= 5; c++) {
            a->mean[c] = 0.3f + 0.1f * (float)c;
            a->std[c] = 0.5f + 0.1f * (float)c;
        }
    end_case();
}

static void augment_cases(int first, int end) {
    int i, way, c;
    for (i = first; i < end; i++) {
        const picture_shape *s = &picture_shapes[i];
        nn_augment_args *a;
        for (way = 0; way < 8; way++) augment_case(s, way);
        a = augment_begin(s, 8); /* images without a table */
        a->y = make_output(false, 4, s->N, s->C, s->H, s->W);
        for (c = 0; c < 4; c++) {
            a->mean[c] = 0.3f + 0.1f * (float)c;
            a->std[c] = 0.5f + 0.1f * (float)c;
        }
        if (i % 2) a->normalize = make_view(FILL_POSITIVE, 2, 2, s->C, 0, 0);
        end_case();
    }
}

static void test_augment(void) { augment_cases(0, 3); }
static void test_larger_pictures(void) {
    augment_cases(3, (int)(sizeof picture_shapes / sizeof picture_shapes[0]));
}

static void test_convert(void) {
    static const int counts[] = {1, 5, 40000, 1 << 17};
    int i, way, c;
    for (i = 0; i < 4; i++)
        for (way = 0; way < 3; way++) { /* bytes to numbers, to whole ones, numbers to numbers */
            nn_augment_args *a = &current.args.augment;
            begin_case(NN_KERNEL_AUGMENT, "augment converts %d way %d", counts[i], way);
            for (c = 0; c < 4; c++) a->std[c] = 1;
            a->x = way == 2 ? make_view(FILL_SIGNED, 1, counts[i], 0, 0, 0)
                            : make_u8(1, counts[i], 0, 0, 0);
            a->y = way == 1 ? make_i32(1, counts[i], 0, 0, 0, 0)
                            : make_output(false, 1, counts[i], 0, 0, 0);
            a->scale = way == 0 ? 1.0f / 255.0f : i == 2 ? -0.5f : i == 3 ? 3e8f : 1;
            a->offset = i == 1 ? -1.0f : 0;
            end_case();
        }
}

/* ---- timed ----------------------------------------------------------------------------------- */

static void time_all(void) {
    static const conv_shape shapes[] = {{16, 16, 28, 28, 32, 3, 3, 1, 1, 1, 1, 1, 1, 1},
                                        {64, 1, 28, 28, 32, 3, 3, 1, 1, 0, 0, 1, 1, 1},
                                        {8, 64, 14, 14, 64, 1, 1, 1, 1, 0, 0, 1, 1, 1},
                                        {4, 64, 28, 28, 64, 3, 3, 1, 1, 1, 1, 1, 1, 64}};
    static const pool_shape pool = {64, 32, 24, 24, 2, 2, 2, 2, 0, 0, 0, 0, 0};
    int i;
    gemm_case(512, 512, 512, false, false, false, false, NN_ACTIVATION_NONE);
    gemm_case(64, 128, 9216, false, true, false, true, NN_ACTIVATION_RELU);
    gemm_case(128, 9216, 64, true, false, false, false, NN_ACTIVATION_NONE);
    for (i = 0; i < 4; i++) {
        conv_forward_case(&shapes[i], true, NN_ACTIVATION_RELU);
        conv_backward_input_case(&shapes[i], false);
        conv_backward_weight_case(&shapes[i], true, true, false);
    }
    (void)pool_begin(NN_KERNEL_POOL2D_FORWARD, &pool, NN_POOL_MAX, false, "");
    end_case();
    for (i = 0; i < 2; i++) {
        nn_reduce_args *r = &current.args.reduce;
        begin_case(NN_KERNEL_REDUCE, "reduce 1024x1024 axis %d", i);
        r->x = make_view(FILL_SIGNED, 2, 1024, 1024, 0, 0);
        r->axes = 1u << i;
        r->reduction = NN_SUM;
        r->scale = 1;
        r->y = make_output(false, 2, i == 0 ? 1 : 1024, i == 0 ? 1024 : 1, 0, 0);
        end_case();
    }
}

#include "random_kernels.h"
#include "random_orders.h"
#include "random_integer.h"
#include "random_quantized.h"
#include "random_nibble.h"

/* Without a device every case would pass without testing anything. */
static void test_targets(void) {
    const char *wanted = getenv("NN_TEST_DEVICES");
    test_checked(1);
    if (wanted && target_count != atoi(wanted))
        test_fail(__FILE__, __LINE__, "%d devices instead of %s", target_count, wanted);
    if (target_count == 0) SKIP("no device to test");
}

#ifdef NN_TEST_OPENCL
/* With NN_TEST_AS=tf32 or bf16: the matrix units passed their self-test, so that f32 kernels did
   not take their place. */
static void test_matrix_units_used(void) {
    for (int i = 0; i < target_count && tested_precision != NN_PRECISION_DEFAULT; i++) {
        void *state = NULL;
        nn_device_backend(targets[i].nn, targets[i].device, &state);
        ENSURE(nn__opencl_rounding_of((nn__opencl *)state, tested_precision) !=
               NN__OPENCL_ROUND_NOT);
    }
}
#endif

int main(int argc, char **argv) {
    const char *as = getenv("NN_TEST_AS");
    int i;
    if (argc > 1 && (!strcmp(argv[1], "timed") || !strcmp(argv[1], "correct") ||
                     !strcmp(argv[1], "gradient"))) {
        mode_timed = argv[1][0] == 't';
        mode_gradient = argv[1][0] == 'g';
        mode_correct = argv[1][0] == 'c';
        argc--;
        argv++;
    }
    test_start(argc, argv);
#ifdef PAGES
    signal(SIGSEGV, name_the_case);
    signal(SIGBUS, name_the_case);
#endif
#ifdef NN_TEST_OPENCL
    if (!as || strcmp(as, "tf32") == 0 || strcmp(as, "bf16") == 0) BEFORE_EMULATED_UNITS();
#endif
    every_slice = getenv("NN_FULL") != NULL;
    if (getenv("NN_TEST_LARGEST")) largest_case = atoll(getenv("NN_TEST_LARGEST"));
    open_targets();
    if (target_count == 0) test_filter_count = 0; /* the first test alone, in any case */
    if (!mode_timed || target_count == 0) RUN(test_targets);
    if (mode_timed && target_count > 0) RUN(time_all);
    else if (target_count > 0) {
#ifdef NN_TEST_OPENCL
        if (tested_precision != NN_PRECISION_DEFAULT) RUN(test_matrix_units_used);
#endif
        RUN_CASES(test_table);
        if (mode_correct) RUN(test_self_test);
        RUN_CASES(test_shard_sum_units);
        RUN_CASES(test_gemm);
        RUN_CASES(test_gemm_batch);
        RUN_CASES(test_gemm_halves);
        RUN_CASES(test_gemm_random);
        if (as && (!strcmp(as, "clblast") || !strcmp(as, "large"))) RUN_CASES(test_gemm_large);
        RUN_CASES(test_conv2d_forward);
        RUN_CASES(test_conv2d_backward_input);
        RUN_CASES(test_conv2d_backward_weight);
        RUN_CASES(test_conv2d_random);
        RUN_CASES(test_conv2d_wide);
        if (as) RUN_CASES(test_conv2d_large);
        RUN_CASES(test_pool2d_forward);
        RUN_CASES(test_pool2d_backward);
        RUN_CASES(test_pool2d_wild_index);
        RUN_CASES(test_reduce);
        RUN_CASES(test_fold);
        RUN_CASES(test_reduce_backward);
        RUN_CASES(test_fold_extremes);
        RUN_CASES(test_softmax);
        RUN_CASES(test_softmax_backward);
        RUN_CASES(test_cross_entropy_forward);
        RUN_CASES(test_cross_entropy_backward);
        RUN_CASES(test_accuracy);
        RUN_CASES(test_confusion);
        RUN_CASES(test_strided_copy_status);
        RUN_CASES(test_update);
        RUN_CASES(test_clip);
        RUN_CASES(test_accumulate);
        RUN_CASES(test_random);
        RUN_CASES(test_custom);
        RUN_CASES(test_gather);
        RUN_CASES(test_augment);
        RUN_CASES(test_larger_pictures);
        RUN_CASES(test_convert);
        RUN_CASES(test_pool2d_random);
        RUN_CASES(test_reduce_random);
        RUN_CASES(test_softmax_random);
        RUN_CASES(test_norm_random);
        RUN_CASES(test_attention_random);
        RUN_CASES(test_block_random);
        RUN_CASES(test_block_dead);
        RUN_CASES(test_gather_random);
        RUN_CASES(test_entropy_random);
        RUN_CASES(test_metric_random);
        RUN_CASES(test_scan_random);
        RUN_CASES(test_integer_random);
        RUN_CASES(test_quantized_random);
        RUN_CASES(test_nibble_random);
        RUN_CASES(test_sort_random);
        RUN_CASES(test_resize_random);
        RUN_CASES(test_grid_random);
        RUN_CASES(test_update_random);
        RUN_CASES(test_linear_gradient_random);
        RUN_CASES(test_ctc_random);
        RUN_CASES(test_recurrent_random);
    }
    for (i = 0; i < context_count; i++) nn_close(contexts[i]);
    if (sims[0] && sim_free(sims[0]) + sim_free(sims[1]) > 0) test_failed++;
    return test_report();
}
