"""Coefficients and probabilities of scikit-learn's LogisticRegression at its minimum: prints JSON.

    python3 test/reference/logisticRegression.py > test/reference/logisticRegression.json
"""

import json
import sys

import numpy as np
import sklearn
from sklearn.linear_model import LogisticRegression

random = np.random.RandomState(11)


def data(n, width, classes, signal=1.0, scale=None):
    y = random.randint(classes, size=n)
    X = random.normal(size=(n, width)) + signal * np.outer(y, random.normal(size=width))
    return X * (1 if scale is None else np.asarray(scale)), y


two = data(60, 4, 2)
weak = data(80, 3, 2, 0.2)
three = data(90, 3, 3)
five = data(150, 2, 5, 0.5)
wide = data(20, 60, 2, 0.3)
wide3 = data(24, 50, 3, 0.3)
scaled = data(60, 3, 2, 0.5, [1, 1e3, 1e-3])
constant = (np.column_stack([two[0], np.full(60, 3.0)]), two[1])
apart = (np.array([[-3.0], [-2], [-1], [1], [2], [3]]), np.array([0, 0, 0, 1, 1, 1]))
rare = (weak[0], (np.arange(80) % 9 == 0).astype(int))
weights = random.uniform(0.2, 3, size=60)
zeros = np.where(np.arange(60) % 3 == 0, 0.0, 1.0)
big = data(5000, 6, 2, 0.3)
weights3 = random.uniform(0.2, 3, size=90)

CASES = [
    ("plain", two, {}, None),
    ("small C", two, {"C": 0.01}, None),
    ("large C", weak, {"C": 1e4}, None),
    ("no intercept", two, {"fitIntercept": False}, None),
    ("weights", two, {}, weights),
    ("weights of zero", two, {}, zeros),
    ("balanced", rare, {"classWeight": "balanced"}, None),
    ("class weights", rare, {"classWeight": {"0": 0.5, "1": 4}}, None),
    ("three classes", three, {}, None),
    ("three classes, small C", three, {"C": 0.05}, None),
    ("three classes, no intercept", three, {"fitIntercept": False}, None),
    ("three classes, balanced", three, {"classWeight": "balanced"}, None),
    ("five classes", five, {}, None),
    ("more columns than rows", wide, {}, None),
    ("more columns than rows, small C", wide, {"C": 0.1}, None),
    ("more columns than rows, three classes", wide3, {}, None),
    ("more columns than rows, no intercept", wide, {"fitIntercept": False}, None),
    ("units far apart", scaled, {}, None),
    ("a constant column", constant, {}, None),
    ("separated", apart, {}, None),
    ("separated, large C", apart, {"C": 1e3}, None),
    ("balanced, with weights", two, {"classWeight": "balanced"}, weights),
    ("three classes, balanced, with weights", three, {"classWeight": "balanced"}, weights3),
    ("many rows", big, {}, None),
]


def run(name, xy, options, weight):
    X, y = xy
    names = {"C": "C", "fitIntercept": "fit_intercept", "classWeight": "class_weight"}
    given = {names[key]: value for key, value in options.items()}
    if isinstance(given.get("class_weight"), dict):
        given["class_weight"] = {int(key): value for key, value in given["class_weight"].items()}
    model = LogisticRegression(tol=1e-12, max_iter=100000, **given)
    if len(set(y)) == 2:
        model.set_params(solver="newton-cholesky") if X.shape[1] < 20 else None
    model.fit(X, y, sample_weight=weight)
    return {
        "name": name,
        "options": options,
        "X": X.tolist() if len(X) < 1000 else None,
        "y": y.tolist() if len(X) < 1000 else None,
        "sampleWeight": None if weight is None else weight.tolist(),
        "coef": model.coef_.tolist(),
        "intercept": model.intercept_.tolist(),
        "proba": model.predict_proba(X[:5]).tolist(),
    }


cases = [run(*case) for case in CASES]
# The rows of the large case are written once, as integers of 1/1000.
rounded = np.round(big[0] * 1000).astype(int)
model = LogisticRegression(tol=1e-12, max_iter=100000, solver="newton-cholesky").fit(rounded / 1000, big[1])
cases[-1].update(
    X=None,
    thousandths=rounded.ravel().tolist(),
    width=6,
    y=big[1].tolist(),
    coef=model.coef_.tolist(),
    intercept=model.intercept_.tolist(),
    proba=model.predict_proba(rounded[:5] / 1000).tolist(),
)
json.dump({"versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__}, "cases": cases}, sys.stdout)
print()
