"""Reference values of dice and iou from scikit-learn, on masks of discs: with and without weights, some of them empty.

Run: python test/reference/segmentation.py   (writes segmentation.json beside it; needs scikit-learn >= 1.7)
A disc is written as [row, column, radius] on a grid, 0 for none: the test draws it again. Two empty masks count 1
(zero_division=1).
"""
import json
import platform
from pathlib import Path

import numpy as np
import sklearn
from sklearn.metrics import f1_score, jaccard_score

HEIGHT, WIDTH = 12, 17
rng = np.random.RandomState(20262)


def drawn(disc):
    rows, columns = np.mgrid[:HEIGHT, :WIDTH]
    row, column, radius = disc
    return ((rows - row) ** 2 + (columns - column) ** 2 < radius**2).astype(int)


def disc():
    return [int(v) for v in (rng.randint(HEIGHT), rng.randint(WIDTH), rng.randint(6))]


def moved(row, column, radius):
    return [row + int(rng.randint(-2, 3)), column + int(rng.randint(-2, 3)), max(0, radius + int(rng.randint(-1, 2)))]


def case(n, weighted):
    truth = [disc() for _ in range(n)]
    predicted = [moved(*each) for each in truth]
    truth[0][2] = predicted[0][2] = 0
    truth[1][2], predicted[1][2] = 0, 3
    truth[2][2], predicted[2][2] = 3, 0
    weight = np.round(rng.uniform(0, 3, n), 2) if weighted else None
    y = np.array([drawn(each).ravel() for each in truth])
    pred = np.array([drawn(each).ravel() for each in predicted])
    k = {"average": "samples", "zero_division": 1, "sample_weight": weight}
    return {
        "yTrue": truth, "yPred": predicted, "sampleWeight": None if weight is None else weight.tolist(),
        "pixels": [int(y.sum()), int(pred.sum())],
        "expected": {"dice": f1_score(y, pred, **k), "iou": jaccard_score(y, pred, **k)},
    }


cases = [case(n, weighted) for n in (3, 8, 25) for weighted in (False, True)]
head = {
    "source": "sklearn.metrics",
    "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__, "python": platform.python_version()},
    "shape": [HEIGHT, WIDTH],
}
lines = ",\n".join(json.dumps(each) for each in cases)
Path(__file__).with_suffix(".json").write_text(f'{json.dumps(head)[:-1]},\n"cases": [\n{lines}\n]}}\n')
