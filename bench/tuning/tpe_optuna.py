"""The other side of tpe.mjs: the same searches with the TPESampler of Optuna. Reads one task a line as JSON and answers
each with one line. Trials run one after the other, constant liar off, nothing is printed by Optuna.
"""

import json
import math
import os
import sys
import time
import warnings
from multiprocessing import Pool

import optuna

optuna.logging.set_verbosity(optuna.logging.ERROR)
warnings.filterwarnings("ignore")


def branin(trial):
    x, y = trial.suggest_float("x", -5, 10), trial.suggest_float("y", 0, 15)
    valley = y - 5.1 / (4 * math.pi**2) * x**2 + 5 / math.pi * x - 6
    return valley**2 + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x) + 10


ALPHA = [1, 1.2, 3, 3.2]
A = [
    [10, 3, 17, 3.5, 1.7, 8],
    [0.05, 10, 17, 0.1, 8, 14],
    [3, 3.5, 1.7, 10, 17, 8],
    [17, 8, 0.05, 10, 0.1, 14],
]
P = [
    [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
    [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
    [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.665],
    [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
]


def hartmann6(trial):
    x = [trial.suggest_float(f"x{at}", 0, 1) for at in range(6)]
    return -sum(
        alpha * math.exp(-sum(a * (v - p) ** 2 for a, v, p in zip(rates, x, peak)))
        for alpha, rates, peak in zip(ALPHA, A, P)
    )


def rosenbrock5(trial):
    x = [trial.suggest_float(f"x{at}", -5, 10) for at in range(5)]
    return sum(100 * (b - a**2) ** 2 + (1 - a) ** 2 for a, b in zip(x, x[1:]))


def conditional(trial):
    kind = trial.suggest_categorical("kind", ["linear", "trees", "network"])
    rate = math.log10(trial.suggest_float("rate", 1e-5, 1, log=True)) + 2.5
    size = (math.log2(trial.suggest_int("size", 4, 256, log=True)) - 5.3) / 2
    common = 0.3 * rate**2 + 0.4 * size**2 + 0.2 * rate * size
    if kind == "linear":
        return 0.5 + common
    if kind == "trees":
        return 0.1 + common + 0.05 * (trial.suggest_int("depth", 1, 12) - 7) ** 2
    dropout = trial.suggest_float("dropout", 0, 0.9)
    return common + 2 * (dropout - 0.35 + 0.1 * rate) ** 2


def sixParameters(trial):
    x, y = trial.suggest_float("x", -5, 5), trial.suggest_float("y", -5, 5)
    rate = math.log10(trial.suggest_float("rate", 1e-5, 1, log=True)) + 2.5
    share = trial.suggest_float("share", 0, 1)
    count = trial.suggest_int("count", 1, 50)
    kind = trial.suggest_categorical("kind", ["a", "b", "c"])
    return x**2 + y**2 + rate**2 + (share - 0.3) ** 2 + (count - 20) ** 2 / 100 + "abc".index(kind)


def table(values):
    def objective(trial):
        rate = trial.suggest_float("rate", -4, 0, step=0.5)
        units = trial.suggest_int("units", 2, 16, step=2)
        dropout = trial.suggest_float("dropout", 0, 0.8, step=0.2)
        return values[round((rate + 4) / 0.5)][units // 2 - 1][round(dropout / 0.2)]

    return objective


def objective_of(task):
    return table(task["table"]) if "table" in task else globals()[task["objective"]]


def sampler_of(task, seed):
    return optuna.samplers.TPESampler(seed=seed, multivariate=task["multivariate"], constant_liar=False)


def best(job):
    task, seed = job
    study = optuna.create_study(direction=task.get("direction", "minimize"), sampler=sampler_of(task, seed))
    study.optimize(objective_of(task), n_trials=task["trials"])
    return study.best_value


def search(task):
    with Pool(task.get("processes") or os.cpu_count()) as pool:
        return pool.map(best, [(task, seed) for seed in range(task["seeds"])], chunksize=1)


def values(task):
    """The objective at given parameters: both sides must mean the same function."""
    return [objective_of(task)(optuna.trial.FixedTrial(params)) for params in task["points"]]


def clock(task):
    """Milliseconds of ask, suggest and tell for each trial after `after` trials."""
    study = optuna.create_study(sampler=sampler_of(task, 1))
    objective, times = objective_of(task), []
    for number in range(task["after"] + task["trials"]):
        started = time.perf_counter()
        trial = study.ask()
        value = objective(trial)
        study.tell(trial, value)
        if number >= task["after"]:
            times.append(1000 * (time.perf_counter() - started))
    return times


if __name__ == "__main__":
    for line in sys.stdin:
        task = json.loads(line)
        print(json.dumps({"search": search, "values": values, "clock": clock}[task["do"]](task)), flush=True)
