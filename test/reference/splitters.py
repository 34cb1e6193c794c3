"""Folds of scikit-learn for test/splitters: writes splitters.json beside this file.

Run: python test/reference/splitters.py     (scikit-learn >= 1.9.1, numpy)

Every design of the list that is to equal scikit-learn, at 6 shapes or more; those that draw, at 50 seeds each. A list
of folds is stored as one short hash (see `digest`), one per seed. Class labels and group ids come from the formulas
below, which the TypeScript test repeats. The bootstrap, which scikit-learn lacks, is that of numpy's
`RandomState(seed).randint(0, n, n)`.
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
    LeaveOneGroupOut,
    LeaveOneOut,
    LeavePGroupsOut,
    LeavePOut,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)

SEEDS = [*range(43), 99, 2024, 65535, 10**6, 2**31 - 1, 2**31, 2**32 - 1]
assert len(SEEDS) == 50


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


def digest(folds):
    """The first 12 hexadecimal digits of the SHA-256 of every fold: both sizes, then both sides, ascending, as int32."""
    sha = hashlib.sha256()
    for train, test in folds:
        for numbers in ([len(train), len(test)], np.sort(train), np.sort(test)):
            sha.update(np.asarray(numbers, dtype="<i4").tobytes())
    return sha.hexdigest()[:12]


def bootstrap(units, iterations, seed):
    """Out-of-bag folds; `units` is the row number, or the group, of each row. A draw of everything is drawn again."""
    rng = np.random.RandomState(seed)
    ids, codes = np.unique(units, return_inverse=True)
    for _ in range(iterations):
        drawn = rng.randint(0, len(ids), len(ids))
        while len(np.unique(drawn)) == len(ids):
            drawn = rng.randint(0, len(ids), len(ids))
        times = np.bincount(drawn, minlength=len(ids))[codes]
        yield np.repeat(np.arange(len(codes)), times), np.flatnonzero(times == 0)


def main():
    warnings.simplefilter("ignore")
    cases = []

    def add(splitter, options, n, folds, **data):
        """One case without a seed; `folds` is the list of folds."""
        cases.append({"splitter": splitter, "options": options, "n": n, **data, "folds": [digest(folds)]})

    def draw(splitter, options, n, folds, **data):
        """One case for all seeds; `folds` gives the list of folds for a seed."""
        hashes = [digest(folds(seed)) for seed in SEEDS]
        cases.append({"splitter": splitter, "options": options, "n": n, **data, "seeded": True, "folds": hashes})

    shuffle = {"shuffle": True}
    for n, k in [(2, 2), (10, 3), (23, 5), (100, 10), (257, 36), (20000, 7)]:
        X = np.zeros((n, 1))
        add("KFold", {"nSplits": k}, n, KFold(k).split(X))
        draw("KFold", {"nSplits": k, **shuffle}, n, lambda s: KFold(k, random_state=s, **shuffle).split(X))
    for n, k, classes in [(8, 2, 2), (24, 2, 3), (60, 5, 2), (60, 3, 3), (200, 10, 3), (20000, 7, 6)]:
        X, y = np.zeros((n, 1)), labels(n, classes)
        assert np.bincount(y).min() >= k, (n, k, classes, np.bincount(y))
        add("StratifiedKFold", {"nSplits": k}, n, StratifiedKFold(k).split(X, y), classes=classes)
        folds = lambda s: StratifiedKFold(k, random_state=s, **shuffle).split(X, y)
        draw("StratifiedKFold", {"nSplits": k, **shuffle}, n, folds, classes=classes)
    # a class with fewer rows than folds, of which scikit-learn warns
    for k, sizes in [(5, [41, 17, 3]), (10, [3, 60, 4, 30])]:
        n, y = sum(sizes), np.repeat(np.arange(len(sizes)), sizes)
        X = np.zeros((n, 1))
        add("StratifiedKFold", {"nSplits": k}, n, StratifiedKFold(k).split(X, y), classSizes=sizes)
        folds = lambda s: StratifiedKFold(k, random_state=s, **shuffle).split(X, y)
        draw("StratifiedKFold", {"nSplits": k, **shuffle}, n, folds, classSizes=sizes)
        folds = lambda s: RepeatedStratifiedKFold(n_splits=k, n_repeats=3, random_state=s).split(X, y)
        draw("RepeatedKFold", {"nSplits": k, "nRepeats": 3, "stratify": True}, n, folds, classSizes=sizes)
    for n, k, bins in [(40, 2, 3), (100, 4, 4), (300, 5, 10), (20000, 5, 7)]:
        X, y = np.zeros((n, 1)), numbers(n)
        edges = np.unique(np.quantile(y, np.arange(1, bins) / bins))
        strata = np.searchsorted(edges, y, side="left")
        assert np.bincount(strata).min() >= k
        options = {"nSplits": k, "bins": bins}
        add("StratifiedKFold", options, n, StratifiedKFold(k).split(X, strata), continuous=True)
        folds = lambda s: StratifiedKFold(k, random_state=s, **shuffle).split(X, strata)
        draw("StratifiedKFold", {**options, **shuffle}, n, folds, continuous=True)
    for n, k, repeats in [(8, 2, 5), (11, 3, 4), (30, 4, 2), (100, 5, 10), (257, 10, 3), (2000, 5, 3)]:
        X, y = np.zeros((n, 1)), labels(n, 2)
        options, params = {"nSplits": k, "nRepeats": repeats}, {"n_splits": k, "n_repeats": repeats}
        draw("RepeatedKFold", options, n, lambda s: RepeatedKFold(random_state=s, **params).split(X))
        folds = lambda s: RepeatedStratifiedKFold(random_state=s, **params).split(X, y)
        draw("RepeatedKFold", {**options, "stratify": True}, n, folds, classes=2)

    for splitter, iterations, most in [("HoldOut", None, 20000), ("MonteCarloCV", 7, 3000)]:
        own = {} if iterations is None else {"nIterations": iterations}

        def cuts(n, size, y=None, **data):
            X = np.zeros((n, 1))
            kind, more = (ShuffleSplit, {}) if y is None else (StratifiedShuffleSplit, {"stratify": True})
            folds = lambda s: kind(iterations or 1, test_size=size, random_state=s).split(X, y)
            draw(splitter, {**own, "testSize": size, **more}, n, folds, **data)

        for n, size in [(2, 1), (10, 0.2), (37, 0.333), (250, 0.5), (250, 245), (most, 0.2)]:
            cuts(n, size)
        for n, size, classes in [(10, 0.5, 2), (37, 5, 3), (37, 0.333, 3), (250, 0.2, 4), (250, 245, 4), (most, 0.2, 6)]:
            cuts(n, size, labels(n, classes), classes=classes)
        # 16 / 49 * 49 is below 16, so that scikit-learn's rounding leaves two tied classes to draw from
        cuts(147, 49, np.repeat(np.arange(3), [48, 48, 51]), classSizes=[48, 48, 51])

    for n, k, groups in [(12, 2, 40), (60, 5, 30), (60, 2, 5), (100, 4, 23), (300, 10, 60), (20000, 5, 3000)]:
        X, ids = np.zeros((n, 1)), group_ids(n, groups)
        add("GroupKFold", {"nSplits": k, "shuffle": False}, n, GroupKFold(k).split(X, None, ids), groups=groups)
    for n, groups in [(12, 40), (30, 4), (60, 30), (100, 23), (300, 60), (2000, 300)]:
        X, ids = np.zeros((n, 1)), group_ids(n, groups)
        add("LeaveOneGroupOut", {}, n, LeaveOneGroupOut().split(X, None, ids), groups=groups)
    for n, groups, p in [(12, 40, 1), (12, 40, 3), (30, 6, 2), (60, 30, 2), (100, 9, 4), (300, 25, 2)]:
        X, ids = np.zeros((n, 1)), group_ids(n, groups)
        add("LeavePGroupsOut", {"nGroups": p}, n, LeavePGroupsOut(p).split(X, None, ids), groups=groups)
    for n in [2, 3, 10, 41, 300, 1000]:
        add("LOOCV", {}, n, LeaveOneOut().split(np.zeros((n, 1))))
    for n, p in [(2, 1), (7, 1), (7, 3), (8, 7), (20, 2), (12, 5)]:
        add("LPOCV", {"p": p}, n, LeavePOut(p).split(np.zeros((n, 1))))
    times = [
        (6, {}),
        (100, {}),
        (103, {"nSplits": 3, "gap": 2}),
        (103, {"nSplits": 4, "testSize": 7}),
        (103, {"nSplits": 4, "testSize": 7, "gap": 5, "maxTrainSize": 20}),
        (50, {"nSplits": 10, "testSize": 1, "maxTrainSize": 1}),
        (50, {"nSplits": 7, "gap": 5, "testSize": 6}),
        (20000, {"nSplits": 12, "gap": 30, "maxTrainSize": 5000}),
    ]
    snake = {"nSplits": "n_splits", "testSize": "test_size", "maxTrainSize": "max_train_size", "gap": "gap"}
    for n, options in times:
        params = {snake[name]: value for name, value in options.items()}
        add("TimeSeriesSplit", options, n, TimeSeriesSplit(**params).split(np.zeros((n, 1))))
    for n, iterations in [(2, 9), (3, 20), (10, 10), (64, 5), (257, 5), (3000, 3)]:
        folds = lambda s: bootstrap(np.arange(n), iterations, s)
        draw("BootstrapValidation", {"nIterations": iterations}, n, folds)
    for n, groups in [(12, 40), (12, 3), (60, 30), (100, 23), (300, 60), (2000, 300)]:
        folds = lambda s: bootstrap(group_ids(n, groups), 5, s)
        draw("BootstrapValidation", {"nIterations": 5}, n, folds, groups=groups)

    balance = []
    for n, k, groups, classes in [(60, 3, 20, 2), (120, 4, 30, 3), (200, 5, 60, 2), (300, 5, 40, 4), (2000, 5, 300, 2)]:
        X, y, ids = np.zeros((n, 1)), labels(n, classes), group_ids(n, groups)
        for seed in [None, 0, 1, 2]:
            sgkf = StratifiedGroupKFold(k, shuffle=seed is not None, random_state=seed)
            counts = [np.bincount(y[test], minlength=classes).tolist() for _, test in sgkf.split(X, y, ids)]
            balance.append({"n": n, "nSplits": k, "groups": groups, "classes": classes, "seed": seed, "counts": counts})

    head = json.dumps(
        {
            "source": "test/reference/splitters.py",
            "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
            "seeds": SEEDS,
        }
    )[:-1]
    rows = ",\n".join(json.dumps(case) for case in cases)
    more = ",\n".join(json.dumps(case) for case in balance)
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(f'{head},\n"cases": [\n{rows}\n],\n"stratifiedGroupKFoldCounts": [\n{more}\n]}}\n')


main()
