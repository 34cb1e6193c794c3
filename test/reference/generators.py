"""What is true of generated patients, integrated by scipy; normal numbers of NumPy: prints JSON.

python3 test/reference/generators.py > test/reference/generators.json

The specification of docs/datasets.md is written out here a second time. Nothing is drawn: densities of the log-odds are
summed over sites and diagnoses, time is integrated in closed form where it is uniform, and patients by adaptive quadrature.
"""
import itertools
import json
import numpy as np
import scipy
from scipy import integrate, optimize
from scipy.special import expit
from scipy.stats import norm

# effect, added per level of the site, added over the time; or a share for a diagnosis
FEATURES = [
    ("age", 0.6, 0, 0), ("creatinine", 0.55, 0.4, 0.2), ("systolic", -0.35, 0, 0),
    ("female", -0.5, 0.5), ("diabetes", 0.7, 0.25),
    ("crp", 0.6, 0.4, 0.3), ("heart rate", 0.35, 0, 0), ("haemoglobin", -0.5, -0.3, 0),
    ("heart failure", 0.8, 0.15), ("saturation", -0.4, 0, 0), ("sodium", -0.2, 0.3, 0),
    ("urea", 0.35, 0.4, 0), ("platelets", 0, -0.3, 0), ("bmi", 0, 0, 0), ("temperature", 0.25, 0, 0),
    ("smoker", 0, 0.2),
]
SITES = [(0.3, -0.6, -0.4), (0.25, 0, 0.3), (0.2, 0.5, 0), (0.15, -0.2, -0.2), (0.1, 1, 0.6)]
PATIENT_SD, TIME_EFFECT = 2.5, 0.6


def parts(n_features):
    """Shares, means and slopes in time of the normal parts, and their standard deviation."""
    chosen = FEATURES[:n_features]
    measures = [f for f in chosen if len(f) == 4]
    diagnoses = [f for f in chosen if len(f) == 3]
    sd = np.sqrt(sum(effect**2 for _, effect, _, _ in measures))
    slope = sum(effect * time for _, effect, _, time in measures)
    per_level = sum(effect * site for _, effect, site, _ in measures)
    shares, means = [], []
    for (share, level, site_effect), pattern in itertools.product(SITES, itertools.product([0, 1], repeat=len(diagnoses))):
        weight = share * np.prod([p if on else 1 - p for on, (_, _, p) in zip(pattern, diagnoses)])
        shares.append(weight)
        means.append(site_effect + level * per_level + sum(e for on, (_, e, _) in zip(pattern, diagnoses) if on))
    return np.array(shares), np.array(means), slope + TIME_EFFECT, sd


def visits(planned):
    """Progress of the visits, each with its share: 3 % leave after each."""
    weight = 0.97 ** np.arange(planned)
    last = min(planned, 12) - 1
    time = np.minimum(1, np.arange(planned) / last) if planned > 1 else np.zeros(1)
    return time, weight / weight.sum()


def density(x, shares, means, slope, sd, time):
    """`time`: None, 'uniform', or points and their shares."""
    x = np.asarray(x)[:, None]
    if time is None:
        return (shares * norm.pdf(x, means, sd)).sum(axis=1)
    if time == "uniform":
        return (shares * (norm.cdf(x, means, sd) - norm.cdf(x, means + slope, sd)) / slope).sum(axis=1)
    return sum(s * density(x[:, 0], shares, means + slope * t, 0, sd, None) for t, s in zip(*time))


def new_patient_risk(log_odds):
    f = lambda b: expit(log_odds + b) * norm.pdf(b, scale=PATIENT_SD)
    return integrate.quad(f, -12 * PATIENT_SD, 12 * PATIENT_SD, epsabs=1e-13, epsrel=1e-12, limit=400)[0]


def auc(x, f, risk, base):
    above = integrate.cumulative_simpson(f * (1 - risk), x=x, initial=0)
    return integrate.simpson(f * risk * above, x=x) / (base * (1 - base))


def truth(n_features, prevalence, time):
    shares, means, slope, sd = parts(n_features)
    wide = np.sqrt(sd**2 + PATIENT_SD**2)
    ends = lambda s: (means.min() - 9 * s, means.max() + max(slope, 0) + 9 * s)
    x_wide = np.linspace(*ends(wide), 16001)
    f_wide = density(x_wide, shares, means, slope, wide, time)
    share_of_ones = lambda a: integrate.simpson(f_wide * expit(a + x_wide), x=x_wide) - prevalence
    intercept = optimize.brentq(share_of_ones, -40, 40, xtol=1e-14)
    x = np.linspace(*ends(sd), 16001)
    f = density(x, shares, means, slope, sd, time)
    # Quadrature at 321 points; the log-odds of the average is smooth in between.
    nodes = np.linspace(intercept + x[0], intercept + x[-1], 321)
    risks = np.array([new_patient_risk(v) for v in nodes])
    risk = expit(scipy.interpolate.CubicSpline(nodes, np.log(risks / (1 - risks)))(intercept + x))
    mean = integrate.simpson(f * x, x=x)
    variance = integrate.simpson(f * (x - mean) ** 2, x=x)
    return {
        "nFeatures": n_features,
        "prevalence": prevalence,
        "intercept": intercept,
        "trueAuc": auc(x, f, risk, prevalence),
        "aucKnowingPatients": auc(x_wide, f_wide, expit(intercept + x_wide), prevalence),
        "r2": variance / (variance + PATIENT_SD**2 + 1),
    }


log_odds = [-30, -8, -3, -1.234, 0, 0.5, 2, 6, 20]
print(json.dumps({
    "versions": {"numpy": np.__version__, "scipy": scipy.__version__},
    "newPatientRisk": {"logOdds": log_odds, "risk": [new_patient_risk(v) for v in log_odds]},
    "normals": [{"seed": seed, "values": np.random.RandomState(seed).normal(size=12).tolist()} for seed in (0, 42, 2**32 - 1)],
    "encounters": [
        {"temporal": time is not None, **truth(n, p, time)}
        for n, p, time in [
            (1, 0.3, None), (2, 0.5, None), (5, 0.05, None), (10, 0.3, None), (20, 0.3, None), (20, 0.9, None),
            (20, 0.001, None), (1, 0.3, "uniform"), (20, 0.3, "uniform"), (12, 0.7, "uniform"),
        ]
    ],
    "visits": [
        {"nTimepoints": k, **truth(n, p, visits(k))}
        for k, n, p in [(1, 10, 0.3), (2, 3, 0.3), (12, 10, 0.3), (12, 20, 0.1), (40, 10, 0.3)]
    ],
}, indent=1))
