/* nn.h - a drop-in library for training and running neural networks. The list of its parts, in the order of the floors. */
#ifndef NN_H
#define NN_H

#include "base/manual.h"

/* 1: what C lacks */
#include "base/config.h"
#include "base/result.h"
#include "base/writer.h"
#include "base/memory.h"
#include "base/thread.h"
#include "base/random.h"
#include "base/file.h"
#include "base/clock.h"
/* 2: devices */
#include "device/types.h"
#include "device/params.h"
#include "device/context.h"
#include "device/ledger.h"
#include "device/backend.h"
/* 3: tensors */
#include "tensor/tensor.h"
#include "tensor/idx.h"
#include "tensor/safetensors.h"
/* 5: describing a net */
#include "graph/model.h"
/* 6: operations */
#include "ops/linear.h"
#include "ops/conv2d.h"
#include "ops/pool2d.h"
#include "ops/pointwise.h"
#include "ops/reshape.h"
#include "ops/reduce.h"
#include "ops/softmax.h"
#include "ops/loss.h"
#include "ops/custom.h"
/* 7: plans */
#include "plan/plan.h"
#include "plan/profile.h"
#include "plan/self_test.h"
/* 8: models */
#include "model/weights.h"
/* 9: training */
#ifndef NN_NO_TRAINING
#include "train/dataset.h"
#include "train/loader.h"
#include "train/trainer.h"
#include "train/fit.h"
#endif

#endif /* NN_H: stop here if you only want the API. */

#if defined(NN_IMPLEMENTATION) && !defined(NN_IMPLEMENTED)
#define NN_IMPLEMENTED
/* 1: base */
#include "base/result.c"
#include "base/writer.c"
#include "base/memory.c"
#include "base/arena.c"
#include "base/owned.c"
#include "base/thread.c"
#include "base/random.c"
#include "base/file.c"
#include "base/clock.c"
/* 2: device */
#include "device/types.c"
#include "device/context.c"
#include "device/dispatch.c"
#include "device/ledger.c"
#include "device/crossing.c"
/* 3: tensor */
#include "tensor/tensor.c"
#include "tensor/convert.c"
#include "tensor/open.c"
#include "tensor/idx.c"
#include "tensor/safetensors_header.c"
#include "tensor/safetensors.c"
/* 4: cpu */
#include "cpu/detect.c"
#include "cpu/cpu.c"
#include "cpu/open.c"
#include "cpu/activate.c"
#include "cpu/gemm_plain.c"
#include "cpu/gemm_avx2.c"
#include "cpu/gemm_avx512.c"
#include "cpu/gemm_neon.c"
#include "cpu/gemm.c"
#include "cpu/conv2d.c"
#include "cpu/conv2d_backward.c"
#include "cpu/pool2d.c"
#include "cpu/pointwise.c"
#include "cpu/reduce.c"
#include "cpu/softmax.c"
#include "cpu/cross_entropy.c"
#include "cpu/metric.c"
#include "cpu/update.c"
#include "cpu/random.c"
#include "cpu/custom.c"
#include "cpu/all.c"
/* 5: graph */
#include "graph/fault.c"
#include "graph/build.c"
#include "graph/model.c"
#include "graph/materialize.c"
#include "graph/autodiff.c"
/* 6: ops */
#include "ops/immediate.c"
#include "ops/linear.c"
#include "ops/conv2d.c"
#include "ops/pool2d.c"
#include "ops/pointwise.c"
#include "ops/reshape.c"
#include "ops/transfer.c"
#include "ops/reduce.c"
#include "ops/softmax.c"
#include "ops/loss.c"
#include "ops/update.c"
#include "ops/custom.c"
/* 7: plan */
#include "plan/placement.c"
#include "plan/layout.c"
#include "plan/plan.c"
#include "plan/run.c"
#include "plan/report.c"
#include "plan/profile.c"
#include "plan/self_test.c"
#include "plan/self_test_cases.c"
/* 8: model */
#include "model/move.c"
#include "model/weights.c"
/* 9: train */
#include "train/dataset.c"
#include "train/loader.c"
#include "train/describe.c"
#include "train/trainer.c"
#include "train/fit.c"
#endif /* NN_IMPLEMENTATION */
