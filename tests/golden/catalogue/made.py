"""Golden values of what names.txt says is made of other operations: each recipe, as a reader would write it, against PyTorch's
function of that name."""
from common import *

case("bilinear", [s(3, 4), s(3, 2)], lambda a, b, w: F.bilinear(a, b, w),
     """nn_node *w = nn_parameter(net, "w", NN_SHAPE(5, 4, 2), -1.0f, 1.0f);
     nn_node *y = nn_einsum(net, "na,oab->nob", NN_NODES(in[0], w));
     out[0] = nn_sum(net, nn_multiply(net, y, nn_reshape(net, in[1], NN_SHAPE(3, 1, 2))), NN_AXES(2));""", parameters={"w": s(5, 4, 2)})
for name, module, call in [("lstm", torch.nn.LSTMCell(3, 4), lambda m, x: m(x)[0]), ("gru", torch.nn.GRUCell(3, 4), lambda m, x: m(x)),
                           ("rnn", torch.nn.RNNCell(3, 4), lambda m, x: m(x))]:
    # the parameters of a cell have the names without _l0
    case(name + "_cell", [s(2, 3)] , lambda x, wi, wh, bi, bh, m=module, c=call: torch.func.functional_call(
        copy.deepcopy(m).to(x.dtype), {"weight_ih": wi, "weight_hh": wh, "bias_ih": bi, "bias_hh": bh}, (x,))[0] if m._get_name() == "LSTMCell"
        else torch.func.functional_call(copy.deepcopy(m).to(x.dtype), {"weight_ih": wi, "weight_hh": wh, "bias_ih": bi, "bias_hh": bh}, (x,)),
         'nn_node *y = nn_%s(net, "r", nn_reshape(net, in[0], NN_SHAPE(2, 1, 3)), &(nn_%s_desc){.hidden_size = 4}); '
         "out[0] = nn_reshape(net, y, NN_SHAPE(2, 4));" % (name, name),
         parameters={"r." + key: w(*own.shape) for key, own in zip(["weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"],
                                                                   module.parameters())})
case("linear_cross_entropy", [s(3, 4), i(5, 3)], lambda x, t, w: F.cross_entropy(F.linear(x, w), t),
     'out[0] = nn_cross_entropy(net, nn_linear(net, "fc", in[0], &(nn_linear_desc){.out_features = 5, .no_bias = true}), in[1], NULL);',
     parameters={"fc.weight": w(5, 4)})


def attention(prefix, x, width, heads, rows):
    """C for multi-head attention of x (1, rows, width) with itself, its parameters under PyTorch's names."""
    return """
    nn_node *in_w = nn_parameter(net, "%(p)sin_proj_weight", NN_SHAPE(%(w3)d, %(w)d), 0, 0);
    nn_node *in_b = nn_parameter(net, "%(p)sin_proj_bias", NN_SHAPE(%(w3)d), 0, 0);
    nn_node *qkv = nn_add(net, nn_matmul(net, %(x)s, in_w, &(nn_matmul_desc){.transpose_b = true}), in_b);
    nn_node *part[3], *score, *mixed;
    nn_chunk(net, qkv, part, 3, 2);
    for (int k = 0; k < 3; k++) {
        part[k] = nn_transpose(net, nn_reshape(net, part[k], NN_SHAPE(1, %(r)d, %(h)d, %(d)d)), 1, 2);
    }
    score = nn_matmul(net, part[0], part[1], &(nn_matmul_desc){.transpose_b = true});
    score = nn_softmax(net, nn_scale(net, score, %(scale).9gf));
    mixed = nn_transpose(net, nn_matmul(net, score, part[2], NULL), 1, 2);
    mixed = nn_linear(net, "%(p)sout_proj", nn_reshape(net, mixed, NN_SHAPE(1, %(r)d, %(w)d)), &(nn_linear_desc){.out_features = %(w)d});
    """ % dict(p=prefix, x=x, w=width, w3=3 * width, h=heads, d=width // heads, r=rows, scale=(width // heads) ** -0.5)


case("multihead_attention", [s(1, 3, 4)], None, attention("a.", "in[0]", 4, 2, 3) + "out[0] = mixed;",
     module=torch.nn.MultiheadAttention(4, 2, batch_first=True), prefix="a", call=lambda m, x: m(x, x, x, need_weights=False)[0])
case("transformer_encoder_layer", [s(1, 3, 4)], None, attention("t.self_attn.", "in[0]", 4, 2, 3) +
     """
     nn_node *y = nn_layer_norm(net, "t.norm1", nn_add(net, in[0], mixed), NULL);
     nn_node *wide = nn_relu(net, nn_linear(net, "t.linear1", y, &(nn_linear_desc){.out_features = 6}));
     wide = nn_linear(net, "t.linear2", wide, &(nn_linear_desc){.out_features = 4});
     out[0] = nn_layer_norm(net, "t.norm2", nn_add(net, y, wide), NULL);
     """, module=torch.nn.TransformerEncoderLayer(4, 2, 6, 0.0, batch_first=True), prefix="t", train=True)
case("scaled_dot_product_attention_causal", [s(2, 3, 4), s(2, 3, 4), s(2, 3, 4)],
     lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
     """nn_node *score = nn_scale(net, nn_matmul(net, in[0], in[1], &(nn_matmul_desc){.transpose_b = true}), 0.5f);
     nn_node *ones = nn_expression(net, "x: x == x", score);
     score = nn_masked_fill(net, score, nn_triu(net, ones, 1), -INFINITY);
     out[0] = nn_matmul(net, nn_softmax(net, score), in[2], NULL);""")
case("rrelu_eval", [s(3, 4)], lambda x: F.rrelu(x, 0.125, 0.375, False), "nn_leaky_relu(net, in[0], 0.25f)")
case("rrelu_of_given_slopes", [s(3, 4), fixed(o(3, 4))], lambda x, u: torch.where(x >= 0, x, x * (0.125 + u * 0.25)),
     'nn_expression(net, "x, u: x >= 0 ? x : x * (0.125 + u * 0.25)", in[0], in[1])')
case("triplet_margin_with_distance", [s(3, 4), s(3, 4), s(3, 4)],
     lambda a, p_, n: F.triplet_margin_with_distance_loss(a, p_, n, distance_function=lambda x, y: 1 - F.cosine_similarity(x, y), margin=0.5),
     """nn_node *p = nn_cosine_similarity(net, in[0], in[1], 1), *n = nn_cosine_similarity(net, in[0], in[2], 1);
     out[0] = nn_mean(net, nn_expression(net, "p, n: max(n - p + 0.5, 0)", p, n));""")
TAPS = fixed(literal([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0], (4, 1, 2, 2)))
case("unfold", [s(1, 2, 4, 3), TAPS], lambda x, taps: F.unfold(x, (2, 2), padding=(1, 0)),
     """nn_node *y = nn_repeat(net, in[1], NN_SHAPE(2, 1, 1, 1));
     y = nn_conv2d_with(net, in[0], y, NULL, &(nn_conv2d_desc){.groups = 2, .padding = 1, .padding_w = NN_NONE});
     out[0] = nn_reshape(net, y, NN_SHAPE(1, 8, 10));""")
case("fold", [s(1, 8, 6), TAPS], lambda x, taps: F.fold(x, (3, 4), (2, 2)),
     """nn_node *w = in[1], *y = nn_reshape(net, in[0], NN_SHAPE(1, 8, 2, 3));
     out[0] = nn_conv_transpose2d_with(net, y, nn_repeat(net, w, NN_SHAPE(2, 1, 1, 1)), NULL, &(nn_conv_transpose2d_desc){.groups = 2});""")
case("conv_tbc", [s(5, 2, 3), s(2, 3, 4)], lambda x, w: torch.conv_tbc(x, w, torch.zeros(4, dtype=x.dtype), 1),
     """nn_node *x = nn_reshape(net, nn_permute(net, in[0], NN_AXES(1, 2, 0)), NN_SHAPE(2, 3, 1, 5));
     nn_node *w = nn_reshape(net, nn_permute(net, in[1], NN_AXES(2, 1, 0)), NN_SHAPE(4, 3, 1, 2));
     nn_node *y = nn_conv2d_with(net, x, w, NULL, &(nn_conv2d_desc){.padding_w = 1});
     out[0] = nn_permute(net, nn_reshape(net, y, NN_SHAPE(2, 4, 6)), NN_AXES(2, 0, 1));""")
case("pdist", [s(4, 3), literal([1, 2, 3, 6, 7, 11])], lambda x, above: F.pdist(x),
     """nn_node *far = nn_reshape(net, nn_cdist(net, in[0], in[0], 2), NN_SHAPE(16));
     out[0] = nn_index_select(net, far, 0, in[1]);""")
case("upsampling_bilinear2d", [s(1, 2, 2, 3)], torch.nn.UpsamplingBilinear2d(scale_factor=2),
     "nn_resize(net, in[0], &(nn_resize_desc){.scale_factor = 2, .mode = NN_RESIZE_LINEAR, .align_corners = true})")
write(__file__, sparse=24)
