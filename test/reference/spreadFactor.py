"""Mean |normal score| of a share of units that is so many times as wide, less that of the others: prints JSON.

python3 test/reference/spreadFactor.py > test/reference/spreadFactor.json

Scores are those of the ranks over both sides: Phi^-1 of the mixture's distribution function.
"""
import json

import numpy as np
import scipy
from scipy.integrate import quad
from scipy.stats import norm


def gap(factor, tested):
    def score(x):
        return -norm.ppf(tested * norm.sf(x / factor) + (1 - tested) * norm.sf(x))

    def mean_size(scale):
        return 2 * quad(lambda x: abs(score(x)) * norm.pdf(x, scale=scale), 0, 8 * scale, limit=200)[0]

    return mean_size(factor) - mean_size(1.0)


cases = [
    {"factor": factor, "tested": tested, "difference": gap(factor, tested)}
    for factor in (0.4, 0.8, 1.5, 2.5)
    for tested in (0.1, 0.2, 0.5)
]
found = {"versions": {"numpy": np.__version__, "scipy": scipy.__version__}, "cases": cases}
print(json.dumps(found, indent=1))
