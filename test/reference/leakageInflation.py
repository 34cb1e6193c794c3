"""Writes leakageInflation.json: the price of a leak, chance and recognition of persons, with numpy, scipy and scikit-learn.

The price is naive - guarded. Influences (area under the curve: placements less the mean of the folds' areas, over the
number of folds and of rows of the class; Brier: loss less mean, over the number of rows) are subtracted between the
designs and summed per patient; the variance is n / (n - 1) times the sum of squares, within strata of patients by their
classes for the area, over all patients for Brier. Degrees of freedom by Satterthwaite from Kish's effective patients.

python3 leakageInflation.py > leakageInflation.json
"""

import itertools
import json
import platform

import numpy as np
import scipy
import sklearn
from scipy.stats import t as student
from sklearn.metrics import accuracy_score, brier_score_loss, mean_squared_error, roc_auc_score

rng = np.random.default_rng(5)
LEVEL = 0.9
FACTOR = {"roc_auc": 1.2, "brier": 1.6}

# ---- 30 patients of 2 to 4 rows; the naive folds tear all of them, the guarded ones none --------------------------------
sizes = np.array([2, 3, 4] * 10)
patient = np.repeat(np.arange(30), sizes)
n = len(patient)
y = (np.arange(30) % 2)[patient]
y = np.where(rng.random(n) < 0.1, 1 - y, y)  # some patients have rows of both classes
guarded = patient % 5
naive = np.concatenate([(np.arange(size) + shift) % 5 for size, shift in zip(sizes, rng.integers(0, 5, 30))])
a = np.round(np.clip(0.5 + 0.25 * (y - 0.5) + 0.2 * rng.standard_normal(n), 0.01, 0.99), 2)  # of who is known
b = np.round(np.clip(0.5 + 0.08 * (y - 0.5) + 0.2 * rng.standard_normal(n), 0.01, 0.99), 2)  # of who is new


def area_influence(score, fold):
    areas = [roc_auc_score(y[fold == k], score[fold == k]) for k in range(5)]
    out = np.zeros(n)
    for k in range(5):
        at = np.flatnonzero(fold == k)
        pos, neg = at[y[at] == 1], at[y[at] == 0]
        psi = (score[pos][:, None] > score[neg]) + 0.5 * (score[pos][:, None] == score[neg])
        out[pos] = (psi.mean(axis=1) - np.mean(areas)) / (5 * len(pos))
        out[neg] = (psi.mean(axis=0) - np.mean(areas)) / (5 * len(neg))
    return np.mean(areas), out


def brier_influence(score, _fold):
    loss = (score - y) ** 2
    return loss.mean(), (loss - loss.mean()) / n


def price(metric, influence, stratified):
    (worth, up), (kept, down) = influence(a, naive), influence(b, guarded)
    sums = np.bincount(patient, up - down)
    kinds = [frozenset(y[patient == who].tolist()) for who in range(30)] if stratified else [0] * 30
    variance, spread = 0.0, 0.0
    for kind in set(kinds):
        who = [each for each in range(30) if kinds[each] == kind]
        part = len(who) / (len(who) - 1) * np.sum(sums[who] ** 2)
        effective = sizes[who].sum() ** 2 / np.sum(sizes[who] ** 2)
        variance, spread = variance + part, spread + part**2 / (effective - 1)
    df = variance**2 / spread
    half = student.ppf((1 + LEVEL) / 2, df) * FACTOR[metric] * np.sqrt(variance)
    d = worth - kept
    return dict(naive=worth, guarded=kept, difference=d, se=np.sqrt(variance), lower=d - half, upper=d + half)


# ---- chance: the mean score over every order of the labels within the folds --------------------------------------------
few = [dict(y=[0, 0, 1, 1, 1], pred=[0, 1, 1, 1, 0]), dict(y=[0, 1, 0, 0], pred=[1, 1, 0, 1])]
probabilities = [[0.1, 0.7, 0.9, 0.6, 0.3], [0.8, 0.55, 0.2, 0.7]]
numbers = [dict(y=[1.5, 0.2, 3.0, 2.2], pred=[1.0, 0.4, 2.0, 2.9]), dict(y=[0.3, 4.1, 2.0], pred=[1.1, 2.5, 2.2])]


def over_orders(folds, predictions, score):
    """Sum over the folds of rows times the mean over orders, over all rows: exact for means over rows."""
    means = [
        len(fold["y"]) * np.mean([score(list(order), pred) for order in itertools.permutations(fold["y"])])
        for fold, pred in zip(folds, predictions)
    ]
    return sum(means) / sum(len(fold["y"]) for fold in folds)


labels = [fold["pred"] for fold in few]
chance = dict(
    folds=[dict(y=fold["y"], pred=fold["pred"], p=p) for fold, p in zip(few, probabilities)],
    numbers=numbers,
    accuracy=over_orders(few, labels, accuracy_score),
    brier=over_orders(few, probabilities, brier_score_loss),
    roc_auc=np.mean([
        np.mean([roc_auc_score(list(order), p) for order in itertools.permutations(fold["y"])])
        for fold, p in zip(few, probabilities)
    ]),
    mse=over_orders(numbers, [fold["pred"] for fold in numbers], mean_squared_error),
)

# ---- recognition: Brier on moved labels, 12 patients of 3 rows in 2 folds of rows, 4 moves -----------------------------
who = np.repeat(np.arange(12), 3)
half_of = np.tile([0, 1, 0, 1, 0, 1], 6)
runs = []
for _ in range(4):
    moved = rng.permutation(np.arange(12) % 2)[who]
    p = np.round(np.clip(0.5 + 0.2 * (moved - 0.5) + 0.15 * rng.standard_normal(36), 0.01, 0.99), 2)
    runs.append(dict(y=moved.tolist(), p=p.tolist()))
scores, chances, per_patient = [], [], np.zeros(12)
for run in runs:
    truth, p = np.array(run["y"]), np.array(run["p"])
    loss = (p - truth) ** 2
    scores.append(loss.mean())
    per_patient += np.bincount(who, (loss - loss.mean()) / 36) / 4
    met = [((p[half_of == k][:, None] - truth[half_of == k]) ** 2).mean() * (half_of == k).sum() for k in (0, 1)]
    chances.append(sum(met) / 36)
gaps = np.array(chances) - np.array(scores)
error = np.sqrt(12 / 11 * np.sum(per_patient**2) + gaps.var(ddof=1) / 4)
recognition = dict(
    patients=who.tolist(), fold=half_of.tolist(), runs=runs,
    permutedMean=np.mean(scores), chance=np.mean(chances), pValue=student.sf(gaps.mean() / error, 11),
    detectable=(student.ppf(0.99, 11) + student.ppf(0.95, 11)) * error / np.mean(chances),
)

print(json.dumps(dict(
    versions=dict(python=platform.python_version(), numpy=np.__version__, scipy=scipy.__version__, sklearn=sklearn.__version__),
    price=dict(
        patient=patient.tolist(), y=y.tolist(), naiveFold=naive.tolist(), guardedFold=guarded.tolist(),
        a=a.tolist(), b=b.tolist(), level=LEVEL,
        roc_auc=price("roc_auc", area_influence, True), brier=price("brier", brier_influence, False),
    ),
    chance=chance, recognition=recognition,
)))
