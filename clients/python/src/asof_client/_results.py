"""Answers of the service: rows with their as-of, typed by the description, and as frames."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional, Tuple

from ._errors import Unreadable
from ._fields import FIELDS, Fields

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Row = Mapping[str, Any]

#: The column of frames with the applied knowledge cutoff; null without a requested one.
AS_OF = "asOf"
#: The name of `actual` in panels: rows with `actual` have both.
VALUE = "value"


@dataclass(frozen=True)
class Hint:
    """Reason why rows are missing from an answer."""

    parameter: str
    message: str
    nearest: Optional[str]


@dataclass(frozen=True)
class Item:
    """One record, unchanged. `as_of` is the requested one, because answers with one record do not report it."""

    data: Mapping[str, Any]
    as_of: Optional[str]
    meta: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.data[name]


@dataclass(frozen=True)
class Table:
    """
    A whole list from one snapshot. Fields have the service's names; days are `date`, instants `datetime` in UTC, nulls None.
    `as_of` is the applied knowledge cutoff, None without a requested one.
    """

    rows: Tuple[Row, ...]
    as_of: Optional[datetime]
    history_limited: bool
    hints: Tuple[Hint, ...]
    #: `meta` of the first page.
    meta: Mapping[str, Any]
    request_ids: Tuple[str, ...]
    fields: Fields

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"Table({len(self.rows)} rows, as_of={'newest known' if self.as_of is None else self.as_of.isoformat()})"

    def to_pandas(self) -> "pandas.DataFrame":
        """Nullable dtypes: a null is `pandas.NA` (`NaT`), never a number. `attrs` has the as-of, too."""
        import pandas as pd

        frame = pd.DataFrame({name: _pandas(pd, kind, values) for name, kind, values in self._columns()})
        frame.attrs["as_of"] = None if self.as_of is None else self.as_of.isoformat()
        return frame

    def to_polars(self) -> "polars.DataFrame":
        """Nested fields are JSON text, as in the service's own Arrow form of statements."""
        import polars as pl

        types: Dict[str, Any] = {
            "string": pl.String,
            "number": pl.Float64,
            "integer": pl.Int64,
            "boolean": pl.Boolean,
            "date": pl.Date,
            "date-time": pl.Datetime("us", "UTC"),
            "strings": pl.List(pl.String),
            "json": pl.String,
        }
        return pl.DataFrame([pl.Series(name, _flat(kind, values), dtype=types[kind]) for name, kind, values in self._columns()])

    def to_arrow(self) -> "pyarrow.Table":
        """Nested fields are JSON text. `bulk` is faster for many rows."""
        import pyarrow as pa

        types = {
            "string": pa.string(),
            "number": pa.float64(),
            "integer": pa.int64(),
            "boolean": pa.bool_(),
            "date": pa.date32(),
            "date-time": pa.timestamp("us", "UTC"),
            "strings": pa.list_(pa.string()),
            "json": pa.string(),
        }
        columns = self._columns()
        return pa.table(
            [pa.array(_flat(kind, values), types[kind]) for _, kind, values in columns],
            schema=pa.schema([(name, types[kind]) for name, kind, _ in columns]),
        )

    def _columns(self) -> List[Tuple[str, str, List[Any]]]:
        """The fields of the description, then new ones of a later service, then the as-of."""
        later = {name: "json" for row in self.rows for name in row if name not in self.fields}
        columns = [(name, kind, [row.get(name) for row in self.rows]) for name, kind in {**self.fields, **later}.items()]
        return [*columns, (AS_OF, "date-time", [self.as_of] * len(self.rows))]


def fields_of(path: str) -> Fields:
    fields = FIELDS.get(path, {})
    if "actual" not in fields or VALUE in fields:
        return fields
    return {name: kind for each, kind in fields.items() for name in ([each, VALUE] if each == "actual" else [each])}


def typed(row: Mapping[str, Any], fields: Fields) -> Row:
    """A row with days and instants as Python types, and `value` beside `actual`."""
    try:
        read = {name: value if value is None else _READ.get(fields.get(name, ""), _as_is)(value) for name, value in row.items()}
    except (AttributeError, TypeError, ValueError):
        raise Unreadable("A row has a day, an instant or a number that is none.", code="unreadable", status=200) from None
    return {**read, VALUE: read["actual"]} if "actual" in read and VALUE not in read else read


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _as_is(value: Any) -> Any:
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError
    return float(value)


_READ: Mapping[str, Callable[[Any], Any]] = {"date": date.fromisoformat, "date-time": instant, "number": _number}

_PANDAS = {
    "string": "string",
    "number": "Float64",
    "integer": "Int64",
    "boolean": "boolean",
    "date": "datetime64[s]",
    "date-time": "datetime64[us, UTC]",
}


def _pandas(pd: Any, kind: str, values: List[Any]) -> Any:
    return pd.Series(values, dtype=_PANDAS.get(kind, "object"))


def _flat(kind: str, values: List[Any]) -> List[Any]:
    return [None if value is None else json.dumps(value) for value in values] if kind == "json" else values
