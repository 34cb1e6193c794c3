"""Folds of scikit-learn for test/splitters: writes splitters.json beside this file.

Run: python test/reference/splitters.py     (scikit-learn >= 1.9.1, numpy)

A partition is stored as one character per row, the base-36 digit of the fold that tests it; partitions of many rows as
the SHA-256 of that string. A hold-out is stored the same way, 0 for test and 1 for train. Class labels and group ids
come from the formulas below, which the TypeScript test repeats.
"""

import hashlib
import json
import pathlib
import warnings

import numpy as np
import sklearn
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
SEEDS = [0, 1, 42, 2**32 - 1]


def noise(n, salt):
    """Integers 0 ... 1008 without a pattern that matters."""
    i = np.arange(n, dtype=np.int64)
    return (i * i * 31 + i * (17 + salt)) % 1009


def labels(n, classes):
    """Class i is about half as frequent as class i - 1; the first row is of the last class."""
    cuts = np.cumsum([2.0 ** -(c + 1) for c in range(classes)])
    y = np.minimum(np.searchsorted(cuts, noise(n, 3) / 1009, side="right"), classes - 1)
    y[0] = classes - 1
    return y


def group_ids(n, groups):
    """Uneven groups: low ids are larger."""
    return (noise(n, 5) * noise(n, 11) * groups) // (1009 * 1009)


def numbers(n):
    """A continuous target with ties."""
    return (noise(n, 7) // 5) * 0.25 + noise(n, 2) // 500


def pack(assignment):
    text = "".join(DIGITS[fold] for fold in assignment)
    return text if len(text) <= 300 else "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def partition(n, folds):
    assignment = np.full(n, -1)
    for fold, (train, test) in enumerate(folds):
        assert (assignment[test] == -1).all() and len(train) + len(test) == n
        assignment[test] = fold
    return pack(assignment)


def cut(n, folds):
    [(train, test)] = folds
    side = np.full(n, -1)
    side[train], side[test] = 1, 0
    return pack(side)


def main():
    warnings.simplefilter("ignore")
    cases = []

    def add(splitter, options, n, folds, **data):
        cases.append({"splitter": splitter, "options": options, "n": n, **data, "folds": folds})

    def shuffles():
        yield {}, {}
        for seed in SEEDS:
            yield {"shuffle": True, "randomState": seed}, {"shuffle": True, "random_state": seed}

    for n, k in [(2, 2), (10, 3), (23, 5), (100, 10), (257, 36), (20000, 7)]:
        X = np.zeros((n, 1))
        for options, params in shuffles():
            add("KFold", {"nSplits": k, **options}, n, [partition(n, KFold(k, **params).split(X))])
    for n, k, classes in [(8, 2, 2), (24, 2, 3), (60, 5, 2), (60, 3, 3), (200, 10, 3), (20000, 7, 6)]:
        X, y = np.zeros((n, 1)), labels(n, classes)
        assert np.bincount(y).min() >= k, (n, k, classes, np.bincount(y))
        for options, params in shuffles():
            folds = partition(n, StratifiedKFold(k, **params).split(X, y))
            add("StratifiedKFold", {"nSplits": k, **options}, n, [folds], classes=classes)
    for n, k, bins in [(40, 2, 3), (100, 4, 4), (300, 5, 10), (20000, 5, 7)]:
        X, y = np.zeros((n, 1)), numbers(n)
        edges = np.unique(np.quantile(y, np.arange(1, bins) / bins))
        strata = np.searchsorted(edges, y, side="left")
        assert np.bincount(strata).min() >= k
        for options, params in shuffles():
            folds = partition(n, StratifiedKFold(k, **params).split(X, strata))
            add("StratifiedKFold", {"nSplits": k, "bins": bins, **options}, n, [folds], continuous=True)
    for n, k, repeats in [(11, 3, 4), (100, 5, 10), (2000, 5, 3)]:
        X, y = np.zeros((n, 1)), labels(n, 2)
        for seed in SEEDS:
            options = {"nSplits": k, "nRepeats": repeats, "randomState": seed}
            params = {"n_splits": k, "n_repeats": repeats, "random_state": seed}
            plain = list(RepeatedKFold(**params).split(X))
            add("RepeatedKFold", options, n, [partition(n, plain[r * k : r * k + k]) for r in range(repeats)])
            strat = list(RepeatedStratifiedKFold(**params).split(X, y))
            folds = [partition(n, strat[r * k : r * k + k]) for r in range(repeats)]
            add("RepeatedKFold", {**options, "stratify": True}, n, folds, classes=2)
    for n, classes in [(10, 2), (37, 3), (250, 4), (20000, 6)]:
        X, y = np.zeros((n, 1)), labels(n, classes)
        for size in [0.2, 0.333, 0.5, 5, n - 5]:
            for seed in SEEDS:
                options = {"testSize": size, "randomState": seed}
                params = {"n_splits": 1, "test_size": size, "random_state": seed}
                add("HoldOut", options, n, [cut(n, ShuffleSplit(**params).split(X))])
                if np.bincount(y).min() >= 2 and classes <= min(np.ceil(size * n) if size < 1 else size, n - size):
                    folds = [cut(n, StratifiedShuffleSplit(**params).split(X, y))]
                    add("HoldOut", {**options, "stratify": True}, n, folds, classes=classes)
    # 16 / 49 * 49 is below 16, so that scikit-learn's rounding leaves two tied classes to draw from
    sizes = [48, 48, 51]
    y = np.repeat(np.arange(3), sizes)
    for seed in SEEDS:
        options = {"testSize": 49, "stratify": True, "randomState": seed}
        folds = [cut(147, StratifiedShuffleSplit(1, test_size=49, random_state=seed).split(y, y))]
        add("HoldOut", options, 147, folds, classSizes=sizes)
    for n, k, groups in [(12, 2, 40), (60, 5, 30), (100, 4, 23), (300, 10, 60), (20000, 5, 3000)]:
        X, ids = np.zeros((n, 1)), group_ids(n, groups)
        folds = partition(n, GroupKFold(k).split(X, None, ids))
        add("GroupKFold", {"nSplits": k, "shuffle": False}, n, [folds], groups=groups)

    balance = []
    for n, k, groups, classes in [(60, 3, 20, 2), (120, 4, 30, 3), (200, 5, 60, 2), (300, 5, 40, 4), (2000, 5, 300, 2)]:
        X, y, ids = np.zeros((n, 1)), labels(n, classes), group_ids(n, groups)
        for seed in [None, 0, 1, 2]:
            sgkf = StratifiedGroupKFold(k, shuffle=seed is not None, random_state=seed)
            counts = [np.bincount(y[test], minlength=classes).tolist() for _, test in sgkf.split(X, y, ids)]
            balance.append({"n": n, "nSplits": k, "groups": groups, "classes": classes, "seed": seed, "counts": counts})

    out = {
        "source": "test/reference/splitters.py",
        "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
        "cases": cases,
        "stratifiedGroupKFoldCounts": balance,
    }
    path = pathlib.Path(__file__).with_suffix(".json")
    rows = ",\n".join(json.dumps(case) for case in cases)
    more = ",\n".join(json.dumps(case) for case in balance)
    head = json.dumps({key: out[key] for key in ("source", "versions")})[:-1]
    path.write_text(f'{head},\n"cases": [\n{rows}\n],\n"stratifiedGroupKFoldCounts": [\n{more}\n]}}\n')


main()
