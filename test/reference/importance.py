"""Permutation importance of two fixed scores of rows, by scikit-learn: prints JSON.

python3 test/reference/importance.py > test/reference/importance.json

The model is given, so that the only chance is in the permutations: `p` is the expit of a sum of squares and products, and
so its importance by column is no simple function of the coefficients.
"""
import json
import numpy as np
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.inspection import permutation_importance

N, REPEATS = 60, 20000
rng = np.random.RandomState(3)
X = np.round(rng.normal(size=(N, 3)), 3)
X[:, 1] = np.round(0.7 * X[:, 0] + 0.5 * X[:, 1], 3)


def linear(X):
    return X[:, 0] + 0.8 * X[:, 1] + 0.5 * X[:, 0] * X[:, 1]


labels = (linear(X) + rng.normal(size=N) > 0).astype(int)
numbers = np.round(linear(X) + rng.normal(size=N), 3)


class Classifier(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        p = 1 / (1 + np.exp(-linear(X)))
        return np.stack([1 - p, p], axis=1)

    def predict(self, X):
        return (linear(X) > 0).astype(int)


class Regressor(RegressorMixin, BaseEstimator):
    def fit(self, X, y):
        self.fitted_ = True
        return self

    def predict(self, X):
        return linear(X)


def found(model, y, scoring):
    r = permutation_importance(model.fit(X, y), X, y, scoring=scoring, n_repeats=REPEATS, random_state=0)
    return {"mean": r.importances_mean.tolist(), "sd": r.importances_std.tolist()}


print(json.dumps({
    "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
    "repeats": REPEATS, "X": X.tolist(), "labels": labels.tolist(), "numbers": numbers.tolist(),
    "found": {
        "roc_auc": found(Classifier(), labels, "roc_auc"),
        "log_loss": found(Classifier(), labels, "neg_log_loss"),
        "accuracy": found(Classifier(), labels, "accuracy"),
        "mse": found(Regressor(), numbers, "neg_mean_squared_error"),
        "r2": found(Regressor(), numbers, "r2"),
    },
}, indent=1))
