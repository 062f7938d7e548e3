/* train/optimizer_settings.c - the settings of a trainer's optimizers: defaults, ranges, and the
   error of a setting that no optimizer uses. The formulas are in ops/optimizers.txt. */
#include "train/private.h"

#ifndef NN__NO_TRAINER

#include <stddef.h>

/* ---- the tables ------------------------------------------------------------------------------ */

/* By nn_optimizer: the defaults of torch.optim. */
static const struct {
    char word[12]; /* the name in checkpoints */
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
                      {"asgd", 1e-2f, 0.0f, 0.0f, 0.999f, 1e-8f, false},
                      {"rprop", 1e-2f, 0.0f, 0.0f, 0.999f, 1e-8f, false},
                      {"muon", 1e-3f, 0.1f, 0.95f, 0.999f, 1e-7f, true}};

/* The numbers and flags of a trainer's desc and of a group. Not in this table: .muon.rate, an enum,
   and .muon.newton_schulz_steps. */
#define NN__OF_BOTH(field)                                                                         \
    #field, offsetof(nn_trainer_desc, field), offsetof(nn_parameter_group, field)
#define NN__OF_TRAINER(field) #field, offsetof(nn_trainer_desc, field), NN__NO_GROUP
#define NN__FLAG(field)       NN__OF_BOTH(field), true
#define NN__NO_GROUP          ((size_t)-1)
static const struct {
    char name[36];
    size_t of_trainer, of_group;
    bool flag;
    nn_optimizer optimizer; /* whose desc it is in; NN_OPTIMIZER_DEFAULT: several use it */
    float normal, low, high; /* normal: the default, except for the first five */
} nn__settings[] = {
    {NN__OF_TRAINER(learning_rate), false, NN_OPTIMIZER_DEFAULT, 0.0f, 0.0f, NN__MOST},
    {NN__OF_BOTH(weight_decay), false, NN_OPTIMIZER_DEFAULT, 0.0f, 0.0f, NN__MOST},
    {NN__OF_BOTH(momentum), false, NN_OPTIMIZER_DEFAULT, 0.0f, 0.0f, NN__MOST},
    {NN__OF_BOTH(beta2), false, NN_OPTIMIZER_DEFAULT, 0.0f, 0.0f, 1.0f},
    {NN__OF_BOTH(epsilon), false, NN_OPTIMIZER_DEFAULT, 0.0f, 0.0f, NN__MOST},
    {NN__OF_BOTH(beta1), false, NN_OPTIMIZER_DEFAULT, 0.9f, 0.0f, 1.0f},
    {NN__OF_TRAINER(max_norm), false, NN_OPTIMIZER_DEFAULT, 0.0f, 0.0f, NN__MOST},
    {NN__OF_TRAINER(max_value), false, NN_OPTIMIZER_DEFAULT, 0.0f, 0.0f, NN__MOST},
    {NN__OF_BOTH(sgd.dampening), false, NN_SGD, 0.0f, -NN__MOST, NN__MOST},
    {NN__FLAG(sgd.nesterov), NN_SGD, 0.0f, 0.0f, 0.0f},
    {NN__FLAG(adam.amsgrad), NN_ADAM, 0.0f, 0.0f, 0.0f},
    {NN__OF_BOTH(rmsprop.alpha), false, NN_RMSPROP, 0.99f, 0.0f, NN__MOST},
    {NN__FLAG(rmsprop.centered), NN_RMSPROP, 0.0f, 0.0f, 0.0f},
    {NN__OF_BOTH(adagrad.learning_rate_decay), false, NN_ADAGRAD, 0.0f, 0.0f, NN__MOST},
    {NN__OF_BOTH(adagrad.initial_accumulator_value), false, NN_ADAGRAD, 0.0f, 0.0f, NN__MOST},
    {NN__OF_BOTH(adadelta.rho), false, NN_ADADELTA, 0.9f, 0.0f, 1.0000001f},
    {NN__OF_BOTH(nadam.momentum_decay), false, NN_NADAM, 4e-3f, 0.0f, NN__MOST},
    {NN__FLAG(nadam.decoupled_weight_decay), NN_NADAM, 0.0f, 0.0f, 0.0f},
    {NN__FLAG(radam.decoupled_weight_decay), NN_RADAM, 0.0f, 0.0f, 0.0f},
    {NN__OF_BOTH(asgd.lambd), false, NN_ASGD, 1e-4f, 0.0f, NN__MOST},
    {NN__OF_BOTH(asgd.alpha), false, NN_ASGD, 0.75f, 0.0f, NN__MOST},
    {NN__OF_BOTH(asgd.t0), false, NN_ASGD, 1e6f, 0.0f, NN__MOST},
    {NN__OF_BOTH(rprop.etaminus), false, NN_RPROP, 0.5f, 0.0f, 1.0f},
    {NN__OF_BOTH(rprop.etaplus), false, NN_RPROP, 1.2f, 0.0f, NN__MOST},
    {NN__OF_BOTH(rprop.step_size_min), false, NN_RPROP, 1e-6f, 0.0f, NN__MOST},
    {NN__OF_BOTH(rprop.step_size_max), false, NN_RPROP, 50.0f, 0.0f, NN__MOST},
    {NN__FLAG(muon.no_nesterov), NN_MUON, 0.0f, 0.0f, 0.0f}};
#undef NN__OF_BOTH
#undef NN__OF_TRAINER
#undef NN__FLAG

/* Returns the default of number i. The first ones depend on the optimizer. */
static float nn__setting_normal(int optimizer, int i) {
    switch (i) {
    case 0: return nn__optimizers[optimizer].rate;
    case 1: return nn__optimizers[optimizer].decay;
    case 2: return nn__optimizers[optimizer].momentum;
    case 3: return nn__optimizers[optimizer].beta2;
    case 4: return nn__optimizers[optimizer].epsilon;
    default: return nn__settings[i].normal;
    }
}

static float *nn__setting_number(void *desc, size_t offset) {
    return (float *)(void *)((char *)desc + offset);
}

static bool *nn__setting_flag(void *desc, size_t offset) {
    return (bool *)(void *)((char *)desc + offset);
}

NN_PRIVATE const char *nn__optimizer_word(nn_optimizer optimizer) {
    return nn__optimizers[optimizer].word;
}

NN_PRIVATE bool nn__optimizer_decouples(nn_optimizer optimizer) {
    return nn__optimizers[optimizer].decoupled;
}

NN_PRIVATE const char *nn__setting(const nn_trainer_desc *desc, int i, float *value) {
    nn_trainer_desc copy;
    if (i >= NN__COUNT(nn__settings)) return NULL;
    copy = *desc;
    *value = nn__settings[i].flag
                 ? (float)*nn__setting_flag(&copy, nn__settings[i].of_trainer)
                 : *nn__setting_number(&copy, nn__settings[i].of_trainer);
    return nn__settings[i].name;
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* False and an error unless low <= value < high. NaN is refused. */
NN_PRIVATE bool nn__setting_range(nn_context *nn, nn_site site, const char *group,
                                  const char *field, float value, float low, float high) {
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

/* group: "groups[1].", or "" for the trainer. */
static bool nn__setting_combination(nn_context *nn, const nn_trainer_desc *desc, const char *group,
                                    nn_site site) {
    const nn_rprop_desc *rprop = &desc->rprop;
    if (desc->sgd.nesterov && desc->optimizer == NN_SGD &&
        (desc->momentum == 0.0f || desc->sgd.dampening != 0.0f))
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: %ssgd.nesterov with momentum %g and sgd.dampening %g; wanted "
                    "momentum and no dampening",
                    group, (double)desc->momentum, (double)desc->sgd.dampening);
    else if ((int)desc->muon.rate < 0 || (int)desc->muon.rate > (int)NN_MUON_SPECTRAL_UNCLAMPED ||
             desc->muon.newton_schulz_steps < 0 || desc->muon.newton_schulz_steps >= 100)
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: %smuon.rate is %d and muon.newton_schulz_steps %d; wanted a "
                    "value of nn_muon_rate, and less than 100 steps",
                    group, (int)desc->muon.rate, desc->muon.newton_schulz_steps);
    else if (desc->optimizer == NN_RPROP &&
             !(rprop->etaminus > 0.0f && rprop->etaplus > 1.0f &&
               rprop->step_size_min <= rprop->step_size_max))
        nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                    "nn_make_trainer: %srprop.etaminus is %g, .etaplus %g, .step_size_min %g, "
                    ".step_size_max %g; wanted 0 < etaminus < 1 < etaplus, and a range of step "
                    "sizes",
                    group, (double)rprop->etaminus, (double)rprop->etaplus,
                    (double)rprop->step_size_min, (double)rprop->step_size_max);
    else
        return true;
    return false;
}

/* Marks an optimizer as used; NN_ADAM and NN_ADAMW share their desc. */
static void nn__setting_use(bool *used, nn_optimizer optimizer) {
    if ((int)optimizer < 0 || (int)optimizer >= NN__COUNT(nn__optimizers)) return;
    used[optimizer == NN_ADAMW ? NN_ADAM : optimizer] = true;
}

/* False and an error if the desc gives a setting of an optimizer that is not used. desc: an
   nn_trainer_desc, or an nn_parameter_group if `group` is not "". */
static bool nn__setting_strays(nn_context *nn, void *desc, const nn_muon_desc *muon,
                               const bool *used, const char *group, nn_optimizer optimizer,
                               nn_site site) {
    for (int i = 0; i <= NN__COUNT(nn__settings); i++) {
        const bool last = i == NN__COUNT(nn__settings);
        const nn_optimizer whose = last ? NN_MUON : nn__settings[i].optimizer;
        bool given;
        if (whose == NN_OPTIMIZER_DEFAULT || used[whose]) continue;
        if (last) {
            given = (int)muon->rate != 0 || muon->newton_schulz_steps != 0;
        } else {
            const size_t at = *group ? nn__settings[i].of_group : nn__settings[i].of_trainer;
            given = nn__settings[i].flag ? *nn__setting_flag(desc, at)
                                         : *nn__setting_number(desc, at) != 0.0f;
        }
        if (!given) continue;
        if (*group)
            nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                        "nn_make_trainer: %s%s is given, but the group's optimizer is \"%s\"; set "
                        ".optimizer of the group, or leave .%s out",
                        group, last ? "muon" : nn__settings[i].name,
                        nn__optimizers[optimizer].word, nn__optimizers[whose].word);
        else
            nn__fail_at(nn, site, NN_ERROR_ARGUMENT,
                        "nn_make_trainer: %s is given, but the optimizer is \"%s\" and no group "
                        "uses \"%s\"; set .optimizer, or leave .%s out",
                        last ? "muon" : nn__settings[i].name, nn__optimizers[optimizer].word,
                        nn__optimizers[whose].word, nn__optimizers[whose].word);
        return false;
    }
    return true;
}

/* ---- defaults -------------------------------------------------------------------------------- */

NN_PRIVATE bool nn__optimizer_defaults(nn_context *nn, nn_trainer_desc *desc, nn_site site) {
    bool used[NN__COUNT(nn__optimizers)] = {false};
    if (!nn__optimizer_known(nn, site, "", desc->optimizer)) return false;
    if (desc->optimizer == NN_OPTIMIZER_DEFAULT) desc->optimizer = NN_SGD;
    nn__setting_use(used, desc->optimizer);
    for (int i = 0; i < desc->groups.count; i++)
        nn__setting_use(used, desc->groups.group[i].optimizer);
    if (!nn__setting_strays(nn, desc, &desc->muon, used, "", desc->optimizer, site)) return false;
    if (desc->muon.newton_schulz_steps == 0) desc->muon.newton_schulz_steps = 5;
    for (int i = 0; i < NN__COUNT(nn__settings); i++) {
        float *number = nn__setting_number(desc, nn__settings[i].of_trainer);
        if (nn__settings[i].flag) continue;
        *number = nn__or_default(*number, nn__setting_normal((int)desc->optimizer, i));
        if (!nn__setting_range(nn, site, "", nn__settings[i].name, *number, nn__settings[i].low,
                               nn__settings[i].high))
            return false;
    }
    return nn__setting_combination(nn, desc, "", site);
}

NN_PRIVATE bool nn__group_defaults(nn_context *nn, const nn_parameter_group *given,
                                   nn_trainer_desc *desc, const char *name, nn_site site) {
    bool used[NN__COUNT(nn__optimizers)] = {false};
    nn_parameter_group own = *given;
    bool other;
    if (!nn__optimizer_known(nn, site, name, own.optimizer)) return false;
    other = own.optimizer != NN_OPTIMIZER_DEFAULT && own.optimizer != desc->optimizer;
    if (other) desc->optimizer = own.optimizer;
    nn__setting_use(used, desc->optimizer);
    if (!nn__setting_strays(nn, &own, &own.muon, used, name, desc->optimizer, site)) return false;
    if ((int)own.muon.rate != 0) desc->muon.rate = own.muon.rate;
    if (own.muon.newton_schulz_steps != 0)
        desc->muon.newton_schulz_steps = own.muon.newton_schulz_steps;
    for (int i = 0; i < NN__COUNT(nn__settings); i++) {
        float *number = nn__setting_number(desc, nn__settings[i].of_trainer);
        if (nn__settings[i].of_group == NN__NO_GROUP) continue;
        if (nn__settings[i].flag) {
            bool *flag = nn__setting_flag(desc, nn__settings[i].of_trainer);
            *flag = *flag || *nn__setting_flag(&own, nn__settings[i].of_group);
            continue;
        }
        if (other && nn__settings[i].optimizer == NN_OPTIMIZER_DEFAULT)
            *number = nn__setting_normal((int)desc->optimizer, i);
        *number = nn__or_default(*nn__setting_number(&own, nn__settings[i].of_group), *number);
        if (!nn__setting_range(nn, site, name, nn__settings[i].name, *number, nn__settings[i].low,
                               nn__settings[i].high))
            return false;
    }
    return nn__setting_combination(nn, desc, name, site);
}

#undef NN__NO_GROUP
#endif /* NN__NO_TRAINER */

typedef int nn__optimizer_settings_part; /* a part must not be empty under NN__NO_TRAINER */
