/* test_pointwise.c: pointwise programs. Compares random valid ones with program_reference.h. They
   have 1 to 96 instructions and random broadcasting and dtypes, and run in place, accumulating,
   over items and in ranges of units. They run on the CPU with every instruction set and 1, 2 and 8
   threads, and with NN_TEST_OPENCL on every OpenCL device. NN_TEST_CASES=N: the number of random
   programs.

   Programs without transcendental functions give the same bytes on every instruction set; all
   programs give the same bytes for any number of threads and any ranges. */
#define NN_IMPLEMENTATION
#include "nn.h"
#ifdef NN_TEST_OPENCL
#define NN_OPENCL_IMPLEMENTATION
#include "nn_opencl.h"
#endif

#include "inside.h"
#include "open.h"

#include <stdlib.h>

#include "program_reference.h"

#define MOST_ITEMS 3
#define GUARD 64

/* ---- targets --------------------------------------------------------------------------------- */

typedef struct target {
    nn_context *nn;
    nn_device   device;
    int         set; /* nn_instruction_set; 0: not the CPU */
    char        name[64];
} target;

static target targets[32];
static int target_count;
static nn_context *contexts[32];
static int context_count;

static void open_targets(void) {
    static const int threads[3] = {1, 2, 8};
    int set, i;
    for (set = NN_INSTRUCTIONS_PLAIN; set <= LAST_SET; set++)
        for (i = 0; i < 3; i++) {
            nn_desc desc;
            nn_context *nn;
            target *t = &targets[target_count];
            memset(&desc, 0, sizeof desc);
            desc.instructions = (nn_instruction_set)set;
            desc.threads = threads[i];
            nn = OPEN_WITH_SET(&desc);
            if (!nn) break;
            nn_use_all_kernels(nn);
            contexts[context_count++] = nn;
            t->nn = nn;
            t->device = nn_cpu();
            t->set = set;
            snprintf(t->name, sizeof t->name, "%s, %d threads", nn_instruction_set_name(nn),
                     threads[i]);
            target_count++;
        }
#ifdef NN_TEST_OPENCL
    {
        nn_context *nn = nn_open(NULL);
        nn_opencl_desc opencl;
        contexts[context_count++] = nn;
        memset(&opencl, 0, sizeof opencl);
        opencl.cache_folder = "";
        if (nn_opencl_open(nn, &opencl) == NN_NOT_FOUND)
            SKIP_PART("no OpenCL device here");
        for (i = 1; i < nn_device_count(nn); i++) {
            target *t = &targets[target_count++];
            t->nn = nn;
            t->device = nn_device_at(nn, i);
            snprintf(t->name, sizeof t->name, "opencl:%d", i - 1);
        }
    }
#endif
}

/* ---- random numbers -------------------------------------------------------------------------- */

static uint64_t draws, seed;

static uint32_t word(void) {
    uint32_t words[4];
    nn_random_words(seed, 99, draws++, words);
    return words[0];
}
static int below(int n) { return (int)(word() % (uint32_t)n); }
static bool one_in(int n) { return below(n) == 0; }

static float number(void) {
    const float odd[] = {0.0f,  -0.0f,       1.0f,     -1.0f,      0.5f, 2.5f,
                         -2.5f, 3.0f,        INFINITY, -INFINITY,  NAN,  1e-30f,
                         1e30f, 16777217.0f, -3e38f,   0.49999997f};
    if (one_in(25)) return odd[below((int)(sizeof odd / sizeof odd[0]))];
    return ((float)(word() >> 8) * (1.0f / 16777216.0f) - 0.5f) * (one_in(4) ? 40.0f : 4.0f);
}

/* ---- a case ---------------------------------------------------------------------------------- */

typedef struct array {
    nn_view view;
    unsigned char *bytes; /* before the run; GUARD on both sides */
    size_t size;
    int shares; /* an output: the input whose storage it is, or -1 */
} array;

typedef struct program_case {
    nn_instruction code[NN_PROGRAM_LENGTH];
    nn_program_args args;
    nn_program_item items[MOST_ITEMS];
    array input[MOST_ITEMS][NN_PROGRAM_INPUTS], output[MOST_ITEMS][NN_PROGRAM_OUTPUTS];
    int items_used; /* number of arrays; 1 also without items */
    bool exact;
} program_case;

static program_case now;

static const nn_dtype dtypes[7] = {NN_F32, NN_F16, NN_BF16, NN_I32, NN_U8, NN_I8, NN_BOOL};

static double read_number(nn_dtype dtype, const unsigned char *bytes, int64_t i) {
    bytes += (size_t)i * nn_dtype_size(dtype);
    switch (dtype) {
        case NN_F32: { float x; memcpy(&x, bytes, 4); return (double)x; }
        case NN_I32: { int32_t x; memcpy(&x, bytes, 4); return (double)(float)x; }
        case NN_U8: return bytes[0];
        case NN_I8: return (signed char)bytes[0];
        case NN_BOOL: return bytes[0] != 0;
        default: {
            uint16_t half;
            int exponent;
            double mantissa, sign;
            memcpy(&half, bytes, 2);
            sign = half & 0x8000 ? -1 : 1;
            if (dtype == NN_BF16) {
                uint32_t bits = (uint32_t)half << 16;
                float x;
                memcpy(&x, &bits, 4);
                return (double)x;
            }
            exponent = half >> 10 & 31;
            mantissa = half & 1023;
            if (exponent == 31) return mantissa != 0 ? (double)NAN : sign * (double)INFINITY;
            return sign * (exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24));
        }
    }
}

/* The nearest number of the dtype, halves to even. */
static double round_to(nn_dtype dtype, double value) {
    int exponent, mantissa = dtype == NN_F16 ? 11 : 8, lowest = dtype == NN_F16 ? -24 : -133;
    double low = 0, high = 0, unit;
    switch (dtype) {
        case NN_F32: return value;
        case NN_F16: case NN_BF16:
            if (value != value || value == 0 || fabs(value) > 1e300) return value;
            frexp(value, &exponent);
            unit = ldexp(1, exponent - mantissa < lowest ? lowest : exponent - mantissa);
            value = rint(value / unit) * unit;
            if (fabs(value) > (dtype == NN_F16 ? 65504.0 : 3.3895313892515355e38))
                value = value > 0 ? INFINITY : -INFINITY;
            return value;
        case NN_I32: low = -2147483648.0, high = 2147483647.0; break;
        case NN_U8: low = 0, high = 255; break;
        case NN_I8: low = -128, high = 127; break;
        default: return value == value && value != 0;
    }
    if (value != value) return 0;
    value = rint(value);
    return value < low ? low : value > high ? high : value;
}

static void fill(array *a) {
    int64_t i, count = nn_shape_count(a->view.shape);
    size_t size = nn_dtype_size(a->view.dtype);
    a->size = (size_t)count * size;
    a->bytes = (unsigned char *)malloc(a->size + 2 * GUARD);
    memset(a->bytes, 0xA5, a->size + 2 * GUARD);
    for (i = 0; i < count; i++) {
        unsigned char *to = a->bytes + GUARD + (size_t)i * size;
        float value = number();
        if (a->view.dtype == NN_F32) memcpy(to, &value, 4);
        else if (a->view.dtype == NN_BOOL) to[0] = (unsigned char)one_in(2);
        else if (a->view.dtype == NN_F16) {
            uint16_t half = (uint16_t)word();
            memcpy(to, &half, 2);
        } else if (a->view.dtype == NN_BF16) {
            uint32_t bits;
            memcpy(&bits, &value, 4);
            bits >>= 16;
            to[0] = ((unsigned char *)&bits)[0], to[1] = ((unsigned char *)&bits)[1];
        } else if (a->view.dtype == NN_I32) {
            int32_t whole = one_in(4) ? (int32_t)word() : below(200) - 100;
            memcpy(to, &whole, 4);
        } else to[0] = (unsigned char)word();
    }
}

static nn_shape random_shape(void) {
    nn_shape shape;
    int most = one_in(40) ? 90000 : one_in(4) ? 6000 : 300, i;
    memset(&shape, 0, sizeof shape);
    shape.rank = below(5);
    for (i = 0; i < shape.rank; i++) {
        shape.extent[i] =
            1 + below(most < 40 || i < shape.rank - 1 ? (most < 12 ? most : 12) : most);
        most /= shape.extent[i];
        if (most < 1) most = 1;
    }
    return shape;
}

static nn_shape broadcast_from(nn_shape y) {
    nn_shape x = y;
    int i, drop = one_in(3) && y.rank ? below(y.rank + 1) : 0;
    if (one_in(2)) return y;
    for (i = 0; i + drop < y.rank; i++) x.extent[i] = y.extent[i + drop];
    x.rank = y.rank - drop;
    for (i = 0; i < x.rank; i++)
        if (one_in(3)) x.extent[i] = 1;
    return x;
}

/* A comparison whose SELECT is instruction i + 1. Now and then the SELECT chooses between the
   operands (relu), and now and then something else reads the comparison, too. */
static void make_choices(void) {
    nn_program *p = &now.args.program;
    int i;
    for (i = 1; i + 1 < p->count; i++) {
        nn_instruction *by = &now.code[i], *choice = &now.code[i + 1];
        bool of_itself = one_in(3);
        if (program_operand_count(by->code) != 2 || !one_in(2)) continue;
        by->code = (uint8_t)(NN_CODE_LESS + below(6));
        choice->code = NN_CODE_SELECT;
        choice->a = (uint8_t)i;
        choice->b = of_itself ? by->b : (uint8_t)below(i + one_in(4));
        choice->c = of_itself ? by->a : (uint8_t)below(i + one_in(4));
        choice->value = 0;
    }
}

static void make_code(bool transcendental) {
    nn_program *p = &now.args.program;
    int i, k;
    int most = one_in(6) ? NN_PROGRAM_LENGTH : one_in(3) ? 6 : 14;
    memset(now.code, 0, sizeof now.code);
    p->code = now.code;
    p->input_count = (uint8_t)below(NN_PROGRAM_INPUTS + 1);
    p->scalar_count = (uint8_t)(one_in(2) ? 0 : below(NN_PROGRAM_SCALARS + 1));
    p->output_count = (uint8_t)(one_in(2) ? 1 : 1 + below(NN_PROGRAM_OUTPUTS));
    p->count = (uint8_t)(1 + below(most));
    for (i = 0; i < p->count; i++) {
        nn_instruction *at = &now.code[i];
        int code = below(NN_INSTRUCTION_COUNT);
        if (i == 0 || one_in(4)) code = below(3);
        at->code = (uint8_t)code;
        at->a = (uint8_t)(i ? below(i) : 0), at->b = (uint8_t)(i ? below(i) : 0),
        at->c = (uint8_t)(i ? below(i) : 0);
        if (i > 4 && one_in(2)) at->a = (uint8_t)(i - 1 - below(4)); /* chains rather than bushes */
        at->value = 0;
        if (program_operand_count(code) < 3) at->c = 0;
        if (program_operand_count(code) < 2) at->b = 0;
        if (code == NN_CODE_INPUT && p->input_count) at->a = (uint8_t)below(p->input_count);
        else if (code == NN_CODE_SCALAR && p->scalar_count) at->a = (uint8_t)below(p->scalar_count);
        else if (code == NN_CODE_RANDOM) at->a = (uint8_t)below(3);
        else if (program_operand_count(code) == 0)
            at->code = NN_CODE_CONSTANT, at->a = 0, at->value = number();
    }
    make_choices();
    if (!transcendental && !program_is_exact(p))
        for (i = 0; i < p->count; i++) {
            nn_program one = *p;
            one.code = &now.code[i];
            one.count = 1;
            if (!program_is_exact(&one))
                now.code[i].code =
                    program_operand_count(now.code[i].code) == 1 ? NN_CODE_ABS : NN_CODE_SUBTRACT;
        }
    for (k = 0; k < p->output_count; k++)
        p->output[k] = (uint8_t)(one_in(2) ? p->count - 1 : below(p->count));
    now.exact = program_is_exact(p);
}

static void make_item(int item) {
    nn_program *p = &now.args.program;
    nn_shape y = random_shape();
    int k, j;
    for (k = 0; k < p->input_count; k++) {
        array *a = &now.input[item][k];
        memset(&a->view, 0, sizeof a->view);
        a->view.dtype = one_in(3) ? dtypes[below(7)] : NN_F32;
        a->view.shape = broadcast_from(y);
        a->shares = -1;
        fill(a);
    }
    for (k = 0; k < p->output_count; k++) {
        array *a = &now.output[item][k];
        memset(&a->view, 0, sizeof a->view);
        a->view.dtype = one_in(3) ? dtypes[below(7)] : NN_F32;
        a->view.shape = y;
        a->shares = -1;
        for (j = 0; one_in(2) && j < p->input_count; j++) {
            int other, taken = 0;
            if (!nn_same_shape(now.input[item][j].view.shape, y)) continue;
            for (other = 0; other < k; other++) taken |= now.output[item][other].shares == j;
            if (taken || one_in(2)) continue;
            a->shares = j;
            a->view.dtype = now.input[item][j].view.dtype;
            break;
        }
        if (a->shares < 0) fill(a);
    }
}

static void make_case(uint64_t which) {
    nn_program_args *args = &now.args;
    int item, i;
    seed = which;
    draws = 0;
    memset(args, 0, sizeof *args);
    make_code(!one_in(3));
    args->item_count = one_in(4) ? 1 + below(MOST_ITEMS) : 0;
    now.items_used = args->item_count ? args->item_count : 1;
    for (item = 0; item < now.items_used; item++) make_item(item);
    args->accumulate = one_in(3) ? word() & ((1u << args->program.output_count) - 1) : 0;
    args->seed = word(), args->stream = word(), args->counter = word();
    for (i = 0; i < NN_PROGRAM_SCALARS; i++) args->scalars[i] = number();
}

static void free_case(void) {
    int item, k;
    for (item = 0; item < now.items_used; item++) {
        for (k = 0; k < now.args.program.input_count; k++) free(now.input[item][k].bytes);
        for (k = 0; k < now.args.program.output_count; k++)
            if (now.output[item][k].shares < 0) free(now.output[item][k].bytes);
    }
}

/* ---- running it ------------------------------------------------------------------------------ */

typedef struct result_bytes {
    unsigned char *input[MOST_ITEMS][NN_PROGRAM_INPUTS],
        *output[MOST_ITEMS][NN_PROGRAM_OUTPUTS]; /* with guards */
} result_bytes;

static void free_result(result_bytes *r) {
    int item, k;
    for (item = 0; item < MOST_ITEMS; item++) {
        for (k = 0; k < NN_PROGRAM_INPUTS; k++) free(r->input[item][k]);
        for (k = 0; k < NN_PROGRAM_OUTPUTS; k++) free(r->output[item][k]);
    }
    memset(r, 0, sizeof *r);
}

static void *put(const target *t, const array *a, nn_view *view) {
    const nn_backend *backend;
    void *state, *handle = NULL;
    backend = nn_device_backend(t->nn, t->device, &state);
    backend->alloc(state, a->size + 2 * GUARD, &handle);
    backend->upload(state, handle, 0, a->bytes, a->size + 2 * GUARD, NULL);
    *view = a->view;
    view->handle = handle;
    view->offset = GUARD;
    return handle;
}

/* Runs the case in at most `slices` ranges of units (0: as a whole). */
static nn_result run_case(const target *t, int slices, result_bytes *result) {
    const nn_backend *backend;
    void *state, *scratch = NULL;
    nn_program_args args = now.args;
    nn_program_item items[MOST_ITEMS];
    uint64_t bytes;
    int item, k, units, at, step;
    nn_result code = NN_OK;
    backend = nn_device_backend(t->nn, t->device, &state);
    memset(items, 0, sizeof items);
    memset(result, 0, sizeof *result);
    for (item = 0; item < now.items_used; item++) {
        for (k = 0; k < args.program.input_count; k++)
            put(t, &now.input[item][k], &items[item].inputs[k]);
        for (k = 0; k < args.program.output_count; k++) {
            int shares = now.output[item][k].shares;
            if (shares >= 0) items[item].outputs[k] = items[item].inputs[shares];
            else put(t, &now.output[item][k], &items[item].outputs[k]);
        }
    }
    if (args.item_count) args.items = items;
    else {
        memcpy(args.inputs, items[0].inputs, sizeof args.inputs);
        memcpy(args.outputs, items[0].outputs, sizeof args.outputs);
    }
    bytes = backend->scratch_bytes(state, NN_KERNEL_POINTWISE, &args);
    if (bytes) {
        backend->alloc(state, bytes, &scratch);
        backend->fill(state, scratch, 0, bytes, 0xFF);
        args.scratch.handle = scratch;
        args.scratch.dtype = NN_U8;
        args.scratch.shape = nn_make_shape(NULL, 0);
        args.scratch.shape.rank = 1;
        args.scratch.shape.extent[0] = (int32_t)bytes;
    }
    units = backend->units(state, NN_KERNEL_POINTWISE, &args);
    step = slices ? (units + slices - 1) / slices : units;
    for (at = 0; at < units && code == NN_OK; at += step) {
        nn_range range;
        range.first = at;
        range.count = slices ? (units - at < step ? units - at : step) : -1;
        code = nn_run_kernel(t->nn, t->device, NN_KERNEL_POINTWISE, &args, range);
    }
    for (item = 0; item < now.items_used; item++) {
        for (k = 0; k < args.program.input_count; k++) {
            const array *a = &now.input[item][k];
            result->input[item][k] = (unsigned char *)malloc(a->size + 2 * GUARD);
            backend->download(state, items[item].inputs[k].handle, 0, result->input[item][k],
                              a->size + 2 * GUARD, NULL);
        }
        for (k = 0; k < args.program.output_count; k++) {
            const array *a = &now.output[item][k];
            size_t size = a->shares >= 0 ? now.input[item][a->shares].size : a->size;
            result->output[item][k] = (unsigned char *)malloc(size + 2 * GUARD);
            backend->download(state, items[item].outputs[k].handle, 0, result->output[item][k],
                              size + 2 * GUARD, NULL);
        }
    }
    for (item = 0; item < now.items_used; item++) {
        for (k = 0; k < args.program.output_count; k++)
            if (now.output[item][k].shares < 0)
                backend->release(state, items[item].outputs[k].handle,
                                 now.output[item][k].size + 2 * GUARD);
        for (k = 0; k < args.program.input_count; k++)
            backend->release(state, items[item].inputs[k].handle,
                             now.input[item][k].size + 2 * GUARD);
    }
    if (scratch) backend->release(state, scratch, bytes);
    return code;
}

/* ---- checking it ----------------------------------------------------------------------------- */

static int64_t index_in(nn_shape x, nn_shape y, int64_t i) {
    int64_t at = 0, step = 1;
    int axis;
    for (axis = y.rank - 1; axis >= 0; axis--) {
        int64_t where = i % y.extent[axis];
        int own = axis - (y.rank - x.rank);
        i /= y.extent[axis];
        if (own < 0) continue;
        if (x.extent[own] != 1) at += where * step;
        step *= x.extent[own];
    }
    return at;
}

static void print_case(const char *who, uint64_t which, int item, int k, int64_t i) {
    const nn_program *p = &now.args.program;
    int j;
    printf("  case %llu on %s: item %d output %d (%s) element %lld of %lld, program of %d, %d "
           "inputs, %d outputs:\n",
           (unsigned long long)which, who, item, k, nn_dtype_name(now.output[item][k].view.dtype),
           (long long)i, (long long)nn_shape_count(now.output[item][k].view.shape), p->count,
           p->input_count, p->output_count);
    for (j = 0; j < p->count; j++)
        printf("  %2d: code %d (%d %d %d) %g\n", j, p->code[j].code, p->code[j].a, p->code[j].b,
               p->code[j].c, (double)p->code[j].value);
}

static bool close_enough(nn_dtype dtype, program_number wanted, double got) {
    double low, high;
    if (wanted.value != wanted.value && wanted.error == 0) /* NaN: exactly known */
        return dtype == NN_F32 || dtype == NN_F16 || dtype == NN_BF16 ? got != got : got == 0;
    if (!(wanted.error <= 1e300) || wanted.value != wanted.value) return true;
    low = round_to(dtype, wanted.value - wanted.error);
    high = round_to(dtype, wanted.value + wanted.error);
    if (dtype == NN_BOOL && wanted.error > 0) return true;
    if (dtype == NN_I32)
        low = (double)(float)low, high = (double)(float)high; /* as read_number reads it */
    return got >= low && got <= high;
}

static bool check_values(const target *t, uint64_t which, const result_bytes *result) {
    const nn_program *p = &now.args.program;
    double ulps = t->set ? (now.exact ? 0 : 4) : 6;
    int item, k, j;
    for (item = 0; item < now.items_used; item++) {
        nn_shape y = now.output[item][0].view.shape;
        int64_t count = nn_shape_count(y), i;
        int64_t stride = count > 3000 ? 7 : 1;
        for (i = 0; i < count; i += stride) {
            double inputs[NN_PROGRAM_INPUTS];
            program_number values[NN_PROGRAM_LENGTH];
            uint32_t words[4];
            float uniform[3];
            for (j = 0; j < p->input_count; j++) {
                const array *a = &now.input[item][j];
                inputs[j] =
                    read_number(a->view.dtype, a->bytes + GUARD, index_in(a->view.shape, y, i));
            }
            for (j = 0; j < 3; j++) {
                nn_random_words(now.args.seed,
                                now.args.stream + (uint64_t)item + (uint64_t)j * NN_PROGRAM_DRAWS,
                                now.args.counter + (uint64_t)i / 4, words);
                uniform[j] = nn_word_to_uniform(words[i % 4]);
            }
            program_reference(p, inputs, now.args.scalars, uniform, ulps, values);
            for (k = 0; k < p->output_count; k++) {
                const array *a = &now.output[item][k];
                program_number wanted = values[p->output[k]];
                double got = read_number(a->view.dtype, result->output[item][k] + GUARD, i);
                if (now.args.accumulate >> k & 1) {
                    const unsigned char *before =
                        a->shares >= 0 ? now.input[item][a->shares].bytes : a->bytes;
                    program_number old;
                    old.value = read_number(a->view.dtype, before + GUARD, i);
                    old.error = 0;
                    wanted = program_number_of(NN_CODE_ADD, &old, &wanted, &old, ulps);
                }
                if (close_enough(a->view.dtype, wanted, got)) continue;
                printf("  wanted %.9g +- %.3g, got %.9g\n", wanted.value, wanted.error, got);
                print_case(t->name, which, item, k, i);
                for (j = 0; j < p->count; j++)
                    printf("  %2d = %.9g +- %.3g\n", j, values[j].value, values[j].error);
                return false;
            }
        }
    }
    return true;
}

/* Inputs that no output shares are untouched, and so are the guards. */
static bool check_rest(const result_bytes *result) {
    int item, k, j;
    size_t i;
    for (item = 0; item < now.items_used; item++) {
        for (k = 0; k < now.args.program.input_count; k++) {
            const array *a = &now.input[item][k];
            bool shared = false;
            for (j = 0; j < now.args.program.output_count; j++)
                shared |= now.output[item][j].shares == k;
            if (!shared && memcmp(a->bytes, result->input[item][k], a->size + 2 * GUARD) != 0)
                return false;
        }
        for (k = 0; k < now.args.program.output_count; k++) {
            const array *a = &now.output[item][k];
            size_t size = a->shares >= 0 ? now.input[item][a->shares].size : a->size;
            for (i = 0; i < GUARD; i++)
                if (result->output[item][k][i] != 0xA5 ||
                    result->output[item][k][GUARD + size + i] != 0xA5)
                    return false;
        }
    }
    return true;
}

/* NaN has many bytes, and which of them comes out depends on the order of operands that a compiler
   chose. */
static bool same_bytes(const result_bytes *a, const result_bytes *b, bool nan_is_nan) {
    int item, k;
    for (item = 0; item < now.items_used; item++)
        for (k = 0; k < now.args.program.output_count; k++) {
            const array *y = &now.output[item][k];
            size_t size = nn_dtype_size(y->view.dtype);
            int64_t i, count = nn_shape_count(y->view.shape);
            for (i = 0; i < count; i++) {
                const unsigned char *p = a->output[item][k] + GUARD,
                                    *q = b->output[item][k] + GUARD;
                double one, two;
                if (memcmp(p + (size_t)i * size, q + (size_t)i * size, size) == 0) continue;
                one = read_number(y->view.dtype, p, i), two = read_number(y->view.dtype, q, i);
                if (!nan_is_nan || one == one || two == two) {
                    printf("  item %d output %d element %lld: %.9g and %.9g\n", item, k,
                           (long long)i, one, two);
                    return false;
                }
            }
        }
    return true;
}

static bool one_case(uint64_t which) {
    result_bytes first[LAST_SET + 1], result;
    int i, set, plain = -1;
    bool ok = true;
    memset(first, 0, sizeof first);
    make_case(which);
    for (i = 0; ok && i < target_count; i++) {
        const target *t = &targets[i];
        nn_result code;
        if (!t->set && which % 40 && !getenv("NN_TEST_CASE"))
            continue; /* each costs a compilation */
        code = run_case(t, i % 3 == 1 ? 2 + (int)(which % 5) : 0, &result);
        if (code != NN_OK) {
            printf("  %s: %s\n", t->name, nn_error(t->nn) ? nn_error(t->nn) : nn_result_text(code));
            ok = false;
        } else if (!check_rest(&result)) {
            printf("  a guard or an input was written\n");
            ok = false;
        } else if (t->set && first[t->set].output[0][0]) {
            ok = same_bytes(&first[t->set], &result, false);
            if (!ok) printf("  threads or ranges change bytes\n");
        } else {
            ok = check_values(t, which, &result);
            if (ok && t->set && now.exact && plain >= 0) {
                ok = same_bytes(&first[plain], &result, true);
                if (!ok) printf("  instruction sets differ\n");
            }
            if (t->set && plain < 0) plain = t->set;
            if (t->set) {
                first[t->set] = result;
                memset(&result, 0, sizeof result);
            }
        }
        if (!ok) print_case(t->name, which, 0, 0, 0);
        free_result(&result);
    }
    for (set = 0; set <= LAST_SET; set++) free_result(&first[set]);
    free_case();
    return ok;
}

static void random_programs(void) {
    const char *cases = getenv("NN_TEST_CASES"), *only = getenv("NN_TEST_CASE");
    uint64_t i, count = cases ? (uint64_t)strtoul(cases, NULL, 10) : 1000;
    if (only) {
        ENSURE(one_case((uint64_t)strtoul(only, NULL, 10)));
        return;
    }
    for (i = 0; i < count; i++) ENSURE(one_case(i));
}

/* ---- instructions that one row of the table computes ----------------------------------------- */

#ifdef NN__PROGRAM_FUSES
enum { FUSED_NUMBERS = 1037 };
static float fused_input[4][FUSED_NUMBERS];

/* Runs `code` with outputs[0] into y; a second output goes to `rest`. */
static bool run_fused(const target *t, const nn_instruction *code, int count, int last, int second,
                      float *y, float *rest) {
    const nn_range all = {0, -1};
    nn_program_args args;
    void *state, *scratch;
    int k;
    const nn_backend *backend = nn_device_backend(t->nn, t->device, &state);
    nn_result result;
    memset(&args, 0, sizeof args);
    args.program.code = code;
    args.program.count = (uint8_t)count;
    args.program.input_count = 4;
    args.program.output_count = second < 0 ? 1 : 2;
    args.program.output[0] = (uint8_t)last;
    args.program.output[1] = (uint8_t)(second < 0 ? 0 : second);
    for (k = 0; k < 6; k++) {
        nn_view *view = k < 4 ? &args.inputs[k] : &args.outputs[k - 4];
        view->handle = k < 4 ? fused_input[k] : k == 4 ? y : rest;
        view->dtype = NN_F32;
        view->shape = NN_SHAPE(FUSED_NUMBERS);
    }
    scratch = malloc((size_t)backend->scratch_bytes(state, NN_KERNEL_POINTWISE, &args) + 64);
    args.scratch.handle = (void *)(((uintptr_t)scratch + 63) / 64 * 64);
    args.scratch.dtype = NN_U8;
    args.scratch.shape =
        NN_SHAPE((int32_t)backend->scratch_bytes(state, NN_KERNEL_POINTWISE, &args));
    result = nn_run_kernel(t->nn, t->device, NN_KERNEL_POINTWISE, &args, all);
    free(scratch);
    return result == NN_OK;
}

/* Compares to the bit, but which of two NaN an instruction passes on is the compiler's choice. */
static bool same_numbers(const float *a, const float *b) {
    int i;
    for (i = 0; i < FUSED_NUMBERS; i++)
        if (memcmp(a + i, b + i, sizeof *a) != 0 && (a[i] == a[i] || b[i] == b[i])) return false;
    return true;
}

/* The program has the same numbers when a second output keeps one of its inner values, so that no
   row computes the whole of it. */
static bool same_when_kept(const target *t, const nn_instruction *code, int last, int kept,
                           const float *whole) {
    static float single[FUSED_NUMBERS], rest[FUSED_NUMBERS];
    return run_fused(t, code, last + 1, last, kept, single, rest) && same_numbers(whole, single);
}

/* A program that differs from a part in one constant's sign, in the order of two operands or in one
   instruction is not taken for it. */
static bool near_parts_differ(const target *t, const nn__fused *part) {
    static float whole[FUSED_NUMBERS], rest[FUSED_NUMBERS];
    const int last = part->count - 1;
    nn_instruction code[NN_PROGRAM_LENGTH];
    int k, way;
    for (k = 0; k < 2 * last; k++) {
        nn_instruction *at = &code[k / 2];
        memcpy(code, part->code, (size_t)part->count * sizeof *code);
        way = k % 2;
        if (at->code == NN_CODE_CONSTANT && way == 0) {
            at->value = -at->value;
        } else if (at->code >= NN_CODE_ADD && way == 0) {
            at->a = part->code[k / 2].b, at->b = part->code[k / 2].a;
        } else if (at->code >= NN_CODE_ADD && at->code < NN_CODE_OR) {
            at->code++;
        } else {
            continue;
        }
        if (!run_fused(t, code, last + 1, last, -1, whole, rest)) return false;
        for (way = 0; way < last; way++)
            if (code[way].code > NN_CODE_CONSTANT && !same_when_kept(t, code, last, way, whole))
                return false;
    }
    return true;
}

static void fused_inputs(void) {
    static const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN,
                                    3.0f, -3.0f, 1e-40f,   88.0f,     -1e30f};
    int i;
    for (i = 0; i < FUSED_NUMBERS; i++) {
        fused_input[0][i] = i % 11 == 0 ? special[i / 11 % 10] : (float)(i * 37 % 1037) / 80 - 6.5f;
        fused_input[1][i] = i % 13 == 0 ? special[i / 13 % 10] : (float)(i * 53 % 1037) / 400 - 1;
        fused_input[2][i] = i % 17 == 0 ? special[i / 17 % 10] : (float)(i * 29 % 1037) / 500 - 1;
        fused_input[3][i] = i % 19 == 0 ? special[i / 19 % 10] : (float)(i * 71 % 1037) / 300 - 1;
    }
}

/* An activation that one row computes has the bytes of its separate instructions, which run if
   something else reads one of its inner values. It is tested after and before other
   instructions. */
static void fused_parts(void) {
    static float whole[FUSED_NUMBERS], rest[FUSED_NUMBERS];
    int i, k, part, set;
    fused_inputs();
    for (set = 0; set < target_count; set++) {
        const nn__programs *programs = &((const nn__cpu *)targets[set].nn->cpu)->programs;
        nn__program_run *run;
        if (targets[set].device.kind != NN_CPU) continue;
        run = (nn__program_run *)malloc(sizeof *run);
        ENSURE((programs->part_count > 0) == (targets[set].set != NN_INSTRUCTIONS_PLAIN));
        for (part = 0; part < programs->part_count; part++) {
            const int count = programs->parts[part].count;
            nn_instruction code[NN_PROGRAM_LENGTH];
            nn_program_args args;
            memcpy(code, programs->parts[part].code, (size_t)count * sizeof *code);
            /* code around it: the first input is not read in place, and the result is used twice */
            memset(code + count, 0, 2 * sizeof *code);
            code[count].code = NN_CODE_MULTIPLY;
            code[count].a = code[count].b = (uint8_t)(count - 1);
            code[count + 1].code = NN_CODE_ADD;
            code[count + 1].a = (uint8_t)count, code[count + 1].b = (uint8_t)(count - 1);
            for (k = 0; k < 2; k++) {
                const int last = k ? count + 1 : count - 1;
                memset(&args, 0, sizeof args);
                memset(run, 0, sizeof *run);
                args.program.code = code;
                args.program.count = (uint8_t)(last + 1);
                args.program.output_count = 1;
                args.program.output[0] = (uint8_t)last;
                run->args = &args;
                run->cpu = (const nn__cpu *)targets[set].nn->cpu;
                nn__program_most_buffers(run->cpu, &args);
                nn__program_find_last(run);
                ENSURE(run->fusion_count == 1 && run->fusions[0].part == part);
                ENSURE(run_fused(&targets[set], code, last + 1, last, -1, whole, rest));
                for (i = 0; i < count - 1; i++) {
                    if (code[i].code <= NN_CODE_CONSTANT) continue;
                    ENSURE(same_when_kept(&targets[set], code, last, i, whole));
                }
            }
            ENSURE(near_parts_differ(&targets[set], &programs->parts[part]));
        }
        free(run);
    }
}
#endif

/* ---- functions over all floats --------------------------------------------------------------- */

enum { FUNCTION_NUMBERS = 1021 }; /* with a tail after whole vectors */
static float function_input[2][FUNCTION_NUMBERS], function_output[FUNCTION_NUMBERS];

/* Runs one instruction over the numbers of function_input; one: the first operand is a single
   number. */
static bool run_function(const target *t, int code, bool one) {
    const nn_range all = {0, -1};
    const nn_instruction list[] = {{NN_CODE_INPUT, 0, 0, 0, 0},
                                   {NN_CODE_INPUT, 1, 0, 0, 0},
                                   {(uint8_t)code, 0, 1, 0, 0}};
    nn_program_args args;
    void *state, *scratch;
    int k;
    const nn_backend *backend = nn_device_backend(t->nn, t->device, &state);
    nn_result result;
    memset(&args, 0, sizeof args);
    args.program.code = list;
    args.program.count = 3;
    args.program.input_count = 2;
    args.program.output_count = 1;
    args.program.output[0] = 2;
    for (k = 0; k < 3; k++) {
        nn_view *view = k < 2 ? &args.inputs[k] : &args.outputs[0];
        view->handle = k < 2 ? function_input[k] : function_output;
        view->dtype = NN_F32;
        view->shape = k == 0 && one ? NN_SHAPE(1) : NN_SHAPE(FUNCTION_NUMBERS);
    }
    scratch = malloc((size_t)backend->scratch_bytes(state, NN_KERNEL_POINTWISE, &args) + 64);
    args.scratch.handle = (void *)(((uintptr_t)scratch + 63) / 64 * 64);
    args.scratch.dtype = NN_U8;
    args.scratch.shape =
        NN_SHAPE((int32_t)backend->scratch_bytes(state, NN_KERNEL_POINTWISE, &args));
    result = nn_run_kernel(t->nn, t->device, NN_KERNEL_POINTWISE, &args, all);
    free(scratch);
    return result == NN_OK;
}

/* Returns the error in units in the last place of the wanted number; a large number for a wrong
   NaN, infinity or sign of 0. */
static double distance_of(float got, double wanted) {
    const float nearest = (float)wanted;
    int exponent;
    if (wanted != wanted || got != got) return wanted != wanted && got != got ? 0 : 1e9;
    if (got == nearest) return got == 0 && !signbit(got) != !signbit(nearest) ? 1e9 : 0;
    if (isinf(got) || isinf(nearest)) return fabs(wanted) > 3.4028e38 && fabsf(got) > 3.4028e38f
                                                ? 0.5 : 1e9;
    frexp(wanted, &exponent);
    return fabs((double)got - wanted) / ldexp(1, (exponent < -125 ? -125 : exponent) - 24);
}

static double wanted_of(int code, float a, float b) {
    const float rest = code == NN_CODE_REMAINDER ? fmodf(a, b) : 0;
    if (code == NN_CODE_REMAINDER) /* exact */
        return (double)(rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest);
    return program_apply(code, (double)a, (double)b, 0);
}

/* Fills in pairs of special numbers, then floats of any exponent, then floats of usual sizes. */
static void function_numbers(int round) {
    const float special[] = {0,     -0.0f,  1,      -1,    INFINITY, -INFINITY, NAN,
                             2,     -3,     0.5f,   -2.5f, 1e-40f,   -1e-45f,   3e38f,
                             -3e38f, 1e30f, 16777217.0f, 1e12f, 1.5707964f, 3.1415927f};
    const int count = (int)(sizeof special / sizeof special[0]);
    int i, k;
    for (i = 0; i < FUNCTION_NUMBERS; i++)
        for (k = 0; k < 2; k++) {
            const uint32_t bits = word();
            float *to = &function_input[k][i];
            if (round == 0) *to = special[(k ? i / count : i) % count];
            else if (round % 3 == 1) memcpy(to, &bits, sizeof *to);
            else if (round % 3 == 2) *to = ((float)(bits >> 8) / 8388608.0f - 1) * 8;
            else *to = (float)(int)(bits % 2001) - 1000;
        }
}

/* Tests the functions of `list` on every instruction set, over the whole range of floats. The
   results must be within some units in the last place, with infinities, NaN and the sign of 0 as C
   has them; the remainder must be exact. A number gives the same bytes at any position, in a whole
   vector or in the tail. */
static void functions(void) {
    static const struct { int code; double ulps; } list[] = {
        {NN_CODE_SIN, 1.7}, {NN_CODE_COS, 1.7}, {NN_CODE_TAN, 1.7}, {NN_CODE_ATAN2, 1.8},
        {NN_CODE_POWER, 1.2}, {NN_CODE_REMAINDER, 0}, {NN_CODE_TANH, 2.4}, {NN_CODE_EXP, 1},
        {NN_CODE_EXPM1, 1.7}};
    const int rounds = getenv("NN_FULL") ? 3000 : 31;
    static float shifted[FUNCTION_NUMBERS];
    int set, k, i, round;
    seed = 3, draws = 0;
    for (set = 0; set < target_count; set++) {
        if (!targets[set].set || (set > 0 && targets[set - 1].set == targets[set].set)) continue;
        for (round = 0; round < rounds; round++)
            for (k = 0; k < (int)(sizeof list / sizeof list[0]); k++) {
                const int code = list[k].code;
                const bool one = round % 4 == 2;
                double worst = 0;
                int at = 0;
                function_numbers(round);
                /* a base of 2 has a row of its own */
                if (one)
                    function_input[0][0] =
                        round % 8 == 2 ? 2.0f : function_input[0][round % FUNCTION_NUMBERS];
                ENSURE(run_function(&targets[set], code, one));
                for (i = 0; i < FUNCTION_NUMBERS; i++) {
                    const double wanted = wanted_of(code, function_input[0][one ? 0 : i],
                                                    function_input[1][i]);
                    const double off = distance_of(function_output[i], wanted);
                    if (off > worst) worst = off, at = i;
                }
                if (worst > list[k].ulps)
                    printf("  %s, code %d of %.9g and %.9g: %.9g, %g ulp\n", targets[set].name,
                           code, (double)function_input[0][one ? 0 : at],
                           (double)function_input[1][at], (double)function_output[at], worst);
                ENSURE(worst <= list[k].ulps);
                if (one) continue;
                memcpy(shifted, function_output, sizeof shifted);
                for (i = 0; i < 2; i++)
                    memmove(function_input[i], function_input[i] + 3,
                            (FUNCTION_NUMBERS - 3) * sizeof(float));
                ENSURE(run_function(&targets[set], code, false));
                for (i = 0; i < FUNCTION_NUMBERS - 3; i++)
                    ENSURE(memcmp(&function_output[i], &shifted[i + 3], 4) == 0 ||
                           (shifted[i + 3] != shifted[i + 3] &&
                            function_output[i] != function_output[i]));
            }
    }
}

/* Vectors of sixteen and of eight give the same bytes for floats of any size. Functions without a
   form for sixteen use the one for eight. */
static void sixteen_as_eight(void) {
    static const int codes[] = {NN_CODE_EXP,     NN_CODE_EXPM1,    NN_CODE_LOG, NN_CODE_LOG1P,
                                NN_CODE_TANH,    NN_CODE_SIGMOID,  NN_CODE_SOFTPLUS,
                                NN_CODE_ERF,     NN_CODE_POWER,    NN_CODE_SIN, NN_CODE_COS,
                                NN_CODE_TAN,     NN_CODE_ATAN2,    NN_CODE_LOG2, NN_CODE_LOG10,
                                NN_CODE_HYPOT,   NN_CODE_RSQRT};
    static float eight[FUNCTION_NUMBERS];
    const int rounds = getenv("NN_FULL") ? 3000 : 31;
    const target *narrow = NULL, *wide = NULL;
    int set, k, i, round;
    for (set = 0; set < target_count; set++) {
        if (targets[set].set == NN_INSTRUCTIONS_AVX2) narrow = &targets[set];
        if (targets[set].set == NN_INSTRUCTIONS_AVX512) wide = &targets[set];
    }
    if (!narrow || !wide) SKIP("this machine or build lacks AVX2 or AVX-512");
    seed = 4, draws = 0;
    for (round = 0; round < rounds; round++)
        for (k = 0; k < (int)(sizeof codes / sizeof codes[0]); k++) {
            const bool one = codes[k] == NN_CODE_POWER && round % 4 == 2;
            function_numbers(round);
            if (one) function_input[0][0] = 2.0f; /* a row of its own */
            ENSURE(run_function(narrow, codes[k], one));
            memcpy(eight, function_output, sizeof eight);
            ENSURE(run_function(wide, codes[k], one));
            for (i = 0; i < FUNCTION_NUMBERS; i++)
                ENSURE(memcmp(&eight[i], &function_output[i], 4) == 0 ||
                       (eight[i] != eight[i] && function_output[i] != function_output[i]));
        }
}

/* ---- NaN and bounds -------------------------------------------------------------------------- */

#define EDGE(name, call)                                                                           \
    static nn_result edge_##name(nn_tensor *dx, const nn_tensor *dy, const nn_tensor *x) {         \
        return call;                                                                               \
    }
EDGE(relu6, nn_relu6_backward(dx, dy, x, false))
EDGE(clamp_min, nn_clamp_min_backward(dx, dy, x, 0, false))
EDGE(clamp_max, nn_clamp_max_backward(dx, dy, x, 6, false))
EDGE(clamp, nn_clamp_backward(dx, dy, x, 0, 6, false))
EDGE(relu, nn_relu_backward(dx, dy, x, false))
EDGE(hardtanh, nn_hardtanh_backward(dx, dy, x, NULL, false))
EDGE(hardsigmoid, nn_hardsigmoid_backward(dx, dy, x, false))
EDGE(softshrink, nn_softshrink_backward(dx, dy, x, NULL, false))
EDGE(hardshrink, nn_hardshrink_backward(dx, dy, x, NULL, false))
EDGE(threshold, nn_threshold_backward(dx, dy, x, 1, -5, false))

#define THIRD (1 / 3.0f)
enum { EDGES = 12, EDGE_NUMBERS = 5 * EDGES + 3 };
typedef struct edge {
    const char *name;
    nn_result (*call)(nn_tensor *dx, const nn_tensor *dy, const nn_tensor *x);
    float dx[EDGES]; /* of PyTorch 2.15, dy being 2; golden/catalogue/bounds.py explains NaN */
} edge;
static const edge edges[] = {
    /* NaN, infinity, its negative, 0, -0, 6, -1, 1, 3, -3, 0.5, 7 */
    {"relu6", edge_relu6, {2, 0, 0, 0, 0, 0, 0, 2, 2, 0, 2, 0}},
    {"clamp_min", edge_clamp_min, {0, 2, 0, 0, 0, 2, 0, 2, 2, 0, 2, 2}},
    {"clamp_max", edge_clamp_max, {0, 0, 2, 2, 2, 0, 2, 2, 2, 2, 2, 0}},
    {"clamp", edge_clamp, {0, 0, 0, 0, 0, 0, 0, 2, 2, 0, 2, 0}},
    {"relu", edge_relu, {2, 2, 0, 0, 0, 2, 0, 2, 2, 0, 2, 2}},
    {"hardtanh", edge_hardtanh, {2, 0, 0, 2, 2, 0, 0, 0, 0, 0, 2, 0}},
    {"hardsigmoid", edge_hardsigmoid, {0, 0, 0, THIRD, THIRD, 0, THIRD, THIRD, 0, 0, THIRD, 0}},
    {"softshrink", edge_softshrink, {2, 2, 2, 0, 0, 2, 2, 2, 2, 2, 0, 2}},
    {"hardshrink", edge_hardshrink, {2, 2, 2, 0, 0, 2, 2, 2, 2, 2, 0, 2}},
    {"threshold", edge_threshold, {2, 2, 0, 0, 0, 2, 0, 0, 2, 0, 0, 2}}};

static void edge_on(const target *on, const edge *one) {
    float x[EDGE_NUMBERS], dy[EDGE_NUMBERS], dx[EDGE_NUMBERS];
    const float numbers[EDGES] = {NAN, INFINITY, -INFINITY, 0, -0.0f, 6, -1, 1, 3, -3, 0.5f, 7};
    nn_tensor *tensors[3];
    nn_tensor_desc desc;
    int i;
    memset(&desc, 0, sizeof desc);
    desc.shape = NN_SHAPE(EDGE_NUMBERS);
    desc.device = on->device;
    for (i = 0; i < 3; i++) tensors[i] = nn_make_tensor(on->nn, &desc);
    for (i = 0; i < EDGE_NUMBERS; i++) x[i] = numbers[i % EDGES], dy[i] = 2;
    nn_upload_tensor(tensors[1], dy, sizeof dy);
    nn_upload_tensor(tensors[2], x, sizeof x);
    ENSURE(one->call(tensors[0], tensors[1], tensors[2]) == NN_OK);
    ENSURE(nn_download_tensor(tensors[0], dx, sizeof dx) == NN_OK);
    for (i = 0; i < EDGE_NUMBERS; i++)
        if (!(fabsf(dx[i] - one->dx[i % EDGES]) < 1e-6f)) {
            test_fail(__FILE__, __LINE__, "%s on %s: the gradient at %g is %g, not %g", one->name,
                      on->name, (double)x[i], (double)dx[i], (double)one->dx[i % EDGES]);
            break;
        }
    for (i = 0; i < 3; i++) nn_free_tensor(tensors[i]);
}

/* Immediate gradients, which read x where a step may read y. */
static void gradients_at_edges(void) {
    const int all = (int)(sizeof edges / sizeof *edges);
    int i, k;
    for (i = 0; i < target_count; i++) { /* a device's compiler takes long for each program */
        const int count = targets[i].set || getenv("NN_FULL") ? all : 1;
        for (k = 0; k < count; k++) edge_on(&targets[i], &edges[k]);
    }
}

int main(int argc, char **argv) {
    int i;
    test_start(argc, argv);
    open_targets();
    RUN(gradients_at_edges);
    RUN(random_programs);
    RUN(functions);
    RUN(sixteen_as_eight);
#ifdef NN__PROGRAM_FUSES
    RUN(fused_parts);
#endif
    for (i = 0; i < context_count; i++) nn_close(contexts[i]);
    return test_report();
}
