"""Other packages' rules for leakage on the cases of the suite: a case a line on stdin, its verdicts a line on stdout.

Run by worker.mjs, never by hand. The first line out says which packages are here. What a rule needs and the case lacks
leaves the rule out of the answer; so does a rule whose package is missing. A rule that raises counts as silent, and its
error is said. Libraries print; their words go to stderr.

trustcv and cleanlab are called themselves. The rules of deepchecks and cleanvision are written in rules.py.
"""

import contextlib
import importlib
import json
import sys
import warnings
from functools import cached_property

import numpy as np
import pandas as pd

import rules


class Case:
    """One data set: columns, labels, side data, and the folds as pairs of row numbers."""

    def __init__(self, parts):
        self.code = parts["code"]
        self.frame = pd.DataFrame(parts["columns"])
        self.names = list(parts["columns"])
        self.shape = parts.get("shape")
        self.y = None if parts.get("y") is None else np.array(parts["y"])
        self.side = {name: None if values is None else np.array(values) for name, values in parts["side"].items()}
        self.folds = [(np.array(train), np.array(test)) for train, test in parts["folds"]]
        self.processed = None if parts.get("processed") is None else np.array(parts["processed"], dtype=float)

    @cached_property
    def numbers(self):
        """For rules that take numbers alone: text as one number a level, a missing cell as the mean of its column."""
        if all(map(pd.api.types.is_float_dtype, self.frame.dtypes)) and not self.frame.isna().to_numpy().any():
            return self.frame.to_numpy()
        columns = []
        for name in self.frame:
            column = self.frame[name]
            if not pd.api.types.is_numeric_dtype(column):
                codes, _ = pd.factorize(column)
                column = pd.Series(np.where(codes < 0, np.nan, codes).astype(float))
            column = column.astype(float)
            columns.append(column.fillna(column.mean()).fillna(0.0).to_numpy())
        return np.column_stack(columns)

    def torn(self, groups_of_rows):
        """Whether a fold has two rows of one group on its two sides. Groups: lists of row numbers."""
        for train, test in self.folds:
            sides = np.zeros(len(self.frame), dtype=int)
            sides[train] |= 1
            sides[test] |= 2
            for rows in groups_of_rows:
                if len({*sides[np.asarray(rows)]} - {0}) > 1:
                    return True
        return False


def optional(name, needed):
    """The package, if all of it that the rules call can be imported; a part that lacks something would be silent."""
    try:
        importlib.import_module(needed)
        return importlib.import_module(name)
    except ImportError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return None


# ---- trustcv -----------------------------------------------------------------------------------------------------


def of_trustcv(package):
    checker = package.DataLeakageChecker(verbose=False)

    def per_fold(find):
        return lambda case: any(find(case, train, test) for train, test in case.folds)

    def report(case, train, test, **side):
        halves = [("train", train), ("test", test)]
        pairs = {f"{name}_{half}": values[rows] for name, values in side.items() for half, rows in halves}
        return checker.check_cv_splits(case.numbers[train], case.numbers[test], **pairs)

    def typed(kind, **side):
        def find(case, train, test):
            given = {name: case.side[key] for name, key in side.items()}
            return kind in report(case, train, test, **given).leakage_types

        return per_fold(find)

    def labels(case, train, test):
        return "label_distribution" in report(case, train, test, y=case.y).details

    def duplicate(case, train, test):
        # By its name and on arrays: row labels enter its hashes, and labels of two halves of one frame never agree.
        return checker._check_duplicate_samples(case.numbers[train], case.numbers[test])["has_leakage"]

    def near(case, train, test):
        return checker.check_near_duplicates(case.numbers[train], case.numbers[test])["has_leakage"]

    def parents(case, train, test):
        top, below = case.side["top"], case.side["patients"]
        return checker.check_hierarchical_leakage(below[train], below[test], top[train], top[test])["has_leakage"]

    def target(case):
        y = np.unique(case.y, return_inverse=True)[1] if case.y.dtype.kind not in "fiu" else case.y
        return checker.check_feature_target_leakage(case.numbers, y)["has_leakage"]

    def prepared(case):
        return checker.check_preprocessing_leakage(case.numbers, case.processed, case.folds[0])

    def balance(case):
        class Folds:
            def split(self, *_):
                return iter(case.folds)

        codes = np.unique(case.y, return_inverse=True)[1]
        found = package.BalanceChecker().check_cv_balance(case.numbers, codes, Folds())
        return len(found["warnings"]) > 0

    return {
        "CVL001": {"trustcv, patient": (typed("patient", patient_ids="groups"), ["groups"])},
        "CVL002": {"trustcv, duplicate": (per_fold(duplicate), [])},
        "CVL003": {"trustcv, near_duplicate": (per_fold(near), [])},
        "CVL004": {"trustcv, temporal": (typed("temporal", timestamps="timestamps"), ["timestamps"])},
        "CVL005": {"trustcv, feature_statistics": (typed("feature_statistics"), [])},
        "CVL006": {
            "trustcv, spatial_proximity": (typed("spatial_proximity", coordinates="coordinates"), ["coordinates"]),
        },
        "CVL007": {"trustcv, label_distribution": (per_fold(labels), ["y"])},
        "CVL008": {"trustcv, hierarchical": (per_fold(parents), ["top", "patients"])},
        "CVL009": {"trustcv, feature_target": (target, ["y"])},
        "CVL010": {"trustcv, preprocessing": (prepared, ["processed"])},
        "CVB001": {"trustcv, check_cv_balance": (balance, ["y"])},
    }


# ---- cleanlab ----------------------------------------------------------------------------------------------------


def of_cleanlab(package):
    def near(case):
        X = case.numbers
        spread = X.std(axis=0)
        scaled = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1)
        lab = package.Datalab(data={"row": list(range(len(X)))}, verbosity=0)
        lab.find_issues(features=scaled, issue_types={"near_duplicate": {}})
        sets = lab.get_issues("near_duplicate")["near_duplicate_sets"]
        return case.torn([[row, other] for row, others in enumerate(sets) for other in others])

    def spurious(case):
        # Datalab's own judge; the properties of pictures that it gets from cleanvision are in rules.py.
        judge = importlib.import_module("cleanlab.datalab.internal.spurious_correlation").SpuriousCorrelations
        scores = judge(rules.properties(case), np.unique(case.y, return_inverse=True)[1]).calculate_correlations()
        return (scores["score"] < 0.3).any()

    return {
        "CVL002": {"cleanlab, near_duplicate": (near, [])},
        "CVL003": {"cleanlab, near_duplicate": (near, [])},
        "CVL009": {"cleanlab, spurious_correlations": (spurious, ["shape", "y"])},
    }


# ---- the loop ----------------------------------------------------------------------------------------------------

# The packages, and the module of each that its rules need.
PACKAGES = {"trustcv": "trustcv", "cleanlab": "cleanlab.datalab.datalab"}


def has(case, need):
    known = {"y": case.y, "processed": case.processed, "shape": case.shape, "table": None if case.shape else case.frame}
    return known.get(need, case.side.get(need)) is not None


def answer(parts, tables):
    case = Case(parts)
    fired, errors = {}, {}
    for table in tables:
        for name, (rule, needs) in table.get(case.code, {}).items():
            if not all(has(case, need) for need in needs):
                continue
            try:
                fired[name] = bool(rule(case))
            except ImportError:  # It lacks a package: no verdict on the rule.
                raise
            except Exception as error:  # A rule that crashes has found nothing; the answer says so.
                fired[name] = False
                errors[name] = f"{type(error).__name__}: {error}"[:200]
    return {"fired": fired, "errors": errors}


def main():
    warnings.filterwarnings("ignore")
    out = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        found = {name: optional(name, needed) for name, needed in PACKAGES.items()}
        tables = [rules.TABLE]
        if found["trustcv"]:
            tables.insert(0, of_trustcv(found["trustcv"]))
        if found["cleanlab"]:
            tables.append(of_cleanlab(found["cleanlab"]))
        versions = {name: package and package.__version__ for name, package in found.items()}
        codes = {code for table in tables for code in table}
        known = {code: sorted({name for table in tables for name in table.get(code, {})}) for code in sorted(codes)}
        print(json.dumps({"versions": versions, "rules": known}), file=out, flush=True)
        for line in sys.stdin:
            print(json.dumps(answer(json.loads(line), tables)), file=out, flush=True)


main()
