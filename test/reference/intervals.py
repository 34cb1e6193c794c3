"""Reference values of the incomplete beta function, Student's t, the normal quantile, Wilson's interval, and of the
corrected t and out-of-fold bootstrap intervals, written again from their definitions with scikit-learn's metrics.

Run: python test/reference/intervals.py   (writes intervals.json beside it; needs scikit-learn >= 1.7 and scipy)

The bootstrap draws from numpy.random.RandomState, whose stream the package reproduces, and copies rows as often as
their patient was drawn, where the package uses weights.
"""
import json
import math
import platform
from itertools import product
from pathlib import Path

import numpy as np
import scipy
import sklearn
from scipy import special, stats
from sklearn import metrics as m

SHAPES = [0.01, 0.1, 0.5, 1.0, 2.0, 3.7, 10.0, 57.5, 300.0, 1e4, 1e5]
TINY = 1e-290


def beta():
    rows = []
    for a, b in product(SHAPES, SHAPES):
        mean, sd = a / (a + b), math.sqrt(a * b / ((a + b) ** 2 * (a + b + 1)))
        points = {0.001, 0.3, 0.9} | {min(max(mean + k * sd, 1e-6), 1 - 1e-6) for k in (-3.0, 0.0, 2.0)}
        for x in sorted(points):
            value = float(special.betainc(a, b, x))
            if TINY < value < 1:
                rows.append([x, a, b, value])
    return rows


def beta_inverse():
    rows = []
    for a, b in product(SHAPES, SHAPES):
        for p in (1e-6, 0.025, 0.5, 0.975):
            x = float(special.betaincinv(a, b, p))
            if TINY < x < 1 - 1e-6:
                rows.append([p, a, b, x])
    return rows


def t_quantile():
    dfs = [1.0, 2.0, 2.5, 3.0, 4.0, 9.0, 24.0, 59.0, 99.0, 568.0, 1e4, 1e5]
    ps = [0.0005, 0.025, 0.1, 0.4, 0.6, 0.95, 0.975, 0.995, 0.99999]
    return [[p, df, float(stats.t.ppf(p, df))] for df, p in product(dfs, ps)]


def normal_quantile():
    ps = [1e-300, 1e-20, 1e-6, 0.001, 0.025, 0.05, 0.07, 0.08, 0.3, 0.499, 0.6, 0.92, 0.93, 0.975, 0.995, 1 - 1e-9]
    return [[p, float(special.ndtri(p))] for p in ps]


def wilson():
    rows = []
    for k, n, level in product([0, 1, 4, 9, 10], [10, 37], [0.9, 0.95, 0.99]):
        ci = stats.binomtest(k, n).proportion_ci(level, method="wilson")
        rows.append([k / n, n, level, float(ci.low), float(ci.high)])
    return rows


N_PATIENTS, ROWS, N_FOLDS, N_BOOTSTRAP, SEED, LEVEL = 40, 3, 4, 60, 11, 0.95


def cohort(repeats, weighted):
    rng = np.random.RandomState(5)
    n = N_PATIENTS * ROWS
    patient = np.repeat(np.arange(N_PATIENTS), ROWS)
    y = (rng.uniform(size=n) < 0.2 + 0.5 * (patient % 2)).astype(int)
    folds = []
    for repeat in range(repeats):
        fold_of = rng.permutation(N_PATIENTS) % N_FOLDS
        for fold in range(N_FOLDS):
            rows = np.flatnonzero(fold_of[patient] == fold)
            proba = np.clip(np.round(0.25 * y[rows] + rng.uniform(0, 0.75, len(rows)), 1), 0, 1)
            weight = np.round(rng.uniform(0.2, 2, len(rows)), 2) if weighted else None
            folds.append({"repeat": repeat, "units": patient[rows], "yTrue": y[rows], "yProba": proba, "weight": weight})
    return folds


POOLED = {
    "accuracy": lambda y, p, w: m.accuracy_score(y, p > 0.5, sample_weight=w),
    "balanced_accuracy": lambda y, p, w: m.balanced_accuracy_score(y, p > 0.5, sample_weight=w),
    "sensitivity": lambda y, p, w: m.recall_score(y, p > 0.5, sample_weight=w),
    "f1": lambda y, p, w: m.f1_score(y, p > 0.5, sample_weight=w),
    "brier": lambda y, p, w: m.brier_score_loss(y, p, sample_weight=w),
    "log_loss": lambda y, p, w: m.log_loss(y, p, sample_weight=w),
}


def combined(name, folds, times):
    """The estimate when each patient's rows stand `times[patient]` times."""
    copies = []
    for fold in folds:
        at = np.repeat(np.arange(len(fold["units"])), times[fold["units"]])
        weight = None if fold["weight"] is None else fold["weight"][at]
        copies.append((fold["repeat"], fold["yTrue"][at], fold["yProba"][at], weight))
    means = []
    for repeat in sorted({copy[0] for copy in copies}):
        parts = [copy[1:] for copy in copies if copy[0] == repeat]
        if name == "roc_auc":
            means.append(np.mean([m.roc_auc_score(y, p, sample_weight=w) for y, p, w in parts if 0 < y.mean() < 1]))
        else:
            y, p = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
            w = None if parts[0][2] is None else np.concatenate([part[2] for part in parts])
            means.append(POOLED[name](y, p, w))
    return float(np.mean(means))


def oof_bootstrap(name, folds):
    estimate = combined(name, folds, np.ones(N_PATIENTS, int))
    rng = np.random.RandomState(SEED)
    draws = [np.bincount(rng.randint(0, N_PATIENTS, N_PATIENTS), minlength=N_PATIENTS) for _ in range(N_BOOTSTRAP)]
    se = np.std([combined(name, folds, times) for times in draws], ddof=1)
    t = stats.t.ppf((1 + LEVEL) / 2, N_PATIENTS - 1)
    if name == "log_loss":
        limits = np.exp(np.log(estimate) + np.array([-1, 1]) * t * se / estimate)
    else:
        limits = special.expit(special.logit(estimate) + np.array([-1, 1]) * t * se / (estimate * (1 - estimate)))
    return {"metric": name, "estimate": estimate, "lower": float(limits[0]), "upper": float(limits[1])}


def bootstrap_case(repeats, weighted):
    folds = cohort(repeats, weighted)
    return {
        "nBootstrap": N_BOOTSTRAP, "seed": SEED, "level": LEVEL, "nUnits": N_PATIENTS,
        "folds": [{key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in f.items()} for f in folds],
        "expected": [oof_bootstrap(name, folds) for name in ["roc_auc", *POOLED]],
    }


def corrected_t():
    cases = []
    rng = np.random.RandomState(3)
    for j, n_test, n_train, level in [(5, 20, 80, 0.95), (10, 7, 63, 0.9), (3, 33, 66, 0.99), (2, 50, 50, 0.95)]:
        scores = [0.80, 0.82, 0.78, 0.85, 0.79] if j == 5 else np.round(rng.uniform(0.6, 0.7, j), 3).tolist()
        se = math.sqrt(np.var(scores, ddof=1) * (1 / j + n_test / n_train))
        low, high = stats.t.interval(level, j - 1, loc=np.mean(scores), scale=se)
        cases.append({"scores": scores, "nTest": n_test, "nTrain": n_train, "level": level,
                      "estimate": float(np.mean(scores)), "lower": float(low), "upper": float(high)})
    return cases


reference = {
    "source": "scipy.special.betainc / betaincinv / ndtri, scipy.stats.t.ppf, scipy.stats.binomtest (Wilson); numpy and sklearn.metrics for intervals",
    "versions": {"scipy": scipy.__version__, "scikit-learn": sklearn.__version__, "numpy": np.__version__, "python": platform.python_version()},
    "columns": {
        "incompleteBeta": ["x", "a", "b", "value"],
        "inverseIncompleteBeta": ["p", "a", "b", "x"],
        "studentTQuantile": ["p", "df", "t"],
        "normalQuantile": ["p", "z"],
        "wilson": ["share", "n", "level", "lower", "upper"],
    },
    "incompleteBeta": beta(),
    "inverseIncompleteBeta": beta_inverse(),
    "studentTQuantile": t_quantile(),
    "normalQuantile": normal_quantile(),
    "wilson": wilson(),
    "correctedT": corrected_t(),
    "oofBootstrap": [bootstrap_case(1, False), bootstrap_case(1, True), bootstrap_case(2, True)],
}
path = Path(__file__).with_suffix(".json")
path.write_text("{\n" + ",\n".join(
    f'"{key}": ' + ("[\n" + ",\n".join(json.dumps(row) for row in value) + "\n]" if isinstance(value, list) else json.dumps(value))
    for key, value in reference.items()
) + "\n}\n")
print({key: len(value) for key, value in reference.items() if isinstance(value, list)})
