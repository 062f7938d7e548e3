/* ops/normalize.c - divides vectors by their norm, which is clamped to an epsilon. */
#include "ops/normalize.h"
#include "ops/private.h"
#include "ops/table.h"

NN_API nn_node *nn_normalize_at(nn_site site, nn_model *net, nn_node *x, int axis) {
    const float least = 1e-12f; /* PyTorch's eps */
    nn_axes axes;
    memset(&axes, 0, sizeof axes);
    axes.count = 1;
    axes.axis[0] = axis;
    nn_node *length = nn_reduce_at(site, net, NN_NORM, x, axes, true);
    if (!length || length->poisoned) return length; /* already reported */
    return nn_divide_at(site, net, x, nn_clamp_min_at(site, net, length, least));
}
