"""Areas under the ROC curve from scikit-learn on 1,000 small cases that are full of ties, half of them with weights.

Run: python test/reference/placements.py   (writes placements.json beside it)
A case is three strings of digits, one digit per row: class, score, weight.
"""
import json
import platform
from pathlib import Path

import numpy as np
import sklearn
from sklearn.metrics import roc_auc_score

rng = np.random.RandomState(20262)
text = lambda digits: "".join(map(str, digits))

cases = []
while len(cases) < 1000:
    n = rng.randint(2, 41)
    y, scores = rng.randint(0, 2, n), rng.randint(0, rng.randint(2, 10), n)
    w = rng.randint(0, 5, n) if len(cases) % 2 else np.ones(n, int)
    if len(set(y[w > 0])) < 2:
        continue
    cases.append([text(y), text(scores), text(w), roc_auc_score(y, scores, sample_weight=w)])

path = Path(__file__).with_suffix(".json")
reference = {
    "source": "sklearn.metrics.roc_auc_score",
    "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__, "python": platform.python_version()},
    "cases": "CASES",
}
rows = "[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]"
path.write_text(json.dumps(reference, indent=1).replace('"CASES"', rows) + "\n")
print(len(cases), "cases")
