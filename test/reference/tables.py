"""Small tables written by pyarrow and numpy, as base64, for the readers of Parquet and .npy.

Usage: python tables.py > tables.json
"""
import base64, datetime, io, json
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

table = pa.table(
    {
        "patient": pa.array([10, 11, 11, 2**53 + 1], pa.int64()),
        "age": pa.array([61.5, None, 47.0, 70.25], pa.float64()),
        "stage": pa.array(["I", "II", None, "I"], pa.string()),
        "smoker": pa.array([True, False, None, True], pa.bool_()),
        "seen": pa.array([datetime.datetime(2024, 1, d) for d in (1, 2, 3, 4)], pa.timestamp("ms")),
        "y": pa.array([0, 1, 0, 1], pa.int32()),
    }
)


def parquet(compression, **more):
    out = io.BytesIO()
    pq.write_table(table, out, compression=compression, **more)
    return base64.b64encode(out.getvalue()).decode()


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return {"file": base64.b64encode(out.getvalue()).decode(), "cells": np.asarray(array, float).tolist()}


grid = np.array([[1, 2.5, 0], [3, 4.25, 1], [-5, 6, 0]])
nested = io.BytesIO()
pq.write_table(pa.table({"a": pa.array([[1, 2], [3]])}), nested)
print(
    json.dumps(
        {
            "versions": {"pyarrow": pa.__version__, "numpy": np.__version__},
            "parquet": {
                "snappy": parquet("snappy"),
                "gzip": parquet("gzip", row_group_size=3),
                "none": parquet("none", use_dictionary=False),
            },
            "nested": base64.b64encode(nested.getvalue()).decode(),
            "npy": {
                "f8": npy(grid),
                "f4, Fortran": npy(np.asfortranarray(grid.astype("<f4"))),
                "f8, big endian": npy(grid.astype(">f8")),
                "i2": npy(grid.astype("<i2")),
                "i8": npy(grid.astype("<i8")),
                "b1": npy(grid > 0),
                "one dimension": npy(np.arange(3.0)),
            },
            "text": npy(np.array([["1"]]))["file"],
            "large": npy(np.array([[2**53 + 1, 1]]))["file"],
        },
        indent=1,
    )
)
