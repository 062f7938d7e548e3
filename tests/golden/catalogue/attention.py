"""Attention: every mask, grouped heads, queries and keys of different lengths, rows that are masked completely."""
from common import *


def attend(q, k, v, mask=None, causal=False, lower_right=False, lengths=None, positions=None, window=0, alibi=False, scale=None, inside=False):
    """Computes nn_scaled_dot_product_attention with PyTorch's functions. Rows without a key are
    0."""
    if inside:
        q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    L, S, H, group = q.shape[2], k.shape[2], q.shape[1], q.shape[1] // k.shape[1]
    k, v = (x.repeat_interleave(group, 1) for x in (k, v))
    at = torch.arange(L).reshape(1, 1, L, 1) + (S - L if lower_right else 0)
    if positions is not None:
        at = at + positions.reshape(-1, 1, 1, 1)
    j = torch.arange(S).reshape(1, 1, 1, S)
    takes = torch.ones(q.shape[0], H, L, S, dtype=torch.bool)
    if causal:
        takes &= j <= at
    if window:
        takes &= (at - j).abs() < window
    if lengths is not None:
        takes &= j < lengths.reshape(-1, 1, 1, 1)
    scores = q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if alibi:
        power = 2 ** int(math.log2(H))
        slopes = [2 ** (-8 * (h + 1) / power) if h < power else 2 ** (-4 * (2 * (h - power) + 1) / power) for h in range(H)]
        scores = scores - torch.tensor(slopes, dtype=q.dtype).reshape(1, H, 1, 1) * (at - j).abs()
    if mask is not None and mask.dtype.is_floating_point:
        takes &= mask != -INF
        scores = scores + mask.masked_fill(mask == -INF, 0)
    elif mask is not None:
        takes &= mask != 0
    some = takes.any(-1, keepdim=True)
    weights = scores.masked_fill(~takes & some, -INF).softmax(-1).masked_fill(~some, 0)
    y = weights @ v
    return y.transpose(1, 2) if inside else y


NAME = "nn_scaled_dot_product_attention"


def attention(name, q, k, v, numbers, function, more=()):
    c = "%s(net, in[0], in[1], in[2], &(%s_desc){%s})" % (NAME, NAME, numbers)
    case(name, [q, k, v] + [fixed(x) for x in more], function, c)


sdpa = F.scaled_dot_product_attention
case("plain", [s(2, 3, 5, 4), s(2, 3, 7, 4), s(2, 3, 7, 6)], sdpa, NAME + "(net, in[0], in[1], in[2], NULL)")
case("free", [s(BATCH(2), 2, TIME(5), 4)], lambda q: sdpa(q, q, q, is_causal=True),
     NAME + "(net, in[0], in[0], in[0], &(%s_desc){.is_causal = true})" % NAME)
attention("scale", s(1, 2, 3, 4), s(1, 2, 3, 4), s(1, 2, 3, 4), ".scale = 1.5f", lambda q, k, v: sdpa(q, k, v, scale=1.5))
# Where L is not S, the triangle begins at the upper left.
attention("causal", s(1, 2, 5, 4), s(1, 2, 7, 4), s(1, 2, 7, 3), ".is_causal = true", lambda q, k, v: sdpa(q, k, v, is_causal=True))
attention("causal_long", s(1, 2, 7, 4), s(1, 2, 5, 4), s(1, 2, 5, 3), ".is_causal = true", lambda q, k, v: sdpa(q, k, v, is_causal=True))
attention("causal_grouped", s(2, 4, 3, 2), s(2, 2, 3, 2), s(2, 2, 3, 2), ".is_causal = true",
          lambda q, k, v: sdpa(q, k, v, is_causal=True, enable_gqa=True))
attention("lower_right", s(1, 2, 3, 4), s(1, 2, 7, 4), s(1, 2, 7, 3), ".is_causal = true, .lower_right = true",
          lambda q, k, v: sdpa(q, k, v, attn_mask=torch.ones(3, 7, dtype=torch.bool).tril(4)))
attention("lower_right_whole_rows", s(1, 1, 6, 4), s(1, 1, 3, 4), s(1, 1, 3, 3), ".is_causal = true, .lower_right = true",
          lambda q, k, v: attend(q, k, v, causal=True, lower_right=True))
attention("mask", s(2, 2, 3, 4), s(2, 2, 5, 4), s(2, 2, 5, 3), ".attn_mask = in[3]", sdpa, [s(3, 5)])
attention("mask_heads", s(2, 2, 3, 4), s(2, 2, 5, 4), s(2, 2, 5, 3), ".attn_mask = in[3]", sdpa, [s(2, 1, 5)])
attention("mask_infinite", s(1, 1, 3, 4), s(1, 1, 4, 4), s(1, 1, 4, 3), ".attn_mask = in[3]", lambda q, k, v, m: attend(q, k, v, m),
          [literal([0, -INF, 1.0, -INF, -INF, -INF, -INF, -INF, 0.5, 0, 0, -INF], (3, 4))])
attention("lengths", s(3, 2, 4, 2), s(3, 2, 5, 2), s(3, 2, 5, 3), ".lengths = in[3]",
          lambda q, k, v, n: attend(q, k, v, lengths=n), [literal([5, 0, 2])])
attention("positions", s(2, 2, 2, 4), s(2, 1, 7, 4), s(2, 1, 7, 3), ".positions = in[3], .is_causal = true",
          lambda q, k, v, p: attend(q, k, v, positions=p, causal=True), [literal([5, 2])])
attention("window", s(1, 2, 7, 4), s(1, 2, 7, 4), s(1, 2, 7, 3), ".window = 3", lambda q, k, v: attend(q, k, v, window=3))
attention("window_causal", s(1, 2, 7, 4), s(1, 2, 7, 4), s(1, 2, 7, 3), ".window = 3, .is_causal = true",
          lambda q, k, v: attend(q, k, v, window=3, causal=True))
attention("alibi", s(1, 5, 4, 2), s(1, 5, 4, 2), s(1, 5, 4, 2), ".alibi = true, .is_causal = true",
          lambda q, k, v: attend(q, k, v, alibi=True, causal=True))
attention("heads_inside", s(2, 3, 4, 2), s(2, 5, 2, 2), s(2, 5, 2, 3), ".heads_inside = true, .is_causal = true",
          lambda q, k, v: attend(q, k, v, causal=True, inside=True))
case("one", [s(1, 1, 1, 1), s(1, 1, 1, 1), s(1, 1, 1, 1)], sdpa, NAME + "(net, in[0], in[1], in[2], NULL)")
case("nan", [literal([1, NAN, 0.5, 2], (1, 1, 2, 2)), s(1, 1, 3, 2), literal([1, 2, INF], (1, 1, 3, 1))], sdpa,
     NAME + "(net, in[0], in[1], in[2], NULL)", gradients=False)


def turned(x, at, width=0, base=10000.0, interleaved=False, inside=False, factor=1.0, original=0, low=1.0, high=4.0):
    """Rotates the rows of x by their positions. `at` (N, L) holds the positions."""
    width = width or x.shape[-1]
    f = base ** (-torch.arange(0, width, 2, dtype=x.dtype) / width)
    slow, turns = f / factor, original * f / (2 * math.pi)
    part = ((turns - low) / (high - low)).clamp(0, 1)
    f = (1 - part) * slow + part * f if original else slow
    angle = at.to(x.dtype).unsqueeze(-1) * f
    angle = angle.unsqueeze(2 if inside else 1)
    y, rest = x[..., :width], x[..., width:]
    a, b = (y[..., 0::2], y[..., 1::2]) if interleaved else y.chunk(2, -1)
    c, s = angle.cos(), angle.sin()
    y = (a * c - b * s, b * c + a * s)
    y = torch.stack(y, -1).flatten(-2) if interleaved else torch.cat(y, -1)
    return torch.cat([y, rest], -1)


def rotary(name, x, numbers, more=(), **options):
    length = x.shape[1 if options.get("inside") else 2]
    start = options.pop("start", 0)
    case("rotary" + name, [x] + [fixed(p) for p in more],
         lambda x, *p: turned(x, torch.arange(length).unsqueeze(0) + (p[0].unsqueeze(1) if p else start), **options),
         "nn_rotary_embedding(net, in[0], %s)" % ("&(nn_rotary_embedding_desc){%s}" % numbers if numbers else "NULL"))


rotary("", s(2, 2, 3, 4), "")
rotary("_interleaved", s(2, 2, 3, 4), ".interleaved = true, .offset = 5", interleaved=True, start=5)
rotary("_part", s(1, 2, 3, 7), ".rotary_dim = 4, .base = 100", width=4, base=100.0)
rotary("_inside", s(2, 3, 2, 4), ".heads_inside = true, .factor = 2", inside=True, factor=2.0)
rotary("_positions", s(2, 2, 3, 4), ".positions = in[1]", [literal([4, 0])])
rotary("_llama", s(1, 1, 3, 16), ".base = 500, .factor = 8, .original_max_position_embeddings = 64, .offset = 9",
       base=500.0, factor=8.0, original=64, start=9)
rotary("_ties", t(1, 2, 2, 4), "")
case("rotary_nan", [literal([NAN, 1.0, 0.5, 2.0, 1.0, INF, 0.5, 1.0], (1, 1, 2, 4))], lambda x: turned(x, torch.arange(2).unsqueeze(0)),
     "nn_rotary_embedding(net, in[0], NULL)", gradients=False)


def heads(name, inputs, module, c, call):
    case("multihead_" + name, inputs, None, 'nn_multihead_attention(net, "a", %s)' % c, module=module, prefix="a", call=call)


def encoder(name, inputs, module, numbers, call=lambda m, x: m(x)):
    case("encoder_" + name, inputs, None, 'nn_transformer_encoder_layer(net, "t", in[0], &(nn_transformer_encoder_layer_desc){%s})' % numbers,
         module=module, prefix="t", call=call, train=True)


MHA, DESC = torch.nn.MultiheadAttention, "&(nn_multihead_attention_desc){.num_heads = 2%s}"
heads("self", [s(2, 3, 4)], MHA(4, 2, batch_first=True), "in[0], NULL, NULL, " + DESC % "", lambda m, x: m(x, x, x, need_weights=False)[0])
heads("free", [s(BATCH(2), TIME(3), 4)], MHA(4, 2, batch_first=True, bias=False), "in[0], NULL, NULL, " + DESC % ", .no_bias = true",
      lambda m, x: m(x, x, x, need_weights=False)[0])
heads("cross", [s(1, 2, 4), s(1, 3, 6), s(1, 3, 2)], MHA(4, 2, kdim=6, vdim=2, batch_first=True), "in[0], in[1], in[2], " + DESC % "",
      lambda m, q, k, v: m(q, k, v, need_weights=False)[0])
heads("masks", [s(2, 3, 4), fixed(b(2, 3)), fixed(s(3, 3))], MHA(4, 2, batch_first=True),
      "in[0], NULL, NULL, " + DESC % ", .key_padding_mask = in[1], .attn_mask = in[2]",
      lambda m, x, p, a: m(x, x, x, key_padding_mask=torch.zeros_like(a[0]).masked_fill(p != 0, -INF), attn_mask=a, need_weights=False)[0])
ENCODER = torch.nn.TransformerEncoderLayer
encoder("post", [s(1, 3, 4)], ENCODER(4, 2, 6, 0.0, batch_first=True), ".nhead = 2, .dim_feedforward = 6, .dropout = NN_NONE")
encoder("pre", [s(1, 3, 4)], ENCODER(4, 2, 6, 0.0, activation="gelu", norm_first=True, layer_norm_eps=1e-3, batch_first=True),
        ".nhead = 2, .dim_feedforward = 6, .dropout = NN_NONE, .norm_first = true, .activation = NN_ACTIVATION_GELU, .layer_norm_eps = 1e-3f")
encoder("causal", [s(1, 3, 4)], ENCODER(4, 2, 6, 0.0, bias=False, batch_first=True),
        ".nhead = 2, .dim_feedforward = 6, .dropout = NN_NONE, .no_bias = true, .is_causal = true",
        lambda m, x: m(x, src_mask=torch.nn.Transformer.generate_square_subsequent_mask(3, dtype=x.dtype), is_causal=True))
write(__file__, sparse=6)
