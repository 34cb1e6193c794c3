"""Nested search of scikit-learn on WDBC: GridSearchCV within the folds of cross_validate. Prints JSON.

    python3 test/reference/gridSearch.py > test/reference/gridSearch.json

Every case holds the inner scores of all candidates in every outer fold, what was chosen, the outer scores, and the search on
all rows. Folds are written as one character per row: the number of the fold that tests it, or '.' where it takes no part.
"""

import json
import sys
import warnings

import numpy as np
import sklearn
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

# The minimum is reached to the last digits, where the line search finds no better point and says so.
warnings.filterwarnings("ignore")

X, benign = load_breast_cancer(return_X_y=True)
y = 1 - benign
n = len(y)
# Patients of three to six rows, which lie apart.
groups = np.array([(row * row + 3 * row) % 211 for row in range(n)])
GRID = [1e-4, 1e-3, 0.01, 0.1, 1, 10]


def model(**options):
    return LogisticRegression(solver="newton-cholesky", tol=1e-12, max_iter=1000, **options)


def scaled(**options):
    return make_pipeline(StandardScaler(), model(**options))


SCALED_GRID = {"logisticregression__C": GRID}
# Close to each other, and in no order, so that several are equally good.
TIED_GRID = {"logisticregression__C": [0.3, 0.2, 0.25, 0.1, 0.15, 10]}
STEP_GRID = {"logisticregression__C": [0.001, 0.1, 10], "standardscaler__with_mean": [True, False]}
CASES = [
    ("accuracy, as they are", "accuracy", model(), {"C": GRID}, False),
    ("roc_auc, as they are", "roc_auc", model(), {"C": GRID}, False),
    ("log_loss, as they are", "neg_log_loss", model(), {"C": GRID}, False),
    ("accuracy, scaled", "accuracy", scaled(), SCALED_GRID, False),
    ("accuracy, with ties", "accuracy", scaled(), TIED_GRID, False),
    ("roc_auc, scaled", "roc_auc", scaled(), SCALED_GRID, False),
    ("log_loss, scaled", "neg_log_loss", scaled(), SCALED_GRID, False),
    # Without an intercept the mean of a column makes a difference.
    ("roc_auc, a parameter of the step", "roc_auc", scaled(fit_intercept=False), STEP_GRID, False),
    ("log_loss, a parameter of the step", "neg_log_loss", scaled(fit_intercept=False), STEP_GRID, False),
    ("accuracy, grouped", "accuracy", scaled(), SCALED_GRID, True),
    ("roc_auc, grouped", "roc_auc", scaled(), SCALED_GRID, True),
]


def written(folds, rows=None):
    tested = ["."] * n
    for number, (_, test) in enumerate(folds):
        for row in test if rows is None else rows[test]:
            tested[row] = str(number)
    return "".join(tested)


def searched(search):
    found = search.cv_results_
    best = found["mean_test_score"].max()
    return {
        "params": found["params"],
        "means": found["mean_test_score"].tolist(),
        "chosen": int(search.best_index_),
        "best": float(search.best_score_),
        "tied": int((found["mean_test_score"] == best).sum()),
    }


def run(name, scoring, estimator, grid, grouped):
    if grouped:
        # cross_validate does not hand groups on to the inner search, so that the folds are made by hand.
        outer = list(GroupKFold(5).split(X, y, groups))
        inner = [list(GroupKFold(3).split(X[train], y[train], groups[train])) for train, _ in outer]
        whole = list(GroupKFold(3).split(X, y, groups))
        searches, scores = [], []
        for (train, test), folds in zip(outer, inner):
            search = GridSearchCV(estimator, grid, scoring=scoring, cv=folds).fit(X[train], y[train])
            searches.append(search)
            scores.append(get_scorer(scoring)(search, X[test], y[test]))
    else:
        cv = StratifiedKFold(3)
        outer = list(StratifiedKFold(5).split(X, y))
        inner = [list(cv.split(X[train], y[train])) for train, _ in outer]
        whole = list(cv.split(X, y))
        done = cross_validate(
            GridSearchCV(estimator, grid, scoring=scoring, cv=cv),
            X,
            y,
            scoring=scoring,
            cv=StratifiedKFold(5),
            return_estimator=True,
        )
        searches, scores = done["estimator"], done["test_score"]
    return {
        "name": name,
        "scoring": scoring,
        "grouped": grouped,
        "outer": written(outer),
        "inner": [written(folds, train) for (train, _), folds in zip(outer, inner)],
        "innerOfAll": written(whole),
        "folds": [{**searched(each), "outerScore": float(score)} for each, score in zip(searches, scores)],
        "all": searched(GridSearchCV(estimator, grid, scoring=scoring, cv=whole).fit(X, y)),
    }


cases = [run(*case) for case in CASES]
versions = {"scikit-learn": sklearn.__version__, "numpy": np.__version__}
json.dump({"source": "sklearn GridSearchCV", "versions": versions, "groups": groups.tolist(), "cases": cases}, sys.stdout)
print()
