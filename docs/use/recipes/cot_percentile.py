"""How crowded each futures contract was, as known at the end of June 2026: the newest report in force then, with its percentile of three years."""

from datetime import datetime, timezone

from lake import clickhouse, duckdb_lake, pandas_table, polars_table, pyarrow_table

T = datetime(2026, 6, 30, 23, 59, 59, 999000, timezone.utc)
COLUMNS = ["report", "contract_code", "report_date", "net", "percentile_3y"]


def with_duckdb():
    return (
        duckdb_lake()
        .execute(
            """
            select distinct on (report, contract_code) report, contract_code, report_date, net, percentile_3y
            from cot
            where known_from <= $t and (known_to is null or known_to > $t)
            order by report, contract_code, report_date desc""",
            {"t": T},
        )
        .fetchall()
    )


def with_pandas():
    cot = pandas_table("cot", [*COLUMNS, "known_from", "known_to"])
    held = cot[(cot.known_from <= T) & (cot.known_to.isna() | (cot.known_to > T))]
    newest = held.sort_values("report_date").groupby(["report", "contract_code"]).tail(1)
    return newest.sort_values(["report", "contract_code"])[COLUMNS].itertuples(index=False)


def with_polars():
    import polars as pl

    return (
        polars_table("cot")
        .filter(pl.col("known_from") <= T, pl.col("known_to").is_null() | (pl.col("known_to") > T))
        .sort("report_date")
        .group_by("report", "contract_code")
        .last()
        .sort("report", "contract_code")
        .select(COLUMNS)
        .collect()
        .rows()
    )


def with_pyarrow():
    import pyarrow.compute as pc

    is_held = (pc.field("known_from") <= T) & (pc.field("known_to").is_null() | (pc.field("known_to") > T))
    held = pyarrow_table("cot").to_table(columns=COLUMNS, filter=is_held)
    newest = held.group_by(["report", "contract_code"]).aggregate([("report_date", "max")]).rename_columns({"report_date_max": "report_date"})
    found = newest.join(held, ["report", "contract_code", "report_date"], join_type="inner").select(COLUMNS)
    return [tuple(row.values()) for row in found.sort_by([("report", "ascending"), ("contract_code", "ascending")]).to_pylist()]


def with_chdb():
    return clickhouse(
        f"""
        select report, contract_code, report_date, net, percentile_3y
        from {{cot}} as cot
        where known_from <= '{T:%Y-%m-%d %H:%M:%S.%f}' and (known_to is null or known_to > '{T:%Y-%m-%d %H:%M:%S.%f}')
        order by report, contract_code, report_date desc
        limit 1 by report, contract_code""",
        cot="cot",
    )
