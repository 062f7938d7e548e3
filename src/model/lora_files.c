/* model/lora_files.c - reads and writes adapters with the files and names of Hugging Face's PEFT
   (https://github.com/huggingface/peft, src/peft/utils/save_and_load.py). */
#include "model/lora.h"
#include "model/private.h"
#include "ops/lora_private.h"

#if !defined(NN_NO_TRAINING) && !defined(NN_NO_FILES)

#define NN__LORA_PREFIX "base_model.model."
#define NN__LORA_PATH   512

/* True if the file contains the node: part of an adapter, or trained besides the adapters. */
static bool nn__lora_is_saved(const nn_node *node) {
    return node->kind == NN__PARAMETER && (node->adapter || !node->frozen);
}

static nn_result nn__lora_path(const nn_model *net, const char *folder, const char *file,
                               char *path, nn_site site, const char *who) {
    if (!folder || !*folder)
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT, "%s: folder is %s", who,
                           folder ? "empty" : "NULL");
    /* the limit fits both file names, so the second path cannot fail */
    if (strlen(folder) > NN__LORA_PATH - 32)
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT, "%s: folder has more than %d bytes",
                           who, NN__LORA_PATH - 32);
    nn__join_text(path, NN__LORA_PATH, folder, "/", file);
    return NN_OK;
}

/* Fails if there are no adapters, or if the model has faults. Allocates the tensors. */
static nn_result nn__lora_files_ready(nn_model *net, nn_site site, const char *who) {
    nn__faults faults;
    if (!net->adapters)
        return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                           "%s: the model \"%s\" has no adapters; nn_lora describes them", who,
                           net->name);
    memset(&faults, 0, sizeof faults);
    faults.arena = &net->graph.arena;
    net->adapters->check(net, &faults);
    if (net->faults.count > 0 || faults.count > 0)
        return nn__fail_faults(net->nn, net->name, &net->faults, &faults);
    return nn__materialize(&net->graph, site);
}

/* ---- saving ---------------------------------------------------------------------------------- */

/* Writes a target as a regular expression for whole names. */
static void nn__lora_write_pattern(const nn_writer *writer, const char *target) {
    const bool stars = strchr(target, '*') != NULL;
    if (!stars) nn__print(writer, "(.*\\\\.)?");
    for (; *target; target++) {
        if (*target == '*') nn__print(writer, ".*");
        else if (strchr(".^$+?()[]{}|", *target)) nn__print(writer, "\\\\%c", *target);
        else if (*target == '\\' || *target == '"') nn__print(writer, "\\%c", *target);
        else nn__print(writer, "%c", *target);
    }
}

static void nn__lora_write_targets(const nn_writer *writer, const nn__lora *lora) {
    bool stars = false;
    for (int i = 0; i < lora->desc.targets.count; i++)
        stars = stars || strchr(lora->desc.targets.text[i], '*');
    nn__print(writer, stars ? "\"" : "[");
    for (int i = 0; i < lora->desc.targets.count; i++) {
        if (i > 0) nn__print(writer, stars ? "|" : ", ");
        if (stars) nn__lora_write_pattern(writer, lora->desc.targets.text[i]);
        else nn__write_json_text(writer, lora->desc.targets.text[i]);
    }
    nn__print(writer, stars ? "\"" : "]");
}

/* Writes the modules whose parameters are trained besides the adapters, each once. */
static void nn__lora_write_modules(const nn_writer *writer, const nn_model *net) {
    char last[NN_NAME_BYTES] = "", module[NN_NAME_BYTES];
    int count = 0;
    for (const nn_node *node = net->graph.first; node; node = node->next) {
        if (!nn__lora_is_saved(node) || node->adapter) continue;
        nn__copy_text(module, sizeof module, node->name);
        char *dot = strrchr(module, '.');
        if (dot) *dot = 0;
        if (strcmp(module, last) == 0) continue;
        nn__copy_text(last, sizeof last, module);
        nn__print(writer, count++ ? ", " : "[");
        nn__write_json_text(writer, module);
    }
    nn__print(writer, count ? "]" : "null");
}

static void nn__lora_write_config(const nn_writer *writer, const nn_model *net) {
    const nn__lora *lora = nn__lora_of(net);
    bool transposed = false;
    for (const nn_node *node = net->graph.first; node; node = node->next)
        transposed = transposed || (nn__is_lora(node) && nn__lora_transposed(node));
    nn__print(writer,
              "{\n  \"peft_type\": \"LORA\",\n  \"task_type\": null,\n"
              "  \"base_model_name_or_path\": null,\n  \"inference_mode\": true,\n"
              "  \"bias\": \"none\",\n  \"fan_in_fan_out\": %s,\n  \"r\": %d,\n"
              "  \"lora_alpha\": %.9g,\n  \"lora_dropout\": %.9g,\n  \"use_rslora\": %s,\n"
              "  \"target_modules\": ",
              transposed ? "true" : "false", lora->desc.r, (double)lora->desc.alpha,
              (double)lora->desc.dropout, lora->desc.rslora ? "true" : "false");
    nn__lora_write_targets(writer, lora);
    nn__print(writer, ",\n  \"modules_to_save\": ");
    nn__lora_write_modules(writer, net);
    nn__print(writer, "\n}\n");
}

typedef struct nn__lora_file {
    nn__save save;
    nn_result result;
} nn__lora_file;

static void nn__lora_write_file(void *user, const char *text, size_t length) {
    nn__lora_file *file = (nn__lora_file *)user;
    if (file->result == NN_OK) file->result = nn__save_write(&file->save, text, length);
}

static nn_result nn__lora_save_model(nn_model *net, const char *path, nn_site site) {
    nn_context *nn = net->nn;
    const char *const metadata[2] = {"format", "pt"};
    nn__safetensors_saving saving;
    nn__arena arena;
    int count = 0, i = 0;
    for (const nn_node *node = net->graph.first; node; node = node->next)
        count += nn__lora_is_saved(node);
    memset(&arena, 0, sizeof arena);
    arena.memory = &nn->memory;
    nn_tensor **tensors = (nn_tensor **)nn__arena_take(&arena, sizeof *tensors * (size_t)count);
    const char **names = (const char **)nn__arena_take(&arena, sizeof *names * (size_t)count);
    bool fine = tensors && names;
    for (nn_node *node = net->graph.first; node && fine; node = node->next) {
        char name[NN__STATE_NAME];
        if (!nn__lora_is_saved(node)) continue;
        nn__join_text(name, sizeof name, NN__LORA_PREFIX, "", node->name);
        tensors[i] = node->tensor;
        fine = (names[i++] = nn__arena_text(&arena, name)) != NULL;
    }
    memset(&saving, 0, sizeof saving);
    saving.nn = nn;
    saving.site = site;
    saving.who = "nn_save_lora";
    saving.path = path;
    saving.tensors = tensors;
    saving.names = names;
    saving.count = count;
    saving.metadata = metadata;
    saving.metadata_count = 2;
    nn_result result = fine ? nn__save_safetensors(&saving)
                            : nn__fail_memory(nn, "nn_save_lora", NN__STATE_NAME);
    nn__arena_free(&arena);
    return result;
}

static nn_result nn__inside_save_lora(nn_site site, nn_model *net, const char *folder) {
    const char *const who = "nn_save_lora";
    char path[NN__LORA_PATH];
    nn__lora_file file;
    nn_writer writer;
    if (nn__model_gone(net, site, who)) return NN_ERROR_ARGUMENT;
    nn_result result = nn__lora_path(net, folder, "adapter_config.json", path, site, who);
    if (result == NN_OK) result = nn__lora_files_ready(net, site, who);
    if (result == NN_OK) result = nn__check_averaged(net, site, who);
    if (result == NN_OK) result = nn__check_untorn(net, site, who);
    if (result != NN_OK) return result;
    writer.function = nn__lora_write_file;
    writer.user = &file;
    file.result = nn__save_begin(&file.save, &net->nn->files, path);
    const bool begun = file.result == NN_OK;
    if (begun) nn__lora_write_config(&writer, net);
    result = file.result;
    if (result == NN_OK) { /* the config appears under its name only after the large file is
                              complete */
        nn__lora_path(net, folder, "adapter_model.safetensors", path, site, who);
        result = nn__lora_save_model(net, path, site);
        if (result != NN_OK) {
            nn__save_end(&file.save, false);
            return result;
        }
    }
    if (begun) {
        const nn_result ended = nn__save_end(&file.save, result == NN_OK);
        if (result == NN_OK) result = ended;
    }
    if (result == NN_OK) return NN_OK;
    return nn__fail_at(net->nn, site, result,
                       "%s: \"%s/adapter_config.json\" cannot be written: is there such a folder, "
                       "the right to write, room on the disk?",
                       who, folder);
}

NN_API nn_result nn_save_lora_at(nn_site site, nn_model *net, const char *folder) {
    return NN__ALONE(net ? net->nn : NULL, "nn_save_lora", site,
                     nn__inside_save_lora(site, net, folder));
}

/* ---- the config of a folder ------------------------------------------------------------------ */

/* A value in the outermost object, as it is spelled in the file. */
typedef struct nn__lora_value {
    const char *text;
    size_t length;
} nn__lora_value;

static size_t nn__lora_blank(const char *text, size_t at) {
    return at + strspn(text + at, " \t\r\n");
}

/* Returns the position after the string that begins at `at`; 0: it is not terminated. */
static size_t nn__lora_skip_string(const char *text, size_t at) {
    if (text[at] != '"') return 0;
    for (at++; text[at] && text[at] != '"'; at++)
        if (text[at] == '\\' && text[at + 1]) at++;
    return text[at] ? at + 1 : 0;
}

/* Returns the position after the value that begins at `at`; 0: it is not terminated. */
static size_t nn__lora_skip(const char *text, size_t at) {
    int depth = 0;
    const size_t first = at;
    while (text[at]) {
        const char c = text[at];
        if (depth == 0 && (c == ',' || c == '}' || c == ']')) return at > first ? at : 0;
        if (c == '"') {
            if (!(at = nn__lora_skip_string(text, at))) return 0;
            continue;
        }
        if (c == '{' || c == '[') depth++;
        if (c == '}' || c == ']') depth--;
        at++;
    }
    return 0;
}

/* Finds a key in the outermost object. A missing key gives length 0. False: the text is no
   object. */
static bool nn__lora_find(const char *text, const char *key, nn__lora_value *value) {
    const size_t length = strlen(key);
    size_t at = nn__lora_blank(text, 0);
    memset(value, 0, sizeof *value);
    if (text[at] != '{') return false;
    at = nn__lora_blank(text, at + 1);
    while (text[at] != '}') {
        const size_t name = at, behind = nn__lora_skip_string(text, at);
        if (!behind) return false;
        at = nn__lora_blank(text, behind);
        if (text[at] != ':') return false;
        const size_t first = nn__lora_blank(text, at + 1), end = nn__lora_skip(text, first);
        if (!end) return false;
        if (behind - name == length + 2 && strncmp(text + name + 1, key, length) == 0) {
            value->text = text + first;
            value->length = end - first;
            while (strchr(" \t\r\n", value->text[value->length - 1])) value->length--;
        }
        at = nn__lora_blank(text, end);
        if (text[at] == ',') at = nn__lora_blank(text, at + 1);
        else if (text[at] != '}') return false;
    }
    return true;
}

static bool nn__lora_is(const nn__lora_value *value, const char *text) {
    return value->length == strlen(text) && strncmp(value->text, text, value->length) == 0;
}

static nn_result nn__lora_config_misfit(const nn_model *net, const char *path, nn_site site,
                                        const char *key, const nn__lora_value *value,
                                        const char *wanted) {
    return nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                       "nn_load_lora: \"%s\": its \"%s\" is %.*s; %s; nothing was loaded", path,
                       key, value->length ? (int)nn__min64((int64_t)value->length, 60) : 9,
                       value->length ? value->text : "not given", wanted);
}

/* Parses a number; false if it is none. strtod would depend on the locale. */
static bool nn__lora_number(const nn__lora_value *value, double *number) {
    const char *at = value->text, *end = at + value->length;
    const bool negative = at < end && *at == '-';
    double digits = 0.0, scale = 1.0;
    int count = 0, exponent = 0;
    at += negative;
    for (; at < end && *at >= '0' && *at <= '9'; at++, count++)
        digits = digits * 10.0 + (*at - '0');
    if (at < end && *at == '.')
        for (at++; at < end && *at >= '0' && *at <= '9'; at++, count++)
            digits = digits * 10.0 + (*at - '0'), scale *= 10.0;
    if (at < end && count > 0 && (*at == 'e' || *at == 'E')) {
        const bool down = at + 1 < end && at[1] == '-';
        at += at + 1 < end && (down || at[1] == '+') ? 2 : 1;
        if (at == end) return false;
        for (; at < end && *at >= '0' && *at <= '9' && exponent < 100; at++)
            exponent = exponent * 10 + (*at - '0');
        for (; exponent > 0; exponent--) {
            if (down) scale *= 10.0;
            else digits *= 10.0;
        }
    }
    *number = (negative ? -digits : digits) / scale;
    return count > 0 && at == end;
}

/* Compares a number of the file with the model's. A missing key has PEFT's default of 8. */
static nn_result nn__lora_compare(const nn_model *net, const char *path, nn_site site,
                                  const char *text, const char *key, double have) {
    nn__lora_value value;
    char wanted[64];
    double given = 8.0;
    nn__lora_find(text, key, &value);
    if ((!value.length || nn__lora_number(&value, &given)) && (float)given == (float)have)
        return NN_OK;
    nn__format(wanted, sizeof wanted, "nn_lora was given %.9g", have);
    return nn__lora_config_misfit(net, path, site, key, &value, wanted);
}

/* True if the initial values did not change the base's weights. Some kinds of PEFT do, and their
   adapters do not fit the base's file. */
static bool nn__lora_is_plain_start(const nn__lora_value *value) {
    static const char plain[][16] = {"true",    "false",          "null",    "\"gaussian\"",
                                     "\"eva\"", "\"orthogonal\"", "\"mica\""};
    for (int i = 0; i < NN__COUNT(plain); i++)
        if (nn__lora_is(value, plain[i])) return true;
    return value->length == 0;
}

/* Fails if the file's formula differs from that of nn_lora. */
static nn_result nn__lora_check_config(const nn_model *net, const char *path, const char *text,
                                       nn_site site) {
    static const struct {
        char key[24], fine[8], other[8], wanted[40];
    } plain[] = {{"peft_type", "\"LORA\"", "\"LORA\"", "only \"LORA\" can be loaded"},
                 {"use_dora", "false", "null", "only false can be loaded"},
                 {"rank_pattern", "{}", "null", "all layers must have one rank"},
                 {"alpha_pattern", "{}", "null", "all layers must have one alpha"},
                 {"bias", "\"none\"", "null", "only \"none\" can be loaded"},
                 {"lora_bias", "false", "null", "only false can be loaded"},
                 {"use_qalora", "false", "null", "only false can be loaded"},
                 {"layer_replication", "null", "null", "only null can be loaded"},
                 {"alora_invocation_tokens", "null", "null", "only null can be loaded"}};
    const nn_lora_desc *desc = &nn__lora_of(net)->desc;
    nn__lora_value value;
    if (!nn__lora_find(text, "r", &value))
        return nn__fail_at(net->nn, site, NN_ERROR_FORMAT,
                           "nn_load_lora: \"%s\" is no JSON object; nothing was loaded", path);
    for (int i = 0; i < NN__COUNT(plain); i++) {
        nn__lora_find(text, plain[i].key, &value);
        if (value.length ? !nn__lora_is(&value, plain[i].fine) &&
                               !nn__lora_is(&value, plain[i].other)
                         : i == 0)
            return nn__lora_config_misfit(net, path, site, plain[i].key, &value, plain[i].wanted);
    }
    nn__lora_find(text, "init_lora_weights", &value);
    if (!nn__lora_is_plain_start(&value))
        return nn__lora_config_misfit(net, path, site, "init_lora_weights", &value,
                                      "such initial values are subtracted from the base's "
                                      "weights");
    nn_result result = nn__lora_compare(net, path, site, text, "r", desc->r);
    if (result == NN_OK)
        result = nn__lora_compare(net, path, site, text, "lora_alpha", (double)desc->alpha);
    nn__lora_find(text, "use_rslora", &value);
    if (result == NN_OK && nn__lora_is(&value, "true") != desc->rslora)
        result = nn__lora_config_misfit(net, path, site, "use_rslora", &value,
                                        desc->rslora ? "nn_lora was given .rslora = true"
                                                     : "nn_lora was given .rslora = false");
    return result;
}

static nn_result nn__lora_read_config(const nn_model *net, const char *path, nn_site site) {
    nn_context *nn = net->nn;
    nn__reading file;
    const nn_result before = nn->last_code;
    if (!nn__reading_begin(&file, nn, site, "nn_load_lora", path))
        return nn->last_code != NN_OK ? nn->last_code : before;
    nn_result result = NN_OK;
    const size_t size = file.size < 1 << 20 ? (size_t)file.size : 0;
    char *text = (char *)nn__allocate(&nn->memory, size + 1);
    if (!text)
        result = nn__fail_memory(nn, "nn_load_lora", size + 1);
    else if (size != file.size)
        result = nn__fail_at(nn, site, NN_ERROR_FORMAT,
                             "nn_load_lora: \"%s\" has %llu bytes; that is no adapter_config.json",
                             path, (unsigned long long)file.size);
    else if (!nn__reading_at(&file, 0, text, size))
        result = nn->last_code;
    else
        text[size] = 0;
    if (result == NN_OK) result = nn__lora_check_config(net, path, text, site);
    nn__release(&nn->memory, text, size + 1);
    nn__reading_end(&file);
    return result;
}

/* ---- loading --------------------------------------------------------------------------------- */

/* True for the frozen weight of an adapted layer, X.base_layer.weight, which PEFT also saves for
   embeddings and heads (save_embedding_layers = "auto"). The model has it as X.weight. */
static bool nn__lora_ignores(const nn__state *state, const char *name) {
    static const char base[] = ".base_layer.";
    const char *at = nn__begins(name, NN__LORA_PREFIX);
    const char *found = at ? strstr(at, base) : NULL;
    char own[NN__STATE_NAME];
    if (!found || strlen(at) >= sizeof own) return false;
    nn__format(own, sizeof own, "%.*s.%s", (int)(found - at), at, found + sizeof base - 1);
    for (const nn_node *node = state->net->graph.first; node; node = node->next)
        if (nn__is_saved(node) && strcmp(node->name, own) == 0) return true;
    return false;
}

static nn_result nn__lora_load_file(nn_model *net, nn_safetensors *file, nn_site site) {
    nn__state state;
    nn_result result = NN_ERROR_MEMORY;
    int room = 0;
    for (const nn_node *node = net->graph.first; node; node = node->next)
        room += node->kind == NN__PARAMETER;
    if (nn__state_begin(&state, net, room, site, "nn_load_lora")) {
        for (nn_node *node = net->graph.first; node; node = node->next) {
            char name[NN__STATE_NAME];
            if (node->kind != NN__PARAMETER) continue;
            nn__join_text(name, sizeof name, NN__LORA_PREFIX, "", node->name);
            nn__state_add(&state, name, node->tensor);
            state.items[state.count - 1].optional = !node->adapter;
        }
        state.ignores = nn__lora_ignores;
        result = nn__state_stage(&state, file);
        if (result == NN_OK) result = nn__state_apply(&state);
        nn__state_end(&state);
    }
    nn_close_safetensors(file);
    return result;
}

static nn_result nn__inside_load_lora(nn_site site, nn_model *net, const char *folder) {
    const char *const who = "nn_load_lora";
    char path[NN__LORA_PATH];
    nn_safetensors *file = NULL;
    if (nn__model_gone(net, site, who)) return NN_ERROR_ARGUMENT;
    nn_result result = nn__lora_path(net, folder, "adapter_config.json", path, site, who);
    if (result == NN_OK) result = nn__lora_files_ready(net, site, who);
    if (result == NN_OK) result = nn__check_averaged(net, site, who);
    if (result == NN_OK) result = nn__check_slicing(net->nn, net->slicing, NULL, true, site, who);
    if (result == NN_OK && nn__lora_of(net)->merged)
        result = nn__fail_at(net->nn, site, NN_ERROR_ARGUMENT,
                             "%s: the adapters of \"%s\" are inside its weights; nn_unmerge_lora "
                             "first, or make the model anew",
                             who, net->name);
    if (result == NN_OK) result = nn__lora_read_config(net, path, site);
    if (result != NN_OK) return result;
    nn__lora_path(net, folder, "adapter_model.safetensors", path, site, who);
    result = nn__open_state(net->nn, path, site, &file);
    return result == NN_OK ? nn__lora_load_file(net, file, site) : result;
}

NN_API nn_result nn_load_lora_at(nn_site site, nn_model *net, const char *folder) {
    return NN__ALONE(net ? net->nn : NULL, "nn_load_lora", site,
                     nn__inside_load_lora(site, net, folder));
}

#undef NN__LORA_PREFIX
#undef NN__LORA_PATH
#endif

typedef int nn__lora_files_part; /* a part must not be empty under NN_NO_FILES */
