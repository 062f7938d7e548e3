#!/usr/bin/env python3
"""Turns a picture of type PPM (P6) into a PNG, with nothing but Python's own library.

docs/frames.png is made by these two commands:
    make frames ARGS="--device cpu --steps 4 --save build/field.ppm"
    python3 tools/picture.py build/field.ppm docs/frames.png
"""
import struct
import sys
import zlib


def read_ppm(path):
    """Returns width, height and the bytes of the rows, three for each pixel."""
    with open(path, "rb") as file:
        data = file.read()
    magic, width, height, largest = data.split(maxsplit=4)[:4]
    if magic != b"P6" or largest != b"255":
        sys.exit(path + " is not a P6 picture of 8 bits")
    start = data.index(b"\n255") + 5
    return int(width), int(height), data[start:]


def filtered(pixels, width, height):
    """Applies the filter "Up" to each row: its difference from the row above compresses best."""
    above = bytes(3 * width)
    rows = []
    for y in range(height):
        row = pixels[3 * width * y : 3 * width * (y + 1)]
        rows.append(b"\2" + bytes((a - b) & 255 for a, b in zip(row, above)))
        above = row
    return b"".join(rows)


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: picture.py FROM.ppm TO.png")
    width, height, pixels = read_ppm(sys.argv[1])
    with open(sys.argv[2], "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
        file.write(chunk(b"IDAT", zlib.compress(filtered(pixels, width, height), 9)))
        file.write(chunk(b"IEND", b""))


main()
