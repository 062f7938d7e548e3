/* audio/audio.h - reads nets that were trained for audio: RTNeural's .json and Neural Amp Modeler's
   .nam files.

       nn_audio_info info;
       nn_node *y = nn_nam_net(net, "amp.nam", &(nn_audio_desc){.info = &info});
       nn_plan *plan = nn_make_plan(net, &(nn_plan_desc){.outputs = NN_NODES(y), .time = 64});
       nn_run_on(plan, inputs, outputs);

   A file becomes ordinary nodes with their weights. Layers with a memory are described with
   .stateful and .streaming, so blocks of any length continue the signal (docs/realtime.md). The net
   is like any other: train it further, save it with nn_save_weights, move it.

   DOES NOT: read PyTorch's state dicts as JSON (save them as safetensors: nn_load_weights), write
   these formats, resample. */
#pragma once

#include "nn.h"
#include "nn_sequence.h"

/* What a file says about its net. */
typedef struct nn_audio_info {
    nn_node *input;          /* (NN_BATCH, NN_TIME, input_channels), or desc.input */
    int32_t input_channels;  /* 1: mono */
    int32_t output_channels; /* the last extent of the net's output */
    double sample_rate;      /* in Hz; 0: the file does not name it */
    /* Number of samples of silence that NeuralAmpModelerCore runs before the first sound, so that
       the states of the net settle. 0 for RTNeural, whose states begin with zeros. Those of a plan
       do, too: run this number of zeros first to hear what NAM plays */
    int32_t warm_up;
} nn_audio_info;

typedef struct nn_audio_desc {
    const char *name; /* default: none. "amp" makes "amp.head.weight" */
    /* default: an nn_input "input", with a name "amp.input". Otherwise a node (NN_BATCH, NN_TIME,
       channels) of f32 */
    nn_node *input;
    const void *bytes;   /* default: none. The file in memory, instead of a path */
    size_t size;         /* of bytes */
    nn_audio_info *info; /* default: NULL. Is filled if the net could be described */
} nn_audio_desc;

/* Describes the net of a file that RTNeural's exporter for Keras wrote (model_utils.save_model) and
   sets its weights. Layers: dense, time-distributed-dense, conv1d (causal, with dilation and
   groups), gru, lstm, batchnorm, prelu, activation. Activations: tanh, relu, sigmoid, softmax, elu.
   Layer i has the parameters "layers.i.weight" and so on. Returns the output, (NN_BATCH, NN_TIME,
   output_channels).

   path: opened by nn_desc.files; NULL with desc.bytes. desc may be NULL. The file is checked whole
   before anything is described. If something is wrong or not supported (conv2d), the
   error names the file, the layer, the field and a way out, and the result is the poisoned node
   of a fault. The file is never trusted: reading it takes at most 1 MB more memory than twice its
   size. The model's parameters must be f32. Source: the README and python/model_utils.py of
   RTNeural (Chowdhury 2021, "RTNeural: Fast Neural Inferencing for Real-Time Systems"). */
NN_API nn_node *nn_rtneural_net_at(nn_site site, nn_model *net, const char *path,
                                   const nn_audio_desc *desc);
#define nn_rtneural_net(...) nn_rtneural_net_at(NN_HERE, __VA_ARGS__)

/* Does the same with a file of Neural Amp Modeler, versions 0.5 to 0.7, of the architectures
   WaveNet, LSTM, ConvNet and Linear. A SlimmableContainer gives its last net, which is the largest.
   A WaveNet may have gates (gated, blended), a bottleneck, head1x1, layer1x1, groups, kernels and
   activations of each layer, and a head after the arrays; FiLM, condition_dsp and slimmable
   channels are refused by name. The initial memory of an LSTM is not taken from the file: see
   nn_audio_info.warm_up. Source: docs/ and NAM/ of NeuralAmpModelerCore 0.4. */
NN_API nn_node *nn_nam_net_at(nn_site site, nn_model *net, const char *path,
                              const nn_audio_desc *desc);
#define nn_nam_net(...) nn_nam_net_at(NN_HERE, __VA_ARGS__)
