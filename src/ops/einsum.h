/* ops/einsum.h - sums of products in Einstein's notation. */
#pragma once

#include "graph/model.h"
#include "ops/arrange.h"

/* torch.einsum: nn_einsum(net, "bij,bjk->bik", NN_NODES(a, b)). Each axis of an input has a letter,
   a to z or A to Z. A letter stands for one extent, which may be symbolic. The result has the axes
   after the arrow; all other letters are summed. Without an arrow, the result has the letters that
   occur once, in alphabetical order (capitals first). In an input, "..." stands for the other axes,
   aligned at the last one. In the result it stands for those axes of all inputs; without an arrow
   the result begins with them. A letter that occurs twice in one input takes its diagonal ("ii" is
   the trace); its extents must be numbers. An extent of 1 broadcasts. 1 to 8 inputs, f32, are
   multiplied from first to last with permutations, reshapes, sums and batched matrix products. */
NN_API nn_node *nn_einsum_at(nn_site site, nn_model *net, const char *text, nn_nodes inputs);
#define nn_einsum(...) nn_einsum_at(NN_HERE, __VA_ARGS__)
