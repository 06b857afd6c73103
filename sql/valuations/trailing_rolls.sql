-- Sums of trailing twelve months for each flow and for diluted earnings per share, as known after each filing. One row
-- per company, known_at, metric and lag: lag 0 ends with the newest period known, lag 1 a year before. It is the fiscal
-- year if that ends there, else fiscal year + year to date - year to date a year ago. Of synonyms, the one whose window
-- ends latest, then the first. No row if a part is missing. A 52/53-week year shifts ends by some days, so ten days are
-- tolerated. since: day of the oldest filing in it.
with

durations as (
    select *, period_end - period_start as days
    from valuations.trailing_facts
    where is_in_part(cik) and period_start is not null and metric != 'shares_weighted'
),

targets as (
    select cik, known_at, metric, concept, lag, newest, (newest - to_years(lag))::date as target
    from (
        select cik, known_at, metric, concept, max(period_end) as newest from durations
        group by all
    ), (values (0), (1)
    ) as lags (lag)
    -- Revenue is the consolidated total under any tag.
    where metric != 'revenue' or concept = 'any'
),

years as (
    select
        targets.*,
        durations.* exclude (cik, known_at, metric, concept, rank, days),
        durations.rank,
        abs(durations.period_end - target) <= 10 as is_whole,
    from targets
    inner join durations using (cik, known_at, metric, concept)
    where durations.days between 330 and 420 and durations.period_end between target - 370 and target + 10
    qualify row_number() over (partition by cik, known_at, metric, concept, lag order by durations.period_end desc, durations.period_start desc) = 1
),

parts as (
    select
        cik,
        known_at,
        metric,
        concept,
        lag,
        target,
        newest,
        rank,
        'year' as part,
        period_start,
        period_end,
        value,
        recast_by,
        filed,
        fact_ref,
        retrieved_at,
        ingested_at,
        change_sequence,
        run_id,
        payload_id,
        is_whole
    from years
    union all by name
    select
        years.cik,
        years.known_at,
        years.metric,
        years.concept,
        years.lag,
        years.target,
        years.newest,
        years.rank,
        if(abs(ytd.period_end - years.target) <= 10, 'to_date', 'year_ago') as part,
        ytd.period_start,
        ytd.period_end,
        ytd.value,
        ytd.recast_by,
        ytd.filed,
        ytd.fact_ref,
        ytd.retrieved_at,
        ytd.ingested_at,
        ytd.change_sequence,
        ytd.run_id,
        ytd.payload_id,
        years.is_whole,
    from years
    inner join durations as ytd using (cik, known_at, metric, concept)
    where
        not years.is_whole
        and ytd.days between 70 and 329
        and (
            (abs(ytd.period_end - years.target) <= 10 and abs(ytd.period_start - years.period_end - 1) <= 10)
            or (abs(ytd.period_end - (years.target - interval 1 year)::date) <= 10 and abs(ytd.period_start - years.period_start) <= 10)
        )
),

-- Of two periods within the tolerance, the one that ends later.
chosen as (
    select *
    from parts
    qualify row_number() over (partition by cik, known_at, metric, concept, lag, part order by period_end desc, period_start desc) = 1
),

summed as (
    select
        cik,
        known_at,
        metric,
        concept,
        lag,
        min(rank) as rank,
        sum(if(part = 'year_ago', -value, value) order by part) as value,
        if(bool_and(is_whole), min(period_start), max(if(part = 'year_ago', period_end, null)) + 1) as window_start,
        max(period_end) as window_end,
        min(filed) as since,
        if(bool_and(is_whole), 'fiscal_year', 'ttm_roll') as derivation,
        list({ value: value, recast_by: recast_by } order by part) as parts,
        list(fact_ref order by part desc) as fact_refs,
        max(retrieved_at) as retrieved_at,
        max(ingested_at) as ingested_at,
        max(change_sequence) as change_sequence,
        max_by(run_id, (retrieved_at, run_id)) as run_id,
        max_by(payload_id, (retrieved_at, payload_id)) as payload_id,
    from chosen
    group by all
    having count(*) = if(bool_and(is_whole), 1, 3)
)

select *
from summed
qualify row_number() over (partition by cik, known_at, metric, lag order by window_end desc, rank, concept) = 1
