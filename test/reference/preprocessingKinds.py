"""Ranges, curves, target encoding and filling by class, fitted to the training rows and to all rows: prints JSON.

python3 test/reference/preprocessingKinds.py > test/reference/preprocessingKinds.json

By scikit-learn, pandas and scipy. `TargetEncoder.transform` codes all rows as those of new data.
"""
import json
import numpy as np
import pandas as pd
import scipy
import sklearn
from scipy import stats
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    MinMaxScaler, PowerTransformer, QuantileTransformer, StandardScaler, TargetEncoder,
)

rng = np.random.RandomState(11)
n = 60
y = (rng.uniform(size=n) < 0.4).astype(int)
numbers = np.round(rng.normal(size=n) + y, 4)
X = np.round(np.exp(rng.normal(size=(n, 4)) * [0.4, 0.8, 0.3, 1]) * [3, 20, 100, 5], 3)
X[7] *= 4  # far out, and tested
signed = np.round(X - [2, 30, 90, 6], 3)
levels = np.c_[rng.choice(list("abcd"), n), rng.choice(["north", "south", "west"], n, p=[0.5, 0.3, 0.2])].astype(object)
missing = X.copy()
missing[rng.uniform(size=X.shape) < 0.15] = np.nan
test = np.sort(np.r_[7, rng.permutation(np.delete(np.arange(n), 7))[:14]])
train = np.setdiff1d(np.arange(n), test)


class ByColumn:
    """A step that learns a function of one column."""

    def __init__(self, learn):
        self.learn = learn

    def fit(self, X, y=None):
        self.steps = [self.learn(column) for column in np.asarray(X, float).T]
        return self

    def transform(self, X):
        return np.column_stack([step(column) for step, column in zip(self.steps, np.asarray(X, float).T)])


def mad(scale):
    def learn(column):
        centre, spread = np.median(column), stats.median_abs_deviation(column, scale=scale)
        return lambda values: (values - centre) / spread

    return ByColumn(learn)


class Smoothed:
    """(count * mean + m * mean of all) / (count + m), as one line of pandas; without m the plain mean."""

    def __init__(self, m):
        self.m = m

    def fit(self, X, y):
        self.overall = y.mean()
        self.codes = []
        for column in X.T:
            by = pd.Series(y).groupby(pd.Series(column)).agg(["count", "mean"])
            self.codes.append((by["count"] * by["mean"] + self.m * self.overall) / (by["count"] + self.m))
        return self

    def transform(self, X):
        return np.column_stack([pd.Series(c).map(codes).fillna(self.overall) for c, codes in zip(X.T, self.codes)])


class Sigmoid(Smoothed):
    """Micci-Barreca's curve with 20 rows and a width of 10; a level of one row has the mean of all."""

    def fit(self, X, y):
        self.overall = y.mean()
        self.codes = []
        for column in X.T:
            by = pd.Series(y).groupby(pd.Series(column)).agg(["count", "mean"])
            own = (1 / (1 + np.exp(-(by["count"] - 20) / 10))).where(by["count"] > 1, 0)
            self.codes.append(own * by["mean"] + (1 - own) * self.overall)
        return self


def by_class(how, labelled):
    """Fills as pandas' groupby('y').transform does; without `labelled` test rows get the statistic of all classes."""

    def filled(rows):
        frame = pd.DataFrame(missing)
        stat = lambda part: getattr(part, how)() if how != "mode" else part.mode().iloc[0]
        overall, own = stat(frame.iloc[rows]), {c: stat(frame.iloc[rows][y[rows] == c]) for c in (0, 1)}
        out = frame.copy()
        for row in range(n):
            fill = own[y[row]] if labelled or row in train else overall
            out.iloc[row] = out.iloc[row].fillna(fill)
        return out.to_numpy()

    return filled


sk = lambda model, data, labels=None: lambda rows: (
    model.fit(data[rows]) if labels is None else model.fit(data[rows], labels[rows])
).transform(data)
te = lambda smooth, kind: TargetEncoder(smooth=smooth, target_type=kind)
cases = {
    "minmax:-1..1": ("X", None, sk(MinMaxScaler((-1, 1)), X)),
    "minmax:0.1..0.9": ("X", None, sk(MinMaxScaler((0.1, 0.9)), X)),
    "mad": ("X", None, sk(mad(1.0), X)),
    "mad:normal": ("X", None, sk(mad("normal"), X)),
    "log1p": ("X", None, lambda rows: np.log1p(X)),
    "log2": ("X", None, lambda rows: np.log2(X)),
    "log, standardize": ("X", None, lambda rows: StandardScaler().fit(np.log(X[rows])).transform(np.log(X))),
    "boxcox": ("X", None, sk(PowerTransformer("box-cox", standardize=False), X)),
    "boxcox, standardize": ("X", None, sk(PowerTransformer("box-cox"), X)),
    "yeojohnson": ("signed", None, sk(PowerTransformer(standardize=False), signed)),
    "yeojohnson, standardize": ("signed", None, sk(PowerTransformer(), signed)),
    "quantile:uniform": ("X", None, sk(QuantileTransformer(), X)),
    "quantile:normal": ("signed", None, sk(QuantileTransformer(n_quantiles=1000, output_distribution="normal"), signed)),
    "target:mean": ("levels", "y", sk(Smoothed(0), levels, y)),
    "target:smoothed": ("levels", "y", sk(te(7.5, "binary"), levels, y)),
    "target:bayes": ("levels", "y", sk(te("auto", "binary"), levels, y)),
    "target:sigmoid": ("levels", "y", sk(Sigmoid(None), levels, y)),
    "target:smoothed of numbers": ("levels", "numbers", sk(te(3.0, "continuous"), levels, numbers)),
    "target:bayes of numbers": ("levels", "numbers", sk(te("auto", "continuous"), levels, numbers)),
    "target:mean, standardize": ("levels", "y", sk(make_pipeline(Smoothed(0), StandardScaler()), levels, y)),
    **{f"impute:class-{how}:unlabelled": ("missing", "y", by_class(how, False)) for how in ("mean", "median", "mode")},
    **{f"impute:class-{how}": ("missing", "y", by_class(how, True)) for how in ("mean", "median", "mode")},
}
cell = lambda v: v if isinstance(v, str) else None if np.isnan(v) else float(v)
as_list = lambda M: [[cell(v) for v in row] for row in np.asarray(M)]
out = [
    {"name": name, "data": data, "labels": labels, "train": as_list(make(train)), "all": as_list(make(np.arange(n)))}
    for name, (data, labels, make) in cases.items()
]
print(json.dumps({
    "versions": {
        "scikit-learn": sklearn.__version__, "numpy": np.__version__, "scipy": scipy.__version__, "pandas": pd.__version__,
    },
    "X": as_list(X), "signed": as_list(signed), "levels": as_list(levels), "missing": as_list(missing),
    "y": y.tolist(), "numbers": numbers.tolist(),
    "splits": {"train": train.tolist(), "test": test.tolist()}, "cases": out,
}))
