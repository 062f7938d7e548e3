/* compile_text.c - both implementations in one file, included twice, and every public function of
   nn_text.h with NULL for every object. tools/compile_checks.sh compiles it as C and as C++, and
   runs it. COMPILE_HOSTILE: macros of other headers come first. */
#ifdef COMPILE_HOSTILE
#define min hostile -
#define max hostile -
#define near hostile -
#define far hostile -
#define small hostile -
#define interface hostile -
#define Bool hostile -
#define None hostile -
#define I hostile -
#endif
#define NN_IMPLEMENTATION
#define NN_TEXT_IMPLEMENTATION
#include "nn_text.h"
#include "nn_text.h"

int main(void);
int main(void) {
    nn_context *nn = nn_open(NULL);
    nn_tokenizer *tokenizer = nn_make_byte_tokenizer(nn);
    const nn_tokenizer_desc *desc = NULL;
    const nn_train_tokenizer_desc *train = NULL;
    const nn_encode_desc *encode = NULL;
    const nn_decode_desc *decode = NULL;
    nn_config config;
    nn_writer writer;
    int failed;
    memset(&writer, 0, sizeof writer);
#ifdef __cplusplus
    (void)nn_open_tokenizer(nn, nn_tokenizer_desc());
    (void)nn_train_tokenizer(nn, NULL, 0, nn_train_tokenizer_desc());
    (void)nn_encode(tokenizer, "a", 1, nn_encode_desc(), NULL);
    (void)nn_encode_batch(tokenizer, NULL, 0, nn_encode_desc(), NULL, NULL, NULL);
    (void)nn_decode(tokenizer, NULL, 0, nn_decode_desc(), writer);
#endif
#ifdef __cplusplus
    (void)nn_read_config(nn, nn_config_desc(), &config);
    (void)nn_causal_lm(NULL, NULL, nn_causal_lm_desc());
    (void)nn_text_encoder(NULL, NULL, nn_text_encoder_desc());
#endif
    (void)nn_read_config(nn, (const nn_config_desc *)NULL, &config);
    (void)nn_read_config(nn, (const nn_config_desc *)NULL, NULL);
    (void)nn_causal_lm(NULL, NULL, (const nn_causal_lm_desc *)NULL);
    (void)nn_text_encoder(NULL, NULL, (const nn_text_encoder_desc *)NULL);
    (void)nn_load_pretrained(NULL, NULL, NULL);
    (void)nn_open_tokenizer(NULL, desc);
    (void)nn_open_tokenizer(nn, desc);
    (void)nn_make_byte_tokenizer(NULL);
    (void)nn_make_char_tokenizer(NULL, NULL, 0);
    (void)nn_make_char_tokenizer(nn, NULL, 0);
    (void)nn_train_tokenizer(NULL, NULL, 0, train);
    (void)nn_train_tokenizer(nn, NULL, 0, train);
    nn_free_tokenizer(NULL);
    failed = nn_vocab_size(NULL) != 0 || nn_token_id(NULL, NULL) != -1 || nn_token_text(NULL, 0) ||
             nn_encode(NULL, NULL, 0, encode, NULL) == NN_OK ||
             nn_encode(tokenizer, NULL, 0, encode, NULL) == NN_OK ||
             nn_encode_batch(NULL, NULL, 0, encode, NULL, NULL, NULL) == NN_OK ||
             nn_encode_batch(tokenizer, NULL, 0, encode, NULL, NULL, NULL) == NN_OK ||
             nn_decode(NULL, NULL, 0, decode, writer) == NN_OK ||
             nn_decode(tokenizer, NULL, 1, decode, writer) == NN_OK ||
             nn_decode_next(NULL, NULL, 0, writer) == NN_OK ||
             nn_decode_next(tokenizer, NULL, 0, writer) == NN_OK ||
             nn_decode_end(NULL, NULL, writer) == NN_OK ||
             nn_decode_end(tokenizer, NULL, writer) == NN_OK || !nn_error(nn);
    nn_clear_error(nn);
    nn_close(nn);
    return failed;
}
