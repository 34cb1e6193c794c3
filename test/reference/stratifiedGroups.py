"""Folds of scikit-learn's StratifiedGroupKFold for test/splitters/grouped: writes stratifiedGroups.json beside this file.

Run: python test/reference/stratifiedGroups.py     (scikit-learn >= 1.9.1, numpy)

2,000 random cases, 919 of them binary, that have folds with two classes or more (the rule of `feasible`). A case is
its number, from which `case` draws it and which is the seed (every fourth is unshuffled), and the fold of each group as
one digit. The TypeScript test repeats `draws` and `case`.

`fixture` counts the seeds 0 ... 499 whose folds of one small data set include a test fold of a single class.
"""

import json
import pathlib
import warnings
from collections import Counter

import numpy as np
import sklearn
from sklearn.model_selection import StratifiedGroupKFold

CASES = 2000


def draws(seed):
    """Numbers in [0, 1): a linear congruential generator, enough for test data and easy to repeat."""
    state = seed * 2654435761 % 2**32
    while True:
        state = (state * 1664525 + 1013904223) % 2**32
        yield state / 2**32


def case(number):
    """Number of folds, and the classes of the rows of each group."""
    stream = draws(number)
    for _ in range(4):
        next(stream)
    whole = lambda low, high: low + int(next(stream) * (high - low + 1))
    classes = 2 if number % 2 == 0 else whole(3, 5)
    n_splits = whole(2, 5)
    groups = whole(5, 12) if number % 3 == 0 else whole(5, 60)
    largest, skew = (3, 8, 20, 50)[whole(0, 3)], whole(1, 4)
    pure = (0.0, 0.2, 0.6, 1.0)[whole(0, 3)]
    weights = [0.05 + next(stream) ** 2 for _ in range(classes)]

    def label():
        at, found = next(stream) * sum(weights), 0
        while found < classes - 1 and at >= weights[found]:
            at -= weights[found]
            found += 1
        return found

    held = []
    for _ in range(groups):
        size = 1 + int(largest * next(stream) ** skew)
        own = label() if next(stream) < pure else None
        held.append([label() if own is None else own for _ in range(size)])
    return n_splits, held


def feasible(n_splits, held):
    """True when every fold can have two classes: multi + min(floor(s / 2), s - max s_c) >= n_splits."""
    single = Counter(labels[0] for labels in held if len(set(labels)) == 1)
    s = sum(single.values())
    return len(held) - s + min(s // 2, s - max(single.values(), default=0)) >= n_splits


def split(n_splits, held, seed):
    y = np.array([label for labels in held for label in labels])
    groups = np.array([group for group, labels in enumerate(held) for _ in labels])
    folds = StratifiedGroupKFold(n_splits, shuffle=seed is not None, random_state=seed).split(y, y, groups)
    fold_of = np.zeros(len(held), dtype=int)
    for fold, (_, test) in enumerate(folds):
        fold_of[groups[test]] = fold
    return fold_of.tolist()


def main():
    warnings.simplefilter("ignore")
    cases, number = [], 0
    while len(cases) < CASES:
        n_splits, held = case(number)
        most = max(Counter(label for labels in held for label in labels).values())
        # scikit-learn refuses more folds than rows of every class
        if feasible(n_splits, held) and most >= n_splits:
            fold_of = split(n_splits, held, None if number % 4 == 3 else number)
            cases.append(f"{number} {''.join(map(str, fold_of))}")
        number += 1

    held, degenerate = [[1], [0, 0, 1], [0, 0], [0], [0, 1, 0]], []
    for seed in range(500):
        fold_of = split(3, held, seed)
        tested = [{label for group in range(5) if fold_of[group] == fold for label in held[group]} for fold in range(3)]
        if min(map(len, tested)) < 2:
            degenerate.append(seed)

    head = {
        "source": "test/reference/stratifiedGroups.py",
        "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
        "fixture": {"groups": held, "nSplits": 3, "seeds": 500, "degenerate": len(degenerate), "first": degenerate[:5]},
    }
    rows = ",\n".join(map(json.dumps, cases))
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(f'{json.dumps(head)[:-1]},\n"cases": [\n{rows}\n]}}\n')


main()
