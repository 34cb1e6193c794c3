"""Writes signFlip.json: exact p-values of the sign-flip test over all 4,096 swaps of the 12 patients of comparison.json
(signFlip), with the area under the curve of each fold from scikit-learn and placements from scipy's ranks. The statistic
is the mean difference of the folds over the root of the sum of the patients' squared influences, scores as they are.

python test/reference/signFlip.py
"""
import itertools
import json
from pathlib import Path

import numpy as np
import scipy
import sklearn
from scipy.stats import rankdata
from sklearn.metrics import average_precision_score, roc_auc_score

here = Path(__file__).parent
given = json.loads((here / "comparison.json").read_text())["signFlip"]
patients, y, fold, a, b = (np.array(given[name]) for name in ("patients", "y", "fold", "a", "b"))


def placements(score, label):
    """Of each row among the rows of the other class."""
    joint = rankdata(score)
    own = np.where(label == 1, 0.0, 0.0)
    for c in (0, 1):
        own[label == c] = rankdata(score[label == c])
    below = (joint - own) / np.where(label == 1, (label == 0).sum(), (label == 1).sum())
    return np.where(label == 1, below, 1 - below)


def statistic(one, other):
    folds = [np.flatnonzero(fold == f) for f in np.unique(fold)]
    areas = np.array([[roc_auc_score(y[i], s[i]) for i in folds] for s in (one, other)])
    estimate = areas.mean(axis=1)
    influence = np.zeros(len(y))
    for i in folds:
        size = np.where(y[i] == 1, y[i].sum(), (1 - y[i]).sum()) * len(folds)
        influence[i] = (placements(one[i], y[i]) - estimate[0] - placements(other[i], y[i]) + estimate[1]) / size
    sums = np.array([influence[patients == p].sum() for p in np.unique(patients)])
    difference = estimate[0] - estimate[1]
    return 0.0 if abs(difference) < 1e-12 else difference / np.sqrt((sums**2).sum())


def exact(value, one, other):
    observed = abs(value(one, other))
    reached = 0
    swaps = list(itertools.product([False, True], repeat=len(np.unique(patients))))
    for swap in swaps:
        s = np.array(swap)[patients - 1]
        reached += abs(value(np.where(s, other, one), np.where(s, one, other))) >= observed * (1 - 1e-9) - 1e-12
    return reached / len(swaps)


def precision_difference(one, other):
    return np.mean(
        [
            average_precision_score(y[fold == f], one[fold == f]) - average_precision_score(y[fold == f], other[fold == f])
            for f in np.unique(fold)
        ]
    )


out = {
    "versions": {"numpy": np.__version__, "scipy": scipy.__version__, "scikit-learn": sklearn.__version__},
    "auc": {"t": statistic(a, b), "p": exact(statistic, a, b)},
    # B's probabilities squared: another scale, the same order.
    "squared": {"t": statistic(a, b**2), "p": exact(statistic, a, b**2)},
    "averagePrecision": {"difference": precision_difference(a, b), "pOfDifference": exact(precision_difference, a, b)},
}
(here / "signFlip.json").write_text(json.dumps(out, indent=1) + "\n")
