"""Writes foldIntervals.json: the intervals `analytic` and `bootstrap`, step by step, with numpy and scipy alone.

python3 foldIntervals.py > foldIntervals.json

The bootstrap draws patients from numpy.random.RandomState, whose stream the package reproduces.
"""

import json
import platform

import numpy
import scipy
from scipy.stats import t as student

METRICS = ["roc_auc", "accuracy", "sensitivity", "specificity", "brier", "f1"]
SEED, N_BOOTSTRAP = 7, 100
DEPENDS = {"accuracy", "brier", "f1"}
POOLED = {"accuracy", "sensitivity", "specificity", "brier", "f1"}
LEVEL = 0.95


def value(metric, y, p, w):
    """The metric of one block."""
    q = (p > 0.5).astype(float)
    if metric == "roc_auc":
        pos, neg = numpy.flatnonzero(y == 1), numpy.flatnonzero(y == 0)
        wins = (p[pos][:, None] > p[neg][None, :]) + 0.5 * (p[pos][:, None] == p[neg][None, :])
        return float((w[pos][:, None] * w[neg][None, :] * wins).sum() / (w[pos].sum() * w[neg].sum()))
    a, b = terms(metric, y, p, q)
    return float((w * a).sum() / (w * b).sum())


def terms(metric, y, p, q):
    one = numpy.ones_like(y, dtype=float)
    return {
        "accuracy": ((q == y).astype(float), one),
        "sensitivity": (((q == 1) & (y == 1)).astype(float), (y == 1).astype(float)),
        "specificity": (((q == 0) & (y == 0)).astype(float), (y == 0).astype(float)),
        "brier": ((p - y) ** 2, one),
        "f1": (2.0 * ((q == 1) & (y == 1)), (y == 1).astype(float) + (q == 1)),
    }[metric]


def influence(metric, y, p, w, estimate):
    if metric == "roc_auc":
        out = numpy.zeros(len(y))
        for i in range(len(y)):
            other = y != y[i]
            better = (p[i] > p[other]) if y[i] == 1 else (p[other] > p[i])
            placement = (w[other] * (better + 0.5 * (p[i] == p[other]))).sum() / w[other].sum()
            out[i] = w[i] * (placement - estimate) / w[y == y[i]].sum()
        return out
    a, b = terms(metric, y, p, (p > 0.5).astype(float))
    return w * (a - estimate * b) / (w * b).sum()


def variance(metric, phi, units, y):
    """Sum per unit, strata by the classes of a unit, Satterthwaite with Kish's counts."""
    found = {}
    for unit in numpy.unique(units):
        rows = units == unit
        stratum = () if metric in DEPENDS else tuple(sorted(set(y[rows].tolist())))
        found.setdefault(stratum, []).append((phi[rows].sum(), rows.sum()))
    total, spread = 0.0, 0.0
    for members in found.values():
        sums, counts = numpy.array([m[0] for m in members]), numpy.array([m[1] for m in members], dtype=float)
        n = len(members)
        v = n / (n - 1) * (sums**2).sum()
        kish = counts.sum() ** 2 / (counts**2).sum()
        total += v
        spread += v**2 / (kish - 1)
    return total, total**2 / spread


def pieces(metric, repeats):
    """Per repeat: blocks that are scored together, the estimate, and influence, unit and class of every row."""
    for folds in repeats:
        blocks = [{k: numpy.concatenate([f[k] for f in folds]) for k in folds[0]}] if metric in POOLED else folds
        estimate = numpy.mean([value(metric, b["y"], b["p"], b["w"]) for b in blocks])
        phi = numpy.concatenate([influence(metric, b["y"], b["p"], b["w"], estimate) / len(blocks) for b in blocks])
        yield blocks, estimate, phi, *(numpy.concatenate([b[k] for b in blocks]) for k in ("units", "y"))


def resampled(metric, blocks, estimate, phi, units, times):
    """The metric with every patient as often as drawn; by the influences where a fold lacks a class."""
    values = []
    for b in blocks:
        rows = numpy.repeat(numpy.arange(len(b["y"])), times[b["units"]])
        y, p, w = b["y"][rows], b["p"][rows], b["w"][rows]
        if metric == "roc_auc" and len(set(y.tolist())) < 2:
            return estimate + (times[units] * phi).sum(), True
        values.append(value(metric, y, p, w))
    return numpy.mean(values), False


def interval(metric, repeats, bootstrap):
    estimates, variances, dfs, linear = [], [], [], 0
    for blocks, estimate, phi, units, y in pieces(metric, repeats):
        v, df = variance(metric, phi, units, y)
        if bootstrap:
            rng, n = numpy.random.RandomState(SEED), units.max() + 1
            draws = [numpy.bincount(rng.randint(0, n, n), minlength=n) for _ in range(N_BOOTSTRAP)]
            found = [resampled(metric, blocks, estimate, phi, units, times) for times in draws]
            v, linear = numpy.var([each for each, _ in found], ddof=1), max(linear, sum(moved for _, moved in found))
        estimates.append(estimate)
        variances.append(v)
        dfs.append(df)
    estimate, se, df = numpy.mean(estimates), numpy.sqrt(numpy.mean(variances)), numpy.mean(dfs)
    half = student.ppf((1 + LEVEL) / 2, df) * se / (estimate * (1 - estimate))
    logit = numpy.log(estimate / (1 - estimate))
    lower, upper = (1 / (1 + numpy.exp(-(logit + side * half))) for side in (-1, 1))
    return {"estimate": float(estimate), "lower": float(lower), "upper": float(upper), "linear": linear}


def draw(rng, patients, most_rows, repeats, weighted, mixed, prevalence=0.45):
    label = (rng.random(patients) < prevalence).astype(int)
    counts = rng.integers(1, most_rows + 1, patients)
    units = numpy.repeat(numpy.arange(patients), counts)
    y = label[units]
    if mixed:
        y = numpy.where(rng.random(len(y)) < 0.15, 1 - y, y)
    w = numpy.round(rng.uniform(0.5, 2, len(y)), 3) if weighted else numpy.ones(len(y))
    found = []
    for _ in range(repeats):
        fold = rng.permutation(patients) % 4
        p = numpy.round(1 / (1 + numpy.exp(-(1.2 * y - 0.6 + rng.normal(0, 1, len(y))))), 2)
        found.append(
            [
                {"y": y[rows], "p": p[rows], "w": w[rows], "units": units[rows]}
                for rows in (fold[units] == k for k in range(4))
            ]
        )
    return found


def main():
    rng = numpy.random.default_rng(20260105)
    cases = []
    for name, arguments in {
        "one row per patient": (90, 1, 1, False, False),
        "several rows per patient": (80, 6, 1, False, False),
        "patients of both classes, weights": (100, 5, 1, True, True),
        "three repeats": (70, 3, 3, False, False),
        "few positive patients": (60, 2, 1, False, False, 0.2),
    }.items():
        repeats = draw(rng, *arguments)
        cases.append(
            {
                "name": name,
                "level": LEVEL,
                "folds": [
                    {
                        "repeat": r,
                        "yTrue": f["y"].tolist(),
                        "yProba": f["p"].tolist(),
                        "weight": f["w"].tolist() if arguments[3] else None,
                        "units": f["units"].tolist(),
                    }
                    for r, folds in enumerate(repeats)
                    for f in folds
                ],
                "expected": [
                    {"metric": metric, "analytic": interval(metric, repeats, False), "bootstrap": interval(metric, repeats, True)}
                    for metric in METRICS
                ],
            }
        )
    versions = {"python": platform.python_version(), "numpy": numpy.__version__, "scipy": scipy.__version__}
    print(json.dumps({"generator": "foldIntervals.py", "versions": versions, "seed": SEED, "nBootstrap": N_BOOTSTRAP, "cases": cases}))


main()
