/* group/group.c - makes and frees groups, runs their thread, and offers collectives on host
   memory. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

/* ---- jobs ------------------------------------------------------------------------------------ */

NN_PRIVATE void nn__group_fill_job(nn_group *group, nn__group_job *job, nn__group_kind kind,
                                   uint64_t bytes, nn_site site, const char *who) {
    nn__group_call *call = &job->header.call[0];
    memset(job, 0, sizeof *job);
    job->site = site;
    job->who = who;
    job->header.rank = call->rank = group->desc.rank;
    call->kind = (int32_t)kind;
    call->bytes = bytes;
    nn__copy_text(call->who, sizeof call->who, who);
    nn__format_site(site, call->site, sizeof call->site);
}

static void nn__group_serve(nn__helpers *helpers, void *data, int member) {
    nn_group **of = (nn_group **)data;
    (void)member;
    nn__helpers_lock(helpers);
    while (!nn__helpers_quits(helpers)) {
        nn__group_job *job = *of ? (*of)->first : NULL;
        if (!job) {
            nn__helpers_wait(helpers);
            continue;
        }
        nn__helpers_unlock(helpers);
        nn__group_do(*of, job);
        nn__helpers_lock(helpers);
        (*of)->first = job->next;
        job->done = true;
        nn__helpers_tell(helpers);
    }
    nn__helpers_unlock(helpers);
}

/* beside: the group's thread does the job, if there is one. Otherwise the caller does it, unless
   earlier jobs are waiting. */
static void nn__group_start(nn_group *group, nn__group_job *job, bool beside) {
    nn__helpers *helpers = group->helpers;
    if (helpers && !nn__helpers_lost(helpers)) {
        nn__helpers_lock(helpers);
        beside = beside || group->first;
        if (beside) {
            if (group->first)
                group->last->next = job;
            else
                group->first = job;
            group->last = job;
            nn__helpers_wake(helpers);
        }
        nn__helpers_unlock(helpers);
        if (beside) return;
    }
    nn__group_do(group, job);
    job->done = true;
}

NN_PRIVATE void nn__group_await(nn_group *group, nn__group_job *job) {
    if (!group->helpers || nn__helpers_lost(group->helpers)) return;
    nn__helpers_lock(group->helpers);
    while (!job->done) nn__helpers_listen(group->helpers, false);
    nn__helpers_unlock(group->helpers);
}

#ifndef NN_NO_REPORTS
static const char *nn__group_call_text(const nn__group_call *call, char *text, size_t size) {
    size_t length = nn__format(text, size, "rank %d is in %s at %s", (int)call->rank, call->who,
                               call->site);
    if (call->kind != NN__GROUP_AGREE && length < size)
        nn__format(text + length, size - length, " (%llu bytes%s%s)",
                   (unsigned long long)call->bytes, call->dtype ? " of " : "",
                   call->dtype ? nn_dtype_name((nn_dtype)call->dtype) : "");
    length = strlen(text);
    if (call->kind == NN__GROUP_BROADCAST)
        nn__format(text + length, size - length, " from rank %d", (int)call->from);
    return text;
}

static nn_result nn__group_fail_differs(nn_group *group, const nn__group_job *job) {
    char first[160], second[160];
    return nn__fail_at(group->head.nn, job->site, NN_ERROR_GROUP,
                       "%s: the ranks make different calls: %s, but %s; all ranks must make the "
                       "same calls of a group in the same order",
                       job->who, nn__group_call_text(&job->header.call[0], first, sizeof first),
                       nn__group_call_text(&job->header.call[1], second, sizeof second));
}
#else
#define nn__group_fail_differs(group, job) nn__fail_code((group)->head.nn, NN_ERROR_GROUP)
#endif

/* Records the error of a finished job in the context. */
static nn_result nn__group_report(nn_group *group, const nn__group_job *job) {
    nn_context *nn = group->head.nn;
    if ((int)job->result >= 0) return job->result;
    if (job->header.lost)
        return nn__fail_at(nn, job->site, NN_ERROR_GROUP,
                           "%s: %s; free the group \"%s\" and make a new one", job->who,
                           job->header.text, group->head.name);
    if (job->result == NN_ERROR_GROUP && job->header.differs)
        return nn__group_fail_differs(group, job);
    /* A rank's own error was recorded where it arose. */
    if (job->header.rank == group->desc.rank && nn->error_code != NN_OK) return job->result;
    return nn__fail_at(nn, job->site, job->result, "%s: rank %d: %s", job->who,
                       (int)job->header.rank, job->header.text);
}

NN_PRIVATE nn_result nn__group_end(nn_group *group, nn__group_job *job) {
    nn__group_await(group, job);
    return nn__group_report(group, job);
}

NN_PRIVATE nn_result nn__group_run(nn_group *group, nn__group_job *job) {
    nn__group_start(group, job, false);
    return nn__group_end(group, job);
}

/* ---- collectives on host memory -------------------------------------------------------------- */

/* mine: the result of this rank; text: its words, or NULL: those of the context's error. */
static void nn__group_bring(nn_group *group, nn__group_job *job, nn_result mine,
                            const char *text) {
    job->header.result = (int32_t)mine;
    (void)group;
#ifndef NN_NO_REPORTS
    if (!text && mine == group->head.nn->error_code && (int)mine < 0) text = group->head.nn->error;
#endif
    if (mine != NN_OK)
        nn__copy_text(job->header.text, sizeof job->header.text,
                      text ? text : nn_result_text(mine));
}

NN_PRIVATE nn_result nn__group_news(nn_group *group, nn_result mine, const char *text, double *news,
                                    int count, nn_site site, const char *who) {
    nn__group_job job;
    nn_result result;
    nn__group_fill_job(group, &job, NN__GROUP_AGREE, (uint64_t)count, site, who);
    nn__group_bring(group, &job, mine, text);
    for (int i = 0; i < count; i++) job.header.news[i] = news[i];
    result = nn__group_run(group, &job);
    for (int i = 0; i < count && result == NN_OK; i++) news[i] = job.header.news[i];
    return result;
}

/* Finds the window of the f32 data; count 0: none. All ranks learn how many ranks have one. */
static void nn__group_find_window(const nn_group *group, nn__group_job *job, void *data,
                                  size_t count) {
    job->data = data;
    if (count > 0) job->window = nn__window_of(group, data, count * sizeof(float));
    job->header.news[1] = job->window ? 1.0 : 0.0;
}

static void nn__group_fill_sum(nn_group *group, nn__group_job *job, nn_dtype dtype, void *data,
                               size_t count, nn_site site, const char *who) {
    nn__group_fill_job(group, job, NN__GROUP_SUM, (uint64_t)count * nn_dtype_size(dtype), site,
                       who);
    job->header.call[0].dtype = (int32_t)dtype;
    job->dtype = dtype;
    job->count = count;
    nn__group_find_window(group, job, data, dtype == NN_F32 ? count : 0);
}

NN_PRIVATE nn_result nn__group_sum(nn_group *group, float *values, size_t count, nn_site site,
                                   const char *who) {
    nn__group_job job;
    nn__group_fill_sum(group, &job, NN_F32, values, count, site, who);
    return nn__group_run(group, &job);
}

NN_PRIVATE void nn__group_begin_sum(nn_group *group, nn__group_job *job, void *values,
                                    size_t count, bool scatters, float *rests, double news,
                                    nn_result mine, uint64_t chain, bool beside, nn_site site,
                                    const char *who) {
    nn__group_fill_sum(group, job, rests ? NN_BF16 : NN_F32, values, count, site, who);
    job->scatters = scatters;
    job->header.call[0].from = scatters; /* all ranks give the same */
    job->rests = rests;
    job->header.news[0] = news;
    nn__group_bring(group, job, mine, NULL);
    job->chain = chain;
    nn__group_start(group, job, beside);
}

NN_PRIVATE nn_result nn__group_spread(nn_group *group, nn_result result, const nn__group_span *sums,
                                      int sum_count, const nn__group_span *runs, int run_count,
                                      void *leaf, nn_site site, const char *who) {
    nn__group_job job;
    nn__group_fill_job(group, &job, NN__GROUP_SPREAD, (uint64_t)run_count, site, who);
    if (leaf && sum_count > 0) {
        const nn__group_span *last = &sums[sum_count - 1];
        nn__group_find_window(group, &job, leaf, last->first + last->count);
    }
    nn__group_bring(group, &job, result, NULL);
    job.dtype = NN_F32;
    job.sums = sums;
    job.sum_count = sum_count;
    job.runs = runs;
    job.run_count = run_count;
    return nn__group_run(group, &job);
}

NN_PRIVATE nn_result nn__group_broadcast(nn_group *group, void *bytes, size_t count, int32_t from,
                                         nn_site site, const char *who) {
    nn__group_job job;
    nn__group_fill_job(group, &job, NN__GROUP_BROADCAST, (uint64_t)count, site, who);
    job.header.call[0].from = from;
    job.data = bytes;
    return nn__group_run(group, &job);
}

NN_PRIVATE nn_result nn__group_gather(nn_group *group, const void *mine, size_t bytes, void *all,
                                      nn_site site, const char *who) {
    return nn__group_gather_result(group, NN_OK, mine, bytes, all, site, who);
}

NN_PRIVATE nn_result nn__group_gather_result(nn_group *group, nn_result result, const void *mine,
                                             size_t bytes, void *all, nn_site site,
                                             const char *who) {
    nn__group_job job;
    nn__group_fill_job(group, &job, NN__GROUP_GATHER, (uint64_t)bytes, site, who);
    nn__group_bring(group, &job, result, NULL);
    job.data = (void *)(uintptr_t)mine;
    job.all = all;
    return nn__group_run(group, &job);
}

NN_PRIVATE void nn__group_begin_gather(nn_group *group, nn__group_job *job, void *mine,
                                       size_t bytes, void *all, nn_result result, uint64_t chain,
                                       bool beside, nn_site site, const char *who) {
    nn__group_fill_job(group, job, NN__GROUP_GATHER, (uint64_t)bytes, site, who);
    nn__group_bring(group, job, result, NULL);
    job->data = mine;
    job->all = all;
    job->chain = chain;
    nn__group_start(group, job, beside);
}

NN_PRIVATE nn_result nn__group_gather_parts(nn_group *group, const void *mine, size_t bytes,
                                            int32_t parts, void *all, nn_site site,
                                            const char *who) {
    nn__group_job job;
    nn__group_fill_job(group, &job, NN__GROUP_GATHER, (uint64_t)bytes, site, who);
    job.data = (void *)(uintptr_t)mine;
    job.all = all;
    job.parts = parts;
    return nn__group_run(group, &job);
}

/* ---- making and freeing ---------------------------------------------------------------------- */

/* Tells the others that this rank leaves; they need not answer. */
static void nn__group_leave(nn_group *group) {
    nn__group_job job;
    if (group->desc.size < 2 || (group->leaves_early && group->sequence == 0)) return;
    nn__group_fill_job(group, &job, NN__GROUP_LEAVE, 0, nn__no_site(), "nn_free_group");
    job.header.result = (int32_t)group->head.nn->error_code;
#ifndef NN_NO_REPORTS
    if (group->head.nn->error_code != NN_OK)
        nn__copy_text(job.header.text, sizeof job.header.text, group->head.nn->error);
#endif
    nn__group_start(group, &job, false);
    nn__group_await(group, &job);
}

static void nn__group_destroy(nn__owned *owned) {
    nn_group *group = (nn_group *)(void *)owned;
    nn_context *nn = group->head.nn;
    nn__group_leave(group);
    nn__helpers_close(&nn->memory, group->helpers, 0);
    while (group->windows) nn__window_drop(group, group->windows);
    if (group->desc.close) group->desc.close(group->desc.user);
    nn__disown(&group->head.owned);
    nn__release(&nn->memory, group->accused,
                group->accused ? sizeof *group->accused * (size_t)group->desc.size : 0);
    nn__release(&nn->memory, group->scratch, NN__GROUP_SCRATCH);
    nn__release(&nn->memory, group, sizeof *group);
}

static void nn__inside_free_group(nn_group *group) {
    char site[96];
    if (group->head.uses > 0) {
        nn__fail(group->head.nn, NN_ERROR_BUSY,
                 "nn_free_group: %s at %s uses the group; free that first", group->head.used_by,
                 nn__format_site(group->head.used_at, site, sizeof site));
        return;
    }
    nn__group_destroy(&group->head.owned);
}

NN_API void nn_free_group(nn_group *group) {
    nn_context *nn = group ? group->head.nn : NULL;
    if (!group || !nn__enter(nn, "nn_free_group", nn__no_site())) return;
    nn__inside_free_group(group);
    nn__leave(nn, NN_OK);
}

static bool nn__group_check_desc(nn_context *nn, nn_site site, const nn_group_desc *desc) {
    const int32_t size = desc->size;
    if (desc->version > NN_GROUP_VERSION) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_group: version is %u, this library knows up to %u; update nn.h",
                    (unsigned)desc->version, (unsigned)NN_GROUP_VERSION);
    } else if (size < 1 || size > 1024) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_group: size is %d; wanted the number of ranks, from 1 to 1024",
                    (int)size);
    } else if (desc->rank < 0 || desc->rank >= size) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_group: rank is %d; wanted 0 to size - 1, which is %d",
                    (int)desc->rank, (int)size - 1);
    } else if (!(desc->timeout >= 0.0)) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_group: timeout is %g; wanted seconds, or 0 for 60", desc->timeout);
    } else if (size > 1 && !desc->exchange) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_group: %d ranks need desc.exchange, which carries bytes between them; "
                    "nn_mpi_open of nn_mpi.h and nn_join_meeting make such groups",
                    (int)size);
    } else {
        return true;
    }
    return false;
}

static nn_group *nn__group_fill(nn_group *group, nn_context *nn, nn_site site,
                                const nn_group_desc *desc) {
    void *data = NULL;
    group->head.nn = nn;
    group->head.calls = nn__group_table();
    group->head.rank = desc->rank;
    group->head.size = desc->size;
    group->site = site;
    group->desc = *desc;
    nn__copy_text(group->head.name, sizeof group->head.name, desc->name ? desc->name : "group");
    group->desc.name = group->head.name;
    if (desc->timeout == 0.0) group->desc.timeout = 60.0;
    if (desc->size == 1) return group;
    group->scratch = (char *)nn__allocate_for(nn, "nn_make_group", NN__GROUP_SCRATCH);
    if (!group->scratch) return NULL;
    group->accuser = -1;
    if (desc->tell && desc->told) {
        const size_t bytes = sizeof *group->accused * (size_t)desc->size;
        group->accused = (int32_t *)nn__allocate_for(nn, "nn_make_group", bytes);
        if (!group->accused) {
            nn__release(&nn->memory, group->scratch, NN__GROUP_SCRATCH);
            return NULL;
        }
        memset(group->accused, -1, bytes);
    }
    if (desc->own_thread)
        group->helpers =
            nn__helpers_open(&nn->memory, 1, sizeof(nn_group *), nn__group_serve, &data);
    if (!group->helpers) return group; /* The caller does everything. */
    nn__helpers_lock(group->helpers);
    *(nn_group **)data = group;
    nn__helpers_unlock(group->helpers);
    return group;
}

static nn_group *nn__inside_make_group(nn_site site, nn_context *nn, const nn_group_desc *given) {
    nn_group_desc desc;
    nn_group *group;
    memset(&desc, 0, sizeof desc);
    if (given) desc = *given;
    if (desc.size == 0 && desc.rank == 0) desc.size = 1;
    if (!nn__group_check_desc(nn, site, &desc)) return NULL;
    group = (nn_group *)nn__allocate_for(nn, "nn_make_group", sizeof *group);
    if (!group) return NULL;
    if (!nn__group_fill(group, nn, site, &desc)) {
        nn__release(&nn->memory, group, sizeof *group);
        return NULL;
    }
    nn__own(&nn->owned, &group->head.owned, nn__group_destroy);
    return group;
}

NN_API nn_group *nn_make_group_at(nn_site site, nn_context *nn, const nn_group_desc *desc) {
    nn_group *group;
    if (!nn || !nn__enter(nn, "nn_make_group", site)) return NULL;
    group = nn__inside_make_group(site, nn, desc);
    nn__leave(nn, NN_OK);
    return group;
}

NN_API int32_t nn_group_rank(const nn_group *group) { return group ? group->desc.rank : -1; }
NN_API int32_t nn_group_size(const nn_group *group) { return group ? group->desc.size : 0; }

NN_API nn_result nn_group_agree_at(nn_site site, nn_group *group, nn_result mine) {
    if (!group) return NN_ERROR_ARGUMENT;
    return NN__ALONE(group->head.nn, "nn_group_agree", site,
                     nn__group_agree(group, mine, NULL, site, "nn_group_agree"));
}

#else
typedef int nn__group_part; /* a part must not be empty under NN__NO_TRAINER */
#endif
