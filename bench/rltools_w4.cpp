/* bench/rltools_w4.cpp - W4 of bench_w1_w5.c with RLtools, the peer that is fastest there: its shapes
   are compiled in, and its products are OpenBLAS's. An MLP 4-64-64-2 with relu: a step of Adam on 32
   samples with cross-entropy, and one sample. Lines: name, minimum and median in microseconds.

     pip download rltools scipy-openblas32 --no-deps, both unpacked;
     g++ -std=c++17 -O3 -march=native -ffast-math -fpermissive -w -Dcblas_sgemm=scipy_cblas_sgemm \
         -DRL_TOOLS_BACKEND_ENABLE_OPENBLAS -I rltools/external/rl_tools/include \
         -I scipy_openblas32/include bench/rltools_w4.cpp libscipy_openblas.so -o rltools_w4
     OPENBLAS_NUM_THREADS=1 OPENBLAS_CORETYPE=SkylakeX ./rltools_w4
   Without the two macros and the library its own loops are measured. */
#include <rl_tools/operations/cpu_mux.h>

#include <rl_tools/nn/optimizers/adam/instance/operations_generic.h>

#include <rl_tools/nn/operations_cpu_mux.h>

#include <rl_tools/nn_models/mlp/operations_generic.h>

#include <rl_tools/nn/optimizers/adam/operations_generic.h>

#include <rl_tools/nn/loss_functions/categorical_cross_entropy/operations_generic.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

namespace rlt = rl_tools;
using device_type = rlt::devices::DEVICE_FACTORY<>;
using count = typename device_type::index_t;
using numbers = rlt::numeric_types::Policy<float>;

template <count batch> struct mlp {
    using activations = rlt::nn::activation_functions::ActivationFunction;
    using shape = rlt::tensor::Shape<count, 1, batch, 4>;
    using layers =
        rlt::nn_models::mlp::Configuration<numbers, count, 2, 3, 64, activations::RELU,
                                           activations::IDENTITY>;
    using learns = rlt::nn::capability::Gradient<rlt::nn::parameters::Adam, false>;
    using net = rlt::nn_models::mlp::NeuralNetwork<layers, learns, shape>;
};
template <typename element, count rows, count columns>
using matrix = rlt::Matrix<rlt::matrix::Specification<element, count, rows, columns, false>>;

static double now_us() {
    return std::chrono::duration<double, std::micro>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

template <typename function> static void measure(const char *name, int inner, function work) {
    std::vector<double> samples;
    for (double end = now_us() + 3e5; now_us() < end;) work();
    for (double end = now_us() + 7e5; now_us() < end;) {
        const double start = now_us();
        for (int i = 0; i < inner; i++) work();
        samples.push_back((now_us() - start) / inner);
    }
    std::sort(samples.begin(), samples.end());
    std::printf("%-24s %10.2f %10.2f\n", name, samples[0], samples[samples.size() / 2]);
}

int main() {
    namespace loss = rlt::nn::loss_functions::categorical_cross_entropy;
    using adam = rlt::nn::optimizers::adam::DEFAULT_PARAMETERS_PYTORCH<numbers>;
    device_type device;
    typename device_type::SPEC::RANDOM::template ENGINE<> random;
    static mlp<32>::net net;
    static mlp<32>::net::Buffer<false> room;
    static mlp<1>::net one;
    static mlp<1>::net::Buffer<false> room_of_one;
    static rlt::nn::optimizers::Adam<
        rlt::nn::optimizers::adam::Specification<numbers, count, adam, false>>
        optimizer;
    static matrix<float, 32, 4> x;
    static matrix<count, 32, 1> label;
    static matrix<float, 32, 2> dy;
    static matrix<float, 1, 4> sample;
    static matrix<float, 1, 2> result;
    volatile float last = 0;
    rlt::malloc(device, random);
    rlt::init(device, random, 1);
    rlt::malloc(device, optimizer);
    rlt::init_weights(device, net, random);
    rlt::init_weights(device, one, random);
    rlt::reset_optimizer_state(device, optimizer, net);
    for (count i = 0; i < 32; i++) {
        rlt::set(label, i, 0, i % 2);
        for (count j = 0; j < 4; j++)
            rlt::set(x, i, j, (float)((i * 7 + j * 13) % 11) / 11 - 0.5f);
    }
    for (count j = 0; j < 4; j++) rlt::set(sample, 0, j, (float)j / 10);
    measure("W4_train_adam", 10, [&] {
        rlt::zero_gradient(device, net);
        rlt::forward(device, net, x, room, random);
        last = loss::evaluate(device, net.output_layer.output, label);
        loss::gradient(device, net.output_layer.output, label, dy);
        rlt::backward(device, net, x, dy, room);
        rlt::step(device, optimizer, net);
    });
    measure("W4_infer", 100, [&] {
        rlt::evaluate(device, one, sample, result, room_of_one, random);
        last = rlt::get(result, 0, 0);
    });
    return 0;
}
