/* opencl/chain.h - what is known of a chain: calls of several kernels that run as one. Shared by
   those who judge and run it (chain.c) and those who write its text (chain_text.c). */
#pragma once

#include "kernels/pointwise/opencl.h"

#define NN__CHAIN_CALLS    96
#define NN__CHAIN_STORAGES 160
#define NN__CHAIN_BUFFERS  8  /* their numbers are the upper bits of a place in the arguments, */
#define NN__CHAIN_PLACE    29 /* so that inputs may be bound to any buffer without a new text */
#define NN__CHAIN_WIDTH    128 /* of a layer, at most */
#define NN__CHAIN_GROUPS   256 /* of the rows, where these leave partial sums */
#define NN__CHAIN_LANES    256 /* of a work-group, at most */
#define NN__CHAIN_ROWS     1024 /* of a chain that is one work-group */

/* Work-groups of NN__CHAIN_LANES, which the text then knows of. */
static inline NN__OPENCL_UNUSED bool nn__opencl_chain_is_wide(const nn__opencl *device) {
    return device->gpu && device->group >= NN__CHAIN_LANES;
}

/* A chain of little work is one kernel of one work-group. Another one is cut into rows: each
   work-group takes some, and leaves its part of every sum over them; a second kernel adds these in
   their order and does what needs the sums. What a call is there: */
typedef enum nn__opencl_link {
    NN__LINK_NONE,
    NN__LINK_ROWS,   /* row i of its result needs row i of what the chain has made */
    NN__LINK_NUMBER, /* one number that needs no row: every work-group computes it */
    NN__LINK_SUMS,   /* sums over the rows */
    NN__LINK_TOTAL,  /* one number, a sum over the rows */
    NN__LINK_LAST    /* needs sums */
} nn__opencl_link;

/* The kernels' texts: all of it in one work-group; the rows; the rest; all of it several times. */
typedef enum nn__opencl_phase {
    NN__PHASE_ALL,
    NN__PHASE_ROWS,
    NN__PHASE_REST,
    NN__PHASE_RUNS /* as ALL, several runs one after the other */
} nn__opencl_phase;
#define NN__CHAIN_PHASES 4
static inline NN__OPENCL_UNUSED bool nn__opencl_phase_is_whole(nn__opencl_phase phase) {
    return phase == NN__PHASE_ALL || phase == NN__PHASE_RUNS;
}

/* Where a view stands, known by its place. */
typedef struct nn__opencl_storage {
    const void *handle;
    uint64_t offset;   /* bytes */
    int8_t buffer;     /* number of its handle */
    uint8_t made;      /* nn__opencl_link of who writes it; NONE: it comes from outside */
    bool read, written; /* since the last barrier of the text */
    bool whole;         /* every work-group reads all of it */
    bool own;           /* the chain writes it, and its buffer's number is in the text */
    bool aligned;       /* operand of a product in rows of float4: begins with a whole one */
    bool parted;        /* `part` is a place of its own */
    int32_t part; /* of what has partial sums, or is a number of each group: floats before it */
} nn__opencl_storage;

typedef struct nn__opencl_runs nn__opencl_runs; /* opencl/chain_runs.c */

/* A view of a call, as it was when the chain was made ready. */
#define NN__CHAIN_KNOWN 256
typedef struct nn__opencl_known {
    const nn_view *view;
    nn_shape shape;
    int storage;
} nn__opencl_known;

typedef struct nn__opencl_chain {
    nn__opencl *device;
    const nn_call *calls; /* those of the call under way */
    int count;
    bool by_rows;
    uint32_t rows; /* 0: not known yet */
    nn__opencl_storage storages[NN__CHAIN_STORAGES];
    int storage_count;
    const void *buffers[NN__CHAIN_BUFFERS];
    int buffer_count;
    uint8_t link[NN__CHAIN_CALLS];
    uint32_t parts;  /* floats that a group leaves */
    /* Of the first group's: whether the status word was set. Who adds the sums reads this, for one
       of them may be writing the word. */
    uint32_t fault;
    nn_view status;  /* of all calls that have one */
    int numbers;     /* bytes of the arguments of all calls but their views */
    int pieces;      /* of all copies */
    double work;     /* flops, about */
    const char *why; /* the next call is not among them */
    uint64_t keys[NN__CHAIN_PHASES];
    nn__opencl_runs *runs; /* NULL: there were never several runs at once */
    nn__opencl_known known[NN__CHAIN_KNOWN];
    int known_count; /* 0: nothing is known */
    /* Of the largest batch, which the room in local memory is for: rows of each product, and those
       that a work-group takes at once. */
    uint32_t most[NN__CHAIN_CALLS], piece;
} nn__opencl_chain;

/* The views of a call that are present. count: also of those that found no room. */
typedef struct nn__opencl_chain_views {
    const nn_view *view[NN__CHAIN_STORAGES];
    bool written[NN__CHAIN_STORAGES];
    int count;
} nn__opencl_chain_views;
NN__OPENCL_PRIVATE void nn__opencl_chain_list(const nn_call *call, nn__opencl_chain_views *views);
/* Its number among the storages; -1: it is absent. */
NN__OPENCL_PRIVATE int nn__opencl_chain_find(const nn__opencl_chain *chain, const nn_view *view);

/* opencl/chain_judge.c: fills the chain; how many of the first calls can be links. */
NN__OPENCL_PRIVATE int nn__opencl_chain_look(nn__opencl_chain *chain, const nn_call *calls,
                                             int count, bool by_rows);
/* What is asked of a view while calls are judged: it is read whole, in rows of the work-group's
   own, as a number; who writes it; it is written, as `link` with so many partial sums; so many rows
   are all of the chain's; the status word is that of all. */
NN__OPENCL_PRIVATE bool nn__opencl_chain_whole(nn__opencl_chain *chain, const nn_view *view);
NN__OPENCL_PRIVATE bool nn__opencl_chain_rows(const nn__opencl_chain *chain, const nn_view *view);
NN__OPENCL_PRIVATE bool nn__opencl_chain_number(const nn__opencl_chain *chain, const nn_view *view);
NN__OPENCL_PRIVATE nn__opencl_link nn__opencl_chain_made(const nn__opencl_chain *chain,
                                                         const nn_view *view);
NN__OPENCL_PRIVATE void nn__opencl_chain_makes(nn__opencl_chain *chain, const nn_view *view,
                                               nn__opencl_link link, int64_t parts);
NN__OPENCL_PRIVATE bool nn__opencl_chain_height(nn__opencl_chain *chain, int64_t rows);
NN__OPENCL_PRIVATE bool nn__opencl_chain_status(nn__opencl_chain *chain, const nn_view *status);
NN__OPENCL_PRIVATE void nn__opencl_chain_add(nn__opencl_chain_views *views, const nn_view *view,
                                             bool written);
/* opencl/chain_follow.c. know: the chain is ready as it stands. follow: only places of what it
   reads are others than then, and it has them; false: it is to be made ready anew. */
NN__OPENCL_PRIVATE void nn__opencl_chain_know(nn__opencl_chain *chain);
NN__OPENCL_PRIVATE bool nn__opencl_chain_follow(nn__opencl_chain *chain, const nn_call *calls);
/* opencl/chain_words.c: what every text begins with. */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_words(nn__opencl_writer *w);

/* ---- who writes the text --------------------------------------------------------------------- */

#define NN__CHAIN_ENTRIES 64
#define NN__CHAIN_TOUCHES 24

/* An operand in local memory: rows `stride` floats apart, from float `at` on. */
typedef struct nn__opencl_chain_entry {
    int storage, held; /* held: the last call that needs it here */
    uint32_t at, floats, stride, width;
} nn__opencl_chain_entry;

typedef struct nn__opencl_chain_writer {
    nn__opencl_writer out;
    nn__opencl_chain *chain;
    nn__opencl_phase phase;
    char names[16][12]; /* a ring, so that a line may have several */
    int name;
    nn__opencl_chain_entry entries[NN__CHAIN_ENTRIES];
    int entry_count;
    uint32_t room, deepest; /* floats of local memory: there may be so many, there are */
    size_t patch;           /* where the text says how many there are */
    int word;               /* of what each of several runs has: so many so far */
    struct {
        uint32_t begin, end;
        bool written;
    } touches[NN__CHAIN_TOUCHES]; /* of local memory, since the last barrier */
    int touch_count;
} nn__opencl_chain_writer;

/* A view as the name of its pointer; "0" where it is absent. */
NN__OPENCL_PRIVATE const char *nn__opencl_chain_name(nn__opencl_chain_writer *w,
                                                     const nn_view *view);
/* Where its partial sums begin. */
NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_part(const nn__opencl_chain_writer *w,
                                                  const nn_view *view);
/* What is known of it; NULL: it is absent. */
NN__OPENCL_PRIVATE const nn__opencl_storage *
nn__opencl_chain_storage(const nn__opencl_chain_writer *w, const nn_view *view);
/* The rows that the work-group does: all m of call i, or a piece of the chain's. */
NN__OPENCL_PRIVATE const char *nn__opencl_chain_range(const nn__opencl_chain_writer *w, int i,
                                                      char *text, size_t size);

/* What a chain asks of a kind of link. */
typedef struct nn__opencl_chain_kind {
    void (*list)(const void *args, nn__opencl_chain_views *views); /* its views */
    nn__opencl_link (*judge)(nn__opencl_chain *chain, const void *args); /* may it be one? */
    /* what of it the text depends on, besides its views */
    uint64_t (*key)(const nn__opencl_chain *chain, const void *args, uint64_t key);
    /* its numbers, given to a launch and, in the same order, named in the text */
    void (*give)(nn__opencl_launch *launch, const void *args);
    void (*put_numbers)(nn__opencl_chain_writer *w, int i, const void *args);
    void (*put)(nn__opencl_chain_writer *w, int i, const void *args); /* what it does */
    /* what the rest does with the sums of all groups; NULL: it makes none */
    void (*finish)(nn__opencl_chain_writer *w, int i, const void *args);
    /* its status word, and the step that a fault of its own tells; NULL: it has none */
    const nn_view *(*status)(const void *args, uint32_t *step);
    /* the fault that it may find in single rows, as the text names it, and the result beside which
       its mark stands; NULL: none */
    const char *(*fault)(const void *args, const nn_view **at);
} nn__opencl_chain_kind;

/* opencl/chain_kinds.c. NULL: it is no link. */
NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_kind_of(const nn_call *call);
NN__OPENCL_PRIVATE const char *nn__opencl_chain_fault_of(const nn_call *call, const nn_view **at);
NN__OPENCL_PRIVATE const nn_view *nn__opencl_chain_status_of(const nn_call *call, uint32_t *step);
/* For the status word: that of the run, which all calls have. */
NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_step(const nn__opencl_chain *chain);
/* Those of chain_product.c, chain_pointwise.c, chain_sums.c (NULL: a reduction of another kind),
   chain_rows.c, chain_index.c, chain_loss.c and chain_update.c. */
NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_product(void);
NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_pointwise(void);
NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_sums(const nn_call *call);
NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_of_rows(const nn_call *call);
NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_index(const nn_call *call);
NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_loss(const nn_call *call);
NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_update(const nn_call *call);

/* Shared by kinds: what all groups left of sums over the rows. */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_left(nn__opencl_chain_writer *w, const nn_view *y,
                                                  const char *scale);
/* Results that belong to single rows: is it a call of chain_rows.c or chain_index.c; is a view no
   larger than a chain takes, with its rows; results in a row; a loop over them; the number m. */
NN__OPENCL_PRIVATE bool nn__opencl_chain_is_of_rows(const nn_call *call);
NN__OPENCL_PRIVATE bool nn__opencl_kind_fits(nn__opencl_chain *chain, const nn_view *view);
NN__OPENCL_PRIVATE uint32_t nn__opencl_kind_each(const nn__opencl_chain *chain, int64_t count);
NN__OPENCL_PRIVATE void nn__opencl_kind_put_loop(nn__opencl_chain_writer *w, int i, uint32_t each);
NN__OPENCL_PRIVATE void nn__opencl_kind_rows_numbers(nn__opencl_chain_writer *w, int i,
                                                     const void *args);
/* opencl/chain_index.c: what is done where a float wrongI says that a fault was found; in the rest,
   where the marks of all rows do. */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_fault(nn__opencl_chain_writer *w, int i);
/* opencl/chain_row_words.c: the functions that results of single rows need. */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_row_words(nn__opencl_writer *w);

/* opencl/chain_numbers.c. A number of call i in the text: "m3", "f3_0". */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_one(nn__opencl_chain_writer *w, const char *type,
                                                 const char *letters, int i);
NN__OPENCL_PRIVATE void nn__opencl_chain_put_float(nn__opencl_chain_writer *w, const char *type,
                                                   int i, int k);
/* The kernel's head up to its last parameter; the head of the loop over several runs. */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_parameters(nn__opencl_chain_writer *w);
NN__OPENCL_PRIVATE void nn__opencl_chain_put_run(nn__opencl_chain_writer *w);
/* A view's place in the arguments: its offset in floats, and the number of its buffer where the
   text does not know it. */
static inline NN__OPENCL_UNUSED uint32_t
nn__opencl_chain_place(const nn__opencl_storage *storage) {
    return (uint32_t)(storage->offset / 4) +
           (storage->own ? 0 : (uint32_t)storage->buffer << NN__CHAIN_PLACE);
}

/* opencl/chain_runs.c: several runs as one launch. hold: as the backend's chain_hold. note: the run
   is put off; false: it is to run now. end: what was put off runs. */
NN__OPENCL_PRIVATE int32_t nn__opencl_runs_hold(void *state, void *made, int32_t runs);
NN__OPENCL_PRIVATE bool nn__opencl_runs_note(nn__opencl_chain *chain, nn_result *result);
NN__OPENCL_PRIVATE nn_result nn__opencl_runs_end(nn__opencl_chain *chain);
NN__OPENCL_PRIVATE void nn__opencl_runs_free(nn__opencl_chain *chain);

/* opencl/chain_cache.c. A barrier; would reading or writing a piece of local memory meet what was
   done since the last one; something is done with it. */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_next(nn__opencl_chain_writer *w);
NN__OPENCL_PRIVATE bool nn__opencl_chain_meets(const nn__opencl_chain_writer *w, uint32_t begin,
                                               uint32_t end, bool writes);
NN__OPENCL_PRIVATE void nn__opencl_chain_touch(nn__opencl_chain_writer *w, uint32_t begin,
                                               uint32_t end, bool writes);
NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_stride(uint32_t width);
NN__OPENCL_PRIVATE int nn__opencl_chain_next_use(const nn__opencl_chain_writer *w, int storage,
                                                 int from);
/* Floats of local memory for operands. Rows: less, so that several work-groups share a unit. */
NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_room(const nn__opencl *device, nn__opencl_phase phase);
/* NULL: local memory has no such operand; for _enter: there is no room for it. */
NN__OPENCL_PRIVATE nn__opencl_chain_entry *nn__opencl_chain_entry_of(nn__opencl_chain_writer *w,
                                                                     int storage, uint32_t width);
NN__OPENCL_PRIVATE nn__opencl_chain_entry *nn__opencl_chain_enter(nn__opencl_chain_writer *w,
                                                                  int storage, uint32_t rows,
                                                                  uint32_t width, int call,
                                                                  int use);
NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_hole(const nn__opencl_chain_writer *w,
                                                  uint32_t floats);

/* opencl/chain_tiles.c: products and sums of columns on GPUs. */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_tile_words(nn__opencl_writer *w);
NN__OPENCL_PRIVATE void nn__opencl_chain_put_product(nn__opencl_chain_writer *w, int i,
                                                     const nn_gemm_args *g);
NN__OPENCL_PRIVATE void nn__opencl_chain_put_columns(nn__opencl_chain_writer *w, int i,
                                                     const nn_view *x, uint32_t n, const char *y,
                                                     const char *scale);
/* What local memory has of the view is old. */
NN__OPENCL_PRIVATE void nn__opencl_chain_forget(nn__opencl_chain_writer *w, const nn_view *view);

typedef struct nn__opencl_chain_text {
    nn__opencl_chain *chain;
    nn__opencl_phase phase;
} nn__opencl_chain_text;
/* user: a nn__opencl_chain_text. The kernel is nn_chain. */
NN__OPENCL_PRIVATE char *nn__opencl_chain_make(nn__opencl *device, const void *user,
                                               size_t *bytes);
/* kernels/update/opencl.c: the numbers of a step, nine for Adam and six for SGD. */
NN__OPENCL_PRIVATE void nn__opencl_update_numbers(nn__opencl_launch *launch,
                                                  const nn_update_args *args);
