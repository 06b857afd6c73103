"""Closing prices with the trailing revenue that was known at the close: an as-of join on knowledge times, so that no filing counts before it was accepted."""

from datetime import date

from lake import clickhouse, duckdb_lake, pandas_table, polars_table, pyarrow_table

FROM, TO = date(2026, 7, 27), date(2026, 8, 14)


def with_duckdb():
    return (
        duckdb_lake()
        .execute(
            """
            with closes as (
                select series.entity_id, vintages.period_end as day, vintages.value as close, vintages.observed_at as closed_at
                from vintages
                inner join series using (series_no)
                where series.canonical_id = 'price_close' and series.entity_type = 'company'
                  and vintages.release_no = 1 and vintages.period_end between $from and $to
            ),
            revenues as (from company_figures where field = 'revenue')
            select closes.entity_id, closes.day, closes.close, revenues.period_end, revenues.value
            from closes
            asof join revenues on revenues.entity_id = closes.entity_id and revenues.known_from <= closes.closed_at
            where revenues.known_to is null or revenues.known_to > closes.closed_at
            order by closes.entity_id, closes.day""",
            {"from": FROM, "to": TO},
        )
        .fetchall()
    )


def with_pandas():
    import pandas as pd

    series = pandas_table("series", ["series_no", "entity_id", "canonical_id", "entity_type"])
    series = series[(series.canonical_id == "price_close") & (series.entity_type == "company")]
    closes = pandas_table("vintages", ["series_no", "period_end", "value", "observed_at", "release_no"]).merge(series, on="series_no")
    closes = closes[(closes.release_no == 1) & (closes.period_end >= FROM) & (closes.period_end <= TO)]
    figures = pandas_table("company_figures", ["field", "entity_id", "period_end", "value", "known_from", "known_to"])
    joined = pd.merge_asof(
        closes.sort_values("observed_at"),
        figures[figures.field == "revenue"].sort_values("known_from"),
        left_on="observed_at",
        right_on="known_from",
        by="entity_id",
        suffixes=("", "_revenue"),
    ).dropna(subset="known_from")
    joined = joined[joined.known_to.isna() | (joined.known_to > joined.observed_at)].sort_values(["entity_id", "period_end"])
    return joined[["entity_id", "period_end", "value", "period_end_revenue", "value_revenue"]].itertuples(index=False)


def with_polars():
    import polars as pl

    series = polars_table("series").filter(canonical_id="price_close", entity_type="company").select("series_no", "entity_id")
    closes = (
        polars_table("vintages")
        .filter(pl.col("release_no") == 1, pl.col("period_end").is_between(FROM, TO))
        .join(series, on="series_no")
        .select("entity_id", "period_end", "value", "observed_at")
        .sort("observed_at")
    )
    revenues = polars_table("company_figures").filter(field="revenue").sort("known_from")
    return (
        closes.join_asof(revenues, left_on="observed_at", right_on="known_from", by="entity_id", suffix="_revenue")
        .filter(pl.col("value_revenue").is_not_null(), pl.col("known_to").is_null() | (pl.col("known_to") > pl.col("observed_at")))
        .sort("entity_id", "period_end")
        .select("entity_id", "period_end", "value", "period_end_revenue", "value_revenue")
        .collect()
        .rows()
    )


def with_pyarrow():
    import pyarrow.compute as pc

    is_close = (pc.field("canonical_id") == "price_close") & (pc.field("entity_type") == "company")
    series = pyarrow_table("series").to_table(columns=["series_no", "entity_id"], filter=is_close)
    in_days = (pc.field("release_no") == 1) & (pc.field("period_end") >= FROM) & (pc.field("period_end") <= TO)
    closes = pyarrow_table("vintages").to_table(
        columns=["series_no", "period_end", "value", "observed_at"], filter=in_days & pc.field("series_no").isin(series["series_no"])
    )
    closes = closes.join(series, "series_no", join_type="inner").rename_columns({"period_end": "day", "value": "close"})
    revenues = pyarrow_table("company_figures").to_table(
        columns=["entity_id", "period_end", "value", "known_from", "known_to"], filter=pc.field("field") == "revenue"
    )
    years = 100 * 366 * 86_400 * 1_000_000  # as far back as it takes, in the unit of the column
    joined = closes.sort_by("observed_at").join_asof(
        revenues.sort_by("known_from"), on="observed_at", by="entity_id", tolerance=-years, right_on="known_from", right_by="entity_id"
    )
    is_held = pc.field("known_to").is_null() | (pc.field("known_to") > pc.field("observed_at"))
    joined = joined.filter(pc.field("value").is_valid() & is_held).sort_by([("entity_id", "ascending"), ("day", "ascending")])
    return [tuple(row.values()) for row in joined.select(["entity_id", "day", "close", "period_end", "value"]).to_pylist()]


def with_chdb():
    return clickhouse(
        f"""
        with
            closes as (
                select series.entity_id as entity_id, vintages.period_end as day, vintages.value as close, assumeNotNull(vintages.observed_at) as closed_at
                from {{vintages}} as vintages
                inner join {{series}} as series using (series_no)
                where series.canonical_id = 'price_close' and series.entity_type = 'company'
                  and vintages.release_no = 1 and vintages.period_end between '{FROM}' and '{TO}'
            ),
            revenues as (
                select entity_id, period_end, value, known_to, assumeNotNull(known_from) as since
                from {{figures}} as figures
                where field = 'revenue'
            )
        select closes.entity_id, closes.day, closes.close, revenues.period_end, revenues.value
        from closes
        asof join revenues on revenues.entity_id = closes.entity_id and revenues.since <= closes.closed_at
        where revenues.known_to is null or revenues.known_to > closes.closed_at
        order by closes.entity_id, closes.day""",
        vintages="vintages",
        series="series",
        figures="company_figures",
    )
