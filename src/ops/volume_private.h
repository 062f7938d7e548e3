/* ops/volume_private.h - what convolutions and pools of volumes share: windows with three sides,
   and views of a volume as images. */
#pragma once

#include "ops/arrange.h"
#include "ops/conv3d.h"
#include "ops/pool3d.h"
#include "ops/private.h"

/* All numbers with defaults filled in. Index 0 is the depth, 1 the height, 2 the width. */
typedef struct nn__volume {
    int kernel[3], stride[3], padding[3], dilation[3], more[3]; /* more: output_padding */
    bool ceil;
    const char *missing; /* if there is no desc: what to give, for the message */
    nn__problem wrong;   /* the first number of the desc that is not legal */
} nn__volume;

/* Fills in to[0] (depth), to[1] and to[2] from a field of the desc; what is wrong becomes
   v->wrong. */
NN_PRIVATE void nn__volume_triple(nn__volume *v, const char *field, nn__per_axis kind, int all,
                                  int d, int h, int w, int *to);
#define NN__VOLUME_TRIPLE(v, desc, field, kind, to)                                                \
    nn__volume_triple(v, #field, kind, (desc)->field, (desc)->field##_d, (desc)->field##_h,        \
                      (desc)->field##_w, to)
/* Writes "padding" into text if the three numbers are the same, else "padding_d" and so on;
   returns text. */
NN_PRIVATE const char *nn__volume_field(char *text, const char *field, const int *numbers,
                                        int axis);
/* Checks that there was a desc, that its numbers are legal, and that x is (N, C, D, H, W) f32
   with no symbolic extent but the first. which: index of the input. */
NN_PRIVATE bool nn__volume_check(const nn__inference *inference, int which, const nn__volume *v);
/* Returns the output extent of windows over `extent` along an axis; 0 and a problem if there is
   none. */
NN_PRIVATE int32_t nn__volume_windows(nn__inference *inference, const nn__volume *v, int axis,
                                      int32_t extent);
/* True if a * b fits into an extent; else reports that there are too many `what`. */
NN_PRIVATE bool nn__volume_fits(const nn__inference *inference, const char *what, int64_t a,
                                int64_t b);
/* Reshapes x to the first `rank` extents. NULL and poisoned nodes pass through. */
NN_PRIVATE nn_node *nn__volume_see(nn_site site, nn_model *net, nn_node *x, int rank, int32_t a,
                                   int32_t b, int32_t c, int32_t d, int32_t e, int32_t f);
