"""Writes calibrationIntervals.json beside this file: percentile bootstrap intervals of ICI, E50 and E90 (Austin & Steyerberg
2019) with numpy. Patients are drawn by numpy.random.RandomState(42).randint; the curve is R's loess with surface =
"direct", degree = 2, span = .75, by least squares at each row; percentiles by numpy.percentile (type 7). The data are
those of calibrationCurves.json without weights, whose point estimates come from R.
Run: python test/reference/calibrationIntervals.py (numpy)"""

import json
import platform
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
RESAMPLES = 200


def smooth(y, p):
    near = int(np.floor(len(p) * 0.75 + 1e-5))
    values, which = np.unique(p, return_inverse=True)
    heights = np.empty(len(values))
    for i, at in enumerate(values):
        distance = np.abs(p - at)
        width = np.sort(distance)[near - 1]
        root = np.sqrt(np.maximum(0, 1 - (distance / width) ** 3) ** 3)
        design = np.vander(p - at, 3, increasing=True)
        heights[i] = np.linalg.lstsq(design * root[:, None], y * root, rcond=None)[0][0]
    return heights[which]


def distances(y, p):
    distance = np.abs(smooth(y, p) - p)
    return [np.mean(distance), np.percentile(distance, 50), np.percentile(distance, 90)]


cases = []
for number, case in enumerate(json.loads((HERE / "calibrationCurves.json").read_text())["cases"]):
    if set(case["sampleWeight"]) != {1}:
        continue
    y, p = np.array(case["yTrue"], float), np.array(case["yProba"])
    ids = np.unique(case["groups"])
    rows = [np.flatnonzero(np.array(case["groups"]) == each) for each in ids]
    found = distances(y, p)
    assert np.allclose(found, [case["ici"], case["e50"], case["e90"]], atol=1e-6)
    random = np.random.RandomState(42)
    drawn = []
    for _ in range(RESAMPLES):
        taken = np.concatenate([rows[each] for each in random.randint(0, len(ids), len(ids))])
        drawn.append(distances(y[taken], p[taken]))
    limits = np.percentile(drawn, [2.5, 97.5], axis=0)
    cases.append({"case": number, "lower": list(limits[0]), "upper": list(limits[1])})

(HERE / "calibrationIntervals.json").write_text(
    json.dumps({"versions": {"python": platform.python_version(), "numpy": np.__version__}, "resamples": RESAMPLES, "cases": cases}) + "\n"
)
