"""The client beside a stub: the key, refusals, waits, walks. No service is needed."""

from __future__ import annotations

import sys
from datetime import date, datetime, timedelta, timezone
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import httpx
import pytest

import asof_client
from asof_client import Asof, AsofError, AsofWarning, BadRequest, CursorExpired, NotFound, RateLimited, Unreachable, Unreadable

Reply = Callable[[httpx.Request], httpx.Response]


class Stub:
    """Answers the n-th request by the n-th reply, all later ones by the last."""

    def __init__(self, *replies: Reply, **options: Any) -> None:
        self.seen: List[httpx.Request] = []
        self.pauses: List[float] = []
        self.client = Asof("http://stub", "asof_secret", **options)
        transport = self.client._transport
        transport._pause = self.pauses.append
        transport._http = httpx.Client(transport=httpx.MockTransport(self._answer), headers=transport._http.headers)
        self._replies = replies

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        return self._replies[min(len(self.seen), len(self._replies)) - 1](request)


def error(status: int, code: str, details: Optional[Dict[str, Any]] = None, headers: Optional[Dict[str, str]] = None) -> Reply:
    body = {"error": {"code": code, "message": f"It is {code}.", "requestId": "req_1", "details": details or {}}}
    return lambda _: httpx.Response(status, json=body, headers=headers)


def page(rows: List[Dict[str, Any]], following: Optional[str] = None, as_of: Optional[str] = None, **meta: Any) -> Reply:
    pagination = {"has_more": following is not None, "next_cursor": following}
    body = {"data": rows, "meta": {"pagination": pagination, "as_of": as_of, **meta}, "requestId": "req_1"}
    return lambda _: httpx.Response(200, json=body)


def limited(seconds: str) -> Reply:
    return error(429, "rate_limited", {"limit": 1000}, {"retry-after": seconds})


def dropped(_: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("refused")


def query(request: httpx.Request) -> Dict[str, str]:
    return dict(request.url.params)


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("ASOF_URL", raising=False)
    monkeypatch.delenv("ASOF_KEY", raising=False)
    yield


def test_the_key_is_in_a_header_and_nowhere_else() -> None:
    stub = Stub(page([]))
    stub.client.table("/countries")
    assert stub.seen[0].headers["x-api-key"] == "asof_secret"
    assert "asof_secret" not in str(stub.seen[0].url) + repr(stub.client)


def test_a_redirection_is_not_followed() -> None:
    stub = Stub(lambda _: httpx.Response(302, headers={"location": "http://other/"}))
    with pytest.raises(Unreadable):
        stub.client.table("/countries")
    assert len(stub.seen) == 1
    with Asof("http://stub", "asof_secret") as client:
        assert client._transport._http.follow_redirects is False


def test_a_key_that_no_header_holds_is_refused_without_saying_it() -> None:
    with pytest.raises(ValueError) as caught:
        Asof("http://stub", "asof_secret\n")
    assert "asof_secret" not in str(caught.value)


def test_key_and_address_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASOF_URL", "http://environment/base/")
    monkeypatch.setenv("ASOF_KEY", "asof_environment")
    assert Asof()._transport.url == "http://environment/base"
    assert Asof()._transport._http.headers["x-api-key"] == "asof_environment"
    assert Asof(key="asof_argument")._transport._http.headers["x-api-key"] == "asof_argument"


@pytest.mark.parametrize("url", ["", "stub", "ftp://stub", "http://name:word@stub", "http://stub/?key=asof_secret"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError):
        Asof(url, "asof_secret")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (date(2020, 5, 31), "2020-05-31"),
        (datetime(2020, 5, 31, 12, tzinfo=timezone(timedelta(hours=2))), "2020-05-31T10:00:00Z"),
        (True, "true"),
        (3, "3"),
        (["us", "ea"], "us,ea"),
    ],
)
def test_a_parameter_is_sent_as_the_service_reads_it(value: Any, text: str) -> None:
    stub = Stub(page([]))
    stub.client.table("/countries", anything=value, nothing=None)
    assert query(stub.seen[0]) == {"limit": "500", "anything": text}


@pytest.mark.parametrize("value", [datetime(2020, 5, 31), float("nan"), {"a": 1}, ["a,b"], []])
def test_a_parameter_that_would_be_another_is_refused(value: Any) -> None:
    stub = Stub(page([]))
    with pytest.raises((TypeError, ValueError)):
        stub.client.table("/countries", as_of=value)
    assert stub.seen == []


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("from", datetime(2020, 5, 31, 12), "from is a day.*time of day.*date()"),
        ("as_of", datetime(2020, 5, 31), "as_of has no time zone.*date()"),
        ("as_of", ["2020-05-31", "2020-06-30"], "as_of takes one value.*panel()"),
        ("source_id", ["fred", "oecd"], "source_id takes one value"),
        ("country", {"a": 1}, "country is dict.*a list of texts"),
    ],
)
def test_a_refused_parameter_names_what_came_and_what_to_send(name: str, value: Any, message: str) -> None:
    stub = Stub(page([]))
    with pytest.raises((TypeError, ValueError), match=message):
        stub.client.table("/countries", None, **{name: value})


def test_midnight_is_a_day_where_a_day_is_asked_for() -> None:
    stub = Stub(page([]))
    stub.client.table("/countries", None, **{"from": datetime(2020, 5, 31), "start_date": datetime(2020, 5, 31, tzinfo=timezone.utc)})
    assert query(stub.seen[0]) == {"limit": "500", "from": "2020-05-31", "start_date": "2020-05-31"}


def test_what_stands_in_a_path_cannot_be_another_path() -> None:
    stub = Stub(page([]))
    stub.client.company("../../a?b")
    assert stub.seen[0].url.raw_path.startswith(b"/companies/..%2F..%2Fa%3Fb/financials")


def test_a_refusal_is_an_exception_with_code_message_details_and_request_id() -> None:
    stub = Stub(error(400, "bad_request", {"parameter": "foo"}))
    with pytest.raises(BadRequest) as caught:
        stub.client.table("/observations", indicator_id="a", foo=1)
    assert query(stub.seen[0])["foo"] == "1"
    found = caught.value
    assert (found.code, found.status, str(found), found.details, found.request_id) == (
        "bad_request",
        400,
        "It is bad_request.",
        {"parameter": "foo"},
        "req_1",
    )


@pytest.mark.parametrize("code", ["unauthorized", "forbidden", "not_found", "internal_error", "of_a_later_service"])
def test_every_code_is_an_exception(code: str) -> None:
    with pytest.raises(AsofError) as caught:
        Stub(error(400, code)).client.table("/countries")
    assert caught.value.code == code
    assert type(caught.value).__name__.lower() == code.replace("_", "") or code == "of_a_later_service"


@pytest.mark.parametrize("reason", ["expired", "snapshot_gone"])
def test_a_cursor_that_ended_says_that_the_walk_is_to_be_begun_again(reason: str) -> None:
    stub = Stub(page([{"a": 1}], "next"), error(400, "bad_request", {"parameter": "cursor", "reason": reason}))
    with pytest.raises(CursorExpired) as caught:
        stub.client.table("/countries")
    assert caught.value.code == "cursor_expired"


def test_a_cursor_that_was_never_given_out_is_a_bad_request() -> None:
    with pytest.raises(BadRequest) as caught:
        Stub(error(400, "bad_request", {"parameter": "cursor", "reason": "malformed"})).client.table("/countries", cursor="x")
    assert not isinstance(caught.value, CursorExpired)


@pytest.mark.parametrize("answer", [httpx.Response(200, text="<html>"), httpx.Response(502, text="<html>"), httpx.Response(200, json={"data": {}})])
def test_what_is_not_the_service_is_no_data(answer: httpx.Response) -> None:
    with pytest.raises(Unreadable):
        Stub(lambda _: answer).client.table("/countries")


def test_a_limit_is_waited_for_as_long_as_the_service_says() -> None:
    stub = Stub(limited("7"), limited("0"), page([]))
    stub.client.table("/countries")
    assert stub.pauses == [7, 1]


def test_a_limit_longer_than_the_longest_wait_is_raised_at_once() -> None:
    stub = Stub(limited("61"))
    with pytest.raises(RateLimited) as caught:
        stub.client.table("/countries")
    assert (caught.value.retry_after, stub.pauses) == (61, [])


def test_limits_are_waited_for_no_longer_in_all() -> None:
    stub = Stub(limited("25"))
    with pytest.raises(RateLimited):
        stub.client.table("/countries")
    assert stub.pauses == [25, 25]


def test_no_answer_is_asked_for_twice_more() -> None:
    stub = Stub(dropped, dropped, page([]))
    stub.client.table("/countries")
    assert len(stub.seen) == 3
    stub = Stub(dropped)
    with pytest.raises(Unreachable) as caught:
        stub.client.table("/countries")
    assert len(stub.seen) == 3
    assert "asof_secret" not in str(caught.value)


def test_a_walk_reads_every_page() -> None:
    stub = Stub(page([{"a": 1}], "x"), page([], "y"), page([{"a": 2}]))
    assert [row["a"] for row in stub.client.table("/countries")] == [1, 2]
    assert [query(one).get("cursor") for one in stub.seen] == [None, "x", "y"]


@pytest.mark.parametrize(
    "pages",
    [
        [page([], "a", "2020-05-31T23:59:59.999Z"), page([], None, "2020-06-30T23:59:59.999Z")],
        [page([], "a"), page([], "a")],
        [lambda _: httpx.Response(200, json={"data": [], "meta": {"pagination": {"has_more": True, "next_cursor": None}}})],
    ],
)
def test_a_walk_that_does_not_fit_is_not_a_table(pages: List[Reply]) -> None:
    with pytest.raises(Unreadable):
        Stub(*pages).client.table("/countries")


def test_a_list_that_does_not_say_the_as_of_asked_for_is_refused() -> None:
    with pytest.raises(Unreadable):
        Stub(page([])).client.series_table("a", as_of="2020-05-31")


def test_an_answer_that_holds_less_warns_with_the_reason() -> None:
    hint = {"parameter": "indicator_id", "message": "There is no indicator a.", "nearest": "b"}
    with pytest.warns(AsofWarning, match="no indicator a"):
        table = Stub(page([], hints=[hint])).client.series_table("a")
    assert table.hints == (asof_client.Hint("indicator_id", "There is no indicator a.", "b"),)
    with pytest.warns(AsofWarning, match="24 months"):
        assert Stub(page([], history_limited=True)).client.series_table("a").history_limited


def test_days_and_instants_are_typed_and_nulls_are_none() -> None:
    row = {"periodEnd": "2020-04-30", "observedAt": "2020-05-31T23:59:59.999Z", "actual": 1, "forecast": None, "later": "x"}
    (found,) = Stub(page([row])).client.series_table("a")
    assert found["periodEnd"] == date(2020, 4, 30)
    assert found["observedAt"] == datetime(2020, 5, 31, 23, 59, 59, 999000, timezone.utc)
    assert isinstance(found["actual"], float)
    assert (found["forecast"], found["later"]) == (None, "x")


@pytest.mark.parametrize("row", [{"periodEnd": "soon"}, {"actual": "."}, {"actual": True}, {"observedAt": 5}])
def test_a_value_of_another_type_is_refused(row: Dict[str, Any]) -> None:
    with pytest.raises(Unreadable):
        Stub(page([row])).client.series_table("a")


def triangle_row(value: float, observed: str, **other: Any) -> Dict[str, Any]:
    known = {"indicatorId": "a", "country": "US", "instrumentId": None, "sourceId": "s", "unit": "u", "period": "2020-04", "periodEnd": "2020-04-30"}
    return {**known, "actual": value, "observedAt": observed, **other}


def test_a_triangle_has_the_prints_as_the_service_numbers_them() -> None:
    stub = Stub(page([triangle_row(1, "2020-05-31T00:00:00.000Z")]), page([triangle_row(2, "2020-06-30T00:00:00.000Z")]), page([]))
    table = stub.client.revision_triangle("a", prints=3)
    assert [(row["print1"], row["print2"], row["print3"]) for row in table] == [(1.0, 2.0, None)]
    assert [query(one)["release_number"] for one in stub.seen] == ["1", "2", "3"]


Pages = Tuple[Reply, ...]


@pytest.mark.parametrize(
    ("pages", "kind"),
    [
        ((page([triangle_row(1, "2020-05-31T00:00:00.000Z")] * 2),), ValueError),
        ((page([triangle_row(1, "2020-05-31T00:00:00.000Z")]), page([triangle_row(2, "2020-06-30T00:00:00.000Z", unit="v")])), ValueError),
        ((page([]), page([triangle_row(2, "2020-06-30T00:00:00.000Z")])), Unreadable),
        ((page([triangle_row(1, "2020-06-30T00:00:00.000Z")]), page([triangle_row(2, "2020-06-30T00:00:00.000Z")])), Unreadable),
    ],
)
def test_a_triangle_of_prints_that_do_not_fit_is_refused(pages: Pages, kind: type) -> None:
    with pytest.raises(kind):
        Stub(*pages).client.revision_triangle("a", prints=2)


def test_a_row_with_actual_has_it_as_value_too() -> None:
    (found,) = Stub(page([{"actual": 1, "unit": "u"}])).client.series_table("a")
    assert found["value"] == found["actual"] == 1.0


def test_a_misspelt_keyword_is_refused_before_any_request() -> None:
    stub = Stub(page([]))
    with pytest.raises(TypeError, match="asof"):
        stub.client.series_table("a", asof="2020-05-31")  # type: ignore[call-arg]
    assert stub.seen == []


def test_an_error_has_the_nearest_name() -> None:
    with pytest.raises(BadRequest) as caught:
        Stub(error(400, "bad_request", {"parameter": "factor", "nearest": "b"})).client.table("/panels", factor="a")
    assert caught.value.nearest == "b"


def test_an_unknown_indicator_of_a_series_is_an_error_with_the_nearest_name() -> None:
    pytest.importorskip("pandas")
    hint = {"parameter": "indicator_id", "message": "There is no indicator a. Did you mean b?", "nearest": "b"}
    stub = Stub(page([], hints=[hint]))
    for ask in (stub.client.series, stub.client.first_prints, stub.client.vintages, stub.client.plot):
        with pytest.raises(NotFound, match="Did you mean b") as caught:
            ask("a")
        assert caught.value.nearest == "b"


@pytest.mark.parametrize("missing", ["pandas", "pyarrow"])
def test_frames_without_their_packages_name_the_extra(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    pytest.importorskip("pandas")
    monkeypatch.setitem(sys.modules, missing, None)
    stub = Stub(page([]))
    with pytest.raises(ImportError, match=r"pip install '\./clients/python\[pandas\]'"):
        stub.client.panel("a", "US", from_="2020-01-01")
    with pytest.raises(ImportError, match=missing):
        stub.client.series("a")
    assert stub.seen == []


def test_a_plot_without_matplotlib_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"pip install '\./clients/python\[plot\]'"):
        Stub(page([])).client.plot("a")


@pytest.mark.parametrize(("wide", "qdf"), [(True, False), (False, True)])
def test_changes_of_a_panel_are_rows_only(wide: bool, qdf: bool) -> None:
    with pytest.raises(ValueError, match="wide=False"):
        Stub(page([])).client.panel("a", "US", from_="2020-01-01", every="change", wide=wide, qdf=qdf)


def test_the_form_of_an_answer_is_no_parameter() -> None:
    with pytest.raises(TypeError):
        Stub(page([])).client.table("/observations", format="csv")


