"""Distances and scores of segmentation masks, by scipy and numpy: writes masks.json beside this file.

Run: python3 test/reference/masks.py     (numpy, scipy)

MONAI is not run: it needs gigabytes of packages. Its formulas are written out here from its documentation and published
source (release 1.5, monai/metrics: get_mask_edges, get_surface_distance, compute_hausdorff_distance, compute_surface_dice),
on scipy's binary erosion and distance transform and numpy's quantiles: both masks are cut to their common box with a margin of one voxel, edges
are mask XOR erosion. Distances stay 64-bit floats (MONAI: 32) but where they are compared with a tolerance, which MONAI does in 32 bits.
Masks are written as run lengths in row-major order, the first run being of zeros.
"""

import json
import pathlib

import numpy as np
import scipy
from scipy.ndimage import binary_erosion, binary_opening, distance_transform_edt, gaussian_filter

random = np.random.RandomState(47)
TOLERANCES = [0, 0.3, 1, 1.5, 3]
PERCENTILES = [50, 95, 100]


def runs(mask):
    flat = np.concatenate([[0], np.asarray(mask, dtype=int).ravel(), [2]])
    ends = np.flatnonzero(np.diff(flat))
    return np.diff(np.concatenate([[0], ends])).tolist()


def blob(shape, share, smooth=2.0):
    """Components with holes, some of which touch the border."""
    field = gaussian_filter(random.normal(size=shape), smooth)
    return field > np.quantile(field, 1 - share)


def ellipsoid(shape, centre, radii):
    grid = np.indices(shape)
    return sum(((axis - c) / r) ** 2 for axis, c, r in zip(grid, centre, radii)) <= 1


def one(shape, *places):
    mask = np.zeros(shape, dtype=bool)
    for place in places:
        mask[place] = True
    return mask


def cropped(a, b):
    """CropForeground of MONAI: the box of what either marks and one voxel around it, zeros outside of the image."""
    marked = np.argwhere(a | b)
    low, high = marked.min(axis=0) - 1, marked.max(axis=0) + 2
    wide = [np.pad(mask, 1) for mask in (a, b)]
    box = tuple(slice(l + 1, h + 1) for l, h in zip(low, high))
    return [mask[box] for mask in wide]


def distances(a, b, spacing):
    if not a.any() and not b.any():
        return np.array([]), np.array([])
    a, b = cropped(a, b)
    edges = [binary_erosion(mask) ^ mask for mask in (a, b)]

    def to(own, other):
        if not other.any():
            return np.full(own.sum(), np.inf)
        return distance_transform_edt(~other, sampling=spacing)[own]

    return to(edges[0], edges[1]), to(edges[1], edges[0])


def scores(a, b, spacing):
    there, back = distances(a, b, spacing)
    both, total = int((a & b).sum()), int(a.sum() + b.sum())
    count = len(there) + len(back)
    empty = "both" if count == 0 else "truth" if len(there) == 0 else "prediction" if len(back) == 0 else None
    hausdorff = [max(np.quantile(d, p / 100) for d in (there, back)) for p in PERCENTILES] if empty is None else None

    def nsd(tolerance):
        near = sum(int((d.astype(np.float32) <= np.float32(tolerance)).sum()) for d in (there, back))
        return near / count if count else 1

    return {
        "elements": [len(there), len(back)],
        "sums": [float(there.sum()), float(back.sum())] if empty is None else None,
        "empty": empty,
        "hausdorff": hausdorff,
        "nsd": [nsd(tolerance) for tolerance in TOLERANCES],
        "dice": 2 * both / total if total else 1,
        "iou": both / (total - both) if total else 1,
    }


plane, volume = (37, 29), (9, 16, 13)
shapes = {"picture": (plane, [(1, 1), (0.3, 0.7)]), "volume": (volume, [(1, 1, 1), (2.5, 0.8, 0.75), (0.1, 3, 1)])}
pairs = []


def pair(name, truth, prediction, *spacings):
    for spacing in spacings:
        case = {"name": f"{name}, spacing {list(spacing)}", "shape": list(truth.shape), "spacing": list(spacing)}
        pairs.append({**case, "truth": runs(truth), "prediction": runs(prediction), **scores(truth, prediction, spacing)})


for kind, (shape, spacings) in shapes.items():
    middle = tuple(size // 2 for size in shape)
    ball = ellipsoid(shape, middle, [size / 3 for size in shape])
    moved = ellipsoid(shape, [m + 1 for m in middle], [size / 3.5 for size in shape])
    hollow = ball & ~ellipsoid(shape, middle, [size / 6 for size in shape])
    corner = ellipsoid(shape, [0] * len(shape), [size / 2 for size in shape])
    last = tuple(size - 1 for size in shape)
    nothing, everything = np.zeros(shape, dtype=bool), np.ones(shape, dtype=bool)
    for share in (0.1, 0.3, 0.6):
        pair(f"{kind}: components, {share}", blob(shape, share), blob(shape, share), *spacings)
    few = blob(shape, 0.25, 1.0)
    pair(f"{kind}: components and a part of them", few, binary_opening(few), *spacings)
    pair(f"{kind}: moved", ball, moved, *spacings)
    pair(f"{kind}: hole", hollow, ball, *spacings)
    pair(f"{kind}: at the border", corner, moved, *spacings)
    pair(f"{kind}: the same", ball, ball, spacings[-1])
    pair(f"{kind}: single voxels", one(shape, middle), one(shape, tuple(0 for _ in shape)), *spacings)
    pair(f"{kind}: corners", one(shape, last, middle), one(shape, tuple(0 for _ in shape), last), *spacings)
    pair(f"{kind}: a voxel far away", ball, ball | one(shape, last), *spacings)
    pair(f"{kind}: everything", everything, ball, *spacings)
    pair(f"{kind}: both everything", everything, everything, spacings[-1])
    pair(f"{kind}: both empty", nothing, nothing, spacings[0])
    pair(f"{kind}: nothing found", ball, nothing, spacings[0])
    pair(f"{kind}: nothing to find", nothing, ball, spacings[0])
for shape in [(1, 40), (40, 1), (1, 1), (1, 12, 11), (6, 1, 9)]:
    pair("thin", random.uniform(size=shape) < 0.6, random.uniform(size=shape) < 0.6, [0.5] * len(shape))
    pair("thin, other masks", random.uniform(size=shape) < 0.3, random.uniform(size=shape) < 0.9, [0.7] * len(shape))

transforms = []
for shape, spacing, share in [
    ((12, 17), (1, 1), 0.1),
    ((12, 17), (0.31, 1.7), 0.02),
    ((1, 9), (2, 0.5), 0.3),
    ((21, 6), (3, 0.01), 0.05),
    ((5, 7, 6), (1, 1, 1), 0.03),
    ((5, 7, 6), (5, 0.78125, 0.78125), 0.02),
    ((4, 9, 8), (0.2, 0.9, 1.3), 0.5),
]:
    targets = random.uniform(size=shape) < share
    targets.flat[random.randint(targets.size)] = True
    values = distance_transform_edt(~targets, sampling=spacing)
    transforms.append({"shape": shape, "spacing": spacing, "targets": runs(targets), "values": values.ravel().tolist()})

labels = random.randint(0, 4, size=(8, 11))
other = np.where(random.uniform(size=labels.shape) < 0.8, labels, random.randint(0, 6, size=labels.shape))
classes = [{"label": k, **scores(labels == k, other == k, (1, 2))} for k in range(1, 6)]
maps = {"shape": labels.shape, "spacing": [1, 2], "truth": labels.ravel().tolist(), "prediction": other.ravel().tolist()}

reference = {
    "versions": {"numpy": np.__version__, "scipy": scipy.__version__},
    "tolerances": TOLERANCES,
    "percentiles": PERCENTILES,
    "transforms": transforms,
    "pairs": pairs,
    "maps": {**maps, "classes": classes},
}
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(reference, separators=(",", ":"), default=float) + "\n")
print(f"{len(pairs)} pairs, {path.stat().st_size} bytes")
