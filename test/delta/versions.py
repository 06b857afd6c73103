"""Holds the versions of a Delta table against the snapshots that they were written for, by number and by the moment up to which each snapshot knew, in deltalake,
polars and Spark. Arguments: the data folder, and the file that two-snapshots.ts printed."""

import json
import sys
from datetime import datetime
from pathlib import Path

import polars as pl
from deltalake import DeltaTable
from spark_tables import session

folder, printed = sys.argv[1:]
path = str(Path(folder).resolve() / "snapshots" / "delta" / "vintages")
snapshots = json.loads(Path(printed).read_text())
spark = session()
COLUMNS = ["period", "vintage", "value"]


def sorted_rows(rows):
    return sorted(list(row) for row in rows)


def readings(version, moment):
    table = DeltaTable(path, version=version)
    yield "deltalake", table.to_pyarrow_table(columns=COLUMNS).to_pylist()
    table.load_as_version(datetime.fromisoformat(moment.replace("Z", "+00:00")))
    yield "deltalake, by its moment", table.to_pyarrow_table(columns=COLUMNS).to_pylist()
    yield "polars", pl.scan_delta(path, version=version).select(COLUMNS).collect().to_dicts()
    for reader, option, value in [("spark", "versionAsOf", version), ("spark, by its moment", "timestampAsOf", moment[:23].replace("T", " "))]:
        frame = spark.read.format("delta").option(option, value).load(path).select(COLUMNS)
        yield reader, [row.asDict() for row in frame.collect()]


failed = 0
named = {one["commitInfo"]["snapshotId"]: version for version, one in enumerate(
    json.loads(file.read_text().splitlines()[0]) for file in sorted(Path(path, "_delta_log").glob("*.json"))
)}
for snapshot in snapshots:
    version = named[snapshot["snapshotId"]]
    wanted = sorted_rows(snapshot["rows"])
    for reader, rows in readings(version, snapshot["knowledgeCutoff"]):
        found = sorted_rows([row[name] for name in COLUMNS] for row in rows)
        print(f"version {version}, {reader}: {len(wanted)} rows {'ok' if found == wanted else 'UNEQUAL'}", flush=True)
        failed += found != wanted
spark.stop()
sys.exit(1 if failed or len(snapshots) != 2 else 0)
