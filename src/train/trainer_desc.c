/* train/trainer_desc.c - fills in the defaults of a trainer's desc and checks every number and node
   of it, before anything is made. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

/* ---- checks ---------------------------------------------------------------------------------- */

static bool nn__trainer_is_number(const nn_node *node) {
    if (node->dtype != NN_F32) return false;
    for (int i = 0; i < node->shape.rank; i++) {
        if (node->shape.extent[i] != 1) return false;
    }
    return true;
}

static bool nn__trainer_check_node(nn_model *net, const nn_node *node, const char *role,
                                   const nn_trainer_desc *desc, nn_site site) {
    char shape[NN__SHAPE_TEXT];
    if (node->graph->model != net) {
        nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: the %s \"%s\" belongs to the model \"%s\", not to \"%s\"; "
                    "describe it in "
                    "the model that is trained",
                    role, node->name, node->graph->model->name, net->name);
    } else if (node->poisoned) { /* The model has faults, which are reported. */
        if (nn__check_model(net, desc->on_unsupported, site) >= 0)
            nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                        "nn_make_trainer: the %s is the result of a builder that failed", role);
    } else if (!nn__trainer_is_number(node) &&
               !(strcmp(role, "metric") == 0 && nn__metric_of(node))) {
        nn__fail_at(net->nn, site, NN_ERROR_SHAPE,
                    "nn_make_trainer: the %s \"%s\" is %s %s; wanted one f32 number, as losses and "
                    "nn_mean give",
                    role, node->name, nn__format_shape(node->shape, shape, sizeof shape),
                    nn_dtype_name(node->dtype));
    } else {
        return true;
    }
    return false;
}

NN_PRIVATE int nn__device_count(const nn_trainer_desc *desc) {
    return nn__maxi(desc->devices.count, 1);
}

NN_PRIVATE bool nn__has_group_part(nn_context *nn, const char *field, nn_site site,
                                   const char *who) {
    if (nn__sharing_table()) return true;
    nn__fail_at(nn, site, NN_ERROR_UNSUPPORTED,
                "%s: .%s is given, and nn_group.h is not part of this program: include it where "
                "NN_IMPLEMENTATION is defined",
                who, field);
    return false;
}

static bool nn__trainer_has_group_part(nn_context *nn, const nn_trainer_desc *desc, nn_site site) {
    const char *const field = desc->group                                  ? "group"
                              : desc->devices.count > 0 ? "devices"
                              : desc->shards > 1                           ? "shards"
                                                                           : NULL;
    return !field || nn__has_group_part(nn, field, site, "nn_make_trainer");
}

static bool nn__trainer_shards(nn_context *nn, nn_trainer_desc *desc, nn_site site) {
    const int32_t least = nn__group_least(desc->group);
    if (desc->shards < 0 || desc->shards > NN__SHARDS_MOST ||
        (desc->shards & (desc->shards - 1)) != 0) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: shards is %d; wanted a power of two from 1 to %d, or 0 for 1 "
                    "(8 with a group or devices)",
                    desc->shards, NN__SHARDS_MOST);
    } else if (desc->group && nn__head(desc->group)->nn != nn) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: the group \"%s\" and the model belong to different contexts; "
                    "make both with one",
                    nn__head(desc->group)->name);
    } else if (desc->shards > 0 && desc->shards < least) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: shards is %d, the group \"%s\" has %d ranks; each has at "
                    "least one shard: give .shards = %d",
                    desc->shards, nn__head(desc->group)->name, (int)nn__ranks(desc->group),
                    nn__maxi(8, least));
    } else if (desc->batch_norm != NN_PER_SHARD && desc->batch_norm != NN_OVER_ALL) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: batch_norm is %d; wanted NN_PER_SHARD or NN_OVER_ALL",
                    (int)desc->batch_norm);
    } else if (desc->bucket_bytes < 0) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: bucket_bytes is %lld; wanted bytes, or 0 for 4 MiB",
                    (long long)desc->bucket_bytes);
    } else if (desc->wire != NN_DTYPE_DEFAULT && desc->wire != NN_F32 && desc->wire != NN_BF16) {
        nn__fail_at(nn, site, NN_ERROR_DTYPE,
                    "nn_make_trainer: wire is %s; wanted NN_F32 or NN_BF16, which has the range of "
                    "f32",
                    nn_dtype_name(desc->wire));
    } else if (desc->shard_state && nn__device_count(desc) > 1 &&
               nn__ranks(desc->group) < 2) {
        nn__fail_at(nn, site, NN_ERROR_UNSUPPORTED,
                    "nn_make_trainer: shard_state shares the optimizer's state between the ranks "
                    "of a group, and these %d devices belong to one rank, whose first device has "
                    "all of it; leave it false, or make each device a rank (nn_join_meeting)",
                    nn__device_count(desc));
    } else {
        if (desc->shards == 0)
            desc->shards = desc->group                 ? nn__maxi(8, least * nn__device_count(desc))
                           : nn__device_count(desc) > 1 ? 8
                                                        : 1;
        if (desc->wire == NN_DTYPE_DEFAULT) desc->wire = NN_F32;
        if (desc->bucket_bytes == 0) desc->bucket_bytes = (int64_t)4 << 20;
        return true;
    }
    return false;
}

static bool nn__trainer_lists(nn_context *nn, const nn_trainer_desc *desc, nn_site site) {
    const char *const who = "nn_make_trainer";
    return nn__check_list(nn, site, who, "metrics", desc->metrics.node, desc->metrics.count,
                          true) &&
           nn__check_list(nn, site, who, "parameters", desc->parameters.text,
                          desc->parameters.count, true) &&
           nn__check_list(nn, site, who, "groups", desc->groups.group, desc->groups.count,
                          false) &&
           nn__check_list(nn, site, who, "devices", desc->devices.device, desc->devices.count,
                          false);
}

NN_PRIVATE bool nn__trainer_defaults(nn_context *nn, nn_trainer_desc *desc, nn_site site) {
    if (!nn__trainer_lists(nn, desc, site)) return false;
    if (desc->batch < 0) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: batch is %d; wanted at least 1, or 0 for 1", desc->batch);
        return false;
    }
    if (desc->time < 0) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: time is %d; wanted at least 1, or 0 for 1", desc->time);
        return false;
    }
    if (desc->accumulate < 0) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: accumulate is %d; wanted at least 1, or 0 for 1",
                    desc->accumulate);
        return false;
    }
    if (!nn__check_precision(nn, site, "nn_make_trainer", desc->precision)) return false;
    if ((int)desc->average.kind < 0 || (int)desc->average.kind > (int)NN_AVERAGE_SWA ||
        !(nn__or_default(desc->average.decay, 0.0f) >= 0.0f && desc->average.decay <= 1.0f) ||
        desc->average.start < 0 || desc->average.every < 0) {
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: average.kind is %d, .decay %g, .start %lld, .every %d; "
                    "wanted a value of nn_average_kind, a decay from 0 (NN_NONE) to 1, and no "
                    "negative number of updates",
                    (int)desc->average.kind, (double)desc->average.decay,
                    (long long)desc->average.start, (int)desc->average.every);
        return false;
    }
    if (!nn__trainer_has_group_part(nn, desc, site) || !nn__trainer_shards(nn, desc, site))
        return false;
    if (desc->carry_states && (desc->shards > 1 || desc->group)) {
        nn__fail_at(nn, site, NN_ERROR_UNSUPPORTED,
                    "nn_make_trainer: carry_states is set with %d shards; a step that is cut into "
                    "shards cannot carry its states: leave .group, .devices and .shards out, or "
                    "begin each step with zeros",
                    desc->shards);
        return false;
    }
    if (desc->accumulate > 1 || desc->shards > 1) desc->gradients = true;
    if (desc->batch == 0) desc->batch = 1;
    if (desc->time == 0) desc->time = 1;
    return nn__optimizer_defaults(nn, desc, site) &&
           nn__check_schedule(nn, &desc->schedule, site, "nn_make_trainer");
}

NN_PRIVATE bool nn__trainer_check(nn_model *net, nn_node *loss, const nn_trainer_desc *desc,
                                  nn_site site) {
    const nn__sharing *const sharing = nn__sharing_table();
    if (!loss) {
        nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: loss is NULL; give the node that nn_cross_entropy or another "
                    "loss returned");
        return false;
    }
    if (net->faults.count > 0) { /* The report includes faults of placement. */
        nn__check_model(net, desc->on_unsupported, site);
        return false;
    }
    if (nn__check_unmerged(net, site, "nn_make_trainer") != NN_OK) return false;
    if (!nn__trainer_check_node(net, loss, "loss", desc, site)) return false;
    for (int i = 0; i < desc->metrics.count; i++) {
        if (!nn__trainer_check_node(net, desc->metrics.node[i], "metric", desc, site))
            return false;
    }
    if (desc->counted && !nn__trainer_check_node(net, desc->counted, "counted", desc, site))
        return false;
    if (sharing && desc->devices.count > 0 &&
        !sharing->replicas_check(net, desc, site))
        return false;
    return nn__check_confusion(net, &desc->confusion, site);
}

#endif /* NN__NO_TRAINER */

typedef int nn__trainer_desc_part; /* a part must not be empty under NN__NO_TRAINER */
