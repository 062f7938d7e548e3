/* nn.h - a drop-in library for training and running neural networks. This is the list of its parts:
   the public half in the order in which users need it, the implementation in the order of its
   layers. */
#ifndef NN_H
#define NN_H

#include "base/manual.h"

/* CONTENTS */

/* ---- CONTEXT AND DEVICES: memory, threads, devices, the log and the first error ---- */
#include "base/config.h"
#include "base/prefix.h"
#include "base/result.h"
#include "base/list.h"
#include "base/writer.h"
#include "base/memory.h"
#include "base/thread.h"
#include "base/file.h"
#include "base/clock.h"
#include "base/optional.h"
#include "device/types.h"
#include "device/context.h"
#include "device/ledger.h"
/* ---- TENSORS: storage that stays where you put it ---- */
#include "tensor/tensor.h"
#include "base/random.h"
/* ---- MODEL: describing a net, and what it has learned ---- */
#include "graph/model.h"
#include "model/weights.h"
#include "model/describe.h"
#include "model/initialise.h"
/* ---- OPERATIONS: builders for descriptions, immediate calls for tensors ---- */
#include "ops/linear.h"
#include "ops/matmul.h"
#include "ops/conv2d.h"
#include "ops/conv1d.h"
#include "ops/conv_transpose.h"
#include "ops/pool2d.h"
#include "ops/pool.h"
#include "ops/pointwise.h"
#include "ops/table.h"
#include "ops/expression.h"
#include "ops/prelu.h"
#include "ops/dropout.h"
#include "ops/softmax.h"
#include "ops/glu.h"
#include "ops/norm.h"
#include "ops/loss.h"
#include "ops/axes.h"
#include "ops/reduce.h"
#include "ops/cumsum.h"
#include "ops/index.h"
#include "ops/normalize.h"
#include "ops/reshape.h"
#include "ops/arrange.h"
#include "ops/cast.h"
#include "ops/autocast.h"
#include "ops/assign.h"
#include "ops/state.h"
#include "ops/metric.h"
#include "ops/custom.h"
/* ---- PLAN: a description checked, placed and run ---- */
#include "plan/plan.h"
/* ---- TRAIN: data, steps, epochs, checkpoints, history ---- */
#include "kernels/augment/choices.h" /* unconditional: the arguments of kernels need them */
#include "kernels/update/choices.h"
#if !defined(NN_NO_TRAINING) && !defined(NN_NO_TRAINING_OPTIONS)
#include "train/dataset.h"
#include "train/dataset_files.h"
#include "train/augment.h"
#include "train/loader.h"
#include "train/schedule.h"
#include "train/trainer.h"
#include "train/metrics.h"
#include "train/checkpoint.h"
#include "train/history.h"
#include "train/fit.h"
#endif
#include "train/small.h" /* in place of all that */
/* ---- FILES: formats of tensors and of weights ---- */
#include "tensor/safetensors.h"
#include "tensor/npy.h"
#include "tensor/idx.h"
#include "model/arrays.h"
/* ---- FOR AUTHORS OF BACKENDS: the kernels, their arguments, and the contract of a device ---- */
#include "kernels/list.h"
#include "device/backend.h"
#include "plan/calls.h"
/* ---- FOR READERS OF NETS: what the nodes of a model are and compute ---- */
#include "graph/inspect.h"
/* ---- FOR C++: descs by reference ---- */
#include "base/overloads.h"

#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif

#endif /* NN_H: stop here if you only want the API. */

#if (defined(NN_IMPLEMENTATION) || defined(NN_STATIC)) && !defined(NN_IMPLEMENTED)
#define NN_IMPLEMENTED
#define NN__IMPLEMENTED_HERE /* nn_group.h and other optional files go on here */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#pragma GCC diagnostic push
#ifdef NN__OWN_API
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#ifdef __ARM_EABI__ /* there an enum may be unsigned, so that some checks are always false */
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
#elif defined(_MSC_VER)
#pragma warning(push)
#ifdef NN__OWN_API
#pragma warning(disable : 4505)
#endif
#endif
/* ---- IMPLEMENTATION, base: what C lacks ---- */
#include "base/result.c"
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "base/writer.c"
#undef NN__RARELY
#define NN__RARELY
#include "base/memory.c"
#include "base/arena.c"
#include "base/owned.c"
#include "base/pool.c"
#include "base/helpers.c"
#include "base/busy.c"
#include "base/random.c"
#include "base/functions.c"
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "base/file.c"
#undef NN__RARELY
#define NN__RARELY
#include "base/clock.c"
/* ---- device: types, the context, errors, the ledger ---- */
#include "device/types.c"
#include "device/errors.c"
#include "device/devices.c"
#include "device/items.c"
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "device/context.c"
#undef NN__RARELY
#define NN__RARELY
#include "device/dispatch.c"
#include "device/ledger.c"
#include "device/crossing.c"
/* ---- tensor: tensors and the formats of files ---- */
#include "tensor/tensor.c"
#include "tensor/copy.c"
#include "tensor/convert.c"
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "tensor/map.c"
#include "tensor/open.c"
#include "tensor/idx.c"
#include "tensor/npy.c"
#include "tensor/safetensors_words.c"
#include "tensor/safetensors_header.c"
#include "tensor/safetensors_index.c"
#include "tensor/safetensors.c"
#include "tensor/safetensors_save.c"
#undef NN__RARELY
#define NN__RARELY
/* ---- cpu: the CPU as a device: instruction sets, tiles of a product, units on threads ---- */
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "cpu/detect.c"
#undef NN__RARELY
#define NN__RARELY
#include "cpu/cpu.c"
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "cpu/open.c"
#undef NN__RARELY
#define NN__RARELY
#include "cpu/direct.c"
#include "cpu/activate.c"
#include "kernels/cpu.h"
#define NN__HALF_IN
#endif
/* ---- vectors: the loops of all families, for which nn.h includes itself once for each instruction set ---- */
#if (defined(NN__HALF_IN) || defined(NN__SETS_AGAIN)) && !defined(NN__SET)
#include "cpu/for_each_set.h"
#endif
#if defined(NN__SET) && !defined(NN__SETS_AGAIN)
#include "kernels/vector.h"
#endif
#if defined(NN__HALF_IN) && !defined(NN__SET)
#undef NN__HALF_IN
/* ---- kernels: the CPU part of each family, in the order of kernels/list.h ---- */
#include "kernels/cpu.c"
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "cpu/all.c"
#undef NN__RARELY
#define NN__RARELY
/* ---- plans that nn_write_plan_c printed ---- */
#include "cpu/fixed.h"
/* Functions that are declared here may be called often: only functions that are defined where
   NN__RARELY is NN__COLD are compiled for size. */
#include "program/private.h"
#include "graph/private.h"
#include "ops/private.h"
#include "plan/private.h"
#include "model/private.h"
#include "train/private.h"
#undef NN__RARELY
#define NN__RARELY NN__COLD
/* ---- program: the algebra of pointwise programs ---- */
#include "program/draft.c"
#include "program/derive.c"
#include "program/parse.c"
/* ---- graph: nodes, faults, shapes, automatic gradients ---- */
#include "graph/fault.c"
#include "graph/build.c"
#include "graph/operation.c"
#include "graph/fusion.c"
#include "graph/model.c"
#include "graph/pattern.c"
#include "graph/materialize.c"
#include "graph/autodiff.c"
#include "graph/cast.c"
#include "graph/inspect.c"
/* ---- ops: the operations: shapes, gradients, builders, immediate calls ---- */
#undef NN__RARELY
#define NN__RARELY
#include "ops/immediate.c"
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "ops/linear.c"
#include "ops/matmul.c"
#include "ops/matmul_backward.c"
#include "ops/per_axis.c"
#include "ops/conv_call.c"
#include "ops/conv2d.c"
#include "ops/functional_conv2d.c"
#include "ops/conv2d_call.c"
#include "ops/conv1d.c"
#include "ops/conv_transpose.c"
#include "ops/pool2d.c"
#include "ops/pool.c"
#include "ops/pointwise.c"
#include "ops/program.c"
#include "ops/program_gradient.c"
#include "ops/table.c"
#include "ops/expression.c"
#include "ops/prelu.c"
#include "ops/reduce_backward.c"
#include "ops/reshape.c"
#include "ops/squeeze.c"
#include "ops/cast.c"
#include "ops/autocast.c"
#include "ops/axes.c"
#include "ops/arrange_infer.c"
#include "ops/arrange_pieces.c"
#include "ops/arrange.c"
#include "ops/arrange_pad.c"
#include "ops/arrange_forward.c"
#include "ops/transfer.c"
#include "ops/reduce.c"
#include "ops/cumsum.c"
#include "ops/index.c"
#include "ops/normalize.c"
#include "ops/dropout.c"
#include "ops/softmax.c"
#include "ops/glu.c"
#include "ops/norm.c"
#include "ops/norm_gradient.c"
#include "ops/norm_forward.c"
#include "ops/norm_fold.c"
#include "ops/norm_fold_fusion.c"
#include "ops/conv_pool.c"
#include "ops/conv_pool_fusion.c"
#include "ops/separable.c"
#include "ops/separable_fusion.c"
#include "ops/prelu_fusion.c"
#include "ops/residual_fusion.c"
#include "ops/loss.c"
#include "ops/loss_likelihood.c"
#include "ops/cross_entropy.c"
#include "ops/soft_entropy.c"
#include "ops/accuracy.c"
#include "ops/metric.c"
#include "ops/update.c"
#include "ops/totals.c"
#include "ops/optimizers.c"
#include "ops/launches.c"
#include "ops/recipe.c"
#include "ops/muon.c"
#include "ops/counted.c"
#include "ops/master.c"
#include "ops/custom.c"
#include "ops/assign.c"
#include "ops/state.c"
#include "ops/stream.c"
/* ---- plan: order, placement, memory, runs, profiles, reports ---- */
#include "plan/order.c"
#include "plan/rewrite.c"
#include "plan/launches.c"
#include "plan/join.c"
#include "plan/casts.c"
#include "plan/halves.c"
#include "plan/placement.c"
#include "plan/via.c"
#undef NN__RARELY
#define NN__RARELY
#include "plan/chain.c"
#include "plan/weight_cache.c"
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "plan/offsets.c"
#include "plan/layout.c"
#include "plan/plan.c"
#include "plan/cache.c"
#include "plan/state.c"
#include "plan/bytes.c"
#undef NN__RARELY
#define NN__RARELY
#include "plan/lower.c"
#include "plan/inputs.c"
#include "plan/status.c"
#include "plan/run.c"
#include "plan/direct.c"
#include "plan/borrowed.c"
#include "plan/results.c"
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "plan/prewarm.c"
#include "plan/report.c"
#include "plan/precision.c"
/* ---- model: saving, loading, moving ---- */
#include "model/move.c"
#include "model/copy.c"
#include "model/describe.c"
#include "model/arrays.c"
#include "model/state.c"
#include "model/quantized.c"
#include "model/quantized_four.c"
#include "model/weights.c"
#include "model/blend.c"
#include "model/initialise_values.c"
#include "model/initialise.c"
/* ---- train: data sets, loaders, trainers, checkpoints, history ---- */
#include "train/dataset.c"
#include "train/dataset_files.c"
#include "train/augment.c"
#undef NN__RARELY
#define NN__RARELY
#include "train/ring.c"
#include "train/batch.c"
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "train/loader.c"
#undef NN__RARELY
#define NN__RARELY
#include "train/deliver.c"
#include "train/resident.c"
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "train/carry.c"
#include "train/describe.c"
#include "train/schedule.c"
#include "train/describe_update.c"
#include "train/optimizer_settings.c"
#include "train/optimizer.c"
#include "train/trainer_desc.c"
#include "train/trainer.c"
#include "train/average.c"
#undef NN__RARELY
#define NN__RARELY
#include "train/step.c"
#include "train/steps.c"
#include "train/report.c"
#include "train/gradient.c"
#include "train/gradient_edit.c"
#include "train/metrics.c"
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "train/history.c"
#include "train/history_read.c"
#include "train/checkpoint_words.c"
#include "train/checkpoint.c"
#include "train/snapshot.c"
#include "train/fit_watch.c"
#include "train/fit_checkpoint.c"
#include "train/fit.c"
/* in place of all that, under NN_NO_TRAINING_OPTIONS */
#include "train/small.c"
#undef NN__RARELY
#define NN__RARELY
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif
#endif /* NN_IMPLEMENTATION */
