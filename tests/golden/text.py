#!/usr/bin/env python3
"""Writes tests/golden/text/: the tokens that Hugging Face's tokenizers make of 5,000 difficult strings,
and of 210,000 more (NN_FULL=1), 10,000 for each case.

    pip install tokenizers==0.23.3
    python3 tests/golden/text.py > tests/golden/text.h      and the models
    python3 tests/golden/text.py NAME I     prints the tokens of case NAME for string I

Strings come from a generator that tests/text/text_strings.h has too. A tokenizer.json is put together from a model (one file
for several cases) and the parts that are written below; text.h has those parts, and for each case a hash of every 100
strings, of ids, offsets in characters, types, special tokens and the decoded text.
"""
import json
import os
import random
import sys

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "text")

WORDS = ["the", " the", " and", "ing", " of", " Hello", " world", "re", " can't", "we'll", "I'M", "He'S", " naive", "na\u00efve",
         "Stra\u00dfe", " \u0130stanbul", " int main(void) {\n", "    return 0;\n", "\u03a3\u03a3", " 1234567", "3.14", "tokenizer",
         "un", "believ", "able", "\u1e9b\u0323", "e\u0301", "\u0041\u030a", "\ud55c\uad6d\uc5b4", "\u1112\u1161\u11ab", "\u65e5\u672c\u8a9e",
         " caf\u00e9", "don't", " do not", "x.", " ,", " ' ", "\u2581a", "'ll", "'LL", "'\u017f", "\ufb01", "\u00bd", "\u2460",
         "\ufdfa", "\u0e33", "\u200d", "\ufe0f", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f1e9\U0001f1ea", "I\u0307"]
SPACES = [" ", "  ", "   ", "\n", "\r\n", "\n\n", "\t", "\u00a0", "\u3000", "\u2003", "\u0085", "\u000b", "\u1680", " \n ", "\u200b", "\u180e"]
SPECIALS = ["[CLS]", "[SEP]", "[MASK]", " [MASK] ", "<|endoftext|>", "<mask>", " <mask>", "<mask> ", "<s>", "</s>", "<|begin_of_text|>",
            "low", " low ", "LOW", "Caf\u00c9", "<|", "[UNK]", "[PAD]", "<unk>", "<0x41>", "\u00e9", "\u0301"]


class Strings:
    """The random generator of tests/text/text_strings.h."""

    def __init__(self, seed):
        self.state = (seed * 2654435761 + 97) & 0xFFFFFFFF
        for _ in range(3):
            self.below(2)

    def below(self, n):
        self.state = (self.state * 1664525 + 1013904223) & 0xFFFFFFFF
        return (self.state >> 8) % n

    def point(self, first, count):
        c = first + self.below(count)
        return chr(0xFFFD if 0xD800 <= c < 0xE000 else c).encode()

    def unit(self, kind, index):
        if kind == 0:
            return WORDS[self.below(len(WORDS))].encode()
        if kind == 1:
            return self.point(index % 0x1100 * 256, 256)
        if kind == 2:
            return self.point(0, 0x110000)
        if kind == 3:
            return self.point(0xA0, 0x3000 - 0xA0)
        if kind == 4:
            return self.point(0x300, 0x70) if self.below(3) else self.point(0x591, 0x100)
        if kind == 5:
            return self.point(0x1F300, 0x800)
        if kind == 6:
            return SPACES[self.below(len(SPACES))].encode()
        if kind == 7:
            return self.point((0x30, 0x660, 0x966, 0x2160, 0xB2, 0xFF10, 0x1D7CE, 0x2460)[self.below(8)], 10)
        if kind == 8:
            return self.point((0x3040, 0x4E00, 0xAC00, 0xFF61, 0xF900, 0x1100, 0x20000, 0x3200)[self.below(8)], 200)
        if kind == 9:
            return bytes(128 + self.below(128) for _ in range(1 + self.below(3)))
        if kind == 10:
            return SPECIALS[self.below(len(SPECIALS))].encode()
        if kind == 11:
            return bytes([33 + self.below(15)])
        return bytes([97 + self.below(26) - 32 * (self.below(4) == 0)])

    @staticmethod
    def make(index):
        s = Strings(index)
        theme = s.below(14)
        text = b""
        for i in range(1 + s.below(20)):
            pick = s.below(4)
            kind = theme if pick == 0 and theme < 13 else s.below(13) if pick == 1 else 12 if pick == 2 else 1
            text += s.unit(kind, index) * (1 + s.below(3) * (s.below(6) == 0))
        return text


def corpus():
    """Returns a text with enough characters of every kind to train a model of a thousand tokens."""
    chance = random.Random(7)
    some = [w for w in WORDS]
    text = []
    for i in range(3000):
        text.append("".join(chance.choice(some) + chance.choice(["", "", " ", "er", "s", "ly"]) for _ in range(12)))
    return text


def train(model, trainer, pre_tokenizer, normalizer=None):
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizer
    if normalizer:
        tokenizer.normalizer = normalizer
    tokenizer.train_from_iterator(corpus(), trainer)
    model = json.loads(tokenizer.to_str())["model"]
    return {key: model[key] for key in ("vocab", "merges") if key in model}


def make_unigram():
    return train(models.Unigram(), trainers.UnigramTrainer(
        vocab_size=800, show_progress=False, unk_token="<unk>", special_tokens=["<pad>", "</s>", "<unk>", "<s>"] + [
            "<0x%02X>" % i for i in range(256)]), pre_tokenizers.Metaspace(), normalizers.NFKC())


def make_models():
    byte_level = train(models.BPE(), trainers.BpeTrainer(
        vocab_size=900, show_progress=False, initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        special_tokens=["<|endoftext|>", "<s>", "</s>", "<mask>", "<|begin_of_text|>"]),
        pre_tokenizers.ByteLevel(add_prefix_space=False))
    byte_level["merges"] = [" ".join(merge) if isinstance(merge, list) else merge for merge in byte_level["merges"]]
    letters = train(models.BPE(unk_token="<unk>"), trainers.BpeTrainer(
        vocab_size=600, show_progress=False, special_tokens=["<unk>", "<s>", "</s>"] + ["<0x%02X>" % i for i in range(256)]),
        pre_tokenizers.Metaspace())
    piece = train(models.WordPiece(unk_token="[UNK]"), trainers.WordPieceTrainer(
        vocab_size=600, show_progress=False, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]),
        pre_tokenizers.BertPreTokenizer(), normalizers.BertNormalizer())
    return {"byte_level": byte_level, "letters": letters, "piece": piece, "unigram": make_unigram()}


GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
          r"|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace("{1,3}", "")
# GPT-4o's o200k and Llama 4's; Mistral's Tekken; Qwen 3.5's; DeepSeek V3's three; CLIP's.
GPT4O = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?"
         r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}"
         r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
TEKKEN = GPT4O.replace("(?i:'s|'t|'re|'ve|'m|'ll|'d)?", "").replace("{1,3}", "")
QWEN35 = QWEN2.replace(r"?\p{L}+", r"?[\p{L}\p{M}]+").replace(r"[^\s\p{L}\p{N}]", r"[^\s\p{L}\p{M}\p{N}]")
DEEPSEEK = (r"\p{N}{1,3}", "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
            r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*"
            r"|\s*[\r\n]+|\s+(?!\S)|\s+")
CLIP = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"


def added(id, content, **flags):
    return dict(dict(id=id, content=content, single_word=False, lstrip=False, rstrip=False, normalized=False, special=True), **flags)


def byte_level(**flags):
    return dict(dict(type="ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=True), **flags)


def split(regex, behavior="Isolated", invert=False):
    return dict(type="Split", pattern={"Regex": regex}, behavior=behavior, invert=invert)


def template(cls, sep):
    special = lambda token, type_id: {"SpecialToken": {"id": token[0], "type_id": type_id}}
    text = lambda name, type_id: {"Sequence": {"id": name, "type_id": type_id}}
    tail = [special(sep, 0)] if sep else []
    return {"type": "TemplateProcessing", "single": [special(cls, 0), text("A", 0)] + tail,
            "pair": [special(cls, 0), text("A", 0)] + tail + ([] if sep else [special(cls, 1)]) + [text("B", 1)] + (
                [special(sep, 1)] if sep else []),
            "special_tokens": {token[0]: {"id": token[0], "ids": [token[1]], "tokens": [token[0]]} for token in (cls, sep) if token}}


def sequence(key, *parts):
    return {"type": "Sequence", key: list(parts)}


def cases():
    """Returns {name: model, changes to it, normalizer, pre_tokenizer, post_processor, decoder, added tokens}."""
    bert = dict(type="BertNormalizer", clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True)
    wordpiece = dict(type="WordPiece", prefix="##", cleanup=True)
    masks = [added(0, "[PAD]"), added(1, "[UNK]"), added(2, "[CLS]"), added(3, "[SEP]"), added(4, "[MASK]", lstrip=True)]
    plain = [added(0, "<|endoftext|>")]
    metaspace = lambda **flags: dict(dict(type="Metaspace", replacement="\u2581"), **flags)
    replace = lambda pattern, content: dict(type="Replace", pattern=pattern, content=content)
    llama = sequence("decoders", replace({"String": "\u2581"}, " "), dict(type="ByteFallback"), dict(type="Fuse"),
                     dict(type="Strip", content=" ", start=1, stop=0))
    whole = byte_level(use_regex=False)
    return {
        "gpt2": ("byte_level", {}, None, byte_level(), byte_level(trim_offsets=False), byte_level(), plain),
        "roberta": ("byte_level", {}, None, byte_level(add_prefix_space=True), dict(
            type="RobertaProcessing", sep=["</s>", 2], cls=["<s>", 1], trim_offsets=True, add_prefix_space=True), byte_level(),
            [added(1, "<s>"), added(2, "</s>"), added(3, "<mask>", lstrip=True)]),
        "llama3": ("byte_level", {"ignore_merges": True}, None, sequence("pretokenizers", split(LLAMA3), byte_level(use_regex=False)),
                   sequence("processors", byte_level(), template(("<|begin_of_text|>", 4), None)), byte_level(),
                   [added(0, "<|endoftext|>"), added(4, "<|begin_of_text|>")]),
        "qwen2": ("byte_level", {}, dict(type="NFC"), sequence("pretokenizers", split(QWEN2), byte_level(use_regex=False)),
                  byte_level(trim_offsets=False), byte_level(),
                  plain + [added(900, "low", normalized=True, special=False, single_word=True), added(901, "e\u0301", normalized=True,
                                                                                                    special=False)]),
        "bert": ("piece", {}, bert, dict(type="BertPreTokenizer"), template(("[CLS]", 2), ("[SEP]", 3)), wordpiece, masks),
        "bert_cased": ("piece", {}, dict(bert, lowercase=False), dict(type="BertPreTokenizer"), dict(
            type="BertProcessing", sep=["[SEP]", 3], cls=["[CLS]", 2]), dict(wordpiece, cleanup=False), masks),
        "nfkd": ("piece", {"max_input_chars_per_word": 9}, sequence("normalizers", dict(type="NFKD"), dict(type="Lowercase"), dict(
            type="StripAccents")), dict(type="Whitespace"), None, wordpiece,
            masks + [added(600, "Caf\u00c9", normalized=True, special=False, lstrip=True, rstrip=True)]),
        "nfkc": ("piece", {}, sequence("normalizers", dict(type="NFKC"), dict(type="Strip", strip_left=True, strip_right=True)), sequence(
            "pretokenizers", dict(type="WhitespaceSplit"), dict(type="Punctuation", behavior="Contiguous"), dict(
                type="Digits", individual_digits=True)), None, None, masks),
        "llama2": ("letters", {"byte_fallback": True, "fuse_unk": True}, sequence(
            "normalizers", dict(type="Prepend", prepend="\u2581"), dict(type="Replace", pattern={"String": " "}, content="\u2581")), None,
            template(("<s>", 1), None), sequence("decoders", dict(type="Replace", pattern={"String": "\u2581"}, content=" "), dict(
                type="ByteFallback"), dict(type="Fuse"), dict(type="Strip", content=" ", start=1, stop=0)),
            [added(0, "<unk>"), added(1, "<s>"), added(2, "</s>")]),
        "letters": ("letters", {"fuse_unk": False, "continuing_subword_prefix": None}, dict(type="NFD"), sequence(
            "pretokenizers", dict(type="Split", pattern={"String": "a"}, behavior="MergedWithNext", invert=False), dict(
                type="Split", pattern={"String": " "}, behavior="MergedWithPrevious", invert=False), dict(
                    type="Digits", individual_digits=False)), None, None, []),
        "fused": ("letters", {"fuse_unk": True}, None, sequence("pretokenizers", split(GPT2, "Removed", True), dict(
            type="Punctuation", behavior="MergedWithNext")), None, dict(type="Fuse"), []),
        "gpt4o": ("byte_level", {}, None, sequence("pretokenizers", split(GPT4O), whole), byte_level(trim_offsets=False), byte_level(),
                  plain),
        "tekken": ("byte_level", {"ignore_merges": True}, None, sequence("pretokenizers", split(TEKKEN), whole), None, byte_level(), [
            added(1, "<s>"), added(2, "</s>", rstrip=True), added(3, "<mask>", lstrip=True, rstrip=True, single_word=True)]),
        "qwen35": ("byte_level", {}, dict(type="NFC"), sequence("pretokenizers", split(QWEN35), whole), byte_level(), byte_level(), plain),
        "deepseek": ("byte_level", {}, None, sequence("pretokenizers", *map(split, DEEPSEEK), whole), None, byte_level(), plain),
        "starcoder": ("byte_level", {}, None, sequence("pretokenizers", dict(type="Digits", individual_digits=True), byte_level()), byte_level(),
                      byte_level(), plain),
        "clip": ("byte_level", {}, sequence("normalizers", dict(type="NFC"), replace({"Regex": r"\s+"}, " "), dict(type="Lowercase")), sequence(
            "pretokenizers", split(CLIP, "Removed", True), whole), None, byte_level(), [added(0, "<|endoftext|>", normalized=True)]),
        "mistral": ("letters", {"byte_fallback": True, "fuse_unk": True}, None, metaspace(prepend_scheme="first", split=False),
                    template(("<s>", 1), None), llama, [added(0, "<unk>"), added(1, "<s>"), added(2, "</s>")]),
        "gemma": ("letters", {"byte_fallback": True, "fuse_unk": True}, replace({"String": " "}, "\u2581"), dict(
            type="Split", pattern={"String": " "}, behavior="MergedWithPrevious", invert=False), None, sequence(
                "decoders", replace({"String": "\u2581"}, " "), dict(type="ByteFallback"), dict(type="Fuse")),
            [added(0, "<unk>"), added(1, "<s>"), added(2, "</s>")]),
        "t5": ("unigram", {}, sequence("normalizers", dict(type="NFKC"), replace({"Regex": " {2,}"}, " ")), metaspace(prepend_scheme="always"),
               template(("</s>", 1), None), metaspace(prepend_scheme="always"), [added(0, "<pad>"), added(1, "</s>"), added(2, "<unk>"),
                                                                              added(3, "<s>", lstrip=True)]),
        "xlm": ("unigram", {"byte_fallback": True}, dict(type="NFKD"), sequence("pretokenizers", dict(type="WhitespaceSplit"), metaspace(
            prepend_scheme="first")), template(("<s>", 3), ("</s>", 1)), metaspace(prepend_scheme="never"), [added(2, "<unk>"), added(
                3, "<s>"), added(1, "</s>"), added(800, "low", normalized=True, special=False, rstrip=True)]),
    }


def parts_of(case):
    """Returns the file without the vocabulary and merges, which tests/text/test_text.c puts at the end."""
    names = ("normalizer", "pre_tokenizer", "post_processor", "decoder", "added_tokens")
    parts = ", ".join('"%s": %s' % (name, json.dumps(part)) for name, part in zip(names, case[2:]))
    model = {"piece": dict(type="WordPiece", unk_token="[UNK]", continuing_subword_prefix="##", max_input_chars_per_word=100),
             "unigram": dict(type="Unigram", unk_id=2, byte_fallback=False)}.get(
                 case[0], dict(type="BPE", dropout=None, unk_token="<unk>" if case[0] == "letters" else None))
    return '{"version": "1.0", "truncation": null, "padding": null, %s, "model": {%s,' % (
        parts, json.dumps(dict(model, **case[1]))[1:-1])


def load(made, case):
    text = parts_of(case) + json.dumps(made[case[0]])[1:] + "}"
    return text, Tokenizer.from_str(text)


class Hash:
    def __init__(self):
        self.value = 2166136261

    def add(self, number):
        self.value = ((self.value ^ (number & 0xFFFFFFFF)) * 16777619) & 0xFFFFFFFF


def add_encoding(hash, encoding):
    hash.add(len(encoding.ids))
    for id, (start, end), type_id, special in zip(encoding.ids, encoding.offsets, encoding.type_ids, encoding.special_tokens_mask):
        for number in (id, start, end, type_id, special):
            hash.add(number)


def add_text(hash, text):
    for byte in text.encode():
        hash.add(byte)


def whole(tokenizer, hash, index):
    text = Strings.make(index).decode("utf-8", errors="replace")
    encoding = tokenizer.encode(text)
    add_encoding(hash, encoding)
    add_text(hash, tokenizer.decode(encoding.ids, skip_special_tokens=True))
    add_text(hash, tokenizer.decode(encoding.ids, skip_special_tokens=False))


def pairs(tokenizer, hash, index):
    """Hashes encodings of two texts, truncated in one of several ways."""
    text, second = (Strings.make(index + i).decode("utf-8", errors="replace") for i in range(2))
    strategy = ("longest_first", "only_first", "only_second")[index % 3]
    tokenizer.enable_truncation(8 + index % 20, strategy=strategy, direction="left" if index % 5 == 0 else "right")
    try:
        add_encoding(hash, tokenizer.encode(text, second, add_special_tokens=index % 4 > 0))
    except Exception:
        hash.add(77)
    tokenizer.no_truncation()


def learnt(count, size, least, pattern):
    """Trains a tokenizer on the first strings, and returns its tokens for others."""
    tokenizer = Tokenizer(models.BPE())
    level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=pattern is None)
    tokenizer.pre_tokenizer = level if pattern is None else pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(pattern), "isolated"), level])
    tokenizer.decoder = decoders.ByteLevel()
    text = b"".join(Strings.make(i) for i in range(count)).decode("utf-8", errors="replace")
    tokenizer.train_from_iterator([text], trainers.BpeTrainer(
        vocab_size=size, min_frequency=least, show_progress=False, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["<|endoftext|>", "<mask>"]))
    hash = Hash()
    for id in range(tokenizer.get_vocab_size()):
        add_text(hash, tokenizer.id_to_token(id) + "\n")
    for i in range(count, count + 100):
        whole(tokenizer, hash, i)
    return "{%d, %d, %d, %d, %d, 0x%08x}" % (count, size, least, (None, LLAMA3, QWEN2).index(pattern),
                                             tokenizer.get_vocab_size(), hash.value)


def print_learnt():
    print("/* Strings, vocab_size, min_frequency, pattern; tokens learnt, hash. */")
    print("static const unsigned text_learnt[][6] = {")
    print(",\n".join("    " + learnt(*given) for given in (
        (300, 700, 0, None), (600, 1500, 2, LLAMA3), (100, 5000, 3, QWEN2), (2000, 4000, 0, None))) + "};")


def read_models():
    """Reads the models that were made once, because a trainer need not give the same result
    twice."""
    names = ("byte_level", "letters", "piece", "unigram")
    if all(os.path.exists(os.path.join(HERE, name + ".json")) for name in names):
        return {name: json.load(open(os.path.join(HERE, name + ".json"))) for name in names}
    return make_models()


def main():
    made = read_models()
    for name, model in made.items():
        with open(os.path.join(HERE, name + ".json"), "w") as file:
            json.dump(model, file, separators=(",", ":"), ensure_ascii=True)
            file.write("\n")
    if len(sys.argv) > 2:
        text, tokenizer = load(made, cases()[sys.argv[1]])
        string = Strings.make(int(sys.argv[2])).decode("utf-8", errors="replace")
        encoding = tokenizer.encode(string)
        print(ascii(string), *zip(encoding.ids, encoding.tokens, encoding.offsets), ascii(tokenizer.decode(encoding.ids)), sep="\n")
        return
    print("/* text.h: written by tests/golden/text.py with tokenizers 0.23.3. */")
    print("#define TEXT_WORDS %d\n#define TEXT_SPACES %d\n#define TEXT_SPECIALS %d" % (len(WORDS), len(SPACES), len(SPECIALS)))
    for name, list_ in (("words", WORDS), ("spaces", SPACES), ("specials", SPECIALS)):
        print("static const char *const text_%s[] = {" % name)
        print(",\n".join("    " + literal(word.encode()) for word in list_) + "};")
    print("typedef struct text_case {\n    const char *name, *model, *parts;\n    unsigned hashes[50], pairs[5], more[10];\n} text_case;")
    print("static const text_case text_cases[] = {")
    for number, (name, case) in enumerate(cases().items()):
        text, tokenizer = load(made, case)
        print('    {"%s", "%s",\n%s,' % (name, case[0], "\n".join(
            "     " + literal(parts_of(case)[i:i + 80].encode()) for i in range(0, len(parts_of(case)), 80))))
        for function, block, start, count in ((whole, 100, 0, 5000), (pairs, 100, 0, 500),
                                              (whole, 1000, 5000 + 10000 * number, 10000)):
            values = []
            for first in range(start, start + count, block):
                hash = Hash()
                for i in range(first, first + block):
                    function(tokenizer, hash, i)
                values.append("0x%08x" % hash.value)
            print("     {%s}%s" % (",\n      ".join(", ".join(values[i:i + 7]) for i in range(0, len(values), 7)),
                                  "}," if block == 1000 else ","))
        sys.stdout.flush()
        print(name, file=sys.stderr)
    print("};")
    print_learnt()


def literal(text):
    """Returns a C string literal: octal escapes for characters that are not plain, and no
    trigraphs."""
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\?' else "\\%03o" % b for b in text) + '"'


if __name__ == "__main__":
    main()
