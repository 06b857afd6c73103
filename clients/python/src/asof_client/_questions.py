# Made by tools/generate-clients out of the description: the questions of the client, with typed keyword arguments.
from __future__ import annotations

from typing import TYPE_CHECKING, Dict, Literal, Optional

from ._client import Client, Day, Moment, Texts
from ._frames import panel_frame, screen_frame, series_of, triangle_of
from ._plot import plot_of
from ._results import Table
from ._transport import Parameter
from ._triangle import triangle_table

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes


class Questions(Client):
    def panel(
        self,
        factors: Texts,
        countries: Optional[Texts] = None,
        *,
        from_: Day,
        to: Optional[Day] = None,
        entities: Optional[Texts] = None,
        group: Optional[Literal["g7", "g20", "eu", "ea", "oecd"]] = None,
        every: Optional[Literal["day", "business_day", "week", "month_end", "quarter_end", "change"]] = None,
        at: Optional[str] = None,
        eligible_only: Optional[bool] = None,
        source_id: Optional[str] = None,
        vintage: Optional[Literal["known", "first"]] = None,
        grade: Optional[int] = None,
        wide: bool = True,
        qdf: bool = False,
    ) -> "pandas.DataFrame":
        """
        What was known of factors, for countries or entities, on each date: dates × (factor, country), or with `entities` × (factor, entity). Without `to`, it ends today. A date without any known value has no row. Stale values, names without a series and mixed units give a warning. `attrs` has as_of and the units: of each factor, or if it has several, of each column.

        factors: Canonical or derived indicators, up to 20 separated by commas.
        countries: Countries by code, slug or name, up to 250 separated by commas; EA is the euro area. Default: all. Annual series take no part in comparisons between countries, so annual series have rows only if you use entity.
        from_: First date.
        to: Last date. Dates after today are left out.
        entities: Entities of any kind, up to 250 separated by commas, instead of countries.
        group: The countries that belonged to a group on each date, instead of countries.
        every: Dates of the panel: each day, Monday to Friday, each Friday, the last day of each month or quarter, or each change of a row.
        at: Hour of knowledge on each date, inclusive, with its time zone. Default: the end of the UTC day.
        eligible_only: Leave out rows that are not scoringEligible. Default: false.
        source_id: Data set of the numbers.
        vintage: known: the newest vintage. first: the first print of the newest period.
        grade: The worst grade of the rows to include, 1 to 3, as in the field grade. 3 adds assumed vintages (values dated before the first download, for a series whose publisher keeps no archive) and pseudo vintages (such as futures prices).
        wide: False: a row for each value, with all fields of the service.
        qdf: True: rows in the long format of J.P. Morgan's JPMaQS, by default for each business day: real_date, cid, xcat, value, grading, eop_lag, mop_lag.
        """
        parameters: Dict[str, Parameter] = {
            "factor": factors,
            "country": countries,
            "entity": entities,
            "group": group,
            "from": from_,
            "to": to,
            "every": every,
            "at": at,
            "eligible_only": eligible_only,
            "source_id": source_id,
            "vintage": vintage,
            "grade": grade,
        }
        return panel_frame(self, parameters, wide=wide, qdf=qdf)

    def series(
        self,
        indicator: Texts,
        *,
        as_of: Optional[Moment] = None,
        country: Optional[Texts] = None,
        entity: Optional[Texts] = None,
        source_id: Optional[str] = None,
        provider_id: Optional[str] = None,
        frequency: Optional[Literal["daily", "weekly", "monthly", "quarterly", "annual", "event", "static"]] = None,
        numeric_only: Optional[bool] = None,
        observed_from: Optional[Moment] = None,
        observed_to: Optional[Moment] = None,
        period: Optional[str] = None,
        start_date: Optional[Day] = None,
        end_date: Optional[Day] = None,
        include_assumed: Optional[bool] = None,
    ) -> "pandas.Series":
        """
        The value of each period known at `as_of` (without it, the newest), of one series. Of several sources you get the preferred one, with a warning that names the others. `attrs` has indicator, unit, source and as_of.

        indicator: Storage or canonical indicator ids, up to 50 separated by commas.
        as_of: Knowledge cutoff: return the data as known then. A day means its end; the future means now.
        country: Countries and currency areas by code, slug or name (GB, GBR, UK, united-kingdom), up to 50 separated by commas. For regions, use entity.
        entity: Entities by identifier, slug, ticker, ISO code, contract code or name, up to 50 separated by commas.
        source_id: Data set of the numbers.
        provider_id: Publisher of the numbers, by name or slug.
        frequency: Frequency of the series.
        numeric_only: Leave out withdrawn and missing values.
        observed_from: Knowledge time, lower bound, inclusive.
        observed_to: Knowledge time, upper bound, inclusive.
        period: Periods that end inside a calendar year, month or quarter: YYYY, YYYY-MM or YYYY-Qn.
        start_date: Periods ending on or after this day.
        end_date: Periods ending on or before this day.
        include_assumed: Add assumed vintages for series whose publisher keeps no archive. asof assumes that each value of the first download became known one release lag after the end of its period. These rows are never eligible, and never first prints.
        """
        parameters: Dict[str, Parameter] = {
            "country": country,
            "entity": entity,
            "indicator_id": indicator,
            "source_id": source_id,
            "provider_id": provider_id,
            "frequency": frequency,
            "numeric_only": numeric_only,
            "as_of": as_of,
            "observed_from": observed_from,
            "observed_to": observed_to,
            "period": period,
            "start_date": start_date,
            "end_date": end_date,
            "include_assumed": include_assumed,
        }
        return series_of(self, parameters)

    def first_prints(
        self,
        indicator: Texts,
        *,
        as_of: Optional[Moment] = None,
        country: Optional[Texts] = None,
        entity: Optional[Texts] = None,
        source_id: Optional[str] = None,
        provider_id: Optional[str] = None,
        frequency: Optional[Literal["daily", "weekly", "monthly", "quarterly", "annual", "event", "static"]] = None,
        numeric_only: Optional[bool] = None,
        observed_from: Optional[Moment] = None,
        observed_to: Optional[Moment] = None,
        period: Optional[str] = None,
        start_date: Optional[Day] = None,
        end_date: Optional[Day] = None,
        include_backfill: Optional[bool] = None,
        include_assumed: Optional[bool] = None,
    ) -> "pandas.Series":
        """
        The first print of each period. Periods without one (loaded late, or with the first vintage of their series) are left out, with a warning; include_backfill=True returns their first vintages.

        indicator: Storage or canonical indicator ids, up to 50 separated by commas.
        as_of: Knowledge cutoff: return the data as known then. A day means its end; the future means now.
        country: Countries and currency areas by code, slug or name (GB, GBR, UK, united-kingdom), up to 50 separated by commas. For regions, use entity.
        entity: Entities by identifier, slug, ticker, ISO code, contract code or name, up to 50 separated by commas.
        source_id: Data set of the numbers.
        provider_id: Publisher of the numbers, by name or slug.
        frequency: Frequency of the series.
        numeric_only: Leave out withdrawn and missing values.
        observed_from: Knowledge time, lower bound, inclusive.
        observed_to: Knowledge time, upper bound, inclusive.
        period: Periods that end inside a calendar year, month or quarter: YYYY, YYYY-MM or YYYY-Qn.
        start_date: Periods ending on or after this day.
        end_date: Periods ending on or before this day.
        include_backfill: Include backfills in vintage=first and release_number: periods that were loaded long after they ended, or with the first vintage of their series.
        include_assumed: Add assumed vintages for series whose publisher keeps no archive. asof assumes that each value of the first download became known one release lag after the end of its period. These rows are never eligible, and never first prints.
        """
        parameters: Dict[str, Parameter] = {
            "country": country,
            "entity": entity,
            "indicator_id": indicator,
            "source_id": source_id,
            "provider_id": provider_id,
            "frequency": frequency,
            "numeric_only": numeric_only,
            "as_of": as_of,
            "observed_from": observed_from,
            "observed_to": observed_to,
            "period": period,
            "start_date": start_date,
            "end_date": end_date,
            "include_backfill": include_backfill,
            "include_assumed": include_assumed,
            "vintage": "first",
        }
        return series_of(self, parameters)

    def vintages(
        self,
        indicator: Texts,
        *,
        as_of: Optional[Moment] = None,
        country: Optional[Texts] = None,
        entity: Optional[Texts] = None,
        source_id: Optional[str] = None,
        provider_id: Optional[str] = None,
        frequency: Optional[Literal["daily", "weekly", "monthly", "quarterly", "annual", "event", "static"]] = None,
        numeric_only: Optional[bool] = None,
        observed_from: Optional[Moment] = None,
        observed_to: Optional[Moment] = None,
        period: Optional[str] = None,
        start_date: Optional[Day] = None,
        end_date: Optional[Day] = None,
        include_backfill: Optional[bool] = None,
        include_assumed: Optional[bool] = None,
        by: Literal["date", "release"] = "date",
    ) -> "pandas.DataFrame":
        """
        The triangle of one series: a row for each period. By date, a column for each moment at which a value became known, with the values known then; by release, the first, second, … print of each period.

        indicator: Storage or canonical indicator ids, up to 50 separated by commas.
        as_of: Knowledge cutoff: return the data as known then. A day means its end; the future means now.
        country: Countries and currency areas by code, slug or name (GB, GBR, UK, united-kingdom), up to 50 separated by commas. For regions, use entity.
        entity: Entities by identifier, slug, ticker, ISO code, contract code or name, up to 50 separated by commas.
        source_id: Data set of the numbers.
        provider_id: Publisher of the numbers, by name or slug.
        frequency: Frequency of the series.
        numeric_only: Leave out withdrawn and missing values.
        observed_from: Knowledge time, lower bound, inclusive.
        observed_to: Knowledge time, upper bound, inclusive.
        period: Periods that end inside a calendar year, month or quarter: YYYY, YYYY-MM or YYYY-Qn.
        start_date: Periods ending on or after this day.
        end_date: Periods ending on or before this day.
        include_backfill: Include backfills in vintage=first and release_number: periods that were loaded long after they ended, or with the first vintage of their series.
        include_assumed: Add assumed vintages for series whose publisher keeps no archive. asof assumes that each value of the first download became known one release lag after the end of its period. These rows are never eligible, and never first prints.
        by: date: a column for each moment of knowledge. release: a column for each print, from 1.
        """
        parameters: Dict[str, Parameter] = {
            "country": country,
            "entity": entity,
            "indicator_id": indicator,
            "source_id": source_id,
            "provider_id": provider_id,
            "frequency": frequency,
            "numeric_only": numeric_only,
            "as_of": as_of,
            "observed_from": observed_from,
            "observed_to": observed_to,
            "period": period,
            "start_date": start_date,
            "end_date": end_date,
            "include_backfill": include_backfill,
            "include_assumed": include_assumed,
            "vintage": "all",
        }
        return triangle_of(self, parameters, by=by)

    def plot(
        self,
        indicator: Texts,
        *,
        as_of: Optional[Moment] = None,
        country: Optional[Texts] = None,
        entity: Optional[Texts] = None,
        source_id: Optional[str] = None,
        provider_id: Optional[str] = None,
        frequency: Optional[Literal["daily", "weekly", "monthly", "quarterly", "annual", "event", "static"]] = None,
        numeric_only: Optional[bool] = None,
        observed_from: Optional[Moment] = None,
        observed_to: Optional[Moment] = None,
        period: Optional[str] = None,
        start_date: Optional[Day] = None,
        end_date: Optional[Day] = None,
        include_assumed: Optional[bool] = None,
        ax: Optional["Axes"] = None,
    ) -> "Axes":
        """
        Draws the vintages of one series, the newest in front, and returns the axes. It needs matplotlib.

        indicator: Storage or canonical indicator ids, up to 50 separated by commas.
        as_of: Knowledge cutoff: return the data as known then. A day means its end; the future means now.
        country: Countries and currency areas by code, slug or name (GB, GBR, UK, united-kingdom), up to 50 separated by commas. For regions, use entity.
        entity: Entities by identifier, slug, ticker, ISO code, contract code or name, up to 50 separated by commas.
        source_id: Data set of the numbers.
        provider_id: Publisher of the numbers, by name or slug.
        frequency: Frequency of the series.
        numeric_only: Leave out withdrawn and missing values.
        observed_from: Knowledge time, lower bound, inclusive.
        observed_to: Knowledge time, upper bound, inclusive.
        period: Periods that end inside a calendar year, month or quarter: YYYY, YYYY-MM or YYYY-Qn.
        start_date: Periods ending on or after this day.
        end_date: Periods ending on or before this day.
        include_assumed: Add assumed vintages for series whose publisher keeps no archive. asof assumes that each value of the first download became known one release lag after the end of its period. These rows are never eligible, and never first prints.
        ax: Axes to draw on.
        """
        parameters: Dict[str, Parameter] = {
            "country": country,
            "entity": entity,
            "indicator_id": indicator,
            "source_id": source_id,
            "provider_id": provider_id,
            "frequency": frequency,
            "numeric_only": numeric_only,
            "as_of": as_of,
            "observed_from": observed_from,
            "observed_to": observed_to,
            "period": period,
            "start_date": start_date,
            "end_date": end_date,
            "include_assumed": include_assumed,
            "vintage": "all",
        }
        return plot_of(self, parameters, ax)

    def series_table(
        self,
        indicator: Texts,
        *,
        as_of: Optional[Moment] = None,
        country: Optional[Texts] = None,
        entity: Optional[Texts] = None,
        source_id: Optional[str] = None,
        provider_id: Optional[str] = None,
        frequency: Optional[Literal["daily", "weekly", "monthly", "quarterly", "annual", "event", "static"]] = None,
        currency: Optional[str] = None,
        type: Optional[Literal["macro"]] = None,
        numeric_only: Optional[bool] = None,
        importance: Optional[Literal["low", "medium", "high"]] = None,
        freshness: Optional[Literal["fresh", "stale", "unknown"]] = None,
        observed_from: Optional[Moment] = None,
        observed_to: Optional[Moment] = None,
        period: Optional[str] = None,
        start_date: Optional[Day] = None,
        end_date: Optional[Day] = None,
        vintage: Optional[Literal["latest", "first", "all"]] = None,
        release_number: Optional[int] = None,
        include_backfill: Optional[bool] = None,
        include_assumed: Optional[bool] = None,
    ) -> Table:
        """
        Rows of observations, without pandas: by default the vintage of each period known at `as_of`.

        indicator: Storage or canonical indicator ids, up to 50 separated by commas.
        as_of: Knowledge cutoff: return the data as known then. A day means its end; the future means now.
        country: Countries and currency areas by code, slug or name (GB, GBR, UK, united-kingdom), up to 50 separated by commas. For regions, use entity.
        entity: Entities by identifier, slug, ticker, ISO code, contract code or name, up to 50 separated by commas.
        source_id: Data set of the numbers.
        provider_id: Publisher of the numbers, by name or slug.
        frequency: Frequency of the series.
        currency: Currency of the values, ISO 4217.
        type: macro leaves out companies, instruments and futures contracts.
        numeric_only: Leave out withdrawn and missing values.
        importance: Importance of the indicator.
        freshness: Freshness of the whole series, now or at as_of. fresh: its newest period is within budgetDays of /ops/liveness. The field freshnessStatus is of the single row.
        observed_from: Knowledge time, lower bound, inclusive.
        observed_to: Knowledge time, upper bound, inclusive.
        period: Periods that end inside a calendar year, month or quarter: YYYY, YYYY-MM or YYYY-Qn.
        start_date: Periods ending on or after this day.
        end_date: Periods ending on or before this day.
        vintage: Vintage of each period. Default: latest. first leaves out backfills: periods that have no first print.
        release_number: The n-th print of each period. Cannot be combined with vintage. Leaves out backfills: periods that have no first print.
        include_backfill: Include backfills in vintage=first and release_number: periods that were loaded long after they ended, or with the first vintage of their series.
        include_assumed: Add assumed vintages for series whose publisher keeps no archive. asof assumes that each value of the first download became known one release lag after the end of its period. These rows are never eligible, and never first prints.
        """
        parameters: Dict[str, Parameter] = {
            "country": country,
            "entity": entity,
            "indicator_id": indicator,
            "source_id": source_id,
            "provider_id": provider_id,
            "frequency": frequency,
            "currency": currency,
            "type": type,
            "numeric_only": numeric_only,
            "importance": importance,
            "freshness": freshness,
            "as_of": as_of,
            "observed_from": observed_from,
            "observed_to": observed_to,
            "period": period,
            "start_date": start_date,
            "end_date": end_date,
            "vintage": vintage,
            "release_number": release_number,
            "include_backfill": include_backfill,
            "include_assumed": include_assumed,
        }
        return self.table("/observations", None, **parameters)

    def revision_triangle(
        self,
        indicator: Texts,
        *,
        prints: int,
        as_of: Optional[Moment] = None,
        country: Optional[Texts] = None,
        entity: Optional[Texts] = None,
        source_id: Optional[str] = None,
        provider_id: Optional[str] = None,
        frequency: Optional[Literal["daily", "weekly", "monthly", "quarterly", "annual", "event", "static"]] = None,
        numeric_only: Optional[bool] = None,
        observed_from: Optional[Moment] = None,
        observed_to: Optional[Moment] = None,
        period: Optional[str] = None,
        start_date: Optional[Day] = None,
        end_date: Optional[Day] = None,
        include_backfill: Optional[bool] = None,
        include_assumed: Optional[bool] = None,
    ) -> Table:
        """
        One row per period, without pandas. The columns `print1`, `print2`, … hold the prints as the service numbers them, up to `prints`. A print that does not exist yet is None. A ValueError if the filters select several series that differ in no shown field.

        indicator: Storage or canonical indicator ids, up to 50 separated by commas.
        as_of: Knowledge cutoff: return the data as known then. A day means its end; the future means now.
        country: Countries and currency areas by code, slug or name (GB, GBR, UK, united-kingdom), up to 50 separated by commas. For regions, use entity.
        entity: Entities by identifier, slug, ticker, ISO code, contract code or name, up to 50 separated by commas.
        source_id: Data set of the numbers.
        provider_id: Publisher of the numbers, by name or slug.
        frequency: Frequency of the series.
        numeric_only: Leave out withdrawn and missing values.
        observed_from: Knowledge time, lower bound, inclusive.
        observed_to: Knowledge time, upper bound, inclusive.
        period: Periods that end inside a calendar year, month or quarter: YYYY, YYYY-MM or YYYY-Qn.
        start_date: Periods ending on or after this day.
        end_date: Periods ending on or before this day.
        include_backfill: Include backfills in vintage=first and release_number: periods that were loaded long after they ended, or with the first vintage of their series.
        include_assumed: Add assumed vintages for series whose publisher keeps no archive. asof assumes that each value of the first download became known one release lag after the end of its period. These rows are never eligible, and never first prints.
        prints: Number of prints.
        """
        parameters: Dict[str, Parameter] = {
            "country": country,
            "entity": entity,
            "indicator_id": indicator,
            "source_id": source_id,
            "provider_id": provider_id,
            "frequency": frequency,
            "numeric_only": numeric_only,
            "as_of": as_of,
            "observed_from": observed_from,
            "observed_to": observed_to,
            "period": period,
            "start_date": start_date,
            "end_date": end_date,
            "include_backfill": include_backfill,
            "include_assumed": include_assumed,
        }
        return triangle_table(self, parameters, prints)

    def screen(
        self,
        filter: Optional[str] = None,
        *,
        as_of: Optional[Moment] = None,
        universe: Optional[Literal["countries", "companies", "entities"]] = None,
        entity_type: Optional[Literal["country", "currency_area", "region", "central_bank", "company", "futures_contract", "instrument", "index", "commodity", "currency"]] = None,
        country: Optional[str] = None,
        sector: Optional[str] = None,
        rank_by: Optional[Texts] = None,
        columns: Optional[Texts] = None,
        min_freshness: Optional[Literal["fresh", "any"]] = None,
        eligible_only: Optional[bool] = None,
    ) -> "pandas.DataFrame":
        """
        Entities by a filter: a row for each, ranked, and a column for each field. `attrs["screener"]` counts the excluded ones by reason.

        filter: Clauses joined by ; (and), of terms joined by | (or), each field[@mod]:op:value; Escape the literals ; | , : \\ with \\. At most 20 terms.
        as_of: Knowledge cutoff: return the data as known then. A day means its end; the future means now.
        universe: Entities to evaluate.
        entity_type: Kind of entity within the universe.
        country: Country or currency area by code, slug or name: GB, GBR, UK, united-kingdom.
        sector: Sector of companies, in full.
        rank_by: Fields to rank by, field[@mod][:asc|:desc], separated by commas. Default: desc.
        columns: Fields to show, field[@mod], separated by commas. Default: the fields of filter and rank_by.
        min_freshness: fresh treats values that are not fresh as missing.
        eligible_only: Treat values that are not scoringEligible as missing. Default: true.
        """
        parameters: Dict[str, Parameter] = {
            "filter": filter,
            "universe": universe,
            "entity_type": entity_type,
            "country": country,
            "sector": sector,
            "rank_by": rank_by,
            "columns": columns,
            "as_of": as_of,
            "min_freshness": min_freshness,
            "eligible_only": eligible_only,
        }
        return screen_frame(self, parameters)

    def screen_table(
        self,
        filter: Optional[str] = None,
        *,
        as_of: Optional[Moment] = None,
        universe: Optional[Literal["countries", "companies", "entities"]] = None,
        entity_type: Optional[Literal["country", "currency_area", "region", "central_bank", "company", "futures_contract", "instrument", "index", "commodity", "currency"]] = None,
        country: Optional[str] = None,
        sector: Optional[str] = None,
        rank_by: Optional[Texts] = None,
        columns: Optional[Texts] = None,
        min_freshness: Optional[Literal["fresh", "any"]] = None,
        eligible_only: Optional[bool] = None,
    ) -> Table:
        """
        The same as rows, without pandas; `values` has unit, period and trust of each field.

        filter: Clauses joined by ; (and), of terms joined by | (or), each field[@mod]:op:value; Escape the literals ; | , : \\ with \\. At most 20 terms.
        as_of: Knowledge cutoff: return the data as known then. A day means its end; the future means now.
        universe: Entities to evaluate.
        entity_type: Kind of entity within the universe.
        country: Country or currency area by code, slug or name: GB, GBR, UK, united-kingdom.
        sector: Sector of companies, in full.
        rank_by: Fields to rank by, field[@mod][:asc|:desc], separated by commas. Default: desc.
        columns: Fields to show, field[@mod], separated by commas. Default: the fields of filter and rank_by.
        min_freshness: fresh treats values that are not fresh as missing.
        eligible_only: Treat values that are not scoringEligible as missing. Default: true.
        """
        parameters: Dict[str, Parameter] = {
            "filter": filter,
            "universe": universe,
            "entity_type": entity_type,
            "country": country,
            "sector": sector,
            "rank_by": rank_by,
            "columns": columns,
            "as_of": as_of,
            "min_freshness": min_freshness,
            "eligible_only": eligible_only,
        }
        return self.table("/public/screener", None, **parameters)

    def companies(
        self,
        *,
        as_of: Optional[Moment] = None,
        sector: Optional[str] = None,
        industry: Optional[str] = None,
        country: Optional[str] = None,
        ticker: Optional[str] = None,
        status: Optional[Literal["active", "delisted", "acquired", "unknown"]] = None,
        q: Optional[str] = None,
    ) -> Table:
        """
        Companies with multiples and scores, as rows.

        as_of: Knowledge cutoff: return the data as known then. A day means its end; the future means now.
        sector: Sector, in full.
        industry: Industry, in full.
        country: Country or currency area by code, slug or name: GB, GBR, UK, united-kingdom.
        ticker: Ticker. With as_of, the company that had it on that day.
        status: State of the company.
        q: Words of the name, a ticker or the CIK, or a part of one of these. The best match comes first, unless you set sort.
        """
        parameters: Dict[str, Parameter] = {
            "sector": sector,
            "industry": industry,
            "country": country,
            "ticker": ticker,
            "status": status,
            "q": q,
            "as_of": as_of,
        }
        return self.table("/public/companies", None, **parameters)

    def company(
        self,
        company: str,
        *,
        as_of: Optional[Moment] = None,
        statement: Optional[Literal["income", "balance_sheet", "cash_flow"]] = None,
        period: Optional[Literal["annual", "quarterly", "ttm"]] = None,
        fiscal_year: Optional[int] = None,
        start_date: Optional[Day] = None,
        end_date: Optional[Day] = None,
        basis: Optional[Literal["as_reported", "most_recent"]] = None,
    ) -> Table:
        """
        Statements of a company, by its ticker, CIK, LEI or identifier, as rows.

        company: Company by identifier, entity, CIK with or without leading zeros, name, or ticker (the company that had it at as_of).
        as_of: Knowledge cutoff: return the data as known then. A day means its end; the future means now.
        statement: Kind of statement.
        period: Length of the period. annual and quarterly include the balance sheets at the end of each such period.
        fiscal_year: Fiscal year, by the calendar year in which it ends.
        start_date: Periods ending on or after this day.
        end_date: Periods ending on or before this day.
        basis: as_reported: figures as first filed for a period. most_recent: each figure from the newest filing that states it, in shares of as_of.
        """
        parameters: Dict[str, Parameter] = {
            "statement": statement,
            "period": period,
            "fiscal_year": fiscal_year,
            "start_date": start_date,
            "end_date": end_date,
            "as_of": as_of,
            "basis": basis,
        }
        return self.table("/companies/{idOrLookup}/financials", {"idOrLookup": company}, **parameters)

    def calendar(
        self,
        *,
        as_of: Optional[Moment] = None,
        start_date: Optional[Day] = None,
        end_date: Optional[Day] = None,
        country: Optional[str] = None,
        indicator_id: Optional[Texts] = None,
        importance: Optional[Literal["low", "medium", "high"]] = None,
        category: Optional[str] = None,
        status: Optional[Literal["scheduled", "released", "postponed", "cancelled", "unconfirmed"]] = None,
    ) -> Table:
        """
        Releases of the economic calendar, as rows.

        as_of: Knowledge cutoff: return the data as known then. A day means its end; the future means now.
        start_date: Releases due on or after this day.
        end_date: Releases due on or before this day.
        country: Country or currency area by code, slug or name: GB, GBR, UK, united-kingdom.
        indicator_id: Storage or canonical indicator ids, up to 50 separated by commas.
        importance: Importance of the indicator.
        category: Category of the indicator.
        status: State of the release.
        """
        parameters: Dict[str, Parameter] = {
            "start_date": start_date,
            "end_date": end_date,
            "country": country,
            "indicator_id": indicator_id,
            "importance": importance,
            "category": category,
            "status": status,
            "as_of": as_of,
        }
        return self.table("/economic-calendar", None, **parameters)
