"""What was known of US payrolls at the end of June 2020: of each period the vintage in whose interval that moment lies."""

from datetime import date, datetime, timezone

from lake import clickhouse, duckdb_lake, pandas_table, polars_table, pyarrow_table

T = datetime(2020, 6, 30, 23, 59, 59, 999000, timezone.utc)
FROM = date(2020, 2, 1)
SERIES = ("us_nonfarm_payrolls", "fred_md")


def with_duckdb():
    return (
        duckdb_lake()
        .execute(
            """
            select period, value
            from vintages
            inner join series using (series_no)
            where indicator_id = $indicator and source_id = $source and period_end >= $start
              and observed_at <= $t and (known_to is null or known_to > $t)
            order by period""",
            {"indicator": SERIES[0], "source": SERIES[1], "start": FROM, "t": T},
        )
        .fetchall()
    )


def with_pandas():
    series = pandas_table("series", ["series_no", "indicator_id", "source_id"])
    series = series[(series.indicator_id == SERIES[0]) & (series.source_id == SERIES[1])]
    vintages = pandas_table("vintages", ["series_no", "period", "period_end", "value", "observed_at", "known_to"])
    held = vintages[(vintages.observed_at <= T) & (vintages.known_to.isna() | (vintages.known_to > T)) & (vintages.period_end >= FROM)]
    return held.merge(series, on="series_no").sort_values("period")[["period", "value"]].itertuples(index=False)


def with_polars():
    import polars as pl

    series = polars_table("series").filter(indicator_id=SERIES[0], source_id=SERIES[1])
    return (
        polars_table("vintages")
        .filter(pl.col("observed_at") <= T, pl.col("known_to").is_null() | (pl.col("known_to") > T), pl.col("period_end") >= FROM)
        .join(series, on="series_no", how="semi")
        .sort("period")
        .select("period", "value")
        .collect()
        .rows()
    )


def with_pyarrow():
    import pyarrow.compute as pc

    is_one = (pc.field("indicator_id") == SERIES[0]) & (pc.field("source_id") == SERIES[1])
    number = pyarrow_table("series").to_table(columns=["series_no"], filter=is_one)["series_no"]
    is_held = (pc.field("observed_at") <= T) & (pc.field("known_to").is_null() | (pc.field("known_to") > T))
    found = pyarrow_table("vintages").to_table(
        columns=["period", "value"], filter=pc.field("series_no").isin(number) & is_held & (pc.field("period_end") >= FROM)
    )
    return [tuple(row.values()) for row in found.sort_by("period").to_pylist()]


def with_chdb():
    return clickhouse(
        f"""
        select period, value
        from {{vintages}} as vintages
        inner join {{series}} as series using (series_no)
        where indicator_id = '{SERIES[0]}' and source_id = '{SERIES[1]}' and period_end >= '{FROM}'
          and observed_at <= '{T:%Y-%m-%d %H:%M:%S.%f}' and (known_to is null or known_to > '{T:%Y-%m-%d %H:%M:%S.%f}')
        order by period""",
        vintages="vintages",
        series="series",
    )
