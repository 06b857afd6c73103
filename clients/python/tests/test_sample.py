"""The installed package against a service of the sample, at ASOF_URL with the key ASOF_KEY; the service's own JSON is the measure."""

from __future__ import annotations

import json
import os
from contextlib import nullcontext
from datetime import date, datetime, timezone
from typing import Any, Dict, Iterator, List, Optional

import httpx
import pytest

from asof_client import Asof, AsofError, AsofWarning, BadRequest, NotFound, Unauthorized

if "ASOF_URL" not in os.environ:
    pytest.skip("no service of the sample: ASOF_URL is not set", allow_module_level=True)

PAYROLLS = "us_nonfarm_payrolls"
STATEMENTS = "/companies/{idOrLookup}/financials"


@pytest.fixture(scope="module")
def asof() -> Iterator[Asof]:
    with Asof() as client:
        yield client


def served(path: str, **query: str) -> List[Dict[str, Any]]:
    """The rows of a list by the service's JSON, without the client."""
    rows: List[Dict[str, Any]] = []
    cursor: Optional[str] = None
    while True:
        params = {**query, **({} if cursor is None else {"cursor": cursor})}
        answer = httpx.get(os.environ["ASOF_URL"] + path, params=params, headers={"x-api-key": os.environ["ASOF_KEY"]}, timeout=60)
        assert answer.status_code == 200, answer.text
        body = answer.json()
        rows += body["data"]
        cursor = body["meta"]["pagination"]["next_cursor"]
        if not body["meta"]["pagination"]["has_more"]:
            return rows


def as_json(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, date) else value


@pytest.mark.parametrize("day", ["2020-04-30", "2020-05-31", "2020-06-30", "2025-12-31"])
def test_payrolls_of_april_2020_as_of_a_day_are_the_services(asof: Asof, day: str) -> None:
    # A day before the first print has no row, and the service says why.
    said = pytest.warns(AsofWarning, match="first vintage became known at 2020-05-31") if day == "2020-04-30" else nullcontext()
    with said:
        table = asof.series_table(PAYROLLS, as_of=day, period="2020-04")
    assert [{name: as_json(value) for name, value in row.items() if name != "value"} for row in table] == served(
        "/observations", indicator_id=PAYROLLS, as_of=day, period="2020-04"
    )
    assert as_json(table.as_of) == f"{day}T23:59:59.999Z"
    print("python", json.dumps([day, [row["actual"] for row in table]]))


def test_a_walk_in_small_pages_is_the_whole_list(asof: Asof) -> None:
    table = asof.table("/observations", indicator_id=PAYROLLS, vintage="all", limit=7)
    assert [row["observationId"] for row in table] == [row["observationId"] for row in served("/observations", indicator_id=PAYROLLS, vintage="all")]
    assert len(table.request_ids) > 3
    assert table.as_of is None


def test_first_prints_and_the_triangle_are_those_of_the_service(asof: Asof) -> None:
    filters = {"start_date": "2020-02-01", "end_date": "2020-08-31"}
    triangle = asof.revision_triangle(PAYROLLS, prints=3, start_date=filters["start_date"], end_date=filters["end_date"], include_backfill=True)
    first = asof.first_prints(PAYROLLS, start_date=filters["start_date"], end_date=filters["end_date"], include_backfill=True)
    assert [row["print1"] for row in triangle] == list(first)
    vintages: Dict[str, List[float]] = {}
    for row in sorted(served("/observations", indicator_id=PAYROLLS, vintage="all", **filters), key=lambda row: str(row["observedAt"])):
        vintages.setdefault(row["period"], []).append(row["actual"])
    assert {row["period"]: [row[f"print{n}"] for n in (1, 2, 3)] for row in triangle} == {
        period: [*values, None, None, None][:3] for period, values in vintages.items()
    }


@pytest.mark.parametrize(
    ("path", "parameters"),
    [
        ("/observations", {"indicator_id": PAYROLLS, "vintage": "all"}),
        ("/derived-observations", {"indicator_id": "indicator_cpi_inflation_yoy", "entity": "us"}),
        ("/public/companies", {}),
        ("/economic-calendar", {"country": "US", "start_date": "2026-01-01"}),
        ("/countries", {}),
        ("/derived-indicators", {}),
    ],
)
def test_every_frame_has_the_services_values_and_nulls(asof: Asof, path: str, parameters: Dict[str, Any]) -> None:
    pd = pytest.importorskip("pandas")
    table = asof.table(path, **parameters)
    rows = served(path, **parameters)
    assert len(table) == len(rows) > 0
    frames = {"pandas": table.to_pandas(), "polars": table.to_polars(), "arrow": table.to_arrow()}
    listed = {"polars": frames["polars"].to_dicts(), "arrow": frames["arrow"].to_pylist()}
    listed["pandas"] = [dict(zip(frames["pandas"].columns, one)) for one in frames["pandas"].itertuples(index=False)]
    for name, found in listed.items():
        for expected, row in zip(rows, found):
            assert set(row) == {*expected, "asOf", *(["value"] if "actual" in expected else [])}, name
            assert "actual" not in row or row["value"] is row["actual"] or row["value"] == row["actual"]
            for field, value in expected.items():
                shown = row[field]
                if value is None:
                    assert shown is None or shown is pd.NA or shown is pd.NaT, (name, field)
                elif table.fields[field] == "json" and name != "pandas":
                    assert json.loads(shown) == value
                elif table.fields[field] == "date" and name == "pandas":
                    assert shown.date().isoformat() == value
                else:
                    assert as_json(shown.to_pydatetime() if hasattr(shown, "to_pydatetime") else shown) == value, (name, field)


def test_a_frame_says_its_as_of_in_every_row(asof: Asof) -> None:
    pytest.importorskip("pandas")
    table = asof.series_table(PAYROLLS, as_of=date(2020, 5, 31))
    assert set(table.to_pandas()["asOf"]) == set(table.to_polars()["asOf"]) == {table.as_of}
    assert table.to_pandas().attrs["as_of"] == "2020-05-31T23:59:59.999000+00:00"


def test_a_frame_without_rows_has_the_columns_and_types_of_one_with_rows(asof: Asof) -> None:
    pytest.importorskip("pandas")
    full = asof.series_table(PAYROLLS, period="2020-04")
    with pytest.warns(AsofWarning):
        empty = asof.series_table("us_nonfarm_payroll", as_of="2020-05-31")
    assert len(empty) == 0
    assert empty.hints[0].nearest == PAYROLLS
    assert list(empty.to_pandas().dtypes) == list(full.to_pandas().dtypes)
    assert empty.to_polars().schema == full.to_polars().schema
    assert empty.to_arrow().schema == full.to_arrow().schema


@pytest.mark.parametrize("limit", [1_000_000, 50])
def test_bulk_arrow_has_the_values_of_the_pages(asof: Asof, limit: int) -> None:
    pytest.importorskip("pyarrow")
    bulk = asof.bulk.table("/observations", indicator_id=PAYROLLS, vintage="all", as_of="2020-06-30", limit=limit)
    rows = served("/observations", indicator_id=PAYROLLS, vintage="all", as_of="2020-06-30")
    assert [{name: as_json(row[name]) for name in ("period", "periodEnd", "actual", "observedAt", "forecast")} for row in bulk.to_pylist()] == [
        {name: row[name] for name in ("period", "periodEnd", "actual", "observedAt", "forecast")} for row in rows
    ]
    assert bulk.schema.metadata[b"asof.as_of"] == b"2020-06-30T23:59:59.999Z"
    assert {as_json(one) for one in bulk["asOf"].to_pylist()} == {"2020-06-30T23:59:59.999Z"}


def test_bulk_warns_of_what_is_left_out_and_takes_columns(asof: Asof) -> None:
    pytest.importorskip("pyarrow")
    assert asof.bulk.table("/observations", indicator_id=PAYROLLS, columns="period,actual").column_names == ["period", "actual", "value", "asOf"]
    bulk = asof.bulk.table(STATEMENTS, {"idOrLookup": "ZZSMB"}, statement="income")
    assert bulk.num_rows == len(served(STATEMENTS.replace("{idOrLookup}", "ZZSMB"), statement="income"))
    with pytest.warns(AsofWarning, match=PAYROLLS):
        assert asof.bulk.table("/observations", indicator_id="us_nonfarm_payroll").num_rows == 0


def test_screens_companies_calendar_and_provenance_are_the_services(asof: Asof) -> None:
    screen = asof.screen_table("consumer_confidence:gt:-40", rank_by="consumer_confidence:desc")
    assert [row["values"] for row in screen] == [
        row["values"] for row in served("/public/screener", filter="consumer_confidence:gt:-40", rank_by="consumer_confidence:desc")
    ]
    assert screen.meta["screener"]["matched"] == len(screen)
    assert [row["items"] for row in asof.company("ZZSMB", period="annual")] == [row["items"] for row in served("/companies/ZZSMB/financials", period="annual")]
    assert [row["ticker"] for row in asof.companies()] == [row["ticker"] for row in served("/public/companies")]
    assert len(asof.calendar(country="US", as_of="2026-06-30")) == len(served("/economic-calendar", country="US", as_of="2026-06-30"))
    (row,) = asof.series_table(PAYROLLS, as_of="2020-06-30", period="2020-04")
    chain = asof.provenance(row["observationId"], as_of="2020-07-31")
    assert (chain["actual"], chain.as_of) == (row["actual"], "2020-07-31")


def test_what_the_service_refuses_is_raised(asof: Asof) -> None:
    with pytest.raises(BadRequest, match="perid"):
        asof.table("/observations", indicator_id=PAYROLLS, perid="2020-04")
    with pytest.raises(BadRequest):
        asof.series(PAYROLLS, as_of="soon")
    with pytest.raises(BadRequest) as caught:
        asof.table("/observations", cursor="never-given-out")
    assert caught.value.details["reason"] == "malformed"
    with pytest.raises(NotFound):
        asof.item("/entities/{idOrSlug}", {"idOrSlug": "nowhere"})
    with pytest.raises(Unauthorized) as refused, Asof(key="asof_not_a_key") as stranger:
        stranger.series(PAYROLLS)
    assert "asof_not_a_key" not in str(refused.value)
    assert isinstance(refused.value, AsofError)
    assert refused.value.request_id
