"""What scikit-learn's StandardScaler makes of channels: prints JSON.

    python3 test/reference/channelScalers.py > test/reference/channelScalers.json

Every pixel of all images is one row with its channels as columns; steps of sequences that are padding are left out.
"""

import json
import sys

import numpy as np
import sklearn
from sklearn.preprocessing import StandardScaler

random = np.random.RandomState(9)
images = random.normal(size=(5, 4, 3, 3)) * [1, 50, 1] + [0, 1e6, 7]
images[..., 2] = 7
images[1, 2, 1, 0] = np.nan
later = random.normal(size=(2, 4, 3, 3)) * 30
grey = random.uniform(0, 255, size=(4, 5, 6)).round()
sequences = random.normal(size=(6, 8, 2)) * [3, 40] + [1, -90]
padding = np.arange(8) >= random.randint(3, 9, size=(6, 1))
sequences[padding] = 0
sequences[0, 0, 0] = 0  # one feature of a step that is no padding


def scaled(scaler, rows, channels):
    return scaler.transform(rows.reshape(-1, channels)).reshape(rows.shape)


def listed(array):
    return [None if np.isnan(value) else float(f"{value:.15g}") for value in np.ravel(array)]


def case(name, fit, later, channels, scaler, expected):
    return {"name": name, "shape": fit.shape, "fit": listed(fit), "laterShape": later.shape, "later": listed(later),
            "mean": listed(scaler.mean_), "scale": listed(scaler.scale_), "expected": listed(expected)}


colours = StandardScaler().fit(images.reshape(-1, 3))
one = StandardScaler().fit(grey.reshape(-1, 1))
steps = StandardScaler().fit(sequences[~padding])
masked = scaled(steps, sequences, 2)
masked[padding] = 0
json.dump(
    {
        "generator": "channelScalers.py",
        "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
        "cases": [
            case("ChannelScaler", images, later, 3, colours, scaled(colours, later, 3)),
            case("ChannelScaler", grey, grey[:2], 1, one, scaled(one, grey[:2], 1)),
            case("SequenceScaler", sequences, sequences, 2, steps, masked),
        ],
    },
    sys.stdout,
)
