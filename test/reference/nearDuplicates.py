"""Expected values for near-duplicates: lower tails of sums of chi-squares, eigenvalues, quantiles of smooth data.

Run: python test/reference/nearDuplicates.py   (writes nearDuplicates.json beside it)
"""
import json
import platform
from pathlib import Path

import numpy as np
import scipy
from scipy.integrate import quad
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
# Dimensions that are no whole number: chi-squared with so many degrees of freedom.
between = [{"p": p, "part": part, "log": float(chi2.logcdf(p * part, p))} for p in (1.3, 2.5, 10.7) for part in parts]
LOWER = 0.75
# Mean of nine exponential variables, and the largest of nine, each below its quantile LOWER.
nine = gamma(9, scale=1 / 9)
mean = quad(lambda x: x * nine.pdf(x), 0, nine.ppf(LOWER))[0] / LOWER
last = -np.log(1 - LOWER ** (1 / 9))
first = quad(lambda x: 9 * x * (1 - np.exp(-x)) ** 8 * np.exp(-x), 0, last)[0] / LOWER
# -log of the five larger of nine uniform variables, mean.
outer = float(np.mean([sum(1 / j for j in range(k, 10)) for k in range(5, 10)]))

reference = {
    "versions": {"scipy": scipy.__version__, "numpy": np.__version__, "python": platform.python_version()},
    "equal": equal,
    "mixed": {"weights": [a, a, b, b], "points": mixed},
    "matrix": {"rows": matrix, "eigenvalues": np.linalg.eigvalsh(np.array(matrix, float)).tolist()},
    "wide": {"rows": wide, "eigenvalues": np.linalg.eigvalsh(np.cov(np.array(wide).T)).tolist()[-5:]},
    "between": between,
    "smooth": {"lower": LOWER, "mean": mean, "first": first, "outer": outer},
}
Path(__file__).with_suffix(".json").write_text(json.dumps(reference, indent=1) + "\n")
