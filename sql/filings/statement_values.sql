-- The amount of each period in the newest filing, over time. One row per cik, statement_type, key, period_start,
-- period_end and change of value, unit or concept; in force during [observed_at, known_to).
-- kind: money, shares or per_share; of these only diluted earnings per share may be summed. share_basis: how many
-- shares of the first known basis one share of the filing equals. `span`: the length of the period: quarter, half,
-- nine_months, year.
-- `recast`: how many years after the period the filing reports whose comparatives gave the value, 0 for a filing on the
-- period itself. Recast comparatives often have another scope. `recast_by`: the amount that they added to the first or
-- last value of filings on the period's own year, whichever is nearer, per share amounts in the filing's own shares; 0
-- if it is rounding, null if those values are not known. `repeats`: for each other number of years after the period,
-- the first filing that repeated the value.
with

stated as (
    select distinct on (cik, statement_type, key, period_start, period_end, observed_at)
        cik, statement_type, key, label, kind, period_start, period_end, value, unit, currency, taxonomy, concept, fact_ref,
        accession_number, form, filed, accepted_at, observed_at, payload_id, run_id, ingested_at,
        case
            when period_end - period_start between 70 and 120 then 'quarter'
            when period_end - period_start between 140 and 229 then 'half'
            when period_end - period_start between 230 and 329 then 'nine_months'
            when period_end - period_start between 330 and 420 then 'year'
        end as span,
        coalesce(share_basis, 1) as share_basis,
    from filings.statement_facts
    where period_start is not null and is_in_part(cik)
    order by cik, statement_type, key, period_start, period_end, observed_at, accession_number desc
),

reported_on as (
    select cik, accession_number, max(period_end) as newest_period_end
    from stated
    where span is not null
    group by all
),

said as (
    select
        stated.*,
        (newest_period_end - period_end + 40) // 365 as years_after,
        (lag(value) over filings is distinct from value) as is_new_value,
        (is_new_value or lag(unit) over filings is distinct from unit or lag(concept) over filings is distinct from concept) as is_change,
    from stated
    inner join reported_on using (cik, accession_number)
    where span is not null
    window filings as (partition by cik, statement_type, key, period_start, period_end order by observed_at)
),

numbered as (
    select *, sum(is_change::integer) over (partition by cik, statement_type, key, period_start, period_end order by observed_at) as change_no
    from said
),

repeated as (
    select
        cik,
        statement_type,
        key,
        period_start,
        period_end,
        change_no,
        list({
            recast: years_after, observed_at: observed_at, accession_number: accession_number, form: form, filed: filed, accepted_at: accepted_at,
            fact_ref: fact_ref, payload_id: payload_id, run_id: run_id, ingested_at: ingested_at
        } order by years_after) as repeats,
    from (
        from numbered
        qualify row_number() over (partition by cik, statement_type, key, period_start, period_end, change_no, years_after order by observed_at) = 1
    )
    group by all
),

changes as (
    select
        numbered.*,
        repeats,
        if(is_new_value, years_after, null) as recast_now,
        if(kind = 'per_share', share_basis, 1) as value_basis,
        if(recast_now = 0, value * value_basis, null) as own_value,
    from numbered
    inner join repeated using (cik, statement_type, key, period_start, period_end, change_no)
    where is_change
)

select
    * exclude (recast_now, repeats, years_after, is_new_value, is_change, change_no, value_basis, own_value),
    last(recast_now ignore nulls) over (versions rows between unbounded preceding and current row) as recast,
    list_filter(repeats, lambda one: one.recast != recast) as repeats,
    value - first(own_value ignore nulls) over so_far / value_basis as since_first,
    value - last(own_value ignore nulls) over so_far / value_basis as since_last,
    beyond_rounding(if(abs(since_first) < abs(since_last), since_first, since_last), value, kind = 'per_share') as recast_by,
    lead(observed_at, 1, timestamptz 'infinity') over versions as known_to,
from changes
window
    versions as (partition by cik, statement_type, key, period_start, period_end order by observed_at),
    so_far as (
        partition by cik, statement_type, key, if(key in ('revenue', 'costOfRevenue'), key, concept), period_start, period_end
        order by observed_at
        rows between unbounded preceding and current row
    )
