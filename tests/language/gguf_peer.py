"""Writes a small GGUF file of a Llama with the package gguf, and what its own readers make of the
tensors, as a safetensors file under the names of transformers. tests/language/test_gguf.c loads
both.

    python gguf_peer.py TYPE out.gguf out.safetensors"""
import json
import struct
import sys

import gguf
import numpy as np

E, LAYERS, HEADS, KEYS, DEEP, WORDS = 256, 2, 4, 2, 512, 40
NAMES = {"attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj",
         "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
         "ffn_norm": "post_attention_layernorm", "ffn_gate": "mlp.gate_proj",
         "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj"}
KIND = gguf.GGMLQuantizationType[sys.argv[1]]
draw = np.random.default_rng(5)


def permuted(w, heads):
    """Rearranges queries and keys as convert_hf_to_gguf.py does for Llama."""
    return w.reshape(heads, 2, w.shape[0] // heads // 2, w.shape[1]).swapaxes(1, 2).reshape(w.shape)


def back(w, heads):
    return w.reshape(heads, w.shape[0] // heads // 2, 2, w.shape[1]).swapaxes(1, 2).reshape(w.shape)


def packed(w):
    """The package has no quantiser of the K types: their blocks are drawn, with small scales."""
    try:
        return gguf.quantize(w, KIND)
    except NotImplementedError:
        block, size = gguf.GGML_QUANT_SIZES[KIND]
        raw = draw.integers(0, 256, (w.shape[0], w.shape[1] // block, size), dtype=np.uint8)
        for at in {"Q4_K": (0, 2), "Q5_K": (0, 2), "Q6_K": (208,)}[sys.argv[1]]:
            half = (draw.random(raw.shape[:2]) * 2.0 ** -11 + 2.0 ** -13).astype(np.float16)
            raw[:, :, at:at + 2] = half.view(np.uint8).reshape(*raw.shape[:2], 2)
        return raw.reshape(w.shape[0], -1)


writer = gguf.GGUFWriter(sys.argv[2], "llama")
writer.add_context_length(128)
writer.add_embedding_length(E)
writer.add_block_count(LAYERS)
writer.add_feed_forward_length(DEEP)
writer.add_head_count(HEADS)
writer.add_head_count_kv(KEYS)
writer.add_layer_norm_rms_eps(1e-5)
writer.add_token_list([f"<{i}>" for i in range(WORDS)])
wanted = {}


def add(name, own, rows, columns, heads=0):
    w = (draw.standard_normal((rows, columns) if rows else columns) * 0.1).astype(np.float32)
    if rows:
        raw = packed(permuted(w, heads) if heads else w)
        writer.add_tensor(name, raw, raw_dtype=KIND)
        w = gguf.dequantize(raw, KIND).astype(np.float32)
        w = back(w, heads) if heads else w
    else:
        writer.add_tensor(name, w)
    wanted[own] = np.ascontiguousarray(w)


add("token_embd.weight", "model.embed_tokens.weight", WORDS, E)
for i in range(LAYERS):
    for part, own in NAMES.items():
        keys = E // HEADS * KEYS
        rows = {"attn_norm": 0, "ffn_norm": 0, "attn_k": keys, "attn_v": keys, "ffn_gate": DEEP,
                "ffn_up": DEEP}.get(part, E)
        heads = {"attn_q": HEADS, "attn_k": KEYS}.get(part, 0)
        add(f"blk.{i}.{part}.weight", f"model.layers.{i}.{own}.weight", rows,
            DEEP if part == "ffn_down" else E, heads)
add("output_norm.weight", "model.norm.weight", 0, E)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()

header, at = {}, 0
for name, w in wanted.items():
    header[name] = {"dtype": "F32", "shape": list(w.shape), "data_offsets": [at, at + w.nbytes]}
    at += w.nbytes
text = json.dumps(header).encode()
with open(sys.argv[3], "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + b"".join(w.tobytes() for w in wanted.values()))
