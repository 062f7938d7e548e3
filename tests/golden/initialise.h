/* Made by tests/golden/initialise.py with PyTorch 2.15.0; not edited by hand. */
static const struct golden_drawn {
    nn_init_desc desc;
    int rank;
    int32_t extent[6];
    double mean, deviation, least, largest, decile[9];
} golden_drawn[] = {
    {{.init = NN_INIT_KAIMING_UNIFORM},
     4, {40, 30, 3, 3},
     -1.00938e-05, 0.0860016, -0.149071, 0.149071,
     {-0.119176, -0.0893595, -0.059549, -0.0297453, -1.31325e-05,
      0.0297441, 0.0595694, 0.0893224, 0.119185}},
    {{.init = NN_INIT_KAIMING_UNIFORM, .fan = NN_FAN_OUT},
     2, {40, 90},
     0.000273425, 0.223625, -0.387298, 0.387297,
     {-0.309694, -0.232069, -0.154862, -0.0772975, 0.000631553,
      0.0779791, 0.155168, 0.232797, 0.309923}},
    {{.init = NN_INIT_KAIMING_UNIFORM, .negative_slope = 2.2360679775f},
     2, {60, 50},
     0.000127781, 0.0816027, -0.141421, 0.141421,
     {-0.113107, -0.0847091, -0.0563237, -0.0279461, 0.00026507,
      0.0283991, 0.0566998, 0.0849957, 0.113081}},
    {{.init = NN_INIT_KAIMING_NORMAL},
     3, {40, 30, 5},
     2.24605e-05, 0.115495, -0.549424, 0.54101,
     {-0.147907, -0.0971896, -0.0604618, -0.0292317, 5.5577e-05,
      0.0292645, 0.0604582, 0.0970907, 0.148006}},
    {{.init = NN_INIT_KAIMING_NORMAL, .fan = NN_FAN_OUT, .nonlinearity = NN_GAIN_RELU},
     4, {64, 20, 3, 3},
     8.68434e-06, 0.0589845, -0.286325, 0.294686,
     {-0.0755765, -0.0496617, -0.0309164, -0.0149203, 4.86218e-05,
      0.0150154, 0.0309348, 0.0496301, 0.0755861}},
    {{.init = NN_INIT_KAIMING_NORMAL, .nonlinearity = NN_GAIN_TANH},
     2, {80, 50},
     0.000221557, 0.235986, -1.12154, 1.0652,
     {-0.30249, -0.19872, -0.123585, -0.0596996, 0.000458734,
      0.0601514, 0.124029, 0.198734, 0.30246}},
    {{.init = NN_INIT_KAIMING_NORMAL, .nonlinearity = NN_GAIN_SELU},
     2, {80, 50},
     0.000164575, 0.106071, -0.550259, 0.509538,
     {-0.135685, -0.0888991, -0.0553855, -0.0267437, 0.000191947,
      0.0270378, 0.055783, 0.0893044, 0.136207}},
    {{.init = NN_INIT_KAIMING_NORMAL, .nonlinearity = NN_GAIN_LINEAR},
     2, {80, 50},
     -3.16717e-05, 0.14152, -0.678486, 0.741275,
     {-0.18112, -0.118964, -0.0744204, -0.0359849, 3.9446e-06,
      0.0357957, 0.0741189, 0.119162, 0.181337}},
    {{.init = NN_INIT_KAIMING_NORMAL, .nonlinearity = NN_GAIN_SIGMOID},
     2, {80, 50},
     -9.21494e-05, 0.141526, -0.75396, 0.639456,
     {-0.181315, -0.119016, -0.0743883, -0.035941, -8.76421e-05,
      0.0358299, 0.0740485, 0.118891, 0.181195}},
    {{.init = NN_INIT_KAIMING_NORMAL, .negative_slope = 0.25f},
     2, {80, 50},
     -0.000230055, 0.194049, -0.939744, 0.929573,
     {-0.249101, -0.163725, -0.101938, -0.0489109, 0.000254557,
      0.0491917, 0.101503, 0.162942, 0.248617}},
    {{.init = NN_INIT_XAVIER_UNIFORM},
     2, {40, 90},
     -0.000210792, 0.124077, -0.214834, 0.214833,
     {-0.172093, -0.129064, -0.0863474, -0.0434406, -0.000265886,
      0.0427398, 0.085669, 0.128783, 0.171825}},
    {{.init = NN_INIT_XAVIER_UNIFORM, .gain = 2},
     4, {20, 30, 3, 3},
     -0.000389495, 0.133325, -0.23094, 0.230939,
     {-0.184903, -0.138862, -0.0930001, -0.0468927, -0.00050116,
      0.0457426, 0.0918847, 0.138173, 0.184575}},
    {{.init = NN_INIT_XAVIER_NORMAL},
     2, {40, 90},
     -0.000156781, 0.124012, -0.569319, 0.600434,
     {-0.159175, -0.104493, -0.0651758, -0.0316034, -7.6837e-05,
      0.0314429, 0.0648289, 0.104148, 0.15898}},
    {{.init = NN_INIT_XAVIER_NORMAL, .gain = 0.5f},
     3, {20, 30, 7},
     1.89728e-05, 0.0378546, -0.19136, 0.195891,
     {-0.0484921, -0.0317765, -0.0197576, -0.00955616, 3.6632e-05,
      0.00959218, 0.0198326, 0.0318255, 0.0484907}},
    {{.init = NN_INIT_ORTHOGONAL},
     2, {40, 90},
     -0.000230922, 0.105409, -0.491752, 0.446647,
     {-0.135916, -0.0894785, -0.0560251, -0.0271503, -0.000199206,
      0.026649, 0.0555188, 0.0890353, 0.13536}},
    {{.init = NN_INIT_ORTHOGONAL, .gain = 3},
     4, {90, 10, 2, 2},
     0.000214788, 0.316228, -1.40489, 1.36524,
     {-0.40659, -0.267879, -0.167038, -0.0808905, -0.000229105,
      0.080198, 0.167123, 0.268182, 0.407709}},
    {{.init = NN_INIT_TRUNC_NORMAL},
     1, {4000},
     -0.00119742, 0.879061, -2, 2,
     {-1.18326, -0.793447, -0.498634, -0.242189, -0.0011494,
      0.239767, 0.495924, 0.791868, 1.18175}},
    {{.init = NN_INIT_TRUNC_NORMAL, .mean = 1, .std = 2, .low = -0.5f, .high = 1.5f},
     2, {50, 80},
     0.540329, 0.567087, -0.499999, 1.5,
     {-0.263159, -0.0423993, 0.165514, 0.365173, 0.558203,
      0.747696, 0.935484, 1.12226, 1.31068}},
    {{.init = NN_INIT_TRUNC_NORMAL, .std = 0.02f},
     1, {4000},
     -1.59726e-05, 0.0199883, -0.0955707, 0.105578,
     {-0.0255937, -0.016865, -0.0105141, -0.00507702, -2.34521e-05,
      0.00503742, 0.0104602, 0.0167764, 0.0256277}},
    {{.init = NN_INIT_NORMAL},
     1, {4000},
     0.0013008, 0.998863, -4.78897, 4.55431,
     {-1.27839, -0.840534, -0.52349, -0.253777, 0.00123426,
      0.254694, 0.525306, 0.842639, 1.28139}},
    {{.init = NN_INIT_NORMAL, .mean = -3, .std = 0.25f},
     1, {4000},
     -3.00002, 0.250175, -4.2741, -1.85033,
     {-3.32005, -3.21014, -3.13081, -3.06362, -3.00048,
      -2.93737, -2.86882, -2.78922, -2.67887}},
    {{.init = NN_INIT_UNIFORM},
     1, {4000},
     0.499037, 0.288412, 2.86102e-06, 0.999999,
     {0.0996316, 0.199683, 0.299541, 0.399307, 0.4981,
      0.598314, 0.698108, 0.798662, 0.899294}},
    {{.init = NN_INIT_UNIFORM, .low = -3, .high = -2.5f},
     1, {4000},
     -2.74999, 0.144471, -3, -2.5,
     {-2.95019, -2.90024, -2.85016, -2.80001, -2.74994,
      -2.69983, -2.6496, -2.59979, -2.55008}},
    {{.init = NN_INIT_SPARSE, .sparsity = 0.3f},
     2, {50, 80},
     2.24598e-06, 0.00835932, -0.0490067, 0.0478125,
     {-0.0106647, -0.00565549, -0.00178678, 0, 0,
      0, 0.00181974, 0.0056552, 0.0106479}},
    {{.init = NN_INIT_SPARSE, .sparsity = 0.15f, .std = 2},
     2, {50, 80},
     -0.00278504, 1.83358, -8.91555, 10.8155,
     {-2.35874, -1.42771, -0.73617, -0.122894, 0,
      0.116363, 0.730194, 1.41733, 2.35603}},
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
     "=-1.31132e-30"},
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
static void golden_layer_7(nn_model *net) {
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(3, 40));
    nn_lstm_cell(net, "cell", x,
        &(nn_lstm_cell_desc){.hidden_size = 30});
}
static void golden_layer_8(nn_model *net) {
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(3, 40));
    nn_gru_cell(net, "cell", x,
        &(nn_gru_cell_desc){.hidden_size = 30});
}
static void golden_layer_9(nn_model *net) {
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(3, 40));
    nn_rnn_cell(net, "cell", x,
        &(nn_rnn_cell_desc){.hidden_size = 30});
}
static void golden_layer_10(nn_model *net) {
    nn_node *x = nn_input(net, "x", NN_F32, NN_SHAPE(5, 20));
    nn_bilinear(net, "b", x, nn_slice(net, x,
        &(nn_slice_desc){.axis = 1, .stop = 9}),
        &(nn_bilinear_desc){.out_features = 30});
}

static const struct golden_layer {
    void (*build)(nn_model *net);
    const char *name;
    int count;
    bool uniform;
    double mean, deviation, least, largest;
} golden_layers[] = {
    {golden_layer_0, "act.weight", 40, true, 0.25, 0, 0.25, 0.25},
    {golden_layer_1, "fc.weight", 2400, true, 0, 0.0912433, -0.158113, 0.158113},
    {golden_layer_1, "fc.bias", 60, true, 0, 0.0917308, -0.158106, 0.15811},
    {golden_layer_2, "conv.weight", 6480, true, 0, 0.055583, -0.0962249, 0.0962248},
    {golden_layer_2, "conv.bias", 60, true, 0, 0.055582, -0.0962136, 0.0962181},
    {golden_layer_3, "conv.weight", 1800, true, 0, 0.105389, -0.182574, 0.182573},
    {golden_layer_3, "conv.bias", 60, true, 0, 0.105653, -0.182558, 0.18254},
    {golden_layer_4, "tok.weight", 3600, false, -0.00132832, 0.999472, -4.65109, 4.49553},
    {golden_layer_5, "rnn.weight_ih_l0", 4800, true, 0, 0.105435, -0.182574, 0.182574},
    {golden_layer_5, "rnn.weight_hh_l0", 2400, true, 0, 0.105371, -0.182574, 0.182574},
    {golden_layer_5, "rnn.bias_ih_l0", 120, true, 0, 0.105668, -0.182566, 0.182564},
    {golden_layer_5, "rnn.bias_hh_l0", 120, true, 0, 0.105054, -0.182567, 0.182521},
    {golden_layer_5, "rnn.weight_hr_l0", 600, true, 0, 0.105413, -0.182571, 0.182572},
    {golden_layer_5, "rnn.weight_ih_l0_reverse", 4800, true, 0, 0.105424, -0.182574, 0.182574},
    {golden_layer_5, "rnn.weight_hh_l0_reverse", 2400, true, 0, 0.105604, -0.182573, 0.182574},
    {golden_layer_5, "rnn.bias_ih_l0_reverse", 120, true, 0, 0.105306, -0.182573, 0.182551},
    {golden_layer_5, "rnn.bias_hh_l0_reverse", 120, true, 0, 0.105862, -0.182514, 0.182569},
    {golden_layer_5, "rnn.weight_hr_l0_reverse", 600, true, 0, 0.10547, -0.182561, 0.182573},
    {golden_layer_6, "rnn.weight_ih_l0", 3600, true, 0, 0.105499, -0.182574, 0.182574},
    {golden_layer_6, "rnn.weight_hh_l0", 2700, true, 0, 0.105466, -0.182574, 0.182574},
    {golden_layer_6, "rnn.bias_ih_l0", 90, true, 0, 0.105159, -0.182537, 0.182572},
    {golden_layer_6, "rnn.bias_hh_l0", 90, true, 0, 0.105363, -0.182573, 0.182568},
    {golden_layer_6, "rnn.weight_ih_l1", 2700, true, 0, 0.105423, -0.182573, 0.182574},
    {golden_layer_6, "rnn.weight_hh_l1", 2700, true, 0, 0.105498, -0.182574, 0.182573},
    {golden_layer_6, "rnn.bias_ih_l1", 90, true, 0, 0.105061, -0.182495, 0.18257},
    {golden_layer_6, "rnn.bias_hh_l1", 90, true, 0, 0.105299, -0.182549, 0.182534},
    {golden_layer_7, "cell.weight_ih", 4800, true, 0, 0.105492, -0.182574, 0.182574},
    {golden_layer_7, "cell.weight_hh", 3600, true, 0, 0.105426, -0.182574, 0.182573},
    {golden_layer_7, "cell.bias_ih", 120, true, 0, 0.106217, -0.182573, 0.182571},
    {golden_layer_7, "cell.bias_hh", 120, true, 0, 0.104806, -0.182573, 0.182553},
    {golden_layer_8, "cell.weight_ih", 3600, true, 0, 0.105405, -0.182573, 0.182574},
    {golden_layer_8, "cell.weight_hh", 2700, true, 0, 0.105475, -0.182574, 0.182574},
    {golden_layer_8, "cell.bias_ih", 90, true, 0, 0.105199, -0.182572, 0.182532},
    {golden_layer_8, "cell.bias_hh", 90, true, 0, 0.105388, -0.182564, 0.182574},
    {golden_layer_9, "cell.weight_ih", 1200, true, 0, 0.105515, -0.182574, 0.182574},
    {golden_layer_9, "cell.weight_hh", 900, true, 0, 0.105503, -0.182571, 0.182568},
    {golden_layer_9, "cell.bias_ih", 30, true, 0, 0.10496, -0.18246, 0.182565},
    {golden_layer_9, "cell.bias_hh", 30, true, 0, 0.105864, -0.182426, 0.182512},
    {golden_layer_10, "b.weight", 5400, true, 0, 0.129149, -0.223606, 0.223606},
    {golden_layer_10, "b.bias", 30, true, 0, 0.128414, -0.223579, 0.223604},
};
