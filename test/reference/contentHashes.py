"""SHA-256 of small data by hashlib and numpy, as docs/manifest.md describes the bytes: prints JSON.

python3 test/reference/contentHashes.py > test/reference/contentHashes.json
"""
import hashlib
import json
import sys
import numpy as np


def line(content):
    return (json.dumps(content, separators=(",", ":"), ensure_ascii=False) + "\n").encode()


def numbers(values):
    values = np.asarray(values, "<f8")
    return line(["numbers", list(values.shape)]) + values.tobytes()


def classes(names, codes):
    return line(["classes", names, len(codes)]) + np.asarray(codes, "<f8").tobytes()


def fold(train, test):
    rows = np.asarray(train + test, "<i4")
    return line(["fold", len(train), len(test)]) + rows.tobytes()


sha256 = lambda data: hashlib.sha256(data).hexdigest()
X = np.sin(np.arange(60)).astype("<f4").reshape(12, 5)
print(json.dumps({
    "versions": {"python": sys.version.split()[0], "numpy": np.__version__},
    "X": sha256(numbers(X)),
    "images": sha256(numbers(np.arange(12 * 4 * 3).reshape(12, 4, 3))),
    "missing": sha256(numbers([[1, float("nan")], [0, 2]])),
    "rows": sha256(line(["rows", 2]) + line([61, "männlich", None]) + line([0.5, "", 1])),
    "binary": sha256(classes(["case", "control"], [0, 1, 1])),
    "regression": sha256(numbers([1.5, -2, 1e300])),
    "multilabel": sha256(numbers([[1, 0, 1], [0, 0, 1]])),
    "groups": sha256(numbers([0, 1, 0, 2])),
    "timestamps": sha256(numbers([1577836800000.0, 1577923200000.0])),
    "coordinates": sha256(numbers([[52.5, 13.4], [48.1, 11.6]])),
    "folds": sha256(fold([0, 1, 2], [3, 4]) + fold([3, 4], [0, 1, 2])),
}, indent=1))
