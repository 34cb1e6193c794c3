"""Writes wdbc.json: column means of scikit-learn's load_breast_cancer, the reference of loadCancerImaging.
Usage: python wdbc.py > wdbc.json (needs scikit-learn)."""
import json

import sklearn
from sklearn.datasets import load_breast_cancer

data = load_breast_cancer()
print(
    json.dumps(
        {
            "source": "sklearn.datasets.load_breast_cancer",
            "generator": "wdbc.py",
            "versions": {"scikit-learn": sklearn.__version__},
            "rows": len(data.target),
            "malignant": int((data.target == list(data.target_names).index("malignant")).sum()),
            "means": data.data.mean(axis=0).tolist(),
        },
        indent=1,
    )
)
