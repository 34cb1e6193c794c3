"""Clusters of scikit-learn for test/splitters/spatial: writes clusters.json beside this file.

Run: python test/reference/clusters.py     (scikit-learn >= 1.9.1, numpy)

`separated`: clusters so far apart that every search must find them, in columns of very different scale; the labels are
those of `KMeans` on `StandardScaler` data. `uniform`: points without clusters; inertia of single k-means++ starts.
"""

import json
import pathlib

import numpy as np
import sklearn
from sklearn.cluster import KMeans
from sklearn.preprocessing import StandardScaler


def main():
    rng = np.random.RandomState(7)
    separated = []
    for k, n, width in [(2, 30, 1), (3, 40, 2), (5, 70, 3), (7, 90, 4)]:
        centres = np.array([[(i + j * (i + 2)) % k for j in range(width)] for i in range(k)], dtype=float)
        of = np.arange(n) % k
        rng.shuffle(of)
        points = np.round((centres[of] + rng.randn(n, width) * 0.01) * 10.0 ** (2 - 3 * np.arange(width)), 10)
        fit = KMeans(k, n_init=20, random_state=0).fit(StandardScaler().fit_transform(points))
        assert len({(a, b) for a, b in zip(fit.labels_, of)}) == k
        separated.append({"k": k, "points": points.tolist(), "labels": fit.labels_.tolist()})
    points = np.round(rng.rand(400, 2), 6)
    inertias = [KMeans(12, n_init=1, random_state=seed).fit(points).inertia_ for seed in range(30)]
    uniform = {"k": 12, "points": points.tolist(), "meanInertia": float(np.mean(inertias))}
    versions = {"scikit-learn": sklearn.__version__, "numpy": np.__version__}
    path = pathlib.Path(__file__).with_name("clusters.json")
    path.write_text(json.dumps({"versions": versions, "separated": separated, "uniform": uniform}) + "\n")


main()
