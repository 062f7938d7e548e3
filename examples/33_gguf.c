/* 33_gguf.c - writes text with a language model from a GGUF file. Its weights stay in 4 bits.
   Run:    cc -O2 33_gguf.c -o gguf -lm -lpthread
           ./gguf model.gguf tokenizer.json "The lighthouse keeper"
           model: a GGUF file of GPT-2, Llama, Mistral or Qwen of type Q4_K_M, Q4_1 or Q4_0, and the
           tokenizer.json of the same model, both on Hugging Face
   Prints: the text while it is written, then how long that took. Without a model it says how to get
           one, and lets a small Llama with random weights write bytes. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include "../nn_quantize.h"
#define NN_TEXT_IMPLEMENTATION
#include "../nn_text.h"
#include <stdio.h>
#include <string.h>

enum { CONTEXT = 512, TOKENS = 100 };

static bool say(void *user, int32_t text, const char *piece, size_t bytes) {
    (void)user, (void)text;
    fwrite(piece, 1, bytes, stdout);
    fflush(stdout);
    return true;
}

int main(int argc, char **argv) {
    const char *file = argc > 2 ? argv[1] : NULL, *prompt = argc > 3 ? argv[3] : "Once upon a time";
    nn_context *nn = nn_open(&(nn_desc){.log.function = nn_write_stderr});
    nn_config config = {.family = NN_FAMILY_LLAMA,
                        .vocab_size = 256,
                        .hidden_size = 64,
                        .num_hidden_layers = 2,
                        .num_attention_heads = 4,
                        .intermediate_size = 128,
                        .tie_word_embeddings = true};
    nn_tokenizer *tokenizer;
    if (file) {
        nn_read_config(nn, &(nn_config_desc){.path = file}, &config);
        tokenizer = nn_open_tokenizer(nn, &(nn_tokenizer_desc){.path = argv[2]});
    } else {
        printf("no model was given, so a random one writes bytes.\nFor a real one, take a GGUF file "
               "of a Llama and its tokenizer.json from Hugging Face.\n");
        tokenizer = nn_make_byte_tokenizer(nn);
    }

    nn_model *net = nn_make_model(nn, &(nn_model_desc){.name = "writer", .seed = 1});
    /* positions of GPT-2 are left in floats, as 4-bit files store them */
    nn_quantize(net, &(nn_quantize_desc){.bits = 4, .minimums = true,
                                         .skip = config.family == NN_FAMILY_GPT2
                                                     ? NN_TEXTS("wpe")
                                                     : (nn_texts){0}});
    nn_node *ids = nn_input(net, "ids", NN_I32, NN_SHAPE(NN_BATCH, NN_TIME));
    nn_node *positions = nn_input(net, "positions", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node *logits = nn_causal_lm(net, ids,
                                   &(nn_causal_lm_desc){.config = &config, .positions = positions,
                                                        .cache = CONTEXT, .cache_dtype = NN_F16});
    if (file) nn_load_pretrained(net, &config, file);
    nn_generator *writer = nn_make_generator(
        net, &(nn_generator_desc){.tokenizer = tokenizer, .ids = ids, .positions = positions,
                                  .logits = logits, .context = CONTEXT, .max_tokens = TOKENS,
                                  .sampling = {.sample = true, .temperature = 0.8f, .top_k = 40},
                                  .write = {.function = say}});
    const nn_clock *clock = &nn_context_desc(nn)->clock;
    printf("%s", prompt);
    nn_prompt(writer, 0, prompt, strlen(prompt));
    const uint64_t start = clock->now(clock->user);
    nn_generate(writer);
    const double seconds = (double)(clock->now(clock->user) - start) * 1e-9;
    const bool failed = nn_error(nn) != NULL;
    if (!failed) printf("\nat most %d tokens in %.2f s\n", TOKENS, seconds);
    nn_close(nn);
    return failed;
}
