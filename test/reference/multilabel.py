"""Balance of the reference algorithm on 200 random multilabel cases: writes multilabel.json beside this file.

Run: python test/reference/multilabel.py     (iterative-stratification, which needs numpy < 2.4; scikit-learn)

Reference: MultilabelStratifiedKFold of iterative-stratification, the usual implementation of Sechidis, Tsoumakas &
Vlahavas 2011. The committed numbers come from that class alone, copied from the revision below without its
comments, since the package could not be installed. Per case: how far the rows of a label in a test fold are from a k-th of them, at most and on average
over labels and folds, and the same of all rows. The TypeScript test draws the same data from its own MT19937.
"""

import json
import pathlib
import warnings

import numpy as np
import sklearn
from iterstrat.ml_stratifiers import MultilabelStratifiedKFold

REVISION = "ee88b03da42a48026f1068ab549cecff7417e63f of github.com/trent-b/iterative-stratification"
CASES = 200


def case_data(seed):
    """n rows of correlated labels, some rare, some frequent; a row's severity moves all of its labels."""
    draw = np.random.RandomState(seed).random_sample
    n = 30 + int(draw() ** 2 * 970)
    labels = 2 + int(draw() * 19)
    k = 2 + int(draw() * 9)
    rates = [0.02 + 0.5 * draw() ** 2 for _ in range(labels)]
    y = np.zeros((n, labels), dtype=int)
    for row in range(n):
        severity = 2 * draw()
        for label in range(labels):
            y[row, label] = draw() < rates[label] * severity
    return n, labels, k, y


def balance(y, k, folds):
    """Deviations of the labels (largest, mean) and of the sizes (largest)."""
    counts = np.array([y[test].sum(axis=0) for _, test in folds])
    deviations = np.abs(counts - y.sum(axis=0) / k)
    sizes = np.array([len(test) for _, test in folds])
    return [round(float(v), 9) for v in (deviations.max(), deviations.mean(), np.abs(sizes - len(y) / k).max())]


def main():
    warnings.simplefilter("ignore")
    rows = []
    for seed in range(CASES):
        n, labels, k, y = case_data(seed)
        reference = MultilabelStratifiedKFold(k, shuffle=True, random_state=seed)
        rows.append([n, labels, k, int(y.sum()), *balance(y, k, list(reference.split(y, y)))])
    head = {
        "source": "test/reference/multilabel.py",
        "versions": {
            "iterative-stratification": REVISION,
            "scikit-learn": sklearn.__version__,
            "numpy": np.__version__,
        },
        "columns": ["n", "labels", "nSplits", "positives", "labelMax", "labelMean", "sizeMax"],
    }
    lines = ",\n".join(json.dumps(row) for row in rows)
    path = pathlib.Path(__file__).with_suffix(".json")
    path.write_text(f'{json.dumps(head)[:-1]},\n"cases": [\n{lines}\n]}}\n')


main()
