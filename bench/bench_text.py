#!/usr/bin/env python3
"""Turns text into ids, alternately with Hugging Face's tokenizers, on one thread, line by line.

    pip install tokenizers
    make build/bench/bench_text && python3 bench/bench_text.py TEXT
"""
import os
import subprocess
import sys
import time

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers  # noqa: E402

FOLDER = "build/bench"
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
          r"|\s+(?!\S)|\s+")


def make(text):
    """A tokenizer.json of 8,000 tokens of each kind."""
    level = pre_tokenizers.ByteLevel(add_prefix_space=False)
    whole = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    split = lambda regex: pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(regex), "isolated"), whole])
    kinds = {"gpt2": (level, None), "llama3": (split(LLAMA3), None), "qwen2": (split(LLAMA3.replace("{1,3}", "")), normalizers.NFC())}
    paths = []
    for name, (pre_tokenizer, normalizer) in kinds.items():
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizer
        if normalizer:
            tokenizer.normalizer = normalizer
        tokenizer.decoder = decoders.ByteLevel()
        tokenizer.train_from_iterator([text], trainers.BpeTrainer(
            vocab_size=8000, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
        paths.append("%s/%s.json" % (FOLDER, name))
        tokenizer.save(paths[-1])
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.train_from_iterator([text], trainers.WordPieceTrainer(
        vocab_size=8000, show_progress=False, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]))
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    paths.append("%s/bert.json" % FOLDER)
    tokenizer.save(paths[-1])
    return paths


def main():
    raw = open(sys.argv[1], "rb").read()
    text = raw.decode("utf-8", errors="replace")
    lines = text.splitlines(keepends=True) if "\r" not in text else [line + "\n" for line in text.split("\n")]
    paths = make(text) if len(sys.argv) < 3 else sys.argv[2:]
    print("%-24s %10s %14s %12s %8s %8s %10s" % ("file", "nn.h MB/s", "encode MB/s", "batch MB/s", "ratio", "tokens", "open ms"))
    for path in paths:
        start = time.perf_counter()
        tokenizer = Tokenizer.from_file(path)
        opened = time.perf_counter() - start
        best = [1e30, 1e30]
        for _ in range(3):
            start = time.perf_counter()
            count = sum(len(tokenizer.encode(line)) for line in lines)
            best[0] = min(best[0], time.perf_counter() - start)
            start = time.perf_counter()
            tokenizer.encode_batch_fast(lines)
            best[1] = min(best[1], time.perf_counter() - start)
        said = subprocess.run([FOLDER + "/bench_text", sys.argv[1], path], capture_output=True, text=True).stdout.split()
        rates = [len(raw) * 1e-6 / seconds for seconds in best]
        print("%-24s %10s %14.2f %12.2f %8.1f %8s %10s, %.1f" % (
            os.path.basename(path), said[1], rates[0], rates[1], float(said[1]) / max(rates), "same" if int(said[2]) == count else
            "%s, %d" % (said[2], count), said[3], opened * 1e3))


if __name__ == "__main__":
    main()
