"""Recurrent layers: lstm, gru, rnn with layers, both directions, initial states, projections, lengths."""
from common import *
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def outputs(got):
    """Returns the result of a module as y, h_n and c_n."""
    y, states = got
    return [y, *(states if isinstance(states, tuple) else (states,))]


def plain(m, x, *states):
    """Runs a module on x and the initial states, if there are any."""
    if not states:
        return outputs(m(x))
    return outputs(m(x, tuple(states) if isinstance(m, torch.nn.LSTM) else states[0]))


def packed(m, x, lengths, *states):
    """Rows of length 0 are left out of the pack, because PyTorch refuses them. Their states do not
    change."""
    width = x.shape[1]
    some = [n for n in range(len(lengths)) if lengths[n] > 0]
    lstm = isinstance(m, torch.nn.LSTM)
    depth = m.num_layers * (2 if m.bidirectional else 1)
    if not states:
        states = [x.new_zeros(depth, len(lengths), m.proj_size or m.hidden_size)]
        states += [x.new_zeros(depth, len(lengths), m.hidden_size)] if lstm else []
    given = [state[:, some] for state in states]
    pack = pack_padded_sequence(x[some], lengths[some], batch_first=True, enforce_sorted=False)
    y, last = m(pack, tuple(given) if lstm else given[0])
    y, _ = pad_packed_sequence(y, batch_first=True, total_length=width)
    whole = x.new_zeros(len(lengths), *y.shape[1:]).index_copy(0, torch.tensor(some), y)
    last = last if lstm else (last,)
    return [whole] + [state.index_copy(1, torch.tensor(some), one) for state, one in zip(states, last)]


def recurrent(name, inputs, module, c, call=plain):
    count = 3 if isinstance(module, torch.nn.LSTM) else 2
    c = "out[0] = %s; " % c + " ".join("out[%d] = nn_output(out[0], %d);" % (k, k) for k in range(1, count))
    case(name, inputs, None, c, module=module, prefix="r", call=call)


def layer(kind, numbers):
    return 'nn_%s(net, "r", in[0], &(nn_%s_desc){%s})' % (kind, kind, numbers)


LSTM, GRU, RNN = torch.nn.LSTM, torch.nn.GRU, torch.nn.RNN
TWO = ".hidden_size = 2, .layers = 2, .bidirectional = true"
# gates i f g o, two biases (ONNX and Keras have other orders: CrispASR#106)
recurrent("lstm", [s(2, 3, 4)], LSTM(4, 5, batch_first=True), layer("lstm", ".hidden_size = 5"))
recurrent("lstm_free", [s(BATCH(3), TIME(4), 2)], LSTM(2, 3, batch_first=True), layer("lstm", ".hidden_size = 3"))
recurrent("lstm_no_bias", [s(3, 2, 2)], LSTM(2, 3, bias=False, batch_first=True),
          layer("lstm", ".hidden_size = 3, .no_bias = true"))
recurrent("lstm_bidirectional", [s(2, 3, 2)], LSTM(2, 3, bidirectional=True, batch_first=True),
          layer("lstm", ".hidden_size = 3, .bidirectional = true"))
recurrent("lstm_layers", [s(2, 3, 3)], LSTM(3, 2, num_layers=2, bidirectional=True, batch_first=True), layer("lstm", TWO))
recurrent("lstm_states", [s(2, 2, 3), s(4, 2, 2), s(4, 2, 2)],
          LSTM(3, 2, num_layers=2, bidirectional=True, batch_first=True),
          layer("lstm", TWO + ", .h_0 = in[1], .c_0 = in[2]"))
recurrent("lstm_projected", [s(3, 3, 2), s(1, 3, 2), s(1, 3, 4)], LSTM(2, 4, proj_size=2, batch_first=True),
          layer("lstm", ".hidden_size = 4, .proj_size = 2, .h_0 = in[1], .c_0 = in[2]"))
recurrent("lstm_projected_layers", [s(2, 2, 2)], LSTM(2, 3, num_layers=2, bidirectional=True, proj_size=1, batch_first=True),
          layer("lstm", ".hidden_size = 3, .layers = 2, .bidirectional = true, .proj_size = 1"))
# lengths 0, 1, some, all: later rows are 0, h_n is the state of the last valid step, and the
# reverse direction begins there
recurrent("lstm_lengths", [s(4, 3, 2), literal([3, 1, 2, 0])], LSTM(2, 3, bidirectional=True, batch_first=True),
          layer("lstm", ".hidden_size = 3, .bidirectional = true, .lengths = in[1]"), packed)
recurrent("lstm_lengths_states", [s(3, 3, 2), literal([2, 0, 3]), s(4, 3, 2), s(4, 3, 2)],
          LSTM(2, 2, num_layers=2, bidirectional=True, batch_first=True),
          layer("lstm", TWO + ", .lengths = in[1], .h_0 = in[2], .c_0 = in[3]"), packed)
recurrent("lstm_lengths_free", [s(BATCH(3), TIME(4), 2), literal([4, 1, 3], (BATCH(3),))],
          LSTM(2, 2, num_layers=2, bidirectional=True, batch_first=True), layer("lstm", TWO + ", .lengths = in[1]"), packed)
# numbers after the last valid step, even NaN, affect no gradient
recurrent("lstm_lengths_nan", [literal([1, 2, NAN, NAN, 0.5, -1, 2, 1, INF, NAN, NAN, 0], (2, 3, 2)), literal([1, 2])],
          LSTM(2, 2, bidirectional=True, batch_first=True),
          layer("lstm", ".hidden_size = 2, .bidirectional = true, .lengths = in[1]"), packed)
recurrent("lstm_nan", [literal([1, 2, 3, NAN, 0.5, -1, 2, 1], (2, 2, 2))], LSTM(2, 2, batch_first=True),
          layer("lstm", ".hidden_size = 2"))
recurrent("lstm_one", [s(1, 1, 1)], LSTM(1, 1, batch_first=True), layer("lstm", ".hidden_size = 1"))
recurrent("lstm_far", [f(2, 3, 2)], LSTM(2, 3, batch_first=True), layer("lstm", ".hidden_size = 3"))
# gates r z n, b_hn inside of the product with r: ONNX's linear_before_reset=1, not its default (onnxscript#2852)
recurrent("gru", [s(2, 3, 4)], GRU(4, 5, batch_first=True), layer("gru", ".hidden_size = 5"))
recurrent("gru_no_bias", [s(3, 2, 2), s(1, 3, 3)], GRU(2, 3, bias=False, batch_first=True),
          layer("gru", ".hidden_size = 3, .no_bias = true, .h_0 = in[1]"))
recurrent("gru_layers", [s(2, 3, 3), s(4, 2, 2)], GRU(3, 2, num_layers=2, bidirectional=True, batch_first=True),
          layer("gru", TWO + ", .h_0 = in[1]"))
recurrent("gru_lengths", [s(4, 3, 2), literal([2, 3, 0, 1])], GRU(2, 2, num_layers=2, bidirectional=True, batch_first=True),
          layer("gru", TWO + ", .lengths = in[1]"), packed)
recurrent("rnn", [s(2, 3, 4)], RNN(4, 5, batch_first=True), layer("rnn", ".hidden_size = 5"))
recurrent("rnn_relu", [s(2, 4, 2), s(1, 2, 3)], RNN(2, 3, nonlinearity="relu", batch_first=True),
          layer("rnn", ".hidden_size = 3, .nonlinearity = NN_ACTIVATION_RELU, .h_0 = in[1]"))
recurrent("rnn_layers", [s(3, 3, 2), literal([3, 1, 2])], RNN(2, 2, num_layers=2, bidirectional=True, batch_first=True),
          layer("rnn", TWO + ", .lengths = in[1]"), packed)
recurrent("rnn_free", [s(BATCH(2), 3, 2)], RNN(2, 3, bias=False, batch_first=True),
          layer("rnn", ".hidden_size = 3, .no_bias = true"))
write(__file__, sparse=6)
