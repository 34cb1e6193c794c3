"""Scores of scikit-learn's dummy models over plain folds: prints JSON.

python3 test/reference/baseline.py > test/reference/baseline.json
"""
import json
import numpy as np
import sklearn
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import accuracy_score, brier_score_loss, log_loss, mean_squared_error, r2_score, recall_score
from sklearn.model_selection import KFold

N, K = 30, 3
rng = np.random.RandomState(2)
X = rng.normal(size=(N, 1))
binary = (rng.uniform(size=N) < 0.35).astype(int)
three = rng.randint(0, 3, N)
numbers = rng.normal(size=N)
weight = rng.randint(1, 4, N).astype(float)


def over_folds(model, y, weighted, metrics):
    w = weight if weighted else np.ones(N)
    proba, labels = [], np.empty(N)
    for train, test in KFold(K).split(X):
        fitted = model().fit(X[train], y[train], sample_weight=w[train])
        labels[test] = fitted.predict(X[test])
        if hasattr(fitted, "predict_proba"):
            proba.append(fitted.predict_proba(X[test]))
    p = np.concatenate(proba) if proba else None
    return {name: float(metric(y, labels, p, w)) for name, metric in metrics.items()}


prior = lambda: DummyClassifier(strategy="prior")
one_of_two = {
    "accuracy": lambda y, l, p, w: accuracy_score(y, l, sample_weight=w),
    "sensitivity": lambda y, l, p, w: recall_score(y, l, sample_weight=w),
    "brier": lambda y, l, p, w: brier_score_loss(y, p[:, 1], sample_weight=w),
    "log_loss": lambda y, l, p, w: log_loss(y, p, sample_weight=w),
}
print(json.dumps({
    "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
    "binary": binary.tolist(), "three": three.tolist(), "numbers": numbers.tolist(), "weight": weight.tolist(),
    "found": {
        "binary": over_folds(prior, binary, False, one_of_two),
        "weighted": over_folds(prior, binary, True, one_of_two),
        "three": over_folds(prior, three, False, {
            "accuracy": one_of_two["accuracy"],
            "log_loss": one_of_two["log_loss"],
        }),
        "numbers": over_folds(DummyRegressor, numbers, False, {
            "mse": lambda y, l, p, w: mean_squared_error(y, l),
            "r2": lambda y, l, p, w: r2_score(y, l),
        }),
    },
}, indent=1))
