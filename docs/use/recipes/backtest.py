"""A backtest as a loop over month's ends: hold the company with the lowest price to earnings known then, until the next month's end. Each decision asks only for
values known at its moment. The profit is the change of market value, because a split does not change it; dividends are left out."""

from datetime import datetime, timezone

from lake import clickhouse, duckdb_lake, pandas_table, polars_table, pyarrow_table

ENDS = ((2025, 12, 31), (2026, 1, 31), (2026, 2, 28), (2026, 3, 31), (2026, 4, 30), (2026, 5, 31), (2026, 6, 30), (2026, 7, 31), (2026, 8, 31))
MOMENTS = [datetime(*day, 23, 59, 59, 999000, timezone.utc) for day in ENDS]
COLUMNS = ["entity_id", "price_to_earnings", "market_cap"]


def backtest(known_at):
    """@param known_at: a moment to the newest multiples known then, as (company, price to earnings, market value)"""
    wealth, held, bought_at, path = 1.0, None, None, []
    for moment in MOMENTS:
        known = {company: (multiple, value) for company, multiple, value in known_at(moment)}
        if held is not None:
            wealth *= known[held][1] / bought_at
        held = min((multiple, company) for company, (multiple, _) in known.items() if multiple is not None and multiple == multiple)[1]
        bought_at = known[held][1]
        path.append((moment.date(), held, wealth))
    return path


def with_duckdb():
    lake = duckdb_lake()
    newest = """
        select distinct on (entity_id) entity_id, price_to_earnings, market_cap
        from multiples
        where known_from <= $t and (known_to is null or known_to > $t)
        order by entity_id, price_date desc"""
    return backtest(lambda moment: lake.execute(newest, {"t": moment}).fetchall())


def with_pandas():
    multiples = pandas_table("multiples", [*COLUMNS, "price_date", "known_from", "known_to"])

    def known_at(moment):
        held = multiples[(multiples.known_from <= moment) & (multiples.known_to.isna() | (multiples.known_to > moment))]
        return held.sort_values("price_date").groupby("entity_id").tail(1)[COLUMNS].itertuples(index=False)

    return backtest(known_at)


def with_polars():
    import polars as pl

    multiples = polars_table("multiples").select(*COLUMNS, "price_date", "known_from", "known_to").collect()

    def known_at(moment):
        held = multiples.filter(pl.col("known_from") <= moment, pl.col("known_to").is_null() | (pl.col("known_to") > moment))
        return held.sort("price_date").group_by("entity_id").last().select(COLUMNS).rows()

    return backtest(known_at)


def with_pyarrow():
    import pyarrow.compute as pc

    dataset = pyarrow_table("multiples")

    def known_at(moment):
        is_held = (pc.field("known_from") <= moment) & (pc.field("known_to").is_null() | (pc.field("known_to") > moment))
        held = dataset.to_table(columns=[*COLUMNS, "price_date"], filter=is_held).sort_by("price_date")
        return {row["entity_id"]: tuple(row[name] for name in COLUMNS) for row in held.to_pylist()}.values()

    return backtest(known_at)


def with_chdb():
    def known_at(moment):
        return clickhouse(
            f"""
            select entity_id, price_to_earnings, market_cap
            from {{multiples}} as multiples
            where known_from <= '{moment:%Y-%m-%d %H:%M:%S.%f}' and (known_to is null or known_to > '{moment:%Y-%m-%d %H:%M:%S.%f}')
            order by entity_id, price_date desc
            limit 1 by entity_id""",
            multiples="multiples",
        )

    return backtest(known_at)
