/* Made by tests/golden/initialise.py with PyTorch 2.15.0; not edited by hand. */
static const struct golden_drawn {
    nn_init_desc desc;
    int rank;
    int32_t extent[6];
    double mean, deviation, least, largest, decile[9];
} golden_drawn[] = {
    {{.init = NN_INIT_KAIMING_UNIFORM},
     4, {40, 30, 3, 3},
     -1.22979e-05, 0.086003, -0.149071, 0.149071,
     {-0.119184, -0.0893615, -0.0595435, -0.0297509, -2.47545e-05,
      0.0297388, 0.0595664, 0.0893234, 0.119184}},
    {{.init = NN_INIT_KAIMING_UNIFORM, .fan = NN_FAN_OUT},
     2, {40, 90},
     0.000362434, 0.223587, -0.387298, 0.387297,
     {-0.309599, -0.231866, -0.1547, -0.077106, 0.000789823,
      0.0780608, 0.155244, 0.232793, 0.309942}},
    {{.init = NN_INIT_KAIMING_UNIFORM, .negative_slope = 2.2360679775f},
     2, {60, 50},
     0.000122002, 0.0815994, -0.141421, 0.141421,
     {-0.113076, -0.0846888, -0.0563336, -0.0279783, 0.000227947,
      0.0283662, 0.0567096, 0.0850132, 0.113087}},
    {{.init = NN_INIT_KAIMING_NORMAL},
     3, {40, 30, 5},
     0.000168626, 0.115522, -0.621995, 0.553691,
     {-0.147798, -0.0969854, -0.06039, -0.0291181, 0.000119757,
      0.0293296, 0.0606403, 0.0973801, 0.148325}},
    {{.init = NN_INIT_KAIMING_NORMAL, .fan = NN_FAN_OUT, .nonlinearity = NN_GAIN_RELU},
     4, {64, 20, 3, 3},
     2.23309e-05, 0.0588448, -0.30255, 0.284182,
     {-0.0753651, -0.0495124, -0.0308568, -0.0149148, 1.83266e-05,
      0.0149485, 0.0309308, 0.0496059, 0.0754031}},
    {{.init = NN_INIT_KAIMING_NORMAL, .nonlinearity = NN_GAIN_TANH},
     2, {80, 50},
     -0.000537355, 0.235652, -1.11484, 1.07758,
     {-0.302517, -0.198577, -0.123783, -0.0603498, -0.000707707,
      0.0588204, 0.122943, 0.19748, 0.301428}},
    {{.init = NN_INIT_KAIMING_NORMAL, .nonlinearity = NN_GAIN_SELU},
     2, {80, 50},
     6.8489e-05, 0.106067, -0.562302, 0.516587,
     {-0.1359, -0.0891518, -0.0554355, -0.0266795, 0.000104867,
      0.0269202, 0.0555776, 0.089184, 0.136016}},
    {{.init = NN_INIT_KAIMING_NORMAL, .nonlinearity = NN_GAIN_LINEAR},
     2, {80, 50},
     0.000227662, 0.141348, -0.673167, 0.667961,
     {-0.180721, -0.118807, -0.0742311, -0.0359282, 8.71286e-05,
      0.0360702, 0.0744281, 0.119256, 0.181516}},
    {{.init = NN_INIT_KAIMING_NORMAL, .nonlinearity = NN_GAIN_SIGMOID},
     2, {80, 50},
     5.29501e-05, 0.141567, -0.75396, 0.645197,
     {-0.181434, -0.11907, -0.0742308, -0.0357987, 7.06309e-05,
      0.0359109, 0.0743532, 0.119134, 0.181363}},
    {{.init = NN_INIT_KAIMING_NORMAL, .negative_slope = 0.25f},
     2, {80, 50},
     9.77137e-05, 0.193655, -0.878247, 0.958453,
     {-0.247988, -0.163215, -0.101519, -0.0489666, 0.000205818,
      0.0491853, 0.101755, 0.163061, 0.248372}},
    {{.init = NN_INIT_XAVIER_UNIFORM},
     2, {40, 90},
     -0.000264398, 0.124077, -0.214834, 0.214833,
     {-0.172122, -0.129094, -0.086371, -0.0434721, -0.000309731,
      0.0426156, 0.0855674, 0.128751, 0.171803}},
    {{.init = NN_INIT_XAVIER_UNIFORM, .gain = 2},
     4, {20, 30, 3, 3},
     -0.000378499, 0.133317, -0.23094, 0.230939,
     {-0.184891, -0.138854, -0.093001, -0.0468665, -0.000503087,
      0.0457772, 0.0918881, 0.138146, 0.18456}},
    {{.init = NN_INIT_XAVIER_NORMAL},
     2, {40, 90},
     3.51549e-05, 0.124069, -0.569319, 0.596413,
     {-0.159043, -0.104343, -0.0649933, -0.0313195, 3.42051e-05,
      0.0314362, 0.0650283, 0.104325, 0.159246}},
    {{.init = NN_INIT_XAVIER_NORMAL, .gain = 0.5f},
     3, {20, 30, 7},
     3.96679e-05, 0.0377547, -0.182895, 0.195891,
     {-0.0483491, -0.0316797, -0.0196995, -0.00953916, -1.44075e-05,
      0.00956723, 0.019808, 0.0318033, 0.048496}},
    {{.init = NN_INIT_ORTHOGONAL},
     2, {40, 90},
     -6.37659e-05, 0.105409, -0.510624, 0.504765,
     {-0.135779, -0.0894976, -0.0557999, -0.0269518, -6.49318e-05,
      0.0268474, 0.0555691, 0.0892353, 0.135731}},
    {{.init = NN_INIT_ORTHOGONAL, .gain = 3},
     4, {90, 10, 2, 2},
     0.000577834, 0.316227, -1.47189, 1.48739,
     {-0.4058, -0.26741, -0.166724, -0.0800334, 0.000783904,
      0.0809409, 0.167206, 0.268083, 0.408397}},
    {{.init = NN_INIT_TRUNC_NORMAL},
     1, {4000},
     0.00199832, 0.879859, -1.99999, 2,
     {-1.18223, -0.792264, -0.496826, -0.240025, 0.00180512,
      0.244383, 0.501849, 0.797996, 1.18674}},
    {{.init = NN_INIT_TRUNC_NORMAL, .mean = 1, .std = 2, .low = -0.5f, .high = 1.5f},
     2, {50, 80},
     0.540672, 0.566206, -0.499994, 1.49999,
     {-0.261711, -0.0411508, 0.16691, 0.366227, 0.559115,
      0.747702, 0.934937, 1.12053, 1.30906}},
    {{.init = NN_INIT_TRUNC_NORMAL, .std = 0.02f},
     1, {4000},
     -1.79677e-05, 0.0199926, -0.095421, 0.0890577,
     {-0.02561, -0.0168181, -0.0105063, -0.00508972, -2.97967e-05,
      0.00500935, 0.0104545, 0.016796, 0.0256188}},
    {{.init = NN_INIT_NORMAL},
     1, {4000},
     2.84657e-05, 0.999001, -4.78897, 4.52089,
     {-1.28206, -0.841355, -0.52432, -0.253197, 0.00117774,
      0.2542, 0.52566, 0.841997, 1.27901}},
    {{.init = NN_INIT_NORMAL, .mean = -3, .std = 0.25f},
     1, {4000},
     -3.00001, 0.250089, -4.29836, -1.78978,
     {-3.32059, -3.21048, -3.1312, -3.06342, -3.00007,
      -2.93656, -2.86821, -2.78927, -2.67964}},
    {{.init = NN_INIT_UNIFORM},
     1, {4000},
     0.499146, 0.288465, 3.51667e-06, 0.999999,
     {0.0997283, 0.19974, 0.299529, 0.399511, 0.498424,
      0.598412, 0.698207, 0.798845, 0.89946}},
    {{.init = NN_INIT_UNIFORM, .low = -3, .high = -2.5f},
     1, {4000},
     -2.74993, 0.144458, -3, -2.5,
     {-2.95019, -2.90018, -2.85005, -2.79993, -2.74983,
      -2.69975, -2.64953, -2.59977, -2.55004}},
    {{.init = NN_INIT_SPARSE, .sparsity = 0.3f},
     2, {50, 80},
     6.47249e-07, 0.0083568, -0.046296, 0.0437223,
     {-0.0106459, -0.00565314, -0.00181061, 0, 0,
      0, 0.00179824, 0.00565833, 0.0106625}},
    {{.init = NN_INIT_SPARSE, .sparsity = 0.15f, .std = 2},
     2, {50, 80},
     0.00156968, 1.83485, -10.6269, 9.1745,
     {-2.35699, -1.42279, -0.730732, -0.116523, 0,
      0.121634, 0.73359, 1.42783, 2.36303}},
};

static const struct golden_exact {
    nn_init_desc desc;
    int rank;
    int32_t extent[6];
    const char *numbers; /* digits, where all are 0 or 1; else one number for all */
} golden_exact[] = {
    {{.init = NN_INIT_CONSTANT, .value = -1.5f},
     2, {2, 3},
     "=-1.5"},
    {{.init = NN_INIT_ZEROS},
     1, {5},
     "00000"},
    {{.init = NN_INIT_ONES},
     1, {5},
     "11111"},
    {{.init = NN_INIT_EYE},
     2, {3, 5},
     "100000100000100"},
    {{.init = NN_INIT_EYE},
     2, {5, 2},
     "1001000000"},
    {{.init = NN_INIT_DIRAC},
     3, {4, 3, 5},
     "001000000000000000000010000000000000000000100000000000000000"},
    {{.init = NN_INIT_DIRAC},
     3, {2, 3, 4},
     "001000000000000000100000"},
    {{.init = NN_INIT_DIRAC},
     4, {3, 2, 3, 2},
     "000100000000000000000100000000000000"},
    {{.init = NN_INIT_DIRAC, .groups = 2},
     4, {6, 2, 3, 3},
     "000010000000000000000000000000010000000000000000000000000010000000000000"
     "000000000000010000000000000000000000"},
    {{.init = NN_INIT_DIRAC, .groups = 3},
     5, {6, 4, 1, 3, 2},
     "000100000000000000000000000000000100000000000000000100000000000000000000"
     "000000000100000000000000000100000000000000000000000000000100000000000000"},
    {{.init = NN_INIT_KAIMING_UNIFORM, .negative_slope = 1e30f},
     2, {2, 3},
     "=9.70017e-31"},
    {{.init = NN_INIT_XAVIER_NORMAL, .gain = NN_NONE},
     2, {2, 3},
     "000000"},
    {{.init = NN_INIT_NORMAL, .mean = 2, .std = NN_NONE},
     2, {2, 3},
     "=2"},
    {{.init = NN_INIT_ORTHOGONAL, .gain = NN_NONE},
     2, {2, 3},
     "000000"},
};

static void golden_layer_0(nn_model *net) {
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(5, 40));
    nn_prelu(net, "act", x,
        &(nn_prelu_desc){.num_parameters = 40});
}
static void golden_layer_1(nn_model *net) {
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(5, 40));
    nn_linear(net, "fc", x,
        &(nn_linear_desc){.out_features = 60});
}
static void golden_layer_2(nn_model *net) {
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(1, 12, 9, 9));
    nn_conv2d(net, "conv", x,
        &(nn_conv2d_desc){.out_channels = 60, .kernel = 3});
}
static void golden_layer_3(nn_model *net) {
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(1, 12, 9, 9));
    nn_conv2d(net, "conv", x,
        &(nn_conv2d_desc){.out_channels = 60, .kernel = 2, .kernel_w = 5, .groups = 4});
}
static void golden_layer_4(nn_model *net) {
    nn_embedding(net, "tok", nn_input(net, "i", NN_I32, NN_SHAPE(7)),
        &(nn_embedding_desc){.num_embeddings = 90, .embedding_dim = 40});
}
static void golden_layer_5(nn_model *net) {
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(3, 5, 40));
    nn_lstm(net, "rnn", x,
        &(nn_lstm_desc){.hidden_size = 30, .bidirectional = true, .proj_size = 20});
}
static void golden_layer_6(nn_model *net) {
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(3, 5, 40));
    nn_gru(net, "rnn", x,
        &(nn_gru_desc){.hidden_size = 30, .layers = 2});
}

static const struct golden_layer {
    void (*build)(nn_model *net);
    const char *name;
    int count;
    bool uniform;
    double mean, deviation, least, largest;
} golden_layers[] = {
    {golden_layer_0, "act.weight", 40, true, 0.25, 0, 0.25, 0.25},
    {golden_layer_1, "fc.weight", 2400, true, 0, 0.0912446, -0.158113, 0.158113},
    {golden_layer_1, "fc.bias", 60, true, 0, 0.0905615, -0.158073, 0.15807},
    {golden_layer_2, "conv.weight", 6480, true, 0, 0.0555858, -0.0962249, 0.0962248},
    {golden_layer_2, "conv.bias", 60, true, 0, 0.056001, -0.0962247, 0.096205},
    {golden_layer_3, "conv.weight", 1800, true, 0, 0.105402, -0.182574, 0.182574},
    {golden_layer_3, "conv.bias", 60, true, 0, 0.104588, -0.182501, 0.182534},
    {golden_layer_4, "tok.weight", 3600, false, 0.000285131, 0.999925, -4.6413, 5.62163},
    {golden_layer_5, "rnn.weight_ih_l0", 4800, true, 0, 0.105406, -0.182574, 0.182574},
    {golden_layer_5, "rnn.weight_hh_l0", 2400, true, 0, 0.105386, -0.182574, 0.182573},
    {golden_layer_5, "rnn.bias_ih_l0", 120, true, 0, 0.105786, -0.182545, 0.182564},
    {golden_layer_5, "rnn.bias_hh_l0", 120, true, 0, 0.104798, -0.182497, 0.182547},
    {golden_layer_5, "rnn.weight_hr_l0", 600, true, 0, 0.105543, -0.182568, 0.182573},
    {golden_layer_5, "rnn.weight_ih_l0_reverse", 4800, true, 0, 0.105554, -0.182574, 0.182574},
    {golden_layer_5, "rnn.weight_hh_l0_reverse", 2400, true, 0, 0.105455, -0.182571, 0.182574},
    {golden_layer_5, "rnn.bias_ih_l0_reverse", 120, true, 0, 0.104827, -0.182571, 0.182551},
    {golden_layer_5, "rnn.bias_hh_l0_reverse", 120, true, 0, 0.105212, -0.18255, 0.182555},
    {golden_layer_5, "rnn.weight_hr_l0_reverse", 600, true, 0, 0.105403, -0.182574, 0.182573},
    {golden_layer_6, "rnn.weight_ih_l0", 3600, true, 0, 0.105475, -0.182574, 0.182573},
    {golden_layer_6, "rnn.weight_hh_l0", 2700, true, 0, 0.105493, -0.182574, 0.182574},
    {golden_layer_6, "rnn.bias_ih_l0", 90, true, 0, 0.105851, -0.18257, 0.18257},
    {golden_layer_6, "rnn.bias_hh_l0", 90, true, 0, 0.105375, -0.182572, 0.182561},
    {golden_layer_6, "rnn.weight_ih_l1", 2700, true, 0, 0.105451, -0.182574, 0.182574},
    {golden_layer_6, "rnn.weight_hh_l1", 2700, true, 0, 0.105413, -0.182573, 0.182574},
    {golden_layer_6, "rnn.bias_ih_l1", 90, true, 0, 0.105837, -0.182544, 0.182547},
    {golden_layer_6, "rnn.bias_hh_l1", 90, true, 0, 0.105613, -0.182572, 0.18254},
};
