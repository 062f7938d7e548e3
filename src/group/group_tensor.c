/* group/group_tensor.c - sums and broadcasts of tensors. They travel through separate host memory,
   so that a tensor is unchanged after an error. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

typedef struct nn__group_staging {
    nn_group *group;
    nn_tensor *tensor;
    nn_site site;
    const char *who;
    void *bytes; /* in the tensor's dtype */
    float *wide; /* f16 and bf16: as f32; NULL: `bytes` are summed */
    size_t wide_bytes;
    nn__group_job *job;
} nn__group_staging;

/* Records an error of this rank, and has the others told of it. */
static bool nn__group_refuse(nn__group_staging *staging, nn_result code, const char *format, ...) {
    nn__group_header *header = &staging->job->header;
    va_list arguments;
    va_start(arguments, format);
    nn__vformat(header->text, sizeof header->text, format, arguments);
    va_end(arguments);
    header->result = (int32_t)code;
    nn__fail_at(staging->group->head.nn, staging->site, code, "%s", header->text);
    return false;
}

static bool nn__group_check_tensor(nn__group_staging *staging, bool writes, bool sums) {
    const nn_tensor *tensor = staging->tensor;
    nn_result result = NN_OK;
    if (!tensor)
        return nn__group_refuse(staging, NN_ERROR_ARGUMENT, "%s: the tensor is NULL", staging->who);
    if (tensor->nn != staging->group->head.nn)
        return nn__group_refuse(
            staging, NN_ERROR_ARGUMENT,
            "%s: \"%s\" and the group belong to different contexts; make both with one",
            staging->who, tensor->name);
    if (sums && tensor->view.dtype != NN_F32 && tensor->view.dtype != NN_F16 &&
        tensor->view.dtype != NN_BF16 && tensor->view.dtype != NN_I32 &&
        tensor->view.dtype != NN_I64)
        return nn__group_refuse(staging, NN_ERROR_DTYPE,
                                "%s: \"%s\" is %s; wanted f32, f16, bf16, i32 or i64", staging->who,
                                tensor->name, nn_dtype_name(tensor->view.dtype));
    if (nn__is_mapped(tensor)) result = nn__fail_mapped(tensor, staging->site, staging->who);
    if (result == NN_OK && writes)
        result = nn__check_writable(tensor, staging->site, staging->who);
    if (result == NN_OK) result = nn__check_whole(tensor, writes, staging->site, staging->who);
    if (result == NN_OK) return true;
    nn__explain(staging->job->header.text, sizeof staging->job->header.text,
                "%s: \"%s\" cannot be used now: %s", staging->who, tensor->name,
                nn_result_text(result));
    staging->job->header.result = (int32_t)result;
    return false;
}

static nn_result nn__group_read(const nn__group_staging *staging) {
    const nn_tensor *tensor = staging->tensor;
    if (nn__tensor_on_host(tensor)) {
        memcpy(staging->bytes, nn_tensor_const_data(tensor), (size_t)tensor->bytes);
        return NN_OK;
    }
    return nn__download(tensor->nn, tensor->device, &tensor->view, staging->bytes, tensor->bytes,
                        "exchange", staging->site);
}

static bool nn__group_stage(nn__group_staging *staging, bool reads) {
    const nn_tensor *tensor = staging->tensor;
    nn_context *nn = staging->group->head.nn;
    const bool narrow = staging->wide_bytes > 0;
    nn_result result = NN_OK;
    staging->bytes = nn__allocate_for(nn, staging->who, (size_t)tensor->bytes);
    if (staging->bytes && narrow)
        staging->wide = (float *)nn__allocate_for(nn, staging->who, staging->wide_bytes);
    if (!staging->bytes || (narrow && !staging->wide)) result = NN_ERROR_MEMORY;
    if (result == NN_OK && reads)
        result = nn__group_read(staging);
    if (result != NN_OK) {
        nn__explain(staging->job->header.text, sizeof staging->job->header.text,
                    "%s: \"%s\" of %llu bytes: %s", staging->who, tensor->name,
                    (unsigned long long)tensor->bytes, nn_result_text(result));
        staging->job->header.result = (int32_t)result;
        return false;
    }
    if (staging->wide) {
        /* The conversion goes through the byte order of files. */
        const int64_t count = nn__count(&tensor->view);
        nn__convert_to_file(tensor->view.dtype, staging->bytes, staging->bytes, count);
        nn__convert_from_file(tensor->view.dtype, staging->bytes, NN_F32, staging->wide, count);
    }
    return true;
}

static nn_result nn__group_unstage(nn__group_staging *staging, bool writes) {
    const nn_tensor *tensor = staging->tensor;
    const size_t size = nn_dtype_size(tensor->view.dtype);
    if (!writes) return NN_OK;
    for (int64_t i = 0; staging->wide && i < nn__count(&tensor->view); i++)
        nn__store_number(tensor->view.dtype, (char *)staging->bytes + (size_t)i * size,
                         (double)staging->wide[i]);
    if (nn__tensor_on_host(tensor)) {
        nn__tensor_changes(tensor);
        memcpy(nn__host_data(tensor), staging->bytes, (size_t)tensor->bytes);
        return NN_OK;
    }
    return nn__upload(staging->group->head.nn, tensor->device, &tensor->view, staging->bytes,
                      tensor->bytes, "exchange", staging->site, NULL);
}

static void nn__group_drop_staging(nn__group_staging *staging) {
    nn__memory *memory = &staging->group->head.nn->memory;
    if (staging->wide) nn__release(memory, staging->wide, staging->wide_bytes);
    if (staging->bytes) nn__release(memory, staging->bytes, (size_t)staging->tensor->bytes);
}

static nn_result nn__group_carry(nn__group_staging *staging, nn__group_kind kind, int32_t from) {
    nn_group *group = staging->group;
    nn_tensor *tensor = staging->tensor;
    const bool sums = kind == NN__GROUP_SUM, reads = sums || group->desc.rank == from;
    const bool writes = sums || !reads;
    nn__group_job job;
    nn_result result;
    nn__group_fill_job(group, &job, kind, 0, staging->site, staging->who);
    staging->job = &job;
    job.header.call[0].from = from;
    if (tensor) {
        const bool narrow =
            sums && (tensor->view.dtype == NN_F16 || tensor->view.dtype == NN_BF16);
        job.header.call[0].bytes = tensor->bytes;
        job.header.call[0].dtype = sums ? (int32_t)tensor->view.dtype : 0;
        job.count = nn__elements(&tensor->view);
        job.dtype = narrow ? NN_F32 : tensor->view.dtype;
        if (narrow) staging->wide_bytes = sizeof(float) * job.count;
    }
    if (from < 0 || from >= group->desc.size)
        nn__group_refuse(staging, NN_ERROR_ARGUMENT,
                         "%s: from is %d; the group has ranks 0 to %d", staging->who, (int)from,
                         (int)group->desc.size - 1);
    else if (nn__group_check_tensor(staging, writes, sums))
        nn__group_stage(staging, reads);
    job.data = staging->wide ? (void *)staging->wide : staging->bytes;
    result = nn__group_run(group, &job);
    if (result == NN_OK) result = nn__group_unstage(staging, writes);
    nn__group_drop_staging(staging);
    return result;
}

static nn_result nn__inside_group(nn_site site, nn_group *group, nn_tensor *tensor,
                                  nn__group_kind kind, int32_t from) {
    nn__group_staging staging;
    memset(&staging, 0, sizeof staging);
    staging.group = group;
    staging.tensor = tensor;
    staging.site = site;
    staging.who = kind == NN__GROUP_SUM ? "nn_group_sum" : "nn_group_broadcast";
    return nn__group_carry(&staging, kind, from);
}

NN_API nn_result nn_group_sum_at(nn_site site, nn_group *group, nn_tensor *tensor) {
    return NN__ALONE(group ? group->head.nn : NULL, "nn_group_sum", site,
                     group ? nn__inside_group(site, group, tensor, NN__GROUP_SUM, 0)
                           : NN_ERROR_ARGUMENT);
}

NN_API nn_result nn_group_broadcast_at(nn_site site, nn_group *group, nn_tensor *tensor,
                                       int32_t from) {
    return NN__ALONE(group ? group->head.nn : NULL, "nn_group_broadcast", site,
                     group ? nn__inside_group(site, group, tensor, NN__GROUP_BROADCAST, from)
                           : NN_ERROR_ARGUMENT);
}

#else
typedef int nn__group_tensor_part; /* a part must not be empty under NN__NO_TRAINER */
#endif
