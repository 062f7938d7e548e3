/* kernels/pointwise/vector_recipes.h - optimizers that are programs (ops/optimizers.txt), each in
   one pass: all inputs of a vector of parameters are read before anything is written, and
   intermediate values stay in registers. It rounds instruction by instruction like the program, so
   the bytes are those of the interpreter and of plain C. Part of kernels/pointwise/vector.h. */
#ifdef NN__SET

#define NN__D(n)                const NN__F32 s##n = NN__(all)(row->numbers[n]);
#define NN__N(k, n)             const NN__F32 v##k = i##n;
#define NN__S(k, n)             const NN__F32 v##k = s##n;
#define NN__C(k, number)        const NN__F32 v##k = NN__(all)(number);
#define NN__X(k, code, a, b, c) const NN__F32 v##k = NN__(value_##code)(v##a, v##b, v##c);
#define NN__LOAD(count, k)                                                                         \
    const NN__F32 i##k = count > k ? NN__(load_up_to)(row->from[k] + i, n - i, 1.0f) : one;
#define NN__STORE(count, k, v)                                                                     \
    if (count > k) NN__(store_up_to)(row->to[k] + i, n - i, v);
#define NN__R(line, inputs, outputs, o0, o1, o2, o3)                                               \
    static NN__UNUSED void NN__(recipe_##line)(const nn__recipe_row *row, ptrdiff_t n) {           \
        const NN__F32 one = NN__(all)(1.0f);                                                       \
        const unsigned steps = row->steps;                                                         \
        NN__RECIPE_##line##_NUMBERS(NN__D) for (ptrdiff_t i = 0; i < n; i += NN__LANES) {          \
            NN__F32 i0 = NN__(load_up_to)(row->from[0] + i, n - i, 1.0f),                          \
                    i1 = NN__(load_up_to)(row->from[1] + i, n - i, 1.0f);                          \
            NN__LOAD(inputs, 2)                                                                    \
            NN__LOAD(inputs, 3)                                                                    \
            NN__LOAD(inputs, 4)                                                                    \
            (void)i2, (void)i3, (void)i4;                                                          \
            if (steps) NN__(recipe_before)(row, &i0, &i1);                                         \
            NN__RECIPE_##line(NN__X, NN__N, NN__S, NN__C) NN__STORE(outputs, 0, v##o0)             \
            NN__STORE(outputs, 1, v##o1)                                                           \
            NN__STORE(outputs, 2, v##o2)                                                           \
            NN__STORE(outputs, 3, v##o3)                                                           \
        }                                                                                          \
    }

/* Does the steps before the recipe, for the parameter x and its gradient g. */
NN__OP void NN__(recipe_before)(const nn__recipe_row *row, NN__F32 *x, NN__F32 *g) {
    const float *before = row->before;
    if (row->steps & NN_RECIPE_SCALED) *g = NN__(mul)(*g, NN__(all)(row->scale));
    if (row->steps & NN_RECIPE_CLAMPED)
        *g = NN__(value_CLAMP)(*g, NN__(all)(before[NN_RECIPE_LOW]),
                               NN__(all)(before[NN_RECIPE_HIGH]));
    if (row->steps & NN_RECIPE_DECAYED)
        *g = NN__(add)(*g, NN__(mul)(NN__(all)(before[NN_RECIPE_DECAY]), *x));
    if (row->steps & NN_RECIPE_SHRUNK) *x = NN__(mul)(*x, NN__(all)(before[NN_RECIPE_SHRINK]));
}
NN__RECIPES(NN__R)
#undef NN__R

#define NN__R(line, inputs, outputs, o0, o1, o2, o3) NN__(recipe_##line),
static NN__UNUSED const nn__recipe_function NN__(recipes)[] = {NN__RECIPES(NN__R)};
#undef NN__R
#undef NN__D
#undef NN__N
#undef NN__S
#undef NN__C
#undef NN__X
#undef NN__LOAD
#undef NN__STORE
#endif
