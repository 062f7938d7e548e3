/* tests/mpi/mpi_kill.h - for tests/mpi/test_mpi.c: one training run over several processes: again
   and again one of them is killed, and the run continues with one rank less. In the end its files
   have the bytes of a run that nobody disturbed. */
#ifndef MPI_KILL_H
#define MPI_KILL_H

#include "rank_hash.h"
#include "rank_net.h"

/* Trains to the end, from where the checkpoint is. */
static nn_result train_resumed(nn_context *nn, nn_group *group, const char *path) {
    enum { BATCH = 16 };
    const rank_net net = rank_make_net(nn, nn_cpu(), 7, 8);
    nn_loader_desc loader = {.dataset = rank_make_data(nn, NET_SAMPLES),
                             .batch = BATCH,
                             .shuffle = true,
                             .group = group};
    nn_loader *train = nn_make_loader(nn, &loader);
    loader.shuffle = false;
    nn_trainer *trainer = nn_make_trainer(
        net.model, net.loss,
        &(nn_trainer_desc){
            .batch = BATCH, .optimizer = NN_ADAM, .learning_rate = 0.003f, .group = group});
    return nn_fit(
        trainer, train,
        &(nn_fit_desc){.epochs = 60,
                       .validation = nn_make_loader(nn, &loader),
                       .checkpoint = {.path = path, .every = 3, .best = true, .resume = true}});
}

/* Returns a hash of the two files; 0: one of them does not exist. */
static uint64_t hash_files(const char *path) {
    char name[300];
    const uint64_t last = hash_file(path);
    snprintf(name, sizeof name, "%s.best", path);
    return last && hash_file(name) ? last ^ hash_file(name) * 3 : 0;
}

#endif
