"""Preparations fitted to the training rows and to all rows, by scikit-learn: prints JSON.

python3 test/reference/preprocessing.py > test/reference/preprocessing.json
"""
import json
import numpy as np
import sklearn
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest, chi2, f_classif, f_regression
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler

rng = np.random.RandomState(3)
n = 40
y = (rng.uniform(size=n) < 0.4).astype(int)
numbers = np.round(rng.normal(size=n), 4)
X = np.round(rng.normal(size=(n, 6)) * [1, 3, 0.2, 10, 1, 5] + [0, 5, 1, -40, 100, 3] + np.outer(y, [1, 0, 0, 6, 0, 0]), 3)
X[:, 2] = np.round(np.exp(X[:, 2]), 3)
X[[4, 17], 3] = X[4, 3] * 2
X[3] *= 3  # far out, and tested
X[:, 1] = np.round(X[:, 1])
missing = X.copy()
missing[rng.uniform(size=X.shape) < 0.1] = np.nan
positive = np.abs(X)
test = np.sort(np.r_[3, rng.permutation(np.delete(np.arange(n), 3))[:9]])
train = np.setdiff1d(np.arange(n), test)
mean = lambda: SimpleImputer(strategy="mean")
cases = {
    "standardize": (X, StandardScaler(), None),
    "minmax": (X, MinMaxScaler(), None),
    "maxabs": (X, MaxAbsScaler(), None),
    "robust": (X, RobustScaler(), None),
    "impute:mean": (missing, mean(), None),
    "impute:median": (missing, SimpleImputer(strategy="median"), None),
    "impute:mode": (missing, SimpleImputer(strategy="most_frequent"), None),
    "pca": (X, PCA(3), None),
    "pca all": (X, PCA(), None),
    "pca whitened": (X, PCA(3, whiten=True), None),
    "select:anova": (X, SelectKBest(f_classif, k=3), y),
    "select:chi2": (positive, SelectKBest(chi2, k=3), y),
    "select:correlation": (X, SelectKBest(f_regression, k=3), numbers),
    "impute:mean, standardize": (missing, make_pipeline(mean(), StandardScaler()), None),
    "standardize, pca": (X, make_pipeline(StandardScaler(), PCA(4)), None),
    "impute:mean, standardize, pca": (missing, make_pipeline(mean(), StandardScaler(), PCA(4)), None),
    "impute:median, minmax": (missing, make_pipeline(SimpleImputer(strategy="median"), MinMaxScaler()), None),
}
as_list = lambda M: [[None if np.isnan(v) else float(v) for v in row] for row in M]
out = []
for name, (data, model, labels) in cases.items():
    fit = lambda rows: model.fit(data[rows], None if labels is None else labels[rows]).transform(data)
    out.append({
        "name": name,
        "data": {id(X): "X", id(missing): "missing", id(positive): "positive"}[id(data)],
        "labels": None if labels is None else ("y" if labels is y else "numbers"),
        "train": as_list(fit(train)),
        "all": as_list(fit(np.arange(n))),
    })
print(json.dumps({
    "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
    "X": as_list(X), "missing": as_list(missing), "positive": as_list(positive), "y": y.tolist(),
    "numbers": numbers.tolist(), "splits": {"train": train.tolist(), "test": test.tolist()}, "cases": out,
}))
