-- The entity of `ticker:aapl` at the retrieval of each payload. One row per payload_no and entity_ref; none if nobody
-- ever held the ticker. It is the filer that held the ticker then, else the last holder before. So a payload that is
-- read again later is never given to a new holder.
-- Of a filer with several listed classes, one is the main series and has the filer's entity: the class in
-- share_classes.csv, else the first one in its lists. Each other class is a listing of its own.
with

claims as (from ticker_claims('staged.lake_companies', 'staged.lake_files')),

held as (
    select
        *,
        if(
            row_number() over (partition by ticker, cik order by claimed_from) = 1,
            coalesce(lag(claimed_to) over (partition by ticker order by claimed_from), timestamptz '-infinity'),
            claimed_from
        ) as held_from,
        coalesce(claimed_to, timestamptz 'infinity') as held_to,
    from claims
),

asked as (
    select distinct
        observations.payload_no,
        observations.entity_ref,
        replace(upper(substr(observations.entity_ref, 8)), '.', '-') as ticker,
        payloads.retrieved_at,
    from staged.observations
    inner join staged.payloads using (payload_no)
    where starts_with(observations.entity_ref, 'ticker:')
),

found as (
    select asked.*, held.cik
    from asked
    inner join held on upper(held.ticker) = asked.ticker and held.held_from <= asked.retrieved_at
    qualify row_number() over (partition by asked.payload_no, asked.entity_ref order by held.held_from desc, held.cik) = 1
),

mains as (
    select
        found.payload_no,
        found.entity_ref,
        first(
            upper(held.ticker)
            order by
                held.held_to > found.retrieved_at desc,
                coalesce(classes.is_main, false) desc,
                list_min(list_transform(list_filter(held.places, lambda one: one.place = 1), lambda one: one.known_from)) nulls last,
                held.places[1].place,
                held.ticker
        ) as main_ticker,
    from found
    inner join held on held.cik = found.cik and held.held_from <= found.retrieved_at
    left join reference.share_classes as classes
        on classes.cik = held.cik and classes.ticker = held.ticker and classes.valid_from <= (found.retrieved_at at time zone 'UTC')::date
    group by all
)

select
    found.payload_no,
    found.entity_ref,
    if(found.ticker = mains.main_ticker, 'company_' || found.cik, lower(concat_ws('_', 'listing', found.cik, replace(found.ticker, '-', '_'))))
        as entity_id,
from found
inner join mains using (payload_no, entity_ref)
