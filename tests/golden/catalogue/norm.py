"""Normalisation: layer, RMS, group, instance and batch norms, with the running statistics after a step; local response
norm; weight standardisation, made of other operations."""
from common import *


def running(module, n):
    """Gives a module running statistics that are neither 0 nor 1."""
    module.running_mean.copy_(torch.arange(n) * 0.375 - 0.5)
    module.running_var.copy_(torch.arange(n) * 0.5 + 0.25)
    module.num_batches_tracked.fill_(3)
    return module


LN, RMS, GN, IN = torch.nn.LayerNorm, torch.nn.RMSNorm, torch.nn.GroupNorm, torch.nn.InstanceNorm2d
BN1, BN2 = torch.nn.BatchNorm1d, torch.nn.BatchNorm2d


def layer(name, inputs, module, call):
    case(name, inputs, None, call, module=module, prefix="n")


layer("layer_norm", [s(3, 2, 9)], LN(9), 'nn_layer_norm(net, "n", in[0], NULL)')
layer("layer_norm_free", [s(BATCH(3), TIME(2), 9)], LN(9), 'nn_layer_norm(net, "n", in[0], NULL)')
layer("layer_norm_two_extents", [s(3, 2, 5)], LN((2, 5), eps=0.5),
      'nn_layer_norm(net, "n", in[0], &(nn_layer_norm_desc){.normalized_shape = NN_SHAPE(2, 5), .epsilon = 0.5f})')
layer("layer_norm_no_bias", [s(4, 7)], LN(7, bias=False), 'nn_layer_norm(net, "n", in[0], &(nn_layer_norm_desc){.no_bias = true})')
layer("layer_norm_plain", [s(4, 7)], LN(7, elementwise_affine=False),
      'nn_layer_norm(net, "n", in[0], &(nn_layer_norm_desc){.no_affine = true})')
layer("layer_norm_one", [s(4, 1)], LN(1), 'nn_layer_norm(net, "n", in[0], NULL)')
layer("layer_norm_constant", [literal([1.5] * 8, (2, 4))], LN(4), 'nn_layer_norm(net, "n", in[0], NULL)')
layer("layer_norm_nan", [literal([1, NAN, 2, 3, INF, 1, 2, 3, 1, 2, 3, 5], (3, 4))], LN(4), 'nn_layer_norm(net, "n", in[0], NULL)')
layer("layer_norm_far", [f(2, 33)], LN(33), 'nn_layer_norm(net, "n", in[0], NULL)')
layer("rms_norm", [s(3, 2, 9)], RMS(9), 'nn_rms_norm(net, "n", in[0], NULL)')
layer("rms_norm_tiny", [literal([0, 0, 0, 1e-5, -2e-5, 0, 1e-30, 0], (2, 4))], RMS(4), 'nn_rms_norm(net, "n", in[0], NULL)')
layer("rms_norm_epsilon", [s(3, 2, 5)], RMS((2, 5), eps=1e-5, elementwise_affine=False),
      'nn_rms_norm(net, "n", in[0], &(nn_rms_norm_desc){.normalized_shape = NN_SHAPE(2, 5), .epsilon = 1e-5f, .no_affine = true})')
layer("group_norm", [s(3, 6, 2, 3)], GN(2, 6), 'nn_group_norm(net, "n", in[0], &(nn_group_norm_desc){.num_groups = 2})')
layer("group_norm_all", [s(BATCH(2), 4, 5)], GN(1, 4, eps=0.25),
      'nn_group_norm(net, "n", in[0], &(nn_group_norm_desc){.num_groups = 1, .epsilon = 0.25f})')
layer("group_norm_flat", [s(3, 6)], GN(2, 6), 'nn_group_norm(net, "n", in[0], &(nn_group_norm_desc){.num_groups = 2})')
layer("group_norm_plain", [s(2, 4, 3)], GN(2, 4, affine=False),
      'nn_group_norm(net, "n", in[0], &(nn_group_norm_desc){.num_groups = 2, .no_affine = true})')
layer("instance_norm", [s(2, 3, 4, 2)], IN(3), 'nn_instance_norm(net, "n", in[0], NULL)')
layer("instance_norm_affine", [s(2, 3, 7)], torch.nn.InstanceNorm1d(3, affine=True),
      'nn_instance_norm(net, "n", in[0], &(nn_instance_norm_desc){.affine = true})')
for mode in True, False:
    case("instance_norm_tracked" + ("" if mode else "_eval"), [s(2, 3, 4, 2)], None,
         'nn_instance_norm(net, "n", in[0], &(nn_instance_norm_desc){.affine = true, .track_running_stats = true})',
         module=running(IN(3, affine=True, track_running_stats=True), 3), prefix="n", train=mode)

batch = [  # columns: name, input, module, C
    ("batch_norm1d", s(5, 3), BN1(3), 'nn_batch_norm1d(net, "n", in[0], NULL)'),
    ("batch_norm1d_wide", s(4, 70), BN1(70), 'nn_batch_norm1d(net, "n", in[0], NULL)'),
    ("batch_norm1d_time", s(2, 3, 5), BN1(3), 'nn_batch_norm1d(net, "n", in[0], NULL)'),
    ("batch_norm2d", s(4, 3, 2, 3), BN2(3), 'nn_batch_norm2d(net, "n", in[0], NULL)'),
    ("batch_norm2d_free", s(BATCH(4), 3, 2, 3), BN2(3), 'nn_batch_norm2d(net, "n", in[0], NULL)'),
    ("batch_norm2d_numbers", s(4, 3, 2, 3), BN2(3, eps=0.125, momentum=0.75),
     'nn_batch_norm2d(net, "n", in[0], &(nn_batch_norm_desc){.epsilon = 0.125f, .momentum = 0.75f})'),
    ("batch_norm2d_cumulative", s(4, 3, 2, 3), BN2(3, momentum=None),
     'nn_batch_norm2d(net, "n", in[0], &(nn_batch_norm_desc){.cumulative = true})'),
    ("batch_norm2d_plain", s(4, 3, 2, 3), BN2(3, affine=False),
     'nn_batch_norm2d(net, "n", in[0], &(nn_batch_norm_desc){.no_affine = true})'),
]
for name, x, module, call in batch:
    n = module.num_features
    case(name, [x], None, call, module=running(module, n), prefix="n", train=True)
    case(name + "_eval", [x], None, call, module=running(copy.deepcopy(module), n), prefix="n", train=False)
case("batch_norm2d_eval_of_one", [s(1, 3, 1, 1)], None, 'nn_batch_norm2d(net, "n", in[0], NULL)', module=running(BN2(3), 3), prefix="n",
     train=False)
layer("batch_norm2d_untracked", [s(4, 3, 2, 3)], BN2(3, track_running_stats=False),
      'nn_batch_norm2d(net, "n", in[0], &(nn_batch_norm_desc){.no_running_stats = true})')
# frozen: the layer alone in eval() while the rest trains
case("batch_norm2d_frozen", [s(4, 3, 2, 3)], None, 'nn_batch_norm2d(net, "n", in[0], &(nn_batch_norm_desc){.frozen = true})',
     module=running(BN2(3), 3), prefix="n", train=True, call=lambda m, x: m.eval()(x))

LRN = "nn_local_response_norm(net, in[0], &(nn_local_response_norm_desc){%s})"
case("local_response_norm", [s(BATCH(2), 7, 3, 2)], lambda x: F.local_response_norm(x, 5), LRN % ".size = 5")
case("local_response_norm_numbers", [s(2, 4, 5)], lambda x: F.local_response_norm(x, 4, alpha=0.5, beta=1.25, k=2.0),
     LRN % ".size = 4, .alpha = 0.5f, .beta = 1.25f, .k = 2.0f")
case("local_response_norm_one", [s(2, 4, 5)], lambda x: F.local_response_norm(x, 1, alpha=1.0, beta=0.5), LRN % ".size = 1, .alpha = 1.0f, .beta = 0.5f")


def standardised(x, w):
    """Describes weight standardisation (Qiao et al., 2019): the weights of each output have mean 0 and variance 1."""
    return F.linear(x, (w - w.mean(1, keepdim=True)) / torch.sqrt(w.var(1, correction=0, keepdim=True) + 1e-5))


case("weight_standardisation", [s(5, 7)], standardised,
     """
     nn_node *w = nn_parameter(net, "w", NN_SHAPE(3, 7), -1.0f, 1.0f);
     nn_node *plain = nn_layer_norm(net, "ws", w, &(nn_layer_norm_desc){.no_affine = true});
     out[0] = nn_matmul(net, in[0], plain, &(nn_matmul_desc){.transpose_b = true});
     """, parameters={"w": s(3, 7)})
write(__file__)
