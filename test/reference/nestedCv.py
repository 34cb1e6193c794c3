"""Writes nestedCv.json: nested cross-validation intervals from given folds and predictions, with numpy and scipy alone.

Independent rows follow the formulas of mlr3inferr's `ci.ncv` word for word (var / n, sd / sqrt(n)). Weighted rows and
patients: the mean is weighted, the variance of a mean over G units is G / (G - 1) times the sum of the squares of the
units' summed w (loss - mean) / sum(w); the lower bound takes each unit as often as outer folds look at it, and the mean
of the squares over these looks.

python3 nestedCv.py > nestedCv.json
"""

import json
import platform

import numpy
import scipy
from scipy.stats import norm

LEVEL = 0.95
RANGES = {"accuracy": (0, 1), "brier": (0, 1), "log_loss": (0, numpy.inf), "mse": (0, numpy.inf)}


def loss_of(metric, y, p):
    if metric == "accuracy":
        return ((p > 0.5) == (y == 1)).astype(float)
    if metric == "log_loss":
        return -numpy.log(numpy.where(y == 1, p, 1 - p))
    return (p - y) ** 2


def rows_of(metric, test):
    return loss_of(metric, numpy.array(test["yTrue"]), numpy.array(test["yPred"]))


def plain(metric, tests, repeats, K, n):
    """Independent rows, no weights: as published."""
    outer = {(t["repeat"], t["outer"]): rows_of(metric, t) for t in tests if t["inner"] is None}
    inner = {}
    for t in tests:
        if t["inner"] is not None:
            inner.setdefault((t["repeat"], t["outer"]), []).append(rows_of(metric, t))
    a = [(numpy.mean(numpy.concatenate(inner[at])) - numpy.mean(outer[at])) ** 2 for at in outer]
    b = [numpy.var(outer[at], ddof=1) / len(outer[at]) for at in outer]
    everything = numpy.concatenate([numpy.concatenate(parts) for parts in inner.values()])
    err_ncv, err_cv = everything.mean(), numpy.concatenate(list(outer.values())).mean()
    low = everything.std(ddof=1) / numpy.sqrt(n)
    return numpy.array(a) - numpy.array(b), err_ncv, err_cv, low


def clustered(metric, tests, repeats, K, n):
    """Weighted rows or patients, by loops over units."""

    def weighted_mean(parts):
        return sum((w * e).sum() for e, w, _ in parts) / sum(w.sum() for _, w, _ in parts)

    def squares(parts):
        """Number of units and sum of the squares of their sums, divided by the squared total weight."""
        m, total, sums = weighted_mean(parts), sum(w.sum() for _, w, _ in parts), {}
        for e, w, units in parts:
            for i in range(len(e)):
                sums[units[i]] = sums.get(units[i], 0.0) + w[i] * (e[i] - m)
        return len(sums), sum(s**2 for s in sums.values()) / total**2

    def part(t, tag=None):
        w = numpy.array(t["weight"]) if t["weight"] else numpy.ones(len(t["yTrue"]))
        units = t["units"] if tag is None else [(u, tag) for u in t["units"]]
        return rows_of(metric, t), w, units

    excess, outers, inners = [], [], []
    for t in tests:
        if t["inner"] is not None:
            inners.append(part(t, (t["repeat"], t["outer"])))
            continue
        outers.append(part(t))
        others = [part(o) for o in tests if o["inner"] is not None and (o["repeat"], o["outer"]) == (t["repeat"], t["outer"])]
        groups, square = squares([part(t)])
        excess.append((weighted_mean(others) - weighted_mean([part(t)])) ** 2 - groups / (groups - 1) * square)
    looks, square = squares(inners)
    low = numpy.sqrt(repeats * (K - 1) * looks / (looks - 1) * square)
    return numpy.array(excess), weighted_mean(inners), weighted_mean(outers), low


def interval(metric, tests, repeats, K, n, how):
    excess, err_ncv, err_cv, low = how(metric, tests, repeats, K, n)
    mse = (K - 1) / K * excess.mean()
    se = max(low, min(numpy.sqrt(max(0, mse)), low * numpy.sqrt(K)))
    estimate = err_ncv - (1 + (K - 2) / K) * (err_ncv - err_cv)
    half = norm.ppf((1 + LEVEL) / 2) * se
    least, most = RANGES[metric]
    bound = "lower" if se == low else "upper" if se == low * numpy.sqrt(K) else None
    return {
        "metric": metric,
        "estimate": float(estimate),
        "lower": float(max(least, estimate - half)),
        "upper": float(min(most, estimate + half)),
        "bound": bound,
    }


def draw(rng, patients, most_rows, repeats, K, weighted, shift, regression):
    counts = rng.integers(1, most_rows + 1, patients)
    units = numpy.repeat(numpy.arange(patients), counts)
    n = len(units)
    y = rng.normal(0, 1, n) if regression else (rng.random(patients) < 0.45).astype(int)[units]
    effect = rng.normal(0, 0.8, patients)[units] * (most_rows > 1)
    w = numpy.round(rng.uniform(0.5, 2, n), 3)
    tests = []

    def test(repeat, outer, inner, rows, push):
        noise = effect[rows] + push + rng.normal(0, 1, len(rows))
        p = numpy.round(0.6 * y[rows] + noise, 3) if regression else numpy.round(1 / (1 + numpy.exp(-(1.5 * y[rows] - 0.7 + noise))), 3)
        p = p if regression else numpy.clip(p, 0.001, 0.999)
        tests.append(
            {
                "repeat": repeat,
                "outer": outer,
                "inner": inner,
                "yTrue": numpy.round(y[rows], 3).tolist(),
                "yPred": p.tolist(),
                "units": units[rows].tolist(),
                "weight": w[rows].tolist() if weighted else None,
            }
        )

    for repeat in range(repeats):
        fold = (rng.permutation(patients) % K)[units]
        push = rng.normal(0, shift, K)
        for k in range(K):
            test(repeat, k, None, numpy.flatnonzero(fold == k), push[k])
            for j in range(K):
                if j != k:
                    test(repeat, k, j, numpy.flatnonzero(fold == j), push[j] / 2 + push[k] / 2)
    return tests, n


def main():
    rng = numpy.random.default_rng(20241434)
    cases = []
    for name, arguments, how, metrics in [
        ("independent rows", (60, 1, 3, 5, False, 0.0, False), plain, ["accuracy", "brier", "log_loss"]),
        ("independent rows whose folds differ", (48, 1, 2, 4, False, 1.0, False), plain, ["accuracy", "brier"]),
        ("regression, folds that differ much", (45, 1, 2, 3, False, 3.0, True), plain, ["mse"]),
        ("weighted rows", (50, 1, 2, 4, True, 0.7, False), clustered, ["accuracy", "brier"]),
        ("patients with several rows", (40, 4, 2, 4, False, 0.7, False), clustered, ["accuracy", "brier"]),
        ("weighted rows of patients", (36, 3, 2, 3, True, 1.0, False), clustered, ["accuracy", "log_loss"]),
    ]:
        tests, n = draw(rng, *arguments)
        repeats, K = arguments[2:4]
        cases.append(
            {
                "name": name,
                "unit": "patient" if arguments[1] > 1 else "row",
                "regression": arguments[6],
                "tests": tests,
                "expected": [interval(metric, tests, repeats, K, n, how) for metric in metrics],
            }
        )
    versions = {"python": platform.python_version(), "numpy": numpy.__version__, "scipy": scipy.__version__}
    print(json.dumps({"generator": "nestedCv.py", "versions": versions, "level": LEVEL, "cases": cases}))


main()
