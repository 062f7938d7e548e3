/* test_random_calls.c: random calls, right and wrong, on contexts whose allocator sometimes fails.
   Each call knows if it is right: a wrong one must fail with a message, a right one may fail only
   for lack of memory. Nothing may crash, and at the end all memory has been freed. A session has
   200 calls; `make test` makes 40,000 calls, NN_FULL=1 a million (under sanitizers in
   `make test-full`). `test_random_calls --seed N` makes one session and prints its calls. */
#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"

#include "call_ops.h"
#include "memory_files.h"
#include "test.h"
#include "lists.h"

#include <stdlib.h>

#define ZERO(thing) memset(&(thing), 0, sizeof(thing))
enum { TENSORS = 12, NODES = 40, CALLS = 200, BATCH = 3, TIME = 2, BYTES = 1 << 14 };

/* ---- an allocator that counts, and fails when it is told to ---------------------------------- */

typedef struct heap {
    int64_t live, blocks;
    int fail_in; /* the allocation that fails, counted down; 0: none does */
    bool failed;
} heap;

/* C99 has no aligned_alloc: the address of malloc's block is stored before the returned memory. */
static void *take(void *user, size_t bytes, size_t alignment) {
    heap *h = (heap *)user;
    char *memory, *block;
    if (alignment < sizeof block) alignment = sizeof block;
    if (h->fail_in > 0 && --h->fail_in == 0) {
        h->failed = true;
        return NULL;
    }
    block = (char *)malloc(bytes + alignment + sizeof block);
    if (!block) return NULL;
    memory = block + sizeof block +
             (alignment - (size_t)((uintptr_t)(block + sizeof block) % alignment)) % alignment;
    memcpy(memory - sizeof block, &block, sizeof block);
    h->live += (int64_t)bytes, h->blocks++;
    return memory;
}

static void give(void *user, void *memory, size_t bytes, size_t alignment) {
    heap *h = (heap *)user;
    char *block;
    (void)alignment;
    if (!memory) return;
    memcpy(&block, (char *)memory - sizeof block, sizeof block);
    h->live -= (int64_t)bytes, h->blocks--;
    free(block);
}

/* ---- a session ------------------------------------------------------------------------------- */

typedef struct session {
    uint64_t seed, counter;
    heap heap;
    nn_context *nn;
    nn_tensor *tensors[TENSORS];
    nn_model *net;
    nn_node *nodes[NODES];
    int node_count, inputs, faults;
    nn_plan *plan;
    nn_node *output;
    bool pending; /* a sliced run */
    nn_trainer *trainer;
    memory_disk disk;
    int wrong;
    bool loud;
} session;

static bool print_calls;
static long calls_made, mistakes_made, memory_failures;
static char noise[BYTES];
static const char none[BYTES];

static int draw(session *s, int below) {
    uint32_t words[4];
    nn_random_words(s->seed, 5, s->counter++, words);
    return (int)(words[0] % (uint32_t)below);
}

/* Checks the result of a call. right: its arguments are valid. */
static void judge(session *s, const char *call, bool right, bool succeeded) {
    const char *error = nn_error(s->nn);
    calls_made++;
    mistakes_made += !right;
    if (print_calls)
        printf("  %s: %s%s%.300s\n", call, right ? "right" : "wrong",
               succeeded ? "" : ", failed: ", succeeded || !error ? "" : error);
    if (!right && succeeded)
        s->wrong++, test_fail(__FILE__, __LINE__, "session %llu: %s accepted a mistake",
                              (unsigned long long)s->seed, call);
    if (right && !succeeded && !s->heap.failed)
        s->wrong++, test_fail(__FILE__, __LINE__, "session %llu: %s failed: %s",
                              (unsigned long long)s->seed, call, error ? error : "(nothing)");
    if (!succeeded && !error)
        s->wrong++, test_fail(__FILE__, __LINE__, "session %llu: %s failed without a word",
                              (unsigned long long)s->seed, call);
    if (!right && !succeeded && error && strlen(error) < 12)
        s->wrong++, test_fail(__FILE__, __LINE__, "session %llu: %s says no more than %s",
                              (unsigned long long)s->seed, call, error);
    memory_failures += s->heap.failed;
    s->heap.failed = false;
    nn_clear_error(s->nn);
}

static nn_tensor *any_tensor(session *s) { return s->tensors[draw(s, TENSORS)]; }
static nn_node *any_node(session *s) {
    return s->node_count ? s->nodes[draw(s, s->node_count)] : NULL;
}

/* ---- tensors --------------------------------------------------------------------------------- */

static void call_make_tensor(session *s) {
    nn_tensor_desc desc;
    int slot = draw(s, TENSORS);
    bool right = true;
    if (s->tensors[slot]) return;
    ZERO(desc);
    desc.name = draw(s, 3) ? "t" : NULL;
    desc.dtype = (nn_dtype)draw(s, 4);
    desc.shape.rank = draw(s, 4);
    for (int i = 0; i < desc.shape.rank; i++) desc.shape.extent[i] = 1 + draw(s, 4);
    if (draw(s, 8) == 0) {
        right = false;
        switch (draw(s, 4)) {
        case 0: desc.shape.rank = NN_MAX_RANK + 1; break;
        case 1: desc.shape.rank = 2, desc.shape.extent[0] = 0, desc.shape.extent[1] = 3; break;
        case 2: desc.dtype = (nn_dtype)77; break;
        default: desc.device = nn_opencl(3); break;
        }
    }
    s->tensors[slot] = nn_make_tensor(s->nn, &desc);
    judge(s, "nn_make_tensor", right, s->tensors[slot] != NULL);
}

static void call_free_tensor(session *s) {
    int slot = draw(s, TENSORS);
    nn_free_tensor(s->tensors[slot]);
    s->tensors[slot] = NULL;
    judge(s, "nn_free_tensor", true, nn_error(s->nn) == NULL);
}

static void call_transfer_tensor(session *s) {
    static char bytes[BYTES];
    nn_tensor *tensor = any_tensor(s);
    size_t size = (size_t)nn_tensor_bytes(tensor) + (draw(s, 4) == 0 ? (size_t)draw(s, 9) : 0);
    bool null = draw(s, 9) == 0, right = tensor && size == nn_tensor_bytes(tensor) && !null;
    if (!tensor) return; /* a call without any object has no context to speak through */
    if (draw(s, 2))
        judge(s, "nn_upload_tensor", right,
              nn_upload_tensor(tensor, null ? NULL : noise, size) == NN_OK);
    else
        judge(s, "nn_download_tensor", right,
              nn_download_tensor(tensor, null ? NULL : bytes, size) == NN_OK);
}

static void call_copy(session *s) {
    nn_tensor *a = any_tensor(s), *b = any_tensor(s);
    if (!a) return;
    bool right = b && nn_same_shape(nn_tensor_shape(a), nn_tensor_shape(b)) &&
                 nn_tensor_dtype(a) == nn_tensor_dtype(b);
    judge(s, "nn_copy", right, nn_copy(a, b) == NN_OK);
}

/* ---- immediate ------------------------------------------------------------------------------- */

static bool is_f32(const nn_tensor *t) { return t && nn_tensor_dtype(t) == NN_F32; }
static bool like(const nn_tensor *a, const nn_tensor *b) {
    return a && b && nn_same_shape(nn_tensor_shape(a), nn_tensor_shape(b));
}

static void call_relu(session *s) {
    nn_tensor *y = any_tensor(s), *x = any_tensor(s);
    if (!y && !x) return;
    judge(s, "nn_relu_forward", is_f32(y) && is_f32(x) && like(x, y),
          nn_relu_forward(y, x) == NN_OK);
}

static bool multiplied(const nn_tensor *t) {
    const nn_dtype dtype = nn_tensor_dtype(t);
    return t && (dtype == NN_F32 || dtype == NN_F16 || dtype == NN_BF16);
}

static void call_linear(session *s) {
    nn_tensor *y = any_tensor(s), *x = any_tensor(s), *w = any_tensor(s),
              *b = draw(s, 2) ? any_tensor(s) : NULL;
    if (!y && !x && !w && !b) return;
    bool right = is_f32(y) && multiplied(x) && multiplied(w) && (!b || is_f32(b)) && y != x &&
                 y != w && y != b;
    nn_shape xs = nn_tensor_shape(x), ws = nn_tensor_shape(w), bs = nn_tensor_shape(b), ys = xs;
    right = right && xs.rank >= 1 && ws.rank == 2 && xs.extent[xs.rank - 1] == ws.extent[1];
    if (right) ys.extent[ys.rank - 1] = ws.extent[0];
    right = right && nn_same_shape(ys, nn_tensor_shape(y)) &&
            (!b || (bs.rank == 1 && bs.extent[0] == ws.extent[0]));
    judge(s, "nn_linear_forward", right, nn_linear_forward(y, x, w, b) == NN_OK);
}

static void call_flip(session *s) {
    nn_tensor *y = any_tensor(s), *x = any_tensor(s);
    int axis = draw(s, 4) - 1;
    if (!x) return;
    bool right = y && y != x && like(x, y) && nn_tensor_dtype(x) == nn_tensor_dtype(y) &&
                 axis >= -nn_tensor_shape(x).rank && axis < nn_tensor_shape(x).rank;
    judge(s, "nn_flip_forward", right, nn_flip_forward(y, x, NN_AXES(axis)) == NN_OK);
}

static bool castable(const nn_tensor *t) {
    nn_dtype dtype = nn_tensor_dtype(t);
    return dtype == NN_F32 || dtype == NN_F16 || dtype == NN_BF16 || dtype == NN_I32 ||
           dtype == NN_I8 || dtype == NN_U8 || dtype == NN_BOOL;
}
static void call_cast(session *s) {
    nn_tensor *y = any_tensor(s), *x = any_tensor(s);
    if (!x) return;
    judge(s, "nn_cast_forward", y && y != x && like(x, y) && castable(x) && castable(y),
          nn_cast_forward(y, x) == NN_OK);
}

/* Describes and plans an operation that has only a builder, while allocations may fail. The same
   description with enough memory says whether the call is right. */
static void plan_operation(session *s, const call_case *c, int fail_in) {
    nn_plan_desc desc;
    nn_model *net = nn_make_model(s->nn, NULL);
    nn_node *node = call_describe_case(net, c, true);
    const bool right = node && nn_fault_count(net) == 0;
    nn_free_model(net);
    nn_clear_error(s->nn);
    net = nn_make_model(s->nn, NULL);
    s->heap.fail_in = fail_in ? fail_in + (int)(s->counter % 32) : 0;
    ZERO(desc);
    node = call_describe_case(net, c, true);
    NODE_AT(desc.outputs, 0) = node;
    desc.batch = BATCH, desc.time = TIME;
    nn_plan *plan = nn_make_plan(net, &desc);
    s->heap.fail_in = 0;
    judge(s, call_name(c), right, plan != NULL);
    nn_free_model(net);
    nn_clear_error(s->nn);
}

/* Calls any operation of call_ops.h on new tensors. Its builder says whether the call is right.
   Now and then the result has another dtype or is missing. Allocations fail only inside the
   call. */
static void call_operation(session *s) {
    nn_tensor *x[CALL_INPUTS] = {NULL}, *y = NULL;
    nn_tensor_desc desc;
    nn_model *net;
    call_case c;
    const int fail_in = s->heap.fail_in;
    s->heap.fail_in = 0;
    call_prepare(&c, s->seed << 16 | s->counter++);
    if (call_draw(&c, 3) == 0) call_spoil(&c);
    if (!call_exists(&c)) {
        plan_operation(s, &c, fail_in);
        return;
    }
    net = nn_make_model(s->nn, NULL);
    const nn_node *node = call_describe_case(net, &c, false);
    bool right = node && nn_fault_count(net) == 0;
    ZERO(desc);
    desc.shape = right ? nn_node_shape(node) : call_resolve(c.shape[0]);
    desc.dtype = right                          ? nn_node_dtype(node)
                 : c.op->call == call_call_cast ? (nn_dtype)c.p[0]
                                                : NN_F32;
    nn_free_model(net);
    const int other = call_draw(&c, 12);
    if (other == 0 && desc.shape.rank) desc.shape.extent[0]++, right = false;
    if (other == 1 && c.op->call != call_call_cast)
        desc.dtype = desc.dtype == NN_F32 ? NN_I32 : NN_F32, right = false;
    if (other != 2) y = nn_make_tensor(s->nn, &desc);
    for (int k = 0; k < c.count; k++) {
        desc.shape = call_resolve(c.shape[k]);
        desc.dtype = c.dtype[k];
        /* a norm's weight is optional */
        const bool optional = k > 1 || (k && (c.op->prepare == call_prepare_layer_norm ||
                                              c.op->prepare == call_prepare_group_norm ||
                                              c.op->prepare == call_prepare_rotary));
        if (optional || call_draw(&c, 40)) x[k] = nn_make_tensor(s->nn, &desc);
        if (x[k] && nn_tensor_bytes(x[k]) <= BYTES)
            nn_upload_tensor(x[k], c.dtype[k] == NN_F32 ? noise : none,
                             (size_t)nn_tensor_bytes(x[k]));
        right = right && x[k];
    }
    nn_clear_error(s->nn);
    /* a call without any object has no context to speak through, and a NULL ends a text's list */
    if (y || x[0] || (x[1] && c.op->call != call_call_text)) {
        s->heap.fail_in = fail_in;
        const bool fine = c.op->call(y, &c, x) == NN_OK;
        s->heap.fail_in = 0;
        judge(s, call_name(&c), right && y, fine);
    }
    for (int k = 0; k < c.count; k++) nn_free_tensor(x[k]);
    nn_free_tensor(y);
}

/* ---- describing ------------------------------------------------------------------------------ */

/* Frees the model with its plans and trainers. */
static void forget_model(session *s) {
    nn_free_model(s->net);
    s->net = NULL;
    s->plan = NULL;
    s->trainer = NULL;
    s->output = NULL;
    s->node_count = s->inputs = s->faults = 0;
}

static void call_make_model(session *s) {
    if (s->net && draw(s, 3)) return;
    forget_model(s);
    s->net = nn_make_model(s->nn, NULL);
    judge(s, "nn_make_model", true, s->net != NULL);
}

/* A builder never fails, but it may record a fault. */
static void built(session *s, const char *call, bool right, nn_node *node) {
    int faults = nn_fault_count(s->net);
    calls_made++;
    mistakes_made += !right;
    if (print_calls) printf("  %s: %s, %d faults\n", call, right ? "right" : "wrong", faults);
    bool memory = s->heap.failed;
    if (!node || (!memory && (faults > s->faults) == right)) {
        s->wrong++;
        test_fail(__FILE__, __LINE__, "session %llu: %s: %d faults before, %d after, and it was %s",
                  (unsigned long long)s->seed, call, s->faults, faults, right ? "right" : "wrong");
    }
    s->heap.failed = false;
    nn_clear_error(s->nn);
    if (faults > s->faults ||
        memory) { /* a net with faults tests nothing more, so a new one begins */
        forget_model(s);
        return;
    }
    if (s->node_count < NODES) s->nodes[s->node_count++] = node;
}

/* True if the shapes fit by NumPy's broadcasting, with the batch at most once. *y: the result. */
static bool broadcast(nn_shape a, nn_shape b, nn_shape *y) {
    int batches = 0;
    *y = a.rank > b.rank ? a : b;
    for (int i = 1; i <= y->rank; i++) {
        const int p = i <= a.rank ? a.extent[a.rank - i] : 1,
                  q = i <= b.rank ? b.extent[b.rank - i] : 1;
        if (p != q && p != 1 && q != 1) return false;
        y->extent[y->rank - i] = p == 1 ? q : p;
        batches += p < 0 || q < 0;
    }
    return batches < 2;
}

/* Describes a line of the table, or an expression. */
static void describe_program(session *s, nn_node *a, nn_node *b, nn_node *c) {
    nn_node *x[CALL_INPUTS];
    nn_shape y = nn_node_shape(a), both;
    call_case lines;
    x[0] = x[3] = a, x[1] = b, x[2] = c;
    call_prepare(&lines, s->seed << 16 | s->counter++);
    call_prepare_line(&lines);
    const bool text = draw(s, 3) == 0;
    bool right = true;
    for (int k = 1; k < (text ? 2 : lines.count) && right; k++) {
        right = broadcast(y, nn_node_shape(x[k]), &both);
        y = both;
    }
    if (!text)
        built(s, call_name(&lines), right, call_build_line(s->net, &lines, x));
    else if (draw(s, 4))
        built(s, "nn_expression", right, nn_expression(s->net, "a, b: a * b + 0.5", a, b));
    else
        built(s, "nn_expression", false, nn_expression(s->net, "a, b: a b", a, b));
}

static void call_describe(session *s) {
    nn_node *a = any_node(s), *b = any_node(s);
    nn_shape as = nn_node_shape(a), bs = nn_node_shape(b);
    nn_linear_desc linear;
    char name[16];
    if (!s->net || s->node_count >= NODES) return;
    snprintf(name, sizeof name, "n%d", s->node_count);
    if (s->inputs < 3 && draw(s, 3) == 0) {
        s->inputs++;
        built(s, "nn_input", true,
              nn_input(s->net, name, NN_F32, NN_SHAPE(NN_BATCH, 1 + draw(s, 4))));
        return;
    }
    if (!a) return;
    const int axis = draw(s, 5) - 2;
    const bool there = axis >= -as.rank && axis < as.rank;
    switch (draw(s, 10)) {
    case 0: built(s, "nn_relu", true, nn_relu(s->net, a)); break;
    case 1: built(s, "nn_add", broadcast(as, bs, &bs), nn_add(s->net, a, b)); break;
    case 2:
        ZERO(linear);
        linear.out_features = draw(s, 5);
        built(s, "nn_linear", linear.out_features > 0 && as.rank >= 1 && as.extent[as.rank - 1] > 0,
              nn_linear(s->net, name, a, &linear));
        break;
    case 3: built(s, "nn_softmax", as.rank >= 1, nn_softmax(s->net, a)); break;
    case 4: built(s, "nn_transpose", as.rank >= 2, nn_transpose(s->net, a, 0, 1)); break;
    case 5: built(s, "nn_cumsum", there, nn_cumsum(s->net, a, axis)); break;
    case 6: built(s, "nn_normalize", there, nn_normalize(s->net, a, axis)); break;
    case 7:
    case 8: describe_program(s, a, b, any_node(s)); break;
    default: built(s, "nn_relu of NULL", false, nn_relu(s->net, NULL)); break;
    }
}

/* ---- plans ----------------------------------------------------------------------------------- */

static void call_make_plan(session *s) {
    nn_plan_desc desc;
    bool right;
    if (!s->net) return;
    ZERO(desc);
    NODE_AT(desc.outputs, 0) = s->output = any_node(s);
    desc.batch = draw(s, 9) ? BATCH : -1;
    desc.time = TIME;
    right = desc.batch > 0 && desc.outputs.node[0];
    nn_free_plan(s->plan);
    s->plan = nn_make_plan(s->net, draw(s, 20) ? &desc : (right = false, (nn_plan_desc *)NULL));
    s->pending = false;
    judge(s, "nn_make_plan", right, s->plan != NULL);
}

/* Fills all inputs with one batch, or one of them with too many or too few bytes. */
static void call_upload(session *s) {
    int batch = 1 + draw(s, BATCH), sabotage = draw(s, 6);
    if (!s->plan) return;
    for (int i = 0; i < s->node_count; i++) {
        if (!nn_plan_view(s->plan, s->nodes[i]).dtype ||
            strncmp(nn_node_name(s->nodes[i]), "n", 1) || s->nodes[i] == s->output)
            continue;
        nn_clear_error(s->nn);
        nn_shape shape = nn_node_shape(s->nodes[i]);
        if (shape.rank != 2 || shape.extent[0] != NN_BATCH) continue;
        size_t bytes = (size_t)(shape.extent[1] * batch) * 4;
        bool right = sabotage != 0 && !s->pending;
        if (!sabotage) bytes += draw(s, 2) ? 2 : (size_t)(shape.extent[1] * BATCH * 4);
        nn_result result = nn_upload(s->plan, s->nodes[i], noise, bytes);
        if (result != NN_OK && strstr(nn_error(s->nn) ? nn_error(s->nn) : "", "input"))
            right = false; /* not an input */
        judge(s, "nn_upload", right, result == NN_OK);
        if (!right) return;
    }
}

static void call_set_time(session *s) {
    const int time = draw(s, TIME + 4) - 2;
    if (!s->plan) return;
    judge(s, "nn_set_time", time >= 0 && time <= TIME && !s->pending,
          nn_set_time(s->plan, time) == NN_OK);
}

static void call_run(session *s) {
    if (!s->plan) return;
    nn_result result = draw(s, 3) ? nn_run(s->plan) : nn_run_for(s->plan, draw(s, 3));
    /* the test does not track which inputs were given: a failure only needs a message */
    judge(s, "nn_run", result == NN_OK || result == NN_PENDING,
          result == NN_OK || result == NN_PENDING);
    s->pending = result == NN_PENDING;
}

static void call_download(session *s) {
    static char bytes[BYTES];
    if (!s->plan || !s->output) return;
    nn_view view = nn_plan_view(s->plan, s->output);
    nn_clear_error(s->nn);
    size_t size = (size_t)(nn_shape_count(view.shape) > 0 ? nn_shape_count(view.shape) : 0) * 4;
    bool exact = draw(s, 3) > 0;
    nn_result result = nn_download(s->plan, s->output, bytes, exact ? size : size + 4);
    judge(s, "nn_download", exact && result == NN_OK, result == NN_OK);
}

static void call_train(session *s) {
    nn_trainer_desc desc;
    nn_node *loss = any_node(s);
    float number;
    if (!s->net || !loss) return;
    if (!s->trainer) {
        nn_node *target = nn_mean(s->net, nn_square(s->net, loss));
        nn_clear_error(s->nn);
        if (s->heap.failed) { /* the description is incomplete now */
            s->heap.failed = false;
            forget_model(s);
            return;
        }
        ZERO(desc);
        desc.batch = draw(s, 5) ? BATCH : 0;
        desc.optimizer = (nn_optimizer)draw(s, 4);
        s->trainer = nn_make_trainer(s->net, draw(s, 4) ? target : loss, &desc);
        judge(s, "nn_make_trainer", s->trainer != NULL, s->trainer != NULL);
        if (nn_fault_count(s->net) > s->faults) forget_model(s);
        return;
    }
    nn_result result = nn_train_on_inputs(s->trainer);
    judge(s, "nn_train_on_inputs", result == NN_OK, result == NN_OK);
    result = nn_read_loss(s->trainer, &number);
    judge(s, "nn_read_loss", result == NN_OK, result == NN_OK);
    if (draw(s, 4) == 0) nn_free_trainer(s->trainer), s->trainer = NULL;
}

static void call_weights(session *s) {
    if (!s->net) return;
    nn_result result = draw(s, 2) ? nn_save_weights(s->net, "w")
                                  : nn_load_weights(s->net, draw(s, 3) ? "w" : "none", NULL);
    judge(s, "nn_save_weights or nn_load_weights", result == NN_OK, result == NN_OK);
}

/* ---- sessions -------------------------------------------------------------------------------- */

static bool run_session(uint64_t seed) {
    static void (*const calls[])(session *) = {
        call_make_tensor, call_make_tensor, call_free_tensor, call_transfer_tensor,
        call_copy,        call_relu,        call_linear,      call_flip,
        call_cast,        call_operation,   call_operation,   call_operation,
        call_set_time,    call_make_model,  call_describe,    call_describe,
        call_describe,    call_make_plan,   call_upload,      call_upload,
        call_run,         call_run,         call_download,    call_train,
        call_weights};
    static session s;
    nn_desc desc;
    ZERO(s);
    ZERO(desc);
    s.seed = seed;
    desc.allocator.allocate = take;
    desc.allocator.release = give;
    desc.allocator.user = &s.heap;
    desc.threads = 1 + (int)(seed % 2);
    desc.files = memory_files(&s.disk);
    s.nn = nn_open(&desc);
    if (!s.nn) return false;
    for (int i = 0; i < CALLS && !s.wrong; i++) {
        s.heap.fail_in = seed % 2 && draw(&s, 6) == 0 ? 1 + draw(&s, 6) : 0;
        calls[draw(&s, (int)(sizeof calls / sizeof calls[0]))](&s);
        s.heap.fail_in = 0;
        nn_clear_error(s.nn);
    }
    nn_close(s.nn);
    if (s.heap.blocks || s.heap.live) {
        test_fail(__FILE__, __LINE__, "session %llu: %lld blocks of %lld bytes were not given back",
                  (unsigned long long)seed, (long long)s.heap.blocks, (long long)s.heap.live);
        s.wrong++;
    }
    memory_free(&s.disk);
    return s.wrong == 0;
}

static uint64_t one_seed;

static void test_random_calls(void) {
    long wanted = getenv("NN_FULL") ? 1000000 : 40000;
    int bad = 0;
    for (int i = 0; i < BYTES; i++)
        noise[i] = (char)(i % 4 == 3 ? 63 : i * 31); /* floats around 1 */
    if (one_seed) {
        print_calls = true;
        run_session(one_seed);
        return;
    }
    for (uint64_t seed = 1; calls_made < wanted && bad < 10; seed++) bad += !run_session(seed);
    printf("%ld calls, %ld of them mistakes, %ld without memory\n", calls_made, mistakes_made,
           memory_failures);
    ENSURE(bad || (mistakes_made > calls_made / 20 && memory_failures > calls_made / 1000));
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--seed") == 0) {
        one_seed = strtoull(argv[2], NULL, 10);
        argc = 1;
    }
    test_start(argc, argv);
    RUN(test_random_calls);
    return test_report();
}
