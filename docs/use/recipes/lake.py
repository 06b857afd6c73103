"""Reads tables of the current snapshot by name, in each of five ways. DATA_DIR is the folder of the lake; of the sample data/sample."""

import json
import os
from pathlib import Path

FOLDER = Path(os.environ.get("DATA_DIR", "data/sample"))


def files(table):
    """The files of a table: the same as `npm run --silent files -- TABLE` prints."""
    package = FOLDER / "snapshots" / "datapackage.json"
    resources = json.loads(package.read_text())["resources"]
    return [str(package.parent.resolve() / one["path"]) for one in resources if one["table"] == table]


def duckdb_lake():
    """A connection on which every table has its name: the same as `duckdb -init data/catalog.sql`."""
    import duckdb

    connection = duckdb.connect()
    connection.execute((FOLDER / "catalog.sql").read_text())
    return connection


def pandas_table(table, columns):
    import pandas as pd

    # Without partitioning=None a folder above the files that is called key=value may become a column.
    return pd.concat([pd.read_parquet(file, columns=columns, partitioning=None) for file in files(table)], ignore_index=True)


def polars_table(table):
    """Lazy: what is filtered and selected decides what is read."""
    import polars as pl

    return pl.scan_parquet(files(table), glob=False, hive_partitioning=False)


def pyarrow_table(table):
    """A dataset: `to_table(columns=…, filter=…)` reads what it needs."""
    import pyarrow.dataset as ds

    return ds.dataset(files(table), format="parquet")


def clickhouse(sql, **tables):
    """The rows of a statement of ClickHouse; {name} in it stands for the table of that name."""
    import chdb

    statement = sql.format(**{name: parquet_of(table) for name, table in tables.items()})
    # Else a folder above the files that is called key=value becomes a column, in place of the column of that name.
    statement += "\nsettings use_hive_partitioning = 0"
    return json.loads(str(chdb.query(statement, "JSONCompact")))["data"]


def parquet_of(table):
    """A table function of ClickHouse over the files of a table, which lie in one folder. ClickHouse cannot read below a folder with braces in its name."""
    folder = os.path.dirname(files(table)[0])
    names = ",".join(os.path.basename(file) for file in files(table))
    path = f"{folder}/{{{names}}}".replace("\\", "\\\\").replace("'", "\\'")
    return f"file('{path}', Parquet)"
