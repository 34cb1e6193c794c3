"""Upper tails of F and chi-squared variables by scipy: prints JSON.

    python3 test/reference/upperTails.py > test/reference/upperTails.json

Rows: [f, df above, df below, tail] and [x, df, tail]. Tails below 1e-290 are left out, where doubles lose digits.
"""

import json
import sys

import numpy as np
import scipy
from scipy.special import chdtrc, fdtrc

SIZES = [1e-6, 0.01, 0.3, 0.9, 1, 1.1, 2, 5, 20, 100, 500, 1e4]
f = [
    [x, above, below, float(fdtrc(above, below, x))]
    for x in SIZES
    for above in (1, 2, 5, 20)
    for below in (1, 2, 7, 60, 567, 4000)
]
chi2 = [[x * df**0.5, df, float(chdtrc(df, x * df**0.5))] for x in SIZES for df in (1, 2, 3, 4, 9, 30, 200)]
json.dump(
    {
        "versions": {"scipy": scipy.__version__, "numpy": np.__version__},
        "f": [row for row in f if row[-1] > 1e-290],
        "chiSquared": [row for row in chi2 if row[-1] > 1e-290],
    },
    sys.stdout,
)
print()
