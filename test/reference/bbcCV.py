"""Writes bbcCV.json: bootstrap bias-corrected cross-validation with numpy alone, rows copied, nothing shared with the
package but numpy's stream of draws. The folds of the repeats are scikit-learn's.

python3 bbcCV.py > bbcCV.json
"""

import json
import platform

import numpy
import sklearn
from sklearn.model_selection import RepeatedKFold

LEVEL = 0.9
B = 200
SEED = 7


def auc(y, p, w):
    pos, neg = numpy.flatnonzero(y == 1), numpy.flatnonzero(y == 0)
    if len(pos) == 0 or len(neg) == 0:
        return None
    wins = (p[pos][:, None] > p[neg][None, :]) + 0.5 * (p[pos][:, None] == p[neg][None, :])
    return float((w[pos][:, None] * w[neg][None, :] * wins).sum() / (w[pos].sum() * w[neg].sum()))


def slope(y, p, w):
    """Coefficient of the log-odds in a logistic regression, by Newton's method."""
    x = numpy.column_stack([numpy.ones(len(y)), numpy.log(p / (1 - p))])
    beta = numpy.array([0.0, 1.0])
    for _ in range(50):
        mu = 1 / (1 + numpy.exp(-x @ beta))
        step = numpy.linalg.solve((x * (w * mu * (1 - mu))[:, None]).T @ x, x.T @ (w * (y - mu)))
        beta = beta + step
    assert numpy.abs(step).max() < 1e-12
    return float(beta[1])


METRICS = {
    "roc_auc": (auc, "mean", lambda v: -v),
    "accuracy": (lambda y, p, w: float(numpy.average((p > 0.5) == y, weights=w)), "pooled", lambda v: -v),
    "brier": (lambda y, p, w: float(numpy.average((p - y) ** 2, weights=w)), "pooled", lambda v: v),
    "calibration_slope": (slope, "pooled", lambda v: abs(v - 1)),
    "rmse": (lambda y, p, w: float(numpy.sqrt(numpy.average((p - y) ** 2, weights=w))), "pooled", lambda v: v),
}


def value(metric, case, p, times):
    """The metric on rows copied as often as `times` says of their unit, and the number of parts that have a value."""
    compute, combine, _ = METRICS[metric]
    means, defined = [], 0
    for folds in case["repeats"]:
        parts = [numpy.concatenate(folds)] if combine == "pooled" else folds
        found = []
        for rows in parts:
            rows = numpy.repeat(rows, times[case["units"][rows]])
            one = compute(case["y"][rows], p[rows], case["w"][rows]) if len(rows) > 0 else None
            if one is not None:
                found.append(one)
        defined += len(found)
        if found:
            means.append(numpy.mean(found))
    return (float(numpy.mean(means)) if means else None), defined


def best(metric, values):
    losses = [numpy.inf if v is None else METRICS[metric][2](v) for v in values]
    return int(numpy.argmin(losses))


def bbc(metric, case):
    n = case["units"].max() + 1
    plain = [value(metric, case, p, numpy.ones(n, dtype=int)) for p in case["p"]]
    chosen = best(metric, [v for v, _ in plain])
    random = numpy.random.RandomState(SEED)
    values, wins, thinned = [], numpy.zeros(len(case["p"])), 0
    for _ in range(B):
        times = numpy.bincount(random.randint(0, n, n), minlength=n)
        at = best(metric, [value(metric, case, p, times)[0] for p in case["p"]])
        left, defined = value(metric, case, case["p"][at], (times == 0).astype(int))
        if left is None:
            continue
        values.append(left)
        wins[at] += 1
        thinned += defined < plain[chosen][1]
    lower, upper = numpy.percentile(values, [50 * (1 - LEVEL), 50 * (1 + LEVEL)])
    return {
        "metric": metric,
        "naive": plain[chosen][0],
        "chosen": chosen,
        "estimate": float(numpy.mean(values)),
        "lower": float(lower),
        "upper": float(upper),
        "chosenShare": (wins / len(values)).tolist(),
        "dropped": B - len(values),
        "thinned": int(thinned),
    }


def draw(rng, patients, most_rows, signals, weighted, task):
    units = numpy.repeat(numpy.arange(patients), rng.integers(1, most_rows + 1, patients))
    n = len(units)
    y = (rng.random(patients) < 0.45).astype(int)[units] if task == "binary" else numpy.round(rng.normal(0, 1, n), 2)
    w = numpy.round(rng.uniform(0.5, 2, n), 3) if weighted else numpy.ones(n)
    p = [
        numpy.round(1 / (1 + numpy.exp(-(s * (2 * y - 1) + rng.normal(0, 1, n)))), 2).clip(0.01, 0.99)
        if task == "binary"
        else numpy.round(s * y + rng.normal(0, 1, n), 2)
        for s in signals
    ]
    return {"y": y, "p": p, "w": w, "units": units}


def main():
    rng = numpy.random.default_rng(20260107)
    cases = []

    def add(name, case, metrics, given, weighted, grouped):
        cases.append(
            {
                "name": name,
                **given,
                "y": case["y"].tolist(),
                "configurations": [p.tolist() for p in case["p"]],
                "weight": case["w"].tolist() if weighted else None,
                "groups": case["units"].tolist() if grouped else None,
                "expected": [bbc(metric, case) for metric in metrics],
            }
        )

    for name, arguments, metrics in [
        ("several rows per patient", (40, 3, [0.2, 0.3, 0, 0.25], False, "binary"), ["roc_auc", "accuracy", "brier"]),
        ("weights", (36, 2, [0.3, 0.4, 0.35], True, "binary"), ["roc_auc", "brier", "calibration_slope"]),
        ("regression", (30, 2, [0.4, 0.5, 0.6], False, "regression"), ["rmse"]),
    ]:
        case = draw(rng, *arguments)
        fold = (rng.permutation(arguments[0]) % 4)[case["units"]]
        case["repeats"] = [[numpy.flatnonzero(fold == k) for k in range(4)]]
        add(name, case, metrics, {"fold": fold.tolist()}, arguments[3], True)
    case = draw(rng, 48, 1, [0.1, 0.3, 0.2], False, "binary")
    tests = [test for _, test in RepeatedKFold(n_splits=6, n_repeats=2, random_state=3).split(case["y"])]
    case["repeats"] = [tests[:6], tests[6:]]
    repeated = {"nSplits": 6, "nRepeats": 2, "randomState": 3}
    add("repeats of rows", case, ["roc_auc", "accuracy"], {"repeated": repeated}, False, False)
    versions = {"python": platform.python_version(), "numpy": numpy.__version__, "scikit-learn": sklearn.__version__}
    settings = {"level": LEVEL, "nBootstrap": B, "randomState": SEED}
    print(json.dumps({"generator": "bbcCV.py", "versions": versions, "settings": settings, "cases": cases}))


main()
