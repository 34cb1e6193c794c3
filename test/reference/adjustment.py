"""Isotonic recalibration and Youden's threshold fitted on inner folds, by scikit-learn: prints JSON.

python3 test/reference/adjustment.py > test/reference/adjustment.json
"""
import json
import numpy as np
import sklearn
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import roc_curve
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB

N = 90
rng = np.random.RandomState(4)
X = rng.normal(size=(N, 2))
y = (X[:, 0] + 0.5 * X[:, 1] + rng.normal(size=N) > 0.8).astype(int)

folds = []
for train, test in KFold(3).split(X):
    model = GaussianNB(var_smoothing=0)
    inner = cross_val_predict(model, X[train], y[train], cv=KFold(4), method="predict_proba")[:, 1]
    isotonic = IsotonicRegression(out_of_bounds="clip", y_min=0, y_max=1).fit(inner, y[train])
    false_positives, found, thresholds = roc_curve(y[train], inner, drop_intermediate=False)
    best = np.max(found - false_positives)
    threshold = min(t for t, gain in zip(thresholds, found - false_positives) if gain > best - 1e-12)
    raw = model.fit(X[train], y[train]).predict_proba(X[test])[:, 1]
    folds.append({
        "test": test.tolist(),
        "threshold": float(threshold),
        "raw": raw.tolist(),
        "isotonic": isotonic.predict(raw).tolist(),
        "labels": (raw >= threshold).astype(int).tolist(),
    })
print(json.dumps({
    "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
    "X": X.tolist(), "y": y.tolist(), "folds": folds,
}, indent=1))
