"""Folds as other tools write them: writes givenFolds.json beside this file.

Run: python test/reference/givenFolds.py     (scikit-learn >= 1.9.1)

`nnunet` is the text that nnU-Net v2 writes to splits_final.json: sorted case names through KFold(5, shuffle=True,
random_state=12345) and then `json.dump(..., sort_keys=True, indent=4)` (batchgenerators' save_json).
"""

import json
import pathlib
import platform

import numpy as np
import sklearn
from sklearn.model_selection import KFold, PredefinedSplit

cases = sorted([f"case_{i:03d}" for i in range(11)] + ["Müller-Čapek", "患者"])
splits = []
for train, test in KFold(n_splits=5, shuffle=True, random_state=12345).split(cases):
    splits.append({"train": [cases[i] for i in train], "val": [cases[i] for i in test]})

test_fold = [3, 0, -1, 1, 1, 0, -1, 3, 3]
predefined = [[a.tolist(), b.tolist()] for a, b in PredefinedSplit(np.array(test_fold)).split()]

out = {
    "versions": {"python": platform.python_version(), "scikit-learn": sklearn.__version__},
    "cases": cases,
    "nnunet": json.dumps(splits, sort_keys=True, indent=4),
    "testFold": test_fold,
    "predefined": predefined,
}
pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(out, indent=1) + "\n")
