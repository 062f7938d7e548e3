/* tests/mpi/mpi_attacks.h - for tests/mpi/test_mpi.c: unusual things that programs do during a
   training over processes. Each job states the result on all ranks. */
#ifndef MPI_ATTACKS_H
#define MPI_ATTACKS_H

/* True if `text` is in the error of this rank, which is cleared. */
static bool says(const char *text) {
    const bool found = nn_error(nn) && strstr(nn_error(nn), text);
    if (!found) fprintf(stderr, "wanted \"%s\": %s\n", text, nn_error(nn) ? nn_error(nn) : "-");
    nn_clear_error(nn);
    return found;
}

/* Returns the number of files in a folder whose names contain `part`. */
static int files_with(const char *where, const char *part) {
    DIR *dir = opendir(where);
    struct dirent *entry;
    int count = 0;
    while (dir && (entry = readdir(dir)) != NULL) count += strstr(entry->d_name, part) != NULL;
    if (dir) closedir(dir);
    return count;
}

/* All ranks save into one file at the same time, again and again: no save fails, whoever reads the
   file gets a complete one, and nothing else is left. */
static void all_save(training *t) {
    char path[300];
    snprintf(path, sizeof path, "%s/weights", folder);
    for (int i = 0; i < 20; i++) {
        WANT(nn_save_weights(t->net.model, path) == NN_OK);
        WANT(nn_load_weights(t->net.model, path, NULL) == NN_OK);
    }
    WANT(nn_group_agree(group, NN_OK) == NN_OK);
    WANT(files_with(folder, "weights") == 1);
}

/* Each rank has its own path, and that of the odd rank does not exist. Only rank 0 writes and
   reads, so calls fail only if rank 0 is the odd one. */
static void other_paths(training *t) {
    const bool fails = odd == 0;
    char path[300];
    for (int i = 0; i < 3; i++) {
        const bool nowhere = rank == odd && i < 2;
        nn_result result;
        snprintf(path, sizeof path, "%s/%s/other%d", folder, nowhere ? "nowhere" : ".",
                 i == 2 ? 0 : (int)rank);
        result = i == 1 ? nn_load_checkpoint(t->trainer, path, NULL)
                        : nn_save_checkpoint(t->trainer, path, NULL);
        WANT(result == (fails && i < 2 ? NN_ERROR_FILE : NN_OK));
        if (result != NN_OK) WANT(says(rank == 0 ? "nowhere" : "rank 0: "));
        WANT(next_step(t) == NN_OK);
    }
    WANT(files_with(folder, "other") == 1);
}

/* The odd rank works in another folder, with the same paths as the others. */
static void other_folder(training *t) {
    char path[300], here[300];
    nn_result result;
    WANT(getcwd(here, sizeof here) != NULL);
    snprintf(path, sizeof path, "%s/elsewhere", folder);
    if (rank == odd) WANT(mkdir(path, 0777) == 0 && chdir(path) == 0);
    snprintf(path, sizeof path, "%s/relative", folder);
    result = nn_save_checkpoint(t->trainer, path, NULL);
    WANT(result == (odd == 0 ? NN_ERROR_FILE : NN_OK)); /* there is no such folder in there */
    if (result != NN_OK) WANT(says(rank == 0 ? "relative" : "rank 0: "));
    WANT(nn_load_checkpoint(t->trainer, path, NULL) == result);
    if (result != NN_OK) WANT(says(rank == 0 ? "relative" : "rank 0: "));
    WANT(chdir(here) == 0 && next_step(t) == NN_OK);
}

/* The odd rank calls nn_fit, all others train by steps. */
static void fits_alone(training *t) {
    char wanted[40];
    nn_result result;
    snprintf(wanted, sizeof wanted, "rank %d is in nn_fit", (int)odd);
    result = rank == odd ? nn_fit(t->trainer, t->loader, NULL) : next_step(t);
    WANT(result == NN_ERROR_GROUP && says(wanted));
    WANT(next_step(t) == NN_OK);
}

static void job_attacks(void) {
    training t = begin_training(group, nn_cpu(), false);
    WANT(next_step(&t) == NN_OK);
    all_save(&t);
    other_paths(&t);
    other_folder(&t);
    fits_alone(&t);
    weights = hash_net(t.net.model); /* the same on all */
    end_training(&t);
}

/* Two groups of the same processes train at the same time, with their steps in turn. The bytes are
   those of a group that trains alone. The program initialised MPI. */
static void job_two_groups(void) {
    nn_mpi_desc desc = {.no_thread = odd == 1};
    nn_group *second = nn_mpi_open(nn, &desc);
    training a, b;
    WANT(second && second != group);
    a = begin_training(group, nn_cpu(), false);
    b = begin_training(second, nn_cpu(), false);
    for (int i = 0; i < 12; i++) WANT(next_step(&a) == NN_OK && next_step(&b) == NN_OK);
    weights = hash_net(a.net.model);
    WANT(weights == hash_net(b.net.model));
    end_training(&a);
    nn_free_group(group);
    group = NULL;
    WANT(next_step(&b) == NN_OK);
    end_training(&b);
    nn_free_group(second);
    group = nn_mpi_open(nn, NULL);
    WANT(group != NULL);
}

/* The odd rank calls exit(0) in the middle of training. */
static void job_exits(void) {
    training t = begin_training(group, nn_cpu(), false);
    nn_result result = NN_OK;
    for (int i = 0; result == NN_OK && i < 100000; i++) {
        if (i == 9 && rank == odd) exit(0);
        result = next_step(&t);
    }
    WANT(result == NN_ERROR_GROUP && nn_trainer_step(t.trainer) == 9);
    end_training(&t);
}

/* ---- a rank is killed inside nn_mpi_open ----------------------------------------------------- */

static int calls_left; /* of MPI; 0: as many as one likes */

static void count_call(void) {
    if (calls_left > 0 && --calls_left == 0) raise(SIGKILL);
}

/* MPI's functions are weak symbols, and those of its profiling interface do the same. */
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *to, MPI_Request *request) {
    count_call();
    return PMPI_Comm_idup(comm, to, request);
}
int MPI_Iallgather(const void *from, int count, MPI_Datatype type, void *to, int to_count,
                   MPI_Datatype to_type, MPI_Comm comm, MPI_Request *request) {
    count_call();
    return PMPI_Iallgather(from, count, type, to, to_count, to_type, comm, request);
}
int MPI_Isend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request) {
    count_call();
    return PMPI_Isend(from, count, type, to, tag, comm, request);
}
int MPI_Irecv(void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request) {
    count_call();
    return PMPI_Irecv(to, count, type, from, tag, comm, request);
}

#endif
