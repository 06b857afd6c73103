-- The amounts that filings state for a period, by how many years after the period they do so. One row per cik,
-- statement_type, key, period_start, period_end, change and scope, known from the first filing with that scope. scope:
-- as `recast`, or (is_repeat) the years after which other filings repeated it. A figure that was first known as a
-- comparative, such as those of a filer's first year, also has scope 0 if others are parts of it (is_whole_only).
-- changed_at: the time at which the change became known. family: figures of one family share a concept; revenue and its
-- cost share any of theirs.
with

figures as (
    select
        *,
        if(key in ('revenue', 'costOfRevenue'), key, concept) as family,
        observed_at as changed_at,
        recast > 0 and recast = min(recast) over earlier as is_comparative_first,
    from filings.statement_values
    where is_in_part(cik)
    window earlier as (partition by cik, statement_type, key, period_start, period_end order by observed_at)
)

select * exclude (repeats), recast as scope, false as is_repeat, false as is_whole_only
from figures
union all by name
select * exclude (repeats), 0 as scope, false as is_repeat, true as is_whole_only
from figures
where kind = 'money' and is_comparative_first
union all by name
select
    figures.* exclude (repeats, observed_at, accession_number, form, filed, accepted_at, fact_ref, payload_id, run_id, ingested_at),
    said.recast as scope,
    true as is_repeat,
    false as is_whole_only,
    said.observed_at as observed_at,
    said.accession_number as accession_number,
    said.form as form,
    said.filed as filed,
    said.accepted_at as accepted_at,
    said.fact_ref as fact_ref,
    said.payload_id as payload_id,
    said.run_id as run_id,
    said.ingested_at as ingested_at,
from figures, unnest(repeats) as again (said)
where kind = 'money'
