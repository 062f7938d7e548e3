/* train/optimizer.c - the parameter groups of a trainer: which parameters a pattern fits, and what
   the update of each group needs. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

/* ---- groups ---------------------------------------------------------------------------------- */

/* True if desc.parameters includes the node. */
static bool nn__desc_names(const nn_trainer_desc *desc, const nn_node *node) {
    for (int i = 0; i < desc->parameters.count; i++)
        if (nn__pattern_fits(desc->parameters.text[i], node)) return true;
    return desc->parameters.count == 0;
}

static bool nn__group_has(const nn_parameter_group *group, const nn_node *parameter) {
    return nn__pattern_fits(group->pattern, parameter) &&
           (group->max_rank == 0 || parameter->shape.rank <= group->max_rank);
}

NN_PRIVATE int nn__group_of(const nn_trainer_desc *desc, const nn__group *groups,
                            const nn_node *parameter) {
    if (parameter->kind != NN__PARAMETER || parameter->frozen || !nn__desc_names(desc, parameter))
        return -1;
    for (int i = 0; i < desc->groups.count; i++)
        if (nn__group_has(&desc->groups.group[i], parameter))
            return groups[i + 1].frozen ? -1 : i + 1;
    return 0;
}

NN_PRIVATE bool nn__owns_buffer(const nn_model *net, const nn_trainer_desc *desc,
                                const nn__group *groups, const nn_node *buffer) {
    const char *dot = strrchr(buffer->name, '.');
    if (nn__desc_names(desc, buffer)) return true;
    const size_t layer = dot ? (size_t)(dot + 1 - buffer->name) : 0;
    for (const nn_node *node = net->graph.first; node && layer > 0; node = node->next)
        if (strncmp(node->name, buffer->name, layer) == 0 && nn__group_of(desc, groups, node) >= 0)
            return true;
    return false;
}

/* Only nn_make_trainer_using_at can lack recipes that the desc needs. */
static bool nn__group_has_recipes(nn_context *nn, const nn_trainer_desc *desc, nn_site site) {
    if (nn->recipes) return true;
    nn__fail_at(nn, site, NN_ERROR_UNSUPPORTED,
                "nn_make_trainer: nn_make_trainer_using_at was called without the optimizers, and "
                "\"%s\"%s has no kernel of its own as SGD, Adam and AdamW have in their plain "
                "forms; give it nn_optimizers()",
                nn__optimizer_word(desc->optimizer),
                desc->max_value != 0.0f ? " with max_value"
                : desc->adam.amsgrad         ? " with amsgrad"
                                        : "");
    return false;
}

/* Fills a group's settings from a desc that holds the group's values, with the defaults filled
   in. */
static bool nn__group_settings(nn_context *nn, nn__group *group, const nn_trainer_desc *desc,
                               nn_site site) {
    nn__recipe_values *v = &group->recipe.values;
    nn__update_params *plain = &group->plain;
    const bool kernel =
        (desc->optimizer == NN_SGD || desc->optimizer == NN_ADAM || desc->optimizer == NN_ADAMW) &&
        !desc->adam.amsgrad && desc->max_value == 0.0f;
    if (!kernel && !nn__group_has_recipes(nn, desc, site)) return false;
    group->optimizer = plain->optimizer = desc->optimizer;
    plain->weight_decay = desc->weight_decay;
    plain->momentum = desc->momentum;
    plain->dampening = desc->sgd.dampening;
    plain->nesterov = desc->optimizer == NN_SGD && desc->sgd.nesterov;
    plain->beta1 = desc->beta1;
    plain->beta2 = desc->beta2;
    plain->epsilon = desc->epsilon;
    plain->max_norm = desc->max_norm;
    plain->rate_factor = group->rate_factor;
    v->rate = nn__decimal(group->rate_factor);
    v->momentum = nn__decimal(desc->momentum);
    v->dampening = nn__decimal(desc->sgd.dampening);
    v->beta1 = nn__decimal(desc->beta1);
    v->beta2 = nn__decimal(desc->beta2);
    v->alpha = nn__decimal(desc->optimizer == NN_ASGD ? desc->asgd.alpha : desc->rmsprop.alpha);
    v->rho = nn__decimal(desc->adadelta.rho);
    v->epsilon = nn__decimal(desc->epsilon);
    v->rate_decay = nn__decimal(desc->adagrad.learning_rate_decay);
    v->momentum_decay = nn__decimal(desc->nadam.momentum_decay);
    v->initial_accumulator_value = nn__decimal(desc->adagrad.initial_accumulator_value);
    v->lambd = nn__decimal(desc->asgd.lambd);
    v->t0 = (double)desc->asgd.t0;
    v->etaminus = nn__decimal(desc->rprop.etaminus);
    v->etaplus = nn__decimal(desc->rprop.etaplus);
    v->step_size_min = nn__decimal(desc->rprop.step_size_min);
    v->step_size_max = nn__decimal(desc->rprop.step_size_max);
    v->nesterov = plain->nesterov;
    v->amsgrad = desc->adam.amsgrad;
    v->centered = desc->rmsprop.centered;
    group->recipe.weight_decay = nn__decimal(desc->weight_decay);
    group->recipe.decoupled = nn__optimizer_decouples(desc->optimizer) ||
                              (desc->optimizer == NN_NADAM && desc->nadam.decoupled_weight_decay) ||
                              (desc->optimizer == NN_RADAM && desc->radam.decoupled_weight_decay);
    group->recipe.max_value = desc->max_value;
    group->recipe.recipe = kernel ? NULL : nn->recipes->find(desc->optimizer, v);
    group->muon.momentum = v->momentum;
    group->muon.epsilon = v->epsilon;
    group->muon.steps = desc->muon.newton_schulz_steps;
    group->muon.nesterov = !desc->muon.no_nesterov;
    group->muon_rate = desc->muon.rate;
    return true;
}

/* A pattern or max_rank that fits no parameter is an error. */
static bool nn__group_check(nn_model *net, const nn_parameter_group *given, const char *name,
                            nn_site site) {
    if (!nn__pattern_check(net, "nn_make_trainer", "groups: the pattern ", given->pattern, site))
        return false;
    for (const nn_node *node = net->graph.first; node && given->max_rank >= 0; node = node->next)
        if (nn__group_has(given, node)) return true;
    nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                "nn_make_trainer: %smax_rank is %d: no parameter of \"%s\" that \"%s\" fits has so "
                "few extents; 1 is for biases and weights of norms, 0 for all",
                name, given->max_rank, net->name, given->pattern);
    return false;
}

/* Makes group i of the desc. */
static bool nn__group_make(nn_model *net, const nn_trainer_desc *desc, int i, nn__group *group,
                           nn_site site) {
    const nn_parameter_group *given = &desc->groups.group[i];
    nn_trainer_desc filled = *desc;
    char name[24];
    nn_context *nn = net->nn;
    nn__format(name, sizeof name, "groups[%d].", i);
    if (!nn__group_check(net, given, name, site) ||
        !nn__group_defaults(nn, given, &filled, name, site))
        return false;
    group->rate_factor = nn__or_default(given->rate_factor, 1.0f);
    group->frozen = given->frozen;
    return nn__setting_range(nn, site, name, "rate_factor", group->rate_factor, 0.0f, NN__MOST) &&
           nn__group_settings(nn, group, &filled, site);
}

/* Muon updates only matrices. */
static bool nn__groups_check_muon(nn_model *net, const nn_trainer_desc *desc,
                                  const nn__group *groups, nn_site site) {
    char shape[NN__SHAPE_TEXT];
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        const int group = nn__group_of(desc, groups, node);
        if (group < 0 || groups[group].optimizer != NN_MUON || node->shape.rank == 2) continue;
        nn__fail_at(net->nn, site, NN_ERROR_SHAPE,
                    "nn_make_trainer: NN_MUON is for matrices, and \"%s\" is %s; give it and "
                    "similar ones a group with another optimizer, such as { .pattern = \"*.bias\", "
                    ".optimizer = NN_ADAMW }",
                    node->name, nn__format_shape(node->shape, shape, sizeof shape));
        return false;
    }
    return true;
}

NN_PRIVATE bool nn__groups_copy(nn__arena *arena, nn_trainer_desc *desc) {
    const size_t bytes = sizeof(nn_parameter_group) * (size_t)desc->groups.count;
    nn_parameter_group *groups = (nn_parameter_group *)nn__arena_take(arena, bytes);
    if (!groups || !nn__arena_texts(arena, &desc->parameters)) return false;
    for (int i = 0; i < desc->groups.count; i++) {
        groups[i] = desc->groups.group[i];
        groups[i].pattern = nn__arena_text(arena, groups[i].pattern);
        if (!groups[i].pattern) return false;
    }
    desc->groups.group = groups;
    return true;
}

/* A group whose parameters all belong to earlier groups is an error. */
static bool nn__groups_check_hidden(nn_model *net, const nn_trainer_desc *desc, nn_site site) {
    for (int i = 1; i < desc->groups.count; i++) {
        int last = -1;
        for (const nn_node *node = net->graph.first; node; node = node->next) {
            int k = 0;
            if (node->kind != NN__PARAMETER || !nn__group_has(&desc->groups.group[i], node))
                continue;
            while (k < i && !nn__group_has(&desc->groups.group[k], node)) k++;
            last = k;
            if (k == i) break;
        }
        if (last < 0 || last == i) continue;
        nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: groups[%d]: every parameter that \"%s\" fits belongs to a "
                    "group before it, such as groups[%d], \"%s\"; put it before that one",
                    i, desc->groups.group[i].pattern, last, desc->groups.group[last].pattern);
        return false;
    }
    return true;
}

NN_PRIVATE bool nn__groups_make(nn_model *net, const nn_trainer_desc *desc, nn__group *groups,
                                nn_site site) {
    groups[0].rate_factor = 1.0f;
    if (!nn__group_settings(net->nn, &groups[0], desc, site)) return false;
    for (int i = 0; i < desc->parameters.count; i++)
        if (!nn__pattern_check(net, "nn_make_trainer", "parameters: the pattern ",
                               desc->parameters.text[i], site))
            return false;
    for (int i = 0; i < desc->groups.count; i++)
        if (!nn__group_make(net, desc, i, &groups[i + 1], site)) return false;
    return nn__groups_check_hidden(net, desc, site) &&
           nn__groups_check_muon(net, desc, groups, site);
}

NN_API const nn_optimizer_calls *nn_optimizers(void) {
    static const nn__recipe_calls calls = {nn__find_recipe, nn__add_recipe, nn__add_muon};
    return &calls;
}

/* ---- states ---------------------------------------------------------------------------------- */

NN_PRIVATE int nn__group_states(const nn__group *group) {
    if (group->recipe.recipe) return group->recipe.recipe->state_count;
    return group->optimizer != NN_SGD ? 2 : group->plain.momentum != 0.0f;
}

NN_PRIVATE const char *nn__group_state(const nn__group *group, int k) {
    if (group->recipe.recipe) return group->recipe.recipe->states[k];
    if (group->optimizer == NN_SGD) return ".momentum_buffer";
    return k == 0 ? ".exp_avg" : ".exp_avg_sq";
}

#undef NN__MOST
#endif /* NN__NO_TRAINER */

typedef int nn__optimizer_part; /* a part must not be empty under NN__NO_TRAINER */
