"""Reference of `withTraining`: the part of training by half contrasts, written out from its definition in plain loops.

python3 test/reference/trainingPart.py > test/reference/trainingPart.json   (numpy, scipy)
"""

import json

import numpy as np
from scipy.integrate import quad
from scipy.stats import norm

METRICS = ["roc_auc", "accuracy", "sensitivity", "specificity", "brier"]


def psi(s, t):
    return 1.0 if s > t else 0.5 if s == t else 0.0


def auc(y, p):
    pairs = [psi(a, b) for a, u in zip(p, y) if u for b, v in zip(p, y) if not v]
    return float(np.mean(pairs))


def value(metric, y, p):
    y, p = np.array(y), np.array(p)
    hit = (p > 0.5) == (y == 1)
    if metric == "roc_auc":
        return auc(y, p)
    if metric == "accuracy":
        return float(hit.mean())
    if metric == "sensitivity":
        return float(hit[y == 1].mean())
    if metric == "specificity":
        return float(hit[y == 0].mean())
    return float(((p - y) ** 2).mean())


def influence(metric, folds, n):
    """By unit: AUC from placements in the fold, centred at the mean of the folds; else (loss - estimate) / rows."""
    u = np.zeros(n)
    if metric == "roc_auc":
        est = np.mean([auc(f["y"], f["p"]) for f in folds])
        for f in folds:
            y, p = f["y"], f["p"]
            m, k = sum(y), len(y) - sum(y)
            for i, unit in enumerate(f["units"]):
                others = [psi(p[i], p[j]) if y[i] else psi(p[j], p[i]) for j in range(len(y)) if y[j] != y[i]]
                u[unit] += (np.mean(others) - est) / (len(folds) * (m if y[i] else k))
        return est, u
    y = sum((f["y"] for f in folds), [])
    p = sum((f["p"] for f in folds), [])
    units = sum((f["units"] for f in folds), [])
    est = value(metric, y, p)
    rows = {"sensitivity": sum(y), "specificity": len(y) - sum(y)}.get(metric, len(y))
    for label, score, unit in zip(y, p, units):
        if metric == "sensitivity" and not label or metric == "specificity" and label:
            continue
        loss = (score - label) ** 2 if metric == "brier" else float((score > 0.5) == (label == 1))
        u[unit] += (loss - est) / rows
    return est, u


def pair_excess(metric, folds):
    """What sums of squared influences of an area under the curve count twice."""
    if metric != "roc_auc":
        return 0.0
    scores = [name for name in ("p", "q") if name in folds[0]]
    sign = {"p": 1, "q": -1}
    est = sum(sign[s] * np.mean([auc(f["y"], f[s]) for f in folds]) for s in scores)
    excess = 0.0
    for f in folds:
        y, g = f["y"], f["units"]
        pos = [i for i in range(len(y)) if y[i]]
        neg = [i for i in range(len(y)) if not y[i]]
        for a in {g[i] for i in pos}:
            for b in {g[j] for j in neg}:
                pairs = sum(
                    sum(sign[s] * psi(f[s][i], f[s][j]) for s in scores) - est
                    for i in pos
                    if g[i] == a
                    for j in neg
                    if g[j] == b
                )
                excess += (pairs / len(pos) / len(neg)) ** 2
    return excess / len(folds) ** 2


def training(metric, repeats, halvings, n, test):
    """Of one model, or of the difference of two: then every fold has the scores of the second one, `q`, too."""
    two = "q" in repeats[0][0]

    def minus(of):
        """`of` the first model's folds, less that of the second."""
        return lambda folds: of(folds) - of([{**f, "p": f["q"]} for f in folds]) if two else of(folds)

    u = np.mean([minus(lambda f: influence(metric, f, n)[1])(folds) for folds in repeats], axis=0)
    excess = np.mean([pair_excess(metric, folds) for folds in repeats])
    covariance, variance_of_training = [], []
    for A, B in halvings:
        of = minus(lambda folds: value(metric, folds[0]["y"], folds[0]["p"]))
        a, b = of([A]), of([B])
        h = minus(lambda f: influence(metric, f, n)[1])([A, B])
        inA, inB = sorted(set(A["units"])), sorted(set(B["units"]))
        x = u[inA].sum() - u[inB].sum()
        # Ranks: the mean of both halves. Losses and counts over all rows: both halves are divided by the same numbers.
        contrast = (a - b) / 2 if metric == "roc_auc" else h[inA].sum() - h[inB].sum()
        z = x - contrast
        apart = u - h
        for half in (inA, inB):
            apart[half] -= apart[half].mean()
        covariance.append(x * z - (u * apart).sum())
        variance_of_training.append(z**2 - (apart**2).sum())
    part = 2 * np.array(covariance) + np.array(variance_of_training) - excess
    R = len(part)
    V = test["variance"] + max(part.mean(), 0)
    # Variance of max(N, 0), N normal with the mean and the standard error of the halvings, by integration.
    law = norm(part.mean(), part.std(ddof=1) / np.sqrt(R))
    above = lambda power: quad(lambda v: v**power * law.pdf(v), 0, max(law.mean(), 0) + 12 * law.std(), epsabs=0, points=[max(law.mean(), 0)])[0]
    var_A = above(2) - above(1) ** 2
    return {
        "covariance": covariance,
        "training": variance_of_training,
        "excess": excess,
        "variance": V,
        "df": max(V**2 / (test["variance"] ** 2 / test["df"] + var_A / 2), min(test["df"], R / 2)),
    }


def case(name, n, rows, repeats, label_of_row, strength, R=6, K=3, seed=0, two=False):
    """Made-up predictions: a score of the row, and a shift that every model draws anew for some units."""
    rng = np.random.default_rng(seed)
    unit = np.repeat(np.arange(n), [1 + rng.integers(rows) for _ in range(n)])
    y = rng.integers(2, size=len(unit)) if label_of_row else (np.arange(n) % 2)[unit]
    own = rng.normal(size=n)[unit] + rng.normal(size=len(unit))

    def tested(members):
        at = [i for i in range(len(unit)) if unit[i] in members]
        z = strength * (2 * y[at] - 1) + own[at] + rng.normal() * 0.4 + 0.6 * rng.normal(size=len(at))
        p = np.round(1 / (1 + np.exp(-z)), 2)
        q = np.round(1 / (1 + np.exp(-(z / 2 + rng.normal(size=len(at)) + rng.normal() * 0.3))), 2)
        second = {"q": q.tolist()} if two else {}
        return {"y": y[at].tolist(), "p": p.tolist(), "units": unit[at].tolist(), **second}

    def split(parts):
        order = rng.permutation(n)
        return [tested(set(order[k::parts].tolist())) for k in range(parts)]

    folds = [split(K) for _ in range(repeats)]
    halvings = [split(2) for _ in range(R)]
    test = {"variance": 0.004, "df": 30}
    return {
        "name": name,
        "repeats": folds,
        "halvings": halvings,
        "test": test,
        "expected": {m: training(m, folds, halvings, n, test) for m in METRICS},
    }


if __name__ == "__main__":
    cases = [
        case("one row per patient", 36, 1, 1, False, 0.6, seed=1),
        case("several rows, labels per patient, a large part of training", 30, 3, 1, False, 0.3, R=7, seed=2),
        case("several rows, labels per row", 30, 3, 1, True, 0.5, seed=3),
        case("two repeats", 36, 2, 2, False, 0.5, K=4, seed=4),
        case("strong signal", 40, 1, 1, False, 1.6, R=5, seed=5),
        case("difference of two models", 36, 1, 1, False, 0.6, seed=6, two=True),
        case("difference of two models, several rows, two repeats", 30, 3, 2, True, 0.5, seed=7, two=True),
    ]
    print(json.dumps(cases))
