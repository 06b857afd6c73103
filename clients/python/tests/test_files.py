"""The questions by name over the files of the sample in ASOF_FILES, beside the service of the same files at ASOF_URL."""

from __future__ import annotations

import json
import os
from datetime import date, datetime, timezone
from typing import Any, Dict, Iterator, List

import httpx
import pytest

from asof_client.files import Files, open_files

if "ASOF_FILES" not in os.environ:
    pytest.skip("no files of the sample: ASOF_FILES is not set", allow_module_level=True)

pytest.importorskip("duckdb")


@pytest.fixture(scope="module", params=["pandas", "polars"])
def files(request: Any) -> Iterator[Files]:
    with open_files(os.environ["ASOF_FILES"], request.param) as opened:
        yield opened


def served(path: str, **query: str) -> List[Dict[str, Any]]:
    params = {**query, "format": "ndjson", "limit": "1000000"}
    answer = httpx.get(os.environ["ASOF_URL"] + path, params=params, headers={"x-api-key": os.environ["ASOF_KEY"]}, timeout=60)
    assert answer.status_code == 200, answer.text
    return [json.loads(line) for line in answer.text.splitlines()]


def column(frame: Any, name: str) -> List[Any]:
    values = frame[name].to_list() if hasattr(frame[name], "to_list") else list(frame[name])
    return [None if value is None or value != value else value for value in values]


def test_a_panel_has_the_rows_of_the_service(files: Files) -> None:
    found = files.panel(["unemployment_rate", "nonfarm_payrolls"], "2020-01-31", date(2020, 12, 31), countries=["US", "EA"], grade=3)
    expected = served("/panels", factor="unemployment_rate,nonfarm_payrolls", country="US,EA", to="2020-12-31", grade="3", **{"from": "2020-01-31"})
    assert len(expected) > 0
    assert column(found, "observation_id") == [row["observationId"] for row in expected]
    assert column(found, "value") == [row["value"] for row in expected]
    assert [str(day)[:10] for day in column(found, "date")] == [row["date"] for row in expected]


@pytest.mark.parametrize("moment", ["2020-06-30", date(2020, 6, 30), datetime(2020, 6, 30, 23, 59, 59, 999000, timezone.utc)])
def test_the_values_as_of_a_day_are_the_services(files: Files, moment: Any) -> None:
    found = files.as_of(moment, indicator="us_nonfarm_payrolls")
    expected = {row["observationId"]: row["actual"] for row in served("/observations", indicator_id="us_nonfarm_payrolls", as_of="2020-06-30")}
    assert len(expected) > 0
    assert dict(zip(column(found, "observation_id"), column(found, "value"))) == expected


def test_first_prints_are_the_services(files: Files) -> None:
    found = files.first_prints("us_nonfarm_payrolls")
    expected = {row["observationId"] for row in served("/observations", indicator_id="us_nonfarm_payrolls", vintage="first")}
    assert len(expected) > 0
    assert set(column(found, "observation_id")) == expected


def test_month_ends_are_the_last_days_of_whole_months(files: Files) -> None:
    assert [str(day)[:10] for day in column(files.month_ends("2024-01-31", "2024-03-30"), "date")] == ["2024-01-31", "2024-02-29"]


def test_a_price_stands_beside_the_figures_known_on_the_day(files: Files) -> None:
    companies = files.query("select ticker from entities where entity_id in (select entity_id from series where canonical_id = 'price_close') and entity_type = 'company' order by entity_id")
    ticker = column(companies, "ticker")[0]
    found = files.price_and_fundamentals(ticker, "2026-08-15")
    (latest,) = served("/observations/latest", entity=ticker, indicator_id="price_close", as_of="2026-08-15")
    assert set(column(found, "price")) == {latest["actual"]}
    assert "revenue" in column(found, "field")


def test_a_moment_without_a_zone_is_refused(files: Files) -> None:
    with pytest.raises(ValueError, match="has no time zone"):
        files.as_of(datetime(2020, 6, 30))


def test_a_country_and_a_statement_of_your_own_narrow_the_rows(files: Files) -> None:
    found = files.as_of("2026-06-30", indicator="consumer_confidence", country="de")
    assert set(column(found, "country")) == {"DE"}
    counted = files.query("select count(*) as rows from as_of($day) where canonical_id = 'consumer_confidence' and country = 'DE'", {"day": "2026-06-30"})
    assert column(counted, "rows") == [len(found)]
