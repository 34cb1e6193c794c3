"""Writes spatial.json: great-circle distances of scikit-learn and the sinusoidal map of PROJ, the references of
test/splitters/spatial/distances. Usage: python spatial.py > spatial.json (needs scikit-learn, pyproj)."""
import importlib.metadata
import json

import numpy as np
from pyproj import Proj
from sklearn.metrics.pairwise import haversine_distances

EARTH_RADIUS_KM = 6371.0088

random = np.random.RandomState(0)


def somewhere(n):
    return np.column_stack([random.uniform(-90, 90, n), random.uniform(-180, 360, n)])


near = somewhere(40)
pairs = [
    *zip(somewhere(40), somewhere(40)),
    *zip(near, np.clip(near + random.normal(0, 1e-3, near.shape), [-90, -180], [90, 360])),
    ([10, 179.99], [10, -179.99]),
    ([-45, 359.5], [-45, 0.5]),
    ([90, 0], [89.9, 123]),
    ([-90, 50], [-89, -130]),
]
pairs = [(np.round(a, 9), np.round(b, 9)) for a, b in pairs]

# About the middle of the shortest arc of longitude that holds all places: 175, across the date line.
places = np.round(np.column_stack([random.uniform(-80, 80, 20), random.uniform(150, 200, 20)]), 9)
places[0, 1], places[1, 1] = 150, 200
project = Proj(proj="sinu", R=EARTH_RADIUS_KM * 1000, lon_0=175)

print(
    json.dumps(
        {
            "versions": {name: importlib.metadata.version(name) for name in ["numpy", "scikit-learn", "pyproj"]},
            "haversine": [
                {
                    "a": [float(v) for v in a],
                    "b": [float(v) for v in b],
                    "radians": float(haversine_distances(np.radians([a]), np.radians([b]))[0, 0]),
                }
                for a, b in pairs
            ],
            "sinusoidal": [
                {"place": [float(v) for v in place], "kilometres": [float(v) / 1000 for v in project(place[1], place[0])]}
                for place in places
            ],
        },
        indent=1,
    )
)
