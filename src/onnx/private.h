/* onnx/private.h - the inside of nn_onnx.h.

   A file is read once (wire.c, tensor.c, graph.c, open.c) into graphs of operators whose names and
   lists are in an arena; tensors stay views of the file's bytes. nn_onnx_net then walks the graph
   from the wanted outputs (walk.c, need.c): each operator is computed at once if its operands are
   known numbers (fold_*.c), and otherwise described by its mapping (map_*.c). The walk first
   describes a throw-away model. Only if that brought no refusal and no fault does it describe the
   user's.

   mapping.h has what the files map_*.c use. */
#pragma once

#include "onnx/onnx.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* As in nn.h: static in the drop-in. */
#if defined(__GNUC__) || defined(__TINYC__)
#define NN__ONNX_UNUSED __attribute__((unused))
#else
#define NN__ONNX_UNUSED
#endif
#ifdef NN_PRIVATE
#define NN__ONNX_PRIVATE NN_PRIVATE
#elif defined(NN_ONNX_IMPLEMENTATION)
#define NN__ONNX_PRIVATE static NN__ONNX_UNUSED
#elif defined(__GNUC__) && !defined(_WIN32)
#define NN__ONNX_PRIVATE extern __attribute__((visibility("hidden")))
#else
#define NN__ONNX_PRIVATE extern
#endif

#define NN__ONNX_RANK    8           /* most axes of known numbers; nodes have NN_MAX_RANK */
#define NN__ONNX_NESTED  32          /* most graphs inside each other, and calls of functions */
#define NN__ONNX_FOLDED  (16u << 20) /* most bytes of one computed tensor that is no weight */
#define NN__ONNX_MEMORY  (64u << 20) /* most bytes for a file, above three times its size */
#define NN__ONNX_MOST_IN 4096        /* most operands or results of a node */

/* ---- memory.c: an arena, the current call, a table of names ---------------------------------- */

typedef struct nn__onnx_block nn__onnx_block;
typedef struct nn__onnx_arena {
    nn_context *nn;
    nn__onnx_block *blocks;
    uint64_t taken, limit; /* bytes; limit 0: none */
} nn__onnx_arena;

/* The current call, for its errors. */
typedef struct nn__onnx_call {
    nn_context *nn;
    nn_site site;
    const char *name; /* "nn_open_onnx" */
    nn_result code;   /* NN_OK, or the code of its first error */
} nn__onnx_call;

/* A text that is made piece by piece and cut off at the end of its room. */
typedef struct nn__onnx_message {
    char text[1200];
    size_t length;
} nn__onnx_message;

/* Returns zeroed memory of the arena, or NULL after an error of the call. */
NN__ONNX_PRIVATE void *nn__onnx_take(nn__onnx_call *call, nn__onnx_arena *arena, uint64_t bytes);
NN__ONNX_PRIVATE void nn__onnx_free_arena(nn__onnx_arena *arena);
/* Copies bytes as a zero-terminated text; NULL: an error. */
NN__ONNX_PRIVATE const char *nn__onnx_copy_text(nn__onnx_call *call, nn__onnx_arena *arena,
                                                const char *text, size_t bytes);
/* Appends to a message. %s a text, %q a text in quotes (control characters become question marks,
   at most 80 bytes), %d an int64_t, %g a double. */
NN__ONNX_PRIVATE void nn__onnx_say(nn__onnx_message *message, const char *format, ...);
NN__ONNX_PRIVATE void nn__onnx_say_with(nn__onnx_message *message, const char *format,
                                        va_list *arguments);
/* Begins a message: "nn_open_onnx at main.c:12: ". */
NN__ONNX_PRIVATE void nn__onnx_say_call(nn__onnx_message *message, const nn__onnx_call *call);
/* Records the first error of a call. Returns false. */
NN__ONNX_PRIVATE bool nn__onnx_fail(nn__onnx_call *call, nn_result code, const char *format, ...);
/* Fails if a list of the desc has no array, a negative length, or a NULL in it. */
NN__ONNX_PRIVATE bool nn__onnx_check_texts(nn__onnx_call *call, const char *field, nn_texts list);
NN__ONNX_PRIVATE nn__onnx_call nn__onnx_begin(nn_context *nn, nn_site site, const char *name);

/* A table from texts to pointers; it grows in its arena. */
typedef struct nn__onnx_slot {
    const char *key;
    void *value;
} nn__onnx_slot;
typedef struct nn__onnx_map {
    nn__onnx_arena *arena;
    nn__onnx_slot *slots;
    uint32_t size, used; /* size: 0 or a power of two */
} nn__onnx_map;
NN__ONNX_PRIVATE void *nn__onnx_find(const nn__onnx_map *map, const char *key);
NN__ONNX_PRIVATE bool nn__onnx_set(nn__onnx_call *call, nn__onnx_map *map, const char *key,
                                   void *value);

/* ---- wire.c: protobuf ------------------------------------------------------------------------ */

/* A part of the file. */
typedef struct nn__onnx_bytes {
    const unsigned char *at;
    size_t size;
} nn__onnx_bytes;

/* Walks over the fields of a message. */
typedef struct nn__onnx_cursor {
    nn__onnx_bytes rest;
    uint32_t field;
    uint32_t wire;        /* 0 varint, 1 eight bytes, 2 length, 5 four bytes */
    uint64_t number;      /* of wires 0, 1 and 5 */
    nn__onnx_bytes bytes; /* of wire 2 */
    bool damaged;
} nn__onnx_cursor;
/* Goes to the next field. False: the end, or damaged. */
NN__ONNX_PRIVATE bool nn__onnx_next(nn__onnx_cursor *cursor);
static inline nn__onnx_cursor nn__onnx_walk_over(nn__onnx_bytes bytes) {
    nn__onnx_cursor cursor;
    memset(&cursor, 0, sizeof cursor);
    cursor.rest = bytes;
    return cursor;
}
/* Takes one varint off the front. False: damaged. */
NN__ONNX_PRIVATE bool nn__onnx_varint(nn__onnx_bytes *bytes, uint64_t *number);
/* Counts the numbers of a repeated field, packed and unpacked, and writes them if to is not NULL.
   size: bytes of a number; 0: varints. stored: to has little-endian numbers of this many bytes; 0:
   it has uint64_t. False: damaged. */
NN__ONNX_PRIVATE bool nn__onnx_repeated(nn__onnx_bytes message, uint32_t field, uint32_t size,
                                        void *to, uint32_t stored, uint64_t *count);
/* Writes the low bytes of a number, little-endian. */
static inline void nn__onnx_store(unsigned char *at, uint64_t bits, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; i++, bits >>= 8) at[i] = (unsigned char)(bits & 255);
}

/* ---- tensor.c, external.c: numbers that are known -------------------------------------------- */

/* ONNX's numbers of dtypes (TensorProto.DataType). */
typedef enum nn__onnx_type {
    NN__ONNX_NONE = 0,
    NN__ONNX_FLOAT = 1,
    NN__ONNX_UINT8 = 2,
    NN__ONNX_INT8 = 3,
    NN__ONNX_UINT16 = 4,
    NN__ONNX_INT16 = 5,
    NN__ONNX_INT32 = 6,
    NN__ONNX_INT64 = 7,
    NN__ONNX_STRING = 8,
    NN__ONNX_BOOL = 9,
    NN__ONNX_FLOAT16 = 10,
    NN__ONNX_DOUBLE = 11,
    NN__ONNX_UINT32 = 12,
    NN__ONNX_UINT64 = 13,
    NN__ONNX_COMPLEX64 = 14,
    NN__ONNX_COMPLEX128 = 15,
    NN__ONNX_BFLOAT16 = 16,
    NN__ONNX_FLOAT8 = 17, /* up to 20: the four formats of 8-bit floats */
    NN__ONNX_UINT4 = 21,
    NN__ONNX_INT4 = 22,
    NN__ONNX_FLOAT4 = 23
} nn__onnx_type;

/* The free extents in a whole number: it stands for number * batch^b * time^t. */
enum { NN__ONNX_B = 1, NN__ONNX_T = 2 };

/* Numbers that are known while the file is read: initializers, constants and everything that is
   computed from them and from shapes. Read them with nn__onnx_real and nn__onnx_whole. */
typedef struct nn__onnx_tensor {
    const char *name; /* of the initializer or the value; "" for none */
    nn__onnx_type dtype;
    int32_t rank;
    int64_t extent[NN__ONNX_RANK]; /* 0 is possible: there are no numbers then */
    uint64_t count;
    const unsigned char *data; /* little-endian, not aligned, of dtype; 4-bit ones are packed */
    const uint8_t *powers;     /* of each number, NN__ONNX_B | NN__ONNX_T; NULL: of none */
    bool uniform;              /* data has one number, which all of them are */
    bool stored;               /* in the file, or folded from numbers in it: a weight */
    const struct nn__onnx_origin *origin; /* the 8-bit numbers it was made of; NULL: none */
} nn__onnx_tensor;

NN__ONNX_PRIVATE const char *nn__onnx_type_name(nn__onnx_type type); /* "float16" */
/* Returns the bytes of a number; 0: strings, complex numbers, 4 bits. */
NN__ONNX_PRIVATE uint32_t nn__onnx_type_size(nn__onnx_type type);
static inline bool nn__onnx_is_float(nn__onnx_type type) {
    return type == NN__ONNX_FLOAT || type == NN__ONNX_FLOAT16 || type == NN__ONNX_DOUBLE ||
           type == NN__ONNX_BFLOAT16;
}
/* True for integers, bool not included. */
static inline bool nn__onnx_is_whole(nn__onnx_type type) {
    return (type >= NN__ONNX_UINT8 && type <= NN__ONNX_INT64) || type == NN__ONNX_UINT32 ||
           type == NN__ONNX_UINT64 || type == NN__ONNX_UINT4 || type == NN__ONNX_INT4;
}
/* Returns number i, of any dtype but strings and complex ones. Whole: truncated and clamped to
   int64. */
NN__ONNX_PRIVATE double nn__onnx_real(const nn__onnx_tensor *tensor, uint64_t i);
NN__ONNX_PRIVATE int64_t nn__onnx_whole(const nn__onnx_tensor *tensor, uint64_t i);
static inline uint8_t nn__onnx_power(const nn__onnx_tensor *tensor, uint64_t i) {
    return tensor->powers ? tensor->powers[tensor->uniform ? 0 : i] : (uint8_t)0;
}
/* Writes (x - zero) scale of elements [first, first + count) as f32.
   With step 1 each element has zeros and scales of its own; with step 0 all have the first. */
NN__ONNX_PRIVATE void nn__onnx_put_scaled(unsigned char *data, const nn__onnx_tensor *x,
                                          uint64_t first, uint64_t count, const double *zeros,
                                          const double *scales, int step);
/* Writes number i of data, rounding to the dtype. */
NN__ONNX_PRIVATE void nn__onnx_put_real(unsigned char *data, nn__onnx_type type, uint64_t i,
                                        double number);
NN__ONNX_PRIVATE void nn__onnx_put_whole(unsigned char *data, nn__onnx_type type, uint64_t i,
                                         int64_t number);
/* Makes a tensor with memory for its numbers, all zero, or for one if uniform; *data receives it.
   NULL: no memory, or more than NN__ONNX_FOLDED bytes; the call has the error. */
NN__ONNX_PRIVATE nn__onnx_tensor *nn__onnx_make(nn__onnx_call *call, nn__onnx_arena *arena,
                                                nn__onnx_type type, int32_t rank,
                                                const int64_t *extents, bool uniform,
                                                unsigned char **data);
/* Computes the product of extents; false if it is more than int64 holds or an extent is
   negative. */
NN__ONNX_PRIVATE bool nn__onnx_count(int32_t rank, const int64_t *extents, uint64_t *count);
NN__ONNX_PRIVATE nn__onnx_tensor *nn__onnx_read_tensor(nn_onnx *file, nn__onnx_call *call,
                                                       nn__onnx_bytes message);
/* Finds the bytes of external data: of `location`, from offset on. length 0: to the end. */
NN__ONNX_PRIVATE bool nn__onnx_external(nn_onnx *file, nn__onnx_call *call, const char *location,
                                        uint64_t offset, uint64_t length, nn__onnx_bytes *bytes);
NN__ONNX_PRIVATE void nn__onnx_close_external(nn_onnx *file);
/* Reads a whole file into memory of the context. False: *why says what went wrong. */
NN__ONNX_PRIVATE bool nn__onnx_slurp(nn_context *nn, const char *path, void **memory, size_t *size,
                                     const char **why);

/* ---- graph.c: the file's graphs -------------------------------------------------------------- */

typedef struct nn__onnx_graph nn__onnx_graph;

typedef struct nn__onnx_attribute {
    const char *name;
    int32_t type; /* AttributeProto.AttributeType: 1 float, 2 int, 3 string, 4 tensor, 5 graph,
                     6 floats, 7 ints, 8 strings */
    double real;
    int64_t whole;
    const char *text;
    const nn__onnx_tensor *tensor;
    nn__onnx_graph *graph;
    const char *reference; /* inside a function: the attribute of its call that is meant; else "" */
    uint32_t count;        /* of the lists */
    const double *reals;
    const int64_t *wholes;
    const char **texts;
} nn__onnx_attribute;

/* A node of the file. */
typedef struct nn__onnx_op {
    const char *type, *domain, *name; /* domain "" is ai.onnx; name may be "" */
    const char **inputs, **outputs;   /* "": left out */
    nn__onnx_attribute *attributes;
    int32_t input_count, output_count, attribute_count;
    int32_t index; /* in its graph, in the order of the file */
    bool needed;   /* by the outputs, as the trial found */
} nn__onnx_op;

/* An input or output: extents are numbers, or -1 for free ones, whose names may be "". */
typedef struct nn__onnx_info {
    const char *name;
    nn__onnx_type dtype; /* NN__ONNX_NONE: no tensor, or not said */
    int32_t rank;        /* -1: not said */
    int64_t extent[NN__ONNX_RANK];
    const char *free[NN__ONNX_RANK];
} nn__onnx_info;

struct nn__onnx_graph {
    const char *name;
    nn__onnx_op *ops;
    nn__onnx_tensor **initializers;
    nn__onnx_info *inputs, *outputs; /* inputs: without those that are initializers */
    int32_t op_count, initializer_count, input_count, output_count;
    nn__onnx_map producers; /* output name to op; filled by graph.c */
};

/* A local function. Its body is a graph whose inputs and outputs have names alone. */
typedef struct nn__onnx_function {
    const char *name, *domain;
    nn__onnx_graph body;
    nn__onnx_attribute *defaults; /* attributes with values */
    int32_t default_count;
    int32_t opset; /* of ai.onnx; 0: the file's */
} nn__onnx_function;

/* Reads a GraphProto. depth: how many graphs are around it. NULL: an error. */
NN__ONNX_PRIVATE nn__onnx_graph *nn__onnx_read_graph(nn_onnx *file, nn__onnx_call *call,
                                                     nn__onnx_bytes message, int depth);
/* Reads a FunctionProto. */
NN__ONNX_PRIVATE bool nn__onnx_read_function(nn_onnx *file, nn__onnx_call *call,
                                             nn__onnx_bytes message, nn__onnx_function *function);
/* Reads a string field of a file as text in its arena; NULL: an error. */
NN__ONNX_PRIVATE const char *nn__onnx_read_text(nn_onnx *file, nn__onnx_call *call,
                                                nn__onnx_bytes bytes);

/* ---- open.c ---------------------------------------------------------------------------------- */

typedef struct nn__onnx_opset {
    const char *domain;
    int64_t version;
} nn__onnx_opset;

typedef struct nn__onnx_extra nn__onnx_extra; /* an external file in memory */
typedef struct nn__onnx_described nn__onnx_described;

struct nn_onnx {
    nn_context *nn;
    void *owned; /* nn_own's handle */
    nn__onnx_arena arena;
    nn__onnx_bytes bytes; /* the whole file */
    void *memory;         /* what bytes are in, if it is ours */
    const char *path;     /* "" for a file in memory */
    const char *label;    /* of messages: the name without folders */
    const char *producer, *producer_version;
    int64_t ir_version;
    nn__onnx_opset *opsets;
    nn__onnx_function *functions;
    const char **metadata; /* key, value, key ... */
    int32_t opset_count, function_count, metadata_count;
    nn__onnx_graph *graph;
    uint64_t narrow;   /* numbers of at most 8 bits in tensors: their f32 values take more */
    nn__onnx_map uses; /* of each name, in all graphs: a number in the place of a pointer */
    nn__onnx_extra *extras;
    nn__onnx_described *described; /* by nn_onnx_net, newest first */
    const struct nn__onnx_integers *integers; /* integers.h, once nn_onnx_integers was called */
};

/* ---- walk.c, need.c: from a graph to nodes --------------------------------------------------- */

/* A value of the graph. It is known, or it has a node, or both once a node was made of it. */
typedef struct nn__onnx_arranged nn__onnx_arranged; /* see arranged.c */
typedef struct nn__onnx_value {
    const char *name;
    nn__onnx_type dtype;          /* in ONNX; the node's may be another one, see nn__onnx_x */
    const nn__onnx_tensor *known; /* NULL: computed by the net */
    nn_node *node;                /* of a computed value */
    nn_node *as_f32, *as_i32;     /* once they were asked for */
    const nn__onnx_arranged *arranged; /* a node's elements in another order; or NULL */
    struct nn__onnx_bytes_of *bytes; /* of nn_onnx_integers: node has its shape alone */
    bool is_real;                 /* with bytes: it was dequantised again */
    bool refused;                 /* follows from a refusal, about which nothing more is said */
    bool absent;                  /* a function's operand that its call leaves out */
} nn__onnx_value;

/* The values of a graph that is being walked; those of the graphs around it are seen, too. */
typedef struct nn__onnx_scope {
    struct nn__onnx_scope *outer;
    const nn__onnx_graph *graph;
    nn__onnx_map values;
    uint8_t *states;         /* of each op: 0, 1 is asked for, 2 done */
    const nn__onnx_op *call; /* of a function's body: the attributes that it refers to ... */
    const nn__onnx_function *function;
    const struct nn__onnx_scope *caller; /* ... as they are in this scope */
    int32_t opset;                       /* of ai.onnx */
    int32_t depth;
} nn__onnx_scope;

typedef struct nn__onnx_node nn__onnx_node; /* see mapping.h */

/* One reason why a file is not supported. */
typedef struct nn__onnx_refusal {
    struct nn__onnx_refusal *next;
    const char *type;    /* of the operator; "" for inputs */
    const char *subject; /* "NonZero "nz" (opset 13)" */
    const char *cause, *fix;
    int32_t more; /* further nodes of this operator with this cause */
} nn__onnx_refusal;

/* A tensor that nn_load_onnx_weights sets, or a constant that has its numbers already. */
typedef struct nn__onnx_weight {
    struct nn__onnx_weight *next;
    const char *name; /* in the net */
    const nn__onnx_tensor *from;
    nn_tensor *source; /* of a constant, until the net has its copy */
    bool constant, buffer; /* neither: a parameter */
} nn__onnx_weight;

/* An input or output of a described net. */
typedef struct nn__onnx_end {
    struct nn__onnx_end *next;
    const char *name;
    nn_node *node;
} nn__onnx_end;

/* What a call of nn_onnx_net has described. */
struct nn__onnx_described {
    struct nn__onnx_described *next;
    nn_model *net;
    nn__onnx_arena arena; /* of the walk: known numbers that weights come from */
    nn__onnx_weight *weights, **last_weight;
    nn__onnx_end *ends;
};

typedef struct nn__onnx_walk {
    nn__onnx_call *call;
    nn_onnx *file;
    nn_model *net; /* of the trial, or the user's */
    nn_site site;
    bool trial;
    const char *prefix; /* "vad." or "" */
    nn__onnx_described *described;
    nn__onnx_arena *arena; /* described->arena */
    nn__onnx_map names;    /* all names that were given, see names.c */
    nn__onnx_map layers;   /* the layers among them */
    nn__onnx_map extents;  /* free extents by name: int32_t * */
    nn__onnx_refusal *refusals, **last_refusal;
    int32_t refusal_count;
    const char *const *outputs; /* that the user named, up to output_count or NULL */
    int32_t output_count;
    bool frozen_batch_norms;
    uint64_t live_before; /* bytes of the context when it began */
} nn__onnx_walk;

/* Writes name, cleaned, shortened and unique, with the prefix: "vad.conv1". NULL: no memory. */
NN__ONNX_PRIVATE const char *nn__onnx_unique(nn__onnx_walk *walk, const char *name);
/* Adds a refusal. type: of the operator; "" for an input. Returns false. */
NN__ONNX_PRIVATE bool nn__onnx_add_refusal(nn__onnx_walk *walk, const char *type,
                                           const char *subject, const char *cause, const char *fix);
/* Returns a value of this scope or one around it, if it is computed already. */
NN__ONNX_PRIVATE nn__onnx_value *nn__onnx_see(const nn__onnx_scope *scope, const char *name);
/* Adds a value to a scope; it is not known and has no node yet. NULL: no memory. */
NN__ONNX_PRIVATE nn__onnx_value *nn__onnx_add_value(nn__onnx_walk *walk, nn__onnx_scope *scope,
                                                    const char *name);
/* Returns how often nodes, graphs and the user read a value. */
NN__ONNX_PRIVATE int64_t nn__onnx_uses(const nn__onnx_walk *walk, const char *name);
/* Begins a scope for a graph: its initializers are values. NULL: no memory, or nested too deep,
   which is refused for n (NULL: the file's graph). */
NN__ONNX_PRIVATE nn__onnx_scope *nn__onnx_begin_scope(nn__onnx_walk *walk, nn__onnx_node *n,
                                                      nn__onnx_scope *outer,
                                                      const nn__onnx_graph *graph);
/* Computes or describes a value, after all that it needs. NULL: an error of the call. A value that
   cannot be computed or described is `refused`. */
NN__ONNX_PRIVATE nn__onnx_value *nn__onnx_need(nn__onnx_walk *walk, nn__onnx_scope *scope,
                                               const char *name);
/* False, with an error of the call: the trial takes more memory than a file may ask for. Loops and
   functions can write out more nodes than anyone has room for. */
NN__ONNX_PRIVATE bool nn__onnx_within_limits(nn__onnx_walk *walk);
/* Computes or describes the outputs of one node, whose operands are there. False: an error of the
   call. */
NN__ONNX_PRIVATE bool nn__onnx_do(nn__onnx_walk *walk, nn__onnx_scope *scope,
                                  const nn__onnx_op *op);
/* Finds the free extents of an extent: extent = number * batch^b * time^t. */
NN__ONNX_PRIVATE int64_t nn__onnx_split_extent(int32_t extent, uint8_t *powers);
/* The inverse: returns the extent, or 0 if a shape cannot hold it. */
NN__ONNX_PRIVATE int32_t nn__onnx_join_extent(int64_t number, uint8_t powers);
/* Returns a value, known or computed, as a node of dtype NN_F32 or NN_I32, or NN_DTYPE_DEFAULT: as
   it is. */
NN__ONNX_PRIVATE nn_node *nn__onnx_node_of(nn__onnx_node *n, nn__onnx_value *value, nn_dtype dtype);
/* ---- weights.c ------------------------------------------------------------------------------- */

/* Frees the first copies of constants of which the net has its own, or that are of a freed net. */
NN__ONNX_PRIVATE void nn__onnx_free_sources(nn__onnx_described *described);

/* ---- refuse.c -------------------------------------------------------------------------------- */

/* Returns the kind of an operator of ONNX that no mapping can express; 0: it is not one. */
NN__ONNX_PRIVATE int nn__onnx_foreign_kind(const nn__onnx_op *op);
/* Refuses an operator that has no mapping in the tables. */
NN__ONNX_PRIVATE void nn__onnx_refuse_foreign(nn__onnx_node *n);
/* Refuses a node because of the newest fault of the trial's model. */
NN__ONNX_PRIVATE void nn__onnx_refuse_fault(nn__onnx_node *n);

/* ---- control.c, loops.c ---------------------------------------------------------------------- */

/* Does If, Loop, Scan and calls of the file's functions. *done: it was one of these. False: an
   error of the call. */
NN__ONNX_PRIVATE bool nn__onnx_control(nn__onnx_node *n, bool *done);
/* True if the node is one of these. */
NN__ONNX_PRIVATE bool nn__onnx_is_control(const nn__onnx_node *n);
/* These return when the node is done or refused, or after an error of the call. */
NN__ONNX_PRIVATE void nn__onnx_do_loop(nn__onnx_node *n);
NN__ONNX_PRIVATE void nn__onnx_do_scan(nn__onnx_node *n);
/* Returns the graph of an attribute; NULL: there is none, and the node is refused. */
NN__ONNX_PRIVATE const nn__onnx_graph *nn__onnx_graph_of(nn__onnx_node *n, const char *name);
/* Makes a value result k, under the name of that result. */
NN__ONNX_PRIVATE void nn__onnx_give_value(nn__onnx_node *n, int k, const nn__onnx_value *value);
/* Puts a value into a scope under another name; NULL: an operand that is left out. */
NN__ONNX_PRIVATE bool nn__onnx_bind_value(nn__onnx_node *n, nn__onnx_scope *scope, const char *name,
                                          const nn__onnx_value *from);
