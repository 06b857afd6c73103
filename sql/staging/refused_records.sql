-- Staged facts and filings with an impossible knowledge time: dated after their payload arrived (time_travel), or for a
-- period that had not ended when they were filed (future_period; a forecast is not a fact). The report date of a proxy
-- statement is that of a future meeting and does not count. Grain: row_no.
with

facts as (
    select
        payload_no,
        row_no,
        cik,
        accession_number,
        retrieved_at,
        taxonomy || ':' || concept as series_code,
        concat_ws('.', taxonomy, concept, unit) as field_path,
        period_end,
        value,
        filed,
        observed_at::timestamptz as observed_at,
        period_end::date > filed::date as is_of_future,
    from staged.facts
    inner join staged.payloads using (payload_no)
),

filings as (
    select
        payload_no,
        row_no,
        cik,
        accession_number,
        retrieved_at,
        form as series_code,
        'reportDate' as field_path,
        report_date as period_end,
        report_date as value,
        filed,
        greatest(observed_at::timestamptz, accepted_at::timestamptz) as observed_at,
        report_date::date > filed::date and is_periodic_form(form) as is_of_future,
    from staged.filings
    inner join staged.payloads using (payload_no)
)

select
    payload_no,
    row_no,
    if(observed_at > retrieved_at, 'time_travel', 'future_period') as rule,
    series_code,
    'company_' || cik as entity_id,
    coalesce(period_end, filed) as period,
    if(observed_at > retrieved_at, if(field_path = 'reportDate', 'filingDate', field_path), field_path) as field_path,
    if(observed_at > retrieved_at and field_path = 'reportDate', filed, value) as observed_value,
    if(
        observed_at > retrieved_at,
        'Filing ' || accession_number || ' is said to be known at ' || observed_at || ', after its payload was retrieved at ' || retrieved_at || '.',
        'The period ends on ' || period_end || ', after filing ' || accession_number || ' was filed on ' || filed || '.'
    ) as reason,
    accession_number,
from (
    from facts
    union all by name
    from filings
)
where observed_at > retrieved_at or is_of_future
