"""Quantiles of the noncentral t distribution by scipy, where R's lose digits: writes noncentralT.json beside this file.

Run: python test/reference/noncentralT.py     (scipy >= 1.17)
"""

import json
import pathlib

import scipy
from scipy.stats import chi2, nct


def main():
    z = 1.959963984540054
    cases = [(p, n - 1, z * n**0.5) for n in (3, 10, 85, 500, 20000) for p in (0.005, 0.025, 0.5, 0.975, 0.995)]
    cases += [(0.025, 12, 0.0), (0.975, 12, 0.0), (0.1, 30, -4.0), (0.9, 30, 1.0)]
    out = {
        "versions": {"scipy": scipy.__version__},
        "noncentralT": [[p, df, shift, float(nct.ppf(p, df, shift))] for p, df, shift in cases],
        "chiSquared": [[p, df, float(chi2.ppf(p, df))] for df in (1, 2.5, 9, 40, 300, 5000) for p in (0.0005, 0.025, 0.5, 0.975)],
    }
    pathlib.Path(__file__).with_name("noncentralT.json").write_text(json.dumps(out) + "\n")


main()
