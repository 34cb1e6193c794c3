"""Folds of scikit-learn's TimeSeriesSplit: writes timeSeriesSplit.json, the reference of
test/splitters/temporal/timeSeriesSplit. Run: python test/reference/timeSeriesSplit.py (scikit-learn >= 1.9.1)"""
import itertools
import json
import pathlib

import numpy as np
import sklearn
from sklearn.model_selection import TimeSeriesSplit


def bounds(rows):
    """A stretch of rows as [first, last + 1]."""
    assert (np.diff(rows) == 1).all()
    return [int(rows[0]), int(rows[-1]) + 1]


cases = []
for n, splits, gap, test_size, most in itertools.product(
    [2, 3, 6, 11, 24, 101, 1000], [2, 3, 5, 10], [0, 1, 4, 20], [None, 1, 2, 8], [None, 1, 5, 60]
):
    if (gap, test_size, most).count(None) < 1 and n not in (24, 101):
        continue  # all three together at two lengths, to keep the file small
    options = {"nSplits": splits, "gap": gap, "testSize": test_size, "maxTrainSize": most}
    splitter = TimeSeriesSplit(splits, gap=gap, test_size=test_size, max_train_size=most)
    try:
        folds = [bounds(train) + bounds(test) for train, test in splitter.split(np.zeros(n))]
    except ValueError:
        folds = None
    cases.append({"n": n, "options": options, "folds": folds})

text = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
path = pathlib.Path(__file__).with_name("timeSeriesSplit.json")
path.write_text(f'{{"versions":{{"scikit-learn":"{sklearn.__version__}"}},"cases":[\n{text}\n]}}\n')
