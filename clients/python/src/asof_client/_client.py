"""The requests. Parameters have the service's names and go to the service, which refuses unknown ones."""

from __future__ import annotations

import io
import warnings
from datetime import date, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple, Type, Union

from ._errors import AsofWarning, Unreadable
from ._results import AS_OF, Hint, Item, Row, Table, fields_of, instant, typed
from ._transport import Parameter, Transport

if TYPE_CHECKING:
    import pyarrow

#: A day (its end), or an instant with its offset.
Moment = Union[str, date, datetime, None]

_STATEMENTS = "/companies/{idOrLookup}/financials"
_BULK_ROWS = 1_000_000
#: Fields of a row about its series.
_SERIES = ("indicatorId", "country", "instrumentId", "sourceId")
_TRIANGLE = (*_SERIES, "unit", "period", "periodEnd")


class Asof:
    """
    `url` and `key` default to `ASOF_URL` and `ASOF_KEY` of the environment. After a rate limit the client waits as long as the service asks, up to
    `most_wait` seconds per request. Without an answer it retries a request `retries` times.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        key: Optional[str] = None,
        *,
        most_wait: float = 60.0,
        retries: int = 2,
        timeout: float = 60.0,
    ) -> None:
        self._transport = Transport(url, key, most_wait=most_wait, retries=retries, timeout=timeout)
        #: The same requests as Arrow tables, from the service's bulk form.
        self.bulk = Bulk(self)

    def __repr__(self) -> str:
        return f"Asof({self._transport.url!r})"

    def __enter__(self) -> "Asof":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        self.close()

    def close(self) -> None:
        self._transport.close()

    def item(self, path: str, places: Optional[Mapping[str, str]] = None, /, **parameters: Parameter) -> Item:
        """One record of any route; `places` are the values for the braces in its path."""
        body = self._transport.json(path, parameters, places=places)
        moment = parameters.get("as_of", parameters.get("asOf"))
        return Item(body.get("data", body), None if moment is None else str(moment), body.get("meta", {}))

    def table(self, path: str, places: Optional[Mapping[str, str]] = None, /, **parameters: Parameter) -> Table:
        """The whole list of any route with one, page by page from one snapshot. Warns of missing rows with the service's reason."""
        fields = fields_of(path)
        rows: List[Row] = []
        pages: List[Mapping[str, Any]] = []
        cursor = _first_cursor(parameters)
        while True:
            page = self._transport.json(path, {"limit": 500, **parameters, "cursor": cursor}, places=places)
            meta = _page_meta(page)
            pages.append({**meta, "requestId": page.get("requestId")})
            _check_as_of(parameters, meta.get("as_of"), pages[0].get("as_of"))
            rows.extend(typed(row, fields) for row in page["data"])
            pagination = meta["pagination"]
            if not pagination["has_more"]:
                break
            following = pagination["next_cursor"]
            if following is None or following == cursor:
                raise _unfit("more rows are said to follow, without a cursor to them")
            cursor = following
        first = {**pages[0], **{name: pages[-1][name] for name in ("resume_cursor",) if name in pages[-1]}}
        hints = _warned(first)
        as_of = first.get("as_of")
        return Table(
            rows=tuple(rows),
            as_of=None if as_of is None else instant(as_of),
            history_limited=any(page.get("history_limited") is True for page in pages),
            hints=hints,
            meta=first,
            request_ids=tuple(str(page["requestId"]) for page in pages),
            fields=fields,
        )

    def series(self, indicator: str, *, as_of: Moment = None, **filters: Parameter) -> Table:
        """The vintage of each period known at `as_of`; without `as_of`, the newest."""
        return self.table("/observations", None, indicator_id=indicator, as_of=as_of, **filters)

    def vintages(self, indicator: str, *, as_of: Moment = None, **filters: Parameter) -> Table:
        """Every vintage of each period."""
        return self.table("/observations", None, indicator_id=indicator, vintage="all", as_of=as_of, **filters)

    def first_prints(self, indicator: str, *, as_of: Moment = None, **filters: Parameter) -> Table:
        """
        The first print of each period. Periods without one (loaded late, or with the first vintage of their series) are omitted and counted in `hints`;
        include_backfill=True returns their first vintages.
        """
        return self.table("/observations", None, indicator_id=indicator, vintage="first", as_of=as_of, **filters)

    def revision_triangle(self, indicator: str, *, prints: int, as_of: Moment = None, **filters: Parameter) -> Table:
        """
        One row per period. The columns `print1`, `print2`, … hold the prints as the service numbers them, up to `prints`. A print that does not
        exist yet is None. Periods without a first print are omitted unless include_backfill=True. A ValueError if the filters select several series that differ in no shown field.
        """
        if prints < 1:
            raise ValueError("prints is the number of prints, 1 or more.")
        found: List[Table] = []
        for number in range(1, prints + 1):
            found.append(self.table("/observations", None, indicator_id=indicator, release_number=number, as_of=as_of, **filters))
        return _triangle(found)

    def screen(self, filter: Optional[str] = None, *, rank_by: Optional[str] = None, as_of: Moment = None, **filters: Parameter) -> Table:
        """Entities by a filter; `meta["screener"]` counts the excluded ones by reason."""
        return self.table("/public/screener", None, filter=filter, rank_by=rank_by, as_of=as_of, **filters)

    def companies(self, *, as_of: Moment = None, **filters: Parameter) -> Table:
        """Companies with multiples and scores."""
        return self.table("/public/companies", None, as_of=as_of, **filters)

    def company(self, company: str, *, as_of: Moment = None, **filters: Parameter) -> Table:
        """Statements of a company, by its ticker, CIK, LEI or identifier."""
        return self.table(_STATEMENTS, {"idOrLookup": company}, as_of=as_of, **filters)

    def calendar(self, *, as_of: Moment = None, **filters: Parameter) -> Table:
        """Releases of the economic calendar."""
        return self.table("/economic-calendar", None, as_of=as_of, **filters)

    def provenance(self, observation_id: str, *, as_of: Moment = None) -> Item:
        """The chain from the publisher's file to an observation."""
        return self.item("/provenance/observations/{observationId}", {"observationId": observation_id}, as_of=as_of)


class Bulk:
    """
    Whole lists as Arrow, up to a million rows per request, of the routes with a bulk form. The column `asOf` and the schema's metadata have the applied
    cutoff: without a requested one, the time of the snapshot.
    """

    def __init__(self, client: Asof) -> None:
        self._client = client

    def table(self, path: str, places: Optional[Mapping[str, str]] = None, /, **parameters: Parameter) -> "pyarrow.Table":
        import pyarrow as pa

        transport = self._client._transport
        # The bulk form has only rows: the envelope of a page has the reasons for missing ones.
        _warned(_page_meta(transport.json(path, {**_without_columns(path, parameters), "limit": 1}, places=places)))
        tables: List[Any] = []
        moments: List[str] = []
        cursor = _first_cursor(parameters)
        while True:
            query = {"limit": _BULK_ROWS, **parameters, "format": "arrow", "cursor": cursor}
            answer = transport.get(path, query, places=places)
            moments.append(answer.headers.get("x-as-of", ""))
            if moments[-1] == "" or moments[-1] != moments[0]:
                raise _unfit("a part does not say its as-of, or another one")
            try:
                tables.append(pa.ipc.open_stream(io.BytesIO(answer.content)).read_all())
            except pa.ArrowInvalid:
                raise _unfit("a part is no whole Arrow stream") from None
            following = answer.headers.get("x-next-cursor")
            if following is None:
                break
            if following == cursor:
                raise _unfit("a part follows itself")
            cursor = following
        whole = pa.concat_tables(tables)
        as_of = pa.array([instant(moments[0])] * whole.num_rows, pa.timestamp("us", "UTC"))
        return whole.append_column(AS_OF, as_of).replace_schema_metadata({**(whole.schema.metadata or {}), "asof.as_of": moments[0]})

    def series(self, indicator: str, *, as_of: Moment = None, **filters: Parameter) -> "pyarrow.Table":
        return self.table("/observations", None, indicator_id=indicator, as_of=as_of, **filters)

    def vintages(self, indicator: str, *, as_of: Moment = None, **filters: Parameter) -> "pyarrow.Table":
        return self.table("/observations", None, indicator_id=indicator, vintage="all", as_of=as_of, **filters)

    def first_prints(self, indicator: str, *, as_of: Moment = None, **filters: Parameter) -> "pyarrow.Table":
        return self.table("/observations", None, indicator_id=indicator, vintage="first", as_of=as_of, **filters)

    def screen(
        self, filter: Optional[str] = None, *, rank_by: Optional[str] = None, as_of: Moment = None, **filters: Parameter
    ) -> "pyarrow.Table":
        return self.table("/public/screener", None, filter=filter, rank_by=rank_by, as_of=as_of, **filters)

    def company(self, company: str, *, as_of: Moment = None, **filters: Parameter) -> "pyarrow.Table":
        return self.table(_STATEMENTS, {"idOrLookup": company}, as_of=as_of, **filters)


def _first_cursor(parameters: Mapping[str, Parameter]) -> Optional[str]:
    """The start of a walk: the beginning, or the given cursor. The client chooses the form of an answer itself."""
    if "format" in parameters:
        raise TypeError("The form of an answer is not a parameter here: a Table is read as JSON, bulk as Arrow.")
    cursor = parameters.get("cursor")
    return None if cursor is None else str(cursor)


def _without_columns(path: str, parameters: Mapping[str, Parameter]) -> Dict[str, Parameter]:
    """`columns` of a bulk answer is not a parameter of its pages; that of a screen is."""
    return {name: value for name, value in parameters.items() if name != "columns" or path == "/public/screener"}


def _page_meta(page: Mapping[str, Any]) -> Mapping[str, Any]:
    meta = page.get("meta")
    if not isinstance(meta, dict) or "pagination" not in meta or not isinstance(page.get("data"), list):
        raise Unreadable("The route answers no list.", code="unreadable", status=200)
    return meta


def _check_as_of(parameters: Mapping[str, Parameter], found: Optional[str], first: Optional[str]) -> None:
    is_asked = parameters.get("as_of") is not None or parameters.get("asOf") is not None
    if (is_asked and found is None) or found != first:
        raise _unfit("a page is not as of the moment that was asked for, or of another than the first")


def _warned(meta: Mapping[str, Any]) -> Tuple[Hint, ...]:
    hints = tuple(Hint(one["parameter"], one["message"], one.get("nearest")) for one in meta.get("hints", ()))
    for hint in hints:
        warnings.warn(hint.message, AsofWarning, stacklevel=4)
    if meta.get("history_limited") is True and not hints:
        warnings.warn("The key sees only the last 24 months.", AsofWarning, stacklevel=4)
    return hints


def _unfit(what: str) -> Unreadable:
    return Unreadable(f"The list cannot be read whole: {what}.", code="unreadable", status=200)


def _triangle(found: Sequence[Table]) -> Table:
    names = [f"print{number}" for number in range(1, len(found) + 1)]
    rows: Dict[Tuple[Any, ...], Dict[str, Any]] = {}
    newest: Dict[Tuple[Any, ...], datetime] = {}
    for name, table in zip(names, found):
        seen = set()
        for row in table:
            key = (*(row[part] for part in _SERIES), row["period"], row["periodEnd"])
            if key in seen:
                raise ValueError("Several series have the same period: name their entity or source_id.")
            seen.add(key)
            made = rows.setdefault(key, {**{part: row[part] for part in _TRIANGLE}, **dict.fromkeys(names)})
            if made["unit"] != row["unit"]:
                raise ValueError(f"Prints of {row['period']} are in several units: ask for vintages.")
            if name != names[0] and not (key in newest and newest[key] < row["observedAt"]):
                raise _unfit("a print is there without the one before it; a new snapshot may have come between them")
            newest[key] = row["observedAt"]
            made[name] = row["actual"]
    first = found[0]
    if any(table.as_of != first.as_of for table in found):
        raise _unfit("prints are as of several moments")
    return Table(
        rows=tuple(rows.values()),
        as_of=first.as_of,
        history_limited=first.history_limited,
        hints=first.hints,
        meta=first.meta,
        request_ids=tuple(one for table in found for one in table.request_ids),
        fields={**{name: first.fields[name] for name in _TRIANGLE}, **dict.fromkeys(names, "number")},
    )
