"""Writes tpe.json: densities of Optuna's Parzen estimators, its split of trials, its spaces of parameters that are drawn
together, and scipy's truncated normal distribution.

python3 tpe.py > tpe.json
"""

import json
import logging
import platform
import warnings

import numpy as np
import optuna
import scipy
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.samplers._tpe.parzen_estimator import _ParzenEstimator, _ParzenEstimatorParameters
from optuna.samplers._tpe.sampler import _split_trials, default_gamma, default_weights
from optuna.search_space import IntersectionSearchSpace
from optuna.trial import TrialState, create_trial
from scipy.stats import norm, truncnorm

optuna.logging.set_verbosity(logging.ERROR)
warnings.filterwarnings("ignore")
rng = np.random.RandomState(0)

# Which of equal values comes first is not defined in numpy's sort, and differs by machine: here it is the earlier one.
argsort = np.argsort
np.argsort = lambda values, **options: argsort(values, **{"kind": "stable", **options})

PARAMETERS = _ParzenEstimatorParameters(1.0, True, False, default_weights, True)
SPACE = {
    "plain": FloatDistribution(-5, 10),
    "rate": FloatDistribution(1e-5, 1, log=True),
    "steps": FloatDistribution(0, 0.9, step=0.1),
    "count": IntDistribution(1, 50),
    "evens": IntDistribution(2, 20, step=2),
    "size": IntDistribution(4, 256, log=True),
    "kind": CategoricalDistribution(["a", "b", "c", "d"]),
}


def draws(distribution, n):
    if isinstance(distribution, CategoricalDistribution):
        return rng.randint(len(distribution.choices), size=n).astype(float)
    low, high, step = distribution.low, distribution.high, distribution.step
    if distribution.log:
        values = np.exp(rng.uniform(np.log(low), np.log(high), n))
        return np.round(values) if step else values
    if not step:
        return rng.uniform(low, high, n)
    return np.round(low + step * rng.randint(round((high - low) / step) + 1, size=n), 10)


def density(names, n, ends=False):
    space = {name: SPACE[name] for name in names}
    observed = {name: draws(space[name], n) for name in names}
    if ends:
        for name in names:
            observed[name][:2] = [space[name].low, space[name].high]
    points = {name: draws(space[name], 8) for name in names}
    estimator = _ParzenEstimator(observed, space, PARAMETERS)
    return {
        "names": names,
        "observed": [observed[name].tolist() for name in names],
        "points": [points[name].tolist() for name in names],
        "logDensities": estimator.log_pdf(points).tolist(),
        "weights": estimator._mixture_distribution.weights.tolist(),
    }


def densities():
    cases = [density([name], n) for name in SPACE for n in (0, 1, 2, 3, 10, 24, 60)]
    cases += [density([name], n, ends=True) for name in ("plain", "rate") for n in (4, 26, 27, 60)]
    cases += [density(["plain", "rate"], n) for n in (5, 25, 26, 100)]
    cases += [density(["kind", "plain"], 60)]
    cases += [density(list(SPACE), n) for n in (0, 1, 7, 60)]
    return cases


def normals():
    z = [-37, -20, -8, -5.7, -5.6, -3, -1, -0.67, -0.66, -0.3, -1e-9, 0, 1e-9, 0.2, 0.66, 0.67, 2, 6, 8, 20]
    pairs = [(-40, -39.9), (-8, -7), (-3, -2.999), (-1, 1), (-100, 3), (-0.5, 0.25), (0, 1), (-1, 0), (2, 2.5), (30, 31)]
    pairs += [(-0.0001, 0.0001), (5, 50)]
    limits = [(-1, 1), (0, 1), (-1, 0), (-3, 0.01), (-50, 2), (-0.01, 7), (-100, 100)]
    return {
        "cdf": [[value, norm.cdf(value)] for value in z],
        "logMass": [[a, b, log_mass(a, b)] for a, b in pairs],
        "truncated": [
            [a, b, p, truncnorm.ppf(p, a, b), *at(truncnorm.ppf(p, a, b), a, b)]
            for a, b in limits
            for p in (0, 1e-12, 0.001, 0.2, 0.5, 0.7, 0.99, 1 - 1e-9)
        ],
    }


def log_mass(a, b):
    """From scipy's log_ndtr, on the side where it keeps its digits."""
    if a > 0:
        a, b = -b, -a
    if b > 0:
        return float(np.log1p(-norm.cdf(a) - norm.sf(b)))
    high, low = norm.logcdf(b), norm.logcdf(a)
    return float(high + np.log1p(-np.exp(low - high)))


def at(x, a, b):
    return [float(truncnorm.cdf(x, a, b)), float(truncnorm.logpdf(x, a, b))]


def trials_of(n, share_pruned, share_failed, share_running):
    trials = []
    for number in range(n):
        draw = rng.rand()
        value = float(np.round(rng.normal(), 1))
        steps = int(rng.randint(0, 4))
        reports = {int(step): float(np.round(rng.normal(), 1)) for step in range(steps)}
        if steps > 1 and rng.rand() < 0.2:
            reports[steps - 1] = float("nan")
        state = TrialState.COMPLETE
        for share, other in (
            (share_pruned, TrialState.PRUNED),
            (share_failed, TrialState.FAIL),
            (share_running, TrialState.RUNNING),
        ):
            if draw < share:
                state = other
                break
            draw -= share
        trial = create_trial(state=state, value=value if state == TrialState.COMPLETE else None, intermediate_values=reports)
        trial.number = number
        trials.append(trial)
    return trials


STATES = {
    TrialState.COMPLETE: "complete",
    TrialState.PRUNED: "pruned",
    TrialState.FAIL: "failed",
    TrialState.RUNNING: "running",
}


def splits():
    cases = []
    for direction in ("minimize", "maximize"):
        for shape in ((3, 0, 0, 0), (11, 0, 0, 0), (40, 0.3, 0.1, 0.2), (60, 0.97, 0, 0.03), (60, 1, 0, 0), (400, 0.2, 0.1, 0.1)):
            trials = trials_of(*shape)
            study = optuna.create_study(direction=direction)
            used = [trial for trial in trials if trial.state != TrialState.FAIL]
            n = sum(trial.state != TrialState.RUNNING for trial in used)
            below, above = _split_trials(study, used, default_gamma(n))
            cases.append(
                {
                    "direction": direction,
                    "trials": [
                        [
                            STATES[trial.state],
                            trial.value,
                            [[step, None if np.isnan(v) else v] for step, v in trial.intermediate_values.items()],
                        ]
                        for trial in trials
                    ],
                    "better": [trial.number for trial in below],
                    "worse": [trial.number for trial in above],
                }
            )
    return cases


def spaces():
    """Names of the parameters that every trial had."""
    one, other = FloatDistribution(0, 1), FloatDistribution(0, 2)
    cases = [
        [["a", "b"], ["b", "a"]],
        [["a", "b", "c"], ["a", "b", "d"], ["a", "b", "d", "e"]],
        [["a"], ["b"], ["a", "c"]],
        [["a", "b", "single"], ["a", "b", "single"]],
        [["a", "b"], ["c"]],
    ]
    result = []
    for case in cases:
        study = optuna.create_study()
        for names in case:
            distributions = {name: FloatDistribution(1, 1) if name == "single" else one for name in names}
            params = {name: distribution.low for name, distribution in distributions.items()}
            study.add_trial(create_trial(params=params, distributions=distributions, value=0.0))
        shared = IntersectionSearchSpace(include_pruned=True).calculate(study)
        names = sorted(name for name, each in shared.items() if not each.single())
        result.append({"trials": case, "shared": names})
    return result


print(
    json.dumps(
        {
            "versions": {
                "optuna": optuna.__version__,
                "numpy": np.__version__,
                "scipy": scipy.__version__,
                "python": platform.python_version(),
            },
            "densities": densities(),
            "normals": normals(),
            "splits": splits(),
            "spaces": spaces(),
        }
    )
)
