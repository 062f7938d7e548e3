/* nn_more.h - what few programs need: rare operations, adapters, profiles and pages about a
   training run. This is the list of its parts. */
#ifndef NN_MORE_H
#define NN_MORE_H

/* CONTENTS */

#include "nn.h"
#include "more/undefine.h"

/* ---- OPERATIONS: builders for descriptions, immediate calls for tensors ---- */
#include "ops/bilinear.h"
#include "ops/conv3d.h"
#include "ops/fractional_pool.h"
#include "ops/lp_pool.h"
#include "ops/pool3d.h"
#include "ops/resize.h"
#include "ops/ctc.h"
#include "ops/elements.h"
#include "ops/max_unpool.h"
#include "ops/scan.h"
#include "ops/sort.h"
#include "ops/matrix.h"
#include "ops/embedding_bag.h"
#include "ops/similarity.h"
#include "ops/distance.h"
#include "ops/local_response_norm.h"
#include "ops/unfold.h"
#include "ops/grid_sample.h"
#include "ops/shuffle.h"
#include "ops/einsum.h"
#include "ops/loss_pairs.h"
#include "ops/loss_classes.h"
#include "ops/metric_scores.h"
#include "ops/gradient.h"
/* ---- ADAPTERS: LoRA, its files, and merging ---- */
#include "ops/lora.h"
#include "model/lora.h"
/* ---- REPORTS: where the time goes, and a training run as a page ---- */
#include "plan/profile.h"
#if !defined(NN_NO_TRAINING) && !defined(NN_NO_TRAINING_OPTIONS)
#include "train/html.h"
#endif
/* ---- FOR AUTHORS OF BACKENDS ---- */
#include "more/kernels.h"
#include "more/overloads.h"

#endif /* NN_MORE_H: stop here if you only want the API. */

#if defined(NN__IMPLEMENTED_HERE) && !defined(NN_MORE_IMPLEMENTED)
#define NN_MORE_IMPLEMENTED
#define NN__MORE_IN
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#pragma GCC diagnostic push
#ifdef NN__OWN_API
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#elif defined(_MSC_VER)
#pragma warning(push)
#ifdef NN__OWN_API
#pragma warning(disable : 4505)
#endif
#endif
#include "kernels/more_cpu.h"
#define NN__SETS_AGAIN
#define NN__BODY "nn_more.h"
#include "nn.h" /* all that it shows now is cpu/for_each_set.h */
#undef NN__SETS_AGAIN
#endif
/* ---- IMPLEMENTATION, vectors: nn.h includes this file once for each instruction set ---- */
#if defined(NN__MORE_IN) && defined(NN__SET)
#include "kernels/more_vector.h"
#endif
#if defined(NN__MORE_IN) && !defined(NN__SET)
#undef NN__MORE_IN
/* ---- kernels: the CPU part of each family ---- */
#include "kernels/more_cpu.c"
#undef NN__RARELY
#define NN__RARELY NN__COLD
#include "more/kernels.c"
/* ---- ops: the operations ---- */
#include "ops/lora.c"
#include "ops/resize.c"
#include "ops/bilinear.c"
#include "ops/unfold.c"
#include "ops/grid_sample.c"
#include "ops/lp_pool.c"
#include "ops/volume.c"
#include "ops/pool3d.c"
#include "ops/fractional_pool.c"
#include "ops/conv3d.c"
#include "ops/shuffle.c"
#include "ops/einsum.c"
#include "ops/elements_check.c"
#include "ops/elements.c"
#include "ops/max_unpool.c"
#include "ops/scan.c"
#include "ops/sort.c"
#include "ops/matrix.c"
#include "ops/embedding_bag.c"
#include "ops/similarity.c"
#include "ops/local_response_norm.c"
#include "ops/distance.c"
#include "ops/loss_pairs.c"
#include "ops/loss_classes.c"
#include "ops/ctc.c"
#include "ops/metric_scores.c"
#include "ops/norm_again.c"
#include "ops/conv_again.c"
#include "ops/gradient.c"
#include "ops/again.c"
/* ---- adapters ---- */
#include "model/lora_merge.c"
#include "model/lora_files.c"
/* ---- reports ---- */
#include "plan/profile.c"
#include "plan/trace.c"
#if !defined(NN_NO_TRAINING) && !defined(NN_NO_TRAINING_OPTIONS)
#include "train/html_chart.c"
#include "train/html_confusion.c"
#include "train/html.c"
#endif
#undef NN__RARELY
#define NN__RARELY
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#pragma GCC diagnostic pop
#elif defined(_MSC_VER)
#pragma warning(pop)
#endif
#endif
