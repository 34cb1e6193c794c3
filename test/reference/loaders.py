"""Aggregate numbers of the files that the loaders read, by pandas: counts and means alone, no row of them.

Usage: python loaders.py FOLDER > loaders.json, where FOLDER holds processed.cleveland.data and diabetic_encounters.csv.
"""
import json, sys
from hashlib import sha256
from pathlib import Path

import pandas as pd

folder = Path(sys.argv[1])
reading = {"na_values": ["?"], "keep_default_na": False}

heart_file = folder / "processed.cleveland.data"
names = "age sex cp trestbps chol fbs restecg thalach exang oldpeak slope ca thal num".split()
heart = pd.read_csv(heart_file, header=None, names=names, **reading)
features = heart.drop(columns="num")

stays_file = folder / "diabetic_encounters.csv"
stays = pd.read_csv(stays_file, **reading)
X = stays.drop(columns=["patient_nbr", "readmitted"])


def facts(column):
    missing = int(column.isna().sum())
    if pd.api.types.is_numeric_dtype(column):
        return {"missing": missing, "mean": float(column.mean())}
    counts = column.value_counts()
    return {"missing": missing, "distinct": len(counts), "most": [counts.index[0], int(counts.iloc[0])]}


print(
    json.dumps(
        {
            "pandas": pd.__version__,
            "heart": {
                "sha256": sha256(heart_file.read_bytes()).hexdigest(),
                "rows": len(heart),
                "positive": int((heart.num > 0).sum()),
                "columns": {name: facts(features[name]) for name in features},
            },
            "stays": {
                "sha256": sha256(stays_file.read_bytes()).hexdigest(),
                "rows": len(X),
                "patients": int(stays.patient_nbr.nunique()),
                "patientSum": int(stays.patient_nbr.sum()),
                "readmitted": {key: int(n) for key, n in stays.readmitted.value_counts().sort_index().items()},
                "columns": {name: facts(X[name]) for name in X},
            },
        },
        indent=1,
    )
)
