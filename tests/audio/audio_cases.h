/* audio_cases.h - nets with every layer that nn_audio.h knows. The outputs are those of RTNeural
   (Eigen, parseJson) and of NeuralAmpModelerCore 0.4 (without its warm-up) for audio_input. */
#ifndef NN_TEST_AUDIO_CASES_H
#define NN_TEST_AUDIO_CASES_H

#include "audio_files.h"

static const audio_case audio_cases[] = {
    {"every.json",
     "{\"in_shape\": [null, null, 1], \"layers\": [\n"
     "{\"type\": \"time-distributed-dense\", \"activation\": \"tanh\", \"shape\": [null, null, 4], "
     "\"weights\": [#1x4, #4]},\n"
     "{\"type\": \"conv1d\", \"activation\": \"relu\", \"shape\": [null, null, 6], "
     "\"kernel_size\": [3], \"dilation\": [2], \"groups\": 2, \"weights\": [#3x2x6, #6]},\n"
     "{\"type\": \"batchnorm\", \"shape\": [null, null, 6], \"epsilon\": 0.01, "
     "\"weights\": [#6, #6, #6, [~6]]},\n"
     "{\"type\": \"prelu\", \"shape\": [null, null, 6], \"weights\": [#1x6]},\n"
     "{\"type\": \"gru\", \"activation\": \"tanh\", \"shape\": [null, null, 5], "
     "\"weights\": [#6x15, #5x15, #2x15]},\n"
     "{\"type\": \"activation\", \"activation\": \"elu\", \"shape\": [null, null, 5], "
     "\"weights\": []},\n"
     "{\"type\": \"conv1d\", \"activation\": \"sigmoid\", \"shape\": [null, null, 4], "
     "\"kernel_size\": [2], \"dilation\": [3], \"weights\": [#2x5x4, #4]},\n"
     "{\"type\": \"batchnorm\", \"shape\": [null, null, 4], \"epsilon\": 0.5, "
     "\"weights\": [#4, [~4]]},\n"
     "{\"type\": \"prelu\", \"shape\": [null, null, 4], \"weights\": [#1x1]},\n"
     "{\"type\": \"lstm\", \"activation\": \"\", \"shape\": [null, null, 3], "
     "\"weights\": [#4x12, #3x12, #12]},\n"
     "{\"type\": \"dense\", \"activation\": \"softmax\", \"shape\": [null, null, 3], "
     "\"weights\": [#3x3, #3]},\n"
     "{\"type\": \"dense\", \"activation\": \"\", \"shape\": [null, null, 1], "
     "\"weights\": [#3x1]}]}\n",
     {-0.0650536567f, -0.065168649f, -0.065228343f, -0.0652637407f, -0.0652837306f,
      -0.0652947873f, -0.0653111488f, -0.0653114244f, -0.0653111935f, -0.0653112084f,
      -0.0653111637f, -0.0653111786f}},
    {"lstm.nam",
     "{\"version\": \"0.5.4\", \"architecture\": \"LSTM\", \"config\": {\"input_size\": 1, "
     "\"hidden_size\": 3, \"num_layers\": 2}, \"sample_rate\": 48000, "
     "\"weights\": [@60, !6, @84, !6, @4]}",
     {-0.338918418f, -0.361968011f, -0.370575249f, -0.375706553f, -0.377771735f,
      -0.375670165f, -0.355608851f, -0.354776293f, -0.356163979f, -0.357854784f,
      -0.357438743f, -0.358212829f}},
    {"old.nam",
     "{\"version\": \"0.5.0\", \"architecture\": \"WaveNet\", \"config\": {\"layers\": ["
     "{\"input_size\": 1, \"condition_size\": 1, \"head_size\": 2, \"channels\": 3, "
     "\"kernel_size\": 3, \"dilations\": [1, 2], \"activation\": \"Tanh\", \"gated\": false, "
     "\"head_bias\": false}, "
     "{\"input_size\": 3, \"condition_size\": 1, \"head_size\": 1, \"channels\": 2, "
     "\"kernel_size\": 3, \"dilations\": [8], \"activation\": \"ReLU\", \"gated\": true, "
     "\"head_bias\": true}], \"head\": null, \"head_scale\": 0.02}, \"weights\": [@147]}",
     {0.00425458141f, 0.0266198609f, 0.140224516f, 0.067648977f, 0.154510975f, 0.229864851f,
      0.282089174f, 0.347163916f, 0.0711292177f, 0.187808156f, 0.20757252f, 0.147446632f}},
    {"new.nam",
     "{\"version\": \"0.7.0\", \"architecture\": \"SlimmableContainer\", \"config\": "
     "{\"submodels\": [{\"max_value\": 0.5, \"model\": {\"version\": \"0.7.0\", \"architecture\": "
     "\"Linear\", \"config\": {\"receptive_field\": 1, \"bias\": false}, \"weights\": [1], "
     "\"sample_rate\": 44100}}, {\"max_value\": 1.0, \"model\": "
     "{\"version\": \"0.7.0\", \"architecture\": \"WaveNet\", \"config\": {\"layers\": ["
     "{\"input_size\": 1, \"condition_size\": 1, \"channels\": 4, \"bottleneck\": 2, "
     "\"kernel_sizes\": [2, 3, 2], \"dilations\": [1, 3, 5], \"activation\": [{\"type\": "
     "\"PReLU\", \"negative_slopes\": [0.04, 0.5]}, \"Softsign\", {\"type\": "
     "\"LeakyHardtanh\", \"min_val\": -0.2, \"max_val\": 0.3, \"min_slope\": 0.1, "
     "\"max_slope\": 0.2}], \"gating_mode\": [\"blended\", \"gated\", \"none\"], "
     "\"secondary_activation\": [\"Hardtanh\", \"SiLU\", \"ReLU\"], \"groups_input\": 2, "
     "\"groups_input_mixin\": 1, \"layer1x1\": {\"active\": true, \"groups\": 2}, "
     "\"head1x1\": {\"active\": true, \"out_channels\": 4, \"groups\": 2}, "
     "\"head\": {\"out_channels\": 4, \"kernel_size\": 3, \"bias\": true}, "
     "\"conv_pre_film\": {\"active\": false, \"shift\": true, \"groups\": 1}}, "
     "{\"input_size\": 4, \"condition_size\": 1, \"channels\": 4, \"kernel_size\": 2, "
     "\"dilations\": [2, 1], \"activation\": {\"type\": \"LeakyReLU\", \"negative_slope\": 0.2}, "
     "\"layer1x1\": {\"active\": false, \"groups\": 1}, \"head_size\": 2, "
     "\"head_bias\": false}], \"head\": {\"channels\": 3, \"out_channels\": 1, "
     "\"kernel_sizes\": [2, 1], \"activation\": \"Hardswish\"}, \"head_scale\": 0.5}, "
     "\"weights\": [@296], \"sample_rate\": 44100}}]}, \"weights\": [], \"sample_rate\": 44100}",
     {0.0782163069f, 0.0779266283f, 0.0779268965f, 0.0776405707f, 0.0777087212f,
      0.0778971091f, 0.0775594711f, 0.077692993f, 0.077756837f, 0.0776962414f,
      0.0778921917f, 0.0776328593f}},
    {"norm.nam",
     "{\"version\": \"0.5.2\", \"architecture\": \"ConvNet\", \"config\": {\"channels\": 4, "
     "\"dilations\": [1, 3], \"batchnorm\": true, \"activation\": \"Sigmoid\"}, "
     "\"weights\": [@8, @4, ~4, @8, 0.01, @32, @4, ~4, @8, 0.02, @5]}",
     {1.10592103f, 1.10783887f, 1.10817361f, 1.0745908f, 1.07882595f, 1.08029783f,
      1.07530236f, 1.07970357f, 1.07860446f, 1.07762575f, 1.0801003f, 1.07464242f}},
    {"groups.nam",
     "{\"version\": \"0.6.0\", \"architecture\": \"ConvNet\", \"config\": {\"channels\": 4, "
     "\"in_channels\": 1, \"out_channels\": 1, \"groups\": 1, \"dilations\": [2, 5, 1], "
     "\"batchnorm\": false, \"activation\": {\"type\": \"PReLU\", \"negative_slope\": 0.3}}, "
     "\"weights\": [@12, @36, @36, @5]}",
     {-0.29054001f, -0.310801625f, -0.309158325f, -0.312898695f, -0.304059148f, -0.311901569f,
      -0.302522719f, -0.288470089f, -0.315365374f, -0.293359697f, -0.291273445f,
      -0.300854534f}},
    {"linear.nam",
     "{\"version\": \"0.5.0\", \"architecture\": \"Linear\", \"config\": {\"receptive_field\": 9, "
     "\"bias\": true}, \"weights\": [@10]}",
     {0.630333364f, -0.183119997f, -0.617898345f, 0.272508383f, -0.417361736f, -0.736890018f,
      0.720905006f, 0.193276674f, 0.8954916f, 0.199530005f, -0.243931696f, 0.542450011f}},
};
enum { AUDIO_CASES = sizeof audio_cases / sizeof *audio_cases };

#endif
