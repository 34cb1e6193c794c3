"""Small tables written by pyarrow, pandas and numpy, as base64, for the readers of Parquet, .npy and CSV.

Usage: python tables.py > tables.json
"""
import base64, datetime, io, json
import decimal
import numpy as np
import pandas as pd
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
decimals = io.BytesIO()
pq.write_table(
    pa.table({
        "long": pa.array([decimal.Decimal(2**53 + 1), decimal.Decimal(2**53)], pa.decimal128(38, 0)),
        "short": pa.array([decimal.Decimal("1.25"), decimal.Decimal("-2.50")], pa.decimal128(9, 2)),
        "y": pa.array([0, 1]),
    }),
    decimals,
)
indexed = io.BytesIO()
pd.DataFrame({"a": [1.5, 2, 3], "y": [0, 1, 1]}, index=[5, 9, 2]).to_parquet(indexed)

# What a hospital system writes: windows-1252, semicolons, decimal commas, CRLF, a delimiter at the end of each line.
export = (
    'patient;case;name;seen;crp;weight;smoker;note;empty;y;\r\n'
    '007;12345678901234567;M\u00fcller;03.02.2019;1,5;82,25;TRUE;"said ""no"";\r\nleft";;1;\r\n'
    '07;12345678901234568;Mo\u00dfr;28.02.2019;?;;FALSE;;;0;\r\n'
    ' 7;12345678901234569;\u20ac;01.12.2018;-0,25;7E1;TRUE;ok;;1;\r\n'
).encode("cp1252")
frame = pd.read_csv(
    io.BytesIO(export), sep=";", decimal=",", encoding="cp1252", na_values=["?"], index_col=False,
    dtype={"patient": str, "case": str}, skipinitialspace=True,
)
hospital = {
    "file": base64.b64encode(export).decode(),
    "patient": frame["patient"].tolist(),
    "case": frame["case"].tolist(),
    "name": frame["name"].tolist(),
    "seen": [int(t.timestamp() * 1000) for t in pd.to_datetime(frame["seen"], format="%d.%m.%Y", utc=True)],
    "numbers": {name: [None if pd.isna(v) else float(v) for v in frame[name]] for name in ("crp", "weight", "smoker", "y")},
    "note": [None if pd.isna(v) else v for v in frame["note"]],
}
print(
    json.dumps(
        {
            "versions": {"pyarrow": pa.__version__, "numpy": np.__version__, "pandas": pd.__version__},
            "parquet": {
                "snappy": parquet("snappy"),
                "gzip": parquet("gzip", row_group_size=3),
                "none": parquet("none", use_dictionary=False),
            },
            "decimals": base64.b64encode(decimals.getvalue()).decode(),
            "indexed": base64.b64encode(indexed.getvalue()).decode(),
            "hospital": hospital,
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
