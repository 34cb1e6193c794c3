"""Writes lowFrequencies.json: low frequencies of grey images by scipy, the reference of test/checkers/features/images/perceptual.
Images are averaged by area to 32 x 32; of the orthonormal DCT-II the 8 x 8 lowest coefficients but the first, over their
norm. Usage: python lowFrequencies.py > lowFrequencies.json (needs numpy, scipy)."""
import json

import numpy as np
import scipy
from scipy.fft import dctn

random = np.random.RandomState(3)


def averaged(size):
    """32 x size: the mean of the pixels under each of 32 cells, by the length that they share."""
    edges = np.arange(33) * size / 32
    pixels = np.arange(size)
    shared = np.minimum(edges[1:, None], pixels + 1) - np.maximum(edges[:-1, None], pixels)
    return np.clip(shared, 0, None) / (size / 32)


def low_frequencies(image):
    height, width = image.shape
    small = averaged(height) @ image @ averaged(width).T
    kept = dctn(small, type=2, norm="ortho")[:8, :8].ravel()[1:]
    return kept / np.linalg.norm(kept)


def image(height, width):
    y, x = np.mgrid[0:height, 0:width]
    smooth = 100 + 40 * np.sin(3 * x / width) + 20 * np.cos(5 * y / height + x / width)
    return np.round(smooth + random.normal(0, 10, (height, width)), 1)


cases = []
for height, width in [(32, 32), (8, 12), (28, 28), (40, 52), (9, 70)]:
    pixels = image(height, width)
    cases.append({"height": height, "width": width, "pixels": pixels.ravel().tolist(), "expected": low_frequencies(pixels).tolist()})

print(json.dumps({"numpy": np.__version__, "scipy": scipy.__version__, "cases": cases}))
