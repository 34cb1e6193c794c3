"""Images in other sizes, by Pillow, scipy and numpy: prints JSON.

    python3 test/reference/imageSizes.py > test/reference/imageSizes.json

Numbers are 32-bit floats (mode F of Pillow), so that nothing is rounded to bytes. The area of factors that are no whole
numbers is Pillow's BOX after every pixel was repeated, which makes the factor whole. Crops are those of torchvision.
"""

import json
import sys

import numpy as np
import PIL
import scipy
from PIL import Image
from scipy.ndimage import zoom

random = np.random.RandomState(4)
images = {
    "noise": random.uniform(-1000, 2000, size=(13, 9)),
    "ramp": np.add.outer(np.arange(12.0), 10 * np.arange(16.0)),
    "line": random.uniform(0, 255, size=(1, 7)),
}
images = {name: image.astype(np.float32) for name, image in images.items()}


def pillow(image, height, width, kind):
    return np.asarray(Image.fromarray(image, "F").resize((width, height), kind))


def box(image, height, width):
    repeats = [np.lcm(now, to) // now for now, to in zip(image.shape, (height, width))]
    return pillow(np.repeat(np.repeat(image, repeats[0], 0), repeats[1], 1), height, width, Image.BOX)


cases = []


def case(name, step, size, expected, **options):
    assert list(expected.shape) == list(size), name
    values = [float(f"{value:.8g}") for value in expected.ravel()]
    cases.append({"image": name, "step": step, "size": list(size), "options": options, "values": values})


for name, sizes in {
    "noise": [(13, 9), (7, 5), (26, 18), (5, 20), (40, 3), (1, 1)],
    "ramp": [(6, 8), (3, 4), (24, 32), (10, 10), (5, 31)],
    "line": [(1, 3), (4, 14)],
}.items():
    for size in sizes:
        case(name, "Resize", size, pillow(images[name], *size, Image.BILINEAR), interpolation="bilinear")
        case(name, "Resize", size, box(images[name], *size), interpolation="area")
for name, size in (("noise", (26, 18)), ("ramp", (24, 32)), ("ramp", (36, 80))):
    factors = [to / now for now, to in zip(images[name].shape, size)]
    larger = zoom(images[name], factors, order=1, grid_mode=True, mode="nearest")
    case(name, "Resize", size, larger, interpolation="bilinear")
whole = pillow(images["ramp"], 4, 8, Image.BOX)
assert np.array_equal(whole, images["ramp"].reshape(4, 3, 8, 2).mean((1, 3), dtype=np.float32))
case("ramp", "Resize", (4, 8), whole, interpolation="area")


def center_crop(image, height, width):
    """The lines of torchvision 0.29.1, transforms/functional.py: `round` is to the even number."""
    top = int(round((image.shape[0] - height) / 2.0))
    left = int(round((image.shape[1] - width) / 2.0))
    return image[top : top + height, left : left + width]


for size in ((6, 5), (13, 4), (8, 6), (10, 8), (12, 2)):
    case("noise", "CenterCrop", size, center_crop(images["noise"], *size))
case("noise", "Pad", (16, 12), np.pad(images["noise"], ((1, 2), (1, 2)), constant_values=-7), fill=-7)
case("noise", "Pad", (13, 14), np.pad(images["noise"], ((0, 0), (2, 3))))

json.dump(
    {
        "generator": "imageSizes.py",
        "versions": {"pillow": PIL.__version__, "scipy": scipy.__version__, "numpy": np.__version__},
        "images": {name: image.tolist() for name, image in images.items()},
        "cases": cases,
    },
    sys.stdout,
)
