"""Decisions of Optuna's pruners on recorded trials, and p-values of scipy's signed-rank test: writes pruners.json beside this file.

Trials run one after the other. Each report is [step, value, whether Optuna would prune]; NaN is null. Most trials end
where they are pruned; some go on, so that later decisions are seen too. Steps count from 1.

Run: python test/reference/pruners.py     (optuna 5.0.0, scipy >= 1.17)
"""

import itertools
import json
import math
import pathlib
import warnings

import numpy as np
import optuna
import scipy
from optuna.pruners import HyperbandPruner, MedianPruner, SuccessiveHalvingPruner, WilcoxonPruner
from optuna.trial import TrialState
from scipy.stats import wilcoxon

optuna.logging.set_verbosity(optuna.logging.ERROR)
warnings.filterwarnings("ignore")
random = np.random.default_rng(19)


def rounded(value, coarse):
    """Eighths, which are exact and give ties, or four digits."""
    return round(value * 8) / 8 if coarse else round(value, 4)


def curve(coarse, n_steps, *, gaps, nan):
    """A learning curve: ascending steps, up to `gaps` apart, with a value at each."""
    start, end, speed = random.normal(0, 2), random.normal(0, 1), random.uniform(0.1, 1)
    step, out = 0, []
    while True:
        step += int(random.integers(1, 1 + gaps)) if step > 0 or gaps > 2 else 1
        if step > n_steps:
            return out or [(1, 0.5)]
        value = end + (start - end) * math.exp(-speed * step) + random.normal(0, 0.3)
        out.append((step, None if random.random() < nan else rounded(value, coarse)))


def scores(coarse, n_folds, *, nan):
    """Scores of folds, some of which are easier than others, in an order at random."""
    quality, folds = random.normal(0, 0.7), np.random.default_rng(7).normal(0, 1, n_folds)
    return [
        (int(place), None if random.random() < nan else rounded(quality + folds[place] + random.normal(0, 0.4), coarse))
        for place in random.permutation(n_folds)
    ]


def recorded(pruner, direction, draw, n_trials, obey):
    study = optuna.create_study(direction=direction, pruner=pruner, study_name="recorded")
    trials = []
    for _ in range(n_trials):
        trial, reports, state = study.ask(), [], "complete"
        fails = random.random() < 0.05
        obeys = random.random() < obey
        drawn = draw()
        for at, (step, value) in enumerate(drawn):
            trial.report(math.nan if value is None else value, step)
            prunes = trial.should_prune()
            reports.append([step, value, bool(prunes)])
            if prunes and obeys:
                state = "pruned"
                break
            if fails and at == len(drawn) // 2:
                state = "failed"
                break
        known = [value for _, value, _ in reports if value is not None]
        value = float(np.mean(known)) if state == "complete" and known else None
        state = "failed" if state == "complete" and value is None else state
        ended = {"complete": TrialState.COMPLETE, "pruned": TrialState.PRUNED, "failed": TrialState.FAIL}[state]
        study.tell(trial, value, state=ended)
        trials.append({"state": state, "value": value, "reports": reports})
    return trials


def study(options, trials, **facts):
    return {**facts, "options": options, "trials": trials}


def medians():
    out = []
    options = [
        {},
        {"nStartupTrials": 0, "nWarmupSteps": 3},
        {"nStartupTrials": 2, "nWarmupSteps": 1, "intervalSteps": 3},
        {"nStartupTrials": 3, "nMinTrials": 3},
    ]
    for at, (given, direction) in enumerate(itertools.product(options, ["minimize", "maximize"])):
        pruner = MedianPruner(
            given.get("nStartupTrials", 5),
            given.get("nWarmupSteps", 0),
            given.get("intervalSteps", 1),
            n_min_trials=given.get("nMinTrials", 1),
        )
        coarse, gaps, nan = at % 4 < 2, 3 if at >= 4 else 1, 0.3 if at % 2 else 0.02
        trials = recorded(pruner, direction, lambda: curve(coarse, 10, gaps=gaps, nan=nan), 25, 0.8)
        out.append(study(given, trials, direction=direction))
    return out


def wilcoxons():
    out = []
    options = [({}, 5), ({}, 10), ({"pThreshold": 0.26, "nStartupSteps": 0}, 5), ({"pThreshold": 0.05, "nStartupSteps": 6}, 20)]
    for at, ((given, n_folds), direction) in enumerate(itertools.product(options, ["minimize", "maximize"])):
        pruner = WilcoxonPruner(
            p_threshold=given.get("pThreshold", 0.1), n_startup_steps=given.get("nStartupSteps", 2)
        )
        coarse, nan = at % 4 in (1, 2), 0.01 if at % 2 else 0
        # Scores of some folds may be missing.
        draw = lambda: [report for report in scores(coarse, n_folds, nan=nan) if random.random() < 0.97] or [(0, 0.5)]
        out.append(study(given, recorded(pruner, direction, draw, 30, 0.8), direction=direction))
    return out


def halvings():
    """No step skips a rung: there a pruned trial counts at both rungs with us, at the first one with Optuna."""
    out = []
    for at, (first, factor, rate) in enumerate([(1, 2, 0), (1, 3, 0), (2, 4, 0), (1, 3, 1)]):
        for direction in ("minimize", "maximize"):
            pruner = SuccessiveHalvingPruner(first, factor, rate)
            coarse, gaps, nan = at % 2 == 0, 2 if direction == "maximize" else 1, 0.05
            trials = recorded(pruner, direction, lambda: curve(coarse, 16, gaps=gaps, nan=nan), 30, 0.85)
            out.append(study({"first": first * factor**rate, "reductionFactor": factor}, trials, direction=direction))
    return out


class Allotted(HyperbandPruner):
    """Optuna's Hyperband, with the bracket of a trial as cvkit has it: by multiples of the golden ratio."""

    def _get_bracket_id(self, study, trial):
        rest = (trial.number * ((math.sqrt(5) - 1) / 2)) % 1 * self._total_trial_allocation_budget
        for bracket, budget in enumerate(self._trial_allocation_budgets):
            rest -= budget
            if rest < 0:
                return bracket
        return max(0, len(self._trial_allocation_budgets) - 1)


def hyperbands():
    out = []
    # No trial reports at the last step: Optuna prunes there too.
    for at, (least, most, factor) in enumerate([(1, 10, 3), (2, 17, 2), (1, 30, 3)]):
        for direction in ("minimize", "maximize"):
            pruner = Allotted(least, most, factor)
            coarse, gaps = at % 2 == 0, 2 if direction == "maximize" else 1
            trials = recorded(pruner, direction, lambda: curve(coarse, most - 1, gaps=gaps, nan=0.02), 40, 0.9)
            options = {"minResource": least, "maxResource": most, "reductionFactor": factor}
            out.append(study(options, trials, direction=direction, budgets=list(pruner._trial_allocation_budgets)))
    return out


def signed_ranks():
    samples = [random.normal(0.3, 1, n).round(6) for n in (1, 2, 3, 4, 5, 10, 13, 14, 30, 50, 51, 80)]
    samples += [random.integers(-3, 5, n) for n in (2, 3, 5, 8, 10, 13, 14, 20, 50, 51, 80)]
    zeros = ((1, 1), (4, 1), (12, 1), (13, 1), (10, 3), (11, 3), (49, 1), (50, 1))
    samples += [np.append(random.normal(-0.2, 1, n).round(6), [0.0] * more) for n, more in zeros]
    samples += [np.zeros(n) for n in (2, 13, 14, 60)]
    samples += [np.full(n, 0.5) for n in (2, 5, 13, 14)]
    p = lambda x, side: float(wilcoxon(x, alternative=side, zero_method="zsplit").pvalue)
    return [{"differences": [float(v) for v in x], "greater": p(x, "greater"), "less": p(x, "less")} for x in samples]


def main():
    out = {
        "versions": {"optuna": optuna.__version__, "scipy": scipy.__version__},
        "median": medians(),
        "wilcoxon": wilcoxons(),
        "successiveHalving": halvings(),
        "hyperband": hyperbands(),
        "signedRank": signed_ranks(),
    }
    pathlib.Path(__file__).with_name("pruners.json").write_text(json.dumps(out, separators=(",", ":")) + "\n")


main()
