/* train/optimizer.c - the settings of a trainer and of its parameter groups: which parameters a
   pattern fits, and the defaults of each optimizer. The formulas are in ops/optimizers.txt. */
#include "train/private.h"

#ifndef NN_NO_TRAINING

#include <math.h>
#include <stddef.h>

/* ---- optimizers ------------------------------------------------------------------------------ */

/* By nn_optimizer: the defaults of torch.optim. */
static const struct {
    char word[12]; /* the name in checkpoints */
    float rate, decay, momentum, beta2, epsilon, alpha;
    bool decoupled;
} nn__optimizers[] = {{"", 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, false},
                      {"sgd", 1e-3f, 0.0f, 0.0f, 0.999f, 1e-8f, 0.99f, false},
                      {"adam", 1e-3f, 0.0f, 0.0f, 0.999f, 1e-8f, 0.99f, false},
                      {"adamw", 1e-3f, 1e-2f, 0.0f, 0.999f, 1e-8f, 0.99f, true},
                      {"rmsprop", 1e-2f, 0.0f, 0.0f, 0.999f, 1e-8f, 0.99f, false},
                      {"adagrad", 1e-2f, 0.0f, 0.0f, 0.999f, 1e-10f, 0.99f, false},
                      {"adadelta", 1.0f, 0.0f, 0.0f, 0.999f, 1e-6f, 0.99f, false},
                      {"nadam", 2e-3f, 0.0f, 0.0f, 0.999f, 1e-8f, 0.99f, false},
                      {"radam", 1e-3f, 0.0f, 0.0f, 0.999f, 1e-8f, 0.99f, false},
                      {"adamax", 2e-3f, 0.0f, 0.0f, 0.999f, 1e-8f, 0.99f, false},
                      {"lion", 1e-4f, 0.0f, 0.0f, 0.99f, 1e-8f, 0.99f, true},
                      {"asgd", 1e-2f, 0.0f, 0.0f, 0.999f, 1e-8f, 0.75f, false},
                      {"rprop", 1e-2f, 0.0f, 0.0f, 0.999f, 1e-8f, 0.99f, false},
                      {"muon", 1e-3f, 0.1f, 0.95f, 0.999f, 1e-7f, 0.99f, true}};

/* The numbers that a trainer can set, and those that a group can set too. */
#define NN__IN_GROUP(field)                                                                        \
#field, offsetof(nn_trainer_desc, field), offsetof(nn_parameter_group, field)
#define NN__IN_TRAINER(field) #field, offsetof(nn_trainer_desc, field), NN__NO_GROUP
#define NN__NO_GROUP          ((size_t)-1)
#define NN__MOST              3.0e38f
static const struct {
    char name[28];
    size_t of_trainer, of_group;
    float normal, low, high; /* normal: the default, unless nn__optimizer_normal returns another
                                one */
} nn__optimizer_numbers[] = {{NN__IN_TRAINER(learning_rate), 0.0f, 0.0f, NN__MOST},
                             {NN__IN_GROUP(weight_decay), 0.0f, 0.0f, NN__MOST},
                             {NN__IN_GROUP(momentum), 0.0f, 0.0f, NN__MOST},
                             {NN__IN_GROUP(beta2), 0.0f, 0.0f, 1.0f},
                             {NN__IN_GROUP(epsilon), 0.0f, 0.0f, NN__MOST},
                             {NN__IN_GROUP(alpha), 0.0f, 0.0f, NN__MOST},
                             {NN__IN_GROUP(beta1), 0.9f, 0.0f, 1.0f},
                             {NN__IN_GROUP(dampening), 0.0f, -NN__MOST, NN__MOST},
                             {NN__IN_GROUP(rho), 0.9f, 0.0f, 1.0000001f},
                             {NN__IN_GROUP(learning_rate_decay), 0.0f, 0.0f, NN__MOST},
                             {NN__IN_GROUP(initial_accumulator_value), 0.0f, 0.0f, NN__MOST},
                             {NN__IN_GROUP(momentum_decay), 4e-3f, 0.0f, NN__MOST},
                             {NN__IN_GROUP(lambd), 1e-4f, 0.0f, NN__MOST},
                             {NN__IN_GROUP(t0), 1e6f, 0.0f, NN__MOST},
                             {NN__IN_GROUP(etaminus), 0.5f, 0.0f, 1.0f},
                             {NN__IN_GROUP(etaplus), 1.2f, 0.0f, NN__MOST},
                             {NN__IN_GROUP(step_size_min), 1e-6f, 0.0f, NN__MOST},
                             {NN__IN_GROUP(step_size_max), 50.0f, 0.0f, NN__MOST},
                             {NN__IN_TRAINER(max_norm), 0.0f, 0.0f, NN__MOST},
                             {NN__IN_TRAINER(max_value), 0.0f, 0.0f, NN__MOST}};
#undef NN__IN_GROUP
#undef NN__IN_TRAINER

/* Returns the default of number i. The first ones depend on the optimizer. */
static float nn__optimizer_normal(int optimizer, int i) {
    switch (i) {
    case 0: return nn__optimizers[optimizer].rate;
    case 1: return nn__optimizers[optimizer].decay;
    case 2: return nn__optimizers[optimizer].momentum;
    case 3: return nn__optimizers[optimizer].beta2;
    case 4: return nn__optimizers[optimizer].epsilon;
    case 5: return nn__optimizers[optimizer].alpha;
    default: return nn__optimizer_numbers[i].normal;
    }
}

static float *nn__optimizer_field(void *desc, size_t offset) {
    return (float *)(void *)((char *)desc + offset);
}

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
    else if (desc->optimizer == NN_RPROP && !(desc->etaminus > 0.0f && desc->etaplus > 1.0f &&
                                              desc->step_size_min <= desc->step_size_max))
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: etaminus is %g, etaplus %g, step_size_min %g, step_size_max "
                    "%g; wanted 0 < etaminus < 1 < etaplus, and a range of step sizes",
                    (double)desc->etaminus, (double)desc->etaplus, (double)desc->step_size_min,
                    (double)desc->step_size_max);
    else
        return true;
    return false;
}

NN_PRIVATE bool nn__optimizer_defaults(nn_context *nn, nn_trainer_desc *desc, nn_site site) {
    if (!nn__optimizer_known(nn, site, "", desc->optimizer)) return false;
    if (desc->optimizer == NN_OPTIMIZER_DEFAULT) desc->optimizer = NN_SGD;
    if (desc->newton_schulz_steps == 0) desc->newton_schulz_steps = 5;
    for (int i = 0; i < NN__COUNT(nn__optimizer_numbers); i++) {
        float *number = nn__optimizer_field(desc, nn__optimizer_numbers[i].of_trainer);
        *number = nn__or_default(*number, nn__optimizer_normal((int)desc->optimizer, i));
        if (!nn__optimizer_range(nn, site, "", nn__optimizer_numbers[i].name, *number,
                                 nn__optimizer_numbers[i].low, nn__optimizer_numbers[i].high))
            return false;
    }
    return nn__optimizer_combination(nn, desc, site);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* True if desc.parameters includes the node. */
static bool nn__desc_names(const nn_trainer_desc *desc, const nn_node *node) {
    for (int i = 0; i < NN__COUNT(desc->parameters) && desc->parameters[i]; i++)
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
        if (nn__group_has(&desc->groups[i], parameter)) return groups[i + 1].frozen ? -1 : i + 1;
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
                nn__optimizers[desc->optimizer].word,
                desc->max_value != 0.0f ? " with max_value"
                : desc->amsgrad         ? " with amsgrad"
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
        !desc->amsgrad && desc->max_value == 0.0f;
    if (!kernel && !nn__group_has_recipes(nn, desc, site)) return false;
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
    v->lambd = nn__decimal(desc->lambd);
    v->t0 = (double)desc->t0;
    v->etaminus = nn__decimal(desc->etaminus);
    v->etaplus = nn__decimal(desc->etaplus);
    v->step_size_min = nn__decimal(desc->step_size_min);
    v->step_size_max = nn__decimal(desc->step_size_max);
    v->nesterov = desc->nesterov;
    v->amsgrad = desc->amsgrad;
    v->centered = desc->centered;
    group->recipe.weight_decay = nn__decimal(desc->weight_decay);
    group->recipe.decoupled = nn__optimizers[desc->optimizer].decoupled ||
                              (desc->decoupled_weight_decay &&
                               (desc->optimizer == NN_NADAM || desc->optimizer == NN_RADAM));
    group->recipe.max_value = desc->max_value;
    group->recipe.recipe = kernel ? NULL : nn->recipes->find(desc->optimizer, v);
    group->muon.momentum = v->momentum;
    group->muon.epsilon = v->epsilon;
    group->muon.steps = desc->newton_schulz_steps;
    group->muon.nesterov = !desc->no_nesterov;
    group->muon_rate = desc->muon_rate;
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
    const nn_parameter_group *given = &desc->groups[i];
    nn_parameter_group own = *given;
    nn_trainer_desc filled = *desc;
    char name[24];
    nn_context *nn = net->nn;
    nn__format(name, sizeof name, "groups[%d].", i);
    if (!nn__optimizer_known(nn, site, name, given->optimizer) ||
        !nn__group_check(net, given, name, site))
        return false;
    if (given->optimizer != NN_OPTIMIZER_DEFAULT && given->optimizer != desc->optimizer) {
        filled.optimizer = given->optimizer;
        if (filled.optimizer != NN_SGD) filled.nesterov = false;
    }
    group->rate_factor = nn__or_default(given->rate_factor, 1.0f);
    group->frozen = given->frozen;
    if (!nn__optimizer_range(nn, site, name, "rate_factor", group->rate_factor, 0.0f, NN__MOST))
        return false;
    for (int k = 0; k < NN__COUNT(nn__optimizer_numbers); k++) {
        const size_t of_group = nn__optimizer_numbers[k].of_group;
        float *number = nn__optimizer_field(&filled, nn__optimizer_numbers[k].of_trainer);
        if (of_group == NN__NO_GROUP) continue;
        if (filled.optimizer != desc->optimizer)
            *number = nn__optimizer_normal((int)filled.optimizer, k);
        *number = nn__or_default(*nn__optimizer_field(&own, of_group), *number);
        if (!nn__optimizer_range(nn, site, name, nn__optimizer_numbers[k].name, *number,
                                 nn__optimizer_numbers[k].low, nn__optimizer_numbers[k].high))
            return false;
    }
    if (!nn__optimizer_combination(nn, &filled, site)) return false;
    return nn__group_settings(nn, group, &filled, site);
}

/* Muon updates only matrices. */
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
    for (int i = 0; i < NN__COUNT(desc->parameters) && desc->parameters[i]; i++)
        if (!nn__groups_copy_text(arena, &desc->parameters[i])) return false;
    return true;
}

/* A group whose parameters all belong to earlier groups is an error. */
static bool nn__groups_check_hidden(nn_model *net, const nn_trainer_desc *desc, nn_site site) {
    for (int i = 1; i < NN__GROUPS && desc->groups[i].pattern; i++) {
        int last = -1;
        for (const nn_node *node = net->graph.first; node; node = node->next) {
            int k = 0;
            if (node->kind != NN__PARAMETER || !nn__group_has(&desc->groups[i], node)) continue;
            while (k < i && !nn__group_has(&desc->groups[k], node)) k++;
            last = k;
            if (k == i) break;
        }
        if (last < 0 || last == i) continue;
        nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: groups[%d]: every parameter that \"%s\" fits belongs to a "
                    "group before it, such as groups[%d], \"%s\"; put it before that one",
                    i, desc->groups[i].pattern, last, desc->groups[last].pattern);
        return false;
    }
    return true;
}

NN_PRIVATE bool nn__groups_make(nn_model *net, const nn_trainer_desc *desc, nn__group *groups,
                                nn_site site) {
    memset(groups, 0, sizeof *groups * (NN__GROUPS + 1));
    groups[0].rate_factor = 1.0f;
    if (!nn__group_settings(net->nn, &groups[0], desc, site)) return false;
    for (int i = 0; i < NN__COUNT(desc->parameters) && desc->parameters[i]; i++)
        if (!nn__pattern_check(net, "nn_make_trainer", "parameters: the pattern ",
                               desc->parameters[i], site))
            return false;
    for (int i = 0; i < NN__GROUPS && desc->groups[i].pattern; i++)
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

#undef NN__NO_GROUP
#undef NN__MOST
#endif /* NN_NO_TRAINING */

typedef int nn__optimizer_part; /* a part must not be empty under NN_NO_TRAINING */
