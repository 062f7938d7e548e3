/* ops/einsum.h - sums of products whose axes have letters. */
#pragma once

#include "graph/model.h"
#include "ops/arrange.h"

/* torch.einsum: nn_einsum(net, "bij,bjk->bik", NN_NODES(a, b)). Each input has one letter, a to z
   or A to Z, for each of its axes, and a letter stands for one extent, which may be free. The
   result has the axes behind the arrow; what is not named there is summed. Without an arrow it has
   the letters that come once, in the order of the alphabet (capital ones first). 1 to 8 inputs,
   f32; they are multiplied from the first to the last: permutations, reshapes, sums, and batched
   products of matrices. "..." stands for the other axes of an input, aligned at their last; in the
   result, which begins with them where there is no arrow, for those of all. A letter that comes
   twice in one input is its diagonal: "ii" the trace; its extents are numbers. An extent of 1 is
   stretched where the letter, or an axis of "...", is another one elsewhere. */
NN_API nn_node *nn_einsum_at(nn_site site, nn_model *net, const char *text, nn_nodes inputs);
#define nn_einsum(...) nn_einsum_at(NN_HERE, __VA_ARGS__)
