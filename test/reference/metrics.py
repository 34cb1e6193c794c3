"""Reference values of the metrics from scikit-learn, on small random cases full of ties, with and without weights.

Run: python test/reference/metrics.py   (writes metrics.json beside it; needs scikit-learn >= 1.7)
Where scikit-learn has no value or makes one up (0/0), null is written.
"""
import json
import platform
import warnings
from pathlib import Path

import numpy as np
import sklearn
from sklearn import metrics as m

warnings.simplefilter("ignore")
rng = np.random.RandomState(20261)


def weights(kind, n):
    if kind == "none":
        return None
    return rng.randint(0, 4, n).astype(float) + (np.arange(n) == 0) if kind == "counts" else np.round(rng.uniform(0.1, 3, n), 3)


def listed(a):
    return None if a is None else a.tolist()


def binary(n, kind):
    y = rng.randint(0, 2, n)
    proba = np.clip(np.round(0.3 * y + rng.uniform(0, 0.7, n), 1), 0, 1)
    pred = (proba > 0.5).astype(int)
    w = weights(kind, n)
    mass = np.ones(n) if w is None else w
    pos, neg, said = mass[y == 1].sum(), mass[y == 0].sum(), mass[pred == 1].sum()
    k = {"sample_weight": w}
    return {
        "task": "binary", "yTrue": listed(y), "yPred": listed(pred), "yProba": listed(proba), "sampleWeight": listed(w),
        "expected": {
            "accuracy": m.accuracy_score(y, pred, **k),
            "balanced_accuracy": m.balanced_accuracy_score(y, pred, **k) if pos and neg else None,
            "roc_auc": m.roc_auc_score(y, proba, **k) if pos and neg else None,
            "sensitivity": m.recall_score(y, pred, **k) if pos else None,
            "specificity": m.recall_score(y, pred, pos_label=0, **k) if neg else None,
            "precision": m.precision_score(y, pred, **k) if said else None,
            "recall": m.recall_score(y, pred, **k) if pos else None,
            "f1": m.f1_score(y, pred, **k) if pos or said else None,
            "brier": m.brier_score_loss(y, proba, **k),
            "log_loss": m.log_loss(y, proba, labels=[0, 1], **k),
        },
    }


def multiclass(n, kind):
    y = rng.permutation(np.r_[0:4, rng.randint(0, 4, n - 4)])
    proba = np.round(rng.dirichlet(np.ones(4), n) + 0.5 * np.eye(4)[y], 2)
    proba /= proba.sum(1, keepdims=True)
    pred = proba.argmax(1)
    w = weights("none" if kind == "counts" else kind, n)
    k = {"sample_weight": w}
    return {
        "task": "multiclass", "yTrue": listed(y), "yPred": listed(pred), "yProba": listed(proba), "sampleWeight": listed(w),
        "expected": {
            "accuracy": m.accuracy_score(y, pred, **k),
            "balanced_accuracy": m.balanced_accuracy_score(y, pred, **k),
            "brier": m.brier_score_loss(y, proba, labels=[0, 1, 2, 3], scale_by_half=True, **k),
            "log_loss": m.log_loss(y, proba, labels=[0, 1, 2, 3], **k),
        },
    }


def multilabel(n, kind):
    y = rng.randint(0, 2, (n, 3))
    pred = np.where(rng.uniform(size=(n, 3)) < 0.8, y, 1 - y)
    w = weights(kind, n)
    return {
        "task": "multilabel", "yTrue": listed(y), "yPred": listed(pred), "yProba": None, "sampleWeight": listed(w),
        "expected": {
            "accuracy": m.accuracy_score(y, pred, sample_weight=w),
            "dice": m.f1_score(y, pred, average="samples", zero_division=1, sample_weight=w),
            "iou": m.jaccard_score(y, pred, average="samples", zero_division=1, sample_weight=w),
        },
    }


def regression(n, kind):
    y = np.round(rng.normal(50, 10, n), 1)
    pred = np.round(0.6 * y + rng.normal(22, 5, n), 1)
    w = weights(kind, n)
    varied = len(set(y if w is None else y[w > 0])) > 1
    k = {"sample_weight": w}
    return {
        "task": "regression", "yTrue": listed(y), "yPred": listed(pred), "yProba": None, "sampleWeight": listed(w),
        "expected": {
            "mse": m.mean_squared_error(y, pred, **k),
            "rmse": m.root_mean_squared_error(y, pred, **k),
            "mae": m.mean_absolute_error(y, pred, **k),
            "r2": m.r2_score(y, pred, **k) if varied else None,
            "explained_variance": m.explained_variance_score(y, pred, **k) if varied else None,
        },
    }


cases = [
    make(n, kind)
    for make in (binary, multiclass, multilabel, regression)
    for kind in ("none", "counts", "real")
    for n in (4, 5, 8, 13, 30, 200)
]
reference = {
    "source": "sklearn.metrics",
    "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__, "python": platform.python_version()},
    "cases": cases,
}
path = Path(__file__).with_suffix(".json")
path.write_text(json.dumps({**reference, "cases": "CASES"}, indent=1).replace(
    '"CASES"', "[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]") + "\n")
print(len(cases), "cases")
