/* learn.ino - a board learns the exclusive or of two numbers, in one array of memory. It prints the loss, which is close to 0.

   NN_STATIC puts the library into this sketch; functions that the sketch does not use are left out. */
#define NN_STATIC
#define NN_NO_REPORTS /* errors are codes; remove this line to have them in words, with a log in desc.log */
#define NN_NO_SPEEDUPS
#define NN_NO_MIXED_PRECISION
#define NN_NO_RARE_OPTIONS
#define NN_NO_FILES
#define NN_NO_THREADS
#define NN_NO_STDIO
#define NN_NO_SIMD
#define NN_NO_CALL_SITES
#define NN_NO_MALLOC
#include <nn.h>

alignas(16) static unsigned char memory[(sizeof(void *) == 4 ? 48 : 72) * 1024]; /* a PC needs more */
static nn_context *nn;
static nn_trainer *trainer;

void setup() {
    static const float in[8] = { 0, 0, 0, 1, 1, 0, 1, 1 }, out[4] = { 0, 1, 1, 0 };
    Serial.begin(115200);

    nn_desc desc = nn_desc();
    desc.block = memory;
    desc.block_bytes = sizeof memory;
    nn = nn_open(desc);
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2));
    nn_node *y = nn_input(net, "y", NN_F32, NN_SHAPE(NN_BATCH, 1));
    nn_linear_desc layer = nn_linear_desc();
    layer.out_features = 8;
    nn_node *hidden = nn_tanh(net, nn_linear(net, "fc1", x, layer));
    layer.out_features = 1;
    nn_node *guess = nn_linear(net, "fc2", hidden, layer);

    nn_trainer_desc training = nn_trainer_desc();
    training.batch = 4;
    training.optimizer = NN_ADAM;
    training.learning_rate = 0.01f;
    trainer = nn_make_trainer(net, nn_mse_loss(net, guess, y, NULL), training);
    nn_upload(nn_trainer_plan(trainer), x, in, sizeof in);
    nn_upload(nn_trainer_plan(trainer), y, out, sizeof out);
}

void loop() {
    float loss;
    for (int i = 0; i < 1000; i++) nn_train_on_inputs(trainer);
    if (nn_read_loss(trainer, &loss) == NN_OK) Serial.println(loss);
    else Serial.println(nn_error(nn)); /* "out of memory": make the array larger */
}
