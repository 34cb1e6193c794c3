"""Reference of `withTraining`: the part of training by half contrasts, written out from its definition in plain loops.

python3 test/reference/trainingPart.py > test/reference/trainingPart.json   (numpy only)
"""

import json

import numpy as np

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


def pair_excess(metric, folds, est):
    """What sums of squared influences of an area under the curve count twice."""
    if metric != "roc_auc":
        return 0.0
    excess = 0.0
    for f in folds:
        y, p, g = f["y"], f["p"], f["units"]
        pos = [i for i in range(len(y)) if y[i]]
        neg = [i for i in range(len(y)) if not y[i]]
        for a in {g[i] for i in pos}:
            for b in {g[j] for j in neg}:
                pairs = sum(psi(p[i], p[j]) - est for i in pos if g[i] == a for j in neg if g[j] == b)
                excess += (pairs / len(pos) / len(neg)) ** 2
    return excess / len(folds) ** 2


def training(metric, repeats, halvings, n, test):
    found = [influence(metric, folds, n) for folds in repeats]
    u = np.mean([each for _, each in found], axis=0)
    excess = np.mean([pair_excess(metric, folds, est) for folds, (est, _) in zip(repeats, found)])
    covariance, variance_of_training = [], []
    for A, B in halvings:
        a, b = value(metric, A["y"], A["p"]), value(metric, B["y"], B["p"])
        _, h = influence(metric, [A, B], n)
        inA, inB = sorted(set(A["units"])), sorted(set(B["units"]))
        x = u[inA].sum() - u[inB].sum()
        z = x - (a - b) / 2
        apart = u - h
        for half in (inA, inB):
            apart[half] -= apart[half].mean()
        covariance.append(x * z - (u * apart).sum())
        variance_of_training.append(z**2 - (apart**2).sum())
    part = 2 * np.array(covariance) + np.array(variance_of_training)
    R = len(part)
    A = max(part.mean(), 0)
    jack = np.array([max(np.delete(part, out).mean(), 0) for out in range(R)])
    var_A = (R - 1) / R * ((jack - jack.mean()) ** 2).sum()
    V_te = max(test["variance"] - excess, test["variance"] / 2)
    V = V_te + A
    return {
        "covariance": covariance,
        "training": variance_of_training,
        "excess": excess,
        "variance": V,
        "df": max(V**2 / (V_te**2 / test["df"] + var_A / 2), min(test["df"], R / 2)),
    }


def case(name, n, rows, repeats, label_of_row, strength, R=6, K=3, seed=0):
    """Made-up predictions: a score of the row, and a shift that every model draws anew for some units."""
    rng = np.random.default_rng(seed)
    unit = np.repeat(np.arange(n), [1 + rng.integers(rows) for _ in range(n)])
    y = rng.integers(2, size=len(unit)) if label_of_row else (np.arange(n) % 2)[unit]
    own = rng.normal(size=n)[unit] + rng.normal(size=len(unit))

    def tested(members):
        at = [i for i in range(len(unit)) if unit[i] in members]
        z = strength * (2 * y[at] - 1) + own[at] + rng.normal() * 0.4 + 0.6 * rng.normal(size=len(at))
        p = np.round(1 / (1 + np.exp(-z)), 2)
        return {"y": y[at].tolist(), "p": p.tolist(), "units": unit[at].tolist()}

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
    ]
    print(json.dumps(cases))
