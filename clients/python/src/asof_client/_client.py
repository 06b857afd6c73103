"""The requests: one record, a whole list, a bulk answer. Parameters have the service's names and go to the service, which refuses unknown ones."""

from __future__ import annotations

import io
import warnings
from datetime import date, datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Tuple, Type, TypeVar, Union

from ._errors import AsofWarning, Unreadable
from ._results import AS_OF, VALUE, Hint, Item, Row, Table, fields_of, instant, typed
from ._transport import Parameter, Transport

if TYPE_CHECKING:
    import pyarrow

#: A day.
Day = Union[str, date]
#: A day (its end), or an instant with its offset.
Moment = Union[str, date, datetime]
#: One name, or several.
Texts = Union[str, Iterable[str]]

_BULK_ROWS = 1_000_000
#: A panel is one answer, without pages.
_WHOLE = ("/panels", "/public/panels")
Self = TypeVar("Self", bound="Client")


class Client:
    """Requests for any route."""

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

    def __enter__(self: Self) -> Self:
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
                raise unfit("more rows are said to follow, without a cursor to them")
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


class Bulk:
    """
    Whole lists as Arrow of the routes with a bulk form. The column `asOf` (of a panel, that of each row) and the schema's metadata have the applied
    cutoff: without a requested one, the time of the snapshot.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    def table(self, path: str, places: Optional[Mapping[str, str]] = None, /, **parameters: Parameter) -> "pyarrow.Table":
        _warned(_page_meta(self.page(path, places, parameters)))
        return self.rows(path, places, parameters)

    def page(self, path: str, places: Optional[Mapping[str, str]], parameters: Mapping[str, Parameter]) -> Mapping[str, Any]:
        """The bulk form has only rows: the envelope of a page has the reasons for missing ones."""
        query = {**_without_columns(path, parameters), "limit": 1}
        page = self._client._transport.json(path, query, places=places)
        _page_meta(page)
        return page

    def rows(self, path: str, places: Optional[Mapping[str, str]], parameters: Mapping[str, Parameter]) -> "pyarrow.Table":
        import pyarrow as pa

        tables: List[Any] = []
        moments: List[str] = []
        cursor = _first_cursor(parameters)
        size: Dict[str, Parameter] = {} if path in _WHOLE else {"limit": _BULK_ROWS}
        while True:
            query = {**size, **parameters, "format": "arrow", "cursor": cursor}
            answer = self._client._transport.get(path, query, places=places)
            moments.append(answer.headers.get("x-as-of", ""))
            if moments[-1] == "" or moments[-1] != moments[0]:
                raise unfit("a part does not say its as-of, or another one")
            try:
                tables.append(pa.ipc.open_stream(io.BytesIO(answer.content)).read_all())
            except pa.ArrowInvalid:
                raise unfit("a part is no whole Arrow stream") from None
            following = answer.headers.get("x-next-cursor")
            if following is None:
                break
            if following == cursor:
                raise unfit("a part follows itself")
            cursor = following
        whole = _with_value(pa.concat_tables(tables, promote_options="default"))
        if AS_OF not in whole.column_names:
            whole = whole.append_column(AS_OF, pa.array([instant(moments[0])] * whole.num_rows, pa.timestamp("us", "UTC")))
        return whole.replace_schema_metadata({**(whole.schema.metadata or {}), "asof.as_of": moments[0]})


def _with_value(rows: "pyarrow.Table") -> "pyarrow.Table":
    """`value` beside `actual`, as in panels."""
    names = rows.column_names
    return rows.add_column(names.index("actual") + 1, VALUE, rows["actual"]) if "actual" in names and VALUE not in names else rows


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
        raise unfit("a page is not as of the moment that was asked for, or of another than the first")


def hints_in(meta: Mapping[str, Any]) -> Tuple[Hint, ...]:
    return tuple(Hint(one["parameter"], one["message"], one.get("nearest")) for one in meta.get("hints", ()))


def _warned(meta: Mapping[str, Any]) -> Tuple[Hint, ...]:
    hints = hints_in(meta)
    for hint in hints:
        warnings.warn(hint.message, AsofWarning, stacklevel=4)
    if meta.get("history_limited") is True and not hints:
        warnings.warn("The key sees only the last 24 months.", AsofWarning, stacklevel=4)
    return hints


def unfit(what: str) -> Unreadable:
    return Unreadable(f"The list cannot be read whole: {what}.", code="unreadable", status=200)
