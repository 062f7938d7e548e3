/* kernels/pointwise/opencl.c - pointwise programs as OpenCL C.

   The text is generated from the instructions, the dtypes and which inputs are broadcast how;
   extents and scalars are arguments, so that another batch or learning rate builds nothing. A
   work-item takes groups of `lanes` numbers: it reads every input of a group before it writes, so
   that in place is safe. */
#include "opencl/private.h"

/* Axes of the outputs folded over all inputs that are broadcast; innermost first. */
typedef struct nn__opencl_spread {
    int rank;
    uint64_t extent[NN_MAX_RANK], step[NN_PROGRAM_INPUTS][NN_MAX_RANK];
} nn__opencl_spread;

/* How an input is read. */
typedef enum nn__opencl_reading {
    NN__OPENCL_ELEMENTS, /* element by element, as the outputs */
    NN__OPENCL_NUMBER,   /* one number for all */
    NN__OPENCL_SPREAD    /* broadcast along some axes */
} nn__opencl_reading;

/* What one text depends on. */
typedef struct nn__opencl_pointwise {
    const nn_program_args *args;
    const nn_view *inputs, *outputs;
    nn__opencl_reading reading[NN_PROGRAM_INPUTS];
    nn__opencl_spread spread;
    int lanes;
    bool wide, draws; /* wide: more numbers than an int counts; draws: has RANDOM */
} nn__opencl_pointwise;

static int nn__opencl_pointwise_operands(int code) {
    static const uint8_t counts[] = {
#define NN__X(upper, lower, text, operands, weight, value) operands,
        NN_INSTRUCTIONS(NN__X)
#undef NN__X
    };
    return counts[code];
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static void nn__opencl_spread_axis(nn__opencl_pointwise *p, const uint64_t *steps,
                                   uint64_t extent) {
    nn__opencl_spread *spread = &p->spread;
    int last = spread->rank - 1;
    bool joins = last >= 0;
    for (int k = 0; joins && k < p->args->program.input_count; k++)
        joins = p->reading[k] != NN__OPENCL_SPREAD ||
                steps[k] == spread->step[k][last] * spread->extent[last];
    if (joins) {
        spread->extent[last] *= extent;
        return;
    }
    spread->extent[spread->rank] = extent;
    for (int k = 0; k < NN_PROGRAM_INPUTS; k++) spread->step[k][spread->rank] = steps[k];
    spread->rank++;
}

static void nn__opencl_pointwise_look(nn__opencl *device, const nn_program_args *args, int item,
                                      nn__opencl_pointwise *p) {
    const nn_program *program = &args->program;
    uint64_t next[NN_PROGRAM_INPUTS], steps[NN_PROGRAM_INPUTS];
    memset(p, 0, sizeof *p);
    p->args = args;
    p->inputs = args->item_count ? args->items[item].inputs : args->inputs;
    p->outputs = args->item_count ? args->items[item].outputs : args->outputs;
    p->lanes = device->cpu ? 16 : 4;
    p->wide = nn__opencl_count(&p->outputs[0]) > INT32_MAX;
    for (int i = 0; i < program->count; i++) p->draws |= program->code[i].code == NN_CODE_RANDOM;
    const nn_shape *y = &p->outputs[0].shape;
    for (int k = 0; k < program->input_count; k++) {
        int64_t count = nn__opencl_count(&p->inputs[k]);
        next[k] = 1;
        p->reading[k] = count == nn__opencl_count(&p->outputs[0]) ? NN__OPENCL_ELEMENTS :
                        count == 1                                ? NN__OPENCL_NUMBER :
                                                                    NN__OPENCL_SPREAD;
    }
    for (int axis = 0; axis < y->rank; axis++) { /* from the innermost one */
        uint64_t extent = (uint64_t)y->extent[y->rank - 1 - axis];
        memset(steps, 0, sizeof steps);
        for (int k = 0; k < program->input_count; k++) {
            const nn_shape *x = &p->inputs[k].shape;
            uint64_t own = axis < x->rank ? (uint64_t)x->extent[x->rank - 1 - axis] : 1;
            if (p->reading[k] == NN__OPENCL_SPREAD && own != 1) steps[k] = next[k];
            next[k] *= own;
        }
        if (extent != 1) nn__opencl_spread_axis(p, steps, extent);
    }
}

static uint64_t nn__opencl_pointwise_key(const nn__opencl_pointwise *p) {
    const nn_program *program = &p->args->program;
    uint64_t key = nn__opencl_hash_text(2, "pointwise");
    int32_t words[8];
    for (int i = 0; i < program->count; i++) {
        const nn_instruction *at = &program->code[i];
        const uint8_t bytes[4] = {at->code, at->a, at->b, at->c};
        float value = at->code == NN_CODE_CONSTANT ? at->value : 0.0f;
        key = nn__opencl_hash(nn__opencl_hash(key, bytes, sizeof bytes), &value, sizeof value);
    }
    for (int k = 0; k < program->input_count; k++) {
        words[0] = (int32_t)p->inputs[k].dtype, words[1] = (int32_t)p->reading[k];
        for (int i = 0; i < NN_MAX_RANK; i++)
            words[2 + i] = p->reading[k] == NN__OPENCL_SPREAD && p->spread.step[k][i] != 0;
        key = nn__opencl_hash(key, words, sizeof words);
    }
    for (int k = 0; k < program->output_count; k++) {
        words[0] = (int32_t)p->outputs[k].dtype, words[1] = program->output[k];
        words[2] = p->args->accumulate >> k & 1;
        key = nn__opencl_hash(key, words, 3 * sizeof words[0]);
    }
    words[0] = program->input_count, words[1] = program->output_count,
    words[2] = program->scalar_count;
    words[3] = p->lanes, words[4] = p->wide, words[5] = p->spread.rank;
    return nn__opencl_hash(key, words, 6 * sizeof words[0]);
}

/* ---- text ------------------------------------------------------------------------------------ */

#define NN__OPENCL_TEXT_BYTES ((size_t)48 * 1024)

typedef struct nn__opencl_writer {
    char *text;
    size_t used;
} nn__opencl_writer;

/* Everything is short and of known count: 96 instructions of at most 200 bytes, 12 views of at most
   700. */
#define NN__OPENCL_PUT(writer, ...)                                                                \
    ((writer)->used += nn__opencl_format((writer)->text + (writer)->used,                          \
                                         NN__OPENCL_TEXT_BYTES - (writer)->used, __VA_ARGS__))

/* The words of the table in OpenCL C; T is float4 or float16, and comparisons of vectors give
   vectors. */
static const char nn__opencl_pointwise_words[] =
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "#define NN_TRUTH(x) ((x) ? (T)(1.0f) : (T)(0.0f))\n"
    "#define NN_WHERE(x, y, z) ((x) ? (T)(y) : (T)(z))\n"
    "#define NN_LARGER_OF(a, b) NN_WHERE(((a) != (a)) | ((a) > (b)), a, b)\n"
    "#define NN_SMALLER_OF(a, b) NN_WHERE(((a) != (a)) | ((a) < (b)), a, b)\n"
    "#define nn_remainder_of(a, b) nn_remainder_from(fmod(a, b), b)\n"
    "#define fabsf fabs\n#define floorf floor\n#define ceilf ceil\n#define rintf rint\n#define "
    "truncf trunc\n"
    "#define sqrtf sqrt\n#define expf exp\n#define expm1f expm1\n#define logf log\n#define log1pf "
    "log1p\n"
    "#define sinf sin\n#define cosf cos\n#define tanf tan\n#define erff erf\n"
    "#define powf pow\n#define atan2f atan2\n#define fmaf fma\n"
    "T tanhf(T x) {\n" /* tanh may say 0.99999994 for infinity, and 1 - y * y multiplies it */
    "    return NN_WHERE(fabs(x) > 9.02f, copysign((T)(1.0f), x), tanh(x));\n"
    "}\n"
    "T nn_remainder_from(T rest, T b) {\n"
    "    return NN_WHERE((rest != 0.0f) & ((b < 0.0f) != (rest < 0.0f)), rest + b, rest);\n"
    "}\n"
    "float nn_from_bool(uchar x) { return x ? 1.0f : 0.0f; }\n"
    "float nn_from_bf16(ushort x) { return as_float((uint)x << 16); }\n"
    "ushort nn_to_bf16(float x) {\n"
    "    uint bits = as_uint(x);\n"
    "    if (x != x) return (ushort)(bits >> 16 | 0x40u);\n"
    "    return (ushort)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);\n"
    "}\n"
    "int nn_to_i32(float x) { return x != x ? 0 : convert_int_sat_rte(x); }\n"
    "uchar nn_to_u8(float x) { return x != x ? 0 : convert_uchar_sat_rte(x); }\n"
    "char nn_to_i8(float x) { return x != x ? 0 : convert_char_sat_rte(x); }\n"
    "uchar nn_to_bool(float x) { return x == x && x != 0.0f; }\n";

static const char *nn__opencl_pointwise_type(nn_dtype dtype) {
    switch (dtype) {
    case NN_F16: return "half";
    case NN_BF16: return "ushort";
    case NN_I32: return "int";
    case NN_U8:
    case NN_BOOL: return "uchar";
    case NN_I8: return "char";
    default: return "float";
    }
}

/* Element `index` of the array `name` as a float. */
static void nn__opencl_pointwise_put_load(nn__opencl_writer *w, nn_dtype dtype, const char *name,
                                          int k, const char *index) {
    switch (dtype) {
    case NN_F16: NN__OPENCL_PUT(w, "vload_half(%s, %s%d)", index, name, k); break;
    case NN_BF16: NN__OPENCL_PUT(w, "nn_from_bf16(%s%d[%s])", name, k, index); break;
    case NN_BOOL: NN__OPENCL_PUT(w, "nn_from_bool(%s%d[%s])", name, k, index); break;
    default: NN__OPENCL_PUT(w, "(float)%s%d[%s]", name, k, index); break;
    }
}

/* The first n < lanes numbers of a vector. Each has a place of its own: with a computed one the
   vector would live in memory instead of registers. */
static void nn__opencl_pointwise_put_some(nn__opencl_writer *w, int lanes) {
    char place[2] = "0";
    NN__OPENCL_PUT(w, "T nn_load_some(const __global float *x, uint n) {\n"
                      "    T v = (T)(0.0f);\n    v.s0 = x[0];\n");
    for (int i = 1; i < lanes - 1; i++) {
        place[0] = "0123456789abcdef"[i];
        NN__OPENCL_PUT(w, "    if (n > %d) v.s%s = x[%d];\n", i, place, i);
    }
    NN__OPENCL_PUT(w, "    return v;\n}\n"
                      "void nn_store_some(T v, __global float *y, uint n) {\n    y[0] = v.s0;\n");
    for (int i = 1; i < lanes - 1; i++) {
        place[0] = "0123456789abcdef"[i];
        NN__OPENCL_PUT(w, "    if (n > %d) y[%d] = v.s%s;\n", i, i, place);
    }
    NN__OPENCL_PUT(w, "}\n");
}

static void nn__opencl_pointwise_put_head(nn__opencl_writer *w, const nn__opencl_pointwise *p) {
    const nn_program *program = &p->args->program;
    NN__OPENCL_PUT(w, "#define T float%d\n#define NN_INDEX %s\n", p->lanes,
                   p->wide ? "ulong" : "uint");
    NN__OPENCL_PUT(w, "%s", nn__opencl_pointwise_words);
    nn__opencl_pointwise_put_some(w, p->lanes);
    NN__OPENCL_PUT(
        w,
        "__kernel void nn_program(const __global uint *status, ulong status_offset, ulong first,\n"
        "    ulong end, uint each");
    for (int k = 0; k < program->output_count; k++)
        NN__OPENCL_PUT(w, ",\n    __global %s *y%d, ulong y%d_offset",
                       nn__opencl_pointwise_type(p->outputs[k].dtype), k, k);
    for (int k = 0; k < program->input_count; k++)
        NN__OPENCL_PUT(w, ",\n    const __global %s *x%d, ulong x%d_offset",
                       nn__opencl_pointwise_type(p->inputs[k].dtype), k, k);
    for (int k = 0; k < program->scalar_count; k++) NN__OPENCL_PUT(w, ", float s%d", k);
    if (p->draws) NN__OPENCL_PUT(w, ", ulong seed, ulong stream, ulong counter");
    for (int i = 0; i < p->spread.rank; i++) NN__OPENCL_PUT(w, ", NN_INDEX e%d", i);
    for (int k = 0; k < program->input_count; k++)
        for (int i = 0; p->reading[k] == NN__OPENCL_SPREAD && i < p->spread.rank; i++)
            if (p->spread.step[k][i]) NN__OPENCL_PUT(w, ", NN_INDEX t%d_%d", k, i);
    NN__OPENCL_PUT(w, ") {\n    if (nn_faulty(status, status_offset)) return;\n"
                      "    ulong begin = first + get_global_id(0) * (ulong)each;\n"
                      "    ulong stop = min(begin + each, end);\n");
    for (int k = 0; k < program->output_count; k++)
        NN__OPENCL_PUT(w, "    y%d += y%d_offset;\n", k, k);
    for (int k = 0; k < program->input_count; k++)
        NN__OPENCL_PUT(w, "    x%d += x%d_offset;\n", k, k);
}

/* The inputs of a group, as x0v, x1v ... of type T. */
static void nn__opencl_pointwise_put_inputs(nn__opencl_writer *w, const nn__opencl_pointwise *p) {
    const nn_program *program = &p->args->program;
    bool spread = false;
    for (int k = 0; k < program->input_count; k++) {
        NN__OPENCL_PUT(w, "        T x%dv = (T)(0.0f);\n", k);
        spread |= p->reading[k] == NN__OPENCL_SPREAD;
        if (p->reading[k] == NN__OPENCL_NUMBER) {
            NN__OPENCL_PUT(w, "        x%dv = (T)(", k);
            nn__opencl_pointwise_put_load(w, p->inputs[k].dtype, "x", k, "0");
            NN__OPENCL_PUT(w, ");\n");
        } else if (p->reading[k] == NN__OPENCL_ELEMENTS) {
            NN__OPENCL_PUT(w, "        ");
            if (p->inputs[k].dtype == NN_F32) {
                NN__OPENCL_PUT(w, "x%dv = count == %d ? vload%d(0, x%d + i) : "
                                  "nn_load_some(x%d + i, count);\n", k, p->lanes, p->lanes, k, k);
                continue;
            }
            NN__OPENCL_PUT(w, "for (uint j = 0; j < count; j++) ((float *)&x%dv)[j] = ", k);
            nn__opencl_pointwise_put_load(w, p->inputs[k].dtype, "x", k, "i + j");
            NN__OPENCL_PUT(w, ";\n");
        }
    }
    if (!spread) return;
    NN__OPENCL_PUT(w, "        for (uint j = 0; j < count; j++) {\n            NN_INDEX rest = "
                      "(NN_INDEX)(i + j)");
    for (int k = 0; k < program->input_count; k++)
        if (p->reading[k] == NN__OPENCL_SPREAD) NN__OPENCL_PUT(w, ", o%d = 0", k);
    NN__OPENCL_PUT(w, ", where;\n");
    for (int i = 0; i < p->spread.rank; i++) {
        if (i + 1 < p->spread.rank)
            NN__OPENCL_PUT(w, "            where = rest %s e%d; rest /= e%d;\n", "%", i, i);
        else
            NN__OPENCL_PUT(w, "            where = rest;\n");
        for (int k = 0; k < program->input_count; k++)
            if (p->reading[k] == NN__OPENCL_SPREAD && p->spread.step[k][i])
                NN__OPENCL_PUT(w, "            o%d += where * t%d_%d;\n", k, k, i);
    }
    for (int k = 0; k < program->input_count; k++) {
        char index[16];
        if (p->reading[k] != NN__OPENCL_SPREAD) continue;
        nn__opencl_format(index, sizeof index, "o%d", k);
        NN__OPENCL_PUT(w, "            ((float *)&x%dv)[j] = ", k);
        nn__opencl_pointwise_put_load(w, p->inputs[k].dtype, "x", k, index);
        NN__OPENCL_PUT(w, ";\n");
    }
    NN__OPENCL_PUT(w, "        }\n");
}

/* Instruction i as v0, v1 ... */
static void nn__opencl_pointwise_put_code(nn__opencl_writer *w, const nn__opencl_pointwise *p,
                                          int i) {
    static const char *const words[] = {
#define NN__X(upper, lower, text, operands, weight, value) #value,
        NN_INSTRUCTIONS(NN__X)
#undef NN__X
    };
    const nn_instruction *at = &p->args->program.code[i];
    const uint8_t operand[3] = {at->a, at->b, at->c};
    uint32_t bits;
    memcpy(&bits, &at->value, sizeof bits);
    switch (at->code) {
    case NN_CODE_INPUT: NN__OPENCL_PUT(w, "        T v%d = x%dv;\n", i, (int)at->a); return;
    case NN_CODE_SCALAR: NN__OPENCL_PUT(w, "        T v%d = (T)(s%d);\n", i, (int)at->a); return;
    case NN_CODE_CONSTANT:
        NN__OPENCL_PUT(w, "        T v%d = (T)(as_float(%uu));\n", i, (unsigned)bits);
        return;
    case NN_CODE_RANDOM: NN__OPENCL_PUT(w, "        T v%d = drawn;\n", i); return;
    default: break;
    }
    NN__OPENCL_PUT(w, "        T v%d; { const T ", i);
    for (int k = 0; k < nn__opencl_pointwise_operands(at->code); k++)
        NN__OPENCL_PUT(w, "%s%s = v%d", k ? ", " : "",
                       k == 0   ? "a"
                       : k == 1 ? "b"
                                : "c",
                       (int)operand[k]);
    NN__OPENCL_PUT(w, "; v%d = %s; }\n", i, words[at->code]);
}

static void nn__opencl_pointwise_put_output(nn__opencl_writer *w, const nn__opencl_pointwise *p,
                                            int k) {
    nn_dtype dtype = p->outputs[k].dtype;
    bool add = p->args->accumulate >> k & 1;
    NN__OPENCL_PUT(w, "        { T y = %s%d;\n        ", add ? "b" : "v",
                   add ? k : (int)p->args->program.output[k]);
    if (dtype == NN_F32) {
        NN__OPENCL_PUT(w, "if (count == %d) vstore%d(y, 0, y%d + i);\n"
                          "        else nn_store_some(y, y%d + i, count); }\n",
                       p->lanes, p->lanes, k, k);
        return;
    }
    NN__OPENCL_PUT(w, "for (uint j = 0; j < count; j++) ");
    switch (dtype) {
    case NN_F16: NN__OPENCL_PUT(w, "vstore_half_rte(((float *)&y)[j], i + j, y%d)", k); break;
    case NN_BF16: NN__OPENCL_PUT(w, "y%d[i + j] = nn_to_bf16(((float *)&y)[j])", k); break;
    case NN_I32: NN__OPENCL_PUT(w, "y%d[i + j] = nn_to_i32(((float *)&y)[j])", k); break;
    case NN_U8: NN__OPENCL_PUT(w, "y%d[i + j] = nn_to_u8(((float *)&y)[j])", k); break;
    case NN_I8: NN__OPENCL_PUT(w, "y%d[i + j] = nn_to_i8(((float *)&y)[j])", k); break;
    default: NN__OPENCL_PUT(w, "y%d[i + j] = nn_to_bool(((float *)&y)[j])", k); break;
    }
    NN__OPENCL_PUT(w, "; }\n");
}

/* What outputs held before, added to their values: b0, b1 ... are read with the inputs. */
static void nn__opencl_pointwise_put_before(nn__opencl_writer *w, const nn__opencl_pointwise *p) {
    for (int k = 0; k < p->args->program.output_count; k++) {
        if (!(p->args->accumulate >> k & 1)) continue;
        if (p->outputs[k].dtype == NN_F32) {
            NN__OPENCL_PUT(w, "        T b%d = count == %d ? vload%d(0, y%d + i) : "
                              "nn_load_some(y%d + i, count);\n", k, p->lanes, p->lanes, k, k);
            continue;
        }
        NN__OPENCL_PUT(w, "        T b%d = (T)(0.0f);\n        for (uint j = 0; j < count; j++) "
                          "((float *)&b%d)[j] = ", k, k);
        nn__opencl_pointwise_put_load(w, p->outputs[k].dtype, "y", k, "i + j");
        NN__OPENCL_PUT(w, ";\n");
    }
}

static char *nn__opencl_pointwise_make(nn__opencl *device, const void *user, size_t *bytes) {
    const nn__opencl_pointwise *p = (const nn__opencl_pointwise *)user;
    const nn_program *program = &p->args->program;
    nn__opencl_writer writer, *w = &writer;
    *bytes = NN__OPENCL_TEXT_BYTES;
    w->used = 0;
    w->text = (char *)nn_take_memory(device->nn, *bytes);
    if (!w->text) {
        nn_record_error(device->nn, NN_ERROR_MEMORY,
                        "opencl: no memory for the text of a pointwise program");
        return NULL;
    }
    nn__opencl_pointwise_put_head(w, p);
    NN__OPENCL_PUT(w, "    for (ulong i = begin; i < stop; i += %d) {\n"
                      "        uint count = (uint)min(stop - i, (ulong)%d);\n", p->lanes, p->lanes);
    nn__opencl_pointwise_put_inputs(w, p);
    nn__opencl_pointwise_put_before(w, p);
    if (p->draws) {
        NN__OPENCL_PUT(w, "        T drawn;\n        for (uint j = 0; j < %d; j++)\n"
                          "            ((float4 *)&drawn)[j] = nn_words_to_uniform("
                          "nn_random_words(seed, stream, counter + i / 4 + j));\n", p->lanes / 4);
    }
    for (int i = 0; i < program->count; i++) nn__opencl_pointwise_put_code(w, p, i);
    for (int k = 0; k < program->output_count; k++)
        if (p->args->accumulate >> k & 1)
            NN__OPENCL_PUT(w, "        b%d = b%d + v%d;\n", k, k, (int)program->output[k]);
    for (int k = 0; k < program->output_count; k++) nn__opencl_pointwise_put_output(w, p, k);
    NN__OPENCL_PUT(w, "    }\n}\n");
    return w->text;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Numbers of a unit, a multiple of the lanes. */
static int64_t nn__opencl_program_unit(const nn__opencl *device) {
    return device->cpu ? 65536 : 1 << 20;
}

static int32_t nn__opencl_program_units_of(nn__opencl *device, const nn_program_args *args,
                                           int item) {
    const nn_view *outputs = args->item_count ? args->items[item].outputs : args->outputs;
    return nn__opencl_ceil_div(nn__opencl_count(&outputs[0]), nn__opencl_program_unit(device));
}

static int nn__opencl_program_items(const nn_program_args *args) {
    return args->item_count ? args->item_count : 1;
}

static int32_t nn__opencl_program_units(nn__opencl *device, const void *arguments) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    int32_t units = 0;
    for (int item = 0; item < nn__opencl_program_items(args); item++)
        units += nn__opencl_program_units_of(device, args, item);
    return units;
}

/* Elements [first, end) of one item. */
static nn_result nn__opencl_program_run_item(nn__opencl *device, const nn_program_args *args,
                                             int item, int64_t first, int64_t end) {
    nn__opencl_pointwise p;
    int64_t each = device->cpu ? 4096 : 4;
    nn__opencl_pointwise_look(device, args, item, &p);
    nn__opencl_launch launch = nn__opencl_begin_made(device, nn__opencl_pointwise_key(&p),
                                                     nn__opencl_pointwise_make, &p, "nn_program");
    if (device->cpu && end - first < 2 * each) each = (end - first + 127) / 128 * 64;
    nn__opencl_view(&launch, &args->status);
    nn__opencl_ulong(&launch, (uint64_t)first);
    nn__opencl_ulong(&launch, (uint64_t)end);
    nn__opencl_uint(&launch, (uint32_t)each);
    for (int k = 0; k < args->program.output_count; k++) nn__opencl_view(&launch, &p.outputs[k]);
    for (int k = 0; k < args->program.input_count; k++) nn__opencl_view(&launch, &p.inputs[k]);
    for (int k = 0; k < args->program.scalar_count; k++)
        nn__opencl_float(&launch, args->scalars[k]);
    if (p.draws) {
        nn__opencl_ulong(&launch, args->seed);
        nn__opencl_ulong(&launch, args->stream + (uint64_t)item);
        nn__opencl_ulong(&launch, args->counter);
    }
    for (int i = 0; i < p.spread.rank; i++) {
        if (p.wide) nn__opencl_ulong(&launch, p.spread.extent[i]);
        else nn__opencl_uint(&launch, (uint32_t)p.spread.extent[i]);
    }
    for (int k = 0; k < args->program.input_count; k++)
        for (int i = 0; p.reading[k] == NN__OPENCL_SPREAD && i < p.spread.rank; i++) {
            if (p.spread.step[k][i] == 0) continue;
            if (p.wide) nn__opencl_ulong(&launch, p.spread.step[k][i]);
            else nn__opencl_uint(&launch, (uint32_t)p.spread.step[k][i]);
        }
    return nn__opencl_run_flat(&launch, (uint64_t)((end - first + each - 1) / each),
                               device->cpu ? 1 : 256);
}

static nn_result nn__opencl_program_run(nn__opencl *device, const void *arguments, int32_t first,
                                        int32_t count) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    int64_t unit = nn__opencl_program_unit(device);
    nn_result result = NN_OK;
    int32_t base = 0, end = first + count;
    for (int item = 0; result >= 0 && item < nn__opencl_program_items(args); item++) {
        int32_t units = nn__opencl_program_units_of(device, args, item);
        int32_t from = first > base ? first - base : 0,
                to = end - base < units ? end - base : units;
        const nn_view *outputs = args->item_count ? args->items[item].outputs : args->outputs;
        int64_t total = nn__opencl_count(&outputs[0]), stop = to * unit < total ? to * unit : total;
        if (from < to) result = nn__opencl_program_run_item(device, args, item, from * unit, stop);
        base += units;
    }
    return result;
}

static bool nn__opencl_program_holds(nn_dtype dtype) {
    return dtype == NN_F32 || dtype == NN_F16 || dtype == NN_BF16 || dtype == NN_I32 ||
           dtype == NN_U8 || dtype == NN_I8 || dtype == NN_BOOL;
}

static const char *nn__opencl_program_refuses(nn__opencl *device, const void *arguments) {
    const nn_program_args *args = (const nn_program_args *)arguments;
    (void)device;
    for (int item = 0; item < nn__opencl_program_items(args); item++) {
        const nn_view *inputs = args->item_count ? args->items[item].inputs : args->inputs;
        const nn_view *outputs = args->item_count ? args->items[item].outputs : args->outputs;
        bool holds = true;
        for (int k = 0; k < args->program.input_count; k++)
            holds &= nn__opencl_program_holds(inputs[k].dtype);
        for (int k = 0; k < args->program.output_count; k++)
            holds &= nn__opencl_program_holds(outputs[k].dtype);
        if (!holds) return "a pointwise program works on f32, f16, bf16, i32, u8, i8 and bool only";
    }
    return NULL;
}

#undef NN__OPENCL_PUT
#undef NN__OPENCL_TEXT_BYTES

static const nn__opencl_kernel nn__opencl_program_kernel_of_all = {
    nn__opencl_program_refuses, NULL, nn__opencl_program_units, nn__opencl_program_run};

NN__OPENCL_PRIVATE const nn__opencl_kernel *nn__opencl_kernel_pointwise(void) {
    return &nn__opencl_program_kernel_of_all;
}
