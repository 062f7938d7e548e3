"""Makes tests/golden/initialise.h: how PyTorch's initialisers distribute their numbers, and the
numbers of initialisers that draw none.

    python tests/golden/initialise.py          (any PyTorch from 2.0 on; run in the repository's root)

For each initialiser that draws: mean, standard deviation, minimum, maximum and the nine deciles of many draws. Ours, drawn
once, must lie as near to them as chance allows (tests/model/test_initialise.c).
"""
import os

import torch
import torch.nn.init as I

torch.manual_seed(1)
torch.set_num_threads(1)
DRAWS = 200

drawn = [  # our desc, shape, PyTorch
    (".init = NN_INIT_KAIMING_UNIFORM", (40, 30, 3, 3), I.kaiming_uniform_),
    (".init = NN_INIT_KAIMING_UNIFORM, .fan = NN_FAN_OUT", (40, 90), lambda w: I.kaiming_uniform_(w, mode="fan_out")),
    (".init = NN_INIT_KAIMING_UNIFORM, .negative_slope = 2.2360679775f", (60, 50), lambda w: I.kaiming_uniform_(w, a=5 ** 0.5)),
    (".init = NN_INIT_KAIMING_NORMAL", (40, 30, 5), I.kaiming_normal_),
    (".init = NN_INIT_KAIMING_NORMAL, .fan = NN_FAN_OUT, .nonlinearity = NN_GAIN_RELU", (64, 20, 3, 3),
     lambda w: I.kaiming_normal_(w, mode="fan_out", nonlinearity="relu")),
    (".init = NN_INIT_KAIMING_NORMAL, .nonlinearity = NN_GAIN_TANH", (80, 50), lambda w: I.kaiming_normal_(w, nonlinearity="tanh")),
    (".init = NN_INIT_KAIMING_NORMAL, .nonlinearity = NN_GAIN_SELU", (80, 50), lambda w: I.kaiming_normal_(w, nonlinearity="selu")),
    (".init = NN_INIT_KAIMING_NORMAL, .nonlinearity = NN_GAIN_LINEAR", (80, 50),
     lambda w: I.kaiming_normal_(w, nonlinearity="linear")),
    (".init = NN_INIT_KAIMING_NORMAL, .nonlinearity = NN_GAIN_SIGMOID", (80, 50),
     lambda w: I.kaiming_normal_(w, nonlinearity="sigmoid")),
    (".init = NN_INIT_KAIMING_NORMAL, .negative_slope = 0.25f", (80, 50), lambda w: I.kaiming_normal_(w, a=0.25)),
    (".init = NN_INIT_XAVIER_UNIFORM", (40, 90), I.xavier_uniform_),
    (".init = NN_INIT_XAVIER_UNIFORM, .gain = 2", (20, 30, 3, 3), lambda w: I.xavier_uniform_(w, gain=2)),
    (".init = NN_INIT_XAVIER_NORMAL", (40, 90), I.xavier_normal_),
    (".init = NN_INIT_XAVIER_NORMAL, .gain = 0.5f", (20, 30, 7), lambda w: I.xavier_normal_(w, gain=0.5)),
    (".init = NN_INIT_ORTHOGONAL", (40, 90), I.orthogonal_),
    (".init = NN_INIT_ORTHOGONAL, .gain = 3", (90, 10, 2, 2), lambda w: I.orthogonal_(w, gain=3)),
    (".init = NN_INIT_TRUNC_NORMAL", (4000,), I.trunc_normal_),
    (".init = NN_INIT_TRUNC_NORMAL, .mean = 1, .std = 2, .low = -0.5f, .high = 1.5f", (50, 80),
     lambda w: I.trunc_normal_(w, 1, 2, -0.5, 1.5)),
    (".init = NN_INIT_TRUNC_NORMAL, .std = 0.02f", (4000,), lambda w: I.trunc_normal_(w, std=0.02)),
    (".init = NN_INIT_NORMAL", (4000,), I.normal_),
    (".init = NN_INIT_NORMAL, .mean = -3, .std = 0.25f", (4000,), lambda w: I.normal_(w, -3, 0.25)),
    (".init = NN_INIT_UNIFORM", (4000,), I.uniform_),
    (".init = NN_INIT_UNIFORM, .low = -3, .high = -2.5f", (4000,), lambda w: I.uniform_(w, -3, -2.5)),
    (".init = NN_INIT_SPARSE, .sparsity = 0.3f", (50, 80), lambda w: I.sparse_(w, 0.3)),
    (".init = NN_INIT_SPARSE, .sparsity = 0.15f, .std = 2", (50, 80), lambda w: I.sparse_(w, 0.15, 2)),
]
exact = [
    (".init = NN_INIT_CONSTANT, .value = -1.5f", (2, 3), lambda w: I.constant_(w, -1.5)),
    (".init = NN_INIT_ZEROS", (5,), I.zeros_),
    (".init = NN_INIT_ONES", (5,), I.ones_),
    (".init = NN_INIT_EYE", (3, 5), I.eye_),
    (".init = NN_INIT_EYE", (5, 2), I.eye_),
    (".init = NN_INIT_DIRAC", (4, 3, 5), I.dirac_),
    (".init = NN_INIT_DIRAC", (2, 3, 4), I.dirac_),
    (".init = NN_INIT_DIRAC", (3, 2, 3, 2), I.dirac_),
    (".init = NN_INIT_DIRAC, .groups = 2", (6, 2, 3, 3), lambda w: I.dirac_(w, 2)),
    (".init = NN_INIT_DIRAC, .groups = 3", (6, 4, 1, 3, 2), lambda w: I.dirac_(w, 3)),
    (".init = NN_INIT_KAIMING_UNIFORM, .negative_slope = 1e30f", (2, 3), lambda w: I.kaiming_uniform_(w, a=1e30)),
    (".init = NN_INIT_XAVIER_NORMAL, .gain = NN_NONE", (2, 3), lambda w: I.xavier_normal_(w, gain=0)),
    (".init = NN_INIT_NORMAL, .mean = 2, .std = NN_NONE", (2, 3), lambda w: I.normal_(w, 2, 0)),
    (".init = NN_INIT_ORTHOGONAL, .gain = NN_NONE", (2, 3), lambda w: I.orthogonal_(w, 0)),
]

# Layers, whose initial values are compared: the shape of the input, our call, PyTorch's module, the
# name of the layer.
layers = [
    ((5, 40), 'nn_prelu(net, "act", x, &(nn_prelu_desc){.num_parameters = 40})', torch.nn.PReLU(40), "act"),
    ((5, 40), 'nn_linear(net, "fc", x, &(nn_linear_desc){.out_features = 60})', torch.nn.Linear(40, 60), "fc"),
    ((1, 12, 9, 9), 'nn_conv2d(net, "conv", x, &(nn_conv2d_desc){.out_channels = 60, .kernel = 3})', torch.nn.Conv2d(12, 60, 3),
     "conv"),
    ((1, 12, 9, 9), 'nn_conv2d(net, "conv", x, &(nn_conv2d_desc){.out_channels = 60, .kernel = 2, .kernel_w = 5, .groups = 4})',
     torch.nn.Conv2d(12, 60, (2, 5), groups=4), "conv"),
    ((), 'nn_embedding(net, "tok", nn_input(net, "i", NN_I32, NN_SHAPE(7)), &(nn_embedding_desc){.num_embeddings = 90, '
     '.embedding_dim = 40})', torch.nn.Embedding(90, 40), "tok"),
    ((3, 5, 40), 'nn_lstm(net, "rnn", x, &(nn_lstm_desc){.hidden_size = 30, .bidirectional = true, .proj_size = 20})',
     torch.nn.LSTM(40, 30, bidirectional=True, proj_size=20), "rnn"),
    ((3, 5, 40), 'nn_gru(net, "rnn", x, &(nn_gru_desc){.hidden_size = 30, .layers = 2})', torch.nn.GRU(40, 30, num_layers=2), "rnn"),
    ((3, 40), 'nn_lstm_cell(net, "cell", x, &(nn_lstm_cell_desc){.hidden_size = 30})', torch.nn.LSTMCell(40, 30), "cell"),
    ((3, 40), 'nn_gru_cell(net, "cell", x, &(nn_gru_cell_desc){.hidden_size = 30})', torch.nn.GRUCell(40, 30), "cell"),
    ((3, 40), 'nn_rnn_cell(net, "cell", x, &(nn_rnn_cell_desc){.hidden_size = 30})', torch.nn.RNNCell(40, 30), "cell"),
    ((5, 20), 'nn_bilinear(net, "b", x, nn_slice(net, x, &(nn_slice_desc){.axis = 1, .stop = 9}), &(nn_bilinear_desc){.out_features = 30})',
     torch.nn.Bilinear(20, 9, 30), "b"),
]


def extents(shape):
    return "%d, {%s}" % (len(shape), ", ".join(str(extent) for extent in shape))


with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "initialise.h"), "w") as out:
    out.write("/* Made by tests/golden/initialise.py with PyTorch %s; not edited by hand. */\n" % torch.__version__.split("+")[0])
    out.write("static const struct golden_drawn {\n    nn_init_desc desc;\n    int rank;\n    int32_t extent[6];\n"
              "    double mean, deviation, least, largest, decile[9];\n} golden_drawn[] = {\n")
    for desc, shape, function in drawn:
        numbers = torch.cat([function(torch.empty(shape)).flatten() for _ in range(DRAWS)]).double()
        values = [numbers.mean().item(), numbers.std().item(), numbers.min().item(), numbers.max().item()]
        ordered = numbers.sort().values
        deciles = [ordered[len(ordered) * k // 10].item() for k in range(1, 10)]
        first = deciles[:5], deciles[5:]
        out.write("    {{%s},\n     %s,\n     %s,\n     {%s,\n      %s}},\n" % (
            desc, extents(shape), ", ".join("%.6g" % v for v in values), ", ".join("%.6g" % v for v in first[0]),
            ", ".join("%.6g" % v for v in first[1])))
    out.write("};\n\nstatic const struct golden_exact {\n    nn_init_desc desc;\n    int rank;\n    int32_t extent[6];\n"
              "    const char *numbers; /* digits, where all are 0 or 1; else one number for all */\n} golden_exact[] = {\n")
    for desc, shape, function in exact:
        numbers = function(torch.empty(shape)).flatten().tolist()
        text = "".join("%d" % v for v in numbers) if all(v in (0, 1) for v in numbers) else "=%g" % numbers[0]
        pieces = [text[i:i + 72] for i in range(0, len(text), 72)]
        out.write("    {{%s},\n     %s,\n     %s},\n" % (desc, extents(shape), "\n     ".join('"%s"' % piece for piece in pieces)))
    out.write("};\n")
    for k, (shape, call, module, layer) in enumerate(layers):
        x = '    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(%s));\n' % ", ".join(str(e) for e in shape) if shape else ""
        call = call.replace(", &(", ",\n        &(") + ";"
        out.write("\nstatic void golden_layer_%d(nn_model *net) {\n%s    %s\n}" % (k, x, call))
    out.write("\n\nstatic const struct golden_layer {\n    void (*build)(nn_model *net);\n    const char *name;\n    int count;\n"
              "    bool uniform;\n    double mean, deviation, least, largest;\n} golden_layers[] = {\n")
    for k, (shape, call, module, layer) in enumerate(layers):
        draws = {name: [] for name, _ in module.named_parameters()}
        for _ in range(DRAWS):
            module.reset_parameters()
            for name, parameter in module.named_parameters():
                draws[name].append(parameter.detach().flatten().clone())
        for name, list_of in draws.items():
            numbers = torch.cat(list_of).double()
            spread, most = numbers.std().item(), numbers.abs().max().item()
            uniform = spread == 0 or abs(most / spread - 3 ** 0.5) < 0.03
            out.write('    {golden_layer_%d, "%s.%s", %d, %s, %.6g, %.6g, %.6g, %.6g},\n' % (
                k, layer, name, len(list_of[0]), "true" if uniform else "false", 0 if uniform and spread else numbers.mean(), spread,
                numbers.min(), numbers.max()))
    out.write("};\n")
