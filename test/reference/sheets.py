"""A workbook written by openpyxl, as base64, and what pandas reads: for test/node/table/xlsxFile.test.ts.

Usage: python sheets.py > sheets.json     (openpyxl, pandas)
"""
import base64, datetime, io, json
import openpyxl
import pandas as pd

visits = [
    ["Visits of ward 5", None, None, None, None, None, None],
    [None] * 7,
    ["patient", "seen", "age", "crp", "smoker", "stage", "y"],
    ["P1", datetime.datetime(2024, 1, 2, 10, 30), 61.5, "<0.5", True, "I", 0],
    ["P1", datetime.datetime(2024, 2, 29), None, 12.25, False, "II", 1],
    ["P2", datetime.datetime(1950, 12, 1), 47, 3, None, None, 0],
    [None] * 7,
    ["P3", None, 70.25, "> 100", True, "I", 1],
]
book = openpyxl.Workbook()
book.active.title = "visits"
for row in visits:
    book.active.append(row)
second = book.create_sheet("new rows")
for row in [["a", "b"], [1, "x"], [2.5, None]]:
    second.append(row)
out = io.BytesIO()
book.save(out)

frame = pd.read_excel(out, sheet_name="visits", skiprows=2).dropna(how="all")
other = pd.read_excel(out, sheet_name="new rows")
cells = lambda column: [None if pd.isna(v) else v for v in column]
print(
    json.dumps(
        {
            "versions": {"openpyxl": openpyxl.__version__, "pandas": pd.__version__},
            "file": base64.b64encode(out.getvalue()).decode(),
            "visits": {
                **{name: cells(frame[name]) for name in ("patient", "age", "crp", "smoker", "stage", "y")},
                "seen": [None if pd.isna(t) else int(t.tz_localize("UTC").timestamp() * 1000) for t in frame["seen"]],
            },
            "new rows": {name: cells(other[name]) for name in other},
        },
        indent=1,
        default=float,
    )
)
