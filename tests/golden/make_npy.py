#!/usr/bin/env python3
# tests/golden/make_npy.py - prints the two .npy files that tests/tensor/test_files.c reads, as C strings. Needs NumPy.
import io
import numpy


def text(array):
    file = io.BytesIO()
    numpy.save(file, array)
    return '"' + "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else "\\%03o" % b for b in file.getvalue()) + '"'


print(text(numpy.array([[1.5, -2, 3], [4, 5, 1e-3]], dtype=">f4")))
print(text(numpy.array([1, 2], dtype="<i8")))
