"""The same tables by their names as Delta tables: `python run.py --delta` has every recipe read them here instead of by lake.py. Beside what that does, a table
may be read as an earlier snapshot had it: `delta(table, version)`, or by the moment up to which the snapshot knew, `delta_at(table, moment)`."""

import json
import os
from pathlib import Path

from deltalake import DeltaTable

FOLDER = Path(os.environ.get("DATA_DIR", "data/sample"))


def names():
    return sorted(path.name for path in (FOLDER / "snapshots" / "delta").iterdir())


def path(table):
    return str((FOLDER / "snapshots" / "delta" / table).resolve())


def delta(table, version=None):
    return DeltaTable(path(table), version=version)


def delta_at(table, moment):
    """@param moment: an aware datetime"""
    found = delta(table)
    found.load_as_version(moment)
    return found


def duckdb_lake():
    """A connection on which every table has its name. They come through deltalake: DuckDB's own extension is not tried here."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("set TimeZone = 'UTC'")
    for table in names():
        connection.register(table, delta(table).to_pyarrow_dataset())
    return connection


def pandas_table(table, columns):
    return delta(table).to_pandas(columns=columns)


def polars_table(table):
    """Lazy: what is filtered and selected decides what is read."""
    import polars as pl

    return pl.scan_delta(path(table))


def pyarrow_table(table):
    """A dataset: `to_table(columns=…, filter=…)` reads what it needs."""
    return delta(table).to_pyarrow_dataset()


def clickhouse(sql, **tables):
    """The rows of a statement of ClickHouse; {name} in it stands for the table of that name. chdb reads Delta tables below the folder that it works in alone."""
    import chdb

    named = {name: f"deltaLakeLocal('{path(table)}')" for name, table in tables.items()}
    before = os.getcwd()
    os.chdir("/")
    try:
        return json.loads(str(chdb.query(sql.format(**named), "JSONCompact")))["data"]
    finally:
        os.chdir(before)
