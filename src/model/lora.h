/* model/lora.h - saves, loads and merges the adapters of nn_lora. */
#pragma once

#ifndef NN_NO_TRAINING
#include "graph/model.h"

#ifndef NN_NO_FILES
/* Saves only the adapters, in the format of Hugging Face's PEFT (peft.PeftModel.from_pretrained):
   "adapter_model.safetensors" (names "base_model.model.NAME.lora_A.weight" and "lora_B") and
   "adapter_config.json" in `folder`, which must exist. Parameters that nn_freeze made trainable
   again are saved as PEFT's modules_to_save; buffers are not. Old files survive a failure. */
NN_API nn_result nn_save_lora_at(nn_site site, nn_model *net, const char *folder);
#define nn_save_lora(...) nn_save_lora_at(NN_HERE, __VA_ARGS__)
/* Loads a folder of nn_save_lora or PEFT into a model with the same adapters. Loading is strict:
   rank, alpha and every name and shape must match, or nothing is loaded. Parameters of
   modules_to_save are loaded if the file has them. It is an error if the file has adapters with
   another formula (DoRA, ranks for single layers, trained biases) or other base weights (PiSSA,
   OLoRA, CorDA, LoftQ, LoRA-GA), or if the model's adapters are merged. */
NN_API nn_result nn_load_lora_at(nn_site site, nn_model *net, const char *folder);
#define nn_load_lora(...) nn_load_lora_at(NN_HERE, __VA_ARGS__)
#endif

/* Merges the adapters into the weights, all or none: weight += scale * B A, on the weight's device,
   computed in f32 and rounded once to the weight's dtype. Plans made from then on cost as much as
   without adapters; older plans are stale (nn_replan). nn_save_weights writes the merged weights
   under the names of the base model, without adapters. With undoable, the device keeps the old
   weights for nn_unmerge_lora; until then loading, blending and training are errors, because their
   changes would be lost. It is an error while a trainer of the model exists (nn_free_trainer) or if
   the adapters are merged already. A layer that is described afterwards and matches a target is
   merged, too: with the adapter of the weight that it shares, or with a new one of zeros. */
NN_API nn_result nn_merge_lora_at(nn_site site, nn_model *net, bool undoable);
#define nn_merge_lora(...) nn_merge_lora_at(NN_HERE, __VA_ARGS__)
/* Restores the old weights, byte for byte, with the adapters beside them. Existing plans become
   stale. It is an error if the old weights were not kept. */
NN_API nn_result nn_unmerge_lora_at(nn_site site, nn_model *net);
#define nn_unmerge_lora(...) nn_unmerge_lora_at(NN_HERE, __VA_ARGS__)
#endif
