"""First prints of US payrolls of 2020 against what is known of the same months now."""

from datetime import date

from lake import clickhouse, duckdb_lake, pandas_table, polars_table, pyarrow_table

FROM, TO = date(2020, 1, 1), date(2020, 12, 31)
SERIES = ("us_nonfarm_payrolls", "fred_md")


def with_duckdb():
    return (
        duckdb_lake()
        .execute(
            """
            select
                period,
                max(value) filter (where release_no = 1) as first_print,
                max(value) filter (where known_to is null) as latest,
                latest - first_print as revision
            from vintages
            inner join series using (series_no)
            where indicator_id = $indicator and source_id = $source and period_end between $from and $to
            group by period
            order by period""",
            {"indicator": SERIES[0], "source": SERIES[1], "from": FROM, "to": TO},
        )
        .fetchall()
    )


def with_pandas():
    series = pandas_table("series", ["series_no", "indicator_id", "source_id"])
    series = series[(series.indicator_id == SERIES[0]) & (series.source_id == SERIES[1])]
    vintages = pandas_table("vintages", ["series_no", "period", "period_end", "value", "release_no", "known_to"]).merge(series, on="series_no")
    vintages = vintages[(vintages.period_end >= FROM) & (vintages.period_end <= TO)]
    first = vintages[vintages.release_no == 1].set_index("period").value
    latest = vintages[vintages.known_to.isna()].set_index("period").value
    return [(period, first[period], latest[period], latest[period] - first[period]) for period in sorted(first.index)]


def with_polars():
    import polars as pl

    series = polars_table("series").filter(indicator_id=SERIES[0], source_id=SERIES[1])
    return (
        polars_table("vintages")
        .filter(pl.col("period_end").is_between(FROM, TO))
        .join(series, on="series_no", how="semi")
        .group_by("period")
        .agg(
            first=pl.col("value").filter(pl.col("release_no") == 1).max(),
            latest=pl.col("value").filter(pl.col("known_to").is_null()).max(),
        )
        .with_columns(revision=pl.col("latest") - pl.col("first"))
        .sort("period")
        .collect()
        .rows()
    )


def with_pyarrow():
    import pyarrow.compute as pc

    is_one = (pc.field("indicator_id") == SERIES[0]) & (pc.field("source_id") == SERIES[1])
    number = pyarrow_table("series").to_table(columns=["series_no"], filter=is_one)["series_no"]
    of_year = pc.field("series_no").isin(number) & (pc.field("period_end") >= FROM) & (pc.field("period_end") <= TO)
    dataset = pyarrow_table("vintages")
    first = dataset.to_table(columns=["period", "value"], filter=of_year & (pc.field("release_no") == 1))
    latest = dataset.to_table(columns=["period", "value"], filter=of_year & pc.field("known_to").is_null())
    both = first.join(latest, "period", join_type="inner", left_suffix="_first", right_suffix="_latest").sort_by("period")
    both = both.append_column("revision", pc.subtract(both["value_latest"], both["value_first"]))
    return [tuple(row.values()) for row in both.to_pylist()]


def with_chdb():
    return clickhouse(
        f"""
        select
            period,
            maxIf(value, release_no = 1) as first_print,
            maxIf(value, known_to is null) as latest,
            latest - first_print as revision
        from {{vintages}} as vintages
        inner join {{series}} as series using (series_no)
        where indicator_id = '{SERIES[0]}' and source_id = '{SERIES[1]}' and period_end between '{FROM}' and '{TO}'
        group by period
        order by period""",
        vintages="vintages",
        series="series",
    )
