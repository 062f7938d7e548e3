/* onnx/write_plan_kernels.c - the kernels that a plan of constants may call, and their arguments.
   Arguments that are not listed are 0 in every inference on the CPU without a status word. */
#include "onnx/planned.h"

#include <stddef.h>

#define NN__PV(type, field)                                                                        \
    { #field, (uint16_t)offsetof(type, field), (uint16_t)sizeof(nn_view), 'v' }
#define NN__PN(type, field)                                                                        \
    { #field, (uint16_t)offsetof(type, field), (uint16_t)sizeof(((type *)0)->field), 'n' }
#define NN__PR(type, field)                                                                        \
    { #field, (uint16_t)offsetof(type, field), (uint16_t)sizeof(float), 'r' }

#define NN__T nn_gemm_args
static const nn__planned_field nn__planned_gemm[] = {
    NN__PV(NN__T, y),           NN__PV(NN__T, a),
    NN__PV(NN__T, b),           NN__PV(NN__T, epilogue.bias),
    NN__PN(NN__T, m),           NN__PN(NN__T, n),
    NN__PN(NN__T, k),           NN__PN(NN__T, transpose_a),
    NN__PN(NN__T, transpose_b), NN__PN(NN__T, epilogue.activation),
    NN__PN(NN__T, batch[0]),    NN__PN(NN__T, batch[1]),
    NN__PN(NN__T, batch[2]),    NN__PN(NN__T, batch[3]),
    NN__PN(NN__T, a_batch[0]),  NN__PN(NN__T, a_batch[1]),
    NN__PN(NN__T, a_batch[2]),  NN__PN(NN__T, a_batch[3]),
    NN__PN(NN__T, b_batch[0]),  NN__PN(NN__T, b_batch[1]),
    NN__PN(NN__T, b_batch[2]),  NN__PN(NN__T, b_batch[3])};
#undef NN__T
#define NN__WINDOWS(type)                                                                          \
    NN__PN(type, params.kernel_h), NN__PN(type, params.kernel_w), NN__PN(type, params.stride_h),   \
        NN__PN(type, params.stride_w), NN__PN(type, params.padding_h),                             \
        NN__PN(type, params.padding_w), NN__PN(type, params.dilation_h),                           \
        NN__PN(type, params.dilation_w), NN__PN(type, params.groups)
#define NN__T nn_conv2d_args
static const nn__planned_field nn__planned_conv2d[] = {NN__PV(NN__T, y),
                                                       NN__PV(NN__T, x),
                                                       NN__PV(NN__T, weight),
                                                       NN__PV(NN__T, epilogue.bias),
                                                       NN__WINDOWS(NN__T),
                                                       NN__PN(NN__T, direct),
                                                       NN__PN(NN__T, epilogue.activation)};
#undef NN__T
#define NN__T nn_pool2d_args
static const nn__planned_field nn__planned_pool2d[] = {
    NN__PV(NN__T, y),          NN__PV(NN__T, x),          NN__PV(NN__T, index),
    NN__PN(NN__T, kind),       NN__PN(NN__T, kernel_h),   NN__PN(NN__T, kernel_w),
    NN__PN(NN__T, stride_h),   NN__PN(NN__T, stride_w),   NN__PN(NN__T, padding_h),
    NN__PN(NN__T, padding_w),  NN__PN(NN__T, divisor),    NN__PN(NN__T, count_only_inside),
    NN__PN(NN__T, dilation_h), NN__PN(NN__T, dilation_w), NN__PN(NN__T, adaptive)};
#undef NN__T
#define NN__T nn_reduce_args
static const nn__planned_field nn__planned_reduce[] = {
    NN__PV(NN__T, y),         NN__PV(NN__T, x),     NN__PN(NN__T, axes),
    NN__PN(NN__T, reduction), NN__PR(NN__T, scale), NN__PN(NN__T, correction)};
#undef NN__T
#define NN__T nn_softmax_args
static const nn__planned_field nn__planned_softmax[] = {NN__PV(NN__T, y), NN__PV(NN__T, x),
                                                        NN__PN(NN__T, logarithm)};
#undef NN__T
#define NN__T nn_norm_args
static const nn__planned_field nn__planned_norm[] = {NN__PV(NN__T, y),
                                                     NN__PV(NN__T, x),
                                                     NN__PV(NN__T, weight),
                                                     NN__PV(NN__T, bias),
                                                     NN__PV(NN__T, mean),
                                                     NN__PV(NN__T, rstd),
                                                     NN__PV(NN__T, variance),
                                                     NN__PV(NN__T, running_mean),
                                                     NN__PV(NN__T, running_var),
                                                     NN__PN(NN__T, cut.outer),
                                                     NN__PN(NN__T, cut.inner),
                                                     NN__PN(NN__T, cut.groups),
                                                     NN__PN(NN__T, cut.channels),
                                                     NN__PN(NN__T, cut.across),
                                                     NN__PR(NN__T, epsilon),
                                                     NN__PN(NN__T, rms),
                                                     NN__PN(NN__T, activation)};
#undef NN__T
#define NN__T nn_program_args
static const nn__planned_field nn__planned_program[] = {
    NN__PV(NN__T, outputs[0]),          NN__PV(NN__T, inputs[0]),
    NN__PV(NN__T, inputs[1]),           NN__PV(NN__T, inputs[2]),
    NN__PV(NN__T, inputs[3]),           NN__PV(NN__T, inputs[4]),
    NN__PV(NN__T, inputs[5]),           NN__PV(NN__T, inputs[6]),
    NN__PV(NN__T, inputs[7]),           NN__PN(NN__T, program.count),
    NN__PN(NN__T, program.input_count), NN__PN(NN__T, program.output_count),
    NN__PN(NN__T, program.output[0]),   NN__PR(NN__T, scalars[0]),
    NN__PR(NN__T, scalars[1]),          NN__PR(NN__T, scalars[2]),
    NN__PR(NN__T, scalars[3]),          NN__PR(NN__T, scalars[4]),
    NN__PR(NN__T, scalars[5]),          NN__PR(NN__T, scalars[6]),
    NN__PR(NN__T, scalars[7])};
#undef NN__T
#define NN__T nn_strided_copy_args
static const nn__planned_field nn__planned_copy[] = {NN__PV(NN__T, y), NN__PN(NN__T, count),
                                                     NN__PN(NN__T, fill), NN__PN(NN__T, value)};
#undef NN__T
#define NN__T nn_gather_args
static const nn__planned_field nn__planned_gather[] = {NN__PV(NN__T, y), NN__PV(NN__T, x),
                                                       NN__PV(NN__T, index), NN__PN(NN__T, axis)};
#undef NN__T
#define NN__T nn_recurrent_args
static const nn__planned_field nn__planned_recurrent[] = {
    NN__PV(NN__T, y),       NN__PV(NN__T, state),  NN__PV(NN__T, kept), NN__PV(NN__T, raw),
    NN__PV(NN__T, x),       NN__PV(NN__T, weight), NN__PV(NN__T, bias), NN__PV(NN__T, projection),
    NN__PV(NN__T, lengths), NN__PV(NN__T, h0),     NN__PV(NN__T, c0),   NN__PN(NN__T, cell),
    NN__PN(NN__T, reverse)};
#undef NN__T
#define NN__T nn_resize_args
static const nn__planned_field nn__planned_resize[] = {
    NN__PV(NN__T, y),         NN__PV(NN__T, x),
    NN__PN(NN__T, mode),      NN__PN(NN__T, align_corners),
    NN__PN(NN__T, antialias), NN__PR(NN__T, cubic),
    NN__PR(NN__T, step_h),    NN__PR(NN__T, step_w),
    NN__PN(NN__T, taps_h),    NN__PN(NN__T, taps_w)};
#undef NN__T
#define NN__T nn_integer_conv2d_args
static const nn__planned_field nn__planned_integer_conv2d[] = {
    NN__PV(NN__T, y),      NN__PV(NN__T, x),    NN__PV(NN__T, weight), NN__PV(NN__T, bias),
    NN__PV(NN__T, factor), NN__PV(NN__T, zero), NN__WINDOWS(NN__T),    NN__PN(NN__T, transposed)};
#undef NN__T
#define NN__T nn_quantized_conv2d_args
static const nn__planned_field nn__planned_quantized_conv2d[] = {
    NN__PV(NN__T, y),     NN__PV(NN__T, x),     NN__PV(NN__T, weight), NN__PV(NN__T, bias),
    NN__PV(NN__T, scale), NN__PV(NN__T, range), NN__WINDOWS(NN__T)};
#undef NN__T
#undef NN__WINDOWS
#define NN__T nn_quantized_linear_args
static const nn__planned_field nn__planned_quantized_linear[] = {
    NN__PV(NN__T, y),     NN__PV(NN__T, x),           NN__PV(NN__T, weight),
    NN__PV(NN__T, scale), NN__PV(NN__T, weight_zero), NN__PV(NN__T, range)};
#undef NN__T
#define NN__T nn_quantized_lstm_args
static const nn__planned_field nn__planned_quantized_lstm[] = {
    NN__PV(NN__T, y),     NN__PV(NN__T, state), NN__PV(NN__T, x),  NN__PV(NN__T, weight),
    NN__PV(NN__T, scale), NN__PV(NN__T, h0),    NN__PV(NN__T, c0), NN__PN(NN__T, reverse)};
#undef NN__T
#define NN__T nn_quantize_even_args
static const nn__planned_field nn__planned_quantize_even[] = {NN__PV(NN__T, y), NN__PV(NN__T, x),
                                                              NN__PV(NN__T, range)};
#undef NN__T
#define NN__T nn_integer_pool2d_args
static const nn__planned_field nn__planned_integer_pool2d[] = {NN__PV(NN__T, y),
                                                               NN__PV(NN__T, x),
                                                               NN__PV(NN__T, zero),
                                                               NN__PN(NN__T, kind),
                                                               NN__PN(NN__T, kernel_h),
                                                               NN__PN(NN__T, kernel_w),
                                                               NN__PN(NN__T, stride_h),
                                                               NN__PN(NN__T, stride_w),
                                                               NN__PN(NN__T, padding_h),
                                                               NN__PN(NN__T, padding_w),
                                                               NN__PN(NN__T, count_only_inside)};
#undef NN__T
#define NN__T nn_integer_add_args
static const nn__planned_field nn__planned_integer_add[] = {
    NN__PV(NN__T, y), NN__PV(NN__T, a), NN__PV(NN__T, b), NN__PV(NN__T, numbers)};
#undef NN__T
#define NN__T nn_integer_multiply_args
static const nn__planned_field nn__planned_integer_multiply[] = {
    NN__PV(NN__T, y), NN__PV(NN__T, a), NN__PV(NN__T, b), NN__PV(NN__T, numbers)};
#undef NN__T
#define NN__T nn_integer_table_args
static const nn__planned_field nn__planned_integer_table[] = {NN__PV(NN__T, y), NN__PV(NN__T, x),
                                                              NN__PV(NN__T, table)};
#undef NN__T
#define NN__T nn_integer_resize2d_args
static const nn__planned_field nn__planned_integer_resize2d[] = {
    NN__PV(NN__T, y), NN__PV(NN__T, x), NN__PV(NN__T, rows), NN__PV(NN__T, columns)};
#undef NN__T
#define NN__T nn_integer_softmax_args
static const nn__planned_field nn__planned_integer_softmax[] = {
    NN__PV(NN__T, y), NN__PV(NN__T, x), NN__PV(NN__T, table), NN__PV(NN__T, numbers),
    NN__PN(NN__T, axis)};
#undef NN__T
#define NN__T nn_integer_recurrent_args
static const nn__planned_field nn__planned_integer_recurrent[] = {
    NN__PV(NN__T, y),         NN__PV(NN__T, state),     NN__PV(NN__T, x),
    NN__PV(NN__T, weight_ih), NN__PV(NN__T, weight_hh), NN__PV(NN__T, bias),
    NN__PV(NN__T, factor),    NN__PV(NN__T, numbers),   NN__PN(NN__T, cell),
    NN__PN(NN__T, reverse)};
#undef NN__T
#define NN__T nn_quantize_args
static const nn__planned_field nn__planned_quantize[] = {
    NN__PV(NN__T, y), NN__PV(NN__T, x), NN__PV(NN__T, scale), NN__PN(NN__T, channels_last)};
#undef NN__T
#undef NN__PV
#undef NN__PN
#undef NN__PR

#define NN__K(upper, object, args, pointer, fields)                                                \
    { NN_KERNEL_##upper, object, args, pointer, fields, (int)(sizeof(fields) / sizeof *(fields)) }
static const nn__planned_kernel nn__planned_kernels[] = {
    NN__K(GEMM, "nn__gemm_kernel", "nn_gemm_args", NULL, nn__planned_gemm),
    NN__K(CONV2D_FORWARD, "nn__conv2d_forward_kernel", "nn_conv2d_args", NULL, nn__planned_conv2d),
    NN__K(CONV2D_BACKWARD_INPUT, "nn__conv2d_backward_input_kernel", "nn_conv2d_args", NULL,
          nn__planned_conv2d),
    NN__K(POOL2D_FORWARD, "nn__pool2d_forward", "nn_pool2d_args", NULL, nn__planned_pool2d),
    NN__K(REDUCE, "nn__reduce_kernel", "nn_reduce_args", NULL, nn__planned_reduce),
    NN__K(FOLD, "nn__fold_kernel", "nn_reduce_args", NULL, nn__planned_reduce),
    NN__K(SOFTMAX_FORWARD, "nn__softmax_forward", "nn_softmax_args", NULL, nn__planned_softmax),
    NN__K(NORM_FORWARD, "nn__norm_forward", "nn_norm_args", NULL, nn__planned_norm),
    NN__K(POINTWISE, "nn__program_kernel", "nn_program_args", "program.code", nn__planned_program),
    NN__K(STRIDED_COPY, "nn__copy_kernel", "nn_strided_copy_args", "pieces", nn__planned_copy),
    NN__K(RESIZE_FORWARD, "nn__resize_forward", "nn_resize_args", NULL, nn__planned_resize),
    NN__K(GATHER, "nn__gather_kernel", "nn_gather_args", NULL, nn__planned_gather),
    NN__K(RECURRENT_FORWARD, "nn__recurrent_forward", "nn_recurrent_args", NULL,
          nn__planned_recurrent),
    NN__K(INTEGER_CONV2D, "nn__integer_conv_kernel", "nn_integer_conv2d_args", NULL,
          nn__planned_integer_conv2d),
    NN__K(INTEGER_POOL2D, "nn__integer_pool_kernel", "nn_integer_pool2d_args", NULL,
          nn__planned_integer_pool2d),
    NN__K(INTEGER_ADD, "nn__integer_add_kernel", "nn_integer_add_args", NULL,
          nn__planned_integer_add),
    NN__K(INTEGER_MULTIPLY, "nn__integer_multiply_kernel", "nn_integer_multiply_args", NULL,
          nn__planned_integer_multiply),
    NN__K(INTEGER_TABLE, "nn__integer_table_kernel", "nn_integer_table_args", NULL,
          nn__planned_integer_table),
    NN__K(INTEGER_RESIZE2D, "nn__integer_resize_kernel", "nn_integer_resize2d_args", NULL,
          nn__planned_integer_resize2d),
    NN__K(INTEGER_SOFTMAX, "nn__integer_softmax_kernel", "nn_integer_softmax_args", NULL,
          nn__planned_integer_softmax),
    NN__K(INTEGER_RECURRENT, "nn__integer_recurrent_kernel", "nn_integer_recurrent_args", NULL,
          nn__planned_integer_recurrent),
    NN__K(QUANTIZE, "nn__quantize_kernel", "nn_quantize_args", NULL, nn__planned_quantize),
    NN__K(DEQUANTIZE, "nn__dequantize_kernel", "nn_quantize_args", NULL, nn__planned_quantize),
    NN__K(QUANTIZE_EVEN, "nn__quantize_even_kernel", "nn_quantize_even_args", NULL,
          nn__planned_quantize_even),
    NN__K(QUANTIZED_LINEAR, "nn__quantized_linear_kernel", "nn_quantized_linear_args", NULL,
          nn__planned_quantized_linear),
    NN__K(QUANTIZED_CONV2D, "nn__quantized_conv_kernel", "nn_quantized_conv2d_args", NULL,
          nn__planned_quantized_conv2d),
    NN__K(QUANTIZED_LSTM, "nn__quantized_lstm_kernel", "nn_quantized_lstm_args", NULL,
          nn__planned_quantized_lstm),
};
static const nn__planned_kernel nn__planned_packed =
    NN__K(INTEGER_CONV2D, "nn__integer_packed_kernel", "nn_integer_conv2d_args", NULL,
          nn__planned_integer_conv2d);
#undef NN__K

NN__ONNX_PRIVATE const nn__planned_kernel *nn__planned_packed_kernel(void) {
    return &nn__planned_packed;
}

NN__ONNX_PRIVATE const nn__planned_kernel *nn__planned_find_kernel(nn_kernel kernel) {
    for (size_t i = 0; i < sizeof nn__planned_kernels / sizeof *nn__planned_kernels; i++)
        if (nn__planned_kernels[i].kernel == kernel) return &nn__planned_kernels[i];
    return NULL;
}

NN__ONNX_PRIVATE int nn__planned_field_at(const nn__planned_kernel *kernel, const char *name) {
    for (int i = 0; i < kernel->count; i++)
        if (strcmp(kernel->fields[i].name, name) == 0) return i;
    return -1;
}
