/* 09_cpp.cpp - the same library in C++: a net learns two spirals. Descs are filled field by field
   in C++11, or written in the call in C++20; both are here, and describe the same net.
   Run:    g++ -std=c++20 -O2 09_cpp.cpp -o spirals -lm -lpthread && ./spirals        (or
           -std=c++11)
   Prints: loss and accuracy as they get better, then the plane as the net sees it. */
#define NN_IMPLEMENTATION
#include "../nn.h"
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

/* nn_close frees whatever was made with the context. */
struct closer {
    void operator()(nn_context *nn) const { nn_close(nn); }
};

struct points {
    std::vector<float>        at;   /* (count, 2) */
    std::vector<int32_t> side; /* (count) */
};

static points make_spirals(int count) {
    points made;
    for (int i = 0; i < count; i++) {
        float turn = 8.0f * static_cast<float>(i) / static_cast<float>(count),
              sign = i % 2 ? 1.0f : -1.0f;
        made.at.push_back(sign * turn / 8.0f * std::cos(turn));
        made.at.push_back(sign * turn / 8.0f * std::sin(turn));
        made.side.push_back(i % 2);
    }
    return made;
}

#if __cplusplus >= 202002L
static nn_node *describe(nn_model *net, nn_node *x) {
    x = nn_tanh(net, nn_linear(net, "fc1", x, {.out_features = 48}));
    x = nn_tanh(net, nn_linear(net, "fc2", x, {.out_features = 48}));
    return nn_linear(net, "fc3", x, {.out_features = 2});
}
#else
static nn_node *describe(nn_model *net, nn_node *x) {
    nn_linear_desc hidden{}, out{};
    hidden.out_features = 48;
    out.out_features = 2;
    x = nn_tanh(net, nn_linear(net, "fc1", x, hidden));
    x = nn_tanh(net, nn_linear(net, "fc2", x, hidden));
    return nn_linear(net, "fc3", x, out);
}
#endif

int main() {
    nn_desc desc{};
    desc.log.function = nn_write_stderr;
    std::unique_ptr<nn_context, closer> nn(nn_open(&desc));
    const points  spirals = make_spirals(200);
    nn_model_desc model_desc{};
    model_desc.name = "spirals";
    model_desc.seed = 1;
    nn_model *net = nn_make_model(nn.get(), model_desc);
    nn_node  *x = nn_input(net, "x", NN_F32, NN_SHAPE(NN_BATCH, 2));
    nn_node  *side = nn_input(net, "side", NN_I32, NN_SHAPE(NN_BATCH));
    nn_node  *logits = describe(net, x);

    nn_field fields[2]{};
    fields[0].name = "x";
    fields[0].shape = NN_SHAPE(2);
    fields[0].data = spirals.at.data();
    fields[1].name = "side";
    fields[1].dtype = NN_I32;
    fields[1].data = spirals.side.data();
    nn_dataset_desc dataset{};
    dataset.fields = fields;
    dataset.count = static_cast<int32_t>(spirals.side.size());
    nn_loader_desc loader_desc{};
    loader_desc.dataset = nn_make_dataset(nn.get(), dataset);
    loader_desc.batch = 50;
    loader_desc.shuffle = true;
    nn_loader *loader = nn_make_loader(nn.get(), loader_desc);

    nn_node        *metrics[] = {nn_accuracy(net, logits, side)};
    nn_trainer_desc trainer_desc{};
    trainer_desc.batch = 50;
    trainer_desc.optimizer = NN_ADAM;
    trainer_desc.learning_rate = 5e-3f;
    trainer_desc.metrics = metrics;
    nn_trainer *trainer =
        nn_make_trainer(net, nn_cross_entropy(net, logits, side, nullptr), trainer_desc);
    nn_report   report{};
    for (int epoch = 1; epoch <= 300; epoch++) {
        while (nn_next_batch(loader)) nn_train_step(trainer, loader);
        if (nn_read_report(trainer, &report) != NN_OK) return 1; /* the log has told why */
        if (epoch % 50) continue;
        std::printf("epoch %3d  loss %.4f  accuracy %5.1f %%\n", epoch, report.loss,
                    100 * report.metrics[0]);
    }

    const int          across = 56, down = 24;
    std::vector<float> plane, scores(2 * across * down);
    for (int i = 0; i < across * down; i++) {
        plane.push_back(2.4f * (static_cast<float>(i % across) / (across - 1) - 0.5f));
        plane.push_back(2.4f * (static_cast<float>(i / across) / (down - 1) - 0.5f));
    }
    nn_node     *outputs[] = {logits};
    nn_plan_desc plan_desc{};
    plan_desc.outputs = outputs;
    plan_desc.batch = across * down;
    nn_plan *plan = nn_make_plan(net, plan_desc);
    nn_upload(plan, x, plane.data(), plane.size() * sizeof(float));
    nn_run(plan);
    if (nn_download(plan, logits, scores.data(), scores.size() * sizeof(float)) != NN_OK) return 1;
    for (std::size_t i = 0; i < across * down; i++) {
        std::putchar(scores[2 * i] > scores[2 * i + 1] ? '.' : '#');
        if (i % across == across - 1) std::putchar('\n');
    }
    return report.metrics[0] < 0.95;
}
