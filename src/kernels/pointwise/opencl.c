/* kernels/pointwise/opencl.c - generates pointwise programs as OpenCL C.

   The source text depends on the instructions, the dtypes and the broadcasting. Extents and scalars
   are arguments, so another batch or learning rate needs no new build. opencl_items.c runs the
   programs. A work-item takes groups of `lanes` numbers: it reads every input of a group before it
   writes, so outputs may overwrite inputs. */
#include "kernels/pointwise/opencl.h"

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

NN__OPENCL_PRIVATE void nn__opencl_pointwise_look(const nn_program_args *args,
                                                  int item, nn__opencl_pointwise *p) {
    const nn_program *program = &args->program;
    uint64_t next[NN_PROGRAM_INPUTS], steps[NN_PROGRAM_INPUTS];
    memset(p, 0, sizeof *p);
    p->args = args;
    p->inputs = args->item_count ? args->items[item].inputs : args->inputs;
    p->outputs = args->item_count ? args->items[item].outputs : args->outputs;
    p->lanes = 4;
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
    for (int axis = 0; axis < y->rank; axis++) { /* innermost first */
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

NN__OPENCL_PRIVATE uint64_t nn__opencl_pointwise_key(const nn__opencl_pointwise *p) {
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
    words[3] = p->lanes, words[4] = p->wide, words[5] = p->spread.rank, words[6] = p->many;
    return nn__opencl_hash(key, words, 7 * sizeof words[0]);
}

/* ---- source text ----------------------------------------------------------------------------- */

#define NN__OPENCL_TEXT_BYTES ((size_t)48 * 1024)

/* The words of the instruction table in OpenCL C. T is float4 or float16, and comparisons of
   vectors give vectors. */
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
    "#define powf pow\n#define atan2f atan2\n#define fmaf fma\n#define log10f log10\n"
    "#define hypotf hypot\n"
    "T log2f(T x) {\n" /* whole for powers of two, which log2 alone need not be */
    "    const T y = log2(x), whole = rint(y);\n"
    "    return NN_WHERE(ldexp((T)(1.0f), NN_TO_INT(whole)) == x, whole, y);\n"
    "}\n"
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

/* PoCL's sin, cos and tan of a vector are wrong by a hundredth in all lanes if one number is
   infinite, and at subnormal numbers if another one is huge. The functions of infinity and of NaN
   are both NaN, and small angles equal their sine and tangent. Only programs with an angle function
   get these definitions. */
static const char nn__opencl_pointwise_angles[] =
    "#undef sinf\n#undef cosf\n#undef tanf\n"
    "T nn_angle(T x) {\n"
    "    x = NN_WHERE(fabs(x) < 1e-4f, (T)(0.0f), x);\n"
    "    return NN_WHERE(fabs(x) == INFINITY, (T)(NAN), x);\n"
    "}\n"
    "#define sinf(x) NN_WHERE(fabs(x) < 1e-4f, x, sin(nn_angle(x)))\n"
    "#define cosf(x) cos(nn_angle(x))\n"
    "#define tanf(x) NN_WHERE(fabs(x) < 1e-4f, x, tan(nn_angle(x)))\n";

NN__OPENCL_PRIVATE bool nn__opencl_pointwise_has_angles(const nn_program *program) {
    for (int i = 0; i < program->count; i++)
        if (program->code[i].code == NN_CODE_SIN || program->code[i].code == NN_CODE_COS ||
            program->code[i].code == NN_CODE_TAN)
            return true;
    return false;
}

NN__OPENCL_PRIVATE const char *nn__opencl_pointwise_type(nn_dtype dtype) {
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

/* Writes the load of element `index` of the array `name` as a float. */
static void nn__opencl_pointwise_put_load(nn__opencl_writer *w, nn_dtype dtype, const char *name,
                                          int k, const char *index) {
    switch (dtype) {
    case NN_F16: NN__OPENCL_PUT(w, "vload_half(%s, %s%d)", index, name, k); break;
    case NN_BF16: NN__OPENCL_PUT(w, "nn_from_bf16(%s%d[%s])", name, k, index); break;
    case NN_BOOL: NN__OPENCL_PUT(w, "nn_from_bool(%s%d[%s])", name, k, index); break;
    default: NN__OPENCL_PUT(w, "(float)%s%d[%s]", name, k, index); break;
    }
}

/* Writes functions for the first n < lanes numbers of a vector. Each lane is named: with a computed
   index the vector would be in memory instead of registers. */
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

/* Writes the head of a kernel over several items in the same buffers. For each item, the table has
   its first block, its numbers [first, end), and the offsets of its outputs and inputs. */
static void nn__opencl_pointwise_put_many(nn__opencl_writer *w, const nn__opencl_pointwise *p) {
    const nn_program *program = &p->args->program;
    const int outputs = program->output_count, all = outputs + program->input_count;
    NN__OPENCL_PUT(w, "__kernel void nn_program(const __global uint *status, ulong status_offset,"
                      " uint each,\n    const __global ulong *table, uint count");
    for (int k = 0; k < all; k++) {
        const bool y = k < outputs;
        const int i = y ? k : k - outputs;
        NN__OPENCL_PUT(w, ",\n    %s__global %s *%s%d, ulong o%s%d", y ? "" : "const ",
                       nn__opencl_pointwise_type(y ? p->outputs[i].dtype : p->inputs[i].dtype),
                       y ? "y" : "x", i, y ? "y" : "x", i);
    }
    for (int k = 0; k < program->scalar_count; k++) NN__OPENCL_PUT(w, ", float s%d", k);
    NN__OPENCL_PUT(w, ") {\n    if (nn_faulty(status, status_offset)) return;\n"
                      "    ulong block = get_global_id(0);\n"
                      "    for (uint step; count > 1u; count = step) {\n"
                      "        step = count / 2u;\n"
                      "        if (table[step * %uu] <= block) table += step * %uu, "
                      "step = count - step;\n    }\n",
                   (unsigned)(all + 3), (unsigned)(all + 3));
    for (int k = 0; k < all; k++) {
        const char *name = k < outputs ? "y" : "x";
        const int i = k < outputs ? k : k - outputs;
        NN__OPENCL_PUT(w, "    %s%d += o%s%d + table[%d];\n", name, i, name, i, k + 3);
    }
    NN__OPENCL_PUT(w, "    ulong begin = table[1] + (block - table[0]) * (ulong)each;\n"
                      "    ulong stop = min(begin + each, table[2]);\n");
}

NN__OPENCL_PRIVATE void nn__opencl_pointwise_put_words(nn__opencl_writer *w, int lanes, bool wide,
                                                       bool angles) {
    NN__OPENCL_PUT(w, "#define T float%d\n#define NN_INDEX %s\n", lanes, wide ? "ulong" : "uint");
    NN__OPENCL_PUT(w, "#define NN_TO_INT convert_int%d_sat\n", lanes);
    NN__OPENCL_PUT(w, "%s", nn__opencl_pointwise_words);
    if (angles) NN__OPENCL_PUT(w, "%s", nn__opencl_pointwise_angles);
    nn__opencl_pointwise_put_some(w, lanes);
}

static void nn__opencl_pointwise_put_head(nn__opencl_writer *w, const nn__opencl_pointwise *p) {
    const nn_program *program = &p->args->program;
    nn__opencl_pointwise_put_words(w, p->lanes, p->wide, nn__opencl_pointwise_has_angles(program));
    if (p->many) {
        nn__opencl_pointwise_put_many(w, p);
        return;
    }
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

/* Writes the inputs of a group as x0v, x1v ... of type T. */
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

/* Writes instruction i as v0, v1 ... */
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
    case NN_CODE_RANDOM:
        NN__OPENCL_PUT(w, "        T v%d;\n        for (uint j = 0; j < %d; j++) "
                          "((float4 *)&v%d)[j] = nn_words_to_uniform(nn_random_words(seed, "
                          "stream + ((ulong)%d << 40), counter + i / 4 + j));\n",
                       i, p->lanes / 4, i, (int)at->a);
        return;
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

/* Adds the old values of accumulated outputs: b0, b1 ... are read with the inputs. */
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

NN__OPENCL_PRIVATE void nn__opencl_pointwise_put_loop(nn__opencl_writer *w,
                                                      const nn__opencl_pointwise *p,
                                                      const char *step) {
    const nn_program *program = &p->args->program;
    NN__OPENCL_PUT(w, "    for (ulong i = begin; i < stop; i += %s) {\n"
                      "        uint count = (uint)min(stop - i, (ulong)%d);\n", step, p->lanes);
    nn__opencl_pointwise_put_inputs(w, p);
    nn__opencl_pointwise_put_before(w, p);
    for (int i = 0; i < program->count; i++) nn__opencl_pointwise_put_code(w, p, i);
    for (int k = 0; k < program->output_count; k++)
        if (p->args->accumulate >> k & 1)
            NN__OPENCL_PUT(w, "        b%d = b%d + v%d;\n", k, k, (int)program->output[k]);
    for (int k = 0; k < program->output_count; k++) nn__opencl_pointwise_put_output(w, p, k);
    NN__OPENCL_PUT(w, "    }\n");
}

NN__OPENCL_PRIVATE char *nn__opencl_pointwise_make(nn__opencl *device, const void *user,
                                                   size_t *bytes) {
    const nn__opencl_pointwise *p = (const nn__opencl_pointwise *)user;
    nn__opencl_writer writer, *w = &writer;
    char lanes[16];
    *bytes = w->size = NN__OPENCL_TEXT_BYTES;
    w->used = 0;
    w->text = (char *)nn_take_memory(device->nn, *bytes);
    if (!w->text) {
        nn_record_error(device->nn, NN_ERROR_MEMORY,
                        "opencl: no memory for the text of a pointwise program");
        return NULL;
    }
    nn__opencl_pointwise_put_head(w, p);
    nn__opencl_format(lanes, sizeof lanes, "%d", p->lanes);
    nn__opencl_pointwise_put_loop(w, p, lanes);
    NN__OPENCL_PUT(w, "}\n");
    return w->text;
}

#undef NN__OPENCL_TEXT_BYTES
