"""Nearest-neighbour distances, random folds and their W for test/splitters/spatial: writes knndm.json beside this file.

Run: python test/reference/knndm.py     (scikit-learn >= 1.9.1, scipy, numpy; Rscript for the p-values)

Distances are scikit-learn's (`NearestNeighbors`, haversine times the mean Earth radius), random folds its shuffled
`KFold`, W is `scipy.stats.wasserstein_distance`, the p-value R's `ks.test(..., exact = FALSE)`. `wPublished` is the W
of the algorithm as its paper gives it (Linnenbrink et al. 2024, Geosci. Model Dev. 17:5897, section 2): Ward clusters
for 100 numbers of clusters, ordered along the first principal component and dealt to the folds in turn.
"""

import json
import pathlib
import subprocess

import numpy as np
import scipy
import sklearn
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.stats import wasserstein_distance
from sklearn.model_selection import KFold
from sklearn.neighbors import NearestNeighbors

EARTH_RADIUS_KM = 6371.0088
N_SPLITS = 5
MAX_SHARE = 0.5


def nearest(metric, data, query):
    """From each query point to the nearest of data."""
    if metric == "haversine":
        tree = NearestNeighbors(n_neighbors=1, metric="haversine", algorithm="ball_tree").fit(np.radians(data))
        return tree.kneighbors(np.radians(query))[0][:, 0] * EARTH_RADIUS_KM
    return NearestNeighbors(n_neighbors=1, algorithm="kd_tree").fit(data).kneighbors(query)[0][:, 0]


def within(metric, data):
    rows = np.arange(len(data))
    return np.array([nearest(metric, data[rows != row], data[[row]])[0] for row in rows])


def across(metric, data, fold_of):
    out = np.empty(len(data))
    for fold in np.unique(fold_of):
        out[fold_of == fold] = nearest(metric, data[fold_of != fold], data[fold_of == fold])
    return out


def random_folds(n, seed):
    fold_of = np.empty(n, dtype=int)
    for fold, (_, test) in enumerate(KFold(N_SPLITS, shuffle=True, random_state=seed).split(np.zeros(n))):
        fold_of[test] = fold
    return fold_of


def p_value(a, b):
    numbers = lambda values: ",".join(repr(float(v)) for v in values)
    call = f"cat(sprintf('%.17g', ks.test(c({numbers(a)}), c({numbers(b)}), alternative='greater', exact=FALSE)$p.value))"
    return float(subprocess.run(["Rscript", "-"], input=call, capture_output=True, text=True, check=True).stdout)


def published(sample, prediction_distances):
    n = len(sample)
    tree = linkage(sample, "ward")
    axis = np.linalg.svd(sample - sample.mean(axis=0))[2][0]
    best = np.inf
    for q in np.unique(np.round(np.exp(np.linspace(np.log(N_SPLITS), np.log(n - 2), 100))).astype(int)):
        cluster = fcluster(tree, q, "maxclust")
        names = np.unique(cluster)
        order = names[np.argsort([(sample[cluster == c] @ axis).mean() for c in names])]
        large = [c for c in order if (cluster == c).sum() >= n / N_SPLITS]
        fold_of_cluster = {c: fold for fold, c in enumerate(large)}
        free = [fold for fold in range(N_SPLITS) if fold >= len(large)]
        for i, c in enumerate(c for c in order if c not in fold_of_cluster):
            fold_of_cluster[c] = free[i % len(free)]
        fold_of = np.array([fold_of_cluster[c] for c in cluster])
        if np.bincount(fold_of).max() / n <= MAX_SHARE:
            best = min(best, wasserstein_distance(across("euclidean", sample, fold_of), prediction_distances))
    return best


def case(name, metric, sample, prediction, seed):
    sample, prediction = np.round(sample, 4), np.round(prediction, 4)
    to_sample, own = nearest(metric, sample, prediction), within(metric, sample)
    folds = across(metric, sample, random_folds(len(sample), seed))
    return {
        "name": name,
        "distanceMetric": metric,
        "seed": seed,
        "coordinates": sample.tolist(),
        "predictionPoints": prediction.tolist(),
        "predictionDistances": sorted(to_sample.tolist()),
        "sampleDistances": sorted(own.tolist()),
        "randomFoldDistances": sorted(folds.tolist()),
        "wRandom": wasserstein_distance(folds, to_sample),
        "pValue": p_value(own, to_sample),
        **({"wPublished": published(sample, to_sample)} if metric == "euclidean" else {}),
    }


def main():
    rng = np.random.RandomState(2024)
    grid = np.array([[x, y] for x in np.arange(5, 100, 10) for y in np.arange(5, 100, 10)], dtype=float)
    clustered = lambda k, n, width: (rng.rand(k, 2) * 100)[rng.randint(0, k, n)] + rng.randn(n, 2) * width
    cases = [case(f"random sample {i}", "euclidean", rng.rand(80, 2) * 100, grid, i) for i in range(3)]
    for i in range(12):
        cases.append(case(f"clustered sample {i}", "euclidean", clustered(4 + 2 * i, 90, 1 + i % 4), grid, i))
    earth = lambda n: np.column_stack([np.degrees(np.arcsin(rng.rand(n) * 2 - 1)), rng.rand(n) * 360 - 180])
    cases.append(case("random on the Earth", "haversine", earth(80), earth(150), 1))
    dateline = np.array([[-17.7, 178.1], [-13.8, -171.8], [-21.1, -175.2], [71.2, 180.0], [71.0, -179.5], [89.9, 30.0]])
    near = dateline[rng.randint(0, 6, 80)] + np.column_stack([rng.rand(80) * -0.3, rng.rand(80) * 0.4])
    cases.append(case("clusters at the date line and the pole", "haversine", near, earth(150), 2))
    versions = {"scikit-learn": sklearn.__version__, "scipy": scipy.__version__, "numpy": np.__version__}
    r = subprocess.run(["Rscript", "-e", "cat(as.character(getRversion()))"], capture_output=True, text=True, check=True)
    path = pathlib.Path(__file__).with_name("knndm.json")
    path.write_text(json.dumps({"versions": {**versions, "R": r.stdout}, "cases": cases}) + "\n")


main()
