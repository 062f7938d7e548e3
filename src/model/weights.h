/* model/weights.h - saving, loading and moving what a model has learned. */
#pragma once

#include "graph/model.h"

/* Moves parameters, constants and every operation described on the model's own device to `device`: all of it,
   or nothing. What nn_on_device put elsewhere stays. Tensor handles stay valid; plans of this model become
   stale (nn_replan). */
NN_API nn_result nn_move_model_at(nn_site site, nn_model *net, nn_device device);
#define nn_move_model(...) nn_move_model_at(NN_HERE, __VA_ARGS__)

#ifndef NN_NO_FILES
/* Parameters and constants to a safetensors file under their PyTorch state_dict names. The old file survives
   every failure. */
NN_API nn_result nn_save_weights_at(nn_site site, nn_model *net, const char *path);
#define nn_save_weights(...) nn_save_weights_at(NN_HERE, __VA_ARGS__)
/* Strict: names and shapes must match exactly; every missing, unexpected and wrongly shaped tensor is
   reported at once, and then nothing was loaded. F16, BF16 and F64 are converted. The file may come from
   PyTorch (safetensors.torch.save_file). */
NN_API nn_result nn_load_weights_at(nn_site site, nn_model *net, const char *path);
#define nn_load_weights(...) nn_load_weights_at(NN_HERE, __VA_ARGS__)
#endif
