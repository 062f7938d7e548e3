/* test_onnx2c.c: tests the options of tools/onnx2c.c, and a file that it converts. */
#define NN_IMPLEMENTATION
#include "nn.h"
#define NN_ONNX_IMPLEMENTATION
#include "nn_onnx.h"

#include "test.h"

#define main onnx2c_main
#include "tools/onnx2c.c"
#undef main

static int run(const char *a, const char *b, const char *c, const char *d, const char *e) {
    const char *all[] = {a, b, c, d, e};
    static char words[6][64];
    char *list[7] = {words[0]};
    int count = 1;
    for (int i = 0; i < 5 && all[i]; i++, count++) {
        snprintf(words[count], sizeof words[count], "%s", all[i]);
        list[count] = words[count];
    }
    return onnx2c_main(count, list);
}

static void options_are_read(void) {
    char name[64];
    ENSURE(extent_of("12") == 12 && extent_of("time") == NN_TIME && extent_of("batch") == NN_BATCH);
    ENSURE(extent_of("4*time") == nn_multiply_extents(4, NN_TIME));
    ENSURE(extent_of("0") == 0 && extent_of("-3") == 0 && extent_of("times") == 0);
    ENSURE(extent_of("4time") == 0 && extent_of("0*time") == 0 && extent_of("") == 0);
    ENSURE_TEXT(name_of("a/b/7 vad-v5.onnx", name, sizeof name), "n7_vad_v5");
    ENSURE_TEXT(name_of("model.onnx", name, sizeof name), "model");
    ENSURE_TEXT(name_of(".onnx", name, sizeof name), "net");
}

static void mistakes_are_told(void) {
    ENSURE(run(NULL, NULL, NULL, NULL, NULL) == 2);
    ENSURE(run("--name", NULL, NULL, NULL, NULL) == 2);
    ENSURE(run("--nonsense", "x", "a.onnx", NULL, NULL) == 2);
    ENSURE(run("a.onnx", "b.onnx", NULL, NULL, NULL) == 2);
    ENSURE(run("--dims", "T", "a.onnx", NULL, NULL) == 2);
    ENSURE(run("--dims", "T=-1", "a.onnx", NULL, NULL) == 2);
    ENSURE(run("--value", "sr", "a.onnx", NULL, NULL) == 2);
    ENSURE(run("no_such_file.onnx", NULL, NULL, NULL, NULL) == 1);
}

static void a_file_is_converted(void) {
    static char text[8192];
    nn_context *nn = nn_open(NULL);
    nn_model *net = nn_make_model(nn, NULL);
    nn_linear_desc wide;
    nn_onnx_save_desc desc;
    memset(&wide, 0, sizeof wide);
    memset(&desc, 0, sizeof desc);
    wide.out_features = 2;
    nn_node *answer = nn_relu(
        net, nn_linear(net, "fc", nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3)), &wide));
    desc.outputs = NN_NODES(answer);
    desc.output_names = NN_TEXTS("answer");
    ENSURE(nn_save_onnx(net, "onnx2c_test.onnx", &desc) == NN_OK);
    nn_close(nn);
    ENSURE(run("onnx2c_test.onnx", "--to", "onnx2c_test.h", "--name", "tiny") == 0);
    FILE *file = fopen("onnx2c_test.h", "r");
    ENSURE(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    ENSURE(strstr(text, "tiny_nodes tiny_describe(nn_model *net)") &&
           strstr(text, "nn_node *answer;"));
    ENSURE(strstr(text, "nn_linear(net, \"fc\", x, &d)") && strstr(text, "d.out_features = 2;"));
    ENSURE(strstr(text, "static const float tiny_fc_weight[6] = {"));
    ENSURE(run("onnx2c_test.onnx", "--to", "no/such/folder/x.h", NULL, NULL) == 1);
    ENSURE(run("onnx2c_test.onnx", "--output", "nothing", NULL, NULL) == 1);
    remove("onnx2c_test.onnx");
    remove("onnx2c_test.h");
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(options_are_read);
    RUN(mistakes_are_told);
    RUN(a_file_is_converted);
    return test_report();
}
