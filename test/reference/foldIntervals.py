"""Writes calibratedBootstrap.json: the default interval, step by step, with numpy and scipy alone.

python3 calibratedBootstrap.py > calibratedBootstrap.json
"""

import json
import platform

import numpy
import scipy
from scipy.stats import t as student

FACTORS = {"roc_auc": 1.2, "accuracy": 1.1, "sensitivity": 1.1, "specificity": 1.0, "brier": 1.1, "f1": 1.2}
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


def shift(metric, y, p, w, units):
    """Influence through the prevalence of the training sets: slope in the cut-off times the influence on its log-odds."""
    if metric in ("roc_auc", "brier"):
        return numpy.zeros(len(y))
    inside = numpy.clip(p, 1e-6, 1 - 1e-6)
    z = numpy.log(inside / (1 - inside))
    ordered = numpy.sort(z)
    quartile = [ordered[int(share * (len(z) - 1))] for share in (0.25, 0.75)]
    h = numpy.sqrt(3) * 0.9 * min(z.std(ddof=1), (quartile[1] - quartile[0]) / 1.349) * len(set(units)) ** -0.2
    up, down = (value(metric, y, 1 / (1 + numpy.exp(-(z + step))), w) for step in (h, -h))
    prevalence = (w * y).sum() / w.sum()
    return (up - down) / (2 * h) * w * (y - prevalence) / (w.sum() * prevalence * (1 - prevalence))


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


def interval(metric, repeats):
    estimates, variances, dfs = [], [], []
    for folds in repeats:
        blocks = [{k: numpy.concatenate([f[k] for f in folds]) for k in folds[0]}] if metric in POOLED else folds
        estimate = numpy.mean([value(metric, b["y"], b["p"], b["w"]) for b in blocks])
        phi = numpy.concatenate([influence(metric, b["y"], b["p"], b["w"], estimate) / len(blocks) for b in blocks])
        units = numpy.concatenate([b["units"] for b in blocks])
        if len(blocks) == 1:
            phi = phi + shift(metric, blocks[0]["y"], blocks[0]["p"], blocks[0]["w"], units)
        y = numpy.concatenate([b["y"] for b in blocks])
        v, df = variance(metric, phi, units, y)
        estimates.append(estimate)
        variances.append(v)
        dfs.append(df)
    estimate, se, df = numpy.mean(estimates), FACTORS[metric] * numpy.sqrt(numpy.mean(variances)), numpy.mean(dfs)
    half = student.ppf((1 + LEVEL) / 2, df) * se / (estimate * (1 - estimate))
    logit = numpy.log(estimate / (1 - estimate))
    lower, upper = (1 / (1 + numpy.exp(-(logit + side * half))) for side in (-1, 1))
    return {"estimate": float(estimate), "lower": float(lower), "upper": float(upper)}


def draw(rng, patients, most_rows, repeats, weighted, mixed):
    label = (rng.random(patients) < 0.45).astype(int)
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
                "expected": [{"metric": metric, **interval(metric, repeats)} for metric in FACTORS],
            }
        )
    versions = {"python": platform.python_version(), "numpy": numpy.__version__, "scipy": scipy.__version__}
    print(json.dumps({"generator": "calibratedBootstrap.py", "versions": versions, "cases": cases}))


main()
