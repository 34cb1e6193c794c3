"""Ids and stars of the items of the guidelines that cvkit has evidence for, written to evidenceItems.json.

A star marks an item that a run can fill, at least in part. The ids are those of the published documents:
TRIPOD+AI (BMJ 2024;385:e078378), CLAIM 2024, STARD-AI 2025, PROBAST+AI (BMJ 2025;388:e082505; domains, with
evidence for each), IMDRF N88, and Annex IV, point 2, of Regulation (EU) 2024/1689. The FDA draft of January 2025
has no numbers: its topics stand for them.
"""
import json
from pathlib import Path

LISTS = {
    "TRIPOD+AI": (
        "1 2 3a 3b 3c 4 5a 5b 6a 6b 6c 7* 8a* 8b 8c 9a 9b 9c 10* 11* 12a* 12b* 12c* 12d* 12e* 12f 12g* 13* 14 15* 16*"
        " 17 18a 18b 18c 18d 18e 18f* 19 20a* 20b* 20c* 21* 22* 23a* 23b* 24 25 26 27a 27b 27c"
    ).split(),
    "CLAIM": (
        "1 2 3 4 5 6 7 8 9* 10 11 12* 13 14 15 16 17 18 19* 20* 21* 22* 23* 24* 25* 26* 27* 28* 29* 30* 31 32* 33* 34"
        " 35* 36* 37* 38* 39* 40 41 42 43 44"
    ).split(),
    "STARD-AI": (
        "1 2 3 4 5 6 7 8 9 10 11 12 13 14* 15a 15b* 15c* 15d 16a 16b 16c 17a 17b 18* 19* 20* 21* 22* 23* 24* 25* 26a"
        " 26b 27 28* 29* 30* 31* 32 33 34 35 36 37 38 39 40a* 40b*"
    ).split(),
    "PROBAST+AI": "1* 2* 3* 4*".split(),
    "GMLP": "1 2 3* 4* 5 6* 7 8* 9 10".split(),
    "FDA": [
        "study design",
        "sites",
        "subgroups*",
        "endpoints*",
        "intervals*",
        "unit of analysis*",
        "independence*",
        "representativeness*",
        "model description*",
    ],
    "Annex IV": "2a* 2b* 2c* 2d* 2e 2f 2g* 2h".split(),
}

items = {
    name: [{"id": each.rstrip("*"), "star": each.endswith("*")} for each in each_list]
    for name, each_list in LISTS.items()
}
path = Path(__file__).with_suffix(".json")
path.write_text(json.dumps(items, indent=1) + "\n")
