/* tests/base/test_base.c - formatter, memory, arena, owned ring, pool, random words,
   files, clock. */
#include <stdio.h>
#include <stdlib.h>
#include <float.h>

#define NN_IMPLEMENTATION
#include "nn.h"

#include "inside.h"
#include "test.h"

/* ---- formatter, against snprintf ------------------------------------------------------------- */

static int test_base_differs(const char *format, double value) {
    char ours[512], theirs[512];
    size_t length = nn__format(ours, sizeof ours, format, value);
#ifdef _WIN32
    if (strcmp(format, "%08g") == 0) return 0; /* mingw's own printf forgets the zeros there */
#endif
    snprintf(theirs, sizeof theirs, format, value);
    if (strcmp(ours, theirs) == 0 && length == strlen(theirs)) return 0;
    printf("\"%s\" of %.17g: ours %s, printf's %s\n", format, value, ours, theirs);
    return 1;
}

static void test_format_doubles(void) {
    const double values[] = {0.0,
                             -0.0,
                             1.0,
                             -1.0,
                             0.5,
                             0.1,
                             0.3,
                             1.0 / 3,
                             2.0 / 3,
                             9.5,
                             99.5,
                             0.05,
                             0.15,
                             0.25,
                             0.35,
                             1.5,
                             2.5,
                             3.5,
                             123456.0,
                             1234565.0,
                             1234575.0,
                             999999.5,
                             999999.4,
                             9999995.0,
                             1e5,
                             1e6,
                             1e15,
                             1e16,
                             1e22,
                             1e23,
                             1e100,
                             1e-4,
                             1e-5,
                             9.99999e-5,
                             9.999995e-5,
                             0.00012345678,
                             3.14159265358979,
                             2.71828182845905,
                             1e308,
                             1.7976931348623157e308,
                             2.2250738585072014e-308,
                             5e-324,
                             4.9e-320,
                             6.02214076e23,
                             1.17549435e-38,
                             3.40282347e38,
                             100.0,
                             1000000.0,
                             0.99999949,
                             0.9999995,
                             0.9999996,
                             123.456,
                             1e9,
                             4294967296.0,
                             1e-300};
    const char *formats[] = {"%g",     "%f",      "%.0f", "%.1f",    "%.2f",   "%.3f",  "%10.3f",
                             "%-12g|", "%012.4f", "%.3g", "%.1g",    "%.9g",   "%.17g", "%.0g",
                             "%.20f",  "%12g",    "%08g", "%-9.2f|", "%40.17f"};
    int differences = 0;
    for (int f = 0; f < (int)(sizeof formats / sizeof *formats); f++) {
        for (int v = 0; v < (int)(sizeof values / sizeof *values); v++) {
            differences += test_base_differs(formats[f], values[v]);
            differences += test_base_differs(formats[f], -values[v]);
            differences += test_base_differs(formats[f], (double)(float)values[v]);
        }
    }
    ENSURE(differences == 0);
    for (uint64_t i = 0; i < 20000; i++) { /* any bit pattern, and numbers of everyday size */
        uint32_t words[4];
        uint64_t bits;
        double value;
        nn_random_words(7, 0, i, words);
        bits = (uint64_t)words[0] << 32 | words[1];
        memcpy(&value, &bits, sizeof value);
        if (value != value) continue;
        differences += test_base_differs(i % 2 ? "%g" : "%.17g", value);
        value = (double)(int32_t)words[2] / (double)(1 + words[3] % 10000);
        differences += test_base_differs("%g", value);
        differences += test_base_differs("%.2f", value);
        differences +=
            test_base_differs("%.1f", (double)(words[2] % 2000) / 20.0); /* many halves */
        if (differences > 5) break;
    }
    ENSURE(differences == 0);
}

static void test_format_special(void) {
    char text[64];
    double zero = 0.0, infinite = DBL_MAX * 10.0, none = infinite - infinite;
    nn__format(text, sizeof text, "%g %.2f %08g", infinite, -infinite, infinite);
    ENSURE_TEXT(text, "inf -inf      inf");
    nn__format(text, sizeof text, "%g", none < zero ? none : (none != none ? fabs(none) : none));
    ENSURE_TEXT(text, "nan");
}

static void test_format_integers(void) {
    char ours[256], theirs[256];
    const long long values[] = {0,     1,         -1,        9,         10,        -10,       255,
                                65535, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, 1000000007};
    for (int i = 0; i < (int)(sizeof values / sizeof *values); i++) {
        long long v = values[i];
        int n = (int)v;
        nn__format(
            ours, sizeof ours,
            "%d|%5d|%-5d|%05d|%u|%x|%lld|%20lld|%-20lld|%020lld|%llu|%llx|%zu|%ld|%lu|%*d|%-*d|", n,
            n, n, n, (unsigned)n, (unsigned)n, v, v, v, v, (unsigned long long)v,
            (unsigned long long)v, (size_t)v, (long)v, (unsigned long)v, 7, n, 7, n);
        snprintf(
            theirs, sizeof theirs,
            "%d|%5d|%-5d|%05d|%u|%x|%lld|%20lld|%-20lld|%020lld|%llu|%llx|%zu|%ld|%lu|%*d|%-*d|", n,
            n, n, n, (unsigned)n, (unsigned)n, v, v, v, v, (unsigned long long)v,
            (unsigned long long)v, (size_t)v, (long)v, (unsigned long)v, 7, n, 7, n);
        ENSURE_TEXT(ours, theirs);
    }
}

static void test_format_texts(void) {
    char text[64];
    ENSURE(nn__format(text, sizeof text, "[%s|%6s|%-6s|%.2s|%c|%3c|%%|%.*s]", "ab", "cd", "ef",
                      "ghi", 'j', 'k', 1, "lm") == 31);
    ENSURE_TEXT(text, "[ab|    cd|ef    |gh|j|  k|%|l]");
}

static void test_format_limits(void) {
    char text[64], small[8];
    const char *nothing = NULL;
    nn__format(text, sizeof text, "%s", nothing);
    ENSURE_TEXT(text, "(none)");
    memset(small, 'x', sizeof small);
    ENSURE(nn__format(small, 5, "%s%d", "abc", 12345) == 8);
    ENSURE_TEXT(small, "abc1");
    ENSURE(small[5] == 'x');
    ENSURE(nn__format(small, 1, "abc") == 3 && small[0] == 0);
    ENSURE(nn__format(NULL, 0, "abc%d", 1) == 4);
    ENSURE(nn__format(text, sizeof text, "") == 0 && text[0] == 0);
    nn__format(text, sizeof text, "100%");
    ENSURE_TEXT(text, "100");
    nn__format(text, sizeof text, "%40s|", "wide");
    ENSURE_TEXT(text, "                                    wide|");
    nn__copy_text(small, 4, "abcdef");
    ENSURE_TEXT(small, "abc");
    ENSURE_TEXT(nn_result_text(NN_OK), "ok");
    ENSURE_TEXT(nn_result_text((nn_result)-99), "not a result code");
}

static void test_format_bytes(void) {
    const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {{0, "0 B"},
                 {312, "312 B"},
                 {999, "999 B"},
                 {1000, "1.0 kB"},
                 {1049, "1.0 kB"},
                 {1050, "1.1 kB"},
                 {1500000, "1.5 MB"},
                 {99949, "99.9 kB"},
                 {99950, "100 kB"},
                 {999499, "999 kB"},
                 {999950, "1.0 MB"},
                 {16777216, "16.8 MB"},
                 {150000000000u, "150 GB"},
                 {UINT64_MAX, "18.4 EB"}};
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        char text[16];
        ENSURE_TEXT(nn__format_bytes(text, sizeof text, cases[i].bytes), cases[i].text);
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct {
    unsigned char *pointer;
    size_t bytes;
    unsigned char mark;
} test_base_piece;

/* Allocates and frees at random; every piece must be zeroed and aligned, and keep its bytes. */
static int test_base_stress(nn__memory *memory, int rounds, int *refused) {
    test_base_piece pieces[64];
    uint64_t live = 0;
    int bad = 0;
    memset(pieces, 0, sizeof pieces);
    for (int round = 0; round < rounds; round++) {
        uint32_t words[4];
        nn_random_words(1, 2, (uint64_t)round, words);
        test_base_piece *piece = &pieces[words[0] % 64];
        if (piece->pointer) {
            for (size_t i = 0; i < piece->bytes; i++) bad += piece->pointer[i] != piece->mark;
            nn__release(memory, piece->pointer, piece->bytes);
            live -= piece->bytes;
            piece->pointer = NULL;
            continue;
        }
        piece->bytes = words[1] % (words[2] % 8 == 0 ? 4000 : 300);
        piece->mark = (unsigned char)(1 + round % 255);
        piece->pointer = (unsigned char *)nn__allocate(memory, piece->bytes);
        if (!piece->pointer) {
            ++*refused;
            continue;
        }
        bad += (uintptr_t)piece->pointer % 64 != 0;
        for (size_t i = 0; i < piece->bytes; i++) bad += piece->pointer[i] != 0;
        memset(piece->pointer, piece->mark, piece->bytes);
        live += piece->bytes;
        bad += memory->live_bytes != live || memory->peak_bytes < live;
    }
    for (int i = 0; i < 64; i++) nn__release(memory, pieces[i].pointer, pieces[i].bytes);
    return bad;
}

static void test_memory_malloc(void) {
    nn__memory memory;
    int refused = 0;
    ENSURE(nn__memory_init(&memory, NULL, NULL, 0) == NN_OK);
    ENSURE(test_base_stress(&memory, 20000, &refused) == 0);
    ENSURE(refused == 0 && memory.live_bytes == 0 && memory.calls > 0);
    ENSURE(nn__available(&memory) == SIZE_MAX);
    ENSURE(nn__allocate(&memory, SIZE_MAX - 70) == NULL && nn__allocate(&memory, SIZE_MAX) == NULL);
    ENSURE(memory.live_bytes == 0);
    void *empty = nn__allocate(&memory, 0);
    ENSURE(empty != NULL);
    nn__release(&memory, empty, 0);
    nn__release(&memory, NULL, 10);
}

static void test_memory_block(void) {
    static unsigned char block[32000 + 64];
    for (size_t shift = 0; shift < 64; shift += 13) {
        nn__memory memory;
        int refused = 0;
        memset(block, 0xab, sizeof block);
        ENSURE(nn__memory_init(&memory, NULL, block + shift, 32000) == NN_OK);
        size_t whole = nn__available(&memory);
        ENSURE(whole >= 32000 - 192 && whole < 32000);
        ENSURE(test_base_stress(&memory, 20000, &refused) == 0);
        ENSURE(refused > 0); /* the test has used up the block */
        ENSURE(memory.live_bytes == 0 &&
               nn__available(&memory) == whole); /* all pieces merged again */
        for (size_t i = 0; i < shift; i++) ENSURE(block[i] == 0xab);
        for (size_t i = shift + 32000; i < sizeof block; i++) ENSURE(block[i] == 0xab);
        void *all = nn__allocate(&memory, whole);
        ENSURE(all && nn__available(&memory) == 0 && !nn__allocate(&memory, 1));
        nn__release(&memory, all, whole);
        ENSURE(!nn__allocate(&memory, whole + 1) && !nn__allocate(&memory, SIZE_MAX));
    }
    nn__memory memory;
    ENSURE(nn__memory_init(&memory, NULL, block, 100) == NN_ERROR_ARGUMENT);
    ENSURE(nn__memory_init(&memory, NULL, NULL, 100) == NN_ERROR_ARGUMENT);
}

/* Allocates and frees in the same order each time; returns the memory of the last allocation. */
static void *test_base_sequence(nn__memory *memory, void *block, size_t bytes, uint32_t seed) {
    void *taken[8] = {NULL}, *last = NULL;
    size_t sizes[8] = {0};
    nn__memory_init(memory, NULL, block, bytes);
    for (uint32_t i = 0; i < 40; i++) {
        uint32_t word = (seed + i) * 2654435761u;
        int slot = (int)(word >> 16) % 8;
        nn__release(memory, taken[slot], sizes[slot]);
        sizes[slot] = (word >> 8) % 900;
        taken[slot] = last = nn__allocate(memory, sizes[slot]);
        if (!last) return NULL;
    }
    return last;
}

/* The context tells which block is large enough, and what a refused allocation lacked. */
static void test_memory_block_wanted(void) {
    static unsigned char block[40000 + 64];
    unsigned char *start = block + (64 - (uintptr_t)block % 64) % 64;
    for (uint32_t seed = 0; seed < 50; seed++) {
        nn__memory memory;
        ENSURE(test_base_sequence(&memory, start, 40000, seed));
        size_t needed = memory.block_bytes - memory.untouched;
        ENSURE(needed > memory.peak_bytes && needed < 20000);
        ENSURE(test_base_sequence(&memory, start, needed, seed) && memory.untouched == 0);
        void *more = nn__allocate(&memory, 20000);
        ENSURE(more == NULL); /* the sequence leaves no such piece */
        uint64_t missing = nn__missing(&memory, 20000);
        ENSURE(missing > 0 && missing % NN__ALIGNMENT == 0 && missing < 20000 + NN__ALIGNMENT);
        ENSURE(test_base_sequence(&memory, start, needed + (size_t)missing, seed));
        ENSURE(nn__missing(&memory, 20000) == 0 && nn__allocate(&memory, 20000));
        ENSURE(test_base_sequence(&memory, start, needed + (size_t)missing - NN__ALIGNMENT, seed));
        ENSURE(!nn__allocate(&memory, 20000) && nn__missing(&memory, 20000) == NN__ALIGNMENT);
    }
}

typedef struct {
    uint64_t live;
    int calls, bad, fail_at, misalign;
} test_base_hooks;
/* Returns the allocator that the library uses if the program gives none. */
static nn_allocator test_base_default(void) {
    nn__memory memory;
    (void)nn__memory_init(&memory, NULL, NULL, 0);
    return memory.allocator;
}
static void *test_base_take(void *user, size_t bytes, size_t alignment) {
    test_base_hooks *hooks = (test_base_hooks *)user;
    hooks->bad += alignment != 64 || bytes == 0;
    if (++hooks->calls == hooks->fail_at) return NULL;
    hooks->live += bytes;
    return (char *)test_base_default().allocate(NULL, bytes + 1, alignment) + hooks->misalign;
}
static void test_base_give(void *user, void *pointer, size_t bytes, size_t alignment) {
    test_base_hooks *hooks = (test_base_hooks *)user;
    hooks->live -= bytes;
    test_base_default().release(NULL, (char *)pointer - hooks->misalign, bytes + 1, alignment);
}

static void test_memory_hooks(void) {
    test_base_hooks hooks = {0, 0, 0, 0, 0};
    nn_allocator allocator = {test_base_take, test_base_give, &hooks};
    nn__memory memory;
    int refused = 0;
    ENSURE(nn__memory_init(&memory, &allocator, NULL, 0) == NN_OK);
    ENSURE(test_base_stress(&memory, 5000, &refused) == 0 && hooks.bad == 0 && hooks.live == 0);
    ENSURE((uint64_t)hooks.calls == memory.calls);
    hooks.misalign = 1;
    ENSURE(nn__allocate(&memory, 10) == NULL && hooks.live == 0);
    allocator.release = NULL;
    ENSURE(nn__memory_init(&memory, &allocator, NULL, 0) == NN_ERROR_ARGUMENT);
}

/* The arena's memory is aligned to two pointers, which is enough for every type of C. */
static void test_arena(void) {
    test_base_hooks hooks = {0, 0, 0, 0, 0};
    nn_allocator allocator = {test_base_take, test_base_give, &hooks};
    nn__memory memory;
    ENSURE(nn__memory_init(&memory, &allocator, NULL, 0) == NN_OK);
    nn__arena arena = {&memory, NULL};
    const char *texts[500];
    for (int i = 0; i < 500; i++) {
        char text[32];
        nn__format(text, sizeof text, "text %d", i);
        texts[i] = nn__arena_text(&arena, text);
        unsigned char *bytes =
            (unsigned char *)nn__arena_take(&arena, (size_t)(i % 7 == 0 ? 5000 : i));
        ENSURE(texts[i] && bytes && (uintptr_t)bytes % (2 * sizeof(void *)) == 0);
        for (int j = 0; j < i; j++) ENSURE(bytes[j] == 0);
        memset(bytes, 0xff, (size_t)i);
    }
    for (int i = 0; i < 500; i++) {
        char text[32];
        nn__format(text, sizeof text, "text %d", i);
        ENSURE_TEXT(texts[i], text);
    }
    hooks.fail_at = hooks.calls + 1;
    ENSURE(nn__arena_take(&arena, 100000) == NULL && nn__arena_take(&arena, SIZE_MAX) == NULL);
    nn__arena_free(&arena);
    ENSURE(memory.live_bytes == 0 && hooks.live == 0 && arena.chunk == NULL);
    uint64_t product = 1;
    ENSURE(nn__multiply(UINT32_MAX, UINT32_MAX, &product) && product == 0xfffffffe00000001u);
    ENSURE(!nn__multiply((uint64_t)1 << 32, (uint64_t)1 << 32, &product) &&
           nn__multiply(0, UINT64_MAX, &product) && product == 0);
}

typedef struct {
    nn__owned owned;
    int number;
    int *order;
    int *at;
    nn__owned *friend_item;
} test_base_item;
static void test_base_destroy(nn__owned *self) {
    test_base_item *item = (test_base_item *)(void *)self;
    item->order[(*item->at)++] = item->number;
    if (item->friend_item) nn__disown(item->friend_item);
}

static void test_owned(void) {
    nn__owned list = {NULL, NULL, NULL};
    test_base_item items[6];
    int order[6] = {0, 0, 0, 0, 0, 0}, at = 0;
    nn__destroy_all(&list); /* an empty ring, never used */
    for (int i = 0; i < 6; i++) {
        test_base_item item = {{NULL, NULL, NULL}, i, order, &at, NULL};
        items[i] = item;
        nn__own(&list, &items[i].owned, test_base_destroy);
    }
    nn__disown(&items[3].owned);
    nn__disown(&items[2].owned);
    nn__disown(&items[3].owned); /* twice: must not bring item 2 back */
    items[4].friend_item = &items[1].owned;
    nn__destroy_all(&list);
    ENSURE(at == 3 && order[0] == 5 && order[1] == 4 && order[2] == 0);
    nn__destroy_all(&list);
    ENSURE(at == 3);
}

/* ---- pool ------------------------------------------------------------------------------------ */

#define TEST_UNITS 5000
typedef struct {
    int hits[TEST_UNITS]; /* one writer each: a race would show in TSan and in the count */
    int inside[256];      /* by worker */
    int bad, workers, first;
    int work;
} test_base_job;

static void test_base_unit(void *data, int unit, int worker) {
    test_base_job *job = (test_base_job *)data;
    if (worker < 0 || worker >= job->workers || job->inside[worker]++ != 0) job->bad++;
    volatile int spin = job->work;
    while (spin > 0) spin = spin - 1;
    job->hits[unit - job->first]++;
    job->inside[worker]--;
}

static void test_pool_units(void) {
    const int threads[] = {1, 2, 3, 8, 0};
    static test_base_job job;
    for (int t = 0; t < 5; t++) {
        nn__memory memory;
        nn__pool *pool = NULL;
        nn__memory_init(&memory, NULL, NULL, 0);
        ENSURE(nn__pool_open(&memory, NULL, threads[t], &pool) == NN_OK);
        int workers = nn__pool_workers(pool);
        ENSURE(workers >= 1 && (threads[t] == 0 || workers <= threads[t]));
#if !defined(NN_NO_THREADS) && !defined(__TINYC__)
        ENSURE(threads[t] == 0 || workers == threads[t]);
#endif
        memset(&job, 0, sizeof job);
        job.workers = workers;
        job.work = 200;
        job.first = -17;
        nn__parallel(pool, job.first, TEST_UNITS, test_base_unit, &job);
        for (int i = 0; i < TEST_UNITS; i++) ENSURE(job.hits[i] == 1);
        job.first = 0;
        job.work = 0;
        int done[4] = {0, 0, 0, 0};
        for (int i = 0; i < 10000; i++) { /* small jobs: 0, 1, 2 ... 5 units */
            int count = i % 6;
            nn__parallel(pool, 0, count, test_base_unit, &job);
            for (int k = 0; k < 4; k++) done[k] += k < count;
        }
        for (int k = 0; k < 4; k++) ENSURE(job.hits[k] == 1 + done[k]);
        nn__parallel(pool, 0, -3, test_base_unit, &job);
        ENSURE(job.bad == 0);
        nn__pool_close(&memory, pool);
        ENSURE(memory.live_bytes == 0);
    }
}

/* Units are taken from both ends, or, if there are very many, from the start: each of them once. */
enum { TEST_MANY = 70000 };
static void test_base_mark(void *data, int unit, int worker) {
    (void)worker;
    ((unsigned char *)data)[unit]++;
}
static void test_pool_many(void) {
    static const int counts[] = {2, 3, 32500, 32511, 32512, 32513, 32768, 65536, TEST_MANY};
    static unsigned char hits[TEST_MANY];
    nn__memory memory;
    nn__memory_init(&memory, NULL, NULL, 0);
    for (int threads = 1; threads <= 5; threads++) {
        nn__pool *pool = NULL;
        ENSURE(nn__pool_open(&memory, NULL, threads, &pool) == NN_OK);
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            int others = 0;
            memset(hits, 0, sizeof hits);
            nn__parallel(pool, 0, counts[c], test_base_mark, hits);
            for (int i = 0; i < TEST_MANY; i++) others += hits[i] != (i < counts[c]);
            ENSURE(others == 0);
        }
        nn__pool_close(&memory, pool);
    }
}

static void test_pool_lifetimes(void) {
    static test_base_job job;
    nn__memory memory;
    nn__memory_init(&memory, NULL, NULL, 0);
    for (int i = 0; i < 300;
         i++) { /* opened and closed at once; with a job; after a pause long enough to sleep */
        nn__pool *pool = NULL;
        ENSURE(nn__pool_open(&memory, NULL, 1 + i % 9, &pool) == NN_OK);
        memset(&job, 0, sizeof job);
        job.workers = nn__pool_workers(pool);
        if (i % 3 > 0) nn__parallel(pool, 0, 20, test_base_unit, &job);
        if (i % 30 == 2) {
            volatile int wait = 3000000;
            while (wait > 0) wait = wait - 1;
            nn__parallel(pool, 0, 20, test_base_unit, &job);
            ENSURE(job.hits[0] == 2 && job.hits[19] == 2);
        }
        nn__pool_close(&memory, pool);
    }
    ENSURE(memory.live_bytes == 0 && job.bad == 0);
    nn__pool_close(&memory, NULL);
    ENSURE(nn__pool_workers(NULL) == 1);
    test_base_hooks hooks = {0, 0, 0, 1, 0};
    nn_allocator allocator = {test_base_take, test_base_give, &hooks};
    nn__pool *pool = NULL;
    nn__memory_init(&memory, &allocator, NULL, 0);
    nn_result result = nn__pool_open(&memory, NULL, 4, &pool);
    ENSURE(pool == NULL && (result == NN_ERROR_MEMORY || hooks.calls == 0));
}

#if !defined(NN_NO_THREADS) && defined(__GNUC__) && !defined(__TINYC__)
typedef struct {
    unsigned arrived;
    int wanted;
    int late;
    nn_clock clock;
} test_base_meeting;
static void test_base_meet(void *data, int unit, int worker) {
    test_base_meeting *meeting = (test_base_meeting *)data;
    uint64_t start = nn__now(&meeting->clock);
    (void)unit, (void)worker;
    __atomic_fetch_add(&meeting->arrived, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&meeting->arrived, __ATOMIC_SEQ_CST) < (unsigned)meeting->wanted) {
        if (nn__now(&meeting->clock) - start < (uint64_t)100000000000u) continue;
        __atomic_store_n(&meeting->late, 1, __ATOMIC_SEQ_CST); /* after 100 s */
        return;
    }
}

/* Units wait for each other, so the job ends only if every thread takes one, sleeping threads
   too. */
static void test_pool_wakes(void) {
    nn__memory memory;
    nn__memory_init(&memory, NULL, NULL, 0);
    for (int threads = 2; threads <= 4; threads++) {
        nn__pool *pool = NULL;
        ENSURE(nn__pool_open(&memory, NULL, threads, &pool) == NN_OK &&
               nn__pool_workers(pool) == threads);
        for (int round = 0; round < 20; round++) {
            test_base_meeting meeting = {0, threads, 0, {NULL, NULL}};
            nn__clock_init(&meeting.clock);
            uint64_t start = nn__now(&meeting.clock);
            while (round % 2 && nn__now(&meeting.clock) - start < 5000000) {
            } /* 5 ms: all asleep */
            nn__parallel(pool, 0, threads, test_base_meet, &meeting);
            ENSURE(!meeting.late);
        }
        nn__pool_close(&memory, pool);
    }
}
#endif

/* One job system runs the items backwards on one thread, another one on the threads of a second
   pool. */
typedef struct {
    nn__pool *pool;
    int count_seen;
    void (*item)(void *, int);
    void *data;
} test_base_system;
static void test_base_backwards(void *user, int count, void (*item)(void *data, int i),
                                void *data) {
    ((test_base_system *)user)->count_seen = count;
    for (int i = count - 1; i >= 0; i--) item(data, i);
}
static void test_base_relay(void *data, int unit, int worker) {
    test_base_system *system = (test_base_system *)data;
    (void)worker;
    system->item(system->data, unit);
}
static void test_base_threads(void *user, int count, void (*item)(void *data, int i), void *data) {
    test_base_system *system = (test_base_system *)user;
    system->count_seen = count;
    system->item = item;
    system->data = data;
    nn__parallel(system->pool, 0, count, test_base_relay, system);
}

static void test_pool_jobs(void) {
    static test_base_job job;
    nn__memory memory;
    nn__memory_init(&memory, NULL, NULL, 0);
    for (int kind = 0; kind < 4; kind++) {
        test_base_system system = {NULL, 0, NULL, NULL};
        nn_jobs jobs = {kind < 2 ? test_base_backwards : test_base_threads, kind % 2 ? 7 : 0,
                        &system};
        nn__pool *pool = NULL;
        ENSURE(nn__pool_open(&memory, NULL, 3, &system.pool) == NN_OK);
        ENSURE(nn__pool_open(&memory, &jobs, 16, &pool) == NN_OK);
        ENSURE(nn__pool_workers(pool) == (kind % 2 ? 7 : 4));
        memset(&job, 0, sizeof job);
        job.workers = nn__pool_workers(pool);
        for (int i = 0; i < 50; i++) nn__parallel(pool, 0, TEST_UNITS, test_base_unit, &job);
        for (int i = 0; i < TEST_UNITS; i++) ENSURE(job.hits[i] == 50);
        ENSURE(job.bad == 0 && system.count_seen == job.workers);
        nn__parallel(pool, 0, 2, test_base_unit, &job); /* fewer units than workers */
        ENSURE(job.hits[0] == 51 && job.hits[1] == 51 && job.hits[2] == 50);
        nn__pool_close(&memory, pool);
        nn__pool_close(&memory, system.pool);
    }
    ENSURE(memory.live_bytes == 0);
}

/* ---- random ---------------------------------------------------------------------------------- */

/* Known answers: Random123's kat_vectors, philox4x32 with 10 rounds. */
static void test_random_known(void) {
    uint32_t words[4];
    nn_random_words(0, 0, 0, words);
    ENSURE(words[0] == 0x6627e8d5 && words[1] == 0xe169c58d && words[2] == 0xbc57ac4c &&
           words[3] == 0x9b00dbd8);
    nn_random_words(UINT64_MAX, UINT64_MAX, UINT64_MAX, words);
    ENSURE(words[0] == 0x408f276d && words[1] == 0x41c83b0e && words[2] == 0xa20bc7c6 &&
           words[3] == 0x6d5451fd);
    nn_random_words(0x299f31d0a4093822u, 0x0370734413198a2eu, 0x85a308d3243f6a88u, words);
    ENSURE(words[0] == 0xd16cfe09 && words[1] == 0x94fdcceb && words[2] == 0x5001e420 &&
           words[3] == 0x24126ea1);
    ENSURE(nn_word_to_uniform(0) == 0.0f && nn_word_to_uniform(UINT32_MAX) < 1.0f);
}

/* Four counters at once give the words of single ones, even where the lower half wraps. */
static void test_random_sixteen(void) {
    static const uint64_t counters[] = {0, 1, UINT32_MAX - 1, UINT64_MAX - 2, 0x85a308d3243f6a88u};
    for (int c = 0; c < NN__COUNT(counters); c++) {
        uint32_t sixteen[16], words[4];
        nn__random_sixteen(0x299f31d0a4093822u, 0x370734413198a2eu, counters[c], sixteen);
        for (uint64_t i = 0; i < 4; i++) {
            nn_random_words(0x299f31d0a4093822u, 0x370734413198a2eu, counters[c] + i, words);
            ENSURE(memcmp(words, sixteen + 4 * i, sizeof words) == 0);
        }
    }
}

static void test_random_permutation(void) {
    static int32_t order[10000], again[10000];
    static char there[10000];
    nn_random_permutation(5, 6, order, 10000);
    nn_random_permutation(5, 6, again, 10000);
    ENSURE(memcmp(order, again, sizeof order) == 0);
    nn_random_permutation(5, 7, again, 10000);
    ENSURE(memcmp(order, again, sizeof order) != 0);
    memset(there, 0, sizeof there);
    for (int i = 0; i < 10000; i++) {
        ENSURE(order[i] >= 0 && order[i] < 10000 && !there[order[i]]);
        there[order[i]] = 1;
    }
    int counts[24]; /* all orders of 4, each 1/24 of 48000: 2000, sigma 44 */
    memset(counts, 0, sizeof counts);
    for (uint64_t seed = 0; seed < 48000; seed++) {
        int32_t o[4];
        nn_random_permutation(seed, 1, o, 4);
        int second = o[1] - (o[1] > o[0]);
        int third = o[2] - (o[2] > o[0]) - (o[2] > o[1]);
        counts[o[0] * 6 + second * 2 + third]++;
    }
    for (int i = 0; i < 24; i++) ENSURE_CLOSE(counts[i], 2000, 220);
    nn_random_permutation(1, 1, NULL, 0);
    nn_random_permutation(1, 1, order, 1);
    ENSURE(order[0] == 0);
}

/* ---- files ----------------------------------------------------------------------------------- */
#ifndef NN_NO_FILES

#ifndef NN_NO_STDIO
static const char *test_base_path(void) { return "test_base_saved.bin"; }

static void test_file_stdio(void) {
    nn_files files;
    nn__save save;
    char text[16] = "";
    uint64_t bytes = 0;
    memset(&files, 0, sizeof files);
    nn__files_init(&files);
    for (int round = 0; round < 2; round++) { /* the second replaces the first */
        ENSURE(nn__save_begin(&save, &files, test_base_path()) == NN_OK);
        ENSURE(nn__save_write(&save, round ? "second" : "first", round ? 6 : 5) == NN_OK);
        ENSURE(nn__save_write(&save, " time", 5) == NN_OK);
        ENSURE(nn__save_end(&save, true) == NN_OK);
        ENSURE(nn__save_end(&save, true) == NN_ERROR_FILE &&
               nn__save_write(&save, "x", 1) == NN_ERROR_FILE);
    }
    ENSURE(nn__save_begin(&save, &files, test_base_path()) ==
           NN_OK); /* given up: nothing changes */
    ENSURE(nn__save_write(&save, "third", 5) == NN_OK && nn__save_end(&save, false) == NN_OK);
    ENSURE(files.open(NULL, "test_base_saved.bin.tmp", false) == NULL);
    void *file = files.open(NULL, test_base_path(), false);
    ENSURE(file && files.size(NULL, file, &bytes) && bytes == 11);
    ENSURE(files.read(NULL, file, 7, text, 4) && memcmp(text, "time", 4) == 0);
    ENSURE(files.read(NULL, file, 0, text, 6) && memcmp(text, "second", 6) == 0);
    ENSURE(files.read(NULL, file, 6, text, 5) && memcmp(text, " time", 5) == 0);
    ENSURE(!files.read(NULL, file, 8, text, 4) && !files.read(NULL, file, UINT64_MAX, text, 1));
    ENSURE(files.read(NULL, file, 0, text, 1) && text[0] == 's' &&
           files.read(NULL, file, 99, text, 0));
    ENSURE(files.close(NULL, file) && files.remove(NULL, test_base_path()));
    ENSURE(files.open(NULL, test_base_path(), false) == NULL &&
           files.open(NULL, ".", false) == NULL);
    ENSURE(nn__save_begin(&save, &files, "no/such/folder/file") == NN_ERROR_FILE &&
           nn__save_end(&save, true) == NN_ERROR_FILE);
}
#endif

/* A disk of two files in memory, whose Nth call fails. */
typedef struct {
    char name[2][600];
    char data[2][64];
    size_t bytes[2];
    int used[2];
    int open, calls, fail_at, failed;
} test_base_disk;
static int test_base_fails(test_base_disk *disk) {
    if (++disk->calls != disk->fail_at) return 0;
    disk->failed = 1;
    return 1;
}
static int test_base_find(test_base_disk *disk, const char *path) {
    for (int i = 0; i < 2; i++)
        if (disk->used[i] && strcmp(disk->name[i], path) == 0) return i;
    return -1;
}
static void *test_base_open(void *user, const char *path, bool write) {
    test_base_disk *disk = (test_base_disk *)user;
    int i = test_base_find(disk, path);
    if (test_base_fails(disk) || !write) return NULL;
    if (i < 0) i = disk->used[0] ? 1 : 0;
    disk->used[i] = 1;
    disk->bytes[i] = 0;
    disk->open++;
    nn__copy_text(disk->name[i], sizeof disk->name[i], path);
    return &disk->bytes[i];
}
static bool test_base_write(void *user, void *file, const void *data, size_t bytes) {
    test_base_disk *disk = (test_base_disk *)user;
    int i = file == &disk->bytes[0] ? 0 : 1;
    if (test_base_fails(disk)) return false;
    memcpy(disk->data[i] + disk->bytes[i], data, bytes);
    disk->bytes[i] += bytes;
    return true;
}
static bool test_base_flush(void *user, void *file) {
    return (void)file, !test_base_fails((test_base_disk *)user);
}
static bool test_base_close(void *user, void *file) {
    ((test_base_disk *)user)->open--;
    return (void)file, !test_base_fails((test_base_disk *)user);
}
static bool test_base_remove(void *user, const char *path) {
    test_base_disk *disk = (test_base_disk *)user;
    int i = test_base_find(disk, path);
    if (test_base_fails(disk) || i < 0) return false;
    disk->used[i] = 0;
    return true;
}
static bool test_base_rename(void *user, const char *from, const char *to) {
    test_base_disk *disk = (test_base_disk *)user;
    int i = test_base_find(disk, from), j = test_base_find(disk, to);
    if (test_base_fails(disk) || i < 0) return false;
    if (j >= 0) disk->used[j] = 0;
    nn__copy_text(disk->name[i], sizeof disk->name[i], to);
    return true;
}

static void test_save_atomic(void) {
    nn_files files = {test_base_open,
                      NULL,
                      test_base_write,
                      NULL,
                      test_base_flush,
                      test_base_close,
                      test_base_rename,
                      test_base_remove,
                      NULL};
    nn__save save;
    int failures = 0;
    nn__files_init(&files);
    ENSURE(files.read == NULL && files.open == test_base_open); /* never mixed with stdio */
    for (int commit = 0; commit < 2; commit++) {
        for (int fail_at = 0; fail_at < 10; fail_at++) {
            static test_base_disk disk;
            memset(&disk, 0, sizeof disk);
            disk.used[0] = 1;
            strcpy(disk.name[0], "model");
            strcpy(disk.data[0], "old");
            disk.bytes[0] = 3;
            disk.fail_at = fail_at;
            files.user = &disk;
            nn_result begin = nn__save_begin(&save, &files, "model");
            nn__save_write(&save, "ne", 2);
            nn__save_write(&save, "w!", 2);
            nn_result end = nn__save_end(&save, commit);
            failures += disk.failed;
            int at = test_base_find(&disk, "model");
            bool new_one = at >= 0 && disk.bytes[at] == 4 && memcmp(disk.data[at], "new!", 4) == 0;
            bool old_one = at >= 0 && disk.bytes[at] == 3 && memcmp(disk.data[at], "old", 3) == 0;
            ENSURE(disk.open == 0);
            ENSURE(commit && !disk.failed ? new_one && end == NN_OK : old_one);
            /* calls: open, write, write, flush (commit), close, rename (commit), remove. The
               temporary file stays only if its removal fails */
            bool remove_failed = disk.failed && !commit && fail_at == 5;
            ENSURE(remove_failed == (test_base_find(&disk, "model.tmp") >= 0));
            ENSURE(!disk.failed || remove_failed || end == NN_ERROR_FILE);
            ENSURE(begin == (fail_at == 1 ? NN_ERROR_FILE : NN_OK));
        }
    }
    ENSURE(failures == 6 + 5);
    char path[600];
    memset(path, 'p', sizeof path);
    path[512] = 0;
    ENSURE(nn__save_begin(&save, &files, path) == NN_ERROR_ARGUMENT &&
           nn__save_end(&save, true) == NN_ERROR_FILE);
    ENSURE(nn__save_begin(&save, &files, NULL) == NN_ERROR_ARGUMENT &&
           nn__save_begin(&save, &files, "") == NN_ERROR_ARGUMENT);
    files.rename = NULL;
    ENSURE(nn__save_begin(&save, &files, "model") == NN_ERROR_ARGUMENT);
}
#endif

static uint64_t test_base_fixed_clock(void *user) { return (void)user, 42; }

static void test_clock(void) {
    nn_clock clock = {NULL, NULL};
    nn__clock_init(&clock);
    ENSURE(clock.now != NULL);
    uint64_t before = nn__now(&clock), now = before;
    for (int i = 0; i < 100000 && now < before + 1000; i++) {
        uint64_t next = nn__now(&clock);
        ENSURE(next >= now);
        now = next;
    }
    ENSURE(now >= before + 1000 && now - before < (uint64_t)60 * 1000000000u);
    clock.now = test_base_fixed_clock;
    nn__clock_init(&clock);
    ENSURE(nn__now(&clock) == 42);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_format_doubles);
    RUN(test_format_special);
    RUN(test_format_integers);
    RUN(test_format_texts);
    RUN(test_format_limits);
    RUN(test_format_bytes);
    RUN(test_memory_malloc);
    RUN(test_memory_block);
    RUN(test_memory_block_wanted);
    RUN(test_memory_hooks);
    RUN(test_arena);
    RUN(test_owned);
    RUN(test_pool_units);
    RUN(test_pool_many);
    RUN(test_pool_lifetimes);
#if !defined(NN_NO_THREADS) && defined(__GNUC__) && !defined(__TINYC__)
    RUN(test_pool_wakes);
#endif
    RUN(test_pool_jobs);
    RUN(test_random_known);
    RUN(test_random_sixteen);
    RUN(test_random_permutation);
#ifndef NN_NO_FILES
#ifndef NN_NO_STDIO
    RUN(test_file_stdio);
#endif
    RUN(test_save_atomic);
#endif
    RUN(test_clock);
    return test_report();
}
