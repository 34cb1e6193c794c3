"""Bootstrap estimates of 3 nearest neighbours by scikit-learn, with the draws of numpy: prints JSON.

python3 test/reference/bootstrapEstimates.py > test/reference/bootstrapEstimates.json
"""
import json
import numpy as np
import sklearn
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import KNeighborsClassifier

N, B, SEED = 40, 60, 7
rng = np.random.RandomState(1)
X = rng.normal(size=(N, 2))
y = (X[:, 0] + rng.normal(size=N) > 0.3).astype(int)

METRICS = {
    "accuracy": lambda t, p: float(np.mean((p > 0.5) == t)),
    "roc_auc": roc_auc_score,
    "brier": lambda t, p: float(np.mean((p - t) ** 2)),
}
fit = lambda rows: KNeighborsClassifier(3).fit(X[rows], y[rows])
proba = lambda model, rows: model.predict_proba(X[rows])[:, 1]

everyone = np.arange(N)
whole = proba(fit(everyone), everyone)
draws = np.random.RandomState(SEED)
samples = []
for _ in range(B):
    rows = np.sort(draws.randint(0, N, N))
    model = fit(rows)
    out = np.setdiff1d(everyone, rows)
    samples.append((rows, out, model))

found = {}
for name, metric in METRICS.items():
    apparent = metric(y, whole)
    optimism = np.mean([metric(y[r], proba(m, r)) - metric(y, proba(m, everyone)) for r, _, m in samples])
    if name == "roc_auc":
        out_of_bag = np.mean([metric(y[o], proba(m, o)) for _, o, m in samples])
        gamma = 0.5
    else:  # the mean over rows of the mean over the samples that left the row out
        by_row = [[metric(y[[i]], proba(m, [i])) for _, o, m in samples if i in o] for i in everyone]
        out_of_bag = np.mean([np.mean(values) for values in by_row])
        gamma = metric(np.repeat(y, N), np.tile(whole, N))
    room = abs(gamma - apparent)
    lost = np.clip((out_of_bag - apparent) * np.sign(gamma - apparent), 0, room)
    overfitting = lost / room
    weight = 0.632 / (1 - 0.368 * overfitting)
    found[name] = {
        "apparent": apparent,
        "outOfBag": float(out_of_bag),
        "noInformation": float(gamma),
        "overfitting": float(overfitting),
        "weight": float(weight),
        "optimism": float(optimism),
        ".632": float(0.368 * apparent + 0.632 * out_of_bag),
        ".632+": float((1 - weight) * apparent + weight * out_of_bag),
        "optimismEstimate": float(apparent - optimism),
    }
print(json.dumps({
    "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
    "seed": SEED, "samples": B, "X": X.tolist(), "y": y.tolist(), "found": found,
}, indent=1))
