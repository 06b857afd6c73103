-- Share counts that two other witnesses contradict, as findings in quarantine: one row per quarantine_id, from the
-- first filing after which they did.
with

refused as (
    select cik, known_at, shares, unnest(witnesses) as said
    from valuations.share_counts
),

facts as (
    select
        cik,
        known_at,
        max(ingested_at) as ingested_at,
        max_by(run_id, (retrieved_at, run_id)) as run_id,
        max_by(payload_id, (retrieved_at, payload_id)) as payload_id,
    from valuations.trailing_facts
    group by all
)

select distinct on (cik, said.witness, said.shares)
    'qrn_' || left(sha256(concat_ws('|', 'sec', cik, 'shares', said.witness, said.shares, said.as_of)), 26) as quarantine_id,
    'sec' as source_id,
    'reconciliation_failed' as rule,
    '1' as rule_version,
    'warn' as severity,
    'This count of shares is more than 1.5 times off from the others, which agree, so it is not used.' as reason,
    'company_' || cik as entity_id,
    null::varchar as series_code,
    strftime(said.as_of, '%Y-%m-%d') as period,
    'shares.' || said.witness as field_path,
    said.shares::varchar as observed_value,
    json_object('shares', shares)::varchar as expected,
    payload_id,
    run_id,
    ingested_at as detected_at,
from refused
inner join facts using (cik, known_at)
where said.refused
order by cik, said.witness, said.shares, known_at
