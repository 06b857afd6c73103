"""Answers as pandas objects: panels, series, triangles and screens. They are read from the service's Arrow form."""

from __future__ import annotations

import warnings
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Mapping, Optional, Sequence, Tuple

from ._client import Client, hints_in
from ._errors import AsofWarning, NotFound
from ._results import AS_OF, instant
from ._transport import Parameter, sent

if TYPE_CHECKING:
    import pandas

Parameters = Mapping[str, Parameter]

#: Parameters that name something: if there are no rows, a hint about one says that the name is unknown, or that its values are withheld.
_NAMES = ("indicator_id", "factor", "entity", "country", "source_id", "provider_id")
_SERIES = ("indicatorId", "country", "instrumentId", "sourceId", "unit", "frequency", "period", "periodEnd", "actual", "observedAt")
#: The periods of pandas. A week is an ISO week, Monday to Sunday, as in the service's names.
_FREQUENCIES = {"daily": "D", "weekly": "W-SUN", "monthly": "M", "quarterly": "Q", "annual": "Y", "event": "D"}
_QDF = {"date": "real_date", "cid": "cid", "factor": "xcat", "value": "value", "grade": "grading", "eopLag": "eop_lag", "mopLag": "mop_lag"}


def panel_frame(client: Client, parameters: Parameters, *, wide: bool, qdf: bool) -> "pandas.DataFrame":
    every = parameters["every"]
    if every == "change" and (qdf or wide):
        raise ValueError("A day can have several changes, so every='change' has rows only: add wide=False.")
    of_entities = parameters["entity"] is not None
    asked = {
        **parameters,
        # The service leaves out dates after today.
        "to": parameters["to"] or datetime.now(timezone.utc).date(),
        "every": every or ("business_day" if qdf else None),
    }
    needed = ["date", "entityId", "country", "factor", "value", "unit"]
    columns = [*needed, "grade", "eopLag", "mopLag"] if qdf else [*needed, "freshnessStatus"] if wide else None
    frame = _rows(client, "/panels", asked, columns)
    made = _quantamental(frame, of_entities) if qdf else _wide(frame, of_entities, _listed(parameters["factor"])) if wide else frame
    made.attrs = {"units": _units(frame, "entityId" if of_entities else "country"), "as_of": frame.attrs["as_of"]}
    if wide and not qdf:
        _warn_of_stale(frame)
    return made


def _units(frame: "pandas.DataFrame", column: str) -> "Dict[str, Any]":
    """The unit of each factor. If it has several, the unit of each column, with a warning."""
    units: Dict[str, Any] = {}
    for factor, rows in frame.groupby("factor", observed=True):
        by_unit = {str(unit): sorted(set(part)) for unit, part in rows.groupby("unit", observed=True)[column]}
        if len(by_unit) < 2:
            units[str(factor)] = next(iter(by_unit), None)
            continue
        units[str(factor)] = {name: unit for unit, names in by_unit.items() for name in names}
        shown = "; ".join(f"{unit} ({', '.join(names[:5])}{', …' if len(names) > 5 else ''})" for unit, names in by_unit.items())
        warnings.warn(f"{factor} has several units, so do not compare its columns: {shown}. source_id keeps one source.", AsofWarning, stacklevel=4)
    return units


def _warn_of_stale(frame: "pandas.DataFrame") -> None:
    stale = int((frame["freshnessStatus"] == "stale").sum())
    if stale > 0:
        message = f"{stale} of {len(frame)} values are stale: no newer one had come when it was due. eligible_only=True leaves them out."
        warnings.warn(message, AsofWarning, stacklevel=4)


def _wide(frame: "pandas.DataFrame", of_entities: bool, factors: Sequence[str]) -> "pandas.DataFrame":
    name, column = ("entity", "entityId") if of_entities else ("country", "country")
    made = frame.rename(columns={column: name}).pivot(index="date", columns=["factor", name], values="value").sort_index(axis="index")
    # The factors in the order of the question.
    places = {factor: place for place, factor in enumerate(factors)}
    return made[sorted(made.columns, key=lambda one: (places.get(one[0], len(places)), one[0], one[1]))]


def _quantamental(frame: "pandas.DataFrame", of_entities: bool) -> "pandas.DataFrame":
    # A ticker of JPMaQS is cid_xcat, so a cid has no underscore.
    cid = frame["entityId"].str.replace("_", "-") if of_entities else frame["country"]
    made = frame.assign(cid=cid, date=frame["date"].astype("datetime64[ns]"))[list(_QDF)].rename(columns=_QDF)
    return made.sort_values(["cid", "xcat", "real_date"], ignore_index=True)


def series_of(client: Client, parameters: Parameters) -> "pandas.Series":
    frame, attributes = _one_series(client, parameters)
    values = frame["actual"].astype("float64").set_axis(_periods(frame)).rename(attributes["indicator"])
    values.attrs.update(attributes)
    return values


def triangle_of(client: Client, parameters: Parameters, *, by: Literal["date", "release"]) -> "pandas.DataFrame":
    if by not in ("date", "release"):
        raise ValueError("by is 'date' or 'release'.")
    frame, attributes = _one_series(client, {**parameters, "include_backfill": None})
    if by == "release" and parameters.get("include_backfill") is not True:
        is_backfill = frame["isBackfill"].astype("bool")
        left_out = frame["periodEnd"][is_backfill].nunique()
        if left_out > 0:
            reason = "because they have no first print: they were loaded late, or with the first vintage of their series"
            warnings.warn(f"{left_out} periods are left out, {reason}. To see them, add include_backfill=True.", AsofWarning, stacklevel=3)
        frame = frame[~is_backfill]
    frame = frame.assign(at=_periods(frame)).sort_values(["periodEnd", "observedAt"])
    if by == "date":
        # Places are carried forward and not values, because a withdrawn value is a vintage, too.
        places = frame.assign(place=range(len(frame))).pivot(index="at", columns="observedAt", values="place").ffill(axis="columns")
        made = places.apply(lambda column: column.map(frame["actual"].reset_index(drop=True)))
    else:
        made = frame.assign(release=frame.groupby("at").cumcount() + 1).pivot(index="at", columns="release", values="actual")
    made = made.astype("float64").rename_axis(index="period", columns="knownFrom" if by == "date" else "release")
    made.attrs.update(attributes)
    return made


def screen_frame(client: Client, parameters: Parameters) -> "pandas.DataFrame":
    pd = pandas_here()
    table = client.table("/public/screener", None, **parameters)
    rows: List[Dict[str, Any]] = []
    for row in table:
        values = row["values"]
        plain = {name: one for name, one in row.items() if name != "values"}
        rows.append({**plain, **{field: None if one is None else one["value"] for field, one in values.items()}})
    frame = pd.DataFrame(rows, columns=None if rows else ["rank", "entityId", "entityType", "name", "country"]).set_index("entityId")
    frame.attrs.update({"as_of": None if table.as_of is None else table.as_of.isoformat(), "screener": dict(table.meta["screener"])})
    return frame


def _one_series(client: Client, parameters: Parameters) -> "Tuple[pandas.DataFrame, Dict[str, Any]]":
    """The rows of one series, sorted by period and knowledge time, and its attributes."""
    frame = _rows(client, "/observations", parameters, [*_SERIES, "isBackfill"])
    found = sorted(set(frame["indicatorId"]))
    if len(found) > 1:
        shown = ", ".join(found[:5]) + (", …" if len(found) > 5 else "")
        raise ValueError(f"{parameters['indicator_id']} has {len(found)} series here: {shown}. Name one, or its country or entity; for several, use panel().")
    sources = sorted(set(frame["sourceId"]))
    if len(sources) > 1:
        chosen = _preferred_source(client, str(found[0]), sources, frame.attrs["as_of"])
        others = ", ".join(one for one in sources if one != chosen)
        warnings.warn(f"{found[0]} is from {chosen}. Left out: {others}. Choose with source_id.", AsofWarning, stacklevel=4)
        frame = frame[frame["sourceId"] == chosen]
    first = None if frame.empty else frame.iloc[0]
    attributes = {
        "indicator": str(parameters["indicator_id"]) if first is None else first["indicatorId"],
        "unit": None if first is None else first["unit"],
        "source": None if first is None else first["sourceId"],
        "as_of": frame.attrs["as_of"],
    }
    return frame.reset_index(drop=True), attributes


def _preferred_source(client: Client, indicator: str, sources: Sequence[str], as_of: str) -> str:
    """The source that a panel shows at that moment."""
    series = client.table("/indicators/series", None, indicator_id=indicator).rows[0]
    moment = instant(as_of)
    shown = client.table(
        "/panels",
        None,
        factor=series["canonicalIndicatorId"],
        entity=series["entityId"],
        every="day",
        at=f"{moment:%H:%M} UTC",
        grade=3,
        **{"from": moment.date(), "to": moment.date()},
    )
    chosen = str(shown.rows[0]["sourceId"]) if len(shown) > 0 else ""
    if chosen not in sources:
        raise ValueError(f"{indicator} has several sources here: {', '.join(sources)}. Choose one with source_id.")
    return chosen


def _periods(frame: "pandas.DataFrame") -> "pandas.PeriodIndex":
    pd = pandas_here()
    ends = pd.DatetimeIndex(frame["periodEnd"])
    frequency = _FREQUENCIES.get("daily" if frame.empty else frame["frequency"].iloc[0], "D")
    periods = pd.PeriodIndex(ends, freq=frequency, name="period")
    # Two periods that end in one week or quarter stay apart as days.
    is_apart = len(set(zip(periods, ends))) == len(set(periods))
    return periods if is_apart else pd.PeriodIndex(ends, freq="D", name="period")


def _rows(client: Client, path: str, parameters: Parameters, columns: Optional[Sequence[str]]) -> "pandas.DataFrame":
    """Rows of the bulk form; days without a zone, texts as objects. An unknown name is a NotFound."""
    pandas_here()
    page = client.bulk.page(path, None, parameters)
    for hint in hints_in(page["meta"]):
        if hint.parameter in _NAMES and not page["data"]:
            details = {"parameter": hint.parameter, **({} if hint.nearest is None else {"nearest": hint.nearest})}
            raise NotFound(hint.message, code="not_found", status=200, details=details)
        warnings.warn(hint.message, AsofWarning, stacklevel=5)
    table = client.bulk.rows(path, None, {**parameters, "columns": columns})
    frame = table.to_pandas(date_as_object=False)
    texts = {name: "object" for name, kind in frame.dtypes.items() if kind == "category"}
    frame = frame.astype(texts)[list(columns or frame.columns)]
    frame.attrs = {"as_of": table.schema.metadata[b"asof.as_of"].decode()}
    return frame


def _listed(value: Parameter) -> List[str]:
    return sent("factor", value).split(",")


def pandas_here() -> Any:
    """pandas, if it and Arrow are installed."""
    try:
        import pandas
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise ImportError(f"This needs {error.name}. Install the client with its extra: pip install './clients/python[pandas]'.") from None
    return pandas
