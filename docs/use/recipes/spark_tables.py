"""The recipes in Spark SQL over the Delta tables, by name. Run alone it holds their answers, a screen and the rows of every table against those of DuckDB over the
Parquet files: `python spark_tables.py`, with DATA_DIR as in lake.py. SPARK_MASTER is where it runs: local-cluster[2,1,1024], two processes beside the driver."""

import importlib
import os
import sys

import as_of
import cot_percentile
import lake
import panel
import price_and_fundamentals
from delta_tables import names, path
from run import cell

MASTER = os.environ.get("SPARK_MASTER", "local-cluster[2,1,1024]")


def held(moment, known_from="observed_at", known_to="known_to"):
    return f"{known_from} <= {timestamp(moment)} and ({known_to} is null or {known_to} > {timestamp(moment)})"


def timestamp(moment):
    return f"timestamp'{moment:%Y-%m-%d %H:%M:%S.%f}'"


def of_series(series):
    return f"indicator_id = '{series[0]}' and source_id = '{series[1]}'"


def first_of(columns, of, by):
    """The first row of each group of a FROM clause with what follows: Spark has no `qualify`."""
    return f"select {', '.join(column.split('.')[-1].split(' as ')[-1] for column in columns)} from (select {', '.join(columns)}, row_number() over ({by}) as place {of}) where place = 1"


def newest_multiples(moment):
    of = f"from multiples where {held(moment, 'known_from')}"
    return first_of(["entity_id", "price_to_earnings", "market_cap"], of, "partition by entity_id order by price_date desc")


PAYROLLS = "('us_nonfarm_payrolls', 'fred_md')"

STATEMENTS = {
    "as_of": f"""
        select period, value
        from vintages
        inner join series using (series_no)
        where {of_series(as_of.SERIES)} and period_end >= date'{as_of.FROM}' and {held(as_of.T)}
        order by period""",
    "first_prints": f"""
        select
            period,
            max(value) filter (where release_no = 1) as first_print,
            max(value) filter (where known_to is null) as latest,
            latest - first_print as revision
        from vintages
        inner join series using (series_no)
        where (indicator_id, source_id) = {PAYROLLS} and period_end between date'2020-01-01' and date'2020-12-31'
        group by period
        order by period""",
    "revision_triangle": f"""
        select * from (
            select period, release_no, value
            from vintages
            inner join series using (series_no)
            where (indicator_id, source_id) = {PAYROLLS} and period_end between date'2020-02-01' and date'2020-08-31'
        ) pivot (max(value) for release_no in (1, 2, 3))
        order by period""",
    "price_and_fundamentals": f"""
        with closes as (
            select series.entity_id, vintages.period_end as day, vintages.value as close, vintages.observed_at as closed_at
            from vintages
            inner join series using (series_no)
            where series.canonical_id = 'price_close' and series.entity_type = 'company' and vintages.release_no = 1
              and vintages.period_end between date'{price_and_fundamentals.FROM}' and date'{price_and_fundamentals.TO}'
        )
        """
    + first_of(
        ["closes.entity_id", "closes.day", "closes.close", "revenues.period_end", "revenues.value"],
        """
        from closes
        inner join company_figures as revenues
            on revenues.entity_id = closes.entity_id and revenues.field = 'revenue' and revenues.known_from <= closes.closed_at
        where revenues.known_to is null or revenues.known_to > closes.closed_at""",
        "partition by closes.entity_id, closes.day order by revenues.known_from desc",
    )
    + " order by entity_id, day",
    "cot_percentile": first_of(
        cot_percentile.COLUMNS,
        f"from cot where {held(cot_percentile.T, 'known_from')}",
        "partition by report, contract_code order by report_date desc",
    )
    + " order by report, contract_code",
    "panel": f"with moments as (select explode(array({', '.join(timestamp(moment) for moment in panel.MOMENTS)})) as moment) "
    + first_of(
        ["to_date(moment) as day", "series.country", "vintages.period", "vintages.value"],
        f"""
        from moments
        inner join vintages on vintages.observed_at <= moment and (vintages.known_to is null or vintages.known_to > moment)
        inner join series using (series_no)
        where series.factor_key = '{panel.FACTOR}' and series.source_id = '{panel.SOURCE}' and vintages.value is not null""",
        "partition by moment, series.country order by vintages.period_end desc",
    )
    + " order by day, country",
}

#: A screen as of a day, out of the states: countries by unemployment, those with inflation above two percent.
SCREEN = """
    select entity_id, unemployment, inflation
    from (
        select
            series.entity_id,
            max(states.value) filter (where series.canonical_id = 'unemployment_rate') as unemployment,
            max(states.value) filter (where series.canonical_id = 'cpi_inflation_yoy') as inflation
        from states
        inner join series using (series_no)
        where states.epoch = 2026 and states.known_from <= timestamp '2026-06-30 23:59:59.999'
          and (states.known_to is null or states.known_to > timestamp '2026-06-30 23:59:59.999')
        group by series.entity_id
    ) as readings
    where unemployment is not null
    order by unemployment desc, entity_id"""


def session():
    from delta.pip_utils import configure_spark_with_delta_pip
    from pyspark.sql import SparkSession

    builder = (
        SparkSession.builder.master(MASTER)
        .appName("asof")
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.databricks.delta.snapshotPartitions", "1")
        .config("spark.ui.enabled", "false")
    )
    return configure_spark_with_delta_pip(builder).getOrCreate()


def counted(columns):
    """What a table comes to, column by column, in words that both engines have."""
    return "select count(*), " + ", ".join(f"count(`{name}`), count(distinct `{name}`)" for name in columns) + " from {}"


def main():
    spark = session()
    failed = []

    def hold(name, found, wanted):
        found, wanted = ([tuple(cell(value) for value in row) for row in rows] for rows in (found, wanted))
        is_equal = found == wanted and len(wanted) > 0
        print(f"spark {name}: {len(wanted)} rows {'ok' if is_equal else 'UNEQUAL'}", flush=True)
        if not is_equal:
            failed.append(name)
            print(f"  spark: {found[:3]}; duckdb: {wanted[:3]}")

    files = lake.duckdb_lake()
    tables = names()
    for table in tables:
        frame = spark.read.format("delta").load(path(table))
        frame.createOrReplaceTempView(table)
        plain = [name for name, kind in frame.dtypes if not kind.startswith(("array", "struct"))]
        ours = counted(plain).replace("`", '"').format(table)
        hold(table, spark.sql(counted(plain).format(table)).collect(), files.execute(ours).fetchall())
    for name, statement in STATEMENTS.items():
        hold(name, spark.sql(statement).collect(), importlib.import_module(name).with_duckdb())
    backtest = importlib.import_module("backtest")
    found = backtest.backtest(lambda moment: [tuple(row) for row in spark.sql(newest_multiples(moment)).collect()])
    hold("backtest", found, backtest.with_duckdb())
    hold("screen", spark.sql(SCREEN).collect(), files.execute(SCREEN).fetchall())
    spark.stop()
    print(f"{len(tables) + len(STATEMENTS) + 2 - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
