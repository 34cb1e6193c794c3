"""Preparations whose parameters were changed by set_params of scikit-learn: prints JSON.

python3 test/reference/setParams.py > test/reference/setParams.json
"""
import json
import pathlib
import numpy as np
import sklearn
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

here = pathlib.Path(__file__).parent
known = json.loads((here / "preprocessing.json").read_text())
rows = lambda name: np.array([[np.nan if v is None else v for v in row] for row in known[name]])
train = known["splits"]["train"]

columns = lambda: make_pipeline(ColumnTransformer([
    ("num", make_pipeline(SimpleImputer(), StandardScaler()), [0, 1, 3]),
    ("rest", SimpleImputer(), [2]),
]))
cases = {
    "scaler": ("X", lambda: make_pipeline(StandardScaler()), {"standardscaler__with_mean": False}),
    "columns": ("missing", columns, {
        "columntransformer__num__simpleimputer__strategy": "median",
        "columntransformer__num__standardscaler__with_std": False,
        "columntransformer__rest__strategy": "constant",
        "columntransformer__rest__fill_value": -1,
    }),
    "pca": ("X", lambda: make_pipeline(StandardScaler(), PCA(4)), {"pca__n_components": 2, "pca__whiten": True}),
    "nested": ("X", lambda: Pipeline([("outer", Pipeline([("scale", StandardScaler()), ("reduce", PCA(3))]))]), {
        "outer__reduce__n_components": 2,
        "outer__scale__with_std": False,
    }),
}
out = []
for name, (data, make, params) in cases.items():
    model = make()
    names = sorted(each for each in model.get_params() if "__" in each)
    before = model.fit(rows(data)[train]).transform(rows(data))
    after = model.set_params(**params).fit(rows(data)[train]).transform(rows(data))
    assert before.shape != after.shape or not np.allclose(before, after)
    out.append({"name": name, "data": data, "params": params, "names": names, "rows": after.tolist()})
print(json.dumps({
    "versions": {"scikit-learn": sklearn.__version__, "numpy": np.__version__},
    "cases": out,
}))
