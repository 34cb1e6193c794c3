"""The tasks of the bench in scikit-learn. Reads one task a line as JSON, does it once, and answers with its time and numbers.

Data stand in files of the folder that is named first; they are read when a task is first done, outside its time.
"""

import functools
import json
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

FOLDER = Path(sys.argv[1])
SCORES = {"accuracy": "accuracy", "roc_auc": "roc_auc", "log_loss": "neg_log_loss"}


@functools.cache
def rows(name, width):
    X = np.fromfile(FOLDER / f"{name}.X").reshape(-1, width)
    return X, np.fromfile(FOLDER / f"{name}.y").astype(int)


@functools.cache
def table(name):
    facts = json.loads((FOLDER / f"{name}.json").read_text())
    numbers = np.fromfile(FOLDER / f"{name}.numbers").reshape(len(facts["numbers"]), -1)
    codes = np.fromfile(FOLDER / f"{name}.codes", dtype=np.uint8).reshape(len(facts["texts"]), -1)
    columns = dict(zip(facts["numbers"], numbers))
    for (column, words), own in zip(facts["texts"].items(), codes):
        columns[column] = np.array([*words, np.nan], dtype=object)[own]
    return pd.DataFrame(columns), facts["numbers"], list(facts["texts"])


def folds(model, name, width):
    X, y = rows(name, width)
    started = time.perf_counter()
    found = cross_validate(model, X, y, cv=StratifiedKFold(5), scoring=list(SCORES.values()))
    ms = 1000 * (time.perf_counter() - started)
    means = {ours: abs(found[f"test_{theirs}"].mean()) for ours, theirs in SCORES.items()}
    return {"ms": ms, **means}


def logistic(name, width):
    return folds(make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)), name, width)


def forest(name, width, trees):
    return folds(RandomForestClassifier(trees, random_state=1), name, width)


def encoder(name, sparse):
    frame, numbers, texts = table(name)
    fill = SimpleImputer(strategy="most_frequent")
    both = ColumnTransformer(
        [
            ("numbers", SimpleImputer(strategy="median"), numbers),
            ("texts", make_pipeline(fill, OneHotEncoder(sparse_output=sparse)), texts),
        ],
        sparse_threshold=1.0 if sparse else 0.0,
    )
    started = time.perf_counter()
    out = both.fit_transform(frame)
    ms = 1000 * (time.perf_counter() - started)
    sums = np.asarray(out.sum(axis=0)).ravel()
    return {"ms": ms, "columns": out.shape[1], "sum": out.sum() / 1e6, "by place": sums @ np.arange(len(sums)) / 1e9}


TASKS = {"logistic": logistic, "forest": forest, "encoder": encoder}

for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(TASKS[asked["task"]](**asked["options"])), flush=True)
