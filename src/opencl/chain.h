/* opencl/chain.h - a chain: calls of several kernels that run as one. It is used by the files that
   select and run it (chain.c) and those that write its text (chain_text.c). */
#pragma once

#include "kernels/pointwise/opencl.h"

#define NN__CHAIN_CALLS    96
#define NN__CHAIN_STORAGES 160
#define NN__CHAIN_BUFFERS  8  /* a buffer's number is in the upper bits of a place argument, */
#define NN__CHAIN_PLACE    29 /* so inputs may be bound to any buffer without new text */
#define NN__CHAIN_WIDTH    128 /* maximum width of a layer */
#define NN__CHAIN_GROUPS   256 /* most work-groups of a chain by rows that leaves partial sums */
#define NN__CHAIN_LANES    256 /* maximum work-items of a work-group */
#define NN__CHAIN_ROWS     1024 /* most rows of a chain in one work-group */

/* True if work-groups always have NN__CHAIN_LANES work-items, so the text can rely on it. */
static inline NN__OPENCL_UNUSED bool nn__opencl_chain_is_wide(const nn__opencl *device) {
    return device->gpu && device->group >= NN__CHAIN_LANES;
}

/* A chain with little work is one kernel in one work-group. Any other chain is split by rows: each
   work-group processes some rows, and stores a partial result of every sum over rows. A second
   kernel adds the partial sums in order, and does the calls that need the sums. A call of such a
   chain is one of these: */
typedef enum nn__opencl_link {
    NN__LINK_NONE,
    NN__LINK_ROWS,   /* row i of its result depends on row i of earlier results */
    NN__LINK_NUMBER, /* one number that depends on no row: each work-group computes it */
    NN__LINK_SUMS,   /* several sums over the rows */
    NN__LINK_TOTAL,  /* one number, a sum over the rows */
    NN__LINK_LAST    /* depends on sums over the rows */
} nn__opencl_link;

/* The variants of the kernel: the whole chain in one work-group; the rows; the rest; several runs
   of the whole chain. */
typedef enum nn__opencl_phase {
    NN__PHASE_ALL,
    NN__PHASE_ROWS,
    NN__PHASE_REST,
    NN__PHASE_RUNS /* as ALL, several runs in sequence */
} nn__opencl_phase;
#define NN__CHAIN_PHASES 4
static inline NN__OPENCL_UNUSED bool nn__opencl_phase_is_whole(nn__opencl_phase phase) {
    return phase == NN__PHASE_ALL || phase == NN__PHASE_RUNS;
}

/* The place of a view. Views with the same handle and offset share a storage. */
typedef struct nn__opencl_storage {
    const void *handle;
    uint64_t offset;   /* in bytes */
    int8_t buffer;     /* number of its buffer */
    uint8_t made;      /* nn__opencl_link of the writing call; NONE: an operand from outside */
    bool read, written; /* in the text since the last barrier */
    bool whole;         /* every work-group reads all of it */
    bool own;           /* written by the chain; the text contains its buffer's number */
    bool aligned;       /* an operand of a product with rows of whole float4, aligned to 16 bytes */
    bool parted;        /* `part` is used */
    int32_t part; /* floats before its partial sums, or before its copy in each group */
} nn__opencl_storage;

typedef struct nn__opencl_runs nn__opencl_runs; /* see opencl/chain_runs.c */

/* A view of a call when the chain was prepared. */
#define NN__CHAIN_KNOWN 256
typedef struct nn__opencl_known {
    const nn_view *view;
    nn_shape shape;
    int storage;
} nn__opencl_known;

typedef struct nn__opencl_chain {
    nn__opencl *device;
    const nn_call *calls; /* the calls of the current run or prepare */
    int count;
    bool by_rows;
    uint32_t rows; /* 0: not known yet */
    nn__opencl_storage storages[NN__CHAIN_STORAGES];
    int storage_count;
    const void *buffers[NN__CHAIN_BUFFERS];
    int buffer_count;
    uint8_t link[NN__CHAIN_CALLS];
    uint32_t parts;  /* floats of partial results of a group */
    /* Place among the first group's partial results: whether the status word was set before. The
       second kernel reads this copy, because another work-group may be writing the word. */
    uint32_t fault;
    nn_view status;  /* shared by all calls that have one */
    int numbers;     /* bytes of all arguments that are not views */
    int pieces;      /* of all strided copies */
    double work;     /* approximate flops */
    const char *why; /* why the next call is not part of the chain */
    uint64_t keys[NN__CHAIN_PHASES];
    nn__opencl_runs *runs; /* NULL: several runs were never collected */
    nn__opencl_known known[NN__CHAIN_KNOWN];
    int known_count; /* 0: the chain is not prepared */
    /* At the largest batch, for which local memory is sized: most: rows of each product; piece:
       rows that a work-group takes at once. */
    uint32_t most[NN__CHAIN_CALLS], piece;
} nn__opencl_chain;

/* The present views of a call. count may exceed the size of the arrays; such calls are refused. */
typedef struct nn__opencl_chain_views {
    const nn_view *view[NN__CHAIN_STORAGES];
    bool written[NN__CHAIN_STORAGES];
    int count;
} nn__opencl_chain_views;
NN__OPENCL_PRIVATE void nn__opencl_chain_list(const nn_call *call, nn__opencl_chain_views *views);
/* Returns the index of the view's storage; -1: absent. */
NN__OPENCL_PRIVATE int nn__opencl_chain_find(const nn__opencl_chain *chain, const nn_view *view);

/* opencl/chain_judge.c: fills the chain, and returns how many of the first calls can be part of
   it. */
NN__OPENCL_PRIVATE int nn__opencl_chain_look(nn__opencl_chain *chain, const nn_call *calls,
                                             int count, bool by_rows);
/* Questions about a view while calls are selected: may every work-group read all of it (whole)? May
   a work-group read its own rows (rows), or one number (number)? Which kind of call writes it
   (made)? makes: records that a call writes it, with `parts` partial sums. height: is this the
   chain's number of rows? status: is this the chain's status word? */
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
/* opencl/chain_follow.c. know: remembers the prepared chain. follow: takes over new places of
   operands; false: more has changed, and the chain must be prepared again. */
NN__OPENCL_PRIVATE void nn__opencl_chain_know(nn__opencl_chain *chain);
NN__OPENCL_PRIVATE bool nn__opencl_chain_follow(nn__opencl_chain *chain, const nn_call *calls);
/* opencl/chain_words.c: writes the functions that every text contains. */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_words(nn__opencl_writer *w);

/* ---- who writes the text --------------------------------------------------------------------- */

#define NN__CHAIN_ENTRIES 64
#define NN__CHAIN_TOUCHES 24

/* An operand in local memory, from float `at` on. Rows are `stride` floats apart. */
typedef struct nn__opencl_chain_entry {
    int storage, held; /* held: the last call that needs it there */
    uint32_t at, floats, stride, width;
} nn__opencl_chain_entry;

typedef struct nn__opencl_chain_writer {
    nn__opencl_writer out;
    nn__opencl_chain *chain;
    nn__opencl_phase phase;
    char names[16][12]; /* a ring buffer, since a line may need several */
    int name;
    nn__opencl_chain_entry entries[NN__CHAIN_ENTRIES];
    int entry_count;
    uint32_t room, deepest; /* floats of local memory: available, used */
    size_t patch;           /* where the text states the used size */
    int word;               /* 32-bit words of one run's arguments so far, for NN__PHASE_RUNS */
    struct {
        uint32_t begin, end;
        bool written;
    } touches[NN__CHAIN_TOUCHES]; /* accesses to local memory since the last barrier */
    int touch_count;
} nn__opencl_chain_writer;

/* Returns the pointer's name for a view in the text; "0" if it is absent. */
NN__OPENCL_PRIVATE const char *nn__opencl_chain_name(nn__opencl_chain_writer *w,
                                                     const nn_view *view);
/* Returns where the view's partial sums begin. */
NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_part(const nn__opencl_chain_writer *w,
                                                  const nn_view *view);
/* Returns the view's storage; NULL: absent. */
NN__OPENCL_PRIVATE const nn__opencl_storage *
nn__opencl_chain_storage(const nn__opencl_chain_writer *w, const nn_view *view);
/* Returns the rows that the work-group processes: all m of call i, or a piece of the chain's
   rows. */
NN__OPENCL_PRIVATE const char *nn__opencl_chain_range(const nn__opencl_chain_writer *w, int i,
                                                      char *text, size_t size);

/* The functions for a kind of call in a chain. */
typedef struct nn__opencl_chain_kind {
    void (*list)(const void *args, nn__opencl_chain_views *views); /* lists its views */
    /* decides whether the call can be part of the chain */
    nn__opencl_link (*judge)(nn__opencl_chain *chain, const void *args);
    /* hashes what the text depends on besides the views */
    uint64_t (*key)(const nn__opencl_chain *chain, const void *args, uint64_t key);
    /* passes its numbers as arguments; put_numbers names them in the text, in the same order */
    void (*give)(nn__opencl_launch *launch, const void *args);
    void (*put_numbers)(nn__opencl_chain_writer *w, int i, const void *args);
    void (*put)(nn__opencl_chain_writer *w, int i, const void *args); /* writes its work */
    /* writes how the second kernel completes its sums; NULL: no sums */
    void (*finish)(nn__opencl_chain_writer *w, int i, const void *args);
    /* returns its status word and the step number of a fault; NULL: none */
    const nn_view *(*status)(const void *args, uint32_t *step);
    /* returns the name of the fault that single rows may have, and in *at the result with which the
       mark is stored; NULL: none */
    const char *(*fault)(const void *args, const nn_view **at);
} nn__opencl_chain_kind;

/* opencl/chain_kinds.c. NULL: such a call cannot be part of a chain. */
NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_kind_of(const nn_call *call);
NN__OPENCL_PRIVATE const char *nn__opencl_chain_fault_of(const nn_call *call, const nn_view **at);
NN__OPENCL_PRIVATE const nn_view *nn__opencl_chain_status_of(const nn_call *call, uint32_t *step);
/* Returns the step number of the run, for the status word. */
NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_step(const nn__opencl_chain *chain);
/* The kinds by file: chain_product.c, chain_pointwise.c, chain_sums.c (NULL: another reduction),
   chain_rows.c, chain_index.c, chain_loss.c and chain_update.c. */
NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_product(void);
NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_pointwise(void);
NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_sums(const nn_call *call);
NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_of_rows(const nn_call *call);
NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_index(const nn_call *call);
NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_loss(const nn_call *call);
NN__OPENCL_PRIVATE const nn__opencl_chain_kind *nn__opencl_chain_update(const nn_call *call);

/* Writes the addition of all groups' partial sums. */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_left(nn__opencl_chain_writer *w, const nn_view *y,
                                                  const char *scale);
/* For results of single rows. is_of_rows: is this a call of chain_rows.c or chain_index.c? fits: is
   the view small enough, with the chain's rows? each: results in a row. put_loop: begins a loop
   over them. rows_numbers: declares the number m. */
NN__OPENCL_PRIVATE bool nn__opencl_chain_is_of_rows(const nn_call *call);
NN__OPENCL_PRIVATE bool nn__opencl_kind_fits(nn__opencl_chain *chain, const nn_view *view);
NN__OPENCL_PRIVATE uint32_t nn__opencl_kind_each(const nn__opencl_chain *chain, int64_t count);
NN__OPENCL_PRIVATE void nn__opencl_kind_put_loop(nn__opencl_chain_writer *w, int i, uint32_t each);
NN__OPENCL_PRIVATE void nn__opencl_kind_rows_numbers(nn__opencl_chain_writer *w, int i,
                                                     const void *args);
/* opencl/chain_index.c: writes how a fault is handled that the float wrongI marks. In the second
   kernel, the marks of all groups are checked. */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_fault(nn__opencl_chain_writer *w, int i);
/* opencl/chain_row_words.c: writes the functions for results of single rows. */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_row_words(nn__opencl_writer *w);

/* opencl/chain_numbers.c. Declares a number of call i: "m3", "f3_0". */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_one(nn__opencl_chain_writer *w, const char *type,
                                                 const char *letters, int i);
NN__OPENCL_PRIVATE void nn__opencl_chain_put_float(nn__opencl_chain_writer *w, const char *type,
                                                   int i, int k);
/* put_parameters: writes the kernel's head up to the last parameter. put_run: writes the head of
   the loop over several runs. */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_parameters(nn__opencl_chain_writer *w);
NN__OPENCL_PRIVATE void nn__opencl_chain_put_run(nn__opencl_chain_writer *w);
/* Encodes a view's place as an argument: its offset in floats, and the buffer's number unless the
   text contains it. */
static inline NN__OPENCL_UNUSED uint32_t
nn__opencl_chain_place(const nn__opencl_storage *storage) {
    return (uint32_t)(storage->offset / 4) +
           (storage->own ? 0 : (uint32_t)storage->buffer << NN__CHAIN_PLACE);
}

/* opencl/chain_runs.c: several runs in one launch. hold: the backend's chain_hold. note: collects
   the run; false: it must run now. end: launches the collected runs. */
NN__OPENCL_PRIVATE int32_t nn__opencl_runs_hold(void *state, void *made, int32_t runs);
NN__OPENCL_PRIVATE bool nn__opencl_runs_note(nn__opencl_chain *chain, nn_result *result);
NN__OPENCL_PRIVATE nn_result nn__opencl_runs_end(nn__opencl_chain *chain);
NN__OPENCL_PRIVATE void nn__opencl_runs_free(nn__opencl_chain *chain);

/* opencl/chain_cache.c. nn__opencl_chain_put_next writes a barrier. meets: does an access to a
   range of local memory conflict with accesses since the last barrier? touch: records an access. */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_next(nn__opencl_chain_writer *w);
NN__OPENCL_PRIVATE bool nn__opencl_chain_meets(const nn__opencl_chain_writer *w, uint32_t begin,
                                               uint32_t end, bool writes);
NN__OPENCL_PRIVATE void nn__opencl_chain_touch(nn__opencl_chain_writer *w, uint32_t begin,
                                               uint32_t end, bool writes);
NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_stride(uint32_t width);
NN__OPENCL_PRIVATE int nn__opencl_chain_next_use(const nn__opencl_chain_writer *w, int storage,
                                                 int from);
/* Returns the floats of local memory for operands. A chain by rows gets less, so that several
   work-groups fit on a compute unit. */
NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_room(const nn__opencl *device, nn__opencl_phase phase);
/* entry_of: NULL if the operand is not in local memory. enter: NULL if there is no room. */
NN__OPENCL_PRIVATE nn__opencl_chain_entry *nn__opencl_chain_entry_of(nn__opencl_chain_writer *w,
                                                                     int storage, uint32_t width);
NN__OPENCL_PRIVATE nn__opencl_chain_entry *nn__opencl_chain_enter(nn__opencl_chain_writer *w,
                                                                  int storage, uint32_t rows,
                                                                  uint32_t width, int call,
                                                                  int use);
NN__OPENCL_PRIVATE uint32_t nn__opencl_chain_hole(const nn__opencl_chain_writer *w,
                                                  uint32_t floats);

/* opencl/chain_tiles.c: products and column sums on GPUs. */
NN__OPENCL_PRIVATE void nn__opencl_chain_put_tile_words(nn__opencl_writer *w);
NN__OPENCL_PRIVATE void nn__opencl_chain_put_product(nn__opencl_chain_writer *w, int i,
                                                     const nn_gemm_args *g);
NN__OPENCL_PRIVATE void nn__opencl_chain_put_columns(nn__opencl_chain_writer *w, int i,
                                                     const nn_view *x, uint32_t n, const char *y,
                                                     const char *scale);
/* Drops copies of the view from local memory, because it is overwritten. */
NN__OPENCL_PRIVATE void nn__opencl_chain_forget(nn__opencl_chain_writer *w, const nn_view *view);

typedef struct nn__opencl_chain_text {
    nn__opencl_chain *chain;
    nn__opencl_phase phase;
} nn__opencl_chain_text;
/* user: an nn__opencl_chain_text. The kernel's name is nn_chain. */
NN__OPENCL_PRIVATE char *nn__opencl_chain_make(nn__opencl *device, const void *user,
                                               size_t *bytes);
/* kernels/update/opencl.c: passes the numbers of a step, nine for Adam and six for SGD. */
NN__OPENCL_PRIVATE void nn__opencl_update_numbers(nn__opencl_launch *launch,
                                                  const nn_update_args *args);
