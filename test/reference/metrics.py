"""Reference values of the metrics from scikit-learn, on small random cases full of ties, with and without weights; by
formula in numpy where scikit-learn lacks the metric (concordance_correlation, ece, net_benefit) or its weights (ovo).
The calibration slope and intercept are in calibrationFits.R.

Run: python test/reference/metrics.py   (writes metrics.json beside it; needs scikit-learn >= 1.8)
Where scikit-learn has no value or makes one up (0/0), null is written.
"""
import itertools
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


def f1s(y, pred, w, labels):
    """F1 averaged over classes or labels; no macro average where one has no rows in truth and prediction."""
    columns = (y.T, pred.T) if y.ndim == 2 else ([y == c for c in labels], [pred == c for c in labels])
    mass = np.ones(len(y)) if w is None else w
    present, said = (np.array([(mass * column).sum() for column in side]) for side in columns)
    score = lambda average: m.f1_score(y, pred, average=average, labels=None if y.ndim == 2 else labels, sample_weight=w)
    return {
        "f1_macro": score("macro") if (present + said > 0).all() else None,
        "f1_micro": score("micro") if (present + said).sum() else None,
        "f1_weighted": score("weighted") if present.sum() else None,
    }


def agreement(y, pred, w):
    """Correlation and kappa; none where there is one class alone."""
    mass = np.ones(len(y)) if w is None else w
    classes = [set(side[mass > 0]) for side in (y, pred)]
    return {
        "mcc": m.matthews_corrcoef(y, pred, sample_weight=w) if min(map(len, classes)) > 1 else None,
        **{
            f"cohen_kappa{'_' + name if name else ''}": m.cohen_kappa_score(y, pred, sample_weight=w, weights=name)
            if len(classes[0] | classes[1]) > 1
            else None
            for name in [None, "linear", "quadratic"]
        },
    }


def calibration_error(y, proba, w):
    bins = np.searchsorted(np.linspace(0, 1, 11)[1:-1], proba)
    mass = np.ones(len(y)) if w is None else w
    inside = [bins == b for b in range(10) if mass[bins == b].sum()]
    gaps = [abs(np.average(proba[b], weights=mass[b]) - np.average(y[b], weights=mass[b])) for b in inside]
    return np.average(gaps, weights=[mass[b].sum() for b in inside])


def ovo(y, proba, w):
    """As scikit-learn's, which takes no weights here."""
    areas = []
    for a, b in itertools.permutations(range(proba.shape[1]), 2):
        pair = (y == a) | (y == b)
        areas.append(m.roc_auc_score(y[pair] == a, proba[pair, a], sample_weight=None if w is None else w[pair]))
    if w is None:
        assert abs(np.mean(areas) - m.roc_auc_score(y, proba, multi_class="ovo", average="macro")) < 1e-12
    return np.mean(areas)


def binary(n, kind):
    y = rng.randint(0, 2, n)
    proba = np.clip(np.round(0.3 * y + rng.uniform(0, 0.7, n), 1), 0, 1)
    pred = (proba > 0.5).astype(int)
    w = weights(kind, n)
    mass = np.ones(n) if w is None else w
    pos, neg, said, unsaid = mass[y == 1].sum(), mass[y == 0].sum(), mass[pred == 1].sum(), mass[pred == 0].sum()
    treated = proba >= 0.5
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
            "ppv": m.precision_score(y, pred, **k) if said else None,
            "npv": m.precision_score(y, pred, pos_label=0, **k) if unsaid else None,
            "average_precision": m.average_precision_score(y, proba, **k) if pos and neg else None,
            **f1s(y, pred, w, [0, 1]),
            **agreement(y, pred, w),
            "brier": m.brier_score_loss(y, proba, **k),
            "scaled_brier": m.d2_brier_score(y, proba, **k) if pos and neg else None,
            "log_loss": m.log_loss(y, proba, labels=[0, 1], **k),
            "ece": calibration_error(y, proba, w),
            "net_benefit": (mass[treated & (y == 1)].sum() - mass[treated & (y == 0)].sum()) / mass.sum(),
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
            **f1s(y, pred, w, [0, 1, 2, 3]),
            **agreement(y, pred, w),
            "roc_auc_ovr_macro": m.roc_auc_score(y, proba, multi_class="ovr", average="macro", **k),
            "roc_auc_ovo_macro": ovo(y, proba, w),
            "brier": m.brier_score_loss(y, proba, labels=[0, 1, 2, 3], scale_by_half=True, **k),
            "log_loss": m.log_loss(y, proba, labels=[0, 1, 2, 3], **k),
        },
    }


def multilabel(n, kind):
    y = rng.randint(0, 2, (n, 3))
    proba = np.clip(np.round(0.3 * y + rng.uniform(0, 0.7, (n, 3)), 1), 0, 1)
    pred = (proba > 0.5).astype(int)
    w = weights(kind, n)
    mass = np.ones(n) if w is None else w
    both = all(len(set(y[mass > 0, label])) == 2 for label in range(3))
    mean = lambda score: np.mean([score(y[:, label], proba[:, label], sample_weight=w) for label in range(3)])
    return {
        "task": "multilabel", "yTrue": listed(y), "yPred": listed(pred), "yProba": listed(proba), "sampleWeight": listed(w),
        "expected": {
            "accuracy": m.accuracy_score(y, pred, sample_weight=w),
            **f1s(y, pred, w, None),
            "f1_samples": m.f1_score(y, pred, average="samples", zero_division=1, sample_weight=w),
            "hamming_loss": m.hamming_loss(y, pred, sample_weight=w),
            "roc_auc_ovr_macro": m.roc_auc_score(y, proba, average="macro", sample_weight=w) if both else None,
            "brier": mean(m.brier_score_loss),
            "log_loss": mean(lambda *a, **k: m.log_loss(*a, labels=[0, 1], **k)),
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
    cov = np.cov(y, pred, ddof=0, aweights=w)
    means = np.average(y, weights=w) - np.average(pred, weights=w)
    return {
        "task": "regression", "yTrue": listed(y), "yPred": listed(pred), "yProba": None, "sampleWeight": listed(w),
        "expected": {
            "mse": m.mean_squared_error(y, pred, **k),
            "rmse": m.root_mean_squared_error(y, pred, **k),
            "mae": m.mean_absolute_error(y, pred, **k),
            "r2": m.r2_score(y, pred, **k) if varied else None,
            "explained_variance": m.explained_variance_score(y, pred, **k) if varied else None,
            "concordance_correlation": 2 * cov[0, 1] / (cov[0, 0] + cov[1, 1] + means**2),
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
