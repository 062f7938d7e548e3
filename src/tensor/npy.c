/* tensor/npy.c - reads and writes .npy: a magic number, the length of the header, the header (a
   Python dictionary with three keys), the numbers. Fortran order, other dtypes, and a length
   that differs from the header's are errors. */
#include "tensor/private.h"

#ifndef NN_NO_FILES

#define NN__NPY_HEADER 4096 /* longest header; NumPy's own are about 100 bytes */

typedef struct nn__npy_type {
    nn_dtype dtype;
    char kind, size;
} nn__npy_type;

static const nn__npy_type nn__npy_types[] = {
    {NN_F16, 'f', '2'}, {NN_F32, 'f', '4'}, {NN_F64, 'f', '8'},
    {NN_I8, 'i', '1'},  {NN_I16, 'i', '2'}, {NN_I32, 'i', '4'},
    {NN_I64, 'i', '8'}, {NN_U8, 'u', '1'},  {NN_BOOL, 'b', '1'},
};

typedef struct nn__npy_file {
    nn__reading in;
    uint64_t start; /* where the numbers begin */
    nn_dtype dtype;
    bool big; /* most significant byte first */
    nn_shape shape;
    bool has_descr, has_order, has_shape;
    bool told; /* the reason for refusing it is already reported */
} nn__npy_file;

static bool nn__npy_fail(nn__npy_file *file, const char *what) {
    file->told = true;
    nn__fail_at(file->in.nn, file->in.site, NN_ERROR_FORMAT, "nn_load_npy: \"%s\": %s",
                file->in.path, what);
    return false;
}

/* ---- the header: {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } ----------------- */

static const char *nn__npy_skip(const char *at) {
    while (*at == ' ' || *at == '\n' || *at == '\t') at++;
    return at;
}

/* Returns the text after `word`; NULL if `word` does not come next. */
static const char *nn__npy_word(const char *at, const char *word) {
    size_t length = strlen(word);
    at = nn__npy_skip(at);
    return strncmp(at, word, length) == 0 ? at + length : NULL;
}

/* Returns a text in either kind of quotes, without escapes. */
static const char *nn__npy_text(const char *at, char *text, size_t size) {
    char quote;
    size_t length = 0;
    at = nn__npy_skip(at);
    quote = *at++;
    if (quote != '\'' && quote != '"') return NULL;
    while (*at && *at != quote && *at != '\\' && length + 1 < size) text[length++] = *at++;
    text[length] = 0;
    return *at == quote ? at + 1 : NULL;
}

static const char *nn__npy_descr(nn__npy_file *file, const char *at) {
    char text[16], message[128];
    at = nn__npy_text(at, text, sizeof text);
    if (!at) {
        nn__npy_fail(file, "its 'descr' is no simple dtype; fields and records cannot be read");
        return NULL;
    }
    for (size_t i = 0; i < sizeof nn__npy_types / sizeof *nn__npy_types; i++) {
        const nn__npy_type *type = &nn__npy_types[i];
        if (strchr("<>|=", text[0]) == NULL || text[0] == 0 || text[1] != type->kind ||
            text[2] != type->size || text[3])
            continue;
        if (type->size != '1' && text[0] == '|') continue;
        file->dtype = type->dtype;
        file->big = text[0] == '>' || (text[0] == '=' && !nn__host_is_little());
        return at;
    }
    nn__format(message, sizeof message,
               "its dtype '%s' cannot be read; wanted f2 f4 f8 i1 i2 i4 i8 u1 or b1: save "
               "a.astype(numpy.float32)",
               text);
    nn__npy_fail(file, message);
    return NULL;
}

static const char *nn__npy_shape(nn__npy_file *file, const char *at) {
    at = nn__npy_word(at, "(");
    if (!at) return NULL;
    for (at = nn__npy_skip(at); *at != ')'; at = nn__npy_skip(at)) {
        int64_t extent = 0;
        if (*at < '0' || *at > '9') return NULL;
        for (; *at >= '0' && *at <= '9'; at++) {
            if (extent <= INT32_MAX) extent = extent * 10 + (*at - '0');
        }
        if (extent < 1 || extent > INT32_MAX || file->shape.rank == NN_MAX_RANK) {
            char message[96];
            nn__format(message, sizeof message,
                       "its shape has %s; wanted at most %d extents of 1 to %d",
                       extent < 1           ? "an extent of 0"
                       : extent > INT32_MAX ? "too large an extent"
                                            : "too many extents",
                       NN_MAX_RANK, INT32_MAX);
            nn__npy_fail(file, message);
            return NULL;
        }
        file->shape.extent[file->shape.rank++] = (int32_t)extent;
        if (*at == 'L') at++; /* Python 2 wrote long integers with an L. */
        at = nn__npy_skip(at);
        if (*at == ',')
            at++;
        else if (*at != ')')
            return NULL;
    }
    return at + 1;
}

/* Parses one entry; NULL: refused, perhaps not yet reported. */
static const char *nn__npy_entry(nn__npy_file *file, const char *at) {
    char key[16];
    at = nn__npy_text(at, key, sizeof key);
    if (at) at = nn__npy_word(at, ":");
    if (!at) return NULL;
    if (strcmp(key, "descr") == 0 && !file->has_descr) {
        file->has_descr = true;
        return nn__npy_descr(file, at);
    }
    if (strcmp(key, "shape") == 0 && !file->has_shape) {
        file->has_shape = true;
        return nn__npy_shape(file, at);
    }
    if (strcmp(key, "fortran_order") != 0 || file->has_order) return NULL;
    file->has_order = true;
    if (nn__npy_word(at, "False")) return nn__npy_word(at, "False");
    if (nn__npy_word(at, "True"))
        nn__npy_fail(file, "it is in Fortran order; save numpy.ascontiguousarray(a)");
    return NULL;
}

static bool nn__npy_parse(nn__npy_file *file, const char *text) {
    const char *at = nn__npy_word(text, "{");
    while (at && *nn__npy_skip(at) != '}') {
        at = nn__npy_entry(file, at);
        if (!at) break;
        at = nn__npy_skip(at);
        if (*at == ',')
            at++;
        else if (*at != '}')
            at = NULL;
    }
    if (at && *nn__npy_skip(nn__npy_skip(at) + 1) == 0 && file->has_descr && file->has_order &&
        file->has_shape)
        return true;
    if (!file->told)
        nn__npy_fail(file,
                     "its header is not {'descr': ..., 'fortran_order': ..., 'shape': (...)}");
    return false;
}

static bool nn__npy_check_size(nn__npy_file *file) {
    char text[NN__SHAPE_TEXT];
    const uint64_t bytes = nn__shape_bytes(&file->shape, file->dtype, 1, 1);
    nn__format_shape(file->shape, text, sizeof text);
    if (!bytes || bytes > UINT64_MAX - file->start)
        return nn__npy_fail(file, "its shape needs more than any memory");
    if (file->in.size == file->start + bytes) return true;
    nn__fail_at(file->in.nn, file->in.site, NN_ERROR_FORMAT,
                "nn_load_npy: \"%s\" is %s: %s %s needs %llu bytes, the file has %llu",
                file->in.path, file->in.size < file->start + bytes ? "truncated" : "too long", text,
                nn_dtype_name(file->dtype), (unsigned long long)(file->start + bytes),
                (unsigned long long)file->in.size);
    return false;
}

static bool nn__npy_read_header(nn__npy_file *file) {
    static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    unsigned char head[12];
    char text[NN__NPY_HEADER + 1];
    size_t length, before;
    memset(head, 0, sizeof head);
    if (file->in.size < 10 || !nn__reading_at(&file->in, 0, head, 10) ||
        memcmp(head, magic, sizeof magic) != 0)
        return nn__npy_fail(file, "this is not a .npy file: it does not begin with \\x93NUMPY");
    if (head[6] < 1 || head[6] > 3)
        return nn__npy_fail(file, "a version of .npy that is not 1, 2 or 3");
    before = head[6] == 1 ? 10 : 12;
    if (file->in.size < before || !nn__reading_at(&file->in, 0, head, before))
        return nn__npy_fail(file, "it ends inside its header");
    length = (size_t)head[8] | (size_t)head[9] << 8;
    if (head[6] > 1) length |= (size_t)head[10] << 16 | (size_t)head[11] << 24;
    if (length > NN__NPY_HEADER) return nn__npy_fail(file, "its header is longer than 4096 bytes");
    if (file->in.size < before + length) return nn__npy_fail(file, "it ends inside its header");
    if (!nn__reading_at(&file->in, before, text, length)) return false;
    text[length] = 0;
    file->start = before + length;
    if (strlen(text) != length) return nn__npy_fail(file, "its header has a zero byte");
    return nn__npy_parse(file, text) && nn__npy_check_size(file);
}

/* ---- reading --------------------------------------------------------------------------------- */

static void nn__npy_to_host(const nn__npy_file *file, void *data, int64_t count) {
    size_t size = nn_dtype_size(file->dtype);
    unsigned char *at = (unsigned char *)data;
    if (size == 1 || file->big != nn__host_is_little()) return;
    for (int64_t i = 0; i < count; i++, at += size) {
        for (size_t j = 0; j < size / 2; j++) {
            unsigned char byte = at[j];
            at[j] = at[size - 1 - j];
            at[size - 1 - j] = byte;
        }
    }
}

static nn_tensor *nn__npy_load(nn__npy_file *file) {
    nn_tensor *tensor = NULL;
    if (nn__npy_read_header(file))
        tensor = nn__read_array(&file->in, file->start, file->dtype, file->shape);
    if (tensor) nn__npy_to_host(file, nn_tensor_data(tensor), nn_shape_count(file->shape));
    return tensor;
}

static nn_tensor *nn__inside_load_npy(nn_site site, nn_context *nn, const char *path) {
    nn__npy_file file;
    nn_tensor *tensor;
    if (!nn) return NULL;
    memset(&file, 0, sizeof file);
    if (!nn__reading_begin(&file.in, nn, site, "nn_load_npy", path)) return NULL;
    tensor = nn__npy_load(&file);
    nn__reading_end(&file.in);
    return tensor;
}

NN_API nn_tensor *nn_load_npy_at(nn_site site, nn_context *nn, const char *path) {
    if (!nn__enter(nn, "nn_load_npy", site)) return NULL;
    nn_tensor *made = nn__inside_load_npy(site, nn, path);
    nn__leave(nn, NN_OK);
    return made;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Writes the whole header, padded with spaces so that the numbers begin at a multiple of 64.
   Returns its length. */
static size_t nn__npy_write_header(const nn_tensor *tensor, const nn__npy_type *type, char *text,
                                   size_t size) {
    nn_text out;
    nn_writer writer = nn__write_into(&out, text + 10, size - 10);
    nn_shape shape = tensor->view.shape;
    size_t length;
    char mark = nn_dtype_size(type->dtype) == 1 ? '|' : '<';
    nn__print(&writer, "{'descr': '%c%c%c', 'fortran_order': False, 'shape': (", mark, type->kind,
              type->size);
    for (int i = 0; i < shape.rank; i++)
        nn__print(&writer, i ? ", %d" : "%d", (int)shape.extent[i]);
    nn__print(&writer, shape.rank == 1 ? ",), }" : "), }");
    length = 10 + out.length;
    while ((length + 1) % 64 != 0) text[length++] = ' ';
    text[length++] = '\n';
    memcpy(text, "\x93NUMPY\x01", 7);
    text[7] = 0;
    text[8] = (char)((length - 10) & 255u);
    text[9] = (char)((length - 10) >> 8);
    return length;
}

static nn_result nn__npy_write(nn__save *save, const nn_tensor *tensor, const nn__npy_type *type,
                               const char *data) {
    char text[512];
    uint64_t left = tensor->bytes;
    nn_result result =
        nn__save_write(save, text, nn__npy_write_header(tensor, type, text, sizeof text));
    while (result == NN_OK && left > 0) {
        size_t part = left < sizeof text ? (size_t)left : sizeof text;
        nn__convert_to_file(type->dtype, data, text, (int64_t)(part / nn_dtype_size(type->dtype)));
        result = nn__save_write(save, text, part);
        data += part;
        left -= part;
    }
    return result;
}

static nn_result nn__npy_save(const nn_tensor *tensor, const nn__npy_type *type, const char *data,
                              const char *path, nn_site site) {
    nn__save save;
    nn_result result = nn__save_begin(&save, &tensor->nn->files, path), ended;
    if (result == NN_OK) result = nn__npy_write(&save, tensor, type, data);
    ended = nn__save_end(&save, result == NN_OK);
    if (result == NN_OK) result = ended;
    if (result == NN_OK) return NN_OK;
    return nn__fail_at(
        tensor->nn, site, result,
        "nn_save_npy: \"%s\" could not be written; what was there before is still there", path);
}

static nn_result nn__inside_save_npy(nn_site site, const nn_tensor *tensor, const char *path) {
    const nn__npy_type *type = NULL;
    nn_context *nn;
    nn_result result;
    const char *data;
    void *host = NULL;
    if (!tensor) return NN_ERROR_ARGUMENT;
    nn = tensor->nn;
    if (!path) return nn__fail_at(nn, site, NN_ERROR_ARGUMENT, "nn_save_npy: path is NULL");
    for (size_t i = 0; i < sizeof nn__npy_types / sizeof *nn__npy_types; i++) {
        if (nn__npy_types[i].dtype == tensor->view.dtype) type = &nn__npy_types[i];
    }
    if (!type)
        return nn__fail_at(
            nn, site, NN_ERROR_DTYPE,
            "nn_save_npy: \"%s\" is %s, which NumPy does not have; nn_save_safetensors keeps it",
            tensor->name, nn_dtype_name(tensor->view.dtype));
    data = (const char *)nn_tensor_const_data(tensor);
    if (!data) {
        host = nn__allocate(&nn->memory, (size_t)tensor->bytes);
        if (!host) return nn__fail_memory(nn, "nn_save_npy", tensor->bytes);
        data = (const char *)host;
        result = nn_download_tensor_at(site, tensor, host, (size_t)tensor->bytes);
    } else { /* kernels may still be writing */
        const nn__open_device *on = nn__find_device(nn, tensor->device);
        result = on->backend->finish(on->state);
        if ((int)result < 0)
            nn__fail_at(nn, site, result, "nn_save_npy: %s", nn_result_text(result));
    }
    if (result == NN_OK) result = nn__npy_save(tensor, type, data, path, site);
    nn__release(&nn->memory, host, (size_t)tensor->bytes);
    return result;
}

NN_API nn_result nn_save_npy_at(nn_site site, const nn_tensor *tensor, const char *path) {
    return NN__ALONE(tensor ? tensor->nn : NULL, "nn_save_npy", site,
                     nn__inside_save_npy(site, tensor, path));
}

#undef NN__NPY_HEADER
#endif

typedef int nn__npy_part; /* a part must not be empty under NN_NO_FILES */
