-- What is assumed to have been known before a first download, for requests that ask for it. A series qualifies if its
-- first download brought several periods as one vintage, because then nothing tells when the publisher published them.
-- Each of these values is assumed to have been known from the end of its period and the release lag on, until the
-- download: the lag that was learned, else that of the cadence. Grain: series and period.
create or replace macro assumed_vintages() as table
    with

    candidates as (
        select
            series.series_no,
            series.source_id,
            series.indicator_id,
            series.entity_id,
            series.frequency,
            series.first_observed_at,
            coalesce(
                budgets.release_lag_days,
                -- lag_days of data/reference/cadence_budgets.csv
                case series.frequency
                    when 'annual' then 270
                    when 'daily' then 2
                    when 'monthly' then 45
                    when 'quarterly' then 92
                    when 'weekly' then 7
                end
            ) as lag_days,
        from published.series
        inner join published.sources using (source_id)
        left join published.cadence_budgets as budgets on budgets.series_no = series.series_no and budgets.known_to is null
        where not series.is_derived and not is_projection(series.canonical_id) and sources.vintages_dated_to <> 'month'
    ),

    downloads as (
        select
            vintages.series_no,
            min(vintages.retrieved_at) as downloaded_at,
            min(vintages.observed_at) filter (where vintages.observed_at > candidates.first_observed_at) as second_observed_at,
            count(*) filter (where vintages.observed_at = candidates.first_observed_at) as periods,
        from published.vintages
        inner join candidates using (series_no)
        group by vintages.series_no
    ),

    assumed as (
        select
            vintages.*,
            candidates.* exclude (series_no, first_observed_at, lag_days),
            (vintages.period_end + 1)::timestamp at time zone 'UTC'
            + to_milliseconds(round(candidates.lag_days * 86400000)::bigint) as assumed_at,
        from published.vintages
        inner join candidates using (series_no)
        inner join downloads using (series_no)
        where
            vintages.observed_at = candidates.first_observed_at
            and vintages.prior_observed_at is null
            and vintages.value is not null
            and not starts_with(vintages.vintage, 'pseudo:')
            and downloads.periods > 1
            and coalesce(downloads.second_observed_at > downloads.downloaded_at, true)
    ),

    labelled as (
        select
            * exclude (vintage),
            'assumed:' || strftime(assumed_at at time zone 'UTC', '%Y-%m-%d') as vintage,
        from assumed
        where assumed_at < observed_at
    )

    select
        * exclude (source_id, indicator_id, entity_id, frequency, assumed_at)
        replace (
            assumed_at as observed_at,
            observed_at as known_to,
            0 as release_no,
            false as is_revised,
            true as is_backfill,
            3::utinyint as knowledge_grade,
            null::timestamptz as released_at,
            (
                '0x' || left(sha256(concat_ws('|', source_id, indicator_id, entity_id, frequency, period, vintage)), 16)
            )::ubigint as id_hash
        ),
    from labelled
