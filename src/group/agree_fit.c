/* group/agree_fit.c - the comparison of the ranks' calls of nn_fit. */
#include "group/private.h"

#ifndef NN__NO_TRAINER

typedef struct nn__fit_given {
    const nn_trainer *trainer;
    const nn_fit_desc *desc;
} nn__fit_given;

static void nn__fit_write_desc(const void *user, const nn_writer *writer) {
    const nn__fit_given *given = (const nn__fit_given *)user;
    const nn_fit_desc *d = given->desc;
    nn__print(writer, "epochs\t%d\n", (int)d->epochs);
    nn__print(writer, "report_every\t%d\n", (int)d->report_every);
    nn__print(writer, "validation\t%s\n", d->validation ? "given" : "none");
    nn__print(writer, "plateau\t%d %d %d %g %g\n", (int)d->plateau.on, (int)d->plateau.patience,
              (int)d->plateau.cooldown, (double)d->plateau.factor, (double)d->plateau.threshold);
    nn__print(writer, "stop\t%d %g %d\n", (int)d->stop.patience, (double)d->stop.min_delta,
              (int)d->stop.restore_best);
#ifndef NN_NO_FILES
    nn__print(writer, "checkpoint\t%s every %d, keep %d%s%s\n",
              d->checkpoint.path ? d->checkpoint.path : "none", (int)d->checkpoint.every,
              (int)d->checkpoint.keep, d->checkpoint.best ? ", best" : "",
              d->checkpoint.resume ? ", resume" : "");
#endif
}

NN_PRIVATE nn_result nn__fit_compare(nn_trainer *trainer, const nn_fit_desc *desc, nn_result mine,
                                     nn_site site) {
    nn__fit_given given;
    nn__agree_text text;
    mine = nn__trainer_agree(trainer, mine, site, "nn_fit");
    given.trainer = trainer;
    given.desc = desc;
    text.write = nn__fit_write_desc;
    text.user = &given;
    text.what = "what nn_fit is asked for";
    if (mine != NN_OK) return mine;
    return nn__agree_compare(trainer->desc.group, &text, site, "nn_fit");
}

#endif /* NN__NO_TRAINER */

typedef int nn__agree_fit_part; /* a part must not be empty under NN__NO_TRAINER */
