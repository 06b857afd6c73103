"""A panel in the format of JPMaQS, read unchanged by the package macrosynergy."""

from __future__ import annotations

import os
from typing import Any, Iterator, List

import pytest

from asof_client import Asof

if "ASOF_URL" not in os.environ:
    pytest.skip("no service of the sample: ASOF_URL is not set", allow_module_level=True)
pytest.importorskip("macrosynergy")
pytestmark = pytest.mark.filterwarnings("default")

import matplotlib
import macrosynergy.panel as msp
import macrosynergy.pnl as msn
import pandas as pd
from macrosynergy.management import InformationStateChanges

matplotlib.use("agg")

FACTORS = ["gdp_growth_yoy", "cpi_inflation_yoy"]
COUNTRIES = ["DE", "FR", "IT"]


@pytest.fixture(scope="module")
def asof() -> Iterator[Asof]:
    with Asof() as client:
        yield client


@pytest.fixture(scope="module")
def yields(asof: Asof) -> Any:
    found = asof.series("us_treasury_yield_10y", source_id="fred")
    return found.set_axis(found.index.to_timestamp())


@pytest.fixture(scope="module")
def macro(asof: Asof) -> Any:
    return asof.panel(FACTORS, "US", from_="2020-01-01", qdf=True)


@pytest.fixture(scope="module")
def confidence(asof: Asof) -> Any:
    return asof.panel("consumer_confidence", COUNTRIES, from_="2020-06-01", qdf=True)


@pytest.mark.parametrize("factor", FACTORS)
def test_changes_of_information_have_the_services_values_and_period_ends(asof: Asof, macro: Any, factor: str) -> None:
    changes = InformationStateChanges.from_qdf(macro)[f"US_{factor}"]
    rows = asof.table("/panels", factor=factor, country="US", every="business_day", **{"from": "2020-01-01", "to": str(macro["real_date"].max().date())}).rows
    expected: List[Any] = []
    for before, row in zip([None, *rows], rows):
        if before is None or abs(before["value"] - row["value"]) > 1e-12:
            expected.append((str(row["date"]), row["value"], str(row["periodEnd"])))
    assert len(expected) > 10
    assert [(str(date.date()), row["value"], str(row["eop"].date())) for date, row in changes.iterrows()] == expected


def test_a_score_does_not_depend_on_later_days(confidence: Any) -> None:
    def scores(frame: Any) -> Any:
        return msp.make_zn_scores(frame, xcat="consumer_confidence", cids=COUNTRIES, min_obs=60).set_index(["cid", "real_date"])["value"]

    until = confidence["real_date"].max() - pd.Timedelta(days=60)
    whole = scores(confidence)
    then = scores(confidence[confidence["real_date"] <= until])
    assert len(then) > 1000
    pd.testing.assert_series_equal(whole[whole.index.get_level_values("real_date") <= until], then)


def test_timelines_are_drawn(confidence: Any) -> None:
    from matplotlib import pyplot

    msp.view_timelines(confidence, xcats=["consumer_confidence"], cids=COUNTRIES)
    assert len(pyplot.get_fignums()) > 0
    pyplot.close("all")


def test_a_naive_pnl_is_the_position_of_the_day_before_times_the_return(macro: Any, yields: Any) -> None:
    change = -8 * yields.diff().dropna()
    returns = pd.DataFrame({"real_date": change.index, "cid": "US", "xcat": "BOND_XR", "value": change.to_numpy()})
    pnl = msn.NaivePnL(pd.concat([macro, returns]), ret="BOND_XR", sigs=["cpi_inflation_yoy"], cids=["US"], start=str(change.index[20].date()))
    pnl.make_pnl("cpi_inflation_yoy", sig_op="raw", sig_neg=True, rebal_freq="daily", rebal_slip=0, pnl_name="PNL")
    made = pnl.df[(pnl.df["xcat"] == "PNL") & (pnl.df["cid"] == "ALL")].set_index("real_date")["value"]
    position = -macro[macro["xcat"] == "cpi_inflation_yoy"].set_index("real_date")["value"]
    expected = (position.shift(1) * change).dropna()
    shared = made.index.intersection(expected.index)
    assert len(shared) > 300
    pd.testing.assert_series_equal(made[shared], expected[shared], check_names=False)
