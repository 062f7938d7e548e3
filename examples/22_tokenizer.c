/* 22_tokenizer.c - a tokenizer learns its words from a text, then turns sentences into ids in a
   tensor, and ids back into text as a model would write them: piece by piece, never half a letter.
   Run:    cc -O2 22_tokenizer.c -o tokenizer -lm -lpthread && ./tokenizer [text file]
   Prints: tokens with the bytes they are from, a padded batch with its mask, a sentence in pieces,
           and the messages of two mistakes. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#define NN_TEXT_IMPLEMENTATION
#include "../nn_text.h"
#include <stdio.h>
#include <string.h>

static const char story[] =
    "The lighthouse keeper counted the ships that passed the lighthouse. Every ship that passed "
    "counted the keeper's lights. In the na\xc3\xafve caf\xc3\xa9 by the harbour they counted on "
    "him, the keeper, the counter of ships; and the ships, passing, counted on the lighthouse.";
static char text[1 << 22];

int main(int argc, char **argv) {
    size_t bytes = sizeof story - 1;
    memcpy(text, story, bytes);
    if (argc > 1) {
        FILE *file = fopen(argv[1], "rb");
        bytes = file ? fread(text, 1, sizeof text, file) : 0;
        if (file) fclose(file);
    }
    nn_context *nn = nn_open(NULL);
    nn_tokenizer *tokenizer = nn_train_tokenizer(
        nn, text, bytes,
        &(nn_train_tokenizer_desc){.vocab_size = 300, .special_tokens = {"<end>", "<pad>"}});
    printf("%d tokens learnt from %d bytes\n", (int)nn_vocab_size(tokenizer), (int)bytes);

    /* Prints each token of a sentence, and where it is from. */
    const char *sentence = "The keeper passed the caf\xc3\xa9 \xf0\x9f\x9a\xa2<end>";
    int32_t ids[64], starts[64], ends[64];
    nn_tokens tokens = {.ids = ids, .starts = starts, .ends = ends, .capacity = 64};
    nn_encode(tokenizer, sentence, strlen(sentence), NULL, &tokens);
    for (int i = 0; i < tokens.count; i++)
        printf("%5d  %-12s bytes %2d to %2d  \"%.*s\"\n", (int)ids[i],
               nn_token_text(tokenizer, ids[i]), (int)starts[i], (int)ends[i],
               (int)(ends[i] - starts[i]), sentence + starts[i]);

    /* Decodes ids as a model writes them: the ship has four bytes, and appears when the last one is
       there. */
    nn_decode_stream stream = {.desc = {.special_tokens = true}};
    for (int i = 0; i < tokens.count; i++) {
        nn_decode_next(tokenizer, &stream, ids[i], (nn_writer){nn_write_stdout, NULL});
        printf("|");
    }
    nn_decode_end(tokenizer, &stream, (nn_writer){nn_write_stdout, NULL});
    printf("\n");

    /* Encodes a batch: ids and mask are tensors where you make them, here on the CPU. */
    nn_batch_text lines[2] = {{.text = "the ships", .bytes = 9},
                              {.text = "counted on the keeper", .bytes = 21}};
    nn_tensor *batch = nn_make_tensor(nn, &(nn_tensor_desc){
                                              .name = "ids", .dtype = NN_I32, .shape = NN_SHAPE(2, 8)});
    nn_tensor *mask = nn_make_tensor(nn, &(nn_tensor_desc){
                                             .name = "mask", .dtype = NN_I32, .shape = NN_SHAPE(2, 8)});
    nn_encode_batch(tokenizer, lines, 2, &(nn_encode_desc){.max_length = 8}, batch, mask, NULL);
    for (int row = 0; row < 2 && !nn_error(nn); row++) {
        const int32_t *id = (const int32_t *)nn_tensor_const_data(batch) + 8 * row;
        const int32_t *real = (const int32_t *)nn_tensor_const_data(mask) + 8 * row;
        for (int i = 0; i < 8; i++) printf("%4d%s", (int)id[i], real[i] ? " " : "_");
        printf("\n");
    }
    bool failed = nn_error(nn) != NULL;
    if (failed) printf("%s\n", nn_error(nn));

    /* Each mistake gives an error with a message. */
    int32_t far_off = 9999;
    nn_decode(tokenizer, &far_off, 1, NULL, (nn_writer){nn_write_stdout, NULL});
    printf("%s\n", nn_error(nn));
    nn_clear_error(nn);
    tokens.capacity = 3;
    nn_encode(tokenizer, sentence, strlen(sentence), NULL, &tokens);
    printf("%s\n", nn_error(nn));
    nn_close(nn);
    return failed;
}
