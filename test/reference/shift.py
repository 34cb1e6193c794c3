"""Writes shift.json beside this file: the references of test/checkers/shift and test/checkers/balanceChecker.test.ts.
Run: python test/reference/shift.py     (numpy, scipy, scikit-learn)

Normal scores by scipy's ranks and quantiles; the permutation test with numpy's own shuffles, which cvkit's integer seeds
repeat word for word; the discriminant with numpy's solver, scikit-learn's area and DeLong's variance written out; the
moments of features by numpy and scipy."""
import json
from pathlib import Path
import numpy as np
import scipy
import sklearn
from scipy import stats
from sklearn.metrics import roc_auc_score

rng = np.random.RandomState(31)


def scores(x):
    rank = stats.rankdata(x)
    return stats.norm.ppf((rank - 0.375) / (len(x) + 0.25))


def standardised(table):
    return (table - table.mean(0)) / table.std(0, ddof=1)


def z_of(table, shares):
    """Sum of share times value, by its standard deviation when units change places (finite population)."""
    spread = np.sqrt((shares**2).sum() - shares.sum() ** 2 / len(shares))
    return shares @ table / spread


def max_test(table, folds, seed, permutations=999, stop=10):
    observed = max(np.abs(z_of(table, f)).max() for f in folds)
    random, order, b, drawn = np.random.RandomState(seed), np.arange(len(table)), 0, 0
    while drawn < permutations and b < stop:
        random.shuffle(order)
        b += max(np.abs(z_of(table[order], f)).max() for f in folds) >= observed * (1 - 1e-12)
        drawn += 1
    p = b / drawn if drawn < permutations else (b + 1) / (drawn + 1)
    return {"z": [z_of(table, f).tolist() for f in folds], "pValue": p, "permutations": drawn}


def delong(score, test):
    """Area, variance with n / (n - 1) in either class, degrees of freedom by Satterthwaite."""
    pos, neg = score[test == 1], score[test == 0]
    auc = roc_auc_score(test, score)
    kernel = (pos[:, None] > neg[None, :]) + 0.5 * (pos[:, None] == neg[None, :])
    parts = []
    for placed, n in ((kernel.mean(1), len(pos)), (kernel.mean(0), len(neg))):
        parts.append((n / (n - 1) * (((placed - auc) / n) ** 2).sum(), n))
    variance = sum(v for v, _ in parts)
    return auc, variance, variance**2 / sum(v**2 / (n - 1) for v, n in parts)


def classifier(table, folds, seed):
    count, width = table.shape
    half = np.zeros(count, int)
    half[np.random.RandomState(seed).permutation(count)[: count // 2]] = 1
    shrunk = table.T @ table / (count - 1) + (width / count + 1e-6) * np.eye(width)
    found = []
    for f in folds:
        d = [table[(half == h) & (f == 1)].mean(0) - table[(half == h) & (f == 0)].mean(0) for h in (0, 1)]
        w = [np.linalg.solve(shrunk, each) for each in d]
        areas = [delong(table[half == h] @ w[1 - h], f[half == h]) for h in (0, 1)]
        found.append((float(w[0] @ d[1]), areas))
    best = int(np.argmax([separation for separation, _ in found]))
    areas = found[best][1]
    auc, se = np.mean([a for a, _, _ in areas]), np.sqrt(np.mean([v for _, v, _ in areas]))
    level = 1 - 0.01 / len(folds)
    reach = stats.t.ppf((1 + level) / 2, min(df for _, _, df in areas)) * se / (auc * (1 - auc))
    logit = np.log(auc / (1 - auc))
    return {"auc": auc, "lower": 1 / (1 + np.exp(reach - logit)), "upper": 1 / (1 + np.exp(-reach - logit)), "fold": best}


tied = np.round(rng.standard_t(2, 25), 1)
n = 80
raw = rng.normal(size=(n, 3))
raw[:16, 1] += 1.6
units = standardised(raw)
assignment = np.repeat(np.arange(5), 16)
folds = [(assignment == k).astype(float) for k in range(5)]
torn = [rng.randint(1, 5, n) / 4 for _ in range(2)]
calm = standardised(rng.normal(size=(n, 3)))

feature = np.round(np.exp(rng.normal(size=60)), 3)
q1, q3 = np.quantile(feature, [0.25, 0.75])
features = {
    "values": feature.tolist(),
    "mean": feature.mean(),
    "std": feature.std(ddof=1),
    "min": feature.min(),
    "max": feature.max(),
    "skewness": float(stats.skew(feature)),
    "outliers": int(((feature < q1 - 1.5 * (q3 - q1)) | (feature > q3 + 1.5 * (q3 - q1))).sum()),
    "distinct": len(np.unique(feature)),
}

out = {
    "versions": {"numpy": np.__version__, "scipy": scipy.__version__, "sklearn": sklearn.__version__},
    "normalScores": {"values": tied.tolist(), "scores": scores(tied).tolist()},
    "units": units.tolist(),
    "folds": [f.tolist() for f in folds],
    "shifted": max_test(units, folds, 5),
    "calmUnits": calm.tolist(),
    "calm": max_test(calm, folds, 6),
    "tornShares": [t.tolist() for t in torn],
    "torn": max_test(units, torn, 7),
    "classifier": classifier(units, folds, 8),
    "calmClassifier": classifier(calm, folds[:2], 9),
    "feature": features,
}
Path(__file__).with_suffix(".json").write_text(json.dumps(out) + "\n")
