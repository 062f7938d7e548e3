"""Golden values of the recipes in names.txt, which build a function from other operations: each
recipe, written as a user would, against PyTorch's function of that name."""
from common import *

case("linear_cross_entropy", [s(3, 4), i(5, 3)], lambda x, t, w: F.cross_entropy(F.linear(x, w), t),
     'out[0] = nn_cross_entropy(net, nn_linear(net, "fc", in[0], &(nn_linear_desc){.out_features = 5, .no_bias = true}), in[1], NULL);',
     parameters={"fc.weight": w(5, 4)})


def attention(prefix, x, width, heads, rows):
    """Returns C for multi-head attention of x (1, rows, width) with itself. Parameters have PyTorch's names."""
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
case("rrelu_eval", [s(3, 4)], lambda x: F.rrelu(x, 0.125, 0.375, False), "nn_leaky_relu(net, in[0], &(nn_leaky_relu_desc){.negative_slope = 0.25f})")
case("rrelu_of_given_slopes", [s(3, 4), fixed(o(3, 4))], lambda x, u: torch.where(x >= 0, x, x * (0.125 + u * 0.25)),
     'nn_expression(net, "x, u: x >= 0 ? x : x * (0.125 + u * 0.25)", in[0], in[1])')
case("conv_tbc", [s(5, 2, 3), s(2, 3, 4)], lambda x, w: torch.conv_tbc(x, w, torch.zeros(4, dtype=x.dtype), 1),
     """nn_node *x = nn_reshape(net, nn_permute(net, in[0], NN_AXES(1, 2, 0)), NN_SHAPE(2, 3, 1, 5));
     nn_node *w = nn_reshape(net, nn_permute(net, in[1], NN_AXES(2, 1, 0)), NN_SHAPE(4, 3, 1, 2));
     nn_node *y = nn_functional_conv2d(net, x, w, NULL, &(nn_conv2d_desc){.padding_w = 1});
     out[0] = nn_permute(net, nn_reshape(net, y, NN_SHAPE(2, 4, 6)), NN_AXES(2, 0, 1));""")
case("upsampling_bilinear2d", [s(1, 2, 2, 3)], torch.nn.UpsamplingBilinear2d(scale_factor=2),
     "nn_resize(net, in[0], &(nn_resize_desc){.scale_factor = 2, .mode = NN_RESIZE_LINEAR, .align_corners = true})")
write(__file__, sparse=24)
