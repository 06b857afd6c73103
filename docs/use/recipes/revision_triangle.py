"""The revision triangle of US payrolls: a row a month, a column for its first, second and third print."""

from datetime import date

from lake import clickhouse, duckdb_lake, pandas_table, polars_table, pyarrow_table

FROM, TO = date(2020, 2, 1), date(2020, 8, 31)
SERIES = ("us_nonfarm_payrolls", "fred_md")


def with_duckdb():
    return (
        duckdb_lake()
        .execute(
            """
            pivot (
                select period, release_no, value
                from vintages
                inner join series using (series_no)
                where indicator_id = 'us_nonfarm_payrolls' and source_id = 'fred_md' and period_end between '2020-02-01' and '2020-08-31'
            ) on release_no in (1, 2, 3) using max(value) group by period order by period"""
        )
        .fetchall()
    )


def with_pandas():
    series = pandas_table("series", ["series_no", "indicator_id", "source_id"])
    series = series[(series.indicator_id == SERIES[0]) & (series.source_id == SERIES[1])]
    vintages = pandas_table("vintages", ["series_no", "period", "period_end", "value", "release_no"]).merge(series, on="series_no")
    vintages = vintages[(vintages.period_end >= FROM) & (vintages.period_end <= TO)]
    return vintages.pivot(index="period", columns="release_no", values="value").reindex(columns=[1, 2, 3]).sort_index().itertuples()


def with_polars():
    import polars as pl

    series = polars_table("series").filter(indicator_id=SERIES[0], source_id=SERIES[1])
    prints = [pl.col("value").filter(pl.col("release_no") == number).max().alias(str(number)) for number in (1, 2, 3)]
    return (
        polars_table("vintages")
        .filter(pl.col("period_end").is_between(FROM, TO))
        .join(series, on="series_no", how="semi")
        .group_by("period")
        .agg(prints)
        .sort("period")
        .collect()
        .rows()
    )


def with_pyarrow():
    import pyarrow.compute as pc

    is_one = (pc.field("indicator_id") == SERIES[0]) & (pc.field("source_id") == SERIES[1])
    number = pyarrow_table("series").to_table(columns=["series_no"], filter=is_one)["series_no"]
    of_months = pc.field("series_no").isin(number) & (pc.field("period_end") >= FROM) & (pc.field("period_end") <= TO)
    found = pyarrow_table("vintages").to_table(columns=["period", "release_no", "value"], filter=of_months)
    prints = {(row["period"], row["release_no"]): row["value"] for row in found.to_pylist()}
    periods = sorted(set(found["period"].to_pylist()))
    return [(period, *(prints.get((period, number)) for number in (1, 2, 3))) for period in periods]


def with_chdb():
    return clickhouse(
        f"""
        select
            period,
            maxOrNullIf(value, release_no = 1) as print_1,
            maxOrNullIf(value, release_no = 2) as print_2,
            maxOrNullIf(value, release_no = 3) as print_3
        from {{vintages}} as vintages
        inner join {{series}} as series using (series_no)
        where indicator_id = '{SERIES[0]}' and source_id = '{SERIES[1]}' and period_end between '{FROM}' and '{TO}'
        group by period
        order by period""",
        vintages="vintages",
        series="series",
    )
