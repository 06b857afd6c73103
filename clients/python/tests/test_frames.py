"""Panels, series, triangles, screens and drawings as pandas objects, against a service of the sample; the service's own JSON is the measure."""

from __future__ import annotations

import os
import warnings
from datetime import datetime, timedelta, timezone
from typing import Any, Dict, Iterator

import pytest

from asof_client import Asof, AsofWarning, BadRequest, NotFound

if "ASOF_URL" not in os.environ:
    pytest.skip("no service of the sample: ASOF_URL is not set", allow_module_level=True)
pd = pytest.importorskip("pandas")

PAYROLLS = "us_nonfarm_payrolls"
FACTORS = ["consumer_confidence", "business_confidence"]
COUNTRIES = ["IT", "DE", "FR"]


@pytest.fixture(scope="module")
def asof() -> Iterator[Asof]:
    with Asof() as client:
        yield client


def cells(frame: Any) -> Dict[Any, float]:
    return {(str(date.date()), *column): value for column in frame for date, value in frame[column].dropna().items()}


def test_a_panel_has_the_services_values_by_date_factor_and_country(asof: Asof) -> None:
    with pytest.warns(AsofWarning, match="values are stale.*eligible_only=True"):
        frame = asof.panel(FACTORS, COUNTRIES, from_="2026-06-01", to="2026-10-31")
    rows = asof.table("/panels", factor=FACTORS, country=COUNTRIES, **{"from": "2026-06-01", "to": "2026-10-31"})
    assert len(rows) == 30
    assert cells(frame) == {(str(row["date"]), row["factor"], row["country"]): row["value"] for row in rows}
    assert frame.index.name == "date"
    assert list(frame.columns.names) == ["factor", "country"]
    assert list(frame.columns) == [(factor, country) for factor in FACTORS for country in sorted(COUNTRIES)]
    assert list(frame["consumer_confidence"].columns) == sorted(COUNTRIES)
    assert frame.attrs["units"] == dict.fromkeys(FACTORS, "balance")
    assert frame.attrs["as_of"] == asof.series(PAYROLLS).attrs["as_of"]


def test_a_panel_without_stale_values_has_no_warning(asof: Asof) -> None:
    rows = asof.table("/panels", factor="unemployment_rate", country=COUNTRIES, **{"from": "2026-06-01", "to": "2026-10-31"})
    assert {row["freshnessStatus"] for row in rows} == {"fresh"}
    assert len(cells(asof.panel("unemployment_rate", COUNTRIES, from_="2026-06-01", to="2026-10-31"))) == len(rows) > 10


def test_a_panel_of_several_units_says_which_columns_have_which(asof: Asof) -> None:
    # The one of the United States is known from the day on which the sample was made.
    today = datetime.now(timezone.utc).date()
    with pytest.warns(AsofWarning, match=r"consumer_confidence has several units.*balance \(DE\); index \(US\)"):
        frame = asof.panel("consumer_confidence", ["DE", "US"], from_=str(today - timedelta(days=7)), to=str(today), every="day")
    assert frame.attrs["units"] == {"consumer_confidence": {"DE": "balance", "US": "index"}}


def test_a_panel_names_the_countries_without_a_series(asof: Asof) -> None:
    with pytest.warns(AsofWarning, match="No series of policy_rate: CH, NO"):
        frame = asof.panel("policy_rate", ["CH", "NO", "US"], from_="2026-01-01", to="2026-10-31")
    assert list(frame["policy_rate"]) == ["US"]


def test_dates_and_names_may_be_objects_of_pandas(asof: Asof) -> None:
    plain = asof.panel("unemployment_rate", COUNTRIES, from_="2026-06-01", to="2026-10-31")
    named = pd.DataFrame({"country": COUNTRIES})["country"]
    for countries in (named, pd.Index(COUNTRIES), named.to_numpy(), set(COUNTRIES)):
        assert asof.panel("unemployment_rate", countries, from_=pd.Timestamp("2026-06-01"), to=pd.Timestamp("2026-10-31", tz="UTC")).equals(plain)


def test_a_panel_of_entities_has_their_identifiers(asof: Asof) -> None:
    days = asof.series("price_close", entity="ZZSMB").index
    frame = asof.panel("price_to_earnings", entities=["ZZSMA", "ZZSMB"], from_=str(days[100]), to=str(days[200]), every="week")
    assert list(frame.columns.names) == ["factor", "entity"]
    assert list(frame["price_to_earnings"]) == ["company_9999999001", "company_9999999002"]
    assert set(frame.index.day_name()) == {"Friday"}


def test_a_long_panel_has_every_field_of_the_service(asof: Asof) -> None:
    frame = asof.panel(FACTORS[0], group="g7", from_="2026-06-01", to="2026-10-31", wide=False)
    rows = asof.table("/panels", factor=FACTORS[0], group="g7", **{"from": "2026-06-01", "to": "2026-10-31"})
    assert len(frame) == len(rows) > 0
    assert set(frame.columns) == {*rows.fields, "knownTo"}
    assert list(zip(frame["country"], frame["value"], frame["observedAt"])) == [(row["country"], row["value"], row["observedAt"]) for row in rows]


def test_a_panel_for_jpmaqs_has_its_columns_on_business_days(asof: Asof) -> None:
    frame = asof.panel(FACTORS, COUNTRIES, from_="2026-10-01", to="2026-10-31", qdf=True)
    assert list(frame.columns) == ["real_date", "cid", "xcat", "value", "grading", "eop_lag", "mop_lag"]
    rows = asof.table("/panels", factor=FACTORS, country=COUNTRIES, every="business_day", **{"from": "2026-10-01", "to": "2026-10-31"})
    served = [(row["country"], row["factor"], str(row["date"]), row["value"], row["grade"], row["eopLag"], row["mopLag"]) for row in rows]
    assert len(served) == 22 * 6
    dates = frame["real_date"].dt.strftime("%Y-%m-%d")
    assert list(zip(frame["cid"], frame["xcat"], dates, frame["value"], frame["grading"], frame["eop_lag"], frame["mop_lag"])) == sorted(served)
    contracts = asof.panel("cot_open_interest", entities="cftc_088691", from_=str(asof.series("cftc_088691_cot_open_interest").index[-2].start_time.date()), qdf=True)
    assert set(contracts["cid"]) == {"cftc-088691"}


def test_changes_of_a_panel_have_an_interval(asof: Asof) -> None:
    frame = asof.panel("nonfarm_payrolls", "US", from_="2020-02-01", to="2020-12-31", every="change", wide=False)
    assert len(frame) > 3
    assert list(frame["knownTo"][:-1]) == list(frame["asOf"][1:])


def test_a_panel_without_rows_warns_and_keeps_its_shape(asof: Asof) -> None:
    with pytest.warns(AsofWarning, match="Nothing was known by 2011-01-01"):
        frame = asof.panel(FACTORS[0], "DE", from_="2010-01-01", to="2011-01-01")
    assert frame.empty
    assert list(frame.columns.names) == ["factor", "country"]


def test_an_unknown_name_is_an_error_with_the_nearest(asof: Asof) -> None:
    with pytest.raises(NotFound, match="Did you mean us_nonfarm_payrolls") as caught:
        asof.series("us_nonfarm_payrols")
    assert caught.value.nearest == PAYROLLS
    with pytest.raises(NotFound) as unknown:
        asof.series("consumer_confidence", country="Germny")
    assert unknown.value.nearest == "germany"
    with pytest.raises(BadRequest) as refused:
        asof.panel("consumer_confidenc", "DE", from_="2026-01-01")
    assert refused.value.nearest == "consumer_confidence"


@pytest.mark.parametrize("as_of", ["2020-05-31", "2020-06-30", None])
def test_a_series_has_the_services_values_by_period(asof: Asof, as_of: Any) -> None:
    series = asof.series(PAYROLLS, as_of=as_of)
    rows = asof.series_table(PAYROLLS, as_of=as_of)
    assert [str(period) for period in series.index] == [row["period"] for row in rows]
    assert list(series) == [row["actual"] for row in rows]
    assert (series.name, series.index.freqstr, str(series.dtype)) == (PAYROLLS, "M", "float64")
    assert {**series.attrs, "as_of": None} == {"indicator": PAYROLLS, "unit": "thousands", "source": "fred_md", "as_of": None}
    assert as_of is None or series.attrs["as_of"] == f"{as_of}T23:59:59.999Z"


@pytest.mark.parametrize(
    ("indicator", "shape"),
    [("us_gdp_real", "%Y-Q%q"), ("us_population", "%Y"), ("us_cb_statement_sentiment", "%Y-%m-%d")],
)
def test_the_index_has_the_services_periods(asof: Asof, indicator: str, shape: str) -> None:
    named = [row["period"] for row in asof.series_table(indicator)]
    assert asof.series(indicator).index.strftime(shape).tolist() == named


def test_the_index_of_a_weekly_series_has_iso_weeks(asof: Asof) -> None:
    series = asof.series("cftc_001602_cot_positioning_percentile")
    named = [row["period"] for row in asof.series_table("cftc_001602_cot_positioning_percentile")]
    assert [one.start_time.strftime("%G-W%V") for one in series.index] == named
    assert {(one.end_time - one.start_time).days for one in series.index} == {6}


def test_a_series_of_several_sources_is_of_the_preferred_one_and_names_the_others(asof: Asof) -> None:
    with pytest.warns(AsofWarning, match="from dg_ecfin. Left out: oecd"):
        series = asof.series("business_confidence", country="DE")
    assert series.attrs["source"] == "dg_ecfin"
    assert series.index.is_unique
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert asof.series("business_confidence", country="DE", source_id="oecd").attrs["unit"] == "index"


def test_a_question_that_means_several_series_is_refused_with_their_names(asof: Asof) -> None:
    with pytest.raises(ValueError, match="at_consumer_confidence, .*country or entity"):
        asof.series("consumer_confidence")


def test_a_series_before_anything_was_known_is_empty_and_warns(asof: Asof) -> None:
    with pytest.warns(AsofWarning, match="first vintage became known"):
        assert len(asof.series(PAYROLLS, as_of="2010-05-31")) == 0
    with pytest.warns(AsofWarning, match="first vintage became known"):
        assert asof.vintages(PAYROLLS, as_of="2010-05-31").empty


def test_each_column_of_a_triangle_is_the_series_as_known_then(asof: Asof) -> None:
    triangle = asof.vintages(PAYROLLS)
    assert len(triangle.columns) > 5
    for moment in triangle.columns:
        then = asof.series(PAYROLLS, as_of=moment.to_pydatetime())
        assert triangle[moment].dropna().to_dict() == then.to_dict()


def test_a_triangle_by_release_has_the_prints_as_the_service_numbers_them(asof: Asof) -> None:
    with pytest.warns(AsofWarning, match="[0-9]+ periods are left out"):
        triangle = asof.vintages(PAYROLLS, by="release")
    with pytest.warns(AsofWarning, match="first print"):
        rows = asof.revision_triangle(PAYROLLS, prints=3)
    assert [str(one) for one in triangle.index] == [row["period"] for row in rows]
    for number in (1, 2, 3):
        assert triangle[number].dropna().tolist() == [row[f"print{number}"] for row in rows if row[f"print{number}"] is not None]
    every = asof.vintages(PAYROLLS, by="release", include_backfill=True)
    assert len(every) == len(asof.series(PAYROLLS)) > len(triangle)


def test_a_screen_is_flat(asof: Asof) -> None:
    frame = asof.screen("consumer_confidence:gt:-40;business_confidence:gt:-100", rank_by="consumer_confidence:desc")
    rows = asof.screen_table("consumer_confidence:gt:-40;business_confidence:gt:-100", rank_by="consumer_confidence:desc")
    assert list(frame.index) == [row["entityId"] for row in rows]
    assert list(frame["business_confidence"]) == [row["values"]["business_confidence"]["value"] for row in rows]
    assert frame["consumer_confidence"].is_monotonic_decreasing
    assert frame.attrs["screener"]["matched"] == len(frame)
    assert list(asof.screen("consumer_confidence:gt:4000").columns) == ["rank", "entityType", "name", "country"]


def test_a_plot_has_a_line_for_each_vintage(asof: Asof) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    axes = asof.plot(PAYROLLS, start_date="2020-01-01", end_date="2020-12-31")
    triangle = asof.vintages(PAYROLLS, start_date="2020-01-01", end_date="2020-12-31")
    assert len(axes.lines) == len(triangle.columns)
    newest: Any = axes.lines[-1].get_ydata()
    assert list(newest) == list(triangle.iloc[:, -1])
    assert (axes.get_title(), axes.get_ylabel()) == (PAYROLLS, "thousands")
