/* model/lora.h - what nn_lora's adapters have learned: in files, and inside the weights. */
#pragma once

#ifndef NN_NO_TRAINING
#include "graph/model.h"

#ifndef NN_NO_FILES
/* The adapters alone, as Hugging Face's PEFT has them: into the folder, which has to exist,
   "adapter_model.safetensors" (names "base_model.model.NAME.lora_A.weight" and "lora_B") and
   "adapter_config.json", for peft.PeftModel.from_pretrained. Parameters that nn_freeze gave back
   to training go along as PEFT's modules_to_save; buffers do not. Old files survive a failure. */
NN_API nn_result nn_save_lora_at(nn_site site, nn_model *net, const char *folder);
#define nn_save_lora(...) nn_save_lora_at(NN_HERE, __VA_ARGS__)
/* Such a folder, of nn_save_lora or of PEFT, into a model with these adapters. Strict: rank, alpha
   and every name and shape must fit, or nothing is loaded; parameters of modules_to_save are loaded
   when the file has them. An error: a kind of adapter that differs in its formula (DoRA, ranks of
   single layers, trained biases) or in the base's weights (PiSSA, OLoRA, CorDA, LoftQ, LoRA-GA),
   and merged adapters. */
NN_API nn_result nn_load_lora_at(nn_site site, nn_model *net, const char *folder);
#define nn_load_lora(...) nn_load_lora_at(NN_HERE, __VA_ARGS__)
#endif

/* weight += scale * B A, on the weight's device, computed in f32 and rounded once to the weight's
   dtype. Plans made from then on cost what they cost without adapters; older ones are stale
   (nn_replan). nn_save_weights writes the merged weights under the names of the base model, without
   adapters. undoable: the old weights are kept on their device for nn_unmerge_lora; until then it
   is an error to load, blend or train the model, which would be lost. All or nothing; an error
   while a trainer of the model exists (nn_free_trainer), or merged already. A layer that a target
   fits and that is described afterwards has its adapter inside as well: that of the weight which it
   shares, or a new one, of zeros. */
NN_API nn_result nn_merge_lora_at(nn_site site, nn_model *net, bool undoable);
#define nn_merge_lora(...) nn_merge_lora_at(NN_HERE, __VA_ARGS__)
/* The weights are those of before, byte for byte, and the adapters beside them again. Plans made
   before become stale. An error when they were not kept. */
NN_API nn_result nn_unmerge_lora_at(nn_site site, nn_model *net);
#define nn_unmerge_lora(...) nn_unmerge_lora_at(NN_HERE, __VA_ARGS__)
#endif
