"""Expected values for near-duplicates: lower tails of sums of chi-squares, eigenvalues, quantiles of smooth data.

Run: python test/reference/nearDuplicates.py   (writes nearDuplicates.json beside it)
"""
import json
import platform
from pathlib import Path

import numpy as np
import scipy
from scipy.stats import chi2, gamma

parts = (1e-6, 0.01, 0.1, 0.5, 0.9)
# With p equal weights the sum is chi-squared with p degrees of freedom.
equal = [
    {"p": p, "part": part, "log": float(chi2.logcdf(p * part, p))}
    for p in (1, 2, 4, 16, 64)
    for part in parts
    if chi2.cdf(p * part, p) > 1e-290
]
# Weights a, a, b, b: a sum of two exponential variables with means 2a and 2b.
a, b = 1.0, 0.04
mixed = []
for part in (0.01, 0.1, 0.5, 0.9):
    x = part * 2 * (a + b)
    p = 1 - (2 * a * np.exp(-x / (2 * a)) - 2 * b * np.exp(-x / (2 * b))) / (2 * a - 2 * b)
    mixed.append({"x": x, "log": float(np.log(p))})

matrix = [[4, 1, -2, 2], [1, 3, 0, 1], [-2, 0, 2, -2], [2, 1, -2, -1]]
wide = [[round(float(np.sin(3 * i * i + 7 * j) + 0.3 * i * j % 2), 3) for j in range(9)] for i in range(6)]
quantiles = (0.5, 0.75)

reference = {
    "versions": {"scipy": scipy.__version__, "numpy": np.__version__, "python": platform.python_version()},
    "equal": equal,
    "mixed": {"weights": [a, a, b, b], "points": mixed},
    "matrix": {"rows": matrix, "eigenvalues": np.linalg.eigvalsh(np.array(matrix, float)).tolist()},
    "wide": {"rows": wide, "eigenvalues": np.linalg.eigvalsh(np.cov(np.array(wide).T)).tolist()[-5:]},
    "smooth": [
        {"quantile": q, "mean": float(gamma.ppf(q, 9, scale=1 / 9)), "first": float(-np.log(1 - q ** (1 / 9)))}
        for q in quantiles
    ],
}
Path(__file__).with_suffix(".json").write_text(json.dumps(reference, indent=1) + "\n")
