"""What scikit-learn's transformers make of small tables: prints JSON.

    python3 test/reference/transformers.py > test/reference/transformers.json

Missing cells are null, in columns of numbers and of text.
"""

import json
import sys

import numpy as np
import sklearn
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest, VarianceThreshold, chi2, f_classif, f_regression
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, OrdinalEncoder, RobustScaler, StandardScaler

random = np.random.RandomState(7)
NAN = np.nan


def numbers(n, width, missing=0.0, scale=1.0, shift=0.0):
    X = random.normal(size=(n, width)) * np.linspace(1, scale, width) + shift
    X[random.uniform(size=X.shape) < missing] = NAN
    return X


def texts(n, levels, missing=0.0):
    column = np.array(levels, dtype=object)[random.randint(len(levels), size=n)]
    column[random.uniform(size=n) < missing] = NAN
    return column


plain = {"fit": numbers(20, 4, scale=50, shift=3), "later": numbers(7, 4, scale=60)}
holes = {"fit": numbers(25, 3, missing=0.2), "later": numbers(8, 3, missing=0.3)}
far = {"fit": numbers(15, 2, shift=1e8), "later": numbers(4, 2, shift=1e8)}
constant = {"fit": np.column_stack([np.full(10, 0.1), np.full(10, 1e6), np.zeros(10), np.arange(10.0)])}
constant["later"] = constant["fit"][:3] + 1
wide = {"fit": numbers(8, 20), "later": numbers(3, 20)}
tall = {"fit": numbers(300, 5, scale=9), "later": numbers(6, 5)}
LEVELS = ["b", "a", "Z", "é", "c", "aa", "😀", "\uffee"]
words = {
    "fit": np.column_stack([texts(40, LEVELS, 0.1), texts(40, ["yes", "no"])]),
    "later": np.column_stack([texts(9, LEVELS, 0.2), texts(9, ["yes", "no"])]),
}
rare = {"fit": np.array([["a"]] * 12 + [["b"]] * 5 + [["c"]] * 3 + [["d"]] * 3 + [["e"]] * 1, dtype=object)}
rare["later"] = np.array([["a"], ["c"], ["e"], ["new"]], dtype=object)
codes = {"fit": np.array([[3.0, 1], [1, 1], [2, NAN], [3, 0], [10, 1]]), "later": np.array([[10.0, 0], [1, 1]])}
modes = {"fit": np.array([["x"], ["y"], ["y"], ["x"], [NAN]], dtype=object)}
modes["later"] = np.array([[NAN], ["z"]], dtype=object)
classes = random.randint(3, size=40)
signal = {"fit": numbers(40, 6) + 0.4 * np.outer(classes, np.arange(6)), "later": numbers(5, 6)}
ties = {"fit": signal["fit"][:, [1, 3, 3, 1, 0]].copy()}
ties["fit"][:, 4] = 7.0
ties["later"] = ties["fit"][:4]
counts = {"fit": random.poisson(3, size=(40, 5)).astype(float) + np.outer(classes, [0, 1, 0, 2, 0]), "later": np.ones((2, 5))}
target = signal["fit"][:, 2] * 2 + random.normal(size=40)
line = {"fit": np.column_stack([signal["fit"], target + 0.01 * random.normal(size=40), np.full(40, 2.0)])}
line["later"] = line["fit"][:3]
mixed = {
    side: np.column_stack([numbers(n, 2, missing=0.15).astype(object), texts(n, ["u", "v", "w"], 0.1)])
    for side, n in (("fit", 30), ("later", 6))
}

# Strong signals, where p-values are tiny, and weak ones in many rows.
strong_classes = random.randint(2, size=200)
strong = {"fit": numbers(200, 6) + np.outer(strong_classes, [0, 0.05, 0.2, 2, 9, 200]), "later": numbers(3, 6)}
strong_counts = {
    "fit": random.poisson(3, size=(200, 4)).astype(float) + np.outer(strong_classes, [0, 1, 12, 200]),
    "later": np.ones((2, 4)),
}
strong_target = strong["fit"][:, 5] + 0.5 * random.normal(size=200)
shifted = {"fit": numbers(15, 2, shift=1e4), "later": numbers(4, 2, shift=1e4)}
few_classes = np.array([0, 0, 0, 1, 1, 1, 2])
few = {"fit": numbers(7, 5), "later": numbers(2, 5)}


def weights(data):
    return random.randint(4, size=len(data["fit"])) * random.choice([1, 0.5, 3], size=len(data["fit"]))


def impute_words(**options):
    return SimpleImputer(missing_values=NAN, **options)


ONE = dict(sparse_output=False)
CASES = [
    ("StandardScaler", {}, StandardScaler(), plain),
    ("StandardScaler", {}, StandardScaler(), holes),
    ("StandardScaler", {}, StandardScaler(), far),
    ("StandardScaler", {}, StandardScaler(), constant),
    ("StandardScaler", {"withMean": False}, StandardScaler(with_mean=False), plain),
    ("StandardScaler", {"withStd": False}, StandardScaler(with_std=False), plain),
    ("MinMaxScaler", {}, MinMaxScaler(), plain),
    ("MinMaxScaler", {}, MinMaxScaler(), holes),
    ("MinMaxScaler", {}, MinMaxScaler(), constant),
    ("MinMaxScaler", {"featureRange": [-1, 1]}, MinMaxScaler((-1, 1)), plain),
    ("MinMaxScaler", {"clip": True}, MinMaxScaler(clip=True), plain),
    ("MinMaxScaler", {"clip": True}, MinMaxScaler(clip=True), holes),
    ("RobustScaler", {}, RobustScaler(), plain),
    ("RobustScaler", {}, RobustScaler(), holes),
    ("RobustScaler", {}, RobustScaler(), constant),
    ("RobustScaler", {"quantileRange": [10, 80]}, RobustScaler(quantile_range=(10, 80)), plain),
    ("RobustScaler", {"withCentering": False}, RobustScaler(with_centering=False), plain),
    ("RobustScaler", {"withScaling": False}, RobustScaler(with_scaling=False), plain),
    ("SimpleImputer", {}, SimpleImputer(), holes),
    ("SimpleImputer", {"strategy": "median"}, SimpleImputer(strategy="median"), holes),
    ("SimpleImputer", {"strategy": "mostFrequent"}, SimpleImputer(strategy="most_frequent"), codes),
    ("SimpleImputer", {"strategy": "constant"}, SimpleImputer(strategy="constant", fill_value=0), holes),
    ("SimpleImputer", {"strategy": "constant", "fillValue": -1}, SimpleImputer(strategy="constant", fill_value=-1), holes),
    ("SimpleImputer", {"addIndicator": True}, SimpleImputer(add_indicator=True), holes),
    ("SimpleImputer", {"addIndicator": True}, SimpleImputer(add_indicator=True), codes),
    ("SimpleImputer", {"strategy": "median", "addIndicator": True}, SimpleImputer(strategy="median", add_indicator=True), plain),
    ("SimpleImputer", {"strategy": "mostFrequent"}, impute_words(strategy="most_frequent"), words),
    ("SimpleImputer", {"strategy": "mostFrequent"}, impute_words(strategy="most_frequent"), modes),
    ("SimpleImputer", {"strategy": "constant"}, impute_words(strategy="constant"), words),
    ("SimpleImputer", {"strategy": "constant", "fillValue": "none"}, impute_words(strategy="constant", fill_value="none"), words),
    ("OneHotEncoder", {}, OneHotEncoder(**ONE), words),
    ("OneHotEncoder", {}, OneHotEncoder(**ONE), codes),
    ("OneHotEncoder", {"drop": "first"}, OneHotEncoder(drop="first", **ONE), words),
    ("OneHotEncoder", {"drop": "ifBinary"}, OneHotEncoder(drop="if_binary", **ONE), words),
    ("OneHotEncoder", {"handleUnknown": "ignore"}, OneHotEncoder(handle_unknown="ignore", **ONE), rare),
    *[
        ("OneHotEncoder", {"handleUnknown": "infrequent", **ours}, OneHotEncoder(handle_unknown="infrequent_if_exist", **theirs, **ONE), rare)
        for ours, theirs in [
            ({}, {}),
            ({"minFrequency": 4}, {"min_frequency": 4}),
            ({"minFrequency": 0.2}, {"min_frequency": 0.2}),
            ({"maxCategories": 3}, {"max_categories": 3}),
            ({"maxCategories": 4}, {"max_categories": 4}),
            ({"maxCategories": 1}, {"max_categories": 1}),
            ({"minFrequency": 2, "maxCategories": 3}, {"min_frequency": 2, "max_categories": 3}),
            ({"minFrequency": 4, "drop": "first"}, {"min_frequency": 4, "drop": "first"}),
            ({"minFrequency": 6, "drop": "ifBinary"}, {"min_frequency": 6, "drop": "if_binary"}),
        ]
    ],
    ("OneHotEncoder", {"handleUnknown": "ignore", "minFrequency": 4}, OneHotEncoder(handle_unknown="ignore", min_frequency=4, **ONE), rare),
    (
        "OneHotEncoder",
        {"categories": [["e", "d", "c", "b", "a"]], "handleUnknown": "ignore"},
        OneHotEncoder(categories=[["e", "d", "c", "b", "a"]], handle_unknown="ignore", **ONE),
        rare,
    ),
    ("OrdinalEncoder", {}, OrdinalEncoder(), words),
    ("OrdinalEncoder", {}, OrdinalEncoder(), codes),
    ("OrdinalEncoder", {"encodedMissingValue": -1}, OrdinalEncoder(encoded_missing_value=-1), words),
    (
        "OrdinalEncoder",
        {"handleUnknown": "useEncodedValue", "unknownValue": -2},
        OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-2),
        rare,
    ),
    ("PCA", {}, PCA(), plain),
    ("PCA", {"nComponents": 7}, PCA(7), wide),
    ("PCA", {}, PCA(), tall),
    ("PCA", {"nComponents": 2}, PCA(2), wide),
    ("PCA", {"nComponents": 0.8}, PCA(0.8), tall),
    ("PCA", {"nComponents": 3, "whiten": True}, PCA(3, whiten=True), tall),
    ("PCA", {"nComponents": 3, "whiten": True}, PCA(3, whiten=True), wide),
    ("VarianceThreshold", {}, VarianceThreshold(), constant),
    ("VarianceThreshold", {"threshold": 1.5}, VarianceThreshold(1.5), plain),
    ("VarianceThreshold", {}, VarianceThreshold(), holes),
    ("SelectKBest", {"k": 2}, SelectKBest(f_classif, k=2), signal, classes),
    ("SelectKBest", {"k": "all"}, SelectKBest(f_classif, k="all"), signal, classes),
    ("SelectKBest", {"k": 1}, SelectKBest(f_classif, k=1), ties, classes),
    ("SelectKBest", {"k": 3}, SelectKBest(f_classif, k=3), ties, classes),
    ("SelectKBest", {"k": 2, "scoreFunc": "chi2"}, SelectKBest(chi2, k=2), counts, classes),
    ("SelectKBest", {"k": 3, "scoreFunc": "fRegression"}, SelectKBest(f_regression, k=3), line, target),
    ("SelectKBest", {"k": 3}, SelectKBest(f_classif, k=3), strong, strong_classes),
    ("SelectKBest", {"k": 3, "scoreFunc": "fRegression"}, SelectKBest(f_regression, k=3), strong, strong_target),
    ("SelectKBest", {"k": 3, "scoreFunc": "chi2"}, SelectKBest(chi2, k=3), strong_counts, strong_classes),
    ("SelectKBest", {"k": 3}, SelectKBest(f_classif, k=3), few, few_classes),
    ("StandardScaler", {}, StandardScaler(), plain, None, weights(plain)),
    ("StandardScaler", {}, StandardScaler(), holes, None, weights(holes)),
    ("StandardScaler", {}, StandardScaler(), shifted, None, weights(shifted)),
    ("StandardScaler", {}, StandardScaler(), constant, None, weights(constant)),
    ("StandardScaler", {"withMean": False}, StandardScaler(with_mean=False), plain, None, weights(plain)),
]


def cells(X):
    return [[None if isinstance(v, float) and np.isnan(v) else (v.item() if hasattr(v, "item") else v) for v in row] for row in X.tolist()]


def run(name, options, transformer, data, y=None, weight=None):
    extra = {} if weight is None else {"sample_weight": weight}
    with np.errstate(all="ignore"):
        transformer.fit(data["fit"], y, **extra)
    result = {
        "transformer": name,
        "options": options,
        "fit": cells(data["fit"]),
        "later": cells(data["later"]),
        "names": list(transformer.get_feature_names_out()),
        "fitted": cells(transformer.transform(data["fit"])),
        "transformed": cells(transformer.transform(data["later"])) if not fails(transformer, data["later"]) else None,
    }
    if y is not None:
        result["y"] = y.tolist()
        result["scores"] = [None if np.isnan(v) else v for v in transformer.scores_.tolist()]
        result["pvalues"] = [None if np.isnan(v) else v for v in transformer.pvalues_.tolist()]
    if weight is not None:
        result["weight"] = weight.tolist()
    return result


def fails(transformer, X):
    try:
        transformer.transform(X)
        return False
    except ValueError:
        return True


composite = ColumnTransformer(
    [
        ("num", Pipeline([("fill", SimpleImputer(strategy="median", add_indicator=True)), ("scale", StandardScaler())]), [0, 1]),
        ("cat", OneHotEncoder(handle_unknown="ignore", **ONE), [2]),
    ]
)
json.dump(
    {
        "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
        "cases": [run(*case) for case in CASES],
        "tabular": run("tabular", {}, composite, mixed),
    },
    sys.stdout,
)
print()
