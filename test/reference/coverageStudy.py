"""Reference numbers for the learners, metrics and formulas of the coverage study (bench/coverageStudy).

python test/reference/coverageStudy.py   (numpy, scipy, scikit-learn)
"""

import json
from pathlib import Path

import numpy as np
from scipy import optimize, stats
from sklearn import metrics
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

rng = np.random.default_rng(21)
n, p = 40, 3
y = (rng.random(n) < 0.4).astype(int)
X = np.round(rng.normal(size=(n, p)) + 0.9 * np.outer(y, [1, 0.5, 0]), 3)


class Ridged:
    """The covariance of a class with 1e-3 added to its diagonal."""

    def fit(self, X):
        self.covariance_ = np.cov(X.T, bias=True) + 1e-3 * np.eye(X.shape[1])
        return self


def positive(model):
    return model.fit(X, y).predict_proba(X)[:, 1]


def leaves(depth):
    model = DecisionTreeClassifier(max_depth=depth, min_samples_leaf=5).fit(X, y)
    leaf = model.apply(X)
    return [float((y[leaf == each].sum() + 1) / ((leaf == each).sum() + 2)) for each in leaf]


rate = y.mean()
penalty = 0.15 * np.abs(X.T @ (y - rate)).max()
lasso = LogisticRegression(l1_ratio=1, C=1 / penalty, solver="saga", random_state=0, max_iter=100_000, tol=1e-10)
neighbours = KNeighborsClassifier(5).fit(X, y).kneighbors(X)[1]
learners = {
    "ridge": positive(LogisticRegression(C=1 / 5, tol=1e-12, max_iter=10_000)),
    "logistic": positive(LogisticRegression(C=1e3, tol=1e-12, max_iter=10_000)),
    "discriminant": positive(LinearDiscriminantAnalysis(solver="lsqr", covariance_estimator=Ridged())),
    "naiveBayes": positive(GaussianNB(var_smoothing=1e-3 / X.var(axis=0).max())),
    "lasso": positive(lasso),
    "nearest5": (y[neighbours].sum(axis=1) + 1) / 7,
    "stump": np.array(leaves(2)),
}

scores = np.round(rng.random(25), 1)
labels = (rng.random(25) < 0.3 + 0.4 * scores).astype(int)
scores = np.where(scores == 0.5, 0.4, np.clip(scores, 0.02, 0.98))
cut = (scores > 0.5).astype(int)
values = {
    "roc_auc": metrics.roc_auc_score(labels, scores),
    "accuracy": metrics.accuracy_score(labels, cut),
    "balanced_accuracy": metrics.balanced_accuracy_score(labels, cut),
    "sensitivity": metrics.recall_score(labels, cut),
    "specificity": metrics.recall_score(labels, cut, pos_label=0),
    "precision": metrics.precision_score(labels, cut),
    "npv": metrics.precision_score(labels, cut, pos_label=0),
    "f1": metrics.f1_score(labels, cut),
    "mcc": metrics.matthews_corrcoef(labels, cut),
    "brier": metrics.brier_score_loss(labels, scores),
    "log_loss": metrics.log_loss(labels, scores),
}

wilson = [
    {"hits": hits, "n": total, "limits": list(stats.binomtest(hits, total).proportion_ci(method="wilson"))}
    for hits, total in [(0, 20), (1860, 2000), (1905, 2000), (1990, 2000), (40, 40)]
]

folds = [0.71, 0.78, 0.69, 0.84, 0.75]
half = stats.t.ppf(0.975, 4) * np.sqrt(np.var(folds, ddof=1) * (1 / 5 + 1 / 4))
corrected = [np.mean(folds) - half, np.mean(folds) + half]

# Five folds of eight rows, one row per patient: Bayle's variances of the Brier loss in their published form.
loss = (learners["ridge"] - y) ** 2
fold = np.arange(n) % 5
all_pairs = np.mean((loss - loss.mean()) ** 2)
within = np.mean([loss[fold == k].var(ddof=1) for k in range(5)])
z = stats.norm.ppf(0.975)
bayle = {
    name: [loss.mean() - z * np.sqrt(v / n), loss.mean() + z * np.sqrt(v / n)]
    for name, v in {"bayle_all": all_pairs, "bayle_within": within}.items()
}

# A balanced one-way layout: mean squares between and within, and the moment estimate of the variance between.
table = np.round(rng.normal(size=(6, 1)) * 0.8 + rng.normal(size=(6, 4)), 3)
mean_squares = [4 * table.mean(axis=1).var(ddof=1), table.var(axis=1, ddof=1).mean()]
components = {"table": table.tolist(), "within": mean_squares[1], "between": (mean_squares[0] - mean_squares[1]) / 4}


def adjusted(total, m):
    def lost(a):
        return (a / (m / 0.632) - 1) ** 2 + 0.368 * ((total - m) / (total - a) - 1) ** 2

    return {"n": total, "m": m, "size": optimize.minimize_scalar(lost, bounds=(m, total - 0.5), method="bounded").x}


halvings = [[[0.7, 0.8], [0.6, 0.7]], [[0.9, 0.7], [0.75, 0.85]], [[0.5, 0.6], [0.8, 0.9]]]
squares = [(np.mean(one) - np.mean(other)) ** 2 for one, other in halvings]
conservative = {"halvings": halvings, "half": float(z * np.sqrt(sum(squares) / (2 * 3)))}

auc = {"oracle": {str(d): stats.norm.cdf(d) for d in (0.5, 1, 1.8)}, "one": {str(d): stats.norm.cdf(d / np.sqrt(2)) for d in (0.5, 1, 1.8)}}

out = {
    "X": X.tolist(),
    "y": y.tolist(),
    "fold": fold.tolist(),
    "learners": {name: np.asarray(each).tolist() for name, each in learners.items()},
    "metrics": {"y": labels.tolist(), "p": scores.tolist(), "values": {k: float(v) for k, v in values.items()}},
    "wilson": wilson,
    "correctedT": {"folds": folds, "limits": corrected},
    "bayle": bayle,
    "components": components,
    "adjustedSize": [adjusted(200, 160), adjusted(500, 450), adjusted(90, 72), adjusted(2000, 1000)],
    "conservative": conservative,
    "auc": auc,
}
Path(__file__).with_suffix(".json").write_text(json.dumps(out, indent=1, default=float) + "\n")
