/* tests/train/test_prepare_qat.c - tests quantisation-aware training (nn_prepare_qat): the f32
   model rounds as the integer model does and learns, its scales become those of the integers, and
   mistakes are reported. tests/golden/catalogue/rounding.py compares the rounding itself with
   PyTorch's. */
#define NN_IMPLEMENTATION
#include "nn.h"
#include "nn_quantize.h"

#include "quantize_nets.h"

/* True if the model has a tensor of this name. */
static bool has(nn_model *net, const char *name) {
    for (nn_node *node = nn_next_node(net, NULL); node; node = nn_next_node(net, node))
        if (strcmp(nn_node_name(node), name) == 0) return true;
    return false;
}

/* The prepared f32 model of every kind of layer gives nearly the numbers of the integer model. */
static void test_same_numbers(void) {
    nn_context *nn = nn_open(NULL);
    zoo z = describe_zoo(nn);
    float real[24 * 7], rounded[24 * 7], whole[24 * 7];
    fill_zoo();
    shake_zoo(z.net);
    nn_loader *loader = zoo_loader(nn, zoo_numbers, 24);
    report[0] = 0;
    nn_model *qat =
        nn_prepare_qat(z.net, loader, &(nn_quantize_net_desc){.report.function = write_report});
    if (test_wrong(!qat)) {
        test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
        nn_close(nn);
        return;
    }
    ENSURE(strstr(report, "zoo rounded as in 8-bit integers") && strstr(report, "stem "));
    /* the same integers from both; the scales are not measured again */
    report[0] = 0;
    nn_model *direct = nn_quantize_net(z.net, loader, NULL);
    nn_model *integers =
        nn_quantize_net(qat, loader, &(nn_quantize_net_desc){.report.function = write_report});
    if (test_wrong(!direct || !integers))
        test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
    else {
        nn_node *x = nn_copied_node(qat, z.x), *y = nn_copied_node(qat, z.y);
        run_zoo(z.net, z.x, z.y, 24, real, sizeof real);
        run_zoo(qat, x, y, 24, rounded, sizeof rounded);
        run_zoo(integers, nn_copied_node(integers, x), nn_copied_node(integers, y), 24, whole,
                sizeof whole);
        if (getenv("NN_VERBOSE"))
            printf("%s\nrounded - f32 %.4f, integers - rounded %.4f\n", report,
                   distance(rounded, real, 24 * 7), distance(whole, rounded, 24 * 7));
        ENSURE(distance(rounded, real, 24 * 7) > 1e-4 && distance(rounded, real, 24 * 7) < 0.05);
        /* sums exactly halfway between two integers are rounded up there, and to even here */
        ENSURE(distance(whole, rounded, 24 * 7) < 0.012);
        ENSURE(strstr(report, "stem ") && strstr(report, "depth ") && strstr(report, "add ") &&
               strstr(report, "fc2 ") && !strstr(report, "log_scale") &&
               !strstr(report, "fake_quantize"));
        ENSURE(strstr(report, "flip") &&
               strstr(strstr(report, "stays in f32") + 5, "stays in f32") == NULL);
        for (const char *const *name =
                 (const char *const[]){"stem.weight", "depth.weight", "wide.weight", "fc2.weight",
                                       "stem.bias", NULL};
             *name; name++) {
            static char a[65536], b[65536];
            nn_tensor *one = nn_find_tensor(direct, *name),
                      *other = nn_find_tensor(integers, *name);
            const size_t bytes = one ? nn_tensor_bytes(one) : 0;
            ENSURE(other && bytes > 0 && bytes <= sizeof a && nn_tensor_bytes(other) == bytes);
            nn_download_tensor(one, a, bytes), nn_download_tensor(other, b, bytes);
            if (strstr(*name, "weight") && memcmp(a, b, bytes) != 0)
                test_fail(__FILE__, __LINE__, "%s differs", *name);
        }
        ENSURE(!has(integers, "stem.log_scale"));
        ENSURE(has(qat, "stem.log_scale") && has(qat, "x.zero_point"));
        ENSURE(!has(qat, "stem_norm.weight"));
    }
    ENSURE(nn_loader_position(loader).position == 0 && nn_loader_position(loader).epoch == 0);
    ENSURE(fine(nn));
    nn_close(nn);
}

/* Compares both ways to the integers for a net whose layers stay in f32 only for this reason. */
static nn_model *both_ways(nn_context *nn, zoo z, const char *reason) {
    float real[24 * 7], rounded[24 * 7], whole[24 * 7], straight[24 * 7];
    fill_zoo();
    nn_loader *loader = zoo_loader(nn, zoo_numbers, 24);
    nn_model *qat = nn_prepare_qat(z.net, loader, NULL);
    nn_model *direct = nn_quantize_net(z.net, loader, NULL);
    report[0] = 0;
    nn_model *integers =
        qat ? nn_quantize_net(qat, NULL, &(nn_quantize_net_desc){.report.function = write_report})
            : NULL;
    if (test_wrong(!direct || !integers)) {
        test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
        return NULL;
    }
    nn_node *x = nn_copied_node(qat, z.x), *y = nn_copied_node(qat, z.y);
    run_zoo(z.net, z.x, z.y, 24, real, sizeof real);
    run_zoo(qat, x, y, 24, rounded, sizeof rounded);
    run_zoo(integers, nn_copied_node(integers, x), nn_copied_node(integers, y), 24, whole,
            sizeof whole);
    run_zoo(direct, nn_copied_node(direct, z.x), nn_copied_node(direct, z.y), 24, straight,
            sizeof straight);
    if (getenv("NN_VERBOSE"))
        printf("%s\nrounded - f32 %.4f, integers - rounded %.4f, direct - integers %.4f\n", report,
               distance(rounded, real, 24 * 7), distance(whole, rounded, 24 * 7),
               distance(straight, whole, 24 * 7));
    ENSURE_OR(NULL, distance(rounded, real, 24 * 7) > 1e-4);
    ENSURE_OR(NULL, distance(rounded, real, 24 * 7) < 0.05);
    ENSURE_OR(NULL, distance(whole, rounded, 24 * 7) < 0.012);
    ENSURE_OR(NULL, distance(straight, whole, 24 * 7) < 0.012);
    for (const char *line = report; (line = strstr(line, "stays in f32")) != NULL; line++)
        ENSURE_OR(NULL, reason && strncmp(line + 14, reason, strlen(reason)) == 0);
    ENSURE_OR(NULL, reason || nn_model_tensor_count(direct) == nn_model_tensor_count(integers));
    ENSURE_OR(NULL, fine(nn));
    return qat;
}
static void test_branches(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *qat = both_ways(nn, describe_branches(nn), NULL);
    ENSURE(has(qat, "concat.log_scale") && has(qat, "a.log_scale") && !has(qat, "b.log_scale"));
    nn_close(nn);
}
static void test_turned(void) {
    nn_context *nn = nn_open(NULL);
    nn_model *qat = both_ways(nn, describe_turned(nn), "nn_prepare_qat");
    ENSURE(has(qat, "up.log_scale") && has(qat, "line.log_scale") && !has(qat, "line_norm.weight"));
    nn_close(nn);
}


/* Scales are trained too. Two epochs repair what 8 bits broke, and the integers are as good as the
   model that was trained. */
static void test_learns(void) {
    nn_context *nn = nn_open(NULL);
    digits_net d = describe_digits(nn, true);
    nn_loader *train = digits_loader(nn, 0, DIGITS, true),
              *test = digits_loader(nn, DIGITS, DIGITS, false);
    train_digits(&d, train, 3);
    const int real = count_right(d.net, d.logits, test, DIGITS, NULL);
    nn_model *qat = nn_prepare_qat(
        d.net, train, &(nn_quantize_net_desc){.batches = 10, .outputs = NN_NODES(d.logits)});
    if (test_wrong(!qat)) {
        test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
        nn_close(nn);
        return;
    }
    float before, after;
    nn_download_tensor(nn_find_tensor(qat, "conv1.log_scale"), &before, sizeof before);
    digits_net q = d;
    q.net = qat;
    q.loss = nn_copied_node(qat, d.loss);
    q.logits = nn_copied_node(qat, d.logits);
    train_digits(&q, train, 2);
    nn_download_tensor(nn_find_tensor(qat, "conv1.log_scale"), &after, sizeof after);
    ENSURE(before != after && fabsf(before - after) < 1);
    const int rounded = count_right(qat, q.logits, test, DIGITS, NULL);
    nn_model *integers =
        nn_quantize_net(qat, NULL, &(nn_quantize_net_desc){.outputs = NN_NODES(q.logits)});
    if (test_wrong(!integers)) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
    const int whole = count_right(integers, nn_copied_node(integers, q.logits), test, DIGITS, NULL);
    if (getenv("NN_VERBOSE"))
        printf("%d in f32, %d rounded, %d in integers\n", real, rounded, whole);
    if (test_wrong(abs(rounded - whole) * 1000 > DIGITS))
        test_fail(__FILE__, __LINE__, "%d of %d digits rounded, %d in integers", rounded, DIGITS,
                  whole);
    ENSURE((real - whole) * 1000 <= DIGITS);
    ENSURE(fine(nn));
    nn_close(nn);
}

/* A model that is saved, described without a loader, and loaded has the same bytes. A copy rounds
   too. */
static void test_saved(void) {
    nn_context *nn = nn_open(NULL);
    zoo z = describe_zoo(nn);
    float first[24 * 7], second[24 * 7], third[24 * 7];
    fill_zoo();
    shake_zoo(z.net);
    nn_loader *loader = zoo_loader(nn, zoo_numbers, 24);
    nn_model *qat = nn_prepare_qat(z.net, loader, NULL), *other = nn_prepare_qat(z.net, NULL, NULL);
    nn_model *copy = nn_copy_model(qat, NULL);
    ENSURE(qat && other && copy);
    ENSURE(nn_save_weights(qat, "prepared.safetensors") == NN_OK);
    ENSURE(nn_load_weights(other, "prepared.safetensors", NULL) == NN_OK);
    remove("prepared.safetensors");
    nn_model *a = nn_quantize_net(qat, NULL, NULL), *b = nn_quantize_net(other, NULL, NULL),
             *c = nn_quantize_net(copy, NULL, NULL);
    if (test_wrong(!a || !b || !c))
        test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
    else {
        nn_model *const models[] = {a, b, c}, *const from[] = {qat, other, copy};
        float *const to[] = {first, second, third};
        for (int i = 0; i < 3; i++) {
            nn_node *x = i == 2 ? nn_copied_node(copy, nn_copied_node(qat, z.x))
                                : nn_copied_node(from[i], z.x);
            nn_node *y = i == 2 ? nn_copied_node(copy, nn_copied_node(qat, z.y))
                                : nn_copied_node(from[i], z.y);
            run_zoo(models[i], nn_copied_node(models[i], x), nn_copied_node(models[i], y), 24,
                    to[i], sizeof first);
        }
        ENSURE(memcmp(first, second, sizeof first) == 0);
        ENSURE(memcmp(first, third, sizeof first) == 0);
    }
    ENSURE(fine(nn));
    nn_close(nn);
}

/* The integers of a trained copy fit the integer model of the net as it was described, for a
   program that only runs them. A file of another form of the net is refused, and the error says
   which model takes it. */
static void test_forms_in_files(void) {
    nn_context *nn = nn_open(NULL);
    zoo z = describe_zoo(nn);
    float first[24 * 7], second[24 * 7];
    fill_zoo();
    shake_zoo(z.net);
    nn_loader *loader = zoo_loader(nn, zoo_numbers, 24);
    nn_model *qat = nn_prepare_qat(z.net, loader, NULL);
    nn_model *trained = nn_quantize_net(qat, NULL, NULL),
             *plain = nn_quantize_net(z.net, NULL, NULL);
    ENSURE(nn_save_weights(z.net, "form0.safetensors") == NN_OK);
    ENSURE(nn_save_weights(qat, "form1.safetensors") == NN_OK);
    ENSURE(nn_save_weights(trained, "form2.safetensors") == NN_OK);
    if (test_wrong(nn_load_weights(plain, "form2.safetensors", NULL) != NN_OK))
        test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
    run_zoo(trained, nn_copied_node(trained, nn_copied_node(qat, z.x)),
            nn_copied_node(trained, nn_copied_node(qat, z.y)), 24, first, sizeof first);
    run_zoo(plain, nn_copied_node(plain, z.x), nn_copied_node(plain, z.y), 24, second,
            sizeof second);
    ENSURE(memcmp(first, second, sizeof first) == 0);
    nn_model *const models[] = {z.net, qat, plain};
    const char *const forms[] = {"in f32", "of nn_prepare_qat", "of nn_quantize_net"};
    const char *const ways[] = {"and give that to nn_quantize_net", "nn_prepare_qat(net, NULL, NULL)",
                                "nn_quantize_net(net, NULL, NULL)"};
    for (int file = 0; file < 3; file++)
        for (int model = 0; model < 3; model++) {
            char path[32], words[128];
            snprintf(path, sizeof path, "form%d.safetensors", file);
            if (file == model) {
                ENSURE(nn_load_weights(models[model], path, NULL) == NN_OK);
                continue;
            }
            snprintf(words, sizeof words, "holds a net %s, and the model is one %s", forms[file],
                     forms[model]);
            ENSURE(nn_load_weights(models[model], path, NULL) == NN_ERROR_SHAPE);
            const char *text = nn_error(nn);
            ENSURE(text && strstr(text, words) && strstr(text, ways[file]) &&
                   !strstr(text, "call nn_quantize before"));
            nn_clear_error(nn);
        }
    for (int file = 0; file < 3; file++) {
        char path[32];
        snprintf(path, sizeof path, "form%d.safetensors", file);
        remove(path);
    }
    ENSURE(fine(nn));
    nn_close(nn);
}

/* Skipped layers stay as they are, with their norms. */
static void test_skip(void) {
    nn_context *nn = nn_open(NULL);
    zoo z = describe_zoo(nn);
    fill_zoo();
    nn_model *qat = nn_prepare_qat(
        z.net, zoo_loader(nn, zoo_numbers, 24),
        &(nn_quantize_net_desc){.skip = NN_TEXTS("stem", "depth", "point", "add"), .batches = 1});
    ENSURE(qat && has(qat, "stem_norm.weight") && !has(qat, "stem.log_scale"));
    ENSURE(has(qat, "fc1.log_scale"));
    nn_model *integers = nn_quantize_net(qat, NULL, NULL);
    if (test_wrong(!integers)) test_fail(__FILE__, __LINE__, "%s", nn_error(nn));
    ENSURE(integers && has(integers, "stem_norm.weight") && has(integers, "fc1.factor"));
    ENSURE(integers && !has(integers, "stem.factor") && !has(integers, "fc1.log_scale"));
    ENSURE(fine(nn));
    nn_close(nn);
}

static void test_mistakes(void) {
    nn_context *nn = nn_open(&(nn_desc){.log.function = write_nowhere});
    zoo z = describe_zoo(nn);
    fill_zoo();
    nn_loader *loader = zoo_loader(nn, zoo_numbers, 24);
    nn_model *qat = nn_prepare_qat(z.net, loader, NULL);
    ENSURE(nn_prepare_qat(qat, loader, NULL) == NULL &&
           says(nn, "the model \"zoo\" is prepared already"));
    nn_clear_error(nn);
    ENSURE(nn_prepare_qat(z.net, loader, &(nn_quantize_net_desc){.skip = NN_TEXTS("nothing")}) ==
           NULL);
    ENSURE(says(nn, "skip \"nothing\" fits no layer"));
    nn_clear_error(nn);
    /* a scale that training has driven far away */
    float far = 200;
    ENSURE(nn_upload_tensor(nn_find_tensor(qat, "fc1.log_scale"), &far, sizeof far) == NN_OK);
    ENSURE(nn_quantize_net(qat, NULL, NULL) == NULL && says(nn, "\"fc1.log_scale\" is 200"));
    nn_clear_error(nn);
    /* another operation reads a weight that a norm would change */
    nn_model *net = nn_make_model(nn, NULL);
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 3, 13, 11));
    nn_conv2d_desc conv = {.out_channels = 3, .kernel = 3, .padding = 1};
    nn_batch_norm2d(net, "norm", nn_conv2d(net, "first", x, &conv), NULL);
    nn_sum_of_squares(net, nn_find_parameter(net, "first.weight"));
    ENSURE(nn_prepare_qat(net, loader, NULL) == NULL && says(nn, "\"first\" shares its weight"));
    nn_clear_error(nn);
    nn_close(nn);
}

/* The operation itself refuses these inputs. */
static void test_faults(void) {
    nn_context *nn = nn_open(&(nn_desc){.log.function = write_nowhere});
    static const struct {
        nn_fake_quantize_desc desc;
        int scales;
        const char *says;
    } cases[] = {
        {{.quant_min = 5, .quant_max = 5}, 1, "quant_min is 5 and quant_max is 5"},
        {{.quant_max = 1.5f}, 1, "whole numbers"},
        {{.axis = 2}, 1, "axis"},
        {{.axis = -3}, 1, "axis"},
        {{.axis = 1}, 3, "scale is (3)"},
        {{.axis = 0}, 4, "scale is (4)"},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        nn_model *net = nn_make_model(nn, NULL);
        nn_node *x = nn_parameter(net, "x", NN_SHAPE(3, 4), 0, 1);
        nn_node *scale = nn_parameter(net, "scale", NN_SHAPE(cases[i].scales), 1, 1);
        nn_fake_quantize(net, x, scale, NULL, &cases[i].desc);
        char text[2000] = "";
        nn_text words = {text, sizeof text, 0};
        ENSURE(nn_fault_count(net) == 1);
        nn_write_faults(net, (nn_writer){.function = nn_write_text, .user = &words});
        if (test_wrong(!strstr(text, cases[i].says)))
            test_fail(__FILE__, __LINE__, "case %d says %s", i, text);
        nn_free_model(net);
    }
    nn_clear_error(nn);
    nn_close(nn);
}

int main(int argc, char **argv) {
    test_start(argc, argv);
    RUN(test_same_numbers);
    RUN(test_branches);
    RUN(test_turned);
    RUN(test_learns);
    RUN(test_saved);
    RUN(test_forms_in_files);
    RUN(test_skip);
    RUN(test_mistakes);
    RUN(test_faults);
    return test_report();
}
