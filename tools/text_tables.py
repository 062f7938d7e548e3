#!/usr/bin/env python3
"""Writes src/text/tables.h: what nn_text.h knows of Unicode.

    pip install tokenizers==0.23.3 unicodedata2==18.0.0
    python3 tools/text_tables.py > src/text/tables.h

Every table is what Hugging Face's `tokenizers` does with each code point, asked one by one (about three minutes), because
its parts know different versions of Unicode: the regular expressions (Oniguruma) 16, Rust's own letters 17, the
normal forms and combining marks 9, punctuation and marks of BERT 8. `unicodedata2` only gives the first step of a
decomposition and the combining classes, which no version changes, and what it says is compared with the answers.
"""
import sys
import tokenizers
import unicodedata2
from tokenizers import Regex, normalizers, pre_tokenizers

POINTS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
# 90 signs that neither C, nor an editor, nor the tools of this house take for anything else; a number is written in
# base 45, lowest digit first, the last digit by one of the first 45.
SIGNS = [chr(c) for c in range(0x21, 0x7F) if chr(c) not in '"/?\\']


def number(value):
    text = ""
    while value >= 45:
        text += SIGNS[45 + value % 45]
        value //= 45
    return text + SIGNS[value]


def zigzag(value):
    return value * 2 if value >= 0 else -value * 2 - 1


def split_by(pattern):
    split = pre_tokenizers.Split(Regex(pattern), "removed")
    return {c for c in POINTS if not split.pre_tokenize_str(chr(c))}


def pieces_of(pre_tokenizer, count):
    return {c for c in POINTS if len(pre_tokenizer.pre_tokenize_str("a" + chr(c) + "a")) == count}


def changed_by(normalizer):
    said = ((c, normalizer.normalize_str(chr(c))) for c in POINTS)
    return {c: text for c, text in said if text != chr(c)}


def bert(**wanted):
    off = dict(clean_text=False, handle_chinese_chars=False, strip_accents=False, lowercase=False)
    return changed_by(normalizers.BertNormalizer(**{**off, **wanted}))


def runs_of(value):
    """Returns (length, value) of neighbours with one value."""
    runs = []
    for c in range(0x110000):
        if runs and runs[-1][1] == value(c):
            runs[-1][0] += 1
        else:
            runs.append([1, value(c)])
    return runs


def classes():
    clean = bert(clean_text=True)
    sets = [split_by(r"\p{L}"), split_by(r"\p{N}"), split_by(r"\s"), split_by(r"\p{M}"),
            {c for c, text in clean.items() if not text}, set(bert(strip_accents=True)) & {
                c for c, text in bert(strip_accents=True).items() if not text},
            {c for c, text in changed_by(normalizers.StripAccents()).items() if not text},
            pieces_of(pre_tokenizers.BertPreTokenizer(), 3), pieces_of(pre_tokenizers.Digits(), 3),
            pieces_of(pre_tokenizers.Whitespace(), 1), split_by(r"\p{Lu}"), split_by(r"\p{Lt}"), split_by(r"\p{Ll}"), split_by(r"\p{Lm}"),
            split_by(r"\p{P}"), split_by(r"\p{S}")]
    assert sets[2] == pieces_of(pre_tokenizers.WhitespaceSplit(), 2)
    assert sets[7] == pieces_of(pre_tokenizers.Punctuation(), 3)
    bits = {}
    for i, members in enumerate(sets):
        for c in members:
            bits[c] = bits.get(c, 0) | 1 << i
    kinds = sorted(set(bits.values()) | {0})
    text = "".join(number(length * len(kinds) + kinds.index(value))
                   for length, value in runs_of(lambda c: bits.get(c, 0)))
    return kinds, text


def combining(nfd):
    form = normalizers.NFD()
    known = {c for c in POINTS if c not in nfd and unicodedata2.combining(chr(c)) and (
        form.normalize_str("a" + chr(c) + "\u0334") == "a\u0334" + chr(c) or
        form.normalize_str("a\u0345" + chr(c)) == "a" + chr(c) + "\u0345" or c == 0x345)}
    runs = runs_of(lambda c: unicodedata2.combining(chr(c)) if c in known else 0)
    return "".join(number(length) + number(value) for length, value in runs)


def lower():
    pairs = changed_by(normalizers.Lowercase())
    assert [c for c, text in pairs.items() if len(text) > 1] == [0x130]  # written out in unicode.c
    points = sorted(set(pairs) - {0x130})
    text, at, last = "", 0, 0
    while at < len(points):
        first = points[at]
        shift = ord(pairs[first]) - first
        for step in (1, 2):
            count = 1
            while at + count < len(points) and points[at + count] == first + count * step and \
                    ord(pairs[points[at + count]]) - points[at + count] == shift:
                count += 1
            if count > 1:
                break
        text += number((first - last) * 2 + step - 1) + number(count) + number(zigzag(shift))
        last = first
        at += count
    return text


def decompositions(nfd, nfkd, nfc):
    """Returns (gap * 4 + kind, values): kind 0 canonical, 1 canonical and never composed again, 2 compatible.
    A value is the difference from the value at its place in the entry before."""
    text, last, values_before = "", 0, []
    table = {}
    for c in sorted(nfkd):
        if 0xAC00 <= c <= 0xD7A3:
            continue
        parts = unicodedata2.decomposition(chr(c)).split()
        compatible = parts[0].startswith("<")
        values = [int(part, 16) for part in parts[compatible:]]
        kind = 2 if compatible else 0 if len(values) == 2 and nfc.get(c, chr(c)) == chr(c) else 1
        table[c] = (kind, values)
        text += number((c - last) * 3 + kind) + number(len(values))
        values_before += [0] * (len(values) - len(values_before))
        for i, value in enumerate(values):
            text += number(zigzag(value - values_before[i]))
            values_before[i] = value
        last = c

    def whole(c, compatible):
        if c in table and (compatible or table[c][0] != 2):
            return "".join(whole(value, compatible) for value in table[c][1])
        return chr(c)

    for c in POINTS:
        if not 0xAC00 <= c <= 0xD7A3:
            form = unicodedata2.normalize
            assert form("NFD", whole(c, False)) == nfd.get(c, chr(c)) or c not in nfd, hex(c)
            assert form("NFKD", whole(c, True)) == nfkd.get(c, chr(c)) or c not in nfkd, hex(c)
    return text


def put(name, text, what):
    print("\n/* " + what + " */")
    print("static const char *const nn__text_%s[] = {" % name)
    lines = ["    \"" + text[i:i + 90] + '"' for i in range(0, len(text), 90)]
    for i in range(0, len(lines), 40):
        print("\n".join(lines[i:i + 40]) + ",")
    print("    NULL};")


def main():
    nfd, nfkd, nfc = (changed_by(form) for form in (normalizers.NFD(), normalizers.NFKD(), normalizers.NFC()))
    kinds, text = classes()
    print("/* text/tables.h - what this library knows of Unicode. Written by tools/text_tables.py, which asked")
    print("   Hugging Face's tokenizers %s about each code point; its regular expressions have the letters," % tokenizers.__version__)
    print("   marks and numbers of Unicode 16, its normal forms those of Unicode 9, BERT's punctuation, control")
    print("   signs and accents are those of Unicode 8, lower case and numbers of Digits those of Unicode 17.")
    print("")
    print("   Numbers in base 45, lowest digit first; unicode.c reads them. */")
    print("#pragma once\n\n#include \"text/private.h\"")
    print("\n/* The bits NN__TEXT_LETTER ... of each kind of code point that occurs. */")
    print("static const uint16_t nn__text_kinds[] = {\n    %s};" % ",\n    ".join(
        ", ".join(str(kind) for kind in kinds[i:i + 10]) for i in range(0, len(kinds), 10)))
    print("enum { NN__TEXT_KINDS = %d };" % len(kinds))
    put("runs", text, "Neighbours of one kind: how many, times NN__TEXT_KINDS, plus the kind.")
    put("combining", combining(nfd), "Neighbours of one combining class: how many, class.")
    put("lower_runs", lower(), "Lower case: distance to the first, times two, plus step less 1; how many; zigzag of the shift.")
    put("parts", decompositions(nfd, nfkd, nfc),
        "Decompositions, of one step: distance, times three, plus kind (0 canonical, 1 canonical and\n   never composed, "
        "2 compatible); how many; of each the zigzag of its change since the entry\n   before.")


if __name__ == "__main__":
    sys.exit(main())
