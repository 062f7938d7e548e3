/* train/optimizer.c - the choices of a trainer and of its parameter groups: which parameters a
   pattern fits, and the defaults of each optimizer. The formulas are in ops/optimizers.txt. */
#include "train/private.h"

#ifndef NN_NO_TRAINING

#include <math.h>

/* ---- optimizers ------------------------------------------------------------------------------ */

/* By nn_optimizer: what torch.optim takes where nothing is said. */
static const struct {
    char word[12]; /* in checkpoints */
    float rate, decay, momentum, beta2, epsilon;
    bool decoupled;
} nn__optimizers[] = {{"", 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, false},
                      {"sgd", 1e-3f, 0.0f, 0.0f, 0.999f, 1e-8f, false},
                      {"adam", 1e-3f, 0.0f, 0.0f, 0.999f, 1e-8f, false},
                      {"adamw", 1e-3f, 1e-2f, 0.0f, 0.999f, 1e-8f, true},
                      {"rmsprop", 1e-2f, 0.0f, 0.0f, 0.999f, 1e-8f, false},
                      {"adagrad", 1e-2f, 0.0f, 0.0f, 0.999f, 1e-10f, false},
                      {"adadelta", 1.0f, 0.0f, 0.0f, 0.999f, 1e-6f, false},
                      {"nadam", 2e-3f, 0.0f, 0.0f, 0.999f, 1e-8f, false},
                      {"radam", 1e-3f, 0.0f, 0.0f, 0.999f, 1e-8f, false},
                      {"adamax", 2e-3f, 0.0f, 0.0f, 0.999f, 1e-8f, false},
                      {"lion", 1e-4f, 0.0f, 0.0f, 0.99f, 1e-8f, true},
                      {"muon", 1e-3f, 0.1f, 0.95f, 0.999f, 1e-7f, true}};

NN_PRIVATE const char *nn__optimizer_word(nn_optimizer optimizer) {
    return nn__optimizers[optimizer].word;
}

/* False and an error unless low <= value < high. NaN is refused. */
static bool nn__optimizer_range(nn_context *nn, nn_site site, const char *group, const char *field,
                                float value, float low, float high) {
    if (value >= low && value < high) return true;
    if (high > 2.0f)
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: %s%s is %g; wanted a finite number of at least %g", group,
                    field, (double)value, (double)low);
    else
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: %s%s is %g; wanted a number in [%g, %g%s", group, field,
                    (double)value, (double)low, high > 1.0f ? 1.0 : (double)high,
                    high > 1.0f ? "]" : ")");
    return false;
}

static bool nn__optimizer_known(nn_context *nn, nn_site site, const char *group,
                                nn_optimizer optimizer) {
    if ((int)optimizer >= 0 && (int)optimizer < NN__COUNT(nn__optimizers)) return true;
    nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                "nn_make_trainer: %soptimizer is %d; wanted a value of nn_optimizer, such as "
                "NN_SGD, NN_ADAM or NN_ADAMW",
                group, (int)optimizer);
    return false;
}

static bool nn__optimizer_combination(nn_context *nn, const nn_trainer_desc *desc, nn_site site) {
    if (desc->nesterov && desc->optimizer == NN_SGD &&
        (desc->momentum == 0.0f || desc->dampening != 0.0f))
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: nesterov with momentum %g and dampening %g; wanted momentum "
                    "and no dampening",
                    (double)desc->momentum, (double)desc->dampening);
    else if ((int)desc->muon_rate < 0 || (int)desc->muon_rate > (int)NN_MUON_SPECTRAL_UNCLAMPED ||
             desc->newton_schulz_steps < 0 || desc->newton_schulz_steps >= 100)
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: muon_rate is %d and newton_schulz_steps %d; wanted a value "
                    "of nn_muon_rate, and less than 100 steps",
                    (int)desc->muon_rate, desc->newton_schulz_steps);
    else
        return true;
    return false;
}

NN_PRIVATE bool nn__optimizer_defaults(nn_context *nn, nn_trainer_desc *desc, nn_site site) {
    const float most = 3.0e38f;
    if (!nn__optimizer_known(nn, site, "", desc->optimizer)) return false;
    if (desc->optimizer == NN_OPTIMIZER_DEFAULT) desc->optimizer = NN_SGD;
    const int o = (int)desc->optimizer;
    desc->learning_rate = nn__or_default(desc->learning_rate, nn__optimizers[o].rate);
    desc->weight_decay = nn__or_default(desc->weight_decay, nn__optimizers[o].decay);
    desc->momentum = nn__or_default(desc->momentum, nn__optimizers[o].momentum);
    desc->beta1 = nn__or_default(desc->beta1, 0.9f);
    desc->beta2 = nn__or_default(desc->beta2, nn__optimizers[o].beta2);
    desc->epsilon = nn__or_default(desc->epsilon, nn__optimizers[o].epsilon);
    desc->alpha = nn__or_default(desc->alpha, 0.99f);
    desc->rho = nn__or_default(desc->rho, 0.9f);
    desc->momentum_decay = nn__or_default(desc->momentum_decay, 4e-3f);
    desc->max_norm = nn__or_default(desc->max_norm, 0.0f);
    desc->max_value = nn__or_default(desc->max_value, 0.0f);
    if (desc->newton_schulz_steps == 0) desc->newton_schulz_steps = 5;
    return nn__optimizer_range(nn, site, "", "learning_rate", desc->learning_rate, 0.0f, most) &&
           nn__optimizer_range(nn, site, "", "weight_decay", desc->weight_decay, 0.0f, most) &&
           nn__optimizer_range(nn, site, "", "momentum", desc->momentum, 0.0f, most) &&
           nn__optimizer_range(nn, site, "", "dampening", desc->dampening, -most, most) &&
           nn__optimizer_range(nn, site, "", "beta1", desc->beta1, 0.0f, 1.0f) &&
           nn__optimizer_range(nn, site, "", "beta2", desc->beta2, 0.0f, 1.0f) &&
           nn__optimizer_range(nn, site, "", "epsilon", desc->epsilon, 0.0f, most) &&
           nn__optimizer_range(nn, site, "", "alpha", desc->alpha, 0.0f, most) &&
           nn__optimizer_range(nn, site, "", "rho", desc->rho, 0.0f, 1.0000001f) &&
           nn__optimizer_range(nn, site, "", "learning_rate_decay", desc->learning_rate_decay, 0.0f,
                               most) &&
           nn__optimizer_range(nn, site, "", "initial_accumulator_value",
                               desc->initial_accumulator_value, 0.0f, most) &&
           nn__optimizer_range(nn, site, "", "momentum_decay", desc->momentum_decay, 0.0f, most) &&
           nn__optimizer_range(nn, site, "", "max_norm", desc->max_norm, 0.0f, most) &&
           nn__optimizer_range(nn, site, "", "max_value", desc->max_value, 0.0f, most) &&
           nn__optimizer_combination(nn, desc, site);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Does desc.parameters name it? */
static bool nn__desc_names(const nn_trainer_desc *desc, const nn_node *node) {
    for (int i = 0; i < NN__GROUPS && desc->parameters[i]; i++)
        if (nn__pattern_fits(desc->parameters[i], node)) return true;
    return desc->parameters[0] == NULL;
}

static bool nn__group_has(const nn_parameter_group *group, const nn_node *parameter) {
    return nn__pattern_fits(group->pattern, parameter) &&
           (group->max_rank == 0 || parameter->shape.rank <= group->max_rank);
}

NN_PRIVATE int nn__group_of(const nn_trainer_desc *desc, const nn__group *groups,
                            const nn_node *parameter) {
    if (parameter->kind != NN__PARAMETER || parameter->frozen || !nn__desc_names(desc, parameter))
        return -1;
    for (int i = 0; i < NN__GROUPS && desc->groups[i].pattern; i++)
        if (nn__group_has(&desc->groups[i], parameter))
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

/* From a desc whose fields are the group's, with the defaults filled in. */
static void nn__group_settings(nn__group *group, const nn_trainer_desc *desc) {
    nn__recipe_values *v = &group->recipe.values;
    nn__update_params *plain = &group->plain;
    const bool kernel = (desc->optimizer == NN_SGD || desc->optimizer == NN_ADAM ||
                         desc->optimizer == NN_ADAMW) &&
                        !desc->amsgrad && desc->max_value == 0.0f;
    group->optimizer = plain->optimizer = desc->optimizer;
    plain->weight_decay = desc->weight_decay;
    plain->momentum = desc->momentum;
    plain->dampening = desc->dampening;
    plain->nesterov = desc->nesterov;
    plain->beta1 = desc->beta1;
    plain->beta2 = desc->beta2;
    plain->epsilon = desc->epsilon;
    plain->max_norm = desc->max_norm;
    plain->rate_factor = group->rate_factor;
    v->rate = nn__decimal(group->rate_factor);
    v->momentum = nn__decimal(desc->momentum);
    v->dampening = nn__decimal(desc->dampening);
    v->beta1 = nn__decimal(desc->beta1);
    v->beta2 = nn__decimal(desc->beta2);
    v->alpha = nn__decimal(desc->alpha);
    v->rho = nn__decimal(desc->rho);
    v->epsilon = nn__decimal(desc->epsilon);
    v->rate_decay = nn__decimal(desc->learning_rate_decay);
    v->momentum_decay = nn__decimal(desc->momentum_decay);
    v->initial_accumulator_value = nn__decimal(desc->initial_accumulator_value);
    v->nesterov = desc->nesterov;
    v->amsgrad = desc->amsgrad;
    v->centered = desc->centered;
    group->recipe.weight_decay = nn__decimal(desc->weight_decay);
    group->recipe.decoupled =
        nn__optimizers[desc->optimizer].decoupled ||
        (desc->decoupled_weight_decay &&
         (desc->optimizer == NN_NADAM || desc->optimizer == NN_RADAM));
    group->recipe.max_value = desc->max_value;
    group->recipe.recipe = kernel ? NULL : nn__find_recipe(desc->optimizer, v);
    group->muon.momentum = v->momentum;
    group->muon.epsilon = v->epsilon;
    group->muon.steps = desc->newton_schulz_steps;
    group->muon.nesterov = !desc->no_nesterov;
    group->muon_rate = desc->muon_rate;
}

/* A pattern or a max_rank that leaves nothing is a mistake. */
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

/* One group of the desc. */
static bool nn__group_make(nn_model *net, const nn_trainer_desc *desc, int i, nn__group *group,
                           nn_site site) {
    const nn_parameter_group *given = &desc->groups[i];
    nn_trainer_desc filled = *desc;
    char name[24];
    nn_context *nn = net->nn;
    nn__format(name, sizeof name, "groups[%d].", i);
    if (!nn__optimizer_known(nn, site, name, given->optimizer) ||
        !nn__group_check(net, given, name, site))
        return false;
    if (given->optimizer != NN_OPTIMIZER_DEFAULT && given->optimizer != desc->optimizer) {
        const int o = (int)given->optimizer;
        filled.optimizer = given->optimizer;
        filled.weight_decay = nn__optimizers[o].decay;
        filled.momentum = nn__optimizers[o].momentum;
        filled.beta1 = 0.9f;
        filled.beta2 = nn__optimizers[o].beta2;
        filled.epsilon = nn__optimizers[o].epsilon;
        if (o != NN_SGD) filled.nesterov = false;
    }
    filled.weight_decay = nn__or_default(given->weight_decay, filled.weight_decay);
    filled.momentum = nn__or_default(given->momentum, filled.momentum);
    filled.beta1 = nn__or_default(given->beta1, filled.beta1);
    filled.beta2 = nn__or_default(given->beta2, filled.beta2);
    filled.epsilon = nn__or_default(given->epsilon, filled.epsilon);
    group->rate_factor = nn__or_default(given->rate_factor, 1.0f);
    group->frozen = given->frozen;
    const float most = 3.0e38f;
    if (!nn__optimizer_range(nn, site, name, "rate_factor", group->rate_factor, 0.0f, most) ||
        !nn__optimizer_range(nn, site, name, "weight_decay", filled.weight_decay, 0.0f, most) ||
        !nn__optimizer_range(nn, site, name, "momentum", filled.momentum, 0.0f, most) ||
        !nn__optimizer_range(nn, site, name, "beta1", filled.beta1, 0.0f, 1.0f) ||
        !nn__optimizer_range(nn, site, name, "beta2", filled.beta2, 0.0f, 1.0f) ||
        !nn__optimizer_range(nn, site, name, "epsilon", filled.epsilon, 0.0f, most) ||
        !nn__optimizer_combination(nn, &filled, site))
        return false;
    nn__group_settings(group, &filled);
    return true;
}

/* Matrices alone have a direction for Muon. */
static bool nn__groups_check_muon(nn_model *net, const nn_trainer_desc *desc,
                                  const nn__group *groups, nn_site site) {
    char shape[NN__SHAPE_TEXT];
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        const int group = nn__group_of(desc, groups, node);
        if (group < 0 || groups[group].optimizer != NN_MUON || node->shape.rank == 2) continue;
        nn__fail_at(net->nn, site, NN_ERROR_SHAPE,
                    "nn_make_trainer: NN_MUON is for matrices, and \"%s\" is %s; give it and its "
                    "like a group with another optimizer, such as { .pattern = \"*.bias\", "
                    ".optimizer = NN_ADAMW }",
                    node->name, nn__format_shape(node->shape, shape, sizeof shape));
        return false;
    }
    return true;
}

static bool nn__groups_copy_text(nn__arena *arena, const char **text) {
    if (*text) *text = nn__arena_text(arena, *text);
    return *text != NULL;
}

NN_PRIVATE bool nn__groups_copy(nn__arena *arena, nn_trainer_desc *desc) {
    for (int i = 0; i < NN__GROUPS && desc->groups[i].pattern; i++)
        if (!nn__groups_copy_text(arena, &desc->groups[i].pattern)) return false;
    for (int i = 0; i < NN__GROUPS && desc->parameters[i]; i++)
        if (!nn__groups_copy_text(arena, &desc->parameters[i])) return false;
    return true;
}

NN_PRIVATE bool nn__groups_make(nn_model *net, const nn_trainer_desc *desc, nn__group *groups,
                                nn_site site) {
    memset(groups, 0, sizeof *groups * (NN__GROUPS + 1));
    groups[0].rate_factor = 1.0f;
    nn__group_settings(&groups[0], desc);
    for (int i = 0; i < NN__GROUPS && desc->parameters[i]; i++)
        if (!nn__pattern_check(net, "nn_make_trainer", "parameters: the pattern ",
                               desc->parameters[i], site))
            return false;
    for (int i = 0; i < NN__GROUPS && desc->groups[i].pattern; i++)
        if (!nn__group_make(net, desc, i, &groups[i + 1], site)) return false;
    return nn__groups_check_muon(net, desc, groups, site);
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

#endif /* NN_NO_TRAINING */

typedef int nn__optimizer_part; /* a part must not be empty under NN_NO_TRAINING */
