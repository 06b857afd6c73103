"""Prints of each period side by side, as rows."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, List, Mapping, Sequence, Tuple

from ._client import Client, unfit
from ._results import Table
from ._transport import Parameter

#: Fields of a row about its series.
_SERIES = ("indicatorId", "country", "instrumentId", "sourceId")
_TRIANGLE = (*_SERIES, "unit", "period", "periodEnd")


def triangle_table(client: Client, parameters: Mapping[str, Parameter], prints: int) -> Table:
    if prints < 1:
        raise ValueError("prints is the number of prints, 1 or more.")
    found: List[Table] = []
    for number in range(1, prints + 1):
        found.append(client.table("/observations", None, **{**parameters, "release_number": number}))
    return _triangle(found)


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
                raise unfit("a print is there without the one before it; a new snapshot may have come between them")
            newest[key] = row["observedAt"]
            made[name] = row["actual"]
    first = found[0]
    if any(table.as_of != first.as_of for table in found):
        raise unfit("prints are as of several moments")
    return Table(
        rows=tuple(rows.values()),
        as_of=first.as_of,
        history_limited=first.history_limited,
        hints=first.hints,
        meta=first.meta,
        request_ids=tuple(one for table in found for one in table.request_ids),
        fields={**{name: first.fields[name] for name in _TRIANGLE}, **dict.fromkeys(names, "number")},
    )
