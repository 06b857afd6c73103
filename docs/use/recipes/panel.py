"""A panel of consumer confidence over countries that looks ahead nowhere: at each month's end the newest value that was known then."""

from datetime import datetime, timezone

from lake import clickhouse, duckdb_lake, pandas_table, polars_table, pyarrow_table

MOMENTS = [datetime(2026, month, day, 23, 59, 59, 999000, timezone.utc) for month, day in ((1, 31), (2, 28), (3, 31), (4, 30), (5, 31), (6, 30))]
FACTOR, SOURCE = "consumer_confidence", "dg_ecfin"


def with_duckdb():
    return (
        duckdb_lake()
        .execute(
            """
            select distinct on (moment, country) moment::date as moment, series.country, vintages.period, vintages.value
            from unnest($moments::timestamptz[]) as moments (moment)
            inner join vintages on vintages.observed_at <= moment and (vintages.known_to is null or vintages.known_to > moment)
            inner join series using (series_no)
            where series.factor_key = $factor and series.source_id = $source and vintages.value is not null
            order by moment, series.country, vintages.period_end desc""",
            {"moments": MOMENTS, "factor": FACTOR, "source": SOURCE},
        )
        .fetchall()
    )


def with_pandas():
    import pandas as pd

    series = pandas_table("series", ["series_no", "factor_key", "source_id", "country"])
    series = series[(series.factor_key == FACTOR) & (series.source_id == SOURCE)]
    vintages = pandas_table("vintages", ["series_no", "period", "period_end", "value", "observed_at", "known_to"]).merge(series, on="series_no")
    panel = []
    for moment in MOMENTS:
        held = vintages[(vintages.observed_at <= moment) & (vintages.known_to.isna() | (vintages.known_to > moment)) & vintages.value.notna()]
        panel.append(held.sort_values("period_end").groupby("country").tail(1).assign(moment=moment.date()))
    return pd.concat(panel).sort_values(["moment", "country"])[["moment", "country", "period", "value"]].itertuples(index=False)


def with_polars():
    import polars as pl

    series = polars_table("series").filter(factor_key=FACTOR, source_id=SOURCE).select("series_no", "country")
    vintages = polars_table("vintages").filter(pl.col("value").is_not_null()).join(series, on="series_no")
    panel = [
        vintages.filter(pl.col("observed_at") <= moment, pl.col("known_to").is_null() | (pl.col("known_to") > moment))
        .sort("period_end")
        .group_by("country")
        .last()
        .select(pl.lit(moment.date()).alias("moment"), "country", "period", "value")
        for moment in MOMENTS
    ]
    return pl.concat(panel).sort("moment", "country").collect().rows()


def with_pyarrow():
    import pyarrow.compute as pc

    is_one = (pc.field("factor_key") == FACTOR) & (pc.field("source_id") == SOURCE)
    series = pyarrow_table("series").to_table(columns=["series_no", "country"], filter=is_one)
    dataset = pyarrow_table("vintages")
    panel = []
    for moment in MOMENTS:
        is_held = (pc.field("observed_at") <= moment) & (pc.field("known_to").is_null() | (pc.field("known_to") > moment))
        held = dataset.to_table(
            columns=["series_no", "period", "period_end", "value"],
            filter=pc.field("series_no").isin(series["series_no"]) & is_held & pc.field("value").is_valid(),
        ).join(series, "series_no", join_type="inner")
        newest = {}
        for row in held.sort_by("period_end").to_pylist():
            newest[row["country"]] = (moment.date(), row["country"], row["period"], row["value"])
        panel += [newest[country] for country in sorted(newest)]
    return panel


def with_chdb():
    moments = ", ".join(f"toDateTime64('{moment:%Y-%m-%d %H:%M:%S.%f}', 6, 'UTC')" for moment in MOMENTS)
    return clickhouse(
        f"""
        select toDate(moment) as day, country, period, value
        from {{vintages}} as vintages
        inner join {{series}} as series using (series_no)
        array join [{moments}] as moment
        where factor_key = '{FACTOR}' and source_id = '{SOURCE}' and value is not null
          and observed_at <= moment and (known_to is null or known_to > moment)
        order by moment, country, period_end desc
        limit 1 by moment, country""",
        vintages="vintages",
        series="series",
    )
