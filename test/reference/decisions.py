"""Reference values of chosen thresholds, recalibration and conformal prediction.

Run: python test/reference/decisions.py   (writes decisions.json beside it; needs scikit-learn >= 1.7 and scipy)

Thresholds follow from sklearn.metrics.roc_curve, isotonic and logistic fits from scikit-learn, the guaranteed rule from
scipy.stats.binom. Conformal sets and intervals are written again from the definitions in the papers, as sorted lists
with a mass at infinity, where the package counts masses below a score.
"""
import json
import math
import platform
from pathlib import Path

import numpy as np
import scipy
import sklearn
from scipy import stats
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_curve

rng = np.random.RandomState(20267)


def cohort(n, digits, weighted):
    eta = rng.normal(-0.5, 1.2, n)
    y = (rng.uniform(size=n) < 1 / (1 + np.exp(-eta))).astype(int)
    y[:2] = [0, 1]
    p = np.clip(np.round(1 / (1 + np.exp(-(0.3 + 1.7 * eta + rng.normal(0, 0.5, n)))), digits), 0, 1)
    return y, p, np.round(rng.uniform(0.2, 3, n), 2) if weighted else np.ones(n)


def thresholds(y, p, w):
    fpr, tpr, cut = roc_curve(y, p, sample_weight=w, drop_intermediate=False)
    positives, negatives = w[y == 1].sum(), w[y == 0].sum()
    cut = np.where(np.isinf(cut), np.nextafter(p.max(), 2), cut)

    def row(rule, chosen):
        return {"rule": rule, "threshold": cut[chosen], "sensitivity": tpr[chosen], "specificity": 1 - fpr[chosen]}

    def lowest_of_best(gain):
        return np.flatnonzero(gain >= gain.max() - 1e-12)[-1]  # cut descends

    rows = [row("youden", lowest_of_best(tpr - fpr))]
    for s in (0.5, 0.9, 1.0):
        rows.append(row({"sensitivity": s}, np.flatnonzero(tpr >= s - 1e-12)[0]))
        rows.append(row({"specificity": s}, np.flatnonzero(1 - fpr >= s - 1e-12)[-1]))
    for fp, fn in ((1, 1), (1, 5), (7, 0.5)):
        gain = -(fp * fpr * negatives + fn * (1 - tpr) * positives) / w.sum()
        rows.append(row({"cost": {"falsePositive": fp, "falseNegative": fn}}, lowest_of_best(gain)))
    return rows


def guaranteed():
    rows = []
    for n in (14, 29, 40, 59, 100, 333):
        for wanted in (0.8, 0.9, 0.95):
            for confidence in (0.9, 0.95):
                # The k-th smallest is safe when n draws rarely hold fewer than k from the lowest 1 - wanted.
                ks = [k for k in range(1, n + 1) if stats.binom.sf(k - 1, n, 1 - wanted) >= confidence]
                rows.append({
                    "n": n, "wanted": wanted, "confidence": confidence, "missed": max(ks) - 1 if ks else None,
                    "reached": float(stats.binom.sf(max(ks) - 1, n, 1 - wanted)) if ks else None,
                })
    return rows


def logistic(y, w, columns):
    model = LogisticRegression(C=math.inf, solver="newton-cholesky", tol=1e-13, max_iter=500)
    return model.fit(columns, y, sample_weight=w)


GRID = np.r_[0, 0.001, np.linspace(0.02, 0.98, 25), 0.999, 1]


def recalibrated(y, p, w):
    clip = lambda v: np.clip(v, 1e-8, 1 - 1e-8)
    logit = lambda v: np.log(clip(v) / (1 - clip(v)))[:, None]
    ends = lambda v: np.c_[np.log(clip(v)), -np.log(1 - clip(v))]
    beta = logistic(y, w, ends(p))
    beta_values = beta.predict_proba(ends(GRID))[:, 1]
    a, b = beta.coef_[0]
    if a < 0 or b < 0:
        keep = [1] if a < 0 else [0]
        beta_values = logistic(y, w, ends(p)[:, keep]).predict_proba(ends(GRID)[:, keep])[:, 1]
    iso = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(p, y, sample_weight=w)
    return {
        "grid": GRID, "platt": logistic(y, w, logit(p)).predict_proba(logit(GRID))[:, 1], "beta": beta_values,
        "negative": bool(a < 0 or b < 0), "isotonic": iso.predict(GRID),
    }


def binary_case(n, digits, weighted):
    y, p, w = cohort(n, digits, weighted)
    return {
        "yTrue": y, "yProba": p, "sampleWeight": w if weighted else None,
        "thresholds": thresholds(y, p, w), "recalibrated": recalibrated(y, p, w),
    }


def upper_quantile(values, masses, level):
    """Smallest value at which `level` of the mass is reached; the rest of the mass lies at infinity."""
    order = np.argsort(values)
    reached = np.cumsum(np.asarray(masses)[order])
    enough = np.flatnonzero(reached >= level - 1e-12)
    return float(np.asarray(values)[order][enough[0]]) if len(enough) else math.inf


def masses(groups, keep=None):
    """Hierarchical conformal prediction: 1 / ((K + 1) N_k) for each row of patient k, among the rows kept."""
    groups = np.asarray(groups)
    keep = np.ones(len(groups), bool) if keep is None else keep
    sizes = {g: (groups[keep] == g).sum() for g in set(groups[keep].tolist())}
    return np.array([1 / ((len(sizes) + 1) * sizes[g]) if k else 0 for g, k in zip(groups.tolist(), keep)])


def worst(scores, groups, keep=None):
    """One score per patient, the largest, each with the mass 1 / (K + 1)."""
    groups = np.asarray(groups)
    keep = np.ones(len(groups), bool) if keep is None else keep
    ids = sorted(set(groups[keep].tolist()))
    return np.array([scores[keep & (groups == g)].max() for g in ids]), np.full(len(ids), 1 / (len(ids) + 1))


def conformal_case(patients, n_folds, alpha):
    classes, rows = 3, rng.randint(1, 6, patients)
    groups = np.repeat(np.arange(patients), rows)
    n, m = len(groups), 9
    shift = rng.normal(0, 1, (patients, classes))[groups]
    y = rng.randint(0, classes, n)
    fold = (np.arange(patients) % n_folds)[groups]
    softmax = lambda z: np.exp(z) / np.exp(z).sum(1, keepdims=True)
    proba = np.round(softmax(shift + 2 * np.eye(classes)[y] + rng.normal(0, 1, (n, classes))), 4)
    proba[:, 2] = 1 - proba[:, 0] - proba[:, 1]
    new = np.round(softmax(rng.normal(0, 2, (m, classes)))[None] * np.ones((n_folds, 1, 1)) + 0, 4)
    new = np.clip(new + np.round(rng.uniform(-0.004, 0.004, new.shape), 4), 0, 1)
    new = new / new.sum(2, keepdims=True)
    value = np.round(shift[:, 0] + rng.normal(0, 1, n), 3)
    fitted = np.round(0.7 * value + rng.normal(0, 0.4, n), 3)
    ahead = np.round(rng.normal(0, 1, m)[None] + rng.normal(0, 0.1, (n_folds, m)), 3)
    score = 1 - proba[np.arange(n), y]
    residual = np.abs(value - fitted)
    expected = {}
    for kind in ("row", "hcp", "every"):
        def weighed(scores, keep=None):
            if kind == "every":
                return worst(scores, groups, keep)
            ids = np.arange(n) if kind == "row" else groups
            mass = masses(ids, keep)
            return scores[mass > 0], mass[mass > 0]

        for per_class in (False, True):
            cut = [upper_quantile(*weighed(score, y == c if per_class else None), 1 - alpha) for c in range(classes)]
            sets = [[c for c in range(classes) if 1 - new[0, i, c] <= cut[c] + 1e-12] for i in range(m)]
            expected[f"split_{kind}_{'class' if per_class else 'all'}"] = sets
        s, w = weighed(residual)
        q = upper_quantile(s, w, 1 - alpha)
        expected[f"split_{kind}_interval"] = [[ahead[0, i] - q, ahead[0, i] + q] for i in range(m)]
        cv_sets, cv_intervals = [], []
        for i in range(m):
            if kind == "every":  # the largest score of a patient; all his rows are in one fold
                s, w = worst(score, groups)
                k = np.array([fold[groups == g][0] for g in range(patients)])
                r, _ = worst(residual, groups)
            else:
                s, r, k, w = score, residual, fold, masses(np.arange(n) if kind == "row" else groups)
            cv_sets.append([c for c in range(classes) if w[s < 1 - new[k, i, c] - 1e-12].sum() < 1 - alpha - 1e-12])
            high = upper_quantile(ahead[k, i] + r, w, 1 - alpha)
            low = -upper_quantile(-(ahead[k, i] - r), w, 1 - alpha)
            cv_intervals.append([low, high])
        expected[f"cv_{kind}_sets"], expected[f"cv_{kind}_intervals"] = cv_sets, cv_intervals
    return {
        "alpha": alpha, "yTrue": y, "yProba": proba, "newProba": new, "value": value, "fitted": fitted, "ahead": ahead,
        "groups": groups, "folds": fold, "expected": expected,
    }


def plain(value):
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and math.isinf(value) else value


reference = {
    "source": "sklearn.metrics.roc_curve, sklearn.isotonic, sklearn.linear_model, scipy.stats.binom; conformal prediction by definition",
    "versions": {"scikit-learn": sklearn.__version__, "scipy": scipy.__version__, "numpy": np.__version__, "python": platform.python_version()},
    "binary": [binary_case(*each) for each in ((30, 1, False), (80, 2, False), (80, 1, True), (300, 3, True), (150, 2, False))],
    "guaranteed": guaranteed(),
    "conformal": [conformal_case(30, 5, 0.2), conformal_case(12, 12, 0.1), conformal_case(8, 4, 0.1)],
}
path = Path(__file__).with_suffix(".json")
path.write_text("{\n" + ",\n".join(
    f'"{key}": ' + ("[\n" + ",\n".join(json.dumps(plain(row)) for row in value) + "\n]" if isinstance(value, list) else json.dumps(value))
    for key, value in reference.items()
) + "\n}\n")
print({key: len(value) for key, value in reference.items() if isinstance(value, list)}, [c["recalibrated"]["negative"] for c in reference["binary"]])
