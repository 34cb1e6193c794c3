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


def timed(work):
    started, used = time.perf_counter(), time.process_time()
    result = work()
    ms, cpu = time.perf_counter() - started, time.process_time() - used
    return {"ms": 1000 * ms, "cpu": 1000 * cpu}, result


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


def folds(model, name, width, metrics):
    scores = {metric: SCORES[metric] for metric in metrics}
    X, y = rows(name, width)
    times, found = timed(lambda: cross_validate(model, X, y, cv=StratifiedKFold(5), scoring=list(scores.values())))
    return {**times, **{ours: abs(found[f"test_{theirs}"].mean()) for ours, theirs in scores.items()}}


def logistic(name, width, metrics):
    return folds(make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)), name, width, metrics)


def forest(name, width, metrics, trees):
    return folds(RandomForestClassifier(trees, random_state=1), name, width, metrics)


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
    times, out = timed(lambda: both.fit_transform(frame))
    sums = np.asarray(out.sum(axis=0)).ravel()
    return {**times, "columns": out.shape[1], "sum": out.sum() / 1e6, "by place": sums @ np.arange(len(sums)) / 1e9}


TASKS = {"logistic": logistic, "forest": forest, "encoder": encoder}

for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(TASKS[asked["task"]](**asked["options"])), flush=True)
