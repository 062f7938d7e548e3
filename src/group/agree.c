/* group/agree.c - what the ranks of a group exchange when a trainer is made. Each rank describes
   what it trains, and every difference is listed on all of them before the first step. Then the
   state of rank 0 is copied to all. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

/* ---- comparing texts ------------------------------------------------------------------------- */

static void nn__agree_count(void *user, const char *text, size_t length) {
    uint64_t *sums = (uint64_t *)user; /* number of bytes, and a hash: FNV-1a of 64 bits */
    sums[0] += length;
    for (size_t i = 0; i < length; i++)
        sums[1] = (sums[1] ^ (unsigned char)text[i]) * 0x100000001b3u;
}

static void nn__agree_fill(void *user, const char *text, size_t length) {
    char **to = (char **)user;
    memcpy(*to, text, length);
    *to += length;
}

/* Returns the end of the line that begins here. */
static const char *nn__agree_line(const char *text) {
    const char *end = strchr(text, '\n');
    return end ? end : text + strlen(text);
}

/* True if the line that begins here has the key of the line at `key`. */
static bool nn__agree_has(const char *line, const char *key) {
    return strncmp(line, key, (size_t)(strchr(key, '\t') - key) + 1) == 0;
}

/* Returns the line of `text` with the key of the line at `key`, or NULL. */
static const char *nn__agree_find(const char *text, const char *key) {
    for (; *text; text = nn__agree_line(text) + (*nn__agree_line(text) != 0))
        if (nn__agree_has(text, key)) return text;
    return NULL;
}

static bool nn__agree_same(const char *a, const char *b) {
    const size_t length = (size_t)(nn__agree_line(a) - a);
    return length == (size_t)(nn__agree_line(b) - b) && memcmp(a, b, length) == 0;
}

static void nn__agree_put(const nn_writer *writer, const char *from, const char *to) {
    writer->function(writer->user, from, (size_t)(to - from));
}

/* Writes one difference: the key, this rank's line and that of rank 0; NULL if a line is
   missing. */
static void nn__agree_tell(const nn_writer *writer, int rank, const char *mine, const char *zero) {
    const char *line = mine ? mine : zero, *tab = strchr(line, '\t');
    nn__print(writer, "\n  rank %d: ", rank);
    nn__agree_put(writer, line, tab);
    if (mine) {
        nn__print(writer, " is ");
        nn__agree_put(writer, tab + 1, nn__agree_line(mine));
    } else {
        nn__print(writer, " is not there");
    }
    if (zero) {
        nn__print(writer, "; rank 0: ");
        nn__agree_put(writer, strchr(zero, '\t') + 1, nn__agree_line(zero));
    } else {
        nn__print(writer, "; rank 0 has none");
    }
}

/* True if the line is about a node that `text` does not have. Then the difference in the node's own
   line is enough. */
static bool nn__agree_follows(const char *text, const char *line) {
    size_t length = (size_t)(strchr(line, '\t') - line), whole = length;
    while (length > 0 && line[length - 1] != '"') length--;
    if (length == 0 || length == whole) return false;
    for (; *text; text = nn__agree_line(text) + (*nn__agree_line(text) != 0))
        if (strncmp(text, line, length) == 0 && text[length] == '\t') return false;
    return true;
}

static int nn__agree_differences(const nn_writer *writer, int rank, const char *mine,
                                 const char *zero) {
    const char *next = mine; /* most texts have the same lines in the same order */
    int count = 0;
    for (const char *line = zero; *line; line = nn__agree_line(line) + 1) {
        const char *other = nn__agree_has(next, line) ? next : nn__agree_find(mine, line);
        if (other) next = nn__agree_line(other) + 1;
        if (other ? nn__agree_same(other, line) : nn__agree_follows(mine, line)) continue;
        nn__agree_tell(writer, rank, other, line);
        count++;
    }
    next = zero;
    for (const char *line = mine; *line; line = nn__agree_line(line) + 1) {
        const char *other = nn__agree_has(next, line) ? next : nn__agree_find(zero, line);
        if (other) next = nn__agree_line(other) + 1;
        if (other || nn__agree_follows(zero, line)) continue;
        nn__agree_tell(writer, rank, line, NULL);
        count++;
    }
    return count;
}

/* texts: one of `room` bytes for each rank, each with a 0 at its end. */
static nn_result nn__agree_fail(nn_group *group, const nn__agree_text *text, const char *texts,
                                size_t room, nn_site site, const char *who) {
    char list[NN_ERROR_BYTES > 1024 ? NN_ERROR_BYTES - 512 : 512];
    nn_text out;
    nn_writer writer = nn__write_into(&out, list, sizeof list);
    int count = 0;
    for (int32_t rank = 1; rank < nn_group_size(group); rank++)
        count += nn__agree_differences(&writer, (int)rank, texts + room * (size_t)rank, texts);
    return nn__fail_at(group->head.nn, site, NN_ERROR_GROUP,
                       "%s: the ranks differ in %s: %d difference%s; nothing was begun%s", who,
                       text->what, count, count == 1 ? "" : "s", list);
}

static nn_result nn__agree_gather_texts(nn_group *group, const nn__agree_text *text, size_t room,
                                        nn_site site, const char *who) {
    nn__memory *memory = &group->head.nn->memory;
    const size_t all = room * (size_t)nn_group_size(group);
    char *mine = (char *)nn__allocate_for(group->head.nn, who, room), *texts = NULL, *end = mine;
    nn_result result;
    if (mine) texts = (char *)nn__allocate_for(group->head.nn, who, all);
    result = nn__group_agree(group, texts ? NN_OK : NN_ERROR_MEMORY, NULL, site, who);
    if (result == NN_OK) {
        nn_writer writer;
        writer.function = nn__agree_fill;
        writer.user = &end;
        text->write(text->user, &writer);
        *end = 0;
        result = nn__group_gather(group, mine, room, texts, site, who);
    }
    if (result == NN_OK) result = nn__agree_fail(group, text, texts, room, site, who);
    nn__release(memory, texts, all);
    nn__release(memory, mine, room);
    return result;
}

NN_PRIVATE nn_result nn__agree_compare(nn_group *group, const nn__agree_text *text, nn_site site,
                                       const char *who) {
    const size_t bytes = 2 * sizeof(uint64_t);
    const int32_t size = nn_group_size(group);
    uint64_t mine[2], few[2 * 16], most = 0;
    uint64_t *all = few;
    nn_writer writer;
    nn_result result;
    bool same = true;
    mine[0] = 0;
    mine[1] = 0xcbf29ce484222325u;
    writer.function = nn__agree_count;
    writer.user = mine;
    text->write(text->user, &writer);
    if (size > 16) all = (uint64_t *)nn__allocate_for(group->head.nn, who, bytes * (size_t)size);
    result = nn__group_agree(group, all ? NN_OK : NN_ERROR_MEMORY, NULL, site, who);
    if (result == NN_OK) result = nn__group_gather(group, mine, bytes, all, site, who);
    for (int32_t i = 0; i < size && result == NN_OK; i++) {
        same = same && all[2 * i] == all[0] && all[2 * i + 1] == all[1];
        if (most < all[2 * i]) most = all[2 * i];
    }
    if (all != few) nn__release(&group->head.nn->memory, all, bytes * (size_t)size);
    if (result != NN_OK || same) return result;
    return nn__agree_gather_texts(group, text, (size_t)most + 1, site, who);
}

/* ---- what a trainer trains ------------------------------------------------------------------- */

static void nn__agree_number(const nn_writer *writer, const char *key, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    nn__print(writer, "%s\t%g (%08x)\n", key, (double)value, (unsigned)bits);
}

/* Writes the settings of an optimizer, each as "KEY NAME". */
static void nn__agree_settings(const nn_writer *writer, const char *key,
                               const nn_trainer_desc *d) {
    char line[80];
    const char *name;
    float value;
    nn__print(writer, "%soptimizer\t%d, muon rate %d, %d steps\n", key, (int)d->optimizer,
              (int)d->muon.rate, d->muon.newton_schulz_steps);
    for (int i = 0; (name = nn__setting(d, i, &value)) != NULL; i++) {
        nn__format(line, sizeof line, "%s%s", key, name);
        nn__agree_number(writer, line, value);
    }
}

/* Writes the settings of a group, with those that it takes from the trainer. */
static void nn__agree_group(const nn_writer *writer, int i, const nn_trainer *trainer) {
    const nn_parameter_group *group = &trainer->desc.groups.group[i];
    nn_trainer_desc filled = trainer->desc;
    char key[24];
    nn__format(key, sizeof key, "group %d", i);
    nn__print(writer, "%s\t\"%s\" max_rank %d%s\n", key, group->pattern, group->max_rank,
              group->frozen ? " frozen" : "");
    nn__format(key, sizeof key, "group %d rate", i);
    nn__agree_number(writer, key, group->rate_factor);
    nn__format(key, sizeof key, "group %d ", i);
    if (nn__group_defaults(trainer->nn, group, &filled, key, trainer->site))
        nn__agree_settings(writer, key, &filled);
}

static void nn__agree_optimizer(const nn_writer *writer, const nn_trainer_desc *d) {
    const nn_schedule *s = &d->schedule;
    nn__agree_settings(writer, "", d);
    nn__print(writer, "schedule\t%d, steps %lld, warmup %lld%s\n", (int)s->kind,
              (long long)s->steps, (long long)s->warmup, s->function ? ", a function" : "");
    nn__agree_number(writer, "schedule.gamma", s->gamma);
    nn__agree_number(writer, "schedule.minimum", s->minimum);
    nn__agree_number(writer, "schedule.warmup_start", s->warmup_start);
    nn__print(writer, "average\t%d, start %lld, every %d\n", (int)d->average.kind,
              (long long)d->average.start, (int)d->average.every);
    nn__agree_number(writer, "average.decay", d->average.decay);
}

static void nn__agree_node(const nn_writer *writer, const nn_node *node) {
    char shape[NN__SHAPE_TEXT];
    nn__print(writer, "%s \"%s\"\t%s %s%s\n", nn__operation(node), node->name,
              nn__format_shape(node->shape, shape, sizeof shape), nn_dtype_name(node->dtype),
              node->frozen ? ", frozen" : "");
    if (node->input_count == 0) return;
    nn__print(writer, "%s \"%s\" reads\t", nn__operation(node), node->name);
    for (int i = 0; i < node->input_count; i++)
        nn__print(writer, "%s\"%s\"", i ? ", " : "", node->inputs[i]->name);
    nn__print(writer, "%s\n", node->detached ? ", detached" : "");
}

typedef struct nn__agree_trained {
    const nn_trainer *trainer;
    void *room; /* for nn__agree_node_numbers */
} nn__agree_trained;

static void nn__agree_write_numbers(const nn_writer *writer, const nn__agree_trained *of,
                                    const nn_node *node, int number) {
    char key[NN_NAME_BYTES + 64];
    nn__format(key, sizeof key, "%s \"%s\"", nn__operation(node), node->name);
    if (number >= 0)
        nn__format(key, sizeof key, "%s %d \"%s\"", nn__operation(node), number, node->name);
    nn__agree_node_numbers(writer, of->trainer, node, key, of->room);
}

static void nn__agree_write(const void *user, const nn_writer *writer) {
    const nn__agree_trained *of = (const nn__agree_trained *)user;
    const nn_trainer *trainer = of->trainer;
    const nn_trainer_desc *d = &trainer->desc;
    static const char *const precisions[] = {"DEFAULT", "HIGHEST", "HIGH", "MEDIUM"};
    nn__print(writer, "library\t%s\n", NN_VERSION);
    nn__print(writer, "seed\t%llu\n", (unsigned long long)trainer->net->seed);
    nn__print(writer, "batch\t%d\n", d->batch);
    nn__print(writer, "time\t%d\n", d->time);
    nn__print(writer, "shards\t%d\n", d->shards);
    nn__print(writer, "batch_norm\t%s\n",
              d->batch_norm == NN_OVER_ALL ? "NN_OVER_ALL" : "NN_PER_SHARD");
    nn__print(writer, "accumulate\t%d%s\n", d->accumulate,
              trainer->shards->asked ? ", gradients" : "");
    nn__print(writer, "wire\t%s\n", nn_dtype_name(d->wire));
    nn__print(writer, "precision\tNN_PRECISION_%s\n",
              precisions[trainer->plan->desc.precision]);
    nn__print(writer, "shard_state\t%d\n", (int)d->shard_state);
    nn__print(writer, "bucket_bytes\t%lld\n", (long long)d->bucket_bytes);
    nn__agree_optimizer(writer, d);
    for (int i = 0; i < d->groups.count; i++)
        nn__agree_group(writer, i, trainer);
    nn__print(writer, "loss\t%s\n", trainer->loss->name);
    nn__print(writer, "counted\t%s\n", d->counted ? d->counted->name : "by its shape");
    for (int i = 0; i < trainer->metric_count; i++)
        nn__print(writer, "metric %d\t%s\n", i, d->metrics.node[i]->name);
    for (int i = 0; i < trainer->trained_count; i++)
        nn__print(writer, "trained \"%s\"\tin group %d\n", trainer->trained[i].parameter->name,
                  trainer->trained[i].group);
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next)
        if (node->kind != NN__OUTPUT) nn__agree_node(writer, node);
    for (const nn_node *node = trainer->net->graph.first; node; node = node->next)
        nn__agree_write_numbers(writer, of, node, -1);
}

/* Describes the operations of the backward pass. Nets that are equal otherwise can differ here, for
   example in a padding index or nn_detach. It is compared last, because most of it follows from the
   rest. Updates that belong to another rank are left out. */
static void nn__agree_write_gradients(const void *user, const nn_writer *writer) {
    const nn__agree_trained *of = (const nn__agree_trained *)user;
    int number = 0;
    const nn__owners *owners = of->trainer->owners;
    for (const nn_node *node = of->trainer->tape.first; node; node = node->next)
        if (node->kind == NN__OPERATION && !nn__has_effect(node) &&
            !(owners->ranks && node->order >= of->trainer->updates_from)) {
            nn__print(writer, "%d\t%s \"%s\"\n", number, nn__operation(node), node->name);
            nn__agree_write_numbers(writer, of, node, number++);
        }
}

/* ---- the state of rank 0 --------------------------------------------------------------------- */

NN_PRIVATE nn_result nn__agree_bytes(nn_group *group, const nn_tensor *tensor, uint64_t bytes,
                                     int32_t from, void *room, size_t room_bytes, nn_result *mine,
                                     nn_site site, const char *who) {
    const bool here = nn_group_rank(group) == from, host = tensor && nn__tensor_on_host(tensor);
    nn_result result = NN_OK;
    for (uint64_t done = 0; done < bytes && result == NN_OK; done += room_bytes) {
        const uint64_t left = bytes - done, part = left < room_bytes ? left : room_bytes;
        char *at = (char *)room;
        nn_view view;
        memset(&view, 0, sizeof view);
        if (tensor) view = tensor->view;
        view.offset += done;
        if (host) at = (char *)view.handle + view.offset;
        if (tensor && !host && here && *mine == NN_OK)
            *mine = nn__download(tensor->nn, tensor->device, &view, at, part, "exchange", site);
        /* a rank that cannot continue says so, and all get its error */
        result = *mine == NN_OK ? nn__group_broadcast(group, at, (size_t)part, from, site, who)
                                : nn__group_agree(group, *mine, NULL, site, who);
        if (tensor && !host && !here && result == NN_OK)
            *mine = nn__upload(tensor->nn, tensor->device, &view, at, part, "exchange", site, NULL);
    }
    return result;
}

NN_PRIVATE nn_result nn__agree_tensor(nn_group *group, const nn_tensor *tensor, void *room,
                                      size_t room_bytes, nn_result *mine, nn_site site,
                                      const char *who) {
    return nn__agree_bytes(group, tensor, tensor->bytes, 0, room, room_bytes, mine, site, who);
}

/* The state of a trainer that is not in tensors. */
typedef struct nn__agree_numbers {
    int64_t step, averaged;
    uint64_t seed;
    float learning_rate;
    nn_schedule schedule; /* without the function, which stays that of each rank */
    int64_t milestones[NN__MILESTONES];
} nn__agree_numbers;

static nn_result nn__agree_words(nn_trainer *trainer, nn_site site, const char *who) {
    nn__agree_numbers numbers;
    nn_schedule *mine = &trainer->desc.schedule;
    nn_result result;
    memset(&numbers, 0, sizeof numbers);
    numbers.step = trainer->step;
    numbers.averaged = trainer->averaged;
    numbers.seed = trainer->net->seed;
    numbers.learning_rate = trainer->desc.learning_rate;
    nn__copy_schedule(&numbers.schedule, numbers.milestones, mine);
    result = nn__group_broadcast(trainer->desc.group, &numbers, sizeof numbers, 0, site, who);
    if (result != NN_OK) return result;
    numbers.schedule.function = mine->function;
    numbers.schedule.user = mine->user;
    numbers.schedule.milestones.number = numbers.milestones; /* not rank 0's address */
    nn__copy_schedule(mine, trainer->milestones, &numbers.schedule);
    trainer->step = numbers.step;
    trainer->averaged = numbers.averaged;
    trainer->net->seed = numbers.seed;
    trainer->desc.learning_rate = numbers.learning_rate;
    return NN_OK;
}

/* Copies moments and averages, if each rank keeps those of all parameters. */
static nn_result nn__agree_moments(nn_trainer *trainer, void *room, nn_result *mine, nn_site site,
                                   const char *who) {
    nn_group *group = trainer->desc.group;
    nn_result result = NN_OK;
    if (trainer->owners->ranks) return NN_OK;
    for (int i = 0; i < trainer->moment_count && result == NN_OK; i++)
        result = nn__agree_tensor(group, trainer->moments[i].state->tensor, room, NN__AGREE_ROOM,
                                  mine, site, who);
    for (int i = 0; i < trainer->trained_count && trainer->averages && result == NN_OK; i++)
        result = nn__agree_tensor(group, trainer->averages[i]->tensor, room, NN__AGREE_ROOM, mine,
                                  site, who);
    return result;
}

static nn_result nn__agree_totals(nn_trainer *trainer, void *room, nn_result *mine, nn_site site,
                                  const char *who) {
    nn_group *group = trainer->desc.group;
    nn_result result = NN_OK;
    for (int i = 0; i <= trainer->metric_count && result == NN_OK; i++)
        result = nn__agree_tensor(group, trainer->totals.node[i]->tensor, room, NN__AGREE_ROOM,
                                  mine, site, who);
    for (int i = 0; i < 2 && trainer->totals.mean && result == NN_OK; i++)
        result = nn__agree_tensor(group,
                                  (i ? trainer->totals.counted : trainer->totals.mean)->tensor,
                                  room, NN__AGREE_ROOM, mine, site, who);
    return result;
}

NN_PRIVATE nn_result nn__agree_room(nn_trainer *trainer, nn_result mine, void **room, nn_site site,
                                    const char *who) {
    *room = mine == NN_OK ? nn__allocate_for(trainer->nn, who, NN__AGREE_ROOM) : NULL;
    if (mine == NN_OK && !*room) mine = NN_ERROR_MEMORY;
    return nn__group_agree(trainer->desc.group, mine, NULL, site, who);
}

NN_PRIVATE void nn__agree_leave(nn_trainer *trainer, void *room) {
    nn__release(&trainer->nn->memory, room, NN__AGREE_ROOM);
}

NN_PRIVATE nn_result nn__agree_state(nn_trainer *trainer, void *room, nn_site site,
                                     const char *who) {
    nn_group *group = trainer->desc.group;
    nn_result mine = NN_OK, result = nn__agree_words(trainer, site, who);
    nn__weights_change(trainer->nn); /* so that replicas look for changes */
    for (nn_node *node = trainer->net->graph.first; node && result == NN_OK; node = node->next)
        if (nn__is_saved(node) && node->tensor)
            result = nn__agree_tensor(group, node->tensor, room, NN__AGREE_ROOM, &mine, site, who);
    if (result == NN_OK) result = nn__agree_moments(trainer, room, &mine, site, who);
    if (result == NN_OK) result = nn__agree_totals(trainer, room, &mine, site, who);
    return result == NN_OK ? nn__group_agree(group, mine, NULL, site, who) : result;
}

/* room: of the trainer; NULL: there is no memory for it. */
static nn_result nn__agree_compare_trainer(nn_group *group, const nn_trainer *trainer, void *room,
                                           nn_result mine, nn_site site, const char *who) {
    nn__agree_trained trained;
    nn__agree_text text;
    nn_result result = nn__group_agree(group, mine, NULL, site, who);
    trained.trainer = trainer;
    trained.room = room;
    text.write = nn__agree_write;
    text.user = &trained;
    text.what = "what they train";
    if (result == NN_OK) result = nn__agree_compare(group, &text, site, who);
    text.write = nn__agree_write_gradients;
    text.what = "how they compute gradients";
    return result == NN_OK ? nn__agree_compare(group, &text, site, who) : result;
}

NN_PRIVATE nn_result nn__agree_trainer(nn_group *group, nn_trainer *trainer, nn_result mine,
                                       nn_site site) {
    const char *const who = "nn_make_trainer";
    nn__memory *memory = &group->head.nn->memory;
    void *room = NULL;
    size_t bytes = 0;
    nn_result result;
    if (nn_group_size(group) < 2) return mine;
    if (mine == NN_OK) {
        bytes = nn__agree_node_room(trainer);
        room = nn__allocate_for(group->head.nn, who, bytes);
        if (!room) mine = NN_ERROR_MEMORY;
    }
    result = nn__agree_compare_trainer(group, trainer, room, mine, site, who);
    nn__release(memory, room, bytes);
    if (result != NN_OK) return result;
    result = nn__agree_room(trainer, NN_OK, &room, site, who);
    if (result == NN_OK) result = nn__agree_state(trainer, room, site, who);
    nn__agree_leave(trainer, room);
    if (result == NN_OK && trainer->shards->count)
        result = nn__window_meet(group, trainer->shards->exchange.window, site, who);
    if (result == NN_OK && trainer->owners->cut) result = nn__operands_agree(trainer, site, who);
    return result;
}

#endif /* NN__NO_TRAINER */

typedef int nn__agree_part; /* a part must not be empty under NN__NO_TRAINER */
