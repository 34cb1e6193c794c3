"""Confusion matrices and reports of scikit-learn for test/metrics/classReport.test.ts: writes classReport.json beside it.

Run: python test/reference/classReport.py     (scikit-learn >= 1.9.1, numpy)
"""

import json
import pathlib

import numpy as np
import sklearn
from sklearn.metrics import classification_report, confusion_matrix


def main():
    rng = np.random.RandomState(14)
    cases = []
    for k, n, weighted in [(2, 60, False), (3, 150, False), (4, 200, True), (6, 500, True)]:
        truth = rng.randint(0, k, n)
        said = np.where(rng.rand(n) < 0.65, truth, rng.randint(0, k, n))
        labels = np.array([f"type {chr(65 + i)}" for i in range(k)])
        weight = rng.randint(0, 4, n) / 2.0 if weighted else np.ones(n)
        report = classification_report(labels[truth], labels[said], sample_weight=weight, output_dict=True)
        cases.append(
            {
                "yTrue": labels[truth].tolist(),
                "yPred": labels[said].tolist(),
                "weight": weight.tolist(),
                "matrix": confusion_matrix(labels[truth], labels[said], sample_weight=weight).tolist(),
                "perClass": [report[label] for label in labels],
                "macro": report["macro avg"],
                "accuracy": report["accuracy"],
            }
        )
    versions = {"scikit-learn": sklearn.__version__, "numpy": np.__version__}
    path = pathlib.Path(__file__).with_name("classReport.json")
    path.write_text(json.dumps({"versions": versions, "cases": cases}) + "\n")


main()
