"""Rules of deepchecks, cleanvision and (one) cleanlab, written anew from their documentation, with their defaults.

deepchecks 0.18 (its documentation of tabular checks): conditions of the suites `data_integrity` and
`train_test_validation`. Its predictive power score: ppscore (8080 Labs). cleanvision 0.3 (its README and documentation):
issue types `exact_duplicates` and `near_duplicates`. A rule takes a case of peers.py and says whether it complains.
"""

import hashlib
import re

import numpy as np
import pandas as pd
from scipy.fft import dct
from scipy.stats import chi2_contingency, ks_2samp
from sklearn.metrics import f1_score, mean_absolute_error
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor


def halves(case):
    """Train and test rows of each fold: features, and labels where there are any."""
    frame = case.frame if case.y is None else case.frame.assign(_label=case.y)
    return [(frame.iloc[train], frame.iloc[test]) for train, test in case.folds]


# ---- copies ------------------------------------------------------------------------------------------------------


def keys(frame):
    """One number a row; missing cells agree with each other."""
    return pd.util.hash_pandas_object(frame, index=False).to_numpy()


def samples_mix(case, most=0.05):
    """TrainTestSamplesMix: at most 5 % of the test rows are in the training rows, label and all."""
    return any(np.isin(keys(test), keys(train)).mean() > most for train, test in halves(case))


def data_duplicates(case, most=0.05):
    """DataDuplicates: at most 5 % of all rows are copies of others."""
    frame = case.frame if case.y is None else case.frame.assign(_label=case.y)
    return 1 - len(np.unique(keys(frame))) / len(frame) > most


# ---- shift -------------------------------------------------------------------------------------------------------


def is_text(column):
    return not pd.api.types.is_numeric_dtype(column)


def cramers_v(train, test):
    """Both sets scaled to the size of the smaller, corrected for bias (Bergsma 2013); levels below 1 % are one level."""
    shares = train.value_counts(normalize=True)
    rare = {level for level in {*train, *test} if shares.get(level, 0) < 0.01}
    sides = [half.map(lambda level: "<other>" if level in rare else level).value_counts() for half in (train, test)]
    counts = pd.concat(sides, axis=1).fillna(0).to_numpy().T
    table = np.round(counts * counts.sum(axis=1).min() / counts.sum(axis=1, keepdims=True))
    table = table[:, table.any(axis=0)]
    rows, levels = table.shape
    if levels < 2:
        return 0.0
    n = table.sum()
    phi = max(0.0, chi2_contingency(table)[0] / n - (rows - 1) * (levels - 1) / (n - 1))
    least = min(rows - (rows - 1) ** 2 / (n - 1), levels - (levels - 1) ** 2 / (n - 1)) - 1
    return float(np.sqrt(phi / least)) if least > 0 else 0.0


def drift(train, test, few=10):
    """Kolmogorov-Smirnov distance of numbers, Cramér's V of text; nothing below 10 values."""
    train, test = train.dropna(), test.dropna()
    if min(len(train), len(test)) < few:
        return 0.0
    return cramers_v(train.astype(str), test.astype(str)) if is_text(train) else float(ks_2samp(train, test).statistic)


def feature_drift(case, limit=0.2):
    """FeatureDrift: no feature drifts by .2 or more."""
    return any(
        drift(case.frame[name].iloc[train], case.frame[name].iloc[test]) >= limit
        for train, test in case.folds
        for name in case.frame
    )


def label_drift(case, limit=0.15):
    """LabelDrift: the label drifts by less than .15; classes by Cramér's V."""
    y = pd.Series(case.y)
    y = y if is_regression(y) else y.astype(str)
    return any(drift(y.iloc[train], y.iloc[test]) >= limit for train, test in case.folds)


def new_label(case):
    """NewLabelTrainTest: the test rows have no label that the training rows lack. For classes alone."""
    if is_regression(pd.Series(case.y)):
        return False
    return any(len({*case.y[test]} - {*case.y[train]}) > 0 for train, test in case.folds)


# ---- features and labels -----------------------------------------------------------------------------------------


def is_regression(y):
    return pd.api.types.is_float_dtype(y) and y.nunique() > 30


def power_score(x, y):
    """Predictive power score; 0, as ppscore has it, where the trees cannot be fitted."""
    try:
        return fitted_power(x, y)
    except ValueError:
        return 0.0


def fitted_power(x, y, seed=42):
    """A tree on one feature in 4 folds against the best guess without it, from 0 to 1."""
    known = x.notna().to_numpy()
    order = np.random.default_rng(seed).permutation(np.flatnonzero(known))[:5000]
    x, y = x.iloc[order], y.iloc[order]
    if y.nunique() < 2 or (is_text(x) and x.nunique() == len(x)):
        return 0.0
    features = pd.get_dummies(x).to_numpy(dtype=float) if is_text(x) else x.to_numpy(dtype=float).reshape(-1, 1)
    if is_regression(y):
        tree, metric = DecisionTreeRegressor(random_state=0), "neg_mean_absolute_error"
        error = -cross_val_score(tree, features, y, cv=4, scoring=metric).mean()
        naive = mean_absolute_error(y, np.full(len(y), y.median()))
        return max(0.0, 1 - error / naive) if naive > 0 else 0.0
    codes = np.unique(y.astype(str), return_inverse=True)[1]
    tree = DecisionTreeClassifier(random_state=0)
    score = cross_val_score(tree, features, codes, cv=4, scoring="f1_weighted").mean()
    guesses = [np.full(len(codes), np.bincount(codes).argmax()), np.random.default_rng(seed).permutation(codes)]
    naive = max(f1_score(codes, guess, average="weighted") for guess in guesses)
    return max(0.0, (score - naive) / (1 - naive)) if naive < 1 else 0.0


def power(case, limit=0.8):
    """FeatureLabelCorrelation: no feature has a predictive power score of .8 or more."""
    y = pd.Series(case.y)
    return any(power_score(case.frame[name], y) >= limit for name in case.frame)


def power_change(case, difference=0.2, most=0.7):
    """FeatureLabelCorrelationChange: below .7 in the training rows, and less than .2 from that of the test rows."""
    y = pd.Series(case.y)
    train, test = case.folds[0]
    for name in case.frame:
        x = case.frame[name]
        first = power_score(x.iloc[train], y.iloc[train])
        if first >= most or abs(first - power_score(x.iloc[test], y.iloc[test])) >= difference:
            return True
    return False


# ---- patients and times ------------------------------------------------------------------------------------------


def index_leakage(case):
    """IndexTrainTestLeakage: no index, here the patient, is on both sides."""
    groups = case.side["groups"]
    return any(np.isin(groups[test], groups[train]).any() for train, test in case.folds)


def date_overlap(case):
    """DateTrainTestLeakageOverlap: no test row is as old as the youngest training row, or older."""
    times = case.side["timestamps"]
    return any((times[test] <= times[train].max()).any() for train, test in case.folds)


def identifier_column(case):
    """cleanlab's documented `identifier_column`: whole numbers from c to c + n, as many as rows, in any order."""
    for name in case.frame:
        column = case.frame[name]
        if pd.api.types.is_integer_dtype(column) and column.nunique() == len(column):
            if column.max() - column.min() == len(column) - 1:
                return True
    return False


def respelled(values):
    levels = {text for text in values if isinstance(text, str)}
    return len({re.sub(r"[^a-z0-9]+", "", text.lower()) for text in levels}) < len(levels)


def string_mismatch(case):
    """StringMismatch: no two spellings of one text, told apart by case and signs alone."""
    return any(is_text(case.frame[name]) and respelled(case.frame[name].dropna()) for name in case.frame)


def index_mismatch(case):
    """The same rule on the column that names the patient."""
    return respelled(case.side["groups"].tolist())


# ---- pictures ----------------------------------------------------------------------------------------------------


def pictures(case):
    """Grey pictures of 0 to 255, one scale for all; colours are averaged."""
    data = case.numbers.reshape([-1, *case.shape])
    while data.ndim > 3:
        data = data.mean(axis=-1)
    low, high = data.min(), data.max()
    return np.round(255 * (data - low) / max(high - low, 1e-12)).astype(np.uint8)


def classes_of(hashes):
    rows = {}
    for row, key in enumerate(hashes):
        rows.setdefault(key, []).append(row)
    return [group for group in rows.values() if len(group) > 1]


def exact_pictures(case):
    """exact_duplicates: equal MD5 sums of the pixels, on two sides of a fold."""
    return case.torn(classes_of(hashlib.md5(picture.tobytes()).hexdigest() for picture in pictures(case)))


def near_pictures(case):
    """near_duplicates: equal perceptual hashes of 64 bits (the signs of 8 x 8 low frequencies of 32 x 32 pixels)."""
    from PIL import Image

    def perceptual(picture):
        small = np.asarray(Image.fromarray(picture).resize((32, 32), Image.Resampling.LANCZOS), dtype=float)
        low = dct(dct(small, axis=0), axis=1)[:8, :8]
        return (low > np.median(low)).tobytes()

    return case.torn(classes_of(map(perceptual, pictures(case))))


def properties(case):
    """cleanvision's scores of pictures of one size: bright and dark ends, entropy, blur (edges and spread of grey)."""
    from PIL import Image, ImageFilter, ImageStat

    def of(picture):
        image = Image.fromarray(picture)
        blur = np.sqrt(ImageStat.Stat(image.filter(ImageFilter.FIND_EDGES)).var[0])
        spread = 1 - np.exp(-0.01 * np.std(image.histogram()))
        return {
            "dark": np.percentile(picture, 99) / 255,
            "light": 1 - np.percentile(picture, 5) / 255,
            "low_information": min(1.0, 0.1 * image.entropy()),
            "blurry": min(1.0, 1 - np.exp(-0.01 * blur) + (spread if spread > 0.18 else 0)),
        }

    return pd.DataFrame([of(picture) for picture in pictures(case)])


TABLE = {
    "CVL001": {
        "deepchecks, IndexTrainTestLeakage": (index_leakage, ["groups"]),
        "deepchecks, StringMismatch": (index_mismatch, ["groups"]),
    },
    "CVL002": {
        "deepchecks, TrainTestSamplesMix": (samples_mix, []),
        "deepchecks, DataDuplicates": (data_duplicates, []),
        "cleanvision, exact_duplicates": (exact_pictures, ["shape"]),
        "cleanvision, near_duplicates": (near_pictures, ["shape"]),
    },
    "CVL003": {
        "deepchecks, TrainTestSamplesMix": (samples_mix, []),
        "cleanvision, near_duplicates": (near_pictures, ["shape"]),
    },
    "CVL004": {"deepchecks, DateTrainTestLeakageOverlap": (date_overlap, ["timestamps"])},
    "CVL005": {"deepchecks, FeatureDrift": (feature_drift, [])},
    "CVL007": {"deepchecks, LabelDrift": (label_drift, ["y"])},
    "CVL009": {
        "deepchecks, FeatureLabelCorrelation": (power, ["y", "table"]),
        "deepchecks, FeatureLabelCorrelationChange": (power_change, ["y", "table"]),
    },
    "CVL011": {
        "cleanlab, identifier_column": (identifier_column, []),
        "deepchecks, StringMismatch": (string_mismatch, []),
    },
    "CVB001": {"deepchecks, NewLabelTrainTest": (new_label, ["y"])},
}
