-- Filers that an earlier company_tickers.json listed and that of the payload `list_payload_no` does not. Their absence
-- ends their tickers. Grain: cik. standing_filers: the number of filers in force from the earlier lists.
with

list as (
    select * from staged.payloads
    where payload_no = getvariable('list_payload_no')::integer
),

files as (
    select payload_id, any_value(key) as key
    from staged.lake_files
    group by all
),

said as (
    select known.cik, known.name, known.tickers, known.retrieved_at, known.record_hash
    from staged.lake_companies_own as known
    inner join files using (payload_id)
    where regexp_matches(files.key, '(^|/)sec/company_tickers\.json$')
    union all
    select companies.cik, companies.name, from_json(companies.tickers, '["varchar"]'), payloads.retrieved_at, ''
    from staged.companies
    inner join staged.payloads using (payload_no)
    where regexp_matches(payloads.key, '(^|/)sec/company_tickers\.json$')
),

standing as (
    select cik, name
    from (
        select said.*
        from said
        cross join list
        where said.retrieved_at < list.retrieved_at
        qualify row_number() over (partition by said.cik order by said.retrieved_at desc, len(said.tickers) desc, said.record_hash) = 1
    )
    where len(tickers) > 0
)

select cik, name, (select count(*) from standing) as standing_filers
from standing
where
    cik not in (
        select cik from staged.companies
        where payload_no = getvariable('list_payload_no')::integer
    )
order by cik
