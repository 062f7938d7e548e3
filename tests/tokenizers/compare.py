#!/usr/bin/env python3
"""Compares ids, offsets, types and decoded text of nn_text.h with Hugging Face's tokenizers, for many random strings and every kind
of file; then both open the files that nn_save_tokenizer writes.

    python3 tests/tokenizers/compare.py [--answers PROGRAM] [--strings N] [--out FOLDER] [case...]

Files are those of tests/golden/text.py, one more of each model with tokens added in every way, vocab.txt, vocab.json with
merges.txt, and each tokenizer.json whose path is in TOKENIZERS (colons between them). Needs the package tokenizers (PyPI). The last line
is "N passed, M failed, K skipped".
"""
import argparse
import array
import itertools
import json
import os
import random
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "golden"))
try:
    import text as golden
    from tokenizers import Tokenizer
except ImportError:
    print("SKIP tokenizers: this Python has no package tokenizers (set PYTHON to one that has)\n0 passed, 0 failed, 1 skipped")
    sys.exit(0)

BLOCKS = [(0x20, 0x5F), (0xA0, 0x60), (0x100, 0x250), (0x370, 0x90), (0x400, 0x100), (0x530, 0x60), (0x590, 0x70), (0x600, 0x100), (0x900, 0x80),
          (0xE00, 0x60), (0x1100, 0x100), (0x1E00, 0x200), (0x2000, 0x70), (0x2070, 0x30), (0x20A0, 0x30), (0x2100, 0x90), (0x2190, 0x70),
          (0x2460, 0xA0), (0x3000, 0x40), (0x3040, 0xC0), (0x4E00, 0x200), (0xA640, 0x60), (0xAC00, 0x100), (0xF900, 0x100), (0xFB00, 0x50),
          (0xFE00, 0x20), (0xFF00, 0xF0), (0x10400, 0x50), (0x1D400, 0x100), (0x1F1E6, 26), (0x1F300, 0x100), (0x1F900, 0x60), (0x20000, 0x80),
          (0xE0100, 0x20)]
PIECES = golden.WORDS + golden.SPACES + golden.SPECIALS + [
    "<|startoftext|>", "\u0130", "\u017f", "\u212a", "\u01c5", "\u02b0", "iPhone", "HTMLParser", "ABCdef", "I'LLbe", "'Re", "x'S", "\u1e9e", "\u00df",
    "\u0345", "\u0f71\u0f72", "\u1100\u1161", "\ufb03", "\u2044", "\u0958", "\u2126", "  \n  \n", "\r\r\n", "/* a */\n//\n", "1\u00b2\u0663", "\u2581", "\u2581\u2581",
    "e\u0301\u0323", "\u0130\u0307", "\ufeff", "\u0000", "\u0007", "\u007f", "\ufffd", "<0xE2>", "##ing", "\u0120the", "\u010a", "</s> ", " </s>", "low\u0301"]


def make_string(chance):
    text = []
    for _ in range(chance.choice((0, 1, 2, 3, 5, 8, 13, 30))):
        kind = chance.randrange(10)
        if kind < 4:
            piece = chance.choice(PIECES)
        elif kind < 6:
            first, count = chance.choice(BLOCKS)
            piece = "".join(chr(first + chance.randrange(count)) for _ in range(1 + chance.randrange(3)))
        elif kind == 6:
            piece = chr(chance.choice((chance.randrange(0xD800), chance.randrange(0xE000, 0x110000))))
        elif kind == 7:
            piece = "".join(chance.choice("aeiounrstlAEIOUNRST '") for _ in range(chance.randrange(12)))
        elif kind == 8:
            piece = chance.choice((" ", "  ", "\n", "\t", "'", "1", "12345", "\u0301", "-", ".", "a", "\u4e00"))
        else:
            text.append(bytes(128 + chance.randrange(128) for _ in range(1 + chance.randrange(4))))
            continue
        text.append(piece.encode() * (1 if chance.randrange(8) else 2 + chance.randrange(40)))
    return b"".join(text)


def hard_added(vocab):
    """Returns tokens added in every way: one for each set of the four flags. Those that the model has keep their id."""
    tokens, first = [], len(vocab)
    for flags in range(16):
        names = [name for bit, name in enumerate(("single_word", "lstrip", "rstrip", "normalized")) if flags >> bit & 1]
        content = ("lo", "Re", "\u00e9x", "<t>", "1 2", "-", "x.", "\u0130")[flags % 8] + ("", "w")[flags // 8]
        first += content not in vocab
        tokens.append(golden.added(vocab.get(content, first - 1), content, **{name: True for name in names}, special=flags % 3 == 0))
    return tokens


def make_cases(made):
    cases = dict(golden.cases())
    for name, base in (("hard_bytes", "llama3"), ("hard_pieces", "bert"), ("hard_letters", "mistral"), ("hard_unigram", "t5")):
        case = list(cases[base])
        vocab = made[case[0]]["vocab"]
        case[6] = case[6] + hard_added(vocab if isinstance(vocab, dict) else {token: id for id, (token, _) in enumerate(vocab)})
        cases[name] = tuple(case)
    return {name: golden.load(made, case)[0] for name, case in cases.items()}


class Answers:
    def __init__(self, path):
        self.data = open(path, "rb").read()
        self.at = 0

    def numbers(self, count):
        values = array.array("i")
        values.frombytes(self.data[self.at:self.at + 4 * count])
        self.at += 4 * count
        return values

    def text(self):
        length = self.numbers(1)[0]
        self.at += length
        return self.data[self.at - length:self.at].decode("utf-8")

    def next(self):
        """Returns ids, starts and ends, types, decoded text without special tokens and with them."""
        count = self.numbers(1)[0]
        return [self.numbers(count), self.numbers(2 * count), self.numbers(count), self.text(), self.text()]


def fallback_differs(ours, theirs):
    """For bytes that are not UTF-8, Hugging Face's have one U+FFFD for each byte, and ours one for each maximal piece."""
    squeeze = lambda text: "\ufffd".join(part for part in text.split("\ufffd") if part)
    return squeeze(ours) != squeeze(theirs)


def compare(tokenizer, texts, answers, ids_only, decodes):
    tokenizer.no_padding()
    tokenizer.no_truncation()
    differs = fallback_differs if decodes == "fallback" else lambda ours, theirs: ours != theirs
    for first in range(0, len(texts), 2000):
        encodings = tokenizer.encode_batch(texts[first:first + 2000])
        decoded = [tokenizer.decode_batch([e.ids for e in encodings], skip_special_tokens=skip) for skip in (True, False)]
        for text, encoding, plain, special in zip(texts[first:], encodings, *decoded):
            ids, places, types, our_plain, our_special = answers.next()
            said = None
            if ids.tolist() != encoding.ids:
                said = "ids %s, wanted %s" % (ids.tolist(), encoding.ids)
            elif not ids_only and places.tolist() != list(itertools.chain.from_iterable(encoding.offsets)):
                said = "offsets %s, wanted %s" % (places.tolist(), encoding.offsets)
            elif not ids_only and types.tolist() != encoding.type_ids:
                said = "types %s, wanted %s" % (types.tolist(), encoding.type_ids)
            for ours, wanted in ((our_plain, plain), (our_special, special)):
                if not said and differs(ours, wanted):
                    said = "decoded %s, wanted %s" % (ascii(ours), ascii(wanted))
            if said:
                return "%s %s" % (ascii(text), said)
    return "" if answers.at == len(answers.data) else "fewer strings than answers"


def check(options, name, what, strings, path, theirs):
    """Compares our answers with Hugging Face's, then the file that we saved, opened by theirs and by ours."""
    out = os.path.join(options.out, name)
    ids_only = theirs is None
    problems = []
    for turn in ("opened", "saved"):
        saved = out + ".saved.json"
        if turn == "saved":  # fewer will do
            strings, path = strings[:len(strings) // 10 + 1], path + "_few"
        made = subprocess.run([options.answers, what, path, out + "." + turn, saved if turn == "opened" else out + ".again.json"],
                              capture_output=True)
        if made.returncode:
            return ["%s: %s" % (turn, made.stderr.decode(errors="replace").strip() or "status %d" % made.returncode)]
        tokenizers = [theirs] if theirs else []
        try:
            if turn == "saved" or not theirs:
                tokenizers.append(Tokenizer.from_file(saved))
        except Exception as error:  # its own class is not public
            return ["Hugging Face's tokenizers do not open the file that was saved: %s" % error]
        model = json.load(open(saved, encoding="utf-8"))["model"]
        decodes = "fallback" if model.get("byte_fallback") else "exact"
        for tokenizer in tokenizers:
            problem = compare(tokenizer, strings, Answers(out + "." + turn), ids_only, decodes)
            if problem:
                problems.append("%s: %s" % (turn, problem[:1500]))
        what = saved
    if open(out + ".saved.json", "rb").read() != open(out + ".again.json", "rb").read():
        problems.append("the file that is saved again differs")
    for ending in (".opened", ".saved", ".again.json"):
        os.remove(out + ending)
    return problems


def write_strings(path, strings):
    for name, some in ((path, strings), (path + "_few", strings[:len(strings) // 10 + 1])):
        with open(name, "wb") as file:
            for text in some:
                file.write(struct.pack("<i", len(text)) + text)
    return path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--answers", default="build/full/tokenizers/answers")
    parser.add_argument("--strings", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="build/full/tokenizers")
    parser.add_argument("cases", nargs="*")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    at = lambda name: os.path.join(options.out, name)
    chance = random.Random(options.seed)
    strings = [make_string(chance) for _ in range(options.strings)]
    well_formed = [text.decode("utf-8", errors="ignore").encode() for text in strings]
    path, path_well = write_strings(at("strings"), strings), write_strings(at("strings_well"), well_formed)
    strings = [text.decode("utf-8", errors="replace") for text in strings]
    made = golden.read_models()
    jobs = {}
    for name, text in make_cases(made).items():
        with open(at(name + ".json"), "w") as file:
            file.write(text)
        jobs[name] = (at(name + ".json"), strings, path, Tokenizer.from_str(text))
    with open(at("vocab.txt"), "w", encoding="utf-8") as file:
        file.write("".join(token + "\n" for token, _ in sorted(made["piece"]["vocab"].items(), key=lambda item: item[1])))
    with open(at("gpt2_vocab.json"), "w") as file:
        json.dump(made["byte_level"]["vocab"], file)
    with open(at("merges.txt"), "w", encoding="utf-8") as file:
        file.write("#version: 0.2\n" + "".join(merge + "\n" for merge in made["byte_level"]["merges"]))
    with open(at("corpus"), "wb") as file:
        file.write("".join(golden.corpus()).encode())
    with open(at("letters"), "wb") as file:
        file.write(b"".join(well_formed))
    well_formed = [text.decode() for text in well_formed]
    jobs["vocab_txt"] = (at("vocab.txt"), strings, path, Tokenizer.from_str(make_cases(made)["bert"].replace('"lstrip": true', '"lstrip": false')))
    jobs["vocab_and_merges"] = (at("gpt2_vocab.json") + "+" + at("merges.txt"), strings, path, jobs["gpt2"][3])
    jobs["bytes"] = ("bytes", well_formed, path_well, None)
    jobs["chars"] = ("chars:" + at("letters"), well_formed, path_well, None)
    for pattern, size in enumerate((600, 1200, 2000, 500, 3000)):
        jobs["trained_%d" % pattern] = ("train:%s:%d:%d" % (at("corpus"), size, pattern), strings, path, None)
    for place in filter(None, os.environ.get("TOKENIZERS", "").split(":")):
        name = os.path.basename(os.path.dirname(place)) or "given"
        jobs[name] = (place, strings, path, Tokenizer.from_file(place))
    passed = failed = 0
    for name in options.cases:
        if name not in jobs:
            print("FAIL tokenizers: no case is called %s; there are: %s" % (name, ", ".join(jobs)))
            failed += 1
    for name, (what, given, file, theirs) in jobs.items():
        if options.cases and name not in options.cases:
            continue
        problems = check(options, name, what, given, file, theirs)
        for problem in problems:
            print("FAIL tokenizers: %s: %s" % (name, problem))
        passed, failed = passed + (not problems), failed + bool(problems)
        if not problems:
            print("tokenizers: %s: %d strings alike, opened and saved" % (name, len(given)))
        sys.stdout.flush()
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
