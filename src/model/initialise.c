/* model/initialise.c - nn_initialise: selects the parameters, checks their shapes, and computes all
   values before it changes any parameter. */
#include "model/private.h"

#ifndef NN_NO_TRAINING

#include <math.h>

static const char *nn__init_name(nn_init init) {
    static const char names[] =
        "DEFAULT\0KAIMING_UNIFORM\0KAIMING_NORMAL\0XAVIER_UNIFORM\0XAVIER_NORMAL\0ORTHOGONAL\0"
        "TRUNC_NORMAL\0NORMAL\0UNIFORM\0CONSTANT\0ZEROS\0ONES\0EYE\0DIRAC\0SPARSE\0VALUES\0"
        "FUNCTION";
    return nn__nth_text(names, (int)init);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void nn__init_defaults(nn_init_desc *desc, const nn_model *net) {
    if (desc->low == 0.0f && desc->high == 0.0f) {
        desc->low = desc->init == NN_INIT_TRUNC_NORMAL ? -2.0f : 0.0f;
        desc->high = desc->init == NN_INIT_TRUNC_NORMAL ? 2.0f : 1.0f;
    }
    desc->gain = nn__or_default(desc->gain, 1.0f);
    desc->std = nn__or_default(desc->std, desc->init == NN_INIT_SPARSE ? 0.01f : 1.0f);
    if (desc->groups == 0) desc->groups = 1;
    if (desc->seed == 0) desc->seed = net->seed;
}

/* Reports a field that is out of range. */
static nn_result nn__init_range(nn_model *net, nn_site site, const char *field, double value,
                                const char *wanted) {
    return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT, "nn_initialise: %s is %g; wanted %s",
                       field, value, wanted);
}

static nn_result nn__init_check_desc(nn_model *net, const nn_init_desc *desc, nn_site site) {
    const nn_init init = desc->init;
    if ((unsigned)init > NN_INIT_FUNCTION)
        return nn__init_range(net, site, "init", (double)init, "one of nn_init");
    if ((unsigned)desc->nonlinearity > NN_GAIN_SELU)
        return nn__init_range(net, site, "nonlinearity", (double)desc->nonlinearity,
                              "one of nn_init_gain");
    if ((unsigned)desc->fan > NN_FAN_OUT)
        return nn__init_range(net, site, "fan", (double)desc->fan, "NN_FAN_IN or NN_FAN_OUT");
    if (!(desc->std >= 0.0f && desc->std <= FLT_MAX))
        return nn__init_range(net, site, "std", (double)desc->std, "0 or more");
    if (init == NN_INIT_TRUNC_NORMAL && desc->std == 0.0f)
        return nn__init_range(net, site, "std", 0.0, "more than 0 for NN_INIT_TRUNC_NORMAL");
    if (!(desc->low <= desc->high))
        return nn__init_range(net, site, "low", (double)desc->low, "at most .high");
    if (init == NN_INIT_SPARSE && !(desc->sparsity > 0.0f && desc->sparsity <= 1.0f))
        return nn__init_range(net, site, "sparsity", (double)desc->sparsity,
                              "more than 0, at most 1");
    if (desc->groups < 1)
        return nn__init_range(net, site, "groups", (double)desc->groups, "1 or more");
    if ((init == NN_INIT_VALUES && !desc->values) || (init == NN_INIT_FUNCTION && !desc->function))
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                           "nn_initialise: NN_INIT_%s needs .%s, which is NULL",
                           nn__init_name(init), init == NN_INIT_VALUES ? "values" : "function");
    return NN_OK;
}

/* Returns what the kind requires of a shape; NULL: it fits. */
static const char *nn__init_shape_fault(const nn_init_desc *desc, const nn_shape *shape) {
    switch (desc->init) {
    case NN_INIT_KAIMING_UNIFORM:
    case NN_INIT_KAIMING_NORMAL:
    case NN_INIT_XAVIER_UNIFORM:
    case NN_INIT_XAVIER_NORMAL:
    case NN_INIT_ORTHOGONAL: return shape->rank >= 2 ? NULL : "two axes or more";
    case NN_INIT_EYE:
    case NN_INIT_SPARSE: return shape->rank == 2 ? NULL : "two axes";
    case NN_INIT_DIRAC:
        if (shape->rank < 3 || shape->rank > 5) return "three, four or five axes";
        return shape->extent[0] % desc->groups == 0 ? NULL : "a first extent that .groups divides";
    default: return NULL;
    }
}

static nn_result nn__init_check_node(const nn_node *node, const nn_init_desc *desc, nn_site site) {
    nn_context *nn = node->graph->nn;
    const int64_t count = nn_shape_count(node->shape);
    const char *wanted = nn__init_shape_fault(desc, &node->shape);
    char shape[NN__SHAPE_TEXT];
    nn__format_shape(node->shape, shape, sizeof shape);
#ifndef NN_NO_MIXED_PRECISION
    if (node->scale)
        return nn__fail_at(nn, site, NN_ERROR_DTYPE,
                           "nn_initialise: \"%s\" is stored in %d bits (nn_quantize); "
                           "load its values from a file instead; nothing was changed",
                           node->name, nn__stored_bits(node));
#endif
    if (wanted)
        return nn__fail_at(nn, site, NN_ERROR_SHAPE,
                           "nn_initialise: \"%s\" is %s; NN_INIT_%s wants %s; nothing was changed",
                           node->name, shape, nn__init_name(desc->init), wanted);
    if (desc->init == NN_INIT_VALUES && desc->count != count)
        return nn__fail_at(nn, site, NN_ERROR_SHAPE,
                           "nn_initialise: \"%s\" is %s, which is %lld numbers; .count is %lld; "
                           "nothing was changed",
                           node->name, shape, (long long)count, (long long)desc->count);
    if (nn__is_mapped(node->tensor)) return nn__fail_mapped(node->tensor, site, "nn_initialise");
    return nn__check_writable(node->tensor, site, "nn_initialise");
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Derives the random stream from the name (FNV-1a by Fowler, Noll and Vo), so a parameter keeps its
   numbers when others come or go. */
static uint64_t nn__init_stream(const char *name) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name; name++) hash = (hash ^ (uint64_t)(unsigned char)*name) * 0x100000001b3u;
    return hash;
}

/* Computes the values of one parameter and uploads them, in its dtype. */
static nn_result nn__init_upload(const nn__init_job *job, nn_tensor *to, void *scratch,
                                 float *values, nn_site site) {
    const size_t size = nn_dtype_size(to->view.dtype);
    nn__init_values(job, scratch, values);
    for (int64_t i = 0; to->view.dtype != NN_F32 && i < job->count; i++)
        nn__store_number(to->view.dtype, (char *)values + (size_t)i * size, (double)values[i]);
    return nn_upload_tensor_at(site, to, values, (size_t)job->count * size);
}

static nn_result nn__init_copy(const nn_node *node, const nn_init_desc *desc, nn_tensor **beside,
                               nn_site site) {
    nn_context *nn = node->graph->nn;
    nn_tensor_desc made;
    nn__init_job job;
    nn_result result = NN_OK;
    memset(&made, 0, sizeof made);
    made.name = node->name;
    made.dtype = node->dtype;
    made.shape = node->shape;
    made.device = node->tensor->device;
    *beside = nn_make_tensor_at(site, nn, &made);
    if (!*beside) return NN_ERROR_MEMORY;
    if (desc->init == NN_INIT_DEFAULT) return nn__fill_first_values(node, *beside, site);
    job.desc = *desc;
    job.name = node->name;
    job.shape = node->shape;
    job.count = nn_shape_count(node->shape);
    job.seed = desc->seed;
    job.stream = nn__init_stream(node->name);
    const size_t bytes = (size_t)job.count * sizeof(float), more = nn__init_scratch(&job);
    float *values = (float *)nn__allocate(&nn->memory, bytes);
    void *scratch = more ? nn__allocate(&nn->memory, more) : NULL;
    if (!values || (more && !scratch))
        result = nn__fail_memory(nn, "nn_initialise", bytes + more);
    else
        result = nn__init_upload(&job, *beside, scratch, values, site);
    nn__release(&nn->memory, scratch, more);
    nn__release(&nn->memory, values, bytes);
    return result;
}

/* Makes tensors with the new values, then copies them over the old ones. A call that fails changes
   nothing. */
static nn_result nn__init_all(nn_model *net, const char *pattern, const nn_init_desc *desc,
                              int count, nn_site site) {
    nn_context *nn = net->nn;
    const size_t bytes = (size_t)count * sizeof(nn_tensor *);
    nn_tensor **beside = (nn_tensor **)nn__allocate(&nn->memory, bytes);
    nn_result result = beside ? NN_OK : nn__fail_memory(nn, "nn_initialise", bytes);
    int k = 0;
    for (const nn_node *node = net->graph.first; node && result == NN_OK; node = node->next)
        if (nn__pattern_fits(pattern, node)) result = nn__init_copy(node, desc, &beside[k++], site);
    k = 0;
    for (const nn_node *node = net->graph.first; node && result == NN_OK; node = node->next)
        if (nn__pattern_fits(pattern, node)) result = nn_copy_at(site, node->tensor, beside[k++]);
    for (k = 0; k < count && beside; k++) nn__drop_tensor(beside[k]);
    nn__release(&nn->memory, beside, bytes);
    return result;
}

static nn_result nn__inside_initialise(nn_site site, nn_model *net, const char *pattern,
                                       const nn_init_desc *given) {
    nn_init_desc desc;
    nn_result result;
    int count = 0;
    if (nn__model_gone(net, site, "nn_initialise")) return NN_ERROR_ARGUMENT;
    memset(&desc, 0, sizeof desc);
    if (given) desc = *given;
    nn__init_defaults(&desc, net);
    if (net->faults.count > 0) return nn__fail_faults(net->nn, net->name, &net->faults, NULL);
    result = nn__init_check_desc(net, &desc, site);
    if (result == NN_OK && !nn__pattern_check(net, "nn_initialise", "", pattern, site))
        result = NN_ERROR_ARGUMENT;
    if (result == NN_OK)
        result = nn__check_slicing(net->nn, net->slicing, NULL, true, site, "nn_initialise");
    if (result == NN_OK) result = nn__check_averaged(net, site, "nn_initialise");
    if (result == NN_OK) result = nn__check_unmerged(net, site, "nn_initialise");
    if (result == NN_OK) result = nn__materialize(&net->graph, site);
    for (const nn_node *node = net->graph.first; node && result == NN_OK; node = node->next) {
        if (!nn__pattern_fits(pattern, node)) continue;
        result = nn__init_check_node(node, &desc, site);
        count++;
    }
    return result == NN_OK ? nn__init_all(net, pattern, &desc, count, site) : result;
}

NN_API nn_result nn_initialise_at(nn_site site, nn_model *net, const char *pattern,
                                  const nn_init_desc *desc) {
    return NN__ALONE(net ? net->nn : NULL, "nn_initialise", site,
                     nn__inside_initialise(site, net, pattern, desc));
}

#endif /* NN_NO_TRAINING */

typedef int nn__initialise_part; /* a part must not be empty under NN_NO_TRAINING */
