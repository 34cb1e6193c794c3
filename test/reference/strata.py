"""Strata of several columns and quantile bins, for test/splitters: writes strata.json beside this file.

Run: python test/reference/strata.py     (scikit-learn >= 1.9.1, numpy)

`joined`: the test rows of scikit-learn's StratifiedKFold where y is the label, the sex and the site of a row as one text.
`bins`: the quantile bin of each number (numpy.quantile, a bin includes its upper edge).
"""

import json
import pathlib

import numpy as np
import sklearn
from sklearn.model_selection import StratifiedKFold

n = 240
rng = np.random.RandomState(7)
y = (rng.uniform(size=n) < 0.3).astype(int)
sex = np.where(rng.uniform(size=n) < 0.4, "f", "m")
site = rng.choice(["A", "B", "C"], size=n, p=[0.5, 0.3, 0.2])
joined = np.array([f"{a}-{b}-{c}" for a, b, c in zip(y, sex, site)])
assert np.unique(joined, return_counts=True)[1].min() >= 4

folds = []
for seed in [None, 0, 1, 42]:
    cv = StratifiedKFold(4, shuffle=seed is not None, random_state=seed)
    folds.append({"seed": seed, "tests": [test.tolist() for _, test in cv.split(np.zeros(n), joined)]})

numbers = np.round(rng.gamma(2, 10, size=n), 1)
bins = 5
edges = np.quantile(numbers, np.arange(1, bins) / bins)

out = {
    "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
    "y": y.tolist(),
    "sex": sex.tolist(),
    "site": site.tolist(),
    "joined": folds,
    "numbers": numbers.tolist(),
    "bins": bins,
    "binOf": np.searchsorted(edges, numbers, side="left").tolist(),
}
path = pathlib.Path(__file__).with_suffix(".json")
path.write_text(json.dumps(out, separators=(",", ":")) + "\n")
