/* ops/volume_private.h - what convolutions and pools of volumes share: windows with three sides,
   and the ways to see a volume as pictures. */
#pragma once

#include "ops/arrange.h"
#include "ops/conv3d.h"
#include "ops/pool3d.h"
#include "ops/private.h"

/* Every default filled in; 0 is the depth, 1 the height, 2 the width. */
typedef struct nn__volume {
    int kernel[3], stride[3], padding[3], dilation[3], more[3]; /* more: output_padding */
    bool ceil;
    const char *missing; /* no desc: what to give */
} nn__volume;

/* first, and for height and width what is given for them (0: the one before; NN_NONE: 0). */
NN_PRIVATE void nn__volume_triple(int *to, int first, int h, int w, int usual);
/* A stride that is not given is `usual` of its axis. */
NN_PRIVATE void nn__volume_strides(nn__volume *v, int stride, int h, int w, const int *usual);
/* "padding", "padding_h" or "padding_w" into text; returns it. */
enum { NN__VOLUME_FIELD = 32 };
NN_PRIVATE const char *nn__volume_field(char *text, const char *field, int axis);
/* x is (N, C, D, H, W) of f32 with known extents but the first, there was a desc, and its numbers
   are in order. role: of the input. */
NN_PRIVATE bool nn__volume_check(const nn__inference *inference, int which, const nn__volume *v);
/* The extent that windows leave of `extent` along an axis, or 0 and a problem. */
NN_PRIVATE int32_t nn__volume_windows(nn__inference *inference, const nn__volume *v, int axis,
                                      int32_t extent);
/* Is a times b an extent? Else a problem: `what` are more than one holds. */
NN_PRIVATE bool nn__volume_fits(const nn__inference *inference, const char *what, int64_t a,
                                int64_t b);
/* x under another shape; NULL and poisoned nodes pass. */
NN_PRIVATE nn_node *nn__volume_see(nn_site site, nn_model *net, nn_node *x, int rank, int32_t a,
                                   int32_t b, int32_t c, int32_t d, int32_t e, int32_t f);
