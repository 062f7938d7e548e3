/* nn.h - a drop-in library for training and running neural networks. This is the list of its parts:
   the public half in the order in which its users need it, the implementation in the order of the
   floors. */
#ifndef NN_H
#define NN_H

#include "base/manual.h"

/* CONTENTS */

/* ---- CONTEXT AND DEVICES: memory, threads, devices, the log and the first error ---- */
#include "base/config.h"
#include "base/prefix.h"
#include "base/result.h"
#include "base/writer.h"
#include "base/memory.h"
#include "base/thread.h"
#include "base/file.h"
#include "base/clock.h"
#include "device/types.h"
#include "device/context.h"
#include "device/ledger.h"
#include "plan/self_test.h"
/* ---- TENSORS: storage that stays where you put it ---- */
#include "tensor/tensor.h"
#include "base/random.h"
/* ---- MODEL: describing a net, and what it has learned ---- */
#include "graph/model.h"
#include "model/weights.h"
#include "model/initialise.h"
/* ---- OPERATIONS: builders for descriptions, immediate calls for tensors ---- */
#include "ops/linear.h"
#include "ops/matmul.h"
#include "ops/conv2d.h"
#include "ops/conv1d.h"
#include "ops/conv_transpose.h"
#include "ops/pool2d.h"
#include "ops/pointwise.h"
#include "ops/table.h"
#include "ops/expression.h"
#include "ops/softmax.h"
#include "ops/norm.h"
#include "ops/loss.h"
#include "ops/ctc.h"
#include "ops/axes.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/index.h"
#include "ops/normalize.h"
#include "ops/reshape.h"
#include "ops/arrange.h"
#include "ops/cast.h"
#include "ops/assign.h"
#include "ops/metric.h"
#include "ops/custom.h"
/* ---- PLAN: a description checked, placed and run ---- */
#include "plan/plan.h"
#include "plan/profile.h"
/* ---- TRAIN: data, steps, epochs, checkpoints, history ---- */
#include "kernels/augment/args.h" /* unconditional: the list of kernels needs them */
#include "kernels/update/choices.h"
#ifndef NN_NO_TRAINING
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
#include "train/html.h"
#endif
/* ---- FILES: formats of tensors and of weights ---- */
#include "tensor/safetensors.h"
#include "tensor/npy.h"
#include "tensor/idx.h"
#include "model/arrays.h"
/* ---- FOR AUTHORS OF BACKENDS: the kernels, their arguments, and the contract of a device ---- */
#include "kernels/list.h"
#include "device/backend.h"

#if defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC diagnostic pop
#endif

#endif /* NN_H: stop here if you only want the API. */

#if defined(NN_IMPLEMENTATION) && !defined(NN_IMPLEMENTED)
#define NN_IMPLEMENTED
#if defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC diagnostic push
#ifdef NN__OWN_API
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#ifdef __ARM_EABI__ /* there an enum may be unsigned, and what is checked cannot happen */
#pragma GCC diagnostic ignored "-Wtype-limits"
#endif
#endif
/* ---- IMPLEMENTATION, base: what C lacks ---- */
#include "base/result.c"
#include "base/writer.c"
#include "base/memory.c"
#include "base/arena.c"
#include "base/owned.c"
#include "base/pool.c"
#include "base/crew.c"
#include "base/busy.c"
#include "base/random.c"
#include "base/file.c"
#include "base/clock.c"
/* ---- device: types, the context, errors, the ledger ---- */
#include "device/types.c"
#include "device/errors.c"
#include "device/devices.c"
#include "device/context.c"
#include "device/dispatch.c"
#include "device/ledger.c"
#include "device/crossing.c"
/* ---- tensor: tensors and the formats of files ---- */
#include "tensor/tensor.c"
#include "tensor/copy.c"
#include "tensor/map.c"
#include "tensor/convert.c"
#include "tensor/open.c"
#include "tensor/idx.c"
#include "tensor/npy.c"
#include "tensor/safetensors_words.c"
#include "tensor/safetensors_header.c"
#include "tensor/safetensors.c"
#include "tensor/safetensors_save.c"
/* ---- cpu: the CPU as a device: instruction sets, tiles of a product, units on threads ---- */
#include "cpu/detect.c"
#include "cpu/cpu.c"
#include "cpu/open.c"
#include "cpu/activate.c"
#include "cpu/gemm_plain.c"
#include "cpu/gemm_avx2.c"
#include "cpu/gemm_avx512.c"
#include "cpu/gemm_neon.c"
/* ---- kernels: what the CPU does of each family, in the order of kernels/list.h ---- */
#include "kernels/cpu.c"
#include "cpu/all.c"
/* ---- program: the algebra of pointwise programs ---- */
#include "program/draft.c"
#include "program/derive.c"
#include "program/parse.c"
/* ---- graph: nodes, faults, shapes, automatic gradients ---- */
#include "graph/fault.c"
#include "graph/build.c"
#include "graph/operation.c"
#include "graph/model.c"
#include "graph/pattern.c"
#include "graph/materialize.c"
#include "graph/autodiff.c"
#include "graph/cast.c"
/* ---- ops: the operations: shapes, gradients, builders, immediate calls ---- */
#include "ops/immediate.c"
#include "ops/linear.c"
#include "ops/matmul.c"
#include "ops/conv2d.c"
#include "ops/conv1d.c"
#include "ops/conv_transpose.c"
#include "ops/pool2d.c"
#include "ops/pointwise.c"
#include "ops/program.c"
#include "ops/program_gradient.c"
#include "ops/table.c"
#include "ops/expression.c"
#include "ops/reduce_backward.c"
#include "ops/reshape.c"
#include "ops/cast.c"
#include "ops/axes.c"
#include "ops/arrange_infer.c"
#include "ops/arrange_pieces.c"
#include "ops/arrange.c"
#include "ops/arrange_pad.c"
#include "ops/arrange_forward.c"
#include "ops/transfer.c"
#include "ops/reduce.c"
#include "ops/scan.c"
#include "ops/index.c"
#include "ops/normalize.c"
#include "ops/softmax.c"
#include "ops/norm.c"
#include "ops/norm_gradient.c"
#include "ops/norm_forward.c"
#include "ops/loss.c"
#include "ops/loss_likelihood.c"
#include "ops/loss_pairs.c"
#include "ops/cross_entropy.c"
#include "ops/soft_entropy.c"
#include "ops/ctc.c"
#include "ops/accuracy.c"
#include "ops/metric.c"
#include "ops/update.c"
#include "ops/optimizers.c"
#include "ops/recipe.c"
#include "ops/muon.c"
#include "ops/counted.c"
#include "ops/master.c"
#include "ops/custom.c"
#include "ops/assign.c"
/* ---- plan: order, placement, memory, runs, profiles, reports ---- */
#include "plan/order.c"
#include "plan/join.c"
#include "plan/placement.c"
#include "plan/via.c"
#include "plan/layout.c"
#include "plan/plan.c"
#include "plan/bytes.c"
#include "plan/lower.c"
#include "plan/inputs.c"
#include "plan/status.c"
#include "plan/run.c"
#include "plan/results.c"
#include "plan/prewarm.c"
#include "plan/report.c"
#include "plan/profile.c"
#include "plan/trace.c"
#include "plan/self_test.c"
#include "plan/self_test_cases.c"
/* ---- model: saving, loading, moving ---- */
#include "model/move.c"
#include "model/arrays.c"
#include "model/state.c"
#include "model/weights.c"
#include "model/blend.c"
#include "model/initialise_values.c"
#include "model/initialise.c"
/* ---- train: data sets, loaders, trainers, checkpoints, history ---- */
#include "train/dataset.c"
#include "train/dataset_files.c"
#include "train/augment.c"
#include "train/ring.c"
#include "train/batch.c"
#include "train/loader.c"
#include "train/deliver.c"
#include "train/resident.c"
#include "train/describe.c"
#include "train/schedule.c"
#include "train/describe_update.c"
#include "train/optimizer.c"
#include "train/trainer_desc.c"
#include "train/trainer.c"
#include "train/step.c"
#include "train/report.c"
#include "train/gradient.c"
#include "train/gradient_edit.c"
#include "train/metrics.c"
#include "train/history.c"
#include "train/history_read.c"
#include "train/checkpoint_words.c"
#include "train/checkpoint.c"
#include "train/fit.c"
#include "train/html_chart.c"
#include "train/html_confusion.c"
#include "train/html.c"
#if defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC diagnostic pop
#endif
#endif /* NN_IMPLEMENTATION */
