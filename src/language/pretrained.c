/* language/pretrained.c - loads weights that others trained: finds the file in a folder, and maps
   the names in it to those of the net. */
#include "language/gguf.h"

#ifndef NN_NO_FILES

/* The first rule that fits a name counts (nn_rename). */
static const nn_rename nn__pretrained_gpt2[] = {
    {"*.attn.bias", NULL}, /* masks that old files hold */
    {"*.attn.masked_bias", NULL},
    {"lm_head.weight", NULL}, /* without this rule if the head is not tied */
    {"lm_head.", "lm_head."},
    {"transformer.", "transformer."},
    {"", "transformer."},
    {NULL, NULL}};
static const nn_rename nn__pretrained_llama[] = {{"*.rotary_emb.inv_freq", NULL},
                                                 {"lm_head.weight", NULL},
                                                 {"lm_head.", "lm_head."},
                                                 {"model.", "model."},
                                                 {"", "model."},
                                                 {NULL, NULL}};
static const nn_rename nn__pretrained_bert[] = {{"*embeddings.position_ids", NULL},
                                                {"bert.pooler.", NULL},
                                                {"pooler.", NULL},
                                                {"cls.", NULL},
                                                {"bert.*.gamma", "*.weight"},
                                                {"bert.*.beta", "*.bias"},
                                                {"bert.", ""},
                                                {"*.gamma", "*.weight"},
                                                {"*.beta", "*.bias"},
                                                {NULL, NULL}};

static bool nn__text_exists(const nn_context *nn, const char *path) {
    const nn_files *files = &nn_context_desc(nn)->files;
    void *file = files->open && files->close ? files->open(files->user, path, false) : NULL;
    if (file) files->close(files->user, file);
    return file != NULL;
}

/* Finds the file to read: the path itself, or the one that the folder has. */
static bool nn__pretrained_find(nn__text_call *call, const char *path, char *to, size_t size) {
    size_t length = strlen(path);
    if (length >= 5 && strcmp(path + length - 5, ".json") == 0)
        return nn__text_path(call, path, ".json", "", to, size);
    if (!nn__text_path(call, path, ".safetensors", "model.safetensors", to, size)) return false;
    if ((length >= 12 && strcmp(path + length - 12, ".safetensors") == 0) ||
        nn__text_exists(call->nn, to))
        return true;
    if (!nn__text_path(call, path, ".json", "model.safetensors.index.json", to, size)) return false;
    if (nn__text_exists(call->nn, to)) return true;
    return nn__text_fail(call, NN_ERROR_FILE,
                         "\"%s\" has neither a model.safetensors nor a "
                         "model.safetensors.index.json (a pytorch_model.bin has to be converted in "
                         "Python: model.save_pretrained(folder))",
                         path);
}
#endif

NN_API nn_result nn_load_pretrained_at(nn_site site, nn_model *net, const nn_config *config,
                                       const char *path) {
    nn_context *nn = nn_model_context(net);
    nn__text_call call;
    if (!nn) return NN_ERROR_ARGUMENT;
    call = nn__text_begin(nn, site, "nn_load_pretrained");
#ifdef NN_NO_FILES
    (void)config, (void)path;
    nn__text_fail(&call, NN_ERROR_UNSUPPORTED, "this program was built without files");
    return call.code;
#else
    const nn_rename *renames;
    nn_rename used[16]; /* more than each table has */
    nn_load_weights_desc desc;
    char file[1024];
    int count = 0;
    memset(&desc, 0, sizeof desc);
    if (!config || !path || !*path || config->family == NN_FAMILY_NONE ||
        (unsigned)config->family > NN_FAMILY_BERT) {
        nn__text_fail(&call, NN_ERROR_ARGUMENT,
                      !config         ? "config is NULL"
                      : path && *path ? "config.family is not set, or not a value of nn_family; "
                                        "give a config that nn_read_config filled"
                                      : "there is no path");
        return call.code;
    }
    if (nn__gguf_is(path)) return nn__gguf_load(&call, net, config, path);
    if (!nn__pretrained_find(&call, path, file, sizeof file)) return call.code;
    renames = config->family == NN_FAMILY_GPT2    ? nn__pretrained_gpt2
              : config->family == NN_FAMILY_LLAMA ? nn__pretrained_llama
                                                  : nn__pretrained_bert;
    for (int i = 0; renames[i].from; i++) {
        const bool head = strcmp(renames[i].from, "lm_head.weight") == 0;
        if (!head || config->tie_word_embeddings) used[count++] = renames[i];
    }
    desc.renames.rename = used;
    desc.renames.count = count;
    return nn_load_weights_at(site, net, file, &desc);
#endif
}
