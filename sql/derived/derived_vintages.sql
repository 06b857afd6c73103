-- The derived rows as vintages: intervals, release numbers and labels. A row is a vintage if its value, its text or one of
-- its figures changed, not if only its components did. Columns as in series.vintages, plus inputs, value_text and
-- metadata. run_id is set only for rows computed from a document.
-- derived_from: that document, else the indicators of the inputs, then the facts of filings.
with

numbered as (
    select
        series.series_no,
        derived_rows.* exclude (canonical_id, unit, input_series_no, source_id, entity_id, frequency),
    from derived.derived_rows
    inner join derived.derived_series as series using (canonical_id, source_id, entity_id, frequency)
),

ordered as (
    select
        *,
        lag(value) over instants as value_before,
        lag(value_text) over instants as value_text_before,
        lag(metadata) over instants as metadata_before,
        lag(true, 1, false) over instants as has_before,
    from numbered
    window instants as (partition by series_no, period_end order by observed_at, change_sequence)
),

changed as (
    select *
    from ordered
    where
        (not has_before and (value is not null or value_text is not null or metadata is not null))
        or (
            has_before
            and (
                value is distinct from value_before or value_text is distinct from value_text_before
                or (has_figures and metadata is distinct from metadata_before)
            )
        )
),

labelled as (
    select
        *,
        strftime(observed_at at time zone 'UTC', '%Y-%m-%d') as day_label,
        row_number() over (
            partition by series_no, period_end, strftime(observed_at at time zone 'UTC', '%Y-%m-%d') order by observed_at, change_sequence
        ) as nth_that_day,
    from changed
),

named as (
    select
        * exclude (day_label, nth_that_day),
        day_label || if(nth_that_day > 1, '.' || nth_that_day, '') as vintage,
    from labelled
),

lineages as (
    select input_nos, list(distinct indicator_id order by indicator_id) as indicator_ids
    from (
        select distinct list_sort(list_distinct(list_transform(inputs, lambda input: input.series_no))) as input_nos, unnest(input_nos) as series_no
        from named
    )
    inner join series.series using (series_no)
    group by input_nos
)

select
    series_no,
    period,
    period_start,
    period_end,
    value,
    value_text,
    metadata,
    vintage,
    observed_at,
    lead(observed_at) over instants as known_to,
    lag(observed_at) over instants as prior_observed_at,
    lag(value) over instants as prior_value,
    lag(vintage) over instants as prior_vintage,
    first_value(observed_at) over instants as first_observed_at,
    first_value(vintage) over instants as first_vintage,
    row_number() over instants as release_no,
    (value is distinct from first_value(value) over instants) as is_revised,
    released_at,
    retrieved_at,
    ingested_at,
    change_sequence,
    inputs,
    input_run_ids,
    source_run_id,
    case
        when json_exists(metadata, '$.documentId') then [metadata ->> '$.documentId']
        else coalesce(indicator_ids, []) || coalesce((metadata -> '$.facts')::varchar[], [])
    end as derived_from,
    run_id,
from named
left join lineages on input_nos = list_sort(list_distinct(list_transform(inputs, lambda input: input.series_no)))
window instants as (partition by series_no, period_end order by observed_at, change_sequence)
