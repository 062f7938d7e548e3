/* mpi/open.c - opens and closes a group over MPI, whether or not MPI was initialised. Only MPI_Init
   and, at the end, MPI_Finalize wait without a deadline. */
#include "mpi/private.h"

#ifndef NN_NO_TRAINING

typedef struct nn__mpi_deadline {
    double at;
} nn__mpi_deadline;

static bool nn__mpi_in_time(void *of) {
    return MPI_Wtime() < ((const nn__mpi_deadline *)of)->at;
}

/* Records "nn_mpi_open: " and the text, with the number in place of its #. Returns NULL. */
static nn_group *nn__mpi_fail(nn_context *nn, nn_result code, const char *text, int number) {
    char message[400], digits[12];
    size_t at = 0;
    int count = 0;
    unsigned left = number < 0 ? 0u - (unsigned)number : (unsigned)number;
    do {
        digits[count++] = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (number < 0) digits[count++] = '-';
    memcpy(message, "nn_mpi_open: ", 13);
    at = 13;
    for (; *text && at < sizeof message - 14; text++) {
        if (*text != '#') message[at++] = *text;
        else while (count > 0) message[at++] = digits[--count];
    }
    message[at] = 0;
    nn_record_error(nn, code, message);
    return NULL;
}

static void nn__mpi_release(nn__mpi *mpi) {
    nn__mpi_unshare(mpi);
    if (mpi->out) MPI_Free_mem(mpi->out);
    if (mpi->in) MPI_Free_mem(mpi->in);
    if (mpi->note) MPI_Free_mem(mpi->note);
    if (mpi->notes) MPI_Free_mem(mpi->notes);
    MPI_Free_mem(mpi);
}

/* Closes a group; if it lost a rank, only the note of nn__mpi_tell is still sent. */
static void nn__mpi_close(void *user) {
    nn__mpi *mpi = (nn__mpi *)user;
    bool finalizes = mpi->finalizes;
    int finalized = 0;
    nn__mpi_window_close(mpi);
    MPI_Finalized(&finalized);
    if (finalized) return; /* the program finalized MPI too early, and nothing can be done */
    if (mpi->lost) {
        nn__mpi_flush(mpi);
        nn__mpi_unshare(mpi);
        return;
    }
    MPI_Comm_free(&mpi->comm);
    nn__mpi_release(mpi);
    if (finalizes) MPI_Finalize();
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Initialises MPI if nobody has. *level: the thread level of MPI; *ours: it was initialised
   here. */
static bool nn__mpi_begin(nn_context *nn, int *level, bool *ours) {
    int initialized = 0, finalized = 0, is_main = 0;
    MPI_Finalized(&finalized);
    if (finalized) {
        nn__mpi_fail(nn, NN_ERROR_GROUP,
                     "MPI was finalized in this process and cannot start again; to open several "
                     "groups, call MPI_Init before the first and MPI_Finalize after the last one",
                     0);
        return false;
    }
    MPI_Initialized(&initialized);
    *ours = !initialized;
    if (!initialized && MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, level) != MPI_SUCCESS) {
        nn__mpi_fail(
            nn, NN_ERROR_GROUP,
            "MPI_Init_thread failed; start the program with mpirun and see what MPI printed", 0);
        return false;
    }
    MPI_Query_thread(level);
    MPI_Is_thread_main(&is_main);
    if (*level >= MPI_THREAD_SERIALIZED || is_main) return true;
    nn__mpi_fail(
        nn, NN_ERROR_GROUP,
        "MPI was initialised with thread level #, which allows calls from the main thread only, "
        "and this is another thread; initialise with MPI_Init_thread and MPI_THREAD_MULTIPLE",
        *level);
    return false;
}

/* Returns the desc's communicator, or MPI_COMM_WORLD where the desc has none. */
static MPI_Comm nn__mpi_given(const nn_mpi_desc *desc) {
    nn_mpi_desc empty;
    memset(&empty, 0, sizeof empty);
    if (!desc || memcmp(&desc->comm, &empty.comm, sizeof empty.comm) == 0) return MPI_COMM_WORLD;
    return desc->comm;
}

static bool nn__mpi_check(nn_context *nn, const nn_mpi_desc *desc, MPI_Comm comm, int *size) {
    int between = 0;
    if (desc && !(desc->timeout >= 0.0)) {
        nn__mpi_fail(nn, NN_ERROR_ARGUMENT,
                     "desc.timeout is negative or NaN; wanted a number of seconds, or 0 for 60", 0);
        return false;
    }
    if (comm == MPI_COMM_NULL || MPI_Comm_test_inter(comm, &between) != MPI_SUCCESS || between) {
        nn__mpi_fail(nn, NN_ERROR_ARGUMENT,
                     "desc.comm is MPI_COMM_NULL or an intercommunicator; give an "
                     "intracommunicator such as MPI_COMM_WORLD",
                     0);
        return false;
    }
    MPI_Comm_size(comm, size);
    if (*size >= 1 && *size <= 1024) return true;
    nn__mpi_fail(nn, NN_ERROR_ARGUMENT, "desc.comm has # processes; wanted 1 to 1024",
                 *size);
    return false;
}

/* Makes a communicator of our own; *comm is MPI_COMM_NULL if not all ranks came in time. */
static void nn__mpi_duplicate(MPI_Comm from, double seconds, MPI_Comm *comm) {
    /* MPI may still write to it after the wait is given up, so that it is not freed then. */
    MPI_Comm *made = (MPI_Comm *)nn__mpi_allocate(sizeof *made);
    MPI_Request request = MPI_REQUEST_NULL;
    nn__mpi_deadline deadline;
    deadline.at = MPI_Wtime() + seconds;
    *comm = MPI_COMM_NULL;
    if (!made || MPI_Comm_idup(from, made, &request) != MPI_SUCCESS ||
        !nn__mpi_wait(&request, 1, false, nn__mpi_in_time, &deadline))
        return;
    MPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN);
    *comm = *made;
    MPI_Free_mem(made);
}

/* Waits until each request is done or has failed, or the time is over. False: some may be under
   way. */
static bool nn__mpi_settle(MPI_Request *requests, int count, double seconds) {
    nn__mpi_patience patience;
    nn__mpi_deadline deadline;
    bool pending;
    memset(&patience, 0, sizeof patience);
    deadline.at = MPI_Wtime() + seconds;
    do {
        pending = false;
        for (int i = 0; i < count; i++) {
            int done = 0;
            if (requests[i] == MPI_REQUEST_NULL) continue;
            if (MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
                requests[i] = MPI_REQUEST_NULL;
            pending = pending || requests[i] != MPI_REQUEST_NULL;
        }
    } while (pending && nn__mpi_pause(&patience, false, nn__mpi_in_time, &deadline));
    return !pending;
}

/* Rank 0 hears what each rank says (numbers + 3), and sends the answer (numbers[0] to [2]). False:
   MPI may still use `numbers` and `requests`. */
static bool nn__mpi_hear(MPI_Comm comm, int *numbers, MPI_Request *requests, int size,
                         double seconds) {
    int *said = numbers + 3;
    bool settled;
    for (int i = 1; i < size; i++) {
        requests[i] = MPI_REQUEST_NULL;
        said[i] = -1;
        MPI_Irecv(&said[i], 1, MPI_INT, i, NN__MPI_OPEN, comm, &requests[i]);
    }
    settled = nn__mpi_settle(requests + 1, size - 1, seconds);
    numbers[0] = size;
    for (int i = size - 1; i >= 0; i--) {
        if (said[i] == 0) numbers[0] = i;
        if (said[i] >= 0) continue;
        numbers[1] = i;
        numbers[2]++;
    }
    for (int i = 1; i < size; i++) {
        if (said[i] < 0) continue;
        requests[i] = MPI_REQUEST_NULL;
        MPI_Isend(numbers, 3, MPI_INT, i, NN__MPI_OPEN, comm, &requests[i]);
    }
    /* So short a message leaves at once, unless its rank is gone. A longer wait would make the
       others think that this rank does not answer. */
    return nn__mpi_settle(requests + 1, size - 1, 1.0) && settled;
}

NN__MPI_PRIVATE nn__mpi_answer nn__mpi_agree(MPI_Comm comm, bool ready, int rank, int size,
                                             double seconds) {
    /* MPI may still write to them after the wait is given up, so that they are not freed then. */
    const size_t count = (size_t)size;
    int *numbers = (int *)nn__mpi_allocate((3 + count) * sizeof *numbers);
    MPI_Request *requests = (MPI_Request *)nn__mpi_allocate((1 + count) * sizeof *requests);
    nn__mpi_answer answer;
    bool settled;
    memset(&answer, 0, sizeof answer);
    answer.silent = 1; /* rank 0, as far as is known */
    if (!numbers || !requests) return answer;
    numbers[3 + rank] = ready;
    if (rank == 0) {
        settled = nn__mpi_hear(comm, numbers, requests, size, seconds + 2.0);
    } else {
        numbers[0] = -1;
        requests[0] = requests[1] = MPI_REQUEST_NULL;
        MPI_Irecv(numbers, 3, MPI_INT, 0, NN__MPI_OPEN, comm, &requests[0]);
        MPI_Isend(&numbers[3 + rank], 1, MPI_INT, 0, NN__MPI_OPEN, comm, &requests[1]);
        settled = nn__mpi_settle(requests, 2, seconds + 5.0);
    }
    if (rank == 0 || numbers[0] >= 0) {
        answer.first = numbers[0];
        answer.missing = numbers[1];
        answer.silent = numbers[2];
    }
    if (settled) {
        MPI_Free_mem(numbers);
        MPI_Free_mem(requests);
    }
    return answer;
}

NN__MPI_PRIVATE bool nn__mpi_gather(MPI_Comm comm, void *mine, void *all, size_t bytes,
                                    double seconds) {
    /* MPI may still read it after the wait is given up, so that it is not freed then. */
    void *own = nn__mpi_allocate(bytes);
    MPI_Request request = MPI_REQUEST_NULL;
    nn__mpi_deadline deadline;
    if (!own) return false;
    memcpy(own, mine, bytes);
    deadline.at = MPI_Wtime() + seconds;
    if (MPI_Iallgather(own, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, comm, &request) !=
            MPI_SUCCESS ||
        !nn__mpi_wait(&request, 1, false, nn__mpi_in_time, &deadline))
        return false;
    MPI_Free_mem(own);
    return true;
}

static nn__mpi *nn__mpi_make(MPI_Comm comm, int size) {
    nn__mpi *mpi = (nn__mpi *)nn__mpi_allocate(sizeof *mpi);
    if (!mpi) return NULL;
    mpi->comm = comm;
    mpi->size = size;
    MPI_Comm_rank(comm, &mpi->rank);
    mpi->out = (char *)nn__mpi_allocate(NN_GROUP_PIECE);
    mpi->in = (char *)nn__mpi_allocate(NN_GROUP_PIECE);
    if (mpi->out && mpi->in) return mpi;
    nn__mpi_release(mpi);
    return NULL;
}

static nn_group *nn__mpi_group(nn_site site, nn_context *nn, nn__mpi *mpi, double timeout,
                               bool own_thread) {
    nn_group_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.name = "mpi";
    desc.rank = (int32_t)mpi->rank;
    desc.size = (int32_t)mpi->size;
    desc.timeout = timeout;
    desc.user = mpi;
    desc.exchange = nn__mpi_exchange;
    desc.tell = nn__mpi_tell;
    desc.told = nn__mpi_told;
    desc.own_thread = own_thread;
    desc.share = nn__mpi_window_share;
    desc.reach = nn__mpi_window_reach;
    desc.unshare = nn__mpi_window_unshare;
    desc.close = nn__mpi_close;
    return nn_make_group_at(site, nn, &desc);
}

NN_API nn_group *nn_mpi_open_at(nn_site site, nn_context *nn, const nn_mpi_desc *desc) {
    const double timeout = desc && desc->timeout > 0.0 ? desc->timeout : 60.0;
    MPI_Comm given, comm = MPI_COMM_NULL;
    nn_group *group = NULL;
    nn__mpi *mpi;
    bool ours = false, thread;
    nn__mpi_answer answer;
    int level = 0, size = 0, rank = 0, is_main = 0;
    if (!nn || !nn__mpi_begin(nn, &level, &ours)) return NULL;
    given = nn__mpi_given(desc);
    if (!nn__mpi_check(nn, desc, given, &size)) return NULL;
    nn__mpi_duplicate(given, timeout, &comm);
    if (comm == MPI_COMM_NULL)
        return nn__mpi_fail(
            nn, NN_ERROR_GROUP,
            "not all # processes of desc.comm called nn_mpi_open within desc.timeout, or MPI "
            "failed; call it on every rank, or give a longer timeout",
            size);
    MPI_Comm_rank(comm, &rank);
    mpi = nn__mpi_make(comm, size);
    thread = level >= MPI_THREAD_MULTIPLE || (ours && level >= MPI_THREAD_SERIALIZED);
    if (mpi) {
        mpi->finalizes = ours;
        mpi->main_only = level < MPI_THREAD_SERIALIZED;
        MPI_Is_thread_main(&is_main);
        mpi->by_main = is_main != 0;
        group = nn__mpi_group(site, nn, mpi, timeout, thread && !(desc && desc->no_thread));
    }
    answer = nn__mpi_agree(comm, group != NULL, rank, size, timeout);
    if (answer.silent == 0 && answer.first == size && size > 1)
        answer = nn__mpi_share(mpi, !(desc && desc->no_shared_memory), timeout);
    if (answer.silent == 0 && answer.first == size) return group;
    if (mpi) mpi->lost = mpi->silent = true;
    nn_free_group(group);
    if (answer.silent == 0)
        return nn__mpi_fail(nn, NN_ERROR_GROUP,
                            "rank # could not open its group; nn_error on that rank says why",
                            answer.first);
    return nn__mpi_fail(nn, NN_ERROR_GROUP,
                        answer.silent == 1
                            ? "rank # did not answer within desc.timeout; see whether it still "
                              "runs, or give a longer timeout"
                            : "several ranks did not answer within desc.timeout, the first of them "
                              "rank #; see whether they still run, or give a longer timeout",
                        answer.missing);
}

#endif
