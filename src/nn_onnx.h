/* nn_onnx.h - ONNX files for nn.h: describes and writes nets, loads weights. This is the list of its
   parts. */
#ifndef NN_ONNX_H
#define NN_ONNX_H

/* CONTENTS */

#include "nn_more.h"
#include "nn_sequence.h"
#include "nn_quantize.h"

/* ---- ONNX: reads files, describes nets, loads weights ---- */
#include "onnx/onnx.h"
/* ---- ONNX: writes nets ---- */
#include "onnx/save.h"
/* ---- C source of nets ---- */
#include "onnx/write.h"
/* ---- C constants of plans ---- */
#include "onnx/write_plan.h"
#include "onnx/overloads.h"

#endif /* NN_ONNX_H: stop here if you only want the API. */

#if defined(NN_ONNX_IMPLEMENTATION) && !defined(NN_ONNX_IMPLEMENTED)
#define NN_ONNX_IMPLEMENTED
#if defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC diagnostic push
#ifdef NN__OWN_API
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#endif
/* ---- IMPLEMENTATION, reading: memory, protobuf, tensors, graphs ---- */
#include "onnx/memory.c"
#include "onnx/wire.c"
#include "onnx/tensor.c"
#include "onnx/external.c"
#include "onnx/graph.c"
#include "onnx/open.c"
/* ---- a node, to its mapping ---- */
#include "onnx/node.c"
#include "onnx/names.c"
#include "onnx/weights.c"
/* ---- known numbers: computed while reading ---- */
#include "onnx/fold.h"
#include "onnx/fold.c"
#include "onnx/fold_shapes.c"
#include "onnx/fold_elements.c"
#include "onnx/fold_arrange.c"
#include "onnx/fold_reduce.c"
/* ---- mappings ---- */
#include "onnx/map_sources.c"
#include "onnx/map_tools.c"
#include "onnx/arranged.c"
#include "onnx/map_elementwise.c"
#include "onnx/map_arithmetic.c"
#include "onnx/map_bits.c"
#include "onnx/map_extending.c"
#include "onnx/map_reducing.c"
#include "onnx/map_indexing.c"
#include "onnx/map_choosing.c"
#include "onnx/map_arranging.c"
#include "onnx/parts.c"
#include "onnx/windows.c"
#include "onnx/map_conv.c"
#include "onnx/map_pool.c"
#include "onnx/map_norm.c"
#include "onnx/map_product.c"
#include "onnx/map_attention.c"
#include "onnx/unroll.c"
#include "onnx/map_recurrent.c"
#include "onnx/quantised.c"
#include "onnx/integers.c"
#include "onnx/integers_lstm.c"
#include "onnx/integers_conv.c"
#include "onnx/integers_image.c"
#include "onnx/integers_pool.c"
#include "onnx/map_quantised.c"
#include "onnx/map_integers.c"
#include "onnx/resample.c"
#include "onnx/map_resize.c"
#include "onnx/map_grid.c"
#include "onnx/map_signal.c"
#include "onnx/map_own.c"
#include "onnx/map_microsoft.c"
#include "onnx/operators.c"
/* ---- the walk ---- */
#include "onnx/patterns.h"
#include "onnx/patterns.c"
#include "onnx/pattern_attention.c"
#include "onnx/control.c"
#include "onnx/loops.c"
#include "onnx/refuse.c"
#include "onnx/walk.c"
#include "onnx/need.c"
#include "onnx/net.c"
#include "onnx/report.c"
/* ---- writing: operators, values, families of kernels, the file ---- */
#include "onnx/proto.c"
#include "onnx/emit.c"
#include "onnx/save_values.c"
#include "onnx/save_pointwise.c"
#include "onnx/save_product.c"
#include "onnx/save_conv.c"
#include "onnx/save_norm.c"
#include "onnx/save_recurrent.c"
#include "onnx/save_reduce.c"
#include "onnx/save_index.c"
#include "onnx/save_copy.c"
#include "onnx/save_resize.c"
#include "onnx/save_rounding.c"
#include "onnx/save_attention.c"
#include "onnx/save_rotary.c"
#include "onnx/save_functions.c"
#include "onnx/save_file.c"
#include "onnx/save.c"
/* ---- C source ---- */
#include "onnx/write_emit.h"
#include "onnx/write_emit.c"
#include "onnx/write_copy.c"
#include "onnx/write_pointwise.c"
#include "onnx/write_layers.c"
#include "onnx/write_recurrent.c"
#include "onnx/write_families.c"
#include "onnx/write_integers.c"
#include "onnx/write_weights.c"
#include "onnx/write.c"
/* ---- plans of constants: kernels, steps, memory, text ---- */
#include "onnx/planned.h"
#include "onnx/write_plan_kernels.c"
#include "onnx/write_plan_steps.c"
#include "onnx/write_plan_packed.c"
#include "onnx/write_plan_layout.c"
#include "onnx/write_plan_text.c"
#include "onnx/write_plan.c"
#if defined(__GNUC__) && !defined(__TINYC__)
#pragma GCC diagnostic pop
#endif
#endif
