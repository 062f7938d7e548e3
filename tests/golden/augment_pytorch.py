#!/usr/bin/python3
"""Makes tests/golden/augment.h: a picture changed by PyTorch with the formulas of torchvision's transforms.

    /usr/bin/python3 tests/golden/augment_pytorch.py          (Debian's python3-torch 1.13; run in the repository's root)

The picture's byte i is (i * 37 + 11) % 256. torchvision is not needed: its matrix and its blends
are written out here, and torch.nn.functional.grid_sample samples the pixels.
"""
import math

import torch
import torch.nn.functional as F

C, H, W, SIDE = 3, 5, 7, 6
x = torch.tensor([(i * 37 + 11) % 256 for i in range(C * H * W)], dtype=torch.float64).reshape(1, C, H, W) / 255

# ColorJitter: adjust_brightness, adjust_contrast
brightness, contrast = 1.3, 0.6
x = (x * brightness).clamp(0, 1)
grey = (0.2989 * x[:, 0] + 0.587 * x[:, 1] + 0.114 * x[:, 2]).mean()
x = (contrast * x + (1 - contrast) * grey).clamp(0, 1)

# pad, crop at (-1, 1), mirror
top, left, padding = -1, 1, 2
x = F.pad(x, (padding, padding, padding, padding))
x = x[:, :, top + padding:top + padding + SIDE, left + padding:left + padding + SIDE].flip(-1)

# affine: torchvision.transforms.functional._get_inverse_affine_matrix around the centre
angle, zoom, shear_x, shear_y = [math.radians(20), 1.2, math.radians(8), math.radians(-5)]
tx, ty = 1, -1
a = math.cos(angle - shear_y) / math.cos(shear_y)
b = -math.cos(angle - shear_y) * math.tan(shear_x) / math.cos(shear_y) - math.sin(angle)
c = math.sin(angle - shear_y) / math.cos(shear_y)
d = -math.sin(angle - shear_y) * math.tan(shear_x) / math.cos(shear_y) + math.cos(angle)
m = [v / zoom for v in (d, -b, 0, -c, a, 0)]
m[2] = m[0] * -tx + m[1] * -ty
m[5] = m[3] * -tx + m[4] * -ty
half = (SIDE - 1) / 2
at = torch.arange(SIDE, dtype=torch.float64) - half
column = m[0] * at[None, :] + m[1] * at[:, None] + m[2] + half
row = m[3] * at[None, :] + m[4] * at[:, None] + m[5] + half
grid = torch.stack(((2 * column + 1) / SIDE - 1, (2 * row + 1) / SIDE - 1), -1)[None]
x = F.grid_sample(x, grid, mode="bilinear", padding_mode="zeros", align_corners=False)

# Normalize, Cutout
mean, std = [0.49, 0.48, 0.45], [0.25, 0.24, 0.26]
x = (x - torch.tensor(mean).double().reshape(1, 3, 1, 1)) / torch.tensor(std).double().reshape(1, 3, 1, 1)
x[:, :, 2:4, 1:3] = 0

numbers = ["%.9gf" % v if "." in "%.9g" % v or "e" in "%.9g" % v else "%.9g.0f" % v for v in x.flatten().tolist()]
with open("tests/golden/augment.h", "w") as out:
    out.write("/* Made by tests/golden/augment_pytorch.py with PyTorch %s; do not edit. */\n" % torch.__version__)
    out.write("static const float golden_matrix[6] = {%s};\n" % ", ".join("%.9gf" % v for v in m))
    out.write("static const float golden_augmented[%d] = {\n" % len(numbers))
    for i in range(0, len(numbers), 8):
        out.write("    %s,\n" % ", ".join(numbers[i:i + 8]))
    out.write("};\n")
