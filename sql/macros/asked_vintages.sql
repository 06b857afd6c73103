-- The vintages of some series in a range that match the filters of an observation read: for each period the one in
-- force at the cutoffs, the first of the requested ones, or all. A null filter keeps everything. backfill: false drops
-- periods without a first print, true drops all others. `series_from` and `series_to` bound `series_nos` for the zone
-- maps.
create or replace macro asked_vintages(
    series_from := 0,
    series_to := 2147483647,
    series_nos := null,
    as_of := null,
    observed_from := null,
    observed_to := null,
    period_from := null,
    period_to := null,
    release_number := null,
    numeric_only := false,
    backfill := null,
    chosen_vintage := 'all'
) as table
    select *
    from published.vintages
    where
        series_no between series_from and series_to
        and (series_nos is null or series_no in (select unnest(series_nos)))
        and (as_of is null or observed_at <= as_of)
        and (observed_to is null or observed_at <= observed_to)
        and (observed_from is null or observed_at >= observed_from)
        and (period_from is null or period_end >= period_from)
        and (period_to is null or period_end <= period_to)
        and (not numeric_only or value is not null)
        and (release_number is null or release_no = release_number)
        and (backfill is null or is_backfill = backfill)
        and case chosen_vintage
            when 'latest' then is_in_force(observed_at, known_to, least(as_of, observed_to))
            when 'first' then prior_observed_at is null or prior_observed_at < observed_from
            else true
        end
