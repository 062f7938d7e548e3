"""Language models of Hugging Face's transformers, for tests/language/test_models.c.

    python tests/golden/models.py               writes tests/golden/models.h: tiny models whose weights are given by a
                                                formula of name and position (value, below, as in test_models.c), and
                                                their results for fixed ids
    python tests/golden/models.py make FOLDER   larger ones with transformers' initial weights, saved by save_pretrained
                                                (some in several files), with logits, greedy texts, and parameters after
                                                ten steps of AdamW, in FOLDER/NAME/expected.safetensors
    python tests/golden/models.py read FOLDER   loads FOLDER/NAME/ours.safetensors, which nn_save_weights wrote, into
                                                transformers; exits with 1 if its logits are not those of expected.safetensors
    python tests/golden/models.py sentences MODEL FOLDER   embeddings of 200 sentences by a sentence encoder
"""
import os
import sys

import torch
import transformers
from transformers import AutoConfig, AutoModel, AutoModelForCausalLM

torch.set_num_threads(2)
transformers.logging.set_verbosity_error()
COMMON = dict(attn_pdrop=0.0, embd_pdrop=0.0, resid_pdrop=0.0)
LLAMA3 = dict(rope_type="llama3", rope_theta=500000.0, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=16)
LINEAR = dict(rope_type="linear", rope_theta=10000.0, factor=2.0)

# name: model_type, the tiny config, the changes of the larger one
CASES = {
    "gpt2": ("gpt2", dict(n_embd=16, n_head=4, n_layer=2, n_positions=32, **COMMON),
             dict(n_embd=64, n_layer=3, n_positions=64)),
    "gpt2_odd": ("gpt2", dict(n_embd=12, n_head=2, n_layer=2, n_positions=16, n_inner=20, activation_function="gelu",
                              scale_attn_by_inverse_layer_idx=True, scale_attn_weights=False, tie_word_embeddings=False,
                              layer_norm_epsilon=1e-3, **COMMON), dict(n_embd=48, n_positions=64)),
    "llama": ("llama", dict(hidden_size=16, num_attention_heads=4, num_key_value_heads=2, head_dim=6, intermediate_size=24,
                            num_hidden_layers=2, max_position_embeddings=64, rope_parameters=LLAMA3, attention_bias=True,
                            mlp_bias=True, rms_norm_eps=1e-5, tie_word_embeddings=False),
              dict(hidden_size=64, head_dim=16, intermediate_size=96, num_hidden_layers=3)),
    "llama_linear": ("llama", dict(hidden_size=16, num_attention_heads=2, num_key_value_heads=1, head_dim=8, hidden_act="gelu",
                                   intermediate_size=20, num_hidden_layers=1, max_position_embeddings=64,
                                   rope_parameters=LINEAR, tie_word_embeddings=True), dict(hidden_size=48)),
    "mistral": ("mistral", dict(hidden_size=16, num_attention_heads=4, num_key_value_heads=2, head_dim=4,
                                intermediate_size=20, num_hidden_layers=2, max_position_embeddings=64, sliding_window=3,
                                tie_word_embeddings=False), dict(hidden_size=64, head_dim=16, sliding_window=5)),
    "qwen2": ("qwen2", dict(hidden_size=16, num_attention_heads=4, num_key_value_heads=2, intermediate_size=20,
                            num_hidden_layers=3, max_position_embeddings=64, use_sliding_window=True, sliding_window=3,
                            max_window_layers=1, layer_types=["full_attention", "sliding_attention", "full_attention"],
                            tie_word_embeddings=True), dict(hidden_size=64, intermediate_size=96)),
    "qwen3": ("qwen3", dict(hidden_size=16, num_attention_heads=4, num_key_value_heads=2, head_dim=6, intermediate_size=20,
                            num_hidden_layers=2, max_position_embeddings=64, tie_word_embeddings=False),
              dict(hidden_size=64, head_dim=32)),
    "bert": ("bert", dict(hidden_size=16, num_attention_heads=4, num_hidden_layers=2, intermediate_size=20,
                          max_position_embeddings=16, type_vocab_size=3, hidden_dropout_prob=0.0,
                          attention_probs_dropout_prob=0.0), dict(hidden_size=64, intermediate_size=128, max_position_embeddings=64)),
}
VOCAB, N, L = 23, 2, 9
BIG_VOCAB, BIG_L, STEPS, GREEDY = 301, 20, 10, 24


def value(name, i):
    """Returns a number from -1 to 1 by the formula of test_models.c, from the name and the position."""
    h = 2166136261
    for byte in name.encode():
        h = ((h ^ byte) * 16777619) & 0xFFFFFFFF
    h = (h + i * 2654435761) & 0xFFFFFFFF
    h ^= h >> 15
    h = (h * 2246822519) & 0xFFFFFFFF
    h ^= h >> 13
    return (h % 2001 - 1000.0) / 1000.0


def config_of(case, big):
    model_type, tiny, more = CASES[case]
    options = dict(tiny, **more) if big else dict(tiny)
    return AutoConfig.for_model(model_type, vocab_size=BIG_VOCAB if big else VOCAB, bos_token_id=None, eos_token_id=None,
                                pad_token_id=None, **options)


def make(config):
    auto = AutoModel if config.model_type == "bert" else AutoModelForCausalLM
    options = dict(add_pooling_layer=False) if config.model_type == "bert" else {}
    return auto.from_config(config, attn_implementation="eager", **options).eval()


def batch(vocab, length, step=0):
    ids = [[int((value("ids%d" % step, n * length + i) + 1) * 500 * 7) % vocab for i in range(length)] for n in range(N)]
    return torch.tensor(ids)


def mask_of(length):
    mask = torch.ones(N, length, dtype=torch.long)
    mask[1, length - 3:] = 0
    return mask


def types_of(length):
    return torch.tensor([[i % 3 for i in range(length)] for _ in range(N)])


def run(model, ids):
    with torch.no_grad():
        if model.config.model_type != "bert":
            return model(input_ids=ids).logits
        hidden = model(input_ids=ids, attention_mask=mask_of(ids.shape[1]), token_type_ids=types_of(ids.shape[1]))
        return hidden.last_hidden_state


def pooled(hidden):
    mask = mask_of(hidden.shape[1]).unsqueeze(-1).to(hidden.dtype)
    mean = (hidden * mask).sum(1) / mask.sum(1).clamp(min=1e-9)
    return torch.nn.functional.normalize(mean, dim=1)


# ---- tiny models ----------------------------------------------------------------------------------

def c_text(text):
    return "\n".join('     "%s\\n"' % line.replace("\\", "\\\\").replace('"', '\\"') for line in text.strip().split("\n"))


def numbers(tensor):
    flat = ["%.9g" % x for x in tensor.double().flatten().tolist()]
    return ",\n".join("     " + ", ".join(flat[i:i + 8]) for i in range(0, len(flat), 8))


def golden():
    out = ["/* Made by tests/golden/models.py; do not edit. */", "typedef struct model_case {", "    const char *name, *config;",
           "    int count;", "    const double *logits;", "    const char *parameters; /* names with blanks between */",
           "} model_case;", ""]
    table = []
    for case in CASES:
        config = config_of(case, False)
        model = make(config).double()
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                scale, base = (0.2, 1.0) if "norm" in name.lower() or "ln_" in name else (0.3, 0.0)
                flat = [base + scale * value(name, i) for i in range(parameter.numel())]
                if base and name.endswith("bias"):
                    flat = [x - base for x in flat]
                parameter.copy_(torch.tensor(flat, dtype=torch.float64).reshape(parameter.shape))
        y = run(model, batch(VOCAB, L))
        if config.model_type == "bert":
            mask = mask_of(L).unsqueeze(-1)
            y = torch.cat([(y * mask).flatten(), pooled(y).flatten()])
        out.append("static const double model_%s_logits[] = {\n%s};" % (case, numbers(y)))
        table.append('    {"%s",\n%s,\n     %d, model_%s_logits,\n     "%s"},'
                     % (case, c_text(config.to_json_string(use_diff=True)), y.numel(), case,
                        " ".join(name for name, _ in model.named_parameters())))
    out += ["", "static const model_case model_cases[] = {"] + table + ["};"]
    with open("tests/golden/models.h", "w") as file:
        file.write("\n".join(out) + "\n")


# ---- larger models, in files -----------------------------------------------------------------------

def greedy(model, ids):
    return model.generate(ids, max_new_tokens=GREEDY, do_sample=False, use_cache=True)[:, ids.shape[1]:]


def make_folder(folder):
    from safetensors.torch import save_file
    for case in CASES:
        torch.manual_seed(7)
        config = config_of(case, True)
        model = make(config)
        path = os.path.join(folder, case)
        os.makedirs(os.path.join(path, "ours"), exist_ok=True)
        with torch.no_grad():  # initial biases are 0 and norms 1, which would test nothing
            for name, parameter in model.named_parameters():
                parameter.add_(torch.randn_like(parameter) * (0.1 if parameter.dim() == 1 else 0.05))
        # Some models are in several files, and one is in bf16.
        if case == "qwen3":
            model = model.to(torch.bfloat16)
        model.save_pretrained(path, max_shard_size="60KB" if case in ("gpt2", "llama", "qwen2") else "5GB")
        if case == "qwen3":  # read again, because .to() also rounded the frequencies of the rotary positions
            model = AutoModelForCausalLM.from_pretrained(path, attn_implementation="eager", dtype=torch.float32).eval()
        ids = batch(BIG_VOCAB, BIG_L)
        expected = {"ids": ids.int(), "logits": run(model, ids)}
        if config.model_type == "bert":
            expected["pooled"] = pooled(expected["logits"])
        else:
            expected["greedy"] = greedy(model, ids[:, :5]).int()
            losses = train(model)
            expected["losses"] = torch.tensor(losses)
            for name, parameter in model.named_parameters():
                expected["after." + name] = parameter.detach().clone()
        save_file({k: v.contiguous() for k, v in expected.items()}, os.path.join(path, "expected.safetensors"))


def train(model):
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    losses = []
    for step in range(STEPS):
        ids = batch(BIG_VOCAB, BIG_L + 1, step + 1)
        logits = model(input_ids=ids[:, :-1]).logits
        loss = torch.nn.functional.cross_entropy(logits.reshape(-1, BIG_VOCAB), ids[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    model.eval()
    return losses


def read_back(folder):
    from safetensors.torch import load_file
    fine = True
    for case in CASES:
        path = os.path.join(folder, case, "ours")
        if not os.path.exists(os.path.join(path, "model.safetensors")):
            print("%s: nothing of ours" % case)
            fine = False
            continue
        config_of(case, True).save_pretrained(path)
        auto = AutoModel if case == "bert" else AutoModelForCausalLM
        options = dict(add_pooling_layer=False) if case == "bert" else {}
        model = auto.from_pretrained(path, attn_implementation="eager", dtype=torch.float32, **options).eval()
        expected = load_file(os.path.join(folder, case, "expected.safetensors"))
        far = float((run(model, expected["ids"].long()) - expected["logits"]).abs().max())
        print("%s: transformers reads what we saved; logits differ by at most %.1e" % (case, far))
        fine = fine and far < 1e-5
    return fine


# ---- a real encoder -------------------------------------------------------------------------------

WORDS = ("the a one every no river ship cat engineer child winter letter market song bridge teacher who quickly sleeps builds "
         "carries loves forgets under over beside without 17 red cold ancient na\u00efve caf\u00e9 d\u00e9j\u00e0 vu running "
         "don't well-known, (perhaps) e-mail: x@y.org 3.14 \u4f60\u597d \U0001F600 Gr\u00f6\u00dfe supercalifragilistic").split()


def sentences():
    lines = []
    for k in range(200):
        count = 1 + int((value("count", k) + 1) * 20)
        lines.append(" ".join(WORDS[int((value("word%d" % k, i) + 1) * 500) % len(WORDS)] for i in range(count)) + ".?!"[k % 3])
    return lines


def embed(path, folder):
    from safetensors.torch import save_file
    from transformers import AutoTokenizer
    tokenizer = AutoTokenizer.from_pretrained(path, local_files_only=True)
    model = AutoModel.from_pretrained(path, local_files_only=True, attn_implementation="eager", dtype=torch.float32).eval()
    os.makedirs(folder, exist_ok=True)
    lines, rows = sentences(), []
    for i in range(0, len(lines), 20):
        inputs = tokenizer(lines[i:i + 20], padding=True, truncation=True, max_length=128, return_tensors="pt")
        with torch.no_grad():
            hidden = model(**inputs).last_hidden_state
        mask = inputs["attention_mask"].unsqueeze(-1).float()
        mean = (hidden * mask).sum(1) / mask.sum(1).clamp(min=1e-9)
        rows.append(torch.nn.functional.normalize(mean, dim=1))
    save_file({"embeddings": torch.cat(rows)}, os.path.join(folder, "embeddings.safetensors"))
    with open(os.path.join(folder, "sentences.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) == 1:
        golden()
    elif sys.argv[1] == "make":
        make_folder(sys.argv[2])
    elif sys.argv[1] == "read":
        sys.exit(0 if read_back(sys.argv[2]) else 1)
    else:
        embed(sys.argv[2], sys.argv[3])
