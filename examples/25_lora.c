/* 25_lora.c - fine-tuning with LoRA: a language model that has learnt one answer to a question
   learns another one, in small adapters beside its frozen weights. The loss counts the answers
   only, and each row holds several texts. The adapters are saved for Hugging Face's peft, and
   merged into the weights and taken out again.
   Run:    cc -O2 25_lora.c -o lora -lm -lpthread && ./lora
   Prints: how many letters of each answer are right, before and after, and what training costs. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../nn_more.h"
#define NN_TEXT_IMPLEMENTATION
#include "../nn_text.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 32, ROWS = 16, VOCAB = 28, PAIRS = 4 * ROWS };

typedef struct model {
    nn_model *net;
    nn_node *ids, *labels, *starts, *logits, *loss;
} model;

static const nn_config config = {.family = NN_FAMILY_LLAMA,
                                 .vocab_size = VOCAB,
                                 .hidden_size = 64,
                                 .num_hidden_layers = 2,
                                 .num_attention_heads = 4,
                                 .intermediate_size = 128};

static model describe(nn_context *nn, const nn_lora_desc *adapters) {
    nn_shape row = NN_SHAPE(NN_BATCH, LENGTH);
    model m = {.net = nn_make_model(nn, &(nn_model_desc){.name = "lm", .seed = 1})};
    if (adapters) nn_lora(m.net, adapters); /* before the layers that it changes */
    m.ids = nn_input(m.net, "ids", NN_I32, row);
    m.labels = nn_input(m.net, "labels", NN_I32, row);
    m.starts = nn_input(m.net, "starts", NN_I32, row);
    m.logits = nn_causal_lm(m.net, m.ids,
                            &(nn_causal_lm_desc){.config = &config, .starts = m.starts});
    m.loss = nn_cross_entropy(m.net,
                              nn_reshape(m.net, m.logits, NN_SHAPE(LENGTH * NN_BATCH, VOCAB)),
                              nn_reshape(m.net, m.labels, NN_SHAPE(LENGTH * NN_BATCH)),
                              &(nn_cross_entropy_desc){.ignore = true, .ignore_index = -100});
    return m;
}

/* Makes prompts of three letters; the answers are the letters `by` places later in the alphabet. */
static void fill(nn_tokenizer *letters, uint64_t draw, int by, nn_tensor *const grids[3]) {
    static char text[PAIRS][8];
    nn_answer pairs[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        uint32_t words[4];
        nn_random_words(7, draw, (uint64_t)i, words);
        for (int k = 0; k < 3; k++) {
            const int letter = (int)(words[k] % 26);
            text[i][k] = (char)('a' + letter);
            text[i][4 + k] = (char)('a' + (letter + 26 + by) % 26);
        }
        text[i][3] = '>';
        pairs[i] = (nn_answer){text[i], 4, text[i] + 4, 3};
    }
    nn_fill_answers(letters, pairs, PAIRS, &(nn_fill_answers_desc){.pack = true, .end = "."},
                    grids[0], grids[1], grids[2], NULL);
}

static void bind(nn_plan *plan, const model *m, nn_tensor *const grids[3]) {
    nn_bind(plan, m->ids, grids[0]);
    nn_bind(plan, m->labels, grids[1]);
    nn_bind(plan, m->starts, grids[2]);
}

static void train(const model *m, nn_tokenizer *letters, int by, int steps, float rate,
                  nn_tensor *const grids[3]) {
    nn_trainer *trainer = nn_make_trainer(
        m->net, m->loss,
        &(nn_trainer_desc){.batch = ROWS, .optimizer = NN_ADAMW, .learning_rate = rate});
    bind(nn_trainer_plan(trainer), m, grids);
    for (int i = 0; i < steps; i++) {
        fill(letters, (uint64_t)i, by, grids);
        nn_train_on_inputs(trainer);
    }
    printf("  the trainer's moments take %llu bytes\n",
           (unsigned long long)nn_plan_bytes(nn_trainer_plan(trainer), nn_cpu(), NN_MEMORY_STATE));
    nn_free_trainer(trainer);
}

/* Returns how many percent of the answers' letters the model finds likeliest. */
static int right(const model *m, nn_tokenizer *letters, int by, nn_tensor *const grids[3]) {
    static float logits[ROWS * LENGTH * VOCAB];
    static int32_t labels[ROWS * LENGTH];
    int count = 0, hits = 0;
    nn_plan *plan = nn_make_plan(m->net, &(nn_plan_desc){.outputs = NN_NODES(m->loss, m->logits),
                                                         .batch = ROWS});
    bind(plan, m, grids);
    fill(letters, 1u << 20, by, grids);
    nn_run(plan);
    nn_download(plan, m->logits, logits, sizeof logits);
    nn_download_tensor(grids[1], labels, sizeof labels);
    nn_free_plan(plan);
    for (int i = 0; i < ROWS * LENGTH; i++) {
        int best = 0;
        for (int k = 1; k < VOCAB; k++)
            if (logits[i * VOCAB + k] > logits[i * VOCAB + best]) best = k;
        count += labels[i] >= 0;
        hits += labels[i] >= 0 && labels[i] == best;
    }
    return count ? 100 * hits / count : 0;
}

int main(void) {
    const int steps = getenv("NN_SHORT") ? 20 : 400;
    nn_context *nn = nn_open(NULL);
    nn_tokenizer *letters = nn_make_char_tokenizer(nn, ">.abcdefghijklmnopqrstuvwxyz", VOCAB);
    nn_tensor *grids[3];
    for (int i = 0; i < 3; i++)
        grids[i] = nn_make_tensor(
            nn, &(nn_tensor_desc){.dtype = NN_I32, .shape = NN_SHAPE(ROWS, LENGTH)});
    puts("a model learns to answer with the next letters, all of its weights");
    model base = describe(nn, NULL);
    train(&base, letters, 1, steps, 3e-3f, grids);
    printf("  next letters: %d %% right\n", right(&base, letters, 1, grids));
    nn_save_weights(base.net, "base.safetensors");

    puts("adapters learn to answer with those before, the weights are frozen");
    model tuned = describe(nn, &(nn_lora_desc){.targets = NN_TEXTS("q_proj", "v_proj", "*.mlp.*"),
                                               .r = 8,
                                               .alpha = 16});
    nn_load_weights(tuned.net, "base.safetensors", NULL); /* without adapters, which begin as 0 */
    printf("  letters before: %d %% right\n", right(&tuned, letters, -1, grids));
    train(&tuned, letters, -1, steps, 1e-2f, grids);
    printf("  letters before: %d %% right\n", right(&tuned, letters, -1, grids));
    nn_save_lora(tuned.net, "."); /* adapter_model.safetensors, adapter_config.json */

    nn_merge_lora(tuned.net, true);
    printf("merged: %d %% right, by a plan without adapters\n", right(&tuned, letters, -1, grids));
    nn_unmerge_lora(tuned.net);
    printf("unmerged: %d %% right\n", right(&tuned, letters, -1, grids));
    const int failed = nn_error(nn) != NULL;
    if (failed) printf("%s\n", nn_error(nn));
    nn_close(nn);
    return failed;
}
