/* mpi/shared.c - passes messages between ranks of one machine through memory that both have mapped.
   Each rank writes into memory of its own, from which its peers copy: a message costs two copies
   and no system call. MPI's own ways through shared memory need both sides to call MPI at the same
   time, and ranks that compute do not.

   A message stays in its slot until the peer has copied it. If a rank gives up, the peer may still
   copy the message that it left, or nobody reads it. */
#include "mpi/private.h"

#ifndef NN_NO_TRAINING
#ifdef NN__MPI_SHARED
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>
#if defined(__linux__) && defined(__LP64__)
#include <linux/futex.h>
#include <sys/syscall.h>
#ifndef __cplusplus
long syscall(long number, ...); /* which -std=c99 hides */
#endif
#endif

#define NN__MPI_CHUNK 65536 /* bytes: the peer copies one chunk while the next is written */

/* Where a message lies. The owner writes the first cache line and the data, the peer the second
   line. */
typedef struct nn__mpi_slot {
    uint32_t word; /* the peer and the message's number, as nn__mpi_word; 0: none yet */
    uint32_t bytes;
    uint32_t written; /* bytes of the message that are there */
    char first[116];
    uint32_t taken; /* the word of the last message that was copied */
    char second[124];
    char data[NN_GROUP_PIECE];
} nn__mpi_slot;

struct nn__mpi_segment {
    uint32_t token[2]; /* proves that it is the segment its owner named */
    char first[120];
    uint32_t bell;   /* counts the writes and copies of peers that the owner may wait for */
    uint32_t dozing; /* not 0: the owner sleeps until bell changes */
    char second[120];
    nn__mpi_slot slot[2]; /* used in turn, so that a rank need not wait until its last message was
                             taken */
};

/* What ranks tell each other about their segments. */
typedef struct nn__mpi_place {
    char host[MPI_MAX_PROCESSOR_NAME];
    nn__mpi_file file; /* path "": none */
} nn__mpi_place;

static uint32_t nn__mpi_load(const uint32_t *word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static void nn__mpi_store(uint32_t *word, uint32_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* ---- opening --------------------------------------------------------------------------------- */

NN__MPI_PRIVATE void *nn__mpi_map(int file, size_t bytes) {
    void *memory = MAP_FAILED;
    if (file >= 0 && lseek(file, 0, SEEK_END) == (off_t)bytes)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static char *nn__mpi_print(char *to, const char *text, int number) {
    char digits[12];
    int count = 0;
    while (*text) *to++ = *text++;
    do digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count > 0) *to++ = digits[--count];
    *to = 0;
    return to;
}

/* Opens a file without a name, which is gone as soon as nobody uses it, however its users end. -1:
   the system has no such files. -std=c99 hides O_TMPFILE, but not the macro that glibc defines it
   with. */
static int nn__mpi_create_nameless(void) {
#if defined(O_TMPFILE)
    return open("/dev/shm", O_RDWR | O_TMPFILE, 0600);
#elif defined(__O_TMPFILE)
    return open("/dev/shm", O_RDWR | __O_TMPFILE, 0600);
#else
    return -1;
#endif
}

/* Creates the file. If it needs a name, it has one for a moment: 16 hexadecimal digits that no
   other file of the machine has. The other ranks find it among the open files of this process. */
static int nn__mpi_create_file(nn__mpi_file *place) {
    static const char folder[] = "/dev/shm/nn-";
    const double now = MPI_Wtime();
    char path[sizeof folder + 16], *to = path + sizeof folder - 1;
    int file = nn__mpi_create_nameless();
    memcpy(path, folder, sizeof folder);
    memcpy(place->token, &now, sizeof place->token);
    place->token[0] ^= (uint32_t)getpid() * 0x9E3779B9u;
    place->token[1] ^= (uint32_t)(uintptr_t)place;
    for (int i = 0; i < 16; i++)
        *to++ = "0123456789abcdef"[place->token[i / 8] >> (i % 8 * 4) & 15];
    *to = 0;
    if (file < 0) {
        file = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (file >= 0) unlink(path);
    }
    if (file >= 0) nn__mpi_print(nn__mpi_print(place->path, "/proc/", (int)getpid()), "/fd/", file);
    return file;
}

/* False: the file system says that it has fewer bytes left. It may still be full when the file is
   written; the check keeps a file that cannot fit from taking all the room. */
static bool nn__mpi_has_room(int file, size_t bytes) {
    struct statvfs room;
    if (fstatvfs(file, &room) != 0 || room.f_blocks == 0) return true; /* unknown */
    return bytes / (room.f_frsize ? room.f_frsize : 1) <= room.f_bavail;
}

NN__MPI_PRIVATE void *nn__mpi_create(nn__mpi_file *place, size_t bytes, int *file) {
    static const char zeros[4096] = {0};
    void *memory = NULL;
    bool whole;
    *file = nn__mpi_create_file(place);
    whole = *file >= 0 && nn__mpi_has_room(*file, bytes);
    for (size_t at = 0; at < bytes && whole; at += sizeof zeros) {
        const size_t part = bytes - at < sizeof zeros ? bytes - at : sizeof zeros;
        whole = write(*file, zeros, part) == (long)part;
    }
    if (whole) memory = nn__mpi_map(*file, bytes);
    if (!memory) place->path[0] = 0;
    return memory;
}

NN__MPI_PRIVATE void *nn__mpi_find(const nn__mpi_file *place, size_t bytes) {
    const int file = open(place->path, O_RDWR | O_NOCTTY | O_NONBLOCK);
    void *memory = nn__mpi_map(file, bytes);
    if (file >= 0) close(file);
    return memory;
}

/* Maps the segments of the other ranks of this machine. */
static bool nn__mpi_map_peers(nn__mpi *mpi, const nn__mpi_place *places) {
    const nn__mpi_place *mine = &places[mpi->rank];
    for (int i = 0; i < mpi->size; i++) {
        const nn__mpi_place *place = &places[i];
        nn__mpi_segment *segment;
        if (i == mpi->rank || strcmp(place->host, mine->host) != 0) continue;
        if (!place->file.path[0] || !mine->file.path[0]) return false;
        segment = (nn__mpi_segment *)nn__mpi_find(&place->file, sizeof *segment);
        mpi->peers[i].segment = segment;
        if (!segment || memcmp(segment->token, place->file.token, sizeof segment->token) != 0)
            return false;
    }
    return true;
}

NN__MPI_PRIVATE void nn__mpi_unshare(nn__mpi *mpi) {
    for (int i = 0; mpi->peers && i < mpi->size; i++)
        if (mpi->peers[i].segment) munmap(mpi->peers[i].segment, sizeof(nn__mpi_segment));
    if (mpi->segment) munmap(mpi->segment, sizeof(nn__mpi_segment));
    if (mpi->peers) MPI_Free_mem(mpi->peers);
    mpi->peers = NULL;
    mpi->segment = NULL;
}

NN__MPI_PRIVATE nn__mpi_answer nn__mpi_share(nn__mpi *mpi, bool wanted, double seconds) {
    const size_t all = sizeof(nn__mpi_place) * (size_t)mpi->size;
    nn__mpi_place mine, *places = (nn__mpi_place *)nn__mpi_allocate(all);
    nn__mpi_answer answer;
    bool gathered, shared = false;
    int length = 0, file = -1;
    memset(&mine, 0, sizeof mine);
    mpi->peers = (nn__mpi_peer *)nn__mpi_allocate(sizeof *mpi->peers * (size_t)mpi->size);
    if (wanted && mpi->peers)
        mpi->segment = (nn__mpi_segment *)nn__mpi_create(&mine.file, sizeof *mpi->segment, &file);
    if (mpi->segment) memcpy(mpi->segment->token, mine.file.token, sizeof mine.file.token);
    MPI_Get_processor_name(mine.host, &length);
    gathered = places && nn__mpi_gather(mpi->comm, &mine, places, sizeof mine, seconds);
    /* A rank that has already waited in vain waits no longer. */
    answer = nn__mpi_agree(mpi->comm, gathered, mpi->rank, mpi->size, gathered ? seconds : 0.0);
    if (answer.silent == 0 && answer.first == mpi->size) {
        const bool maps = mpi->peers && nn__mpi_map_peers(mpi, places);
        answer = nn__mpi_agree(mpi->comm, maps, mpi->rank, mpi->size, seconds);
        shared = answer.first == mpi->size;
        answer.first = mpi->size; /* without shared memory MPI passes the messages */
    }
    if (gathered) MPI_Free_mem(places);
    if (file >= 0) close(file);
    if (answer.silent > 0 || !shared) nn__mpi_unshare(mpi);
    return answer;
}

/* ---- a message ------------------------------------------------------------------------------- */

static uint32_t nn__mpi_word(int32_t to, uint32_t number) {
    return (uint32_t)(to + 1) << 21 | (number & 0x1FFFFF);
}

/* Wakes the peer, which may be waiting for this rank to write or copy bytes. */
static void nn__mpi_ring(nn__mpi_segment *peer) {
    __atomic_fetch_add(&peer->bell, 1, __ATOMIC_SEQ_CST);
#ifdef SYS_futex
    if (__atomic_load_n(&peer->dozing, __ATOMIC_SEQ_CST))
        syscall(SYS_futex, &peer->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
#endif
}

NN__MPI_PRIVATE bool nn__mpi_doze(nn__mpi *mpi, uint32_t seen) {
#ifdef SYS_futex
    long most[2]; /* a struct timespec, which -std=c99 hides: seconds, nanoseconds */
    most[0] = 0;
    most[1] = 2000000;
    __atomic_store_n(&mpi->segment->dozing, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &mpi->segment->bell, FUTEX_WAIT, seen, most, NULL, 0);
    __atomic_store_n(&mpi->segment->dozing, 0, __ATOMIC_SEQ_CST);
    return true;
#else
    return mpi->segment->bell != seen;
#endif
}

/* One exchange under way. */
typedef struct nn__mpi_passage {
    nn__mpi_slot *out, *in; /* in: NULL: the peer has not begun */
    const char *send;
    char *receive;
    uint32_t give, given, take, taken; /* bytes in all, and bytes done */
    bool begun;
    bool wrong; /* the peer's message has another size */
} nn__mpi_passage;

/* Writes the next bytes, once the slot is free. False: nothing could be written. */
static bool nn__mpi_give(nn__mpi *mpi, nn__mpi_passage *at, int32_t peer) {
    nn__mpi_slot *out = at->out;
    uint32_t count = at->give - at->given;
    if (count == 0 || (!at->begun && nn__mpi_load(&out->taken) != out->word)) return false;
    if (!at->begun) {
        at->begun = true;
        out->bytes = at->give;
        nn__mpi_store(&out->written, 0);
        nn__mpi_store(&out->word, nn__mpi_word(peer, ++mpi->peers[peer].sent));
    }
    if (count > NN__MPI_CHUNK) count = NN__MPI_CHUNK;
    memcpy(out->data + at->given, at->send + at->given, count);
    at->given += count;
    nn__mpi_store(&out->written, at->given);
    return true;
}

/* Copies the next bytes of the peer's message that have arrived. False: none have. */
static bool nn__mpi_take(nn__mpi *mpi, nn__mpi_passage *at, int32_t peer) {
    const uint32_t word = nn__mpi_word(mpi->rank, mpi->peers[peer].received + 1);
    uint32_t count;
    if (at->taken == at->take) return false;
    for (int i = 0; i < 2 && !at->in; i++)
        if (nn__mpi_load(&mpi->peers[peer].segment->slot[i].word) == word)
            at->in = &mpi->peers[peer].segment->slot[i];
    if (!at->in) return false;
    /* The peer's memory may be corrupt; whatever it says, nothing is written outside the caller's
       buffer. */
    count = nn__mpi_load(&at->in->written) - at->taken;
    at->wrong = nn__mpi_load(&at->in->bytes) != at->take || count > at->take - at->taken;
    if (count == 0 || at->wrong) return false;
    if (count > NN__MPI_CHUNK) count = NN__MPI_CHUNK;
    memcpy(at->receive + at->taken, at->in->data + at->taken, count);
    at->taken += count;
    if (at->taken < at->take) return true;
    nn__mpi_store(&at->in->taken, word);
    mpi->peers[peer].received++;
    return true;
}

NN__MPI_PRIVATE bool nn__mpi_pass(nn__mpi *mpi, int32_t peer, const void *send, size_t send_bytes,
                                  void *receive, size_t receive_bytes, bool beside,
                                  bool (*go_on)(void *of), void *of) {
    nn__mpi_passage at;
    nn__mpi_patience patience;
    memset(&at, 0, sizeof at);
    memset(&patience, 0, sizeof patience);
    at.send = (const char *)send;
    at.receive = (char *)receive;
    at.give = (uint32_t)send_bytes;
    at.take = (uint32_t)receive_bytes;
    if (at.give) at.out = &mpi->segment->slot[mpi->messages++ & 1];
    patience.of = mpi;
    for (;;) {
        bool gave, took;
        patience.seen = nn__mpi_load(&mpi->segment->bell);
        gave = nn__mpi_give(mpi, &at, peer);
        took = nn__mpi_take(mpi, &at, peer);
        if (gave || took) nn__mpi_ring(mpi->peers[peer].segment);
        if (at.given == at.give && at.taken == at.take &&
            (at.take || !at.give || nn__mpi_load(&at.out->taken) == at.out->word))
            return true;
        if (at.wrong) return false;
        if (gave || took)
            patience.looks = 0;
        else if (!nn__mpi_pause(&patience, beside, go_on, of))
            return false;
    }
}

#undef NN__MPI_CHUNK
#else

NN__MPI_PRIVATE nn__mpi_answer nn__mpi_share(nn__mpi *mpi, bool wanted, double seconds) {
    nn__mpi_answer answer;
    (void)wanted, (void)seconds;
    memset(&answer, 0, sizeof answer);
    answer.first = mpi->size;
    return answer;
}
NN__MPI_PRIVATE void nn__mpi_unshare(nn__mpi *mpi) { (void)mpi; }
NN__MPI_PRIVATE bool nn__mpi_doze(nn__mpi *mpi, uint32_t seen) { return !mpi && seen; }
NN__MPI_PRIVATE bool nn__mpi_pass(nn__mpi *mpi, int32_t peer, const void *send, size_t send_bytes,
                                  void *receive, size_t receive_bytes, bool beside,
                                  bool (*go_on)(void *of), void *of) {
    (void)mpi, (void)peer, (void)send, (void)send_bytes, (void)receive, (void)receive_bytes;
    return beside && !beside && go_on(of);
}

#endif
#endif
