"""Single features against y, by numpy, scipy and scikit-learn: prints JSON.

python3 test/reference/featureTarget.py > test/reference/featureTarget.json
"""
import json
import numpy as np
import scipy
import sklearn
from scipy import stats
from sklearn.metrics import roc_auc_score

rng = np.random.RandomState(9)
n = 80
groups = np.repeat(np.arange(20), 4)
y = (rng.uniform(size=n) < 0.4).astype(int)
x = np.round(rng.normal(size=n) + 1.1 * y + 0.6 * rng.normal(size=20)[groups], 1)
numbers = np.round(x + rng.normal(size=n), 3)


def score_p(rank, outcome, units):
    score = (rank - rank.mean()) * (outcome - outcome.mean())
    sums = np.array([score[units == u].sum() for u in np.unique(units)])
    return float(2 * stats.norm.sf(abs(sums.sum()) / np.sqrt((sums**2).sum())))


def delong(scores, outcome, units):
    """Placements, summed by units; units by the classes that they have, n / (n - 1) each."""
    pos, neg = scores[outcome == 1], scores[outcome == 0]
    kernel = lambda a, b: (a > b) + 0.5 * (a == b)
    area = np.mean([[kernel(p, q) for q in neg] for p in pos])
    influence = np.where(
        outcome == 1,
        [(np.mean(kernel(s, neg)) - area) / len(pos) for s in scores],
        [(np.mean(kernel(pos, s)) - area) / len(neg) for s in scores],
    )
    variance = 0.0
    kinds = {}
    for u in np.unique(units):
        kinds.setdefault(frozenset(outcome[units == u]), []).append(influence[units == u].sum())
    for sums in kinds.values():
        variance += len(sums) / (len(sums) - 1) * np.sum(np.square(sums))
    return area, variance


def hanley_mcneil(area, n1, n0):
    q1, q2 = area / (2 - area), 2 * area**2 / (1 + area)
    return (area * (1 - area) + (n1 - 1) * (q1 - area**2) + (n0 - 1) * (q2 - area**2)) / (n1 * n0)


def exceeds_p(scores, outcome, units, at=0.99):
    area, variance = delong(scores, outcome, units)
    n1, n0 = (len(np.unique(units[outcome == side])) for side in (1, 0))
    return float(stats.norm.sf((area - at) / np.sqrt(max(variance, hanley_mcneil(at, n1, n0)))))


# Strong features: one perfect, one with a late negative in many patients, so that either variance decides.
strong_y = np.arange(400) % 2
strong_groups = np.arange(400) // 4
perfect = strong_y * 3.0 + rng.uniform(size=400)
late = perfect.copy()
late[[0, 100, 200]] = 5.0

r_cases = [[0.97, 60], [0.985, 200], [0.96, 1000]]
# units, share of the rarer class, errors, thresholds: the last two on either side of .001.
guard = [[200, 0.5, 2, 1], [100, 0.3, 0, 1], [400, 0.1, 4, 2], [60, 0.5, 0, 1]]
distance = np.sqrt(2) * stats.norm.ppf(0.98)


def least_error(share):
    cut = distance / 2 + np.log((1 - share) / share) / distance
    return float(share * stats.norm.cdf(cut - distance) + (1 - share) * stats.norm.sf(cut))


def units_needed(share):
    units = 2
    while stats.binom.cdf(1, units, least_error(share)) >= 0.001:
        units += 1
    return units


xi_x = rng.permutation(200)
xi_y = np.sin(xi_x / 20) + 0.01 * rng.normal(size=200)
print(json.dumps({
    "versions": {"scikit-learn": sklearn.__version__, "scipy": scipy.__version__, "numpy": np.__version__},
    "x": x.tolist(), "y": y.tolist(), "numbers": numbers.tolist(), "groups": groups.tolist(),
    "auc": float(roc_auc_score(y, x)),
    "spearman": float(stats.spearmanr(x, numbers).statistic),
    "p": {
        "rows": score_p(stats.rankdata(x), y, np.arange(n)),
        "patients": score_p(stats.rankdata(x), y, groups),
        "numbers": score_p(stats.rankdata(x), stats.rankdata(numbers), groups),
        "adjusted": stats.false_discovery_control([0.01, 0.04, 0.03, 0.5]).tolist(),
    },
    "strong": {
        "y": strong_y.tolist(), "groups": strong_groups.tolist(), "perfect": perfect.tolist(), "late": late.tolist(),
        "p": [exceeds_p(f, strong_y, u) for f in (perfect, late) for u in (np.arange(400), strong_groups)],
    },
    "correlation": [
        {"r": r, "units": u,
         "p": float(stats.norm.sf((np.arctanh(r) - np.arctanh(0.95)) / np.sqrt((1 + r * r / 2) / (u - 3))))}
        for r, u in r_cases
    ],
    "leastError": [{"share": s, "error": least_error(s)} for s in (0.5, 0.3, 0.05)],
    "unitsNeeded": [{"share": s, "units": units_needed(s)} for s in (0.5, 0.3, 0.05)],
    "guard": [
        {"units": u, "share": s, "errors": e, "thresholds": t,
         "p": float(stats.binom.cdf(e + t, u, least_error(s)))}
        for u, s, e, t in guard
    ],
    "xi": {"x": xi_x.tolist(), "y": xi_y.tolist(), "value": float(stats.chatterjeexi(xi_x, xi_y).statistic)},
}, indent=1))
