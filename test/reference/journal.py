"""Journals of Optuna's JournalStorage, and what Optuna reads in them. Needs optuna alone.

python3 journal.py                       writes journal/optuna.jsonl and journal.json
python3 journal.py read FILE             prints the studies of a journal as Optuna reads them
python3 journal.py continue FILE STUDY N goes on with a study for N trials, and prints the same

Numbers that JSON does not have are written as text: "NaN", "Infinity".
"""

import json
import math
import pathlib
import platform
import sys
import warnings

import optuna
from optuna.distributions import FloatDistribution, UniformDistribution
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import TrialState, create_trial

optuna.logging.set_verbosity(optuna.logging.CRITICAL)
warnings.simplefilter("ignore")
HERE = pathlib.Path(__file__).parent


def storage_of(path):
    return JournalStorage(JournalFileBackend(str(path)))


def plain(value):
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value


def milliseconds(date):
    return None if date is None else math.floor(date.timestamp() * 1000)


def trial_of(trial):
    return {
        "number": trial.number,
        "state": trial.state.name,
        "values": trial.values,
        "params": trial.params,
        "kinds": {name: type(value).__name__ for name, value in trial.params.items()},
        "distributions": {name: [type(d).__name__, d._asdict()] for name, d in trial.distributions.items()},
        "intermediate": trial.intermediate_values,
        "user_attrs": trial.user_attrs,
        "system_attrs": trial.system_attrs,
        "start": milliseconds(trial.datetime_start),
        "complete": milliseconds(trial.datetime_complete),
    }


def studies_of(path):
    storage = storage_of(path)
    return plain(
        {
            study.study_name: {
                "directions": [direction.name for direction in study.directions],
                "user_attrs": study.user_attrs,
                "trials": [trial_of(trial) for trial in storage.get_all_trials(study._study_id)],
            }
            for study in storage.get_all_studies()
        }
    )


def mixed(trial):
    """Every kind of distribution; fails, is pruned, and reports what is no number."""
    x = trial.suggest_float("x", -5, 5)
    trial.suggest_float("rate", 1e-5, 1, log=True)
    trial.suggest_float("share", 0, 1, step=0.1)
    depth = trial.suggest_int("depth", 1, 9, step=2)
    trial.suggest_int("units", 1, 256, log=True)
    trial.suggest_categorical("kind", [None, True, 2, 2.5, "é\nNaN", [1, 2]])
    trial.set_user_attr("note", {"rows": [1, None, math.inf], "text": "NaN is no number"})
    if trial.number == 1:
        raise ValueError("no memory")
    trial.report(math.nan if trial.number == 2 else x, 0)
    trial.report(x + depth, 3)
    if trial.number == 3:
        raise optuna.TrialPruned()
    return math.nan if trial.number == 4 else x**2


def write():
    path = HERE / "journal" / "optuna.jsonl"
    path.unlink(missing_ok=True)
    path.parent.mkdir(exist_ok=True)
    storage = storage_of(path)
    sampler = optuna.samplers.RandomSampler(seed=1)
    optuna.create_study(study_name="gone", storage=storage).optimize(lambda t: t.suggest_float("x", 0, 1), 2)
    study = optuna.create_study(study_name="mixed", storage=storage, sampler=sampler)
    study.set_user_attr("space", {"of": ["x", 1.0]})
    study.enqueue_trial({"x": 1.5, "kind": "é\nNaN"})
    study.optimize(mixed, 3, catch=(ValueError,))
    optuna.delete_study(study_name="gone", storage=storage)
    study.optimize(mixed, 3, catch=(ValueError,))
    study.enqueue_trial({"depth": 5}, user_attrs={"by": "hand"})
    running = study.ask()
    running.suggest_int("depth", 1, 9, step=2)
    running.report(0.25, 0)
    study.enqueue_trial({"kind": None, "x": -1})
    both = optuna.create_study(study_name="both", storage=storage, directions=["minimize", "maximize"])
    both.optimize(lambda t: (t.suggest_float("x", 0, 1), 1), 1)
    fold = optuna.create_study(study_name="tuning/fold-0", storage=storage, direction="maximize", sampler=sampler)
    fold.add_trial(
        create_trial(
            value=math.inf,
            params={"x": 0.25},
            distributions={"x": FloatDistribution(0, 1)},
            intermediate_values={0: 1.0, 10: math.nan, 2: 0.5},
            user_attrs={"from": "elsewhere"},
        )
    )
    fold.add_trial(create_trial(state=TrialState.PRUNED, value=0.5))
    fold.optimize(lambda t: t.suggest_float("x", 0, 2), 1)
    old = optuna.create_study(study_name="old", storage=storage)
    old.add_trial(create_trial(value=1, params={"x": 0.5}, distributions={"x": UniformDistribution(0, 1)}))
    versions = {"python": platform.python_version(), "optuna": optuna.__version__}
    result = {"source": "optuna.storages.JournalStorage", "versions": versions, "studies": studies_of(path)}
    (HERE / "journal.json").write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")


def go_on(path, name, trials):
    """Goes on with a study: a parameter it has, one it has not, and one of choices."""

    def objective(trial):
        x = trial.suggest_float("x", -5, 5)
        trial.suggest_categorical("kind", [None, True, 2, 2.5, "é", [1, 2]])
        trial.suggest_int("more", 0, 10)
        trial.report(math.inf, 1)
        return x**2

    study = optuna.load_study(
        study_name=name, storage=storage_of(path), sampler=optuna.samplers.TPESampler(n_startup_trials=1, seed=1)
    )
    study.optimize(objective, trials)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        write()
    else:
        if sys.argv[1] == "continue":
            go_on(sys.argv[2], sys.argv[3], int(sys.argv[4]))
        print(json.dumps(studies_of(sys.argv[2])))
