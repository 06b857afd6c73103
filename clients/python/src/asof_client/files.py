"""The published files without a server: the questions by name of `catalog.sql`, as frames. Needs the extra `files`."""

from __future__ import annotations

import os
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Mapping, Optional, Sequence, Union

if TYPE_CHECKING:
    import duckdb

Frames = Literal["pandas", "polars"]
Day = Union[str, date]
#: A day means its end, UTC. A later moment than now means now.
Moment = Union[str, date, datetime]
Every = Literal["day", "business_day", "week", "month_end", "quarter_end"]


def open_files(path: Union[str, "os.PathLike[str]"], frames: Frames = "pandas") -> "Files":
    """
    Opens the current snapshot of a data folder.
    @param path: the folder, or the `catalog.sql` in it
    """
    import duckdb

    catalog = Path(path)
    if catalog.is_dir():
        catalog = catalog / "catalog.sql"
    connection = duckdb.connect()
    connection.execute(catalog.read_text(encoding="utf-8"))
    return Files(connection, frames)


class Files:
    """
    One snapshot. The columns have the names of the service's rows in snake_case. Open the folder again to see a later snapshot.
    `connection` has a view of each table, for SQL of your own.
    """

    def __init__(self, connection: "duckdb.DuckDBPyConnection", frames: Frames = "pandas") -> None:
        self.connection = connection
        self.frames: Frames = frames

    def __enter__(self) -> "Files":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    def query(self, sql: str, values: Optional[Mapping[str, Any]] = None) -> Any:
        """The rows of a statement as a frame. Values are bound by name: `$day` is `values["day"]`."""
        found = self.connection.sql(sql, params=dict(values or {})).to_arrow_table()
        if self.frames == "pandas":
            return found.to_pandas(date_as_object=False)
        import polars as pl

        return pl.from_arrow(found)

    def as_of(self, moment: Moment, indicator: Optional[str] = None, country: Optional[str] = None) -> Any:
        """
        The values known at a moment, with the verdicts of then: the rows of `/observations?as_of=`.
        @param indicator: a storage or canonical id. Without one, all series: that may be millions of rows
        @param country: an ISO code
        """
        return self.query(
            """
            from as_of($moment)
            where ($indicator is null or $indicator in (indicator_id, canonical_id)) and ($country is null or country = upper($country))
            order by indicator_id, source_id, period_end""",
            {"moment": _text(moment), "indicator": indicator, "country": country},
        )

    def panel(
        self,
        factors: Union[str, Sequence[str]],
        start: Day,
        end: Day,
        every: Every = "month_end",
        *,
        countries: Optional[Sequence[str]] = None,
        entities: Optional[Sequence[str]] = None,
        source: Optional[str] = None,
        grade: int = 2,
        first_print: bool = False,
        eligible_only: bool = False,
    ) -> Any:
        """
        What was known of factors on each date: the rows of `/panels`.
        @param countries: ISO codes; all countries and currency areas without countries and entities
        @param entities: entity ids, which may have annual series too
        @param grade: the worst grade of a knowledge time, 1 to 3
        """
        return self.query(
            """
            from panel(
                $factors::varchar[], $start, $end, $every,
                countries := $countries::varchar[], entities := $entities::varchar[], source := $source,
                grade := $grade, first_print := $first_print, eligible_only := $eligible_only
            )""",
            {
                "factors": [factors] if isinstance(factors, str) else list(factors),
                "start": _text(start),
                "end": _text(end),
                "every": every,
                "countries": _list(countries),
                "entities": _list(entities),
                "source": source,
                "grade": grade,
                "first_print": first_print,
                "eligible_only": eligible_only,
            },
        )

    def first_prints(self, indicator: str) -> Any:
        """
        The first print of each period: the rows of `/observations?vintage=first`.
        @param indicator: a storage or canonical id, slug or alias
        """
        return self.query("from first_prints($indicator) order by indicator_id, source_id, period_end", {"indicator": indicator})

    def month_ends(self, start: Day, end: Day) -> Any:
        """The last days of whole months."""
        return self.query("from month_ends($start, $end)", {"start": _text(start), "end": _text(end)})

    def price_and_fundamentals(self, ticker: str, day: Moment) -> Any:
        """The newest close of a company and the figures of its filings, as known on a day: one row a figure."""
        return self.query("from price_and_fundamentals($ticker, $day)", {"ticker": ticker, "day": _text(day)})


def _text(moment: Moment) -> str:
    if isinstance(moment, datetime) and moment.tzinfo is None:
        raise ValueError(f"{moment!r} has no time zone. Send datetime(..., tzinfo=timezone.utc).")
    return moment if isinstance(moment, str) else moment.isoformat()


def _list(texts: Optional[Sequence[str]]) -> Optional[Sequence[str]]:
    return None if texts is None else list(texts)
